#include "base/memory.h"
#include "metrics/metrics_impl.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const vd_metric_sets[] = {"run",
                                      "step_steer",
                                      "acceleration",
                                      "braking",
                                      "path",
                                      "ride",
                                      "handling",
                                      "modes",
                                      "stunt",
                                      "steady_circular",
                                      "sine_steer",
                                      "lane_change",
                                      "braking_in_turn",
                                      "power_off",
                                      "stopping",
                                      "split_friction",
                                      "slowly_increasing_steer",
                                      "sine_with_dwell",
                                      "on_centre",
                                      "rollover",
                                      "frequency_response",
                                      NULL};

static const double slow = 1.0; /* m/s, below it the side slip angle says nothing */
static const double least_overshoot = 1e-3;

/* ---- recorder ---- */

vd_metrics_car vd_metrics_car_of(const vd_model *m) {
  const vd_vehicle_def *v = &m->vehicle;
  return (vd_metrics_car){
      .wheelbase = v->wheelbase,
      .to_front = m->masses.to_axle[VD_FRONT],
      .width = v->width,
      .ahead = m->masses.to_axle[VD_FRONT] + v->overhang_front,
      .behind = m->masses.to_axle[VD_REAR] + v->overhang_rear,
      .track = {v->axle[VD_FRONT].track, v->axle[VD_REAR].track},
      .cg_height = v->cg_height,
      .path = m->options.path,
  };
}

void vd_recorder_init(vd_recorder *r, bool keep) {
  *r = (vd_recorder){.keep = keep, .least_load = INFINITY};
}

void vd_recorder_finish(vd_recorder *r) {
  bool keep_ride = r->keep_ride, keep_stunt = r->keep_stunt;
  free(r->sample);
  free(r->ride);
  free(r->stunt);
  vd_recorder_init(r, r->keep);
  r->keep_ride = keep_ride;
  r->keep_stunt = keep_stunt;
}

void vd_recorder_reserve(vd_recorder *r, size_t capacity) {
  if (capacity <= r->capacity)
    return;
  r->sample = vd_reallocate(r->sample, capacity, sizeof *r->sample);
  if (r->keep_ride)
    r->ride = vd_reallocate(r->ride, capacity, sizeof *r->ride);
  if (r->keep_stunt)
    r->stunt = vd_reallocate(r->stunt, capacity, sizeof *r->stunt);
  r->capacity = capacity;
}

static void keep_sample(vd_recorder *r, const vd_sample *sample, const vd_eval *e) {
  if (r->count == r->capacity)
    vd_recorder_reserve(r, r->capacity ? 2 * r->capacity : 4096);
  if (r->keep_ride) {
    vd_ride_sample *ride = &r->ride[r->count];
    ride->az = e->az;
    memcpy(ride->load, e->load, sizeof ride->load);
    memcpy(ride->travel, e->travel, sizeof ride->travel);
    memcpy(ride->deflection, e->deflection, sizeof ride->deflection);
  }
  if (r->keep_stunt) {
    vd_stunt_sample *stunt = &r->stunt[r->count];
    *stunt = (vd_stunt_sample){
        .roll = e->roll, .pitch = e->pitch, .loop_angle = e->loop_angle, .energy = e->energy, .ledger = e->ledger};
    memcpy(stunt->cg, e->cg, sizeof stunt->cg);
    memcpy(stunt->cg_speed, e->cg_speed, sizeof stunt->cg_speed);
    memcpy(stunt->load, e->load, sizeof stunt->load);
  }
  r->sample[r->count++] = *sample;
}

/* The largest magnitude; once NaN, always NaN. */
static void raise_peak(double *peak, double value) {
  if (!isnan(*peak) && !(fabs(value) <= *peak))
    *peak = fabs(value);
}

static void add_extremes(vd_recorder *r, const vd_eval *e, double step) {
  raise_peak(&r->peak_ay, e->ay);
  raise_peak(&r->peak_yaw_rate, e->yaw_rate);
  raise_peak(&r->peak_kinetic, e->energy_kinetic + e->energy_spin);
  raise_peak(&r->peak_ledger, e->ledger);
  if (!(hypot(e->vx, e->vy) < slow)) {
    r->moved = true;
    raise_peak(&r->peak_sideslip, e->sideslip);
  }
  if (r->level != VD_L0)
    for (int i = 0; i < VD_WHEELS; i++)
      if (!isnan(r->least_load) && !(e->load[i] >= r->least_load))
        r->least_load = e->load[i];
  if (r->level != VD_L0 && r->level <= VD_L2 && !(e->tipping <= 0.0))
    r->tipping_time += step;
}

void vd_recorder_add(vd_recorder *r, const vd_row *row, enum vd_level level, double step) {
  const vd_eval *e = &row->eval;
  vd_sample sample = {
      .t = row->t,
      .steer = e->steer,
      .steering_wheel = e->steering_wheel,
      .torque = e->steering_torque,
      .throttle = e->throttle,
      .brake = e->brake,
      .vx = e->vx,
      .vy = e->vy,
      .distance = row->state.x[VD_S_DISTANCE],
      .x = e->x,
      .y = e->y,
      .yaw = e->yaw,
      .ax = e->ax,
      .ay = e->ay,
      .yaw_rate = e->yaw_rate,
      .sideslip = e->sideslip,
      .roll = e->body_roll,
      .pitch = e->body_pitch,
      .roll_rate = e->roll_rate,
      .path_s = e->path_s,
      .path_error = e->path_error,
      .path_heading_error = e->path_heading_error,
  };
  r->level = level;
  r->path |= sample.path_s != 0.0 || sample.path_error != 0.0 || sample.path_heading_error != 0.0;
  if (r->rows++ == 0)
    r->first = sample;
  r->last = sample;
  add_extremes(r, e, step);
  if (r->keep && r->keep_stunt) {
    if (r->rows == 1)
      r->first_row = *row;
    r->last_row = *row;
  }
  if (r->keep)
    keep_sample(r, &sample, e);
}

/* ---- run ---- */

static vd_result extreme(const vd_recorder *r, double value) {
  if (r->rows == 0)
    return vd_metric_refused("the run has no steps");
  return isfinite(value) ? vd_metric_known(value) : vd_metric_refused("not a finite number at some step");
}

static void run_metrics(const vd_recorder *r, vd_metrics *out) {
  static const char no_loads[] = "this level has no wheel loads";
  static const char no_tipping[] = "this level does not tip over";
  static const char falls[] = "at this level the body itself rolls over, and the run ends";
  vd_result ledger = extreme(r, r->peak_ledger), kinetic = extreme(r, r->peak_kinetic);
  if (vd_metric_good(&kinetic) && kinetic.value == 0.0)
    kinetic = vd_metric_refused("the vehicle never moves");
  vd_metric_add(out, "duration_s", "s", extreme(r, r->last.t - r->first.t), "time from first to last step");
  vd_metric_add(out, "distance_m", "m", extreme(r, r->last.distance - r->first.distance),
                "path length of the centre of gravity from first to last step");
  vd_metric_add(out, "final_speed_mps", "m/s", extreme(r, r->last.vx), "vx at the last step");
  vd_metric_add(out, "peak_ay_mps2", "m/s2", extreme(r, r->peak_ay), "largest |ay| over all steps");
  vd_metric_add(out, "peak_yaw_rate_radps", "rad/s", extreme(r, r->peak_yaw_rate), "largest |yaw rate| over all steps");
  vd_metric_add(out, "peak_sideslip_rad", "rad",
                r->moved || r->rows == 0 ? extreme(r, r->peak_sideslip)
                                         : vd_metric_refused("the vehicle never reaches 1 m/s"),
                "largest |side slip angle| of the centre of gravity over all steps faster than 1 m/s");
  vd_metric_add(out, "ledger_residual", "1", vd_metric_divide(ledger, kinetic),
                "largest |energy - energy at start - work| over largest kinetic energy, body and wheels");
  vd_metric_add(out, "least_wheel_load_N", "N",
                r->rows && r->level == VD_L0 ? vd_metric_refused(no_loads) : extreme(r, r->least_load),
                "smallest load of any wheel over all steps");
  vd_metric_add(out, "tipping_time_s", "s",
                r->rows && (r->level == VD_L0 || r->level > VD_L2)
                    ? vd_metric_refused(r->level == VD_L0 ? no_tipping : falls)
                    : extreme(r, r->tipping_time),
                "time with more roll moment than the wheels can give");
}

/* ---- step steer ---- */

typedef struct step_study {
  const vd_recorder *r;
  double window;          /* s */
  vd_result wheel, angle; /* rad, steady: hand wheel, road wheels */
  vd_result t0, rise;     /* s */
  /* samples; valid with t0 */
  size_t index; /* first sample not before t0 */
  size_t onset; /* from here on responses are searched */
  size_t jump;  /* the hand wheel jumps just before this sample; 0: it does not */
} step_study;

/* The instant at which x, risen through the level, does so. What jumps together with the hand
 * wheel does so at the sample that shows it: rows at corners are taken from the future's side. */
static double crossing_time(const step_study *s, const vd_series *x, size_t i, double level) {
  double part = i == s->jump ? 1.0 : vd_metric_share(x, i, level);
  vd_series t = vd_series_of(s->r, VD_SERIES_TIME);
  return vd_metric_between(&t, i, part);
}

static void find_step(step_study *s) {
  vd_series x = vd_series_of(s->r, VD_SERIES_WHEEL);
  double steady = fabs(s->wheel.value), low = 0.1 * steady, half = 0.5 * steady, high = 0.9 * steady;
  x.sign = copysign(1.0, s->wheel.value);
  size_t i = vd_metric_rises_through(&x, 1, half);
  s->t0 = s->rise = vd_metric_refused("the hand wheel never rises through 50 %% of its steady value");
  if (i == 0)
    return;
  if (vd_metric_rises_through(&x, i + 1, half)) {
    s->t0 = s->rise =
        vd_metric_refused("no step: the hand wheel rises more than once through 50 %% of its steady value");
    return;
  }
  s->index = i;
  s->jump = vd_series_at(&x, i - 1) <= low && vd_series_at(&x, i) >= high ? i : 0;
  s->t0 = vd_metric_known(crossing_time(s, &x, i, half));
  for (s->onset = i - 1; s->onset > 0 && vd_series_at(&x, s->onset) > 0.01 * steady; s->onset--)
    ;
  size_t from = vd_metric_rises_through(&x, 1, low), to = vd_metric_rises_through(&x, 1, high);
  s->rise = from && to && from <= to
                ? vd_metric_known(crossing_time(s, &x, to, high) - crossing_time(s, &x, from, low))
                : vd_metric_refused("the hand wheel does not rise from 10 %% to 90 %% of its steady value");
}

static step_study study_step(const vd_recorder *r, double window) {
  step_study s = {.r = r, .window = window};
  s.angle = vd_metric_steady_value(r, VD_SERIES_STEER, window);
  s.wheel = vd_metric_usable_one(r, VD_SERIES_TIME);
  if (vd_metric_good(&s.wheel))
    s.wheel = vd_metric_steady_value(r, VD_SERIES_WHEEL, window);
  if (vd_metric_good(&s.wheel) && !(fabs(s.wheel.value) > vd_series_floor(VD_SERIES_WHEEL)))
    s.wheel = vd_metric_refused("no steer input: the hand wheel ends at zero");
  s.t0 = s.rise = s.wheel;
  if (vd_metric_good(&s.wheel))
    find_step(&s);
  return s;
}

static vd_result response_time(const step_study *s, const vd_series *x, double steady) {
  size_t i = vd_metric_rises_through(x, s->onset + 1, 0.9 * steady);
  return i ? vd_metric_known(crossing_time(s, x, i, 0.9 * steady) - s->t0.value)
           : vd_metric_refused("%s does not rise through 90 %% of its steady value after the step",
                               vd_series_name(x->channel));
}

/* Height of the first peak after t0 that exceeds the steady value; its time goes to *t. */
static vd_result first_peak(const step_study *s, const vd_series *x, double steady, double *t) {
  bool exceeds = false;
  for (size_t i = s->index; i < x->count; i++) {
    if (!(vd_series_at(x, i) > (1.0 + least_overshoot) * steady))
      continue;
    exceeds = true;
    size_t next = i + 1; /* after a flat top */
    while (next < x->count && vd_series_at(x, next) == vd_series_at(x, i))
      next++;
    if (vd_series_at(x, i - 1) < vd_series_at(x, i) && next < x->count && vd_series_at(x, next) < vd_series_at(x, i)) {
      double height;
      vd_metric_refine_peak(x, i, t, &height);
      return vd_metric_known(height);
    }
  }
  return exceeds ? vd_metric_refused("no peak: %s exceeds its steady value and does not turn back",
                                     vd_series_name(x->channel))
                 : vd_metric_refused("no overshoot: the response never exceeds its steady value");
}

typedef struct response {
  vd_result time, peak_time, overshoot;
} response;

static response study_response(const step_study *s, enum vd_series_channel channel, vd_result steady) {
  vd_series x = vd_series_of(s->r, channel);
  if (vd_metric_good(&steady) && !(fabs(steady.value) > vd_series_floor(channel)))
    steady = vd_metric_refused("%s has a steady value of zero", vd_series_name(channel));
  vd_result blocked = vd_metric_good(&s->t0) ? steady : s->t0;
  if (!vd_metric_good(&blocked))
    return (response){blocked, blocked, blocked};
  x.sign = copysign(1.0, steady.value);
  double size = fabs(steady.value), t = NAN;
  response out = {.time = response_time(s, &x, size)};
  vd_result peak = first_peak(s, &x, size, &t);
  out.peak_time = vd_metric_good(&peak) ? vd_metric_known(t - s->t0.value) : peak;
  out.overshoot = vd_metric_good(&peak) ? vd_metric_known((peak.value - size) / size) : peak;
  return out;
}

static vd_result speed_at_step(const step_study *s) {
  vd_series x = vd_series_of(s->r, VD_SERIES_VX), t = vd_series_of(s->r, VD_SERIES_TIME);
  vd_result checked = vd_metric_good(&s->t0) ? vd_metric_usable_one(s->r, VD_SERIES_VX) : s->t0;
  return vd_metric_good(&checked)
             ? vd_metric_known(vd_metric_between(&x, s->index, vd_metric_share(&t, s->index, s->t0.value)))
             : checked;
}

/* Peak response time x |side slip|, in the customary degree seconds. */
static vd_result tb_factor(vd_result peak_time, vd_result sideslip) {
  if (!vd_metric_good(&peak_time) || !vd_metric_good(&sideslip))
    return vd_metric_good(&peak_time) ? sideslip : peak_time;
  return vd_metric_known(peak_time.value * fabs(sideslip.value) * (180.0 / VD_PI));
}

static void add_step(const step_study *s, vd_metrics *out) {
  vd_result speed = speed_at_step(s), checked = vd_metric_usable_one(s->r, VD_SERIES_VX);
  vd_result end = vd_metric_good(&checked) ? vd_metric_known(s->r->last.vx) : checked;
  vd_metric_add(
      out, "step_time_s", "s", s->t0,
      "t0: the hand wheel crosses 50 % of its steady value; a jump counts at the step that shows it; after ISO 7401");
  vd_metric_add(out, "steering_rise_time_s", "s", s->rise,
                "time of the hand wheel from 10 % to 90 % of its steady value");
  vd_metric_add(out, "step_speed_mps", "m/s", speed, "vx at t0");
  vd_metric_add(out, "speed_change_mps", "m/s", vd_metric_subtract(end, speed), "vx at the end less vx at t0");
  vd_metric_add(out, "steering_wheel_steady_rad", "rad", s->wheel,
                "mean hand wheel angle over the steady window at the end of the run");
  vd_metric_add(out, "steer_steady_rad", "rad", s->angle,
                "mean road wheel angle over the steady window at the end of the run");
}

static void step_steer_metrics(const vd_recorder *r, double window, vd_metrics *out) {
  step_study s = study_step(r, window);
  vd_result yaw = vd_metric_steady_value(r, VD_SERIES_YAW_RATE, window),
            ay = vd_metric_steady_value(r, VD_SERIES_AY, window);
  vd_result slip = vd_metric_steady_value(r, VD_SERIES_SIDESLIP, window);
  vd_result roll = r->rows && r->level < VD_L2 ? vd_metric_refused("this level has no body roll")
                                               : vd_metric_steady_value(r, VD_SERIES_ROLL, window);
  /* without a step the values at the end are no response to one */
  vd_result *const steady[] = {&yaw, &ay, &slip, &roll};
  for (size_t i = 0; i < VD_COUNT(steady); i++)
    if (!vd_metric_good(&s.t0))
      *steady[i] = s.t0;
  response yaw_response = study_response(&s, VD_SERIES_YAW_RATE, yaw);
  response ay_response = study_response(&s, VD_SERIES_AY, ay);
  add_step(&s, out);
  vd_metric_add(out, "yaw_rate_steady_radps", "rad/s", yaw, "mean yaw rate over the steady window");
  vd_metric_add(out, "ay_steady_mps2", "m/s2", ay, "mean ay over the steady window");
  vd_metric_add(out, "sideslip_steady_rad", "rad", slip, "mean side slip angle over the steady window");
  vd_metric_add(out, "roll_steady_rad", "rad", roll, "mean roll of the body over the steady window");
  vd_metric_add(out, "yaw_rate_gain_radps_per_rad", "1/s", vd_metric_divide(yaw, s.wheel),
                "steady yaw rate over steady hand wheel angle; after ISO 7401");
  vd_metric_add(out, "ay_gain_mps2_per_rad", "m/(s2 rad)", vd_metric_divide(ay, s.wheel),
                "steady ay over steady hand wheel angle; after ISO 7401");
  vd_metric_add(out, "yaw_rate_road_wheel_gain_radps_per_rad", "1/s", vd_metric_divide(yaw, s.angle),
                "steady yaw rate over steady road wheel angle");
  vd_metric_add(out, "ay_road_wheel_gain_mps2_per_rad", "m/(s2 rad)", vd_metric_divide(ay, s.angle),
                "steady ay over steady road wheel angle");
  vd_metric_add(out, "sideslip_per_ay_rad_per_mps2", "rad s2/m", vd_metric_divide(slip, ay),
                "steady side slip angle over steady ay");
  vd_metric_add(out, "roll_per_ay_rad_per_mps2", "rad s2/m", vd_metric_divide(roll, ay), "steady roll over steady ay");
  vd_metric_add(out, "yaw_rate_response_time_s", "s", yaw_response.time,
                "the yaw rate first reaches 90 % of its steady value, less t0; after ISO 7401");
  vd_metric_add(out, "yaw_rate_peak_response_time_s", "s", yaw_response.peak_time,
                "first peak of the yaw rate above its steady value, less t0; after ISO 7401");
  vd_metric_add(out, "yaw_rate_overshoot", "1", yaw_response.overshoot,
                "(first peak - steady)/steady of the yaw rate; after ISO 7401");
  vd_metric_add(out, "ay_response_time_s", "s", ay_response.time,
                "ay first reaches 90 % of its steady value, less t0; after ISO 7401");
  vd_metric_add(out, "ay_peak_response_time_s", "s", ay_response.peak_time,
                "first peak of ay above its steady value, less t0; after ISO 7401");
  vd_metric_add(out, "ay_overshoot", "1", ay_response.overshoot, "(first peak - steady)/steady of ay; after ISO 7401");
  vd_metric_add(out, "tb_factor_deg_s", "deg s", tb_factor(yaw_response.peak_time, slip),
                "peak response time of the yaw rate x |steady side slip angle| in degrees; after ISO 7401");
}

/* ---- path ---- */

/* The speed where the path is first reached from before its start; at the first step if the run starts on it. */
static vd_result entry_speed(const vd_recorder *r) {
  vd_series s = vd_series_of(r, VD_SERIES_PATH_S), vx = vd_series_of(r, VD_SERIES_VX);
  if (vd_series_at(&s, 0) >= 0.0)
    return vd_metric_known(vd_series_at(&vx, 0));
  size_t i = vd_metric_rises_through(&s, 1, 0.0);
  return i ? vd_metric_known(vd_metric_between(&vx, i, vd_metric_share(&s, i, 0.0)))
           : vd_metric_refused("the start of the path is never reached");
}

static void path_metrics(const vd_recorder *r, vd_metrics *out) {
  static const enum vd_series_channel offset[] = {VD_SERIES_TIME, VD_SERIES_PATH_ERROR},
                                      heading[] = {VD_SERIES_TIME, VD_SERIES_PATH_HEADING},
                                      entry[] = {VD_SERIES_PATH_S, VD_SERIES_VX};
  vd_series error = vd_series_of(r, VD_SERIES_PATH_ERROR), angle = vd_series_of(r, VD_SERIES_PATH_HEADING);
  vd_result none = r->rows && !r->path ? vd_metric_refused("there is no path, or the car stands at its start")
                                       : vd_metric_known(0.0);
  vd_result checked = vd_metric_good(&none) ? vd_metric_usable(r, offset, VD_COUNT(offset)) : none;
  vd_result turned = vd_metric_good(&none) ? vd_metric_usable(r, heading, VD_COUNT(heading)) : none;
  vd_result entered = vd_metric_good(&none) ? vd_metric_usable(r, entry, VD_COUNT(entry)) : none;
  vd_metric_add(out, "path_error_rms_m", "m",
                vd_metric_good(&checked) ? vd_metric_known(vd_metric_root_mean_square(&error, 0.0)) : checked,
                "root of the mean over time of the squared offset of the centre of gravity from the path");
  vd_metric_add(out, "path_error_max_m", "m",
                vd_metric_good(&checked) ? vd_metric_known(vd_metric_largest_magnitude(&error)) : checked,
                "largest |offset| of the centre of gravity from the path");
  vd_metric_add(out, "path_heading_error_max_rad", "rad",
                vd_metric_good(&turned) ? vd_metric_known(vd_metric_largest_magnitude(&angle)) : turned,
                "largest |angle| between the direction of motion and the path");
  vd_metric_add(out, "path_entry_speed_mps", "m/s", vd_metric_good(&entered) ? entry_speed(r) : entered,
                "vx at the start of the path, or at the first step of a run that starts behind it");
  vd_metric_add(out, "path_exit_speed_mps", "m/s", vd_metric_good(&entered) ? vd_metric_known(r->last.vx) : entered,
                "vx at the last step");
}

bool vd_metrics_need_modes(const char *set) {
  return strcmp(set, "modes") == 0;
}

bool vd_metrics_need_ride(const char *set) {
  return strcmp(set, "ride") == 0 || strcmp(set, "lane_change") == 0 || strcmp(set, "rollover") == 0;
}

bool vd_metrics_need_stunt(const char *set) {
  return strcmp(set, "stunt") == 0;
}

/* The sets of whole manoeuvres, each in a file of its own. */
static const struct {
  const char *name;
  void (*compute)(const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out);
} manoeuvres[] = {
    {"steady_circular", vd_metrics_steady_circular},
    {"sine_steer", vd_metrics_sine_steer},
    {"lane_change", vd_metrics_lane_change},
    {"braking_in_turn", vd_metrics_braking_in_turn},
    {"power_off", vd_metrics_power_off},
    {"stopping", vd_metrics_stopping},
    {"split_friction", vd_metrics_split_friction},
    {"slowly_increasing_steer", vd_metrics_slowly_increasing_steer},
    {"sine_with_dwell", vd_metrics_sine_with_dwell},
    {"on_centre", vd_metrics_on_centre},
    {"rollover", vd_metrics_rollover},
    {"frequency_response", vd_metrics_frequency_response},
};

void vd_metrics_compute(const char *set, const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  for (size_t i = 0; i < VD_COUNT(manoeuvres); i++)
    if (strcmp(set, manoeuvres[i].name) == 0) {
      manoeuvres[i].compute(r, options, out);
      return;
    }
  if (strcmp(set, "run") == 0)
    run_metrics(r, out);
  else if (strcmp(set, "step_steer") == 0)
    step_steer_metrics(r, options->steady_window, out);
  else if (strcmp(set, "acceleration") == 0)
    vd_metrics_acceleration(r, options, out);
  else if (strcmp(set, "braking") == 0)
    vd_metrics_braking(r, out);
  else if (strcmp(set, "ride") == 0)
    vd_metrics_ride(r, out);
  else if (strcmp(set, "handling") == 0)
    vd_metrics_handling(r, out);
  else if (strcmp(set, "modes") == 0)
    vd_metrics_modes(r, out);
  else if (strcmp(set, "stunt") == 0)
    vd_metrics_stunt(r, out);
  else {
    assert(strcmp(set, "path") == 0);
    path_metrics(r, out);
  }
}
