/* Rows within a smooth step: polynomials of fourth order are exact, and functions that are not smooth are rejected. */
#include "sim/smooth.h"

#include "base/base.h"
#include "tap.h"

#include <math.h>
#include <string.h>

/* u: shares of the step from its start. The quartic has the same third derivative as the cubics. */
static double quartic(double u) {
  return 1e-4 * pow(u, 4) - 0.3 * pow(u, 3) + u * u - 2.0 * u + 300.0;
}

static double kink(double u) {
  return 300.0 + fmax(u - 0.6, 0.0);
}

static double lift(double u) {
  return fmax(1e-9 * (0.7 - u), 0.0);
}

static double steep(double u) {
  return 1.0 + 0.1 * pow(u, 4);
}

static double constant(double u) {
  return 0.1 + 0.0 * u;
}

static vd_smooth made(double (*f)(double), const double *at) {
  vd_smooth smooth;
  memset(&smooth, 0, sizeof smooth);
  for (int i = 0; i < VD_SMOOTH_PLACES; i++) {
    smooth.at[i] = at[i];
    smooth.value[i][0] = f(at[i]);
  }
  return smooth;
}

int main(void) {
  /* places within one step, and with a shorter step before it */
  static const double at[][VD_SMOOTH_PLACES] = {{0.0, 0.2, 1.0, 0.8, 0.5}, {0.0, 0.2, 1.0, -0.4, -0.5}};
  static vd_row row;
  vd_reads reads = {.count = 0};
  vd_reads_add(offsetof(vd_row, eval.body.ay), 1e-7, &reads);
  tap_plan(2 * 8);
  for (size_t i = 0; i < VD_COUNT(at); i++) {
    vd_smooth q = made(quartic, at[i]), c = made(constant, at[i]), k = made(kink, at[i]), l = made(lift, at[i]),
              s = made(steep, at[i]);
    tap_ok(vd_smooth_fit(&reads, &q), "a polynomial whose fourth order is small is smooth");
    for (int n = 1; n <= 2; n++) {
      vd_smooth_give(&reads, &q, 0.35 * n, &row);
      tap_near(row.eval.body.ay, quartic(0.35 * n), 1e-12,
               "a smooth polynomial is interpolated exactly at %g of the step", 0.35 * n);
    }
    tap_ok(vd_smooth_fit(&reads, &c), "a value that does not change is smooth");
    vd_smooth_give(&reads, &c, 0.37, &row);
    tap_ok(row.eval.body.ay == 0.1, "a value that does not change keeps its bits");
    tap_ok(!vd_smooth_fit(&reads, &k), "a kink is not smooth");
    tap_ok(!vd_smooth_fit(&reads, &l), "a load that becomes zero, from a value however small, is not smooth");
    tap_ok(!vd_smooth_fit(&reads, &s), "a function from which the cubics deviate by more than 1e-7 is not smooth");
  }
  return tap_done();
}
