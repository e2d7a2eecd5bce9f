/* Checks of a corner: whether its members form a linkage, and whether its lengths are plausible. */
#include "base/base.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "linkage/corner_impl.h"

#include <math.h>

static const double tight = 1e-3; /* m; points nearer than this coincide: no joint of a car is that small */
static const double far = 10.0;   /* m; no point of an axle is that far from the origin */

typedef struct checking {
  const vd_corner *corner;
  const vd_node *root;
  int source;
  vd_diag *d;
} checking;

static vd_place at_in(const checking *c, const char *path, const char *key) {
  return c->root ? vd_tree_place_in(c->root, path, "%s", key) : (vd_place){.source = c->source};
}

static vd_place at(const checking *c, const char *key) {
  return at_in(c, "", key);
}

static const char *key_of(const checking *c, int member, enum vd_member_point point) {
  return vd_corner_point(c->corner->points.type, member, point);
}

/* --- vectors --- */

/* Returns the lever arm in m, about the line through `from' along `axis', of a force that acts along the line from a to
 * b. It is 0 if the lines meet or are parallel. */
static double arm_about(const double *from, const double *axis, const double *a, const double *b) {
  double line[3], v[3], moment[3];
  vd_between(a, b, line);
  vd_between(from, a, v);
  vd_cross(v, line, moment);
  return fabs(vd_dot(moment, axis)) / (vd_norm(line) * vd_norm(axis));
}

/* --- lengths --- */

/* Checks that a point is not too far away. Points that are not given are NAN and pass. */
static bool near_enough(const checking *c, const char *path, const char *key, const double *point) {
  for (int i = 0; i < 3; i++)
    if (fabs(point[i]) > far) {
      vd_error(c->d, at_in(c, path, key), "'%s%s%s' is at %g m; are these millimetres? then write '%g mm'", path,
               *path ? "." : "", key, point[i], point[i]);
      return false;
    }
  return true;
}

static bool check_element_lengths(const checking *c, const char *name, const vd_element *e) {
  static const char *const key[] = {"chassis", "eye", "rocker.pivot", "rocker.rod_part", "rocker.rod_rocker"};
  const double *const point[] = {e->chassis, e->eye, e->pivot, e->rod_part, e->rod_rocker};
  bool good = true;
  for (size_t i = 0; i < VD_COUNT(point); i++)
    good &= near_enough(c, name, key[i], point[i]);
  return good;
}

static bool check_lengths(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  bool good = near_enough(c, "wheel", "center", p->wheel_center);
  if (p->static_radius > far) {
    vd_error(c->d, at(c, "wheel.static_radius"),
             "'wheel.static_radius' is %g m; is this in millimetres? then write '%g mm'", p->static_radius,
             p->static_radius);
    good = false;
  }
  for (int i = 0; i < p->members; i++) {
    const double *const point[] = {p->member[i].chassis[0], p->member[i].chassis[1], p->member[i].knuckle};
    for (int k = 0; k < VD_MEMBER_POINTS; k++)
      if (key_of(c, i, (enum vd_member_point)k))
        good &= near_enough(c, "", key_of(c, i, (enum vd_member_point)k), point[k]);
  }
  good &= near_enough(c, "knuckle", "arm", c->corner->knuckle_arm);
  good &= near_enough(c, "steering", "pivot", p->gear.pivot) && near_enough(c, "steering", "joint", p->gear.joint);
  good &= near_enough(c, "steering", "other_pivot", p->gear.other_pivot) &&
          near_enough(c, "steering", "other_joint", p->gear.other_joint);
  good &= check_element_lengths(c, "spring", &p->spring);
  return check_element_lengths(c, "damper", &p->damper) && good;
}

/* --- wheel and members --- */

static void check_wheel(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  if (!(p->wheel_center[1] > 0.0))
    vd_error(c->d, at(c, "wheel.center"),
             "'wheel.center' is on the wrong side of the car's middle: y must be > 0 of a left wheel, < 0 of a right "
             "one ('side: right')");
  if (!(vd_norm(p->spin_axis) > 1e-9))
    vd_error(c->d, at(c, "wheel.spin_axis"), "'wheel.spin_axis' has no length");
  else if (!(vd_norm(p->spin_axis) < 1e9)) /* its square may overflow */
    vd_error(c->d, at(c, "wheel.spin_axis"), "'wheel.spin_axis' is a direction, no number in it may be above 1e9");
  else if (!(p->spin_axis[1] > 0.0))
    vd_error(c->d, at(c, "wheel.spin_axis"),
             "'wheel.spin_axis' must point outward: y > 0 of a left wheel, < 0 of a right one ('side: right')");
  else if (!(vd_hypot(p->spin_axis[0], p->spin_axis[2]) <= p->spin_axis[1]))
    vd_error(c->d, at(c, "wheel.spin_axis"),
             "'wheel.spin_axis' is more than 45 degrees off the car's y axis: the wheel turns about this axis");
  if (p->static_radius <= 0.0) /* NAN: not known, as in a hardpoint list */
    vd_error(c->d, at(c, "wheel.static_radius"), "'wheel.static_radius' must be > 0 m");
}

/* Checks that two points of a member do not coincide. Reports an error at the first of them. */
static bool check_apart(const checking *c, int member, enum vd_member_point first, enum vd_member_point second,
                        const double *a, const double *b, const char *what) {
  double distance = vd_distance(a, b);
  if (distance >= tight)
    return true;
  vd_error(c->d, at(c, key_of(c, member, first)), "'%s' and '%s' are %.3g mm apart: %s", key_of(c, member, first),
           key_of(c, member, second), 1e3 * distance, what);
  return false;
}

static void check_arm(const checking *c, int i, const vd_member *m) {
  double axis[3];
  if (!check_apart(c, i, VD_CHASSIS_A, VD_CHASSIS_B, m->chassis[0], m->chassis[1], "an arm turns about an axis"))
    return;
  vd_between(m->chassis[0], m->chassis[1], axis);
  double distance = vd_off_line(m->chassis[0], axis, m->knuckle);
  if (!(distance >= tight))
    vd_error(c->d, at(c, key_of(c, i, VD_AT_KNUCKLE)),
             "'%s' is %.3g mm off the arm's own axis: the arm does not hold the knuckle", key_of(c, i, VD_AT_KNUCKLE),
             1e3 * distance);
}

static void check_hinge(const checking *c, int i, const vd_member *m) {
  const vd_hardpoints *p = &c->corner->points;
  bool beam = vd_linkage_traits_of(p->type)->beam;
  double axis[3];
  if (beam && !(fabs(m->chassis[1][1]) < tight))
    vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_B)),
             "'%s' must lie in the middle of the car, y = 0, where both sides of the beam meet",
             key_of(c, i, VD_CHASSIS_B));
  if (beam && !(m->chassis[0][1] > tight)) {
    vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_A)), "'%s' must lie on its wheel's side of the car's middle",
             key_of(c, i, VD_CHASSIS_A));
    return;
  }
  if (!check_apart(c, i, VD_CHASSIS_A, VD_CHASSIS_B, m->chassis[0], m->chassis[1], "a hinge turns about an axis"))
    return;
  vd_between(m->chassis[0], m->chassis[1], axis);
  /* rise of the wheel centre per turn of the arm: lever arm of the vertical through the wheel centre about the axis */
  double above[3] = {p->wheel_center[0], p->wheel_center[1], p->wheel_center[2] + 1.0};
  if (!(arm_about(m->chassis[0], axis, p->wheel_center, above) >= tight))
    vd_error(
        c->d, at(c, key_of(c, i, VD_CHASSIS_A)),
        "the arm's axis, from '%s' to '%s', passes over or under the wheel centre: the wheel does not rise when the "
        "arm turns",
        key_of(c, i, VD_CHASSIS_A), key_of(c, i, VD_CHASSIS_B));
}

static void check_members(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  for (int i = 0; i < p->members; i++) {
    const vd_member *m = &p->member[i];
    switch (m->kind) {
    case VD_ARM: check_arm(c, i, m); break;
    case VD_ROD: check_apart(c, i, VD_CHASSIS_A, VD_AT_KNUCKLE, m->chassis[0], m->knuckle, "a rod has a length"); break;
    case VD_SLIDER:
      check_apart(c, i, VD_CHASSIS_A, VD_AT_KNUCKLE, m->chassis[0], m->knuckle, "a strut slides along a line");
      break;
    case VD_HINGE: check_hinge(c, i, m); break;
    }
  }
}

/* Reports two rods between the same points, which constrain the knuckle no more than one rod. */
static void check_coincident_rods(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  for (int i = 0; i < p->members; i++)
    for (int k = 0; k < i; k++) {
      const vd_member *a = &p->member[k], *b = &p->member[i];
      if (a->kind == VD_ROD && b->kind == VD_ROD && vd_distance(a->knuckle, b->knuckle) < tight &&
          vd_distance(a->chassis[0], b->chassis[0]) < tight)
        vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_A)), "'%s' and '%s' are one and the same rod", b->name, a->name);
    }
}

/* Checks the steering axis and the rod that determines the angle about it. */
static void check_steering(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  enum vd_steering_axis steering = vd_linkage_traits_of(p->type)->steering;
  bool strut = steering == VD_STEERING_STRUT;
  if (!strut && steering != VD_STEERING_BALL_JOINTS)
    return;
  const vd_member *lower = &p->member[0], *upper = &p->member[1], *tie = &p->member[2];
  enum vd_member_point top = strut ? VD_CHASSIS_A : VD_AT_KNUCKLE;
  const double *end = strut ? upper->chassis[0] : upper->knuckle;
  double axis[3];
  vd_between(lower->knuckle, end, axis);
  if (!(vd_norm(axis) >= tight)) {
    vd_error(c->d, at(c, key_of(c, 1, top)), "'%s' and '%s' are %.3g mm apart: there is no steering axis",
             key_of(c, 1, top), key_of(c, 0, VD_AT_KNUCKLE), 1e3 * vd_norm(axis));
    return;
  }
  if (vd_distance(tie->chassis[0], tie->knuckle) >= tight &&
      !(arm_about(lower->knuckle, axis, tie->chassis[0], tie->knuckle) >= tight))
    vd_error(c->d, at(c, key_of(c, 2, VD_AT_KNUCKLE)),
             "the tie rod points to the steering axis, from '%s' to '%s': it does not hold the wheel",
             key_of(c, 0, VD_AT_KNUCKLE), key_of(c, 1, top));
}

/* Checks that a relay rod's arm does not point across the car: the rod could then move neither to the left nor to the
 * right. */
static void check_gear_arm(const checking *c, const char *pivot, const char *joint, const double *from,
                           const double *to) {
  const double *axis = c->corner->points.gear.axis;
  double across[3], arm[3];
  vd_between(from, to, arm);
  arm[1] = 0.0;
  vd_cross(axis, arm, across);
  if (!(vd_norm(across) >= tight * vd_norm(axis)))
    vd_error(c->d, at(c, joint),
             "the arm from '%s' to '%s' points across the car: it does not shift the relay rod to both sides", pivot,
             joint);
}

static void check_gear(const checking *c) {
  const vd_gear *g = &c->corner->points.gear;
  double size = vd_norm(g->axis);
  bool axis = size > 1e-9 && size < 1e9;
  if (g->kind != VD_GEAR_RELAY)
    return;
  if (!axis || !(fabs(g->axis[1]) <= 1e-9 * size))
    vd_error(c->d, at(c, "steering.axis"),
             "the axes of pitman and idler arm must be parallel: 'steering.axis' is a "
             "direction with y = 0");
  if (!(g->joint[1] > tight))
    vd_error(c->d, at(c, "steering.joint"),
             "'steering.joint' is the left end of the relay rod, on the wheel's side of "
             "the car's middle");
  if (g->asymmetric && !(g->joint[1] - g->other_joint[1] > tight))
    vd_error(c->d, at(c, "steering.other_joint"),
             "'steering.other_joint' is the other end of the relay rod: it is not on the wheel's side of "
             "'steering.joint'");
  if (axis)
    check_gear_arm(c, "steering.pivot", "steering.joint", g->pivot, g->joint);
  if (axis && g->asymmetric)
    check_gear_arm(c, "steering.other_pivot", "steering.other_joint", g->other_pivot, g->other_joint);
}

static void check_gear_ratio(const checking *c) {
  if (isnan(c->corner->gear_ratio))
    return;
  if (c->corner->points.gear.kind == VD_GEAR_RACK)
    vd_error(c->d, at(c, "car.gear_ratio"), "there is no pitman arm: 'steering.type' is not %s",
             vd_linkage_traits_of(c->corner->points.type)->axle ? "pitman" : "relay");
  else if (!isnan(c->corner->c_factor))
    vd_error(c->d, at(c, "car.gear_ratio"),
             "'c_factor' and 'gear_ratio' both give the ratio of the steering; give only one");
}

/* --- steering of an axle --- */

/* Checks that a rod has a length, and a lever arm about the kingpin. */
static void check_crank(const checking *c, const char *key, const double (*pin)[3], const double *joint,
                        const double *other) {
  double axis[3];
  vd_between(pin[0], pin[1], axis);
  if (!(vd_distance(joint, other) >= tight))
    vd_error(c->d, at(c, key), "'%s' has no length", key);
  else if (!(arm_about(pin[0], axis, joint, other) >= tight))
    vd_error(c->d, at(c, key), "'%s' points to a kingpin: it does not hold the knuckle", key);
}

static void check_axle_steering(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  const vd_axle_steer *s = &p->steer;
  static const char *const key[2][2] = {{"steering.kingpin.lower", "steering.kingpin.upper"},
                                        {"steering.kingpin.lower_right", "steering.kingpin.upper_right"}};
  if (!s->given)
    return;
  for (int side = 0; side < 2; side++) {
    const double(*pin)[3] = s->kingpin[side];
    for (int k = 0; k < 2; k++)
      if (!near_enough(c, "", key[side][k], pin[k]))
        return;
    if (!near_enough(c, "steering", "tie_rod", s->tie_rod[side]) ||
        !near_enough(c, "steering", "drag_link", s->drag_link[side]))
      return;
    if (!(pin[1][2] - pin[0][2] >= tight)) {
      vd_error(c->d, at(c, key[side][1]), "'%s' must lie above '%s'", key[side][1], key[side][0]);
      return;
    }
    if (!((side ? -1.0 : 1.0) * pin[0][1] > 0.0))
      vd_error(c->d, at(c, key[side][0]), "'%s' is on the wrong side of the car's middle", key[side][0]);
  }
  check_crank(c, "steering.drag_link", s->kingpin[s->driven_side], s->drag_link[1], s->drag_link[0]);
  check_crank(c, "steering.tie_rod", s->kingpin[!s->driven_side], s->tie_rod[!s->driven_side],
              s->tie_rod[s->driven_side]);
  double line[3];
  vd_between(s->drag_link[0], s->drag_link[1], line);
  double off = vd_off_line(s->drag_link[0], line, s->tie_rod[s->driven_side]);
  if (s->tie_rod_on_drag_link && !(off <= VD_ON_LINE))
    vd_error(c->d, at(c, "steering.tie_rod"),
             "the tie rod joins the drag link %.3g mm off its line: a drag link may turn about that line", 1e3 * off);
  double size = vd_norm(p->gear.axis), far_axis = 1e9;
  if (p->gear.kind == VD_GEAR_PITMAN && !(size > 1e-9 && size < far_axis))
    vd_error(c->d, at(c, "steering.axis"), "'steering.axis' is a direction: it must have a length, below 1e9");
  else if (p->gear.kind == VD_GEAR_PITMAN && !(vd_off_line(p->gear.pivot, p->gear.axis, p->gear.joint) >= tight))
    vd_error(c->d, at(c, "steering.pivot"), "the pitman arm's axis passes through its joint with the drag link");
}

/* --- spring and damper --- */

static void check_rocker(const checking *c, const char *name, const vd_element *e) {
  static const char *const key[] = {"rocker.rod_part", "rocker.axis", "rocker.rod_rocker", "eye"};
  const char *problem[VD_COUNT(key)] = {NULL};
  bool axis = vd_norm(e->axis) > 1e-9, rod = vd_distance(e->rod_part, e->rod_rocker) >= tight;
  if (!rod)
    problem[0] = "the rod has no length";
  if (!axis)
    problem[1] = "its axis has no length";
  if (axis && !(vd_off_line(e->pivot, e->axis, e->rod_rocker) >= tight))
    problem[2] = "its rod ends on its axis";
  else if (axis && rod && !(arm_about(e->pivot, e->axis, e->rod_part, e->rod_rocker) >= tight))
    problem[2] = "it is at its dead centre: its rod points to its axis";
  if (axis && !(vd_off_line(e->pivot, e->axis, e->eye) >= tight))
    problem[3] = "the eye lies on its axis";
  for (size_t i = 0; i < VD_COUNT(key); i++)
    if (problem[i])
      vd_error(c->d, at_in(c, name, key[i]), "the rocker of the %s does not turn: %s", name, problem[i]);
}

/* Checks a point off a rod's line. The point moves with the rod's rotation about that line, so the rod's inner joint
 * must determine this rotation. */
static void check_on_rod(const checking *c, const char *name, const vd_element *e) {
  const double least = 0.1; /* sine of the angle between the rod and an axis of its inner joint */
  if (e->on < VD_ON_MEMBER)
    return;
  int i = e->on - VD_ON_MEMBER;
  const vd_member *m = &c->corner->points.member[i];
  if (m->kind != VD_ROD || vd_distance(m->chassis[0], m->knuckle) < tight)
    return;
  if (m->base >= VD_ON_MEMBER) {
    vd_error(c->d, at(c, name), "the %s cannot stand on '%s', a rod between two links", name, m->name);
    return;
  }
  double line[3], across[3];
  vd_between(m->chassis[0], m->knuckle, line);
  double distance = vd_off_line(m->chassis[0], line, e->rocker ? e->rod_part : e->eye);
  if (!(distance > VD_ON_LINE))
    return;
  const char *key = e->rocker ? "rocker.rod_part" : "eye";
  const double *stiffness = c->corner->bushing[i][0].stiffness;
  bool soft = c->corner->bushing[i][0].given, elastic = isfinite(c->corner->ball_stiffness[i]);
  if ((elastic && !soft) || (soft && !(stiffness[3] > 0.0 && stiffness[4] > 0.0 && stiffness[5] > 0.0)))
    vd_error(c->d, at_in(c, name, key),
             "'%s.%s' is %.3g mm off the line of '%s', which may turn about that line: its inner joint needs a "
             "stiffness in rotation",
             name, key, 1e3 * distance, m->name);
  vd_cross(m->axis, line, across);
  if (vd_norm(m->axis) > 0.0 && !(vd_norm(across) >= least * vd_norm(m->axis) * vd_norm(line)))
    vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_A)),
             "the axis of '%s' points along it: it does not hold a point off "
             "its line",
             m->name);
  vd_cross(m->axis, m->cross, across);
  if (vd_norm(m->axis) > 0.0 && vd_norm(m->cross) > 0.0 &&
      !(vd_norm(across) >= least * vd_norm(m->axis) * vd_norm(m->cross)))
    vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_A)), "both axes of '%s' have one direction", m->name);
}

static void check_element(const checking *c, const char *name, const vd_element *e) {
  if (!e->given)
    return;
  const vd_hardpoints *p = &c->corner->points;
  const vd_member *slider = vd_corner_slider(p);
  bool strut = slider && vd_distance(e->chassis, slider->chassis[0]) < tight &&
               vd_distance(e->eye, slider->knuckle) < tight; /* this was reported already */
  if (!(vd_distance(e->chassis, e->eye) >= tight) && !strut)
    vd_error(c->d, at(c, name), "the %s has no length: '%s.chassis' and '%s.eye' are %.3g mm apart", name, name, name,
             1e3 * vd_distance(e->chassis, e->eye));
  if (e->rocker)
    check_rocker(c, name, e);
  check_on_rod(c, name, e);
}

/* --- masses --- */

/* Checks moments of inertia about three axes through a point: none exceeds the sum of the other two. */
static void check_inertia(const checking *c) {
  const double *j = c->corner->knuckle_inertia;
  for (int i = 0; i < 3; i++)
    if (j[i] > (j[(i + 1) % 3] + j[(i + 2) % 3]) * (1.0 + 1e-9)) {
      vd_error(c->d, at(c, "mass.knuckle_inertia"),
               "no body has this 'mass.knuckle_inertia': %g kg m2 is above the sum of the other two", j[i]);
      return;
    }
}

/* --- the linkage as a whole --- */

static void check_moves(const checking *c, const vd_linkage *l, const char *name, const vd_element *e) {
  const double least = 1e-3; /* m/m */
  vd_pose pose;
  if (!e->given)
    return;
  vd_linkage_start(l, &pose);
  double ratio = vd_element_length(l, &pose, e).d[0];
  if (!(fabs(ratio) >= least))
    vd_error(c->d, at(c, name), "the %s hardly changes its length when the wheel travels: less than 1 mm per m", name);
}

/* Checks that the rack turns the wheel by at least 1 rad per 10 m. */
static void check_steers(const checking *c, const vd_linkage *l) {
  const double least = 0.1; /* rad/m */
  vd_pose pose;
  vd_linkage_start(l, &pose);
  for (int i = 0; i < l->points.members; i++)
    if (l->points.member[i].steered && !(fabs(pose.spin[1][2]) >= least))
      vd_error(c->d, at(c, key_of(c, i, VD_CHASSIS_A)),
               "'%s' hardly turns the wheel: less than 0.1 rad per m of the "
               "rack",
               l->points.member[i].name);
  for (int side = 0; side < 2 && l->points.steer.given; side++) {
    static const double heave[VD_INPUTS] = {1.0, 1.0};
    vd_pose racked = vd_pose_by_rack(&pose, heave);
    if (!(fabs(vd_knuckle_turn(l, &racked, side).d[1]) >= least))
      vd_error(c->d, at(c, "steering"), "the %s hardly turns the %s wheel: less than 0.1 rad per m of its path",
               l->points.gear.kind == VD_GEAR_PITMAN ? "pitman arm" : "rack", side ? "right" : "left");
  }
}

static void check_linkage(const checking *c) {
  const vd_hardpoints *p = &c->corner->points;
  vd_linkage l;
  for (int motion = VD_PARALLEL; motion <= (vd_linkage_traits_of(p->type)->beam ? VD_OPPOSITE : VD_PARALLEL); motion++)
    if (!vd_linkage_build(p, (enum vd_axle_motion)motion, &l)) {
      vd_error(c->d, at(c, "type"),
               "the links do not constrain the wheel: at the design position its travel does not determine its motion");
      return;
    }
  check_moves(c, &l, "spring", &p->spring);
  check_moves(c, &l, "damper", &p->damper);
  check_steers(c, &l);
}

static void check_blade(const checking *c) {
  for (int m = 0; c->corner->blade && m < 2; m++)
    if (!c->corner->bushing[m][0].given)
      vd_error(c->d, at(c, "trailing"), "a blade needs a bushing at both its points; '%s' has none",
               c->corner->points.member[m].name);
}

bool vd_corner_check(const vd_corner *corner, const vd_node *root, int source, vd_diag *d) {
  const checking c = {corner, root, source, d};
  size_t before = vd_diag_errors(d);
  if (!check_lengths(&c))
    return false;
  check_wheel(&c);
  check_members(&c);
  check_coincident_rods(&c);
  check_steering(&c);
  check_gear(&c);
  check_gear_ratio(&c);
  check_axle_steering(&c);
  check_element(&c, "spring", &corner->points.spring);
  check_element(&c, "damper", &corner->points.damper);
  check_inertia(&c);
  check_blade(&c);
  if (vd_diag_errors(d) == before)
    check_linkage(&c);
  return vd_diag_errors(d) == before;
}
