/* Frequency response from sums of sines that repeat with the segment, through a first-order lag and a pure delay: gains
 * and phases are known on every line. */
#include "histories.h"

#include <stdio.h>

enum { TESTS = 65 };

/* corner frequency of the lag (Hz), gain of the yaw rate; gain of ay and its delay; greatest frequency of the input
 * (Hz) */
enum { CORNER, YAW, AY, DELAY, TOP };

static const double spacing = 0.1; /* Hz */

static void sines(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  for (int k = 1; spacing * k <= p[TOP] + 1e-9; k++) {
    double w = 2.0 * VD_PI * spacing * k, start = 2.4 * k * k; /* phases that keep the peaks low */
    double u = spacing * k / p[CORNER], size = 0.01;
    e->steering.steering_wheel += size * sin(w * t + start);
    e->motion.yaw_rate += p[YAW] * size / sqrt(1.0 + u * u) * sin(w * t + start - atan(u));
    e->body.ay += p[AY] * size * sin(w * (t - p[DELAY]) + start);
  }
  e->motion.vx = 27.0;
}

static const vd_metrics *run(const double *p, double duration, double segment, enum vd_window window) {
  vd_metrics_options options = history_options;
  vd_recorder r = {0};
  options.segment = segment;
  options.window = window;
  history_record(&r, sines, p, duration, VD_L2);
  return history_metrics("frequency_response", &r, &options);
}

static double lag_gain(const double *p, double hz) {
  return p[YAW] / hypot(1.0, hz / p[CORNER]);
}

static void test_lines(const double *p, const vd_metrics *m, double part, const char *what) {
  static const char *const suffix[] = {"02", "05", "1", "2"};
  static const double hz[] = {0.2, 0.5, 1.0, 2.0};
  for (int i = 0; i < 4; i++) {
    char name[80];
    snprintf(name, sizeof name, "response_yaw_rate_gain_%s_radps_per_rad", suffix[i]);
    is(m, name, lag_gain(p, hz[i]), part * p[YAW], what);
    snprintf(name, sizeof name, "response_yaw_rate_phase_%s_rad", suffix[i]);
    is(m, name, -atan(hz[i] / p[CORNER]), part, what);
    snprintf(name, sizeof name, "response_ay_gain_%s_mps2_per_rad", suffix[i]);
    is(m, name, p[AY], part * p[AY], what);
    snprintf(name, sizeof name, "response_ay_phase_%s_rad", suffix[i]); /* the phase continues beyond half a turn */
    is(m, name, -2.0 * VD_PI * hz[i] * p[DELAY], part, what);
  }
}

static void test_figures(const double *p, const vd_metrics *m, const char *what) {
  /* the lag's gain falls from the start; g^2 = 0.1^0.3 g0^2 with g^2 = 1/(1 + (f/fc)^2) */
  double g = pow(10.0, -0.15) / hypot(1.0, 0.2 / p[CORNER]), width = p[CORNER] * sqrt(1.0 / (g * g) - 1.0);
  is(m, "response_resonance", 1.0, 1e-9, what);
  is(m, "response_resonance_Hz", 0.2, 1e-9, what);
  /* interpolation between lines has an error of spacing^2/8 g''/g', with u = f/fc: (2 u^2 - 1)/(u (1 + u^2) fc) */
  double u = width / p[CORNER];
  double off = spacing * spacing / 8.0 * fabs(2.0 * u * u - 1.0) / (u * (1.0 + u * u) * p[CORNER]);
  is(m, "response_bandwidth_Hz", width, 1.5 * off, what);
  is(m, "response_45deg_Hz", p[CORNER], 1e-9, what); /* a line */
  is(m, "response_equivalent_time_s", 1.0 / (2.0 * VD_PI * p[CORNER]), 1e-9, what);
  is(m, "response_ay_45deg_Hz", 0.125 / p[DELAY], 1e-9, what);
}

int main(void) {
  double p[] = {0.8, 0.4, 12.0, 0.3, 4.0}, low[] = {0.8, 0.4, 12.0, 0.01, 2.0};
  tap_plan(TESTS);
  const vd_metrics *m = run(p, 10.0, 0.0, VD_WINDOW_HANN);
  test_lines(p, m, 1e-9, "the whole run");
  test_figures(p, m, "the whole run");
  m = run(p, 20.0, 10.0, VD_WINDOW_NONE);
  test_lines(p, m, 1e-9, "two segments");
  test_figures(p, m, "two segments");
  /* the window spreads a line only to its two neighbours, which have no input here */
  m = run(p, 60.0, 20.0, VD_WINDOW_HANN);
  test_lines(p, m, 1e-9, "Hann's window, every second line");
  m = run(low, 10.0, 0.0, VD_WINDOW_NONE);
  refuses(m, "response_resonance", "the steering wheel has no content at 2.1 Hz", "an input up to 2 Hz");
  refuses(m, "response_ay_45deg_Hz", "has no content", "an input up to 2 Hz");
  low[TOP] = 4.0;
  m = run(low, 10.0, 0.0, VD_WINDOW_NONE);
  refuses(m, "response_ay_45deg_Hz", "lags by less than 45 degrees", "a quick car");
  m = run(p, 4.0, 0.0, VD_WINDOW_NONE);
  refuses(m, "response_resonance", "lines at a spacing of 0.25 Hz do not reach from 0.2", "a short run");
  m = run(p, 10.0, 20.0, VD_WINDOW_NONE);
  refuses(m, "response_resonance", "is longer than the run", "a segment longer than the run");
  return tap_done();
}
