#include "tyre/tydex_axes.h"

#include "base/elementary.h"

/* Converts the components of a vector to axes that are turned about x by -angle. */
static void turn(double angle, double *v) {
  double s = vd_sin(angle), c = vd_cos(angle), y = v[1], z = v[2];
  if (s == 0.0)
    return;
  v[1] = c * y - s * z;
  v[2] = s * y + c * z;
}

/* Converts the moment about the wheel centre to the moment about the contact point. The contact point lies at -l e from
 * the wheel centre, where e = (0, -sin g, cos g) is the z axis of C in the axes of H. The moment about the contact
 * point is the moment about the centre plus l e x F:
 *   Mx - l (Fz sin g + Fy cos g),  My + l Fx cos g,  Mz + l Fx sin g */
static void add_arm(double inclination, double arm, vd_wrench *w) {
  double s = vd_sin(inclination), c = vd_cos(inclination);
  const double *f = w->force;
  w->moment[0] -= arm * (f[2] * s + f[1] * c);
  w->moment[1] += arm * f[0] * c;
  if (s != 0.0)
    w->moment[2] += arm * f[0] * s;
}

vd_wrench vd_tydex_in_axes(vd_wrench w, enum vd_tydex_axes from, enum vd_tydex_axes to, double inclination,
                           double radius) {
  if (from == VD_TYDEX_C && to != VD_TYDEX_C) {
    turn(inclination, w.force);
    turn(inclination, w.moment);
  }
  if (from == VD_TYDEX_W && to != VD_TYDEX_W)
    add_arm(inclination, -radius, &w);
  if (from != VD_TYDEX_W && to == VD_TYDEX_W)
    add_arm(inclination, radius, &w);
  if (from != VD_TYDEX_C && to == VD_TYDEX_C) {
    turn(-inclination, w.force);
    turn(-inclination, w.moment);
  }
  return w;
}
