/* One run in progress: a scenario, its model, the simulation at some instant, and the inputs that a caller sets from
 * outside.
 *
 * An input from outside is a table of the values that were set and their times; each value holds until the next.
 * Setting an input appends a point. Therefore a run that is driven from outside has the same steps and bits as a run
 * that reads the same table from a file. A time off the grid is a corner only if an input is set at it. Otherwise a
 * step is cut at this time only to show the instant; when the run continues, the whole step is made again. */
#ifndef VD_INSTANCE_H
#define VD_INSTANCE_H

#include "run/scenario.h"

/* The use of `back'. */
enum vd_instance_back {
  VD_BACK_NONE,
  VD_BACK_CUT, /* the step to the present instant was cut; the run continues from `back' */
  /* `back' is the present instant before its inputs changed; another change at this instant starts from it */
  VD_BACK_CORNER,
};

typedef struct vd_instance {
  const vd_scenario_def *def;
  long steps;  /* steps of the whole run */
  vd_sim sim;  /* the simulation at the present instant */
  vd_sim back; /* an earlier simulation, whose use `kept` states */
  enum vd_instance_back kept;
  bool driven;    /* inputs may be set from outside */
  bool unsettled; /* inputs that were set at the present instant are not yet in `sim' */
  /* the model has the state of acceleration control although the scenario does not need it */
  bool widened;
  vd_inputs_def outside;       /* inputs from outside; VD_PROFILE_NONE: an input was never set */
  bool set[VD_INPUT_KINDS];    /* inputs that were set at the present instant */
  size_t room[VD_INPUT_KINDS]; /* number of points for which memory is allocated */
  double *points[VD_INPUT_KINDS];
  vd_controls *controls; /* NULL: none */
  vd_model model;        /* must be the last member: it is not cleared before the model is built */
} vd_instance;

/* Builds the model and starts at t = 0. driven: inputs may be set from outside. Definition and instance must keep their
 * addresses; vd_instance_finish frees the memory. */
void vd_instance_start(vd_instance *in, const vd_scenario_def *def, bool driven);
void vd_instance_finish(vd_instance *in);
/* Sets the run back to t = 0, without inputs from outside. */
void vd_instance_restart(vd_instance *in);

/* True if an input can be set now. The input of acceleration needs a state of its own, which exists if the scenario
 * uses this input, or if it is set before the first step. */
bool vd_instance_allows(const vd_instance *in, enum vd_input i);
/* Sets an allowed input from the present instant on, to a value within vd_inputs_bounds. */
void vd_instance_set(vd_instance *in, enum vd_input i, double value);
/* Two functions restore a saved state. vd_instance_reserve allocates the given number of points of each input, and
 * makes the model with or without acceleration control. vd_instance_outside sets the table of an input; the caller
 * writes its points to in->points[i]. */
void vd_instance_reserve(vd_instance *in, const size_t *points, bool acceleration);
void vd_instance_outside(vd_instance *in, enum vd_input i, bool given, size_t points);

/* Transfers the inputs that were set at the present instant to the simulation. Required before the state of the
 * simulation is read. */
void vd_instance_apply_inputs(vd_instance *in);

/* True if the run has ended, by its duration, its lowest speed, an event or a failure. A lowest speed or an event ends
 * the run at its instant, which may be within a step: the last instant is then off the grid. A failure has no row. It
 * is detected at the end of the step in which a limit of the model is passed (overturned, out of reach, crushed,
 * struck). A state beyond the limit is not a result. */
bool vd_instance_has_ended(const vd_instance *in);
/* Makes one step, to the next instant of the grid. rows (NULL: none) receives the rows within it. */
void vd_instance_step(vd_instance *in, vd_sim_rows *rows);
/* Runs to the time t, which must be within the next step. */
void vd_instance_within(vd_instance *in, double t, vd_sim_rows *rows);

/* Computes all quantities of the present instant in the parts of the row that `view' selects. */
void vd_instance_row(vd_instance *in, unsigned view, vd_row *row);
/* True if the present instant is on the grid of steps. */
bool vd_instance_on_grid(const vd_instance *in);

/* Prepares a recorder at t = 0 before its first row: samples to keep, the car, its modes at the start. From this call
 * on the integration error is estimated. */
void vd_instance_prepare(vd_instance *in, vd_recorder *recorder);

/* Describes doubts about a run that has not failed. A doubt is a ledger residual above 1e-3, here or in the recorder
 * (NULL: none), which may have computed it at more instants; or a wheel load beyond the elastic map of its suspension.
 * The text is empty if there is no doubt. */
void vd_instance_doubt(const vd_instance *in, const vd_recorder *recorder, char *text, size_t size);

/* Describes why the run failed; the text is empty if it did not. */
void vd_instance_failure(const vd_instance *in, char *text, size_t size);

#endif
