/* Own arc tangent, sine, cosine, exponential function and logarithm for code that computes four wheels at a time.
 *
 * These functions have no branches and no calls, so four values are computed at once; a tyre evaluation spends most of
 * its time in them. The function of four numbers (vd_wide_) and that of one (vd_lane_) agree to the last bit. Each has
 * its own bound of the error; the functions of base/elementary.h have errors below 1 ulp for any argument. The
 * coefficients are minimax fits by the Remez exchange in 50 digits. */
#ifndef VD_WIDE_ELEMENTARY_H
#define VD_WIDE_ELEMENTARY_H

#include "base/wide.h"

#include <math.h>

static inline double vd_within(double x, double least, double most) {
  return vd_fast_min(vd_fast_max(x, least), most);
}

/* Returns 0 if the sign of x is negative, else 1, without a comparison. Compilers must not move a comparison of
 * floating point numbers out of a branch, and a branch in a loop prevents vector arithmetic. */
static inline double vd_unit_step(double x) {
  return 0.5 + copysign(0.5, x);
}

/* Coefficients, the highest power first. */
static const double vd_atan_series[] = {
    0.021189576547831792, -0.04352713386767432, 0.05690052956292524,  -0.06640578745918549, 0.0768999567518713,
    -0.09090776268656446, 0.11111106327720476,  -0.14285714184877812, 0.1999999999890762,   -0.33333333333328713};
static const double vd_sin_series[] = {2.7215805631307064e-15,  -7.643027167275973e-13, 1.6058940905105648e-10,
                                       -2.5052106891171062e-08, 2.75573192112371e-06,   -0.00019841269841208725,
                                       0.008333333333333186,    -0.16666666666666666};
static const double vd_exp_series[] = {2.5110556465609124e-08, 2.7620687500673354e-07, 2.755724089253438e-06,
                                       2.4801519919546694e-05, 0.0001984126988798625,  0.0013888888918201212,
                                       0.008333333333321695,   0.04166666666662186,    0.16666666666666674,
                                       0.5000000000000001};
static const double vd_log_series[] = {0.14620456088026712, 0.15331387507517152, 0.18182899534434832,
                                       0.22222210985942867, 0.28571428626932993, 0.3999999999989726,
                                       0.666666666666667};

/* Sums even and odd powers separately: the processor computes both sums at once, while by Horner's rule every term
 * waits for the one before. n >= 3. c[0] belongs to an even power if n is odd, and to an odd power if n is even. */
VD_INLINE double vd_polynomial(double z, size_t n, const double *c) {
  const size_t first = n % 2;
  double square = z * z, odd = c[first], even = first == 1 ? c[0] * square + c[2] : c[1];
  for (size_t i = first + 2; i < n; i += 2) {
    odd = odd * square + c[i];
    even = even * square + c[i + 1];
  }
  return even + z * odd;
}

VD_INLINE vd_wide vd_wide_polynomial(vd_wide z, size_t n, const double *c) {
  const size_t first = n % 2;
  vd_wide square = z * z, odd = vd_wide_of(c[first]), even = first == 1 ? c[0] * square + c[2] : vd_wide_of(c[1]);
  for (size_t i = first + 2; i < n; i += 2) {
    odd = odd * square + c[i];
    even = even * square + c[i + 1];
  }
  return even + z * odd;
}

#define VD_TAN_FIRST  0.41421356237309504880 /* tan 22.5 deg, tan 67.5 deg */
#define VD_TAN_SECOND 2.41421356237309504880
#define VD_ROUND_OFF  6755399441055744.0 /* 1.5 2^52: adding it leaves no bits for a fraction */

/* Computes the arc tangent, |error| < 2e-16 (1 + |result|). The argument of the series depends on a = |x|. Up to tan
 * 22.5 deg it is a. Up to tan 67.5 deg it is (a - 1)/(a + 1), and 45 deg are added to the result. Above tan 67.5 deg it
 * is -1/a, and 90 deg are added. One quotient has these three forms; two switches (0 or 1) select its terms without a
 * branch. */
VD_INLINE double vd_lane_atan(double x) {
  double a = fabs(x);
  double beyond_first = vd_unit_step(a - VD_TAN_FIRST), beyond_second = vd_unit_step(a - VD_TAN_SECOND);
  double above = (1.0 - beyond_second) * a - beyond_first, below = beyond_first * a + (1.0 - beyond_second);
  double offset = 0.25 * VD_PI * (beyond_first + beyond_second);
  double t = above / below, z = t * t;
  return copysign(offset + (t + t * z * vd_polynomial(z, VD_COUNT(vd_atan_series), vd_atan_series)), x);
}

VD_INLINE vd_wide vd_wide_atan(vd_wide x) {
  const vd_wide_mask one = (vd_wide_mask)vd_wide_of(1.0);
  vd_wide a = vd_wide_abs(x);
  vd_wide beyond_first = (vd_wide)((a >= VD_TAN_FIRST) & one);
  vd_wide beyond_second = (vd_wide)((a >= VD_TAN_SECOND) & one);
  vd_wide above = (1.0 - beyond_second) * a - beyond_first, below = beyond_first * a + (1.0 - beyond_second);
  vd_wide offset = 0.25 * VD_PI * (beyond_first + beyond_second);
  vd_wide t = above / below, z = t * t;
  return vd_wide_signed(offset + (t + t * z * vd_wide_polynomial(z, VD_COUNT(vd_atan_series), vd_atan_series)), x);
}

/* Computes the sine for |r| <= pi/2, |error| < 2e-16. */
VD_INLINE double vd_lane_sin_core(double r) {
  double z = r * r;
  return r + r * z * vd_polynomial(z, VD_COUNT(vd_sin_series), vd_sin_series);
}

VD_INLINE vd_wide vd_wide_sin_core(vd_wide r) {
  vd_wide z = r * r;
  return r + r * z * vd_wide_polynomial(z, VD_COUNT(vd_sin_series), vd_sin_series);
}

/* Computes the sine for |x| <= 3 pi/2, the range of C atan(...) with |C| <= 3: sin |x| is symmetric about pi/2. */
VD_INLINE double vd_lane_sin_near(double x) {
  return copysign(1.0, x) * vd_lane_sin_core(0.5 * VD_PI - fabs(fabs(x) - 0.5 * VD_PI));
}

VD_INLINE vd_wide vd_wide_sin_near(vd_wide x) {
  return vd_wide_signed(vd_wide_sin_core(0.5 * VD_PI - vd_wide_abs(vd_wide_abs(x) - 0.5 * VD_PI)), x);
}

/* Computes the sine for |x| < 1e6. The nearest multiple of pi is subtracted in two pieces, so that no bits are lost. */
VD_INLINE double vd_lane_sin(double x) {
  double k = (x * (1.0 / VD_PI) + VD_ROUND_OFF) - VD_ROUND_OFF;
  double half = (k * 0.5 + VD_ROUND_OFF) - VD_ROUND_OFF, odd = k - 2.0 * half; /* 0 or +-1 */
  double r = (x - k * 3.1415926218032837) - k * 3.178650954705639e-08;
  return vd_lane_sin_core(r) * (1.0 - 2.0 * odd * odd);
}

/* The last bit of the rounded number is 1 if the multiple of pi is odd; the result is then negated. */
VD_INLINE vd_wide vd_wide_sin(vd_wide x) {
  vd_wide rounded = x * (1.0 / VD_PI) + VD_ROUND_OFF, k = rounded - VD_ROUND_OFF;
  vd_wide r = (x - k * 3.1415926218032837) - k * 3.178650954705639e-08;
  return vd_wide_signed(vd_wide_sin_core(r), (vd_wide)((vd_wide_bits)rounded << 63));
}

/* Returns pi/2 - |x|. The sine of this angle is cos x, which is thus exactly even in x. */
static inline double vd_complement(double x) {
  return 0.5 * VD_PI - fabs(x);
}

VD_INLINE vd_wide vd_wide_complement(vd_wide x) {
  return 0.5 * VD_PI - vd_wide_abs(x);
}

static inline double vd_lane_cos(double x) {
  return vd_lane_sin(vd_complement(x));
}

/* Returns cos(atan x). */
VD_INLINE vd_wide vd_wide_cos_atan(vd_wide x) {
  return 1.0 / vd_wide_sqrt(1.0 + x * x);
}

/* Computes e^x for |x| <= 700, relative |error| < 3e-16. Whole powers of two are split off and become the exponent. */
VD_INLINE vd_wide vd_wide_exp(vd_wide x) {
  vd_wide rounded = x * 1.4426950408889634 + VD_ROUND_OFF, k = rounded - VD_ROUND_OFF;
  vd_wide r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
  vd_wide power = (vd_wide)(((vd_wide_bits)rounded << 52) + (vd_wide_bits)vd_wide_of(1.0));
  return power * (1.0 + (r + r * r * vd_wide_polynomial(r, VD_COUNT(vd_exp_series), vd_exp_series)));
}

/* Computes the natural logarithm of x > 0 (not subnormal), |error| < 3e-16 (1 + |result|). x = 2^k f with f in
 * [sqrt(1/2), sqrt 2). */
VD_INLINE vd_wide vd_wide_log(vd_wide x) {
  const uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction = 0x000fffffffffffff,
                 two_to_52 = 0x4330000000000000;
  vd_wide_bits bits = (vd_wide_bits)x + (one - root_half);
  vd_wide k = (vd_wide)((bits >> 52) | two_to_52) - (4503599627370496.0 + 1023.0);
  vd_wide f = (vd_wide)((bits & fraction) + root_half);
  vd_wide s = (f - 1.0) / (f + 1.0), z = s * s;
  return k * 0.6931471803691238 + (2.0 * s + (s * z * vd_wide_polynomial(z, VD_COUNT(vd_log_series), vd_log_series) +
                                              k * 1.9082149292705877e-10));
}

#endif
