/* Quantities of a body in space for the log (L3, L4, L5). */
#ifndef VD_SPACE_H
#define VD_SPACE_H

#include "model/frame.h"

/* Makes a quaternion of ISO 8855's angles, which turn about z, y, x in this order: q = q_yaw q_pitch q_roll. */
void vd_quaternion(double yaw, double pitch, double roll, double *q);
/* The inverse: roll and pitch of ISO 8855, yaw counted on from its last value. Where the nose points straight up or
 * down, roll and yaw cannot be told apart. */
void vd_show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw);
/* Adds the sprung mass: its kinetic energy (into e), mass times place, mass times velocity. */
void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, double *first_moment, double *momentum);
/* Adds what axles have otherwise than masses at their wheels, by their shared mass (vd_ride_link): kinetic energy, and
 * if angular is given, angular momentum. at, speed: m, m/s, places and velocities of the masses. */
void vd_shared_energy(const vd_ride *ride, double (*at)[3], double (*speed)[3], vd_eval *e, double *angular);
/* Place and attitude of the body by the state: O in the world, ISO 8855 angles (L3, L4). */
void vd_observe_place(const vd_state_vector *s, vd_eval *e);
/* Contact points in the world, attitude relative to the plane through them. */
void vd_observe_lean(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Wheel centres and axles in body axes, as an evaluation has them, and then in the world. */
VD_INLINE void vd_show_wheels(vd_wide3 centre, vd_wide3 axle, vd_eval *e) {
  const vd_wide part[2][3] = {{centre.x, centre.y, centre.z}, {axle.x, axle.y, axle.z}};
  for (int k = 0; k < 3; k++) {
    vd_wide_store(part[0][k], e->log.wheel[k]);
    vd_wide_store(part[1][k], e->log.axle[k]);
  }
}
void vd_observe_wheels(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Observes, after vd_observe_lean, the effects of gravity, and the centre of gravity with its displacement from where
 * it was at design load (ex, ey). centre: m, m/s, centre of gravity from O, and its velocity; body axes. */
void vd_observe_masses(const vd_model *m, const vd_frame *f, const double *centre, const double *velocity, vd_eval *e);

#endif
