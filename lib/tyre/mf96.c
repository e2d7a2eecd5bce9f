/* Magic Formula in its 1996 form with fixed B, C, E: Bakker, Pacejka, Lidner, "A new tire model with an application
 * in vehicle dynamics studies", SAE 890087, eq. for the sine version; load enters through
 *   mu(Fz) = mu_n max(0.3, 1 - k (Fz/Fz_n - 1)),   F = mu(Fz) Fz D sin(C atan(...))
 * so that shape and load separate exactly: F = [mu(Fz) Fz] x [a function of slip]. */
#include "tyre/tyre_impl.h"
#include "base/elementary.h"
#include "base/wide.h"

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

void vd_mf96_pack(const vd_tyre *const *tyre, vd_mf96_four *four) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_tyre_def *def = &tyre[i]->def;
    const vd_magic *m[] = {&def->longitudinal, &def->lateral};
    for (int k = 0; k < 2; k++) {
      four->b[k][i] = m[k]->b;
      four->c[k][i] = m[k]->c;
      four->d[k][i] = m[k]->d;
      four->e[k][i] = m[k]->e;
    }
    four->falloff[i] = def->trail_falloff;
    four->trail[i] = def->pneumatic_trail;
    four->friction[i] = def->friction;
    four->share[i] = 1.0 + def->load_sensitivity;
    four->fall[i] = def->load_sensitivity * tyre[i]->inverse_load;
  }
}

/* One curve of each tyre. The sine's argument stays below C pi/2 < pi. */
VD_INLINE vd_wide magic(const vd_mf96_four *m, int k, vd_wide slip) {
  vd_wide x = vd_wide_load(m->b[k]) * slip;
  vd_wide y = vd_wide_atan(x - vd_wide_load(m->e[k]) * (x - vd_wide_atan(x)));
  return vd_wide_load(m->d[k]) * vd_wide_sin_near(vd_wide_load(m->c[k]) * y);
}

/* The forces where some tyre slides so far that their direction turns. */
static void turn_forces(const vd_mf96_four *m, const double *curve_x, const double *curve_y, const double *kappa,
                        const double *tan_alpha, vd_slides *out) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_slide slide;
    vd_slip_vector(kappa[i], tan_alpha[i], &slide);
    vd_combine(&slide, curve_x[i], curve_y[i], m->d[0][i], m->d[1][i], &out->fx[i], &out->fy[i]);
  }
}

VD_WIDE void vd_mf96_slides(const vd_mf96_four *m, const double *kappa, const double *tan_alpha, vd_slides *out) {
  vd_wide k = vd_wide_load(kappa), t = vd_wide_load(tan_alpha), none = 0.0 * k;
  vd_wide s = vd_wide_sqrt(k * k + t * t), alpha = vd_wide_atan(s);
  vd_wide inverse = vd_wide_select(s > none, 1.0 / s, none);
  vd_wide x = magic(m, 0, s), y = magic(m, 1, alpha);
  vd_wide_store(x * (k * inverse), out->fx);
  vd_wide_store(y * (-t * inverse), out->fy);
  /* trail falls with the whole slip, the pure slip angle's where there is no other */
  vd_wide u = alpha / vd_wide_load(m->falloff);
  vd_wide_store(vd_wide_load(m->trail) / vd_wide_sqrt(1.0 + u * u), out->trail);
  if (s[0] > VD_TURN_START || s[1] > VD_TURN_START || s[2] > VD_TURN_START || s[3] > VD_TURN_START) {
    double curve_x[VD_WHEELS], curve_y[VD_WHEELS];
    vd_wide_store(x, curve_x);
    vd_wide_store(y, curve_y);
    turn_forces(m, curve_x, curve_y, kappa, tan_alpha, out);
  }
}

void vd_mf96_slide(const vd_tyre *const *tyre, int n, const double *kappa, const double *tan_alpha, vd_slide *slide) {
  const vd_tyre *four[VD_WHEELS];
  double k[VD_WHEELS], t[VD_WHEELS];
  vd_mf96_four packed;
  vd_slides all;
  for (int i = 0; i < VD_WHEELS; i++) {
    four[i] = tyre[i < n ? i : 0];
    k[i] = i < n ? kappa[i] : 0.0;
    t[i] = i < n ? tan_alpha[i] : 0.0;
  }
  vd_mf96_pack(four, &packed);
  vd_mf96_slides(&packed, k, t, &all);
  for (int i = 0; i < n; i++) {
    slide[i].fx = all.fx[i];
    slide[i].fy = all.fy[i];
    slide[i].trail = all.trail[i];
  }
}

VD_WIDE void vd_mf96_forces(const vd_mf96_four *m, const vd_slides *slides, const double *ground_friction,
                            const double *load, const double *vx, double *fx, double *fy, double *mz) {
  vd_wide fz = vd_wide_load(load), one = 0.0 * fz + 1.0;
  vd_wide share = vd_wide_most(vd_wide_load(m->share) - vd_wide_load(m->fall) * fz, VD_MF96_FRICTION_FLOOR * one);
  vd_wide force = vd_wide_load(ground_friction) * vd_wide_load(m->friction) * share * fz;
  vd_wide y = force * vd_wide_load(slides->fy);
  /* vd_trail_side of all */
  vd_wide u = vd_wide_most(vd_wide_least(10.0 * vd_wide_load(vx), one), -one), side = 0.5 * u * (3.0 - u * u);
  vd_wide_store(force * vd_wide_load(slides->fx), fx);
  vd_wide_store(y, fy);
  vd_wide_store(-side * vd_wide_load(slides->trail) * y, mz);
}
