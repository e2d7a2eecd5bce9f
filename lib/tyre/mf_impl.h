/* Declarations that the files of the Magic Formula share. */
#ifndef VD_MF_IMPL_H
#define VD_MF_IMPL_H

#include "base/wide_elementary.h"
#include "tyre/mf.h"

/* One pure curve at a load: mu sin(C atan(B x - E (B x - atan(B x)))) + SV with x = slip + SH, per unit of load. */
typedef struct vd_mf_curve {
  double k, mu, b, c, sh, sv; /* k: slope at x = 0 */
  double e[2];                /* for x < 0 and x >= 0 */
} vd_mf_curve;

/* Both pure curves at a load. */
typedef struct vd_mf_pure {
  /* load: N, clamped to its range; scale: the actual load divided by `load' if it is lower, otherwise 1 */
  double load, scale;
  double u; /* Fz/Fz0' */
  vd_mf_curve x, y;
} vd_mf_pure;

/* Least value of 1 - eps, the weight of camber in the spin. */
#define VD_MF_LEAST_SPIN 0.1

/* Computes both pure curves at in->load, with slips and speed 0. The quantities that depend on camber, pressure and
 * friction are returned in s, in all lanes. */
void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, vd_mf_slip *s, vd_mf_pure *p);

#endif
