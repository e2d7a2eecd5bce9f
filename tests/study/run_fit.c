#define _XOPEN_SOURCE 700 /* for mkstemp */

/* Fits of runs: known figures are found, intervals contain the figures with their probability, and figures that the
 * data do not determine are named. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "math/chance.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct bench {
  vd_arena *arena;
  vd_diag *d;
  vd_fit fit;
  vd_fit_result result;
  bool good;
} bench;

static void open_bench(bench *b, const char *text) {
  *b = (bench){.arena = vd_arena_create(), .d = vd_diag_create()};
  int source = vd_diag_add_source(b->d, "fit.yaml", text, strlen(text));
  b->good = vd_fit_read_source(source, NULL, 0, b->arena, b->d, &b->fit);
  if (!b->good)
    vd_diag_print(b->d, stderr, false);
}

static void solve(bench *b, const vd_fit_options *options) {
  b->good = b->good && vd_fit_solve(&b->fit, options, b->arena, b->d, &b->result);
}

static void close_bench(bench *b) {
  vd_diag_destroy(b->d);
  vd_arena_destroy(b->arena);
}

static bool near(double value, double expected, double tolerance) {
  bool is = fabs(value - expected) <= tolerance;
  if (!is)
    printf("# %.12g, expected %.12g\n", value, expected);
  return is;
}

/* --- closed forms: at L0 a car at constant speed v drives 2 v in 2 s --- */

#define DRIVE                                                                                                          \
  "kind: fit\nscenario: scenarios/road/linear_step.yaml\n"                                                             \
  "set: [run.level=L0, run.duration=2 s, steer=0]\n"

static void check_prior(void) {
  bench b;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: {name: v, key: [initial.speed, speed.value], start: 20, deviation: 1}\n"
                       "  data: {figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n");
  solve(&b, NULL);
  /* the prior v = 20 has the weight 1, the measurement 25 the weight 1/2.5^2 */
  double weight = 1.0 / (2.5 * 2.5), v = (20.0 + 25.0 * weight) / (1.0 + weight), low, high;
  vd_fit_interval(&b.result.coefficient[0], 0.95, &low, &high);
  tap_ok(b.good && near(b.result.coefficient[0].value, v, 1e-6),
         "a start value with a deviation counts with its weight");
  tap_ok(b.good && near(b.result.coefficient[0].deviation, 1.0 / sqrt(1.0 + weight), 1e-6),
         "the deviation of the result follows from both measurements");
  tap_ok(b.good && near(high - b.result.coefficient[0].value, 1.959963984540054 / sqrt(1.0 + weight), 1e-6),
         "known scatters give a normal distribution");
  close_bench(&b);
}

/* Checks that an interval of prediction contains the error of the figure and the scatter of the value. 2 v has the
 * deviation 2/sqrt(1 + w) with w = 1/2.5^2, and a value that is not fitted has its own scatter of 2 m. The fitted value
 * misses its 50 m by 2 (25 - v), which is 2 (25 - v)/5 of its scatter; all intervals grow by this number, which is
 * above 1. */
static void check_prediction(void) {
  bench b;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: {name: v, key: [initial.speed, speed.value], start: 20, deviation: 1}\n"
                       "  data:\n"
                       "    - {name: a, set: title=a, figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n"
                       "    - {name: b, figures: {metric: distance_m, value: 41 m, scatter: 2 m, weight: 0}}\n");
  solve(&b, NULL);
  double weight = 1.0 / (2.5 * 2.5), v = (20.0 + 25.0 * weight) / (1.0 + weight);
  double growth = 2.0 * (25.0 - v) / 5.0 * 1.959963984540054, of_figure = 4.0 / (1.0 + weight);
  tap_ok(b.good && near(b.result.value[1], 2.0 * v, 1e-6) &&
             near(b.result.half[1], growth * sqrt(of_figure + 4.0), 1e-4) &&
             near(b.result.half[0], growth * sqrt(of_figure + 25.0), 1e-4),
         "a value that is not fitted is predicted with the errors of figure and value, and with the misfit");
  close_bench(&b);
}

/* Tests profiles of a linear model: with the speed x + y, the priors x = 20 +- 1 and y = 0 +- 1 and the distance 50 +-
 * 5 m the model is linear: the weights of the figures are [1 + w, w; w, 1 + w], w = 1/2.5^2. The rise of a profile then
 * equals the offset, and if x is fixed at one deviation from its result, y changes by -w/(1 + w) of this deviation. */
static void check_linear_profile(void) {
  bench b;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: [{name: x, start: 20, deviation: 1}, {name: y, start: 0, size: 1, deviation: 1}]\n"
                       "  formulas: {key: [initial.speed, speed.value], formula: x + y}\n"
                       "  data: {figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n"
                       "  profile: 2\n");
  solve(&b, NULL);
  const vd_fit_result *r = &b.result;
  double w = 1.0 / (2.5 * 2.5), low, high, line_low, line_high;
  bool good = b.good && r->profiles == 8;
  for (size_t i = 0; i < r->profiles && good; i++) {
    const vd_fit_profile *p = &r->profile[i];
    double off = p->value[p->figure] - r->coefficient[p->figure].value;
    double other = p->value[1 - p->figure] - r->coefficient[1 - p->figure].value;
    good = near(p->rise, p->offset, 1e-5) && near(other, -w / (1.0 + w) * off, 1e-5) &&
           near(off, p->offset * r->coefficient[p->figure].deviation, 1e-9);
  }
  tap_ok(good, "the profile of a linear model rises as its offset, and the other figure moves by their correlation");
  vd_run_fit_profile_interval(r, 0, &low, &high);
  vd_fit_interval(&r->coefficient[0], 0.95, &line_low, &line_high);
  tap_ok(good && near(low, line_low, 1e-5) && near(high, line_high, 1e-5),
         "the interval by the profile of a linear model is the linear one");
  close_bench(&b);
}

/* Checks the speed x^2 with 50 +- 5 m: x is 5, and its deviation 5/(4 x) = 1/4. The rise is (2 x^2 - 50)/5, so that the
 * interval of 95 % ends at sqrt(25 +- 2.5 * 1.96). The points of the profile reach further by a quarter. */
static void check_curved_profile(void) {
  bench b;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: {name: x, start: 4.8}\n"
                       "  formulas: {key: [initial.speed, speed.value], formula: x^2}\n"
                       "  data: {figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n"
                       "  profile: 40\n");
  solve(&b, NULL);
  double low, high, half = 2.5 * 1.959963984540054;
  bool good = b.good && b.result.profiles == 80;
  for (size_t i = 0; i < b.result.profiles && good; i++) {
    const vd_fit_profile *p = &b.result.profile[i];
    good = near(p->rise, (2.0 * p->value[0] * p->value[0] - 50.0) / 5.0, 1e-4);
  }
  tap_ok(good, "the profile of a curved model rises as its sum of squares");
  vd_run_fit_profile_interval(&b.result, 0, &low, &high);
  /* between points the rise is curved: (2 h^2/5)/4 with h = 1.25 * 1.96/4/40, the distance of the points */
  tap_ok(good && near(low, sqrt(25.0 - half), 1e-4) && near(high, sqrt(25.0 + half), 1e-4),
         "the interval of a curved model is not symmetric: its ends follow from the likelihood");
  close_bench(&b);
}

/* Distances of 50 +- 5 m, 40 +- 5 m, and one that is not fitted. If the first two are drawn n and 2 - n times, the
 * speed is (25 n + 20 (2 - n))/2. The third distance is predicted with the scatter of these speeds and its own scatter
 * of 2 m. This is multiplied by the misfit, 1, as both distances miss their mean by one scatter. */
#define THREE_DISTANCES                                                                                                \
  DRIVE "fit:\n"                                                                                                       \
        "  free: {name: v, key: [initial.speed, speed.value], start: 20}\n"                                            \
        "  data:\n"                                                                                                    \
        "    - {name: a, set: title=a, figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n"                    \
        "    - {name: b, set: title=b, figures: {metric: distance_m, value: 40 m, scatter: 5 m}}\n"                    \
        "    - {name: c, set: title=c, figures: {metric: distance_m, value: 46 m, scatter: 2 m, weight: 0}}\n"

static void check_resamples(void) {
  bench b;
  open_bench(&b, THREE_DISTANCES "  resamples: 40\n");
  solve(&b, NULL);
  const vd_fit_result *r = &b.result;
  double sum = 0.0, squares = 0.0, often[3] = {0.0};
  bool good = b.good && r->resamples == 40;
  for (size_t i = 0; i < r->resamples && good; i++) {
    int n = r->resample[i].drawn[0];
    double v = 0.5 * (25.0 * n + 20.0 * (2 - n));
    good = r->resample[i].drawn[1] == 2 - n && r->resample[i].drawn[2] == 0 && near(r->resample[i].value[0], v, 1e-5);
    often[n]++;
    sum += v - 22.5;
    squares += (v - 22.5) * (v - 22.5);
  }
  tap_ok(good, "a fit to drawn experiments weighs each one by the number of its draws");
  /* shares of 1/4, 1/2, 1/4 of 40 draws have deviations of 2.7, 3.2 and 2.7 */
  tap_ok(good && near(often[0], 10.0, 9.0) && near(often[1], 20.0, 10.0) && near(often[2], 10.0, 9.0),
         "experiments are drawn with replacement");
  double variance = (squares - sum * sum / 40.0) / 39.0;
  tap_ok(good && near(vd_run_fit_resampled_deviation(r, 0), sqrt(variance), 1e-5) &&
             near(r->resampled_half[2], 1.959963984540054 * sqrt(4.0 * variance + 4.0), 1e-4),
         "a prediction contains the scatter of the fits to drawn experiments");
  close_bench(&b);
}

typedef struct shares {
  double last;
  size_t late; /* reports after the share of the first fit, which takes as long as two further fits */
  bool falls;
} shares;

static void keep_share(void *context, double share) {
  shares *s = context;
  s->falls |= !(share >= s->last);
  s->last = share;
  s->late += share > 2.0 / 42.0 ? 1 : 0;
}

static void check_cost_of_resamples(void) {
  size_t runs[2];
  bool good = true;
  shares seen = {0.0, 0, false};
  const vd_fit_options options = {.progress = {keep_share, &seen}};
  for (size_t i = 0; i < 2; i++) {
    bench b;
    open_bench(&b, i == 0 ? THREE_DISTANCES "  resamples: 20\n" : THREE_DISTANCES "  resamples: 40\n");
    solve(&b, i == 0 ? NULL : &options);
    good = good && b.good;
    runs[i] = b.result.runs;
    close_bench(&b);
  }
  tap_ok(good && runs[0] == runs[1], "a combination of experiments that was drawn before is not fitted again");
  tap_ok(good && !seen.falls && seen.late == 40 && near(seen.last, 1.0, 1e-12),
         "the progress reaches its end with the last of the further fits");
}

static void check_logarithm(void) {
  bench b;
  double low, high;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: {name: v, key: [initial.speed, speed.value], start: 10, logarithm: true}\n"
                       "  data: {figures: {metric: distance_m, value: 50 m, scatter: 5 m}}\n");
  solve(&b, NULL);
  /* d ln v = dv/v = 2.5/25 */
  vd_fit_interval(&b.result.coefficient[0], 0.95, &low, &high);
  tap_ok(b.good && near(b.result.coefficient[0].value, 25.0, 1e-6), "a fit of the logarithm finds the same value");
  tap_ok(b.good && near(high, 25.0 * exp(0.1959963984540054), 1e-4) && near(low, 25.0 * exp(-0.1959963984540054), 1e-4),
         "the interval of a fit of the logarithm is a factor");
  close_bench(&b);
}

/* Checks starts. The speed 20 + x^3 - 3 x is 38 only at x = 3; from x = -1.5 the search ends at the local maximum of 22
 * at x = -1. */
static void check_starts(const char *starts, double x) {
  bench b;
  char text[800], name[100];
  snprintf(text, sizeof text,
           DRIVE "fit:\n"
                 "  free: {name: x, start: -1.5, low: -2, high: 4}\n"
                 "  formulas: {key: [initial.speed, speed.value], formula: 20 + x^3 - 3*x}\n"
                 "  data: {figures: {metric: distance_m, value: 76 m, scatter: 1 m}}\n"
                 "  starts: %s\n",
           starts);
  open_bench(&b, text);
  solve(&b, NULL);
  snprintf(name, sizeof name, "starts: %s end at x = %g", starts, x);
  tap_ok(b.good && near(b.result.coefficient[0].value, x, 2e-2), "%s", name);
  close_bench(&b);
}

/* Checks two figures without scatter, which share a relative scatter: v is their mean with the weights 1/value^2. */
static void check_shares(void) {
  bench b;
  open_bench(&b, DRIVE "fit:\n"
                       "  free: {name: v, key: [initial.speed, speed.value], start: 20}\n"
                       "  data: {figures: [{metric: distance_m, value: 40}, {metric: duration_s, value: 2}]}\n");
  solve(&b, NULL);
  tap_ok(b.good && near(b.result.coefficient[0].value, 20.0, 1e-6),
         "figures without a scatter are compared by relative differences");
  close_bench(&b);
}

/* --- rows over another channel --- */

static void check_record(void) {
  /* x, y, highest and lowest x so far */
  double value[][4] = {
      {0.0, 0.0, 0.0, 0.0}, {1.0, 10.0, 1.0, 0.0}, {0.5, 20.0, 1.0, 0.0}, {2.0, 30.0, 2.0, 0.0}, {1.5, 40.0, 2.0, 0.0}};
  const vd_run_record r = {.value = value[0], .columns = 2, .rows = VD_COUNT(value)};
  bool beyond;
  tap_ok(vd_run_record_at(&r, 1, 0.25, &beyond) == 2.5 && !beyond && vd_run_record_at(&r, 1, 1.0, &beyond) == 10.0,
         "the value at an x is that where the channel first reaches x");
  /* from 0.5 to 2 the line reaches 1.25 at half its length */
  tap_ok(vd_run_record_at(&r, 1, 1.25, &beyond) == 25.0 && !beyond,
         "the value at an x is found even after a decrease of x");
  tap_ok(vd_run_record_at(&r, 1, 3.0, &beyond) == 30.0 && beyond && vd_run_record_at(&r, 1, -1.0, &beyond) == 0.0 &&
             beyond,
         "if x is not reached, the value of the nearest row is used");
}

/* --- a car from its step and its sine --- */

enum { SEEDS = 40, FIGURES = 4 };
static const double truth[FIGURES] = {95e3, 110e3, 2500.0, 0.4};

static const char car[] =
    "kind: fit\nscenario: scenarios/road/linear_step.yaml\n"
    "set: [run.slip=transient, run.duration=1.5 s]\n"
    "fit:\n"
    "  free:\n"
    "    - {name: front, key: vehicle.front.tyre.cornering_stiffness, low: 20 kN/rad, high: 300 kN/rad, start: 100 "
    "kN/rad}\n"
    "    - {name: rear, key: vehicle.rear.tyre.cornering_stiffness, low: 20 kN/rad, high: 300 kN/rad, start: 100 "
    "kN/rad}\n"
    "    - {name: yaw, key: vehicle.yaw_inertia, low: 500 kg m2, high: 9000 kg m2, start: 2600 kg m2}\n"
    "    - {name: relaxation, key: [vehicle.front.tyre.relaxation_lateral, vehicle.rear.tyre.relaxation_lateral],\n"
    "       low: 0.05 m, high: 2 m, start: 0.45 m}\n"
    "%s"
    "  data:\n"
    "    - {name: step, set: ['steer={type: step, start: 0.2 s, value: 2 deg}'], file: %s, columns: [yaw_rate_radps, "
    "ay_mps2]}\n"
    "    - {name: sine, set: ['steer={type: sine, start: 0.2 s, frequency: 1.2 Hz, amplitude: 2 deg, cycles: 2}'], "
    "file: %s,\n"
    "       columns: [yaw_rate_radps, ay_mps2]}\n";

/* Opens a fit whose rows in the file have only times; with_noise sets the measured values. */
static void open_car(bench *b, const char *file, const char *more) {
  char text[3000];
  FILE *f = fopen(file, "w");
  fputs("t_s,yaw_rate_radps,ay_mps2\n", f);
  for (int i = 0; i <= 75; i++)
    fprintf(f, "%.2f,0,0\n", 0.02 * i);
  fclose(f);
  snprintf(text, sizeof text, car, more, file, file);
  open_bench(b, text);
}

static double scatter_of(const vd_run_target *t) {
  return strcmp(t->name, "ay_mps2") == 0 ? 0.05 : 0.0026;
}

static void with_noise(bench *b, const double *value, uint64_t seed) {
  for (size_t k = 0; k < b->fit.as.runs.targets; k++)
    for (size_t i = b->fit.as.runs.target[k].first; i < b->fit.as.runs.target[k].first + b->fit.as.runs.target[k].rows;
         i++)
      b->fit.as.runs.measured[i] =
          value[i] +
          (seed > 0 ? scatter_of(&b->fit.as.runs.target[k]) * vd_normal_quantile(vd_chance(seed, 7, i)) : 0.0);
}

static bool make_truth(bench *b, const double *figure, double *value) {
  char why[200];
  vd_run_model *model = vd_run_model_start(&b->fit.as.runs);
  bool good = b->good;
  for (size_t i = 0; i < b->fit.as.runs.experiments && good; i++)
    good = vd_run_model_values(model, i, figure, value, why, sizeof why);
  vd_run_model_finish(model);
  return good;
}

/* Checks intervals. At least 33 of 40 intervals of 95 % contain the truth (except in 0.07 % of such series). The sum of
 * the squared errors over the variances is a chi square of 40 degrees, between its quantiles of 0.001 and 0.999, 17.9
 * and 73.4; with intervals that are too wide it would be smaller. A commit draws every fourth seed: at least 7 of 10
 * (except in 0.1 %), and quantiles of 1.479 and 29.59. */
static void check_coverage(const char *file) {
  bench b;
  static double value[1000];
  double squares[FIGURES] = {0.0};
  int inside[FIGURES] = {0}, seeds = 0;
  open_car(&b, file, "");
  bool good = make_truth(&b, truth, value);
  for (uint64_t seed = 1; seed <= SEEDS && good; seed++) {
    if (!tap_sampled((int)seed, 4))
      continue;
    seeds++;
    with_noise(&b, value, seed);
    solve(&b, NULL);
    good = b.good && b.result.undetermined == 0;
    for (int k = 0; k < FIGURES && good; k++) {
      const vd_fit_coefficient *c = &b.result.coefficient[k];
      double low, high, u = (c->value - truth[k]) / c->deviation;
      vd_fit_interval(c, 0.95, &low, &high);
      inside[k] += low <= truth[k] && truth[k] <= high;
      squares[k] += u * u;
    }
  }
  const bool all = seeds == SEEDS;
  for (int k = 0; k < FIGURES; k++) {
    const char *free = b.fit.as.runs.free[k].name;
    printf("# %s: %d of %d, chi square %.3g\n", free, inside[k], seeds, squares[k]);
    tap_ok(good && (all || seeds == SEEDS / 4) && inside[k] >= (all ? 33 : 7) && squares[k] > (all ? 17.9 : 1.479) &&
               squares[k] < (all ? 73.4 : 29.59),
           "%s: 95 %% intervals of %d seeds contain the truth with their probability", free, seeds);
  }
  close_bench(&b);
}

/* Checks figures that are not determined. Cars whose mass, stiffnesses and inertia are scaled by one number have the
 * same motion; the height of the centre of gravity has no effect at L1 with tyres that do not depend on the load. */
static void check_singular(const char *file) {
  bench b;
  static double value[1000];
  const double figure[] = {truth[0], truth[1], truth[2], truth[3], 1573.0, 0.5};
  open_car(&b, file,
           "    - {name: mass, key: vehicle.mass, low: 1000 kg, high: 3000 kg}\n"
           "    - {name: height, key: vehicle.cg_height, low: 0.3 m, high: 0.8 m}\n");
  bool good = make_truth(&b, figure, value);
  with_noise(&b, value, 1);
  solve(&b, NULL);
  good = good && b.good;
  tap_ok(good && b.result.undetermined == 2 && *b.result.coefficient[4].note && *b.result.coefficient[5].note &&
             !*b.result.coefficient[0].note,
         "mass and height are not determined, and notes report this");
  tap_ok(good && b.result.coefficient[4].value == 1573.0 && isnan(b.result.coefficient[4].deviation) &&
             fabs(b.result.coefficient[0].value - truth[0]) < 4.0 * b.result.coefficient[0].deviation,
         "undetermined figures keep their start values, and the remaining figures are found");
  close_bench(&b);
}

/* --- other processes --- */

static bool backwards(void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
                      void (*take)(void *task, size_t i, const vd_buf *result), void *task) {
  size_t *calls = context;
  ++*calls;
  for (size_t i = count; i-- > 0;) {
    vd_buf result = {0};
    work(task, i, &result);
    take(task, i, &result);
    vd_buf_finish(&result);
  }
  return true;
}

static void check_order(const char *file) {
  bench a, b;
  static double value[1000];
  size_t calls = 0;
  const vd_fit_options options = {.each = backwards, .context = &calls};
  open_car(&a, file, "");
  open_car(&b, file, "");
  bool good = make_truth(&a, truth, value);
  with_noise(&a, value, 3);
  with_noise(&b, value, 3);
  solve(&a, NULL);
  solve(&b, &options);
  good = good && a.good && b.good && calls > 0;
  for (int k = 0; k < FIGURES && good; k++)
    good = a.result.coefficient[k].value == b.result.coefficient[k].value &&
           a.result.coefficient[k].deviation == b.result.coefficient[k].deviation;
  tap_ok(good, "the order of the runs does not matter, to the bit");
  close_bench(&a);
  close_bench(&b);
}

int main(void) {
  char file[] = "/tmp/vdsim-run-fit.XXXXXX";
  int fd = mkstemp(file);
  tap_plan(30);
  check_prior();
  check_prediction();
  check_linear_profile();
  check_curved_profile();
  check_resamples();
  check_cost_of_resamples();
  check_logarithm();
  check_starts("1", -1.0);
  check_starts("{count: 8}", 3.0);
  check_starts("{count: 8, design: latin_hypercube, seed: 2}", 3.0);
  check_starts("{count: 8, design: random, seed: 5}", 3.0);
  check_shares();
  check_record();
  check_coverage(file);
  check_singular(file);
  check_order(file);
  close(fd);
  unlink(file);
  return tap_done();
}
