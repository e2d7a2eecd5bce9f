/* The steering as models compute with it: gear, steering axes of the front wheels, column with power assistance, rear
 * wheels. Angles and torques of the column are referred to the steering wheel. */
#ifndef VD_STEERING_H
#define VD_STEERING_H

#include "math/curve.h"

#include <stdbool.h>

/* The axis about which the left front wheel is steered; the right one's is its mirror image. */
typedef struct vd_kingpin {
  double axis[3]; /* unit, upward */
  double arm[3];  /* m, from the point where the axis meets the ground to the wheel centre, steered straight ahead */
} vd_kingpin;

/* Effect of the mean angle of the front wheels on a wheel, in axes of the car, the right wheel mirrored; slopes are by
 * the wheel's angle, which is the angle of its heading. */
typedef struct vd_kingpin_pose {
  double move[3], move_slope[3]; /* m, of the wheel centre from its place straight ahead; m/rad */
  double axle[3], axle_slope[3]; /* unit, to the left; 1/rad */
  double turn[3];                /* rad/rad, of the knuckle */
} vd_kingpin_pose;

/* Stick friction: a spring that slides at its limit (see vd_friction_rate). */
typedef struct vd_friction {
  double limit;     /* N m; 0: none */
  double stiffness; /* N m/rad */
} vd_friction;

typedef struct vd_column {
  bool given;
  double wheel_inertia, gear_inertia; /* kg m2: of the steering wheel; of all below the torsion bar */
  double stiffness, twist_damping;    /* N m/rad, N m s/rad: of the torsion bar and what is in series with it */
  double wheel_damping, gear_damping; /* N m s/rad, relative to the car */
  vd_friction wheel_friction, gear_friction;
} vd_column;

enum { VD_ASSIST_ROWS = 16 };

/* Torque of the assistance on the gear over that of the torsion bar, one curve for each speed. */
typedef struct vd_assist {
  int rows; /* 0: none */
  double speed[VD_ASSIST_ROWS];
  const vd_curve *torque; /* for torques >= 0; odd */
} vd_assist;

/* The mean angle of the rear wheels follows that of the front wheels with a lag. */
typedef struct vd_rear_steering {
  const vd_curve *gain; /* rear over front angle over the speed, m/s; NULL: not steered */
  double first, last;   /* m/s, of the curve: constant outside */
  double lag;           /* s */
} vd_rear_steering;

/* Without a column the mean road wheel angle d follows the commanded one after a dead time with a lag: lag d' = command
 * - d, with |d'| limited. */
typedef struct vd_steering {
  double ratio;               /* steering wheel angle per mean road wheel angle, straight ahead */
  const vd_curve *gear;       /* that ratio over the present one, over the steering wheel's angle >= 0; NULL: 1 */
  double max_angle;           /* rad, mean road wheel angle */
  double ackermann;           /* 0 parallel, 1 full Ackermann geometry */
  double lag;                 /* s; auto: none, 20 ms with a rate limit */
  double rate_limit;          /* rad/s of the mean road wheel angle; auto, kept as NAN: none */
  double dead_time;           /* s */
  double trail, scrub;        /* m: of the front contact points behind and outside of the steering axes */
  double inclination, caster; /* rad, of the axes: inward and back at their tops */
  vd_column column;
  vd_assist assist;
  vd_rear_steering rear;
} vd_steering;

/* Mean road wheel angle for an angle of the steering wheel, and its slope. */
double vd_steering_mean(const vd_steering *s, double wheel, double *slope);
/* The inverse. */
double vd_steering_wheel(const vd_steering *s, double mean, double *slope);

/* Torque of the assistance on the gear, N m. speed: m/s; torque: N m, of the torsion bar. slope (may be NULL): by the
 * torque. */
double vd_steering_assist(const vd_steering *s, double speed, double torque, double *slope);

/* Angle of the rear wheels over that of the front wheels. */
double vd_steering_rear_gain(const vd_steering *s, double speed);

/* Rate of the torque F of a friction whose parts turn at a speed v, rad/s:
 *
 *   F' = k (v - m x - slow x^5),   x = F/limit,   m = sqrt(v^2 + slow^2) - slow,   power lost: F (m x + slow x^5)
 *
 * For m = |v| and without the last term it is the element of Dahl with the exponent 1, which the friction of steerings
 * follows (the exponential spring of Pfeffer, Harrer and Johnston, 2008): after each turn the torque approaches the
 * limit over limit/k, whatever the speed. It stores F^2/(2 k). Here m is smooth, so that Runge-Kutta keeps its order
 * through reversals that it resolves, and 0 at rest; the last term keeps the torque from passing its limit at speeds
 * near slow = 0.005 rad/s. So at 0.01 rad/s 95 % of the limit are reached, and what holds a steering at rest creeps, a
 * torque of half of the limit in some minutes. */
double vd_friction_rate(const vd_friction *f, double speed, double torque);
double vd_friction_loss(const vd_friction *f, double speed, double torque);

/* Whether the steering axes are more than a trail. */
bool vd_steering_has_axes(const vd_steering *s);

/* The axis of the left front wheel; radius of the wheel: m. */
vd_kingpin vd_kingpin_make(const vd_steering *s, double radius);
/* State of the wheel at an angle of its heading, |angle| below a right angle. */
void vd_kingpin_at(const vd_kingpin *k, bool right, double angle, vd_kingpin_pose *out);

#endif
