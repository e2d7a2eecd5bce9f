/* [UNITS] of a property file: the names of Adams, of MF-Tyre, and the usual short ones. */
#include "tyre/tir_impl.h"

#include "base/memory.h"
#include "base/system.h"

#include <math.h>

#define POUND       0.45359237      /* kg, exactly */
#define POUND_FORCE 4.4482216152605 /* N */

static const char *const unit_keys[VD_TIR_UNITS] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME", "PRESSURE"};

/* Further keys of [UNITS] in Adams; no value of a tyre has their dimension. */
static const char *const other_keys[] = {"TEMPERATURE", "POWER", "ENERGY", "VELOCITY", "SPEED", "FREQUENCY"};

/* clang-format off */
static const vd_tir_unit lengths[] = {
  {"meter", 1, 1}, {"metre", 1, 1}, {"m", 1, 1}, {"meters", 1, 1}, {"millimeter", 1, 1000}, {"mm", 1, 1000},
  {"cm", 1, 100}, {"km", 1000, 1}, {"centimeter", 1, 100}, {"kilometer", 1000, 1}, {"inch", 127, 5000},
  {"in", 127, 5000}, {"foot", 381, 1250}, {"ft", 381, 1250}, {"millimetre", 1, 1000}, {"yard", 1143, 1250},
  {"mile", 1609.344, 1}, {NULL, 0, 0},
};
static const vd_tir_unit forces[] = {
  {"newton", 1, 1}, {"n", 1, 1}, {"newtons", 1, 1}, {"kilonewton", 1000, 1}, {"knewton", 1000, 1}, {"kn", 1000, 1},
  {"millinewton", 1, 1000}, {"pound_force", POUND_FORCE, 1}, {"lbf", POUND_FORCE, 1},
  {"kpound_force", 1000 * POUND_FORCE, 1}, {"kilogram_force", 9.80665, 1}, {"kg_force", 9.80665, 1},
  {"kgf", 9.80665, 1}, {"dyne", 1, 100000}, {"ounce_force", POUND_FORCE, 16}, {NULL, 0, 0},
};
static const vd_tir_unit angles[] = {
  {"radians", 1, 1}, {"radian", 1, 1}, {"rad", 1, 1}, {"degrees", VD_PI, 180}, {"degree", VD_PI, 180},
  {"deg", VD_PI, 180}, {"grads", VD_PI, 200}, {"grad", VD_PI, 200}, {NULL, 0, 0},
};
static const vd_tir_unit masses[] = {
  {"kg", 1, 1}, {"kilogram", 1, 1}, {"g", 1, 1000}, {"gram", 1, 1000}, {"lbm", POUND, 1}, {"pound", POUND, 1},
  {"pound_mass", POUND, 1}, {"kpound_mass", 1000 * POUND, 1}, {"ounce_mass", POUND, 16},
  {"slug", POUND_FORCE, 0.3048}, {"tonne", 1000, 1}, {"megagram", 1000, 1}, {NULL, 0, 0},
};
static const vd_tir_unit times[] = {
  {"second", 1, 1}, {"seconds", 1, 1}, {"sec", 1, 1}, {"s", 1, 1}, {"millisecond", 1, 1000}, {"milli", 1, 1000},
  {"ms", 1, 1000}, {"minute", 60, 1}, {"min", 60, 1}, {"hour", 3600, 1}, {"milliseconds", 1, 1000}, {"h", 3600, 1},
  {NULL, 0, 0},
};
static const vd_tir_unit pressures[] = {
  {"pascal", 1, 1}, {"pa", 1, 1}, {"kpascal", 1000, 1}, {"kilopascal", 1000, 1}, {"kpa", 1000, 1},
  {"megapascal", 1e6, 1}, {"mpa", 1e6, 1}, {"bar", 1e5, 1}, {"mbar", 100, 1}, {"psi", POUND_FORCE, 0.00064516},
  {"ksi", 1000 * POUND_FORCE, 0.00064516}, {NULL, 0, 0},
};
/* clang-format on */

static const vd_tir_unit *const units[VD_TIR_UNITS] = {lengths, forces, angles, masses, times, pressures};

void vd_tir_on_unit(vd_tir_reader *r, vd_tir_span key, vd_tir_span value) {
  int kind = 0;
  while (kind < VD_TIR_UNITS && !vd_tir_named(r, key, unit_keys[kind]))
    kind++;
  if (kind == VD_TIR_UNITS) {
    if (!vd_tir_listed(r, key, other_keys, VD_COUNT(other_keys)))
      vd_warning(r->d, vd_tir_place(r, key),
                 "unknown key '%s' in [UNITS]; known are LENGTH, FORCE, ANGLE, MASS, TIME, PRESSURE",
                 vd_tir_excerpt_of(r, key).text);
    return;
  }
  if (!vd_tir_note(r, key, value, &r->unit_text[kind]))
    return;
  const vd_tir_unit *u = units[kind];
  while (u->name && !vd_tir_named(r, value, u->name))
    u++;
  if (u->name) {
    r->unit[kind] = u;
    return;
  }
  vd_buf known = {0};
  for (u = units[kind]; u->name; u++)
    vd_buf_printf(&known, "%s%s", u == units[kind] ? "" : ", ", u->name);
  vd_tir_fail(r, value, "'%s' is not a unit of %s; known are %s", vd_tir_excerpt_of(r, value).text, unit_keys[kind],
              known.text);
  vd_buf_finish(&known);
}

static void apply(double *value, const vd_tir_unit *u, int exponent) {
  for (; exponent > 0; exponent--)
    *value = *value * u->numerator / u->denominator;
  for (; exponent < 0; exponent++)
    *value = *value * u->denominator / u->numerator;
}

/* Converts a value to SI. The unit of pressure is the file's unit, or by default force divided by length squared. */
static void to_si(const vd_tir_reader *r, const signed char *exponent, double *value) {
  if (r->unit[VD_TIR_PRESSURE] && vd_tir_is_pressure(exponent)) {
    apply(value, r->unit[VD_TIR_PRESSURE], 1);
    return;
  }
  for (int u = 0; u < VD_TIR_EXPONENTS; u++)
    if (r->unit[u])
      apply(value, r->unit[u], exponent[u]);
}

/* Reports the units that the file does not give although a value has them. */
static void assume_units(vd_tir_reader *r) {
  static const char *const si[] = {"meter", "newton", "radians", "kg", "second"};
  bool needed[VD_COUNT(si)] = {false};
  for (size_t i = 0; i < r->keys; i++) {
    const signed char *exponent = r->key[i].dimension;
    bool own = r->unit[VD_TIR_PRESSURE] && vd_tir_is_pressure(exponent);
    for (size_t u = 0; u < VD_COUNT(si) && r->given[i].length > 0 && !own; u++)
      needed[u] |= exponent[u] != 0;
  }
  if (!r->units) {
    vd_tir_assume(r, (vd_place){.source = r->source}, "SI units (no [UNITS])");
    return;
  }
  for (size_t u = 0; u < VD_COUNT(si); u++)
    if (needed[u] && r->unit_text[u].length == 0)
      vd_tir_assume(r, (vd_place){.source = r->source}, "%s = '%s' (not in [UNITS])", unit_keys[u], si[u]);
}

void vd_tir_convert(vd_tir_reader *r) {
  static const signed char length[] = {VD_TIR_OF_LENGTH}, force[] = {VD_TIR_OF_FORCE};
  vd_mf_points *curve = r->curve;
  assume_units(r);
  for (size_t i = 0; i < r->keys; i++) {
    if (r->given[i].length == 0)
      continue;
    double *value = vd_tir_member(r->figures, &r->key[i]);
    to_si(r, r->key[i].dimension, value);
    if (!isfinite(*value)) {
      vd_tir_fail(r, r->given[i], "%s is too large in SI units", r->key[i].key);
      *value = r->key[i].value;
      r->bad[i] = true;
    }
  }
  for (size_t i = 0; i < curve->count; i++) {
    to_si(r, length, &curve->xy[2 * i]);
    to_si(r, force, &curve->xy[2 * i + 1]);
  }
}
