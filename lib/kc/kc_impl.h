/* What the files kc*.c share: the wheel as a disc on its road, and the steering axis. */
#ifndef VD_KC_IMPL_H
#define VD_KC_IMPL_H

#include "kc/kc.h"

/* The wheel as a disc over a road parallel to the chassis' x-y plane, as a left wheel. */
typedef struct vd_kc_wheel {
  vd_jet3 centre, spin; /* spin: unit, outward */
  vd_jet3 heading, outward,
      upward;    /* unit: where the wheel rolls, in the road; across in the road; in the wheel's plane */
  vd_jet3 patch; /* the disc's lowest point */
  vd_jet turn;   /* rad, of the knuckle about `spin` since the design position, as a wheel turns that rolls ahead */
} vd_kc_wheel;

/* knuckle: of the body that carries it, vd_knuckle_pose. right: of a rigid axle's right wheel, mirrored in y. */
void vd_kc_place_wheel(const vd_linkage *l, const vd_pose *knuckle, bool right, vd_kc_wheel *w);

/* A point and a direction, upwards, of the steering axis. False: it has none. right: as above. */
bool vd_kc_steering_axis(const vd_linkage *l, const vd_pose *pose, bool right, vd_jet3 *point, vd_jet3 *direction);

/* Rack force and kingpin moment of loads. */
void vd_kc_see_loads(const vd_linkage *l, const vd_pose *pose, const vd_kc_wheel *w, const vd_kc_view *view,
                     vd_kc_state *s);
/* The figures of the hand wheel. steer: rad to the left per m of rack, mean of both wheels. */
void vd_kc_see_hand_wheel(const vd_corner *corner, double rack, double steer, vd_kc_axle *out);

/* Members by role, -1 if there is none: the lower and upper of the arms, the strut. */
int vd_kc_lower_arm(const vd_hardpoints *h);
int vd_kc_upper_arm(const vd_hardpoints *h);
int vd_kc_strut(const vd_hardpoints *h);
int vd_kc_rod(const vd_hardpoints *h, const char *name);

static inline vd_jet vd_jet_nan(void) {
  return (vd_jet){NAN, {NAN, NAN}, {NAN, NAN, NAN}};
}

/* How much the springs of a rigid axle shorten in heave per rise of its contacts: both together, since they have one
 * load, and neither knuckles nor lateral links are mirror images. rise: of both contacts per heave. */
double vd_kc_axle_ratio(const vd_linkage *l, const vd_pose *pose, double *rise);

#endif
