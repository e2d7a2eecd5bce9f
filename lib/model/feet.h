/* Where the discs of the wheels stand on roads that are no planes. */
#ifndef VD_FEET_H
#define VD_FEET_H

#include "model/model.h"
#include "base/wide.h"

/* Distances of all wheel centres from the tangent planes at their feet, and the normals there; a plane is the same everywhere.
 * A wheel that nothing is within reach of is given two of its radii, straight up. friction: of what the wheels stand on, on grounds that
 * are more than heights; else it is not touched (vd_ground_friction knows it).
 * centre, axle: of the discs, world; posts under the wheels as in the command. */
void vd_feet(const vd_model *m, const vd_command *c, const vd_wide3 *centre, const vd_wide3 *axle, vd_wide *distance,
             vd_wide3 *normal, double *friction);

#endif
