/* Converts texts with units, such as "km/h", "N m/rad" or "25 N/mm", to SI.
 *
 * Grammar: a product of powers, `unit [^n] { ('*' | ' ' | '/') unit [^n] }`. Digits directly behind a name are also a
 * power (m2, kg m2, m3). '/' divides by the next unit alone. Blanks around '*' and '/' are allowed, and "1" may stand
 * in place of a unit (1/s). Angle is a dimension of its own (base rad), so that N m/rad differs from N m; rev and deg
 * are angles, rpm is an angular velocity, Hz is 1/s. */
#ifndef VD_UNITS_H
#define VD_UNITS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_dimension {
  signed char m, kg, s, rad, K, A;
} vd_dimension;

/* The factor to SI is stored as a fraction of two exact numbers: 9 mm is 9 * 1 / 1000 = 0.009. 9 * 0.001 is not the
 * double nearest to 0.009, which would show in a resolved file. */
typedef struct vd_unit {
  double numerator, denominator; /* SI value of one unit */
  vd_dimension dimension;
} vd_unit;

/* Reads a unit expression; the empty text and "1" are the dimensionless unit. Returns false if the text is not a unit
 * expression; *bad then points to the wrong part of the text and *bad_length is its length. `bad` and `bad_length` may
 * be NULL. */
bool vd_unit_parse(const char *text, size_t length, vd_unit *unit, const char **bad, size_t *bad_length);
double vd_unit_to_si(vd_unit unit, double value);
bool vd_dimension_equal(vd_dimension a, vd_dimension b);

/* A unit with which names of our columns end, and the unit in which engineers read such columns. */
typedef struct vd_unit_name {
  const char *unit, *suffix;        /* SI: "rad/s", "radps" */
  const char *field, *field_suffix; /* unit that engineers read: "deg/s", "degps"; NULL: SI */
  double numerator, denominator;    /* SI value of one unit of the field */
} vd_unit_name;

/* Returns the row of an SI unit; NULL if no name ends with this unit. */
const vd_unit_name *vd_unit_name_of(const char *unit);
/* Returns the SI unit of a suffix such as "radps"; NULL if there is none. */
const char *vd_unit_of_suffix(const char *suffix);
/* Returns the first row whose unit has this dimension; NULL if there is none. */
const vd_unit_name *vd_unit_name_like(vd_dimension dimension);
/* Returns the row of an SI unit in whose place engineers read another unit; NULL if they read the SI unit. */
const vd_unit_name *vd_unit_field(const char *unit);
static inline double vd_unit_to_field(const vd_unit_name *row, double value) {
  return value * row->denominator / row->numerator;
}

/* Writes the name of a column in the units of the field: yaw_rate_degps for yaw_rate_radps. A name without such a unit
 * is written as it is. */
void vd_unit_field_name(const char *name, vd_buf *out);
/* Writes the name in SI of a column in the units of the field, and returns the row of its unit. If the column is not in
 * such a unit, writes the name as it is and returns NULL. */
const vd_unit_name *vd_unit_si_name(const char *name, vd_buf *out);

/* Returns all unit names for messages and the manual, NULL-terminated. */
const char *const *vd_unit_names(void);

#endif
