/* Declarations that the files scenario*.c share. */
#ifndef VD_SCENARIO_IMPL_H
#define VD_SCENARIO_IMPL_H

#include "run/scenario.h"

/* Data that checks need for their messages. */
typedef struct vd_scenario_context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} vd_scenario_context;

/* Returns the inputs of the scenario (i = 0) or of event i - 1. */
static inline const vd_inputs_def *vd_scenario_inputs(const vd_scenario_def *def, size_t i) {
  return i == 0 ? &def->inputs : &((const vd_event_def *)def->events.item)[i - 1].inputs;
}

/* Returns the key of the lateral input that is given; NULL: none is given, and the driver follows the path, if there is
 * one. */
const char *vd_scenario_lateral_key(const vd_inputs_def *in);

/* True if the brake pressures at the wheels are states. */
static inline bool vd_scenario_has_pressures(const vd_scenario_def *def) {
  return def->vehicle.brakes.pressure.type == VD_PRESSURE_HYDRAULIC && def->run.level >= VD_L1;
}
/* Returns the reason why the car cannot have input i of valves, dampers or rear wheels; NULL: it can have the input, or
 * i is another kind of input. */
const char *vd_scenario_no_request(const vd_scenario_def *def, enum vd_input i);
/* Returns the reason why the scenario cannot have input i of the road under a single wheel; NULL: it can have the
 * input, or i is another kind of input. */
const char *vd_scenario_no_road(const vd_scenario_def *def, enum vd_input i);

/* vd_scenario_written: true if a controller writes one of the inputs from first to last. vd_scenario_displaced: true if
 * a controller writes input i, or an input that excludes input i. */
bool vd_scenario_written(const vd_scenario_def *def, enum vd_input first, enum vd_input last);
bool vd_scenario_displaced(const vd_scenario_def *def, enum vd_input i);

/* Puts the controllers of the vehicle and of the scenario into one list. */
void vd_scenario_join_controllers(const vd_scenario_context *ctx, vd_scenario_def *def);
/* Checks the controllers and reads their files. */
void vd_scenario_check_controllers(const vd_scenario_context *ctx, vd_scenario_def *def);
/* True if the periods and delays of all controllers are whole numbers of steps. */
bool vd_scenario_controllers_fit(const vd_scenario_def *def, double step);
bool vd_scenario_has_motor(const vd_vehicle_def *v);
/* Refuses a name or pattern that fits no channel of the level. */
void vd_scenario_no_channel(const vd_scenario_context *ctx, vd_place place, const char *pattern, unsigned level);
/* Refuses a name of a channel that the level does not have. pattern: message if the name contains wildcards. False
 * after an error. */
bool vd_scenario_check_channel(const vd_scenario_context *ctx, vd_place place, const char *name, int level,
                               const char *pattern);

bool vd_scenario_is_integer(double value);                    /* within 1e-6 */
bool vd_scenario_steers(const vd_scenario_def *def);          /* the driver steers at some time */
bool vd_scenario_has_stiff_links(const vd_scenario_def *def); /* L5 with wheels on stiff links */

/* Returns the step that `auto' chooses, s: the longest that accuracy, links and low floors of the slips allow. vehicle:
 * NULL if the vehicle has failed its checks, so that its figures cannot be used. */
double vd_scenario_chosen_step(const vd_scenario_def *def, const vd_vehicle *vehicle);

/* Checks prescribed motions, after the inputs were checked, and sets the initial state that they determine. */
void vd_scenario_check_prescribed(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Checks the step against duration, log and stiff parts, and sets the floors of the slips. vehicle: NULL if the vehicle
 * has failed its checks. */
void vd_scenario_check_steps(const vd_scenario_context *ctx, const vd_vehicle *vehicle, vd_scenario_def *def);

/* Builds the path. Sets the initial position of a car with 'start: on_path'; makes a remark if a car that follows the
 * path starts elsewhere. */
void vd_scenario_check_path(const vd_scenario_context *ctx, vd_scenario_def *def);

/* True if the path has speeds. */
static inline bool vd_scenario_path_has_speeds(const vd_scenario_def *def) {
  return def->path.speeds.count > 0 || def->path_speed.limit != VD_PATH_LIMIT_NONE;
}

/* Finds the limits of the car for speeds on its path, if the scenario requests them; the caller frees them. NULL: the
 * scenario requests none, or there was an error. */
typedef struct vd_grip_limits vd_grip_limits;
vd_grip_limits *vd_scenario_find_limits(const vd_scenario_context *ctx, const vd_scenario_def *def);
/* Stores in the built path the speeds that the limits allow. */
void vd_scenario_set_speeds(const vd_scenario_context *ctx, const vd_grip_limits *limits, vd_scenario_def *def);
/* Returns the share of the limits that the driver uses in turns at s, m. */
double vd_scenario_share_at(const vd_path_speed_def *grip, double s, const vd_path *path);

/* Makes the runs in which the driver learns the shares of the limits in turns. The scenario must have been checked. */
void vd_scenario_learn_shares(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Warns of forces that the scenario needs but its tyres do not have. */
void vd_scenario_check_tyres(const vd_scenario_context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def);

#endif
