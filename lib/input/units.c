#include "input/units.h"

#include "base/base.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct entry {
  const char *name;
  double numerator, denominator;
  vd_dimension dimension; /* m kg s rad K */
} entry;

/* clang-format off */
static const entry table[] = {
    {"1",    1, 1,                                {0}},
    {"%",    1, 100,                              {0}},
    {"m",    1, 1,                                {.m = 1}},
    {"mm",   1, 1000,                             {.m = 1}},
    {"cm",   1, 100,                              {.m = 1}},
    {"km",   1000, 1,                             {.m = 1}},
    {"in",   254, 10000,                          {.m = 1}},
    {"ft",   3048, 10000,                         {.m = 1}},
    {"mi",   1609344, 1000,                       {.m = 1}},
    {"s",    1, 1,                                {.s = 1}},
    {"ms",   1, 1000,                             {.s = 1}},
    {"min",  60, 1,                               {.s = 1}},
    {"h",    3600, 1,                             {.s = 1}},
    {"kg",   1, 1,                                {.kg = 1}},
    {"g",    1, 1000,                             {.kg = 1}},
    {"t",    1000, 1,                             {.kg = 1}},
    {"lb",   45359237, 100000000,                 {.kg = 1}},
    {"N",    1, 1,                                {.m = 1, .kg = 1, .s = -2}},
    {"kN",   1000, 1,                             {.m = 1, .kg = 1, .s = -2}},
    {"lbf",  44482216152605, 10000000000000,      {.m = 1, .kg = 1, .s = -2}},
    {"Nm",   1, 1,                                {.m = 2, .kg = 1, .s = -2}},
    {"kNm",  1000, 1,                             {.m = 2, .kg = 1, .s = -2}},
    {"Pa",   1, 1,                                {.m = -1, .kg = 1, .s = -2}},
    {"kPa",  1000, 1,                             {.m = -1, .kg = 1, .s = -2}},
    {"MPa",  1000000, 1,                          {.m = -1, .kg = 1, .s = -2}},
    {"bar",  100000, 1,                           {.m = -1, .kg = 1, .s = -2}},
    {"psi",  44482216152605, 6451600000,          {.m = -1, .kg = 1, .s = -2}}, /* lbf/in^2 */
    {"J",    1, 1,                                {.m = 2, .kg = 1, .s = -2}},
    {"kJ",   1000, 1,                             {.m = 2, .kg = 1, .s = -2}},
    {"W",    1, 1,                                {.m = 2, .kg = 1, .s = -3}},
    {"kW",   1000, 1,                             {.m = 2, .kg = 1, .s = -3}},
    {"PS",   73549875, 100000,                    {.m = 2, .kg = 1, .s = -3}}, /* 75 kgf m/s */
    {"rad",  1, 1,                                {.rad = 1}},
    {"mrad", 1, 1000,                             {.rad = 1}},
    {"deg",  VD_PI, 180,                          {.rad = 1}},
    {"rev",  2 * VD_PI, 1,                        {.rad = 1}},
    {"rpm",  2 * VD_PI, 60,                       {.rad = 1, .s = -1}},
    {"Hz",   1, 1,                                {.s = -1}},
    {"mph",  44704, 100000,                       {.m = 1, .s = -1}},
    {"kph",  1000, 3600,                          {.m = 1, .s = -1}},
    {"K",    1, 1,                                {.K = 1}},
};

static const char *const names[] = {
    "m", "mm", "cm", "km", "in", "ft", "mi", "s", "ms", "min", "h", "kg", "g", "t", "lb",
    "N", "kN", "lbf", "Nm", "kNm", "Pa", "kPa", "MPa", "bar", "psi", "J", "kJ", "W", "kW", "PS",
    "rad", "mrad", "deg", "rev", "rpm", "Hz", "mph", "kph", "K", "%", "1", NULL,
};
/* clang-format on */

_Static_assert(VD_COUNT(names) == VD_COUNT(table) + 1, "every unit is named once");

const char *const *vd_unit_names(void) {
  return names;
}

static const entry *find(const char *name, size_t length) {
  for (size_t i = 0; i < VD_COUNT(table); i++)
    if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
      return &table[i];
  return NULL;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool ends_name(char c) {
  return c == ' ' || c == '\t' || c == '*' || c == '/' || c == '^' || is_digit(c);
}

static size_t skip_blanks(const char *text, size_t length, size_t at) {
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return at;
}

/* Reads [^][-]digit at `at`; *power is 1 without. Two digits are not a power. */
static bool read_power(const char *text, size_t length, size_t *at, int *power) {
  *power = 1;
  size_t i = *at;
  bool caret = i < length && text[i] == '^';
  i += caret;
  bool minus = caret && i < length && text[i] == '-';
  i += minus;
  if (i < length && is_digit(text[i])) {
    *power = minus ? -(text[i] - '0') : text[i] - '0';
    i++;
  } else if (caret) {
    return false;
  }
  *at = i;
  return i == length || !is_digit(text[i]);
}

static bool multiply_power(signed char *sum, signed char of, int power) {
  int value = *sum + of * power;
  *sum = (signed char)value;
  return value >= SCHAR_MIN && value <= SCHAR_MAX;
}

static bool multiply(vd_unit *u, const entry *e, int power) {
  for (int i = 0; i < (power < 0 ? -power : power); i++) {
    u->numerator *= power > 0 ? e->numerator : e->denominator;
    u->denominator *= power > 0 ? e->denominator : e->numerator;
  }
  return multiply_power(&u->dimension.m, e->dimension.m, power) &&
         multiply_power(&u->dimension.kg, e->dimension.kg, power) &&
         multiply_power(&u->dimension.s, e->dimension.s, power) &&
         multiply_power(&u->dimension.rad, e->dimension.rad, power) &&
         multiply_power(&u->dimension.K, e->dimension.K, power) && isfinite(u->numerator) && isfinite(u->denominator);
}

/* One `unit [^n]` at *at. On failure *bad is the part that is wrong. */
static bool read_unit(const char *text, size_t length, size_t *at, bool divide, vd_unit *u, const char **bad,
                      size_t *bad_length) {
  size_t start = *at, i = start;
  /* the digit 1 is a name of its own */
  if (i < length && text[i] == '1')
    i++;
  else
    while (i < length && !ends_name(text[i]))
      i++;
  *bad = text + start;
  *bad_length = i - start;
  const entry *e = find(text + start, i - start);
  int power = 1;
  bool good = e && read_power(text, length, &i, &power);
  if (e && !good) { /* show the name with its power */
    while (i < length && (is_digit(text[i]) || text[i] == '^' || text[i] == '-'))
      i++;
    *bad_length = i - start;
  }
  *at = i;
  return good && multiply(u, e, divide ? -power : power);
}

bool vd_unit_parse(const char *text, size_t length, vd_unit *unit, const char **bad, size_t *bad_length) {
  const char *ignored;
  size_t ignored_length;
  bad = bad ? bad : &ignored;
  bad_length = bad_length ? bad_length : &ignored_length;

  vd_unit u = {.numerator = 1, .denominator = 1};
  bool divide = false;
  size_t at = skip_blanks(text, length, 0);
  bool more = at < length; /* the empty text is the dimensionless unit */
  while (more) {
    if (!read_unit(text, length, &at, divide, &u, bad, bad_length))
      return false;
    size_t next = skip_blanks(text, length, at);
    more = next < length;
    divide = more && text[next] == '/';
    if (divide || (more && text[next] == '*')) {
      next = skip_blanks(text, length, next + 1);
    } else if (more && next == at) { /* two units need an operator or a blank between them */
      *bad = text + at;
      *bad_length = length - at;
      return false;
    }
    at = next;
  }
  *unit = u;
  return true;
}

double vd_unit_to_si(vd_unit unit, double value) {
  return value * unit.numerator / unit.denominator;
}

bool vd_dimension_equal(vd_dimension a, vd_dimension b) {
  return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad && a.K == b.K;
}
