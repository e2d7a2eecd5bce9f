#include "math/chance.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

double vd_chance(uint64_t seed, uint64_t stream, uint64_t i) {
  return ((double)(vd_mix(vd_mix(vd_mix(seed) ^ stream) ^ i) >> 12) + 0.5) / 4503599627370496.0;
}

/* Uses Durstenfeld's shuffle. */
void vd_chance_order(uint64_t seed, uint64_t stream, uint32_t *order, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    order[k] = k;
  for (uint32_t k = count; k > 1; k--) {
    uint32_t j = (uint32_t)(vd_chance(seed, stream, k) * k), kept = order[k - 1];
    order[k - 1] = order[j];
    order[j] = kept;
  }
}

static double ratio(const double *above, const double *below, size_t count, double x) {
  double a = 0.0, b = 0.0;
  for (size_t k = count; k-- > 0;) {
    a = a * x + above[k];
    b = b * x + below[k];
  }
  return a / b;
}

double vd_normal_quantile(double p) {
  static const double middle[2][8] = {
      {3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
       45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727},
      {1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867,
       39307.895800092710610, 28729.085735721942674, 5226.4952788528545610}};
  static const double tail[2][8] = {
      {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
       1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4},
      {1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550, 0.148103976427480074590,
       0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
  static const double far[2][8] = {
      {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
       0.0265321895265761230930, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
      {1.0, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525, 7.86869131145613259100e-4,
       1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
  double q = p - 0.5;
  if (fabs(q) <= 0.425)
    return q * ratio(middle[0], middle[1], 8, 0.180625 - q * q);
  double r = sqrt(-vd_log(q < 0.0 ? p : 1.0 - p));
  double z = r <= 5.0 ? ratio(tail[0], tail[1], 8, r - 1.6) : ratio(far[0], far[1], 8, r - 5.0);
  return q < 0.0 ? -z : z;
}

/* Computes the probability of -|z|, which is below 1/2, where doubles are dense. */
double vd_normal_probability(double z) {
  double low = 1e-300, high = 0.5, below = -fabs(z);
  for (int k = 0; k < 1100; k++) {
    double middle = low < 0.25 * high ? sqrt(low) * sqrt(high) : 0.5 * (low + high);
    if (!(middle > low && middle < high))
      break;
    if (vd_normal_quantile(middle) < below)
      low = middle;
    else
      high = middle;
  }
  return z < 0.0 ? high : 1.0 - high;
}
