/* Inputs over time: values from their definitions, rates against difference quotients, corners. */
#include "base.h"
#include "profile.h"
#include "tap.h"

#include <math.h>

static double value_at(const vd_profile *p, double t) {
  double value, rate;
  vd_profile_at(p, t, t, &value, &rate);
  return value;
}

/* The rate is the derivative within every piece, seen from both of its ends. */
static void check_rate(const vd_profile *p, const char *name, double until) {
  double worst = 0.0, h = 1e-6;
  for (double from = 0.0; from < until;) {
    double to = fmin(vd_profile_next_corner(p, from), until), inside = 0.5 * (from + to);
    for (int i = 0; i <= 20; i++) {
      double t = from + (to - from) * i / 20.0, before, after, value, rate, unused;
      vd_profile_at(p, inside, t - h, &before, &unused);
      vd_profile_at(p, inside, t + h, &after, &unused);
      vd_profile_at(p, inside, t, &value, &rate);
      worst = fmax(worst, fabs((after - before) / (2.0 * h) - rate));
    }
    from = to;
  }
  tap_near(worst, 0.0, 1e-6, "%s: the rate is the derivative in every piece", name);
}

/* Corners come in order and are where the definition puts them. */
static void check_corners(const vd_profile *p, const char *name, int count, const double *expected) {
  double t = -1.0;
  bool ok = true;
  for (int i = 0; i < count; i++) {
    t = vd_profile_next_corner(p, t);
    ok &= t == expected[i];
  }
  ok &= vd_profile_next_corner(p, t) == INFINITY;
  tap_ok(ok, "%s: %d corners where they belong", name, count);
}

int main(void) {
  const double xy[] = {1.0, 0.5, 2.0, 1.5, 2.5, 1.0};
  const vd_profile constant = {.type = VD_PROFILE_CONSTANT, .value = 0.3};
  const vd_profile jump = {.type = VD_PROFILE_STEP, .from = 0.1, .value = 0.4, .start = 1.0};
  const vd_profile step = {.type = VD_PROFILE_STEP, .from = 0.1, .value = 0.4, .start = 1.0, .rise = 0.2};
  const vd_profile ramp = {.type = VD_PROFILE_RAMP, .from = 0.1, .rate = 0.5, .start = 1.0, .duration = 2.0};
  const vd_profile sine = {
      .type = VD_PROFILE_SINE, .from = 0.2, .amplitude = 0.3, .frequency = 0.5, .start = 1.0, .cycles = 1};
  const vd_profile chirp = {.type = VD_PROFILE_CHIRP,
                            .amplitude = 0.3,
                            .frequency = 0.5,
                            .end_frequency = 4.0,
                            .start = 1.0,
                            .duration = 5.0};
  vd_profile octave = chirp, flat = chirp;
  const vd_profile table = {.type = VD_PROFILE_TABLE, .points = {xy, 3}};
  octave.logarithmic = flat.logarithmic = true;
  flat.end_frequency = flat.frequency;

  tap_plan(8 + 7 + 12);
  check_rate(&constant, "constant", 5.0);
  check_rate(&step, "step", 5.0);
  check_rate(&ramp, "ramp", 5.0);
  check_rate(&sine, "sine", 5.0);
  check_rate(&chirp, "linear chirp", 8.0);
  check_rate(&octave, "logarithmic chirp", 8.0);
  check_rate(&flat, "logarithmic chirp of one frequency", 8.0);
  check_rate(&table, "table", 5.0);

  check_corners(&constant, "constant", 0, NULL);
  check_corners(&jump, "step at once", 1, (const double[]){1.0});
  check_corners(&step, "step", 2, (const double[]){1.0, 1.0 + 0.2});
  check_corners(&ramp, "ramp", 2, (const double[]){1.0, 3.0});
  check_corners(&sine, "one sine", 2, (const double[]){1.0, 3.0});
  check_corners(&chirp, "chirp", 2, (const double[]){1.0, 6.0});
  check_corners(&table, "table", 3, (const double[]){1.0, 2.0, 2.5});

  double value, rate, low, high;
  vd_profile_at(&jump, 0.9, 1.0, &value, &rate);
  tap_near(value, 0.1, 0.0, "a step at once, seen from before");
  vd_profile_at(&jump, 1.1, 1.0, &value, &rate);
  tap_near(value, 0.4, 0.0, "and from after");
  tap_near(value_at(&step, 1.1), 0.25, 1e-15, "a rising step is half way after half its rise");
  tap_near(value_at(&ramp, 9.0), 1.1, 1e-15, "a ramp holds its end");
  tap_near(value_at(&sine, 1.5), 0.5, 1e-15, "a sine is highest after a quarter period");
  tap_near(value_at(&sine, 9.0), 0.2, 0.0, "and rests after its cycles");
  /* half of 0.5 to 4 Hz in 5 s: 2.25 Hz; of the logarithmic one sqrt(0.5 x 4) = 1.414 Hz: turns at the half are the integrals */
  tap_near(value_at(&chirp, 3.5), 0.3 * sin(2.0 * VD_PI * (0.5 * 2.5 + 0.7 * 2.5 * 2.5 / 2.0)), 1e-12,
           "linear chirp half way");
  tap_near(value_at(&octave, 3.5), 0.3 * sin(2.0 * VD_PI * (sqrt(2.0) - 0.5) * 5.0 / log(8.0)), 1e-12,
           "logarithmic chirp half way");
  tap_near(value_at(&table, 1.25), 0.75, 1e-15, "a table is linear between its points");
  tap_ok(value_at(&table, 0.0) == 0.5 && value_at(&table, 3.0) == 1.0, "and held outside them");
  vd_profile_range(&table, &low, &high);
  tap_ok(low == 0.5 && high == 1.5, "range of a table");
  vd_profile_range(&sine, &low, &high);
  tap_ok(low == 0.2 - 0.3 && high == 0.2 + 0.3, "range of a sine");
  return tap_done();
}
