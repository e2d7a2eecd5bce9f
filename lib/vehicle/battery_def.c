/* The keys of a battery, and checks across them. */
#include "vehicle/battery_def.h"

#include "input/schema.h"

#include <math.h>

static const char *const type_names[] = {"none", "resistance", NULL};

#define GIVEN VD_WHEN(VD_BATTERY_RESISTANCE)

/* clang-format off */
static const vd_field battery_fields[] = {
  {VD_F_CHOICE(vd_battery_def, type, "type", type_names, "none",
      "resistance: an open-circuit voltage behind a resistance; none: the supply does not limit the motors")},
  {VD_F_NUMBER(vd_battery_def, capacity, "capacity", "A s", 0, 1e9, VD_ABOVE, NULL, "charge from empty to full"),
   .only = GIVEN, .example = "115 A h"},
  {VD_F_NUMBER(vd_battery_def, charge, "charge", "1", 0, 1, 0, "0.9", "state of charge at the start"), .only = GIVEN},
  {VD_F_POINTS(vd_battery_def, open_voltage, "open_voltage", "V", 1, 1e5, NULL,
      "pairs [charge, voltage] without current, from charge 0 to 1, the voltage nowhere falling; cubics without "
      "overshoot between"),
   .x_unit = "1", .only = GIVEN, .example = "[[0, 300], [0.1, 335], [1, 400]]"},
  {VD_F_POINTS(vd_battery_def, resistance, "resistance", "ohm", 0, 1e3, "[[0, 0], [1, 0]]",
      "pairs [charge, resistance] from charge 0 to 1"), .x_unit = "1", .only = GIVEN,
   .example = "[[0, 0.15], [0.2, 0.1], [1, 0.1]]"},
  {VD_F_NUMBER(vd_battery_def, max_discharge, "max_discharge", "A", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
      "greatest current that the battery delivers; auto: not limited"), .only = GIVEN, .example = "400 A"},
  {VD_F_NUMBER(vd_battery_def, max_charge, "max_charge", "A", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
      "greatest charging current; auto: not limited"), .only = GIVEN, .example = "200 A"},
  {VD_F_NUMBER(vd_battery_def, min_voltage, "min_voltage", "V", 0, 1e5, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "least voltage under load, which limits the power delivered; auto: not limited"), .only = GIVEN,
   .example = "250 V"},
  {VD_F_NUMBER(vd_battery_def, max_voltage, "max_voltage", "V", 0, 1e5, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "greatest voltage under charge, which limits the charging power; auto: not limited"), .only = GIVEN,
   .example = "404 V"},
  {VD_F_NUMBER(vd_battery_def, auxiliaries, "auxiliaries", "W", 0, 1e5, 0, "0",
      "constant power of control units, lights, heating and cooling"), .only = GIVEN, .example = "300 W"},
};
/* clang-format on */

const vd_schema vd_battery_schema = {.name = "battery", VD_SCHEMA_ROWS(vd_battery_def, battery_fields), .tag = "type"};

void vd_charge_curve_check(const vd_points *p, const char *key, bool rises, const vd_node *root, const char *path,
                           vd_diag *d) {
  const vd_place at = vd_tree_place_in(root, path, "%s", key);
  if (p->count < 2 || p->count > VD_CURVE_POINTS) {
    vd_error(d, at, "'%s' has %zu points; 2 to %d are needed", key, p->count, (int)VD_CURVE_POINTS);
    return;
  }
  if (p->xy[0] != 0.0 || p->xy[2 * p->count - 2] != 1.0)
    vd_error(d, at, "'%s' must go from charge 0 to 1, not from %g to %g", key, p->xy[0], p->xy[2 * p->count - 2]);
  for (size_t i = 1; i < p->count && rises; i++)
    if (!(p->xy[2 * i + 1] >= p->xy[2 * i - 1])) {
      vd_error(d, at, "'%s' must not fall: %g V after %g V", key, p->xy[2 * i + 1], p->xy[2 * i - 1]);
      return;
    }
}

void vd_battery_check(const vd_battery_def *b, const vd_node *root, const char *path, vd_diag *d) {
  if (b->type == VD_BATTERY_NONE)
    return;
  const size_t before = vd_diag_errors(d);
  vd_charge_curve_check(&b->open_voltage, "open_voltage", true, root, path, d);
  vd_charge_curve_check(&b->resistance, "resistance", false, root, path, d);
  if (vd_diag_errors(d) > before)
    return;
  vd_battery built;
  vd_battery_build(b, &built);
  const double most = vd_battery_most(&built, b->charge), open = vd_battery_open_voltage(&built, b->charge);
  if (!(built.min_voltage < built.max_voltage))
    vd_error(d, vd_tree_place_in(root, path, "min_voltage"), "min_voltage (%g V) must be below max_voltage (%g V)",
             built.min_voltage, built.max_voltage);
  else if (!(built.min_voltage < open))
    vd_error(d, vd_tree_place_in(root, path, "min_voltage"),
             "min_voltage (%g V) must be below the open voltage at the start (%.4g V)", built.min_voltage, open);
  else if (!(b->auxiliaries < most))
    vd_error(d, vd_tree_place_in(root, path, "auxiliaries"),
             "auxiliaries must be below %.4g W, the greatest power of the battery at the start", most);
}

void vd_battery_build(const vd_battery_def *def, vd_battery *b) {
  *b = (vd_battery){.given = def->type != VD_BATTERY_NONE};
  if (!b->given)
    return;
  b->capacity = def->capacity;
  b->start = def->charge;
  b->max_discharge = isnan(def->max_discharge) ? INFINITY : def->max_discharge;
  b->max_charge = isnan(def->max_charge) ? INFINITY : def->max_charge;
  b->min_voltage = isnan(def->min_voltage) ? 0.0 : def->min_voltage;
  b->max_voltage = isnan(def->max_voltage) ? INFINITY : def->max_voltage;
  b->auxiliaries = def->auxiliaries;
  vd_curve_build(&def->open_voltage, &b->open_voltage);
  vd_curve_build(&def->resistance, &b->resistance);
}
