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

/* --- the search ---
 *
 * Several curves of steady states may lead to the limit of a direction, and each curve exists only at some speeds and
 * in some directions. Speeds are treated in rising order. Each search starts at the limit of its direction at the
 * previous speed; further searches start at straight-ahead driving, and at states of other curves. Then the limits
 * spread: each direction at each speed is searched from the limits of the neighbouring directions and speeds, as long
 * as one of these improves. Intermediate speeds, from a low speed on, are always added, so that the result hardly
 * depends on the speeds for which the caller asks. */

enum { Q = VD_TRIM_QUANTITIES, NEIGHBOURS = 4 };

static const double lowest = 10.0, closest = 0.06; /* lowest: m/s; closest: greatest step of the speed divided by the
                                                    * speed */

/* The state at the limit of one direction at one speed, with the data for a search that starts from it. */
typedef struct kept_state {
  int version;           /* number of improvements; 0: there is no state */
  int tried[NEIGHBOURS]; /* versions of the neighbours from which the last searches started */
  vd_limit_shape shape;
  double z[Q], mode[VD_MODES], row[Q];
  double *inverse; /* [count][count] */
  bool has_inverse;
} kept_state;

typedef struct envelope {
  const vd_model *m;
  const vd_envelope_plan *plan;
  int speeds, n;              /* n: number of directions */
  const double *speed;        /* [speeds] */
  vd_limit_point *point;      /* [speeds][n] */
  kept_state *kept;           /* [speeds][n] */
  vd_trim origin, here, last; /* last: the last state in search_from that is at a limit */
  int row;                    /* index of the speed of the origin; -1: none */
  bool good;                  /* there is an origin at this speed */
  int first;                  /* index of the least speed that has an origin; -1: none yet */
  bool symmetric;             /* the right side is the mirror image of the left side */
} envelope;

static const int ray[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL, VD_TRIM_REACH};

static bool start_at(const envelope *e, double speed, int gear, vd_trim *t) {
  if (!vd_trim_start(e->m, speed, gear, t))
    return false;
  t->body_axes = e->plan->body_axes;
  t->upward = e->m->options.level >= VD_L3 ? e->plan->upward : 0.0;
  return true;
}

/* Finds the state from which all directions start: with constant speed, or coasting if the drive cannot hold the
 * speed. */
static bool find_origin(const envelope *e, double speed, vd_trim *t) {
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

/* Moves the search to a speed. False: there is no steady state straight ahead. */
static bool go_to(envelope *e, int row) {
  if (e->row == row)
    return e->good;
  e->row = row;
  e->good = find_origin(e, e->speed[row], &e->origin);
  e->here.evaluations += e->origin.evaluations;
  return e->good;
}

static kept_state *kept_at(const envelope *e, int row, int i) {
  return &e->kept[row * e->n + i];
}

static vd_limit_point *point_at(const envelope *e, int i) {
  return &e->point[e->row * e->n + i];
}

static double direction_of(const envelope *e, double i) {
  return 2.0 * VD_PI * i / e->n;
}

/* Returns the magnitude of the acceleration relative to the origin of the directions, m/s2; 0: the point has no
 * solution. */
static double reach_of(const vd_limit_point *p) {
  return isnan(p->along) ? 0.0 : vd_hypot(p->along - p->centre, p->across);
}

/* Stores the present state if it is a solution and has a greater reach than the stored state of this direction. */
static bool keep_better(envelope *e, int i, enum vd_limit limit, const vd_limit_shape *shape) {
  const vd_trim *t = &e->here;
  /* error: m/s2, rad/s2; residual: of a wheel with little inertia, whose rate may exceed this error by rounding */
  const double most_error = 1e-6, most_residual = 1e-10;
  vd_limit_point *p = point_at(e, i);
  kept_state *k = kept_at(e, e->row, i);
  if (!(t->z[VD_TRIM_REACH] > reach_of(p) * (1.0 + 1e-6)) ||
      !(vd_trim_error(t) < most_error || vd_trim_residual(t) < most_residual) || !vd_limit_within(t, &e->plan->bounds))
    return false;
  size_t inverse = (size_t)(t->count * t->count);
  if (!k->inverse)
    k->inverse = vd_allocate(inverse, sizeof *k->inverse);
  vd_limit_point_of(t, p);
  p->limit = limit;
  p->direction = direction_of(e, i);
  k->version++;
  k->has_inverse = t->has_inverse;
  k->shape = *shape;
  memcpy(k->z, t->z, sizeof k->z);
  memcpy(k->mode, t->s.mode, sizeof k->mode);
  memcpy(k->row, t->row, sizeof k->row);
  memcpy(k->inverse, t->inverse, inverse * sizeof *k->inverse);
  return true;
}

/* Moves the search to the origin, and points its ray in direction i. */
static void aim(envelope *e, double i) {
  long evaluations = e->here.evaluations;
  vd_trim_copy(&e->origin, &e->here);
  e->here.evaluations = evaluations;
  e->here.ray[0] = vd_cos(direction_of(e, i));
  e->here.ray[1] = vd_sin(direction_of(e, i));
  vd_trim_choose(&e->here, ray, VD_COUNT(ray), true);
}

/* True if the present speed is the least or the greatest; at these speeds all searches are made in all directions. */
static bool is_end(const envelope *e) {
  return e->row == e->first || e->row == e->speeds - 1;
}

/* Searches for the limit from the present state, with one of its quantities fixed at first. */
static void search_here(envelope *e, int i, int fixed) {
  const double much = 0.9;
  vd_limit_shape shape = {-1, NAN};
  enum vd_limit limit =
      vd_limit_from(&e->here, VD_TRIM_REACH, fixed, much * reach_of(point_at(e, i)), &e->plan->bounds, &shape);
  if (limit != VD_LIMIT_LOST)
    keep_better(e, i, limit, &shape);
}

/* Searches from the origin outwards, or from a slight turn if the curve has a corner at the origin: the origin of a car
 * without resistance, where its pedals change from brake to drive. */
static void search_outwards(envelope *e, int i) {
  const double slight = 0.02; /* rad, steer */
  vd_limit_shape shape = {-1, NAN};
  vd_trim *t = &e->here;
  aim(e, i);
  enum vd_limit limit =
      vd_limit_find(t, VD_TRIM_REACH, &e->plan->bounds, is_end(e) ? VD_LIMIT_BEYOND : VD_LIMIT_FIRST, &shape);
  keep_better(e, i, limit, &shape);
  if (limit != VD_LIMIT_LOST || t->ray[1] == 0.0)
    return;
  aim(e, i);
  t->z[VD_TRIM_STEER] = copysign(slight, t->ray[1]);
  search_here(e, i, VD_TRIM_STEER);
}

/* Moves the search to a kept state, which may belong to another direction or speed; the clutch slips or sticks as in
 * the gear of the present speed. */
static void take(envelope *e, const kept_state *k) {
  vd_trim *t = &e->here;
  double along = t->z[VD_TRIM_ALONG], clutch = t->s.mode[VD_M_CLUTCH];
  memcpy(t->z, k->z, sizeof t->z);
  memcpy(t->s.mode, k->mode, sizeof k->mode);
  t->s.mode[VD_M_CLUTCH] = e->m->coupled ? clutch : k->mode[VD_M_CLUTCH];
  memcpy(t->row, k->row, sizeof k->row);
  memcpy(t->inverse, k->inverse, (size_t)(t->count * t->count) * sizeof *k->inverse);
  t->has_inverse = k->has_inverse;
  t->z[VD_TRIM_ALONG] = along;
}

/* Searches from states on curves that need not lead to the origin: states with much steer into the turn or much side
 * slip, in which the side forces of the front tyres brake the car, and states with one wheel locked. */
static void search_seeds(envelope *e, int i) {
  const double reach = 0.8, pedal = 0.56, locked = -0.9;
  const kept_state *k = kept_at(e, e->row, i);
  vd_trim *t = &e->here;
  for (int j = 0; j < VD_LIMIT_SEEDS; j++) {
    double best = reach_of(point_at(e, i));
    aim(e, i);
    int fixed = vd_limit_seed(t, j, t->ray[1], &e->plan->bounds);
    t->z[VD_TRIM_REACH] = reach * best;
    t->z[VD_TRIM_PEDAL] += pedal * best * t->ray[0];
    search_here(e, i, fixed);
  }
  for (int j = 0; j < e->m->lanes.count && k->version > 0 && k->z[VD_TRIM_PEDAL] < 0.0; j++) {
    aim(e, i);
    take(e, k);
    t->z[VD_TRIM_INNER + j] = locked;
    search_here(e, i, VD_TRIM_STEER);
  }
}

/* Moves the state of the search to the limit of direction i, and returns what limits this state. */
static enum vd_limit move_on(envelope *e, double i, vd_limit_shape *shape) {
  vd_trim *t = &e->here;
  t->ray[0] = vd_cos(direction_of(e, i));
  t->ray[1] = vd_sin(direction_of(e, i));
  return vd_limit_near(t, VD_TRIM_REACH, &e->plan->bounds, shape);
}

/* Searches in direction i from a kept state of direction `from'. In this state the tyres may be beyond their peaks,
 * which a search from the origin does not pass. parts: number of parts into which the change of direction may be
 * divided if the limit is not found in one step. True: the limit is kept. */
static bool search_from(envelope *e, const kept_state *k, int from, int i, int parts) {
  vd_limit_shape shape = k->shape, last_shape = shape;
  double way = (i - from + e->n + e->n / 2) % e->n - e->n / 2, done = 0.0, part = way;
  aim(e, i);
  take(e, k);
  vd_trim_copy(&e->here, &e->last);
  for (;;) {
    enum vd_limit limit = move_on(e, from + done + part, &shape);
    if (limit != VD_LIMIT_LOST && fabs(done + part) >= fabs(way))
      return keep_better(e, i, limit, &shape);
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

/* True if the mirror image of a state is a steady state, too. */
static bool is_symmetric(envelope *e, int i) {
  const kept_state *k = kept_at(e, e->row, i);
  aim(e, i);
  if (k->version == 0)
    return false;
  take(e, k);
  if (!vd_trim_evaluate(&e->here))
    return false;
  double before = vd_trim_error(&e->here);
  return vd_trim_mirror(&e->here) && vd_trim_error(&e->here) <= 10.0 * before + 1e-8;
}

/* Returns the number of directions that are searched; for a symmetric car the directions of the right side are mirror
 * images. */
static int searched(const envelope *e) {
  return e->symmetric ? e->n / 2 + 1 : e->n;
}

/* Returns the index of the direction that is k places to the left or right of direction 0. */
static int place_of(const envelope *e, bool right, int k) {
  return right ? (e->n - k) % e->n : k;
}

/* Searches all directions to one side, from 0 to the opposite direction, at the speed of the origin. At the least and
 * the greatest speed, the searches for further curves are made in all directions; at the other speeds they are made in
 * a few directions, which change from speed to speed. */
static void search_side(envelope *e, bool right) {
  /* intervals between searches: in directions, in speeds, in directions, and in speeds in the lateral direction */
  enum { OUTWARDS = 12, SEEDED = 3, SPACE = 18, LATERAL = 6 };
  const int half = e->n / 2, row = e->row;
  const bool whole = is_end(e);
  for (int k = right; k <= half - right; k++) {
    int i = place_of(e, right, k), last = place_of(e, right, k - 1 + (k == 0));
    const kept_state *own = row > 0 ? kept_at(e, row - 1, i) : NULL, *beside = kept_at(e, row, last);
    bool found = own && own->version > 0 && search_from(e, own, i, i, 1);
    if (!found && last != i && beside->version > 0)
      search_from(e, beside, last, i, 1);
    if (whole || (k + row) % OUTWARDS == 0 || kept_at(e, row, i)->version == 0)
      search_outwards(e, i);
    bool lateral = 2 * k == half && row % LATERAL == 0;
    if (whole || lateral || (row % SEEDED == 0 && (half - k + 5 * (row / SEEDED)) % SPACE == 0))
      search_seeds(e, i);
  }
}

/* True if two states lie on different curves, judged by their distance. */
static bool differ(const envelope *e, const kept_state *a, const kept_state *b) {
  const double far = 0.1;
  double distance = 0.0;
  for (int k = VD_TRIM_SIDE_SLIP; k < VD_TRIM_INNER + e->origin.inners; k++)
    if (k <= VD_TRIM_STEER || k >= VD_TRIM_INNER)
      distance = vd_max(distance, fabs(a->z[k] - b->z[k]) / e->origin.scale[k]);
  return a->shape.bound != b->shape.bound || distance > far;
}

/* Searches a direction at the present speed from a neighbour that may be on a better curve. */
static bool search_beside(envelope *e, int i, int row, int other) {
  enum { PARTS = 4, FIRST_PARTS = 16 };
  const double hope = 0.97; /* a neighbour that reaches less than this share of the best is not on a better curve */
  const kept_state *own = kept_at(e, e->row, i), *from = kept_at(e, row, other);
  double reach = reach_of(&e->point[row * e->n + other]), best = reach_of(point_at(e, i));
  if (!(reach > hope * best) || (own->version > 0 && !differ(e, own, from)))
    return false;
  return search_from(e, from, other, i, reach > best ? (row == e->first ? FIRST_PARTS : PARTS) : 1);
}

/* Searches a direction at the present speed from all neighbours that were improved since their last use. True: the
 * limit is improved. */
static bool search_around(envelope *e, int i) {
  static const int step[NEIGHBOURS][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  kept_state *own = kept_at(e, e->row, i);
  bool better = false;
  for (int k = 0; k < NEIGHBOURS; k++) {
    int row = e->row + step[k][0], other = i + step[k][1];
    if (!e->symmetric)
      other = (other + e->n) % e->n;
    if (row < 0 || row >= e->speeds || other < 0 || other >= searched(e))
      continue;
    int version = kept_at(e, row, other)->version;
    if (version != own->tried[k])
      better |= search_beside(e, i, row, other);
    own->tried[k] = version;
  }
  return better;
}

static void tell(const envelope *e, double share) {
  if (e->plan->progress)
    e->plan->progress(e->plan->context, share);
}

/* Lets limits spread over the directions and speeds until no limit is improved. */
static void spread(envelope *e) {
  enum { ROUNDS = 20 };
  bool changes = true;
  for (int round = 0; round < ROUNDS && changes; round++) {
    changes = false;
    for (int k = 0; k < e->speeds; k++) {
      if (go_to(e, round % 2 == 0 ? e->speeds - 1 - k : k))
        for (int i = 0, last = searched(e) - 1; i <= 2 * last; i++)
          changes |= search_around(e, i <= last ? i : 2 * last - i);
      if (round == 0)
        tell(e, 0.5 + 0.5 * (k + 1) / e->speeds);
    }
  }
}

/* Sets the right side of a symmetric car. */
static void mirror_side(const envelope *e, vd_limit_point *point) {
  for (int i = e->n / 2 + 1; i < e->n; i++)
    vd_limit_point_mirror(&point[e->n - i], &point[i]);
}

static void search(envelope *e) {
  for (int k = 0; k < e->speeds * e->n; k++)
    e->point[k] = (vd_limit_point){
        .speed = e->speed[k / e->n], .direction = direction_of(e, k % e->n), .along = NAN, .limit = VD_LIMIT_LOST};
  for (int row = 0; row < e->speeds; row++) {
    if (!go_to(e, row))
      continue;
    if (e->first < 0)
      e->first = row;
    search_side(e, false);
    if (e->first == row)
      e->symmetric = is_symmetric(e, e->n / 4);
    if (!e->symmetric)
      search_side(e, true);
    tell(e, 0.5 * (row + 1) / e->speeds);
  }
  spread(e);
  for (int row = 0; row < e->speeds && e->symmetric; row++)
    mirror_side(e, &e->point[row * e->n]);
}

int vd_envelope_steps(double from, double to) {
  return to > from ? (int)ceil(vd_log(to / from) / closest - 1e-9) : 0;
}

long vd_envelope_find(const vd_model *m, const vd_envelope_plan *plan, const double *speed, int speeds,
                      vd_limit_point *point) {
  int rows = 1, *row = vd_allocate((size_t)speeds, sizeof *row);
  double last = vd_min(lowest, speed[0]);
  for (int i = 0; i < speeds; i++)
    rows += vd_envelope_steps(i > 0 ? speed[i - 1] : last, speed[i]);
  double *all = vd_allocate((size_t)rows, sizeof *all);
  rows = 0;
  all[rows++] = last;
  for (int i = 0; i < speeds; i++) {
    int parts = vd_envelope_steps(last, speed[i]);
    for (int k = 1; k <= parts; k++)
      all[rows++] = k < parts ? last + (speed[i] - last) * k / parts : speed[i];
    row[i] = rows - 1;
    last = speed[i];
  }
  size_t n = (size_t)plan->directions, count = (size_t)rows * n;
  envelope *e = vd_allocate(1, sizeof *e);
  *e = (envelope){.m = m, .plan = plan, .speeds = rows, .n = plan->directions, .speed = all};
  e->row = e->first = -1;
  e->kept = vd_allocate(count, sizeof *e->kept);
  e->point = vd_allocate(count, sizeof *e->point);
  search(e);
  for (int i = 0; i < speeds; i++)
    memcpy(point + (size_t)i * n, e->point + (size_t)row[i] * n, n * sizeof *point);
  long evaluations = e->here.evaluations;
  for (size_t k = 0; k < count; k++)
    free(e->kept[k].inverse);
  free(e->kept);
  free(e->point);
  free(e);
  free(all);
  free(row);
  return evaluations;
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
