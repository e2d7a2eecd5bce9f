/* A drive cycle: deviation of the speed from its command, and energy per kilometre in each part of the car.
 *
 * Tolerance of UN GTR 15, annex 6, 2.6.8.3: at any instant the speed is at most 2 km/h above the highest and at most 2
 * km/h below the lowest of the speeds commanded within 1 s before and after. It may leave this band for at most 1 s at
 * a time. In 40 CFR 1066.425 the limit is 2 mph instead. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double band_speed = 2.0 / 3.6, band_time = 1.0; /* m/s, s */
static const double watt_hours_per_km = 1.0 / 3.6;           /* W h/km in a J/m */

typedef struct following {
  double outside, longest; /* s: outside: time outside the band; longest: longest time without a return to the band */
  double deviation;        /* m/s, greatest deviation */
  double commanded;        /* m, integral of the command */
} following;

/* Finds the highest and the lowest command within band_time of a sample. */
static void band(const vd_recorder *r, size_t i, double *low, double *high) {
  const double t = r->sample[i].t, reach = band_time * (1.0 + 1e-9);
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t k = i + 1; k-- > 0 && t - r->sample[k].t <= reach;) {
    *low = vd_min(*low, r->cycle[k].target);
    *high = vd_max(*high, r->cycle[k].target);
  }
  for (size_t k = i + 1; k < r->count && r->sample[k].t - t <= reach; k++) {
    *low = vd_min(*low, r->cycle[k].target);
    *high = vd_max(*high, r->cycle[k].target);
  }
}

/* Measures how the speed follows the command. An interval between two samples counts as outside if its end is
 * outside. */
static following follow(const vd_recorder *r) {
  following f = {0};
  double lasting = 0.0;
  for (size_t i = 0; i < r->count; i++) {
    const double vx = r->sample[i].vx, target = r->cycle[i].target,
                 span = i ? r->sample[i].t - r->sample[i - 1].t : 0.0;
    double low, high;
    band(r, i, &low, &high);
    lasting = vx >= low - band_speed && vx <= high + band_speed ? 0.0 : lasting + span;
    f.outside += lasting > 0.0 ? span : 0.0;
    f.longest = vd_max(f.longest, lasting);
    f.deviation = vd_max(f.deviation, fabs(vx - target));
    f.commanded += i ? 0.5 * span * (target + r->cycle[i - 1].target) : 0.0;
  }
  return f;
}

static double change(const vd_recorder *r, int state) {
  return r->last_row.state.x[state] - r->first_row.state.x[state];
}

static const vd_metric_info cycle[] = {
    {"cycle_outside_s", "s",
     "time in which vx is more than 2 km/h above or below all speeds commanded up to 1 s before and after; tolerance "
     "of UN GTR 15"},
    {"cycle_longest_outside_s", "s", "longest uninterrupted time outside this tolerance; UN GTR 15 allows 1 s"},
    {"cycle_speed_deviation_mps", "m/s", "largest |vx - commanded speed|"},
    {"cycle_distance_deviation_m", "m", "distance minus the integral of the commanded speed"},
    {"cycle_drive_Wh_per_km", "W h/km", "work of motor or engine on the drivetrain, per distance"},
    {"cycle_brake_Wh_per_km", "W h/km", "heat of the friction brakes, per distance"},
    {"cycle_road_load_Wh_per_km", "W h/km", "work against air and rolling resistance, per distance"},
    {"cycle_slip_Wh_per_km", "W h/km", "heat of tyre slip, per distance; 0 at L0"},
    {"cycle_battery_Wh_per_km", "W h/km", "energy that left the battery, including its own heat, per distance"},
    {"cycle_recuperated_Wh_per_km", "W h/km",
     "work that electric motors absorbed by braking, at their shafts, per distance"},
    {"cycle_motors_Wh_per_km", "W h/km", "losses of electric motors, per distance"},
    {"cycle_inverters_Wh_per_km", "W h/km", "losses of the inverters, per distance"},
    {"cycle_battery_heat_Wh_per_km", "W h/km", "heat of the battery, per distance"},
    {"cycle_auxiliaries_Wh_per_km", "W h/km", "energy of the auxiliaries, per distance"},
    {"cycle_range_m", "m", "range of a full battery at the consumption of this run"},
};

static void compute_battery(const vd_recorder *r, vd_result way, double distance, vd_metrics *out) {
  const struct {
    const char *name;
    int state;
    double sign;
  } part[] = {{"cycle_recuperated_Wh_per_km", VD_S_RECUPERATED, 1.0},
              {"cycle_motors_Wh_per_km", VD_S_WORK_MOTORS, -1.0},
              {"cycle_inverters_Wh_per_km", VD_S_WORK_INVERTERS, -1.0},
              {"cycle_battery_heat_Wh_per_km", VD_S_WORK_BATTERY, -1.0},
              {"cycle_auxiliaries_Wh_per_km", VD_S_WORK_AUXILIARIES, -1.0}};
  const vd_battery *b = r->model ? &r->model->vehicle.battery : NULL;
  const bool given = b && b->given;
  if (vd_metric_good(&way) && !given)
    way = vd_metric_refused("the car has no battery");
  const double used = given ? vd_battery_energy(b, r->first_row.state.x[VD_S_CHARGE]) -
                                  vd_battery_energy(b, r->last_row.state.x[VD_S_CHARGE])
                            : 0.0;
  const double full = given ? vd_battery_energy(b, 1.0) : 0.0, per_km = watt_hours_per_km / distance;
  vd_set_metric(out, "cycle_battery_Wh_per_km", vd_metric_of(way, used * per_km));
  for (size_t i = 0; i < VD_COUNT(part); i++)
    vd_set_metric(out, part[i].name, vd_metric_of(way, part[i].sign * change(r, part[i].state) * per_km));
  vd_set_metric(out, "cycle_range_m",
                vd_metric_good(&way) && !(used > 0.0) ? vd_metric_refused("the battery lost no energy")
                                                      : vd_metric_of(way, full / used * distance));
}

static void compute_cycle(const vd_recorder *r, vd_metrics *out) {
  vd_result good = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_DISTANCE);
  if (vd_metric_good(&good) && !r->cycle)
    good = vd_metric_refused("no commanded speeds were kept");
  const following f = vd_metric_good(&good) ? follow(r) : (following){0};
  const double distance = vd_recorder_last(r)->distance - r->first.distance;
  vd_result way = vd_metric_good(&good) && !(distance > 0.0) ? vd_metric_refused("the car does not move") : good;
  const double per_km = watt_hours_per_km / distance;
  vd_set_metric(out, "cycle_outside_s", vd_metric_of(good, f.outside));
  vd_set_metric(out, "cycle_longest_outside_s", vd_metric_of(good, f.longest));
  vd_set_metric(out, "cycle_speed_deviation_mps", vd_metric_of(good, f.deviation));
  vd_set_metric(out, "cycle_distance_deviation_m", vd_metric_of(good, distance - f.commanded));
  vd_set_metric(out, "cycle_drive_Wh_per_km", vd_metric_of(way, change(r, VD_S_WORK_DRIVE) * per_km));
  vd_set_metric(out, "cycle_brake_Wh_per_km", vd_metric_of(way, -change(r, VD_S_WORK_BRAKE) * per_km));
  vd_set_metric(out, "cycle_road_load_Wh_per_km",
                vd_metric_of(way, -(change(r, VD_S_WORK_AERO) + change(r, VD_S_WORK_ROLLING)) * per_km));
  vd_set_metric(out, "cycle_slip_Wh_per_km", vd_metric_of(way, -change(r, VD_S_WORK_TYRE) * per_km));
  compute_battery(r, way, distance, out);
}

const vd_metric_set vd_metrics_cycle = {
    VD_METRIC_SET(cycle, cycle, compute_cycle),
    .title = "a drive cycle: deviation of the speed, energy per kilometre in each part of the car",
    .standard = "UN GTR 15", .needs = VD_NEEDS_CYCLE};
