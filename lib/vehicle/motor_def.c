/* The keys of an electric motor, its tables, and checks. */
#include "vehicle/motor_def.h"

#include "input/schema.h"

#include <math.h>

static const char *const at_names[] = {"front", "rear", "fl", "fr", "rl", "rr", "gearbox", NULL};

/* clang-format off */
static const vd_field table_fields[] = {{VD_F_GROUP(&vd_measured_rows)}};
static const vd_schema table_schema = {
    .name = "table of a motor", VD_SCHEMA_ROWS(vd_motor_table_def, table_fields), .shorthand = "file"};

static const vd_field electric_fields[] = {
  {VD_F_NUMBER(vd_motor_electric_def, voltage, "voltage", "V", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
      "voltage of the battery at which the motor reaches max_power; its power is proportional to the voltage; auto: "
      "the power does not depend on the voltage"), .example = "350 V"},
  {VD_F_STRUCT(vd_motor_electric_def, torque_limit, vd_motor_table_def, "torque_limit", "1", &table_schema,
      VD_OMIT_DEFAULT, "{}",
      "file of the greatest torque as a function of speed, and of voltage if there is that column, in place of "
      "max_torque and max_power")},
  {VD_F_NUMBER(vd_motor_electric_def, constant, "constant", "W", 0, 1e6, 0, "0", "loss at any speed and torque")},
  {VD_F_NUMBER(vd_motor_electric_def, copper, "copper", "W/N2/m2", 0, 1e4, 0, "0",
      "loss divided by the square of the torque: resistance of the windings")},
  {VD_F_NUMBER(vd_motor_electric_def, iron, "iron", "W s/rad", 0, 1e4, 0, "0", "loss divided by the speed")},
  {VD_F_NUMBER(vd_motor_electric_def, windage, "windage", "W s3/rad3", 0, 1, 0, "0",
      "loss divided by the third power of the speed")},
  {VD_F_STRUCT(vd_motor_electric_def, loss_map, vd_motor_table_def, "loss_map", "1", &table_schema, VD_OMIT_DEFAULT,
      "{}",
      "file of the loss as a function of speed and torque, and of voltage if there is that column, in place of "
      "constant, copper, iron and windage; torques below 0 generate; without rows for them the losses are equal in "
      "both directions")},
  {VD_F_NUMBER(vd_motor_electric_def, inverter_constant, "inverter_constant", "W", 0, 1e6, 0, "0",
      "loss of the inverter without load")},
  {VD_F_NUMBER(vd_motor_electric_def, inverter_share, "inverter_share", "1", 0, 1, 0, "0",
      "loss of the inverter divided by the electric power of the motor")},
};

const vd_schema vd_motor_electric_schema = {
    .name = "electric side", VD_SCHEMA_ROWS(vd_motor_electric_def, electric_fields)};

static const vd_field motor_fields[] = {
  {VD_F_CHOICE(vd_motor_def, at, "at", at_names, NULL,
      "the wheel, or the axle with an open differential, that it drives; gearbox: with an engine, the input of the "
      "gearbox, after the clutch")},
  {VD_F_NUMBER(vd_motor_def, max_torque, "max_torque", "N m", 0, 1e6, 0, NULL, "motor torque at full throttle")},
  {VD_F_NUMBER(vd_motor_def, max_power, "max_power", "W", 0, 1e8, VD_ABOVE | VD_AUTO, "auto",
      "motor power limit; auto: none"), .example = "110 kW"},
  {VD_F_NUMBER(vd_motor_def, ratio, "ratio", "1", 0, 1e3, VD_ABOVE, NULL,
      "revolutions of the motor per revolution of the wheel, or of the gearbox's input"), .example = "9"},
  {VD_F_NUMBER(vd_motor_def, inertia, "inertia", "kg m2", 0, 1e3, 0, "0",
      "moment of inertia of the motor on its own shaft; needs a shaft_stiffness"), .example = "0.05 kg m2"},
  {VD_F_NUMBER(vd_motor_def, stiffness, "shaft_stiffness", "N m/rad", 0, 1e9, 0, "0",
      "torsional stiffness of all shafts between motor and wheels together, at the wheels"),
   .example = "10 kN m/rad"},
  {VD_F_NUMBER(vd_motor_def, damping, "shaft_damping", "N m s/rad", 0, 1e6, 0, "0", "damping of the shafts")},
  {VD_F_STRUCT(vd_motor_def, electric, vd_motor_electric_def, "electric", "1", &vd_motor_electric_schema,
      VD_OMIT_DEFAULT, "{}", "electric side; used with a battery")},
};
/* clang-format on */

const vd_schema vd_motor_schema = {.name = "motor", VD_SCHEMA_ROWS(vd_motor_def, motor_fields)};

int vd_motor_axle(int at) {
  return at < VD_MOTOR_WHEEL ? at : vd_axle_of(at - VD_MOTOR_WHEEL);
}

enum { SPEED, TORQUE, VOLTAGE, VALUE, COLUMNS };

/* Collects the different values of a column, rising; a missing column counts as one value, 0. Returns their number. */
static int distinct(const vd_measured *m, int column, double *axis) {
  int count = 0;
  for (size_t row = 0; row < m->rows; row++) {
    const double x = m->value[column] ? m->value[column][row] : 0.0;
    int at = 0;
    while (at < count && axis[at] < x)
      at++;
    if (at < count && axis[at] == x)
      continue;
    for (int k = count++; k > at; k--)
      axis[k] = axis[k - 1];
    axis[at] = x;
  }
  return count;
}

/* Makes a grid from rows in any order; every combination of the values of the columns needs one row. The axes are
 * speed, torque (if `by_torque'), voltage. */
static const vd_multilinear *grid_of(const vd_measured *m, bool by_torque, vd_arena *arena, vd_place at, vd_diag *d) {
  const int columns[VD_GRID_AXES] = {SPEED, by_torque ? TORQUE : VOLTAGE, by_torque ? VOLTAGE : COLUMNS};
  vd_multilinear *g = vd_arena_alloc(arena, sizeof *g);
  size_t size = 1;
  for (int k = 0; k < VD_GRID_AXES; k++) {
    double *axis = vd_arena_alloc(arena, (m->rows + 1) * sizeof *axis);
    axis[0] = 0.0;
    g->count[k] = columns[k] == COLUMNS ? 1 : distinct(m, columns[k], axis);
    g->axis[k] = axis;
    size *= (size_t)g->count[k];
  }
  if (size != m->rows) {
    vd_error(d, at, "the file has %zu rows; %d speeds, %d %s and %d voltages need %zu", m->rows, g->count[0],
             by_torque ? g->count[1] : 1, by_torque ? "torques" : "table", g->count[by_torque ? 2 : 1], size);
    return NULL;
  }
  double *value = vd_arena_alloc(arena, size * sizeof *value);
  for (size_t i = 0; i < size; i++)
    value[i] = NAN;
  for (size_t row = 0; row < m->rows; row++) {
    size_t index = 0;
    for (int k = 0; k < VD_GRID_AXES; k++) {
      const double x = columns[k] < COLUMNS && m->value[columns[k]] ? m->value[columns[k]][row] : 0.0;
      size_t at_axis = 0;
      while (g->axis[k][at_axis] < x)
        at_axis++;
      index = index * (size_t)g->count[k] + at_axis;
    }
    value[index] = m->value[VALUE][row];
  }
  for (size_t i = 0; i < size; i++)
    if (isnan(value[i])) {
      vd_error(d, at, "the file has some combinations of its speeds, torques and voltages twice and others not");
      return NULL;
    }
  g->value = value;
  return g;
}

/* Reads a table over speed, torque and voltage (loss) or over speed and voltage (limit of the torque). path: its
 * key. */
static void read_table(vd_motor_table_def *t, const vd_node *root, const char *path, bool loss, vd_arena *arena,
                       vd_diag *d) {
  static const char *const speeds[] = {"speed", "speed_radps", "speed_rpm", NULL};
  static const char *const torques[] = {"torque", "torque_Nm", NULL}, *const losses[] = {"loss", "loss_W", NULL};
  static const char *const voltages[] = {"voltage", "voltage_V", NULL}, *const no_names[] = {NULL};
  static const vd_column_def none = {"", "", NAN, NAN};
  if (t->table || *t->file.file == '\0')
    return;
  const vd_measured_quantity want[COLUMNS] = {
      [SPEED] = {"speed", "rad/s", speeds, &none, VD_COLUMN_NEEDED},
      [TORQUE] = {"torque", "N m", loss ? torques : no_names, &none, loss ? VD_COLUMN_NEEDED : VD_COLUMN_OPTIONAL},
      [VOLTAGE] = {"voltage", "V", voltages, &none, VD_COLUMN_OPTIONAL},
      [VALUE] = loss ? (vd_measured_quantity){"loss", "W", losses, &none, VD_COLUMN_NEEDED}
                     : (vd_measured_quantity){"torque", "N m", torques, &none, VD_COLUMN_NEEDED},
  };
  vd_measured m;
  if (vd_measured_read(&t->file, root, path, want, COLUMNS, arena, d, &m))
    t->table = grid_of(&m, loss, arena, vd_tree_place_in(root, path, "file"), d);
}

void vd_motor_electric_complete(vd_motor_electric_def *e, const vd_node *root, const char *path, vd_arena *arena,
                                vd_diag *d) {
  read_table(&e->loss_map, root, vd_arena_printf(arena, "%s.loss_map", path), true, arena, d);
  read_table(&e->torque_limit, root, vd_arena_printf(arena, "%s.torque_limit", path), false, arena, d);
}

/* Checks a motor at the gearbox. It turns with the gearbox's input, to which the model of the drivetrain adds no
 * inertia or elastic shaft. */
static void check_gearbox(const vd_motor_def *m, bool engine, bool *taken, vd_place at, vd_diag *d) {
  if (!engine)
    vd_error(d, at, "a motor at the gearbox needs a drivetrain with an engine");
  else if (*taken)
    vd_error(d, at, "the gearbox has a motor already");
  else if (m->inertia > 0.0 || m->stiffness > 0.0)
    vd_error(d, at, "a motor at the gearbox has no inertia or shaft of its own");
  *taken = true;
}

void vd_motors_check(const vd_structs *motors, bool engine, const vd_node *root, const char *path, vd_diag *d) {
  bool driven[VD_WHEELS] = {false}, gearbox = false;
  if (motors->count < !engine || motors->count > VD_WHEELS)
    vd_error(d, vd_tree_place_in(root, path, "motors"), "%zu motors; 1 to %d are needed", motors->count, VD_WHEELS);
  for (size_t i = 0; i < motors->count; i++) {
    const vd_motor_def *m = (const vd_motor_def *)motors->item + i;
    if (m->at == VD_MOTOR_GEARBOX) {
      check_gearbox(m, engine, &gearbox, vd_tree_place_in(root, path, "motors.%zu.at", i), d);
      continue;
    }
    for (int w = 0; w < VD_WHEELS; w++) {
      if (m->at < VD_MOTOR_WHEEL ? vd_axle_of(w) != m->at : w != m->at - VD_MOTOR_WHEEL)
        continue;
      if (driven[w])
        vd_error(d, vd_tree_place_in(root, path, "motors.%zu.at", i), "the wheel %s has a motor already",
                 vd_wheel_names[w]);
      driven[w] = true;
    }
    if (m->inertia > 0.0 && !(m->stiffness > 0.0))
      vd_error(d, vd_tree_place_in(root, path, "motors.%zu.inertia", i),
               "an inertia turns behind elastic shafts: give a shaft_stiffness, or add the inertia times the square of "
               "the ratio to the inertias of the wheels");
    if (m->stiffness > 0.0 && !(m->inertia > 0.0))
      vd_error(d, vd_tree_place_in(root, path, "motors.%zu.shaft_stiffness", i),
               "elastic shafts need a motor with an inertia");
  }
}

void vd_motor_electric_build(const vd_motor_electric_def *def, vd_motor_electric *e) {
  *e = (vd_motor_electric){
      .voltage = def->voltage,
      .constant = def->constant,
      .copper = def->copper,
      .iron = def->iron,
      .windage = def->windage,
      .inverter_constant = def->inverter_constant,
      .inverter_share = def->inverter_share,
      .loss_map = def->loss_map.table,
      .limit_map = def->torque_limit.table,
  };
}

void vd_motor_build(const vd_motor_def *def, vd_motor *m) {
  *m = (vd_motor){.at = def->at,
                  .max_torque = def->max_torque,
                  .max_power = def->max_power,
                  .ratio = def->ratio,
                  .inertia = def->inertia,
                  .stiffness = def->stiffness,
                  .damping = def->damping};
  vd_motor_electric_build(&def->electric, &m->electric);
}
