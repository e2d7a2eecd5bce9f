/* Checks across the fields of a scenario. All errors are reported before reading fails. */
#include "run/scenario_impl.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "input/table.h"
#include "run/step_limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef vd_scenario_context context;

static vd_place at(const context *ctx, const char *path) {
  return vd_tree_place(ctx->root, path);
}

static vd_place at_key(const context *ctx, const char *input, const char *key) {
  return vd_tree_place_in(ctx->root, input, "%s", key);
}

static vd_place at_axle(const context *ctx, int axle, const char *key) {
  return at(ctx, vd_arena_printf(ctx->arena, "vehicle.%s.%s", vd_axle_names[axle], key));
}

/* Returns the place of an entry of a list. The list may be written as a single scalar or in short form. */
static vd_place at_entry(const context *ctx, const char *section, const char *key, size_t index) {
  const vd_node *list = vd_tree_find(ctx->root, section);
  if (list && list->kind == VD_NODE_MAPPING)
    list = vd_tree_get(list, key);
  const vd_node *entry = vd_tree_item(list, index);
  return entry ? vd_node_place(entry) : at_key(ctx, section, key);
}

/* True if an input has no effect because it is a pedal or steering that is constantly zero. Such an input may be given
 * together with others. */
static bool is_idle(enum vd_input i, const vd_profile *p) {
  bool rests = i == VD_IN_STEER || i == VD_IN_STEERING_WHEEL || i == VD_IN_STEERING_TORQUE || i == VD_IN_THROTTLE ||
               i == VD_IN_BRAKE || i == VD_IN_PEDAL_FORCE;
  double value;
  return rests && vd_profile_is_constant(p, &value) && value == 0.0;
}

static bool commands(const vd_inputs_def *in, enum vd_input i) {
  const vd_profile *p = &in->input[i].profile;
  return vd_profile_is_given(p) && !is_idle(i, p);
}

static const char *input_path(const context *ctx, const char *prefix, enum vd_input i) {
  return vd_arena_printf(ctx->arena, "%s%s", prefix, vd_input_table[i].key);
}

static bool excludes(enum vd_input a, enum vd_input b) {
  const vd_input_info *x = &vd_input_table[a], *y = &vd_input_table[b];
  return (x->lateral && y->lateral) ||
         (x->longitudinal && y->longitudinal && (x->family != y->family || x->offset == y->offset));
}

/* Checks that there is at most one lateral input, and that longitudinal inputs are of one family. A constant zero that
 * excludes another input is dropped. */
static void check_families(const context *ctx, const char *prefix, vd_inputs_def *in) {
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    int other = 0;
    while (other < VD_INPUT_KINDS &&
           (other == i || !commands(in, (enum vd_input)other) || !excludes((enum vd_input)i, (enum vd_input)other)))
      other++;
    if (other == VD_INPUT_KINDS)
      continue;
    if (is_idle((enum vd_input)i, &in->input[i].profile)) {
      in->input[i] = (vd_profile_def){.profile.type = VD_PROFILE_NONE};
    } else if (other < i && commands(in, (enum vd_input)i)) {
      vd_error(ctx->d, at(ctx, input_path(ctx, prefix, (enum vd_input)i)), "%s and %s exclude each other",
               vd_input_table[other].key, vd_input_table[i].key);
    }
  }
}

static void check_gear(const context *ctx, const char *key, const vd_profile *p) {
  if (!vd_profile_is_integer(p))
    vd_error(ctx->d, at(ctx, key),
             "gears are whole numbers: a constant, a step without rise or a table with 'interpolation: hold'");
}

/* Writes the end of a message, after the bounds of an input: a blank and the unit, or the origin of the bounds. */
static void bounds_unit(enum vd_input i, char *unit, size_t size) {
  const char *symbol = vd_input_table[i].unit;
  bool bare = strcmp(symbol, "1") == 0;
  if (i == VD_IN_STEER || i == VD_IN_STEERING_WHEEL)
    snprintf(unit, size, " rad (%s)", i == VD_IN_STEER ? "vehicle.steering.max_angle" : "steering.max_angle x ratio");
  else if (i == VD_IN_GEAR)
    snprintf(unit, size, " (the gears of the drivetrain)");
  else
    snprintf(unit, size, "%s%s", bare ? "" : " ", bare ? "" : symbol);
}

/* Returns what samples an input: the driver's decisions for inputs that the driver follows, steps for all others. */
static vd_sampling sampling_of(const vd_scenario_def *def, enum vd_input i) {
  bool decided = i >= VD_IN_CURVATURE && i <= VD_IN_LATERAL_ACCELERATION && def->driver.period >= def->run.step;
  return decided ? (vd_sampling){def->driver.period, def->driver.period, "the driver's period", false}
                 : (vd_sampling){def->run.step, vd_scenario_row_interval(def), "a step", true};
}

static void check_input(const context *ctx, const char *prefix, enum vd_input i, vd_profile_def *input,
                        const vd_scenario_def *def) {
  char unit_text[64];
  if (!vd_profile_is_given(&input->profile))
    return;
  const char *key = input_path(ctx, prefix, i);
  vd_profile_bounds bounds = {.unit = vd_input_table[i].unit, .unit_text = unit_text};
  vd_scenario_input_range(i, &def->vehicle, &bounds.lowest, &bounds.highest);
  bounds_unit(i, unit_text, sizeof unit_text);
  vd_profile_check(input, key, bounds, ctx->root, ctx->arena, ctx->d);
  vd_profile_check_sampling(&input->profile, key, sampling_of(def, i), ctx->root, ctx->d);
  if (*prefix && i >= VD_IN_PRESCRIBED_SPEED && i <= VD_IN_PRESCRIBED_YAW)
    vd_error(ctx->d, at(ctx, key), "a motion is prescribed for the whole run, not by events");
  if (vd_scenario_no_request(def, i))
    vd_error(ctx->d, at(ctx, key), "%s", vd_scenario_no_request(def, i));
  if (i == VD_IN_GEAR)
    check_gear(ctx, key, &input->profile);
}

static void check_inputs_possible(const context *ctx, const char *prefix, const vd_inputs_def *in,
                                  const vd_vehicle_def *v) {
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    double low, high;
    vd_profile_range(&in->input[i].profile, &low, &high);
    if (vd_scenario_input_possible((enum vd_input)i, low, high, v))
      continue;
    const char *key = input_path(ctx, prefix, (enum vd_input)i);
    if (i == VD_IN_HANDBRAKE)
      vd_error(ctx->d, at(ctx, key), "a pulled handbrake needs a torque: brakes.handbrake_torque is 0");
    else if (i == VD_IN_PEDAL_FORCE)
      vd_error(ctx->d, at(ctx, key), "a force on the brake pedal needs vehicle.brakes.booster");
    else
      vd_error(ctx->d, at(ctx, key), "a held %s needs a motor: drivetrain.max_torque is 0", vd_input_table[i].key);
  }
}

static void check_inputs(const context *ctx, const char *prefix, vd_inputs_def *in, const vd_scenario_def *def) {
  check_families(ctx, prefix, in);
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    check_input(ctx, prefix, (enum vd_input)i, &in->input[i], def);
  check_inputs_possible(ctx, prefix, in, &def->vehicle);
}

static void check_names(const context *ctx, const vd_scenario_def *def) {
  unsigned level = (unsigned)def->run.level;
  bool wanted[VD_CHANNELS] = {false};
  for (size_t i = 0; i < def->log.channels.count; i++) {
    const char *pattern = def->log.channels.name[i];
    if (vd_channel_match(pattern, (enum vd_level)level, wanted) == 0)
      vd_scenario_no_channel(ctx, at_entry(ctx, "log", "channels", i), pattern, level);
  }
  for (size_t i = 0; i < def->metrics.sets.count; i++) {
    const char *set = def->metrics.sets.name[i], *known[VD_METRIC_SET_COUNT];
    for (size_t k = 0; k < VD_COUNT(known); k++)
      known[k] = vd_metric_sets[k]->key;
    if (!vd_metric_set_called(set))
      vd_error(ctx->d, at_entry(ctx, "metrics", "sets", i), "unknown set of metrics '%s'%s", set,
               vd_did_you_mean(ctx->arena, vd_suggest(set, known, VD_COUNT(known))));
  }
  if (!(def->metrics.options.from_speed < def->metrics.options.to_speed))
    vd_error(ctx->d, at(ctx, "metrics.from_speed"), "from_speed must be below to_speed");
  if (!(def->metrics.options.fit_from < def->metrics.options.fit_to))
    vd_error(ctx->d, at(ctx, "metrics.fit_from"), "fit_from must be below fit_to");
}

static void check_response(const context *ctx, vd_scenario_def *def) {
  static const char pattern[] = "a response has single channels, not patterns";
  vd_response_def *response = &def->response;
  const vd_names *outputs = &response->outputs;
  double interval = vd_scenario_row_interval(def);
  long rows = vd_scenario_steps(def) * vd_scenario_parts(def);
  if (vd_response_asked(response))
    vd_scenario_check_channel(ctx, at_key(ctx, "response", "input"), response->input, def->run.level, pattern);
  for (size_t i = 0; i < outputs->count; i++) {
    vd_place place = at_entry(ctx, "response", "outputs", i);
    size_t first = 0;
    while (strcmp(outputs->name[first], outputs->name[i]) != 0)
      first++;
    if (first < i)
      vd_error(ctx->d, place, "channel '%s' is listed twice", outputs->name[i]);
    else
      vd_scenario_check_channel(ctx, place, outputs->name[i], def->run.level, pattern);
  }
  vd_response_complete(response, interval, rows);
  vd_response_check(response, interval, rows, ctx->root, "response", ctx->d);
}

static void check_balance(const context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def) {
  vd_ground ground;
  vd_load_balance balance;
  vd_ground_build(&def->ground, &ground);
  vd_load_balance_build(vehicle, ground.weight, def->run.lean, &balance);
  if (!vd_load_balance_stable(&balance))
    vd_error(ctx->d, at(ctx, "vehicle.cg_height"),
             "the springs are too soft for this height: the body would fall over by its own weight");
}

static void check_wind(const context *ctx, const vd_scenario_def *def) {
  const vd_wind_def *wind = def->wind.item;
  if (def->wind.count > 1)
    vd_error(ctx->d, at(ctx, "wind"),
             "only one wind is possible; the inputs wind_x and wind_y give a wind that changes over time");
  else if (def->wind.count == 1 && wind->x_from >= wind->x_to) /* false if a limit is NAN */
    vd_error(ctx->d, at(ctx, "wind"), "x_to (%g m) must lie above x_from (%g m)", wind->x_to, wind->x_from);
  if (vd_profile_is_given(&def->inputs.input[VD_IN_DRAWBAR].profile) && isnan(def->vehicle.hitch.at[0]))
    vd_error(ctx->d, at(ctx, "drawbar"), "a drawbar pulls at vehicle.hitch, whose place is not given");
}

/* Refuses grounds with heights at the planar levels, which use only the plane of grade and bank. */
static void check_ground(const context *ctx, const vd_scenario_def *def) {
  const vd_ground_def *ground = &def->ground;
  int type;
  enum vd_surface known = vd_level_surfaces[def->run.level], surface = vd_ground_surface(ground, &type);
  const char *level = vd_level_names[def->run.level], *needed = vd_level_names[vd_level_for(surface)];
  bool further = ground->also.count > 0;
  if (known >= surface)
    return;
  if (known > VD_SURFACE_PLANE)
    vd_error(ctx->d, at(ctx, further ? "ground.also" : "ground.type"),
             "the car of level %s does not turn over; ground '%s' needs %s or above", level, vd_ground_type_names[type],
             needed);
  else if (further)
    vd_error(ctx->d, at(ctx, "ground.also"), "at level %s the ground is a plane; several grounds need %s or above",
             level, needed);
  else
    vd_error(ctx->d, at(ctx, "ground.type"), "at level %s the ground is a plane; ground '%s' needs %s or above", level,
             vd_ground_type_names[type], needed);
}

static double named_speed(const vd_scenario_def *def) {
  double fastest = fabs(def->initial.speed), low, high;
  for (size_t i = 0; i <= def->events.count; i++) {
    vd_profile_range(&vd_scenario_inputs(def, i)->input[VD_IN_SPEED].profile, &low, &high);
    fastest = vd_max(fastest, vd_max(-low, high));
  }
  return fastest;
}

/* Checks that steps sample the waves of the road at the speed of the car. */
static void check_waves(const context *ctx, const vd_scenario_def *def) {
  double speed = named_speed(def);
  for (size_t i = 0; i <= def->ground.also.count; i++) {
    const char *key;
    double wave = vd_ground_shortest_wave(&def->ground, i, &key);
    const char *path = i == 0 ? "ground" : vd_arena_printf(ctx->arena, "ground.also.%zu", i - 1);
    if (speed > 0.0 && wave < INFINITY)
      vd_sampling_check((vd_sampling){vd_run_stable_step(&def->run), vd_scenario_row_interval(def), "a step", true},
                        vd_arena_printf(ctx->arena, "waves of %.4g m at %.4g m/s", wave, speed), speed / wave,
                        at_key(ctx, path, key), ctx->d);
  }
}

static bool has_input(const vd_inputs_def *in) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_profile_is_given(&in->input[i].profile))
      return true;
  return false;
}

static vd_place at_event(const context *ctx, size_t index, const char *key) {
  return at(ctx, vd_arena_printf(ctx->arena, "events.%zu%s%s", index, *key ? "." : "", key));
}

/* Refuses a number that is still auto; later checks then see 0. */
static void check_found(const context *ctx, const char *key, double *number) {
  if (!isnan(*number))
    return;
  vd_error(ctx->d, at(ctx, key), "'%s' is auto: give a number, or a rule that finds it under the key 'auto'", key);
  *number = 0.0;
}

/* Checks an event. waited: the next event has in_turn and waits for this one. */
static void check_event(const context *ctx, const vd_scenario_def *def, size_t index, vd_event_def *event,
                        bool waited) {
  const char *lateral = vd_scenario_lateral_key(&event->inputs);
  if (!event->follow_path && !event->end && !waited && !has_input(&event->inputs))
    vd_error(ctx->d, at_event(ctx, index, ""),
             "the event has no effect: it needs an input, follow_path or end, or a following event with in_turn");
  if (event->follow_path && def->path.type == VD_PATH_NONE)
    vd_error(ctx->d, at_event(ctx, index, "follow_path"), "there is no path to follow");
  if (event->follow_path && lateral)
    vd_error(ctx->d, at_event(ctx, index, lateral), "%s and follow_path exclude each other", lateral);
  if (event->when == VD_EVENT_TIME)
    check_found(ctx, vd_arena_printf(ctx->arena, "events.%zu.time", index), &event->time);
  check_inputs(ctx, vd_arena_printf(ctx->arena, "events.%zu.", index), &event->inputs, def);
  if (vd_event_crosses(event->when))
    vd_scenario_check_channel(ctx, at_event(ctx, index, "channel"), event->channel, def->run.level,
                              "an event waits for one channel, not for a pattern");
}

static void check_events(const context *ctx, vd_scenario_def *def) {
  vd_event_def *event = def->events.item;
  size_t count = def->events.count;
  if (count > VD_EVENTS)
    vd_error(ctx->d, at(ctx, "events"), "%zu events; at most %d", count, (int)VD_EVENTS);
  for (size_t i = 0; i < count; i++)
    check_event(ctx, def, i, &event[i], i + 1 < count && event[i + 1].in_turn);
}

/* Warns of a path that is never followed. */
static void check_followed(const context *ctx, const vd_scenario_def *def) {
  const char *lateral = vd_scenario_lateral_key(&def->inputs);
  const vd_event_def *event = def->events.item;
  bool followed = !lateral, driven = false;
  for (size_t i = 0; i < def->events.count; i++)
    followed |= event[i].follow_path;
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    driven |= vd_input_table[i].longitudinal && vd_profile_is_given(&def->inputs.input[i].profile);
  if (def->path.type != VD_PATH_NONE && !followed)
    vd_warning(ctx->d, at(ctx, "path"), "the path is not followed: %s is given, and no event has follow_path", lateral);
  const char *key = def->path.speeds.count > 0 ? "path.speeds" : "path_speed";
  if (vd_scenario_path_has_speeds(def) && !driven && !vd_scenario_has_motor(&def->vehicle))
    vd_error(ctx->d, at(ctx, key), "the path's speeds need a motor: drivetrain.max_torque is 0");
}

static void check_driver(const context *ctx, const vd_scenario_def *def) {
  const vd_driver_def *driver = &def->driver;
  double steps = driver->period / def->run.step, delay = driver->delay + def->vehicle.steering.dead_time;
  if (!vd_scenario_steers(def))
    return;
  if (!(vd_scenario_is_integer(steps) && steps >= 0.5))
    vd_error(ctx->d, at(ctx, vd_tree_find(ctx->root, "driver.period") ? "driver.period" : "run.step"),
             "the driver's period (%g s) is not a whole number of steps (%g s)", driver->period, def->run.step);
  if (driver->type == VD_DRIVER_PLANNER && !vd_path_has_cones((enum vd_path_type)def->path.type))
    vd_error(ctx->d, at(ctx, "driver.type"), "a planner drives between cones: the path must be %s",
             "iso3888_1, iso3888_2 or slalom");
  if (driver->type == VD_DRIVER_PLANNER && def->run.level < VD_L2)
    vd_error(ctx->d, at(ctx, "driver.type"), "a planner needs a car with four tyres: level L2 or above");
  if (!(delay / driver->period < VD_DRIVER_RING - 2))
    vd_error(ctx->d, at(ctx, "driver.period"),
             "the driver's delay and the steering's dead time (%g s) are more than %d periods (%g s)", delay,
             VD_DRIVER_RING - 2, driver->period);
}

static void check_lag(const context *ctx, const vd_scenario_def *def) {
  double lag = def->vehicle.steering.lag, step = vd_run_stable_step(&def->run);
  if (lag > 0.0 && !(lag >= step))
    vd_error(ctx->d, at(ctx, "vehicle.steering.lag"), "a lag below the step (%g s) cannot be integrated", step);
}

/* True if the level uses linkages; it then needs a linkage for each wheel. */
static bool uses_linkages(const vd_scenario_def *def) {
  return def->run.level == VD_L4 || (def->run.level == VD_L5 && def->run.unsprung == VD_UNSPRUNG_LINKAGE) ||
         (def->run.level == VD_L3 && vd_vehicle_has_tables(&def->vehicle));
}

/* Refuses a column or rear steering at levels that cannot use them, and inputs that need a missing column. */
static void check_column(const context *ctx, const vd_scenario_def *def) {
  const vd_steering_def *s = &def->vehicle.steering;
  bool column = s->column.count > 0, torque = false;
  for (size_t i = 0; i <= def->events.count; i++)
    torque |= vd_profile_is_given(&vd_scenario_inputs(def, i)->input[VD_IN_STEERING_TORQUE].profile);
  if (torque && (!column || def->run.level < VD_L1))
    vd_error(ctx->d, at(ctx, "steering_torque"), "%s",
             column ? "at level L0 a steering torque has no effect, because there are no tyre forces"
                    : "a steering torque turns a column: the vehicle has no 'steering.column'");
  if (s->rear.count > 0 && def->run.level == VD_L0)
    vd_error(ctx->d, at(ctx, "vehicle.steering.rear"), "the single-track model of level L0 has only front steering");
}

/* Checks that a fixed step resolves the motion of the column. The stiffness that the tyres give the column is
 * estimated: a lateral force equal to the static load at 0.1 rad, acting at the trail. For any tyre this estimate is
 * right within a small factor. */
static void check_column_step(const context *ctx, const vd_scenario_def *def) {
  const double bound = 2.5;
  vd_steering steering;
  vd_steering_build(&def->vehicle.steering, &steering);
  double load = def->vehicle.mass * VD_GRAVITY, trail = fabs(def->vehicle.steering.trail) + 0.05;
  double rate = vd_steering_rate(&steering, 10.0 * load * trail), step = vd_run_stable_step(&def->run);
  if (rate * step > bound)
    vd_error(ctx->d, at(ctx, "run.step"), "the steering column needs a step of at most %.2g s, not %g s", bound / rate,
             step);
}

/* Checks that the tyres of an axle at L1 can share one deflection state. The state is a slip for tyres with relaxation
 * lengths, and a length for tyres with bristles. */
static void check_pairs(const context *ctx, const vd_scenario_def *def) {
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_axle_def *axle = &def->vehicle.axle[i];
    if (def->run.level == VD_L1 && def->run.slip == VD_SLIP_TRANSIENT &&
        vd_axle_tyre(axle, false)->common.transient != vd_axle_tyre(axle, true)->common.transient)
      vd_error(ctx->d, at_axle(ctx, i, "right_tyre"),
               "at L1 both tyres of an axle must be of the same kind of 'transient'");
  }
}

/* True if a set of metrics is requested; *place: its index in the list. */
static bool asks_for(const vd_scenario_def *def, const char *set, size_t *place) {
  const vd_names *sets = &def->metrics.sets;
  for (*place = 0; *place < sets->count && strcmp(sets->name[*place], set) != 0;)
    ++*place;
  return *place < sets->count;
}

/* Checks keys that exist only for the free body, and keys that do not exist for it. */
static void check_free_body(const context *ctx, const vd_scenario_def *def) {
  bool free_body = def->run.level == VD_L5;
  size_t modes;
  const struct {
    const char *key;
    double value;
  } only[] = {
      {"initial.z", def->initial.z}, {"initial.pitch", def->initial.pitch}, {"initial.roll", def->initial.roll}};
  for (size_t i = 0; i < VD_COUNT(only); i++)
    if (!free_body && !isnan(only[i].value))
      vd_error(ctx->d, at(ctx, only[i].key), "only a car of level L5 can start at any place and attitude");
  if (def->run.capped_contact && (!free_body || def->run.unsprung != VD_UNSPRUNG_HUB))
    vd_error(ctx->d, at(ctx, "run.capped_contact"), "only hubs (level L5, unsprung: hub) have a capped contact");
  if (!free_body)
    return;
  if (!def->run.lean)
    vd_error(ctx->d, at(ctx, "run.lean"), "at L5 the load transfer always contains the weight of the leaning body");
  if (def->kind == VD_SCENARIO_FOUR_POST)
    vd_error(ctx->d, at(ctx, "run.level"), "a four-post rig holds the body of level L3 or L4");
  if (vd_scenario_has_stiff_links(def) && asks_for(def, "modes", &modes))
    vd_error(ctx->d, at_entry(ctx, "metrics", "sets", modes), "modes cannot be computed with 'links: stiff'");
}

static void check_links(const context *ctx, vd_scenario_def *def) {
  const double stiffness = 1e8; /* N/m */
  if (!isnan(def->run.link_stiffness) && def->run.level == VD_L5 && !vd_scenario_has_stiff_links(def))
    vd_warning(ctx->d, at(ctx, "run.link_stiffness"),
               "the stiffness has no effect: only wheels on stiff links ('links: stiff', no hubs) use it; here the "
               "wheels are constrained to their paths");
  if (isnan(def->run.link_stiffness) && vd_scenario_has_stiff_links(def))
    def->run.link_stiffness = stiffness;
}

static void check_lift(const context *ctx, const vd_scenario_def *def) {
  size_t modes;
  if (def->initial.lift > 0.0 && asks_for(def, "modes", &modes))
    vd_error(ctx->d, at(ctx, "initial.lift"), "modes are computed for a vehicle that stands on the road");
  if (def->initial.lift > 0.0 && (def->run.level < VD_L3 || def->kind == VD_SCENARIO_FOUR_POST))
    vd_error(ctx->d, at(ctx, "initial.lift"), "only a vehicle of level L3 or above can start above the road");
}

/* Checks initial velocities: they are allowed if they are states of the level. */
static void check_motion(const context *ctx, const vd_scenario_def *def) {
  const struct {
    const char *key;
    double value;
    bool plane; /* the state is in the plane; otherwise it needs a body with roll and pitch */
  } motion[] = {{"initial.vy", def->initial.vy, true},
                {"initial.yaw_rate", def->initial.yaw_rate, true},
                {"initial.roll_rate", def->initial.roll_rate, false},
                {"initial.pitch_rate", def->initial.pitch_rate, false}};
  size_t modes;
  for (size_t i = 0; i < VD_COUNT(motion); i++) {
    if (motion[i].value == 0.0)
      continue;
    if (asks_for(def, "modes", &modes))
      vd_error(ctx->d, at(ctx, motion[i].key), "modes are computed for a vehicle that stands or drives straight ahead");
    if (def->kind == VD_SCENARIO_FOUR_POST)
      vd_error(ctx->d, at(ctx, motion[i].key), "on a four-post rig the vehicle starts at rest");
    else if (motion[i].plane && def->run.level < VD_L1)
      vd_error(ctx->d, at(ctx, motion[i].key),
               "at level L0 speed and steering determine the motion: the car does not slip");
    else if (!motion[i].plane && def->run.level < VD_L3)
      vd_error(ctx->d, at(ctx, motion[i].key),
               "only the body of level L3 or above has roll and pitch rates of its own");
  }
}

/* True if a profile changes only by jumps. */
static bool holds(const vd_profile *p) {
  double value;
  return vd_profile_is_constant(p, &value) || (p->type == VD_PROFILE_STEP && p->as.step.rise == 0.0) ||
         (p->type == VD_PROFILE_TABLE && p->as.table.interpolation == VD_INTERPOLATE_HOLD);
}

/* Checks the inputs of a road that is given from outside. If slopes are given, heights and slopes are values at the
 * present place of the wheel. */
static void check_road_input(const context *ctx, const char *key, const vd_scenario_def *def, const vd_inputs_def *in,
                             enum vd_input i) {
  bool slopes = false;
  for (int k = VD_IN_ROAD_SLOPE_X_FL; k <= VD_IN_ROAD_SLOPE_Y_RR; k++)
    slopes |= commands(in, (enum vd_input)k);
  if (vd_scenario_no_road(def, i))
    vd_error(ctx->d, at(ctx, key), "%s", vd_scenario_no_road(def, i));
  else if (slopes && !holds(&in->input[i].profile))
    vd_error(ctx->d, at(ctx, key),
             "the values of a road with slopes may change only by jumps: a constant, a step, or a table with "
             "'interpolation: hold'");
}

/* Checks the inputs against the kind of scenario. Returns whether a post moves. */
static bool check_post_inputs(const context *ctx, const char *prefix, const vd_scenario_def *def,
                              const vd_inputs_def *in) {
  bool moves = false, rig = def->kind == VD_SCENARIO_FOUR_POST;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    bool post = i >= VD_IN_POST_FL && i <= VD_IN_POST_RR;
    if (!commands(in, (enum vd_input)i))
      continue;
    moves |= post;
    const char *key = input_path(ctx, prefix, (enum vd_input)i);
    if (rig && !post)
      vd_error(ctx->d, at(ctx, key), "a four-post rig has no driver: only posts move");
    else if (!rig && post)
      vd_error(ctx->d, at(ctx, key), "there are posts only with 'kind: four_post'");
    else if (i >= VD_IN_ROAD_FL && i <= VD_IN_ROAD_SLOPE_Y_RR)
      check_road_input(ctx, key, def, in, (enum vd_input)i);
  }
  return moves;
}

/* Checks that on a four-post rig only the posts move and the car starts at rest, and that other scenarios have no
 * posts. */
static void check_posts(const context *ctx, const vd_scenario_def *def) {
  const vd_event_def *event = def->events.item;
  bool rig = def->kind == VD_SCENARIO_FOUR_POST, posts = check_post_inputs(ctx, "", def, &def->inputs);
  for (size_t i = 0; i < def->events.count; i++)
    posts |= check_post_inputs(ctx, vd_arena_printf(ctx->arena, "events.%zu.", i), def, &event[i].inputs);
  if (!rig)
    return;
  if (!posts)
    vd_error(ctx->d, at(ctx, "kind"), "a four-post rig needs a post that moves: post_fl, post_fr, post_rl or post_rr");
  if (def->run.level < VD_L3)
    vd_error(ctx->d, at(ctx, "run.level"), "a four-post rig needs level L3 or above");
  if (!vd_ground_is_flat(&def->ground))
    vd_error(ctx->d, at(ctx, "ground.type"), "a four-post rig has posts in place of a ground");
  if (def->initial.speed != 0.0)
    vd_error(ctx->d, at(ctx, "initial.speed"), "on a four-post rig the vehicle starts at rest");
  if (def->path.type != VD_PATH_NONE)
    vd_error(ctx->d, at(ctx, "path"), "a four-post rig has no driver who could follow a path");
}

/* Returns the name of the part that joins both wheels of an axle, for messages. */
static const char *joint_name(const vd_axle_def *axle) {
  return axle->map->linkage ? vd_linkage_type_names[axle->corner->points.type] : "kc";
}

/* Refuses exact linkages for axles with tables: tables describe the paths of the wheels, not the links that guide
 * them. */
static void check_tables(const context *ctx, const vd_scenario_def *def) {
  for (int a = 0; a < VD_AXLES && def->run.linkage == VD_MAP_EXACT; a++) {
    const vd_linkage_map *map = def->vehicle.axle[a].map;
    if (map && !map->linkage)
      vd_error(ctx->d, at_axle(ctx, a, "kc"), "wheels on tables have no linkage for 'run.linkage: exact'");
  }
}

/* Refuses options that need a separate path for each wheel, if an axle or a beam joins both wheels. */
static void check_joined(const context *ctx, const vd_scenario_def *def) {
  for (int a = 0; a < VD_AXLES; a++) {
    const vd_axle_def *axle = &def->vehicle.axle[a];
    if (!axle->map || !axle->map->joined)
      continue;
    const char *type = joint_name(axle);
    if (vd_scenario_has_stiff_links(def))
      vd_error(ctx->d, at(ctx, "run.links"),
               "stiff links hold each wheel on a path of its own, but '%s' joins both; use 'links: rigid'", type);
    if (def->run.compliance == VD_COMPLIANCE_NONLINEAR && !axle->corner)
      vd_error(ctx->d, at(ctx, "run.compliance"), "nonlinear compliance is for linkages, but '%s' joins both wheels",
               type);
  }
}

/* True if the wheels of L1 or L2 steer by the angles of tables. */
static bool steers_by_tables(const vd_scenario_def *def) {
  return def->run.level >= VD_L1 && def->run.level < VD_L3 && vd_vehicle_has_tables(&def->vehicle);
}

static void check_compliance(const context *ctx, const vd_scenario_def *def) {
  bool rigid[VD_AXLES];
  if (def->run.compliance == VD_COMPLIANCE_NONE)
    return;
  bool guided = uses_linkages(def) && !vd_scenario_has_stiff_links(def);
  if (def->run.level > VD_L4 && def->run.compliance == VD_COMPLIANCE_LINEAR)
    vd_error(ctx->d, at(ctx, "run.compliance"), "linear compliance is for level L4; use nonlinear at L5");
  else if (def->run.level > VD_L4 && !guided)
    vd_error(ctx->d, at(ctx, "run.compliance"), "at L5 nonlinear compliance is for 'unsprung: linkage' on rigid links");
  else if (steers_by_tables(def) && def->run.compliance == VD_COMPLIANCE_NONLINEAR)
    vd_error(ctx->d, at(ctx, "run.compliance"),
             "nonlinear compliance displaces the wheels, which this level cannot do; use linear");
  else if (!uses_linkages(def) && !steers_by_tables(def))
    vd_warning(ctx->d, at(ctx, "run.compliance"),
               "compliance has no effect: it is for level L4, and for tables from L1 on; the wheels of this level have "
               "none");
  if (!guided && !steers_by_tables(def))
    return;
  for (int a = 0; a < VD_AXLES; a++) {
    const vd_axle_def *axle = &def->vehicle.axle[a];
    rigid[a] = !axle->compliance || axle->map->linkage || !vd_wheel_compliance_given(axle->compliance);
    for (int k = 0; k < VD_COMPLIANCE_LOADS; k++)
      rigid[a] &= axle->angle_compliance[0][0].steer[k] == 0.0 && axle->angle_compliance[0][0].camber[k] == 0.0;
  }
  for (int a = 0; a < VD_AXLES; a++) {
    const vd_linkage_map *map = def->vehicle.axle[a].map;
    const char *remedy = map && !map->linkage ? "; the key 'compliance' beside 'tables' defines it" : "";
    if (rigid[VD_FRONT] && rigid[VD_REAR])
      vd_error(ctx->d, at(ctx, "run.compliance"), "the %s %s%s", vd_axle_names[a],
               *remedy ? "wheels' tables have no compliance" : "linkage has no bushings: all its joints are rigid",
               remedy);
    else if (rigid[a] && def->vehicle.axle[a].map->joined)
      vd_warning(ctx->d, at(ctx, "run.compliance"), "wheels on '%s' are not displaced in its bushings",
                 joint_name(&def->vehicle.axle[a]));
    else if (rigid[a])
      vd_warning(ctx->d, at(ctx, "run.compliance"), "the %s %s: its wheels have no compliance%s", vd_axle_names[a],
                 *remedy ? "axle's tables have no compliance" : "linkage has no bushings", remedy);
  }
}

/* Replaces older names of the compliance. Replaces auto by the vehicle's own choice, if the wheels follow tables at
 * this level, otherwise by none. */
static void choose_compliance(vd_scenario_def *def) {
  enum { AUTO = 2 * VD_COMPLIANCE_NONLINEAR + 1 };
  const vd_axle_def *axle = def->vehicle.axle;
  bool links = def->run.level > VD_L3 && (axle[VD_FRONT].corner || axle[VD_REAR].corner);
  bool follows = def->run.level >= VD_L1 && def->run.level <= VD_L4 && vd_vehicle_has_tables(&def->vehicle) && !links;
  if (def->run.compliance == AUTO)
    def->run.compliance = follows ? def->vehicle.compliance : VD_COMPLIANCE_NONE;
  else if (def->run.compliance > VD_COMPLIANCE_NONLINEAR)
    def->run.compliance -= VD_COMPLIANCE_NONLINEAR + 1;
}

static void check_link_bodies(const context *ctx, const vd_scenario_def *def) {
  bool stiff = vd_scenario_has_stiff_links(def);
  for (int a = 0; a < VD_AXLES && def->run.level >= VD_L4 && uses_linkages(def); a++) {
    const vd_axle_def *axle = &def->vehicle.axle[a];
    vd_place masses = at_axle(ctx, a, "link_masses");
    if (axle->link_masses == VD_LINKS_BODIES && !axle->corner)
      vd_error(ctx->d, masses, "only a linkage has bodies, not the tables of a wheel's path; use lumped");
    else if (axle->link_masses == VD_LINKS_BODIES && stiff)
      vd_error(ctx->d, masses,
               "stiff links carry wheels with their masses at their centres; use lumped, or 'links: rigid'");
    if (stiff && axle->corner && axle->corner->inboard_brakes)
      vd_error(ctx->d, at_axle(ctx, a, "linkage"), "wheels on stiff links have brakes on the knuckles, not inboard");
  }
}

bool vd_scenario_check(const vd_node *root, vd_arena *arena, vd_diag *d, vd_scenario_def *def) {
  const context *ctx = &(context){root, arena, d};
  if (def->kind == VD_SCENARIO_TYRE_RIG || def->kind == VD_SCENARIO_TRACK_CAR)
    vd_error(d, at(ctx, "kind"),
             "this is the file of a vehicle; a %s needs 'kind: %s' in its file or in a base of "
             "the file",
             vd_kinds[vd_scenario_kinds[def->kind]].name, vd_scenario_kind_names[def->kind]);
  check_found(ctx, "initial.speed", &def->initial.speed);
  if (*def->measured.table.file || vd_tree_find(root, "measured"))
    vd_measured_inputs_read(&def->measured, root, "measured", arena, d, &def->inputs);
  vd_vehicle_complete(&def->vehicle, root, "vehicle", arena, d);
  vd_scenario_join_controllers(ctx, def);
  choose_compliance(def);
  vd_vehicle_check(&def->vehicle, root, "vehicle", d);
  if (def->run.level >= VD_L3 && vd_diag_errors(d) == 0)
    vd_vehicle_check_ride(&def->vehicle, root, "vehicle", d);
  if ((uses_linkages(def) || steers_by_tables(def)) && vd_diag_errors(d) == 0)
    vd_vehicle_link(&def->vehicle, def->run.level < VD_L4, def->run.compliance == VD_COMPLIANCE_LINEAR,
                    def->run.compliance == VD_COMPLIANCE_NONLINEAR, root, "vehicle", arena, d);
  if (vd_diag_errors(d) == 0) {
    check_tables(ctx, def);
    check_joined(ctx, def);
    check_compliance(ctx, def);
  }
  check_link_bodies(ctx, def);
  vd_ground_complete(&def->ground, root, "ground", arena, d);
  vd_ground_check(&def->ground, root, "ground", d);
  vd_vehicle built, *vehicle = vd_diag_errors(d) == 0 ? &built : NULL;
  if (vehicle)
    vd_vehicle_build(&def->vehicle, vehicle);
  check_links(ctx, def);
  if (isnan(def->run.accuracy))
    def->run.accuracy = isnan(def->run.step) ? 1e-6 : 0.0;
  if (isnan(def->log.rate))
    def->log.rate = def->run.accuracy >= vd_step_rough && isnan(def->run.step) ? 50.0 : 100.0;
  if (isnan(def->run.step))
    def->run.step = vd_scenario_chosen_step(def, vehicle);
  if (vehicle) {
    check_ground(ctx, def);
    check_balance(ctx, vehicle, def);
  }
  vd_scenario_check_steps(ctx, vehicle, def);
  check_inputs(ctx, "", &def->inputs, def);
  check_waves(ctx, def);
  check_wind(ctx, def);
  check_events(ctx, def);
  vd_scenario_check_controllers(ctx, def);
  vd_path_complete(&def->path, root, "path", arena, d);
  check_followed(ctx, def);
  check_driver(ctx, def);
  check_lag(ctx, def);
  check_column(ctx, def);
  if (vd_diag_errors(d) == 0)
    check_column_step(ctx, def);
  check_posts(ctx, def);
  check_lift(ctx, def);
  check_motion(ctx, def);
  vd_scenario_check_prescribed(ctx, def);
  check_free_body(ctx, def);
  check_pairs(ctx, def);
  check_names(ctx, def);
  check_response(ctx, def);
  if (vd_diag_errors(d) == 0)
    vd_search_check(&def->search, &vd_scenario_schema, &def->metrics.sets, root, arena, d);
  if (vd_diag_errors(d) == 0)
    vd_condition_check(&def->conditions, &def->metrics.sets, root, arena, d);
  if (vd_diag_errors(d) > 0)
    return false;
  vd_scenario_check_path(ctx, def);
  vd_scenario_check_tyres(ctx, vehicle, def);
  return vd_diag_errors(d) == 0;
}
