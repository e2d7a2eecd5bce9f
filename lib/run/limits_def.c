/* The keys of envelopes, moment diagrams and laps. */
#include "run/limits_run.h"

#include "base/elementary.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

static const char *const axes_names[] = {"path", "body", NULL};
static const char *const hold_names[] = {"coast", "speed", "acceleration", NULL};
static const char *const by_names[] = {"car", "file", "mass", NULL};

#define AXIS(m, key, unit, def, text)                                                                                  \
  VD_F_STRUCT(vd_limits_def, m, vd_rig_axis, key, unit, &vd_rig_axis_schema, 0, def, text)

/* clang-format off */
#define HEAD(words)                                                                                                    \
  {VD_F_CHOICE(vd_limits_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of scenario: " words)},                \
  {VD_F_STRING(vd_limits_def, title, "title", "\"\"", "one line of text for readers")}

#define CAR(when)                                                                                                      \
  {VD_F_STRUCT(vd_limits_def, car.vehicle, vd_vehicle_def, "vehicle", "1", &vd_vehicle_schema, VD_FILE, NULL,          \
               "the vehicle"),                                                                                         \
   .example = "vehicles/sedan.yaml", .only = (when)},                                                                  \
  {VD_F_STRUCT(vd_limits_def, car.ground, vd_ground_def, "ground", "1", &vd_ground_schema, VD_FILE, "{}",              \
               "friction of the road, which is a plane"),                                                              \
   .only = (when)},                                                                                                    \
  {VD_F_CHOICE(vd_limits_def, car.level, "level", vd_level_names, "L2", "level of the model: L1, L2 or L3"),           \
   .example = "L3", .only = (when)},                                                                                   \
  {VD_F_FLAG(vd_limits_def, car.lean, "lean", "true",                                                                  \
             "the load transfer contains the weight of the leaning body; L1 and L2"),                                  \
   .only = (when)},                                                                                                    \
  {VD_F_INTEGER(vd_limits_def, car.gear, "gear", 0, 16, "0",                                                           \
                "gear of an engine; 0: at each speed the gear with the greatest force at the wheels"),                 \
   .only = (when)},                                                                                                    \
  {VD_F_NUMBER(vd_limits_def, car.power, "power", "1", 0, 1, VD_ABOVE, "1", "greatest share of the full throttle"),    \
   .only = (when)},                                                                                                    \
  {VD_F_NUMBER(vd_limits_def, car.most_slip, "most_slip", "rad", 0, 0.8, VD_ABOVE, "12 deg",                           \
               "bound of the body's slip angle to either side, within which states are sought"),                       \
   .only = (when)},                                                                                                    \
  {VD_F_NUMBER(vd_limits_def, car.most_steer, "most_steer", "rad", 0, 1.2, VD_ABOVE | VD_AUTO, "auto",                 \
               "bound of the road wheel angle; auto: the largest angle of the vehicle's steering"),                    \
   .only = (when)}

#define DIRECTIONS(when, range, count)                                                                                 \
  {AXIS(car.speeds, "speeds", "m/s", range, "speeds, rising"), .only = (when)},                                        \
  {VD_F_INTEGER(vd_limits_def, car.directions, "directions", 8, 360, count,                                            \
                "number of directions around the circle, a multiple of 4"),                                            \
   .only = (when)},                                                                                                    \
  {AXIS(car.normal, "normal", "m/s2", "[9.80665]",                                                                     \
        "acceleration with which the road carries the car: 9.81 m/s2 on level ground, less over a crest, more in a "   \
        "dip or on a bank; rising"),                                                                                   \
   .only = (when)}

static const vd_field envelope_fields[] = {
  HEAD("envelope"),
  CAR(0),
  DIRECTIONS(0, "{from: 10 m/s, to: 50 m/s, points: 9}", "36"),
  {VD_F_CHOICE(vd_limits_def, car.axes, "axes", axes_names, "path",
               "axes of the directions: along and across the path, or the axes of the body, in which "
               "accelerometers measure")},
  {VD_F_NUMBER(vd_limits_def, at, "at", "m/s", 0, 200, VD_ABOVE | VD_AUTO, "auto",
               "speed of the metrics, one of the speeds; auto: the first"),
   .example = "30 m/s"},
};
const vd_schema vd_envelope_schema = {.name = "envelope", VD_SCHEMA_ROWS(vd_limits_def, envelope_fields)};

static const vd_field diagram_fields[] = {
  HEAD("moment_diagram"),
  CAR(0),
  {VD_F_NUMBER(vd_limits_def, speed, "speed", "m/s", 0, 200, VD_ABOVE, NULL, "speed"), .example = "100 km/h"},
  {AXIS(slip, "side_slip", "rad", "{from: -10 deg, to: 10 deg, points: 21}", "slip angles of the body, rising")},
  {AXIS(steer, "steer", "rad", "{from: -10 deg, to: 10 deg, points: 21}",
        "angles of the road wheels (mean), rising")},
  {VD_F_CHOICE(vd_limits_def, hold, "hold", hold_names, "coast",
               "coast: no torque at the wheels; speed, acceleration: drive or brakes hold the speed, or the value of "
               "'acceleration'")},
  {VD_F_NUMBER(vd_limits_def, acceleration, "acceleration", "m/s2", -50, 50, VD_OMIT_DEFAULT, "0",
               "acceleration along the path, with 'hold: acceleration'")},
  {VD_F_FLAG(vd_limits_def, turns, "turns", "true",
             "the car turns with its path; false: it does not turn, as on a rig that holds its heading")},
  {VD_F_NUMBER(vd_limits_def, radius, "radius", "m", -1e5, 1e5, VD_AUTO, "auto",
               "radius on which the car turns, to the left > 0; auto: radius by the lateral acceleration of each "
               "point"),
   .example = "60 m"},
  {VD_F_FLAG(vd_limits_def, pitch_transfer, "pitch_transfer", "true",
             "accelerations along the car move load between the axles; L1 and L2")},
};
const vd_schema vd_diagram_schema = {.name = "moment diagram", VD_SCHEMA_ROWS(vd_limits_def, diagram_fields)};

static const vd_field line_column_fields[] = {
  {VD_F_COLUMN(vd_line_columns, s, "s", "m",
      "distance along the line, rising; two rows with the same distance: a jump; empty: s_m or s")},
  {VD_F_COLUMN(vd_line_columns, curvature, "curvature", "1/m",
      "left > 0; empty: curvature_radpm, curvature_1pm or kappa_radpm")},
  {VD_F_COLUMN(vd_line_columns, slope, "slope", "rad", "uphill > 0; empty: slope_rad, if there is such a column")},
  {VD_F_COLUMN(vd_line_columns, bank, "bank", "rad", "leaning to the left > 0; empty: bank_rad, if there is one")},
  {VD_F_COLUMN(vd_line_columns, vertical, "vertical", "1/m",
               "curvature of the profile, > 0 in a dip; empty: vertical_curvature_1pm, if there is one")},
  {VD_F_COLUMN(vd_line_columns, limit, "limit", "m/s", "speed limit; empty: limit_mps, if there is one")},
};
static const vd_schema line_columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_line_columns, line_column_fields)};
static const vd_field line_fields[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_line_def, columns, vd_line_columns, "columns", "1", &line_columns_schema, VD_OMIT_DEFAULT, "{}",
               "columns of the file")},
};
static const vd_schema line_schema = {.name = "line", VD_SCHEMA_ROWS(vd_line_def, line_fields), .shorthand = "file"};

static const char *const goal_names[] = {"centre", "minimum_curvature", "minimum_time", NULL};
static const vd_field racing_fields[] = {
  {VD_F_CHOICE(vd_racing_def, goal, "goal", goal_names, "centre",
               "centre: the path itself; minimum_curvature: within the edges, the line with the least integral of the "
               "squared curvature; minimum_time: the line with the least time of this lap, found by descent from the "
               "line of minimum curvature")},
  {VD_F_NUMBER(vd_racing_def, track_width, "track_width", "m", 0, 200, VD_ABOVE | VD_AUTO, "auto",
               "width of the track, half to each side of the path; auto: the path's 'left' and 'right'"),
   .example = "10 m"},
  {VD_F_NUMBER(vd_racing_def, car_width, "car_width", "m", 0, 10, VD_AUTO, "auto",
               "width of the car; auto: width of the vehicle, or 0 without a vehicle"),
   .example = "1.8 m"},
  {VD_F_NUMBER(vd_racing_def, margin, "margin", "m", 0, 50, 0, "0", "distance that the car keeps from the edges")},
};
static const vd_schema racing_schema = {
  .name = "racing_line", VD_SCHEMA_ROWS(vd_racing_def, racing_fields), .shorthand = "goal"};

#define CARS   VD_WHEN(VD_LAP_BY_CAR)
#define TABLES VD_WHEN(VD_LAP_BY_FILE)
#define MASSES VD_WHEN(VD_LAP_BY_MASS)

static const vd_field lap_fields[] = {
  HEAD("lap"),
  {VD_F_CHOICE(vd_limits_def, by, "envelope", by_names, "car",
               "limits of the car; car: computed from the vehicle; file: a table that an envelope wrote, or one with "
               "the same columns; mass: a point mass on a tyre with a circle of friction")},
  CAR(CARS),
  DIRECTIONS(CARS, "{from: 5 m/s, to: 95 m/s, points: 19}", "36"),
  VD_MEASURED_ROWS(vd_limits_def, table., TABLES, "the table: speed_mps, along_mps2, across_mps2, and normal_mps2, if "
                   "it has several values"),
  {VD_F_NUMBER(vd_limits_def, mass.mass, "mass", "kg", 0, 1e6, VD_ABOVE, NULL, "mass"), .only = MASSES},
  {VD_F_NUMBER(vd_limits_def, mass.friction, "friction", "1", 0, 10, VD_ABOVE, NULL,
               "greatest force divided by the load"),
   .only = MASSES},
  {VD_F_NUMBER(vd_limits_def, mass.power, "max_power", "W", 0, 1e9, VD_ABOVE | VD_AUTO, "auto",
               "power at the tyre; auto: no limit"),
   .only = MASSES, .example = "300 kW"},
  {VD_F_NUMBER(vd_limits_def, drag_area, "drag_area", "m2", 0, 100, 0, "0", "drag coefficient times area"),
   .only = MASSES},
  {VD_F_NUMBER(vd_limits_def, downforce_area, "downforce_area", "m2", 0, 100, 0, "0",
               "downforce coefficient times area"),
   .only = MASSES},
  {VD_F_NUMBER(vd_limits_def, air_density, "air_density", "kg/m3", 0, 10, VD_ABOVE, "1.225", "density of the air"),
   .only = MASSES},
  {VD_F_STRUCT(vd_limits_def, path, vd_path_def, "path", "1", &vd_path_schema, VD_FILE | VD_OMIT_DEFAULT, "{}",
               "the line, flat: any path that a driver can follow; its speeds are limits")},
  {VD_F_STRUCT(vd_limits_def, line, vd_line_def, "line", "1", &line_schema, VD_OMIT_DEFAULT, "{}",
               "the line as a table of distance, curvature, slope and bank, linear between its rows")},
  {VD_F_STRUCT(vd_limits_def, racing, vd_racing_def, "racing_line", "1", &racing_schema, VD_OMIT_DEFAULT, "{}",
               "the car leaves the path for a faster line within the edges of the track")},
  {VD_F_NUMBER(vd_limits_def, step, "step", "m", 1e-3, 100, 0, "1 m", "longest step along the line")},
  {VD_F_FLAG(vd_limits_def, closed, "closed", "false",
      "the line of the table `line` is a lap that ends where it begins; a `path` is closed by its own keys")},
  {VD_F_NUMBER(vd_limits_def, start, "start_speed", "m/s", 0, 250, VD_AUTO, "auto",
               "speed at the start of an open line; auto: as fast as possible"),
   .example = "0"},
  {VD_F_NUMBER(vd_limits_def, drive, "drive_share", "1", 0, 1, VD_ABOVE, "1",
               "share of the greatest acceleration that the driver uses")},
  {VD_F_NUMBER(vd_limits_def, brake, "brake_share", "1", 0, 1, VD_ABOVE, "1", "share of the braking force that the "
    "driver uses")},
  {VD_F_NUMBER(vd_limits_def, corner, "corner_share", "1", 0, 1, VD_ABOVE, "1", "share of the lateral force that the "
    "driver uses")},
};
const vd_schema vd_lap_schema = {.name = "lap", VD_SCHEMA_ROWS(vd_limits_def, lap_fields), .tag = "envelope"};
/* clang-format on */

typedef struct context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} context;

static vd_place at(const context *ctx, const char *key) {
  return vd_tree_place(ctx->root, key);
}

/* Checks an axis whose values must rise, and lie within bounds. */
static bool check_axis(const context *ctx, const char *key, const vd_rig_axis *axis, double low, double high) {
  int count = vd_rig_axis_count(axis);
  if (count == 0)
    return vd_error(ctx->d, at(ctx, key), "'%s' has no values", key);
  for (int i = 0; i < count; i++) {
    double value = vd_rig_axis_value(axis, i);
    if (!(value >= low && value <= high))
      return vd_error(ctx->d, at(ctx, key), "'%s' contains %.9g; it must be between %g and %g", key, value, low, high);
    if (i > 0 && !(value > vd_rig_axis_value(axis, i - 1)))
      return vd_error(ctx->d, at(ctx, key), "the values of '%s' must rise", key);
  }
  return true;
}

/* --- the car --- */

/* Makes a scenario with this car: writes it as text and reads it. The scenario provides all checks of the car and its
 * models. */
static bool read_car(const context *ctx, vd_limits_def *def, int source) {
  const vd_limits_car *car = &def->car;
  vd_buf text = {0}, part = {0};
  struct {
    vd_vehicle_def vehicle;
    vd_ground_def ground;
  } both = {car->vehicle, car->ground};
  static const vd_field rows[] = {
      {.key = "vehicle", .kind = VD_STRUCT, .unit = "1", .sub = &vd_vehicle_schema, .flags = VD_FILE},
      {.key = "ground",
       .kind = VD_STRUCT,
       .offset = sizeof(vd_vehicle_def),
       .unit = "1",
       .sub = &vd_ground_schema,
       .flags = VD_FILE}};
  _Static_assert(sizeof(vd_vehicle_def) % _Alignof(vd_ground_def) == 0, "the ground follows the vehicle");
  static const vd_schema pair = {.name = "car", .size = sizeof both, .field = rows, .count = VD_COUNT(rows)};
  vd_schema_write(&pair, &both, &part);
  vd_buf_printf(&text, "%s\nrun: {level: %s, lean: %s, duration: 1}\ninitial: {speed: 10}\n", part.text,
                vd_level_names[car->level], car->lean || car->level > VD_L2 ? "true" : "false");
  vd_scenario_def *scenario = vd_arena_alloc(ctx->arena, sizeof *scenario);
  vd_diag *own = vd_diag_create(); /* places of its messages are in the text of the scenario */
  vd_diag_set_cache(own, vd_diag_cache(ctx->d));
  int from = vd_diag_add_source(own, vd_diag_source_name(ctx->d, source), text.text, text.length);
  bool good = vd_scenario_read_source(from, NULL, 0, ctx->arena, own, scenario);
  for (size_t i = 0; i < vd_diag_count(own); i++) {
    enum vd_severity severity;
    vd_place unused;
    const char *words;
    vd_diag_message(own, i, &severity, &unused, &words);
    if (severity == VD_ERROR)
      vd_error(ctx->d, at(ctx, "vehicle"), "%s", words);
    else if (severity == VD_WARNING)
      vd_warning(ctx->d, at(ctx, "vehicle"), "%s", words);
  }
  vd_diag_destroy(own);
  def->scenario = scenario;
  vd_buf_finish(&text);
  vd_buf_finish(&part);
  return good;
}

static bool check_car(const context *ctx, vd_limits_def *def, int source) {
  vd_limits_car *car = &def->car;
  if (car->level < VD_L1 || car->level > VD_L3)
    return vd_error(ctx->d, at(ctx, "level"), "limits are found at the levels L1, L2 and L3");
  vd_vehicle_complete(&car->vehicle, ctx->root, "vehicle", ctx->arena, ctx->d);
  vd_vehicle_check(&car->vehicle, ctx->root, "vehicle", ctx->d);
  if (!vd_ground_is_flat(&car->ground))
    vd_error(ctx->d, at(ctx, "ground"),
             "limits are computed on a plane; 'normal' gives the load by crests, dips and "
             "banks");
  if (isnan(car->most_steer))
    car->most_steer = car->vehicle.steering.max_angle;
  return vd_diag_errors(ctx->d) == 0 && read_car(ctx, def, source);
}

static bool check_directions(const context *ctx, const vd_limits_def *def) {
  if (def->car.directions % 4 != 0)
    vd_error(ctx->d, at(ctx, "directions"),
             "%d directions; they must be a multiple of 4, so that left and right are among them", def->car.directions);
  check_axis(ctx, "normal", &def->car.normal, 0.5, 100.0);
  return check_axis(ctx, "speeds", &def->car.speeds, 0.5, 200.0);
}

/* --- the envelope file --- */

/* Reads the envelope from a file. Rows of one speed and normal acceleration stand together, in the order of their
 * directions. */
static bool load_envelope(const context *ctx, vd_limits_def *def) {
  static const char *const names[][3] = {
      {"speed_mps", NULL}, {"along_mps2", NULL}, {"across_mps2", NULL}, {"normal_mps2", NULL}};
  static const vd_column_def none = {"", "", NAN, NAN};
  const vd_measured_quantity want[] = {{"speed", "m/s", names[0], &none, VD_COLUMN_NEEDED},
                                       {"along", "m/s2", names[1], &none, VD_COLUMN_NEEDED},
                                       {"across", "m/s2", names[2], &none, VD_COLUMN_NEEDED},
                                       {"normal", "m/s2", names[3], &none, VD_COLUMN_OPTIONAL}};
  vd_measured m;
  if (!*def->table.file)
    return vd_error(ctx->d, at(ctx, "file"), "'envelope: file' needs 'file', the table that an envelope wrote");
  if (!vd_measured_read(&def->table, ctx->root, "", want, VD_COUNT(want), ctx->arena, ctx->d, &m))
    return false;
  size_t sections = 0, per = 0;
  double *speed = vd_arena_alloc(ctx->arena, m.rows * sizeof *speed);
  double *normal = vd_arena_alloc(ctx->arena, m.rows * sizeof *normal);
  for (size_t row = 0; row < m.rows; row++) {
    double v = m.value[0][row], n = m.value[3] ? m.value[3][row] : VD_GRAVITY;
    if (row == 0 || v != speed[sections - 1] || n != normal[sections - 1]) {
      per = sections == 1 ? row : per;
      speed[sections] = v;
      normal[sections++] = n;
    }
  }
  per = sections == 1 ? m.rows : per;
  vd_gg *gg = &def->from_file;
  gg->normals = 1;
  for (size_t k = 1; k < sections; k++)
    gg->normals += normal[k] != normal[k - 1];
  gg->speeds = sections / gg->normals;
  if (per < 8 || per > VD_GG_DIRECTIONS || per % 2 != 0 || sections * per != m.rows ||
      gg->speeds * gg->normals != sections)
    return vd_error(ctx->d, at(ctx, "file"),
                    "the table has %zu rows for %zu speeds and %zu normal accelerations; each of them needs the same "
                    "even number of directions, at least 8, from drive over left to brake and back",
                    m.rows, gg->speeds, gg->normals);
  double *lists = vd_arena_alloc(ctx->arena, (gg->speeds + gg->normals) * sizeof *lists);
  for (size_t k = 0; k < gg->speeds; k++)
    lists[k] = speed[k];
  for (size_t k = 0; k < gg->normals; k++)
    lists[gg->speeds + k] = normal[k * gg->speeds];
  gg->speed = lists;
  gg->normal = lists + gg->speeds;
  gg->section = vd_arena_alloc(ctx->arena, sections * sizeof *gg->section);
  for (size_t k = 0; k < sections; k++) {
    vd_gg_point point[VD_GG_DIRECTIONS];
    for (size_t i = 0; i < per; i++)
      point[i] = (vd_gg_point){m.value[1][k * per + i], m.value[2][k * per + i]};
    if ((k % gg->speeds > 0 && !(speed[k] > speed[k - 1])) || speed[k] != gg->speed[k % gg->speeds])
      return vd_error(ctx->d, at(ctx, "file"),
                      "the speeds of the table must rise, and be the same for every normal "
                      "acceleration");
    vd_gg_section_fill(point, per, &gg->section[k]);
  }
  vd_gg_complete(gg);
  def->table.file = vd_file_full(ctx->arena, def->table.file);
  return true;
}

/* --- the line --- */

static bool load_line(const context *ctx, vd_limits_def *def) {
  static const char *const names[][4] = {{"s_m", "s", NULL},
                                         {"curvature_radpm", "curvature_1pm", "kappa_radpm", NULL},
                                         {"slope_rad", NULL},
                                         {"bank_rad", NULL},
                                         {"vertical_curvature_1pm", NULL},
                                         {"limit_mps", NULL}};
  const vd_line_columns *c = &def->line.columns;
  const vd_measured_quantity want[] = {{"columns.s", "m", names[0], &c->s, VD_COLUMN_NEEDED},
                                       {"columns.curvature", "1/m", names[1], &c->curvature, VD_COLUMN_NEEDED},
                                       {"columns.slope", "rad", names[2], &c->slope, VD_COLUMN_OPTIONAL},
                                       {"columns.bank", "rad", names[3], &c->bank, VD_COLUMN_OPTIONAL},
                                       {"columns.vertical", "1/m", names[4], &c->vertical, VD_COLUMN_OPTIONAL},
                                       {"columns.limit", "m/s", names[5], &c->limit, VD_COLUMN_OPTIONAL}};
  vd_measured m;
  if (!vd_measured_read(&def->line.table, ctx->root, "line", want, VD_COUNT(want), ctx->arena, ctx->d, &m))
    return false;
  vd_lap_place *raw = vd_arena_alloc(ctx->arena, m.rows * sizeof *raw);
  for (size_t i = 0; i < m.rows; i++) {
    double of[VD_COUNT(want)];
    for (size_t k = 0; k < VD_COUNT(want); k++)
      of[k] = m.value[k] ? m.value[k][i] : k == 5 ? INFINITY : 0.0;
    raw[i] = (vd_lap_place){of[0], of[1], of[2], of[3], of[4], of[5], 0.0, 0.0, 0.0};
    if (i > 0 && !(raw[i].s >= raw[i - 1].s))
      return vd_error(ctx->d, vd_measured_place(&m, ctx->d, i, 0), "the distance must not fall");
  }
  if (!(raw[m.rows - 1].s > raw[0].s))
    return vd_error(ctx->d, vd_tree_place_in(ctx->root, "line", "file"), "the line has no length");
  def->line.table.file = vd_file_full(ctx->arena, def->line.table.file);
  def->places = vd_lap_refine(raw, m.rows, def->step, NULL);
  def->place = vd_arena_alloc(ctx->arena, def->places * sizeof *def->place);
  vd_lap_refine(raw, m.rows, def->step, def->place);
  vd_lap_draw(def->place, def->places);
  return true;
}

static bool sample_path(const context *ctx, vd_limits_def *def) {
  const vd_path *path = &def->track;
  vd_path_complete(&def->path, ctx->root, "path", ctx->arena, ctx->d);
  if (vd_diag_errors(ctx->d) > 0)
    return false;
  vd_path_build(&def->path, 1.8, ctx->arena, &def->track);
  size_t steps = (size_t)ceil(path->length / def->step - 1e-9);
  if (def->closed && !path->closed)
    return vd_error(ctx->d, at(ctx, "closed"),
                    "the path is open; a circle is closed, and segments and waypoints by their own key 'path.closed'");
  def->closed = path->closed;
  def->places = steps + 1;
  def->place = vd_arena_alloc(ctx->arena, def->places * sizeof *def->place);
  for (size_t i = 0; i <= steps; i++) {
    vd_path_point p;
    double s = path->length * (double)i / (double)steps;
    vd_path_at(path, s, &p);
    double limit = isnan(p.speed) ? INFINITY : p.speed;
    def->place[i] = (vd_lap_place){.s = s, .curvature = p.curvature, .limit = limit, .x = p.x, .y = p.y};
  }
  return true;
}

static bool check_lap(const context *ctx, vd_limits_def *def) {
  bool line = *def->line.table.file != '\0', path = def->path.type != VD_PATH_NONE;
  bool turns = false, limits = false;
  if (line == path)
    return vd_error(ctx->d, at(ctx, line ? "line" : "path"),
                    line ? "'path' and 'line' both give the line; leave out one" : "a lap needs a 'path' or a 'line'");
  if (!(line ? load_line(ctx, def) : sample_path(ctx, def)))
    return false;
  for (size_t i = 0; i < def->places; i++) {
    turns |= def->place[i].curvature != 0.0;
    limits |= isfinite(def->place[i].limit);
  }
  if (def->closed && !turns)
    return vd_error(ctx->d, at(ctx, "closed"), "a closed line without a turn does not come back to its start");
  if (def->closed && !isnan(def->start))
    return vd_error(ctx->d, at(ctx, "start_speed"), "a closed line has no start whose speed could be given");
  /* cars and tables have a greatest speed, a line may have limits of its own */
  if (!turns && !limits && isnan(def->start) && def->by == VD_LAP_BY_MASS)
    return vd_error(ctx->d, at(ctx, "start_speed"),
                    "nothing limits the speed at the start of a line without a turn; give 'start_speed'");
  return true;
}

/* Checks a line within the edges: the track needs edges, and the car must fit between them. */
static bool check_racing(const context *ctx, vd_limits_def *def) {
  vd_racing_def *racing = &def->racing;
  double room[2], low, high;
  if (isnan(racing->car_width))
    racing->car_width = def->by == VD_LAP_BY_CAR ? def->car.vehicle.width : 0.0;
  if (racing->goal == VD_RACING_CENTRE)
    return true;
  if (def->track.count == 0)
    return vd_error(ctx->d, at(ctx, "racing_line"), "a racing line needs a 'path': a table has no edges");
  if (!vd_racing_room(def, 0.0, room))
    return vd_error(ctx->d, at(ctx, "racing_line"),
                    "the edges of the track are not known: give 'racing_line.track_width', or a path with the columns "
                    "w_tr_left_m and w_tr_right_m");
  if (def->places < 12)
    return vd_error(ctx->d, at(ctx, "racing_line"), "a racing line needs a path of at least 12 steps");
  for (size_t i = 0; i < def->places; i++)
    if (!vd_racing_bounds(def, def->place[i].s, &low, &high)) {
      vd_racing_room(def, def->place[i].s, room);
      return vd_error(ctx->d, at(ctx, "racing_line"),
                      "the track is %.4g m wide at s = %.6g m; the car and its margins need %.4g m", room[0] + room[1],
                      def->place[i].s, racing->car_width + 2.0 * racing->margin);
    }
  return true;
}

/* --- reading --- */

bool vd_limits_read_source(enum vd_kind kind, int source, const vd_setting *settings, size_t count, vd_arena *arena,
                           vd_diag *d, vd_limits_def *def) {
  context ctx = {.arena = arena, .d = d};
  vd_node *root;
  memset(def, 0, sizeof *def);
  if (!vd_schema_read_source(vd_kinds[kind].schema, source, settings, count, arena, d, def, &root))
    return false;
  ctx.root = root;
  if ((int)vd_scenario_kinds[def->kind] != (int)kind)
    return vd_error(d, at(&ctx, "kind"), "a %s is of kind %s", vd_kinds[kind].name,
                    vd_scenario_kind_names[vd_kinds[kind].word]);
  bool lap = kind == VD_KIND_LAP;
  if (lap) {
    if (isnan(def->mass.power))
      def->mass.power = INFINITY;
    def->mass.drag = 0.5 * def->air_density * def->drag_area;
    def->mass.downforce = 0.5 * def->air_density * def->downforce_area;
    if (!check_lap(&ctx, def) || (def->by == VD_LAP_BY_FILE && !load_envelope(&ctx, def)))
      return false;
  }
  if ((!lap || def->by == VD_LAP_BY_CAR) && !check_car(&ctx, def, source))
    return false;
  if (lap && !check_racing(&ctx, def))
    return false;
  if (kind == VD_KIND_ENVELOPE || (lap && def->by == VD_LAP_BY_CAR))
    check_directions(&ctx, def);
  if (kind == VD_KIND_DIAGRAM) {
    check_axis(&ctx, "side_slip", &def->slip, -1.0, 1.0);
    check_axis(&ctx, "steer", &def->steer, -1.2, 1.2);
    if (!isnan(def->radius) && !(fabs(def->radius) >= 1.0))
      vd_error(d, at(&ctx, "radius"), "the magnitude of radius must be at least 1 m");
  }
  if (kind == VD_KIND_ENVELOPE && vd_diag_errors(d) == 0) {
    bool among = isnan(def->at);
    for (int i = 0; i < vd_rig_axis_count(&def->car.speeds); i++)
      among |= def->at == vd_rig_axis_value(&def->car.speeds, i);
    if (!among)
      vd_error(d, at(&ctx, "at"), "%g m/s is none of the speeds", def->at);
    if (isnan(def->at))
      def->at = vd_rig_axis_value(&def->car.speeds, 0);
  }
  return vd_diag_errors(d) == 0;
}
