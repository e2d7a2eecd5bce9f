/* Two straights and two banked half circles. */
#ifndef VD_OVAL_H
#define VD_OVAL_H

#include "ground/road.h"

typedef struct vd_oval {
  double bank;       /* rad, outside up, in the half circles */
  double at, y;      /* m, world: where the first straight begins, in the middle of the road; it runs along x */
  double length;     /* m: of the straights */
  double radius;     /* m: of the half circles, in the middle of the road */
  double width;      /* m: of the road */
  double edge;       /* m: width over which the bank ends, centred on the sides of the road */
  double transition; /* m, along a straight, over which the bank grows */
} vd_oval;

#endif
