/* Numbers that are `auto`, found by search over constructed metrics whose crossings are known. */
#include "run/auto_rule.h"
#include "tap.h"

#include <math.h>

enum { TESTS = 34 };

typedef double answer(double value);

static double linear(double x) {
  return 2.0 * x;
}

/* Returns a metric like that of a car whose front tyres saturate. */
static double saturating(double x) {
  return 8.0 * tanh(x / 10.0);
}

/* Returns a metric that grows to 5 at 1 and then falls, like ay of a car that slides as the steering angle grows. */
static double peaked(double x) {
  return 5.0 * x * exp(1.0 - x);
}

static double low_peak(double x) {
  return 0.6 * peaked(x);
}

/* Returns a metric like that of a car that spins beyond 4.1, where its steady value falls to 0.1. */
static double spun(double x) {
  return x <= 4.1 ? x : 0.1;
}

/* Returns a metric of runs that fail beyond 4.1. */
static double failing(double x) {
  return x <= 4.1 ? x : NAN;
}

static double jumping(double x) {
  return x < 3.0 ? x : x + 5.0;
}

static double never(double x) {
  return x > 0.0 ? NAN : 0.0;
}

typedef struct counted {
  answer *metric;
  double least, most; /* numbers tried */
  size_t runs;
} counted;

static double measure(void *context, double value) {
  counted *c = context;
  c->least = tap_min(c->least, value);
  c->most = tap_max(c->most, value);
  c->runs++;
  return c->metric(value);
}

static vd_auto_answer seek(answer *metric, double target, double from, double to, counted *c) {
  const vd_auto_rule rule = {.target = target, .from = from, .to = to, .tolerance = 1e-3};
  vd_auto_answer out;
  *c = (counted){.metric = metric, .least = INFINITY, .most = -INFINITY};
  vd_auto_solve(&rule, measure, c, &out);
  return out;
}

/* Checks that the number is at the crossing, within the tolerance of the metric divided by its slope there. */
static void finds(answer *metric, double target, double from, double to, double crossing, const char *what) {
  counted c;
  vd_auto_answer a = seek(metric, target, from, to, &c);
  double slope = (metric(crossing * (1.0 + 1e-6)) - metric(crossing * (1.0 - 1e-6))) / (2e-6 * crossing);
  double allowed = 1.1 * 1e-3 * fabs(target / slope);
  tap_ok(a.reached && fabs(a.metric / target - 1.0) <= 1e-3 && a.metric == metric(a.value),
         "%s: the metric has the target's value", what);
  if (!tap_ok(fabs(a.value - crossing) <= allowed, "%s: the number is at the first crossing", what))
    tap_diag("%.9g, %.9g expected", a.value, crossing);
  if (!tap_ok(a.runs == c.runs && c.runs <= 16, "%s: at most 16 runs are made", what))
    tap_diag("%zu runs", c.runs);
}

static void crossings(void) {
  finds(linear, 4.0, 0.1, 100.0, 2.0, "linear");
  finds(linear, 4.0, 50.0, 100.0, 2.0, "a start beyond the target");
  finds(linear, -4.0, -0.1, -100.0, -2.0, "to the right");
  finds(saturating, 4.0, 0.5, 100.0, 10.0 * atanh(0.5), "saturating");
  finds(peaked, 4.0, 0.01, 10.0, 0.47167190974352174, "peaked"); /* x exp(1 - x) = 0.8 */
  finds(peaked, 4.9, 0.3, 10.0, 0.81222576, "near the maximum"); /* x exp(1 - x) = 0.98 */
  finds(spun, 4.0, 1.0, 100.0, 4.0, "a target just before a spin");
  finds(failing, 4.0, 1.0, 100.0, 4.0, "a target just before runs fail");
}

static void misses(void) {
  counted c;
  vd_auto_answer a = seek(low_peak, 4.0, 0.01, 10.0, &c);
  tap_ok(!a.reached && fabs(a.metric - 3.0) < 0.01 * 3.0, "a target above the maximum gives the maximum");
  tap_ok(a.metric == low_peak(a.value) && fabs(a.value - 1.0) < 0.1,
         "a target above the maximum gives the number at the maximum");
  a = seek(linear, 4.0, 0.1, 1.5, &c);
  tap_ok(!a.reached && a.value == 1.5 && a.metric == 3.0,
         "if the range ends before the target, the number is the end of the range");
  tap_ok(c.most == 1.5 && c.least == 0.1, "no number outside of the range is tried");
  a = seek(jumping, 4.0, 0.1, 100.0, &c);
  tap_ok(!a.reached && a.value < 3.0 && a.value > 2.999 && c.runs <= 60,
         "if the metric jumps across the target, the number is on its lower side");
  a = seek(never, 4.0, 0.1, 100.0, &c);
  tap_ok(!a.reached && isnan(a.metric) && c.runs <= 60, "a metric without values gives no number");
}

/* Checks the number plus + factor x metric within bounds: 6.5 A, at least 270 deg, at most 300 deg. */
static void numbers(void) {
  vd_auto_rule rule = {.target = NAN, .factor = 6.5, .plus = 1.0, .at_least = NAN, .at_most = NAN};
  tap_ok(vd_auto_number(&rule, 20.0) == 131.0, "a number follows from a metric");
  rule = (vd_auto_rule){.target = NAN, .factor = 6.5, .at_least = 270.0, .at_most = 300.0};
  tap_ok(vd_auto_number(&rule, 20.0) == 270.0 && vd_auto_number(&rule, 44.0) == 286.0,
         "a number is at least its lower bound");
  tap_ok(vd_auto_number(&rule, 50.0) == 300.0, "a number is at most its upper bound");
  tap_ok(isnan(vd_auto_number(&rule, NAN)), "a metric without a value gives no number");
}

int main(void) {
  tap_plan(TESTS);
  crossings();
  misses();
  numbers();
  return tap_done();
}
