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
    int other = vd_wheel_at(vd_axle_of(i), !vd_is_right(i));
    out->load[i] = p->load[other];
    out->used[i] = p->used[other];
  }
}

/* --- one speed --- */

/* What a state at a limit is known by. */
typedef struct kept_state {
  double z[VD_TRIM_QUANTITIES], mode[VD_LOAD_MODES];
} kept_state;

typedef struct work {
  vd_trim origin, here, best, last; /* best: of the present direction, last: of the last one */
  const vd_envelope_plan *plan;
  kept_state *kept; /* the best state of each direction */
  bool known;       /* whether there is a state of the last direction */
} work;

static const int ray[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL, VD_TRIM_REACH};

static bool start_at(const vd_model *m, const vd_envelope_plan *plan, double speed, int gear, vd_trim *t) {
  if (!vd_trim_start(m, speed, gear, t))
    return false;
  t->body_axes = plan->body_axes;
  t->upward = m->options.level >= VD_L3 ? plan->upward : 0.0;
  return true;
}

/* The state from which all directions start: with constant speed, or coasting if the drive cannot hold the speed. */
static bool find_origin(const vd_model *m, const vd_envelope_plan *plan, double speed, vd_trim *t) {
  static const int held[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL};
  static const int coasting[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_ALONG};
  int gear = plan->gear == VD_GEAR_AUTOMATIC ? vd_envelope_gear(m, speed) : plan->gear;
  if (!start_at(m, plan, speed, m->vehicle.drivetrain.engine ? gear : 1, t))
    return false;
  vd_trim_choose(t, held, VD_COUNT(held), false);
  bool good = vd_trim_solve(t, vd_trim_exact);
  if (good && t->z[VD_TRIM_PEDAL] <= 0.95 * plan->bounds.power * t->full_drive)
    return true;
  if (!start_at(m, plan, speed, t->c.gear, t))
    return false;
  vd_trim_choose(t, coasting, VD_COUNT(coasting), false);
  return vd_trim_solve(t, vd_trim_exact);
}

static double direction_of(const vd_envelope_plan *plan, int i) {
  return 2.0 * VD_PI * i / plan->directions;
}

/* Keeps the present state if it is one, and reaches further than what is known of the direction. */
static void keep_better(work *w, int i, enum vd_limit limit, vd_limit_point *p) {
  const vd_trim *t = &w->here;
  const double most_error = 1e-6; /* m/s2, rad/s2 */
  double reach = vd_hypot(p->along - p->centre, p->across);
  if ((!isnan(p->along) && !(t->z[VD_TRIM_REACH] > reach * (1.0 + 1e-6))) || !(vd_trim_error(t) < most_error))
    return;
  vd_limit_point_of(t, p);
  p->limit = limit;
  p->direction = direction_of(w->plan, i);
  w->best = *t;
  memcpy(w->kept[i].z, t->z, sizeof t->z);
  memcpy(w->kept[i].mode, t->s.mode, sizeof w->kept[i].mode);
}

static void aim(double direction, vd_trim *t) {
  t->ray[0] = vd_cos(direction);
  t->ray[1] = vd_sin(direction);
}

/* From the origin on. */
static void search_outwards(work *w, int i, vd_limit_point *p) {
  long evaluations = w->here.evaluations;
  w->here = w->origin;
  w->here.evaluations = evaluations;
  aim(direction_of(w->plan, i), &w->here);
  vd_trim_choose(&w->here, ray, VD_COUNT(ray), true);
  enum vd_limit limit = vd_limit_find(&w->here, VD_TRIM_REACH, &w->plan->bounds);
  keep_better(w, i, limit, p);
}

/* From the limit of the last direction on, at its steer or side slip: tyres may be beyond their peaks there, which a
 * search from the origin does not pass. */
static void search_on(work *w, int i, vd_limit_point *p) {
  for (int kept = VD_TRIM_SIDE_SLIP; kept <= VD_TRIM_STEER; kept++) {
    double row[VD_TRIM_QUANTITIES] = {0.0};
    long evaluations = w->here.evaluations;
    w->here = w->last;
    w->here.evaluations = evaluations;
    aim(direction_of(w->plan, i), &w->here);
    vd_trim_choose(&w->here, ray, VD_COUNT(ray), true);
    row[vd_trim_index(&w->here, kept)] = 1.0;
    vd_trim_row(&w->here, row, 0.0);
    if (!vd_trim_solve(&w->here, vd_trim_passing))
      continue;
    enum vd_limit limit = vd_limit_find(&w->here, VD_TRIM_REACH, &w->plan->bounds);
    if (limit != VD_LIMIT_LOST)
      keep_better(w, i, limit, p);
  }
}

/* Whether the mirror image of the last state is a steady state, too. */
static bool is_symmetric(work *w) {
  if (!w->known)
    return false;
  w->here = w->last;
  double before = vd_trim_error(&w->last);
  return vd_trim_mirror(&w->here) && vd_trim_error(&w->here) <= 10.0 * before + 1e-8;
}

/* Searches `count' directions from 0 on to the left, or from behind 0 on to the right. */
static void search_side(work *w, bool right, int count, vd_limit_point *point) {
  const int often = 3; /* every third direction, also from the origin: finds branches that the others have left */
  w->known = false;
  for (int k = 0; k < count; k++) {
    int i = right ? w->plan->directions - 1 - k : k;
    if (w->known)
      search_on(w, i, &point[i]);
    if ((right ? k + 1 : k) % often == 0 || k + 1 == count || isnan(point[i].along))
      search_outwards(w, i, &point[i]);
    w->known = !isnan(point[i].along);
    if (w->known)
      w->last = w->best;
  }
}

/* Reach of a direction over that of the chord between its neighbours' limits; 1 if one of them is not known. */
static double over_chord(const vd_envelope_plan *plan, const vd_limit_point *point, int i) {
  double reach[3];
  for (int k = 0; k < 3; k++) {
    const vd_limit_point *p = &point[(i + k - 1 + plan->directions) % plan->directions];
    reach[k] = vd_hypot(p->along - p->centre, p->across);
  }
  double chord = 2.0 * reach[0] * reach[2] * vd_cos(2.0 * VD_PI / plan->directions) / (reach[0] + reach[2]);
  return reach[1] < chord ? reach[1] / chord : 1.0;
}

/* Directions whose search was lost, or ended on a branch far below the limits of their neighbours, from the states of
 * these. The first `count' directions to one side, from the last to the first. */
static void search_again(work *w, bool right, int count, vd_limit_point *point) {
  const double near = 0.99; /* a limit may be a little concave */
  int n = w->plan->directions;
  for (int k = count - 1; k >= 0; k--) {
    int i = right ? n - 1 - k : k;
    for (int side = 1; side >= -1; side -= 2) {
      int from = (i + side + n) % n;
      if ((point[i].limit != VD_LIMIT_LOST && over_chord(w->plan, point, i) >= near) || isnan(point[from].along) ||
          (!right && from > n / 2))
        continue;
      w->last = w->origin;
      memcpy(w->last.z, w->kept[from].z, sizeof w->last.z);
      memcpy(w->last.s.mode, w->kept[from].mode, sizeof w->kept[from].mode);
      search_on(w, i, &point[i]);
    }
  }
}

/* The right side of a symmetric car. */
static void mirror_side(const vd_envelope_plan *plan, vd_limit_point *point) {
  for (int i = plan->directions / 2 + 1; i < plan->directions; i++)
    vd_limit_point_mirror(&point[plan->directions - i], &point[i]);
}

bool vd_envelope_at(const vd_model *m, const vd_envelope_plan *plan, double speed, vd_limit_point *point,
                    long *evaluations) {
  static _Thread_local work w;
  const int half = plan->directions / 2;
  w.plan = plan;
  for (int i = 0; i < plan->directions; i++)
    point[i] =
        (vd_limit_point){.speed = speed, .direction = direction_of(plan, i), .along = NAN, .limit = VD_LIMIT_LOST};
  bool good = find_origin(m, plan, speed, &w.origin);
  *evaluations += w.origin.evaluations;
  if (!good)
    return false;
  w.here.evaluations = 0;
  w.kept = vd_allocate((size_t)plan->directions, sizeof *w.kept);
  search_side(&w, false, half + 1, point);
  bool symmetric = is_symmetric(&w);
  if (symmetric)
    mirror_side(plan, point);
  else
    search_side(&w, true, half - 1, point);
  search_again(&w, false, half + 1, point);
  if (symmetric)
    mirror_side(plan, point);
  else
    search_again(&w, true, half - 1, point);
  *evaluations += w.here.evaluations;
  free(w.kept);
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
