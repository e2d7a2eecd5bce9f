#include "tyre/tyre_impl.h"

/* Returns whether Fy shifts the contact patch to the side: the tyre has a lateral stiffness. */
static bool moves(const vd_tyre *tyre) {
  return tyre->common.lateral_stiffness > 0.0; /* NAN: rigid */
}

bool vd_patch_has_moment(const vd_tyre *tyre) {
  return tyre->common.patch_width > 0.0 || moves(tyre);
}

/* Returns the distance (m) by which the normal force moves to the side of a leaning wheel. The patch is a row of
 * springs across the tread, which together have the vertical stiffness cz. With the width b and the compression Fz/cz +
 * camber y the distance is
 *   cz b^2 camber/(12 Fz)           while the whole width is in touch, camber <= 2 Fz/(cz b)
 *   b/2 - sqrt(2 Fz b/(cz camber))/3  beyond, where the patch is a triangle
 * Both have the same value and slope where they meet. TMeasy of Project Chrono has the first formula. */
static double lean_arm(double width, double stiffness, double load, double camber) {
  double lean = fabs(camber), edge = 2.0 * load / (stiffness * width), arm;
  if (!(load > 0.0))
    return 0.0;
  if (lean <= edge)
    arm = width / 6.0 * lean / edge;
  else
    arm = width * (0.5 - sqrt(edge / lean) / 3.0);
  return copysign(arm, camber);
}

/* Adds the moments, about the contact point, of forces that act beside it. A leaning wheel loads the patch unevenly,
 * and Fy shifts the patch by y = Fy/c. Therefore the load acts beside the contact point, and Fx acts at the shifted
 * patch.
 *
 * The moment Fz y is used without the forces that belong to it. A patch on a radial and a lateral spring has the
 * potential U(z + y camber) + c y^2/2: the component Fz camber of the load deflects the lateral spring, and the shift
 * deflects the radial spring by y camber. Both effects are of second order, and published tyre data do not separate
 * them from the measured Fy over camber and Fz. They are neglected here, as in Adams/Tire and in QSX3 of the Magic
 * Formula. The work Fz y dcamber of the moment is then not stored in any energy: a standing car of 1.5 t that is pushed
 * gains 5 mJ of 9 J. */
void vd_patch_overturn(const vd_tyre *tyre, double load, int i, vd_slide *slide, vd_tyre_forces *out) {
  const vd_tyre_common *common = &tyre->common;
  double side = moves(tyre) ? out->fy[i] / common->lateral_stiffness : 0.0; /* m, to the left */
  double lean =
      common->patch_width > 0.0 ? lean_arm(common->patch_width, common->vertical_stiffness, load, slide->camber) : 0.0;
  out->mx[i] = load * (side - lean);
  slide->twist = -side * out->fx[i];
}
