#include "limits/diagram.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

static void choose(vd_diagram *d, bool trimmed, bool limit) {
  static const int free_run[] = {VD_TRIM_ALONG, VD_TRIM_ACROSS, VD_TRIM_SIDE_SLIP, VD_TRIM_STEER};
  static const int held[] = {VD_TRIM_PEDAL, VD_TRIM_ACROSS, VD_TRIM_SIDE_SLIP, VD_TRIM_STEER};
  d->trim.turns = !trimmed;
  vd_trim_choose(&d->trim, d->plan.hold == VD_HOLD_COAST ? free_run : held, 2 + trimmed + limit, limit);
}

/* Starts straight ahead with a state that is not solved yet. False: the car has no position of rest. */
static bool begin(const vd_model *m, const vd_diagram_plan *plan, vd_diagram *d) {
  d->plan = *plan;
  d->step = 0.05;
  bool coasts = plan->hold == VD_HOLD_COAST && m->vehicle.drivetrain.engine;
  if (!vd_trim_start(m, plan->speed, coasts ? VD_GEAR_NEUTRAL : plan->gear, &d->trim))
    return false;
  d->trim.turn_rate = plan->turn_rate;
  d->trim.z[VD_TRIM_ALONG] = plan->hold == VD_HOLD_ACCELERATION ? plan->acceleration : 0.0;
  choose(d, false, false);
  return true;
}

bool vd_diagram_start(const vd_model *m, const vd_diagram_plan *plan, vd_diagram *d) {
  d->known = begin(m, plan, d) && vd_trim_solve(&d->trim, vd_trim_exact);
  return d->known;
}

static void fill(const vd_diagram *d, vd_diagram_point *p) {
  const vd_trim *t = &d->trim;
  const vd_model *m = t->m;
  int n = m->lanes.count;
  double cosine = vd_cos(t->z[VD_TRIM_SIDE_SLIP]), sine = vd_sin(t->z[VD_TRIM_SIDE_SLIP]);
  p->side_slip = t->z[VD_TRIM_SIDE_SLIP];
  p->steer = t->z[VD_TRIM_STEER];
  p->along = t->accel[0];
  p->across = t->accel[1];
  p->ax = t->accel[0] * cosine - t->accel[1] * sine;
  p->ay = t->accel[0] * sine + t->accel[1] * cosine;
  p->cn = m->vehicle.yaw_inertia * t->dx[VD_S_YAW_RATE] / (m->vehicle.mass * VD_GRAVITY * m->vehicle.wheelbase);
  p->pedal = t->z[VD_TRIM_PEDAL] / (t->z[VD_TRIM_PEDAL] > 0.0 ? t->full_drive : t->full_brake);
  p->lifted = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    int lane = n == VD_WHEELS ? i : vd_axle_of(i);
    p->load[i] = t->e.tyre.load[lane] / m->lanes.wheels;
    p->alpha[i] = vd_atan(t->e.slip.tan_alpha[lane]);
    p->lifted |= !(p->load[i] > 0.0);
  }
  p->error = vd_trim_error(t);
  p->found = true;
}

/* Moves from the last solved state to another slip and steer, with smaller changes if a change fails. */
static bool move(vd_diagram *d, double side_slip, double steer) {
  const double shortest = 1e-4;
  vd_trim *t = &d->trim;
  double from[2] = {t->z[VD_TRIM_SIDE_SLIP], t->z[VD_TRIM_STEER]}, to[2] = {side_slip, steer}, kept[VD_TRIM_QUANTITIES];
  double whole = vd_max(fabs(to[0] - from[0]), fabs(to[1] - from[1])), done = 0.0;
  double length = vd_max(vd_min(d->step, whole), shortest);
  while (done < whole) {
    double next = vd_min(done + length, whole), share = next / whole;
    memcpy(kept, t->z, sizeof kept);
    t->z[VD_TRIM_SIDE_SLIP] = share < 1.0 ? from[0] + share * (to[0] - from[0]) : to[0];
    t->z[VD_TRIM_STEER] = share < 1.0 ? from[1] + share * (to[1] - from[1]) : to[1];
    if (vd_trim_solve(t, share < 1.0 ? vd_trim_passing : vd_trim_exact)) {
      done = next;
      d->step = vd_max(d->step, length);
      length *= 2.0;
      continue;
    }
    memcpy(t->z, kept, sizeof kept);
    t->has_inverse = false;
    length *= 0.4;
    d->step = length;
    if (length < shortest)
      return false;
  }
  return whole > 0.0 || vd_trim_solve(t, vd_trim_exact);
}

bool vd_diagram_at(vd_diagram *d, double side_slip, double steer, vd_diagram_point *p) {
  *p = (vd_diagram_point){.side_slip = side_slip, .steer = steer};
  if (!d->trim.turns || d->trim.rowed)
    choose(d, false, false);
  if (!d->known && !vd_diagram_start(d->trim.m, &d->plan, d))
    return false;
  d->known = move(d, side_slip, steer);
  /* from the last state a way may lead through states that do not exist; from straight ahead another way leads there */
  if (!d->known && vd_diagram_start(d->trim.m, &d->plan, d))
    d->known = move(d, side_slip, steer);
  if (d->known)
    fill(d, p);
  return d->known;
}

bool vd_diagram_slopes_at(vd_diagram *d, const vd_diagram_point *p, vd_diagram_slopes *out) {
  /* rad; the differences over 2 h and 4 h are combined so that the error is of fourth order in h */
  const double h = 1e-4;
  double slope[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
  static const double weight[4] = {8.0, -8.0, -1.0, 1.0}, place[4] = {1.0, -1.0, 2.0, -2.0};
  for (int by = 0; by < 2; by++)
    for (int k = 0; k < 4; k++) {
      vd_diagram_point q;
      double change = place[k] * h;
      if (!vd_diagram_at(d, p->side_slip + (by == 0 ? change : 0.0), p->steer + (by == 1 ? change : 0.0), &q))
        return false;
      slope[by][0] += weight[k] * q.cn / (12.0 * h);
      slope[by][1] += weight[k] * q.ay / (12.0 * h);
    }
  *out = (vd_diagram_slopes){slope[0][0], slope[1][0], slope[0][1], slope[1][1]};
  return true;
}

bool vd_diagram_trim(vd_diagram *d, double steer, vd_diagram_point *p) {
  *p = (vd_diagram_point){.steer = steer};
  if (!d->known && !vd_diagram_start(d->trim.m, &d->plan, d))
    return false;
  choose(d, true, false);
  d->trim.z[VD_TRIM_STEER] = steer;
  d->known = vd_trim_solve(&d->trim, vd_trim_exact);
  if (d->known)
    fill(d, p);
  return d->known;
}

/* Finds the limit on the curve from straight ahead. A car without resistance has a corner there: its pedals change
 * from brake to drive, and its tyres from braking to driving. This curve is followed from a slight turn. */
static enum vd_limit limit_ahead(vd_diagram *d, enum vd_limit_way way, vd_diagram_point *p) {
  static const double slight[] = {0.0, 0.01, 0.02}; /* rad, steer */
  const double most_error = 1e-6;                   /* m/s2, rad/s2 */
  enum vd_limit limit = VD_LIMIT_LOST;
  *p = (vd_diagram_point){.side_slip = NAN};
  for (size_t i = 0; i < VD_COUNT(slight) && limit == VD_LIMIT_LOST; i++) {
    if (!begin(d->trim.m, &d->plan, d))
      break;
    vd_trim_solve(&d->trim, vd_trim_exact);
    choose(d, true, false);
    d->trim.z[VD_TRIM_STEER] = slight[i];
    if (!vd_trim_solve(&d->trim, vd_trim_exact) && !vd_trim_solve(&d->trim, vd_trim_passing))
      continue;
    choose(d, true, true);
    limit = vd_limit_find(&d->trim, VD_TRIM_ACROSS, &d->plan.bounds, way, NULL);
    if (vd_trim_error(&d->trim) < most_error && !(d->trim.z[VD_TRIM_ACROSS] <= p->across))
      fill(d, p);
  }
  d->known = false;
  return limit;
}

enum vd_limit vd_diagram_steered_limit(vd_diagram *d, vd_diagram_point *p) {
  return limit_ahead(d, VD_LIMIT_STEERED, p);
}

enum vd_limit vd_diagram_trimmed_limit(vd_diagram *d, vd_diagram_point *p) {
  static _Thread_local vd_trim ahead;
  const double reach = 0.8, much = 0.9, better = 1.0 + 1e-6, most_error = 1e-6; /* m/s2, rad/s2 */
  enum vd_limit limit = limit_ahead(d, VD_LIMIT_BEYOND, p);
  if (!p->found || !begin(d->trim.m, &d->plan, d))
    return limit;
  vd_trim_solve(&d->trim, vd_trim_exact);
  choose(d, true, true);
  vd_trim_copy(&d->trim, &ahead);
  for (int j = 0; j < VD_LIMIT_SEEDS; j++) {
    vd_trim_copy(&ahead, &d->trim);
    int fixed = vd_limit_seed(&d->trim, j, 1.0, &d->plan.bounds);
    d->trim.z[VD_TRIM_ACROSS] = reach * p->across;
    enum vd_limit next = vd_limit_from(&d->trim, VD_TRIM_ACROSS, fixed, much * p->across, &d->plan.bounds, NULL);
    if (next == VD_LIMIT_LOST || !(d->trim.z[VD_TRIM_ACROSS] > better * p->across) ||
        !(vd_trim_error(&d->trim) < most_error))
      continue;
    fill(d, p);
    limit = next;
  }
  d->known = false;
  return limit;
}
