/* Linear tyre: constant stiffnesses up to the friction circle, independent of load below it.
 * Fx = C_kappa kappa, Fy = -C_alpha alpha, |F| <= mu Fz. */
#include "tyre_impl.h"

void vd_linear_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide) {
  double s = vd_slip_vector(kappa, tan_alpha, slide);
  slide->fx = tyre->def.longitudinal_stiffness * s;
  slide->fy = tyre->def.cornering_stiffness * atan(s);
  slide->trail = tyre->def.pneumatic_trail;
}

void vd_linear_force(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load, int i,
                     vd_tyre_forces *out) {
  double limit = tyre->def.friction * ground_friction * load;
  double fx0 = fmin(slide->fx, limit), fy0 = fmin(slide->fy, limit);
  vd_combine(slide, fx0, fy0, 1.0, 1.0, &out->fx[i], &out->fy[i]);
  double per_load = tyre->def.friction * ground_friction;
  out->dfx[i] = slide->fx > limit ? per_load * slide->cx : 0.0;
  out->dfy[i] = slide->fy > limit ? per_load * slide->cy : 0.0;
}
