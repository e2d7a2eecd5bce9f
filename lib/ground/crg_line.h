/* The reference line of a measured road, and coordinates along and across it.
 *
 * A file gives points P_i at equal distances and, by the bisectors of the angles there, unit tangents T_i. Between them
 * both are Keys' cubics of the same parameter u, which counts points: P(u) and T(u). The cross section of u is the line
 * through P(u) at right angles to T(u), and v is the distance along it. At the points this is the standard's
 * construction; between them its polyline has corners, which a car would feel through the slopes of the road, and the
 * cubics lie off it by at most 1/8 of curvature times the square of the distance of the points. u and v have continuous
 * derivatives by x and y. Beyond its ends the line is straight. */
#ifndef VD_CRG_LINE_H
#define VD_CRG_LINE_H

#include "base/arena.h"
#include "ground/span.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vd_crg_line {
  bool straight, closed;     /* closed: the last point is the first */
  double start[2];           /* m, world */
  double along[2];           /* unit, world: at the start */
  double per_u;              /* 1/m: points along the line */
  int pieces;                /* points less one */
  const double (*node)[4];   /* [pieces + 1]: P and T of each point */
  const double (*piece)[16]; /* [pieces]: coefficients of 1, u, u2, u3 of P and T */

  /* a map of the plane: the point nearest to the middle of each cell */
  double low[2], per_cell; /* m, 1/m */
  double wide, high;       /* cells less one */
  const int32_t *nearest;  /* [high + 1][wide + 1] */

  /* bounds of each piece, for places within the width */
  double right, left;       /* m: v */
  const double (*bound)[2]; /* [pieces]: 1/m, |du|; slope of v along the road. NULL: the line is straight */
} vd_crg_line;

/* Coordinates of a place on the road, with exact derivatives by x and y. */
typedef struct vd_crg_place {
  double u, v;         /* points from the start; m */
  double du[2], dv[2]; /* 1/m; 1 */
} vd_crg_place;

/* Bounds of the derivatives of u and v in a piece, for v within a range. */
typedef struct vd_crg_metric {
  double pace;        /* 1/m, |du| */
  double turn;        /* rad, turn of T over a step of u */
  double skew;        /* m, dv/du along the cross section's normal */
  double change;      /* m, change of the pace with u */
  double skew_change; /* m, change of the skew with u */
} vd_crg_metric;

/* A line through points (x, y), two at least, one for two is `closed`; `right` and `left`: m, v of the road's borders.
 * Points and memory belong to the arena. */
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

/* As vd_crg_line_at, for a line that is not straight. */
void vd_crg_curved_at(const vd_crg_line *line, double x, double y, vd_crg_place *place);

VD_INLINE void vd_crg_line_at(const vd_crg_line *line, double x, double y, vd_crg_place *place) {
  if (line->straight)
    vd_crg_straight_at(x, y, line->start, line->along, line->per_u, place);
  else
    vd_crg_curved_at(line, x, y, place);
}

/* The range of u, in points, that can be reached from u within a distance, as long as v stays within a range, NULL: the
 * width; *skew: the greatest slope of v along the road there. Without an end where cross sections meet. */
vd_range vd_crg_line_within(const vd_crg_line *line, double u, double distance, const vd_range *v, double *skew);

/* False: within the range of v, NULL: the width, cross sections of the piece meet. A piece < 0 or beyond the last is
 * straight. */
bool vd_crg_line_metric(const vd_crg_line *line, int piece, const vd_range *v, vd_crg_metric *metric);

#endif
