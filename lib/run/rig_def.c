/* The file of a tyre rig. */
#include "run/rig_impl.h"

#include "input/schema.h"

#include <math.h>

static const char *const mode_names[] = {"steady", "transient", NULL};
static const char *const side_names[] = {"left", "right", NULL};

#define STEADY    VD_WHEN(VD_RIG_STEADY)
#define TRANSIENT VD_WHEN(VD_RIG_TRANSIENT)

static const double max_rows = 1e8;
static const double longest = 1e6; /* s, upper limit of `duration` */
/* rad, greatest slip angle over time, which may be a sum of several terms; its tangent must be finite */
static const double steepest = 1.5;

/* clang-format off */
static const vd_field axis_fields[] = {
  {VD_F_NUMBERS(vd_rig_axis, values, "values", "@", -1e9, 1e9, 0, "[]", "list of values")},
  {VD_F_NUMBER(vd_rig_axis, from, "from", "@", -1e9, 1e9, 0, "0", "first of evenly spaced values")},
  {VD_F_NUMBER(vd_rig_axis, to, "to", "@", -1e9, 1e9, 0, "0", "last of the evenly spaced values")},
  {VD_F_INTEGER(vd_rig_axis, points, "points", 0, 1000000, "0", "number of evenly spaced values; 0: the list is used")},
};

const vd_schema vd_rig_axis_schema = {.name = "axis", VD_SCHEMA_ROWS(vd_rig_axis, axis_fields), .shorthand = "values"};

#define AXIS(index, key, unit, def, text) VD_F_STRUCT(vd_rig_def, axis[index], vd_rig_axis, key, unit,           \
                                                      &vd_rig_axis_schema, 0, def, text)

static const vd_field rig_fields[] = {
  {VD_F_CHOICE(vd_rig_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of scenario: tyre_rig")},
  {VD_F_STRING(vd_rig_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_CHOICE(vd_rig_def, mode, "mode", mode_names, "steady",
               "steady: a grid of forces; transient: slips over time at every load, pressure, camber and speed")},
  {VD_F_STRUCT(vd_rig_def, tyre, vd_tyre_def, "tyre", "1", &vd_tyre_schema, VD_FILE | VD_IDENTIFIES, NULL, "the tyre"),
   .example = "tyres/brush_touring.yaml"},
  {VD_F_CHOICE(vd_rig_def, side, "side", side_names, "left",
               "side of the car on which the tyre is mounted; a tyre measured on the other side is mirrored")},
  {VD_F_NUMBER(vd_rig_def, wheel_radius, "wheel_radius", "m", 0, 5, VD_ABOVE, "0.32 m",
               "rolling radius, for tyres without a radius of their own")},
  {VD_F_NUMBER(vd_rig_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1",
               "friction of the ground, a factor on the friction of the tyre")},
  {AXIS(VD_RIG_LOAD, "load", "N", "[4000]", "wheel load")},
  {AXIS(VD_RIG_PRESSURE, "pressure", "Pa", "[]", "inflation pressure; empty: the pressure of the tyre's file")},
  {AXIS(VD_RIG_CAMBER, "camber", "rad", "[0]",
        "inclination of the wheel, top to the right > 0, as by the roll in a left turn")},
  {AXIS(VD_RIG_SPEED, "speed", "m/s", "[16.7]", "speed of the contact point along the wheel; < 0: backwards")},
  {AXIS(VD_RIG_CURVATURE, "curvature", "1/m", "[0]",
        "turn slip: yaw velocity of the wheel divided by its speed, to the left > 0; for tyres that depend on it")},
  {AXIS(VD_RIG_KAPPA, "slip_ratios", "1", "[0]", "slip ratios"), .only = STEADY},
  {AXIS(VD_RIG_ALPHA, "slip_angles", "rad", "[0]", "slip angles"), .only = STEADY},
  {VD_F_STRUCT(vd_rig_def, slip_ratio, vd_profile_def, "slip_ratio", "1", &vd_profile_schema, 0, "0",
               "slip ratio over time"),
   .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, slip_angle, vd_profile_def, "slip_angle", "rad", &vd_profile_schema, 0, "0",
               "slip angle over time"),
   .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, tread_speed, vd_profile_def, "tread_speed", "m/s", &vd_profile_schema, 0, "0",
               "speed of the tread relative to the road along the wheel, in addition to the speed by the slip ratio, "
               "> 0 drives; at standstill the slips contribute nothing"),
   .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, side_speed, vd_profile_def, "side_speed", "m/s", &vd_profile_schema, 0, "0",
               "speed of the contact point to the left, in addition to the speed by the slip angle"),
   .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, yaw_rate, vd_profile_def, "yaw_rate", "rad/s", &vd_profile_schema, 0, "0",
               "yaw velocity of the wheel, to the left > 0, in addition to the yaw velocity by the curvature; at "
               "standstill it "
               "twists the contact of a tyre with turn slip"),
   .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, duration, "duration", "s", 0, 1e6, VD_ABOVE | VD_AUTO, "auto",
               "duration of each time history; auto: the duration of the points"),
   .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, step, "step", "s", 1e-6, 0.01, 0, "1 ms", "Runge-Kutta step"), .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, rate, "rate", "1/s", 0, 1e6, VD_ABOVE, "100 Hz",
               "rows per second, an integer fraction of the step rate"),
   .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, table, vd_tyre_points_def, "points", "1", &vd_tyre_points_schema, VD_OMIT_DEFAULT, "{}",
               "table of points, whose columns replace axes, or a measured time history")},
};
/* clang-format on */

const vd_schema vd_rig_schema = {.name = "tyre rig", VD_SCHEMA_ROWS(vd_rig_def, rig_fields), .tag = "mode"};

static const struct {
  const char *key;
  double lowest, highest;
} axis_limits[VD_RIG_AXES] = {{"load", 0.0, 1e6},
                              {"pressure", 0.0, 1e7},
                              {"camber", -1.5, 1.5},
                              {"speed", -200.0, 200.0},
                              {"curvature", -1e6, 1e6},
                              {"slip_ratios", -100.0, 100.0},
                              {"slip_angles", -0.5 * VD_PI, 0.5 * VD_PI}};

static void check_axis(const vd_rig_def *def, int k, const vd_node *root, vd_diag *d) {
  const vd_rig_axis *a = &def->axis[k];
  vd_place at = vd_tree_place(root, axis_limits[k].key);
  if (a->points > 0 && a->values.count > 0)
    vd_error(d, at, "'%s' is a list or evenly spaced values, not both", axis_limits[k].key);
  else if (a->points == 0 && (a->from != 0.0 || a->to != 0.0))
    vd_error(d, at, "'%s' has 'from' and 'to' but no 'points'", axis_limits[k].key);
  else if (vd_rig_axis_count(a) == 0 && k != VD_RIG_PRESSURE)
    vd_error(d, at, "'%s' has no values", axis_limits[k].key);
  else if (vd_rig_has_points(def) && vd_rig_axis_count(a) > 1)
    vd_error(d, at, "'%s' has several values; with points it needs one value or a column", axis_limits[k].key);
  for (int i = 0; i < vd_rig_axis_count(a); i++) {
    double value = vd_rig_axis_value(a, i);
    if (!(value >= axis_limits[k].lowest && value <= axis_limits[k].highest)) {
      vd_error(d, at, "'%s' contains %.9g; it must be between %g and %g", axis_limits[k].key, value,
               axis_limits[k].lowest, axis_limits[k].highest);
      return;
    }
  }
}

double vd_rig_rows(const vd_rig_def *def) {
  double count = vd_rig_combinations(def);
  bool series = def->mode == VD_RIG_TRANSIENT && !vd_rig_has_points(def);
  return series ? count * (floor(def->duration * def->rate + 1e-6) + 1.0) : count;
}

static void check_points(const vd_rig_def *def, const vd_node *root, vd_diag *d) {
  const double *const *of = def->points.of;
  const double *time = of[VD_POINT_TIME];
  bool history = def->mode == VD_RIG_TRANSIENT;
  if (history && !time)
    vd_error(d, vd_tree_place_in(root, "points", "file"),
             "a time history needs a column of time: 'time: {column: NAME}'");
  if (history && !isnan(def->duration))
    vd_error(d, vd_tree_place(root, "duration"),
             "the points determine the duration of their time history; omit "
             "'duration'");
  if (history && time && !(time[def->points.rows - 1] - time[0] <= longest))
    vd_error(d, vd_tree_place_in(root, "points", "file"), "the points last %g s; a time history lasts at most %g s",
             time[def->points.rows - 1] - time[0], longest);
  if (of[VD_POINT_PRESSURE] && !vd_tyre_traits_of((enum vd_tyre_model)def->tyre.model)->pressure)
    vd_warning(d, vd_tree_place(root, "points"),
               "the pressures of the points have no effect: only tyres of model mf depend on the pressure");
}

static void check_duration(const vd_rig_def *def, const vd_node *root, vd_diag *d) {
  if (isnan(def->duration))
    vd_error(d, vd_tree_place(root, "duration"), "a time history without points needs a duration");
  else
    vd_check_duration(def->duration, def->step, vd_tree_place(root, "duration"), d);
  vd_check_log_rate("rate", def->rate, def->step, vd_tree_place(root, "rate"), d);
}

static void check_history(vd_rig_def *def, const vd_node *root, vd_arena *arena, vd_diag *d) {
  if (!vd_rig_has_points(def))
    check_duration(def, root, d);
  const struct {
    const char *key;
    vd_profile_def *profile;
    vd_profile_bounds bounds;
  } input[] = {{"slip_ratio", &def->slip_ratio, {-100.0, 100.0, "1", ""}},
               {"slip_angle", &def->slip_angle, {-steepest, steepest, "rad", " rad"}},
               {"tread_speed", &def->tread_speed, {-1e3, 1e3, "m/s", " m/s"}},
               {"side_speed", &def->side_speed, {-1e3, 1e3, "m/s", " m/s"}},
               {"yaw_rate", &def->yaw_rate, {-1e3, 1e3, "rad/s", " rad/s"}}};
  const vd_sampling steps = {def->step, def->step, "a step", true};
  for (size_t i = 0; i < VD_COUNT(input); i++) {
    vd_profile_check(input[i].profile, input[i].key, input[i].bounds, root, arena, d);
    vd_profile_check_sampling(&input[i].profile->profile, input[i].key, steps, root, d);
  }
  if (vd_rig_has_points(def) && !(vd_rig_greatest_load(def) > 0.0))
    vd_error(d, vd_tree_place(root, "points"), "a tyre without load has no time history");
  for (int i = 0; i < vd_rig_axis_count(&def->axis[VD_RIG_LOAD]) && !vd_rig_has_points(def); i++)
    if (vd_rig_axis_value(&def->axis[VD_RIG_LOAD], i) == 0.0) {
      vd_error(d, vd_tree_place(root, "load"), "a tyre without load has no time history");
      break;
    }
}

static void check(vd_rig_def *def, const vd_node *root, vd_arena *arena, vd_diag *d) {
  if (def->kind != 1)
    vd_error(d, vd_tree_place(root, "kind"), "a tyre rig is of kind tyre_rig");
  vd_tyre_check(&def->tyre, root, "tyre", d);
  for (int k = 0; k < vd_rig_axes(def); k++)
    check_axis(def, k, root, d);
  if (vd_rig_axis_count(&def->axis[VD_RIG_PRESSURE]) > 0 &&
      !vd_tyre_traits_of((enum vd_tyre_model)def->tyre.model)->pressure)
    vd_error(d, vd_tree_place(root, "pressure"), "only tyres of model mf depend on the pressure");
  if (vd_rig_has_points(def))
    check_points(def, root, d);
  if (def->mode == VD_RIG_TRANSIENT)
    check_history(def, root, arena, d);
  if (vd_diag_errors(d) == 0 && !(vd_rig_rows(def) <= max_rows))
    vd_error(d, vd_tree_place(root, ""), "the output would have %g rows; %g are allowed", vd_rig_rows(def), max_rows);
}

bool vd_rig_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_rig_def *def) {
  vd_node *root;
  if (!vd_schema_read_source(&vd_rig_schema, source, settings, count, arena, d, def, &root))
    return false;
  vd_tyre_complete(&def->tyre, NULL, root, "tyre", arena, d);
  if (*def->table.table.file && !vd_tyre_points_read(&def->table, root, "points", arena, d, &def->points))
    return false;
  check(def, root, arena, d);
  return vd_diag_errors(d) == 0;
}
