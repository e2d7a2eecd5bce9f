#include "sim/plan.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

const double vd_plan_step = 0.02;

enum { Y, HEADING, VY, YAW_RATE, SLIP_F, SLIP_R, STEER, LEAN, LEAN_RATE, STATES = VD_PLAN_STATES };

/* Weights of the sum of squares. One centimetre of contact with a cone has the weight of 0.6 degrees of slip beyond the
 * peak. */
static const double cone_weight = 1e4;   /* 1/m2, of the contact with a cone */
static const double margin_weight = 1e3; /* 1/m2, of the distance to a cone below the margin */
static const double slip_weight = 1e4;   /* 1/rad2, of the slip beyond the peak */
static const double rate_weight = 0.01;  /* of the steering rate divided by the greatest rate */
static const double work_weight = 0.01;  /* of the slip divided by the slip at the peak */
static const double lane_weight = 0.01;  /* 1/m2, of the distance from the middle of the lanes */

/* ---- the car ---- */

static double slip_of(const vd_plan_start *c, const vd_known_car *car, int axle) {
  double v = vd_max(c->vx, 1.0), side = c->vy - c->lean_rate; /* of the wheels */
  double ahead = axle == VD_FRONT ? car->to_axle[axle] : -car->to_axle[axle];
  return (axle == VD_FRONT ? c->steer : 0.0) - vd_atan((side + ahead * c->yaw_rate) / v) +
         car->lean_slip[axle] * c->lean;
}

/* Returns the second derivative of the lean, m/s2. */
static double lean_rise(const vd_known_car *car, double lean, double lean_rate, double ay) {
  const double w = car->lean_frequency;
  return -w * (w * (lean + car->lean_gain * ay) + 2.0 * car->lean_damping * lean_rate);
}

/* Accelerations by the forces of both axles at the slip of their tyres. */
typedef struct push {
  double ax, ay, spin, swing; /* m/s2, m/s2, rad/s2, m/s2 */
} push;

static push push_at(const vd_known_car *car, const vd_plan_start *c) {
  double slope, front = vd_known_force(car, VD_FRONT, c->slip[VD_FRONT], c->lean, &slope),
                side = front * vd_cos(c->steer);
  double rear = vd_known_force(car, VD_REAR, c->slip[VD_REAR], c->lean, &slope), ay = (side + rear) / car->mass;
  return (push){
      .ax = c->pull - front * vd_sin(c->steer) / car->mass,
      .ay = ay,
      .spin = (car->arm[VD_FRONT] * side - car->arm[VD_REAR] * rear) / car->inertia,
      .swing = lean_rise(car, c->lean, c->lean_rate, ay),
  };
}

/* Moves the car for a time with the rates of the instant `at'; the slip does not change. */
static void advance(const vd_known_car *car, const vd_plan_start *at, double rate, double time, vd_plan_start *c) {
  const push p = push_at(car, at);
  double turn_cos = vd_cos(at->heading), turn_sin = vd_sin(at->heading);
  c->x += time * (at->vx * turn_cos - at->vy * turn_sin);
  c->y += time * (at->vx * turn_sin + at->vy * turn_cos);
  c->heading += time * at->yaw_rate;
  c->vx += time * (p.ax + at->vy * at->yaw_rate);
  c->vy += time * (p.ay - at->vx * at->yaw_rate);
  c->yaw_rate += time * p.spin;
  c->steer += time * rate;
  c->lean += time * at->lean_rate;
  c->lean_rate += time * p.swing;
}

/* The middle of a step, and derivatives of the tyres' slips in the middle and at the end of the step. They are
 * derivatives by the axles' slips and by the tyres' slips at the beginning. */
typedef struct stride {
  vd_plan_start middle;
  double by_half[VD_AXLES][2], by_whole[VD_AXLES][2];
} stride;

/* Moves the car for a time with the rates in the middle of this time: a Runge-Kutta step of second order. */
static void move(const vd_known_car *car, double rate, double time, vd_plan_start *c, stride *s) {
  vd_plan_start *middle = &s->middle;
  double slip[VD_AXLES];
  *middle = *c;
  advance(car, c, rate, 0.5 * time, middle);
  for (int a = 0; a < VD_AXLES; a++) {
    double axle_slip = slip_of(middle, car, a), v = vd_max(middle->vx, 1.0);
    slip[a] = vd_known_slip(car, a, v, time, axle_slip, c->slip[a], s->by_whole[a]);
    middle->slip[a] = vd_known_slip(car, a, v, 0.5 * time, axle_slip, c->slip[a], s->by_half[a]);
  }
  advance(car, middle, rate, time, c);
  memcpy(c->slip, slip, sizeof slip);
}

void vd_plan_move(const vd_plan_task *task, double rate, double time, vd_plan_start *c) {
  stride s;
  move(task->car, rate, time, c, &s);
}

/* Quantities at an instant that the derivatives need. */
typedef struct instant {
  double stiff[VD_AXLES], forward, turn_cos, vx; /* N/rad, across the body; m/s, along x; -; m/s */
} instant;

static instant instant_at(const vd_known_car *car, const vd_plan_start *c) {
  instant i = {.turn_cos = vd_cos(c->heading), .vx = c->vx};
  i.forward = c->vx * i.turn_cos - c->vy * vd_sin(c->heading);
  for (int a = 0; a < VD_AXLES; a++)
    vd_known_force(car, a, c->slip[a], c->lean, &i.stiff[a]);
  i.stiff[VD_FRONT] *= vd_cos(c->steer);
  return i;
}

/* Computes the derivatives of advance(). `at' are the derivatives of the instant whose rates move the car; the
 * derivatives after `time' are added to `to'. */
static void advance_slopes(const vd_known_car *car, const instant *i, const double *at, double rate, double time,
                           double *to) {
  double front = i->stiff[VD_FRONT] * at[SLIP_F], rear = i->stiff[VD_REAR] * at[SLIP_R];
  double ay = (front + rear) / car->mass;
  to[Y] += time * (i->turn_cos * at[VY] + i->forward * at[HEADING]);
  to[HEADING] += time * at[YAW_RATE];
  to[VY] += time * (ay - i->vx * at[YAW_RATE]);
  to[YAW_RATE] += time * (car->arm[VD_FRONT] * front - car->arm[VD_REAR] * rear) / car->inertia;
  to[STEER] += time * rate;
  to[LEAN] += time * at[LEAN_RATE];
  to[LEAN_RATE] += time * lean_rise(car, at[LEAN], at[LEAN_RATE], ay);
}

/* Computes the derivatives of the states after a step by the states before it and, last, by the steering rate: f =
 * [after][before]. The longitudinal speed is treated as constant. */
static void slopes(const vd_known_car *car, const vd_plan_start *c, double rate, double f[STATES][STATES + 1]) {
  static const double h = vd_plan_step;
  vd_plan_start after = *c;
  stride s;
  move(car, rate, h, &after, &s);
  const instant start = instant_at(car, c), half = instant_at(car, &s.middle);
  double v = vd_max(s.middle.vx, 1.0), bend[VD_AXLES];
  for (int a = 0; a < VD_AXLES; a++) {
    double ahead = a == VD_FRONT ? car->to_axle[a] : -car->to_axle[a];
    double straight = (s.middle.vy - s.middle.lean_rate + ahead * s.middle.yaw_rate) / v;
    bend[a] = 1.0 / (v * (1.0 + straight * straight));
  }
  for (int j = 0; j <= STATES; j++) {
    double before[STATES] = {0.0}, between[STATES], behind[STATES], by_rate = j == STATES ? 1.0 : 0.0;
    if (j < STATES)
      before[j] = 1.0;
    memcpy(between, before, sizeof between);
    memcpy(behind, before, sizeof behind);
    advance_slopes(car, &start, before, by_rate, 0.5 * h, between);
    for (int a = 0; a < VD_AXLES; a++) {
      double ahead = a == VD_FRONT ? car->to_axle[a] : -car->to_axle[a];
      double by = (a == VD_FRONT ? between[STEER] : 0.0) -
                  bend[a] * (between[VY] - between[LEAN_RATE] + ahead * between[YAW_RATE]) +
                  car->lean_slip[a] * between[LEAN];
      between[SLIP_F + a] = s.by_half[a][0] * by + s.by_half[a][1] * before[SLIP_F + a];
      behind[SLIP_F + a] = s.by_whole[a][0] * by + s.by_whole[a][1] * before[SLIP_F + a];
    }
    advance_slopes(car, &half, between, by_rate, h, behind);
    for (int i = 0; i < STATES; i++)
      f[i][j] = behind[i];
  }
}

/* ---- the sum of squares ---- */

/* A sum of squares at a state: its value, gradient and Gauss-Newton matrix by the states. Gradient and matrix may be
 * NULL. */
typedef struct tally {
  double value, *gradient, (*matrix)[STATES];
} tally;

/* Adds weight x miss^2; the miss depends on up to STATES states. */
static void add_square(tally *t, double weight, double miss, const double slope[STATES]) {
  t->value += weight * miss * miss;
  if (!t->gradient)
    return;
  for (int i = 0; i < STATES; i++) {
    if (slope[i] == 0.0)
      continue;
    t->gradient[i] += 2.0 * weight * miss * slope[i];
    for (int j = 0; j < STATES; j++)
      t->matrix[i][j] += 2.0 * weight * slope[i] * slope[j];
  }
}

/* Returns the y of the lanes' middle at x, on straight lines from one lane to the next. */
static double middle_at(const vd_path *path, double x) {
  const vd_gate *g = path->gate;
  for (size_t i = 0; i + 1 < path->gates; i++) {
    if (x < g[i].to)
      return g[i].centre;
    if (x < g[i + 1].from)
      return g[i].centre + (g[i + 1].centre - g[i].centre) * (x - g[i].to) / (g[i + 1].from - g[i].to);
  }
  return g[path->gates - 1].centre;
}

static void tally_cones(const vd_plan_task *task, const vd_plan_start *c, tally *t) {
  static const double reach = 0.2; /* m, half of the distance travelled in a step at 20 m/s */
  const vd_known_car *car = task->car;
  double turn_cos = vd_cos(c->heading), turn_sin = vd_sin(c->heading);
  double radius = task->path->cone_radius, ahead = car->ahead + radius + reach, behind = car->behind + radius + reach;
  for (size_t i = 0; i < task->cones; i++) {
    double dx = task->cone[i].x - c->x, dy = task->cone[i].y - c->y;
    double along = turn_cos * dx + turn_sin * dy, across = turn_cos * dy - turn_sin * dx;
    if (!(along > -behind && along < ahead))
      continue;
    double side = task->cone[i].y > task->path->gate[task->cone[i].gate].centre ? 1.0 : -1.0;
    double miss = car->half_width + radius - side * across,
           slope[STATES] = {[Y] = side * turn_cos, [HEADING] = side * along};
    if (miss + task->margin > 0.0)
      add_square(t, margin_weight, miss + task->margin, slope);
    if (miss > 0.0)
      add_square(t, cone_weight, miss, slope);
  }
}

static void tally_state(const vd_plan_task *task, const vd_plan_start *c, tally *t) {
  const vd_known_car *car = task->car;
  const double v = vd_max(c->vx, 1.0);
  tally_cones(task, c, t);
  for (int a = 0; a < VD_AXLES; a++) {
    double slip = slip_of(c, car, a), over = fabs(slip) - car->peak[a], ahead = car->to_axle[a];
    double slope[STATES] = {[VY] = -1.0 / v,
                            [YAW_RATE] = (a == VD_FRONT ? -ahead : ahead) / v,
                            [STEER] = a == VD_FRONT ? 1.0 : 0.0,
                            [LEAN] = car->lean_slip[a],
                            [LEAN_RATE] = 1.0 / v};
    if (over > 0.0)
      add_square(t, slip_weight, copysign(over, slip), slope);
    add_square(t, work_weight / (car->peak[a] * car->peak[a]), slip, slope);
  }
  add_square(t, lane_weight, c->y - middle_at(task->path, c->x), (double[STATES]){[Y] = 1.0});
}

/* ---- differential dynamic programming ---- */

/* A trajectory: steering rates, and the states of the car before each step and after the last. */
typedef struct course {
  double rate[VD_PLAN_STEPS], value;
  vd_plan_start at[VD_PLAN_STEPS + 1];
} course;

static void states_of(const vd_plan_start *c, double x[STATES]) {
  const double all[STATES] = {c->y,     c->heading, c->vy,       c->yaw_rate, c->slip[VD_FRONT], c->slip[VD_REAR],
                              c->steer, c->lean,    c->lean_rate};
  memcpy(x, all, sizeof all);
}

/* Returns the steering rate within its limit, and such that the wheels turn neither beyond their lock nor beyond the
 * slip angle of the greatest force. */
static double limited(const vd_plan_task *task, double rate, const vd_plan_start *c) {
  double straight = c->steer - slip_of(c, task->car, VD_FRONT), peak = task->car->peak[VD_FRONT];
  double most = vd_min(task->max_steer, straight + peak), least = vd_max(-task->max_steer, straight - peak);
  rate = vd_min(vd_max(rate, (least - c->steer) / vd_plan_step), (most - c->steer) / vd_plan_step);
  return vd_min(vd_max(rate, -task->max_rate), task->max_rate);
}

/* Integrates a trajectory from to->at[0]. Its steering rates are the rates of the plan, plus share x change, plus the
 * plan's gains times the deviations from the plan's states. */
static void run(const vd_plan_task *task, const vd_plan *plan, const double *change, double share, course *to) {
  tally t = {0};
  for (int k = 0; k < task->steps; k++) {
    double x[STATES], rate = plan->rate[k] + share * change[k];
    states_of(&to->at[k], x);
    for (int i = 0; i < STATES; i++)
      rate += plan->gain[k][i] * (x[i] - plan->state[k][i]);
    to->rate[k] = limited(task, rate, &to->at[k]);
    double effort = to->rate[k] / task->max_rate;
    to->at[k + 1] = to->at[k];
    vd_plan_move(task, to->rate[k], vd_plan_step, &to->at[k + 1]);
    t.value += rate_weight * effort * effort;
    tally_state(task, &to->at[k + 1], &t);
  }
  to->value = t.value;
}

/* Makes a trajectory the plan; its gains are not set. */
static void adopt(const vd_plan_task *task, const course *c, vd_plan *plan) {
  plan->count = task->steps;
  for (int k = 0; k < plan->count; k++) {
    plan->rate[k] = c->rate[k];
    states_of(&c->at[k], plan->state[k]);
  }
}

/* A step of a trajectory, and the damping of its change. */
typedef struct joint {
  const course *course;
  int k;
  double damping;
} joint;

/* Computes the gradient g and the matrix w of second derivatives of the value function at the beginning of a step from
 * those at its end, the change of the steering rate, and its gains. */
static void step_back(const vd_plan_task *task, const joint *at, double g[STATES], double w[STATES][STATES],
                      double *change, double gain[STATES]) {
  const vd_plan_start *c = &at->course->at[at->k];
  const double weight = 2.0 * rate_weight / (task->max_rate * task->max_rate), rate = at->course->rate[at->k];
  double f[STATES][STATES + 1], wf[STATES][STATES + 1], gx[STATES + 1], wx[STATES + 1][STATES + 1];
  slopes(task->car, c, rate, f);
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j <= STATES; j++) {
      wf[i][j] = 0.0;
      for (int n = 0; n < STATES; n++)
        wf[i][j] += w[i][n] * f[n][j];
    }
  for (int i = 0; i <= STATES; i++) {
    gx[i] = 0.0;
    for (int n = 0; n < STATES; n++)
      gx[i] += f[n][i] * g[n];
    for (int j = 0; j <= i; j++) {
      wx[i][j] = 0.0;
      for (int n = 0; n < STATES; n++)
        wx[i][j] += f[n][i] * wf[n][j];
      wx[j][i] = wx[i][j];
    }
  }
  const double *cross = wx[STATES];
  double slope = weight * rate + gx[STATES], bend = weight * (1.0 + at->damping) + wx[STATES][STATES];
  double step = limited(task, rate - slope / bend, c) - rate;
  bool held = fabs(step + slope / bend) > 1e-12 * task->max_rate;
  *change = step;
  for (int i = 0; i < STATES; i++)
    gain[i] = held ? 0.0 : -cross[i] / bend;
  for (int i = 0; i < STATES; i++) {
    g[i] = gx[i] + gain[i] * (slope + bend * step) + cross[i] * step;
    for (int j = 0; j < STATES; j++)
      w[i][j] = wx[i][j] + gain[i] * bend * gain[j] + gain[i] * cross[j] + cross[i] * gain[j];
  }
}

/* Makes the backward pass: finds changes of a trajectory's steering rates, and the feedback gains for deviations from
 * the trajectory. */
static void go_back(const vd_plan_task *task, const course *c, double damping, double *change, vd_plan *plan) {
  double g[STATES] = {0.0}, w[STATES][STATES] = {{0.0}};
  for (int k = task->steps - 1; k >= 0; k--) {
    tally_state(task, &c->at[k + 1], &(tally){.gradient = g, .matrix = w});
    step_back(task, &(joint){c, k, damping}, g, w, &change[k], plan->gain[k]);
  }
}

void vd_plan_improve(const vd_plan_task *task, const vd_plan_start *start, int rounds, vd_plan *plan) {
  static const double enough = 1e-3, shortest = 0.05;
  course courses[2] = {{.at = {*start}}, {.at = {*start}}}, *now = &courses[0], *next = &courses[1];
  double change[VD_PLAN_STEPS] = {0.0}, damping = 0.0;
  for (int k = plan->count; k < task->steps; k++) {
    plan->rate[k] = 0.0;
    memset(plan->gain[k], 0, sizeof plan->gain[k]);
  }
  run(task, plan, change, 0.0, now);
  adopt(task, now, plan);
  for (int round = 0; round < rounds; round++) {
    double before = now->value, share = 1.0;
    go_back(task, now, damping, change, plan);
    for (run(task, plan, change, share, next); !(next->value < before) && share > shortest;) {
      share *= 0.5;
      run(task, plan, change, share, next);
    }
    if (next->value < before) {
      course *other = now;
      now = next;
      next = other;
      adopt(task, now, plan);
    }
    damping = share == 1.0 ? 0.2 * damping : 5.0 * vd_max(damping, 1.0);
    if (share == 1.0 && !(before - now->value > enough * before))
      break;
  }
}

void vd_plan_shift(double time, vd_plan *plan) {
  double share = time / vd_plan_step;
  for (int k = 0; k + 1 < plan->count; k++) {
    plan->rate[k] += share * (plan->rate[k + 1] - plan->rate[k]);
    for (int i = 0; i < STATES; i++) {
      plan->state[k][i] += share * (plan->state[k + 1][i] - plan->state[k][i]);
      plan->gain[k][i] += share * (plan->gain[k + 1][i] - plan->gain[k][i]);
    }
  }
  if (plan->count > 0)
    plan->count--;
}
