/* Declarations that the files of this folder share: the steering axis, points, members by role. */
#ifndef VD_KC_IMPL_H
#define VD_KC_IMPL_H

#include "kc/kc.h"
#include "linkage/wheel_disc.h"

/* Computes a point and the upward direction of the steering axis. False: there is none. right: as in vd_kc_view. */
bool vd_kc_steering_axis(const vd_linkage *l, const vd_pose *pose, bool right, vd_jet3 *point, vd_jet3 *direction);

/* Sets rack force and kingpin moment of the loads. */
void vd_kc_set_load_figures(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const vd_kc_view *view,
                            vd_kc_state *s);

/* Lists the wheel centre and all points of the members: their keys in a suspension file (NULL: files have no such
 * point) and their places. Returns their number. */
enum { VD_KC_PLACES = 1 + VD_MEMBERS * VD_MEMBER_POINTS };
size_t vd_kc_places(vd_hardpoints *h, const char *key[VD_KC_PLACES], double *place[VD_KC_PLACES]);

/* Returns members by role, NULL if there is none: the lower arm, the upper arm, a rod by its name. */
const vd_member *vd_kc_lower_arm(const vd_hardpoints *h);
const vd_member *vd_kc_upper_arm(const vd_hardpoints *h);
const vd_member *vd_kc_rod(const vd_hardpoints *h, const char *name);

#endif
