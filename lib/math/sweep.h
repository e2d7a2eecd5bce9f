/* A rectangle that moves past a disc: a car and a cone. Everything is in axes of the rectangle with their origin at its
 * reference point: x ahead, y to the left. The disc's centre runs along a straight line from one instant to the
 * next. */
#ifndef VD_SWEEP_H
#define VD_SWEEP_H

#include <stdbool.h>

typedef struct vd_rectangle {
  double ahead, behind; /* m, from the reference point to the front and to the rear end; both >= 0 */
  double half;          /* m, half its width */
} vd_rectangle;

/* True if the disc overlaps the rectangle while its centre goes from `from` to `to`. *share: the share of this line at
 * which the disc first touches, 0 if it overlaps from the start. The result is exact: the line of the centre is
 * intersected with the rectangle, enlarged by the radius and with rounded corners (the Minkowski sum). Touching from
 * outside is no overlap. radius >= 0: m; 0: a point, which must be inside. */
bool vd_sweep_hit(const vd_rectangle *body, double radius, const double from[2], const double to[2], double *share);

/* Returns the least distance of the disc's edge from the rectangle along this line, m; 0 if they meet. */
double vd_sweep_distance(const vd_rectangle *body, double radius, const double from[2], const double to[2]);

#endif
