/* The function whose stationary point on its constraints is the equilibrium of kc/compliance.h but for the road's
 * forces: energy of bushings, joints, beam and springs, and multipliers times constraints, of a linkage that changes
 * (kc/moved.h). Its gradient and its Hessian by the coordinates are those that compliance_body.c writes out; here are
 * third derivatives too. Of wheels whose centre is held by a jack, or that are free, at the design travel and rack. */
#ifndef VD_KC_LAGRANGIAN_H
#define VD_KC_LAGRANGIAN_H

#include "kc/compliance_impl.h"
#include "kc/moved.h"

typedef struct vd_lagrangian {
  const vd_compliance *c; /* solved */
  vd_tri spring_load;     /* N, of the changed linkage at design */
} vd_lagrangian;

/* y: changes of the unknowns from the equilibrium, coordinates and multipliers, without finite part. */
vd_tri vd_lagrangian_at(const vd_lagrangian *l, const vd_change *q, const vd_tri *y);
/* Where the left wheel centre is then. */
vd_tri3 vd_lagrangian_centre(const vd_lagrangian *l, const vd_change *q, const vd_tri *y);

#endif
