#include "base/elementary.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Methods: an argument is reduced to a small range, where the result is the first terms of the series and a minimax
 * polynomial for the remainder of the series. The first terms are carried as an unevaluated sum of two numbers, so that
 * little more than the last rounding is lost. Polynomials and constants are printed by tests/base/elementary.py. */

/* FLT_EVAL_METHOD 1, as on s390x, computes numbers of type float as double. No function here uses float. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
               "numbers are rounded to double after every operation (i386: -msse2 -mfpmath=sse)");

/* Returns the polynomial of z with n coefficients c, that of the highest power first. */
VD_INLINE double polynomial(double z, size_t n, const double *c) {
  double p = c[0];
  for (size_t i = 1; i < n; i++)
    p = p * z + c[i];
  return p;
}

#define POLYNOMIAL(z, c) polynomial(z, VD_COUNT(c), c)

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Returns 2^k for -1022 <= k <= 1023. */
static double power_of_2(int k) {
  return of_bits((uint64_t)(k + 1023) << 52);
}

/* Returns y 2^k, rounded once, for 0.5 < y < 4 and any k. */
static double scaled(double y, int k) {
  if (k > 1020)
    return k > 1100 ? INFINITY : y * power_of_2(1000) * power_of_2(k - 1000);
  if (k < -1020)
    return k < -1100 ? 0.0 : y * power_of_2(k + 200) * power_of_2(-200);
  return y * power_of_2(k);
}

/* ---- Sums of two numbers ------------------------------------------------------------------------
 *
 * T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971. */

/* The unevaluated sum high + low, where |low| is at most half an ulp of high, or slightly more. */
typedef struct twofold {
  double high, low;
} twofold;

/* Returns a + b exactly if |a| >= |b| or a = 0. */
VD_INLINE twofold sum_ordered(double a, double b) {
  double s = a + b;
  return (twofold){s, b - (s - a)};
}

/* Returns a + b exactly for any a and b (Knuth, The Art of Computer Programming 2, 4.2.2). */
VD_INLINE twofold sum(double a, double b) {
  double s = a + b, part = s - a;
  return (twofold){s, (a - (s - part)) + (b - part)};
}

/* Returns a b, exactly if nothing overflows or underflows. Each factor is split into halves of 26 bits (Veltkamp). */
VD_INLINE twofold product(double a, double b) {
  const double split = 134217729.0; /* 2^27 + 1 */
  double ca = split * a, cb = split * b;
  double a1 = ca - (ca - a), a2 = a - a1, b1 = cb - (cb - b), b2 = b - b1;
  double p = a * b;
  return (twofold){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* Returns a b with a relative error of a few 2^-104. The errors of quotient() and root() are as small. */
VD_INLINE twofold times(twofold a, twofold b) {
  twofold p = product(a.high, b.high);
  return sum_ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}

VD_INLINE twofold quotient(twofold a, twofold b) {
  double q = a.high / b.high;
  twofold p = product(q, b.high);
  return sum_ordered(q, ((a.high - p.high) - p.low + a.low - q * b.low) / b.high);
}

/* Returns sqrt(x) of a normal x that is not near the ends of the range. */
VD_INLINE twofold root(double x) {
  double s = sqrt(x);
  twofold square = product(s, s);
  return (twofold){s, ((x - square.high) - square.low) / (2.0 * s)};
}

/* ---- Sine, cosine, tangent ---------------------------------------------------------------------- */

static const double sine[] = {1.5896827478194378e-10, -2.5050758647029532e-08, 2.755731369520125e-06,
                              -0.0001984126982981695, 0.008333333333322425,    -0.16666666666666632};
static const double cosine[] = {-1.1359669940902413e-11, 2.0875723686751996e-09, -2.755731435526598e-07,
                                2.4801587289491935e-05,  -0.0013888888888874138, 0.0416666666666666};
_Static_assert(VD_COUNT(sine) == VD_COUNT(cosine), "vd_sin_cos computes both at the same time");
static const double tangent[] = {
    0.00013764354953765075, 0.0002233039348286285, 0.000593386801672005, 0.0014553980826035374, 0.0035921640985762493,
    0.008863233631594544,   0.021869488597817476,  0.05396825396710483,  0.13333333333334393,   0.3333333333333333};

static const twofold half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
#define QUARTER_PI 0.78539816339744830962

/* 2/pi in words of 32 bits, enough for the greatest double */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

enum { WINDOW = 7, WORDS = WINDOW + 2 };

/* Writes the words of m 2/pi, the least significant first. Words of 2/pi before number `first` are left out. */
static void multiply(uint64_t m, int first, uint32_t *word) {
  memset(word, 0, WORDS * sizeof *word);
  for (int half = 0; half < 2; half++, m >>= 32) {
    uint64_t carry = 0;
    for (int i = 0; i < WINDOW; i++) {
      carry += word[i + half] + (m & 0xffffffff) * two_over_pi[first + WINDOW - 1 - i];
      word[i + half] = (uint32_t)carry;
      carry >>= 32;
    }
    word[WINDOW + half] = (uint32_t)carry;
  }
}

/* Returns the 64 bits that begin at bit `place`; bits above the highest word are zero. */
static uint64_t bits_from(const uint32_t *word, int place) {
  int i = place / 32, shift = place % 32;
  uint64_t w[3];
  for (int k = 0; k < 3; k++)
    w[k] = i + k < WORDS ? word[i + k] : 0;
  uint64_t two = w[0] | w[1] << 32;
  return shift ? two >> shift | w[2] << (64 - shift) : two;
}

/* Reduces any finite x > 2^-20 as `reduce` does (M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric
 * functions", SIGNUM Newsletter 18, 1983). x = m 2^e with a whole m of 53 bits. Two groups of words of 2/pi are left
 * out: the first ones, whose products with x are multiples of 4 quarter turns, and those after the next 224 bits, whose
 * products with x add up to less than 2^-138. The fraction of x 2/pi is at least 2^-62 for every double. */
static int reduce_any(double x, twofold *r) {
  uint64_t bits = bits_of(x);
  int e = (int)(bits >> 52) - 1075, first = e >= 2 ? (e - 2) / 32 : 0;
  uint32_t word[WORDS];
  multiply((bits & 0xfffffffffffff) | (uint64_t)1 << 52, first, word);
  int point = 32 * WINDOW - (e - 32 * first); /* 191..276: the place of the lowest whole bit */
  int quarter = (int)(bits_from(word, point) & 3);
  uint64_t high = bits_from(word, point - 64), low = bits_from(word, point - 128);
  /* if the fraction is more than half of a quarter turn, its difference from the next quarter turn is computed */
  bool beyond = high >> 63;
  if (beyond) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  twofold f = sum_ordered((double)(high >> 32) * 0x1p-32, (double)(high & 0xffffffff) * 0x1p-64);
  twofold rest = sum(f.high, (double)(low >> 32) * 0x1p-96);
  f = sum_ordered(rest.high, rest.low + f.low + (double)(low & 0xffffffff) * 0x1p-128);
  f = times(f, half_pi);
  *r = beyond ? (twofold){-f.high, -f.low} : f;
  return quarter + beyond;
}

/* Computes r of x = n pi/2 + r, |r| <= pi/4 (or slightly more by rounding). Returns n, or a number that differs from n
 * by a multiple of 4. Two pieces of pi/2 are enough if x is neither large nor close to a multiple of pi/2 (W. J. Cody,
 * W. Waite, Software manual for the elementary functions, 1980): the first piece has 33 bits, so that its multiples are
 * exact, and the sum of both pieces differs from pi/2 by less than 2^-70. */
static int reduce(double x, twofold *r) {
  const double round_off = 6755399441055744.0; /* 1.5 2^52: adding it leaves no bits for a fraction */
  const double piece = 0x1.921fb54400000p+0, rest = 0x1.0b4611a626331p-34;
  if (fabs(x) < 65536.0) {
    double k = (x * 0.63661977236758134308 + round_off) - round_off, w = k * rest, a = x - k * piece, high = a - w;
    if (fabs(high) > 0x1p-10) {
      *r = (twofold){high, (a - high) - w};
      return (int)k;
    }
  }
  int n = reduce_any(fabs(x), r);
  if (x > 0.0)
    return n;
  *r = (twofold){-r->high, -r->low};
  return -n;
}

VD_INLINE double sine_of(twofold r) {
  double z = r.high * r.high;
  return r.high + (r.low * (1.0 - 0.5 * z) + r.high * z * POLYNOMIAL(z, sine));
}

VD_INLINE double cosine_of(twofold r) {
  double z = r.high * r.high, half = 0.5 * z, most = 1.0 - half;
  return most + ((1.0 - most) - half + (z * z * POLYNOMIAL(z, cosine) - r.high * r.low));
}

double vd_sin(double x) {
  twofold r = {x, 0.0};
  if (fabs(x) <= QUARTER_PI)
    return fabs(x) < 0x1p-26 ? x : sine_of(r);
  if (!isfinite(x))
    return x - x;
  int n = reduce(x, &r);
  double y = n & 1 ? cosine_of(r) : sine_of(r);
  return n & 2 ? -y : y;
}

double vd_cos(double x) {
  twofold r = {x, 0.0};
  if (fabs(x) <= QUARTER_PI)
    return cosine_of(r);
  if (!isfinite(x))
    return x - x;
  int n = reduce(x, &r);
  double y = n & 1 ? sine_of(r) : cosine_of(r);
  return (n + 1) & 2 ? -y : y;
}

/* Computes both polynomials at the same time, in the two lanes of a register. */
void vd_sin_cos(double x, double *sine_x, double *cosine_x) {
  typedef double two __attribute__((vector_size(2 * sizeof(double))));
  twofold r = {x, 0.0};
  int n = 0;
  if (!isfinite(x)) {
    *sine_x = *cosine_x = x - x;
    return;
  }
  if (fabs(x) > QUARTER_PI)
    n = reduce(x, &r);
  double z = r.high * r.high, half = 0.5 * z, most = 1.0 - half;
  two p = {sine[0], cosine[0]};
  for (size_t i = 1; i < VD_COUNT(sine); i++)
    p = p * z + (two){sine[i], cosine[i]};
  double s = fabs(x) < 0x1p-26 ? x : r.high + (r.low * most + r.high * z * p[0]);
  double c = most + ((1.0 - most) - half + (z * z * p[1] - r.high * r.low));
  if (n & 1) {
    double other = s;
    s = c;
    c = other;
  }
  *sine_x = n & 2 ? -s : s;
  *cosine_x = (n + 1) & 2 ? -c : c;
}

/* Returns tan r for |r| <= pi/8. */
VD_INLINE twofold tangent_near(twofold r) {
  double z = r.high * r.high;
  return sum_ordered(r.high, r.low * (1.0 + z) + r.high * z * POLYNOMIAL(z, tangent));
}

/* Uses tan r = (1 - t)/(1 + t) with t = tan(pi/4 - r) for |r| > pi/8, and tan(r + pi/2) = -1/tan r. */
double vd_tan(double x) {
  twofold r = {x, 0.0};
  int n = 0;
  if (!isfinite(x))
    return x - x;
  if (fabs(x) < 0x1p-27)
    return x;
  if (fabs(x) > QUARTER_PI)
    n = reduce(x, &r);
  twofold above, below = {1.0, 0.0};
  if (fabs(r.high) <= 0.5 * QUARTER_PI)
    above = tangent_near(r);
  else {
    double sign = copysign(1.0, r.high);
    twofold left = sum_ordered(0.5 * half_pi.high, -sign * r.high);
    twofold t = tangent_near(sum_ordered(left.high, left.low + (0.5 * half_pi.low - sign * r.low)));
    below = sum_ordered(1.0, t.high);
    above = sum_ordered(1.0, -t.high);
    below.low += t.low;
    above = (twofold){sign * above.high, sign * (above.low - t.low)};
  }
  if (n & 1)
    above = quotient(below, (twofold){-above.high, -above.low});
  else if (below.high != 1.0)
    above = quotient(above, below);
  return above.high + above.low;
}

/* ---- Inverse functions -------------------------------------------------------------------------- */

static const double arc_tangent[] = {0.04609312381687914,  -0.06526170731683612, 0.07683764916578784,
                                     -0.09090604825603475, 0.11111104766011036,  -0.14285714212323306,
                                     0.1999999999958888,   -0.33333333333332543};
static const double arc_sine[] = {
    0.03267686608042784,  -0.021077258432194584, 0.021763477645934243, 0.003683050117522624, 0.010786526988368133,
    0.011397776363691967, 0.013980961400283832,  0.017351600097088155, 0.022372215659906894, 0.03038194268363769,
    0.04464285717512015,  0.07499999999970264,   0.16666666666666763};

/* Returns atan t - t for |t| <= 1/4. */
VD_INLINE double arc_tangent_rest(double t) {
  double z = t * t;
  return t * z * POLYNOMIAL(z, arc_tangent);
}

/* Returns atan(y/x) for 0 <= y <= x. Up to y/x = 1/4 the result is the series of y/x. Above, it is atan c, with c = 1/2
 * or 1, plus the series of (y - c x)/(x + c y), which is the tangent of the rest of the angle. */
static twofold angle_in_octant(double y, double x) {
  static const twofold half = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
  twofold from = {0.0, 0.0}, t;
  if (y <= 0.25 * x) {
    t = quotient((twofold){y, 0.0}, (twofold){x, 0.0});
  } else {
    double c = y <= 0.75 * x ? 0.5 : 1.0;
    from = c < 1.0 ? half : (twofold){0.5 * half_pi.high, 0.5 * half_pi.low};
    t = quotient(sum(y, -c * x), sum_ordered(x, c * y));
  }
  twofold angle = sum_ordered(from.high, t.high);
  return (twofold){angle.high, angle.low + (from.low + t.low + arc_tangent_rest(t.high))};
}

/* Returns the angle from the x axis to the point (x, y). Both are >= 0, and neither is near the ends of the range. */
static twofold angle_in_quadrant(double y, double x) {
  if (y <= x)
    return angle_in_octant(y, x);
  twofold a = angle_in_octant(x, y), rest = sum_ordered(half_pi.high, -a.high);
  return (twofold){rest.high, rest.low + (half_pi.low - a.low)};
}

double vd_atan(double x) {
  double a = fabs(x);
  if (!(a > 0.25)) /* or a NaN */
    return a < 0x1p-27 ? x : x + arc_tangent_rest(x);
  if (a > 0x1p60)
    return copysign(half_pi.high, x);
  twofold angle = angle_in_quadrant(a, 1.0);
  return copysign(angle.high + angle.low, x);
}

double vd_atan2(double y, double x) {
  if (isnan(x) || isnan(y))
    return x + y;
  double a = fabs(x), b = fabs(y), angle;
  bool behind = signbit(x);
  if (isinf(a) && isinf(b)) {
    angle = behind ? 1.5 * half_pi.high : 0.5 * half_pi.high;
  } else if (b == 0.0 || isinf(a) || b <= 0x1p-60 * a) {
    angle = behind ? 2.0 * half_pi.high : b == 0.0 ? 0.0 : b / a;
  } else if (a <= 0x1p-60 * b) {
    angle = half_pi.high;
  } else {
    double unit = b > 0x1p800 ? 0x1p-200 : b < 0x1p-700 ? 0x1p300 : 1.0;
    twofold in = angle_in_quadrant(unit * b, unit * a);
    if (behind) {
      twofold rest = sum_ordered(2.0 * half_pi.high, -in.high);
      in = (twofold){rest.high, rest.low + (2.0 * half_pi.low - in.low)};
    }
    angle = in.high + in.low;
  }
  return copysign(angle, y);
}

/* Returns asin x - x for |x| <= 1/2; z = x^2. */
VD_INLINE double arc_sine_rest(double x, double z) {
  return x * z * POLYNOMIAL(z, arc_sine);
}

/* Returns acos x = 2 asin sqrt((1 - x)/2) for 1/2 <= x <= 1. */
VD_INLINE twofold arc_cosine_near(double x) {
  double z = 0.5 * (1.0 - x);
  if (z == 0.0)
    return (twofold){0.0, 0.0};
  twofold s = root(z);
  return (twofold){2.0 * s.high, 2.0 * (s.low + arc_sine_rest(s.high, z))};
}

double vd_asin(double x) {
  double a = fabs(x);
  if (a <= 0.5)
    return a < 0x1p-26 ? x : x + arc_sine_rest(x, x * x);
  if (!(a <= 1.0))
    return (x - x) / (x - x);
  twofold c = arc_cosine_near(a), s = sum_ordered(half_pi.high, -c.high);
  return copysign(s.high + (s.low + (half_pi.low - c.low)), x);
}

double vd_acos(double x) {
  if (!(fabs(x) <= 1.0))
    return (x - x) / (x - x);
  if (fabs(x) <= 0.5) {
    twofold c = sum_ordered(half_pi.high, -x);
    return c.high + (c.low + (half_pi.low - arc_sine_rest(x, x * x)));
  }
  twofold c = arc_cosine_near(fabs(x));
  if (x > 0.0)
    return c.high + c.low;
  twofold rest = sum_ordered(2.0 * half_pi.high, -c.high);
  return rest.high + (rest.low + (2.0 * half_pi.low - c.low));
}

/* ---- Exponential function ----------------------------------------------------------------------- */

static const double exponential[] = {2.092373398804948e-09, 2.5108984776360063e-08, 2.7557245659516165e-07,
                                     2.755724436631811e-06, 2.4801587356018052e-05, 0.00019841269885958308,
                                     0.0013888888888870193, 0.008333333333321705,   0.04166666666666669,
                                     0.16666666666666677};

static const twofold log_2 = {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45}; /* high: 42 bits, its multiples are exact */

/* Returns s of e^x = 2^k (1 + s) for |x| < 750, with 1 + s in sqrt(1/2)..sqrt 2. The error is below 2^-58 |s|. */
static twofold exp_less_one(twofold x, int *k) {
  const double round_off = 6755399441055744.0;
  double n = (x.high * 1.4426950408889634 + round_off) - round_off;
  twofold r = sum(x.high - n * log_2.high, x.low - n * log_2.low);
  double t = r.high, cubic = t * t * t * POLYNOMIAL(t, exponential);
  twofold square = product(t, t), s = sum_ordered(t, 0.5 * square.high);
  *k = (int)n;
  return sum_ordered(s.high, s.low + (0.5 * square.low + cubic + r.low * (1.0 + t)));
}

static double exp_of(twofold x) {
  int k;
  if (x.high > 710.0)
    return INFINITY;
  if (x.high < -746.0)
    return 0.0;
  twofold less = exp_less_one(x, &k), e = sum_ordered(1.0, less.high);
  return scaled(e.high + (e.low + less.low), k);
}

double vd_exp(double x) {
  return isnan(x) ? x : exp_of((twofold){x, 0.0});
}

/* Returns e^x - 1 for |x| < 45. */
static twofold expm1_of(double x) {
  int k;
  twofold less = exp_less_one((twofold){x, 0.0}, &k);
  if (k == 0)
    return less;
  double up = power_of_2(k);
  twofold e = sum_ordered(1.0, less.high), rest = sum(e.high, -power_of_2(-k));
  rest = sum_ordered(rest.high, rest.low + (e.low + less.low));
  return (twofold){up * rest.high, up * rest.low};
}

double vd_expm1(double x) {
  if (x > 44.0)
    return vd_exp(x);
  if (x < -44.0)
    return -1.0;
  if (!(fabs(x) > 0x1p-54))
    return x;
  twofold e = expm1_of(x);
  return e.high + e.low;
}

/* tanh x = (e^2x - 1)/(e^2x + 1) */
double vd_tanh(double x) {
  double a = fabs(x);
  if (a > 22.0)
    return copysign(1.0, x);
  if (!(a > 0x1p-28))
    return x;
  twofold e = expm1_of(2.0 * a), below = sum(e.high, 2.0);
  twofold t = quotient(e, (twofold){below.high, below.low + e.low});
  return copysign(t.high + t.low, x);
}

/* ---- Logarithm ---------------------------------------------------------------------------------- */

static const double logarithm[] = {0.13196211000714395, 0.1325682978142701,  0.15386756844917207, 0.1818178437695742,
                                   0.2222222251981932,  0.28571428570100105, 0.40000000000002256};

/* Returns log x for a finite x.high > 0; x.low must be 0 if x.high is beyond 2^60. With x = 2^k f, f in sqrt(1/2)..
 * sqrt 2, and s = (f - 1)/(f + 1): log f = 2 s + s^3 (2/3 + 2/5 s^2 + ...). The relative error is below 2^-64. */
static twofold log_of(twofold x) {
  static const twofold two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  const uint64_t root_half = 0x3fe6a09e667f3bcd, fraction = 0x000fffffffffffff;
  int k = 0;
  if (x.high < DBL_MIN) {
    x.high *= 0x1p54;
    k = -54;
  }
  uint64_t bits = bits_of(x.high) - root_half;
  int shift = (int)((int64_t)bits >> 52);
  k += shift;
  double f = of_bits((bits & fraction) + root_half), low = x.low == 0.0 ? 0.0 : x.low * power_of_2(-shift);
  twofold above = sum(f - 1.0, low), below = sum(f, 1.0);
  below.low += low;
  twofold s = quotient(above, below), z = times(s, s);
  twofold series = sum_ordered(two_thirds.high, z.high * POLYNOMIAL(z.high, logarithm));
  series.low += two_thirds.low;
  series = times(times(s, z), series);
  twofold log_f = sum_ordered(2.0 * s.high, series.high);
  log_f.low += 2.0 * s.low + series.low;
  twofold whole = sum(k * log_2.high, log_f.high);
  return sum_ordered(whole.high, whole.low + (log_f.low + k * log_2.low));
}

/* True if x is finite and > 0. If not, *y is the logarithm that C, Annex F, defines. */
static bool has_log(double x, double *y) {
  *y = x == 0.0 ? -INFINITY : x < 0.0 ? NAN : x;
  return x > 0.0 && x <= DBL_MAX;
}

double vd_log(double x) {
  double y;
  if (!has_log(x, &y))
    return y;
  twofold log = log_of((twofold){x, 0.0});
  return log.high + log.low;
}

double vd_log1p(double x) {
  double y;
  if (fabs(x) < 0x1p-54)
    return x;
  if (!has_log(1.0 + x, &y))
    return y;
  twofold log = log_of(x < 0x1p54 ? sum(1.0, x) : (twofold){x, 0.0});
  return log.high + log.low;
}

static double log_to_base(double x, twofold per_log) {
  double y;
  if (!has_log(x, &y))
    return y;
  twofold log = times(log_of((twofold){x, 0.0}), per_log);
  return log.high + log.low;
}

double vd_log2(double x) {
  return log_to_base(x, (twofold){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double vd_log10(double x) {
  return log_to_base(x, (twofold){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

/* ---- Powers ------------------------------------------------------------------------------------- */

/* Returns 1 if y is an odd number, 2 if y is even, 0 if y is not a whole number. */
static int parity(double y) {
  if (y != floor(y))
    return 0;
  return fmod(y, 2.0) != 0.0 ? 1 : 2;
}

/* The exponent is clamped to |y| <= 2^64. Beyond that the result is 0 or infinity anyway, because |log |x|| >= 2^-53
 * for every |x| except 1. */
double vd_pow(double x, double y) {
  if (y == 0.0 || x == 1.0)
    return 1.0;
  if (isnan(x) || isnan(y))
    return x + y;
  double a = fabs(x), size;
  int whole = isinf(y) ? 2 : parity(y);
  if (x < 0.0 && whole == 0 && a <= DBL_MAX)
    return NAN;
  if (a == 1.0)
    size = 1.0;
  else if (a == 0.0 || a > DBL_MAX || isinf(y))
    size = (a > 1.0) == (y > 0.0) ? INFINITY : 0.0;
  else {
    twofold log = log_of((twofold){a, 0.0});
    double clamped = vd_fast_max(vd_fast_min(y, 0x1p64), -0x1p64);
    twofold p = product(clamped, log.high);
    size = exp_of((twofold){p.high, p.low + clamped * log.low});
  }
  return whole == 1 ? copysign(size, x) : size;
}

/* Returns sqrt(x^2 + y^2). Both squares are computed exactly, as sums of two numbers. */
double vd_hypot(double x, double y) {
  double a = fabs(x), b = fabs(y);
  if (isinf(a) || isinf(b))
    return INFINITY;
  if (!(a >= b)) { /* or a NaN */
    double other = a;
    a = b;
    b = other;
  }
  if (!(b > 0x1p-54 * a))
    return a + b;
  double unit = a > 0x1p400 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1.0;
  twofold aa = product(unit * a, unit * a), bb = product(unit * b, unit * b), s = sum_ordered(aa.high, bb.high);
  double h = sqrt(s.high);
  twofold hh = product(h, h);
  return (h + ((s.high - hh.high) - hh.low + (s.low + aa.low + bb.low)) / (2.0 * h)) / unit;
}
