/* The elastic map of a corner from its equilibria (compliance/elastic_map.h). */
#ifndef VD_ELASTIC_FIT_H
#define VD_ELASTIC_FIT_H

#include "compliance/compliance.h"
#include "compliance/elastic_terms.h"
#include "linkage/linkage_map.h"

/* Where there was no equilibrium. */
typedef struct vd_elastic_lost {
  double travel, rack; /* m */
} vd_elastic_lost;

/* Over the travel and rack of the linkage's map. The wheel: its centre is held, its brake's torque is a load of the
 * knuckle, and its radius is that of map->linkage. force: N, of the ball's radius. NULL: at *lost the bushings do not
 * hold such a force. Joined wheels: both centres are held; the car's bar stands for the torsion of a twist beam. One
 * without the figures of its beam is rigid. like: a map of the wheel on the other side, whose terms it has,
 * too, or NULL. */
const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            const vd_elastic_map *like, vd_arena *arena, vd_elastic_lost *lost);

/* The equilibrium of c (wheel centre held, as built for the linkage) at the travel and rack of the linkage's pose under
 * the map's loads x, as a sample of it; the search starts at *state. For joined wheels both poses and all loads are
 * given, the right wheel's as those of a left one. False: there is none. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const double *x, vd_compliance_state *state, vd_elastic_sample *sample);

/* W and its gradient by the map, in place of those of *sample. gear: the rack of an axle that steers. */
void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, double gear,
                          vd_elastic_sample *sample);

#endif
