#include "limits/envelope.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int vd_envelope_gear(const vd_model *m, double speed) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  int best = d->engine ? 1 : 0;
  double most = -INFINITY;
  for (int gear = 1; gear <= d->gears && d->engine; gear++) {
    double ratio = vd_gear_ratio(d, gear), input = ratio * speed / m->control.drive_radius;
    double force = input <= d->redline ? ratio * vd_motor_torque(d, 1.0, vd_max(input, d->launch_speed)) : -INFINITY;
    if (force > most) {
      most = force;
      best = gear;
    }
  }
  return d->engine && !isfinite(most) ? d->gears : best;
}

void vd_limit_point_of(const vd_trim *t, vd_limit_point *p) {
  const vd_eval *e = &t->e;
  int n = t->m->lanes.count;
  double cosine = vd_cos(t->z[VD_TRIM_SIDE_SLIP]), sine = vd_sin(t->z[VD_TRIM_SIDE_SLIP]);
  p->speed = t->speed;
  p->centre = t->z[VD_TRIM_ALONG];
  p->along = t->accel[0];
  p->across = t->accel[1];
  p->ahead = t->accel[0] * cosine - t->accel[1] * sine;
  p->left = t->accel[0] * sine + t->accel[1] * cosine;
  p->side_slip = t->z[VD_TRIM_SIDE_SLIP];
  p->steer = t->z[VD_TRIM_STEER];
  p->throttle = t->c.throttle;
  p->brake = t->c.brake;
  p->gear = t->m->vehicle.drivetrain.engine ? t->c.gear : 0;
  p->lifted = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    int lane = n == VD_WHEELS ? i : vd_axle_of(i);
    double force = vd_hypot(e->tyre.fx[lane], e->tyre.fy[lane]);
    p->load[i] = e->tyre.load[lane] / t->m->lanes.wheels;
    p->used[i] = e->tyre.load[lane] > 0.0 ? force / e->tyre.load[lane] : 0.0;
    p->lifted |= !(e->tyre.load[lane] > 0.0);
  }
  double down = e->outside.downforce[VD_FRONT] + e->outside.downforce[VD_REAR];
  p->aero_front = down != 0.0 ? e->outside.downforce[VD_FRONT] / down : NAN;
  p->aero_weight = down / (t->m->vehicle.mass * VD_GRAVITY);
  p->error = vd_trim_error(t);
}

static double whole_turn(double angle) {
  return angle > 0.0 ? 2.0 * VD_PI - angle : 0.0;
}

void vd_limit_point_mirror(const vd_limit_point *p, vd_limit_point *out) {
  *out = *p;
  out->direction = whole_turn(p->direction);
  out->across = -p->across;
  out->left = -p->left;
  out->side_slip = -p->side_slip;
  out->steer = -p->steer;
  for (int i = 0; i < VD_WHEELS; i++) {
    int other = vd_other_side(i);
    out->load[i] = p->load[other];
    out->used[i] = p->used[other];
  }
}

/* --- one speed --- */

enum { Q = VD_TRIM_QUANTITIES, SOME = 3 }; /* SOME: every third speed */

/* The stored state of a direction, with the data that a search from it needs. */
typedef struct kept_state {
  bool known;
  double z[Q], mode[VD_MODES], row[Q], inverse[Q * Q];
  bool has_inverse;
  vd_limit_shape shape;
} kept_state;

struct vd_envelope {
  const vd_model *m;
  const vd_envelope_plan *plan;
  vd_trim origin, here, last; /* last: the last state of search_from that is at its limit */
  bool symmetric;
  int speeds;       /* number of speeds that were searched */
  kept_state *kept; /* by direction; the state at the last speed, until one at the present speed is found */
};

static const int ray[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL, VD_TRIM_REACH};

vd_envelope *vd_envelope_create(const vd_model *m, const vd_envelope_plan *plan) {
  vd_envelope *e = vd_allocate(1, sizeof *e);
  e->m = m;
  e->plan = plan;
  e->kept = vd_allocate((size_t)plan->directions, sizeof *e->kept);
  return e;
}

void vd_envelope_free(vd_envelope *e) {
  if (e)
    free(e->kept);
  free(e);
}

long vd_envelope_evaluations(const vd_envelope *e) {
  return e->here.evaluations;
}

static bool start_at(const vd_envelope *e, double speed, int gear, vd_trim *t) {
  if (!vd_trim_start(e->m, speed, gear, t))
    return false;
  t->body_axes = e->plan->body_axes;
  t->upward = e->m->options.level >= VD_L3 ? e->plan->upward : 0.0;
  return true;
}

/* Finds the state from which all directions start: with constant speed, or coasting if the drive cannot hold the
 * speed. */
static bool find_origin(const vd_envelope *e, double speed, vd_trim *t) {
  static const int held[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL};
  static const int coasting[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_ALONG};
  int gear = e->plan->gear == VD_GEAR_AUTOMATIC ? vd_envelope_gear(e->m, speed) : e->plan->gear;
  if (!start_at(e, speed, e->m->vehicle.drivetrain.engine ? gear : 1, t))
    return false;
  vd_trim_choose(t, held, VD_COUNT(held), false);
  bool good = vd_trim_solve(t, vd_trim_exact);
  if (good && t->z[VD_TRIM_PEDAL] <= 0.95 * e->plan->bounds.power * t->full_drive)
    return true;
  if (!start_at(e, speed, t->c.gear, t))
    return false;
  vd_trim_choose(t, coasting, VD_COUNT(coasting), false);
  return vd_trim_solve(t, vd_trim_exact);
}

static double direction_of(const vd_envelope_plan *plan, double i) {
  return 2.0 * VD_PI * i / plan->directions;
}

/* Returns the magnitude of the acceleration relative to the origin of the directions, m/s2; 0: the point has no
 * solution. */
static double reach_of(const vd_limit_point *p) {
  return isnan(p->along) ? 0.0 : vd_hypot(p->along - p->centre, p->across);
}

/* Stores the present state if it is a solution and its limit is beyond that of the stored state of this direction. */
static void keep_better(vd_envelope *e, int i, enum vd_limit limit, const vd_limit_shape *shape, vd_limit_point *p) {
  const vd_trim *t = &e->here;
  const double most_error = 1e-6; /* m/s2, rad/s2 */
  kept_state *k = &e->kept[i];
  if (!(t->z[VD_TRIM_REACH] > reach_of(p) * (1.0 + 1e-6)) || !(vd_trim_error(t) < most_error))
    return;
  vd_limit_point_of(t, p);
  p->limit = limit;
  p->direction = direction_of(e->plan, i);
  k->known = true;
  k->has_inverse = t->has_inverse;
  k->shape = *shape;
  memcpy(k->z, t->z, sizeof k->z);
  memcpy(k->mode, t->s.mode, sizeof k->mode);
  memcpy(k->row, t->row, sizeof k->row);
  memcpy(k->inverse, t->inverse, (size_t)(t->count * t->count) * sizeof *k->inverse);
}

/* Puts the search at the origin, and its ray in direction i. */
static void aim(vd_envelope *e, double i) {
  long evaluations = e->here.evaluations;
  vd_trim_copy(&e->origin, &e->here);
  e->here.evaluations = evaluations;
  e->here.ray[0] = vd_cos(direction_of(e->plan, i));
  e->here.ray[1] = vd_sin(direction_of(e->plan, i));
  vd_trim_choose(&e->here, ray, VD_COUNT(ray), true);
}

/* Searches from the origin outwards. */
static void search_outwards(vd_envelope *e, int i, vd_limit_point *p) {
  vd_limit_shape shape = {-1, NAN};
  aim(e, i);
  keep_better(e, i, vd_limit_find(&e->here, VD_TRIM_REACH, &e->plan->bounds, e->speeds == 0, &shape), &shape, p);
}

/* Moves the search to a kept state, which may belong to another direction or speed. */
static void take(vd_envelope *e, const kept_state *k) {
  vd_trim *t = &e->here;
  double along = t->z[VD_TRIM_ALONG];
  memcpy(t->z, k->z, sizeof t->z);
  memcpy(t->s.mode, k->mode, sizeof k->mode);
  memcpy(t->row, k->row, sizeof k->row);
  memcpy(t->inverse, k->inverse, (size_t)(t->count * t->count) * sizeof *k->inverse);
  t->has_inverse = k->has_inverse;
  t->z[VD_TRIM_ALONG] = along;
}

/* Solves the present state at its steer angle, then searches for the limit from it. */
static void search_here(vd_envelope *e, int i, vd_limit_point *p) {
  vd_trim *t = &e->here;
  vd_limit_shape shape = {-1, NAN};
  double row[Q] = {0.0};
  row[vd_trim_index(t, VD_TRIM_STEER)] = 1.0;
  t->has_inverse = false;
  vd_trim_row(t, row, 0.0);
  if (!vd_trim_solve(t, vd_trim_passing))
    return;
  enum vd_limit limit = vd_limit_find(t, VD_TRIM_REACH, &e->plan->bounds, true, &shape);
  if (limit != VD_LIMIT_LOST)
    keep_better(e, i, limit, &shape, p);
}

/* Searches from states on branches that need not lead to the origin: with much steer or side slip, where the front
 * tyres brake by their side force, and with one wheel locked. */
static void search_seeds(vd_envelope *e, int i, vd_limit_point *p) {
  static const double steer[] = {-1.0, -0.5, 0.5, 1.0}, slip[] = {0.0, -0.5};
  static const double locked[] = {-0.9, -0.5};
  const vd_limit_bounds *b = &e->plan->bounds;
  const double reach = 0.8 * reach_of(p);
  const int n = e->m->lanes.count;
  vd_trim *t = &e->here;
  for (size_t k = 0; k < VD_COUNT(steer) * VD_COUNT(slip); k++) {
    aim(e, i);
    t->z[VD_TRIM_STEER] = steer[k % VD_COUNT(steer)] * b->steer;
    t->z[VD_TRIM_SIDE_SLIP] = copysign(slip[k / VD_COUNT(steer)] * b->side_slip, -t->ray[1]);
    t->z[VD_TRIM_REACH] = reach;
    t->z[VD_TRIM_PEDAL] += 0.7 * reach * t->ray[0];
    search_here(e, i, p);
  }
  for (int k = 0; k < n * (int)VD_COUNT(locked) && reach > 0.0 && e->kept[i].z[VD_TRIM_PEDAL] < 0.0; k++) {
    aim(e, i);
    take(e, &e->kept[i]);
    t->z[VD_TRIM_INNER + k % n] = locked[k / n];
    search_here(e, i, p);
  }
}

/* Moves the state of the search to the limit of direction i, and returns what limits it. */
static enum vd_limit move_on(vd_envelope *e, double i, vd_limit_shape *shape) {
  vd_trim *t = &e->here;
  t->ray[0] = vd_cos(direction_of(e->plan, i));
  t->ray[1] = vd_sin(direction_of(e->plan, i));
  return vd_limit_near(t, VD_TRIM_REACH, &e->plan->bounds, shape);
}

/* Searches from a kept state. Its tyres may be beyond their peaks, which a search from the origin does not pass. parts:
 * number of parts into which the change of direction may be divided if the limit is not found in one step. */
static bool search_from(vd_envelope *e, int from, int i, int parts, vd_limit_point *p) {
  vd_limit_shape shape = e->kept[from].shape, last_shape = shape;
  const int n = e->plan->directions;
  double way = (i - from + n + n / 2) % n - n / 2, done = 0.0, part = way;
  aim(e, i);
  take(e, &e->kept[from]);
  vd_trim_copy(&e->here, &e->last);
  for (;;) {
    enum vd_limit limit = move_on(e, from + done + part, &shape);
    if (limit != VD_LIMIT_LOST && fabs(done + part) >= fabs(way)) {
      keep_better(e, i, limit, &shape, p);
      return true;
    }
    if (limit != VD_LIMIT_LOST) {
      done += part;
      last_shape = shape;
      vd_trim_copy(&e->here, &e->last);
    } else {
      part *= 0.5;
      if (!(fabs(part) * parts >= fabs(way)) || way == 0.0)
        return false;
      long evaluations = e->here.evaluations;
      shape = last_shape;
      vd_trim_copy(&e->last, &e->here);
      e->here.evaluations = evaluations;
    }
  }
}

/* Whether the mirror image of a state is a steady state, too. */
static bool is_symmetric(vd_envelope *e, int i) {
  aim(e, i);
  take(e, &e->kept[i]);
  if (!e->kept[i].known || !vd_trim_evaluate(&e->here))
    return false;
  double before = vd_trim_error(&e->here);
  return vd_trim_mirror(&e->here) && vd_trim_error(&e->here) <= 10.0 * before + 1e-8;
}

/* Returns the index of the direction that is k places to a side of direction 0. */
static int place_of(const vd_envelope *e, bool right, int k) {
  return right ? (e->plan->directions - k) % e->plan->directions : k;
}

/* Searches all directions to one side, from 0 to the opposite direction. Each search starts at the limit of its
 * direction at the last speed, or else at the limit of the last direction. Further branches are searched in all
 * directions at the first speed, and at each later speed in a few directions, which change from speed to speed. */
static void search_side(vd_envelope *e, bool right, vd_limit_point *point) {
  const int half = e->plan->directions / 2, turn = e->speeds, outwards = turn > 0 ? 6 : 1;
  for (int k = right; k <= half - right; k++) {
    int i = place_of(e, right, k), last = place_of(e, right, k - 1 + (k == 0));
    bool found = e->kept[i].known && search_from(e, i, i, 1, &point[i]);
    if (!found && last != i && reach_of(&point[last]) > 0.0)
      search_from(e, last, i, 1, &point[i]);
    if ((k + turn) % outwards == 0 || reach_of(&point[i]) == 0.0)
      search_outwards(e, i, &point[i]);
    if (turn == 0 || (turn % SOME == 0 && (half - k + 5 * (turn / SOME)) % 18 == 0))
      search_seeds(e, i, &point[i]);
  }
}

/* Whether the limits of neighbouring directions lie on different branches. */
static bool differ(const vd_envelope *e, const vd_limit_point *point, int i, int other) {
  const double far = 0.5;
  const kept_state *a = &e->kept[i], *b = &e->kept[other];
  double distance = 0.0;
  for (int k = VD_TRIM_SIDE_SLIP; k <= VD_TRIM_STEER; k++)
    distance = vd_max(distance, fabs(a->z[k] - b->z[k]) / e->origin.scale[k]);
  return point[i].limit != point[other].limit || a->shape.bound != b->shape.bound || distance > far;
}

/* Continues a branch from direction to direction where two branches meet. The first search may have left the first
 * branch too early, in directions in which this branch still has the greater limits. */
static void search_borders(vd_envelope *e, bool right, vd_limit_point *point) {
  enum { PARTS = 8 };
  const int half = e->plan->directions / 2;
  for (int way = 0; way < 2 && (e->speeds == 0 || e->speeds % SOME == 1); way++)
    for (int k = 1; k <= half; k++) {
      int to = place_of(e, right, way == 0 ? k : half - k), from = place_of(e, right, way == 0 ? k - 1 : half - k + 1);
      if (reach_of(&point[from]) > 0.0 && (e->speeds == 0 || differ(e, point, from, to)))
        search_from(e, from, to, e->speeds == 0 ? PARTS : 1, &point[to]);
    }
}

/* Sets the right side of a symmetric car. */
static void mirror_side(const vd_envelope_plan *plan, vd_limit_point *point) {
  for (int i = plan->directions / 2 + 1; i < plan->directions; i++)
    vd_limit_point_mirror(&point[plan->directions - i], &point[i]);
}

bool vd_envelope_at(vd_envelope *e, double speed, vd_limit_point *point) {
  const int n = e->plan->directions;
  for (int i = 0; i < n; i++)
    point[i] =
        (vd_limit_point){.speed = speed, .direction = direction_of(e->plan, i), .along = NAN, .limit = VD_LIMIT_LOST};
  long before = e->here.evaluations;
  bool good = find_origin(e, speed, &e->origin);
  e->here.evaluations = before + e->origin.evaluations;
  if (!good)
    return false;
  search_side(e, false, point);
  search_borders(e, false, point);
  if (e->speeds == 0)
    e->symmetric = is_symmetric(e, n / 4);
  if (e->symmetric) {
    mirror_side(e->plan, point);
  } else {
    search_side(e, true, point);
    search_borders(e, true, point);
  }
  e->speeds++;
  return true;
}

bool vd_envelope_section(const vd_limit_point *point, size_t count, vd_gg_section *s) {
  vd_gg_point at[VD_GG_DIRECTIONS];
  for (size_t i = 0; i < count; i++) {
    at[i] = (vd_gg_point){point[i].along, point[i].across};
    if (isnan(at[i].along))
      return false;
  }
  vd_gg_section_fill(at, count, s);
  return true;
}
