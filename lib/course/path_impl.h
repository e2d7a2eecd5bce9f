/* Declarations that the files path*.c share: functions that turn a curve over any parameter into nodes at equal arc
 * lengths. */
#ifndef VD_PATH_IMPL_H
#define VD_PATH_IMPL_H

#include "course/path_def.h"

/* m: approximate distance of nodes; the length is divided into whole intervals */
static const double vd_path_spacing = 0.1;
static const double vd_path_longest = 1e5;   /* m: greatest length, 1e6 nodes */
static const double vd_path_sharpest = 1.0;  /* 1/m: greatest curvature; the errors in path.h hold up to it */
static const double vd_path_farthest = 1e7;  /* m: greatest map coordinate; at this distance doubles are 2e-9 m apart */
static const double vd_path_widest = 100.0;  /* m, greatest room to an edge */
static const double vd_path_fastest = 200.0; /* m/s, greatest speed at a waypoint */

/* Returns the integral of f from a to b, by the rule of Gauss and Legendre with five points. */
double vd_path_integral(double (*f)(const void *data, double u), const void *data, double a, double b);

/* A curve in the plane over a parameter u. */
typedef struct vd_path_curve {
  double (*rate)(const void *data, double u);                  /* ds/du > 0 */
  void (*at)(const void *data, double u, vd_path_node *point); /* place, heading up to whole turns, curvature */
  const void *data;
  /* [knots], rising values of u: the curve is smooth between two knots, and its heading is continuous at the knots */
  const double *knot;
  size_t knots;
} vd_path_curve;

/* Makes nodes of the curve at equal arc lengths. knot_s [knots] is set to the arc lengths of the knots; it may be
 * NULL. */
vd_path_node *vd_path_sample(const vd_path_curve *curve, double *knot_s, vd_arena *arena, vd_path *path);

/* Allocates the nodes of a path of this length, without speeds; sets count, length and spacing of `path`. */
vd_path_node *vd_path_nodes(double length, vd_arena *arena, vd_path *path);

/* Makes the last node equal to the first, except for whole turns and its speed, and distributes the difference evenly
 * over the whole path. */
void vd_path_close(vd_path_node *node, vd_path *path);

void vd_path_build_waypoints(const vd_path_def *def, vd_arena *arena, vd_path *path);

#endif
