/* The keys of grounds that are built as strips. */
#ifndef VD_STRIP_DEF_H
#define VD_STRIP_DEF_H

/* A ramp for jumps: a half cosine upwards, a level lip, a vertical back. */
typedef struct vd_ramp_def {
  double at, z;        /* m, world: x and height at which it begins */
  double length;       /* m: of the rise */
  double height;       /* m */
  double lip;          /* m: length of the level part after the rise */
  double y_from, y_to; /* m, world y; NAN: unbounded */
} vd_ramp_def;

/* A cliff: level ground, a vertical wall downwards, level ground. */
typedef struct vd_cliff_def {
  double at, z; /* m, world: x of the wall, height of its top */
  double drop;  /* m */
} vd_cliff_def;

/* A vertical loop. */
typedef struct vd_loop_def {
  double at, y, z; /* m, world: place where the lane into the loop ends */
  double radius;   /* m */
  double width;    /* m: of the lane */
  double entry;    /* m: length of the clothoid at each end; 0: a circle */
  double offset;   /* m: from the lane into the loop to the lane out of the loop, to the left > 0 */
} vd_loop_def;

#endif
