/* The loop: commands, Runge-Kutta steps on the grid t = i h, split where an input has a corner or a brake locks or lets
 * go. */
#ifndef VD_SIM_H
#define VD_SIM_H

#include "channel.h"
#include "profile.h"

/* Inputs over time, in the units that the models take. */
typedef struct vd_inputs {
  vd_profile steer; /* rad at the road wheels, after division by steer_ratio */
  double steer_ratio;
  vd_profile throttle, brake;
  vd_profile speed; /* VD_PROFILE_NONE: pedals */
} vd_inputs;

enum vd_sim_status {
  VD_SIM_OK,
  VD_SIM_BAD_STATE, /* a state is not finite */
  VD_SIM_NO_LOADS,  /* the loop of loads and forces did not close */
};

typedef struct vd_sim {
  const vd_model *model;
  const vd_inputs *inputs;
  long step; /* t = step h */
  vd_state_vector state;
  double energy0; /* J */
  /* at the present instant, from the side of the future */
  vd_command command;
  vd_eval eval;
  double rates[VD_STATES];
  /* failure */
  enum vd_sim_status status;
  int bad_state;   /* index into vd_state_table */
  double bad_time; /* s */
  /* counts, for people */
  long splits;    /* steps split at corners and brake events */
  long unsettled; /* steps in which a brake found no lasting mode */
} vd_sim;

/* Starts at t = 0. */
void vd_sim_start(vd_sim *sim, const vd_model *model, const vd_inputs *inputs, double x, double y, double yaw,
                  double speed);

/* One step of the grid. Does nothing but return the status once that is not VD_SIM_OK. */
enum vd_sim_status vd_sim_step(vd_sim *sim);

/* The present instant, complete. */
void vd_sim_row(vd_sim *sim, vd_row *row);

#endif
