/* Designs of studies: the properties that define them. */
#include "base/cache.h"
#include "input/schema.h"
#include "study/journal.h"
#include "study/study_impl.h"
#include "study/summary.h"

#include "tap.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 20000, FACTORS = 8 };

typedef struct plan {
  vd_arena *arena;
  vd_diag *d;
  vd_study study;
  vd_study_walk *walk;
  bool read;
} plan;

/* Starts a study of the step steer with a text from `vary` on. */
static void start(plan *p, const char *rest) {
  vd_buf text = {0};
  *p = (plan){.arena = vd_arena_create(), .d = vd_diag_create()};
  vd_buf_printf(&text, "kind: study\nscenario: scenarios/iso/step_steer.yaml\n%s", rest);
  int source = vd_diag_add_source(p->d, "study.yaml", text.text, text.length);
  p->read = vd_study_read_source(source, NULL, 0, p->arena, p->d, &p->study);
  vd_buf_finish(&text);
  if (p->read)
    p->walk = vd_study_walk_start(&p->study);
  else
    vd_diag_print(p->d, stderr, false);
}

static void finish(plan *p) {
  vd_study_walk_finish(p->walk);
  vd_diag_destroy(p->d);
  vd_arena_destroy(p->arena);
}

static double number(plan *p, size_t i, size_t factor) {
  vd_factor_value value[FACTORS];
  vd_study_levels(p->walk, i, value);
  return value[factor].number;
}

static const char two_uniform[] = "vary:\n"
                                  "  - {name: a, key: vehicle.mass, type: uniform, from: 1000, to: 2000}\n"
                                  "  - {name: b, key: vehicle.cg_height, type: uniform, from: 0.4, to: 0.6}\n";

static void start_two(plan *p, const char *design) {
  vd_buf text = {0};
  vd_buf_printf(&text, "%s%s", two_uniform, design);
  start(p, text.text);
  vd_buf_finish(&text);
}

/* --- each design --- */

static void check_grid(void) {
  plan p;
  start(&p, "vary:\n"
            "  - {name: a, key: vehicle.mass, type: range, from: 1000 kg, to: 1.4 t, points: 3}\n"
            "  - {name: b, key: run.level, type: list, values: [L1, L2]}\n"
            "  - {name: c, type: formula, formula: 2*a + 1}\n");
  const double a[] = {1000, 1000, 1200, 1200, 1400, 1400};
  bool good = p.read && p.study.count == 6;
  for (size_t i = 0; i < 6 && good; i++) {
    vd_factor_value v[3];
    vd_study_levels(p.walk, i, v);
    good &= v[0].number == a[i] && strcmp(v[1].text, i % 2 ? "L2" : "L1") == 0 && v[2].number == 2.0 * a[i] + 1.0;
  }
  tap_ok(good, "grid: the cases are all combinations, the last factor varies fastest; formulas of factors have values");
  finish(&p);
}

/* Checks that each n-th part of each factor has one point. */
static void check_latin(void) {
  enum { N = 500 };
  plan p;
  start_two(&p, "design: {type: latin_hypercube, count: 500, seed: 4}\n");
  static char seen[2][N];
  double together = 0.0;
  bool once = p.read;
  for (size_t i = 0; i < N && once; i++) {
    double u[2] = {(number(&p, i, 0) - 1000.0) / 1000.0, (number(&p, i, 1) - 0.4) / 0.2};
    for (int k = 0; k < 2; k++)
      once &= u[k] > 0.0 && u[k] < 1.0 && !seen[k][(int)(u[k] * N)]++;
    together += (u[0] - 0.5) * (u[1] - 0.5) * 12.0 / N;
  }
  tap_ok(once, "latin_hypercube: each of 500 parts of each factor contains one point");
  tap_near(together, 0.0, 5.0 / sqrt(N), "latin_hypercube: the orders of two factors are independent");
  finish(&p);
}

/* Checks Sobol's first points in two dimensions, by Joe and Kuo. */
static void check_sobol(void) {
  static const double first[][2] = {{0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}, {0.375, 0.375}};
  plan p, q;
  start_two(&p, "design: {type: sobol, count: 64}\n");
  start_two(&q, "design: {type: sobol, count: 64, seed: 9}\n");
  bool same = p.read, shifted = q.read;
  for (size_t i = 0; i < 4 && same; i++)
    for (size_t k = 0; k < 2; k++)
      same &= fabs((number(&p, i, k) - (k ? 0.4 : 1000.0)) / (k ? 0.2 : 1000.0) - first[i][k]) < 1e-12;
  tap_ok(same, "sobol: the first points are those of the sequence");
  double shift = 0.0;
  for (size_t i = 0; i < 64 && shifted; i++) {
    double moved = (number(&q, i, 0) - number(&p, i, 0)) / 1000.0;
    moved -= floor(moved);
    shift = i == 0 ? moved : shift;
    shifted &= fabs(moved - shift) < 1e-9 && moved > 0.0;
  }
  tap_ok(shifted, "sobol: a seed shifts all points by one vector, modulo 1");
  finish(&p);
  finish(&q);
}

/* Checks a normal distribution truncated at -1 and 2 deviations. It has the mean (phi(-1) - phi(2))/(Phi(2) - Phi(-1))
 * = 0.22964 deviations and the variance 1 + (-phi(-1) - 2 phi(2))/(...) - mean^2 = 0.51950 (phi(1) = 0.24197072, phi(2)
 * = 0.05399097, Phi(2) - Phi(-1) = 0.81859461). */
static void check_truncated(void) {
  enum { N = 20000 };
  plan p;
  start(&p, "vary:\n"
            "  - {name: a, key: vehicle.mass, type: normal, mean: 1500, deviation: 100, low: 1400, high: 1700}\n"
            "design: {type: random, count: 20000, seed: 1}\n");
  double sum = 0.0, squares = 0.0, mean = (0.24197072 - 0.05399097) / 0.81859461;
  double variance = 1.0 + (-0.24197072 - 2.0 * 0.05399097) / 0.81859461 - mean * mean;
  bool inside = p.read;
  for (size_t i = 0; i < N && inside; i++) {
    double z = (number(&p, i, 0) - 1500.0) / 100.0;
    inside &= z >= -1.0 && z <= 2.0;
    sum += z / N;
    squares += (z - mean) * (z - mean) / N;
  }
  tap_ok(inside, "normal: the values are truncated at the limits");
  tap_near(sum, mean, 5.0 * sqrt(variance / N), "normal: the mean agrees with the truncated distribution");
  tap_near(squares, variance, 5.0 * variance * sqrt(2.0 / N),
           "normal: the variance agrees with the truncated distribution");
  finish(&p);
}

/* Checks normal and uniform variables with correlations: normal variables have the given correlation, two uniform ones
 * Pearson's correlation 6/pi asin(rho/2) (Spearman's for a normal copula). */
static void check_correlation(void) {
  enum { N = 20000 };
  plan p;
  start(&p, "vary:\n"
            "  - {name: a, key: vehicle.mass, type: normal, mean: 1500, deviation: 100}\n"
            "  - {name: b, key: vehicle.yaw_inertia, type: normal, mean: 2000, deviation: 50}\n"
            "  - {name: c, key: vehicle.cg_height, type: uniform, from: 0.4, to: 0.6}\n"
            "  - {name: d, key: vehicle.wheelbase, type: uniform, from: 2, to: 3}\n"
            "correlations: [{of: [a, b], value: 0.8}, {of: [c, d], value: -0.6}]\n"
            "design: {type: sobol, count: 20000}\n");
  double normal = 0.0, uniform = 0.0, apart = 0.0;
  for (size_t i = 0; i < N && p.read; i++) {
    double x[] = {(number(&p, i, 0) - 1500.0) / 100.0, (number(&p, i, 1) - 2000.0) / 50.0,
                  (number(&p, i, 2) - 0.5) / 0.2, number(&p, i, 3) - 2.5};
    normal += x[0] * x[1] / N;
    uniform += 12.0 * x[2] * x[3] / N;
    apart += x[0] * x[3] * sqrt(12.0) / N;
  }
  tap_near(normal, 0.8, 5e-3, "correlations: two normal factors have the given correlation");
  tap_near(uniform, 6.0 / 3.14159265358979 * asin(-0.3), 5e-3,
           "correlations: two uniform factors have the given correlation");
  tap_near(apart, 0.0, 5e-3, "correlations: factors of different pairs are not correlated");
  finish(&p);
}

static void check_single(void) {
  plan p;
  start(&p, "vary:\n"
            "  - {name: a, key: vehicle.mass, type: uniform, from: 1000, to: 2000}\n"
            "  - {name: b, key: vehicle.cg_height, type: normal, mean: 0.5, deviation: 0.1}\n"
            "  - {name: c, key: run.duration, type: list, values: [2 s, 4 s, 5000 ms]}\n"
            "design: one_at_a_time\n");
  const double own = p.read ? number(&p, 0, 0) : NAN;
  const double expected[8][3] = {{own, 0.54, 6}, {1000, 0.54, 6}, {2000, 0.54, 6}, {own, 0.4, 6},
                                 {own, 0.6, 6},  {own, 0.54, 2},  {own, 0.54, 4},  {own, 0.54, 5}};
  double height = p.read ? number(&p, 0, 1) : NAN, error = 0.0;
  bool good = p.read && p.study.count == 8 && own > 1000.0;
  for (size_t i = 0; i < 8 && good; i++)
    for (size_t k = 0; k < 3; k++) {
      double wanted = k == 1 && expected[i][k] == 0.54 ? height : expected[i][k];
      error = tap_max(error, fabs(number(&p, i, k) - wanted));
    }
  tap_ok(good, "one_at_a_time: the cases are the scenario itself, then each step of each factor");
  tap_near(error, 0.0, 1e-12, "one_at_a_time: all other factors keep their values");
  finish(&p);
}

/* Checks that each trajectory changes every factor once, by half its range of levels: 2/3 with four levels. */
static void check_morris(void) {
  plan p;
  start_two(&p, "design: {type: morris, count: 50, seed: 2}\n");
  bool good = p.read && p.study.count == 150;
  double up = 0.0, error = 0.0;
  for (size_t t = 0; t < 50 && good; t++) {
    double moved[2] = {0.0, 0.0};
    for (size_t i = 3 * t + 1; i < 3 * t + 3; i++) {
      double step[2] = {(number(&p, i, 0) - number(&p, i - 1, 0)) / 1000.0,
                        (number(&p, i, 1) - number(&p, i - 1, 1)) / 0.2};
      good &= (fabs(step[0]) > 1e-9) != (fabs(step[1]) > 1e-9);
      moved[0] += step[0];
      moved[1] += step[1];
      up += (step[0] > 0.0) - (step[0] < 0.0);
    }
    error = tap_max(error, tap_max(fabs(fabs(moved[0]) - 2.0 / 3.0), fabs(fabs(moved[1]) - 2.0 / 3.0)));
  }
  tap_ok(good, "morris: only one factor changes at a time");
  tap_near(error, 0.0, 1e-12, "morris: each change is two thirds of the range");
  tap_near(up / 50.0, 0.0, 5.0 / sqrt(50.0), "morris: changes upwards are as frequent as downwards");
  finish(&p);
}

/* --- figures --- */

typedef struct wanted {
  const char *name;
  double value;
} wanted;

static void take_wanted(void *context, const vd_metric *figure) {
  wanted *w = context;
  if (strcmp(figure->name, w->name) == 0)
    w->value = figure->value;
}

static double figure(vd_summary *s, const char *name) {
  wanted w = {name, NAN};
  vd_summary_figures(s, take_wanted, &w);
  return w.value;
}

/* Compares indices of Ishigami's function sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 with uniform x in (-pi, pi): D = a^2/8
 * + b pi^4/5 + b^2 pi^8/18 + 1/2, D1 = (1 + b pi^4/5)^2/2, D2 = a^2/8, D13 = 8 b^2 pi^8/225 (Ishigami and Homma 1990).
 * The function replaces a metric in the lines of the table. */
static void check_ishigami(void) {
  plan p;
  const double a = 7.0, b = 0.1, pi = 3.14159265358979323846, pi4 = pow(pi, 4.0);
  double d = a * a / 8.0 + b * pi4 / 5.0 + b * b * pi4 * pi4 / 18.0 + 0.5;
  double d1 = 0.5 * pow(1.0 + b * pi4 / 5.0, 2.0), d2 = a * a / 8.0, d13 = 8.0 * b * b * pi4 * pi4 / 225.0;
  const double first[] = {d1 / d, d2 / d, 0.0}, total[] = {(d1 + d13) / d, d2 / d, d13 / d};
  start(&p, "vary:\n"
            "  - {name: x1, type: uniform, from: -3.14159265358979, to: 3.14159265358979}\n"
            "  - {name: x2, type: uniform, from: -3.14159265358979, to: 3.14159265358979}\n"
            "  - {name: x3, type: uniform, from: -3.14159265358979, to: 3.14159265358979}\n"
            "metrics: ay_steady_mps2\n"
            "design: {type: saltelli, count: 2000}\n");
  tap_ok(p.read && p.study.count == 10000, "saltelli: there are count (factors + 2) cases");
  vd_summary *s = vd_summary_start(&p.study);
  for (size_t i = 0; i < p.study.count; i++) {
    double x[] = {number(&p, i, 0), number(&p, i, 1), number(&p, i, 2)};
    char line[200];
    snprintf(line, sizeof line, "%zu,ok,%.9g,%.9g,%.9g,%.17g\n", i, x[0], x[1], x[2],
             sin(x[0]) + a * pow(sin(x[1]), 2.0) + b * pow(x[2], 4.0) * sin(x[0]));
    vd_summary_add(s, line);
  }
  for (int k = 0; k < 3; k++) {
    char name[60], error[80];
    snprintf(name, sizeof name, "ay_steady_mps2_by_x%d_first", k + 1);
    snprintf(error, sizeof error, "%s_error", name);
    tap_near(figure(s, name), first[k], figure(s, error),
             "Ishigami's function: the first-order index of x%d is exact within its interval", k + 1);
    snprintf(name, sizeof name, "ay_steady_mps2_by_x%d_total", k + 1);
    snprintf(error, sizeof error, "%s_error", name);
    tap_near(figure(s, name), total[k], figure(s, error),
             "Ishigami's function: the total index of x%d is exact within its interval", k + 1);
    tap_ok(figure(s, error) < 0.08, "Ishigami's function: the interval of the index is narrow");
  }
  tap_near(figure(s, "ay_steady_mps2_mean"), 0.5 * a, 0.02, "Ishigami's function: the mean is a/2");
  vd_summary_finish(s);
  finish(&p);
}

/* Tests the figures of a sample. For 1 failure in 10 Wilson's 95 % interval is 0.0179 to 0.4042 (Brown, Cai, DasGupta,
 * Statistical Science 16, 2001, give the formula; by hand with z = 1.959964). The values 1, 2, 4, 8 have the mean 3.75,
 * deviation sqrt(28.75/3), median 3, 95 % quantile of type 7: 4 + 0.85 4 = 7.4. */
static void check_figures(void) {
  static const char *const line[] = {
      "0,ok,1,1\n", "1,ok,1,2\n", "2,ok,1,4\n", "3,ok,1,8\n",      "4,excluded,1,\n",
      "5,ok,1,\n",  "6,ok,1,\n",  "7,ok,1,\n",  "8,ok,\"a,b\",\n", "9,\"ended: a, b\",1,7\n",
      "10,ok,1,\n"};
  plan p;
  start(&p, "vary: [{name: a, type: range, from: 0, to: 1, points: 11}]\nmetrics: ay_steady_mps2\n");
  vd_summary *s = vd_summary_start(&p.study);
  for (size_t i = 0; i < 11; i++)
    vd_summary_add(s, line[i]);
  const double n = 10.0, rate = 0.1, z = 1.959963984540054, square = z * z / n;
  double half = z / (1.0 + square) * sqrt(rate * (1.0 - rate) / n + square / n / 4.0);
  tap_near(figure(s, "failure_rate"), 0.1, 1e-15, "failure rate: excluded cases do not count");
  tap_near(figure(s, "failure_rate_low"), (rate + 0.5 * square) / (1.0 + square) - half, 1e-12,
           "failure rate: lower end of the interval");
  tap_near(figure(s, "failure_rate_high"), 0.4041500, 1e-6, "failure rate: upper end of the interval");
  tap_near(figure(s, "ay_steady_mps2_mean"), 3.75, 1e-15, "the mean includes only cases that are ok");
  tap_near(figure(s, "ay_steady_mps2_deviation"), sqrt(28.75 / 3.0), 1e-15,
           "the standard deviation is that of a sample");
  tap_near(figure(s, "ay_steady_mps2_median"), 3.0, 1e-15, "the median is that of the sample");
  tap_near(figure(s, "ay_steady_mps2_p95"), 7.4, 1e-14, "the 95 %% quantile is of type 7");
  tap_near(figure(s, "ay_steady_mps2_greatest"), 8.0, 0.0, "the greatest value is a figure");
  vd_summary_finish(s);
  finish(&p);
}

/* Checks the end of a series. Lines of excluded, refused and ended cases also contain the factors. */
static void check_stop(void) {
  static const char *const line[] = {"0,excluded,0.5,\n", "1,refused: a,0.6,\n", "2,died: a,0.7,\n",
                                     "3,ok,0.1,1\n",      "4,ended: a,0.8,1\n",  "5,ok,0.9,1\n"};
  plan p;
  start(&p, "vary: [{name: a, type: range, from: 0, to: 1, points: 6}]\nmetrics: ay_steady_mps2\n"
            "stop: [{formula: a, above: 0.4}]\n");
  vd_summary *s = vd_summary_start(&p.study);
  for (size_t i = 0; i < VD_COUNT(line); i++)
    vd_summary_add(s, line[i]);
  tap_near(figure(s, "stop_case"), 4.0, 0.0, "a series stops at a case that ran");
  tap_near(figure(s, "stop_a"), 0.8, 0.0, "the figures contain the levels of the case that stopped the series");
  vd_summary_finish(s);
  finish(&p);
}

/* Checks elementary effects: those of a linear function are its slopes over the ranges, those of a product scatter. */
static void check_effects(void) {
  plan p;
  start_two(&p, "metrics: ay_steady_mps2\ndesign: {type: morris, count: 40, seed: 3}\n");
  vd_summary *s = vd_summary_start(&p.study);
  for (size_t i = 0; i < p.study.count; i++) {
    char line[100];
    double a = (number(&p, i, 0) - 1000.0) / 1000.0, b = (number(&p, i, 1) - 0.4) / 0.2;
    snprintf(line, sizeof line, "%zu,ok,0,0,%.17g\n", i, 3.0 * a - 2.0 * b);
    vd_summary_add(s, line);
  }
  tap_near(figure(s, "ay_steady_mps2_by_a_effect"), 3.0, 1e-12,
           "elementary effects: the magnitude is the slope of a linear function");
  tap_near(figure(s, "ay_steady_mps2_by_b_drift"), -2.0, 1e-12,
           "elementary effects: the mean with sign is the slope of a linear function");
  tap_near(figure(s, "ay_steady_mps2_by_b_scatter"), 0.0, 1e-12,
           "elementary effects: those of a linear function do not scatter");
  vd_summary_finish(s);
  finish(&p);
  start(&p, "vary:\n"
            "  - {name: a, type: list, values: [0, 1]}\n"
            "  - {name: b, type: range, from: 0, to: 10, points: 11}\n"
            "metrics: ay_steady_mps2\n"
            "design: {type: morris, count: 40, seed: 3}\n");
  s = vd_summary_start(&p.study);
  for (size_t i = 0; i < p.study.count; i++) {
    char line[100];
    snprintf(line, sizeof line, "%zu,ok,0,0,%.17g\n", i, 3.0 * number(&p, i, 0) - 0.5 * number(&p, i, 1));
    vd_summary_add(s, line);
  }
  tap_near(figure(s, "ay_steady_mps2_by_a_effect"), 3.0, 1e-12,
           "elementary effects: a list counts from its first to its last value");
  tap_near(figure(s, "ay_steady_mps2_by_b_drift"), -5.0, 1e-12, "elementary effects: a range has its own levels");
  vd_summary_finish(s);
  finish(&p);
}

/* --- independence of the order --- */

static void check_order(void) {
  static const char *const design[] = {"design: {type: random, count: 40}\n",
                                       "design: {type: latin_hypercube, count: 40}\n",
                                       "design: {type: sobol, count: 40, seed: 3}\n",
                                       "design: {type: morris, count: 20}\n", "design: {type: saltelli, count: 10}\n"};
  for (size_t k = 0; k < sizeof design / sizeof *design; k++) {
    plan p, q;
    start_two(&p, design[k]);
    start_two(&q, design[k]);
    bool same = p.read && q.read;
    for (size_t i = 0; i < p.study.count && same; i++) {
      size_t other = (i * 17) % p.study.count; /* 17 divides no count here */
      double kept = number(&p, other, 0);
      vd_study_walk_finish(q.walk);
      q.walk = vd_study_walk_start(&q.study);
      same &= number(&q, other, 0) == kept;
    }
    tap_ok(same, "a case does not depend on previous cases: %.*s", (int)strlen(design[k]) - 1, design[k]);
    finish(&p);
    finish(&q);
  }
}

/* --- journals --- */

static void check_journal(void) {
  char path[] = "/tmp/vdsim-journal.XXXXXX";
  int fd = mkstemp(path);
  const vd_journal_head head = {UINT64_C(0x1234567890abcdef), 10, 0, 1};
  vd_buf line = {0};
  double seconds = 0.0;
  close(fd);
  vd_journal *j = vd_journal_create(path, &head, "case,status\n");
  bool good = j && vd_journal_add(j, 3, 0.25, "3,ok\n") == 0 && vd_journal_add(j, 7, 0.5, "7,\"ended: x\"\n") == 0 &&
              vd_journal_sync(j) == 0;
  vd_journal_close(j);
  FILE *f = fopen(path, "a");
  fputs("5 0.1 0000000000000000 5,ok\n4 0.1 12", f); /* one line is damaged, one cut off */
  fclose(f);
  j = vd_journal_open(path, false);
  good = good && j && vd_journal_cases(j) == 2 && vd_journal_has(j, 3) && vd_journal_has(j, 7) && !vd_journal_has(j, 5);
  tap_ok(good, "journal: complete lines are read, damaged and incomplete ones are not");
  tap_ok(good && !vd_journal_failed(j, 3) && vd_journal_failed(j, 7), "journal: the failed cases are found");
  good = good && vd_journal_add(j, 7, 0.5, "7,ok\n") == 0 && vd_journal_add(j, 4, 1.0, "4,excluded\n") == 0;
  vd_journal_close(j);
  j = vd_journal_open(path, true);
  good = good && j && vd_journal_cases(j) == 3 && vd_journal_line(j, 7, &line, &seconds) == 0;
  tap_ok(good && strcmp(line.text, "7,ok\n") == 0 && seconds == 0.5 && !vd_journal_failed(j, 4),
         "journal: the last line of a case is valid, also after a damaged line");
  vd_journal_close(j);
  f = fopen(path, "w");
  fputs("case,status\n3,ok\n", f);
  fclose(f);
  tap_ok(!vd_journal_open(path, true) && errno == EINVAL, "journal: another file is refused");
  vd_buf_finish(&line);
  remove(path);
}

/* Checks that a study makes the map of one linkage, or of equal tables, only once for its reader and two processes.
 * first, second: settings of two cases. */
static void check_maps(const char *scenario, const char *first, const char *second, bool equal) {
  char text[256];
  const vd_setting set[2] = {{.text = first}, {.text = second}};
  vd_cache *maps = vd_cache_create();
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_study study;
  vd_study_reader reader[2];
  vd_subject is[2];
  const vd_linkage_map *map[2] = {NULL, NULL};
  snprintf(text, sizeof text,
           "kind: study\nscenario: %s\nvary: [{key: initial.speed, type: list, values: [20 km/h, 30 km/h]}]\n"
           "metrics: ['*']\n",
           scenario);
  vd_diag_set_cache(d, maps);
  const int source = vd_diag_add_source(d, "study.yaml", text, strlen(text));
  bool read = vd_study_read_source(source, NULL, 0, arena, d, &study);
  for (int k = 0; k < 2 && read; k++) {
    vd_study_reader_start(&study, &reader[k]);
    if (vd_study_read_case(&study, &reader[k], &set[k], 1, false, arena, &is[k]))
      map[k] = is[k].as.vehicle->vehicle.axle[VD_FRONT].map;
    vd_study_reader_finish(&reader[k]);
  }
  tap_ok(map[0] && map[1] && (map[0] == map[1]) == equal, "%s, %s and %s: %s", scenario, first, second,
         equal ? "both cases have the same map" : "the two cases have different maps");
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  vd_cache_destroy(maps);
}

/* Writes the complete text of a case, or the first error if it could not be read. */
static void case_text(bool read, const vd_subject *is, const vd_diag *d, vd_buf *text) {
  text->length = 0;
  if (read)
    vd_schema_write(vd_kinds[is->kind].schema, is->as.vehicle, text);
  else
    vd_buf_puts(text, vd_diag_first_error(d));
}

/* Checks that a reader, which decodes only differences from the scenario without settings, reads the same cases as a
 * new reader for each case. The first settings are repeated at the end: no case changes the reading of later cases. */
static void check_kept(const char *scenario, const char *const *settings, size_t count) {
  char text[256];
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_buf kept = {0}, alone = {0};
  vd_study study;
  vd_study_reader reader;
  snprintf(text, sizeof text, "kind: study\nscenario: %s\nvary: [{key: initial.speed, type: list, values: [20]}]\n",
           scenario);
  const int source = vd_diag_add_source(d, "study.yaml", text, strlen(text));
  bool good = vd_study_read_source(source, NULL, 0, arena, d, &study);
  if (good)
    vd_study_reader_start(&study, &reader);
  for (size_t i = 0; i < count + 4 && good; i++) {
    const vd_setting set = {.text = settings[i % count]};
    vd_subject is;
    bool read = vd_study_read_case(&study, &reader, &set, 1, false, arena, &is);
    case_text(read, &is, reader.d, &kept);
    vd_diag *own = vd_diag_create();
    read = vd_subject_read(study.kind, vd_diag_add_source(own, study.path, study.text, study.length), &set, 1, arena,
                           own, NULL, &is);
    case_text(read, &is, own, &alone);
    good = kept.length == alone.length && memcmp(kept.text, alone.text, kept.length) == 0;
    if (!good)
      tap_diag("%s\n%s\n%s", set.text, kept.text, alone.text);
    vd_diag_destroy(own);
  }
  tap_ok(good, "%s: %zu cases read one after the other are equal to cases read alone", scenario, count);
  vd_study_reader_finish(&reader);
  vd_buf_finish(&kept);
  vd_buf_finish(&alone);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

static void check_kept_scenarios(void) {
  static const char *const settings[] = {
      "vehicle.mass=1500 kg",
      "vehicle.mass=none", /* refused */
      "run.level=L3",
      "vehicle.front.tyre=scenarios/tyres/linear_80.yaml", /* another model */
      "vehicle.front.tyre.friction=0.9",
      "vehicle=scenarios/vehicles/saloon.yaml",
      "vehicle=scenarios/vehicles/sedan_hardpoints.yaml",
      "ground={type: bump, height: 5 cm, length: 1 m, at: 10 m}",
      "ground={type: iso8608, class: C}",
      "steering_wheel={type: sine, amplitude: 10 deg, frequency: 1 Hz}",
      "steering_wheel=5 deg",
      "metrics=[]",
      "log.channels=[vx, 'yaw*']",
      "vehicle.mas=1", /* refused */
      "vehicle.rear.damper=null",
      "vehicle.loads=[{mass: 80 kg, at: [0.2, 0.4, 0.5]}]",
      "initial.speed=20",
  };
  static const char *const scenarios[] = {"scenarios/iso/step_steer.yaml",
                                          "scenarios/handling/slowly_increasing_steer.yaml",
                                          "scenarios/road/waypoints.yaml", "scenarios/systems/sine_with_dwell.yaml",
                                          "scenarios/hardpoints/kerb_strike.yaml"};
  for (size_t i = 0; i < VD_COUNT(scenarios); i++)
    check_kept(scenarios[i], settings, VD_COUNT(settings));
}

int main(void) {
  tap_plan(60);
  check_kept_scenarios();
  check_grid();
  check_latin();
  check_sobol();
  check_truncated();
  check_correlation();
  check_single();
  check_morris();
  check_ishigami();
  check_figures();
  check_stop();
  check_effects();
  check_order();
  check_journal();
  const char *tables = "scenarios/handling/slowly_increasing_steer.yaml";
  check_maps("scenarios/hardpoints/kerb_strike.yaml", "initial.speed=20 km/h", "initial.speed=30 km/h", true);
  check_maps(tables, "vehicle.mass=1500 kg", "vehicle.mass=1600 kg", true);
  check_maps(tables, "vehicle.front.rebound_stop.gap=80 mm", "vehicle.front.rebound_stop.gap=60 mm", false);
  check_maps(tables, "vehicle.front.kc.toe.2=[0, 0]", "vehicle.front.kc.toe.2=[0, 0.02 deg]", false);
  return tap_done();
}
