/* The learner of a driver's shares, on laps whose errors are known.
 *
 * With an error of 1 + c (share - s) the change of a share is gain (1 - error) = -gain c (share - s), so its distance
 * from s is multiplied by 1 - gain c in each lap: it falls without sign for gain c < 1, alternates for 1 < gain c < 2,
 * and grows beyond 2. An error of 3 or more makes the share fall by 2 gain. */
#include "tap.h"

#include "run/scenario_learn.h"

#include <math.h>

static const double best = 0.9, gain = 0.02;

/* Learns from a start at which the error is 1.5, in the linear range, and compares the share's distance from `best' in
 * each lap with the power of the ratio. */
static void contracts(double slope) {
  const double start = best + 0.5 / slope, ratio = 1.0 - gain * slope;
  double share = start, worst = 0.0, expected = start - best;
  for (int lap = 0; lap < 20; lap++) {
    share = vd_learn_share(share, 1.0 + slope * (share - best), 0.1);
    expected *= ratio;
    worst = tap_max(worst, fabs(share - best - expected));
  }
  tap_near(worst, 0.0, 1e-14, "error 1 + %g (share - s): the share's distance from s is multiplied by %.2f in each lap",
           slope, ratio);
}

static void bounds(void) {
  tap_near(vd_learn_share(0.8, 0.0, 0.1), 0.8 + gain, 1e-15, "without an error a share grows by the gain");
  tap_near(vd_learn_share(0.8, 7.0, 0.1), 0.8 - 2.0 * gain, 1e-15,
           "with a great error a share falls by twice the gain");
  tap_near(vd_learn_share(0.8, INFINITY, 0.1), 0.8 - 2.0 * gain, 1e-15,
           "with an infinite error a share falls by twice the gain");
  tap_ok(vd_learn_share(0.995, 0.0, 0.1) == 1.0, "a share grows at most to 1");
  tap_ok(vd_learn_share(0.76, 5.0, 0.75) == 0.75, "a share falls at most to its least value");
  tap_ok(vd_learn_share(0.8, -1.0, 0.1) == 0.8, "a place that was not driven keeps its share");
}

/* Checks that an error counts for the places before it, on a closed path also across the start. */
static void places(void) {
  const double error[] = {0.1, 0.2, 5.0, 0.3, 0.4, 9.0};
  tap_ok(vd_learn_error(error, 6, false, 1, 0) == 0.2, "without places ahead the error is that of the place");
  tap_ok(vd_learn_error(error, 6, false, 0, 1) == 0.2, "an error two places ahead does not count with one place ahead");
  tap_ok(vd_learn_error(error, 6, false, 0, 2) == 5.0, "an error two places ahead counts with two places ahead");
  tap_ok(vd_learn_error(error, 6, false, 3, 9) == 9.0, "an open path ends at its last place");
  tap_ok(vd_learn_error(error, 6, true, 3, 4) == 5.0, "after the place before the last one a closed path begins again");
  tap_ok(vd_learn_error(error, 6, true, 3, 2) == 0.4, "the last place of a closed path is its first one");
}

/* Learns in some laps: the pace and the distance from the path grow with the share. Returns the share of the lap that
 * is kept; *last: that of the last lap. */
static double keep(double slope, double start, int laps, double *last) {
  vd_learn_lap kept = {.worst = INFINITY};
  double share = start, of_kept = NAN;
  for (int lap = 0; lap < laps; lap++) {
    const vd_learn_lap now = {.pace = 30.0 * share, .worst = fmax(0.0, 1.0 + slope * (share - best))};
    if (vd_learn_better(now, kept)) {
      kept = now;
      of_kept = share;
    }
    *last = share;
    share = vd_learn_share(share, now.worst, 0.1);
  }
  return of_kept;
}

static void keeps(void) {
  double last;
  /* ratio -0.6: the distances are 0.005 times 1, -0.6, 0.36, -0.216: the laps with a distance below 0 are accepted, and
   * the fastest of them is the one nearest to s */
  tap_near(keep(80.0, best + 0.005, 4, &last), best - 0.005 * 0.216, 1e-14,
           "of laps that alternate the fastest counts");
  tap_near(keep(80.0, best + 0.005, 5, &last), best - 0.005 * 0.216, 1e-14,
           "the lap that counts need not be the last one");
  tap_near(last, best + 0.005 * 0.1296, 1e-14, "the last lap leaves the accepted distance");
  /* ratio -1.4: the distances grow */
  tap_near(keep(120.0, best - 0.001, 4, &last), best - 0.001, 1e-14, "of laps that diverge the first counts");
  tap_near(last, best + 0.001 * 2.744, 1e-14, "the last of laps that diverge is farther away");
  /* no lap is accepted */
  tap_near(keep(10.0, best + 0.05, 3, &last), best + 0.05 * 0.64, 1e-14, "without an accepted lap the nearest counts");
  tap_ok(!vd_learn_better((vd_learn_lap){50.0, INFINITY}, (vd_learn_lap){0.0, INFINITY}),
         "a run that failed is never the best");
  tap_ok(!vd_learn_better((vd_learn_lap){50.0, NAN}, (vd_learn_lap){30.0, 0.5}) &&
             !vd_learn_better((vd_learn_lap){NAN, 0.5}, (vd_learn_lap){30.0, 0.5}),
         "a lap without numbers is never the best");
  tap_ok(vd_learn_better((vd_learn_lap){20.0, 0.9}, (vd_learn_lap){30.0, 1.1}) &&
             !vd_learn_better((vd_learn_lap){30.0, 1.1}, (vd_learn_lap){20.0, 0.9}),
         "a slow lap within the accepted distance is better than a fast one outside");
}

/* An error behind the middle of the last cell of a closed path belongs to its first place. There it reduces the share
 * of this place and of the places before it. */
static void wraps(void) {
  enum { COUNT = 11 };
  double error[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    error[i] = 0.5;
  error[vd_learn_place(0.97, COUNT, true)] = 3.0;
  tap_near(vd_learn_error(error, COUNT, true, 0, 1), 3.0, 0.0, "the end of a closed path belongs to its first place");
  tap_near(vd_learn_error(error, COUNT, true, 9, 1), 3.0, 0.0,
           "an error at the end of a closed path counts for the place before it");
  tap_ok(vd_learn_place(0.97, COUNT, false) == 10 && vd_learn_place(0.94, COUNT, true) == 9 &&
             vd_learn_place(1.5, COUNT, false) == 10 && vd_learn_place(-0.1, COUNT, true) == 0,
         "the end of an open path is a place of its own");
}

int main(void) {
  tap_plan(4 + 6 + 6 + 9 + 3);
  contracts(10.0);
  contracts(25.0);
  contracts(50.0);
  contracts(80.0);
  bounds();
  places();
  wraps();
  keeps();
  return tap_done();
}
