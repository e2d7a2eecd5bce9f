/* The links of a wheel as line segments for pictures. */
#ifndef VD_RODS_H
#define VD_RODS_H

#include "linkage/linkage.h"

enum vd_rod { VD_ROD_LINK, VD_ROD_SPRING, VD_ROD_DAMPER, VD_ROD_PUSH, VD_ROD_ROCKER };

/* Greatest numbers of lines: of the links (two for each member), and with the springs, dampers and rockers of both
 * wheels. */
enum { VD_RODS_MAX = 2 * VD_MEMBERS, VD_RODS_AND_ELEMENTS_MAX = VD_RODS_MAX + 20 };

/* Writes the ends of the lines that show the links of the wheel at a pose, m, in the chassis' axes of the suspension
 * file: an arm has two lines, a rod one; the second end is on the knuckle. Returns the number of lines; out NULL: only
 * counts them. */
size_t vd_rods_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6]);

/* Writes the ends of the springs and dampers that act on the wheel. An element with a rocker also has its push or pull
 * rod and the sides of the rocker, which are written once if spring and damper share it. For an axle, whose wheels must
 * move alike, the mirror images at the right wheel are added. kind[]: enum vd_rod. Returns the number of lines. */
size_t vd_elements_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6], int *kind);

#endif
