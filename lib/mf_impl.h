/* Arithmetic shared by the Magic Formula's own files.
 *
 * atan, sine, exponential function and logarithm are polynomials here and not libm's: without branches or calls the compiler evaluates several in the lanes of
 * vector registers, which is where most of an evaluation's time goes, and every compiler and libm gives the same bits.
 * Coefficients: minimax fits by the Remez exchange in 50 digits. */
#ifndef VD_MF_IMPL_H
#define VD_MF_IMPL_H

#include "mf.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double vd_mf_within(double x, double least, double most) {
  return vd_least(vd_most(x, least), most);
}

/* 0 below zero, else 1. Not a comparison: compilers must not move those of floating point numbers out of branches, and a branch in
 * a loop keeps it from becoming vector arithmetic. */
static inline double vd_mf_step(double x) {
  return 0.5 + copysign(0.5, x);
}

/* |error| < 2e-16 (1 + |result|). Up to tan 22.5 deg as it is, up to tan 67.5 deg as 45 deg + atan((x - 1)/(x + 1)), beyond as
 * 90 deg - atan(1/x): one quotient whose parts the two switches select, 0 or 1, without a branch. */
VD_INLINE double vd_mf_atan(double x) {
  double a = fabs(x);
  double beyond_first = vd_mf_step(a - 0.41421356237309504880), beyond_second = vd_mf_step(a - 2.41421356237309504880);
  double above = (1.0 - beyond_second) * a - beyond_first, below = beyond_first * a + (1.0 - beyond_second);
  double offset = 0.25 * VD_PI * (beyond_first + beyond_second);
  double t = above / below, z = t * t;
  double p = 0.021189576547831792;
  p = p * z - 0.04352713386767432;
  p = p * z + 0.05690052956292524;
  p = p * z - 0.06640578745918549;
  p = p * z + 0.0768999567518713;
  p = p * z - 0.09090776268656446;
  p = p * z + 0.11111106327720476;
  p = p * z - 0.14285714184877812;
  p = p * z + 0.1999999999890762;
  p = p * z - 0.33333333333328713;
  return copysign(offset + (t + t * z * p), x);
}

/* sine for |r| <= pi/2, |error| < 2e-16 */
VD_INLINE double vd_mf_sin_core(double r) {
  double z = r * r, p = 2.7215805631307064e-15;
  p = p * z - 7.643027167275973e-13;
  p = p * z + 1.6058940905105648e-10;
  p = p * z - 2.5052106891171062e-08;
  p = p * z + 2.75573192112371e-06;
  p = p * z - 0.00019841269841208725;
  p = p * z + 0.008333333333333186;
  p = p * z - 0.16666666666666666;
  return r + r * z * p;
}

/* sine for |x| <= 3 pi/2, which is where C atan(...) ends for |C| <= 3: sin |x| is symmetric about pi/2. */
VD_INLINE double vd_mf_sin_near(double x) {
  return copysign(1.0, x) * vd_mf_sin_core(0.5 * VD_PI - fabs(fabs(x) - 0.5 * VD_PI));
}

/* sine for |x| < 1e6. The nearest multiple of pi is taken off, in two pieces so that nothing is lost. */
VD_INLINE double vd_mf_sin(double x) {
  const double round = 6755399441055744.0; /* 1.5 2^52: adding it leaves no bits for a fraction */
  double k = (x * (1.0 / VD_PI) + round) - round;
  double half = (k * 0.5 + round) - round, odd = k - 2.0 * half; /* 0 or +-1 */
  double r = (x - k * 3.1415926218032837) - k * 3.178650954705639e-08;
  return vd_mf_sin_core(r) * (1.0 - 2.0 * odd * odd);
}

/* cos x is the sine of this; exactly even. */
static inline double vd_mf_turned(double x) {
  return 0.5 * VD_PI - fabs(x);
}

static inline double vd_mf_cos(double x) {
  return vd_mf_sin(vd_mf_turned(x));
}

/* cos(atan x) */
static inline double vd_mf_cos_atan(double x) {
  return 1.0 / sqrt(1.0 + x * x);
}

static inline uint64_t vd_mf_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double vd_mf_number(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* e^x for |x| <= 700, relative |error| < 3e-16. Whole powers of two are taken off and become the exponent. */
VD_INLINE double vd_mf_exp(double x) {
  const double round = 6755399441055744.0;
  double rounded = x * 1.4426950408889634 + round, k = rounded - round;
  double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
  double p = 2.5110556465609124e-08;
  p = p * r + 2.7620687500673354e-07;
  p = p * r + 2.755724089253438e-06;
  p = p * r + 2.4801519919546694e-05;
  p = p * r + 0.0001984126988798625;
  p = p * r + 0.0013888888918201212;
  p = p * r + 0.008333333333321695;
  p = p * r + 0.04166666666662186;
  p = p * r + 0.16666666666666674;
  p = p * r + 0.5000000000000001;
  double power = vd_mf_number((vd_mf_bits(rounded) << 52) + vd_mf_bits(1.0));
  return power * (1.0 + (r + r * r * p));
}

/* Natural logarithm of x > 0 (not subnormal), |error| < 3e-16 (1 + |result|). x = 2^k f with f in [sqrt(1/2), sqrt 2). */
VD_INLINE double vd_mf_log(double x) {
  const uint64_t root_half = 0x3fe6a09e667f3bcd, fraction = 0x000fffffffffffff, two_to_52 = 0x4330000000000000;
  uint64_t bits = vd_mf_bits(x) + (vd_mf_bits(1.0) - root_half);
  double k = vd_mf_number((bits >> 52) | two_to_52) - (4503599627370496.0 + 1023.0);
  double f = vd_mf_number((bits & fraction) + root_half);
  double s = (f - 1.0) / (f + 1.0), z = s * s, p = 0.14620456088026712;
  p = p * z + 0.15331387507517152;
  p = p * z + 0.18182899534434832;
  p = p * z + 0.22222210985942867;
  p = p * z + 0.28571428626932993;
  p = p * z + 0.3999999999989726;
  p = p * z + 0.666666666666667;
  return k * 0.6931471803691238 + (2.0 * s + (s * z * p + k * 1.9082149292705877e-10));
}

static inline double vd_mf_at(vd_mf_line line, double u) {
  return line.c0 + line.c1 * u;
}

static inline double vd_mf_at2(vd_mf_square square, double u) {
  return square.c0 + (square.c1 + square.c2 * u) * u;
}

/* One pure curve at a load: mu sin(C atan(B x - E (B x - atan(B x)))) + SV with x = slip + SH, per unit of load. */
typedef struct vd_mf_curve {
  double k, mu, b, c, sh, sv; /* k: slope at x = 0 */
  double e[2];                /* for x < 0 and x >= 0 */
} vd_mf_curve;

/* Both curves at a load. */
typedef struct vd_mf_pure {
  double load, scale; /* N, held in range; the actual load over it where that is below */
  double u;           /* Fz/Fz0' */
  vd_mf_curve x, y;
} vd_mf_pure;

/* At in->load; what camber, pressure and friction decide comes in s. Slips and speed are taken as 0. */
void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, vd_mf_slip *s, vd_mf_pure *p);

#endif
