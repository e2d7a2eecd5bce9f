/* Figures of linkages that have closed forms, and relations between figures. */
#include "kc/sweep.h"
#include "linkages.h"

#include <gsl/gsl_linalg.h>

#include <stdio.h>

/* --- closed forms --- */

/* Makes two arms of equal length a, level and parallel, about axes along x, and an equal, parallel tie rod: the knuckle
 * does not turn; it moves on a circle of radius a, y = y0 + sqrt(a^2 - z^2) - a at the travel z. */
static vd_hardpoints parallel_arms(double length) {
  const double y = 0.7 - length;
  vd_hardpoints h = {
      .type = VD_DOUBLE_WISHBONE, .wheel_center = {0.0, 0.75, 0.3}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  add_arm(&h, "lca", (const double[]){0.15, y, 0.17}, (const double[]){-0.15, y, 0.17},
          (const double[]){0.0, 0.7, 0.17});
  add_arm(&h, "uca", (const double[]){0.1, y, 0.45}, (const double[]){-0.1, y, 0.45}, (const double[]){0.0, 0.7, 0.45});
  add_rod(&h, "tie_rod", (const double[]){-0.12, y, 0.25}, (const double[]){-0.12, 0.7, 0.25});
  h.member[2].steered = true;
  return h;
}

static void test_parallel_arms(void) {
  const double a = 0.35;
  vd_corner c = corner_of(parallel_arms(a));
  vd_linkage l = build(&c.points, VD_PARALLEL);
  double turned = 0.0, shifted = 0.0, centre = 0.0, angle = 0.0;
  for (int i = -5; i <= 5; i++) {
    double z = 0.02 * i, y = 0.75 + sqrt(a * a - z * z) - a, slope = -z / sqrt(a * a - z * z);
    vd_kc_state s = state_at(&c, &l, z, 0.0);
    turned = tap_max(turned, fabs(s.toe.v) + fabs(s.camber.v) + fabs(s.wheel_spin.v) + fabs(s.camber.d[0]));
    shifted = tap_max(shifted, fabs(s.wheel_y.v - y) + fabs(s.wheel_y.d[0] - slope) + fabs(s.wheel_x.v));
    /* the instant centre of parallel arms is at infinity along them, for both definitions */
    centre = tap_max(centre, fabs(s.roll_centre_z - (z + y * slope)) + fabs(s.roll_centre_planes_z - (z + y * slope)));
    angle = tap_max(angle, fabs(s.angle_lower - asin(z / a)) + fabs(s.angle_upper - asin(z / a)));
  }
  tap_near(turned, 0.0, 1e-13, "parallel equal arms: the wheel has no toe, camber, rotation or camber gain");
  tap_near(shifted, 0.0, 1e-13, "parallel equal arms: the wheel moves on a circle of the arms' length");
  tap_near(centre, 0.0, 1e-12, "parallel equal arms: both roll centres lie on the arms' direction through the patch");
  tap_near(angle, 0.0, 1e-13, "parallel equal arms: the angles of both arms are asin(z/length)");
}

/* Checks a trailing arm: about a hinge across the car at (x, z) = (p, h) the wheel moves on a circle. */
static void test_trailing_arm(void) {
  const double p = 0.45, height = 0.25, wheel[3] = {0.0, 0.74, 0.3};
  vd_hardpoints h = {.type = VD_TRAILING_ARM, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3, .members = 1};
  memcpy(h.wheel_center, wheel, sizeof wheel);
  h.member[0] = (vd_member){.kind = VD_HINGE, .name = "arm", .chassis = {{p, 0.3, height}, {p, 0.6, height}}};
  vd_corner c = corner_of(h);
  c.rear = true;
  c.wheelbase = 2.6;
  c.cg_height = 0.5;
  c.brake_share = 0.35;
  c.drive_share = 1.0;
  vd_linkage l = build(&h, VD_PARALLEL);
  double radius = hypot(p, wheel[2] - height), off = 0.0, slopes = 0.0;
  for (int i = -4; i <= 4; i++) {
    double z = wheel[2] + 0.02 * i - height, x = p - sqrt(radius * radius - z * z), design = wheel[2] - height;
    vd_kc_state s = state_at(&c, &l, 0.02 * i, 0.0);
    /* an arm behind its hinge rises when it turns in the direction of a wheel that rolls ahead */
    double turn = asin(z / radius) - asin(design / radius);
    off = tap_max(off, fabs(s.wheel_x.v - x) + fabs(s.toe.v) + fabs(s.camber.v) + fabs(s.wheel_y.v - wheel[1]));
    off = tap_max(off, fabs(s.angle_lower - turn) + fabs(s.wheel_spin.v - turn));
    slopes = tap_max(slopes, fabs(s.drive_slope - z / (p - x)) + fabs(s.brake_slope - (z - 0.3) / (p - x)));
    slopes = tap_max(slopes, fabs(s.roll_centre_height));
  }
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0);
  tap_near(off, 0.0, 1e-13, "trailing arm: the wheel moves on a circle about its hinge, and turns as the arm does");
  tap_near(slopes, 0.0, 1e-13,
           "trailing arm: patch and centre move at right angles to their lines to the hinge; the roll centre is on the "
           "road");
  tap_near(s.anti, 0.35 * 2.6 / 0.5 * height / p, 1e-13,
           "trailing arm: the anti-lift is that of the side-view line of the patch");
  tap_near(s.anti_drive, 1.0 * 2.6 / 0.5 * (height - 0.3) / p, 1e-13,
           "trailing arm: the anti-squat is that of the side-view line of the wheel centre");
  vd_kc_axle axle;
  vd_kc_state up = state_at(&c, &l, 0.05, 0.0), down = state_at(&c, &l, -0.05, 0.0);
  vd_kc_axle_at(&c, &l, &s, &s, &axle);
  tap_near(axle.cross_y, 0.0, 0.0, "trailing arm: the lines of both wheels are the road, and meet in the middle");
  vd_kc_axle_at(&c, &l, &up, &down, &axle);
  tap_ok(isnan(axle.cross_y) && isnan(axle.cross_z), "trailing arm: level lines at two heights do not meet");
  c.inboard_brakes = true;
  s = state_at(&c, &l, 0.0, 0.0);
  tap_near(s.anti, 0.35 * 2.6 / 0.5 * (height - 0.3) / p, 1e-13,
           "trailing arm: the anti-lift with inboard brakes is that of the line of the wheel centre");
}

/* Makes arms about axes along x: the knuckle moves in the y-z plane about the point where the arms' lines meet. */
static vd_hardpoints planar_arms(double tie_height) {
  vd_hardpoints h = {
      .type = VD_DOUBLE_WISHBONE, .wheel_center = {0.0, 0.75, 0.3}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  add_arm(&h, "lca", (const double[]){0.15, 0.3, 0.2}, (const double[]){-0.15, 0.3, 0.2},
          (const double[]){0.0, 0.7, 0.16});
  add_arm(&h, "uca", (const double[]){0.1, 0.4, 0.42}, (const double[]){-0.1, 0.4, 0.42},
          (const double[]){0.0, 0.65, 0.45});
  add_rod(&h, "tie_rod", (const double[]){-0.12, 0.35, tie_height}, (const double[]){-0.12, 0.68, 0.25});
  h.member[2].steered = true;
  return h;
}

static void test_planar(void) {
  /* lower: z = 0.23 - y/10; upper: z = 0.372 + 0.12 y; they meet at y = -0.142/0.22 */
  const double y = -0.142 / 0.22, z = 0.23 - 0.1 * y;
  double aimed = 0.25 + (z - 0.25) / (y - 0.68) * (0.35 - 0.68);
  vd_corner c = corner_of(planar_arms(aimed)), off = corner_of(planar_arms(aimed + 0.01));
  vd_linkage l = build(&c.points, VD_PARALLEL), other = build(&off.points, VD_PARALLEL);
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0), t = state_at(&off, &other, 0.0, 0.0);
  double roll_centre = z * 0.75 / (0.75 - y);
  tap_near(s.toe.d[0], 0.0, 1e-13, "a tie rod on the instant axis causes no bump steer");
  tap_ok(fabs(t.toe.d[0]) > 0.01, "a tie rod 10 mm off the instant axis steers the wheel");
  tap_near(s.camber.d[0], -1.0 / (0.75 - y), 1e-13, "the camber gain is minus one divided by the swing arm's length");
  tap_near(s.roll_centre_planes_z, roll_centre, 1e-13, "the roll centre of the planes is that by hand");
  tap_near(s.roll_centre_z, roll_centre, 1e-13,
           "the roll centre by the contact point's velocity is that of the planes");
  tap_near(t.roll_centre_planes_z, roll_centre, 1e-13, "the roll centre of the planes does not depend on the tie rod");
}

/* Tests a symmetric wheel. The lower links are the mirror image of the upper ones in the level plane of the wheel
 * centre, which contains the toe link: the wheel's motion in rebound mirrors that in bump. Toe and the displacements
 * along and across are even, camber and the rotation in side view odd. */
static void test_symmetric_five_link(void) {
  vd_hardpoints h = {
      .type = VD_FIVE_LINK, .wheel_center = {0.0, 0.75, 0.3}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  for (int side = 1; side >= -1; side -= 2) {
    add_rod(&h, side > 0 ? "upper_fore" : "lower_fore", (const double[]){0.3, 0.4, 0.3 + side * 0.16},
            (const double[]){0.05, 0.66, 0.3 + side * 0.19});
    add_rod(&h, side > 0 ? "upper_aft" : "lower_aft", (const double[]){-0.15, 0.35, 0.3 + side * 0.12},
            (const double[]){-0.06, 0.7, 0.3 + side * 0.14});
  }
  add_rod(&h, "toe_link", (const double[]){-0.2, 0.34, 0.3}, (const double[]){-0.14, 0.69, 0.3});
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_PARALLEL);
  double even = 0.0, odd = 0.0, moves = 0.0;
  for (int i = 1; i <= 8; i++) {
    vd_kc_state up = state_at(&c, &l, 0.01 * i, 0.0), down = state_at(&c, &l, -0.01 * i, 0.0);
    even = tap_max(even, fabs(up.toe.v - down.toe.v) + fabs(up.wheel_x.v - down.wheel_x.v) +
                             fabs(up.wheel_y.v - down.wheel_y.v));
    odd = tap_max(odd, fabs(up.camber.v + down.camber.v) + fabs(up.wheel_spin.v + down.wheel_spin.v));
    moves = tap_max(moves, tap_min(fabs(up.toe.v), fabs(up.camber.v)));
  }
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0);
  const vd_kc_row row = vd_kc_row_of(&l, &s);
  tap_near(even, 0.0, 1e-13, "symmetric five-link: toe and shifts are the same in bump and rebound");
  tap_near(odd, 0.0, 1e-13, "symmetric five-link: camber and the rotation in side view are opposite");
  tap_near(fabs(vd_kc_figure_si(VD_FIGURE_TOE_TRAVEL, &row)) + fabs(vd_kc_figure_si(VD_FIGURE_TRACK_TRAVEL, &row)), 0.0,
           1e-13, "symmetric five-link: there is no bump steer and no change of track at design");
  tap_ok(moves > 1e-3, "symmetric five-link: the wheel has toe and camber");
}

/* Tests that, if each arm consists of two rods, the axis of the released toe link passes through the ball joints. */
static void test_virtual_axis(void) {
  static const char *const names[] = {"lower_fore", "lower_aft", "upper_fore", "upper_aft"};
  const vd_hardpoints *dw = &corner_points[DW_FRONT_SPORTS];
  vd_hardpoints h = {.type = VD_FIVE_LINK, .static_radius = dw->static_radius};
  memcpy(h.wheel_center, dw->wheel_center, sizeof h.wheel_center);
  memcpy(h.spin_axis, dw->spin_axis, sizeof h.spin_axis);
  for (int i = 0; i < 4; i++)
    add_rod(&h, names[i], dw->member[i / 2].chassis[i % 2], dw->member[i / 2].knuckle);
  add_rod(&h, "toe_link", dw->member[2].chassis[0], dw->member[2].knuckle);
  h.member[4].steered = true;
  /* a spring on the lower ball joint does not move when the wheel is steered */
  h.spring = (vd_element){.given = true, .chassis = {0.05, 0.5, 0.6}, .on = VD_ON_KNUCKLE};
  memcpy(h.spring.eye, dw->member[0].knuckle, sizeof h.spring.eye);
  vd_corner arms = corner_of(*dw), rods = corner_of(h);
  vd_linkage a = build(dw, VD_PARALLEL), r = build(&h, VD_PARALLEL);
  double worst = 0.0;
  for (int i = -2; i <= 2; i++) {
    vd_kc_state s = state_at(&arms, &a, 0.03 * i, 0.005 * i), t = state_at(&rods, &r, 0.03 * i, 0.005 * i);
    const vd_jet *const of_arms[] = {&s.caster, &s.kpi, &s.scrub, &s.trail, &s.kingpin_offset, &s.spindle_trail};
    const vd_jet *const of_rods[] = {&t.caster, &t.kpi, &t.scrub, &t.trail, &t.kingpin_offset, &t.spindle_trail};
    for (size_t k = 0; k < VD_COUNT(of_arms); k++) {
      double apart = fabs(of_arms[k]->v - of_rods[k]->v);
      for (int j = 0; j < VD_INPUTS; j++)
        apart = tap_max(apart, fabs(of_arms[k]->d[j] - of_rods[k]->d[j]));
      for (int j = 0; j < VD_SECONDS; j++)
        apart = tap_max(apart, 1e-2 * fabs(of_arms[k]->h[j] - of_rods[k]->h[j]));
      worst = tap_max(worst, apart);
    }
  }
  tap_near(worst, 0.0, 1e-11, "a double wishbone as five rods has the same steering axis, with its derivatives");
  vd_kc_state s = state_at(&arms, &a, 0.0, 0.0);
  tap_near(s.caster.v, atan2(-0.01, 0.4), 1e-14, "by hand: the caster is that of the axis through the ball joints");
  tap_near(s.kpi.v, atan2(0.05, 0.4), 1e-14,
           "by hand: the kingpin inclination is that of the axis through the ball joints");
  /* on the axis: y = 0.75 - z'/8, x = -0.02 + z'/40 at z' over the lower joint at 0.15 */
  tap_near(s.scrub.v, 0.79 - (0.75 + 0.15 / 8.0), 1e-14, "by hand: the scrub radius is that at the road");
  tap_near(s.trail.v, -0.02 - 0.15 / 40.0, 1e-14, "by hand: the mechanical trail is that at the road");
  tap_near(s.kingpin_offset.v, 0.79 - (0.75 - 0.18 / 8.0), 1e-14,
           "by hand: the kingpin offset is that at the wheel centre");
  tap_near(s.spindle_trail.v, -0.02 + 0.18 / 40.0, 1e-14, "by hand: the spindle trail is that at the wheel centre");
  vd_corner ta = corner_of(corner_points[TA_REAR_SEDAN]);
  vd_linkage hinge = build(&ta.points, VD_PARALLEL);
  s = state_at(&ta, &hinge, 0.0, 0.0);
  tap_ok(isnan(s.caster.v) && isnan(s.scrub.d[0]) && isnan(s.caster_seed.h[0]), "a trailing arm has no steering axis");
}

/* --- the right side --- */

static void mirror(double *v) {
  v[1] = -v[1];
}

static void test_mirror(enum corner_of which) {
  const vd_hardpoints *h = &corner_points[which];
  vd_hardpoints other = *h;
  mirror(other.wheel_center);
  mirror(other.spin_axis);
  for (int i = 0; i < other.members; i++) {
    mirror(other.member[i].chassis[0]);
    mirror(other.member[i].chassis[1]);
    mirror(other.member[i].knuckle);
  }
  vd_linkage l = build(h, VD_PARALLEL), r = build(&other, VD_PARALLEL);
  double worst = 0.0;
  for (int i = -5; i <= 5; i++) {
    vd_pose left, right;
    double rack = vd_kc_steered(&l) ? 0.004 * i : 0.0;
    bool ok = reach(&l, 0.015 * i, rack, &left) && reach(&r, 0.015 * i, -rack, &right);
    worst = tap_max(worst, ok ? 0.0 : INFINITY);
    for (int a = 0; a < 3; a++) {
      worst = tap_max(worst, fabs(left.at[a] - (a == 1 ? -1.0 : 1.0) * right.at[a]));
      for (int b = 0; b < 3; b++)
        worst = tap_max(worst, fabs(left.turn[a][b] - ((a == 1) != (b == 1) ? -1.0 : 1.0) * right.turn[a][b]));
    }
  }
  tap_near(worst, 0.0, 1e-13, "%s: the right corner is the mirror of the left", corner_names[which]);
}

/* --- work --- */

/* Computes the forces in five rods and at the held travel that balance a force at the patch, by statics alone. */
static bool hold(const vd_hardpoints *h, const vd_pose *pose, const double *patch, const double *force, double *out) {
  double jacobian[36], right[6];
  for (int i = 0; i < 5; i++) {
    const vd_member *m = &h->member[i];
    double r[3], d[3], length = 0.0;
    for (int a = 0; a < 3; a++) {
      r[a] = 0.0;
      for (int b = 0; b < 3; b++)
        r[a] += pose->turn[a][b] * (m->knuckle[b] - h->wheel_center[b]);
      d[a] = pose->at[a] + r[a] - m->chassis[0][a] - (m->steered && a == 1 ? pose->u[1] : 0.0);
      length += d[a] * d[a];
    }
    for (int a = 0; a < 3; a++) {
      jacobian[6 * a + i] = d[a] / sqrt(length);
      jacobian[6 * (a + 3) + i] = (r[(a + 1) % 3] * d[(a + 2) % 3] - r[(a + 2) % 3] * d[(a + 1) % 3]) / sqrt(length);
    }
  }
  for (int a = 0; a < 6; a++)
    jacobian[6 * a + 5] = a == 2;
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    right[a] = force[a];
    right[a + 3] = (patch[b] - pose->at[b]) * force[c] - (patch[c] - pose->at[c]) * force[b];
  }
  int sign;
  gsl_matrix_view matrix = gsl_matrix_view_array(jacobian, 6, 6);
  gsl_vector_view b = gsl_vector_view_array(right, 6), x = gsl_vector_view_array(out, 6);
  gsl_permutation *p = gsl_permutation_alloc(6);
  bool ok = gsl_linalg_LU_decomp(&matrix.matrix, p, &sign) == 0 &&
            gsl_linalg_LU_solve(&matrix.matrix, p, &b.vector, &x.vector) == 0;
  gsl_permutation_free(p);
  return ok;
}

static double random_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)*seed / 2147483648.0 - 1.0;
}

/* Compares reactions by statics at the travel and at the rack with the rates of the figures. At the patch of a wheel
 * that is free about its axis the force has no component along the heading; with a locked brake it has any
 * direction. */
static void test_virtual_work(void) {
  const vd_hardpoints *dw = &corner_points[DW_FRONT_SPORTS];
  vd_hardpoints rods = {.type = VD_FIVE_LINK, .static_radius = dw->static_radius};
  memcpy(rods.wheel_center, dw->wheel_center, sizeof rods.wheel_center);
  memcpy(rods.spin_axis, dw->spin_axis, sizeof rods.spin_axis);
  for (int i = 0; i < 4; i++)
    add_rod(&rods, "link", dw->member[i / 2].chassis[i % 2], dw->member[i / 2].knuckle);
  add_rod(&rods, "toe_link", dw->member[2].chassis[0], dw->member[2].knuckle);
  rods.member[4].steered = true;
  vd_corner c = corner_of(rods);
  vd_linkage l = build(&rods, VD_PARALLEL);
  unsigned seed = 1;
  double worst = 0.0, ahead = 0.0;
  for (int n = 0; n < 50; n++) {
    vd_pose pose;
    double travel = 0.08 * random_number(&seed), rack = 0.02 * random_number(&seed);
    double across = random_number(&seed), up = random_number(&seed), lambda[6];
    double rate[2] = {random_number(&seed), random_number(&seed)};
    reach(&l, travel, rack, &pose);
    vd_kc_state s = state_at(&c, &l, travel, rack);
    const double patch[3] = {s.patch_x.v, s.patch_y.v, s.patch_z.v};
    const double force[3] = {across * sin(s.toe.v), across * cos(s.toe.v), up};
    /* the equation of the travel is z - z0 = travel; that of the toe link changes by -d_y per shift of the rack */
    double power = 0.0, forces = 0.0;
    bool ok = hold(&rods, &pose, patch, force, lambda);
    vd_jet3 outer = vd_pose_point(&l, &pose, rods.member[4].knuckle);
    const double *inner = rods.member[4].chassis[0];
    double dx = outer.x.v - inner[0], dy = outer.y.v - inner[1] - rack, dz = outer.z.v - inner[2];
    forces = lambda[5] * rate[0] + lambda[4] * dy / sqrt(dx * dx + dy * dy + dz * dz) * rate[1];
    for (int j = 0; j < 2; j++)
      power += rate[j] * (force[0] * s.patch_x.d[j] + force[1] * s.patch_y.d[j] + force[2] * s.patch_z.d[j]);
    worst = tap_max(worst, ok ? fabs(power - forces) : INFINITY);
    ok = hold(&rods, &pose, patch, (const double[]){1.0, 0.0, 0.0}, lambda);
    ahead = tap_max(ahead, ok ? fabs(lambda[5] - s.brake_slope) : INFINITY);
  }
  tap_near(worst, 0.0, 1e-12, "50 random loads: generalised forces times rates are the power at the patch");
  tap_near(ahead, 0.0, 1e-12,
           "50 random places: the reaction of the travel to a longitudinal force is the slope of the patch");
}

/* Compares the gradient of an element with the derivatives of its length. */
static void test_elements(void) {
  vd_corner c = corner_of(corner_points[DW_FRONT_SPORTS]);
  const vd_element on_arm = c.points.spring;
  vd_element on_knuckle = on_arm, on_rod = on_arm, rocker = on_arm;
  on_knuckle.on = VD_ON_KNUCKLE;
  on_rod.on = VD_ON_MEMBER + 2;
  memcpy(on_rod.eye, (const double[]){-0.3, 0.6, 0.2}, sizeof on_rod.eye);
  rocker = (vd_element){.given = true,
                        .chassis = {-0.05, 0.1, 0.5},
                        .eye = {-0.05, 0.36, 0.62},
                        .on = VD_ON_MEMBER,
                        .rocker = true,
                        .pivot = {-0.05, 0.4, 0.5},
                        .axis = {1.0, 0.0, 0.1},
                        .rod_part = {-0.04, 0.65, 0.16},
                        .rod_rocker = {-0.05, 0.5, 0.55}};
  const struct {
    const char *name;
    const vd_element *element;
  } of[] = {{"an arm", &on_arm}, {"the knuckle", &on_knuckle}, {"the tie rod", &on_rod}, {"a rocker", &rocker}};
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_pose pose;
  reach(&l, 0.04, 0.012, &pose);
  for (size_t i = 0; i < VD_COUNT(of); i++) {
    vd_jet3 force, moment;
    vd_jet length = vd_element_length(&l, &pose, of[i].element);
    vd_element_gradient(&l, &pose, of[i].element, &force, &moment);
    /* the eye on the tie rod also moves with the rack, which does not follow from the knuckle's motion */
    int inputs = of[i].element == &on_rod ? 1 : 2;
    double worst = 0.0;
    for (int j = 0; j < inputs; j++) {
      const double *v = pose.velocity[j], *w = pose.spin[j];
      double rate = force.x.v * v[0] + force.y.v * v[1] + force.z.v * v[2] + moment.x.v * w[0] + moment.y.v * w[1] +
                    moment.z.v * w[2];
      worst = tap_max(worst, fabs(rate - length.d[j]));
    }
    tap_near(worst, 0.0, 1e-13, "coil on %s: its gradient gives the rate of its length", of[i].name);
  }
  /* the point at a share of the tie rod, at a shifted rack */
  vd_jet3 point = vd_member_point(&l, &pose, 2, on_rod.eye),
          outer = vd_pose_point(&l, &pose, c.points.member[2].knuckle);
  /* the point of the line that is nearest to the eye */
  double share = (0.25 * 0.39 + 0.02 * 0.03) / (0.39 * 0.39 + 0.03 * 0.03);
  tap_near(point.y.v, (1.0 - share) * (0.35 + 0.012) + share * outer.y.v, 1e-14,
           "a point of the tie rod moves with the rack");
}

static void test_wheel_rate(void) {
  vd_corner c = corner_of(corner_points[DW_FRONT_SPORTS]);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  c.spring_rate = 4e4;
  c.wheel_load = 4000.0;
  c.tyre_rate = 2e5;
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0), t = state_at(&c, &l, 0.05, 0.0);
  tap_near(s.spring_force * s.motion_ratio, 4000.0, 1e-9, "the spring carries the wheel's load at the design position");
  tap_near(t.spring_force, s.spring_force + 4e4 * (s.spring_length.v - t.spring_length.v), 1e-9,
           "the force of the spring grows by its rate");
  tap_near(t.ride_rate, 1.0 / (1.0 / t.wheel_rate + 1.0 / 2e5), 1e-8,
           "the ride rate is that of wheel rate and tyre in series");
  c.spring_load = 5000.0;
  s = state_at(&c, &l, 0.0, 0.0);
  tap_near(s.spring_force, 5000.0, 1e-9, "a given spring load is its force");
  c.spring_load = c.wheel_load = NAN;
  s = state_at(&c, &l, 0.0, 0.0);
  tap_ok(isnan(s.wheel_rate) && isnan(s.ride_rate) && s.motion_ratio > 0.0, "there is no wheel rate without a load");
}

/* --- axles --- */

/* Computes the figures of an axle whose wheels have these steering angles. */
static vd_kc_axle steered_axle(const vd_corner *c, const vd_linkage *l, double left, double right) {
  vd_kc_state wheel[2] = {state_at(c, l, 0.0, 0.0), state_at(c, l, 0.0, 0.0)};
  vd_kc_axle axle;
  wheel[0].steer.v = left;
  wheel[1].steer.v = -right;
  vd_kc_axle_at(c, l, &wheel[0], &wheel[1], &axle);
  return axle;
}

static void test_ackermann(void) {
  const double base = 2.6, y = 0.79, distance = 5.0;
  vd_corner c = corner_of(corner_points[DW_FRONT_SPORTS]);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  c.wheelbase = base;
  double inner = atan(base / (distance - y)), outer = atan(base / (distance + y));
  vd_kc_axle axle = steered_axle(&c, &l, inner, outer);
  tap_near(axle.ackermann, 1.0, 1e-12, "Ackermann: the share is 100 %% if the normals meet on the rear axle");
  tap_near(axle.turning_circle, 2.0 * hypot(base, distance + y), 1e-12,
           "turning circle: it is that of the outer contact point");
  axle = steered_axle(&c, &l, -outer, -inner);
  tap_near(axle.ackermann, 1.0, 1e-12, "Ackermann: the share is the same for a turn to the right");
  axle = steered_axle(&c, &l, 0.3, 0.3);
  tap_near(axle.ackermann, 0.0, 1e-12, "Ackermann: the share is 0 with parallel wheels");
  axle = steered_axle(&c, &l, outer, inner);
  tap_ok(axle.ackermann < 0.0, "Ackermann: the share is negative if the outer wheel turns more");
  axle = steered_axle(&c, &l, 0.0, 0.0);
  tap_ok(isnan(axle.ackermann), "Ackermann: there is no share straight ahead");
  /* by Ackermann the inner wheel would turn more by only 1e-5 rad x 1e-5 rad x 1.6 m/2.6 m */
  axle = steered_axle(&c, &l, 1e-5, -2e-6);
  tap_ok(isnan(axle.ackermann), "Ackermann: the share is undefined if the angles are those of toe");
  c.rear = true;
  axle = steered_axle(&c, &l, -inner, -outer);
  tap_near(axle.ackermann, 1.0, 1e-12, "Ackermann: a rear axle that steers to the right turns the car to the left");
}

/* Tests that an axle on level rods along the car and a level Panhard rod rolls about a point at the height of the
 * Panhard rod. */
static void test_panhard(void) {
  const double bar = 0.28;
  vd_hardpoints h = {
      .type = VD_PANHARD_AXLE, .wheel_center = {-1.35, 0.75, 0.3}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  add_rod(&h, "lower_left", (const double[]){-0.8, 0.5, 0.2}, (const double[]){-1.35, 0.5, 0.2});
  add_rod(&h, "lower_right", (const double[]){-0.8, -0.5, 0.2}, (const double[]){-1.35, -0.5, 0.2});
  add_rod(&h, "upper", (const double[]){-0.9, 0.0, 0.45}, (const double[]){-1.3, 0.0, 0.45});
  add_rod(&h, "panhard", (const double[]){-1.5, 0.5, bar}, (const double[]){-1.5, -0.5, bar});
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_PARALLEL);
  vd_kc_state left, right;
  vd_kc_axle axle;
  vd_pose pose;
  const vd_kc_view other = {.right = true, .along = {1.0, 1.0}};
  reach(&l, 0.0, 0.0, &pose);
  vd_kc_state_at(&c, &l, &pose, &left);
  vd_kc_state_in_view(&c, &l, &pose, &other, &right);
  vd_kc_axle_at(&c, &l, &left, &right, &axle);
  tap_near(left.roll_centre_z, bar, 1e-13, "Panhard axle: the roll centre by the left wheel is at the rod");
  tap_near(right.roll_centre_z, bar, 1e-13, "Panhard axle: the roll centre by the right wheel is at the rod");
  tap_near(axle.cross_z, bar, 1e-13, "Panhard axle: the roll centre is where both lines meet");
  tap_near(axle.cross_y, 0.0, 1e-12, "Panhard axle: both lines meet in the car's middle");
  reach(&l, 0.05, -0.05, &pose);
  vd_kc_state_at(&c, &l, &pose, &left);
  vd_kc_state_in_view(&c, &l, &pose, &other, &right);
  vd_kc_axle_at(&c, &l, &left, &right, &axle);
  tap_near(left.camber.v, -right.camber.v, 1e-13, "a rigid axle rolled: the camber angles of both wheels are opposite");
  tap_near(left.toe.v, -right.toe.v, 1e-13, "a rigid axle rolled: the toe angles of both wheels are opposite");
  tap_ok(axle.roll < 0.0 && left.camber.v < 0.0,
         "with the left wheel up the body rolls to the left relative to the road");
  reach(&l, 0.05, 0.05, &pose);
  vd_kc_state_at(&c, &l, &pose, &left);
  tap_near(left.camber.v, 0.0, 2e-3, "a rigid axle in heave has nearly no camber");
}

/* --- sweeps --- */

/* Checks that a linkage closes within 1e-12 m over all of the default travel and rack. */
static void test_residuals(enum corner_of which) {
  vd_linkage l = build(&corner_points[which], VD_PARALLEL);
  int racks = vd_kc_steered(&l) ? 8 : 0;
  double worst = 0.0;
  for (int i = -20; i <= 20; i++)
    for (int k = -racks; k <= racks; k++) {
      vd_pose pose;
      bool ok = reach(&l, 5e-3 * i, 5e-3 * k, &pose);
      worst = tap_max(worst, ok ? vd_linkage_residual(&l, &pose) : INFINITY);
    }
  tap_near(worst, 0.0, 1e-12, "%s: the linkage closes over travel and rack", corner_names[which]);
}

static long lines(const char *text) {
  long count = 0;
  for (; text && *text; text++)
    count += *text == '\n';
  return count;
}

/* Tests a dead point. Level arms of 80 mm are upright at 80 mm of travel: there all rates are infinite, and no travel
 * beyond is possible. */
static void test_lock(void) {
  static const char *const up =
      "sweep 'travel': the left wheel cannot reach travel 80 mm; the last travel that it reaches is ";
  vd_corner c = corner_of(parallel_arms(0.08));
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_report report;
  vd_buf out = {0};
  memset(plan.sweep, 0, sizeof plan.sweep);
  plan.sweep[VD_KC_TRAVEL] = true;
  plan.side = VD_KC_BOTH;
  bool complete = vd_kc_sweep_write(&c, &plan, &out, &report);
  const char *words = report.messages.text ? report.messages.text : "";
  tap_ok(!complete && report.missing > 0, "the sweep of a linkage that locks is not complete");
  tap_ok(strncmp(words, up, strlen(up)) == 0, "the first point that is out of reach, the dead point itself, is named");
  const char *is = strstr(words, "reaches is ");
  double last = is ? strtod(is + strlen("reaches is "), NULL) : NAN;
  tap_near(last, 80.0, 1e-3, "the message on an unreachable point has the last travel, that of upright arms");
  tap_ok(lines(words) == 3, "the unreachable points of both ends and both wheels are named");
  /* travels 5 mm apart, below 80 mm */
  tap_ok(report.rows == 2 * 31 && report.missing == 2 * 10 && lines(out.text) == report.rows + 1,
         "travels at which the linkage closes have their rows");
  tap_ok(!strstr(out.text, "nan") && !strstr(out.text, "inf"), "all numbers of a partial sweep are finite");
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_pose pose;
  tap_ok(reach(&l, 1e-3 * last, 0.0, &pose), "the travel that a message names can be reached");
  vd_buf_finish(&out);
  vd_buf_finish(&report.messages);
}

int main(void) {
  tap_plan(4 + 7 + 6 + 4 + 8 + 4 + 2 + 5 + 5 + 8 + 8 + 4 + 7);
  test_parallel_arms();
  test_trailing_arm();
  test_planar();
  test_symmetric_five_link();
  test_virtual_axis();
  for (int i = 0; i < CORNERS_OF; i++)
    test_mirror((enum corner_of)i);
  test_virtual_work();
  test_elements();
  test_wheel_rate();
  test_ackermann();
  test_panhard();
  for (int i = 0; i < CORNERS_OF; i++)
    test_residuals((enum corner_of)i);
  test_lock();
  return tap_done();
}
