/* Equilibria of a corner, or of both wheels of an axle, as the energies of an elastic map
 * (compliance/elastic_map.h). */
#ifndef VD_ELASTIC_SAMPLE_H
#define VD_ELASTIC_SAMPLE_H

#include "compliance/compliance.h"
#include "compliance/elastic_terms.h"

/* The equilibrium of c (wheel centre held, as built for the linkage) at the travel and rack of the linkage's pose under
 * the map's loads x, as a sample of it; the search starts at *state. For joined wheels both poses and all loads are
 * given, the right wheel's as those of a left one. False: there is none. */
bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const double *x, vd_compliance_state *state, vd_elastic_sample *sample);

#endif
