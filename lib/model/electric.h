/* Electric motors and their battery.
 *
 * In a hybrid, motors assist an engine. They act on wheels and axles, like the motors of a list, or on the input of the
 * gearbox, whose ratio then multiplies theirs. A motor's losses include those of its gears. The pedal sets a torque on
 * the wheels between that of the closed throttle and the greatest that engine and motors deliver together. The motors
 * deliver a share of this torque that depends on the charge. A share below 0 charges the battery, as far as the engine
 * can deliver that power as well. The motors also deliver what the engine cannot, for instance during a shift.
 *
 * A single electric motor drives through gears and differentials like an engine; the battery only delivers its power.
 * The torques of a list of motors act on their own wheels, directly or through elastic shafts:
 *
 *   J w' = T - S/n,   S = c theta + d theta',   theta' = w/n - mean speed of the wheels
 *
 * T: torque, J: inertia, n: ratio of the motor; S: torque on the wheels. At L0, which has no spins, shafts are rigid.
 *
 * Recuperation: torque of the motors in place of as much torque of the friction brakes, so that the deceleration does
 * not change. Its limits are the motors, the key `power', what the battery takes, a share that falls to zero at low
 * speed, and the anti-lock system: while it acts on any wheel, friction alone brakes.
 *
 * The battery delivers P = sum(T w + losses) + auxiliaries. Torques that bypass the motors (requests, levels Lc1 to
 * Lc3) take their mechanical power from it, without losses of motors. Tables over voltage are read at the open-circuit
 * voltage of the battery for losses, and at its voltage under load for limits. If these limits are exceeded, all
 * torques are reduced by a common factor, found by bisection. */
#ifndef VD_ELECTRIC_H
#define VD_ELECTRIC_H

#include "model/model.h"

/* Sets electric and motor_share of the model. */
void vd_electric_build(vd_model *m);

void vd_electric_start(const vd_model *m, vd_state_vector *s);

/* Sets ratio, speed and limit of e->electric, the limits at the voltage of the battery without current. gearbox: ratio
 * of the present gear, 0 in neutral and during shifts. Returns the sum of the torques on the wheels at these limits,
 * N m. */
double vd_electric_limits(const vd_model *m, const double *x, double gearbox, vd_eval *e);

/* Returns the share of the torques at a throttle that battery and motors deliver under load. The throttle has the sign
 * of the gear's direction. */
double vd_electric_supply(const vd_model *m, const double *x, double throttle, const vd_eval *e);

/* Returns the throttle of a hybrid's motors, < 0 while they charge, at which they deliver their part of the wanted
 * torque on the wheels (N m, > 0 along the gear), as far as the battery supplies it. engine, motors: the greatest
 * torques on the wheels; direction: of the gear. */
double vd_electric_part(const vd_model *m, const double *x, double wanted, double engine, double motors,
                        double direction, const vd_eval *e);

/* Sets the torques at a throttle, as far as they are supplied, and the recuperation at the brake pedal of e: torque and
 * shaft of e->electric, motor_torque; adds to direct, and subtracts from retard. direction: -1 or +1, of the gear; 0:
 * the motors are disengaged. */
void vd_electric_torques(const vd_model *m, const vd_command *c, const double *x, const double *mode, double throttle,
                         double direction, vd_eval *e);

/* Sets the rates of charge, rotors, shafts and electric works; called after the rates of the level. The work of the
 * drive becomes the work at the motors' shafts. */
void vd_electric_rates(const vd_model *m, const double *x, vd_eval *e, double *dx);

/* Adds to energy and work of e->log. With a battery the motors' work is exchanged within the car. */
void vd_electric_ledger(const vd_model *m, const vd_state_vector *s, vd_eval *e);

#endif
