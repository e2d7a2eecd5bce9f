#include "run/limits_run.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(index) ((index) * sizeof(double)), 0
#define OF_WHEEL(wheel, name, words, quantity, suffix, unit, help, first)                                              \
  {quantity name suffix, unit, help words, AT(first + wheel)},

/* clang-format off */
static const vd_channel envelope_columns[] = {
  {"speed_mps", "m/s", "speed along the path", AT(0)},
  {"normal_mps2", "m/s2", "acceleration with which the road carries the car", AT(1)},
  {"direction_deg", "deg", "direction of the acceleration: 0 drives, 90 turns left, 180 brakes", AT(2)},
  {"along_mps2", "m/s2", "acceleration along the path", AT(3)},
  {"across_mps2", "m/s2", "acceleration across the path, to the left", AT(4)},
  {"ax_mps2", "m/s2", "acceleration along the body", AT(5)},
  {"ay_mps2", "m/s2", "acceleration to the left of the body", AT(6)},
  {"centre_mps2", "m/s2", "acceleration along the path from which directions are counted: 0, or the acceleration of "
   "coasting if the drive cannot hold the speed", AT(7)},
  {"side_slip_rad", "rad", "slip angle of the body", AT(8)},
  {"steer_rad", "rad", "mean angle of the road wheels", AT(9)},
  {"throttle", "1", "throttle pedal", AT(10)},
  {"brake", "1", "brake pedal", AT(11)},
  {"gear", "1", "gear of the engine; 0: a motor", AT(12)},
  {"limit", "1", "what limits the acceleration: 0 front tyres, 1 rear tyres, 2 power, 3 brake pedal, 4 bound of the "
   "side slip, 5 bound of the steer, 6 the last state that was found", AT(13)},
  VD_EACH_WHEEL(OF_WHEEL, "fz_", "_N", "N", "wheel load, ", 14)
  VD_EACH_WHEEL(OF_WHEEL, "used_", "", "1", "force in the road plane divided by the load, ", 18)
  {"aero_front", "1", "front share of the downforce", AT(22)},
  {"aero_weight", "1", "downforce over the weight", AT(23)},
  {"lifted", "1", "1: a wheel carries no load", AT(24)},
  {"error_mps2", "m/s2", "greatest deviation of a rate of the model from its value in a steady state", AT(25)},
};

static const vd_channel diagram_columns[] = {
  {"speed_mps", "m/s", "speed along the path", AT(0)},
  {"side_slip_rad", "rad", "slip angle of the body", AT(1)},
  {"steer_rad", "rad", "mean angle of the road wheels", AT(2)},
  {"ay_mps2", "m/s2", "acceleration to the left of the body", AT(3)},
  {"cn", "1", "yaw moment divided by weight times wheelbase, to the left", AT(4)},
  {"ax_mps2", "m/s2", "acceleration along the body", AT(5)},
  {"pedal", "1", "throttle > 0, brake < 0", AT(6)},
  VD_EACH_WHEEL(OF_WHEEL, "fz_", "_N", "N", "wheel load, ", 7)
  VD_EACH_WHEEL(OF_WHEEL, "alpha_", "_rad", "rad", "slip angle of the tyre, ", 11)
  {"lifted", "1", "1: a wheel carries no load", AT(15)},
  {"error_mps2", "m/s2", "greatest deviation of a rate of the model from its value in a steady state", AT(16)},
};

static const vd_channel lap_columns[] = {
  {"s_m", "m", "distance along the line", AT(0)},
  {"t_s", "s", "time", AT(1)},
  {"speed_mps", "m/s", "speed", AT(2)},
  {"along_mps2", "m/s2", "acceleration along the line", AT(3)},
  {"across_mps2", "m/s2", "lateral force of the tyres divided by the mass, to the left", AT(4)},
  {"normal_mps2", "m/s2", "force of the road divided by the mass, without downforce", AT(5)},
  {"curvature_1pm", "1/m", "curvature of the line, left > 0", AT(6)},
  {"corner_mps", "m/s", "greatest speed at this place, regardless of other places", AT(7)},
  {"hold", "1", "what limits the speed: 0 corner, 1 drive, 2 a brake zone, 3 speed limit", AT(8)},
  {"gear", "1", "gear of the engine; 0: a motor or no car", AT(9)},
  {"x_m", "m", "x of this place of the line; a path can read these rows as waypoints with speeds", AT(10)},
  {"y_m", "m", "y of this place", AT(11)},
  {"left_m", "m", "distance from the line to the left edge of the track; nan: the edges are not known", AT(12)},
  {"right_m", "m", "distance from the line to the right edge of the track", AT(13)},
};
/* clang-format on */

const vd_channel *vd_envelope_columns(size_t *count) {
  *count = VD_COUNT(envelope_columns);
  return envelope_columns;
}

const vd_channel *vd_diagram_columns(size_t *count) {
  *count = VD_COUNT(diagram_columns);
  return diagram_columns;
}

const vd_channel *vd_lap_columns(size_t *count) {
  *count = VD_COUNT(lap_columns);
  return lap_columns;
}

/* --- writing --- */

typedef struct sink {
  const vd_run_options *options;
  vd_output *log;
  vd_run_report *report;
} sink;

static void begin(const sink *s, const vd_channel *column, size_t count) {
  if (s->log)
    vd_log_header(s->log, column, count);
}

static void put(const sink *s, double *row, size_t count) {
  for (size_t i = 0; i < count; i++)
    row[i] += 0.0; /* avoids negative zeros */
  if (s->options->values)
    s->options->values(s->options->row_context, row);
  if (s->log) {
    vd_output_row(s->log, row, count, s->options->digits);
    s->report->rows++;
  }
}

static void fail(const sink *s, const char *why) {
  s->report->status = VD_SIM_BAD_STATE;
  snprintf(s->report->failure, sizeof s->report->failure, "%s", why);
}

/* --- models --- */

/* Builds the model. At L1 and L2 the normal force of the road, without downforce, is the mass times `normal'; from L3
 * on, `upward' of the envelope's plan has this effect. */
static void build_model(const vd_limits_def *def, double normal, vd_model *m) {
  vd_scenario_model(def->scenario, false, m);
  vd_model_options options = m->options;
  options.transient = false;
  options.no_pitch = def->kind == VD_SCENARIO_MOMENT_DIAGRAM && !def->pitch_transfer;
  if (options.level < VD_L3)
    m->ground.weight = normal;
  vd_scenario_steady_model(&options, m);
}

static vd_envelope_plan plan_of(const vd_limits_def *def, double normal) {
  const vd_limits_car *car = &def->car;
  return (vd_envelope_plan){.directions = car->directions,
                            .bounds = {car->most_slip, car->most_steer, car->power, false},
                            .gear = car->gear == 0 ? VD_GEAR_AUTOMATIC : car->gear,
                            .body_axes = car->axes == 1,
                            .upward = normal - VD_GRAVITY};
}

/* --- envelope --- */

static void put_point(const sink *s, double normal, const vd_limit_point *p) {
  double row[VD_COUNT(envelope_columns)] = {p->speed, normal,      p->direction * (180.0 / VD_PI),
                                            p->along, p->across,   p->ahead,
                                            p->left,  p->centre,   p->side_slip,
                                            p->steer, p->throttle, p->brake,
                                            p->gear,  p->limit};
  for (int i = 0; i < VD_WHEELS; i++) {
    row[14 + i] = p->load[i];
    row[18 + i] = p->used[i];
  }
  row[22] = p->aero_front;
  row[23] = p->aero_weight;
  row[24] = p->lifted;
  row[25] = p->error;
  put(s, row, VD_COUNT(row));
}

static const vd_metric_info envelope_metrics[] = {
    {"at_mps", "m/s", "speed of the metrics below, at the first value of 'normal'"},
    {"ay_max_mps2", "m/s2", "greatest lateral acceleration at constant speed, to the left"},
    {"ay_max_right_mps2", "m/s2", "greatest lateral acceleration at constant speed, to the right, > 0"},
    {"ay_limit", "1",
     "what limits ay_max, as in the column 'limit'; 0 front tyres: understeer, 1 rear tyres: "
     "oversteer"},
    {"ay_side_slip_rad", "rad", "slip angle of the body at ay_max, to the left"},
    {"ay_steer_rad", "rad", "mean angle of the road wheels at ay_max, to the left"},
    {"ax_max_mps2", "m/s2", "greatest acceleration straight ahead"},
    {"ax_limit", "1", "what limits ax_max, as in the column 'limit'"},
    {"brake_max_mps2", "m/s2", "greatest deceleration straight ahead"},
    {"brake_limit", "1", "what limits brake_max, as in the column 'limit'"},
    {"combined_max_mps2", "m/s2", "greatest acceleration in any direction"},
    {"aero_front", "1", "front share of the downforce at the greatest lateral acceleration"},
    {"aero_weight", "1", "downforce over the weight at the greatest lateral acceleration"},
    {"ay_best_mps2", "m/s2", "greatest lateral acceleration at constant speed, over all speeds"},
    {"ay_best_speed_mps", "m/s", "speed of ay_best"},
    {"grip_to_power_mps", "m/s", "lowest speed at which power limits the acceleration straight ahead"},
    {"top_speed_mps", "m/s", "speed at which the acceleration straight ahead falls to 0, linear between the speeds"},
    {"lifted_states", "1", "number of states in which a wheel carries no load"},
    {"lost_states", "1", "number of directions in which no end was found"},
    {"worst_error_mps2", "m/s2", "greatest deviation of a rate of the model from its value in a steady state"},
};

const vd_metric_set vd_envelope_metrics = {
    .key = "envelope", .title = "every envelope", VD_METRIC_ROWS(envelope_metrics)};

/* Computes the metrics of all points, which are ordered by normal acceleration, speed and direction. */
static void measure_envelope(const vd_limits_def *def, const vd_limit_point *point, vd_metrics *m) {
  size_t n = (size_t)def->car.directions, speeds = (size_t)vd_rig_axis_count(&def->car.speeds), at = 0;
  size_t all = n * speeds * (size_t)vd_rig_axis_count(&def->car.normal);
  const char *none = "there is no steady state at this speed";
  double best = NAN, best_speed = NAN, meets = NAN, top = NAN, combined = NAN, error = 0.0;
  double lifted = 0.0, lost = 0.0;
  m->count = 0;
  vd_metrics_add_rows(&vd_envelope_metrics, m);
  for (size_t k = 0; k < speeds; k++) {
    const vd_limit_point *p = point + k * n;
    at = p->speed == def->at ? k : at;
    if (!isnan(p[n / 4].along) && !(p[n / 4].across <= best)) {
      best = p[n / 4].across;
      best_speed = p->speed;
    }
    if (isnan(meets) && p->limit == VD_LIMIT_POWER)
      meets = p->speed;
    if (k > 0 && isnan(top) && p->along <= 0.0 && p[-(ptrdiff_t)n].along > 0.0)
      top = p->speed - p->along * (p->speed - p[-(ptrdiff_t)n].speed) / (p->along - p[-(ptrdiff_t)n].along);
  }
  const vd_limit_point *p = point + at * n, *turn = &p[n / 4], *brake = &p[n / 2];
  for (size_t i = 0; i < n; i++)
    if (!(vd_hypot(p[i].along, p[i].across) <= combined))
      combined = vd_hypot(p[i].along, p[i].across);
  for (size_t i = 0; i < all; i++) {
    lifted += point[i].lifted;
    lost += point[i].limit == VD_LIMIT_LOST;
    error = point[i].error > error ? point[i].error : error;
  }
  bool known = !isnan(turn->along);
  vd_metrics_set(m, "at_mps", def->at, "");
  vd_metrics_set(m, "ay_max_mps2", known ? turn->across : NAN, none);
  vd_metrics_set(m, "ay_max_right_mps2", known ? -p[3 * n / 4].across : NAN, none);
  vd_metrics_set(m, "ay_limit", known ? (double)turn->limit : NAN, none);
  vd_metrics_set(m, "ay_side_slip_rad", known ? turn->side_slip : NAN, none);
  vd_metrics_set(m, "ay_steer_rad", known ? turn->steer : NAN, none);
  vd_metrics_set(m, "ax_max_mps2", p->along, none);
  vd_metrics_set(m, "ax_limit", known ? (double)p->limit : NAN, none);
  vd_metrics_set(m, "brake_max_mps2", -brake->along, none);
  vd_metrics_set(m, "brake_limit", known ? (double)brake->limit : NAN, none);
  vd_metrics_set(m, "combined_max_mps2", combined, none);
  vd_metrics_set(m, "aero_front", known ? turn->aero_front : NAN, known ? "the car has no downforce" : none);
  vd_metrics_set(m, "aero_weight", known ? turn->aero_weight : NAN, none);
  vd_metrics_set(m, "ay_best_mps2", best, none);
  vd_metrics_set(m, "ay_best_speed_mps", best_speed, none);
  vd_metrics_set(m, "grip_to_power_mps", meets, "power limits the acceleration at none of the speeds");
  vd_metrics_set(m, "top_speed_mps", top, "it is not between the speeds");
  vd_metrics_set(m, "lifted_states", lifted, "");
  vd_metrics_set(m, "lost_states", lost, "");
  vd_metrics_set(m, "worst_error_mps2", error, "");
}

/* Progress over several roads, of which `done' are finished. */
typedef struct share_told {
  const vd_run_options *options;
  int done, normals;
} share_told;

static void tell_share(void *context, double share) {
  const share_told *t = context;
  t->options->progress(t->options->progress_context, (t->done + share) / t->normals);
}

/* Finds all points of the car, ordered as the rows of the log: by normal acceleration, speed and direction. The caller
 * frees the memory. */
static vd_limit_point *find_points(const vd_limits_def *def, const sink *s) {
  const vd_limits_car *car = &def->car;
  size_t n = (size_t)car->directions;
  int speeds = vd_rig_axis_count(&car->speeds), normals = vd_rig_axis_count(&car->normal);
  double *speed = vd_allocate((size_t)speeds, sizeof *speed);
  for (int i = 0; i < speeds; i++)
    speed[i] = vd_rig_axis_value(&car->speeds, i);
  vd_limit_point *point = vd_allocate(n * (size_t)speeds * (size_t)normals, sizeof *point);
  vd_model *m = vd_allocate(1, sizeof *m);
  for (int k = 0; k < normals; k++) {
    double normal = vd_rig_axis_value(&car->normal, k);
    vd_envelope_plan plan = plan_of(def, normal);
    share_told whole = {s->options, k, normals};
    plan.progress = s->options->progress ? tell_share : NULL;
    plan.context = &whole;
    build_model(def, normal, m);
    s->report->parts += vd_envelope_find(m, &plan, speed, speeds, point + (size_t)(k * speeds) * n);
  }
  free(speed);
  free(m);
  return point;
}

static void run_envelope(const vd_limits_def *def, const sink *s, vd_metrics *metrics) {
  size_t n = (size_t)def->car.directions, speeds = (size_t)vd_rig_axis_count(&def->car.speeds);
  vd_limit_point *point = find_points(def, s);
  begin(s, envelope_columns, VD_COUNT(envelope_columns));
  for (size_t k = 0; k < speeds * (size_t)vd_rig_axis_count(&def->car.normal); k++)
    for (size_t i = 0; i < n; i++)
      put_point(s, vd_rig_axis_value(&def->car.normal, (int)(k / speeds)), &point[k * n + i]);
  if (metrics)
    measure_envelope(def, point, metrics);
  free(point);
}

/* --- moment diagram --- */

static const vd_metric_info diagram_metrics[] = {
    {"stability_1prad", "1/rad", "stability: dCn/d(side slip) at constant steer, straight ahead; > 0: stable"},
    {"control_1prad", "1/rad", "control: dCn/d(steer) at constant side slip, straight ahead"},
    {"ay_by_slip_mps2prad", "m/s2/rad", "d(ay)/d(side slip) at constant steer, straight ahead"},
    {"ay_by_steer_mps2prad", "m/s2/rad", "d(ay)/d(steer) at constant side slip, straight ahead"},
    {"stability_index", "1",
     "dCn/d(ay/g) at constant steer, straight ahead: minus the static margin in wheelbases; < 0: stable"},
    {"agility_index", "1", "dCn/d(ay/g) at constant side slip, straight ahead"},
    {"trim_ay_max_mps2", "m/s2",
     "greatest acceleration across the path without yaw moment, to the left, of all states: also with a spinning "
     "wheel"},
    {"trim_limit", "1",
     "what limits trim_ay_max: 0 front tyres, 1 rear tyres, 4 bound of the side slip, 5 bound of "
     "the steer, 6 the last state that was found"},
    {"trim_side_slip_rad", "rad", "slip angle of the body at trim_ay_max"},
    {"trim_steer_rad", "rad", "mean angle of the road wheels at trim_ay_max"},
    {"trim_stability_1prad", "1/rad", "stability at trim_ay_max"},
    {"trim_control_1prad", "1/rad", "control at trim_ay_max"},
    {"steered_ay_max_mps2", "m/s2",
     "acceleration without yaw moment that a slowly growing steer reaches from straight ahead: beyond it the car runs "
     "wide or spins; at most trim_ay_max"},
    {"steered_limit", "1", "what limits steered_ay_max, as in trim_limit"},
    {"steered_side_slip_rad", "rad", "slip angle of the body at steered_ay_max"},
    {"steered_steer_rad", "rad", "mean angle of the road wheels at steered_ay_max"},
    {"ay_max_mps2", "m/s2", "greatest lateral acceleration of the diagram's points, to the left"},
    {"balance_cn", "1", "Cn at ay_max: > 0 the car turns in and spins, < 0 it runs wide"},
    {"cn_max", "1", "greatest Cn of the diagram's points"},
    {"cn_min", "1", "least Cn of the diagram's points"},
    {"points_missing", "1", "points without a steady state"},
    {"worst_error_mps2", "m/s2", "greatest deviation of a rate of the model from its value in a steady state"},
};

const vd_metric_set vd_diagram_metrics = {
    .key = "moment_diagram", .title = "every moment diagram", VD_METRIC_ROWS(diagram_metrics)};

static vd_diagram_plan diagram_plan(const vd_limits_def *def, const vd_model *m) {
  double turn = !def->turns ? 0.0 : isnan(def->radius) ? NAN : def->speed / def->radius;
  int gear = def->car.gear == 0 ? vd_envelope_gear(m, def->speed) : def->car.gear;
  return (vd_diagram_plan){.speed = def->speed,
                           .hold = (enum vd_diagram_hold)def->hold,
                           .acceleration = def->acceleration,
                           .turn_rate = turn,
                           .bounds = {def->car.most_slip, def->car.most_steer, def->car.power, false},
                           .gear = m->vehicle.drivetrain.engine ? gear : 1};
}

static void put_diagram(const sink *s, double speed, const vd_diagram_point *p) {
  double row[VD_COUNT(diagram_columns)] = {speed, p->side_slip, p->steer, p->ay, p->cn, p->ax, p->pedal};
  for (int i = 0; i < VD_WHEELS; i++) {
    row[7 + i] = p->load[i];
    row[11 + i] = p->alpha[i];
  }
  row[15] = p->lifted;
  row[16] = p->error;
  for (size_t i = 3; i < VD_COUNT(row) && !p->found; i++)
    row[i] = NAN;
  put(s, row, VD_COUNT(row));
}

/* Computes the metrics of the straight line and of the limits without yaw moment. */
static void measure_diagram(vd_diagram *d, vd_metrics *m) {
  static const char none[] = "there is no such steady state";
  vd_diagram_point p;
  vd_diagram_slopes k = {NAN, NAN, NAN, NAN}, at = {NAN, NAN, NAN, NAN};
  d->known = false;
  if (vd_diagram_at(d, 0.0, 0.0, &p))
    vd_diagram_slopes_at(d, &p, &k);
  vd_metrics_set(m, "stability_1prad", k.cn_slip, none);
  vd_metrics_set(m, "control_1prad", k.cn_steer, none);
  vd_metrics_set(m, "ay_by_slip_mps2prad", k.ay_slip, none);
  vd_metrics_set(m, "ay_by_steer_mps2prad", k.ay_steer, none);
  vd_metrics_set(m, "stability_index", k.cn_slip / k.ay_slip * VD_GRAVITY, none);
  vd_metrics_set(m, "agility_index", k.cn_steer / k.ay_steer * VD_GRAVITY, none);
  enum vd_limit limit = vd_diagram_trimmed_limit(d, &p);
  if (p.found && vd_diagram_at(d, p.side_slip, p.steer, &(vd_diagram_point){.found = false}))
    vd_diagram_slopes_at(d, &p, &at);
  vd_metrics_set(m, "trim_ay_max_mps2", p.found ? p.across : NAN, none);
  vd_metrics_set(m, "trim_limit", p.found ? (double)limit : NAN, none);
  vd_metrics_set(m, "trim_side_slip_rad", p.found ? p.side_slip : NAN, none);
  vd_metrics_set(m, "trim_steer_rad", p.found ? p.steer : NAN, none);
  vd_metrics_set(m, "trim_stability_1prad", at.cn_slip, none);
  vd_metrics_set(m, "trim_control_1prad", at.cn_steer, none);
  limit = vd_diagram_steered_limit(d, &p);
  vd_metrics_set(m, "steered_ay_max_mps2", p.found ? p.across : NAN, none);
  vd_metrics_set(m, "steered_limit", p.found ? (double)limit : NAN, none);
  vd_metrics_set(m, "steered_side_slip_rad", p.found ? p.side_slip : NAN, none);
  vd_metrics_set(m, "steered_steer_rad", p.found ? p.steer : NAN, none);
}

static void run_diagram(const vd_limits_def *def, const sink *s, vd_metrics *metrics) {
  vd_model *m = vd_allocate(1, sizeof *m);
  vd_diagram *d = vd_allocate(1, sizeof *d);
  int slips = vd_rig_axis_count(&def->slip), steers = vd_rig_axis_count(&def->steer);
  double ay = NAN, balance = NAN, most = NAN, least = NAN, error = 0.0, missing = 0.0;
  vd_diagram_point p;
  build_model(def, VD_GRAVITY, m);
  const vd_diagram_plan plan = diagram_plan(def, m);
  if (!vd_diagram_start(m, &plan, d))
    fail(s, "there is no steady state straight ahead at this speed");
  begin(s, diagram_columns, VD_COUNT(diagram_columns));
  for (int j = 0; j < steers && s->report->status == VD_SIM_OK; j++)
    for (int k = 0; k < slips; k++) {
      /* forwards and backwards in turn, so that each point starts from a neighbour */
      int i = j % 2 == 0 ? k : slips - 1 - k;
      bool found = vd_diagram_at(d, vd_rig_axis_value(&def->slip, i), vd_rig_axis_value(&def->steer, j), &p);
      put_diagram(s, def->speed, &p);
      missing += !found;
      if (!found)
        continue;
      if (!(p.ay <= ay)) {
        ay = p.ay;
        balance = p.cn;
      }
      most = !(p.cn <= most) ? p.cn : most;
      least = !(p.cn >= least) ? p.cn : least;
      error = p.error > error ? p.error : error;
    }
  s->report->parts = d->trim.evaluations;
  if (metrics) {
    metrics->count = 0;
    vd_metrics_add_rows(&vd_diagram_metrics, metrics);
    measure_diagram(d, metrics);
    vd_metrics_set(metrics, "ay_max_mps2", ay, "no point was found");
    vd_metrics_set(metrics, "balance_cn", balance, "no point was found");
    vd_metrics_set(metrics, "cn_max", most, "no point was found");
    vd_metrics_set(metrics, "cn_min", least, "no point was found");
    vd_metrics_set(metrics, "points_missing", missing, "");
    vd_metrics_set(metrics, "worst_error_mps2", error, "");
  }
  free(d);
  free(m);
}

/* --- lap --- */

enum { SECTORS = 3 };

static const vd_metric_info lap_metrics[] = {
    {"lap_time_s", "s", "time along the whole line"},
    {"sector_1_s", "s", "time of the first third of the length"},
    {"sector_2_s", "s", "time of the second third"},
    {"sector_3_s", "s", "time of the last third"},
    {"length_m", "m", "length of the line"},
    {"speed_max_mps", "m/s", "greatest speed"},
    {"speed_max_s_m", "m", "its distance along the line"},
    {"speed_min_mps", "m/s", "least speed"},
    {"speed_min_s_m", "m", "its distance along the line"},
    {"speed_mean_mps", "m/s", "length over time"},
    {"across_max_mps2", "m/s2", "greatest lateral force over the mass, to either side"},
    {"drive_max_mps2", "m/s2", "greatest acceleration along the line"},
    {"brake_max_mps2", "m/s2", "greatest deceleration along the line"},
    {"corner_share", "1", "share of the time at the greatest speed of the place"},
    {"drive_share", "1", "share of the time on full drive"},
    {"brake_share", "1", "share of the time in brake zones"},
    {"drive_work_Jpkg", "J/kg", "work of the tyres that drive, divided by the mass"},
    {"brake_work_Jpkg", "J/kg", "work of the tyres that brake, divided by the mass"},
    {"edge_least_m", "m", "least distance of the car's sides from the edges of the track"},
    {"line_gain_s", "s", "time that the racing line saves in comparison with the path itself"},
};

const vd_metric_set vd_lap_metrics = {.key = "lap", .title = "every lap", VD_METRIC_ROWS(lap_metrics)};

/* Builds the table of the car's envelope; the caller frees the memory. */
static void *table_of_car(const vd_limits_def *def, const sink *s, vd_gg *gg) {
  const vd_limits_car *car = &def->car;
  size_t n = (size_t)car->directions;
  gg->speeds = (size_t)vd_rig_axis_count(&car->speeds);
  gg->normals = (size_t)vd_rig_axis_count(&car->normal);
  vd_limit_point *point = find_points(def, s);
  size_t sections = gg->speeds * gg->normals, lists = gg->speeds + gg->normals;
  char *memory = vd_allocate(sections * sizeof *gg->section + lists * sizeof(double), 1);
  gg->section = (vd_gg_section *)(void *)memory;
  double *list = (double *)(void *)(memory + sections * sizeof *gg->section);
  for (size_t k = 0; k < gg->speeds; k++)
    list[k] = vd_rig_axis_value(&car->speeds, (int)k);
  for (size_t k = 0; k < gg->normals; k++)
    list[gg->speeds + k] = vd_rig_axis_value(&car->normal, (int)k);
  gg->speed = list;
  gg->normal = list + gg->speeds;
  for (size_t k = 0; k < sections; k++) {
    if (!vd_envelope_section(&point[k * n], n, &gg->section[k]))
      fail(s, "the car has no steady state at one of the speeds of its envelope");
  }
  if (s->report->status == VD_SIM_OK)
    vd_gg_complete(gg);
  free(point);
  return memory;
}

static double third(const vd_lap_line *line, const vd_lap_row *row, int k) {
  double from = line->place[0].s, length = line->place[line->places - 1].s - from, at = from + length * k / SECTORS;
  if (k == SECTORS)
    return row[line->places - 1].t;
  for (size_t i = 1; i < line->places; i++)
    if (line->place[i].s >= at && line->place[i].s > line->place[i - 1].s) {
      double u = (at - line->place[i - 1].s) / (line->place[i].s - line->place[i - 1].s);
      return row[i - 1].t + u * (row[i].t - row[i - 1].t);
    }
  return 0.0;
}

static void measure_lap(const vd_lap_line *line, const vd_lap_row *row, double drag, vd_metrics *m) {
  size_t n = line->places, fast = 0, slow = 0;
  double across = 0.0, drive = 0.0, brake = 0.0, share[4] = {0.0}, work[2] = {0.0, 0.0};
  double time = row[n - 1].t, length = line->place[n - 1].s - line->place[0].s;
  m->count = 0;
  vd_metrics_add_rows(&vd_lap_metrics, m);
  for (size_t i = 0; i < n; i++) {
    fast = row[i].speed > row[fast].speed ? i : fast;
    slow = row[i].speed < row[slow].speed ? i : slow;
    across = vd_max(across, fabs(row[i].across));
    drive = vd_max(drive, row[i].along);
    brake = vd_max(brake, -row[i].along);
    if (i + 1 == n)
      continue;
    double ds = line->place[i + 1].s - line->place[i].s;
    double force = row[i].along + drag * row[i].speed * row[i].speed + VD_GRAVITY * vd_sin(line->place[i].slope);
    share[row[i].hold] += (row[i + 1].t - row[i].t) / time;
    work[force < 0.0] += fabs(force) * ds;
  }
  for (int k = 1; k <= SECTORS; k++) {
    char name[16];
    snprintf(name, sizeof name, "sector_%d_s", k);
    vd_metrics_set(m, name, third(line, row, k) - (k > 1 ? third(line, row, k - 1) : 0.0), "");
  }
  vd_metrics_set(m, "lap_time_s", time, "");
  vd_metrics_set(m, "length_m", length, "");
  vd_metrics_set(m, "speed_max_mps", row[fast].speed, "");
  vd_metrics_set(m, "speed_max_s_m", line->place[fast].s, "");
  vd_metrics_set(m, "speed_min_mps", row[slow].speed, "");
  vd_metrics_set(m, "speed_min_s_m", line->place[slow].s, "");
  vd_metrics_set(m, "speed_mean_mps", length / time, "");
  vd_metrics_set(m, "across_max_mps2", across, "");
  vd_metrics_set(m, "drive_max_mps2", drive, "");
  vd_metrics_set(m, "brake_max_mps2", brake, "");
  vd_metrics_set(m, "corner_share", share[VD_LAP_CORNER], "");
  vd_metrics_set(m, "drive_share", share[VD_LAP_DRIVE], "");
  vd_metrics_set(m, "brake_share", share[VD_LAP_BRAKE], "");
  bool known = !isnan(drag);
  vd_metrics_set(m, "drive_work_Jpkg", known ? work[0] : NAN, "the envelope of a file does not contain the drag");
  vd_metrics_set(m, "brake_work_Jpkg", known ? work[1] : NAN, "the envelope of a file does not contain the drag");
}

static void explain(const vd_lap_line *line, const vd_gg *gg, const vd_lap_plan *plan, enum vd_lap_trouble trouble,
                    size_t where, const sink *s) {
  static const char *const words[] = {
      [VD_LAP_FINE] = "",
      [VD_LAP_NO_SPEED] = "no speed is possible: bank or slope exceed the grip",
      [VD_LAP_TOO_FAST] = "the start is faster than the greatest speed of its place, or than the brakes allow",
      [VD_LAP_STOPS] = "the car comes to rest: drag, slope or the turn need more than the drive can give"};
  char text[240];
  double most = trouble == VD_LAP_TOO_FAST ? vd_lap_fastest_start(gg, plan, line->place, line->places) : NAN;
  int length = snprintf(text, sizeof text, "%s, at s = %g m", words[trouble], line->place[where].s);
  if (!isnan(most))
    snprintf(text + length, sizeof text - (size_t)length, ": %.5g m/s, of at most %.5g m/s", plan->start, most);
  fail(s, text);
}

static void put_lap(const vd_limits_def *def, const vd_lap_line *line, const sink *s, const vd_model *m,
                    const vd_lap_row *row) {
  begin(s, lap_columns, VD_COUNT(lap_columns));
  for (size_t i = 0; i < line->places; i++) {
    double all[VD_COUNT(lap_columns)] = {line->place[i].s,
                                         row[i].t,
                                         row[i].speed,
                                         row[i].along,
                                         row[i].across,
                                         row[i].normal,
                                         line->place[i].curvature,
                                         row[i].corner,
                                         row[i].hold,
                                         m ? (def->car.gear ? def->car.gear : vd_envelope_gear(m, row[i].speed)) : 0,
                                         line->place[i].x,
                                         line->place[i].y,
                                         line->room ? line->room[i][0] : NAN,
                                         line->room ? line->room[i][1] : NAN};
    put(s, all, VD_COUNT(all));
  }
}

/* Computes metrics that compare a racing line with the track. */
static void measure_line(const vd_limits_def *def, const vd_lap_line *line, double saved, vd_metrics *m) {
  double least = NAN;
  for (size_t i = 0; i < line->places && line->room; i++) {
    double room = vd_min(line->room[i][0], line->room[i][1]) - 0.5 * def->racing.car_width;
    least = !(room >= least) ? room : least;
  }
  vd_metrics_set(m, "edge_least_m", least, "the edges of the track are not known");
  vd_metrics_set(m, "line_gain_s", saved, "the path itself cannot be driven");
}

/* Runs a lap along the path itself. Returns its time, s; NAN: it cannot be driven. */
static double time_of_path(const vd_limits_def *def, const vd_gg *gg, const vd_lap_plan *plan) {
  vd_lap_row *row = vd_allocate(def->places, sizeof *row);
  size_t where;
  bool good = vd_lap_run(gg, plan, def->place, def->places, row, &where) == VD_LAP_FINE;
  double time = good ? row[def->places - 1].t : NAN;
  free(row);
  return time;
}

/* Finds the line, runs the lap along it, and writes. drag: drag force divided by mass and speed squared, 1/m; NAN: not
 * known. */
static void run_line(const vd_limits_def *def, const sink *s, const vd_gg *gg, const vd_model *m, double drag,
                     vd_metrics *metrics) {
  const vd_lap_plan plan = {def->closed, def->start, def->drive, def->brake, def->corner, {0.0, 0.0, 0.0}};
  vd_arena *arena = vd_arena_create();
  vd_lap_line line;
  size_t where;
  if (!vd_racing_line(def, gg, &plan, arena, &line)) {
    fail(s, "no racing line was found: the line of least curvature cannot be driven");
    vd_arena_destroy(arena);
    return;
  }
  vd_lap_row *row = vd_arena_alloc(arena, line.places * sizeof *row);
  enum vd_lap_trouble trouble = vd_lap_run(gg, &plan, line.place, line.places, row, &where);
  if (trouble == VD_LAP_FINE) {
    put_lap(def, &line, s, m, row);
    s->report->end_time = row[line.places - 1].t;
  } else {
    explain(&line, gg, &plan, trouble, where, s);
  }
  if (trouble == VD_LAP_FINE && metrics) {
    measure_lap(&line, row, drag, metrics);
    measure_line(def, &line, time_of_path(def, gg, &plan) - row[line.places - 1].t, metrics);
  }
  vd_arena_destroy(arena);
}

static void run_lap(const vd_limits_def *def, const sink *s, vd_metrics *metrics) {
  vd_gg gg = def->by == VD_LAP_BY_FILE ? def->from_file : (vd_gg){.is_mass = true, .mass = def->mass};
  double drag = def->by == VD_LAP_BY_FILE ? NAN : def->mass.drag / def->mass.mass;
  vd_model *m = NULL;
  void *table = NULL;
  if (isnan(gg.mass.power))
    gg.mass.power = INFINITY;
  if (def->by == VD_LAP_BY_CAR) {
    m = vd_allocate(1, sizeof *m);
    build_model(def, VD_GRAVITY, m);
    drag = m->air.drag / m->vehicle.mass;
    gg = (vd_gg){.is_mass = false};
    table = table_of_car(def, s, &gg);
  }
  if (s->report->status == VD_SIM_OK)
    run_line(def, s, &gg, m, drag, metrics);
  free(table);
  free(m);
}

void vd_limits_run(const vd_limits_def *def, const vd_run_options *options, vd_output *log, vd_metrics *metrics,
                   vd_run_report *report) {
  const sink s = {options, log, report};
  *report = (vd_run_report){.status = VD_SIM_OK};
  if (metrics)
    metrics->count = 0;
  if (def->kind == VD_SCENARIO_ENVELOPE)
    run_envelope(def, &s, metrics);
  else if (def->kind == VD_SCENARIO_MOMENT_DIAGRAM)
    run_diagram(def, &s, metrics);
  else
    run_lap(def, &s, metrics);
  report->reader_gone = log && vd_output_error(log) == EPIPE;
}
