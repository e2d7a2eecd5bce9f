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
  /* 1/m, [ny - 1][nx - 1]: bound of the upward curvature of each cell, in any horizontal direction */
  const double *bend;
  double max_curvature;   /* 1/m: greatest of these */
  double steepest;        /* greatest slope between neighbouring heights, but at least tan 60 deg */
  double v, per_v;        /* v of the first column, m; columns per metre, 1/m */
  double before;          /* number of rows of the grid before the start of the line */
  int border_u, border_v; /* enum vd_crg_border */
} vd_crg;

/* 1/m: how sharply a cell of the grid bends upwards in any horizontal direction. */
double vd_crg_bend(const vd_crg *road, const vd_crg_metric *metric, size_t across, size_t along);

#endif
