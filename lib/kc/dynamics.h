/* Inverse dynamics of a corner in a given motion: forces at the wheel, the rack and the links that its masses need.
 *
 * The wheel must have a linkage of its own. Masses are those of linkage/corner_mass.h; spring, damper and road do not
 * act. A vertical force at the wheel centre and a force on the rack move the corner; the forces of the links, which
 * have mass, are those at their joints with the knuckle. They follow by virtual work: if one constraint is lengthened
 * by a metre with travel and rack fixed, every mass moves as vd_linkage_release computes, and the constraint's force
 * does the work that inertia and weight need.
 *
 * For comparison there is the reference system's open chain (vd_corner_lump): the whole corner as one body on the joint
 * of its driving link, by the recursive Newton-Euler algorithm of math/chain.h. */
#ifndef VD_KC_DYNAMICS_H
#define VD_KC_DYNAMICS_H

#include "kc/sweep.h"
#include "linkage/corner_mass.h"

/* Rates and accelerations of the inputs, m/s, m/s2; 0 for the rack of a wheel that is not steered. */
typedef struct vd_kc_motion {
  double rate[VD_INPUTS], accel[VD_INPUTS];
} vd_kc_motion;

enum { VD_KC_CONSTRAINTS = 5 };

typedef struct vd_kc_dynamics {
  double mass[VD_INPUTS][VD_INPUTS]; /* kg */
  double velocity[VD_INPUTS];        /* N, due to the rates: centripetal and gyroscopic terms */
  double weight[VD_INPUTS];          /* N, of gravity on the input, > 0 in its positive direction */
  double force[VD_INPUTS];           /* N, on wheel and rack: mass accel + velocity - weight */
  /* N, force of each constraint on the knuckle, in the order of the linkage's joints: tension of a rod, or the force of
   * the chassis along the direction of a slide or plane. NAN for a rod whose inner end is on an arm */
  double constraint[VD_KC_CONSTRAINTS];
  double lump_mass, lump_force; /* kg, N: of the open chain, referred to the travel; NAN: there is none */
  double lump_torque;           /* N m at its joint */
} vd_kc_dynamics;

/* Computes the dynamics at a pose with its second derivatives. */
void vd_kc_dynamics_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *moved,
                       vd_kc_dynamics *out);

/* Writes one period of a motion at a frequency, Hz, as CSV. The travel is a sine over its range, the rack a cosine over
 * its range, both ranges in m; the number of rows is that of the travel's range. False, with a message in the report:
 * masses are not known, an axle joins the wheels, or a place cannot be reached. An inertia that is not known is
 * estimated, with a message. The caller must finish the report's messages. */
bool vd_kc_dynamics_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack, double frequency,
                          enum vd_digits digits, vd_buf *out, vd_kc_report *report);

#endif
