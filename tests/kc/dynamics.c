/* Dynamics of a corner, compared with two calculations that do not reduce it to its inputs: the knuckle's six
 * coordinates under five constraints with their multipliers, integrated (a DAE of index 3, reduced to index 1 and
 * stabilised after Baumgarte), and the rate of the energy of a prescribed motion. In both, all masses are points: a
 * knuckle has six points. A bar has a sixth of its mass at its outer end, and four sixths in its middle, which moves
 * half as far. */
#include "kc/dynamics.h"
#include "corners.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.80665;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns a corner whose bodies are heavier than real ones, and than those of tests/linkage/corner_mass.c. */
static vd_corner weighed(enum corner_of which) {
  static const double knuckle[CORNERS_OF] = {18.5, 16.5, 16.0, 16.5};
  static const double member[CORNERS_OF][VD_MEMBERS] = {
      {18.5, NAN, 3.8}, {17.0, 8.5, 3.8}, {19.0}, {6.0, 6.0, 6.0, 6.0, 6.0}};
  return corner_with_masses(which, knuckle, member, 0.6);
}

/* --- the knuckle under constraints --- */

enum { SIX = 6, FIVE = VD_KC_CONSTRAINTS, POINTS = 32, STATES = 3 + 9 + 6 };

/* Points of the knuckle, relative to the wheel centre at design. The mass of each moves by `share` of its motion. */
typedef struct body {
  const vd_linkage *l;
  int points;
  double at[POINTS][3], mass[POINTS], share[POINTS];
  double stiffness, preload; /* N/m, N: vertical spring at the wheel centre */
} body;

static void put(body *b, double mass, double share, const double *at) {
  b->mass[b->points] = mass;
  b->share[b->points] = share;
  memcpy(b->at[b->points++], at, 3 * sizeof *at);
}

static body body_of(const vd_corner *c, const vd_linkage *l) {
  body b = {.l = l, .stiffness = 30000.0};
  const double *inertia = c->knuckle_inertia, *from = c->points.wheel_center;
  double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]), square = half / c->knuckle_mass, at[3];
  for (int k = 0; k < 6; k++) {
    memset(at, 0, sizeof at);
    at[k / 2] = (k % 2 ? -1.0 : 1.0) * sqrt(square);
    put(&b, 0.5 * (half - inertia[k / 2]) / square, 1.0, at);
  }
  for (int i = 0; i < c->points.members; i++) {
    const vd_member *m = &c->points.member[i];
    const double *end = m->kind == VD_HINGE ? from : m->knuckle;
    double length[2] = {0.0, 0.0};
    for (int k = 0; k < (m->kind == VD_ROD ? 1 : 2); k++)
      length[k] = sqrt(pow(end[0] - m->chassis[k][0], 2) + pow(end[1] - m->chassis[k][1], 2) +
                       pow(end[2] - m->chassis[k][2], 2));
    if (m->kind == VD_SLIDER)
      continue;
    for (int j = 0; j < 3; j++)
      at[j] = end[j] - from[j];
    for (int k = 0; k < 2; k++) {
      double mass = c->member_mass[i] * length[k] / (length[0] + length[1]);
      put(&b, mass / 6.0, 1.0, at);
      put(&b, mass * 4.0 / 6.0, 0.5, at);
    }
  }
  return b;
}

/* Rotates a vector by the rotation in x, which contains wheel centre, rotation by rows, velocity, angular velocity. */
static void turned(const double *x, const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = dot(x + 3 + 3 * i, v);
}

/* Adds m J'J and J' (force - m share w x (w x r)) of a point, with its Jacobian J = share (1, -[r x]). */
static void add_point(const body *b, int k, const double *x, double (*matrix)[SIX + FIVE + 1]) {
  const double *w = x + 15, mass = b->mass[k], share = b->share[k];
  double r[3], swing[3], bend[3];
  turned(x, b->at[k], r);
  cross(w, r, swing);
  cross(w, swing, bend);
  const double j[3][SIX] = {{share, 0, 0, 0, share * r[2], -share * r[1]},
                            {0, share, 0, -share * r[2], 0, share * r[0]},
                            {0, 0, share, share * r[1], -share * r[0], 0}};
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < SIX; i++) {
      for (int n = 0; n < SIX; n++)
        matrix[i][n] += mass * j[d][i] * j[d][n];
      matrix[i][SIX + FIVE] += j[d][i] * mass * ((d == 2 ? -gravity : 0.0) - share * bend[d]);
    }
}

/* Computes a constraint's row and its right-hand side: Baumgarte's acceleration, critically damped. */
static void add_constraint(const vd_joint *joint, const double *x, double *row, double *right) {
  static const double fast = 300.0; /* 1/s */
  const double *v = x + 12, *w = x + 15, length = joint->length;
  double s[3], d[3], rate[3], swing[3], bend[3], n[3], value, slope, more, twist[3];
  turned(x, joint->body, s);
  cross(w, s, swing);
  cross(w, swing, bend);
  for (int i = 0; i < 3; i++) {
    d[i] = x[i] + s[i] - joint->chassis[i];
    rate[i] = v[i] + swing[i];
    n[i] = joint->kind == VD_JOINT_ROD ? d[i] / length : joint->direction[i];
  }
  if (joint->kind == VD_JOINT_SLIDE)
    turned(x, joint->direction, n);
  cross(s, n, row + 3);
  memcpy(row, n, sizeof n);
  value = joint->kind == VD_JOINT_ROD ? 0.5 * (dot(d, d) / length - length) : dot(n, d);
  slope = dot(n, rate);
  more = dot(n, bend);
  if (joint->kind == VD_JOINT_ROD)
    more += dot(rate, rate) / length;
  if (joint->kind == VD_JOINT_SLIDE) {
    double turning[3], again[3];
    cross(w, n, turning);
    cross(w, turning, again);
    cross(n, d, twist);
    for (int i = 0; i < 3; i++)
      row[3 + i] += twist[i];
    slope += dot(turning, d);
    more += 2.0 * dot(turning, rate) + dot(again, d);
  }
  *right = -more - 2.0 * fast * slope - fast * fast * value;
}

static void solve(double (*a)[SIX + FIVE + 1], double *x) {
  enum { ALL = SIX + FIVE };
  for (int k = 0; k < ALL; k++) {
    int best = k;
    for (int i = k; i < ALL; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    for (int j = 0; j <= ALL; j++) {
      double other = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = other;
    }
    for (int i = k + 1; i < ALL; i++) {
      double share = a[i][k] / a[k][k];
      for (int j = k; j <= ALL; j++)
        a[i][j] -= share * a[k][j];
    }
  }
  for (int i = ALL - 1; i >= 0; i--) {
    x[i] = a[i][ALL];
    for (int j = i + 1; j < ALL; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

static double spring_of(const body *b, double travel) {
  return b->preload - b->stiffness * travel;
}

/* Computes rates; push: forces of the constraints. */
static void rates(const body *b, const double *x, double *dx, double *push) {
  double a[SIX + FIVE][SIX + FIVE + 1] = {{0.0}}, solution[SIX + FIVE];
  for (int k = 0; k < b->points; k++)
    add_point(b, k, x, a);
  a[2][SIX + FIVE] += spring_of(b, x[2] - b->l->points.wheel_center[2]);
  for (int j = 0; j < FIVE; j++) {
    double row[SIX];
    add_constraint(&b->l->joint[j], x, row, &a[SIX + j][SIX + FIVE]);
    for (int i = 0; i < SIX; i++) {
      a[SIX + j][i] = row[i];
      a[i][SIX + j] = -row[i];
    }
  }
  solve(a, solution);
  for (int i = 0; i < 3; i++) {
    const double column[3] = {x[3 + i], x[6 + i], x[9 + i]};
    double turning[3];
    dx[i] = x[12 + i];
    cross(x + 15, column, turning);
    for (int j = 0; j < 3; j++)
      dx[3 + 3 * j + i] = turning[j];
  }
  memcpy(dx + 12, solution, SIX * sizeof *dx);
  memcpy(push, solution + SIX, FIVE * sizeof *push);
}

/* --- the motion by the travel alone --- */

static void travel_rates(const body *b, const vd_corner *c, vd_pose *pose, const double *x, double *dx) {
  const double u[VD_INPUTS] = {x[0], 0.0}, rate[VD_INPUTS] = {x[1], 0.0}, force[VD_INPUTS] = {spring_of(b, x[0]), 0.0};
  double accel[VD_INPUTS];
  vd_corner_mass m;
  if (vd_linkage_move(b->l, u, pose) != VD_LINKAGE_OK)
    pose->at[2] = NAN;
  vd_corner_mass_at(c, b->l, pose, &m);
  vd_corner_accel(&m, false, rate, force, accel);
  dx[0] = x[1];
  dx[1] = accel[0];
}

/* Makes a step of the classical Runge-Kutta method for the constrained knuckle; step_travel makes one for the
 * travel. */
static void step_all(const body *b, double h, double *x) {
  static const double part[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  double k[STATES] = {0.0}, sum[STATES] = {0.0}, at[STATES], push[FIVE];
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < STATES; i++)
      at[i] = x[i] + part[stage] * h * k[i];
    rates(b, at, k, push);
    for (int i = 0; i < STATES; i++)
      sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < STATES; i++)
    x[i] += h / 6.0 * sum[i];
}

static void step_travel(const body *b, const vd_corner *c, vd_pose *pose, double h, double *x) {
  static const double part[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  double k[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
  for (int stage = 0; stage < 4; stage++) {
    const double at[2] = {x[0] + part[stage] * h * k[0], x[1] + part[stage] * h * k[1]};
    travel_rates(b, c, pose, at, k);
    for (int i = 0; i < 2; i++)
      sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < 2; i++)
    x[i] += h / 6.0 * sum[i];
}

/* --- free oscillation --- */

static void take(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

/* Difference of the constrained knuckle from the linkage at the same travel. */
typedef struct apart {
  double place, turn, force, push; /* m, rad, N, N */
} apart;

static void compare(const body *b, const vd_corner *c, const double *x, vd_pose *pose, apart *w) {
  double dx[STATES], push[FIVE];
  const double u[VD_INPUTS] = {x[2] - b->l->points.wheel_center[2], 0.0};
  vd_kc_dynamics d;
  rates(b, x, dx, push);
  if (vd_linkage_move(b->l, u, pose) != VD_LINKAGE_OK)
    pose->at[2] = NAN;
  const vd_kc_motion moved = {{x[14], 0.0}, {dx[14], 0.0}};
  vd_kc_dynamics_at(c, b->l, pose, &moved, &d);
  for (int i = 0; i < 3; i++) {
    take(&w->place, x[i] - pose->at[i]);
    for (int j = 0; j < 3; j++)
      take(&w->turn, x[3 + 3 * i + j] - pose->turn[i][j]);
  }
  take(&w->force, d.force[0] - spring_of(b, u[0]));
  for (int j = 0; j < FIVE; j++)
    take(&w->push, (b->l->joint[j].kind == VD_JOINT_ROD ? -push[j] : push[j]) - d.constraint[j]);
}

/* Releases a corner 60 mm above its equilibrium on the spring. The links oscillate with about 20 rad/s, errors of
 * constraints decay with 300 1/s: in steps of 0.1 ms the error of Runge-Kutta is (300 h)^5/120 = 2e-10 of the errors of
 * constraints, and (20 h)^5/120 of the motion. Forces of about 1e4 N must agree within 1e-8. */
static double oscillate(const vd_corner *c, bool checked) {
  enum { STEPS = 3000 };
  const double h = 1e-4;
  vd_linkage l;
  vd_pose pose, along, near;
  vd_corner_mass m;
  apart w = {0.0, 0.0, 0.0, 0.0};
  double x[STATES] = {0.0}, z[2] = {0.06, 0.0}, travel = 0.0;
  bool built = vd_linkage_build(&c->points, VD_PARALLEL, &l);
  body b = body_of(c, &l);
  vd_linkage_start(&l, &pose);
  vd_corner_mass_at(c, &l, &pose, &m);
  b.preload = -m.weight[0];
  const double u[VD_INPUTS] = {z[0], 0.0};
  if (!built || vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK)
    return NAN;
  along = near = pose;
  memcpy(x, pose.at, sizeof pose.at);
  memcpy(x + 3, pose.turn, sizeof pose.turn);
  for (int i = 0; i < STEPS; i++) {
    if (checked && i % 100 == 0)
      compare(&b, c, x, &near, &w);
    if (checked)
      step_all(&b, h, x);
    step_travel(&b, c, &along, h, z);
    if (checked)
      take(&travel, x[2] - l.points.wheel_center[2] - z[0]);
  }
  if (!checked)
    return z[0];
  tap_near(w.turn, 0.0, 1e-9, "%s: the constrained knuckle turns as the linkage, within %.1e rad", c->name, w.turn);
  tap_near(w.place, 0.0, 1e-9, "%s: the constrained knuckle moves as the linkage, within %.1e m", c->name, w.place);
  tap_near(travel, 0.0, 1e-9,
           "%s: the travel of the constrained knuckle over time is that of the generalised mass, within %.1e m",
           c->name, travel);
  tap_near(w.force, 0.0, 1e-4,
           "%s: the spring of the constrained knuckle has the force of inverse dynamics, within %.1e N", c->name,
           w.force);
  tap_near(w.push, 0.0, 1e-4,
           "%s: the multipliers of the constrained knuckle are the forces in the links, within %.1e N", c->name,
           w.push);
  return z[0];
}

/* --- energy of a motion --- */

static double energy(const vd_corner *c, const vd_linkage *l, double t, const double *size, double turning) {
  const double u[VD_INPUTS] = {size[0] * sin(turning * t), size[1] * cos(turning * t)};
  const double rate[VD_INPUTS] = {size[0] * turning * cos(turning * t), -size[1] * turning * sin(turning * t)};
  vd_pose pose;
  vd_corner_mass m;
  double sum = 0.0;
  vd_linkage_start(l, &pose);
  vd_linkage_move(l, u, &pose);
  vd_corner_mass_at(c, l, &pose, &m);
  for (int i = 0; i < VD_INPUTS; i++)
    for (int j = 0; j < VD_INPUTS; j++)
      sum += 0.5 * rate[i] * m.mass[i][j] * rate[j];
  vd_corner_bar bar[VD_CORNER_BARS];
  int bars = vd_corner_bars(c, bar);
  sum += c->knuckle_mass * gravity * pose.at[2];
  for (int k = 0; k < bars; k++)
    sum += 0.5 * bar[k].mass * gravity *
           (vd_pose_point(l, &pose, bar[k].outer).z.v + vd_member_base(l, &pose, bar[k].member, bar[k].at).z.v);
  return sum;
}

/* Checks that the power of both forces is the rate of kinetic and potential energy, by differences of fourth order:
 * their error is (w h)^4/30 of about 1 kW. */
static void check_power(enum corner_of which) {
  const double size[VD_INPUTS] = {0.05, which == TA_REAR_SEDAN || which == FIVE_LINK_REAR_SPORTS ? 0.0 : 0.02};
  const double turning = 20.0, h = 1e-4;
  vd_corner c = weighed(which);
  vd_linkage l;
  double worst = vd_linkage_build(&c.points, VD_PARALLEL, &l) ? 0.0 : INFINITY;
  for (int i = 0; i < 24; i++) {
    double t = 0.013 * i, e[4];
    const double aside[] = {1.0, -1.0, 2.0, -2.0};
    for (int k = 0; k < 4; k++)
      e[k] = energy(&c, &l, t + aside[k] * h, size, turning);
    const double u[VD_INPUTS] = {size[0] * sin(turning * t), size[1] * cos(turning * t)};
    const vd_kc_motion moved = {{size[0] * turning * cos(turning * t), -size[1] * turning * sin(turning * t)},
                                {-turning * turning * u[0], -turning * turning * u[1]}};
    vd_pose pose;
    vd_kc_dynamics d;
    vd_linkage_start(&l, &pose);
    vd_linkage_move(&l, u, &pose);
    vd_kc_dynamics_at(&c, &l, &pose, &moved, &d);
    take(&worst,
         (8.0 * (e[0] - e[1]) - (e[2] - e[3])) / (12.0 * h) - d.force[0] * moved.rate[0] - d.force[1] * moved.rate[1]);
    if (which == TA_REAR_SEDAN) /* the whole corner is one body on one joint */
      take(&worst, 1e-3 * (d.lump_force - d.force[0]));
  }
  tap_near(worst, 0.0, 1e-5, "%s: the power of a motion's forces is the rate of its energy, W", c.name);
}

int main(void) {
  tap_plan(4 * 5 + 4 + 2);
  for (enum corner_of which = MP_FRONT_SEDAN; which < CORNERS_OF; which++) {
    vd_corner c = weighed(which);
    oscillate(&c, true);
    check_power(which);
  }
  /* a third of an arm's mass moves with its end, so that a corner is slower with all of this mass in the knuckle */
  vd_corner c = weighed(DW_FRONT_SPORTS), lumped = c;
  for (int i = 0; i < c.points.members; i++) {
    lumped.knuckle_mass += c.member_mass[i];
    lumped.member_mass[i] = 0.0;
  }
  double own = oscillate(&c, false), all = oscillate(&lumped, false);
  tap_ok(fabs(own - all) > 5e-3, "masses of links are not those of the knuckle: after 0.3 s %.1f mm and %.1f mm",
         1e3 * own, 1e3 * all);
  c.member_mass[0] = NAN;
  vd_buf out = {0};
  vd_kc_report report;
  const vd_kc_range travel = {-0.05, 0.05, 5}, rack = {0.0, 0.0, 1};
  tap_ok(!vd_kc_dynamics_write(&c, &travel, &rack, 1.0, VD_DIGITS_9, &out, &report) && report.messages.length > 0,
         "a mass that is not known is refused");
  vd_buf_finish(&out);
  vd_buf_finish(&report.messages);
  return tap_done();
}
