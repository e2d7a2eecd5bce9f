/* The elastic map of a corner from its equilibria (compliance/elastic_map.h). */
#ifndef VD_ELASTIC_FIT_H
#define VD_ELASTIC_FIT_H

#include "compliance/compliance.h"
#include "compliance/elastic_terms.h"
#include "linkage/linkage_map.h"

/* The place at which there was no equilibrium. */
typedef struct vd_elastic_lost {
  double travel, rack; /* m */
} vd_elastic_lost;

/* Makes the map over the travel and rack of the linkage's map. The height of the wheel centre is fixed, the torque of
 * the brake is a load on the knuckle, and the wheel's radius is that of map->linkage. For joined wheels both heights
 * are fixed, and the anti-roll bar of the car represents the torsion of a twist beam; a twist beam without the figures
 * of its beam is rigid. force: N, the radius of the ball of loads. like: the map of the wheel on the other side, whose
 * terms this map then has, too; or NULL. Returns NULL if there is no equilibrium under such a force at *lost. */
const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            const vd_elastic_map *like, vd_arena *arena, vd_elastic_lost *lost);

/* Solves for the equilibrium of c (built for the linkage, with the height of the wheel centre fixed) at the travel and
 * rack of the linkage's pose under the map's loads x, and makes a sample of it; the search starts at *state. For joined
 * wheels both poses and all loads are given, and the right wheel's are mirrored. False: there is no equilibrium. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const double *x, vd_compliance_state *state, vd_elastic_sample *sample);

/* Replaces W and its gradient in *sample by those of the map. gear: the rack of an axle that steers. */
void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, double gear,
                          vd_elastic_sample *sample);

#endif
