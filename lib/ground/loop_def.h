/* What a file says of a vertical loop. */
#ifndef VD_LOOP_DEF_H
#define VD_LOOP_DEF_H

typedef struct vd_loop_def {
  double at, y, z; /* m, world: where the lane into it ends */
  double radius;   /* m */
  double width;    /* m: of the lane */
  double entry;    /* m: length of the clothoid at each end; 0: a circle */
  double offset;   /* m: from the lane into the loop to the one out of it, to the left > 0 */
} vd_loop_def;

#endif
