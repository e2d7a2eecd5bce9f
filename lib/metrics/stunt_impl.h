/* Shared by the files of the set `stunt`. */
#ifndef VD_STUNT_IMPL_H
#define VD_STUNT_IMPL_H

#include "metrics/metrics_impl.h"

#include <math.h>

/* N, of all wheels. */
static inline double vd_stunt_load(const vd_stunt_sample *s) {
  return s->load[VD_FL] + s->load[VD_FR] + s->load[VD_RL] + s->load[VD_RR];
}

static inline double vd_stunt_length(const double *v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The metrics whose names begin with `loop`; good: empty, or the reason why there are none. */
void vd_stunt_set_loop(const vd_recorder *r, vd_result good, vd_metrics *out);

#endif
