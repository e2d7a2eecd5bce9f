/* The car as a test driver knows it: a nonlinear single track whose body leans.
 *
 *   m (vy' + v r) = Ff cos d + Fr      Iz r' = (a - tf) Ff cos d - (b + tr) Fr      F = F(alpha, e)
 *   sigma w' = v (S - (1 + |S|/K) w)   alpha = w/(1 - |w|/K)          (tyre/relax.h)
 *   Sf = d - atan((vy - e' + a r)/v) + kf e         Sr = -atan((vy - e' - b r)/v) + kr e
 *   e'' = -W^2 (e + G ay) - 2 D W e'
 *
 * m, Iz: mass and yaw inertia; v, vy, r: speed, lateral velocity and yaw rate; d: road wheel angle; a, b: distances of
 * the axles from the centre of gravity; F: side force of an axle, N; sigma, K: relaxation length and span
 * (tyre/relax.h); ay: lateral acceleration. e is the displacement of the centre of gravity to the left relative to the
 * wheels as the body rolls, from L3 on. W and G follow from springs, bars and tyres; the damping D = 0.35 is usual. k e
 * is the slip angle with the effect of the lean, by which the wheels turn and camber. F is 96 % of the side force of an
 * axle's tyres in steady turns at this S, with load transfer, camber, roll steer and compliance. Before the body leans,
 * the loads are even; the loss of side force by load transfer grows with (e/its steady value)^2. t is the trail of the
 * tyres at half of the slip angle `peak'. S is the slip angle of an axle; alpha, of its tyres, equals S unless the run
 * has transient slip. Beyond its greatest value F is constant. */
#ifndef VD_KNOWN_CAR_H
#define VD_KNOWN_CAR_H

#include "model/model.h"

enum { VD_KNOWN_POINTS = 65 };

typedef struct vd_known_car {
  double mass, inertia;     /* kg, kg m2 */
  double to_axle[VD_AXLES]; /* m, from the centre of gravity, both > 0 */
  double arm[VD_AXLES];     /* m, from the centre of gravity to the side forces, behind the middle of the contacts */
  double half_width, ahead, behind;        /* m, of the body from the centre of gravity */
  double force[VD_AXLES][VD_KNOWN_POINTS]; /* N, in steady turns, at slip angles i vd_known_step; never falling */
  double even[VD_AXLES][VD_KNOWN_POINTS];  /* N, without load transfer */
  double lean[VD_AXLES][VD_KNOWN_POINTS];  /* m, in a steady turn */
  double peak[VD_AXLES];               /* rad, slip angle at which the force has reached 99 % of its greatest value */
  double length[VD_AXLES];             /* m, relaxation length at small slip; 0: steady slip */
  double span[VD_AXLES];               /* K of tyre/relax.h */
  double lean_gain;                    /* G: m per m/s2 */
  double lean_frequency, lean_damping; /* rad/s, - */
  double lean_arm;                     /* m, lean per roll angle */
  double lean_slip[VD_AXLES];          /* rad/m, k: slip angle with the effect of the lean, per lean */
} vd_known_car;

extern const double vd_known_step; /* rad */

/* Sets *car from a model with two tracks, L2 or higher. */
void vd_known_car_build(const vd_model *m, vd_known_car *car);

/* Returns the slip angle of an axle's tyres after a time during which the axle's slip angle S is constant. slip: slip
 * angle of the tyres before this time. slope: derivatives by S and by this slip angle. */
double vd_known_slip(const vd_known_car *car, int axle, double vx, double time, double axle_slip, double slip,
                     double slope[2]);

/* Returns the side force of an axle (N, to the left > 0) at a slip angle and a lean. *slope: its derivative by the slip
 * angle, N/rad. */
double vd_known_force(const vd_known_car *car, int axle, double slip, double lean, double *slope);

#endif
