#include "metrics.h"

#include "weighting.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const vd_metric_sets[] = {"run",  "step_steer", "acceleration", "braking", "path",
                                      "ride", "handling",   "modes",        NULL};

static const double slow = 1.0;           /* m/s, below it the side slip angle says nothing */
static const double steady_spread = 0.02; /* of the mean, within the window */
static const double steady_slope = 0.05;  /* of the mean, 1/s */
static const double least_overshoot = 1e-3;
static const double pedal_off = 1e-6;
static const double stopped = 0.1;          /* m/s */
static const double speed_tolerance = 1e-6; /* m/s */
/* quasi-steady: what the gradients of `handling` are taken from */
static const double quasi_steady_rate = 2.0;  /* m/s3 */
static const double quasi_steady_span = 0.25; /* s, before and after: a peak is not steady because its slope is zero */
static const double roll_limit = 6.0, pitch_limit = 10.0; /* m/s2 */
static const double gradient_least_span = 1.0;            /* m/s2 */

/* ---- recorder ---- */

void vd_recorder_init(vd_recorder *r, bool keep) {
  *r = (vd_recorder){.keep = keep, .least_load = INFINITY};
}

void vd_recorder_finish(vd_recorder *r) {
  bool keep_ride = r->keep_ride;
  free(r->sample);
  free(r->ride);
  vd_recorder_init(r, r->keep);
  r->keep_ride = keep_ride;
}

static void *grow(void *memory, size_t count, size_t size) {
  void *grown = count <= SIZE_MAX / size ? realloc(memory, count * size) : NULL;
  if (!grown) {
    fprintf(stderr, "out of memory: %zu samples for the metrics\n", count);
    abort();
  }
  return grown;
}

static void keep_sample(vd_recorder *r, const vd_sample *sample, const vd_eval *e) {
  if (r->count == r->capacity) {
    r->capacity = r->capacity ? 2 * r->capacity : 4096;
    r->sample = grow(r->sample, r->capacity, sizeof *r->sample);
    if (r->keep_ride)
      r->ride = grow(r->ride, r->capacity, sizeof *r->ride);
  }
  if (r->keep_ride) {
    vd_ride_sample *ride = &r->ride[r->count];
    ride->az = e->az;
    memcpy(ride->load, e->load, sizeof ride->load);
    memcpy(ride->travel, e->travel, sizeof ride->travel);
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
      .throttle = e->throttle,
      .brake = e->brake,
      .vx = e->vx,
      .distance = row->state.x[VD_S_DISTANCE],
      .ax = e->ax,
      .ay = e->ay,
      .yaw_rate = e->yaw_rate,
      .sideslip = e->sideslip,
      .roll = e->body_roll,
      .pitch = e->body_pitch,
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
  if (r->keep)
    keep_sample(r, &sample, e);
}

/* ---- values with reasons ---- */

typedef struct result {
  double value;
  char reason[sizeof((vd_metric *)0)->reason]; /* not empty: there is no value */
} result;

static result refused(const char *format, ...) __attribute__((format(printf, 1, 2)));

static result refused(const char *format, ...) {
  result out = {.value = NAN};
  va_list args;
  va_start(args, format);
  vsnprintf(out.reason, sizeof out.reason, format, args);
  va_end(args);
  return out;
}

static result known(double value) {
  return isfinite(value) ? (result){.value = value} : refused("not a finite number");
}

static bool good(const result *r) {
  return !*r->reason;
}

static result subtract(result a, result b) {
  return !good(&a) ? a : !good(&b) ? b : known(a.value - b.value);
}

static result divide(result a, result b) {
  if (!good(&a) || !good(&b))
    return good(&a) ? b : a;
  return b.value != 0.0 ? known(a.value / b.value) : refused("the divisor is zero");
}

static void add(vd_metrics *out, const char *name, const char *unit, result r, const char *definition) {
  for (size_t i = 0; i < out->count; i++)
    if (strcmp(out->metric[i].name, name) == 0)
      return; /* the set was asked for twice */
  assert(out->count < VD_METRICS_MAX);
  vd_metric *m = &out->metric[out->count++];
  *m = (vd_metric){.name = name, .unit = unit, .value = r.value, .definition = definition};
  memcpy(m->reason, r.reason, sizeof m->reason);
}

/* ---- series: one channel of the samples ---- */

enum channel {
  TIME,
  STEER,
  WHEEL,
  BRAKE,
  VX,
  DISTANCE,
  AX,
  AY,
  YAW_RATE,
  SIDESLIP,
  ROLL,
  PITCH,
  PATH_S,
  PATH_ERROR,
  PATH_HEADING,
  AZ,                        /* from here on of the ride's samples */
  LOAD,                      /* and of the other wheels */
  TRAVEL = LOAD + VD_WHEELS, /* likewise */
};

#define OF_WHEELS(channel, text, member)                                                                               \
  [channel + VD_FL] = {text ", front left", offsetof(vd_ride_sample, member[VD_FL]), 0.0},                             \
             [channel + VD_FR] = {text ", front right", offsetof(vd_ride_sample, member[VD_FR]), 0.0},                 \
             [channel + VD_RL] = {text ", rear left", offsetof(vd_ride_sample, member[VD_RL]), 0.0},                   \
             [channel + VD_RR] = {text ", rear right", offsetof(vd_ride_sample, member[VD_RR]), 0.0}

static const struct {
  const char *name;
  size_t offset; /* in vd_sample, from AZ on in vd_ride_sample */
  double floor;  /* changes below it are none; unit of the channel */
} channels[] = {
    [TIME] = {"time", offsetof(vd_sample, t), 0.0},
    [STEER] = {"steer", offsetof(vd_sample, steer), 1e-6},
    [WHEEL] = {"steering wheel", offsetof(vd_sample, steering_wheel), 1e-6},
    [BRAKE] = {"brake", offsetof(vd_sample, brake), 1e-6},
    [VX] = {"vx", offsetof(vd_sample, vx), 1e-6},
    [DISTANCE] = {"distance", offsetof(vd_sample, distance), 1e-6},
    [AX] = {"ax", offsetof(vd_sample, ax), 1e-6},
    [AY] = {"ay", offsetof(vd_sample, ay), 1e-6},
    [YAW_RATE] = {"yaw rate", offsetof(vd_sample, yaw_rate), 1e-6},
    [SIDESLIP] = {"side slip", offsetof(vd_sample, sideslip), 1e-5},
    [ROLL] = {"body roll", offsetof(vd_sample, roll), 1e-5},
    [PITCH] = {"body pitch", offsetof(vd_sample, pitch), 1e-5},
    [PATH_S] = {"place along the path", offsetof(vd_sample, path_s), 1e-6},
    [PATH_ERROR] = {"path error", offsetof(vd_sample, path_error), 1e-6},
    [PATH_HEADING] = {"path heading error", offsetof(vd_sample, path_heading_error), 1e-6},
    [AZ] = {"az", offsetof(vd_ride_sample, az), 1e-6},
    OF_WHEELS(LOAD, "wheel load", load),
    OF_WHEELS(TRAVEL, "suspension travel", travel),
};

typedef struct series {
  const vd_sample *sample;
  const vd_ride_sample *ride;
  size_t count;
  enum channel channel;
  double sign; /* -1: turned over, so that every search is for something that rises */
} series;

static series series_of(const vd_recorder *r, enum channel channel) {
  return (series){.sample = r->sample, .ride = r->ride, .count = r->count, .channel = channel, .sign = 1.0};
}

static double at(const series *x, size_t i) {
  const char *sample = x->channel < AZ ? (const char *)&x->sample[i] : (const char *)&x->ride[i];
  return x->sign * *(const double *)(const void *)(sample + channels[x->channel].offset);
}

/* Nothing to complain about, or why the channels cannot be used. */
static result usable(const vd_recorder *r, const enum channel *channel, size_t count) {
  if (r->count < 2)
    return refused("no samples were kept");
  for (size_t k = 0; k < count; k++) {
    if (channel[k] >= AZ && !r->ride)
      return refused("no samples of the ride were kept");
    series x = series_of(r, channel[k]);
    for (size_t i = 0; i < r->count; i++)
      if (!isfinite(at(&x, i)))
        return refused("%s is not a finite number at t = %.9g s", channels[channel[k]].name, r->sample[i].t);
  }
  return known(0.0);
}

static result usable_one(const vd_recorder *r, enum channel channel) {
  return usable(r, &channel, 1);
}

/* The first sample from `from` on that is at the level while the one before is below; 0: none. */
static size_t rises_through(const series *x, size_t from, double level) {
  for (size_t i = from ? from : 1; i < x->count; i++)
    if (at(x, i - 1) < level && at(x, i) >= level)
      return i;
  return 0;
}

/* The share of the interval that ends at sample i after which the level is reached. */
static double share(const series *x, size_t i, double level) {
  double low = at(x, i - 1), high = at(x, i);
  return low < level && level < high ? (level - low) / (high - low) : level <= low ? 0.0 : 1.0;
}

/* The value in the interval that ends at sample i after a share of it. */
static double between(const series *x, size_t i, double part) {
  return part < 1.0 ? at(x, i - 1) + part * (at(x, i) - at(x, i - 1)) : at(x, i);
}

/* Second divided difference about sample i: half the curvature. */
static double curvature(const series *x, size_t i) {
  const vd_sample *s = x->sample;
  double before = (at(x, i) - at(x, i - 1)) / (s[i].t - s[i - 1].t);
  double after = (at(x, i + 1) - at(x, i)) / (s[i + 1].t - s[i].t);
  return (after - before) / (s[i + 1].t - s[i - 1].t);
}

/* The top of the parabola through three samples about a highest one. A corner or a jump, whose
 * curvature is not its neighbours', is no parabola: there the sample itself is the top. */
static void refine_peak(const series *x, size_t i, double *t, double *height) {
  *t = x->sample[i].t;
  *height = at(x, i);
  if (i < 2 || i + 2 >= x->count)
    return;
  double bend = curvature(x, i);
  double around = fmin(fabs(curvature(x, i - 1)), fabs(curvature(x, i + 1)));
  if (!(bend < 0.0 && fabs(bend) <= 2.0 * around))
    return;
  double before = *t - x->sample[i - 1].t;
  double slope = (*height - at(x, i - 1)) / before + bend * before;
  *t -= slope / (2.0 * bend);
  *height -= slope * slope / (4.0 * bend);
}

/* Mean over the last `window` seconds, if the channel is steady there. */
static result steady_value(const vd_recorder *r, enum channel channel, double window) {
  series x = series_of(r, channel);
  result checked = usable_one(r, channel);
  if (!good(&checked))
    return checked;
  double end = r->last.t, start = end - window * (1.0 + 1e-9);
  if (!(window > 0.0 && start >= r->first.t - 2e-9 * window))
    return refused("the run of %.4g s is too short for a steady window of %.4g s", end - r->first.t, window);
  size_t begin = r->count;
  double sum = 0.0, lowest = INFINITY, highest = -INFINITY;
  for (; begin > 0 && r->sample[begin - 1].t >= start; begin--) {
    double value = at(&x, begin - 1);
    sum += value;
    lowest = fmin(lowest, value);
    highest = fmax(highest, value);
  }
  double n = (double)(r->count - begin), mean = sum / n;
  if (n < 3.0)
    return refused("fewer than three samples in the steady window of %.4g s", window);
  double middle = 0.0, moment = 0.0, spread_t = 0.0;
  for (size_t i = begin; i < r->count; i++)
    middle += (r->sample[i].t - end) / n;
  for (size_t i = begin; i < r->count; i++) {
    double t = r->sample[i].t - end - middle;
    moment += t * (at(&x, i) - mean);
    spread_t += t * t;
  }
  double size = fabs(mean), floor = channels[channel].floor, slope = moment / spread_t;
  if (!(highest - lowest <= steady_spread * size + floor))
    return refused("%s is not steady: it goes from %.4g to %.4g within the last %.4g s", channels[channel].name, lowest,
                   highest, window);
  if (!(fabs(slope) <= steady_slope * size + floor))
    return refused("%s is not steady: it changes by %.3g per s about %.4g", channels[channel].name, slope, mean);
  return known(mean);
}

/* ---- run ---- */

static result extreme(const vd_recorder *r, double value) {
  if (r->rows == 0)
    return refused("the run has no steps");
  return isfinite(value) ? known(value) : refused("not a finite number at some step");
}

static void run_metrics(const vd_recorder *r, vd_metrics *out) {
  static const char no_loads[] = "this level has no wheel loads";
  static const char no_tipping[] = "this level does not tip over";
  static const char falls[] = "at this level the body itself rolls over, and the run ends";
  result ledger = extreme(r, r->peak_ledger), kinetic = extreme(r, r->peak_kinetic);
  if (good(&kinetic) && kinetic.value == 0.0)
    kinetic = refused("the vehicle never moves");
  add(out, "duration_s", "s", extreme(r, r->last.t - r->first.t), "time from first to last step");
  add(out, "distance_m", "m", extreme(r, r->last.distance - r->first.distance),
      "path length of the centre of gravity from first to last step");
  add(out, "final_speed_mps", "m/s", extreme(r, r->last.vx), "vx at the last step");
  add(out, "peak_ay_mps2", "m/s2", extreme(r, r->peak_ay), "largest |ay| over all steps");
  add(out, "peak_yaw_rate_radps", "rad/s", extreme(r, r->peak_yaw_rate), "largest |yaw rate| over all steps");
  add(out, "peak_sideslip_rad", "rad",
      r->moved || r->rows == 0 ? extreme(r, r->peak_sideslip) : refused("the vehicle never reaches 1 m/s"),
      "largest |side slip angle| of the centre of gravity over all steps faster than 1 m/s");
  add(out, "ledger_residual", "1", divide(ledger, kinetic),
      "largest |energy - energy at start - work| over largest kinetic energy, body and wheels");
  add(out, "least_wheel_load_N", "N", r->rows && r->level == VD_L0 ? refused(no_loads) : extreme(r, r->least_load),
      "smallest load of any wheel over all steps");
  add(out, "tipping_time_s", "s",
      r->rows && (r->level == VD_L0 || r->level > VD_L2) ? refused(r->level == VD_L0 ? no_tipping : falls)
                                                         : extreme(r, r->tipping_time),
      "time with more roll moment than the wheels can give");
}

/* ---- step steer ---- */

typedef struct step_study {
  const vd_recorder *r;
  double window;       /* s */
  result wheel, angle; /* rad, steady: hand wheel, road wheels */
  result t0, rise;     /* s */
  /* samples; valid with t0 */
  size_t index; /* first sample not before t0 */
  size_t onset; /* from here on responses are searched */
  size_t jump;  /* the hand wheel jumps just before this sample; 0: it does not */
} step_study;

/* The instant at which x, risen through the level, does so. What jumps together with the hand
 * wheel does so at the sample that shows it: rows at corners are taken from the future's side. */
static double crossing_time(const step_study *s, const series *x, size_t i, double level) {
  double part = i == s->jump ? 1.0 : share(x, i, level);
  series t = series_of(s->r, TIME);
  return between(&t, i, part);
}

static void find_step(step_study *s) {
  series x = series_of(s->r, WHEEL);
  double steady = fabs(s->wheel.value), low = 0.1 * steady, half = 0.5 * steady, high = 0.9 * steady;
  x.sign = copysign(1.0, s->wheel.value);
  size_t i = rises_through(&x, 1, half);
  s->t0 = s->rise = refused("the hand wheel never rises through 50 %% of its steady value");
  if (i == 0)
    return;
  if (rises_through(&x, i + 1, half)) {
    s->t0 = s->rise = refused("no step: the hand wheel rises more than once through 50 %% of its steady value");
    return;
  }
  s->index = i;
  s->jump = at(&x, i - 1) <= low && at(&x, i) >= high ? i : 0;
  s->t0 = known(crossing_time(s, &x, i, half));
  for (s->onset = i - 1; s->onset > 0 && at(&x, s->onset) > 0.01 * steady; s->onset--)
    ;
  size_t from = rises_through(&x, 1, low), to = rises_through(&x, 1, high);
  s->rise = from && to && from <= to ? known(crossing_time(s, &x, to, high) - crossing_time(s, &x, from, low))
                                     : refused("the hand wheel does not rise from 10 %% to 90 %% of its steady value");
}

static step_study study_step(const vd_recorder *r, double window) {
  step_study s = {.r = r, .window = window};
  s.angle = steady_value(r, STEER, window);
  s.wheel = usable_one(r, TIME);
  if (good(&s.wheel))
    s.wheel = steady_value(r, WHEEL, window);
  if (good(&s.wheel) && !(fabs(s.wheel.value) > channels[WHEEL].floor))
    s.wheel = refused("no steer input: the hand wheel ends at zero");
  s.t0 = s.rise = s.wheel;
  if (good(&s.wheel))
    find_step(&s);
  return s;
}

static result response_time(const step_study *s, const series *x, double steady) {
  size_t i = rises_through(x, s->onset + 1, 0.9 * steady);
  return i ? known(crossing_time(s, x, i, 0.9 * steady) - s->t0.value)
           : refused("%s does not rise through 90 %% of its steady value after the step", channels[x->channel].name);
}

/* Height of the first peak after t0 that exceeds the steady value; its time goes to *t. */
static result first_peak(const step_study *s, const series *x, double steady, double *t) {
  bool exceeds = false;
  for (size_t i = s->index; i < x->count; i++) {
    if (!(at(x, i) > (1.0 + least_overshoot) * steady))
      continue;
    exceeds = true;
    size_t next = i + 1; /* after a flat top */
    while (next < x->count && at(x, next) == at(x, i))
      next++;
    if (at(x, i - 1) < at(x, i) && next < x->count && at(x, next) < at(x, i)) {
      double height;
      refine_peak(x, i, t, &height);
      return known(height);
    }
  }
  return exceeds ? refused("no peak: %s exceeds its steady value and does not turn back", channels[x->channel].name)
                 : refused("no overshoot: the response never exceeds its steady value");
}

typedef struct response {
  result time, peak_time, overshoot;
} response;

static response study_response(const step_study *s, enum channel channel, result steady) {
  series x = series_of(s->r, channel);
  if (good(&steady) && !(fabs(steady.value) > channels[channel].floor))
    steady = refused("%s has a steady value of zero", channels[channel].name);
  result blocked = good(&s->t0) ? steady : s->t0;
  if (!good(&blocked))
    return (response){blocked, blocked, blocked};
  x.sign = copysign(1.0, steady.value);
  double size = fabs(steady.value), t = NAN;
  response out = {.time = response_time(s, &x, size)};
  result peak = first_peak(s, &x, size, &t);
  out.peak_time = good(&peak) ? known(t - s->t0.value) : peak;
  out.overshoot = good(&peak) ? known((peak.value - size) / size) : peak;
  return out;
}

static result speed_at_step(const step_study *s) {
  series x = series_of(s->r, VX), t = series_of(s->r, TIME);
  result checked = good(&s->t0) ? usable_one(s->r, VX) : s->t0;
  return good(&checked) ? known(between(&x, s->index, share(&t, s->index, s->t0.value))) : checked;
}

/* Peak response time x |side slip|, in the customary degree seconds. */
static result tb_factor(result peak_time, result sideslip) {
  if (!good(&peak_time) || !good(&sideslip))
    return good(&peak_time) ? sideslip : peak_time;
  return known(peak_time.value * fabs(sideslip.value) * (180.0 / VD_PI));
}

static void add_step(const step_study *s, vd_metrics *out) {
  result speed = speed_at_step(s), checked = usable_one(s->r, VX);
  result end = good(&checked) ? known(s->r->last.vx) : checked;
  add(out, "step_time_s", "s", s->t0,
      "t0: the hand wheel crosses 50 % of its steady value; a jump counts at the step that shows it; after ISO 7401");
  add(out, "steering_rise_time_s", "s", s->rise, "time of the hand wheel from 10 % to 90 % of its steady value");
  add(out, "step_speed_mps", "m/s", speed, "vx at t0");
  add(out, "speed_change_mps", "m/s", subtract(end, speed), "vx at the end less vx at t0");
  add(out, "steering_wheel_steady_rad", "rad", s->wheel,
      "mean hand wheel angle over the steady window at the end of the run");
  add(out, "steer_steady_rad", "rad", s->angle, "mean road wheel angle over the steady window at the end of the run");
}

static void step_steer_metrics(const vd_recorder *r, double window, vd_metrics *out) {
  step_study s = study_step(r, window);
  result yaw = steady_value(r, YAW_RATE, window), ay = steady_value(r, AY, window);
  result slip = steady_value(r, SIDESLIP, window);
  result roll = r->rows && r->level < VD_L2 ? refused("this level has no body roll") : steady_value(r, ROLL, window);
  /* without a step the values at the end are no response to one */
  result *const steady[] = {&yaw, &ay, &slip, &roll};
  for (size_t i = 0; i < VD_COUNT(steady); i++)
    if (!good(&s.t0))
      *steady[i] = s.t0;
  response yaw_response = study_response(&s, YAW_RATE, yaw);
  response ay_response = study_response(&s, AY, ay);
  add_step(&s, out);
  add(out, "yaw_rate_steady_radps", "rad/s", yaw, "mean yaw rate over the steady window");
  add(out, "ay_steady_mps2", "m/s2", ay, "mean ay over the steady window");
  add(out, "sideslip_steady_rad", "rad", slip, "mean side slip angle over the steady window");
  add(out, "roll_steady_rad", "rad", roll, "mean roll of the body over the steady window");
  add(out, "yaw_rate_gain_radps_per_rad", "1/s", divide(yaw, s.wheel),
      "steady yaw rate over steady hand wheel angle; after ISO 7401");
  add(out, "ay_gain_mps2_per_rad", "m/(s2 rad)", divide(ay, s.wheel),
      "steady ay over steady hand wheel angle; after ISO 7401");
  add(out, "yaw_rate_road_wheel_gain_radps_per_rad", "1/s", divide(yaw, s.angle),
      "steady yaw rate over steady road wheel angle");
  add(out, "ay_road_wheel_gain_mps2_per_rad", "m/(s2 rad)", divide(ay, s.angle),
      "steady ay over steady road wheel angle");
  add(out, "sideslip_per_ay_rad_per_mps2", "rad s2/m", divide(slip, ay), "steady side slip angle over steady ay");
  add(out, "roll_per_ay_rad_per_mps2", "rad s2/m", divide(roll, ay), "steady roll over steady ay");
  add(out, "yaw_rate_response_time_s", "s", yaw_response.time,
      "the yaw rate first reaches 90 % of its steady value, less t0; after ISO 7401");
  add(out, "yaw_rate_peak_response_time_s", "s", yaw_response.peak_time,
      "first peak of the yaw rate above its steady value, less t0; after ISO 7401");
  add(out, "yaw_rate_overshoot", "1", yaw_response.overshoot,
      "(first peak - steady)/steady of the yaw rate; after ISO 7401");
  add(out, "ay_response_time_s", "s", ay_response.time,
      "ay first reaches 90 % of its steady value, less t0; after ISO 7401");
  add(out, "ay_peak_response_time_s", "s", ay_response.peak_time,
      "first peak of ay above its steady value, less t0; after ISO 7401");
  add(out, "ay_overshoot", "1", ay_response.overshoot, "(first peak - steady)/steady of ay; after ISO 7401");
  add(out, "tb_factor_deg_s", "deg s", tb_factor(yaw_response.peak_time, slip),
      "peak response time of the yaw rate x |steady side slip angle| in degrees; after ISO 7401");
}

/* ---- acceleration and braking ---- */

/* An instant on the way. */
typedef struct mark {
  double t, distance;
} mark;

static mark mark_at(const vd_recorder *r, size_t i, double part) {
  series t = series_of(r, TIME), distance = series_of(r, DISTANCE);
  return (mark){between(&t, i, part), between(&distance, i, part)};
}

static const enum channel motion[] = {TIME, VX, DISTANCE};

/* The largest value from a sample to another, both included. */
static double largest(const series *x, size_t from, size_t to) {
  double value = -INFINITY;
  for (size_t i = from; i <= to && i < x->count; i++)
    value = fmax(value, at(x, i));
  return value;
}

static result find_speeds(const vd_recorder *r, double from, double to, mark *begin, mark *end) {
  series vx = series_of(r, VX);
  result checked = usable(r, motion, VD_COUNT(motion));
  if (!good(&checked))
    return checked;
  if (!(from < to))
    return refused("from_speed is not below to_speed");
  size_t last = rises_through(&vx, 1, to);
  if (last == 0)
    return at(&vx, 0) >= to
               ? refused("vx starts at %.4g m/s, not below %.4g", at(&vx, 0), to)
               : refused("vx never reaches %.4g m/s: its highest value is %.4g m/s", to, largest(&vx, 0, vx.count - 1));
  size_t first = last; /* the sample after the last one at or below from_speed */
  while (first > 0 && !(at(&vx, first - 1) <= from + speed_tolerance))
    first--;
  if (first == 0)
    return refused("vx starts at %.4g m/s, above %.4g m/s", at(&vx, 0), from);
  *begin = mark_at(r, first, share(&vx, first, from));
  *end = mark_at(r, last, share(&vx, last, to));
  return known(0.0);
}

static void acceleration_metrics(const vd_recorder *r, double from, double to, vd_metrics *out) {
  mark begin = {0}, end = {0};
  result found = find_speeds(r, from, to, &begin, &end), peak = usable_one(r, AX);
  series ax = series_of(r, AX);
  result time = good(&found) ? known(end.t - begin.t) : found;
  result distance = good(&found) ? known(end.distance - begin.distance) : found;
  result gain = good(&found) ? known(to - from) : found;
  add(out, "acceleration_time_s", "s", time,
      "from the last instant at from_speed to the first instant at to_speed (vx)");
  add(out, "acceleration_distance_m", "m", distance,
      "path length from the last instant at from_speed to the first instant at to_speed (vx)");
  add(out, "acceleration_mean_mps2", "m/s2", divide(gain, time), "(to_speed - from_speed)/acceleration time");
  add(out, "acceleration_peak_mps2", "m/s2", good(&peak) ? known(largest(&ax, 0, ax.count - 1)) : peak,
      "largest ax over the run");
}

/* A braking from its onset at sample `onset`. */
typedef struct stop_study {
  const vd_recorder *r;
  size_t onset;
  double v0; /* m/s */
  mark begin;
} stop_study;

static result find_onset(const vd_recorder *r, stop_study *s) {
  static const enum channel needed[] = {TIME, VX, DISTANCE, BRAKE};
  series brake = series_of(r, BRAKE);
  result checked = usable(r, needed, VD_COUNT(needed));
  if (!good(&checked))
    return checked;
  size_t i = 0;
  while (i < r->count && !(at(&brake, i) > pedal_off))
    i++;
  if (i == r->count)
    return refused("the brake is never applied");
  const vd_sample *sample = &r->sample[i];
  if (!(sample->vx > stopped))
    return refused("vx is only %.4g m/s at brake onset", sample->vx);
  *s = (stop_study){r, i, sample->vx, {sample->t, sample->distance}};
  return known(0.0);
}

/* The first instant after onset at which vx has fallen to a speed; *i: the sample after it. */
static result falls_to(const stop_study *s, double speed, size_t *i, mark *m) {
  series vx = series_of(s->r, VX);
  vx.sign = -1.0;
  *i = rises_through(&vx, s->onset + 1, -speed);
  if (*i == 0)
    return refused("vx never falls to %.4g m/s: it is %.4g m/s at the end", speed, s->r->last.vx);
  *m = mark_at(s->r, *i, share(&vx, *i, -speed));
  return known(0.0);
}

static result fully_developed(const stop_study *s) {
  double vb = 0.8 * s->v0, ve = 0.1 * s->v0;
  mark b = {0}, e = {0};
  size_t i;
  result begun = falls_to(s, vb, &i, &b), ended = falls_to(s, ve, &i, &e);
  if (!good(&begun) || !good(&ended))
    return good(&begun) ? ended : begun;
  return divide(known(vb * vb - ve * ve), known(2.0 * (e.distance - b.distance)));
}

static void braking_metrics(const vd_recorder *r, vd_metrics *out) {
  stop_study s = {0};
  mark end = {0};
  size_t last = 0;
  result onset = find_onset(r, &s);
  result stop = good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  result distance = good(&stop) ? known(end.distance - s.begin.distance) : stop;
  result peak = good(&onset) ? usable_one(r, AX) : onset;
  series decel = series_of(r, AX);
  decel.sign = -1.0;
  add(out, "brake_onset_s", "s", good(&onset) ? known(s.begin.t) : onset, "first step with the brake pedal above zero");
  add(out, "brake_initial_speed_mps", "m/s", good(&onset) ? known(s.v0) : onset, "v0: vx at brake onset");
  add(out, "stopping_distance_m", "m", distance, "path length from brake onset until vx has fallen to 0.1 m/s");
  add(out, "stopping_time_s", "s", good(&stop) ? known(end.t - s.begin.t) : stop,
      "time from brake onset until vx has fallen to 0.1 m/s");
  add(out, "mfdd_mps2", "m/s2", good(&onset) ? fully_developed(&s) : onset,
      "mean fully developed deceleration (vb^2 - ve^2)/(2 (se - sb)), vb = 0.8 v0, ve = 0.1 v0; after UN R13-H");
  add(out, "deceleration_peak_mps2", "m/s2",
      good(&peak) ? known(largest(&decel, s.onset, last ? last - 1 : r->count - 1)) : peak,
      "largest -ax from brake onset until vx has fallen to 0.1 m/s or the run ends");
  add(out, "deceleration_mean_mps2", "m/s2",
      good(&distance) ? divide(known(s.v0 * s.v0), known(2.0 * distance.value)) : distance,
      "v0^2/(2 stopping distance)");
}

/* ---- path ---- */

/* Root of the mean square over time of what is left without `level`, with straight lines between samples: one from a to b has
 * (a^2 + a b + b^2)/3. */
static double root_mean_square(const series *x, double level) {
  double sum = 0.0;
  for (size_t i = 1; i < x->count; i++) {
    double a = at(x, i - 1) - level, b = at(x, i) - level;
    sum += (x->sample[i].t - x->sample[i - 1].t) * (a * a + a * b + b * b) / 3.0;
  }
  return sqrt(sum / (x->sample[x->count - 1].t - x->sample[0].t));
}

static double largest_magnitude(const series *x) {
  double value = 0.0;
  for (size_t i = 0; i < x->count; i++)
    value = fmax(value, fabs(at(x, i)));
  return value;
}

/* The speed where the path is first reached from before its start; at the first step if the run starts on it. */
static result entry_speed(const vd_recorder *r) {
  series s = series_of(r, PATH_S), vx = series_of(r, VX);
  if (at(&s, 0) >= 0.0)
    return known(at(&vx, 0));
  size_t i = rises_through(&s, 1, 0.0);
  return i ? known(between(&vx, i, share(&s, i, 0.0))) : refused("the start of the path is never reached");
}

static void path_metrics(const vd_recorder *r, vd_metrics *out) {
  static const enum channel offset[] = {TIME, PATH_ERROR}, heading[] = {TIME, PATH_HEADING}, entry[] = {PATH_S, VX};
  series error = series_of(r, PATH_ERROR), angle = series_of(r, PATH_HEADING);
  result none = r->rows && !r->path ? refused("there is no path, or the car stands at its start") : known(0.0);
  result checked = good(&none) ? usable(r, offset, VD_COUNT(offset)) : none;
  result turned = good(&none) ? usable(r, heading, VD_COUNT(heading)) : none;
  result entered = good(&none) ? usable(r, entry, VD_COUNT(entry)) : none;
  add(out, "path_error_rms_m", "m", good(&checked) ? known(root_mean_square(&error, 0.0)) : checked,
      "root of the mean over time of the squared offset of the centre of gravity from the path");
  add(out, "path_error_max_m", "m", good(&checked) ? known(largest_magnitude(&error)) : checked,
      "largest |offset| of the centre of gravity from the path");
  add(out, "path_heading_error_max_rad", "rad", good(&turned) ? known(largest_magnitude(&angle)) : turned,
      "largest |angle| between the direction of motion and the path");
  add(out, "path_entry_speed_mps", "m/s", good(&entered) ? entry_speed(r) : entered,
      "vx at the start of the path, or at the first step of a run that starts behind it");
  add(out, "path_exit_speed_mps", "m/s", good(&entered) ? known(r->last.vx) : entered, "vx at the last step");
}

/* ---- ride ---- */

static const double wd_factor = 1.0, wk_factor = 1.0; /* of the axes for comfort, ISO 2631-1 8.2.2.1 */

static double mean_value(const series *x) {
  double sum = 0.0;
  for (size_t i = 1; i < x->count; i++)
    sum += 0.5 * (x->sample[i].t - x->sample[i - 1].t) * (at(x, i - 1) + at(x, i));
  return sum / (x->sample[x->count - 1].t - x->sample[0].t);
}

/* Of levels that have wheel loads; of those that move up and down. */
static result loaded(const vd_recorder *r) {
  return r->rows && r->level == VD_L0 ? refused("this level has no wheel loads") : known(0.0);
}

static result vertical(const vd_recorder *r) {
  return r->rows && r->level <= VD_L2 ? refused("this level has no vertical motion") : known(0.0);
}

static result checked_channel(const vd_recorder *r, result possible, enum channel channel) {
  const enum channel needed[] = {TIME, channel};
  return good(&possible) ? usable(r, needed, VD_COUNT(needed)) : possible;
}

static result rms(const vd_recorder *r, result possible, enum channel channel, double level) {
  series x = series_of(r, channel);
  result checked = checked_channel(r, possible, channel);
  return good(&checked) ? known(root_mean_square(&x, level)) : checked;
}

static result weighted_rms(const vd_recorder *r, result possible, enum channel channel, enum vd_weighting_kind kind) {
  series x = series_of(r, channel);
  result checked = checked_channel(r, possible, channel);
  if (!good(&checked))
    return checked;
  double *a = grow(NULL, r->count, sizeof *a), sum = 0.0;
  for (size_t i = 0; i < r->count; i++)
    a[i] = at(&x, i);
  vd_weighting_apply(kind, a, r->count, (double)(r->count - 1) / (r->last.t - r->first.t));
  for (size_t i = 1; i < r->count; i++)
    sum += 0.5 * (a[i - 1] * a[i - 1] + a[i] * a[i]);
  free(a);
  return known(sqrt(sum / (double)(r->count - 1)));
}

/* Root of the sum of squares, with factors. */
static result total_value(result x, result y, result z) {
  if (!good(&x) || !good(&y) || !good(&z))
    return !good(&z) ? z : good(&x) ? y : x;
  return known(sqrt(wd_factor * wd_factor * (x.value * x.value + y.value * y.value) +
                    wk_factor * wk_factor * z.value * z.value));
}

static result load_coefficient(const vd_recorder *r, int wheel) {
  enum channel channel = (enum channel)(LOAD + wheel);
  series x = series_of(r, channel);
  result checked = checked_channel(r, loaded(r), channel);
  if (!good(&checked))
    return checked;
  double mean = mean_value(&x);
  return mean > 0.0 ? known(root_mean_square(&x, mean) / mean) : refused("the wheel carries nothing");
}

/* From one step without load to the next step. */
static result lift_time(const vd_recorder *r, int wheel) {
  enum channel channel = (enum channel)(LOAD + wheel);
  series x = series_of(r, channel);
  result checked = checked_channel(r, loaded(r), channel);
  double time = 0.0;
  for (size_t i = 1; good(&checked) && i < r->count; i++)
    if (!(at(&x, i - 1) > 0.0))
      time += r->sample[i].t - r->sample[i - 1].t;
  return good(&checked) ? known(time) : checked;
}

typedef struct travel_study {
  result least, greatest, rms;
} travel_study;

static travel_study study_travel(const vd_recorder *r, enum vd_axle axle) {
  enum channel left = (enum channel)(TRAVEL + 2 * axle), right = (enum channel)(TRAVEL + 2 * axle + 1);
  series x[] = {series_of(r, left), series_of(r, right)};
  result checked = checked_channel(r, vertical(r), left);
  if (good(&checked))
    checked = usable_one(r, right);
  if (!good(&checked))
    return (travel_study){checked, checked, checked};
  double least = INFINITY, greatest = -INFINITY, square = 0.0;
  for (size_t side = 0; side < VD_COUNT(x); side++) {
    double spread = root_mean_square(&x[side], mean_value(&x[side]));
    square += 0.5 * spread * spread;
    for (size_t i = 0; i < r->count; i++) {
      least = fmin(least, at(&x[side], i));
      greatest = fmax(greatest, at(&x[side], i));
    }
  }
  return (travel_study){known(least), known(greatest), known(sqrt(square))};
}

static result worst_of(const result *r, size_t count) {
  result worst = r[0];
  for (size_t i = 1; i < count; i++)
    if (good(&worst) && (!good(&r[i]) || r[i].value > worst.value))
      worst = r[i];
  return worst;
}

static void add_travel(const vd_recorder *r, enum vd_axle axle, const char *const name[3], vd_metrics *out) {
  travel_study s = study_travel(r, axle);
  add(out, name[0], "m", s.least, "least suspension travel of the axle's two wheels, bump > 0");
  add(out, name[1], "m", s.greatest, "greatest suspension travel of the axle's two wheels, bump > 0");
  add(out, name[2], "m", s.rms,
      "root of the mean over time and both wheels of the squared travel, each wheel's own mean taken off");
}

static void ride_metrics(const vd_recorder *r, vd_metrics *out) {
  static const char *const coefficient[] = {"load_coefficient_fl", "load_coefficient_fr", "load_coefficient_rl",
                                            "load_coefficient_rr"};
  static const char *const lift[] = {"lift_time_fl_s", "lift_time_fr_s", "lift_time_rl_s", "lift_time_rr_s"};
  static const char *const front[] = {"travel_front_min_m", "travel_front_max_m", "travel_front_rms_m"};
  static const char *const rear[] = {"travel_rear_min_m", "travel_rear_max_m", "travel_rear_rms_m"};
  result moves = vertical(r), checked = checked_channel(r, moves, AZ), load[VD_WHEELS];
  series az = series_of(r, AZ);
  result x = weighted_rms(r, known(0.0), AX, VD_WD), y = weighted_rms(r, known(0.0), AY, VD_WD);
  result z = weighted_rms(r, moves, AZ, VD_WK);
  add(out, "az_rms_mps2", "m/s2", rms(r, moves, AZ, 0.0),
      "root of the mean over time of az^2, az of the centre of gravity");
  add(out, "az_peak_mps2", "m/s2", good(&checked) ? known(largest_magnitude(&az)) : checked, "largest |az|");
  add(out, "az_weighted_mps2", "m/s2", z, "r.m.s. of az with the weighting Wk of ISO 2631-1, at the centre of gravity");
  add(out, "ax_weighted_mps2", "m/s2", x, "r.m.s. of ax with the weighting Wd of ISO 2631-1, at the centre of gravity");
  add(out, "ay_weighted_mps2", "m/s2", y, "r.m.s. of ay with the weighting Wd of ISO 2631-1, at the centre of gravity");
  add(out, "vibration_total_mps2", "m/s2", total_value(x, y, z),
      "vibration total value: root of the sum of squares of the three weighted values, factors 1 as for comfort; ISO "
      "2631-1 "
      "6.5, 8.2.2.1");
  for (int i = 0; i < VD_WHEELS; i++) {
    load[i] = load_coefficient(r, i);
    add(out, coefficient[i], "1", load[i],
        "dynamic load coefficient: standard deviation of the wheel load over time, over its mean");
  }
  add(out, "load_coefficient_worst", "1", worst_of(load, VD_COUNT(load)),
      "greatest dynamic load coefficient of a wheel");
  for (int i = 0; i < VD_WHEELS; i++)
    add(out, lift[i], "s", lift_time(r, i), "time for which the wheel carries no load");
  add_travel(r, VD_FRONT, front, out);
  add_travel(r, VD_REAR, rear, out);
}

/* ---- handling ---- */

/* Whether x stays near its value at sample i for `reach` samples to either side. Ten places are looked at: a swing that is slow
 * enough to hide between them is slow enough to count. */
static bool quasi_steady(const series *x, size_t i, size_t reach, double most) {
  enum { PLACES = 5 };
  bool steady = true;
  for (size_t k = 1; k <= PLACES; k++) {
    size_t off = (reach * k + PLACES - 1) / PLACES;
    steady &= fabs(at(x, i + off) - at(x, i)) <= most && fabs(at(x, i - off) - at(x, i)) <= most;
  }
  return steady;
}

/* Slope of y over x by least squares, over the quasi-steady part of the run, for x from low to high. */
static result gradient(const vd_recorder *r, enum channel over, enum channel of, double low, double high) {
  const enum channel needed[] = {TIME, VX, over, of};
  result checked = usable(r, needed, VD_COUNT(needed));
  if (!good(&checked))
    return checked;
  series x = series_of(r, over), y = series_of(r, of);
  double step = (r->last.t - r->first.t) / (double)(r->count - 1);
  size_t reach = (size_t)fmax(1.0, round(quasi_steady_span / step));
  double n = 0.0, x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0, least = INFINITY, greatest = -INFINITY;
  for (size_t i = reach; i + reach < r->count; i++) {
    double value = at(&x, i);
    bool steady = quasi_steady(&x, i, reach, quasi_steady_rate * (double)reach * step);
    if (!(steady && value >= low && value <= high && r->sample[i].vx > slow))
      continue;
    /* Welford: sums about the running means */
    n += 1.0;
    double dx = value - x_mean;
    x_mean += dx / n;
    y_mean += (at(&y, i) - y_mean) / n;
    xx += dx * (value - x_mean);
    xy += dx * (at(&y, i) - y_mean);
    least = fmin(least, value);
    greatest = fmax(greatest, value);
  }
  if (!(greatest - least >= gradient_least_span))
    return n > 0.0 ? refused("%s spans only %.3g m/s2 while it is quasi-steady: no slope", channels[over].name,
                             greatest - least)
                   : refused("%s is nowhere quasi-steady", channels[over].name);
  return known(xy / xx);
}

static result scaled(result r, double factor) {
  return good(&r) ? known(factor * r.value) : r;
}

static result peak_angle(const vd_recorder *r, result possible, enum channel channel) {
  series x = series_of(r, channel);
  result checked = checked_channel(r, possible, channel);
  return good(&checked) ? known(largest_magnitude(&x)) : checked;
}

static void handling_metrics(const vd_recorder *r, vd_metrics *out) {
  double deg_per_g = 180.0 / VD_PI * VD_GRAVITY;
  result rolls = r->rows && r->level < VD_L2 ? refused("this level has no body roll") : known(0.0);
  result pitches = r->rows && r->level < VD_L1 ? refused("this level has no body pitch") : known(0.0);
  result roll = good(&rolls) ? gradient(r, AY, ROLL, -roll_limit, roll_limit) : rolls;
  result pitch = good(&pitches) ? gradient(r, AX, PITCH, -pitch_limit, 0.0) : pitches;
  add(out, "roll_gradient_deg_per_g", "deg/g", scaled(roll, deg_per_g),
      "least-squares slope of body roll over ay where |ay| <= 6 m/s2 changes by at most 2 m/s2 a second, vx > 1 m/s; "
      "after "
      "the notion of ISO 4138");
  add(out, "pitch_gradient_deg_per_g", "deg/g", scaled(pitch, -deg_per_g),
      "least-squares slope of body pitch, nose down > 0, over the deceleration -ax from 0 to 10 m/s2 where it changes "
      "by at most "
      "2 m/s2 a second, vx > 1 m/s");
  add(out, "peak_roll_rad", "rad", peak_angle(r, rolls, ROLL), "largest |roll| of the body against the road");
  add(out, "peak_pitch_rad", "rad", peak_angle(r, pitches, PITCH), "largest |pitch| of the body against the road");
}

/* ---- modes ---- */

static result of_mode(const vd_recorder *r, result possible, double value) {
  if (!good(&possible))
    return possible;
  return isfinite(value) ? known(value)
         : r->linearised ? refused("no oscillating mode has this shape: it may be damped too much")
                         : refused("nothing was linearised");
}

static void modes_metrics(const vd_recorder *r, vd_metrics *out) {
#define FREQUENCY "natural frequency |s|/2 pi of the eigenvalue pair s of the car linearised at the start, "
#define DAMPING   "-Re s/|s| of the same eigenvalues"
#define TYRE_ONLY                                                                                                      \
  "sqrt(tyre's vertical stiffness/unsprung mass)/2 pi: a rule of thumb, not the hop's frequency, which is higher: "    \
  "the "                                                                                                               \
  "wheel moves against the suspension's spring too, which is missing here"
#define SPRING_ONLY                                                                                                    \
  "damper/(2 sqrt(spring x unsprung mass)): a rule of thumb, not the hop's damping ratio, which is lower: it takes "   \
  "the "                                                                                                               \
  "suspension's spring, while the tyre's stiffness, many times that, gives the wheel its frequency"
  static const struct {
    const char *frequency, *damping, *shape;
  } mode[VD_RIDE_MODES] = {
      [VD_RIDE_HEAVE] = {"heave_frequency_Hz", "heave_damping", FREQUENCY "in which the body rises and sinks"},
      [VD_RIDE_PITCH] = {"pitch_frequency_Hz", "pitch_damping", FREQUENCY "in which the body pitches"},
      [VD_RIDE_ROLL] = {"roll_frequency_Hz", "roll_damping", FREQUENCY "in which the body rolls"},
      [VD_RIDE_FRONT_HOP] = {"front_hop_frequency_Hz", "front_hop_damping",
                             FREQUENCY "in which the front wheels move up and down together"},
      [VD_RIDE_FRONT_TRAMP] = {"front_tramp_frequency_Hz", "front_tramp_damping",
                               FREQUENCY "in which the front wheels move up and down against each other"},
      [VD_RIDE_REAR_HOP] = {"rear_hop_frequency_Hz", "rear_hop_damping",
                            FREQUENCY "in which the rear wheels move up and down together"},
      [VD_RIDE_REAR_TRAMP] = {"rear_tramp_frequency_Hz", "rear_tramp_damping",
                              FREQUENCY "in which the rear wheels move up and down against each other"},
  };
  result possible = r->rows && r->level < VD_L3 ? refused("this level has no ride modes") : known(0.0);
  for (int i = 0; i < VD_RIDE_MODES; i++) {
    add(out, mode[i].frequency, "Hz", of_mode(r, possible, r->linearised ? r->modes.mode[i].frequency : NAN),
        mode[i].shape);
    add(out, mode[i].damping, "1", of_mode(r, possible, r->linearised ? r->modes.mode[i].damping : NAN), DAMPING);
  }
  static const char *const tyre_only[] = {"front_tyre_only_frequency_Hz", "rear_tyre_only_frequency_Hz"};
  static const char *const spring_only[] = {"front_spring_only_damping", "rear_spring_only_damping"};
  for (int a = 0; a < VD_AXLES; a++) {
    add(out, tyre_only[a], "Hz", of_mode(r, possible, r->linearised ? r->modes.tyre_only_frequency[a] : NAN),
        TYRE_ONLY);
    add(out, spring_only[a], "1", of_mode(r, possible, r->linearised ? r->modes.spring_only_damping[a] : NAN),
        SPRING_ONLY);
  }
}

bool vd_metrics_need_modes(const char *set) {
  return strcmp(set, "modes") == 0;
}

bool vd_metrics_need_ride(const char *set) {
  return strcmp(set, "ride") == 0;
}

void vd_metrics_compute(const char *set, const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  if (strcmp(set, "run") == 0)
    run_metrics(r, out);
  else if (strcmp(set, "step_steer") == 0)
    step_steer_metrics(r, options->steady_window, out);
  else if (strcmp(set, "acceleration") == 0)
    acceleration_metrics(r, options->from_speed, options->to_speed, out);
  else if (strcmp(set, "braking") == 0)
    braking_metrics(r, out);
  else if (strcmp(set, "ride") == 0)
    ride_metrics(r, out);
  else if (strcmp(set, "handling") == 0)
    handling_metrics(r, out);
  else if (strcmp(set, "modes") == 0)
    modes_metrics(r, out);
  else {
    assert(strcmp(set, "path") == 0);
    path_metrics(r, out);
  }
}
