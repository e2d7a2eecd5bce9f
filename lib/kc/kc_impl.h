/* What the files of this folder share: the steering axis, members by role. */
#ifndef VD_KC_IMPL_H
#define VD_KC_IMPL_H

#include "kc/kc.h"
#include "linkage/wheel_disc.h"

/* A point and a direction, upwards, of the steering axis. False: it has none. right: as above. */
bool vd_kc_steering_axis(const vd_linkage *l, const vd_pose *pose, bool right, vd_jet3 *point, vd_jet3 *direction);

/* Rack force and kingpin moment of loads. */
void vd_kc_see_loads(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const vd_kc_view *view,
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

#endif
