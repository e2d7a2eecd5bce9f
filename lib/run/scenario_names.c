/* Determines which inputs a car has, and which channels a level has. */
#include "run/scenario_impl.h"

#include "input/schema.h"

#include <string.h>

typedef vd_scenario_context context;

void vd_scenario_input_range(enum vd_input i, const vd_vehicle_def *v, double *lowest, double *highest) {
  *lowest = vd_input_table[i].lowest;
  *highest = vd_input_table[i].highest;
  if (i == VD_IN_STEER || i == VD_IN_STEERING_WHEEL) {
    vd_steering steering;
    double slope;
    vd_steering_build(&v->steering, &steering);
    *highest = i == VD_IN_STEER ? steering.max_angle : vd_steering_wheel(&steering, steering.max_angle, &slope);
    *lowest = -*highest;
  } else if (i == VD_IN_GEAR) {
    *highest = v->drivetrain.type == VD_DRIVETRAIN_ENGINE ? (double)v->drivetrain.gears.count : 1.0;
  }
}

bool vd_scenario_has_motor(const vd_vehicle_def *v) {
  return v->drivetrain.type == VD_DRIVETRAIN_ENGINE || v->drivetrain.max_torque > 0.0;
}

/* True if the car can follow an input between these values. Without a motor the brakes can still decelerate the car and
 * stop it. */
bool vd_scenario_input_possible(enum vd_input i, double lowest, double highest, const vd_vehicle_def *v) {
  bool controlled = i == VD_IN_SPEED || i == VD_IN_ACCELERATION || i == VD_IN_FORCE;
  if (controlled && (highest > 0.0 || (i == VD_IN_SPEED && lowest < 0.0)))
    return vd_scenario_has_motor(v);
  if (i == VD_IN_PEDAL_FORCE && highest > 0.0)
    return v->brakes.booster.count > 0;
  return i != VD_IN_HANDBRAKE || !(highest > 0.0) || v->brakes.handbrake_torque > 0.0;
}

/* Returns the channel of this level that was probably meant by a name that is misspelt or lacks its unit. */
static const char *suggest_channel(const char *pattern, unsigned level) {
  size_t count, names_count = 0, length = strlen(pattern);
  const vd_channel *channel = vd_channel_table(&count);
  const char *names[VD_CHANNELS];
  for (size_t i = 0; i < count; i++)
    if (channel[i].levels & VD_WHEN(level))
      names[names_count++] = channel[i].name;
  for (size_t i = 0; i < names_count; i++)
    if (strncmp(names[i], pattern, length) == 0 && names[i][length] == '_')
      return names[i];
  return vd_suggest(pattern, names, names_count);
}

void vd_scenario_no_channel(const context *ctx, vd_place place, const char *pattern, unsigned level) {
  bool ignored[VD_CHANNELS] = {false};
  vd_buf elsewhere = {0};
  unsigned found[VD_LEVELS], count = 0;
  for (unsigned other = VD_L0; other < VD_LEVELS; other++)
    if (vd_channel_match(pattern, (enum vd_level)other, ignored) > 0)
      found[count++] = other;
  for (unsigned i = 0; i < count; i++)
    vd_buf_printf(&elsewhere, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", vd_level_names[found[i]]);
  if (elsewhere.length)
    vd_error(ctx->d, place, "no channel '%s' at level %s; it exists at %s", pattern, vd_level_names[level],
             elsewhere.text);
  else
    vd_error(ctx->d, place, "no channel '%s' at level %s%s", pattern, vd_level_names[level],
             vd_did_you_mean(ctx->arena, suggest_channel(pattern, level)));
  vd_buf_finish(&elsewhere);
}

bool vd_scenario_check_channel(const context *ctx, vd_place place, const char *name, int level, const char *pattern) {
  bool ignored[VD_CHANNELS] = {false};
  if (strpbrk(name, "*?["))
    return vd_error(ctx->d, place, "%s", pattern);
  if (vd_channel_match(name, (enum vd_level)level, ignored) > 0)
    return true;
  vd_scenario_no_channel(ctx, place, name, (unsigned)level);
  return false;
}
