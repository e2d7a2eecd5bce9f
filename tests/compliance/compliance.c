/* Equilibrium on bushings, compared with independent results: the rigid linkage, releases of its rods by virtual work,
 * closed forms.
 *
 * Rounding: places are about 1 m and stiffnesses 1e6 N/m, so that the error after Newton's last step is 1e-15 m. A
 * comment gives the reason for every larger tolerance. */
#include "bushed.h"
#include "corners.h"
#include "tap.h"

static void scale_translation(vd_corner *c, double factor) {
  for (int m = 0; m < VD_MEMBERS; m++)
    for (int p = 0; p < 2; p++)
      for (int i = 0; i < 3; i++)
        c->bushing[m][p].stiffness[i] *= factor;
}

/* Removes the rotational stiffnesses that would resist the motion of the rigid linkage: about x for arms, whose hinges
 * are along x in these corners; about all axes for rods and for the trailing arm, whose hinge is oblique. */
static void free_hinges(vd_corner *c) {
  for (int m = 0; m < c->points.members; m++)
    for (int p = 0; p < 2; p++)
      for (int i = 3; i < 6; i++)
        if (c->points.member[m].kind != VD_ARM || i == 3)
          c->bushing[m][p].stiffness[i] = 0.0;
}

static bool is_steered(enum corner_of which) {
  return which == MP_FRONT_SEDAN || which == DW_FRONT_SPORTS;
}

/* --- comparison with the rigid linkage --- */

static void test_rigid(enum corner_of which) {
  vd_corner corner = corner_with_bushings(which);
  rig r;
  double worst = 0.0, stiff = 0.0;
  without_bushings(&corner);
  set_up(&r, &corner, VD_HOLD_CENTRE);
  for (double z = -0.08; z < 0.09; z += 0.04) {
    vd_compliance_state s;
    vd_pose pose;
    double rack = is_steered(which) ? 0.02 : 0.0;
    rigid_pose(&r, z, rack, &pose);
    if (!solve(&r, z, rack, braking, &s))
      worst = INFINITY;
    worst = tap_max(worst, apart(&s.pose, &pose));
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        stiff = tap_max(stiff, fabs(s.flexibility[i][j]));
  }
  tap_near(worst, 0.0, 1e-12, "%s without bushings: the pose is that of the rigid linkage, m", corner_names[which]);
  tap_near(stiff, 0.0, 1e-14, "%s without bushings is rigid", corner_names[which]);
  tear_down(&r);
}

/* Tests the limit of stiff bushings: pose(e) = rigid + x1 e + x2 e^2 + x3 e^3 with e = 1/(scale of the stiffness). D(e)
 * = (pose - rigid)/e tends to x1. The change of D from e = 1/100 to 1/1000 divided by that from 1/10 to 1/100 is 0.1 (1
 * + 0.011 q)/(1 + 0.11 q) with q = x3/x2. Geometry is nonlinear by motions of some mm over 0.3 m. With |q| < 0.5 the
 * ratio is 0.1 within 0.006. The torsional stiffness of an arm about z, c = 7.5e4 N m/rad, is not scaled. It is
 * parallel to that of the arm's two points, k d^2 = 2.2e6 N/m (0.15 m)^2 = 5e4 N m/rad. As 1/(k d^2/e + c) is a series
 * in -e c/(k d^2), q is -1.5, and -2 with the geometry: the ratio is 0.1 within 0.026. */
static void test_stiff(enum corner_of which, bool loaded) {
  static const double scale[3] = {10.0, 100.0, 1000.0};
  double worst = 0.0, ratio = 0.0;
  for (double z = -0.06; z < 0.07; z += 0.03) {
    double d[3][12];
    for (int k = 0; k < 3; k++) {
      vd_corner corner = corner_with_bushings(which);
      vd_compliance_state s;
      vd_pose pose;
      rig r;
      double rack = is_steered(which) ? -0.015 : 0.0;
      free_hinges(&corner);
      scale_translation(&corner, scale[k]);
      set_up(&r, &corner, VD_HOLD_CENTRE);
      rigid_pose(&r, z, rack, &pose);
      if (!solve(&r, z, rack, loaded ? braking : none, &s))
        s.pose.at[0] = NAN;
      if (!loaded)
        worst = tap_max(worst, apart(&s.pose, &pose));
      for (int i = 0; i < 3; i++) {
        d[k][i] = scale[k] * (s.pose.at[i] - pose.at[i]);
        for (int j = 0; j < 3; j++)
          d[k][3 + 3 * i + j] = scale[k] * (s.pose.turn[i][j] - pose.turn[i][j]);
      }
      tear_down(&r);
    }
    double first = 0.0, second = 0.0, whole = 0.0;
    for (int i = 0; i < 12; i++) {
      first += (d[1][i] - d[0][i]) * (d[1][i] - d[0][i]);
      second += (d[2][i] - d[1][i]) * (d[2][i] - d[1][i]);
      whole += d[2][i] * d[2][i];
    }
    if (loaded) {
      worst = tap_max(worst, fabs(sqrt(second / first) - 0.1));
      ratio = tap_max(ratio, sqrt(first / whole));
    }
  }
  if (loaded) {
    tap_near(worst, 0.0, is_steered(which) ? 0.026 : 0.006,
             "%s, loaded: at ten times the stiffness the curves are at a tenth of the distance from the rigid ones",
             corner_names[which]);
    tap_ok(ratio < 0.2,
           "%s, loaded: from 10 to 100 times the stiffness, stiffness times distance changes by a share of %.2g",
           corner_names[which], ratio);
  } else {
    tap_near(worst, 0.0, 1e-12, "%s without load: at any stiffness the curves are those of the rigid linkage",
             corner_names[which]);
  }
}

/* --- elastic rods: virtual work --- */

/* Computes V, the motion of the wheel centre and the rotation of the knuckle per lengthening of a rod. The rod's
 * tension is the work of the load per lengthening, S = V . F, and a lengthening S c moves the knuckle by V S c: without
 * load the flexibility is the sum of V c V'. */
static void release(const rig *r, const vd_pose *pose, int joint, double *motion) {
  vd_linkage_release(&r->linkage, pose, joint, motion, motion + 3);
}

/* Computes the direction of a rod from its chassis point to the knuckle. */
static void direction(const rig *r, const vd_pose *pose, int joint, double *a) {
  const vd_joint *j = &r->linkage.joint[joint];
  double arm[3], length;
  turn(pose, j->body, arm);
  for (int i = 0; i < 3; i++)
    a[i] = pose->at[i] + arm[i] - j->chassis[i] - pose->u[0] * j->moves[0][i] - pose->u[1] * j->moves[1][i];
  length = sqrt(dot(a, a));
  for (int i = 0; i < 3; i++)
    a[i] /= length;
}

/* Returns the largest difference of two matrices divided by the largest entry of b. */
static double differ(double a[6][6], double b[6][6]) {
  double most = 0.0, worst = 0.0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      most = tap_max(most, fabs(b[i][j]));
      worst = tap_max(worst, fabs(a[i][j] - b[i][j]));
    }
  return worst / most;
}

/* Compares the compliance of `count' rods, from member `first' on, with virtual work; all other joints are rigid.
 * joint: index of the first rod's joint in the linkage. Returns the deviation as `differ' does. */
static double rod_flexibility(const vd_corner *corner, int first, int count, int joint, double travel, double rack) {
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  double expected[6][6] = {{0.0}};
  set_up(&r, corner, VD_HOLD_CENTRE);
  rigid_pose(&r, travel, rack, &pose);
  bool ok = solve(&r, travel, rack, none, &s);
  for (int k = 0; k < count; k++) {
    const double *stiffness = corner->bushing[first + k][0].stiffness;
    double motion[6], a[3], gives = 1.0 / corner->ball_stiffness[first + k];
    release(&r, &pose, joint + k, motion);
    direction(&r, &pose, joint + k, a);
    for (int i = 0; corner->bushing[first + k][0].given && i < 3; i++)
      gives += a[i] * a[i] / stiffness[i];
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        expected[i][j] += motion[i] * gives * motion[j];
  }
  tear_down(&r);
  return ok ? differ(s.flexibility, expected) : INFINITY;
}

/* The condition number of the six equations, with levers of 0.1 m to 1 m, multiplies the rounding error by about 100; a
 * rod's bushing in series multiplies it once more. */
static const double released = 1e-11;

static void test_rods(void) {
  vd_corner corner = corner_with_bushings(FIVE_LINK_REAR_SPORTS);
  free_hinges(&corner);
  tap_near(rod_flexibility(&corner, 0, 5, 0, 0.0, 0.0), 0.0, released,
           "five bushed rods have the flexibility by virtual work");
  tap_near(rod_flexibility(&corner, 0, 5, 0, 0.06, 0.0), 0.0, released,
           "five bushed rods have the flexibility by virtual work in bump");
  corner.ball_stiffness[1] = 4e5;
  corner.ball_stiffness[4] = 9e5;
  tap_near(rod_flexibility(&corner, 0, 5, 0, -0.04, 0.0), 0.0, released,
           "elastic ball joints in series with bushings have the flexibility by virtual work");
  for (int m = 0; m < 5; m++)
    corner.bushing[m][0].given = m == 2;
  tap_near(rod_flexibility(&corner, 0, 5, 0, 0.02, 0.0), 0.0, released,
           "elastic ball joints alone have the flexibility by virtual work");

  static const int joint[2] = {4, 4};
  for (int which = MP_FRONT_SEDAN; which <= DW_FRONT_SPORTS; which++) {
    corner = corner_with_bushings((enum corner_of)which);
    free_hinges(&corner);
    corner.bushing[0][0].given = corner.bushing[0][1].given = corner.bushing[1][0].given = corner.bushing[1][1].given =
        false;
    tap_near(rod_flexibility(&corner, 2, 1, joint[which], 0.03, 0.02), 0.0, released,
             "%s: the tie rod's bushing alone gives the flexibility by virtual work", corner_names[which]);
  }
}

/* Compares the toe with virtual work: toe = atan2(s_x, s_y), so that dtoe = (w x s)_x S c for a wheel whose spin axis s
 * is along y. Here w is the rotation per lengthening of the tie rod, S its tension under Fy, and c the compliance of
 * its bushing. The response to the small load is nonlinear by its motion of 1e-6 m over the links' 0.3 m. */
static void test_tie_rod_toe(void) {
  vd_corner corner = corner_with_bushings(DW_FRONT_SPORTS);
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  double motion[6], a[3], by[3], spin[3], contact[3], arm[3], gives = 0.0, force = 5.0;
  memset(corner.bushing, 0, 2 * sizeof corner.bushing[0]);
  for (int i = 3; i < 6; i++)
    corner.bushing[2][0].stiffness[i] = 0.0;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  rigid_pose(&r, 0.0, 0.0, &pose);
  release(&r, &pose, 4, motion);
  lowest_of(&r, &pose, contact);
  cross(motion + 3, contact, arm);
  direction(&r, &pose, 4, a);
  for (int i = 0; i < 3; i++)
    gives += a[i] * a[i] / corner.bushing[2][0].stiffness[i];
  cross(motion + 3, r.linkage.spin_axis, by);
  double expected = by[0] * (motion[1] + arm[1]) * gives * force;
  bool ok = solve(&r, 0.0, 0.0, (vd_wheel_load){.fy = force}, &s);
  turn(&s.pose, r.linkage.spin_axis, spin);
  tap_near(ok ? atan2(spin[0], spin[1]) / expected : NAN, 1.0, 1e-4,
           "a lateral force gives the toe that virtual work of the tie rod's bushing gives");
  tear_down(&r);
}

/* Tests an arm's elastic ball joint of stiffness k in a rigid hinge: the two rods that replace the arm end at one
 * point, which is displaced by s = (S1 a1 + S2 a2)/k, and each is longer by a . s. */
static void test_arm_ball(void) {
  vd_corner corner = corner_with_bushings(DW_FRONT_SPORTS);
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  double motion[2][6], a[2][3], expected[6][6] = {{0.0}};
  without_bushings(&corner);
  corner.ball_stiffness[0] = 6e5;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  rigid_pose(&r, -0.05, 0.01, &pose);
  bool ok = solve(&r, -0.05, 0.01, none, &s);
  for (int k = 0; k < 2; k++) {
    release(&r, &pose, k, motion[k]);
    direction(&r, &pose, k, a[k]);
  }
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < 2; m++)
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
          expected[i][j] += motion[k][i] * dot(a[k], a[m]) / 6e5 * motion[m][j];
  tap_near(ok ? differ(s.flexibility, expected) : NAN, 0.0, released,
           "an elastic ball joint of an arm in a rigid hinge gives the flexibility by virtual work");
  tear_down(&r);
}

/* Computes V, the motion of the knuckle, for a strut's mount of stiffness k across its line, along m1 and m2: the
 * knuckle moves by V per unit of the mount along m, and its flexibility is V V'/k. V is found by differences of the
 * linkage with its mount moved by h and h/2: the error is 1e-16/1e-3 by rounding, and a term in h^4. */
static void mount_motion(const rig *r, const vd_pose *pose, const double *along, double h, double *motion) {
  double by[2][6];
  for (int side = 0; side < 2; side++) {
    vd_linkage moved = r->linkage;
    vd_pose next = *pose;
    double sign = side ? 1.0 : -1.0, change[3][3];
    for (int j = 2; j < 4; j++)
      for (int i = 0; i < 3; i++)
        moved.joint[j].chassis[i] += sign * h * along[i];
    vd_linkage_spread(&moved);
    bool closed = vd_linkage_close(&moved, pose->u, false, &next);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        change[i][j] = dot(next.turn[i], pose->turn[j]);
    for (int i = 0; i < 3; i++) {
      by[side][i] = closed ? next.at[i] : NAN;
      by[side][3 + i] = 0.5 * (change[(i + 2) % 3][(i + 1) % 3] - change[(i + 1) % 3][(i + 2) % 3]);
    }
  }
  for (int i = 0; i < 6; i++)
    motion[i] = (by[1][i] - by[0][i]) / (2.0 * h);
}

static void test_mount(void) {
  vd_corner corner = corner_with_bushings(MP_FRONT_SEDAN);
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  double expected[6][6] = {{0.0}};
  without_bushings(&corner);
  corner.bushing[1][0] = (vd_bushing){true, {7e5, 7e5, 7e5, 0.0, 0.0, 0.0}};
  set_up(&r, &corner, VD_HOLD_CENTRE);
  rigid_pose(&r, 0.04, 0.01, &pose);
  bool ok = solve(&r, 0.04, 0.01, none, &s);
  for (int k = 0; k < 2; k++) {
    double along[3], whole[6], half[6], motion[6];
    turn(&pose, r.linkage.joint[2 + k].direction, along);
    mount_motion(&r, &pose, along, 2e-3, whole);
    mount_motion(&r, &pose, along, 1e-3, half);
    for (int i = 0; i < 6; i++)
      motion[i] = (4.0 * half[i] - whole[i]) / 3.0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        expected[i][j] += motion[i] * motion[j] / 7e5;
  }
  tap_near(ok ? differ(s.flexibility, expected) : NAN, 0.0, 1e-9,
           "an elastic top mount of a strut gives the flexibility by virtual work");
  tear_down(&r);
}

/* --- one bushing, closed form --- */

/* Tests a knuckle on one bushing of stiffness k, N/m, and c, N m/rad, in all directions. The bushing's point is
 * displaced by v = (sum of forces)/k. With t, the vector along the axis of rotation of length 2 sin(f/2) at the angle
 * f, the bushing's moment on the knuckle is c cos(f/2) t, of size c sin f. A moment M about z turns it about z alone by
 * the angle f, sin f = M/c; the bushing and the jack have no force. */
static void test_one_bushing(void) {
  const double k = 8e5, stiff = 2e4;
  vd_corner corner = corner_with_bushings(TA_REAR_SEDAN);
  vd_compliance_state s;
  rig r;
  corner.bushing[0][0] = (vd_bushing){true, {k, k, k, stiff, stiff, stiff}};
  corner.bushing[0][1] = (vd_bushing){.given = true};
  set_up(&r, &corner, VD_HOLD_CENTRE);
  const double *pivot = corner.points.member[0].chassis[0], *centre = corner.points.wheel_center;
  double b[3] = {centre[0] - pivot[0], centre[1] - pivot[1], centre[2] - pivot[2]}, angle = asin(0.3);
  bool ok = solve(&r, 0.0, 0.0, (vd_wheel_load){.mz = 0.3 * stiff}, &s);
  tap_near(ok ? s.pose.at[0] : NAN, pivot[0] + cos(angle) * b[0] - sin(angle) * b[1], 1e-12,
           "one bushing: the wheel centre has the rotated x");
  tap_near(s.pose.at[1], pivot[1] + sin(angle) * b[0] + cos(angle) * b[1], 1e-12,
           "one bushing: the wheel centre has the rotated y");
  tap_near(s.support, 0.0, 1e-8, "one bushing: there is no jack force against a moment about z");
  tap_near(s.energy / (0.5 * stiff * 4.0 * sin(0.5 * angle) * sin(0.5 * angle)), 1.0, 1e-12,
           "one bushing: the energy is that of the turned bushing");

  const vd_wheel_load load = {.fx = 1500.0, .fy = -2500.0, .fz = 3000.0};
  ok = solve(&r, 0.0, 0.0, load, &s);
  double arm[3], patch[3], hub[3], moment[3], jack[3], axis[3];
  double force[3] = {load.fx, load.fy, load.fz}, up[3] = {0.0, 0.0, s.support};
  lowest_of(&r, &s.pose, patch);
  turn(&s.pose, b, arm);
  double off = 0.0, turned = 0.0;
  for (int i = 0; i < 3; i++) {
    double v = s.pose.at[i] - arm[i] - pivot[i]; /* displacement of the bushing's point */
    off = tap_max(off, fabs(v - (force[i] + up[i]) / k));
    hub[i] = s.pose.at[i] - (pivot[i] + v);
    patch[i] += hub[i];
    axis[i] = 0.5 * (s.pose.turn[(i + 2) % 3][(i + 1) % 3] - s.pose.turn[(i + 1) % 3][(i + 2) % 3]); /* sin f */
  }
  cross(patch, force, moment);
  cross(hub, up, jack);
  for (int i = 0; i < 3; i++)
    turned = tap_max(turned, fabs(stiff * axis[i] - moment[i] - jack[i]));
  tap_near(ok ? off : NAN, 0.0, 1e-12, "one bushing: the displacement is F/k, m");
  tap_near(turned, 0.0, 1e-8, "one bushing: the rotation is asin(M/c), N m");
  tear_down(&r);
}

/* --- free and unsupported motions --- */

static bool has_equilibrium(const vd_corner *corner, enum vd_hold hold, double travel, vd_wheel_load load) {
  vd_compliance_state s;
  rig r;
  set_up(&r, corner, hold);
  bool ok = solve(&r, travel, 0.0, load, &s);
  if (ok && !(s.residual < 1e-6))
    tap_diag("residual %g", s.residual);
  tear_down(&r);
  return ok;
}

static void test_support(void) {
  static const double no_stiffness[6] = {0.0};
  vd_corner corner = corner_with_bushings(DW_FRONT_SPORTS);
  memcpy(corner.bushing[2][0].stiffness, no_stiffness, sizeof no_stiffness);
  tap_ok(!has_equilibrium(&corner, VD_HOLD_CENTRE, 0.0, none), "a tie rod without stiffness has no equilibrium");
  tap_ok(!has_equilibrium(&corner, VD_HOLD_CENTRE, 0.0, forces),
         "a tie rod without stiffness has no equilibrium under load");
  corner = corner_with_bushings(TA_REAR_SEDAN);
  memcpy(corner.bushing[0][0].stiffness, no_stiffness, sizeof no_stiffness);
  memcpy(corner.bushing[0][1].stiffness, no_stiffness, sizeof no_stiffness);
  tap_ok(!has_equilibrium(&corner, VD_HOLD_CENTRE, 0.02, forces),
         "an arm on bushings without stiffness has no equilibrium");
  corner = corner_with_bushings(TA_REAR_SEDAN);
  tap_ok(!has_equilibrium(&corner, VD_HOLD_FREE, 0.0, forces),
         "a wheel held by a spring that does not exist has no equilibrium");
  tap_ok(!has_equilibrium(&corner, VD_HOLD_CENTRE, 3.0, none),
         "a travel that the links do not reach has no equilibrium");
  corner = corner_with_bushings(FIVE_LINK_REAR_SPORTS);
  corner.bushing[3][0].stiffness[3] = corner.bushing[3][0].stiffness[4] = corner.bushing[3][0].stiffness[5] = 0.0;
  tap_ok(has_equilibrium(&corner, VD_HOLD_CENTRE, 0.05, braking),
         "an equilibrium is found with one rod that spins freely");
  free_hinges(&corner);
  tap_ok(has_equilibrium(&corner, VD_HOLD_CENTRE, 0.05, braking),
         "an equilibrium is found with rods that all spin freely");
  for (int m = 0; m < 5; m++)
    corner.bushing[m][0].given = false;
  corner.ball_stiffness[0] = 1e6;
  tap_ok(has_equilibrium(&corner, VD_HOLD_CENTRE, 0.05, braking),
         "an equilibrium is found with a rod between a rigid and an elastic ball joint");
  vd_wheel_load absurd = {.fy = 1e9};
  corner = corner_with_bushings(DW_FRONT_SPORTS);
  vd_compliance_state s;
  rig r;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  bool ok = solve(&r, 0.0, 0.0, absurd, &s);
  tap_ok(!ok || isfinite(s.pose.at[0] + s.energy), "an absurd load has no equilibrium or a finite one");
  tear_down(&r);
}

/* Tests a knuckle on one bushing behind the wheel centre, whose height is fixed. With the bushing's stiffness c, N
 * m/rad, in rotation and k, N/m, in displacement, and the wheel's radius R, a wheel load fz overturns it like an
 * inverted pendulum if c < fz R. At smaller loads its flexibility in roll is 1/(c - fz R), since the contact moves
 * sideways as the disc leans; the flexibility of a round wheel in pitch is 1/(c + k (0.2 m)^2) at any load. */
static void test_turning_over(void) {
  const double k = 8e5, stiff = 2e3;
  vd_corner corner = corner_with_bushings(TA_REAR_SEDAN);
  const double *centre = corner.points.wheel_center;
  for (int p = 0; p < 2; p++) {
    corner.points.member[0].chassis[p][0] = centre[0] - 0.2 - 0.1 * p;
    corner.points.member[0].chassis[p][1] = centre[1] - 0.5 * p;
    corner.points.member[0].chassis[p][2] = centre[2];
  }
  corner.bushing[0][0] = (vd_bushing){true, {k, k, k, stiff, stiff, stiff}};
  corner.bushing[0][1] = (vd_bushing){.given = true};
  double critical = stiff / corner.points.static_radius;
  vd_compliance_state s;
  rig r;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  bool ok = solve(&r, 0.0, 0.0, (vd_wheel_load){.fz = 0.5 * critical}, &s);
  tap_near(ok ? s.flexibility[3][3] * stiff : NAN, 2.0, 1e-10,
           "an upright wheel is more flexible under half its critical load");
  tap_near(s.flexibility[4][4] * (stiff + 0.2 * 0.2 * k), 1.0, 1e-10,
           "an upright wheel is not more flexible in pitch: it is round");
  tap_ok(solve(&r, 0.0, 0.0, (vd_wheel_load){.fz = 0.999 * critical}, &s),
         "an upright wheel is stable just below its critical load");
  tap_ok(!solve(&r, 0.0, 0.0, (vd_wheel_load){.fz = 1.001 * critical}, &s),
         "an upright wheel is unstable above its critical load");
  tear_down(&r);
}

/* Tests that the mount's rod slides freely along an upright strut's line, so that stiffness along this line has no
 * effect. */
static void test_upright_mount(void) {
  vd_compliance_state s[2];
  bool ok = true;
  for (int k = 0; k < 2; k++) {
    vd_corner corner = corner_with_bushings(MP_FRONT_SEDAN);
    rig r;
    corner.points.member[1].knuckle[1] = 0.6;
    corner.bushing[1][0] = (vd_bushing){true, {7e5, 7e5, k * 7e5, 0.0, 0.0, 0.0}};
    set_up(&r, &corner, VD_HOLD_CENTRE);
    ok = solve(&r, 0.0, 0.0, none, &s[k]) && ok;
    tear_down(&r);
  }
  tap_near(ok ? differ(s[0].flexibility, s[1].flexibility) : NAN, 0.0, released,
           "the stiffness of a mount along an upright strut has no effect");
}

static void test_twist_beam(void) {
  vd_corner corner = corner_with_bushings(TA_REAR_SEDAN);
  vd_compliance_state s;
  vd_pose pose;
  rig r;
  corner.points.type = VD_TWIST_BEAM;
  corner.points.member[0].chassis[1][1] = 0.0; /* shear centre, on the car's plane of symmetry */
  set_up(&r, &corner, VD_HOLD_CENTRE);
  bool ok = solve(&r, 0.03, 0.0, braking, &s);
  rigid_pose(&r, 0.03, 0.0, &pose);
  tap_near(ok ? apart(&s.pose, &pose) : NAN, 0.0, 1e-12, "a twist beam is rigid");
  tear_down(&r);
}

/* Checks a rigid axle on four rods, with given heights of both wheels. */
static void test_axle(void) {
  vd_corner corner = corner_with_bushings(FIVE_LINK_REAR_SPORTS);
  corner.points =
      (vd_hardpoints){.type = VD_FOUR_LINK_AXLE,
                      .wheel_center = {-1.4, 0.75, 0.32},
                      .spin_axis = {0.0, 1.0, 0.0},
                      .static_radius = 0.32,
                      .members = 4,
                      .member = {{VD_ROD, "lower_left", {{-0.9, 0.5, 0.25}}, {-1.4, 0.55, 0.22}, .steered = false},
                                 {VD_ROD, "lower_right", {{-0.9, -0.5, 0.25}}, {-1.4, -0.55, 0.22}, .steered = false},
                                 {VD_ROD, "upper_left", {{-1.0, 0.5, 0.45}}, {-1.4, 0.1, 0.48}, .steered = false},
                                 {VD_ROD, "upper_right", {{-1.0, -0.5, 0.45}}, {-1.4, -0.1, 0.48}, .steered = false}}};
  free_hinges(&corner);
  tap_near(rod_flexibility(&corner, 0, 4, 0, 0.03, -0.02), 0.0, released,
           "a rigid axle on four bushed rods, in roll, has the flexibility by virtual work");
}

/* Tests that the inner end of a tie rod moves with the rack. */
static void test_rack(void) {
  vd_corner corner = corner_with_bushings(DW_FRONT_SPORTS);
  const vd_member *rod = &corner.points.member[2];
  vd_pose pose;
  rig r;
  set_up(&r, &corner, VD_HOLD_CENTRE);
  rigid_pose(&r, 0.02, 0.03, &pose);
  vd_jet3 inner = vd_member_point(&r.linkage, &pose, 2, rod->chassis[0]);
  tap_near(inner.y.v, rod->chassis[0][1] + 0.03, 1e-15, "a point of a steered rod moves with the rack");
  tear_down(&r);
}

int main(void) {
  tap_plan(5 * CORNERS_OF + 6 + 1 + 1 + 1 + 6 + 9 + 4 + 1 + 1 + 1 + 1);
  for (int which = 0; which < CORNERS_OF; which++) {
    test_rigid((enum corner_of)which);
    test_stiff((enum corner_of)which, false);
    test_stiff((enum corner_of)which, true);
  }
  test_rods();
  test_tie_rod_toe();
  test_arm_ball();
  test_mount();
  test_one_bushing();
  test_support();
  test_turning_over();
  test_upright_mount();
  test_twist_beam();
  test_axle();
  test_rack();
  return tap_done();
}
