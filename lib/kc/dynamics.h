/* Inverse dynamics of a corner in a given motion: the forces that its masses need at the wheel, the rack and the links.
 *
 * A wheel on a linkage of its own; the masses are those of linkage/corner_mass.h, without spring, damper and road.
 * A vertical force at the wheel centre and a force on the rack move it; the links' forces are those of rods with mass
 * at their joints with the knuckle. They follow by virtual work: while one constraint gives way by a metre, travel and
 * rack held, every mass moves as vd_linkage_release says, and the constraint's force does the work that inertia and
 * weight need.
 *
 * Beside it stands the reference system's open chain (vd_corner_lump): the whole corner as one body on the joint of its
 * driving link, by the recursive Newton-Euler algorithm of math/chain.h. */
#ifndef VD_KC_DYNAMICS_H
#define VD_KC_DYNAMICS_H

#include "kc/sweep.h"
#include "linkage/corner_mass.h"

/* Rates and accelerations of the inputs, m/s, m/s2; of a wheel that is not steered those of the rack are 0. */
typedef struct vd_kc_motion {
  double rate[VD_INPUTS], accel[VD_INPUTS];
} vd_kc_motion;

enum { VD_KC_CONSTRAINTS = 5 };

typedef struct vd_kc_dynamics {
  double mass[VD_INPUTS][VD_INPUTS]; /* kg */
  double velocity[VD_INPUTS];        /* N, what the rates need: centripetal and gyroscopic terms */
  double weight[VD_INPUTS];          /* N, of gravity on the input, > 0 along it */
  double force[VD_INPUTS];           /* N, on wheel and rack: mass accel + velocity - weight */
  /* N: of the knuckle's constraints, in the order of the linkage's joints: a rod's pull on the knuckle along it, or the
   * force of the chassis on the knuckle along the direction of a slide or plane. NAN where a rod stands on an arm */
  double constraint[VD_KC_CONSTRAINTS];
  double lump_mass, lump_force; /* kg, N: the open chain's, in the travel; NAN: there is none */
  double lump_torque;           /* N m at its joint */
} vd_kc_dynamics;

/* At a pose with its second derivatives. */
void vd_kc_dynamics_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *moved,
                       vd_kc_dynamics *out);

/* One period of a motion at a frequency, Hz, as CSV: the travel is a sine over its range, the rack a cosine over its
 * own, both ranges in m; rows: those of the travel's range. False, with a message in the report: masses are not known,
 * an axle joins the wheels, or a place cannot be reached. An inertia that is not known is estimated, and a message says
 * so. The caller must finish the report's messages. */
bool vd_kc_dynamics_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack, double frequency,
                          enum vd_digits digits, vd_buf *out, vd_kc_report *report);

#endif
