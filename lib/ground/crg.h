/* Measured roads: heights on a grid that follows a reference line. */
#ifndef VD_CRG_H
#define VD_CRG_H

#include "ground/crg_line.h"
#include "ground/grid.h"

/* What lies beyond the ends and the sides; the values are the numbers of the standard. */
enum vd_crg_border { VD_CRG_NOTHING, VD_CRG_ZERO, VD_CRG_KEEP, VD_CRG_REPEAT, VD_CRG_REFLECT };

typedef struct vd_crg {
  vd_crg_line line;
  vd_grid grid; /* x across the road from the right, y along it */
  /* 1/m, [ny - 1][nx - 1]: bound of the upward curvature of each cell, in any horizontal direction, rounded up */
  const float *bend;
  double max_curvature;   /* 1/m: greatest value of `bend' */
  double steepest;        /* greatest slope between neighbouring heights, but at least tan 60 deg */
  double v, per_v;        /* v of the first column, m; columns per metre, 1/m */
  double before;          /* number of rows of the grid before the start of the line */
  int border_u, border_v; /* enum vd_crg_border */
} vd_crg;

/* Returns a bound, 1/m, of the upward curvature of a cell of the grid in any horizontal direction, from the second
 * derivatives of the height by u and v, and of u and v by x and y. If the direction has the components `along' and
 * `across', at most 1 each, u changes at the rate pace x along, and v at the rate across - skew x pace x along. */
static inline double vd_crg_bend(const vd_crg *c, const vd_crg_metric *m, size_t i, size_t j) {
  vd_curvature_bounds b = vd_grid_curvature(&c->grid, i, j);
  double by_u, by_v, skew = m->skew * m->pace, g = m->pace, aside = 1.0 + skew;
  vd_grid_slopes(&c->grid, i, j, &by_v, &by_u);
  b.xx *= c->per_v * c->per_v;
  by_v *= c->per_v;
  double own = (vd_fast_max(b.yy * g * g, b.xx) + b.xy * c->per_v * g) * aside * aside;
  double du = (2.0 * m->turn * g * g + m->change * g * g * g) * aside;
  double dv = m->turn * g + m->skew * m->turn * g * g + m->skew_change * g * g +
              m->skew * (m->change * g * g * g + m->turn * g * g * aside);
  double k = c->line.straight ? own : own + by_u * du + by_v * dv;
  return isnan(k) ? INFINITY : k;
}

#endif
