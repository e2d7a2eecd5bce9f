#include "linkage/wheel_disc.h"

#include "base/elementary.h"
#include "base/vec.h"

/* With s the spin axis, z up and c = |s x z| = hypot(s_x, s_y): heading = s x z/c, outward = z x heading, and in the
 * wheel's plane upward = heading x s = (z - s_z s)/c. A vector fixed in the knuckle equals the heading in the design
 * position; the rotation about s is the angle of this vector below the present heading. The contact patch is
 * static_radius below the wheel centre along `upward' (thin disc). */
void vd_wheel_disc_at(const vd_linkage *l, const vd_pose *knuckle, bool right, vd_wheel_disc *w) {
  const double *p = l->points.wheel_center, *s = l->spin_axis;
  double side = right ? -1.0 : 1.0;
  const double centre[3] = {p[0], side * p[1], p[2]}, spin[3] = {s[0], side * s[1], s[2]};
  w->centre = vd_pose_point(l, knuckle, centre);
  w->spin = vd_pose_direction(knuckle, spin);
  if (right) {
    w->centre = vd_jet3_mirror(w->centre);
    w->spin = vd_jet3_mirror(w->spin);
  }
  vd_jet3 zero = {.x = {.v = 0.0}};
  vd_jet across = vd_jet_sqrt(vd_jet_add(vd_jet_mul(w->spin.x, w->spin.x), vd_jet_mul(w->spin.y, w->spin.y)));
  vd_jet inverse = vd_jet_inverse(across);
  w->outward = (vd_jet3){vd_jet_mul(w->spin.x, inverse), vd_jet_mul(w->spin.y, inverse), zero.z};
  w->heading = (vd_jet3){w->outward.y, vd_jet_scale(-1.0, w->outward.x), zero.z};
  w->upward = vd_jet3_cross(w->heading, w->spin);
  double flat = vd_hypot(s[0], s[1]);
  const double ahead[3] = {s[1] / flat, -side * s[0] / flat, 0.0}; /* heading in the design position */
  vd_jet3 k = vd_pose_direction(knuckle, ahead);
  if (right)
    k = vd_jet3_mirror(k);
  w->turn = vd_jet_atan2(vd_jet_scale(-1.0, vd_jet3_dot(k, w->upward)), vd_jet3_dot(k, w->heading));
  w->patch = vd_jet3_sub(w->centre, vd_jet3_scale(vd_jet_constant(l->points.static_radius), w->upward));
}

double vd_axle_spring_ratio(const vd_linkage *l, const vd_pose *pose, double *rise) {
  static const double heave[VD_INPUTS] = {1.0, 1.0};
  double shorter = 0.0;
  *rise = 0.0;
  for (int right = 0; right < 2; right++) {
    vd_element spring = l->points.spring;
    vd_pose knuckle;
    vd_wheel_disc w;
    /* elements on links are not mirrored: both sides are given */
    double side = right && spring.on == VD_ON_KNUCKLE && !spring.rocker ? -1.0 : 1.0;
    spring.chassis[1] *= side;
    spring.eye[1] *= side;
    vd_knuckle_pose(l, pose, right, &knuckle);
    vd_wheel_disc_at(l, &knuckle, right, &w);
    shorter -= vd_jet_along(vd_element_length(l, pose, &spring), heave);
    *rise += vd_jet_along(w.patch.z, heave);
  }
  return shorter / *rise;
}
