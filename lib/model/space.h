/* What the log of a body in space shows (L3, L4, L5). */
#ifndef VD_SPACE_H
#define VD_SPACE_H

#include "model/frame.h"

/* From ISO 8855's angles, which turn about z, y, x in this order: q = q_yaw q_pitch q_roll. */
void vd_quaternion(double yaw, double pitch, double roll, double *q);
/* Back: roll and pitch of ISO 8855, yaw counted on from what it was; where the nose points straight up or down roll
 * and yaw are no longer two. */
void vd_show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw);
/* Kinetic energy of the sprung mass into e, its mass times its place into first_moment, times its velocity into
 * momentum. */
void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, double *first_moment, double *momentum);
/* Pose, what gravity does, contact points in the world. centre: of gravity, from O, and its velocity; body axes. */
void vd_observe_space(const vd_model *m, const vd_frame *f, const vd_state_vector *s, const double *centre,
                      const double *velocity, vd_eval *e);

#endif
