/* The inertia of a corner's masses in its travel: compared with moving points and with conserved energy; and the lumped
 * mass on one joint compared with both. */
#include "linkage/corner_mass.h"
#include "corners.h"
#include "math/rk4.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static const double travels[] = {-0.08, -0.04, 0.0, 0.03, 0.08}; /* m */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Masses of the reference system, in which the knuckle's mass contains the strut's. Inertias of the knuckle with its
 * wheel are round figures. */
static vd_corner weighed(enum corner_of which) {
  static const double knuckle[CORNERS_OF] = {18.5, 6.5, 6.0, 6.5};
  static const double member[CORNERS_OF][VD_MEMBERS] = {
      {8.5, NAN, 1.8}, {7.0, 4.5, 1.8}, {9.0}, {3.0, 3.0, 3.0, 3.0, 3.0}};
  return corner_with_masses(which, knuckle, member, 0.3);
}

/* Returns a corner with the mass of one body only: of a member or, for -1, of the knuckle. */
static vd_corner weighed_alone(enum corner_of which, int member) {
  vd_corner c = weighed(which);
  for (int i = 0; i < c.points.members; i++)
    if (i != member)
      c.member_mass[i] = 0.0;
  for (int i = 0; i < 3 && member >= 0; i++)
    c.knuckle_inertia[i] = 0.0;
  if (member >= 0)
    c.knuckle_mass = 0.0;
  return c;
}

static vd_linkage built(const vd_corner *c) {
  vd_linkage l;
  if (!vd_linkage_build(&c->points, VD_PARALLEL, &l))
    tap_diag("%s: not to be built", c->name);
  return l;
}

static void pose_at(const vd_linkage *l, double travel, double second, vd_pose *pose) {
  const double u[VD_INPUTS] = {travel, second};
  vd_linkage_start(l, pose);
  if (vd_linkage_move(l, u, pose) != VD_LINKAGE_OK)
    pose->at[2] = NAN;
}

static vd_corner_mass mass_at(const vd_corner *c, const vd_linkage *l, double travel, double second) {
  vd_pose pose;
  vd_corner_mass m;
  pose_at(l, travel, second, &pose);
  vd_corner_mass_at(c, l, &pose, &m);
  if (isnan(pose.at[2]))
    m.mass[0][0] = NAN;
  return m;
}

/* --- comparison with moving points --- */

enum { POINTS = 40 };

typedef struct cloud {
  int count;
  double mass[POINTS], at[POINTS][3];
} cloud;

static void put(cloud *c, double mass, vd_jet3 p) {
  c->mass[c->count] = mass;
  c->at[c->count][0] = p.x.v;
  c->at[c->count][1] = p.y.v;
  c->at[c->count++][2] = p.z.v;
}

/* Adds a bar with Simpson's weights, which are exact: velocity squared is of second degree along it. */
static void put_bar(const vd_linkage *l, const vd_pose *pose, int member, double mass, const double *a, const double *b,
                    cloud *c) {
  static const double weight[] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
  for (int k = 0; k < 3; k++) {
    double p[3];
    for (int i = 0; i < 3; i++)
      p[i] = a[i] + 0.5 * k * (b[i] - a[i]);
    put(c, mass * weight[k], vd_member_point(l, pose, member, p));
  }
}

/* Represents a body of mass m and inertias I about its middle by pairs of points at +-r along its axes. Each point has
 * the mass mu_x, mu_y or mu_z: 2 sum mu = m, I_x = 2 r^2 (mu_y + mu_z). So r^2 = trace/(2 m), 2 r^2 mu_x = trace/2 -
 * I_x. */
static void put_knuckle(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, cloud *c) {
  const double *inertia = corner->knuckle_inertia;
  double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]), r2 = half / corner->knuckle_mass;
  for (int k = 0; k < 6; k++) {
    double p[3];
    memcpy(p, corner->points.wheel_center, sizeof p);
    if (l->axle)
      p[1] = 0.0;
    p[k / 2] += (k % 2 ? -1.0 : 1.0) * sqrt(r2);
    put(c, 0.5 * (half - inertia[k / 2]) / r2, vd_pose_point(l, pose, p));
  }
}

static cloud points_at(const vd_corner *corner, const vd_linkage *l, double travel, double second) {
  cloud c = {.count = 0};
  vd_pose pose;
  pose_at(l, travel, second, &pose);
  put_knuckle(corner, l, &pose, &c);
  for (int i = 0; i < corner->points.members; i++) {
    const vd_member *m = &corner->points.member[i];
    const double *end = m->kind == VD_HINGE ? corner->points.wheel_center : m->knuckle;
    double d[2][3], length[2], mass = corner->member_mass[i];
    if (m->kind == VD_SLIDER)
      continue;
    for (int k = 0; k < 2; k++) {
      for (int j = 0; j < 3; j++)
        d[k][j] = end[j] - m->chassis[k][j];
      length[k] = m->kind == VD_ROD && k ? 0.0 : sqrt(dot(d[k], d[k]));
    }
    for (int k = 0; k < (m->kind == VD_ROD ? 1 : 2); k++)
      put_bar(l, &pose, i, mass * length[k] / (length[0] + length[1]), m->chassis[k], end, &c);
  }
  return c;
}

/* Differences over h and 2 h, weighted so that the error of second order vanishes. */
static const double step = 2.5e-4, aside[] = {1.0, -1.0, 2.0, -2.0}, share[] = {8.0, -8.0, -1.0, 1.0};

/* Computes the mass matrix and the weight from points that move with the bodies. */
static vd_corner_mass moved_points(const vd_corner *corner, const vd_linkage *l, double travel, double second) {
  static const vd_corner_mass none;
  static double velocity[VD_INPUTS][POINTS][3];
  vd_corner_mass m = none;
  cloud c = {.count = 0};
  memset(velocity, 0, sizeof velocity);
  for (int input = 0; input < VD_INPUTS; input++)
    for (int k = 0; k < 4; k++) {
      double t = aside[k] * step;
      c = points_at(corner, l, travel + (input ? 0.0 : t), second + (input ? t : 0.0));
      for (int p = 0; p < c.count; p++)
        for (int i = 0; i < 3; i++)
          velocity[input][p][i] += share[k] * c.at[p][i] / (12.0 * step);
    }
  for (int p = 0; p < c.count; p++)
    for (int i = 0; i < VD_INPUTS; i++) {
      for (int j = 0; j < VD_INPUTS; j++)
        m.mass[i][j] += c.mass[p] * dot(velocity[i][p], velocity[j][p]);
      m.weight[i] -= c.mass[p] * VD_GRAVITY * velocity[i][p][2];
    }
  return m;
}

/* Compares curve_i,jk with (dM_ij/du_k + dM_ik/du_j - dM_jk/du_i)/2, Christoffel's symbols in Lagrange's equations of
 * the kinetic energy. */
static double worst_curve(const vd_corner *c, const vd_linkage *l, double travel, double second, double scale) {
  static const int first[VD_SECONDS] = {0, 0, 1}, other[VD_SECONDS] = {0, 1, 1};
  double slope[VD_INPUTS][VD_INPUTS][VD_INPUTS] = {{{0.0}}}, worst = 0.0;
  vd_corner_mass m = mass_at(c, l, travel, second);
  for (int input = 0; input < VD_INPUTS; input++)
    for (int k = 0; k < 4; k++) {
      double t = aside[k] * step;
      vd_corner_mass there = mass_at(c, l, travel + (input ? 0.0 : t), second + (input ? t : 0.0));
      for (int i = 0; i < VD_INPUTS; i++)
        for (int j = 0; j < VD_INPUTS; j++)
          slope[input][i][j] += share[k] * there.mass[i][j] / (12.0 * step);
    }
  for (int i = 0; i < VD_INPUTS; i++)
    for (int k = 0; k < VD_SECONDS; k++) {
      int j = first[k], n = other[k];
      double expected = 0.5 * (slope[n][i][j] + slope[j][i][n] - slope[i][j][n]);
      double deviation = fabs(m.curve[i][k] - expected) / scale;
      worst = tap_max(worst, deviation);
    }
  return worst;
}

/* Compares the figures with sums over points. The error of differences is h^4/30 of the fifth derivative, that is 4
 * h^4/L^5 for a quantity that changes over the length L: 2e-9 of a mass with h 0.25 mm and L 0.1 m, the least distance
 * of a corner from the end of its travel. For a velocity, which changes over links of 0.3 m, it is 1e-11; the closed
 * linkage's residual of 1e-14 m divided by h is 4e-11. */
static void against_points(const vd_corner *c) {
  vd_linkage l = built(c);
  double mass = 0.0, weight = 0.0, curve = 0.0;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    double second = l.axle ? -0.5 * travels[k] : 0.01;
    vd_corner_mass m = mass_at(c, &l, travels[k], second), p = moved_points(c, &l, travels[k], second);
    double scale = m.mass[0][0];
    for (int i = 0; i < VD_INPUTS; i++) {
      for (int j = 0; j < VD_INPUTS; j++)
        mass = tap_max(mass, fabs(m.mass[i][j] - p.mass[i][j]) / scale);
      weight = tap_max(weight, fabs(m.weight[i] - p.weight[i]) / (scale * VD_GRAVITY));
    }
    curve = tap_max(curve, worst_curve(c, &l, travels[k], second, scale));
  }
  tap_near(mass, 0.0, 1e-9, "%s: the mass by both inputs is that of moved points", c->name);
  tap_near(weight, 0.0, 1e-9, "%s: the weight by both inputs is that of moved points", c->name);
  tap_near(curve, 0.0, 1e-8,
           "%s: the terms of the squared rates are those of Lagrange's equations with the mass matrix", c->name);
}

/* Checks that first and second moments are those of the points; differences give the angular momentum of the points per
 * travel. The mass is that of the matrix without the part of the wheel, which does not turn with the knuckle: `turning'
 * times the square of the knuckle's rotation about the axle. */
static void check_moments(const vd_corner *c) {
  static const double from[3] = {-0.3, 0.2, 0.4};
  const double turning = 0.2;
  vd_linkage l = built(c);
  double worst_place = 0.0, worst_spin = 0.0, worst_mass = 0.0;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    double rate[POINTS][3] = {{0.0}}, first[3] = {0.0}, second[3][3] = {{0.0}}, angular[3] = {0.0};
    vd_corner_moments m, less;
    vd_pose pose;
    pose_at(&l, travels[k], 0.0, &pose);
    vd_corner_moments_at(c, &l, &pose, from, 0.0, &m);
    vd_corner_moments_at(c, &l, &pose, from, turning, &less);
    for (int t = 0; t < 4; t++) {
      cloud near = points_at(c, &l, travels[k] + aside[t] * step, 0.0);
      for (int p = 0; p < near.count; p++)
        for (int i = 0; i < 3; i++)
          rate[p][i] += share[t] * near.at[p][i] / (12.0 * step);
    }
    cloud here = points_at(c, &l, travels[k], 0.0);
    for (int p = 0; p < here.count; p++) {
      double arm[3], spin[3];
      for (int i = 0; i < 3; i++)
        arm[i] = here.at[p][i] - from[i];
      cross(arm, rate[p], spin);
      for (int i = 0; i < 3; i++) {
        first[i] += here.mass[p] * arm[i];
        angular[i] += here.mass[p] * spin[i];
        for (int j = 0; j < 3; j++)
          second[i][j] += here.mass[p] * arm[i] * arm[j];
      }
    }
    const double axle[3] = {pose.turn[0][1], pose.turn[1][1], pose.turn[2][1]}; /* the spin axis is y at design */
    double own = dot(pose.spin[0], axle);
    worst_mass = tap_max(worst_mass, fabs(m.mass - mass_at(c, &l, travels[k], 0.0).mass[0][0]));
    worst_mass = tap_max(worst_mass, fabs(m.mass - turning * own * own - less.mass));
    for (int i = 0; i < 3; i++) {
      worst_place = tap_max(worst_place, fabs(m.first[i] - first[i]));
      worst_spin = tap_max(worst_spin, fabs(m.angular[i] - angular[i]));
      worst_spin = tap_max(worst_spin, fabs(m.angular[i] - turning * own * axle[i] - less.angular[i]));
      for (int j = 0; j < 3; j++)
        worst_place = tap_max(worst_place, fabs(m.second[i][j] - second[i][j]));
    }
    if (isnan(m.mass + less.mass + m.first[0] + m.second[0][0] + m.angular[0]))
      worst_mass = INFINITY;
  }
  tap_near(worst_place, 0.0, 1e-11, "%s: first and second moments are those of points, kg m, kg m2", c->name);
  tap_near(worst_spin, 0.0, 1e-8, "%s: the angular momentum of a corner per travel is that of moved points, kg m",
           c->name);
  tap_near(worst_mass, 0.0, 1e-12, "%s: the mass is that of the mass matrix, kg", c->name);
}

/* Returns a rigid axle on two lower and two upper rods. */
static vd_corner four_link_axle(void) {
  vd_corner c = weighed(FIVE_LINK_REAR_SPORTS);
  c.name = "four_link_axle";
  c.points = (vd_hardpoints){
      .type = VD_FOUR_LINK_AXLE,
      .wheel_center = {-1.35, 0.75, 0.31},
      .spin_axis = {0.0, 1.0, 0.0},
      .static_radius = 0.31,
      .members = 4,
      .member = {{VD_ROD, "lower_left", {{-0.8, 0.45, 0.25}}, {-1.35, 0.5, 0.22}, .steered = false},
                 {VD_ROD, "lower_right", {{-0.8, -0.45, 0.25}}, {-1.35, -0.5, 0.22}, .steered = false},
                 {VD_ROD, "upper_left", {{-1.0, 0.45, 0.42}}, {-1.3, 0.15, 0.43}, .steered = false},
                 {VD_ROD, "upper_right", {{-1.0, -0.45, 0.42}}, {-1.3, -0.15, 0.43}, .steered = false}}};
  c.knuckle_mass = 70.0;
  c.knuckle_inertia[0] = 25.0;
  c.knuckle_inertia[1] = 2.0;
  c.knuckle_inertia[2] = 25.5;
  return c;
}

/* --- the lump --- */

static double lump_mass(const vd_corner *c, const vd_linkage *l, double travel, vd_jet *drive) {
  vd_chain chain;
  vd_pose pose;
  double inertia;
  pose_at(l, travel, 0.0, &pose);
  *drive = vd_corner_drive(c, l, &pose);
  if (!vd_corner_lump(c, &chain))
    return NAN;
  vd_chain_mass(&chain, &drive->v, &inertia);
  return inertia * drive->d[0] * drive->d[0];
}

/* Tests that the lump is the corner if all of it turns about one axis, as a trailing arm does. */
static void trailing_arm(void) {
  vd_corner c = weighed(TA_REAR_SEDAN);
  vd_linkage l = built(&c);
  double mass = 0.0, curve = 0.0, weight = 0.0;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    vd_corner_mass m = mass_at(&c, &l, travels[k], 0.0);
    vd_jet q;
    double lump = lump_mass(&c, &l, travels[k], &q), inertia, torque;
    const double zero = 0.0;
    vd_chain chain;
    if (!vd_corner_lump(&c, &chain))
      mass = INFINITY;
    vd_chain_mass(&chain, &q.v, &inertia);
    vd_chain_inverse(&chain, &q.v, &zero, &zero, NULL, &torque);
    mass = tap_max(mass, fabs(lump / m.mass[0][0] - 1.0));
    curve = tap_max(curve, fabs(inertia * q.d[0] * q.h[VD_UU] - m.curve[0][VD_UU]) / m.mass[0][0]);
    weight = tap_max(weight, fabs(-torque * q.d[0] / m.weight[0] - 1.0));
  }
  tap_near(mass, 0.0, 1e-12, "ta_rear_sedan: the inertia of the lump, referred to the travel, is the linkage's mass");
  tap_near(curve, 0.0, 1e-12, "ta_rear_sedan: the derivative of the lump's inertia is that of the linkage's mass");
  tap_near(weight, 0.0, 1e-12, "ta_rear_sedan: the lump's holding torque, referred to the travel, is the weight");
}

/* Tests that the lump is exact if only the lower arm, which turns like the lump, has a mass. */
static void arm_alone(enum corner_of which) {
  vd_corner c = weighed_alone(which, 0);
  vd_linkage l = built(&c);
  double worst = 0.0;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    vd_jet q;
    double lump = lump_mass(&c, &l, travels[k], &q);
    worst = tap_max(worst, fabs(lump / mass_at(&c, &l, travels[k], 0.0).mass[0][0] - 1.0));
  }
  tap_near(worst, 0.0, 1e-12, "%s: with the lower arm's mass alone the lump is exact", c.name);
}

/* Tests what the lump lacks: the lower rear link turns on a ball joint, not on an axis along y, so that the lump lacks
 * the motion of its end along y and along the link's projection on the x-z plane, m/3 (v_y^2 + v_r^2). */
static void link_alone(void) {
  enum { LOWER_AFT = 3 };
  vd_corner c = weighed_alone(FIVE_LINK_REAR_SPORTS, LOWER_AFT);
  vd_linkage l = built(&c);
  const vd_member *m = &c.points.member[LOWER_AFT];
  double worst = 0.0;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    vd_pose pose;
    vd_jet q;
    pose_at(&l, travels[k], 0.0, &pose);
    vd_jet3 p = vd_pose_point(&l, &pose, m->knuckle);
    double x = p.x.v - m->chassis[0][0], z = p.z.v - m->chassis[0][2], r2 = x * x + z * z;
    double x0 = m->knuckle[0] - m->chassis[0][0], z0 = m->knuckle[2] - m->chassis[0][2], r02 = x0 * x0 + z0 * z0;
    double along = (x * p.x.d[0] + z * p.z.d[0]) / sqrt(r2), turn = (z * p.x.d[0] - x * p.z.d[0]) / r2;
    /* the length of the projection changes: the lump has that of the design */
    double left = c.member_mass[LOWER_AFT] / 3.0 * (p.y.d[0] * p.y.d[0] + along * along + (r2 - r02) * turn * turn);
    double lump = lump_mass(&c, &l, travels[k], &q), mass = mass_at(&c, &l, travels[k], 0.0).mass[0][0];
    worst = tap_max(worst, fabs(lump + left - mass) / mass);
  }
  tap_near(worst, 0.0, 1e-12, "%s: a lump of the lower rear link alone lacks only its rotation other than about y",
           c.name);
}

typedef struct field {
  double at[3], velocity[3], spin[3];
} field;

static double square_at(const field *f, const double *a, const double *b) {
  double arm[3], v[2][3];
  const double *end[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++)
      arm[i] = end[k][i] - f->at[i];
    cross(f->spin, arm, v[k]);
    for (int i = 0; i < 3; i++)
      v[k][i] += f->velocity[i];
  }
  return (dot(v[0], v[0]) + dot(v[0], v[1]) + dot(v[1], v[1])) / 3.0;
}

/* Returns the error of the lump at the design position, from the velocities that the lump assumes for each body, w =
 * axis q', and the real ones. A knuckle's rotation is that of the pose; a bar's ends are those of its member. */
static double expected_excess(const vd_corner *c, const vd_linkage *l) {
  vd_pose pose;
  vd_chain chain;
  vd_linkage_start(l, &pose);
  vd_jet q = vd_corner_drive(c, l, &pose);
  if (!vd_corner_lump(c, &chain))
    return NAN;
  field lump = {.velocity = {0.0}}, knuckle;
  memcpy(lump.at, chain.body[0].place, sizeof lump.at);
  for (int i = 0; i < 3; i++)
    lump.spin[i] = q.d[0] * chain.body[0].axis[i];
  memcpy(knuckle.at, pose.at, sizeof knuckle.at);
  memcpy(knuckle.velocity, pose.velocity[0], sizeof knuckle.velocity);
  memcpy(knuckle.spin, pose.spin[0], sizeof knuckle.spin);
  const double *hub = c->points.wheel_center;
  double sum = c->knuckle_mass * (square_at(&lump, hub, hub) - square_at(&knuckle, hub, hub));
  for (int i = 0; i < 3; i++)
    sum += c->knuckle_inertia[i] * (lump.spin[i] * lump.spin[i] - knuckle.spin[i] * knuckle.spin[i]);
  for (int k = 0; k < c->points.members; k++) {
    const vd_member *m = &c->points.member[k];
    double outer = 3.0 * square_at(&knuckle, m->knuckle, m->knuckle) / 9.0; /* the end at the chassis is at rest */
    if (m->kind == VD_ROD)
      sum += c->member_mass[k] * (square_at(&lump, m->chassis[0], m->knuckle) - outer);
    if (m->kind != VD_ARM)
      continue;
    double d[2];
    for (int leg = 0; leg < 2; leg++)
      d[leg] = hypot(hypot(m->knuckle[0] - m->chassis[leg][0], m->knuckle[1] - m->chassis[leg][1]),
                     m->knuckle[2] - m->chassis[leg][2]);
    for (int leg = 0; leg < 2; leg++)
      sum += c->member_mass[k] * d[leg] / (d[0] + d[1]) * (square_at(&lump, m->chassis[leg], m->knuckle) - outer);
  }
  return sum;
}

static void lump_error(enum corner_of which) {
  vd_corner c = weighed(which);
  vd_linkage l = built(&c);
  vd_jet q;
  for (size_t k = 0; k < VD_COUNT(travels); k++) {
    double mass = mass_at(&c, &l, travels[k], 0.0).mass[0][0], lump = lump_mass(&c, &l, travels[k], &q);
    tap_diag("%s at %+.0f mm: the mass is %.4f kg, that of the lump %.4f kg (%+.1f %%)", c.name, 1e3 * travels[k], mass,
             lump, 100.0 * (lump / mass - 1.0));
  }
  double mass = mass_at(&c, &l, 0.0, 0.0).mass[0][0], lump = lump_mass(&c, &l, 0.0, &q);
  tap_near((lump - mass) / lump, expected_excess(&c, &l) / lump, 1e-12,
           "%s: the excess of the lump is that of the rotations that it assumes for all bodies", c.name);
}

/* --- motion --- */

typedef struct ride {
  const vd_corner *corner;
  const vd_linkage *l;
  vd_pose near;
  double load;
} ride;

static void ride_rates(void *context, int stage, const double *x, double *dx) {
  ride *r = context;
  const double u[VD_INPUTS] = {x[0], 0.0}, rate[VD_INPUTS] = {x[1], 0.0};
  vd_corner_mass m;
  double force[VD_INPUTS], accel[VD_INPUTS] = {NAN};
  (void)stage;
  if (vd_linkage_move(r->l, u, &r->near) == VD_LINKAGE_OK) {
    vd_corner_mass_at(r->corner, r->l, &r->near, &m);
    vd_corner_spring_forces(r->corner, r->l, &r->near, r->load, force);
    vd_corner_accel(&m, false, rate, force, accel);
  }
  dx[0] = x[1];
  dx[1] = accel[0];
}

static void ride_step(ride *r, double h, double *x) {
  double dx[2];
  ride_rates(r, 0, x, dx);
  vd_rk4(ride_rates, r, h, 2, dx, x);
}

/* Returns the duration of the motion from rest at `height` until the corner is at rest there again. */
static double period(ride *r, double height, double guess) {
  enum { STEPS = 400 };
  double x[2] = {height, 0.0}, h = guess / STEPS, t = 0.0, dx[2];
  vd_linkage_start(r->l, &r->near);
  for (int i = 0; i < STEPS - 1; i++, t += h)
    ride_step(r, h, x);
  for (int i = 0; i < 4; i++) { /* Newton's steps to where the rate is 0 */
    ride_rates(r, 0, x, dx);
    double last = -x[1] / dx[1];
    ride_step(r, last, x);
    t += last;
  }
  return t;
}

static double ride_energy(ride *r, const double *x) {
  vd_pose start;
  const vd_corner *c = r->corner;
  const double u[VD_INPUTS] = {x[0], 0.0};
  vd_linkage_start(r->l, &start);
  vd_linkage_move(r->l, u, &r->near);
  vd_corner_mass m;
  vd_corner_mass_at(c, r->l, &r->near, &m);
  double sum = 0.5 * m.mass[0][0] * x[1] * x[1];
  cloud p = points_at(c, r->l, x[0], 0.0), design = points_at(c, r->l, 0.0, 0.0);
  for (int k = 0; k < p.count; k++)
    sum += p.mass[k] * VD_GRAVITY * (p.at[k][2] - design.at[k][2]);
  double shorter =
      vd_element_length(r->l, &start, &c->points.spring).v - vd_element_length(r->l, &r->near, &c->points.spring).v;
  return sum + r->load * shorter + 0.5 * c->spring_rate * shorter * shorter;
}

/* Checks the vibration of a corner on its spring about the design position, in which it can rest. */
static void free_vibration(enum corner_of which) {
  vd_corner c = weighed(which);
  if (!c.points.spring.given)
    c.points.spring = (vd_element){.given = true, .chassis = {-1.2, 0.6, 0.6}, .eye = {-1.25, 0.6, 0.25}};
  c.spring_rate = 30e3;
  vd_linkage l = built(&c);
  ride r = {.corner = &c, .l = &l};
  vd_linkage_start(&l, &r.near);
  vd_jet length = vd_element_length(&l, &r.near, &c.points.spring);
  vd_corner_mass m = mass_at(&c, &l, 0.0, 0.0);
  r.load = -m.weight[0] / length.d[0];
  /* wheel rate with the change of the weight's force: -dQ/dz */
  double rate = c.spring_rate * length.d[0] * length.d[0] - r.load * length.h[VD_UU];
  for (int k = 0; k < 4; k++)
    rate -= share[k] * mass_at(&c, &l, aside[k] * step, 0.0).weight[0] / (12.0 * step);
  double expected = 2.0 * VD_PI * sqrt(m.mass[0][0] / rate);
  /* a period depends on the square of the amplitude; without this term the deviation grows as the fourth power of
   * amplitude per length of the links, (2 mm/0.2 m)^4 = 1e-8 */
  double wide = period(&r, 2e-3, expected), narrow = period(&r, 1e-3, expected);
  tap_near((4.0 * narrow - wide) / 3.0, expected, 1e-8 * expected,
           "%s: the period on its spring is 2 pi sqrt(M/k), %.4g s", c.name, expected);
  double x[2] = {0.06, 0.0};
  vd_linkage_start(&l, &r.near);
  double before = ride_energy(&r, x), rest[2] = {0.0, 0.0}, lift = before - ride_energy(&r, rest), worst = 0.0;
  for (int i = 0; i < 400; i++) {
    ride_step(&r, expected / 400.0, x);
    if (i % 20 == 0)
      worst = tap_max(worst, fabs(ride_energy(&r, x) - before));
  }
  /* In a step of Runge-Kutta a vibration loses (w h)^6/72 of its energy, with w its angular frequency and h the step;
   * one of four times the frequency loses 4^6 times as much, in 400 steps 400 (4 2 pi/400)^6/72 = 3.4e-7. At most half
   * of the energy is in such vibrations. */
  tap_near(worst / lift, 0.0, 2e-7, "%s: a corner that swings by 60 mm keeps its energy", c.name);
}

/* --- missing masses --- */

static void not_given(void) {
  vd_corner c = weighed(DW_FRONT_SPORTS);
  vd_linkage l = built(&c);
  vd_chain chain;
  c.member_mass[2] = NAN;
  tap_ok(isnan(mass_at(&c, &l, 0.0, 0.0).mass[0][0]), "a rod of unknown mass makes the mass unknown");
  tap_ok(!vd_corner_lump(&c, &chain), "a corner with a rod of unknown mass has no lump");
  c = weighed(DW_FRONT_SPORTS);
  c.knuckle_inertia[1] = NAN;
  tap_ok(isnan(mass_at(&c, &l, 0.0, 0.0).mass[0][0]) && !vd_corner_lump(&c, &chain),
         "a corner with unknown inertia has no lump");
  c = weighed(MP_FRONT_SEDAN);
  vd_linkage strut = built(&c);
  tap_ok(isfinite(mass_at(&c, &strut, 0.0, 0.0).mass[0][0]), "the unknown mass of a strut is part of the knuckle's");
  c = four_link_axle();
  vd_linkage axle = built(&c);
  vd_pose pose;
  vd_linkage_start(&axle, &pose);
  tap_ok(!vd_corner_lump(&c, &chain) && isnan(vd_corner_drive(&c, &axle, &pose).v), "a rigid axle has no lump");
  const double force[VD_INPUTS] = {300.0, -200.0}, rate[VD_INPUTS] = {0.7, -0.4};
  double accel[VD_INPUTS], worst = 0.0;
  vd_corner_mass m = mass_at(&c, &axle, 0.02, -0.03);
  vd_corner_accel(&m, true, rate, force, accel);
  for (int i = 0; i < VD_INPUTS; i++) {
    double inertia = m.mass[i][0] * accel[0] + m.mass[i][1] * accel[1] + m.curve[i][VD_UU] * rate[0] * rate[0] +
                     2.0 * m.curve[i][VD_UV] * rate[0] * rate[1] + m.curve[i][VD_VV] * rate[1] * rate[1];
    worst = tap_max(worst, fabs(inertia - m.weight[i] - force[i]));
  }
  tap_near(worst, 0.0, 1e-11, "both travels of an axle obey their equations");
}

int main(void) {
  tap_plan(15 + 12 + 3 + 3 + 3 + 8 + 6);
  for (enum corner_of which = MP_FRONT_SEDAN; which < CORNERS_OF; which++) {
    vd_corner c = weighed(which);
    against_points(&c);
    check_moments(&c);
  }
  vd_corner axle = four_link_axle();
  against_points(&axle);
  trailing_arm();
  arm_alone(MP_FRONT_SEDAN);
  arm_alone(DW_FRONT_SPORTS);
  link_alone();
  lump_error(MP_FRONT_SEDAN);
  lump_error(DW_FRONT_SPORTS);
  lump_error(FIVE_LINK_REAR_SPORTS);
  for (enum corner_of which = MP_FRONT_SEDAN; which < CORNERS_OF; which++)
    free_vibration(which);
  not_given();
  return tap_done();
}
