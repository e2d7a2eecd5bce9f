/* L1 and L2 on tables of the wheels' paths: wheels that steer as the body rolls.
 *
 * These levels have no travels. In a turn with yaw rate r at speed v the centripetal acceleration r v, a function of
 * the state alone, stands for the lateral one: it rolls the axles on their springs as the balance of the loads has it
 * (vehicle/loads.h), with the roll centres of the tables, and the wheels have the angles of the tables at the travels
 * of that roll. In a steady turn this is L3 on the same tables, but for heave, pitch and camber; while the slip angle
 * grows or falls it runs ahead by what v' adds to r v.
 *
 * With linear compliance the wheels besides turn under their present forces, without delay, as those of L3 do
 * (l4_compliance.h): angles d = g(d), found by the secant method, an evaluation each round. Compliance in camber is
 * left out with camber; the other quantities would need places of wheels. */
#ifndef VD_TABLE_STEER_H
#define VD_TABLE_STEER_H

#include "model/model.h"

/* Roll centres and stiffnesses by the paths, before the balance is built; travels per acceleration, after it. */
void vd_table_axles(vd_model *m);
void vd_table_steer_build(vd_model *m);

/* Computes rates as vd_planar_rates does, with the wheels' own angles (L1: means of both wheels of an axle), which it
 * writes to angles of e but for compliance. False, too, if the angles under load were not found. */
bool vd_table_steer_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                          double *dx);

#endif
