/* The forces that a car can transmit to the road, over speed and load: the part of an envelope that a lap needs.
 *
 * Forces are divided by the mass, m/s2. They act in the road plane, along and across the path, and include the drag.
 * Together with the components of gravity in this plane, the forces accelerate the car. `normal' is the normal force of
 * the road divided by the mass, without downforce: 9.81 on a level road. An envelope is either a point mass in closed
 * form, or a table made from limit points. */
#ifndef VD_GG_H
#define VD_GG_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A point mass, whose tyre force is at most friction times load in any direction. */
typedef struct vd_gg_mass {
  double mass, friction;  /* kg, - */
  double drag, downforce; /* N per (m/s)^2 */
  double power;           /* W at the tyre; INFINITY: no limit */
} vd_gg_mass;

enum {
  VD_GG_SHARES = 33,      /* number of lateral forces, from 0 to the greatest one, at which a table has values */
  VD_GG_DIRECTIONS = 360, /* greatest number of points around a boundary */
};

/* The boundary at one speed and normal acceleration. Index [0]: turning left, [1]: turning right. */
typedef struct vd_gg_section {
  double side[2]; /* greatest lateral force */
  /* greatest and least longitudinal force at the lateral force side sin(i pi/2/(VD_GG_SHARES - 1)) */
  double high[2][VD_GG_SHARES], low[2][VD_GG_SHARES];
  double side_slope[2]; /* derivatives of `side', `high' and `low' by the speed */
  double high_slope[2][VD_GG_SHARES], low_slope[2][VD_GG_SHARES];
} vd_gg_section;

typedef struct vd_gg {
  bool is_mass;
  vd_gg_mass mass;
  size_t speeds, normals;
  const double *speed, *normal; /* rising */
  vd_gg_section *section;       /* [normals][speeds] */
} vd_gg;

/* A point of the boundary. */
typedef struct vd_gg_point {
  double along, across;
} vd_gg_point;

/* Fills a section from points around the boundary, in the order of their directions: drive (0), left, brake, right. */
void vd_gg_section_fill(const vd_gg_point *point, size_t count, vd_gg_section *s);

/* Computes the slopes over speed of a table whose sections are filled. */
void vd_gg_complete(vd_gg *gg);

/* Returns the normal acceleration at and below which the wheels lose the road: < 0 for a point mass that downforce
 * holds on a crest; 0 for a table, which does not contain the downforce. */
double vd_gg_least_normal(const vd_gg *gg, double speed);

/* Returns the greatest lateral force to the left or right, >= 0. */
double vd_gg_side(const vd_gg *gg, double speed, double normal, bool right);

/* Computes the range of the longitudinal force at a lateral force. Beyond the greatest lateral force both ends are
 * equal, and fall steeply with the excess, so that solvers converge. */
void vd_gg_range(const vd_gg *gg, double speed, double normal, double across, double *low, double *high);

/* Returns the greatest (high) or the least longitudinal force at a lateral force, as vd_gg_range does. */
double vd_gg_end(const vd_gg *gg, double speed, double normal, double across, bool high);

/* Returns the highest speed of the table; INFINITY: no limit. */
double vd_gg_fastest(const vd_gg *gg);

#endif
