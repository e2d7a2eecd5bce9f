#include "base/num.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Printing nine digits -----------------------------------------------------------------------
 *
 * value * 10^p, with p chosen so that the point follows nine or ten digits, is the product of two 64-bit mantissas in
 * 128 bits. 10^p = 2^p * 5^p. For 0 <= p < 27, 5^p fits into 64 bits and the product is exact. Outside this range 5^p
 * is the product of 5^(27 a), rounded, and 5^b, exact. The result then has a known error bound; if the remainder is
 * closer to one half than this bound, so that the rounding is open, snprintf prints the value. */

enum { STEP = 27, STEP_LOWEST = -12 };

/* The number mantissa * 2^exponent; the highest bit of the mantissa is set. */
typedef struct scaled {
  uint64_t mantissa;
  int exponent;
} scaled;

/* clang-format off */
static const uint64_t power_of_5[STEP] = {
  1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625,
  30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125,
  2384185791015625, 11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625};
/* clang-format on */

/* Powers 5^(27 a) for a = -12..12, rounded to nearest, with a relative error up to 2^-64 */
static const scaled power_of_5_27[] = {
    {UINT64_C(0xcf42894a5dce35ea), -816}, {UINT64_C(0xa76c582338ed2622), -753}, {UINT64_C(0x873e4f75e2224e68), -690},
    {UINT64_C(0xda7f5bf590966849), -628}, {UINT64_C(0xb080392cc4349ded), -565}, {UINT64_C(0x8e938662882af53e), -502},
    {UINT64_C(0xe65829b3046b0afa), -440}, {UINT64_C(0xba121a4650e4ddec), -377}, {UINT64_C(0x964e858c91ba2655), -314},
    {UINT64_C(0xf2d56790ab41c2a3), -252}, {UINT64_C(0xc428d05aa4751e4d), -189}, {UINT64_C(0x9e74d1b791e07e48), -126},
    {UINT64_C(0x8000000000000000), -63},  {UINT64_C(0xcecb8f27f4200f3a), -1},   {UINT64_C(0xa70c3c40a64e6c52), 62},
    {UINT64_C(0x86f0ac99b4e8dafd), 125},  {UINT64_C(0xda01ee641a708dea), 187},  {UINT64_C(0xb01ae745b101e9e4), 250},
    {UINT64_C(0x8e41ade9fbebc27d), 313},  {UINT64_C(0xe5d3ef282a242e82), 375},  {UINT64_C(0xb9a74a0637ce2ee1), 438},
    {UINT64_C(0x95f83d0a1fb69cd9), 501},  {UINT64_C(0xf24a01a73cf2dcd0), 563},  {UINT64_C(0xc3b8358109e84f07), 626},
    {UINT64_C(0x9e19db92b4e31ba9), 689},
};

/* Returns the upper half of the product of two numbers of 64 bits; *low is its lower half. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide_product;

static inline uint64_t product(uint64_t a, uint64_t b, uint64_t *low) {
  wide_product all = (wide_product)a * b;
  *low = (uint64_t)all;
  return (uint64_t)(all >> 64);
}
#else /* from products of their halves */
static uint64_t product(uint64_t a, uint64_t b, uint64_t *low) {
  const uint64_t half = 0xffffffff;
  uint64_t inner = (a & half) * (b & half), left = (a >> 32) * (b & half), right = (a & half) * (b >> 32);
  uint64_t middle = (inner >> 32) + (left & half) + (right & half);
  *low = middle << 32 | (inner & half);
  return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);
}
#endif

static scaled normalise(uint64_t mantissa, int exponent) {
  int shift = __builtin_clzll(mantissa);
  scaled s = {mantissa << shift, exponent - shift};
  return s;
}

/* Splits a finite value > 0. */
static scaled split_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0)
    return normalise(fraction, -1074);
  return normalise(fraction | UINT64_C(1) << 52, exponent - 1075);
}

/* Returns 10^p, rounded, with a relative error below 2^-62.4. */
static scaled rounded_power_of_10(int p) {
  int a = (p + STEP * -STEP_LOWEST) / STEP + STEP_LOWEST; /* floor(p / 27) */
  scaled small = normalise(power_of_5[p - STEP * a], 0);
  scaled large = power_of_5_27[a - STEP_LOWEST];
  uint64_t low, high = product(large.mantissa, small.mantissa, &low);
  int shift = (int)(high >> 63) ^ 1;
  scaled s = {shift ? high << 1 | low >> 63 : high, large.exponent + small.exponent + 64 - shift + p};
  return s;
}

static inline scaled power_of_10(int p, bool *exact) {
  *exact = p >= 0 && p < STEP;
  return *exact ? normalise(power_of_5[p], p) : rounded_power_of_10(p);
}

/* Returns floor(log10(2^e)), correct for every exponent of a double. */
static int log10_of_power_of_2(int e) {
  return ((e * 315653 + (1024 << 20)) >> 20) - 1024;
}

/* Rounds value to nine digits, half to even. Writes the digits as an integer, and the decimal exponent of the first
 * digit. Returns false if the error bound does not decide the rounding. */
static bool nine_digits(double value, uint32_t *digits, int *exponent) {
  scaled m = split_double(value);
  int k = log10_of_power_of_2(m.exponent + 63);
  bool exact;
  scaled power = power_of_10(8 - k, &exact);
  uint64_t low, high = product(m.mantissa, power.mantissa, &low);
  int shift = -(m.exponent + power.exponent) - 64; /* 29..38: 1e8 <= high >> shift < 2e9 */
  uint64_t whole = high >> shift, rest = high & (((uint64_t)1 << shift) - 1), half = (uint64_t)1 << (shift - 1);
  if (whole >= 1000000000) { /* ten digits: the last goes into the remainder */
    rest |= (whole % 10) << shift;
    half *= 10;
    whole /= 10;
    k++;
  }
  /* product < 2^128, so its error is below 2^(128 - 62.4) < 4 2^64 */
  if (!exact && rest - half + 4 < 8)
    return false;
  if (rest > half || (rest == half && (low > 0 || whole % 2 == 1)))
    whole++;
  if (whole == 1000000000) {
    whole = 100000000;
    k++;
  }
  *digits = (uint32_t)whole;
  *exponent = k;
  return true;
}

/* Returns eight decimal digits, the first in the lowest byte. The number is split into two groups of four digits, then
 * into pairs, then into digits. Each split treats all groups at once. n 10486 / 2^20 is n / 100 for n < 10^4; n 103 /
 * 2^10 is n / 10 for n < 100. */
static uint64_t eight_digits(uint32_t number) {
  uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
  uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x7f0000007f);
  uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  uint64_t tens = pairs * 103 >> 10 & UINT64_C(0x000f000f000f000f);
  return tens | (pairs - 10 * tens) << 8;
}

/* Writes the eight bytes from the lowest on. */
static inline void write_eight(char *out, uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  memcpy(out, &bytes, sizeof bytes);
}

static char *write_exponent(char *out, int exponent) {
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  int size = abs(exponent);
  if (size >= 100)
    *out++ = (char)('0' + size / 100);
  *out++ = (char)('0' + size / 10 % 10);
  *out++ = (char)('0' + size % 10);
  return out;
}

/* Writes the text of %.9g without a sign, from nine digits and the decimal exponent of the first. Returns the end of
 * the text. It is written in blocks of eight bytes; bytes behind its end have no meaning. */
static char *write_nine(char *out, uint32_t number, int exponent) {
  uint64_t digits = eight_digits(number % 100000000), text = digits | UINT64_C(0x3030303030303030);
  char first = (char)('0' + number / 100000000);
  int count = digits ? 9 - __builtin_clzll(digits) / 8 : 1; /* without the zeros at the end */
  if (exponent < -4 || exponent >= 9) {
    out[0] = first;
    out[1] = '.';
    write_eight(out + 2, text);
    return write_exponent(out + count + (count > 1), exponent);
  }
  if (exponent < 0) { /* 0.00ddd */
    memcpy(out, "0.000", 5);
    out -= exponent;
    out[1] = first;
    write_eight(out + 2, text);
    return out + 1 + count;
  }
  out[0] = first;
  write_eight(out + 1, text);
  if (count <= exponent + 1)
    return out + exponent + 1;
  out[exponent + 1] = '.';
  write_eight(out + exponent + 2, text >> 8 * exponent);
  return out + count + 1;
}

int vd_num_print9(double value, char *out) {
  uint32_t number;
  int exponent;
  double size = fabs(value);
  char *end = out;
  *end = '-';
  end += signbit(value) != 0;
  if (size == 0.0)
    *end++ = '0';
  else if (size <= DBL_MAX && nine_digits(size, &number, &exponent))
    end = write_nine(end, number, exponent);
  else
    return snprintf(out, VD_NUM_MAX, "%.9g", value);
  *end = '\0';
  return (int)(end - out);
}

/* Up to 1e6 the error of 10 x value is below 1e-9. If the result is closer to a tie than this, snprintf rounds. */
int vd_num_print_tenths(double value, char *out) {
  double tenths = 10.0 * fabs(value);
  if (!(tenths < 1e7) || fabs(tenths - floor(tenths) - 0.5) < 1e-9)
    return snprintf(out, VD_NUM_MAX, "%.1f", value);
  uint64_t number = (uint64_t)(tenths + 0.5), digits = eight_digits((uint32_t)number / 10);
  int leading = digits ? __builtin_ctzll(digits) / 8 : 7;
  char *end = out;
  *end = '-';
  end += signbit(value) != 0;
  write_eight(end, (digits | UINT64_C(0x3030303030303030)) >> 8 * leading);
  end += 8 - leading;
  end[0] = '.';
  end[1] = (char)('0' + number % 10);
  end[2] = '\0';
  return (int)(end + 2 - out);
}

/* ---- Printing for reading back ------------------------------------------------------------------
 *
 * A decimal reads back as a given double if the two differ by less than half the distance to the next double. With
 * the point after 17 or 18 digits, the value and half that distance are numbers with a fraction of 6 to 10 bits, and an
 * error of a few units of the last bit. First 15 digits are tried, which include every shorter decimal; then 16; then
 * 17, which always read back. If the error could change a decision, printf and strtod decide. */

enum { FEWEST = 15, MOST = 17 };

/* Writes the digits of value as an integer of `kept` digits, FEWEST to MOST, and the decimal exponent of the first
 * digit. Returns false if the error bound does not decide the rounding. */
static bool shortest_digits(double value, uint64_t *digits, int *kept, int *exponent) {
  /* units of the last bit: 4 of the product (nine_digits), 1 for cutting off the value, 1 for cutting off half the
   * distance */
  const uint64_t error = 8;
  int binary;
  bool exact, lowest = frexp(value, &binary) == 0.5; /* below a power of 2 doubles are twice as dense */
  scaled m = split_double(value);
  int k = log10_of_power_of_2(m.exponent + 63);
  scaled power = power_of_10(MOST - 1 - k, &exact);
  uint64_t low, high = product(m.mantissa, power.mantissa, &low), half = power.mantissa >> 54;
  int shift = -(m.exponent + power.exponent) - 64;
  uint64_t unit = 100, whole = UINT64_C(100000000000000000);
  if (high >> shift >= whole) { /* 18 digits */
    unit = 1000;
    k++;
  }
  for (*kept = FEWEST; *kept <= MOST; ++*kept, unit /= 10) {
    uint64_t step = unit << shift, number = (high + step / 2) / step, at = number * step;
    uint64_t away = at > high ? at - high : high - at, reach = lowest && at < high ? half / 2 : half;
    if (away > reach + error)
      continue;
    if (away + error > reach || away + error > step / 2)
      return false;
    *digits = number;
    *exponent = k;
    return true;
  }
  return false;
}

/* Writes an integer of `kept` digits, and returns the number of digits without the zeros at its end. If rounding made
 * the number 10^kept, the last zero is not written, and the exponent becomes greater by one. */
static int write_shortest(char *out, uint64_t number, int kept, int *exponent) {
  int count = kept;
  for (int i = kept - 1; i >= 0; i--, number /= 10)
    out[i] = (char)('0' + number % 10);
  if (number > 0) { /* the number is 10^kept */
    out[0] = '1';
    ++*exponent;
  }
  while (count > 1 && out[count - 1] == '0')
    count--;
  return count;
}

static char *write_exponential(char *out, const char *digits, int count, int exponent) {
  *out++ = digits[0];
  if (count > 1) {
    *out++ = '.';
    memcpy(out, digits + 1, (size_t)(count - 1));
    out += count - 1;
  }
  return write_exponent(out, exponent);
}

/* count, kept: number of digits without and with the zeros at the end. Zeros before the decimal point are written. */
static char *write_fixed(char *out, const char *digits, int count, int kept, int exponent) {
  if (exponent < 0) { /* 0.00ddd */
    memcpy(out, "0.000", 5);
    out += 1 - exponent;
    memcpy(out, digits, (size_t)count);
    return out + count;
  }
  int whole = exponent + 1;
  memcpy(out, digits, (size_t)kept);
  if (count <= whole)
    return out + whole;
  out[whole] = '.';
  memcpy(out + whole + 1, digits + whole, (size_t)(count - whole));
  return out + count + 1;
}

/* Writes the text of %g with a precision of `kept` digits. count: number of digits without the zeros at the end. */
static int write_number(char *out, bool negative, const char *digits, int count, int kept, int exponent) {
  char *end = out;
  if (negative)
    *end++ = '-';
  if (exponent < -4 || exponent >= kept)
    end = write_exponential(end, digits, count, exponent);
  else
    end = write_fixed(end, digits, count, kept, exponent);
  *end = '\0';
  return (int)(end - out);
}

int vd_num_print_shortest(double value, char *out) {
  char digits[MOST];
  uint64_t number;
  int kept, exponent;
  double size = fabs(value);
  if (size >= DBL_MIN && size <= DBL_MAX && shortest_digits(size, &number, &kept, &exponent)) {
    int count = write_shortest(digits, number, kept, &exponent);
    return write_number(out, value < 0, digits, count, kept, exponent);
  }
  /* a decimal of 15 digits read as a normal double is printed unchanged; a subnormal may have only one exact digit */
  kept = size < DBL_MIN ? 1 : FEWEST;
  int length = snprintf(out, VD_NUM_MAX, "%.*g", kept, value);
  while (kept < MOST && strtod(out, NULL) != value)
    length = snprintf(out, VD_NUM_MAX, "%.*g", ++kept, value);
  return length;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

enum {
  KEEP_DIGITS = 800, /* 768 significant digits decide every rounding; of the rest it only matters whether all are 0 */
  EXPONENT_LIMIT = 1000000, /* far beyond the exponents of all doubles */
};

typedef struct decimal {
  bool negative;
  char digits[KEEP_DIGITS + 1]; /* significant digits, no leading zeros */
  size_t count;
  bool more;          /* a digit other than 0 was left out */
  long long exponent; /* value = digits * 10^exponent */
} decimal;

static bool is_digit(const char *text, size_t length, size_t at) {
  return at < length && text[at] >= '0' && text[at] <= '9';
}

static void keep_digit(decimal *n, char digit, bool after_point) {
  bool leading = n->count == 0 && digit == '0';
  if (n->count < KEEP_DIGITS) {
    if (!leading)
      n->digits[n->count++] = digit;
    n->exponent -= after_point;
  } else {
    n->more = n->more || digit != '0';
    n->exponent += !after_point;
  }
}

/* Reads digits and point; returns the bytes used, or 0 if there is no digit. */
static size_t scan_digits(const char *text, size_t length, size_t at, decimal *n) {
  size_t start = at;
  for (; is_digit(text, length, at); at++)
    keep_digit(n, text[at], false);
  size_t seen = at - start;
  if (at < length && text[at] == '.') {
    at++;
    for (; is_digit(text, length, at); at++, seen++)
      keep_digit(n, text[at], true);
  }
  return seen > 0 ? at - start : 0;
}

/* Reads an exponent; returns the bytes used, or 0 if no digit follows the e, which may then begin a unit. */
static size_t scan_exponent(const char *text, size_t length, size_t at, decimal *n) {
  size_t start = at;
  if (at >= length || (text[at] != 'e' && text[at] != 'E'))
    return 0;
  at++;
  bool negative = at < length && text[at] == '-';
  if (at < length && (text[at] == '-' || text[at] == '+'))
    at++;
  if (!is_digit(text, length, at))
    return 0;
  long long exponent = 0;
  for (; is_digit(text, length, at); at++)
    if (exponent < LLONG_MAX / 100) /* an exponent above this over- or underflows, however many digits there are */
      exponent = 10 * exponent + (text[at] - '0');
  n->exponent += negative ? -exponent : exponent;
  return at - start;
}

/* Computes a value of up to 15 digits. Returns false if it has more digits, or a large exponent. Integers of 15 digits
 * and powers of ten up to 10^22 are exact doubles, so their product or quotient is rounded only once (Clinger 1990). */
static bool value_by_one_rounding(const decimal *n, double *value) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (FLT_EVAL_METHOD != 0 || n->count > 15 || n->exponent < -22 || n->exponent > 22)
    return false;
  long long whole = 0;
  for (size_t i = 0; i < n->count; i++)
    whole = 10 * whole + (n->digits[i] - '0');
  if (n->exponent < 0)
    *value = (double)whole / power[-n->exponent];
  else
    *value = (double)whole * power[n->exponent];
  return true;
}

static double value_by_strtod(decimal *n) {
  char text[KEEP_DIGITS + 24];
  if (n->more) /* the digits left out can only break a tie */
    n->digits[n->count - 1] |= 1;
  long long exponent = n->exponent;
  if (exponent > EXPONENT_LIMIT)
    exponent = EXPONENT_LIMIT;
  if (exponent < -EXPONENT_LIMIT)
    exponent = -EXPONENT_LIMIT;
  snprintf(text, sizeof text, "%.*se%lld", (int)n->count, n->digits, exponent);
  return strtod(text, NULL);
}

bool vd_num_parse(const char *text, size_t length, double *value, size_t *used) {
  decimal n;
  n.negative = length > 0 && text[0] == '-';
  n.count = 0;
  n.more = false;
  n.exponent = 0;
  *used = 0;
  size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  size_t digits = scan_digits(text, length, at, &n);
  if (digits == 0)
    return false;
  at += digits;
  at += scan_exponent(text, length, at, &n);
  *used = at;
  double size = 0;
  if (n.count > 0 && !value_by_one_rounding(&n, &size))
    size = value_by_strtod(&n);
  if (size > DBL_MAX)
    return false;
  *value = n.negative ? -size : size;
  return true;
}

int vd_num_parse_range(const char *text, double number[3]) {
  for (int count = 0; count < 3;) {
    size_t used;
    if (!vd_num_parse(text, strlen(text), &number[count++], &used))
      return 0;
    if (text[used] == '\0')
      return count;
    if (text[used] != ':')
      return 0;
    text += used + 1;
  }
  return 0;
}
