/* L1 and L2 on tables of the wheels' paths: wheels that steer as the body rolls.
 *
 * These levels have no travels. The lateral acceleration is replaced by the centripetal acceleration r v of a turn with
 * yaw rate r at speed v, a function of the state only. It rolls the axles on their springs according to the balance of
 * the loads (vehicle/loads.h), with the roll centres of the tables, and the wheels have the angles of the tables at the
 * travels of that roll. In a steady turn this agrees with L3 on the same tables, except for heave, pitch and camber;
 * while the slip angle grows or falls, the roll is ahead by the effect of v', which r v does not contain.
 *
 * With linear compliance the wheels also turn under their present forces, without delay, as at L3 (l4_compliance.h):
 * angles d = g(d), found by the secant method with an evaluation in each round. The search starts from the angles of
 * the previous evaluation, extrapolated by their rates, and from its secants, which are modes of the run (VD_M_TURN).
 * Compliance in camber is neglected like camber itself; other displacements would need positions of the wheels. */
#ifndef VD_TABLE_STEER_H
#define VD_TABLE_STEER_H

#include "model/model.h"

/* Sets roll centres and stiffnesses from the paths. Must be called before the balance of the loads is built. */
void vd_table_axles(vd_model *m);
/* Computes the travels per acceleration. Must be called after the balance of the loads is built. */
void vd_table_steer_build(vd_model *m);

/* Returns the angle of a wheel to the left by its map, rad; a right wheel has the mirrored angle of a left wheel at the
 * opposite rack. Beyond its ends a table keeps its last value. rack: of both axles. camber: rad, relative to the body,
 * top to the right > 0; NULL: it is not computed. */
double vd_table_wheel(const vd_model *m, int i, double travel, const double *rack, double *camber);

/* Computes rates as vd_planar_rates does, with the wheels' own angles (L1: means of both wheels of an axle), which it
 * writes to angles of e without the compliance. It also returns false if the angles under load were not found. */
bool vd_table_steer_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                          double *dx);

/* Stores angles and secants in the modes for the next evaluation; called before the time of the loads is stored. If the
 * time has not changed, the rates remain. */
void vd_table_steer_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode);

#endif
