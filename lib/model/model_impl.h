/* Functions of the levels, shared by their files. */
#ifndef VD_MODEL_IMPL_H
#define VD_MODEL_IMPL_H

#include "model/model.h"

/* A function that computes the rates of a level. It returns false if the load loop did not converge, a linkage did not
 * close, or the angles of wheels under load were not found. The functions below are for: planar: L1 and L2; guided: L5
 * with wheels on rigid links; free: L5 with hubs and with stiff links. */
typedef bool vd_level_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                            double *dx);
vd_level_rates vd_kinematic_rates, vd_planar_rates, vd_fourteen_dof_rates, vd_multibody_rates, vd_guided_body_rates,
    vd_free_body_rates;

/* Keeps loads, their rates and slopes at L1 and L2 for the next evaluation, as modes. If the time has not changed, the
 * rates remain. */
void vd_planar_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode);

/* Returns the state variable of L0 for a forward speed at a steering angle. */
double vd_kinematic_momentum(const vd_model *m, const vd_command *c, double vx);
void vd_kinematic_observe(const vd_model *m, const vd_state_vector *s, vd_eval *e);

/* Build the lanes of every level, and compute quantities of L1 and L2 for the log. */
void vd_tracks_build(vd_model *m);
void vd_tracks_observe(const vd_model *m, vd_eval *e);

/* Builds the parts between body and road (L3, L4, L5). */
void vd_ride_build(vd_model *m);
/* Builds the linkages of the wheels (L4, L5). */
void vd_ride_link(vd_model *m);
/* Makes the inertia matrix of the sprung mass at its present place in the body, for accelerations of O and angular
 * accelerations. */
void vd_ride_body_matrix(vd_ride *ride);
/* Computes the tensor of inertia of the sprung mass about its own centre, kg m2. */
void vd_ride_tensor(const vd_ride *ride, double (*tensor)[3]);
/* Places the car on the road under the command; yaw: heading in world axes. */
void vd_ride_start(const vd_model *m, const vd_command *c, double x, double y, double yaw, vd_state_vector *s);

/* Converts a heading in the plane of the ground to the yaw of ISO 8855, continuous beyond half a turn. */
double vd_world_yaw(const vd_ground *g, double heading);

/* True if the car starts on the road in its position of rest instead of the design position or given coordinates. */
static inline bool vd_starts_at_rest(const vd_model *m, const vd_start *start) {
  return m->vehicle.settles && start->lift == 0.0 && isnan(start->z) && isnan(start->pitch) && isnan(start->roll);
}

/* Transforms velocities from axes of the road to those of the resting body. */
void vd_ride_align(const vd_model *m, const vd_command *c, vd_state_vector *s);

/* Computes the wheel centres and axles of a car without linkages, for the log. */
void vd_fourteen_dof_wheels(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e);
void vd_fourteen_dof_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e);

/* Builds the constants of L4, after vd_ride_build. */
void vd_multibody_build(vd_model *m);
/* Builds the wheels' bushings and the mounting of their brakes (L4, L5). */
void vd_elastic_build(vd_model *m);
void vd_multibody_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e);

/* Builds the constants of L5, after vd_ride_build. */
void vd_free_body_build(vd_model *m);
/* Starts attitude and wheels, after place, angles and velocities of the body were set in the state. */
void vd_free_body_start(const vd_model *m, const vd_command *c, vd_state_vector *s);
void vd_free_body_end_step(const vd_model *m, const vd_command *c, vd_state_vector *s);
void vd_free_body_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, unsigned view, vd_eval *e);

#endif
