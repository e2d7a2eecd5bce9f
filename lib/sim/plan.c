#include "sim/plan.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

const double vd_plan_step = 0.02;

enum { Y, HEADING, VY, YAW_RATE, SLIP_F, SLIP_R, STEER, STATES = VD_PLAN_STATES };

/* Weights of the sum of squares. A distance to a cone that is too small by one centimetre counts as much as 0.6 degrees
 * of slip beyond the peak. */
static const double cone_weight = 1e4;   /* 1/m2 */
static const double margin_weight = 1e3; /* 1/m2 */
static const double slip_weight = 1e4;   /* 1/rad2 */
static const double rate_weight = 0.01;  /* of the greatest rate */
static const double work_weight = 0.01;  /* of the slip at the peak */
static const double lane_weight = 0.01;  /* 1/m2, from the middle of the lanes */

/* ---- the car ---- */

static double slip_of(const vd_plan_start *c, const vd_known_car *car, int axle) {
  double v = vd_max(c->vx, 1.0);
  if (axle == VD_FRONT)
    return c->steer - vd_atan((c->vy + car->to_axle[VD_FRONT] * c->yaw_rate) / v);
  return -vd_atan((c->vy - car->to_axle[VD_REAR] * c->yaw_rate) / v);
}

void vd_plan_move(const vd_plan_task *task, double rate, double time, vd_plan_start *c) {
  const vd_known_car *car = task->car;
  const double *arm = car->to_axle;
  double slope, by[2], turn_cos = vd_cos(c->heading), turn_sin = vd_sin(c->heading);
  for (int a = 0; a < VD_AXLES; a++)
    c->slip[a] = vd_known_slip(car, a, vd_max(c->vx, 1.0), time, slip_of(c, car, a), c->slip[a], by);
  double front = vd_known_force(car, VD_FRONT, c->slip[VD_FRONT], &slope), side = front * vd_cos(c->steer);
  double rear = vd_known_force(car, VD_REAR, c->slip[VD_REAR], &slope);
  double ay = (side + rear) / car->mass, ax = c->pull - front * vd_sin(c->steer) / car->mass;
  double spin = (arm[VD_FRONT] * side - arm[VD_REAR] * rear) / car->inertia;
  double vx = c->vx + 0.5 * time * ax, vy = c->vy + 0.5 * time * (ay - c->vx * c->yaw_rate);
  c->x += time * (vx * turn_cos - vy * turn_sin);
  c->y += time * (vx * turn_sin + vy * turn_cos);
  c->heading += time * (c->yaw_rate + 0.5 * time * spin);
  c->vy += time * (ay - c->vx * (c->yaw_rate + 0.5 * time * spin));
  c->yaw_rate += time * spin;
  c->vx += time * ax;
  c->steer += time * rate;
}

/* Derivatives of the states after a step by those before it, f = [after][before], to first order of the step. */
static void slopes(const vd_plan_task *task, const vd_plan_start *c, double f[STATES][STATES]) {
  const vd_known_car *car = task->car;
  const double h = vd_plan_step, *arm = car->to_axle, v = vd_max(c->vx, 1.0);
  double stiff[VD_AXLES], turn_cos = vd_cos(c->heading), turn_sin = vd_sin(c->heading);
  double by_slip[VD_AXLES][STATES] = {{0.0}};
  for (int a = 0; a < VD_AXLES; a++) {
    const double ahead = a == VD_FRONT ? arm[a] : -arm[a];
    double by[2], slip = vd_known_slip(car, a, v, h, slip_of(c, car, a), c->slip[a], by);
    const double ratio = (c->vy + ahead * c->yaw_rate) / v, bend = by[0] / (v * (1.0 + ratio * ratio));
    by_slip[a][VY] = -bend;
    by_slip[a][YAW_RATE] = -ahead * bend;
    by_slip[a][STEER] = a == VD_FRONT ? by[0] : 0.0;
    by_slip[a][SLIP_F + a] = by[1];
    vd_known_force(car, a, slip, &stiff[a]);
  }
  stiff[VD_FRONT] *= vd_cos(c->steer);
  memset(f, 0, sizeof(double[STATES][STATES]));
  for (int j = 0; j < STATES; j++) {
    double ay = (stiff[VD_FRONT] * by_slip[VD_FRONT][j] + stiff[VD_REAR] * by_slip[VD_REAR][j]) / car->mass;
    double spin =
        (arm[VD_FRONT] * stiff[VD_FRONT] * by_slip[VD_FRONT][j] - arm[VD_REAR] * stiff[VD_REAR] * by_slip[VD_REAR][j]) /
        car->inertia;
    double yaw = j == YAW_RATE ? 1.0 : 0.0;
    f[SLIP_F][j] = by_slip[VD_FRONT][j];
    f[SLIP_R][j] = by_slip[VD_REAR][j];
    f[Y][j] = h * 0.5 * h * (ay - v * yaw) * turn_cos;
    f[HEADING][j] = h * (yaw + 0.5 * h * spin);
    f[VY][j] = h * (ay - v * (yaw + 0.5 * h * spin));
    f[YAW_RATE][j] = h * spin;
  }
  f[Y][VY] += h * turn_cos;
  f[Y][HEADING] += h * (c->vx * turn_cos - c->vy * turn_sin);
  f[Y][Y] += 1.0;
  f[HEADING][HEADING] += 1.0;
  f[VY][VY] += 1.0;
  f[YAW_RATE][YAW_RATE] += 1.0;
  f[STEER][STEER] += 1.0;
}

/* ---- the sum of squares ---- */

/* A sum of squares at a state: its value, gradient and Gauss-Newton matrix by the states. The latter may be NULL. */
typedef struct tally {
  double value, *gradient, (*matrix)[STATES];
} tally;

/* Adds weight x miss^2, whose miss depends on up to STATES states. */
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

/* The middle of the lanes at x, on lines from each to the next. */
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
  static const double reach = 0.2; /* m, half of the distance of a step */
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
    double slope[STATES] = {
        [VY] = -1.0 / v, [YAW_RATE] = (a == VD_FRONT ? -ahead : ahead) / v, [STEER] = a == VD_FRONT ? 1.0 : 0.0};
    if (over > 0.0)
      add_square(t, slip_weight, copysign(over, slip), slope);
    add_square(t, work_weight, slip / car->peak[a],
               (double[STATES]){slope[Y], slope[HEADING], slope[VY] / car->peak[a], slope[YAW_RATE] / car->peak[a], 0.0,
                                0.0, slope[STEER] / car->peak[a]});
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
  const double all[STATES] = {c->y, c->heading, c->vy, c->yaw_rate, c->slip[VD_FRONT], c->slip[VD_REAR], c->steer};
  memcpy(x, all, sizeof all);
}

/* The steering rate within its limit, and such that the wheels turn neither beyond their lock nor beyond the slip angle
 * of the greatest force. */
static double limited(const vd_plan_task *task, double rate, const vd_plan_start *c) {
  double straight = c->steer - slip_of(c, task->car, VD_FRONT), peak = task->car->peak[VD_FRONT];
  double most = vd_min(task->max_steer, straight + peak), least = vd_max(-task->max_steer, straight - peak);
  rate = vd_min(vd_max(rate, (least - c->steer) / vd_plan_step), (most - c->steer) / vd_plan_step);
  return vd_min(vd_max(rate, -task->max_rate), task->max_rate);
}

/* Integrates a trajectory from to->at[0] with the rates of the plan plus share x change and the feedback of the plan's
 * gains by deviations from its states. */
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

/* Computes the derivatives g, w of the value function at the beginning of the step from those at its end. */
static void step_back(const vd_plan_task *task, const joint *at, double g[STATES], double w[STATES][STATES],
                      double *change, double gain[STATES]) {
  const vd_plan_start *c = &at->course->at[at->k];
  const double h = vd_plan_step, weight = 2.0 * rate_weight / (task->max_rate * task->max_rate),
               rate = at->course->rate[at->k];
  double f[STATES][STATES], wf[STATES][STATES], gx[STATES], wx[STATES][STATES], cross[STATES];
  slopes(task, c, f);
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < STATES; j++) {
      wf[i][j] = 0.0;
      for (int n = 0; n < STATES; n++)
        wf[i][j] += w[i][n] * f[n][j];
    }
  for (int i = 0; i < STATES; i++) {
    gx[i] = 0.0;
    cross[i] = h * wf[STEER][i];
    for (int n = 0; n < STATES; n++)
      gx[i] += f[n][i] * g[n];
    for (int j = 0; j < STATES; j++) {
      wx[i][j] = 0.0;
      for (int n = 0; n < STATES; n++)
        wx[i][j] += f[n][i] * wf[n][j];
    }
  }
  double slope = weight * rate + h * g[STEER], bend = weight * (1.0 + at->damping) + h * h * w[STEER][STEER];
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

/* The backward pass: finds changes of the rates of a trajectory, and the feedback gains by deviations from it. */
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
