/* Declarations that the files of the simulation share: trials of a step (sim_trial.c), and rows within an accepted one
 * (sim_rows.c). */
#ifndef VD_SIM_IMPL_H
#define VD_SIM_IMPL_H

#include "sim/sim.h"

/* An input corner this close to a grid point (in steps) counts as being on it. */
extern const double vd_corner_snap;

/* Lets controllers write their inputs, which start with the controllers' initial requests. */
void vd_sim_start_controls(vd_sim *sim);
/* The result of the controllers' decisions at the start of a step: nothing new acts, a request acts, a request jumps,
 * or a controller fails. */
enum vd_sim_news { VD_SIM_NO_NEWS, VD_SIM_REQUEST_ACTS, VD_SIM_REQUEST_JUMPS, VD_SIM_CONTROL_FAILED };
enum vd_sim_news vd_sim_control(vd_sim *sim, double t);

/* One Runge-Kutta step that may be accepted: its start, and its workspace in addition to the state. */
typedef struct vd_step_trial {
  const vd_model *model;
  const vd_state_vector *start;
  const double *rates; /* at the start */
  const vd_decay *decay;
  vd_command middle, end; /* in the middle and at the end; the command at the start is in the rates */
  double *mode;           /* modes of the trial; the starting values of the load loops are handed from stage to stage */
  vd_eval *eval;          /* after the trial: evaluation at the end of the step; the next trial needs only the rates */
  double k4[VD_STATES];
  bool closed;
} vd_step_trial;

/* Sets *c to the command at t. If the steering has not changed, which is frequent, the wheels' angles are copied from
 * the present command. `inside' is an instant between the same two corners of inputs. */
void vd_sim_command_at(const vd_sim *sim, double inside, double t, vd_command *c);

void vd_sim_fill_row(const vd_sim *sim, const vd_command *c, const vd_state_vector *s, const vd_eval *e, unsigned view,
                     vd_row *row);

/* Prepares a trial over [from, to], which has no input corner inside, from the present state. */
void vd_trial_prepare(const vd_sim *sim, double from, double to, double inside, vd_step_trial *trial);

/* Integrates over h; leaves the rates of the end in end_rates, and its evaluation in trial->eval. */
void vd_trial_make(vd_step_trial *trial, double h, vd_state_vector *end, double *end_rates);

/* Evaluates another state under the command at the end of the step: writes its rates and trial->eval. */
void vd_trial_evaluate(vd_step_trial *trial, vd_state_vector *at, double *rates);

static inline vd_step_ends vd_trial_ends(const vd_sim *sim, double h, const vd_state_vector *end,
                                         const double *end_rates) {
  return (vd_step_ends){.h = h,
                        .n = vd_model_states(sim->model),
                        .x0 = sim->state.x,
                        .rates0 = sim->rates,
                        .x1 = end->x,
                        .rates1 = end_rates};
}

/* A step, for rows within it. The caller sets `inside' (as for vd_sim_command_at), and `noted' to false. */
typedef struct vd_within {
  double from, inside;
  vd_dense dense;
  bool complete; /* the polynomial is of fourth order */
  bool noted;    /* the start of the step is stored, so that rows can be interpolated */
  bool led;      /* the step continues the previous one without a jump of the rates */
  bool by_steps; /* the polynomial is not good enough */
  int sought;    /* evaluations that the search of an instant took */
  /* length and rates at the start of the step before, if rows are computed from it and it is of the same interval
   * (advance); otherwise the length is 0 */
  double before, before_rates[VD_STATES];
  vd_smooth smooth;
} vd_within;

/* Notes the start of a step up to `end`, before a trial overwrites its evaluation. */
void vd_within_start(const vd_sim *sim, double from, double end, vd_sim_rows *rows, vd_within *in);

/* Prepares the interpolation of a step that starts at in->from, by a cubic. If its fastest spin decays by more than
 * max_decay within the step, rows are computed by shorter steps instead. */
void vd_within_begin(const vd_sim *sim, const vd_step_ends *step, double max_decay, vd_within *in);

/* Computes the state, rates and evaluation at a share of the step, by the polynomial or by a separate, shorter step. */
void vd_within_at(const vd_sim *sim, vd_within *in, double share, vd_step_trial *trial, vd_state_vector *at,
                  double *rates);

/* Computes the rows within the step that is about to be accepted. */
void vd_within_look(vd_sim *sim, const vd_step_trial *trial, const vd_step_ends *step, vd_within *in,
                    vd_sim_rows *rows);

#endif
