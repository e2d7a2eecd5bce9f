#include "input/units.h"

#include "base/base.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct entry {
  const char *name;
  double numerator, denominator;
  vd_dimension dimension; /* m kg s rad K A */
} entry;

/* clang-format off */
/* Name, numerator and denominator of the SI value, dimension. */
#define UNITS(UNIT) \
  UNIT("m",     1, 1,                             .m = 1) \
  UNIT("mm",    1, 1000,                          .m = 1) \
  UNIT("cm",    1, 100,                           .m = 1) \
  UNIT("km",    1000, 1,                          .m = 1) \
  UNIT("in",    254, 10000,                       .m = 1) \
  UNIT("ft",    3048, 10000,                      .m = 1) \
  UNIT("mi",    1609344, 1000,                    .m = 1) \
  UNIT("s",     1, 1,                             .s = 1) \
  UNIT("ms",    1, 1000,                          .s = 1) \
  UNIT("min",   60, 1,                            .s = 1) \
  UNIT("h",     3600, 1,                          .s = 1) \
  UNIT("kg",    1, 1,                             .kg = 1) \
  UNIT("g",     1, 1000,                          .kg = 1) \
  UNIT("t",     1000, 1,                          .kg = 1) \
  UNIT("lb",    45359237, 100000000,              .kg = 1) \
  UNIT("N",     1, 1,                             .m = 1, .kg = 1, .s = -2) \
  UNIT("kN",    1000, 1,                          .m = 1, .kg = 1, .s = -2) \
  UNIT("lbf",   44482216152605, 10000000000000,   .m = 1, .kg = 1, .s = -2) \
  UNIT("Nm",    1, 1,                             .m = 2, .kg = 1, .s = -2) \
  UNIT("kNm",   1000, 1,                          .m = 2, .kg = 1, .s = -2) \
  UNIT("Pa",    1, 1,                             .m = -1, .kg = 1, .s = -2) \
  UNIT("kPa",   1000, 1,                          .m = -1, .kg = 1, .s = -2) \
  UNIT("MPa",   1000000, 1,                       .m = -1, .kg = 1, .s = -2) \
  UNIT("bar",   100000, 1,                        .m = -1, .kg = 1, .s = -2) \
  UNIT("psi",   44482216152605, 6451600000,       .m = -1, .kg = 1, .s = -2) /* lbf/in^2 */ \
  UNIT("J",     1, 1,                             .m = 2, .kg = 1, .s = -2) \
  UNIT("kJ",    1000, 1,                          .m = 2, .kg = 1, .s = -2) \
  UNIT("W",     1, 1,                             .m = 2, .kg = 1, .s = -3) \
  UNIT("kW",    1000, 1,                          .m = 2, .kg = 1, .s = -3) \
  UNIT("PS",    73549875, 100000,                 .m = 2, .kg = 1, .s = -3) /* 75 kgf m/s */ \
  UNIT("rad",   1, 1,                             .rad = 1) \
  UNIT("mrad",  1, 1000,                          .rad = 1) \
  UNIT("deg",   VD_PI, 180,                       .rad = 1) \
  UNIT("rev",   2 * VD_PI, 1,                     .rad = 1) \
  UNIT("rpm",   2 * VD_PI, 60,                    .rad = 1, .s = -1) \
  UNIT("Hz",    1, 1,                             .s = -1) \
  UNIT("mph",   44704, 100000,                    .m = 1, .s = -1) \
  UNIT("kph",   1000, 3600,                       .m = 1, .s = -1) \
  UNIT("K",     1, 1,                             .K = 1) \
  UNIT("A",     1, 1,                             .A = 1) \
  UNIT("V",     1, 1,                             .m = 2, .kg = 1, .s = -3, .A = -1) \
  UNIT("ohm",   1, 1,                             .m = 2, .kg = 1, .s = -3, .A = -2) \
  UNIT("%",     1, 100,                           0) \
  UNIT("1",     1, 1,                             0)

#define ENTRY(name, numerator, denominator, ...) {name, numerator, denominator, {__VA_ARGS__}},
#define NAME(name, ...) name,
static const entry table[] = {UNITS(ENTRY)};
static const char *const names[] = {UNITS(NAME) NULL};
/* clang-format on */

/* clang-format off */
static const vd_unit_name suffixes[] = {
  {"s", "s", NULL, NULL, 1, 1},
  {"m", "m", NULL, NULL, 1, 1},
  {"1/m", "1pm", NULL, NULL, 1, 1},
  {"N", "N", NULL, NULL, 1, 1},
  {"N m", "Nm", NULL, NULL, 1, 1},
  {"J", "J", NULL, NULL, 1, 1},
  {"rad", "rad", "deg", "deg", VD_PI, 180},
  {"rad/s", "radps", "deg/s", "degps", VD_PI, 180},
  {"rad/s2", "radps2", "deg/s2", "degps2", VD_PI, 180},
  {"m/s", "mps", "km/h", "kmh", 1000, 3600},
  {"m/s2", "mps2", "g", "g", VD_GRAVITY, 1},
};
/* clang-format on */

const vd_unit_name *vd_unit_name_of(const char *unit) {
  for (size_t i = 0; i < VD_COUNT(suffixes); i++)
    if (strcmp(suffixes[i].unit, unit) == 0)
      return &suffixes[i];
  return NULL;
}

const char *vd_unit_of_suffix(const char *suffix) {
  for (size_t i = 0; i < VD_COUNT(suffixes); i++)
    if (strcmp(suffixes[i].suffix, suffix) == 0)
      return suffixes[i].unit;
  return NULL;
}

const vd_unit_name *vd_unit_name_like(vd_dimension dimension) {
  vd_unit own;
  for (size_t i = 0; i < VD_COUNT(suffixes); i++)
    if (vd_unit_parse(suffixes[i].unit, strlen(suffixes[i].unit), &own, NULL, NULL) &&
        vd_dimension_equal(own.dimension, dimension))
      return &suffixes[i];
  return NULL;
}

const vd_unit_name *vd_unit_field(const char *unit) {
  const vd_unit_name *row = vd_unit_name_of(unit);
  return row && row->field ? row : NULL;
}

/* Replaces the suffix of a name that ends with an SI unit by that of the unit in the field, or, if `in_field`, the
 * reverse. Returns the row of the unit; NULL if the name has no such suffix. */
static const vd_unit_name *replace_suffix(const char *name, bool in_field, vd_buf *out) {
  const char *end = strrchr(name, '_');
  for (size_t i = 0; end && i < VD_COUNT(suffixes); i++) {
    const vd_unit_name *row = &suffixes[i];
    if (row->field && strcmp(end + 1, in_field ? row->field_suffix : row->suffix) == 0) {
      vd_buf_add(out, name, (size_t)(end + 1 - name));
      vd_buf_puts(out, in_field ? row->suffix : row->field_suffix);
      return row;
    }
  }
  vd_buf_puts(out, name);
  return NULL;
}

void vd_unit_field_name(const char *name, vd_buf *out) {
  replace_suffix(name, false, out);
}

const vd_unit_name *vd_unit_si_name(const char *name, vd_buf *out) {
  return replace_suffix(name, true, out);
}

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

/* Reads the power [^][-]digit at `at`. If there is none, *power is 1. Two digits are not a power. */
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
         multiply_power(&u->dimension.K, e->dimension.K, power) &&
         multiply_power(&u->dimension.A, e->dimension.A, power) && isfinite(u->numerator) && isfinite(u->denominator);
}

/* Reads one `unit [^n]` at *at. After an error, *bad is the wrong part. */
static bool read_unit(const char *text, size_t length, size_t *at, bool divide, vd_unit *u, const char **bad,
                      size_t *bad_length) {
  size_t start = *at, i = start;
  /* the digit 1 can stand in place of a unit */
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
  bool more = at < length; /* an empty text is the dimensionless unit */
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
  return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad && a.K == b.K && a.A == b.A;
}
