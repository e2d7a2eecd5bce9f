/* Arithmetic shared by the Magic Formula's own files.
 *
 * atan and sine are polynomials here and not libm's: without branches or calls the compiler evaluates several in the lanes of
 * vector registers, which is where most of an evaluation's time goes, and every compiler and libm gives the same bits.
 * Coefficients: minimax fits by the Remez exchange in 50 digits. */
#ifndef VD_MF_IMPL_H
#define VD_MF_IMPL_H

#include "mf.h"

#include <math.h>

/* For what runs at every step: calls would pass through memory what fits into registers. */
#if defined(__GNUC__)
#define VD_MF_INLINE __attribute__((always_inline)) static inline
#else
#define VD_MF_INLINE static inline
#endif

/* Compiled twice, for vector registers of four numbers too, and chosen when the program starts. The bits are the same: nothing is
 * contracted or put into another order. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&            \
    !defined(__clang__)
#define VD_MF_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define VD_MF_WIDE
#endif

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
VD_MF_INLINE double vd_mf_atan(double x) {
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
VD_MF_INLINE double vd_mf_sin_core(double r) {
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
VD_MF_INLINE double vd_mf_sin_near(double x) {
  return copysign(1.0, x) * vd_mf_sin_core(0.5 * VD_PI - fabs(fabs(x) - 0.5 * VD_PI));
}

/* sine for |x| < 1e6. The nearest multiple of pi is taken off, in two pieces so that nothing is lost. */
VD_MF_INLINE double vd_mf_sin(double x) {
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

/* Both curves and what else depends on load, camber, pressure and friction, but not on slip. */
typedef struct vd_mf_pure {
  double load, scale;                    /* N, held in range; the actual load over it where that is below */
  double u, dp;                          /* Fz/Fz0', dp_i */
  double gamma, gamma_s;                 /* rad; gamma*; mirrored and held in range */
  double lambda_x, lambda_y;             /* LMUX*, LMUY*, 4.E7 */
  double lambda_x_shift, lambda_y_shift; /* LMUX', LMUY', 4.E8 */
  vd_mf_curve x, y;
} vd_mf_pure;

/* slip_speed: that of LMUV, m/s. */
void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, double slip_speed, vd_mf_pure *p);

#endif
