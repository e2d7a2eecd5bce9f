/* Rack force and kingpin moment under loads on the wheel. */
#include "kc/kc_impl.h"

#include "base/vec.h"

/* Returns the work of the loads per unit of an input by which the wheel centre moves by v and the knuckle turns by w.
 * Except for forces at the wheel centre, the wheel is one body with the knuckle, as under an outboard brake. The
 * vertical load has no moment about the axle, so under it alone a brake makes no difference. */
static double work_by(const double *v, const double *w, const double *arm, const vd_wheel_load *load) {
  const double force[3] = {load->fx, load->fy, load->fz};
  double turning[3];
  vd_cross(w, arm, turning);
  return vd_dot(force, v) + vd_dot(force, turning) + load->mz * w[2] + vd_dot(load->centre, v);
}

/* Returns the rack force by virtual work. The spring carries the wheel: whatever its rate, its force F, compression >
 * 0, follows from the balance of the travel, work_0 + F dL/du_0 = 0. The balance of the rack is work_1 + F dL/du_1 +
 * force = 0. Without a spring the height of the wheel centre is constant. If an arm carries the spring and the steering
 * axis passes through this arm's ball joint, the motion at constant length of the spring is the rotation about the
 * steering axis. */
static double rack_force(const vd_linkage *l, const vd_pose *pose, const double *arm, const vd_wheel_load *load) {
  double up = 0.0;
  if (l->points.spring.given) {
    vd_jet length = vd_element_length(l, pose, &l->points.spring);
    up = -length.d[1] / length.d[0];
  }
  return -work_by(pose->velocity[1], pose->spin[1], arm, load) -
         up * work_by(pose->velocity[0], pose->spin[0], arm, load);
}

/* Returns the rack force of a rigid axle, whose rack moves no spring. A right wheel is mirrored, so its rack has the
 * opposite sign. */
static double axle_rack_force(const vd_linkage *l, const vd_pose *pose, const vd_kc_view *view, const double *arm) {
  vd_pose racked = vd_pose_by_rack(pose, view->along), knuckle;
  vd_wheel_disc w;
  vd_knuckle_pose(l, &racked, view->right, &knuckle);
  vd_wheel_disc_at(l, &knuckle, view->right, &w);
  const double *turn = knuckle.spin[1], v[3] = {w.centre.x.d[1], w.centre.y.d[1], w.centre.z.d[1]};
  const double mirrored[3] = {-turn[0], turn[1], -turn[2]};
  return view->right ? work_by(v, mirrored, arm, view->load) : -work_by(v, turn, arm, view->load);
}

static double kingpin_moment(vd_jet3 point, vd_jet3 direction, const vd_wheel_disc *w, const vd_wheel_load *load) {
  const double k[3] = {direction.x.v, direction.y.v, direction.z.v}, force[3] = {load->fx, load->fy, load->fz};
  const double patch[3] = {w->patch.x.v - point.x.v, w->patch.y.v - point.y.v, w->patch.z.v - point.z.v};
  const double centre[3] = {w->centre.x.v - point.x.v, w->centre.y.v - point.y.v, w->centre.z.v - point.z.v};
  double at_patch[3], at_centre[3];
  vd_cross(patch, force, at_patch);
  vd_cross(centre, load->centre, at_centre);
  return (vd_dot(k, at_patch) + vd_dot(k, at_centre) + k[2] * load->mz) / vd_norm(k);
}

void vd_kc_set_load_figures(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const vd_kc_view *view,
                            vd_kc_state *s) {
  const double arm[3] = {w->patch.x.v - w->centre.x.v, w->patch.y.v - w->centre.y.v, w->patch.z.v - w->centre.z.v};
  vd_jet3 point, direction;
  if (vd_kc_steering_axis(l, pose, view->right, &point, &direction))
    s->kingpin_moment = kingpin_moment(point, direction, w, view->load);
  if (vd_kc_steered(l))
    s->rack_force = l->points.steer.given ? axle_rack_force(l, pose, view, arm) : rack_force(l, pose, arm, view->load);
}
