/* Own elementary functions of one number; base/wide_elementary.h has functions of four numbers at a time.
 *
 * A run calls no function of libm, except those whose result IEEE 754 or C defines to the last bit (sqrt, fabs, floor,
 * ceil, round, remainder, fmod ...). These functions use +, -, *, / and sqrt alone, so every compiler, processor and
 * libm gives the same bits. Errors are below 1 ulp. Special values are those of C, Annex F; no function sets errno. */
#ifndef VD_ELEMENTARY_H
#define VD_ELEMENTARY_H

double vd_sin(double x);
double vd_cos(double x);
/* Computes sine and cosine at once, with the same bits as vd_sin and vd_cos. */
void vd_sin_cos(double x, double *sine, double *cosine);
double vd_tan(double x);
double vd_asin(double x);
double vd_acos(double x);
double vd_atan(double x);
double vd_atan2(double y, double x);
double vd_exp(double x);
double vd_expm1(double x);
double vd_tanh(double x);
double vd_log(double x);
double vd_log1p(double x);
double vd_log2(double x);
double vd_log10(double x);
double vd_pow(double x, double y);
double vd_hypot(double x, double y);

/* Return the minimum and the maximum as fmin and fmax do, but without a call. If a and b are zeros of different sign,
 * the result is b. */
static inline double vd_min(double a, double b) {
  return a < b || b != b ? a : b;
}

static inline double vd_max(double a, double b) {
  return a > b || b != b ? a : b;
}

#endif
