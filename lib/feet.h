/* Where the discs of the wheels stand on roads with heights. */
#ifndef VD_FEET_H
#define VD_FEET_H

#include "model.h"
#include "wide.h"

/* Distances of all wheel centres from the tangent planes at their feet, and the normals there; a plane is the same everywhere.
 * centre, axle: of the discs, world; posts under the wheels as in the command. */
void vd_feet(const vd_model *m, const vd_command *c, const vd_wide3 *centre, const vd_wide3 *axle, vd_wide *distance,
             vd_wide3 *normal);

#endif
