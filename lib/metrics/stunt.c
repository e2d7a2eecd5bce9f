/* Metrics of what a car does off the road and over its head: flights, landings, loops, and what became of the energy. */
#include "base/memory.h"
#include "metrics/metrics_impl.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double landing_span = 0.5; /* s after a landing in which its peaks are looked for */
static const double settle_span = 1.0;  /* s at the end of the run */
static const double apex_half =
    5.0 * VD_PI / 180.0;                /* rad, on either side of a loop's apex, over which means are taken */
static const double round_short = 0.01; /* rad that may be missing where a loop ends in the road */
static const double slow = 1.0;         /* m/s, below it a drift in parts of the speed says nothing */

static double sum_load(const vd_stunt_sample *s) {
  return s->load[VD_FL] + s->load[VD_FR] + s->load[VD_RL] + s->load[VD_RR];
}

static double length(const double *v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static vd_result finite_sample(const vd_recorder *r, size_t i) {
  const vd_stunt_sample *s = &r->stunt[i];
  double probe = s->roll + s->pitch + s->energy + s->ledger + sum_load(s);
  for (int k = 0; k < 3; k++)
    probe += s->cg[k] + s->cg_speed[k];
  return isfinite(probe) ? vd_metric_known(0.0)
                         : vd_metric_refused("not a finite number at t = %.9g s", r->sample[i].t);
}

/* Nothing to complain about, or why nothing can be said of flights. */
static vd_result usable(const vd_recorder *r) {
  if (r->rows && r->level <= VD_L2)
    return vd_metric_refused("this level cannot leave the road");
  if (r->count < 2 || !r->stunt)
    return vd_metric_refused("no samples of the stunt were kept");
  vd_result good = vd_metric_known(0.0);
  for (size_t i = 0; i < r->count && vd_metric_good(&good); i++)
    good = finite_sample(r, i);
  return good;
}

/* ---- flights ---- */

/* Rows without any load, first to last, at least two. */
typedef struct flight {
  size_t first, last;
  double begin, end; /* s; half a step beyond the rows, where the wheels may have left the road and met it again */
  bool lands;
} flight;

/* The next flight from a row on; false if there is none. */
static bool next_flight(const vd_recorder *r, size_t from, flight *f) {
  for (size_t i = from; i < r->count; i++) {
    size_t end = i;
    while (end < r->count && !(sum_load(&r->stunt[end]) > 0.0))
      end++;
    if (end < i + 2) {
      i = end;
      continue;
    }
    double before = i > 0 ? r->sample[i - 1].t : r->sample[i].t;
    double after = end < r->count ? r->sample[end].t : r->sample[end - 1].t;
    *f = (flight){.first = i,
                  .last = end - 1,
                  .begin = 0.5 * (before + r->sample[i].t),
                  .end = 0.5 * (r->sample[end - 1].t + after),
                  .lands = end < r->count};
    return true;
  }
  return false;
}

typedef struct flights {
  const vd_recorder *r;
  size_t count;
  double airtime; /* s, of all */
  flight longest; /* the first of equally long ones */
} flights;

static flights find_flights(const vd_recorder *r) {
  flights out = {.r = r};
  flight f;
  for (size_t from = 0; next_flight(r, from, &f); from = f.last + 1) {
    if (out.count++ == 0 || f.end - f.begin > out.longest.end - out.longest.begin)
      out.longest = f;
    out.airtime += f.end - f.begin;
  }
  return out;
}

/* Where the whole mass is half a step before a flight's first row, or after its last. */
static void place_at_edge(const vd_recorder *r, size_t row, double t, double *place) {
  double dt = t - r->sample[row].t;
  for (int k = 0; k < 3; k++)
    place[k] = r->stunt[row].cg[k] + dt * r->stunt[row].cg_speed[k];
}

static double range_of(const vd_recorder *r, const flight *f) {
  double from[3], to[3];
  place_at_edge(r, f->first, f->begin, from);
  place_at_edge(r, f->last, f->end, to);
  return hypot(to[0] - from[0], to[1] - from[1]);
}

static double highest_in(const vd_recorder *r, const flight *f) {
  double z = -INFINITY;
  for (size_t i = f->first; i <= f->last; i++)
    z = fmax(z, r->stunt[i].cg[2]);
  return z;
}

/* Downward acceleration by least squares: z = c0 + c1 u + c2 u^2 over the middle 60 % of the flight, u = (t - middle)/half its
 * length from -1 to 1 so that the normal equations are well conditioned. */
static vd_result fitted_gravity(const vd_recorder *r, const flight *f) {
  enum { LEAST = 5 };
  size_t all = f->last - f->first + 1, skip = (size_t)lround(0.2 * (double)all);
  size_t first = f->first + skip, count = all - 2 * skip;
  if (count < LEAST)
    return vd_metric_refused("the middle of the flight has only %zu steps", count);
  double middle = 0.5 * (r->sample[first].t + r->sample[first + count - 1].t), half = middle - r->sample[first].t,
         chisq;
  gsl_matrix *u = gsl_matrix_alloc(count, 3), *covariance = gsl_matrix_alloc(3, 3);
  gsl_vector *z = gsl_vector_alloc(count), *c = gsl_vector_alloc(3);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, 3);
  for (size_t i = 0; i < count; i++) {
    double at = (r->sample[first + i].t - middle) / half;
    gsl_matrix_set(u, i, 0, 1.0);
    gsl_matrix_set(u, i, 1, at);
    gsl_matrix_set(u, i, 2, at * at);
    gsl_vector_set(z, i, r->stunt[first + i].cg[2] - r->stunt[first].cg[2]);
  }
  gsl_multifit_linear(u, z, c, covariance, &chisq, work);
  double bend = gsl_vector_get(c, 2);
  gsl_multifit_linear_free(work);
  gsl_vector_free(c);
  gsl_vector_free(z);
  gsl_matrix_free(covariance);
  gsl_matrix_free(u);
  return vd_metric_known(-2.0 * bend / (half * half));
}

static double horizontal_speed(const vd_stunt_sample *s) {
  return hypot(s->cg_speed[0], s->cg_speed[1]);
}

static void add_flight(const flights *a, vd_result flown, vd_metrics *out) {
  const vd_recorder *r = a->r;
  const flight *f = &a->longest;
  bool good = vd_metric_good(&flown);
  const vd_stunt_sample none = {.roll = 0.0}, *off = good ? &r->stunt[f->first] : &none,
                        *last = good ? &r->stunt[f->last] : &none;
  double top = good ? highest_in(r, f) : 0.0, start = horizontal_speed(off);
  double drift = horizontal_speed(last) - start;
#define FLOWN(value) (good ? vd_metric_known(value) : flown)
  vd_metric_add(out, "airtime_total_s", "s", FLOWN(a->airtime), "time of all flights");
  vd_metric_add(out, "airtime_longest_s", "s", FLOWN(f->end - f->begin),
                "time of the longest flight, from half a step before its first row to half a step after its last");
  vd_metric_add(out, "takeoff_speed_mps", "m/s", FLOWN(length(off->cg_speed)),
                "speed of the centre of the whole mass at the first row of the longest flight");
  vd_metric_add(out, "takeoff_pitch_rad", "rad", FLOWN(off->pitch),
                "pitch of the body against the horizon there, nose down > 0");
  vd_metric_add(out, "apex_rise_m", "m", FLOWN(top - off->cg[2]),
                "greatest height of the centre of the whole mass in the longest flight, over its height at take-off");
  vd_metric_add(out, "apex_z_m", "m", FLOWN(top), "the same as world z");
  vd_metric_add(out, "flight_range_m", "m", good ? vd_metric_known(range_of(r, f)) : flown,
                "horizontal distance that the centre of the whole mass goes in the longest flight");
  vd_metric_add(out, "flight_gravity_mps2", "m/s2", good ? fitted_gravity(r, f) : flown,
                "downward acceleration of the centre of the whole mass: least-squares parabola over the middle 60 % of "
                "the longest flight");
  vd_metric_add(
      out, "flight_speed_drift_mps", "m/s", FLOWN(drift),
      "horizontal speed of the centre of the whole mass at the last row of the longest flight less that at the "
      "first");
  vd_metric_add(out, "flight_speed_drift", "1",
                !good || start > slow ? FLOWN(drift / start)
                                      : vd_metric_refused("the horizontal speed at take-off is only %.3g m/s", start),
                "the same over the horizontal speed at the first row");
#undef FLOWN
}

/* ---- landing ---- */

static void landing_peaks(const vd_recorder *r, const flight *f, double *all, double *wheel) {
  size_t first = f->last + 1;
  *all = *wheel = 0.0;
  for (size_t i = first; i < r->count && r->sample[i].t <= r->sample[first].t + landing_span; i++) {
    *all = fmax(*all, sum_load(&r->stunt[i]));
    for (int k = 0; k < VD_WHEELS; k++)
      *wheel = fmax(*wheel, r->stunt[i].load[k]);
  }
}

static void add_landing(const flights *a, vd_result flown, vd_metrics *out) {
  const vd_recorder *r = a->r;
  const flight *f = &a->longest;
  vd_result landed = vd_metric_good(&flown) && !f->lands ? vd_metric_refused("the run ends in the air") : flown;
  vd_result weight = r->mass > 0.0 ? vd_metric_known(r->mass * VD_GRAVITY) : vd_metric_refused("the mass is not known");
  bool good = vd_metric_good(&landed);
  const vd_stunt_sample none = {.roll = 0.0}, *last = good ? &r->stunt[f->last] : &none;
  double all = 0.0, wheel = 0.0;
  if (good)
    landing_peaks(r, f, &all, &wheel);
  vd_result peak = good ? vd_metric_known(all) : landed, peak_wheel = good ? vd_metric_known(wheel) : landed;
  vd_metric_add(out, "landing_peak_load_N", "N", peak,
                "greatest sum of the wheel loads within 0.5 s after the longest flight");
  vd_metric_add(out, "landing_peak_load_weights", "1", vd_metric_divide(peak, weight), "the same over the weight");
  vd_metric_add(out, "landing_peak_wheel_load_N", "N", peak_wheel,
                "greatest load of one wheel within 0.5 s after the longest flight");
  vd_metric_add(out, "landing_peak_wheel_load_weights", "1", vd_metric_divide(peak_wheel, weight),
                "the same over the weight of the vehicle");
  vd_metric_add(out, "landing_pitch_rad", "rad", good ? vd_metric_known(last->pitch) : landed,
                "pitch of the body against the horizon at the last row of the longest flight, nose down > 0");
  vd_metric_add(out, "landing_roll_rad", "rad", good ? vd_metric_known(last->roll) : landed,
                "roll of the body there, left side up > 0");
  vd_metric_add(out, "landing_vertical_speed_mps", "m/s", good ? vd_metric_known(last->cg_speed[2]) : landed,
                "vertical speed of the centre of the whole mass there, up > 0");
}

static vd_result settle_drift(const vd_recorder *r) {
  double end = r->last.t, from = end - settle_span * (1.0 + 1e-9), drift = 0.0;
  if (!(from >= r->first.t - 2e-9 * settle_span))
    return vd_metric_refused("the run of %.4g s is shorter than %g s", end - r->first.t, settle_span);
  for (size_t i = r->count; i > 0 && r->sample[i - 1].t >= from; i--)
    drift = fmax(drift, fabs(r->stunt[i - 1].cg[2] - r->stunt[r->count - 1].cg[2]));
  return vd_metric_known(drift);
}

/* ---- energy ---- */

/* What the energies and works of these channels come to over the run. */
static const struct {
  const char *channel, *name, *definition;
} budget[] = {
    {"energy_J", "energy_change_J", "total energy at the end less that at the start"},
    {"energy_kinetic_J", "energy_kinetic_change_J", "the same of the kinetic energy of the body"},
    {"energy_spin_J", "energy_spin_change_J", "the same of the kinetic energy of the wheel spins"},
    {"energy_gravity_J", "energy_gravity_change_J", "the same of the energy of height"},
    {"energy_spring_J", "energy_spring_change_J", "the same of springs, stops and anti-roll bars"},
    {"energy_tyre_J", "energy_tyre_change_J", "the same of the deflections of the tyres"},
    {"energy_link_J", "energy_link_change_J", "the same of what holds the wheels on their paths"},
    {"work_drive_J", "work_drive_total_J", "work of the motor over the run"},
    {"work_brake_J", "work_brake_total_J", "the same of the brakes"},
    {"work_tyre_J", "work_tyre_total_J", "the same of tyre slip"},
    {"work_tyre_damper_J", "work_tyre_damper_total_J", "the same of the tyres' standstill damper"},
    {"work_clutch_J", "work_clutch_total_J", "the same of the slipping clutch"},
    {"work_gears_J", "work_gears_total_J", "the same of the gears' losses"},
    {"work_differentials_J", "work_differentials_total_J", "the same of slipping differentials"},
    {"work_suspension_J", "work_suspension_total_J", "the same of the suspension's dampers"},
    {"work_tyre_vertical_J", "work_tyre_vertical_total_J", "the same of the tyres' vertical damping"},
    {"work_link_J", "work_link_total_J", "the same of the damping of what holds the wheels on their paths"},
    {"work_steering_J", "work_steering_total_J", "the same of the steering"},
    {"work_outside_J", "work_outside_total_J", "the same of posts and of the couple that takes the lean's weight off"},
    {"work_aero_J", "work_aero_total_J", "the same of air drag and lift"},
    {"work_rolling_J", "work_rolling_total_J", "the same of rolling resistance"},
};

static vd_result change(const vd_recorder *r, vd_result good, const char *name) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count), *end = table + count;
  while (table < end && strcmp(table->name, name) != 0)
    table++;
  if (!vd_metric_good(&good))
    return good;
  if (table == end || !(table->levels & VD_WHEN(r->level)))
    return vd_metric_refused("this level has no %s", name);
  return vd_metric_known(vd_channel_value(table, &r->last_row) - vd_channel_value(table, &r->first_row));
}

/* The greatest of E(t2) - E(t1), t1 < t2: over the least energy so far. */
static double greatest_rise(const vd_recorder *r) {
  double least = r->stunt[0].energy, rise = 0.0;
  for (size_t i = 1; i < r->count; i++) {
    rise = fmax(rise, r->stunt[i].energy - least);
    least = fmin(least, r->stunt[i].energy);
  }
  return rise;
}

/* The energy against which the ledger is held: gravity's counted from the lowest place of the run, or it would depend on where
 * the world's zero is. */
static vd_result energy_at_stake(const vd_recorder *r) {
  double lowest = INFINITY, most = -INFINITY;
  if (!(r->mass > 0.0))
    return vd_metric_refused("the mass is not known");
  for (size_t i = 0; i < r->count; i++) {
    lowest = fmin(lowest, r->stunt[i].cg[2]);
    most = fmax(most, r->stunt[i].energy);
  }
  return vd_metric_known(most - r->mass * VD_GRAVITY * lowest);
}

static void add_energy(const vd_recorder *r, vd_result good, vd_metrics *out) {
  bool fine = vd_metric_good(&good);
  double worst = 0.0;
  for (size_t i = 0; fine && i < r->count; i++)
    worst = fmax(worst, fabs(r->stunt[i].ledger));
  vd_metric_add(out, "energy_rise_max_J", "J", fine ? vd_metric_known(greatest_rise(r)) : good,
                "greatest rise of the total energy from one step to any later one; none in a coast");
  vd_metric_add(out, "ledger_share", "1", fine ? vd_metric_divide(vd_metric_known(worst), energy_at_stake(r)) : good,
                "largest |energy - energy at start - work| over the greatest total energy, that of height counted from "
                "the lowest place of the centre of the whole mass");
  for (size_t i = 0; i < VD_COUNT(budget); i++)
    vd_metric_add(out, budget[i].name, "J", change(r, good, budget[i].channel), budget[i].definition);
}

/* ---- loop ---- */

/* The angle about the loop's middle, counted on beyond half a turn. */
typedef struct lap {
  const vd_recorder *r;
  double *angle; /* rad, one per row; where there is none, the last one before it */
  vd_result good;
} lap;

static void unwrap(lap *l) {
  const vd_recorder *r = l->r;
  double at = NAN;
  for (size_t i = 0; i < r->count; i++) {
    double raw = r->stunt[i].loop_angle;
    if (!isnan(raw))
      at = isnan(at) ? raw : at + remainder(raw - at, 2.0 * VD_PI);
    l->angle[i] = at;
  }
  if (isnan(at))
    l->good = vd_metric_refused("there is no loop");
}

/* An instant between two rows. */
typedef struct instant {
  size_t row;  /* the one behind */
  double part; /* of the step before it that has gone */
  vd_result good;
} instant;

/* The first instant from a row on at which the angle reaches a value from below; also that row itself. */
static instant reaches(const lap *l, size_t from, double level, const char *what) {
  instant out = {.good = l->good};
  if (!vd_metric_good(&l->good))
    return out;
  for (size_t i = from > 0 ? from : 1; i < l->r->count; i++)
    if (l->angle[i - 1] < level && l->angle[i] >= level) {
      out.row = i;
      out.part = (level - l->angle[i - 1]) / (l->angle[i] - l->angle[i - 1]);
      return out;
    }
  double most = -INFINITY;
  for (size_t i = 0; i < l->r->count; i++)
    most = fmax(most, l->angle[i]);
  out.good = vd_metric_refused("%s is not reached: the loop angle goes to %.4g rad", what, most);
  return out;
}

static instant enters(const lap *l) {
  if (vd_metric_good(&l->good) && l->angle[0] >= 0.0 && l->angle[0] <= round_short)
    return (instant){.row = 1, .part = 0.0, .good = l->good};
  return reaches(l, 0, 0.0, "the bottom");
}

static vd_result speed_at(const lap *l, const instant *i) {
  if (!vd_metric_good(&i->good))
    return i->good;
  double before = length(l->r->stunt[i->row - 1].cg_speed), after = length(l->r->stunt[i->row].cg_speed);
  return vd_metric_known(before + i->part * (after - before));
}

/* With the last bit missing, but upright: a car that has fallen from the loop onto its roof has not got round. */
static vd_result completed(const lap *l) {
  instant end = reaches(l, 0, 2.0 * VD_PI - round_short, "the end");
  if (!vd_metric_good(&l->good) || !vd_metric_good(&end.good))
    return vd_metric_good(&l->good) ? vd_metric_known(0.0) : l->good;
  const vd_stunt_sample *s = &l->r->stunt[end.row];
  return vd_metric_known(cos(s->roll) * cos(s->pitch) > 0.0 ? 1.0 : 0.0);
}

static vd_result greatest_angle(const lap *l) {
  double most = -INFINITY;
  if (!vd_metric_good(&l->good))
    return l->good;
  for (size_t i = 0; i < l->r->count; i++)
    most = fmax(most, l->angle[i]);
  return vd_metric_known(most);
}

/* The least sum of loads in the upper half of the loop, and where. */
static void least_load(const lap *l, vd_result *load, vd_result *where) {
  instant up = reaches(l, 0, 0.5 * VD_PI, "the side at 90 deg");
  instant down = vd_metric_good(&up.good) ? reaches(l, up.row, 1.5 * VD_PI, "the side at 270 deg") : up;
  if (!vd_metric_good(&down.good)) {
    *load = *where = down.good;
    return;
  }
  size_t at = up.row;
  for (size_t i = up.row; i < down.row; i++)
    if (sum_load(&l->r->stunt[i]) < sum_load(&l->r->stunt[at]))
      at = i;
  *load = vd_metric_known(sum_load(&l->r->stunt[at]));
  *where = vd_metric_known(l->angle[at]);
}

static vd_result least_wheel_at(const lap *l, const instant *i) {
  double least = INFINITY;
  if (!vd_metric_good(&i->good))
    return i->good;
  for (int k = 0; k < VD_WHEELS; k++) {
    double before = l->r->stunt[i->row - 1].load[k], after = l->r->stunt[i->row].load[k];
    least = fmin(least, before + i->part * (after - before));
  }
  return vd_metric_known(least);
}

/* What is true of the apex on the mean, from 5 degrees before to 5 degrees behind it. */
typedef struct apex {
  vd_result radius;  /* m, of the path of the centre of the whole mass */
  vd_result load;    /* N, mean over time of the sum of loads */
  vd_result balance; /* N, what the circle asks for: m (v^2/radius - g) */
} apex;

static double turned(const double *a, const double *b) {
  double cross[] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  return atan2(length(cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* The radius is the length of an arc over the angle by which the velocity turns on it. Estimates of a curvature differ in how they
 * weigh it over the arc, x = -1..1 of its half length s, and so in what they leave of a ripple d cos(k x s) of the path, whose
 * curvature is d k^2 of its own:
 *   v^2/|a_n| at the apex           one point             all of it, at whatever phase the apex has
 *   a circle through the places     15/16 (1 - x^2)^2     15 j2(ks)/(ks)^2, with j2 the spherical Bessel function
 *   the turn of the velocity        1/2                   sin(ks)/(ks)
 * The circle is the smoothest, but takes the curvature from errors of places over s^2/(2 radius), 36 mm in a loop of 10 m; the
 * turn takes it from errors of a direction over 2 s. And by the law of momentum the plain mean is the one that belongs to the
 * plain mean of the loads: what a wheel hop adds to both drops out of their comparison. */
static apex study_apex(const lap *l) {
  const vd_recorder *r = l->r;
  instant in = reaches(l, 0, VD_PI - apex_half, "5 deg before the apex");
  instant end = vd_metric_good(&in.good) ? reaches(l, in.row, VD_PI + apex_half, "5 deg behind the apex") : in;
  if (!vd_metric_good(&end.good))
    return (apex){end.good, end.good, end.good};
  size_t a = in.row, b = end.row - 1;
  double arc = 0.0, load = 0.0, square = 0.0, time = r->sample[b].t - r->sample[a].t;
  for (size_t i = a; i < b; i++) {
    const vd_stunt_sample *from = &r->stunt[i], *to = &r->stunt[i + 1];
    double step[3], dt = r->sample[i + 1].t - r->sample[i].t, v0 = length(from->cg_speed), v1 = length(to->cg_speed);
    for (int k = 0; k < 3; k++)
      step[k] = to->cg[k] - from->cg[k];
    arc += length(step);
    load += 0.5 * dt * (sum_load(from) + sum_load(to));
    square += 0.5 * dt * (v0 * v0 + v1 * v1);
  }
  if (b < a + 2)
    return (apex){vd_metric_refused("too few steps about the apex"), vd_metric_refused("too few steps about the apex"),
                  vd_metric_refused("too few steps about the apex")};
  apex out = {.load = vd_metric_known(load / time)};
  out.radius =
      vd_metric_divide(vd_metric_known(arc), vd_metric_known(turned(r->stunt[a].cg_speed, r->stunt[b].cg_speed)));
  out.balance = !vd_metric_good(&out.radius) ? out.radius
                : r->mass > 0.0 ? vd_metric_known(r->mass * (square / time / out.radius.value - VD_GRAVITY))
                                : vd_metric_refused("the mass is not known");
  return out;
}

static void add_loop(const vd_recorder *r, vd_result good, vd_metrics *out) {
  lap l = {.r = r, .good = good};
  l.angle = vd_reallocate(NULL, r->count + 1, sizeof *l.angle);
  if (vd_metric_good(&good))
    unwrap(&l);
  instant bottom = enters(&l), top = reaches(&l, 0, VD_PI, "the apex");
  vd_result load, where;
  least_load(&l, &load, &where);
  apex a = study_apex(&l);
  vd_metric_add(out, "loop_angle_max_rad", "rad", greatest_angle(&l),
                "greatest angle about the middle of the loop, from its bottom, counted on beyond half a turn");
  vd_metric_add(out, "loop_completed", "1", completed(&l),
                "1: the loop angle reaches a whole turn less 0.01 rad, with the wheels below the body; else 0");
  vd_metric_add(out, "loop_entry_speed_mps", "m/s", speed_at(&l, &bottom),
                "speed of the centre of the whole mass at the bottom, loop angle 0");
  vd_metric_add(out, "loop_apex_speed_mps", "m/s", speed_at(&l, &top), "the same at the apex, loop angle 180 deg");
  vd_metric_add(out, "loop_least_load_N", "N", load,
                "least sum of the wheel loads between loop angles of 90 and 270 deg");
  vd_metric_add(out, "loop_least_load_angle_rad", "rad", where, "loop angle at which that is");
  vd_metric_add(out, "loop_apex_least_wheel_load_N", "N", least_wheel_at(&l, &top), "least wheel load at the apex");
  vd_metric_add(
      out, "loop_apex_radius_m", "m", a.radius,
      "radius of the path of the centre of the whole mass, from 5 deg before to 5 deg behind the apex: length "
      "over the angle by which its velocity turns");
  vd_metric_add(out, "loop_apex_load_N", "N", a.load, "mean over time of the sum of the wheel loads there");
  vd_metric_add(out, "loop_apex_balance_N", "N", a.balance,
                "what that circle asks for: mass x (mean of speed^2/radius - g)");
  free(l.angle);
}

void vd_metrics_stunt(const vd_recorder *r, vd_metrics *out) {
  vd_result good = usable(r);
  flights a = {.r = r};
  if (vd_metric_good(&good))
    a = find_flights(r);
  vd_result flown = vd_metric_good(&good) && a.count == 0
                        ? vd_metric_refused("there is no flight: never two steps in a row without any wheel load")
                        : good;
  vd_metric_add(out, "flights", "1", vd_metric_good(&good) ? vd_metric_known((double)a.count) : good,
                "number of flights: two or more steps in a row at which no wheel carries load");
  add_flight(&a, flown, out);
  add_landing(&a, flown, out);
  vd_metric_add(out, "settle_drift_m", "m", vd_metric_good(&good) ? settle_drift(r) : good,
                "greatest |height of the centre of the whole mass less that at the end| over the last second");
  add_loop(r, good, out);
  add_energy(r, good, out);
}
