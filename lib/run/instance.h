/* One run in progress: a scenario, its model, the simulation at some instant, and the inputs that a caller sets from
 * outside.
 *
 * An input from outside is a table of the times and values at which it was set; each value stays until the next.
 * Setting it appends a point. So a run that is driven from outside and one that reads the same table from a file take
 * the same steps to the same bits. A time off the grid is a corner only if an input is set there. Otherwise the step is
 * cut there only to show that instant, and it is made again, whole, when the run goes on. */
#ifndef VD_INSTANCE_H
#define VD_INSTANCE_H

#include "run/scenario.h"

/* Purpose of `back`. */
enum vd_instance_back {
  VD_BACK_NONE,
  VD_BACK_CUT,    /* the run goes on from there: the step to the present instant is for show */
  VD_BACK_CORNER, /* the present instant before inputs changed: where they change once more, they do so there */
};

typedef struct vd_instance {
  const vd_scenario_def *def;
  long steps;  /* steps of the whole run */
  vd_sim sim;  /* at the present instant */
  vd_sim back; /* used by `kept` */
  enum vd_instance_back kept;
  bool driven;                 /* inputs may be set from outside */
  bool unsettled;              /* inputs were set at the present instant and are not yet in sim */
  bool widened;                /* the model has the state of acceleration control, which the scenario does not need */
  vd_inputs_def outside;       /* VD_PROFILE_NONE: never set */
  bool set[VD_INPUT_KINDS];    /* at the present instant */
  size_t room[VD_INPUT_KINDS]; /* points for which there is memory */
  double *points[VD_INPUT_KINDS];
  vd_model model; /* the last: it need not be cleared before it is built */
} vd_instance;

/* Builds the model and starts at t = 0. driven: inputs may be set. Definition and instance must keep their addresses;
 * vd_instance_finish frees the memory. */
void vd_instance_start(vd_instance *in, const vd_scenario_def *def, bool driven);
void vd_instance_finish(vd_instance *in);
/* Sets the run back to t = 0, without inputs from outside. */
void vd_instance_restart(vd_instance *in);

/* Whether an input can be set now: acceleration needs a state of its own, which exists if the scenario uses it or if it
 * is set before the first step. */
bool vd_instance_allows(const vd_instance *in, enum vd_input i);
/* Sets an input that is allowed from the present instant on, to a value within vd_inputs_bounds. */
void vd_instance_set(vd_instance *in, enum vd_input i, double value);
/* For restoring a state: memory for so many points of each input, and a model with or without acceleration control;
 * then the table of each input, whose points the caller writes to in->points[i]. */
void vd_instance_reserve(vd_instance *in, const size_t *points, bool acceleration);
void vd_instance_outside(vd_instance *in, enum vd_input i, bool given, size_t points);

/* Puts the inputs that were set at the present instant into the simulation; before its state is read. */
void vd_instance_apply_inputs(vd_instance *in);

/* Whether the run is at its end by its duration, its lowest speed, an event or a failure. Lowest speeds and events end
 * it at their instant, also within a step: the present instant is then off the grid, and the last one that is seen. A
 * failure has no row: it is found at the end of the step in which a limit of the model is passed (overturned, out of
 * reach, crushed, struck), and what lies behind the limit is no result. */
bool vd_instance_has_ended(const vd_instance *in);
/* Makes one step, to the next instant of the grid. rows (NULL: none): gets the rows within it. */
void vd_instance_step(vd_instance *in, vd_sim_rows *rows);
/* Runs to the time t within the step that follows. */
void vd_instance_within(vd_instance *in, double t, vd_sim_rows *rows);

/* All quantities of the present instant; brief: all but the channels with VD_CHANNEL_SEARCHED. */
void vd_instance_row(vd_instance *in, unsigned view, vd_row *row);
/* Whether the present instant is on the grid of steps. */
bool vd_instance_on_grid(const vd_instance *in);

/* Prepares, at t = 0 before the recorder's first row, samples to keep, the car, its modes at the start; the error of
 * the integration is estimated from then on. */
void vd_instance_prepare(vd_instance *in, vd_recorder *recorder);

/* Says what casts doubt on a run that has not failed: a ledger residual above 1e-3, here or in the recorder (NULL:
 * none), which may have seen more instants; or loads of a wheel beyond its elastic map. Empty if nothing does. */
void vd_instance_doubt(const vd_instance *in, const vd_recorder *recorder, char *text, size_t size);

/* Why the run failed; empty if it did not. */
void vd_instance_failure(const vd_instance *in, char *text, size_t size);

#endif
