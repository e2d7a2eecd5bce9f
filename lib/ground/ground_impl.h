/* What the files of the grounds share. */
#ifndef VD_GROUND_IMPL_H
#define VD_GROUND_IMPL_H

#include "ground/ground.h"

#define VD_GROUND_FAR 1e6 /* m */

/* What a check needs to speak about the file. */
typedef struct vd_ground_context {
  const vd_node *root;
  const char *path; /* the ground's key */
  vd_diag *d;
} vd_ground_context;

extern const vd_schema vd_patch_schema;
void vd_patch_check(const vd_ground_def *def, const vd_node *root, const char *path, vd_diag *d);

/* These add what lies over the plane. */
void vd_relief_rough(const vd_ground_def *def, double x, vd_road *road);
void vd_relief_bump(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_relief_step(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_relief_sweep(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_relief_washboard(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_relief_potholes(const vd_ground_def *def, double x, double y, vd_road *road);
/* Widths of edges left to auto. */
void vd_relief_complete(vd_ground_def *def);
void vd_relief_check(const vd_ground_context *ctx, const vd_ground_def *def);

void vd_iso8608_complete(vd_ground_def *def, vd_arena *arena);
void vd_iso8608_check(const vd_ground_context *ctx, const vd_ground_def *def);
void vd_iso8608_relief(const vd_ground_def *def, double x, double y, vd_road *road);

void vd_map_complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena);
void vd_map_relief(const vd_ground_def *def, double x, double y, vd_road *road);

void vd_turn_relief(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_oval_relief(const vd_ground_def *def, double x, double y, vd_road *road);
void vd_turn_check(const vd_ground_context *ctx, const vd_ground_def *def);
void vd_oval_check(const vd_ground_context *ctx, const vd_ground_def *def);

/* Ramp, cliff, loop. */
void vd_strip_complete(vd_ground_def *def);
void vd_strip_check(const vd_ground_context *ctx, const vd_ground_def *def);
/* As vd_ground_foot, of one strip. An axle of no length: the nearest point in space. */
bool vd_strip_foot(const vd_strip *strip, const vd_disc *disc, vd_foot *foot);
/* The surface above a place, loops apart. */
bool vd_strip_top(const vd_ground_def *def, double x, double y, vd_road *road);

/* Grade and bank of the plane are asked for. */
bool vd_ground_sloping(int type);

static inline double vd_dot2(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1];
}

static inline void vd_raise(vd_road *road, double z, double slope_x, double slope_y) {
  road->z += z;
  road->slope_x += slope_x;
  road->slope_y += slope_y;
}

/* 0 to 1 for u from 0 to 1, with a continuous curvature: 10 u^3 - 15 u^4 + 6 u^5. Its slope is 30 u^2 (1 - u)^2, at most
 * 1.875. */
static inline double vd_ramp(double u, double *slope) {
  if (u <= 0.0 || u >= 1.0) {
    *slope = 0.0;
    return u <= 0.0 ? 0.0 : 1.0;
  }
  *slope = 30.0 * u * u * (1.0 - u) * (1.0 - u);
  return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
}

#endif
