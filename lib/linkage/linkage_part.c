/* Points and elements on the links: knuckle, arms and rods, springs, dampers, rockers. */
#include "linkage/crank.h"
#include "linkage/linkage.h"
#include "base/elementary.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

/* Computes a vector that is fixed in the knuckle, in its present direction, with its derivatives. */
static void turned_vector(const vd_pose *pose, const double *b, vd_jet *out) {
  double r[3], v[VD_INPUTS][3], a[3], jk[3], kj[3];
  for (int i = 0; i < 3; i++)
    out[i].v = r[i] = vd_dot(pose->turn[i], b);
  for (int k = 0; k < VD_INPUTS; k++) {
    vd_cross(pose->spin[k], r, v[k]);
    for (int i = 0; i < 3; i++)
      out[i].d[k] = v[k][i];
  }
  for (int k = 0; k < VD_SECONDS; k++) {
    vd_cross(pose->angular[k], r, a);
    vd_cross(pose->spin[vd_first_input[k]], v[vd_second_input[k]], jk);
    vd_cross(pose->spin[vd_second_input[k]], v[vd_first_input[k]], kj);
    for (int i = 0; i < 3; i++)
      out[i].h[k] = a[i] + 0.5 * (jk[i] + kj[i]);
  }
}

vd_jet3 vd_pose_direction(const vd_pose *pose, const double *design) {
  vd_jet out[3];
  turned_vector(pose, design, out);
  return (vd_jet3){out[0], out[1], out[2]};
}

vd_jet3 vd_pose_point(const vd_linkage *l, const vd_pose *pose, const double *design) {
  const double *centre = l->points.wheel_center;
  double b[3];
  vd_jet out[3];
  vd_between(centre, design, b);
  turned_vector(pose, b, out);
  for (int i = 0; i < 3; i++) {
    out[i].v += pose->at[i];
    for (int k = 0; k < VD_INPUTS; k++)
      out[i].d[k] += pose->velocity[k][i];
    for (int k = 0; k < VD_SECONDS; k++)
      out[i].h[k] += pose->accel[k][i];
  }
  return (vd_jet3){out[0], out[1], out[2]};
}

/* --- bodies that turn about an axis of the chassis --- */

static vd_crank arm_crank(const vd_member *arm, const double *point) {
  double axis[3];
  vd_between(arm->chassis[1], arm->chassis[0], axis);
  return vd_crank_make(arm->chassis[1], axis, point);
}

/* Returns a point of an arm, which turns by the same angle as the arm's ball joint. */
static vd_jet3 arm_point(const vd_linkage *l, const vd_pose *pose, const vd_member *m, const double *design) {
  const vd_crank ball = arm_crank(m, m->knuckle), point = arm_crank(m, design);
  const vd_crank_turn turn = vd_crank_turn_to(&ball, vd_pose_point(l, pose, m->knuckle));
  return vd_crank_point(&point, &turn);
}

vd_jet3 vd_member_base(const vd_linkage *l, const vd_pose *pose, int member, int point) {
  const vd_member *m = &l->points.member[member];
  const double *design = m->chassis[point];
  if (m->steered)
    return vd_gear_point(&l->points.gear, pose->u[1], design);
  if (m->kind == VD_HINGE)
    return vd_pose_point(l, pose, design);
  if (m->base >= VD_ON_MEMBER)
    return arm_point(l, pose, &l->points.member[m->base - VD_ON_MEMBER], design);
  return vd_jet3_constant(design);
}

/* --- bodies on a universal joint --- */

/* A rod from its inner end a to its ball joint q has the direction n. The first axis c of its universal joint at a is
 * fixed in the chassis. The second axis e is fixed in the rod, at right angles to c and at an angle to n whose cosine k
 * is constant. With n' = n - (n . c) c,
 *   e = k/n'^2 n' + sqrt(1 - k^2/n'^2) (c x n)/|n'|
 * m is the unit vector along e without its component along n, and f = n x m. */
typedef struct cardan {
  double first[3], cosine, side; /* c, k; sign of the second term of e */
  /* of a point: distance along the rod as a share of its length; distances along m and f, m */
  double share, off[2];
} cardan;

bool vd_rod_carries_off_line(const vd_member *rod, const double *point, double *share) {
  double along[3], from[3];
  vd_between(rod->chassis[0], rod->knuckle, along);
  vd_between(rod->chassis[0], point, from);
  *share = vd_dot(along, from) / vd_dot(along, along);
  return vd_off_line(rod->chassis[0], along, point) > VD_ON_LINE;
}

/* Makes the universal joint of a rod for a point. False: the point is on the rod's line. By default c is level and at
 * right angles to the rod; for an upright rod it is at right angles to the rod and to x. */
static bool make_cardan(const vd_member *m, const double *design, cardan *u) {
  double n[3], from[3], e[3], side[3], f[3];
  if (!vd_rod_carries_off_line(m, design, &u->share))
    return false;
  vd_between(m->chassis[0], m->knuckle, n);
  vd_between(m->chassis[0], design, from);
  vd_normalise(n, n);
  memcpy(u->first, m->axis, sizeof u->first);
  if (!(vd_norm(m->axis) > 0.0))
    vd_cross(n, fabs(n[2]) < 0.99 ? vd_unit_vectors[2] : vd_unit_vectors[0], u->first);
  vd_normalise(u->first, u->first);
  vd_cross(u->first, n, side);
  memcpy(e, vd_norm(m->cross) > 0.0 ? m->cross : side, sizeof e);
  vd_take_along(u->first, e);
  vd_normalise(e, e);
  u->cosine = vd_dot(e, n);
  u->side = vd_dot(e, side) < 0.0 ? -1.0 : 1.0;
  vd_take_along(n, e);
  vd_normalise(e, e);
  vd_cross(n, e, f);
  u->off[0] = vd_dot(from, e);
  u->off[1] = vd_dot(from, f);
  return true;
}

static vd_jet3 unit(vd_jet3 v) {
  return vd_jet3_scale(vd_jet_inverse(vd_jet3_length(v)), v);
}

/* Computes the direction e of a rod along n, and the vector from the rod's line to the point. */
static void turn_cardan(const cardan *u, vd_jet3 n, vd_jet3 *e, vd_jet3 *off) {
  vd_jet3 c = vd_jet3_constant(u->first), side = vd_jet3_cross(c, n);
  vd_jet inverse = vd_jet_inverse(vd_jet3_dot(side, side)); /* 1/n'^2 */
  vd_jet3 across = vd_jet3_sub(n, vd_jet3_scale(vd_jet3_dot(n, c), c));
  vd_jet rest = vd_jet_scale(-u->cosine * u->cosine, inverse);
  rest.v += 1.0;
  vd_jet by_side = vd_jet_scale(u->side, vd_jet_sqrt(vd_jet_mul(rest, inverse)));
  *e = vd_jet3_add(vd_jet3_scale(vd_jet_scale(u->cosine, inverse), across), vd_jet3_scale(by_side, side));
  vd_jet3 m = unit(vd_jet3_sub(*e, vd_jet3_scale(vd_jet_constant(u->cosine), n)));
  *off = vd_jet3_add(vd_jet3_scale(vd_jet_constant(u->off[0]), m),
                     vd_jet3_scale(vd_jet_constant(u->off[1]), vd_jet3_cross(n, m)));
}

static vd_jet3 rod_point(const vd_linkage *l, const vd_pose *pose, int member, const double *design) {
  const vd_member *m = &l->points.member[member];
  cardan u;
  bool off_line = make_cardan(m, design, &u);
  vd_jet3 inner = vd_member_base(l, pose, member, 0), along = vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), inner);
  vd_jet3 point = vd_jet3_add(inner, vd_jet3_scale(vd_jet_constant(u.share), along));
  if (off_line) {
    vd_jet3 e, off;
    turn_cardan(&u, unit(along), &e, &off);
    point = vd_jet3_add(point, off);
  }
  return point;
}

vd_jet3 vd_member_point(const vd_linkage *l, const vd_pose *pose, int member, const double *design) {
  const vd_member *m = &l->points.member[member];
  switch (m->kind) {
  case VD_ARM: return arm_point(l, pose, m, design);
  case VD_ROD: return rod_point(l, pose, member, design);
  case VD_SLIDER:
  case VD_HINGE: break;
  }
  return vd_pose_point(l, pose, design);
}

static vd_jet3 part_point(const vd_linkage *l, const vd_pose *pose, int on, const double *design) {
  if (on == VD_ON_KNUCKLE)
    return vd_pose_point(l, pose, design);
  return vd_member_point(l, pose, on - VD_ON_MEMBER, design);
}

/* --- rockers --- */

/* A rocker and the angle by which its rod has turned it. */
typedef struct rocker {
  vd_crank rod, eye;
  vd_crank_turn turn;
} rocker;

static rocker turn_rocker(const vd_linkage *l, const vd_pose *pose, const vd_element *e) {
  rocker out = {.rod = vd_crank_make(e->pivot, e->axis, e->rod_rocker),
                .eye = vd_crank_make(e->pivot, e->axis, e->eye)};
  vd_jet3 apart = vd_jet3_sub(vd_jet3_constant(out.rod.foot), part_point(l, pose, e->on, e->rod_part));
  out.turn =
      vd_crank_close(&out.rod, e->rod_part, apart, vd_jet3_constant(out.rod.arm), vd_jet3_constant(out.rod.aside));
  return out;
}

void vd_rocker_points(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *eye, vd_jet3 *rod) {
  const rocker r = turn_rocker(l, pose, element);
  *eye = vd_crank_point(&r.eye, &r.turn);
  *rod = vd_crank_point(&r.rod, &r.turn);
}

vd_jet vd_element_length(const vd_linkage *l, const vd_pose *pose, const vd_element *element) {
  assert(element->given);
  vd_jet3 eye, rod;
  if (element->rocker)
    vd_rocker_points(l, pose, element, &eye, &rod);
  else
    eye = part_point(l, pose, element->on, element->eye);
  return vd_jet3_length(vd_jet3_sub(eye, vd_jet3_constant(element->chassis)));
}

/* --- forces of elements on the knuckle --- */

/* Two functions return the force on the knuckle that does the same virtual work as `pull' on a point of a rod or an
 * arm, whose place in the design position is given. On an arm, the point and the ball joint turn about one axis at
 * rates (axis x r) w, and w = (axis x r_ball) . v_ball/r_ball^2. A rod turns at w = n x dn + w_n n, with dn the rate of
 * its direction n and w_n its rotation about its line, which keeps e at right angles to c: (w x e) . c = 0. The force
 * on a point at r off the rod's line does the work (r x pull) . w. With v the velocity of the ball joint, dn = (v - n
 * (n . v))/length. */
static vd_jet3 pull_at_rod(const vd_linkage *l, const vd_pose *pose, int member, const double *design, vd_jet3 pull) {
  const vd_member *m = &l->points.member[member];
  cardan u;
  bool off_line = make_cardan(m, design, &u);
  vd_jet3 out = vd_jet3_scale(vd_jet_constant(u.share), pull), e, off;
  if (!off_line)
    return out;
  vd_jet3 along = vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), vd_member_base(l, pose, member, 0)), n = unit(along);
  turn_cardan(&u, n, &e, &off);
  vd_jet3 moment = vd_jet3_cross(off, pull), hold = vd_jet3_cross(e, vd_jet3_constant(u.first));
  vd_jet share = vd_jet_div(vd_jet3_dot(n, moment), vd_jet3_dot(n, hold));
  moment = vd_jet3_sub(moment, vd_jet3_scale(share, hold));
  return vd_jet3_add(out, vd_jet3_scale(vd_jet_inverse(vd_jet3_length(along)), vd_jet3_cross(moment, n)));
}

static vd_jet3 pull_at_arm(const vd_linkage *l, const vd_pose *pose, const vd_member *m, const double *design,
                           vd_jet3 pull) {
  const vd_crank ball = arm_crank(m, m->knuckle);
  vd_jet3 a = vd_jet3_constant(ball.axis), origin = vd_jet3_constant(m->chassis[1]);
  vd_jet3 point = vd_jet3_cross(a, vd_jet3_sub(arm_point(l, pose, m, design), origin));
  vd_jet3 joint = vd_jet3_cross(a, vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), origin));
  return vd_jet3_scale(vd_jet_scale(1.0 / ball.radius2, vd_jet3_dot(point, pull)), joint);
}

void vd_member_pull(const vd_linkage *l, const vd_pose *pose, int on, const double *design, vd_jet3 pull,
                    vd_jet3 *force, vd_jet3 *moment) {
  const vd_member *m = on == VD_ON_KNUCKLE ? NULL : &l->points.member[on - VD_ON_MEMBER];
  const bool rod = m && m->kind == VD_ROD, by_arm = m && m->kind == VD_ARM;
  double arm[3];
  *force = rod      ? pull_at_rod(l, pose, on - VD_ON_MEMBER, design, pull)
           : by_arm ? pull_at_arm(l, pose, m, design, pull)
                    : pull;
  vd_between(l->points.wheel_center, rod || by_arm ? m->knuckle : design, arm);
  *moment = vd_jet3_cross(vd_pose_direction(pose, arm), *force);
}

void vd_element_gradient(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *force,
                         vd_jet3 *moment) {
  assert(element->given);
  vd_jet3 chassis = vd_jet3_constant(element->chassis), pull;
  const double *design = element->eye;
  if (element->rocker) {
    /* the rod keeps its length: d . (v - t w) = 0, where d is the rod's vector and t the derivative of its rocker end
     * by the angle */
    const rocker r = turn_rocker(l, pose, element);
    design = element->rod_part;
    vd_jet3 along = unit(vd_jet3_sub(vd_crank_point(&r.eye, &r.turn), chassis));
    vd_jet3 rod = vd_jet3_sub(part_point(l, pose, element->on, design), vd_crank_point(&r.rod, &r.turn));
    vd_jet lengthening = vd_jet3_dot(along, vd_crank_rate(&r.eye, &r.turn));
    vd_jet driven_side = vd_jet3_dot(rod, vd_crank_rate(&r.rod, &r.turn));
    pull = vd_jet3_scale(vd_jet_div(lengthening, driven_side), rod);
  } else {
    pull = unit(vd_jet3_sub(part_point(l, pose, element->on, design), chassis));
  }
  vd_member_pull(l, pose, element->on, design, pull, force, moment);
}
