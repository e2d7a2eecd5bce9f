/* Which hardpoints make two suspensions differ. */
#ifndef VD_XCHECK_CAUSE_H
#define VD_XCHECK_CAUSE_H

#include "kc/xcheck.h"

/* A hardpoint of which both sides have different places, or two that are exchanged. */
typedef struct vd_cause {
  const char *point, *other; /* keys in a suspension file; other: the one it is exchanged with, or NULL */
  double distance;           /* m, between both sides */
  double share;              /* of the deviation */
} vd_cause;

enum { VD_CAUSES = 3 * VD_MEMBERS + 1 };

/* The share of each hardpoint in the deviation of a figure that did not pass: the figure of the reference with the
 * candidate's place of this one point, less that of the reference, by the deviation. It is no derivative, so that it
 * holds for points that are far apart; of several points the shares need not add up to 1. The largest come first.
 * Returns how many there are; 0 where the figure is no gain or change, or the sides are not two corners of one type.
 * Points nearer than 1 um are the same. */
size_t vd_xcheck_causes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, const vd_verdict *v,
                        vd_cause *cause);

/* Points that are further apart than `least`, m, whatever they change; two that are exchanged as one, without shares.
 */
size_t vd_xcheck_apart(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, double least, vd_cause *cause);

#endif
