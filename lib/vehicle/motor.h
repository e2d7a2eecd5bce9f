/* An electric motor with its inverter: the torque that it can deliver, and what it loses.
 *
 *   limit      a table over speed and voltage; or max_torque up to the base speed, and beyond it a power that is
 *              proportional to the voltage: the field is weakened so that the induced voltage stays below the supply
 *              voltage; the torque of the greatest current then falls with 1/speed
 *   motor      a table over speed, torque and voltage, or c0 + cT T^2 + c1 |w| + c3 |w|^3: copper, iron, windage
 *              (Larminie, Lowry, Electric Vehicle Technology Explained, 2003, chapter 7)
 *   inverter   i0 + i1 |P|, P: the electric power of the motor */
#ifndef VD_MOTOR_H
#define VD_MOTOR_H

#include "base/base.h"
#include "math/multilinear.h"

/* Place of a motor of a list. It drives an axle through an open differential, a wheel (VD_MOTOR_WHEEL + i: wheel i), or
 * the input of an engine's gearbox, after the clutch. */
enum vd_motor_at {
  VD_MOTOR_FRONT,
  VD_MOTOR_REAR,
  VD_MOTOR_WHEEL,
  VD_MOTOR_GEARBOX = VD_MOTOR_WHEEL + VD_WHEELS,
};

/* The electric side. */
typedef struct vd_motor_electric {
  double voltage;                           /* V, at which max_power is reached; NAN: max_power holds at any voltage */
  double constant, copper, iron, windage;   /* W, W/(N m)^2, W s/rad, W s3/rad3 */
  double inverter_constant, inverter_share; /* W, - */
  const vd_multilinear *loss_map;           /* W over speed, torque, voltage; NULL: none */
  const vd_multilinear *limit_map;          /* N m over speed, voltage; NULL: none */
} vd_motor_electric;

typedef struct vd_motor {
  int at;                    /* enum vd_motor_at */
  double max_torque;         /* N m */
  double max_power;          /* W; NAN: not limited */
  double ratio;              /* motor speed divided by the mean speed of its wheels, or by the speed of the gearbox's
                              * input */
  double inertia;            /* kg m2, on its own shaft; only behind elastic shafts */
  double stiffness, damping; /* N m/rad, N m s/rad: of the shafts between motor and wheels, at the wheels */
  vd_motor_electric electric;
} vd_motor;

/* Returns the greatest torque, N m, which is equal in both directions, at a speed (rad/s) and a voltage of the supply
 * (V). */
double vd_motor_limit(const vd_motor *m, double speed, double voltage);

/* Returns the loss of the motor, W, at a torque (N m), a speed (rad/s) and a voltage (V). *inverter: loss of its
 * inverter, W. */
double vd_motor_loss(const vd_motor *m, double torque, double speed, double voltage, double *inverter);

#endif
