/* The car as a test driver knows it: a nonlinear single track.
 *
 *   m (vy' + v r) = Ff cos d + Fr      Iz r' = a Ff cos d - b Fr      F = F(alpha)
 *   alpha' = (S - alpha) v/sigma       Sf = d - atan((vy + a r)/v)    Sr = -atan((vy - b r)/v)
 *
 * F are the steady side forces of both tyres of an axle over a slip angle, with the load transfer of a steady turn at
 * these forces (vd_load_wheels), upright. The slip angle alpha follows that of the axle, S, over the relaxation length
 * sigma if the run has transient slip. Beyond its greatest value F stays there. */
#ifndef VD_KNOWN_CAR_H
#define VD_KNOWN_CAR_H

#include "model/model.h"

enum { VD_KNOWN_POINTS = 65 };

typedef struct vd_known_car {
  double mass, inertia;               /* kg, kg m2 */
  double to_axle[VD_AXLES];           /* m, from the centre of gravity, both > 0 */
  double half_width, ahead, behind;   /* m, of the body from the centre of gravity */
  double force[VD_AXLES][VD_KNOWN_POINTS]; /* N, at slip angles i vd_known_step; not falling */
  double peak[VD_AXLES];              /* rad, slip angle from which on the force grows no more */
  double length[VD_AXLES];            /* m, relaxation length; 0: steady slip */
} vd_known_car;

extern const double vd_known_step; /* rad */

/* Gets to know a car of two tracks, L2 or higher. */
void vd_known_car_build(const vd_model *m, vd_known_car *car);

/* Side force of an axle (N, to the left > 0) at a slip angle, and its slope, N/rad. */
double vd_known_force(const vd_known_car *car, int axle, double slip, double *slope);

#endif
