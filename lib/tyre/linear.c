/* Linear tyre: constant stiffnesses up to the friction circle, independent of load below it.
 * Fx = C_kappa kappa, Fy = -C_alpha alpha, |F| <= mu Fz. */
#include "tyre/tyre_impl.h"

void vd_linear_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide) {
  double s = vd_slip_vector(kappa, tan_alpha, slide);
  slide->fx = tyre->def.longitudinal_stiffness * s;
  slide->fy = tyre->def.cornering_stiffness * atan(s);
  slide->trail = tyre->def.pneumatic_trail;
}
