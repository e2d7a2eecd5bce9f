/* L1 and L2 on tables of the wheels' paths: wheels that steer as the body rolls.
 *
 * These levels have no travels. In a turn with yaw rate r at speed v the centripetal acceleration r v, a function of
 * the state alone, stands for the lateral one: it rolls the axles on their springs as the balance of the loads has it
 * (vehicle/loads.h), with the roll centres of the tables, and the wheels have the angles of the tables at the travels
 * of that roll. In a steady turn this is L3 on the same tables, but for heave, pitch and camber; while the slip angle
 * grows or falls it runs ahead by what v' adds to r v. */
#ifndef VD_TABLE_STEER_H
#define VD_TABLE_STEER_H

#include "model/model.h"

/* Roll centres and stiffnesses by the paths, before the balance is built; travels per acceleration, after it. */
void vd_table_axles(vd_model *m);
void vd_table_steer_build(vd_model *m);

/* Angles of the wheels (L1: of the axles, means of both wheels) in the state, for a command whose mean angle is set. */
void vd_table_angles(const vd_model *m, const double *x, vd_command *c);

#endif
