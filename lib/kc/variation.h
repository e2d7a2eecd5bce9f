/* A linkage of which something changes (kc/moved.h), in jets: by the implicit function theorem a change q, such as a
 * hardpoint's displacement, is taken for a second input beside u, a direction of the travel or the rack, and the motion
 * by both is found with the linkage's constraints. At the design position the pose does not depend on q, since links
 * are as long as the hardpoints say; its mixed derivative does. Put into a pose, that makes every figure that is a jet
 * have its derivative by q, and its rate by u that of the rate. */
#ifndef VD_KC_VARIATION_H
#define VD_KC_VARIATION_H

#include "kc/kc_impl.h"
#include "kc/moved.h"

typedef struct vd_variation {
  const vd_moved_linkage *m;
  const vd_linkage *l;
  const vd_change *q;
  double along[VD_INPUTS], gear; /* gear: of an axle that steers, the rack's share */
  double centre[3];              /* displacement of the wheel centre by q */
  double turn[3];                /* of the knuckle by u */
  vd_moved_body body, knuckle;   /* what the links hold, and what carries the wheel, by u, u and q */
  vd_tri rack;
  vd_pose pose; /* by u and q */
} vd_variation;

/* Of m, q, along and gear all of the rest. False: singular, which the design position of a linkage that was built is
 * not. */
bool vd_vary(vd_variation *v);

/* A point of the knuckle, and of the chassis. of: a vd_variation. */
vd_jet3 vd_varied_knuckle_point(const void *of, const double *design);
vd_jet3 vd_varied_chassis_point(const void *of, const double *design);

/* The wheel; toe, camber and the figures of the steering axis, NAN without one. */
void vd_varied_state(const vd_variation *v, vd_kc_wheel *w, vd_kc_state *s);

#endif
