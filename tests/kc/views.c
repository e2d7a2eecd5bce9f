/* Instant centres and swing arms, anti-dive and roll centre by forces, rack force, kingpin moment and steering wheel:
 * closed forms, virtual work, and the second solver. */
#include "balance_corner.h"
#include "linkages.h"
#include "linkage/corner_def.h"

#include <stdio.h>

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* --- instant centres --- */

/* Tests a double wishbone in the plane across the car: its centre in front view is where the lines of both arms meet,
 * at every travel; the wheel does not turn in side view. */
static void test_front(void) {
  static const double lower[2] = {0.35, 0.16}, upper[2] = {0.42, 0.48};
  vd_hardpoints h = {.type = VD_DOUBLE_WISHBONE,
                     .wheel_center = {0.0, 0.78, 0.33},
                     .spin_axis = {0.0, 1.0, 0.0},
                     .static_radius = 0.31};
  add_arm(&h, "lca", (const double[3]){0.15, lower[0], lower[1]}, (const double[3]){-0.15, lower[0], lower[1]},
          (const double[3]){0.0, 0.74, 0.19});
  add_arm(&h, "uca", (const double[3]){0.1, upper[0], upper[1]}, (const double[3]){-0.1, upper[0], upper[1]},
          (const double[3]){0.0, 0.70, 0.53});
  /* in front view the tie rod lies in the line of the lower arm: the wheel keeps its toe */
  add_rod(&h, "tie_rod", (const double[3]){-0.1, lower[0], lower[1]}, (const double[3]){-0.1, 0.74, 0.19});
  vd_corner c = corner_of(h);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  for (int k = -1; k <= 1; k++) {
    vd_kc_state s = state_at(&c, &l, 0.04 * k, 0.0);
    vd_pose pose;
    reach(&l, 0.04 * k, 0.0, &pose);
    vd_jet3 low = vd_pose_point(&l, &pose, h.member[0].knuckle), high = vd_pose_point(&l, &pose, h.member[1].knuckle);
    double sl = (low.z.v - lower[1]) / (low.y.v - lower[0]), su = (high.z.v - upper[1]) / (high.y.v - upper[0]);
    double y = ((upper[1] - su * upper[0]) - (lower[1] - sl * lower[0])) / (sl - su),
           z = lower[1] + sl * (y - lower[0]);
    tap_near(s.front_centre_y, y, 1e-9, "travel %d mm: in front view the arms' lines meet, y", 40 * k);
    tap_near(s.front_centre_z, z, 1e-9, "travel %d mm: in front view the arms' lines meet, z", 40 * k);
    tap_near(s.front_arm, s.wheel_y.v - y, 1e-9, "travel %d mm: the swing arm in front view ends at the instant centre",
             40 * k);
    tap_near(s.front_arm * s.camber.d[0], -1.0, 1e-9, "travel %d mm: the swing arm in front view is travel per camber",
             40 * k);
    tap_near(tan(s.front_angle), (z - s.patch_z.v) / (s.patch_y.v - y), 1e-9,
             "travel %d mm: the angle of the swing arm is that of its line", 40 * k);
    tap_ok(isnan(s.side_arm) && fabs(s.side_angle) < 1e-12, "travel %d mm: there is no swing arm in side view", 40 * k);
  }
}

/* Tests a trailing arm about an axis across the car: its centre in side view is the axis, at every travel. The share of
 * the brakes' load transfer that it carries is the axle's share of the brake force times the slope of the line to this
 * centre times L/h, the wheelbase divided by the height of the centre of gravity (Milliken and Milliken, chapter 17);
 * the line begins at the contact point for outboard brakes, at the wheel centre for inboard brakes. */
static void test_side(void) {
  static const double pivot[2] = {0.46, 0.36}, centre[2] = {-0.02, 0.31}; /* x, z */
  vd_hardpoints h = {.type = VD_TRAILING_ARM,
                     .wheel_center = {centre[0], 0.75, centre[1]},
                     .spin_axis = {0.0, 1.0, 0.0},
                     .static_radius = 0.3};
  vd_member *arm = add(&h, VD_HINGE, "arm");
  memcpy(arm->chassis[0], (const double[3]){pivot[0], 0.4, pivot[1]}, sizeof arm->chassis[0]);
  memcpy(arm->chassis[1], (const double[3]){pivot[0], 0.7, pivot[1]}, sizeof arm->chassis[1]);
  vd_corner c = corner_of(h);
  c.rear = true;
  c.wheelbase = 2.6;
  c.cg_height = 0.52;
  c.brake_share = 0.35;
  vd_linkage l = build(&c.points, VD_PARALLEL);
  for (int k = -1; k <= 1; k++) {
    vd_kc_state s = state_at(&c, &l, 0.05 * k, 0.0);
    double road = s.wheel_z.v - 0.3, reach_x = pivot[0] - s.wheel_x.v;
    tap_near(s.side_centre_x, pivot[0], 1e-9, "travel %d mm: the instant centre in side view is on the arm's axis, x",
             50 * k);
    tap_near(s.side_centre_z, pivot[1], 1e-9, "travel %d mm: the instant centre in side view is on the arm's axis, z",
             50 * k);
    tap_near(s.side_arm, reach_x, 1e-9, "travel %d mm: the swing arm in side view ends at the arm's axis", 50 * k);
    tap_near(tan(s.side_angle), -(pivot[1] - road) / reach_x, 1e-9,
             "travel %d mm: the angle of the swing arm in side view is that of its line", 50 * k);
    tap_near(s.anti, 0.35 * (pivot[1] - road) / reach_x * 2.6 / 0.52, 1e-9,
             "travel %d mm: anti-lift by outboard brakes is that of the line from the contact point", 50 * k);
    c.inboard_brakes = true;
    s = state_at(&c, &l, 0.05 * k, 0.0);
    tap_near(s.anti, 0.35 * (pivot[1] - s.wheel_z.v) / reach_x * 2.6 / 0.52, 1e-9,
             "travel %d mm: anti-lift by inboard brakes is that of the line from the wheel centre", 50 * k);
    c.inboard_brakes = false;
  }
}

/* --- by forces --- */

static bool read_file(const char *name, vd_arena *arena, vd_corner *corner) {
  char path[128];
  vd_diag *d = vd_diag_create();
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool good = vd_corner_read(path, NULL, 0, arena, d, corner, NULL);
  vd_diag_destroy(d);
  memset(corner->bushing, 0, sizeof corner->bushing);
  corner->blade = false;
  return good;
}

/* Compares rigid links with a second solver, which has a jack at the wheel centre. A side force F on a rolling wheel
 * has the vertical reaction F dy/dz at the jack, and the height of the roll centre is y times that slope, per rise of
 * the contact point. The reaction under braking, or under a force at the wheel centre, is the load transfer that the
 * links carry. */
static void test_forces(const char *name, double travel) {
  const double push = 1000.0;
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool good = read_file(name, arena, &c);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_kc_state s = state_at(&c, &l, travel, 0.0);
  balance_rig r;
  const double u[VD_INPUTS] = {travel, 0.0};
  const vd_wheel_load cases[] = {{.fy = push, .rolls = true}, {.fx = push}, {.centre = {push, 0.0, 0.0}}};
  double support[3] = {NAN, NAN, NAN};
  for (int i = 0; i < 3 && good; i++) {
    balance_corner(&c, 0.0, NAN, &r);
    good = balance_hold(&r, VD_HOLD_CENTRE, 0.0, u, &cases[i]);
    support[i] = balance_multiplier(&r.scene, r.wheel, 0);
  }
  /* if a wheel with camber is steered, its lowest point moves along its heading: a force across the car does work on
   * this motion, a force across the wheel does not */
  double along_rim = fabs(s.toe.v * s.camber.v * s.toe.d[0] * c.points.static_radius * s.patch_y.v);
  tap_near(good ? -s.patch_y.v * support[0] / push / s.patch_z.d[0] : NAN, s.roll_centre_height, 1e-9 + 2.0 * along_rim,
           "%s at %g mm: the roll centre follows from the jack's reaction to a side force, m", name, 1e3 * travel);
  tap_near(-support[1] / push, s.brake_slope, 1e-9,
           "%s at %g mm: the brake slope is the jack's reaction to a brake force", name, 1e3 * travel);
  tap_near(-support[2] / push, s.drive_slope, 1e-9,
           "%s at %g mm: the drive slope is the jack's reaction to a longitudinal force at the wheel centre", name,
           1e3 * travel);
  vd_arena_destroy(arena);
}

/* --- steering --- */

enum arms { AS_FILED, UNEQUAL_LEFT, UNEQUAL_RIGHT };
static const char *const arms_name[] = {"", ", unequal arms, left wheel", ", unequal arms, right wheel"};

/* Makes the idler arm 60 mm shorter than the pitman arm, at another place; the right wheel is mirrored to the left. */
static void shorten_idler(vd_corner *c, bool right) {
  vd_gear *g = &c->points.gear;
  vd_hardpoints image;
  g->asymmetric = true;
  for (int i = 0; i < 3; i++) {
    g->other_pivot[i] = g->pivot[i] + (double[]){0.06, 0.0, 0.0}[i];
    g->other_joint[i] = g->joint[i];
  }
  g->other_pivot[1] = -0.31;
  g->other_joint[1] *= -1.0;
  vd_hardpoints_mirror(&c->points, &image);
  if (right)
    c->points = image;
}

/* Computes the derivative of the inner joint's place by the rack, from the second solver's places at racks 10 um to
 * both sides: errors of 1e-10. */
static void inner_path(const vd_corner *c, int member, double rack, double *path) {
  const double far = 1e-5;
  memset(path, 0, 3 * sizeof *path);
  for (int k = -1; k <= 1; k += 2) {
    balance_rig r;
    balance_corner(c, rack + k * far, 0.0, &r);
    for (const balance_part *p = r.scene.part; p < r.scene.part + r.scene.parts; p++)
      if (p->kind == JOIN && p->a == GROUND && p->b == r.member[member])
        for (int i = 0; i < 3; i++)
          path[i] += k * p->shift[i] / (2.0 * far);
  }
}

/* Compares the rack force with a second solver, in which the spring keeps its length, and the gear holds the tie rod:
 * the rod's force along the path of its inner joint is the rack force, and its moment about the steering axis is that
 * of the loads on the wheel. All files have a spring without a moment about this axis: on the top of a strut, or on an
 * arm. Bounds: the second solver's spring, 1e12 N/m, yields by 5e-9 m under 5 kN. On links of 0.3 m this turns forces
 * of up to 5 kN by 2e-8 rad, 1e-4 N; a tie rod's arm about the axis is about 0.1 m. */
static void test_rack(const char *name, double travel, double rack, enum arms arms) {
  static const vd_wheel_load loads[] = {{.fz = 4000.0},
                                        {.fy = 1500.0, .fz = 4000.0, .mz = -40.0},
                                        {.fx = -2000.0, .fz = 4500.0},
                                        {.fz = 3500.0, .centre = {1800.0, 0.0, 0.0}}};
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool good = read_file(name, arena, &c);
  if (arms != AS_FILED)
    shorten_idler(&c, arms == UNEQUAL_RIGHT);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_pose pose;
  double force = 0.0, moment = 0.0;
  good = good && reach(&l, travel, rack, &pose);
  const vd_member *tie = NULL;
  double path[3];
  int index = 0;
  for (int i = 0; i < c.points.members; i++)
    if (c.points.member[i].steered) {
      tie = &c.points.member[i];
      index = i;
    }
  inner_path(&c, index, rack, path);
  for (size_t k = 0; k < VD_COUNT(loads) && good; k++) {
    const double u[VD_INPUTS] = {travel, rack};
    const vd_kc_view view = {.along = {1.0, 0.0}, .load = &loads[k]};
    vd_kc_state s;
    balance_rig r;
    vd_kc_state_in_view(&c, &l, &pose, &view, &s);
    /* the travel is found first; then the spring keeps the length that it has there */
    balance_corner(&c, rack, 0.0, &r);
    const vd_wheel_load nothing = {.fz = 0.0};
    double stiffness = r.coil->law[0].rate;
    r.coil->law[0].rate = r.coil->law[0].load = 0.0;
    good = good && balance_hold(&r, VD_HOLD_CENTRE, 0.0, u, &nothing);
    r.wheel->support = SUPPORT_NONE;
    double at[2][3], line[3];
    balance_place(&r.scene, r.coil->b, r.coil->far, at[1]);
    for (int i = 0; i < 3; i++)
      line[i] = at[1][i] - r.coil->point[i];
    r.coil->law[0].rate = 1e12;
    r.coil->law[0].load = -1e12 * sqrt(dot3(line, line));
    balance_set_load(&r, &loads[k]);
    good = good && stiffness > 0.0 && balance_solve(&r.scene, 4);
    double tie_force[3] = {NAN, NAN, NAN}, at_knuckle[3], arm[3], turning[3];
    for (const balance_part *p = r.scene.part; p < r.scene.part + r.scene.parts; p++)
      if (p->kind == JOIN && p->a == r.knuckle && p->b == r.member[index])
        for (int i = 0; i < 3; i++)
          tie_force[i] = -balance_multiplier(&r.scene, p, i);
    force = tap_max(force, fabs(dot3(tie_force, path) - s.rack_force));
    /* about the axis of ball joints: lower to upper, or to the strut's top */
    const vd_hardpoints *h = &c.points;
    vd_jet3 low = vd_pose_point(&l, &pose, h->member[0].knuckle), high = vd_pose_point(&l, &pose, h->member[1].knuckle);
    const double foot[3] = {low.x.v, low.y.v, low.z.v};
    double axis[3] = {high.x.v - foot[0], high.y.v - foot[1], high.z.v - foot[2]};
    for (int i = 0; i < 3 && h->member[1].kind == VD_SLIDER; i++)
      axis[i] = h->member[1].chassis[0][i] - foot[i];
    balance_place(&r.scene, r.knuckle, tie->knuckle, at_knuckle);
    for (int i = 0; i < 3; i++)
      arm[i] = at_knuckle[i] - foot[i];
    cross3(arm, tie_force, turning);
    moment = tap_max(moment, fabs(dot3(axis, turning) / sqrt(dot3(axis, axis)) + s.kingpin_moment));
  }
  tap_near(good ? force : NAN, 0.0, 2e-4,
           "%s%s at %g mm, rack %g mm: the rack force is that of the second solver's tie rod, N", name, arms_name[arms],
           1e3 * travel, 1e3 * rack);
  tap_near(good ? moment : NAN, 0.0, 2e-5, "%s: the tie rod balances the loads' moment about the steering axis, N m",
           name);
  vd_arena_destroy(arena);
}

/* Checks steering figures by their definitions: the ratio as a difference between racks 0.1 mm to both sides, the
 * power, and the sign of the steering wheel angle by the rack. sense: 1 with the tie rod behind the steering axis, -1
 * with the tie rod ahead of it. */
static void test_steering_wheel(double sense) {
  vd_corner c = corner_of(corner_points[MP_FRONT_SEDAN]);
  c.c_factor = 0.052;
  c.points.member[2].knuckle[0] *= sense; /* a rod behind the axis, or ahead of it */
  c.points.member[2].chassis[0][0] *= sense;
  vd_linkage l = build(&c.points, VD_PARALLEL);
  const vd_wheel_load left_load = {.fy = 900.0, .fz = 4000.0, .mz = -30.0};
  const vd_wheel_load right_load = {.fy = -900.0, .fz = 4000.0, .mz = 30.0}; /* mirrored */
  const double rack = 0.012, step = 1e-4;
  vd_kc_state wheel[2];
  vd_kc_axle axle;
  double steer[2];
  for (int i = 0; i < 2; i++) {
    double at = rack + (i ? step : -step);
    steer[i] = 0.5 * (state_at(&c, &l, 0.0, at).steer.v - state_at(&c, &l, 0.0, -at).steer.v);
  }
  for (int i = 0; i < 2; i++) {
    vd_pose pose;
    const vd_kc_view view = {.along = {1.0, 0.0}, .load = i ? &right_load : &left_load};
    reach(&l, 0.0, i ? -rack : rack, &pose);
    vd_kc_state_in_view(&c, &l, &pose, &view, &wheel[i]);
  }
  vd_kc_axle_at(&c, &l, &wheel[0], &wheel[1], &axle);
  double hand = 2.0 * step / 0.052 * 2.0 * VD_PI, mean = steer[1] - steer[0];
  const char *what = sense > 0.0 ? "rod behind" : "rod ahead";
  tap_near(axle.steering_ratio, fabs(hand / mean), 2e-5 * fabs(hand / mean),
           "%s: the steering ratio is that of differences", what);
  tap_ok((axle.steering_wheel_gain > 0.0) == (mean > 0.0), "%s: the steering wheel goes to the side of the wheels",
         what);
  tap_near(axle.steering_wheel_moment * axle.steering_wheel_gain, axle.rack_force, 1e-9,
           "%s: the power at the steering wheel is that of the rack", what);
  tap_near(fabs(axle.steering_wheel_moment), fabs(axle.rack_force) * 0.052 / (2.0 * VD_PI), 1e-9,
           "%s: the steering wheel moment is the rack force times C/2 pi", what);
  tap_near(axle.rack_force, wheel[0].rack_force - wheel[1].rack_force, 1e-9,
           "%s: the rack force of an axle is that of both wheels together", what);
}

static void axle_at(const vd_corner *c, double rack, vd_kc_axle *axle) {
  static const vd_wheel_load left = {.fy = 900.0, .fz = 4000.0, .mz = -30.0};
  static const vd_wheel_load right = {.fy = -900.0, .fz = 4000.0, .mz = 30.0}; /* mirrored */
  vd_linkage l = build(&c->points, VD_PARALLEL);
  vd_hardpoints other;
  vd_hardpoints_mirror(&c->points, &other);
  const vd_linkage image = build(l.axle ? &c->points : &other, VD_PARALLEL);
  vd_kc_state wheel[2];
  for (int i = 0; i < 2; i++) {
    const vd_kc_view view = {
        .right = l.axle && i, .along = {1.0, l.axle ? 1.0 : 0.0}, .load = i && !l.axle ? &right : &left};
    const vd_linkage *own = i ? &image : &l;
    const double travel[VD_INPUTS] = {0.0, 0.0};
    vd_pose pose;
    vd_linkage_start(own, &pose);
    if (vd_linkage_move_racked(own, travel, i && !l.axle ? -rack : rack, &pose) != VD_LINKAGE_OK)
      abort();
    vd_kc_state_in_view(c, own, &pose, &view, &wheel[i]);
  }
  vd_kc_axle_at(c, &l, &wheel[0], &wheel[1], axle);
}

/* Tests the ratio of a steering box. Both arms, of 150 mm, have upright axes and lie straight behind the rod: in this
 * parallelogram the rod moves R sin(turn) to the side. A steering box turns the arm by the steering wheel's angle
 * divided by its ratio. */
static void test_gear_ratio(int pitman) {
  const double radius = 0.15, ratio = 15.0;
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool good = read_file("dw_front_offroad", arena, &c);
  vd_gear *g = &c.points.gear;
  memcpy(g->axis, (const double[]){0.0, 0.0, 1.0}, sizeof g->axis);
  memcpy(g->pivot, (const double[]){-0.33, 0.32, 0.4}, sizeof g->pivot);
  memcpy(g->joint, (const double[]){-0.33 + radius, 0.32, 0.38}, sizeof g->joint);
  g->pitman_side = pitman;
  c.gear_ratio = ratio;
  double angle = 0.0, gain = 0.0, power = 0.0, sense = 0.0;
  for (int k = -3; k <= 3 && good; k++) {
    const double rack = 0.015 * k;
    vd_kc_axle axle;
    axle_at(&c, rack, &axle);
    double turn = asin(rack / radius), way = axle.steering_wheel_gain < 0.0 ? -1.0 : 1.0;
    sense = tap_max(sense, axle.steering_ratio > 0.0 ? 0.0 : NAN);
    angle = tap_max(angle, fabs(axle.steering_wheel - way * ratio * turn));
    gain = tap_max(gain, fabs(way * axle.steering_wheel_gain - ratio / (radius * cos(turn))));
    power = tap_max(power, fabs(axle.steering_wheel_moment * axle.steering_wheel_gain - axle.rack_force));
  }
  tap_ok(good && sense == 0.0, "a box on the %s arm: wheels turn with the steering wheel", pitman ? "right" : "left");
  tap_near(angle, 0.0, 1e-12, "a steering box: its steering wheel turns by the ratio times asin(rack/R), rad");
  tap_near(gain, 0.0, 1e-10, "a steering box: its steering wheel turns by ratio/(R cos) per rack, rad/m");
  tap_near(power, 0.0, 1e-9, "a steering box: the power at its steering wheel is that of the rack");
  vd_arena_destroy(arena);
}

/* Finds the turns of two unequal arms in their plane at which the middle of the rod, whose length is constant, is
 * displaced by the rack: turns_at finds the first turn by bisection, other_arm the second one in closed form. */
static double other_arm(const double pivot[2][2], const double *arm, double length, const double *at, double near) {
  double to[2] = {at[0] - pivot[1][0], at[1] - pivot[1][1]}, reach2 = to[0] * to[0] + to[1] * to[1];
  double between = acos((reach2 + arm[1] * arm[1] - length * length) / (2.0 * sqrt(reach2) * arm[1]));
  double line = atan2(to[1], to[0]), one = line + between, two = line - between;
  return fabs(remainder(one - near, 2.0 * VD_PI)) < fabs(remainder(two - near, 2.0 * VD_PI)) ? one : two;
}

static void turns_at(const double pivot[2][2], const double joint[2][2], double rack, double *turn) {
  double arm[2], start[2], length = hypot(joint[0][0] - joint[1][0], joint[0][1] - joint[1][1]);
  for (int k = 0; k < 2; k++) {
    const double d[2] = {joint[k][0] - pivot[k][0], joint[k][1] - pivot[k][1]};
    arm[k] = hypot(d[0], d[1]);
    start[k] = atan2(d[1], d[0]);
  }
  double low = -0.4, high = 0.4; /* the rod moves to the left if an arm ahead of its pivot turns to the left */
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high), a = start[0] + middle;
    const double at[2] = {pivot[0][0] + arm[0] * cos(a), pivot[0][1] + arm[0] * sin(a)};
    double b = other_arm(pivot, arm, length, at, start[1]), y = pivot[1][1] + arm[1] * sin(b);
    turn[0] = middle;
    turn[1] = remainder(b - start[1], 2.0 * VD_PI);
    *(0.5 * (at[1] + y - joint[0][1] - joint[1][1]) < rack ? &low : &high) = middle;
  }
}

static void test_unequal_ratio(int pitman) {
  static const double pivot[2][2] = {{-0.33, 0.33}, {-0.27, -0.31}}, joint[2][2] = {{-0.18, 0.305}, {-0.18, -0.305}};
  const double ratio = 14.0, far = 1e-5;
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool good = read_file("dw_front_offroad", arena, &c);
  vd_gear *g = &c.points.gear;
  memcpy(g->axis, (const double[]){0.0, 0.0, 1.0}, sizeof g->axis);
  memcpy(g->pivot, (const double[]){pivot[0][0], pivot[0][1], 0.4}, sizeof g->pivot);
  memcpy(g->joint, (const double[]){joint[0][0], joint[0][1], 0.38}, sizeof g->joint);
  memcpy(g->other_pivot, (const double[]){pivot[1][0], pivot[1][1], 0.4}, sizeof g->other_pivot);
  memcpy(g->other_joint, (const double[]){joint[1][0], joint[1][1], 0.38}, sizeof g->other_joint);
  g->asymmetric = true;
  g->pitman_side = pitman;
  c.gear_ratio = ratio;
  double angle = 0.0, gain = 0.0;
  for (int k = -3; k <= 3 && good; k++) {
    const double rack = 0.012 * k;
    double turn[3][2];
    vd_kc_axle axle;
    axle_at(&c, rack, &axle);
    for (int i = 0; i < 3; i++)
      turns_at(pivot, joint, rack + (i - 1) * far, turn[i]);
    double way = axle.steering_wheel_gain < 0.0 ? -1.0 : 1.0;
    angle = tap_max(angle, fabs(way * axle.steering_wheel / ratio - turn[1][pitman]));
    gain =
        tap_max(gain, fabs(way * axle.steering_wheel_gain / ratio - (turn[2][pitman] - turn[0][pitman]) / (2.0 * far)));
  }
  tap_near(good ? angle : NAN, 0.0, 1e-12, "unequal arms, box on the %s one: triangles give its angle, rad",
           pitman ? "right" : "left");
  /* error of the differences: third derivative x h^2/6 < 1e4 1/m3 x 1e-10 m2/6 */
  tap_near(gain, 0.0, 1e-6, "unequal arms: the slope of the steering wheel's turn is that of differences, rad/m");
  vd_arena_destroy(arena);
}

/* Tests that the rack of a pitman arm is the path of its joint along its circle: a rack of R is one radian. */
static void test_pitman_ratio(void) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool good = read_file("panhard_front_offroad", arena, &c);
  const vd_gear *g = &c.points.gear;
  c.c_factor = NAN;
  c.gear_ratio = 16.0;
  double radius = hypot(g->joint[0] - g->pivot[0], g->joint[1] - g->pivot[1]), angle = 0.0, gain = 0.0;
  for (int k = -2; k <= 2 && good; k++) {
    vd_kc_axle axle;
    axle_at(&c, 0.03 * k, &axle);
    double way = axle.steering_wheel_gain < 0.0 ? -1.0 : 1.0;
    angle = tap_max(angle, fabs(way * axle.steering_wheel - 16.0 * 0.03 * k / radius));
    gain = tap_max(gain, fabs(way * axle.steering_wheel_gain - 16.0 / radius));
  }
  tap_near(good ? angle : NAN, 0.0, 1e-12,
           "an axle's pitman arm: the steering wheel turns by the ratio times rack divided by radius, rad");
  tap_near(gain, 0.0, 1e-10,
           "an axle's pitman arm: the steering wheel turns by the ratio divided by the radius per rack, rad/m");
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(3 * 6 + 3 * 6 + 6 * 3 + 12 * 2 + 2 * (4 + 2) + 2 + 2 * 5);
  test_front();
  test_side();
  test_forces("dw_front_sedan", 0.0);
  test_forces("dw_front_sedan", -0.03);
  test_forces("5link_rear_sedan", 0.02);
  test_forces("multilink_rear_compact", -0.02);
  test_forces("mp_front_compact", 0.03);
  test_forces("sta_rear_sedan", 0.02);
  test_rack("dw_front_sedan", 0.0, 0.0, AS_FILED);
  test_rack("dw_front_sedan", 0.02, -0.03, AS_FILED);
  test_rack("dw_front_sedan", -0.03, 0.025, AS_FILED);
  test_rack("dw_rear_sports", 0.01, 0.01, AS_FILED);
  test_rack("mp_front_compact", 0.0, 0.0, AS_FILED);
  test_rack("mp_front_compact", 0.02, 0.03, AS_FILED);
  test_rack("mp_rear_chapman", -0.02, -0.01, AS_FILED);
  test_rack("pushrod_front_formula", 0.01, 0.02, AS_FILED);
  test_rack("dw_front_offroad", 0.01, 0.02, AS_FILED);
  test_rack("dw_front_offroad", 0.02, 0.03, UNEQUAL_LEFT);
  test_rack("dw_front_offroad", 0.02, -0.03, UNEQUAL_RIGHT);
  test_rack("dw_front_offroad", -0.03, -0.025, UNEQUAL_LEFT);
  for (int pitman = 0; pitman < 2; pitman++) {
    test_gear_ratio(pitman);
    test_unequal_ratio(pitman);
  }
  test_pitman_ratio();
  test_steering_wheel(1.0);
  test_steering_wheel(-1.0);
  return tap_done();
}
