/* The keys of a steering, and checks of them. */
#include "vehicle/steering_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field column_fields[] = {
  {VD_F_NUMBER(vd_steering_column_def, column.wheel_inertia, "wheel_inertia", "kg m2", 0, 10, VD_ABOVE, "0.035 kg m2",
      "moment of inertia of the steering wheel and the upper column")},
  {VD_F_NUMBER(vd_steering_column_def, column.gear_inertia, "gear_inertia", "kg m2", 0, 10, VD_ABOVE, "0.015 kg m2",
      "moment of inertia of all parts below the torsion bar, at the steering wheel: lower column, motor, rack, and the "
      "front wheels about their steering axes, divided by the square of the ratio")},
  {VD_F_NUMBER(vd_steering_column_def, column.stiffness, "stiffness", "N m/rad", 0, 1e6, VD_ABOVE, "2 N m/deg",
      "stiffness of the torsion bar in series with column and joints")},
  {VD_F_NUMBER(vd_steering_column_def, column.twist_damping, "twist_damping", "N m s/rad", 0, 1e3, 0, "0.1 N m s/rad",
      "damping of the torsion bar")},
  {VD_F_NUMBER(vd_steering_column_def, column.wheel_damping, "wheel_damping", "N m s/rad", 0, 1e3, 0, "0",
      "viscous damping of the steering wheel")},
  {VD_F_NUMBER(vd_steering_column_def, column.gear_damping, "gear_damping", "N m s/rad", 0, 1e3, 0, "0.3 N m s/rad",
      "viscous damping below the torsion bar, at the steering wheel")},
  {VD_F_NUMBER(vd_steering_column_def, column.wheel_friction.limit, "wheel_friction", "N m", 0, 1e3, 0, "0",
      "Coulomb friction of the upper column"),
   .example = "0.5 N m"},
  {VD_F_NUMBER(vd_steering_column_def, column.gear_friction.limit, "gear_friction", "N m", 0, 1e3, 0, "0",
      "Coulomb friction below the torsion bar, at the steering wheel, without assistance"),
   .example = "2 N m"},
  {VD_F_NUMBER(vd_steering_column_def, friction_angle, "friction_angle", "rad", 1e-4, 1, 0, "1 deg",
      "turn of the steering wheel over which both frictions build up")},
};
static const vd_schema column_schema = {.name = "column", VD_SCHEMA_ROWS(vd_steering_column_def, column_fields)};

static const vd_field assist_fields[] = {
  {VD_F_NUMBER(vd_assist_row, speed, "speed", "m/s", 0, 200, 0, NULL,
      "speed of this row; linear between rows, constant outside")},
  {VD_F_POINTS(vd_assist_row, torque, "torque", "N m", 0, 1e4, NULL,
      "pairs [torque of the torsion bar, torque of the assistance at the steering wheel] from [0, 0] on, nowhere "
      "falling; cubics without overshoot between them, straight beyond; the same for both signs"), .x_unit = "N m",
   .example = "[[0, 0], [4, 30]]"},
};
static const vd_schema assist_schema = {.name = "row of the assistance", VD_SCHEMA_ROWS(vd_assist_row, assist_fields)};

static const vd_field rear_fields[] = {
  {VD_F_POINTS(vd_rear_steering_def, gain, "gain", "1", -1, 1, NULL,
      "pairs [speed, mean angle of the rear wheels divided by that of the front wheels], in phase > 0; smooth between, "
      "constant outside"), .x_unit = "m/s"},
  {VD_F_NUMBER(vd_rear_steering_def, lag, "lag", "s", 0, 10, VD_ABOVE, "50 ms", "time constant of the actuator"),
   .example = "50 ms"},
};
static const vd_schema rear_schema = {.name = "rear steering", VD_SCHEMA_ROWS(vd_rear_steering_def, rear_fields)};

static const vd_field steering_fields[] = {
  {VD_F_NUMBER(vd_steering_def, ratio, "ratio", "1", 0, 100, VD_ABOVE, NULL,
      "steering-wheel angle divided by mean road wheel angle, straight ahead"),
   .example = "16"},
  {VD_F_NUMBER(vd_steering_def, max_angle, "max_angle", "rad", 0, 1.2, VD_ABOVE, "0.5",
      "largest mean road wheel angle")},
  {VD_F_NUMBER(vd_steering_def, ackermann, "ackermann", "1", 0, 2, 0, "0",
      "0: parallel steer, 1: full Ackermann geometry"),
   .example = "0.8"},
  {VD_F_NUMBER(vd_steering_def, lag, "lag", "s", 0, 10, VD_AUTO, "auto",
      "time constant of the road wheels; auto: none, 20 ms with a rate limit"),
   .example = "50 ms"},
  {VD_F_NUMBER(vd_steering_def, rate_limit, "rate_limit", "rad/s", 0, 100, VD_ABOVE | VD_AUTO, "auto",
      "greatest rate of the mean road wheel angle; auto: none"),
   .example = "40 deg/s"},
  {VD_F_NUMBER(vd_steering_def, dead_time, "dead_time", "s", 0, 2, 0, "0", "delay from the command to the wheels"),
   .example = "50 ms"},
  {VD_F_NUMBER(vd_steering_def, trail, "trail", "m", -0.5, 0.5, 0, "0",
      "mechanical trail: distance of the front contact points behind the steering axes; only for the torque at the "
      "steering wheel; linkages have their own trail"),
   .example = "25 mm"},
  {VD_F_NUMBER(vd_steering_def, scrub, "scrub", "m", -0.5, 0.5, VD_OMIT_DEFAULT, "0",
      "scrub radius: distance of the front contact points outside of the steering axes; linkages have their own"),
   .example = "10 mm"},
  {VD_F_NUMBER(vd_steering_def, inclination, "inclination", "rad", -0.6, 0.6, VD_OMIT_DEFAULT, "0",
      "kingpin inclination of the steering axes, their tops inward > 0; linkages have their own"),
   .example = "12 deg"},
  {VD_F_NUMBER(vd_steering_def, caster, "caster", "rad", -0.6, 0.6, VD_OMIT_DEFAULT, "0",
      "caster angle of the steering axes, their tops backward > 0; linkages have their own"),
   .example = "5 deg"},
  {VD_F_POINTS(vd_steering_def, ratio_curve, "ratio_curve", "1", 0.1, 10, "[]",
      "variable gear: pairs [steering-wheel angle, present ratio divided by 'ratio'] from 0 on, smooth between them "
      "and constant beyond; the same for both signs"), .x_unit = "rad", .flags = VD_OMIT_DEFAULT,
   .example = "[[0, 1], [6, 1.2]]"},
  {VD_F_STRUCTS(vd_steering_def, column, "column", "1", &column_schema, "[]",
      "a column with masses, a torsion bar and friction, from L1 on: the steering wheel may be turned by a torque, "
      "or released"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_steering_def, assist, "assist", "1", &assist_schema, "[]",
      "power assistance of the column: rows of rising speed"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_steering_def, rear, "rear", "1", &rear_schema, "[]",
      "steering of the rear wheels, from L1 on; rear linkages need a tie rod or 'steering: rack'"),
      .flags = VD_OMIT_DEFAULT},
};
/* clang-format on */

const vd_schema vd_steering_schema = {.name = "steering", VD_SCHEMA_ROWS(vd_steering_def, steering_fields)};

static const vd_assist_row *assist_row(const vd_steering_def *s, size_t i) {
  return (const vd_assist_row *)s->assist.item + i;
}

/* --- conditions for lists of pairs --- */

static bool is_curve(const vd_points *p) {
  return p->count >= 2 && p->count <= VD_CURVE_POINTS;
}

static bool begins(const vd_points *p, double y) {
  return p->xy[0] == 0.0 && p->xy[1] == y;
}

static bool rises(const vd_points *p) {
  bool good = true;
  for (size_t i = 1; i < p->count; i++)
    good &= p->xy[2 * i + 1] >= p->xy[2 * i - 1];
  return good;
}

/* --- curves --- */

/* Returns the curve of 1/(relative ratio), which is even, and constant beyond the last point. */
static const vd_curve *gear_of(const vd_points *p, vd_arena *arena) {
  double *xy = vd_arena_alloc(arena, 2 * p->count * sizeof *xy);
  for (size_t i = 0; i < p->count; i++) {
    xy[2 * i] = p->xy[2 * i];
    xy[2 * i + 1] = 1.0 / p->xy[2 * i + 1];
  }
  const vd_points gain = {xy, p->count};
  vd_curve *curve = vd_arena_alloc(arena, sizeof *curve);
  vd_curve_build(&gain, curve);
  vd_curve_end(curve, 0.0);
  return curve;
}

void vd_steering_complete(vd_steering_def *s, vd_arena *arena) {
  if (isnan(s->lag))
    s->lag = isnan(s->rate_limit) ? 0.0 : 0.02;
  if (is_curve(&s->ratio_curve))
    s->gear = gear_of(&s->ratio_curve, arena);
  bool good = s->assist.count <= VD_ASSIST_ROWS;
  for (size_t i = 0; i < s->assist.count; i++)
    good &= is_curve(&assist_row(s, i)->torque);
  if (good && s->assist.count > 0) {
    vd_curve *curve = vd_arena_alloc(arena, s->assist.count * sizeof *curve);
    for (size_t i = 0; i < s->assist.count; i++)
      vd_curve_build(&assist_row(s, i)->torque, &curve[i]);
    s->assist_curve = curve;
  }
  const vd_rear_steering_def *rear = s->rear.item;
  if (s->rear.count > 0 && is_curve(&rear->gain)) {
    vd_curve *curve = vd_arena_alloc(arena, sizeof *curve);
    vd_curve_build(&rear->gain, curve);
    s->rear_gain = curve;
  }
}

/* --- checks --- */

static void check_count(const vd_points *p, const char *what, vd_place at, vd_diag *d) {
  if (!is_curve(p))
    vd_error(d, at, "%s needs 2 to %d pairs, not %zu", what, (int)VD_CURVE_POINTS, p->count);
}

static void check_assist(const vd_steering_def *s, const vd_node *root, const char *path, vd_diag *d) {
  vd_place at = vd_tree_place_in(root, path, "assist");
  if (s->assist.count > 0 && s->column.count == 0)
    vd_error(d, at, "power assistance needs a 'column', whose torsion bar measures the torque");
  if (s->assist.count > VD_ASSIST_ROWS)
    vd_error(d, at, "the assistance has %zu rows; at most %d", s->assist.count, (int)VD_ASSIST_ROWS);
  for (size_t i = 0; i < s->assist.count; i++) {
    const vd_assist_row *row = assist_row(s, i);
    vd_place torque = vd_tree_place_in(root, path, "assist.%zu.torque", i);
    check_count(&row->torque, "the torque of the assistance", torque, d);
    if (is_curve(&row->torque) && !(begins(&row->torque, 0.0) && rises(&row->torque)))
      vd_error(d, torque, "the torque of the assistance must begin with [0, 0] and nowhere fall");
    if (i > 0 && !(row->speed > row[-1].speed))
      vd_error(d, vd_tree_place_in(root, path, "assist.%zu.speed", i),
               "speed must rise from row to row: %g after %g m/s", row->speed, row[-1].speed);
  }
}

static void check_column(const vd_steering_def *s, const vd_node *root, const char *path, vd_diag *d) {
  static const char *const key[] = {"lag", "rate_limit", "dead_time"};
  const bool given[] = {s->lag > 0.0, !isnan(s->rate_limit), s->dead_time > 0.0};
  if (s->column.count > 1)
    vd_error(d, vd_tree_place_in(root, path, "column"), "a steering has one column");
  for (size_t i = 0; i < VD_COUNT(key) && s->column.count > 0; i++)
    if (given[i])
      vd_error(d, vd_tree_place_in(root, path, "%s", key[i]),
               "a column has its own delay, by its masses and its friction; omit '%s'", key[i]);
}

void vd_steering_check(const vd_steering_def *s, const vd_node *root, const char *path, vd_diag *d) {
  vd_place ratio = vd_tree_place_in(root, path, "ratio_curve");
  if (s->lag == 0.0 && !isnan(s->rate_limit))
    vd_error(d, vd_tree_place_in(root, path, "lag"), "a rate limit needs a lag above 0");
  if (s->ratio_curve.count > 0) {
    check_count(&s->ratio_curve, "a variable ratio", ratio, d);
    if (!begins(&s->ratio_curve, 1.0))
      vd_error(d, ratio, "a variable ratio must begin with [0, 1]: straight ahead the ratio is 'ratio'");
  }
  check_column(s, root, path, d);
  check_assist(s, root, path, d);
  if (s->rear.count > 1)
    vd_error(d, vd_tree_place_in(root, path, "rear"), "a car has one rear steering");
  const vd_rear_steering_def *rear = s->rear.item;
  if (s->rear.count > 0)
    check_count(&rear->gain, "the gain of the rear steering", vd_tree_place_in(root, path, "rear.gain"), d);
}

/* --- building --- */

static vd_column column_of(const vd_steering_column_def *def) {
  vd_column column = def->column;
  column.given = true;
  column.wheel_friction.stiffness = column.wheel_friction.limit / def->friction_angle;
  column.gear_friction.stiffness = column.gear_friction.limit / def->friction_angle;
  return column;
}

void vd_steering_build(const vd_steering_def *def, vd_steering *s) {
  *s = (vd_steering){
      .ratio = def->ratio,
      .gear = def->gear,
      .max_angle = def->max_angle,
      .ackermann = def->ackermann,
      .lag = def->lag,
      .rate_limit = def->rate_limit,
      .dead_time = def->dead_time,
      .trail = def->trail,
      .scrub = def->scrub,
      .inclination = def->inclination,
      .caster = def->caster,
  };
  if (def->column.count > 0)
    s->column = column_of(def->column.item);
  s->assist.torque = def->assist_curve;
  s->assist.rows = def->assist_curve ? (int)def->assist.count : 0;
  for (int i = 0; i < s->assist.rows; i++)
    s->assist.speed[i] = assist_row(def, (size_t)i)->speed;
  const vd_rear_steering_def *rear = def->rear.item;
  if (def->rear_gain)
    s->rear =
        (vd_rear_steering){def->rear_gain, rear->gain.xy[0], rear->gain.xy[2 * (rear->gain.count - 1)], rear->lag};
}

/* Returns a bound of the eigenfrequency w of two inertias on the torsion bar: w^2 <= K (1 + steepest assistance)/J_gear
 * + K/J_wheel, the sum of the squared eigenfrequencies of each inertia alone; frictions and the road act in parallel. A
 * damper has the rate c/J. */
double vd_steering_rate(const vd_steering *s, double road) {
  const vd_column *c = &s->column;
  double steepest = 0.0, steep = 1.0;
  if (!c->given)
    return 0.0;
  for (int i = 0; i < s->assist.rows; i++)
    steepest = vd_max(steepest, vd_curve_steepest(&s->assist.torque[i]));
  for (int i = 0; s->gear && i < s->gear->count; i++)
    steep = vd_max(steep, s->gear->a[i]);
  double gain = steep / s->ratio;
  double below = c->stiffness * (1.0 + steepest) + c->gear_friction.stiffness + road * gain * gain;
  double above = c->stiffness + c->wheel_friction.stiffness;
  double damping =
      (c->twist_damping + c->gear_damping) / c->gear_inertia + (c->twist_damping + c->wheel_damping) / c->wheel_inertia;
  return sqrt(below / c->gear_inertia + above / c->wheel_inertia) + damping;
}
