/* Checks whether a tyre can have the values of a property file. A file whose values are not in the units that it states
 * passes every other check: a radius of 0.32 with LENGTH = 'mm' gives moments of 1e7 N m. */
#include "tyre/tir_impl.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* A unit that may have been meant, and its size in SI. */
typedef struct meant_unit {
  const char *name;
  double size;
} meant_unit;

static const meant_unit lengths[] = {{"m", 1.0}, {"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {NULL, 0.0}};
static const meant_unit forces[] = {{"N", 1.0}, {"kN", 1e3}, {"lbf", 4.4482216152605}, {"kgf", 9.80665}, {NULL, 0.0}};
static const meant_unit masses[] = {{"kg", 1.0}, {"g", 1e-3}, {"lbm", 0.45359237}, {NULL, 0.0}};
static const meant_unit stiffnesses[] = {{"N/m", 1.0}, {"N/mm", 1e3}, {NULL, 0.0}};
static const meant_unit dampings[] = {{"N s/m", 1.0}, {"N s/mm", 1e3}, {NULL, 0.0}};
static const meant_unit pressures[] = {{"Pa", 1.0},      {"kPa", 1e3}, {"bar", 1e5},
                                       {"psi", 6894.76}, {"MPa", 1e6}, {NULL, 0.0}};
static const meant_unit slopes[] = {{"N/rad", 1.0}, {"N/deg", 180.0 / VD_PI}, {"kN/rad", 1e3}, {NULL, 0.0}};
static const meant_unit speeds[] = {{"m/s", 1.0}, {"km/h", 1.0 / 3.6}, {"mm/s", 1e-3}, {NULL, 0.0}};

/* The divisor of a value, which makes tyres of all sizes comparable. R: UNLOADED_RADIUS, F: FNOMIN, both in SI. */
enum scale { ITSELF, PER_R, PER_R2, PER_R3, PER_F, PER_F_OVER_R, PER_STIFFNESS };

/* The ranges contain all known tyres with a margin on both sides. Their bounds differ from the values of a car tyre by
 * a factor below 1000, the factor of the usual mistakes. Some tyres (R in m, F in N):
 *
 *                        R      F/R^2     k R/F   m/R^3
 *   model car 1:10       0.03   4e3       40      2000
 *   kart                 0.13   4e4       20      900
 *   bicycle              0.34   3.5e3     85      25
 *   car                  0.32   4e4       16      300
 *   lorry                0.5    1.2e5     17      500
 *   aircraft             0.66   5.5e5     12      500
 *   forklift, solid      0.2    4e5       13      2500
 *   mining, 63 in        2.0    2.5e5     10      600
 *
 * FZMAX and BOTTOM_STIFF have no upper bound: some files have a great number there for "no limit" and "rigid". */
static const struct rule {
  const char *key;
  enum scale scale;
  double least, typical, most;
  const meant_unit *unit;
  const char *what;
  bool basis; /* other values are compared to it */
} rules[] = {
    {"UNLOADED_RADIUS", ITSELF, 0.02, 0.32, 2.5, lengths, "radius", true},
    {"FNOMIN", PER_R2, 500.0, 4e4, 3e6, forces, "load at this radius", true},
    {"WIDTH", PER_R, 0.02, 0.6, 5.0, lengths, "width at this radius", false},
    {"FZMIN", PER_F, 0.0, 0.05, 5.0, forces, "least load beside this FNOMIN", false},
    {"FZMAX", PER_F, 0.2, 2.5, INFINITY, forces, "greatest load beside this FNOMIN", false},
    {"VERTICAL_STIFFNESS", PER_F_OVER_R, 1.0, 16.0, 1000.0, stiffnesses, "stiffness at this load and radius", false},
    {"LONGITUDINAL_STIFFNESS", PER_F_OVER_R, 0.3, 30.0, 5000.0, stiffnesses, "stiffness at this load and radius",
     false},
    {"LATERAL_STIFFNESS", PER_F_OVER_R, 0.3, 10.0, 5000.0, stiffnesses, "stiffness at this load and radius", false},
    {"BOTTOM_STIFF", PER_F_OVER_R, 1.0, 160.0, INFINITY, stiffnesses, "stiffness at this load and radius", false},
    {"VERTICAL_DAMPING", PER_STIFFNESS, 0.0, 3e-4, 0.05, dampings, "damping at this stiffness", false},
    {"INFLPRES", ITSELF, 5e3, 2.2e5, 3e6, pressures, "pressure", false},
    {"NOMPRES", ITSELF, 5e3, 2.2e5, 3e6, pressures, "pressure", false},
    {"MASS", PER_R3, 3.0, 300.0, 3e4, masses, "mass at this radius", false},
    {"CALPHA", PER_F, 0.3, 14.0, 500.0, slopes, "cornering stiffness at this radius", false},
    {"LONGVL", ITSELF, 0.3, 16.7, 200.0, speeds, "speed of a test", false},
};

/* The units of a file. If no unit of pressure is given (name ""), it is force divided by length squared. */
typedef struct stated_units {
  vd_tir_excerpt name[VD_TIR_UNITS];
  double size[VD_TIR_UNITS]; /* SI */
} stated_units;

static stated_units units_of(const vd_tir_reader *r) {
  stated_units u = {{{"m"}, {"N"}, {"rad"}, {"kg"}, {"s"}, {""}}, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}};
  for (int i = 0; i < VD_TIR_UNITS; i++)
    if (r->unit[i]) {
      u.name[i] = vd_tir_excerpt_of(r, r->unit_text[i]);
      u.size[i] = r->unit[i]->numerator / r->unit[i]->denominator;
    }
  return u;
}

static double unit_of(const vd_tir_basis *basis, enum scale scale) {
  double r = basis->radius, stiffness = basis->stiffness;
  double load = isnan(basis->load) ? 4e4 * r * r : basis->load;
  switch (scale) {
  case ITSELF: return 1.0;
  case PER_R: return r;
  case PER_R2: return r * r;
  case PER_R3: return r * r * r;
  case PER_F: return load;
  case PER_F_OVER_R: return load / r;
  case PER_STIFFNESS: return stiffness > 0.0 ? stiffness : INFINITY;
  }
  return NAN;
}

/* Writes the unit of a key in a file and returns its size in SI. */
static double file_unit(const signed char *exponent, const stated_units *u, vd_buf *name) {
  static const int order[] = {VD_TIR_FORCE, VD_TIR_MASS, VD_TIR_LENGTH, VD_TIR_TIME, VD_TIR_ANGLE};
  double size = 1.0;
  if (*u->name[VD_TIR_PRESSURE].text && vd_tir_is_pressure(exponent)) {
    vd_buf_puts(name, u->name[VD_TIR_PRESSURE].text);
    return u->size[VD_TIR_PRESSURE];
  }
  for (size_t i = 0; i < VD_COUNT(order); i++) {
    size *= vd_pow(u->size[order[i]], exponent[order[i]]);
    if (exponent[order[i]] > 0)
      vd_buf_printf(name, "%s%s", name->length > 0 ? " " : "", u->name[order[i]].text);
  }
  for (size_t i = 0; i < VD_COUNT(order); i++)
    if (exponent[order[i]] < 0)
      vd_buf_printf(name, "/%s%s", u->name[order[i]].text, exponent[order[i]] < -1 ? "2" : "");
  return size;
}

/* Returns the unit in which `raw' is closest to a typical value, as a ratio; NULL: the value is plausible in no
 * unit. */
static const meant_unit *probable(const struct rule *rule, double raw, double unit) {
  const meant_unit *best = NULL;
  double nearest = INFINITY;
  for (const meant_unit *m = rule->unit; m->name; m++) {
    double figure = raw * m->size / unit, far = fabs(vd_log(figure / rule->typical));
    if (figure >= rule->least && figure <= rule->most && far < nearest) {
      best = m;
      nearest = far;
    }
  }
  return best;
}

static void explain(const struct rule *rule, const vd_tir_key *key, double value, double unit,
                    const stated_units *units, vd_buf *says) {
  vd_buf name = {0};
  double size = file_unit(key->dimension, units, &name), raw = value / size;
  const meant_unit *meant = probable(rule, raw, unit);
  const char *section = rule->unit == lengths ? "LENGTH" : rule->unit == forces ? "FORCE" : "MASS";
  vd_buf_printf(says, "%s = %.6g %s is not a tyre's %s; ", key->key, raw, name.text, rule->what);
  if (!meant)
    vd_buf_printf(says, "the range is %.3g to %.3g %s", rule->least * unit / size, rule->most * unit / size, name.text);
  else if (rule->basis || rule->unit == masses)
    vd_buf_printf(says, "if it is %.6g %s, write %s = '%s' in [UNITS]", raw, meant->name, section, meant->name);
  else
    vd_buf_printf(says, "if it is %.6g %s, write %.6g", raw, meant->name, raw * meant->size / size);
  vd_buf_finish(&name);
}

void vd_tir_judge(const vd_tir_reader *r, const vd_tir_basis *basis) {
  const stated_units units = units_of(r);
  for (size_t i = 0; i < VD_COUNT(rules); i++) {
    const struct rule *rule = &rules[i];
    size_t k = vd_tir_index(r, rule->key);
    if (k == r->keys || r->given[k].length == 0)
      continue;
    double value = vd_tir_value(r->figures, &r->key[k]), unit = unit_of(basis, rule->scale);
    if (value == 0.0 || (value >= rule->least * unit && value <= rule->most * unit))
      continue;
    vd_buf says = {0};
    explain(rule, &r->key[k], value, unit, &units, &says);
    vd_error(r->d, vd_tir_place(r, r->given[k]), "%s", says.text);
    vd_buf_finish(&says);
    if (rule->basis)
      return;
  }
}
