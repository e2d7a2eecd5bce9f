/* The keys of a drivetrain, checks across them, and the drivetrain of the models. */
#include "vehicle/drivetrain_def.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "vehicle/battery_def.h"

#include <math.h>

static const char *const type_names[] = {"motor", "engine", "motors", NULL};
static const char *const drive_names[] = {"front", "rear", "all", NULL};
static const char *const differential_names[] = {"open", "locked", "limited_slip", NULL};

#define MOTOR  VD_WHEN(VD_DRIVETRAIN_MOTOR)
#define ENGINE VD_WHEN(VD_DRIVETRAIN_ENGINE)
#define MOTORS VD_WHEN(VD_DRIVETRAIN_MOTORS)
#define LSD    VD_WHEN(VD_DIFFERENTIAL_LIMITED_SLIP)

/* clang-format off */
static const vd_field differential_fields[] = {
  {VD_F_CHOICE(vd_differential, type, "type", differential_names, "open", "kind of differential")},
  {VD_F_NUMBER(vd_differential, preload, "preload", "N m", 0, 1e5, 0, "50 N m",
      "torque moved from the faster to the slower output at any speed difference; a smaller torque keeps both at one "
      "speed"), .only = LSD},
  {VD_F_NUMBER(vd_differential, ramp, "ramp", "N m s/rad", 0, 1e5, 0, "0",
      "additional torque per difference of the output speeds"), .only = LSD},
};

static const vd_schema differential_schema = {
    .name = "differential", VD_SCHEMA_ROWS(vd_differential, differential_fields), .tag = "type", .shorthand = "type"};

static const vd_field row_fields[] = {
  {VD_F_NUMBER(vd_torque_row, throttle, "throttle", "1", 0, 1, 0, NULL, "throttle of this row")},
  {VD_F_POINTS(vd_torque_row, torque, "torque", "N m", -1e6, 1e6, NULL,
      "pairs [speed, torque]; linear between them, constant outside"), .x_unit = "rad/s",
   .example = "[[90, 120], [400, 200], [680, 160]]"},
};

static const vd_schema row_schema = {.name = "row of the torque map", VD_SCHEMA_ROWS(vd_torque_row, row_fields)};

static const vd_field drivetrain_fields[] = {
  {VD_F_CHOICE(vd_drivetrain_def, type, "type", type_names, "motor",
      "motor: one gear, constant torque up to its power; engine: torque map, clutch and gearbox; motors: one at each "
      "axle, or at each wheel")},
  {VD_F_CHOICE(vd_drivetrain_def, drive, "drive", drive_names, NULL,
      "driven axle, or all axles"), .only = MOTOR | ENGINE},
  {VD_F_NUMBER(vd_drivetrain_def, front_share, "front_share", "1", 0, 1, 0, "0.5",
      "torque share of the front axle, for 'drive: all'"), .only = MOTOR | ENGINE},
  {VD_F_NUMBER(vd_drivetrain_def, inertia, "inertia", "kg m2", 0, 1e3, 0, "0",
      "moment of inertia of the motor or engine on its own shaft; required by an engine"),
   .only = MOTOR | ENGINE, .example = "0.15 kg m2"},
  {VD_F_NUMBER(vd_drivetrain_def, efficiency, "efficiency", "1", 0, 1, VD_ABOVE, "1",
      "efficiency of the gears, in the direction of the power flow; a value below 1 needs an inertia"),
   .only = MOTOR | ENGINE},
  {VD_F_STRUCT(vd_drivetrain_def, front, vd_differential, "front_differential", "1", &differential_schema, 0, "{}",
      "differential between the front wheels")},
  {VD_F_STRUCT(vd_drivetrain_def, rear, vd_differential, "rear_differential", "1", &differential_schema, 0, "{}",
      "differential between the rear wheels")},
  {VD_F_STRUCT(vd_drivetrain_def, centre, vd_differential, "centre_differential", "1", &differential_schema, 0, "{}",
      "differential between the axles, for 'drive: all'")},
  {VD_F_NUMBER(vd_drivetrain_def, max_torque, "max_torque", "N m", 0, 1e6, 0, NULL,
      "motor torque at full throttle"), .only = MOTOR},
  {VD_F_NUMBER(vd_drivetrain_def, max_power, "max_power", "W", 0, 1e8, VD_ABOVE | VD_AUTO, "auto",
      "motor power limit; auto: none"), .only = MOTOR,
   .example = "110 kW"},
  {VD_F_NUMBER(vd_drivetrain_def, ratio, "ratio", "1", 0, 1e3, VD_ABOVE, NULL,
      "revolutions of the motor per revolution of the wheel"), .only = MOTOR,
   .example = "9"},
  {VD_F_STRUCT(vd_drivetrain_def, electric, vd_motor_electric_def, "electric", "1", &vd_motor_electric_schema,
      VD_OMIT_DEFAULT, "{}", "electric side of the motor; used with a battery"), .only = MOTOR},
  {VD_F_STRUCTS(vd_drivetrain_def, motors, "motors", "1", &vd_motor_schema, "[]",
      "the electric motors; beside an engine they make a hybrid, which needs a battery"),
   .flags = VD_OMIT_DEFAULT, .only = MOTORS | ENGINE,
   .example = "[{at: front, max_torque: 200 N m, ratio: 9}, {at: rear, max_torque: 300 N m, ratio: 9}]"},
  {VD_F_POINTS(vd_drivetrain_def, electric_share, "electric_share", "1", -1, 1, "[[0, 0], [0.2, 0], [0.3, 1], [1, 1]]",
      "hybrid: pairs [charge, share] from charge 0 to 1; the share of the wanted torque that the motors deliver; below "
      "0 the engine drives the motors, which charge; the motors add the torque that the engine cannot deliver"),
   .x_unit = "1", .flags = VD_OMIT_DEFAULT, .only = ENGINE,
   .example = "[[0, -0.3], [0.5, 0], [0.7, 1], [1, 1]]"},
  {VD_F_STRUCTS(vd_drivetrain_def, torque_map, "torque_map", "1", &row_schema, NULL,
      "rows of rising throttle from 0 to 1; bilinear between"), .only = ENGINE,
   .example = "[{throttle: 0, torque: [[90, -20]]}, {throttle: 1, torque: [[90, 120], [400, 200]]}]"},
  {VD_F_NUMBER(vd_drivetrain_def, idle, "idle", "rad/s", 0, 1e4, VD_ABOVE, NULL,
      "idle speed, kept by a governor"), .only = ENGINE,
   .example = "850 rpm"},
  {VD_F_NUMBER(vd_drivetrain_def, redline, "redline", "rad/s", 0, 1e4, VD_ABOVE, NULL,
      "speed above which the throttle closes, fully at 2 % more"), .only = ENGINE,
   .example = "6500 rpm"},
  {VD_F_NUMBERS(vd_drivetrain_def, gears, "gears", "1", 0, 100, VD_ABOVE, NULL,
      "ratios of the gears, falling"), .only = ENGINE,
   .example = "[3.6, 2.1, 1.4, 1, 0.8]"},
  {VD_F_NUMBER(vd_drivetrain_def, reverse, "reverse", "1", 0, 100, VD_ABOVE, NULL,
      "ratio of the reverse gear, > 0"), .only = ENGINE,
   .example = "3.4"},
  {VD_F_NUMBER(vd_drivetrain_def, final_drive, "final_drive", "1", 0, 100, VD_ABOVE, NULL,
      "ratio of the final drive"), .only = ENGINE,
   .example = "3.9"},
  {VD_F_NUMBER(vd_drivetrain_def, shift_up, "shift_up", "rad/s", 0, 1e4, VD_ABOVE, NULL,
      "gearbox input speed of the upshift"), .only = ENGINE,
   .example = "5500 rpm"},
  {VD_F_NUMBER(vd_drivetrain_def, shift_down, "shift_down", "rad/s", 0, 1e4, VD_ABOVE, NULL,
      "gearbox input speed of the downshift"), .only = ENGINE,
   .example = "1800 rpm"},
  {VD_F_NUMBER(vd_drivetrain_def, shift_time, "shift_time", "s", 0, 10, 0, "0.25 s",
      "time without torque during a shift"), .only = ENGINE},
  {VD_F_NUMBER(vd_drivetrain_def, clutch_torque, "clutch_torque", "N m", 0, 1e6, VD_ABOVE | VD_AUTO, "auto",
      "greatest torque of the clutch; auto: 1.5 times the greatest torque of the map"), .only = ENGINE},
  {VD_F_NUMBER(vd_drivetrain_def, launch_speed, "launch_speed", "rad/s", 0, 1e4, VD_ABOVE | VD_AUTO, "auto",
      "engine speed from which on the clutch has its greatest torque; the torque is 0 at idle; auto: a quarter of the "
      "way from idle to redline"), .only = ENGINE,
   .example = "2500 rpm"},
};
/* clang-format on */

const vd_schema vd_drivetrain_schema = {
    .name = "drivetrain", VD_SCHEMA_ROWS(vd_drivetrain_def, drivetrain_fields), .tag = "type"};

static const vd_torque_row *map_row(const vd_drivetrain_def *d, size_t i) {
  return (const vd_torque_row *)d->torque_map.item + i;
}

static double greatest_torque(const vd_drivetrain_def *d) {
  double most = 0.0;
  for (size_t i = 0; i < d->torque_map.count; i++)
    for (size_t k = 0; k < map_row(d, i)->torque.count; k++)
      most = vd_max(most, map_row(d, i)->torque.xy[2 * k + 1]);
  return most;
}

/* Adds up torques and powers of several motors at the wheels, for code that treats the drivetrain as a whole. */
static void add_motors(vd_drivetrain_def *d) {
  double sum[VD_AXLES] = {0.0};
  d->max_power = 0.0;
  for (size_t i = 0; i < d->motors.count; i++) {
    const vd_motor_def *m = (const vd_motor_def *)d->motors.item + i;
    if (m->at != VD_MOTOR_GEARBOX) /* refused by the check */
      sum[vd_motor_axle(m->at)] += m->max_torque * m->ratio;
    d->max_power += m->max_power; /* NAN: one of the powers is not limited */
  }
  d->ratio = d->efficiency = 1.0;
  d->max_torque = sum[VD_FRONT] + sum[VD_REAR];
  d->drive = sum[VD_REAR] == 0.0 ? VD_DRIVE_FRONT : sum[VD_FRONT] == 0.0 ? VD_DRIVE_REAR : VD_DRIVE_ALL;
  d->front_share = d->max_torque > 0.0 ? sum[VD_FRONT] / d->max_torque : 0.0;
}

void vd_drivetrain_complete(vd_drivetrain_def *d, const vd_node *root, const char *path, vd_arena *arena,
                            vd_diag *diag) {
  if (d->type == VD_DRIVETRAIN_MOTOR)
    vd_motor_electric_complete(&d->electric, root, vd_arena_printf(arena, "%s.electric", path), arena, diag);
  for (size_t i = 0; i < d->motors.count && d->type != VD_DRIVETRAIN_MOTOR; i++)
    vd_motor_electric_complete(&((vd_motor_def *)d->motors.item)[i].electric, root,
                               vd_arena_printf(arena, "%s.motors.%zu.electric", path, i), arena, diag);
  if (d->type == VD_DRIVETRAIN_MOTORS)
    add_motors(d);
  if (d->type != VD_DRIVETRAIN_ENGINE)
    return;
  if (isnan(d->clutch_torque))
    d->clutch_torque = 1.5 * greatest_torque(d);
  if (isnan(d->launch_speed))
    d->launch_speed = d->idle + 0.25 * (d->redline - d->idle);
}

static size_t map_speeds(const vd_drivetrain_def *d, double *speed) {
  size_t count = 0;
  for (size_t i = 0; i < d->torque_map.count; i++) {
    const vd_points *p = &map_row(d, i)->torque;
    for (size_t k = 0; k < p->count; k++) {
      double x = p->xy[2 * k];
      size_t at = 0;
      while (at < count && speed[at] < x)
        at++;
      if (at < count && speed[at] == x)
        continue;
      if (count == VD_MAP_SPEEDS)
        return count + 1;
      for (size_t m = count++; m > at; m--)
        speed[m] = speed[m - 1];
      speed[at] = x;
    }
  }
  return count;
}

static vd_place place_of_throttle(const vd_node *root, const char *path, size_t row) {
  return vd_tree_place_in(root, path, "torque_map.%zu.throttle", row);
}

static void check_map(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  double speed[VD_MAP_SPEEDS];
  vd_place at = vd_tree_place_in(root, path, "torque_map");
  size_t rows = d->torque_map.count;
  if (rows < 2 || rows > VD_MAP_THROTTLES) {
    vd_error(diag, at, "the torque map has %zu row%s; 2 to %d are needed", rows, rows == 1 ? "" : "s",
             (int)VD_MAP_THROTTLES);
    return;
  }
  double first = map_row(d, 0)->throttle, last = map_row(d, rows - 1)->throttle;
  for (size_t i = 1; i < rows; i++)
    if (!(map_row(d, i)->throttle > map_row(d, i - 1)->throttle))
      vd_error(diag, place_of_throttle(root, path, i), "throttle must rise from row to row: %g after %g",
               map_row(d, i)->throttle, map_row(d, i - 1)->throttle);
  if (first != 0.0)
    vd_error(diag, place_of_throttle(root, path, 0), "the torque map must begin with throttle 0, not %g", first);
  if (last != 1.0)
    vd_error(diag, place_of_throttle(root, path, rows - 1), "the torque map must end with throttle 1, not %g", last);
  if (map_speeds(d, speed) > VD_MAP_SPEEDS)
    vd_error(diag, at, "the torque map has more than %d different speeds", (int)VD_MAP_SPEEDS);
}

/* Checks that torque does not fall when the throttle opens; otherwise several throttles could have the same torque. */
static void check_monotone(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  vd_drivetrain built;
  vd_drivetrain_build(d, &built);
  for (int i = 1; i < built.throttles; i++)
    for (int k = 0; k < built.speeds; k++)
      if (!(built.torque[i][k] >= built.torque[i - 1][k])) {
        vd_error(diag, place_of_throttle(root, path, (size_t)i),
                 "torque falls from %g to %g N m at %.0f rad/s when the throttle opens from %g to %g",
                 built.torque[i - 1][k], built.torque[i][k], built.speed[k], built.throttle[i - 1], built.throttle[i]);
        return;
      }
}

static void check_gears(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  size_t count = d->gears.count;
  const double *ratio = d->gears.value;
  if (count == 0 || count > VD_GEARS)
    vd_error(diag, vd_tree_place_in(root, path, "gears"), "%zu gears; 1 to %d are needed", count, (int)VD_GEARS);
  for (size_t i = 1; i < count; i++)
    if (!(ratio[i] < ratio[i - 1]))
      vd_error(diag, vd_tree_place_in(root, path, "gears.%zu", i), "ratios must fall from gear to gear: %g after %g",
               ratio[i], ratio[i - 1]);
}

/* Checks the order of the speeds of engine and gearbox. False after an error that later checks would repeat. */
static bool check_speeds(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  const struct {
    const char *at, *key;
    double value;
    const char *below;
    double least;
  } order[] = {{"redline", "redline", d->redline, "idle", d->idle},
               {"launch_speed", "launch_speed", d->launch_speed, "idle", d->idle},
               {"launch_speed", "redline", d->redline, "launch_speed", d->launch_speed},
               {"shift_down", "shift_down", d->shift_down, "idle", d->idle},
               {"shift_up", "shift_up", d->shift_up, "shift_down", d->shift_down},
               {"shift_up", "redline", d->redline, "shift_up", d->shift_up}};
  for (size_t i = 0; i < VD_COUNT(order); i++)
    if (!(order[i].value > order[i].least)) {
      vd_error(diag, vd_tree_place_in(root, path, "%s", order[i].at), "%s (%.4g rad/s) must be above %s (%.4g rad/s)",
               order[i].key, order[i].value, order[i].below, order[i].least);
      return false;
    }
  return true;
}

/* Checks that the gearbox does not shift down again right after a shift up. */
static void check_shifts(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  for (size_t i = 1; i < d->gears.count; i++) {
    double end = d->shift_up * d->gears.value[i] / d->gears.value[i - 1];
    if (end > d->shift_down)
      continue;
    vd_error(diag, vd_tree_place_in(root, path, "shift_down"),
             "the shift from gear %zu to %zu ends at %.4g rad/s, not above the downshift at %.4g rad/s: the gearbox "
             "would shift for ever",
             i, i + 1, end, d->shift_down);
  }
}

void vd_drivetrain_check(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag) {
  bool engine = d->type == VD_DRIVETRAIN_ENGINE;
  if (d->type != VD_DRIVETRAIN_MOTOR)
    vd_motors_check(&d->motors, engine, root, path, diag);
  if (engine && d->motors.count > 0)
    vd_charge_curve_check(&d->electric_share, "electric_share", false, root, path, diag);
  if (!(d->inertia > 0.0) && (engine || d->efficiency < 1.0))
    vd_error(diag, vd_tree_place_in(root, path, "inertia"), "%s needs an inertia",
             engine ? "an engine" : "an efficiency below 1");
  if (d->drive != VD_DRIVE_ALL && d->centre.type != VD_DIFFERENTIAL_OPEN)
    vd_error(diag, vd_tree_place_in(root, path, "centre_differential"), "a centre differential needs drive: all");
  if (!engine)
    return;
  size_t before = vd_diag_errors(diag);
  bool ordered = check_speeds(d, root, path, diag);
  check_map(d, root, path, diag);
  check_gears(d, root, path, diag);
  /* with the checked numbers of rows and gears the drivetrain can be built */
  if (vd_diag_errors(diag) == before + !ordered)
    check_monotone(d, root, path, diag);
  if (vd_diag_errors(diag) == before)
    check_shifts(d, root, path, diag);
}

static double row_torque(const vd_points *p, double speed) {
  size_t i = 0;
  while (i + 1 < p->count && p->xy[2 * (i + 1)] <= speed)
    i++;
  const double *a = p->xy + 2 * i;
  if (i + 1 == p->count || speed <= a[0])
    return a[1];
  return a[1] + (a[3] - a[1]) * (speed - a[0]) / (a[2] - a[0]);
}

void vd_drivetrain_build(const vd_drivetrain_def *def, vd_drivetrain *d) {
  *d = (vd_drivetrain){
      .engine = def->type == VD_DRIVETRAIN_ENGINE,
      .drive = (enum vd_drive)def->drive,
      .front_share = def->front_share,
      .front = def->front,
      .rear = def->rear,
      .centre = def->centre,
      .inertia = def->inertia,
      .efficiency = def->efficiency,
      .max_torque = def->max_torque,
      .max_power = def->max_power,
      .gears = 1,
      .ratio = {def->ratio, def->ratio},
  };
  if (def->type == VD_DRIVETRAIN_MOTOR) {
    d->motors = 1;
    d->motor[0] = (vd_motor){.max_torque = def->max_torque, .max_power = def->max_power, .ratio = def->ratio};
    vd_motor_electric_build(&def->electric, &d->motor[0].electric);
  } else if (def->motors.count > 0) {
    d->list = true;
    d->motors = (int)def->motors.count;
    for (int i = 0; i < d->motors; i++)
      vd_motor_build((const vd_motor_def *)def->motors.item + i, &d->motor[i]);
    if (d->engine)
      vd_curve_build(&def->electric_share, &d->electric_share);
  }
  if (!d->engine)
    return;
  d->gears = (int)def->gears.count;
  d->ratio[0] = def->reverse * def->final_drive;
  d->final_drive = def->final_drive;
  for (int i = 0; i < d->gears; i++)
    d->ratio[i + 1] = def->gears.value[i] * def->final_drive;
  d->speeds = (int)map_speeds(def, d->speed);
  d->throttles = (int)def->torque_map.count;
  for (int i = 0; i < d->throttles; i++) {
    d->throttle[i] = map_row(def, (size_t)i)->throttle;
    for (int k = 0; k < d->speeds; k++)
      d->torque[i][k] = row_torque(&map_row(def, (size_t)i)->torque, d->speed[k]);
  }
  d->idle = def->idle;
  d->redline = def->redline;
  d->shift_up = def->shift_up;
  d->shift_down = def->shift_down;
  d->shift_time = def->shift_time;
  d->clutch_torque = def->clutch_torque;
  d->launch_speed = def->launch_speed;
}
