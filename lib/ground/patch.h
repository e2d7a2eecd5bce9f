/* Patches of a ground with a different friction. */
#ifndef VD_PATCH_H
#define VD_PATCH_H

#include "base/list.h"

enum vd_patch_shape {
  VD_PATCH_RECTANGLE, /* x_from..x_to, y_from..y_to; a side may be unbounded, so a band along or across the road,
                       * or a half plane for a split friction, is a rectangle too */
  /* the area inside an outline of corners (even-odd rule) in either direction of rotation; the first corner is not
   * repeated at the end */
  VD_PATCH_POLYGON,
};

typedef struct vd_patch_def {
  int shape;       /* enum vd_patch_shape */
  double friction; /* replaces the friction of the ground and of earlier patches */
  double edge;     /* m, width over which the friction blends, centred on the outline; 0: sharp */
  union {
    struct {
      double x_from, x_to, y_from, y_to; /* m, world; NAN: unbounded */
    };
    vd_points corners; /* m, world */
  };
} vd_patch_def;

/* Returns the friction at a place. Patches cover the ground, whose own friction is given; later patches cover earlier
 * ones. The share of a patch is 3 u^2 - 2 u^3 with u = 1/2 + d/edge, limited to 0..1; d: distance to the outline,
 * inside > 0. A sharp patch has the share 1 inside and 0 outside. */
double vd_patched_friction(const vd_patch_def *patch, size_t count, double friction, double x, double y);

#endif
