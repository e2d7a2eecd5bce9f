/* What a file says of a cliff: level ground, an upright wall down, level ground. */
#ifndef VD_CLIFF_DEF_H
#define VD_CLIFF_DEF_H

typedef struct vd_cliff_def {
  double at, z; /* m, world: x of the wall, height of its top */
  double drop;  /* m */
} vd_cliff_def;

#endif
