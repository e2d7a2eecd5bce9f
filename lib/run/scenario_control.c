/* Checks the controllers of a scenario, and finds the channels and inputs that they name. */
#include "run/scenario_impl.h"

#include "base/base.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

typedef vd_scenario_context context;

const char *vd_scenario_no_request(const vd_scenario_def *def, enum vd_input i) {
  if (i >= VD_IN_BRAKE_VALVE_FL && i <= VD_IN_BRAKE_VALVE_RR && !vd_scenario_has_pressures(def))
    return "valves need vehicle.brakes.pressure: hydraulic, and level L1 or above";
  if (i >= VD_IN_DAMPER_REQUEST_FL && i <= VD_IN_DAMPER_REQUEST_RR && def->run.level < VD_L3)
    return "requests of dampers need level L3 or above";
  if (i == VD_IN_REAR_STEER_REQUEST && def->vehicle.steering.rear.count == 0)
    return "an angle of the rear wheels needs vehicle.steering.rear";
  return NULL;
}

const char *vd_scenario_no_road(const vd_scenario_def *def, enum vd_input i) {
  if (i < VD_IN_ROAD_FL || i > VD_IN_ROAD_SLOPE_Y_RR)
    return NULL;
  if (def->run.level < VD_L3)
    return "roads under single wheels need level L3 or above";
  const bool plane =
      (def->ground.type == VD_GROUND_FLAT || def->ground.type == VD_GROUND_INCLINED) && def->ground.also.count == 0;
  if (!plane && i >= VD_IN_ROAD_SLOPE_X_FL)
    return "roads with slopes need a ground that is a plane";
  return plane || def->run.level < VD_L5 ? NULL : "at L5 roads under single wheels need a ground that is a plane";
}

static vd_controller_def *controller(const vd_scenario_def *def, size_t i) {
  return (vd_controller_def *)def->all_controllers.item + i;
}

static vd_request_def *request(const vd_controller_def *c, size_t j) {
  return (vd_request_def *)c->requests.item + j;
}

bool vd_scenario_written(const vd_scenario_def *def, enum vd_input first, enum vd_input last) {
  for (size_t i = 0; i < def->all_controllers.count; i++)
    for (size_t j = 0; j < controller(def, i)->requests.count; j++) {
      int index = request(controller(def, i), j)->index;
      if (index >= (int)first && index <= (int)last)
        return true;
    }
  return false;
}

/* Returns the first input of the controllers that is this input or excludes it; VD_INPUT_KINDS: there is none. */
static int displacing(const vd_scenario_def *def, enum vd_input i) {
  for (int k = 0; k < VD_INPUT_KINDS && def->all_controllers.count > 0; k++)
    if ((k == (int)i || vd_inputs_displace(i, (enum vd_input)k) || vd_inputs_displace((enum vd_input)k, i)) &&
        vd_scenario_written(def, (enum vd_input)k, (enum vd_input)k))
      return k;
  return VD_INPUT_KINDS;
}

bool vd_scenario_displaced(const vd_scenario_def *def, enum vd_input i) {
  return displacing(def, i) < VD_INPUT_KINDS;
}

void vd_scenario_join_controllers(const context *ctx, vd_scenario_def *def) {
  const vd_structs *of_car = &def->vehicle.controllers, *own = &def->controllers;
  def->all_controllers = *own;
  if (of_car->count == 0)
    return;
  vd_controller_def *all = vd_arena_alloc(ctx->arena, (of_car->count + own->count) * sizeof *all);
  memcpy(all, of_car->item, of_car->count * sizeof *all);
  for (size_t i = 0; i < own->count; i++)
    all[of_car->count + i] = ((const vd_controller_def *)own->item)[i];
  def->all_controllers = (vd_structs){.item = all, .count = of_car->count + own->count};
}

static const char *path_of(const context *ctx, const vd_scenario_def *def, size_t i) {
  const size_t of_car = def->vehicle.controllers.count;
  return i < of_car ? vd_tree_item_path(ctx->root, "vehicle.controllers", i, ctx->arena)
                    : vd_tree_item_path(ctx->root, "controllers", i - of_car, ctx->arena);
}

/* Returns the place of a key of controller i, or of the controller. */
static vd_place at_key(const context *ctx, const vd_scenario_def *def, size_t i, const char *key) {
  const char *path = path_of(ctx, def, i);
  return vd_tree_place(ctx->root, *key ? vd_arena_printf(ctx->arena, "%s.%s", path, key) : path);
}

static vd_place at_item(const context *ctx, const vd_scenario_def *def, size_t i, const char *list, size_t item) {
  const char *path = path_of(ctx, def, i);
  path = vd_arena_printf(ctx->arena, "%s.%s", path, list);
  return vd_tree_place(ctx->root, vd_tree_item_path(ctx->root, path, item, ctx->arena));
}

static void check_times(const context *ctx, const vd_scenario_def *def, size_t i) {
  const vd_controller_def *c = controller(def, i);
  const struct {
    const char *key;
    double value;
  } time[] = {{"period", c->period}, {"delay", c->delay}};
  for (size_t k = 0; k < VD_COUNT(time); k++)
    if (!vd_scenario_is_integer(time[k].value / def->run.step) || (k == 0 && !(time[k].value / def->run.step > 0.5)))
      vd_error(ctx->d, at_key(ctx, def, i, time[k].key), "the %s (%g s) is not a whole number of steps (%g s)",
               time[k].key, time[k].value, def->run.step);
  if (!(c->delay / c->period <= 1e4))
    vd_error(ctx->d, at_key(ctx, def, i, "delay"), "the delay is longer than 10000 periods");
}

/* Refuses a second controller of a built-in kind, because the log has only one mode of this kind for each wheel. */
static void check_single(const context *ctx, const vd_scenario_def *def, size_t i) {
  const vd_controller_def *c = controller(def, i);
  for (size_t k = 0; k < i && !vd_controller_is_outside(c); k++)
    if (controller(def, k)->kind == c->kind)
      vd_error(ctx->d, at_key(ctx, def, i, ""), "there is already a controller of the kind '%s'",
               vd_controller_kind_name(c));
}

/* Returns the lowest level that has all sensors of the controller and, if it acts on two sides, two tracks. */
static int lowest_level(const vd_controller_def *c) {
  const vd_sensor_def *sensor = c->sensors.item;
  int level = vd_controller_has_sides(c) ? VD_L2 : VD_L0;
  for (size_t s = 0; s < c->sensors.count; s++) {
    bool ignored[VD_CHANNELS] = {false};
    while (level < VD_LEVELS - 1 && vd_channel_match(sensor[s].channel, (enum vd_level)level, ignored) == 0)
      level++;
  }
  return level;
}

/* Checks the level for a built-in kind. The file does not name the sensors of such a kind; therefore there is one
 * message, not one for each sensor. */
static bool check_level(const context *ctx, const vd_scenario_def *def, size_t i) {
  const vd_controller_def *c = controller(def, i);
  const int lowest = vd_controller_is_outside(c) ? VD_L0 : lowest_level(c);
  return def->run.level >= lowest ||
         vd_error(ctx->d, at_key(ctx, def, i, ""), "a controller of the kind '%s' needs a level from %s on",
                  vd_controller_kind_name(c), vd_level_names[lowest]);
}

static void find_sensors(const context *ctx, const vd_scenario_def *def, size_t i) {
  vd_sensor_def *sensor = controller(def, i)->sensors.item;
  size_t channels, count = controller(def, i)->sensors.count;
  const vd_channel *channel = vd_channel_table(&channels);
  if (count > VD_SENSORS)
    vd_error(ctx->d, at_key(ctx, def, i, "sensors"), "%zu sensors; at most %d", count, (int)VD_SENSORS);
  for (size_t s = 0; s < count; s++) {
    if (!vd_scenario_check_channel(ctx, at_item(ctx, def, i, "sensors", s), sensor[s].channel, def->run.level,
                                   "a sensor is one channel, not a pattern"))
      continue;
    for (size_t k = 0; k < channels; k++)
      if (strcmp(channel[k].name, sensor[s].channel) == 0)
        sensor[s].index = k;
  }
}

/* Returns the reason why a controller cannot write an input; NULL: it can. */
static const char *refused(const vd_scenario_def *def, enum vd_input i, double lowest, double highest) {
  const bool post = i >= VD_IN_POST_FL && i <= VD_IN_POST_RR;
  const bool damper = i >= VD_IN_DAMPER_REQUEST_FL && i <= VD_IN_DAMPER_REQUEST_RR;
  if (i >= VD_IN_PRESCRIBED_SPEED && i <= VD_IN_PRESCRIBED_YAW)
    return "only functions of time prescribe a motion";
  if (vd_scenario_no_road(def, i))
    return vd_scenario_no_road(def, i);
  if (post != (def->kind == VD_SCENARIO_FOUR_POST) && !damper)
    return post ? "there are posts only with 'kind: four_post'" : "on a four-post rig only posts move";
  if (vd_scenario_no_request(def, i))
    return vd_scenario_no_request(def, i);
  if (i == VD_IN_STEERING_TORQUE && def->vehicle.steering.column.count == 0)
    return "a torque at the steering wheel needs vehicle.steering.column";
  if (i <= VD_IN_STEERING_WHEEL && def->vehicle.steering.dead_time > 0.0)
    return "the delay of the controller replaces vehicle.steering.dead_time, which must be 0";
  if (i == VD_IN_DRAWBAR && isnan(def->vehicle.hitch.at[0]))
    return "a drawbar pulls at vehicle.hitch, whose place is not given";
  return vd_scenario_input_possible(i, lowest, highest, &def->vehicle)
             ? NULL
             : "the car has no motor, handbrake or booster for it";
}

/* Finds the input of request j of controller i, and checks it. said: why an earlier request of this controller was
 * refused; a built-in kind has many requests, but one message for each reason. */
static void find_request(const context *ctx, const vd_scenario_def *def, size_t i, size_t j, const char **said) {
  vd_request_def *r = request(controller(def, i), j);
  const char *names[VD_INPUT_KINDS];
  vd_place place = at_item(ctx, def, i, "requests", j);
  r->index = VD_INPUT_KINDS;
  for (int k = 0; k < VD_INPUT_KINDS; k++) {
    names[k] = vd_input_table[k].key;
    if (strcmp(r->input, names[k]) == 0)
      r->index = k;
  }
  if (r->index == VD_INPUT_KINDS) {
    vd_error(ctx->d, place, "there is no input '%s'%s", r->input,
             vd_did_you_mean(ctx->arena, vd_suggest(r->input, names, VD_INPUT_KINDS)));
    return;
  }
  const enum vd_input index = (enum vd_input)r->index;
  vd_scenario_input_range(index, &def->vehicle, &r->lowest, &r->highest);
  const char *why = refused(def, index, r->lowest, r->highest);
  if (why && (why != *said || vd_controller_is_outside(controller(def, i))))
    vd_error(ctx->d, place, "%s: %s", r->input, why);
  *said = why;
  if (index >= VD_IN_ROAD_FL && index <= VD_IN_ROAD_SLOPE_Y_RR && r->course != VD_REQUEST_HOLD)
    vd_error(ctx->d, place, "%s: the values of a road may change only by jumps: 'course: hold'", r->input);
  if (!isnan(r->start) && !(r->start >= r->lowest && r->start <= r->highest))
    vd_error(ctx->d, place, "%s starts at %g, outside %g to %g", r->input, r->start, r->lowest, r->highest);
  for (size_t c = 0; c <= i; c++)
    for (size_t k = 0; k < (c < i ? controller(def, c)->requests.count : j); k++) {
      const enum vd_input other = (enum vd_input)request(controller(def, c), k)->index;
      if (other < VD_INPUT_KINDS && other == index && c < i && vd_input_adds(index)) {
        if (r->course != VD_REQUEST_HOLD || request(controller(def, c), k)->course != VD_REQUEST_HOLD)
          vd_error(ctx->d, place, "%s is written by two controllers, whose requests add only with 'course: hold'",
                   r->input);
      } else if (other < VD_INPUT_KINDS && (other == index || vd_inputs_displace(index, other))) {
        vd_error(ctx->d, place, other == index ? "%s is written twice" : "%s and %s exclude each other", r->input,
                 vd_input_table[other].key);
      }
    }
}

/* Refuses inputs of controllers that the scenario (k = 0) or event k - 1 gives, too. Inputs of the scenario that are
 * constantly zero are dropped instead. */
static void check_given(const context *ctx, vd_scenario_def *def, size_t k, const char *prefix) {
  vd_inputs_def *in = k == 0 ? &def->inputs : &((vd_event_def *)def->events.item)[k - 1].inputs;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    const vd_profile *profile = &in->input[i].profile;
    int other = vd_profile_is_given(profile) ? displacing(def, (enum vd_input)i) : VD_INPUT_KINDS;
    double value;
    if (other == VD_INPUT_KINDS)
      continue;
    if (k == 0 && vd_profile_is_constant(profile, &value) && value == 0.0)
      in->input[i] = (vd_profile_def){.profile.type = VD_PROFILE_NONE};
    else if (other == i)
      vd_error(ctx->d, vd_tree_place(ctx->root, vd_arena_printf(ctx->arena, "%s%s", prefix, vd_input_table[i].key)),
               "a controller writes %s", vd_input_table[i].key);
    else
      vd_error(ctx->d, vd_tree_place(ctx->root, vd_arena_printf(ctx->arena, "%s%s", prefix, vd_input_table[i].key)),
               "%s and %s, which a controller writes, exclude each other", vd_input_table[i].key,
               vd_input_table[other].key);
  }
}

void vd_scenario_check_controllers(const context *ctx, vd_scenario_def *def) {
  if (def->all_controllers.count > VD_CONTROLLERS)
    vd_error(ctx->d, vd_tree_place(ctx->root, "controllers"), "%zu controllers; at most %d", def->all_controllers.count,
             (int)VD_CONTROLLERS);
  for (size_t i = 0; i < def->all_controllers.count; i++) {
    vd_controller_def *c = controller(def, i);
    vd_controller_complete(c, ctx->root, path_of(ctx, def, i), ctx->arena, ctx->d);
    if (c->requests.count > VD_REQUESTS)
      vd_error(ctx->d, at_key(ctx, def, i, "requests"), "%zu requests; at most %d", c->requests.count,
               (int)VD_REQUESTS);
    check_single(ctx, def, i);
    check_times(ctx, def, i);
    if (check_level(ctx, def, i))
      find_sensors(ctx, def, i);
    const char *said = NULL;
    for (size_t j = 0; j < c->requests.count; j++)
      find_request(ctx, def, i, j, &said);
  }
  for (size_t k = 0; k <= def->events.count && def->all_controllers.count > 0; k++)
    check_given(ctx, def, k, k == 0 ? "" : vd_arena_printf(ctx->arena, "events.%zu.", k - 1));
}
