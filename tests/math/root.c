/* The search for a place at which a function falls to zero: its result, and the number of values that it takes. */
#include "math/root.h"

#include "base/base.h"
#include "tap.h"

#include <math.h>

static double line(double x) {
  return 0.3 - x;
}

static double curve(double x) {
  return exp(-2.0 * x) - 0.6;
}

static double wave(double x) {
  return cos(3.0 * x) + 0.2 * x;
}

/* Returns values of which only the sign has a meaning if positive, as if another guard were nearer to its zero. */
static double plateau(double x) {
  return fmin(1e-9, 0.252 - x);
}

static double jump(double x) {
  return x < 0.7123 ? 1.0 : -1e3;
}

static double nothing(double x) {
  return x < 0.123 ? (double)INFINITY : -1.0;
}

static double at_once(double x) {
  return -1e-14 - x;
}

/* Bisection takes 40 values to 1e-12; at worst the search needs five values to halve the interval once. On a smooth
 * function the parabola's error is a constant times the product of the last three errors: 0.1, 1e-2, 1e-3, 1e-6, 1e-11,
 * then below the tolerance; one more value confirms the other side. */
static const struct {
  const char *what;
  double (*f)(double);
  double root;
  int most;
} all[] = {
    {"a line", line, 0.3, 4},
    {"a curve", curve, 0.25541281188299536, 8}, /* ln(1/0.6)/2 */
    {"a wave", wave, 0.5610832813000246, 8},
    {"a plateau", plateau, 0.252, 100},
    {"a jump", jump, 0.7123, 100},
    {"a function that is infinite before", nothing, 0.123, 100},
    {"a function that is negative from the start", at_once, 0.0, 3},
};

static void finds(size_t i, double hint) {
  static const double tolerance = 1e-12;
  vd_root root;
  double x;
  int values = 0;
  vd_root_start(0.0, 1.0, all[i].f(1.0), hint, isnan(hint) ? NAN : all[i].f(hint), tolerance, &root);
  for (; values < 1000 && vd_root_next(&root, &x); values++)
    vd_root_put(x, all[i].f(x), &root);
  tap_ok(values <= all[i].most, "%s, hint %g: takes %d values", all[i].what, hint, values);
  tap_ok(all[i].f(root.high) < 0.0 && (root.low == 0.0 || all[i].f(root.low) >= 0.0) &&
             root.high - root.low <= tolerance,
         "the function falls to zero between %.14g and %.14g", root.low, root.high);
  tap_near(root.high, all[i].root, 2e-12, "the function falls to zero at %.12g", all[i].root);
}

int main(void) {
  tap_plan(2 * 3 * (int)VD_COUNT(all));
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    finds(i, NAN);
    finds(i, 0.2113);
  }
  return tap_done();
}
