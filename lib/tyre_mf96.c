/* Magic Formula in its 1996 form with fixed B, C, E: Bakker, Pacejka, Lidner, "A new tire model with an application
 * in vehicle dynamics studies", SAE 890087, eq. for the sine version; load enters through
 *   mu(Fz) = mu_n max(0.3, 1 - k (Fz/Fz_n - 1)),   F = mu(Fz) Fz D sin(C atan(...))
 * so that shape and load separate exactly: F = [mu(Fz) Fz] x [a function of slip]. */
#include "mf_impl.h"
#include "tyre_impl.h"

/* The slip where the curve is highest: C atan(y) = pi/2 with y = x - E (x - atan x), x = B slip. y rises with x for
 * E <= 1, so the root is bracketed and found by Newton within the bracket. Without C > 1 there is none, nor with E = 1
 * if y stays below pi/2. */
static double peak(const vd_magic *m) {
  if (m->c <= 1.0)
    return INFINITY;
  double y = tan(VD_PI / (2.0 * m->c));
  double low = 0.0, high = 1.0;
  while (high - m->e * (high - atan(high)) < y) {
    high *= 2.0;
    if (high > 1e9)
      return INFINITY;
  }
  double x = 0.5 * (low + high);
  for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    double residual = x - m->e * (x - atan(x)) - y;
    if (residual > 0.0)
      high = x;
    else
      low = x;
    double slope = 1.0 - m->e * (1.0 - 1.0 / (1.0 + x * x));
    double next = x - residual / slope;
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return x / m->b;
}

void vd_mf96_build(vd_tyre *tyre) {
  tyre->inverse_load = 1.0 / tyre->def.nominal_load;
  tyre->kappa_peak = peak(&tyre->def.longitudinal);
  tyre->alpha_peak = peak(&tyre->def.lateral);
}

double vd_mf96_friction(const vd_tyre *tyre, double load) {
  double share = 1.0 + tyre->def.load_sensitivity - tyre->def.load_sensitivity * tyre->inverse_load * load;
  return tyre->def.friction * fmax(VD_MF96_FRICTION_FLOOR, share);
}

/* Both curves of several tyres, in arrays that compilers turn into vector arithmetic. The sine's argument stays below
 * C pi/2 < pi. */
static VD_WIDE void curves(int n, const double *b, const double *c, const double *d, const double *e, double *slip) {
  double x[2 * VD_WHEELS];
  for (int i = 0; i < n; i++)
    x[i] = b[i] * slip[i];
  for (int i = 0; i < n; i++)
    x[i] = vd_mf_atan(x[i] - e[i] * (x[i] - vd_mf_atan(x[i])));
  for (int i = 0; i < n; i++)
    slip[i] = d[i] * vd_mf_sin_near(c[i] * x[i]);
}

static VD_WIDE void angles(int n, double *s) {
  for (int i = 0; i < n; i++)
    s[i] = vd_mf_atan(s[i]);
}

void vd_mf96_slide(const vd_tyre *const *tyre, int n, const double *kappa, const double *tan_alpha, vd_slide *slide) {
  double b[2 * VD_WHEELS], c[2 * VD_WHEELS], d[2 * VD_WHEELS], e[2 * VD_WHEELS], slip[2 * VD_WHEELS], alpha[VD_WHEELS];
  for (int i = 0; i < n; i++)
    slip[i] = alpha[i] = vd_slip_vector(kappa[i], tan_alpha[i], &slide[i]);
  angles(n, alpha);
  for (int i = 0; i < n; i++) {
    const vd_magic *x = &tyre[i]->def.longitudinal, *y = &tyre[i]->def.lateral;
    slip[n + i] = alpha[i];
    b[i] = x->b, c[i] = x->c, d[i] = x->d, e[i] = x->e;
    b[n + i] = y->b, c[n + i] = y->c, d[n + i] = y->d, e[n + i] = y->e;
  }
  curves(2 * n, b, c, d, e, slip);
  for (int i = 0; i < n; i++) {
    vd_combine(&slide[i], slip[i], slip[n + i], d[i], d[n + i], &slide[i].fx, &slide[i].fy);
    /* trail falls with the whole slip, the pure slip angle's where there is no other */
    double u = alpha[i] / tyre[i]->def.trail_falloff;
    slide[i].trail = tyre[i]->def.pneumatic_trail / sqrt(1.0 + u * u);
  }
}
