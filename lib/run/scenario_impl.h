/* Shared by scenario_check.c, scenario_path.c, scenario_step.c, scenario_prescribed.c and
 * scenario_tyres.c. */
#ifndef VD_SCENARIO_IMPL_H
#define VD_SCENARIO_IMPL_H

#include "run/scenario.h"

/* What a check needs for its messages. */
typedef struct vd_scenario_context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} vd_scenario_context;

/* The inputs of the scenario (0), and of its events from 1 on. */
static inline const vd_inputs_def *vd_scenario_inputs(const vd_scenario_def *def, size_t i) {
  return i == 0 ? &def->inputs : &((const vd_event_def *)def->events.item)[i - 1].inputs;
}

bool vd_scenario_is_integer(double value);                    /* within 1e-6 */
bool vd_scenario_steers(const vd_scenario_def *def);          /* the driver is ever used */
bool vd_scenario_has_stiff_links(const vd_scenario_def *def); /* wheels at L5 on links that yield */

/* The step of 'auto', s: as long as accuracy, links and low floors of the slips allow. vehicle: NULL unless it has
 * passed its checks, so that its figures can be used. */
double vd_scenario_chosen_step(const vd_scenario_def *def, const vd_vehicle *vehicle);

/* Prescribed motions, after the check of the inputs; sets the initial state that they have. */
void vd_scenario_check_prescribed(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Checks of the step against duration, log and stiff parts; sets the floors of the slips. vehicle: NULL unless it has
 * passed its checks. */
void vd_scenario_check_steps(const vd_scenario_context *ctx, const vd_vehicle *vehicle, vd_scenario_def *def);

/* Builds the path, starts a car on it that is to start there, and says if one that follows it starts elsewhere. */
void vd_scenario_check_path(const vd_scenario_context *ctx, vd_scenario_def *def);

/* Warns of forces that the scenario needs and its tyres do not have. */
void vd_scenario_check_tyres(const vd_scenario_context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def);

#endif
