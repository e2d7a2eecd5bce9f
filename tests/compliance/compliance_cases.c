/* Equilibrium of corners of every kind on bushings: reciprocity, work and energy, derivatives compared with
 * differences, mirror images, springs, and one result from any start. */
#include "bushed.h"
#include "corners.h"
#include "kc/kc.h"
#include "tap.h"

#include <gsl/gsl_integration.h>

/* A corner of each kind; then mixed corners with bushings and ball joints, elastic and rigid ones together, and springs
 * on arms and rods. */
enum { MIXED = 4, CASES = CORNERS_OF + MIXED };

static const char *const case_names[CASES] = {"mp_front_sedan",
                                              "dw_front_sports",
                                              "ta_rear_sedan",
                                              "5link_rear_sports",
                                              "strut with a mount",
                                              "rigid upper arm with an elastic ball joint",
                                              "spring on an elastic rod",
                                              "push rod"};

static bool case_springs(int which) {
  return which != TA_REAR_SEDAN && which != FIVE_LINK_REAR_SPORTS;
}

static vd_corner case_of(int which) {
  static const enum corner_of base[CASES] = {MP_FRONT_SEDAN,        DW_FRONT_SPORTS, TA_REAR_SEDAN,
                                             FIVE_LINK_REAR_SPORTS, MP_FRONT_SEDAN,  DW_FRONT_SPORTS,
                                             FIVE_LINK_REAR_SPORTS, DW_FRONT_SPORTS};
  vd_corner c = corner_with_bushings(base[which]);
  c.spring_rate = which == DW_FRONT_SPORTS ? 9e4 : 3e4;
  c.wheel_load = 4200.0;
  switch (which - CORNERS_OF) {
  case 0: /* a mount; an arm on one bushing and one ball joint; a rod with an elastic ball joint; a given spring load */
    c.bushing[1][0] = (vd_bushing){true, {8e5, 6e5, 9e5, 300.0, 400.0, 500.0}};
    c.bushing[0][1].given = false;
    c.ball_stiffness[2] = 5e5;
    c.spring_load = 3800.0;
    break;
  case 1: /* a rigid hinge with an elastic ball joint; a rigid rod */
    c.bushing[1][0].given = c.bushing[1][1].given = false;
    c.ball_stiffness[1] = 4e5;
    c.ball_stiffness[0] = 8e5;
    c.bushing[2][0].given = false;
    break;
  case 2:
    c.points.spring =
        (vd_element){.given = true, .chassis = {-1.42, 0.6, 0.52}, .eye = {-1.47, 0.62, 0.16}, .on = VD_ON_MEMBER + 3};
    break;
  case 3: /* on the rigid lower arm, through a rocker */
    c.bushing[0][0].given = c.bushing[0][1].given = false;
    c.points.spring = (vd_element){.given = true,
                                   .chassis = {0.3, 0.4, 0.6},
                                   .eye = {0.05, 0.45, 0.66},
                                   .on = VD_ON_MEMBER + 0,
                                   .rocker = true,
                                   .pivot = {0.0, 0.45, 0.58},
                                   .axis = {0.1, 1.0, 0.0},
                                   .rod_part = {-0.03, 0.68, 0.15},
                                   .rod_rocker = {-0.09, 0.5, 0.57}};
    break;
  }
  return c;
}

/* Tests Maxwell and Betti's theorem under loads that have a potential: forces of constant direction at the wheel
 * centre, and the road's vertical force on a round wheel. The condition number of the matrix, 1e4 for scaled
 * stiffnesses, multiplies the rounding error: 1e-12; the tolerance is 1e-9. */
static void test_reciprocity(int which, enum vd_hold hold) {
  vd_corner corner = case_of(which);
  rig r;
  double worst = 0.0;
  set_up(&r, &corner, hold);
  for (int k = 0; k < 3; k++) {
    vd_compliance_state s;
    double f[6][6], most = 0.0, travel = hold == VD_HOLD_CENTRE ? 0.03 * (k - 1) : 0.0;
    bool ok = solve(&r, travel, 0.0,
                    (vd_wheel_load){.centre = {-1000.0 * k, 1500.0 * (k - 1)}, .fz = 3800.0 + 300.0 * k}, &s);
    memcpy(f, s.flexibility, sizeof f);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        most = tap_max(most, fabs(f[i][j]));
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        worst = tap_max(worst, ok ? fabs(f[i][j] - f[j][i]) / most : INFINITY);
    double block = 0.0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        block = tap_max(block, fabs(f[i][j]));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        worst = tap_max(worst, fabs(f[i][j] - f[j][i]) / block);
  }
  tap_near(worst, 0.0, 1e-9, "%s, %s: the compliance under forces is reciprocal", case_names[which],
           hold == VD_HOLD_CENTRE ? "given height" : "spring");
  tear_down(&r);
}

/* Computes forces along a curved path: their work on wheel centre and contact, by Gauss and Legendre's 24 points on the
 * solved rates, is the stored energy. The path is smooth, so that the quadrature's error is far below rounding, which
 * is 1e-15 of some 300 J in a spring, divided by the work of some J. */
static vd_wheel_load path_at(double t, bool spring, double *rate) {
  vd_wheel_load l = {.centre = {-2500.0 * t * t, 3000.0 * sin(1.2 * t)}, .fz = (spring ? 4200.0 : 0.0) + 1500.0 * t};
  rate[0] = -5000.0 * t;
  rate[1] = 3600.0 * cos(1.2 * t);
  rate[2] = 1500.0;
  return l;
}

static void test_work(int which, enum vd_hold hold) {
  vd_corner corner = case_of(which);
  vd_compliance_state first, last, s;
  bool spring = hold == VD_HOLD_FREE;
  double rate[3], work = 0.0, travel = spring ? 0.0 : 0.02;
  rig r;
  set_up(&r, &corner, hold);
  gsl_integration_glfixed_table *points = gsl_integration_glfixed_table_alloc(24);
  bool ok = solve(&r, travel, 0.0, path_at(0.0, spring, rate), &first);
  ok = ok && solve(&r, travel, 0.0, path_at(1.0, spring, rate), &last);
  for (size_t i = 0; i < 24; i++) {
    double t, weight, f[3][6], by[3];
    gsl_integration_glfixed_point(0.0, 1.0, i, &t, &weight, points);
    vd_wheel_load l = path_at(t, spring, rate);
    ok = ok && solve(&r, travel, 0.0, l, &s);
    for (int row = 0; row < 6; row++) {
      f[0][row] = s.flexibility[row][0];
      f[1][row] = s.flexibility[row][1];
    }
    vd_compliance_at_contact(&s, 2, f[2]);
    for (int j = 0; j < 3; j++) {
      cross(f[j] + 3, s.contact, by);
      work += weight * rate[j] * (dot(l.centre, f[j]) + l.fz * (f[j][2] + by[2]));
    }
  }
  gsl_integration_glfixed_table_free(points);
  tap_near(ok ? (last.energy - first.energy) / work : NAN, 1.0, 1e-9, "%s, %s: the corner stores the work of forces",
           case_names[which], spring ? "spring" : "given height");
  tear_down(&r);
}

static vd_wheel_load more(vd_wheel_load l, int column, double by) {
  for (int i = 0; i < 3; i++)
    l.centre[i] += column == i ? by : 0.0;
  l.mz += column == 5 ? by : 0.0;
  return l;
}

/* Computes the central differences of place and rotation. The rotation is half the skew part of R(+-h) R(0)'; its error
 * is odd in h, so that the difference has even powers of h only. */
static bool difference(const rig *r, double travel, vd_wheel_load l, int column, double h, double *out) {
  vd_compliance_state middle, side[2];
  bool ok = solve(r, travel, 0.0, l, &middle) && solve(r, travel, 0.0, more(l, column, -h), &side[0]) &&
            solve(r, travel, 0.0, more(l, column, h), &side[1]);
  for (int i = 0; i < 3; i++) {
    double w[2];
    for (int k = 0; k < 2; k++) {
      int a = (i + 2) % 3, b = (i + 1) % 3;
      w[k] = 0.5 * (dot(side[k].pose.turn[a], middle.pose.turn[b]) - dot(side[k].pose.turn[b], middle.pose.turn[a]));
    }
    out[i] = (side[1].pose.at[i] - side[0].pose.at[i]) / (2.0 * h);
    out[3 + i] = (w[1] - w[0]) / (2.0 * h);
  }
  return ok;
}

/* Compares the flexibility with differences. Richardson's extrapolation from h = 80 N and 40 N (8 N m and 4 N m) has
 * two errors: rounding of 1e-15 divided by a motion of 1e-5, and the fourth power of motions of 1e-4 m (on the spring 3
 * mm) divided by lengths of 0.3 m. The worst error is 1e-8. */
static void test_differences(int which, enum vd_hold hold) {
  static const int columns[4] = {0, 1, 2, 5};
  vd_corner corner = case_of(which);
  vd_compliance_state s;
  rig r;
  double worst = 0.0, travel = hold == VD_HOLD_CENTRE ? -0.03 : 0.0;
  set_up(&r, &corner, hold);
  bool ok = solve(&r, travel, 0.0, braking, &s);
  for (int c = 0; c < 4; c++) {
    double whole[6], half[6], h = columns[c] == 5 ? 8.0 : 80.0, most = 0.0, off = 0.0;
    ok = ok && difference(&r, travel, braking, columns[c], h, whole);
    ok = ok && difference(&r, travel, braking, columns[c], 0.5 * h, half);
    for (int i = 0; i < 6; i++) {
      most = tap_max(most, fabs(s.flexibility[i][columns[c]]));
      off = tap_max(off, fabs((4.0 * half[i] - whole[i]) / 3.0 - s.flexibility[i][columns[c]]));
    }
    worst =
        tap_max(worst, most > 1e-12 ? off / most : 0.0); /* an upright wheel of given height has no compliance by fz */
  }
  tap_near(ok ? worst : NAN, 0.0, 1e-8, "%s, %s: flexibility is the slope of the equilibria", case_names[which],
           hold == VD_HOLD_CENTRE ? "given height" : "spring");
  tear_down(&r);
}

/* --- mirror images --- */

static void mirror_element(vd_element *e) {
  double *points[] = {e->chassis, e->eye, e->pivot, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < VD_COUNT(points); i++)
    points[i][1] = -points[i][1];
  e->axis[0] = -e->axis[0]; /* an axis of rotation is a pseudovector; its sign is free */
  e->axis[2] = -e->axis[2];
}

static vd_corner mirrored(vd_corner c) {
  c.points.wheel_center[1] *= -1.0;
  c.points.spin_axis[1] *= -1.0;
  for (int m = 0; m < c.points.members; m++) {
    vd_member *member = &c.points.member[m];
    member->chassis[0][1] *= -1.0;
    member->chassis[1][1] *= -1.0;
    member->knuckle[1] *= -1.0;
  }
  mirror_element(&c.points.spring);
  return c;
}

static void test_mirror(int which, enum vd_hold hold) {
  vd_corner left = case_of(which), right = mirrored(left);
  vd_compliance_state s, m;
  rig l, r;
  double travel = hold == VD_HOLD_CENTRE ? 0.04 : 0.0, rack = left.rear ? 0.0 : 0.01, worst = 0.0;
  vd_wheel_load load = braking, other = braking;
  other.fy = -load.fy;
  other.mz = -load.mz;
  set_up(&l, &left, hold);
  set_up(&r, &right, hold);
  bool ok = solve(&l, travel, rack, load, &s) && solve(&r, travel, -rack, other, &m);
  for (int i = 0; i < 3; i++) {
    double sign = i == 1 ? -1.0 : 1.0;
    worst = tap_max(worst, fabs(s.pose.at[i] - sign * m.pose.at[i]));
    for (int j = 0; j < 3; j++)
      worst = tap_max(worst, fabs(s.pose.turn[i][j] - sign * (j == 1 ? -1.0 : 1.0) * m.pose.turn[i][j]));
  }
  tap_near(ok ? worst : NAN, 0.0, 1e-12, "%s, %s: the right corner is the left one's mirror image", case_names[which],
           hold == VD_HOLD_CENTRE ? "given height" : "spring");
  tear_down(&l);
  tear_down(&r);
}

/* --- spring --- */

/* Tests the height on a spring. Rigid links on a spring have the potential V(z) = U(L(z)) - fz h(z), with h the height
 * of the disc's lowest point. At design V' = 0 under the wheel load, and dz/dfz = h'/(k L'^2 - F L'' - fz h''). */
static void test_spring(int which) {
  vd_corner corner = case_of(which);
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  double by_load[6];
  vd_kc_state at_design;
  without_bushings(&corner);
  for (int m = 0; m < VD_MEMBERS; m++)
    corner.ball_stiffness[m] = INFINITY;
  corner.spring_load = NAN;
  set_up(&r, &corner, VD_HOLD_FREE);
  bool ok = solve(&r, 0.0, 0.0, (vd_wheel_load){.fz = corner.wheel_load}, &s);
  rigid_pose(&r, 0.0, 0.0, &pose);
  tap_near(ok ? apart(&s.pose, &pose) : NAN, 0.0, 1e-12,
           "%s: rigid links on a spring rest at design under the wheel load", case_names[which]);
  vd_jet length = vd_element_length(&r.linkage, &pose, &corner.points.spring);
  vd_kc_state_at(&corner, &r.linkage, &pose, &at_design);
  vd_jet rise = at_design.patch_z;
  double force = -corner.wheel_load * rise.d[0] / length.d[0];
  double stiffness =
      corner.spring_rate * length.d[0] * length.d[0] - force * length.h[VD_UU] - corner.wheel_load * rise.h[VD_UU];
  vd_compliance_at_contact(&s, 2, by_load);
  tap_near(by_load[2] * stiffness / rise.d[0], 1.0, 1e-10,
           "%s: rigid links on a spring deflect by the load divided by the wheel rate", case_names[which]);
  tap_near(s.energy / (0.5 * force * force / corner.spring_rate), 1.0, 1e-12, "%s: the energy is that of the spring",
           case_names[which]);
  tear_down(&r);
}

static void test_hold(void) {
  vd_corner corner = case_of(DW_FRONT_SPORTS);
  vd_compliance_state a, b;
  rig automatic, wheel, spring;
  set_up(&automatic, &corner, VD_HOLD_AUTO);
  set_up(&wheel, &corner, VD_HOLD_CENTRE);
  set_up(&spring, &corner, VD_HOLD_FREE);
  bool ok = solve(&automatic, 0.01, 0.0, braking, &a) && solve(&wheel, 0.01, 0.0, braking, &b);
  tap_near(ok ? apart(&a.pose, &b.pose) : NAN, 0.0, 1e-15,
           "auto: away from the design position the equilibrium is that of a given height of the wheel centre");
  tap_near(a.pose.at[2], corner.points.wheel_center[2] + 0.01, 1e-12,
           "auto: the equilibrium away from the design position is at the travel");
  ok = solve(&automatic, 0.0, 0.0, none, &a) && solve(&wheel, 0.0, 0.0, none, &b);
  tap_near(ok ? apart(&a.pose, &b.pose) : NAN, 0.0, 1e-15,
           "auto: without a wheel load the equilibrium is that of a given height of the wheel centre");
  ok = solve(&automatic, 0.0, 0.0, braking, &a) && solve(&spring, 0.0, 0.0, braking, &b);
  tap_near(ok ? apart(&a.pose, &b.pose) : NAN, 0.0, 1e-15,
           "auto: at the design position the equilibrium under a load is that on the spring");
  tap_near(a.support, 0.0, 0.0, "auto: no jack acts if the spring carries the load");
  tear_down(&automatic);
  tear_down(&wheel);
  tear_down(&spring);
}

/* --- independence of the start --- */

/* Tests bushings of a thirtieth of the usual stiffness: under growing force there is one equilibrium, whether the
 * search starts from the rigid linkage's pose or from the last equilibrium, until the links turn over; beyond there is
 * none. */
static void test_soft(void) {
  vd_corner corner = case_of(DW_FRONT_SPORTS);
  vd_compliance_state s, next;
  const double u[VD_INPUTS] = {0.0, 0.0};
  int found = 0, lost = 0, again = 0;
  double worst = 0.0;
  rig r;
  for (int m = 0; m < VD_MEMBERS; m++)
    for (int p = 0; p < 2; p++)
      for (int i = 0; i < 6; i++)
        corner.bushing[m][p].stiffness[i] /= 30.0;
  set_up(&r, &corner, VD_HOLD_FREE);
  rigid_pose(&r, 0.0, 0.0, &next.pose);
  for (int i = 0; i <= 40; i++) {
    vd_wheel_load load = {.fx = -100.0 * i, .fy = -200.0 * i, .fz = 4000.0};
    bool rigid = solve(&r, 0.0, 0.0, load, &s), near = vd_compliance_solve(r.compliance, u, &load, &next);
    if (rigid && near)
      worst = tap_max(worst, apart(&s.pose, &next.pose));
    found += rigid && near;
    lost += !rigid && !near;
    again += (rigid || near) && lost > 0;
  }
  tap_ok(found > 0 && lost > 0 && found + lost == 41 && again == 0,
         "soft bushings: an equilibrium is found %d times, then lost %d times", found, lost);
  tap_near(worst, 0.0, 1e-12, "soft bushings: both starts lead to one equilibrium");
  tear_down(&r);
}

/* Tests that the result does not depend on the start. */
static void test_start(void) {
  vd_corner corner = case_of(MP_FRONT_SEDAN);
  vd_compliance_state a, b;
  const double u[VD_INPUTS] = {0.05, 0.02};
  rig r;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  bool ok = solve(&r, u[0], u[1], braking, &a) && solve(&r, -0.05, -0.02, forces, &b);
  ok = ok && vd_compliance_solve(r.compliance, u, &braking, &b);
  tap_near(ok ? apart(&a.pose, &b.pose) : NAN, 0.0, 1e-12,
           "a start from the other end of the travel leads to the same equilibrium");
  tear_down(&r);
}

int main(void) {
  enum { SPRINGS = 6 };
  tap_plan(4 * (CASES + SPRINGS) + 3 * SPRINGS + 5 + 2 + 1);
  for (int which = 0; which < CASES; which++)
    for (int hold = case_springs(which) ? VD_HOLD_FREE : VD_HOLD_CENTRE; hold <= VD_HOLD_CENTRE; hold++) {
      test_reciprocity(which, (enum vd_hold)hold);
      test_work(which, (enum vd_hold)hold);
      test_differences(which, (enum vd_hold)hold);
      test_mirror(which, (enum vd_hold)hold);
    }
  for (int which = 0; which < CASES; which++)
    if (case_springs(which))
      test_spring(which);
  test_hold();
  test_soft();
  test_start();
  return tap_done();
}
