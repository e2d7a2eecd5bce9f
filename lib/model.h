/* The ladder of models. A model is const once built, a state is a plain array of doubles, and the rates are a pure
 * function of time, state and command: no warm start, nothing hidden, so a state can be copied, saved and stepped again
 * to the same bits. */
#ifndef VD_MODEL_H
#define VD_MODEL_H

#include "ground.h"
#include "loads.h"
#include "rk4.h"

#include <math.h>

enum vd_level { VD_L0, VD_L1, VD_L2 };

/* What the driver asks for at one instant; functions of time alone. */
typedef struct vd_command {
  double steer;           /* rad, mean road wheel angle */
  double steer_rate;      /* rad/s */
  double throttle, brake; /* 0..1; unused when a speed is held */
  double speed;           /* m/s, when hold_speed */
  bool hold_speed;
  /* from steer, by vd_command_lower: of each wheel (L1: lane) */
  double angle_rate[VD_WHEELS]; /* rad/s */
  double angle[VD_WHEELS], cos_angle[VD_WHEELS], sin_angle[VD_WHEELS];
} vd_command;

/* Planar models keep one lane per wheel (L2) or per axle (L1: both wheels of the axle in its middle). */
typedef struct vd_lanes {
  int count;                         /* 2 or 4 */
  double wheels;                     /* wheels in a lane: 2 or 1 */
  double tyre_share;                 /* of the lane's load on one tyre: 1/wheels */
  double x[VD_WHEELS], y[VD_WHEELS]; /* m from the centre of gravity */
  double radius[VD_WHEELS];          /* m */
  double inertia[VD_WHEELS];         /* kg m2, whole lane */
  double inverse_inertia[VD_WHEELS]; /* 1/(kg m2) */
  double rolling[VD_WHEELS];         /* m: rolling resistance x radius */
  double drive_share[VD_WHEELS];     /* of the wheel torque; sum 1 */
  double brake_share[VD_WHEELS];     /* of the brake torque; sum 1 */
  const vd_tyre *tyre[VD_WHEELS];
} vd_lanes;

typedef struct vd_model_options {
  enum vd_level level;
  double step;  /* s */
  bool lean;    /* weight of the leaning body in the load transfer */
  double v_low; /* m/s, floor of the speed in the slips; NAN: vd_model_v_low */
} vd_model_options;

typedef struct vd_model {
  vd_model_options options;
  vd_vehicle_def vehicle;
  vd_masses masses;
  vd_ground ground;
  vd_tyre tyre[VD_AXLES];
  vd_lanes lanes;
  vd_load_balance balance;
  /* load modes (loads.h) = base + aero vx|vx| + matrix sum, while no wheel lifts; [mode][sum] */
  double load_base[VD_WHEELS], load_aero[VD_WHEELS], load_matrix[VD_WHEELS][VD_LOAD_SUMS];
  double drag, downforce[VD_AXLES]; /* N per (m/s)^2: rho A c/2 */
  double rolling_mass;              /* kg: mass and wheel inertias on the radius */
  double drive_torque;              /* N m at the wheels, all together, full throttle */
  double drive_radius;              /* m, of the driven wheels */
} vd_model;

/* State: pose and rates, wheel spins, the speed controller, the work ledger; then modes, which are not integrated. */
enum vd_state {
  VD_S_ALONG,      /* m, in the ground's own axes */
  VD_S_ACROSS,     /* m */
  VD_S_YAW,        /* rad, about the normal */
  VD_S_VX,         /* m/s; L0: sqrt(2 x kinetic energy) with the sign of vx, J^0.5 */
  VD_S_VY,         /* m/s */
  VD_S_YAW_RATE,   /* rad/s */
  VD_S_SPEED_HOLD, /* N, integral part of the speed controller */
  VD_S_WORK_DRIVE, /* J */
  VD_S_WORK_BRAKE,
  VD_S_WORK_TYRE,
  VD_S_WORK_AERO,
  VD_S_WORK_ROLLING,
  VD_S_DISTANCE, /* m travelled, always growing */
  VD_S_SPIN,     /* rad/s, one per lane */
  VD_STATES = VD_S_SPIN + VD_WHEELS,
  /* direction in which a brake acts: -1, +1 turning; 0 locked. One per lane (L0: one in all) */
  VD_MODES = VD_WHEELS,
};

typedef struct vd_state_info {
  const char *name, *unit;
} vd_state_info;
extern const vd_state_info vd_state_table[VD_STATES];

typedef struct vd_state_vector {
  double x[VD_STATES];
  double mode[VD_MODES];
} vd_state_vector;

/* Everything an evaluation finds out, in the order in which it is computed. Wheel arrays are per wheel after
 * vd_model_observe; per lane before (L1). */
typedef struct vd_eval {
  /* from the command */
  double steer, steering_wheel;
  /* from the state */
  double vx, vy, yaw_rate;                             /* m/s, m/s, rad/s */
  double omega[VD_WHEELS];                             /* rad/s */
  double vx_contact[VD_WHEELS], vy_contact[VD_WHEELS]; /* m/s, of the contact point in contact axes */
  double kappa[VD_WHEELS], tan_alpha[VD_WHEELS];
  /* pedals, after the speed controller */
  double throttle, brake;
  double drive_torque[VD_WHEELS], brake_capacity[VD_WHEELS]; /* N m */
  /* from the load loop */
  double load[VD_WHEELS];              /* N */
  double fx[VD_WHEELS], fy[VD_WHEELS]; /* N, contact axes */
  double mz[VD_WHEELS], my[VD_WHEELS]; /* N m */
  double spin_torque[VD_WHEELS];       /* N m about the axle without the brake */
  double spin_accel[VD_WHEELS];        /* rad/s2 */
  double sum[VD_LOAD_SUMS];
  double residual; /* N, of the load loop */
  int passes;      /* of the load loop */
  /* body */
  double ax, ay;                    /* m/s2, of the centre of gravity in body axes, gravity's pull included */
  double pull_x, pull_y;            /* m/s2, gravity along the slope, body axes */
  double drag, downforce[VD_AXLES]; /* N */
  double yaw_accel;                 /* rad/s2 */

  /* by vd_model_observe, for the log */
  double x, y, z, roll, pitch, yaw;          /* m, rad: world pose, lean included */
  double alpha[VD_WHEELS], angle[VD_WHEELS]; /* rad */
  double mu_peak[VD_WHEELS], kappa_peak[VD_WHEELS], alpha_peak[VD_WHEELS], contact[VD_WHEELS];
  double brake_torque[VD_WHEELS]; /* N m, that acts */
  double body_roll, body_pitch, ey, ex, tipping;
  double sideslip;
  double speed_error;
  double specific_x, specific_y, specific_z;
  double energy_kinetic, energy_spin, energy_gravity, energy, work, ledger;
} vd_eval;

/* Builds the constants. The vehicle must have passed its checks. */
void vd_model_build(const vd_vehicle_def *vehicle, const vd_ground_def *ground, const vd_model_options *options,
                    vd_model *model);

/* The lowest v_low at which the step is stable with steady-state tyres. Below v_low tyres are dampers; the rates of what they
 * damp are, with tyre stiffnesses C and in axle sums,
 *   wheel spin C_kappa R^2/(I v),   side slip (Cf + Cr)/(m v),   yaw (a^2 Cf + b^2 Cr)/(Iz v),
 * and each times the step must stay below 2 (Runge-Kutta's own bound is 2.785). Stiffnesses are the greatest up to twice the
 * static load, on the ground's friction. */
double vd_model_v_low(const vd_vehicle_def *vehicle, double ground_friction, double step);

/* Initial state: position of the centre of gravity, heading, forward speed, wheels rolling freely. */
void vd_model_start(const vd_model *m, double x, double y, double yaw, double speed, double steer, vd_state_vector *s);

/* Wheel angles for the commanded mean angle. */
void vd_command_lower(const vd_model *m, vd_command *c);

/* Rates of the state. false: the load loop did not converge. */
bool vd_model_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                    double *dx);

/* Fills the log's part of an evaluation that vd_model_rates has just made. energy0: total energy at the start. */
void vd_model_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, double energy0, vd_eval *e);

/* Brakes stick and slip: one function per lane that is positive while the present mode holds and falls through zero
 * where it ends (wheel speed in its direction; spare brake torque of a locked wheel). INFINITY: no such end. */
void vd_model_guards(const vd_model *m, const vd_state_vector *s, const vd_eval *e, double *guard);

/* Decides the modes afresh at a state that lies on a guard or after a corner of the input: a braked wheel whose speed has
 * fallen to zero in its direction is stopped; stopped ones that their brakes cannot hold are let go. False: the load loop
 * did not close. */
bool vd_model_switch(const vd_model *m, const vd_command *c, vd_state_vector *s);

#endif
