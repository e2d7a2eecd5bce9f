/* Random numbers by index, and the normal distribution compared with GSL's. */
#include "math/chance.h"

#include "tap.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

enum { NUMBERS = 100000 };

/* Checks that the probability and its inverse are correct to about 1e-15 of their value. */
static void check_normal(void) {
  double quantile = 0.0, back = 0.0, symmetry = 0.0;
  for (int k = -280; k <= -1; k++) { /* p = 10^k and values between the powers */
    double p = pow(10.0, k) * 3.7;
    if (p < 0.5) {
      double z = gsl_cdf_ugaussian_Pinv(p);
      quantile = tap_max(quantile, fabs(vd_normal_quantile(p) / z - 1.0));
      back = tap_max(back, fabs(vd_normal_probability(z) / p - 1.0) / (1.0 + z * z)); /* dp/p = z dz, dz = eps z */
    }
  }
  for (int k = 1; k < 1000; k++) {
    double p = (double)k / 1000.0;
    quantile = tap_max(quantile, fabs(vd_normal_quantile(p) - gsl_cdf_ugaussian_Pinv(p)));
    symmetry = tap_max(symmetry, fabs(vd_normal_quantile(p) + vd_normal_quantile(1.0 - p)) * p * (1.0 - p));
    back = tap_max(back, fabs(vd_normal_probability(vd_normal_quantile(p)) - p));
  }
  tap_near(quantile, 0.0, 5e-15, "quantiles are those of GSL");
  tap_near(back, 0.0, 5e-15, "the probability of a quantile is the given one");
  tap_near(symmetry, 0.0, 1e-15, "both tails of the normal distribution are alike");
}

/* Checks uniform numbers. For n of them the standard deviations are 1/sqrt(12 n) of the mean, 1/sqrt(180 n) of the
 * variance, and 1/(12 sqrt(n)) of the covariance of two streams; the bounds are five of these. */
static void check_uniform(void) {
  double sum = 0.0, squares = 0.0, product = 0.0, n = NUMBERS;
  bool inside = true;
  for (int i = 0; i < NUMBERS; i++) {
    double x = vd_chance(7, 3, (uint64_t)i) - 0.5, y = vd_chance(7, 4, (uint64_t)i) - 0.5;
    inside &= fabs(x) < 0.5;
    sum += x;
    squares += x * x;
    product += x * y;
  }
  tap_ok(inside, "numbers lie within (0, 1)");
  tap_near(sum / n, 0.0, 5.0 * sqrt(1.0 / 12.0 / n), "the mean of the random numbers is 1/2");
  tap_near(squares / n, 1.0 / 12.0, 5.0 * sqrt(1.0 / 180.0 / n), "the variance of the random numbers is 1/12");
  tap_near(product / n, 0.0, 5.0 / 12.0 / sqrt(n), "two streams are not correlated");
}

/* Checks that a random order has each number once, and that over many seeds each number is equally frequent at a place:
 * chi squared of 24 numbers has the mean 23 and the standard deviation sqrt(2 23). */
static void check_order(void) {
  enum { COUNT = 24, SEEDS = 4800 };
  static int times[COUNT];
  bool whole = true;
  double chi = 0.0;
  for (int seed = 0; seed < SEEDS; seed++) {
    uint32_t order[COUNT];
    unsigned seen = 0;
    vd_chance_order((uint64_t)seed, 5, order, COUNT);
    for (int k = 0; k < COUNT; k++)
      seen |= 1u << order[k];
    whole &= seen == (1u << COUNT) - 1u;
    times[order[3]]++;
  }
  for (int k = 0; k < COUNT; k++)
    chi += pow(times[k] - SEEDS / COUNT, 2.0) / (SEEDS / COUNT);
  tap_ok(whole, "an order holds each number once");
  tap_near(chi, COUNT - 1, 5.0 * sqrt(2.0 * (COUNT - 1)), "every number is equally likely at a place");
}

int main(void) {
  tap_plan(9);
  check_normal();
  check_uniform();
  check_order();
  return tap_done();
}
