/* Magic Formula in its 1996 form with fixed B, C, E: Bakker, Pacejka, Lidner, "A new tire model with an application
 * in vehicle dynamics studies", SAE 890087, eq. for the sine version; load enters through
 *   mu(Fz) = mu_n max(0.3, 1 - k (Fz/Fz_n - 1)),   F = mu(Fz) Fz D sin(C atan(...))
 * so that shape and load separate exactly: F = [mu(Fz) Fz] x [a function of slip]. */
#include "tyre_impl.h"

static double magic(const vd_magic *m, double slip) {
  double x = m->b * slip;
  return m->d * sin(m->c * atan(x - m->e * (x - atan(x))));
}

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

void vd_mf96_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide) {
  const vd_tyre_def *def = &tyre->def;
  double s = vd_slip_vector(kappa, tan_alpha, slide);
  double alpha = atan(s);
  vd_combine(slide, magic(&def->longitudinal, s), magic(&def->lateral, alpha), def->longitudinal.d, def->lateral.d,
             &slide->fx, &slide->fy);
  /* trail falls with the whole slip, the pure slip angle's where there is no other */
  double u = alpha / def->trail_falloff;
  slide->trail = def->pneumatic_trail / sqrt(1.0 + u * u);
}
