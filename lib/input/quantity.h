/* Numbers with units as people write them in claims, "0.3 mrad/g" or "80 km/h", and tolerances.
 *
 * Here `g` is the standard gravity (0.4 g, deg/g), as is usual in vehicle dynamics; in a vehicle file it is the
 * gram. */
#ifndef VD_QUANTITY_H
#define VD_QUANTITY_H

#include "input/diag.h"
#include "input/units.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a unit, also in the forms of the tables of channels and metrics: "deg/g", "m/(s2 rad)", "deg/(100 N m)".
 * Returns false if it is not a unit. */
bool vd_quantity_unit(const char *text, size_t length, vd_unit *unit);

/* Converts a value from SI to another unit. If the unit is unknown, the value is returned as it is. */
double vd_quantity_in(const char *unit, double si);

typedef struct vd_quantity {
  double value; /* SI */
  vd_unit unit; /* the unit as written; none for a bare number */
  bool bare;    /* the number was written without a unit, and fits any dimension */
} vd_quantity;

/* Reads the whole text. Returns false after an error, which points to `at` and names the key. */
bool vd_quantity_read(const char *text, const char *key, vd_place at, vd_diag *d, vd_quantity *out);

/* The greatest deviation that is allowed: the greater of a share of the expected value and an absolute value. */
typedef struct vd_tolerance {
  bool has_relative, has_absolute;
  double relative; /* share of the expected value; 0: none */
  double absolute; /* SI; 0: none */
  bool bare;       /* the absolute part has no unit */
  vd_unit unit;    /* unit of the absolute part */
} vd_tolerance;

/* Adds one part, "1 %" or "0.1 mm". Each kind may be given once. Returns false after an error. */
bool vd_tolerance_read(const char *text, vd_place at, vd_diag *d, vd_tolerance *out);

static inline double vd_tolerance_allowed(const vd_tolerance *t, double expected) {
  double share = t->relative * (expected < 0.0 ? -expected : expected);
  return share > t->absolute ? share : t->absolute;
}

#endif
