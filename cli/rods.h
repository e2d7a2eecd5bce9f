/* The links of a wheel as line segments for pictures. */
#ifndef VD_RODS_H
#define VD_RODS_H

#include "linkage/linkage.h"

enum { VD_RODS_MAX = 2 * VD_MEMBERS };

/* Writes the ends of the links that guide the wheel at a pose, m, in the chassis' axes of the suspension file: two
 * points for each, the second one on the knuckle. Returns how many; out NULL: only counts. */
size_t vd_rods_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6]);

#endif
