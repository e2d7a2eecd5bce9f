/* The low-pass without phase shift: its gain on sines, constants unchanged, equal results with time reversed. */
#include "base/base.h"
#include "math/butterworth.h"
#include "tap.h"

#include <math.h>

enum { TESTS = 15, COUNT = 8001, MIDDLE = COUNT / 2 };

static const double rate = 1000.0, cutoff = 6.0;

static double gain(double hz, int poles) {
  return 1.0 / (1.0 + pow(tan(VD_PI * hz / rate) / tan(VD_PI * cutoff / rate), poles));
}

/* Checks gain and phase in the middle of a long sine, where the effect of its ends has decayed: the slowest pair of 12
 * poles decays by a factor e in 1/(2 pi 6 Hz sin 15 degrees) = 0.1 s, and the distance is 4 s. */
static void test_sine(double hz, int poles) {
  static double x[COUNT];
  double sine = 0.0, cosine = 0.0;
  for (int i = 0; i < COUNT; i++)
    x[i] = sin(2.0 * VD_PI * hz * (i - MIDDLE) / rate);
  vd_butterworth(x, COUNT, rate, cutoff, poles);
  for (int i = MIDDLE; i < MIDDLE + 1000; i++) { /* whole periods */
    sine += x[i] * sin(2.0 * VD_PI * hz * (i - MIDDLE) / rate) / 500.0;
    cosine += x[i] * cos(2.0 * VD_PI * hz * (i - MIDDLE) / rate) / 500.0;
  }
  tap_near(sine, gain(hz, poles), 1e-9, "%g Hz, %d poles: gain %.3g", hz, poles, gain(hz, poles));
  tap_near(cosine, 0.0, 1e-9, "%g Hz, %d poles: the filter shifts no phase", hz, poles);
}

static double bump(int i) {
  double u = (i - 3000) / 40.0;
  return 2.0 + exp(-u * u) * (1.0 + u);
}

static void test_ways(void) {
  static double x[COUNT], y[COUNT];
  double worst = 0.0;
  for (int i = 0; i < COUNT; i++) {
    x[i] = bump(i);
    y[COUNT - 1 - i] = bump(i);
  }
  vd_butterworth(x, COUNT, rate, cutoff, 12);
  vd_butterworth(y, COUNT, rate, cutoff, 12);
  for (int i = 0; i < COUNT; i++)
    worst = tap_max(worst, fabs(x[i] - y[COUNT - 1 - i]));
  tap_near(worst, 0.0, 1e-9, "the filter is the same forwards and backwards in time");
}

int main(void) {
  tap_plan(TESTS);
  test_sine(1.0, 12);
  test_sine(5.0, 12);
  test_sine(6.0, 12);
  test_sine(9.0, 12);
  test_sine(6.0, 4);
  test_sine(10.0, 8);
  double still[3] = {3.0, 3.0, 3.0}, worst = 0.0;
  vd_butterworth(still, 3, rate, cutoff, 12);
  for (int i = 0; i < 3; i++)
    worst = tap_max(worst, fabs(still[i] - 3.0));
  tap_near(worst, 0.0, 1e-12, "a constant does not change");
  vd_butterworth(still, 0, rate, cutoff, 12);
  tap_near(still[0], 3.0, 1e-12, "a filter of no samples does nothing");
  test_ways();
  return tap_done();
}
