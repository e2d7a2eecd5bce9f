/* Response to a step at the steering wheel, ISO 7401:2011. */
#include "metrics/metrics_impl.h"

#include <math.h>

static const double min_overshoot = 1e-3;

typedef struct step_study {
  const vd_recorder *r;
  double window;          /* s */
  vd_result wheel, angle; /* rad, steady angles of steering wheel and road wheels */
  vd_result t0, rise;     /* s */
  /* sample numbers, valid if t0 has a value */
  size_t index; /* first sample at or after t0 */
  size_t onset; /* start of the search for responses */
  size_t jump;  /* the steering wheel jumps just before this sample; 0: no jump */
} step_study;

/* Returns the instant at which x rises through the level, s. A value that jumps together with the steering wheel
 * reaches the level at the sample after the jump, because rows at corners have the values after the corner. */
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
  s->t0 = s->rise = vd_metric_refused("the steering wheel never rises through 50 %% of its steady value");
  if (i == 0)
    return;
  if (vd_metric_rises_through(&x, i + 1, half)) {
    s->t0 = s->rise =
        vd_metric_refused("no step: the steering wheel rises more than once through 50 %% of its steady value");
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
                : vd_metric_refused("the steering wheel does not rise from 10 %% to 90 %% of its steady value");
}

static step_study study_step(const vd_recorder *r, double window) {
  step_study s = {.r = r, .window = window};
  s.angle = vd_metric_steady_value(r, VD_SERIES_STEER, window);
  s.wheel = vd_metric_both(VD_METRIC_USABLE(r, VD_SERIES_TIME), vd_metric_steady_value(r, VD_SERIES_WHEEL, window));
  if (vd_metric_good(&s.wheel) && !(fabs(s.wheel.value) > vd_series_table[VD_SERIES_WHEEL].floor))
    s.wheel = vd_metric_refused("no steer input: the steering wheel ends at zero");
  s.t0 = s.rise = s.wheel;
  if (vd_metric_good(&s.wheel))
    find_step(&s);
  return s;
}

static vd_result response_time(const step_study *s, const vd_series *x, double steady) {
  size_t i = vd_metric_rises_through(x, s->onset + 1, 0.9 * steady);
  return i ? vd_metric_known(crossing_time(s, x, i, 0.9 * steady) - s->t0.value)
           : vd_metric_refused("%s does not rise through 90 %% of its steady value after the step",
                               vd_series_table[x->channel].name);
}

/* Finds the first peak after t0 that exceeds the steady value; *t: time of the peak. */
static vd_result first_peak(const step_study *s, const vd_series *x, double steady, double *t) {
  bool exceeds = false;
  for (size_t i = s->index; i < x->count; i++) {
    if (!(vd_series_at(x, i) > (1.0 + min_overshoot) * steady))
      continue;
    exceeds = true;
    size_t next = i + 1; /* next: end of a flat top */
    while (next < x->count && vd_series_at(x, next) == vd_series_at(x, i))
      next++;
    if (vd_series_at(x, i - 1) < vd_series_at(x, i) && next < x->count && vd_series_at(x, next) < vd_series_at(x, i)) {
      double height;
      vd_metric_refine_peak(x, i, t, &height);
      return vd_metric_known(height);
    }
  }
  return exceeds ? vd_metric_refused("no peak: %s exceeds its steady value and does not turn back",
                                     vd_series_table[x->channel].name)
                 : vd_metric_refused("no overshoot: the response never exceeds its steady value");
}

typedef struct response {
  vd_result time, peak_time, overshoot;
} response;

static response study_response(const step_study *s, enum vd_series_channel channel, vd_result steady) {
  vd_series x = vd_series_of(s->r, channel);
  if (vd_metric_good(&steady) && !(fabs(steady.value) > vd_series_table[channel].floor))
    steady = vd_metric_refused("%s has a steady value of zero", vd_series_table[channel].name);
  vd_result blocked = vd_metric_both(s->t0, steady);
  if (!vd_metric_good(&blocked))
    return (response){blocked, blocked, blocked};
  x.sign = copysign(1.0, steady.value);
  double size = fabs(steady.value), t = NAN;
  response out = {.time = response_time(s, &x, size)};
  vd_result peak = first_peak(s, &x, size, &t);
  out.peak_time = vd_metric_of(peak, t - s->t0.value);
  out.overshoot = vd_metric_of(peak, (peak.value - size) / size);
  return out;
}

static vd_result speed_at_step(const step_study *s) {
  vd_series x = vd_series_of(s->r, VD_SERIES_VX), t = vd_series_of(s->r, VD_SERIES_TIME);
  vd_result checked = vd_metric_both(s->t0, VD_METRIC_USABLE(s->r, VD_SERIES_VX));
  return vd_metric_good(&checked)
             ? vd_metric_known(vd_metric_between(&x, s->index, vd_metric_share(&t, s->index, s->t0.value)))
             : checked;
}

/* Returns the TB factor: peak response time x |side slip angle|, in deg s, as is usual. */
static vd_result tb_factor(vd_result peak_time, vd_result sideslip) {
  return vd_metric_of(vd_metric_both(peak_time, sideslip), peak_time.value * fabs(sideslip.value) * (180.0 / VD_PI));
}

static const vd_metric_info metrics[] = {
    {"step_time_s", "s",
     "t0: instant at which the steering wheel crosses 50 % of its steady value; a jump of the steering wheel counts at "
     "the first step after the jump; after ISO 7401"},
    {"steering_rise_time_s", "s", "time of the steering wheel from 10 % to 90 % of its steady value"},
    {"step_speed_mps", "m/s", "vx at t0"},
    {"speed_change_mps", "m/s", "vx at the end minus vx at t0"},
    {"steering_wheel_steady_rad", "rad", "mean steering wheel angle over the steady window at the end of the run"},
    {"steer_steady_rad", "rad", "mean road wheel angle over the steady window at the end of the run"},
    {"yaw_rate_steady_radps", "rad/s", "mean yaw rate over the steady window"},
    {"ay_steady_mps2", "m/s2", "mean ay over the steady window"},
    {"sideslip_steady_rad", "rad", "mean side slip angle over the steady window"},
    {"roll_steady_rad", "rad", "mean roll of the body over the steady window"},
    {"yaw_rate_gain_radps_per_rad", "1/s", "steady yaw rate divided by steady steering wheel angle; after ISO 7401"},
    {"ay_gain_mps2_per_rad", "m/(s2 rad)", "steady ay divided by steady steering wheel angle; after ISO 7401"},
    {"yaw_rate_road_wheel_gain_radps_per_rad", "1/s", "steady yaw rate divided by steady road wheel angle"},
    {"ay_road_wheel_gain_mps2_per_rad", "m/(s2 rad)", "steady ay divided by steady road wheel angle"},
    {"sideslip_per_ay_rad_per_mps2", "rad s2/m", "steady side slip angle divided by steady ay"},
    {"roll_per_ay_rad_per_mps2", "rad s2/m", "steady roll divided by steady ay"},
    {"yaw_rate_response_time_s", "s",
     "instant at which the yaw rate first reaches 90 % of its steady value, minus t0; after ISO 7401"},
    {"yaw_rate_peak_response_time_s", "s",
     "instant of the first peak of the yaw rate above its steady value, minus t0; after ISO 7401"},
    {"yaw_rate_overshoot", "1", "(first peak - steady)/steady of the yaw rate; after ISO 7401"},
    {"ay_response_time_s", "s", "instant at which ay first reaches 90 % of its steady value, minus t0; after ISO 7401"},
    {"ay_peak_response_time_s", "s",
     "instant of the first peak of ay above its steady value, minus t0; after ISO "
     "7401"},
    {"ay_overshoot", "1", "(first peak - steady)/steady of ay; after ISO 7401"},
    {"tb_factor_deg_s", "deg s",
     "peak response time of the yaw rate x |steady side slip angle| in degrees; after ISO 7401"},
};

static void set_step(const step_study *s, vd_metrics *out) {
  vd_result speed = speed_at_step(s),
            end = vd_metric_of(VD_METRIC_USABLE(s->r, VD_SERIES_VX), vd_recorder_last(s->r)->vx);
  vd_set_metric(out, "step_time_s", s->t0);
  vd_set_metric(out, "steering_rise_time_s", s->rise);
  vd_set_metric(out, "step_speed_mps", speed);
  vd_set_metric(out, "speed_change_mps", vd_metric_subtract(end, speed));
  vd_set_metric(out, "steering_wheel_steady_rad", s->wheel);
  vd_set_metric(out, "steer_steady_rad", s->angle);
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  double window = r->options->steady_window;
  step_study s = study_step(r, window);
  vd_result yaw = vd_metric_steady_value(r, VD_SERIES_YAW_RATE, window),
            ay = vd_metric_steady_value(r, VD_SERIES_AY, window);
  vd_result slip = vd_metric_steady_value(r, VD_SERIES_SIDESLIP, window);
  vd_result roll =
      vd_metric_both(vd_metric_from_level(r, VD_L2, "body roll"), vd_metric_steady_value(r, VD_SERIES_ROLL, window));
  /* if there is no step, the values at the end of the run are not values of a response to a step */
  yaw = vd_metric_both(s.t0, yaw);
  ay = vd_metric_both(s.t0, ay);
  slip = vd_metric_both(s.t0, slip);
  roll = vd_metric_both(s.t0, roll);
  response yaw_response = study_response(&s, VD_SERIES_YAW_RATE, yaw);
  response ay_response = study_response(&s, VD_SERIES_AY, ay);
  set_step(&s, out);
  vd_set_metric(out, "yaw_rate_steady_radps", yaw);
  vd_set_metric(out, "ay_steady_mps2", ay);
  vd_set_metric(out, "sideslip_steady_rad", slip);
  vd_set_metric(out, "roll_steady_rad", roll);
  vd_set_metric(out, "yaw_rate_gain_radps_per_rad", vd_metric_divide(yaw, s.wheel));
  vd_set_metric(out, "ay_gain_mps2_per_rad", vd_metric_divide(ay, s.wheel));
  vd_set_metric(out, "yaw_rate_road_wheel_gain_radps_per_rad", vd_metric_divide(yaw, s.angle));
  vd_set_metric(out, "ay_road_wheel_gain_mps2_per_rad", vd_metric_divide(ay, s.angle));
  vd_set_metric(out, "sideslip_per_ay_rad_per_mps2", vd_metric_divide(slip, ay));
  vd_set_metric(out, "roll_per_ay_rad_per_mps2", vd_metric_divide(roll, ay));
  vd_set_metric(out, "yaw_rate_response_time_s", yaw_response.time);
  vd_set_metric(out, "yaw_rate_peak_response_time_s", yaw_response.peak_time);
  vd_set_metric(out, "yaw_rate_overshoot", yaw_response.overshoot);
  vd_set_metric(out, "ay_response_time_s", ay_response.time);
  vd_set_metric(out, "ay_peak_response_time_s", ay_response.peak_time);
  vd_set_metric(out, "ay_overshoot", ay_response.overshoot);
  vd_set_metric(out, "tb_factor_deg_s", tb_factor(yaw_response.peak_time, slip));
}

const vd_metric_set vd_metrics_step_steer = {VD_METRIC_SET(step_steer, metrics, compute),
                                             .title = "response to a step at the steering wheel",
                                             .standard = "ISO 7401", .view = VD_VIEW_LEAN};
