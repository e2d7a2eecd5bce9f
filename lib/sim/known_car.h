/* The car as a test driver knows it: a nonlinear single track.
 *
 *   m (vy' + v r) = Ff cos d + Fr      Iz r' = a Ff cos d - b Fr      F = F(alpha)
 *   sigma w' = v (S - (1 + |S|/K) w)   alpha = w/(1 - |w|/K)          (tyre/relax.h)
 *   Sf = d - atan((vy + a r)/v)        Sr = -atan((vy - b r)/v)
 *
 * F are 95 % of the steady side forces of both upright tyres of an axle over a slip angle, with the load transfer of a
 * steady turn at these forces; camber and the motion of the body reduce the real ones. alpha is S unless the run has
 * transient slip. Beyond its greatest value F is constant. */
#ifndef VD_KNOWN_CAR_H
#define VD_KNOWN_CAR_H

#include "model/model.h"

enum { VD_KNOWN_POINTS = 65 };

typedef struct vd_known_car {
  double mass, inertia;                    /* kg, kg m2 */
  double to_axle[VD_AXLES];                /* m, from the centre of gravity, both > 0 */
  double half_width, ahead, behind;        /* m, of the body from the centre of gravity */
  double force[VD_AXLES][VD_KNOWN_POINTS]; /* N, at slip angles i vd_known_step; not falling */
  double peak[VD_AXLES];                   /* rad, slip angle from which on the force grows no more */
  double length[VD_AXLES];                 /* m, relaxation length at small slip; 0: steady slip */
  double span[VD_AXLES];                   /* K of tyre/relax.h */
} vd_known_car;

extern const double vd_known_step; /* rad */

/* Sets *car from a model with two tracks, L2 or higher. */
void vd_known_car_build(const vd_model *m, vd_known_car *car);

/* The slip angle of an axle's tyres after a time during which that of the axle, S, is constant. Its derivatives by both
 * may be NULL. */
double vd_known_slip(const vd_known_car *car, int axle, double vx, double time, double axle_slip, double slip,
                     double slope[2]);

/* Side force of an axle (N, to the left > 0) at a slip angle, and its slope, N/rad. */
double vd_known_force(const vd_known_car *car, int axle, double slip, double *slope);

#endif
