/* Optimisations: known optima of closed forms are found with their multipliers, and infeasible goals are reported. */
#include "study/fit_impl.h"

#include "base/memory.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
  vd_arena *arena;
  vd_diag *d;
  vd_fit fit;
  vd_fit_result result;
  bool good;
} bench;

static void open_bench(bench *b, const char *text, const vd_fit_options *options) {
  *b = (bench){.arena = vd_arena_create(), .d = vd_diag_create()};
  int source = vd_diag_add_source(b->d, "optimise.yaml", text, strlen(text));
  b->good = vd_fit_read_source(source, NULL, 0, b->arena, b->d, &b->fit) &&
            vd_fit_solve(&b->fit, options, b->arena, b->d, &b->result);
  if (!b->good)
    vd_diag_print(b->d, stderr, false);
}

static void close_bench(bench *b) {
  vd_diag_destroy(b->d);
  vd_arena_destroy(b->arena);
}

static bool near(double value, double expected, double tolerance) {
  bool is = fabs(value - expected) <= tolerance;
  tap_diag("%.9g, expected %.9g within %.2g", value, expected, tolerance);
  return is;
}

/* --- the linear single track --- */

/* Mass, yaw inertia, distances of the axles and stiffness of an axle of scenarios/vehicles/textbook_linear.yaml. */
static const double m = 1573.0, iz = 2873.0, a = 1.10, b = 1.58, c = 160e3;

#define SINGLE_TRACK                                                                                                   \
  "kind: optimise\nscenario: scenarios/road/linear_step.yaml\nset: ['steer.value=0.05 deg', 'metrics=[step_steer, "    \
  "modes]'"                                                                                                            \
  ", run.duration=6 s]\n"                                                                                              \
  "optimise:\n"                                                                                                        \
  "  free: {name: v, key: [initial.speed, speed.value], low: 10 m/s, high: 60 m/s, start: 15 m/s}\n"                   \
  "  runs:\n"

/* Checks that the yaw rate gain v/(L + K v^2) is greatest at the characteristic speed v_ch = sqrt(L/K), where the
 * curvature is -1/v_ch^2 times the gain. A relative error e of the gain moves the maximum by v_ch^2 de/dv. The gain has
 * an error of 1e-6 by integration, which changes over tens of m/s: 39^2 1e-7 = 1.5e-4 m/s. Central differences with
 * 0.002 of 50 m/s move the maximum by 0.1^2/6 times the third derivative over the second, about 1/v_ch: 5e-5 m/s. The
 * last step of the search is below 1e-4 of 50 m/s, 5e-3 m/s, the greatest of these errors. */
static void check_characteristic_speed(void) {
  bench t;
  open_bench(&t, SINGLE_TRACK "    goals: {metric: yaw_rate_road_wheel_gain_radps_per_rad, aim: most}\n", NULL);
  double l = a + b, k = m * (b - a) / (l * c), v = sqrt(l / k);
  tap_ok(t.good && near(t.result.optimum->figure[0], v, 1e-2), "the gain is greatest at the characteristic speed");
  tap_ok(t.good && t.result.optimum->bound_price[0] == 0.0 && t.result.missed == 0,
         "at the optimum no bound is active");
  close_bench(&t);
}

/* Checks a limit of the damping. The single track has 2 zeta omega v = T = 2 C/m + C (a^2 + b^2)/Iz and (omega v)^2 =
 * C^2 L^2/(m Iz) + C (b - a) v^2/Iz: the damping falls with the speed while the gain rises, so that the limit zeta >=
 * 0.8 determines the optimum speed. Its multiplier is dG/dv/(dzeta/dv). The modes are computed from the model itself:
 * the only error is the last step of the search, 1e-4 of 50 m/s. */
static void check_damping_limit(void) {
  bench t;
  open_bench(&t,
             SINGLE_TRACK "    goals:\n"
                          "      - {metric: yaw_rate_road_wheel_gain_radps_per_rad, aim: most}\n"
                          "      - {metric: yaw_damping, above: 0.8}\n",
             NULL);
  double l = a + b, k = m * (b - a) / (l * c), zeta = 0.8;
  double tr = 2.0 * c / m + c * (a * a + b * b) / iz, stiff = c * c * l * l / (m * iz), more = c * (b - a) / iz;
  double v = sqrt((tr * tr / (4.0 * zeta * zeta) - stiff) / more);
  double slope = (l - k * v * v) / ((l + k * v * v) * (l + k * v * v));
  double fall = -zeta * more * v / (stiff + more * v * v);
  tap_ok(t.good && near(t.result.optimum->figure[0], v, 1e-2), "a limit of the yaw damping determines the speed");
  tap_ok(t.good && near(t.result.optimum->price[1], slope / fall, 0.01 * fabs(slope / fall)),
         "the multiplier of the yaw damping is the change of the gain with its limit");
  tap_ok(t.good && t.result.optimum->solution.price[1] > 0.0 && t.result.optimum->bound_price[0] == 0.0,
         "the limit of the yaw damping is active, no bound is");
  close_bench(&t);
}

/* Checks the target 5 of the gain. It is reached at two speeds, K v^2 - v/5 + L = 0, of which the lower one is below 20
 * m/s. */
static void check_target(void) {
  bench t;
  open_bench(&t, SINGLE_TRACK "    goals: {metric: yaw_rate_road_wheel_gain_radps_per_rad, value: 5}\n", NULL);
  double l = a + b, k = m * (b - a) / (l * c), v = (0.2 - sqrt(0.04 - 4.0 * k * l)) / (2.0 * k);
  tap_ok(t.good && near(t.result.optimum->figure[0], v, 1e-2) && t.result.missed == 0,
         "a target without an aim is met");
  close_bench(&t);
}

/* Checks the target 9 of the gain, which is at most v_ch/(2 L) = 7.278: the nearest value is the maximum. */
static void check_missed_target(void) {
  bench t;
  open_bench(&t, SINGLE_TRACK "    goals: {metric: yaw_rate_road_wheel_gain_radps_per_rad, value: 9}\n", NULL);
  double l = a + b, k = m * (b - a) / (l * c);
  tap_ok(t.good && t.result.missed == 1 && near(t.result.optimum->figure[0], sqrt(l / k), 5e-2),
         "a target that cannot be reached is approached as closely as possible");
  close_bench(&t);
}

/* --- the quarter car over white noise of the road's velocity --- */

/* A car whose wheels are lifted by h responds as to a step of the road by -h. By Parseval's theorem the integrals of
 * its squared acceleration and tyre force over the time are the variances over white noise of the road's velocity. With
 * body M2, wheel M1, M = M1 + M2, spring k, damper d, tyre K (Gobbi and Mastinu, Analytical description and
 * optimization of the dynamic behaviour of passively suspended road vehicles, J. Sound Vib. 245, 2001, not read;
 * derived from the table of integrals of James, Nichols and Phillips, Theory of Servomechanisms, 1947):
 *   acceleration   h^2/2 (k^2 M/(M2^2 d) + K d/M2^2), least at d = k sqrt(M/K)
 *   tyre force     h^2 K^2/2 (p/d + q d), p = M1 - 2 k M M1/(K M2) + k^2 M^3/(K^2 M2^2), q = M^2/(K M2^2),
 *                  least at d = sqrt(p/q)
 * A run of 4 s lacks exp(-2 zeta omega t) < 1e-4 of the integrals. The error of steps of 1 ms is about (omega_hop
 * dt)^2/12 = 5e-4 of the wheel's part. If the error of a variance changes by e over the range of d, the minimum moves
 * by e d^2/range, less than 1e-3 d. */

static const double body = 353.25, wheel = 40.0, spring = 30e3, tyre = 220e3;

#define QUARTER_CAR(more)                                                                                              \
  "kind: optimise\nscenario: scenarios/ride/drop.yaml\n"                                                               \
  "set: [vehicle=scenarios/vehicles/textbook_linear.yaml, vehicle.cg_to_front=1.34, handbrake=0, initial.lift=0.005,"  \
  " run.duration=4 s, run.step=1 ms, 'metrics={sets: [ride]}']\n"                                                      \
  "optimise:\n"                                                                                                        \
  "  free: {name: damper, key: [vehicle.front.damper.bump, vehicle.front.damper.rebound, vehicle.rear.damper.bump,"    \
  " vehicle.rear.damper.rebound], low: 500 N s/m, high: 5000 N s/m, start: 4 kN s/m" more "}\n"                        \
  "  points: 5\n"                                                                                                      \
  "  runs:\n"                                                                                                          \
  "    goals:\n"                                                                                                       \
  "      - {metric: az_rms_mps2, aim: least}\n"

static void loads(double *p, double *q) {
  double all = body + wheel;
  *p = wheel - 2.0 * spring * all * wheel / (tyre * body) +
       spring * spring * all * all * all / (tyre * tyre * body * body);
  *q = all * all / (tyre * body * body);
}

static void check_front(void) {
  bench t;
  double p, q;
  loads(&p, &q);
  double comfort = spring * sqrt((body + wheel) / tyre), holding = sqrt(p / q);
  open_bench(&t, QUARTER_CAR("") "      - {metric: load_coefficient_fl, aim: least}\n", NULL);
  const vd_optimum *at = t.result.optimum;
  bool all = t.good && t.result.optima == 5;
  tap_ok(all && near(at[0].figure[0], comfort, 2e-3 * comfort), "the most comfortable damper is one end of the front");
  tap_ok(all && near(at[4].figure[0], holding, 2e-3 * holding),
         "the damper of least tyre load variation is the other end of the front");
  /* the rms forces of the points between are evenly spaced; of the two dampers with such a force the softer one is
   * found */
  double from = sqrt(p / comfort + q * comfort), to = sqrt(p / holding + q * holding);
  for (int i = 1; i < 4; i++) {
    double rms = from + (to - from) * i / 4.0, half = rms * rms / (2.0 * q), d = half - sqrt(half * half - p / q);
    /* an error e of the force's rms, 3e-4, moves d by e (p/d + q d)/|q - p/d^2| */
    double e = 3e-4 * rms * rms / fabs(q - p / (d * d));
    tap_ok(all && near(at[i].figure[0], d, e + 2e-3 * d), "point %d of the front is that of theory", i + 1);
  }
  tap_ok(all && at[2].price[1] < 0.0 && t.result.missed == 0, "the front falls: less force requires more acceleration");
  close_bench(&t);
}

/* Checks the limit of 0.018 of the load coefficient. The most comfortable damper exceeds this limit, so it is active:
 * rms^2 = (0.018 F)^2 4 s, with the static load F, is h^2 K^2/2 (p/d + q d). */
static void check_load_limit(void) {
  bench t;
  double p, q, g = 9.80665;
  loads(&p, &q);
  open_bench(&t, QUARTER_CAR(", logarithm: true") "      - {metric: load_coefficient_fl, below: 0.018}\n", NULL);
  double force = 0.018 * (body + wheel) * g, rms2 = 2.0 * force * force * 4.0 / (0.005 * 0.005 * tyre * tyre);
  double half = rms2 / (2.0 * q), d = half - sqrt(half * half - p / q);
  double e = 3e-4 * rms2 / fabs(q - p / (d * d));
  tap_ok(t.good && near(t.result.optimum->figure[0], d, e + 2e-3 * d),
         "a limit of the tyre load requires a stiffer damper");
  tap_ok(t.good && t.result.optimum->solution.price[1] < 0.0 && t.result.optimum->price[1] < 0.0,
         "the upper limit of the load coefficient is active, and a higher limit would reduce the acceleration");
  close_bench(&t);
}

/* --- several starts, several runs, formulas --- */

/* Speed of a car at L0: 20 + x^3 - 3 x has a local maximum of 22 at x = -1 and is 28.125 at the bound x = 2.5. */
#define HILL                                                                                                           \
  "kind: optimise\nscenario: scenarios/road/linear_step.yaml\nset: [run.level=L0, run.duration=2 s, steer=0]\n"        \
  "optimise:\n"                                                                                                        \
  "  free: {name: x, start: -1.5, low: -2, high: 2.5}\n"                                                               \
  "  formulas: {key: [initial.speed, speed.value], formula: 20 + x^3 - 3*x}\n"                                         \
  "  runs:\n"                                                                                                          \
  "    - {name: long, goals: {metric: distance_m, aim: most}}\n"

static void check_starts(void) {
  bench t;
  open_bench(&t, HILL, NULL);
  /* differences over 0.009 add 0.009^2 to 3 x^2 - 3 */
  tap_ok(t.good && near(t.result.optimum->figure[0], -1.0, 1e-3), "one start ends at the local maximum");
  close_bench(&t);
  open_bench(&t, HILL "  starts: 8\n", NULL);
  tap_ok(t.good && t.result.optimum->figure[0] == 2.5, "several starts find the bound, which is better");
  /* distance in two seconds: its slope is 2 (3 x^2 - 3) */
  tap_ok(t.good && near(t.result.optimum->bound_price[0], 2.0 * (3.0 * 2.5 * 2.5 - 3.0), 1e-2),
         "the multiplier of the bound is the slope of the distance");
  close_bench(&t);
}

/* Checks two runs. In the second run, of 1 s, the distance may be at most 24 m: x^3 - 3 x = 4. The first run is twice
 * as long. */
static void check_two_runs(void) {
  bench t;
  open_bench(&t,
             HILL "    - {name: short, set: [run.duration=1 s], goals: {metric: distance_m, below: 24 m}}\n"
                  "  starts: 8\n",
             NULL);
  tap_ok(t.good && near(t.result.optimum->figure[0], 2.195823345, 1e-4), "a limit on another run is active");
  tap_ok(t.good && near(t.result.optimum->price[1], 2.0, 1e-3),
         "a limit of one metre more in that run increases the aim by two metres");
  close_bench(&t);
}

/* --- resuming --- */

/* Keeps the results of runs, and stops after some of them as if the process were killed. */
typedef struct keeper {
  char *line[400];
  size_t known, first, made, most;
} keeper;

static bool each(void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
                 void (*take)(void *task, size_t i, const vd_buf *result), void *task) {
  keeper *k = context;
  for (size_t back = count; back-- > 0;) { /* in reverse: the order must not matter */
    vd_buf result = {0};
    if (!k->line[k->first + back]) {
      if (k->made == k->most)
        return false;
      k->made++;
      work(task, back, &result);
      k->line[k->first + back] = strdup(result.text);
      vd_buf_finish(&result);
    }
    vd_buf_puts(&result, k->line[k->first + back]);
    take(task, back, &result);
    vd_buf_finish(&result);
  }
  k->first += count;
  return true;
}

#define LIMITED                                                                                                        \
  SINGLE_TRACK "    goals:\n"                                                                                          \
               "      - {metric: yaw_rate_road_wheel_gain_radps_per_rad, aim: most}\n"                                 \
               "      - {metric: yaw_damping, above: 0.8}\n"

static void check_resume(void) {
  bench whole, part;
  keeper k = {.most = 11};
  open_bench(&whole, LIMITED, NULL);
  const vd_fit_options options = {.each = each, .context = &k};
  open_bench(&part, LIMITED, &options);
  close_bench(&part);
  k.first = 0;
  k.most = 1000;
  open_bench(&part, LIMITED, &options);
  tap_ok(whole.good && part.good && k.made == whole.result.runs &&
             memcmp(&whole.result.optimum->solution, &part.result.optimum->solution,
                    sizeof whole.result.optimum->solution) == 0,
         "an optimisation that is resumed ends with the same bits, and repeats no run");
  close_bench(&part);
  close_bench(&whole);
  for (size_t i = 0; i < VD_COUNT(k.line); i++)
    free(k.line[i]);
}

int main(void) {
  tap_plan(21);
  check_characteristic_speed();
  check_damping_limit();
  check_target();
  check_missed_target();
  check_front();
  check_load_limit();
  check_starts();
  check_two_runs();
  check_resume();
  return tap_done();
}
