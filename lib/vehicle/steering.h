/* The steering in the form in which models use it: gear, steering axes of the front wheels, column with power
 * assistance, steering of the rear wheels. Angles and torques of the column are referred to the steering wheel. */
#ifndef VD_STEERING_H
#define VD_STEERING_H

#include "math/curve.h"

#include <stdbool.h>

/* The axis about which the left front wheel is steered. The right wheel has its mirror image. */
typedef struct vd_kingpin {
  double axis[3]; /* unit, upward */
  /* m, from the point where the axis meets the ground to the wheel centre, while the wheel points straight ahead */
  double arm[3];
} vd_kingpin;

/* Pose of a steered wheel in axes of the car, and its derivatives by the wheel's angle. This is the angle from straight
 * ahead to the heading of the wheel, to the left > 0. */
typedef struct vd_kingpin_pose {
  double move[3], move_slope[3]; /* m, displacement of the wheel centre from its place straight ahead; m/rad */
  double axle[3], axle_slope[3]; /* unit vector, to the left; 1/rad */
  double turn[3];                /* rad/rad, rotation vector of the knuckle per angle of the wheel */
} vd_kingpin_pose;

/* Friction with sticking: a spring that slides at its limit (see vd_friction_rate). */
typedef struct vd_friction {
  double limit;     /* N m; 0: none */
  double stiffness; /* N m/rad */
} vd_friction;

typedef struct vd_column {
  bool given;
  double wheel_inertia, gear_inertia; /* kg m2: of the steering wheel; of all parts below the torsion bar */
  double stiffness, twist_damping;    /* N m/rad, N m s/rad: of the torsion bar and parts in series with it */
  double wheel_damping, gear_damping; /* N m s/rad, relative to the car */
  vd_friction wheel_friction, gear_friction;
} vd_column;

enum { VD_ASSIST_ROWS = 16 };

/* Torque of the assistance on the gear as a function of the torque of the torsion bar, one curve for each speed. */
typedef struct vd_assist {
  int rows;                     /* 0: none */
  double speed[VD_ASSIST_ROWS]; /* m/s, rising */
  const vd_curve *torque;       /* N m over the magnitude of the bar's torque, for each speed; the sign is that of the
                                 * bar's torque */
} vd_assist;

/* The mean angle of the rear wheels follows the mean angle of the front wheels with a lag. */
typedef struct vd_rear_steering {
  /* ratio of rear to front angle as a function of the speed, m/s; NULL: the rear wheels are not steered */
  const vd_curve *gain;
  double lowest_speed, highest_speed; /* m/s, ends of the curve; the gain is constant outside */
  double lag;                         /* s */
} vd_rear_steering;

/* If no column is given, the mean road wheel angle d follows the commanded angle c, delayed by the dead time, with a
 * lag: lag d' = c - d, and |d'| is at most the rate limit. */
typedef struct vd_steering {
  double ratio; /* rad/rad, of steering wheel to mean road wheel angle, straight ahead */
  /* `ratio` divided by the present ratio, over the magnitude of the steering wheel's angle; NULL: 1 */
  const vd_curve *gear;
  double max_angle;           /* rad, mean road wheel angle */
  double ackermann;           /* 0 parallel, 1 full Ackermann geometry */
  double lag;                 /* s; auto: 0, or 20 ms if there is a rate limit */
  double rate_limit;          /* rad/s, of the mean road wheel angle; auto (NAN): none */
  double dead_time;           /* s */
  double trail, scrub;        /* m: distances of the front contact points behind and outside of the steering axes */
  double inclination, caster; /* rad: angles of the axes, with their tops inward and backward > 0 */
  vd_column column;
  vd_assist assist;
  vd_rear_steering rear;
} vd_steering;

/* Returns the mean road wheel angle for an angle of the steering wheel, and its slope. */
double vd_steering_mean(const vd_steering *s, double wheel, double *slope);
/* Returns the inverse of vd_steering_mean. */
double vd_steering_wheel(const vd_steering *s, double mean, double *slope);

/* Returns the torque of the assistance on the gear, N m. speed: m/s; torque: N m, of the torsion bar. *slope:
 * derivative by the torque; slope may be NULL. */
double vd_steering_assist(const vd_steering *s, double speed, double torque, double *slope);

/* Returns the ratio of the angle of the rear wheels to the angle of the front wheels. */
double vd_steering_rear_gain(const vd_steering *s, double speed);

/* Returns the rate of the torque F, N m, of a friction whose parts turn relative to each other at a speed v, rad/s:
 *
 *   F' = k (v - m x - slow x^5),   x = F/limit,   m = sqrt(v^2 + slow^2) - slow,   power dissipated: F (m x + slow x^5)
 *
 * With m = |v| and without the last term this is Dahl's model with the exponent 1, which describes the friction of
 * steering systems (the exponential spring of Pfeffer, Harrer and Johnston, 2008): after each reversal the torque
 * approaches the limit over the angle limit/k, at any speed. The spring stores F^2/(2 k). Here m is a smooth function
 * of v that is 0 at rest, so that Runge-Kutta keeps its order through a reversal that spans several steps; the last
 * term keeps the torque below its limit at speeds near `slow' (0.005 rad/s, steering.c). Two consequences: the torque
 * at a steady speed of 0.01 rad/s is 96 % of the limit; and a friction torque at rest decays: with limit/k = 1 deg it
 * falls from the limit to half of the limit in 13 s, and to a quarter in another 210 s. */
double vd_friction_rate(const vd_friction *f, double speed, double torque);
/* Returns the power that this friction dissipates, W. */
double vd_friction_loss(const vd_friction *f, double speed, double torque);

/* True if the steering axes have more than a trail: scrub radius, inclination or caster. */
bool vd_steering_has_axes(const vd_steering *s);

/* Makes the axis of the left front wheel. radius: m, of the wheel. */
vd_kingpin vd_kingpin_make(const vd_steering *s, double radius);
/* Computes the pose of the wheel at an angle of its heading, |angle| below 90 deg. */
void vd_kingpin_at(const vd_kingpin *k, bool right, double angle, vd_kingpin_pose *out);

#endif
