/* Poses of the knuckles of a rigid axle that steers, from drag link and tie rod.
 *
 * The axle's own pose follows from its rods and both travels alone. Then the drag link, from the gear to one knuckle,
 * determines the angle of this knuckle, and the tie rod determines that of the other. Both knuckles are cranks closed
 * by a rod. */
#include "linkage/crank.h"
#include "linkage/linkage.h"
#include "base/elementary.h"
#include "base/vec.h"

#include <string.h>

enum { LOWER, UPPER };

/* Returns a joint on a knuckle as a crank that turns about the kingpin. */
static vd_crank pin_crank(const vd_axle_steer *s, bool right, const double *joint) {
  double axis[3];
  vd_between(s->kingpin[right][LOWER], s->kingpin[right][UPPER], axis);
  return vd_crank_make(s->kingpin[right][LOWER], axis, joint);
}

/* Finds the turn about the kingpin at which a rod keeps its length. The rod's other end is at `base', and in the design
 * position at `design'. */
static vd_crank_turn close_at(const vd_linkage *l, const vd_pose *axle, const vd_crank *c, vd_jet3 base,
                              const double *design) {
  return vd_crank_close(c, design, vd_jet3_sub(vd_pose_point(l, axle, c->foot), base), vd_pose_direction(axle, c->arm),
                        vd_pose_direction(axle, c->aside));
}

/* Returns the place of the joint after the turn that close_at found. */
static vd_jet3 joint_at(const vd_linkage *l, const vd_pose *axle, const vd_crank *c, const vd_crank_turn *at) {
  vd_jet3 arm = vd_jet3_add(vd_jet3_scale(at->cosine, vd_pose_direction(axle, c->arm)),
                            vd_jet3_scale(at->sine, vd_pose_direction(axle, c->aside)));
  return vd_jet3_add(vd_pose_point(l, axle, c->foot), arm);
}

/* Converts derivatives by the rack alone into derivatives by the inputs of a pose. */
static vd_jet by_inputs(vd_jet a, const vd_pose *axle) {
  const double *r = axle->gear_rate;
  double slope = a.d[1], bend = a.h[VD_VV];
  return (vd_jet){a.v, {slope * r[0], slope * r[1]}, {bend * r[0] * r[0], bend * r[0] * r[1], bend * r[1] * r[1]}};
}

static vd_jet3 gear_joint(const vd_linkage *l, const vd_pose *axle) {
  vd_jet3 p = vd_gear_point(&l->points.gear, axle->gear, l->points.steer.drag_link[0]);
  return (vd_jet3){by_inputs(p.x, axle), by_inputs(p.y, axle), by_inputs(p.z, axle)};
}

double vd_tie_rod_share(const vd_axle_steer *s) {
  double line[3], from[3];
  vd_between(s->drag_link[0], s->drag_link[1], line);
  vd_between(s->drag_link[0], s->tie_rod[s->driven_side], from);
  return vd_dot(from, line) / vd_dot(line, line);
}

void vd_tie_rod_joint(const vd_axle_steer *s, double *joint) {
  double share = vd_tie_rod_share(s);
  for (int i = 0; i < 3; i++)
    joint[i] = s->tie_rod_on_drag_link ? s->drag_link[0][i] + share * (s->drag_link[1][i] - s->drag_link[0][i])
                                       : s->tie_rod[s->driven_side][i];
}

/* Returns the tie rod's joint on the driven side: a point of the knuckle, or a point of the drag link. */
static vd_jet3 tie_rod_base(const vd_linkage *l, const vd_pose *axle, const vd_crank_turn *driven_side) {
  const vd_axle_steer *s = &l->points.steer;
  if (!s->tie_rod_on_drag_link) {
    const vd_crank tie = pin_crank(s, s->driven_side, s->tie_rod[s->driven_side]);
    return joint_at(l, axle, &tie, driven_side);
  }
  const vd_crank drag = pin_crank(s, s->driven_side, s->drag_link[1]);
  vd_jet3 gear = gear_joint(l, axle), along = vd_jet3_sub(joint_at(l, axle, &drag, driven_side), gear);
  return vd_jet3_add(gear, vd_jet3_scale(vd_jet_constant(vd_tie_rod_share(s)), along));
}

static vd_crank_turn knuckle_angle(const vd_linkage *l, const vd_pose *axle, bool right) {
  const vd_axle_steer *s = &l->points.steer;
  const vd_crank drag = pin_crank(s, s->driven_side, s->drag_link[1]);
  vd_crank_turn driven_side = close_at(l, axle, &drag, gear_joint(l, axle), s->drag_link[0]);
  if (right == (s->driven_side != 0))
    return driven_side;
  const vd_crank tie = pin_crank(s, right, s->tie_rod[right]);
  double joint[3];
  vd_tie_rod_joint(s, joint);
  return close_at(l, axle, &tie, tie_rod_base(l, axle, &driven_side), joint);
}

vd_jet vd_knuckle_turn(const vd_linkage *l, const vd_pose *pose, bool right) {
  vd_crank_turn at = knuckle_angle(l, pose, right);
  return vd_jet_atan2(at.sine, at.cosine);
}

/* With a = e . n1 and b = e . n2, and u1 and u2 the components of n1 and n2 at right angles to e: n1 . n2 = a b + |u1|
 * |u2| cos(turn - straight). */
vd_shaft_joint vd_knuckle_shaft(const double *kingpin, const double *wheel) {
  double e[3], u1[3] = {0.0, 1.0, 0.0}, u2[3] = {wheel[0], wheel[1], wheel[2]}, across[3];
  vd_normalise(kingpin, e);
  double a = vd_dot(e, u1), b = vd_dot(e, u2);
  vd_take_along(e, u1);
  vd_take_along(e, u2);
  vd_cross(u2, u1, across);
  return (vd_shaft_joint){.along = b,
                          .sum = a + b,
                          .base = 1.0 + a * b,
                          .swing = vd_norm(u1) * vd_norm(u2),
                          .straight = vd_atan2(vd_dot(e, across), vd_dot(u2, u1))};
}

bool vd_knuckles_reach(const vd_linkage *l, const vd_pose *pose) {
  return !l->points.steer.given || isfinite(vd_knuckle_turn(l, pose, false).d[0] + vd_knuckle_turn(l, pose, true).d[0]);
}

/* Computes the rotation of the knuckle: first its turn about the kingpin in the design position, then the rotation of
 * the axle. */
static void turn_knuckle(const double *e, double cosine, double sine, const vd_pose *axle, vd_pose *knuckle) {
  double own[3][3];
  vd_crank_rotation(e, cosine, sine, own);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      knuckle->turn[i][j] = axle->turn[i][0] * own[0][j] + axle->turn[i][1] * own[1][j] + axle->turn[i][2] * own[2][j];
}

/* Adds the turn about the kingpin to the axle's derivatives. With w and a of the axle, k its kingpin and t the angle
 * about it: W_j = w_j + t_j k, and dW_j/du_k = a_jk + (w_k x w_j)/2 + t_jk k + t_j w_k x k. A_jk = dW_j/du_k - (W_k x
 * W_j)/2, as vd_pose defines it, is therefore
 *   a_jk + t_jk k + (t_j w_k x k + t_k w_j x k)/2. */
static void add_turning(const double *k, vd_jet turn, const vd_pose *axle, vd_pose *knuckle) {
  double across[VD_INPUTS][3];
  for (int j = 0; j < VD_INPUTS; j++) {
    vd_cross(axle->spin[j], k, across[j]);
    for (int i = 0; i < 3; i++)
      knuckle->spin[j][i] = axle->spin[j][i] + turn.d[j] * k[i];
  }
  for (int n = 0; n < VD_SECONDS; n++) {
    const int j = vd_first_input[n], m = vd_second_input[n];
    for (int i = 0; i < 3; i++)
      knuckle->angular[n][i] =
          axle->angular[n][i] + turn.h[n] * k[i] + 0.5 * (turn.d[j] * across[m][i] + turn.d[m] * across[j][i]);
  }
}

void vd_knuckle_pose(const vd_linkage *l, const vd_pose *pose, bool right, vd_pose *knuckle) {
  const vd_axle_steer *s = &l->points.steer;
  *knuckle = *pose;
  if (!s->given)
    return;
  const double *pin = s->kingpin[right][LOWER];
  const vd_crank wheel = pin_crank(s, right, l->points.wheel_center); /* only its axis is used */
  vd_crank_turn at = knuckle_angle(l, pose, right);
  double axis[3], from[3];
  for (int i = 0; i < 3; i++)
    axis[i] = vd_dot(pose->turn[i], wheel.axis);
  turn_knuckle(wheel.axis, at.cosine.v, at.sine.v, pose, knuckle);
  add_turning(axis, vd_jet_atan2(at.sine, at.cosine), pose, knuckle);
  vd_between(pin, l->points.wheel_center, from);
  vd_jet3 centre = vd_jet3_add(vd_pose_point(l, pose, pin), vd_pose_direction(knuckle, from));
  const vd_jet *part[3] = {&centre.x, &centre.y, &centre.z};
  for (int i = 0; i < 3; i++) {
    knuckle->at[i] = part[i]->v;
    for (int j = 0; j < VD_INPUTS; j++)
      knuckle->velocity[j][i] = part[i]->d[j];
    for (int n = 0; n < VD_SECONDS; n++)
      knuckle->accel[n][i] = part[i]->h[n];
  }
}

enum vd_linkage_status vd_linkage_move_racked(const vd_linkage *l, const double *travel, double rack, vd_pose *pose) {
  const double u[VD_INPUTS] = {travel[0], l->axle ? travel[1] : rack};
  pose->gear = l->points.steer.given ? rack : 0.0;
  enum vd_linkage_status status = vd_linkage_move(l, u, pose);
  return status == VD_LINKAGE_OK && !vd_knuckles_reach(l, pose) ? VD_LINKAGE_OPEN : status;
}

vd_pose vd_pose_by_rack(const vd_pose *pose, const double *along) {
  const double weight[VD_SECONDS] = {along[0] * along[0], 2.0 * along[0] * along[1], along[1] * along[1]};
  vd_pose out = {.u = {pose->u[0], pose->u[1]}, .gear = pose->gear, .gear_rate = {0.0, 1.0}};
  memcpy(out.at, pose->at, sizeof out.at);
  memcpy(out.turn, pose->turn, sizeof out.turn);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < VD_INPUTS; j++) {
      out.velocity[0][i] += along[j] * pose->velocity[j][i];
      out.spin[0][i] += along[j] * pose->spin[j][i];
    }
    for (int n = 0; n < VD_SECONDS; n++) {
      out.accel[VD_UU][i] += weight[n] * pose->accel[n][i];
      out.angular[VD_UU][i] += weight[n] * pose->angular[n][i];
    }
  }
  return out;
}
