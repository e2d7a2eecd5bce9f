#include "limits/limit.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

#define VD_LIMIT_ONE(symbol, word, meaning) word,
const char *const vd_limit_names[] = {VD_LIMIT_LIST(VD_LIMIT_ONE) NULL};
#undef VD_LIMIT_ONE

#define VD_LIMIT_ONE(symbol, word, meaning) meaning,
const char *const vd_limit_meanings[] = {VD_LIMIT_LIST(VD_LIMIT_ONE) NULL};
#undef VD_LIMIT_ONE

enum { N = VD_TRIM_QUANTITIES };

typedef struct follower {
  vd_trim *t;
  const vd_limit_bounds *bounds;
  int goal; /* index among the unknowns */
  double from[N], tangent[N];
  double curvature; /* curvature of the goal at the fold that was found */
  enum vd_limit_way way;
} follower;

static void note_place(follower *f) {
  for (int i = 0; i < f->t->count; i++)
    f->from[i] = f->t->z[f->t->unknown[i]];
}

/* Replaces the tangent by the tangent at the solved point, with the sense of the previous tangent. renew: the Jacobian
 * is computed anew at this point. */
static bool turn_on(follower *f, bool renew) {
  double before[N], sense = 0.0;
  memcpy(before, f->tangent, sizeof before);
  if (renew && !vd_trim_renew(f->t))
    return false;
  vd_trim_tangent(f->t, f->tangent);
  for (int i = 0; i < f->t->count; i++)
    sense += f->tangent[i] * before[i];
  for (int i = 0; i < f->t->count && sense < 0.0; i++)
    f->tangent[i] = -f->tangent[i];
  return isfinite(sense) != 0;
}

static void go_back(follower *f) {
  for (int i = 0; i < f->t->count; i++)
    f->t->z[f->t->unknown[i]] = f->from[i];
  vd_trim_evaluate(f->t);
}

/* Solves for the state at a distance along the tangent from the noted place, which must be the present state of the
 * solver. */
static bool advance(follower *f, double length) {
  vd_trim *t = f->t;
  vd_trim_row(t, f->tangent, length);
  for (int i = 0; i < t->count; i++)
    t->z[t->unknown[i]] = f->from[i] + length * f->tangent[i] * t->scale[t->unknown[i]];
  return vd_trim_solve(t, vd_trim_passing);
}

/* --- bounds --- */

/* Returns the greatest slip angle of the body, rad, while the rear axle has none: on the circle of the greatest steer,
 * or on that of 2 g at a higher speed. */
static double rolling_slip(const vd_trim *t, const vd_limit_bounds *b) {
  const vd_vehicle *v = &t->m->vehicle;
  double most = 2.0 * VD_GRAVITY / (t->speed * t->speed), tightest = vd_sin(b->steer) / vd_cos(b->steer) / v->wheelbase;
  return vd_atan(v->masses.to_axle[VD_REAR] * vd_min(most, tightest));
}

/* Returns the bound of a quantity, with the sign of its value; infinite if the quantity has no bound. */
static double bound_at(const vd_trim *t, const vd_limit_bounds *b, int quantity) {
  double value = t->z[quantity];
  switch (quantity) {
  case VD_TRIM_SIDE_SLIP:
    return copysign(b->side_slip + (b->from_rear && value * t->ray[1] > 0.0 ? rolling_slip(t, b) : 0.0), value);
  case VD_TRIM_STEER: return copysign(b->steer, value);
  case VD_TRIM_PEDAL: return value > 0.0 ? b->power * t->full_drive : -t->full_brake;
  default: return copysign(INFINITY, value);
  }
}

static double bound_of(const follower *f, int quantity) {
  return bound_at(f->t, f->bounds, quantity);
}

bool vd_limit_within(const vd_trim *t, const vd_limit_bounds *bounds) {
  const double near = 1.0 + 1e-6;
  for (int i = 0; i < t->count; i++)
    if (!(fabs(t->z[t->unknown[i]]) <= near * fabs(bound_at(t, bounds, t->unknown[i]))))
      return false;
  return true;
}

/* Returns the share of the last step by which an unknown has passed its bound; <= 0: the unknown is within its
 * bound. */
static double overshoot(const follower *f, int i) {
  double value = f->t->z[f->t->unknown[i]], bound = bound_of(f, f->t->unknown[i]);
  double over = fabs(value) - fabs(bound);
  return over > 1e-9 * fabs(bound) ? over / vd_max(fabs(value - f->from[i]), 1e-12) : 0.0;
}

/* Returns the unknown that has passed its bound by the greatest share of the last step; -1: no unknown has passed its
 * bound. */
static int passed(const follower *f) {
  int which = -1;
  for (int i = 0; i < f->t->count; i++)
    if (overshoot(f, i) > (which < 0 ? 0.0 : overshoot(f, which)))
      which = i;
  return which;
}

/* Solves for the state with an unknown at its bound. */
static bool stop_at(const follower *f, vd_trim *t, int which) {
  double row[N] = {0.0};
  int quantity = t->unknown[which];
  double bound = bound_at(t, f->bounds, quantity), scale = t->scale[quantity];
  row[which] = 1.0;
  vd_trim_row(t, row, (bound - t->z[quantity]) / scale);
  return vd_trim_solve(t, vd_trim_exact);
}

static enum vd_limit limit_of(const follower *f, int which) {
  switch (f->t->unknown[which]) {
  case VD_TRIM_SIDE_SLIP: return VD_LIMIT_SIDE_SLIP;
  case VD_TRIM_STEER: return VD_LIMIT_STEER;
  default: return f->t->z[VD_TRIM_PEDAL] > 0.0 ? VD_LIMIT_POWER : VD_LIMIT_BRAKE;
  }
}

/* --- the fold --- */

static const double flat = 1e-3; /* if the slope of the goal is below this value, one last step leads to the fold */

/* Returns the axle whose slips change most along the tangent. */
static enum vd_limit saturated_axle(const follower *f) {
  const vd_trim *t = f->t;
  double turn[2] = {0.0, 0.0}, slip[VD_AXLES] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    int i = vd_trim_index(t, k == 0 ? VD_TRIM_SIDE_SLIP : VD_TRIM_STEER);
    turn[k] = i >= 0 ? f->tangent[i] * t->scale[k == 0 ? VD_TRIM_SIDE_SLIP : VD_TRIM_STEER] : 0.0;
  }
  double angle[VD_AXLES] = {turn[1] - turn[0], turn[0]};
  for (int a = 0; a < VD_AXLES; a++)
    slip[a] = angle[a] * angle[a];
  for (int i = 0; i < t->m->lanes.count; i++) {
    double kappa = f->tangent[vd_trim_index(t, VD_TRIM_INNER + i)] * t->scale[VD_TRIM_INNER + i];
    int a = vd_axle_of_lane(t->m->lanes.count, i);
    slip[a] = vd_max(slip[a], angle[a] * angle[a] + kappa * kappa);
  }
  return slip[VD_FRONT] > slip[VD_REAR] ? VD_LIMIT_FRONT : VD_LIMIT_REAR;
}

/* Takes the last step to the fold, and solves exactly at the fold. */
static bool finish(follower *f, double slope, double curvature) {
  const double longest = 0.1;
  vd_trim *t = f->t;
  double length = curvature < 0.0 ? vd_min(vd_max(-slope / curvature, -longest), longest) : 0.0;
  vd_trim_row(t, f->tangent, length);
  for (int i = 0; i < t->count; i++)
    t->z[t->unknown[i]] += length * f->tangent[i] * t->scale[t->unknown[i]];
  return vd_trim_solve(t, vd_trim_exact);
}

/* Finds the fold, where the unknown i is greatest. The fold lies between the noted place, where the unknown grows at
 * the rate `growth' per length of the curve, and the present place at `length', where the rate is `fall' < 0. */
static bool close_in(follower *f, int i, double growth, double length, double fall) {
  enum { ROUNDS = 8 };
  double low = 0.0, high = length, rate[2] = {growth, fall}, tangent[N];
  memcpy(tangent, f->tangent, sizeof tangent);
  for (int round = 0; round < ROUNDS; round++) {
    double share = rate[0] / (rate[0] - rate[1]);
    double at = low + (high - low) * vd_min(vd_max(share, 0.05), 0.95);
    memcpy(f->tangent, tangent, sizeof tangent);
    go_back(f);
    if (!advance(f, at) || !turn_on(f, true))
      return false;
    double now = f->tangent[i];
    f->curvature = (rate[1] - rate[0]) / (high - low);
    if (fabs(now) < flat)
      return finish(f, now, f->curvature);
    if (now > 0.0) {
      low = at;
      rate[0] = now;
    } else {
      high = at;
      rate[1] = now;
    }
  }
  return vd_trim_solve(f->t, vd_trim_exact);
}

/* --- the curve --- */

/* Starts the curve at the present place, in the direction in which the goal grows. If the solver still has an inverse,
 * this inverse belongs to the row with which the place was found. */
static bool begin(follower *f, int goal) {
  vd_trim *t = f->t;
  double row[N] = {0.0};
  f->goal = vd_trim_index(t, goal);
  row[f->goal] = 1.0;
  memcpy(f->tangent, row, sizeof row);
  note_place(f);
  if (!t->has_inverse)
    vd_trim_row(t, row, 0.0);
  return vd_trim_evaluate(t) && turn_on(f, !t->has_inverse);
}

/* Takes one step along the curve, and shortens the step until it succeeds. *length is set to the length of the next
 * step. */
static bool step_on(follower *f, double *length, double *taken) {
  const double longest = 0.6, shortest = 1e-4;
  vd_trim *t = f->t;
  double tangent[N];
  memcpy(tangent, f->tangent, sizeof tangent);
  for (*taken = *length; *taken > shortest; *taken *= 0.4) {
    long before = t->evaluations;
    if (advance(f, *taken) && turn_on(f, tangent[f->goal] < 0.5)) {
      bool easy = t->evaluations - before < 8 + t->count;
      *length = vd_min(*taken * (easy ? 1.6 : 1.0), longest);
      return true;
    }
    memcpy(f->tangent, tangent, sizeof tangent);
    go_back(f);
    t->has_inverse = false;
  }
  return false;
}

/* The best state so far: at a bound, or at a fold. */
typedef struct best_state {
  vd_trim at;
  enum vd_limit limit;
  double goal; /* -INFINITY: there is none */
  vd_limit_shape shape;
} best_state;

static void note(const follower *f, const vd_trim *at, enum vd_limit limit, vd_limit_shape shape, best_state *best) {
  double goal = at->z[at->unknown[f->goal]];
  if (!(goal > best->goal) || !vd_limit_within(at, f->bounds))
    return;
  vd_trim_copy(at, &best->at);
  best->limit = limit;
  best->goal = goal;
  best->shape = shape;
}

/* Stores the state in which an unknown reaches its bound, if it is better than the best state. */
static void note_bound(const follower *f, int which, best_state *best) {
  static _Thread_local vd_trim at;
  vd_trim_copy(f->t, &at);
  if (stop_at(f, &at, which))
    note(f, &at, limit_of(f, which), (vd_limit_shape){at.unknown[which], NAN}, best);
}

/* Stores the noted place, beyond which no state was found, if it is better than the best state. */
static void note_last(follower *f, const double *tangent, best_state *best) {
  go_back(f);
  vd_trim_row(f->t, tangent, 0.0); /* the goal itself may be at a fold */
  if (passed(f) < 0 && vd_trim_solve(f->t, vd_trim_exact))
    note(f, f->t, VD_LIMIT_LOST, (vd_limit_shape){-1, NAN}, best);
}

/* Stores the fold of the unknown i between the noted place and the present place, if it is better than the best
 * state. */
static void note_fold(follower *f, int i, const double *tangent, double length, best_state *best) {
  double growth = tangent[i], fall = f->tangent[i];
  memcpy(f->tangent, tangent, N * sizeof *tangent);
  bool found = close_in(f, i, growth, length, fall);
  int which = passed(f);
  if (which >= 0)
    note_bound(f, which, best);
  else if (found)
    note(f, f->t, saturated_axle(f), (vd_limit_shape){-1, f->curvature}, best);
  else
    note_last(f, tangent, best);
}

/* True if the curve ends at the present place because this place is beyond a bound. Beyond the bound of the pedal the
 * search continues a little, because the curve may return with a greater goal. */
static bool ends(const follower *f, int which) {
  const double beyond = 0.01;
  if (which < 0 || f->t->unknown[which] != VD_TRIM_PEDAL)
    return which >= 0;
  double value = f->t->z[VD_TRIM_PEDAL];
  return fabs(value) > (1.0 + beyond) * fabs(bound_of(f, VD_TRIM_PEDAL));
}

/* Stores the fold that the last step has passed, as note_fold does, and returns to the present place with its
 * inverse. */
static void note_and_return(follower *f, const double *before, double taken, best_state *best) {
  static _Thread_local vd_trim here;
  double tangent[N];
  memcpy(tangent, f->tangent, sizeof tangent);
  vd_trim_copy(f->t, &here);
  note_fold(f, f->goal, before, taken, best);
  here.evaluations = f->t->evaluations;
  vd_trim_copy(&here, f->t);
  memcpy(f->tangent, tangent, sizeof tangent);
}

/* Follows the curve to its end within the bounds and f->way; beyond folds, as long as the goal is not much less than
 * the best goal. Beyond a fold, where the slip of one wheel has passed its peak, the other wheels may
 * transmit more. */
static void follow(follower *f, best_state *best) {
  enum { STEPS = 200 };
  const double first = 0.1, much = 0.1;
  vd_trim *t = f->t;
  double length = first, taken, tangent[N];
  int steer = vd_trim_index(t, VD_TRIM_STEER);
  for (int step = 0; step < STEPS; step++) {
    bool inside = passed(f) < 0;
    memcpy(tangent, f->tangent, sizeof tangent);
    if (!step_on(f, &length, &taken)) {
      if (tangent[f->goal] > 0.0)
        note_last(f, tangent, best);
      return;
    }
    double goal = t->z[t->unknown[f->goal]];
    if (tangent[f->goal] > 0.0 && f->tangent[f->goal] <= 0.0) {
      note_and_return(f, tangent, taken, best);
      if (f->way != VD_LIMIT_BEYOND || passed(f) >= 0)
        return;
    } else if (f->way == VD_LIMIT_STEERED && tangent[steer] > 0.0 && f->tangent[steer] <= 0.0) {
      note_fold(f, steer, tangent, taken, best);
      return;
    } else if (f->tangent[f->goal] <= 0.0 && (passed(f) >= 0 || goal < (1.0 - much) * best->goal)) {
      return;
    }
    int which = passed(f);
    if ((which >= 0) == inside)
      note_bound(f, which >= 0 ? which : vd_trim_index(t, VD_TRIM_PEDAL), best);
    if (ends(f, which))
      return;
    note_place(f);
  }
}

/* Follows the curve from the noted place, and leaves the solver at the best state. */
static enum vd_limit follow_to_best(follower *f, vd_limit_shape *shape) {
  static _Thread_local best_state best;
  best.goal = -INFINITY;
  best.limit = VD_LIMIT_LOST;
  follow(f, &best);
  if (best.goal > -INFINITY) {
    long evaluations = f->t->evaluations;
    vd_trim_copy(&best.at, f->t);
    f->t->evaluations = evaluations;
    if (shape)
      *shape = best.shape;
  }
  return best.limit;
}

enum vd_limit vd_limit_find(vd_trim *t, int goal, const vd_limit_bounds *bounds, enum vd_limit_way way,
                            vd_limit_shape *shape) {
  follower f = {.t = t, .bounds = bounds, .way = way};
  return begin(&f, goal) ? follow_to_best(&f, shape) : VD_LIMIT_LOST;
}

/* --- other curves --- */

int vd_limit_seed(vd_trim *t, int seed, double turn, const vd_limit_bounds *bounds) {
  static const struct {
    int fixed;
    double slip, steer; /* shares of the bounds, into the turn */
  } all[VD_LIMIT_SEEDS] = {{VD_TRIM_STEER, 0.0, 0.25},   {VD_TRIM_STEER, 0.0, 0.5},     {VD_TRIM_STEER, 0.0, 1.0},
                           {VD_TRIM_STEER, 0.5, 1.0},    {VD_TRIM_SIDE_SLIP, 1.0, 0.0}, {VD_TRIM_SIDE_SLIP, 1.0, -0.5},
                           {VD_TRIM_SIDE_SLIP, 1.0, 0.5}};
  t->z[VD_TRIM_STEER] = copysign(all[seed].steer * bounds->steer, all[seed].steer * turn);
  t->z[VD_TRIM_SIDE_SLIP] = -copysign(all[seed].slip * bounds->side_slip, turn);
  return all[seed].fixed;
}

enum vd_limit vd_limit_from(vd_trim *t, int goal, int fixed, double least, const vd_limit_bounds *bounds,
                            vd_limit_shape *shape) {
  const double far = 1.3;
  double row[N] = {0.0};
  row[vd_trim_index(t, fixed)] = 1.0;
  t->has_inverse = false;
  vd_trim_row(t, row, 0.0);
  if (!vd_trim_solve(t, vd_trim_passing) || !(t->z[goal] > least) ||
      !(fabs(t->z[VD_TRIM_SIDE_SLIP]) < far * bounds->side_slip && fabs(t->z[VD_TRIM_STEER]) < far * bounds->steer))
    return VD_LIMIT_LOST;
  return vd_limit_find(t, goal, bounds, VD_LIMIT_BEYOND, shape);
}

/* --- a limit nearby --- */

/* Moves from the present place to the fold, by Newton's method on the slope of the goal. False: the method does not
 * converge; the noted place is then on the curve and within the bounds. */
static bool approach(follower *f, double curvature) {
  enum { ROUNDS = 6 };
  const double longest = 0.3;
  for (int round = 0; round < ROUNDS; round++) {
    double slope = f->tangent[f->goal], length = -slope / curvature, tangent[N];
    if (fabs(slope) < flat) {
      f->curvature = curvature;
      return finish(f, slope, curvature);
    }
    if (!(curvature < 0.0 && fabs(length) <= longest))
      return false;
    memcpy(tangent, f->tangent, sizeof tangent);
    if (!advance(f, length) || !turn_on(f, true) || passed(f) >= 0) {
      memcpy(f->tangent, tangent, sizeof tangent);
      go_back(f);
      return false;
    }
    curvature = (f->tangent[f->goal] - slope) / length;
    note_place(f);
  }
  return false;
}

/* Finds the limit at the bound beyond which the present state lies. */
static enum vd_limit near_bound(follower *f, int goal, vd_limit_shape *shape) {
  double row[N] = {0.0};
  int which = passed(f);
  row[which] = 1.0;
  vd_trim_row(f->t, row, 0.0);
  *shape = (vd_limit_shape){f->t->unknown[which], NAN};
  return vd_limit_near(f->t, goal, f->bounds, shape);
}

enum vd_limit vd_limit_near(vd_trim *t, int goal, const vd_limit_bounds *bounds, vd_limit_shape *shape) {
  follower f = {.t = t, .bounds = bounds, .goal = vd_trim_index(t, goal)};
  int which = shape->bound < 0 ? -1 : vd_trim_index(t, shape->bound);
  if (which >= 0)
    t->z[shape->bound] = bound_of(&f, shape->bound);
  for (int i = 0; i < t->count; i++)
    t->from[i] = t->z[t->unknown[i]] / t->scale[t->unknown[i]];
  t->advance = 0.0;
  if (!vd_trim_solve(t, vd_trim_passing))
    return VD_LIMIT_LOST;
  if (passed(&f) >= 0)
    return which < 0 ? near_bound(&f, goal, shape) : VD_LIMIT_LOST;
  memcpy(f.tangent, t->row, sizeof f.tangent);
  if (!turn_on(&f, true))
    return VD_LIMIT_LOST;
  note_place(&f);
  for (int i = 0; i < t->count && which >= 0 && f.tangent[f.goal] < 0.0; i++)
    f.tangent[i] = -f.tangent[i];
  if (which >= 0 && f.tangent[which] * t->z[shape->bound] > 0.0)
    return vd_trim_solve(t, vd_trim_exact) ? limit_of(&f, which) : VD_LIMIT_LOST;
  if (which < 0 && approach(&f, shape->curvature)) {
    *shape = (vd_limit_shape){-1, f.curvature};
    return saturated_axle(&f);
  }
  for (int i = 0; i < t->count && f.tangent[f.goal] < 0.0; i++)
    f.tangent[i] = -f.tangent[i];
  return follow_to_best(&f, shape);
}
