/* The longest integration step that the stiff parts of a vehicle allow, and the floors of the speeds in steady slips
 * that a step allows. */
#ifndef VD_STEP_LIMIT_H
#define VD_STEP_LIMIT_H

#include "model/model.h"
#include "vehicle/vehicle_def.h"

/* Longest step of a run with fixed steps, s, at all levels without stiff links. The floors of the slips of a run with
 * adaptive steps are chosen for this step, too. */
extern const double vd_step_longest;

/* Longest adaptive step of a run, s. It is the usual interval of logs, so that a run is the same with ten and with a
 * hundred rows per second. If the accuracy is 1e-3 or rougher, steps may be twice as long. */
extern const double vd_step_longest_followed;

/* If the accuracy is this value or a rougher one, the longest adaptive step and the interval of the log are twice as
 * long. Wheel hop limits both: its rate, some 80 rad/s, times the step must stay below 2.785 (Runge-Kutta). */
extern const double vd_step_rough;

/* Returns the longest step, s, for the unsprung masses on their springs, dampers and tyres. */
double vd_step_on_springs(const vd_vehicle_def *v);

/* Returns the longest step, s, for wheels that stiff links (N/m) hold across their paths (L5). */
double vd_step_on_links(const vd_vehicle_def *v, double stiffness);

/* Returns the step that is chosen for wheels on stiff links, s: vd_step_longest divided by a round number, so that rows
 * of usual logs are at whole steps. */
double vd_step_chosen(const vd_vehicle_def *v, double stiffness);

/* Returns the longest step, s, for wheels that spin on the springs of their tyres, at standstill with transient slips.
 * The square of their angular frequency is C/sigma R^2/I, with the slip stiffness C and the relaxation length sigma at
 * static load. */
double vd_step_on_treads(const vd_vehicle *v, double ground_friction);

/* Returns the margin, 1/s, by which a tyre may raise the rates of an axle's wheel on stiff links (L5). */
double vd_step_rate_margin(const vd_vehicle_def *v, const vd_model_options *options, int axle);

/* Both functions below return the lowest floor, m/s, at which steady slips (model/lanes.h) are stable near standstill.
 * Below a floor v a tyre of stiffness C is a damper C/v. The rate of the motion that this damper damps, times the step
 * h, must be within the bound of Runge-Kutta steps. C is the greatest stiffness on the ground's friction, at loads up
 * to twice the static load; at L5, where the floors grow with the load, at loads up to the static load. Level, step,
 * unsprung, links and link_stiffness of the options are used. The floor is infinite if stiff links leave no margin.
 *
 * The floor of the slip ratio covers the car's motions forward, lateral and in yaw, with locked wheels, each within
 * 2/h. The spins of the wheels need no floor: their steps are exponential (math/rk4.h). On stiff links (L5) each wheel
 * is a mass of its own, and its tyre may only use the margin that the links leave; see vd_step_rate_margin. */
double vd_slip_ratio_floor(const vd_vehicle_def *def, const vd_vehicle *v, const vd_model_options *options,
                           double ground_friction);

/* Returns the floor of the slip angle, m/s. A lateral force of 1 N at contact i accelerates this contact across the
 * wheel by b_i. sum(C_i b_i)/v is then an upper bound of the rates of all lateral motions together:
 *   L1, L2   b = 1/m + r^2/Iz, r the distance from the centre of gravity
 *   L3, L4   plus h^2/Ix for the body's roll and s^2 (1/m_u + 1/m_s + x^2/Iy) for the wheel's travel: the path of the
 *            contact point slopes by s per travel, and h is the arm of the force on the sprung mass
 *   L5       as L3 and L4, with s = 0 on hubs and struts; on stiff links b = 1/m_u, each wheel separately. */
double vd_slip_angle_floor(const vd_vehicle_def *def, const vd_vehicle *v, const vd_model_options *options,
                           double ground_friction);

#endif
