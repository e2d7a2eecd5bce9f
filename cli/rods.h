/* The links of a wheel as lines to be drawn. */
#ifndef VD_RODS_H
#define VD_RODS_H

#include "linkage/linkage.h"

enum { VD_RODS_MAX = 2 * VD_MEMBERS };

/* Ends of what guides the wheel at a pose, m, in the chassis' axes of the suspension file: two points each, the last is
 * where it holds the knuckle. Returns how many; out NULL: counts only. */
size_t vd_rods_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6]);

#endif
