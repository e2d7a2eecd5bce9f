/* Shared by scenario_check.c, scenario_path.c, scenario_step.c, scenario_prescribed.c and
 * scenario_tyres.c. */
#ifndef VD_SCENARIO_IMPL_H
#define VD_SCENARIO_IMPL_H

#include "run/scenario.h"

/* What checks need for their messages. */
typedef struct vd_scenario_context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} vd_scenario_context;

/* The inputs of the scenario (i = 0), and those of its events (i from 1 on). */
static inline const vd_inputs_def *vd_scenario_inputs(const vd_scenario_def *def, size_t i) {
  return i == 0 ? &def->inputs : &((const vd_event_def *)def->events.item)[i - 1].inputs;
}

/* The key of the lateral input that is given; NULL: none, so that a path, if there is one, is followed. */
const char *vd_scenario_lateral_key(const vd_inputs_def *in);

/* Whether the pressures at the wheels are states. */
static inline bool vd_scenario_has_pressures(const vd_scenario_def *def) {
  return def->vehicle.brakes.pressure.type == VD_PRESSURE_HYDRAULIC && def->run.level >= VD_L1;
}
/* Why the car cannot be given an input of valves, dampers or rear wheels; NULL: it can, or it is another input. */
const char *vd_scenario_no_request(const vd_scenario_def *def, enum vd_input i);
/* Why the scenario has no roads from outside under single wheels; NULL: it has, or it is another input. */
const char *vd_scenario_no_road(const vd_scenario_def *def, enum vd_input i);

/* Whether a controller writes one of these inputs, from first to last; below, whether it writes an input that is or
 * excludes this one. */
bool vd_scenario_written(const vd_scenario_def *def, enum vd_input first, enum vd_input last);
bool vd_scenario_displaced(const vd_scenario_def *def, enum vd_input i);

/* Puts the controllers of the vehicle and those of the scenario into one list. */
void vd_scenario_join_controllers(const vd_scenario_context *ctx, vd_scenario_def *def);
/* Checks controllers, and reads what they are. */
void vd_scenario_check_controllers(const vd_scenario_context *ctx, vd_scenario_def *def);
/* Whether their periods and delays are whole numbers of steps. */
bool vd_scenario_controllers_fit(const vd_scenario_def *def, double step);
bool vd_scenario_has_motor(const vd_vehicle_def *v);
/* Refuses a name or pattern that fits no channel of the level. */
void vd_scenario_no_channel(const vd_scenario_context *ctx, vd_place place, const char *pattern, unsigned level);
/* Refuses a name of a channel that the level does not have. pattern: the message for a name with wildcards. False after
 * an error. */
bool vd_scenario_check_channel(const vd_scenario_context *ctx, vd_place place, const char *name, int level,
                               const char *pattern);

bool vd_scenario_is_integer(double value);                    /* within 1e-6 */
bool vd_scenario_steers(const vd_scenario_def *def);          /* the driver steers at some time */
bool vd_scenario_has_stiff_links(const vd_scenario_def *def); /* L5 with wheels on stiff links */

/* The step that `auto' chooses, s: the longest that accuracy, links and low floors of the slips allow. vehicle: NULL if
 * it has failed its checks, so that its figures cannot be used. */
double vd_scenario_chosen_step(const vd_scenario_def *def, const vd_vehicle *vehicle);

/* Checks prescribed motions, after the inputs were checked, and sets the initial state that they determine. */
void vd_scenario_check_prescribed(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Checks the step against duration, log and stiff parts, and sets the floors of the slips. vehicle: NULL if it has
 * failed its checks. */
void vd_scenario_check_steps(const vd_scenario_context *ctx, const vd_vehicle *vehicle, vd_scenario_def *def);

/* Builds the path, sets the start of a car that is to start on it, and remarks that a car which follows it starts
 * elsewhere. */
void vd_scenario_check_path(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Whether places of the path have speeds. */
static inline bool vd_scenario_path_has_speeds(const vd_scenario_def *def) {
  return def->path.speeds.count > 0 || def->path_speed.limit != VD_PATH_LIMIT_NONE;
}

/* The limits of the car for speeds on its path, if the scenario wants them; the caller frees them. NULL: the scenario
 * wants none, or there was an error. */
typedef struct vd_grip_limits vd_grip_limits;
vd_grip_limits *vd_scenario_find_limits(const vd_scenario_context *ctx, const vd_scenario_def *def);
/* Gives the built path the speeds that the limits allow. */
void vd_scenario_set_speeds(const vd_scenario_context *ctx, const vd_grip_limits *limits, vd_scenario_def *def);
/* The share of the limits that the driver uses in turns. */
double vd_scenario_share_at(const vd_path_speed_def *grip, double s, const vd_path *path);

/* Makes the runs in which the driver learns these shares, of a scenario that is checked. */
void vd_scenario_learn_shares(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Warns of forces that the scenario needs but its tyres do not have. */
void vd_scenario_check_tyres(const vd_scenario_context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def);

#endif
