/* Elementary functions of VDSim: special values, errors relative to libquadmath, equal bits on every machine.
 *
 * libquadmath has 113 bits, so its results count as exact. Without it (VD_QUADMATH is not defined) these tests are
 * skipped. VD_ARGUMENTS: number of arguments of each function, 200000 by default. */
#include "base/elementary.h"
#include "base/base.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

/* Draws 64 bits by xorshift64 (Marsaglia 2003), which gives the same numbers everywhere. */
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void begin_random(void) {
  random_state = 88172645463325252u;
}

/* Returns a random number in 0..1. */
static double share(void) {
  return (double)(random_bits() >> 11) * 0x1p-53;
}

static double any_number(void) {
  uint64_t bits = random_bits();
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Returns 2^-k for a random k below `most'. */
static double random_scale(int most) {
  return ldexp(1.0, -(int)(random_bits() % (unsigned)most));
}

/* Returns a random argument. Six kinds alternate: any bits (all exponents, subnormals, NaN, infinities), -1..1, some
 * revolutions, 40 binary orders of magnitude about 1, the range of the exponential function, numbers close to 1. */
static double argument(int kind) {
  double sign = random_bits() & 1 ? -1.0 : 1.0;
  switch (kind % 6) {
  case 0: return any_number();
  case 1: return sign * share();
  case 2: return sign * share() * 7.0;
  case 3: return sign * share() * 0x1p20 * random_scale(40);
  case 4: return sign * share() * 750.0;
  default: return sign * (1.0 + (share() - 0.5) * random_scale(30));
  }
}

/* ---- Functions ------------------------------------------------------------------------------- */

typedef double function_of_one(double);
typedef double function_of_two(double, double);

static const struct {
  const char *name;
  function_of_one *own;
} of_one[] = {{"sin", vd_sin},     {"cos", vd_cos},   {"tan", vd_tan},     {"asin", vd_asin}, {"acos", vd_acos},
              {"atan", vd_atan},   {"exp", vd_exp},   {"expm1", vd_expm1}, {"tanh", vd_tanh}, {"log", vd_log},
              {"log1p", vd_log1p}, {"log2", vd_log2}, {"log10", vd_log10}};

static const struct {
  const char *name;
  function_of_two *own;
} of_two[] = {{"atan2", vd_atan2}, {"hypot", vd_hypot}, {"pow", vd_pow}};

/* Returns two arguments. For the power every second pair is chosen so that the result neither overflows nor
 * underflows. */
static void arguments(bool power, int i, double *x, double *y) {
  *x = argument(i);
  *y = argument(i / 6);
  if (!power)
    return;
  *x = fabs(*x);
  if (i & 1 && *x > 0.0 && *x != 1.0)
    *y = (2.0 * share() - 1.0) * 745.0 / log(*x);
}

/* ---- Special values (C17, annex F) ----------------------------------------------------------- */

static bool same(double a, double b) {
  return isnan(b) ? isnan(a) : a == b && signbit(a) == signbit(b);
}

/* Checks that vd_sin_cos has the bits of vd_sin and vd_cos at special values, near multiples of pi/4, and over all
 * exponents. */
static void both_at_once(void) {
  double at[400], sine, cosine, worst = NAN;
  int count = 0, bad = 0;
  for (int k = 0; k <= 40; k++)
    for (int side = -1; side <= 1; side++)
      at[count++] = (1.0 + 1e-13 * side) * 0.25 * VD_PI * k * (k % 2 ? 1.0 : -1.0);
  for (int e = -60; e <= 60; e++)
    at[count++] = (e % 2 ? -1.37 : 1.61) * ldexp(1.0, e);
  at[count++] = -0.0, at[count++] = INFINITY, at[count++] = -INFINITY, at[count++] = NAN;
  for (int i = 0; i < count; i++) {
    vd_sin_cos(at[i], &sine, &cosine);
    if (!same(sine, vd_sin(at[i])) || !same(cosine, vd_cos(at[i]))) {
      bad++;
      worst = at[i];
    }
  }
  tap_ok(bad == 0 && count > 200,
         "sine and cosine computed at once have the bits of the single functions (%d of %d do not: %a)", bad, count,
         worst);
}

static void special_values(void) {
  const double inf = INFINITY, pi = VD_PI;
  static const double nan = NAN;
  const struct {
    function_of_one *f;
    double x, y;
  } one[] = {
      {vd_sin, -0.0, -0.0},          {vd_sin, inf, nan},          {vd_cos, 0.0, 1.0},       {vd_cos, -inf, nan},
      {vd_tan, -0.0, -0.0},          {vd_tan, inf, nan},          {vd_asin, -0.0, -0.0},    {vd_asin, 1.0, 0.5 * pi},
      {vd_asin, 1.01, nan},          {vd_acos, 1.0, 0.0},         {vd_acos, -1.0, pi},      {vd_acos, -1.01, nan},
      {vd_atan, -0.0, -0.0},         {vd_atan, inf, pi / 2},      {vd_atan, -inf, -pi / 2}, {vd_exp, 0.0, 1.0},
      {vd_exp, -0.0, 1.0},           {vd_exp, inf, inf},          {vd_exp, -inf, 0.0},      {vd_exp, 709.8, inf},
      {vd_expm1, -0.0, -0.0},        {vd_expm1, inf, inf},        {vd_expm1, -inf, -1.0},   {vd_tanh, -0.0, -0.0},
      {vd_tanh, inf, 1.0},           {vd_tanh, -inf, -1.0},       {vd_log, 1.0, 0.0},       {vd_log, 0.0, -inf},
      {vd_log, -0.0, -inf},          {vd_log, -1.0, nan},         {vd_log, inf, inf},       {vd_log, -inf, nan},
      {vd_log1p, -0.0, -0.0},        {vd_log1p, -1.0, -inf},      {vd_log1p, -1.01, nan},   {vd_log1p, inf, inf},
      {vd_log2, 0x1p-1074, -1074.0}, {vd_log2, 0x1p1023, 1023.0}, {vd_log2, 0.0, -inf},     {vd_log2, -1.0, nan},
      {vd_log10, 1000.0, 3.0},       {vd_log10, 1e22, 22.0},      {vd_log10, 1.0, 0.0},     {vd_log10, 0.0, -inf},
  };
  int bad = 0;
  for (size_t i = 0; i < VD_COUNT(one); i++)
    if (!same(one[i].f(one[i].x), one[i].y)) {
      tap_diag("row %zu: f(%g) = %a, expected %a", i, one[i].x, one[i].f(one[i].x), one[i].y);
      bad++;
    }
  for (size_t i = 0; i < VD_COUNT(of_one); i++)
    bad += !isnan(of_one[i].own(nan));
  tap_ok(bad == 0, "functions of one number return the special values of Annex F");
  const struct {
    function_of_two *f;
    double x, y, z;
  } two[] = {
      {vd_atan2, 0.0, 1.0, 0.0},       {vd_atan2, -0.0, 1.0, -0.0},
      {vd_atan2, 0.0, -1.0, pi},       {vd_atan2, -0.0, -1.0, -pi},
      {vd_atan2, 0.0, 0.0, 0.0},       {vd_atan2, 0.0, -0.0, pi},
      {vd_atan2, -0.0, -0.0, -pi},     {vd_atan2, 1.0, 0.0, pi / 2},
      {vd_atan2, -1.0, -0.0, -pi / 2}, {vd_atan2, 1.0, inf, 0.0},
      {vd_atan2, -1.0, -inf, -pi},     {vd_atan2, inf, 1.0, pi / 2},
      {vd_atan2, inf, inf, pi / 4},    {vd_atan2, -inf, -inf, -0.75 * pi},
      {vd_atan2, nan, 1.0, nan},       {vd_atan2, 1.0, nan, nan},
      {vd_hypot, -inf, nan, inf},      {vd_hypot, nan, inf, inf},
      {vd_hypot, nan, 1.0, nan},       {vd_hypot, 3.0, -4.0, 5.0},
      {vd_hypot, -0.0, 0.0, 0.0},      {vd_hypot, DBL_MAX, DBL_MAX, inf},
      {vd_pow, nan, 0.0, 1.0},         {vd_pow, 1.0, nan, 1.0},
      {vd_pow, 0.0, -3.0, inf},        {vd_pow, -0.0, -3.0, -inf},
      {vd_pow, -0.0, -2.0, inf},       {vd_pow, -0.0, 3.0, -0.0},
      {vd_pow, -0.0, 0.5, 0.0},        {vd_pow, -1.0, inf, 1.0},
      {vd_pow, -1.0, -inf, 1.0},       {vd_pow, 0.5, inf, 0.0},
      {vd_pow, -0.5, -inf, inf},       {vd_pow, -2.0, inf, inf},
      {vd_pow, 2.0, -inf, 0.0},        {vd_pow, -inf, 3.0, -inf},
      {vd_pow, -inf, -3.0, -0.0},      {vd_pow, -inf, 0.5, inf},
      {vd_pow, inf, -0.5, 0.0},        {vd_pow, -8.0, 1.0 / 3.0, nan},
      {vd_pow, -2.0, 3.0, -8.0},       {vd_pow, -2.0, 4.0, 16.0},
      {vd_pow, 10.0, 22.0, 1e22},      {vd_pow, 2.0, -1074.0, 0x1p-1074},
      {vd_pow, 2.0, 1024.0, inf},      {vd_pow, 2.0, 0x1p900, inf},
      {vd_pow, -2.0, -1e300, 0.0},     {vd_pow, nan, 1.0, nan},
  };
  bad = 0;
  for (size_t i = 0; i < VD_COUNT(two); i++)
    if (!same(two[i].f(two[i].x, two[i].y), two[i].z)) {
      tap_diag("row %zu: f(%g, %g) = %a, expected %a", i, two[i].x, two[i].y, two[i].f(two[i].x, two[i].y), two[i].z);
      bad++;
    }
  tap_ok(bad == 0, "functions of two numbers return the special values of Annex F");
  tap_ok(vd_min(nan, 1.0) == 1.0 && vd_min(1.0, nan) == 1.0 && vd_max(nan, 1.0) == 1.0 && vd_max(1.0, nan) == 1.0 &&
             vd_min(1.0, 2.0) == 1.0 && vd_max(1.0, 2.0) == 2.0 && signbit(vd_min(0.0, -0.0)) &&
             !signbit(vd_min(-0.0, 0.0)) && signbit(vd_max(0.0, -0.0)) && !signbit(vd_max(-0.0, 0.0)),
         "minimum and maximum drop a NaN, and return the second of two zeros");
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static uint64_t mixed(uint64_t hash, double y) {
  uint64_t bits;
  if (isnan(y)) /* the bits of a NaN depend on the processor; logs do not show them */
    y = 0.0;
  memcpy(&bits, &y, sizeof bits);
  return (hash ^ bits) * UINT64_C(1099511628211) ^ hash >> 29;
}

/* Compares the hash of the results of 20000 arguments of each function. The expected hash was computed by this program;
 * every compiler, processor and libm must give the same hash. */
static void bits(void) {
  const uint64_t expected = UINT64_C(0x4e73230e6c889e6e);
  uint64_t hash = UINT64_C(14695981039346656037);
  begin_random();
  for (size_t k = 0; k < VD_COUNT(of_one); k++)
    for (int i = 0; i < 20000; i++)
      hash = mixed(hash, of_one[k].own(argument(i)));
  for (size_t k = 0; k < VD_COUNT(of_two); k++)
    for (int i = 0; i < 20000; i++) {
      double x, y;
      arguments(false, i, &x, &y);
      hash = mixed(hash, of_two[k].own(x, y));
    }
  tap_ok(hash == expected, "320000 results have the same bits on every machine: %016llx", (unsigned long long)hash);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

#ifdef VD_QUADMATH
#include <quadmath.h>

typedef __float128 quad_of_one(__float128);
typedef __float128 quad_of_two(__float128, __float128);

static quad_of_one *const exact_of_one[] = {sinq,   cosq,  tanq, asinq,  acosq, atanq, expq,
                                            expm1q, tanhq, logq, log1pq, log2q, log10q};
static quad_of_two *const exact_of_two[] = {atan2q, hypotq, powq};

/* Returns the error of a result in ulp, units of the last place of the exact result; for subnormals in units of their
 * grid. If the exact result overflows, infinity is right; the greatest double is also right if it is within an ulp. */
static double error(double got, __float128 exact) {
  if (isnanq(exact) || isnan(got))
    return isnanq(exact) && isnan(got) ? 0.0 : INFINITY;
  if (isinf(got))
    return (got > 0) == (exact > 0) && fabsq(exact) > DBL_MAX ? 0.0 : INFINITY;
  if (isinfq(exact))
    return INFINITY;
  int exponent;
  frexpq(exact, &exponent);
  __float128 ulp = ldexpq(1, (exponent < -1021 ? -1021 : exponent) - 53);
  return (double)fabsq((got - exact) / ulp);
}

/* Returns the greatest error at arguments close to multiples of pi/2, where the reduction loses most digits:
 * 6381956970095103 2^797 is the closest of all doubles (J.-M. Muller, Elementary Functions, 3rd ed., 2016, 11.2). */
static double worst_near_turns(size_t k) {
  double worst = error(of_one[k].own(0x1.6ac5b262ca1ffp+849), exact_of_one[k](0x1.6ac5b262ca1ffp+849));
  for (int i = 1; i < 20000; i++) {
    double x = i * (0.5 * VD_PI);
    worst = tap_max(worst, error(of_one[k].own(x), exact_of_one[k](x)));
    x = nextafter(ldexp(x, i % 1000), 0.0);
    worst = tap_max(worst, error(of_one[k].own(x), exact_of_one[k](x)));
  }
  return worst;
}

static void errors(void) {
  const char *wanted = getenv("VD_ARGUMENTS");
  int count = wanted ? atoi(wanted) : 200000;
  for (size_t k = 0; k < VD_COUNT(of_one); k++) {
    double worst =
        of_one[k].own == vd_sin || of_one[k].own == vd_cos || of_one[k].own == vd_tan ? worst_near_turns(k) : 0.0;
    for (int i = 0; i < count; i++) {
      double x = argument(i), e = error(of_one[k].own(x), exact_of_one[k](x));
      worst = tap_max(worst, e);
    }
    tap_ok(worst < 1.0, "%s: errors of at most %.3f ulp, %d arguments", of_one[k].name, worst, count);
  }
  for (size_t k = 0; k < VD_COUNT(of_two); k++) {
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
      double x, y;
      arguments(of_two[k].own == vd_pow, i, &x, &y);
      double e = error(of_two[k].own(x, y), exact_of_two[k](x, y));
      worst = tap_max(worst, e);
    }
    tap_ok(worst < 1.0, "%s: errors of at most %.3f ulp, %d pairs", of_two[k].name, worst, count);
  }
}
#else
static void errors(void) {
  for (size_t k = 0; k < VD_COUNT(of_one); k++)
    tap_ok(true, "%s # SKIP no libquadmath", of_one[k].name);
  for (size_t k = 0; k < VD_COUNT(of_two); k++)
    tap_ok(true, "%s # SKIP no libquadmath", of_two[k].name);
}
#endif

int main(void) {
  tap_plan(5 + (int)(VD_COUNT(of_one) + VD_COUNT(of_two)));
  special_values();
  both_at_once();
  bits();
  errors();
  return tap_done();
}
