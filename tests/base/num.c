/* Numbers from and to text, compared with the results of the C library. */
#include "base/num.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 88172645463325252u;

/* How many random numbers are tried, of the count of scripts/test --all: a quarter, other ones for each commit. */
static int share(int count) {
  return tap_sampled(0, 2) && tap_sampled(1, 2) ? count : count / 4;
}

/* Draws 64 bits by xorshift64, which gives the same numbers everywhere. */
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- vd_num_print9 ---- */

static bool print9_agrees(double value) {
  char got[VD_NUM_MAX], expected[VD_NUM_MAX];
  memset(got, '#', sizeof got);
  int length = vd_num_print9(value, got);
  int expected_length = snprintf(expected, sizeof expected, "%.9g", value);
  if (length == expected_length && strcmp(got, expected) == 0)
    return true;
  tap_diag("%a: got \"%.*s\" (%d), expected \"%s\"", value, (int)sizeof got - 1, got, length, expected);
  return false;
}

static bool print9_agrees_around(double value) {
  return print9_agrees(value) && print9_agrees(-value) && print9_agrees(nextafter(value, INFINITY)) &&
         print9_agrees(nextafter(value, 0));
}

static bool bit_patterns(void) {
  for (int i = 0, n = share(1000000); i < n; i++)
    if (!print9_agrees(from_bits(random_bits())))
      return false;
  return true;
}

/* Checks the numbers of a log: within a few orders of magnitude of 1, with few digits or with many. */
static bool ordinary_numbers(void) {
  for (int i = 0, n = share(300000); i < n; i++) {
    double value = (double)(int64_t)random_bits() / 9.3e18;
    value *= pow(10, (double)(random_bits() % 24) - 10);
    double digits = pow(10, (double)(random_bits() % 9));
    if (!print9_agrees(value) || !print9_agrees(round(value * digits) / digits))
      return false;
  }
  return true;
}

static bool every_exponent(void) {
  for (int e = -1074; e <= 1023; e++)
    if (!print9_agrees_around(ldexp(1, e)) || !print9_agrees_around(ldexp(1.999999999, e)))
      return false;
  return true;
}

static bool powers_of_ten(void) {
  char text[VD_NUM_MAX];
  for (int e = -324; e <= 308; e++)
    for (const char *const *m = (const char *const[]){"1", "9.999999995", "9.99999999", "9.9999999949", NULL}; *m;
         m++) {
      snprintf(text, sizeof text, "%se%d", *m, e);
      double value = strtod(text, NULL);
      if (value <= DBL_MAX && !print9_agrees_around(value))
        return false;
    }
  return true;
}

/* Checks numbers of ten digits that end in 5, at every scale: the nearest double and its neighbours. */
static bool near_ties(void) {
  char text[VD_NUM_MAX];
  for (int i = 0, n = share(300000); i < n; i++) {
    unsigned digits = (unsigned)(100000000 + random_bits() % 900000000);
    snprintf(text, sizeof text, "%u5e%d", digits, (int)(random_bits() % 620) - 320);
    double value = strtod(text, NULL);
    if (value <= DBL_MAX && !print9_agrees_around(value))
      return false;
  }
  return true;
}

/* Checks ties that a double represents exactly: they are rounded half to even. */
static bool exact_ties(void) {
  for (int i = 0, n = share(100000); i < n; i++) {
    double digits = (double)(100000000 + random_bits() % 900000000);
    if (!print9_agrees_around(digits + 0.5) || !print9_agrees_around((10 * digits + 5) * 1e3) ||
        !print9_agrees_around(ldexp(floor(digits / 1024) * 1024 + 512, -10)))
      return false;
  }
  return true;
}

static bool special_values(void) {
  static const double value[] = {
      0.0,           -0.0,           INFINITY, -INFINITY, NAN,   -NAN,      DBL_MAX,  DBL_MIN,     DBL_TRUE_MIN,
      -DBL_TRUE_MIN, 1e-4,           1e-5,     1e8,       1e9,   123456789, 99999e-9, 999999999.4, 999999999.5,
      9.99999999e-5, 9.999999995e-5, 0.1,      100,       1e100, -1e-100,   9.80665};
  for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
    if (!print9_agrees(value[i]))
      return false;
  return true;
}

static void test_print9(void) {
  tap_ok(special_values(), "print9: zeros, infinities, NaN and limits are printed as by snprintf");
  tap_ok(bit_patterns(), "print9: random bit patterns are printed as by snprintf");
  tap_ok(ordinary_numbers(), "print9: ordinary numbers are printed as by snprintf");
  tap_ok(every_exponent(), "print9: every power of two is printed as by snprintf");
  tap_ok(powers_of_ten(), "print9: powers of ten and numbers just below are printed as by snprintf");
  tap_ok(near_ties(), "print9: numbers next to a tie are printed as by snprintf");
  tap_ok(exact_ties(), "print9: exact ties are printed as by snprintf");
}

/* ---- vd_num_print_tenths ---- */

static bool tenths_agree(double value) {
  char got[VD_NUM_MAX], expected[400];
  int length = vd_num_print_tenths(value, got);
  snprintf(expected, sizeof expected, "%.1f", value);
  if (length == (int)strlen(expected) && strcmp(got, expected) == 0)
    return true;
  tap_diag("%a: got \"%s\" (%d), expected \"%s\"", value, got, length, expected);
  return false;
}

/* Checks numbers of all sizes up to 1e7: multiples of 1/20, half of which are ties, and their neighbours. */
static bool all_tenths(void) {
  static const double value[] = {0.0, -0.0, -0.04, 0.05, 0.15, 999999.95, 999999.94, 1e6, -1e7, NAN};
  bool good = true;
  for (size_t i = 0; i < sizeof value / sizeof value[0] && good; i++)
    good = tenths_agree(value[i]);
  for (int i = 0, n = share(200000); i < n && good; i++) {
    double any = (double)(int64_t)random_bits() / 9.3e18 * pow(10, (double)(random_bits() % 10) - 3);
    double twentieth = (double)(random_bits() % 40000000) / 20.0;
    good = tenths_agree(any) && tenths_agree(twentieth) && tenths_agree(nextafter(twentieth, 0.0)) &&
           tenths_agree(-nextafter(twentieth, INFINITY));
  }
  return good;
}

/* ---- reading back ---- */

static bool round_trip(double value) {
  char text[VD_NUM_MAX];
  double got = 0;
  size_t used;
  int length = vd_num_print_shortest(value, text);
  if (!vd_num_parse(text, (size_t)length, &got, &used) || used != (size_t)length || !same_bits(got, value)) {
    tap_diag("%a printed as %s is read as %a", value, text, got);
    return false;
  }
  return true;
}

static bool round_trips(void) {
  for (int i = 0, n = share(100000); i < n; i++) {
    double value = from_bits(random_bits());
    if (isfinite(value) && !round_trip(value))
      return false;
    if (!round_trip((double)(int64_t)random_bits() / 1e15))
      return false;
  }
  return round_trip(0.0) && round_trip(-0.0) && round_trip(DBL_TRUE_MIN) && round_trip(DBL_MAX);
}

/* True if a number is printed with the fewest of 15 to 17 digits that strtod reads back. */
static bool as_printf(double value) {
  char text[VD_NUM_MAX], expected[VD_NUM_MAX];
  int digits = fabs(value) < DBL_MIN ? 1 : 15;
  do
    snprintf(expected, sizeof expected, "%.*g", digits++, value);
  while (strtod(expected, NULL) != value);
  vd_num_print_shortest(value, text);
  if (strcmp(text, expected) == 0)
    return true;
  tap_diag("%a printed as %s, expected %s", value, text, expected);
  return false;
}

/* Checks any bits, few digits, powers of two, and the neighbours of numbers with few digits. */
static bool all_as_printf(void) {
  bool good = true;
  for (int i = 0, n = share(50000); i < n && good; i++) {
    double any = from_bits(random_bits()), few = (double)(random_bits() % 2000000000) / 1e6;
    good = (!isfinite(any) || as_printf(any)) && as_printf(few) && as_printf(nextafter(few, -1.0)) &&
           as_printf(ldexp(1.0, i % 2000 - 1000));
  }
  return good;
}

static void test_shortest(void) {
  static const struct {
    double value;
    const char *text;
  } row[] = {{0.1, "0.1"},
             {0.1 + 0.2, "0.30000000000000004"},
             {1.0 / 3, "0.3333333333333333"},
             {-2.5e-7, "-2.5e-07"},
             {1600, "1600"},
             {1e22, "1e+22"},
             {5e-324, "5e-324"},
             {-0.0, "-0"}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    char text[VD_NUM_MAX];
    int length = vd_num_print_shortest(row[i].value, text);
    tap_str(text, row[i].text, "shortest: %s", row[i].text);
    if (length != (int)strlen(text))
      tap_ok(false, "shortest: the length of %s is returned", text);
  }
  tap_ok(all_as_printf(), "shortest: the text is the one that printf and strtod find");
  tap_ok(round_trips(), "shortest: the text reads back to the same bits");
}

/* ---- vd_num_parse ---- */

static bool parse_agrees(const char *text) {
  double got = 0;
  size_t used, length = strlen(text);
  double expected = strtod(text, NULL);
  bool ok = vd_num_parse(text, length, &got, &used);
  bool finite = expected <= DBL_MAX && expected >= -DBL_MAX;
  if (ok == finite && used == length && (!finite || same_bits(got, expected)))
    return true;
  tap_diag("\"%.60s\": got %a, expected %a", text, got, expected);
  return false;
}

/* Checks decimals of 1 to 40 digits with a point and an exponent anywhere. */
static bool random_decimals(void) {
  for (int i = 0, n = share(300000); i < n; i++) {
    char text[64];
    size_t at = 0;
    int digits = 1 + (int)(random_bits() % 40), point = (int)(random_bits() % 60);
    for (int k = 0; k < digits; k++) {
      if (k == point)
        text[at++] = '.';
      text[at++] = (char)('0' + random_bits() % 10);
    }
    text[at] = '\0';
    if (random_bits() % 2)
      snprintf(text + at, sizeof text - at, "e%d", (int)(random_bits() % 700) - 350);
    if (!parse_agrees(text))
      return false;
  }
  return true;
}

/* Checks a number of 54 bits, half way between two doubles, and a digit 2000 places later that decides the rounding. */
static bool long_decimals(void) {
  enum { ZEROS = 2000 };
  char text[ZEROS + 64];
  int head = snprintf(text, sizeof text, "9007199254740993.");
  memset(text + head, '0', ZEROS);
  strcpy(text + head + ZEROS, "0");
  double value = 0;
  size_t used;
  bool even = vd_num_parse(text, strlen(text), &value, &used) && value == 9007199254740992.0;
  strcpy(text + head + ZEROS, "1");
  bool up = vd_num_parse(text, strlen(text), &value, &used) && value == 9007199254740994.0;
  memset(text, '0', sizeof text - 1);
  text[1] = '.';
  strcpy(text + ZEROS, "25e2000"); /* 1998 zeros after the point */
  bool moved = vd_num_parse(text, strlen(text), &value, &used) && value == 25.0;
  return even && up && moved && used == strlen(text);
}

/* Checks how much of a text is read as a number, and which texts are refused. */
static void test_grammar(void) {
  static const struct {
    const char *text;
    size_t used;
    bool ok;
    double value;
  } row[] = {
      {"", 0, false, 0},
      {"-", 0, false, 0},
      {".", 0, false, 0},
      {"+.e1", 0, false, 0},
      {" 1", 0, false, 0},
      {"e5", 0, false, 0},
      {"inf", 0, false, 0},
      {"nan", 0, false, 0},
      {"-Infinity", 0, false, 0},
      {"0x10", 1, true, 0},
      {"1", 1, true, 1},
      {"+1", 2, true, 1},
      {"--1", 0, false, 0},
      {"-1.5", 4, true, -1.5},
      {".5", 2, true, 0.5},
      {"5.", 2, true, 5},
      {"1e3", 3, true, 1000},
      {"1E-3", 4, true, 0.001},
      {"1e", 1, true, 1},
      {"1e+", 1, true, 1},
      {"2 e3", 1, true, 2},
      {"80 km/h", 2, true, 80},
      {"80km/h", 2, true, 80},
      {"1,5", 1, true, 1},
      {"1_000", 1, true, 1},
      {"1.2.3", 3, true, 1.2},
      {"1e5.5", 3, true, 1e5},
      {"1e309", 5, false, 0},
      {"-1e400", 6, false, 0},
      {"1e99999999999999999999", 22, false, 0},
      {"1e-400", 6, true, 0},
      {"1e-99999999999999999999", 23, true, 0},
      {"0e99999999999", 13, true, 0},
      {"007", 3, true, 7},
      {"1.7976931348623159e308", 22, false, 0},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    double value = 0;
    size_t used = 99;
    bool ok = vd_num_parse(row[i].text, strlen(row[i].text), &value, &used);
    if (!tap_ok(ok == row[i].ok && used == row[i].used && value == row[i].value, "parse: \"%s\"", row[i].text))
      tap_diag("got %d, %zu bytes, %.17g", ok, used, value);
  }
}

static void test_parse(void) {
  double value = 0;
  size_t used;
  tap_ok(vd_num_parse("12345", 2, &value, &used) && used == 2 && value == 12,
         "parse: reading stops at the given length");
  tap_ok(vd_num_parse("1e5", 2, &value, &used) && used == 1 && value == 1,
         "parse: an exponent that the length cuts off is not read");
  tap_ok(vd_num_parse("-0", 2, &value, &used) && value == 0 && signbit(value), "parse: zero keeps its sign");
  tap_ok(random_decimals(), "parse: random decimals are read as by strtod");
  tap_ok(long_decimals(), "parse: numbers of thousands of digits are read");
  tap_ok(parse_agrees("2.2250738585072011e-308") && parse_agrees("4.9406564584124654e-324") &&
             parse_agrees("2.4703282292062327e-324") && parse_agrees("2.4703282292062328e-324") &&
             parse_agrees("1.7976931348623157e308"),
         "parse: numbers at both ends of the range are read");
}

int main(void) {
  tap_plan(7 + 1 + 8 + 2 + 35 + 6);
  for (uint64_t k = 0; k < 1000 && share(4) == 1; k++) /* one of so many sequences */
    random_state += tap_sampled((int)k, 1000) ? k : 0;
  test_print9();
  tap_ok(all_tenths(), "tenths: ties and their neighbours are printed as by snprintf");
  test_shortest();
  test_grammar();
  test_parse();
  return tap_done();
}
