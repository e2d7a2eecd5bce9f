/* Strips: a curve in a vertical plane, extruded along a horizontal line at right angles to it. Ramp, cliff and loop. */
#ifndef VD_STRIP_H
#define VD_STRIP_H

#include "ground/contact_point.h"

#include <stdbool.h>
#include <stddef.h>

/* Points of a strip are origin + q0 ahead + q1 up + v side. s is the arc length along the curve. The side that is
 * driven on lies to the left of the curve: where its direction has the angle a, the normal is (-sin a, cos a). If the
 * strip is unrolled into a plane, its middle is a straight line. */
enum vd_strip_shape { VD_STRIP_LINE, VD_STRIP_ARC, VD_STRIP_CLOTHOID_IN, VD_STRIP_CLOTHOID_OUT, VD_STRIP_COSINE };

typedef struct vd_strip_piece {
  int shape;           /* enum vd_strip_shape */
  double start[2];     /* m: point with u = 0; for an arc the centre; for a clothoid its straight end */
  double cosine, sine; /* cosine and sine of a line's angle */
  /* m: range of u, which is the length along the piece or, for a half-cosine, along q0; a line may be unbounded */
  double low, high;
  double from;           /* m: s at u = 0 */
  double radius;         /* m: radius of an arc, or of a clothoid at its sharp end */
  double turned;         /* rad: angle of an arc at u = 0 */
  double height;         /* m: height of a half-cosine */
  double box[2], end[2]; /* m, for clothoid and half-cosine: lowest q0 and q1, highest q0 and q1 */
  double right, left;    /* m: lowest and highest v */
} vd_strip_piece;

/* An end of a strip, or a convex corner. */
typedef struct vd_strip_edge {
  double at[2];     /* m: q0, q1 */
  double before[2]; /* direction of the piece that ends at the edge; 0, 0: none */
  double after[2];  /* direction of the piece that begins at the edge; 0, 0: none */
  double s;         /* m */
} vd_strip_edge;

typedef struct vd_strip {
  double origin[3], ahead[2], side[2]; /* m; unit vectors, world x and y */
  double skew, cosine; /* tangent and cosine of the angle from the curve's plane to the strip's middle */
  double right, left;  /* m: v of the sides at s = 0; infinite: unbounded */
  size_t pieces, edges;
  vd_strip_piece piece[3];
  vd_strip_edge edge[3];
} vd_strip;

/* A point of a curve, with the direction there. */
typedef struct vd_strip_point {
  double q[2]; /* m */
  double cosine, sine;
  double bend; /* 1/m: curvature, to the left > 0 */
  double pace; /* ds/du */
} vd_strip_point;

static inline double vd_dot2(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1];
}

/* Makes a strip without pieces, along world x from (at, 0, z), from y = `right` to y = `left`; NAN: unbounded. */
vd_strip vd_strip_along_x(double at, double z, double right, double left);
/* Adds a piece, whose sides are computed from the sides of the strip. */
void vd_strip_add_piece(vd_strip *strip, vd_strip_piece piece);
void vd_strip_add_edge(vd_strip *strip, vd_strip_edge edge);

/* Computes the end point, ahead and aside, of a clothoid of length s that begins straight and turns by `angle` over
 * this length. */
void vd_clothoid(double s, double angle, double *ahead, double *aside);

void vd_strip_point_at(const vd_strip_piece *piece, double u, vd_strip_point *point);

/* True if v at the arc length s lies between the sides. */
bool vd_strip_contains(const vd_strip *strip, double v, double s);

/* Finds the contact point on one strip, like vd_ground_contact. If the axle has no length, it is the nearest point in
 * space. */
bool vd_strip_contact(const vd_strip *strip, const vd_disc *disc, vd_contact_point *contact);

#endif
