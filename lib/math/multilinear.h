/* Values on a grid over up to three coordinates: linear in each coordinate between its points, constant beyond its
 * ends. */
#ifndef VD_MULTILINEAR_H
#define VD_MULTILINEAR_H

enum { VD_GRID_AXES = 3 };

typedef struct vd_multilinear {
  int count[VD_GRID_AXES];          /* points of each axis; 1: the values do not depend on it */
  const double *axis[VD_GRID_AXES]; /* rising */
  const double *value;              /* [count[0]][count[1]][count[2]] */
} vd_multilinear;

double vd_multilinear_at(const vd_multilinear *g, const double *x);

#endif
