/* Knuckles of a rigid axle that steers, on a linkage that changes: suspension/axle_steer.c in numbers with three
 * infinitesimals, about the design position. */
#include "kc/moved.h"

enum { LOWER, UPPER };

/* A joint on a knuckle by its kingpin: the foot on the axis, the arm, and the axis x the arm. */
typedef struct crank {
  vd_tri3 unit, foot, arm, aside;
} crank;

static crank make_crank(const vd_change *q, const vd_axle_steer *s, bool right, const double *joint) {
  vd_tri3 lower = vd_changed_point(q, s->kingpin[right][LOWER]), at = vd_changed_point(q, joint);
  crank c = {.unit = vd_tri3_unit(vd_tri3_sub(vd_changed_point(q, s->kingpin[right][UPPER]), lower))};
  c.foot = vd_tri3_add(lower, vd_tri3_times(vd_tri3_dot(c.unit, vd_tri3_sub(at, lower)), c.unit));
  c.arm = vd_tri3_sub(at, c.foot);
  c.aside = vd_tri3_cross(c.unit, c.arm);
  return c;
}

/* Where the drag link's joint at the gear is. */
static vd_tri3 gear_joint(const vd_change *q, const vd_hardpoints *h, vd_tri rack) {
  vd_tri3 at = vd_changed_point(q, h->steer.drag_link[0]);
  if (h->gear.kind != VD_GEAR_PITMAN) {
    at.v[1] = vd_tri_add(at.v[1], rack);
    return at;
  }
  vd_tri3 unit = vd_tri3_unit(vd_tri3_of(h->gear.axis));
  vd_tri3 x = vd_tri3_across(vd_tri3_sub(at, vd_changed_point(q, h->gear.pivot)), unit);
  vd_tri angle = vd_tri_div(rack, vd_tri3_length(x));
  vd_tri versed = vd_tri_chain(angle, 0.0, 0.0, -1.0, 0.0), sine = vd_tri_chain(angle, 0.0, 1.0, 0.0, -1.0);
  return vd_tri3_add(at, vd_tri3_add(vd_tri3_times(versed, x), vd_tri3_times(sine, vd_tri3_cross(unit, x))));
}

static vd_tri square(vd_tri3 x) {
  return vd_tri3_dot(x, x);
}

/* The knuckle's angle, of which a joint keeps its distance from a point, `base', at design `before': the root of
 * suspension/axle_steer.c. It is 0 at design, where asin' = 1 and asin''' = 1. */
static vd_tri angle_of(const vd_moved_body *axle, const crank *c, vd_tri3 base, vd_tri3 before) {
  vd_tri3 from = vd_tri3_sub(c->foot, before), apart = vd_tri3_sub(vd_moved_place(axle, c->foot), base);
  double side = vd_tri3_dot(from, c->aside).c[0] < 0.0 ? -1.0 : 1.0;
  vd_tri a = vd_tri3_dot(apart, vd_moved_direction(axle, c->arm));
  vd_tri b = vd_tri3_dot(apart, vd_moved_direction(axle, c->aside));
  vd_tri right = vd_tri_sub(square(vd_tri3_add(from, c->arm)), vd_tri_add(square(apart), square(c->arm)));
  right = vd_tri_scale(0.5, right);
  vd_tri sum = vd_tri_add(vd_tri_mul(a, a), vd_tri_mul(b, b));
  vd_tri root = vd_tri_scale(side, vd_tri_sqrt(vd_tri_sub(sum, vd_tri_mul(right, right))));
  vd_tri sine = vd_tri_div(vd_tri_sub(vd_tri_mul(b, right), vd_tri_mul(a, root)), sum);
  return vd_tri_chain(sine, 0.0, 1.0, 0.0, 1.0);
}

static vd_tri share_of(const vd_change *q, const vd_axle_steer *s) {
  vd_tri3 start = vd_changed_point(q, s->drag_link[0]);
  vd_tri3 line = vd_tri3_sub(vd_changed_point(q, s->drag_link[1]), start);
  vd_tri3 from = vd_tri3_sub(vd_changed_point(q, s->tie_rod[s->driven]), start);
  return vd_tri_div(vd_tri3_dot(from, line), vd_tri3_dot(line, line));
}

vd_tri3 vd_changed_on_drag_link(const vd_change *q, const vd_axle_steer *s, vd_tri3 gear, vd_tri3 end) {
  return vd_tri3_add(gear, vd_tri3_times(share_of(q, s), vd_tri3_sub(end, gear)));
}

vd_tri3 vd_changed_tie_rod(const vd_change *q, const vd_axle_steer *s) {
  if (!s->carried)
    return vd_changed_point(q, s->tie_rod[s->driven]);
  return vd_changed_on_drag_link(q, s, vd_changed_point(q, s->drag_link[0]), vd_changed_point(q, s->drag_link[1]));
}

/* The knuckle by its angle. */
static void turn_knuckle(const vd_change *q, const vd_linkage *l, const vd_moved_body *axle, vd_tri angle, bool right,
                         vd_moved_body *knuckle) {
  const double *centre = l->points.wheel_center, image[3] = {centre[0], right ? -centre[1] : centre[1], centre[2]};
  const double(*pin)[3] = l->points.steer.kingpin[right];
  const crank wheel = make_crank(q, &l->points.steer, right, pin[UPPER]); /* for its axis */
  vd_tri3 lower = vd_changed_point(q, pin[LOWER]);
  *knuckle = *axle;
  knuckle->origin = vd_changed_point(q, image);
  knuckle->turn = vd_turn_after(axle->turn, vd_tri3_times(angle, wheel.unit));
  vd_tri3 arm = vd_moved_direction(knuckle, vd_tri3_sub(knuckle->origin, lower));
  knuckle->at = vd_tri3_add(vd_moved_place(axle, lower), arm);
}

/* The joint of the tie rod on the driven side: on the knuckle, or in its place along the drag link. */
static vd_tri3 tie_rod_base(const vd_change *q, const vd_linkage *l, const vd_moved_body *driven, vd_tri3 gear) {
  const vd_axle_steer *s = &l->points.steer;
  if (!s->carried)
    return vd_moved_point(q, driven, s->tie_rod[s->driven]);
  return vd_changed_on_drag_link(q, s, gear, vd_moved_point(q, driven, s->drag_link[1]));
}

void vd_moved_knuckle(const vd_change *q, const vd_linkage *l, const vd_moved_body *axle, vd_tri rack, bool right,
                      vd_moved_body *knuckle) {
  const vd_axle_steer *s = &l->points.steer;
  *knuckle = *axle;
  if (!s->given)
    return;
  const crank drag = make_crank(q, s, s->driven, s->drag_link[1]);
  vd_tri3 gear = gear_joint(q, &l->points, rack);
  vd_moved_body driven;
  turn_knuckle(q, l, axle, angle_of(axle, &drag, gear, vd_changed_point(q, s->drag_link[0])), s->driven, &driven);
  if (right == (s->driven != 0)) {
    *knuckle = driven;
    return;
  }
  const crank tie = make_crank(q, s, right, s->tie_rod[right]);
  vd_tri3 base = tie_rod_base(q, l, &driven, gear), before = vd_changed_tie_rod(q, s);
  turn_knuckle(q, l, axle, angle_of(axle, &tie, base, before), right, knuckle);
}
