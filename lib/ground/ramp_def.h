/* What a file says of a ramp, to take off from: half a cosine up, a level lip, an upright back. */
#ifndef VD_RAMP_DEF_H
#define VD_RAMP_DEF_H

typedef struct vd_ramp_def {
  double at, z;        /* m, world: x and height at which it begins */
  double length;       /* m: of the rise */
  double height;       /* m */
  double lip;          /* m: length of the level part behind the rise */
  double y_from, y_to; /* m, world y; NAN: unbounded */
} vd_ramp_def;

#endif
