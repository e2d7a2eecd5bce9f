/* Metrics of stunts: flights, landings, loops, and the balance of energy. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"
#include "math/lu.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

static const double landing_span = 0.5; /* s, time after a landing in which the peaks of the loads are searched */
static const double settle_span = 1.0;  /* s, time at the end of the run for the metric settle_drift_m */
static const double slow = 1.0;         /* m/s; at lower speeds a drift relative to the speed is not meaningful */

static const vd_metric_info metrics[] = {
    {"flights", "1", "number of flights: two or more steps in a row at which no wheel carries load"},
    {"airtime_total_s", "s", "total time of all flights"},
    {"airtime_longest_s", "s",
     "time of the longest flight, from half a step before its first row to half a step after its last"},
    {"takeoff_speed_mps", "m/s", "speed of the centre of the whole mass at the first row of the longest flight"},
    {"takeoff_pitch_rad", "rad",
     "pitch of the body relative to the horizon at the first row of the longest flight, nose down > 0"},
    {"apex_rise_m", "m",
     "greatest height of the centre of the whole mass in the longest flight above its height at take-off"},
    {"apex_z_m", "m", "greatest world z of the centre of the whole mass in the longest flight"},
    {"flight_range_m", "m",
     "horizontal distance of the centre of the whole mass from the start to the end of the longest flight"},
    {"flight_gravity_mps2", "m/s2",
     "downward acceleration of the centre of the whole mass: least-squares parabola over the middle 60 % of the "
     "longest flight"},
    {"flight_speed_drift_mps", "m/s",
     "horizontal speed of the centre of the whole mass at the last row of the longest flight minus the speed at the "
     "first row"},
    {"flight_speed_drift", "1",
     "change of the horizontal speed in the longest flight, divided by the speed at the first row"},
    {"landing_peak_load_N", "N", "greatest sum of the wheel loads within 0.5 s after the longest flight"},
    {"landing_peak_load_weights", "1",
     "greatest sum of the wheel loads within 0.5 s after the longest flight, divided by the weight"},
    {"landing_peak_wheel_load_N", "N", "greatest load of one wheel within 0.5 s after the longest flight"},
    {"landing_peak_wheel_load_weights", "1",
     "greatest load of one wheel within 0.5 s after the longest flight, divided by the weight"},
    {"landing_pitch_rad", "rad",
     "pitch of the body relative to the horizon at the last row of the longest flight, nose down > 0"},
    {"landing_roll_rad", "rad", "roll of the body at the last row of the longest flight, left side up > 0"},
    {"landing_vertical_speed_mps", "m/s",
     "vertical speed of the centre of the whole mass at the last row of the longest flight, up > 0"},
    {"settle_drift_m", "m",
     "greatest |height of the centre of the whole mass minus height at the end| over the last second"},
    {"loop_angle_max_rad", "rad",
     "greatest angle about the middle of the loop, from its bottom, continuous beyond half a turn"},
    {"loop_completed", "1",
     "1: the loop angle reaches a whole turn minus 0.01 rad, with the wheels below the body; otherwise 0"},
    {"loop_entry_speed_mps", "m/s", "speed of the centre of the whole mass at the bottom, loop angle 0"},
    {"loop_apex_speed_mps", "m/s", "speed of the centre of the whole mass at the apex, loop angle 180 deg"},
    {"loop_least_load_N", "N", "least sum of the wheel loads between loop angles of 90 and 270 deg"},
    {"loop_least_load_angle_rad", "rad", "loop angle of the least sum of the wheel loads"},
    {"loop_apex_least_wheel_load_N", "N", "least wheel load at the apex"},
    {"loop_apex_radius_m", "m",
     "radius of the path of the centre of the whole mass, from 5 deg before to 5 deg after the apex: length divided by "
     "the angle by which the velocity turns"},
    {"loop_apex_load_N", "N", "mean over time of the sum of the wheel loads from 5 deg before to 5 deg after the apex"},
    {"loop_apex_balance_N", "N",
     "sum of the wheel loads that the path requires from 5 deg before to 5 deg after the "
     "apex: mass x (mean of speed^2/radius - g)"},
    {"energy_rise_max_J", "J",
     "greatest rise of the total energy from one step to any later one; 0 for a coasting "
     "car"},
    {"ledger_share", "1",
     "largest |energy - energy at start - work| divided by the greatest total energy, with height above the lowest "
     "position of the centre of the whole mass"},
    {"energy_change_J", "J", "total energy at the end minus total energy at the start"},
    {"energy_kinetic_change_J", "J",
     "kinetic energy of the car without the spins of wheels and motors, at the end minus at the start"},
    {"energy_spin_change_J", "J", "kinetic energy of the spins of wheels and motors, at the end minus at the start"},
    {"energy_gravity_change_J", "J", "potential energy of the weight at the end minus its value at the start"},
    {"energy_spring_change_J", "J",
     "energy of springs, stops and anti-roll bars at the end minus its value at the start"},
    {"energy_tyre_change_J", "J", "energy of the deflections of the tyres at the end minus its value at the start"},
    {"energy_link_change_J", "J",
     "energy of the links across the wheels' paths at the end minus its value at the start"},
    {"work_drive_total_J", "J", "work of motor or engine on the drivetrain over the run"},
    {"work_brake_total_J", "J", "work of the brakes over the run"},
    {"work_tyre_total_J", "J", "work of tyre slip over the run"},
    {"work_tyre_damper_total_J", "J", "work of the tyres' standstill damper over the run"},
    {"work_clutch_total_J", "J", "work of the slipping clutch over the run"},
    {"work_gears_total_J", "J", "work of the losses of the gears over the run"},
    {"work_differentials_total_J", "J", "work of slipping differentials over the run"},
    {"work_suspension_total_J", "J", "work of the suspension's dampers over the run"},
    {"work_tyre_vertical_total_J", "J", "work of the tyres' vertical damping over the run"},
    {"work_link_total_J", "J", "work of the damping of the links across the wheels' paths over the run"},
    {"work_steering_total_J", "J", "work of the steering over the run"},
    {"work_outside_total_J", "J",
     "work of posts, of forces from outside, of forces that enforce a prescribed motion, and of the couple that "
     "run.lean: false adds, over the run"},
    {"work_aero_total_J", "J", "work of the air forces over the run"},
    {"work_rolling_total_J", "J", "work of rolling resistance over the run"},
};

static vd_result finite_sample(const vd_recorder *r, size_t i) {
  const vd_stunt_sample *s = &r->stunt[i];
  double probe = s->roll + s->pitch + s->energy + s->ledger + vd_stunt_load(s);
  for (int k = 0; k < 3; k++)
    probe += s->cg[k] + s->cg_speed[k];
  return isfinite(probe) ? vd_metric_known(0.0)
                         : vd_metric_refused("not a finite number at t = %.9g s", r->sample[i].t);
}

/* Returns the reason why there are no metrics of flights; empty if there are metrics. */
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

/* A flight: at least two rows without any wheel load. */
typedef struct flight {
  size_t first, last;
  double begin, end; /* s, half a step before the first and after the last row */
  bool lands;
} flight;

/* Finds the next flight from a row on; false if there is none. */
static bool next_flight(const vd_recorder *r, size_t from, flight *f) {
  for (size_t i = from; i < r->count; i++) {
    size_t end = i;
    while (end < r->count && !(vd_stunt_load(&r->stunt[end]) > 0.0))
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
  double airtime; /* s, sum of all flights */
  flight longest; /* the first of flights of equal length */
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

/* Computes the position of the centre of all masses at the beginning or the end of a flight, half a step before the
 * first or after the last row of the flight. */
static void place_at_edge(const vd_recorder *r, size_t row, double t, double *place) {
  double dt = t - r->sample[row].t;
  for (int k = 0; k < 3; k++)
    place[k] = r->stunt[row].cg[k] + dt * r->stunt[row].cg_speed[k];
}

static double range_of(const vd_recorder *r, const flight *f) {
  double from[3], to[3];
  place_at_edge(r, f->first, f->begin, from);
  place_at_edge(r, f->last, f->end, to);
  return vd_hypot(to[0] - from[0], to[1] - from[1]);
}

static double highest_in(const vd_recorder *r, const flight *f) {
  double z = -INFINITY;
  for (size_t i = f->first; i <= f->last; i++)
    z = vd_max(z, r->stunt[i].cg[2]);
  return z;
}

/* Computes the downward acceleration by least squares: z = c0 + c1 u + c2 u^2 over the middle 60 % of the flight, where
 * u = (t - middle)/(half of this time) goes from -1 to 1, so that the normal equations are well conditioned. */
static vd_result fitted_gravity(const vd_recorder *r, const flight *f) {
  enum { LEAST = 5 };
  size_t all = f->last - f->first + 1, skip = (size_t)lround(0.2 * (double)all);
  size_t first = f->first + skip, count = all - 2 * skip;
  if (count < LEAST)
    return vd_metric_refused("the middle of the flight has only %zu steps", count);
  double middle = 0.5 * (r->sample[first].t + r->sample[first + count - 1].t), half = middle - r->sample[first].t;
  double normal[3 * 3] = {0.0}, c[3] = {0.0};
  size_t order[3];
  for (size_t i = 0; i < count; i++) {
    double u = (r->sample[first + i].t - middle) / half, power[3] = {1.0, u, u * u};
    for (size_t j = 0; j < 3; j++) {
      c[j] += power[j] * (r->stunt[first + i].cg[2] - r->stunt[first].cg[2]);
      for (size_t k = 0; k < 3; k++)
        normal[3 * j + k] += power[j] * power[k];
    }
  }
  vd_lu_factorise(normal, 3, order);
  vd_lu_solve(normal, order, 3, c);
  return vd_metric_known(-2.0 * c[2] / (half * half));
}

static double horizontal_speed(const vd_stunt_sample *s) {
  return vd_hypot(s->cg_speed[0], s->cg_speed[1]);
}

static void set_flight(const flights *a, vd_result flown, vd_metrics *out) {
  const vd_recorder *r = a->r;
  const flight *f = &a->longest;
  bool good = vd_metric_good(&flown);
  const vd_stunt_sample none = {.roll = 0.0}, *off = good ? &r->stunt[f->first] : &none,
                        *last = good ? &r->stunt[f->last] : &none;
  double top = good ? highest_in(r, f) : 0.0, start = horizontal_speed(off);
  double drift = horizontal_speed(last) - start;
  vd_set_metric(out, "airtime_total_s", vd_metric_of(flown, a->airtime));
  vd_set_metric(out, "airtime_longest_s", vd_metric_of(flown, f->end - f->begin));
  vd_set_metric(out, "takeoff_speed_mps", vd_metric_of(flown, vd_stunt_length(off->cg_speed)));
  vd_set_metric(out, "takeoff_pitch_rad", vd_metric_of(flown, off->pitch));
  vd_set_metric(out, "apex_rise_m", vd_metric_of(flown, top - off->cg[2]));
  vd_set_metric(out, "apex_z_m", vd_metric_of(flown, top));
  vd_set_metric(out, "flight_range_m", good ? vd_metric_known(range_of(r, f)) : flown);
  vd_set_metric(out, "flight_gravity_mps2", good ? fitted_gravity(r, f) : flown);
  vd_set_metric(out, "flight_speed_drift_mps", vd_metric_of(flown, drift));
  vd_set_metric(out, "flight_speed_drift",
                !good || start > slow ? vd_metric_of(flown, drift / start)
                                      : vd_metric_refused("the horizontal speed at take-off is only %.3g m/s", start));
}

/* ---- landing ---- */

static void landing_peaks(const vd_recorder *r, const flight *f, double *all, double *wheel) {
  size_t first = f->last + 1;
  *all = *wheel = 0.0;
  for (size_t i = first; i < r->count && r->sample[i].t <= r->sample[first].t + landing_span; i++) {
    *all = vd_max(*all, vd_stunt_load(&r->stunt[i]));
    for (int k = 0; k < VD_WHEELS; k++)
      *wheel = vd_max(*wheel, r->stunt[i].load[k]);
  }
}

static void set_landing(const flights *a, vd_result flown, vd_metrics *out) {
  const vd_recorder *r = a->r;
  const flight *f = &a->longest;
  vd_result landed = vd_metric_good(&flown) && !f->lands ? vd_metric_refused("the run ends in the air") : flown;
  vd_result weight = r->mass > 0.0 ? vd_metric_known(r->mass * VD_GRAVITY) : vd_metric_refused("the mass is not known");
  bool good = vd_metric_good(&landed);
  const vd_stunt_sample none = {.roll = 0.0}, *last = good ? &r->stunt[f->last] : &none;
  double all = 0.0, wheel = 0.0;
  if (good)
    landing_peaks(r, f, &all, &wheel);
  vd_result peak = vd_metric_of(landed, all), peak_wheel = vd_metric_of(landed, wheel);
  vd_set_metric(out, "landing_peak_load_N", peak);
  vd_set_metric(out, "landing_peak_load_weights", vd_metric_divide(peak, weight));
  vd_set_metric(out, "landing_peak_wheel_load_N", peak_wheel);
  vd_set_metric(out, "landing_peak_wheel_load_weights", vd_metric_divide(peak_wheel, weight));
  vd_set_metric(out, "landing_pitch_rad", vd_metric_of(landed, last->pitch));
  vd_set_metric(out, "landing_roll_rad", vd_metric_of(landed, last->roll));
  vd_set_metric(out, "landing_vertical_speed_mps", good ? vd_metric_known(last->cg_speed[2]) : landed);
}

static vd_result settle_drift(const vd_recorder *r) {
  double end = vd_recorder_last(r)->t, from = end - settle_span * (1.0 + 1e-9), drift = 0.0;
  if (!(from >= r->first.t - 2e-9 * settle_span))
    return vd_metric_refused("the run of %.4g s is shorter than %g s", end - r->first.t, settle_span);
  for (size_t i = r->count; i > 0 && r->sample[i - 1].t >= from; i--)
    drift = vd_max(drift, fabs(r->stunt[i - 1].cg[2] - r->stunt[r->count - 1].cg[2]));
  return vd_metric_known(drift);
}

/* ---- energy ---- */

/* Returns the change of the energy or work of a channel over the run, J. The metric is named like its channel, with
 * `_change` or `_total` before the unit. */
static vd_result change(const vd_recorder *r, vd_result good, const char *metric, const char *ending) {
  size_t count, length = (size_t)(ending - metric);
  const vd_channel *table = vd_channel_table(&count), *end = table + count;
  while (table < end && !(strncmp(table->name, metric, length) == 0 && strcmp(table->name + length, "_J") == 0))
    table++;
  if (!vd_metric_good(&good))
    return good;
  if (table == end || !(table->levels & VD_WHEN(r->level)))
    return vd_metric_refused("this level has no %.*s_J", (int)length, metric);
  return vd_metric_known(vd_channel_value(table, &r->last_row) - vd_channel_value(table, &r->first_row));
}

/* Returns the greatest E(t2) - E(t1) with t1 < t2, J: the greatest difference from the least energy so far. */
static double greatest_rise(const vd_recorder *r) {
  double least = r->stunt[0].energy, rise = 0.0;
  for (size_t i = 1; i < r->count; i++) {
    rise = vd_max(rise, r->stunt[i].energy - least);
    least = vd_min(least, r->stunt[i].energy);
  }
  return rise;
}

/* Returns the energy with which the ledger residual is compared, J. Potential energy is counted from the lowest
 * position of the run, so that the result does not depend on the origin of the world. */
static vd_result energy_at_stake(const vd_recorder *r) {
  double lowest = INFINITY, most = -INFINITY;
  if (!(r->mass > 0.0))
    return vd_metric_refused("the mass is not known");
  for (size_t i = 0; i < r->count; i++) {
    lowest = vd_min(lowest, r->stunt[i].cg[2]);
    most = vd_max(most, r->stunt[i].energy);
  }
  return vd_metric_known(most - r->mass * VD_GRAVITY * lowest);
}

static void set_energy(const vd_recorder *r, vd_result good, vd_metrics *out) {
  bool fine = vd_metric_good(&good);
  double worst = 0.0;
  for (size_t i = 0; fine && i < r->count; i++)
    worst = vd_max(worst, fabs(r->stunt[i].ledger));
  vd_set_metric(out, "energy_rise_max_J", fine ? vd_metric_known(greatest_rise(r)) : good);
  vd_set_metric(out, "ledger_share", fine ? vd_metric_divide(vd_metric_known(worst), energy_at_stake(r)) : good);
  for (size_t i = 0; i < VD_COUNT(metrics); i++) {
    const char *name = metrics[i].name, *of_energy = strstr(name, "_change_J"), *of_work = strstr(name, "_total_J");
    if (of_energy || of_work)
      vd_set_metric(out, name, change(r, good, name, of_energy ? of_energy : of_work));
  }
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_result good = usable(r);
  flights a = {.r = r};
  if (vd_metric_good(&good))
    a = find_flights(r);
  vd_result flown = vd_metric_good(&good) && a.count == 0
                        ? vd_metric_refused("there is no flight: never two steps in a row without any wheel load")
                        : good;
  vd_set_metric(out, "flights", vd_metric_of(good, (double)a.count));
  set_flight(&a, flown, out);
  set_landing(&a, flown, out);
  vd_set_metric(out, "settle_drift_m", vd_metric_good(&good) ? settle_drift(r) : good);
  vd_stunt_set_loop(r, good, out);
  set_energy(r, good, out);
}

const vd_metric_set vd_metrics_stunt = {VD_METRIC_SET(stunt, metrics, compute),
                                        .title = "flights, landings, loops, and the balance of energy",
                                        .needs = VD_NEEDS_STUNT, .view = VD_VIEW_BRIEF};
