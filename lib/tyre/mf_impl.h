/* What the files of the Magic Formula share. */
#ifndef VD_MF_IMPL_H
#define VD_MF_IMPL_H

#include "base/wide_elementary.h"
#include "tyre/mf.h"

/* One pure curve at a load: mu sin(C atan(B x - E (B x - atan(B x)))) + SV with x = slip + SH, per unit of load. */
typedef struct vd_mf_curve {
  double k, mu, b, c, sh, sv; /* k: slope at x = 0 */
  double e[2];                /* for x < 0 and x >= 0 */
} vd_mf_curve;

/* Both curves at a load. */
typedef struct vd_mf_pure {
  double load, scale; /* N, clamped to its range; the actual load over it where the load is lower */
  double u;           /* Fz/Fz0' */
  vd_mf_curve x, y;
} vd_mf_pure;

/* The least 1 - eps, by which camber counts as spin. */
#define VD_MF_LEAST_SPIN 0.1

/* Both pure curves at in->load; what camber, pressure and friction decide is returned in s, in all its lanes. Slips and
 * speed are taken as 0. */
void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, vd_mf_slip *s, vd_mf_pure *p);

#endif
