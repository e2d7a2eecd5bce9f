#include "math/weighting.h"

#include "math/spectrum.h"

#include <assert.h>
#include <complex.h>
#include <math.h>

/* ISO 2631-1, table A.1: corner frequencies f, Hz, and quality factors q. f5 = 0: the weighting has no upward step. */
static const struct {
  double f3, f4, q4, f5, q5, f6, q6;
} constants[] = {
    [VD_WK] = {12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91},
    [VD_WD] = {.f3 = 2.0, .f4 = 2.0, .q4 = 0.63},
    [VD_WC] = {.f3 = 8.0, .f4 = 8.0, .q4 = 0.63},
    [VD_WE] = {.f3 = 1.0, .f4 = 1.0, .q4 = 0.63},
};
static const double f1 = 0.4, f2 = 100.0; /* Hz, band limits */
/* s. In this time the response of the slowest pole, that of the high pass, decays to exp(-26). */
static const double response_time = 15.0;
/* s. In this time the response of the high pass decays to exp(-2 pi 0.4 5/sqrt(2)) = 1.4e-4. A step of 100 times the
 * r.m.s. value has then decayed to 0.014 of the r.m.s. value. Over 10 s the square of this remainder changes the r.m.s.
 * value by a share of 3e-6; its product with a signal of the size of the r.m.s. value changes it by less than 1e-3. */
const double vd_weighting_settle = 5.0;

/* Returns the quadratic 1 + p/(q w) + (p/w)^2. p: imaginary unit times frequency, in the unit of w. */
static double complex second_order(double complex p, double w, double q) {
  return 1.0 + p / (q * w) + (p / w) * (p / w);
}

void vd_weighting(enum vd_weighting_kind kind, double frequency, double h[2]) {
  double complex p = I * frequency;
  double q = sqrt(0.5);
  /* the high pass is 1/(1 + w1/(q p) + (w1/p)^2), written so that it is 0 at p = 0 */
  double complex numerator = p * p / (f1 * f1) * (1.0 + p / constants[kind].f3);
  double complex denominator =
      second_order(p, f1, q) * second_order(p, f2, q) * second_order(p, constants[kind].f4, constants[kind].q4);
  if (constants[kind].f5 > 0.0) {
    double f5 = constants[kind].f5, f6 = constants[kind].f6;
    numerator *= second_order(p, f5, constants[kind].q5) * (f5 / f6) * (f5 / f6);
    denominator *= second_order(p, f6, constants[kind].q6);
  }
  double complex out = numerator / denominator;
  h[0] = creal(out);
  h[1] = cimag(out);
}

static void response(const void *context, double frequency, double h[2]) {
  vd_weighting(*(const enum vd_weighting_kind *)context, frequency, h);
}

void vd_weighting_apply(const vd_weighted *signal, size_t signals, size_t count, double rate) {
  static const enum vd_weighting_kind kinds[] = {VD_WK, VD_WD, VD_WC, VD_WE};
  vd_filtered filtered[VD_WEIGHTED_MOST];
  assert(signals <= VD_WEIGHTED_MOST);
  for (size_t i = 0; i < signals; i++)
    filtered[i] = (vd_filtered){signal[i].x, &kinds[signal[i].kind]};
  vd_spectrum_filter(filtered, signals, count, rate, response_time, response);
}
