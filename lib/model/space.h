/* Quantities of a body in space for the log (L3, L4, L5). */
#ifndef VD_SPACE_H
#define VD_SPACE_H

#include "base/elementary.h"
#include "model/frame.h"

/* Makes a quaternion from ISO 8855 angles, which turn about z, y, x in this order: q = q_yaw q_pitch q_roll. */
void vd_quaternion(double yaw, double pitch, double roll, double *q);
/* Converts the attitude to roll and pitch of ISO 8855, and to a yaw that is continuous with its last value. If the car
 * points straight up or down, roll and yaw cannot be distinguished. */
void vd_show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw);
/* Sums over all masses, body axes. */
typedef struct vd_mass_sums {
  double moment[3];   /* kg m, first moment, from O */
  double momentum[3]; /* kg m/s */
  double angular[3];  /* N m s, about O; at L5 without the body's rotation, which is added separately */
} vd_mass_sums;

/* The wheels as masses, body axes. */
typedef struct vd_wheel_masses {
  const vd_wide3 *at, *speed; /* m, from O, and m/s, of the unsprung masses */
  const vd_wide3 *axle;       /* unit, to the left */
  double spin[VD_WHEELS];     /* rad/s, about the axle, relative to the world */
  const vd_wide *spring;      /* m, compression of the springs from the design position */
} vd_wheel_masses;

/* Starts the sums with the sprung mass, and writes its kinetic energy to e. */
void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, vd_mass_sums *sums);
void vd_add_mass_point(double mass, const double *at, const double *speed, vd_eval *e, vd_mass_sums *sums);
/* Computes the place and attitude of the body from the state: O in the world, ISO 8855 angles (L3, L4). */
void vd_observe_place(const vd_state_vector *s, vd_eval *e);
/* Computes the contact points in the world, and the attitude relative to the plane through them. */
void vd_observe_lean(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Write wheel centres and axles to e, in body axes, and transform them to the world. */
VD_INLINE void vd_show_wheels(vd_wide3 centre, vd_wide3 axle, vd_eval *e) {
  vd_wide3_store(centre, e->log.wheel[0]);
  vd_wide3_store(axle, e->log.axle[0]);
}
void vd_observe_wheels(const vd_frame *f, const vd_state_vector *s, vd_eval *e);
/* Computes, after vd_observe_lean, gravity's energy, the centre of gravity and its displacement from the design
 * position (ex, ey), and the angular momentum about it. */
void vd_observe_masses(const vd_model *m, const vd_frame *f, const vd_mass_sums *sums, vd_eval *e);

/* Changes the energy m (v_l^2 + v_r^2)/2 of masses at the wheels to that of an axle with the shared mass c, (m -
 * c)(v_l^2 + v_r^2)/2 + c v_l . v_r, which is smaller by c (v_l - v_r)^2/2. The angular momentum changes in the same
 * way. */
VD_INLINE void vd_take_shared(double mass, double (*at)[3], double (*speed)[3], vd_eval *e, vd_mass_sums *sums) {
  double apart[3], v[3], turn[3];
  vd_between(at[0], at[1], apart);
  vd_between(speed[0], speed[1], v);
  vd_cross(apart, v, turn);
  e->log.energy_kinetic -= 0.5 * mass * vd_dot(v, v);
  for (int j = 0; j < 3; j++)
    sums->angular[j] -= mass * turn[j];
}

VD_INLINE void vd_wheel_of(const vd_wide3 *v, int i, double *out) {
  out[0] = v->x[i];
  out[1] = v->y[i];
  out[2] = v->z[i];
}

/* Adds the wheels, and writes all energies except gravity's. The shared mass of axles (vd_ride_link) is taken into
 * account. Hubs have no masses of their own. */
VD_INLINE void vd_observe_wheel_masses(const vd_model *m, const vd_wheel_masses *w, vd_eval *e, vd_mass_sums *sums) {
  const vd_ride *ride = &m->ride;
  double at[VD_WHEELS][3], speed[VD_WHEELS][3];
  e->log.energy_spin = e->log.energy_spring = e->log.energy_tyre = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double *place = at[i], *v = speed[i], spin = w->spin[i];
    double axle[3];
    vd_wheel_of(w->axle, i, axle);
    vd_wheel_of(w->at, i, place);
    vd_wheel_of(w->speed, i, v);
    double across = e->motion.travel[i] - e->motion.travel[vd_other_side(i)];
    e->log.energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    for (int j = 0; j < 3; j++)
      sums->angular[j] += m->lanes.inertia[i] * spin * axle[j];
    e->log.energy_tyre += vd_ride_tyre_energy(m, i, vd_max(e->contact.deflection[i], 0.0));
    if (vd_on_hubs(&m->options))
      continue;
    vd_add_mass_point(ride->unsprung_mass[i], place, v, e, sums);
    e->log.energy_spring += vd_suspension_energy(&m->vehicle.axle[vd_axle_of(i)].suspension, (*w->spring)[i]) +
                            0.25 * ride->bar[vd_axle_of(i)] * across * across; /* half of the bar for each wheel */
  }
  for (int i = 0; i < VD_WHEELS && ride->link.joined; i += 2)
    vd_take_shared(ride->link.shared_mass[i], &at[i], &speed[i], e, sums);
}

/* Computes the angles of wheels on linkages, and the compression of the springs. */
VD_INLINE void vd_observe_linkages(const vd_model *m, const vd_wide3 *axle, const vd_wide *spring, vd_eval *e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    e->steering.angle[i] = vd_atan2(-axle->x[i], axle->y[i]);
    e->log.linkage_camber[i] = -vd_side_sign(i) * vd_asin(vd_max(-1.0, vd_min(1.0, axle->z[i])));
    e->log.compression[i] = m->vehicle.axle[vd_axle_of(i)].suspension.static_compression + (*spring)[i];
  }
}

#endif
