/* Equilibria of a corner, or of both wheels of an axle, as the loads and energies of an elastic map
 * (suspension/elastic_map.h). */
#ifndef VD_ELASTIC_SAMPLE_H
#define VD_ELASTIC_SAMPLE_H

#include "kc/compliance.h"
#include "kc/elastic_terms.h"

/* An equilibrium of c (wheel centre held, as built for the linkage) at the travel and rack of the linkage's pose under
 * a load, as a sample of the map's loads; the search starts at *state. False: there is none. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const vd_wheel_load *load, vd_compliance_state *state, vd_elastic_sample *sample);

/* The same of joined wheels; poses and loads of the right one as of a left wheel. */
bool vd_elastic_pair_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose rigid[2],
                        const vd_wheel_load load[2], vd_compliance_state *state, vd_elastic_sample *sample);

/* What brings about the loads x on a left wheel, but for what the displacement changes: forces of the road at the
 * contact, of a shaft at the wheel centre, the brake's torque. */
vd_wheel_load vd_elastic_load_of(const vd_elastic_map *map, const vd_linkage *l, const vd_pose *rigid, const double *x);

#endif
