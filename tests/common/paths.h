/* Paths that tests build. */
#ifndef VD_TEST_PATHS_H
#define VD_TEST_PATHS_H

#include "base/base.h"
#include "course/path_def.h"

#include <math.h>

static vd_arena *arena;
static const double width = 1.8; /* m: width of the vehicle */

static inline vd_path built(const vd_path_def *def) {
  vd_path path;
  vd_path_build(def, width, arena, &path);
  return path;
}

static inline vd_path_point at(const vd_path *path, double s) {
  vd_path_point p;
  vd_path_at(path, s, &p);
  return p;
}

static inline vd_points ring(int count, double radius, double *xy) {
  for (int i = 0; i < count; i++) {
    xy[2 * i] = radius * cos(2.0 * VD_PI * i / count);
    xy[2 * i + 1] = radius * sin(2.0 * VD_PI * i / count);
  }
  return (vd_points){xy, (size_t)count};
}

/* Makes an oval: half circles of 10 m joined by lines; the second line is shorter by `gap`. */
static inline void oval(vd_segment_def out[4], double gap) {
  out[0] = (vd_segment_def){30.0, NAN, NAN};
  out[1] = (vd_segment_def){10.0 * VD_PI, 0.1, NAN};
  out[2] = (vd_segment_def){30.0 - gap, 0.0, NAN};
  out[3] = out[1];
}

#endif
