/* The elastic map of a corner from its equilibria (suspension/elastic_map.h). */
#ifndef VD_ELASTIC_FIT_H
#define VD_ELASTIC_FIT_H

#include "kc/compliance.h"
#include "kc/elastic_terms.h"
#include "suspension/linkage_map.h"

/* Where there was no equilibrium. */
typedef struct vd_elastic_lost {
  double travel, rack; /* m */
} vd_elastic_lost;

/* Over the travel and rack of the linkage's map. The wheel: its centre is held, its brake's torque is a load of the
 * knuckle, and its radius is that of map->linkage. force: N, of the ball's radius. NULL: at *lost the bushings do not
 * hold such a force. */
const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            vd_arena *arena, vd_elastic_lost *lost);

/* W and its gradient by the map, in place of those of *sample. */
void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, vd_elastic_sample *sample);

/* An equilibrium of c (wheel centre held, as built for the linkage) at the travel and rack of the linkage's pose under
 * a load, as a sample of the map's loads; the search starts at *state. False: there is none. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const vd_wheel_load *load, vd_compliance_state *state, vd_elastic_sample *sample);

#endif
