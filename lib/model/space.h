/* Quantities of a body in space for the log (L3, L4, L5). */
#ifndef VD_SPACE_H
#define VD_SPACE_H

#include "model/frame.h"

/* Makes a quaternion of ISO 8855's angles, which turn about z, y, x in this order: q = q_yaw q_pitch q_roll. */
void vd_quaternion(double yaw, double pitch, double roll, double *q);
/* The inverse: roll and pitch of ISO 8855, yaw counted on from its last value. Where the nose points straight up or
 * down, roll and yaw cannot be told apart. */
void vd_show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw);
/* Sums over all masses, body axes. */
typedef struct vd_mass_sums {
  double moment[3];   /* kg m, first, from O */
  double momentum[3]; /* kg m/s */
  double angular[3];  /* N m s, about O: what turns with the body at L5 alone */
} vd_mass_sums;

/* The wheels as masses, body axes. */
typedef struct vd_wheel_masses {
  const vd_wide3 *at, *speed; /* m, from O, and m/s, of the unsprung masses */
  const vd_wide3 *axle;       /* unit, to the left */
  double spin[VD_WHEELS];     /* rad/s, about it, relative to the world */
  const vd_wide *spring;      /* m, compression of the springs from the design position */
} vd_wheel_masses;

/* Starts the sums with the sprung mass, and writes its kinetic energy to e. */
void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, vd_mass_sums *sums);
void vd_add_mass_point(double mass, const double *at, const double *speed, vd_eval *e, vd_mass_sums *sums);
/* Adds the wheels, and writes all energies but that of gravity. Axles have otherwise than masses at their wheels by
 * their shared mass (vd_ride_link). Hubs have no masses of their own. */
void vd_observe_wheel_masses(const vd_model *m, const vd_wheel_masses *w, vd_eval *e, vd_mass_sums *sums);
/* Wheels on linkages: their angles, and the springs' compression. */
void vd_observe_linkages(const vd_model *m, const vd_wide3 *axle, const vd_wide *spring, vd_eval *e);
/* Place and attitude of the body by the state: O in the world, ISO 8855 angles (L3, L4). */
void vd_observe_place(const vd_state_vector *s, vd_eval *e);
/* Contact points in the world, attitude relative to the plane through them. */
void vd_observe_lean(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Wheel centres and axles in body axes, as an evaluation has them, and then in the world. */
VD_INLINE void vd_show_wheels(vd_wide3 centre, vd_wide3 axle, vd_eval *e) {
  vd_wide3_store(centre, e->log.wheel[0]);
  vd_wide3_store(axle, e->log.axle[0]);
}
void vd_observe_wheels(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Observes, after vd_observe_lean, the effects of gravity, the centre of gravity with its displacement from where it was
 * at design load (ex, ey), and the angular momentum about it. */
void vd_observe_masses(const vd_model *m, const vd_frame *f, const vd_mass_sums *sums, vd_eval *e);

#endif
