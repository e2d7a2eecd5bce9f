/* The reference line of a measured road, and coordinates along and across it.
 *
 * A file gives points P_i at equal distances and, by the bisectors of the angles there, unit tangents T_i. P(u) and
 * T(u) are Keys' cubics through these points and tangents; at the point P_i the parameter u is i. The cross section of
 * u is the line through P(u) at right angles to T(u), and v is the distance along it. At the points the standard
 * (OpenCRG) constructs its cross sections in the same way. Between them the standard has a polyline, whose corners
 * would make the slopes of the road jump; the cubics deviate from it by at most 1/8 of the curvature times the square
 * of the distance between the points. u and v have continuous derivatives by x and y. Beyond its ends the line is
 * straight. */
#ifndef VD_CRG_LINE_H
#define VD_CRG_LINE_H

#include "base/arena.h"
#include "ground/span.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vd_crg_line {
  bool straight, closed;     /* closed: the last point is the first */
  double start[2];           /* m, world */
  double along[2];           /* direction at the start, unit, world */
  double per_u;              /* points per metre along the line, 1/m */
  int pieces;                /* number of points less one */
  const double (*node)[4];   /* [pieces + 1]: P and T of each point */
  const double (*piece)[16]; /* [pieces]: coefficients of 1, u, u2, u3 of P and T */

  /* map of the plane: for each cell the point that is nearest to its middle */
  double low[2], per_cell; /* m, corner of the map; cells per metre, 1/m */
  double wide, high;       /* numbers of cells less one */
  const int32_t *nearest;  /* [high + 1][wide + 1] */

  /* bounds of each piece, for v from `right` to `left` */
  double right, left; /* m: v of the road's borders */
  /* [pieces]: bound of |du|, 1/m, and of the slope of v along the road. NULL: the line is straight */
  const double (*bound)[2];
} vd_crg_line;

/* Coordinates of a place on the road, with exact derivatives by x and y. */
typedef struct vd_crg_place {
  double u, v;         /* u in points from the start; v in m */
  double du[2], dv[2]; /* derivatives by x and y, 1/m and 1 */
} vd_crg_place;

/* Bounds of the derivatives of u and v in a piece, for v within a range. */
typedef struct vd_crg_metric {
  double pace;        /* 1/m, |du| */
  double turn;        /* rad, angle by which T turns over a step of u */
  double skew;        /* m, dv/du along the cross section's normal */
  double change;      /* m, change of the pace with u */
  double skew_change; /* m, change of the skew with u */
} vd_crg_metric;

/* Makes a line through points (x, y), at least two. If it is closed, the last point is the first. width: v of the right
 * and the left border, m. The line belongs to the arena. */
vd_crg_line vd_crg_line_make(const double (*point)[2], size_t points, double increment, bool closed,
                             const double width[2], vd_arena *arena);

VD_INLINE void vd_crg_straight_at(double x, double y, const double *from, const double *along, double per_u,
                                  vd_crg_place *p) {
  double dx = x - from[0], dy = y - from[1];
  *p = (vd_crg_place){(dx * along[0] + dy * along[1]) * per_u,
                      dy * along[0] - dx * along[1],
                      {along[0] * per_u, along[1] * per_u},
                      {-along[1], along[0]}};
}

/* Does the work of vd_crg_line_at for a line that is not straight. */
void vd_crg_curved_at(const vd_crg_line *line, double x, double y, vd_crg_place *place);

VD_INLINE void vd_crg_line_at(const vd_crg_line *line, double x, double y, vd_crg_place *place) {
  if (line->straight)
    vd_crg_straight_at(x, y, line->start, line->along, line->per_u, place);
  else
    vd_crg_curved_at(line, x, y, place);
}

/* Returns the range of u, in points, that can be reached from u within a distance, while v stays within a range (NULL:
 * the width of the road); *skew: the greatest slope of v along the road in this range. The result is unbounded where
 * cross sections meet. */
vd_range vd_crg_line_within(const vd_crg_line *line, double u, double distance, const vd_range *v, double *skew);

/* Computes the bounds of a piece for a range of v (NULL: the width of the road). False: cross sections of the piece
 * meet within this range. A piece < 0 or beyond the last is straight. */
bool vd_crg_line_metric(const vd_crg_line *line, int piece, const vd_range *v, vd_crg_metric *metric);

#endif
