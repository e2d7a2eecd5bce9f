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
 * are fixed. The torsion of a twist beam is not in the map: the car's anti-roll bar represents it. A twist beam whose
 * file gives no data of the beam's elasticity is rigid. force: N, up to which the map is fitted. like: NULL, or the map
 * of the wheel on the other side; the new map has the same terms. Returns NULL if no equilibrium exists under a load of
 * this size, and writes the place to *lost. */
const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            const vd_elastic_map *like, vd_arena *arena, vd_elastic_lost *lost);

/* Solves for the equilibrium of c under the map's loads x, at the travel and rack of the pose *rigid of the linkage l,
 * and writes it as a sample. c is built for l with the height of the wheel centre fixed; the search starts at *state.
 * For joined wheels rigid has two poses and x the loads of both wheels; those of the right wheel are mirrored. False:
 * there is no equilibrium. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const double *x, vd_compliance_state *state, vd_elastic_sample *sample);

/* Replaces the energy and its slopes in *sample by those of the map, at the sample's loads. gear: m, displacement of
 * the rack, for joined wheels that steer; `rack` is then the travel of the right wheel. */
void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, double gear,
                          vd_elastic_sample *sample);

#endif
