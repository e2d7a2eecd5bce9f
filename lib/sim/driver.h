/* Steering control: converts a curvature, a yaw rate, a lateral acceleration or a path to the mean road wheel angle.
 *
 * A driver decides at regular instants and moves the steering wheel at a constant rate from one decision to the next.
 * So the steering angle is known at the beginning of a step and does not depend on its stages. Delay, preview and noise
 * make the driver human; without them it is a controller.
 *
 *   path        kappa = kappa(s + v T) - e/l^2 - 2 zeta sin(chi)/l          l = max(v/w, 1.5 wheelbases)
 *               e: offset of the centre of gravity to the left; chi: course error of the rear axle, minus the course
 *               error of a car that follows the path. (Steering does not change the course of the rear axle
 *               immediately.) Both are predicted for the look-ahead T at the present yaw rate. If the car follows kappa
 *               without delay, small errors satisfy e'' + 2 zeta w e' + w^2 e = 0. Backwards chi has the opposite sign.
 *   curvature   delta = atan(kappa L) + U v^2 kappa + (L + U v^2) [P (kappa - r/v) + I integral(kappa - r/v)]
 *               U is the car's own understeer gradient at small lateral acceleration; the integral supplies the rest
 *               at large acceleration.
 *   yaw rate, lateral acceleration   kappa = r/v,  kappa = ay/v^2
 *
 * On a path with the limits of the car (vd_path_node.grip) the driver knows the car's slip angles over side force
 * (sim/known_car.h) and keeps to the limits:
 *   steering  delta = atan(kappa L) + a_f - a_r in place of U v^2 kappa, with the slip angles a_f and a_r of the front
 *             and the rear axle in a steady turn. kappa is the mean up to twice the look-ahead, which grows with the
 *             slip angles. The slip angle of the front wheels is at most the one of their greatest side force. The
 *             limit falls as the rear tyres slide, and is 0 from 1.1 times the slip of their peak on.
 *   pedals    the acceleration exceeds the acceleration of the path's speeds by at most drive sqrt(1 - u^2), an ellipse
 *             of friction with u = v^2 |kappa|/grip. Beyond u = 1, where the car must turn more than it can, it is
 *             lower by at least grip (u - 1)/2. If the car must turn more than the path, the driver
 *             brakes less than the path, by the same ellipse, unless he is faster than the path by 1 %.
 *             The pedals do not react to offsets of up to 0.3 m. If the rear tyres slide, both limits of the
 *             acceleration are reduced, as the front wheels' angle is. The 1.1, the half and the 1 % were chosen by
 *             trials with four cars on both tracks of validation/driven_laps.yaml and on the Shanghai circuit
 * A planner follows no path: he passes between its cones by a plan (sim/plan.h). */
#ifndef VD_DRIVER_H
#define VD_DRIVER_H

#include "sim/inputs.h"
#include "sim/plan.h"

enum vd_driver_type { VD_DRIVER_FOLLOWER, VD_DRIVER_PLANNER };

typedef struct vd_driver_def {
  int type;          /* enum vd_driver_type: how the driver steers for a path */
  double period;     /* s between two decisions, an integer number of steps */
  double delay;      /* s from the observation to the movement of the steering wheel, in addition to the period */
  double look_ahead; /* s; auto: delay, period, dead time and lag of the steering, and lag of the car's lateral
                      * acceleration at its speed */
  double bandwidth;  /* rad/s: w of the path law */
  double damping;    /* -: zeta */
  double noise;      /* rad, standard deviation of the noise of the road wheel angle, one sample per decision */
  int seed;
  double preview;    /* s, time that the plan of a planner covers */
  double wheel_rate; /* rad/s, greatest rate at which a planner turns the steering wheel */
  double margin;     /* m, distance that a planner keeps to cones */
} vd_driver_def;

extern const struct vd_schema vd_driver_schema;

enum { VD_DRIVER_RING = 1024, VD_DRIVER_SHARES = 33 };

/* A planner's model of the car, and his plan. */
typedef struct vd_planner {
  vd_known_car car;
  vd_plan plan;
  double slip[VD_AXLES]; /* rad, estimate of the tyres' slip angles at the latest decision */
} vd_planner;

/* Memory of a driver, which is copied with the state. */
typedef struct vd_driver {
  double ring[VD_DRIVER_RING];              /* rad, decisions; the latest at (count - 1) % VD_DRIVER_RING */
  double curvature_command[VD_DRIVER_RING]; /* 1/m, commanded curvatures of these decisions */
  long count;
  double since;                                /* s, instant of the latest decision */
  double from, to;                             /* rad, road wheel angle at that instant and one period later */
  double hand_from, hand_to;                   /* rad, like from and to, without the dead time of the steering */
  bool has_range;                              /* range limits the acceleration of the command */
  double range[2];                             /* m/s2 */
  double most[VD_AXLES];                       /* N, greatest side forces without downforce; 0: not known */
  double slip_for[VD_AXLES][VD_DRIVER_SHARES]; /* rad, slip angles at equal steps of side force up to its peak */
  double hold;                                 /* 0..1, 1: the rear tyres do not slide */
  double integral;                             /* 1/m, I times the integral of the curvature error */
  vd_planner planner;                          /* last, because it is large and only planners need it */
} vd_driver;

/* Starts with the road wheel angle `steer`. */
void vd_driver_start(double steer, vd_driver *d);

/* Makes a decision at the time of the command, for its lateral demand or for the path of the model. */
void vd_driver_decide(const vd_driver_def *def, const vd_model *m, const vd_command *c, const vd_state_vector *s,
                      const vd_eval *e, vd_driver *d);

/* Sets steer, its rate, and hand of the command at t, within a period of the latest decision. */
void vd_driver_steer(const vd_driver_def *def, const vd_driver *d, double t, vd_command *c);

/* Returns a sample of the normal distribution that depends on seed and index only, so that a run can be repeated from
 * any state. */
double vd_normal(int seed, long index);

#endif
