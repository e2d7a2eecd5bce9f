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

/* Equations of a motion of the knuckle, in jets: their coefficients change with the linkage, and so does the solution.
 * Columns are the wheel centre's velocity and the knuckle's turning. */
enum { VD_KC_MOTIONS = 6 };
typedef struct vd_kc_equations {
  vd_jet a[VD_KC_MOTIONS][VD_KC_MOTIONS], right[VD_KC_MOTIONS];
} vd_kc_equations;

/* A point and the direction, upwards, of the axis of the screw that solves them, which are lost. centre: of the wheel.
 * False: there is none. */
bool vd_kc_screw(vd_kc_equations *e, vd_jet3 centre, vd_jet3 *point, vd_jet3 *direction);

/* The figures of a steering axis through a point: caster to spindle_trail. */
void vd_kc_see_axis(const vd_kc_wheel *w, vd_jet3 point, vd_jet3 direction, vd_kc_state *s);

/* Rack force and kingpin moment of loads. */
void vd_kc_see_loads(const vd_linkage *l, const vd_pose *pose, const vd_kc_wheel *w, const vd_kc_view *view,
                     vd_kc_state *s);
/* The figures of the hand wheel. steer: rad to the left per m of rack, mean of both wheels. */
void vd_kc_see_hand_wheel(const vd_corner *corner, double rack, double steer, vd_kc_axle *out);

/* Where points of chassis and knuckle are. */
typedef struct vd_kc_points {
  vd_jet3 (*chassis)(const void *of, const double *design), (*knuckle)(const void *of, const double *design);
  const void *of;
} vd_kc_points;

/* Height of the roll centre of the arms' planes, chassis axes; NAN: no arms. */
vd_jet vd_kc_planes_height(const vd_hardpoints *h, const vd_kc_points *p, const vd_kc_wheel *w);

/* A wheel of the car: where it touches the road, m, chassis axes, and its steer angle, rad, to the left. */
typedef struct vd_kc_footing {
  vd_jet x, y, steer;
} vd_kc_footing;

/* Ackermann share and diameter of the turning circle, m, of wheels on an axle at a place; NAN if they are straight. */
void vd_kc_see_turning(const vd_corner *corner, const vd_kc_footing *left, const vd_kc_footing *right, vd_jet centre_x,
                       vd_jet *ackermann, vd_jet *circle);

/* Members by role, -1 if there is none: the lower and upper of the arms, the strut, the toe link. */
int vd_kc_lower_arm(const vd_hardpoints *h);
int vd_kc_upper_arm(const vd_hardpoints *h);
int vd_kc_strut(const vd_hardpoints *h);
int vd_kc_toe_link(const vd_hardpoints *h);
int vd_kc_rod(const vd_hardpoints *h, const char *name);

static inline vd_jet vd_jet_nan(void) {
  return (vd_jet){NAN, {NAN, NAN}, {NAN, NAN, NAN}};
}

/* How much the springs of a rigid axle shorten in heave per rise of its contacts: both together, since they have one
 * load, and neither knuckles nor lateral links are mirror images. rise: of both contacts per heave. */
double vd_kc_axle_ratio(const vd_linkage *l, const vd_pose *pose, double *rise);

#endif
