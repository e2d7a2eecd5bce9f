/* Checks of prescribed motions, and the initial state that they determine. */
#include "run/scenario_impl.h"

#include "base/elementary.h"

#include <math.h>

static const vd_profile *profile_of(const vd_scenario_def *def, int i) {
  return &def->inputs.input[i].profile;
}

static bool is_given(const vd_scenario_def *def, int i) {
  return vd_profile_is_given(profile_of(def, i));
}

static void refuse(const vd_scenario_context *ctx, int i, const char *text) {
  const char *key = vd_input_table[i].key;
  vd_error(ctx->d, vd_tree_place(ctx->root, key), "%s: %s", key, text);
}

/* Checks that a speed has no jump, also at the end of a table: a jump would need an infinite force. */
static void check_smooth(const vd_scenario_context *ctx, const vd_scenario_def *def, int i) {
  const vd_profile *p = profile_of(def, i);
  bool speed = i == VD_IN_PRESCRIBED_SPEED;
  const vd_points *points = &p->as.table.points;
  if (!vd_profile_is_continuous(p, !speed))
    refuse(ctx, i,
           speed ? "a prescribed speed must be continuous: a step without rise, a rectangle, a wave that ends, and a "
                   "table with interpolation hold are not"
                 : "a prescribed place or heading needs a continuous rate: a constant, or a table with interpolation "
                   "smooth");
  else if (!speed && p->type == VD_PROFILE_TABLE &&
           !(points->xy[0] <= 0.0 && points->xy[2 * points->count - 2] >= def->run.duration * (1.0 - 1e-9)))
    refuse(ctx, i,
           "the points must cover the run from 0 s to the end: outside the points the car would have to stop in an "
           "instant");
}

static void check_together(const vd_scenario_context *ctx, const vd_scenario_def *def) {
  bool x = is_given(def, VD_IN_PRESCRIBED_X), y = is_given(def, VD_IN_PRESCRIBED_Y);
  vd_ground ground;
  vd_ground_build(&def->ground, &ground);
  if (x != y)
    refuse(ctx, x ? VD_IN_PRESCRIBED_X : VD_IN_PRESCRIBED_Y, "prescribed_x and prescribed_y must be given together");
  if ((x || y) && is_given(def, VD_IN_PRESCRIBED_SPEED))
    refuse(ctx, VD_IN_PRESCRIBED_SPEED, "prescribed_x and prescribed_y determine the speed already");
  for (int i = VD_IN_PRESCRIBED_SPEED; i <= VD_IN_PRESCRIBED_YAW; i++) {
    if (!is_given(def, i))
      continue;
    if (def->run.level < VD_L1)
      refuse(ctx, i, "a prescribed place or heading needs forces, which level L0 does not have; use L1 or above");
    else if (def->run.level < VD_L3 && i != VD_IN_PRESCRIBED_SPEED && ground.normal[2] != 1.0)
      refuse(ctx, i, "on a slope a prescribed place or heading needs L3 or above");
  }
}

/* Sets an initial value that the prescribed motion determines; an initial value in the file must agree with it. */
static void start_with(const vd_scenario_context *ctx, const char *key, const char *unit, double wanted,
                       double *value) {
  const double tolerance = 0.01; /* measured and filtered motions do not begin with round numbers */
  const vd_node *initial = vd_tree_find(ctx->root, "initial");
  bool has_key = initial && vd_tree_get(initial, key);
  if (has_key && !(fabs(*value - wanted) <= tolerance * (1.0 + fabs(wanted))))
    vd_error(ctx->d, vd_tree_place_in(ctx->root, "initial", "%s", key),
             "initial.%s is %.9g%s%s, but the prescribed motion begins with %.9g", key, *value, *unit ? " " : "", unit,
             wanted);
  *value = wanted;
}

/* Computes value and rate just after 0 s, as there may be a corner at 0 s. */
static void at_start(const vd_scenario_def *def, int i, double *value, double *rate) {
  const vd_profile *p = profile_of(def, i);
  double inside = 0.5 * vd_min(vd_profile_next_corner(p, 0.0), 1.0);
  vd_profile_at(p, inside, 0.0, value, rate);
}

static void set_start(const vd_scenario_context *ctx, vd_scenario_def *def) {
  static const double slow = 0.1; /* m/s: at lower speeds the direction of motion does not determine the heading */
  vd_start *s = &def->initial;
  double value, rate, px, py, vx, vy;
  if (is_given(def, VD_IN_PRESCRIBED_YAW)) {
    at_start(def, VD_IN_PRESCRIBED_YAW, &value, &rate);
    start_with(ctx, "yaw", "rad", value, &s->yaw);
    start_with(ctx, "yaw_rate", "rad/s", rate, &s->yaw_rate);
  }
  if (is_given(def, VD_IN_PRESCRIBED_SPEED)) {
    at_start(def, VD_IN_PRESCRIBED_SPEED, &value, &rate);
    start_with(ctx, "speed", "m/s", value, &s->speed);
  }
  if (!is_given(def, VD_IN_PRESCRIBED_X) || !is_given(def, VD_IN_PRESCRIBED_Y))
    return;
  at_start(def, VD_IN_PRESCRIBED_X, &px, &vx);
  at_start(def, VD_IN_PRESCRIBED_Y, &py, &vy);
  bool headed = is_given(def, VD_IN_PRESCRIBED_YAW) || vd_tree_find(ctx->root, "initial.yaw");
  if (!headed && vd_hypot(vx, vy) > slow)
    s->yaw = vd_atan2(vy, vx);
  double cosine = vd_cos(s->yaw), sine = vd_sin(s->yaw);
  start_with(ctx, "x", "m", px, &s->x);
  start_with(ctx, "y", "m", py, &s->y);
  start_with(ctx, "speed", "m/s", cosine * vx + sine * vy, &s->speed);
  start_with(ctx, "vy", "m/s", cosine * vy - sine * vx, &s->vy);
}

void vd_scenario_check_prescribed(const vd_scenario_context *ctx, vd_scenario_def *def) {
  if (vd_inputs_prescribed(&def->inputs) == 0)
    return;
  check_together(ctx, def);
  for (int i = VD_IN_PRESCRIBED_SPEED; i <= VD_IN_PRESCRIBED_YAW; i++)
    if (is_given(def, i))
      check_smooth(ctx, def, i);
  if (vd_diag_errors(ctx->d) == 0)
    set_start(ctx, def);
}
