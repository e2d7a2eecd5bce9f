/* Order of convergence of the integration, by halving the step on smooth runs: all dynamic states, not only the
 * position. The order is log2 of the ratio of the differences between the results with successive steps. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

/* a smooth run: no corner after the start, no wheel locks or lifts, speeds far above the slip floor */
static const char cruise[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 10 s}\n"
                             "initial: {speed: 30 m/s}\n"
                             "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 0.4 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 0.7 Hz}\n";

/* The car with relaxation, an engine in one gear, a clutch and a limited-slip differential that both stick; the run is
 * smooth. The relaxation lengths grow if a step covers more than one of them (planar.c), and the standstill damper is
 * reduced above 1 ms, so the steps are short; the inputs are fast, so that the errors are well above the error of the
 * load loop (1e-11). */
static const char relaxed[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 10 s, slip: transient}\n"
                              "initial: {speed: 30 m/s}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 4 Hz}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 4 Hz}\n";

/* within one cell of the torque map: throttle above 0.5, 3060 to 4000 rpm */
static const char geared[] = "vehicle: ../vehicles/sedan_automatic.yaml\n"
                             "run: {duration: 10 s}\n"
                             "initial: {speed: 25 m/s}\n"
                             "gear: 4\n"
                             "throttle: {type: sine, from: 0.75, amplitude: 0.15, frequency: 2 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 3 Hz}\n";

static const char sticking[] = "vehicle: ../vehicles/sports.yaml\n"
                               "run: {duration: 10 s}\n"
                               "initial: {speed: 30 m/s}\n"
                               "throttle: {type: sine, from: 0.2, amplitude: 0.1, frequency: 2 Hz}\n"
                               "steer: {type: sine, amplitude: 0.002, frequency: 3 Hz}\n";

/* Three runs, with the coarse step, half and a quarter of it. States are compared at several instants, as an error may
 * pass through zero at one instant. */
enum { RUNS = 3, INSTANTS = 20 };

static void run_at(const char *text, const char *level, double step, double (*x)[VD_STATES]) {
  scene *s = scene_make(text, level, NULL);
  scene_restep(s, step);
  for (int k = 0; k < INSTANTS; k++) {
    scene_run(s, 0.2 * (k + 1));
    for (int i = 0; i < VD_STATES; i++)
      x[k][i] = s->sim.state.x[i];
  }
  scene_free(s);
}

static double distance(double (*a)[VD_STATES], double (*b)[VD_STATES], int i) {
  double worst = 0.0;
  for (int k = 0; k < INSTANTS; k++)
    worst = tap_max(worst, fabs(a[k][i] - b[k][i]));
  return worst;
}

/* Measures the order. The coarse step is the longest of 1, 2, 4, 8 ms for which all three runs use the same method and
 * the next term of the error is much smaller than the first:
 *
 * - The rate of a spin times the step is at most 1: beyond 1 the steps are exponential (math/rk4.h). The spins have
 *   90 to 123 1/s here, so 8 ms at most. With z = rate h the error of e^-z is z^5/120 (1 - z/6 ...), so that z = 1
 *   changes the order by log2((1 - 1/12)/(1 - 1/6)) = 0.14.
 * - An input has at least 50 steps per period, so that the next term of its sine, (2 pi/50)^2/6, is below 1 %: 8 ms
 *   for 0.7 Hz, 4 ms for 3 Hz. L0 has no spins: 40 ms are 36 steps per period of 0.7 Hz.
 * - The next term falls with the step. For an engine with its clutch it reduces the order by 0.25 at 4 ms, so by half
 *   of this at 2 ms: a bound of 3.8 needs 2 ms.
 * - Transient slip: see above. */
static void check_order(const char *text, const char *level, double coarse, double least) {
  static double x[RUNS][INSTANTS][VD_STATES];
  for (int k = 0; k < RUNS; k++)
    run_at(text, level, coarse / (double)(1 << k), x[k]);
  double worst = INFINITY;
  int counted = 0;
  for (int i = 0; i < VD_STATES; i++) {
    double d1 = distance(x[0], x[1], i), d2 = distance(x[1], x[2], i);
    if (d2 == 0.0 || i == VD_S_WORK_CLUTCH)
      continue; /* an unused state; the work of a clutch that sticks is rounding */
    double order = log2(d1 / d2);
    tap_diag("%s %-12s %.3g %.3g order %.3f", level, vd_state_table[i].name, d1, d2, order);
    worst = tap_min(worst, order);
    counted++;
  }
  tap_ok(worst >= least && counted >= 8, "%s: each of %d states converges with order %.2f or better (>= %.1f)",
         level + 10, counted, worst, least);
}

/* Returns the peak yaw rate of a step steer, integrated with this step. */
static double peak_yaw_rate(const char *level, double step) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 6 s}\n"
                        "initial: {speed: 100 km/h}\n"
                        "speed: 100 km/h\n"
                        "steering_wheel: {type: step, start: 1 s, rise: 0.1 s, value: 18 deg}\n",
                        level, NULL);
  scene_restep(s, step);
  double peak = 0.0;
  for (long i = 0; i < lround(3.0 / step); i++) {
    vd_sim_step(&s->sim);
    peak = tap_max(peak, s->sim.eval.motion.yaw_rate);
  }
  scene_free(s);
  return peak;
}

/* Returns the yaw rate after a step input between grid points: the integration's step is split at the corner. */
static double after_odd_step(double step) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 6 s, level: L2}\n"
                        "initial: {speed: 100 km/h}\n"
                        "steer: {type: step, start: 0.1234, value: 0.02}\n",
                        NULL);
  scene_restep(s, step);
  scene_run(s, 0.4);
  double r = s->sim.eval.motion.yaw_rate;
  scene_free(s);
  return r;
}

int main(void) {
  tap_plan(11);
  check_order(cruise, "run.level=L0", 0.04, 3.8);
  check_order(cruise, "run.level=L1", 0.008, 3.8);
  check_order(cruise, "run.level=L2", 0.008, 3.8);
  check_order(relaxed, "run.level=L1", 0.001, 3.8);
  check_order(relaxed, "run.level=L2", 0.001, 3.8);
  check_order(geared, "run.level=L1", 0.002, 3.8);
  check_order(geared, "run.level=L2", 0.002, 3.8);
  check_order(sticking, "run.level=L2", 0.004, 3.8);
  for (int l = 1; l <= 2; l++) {
    const char *level = l == 1 ? "run.level=L1" : "run.level=L2";
    double one = peak_yaw_rate(level, 0.001), half = peak_yaw_rate(level, 0.0005);
    tap_near(one / half, 1.0, 5e-4, "%s: halving the step moves the peak yaw rate of a step steer by < 0.05 %%", level);
  }
  tap_near(after_odd_step(0.001), after_odd_step(0.0005), 1e-9,
           "a step at 0.1234 s gives the same run at 1 ms and 0.5 ms");
  return tap_done();
}
