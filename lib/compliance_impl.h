/* Potential energies and constraints of bodies that turn by any angle, with exact first and second derivatives: the equations of
 * equilibrium that compliance.c solves.
 *
 * Each body's turn is a unit quaternion; its three coordinates are the rotation vector of a further turn about the axes of the
 * chassis, q <- exp(phi/2) q, taken about phi = 0. To the second order a vector r of the body then goes to
 *   r + phi x r + phi x (phi x r)/2. */
#ifndef VD_COMPLIANCE_IMPL_H
#define VD_COMPLIANCE_IMPL_H

#include "compliance.h"

#include <string.h>

enum {
  VD_COORDINATES = 6 + 6 * VD_MEMBERS, /* knuckle, and each member's offset and turn */
  VD_ROWS = 3 * VD_MEMBERS + 3,        /* constraints: most are of rods with balls at both ends */
  VD_UNKNOWNS = VD_COORDINATES + VD_ROWS
};

enum { VD_SHIFT = 0, VD_TURN = 3 }; /* columns of the knuckle */

/* Gradient and Hessian of U - W + sum of multiplier x constraint, and behind the coordinates the constraints themselves. */
typedef struct vd_equations {
  int coordinates, rows;
  double value[VD_UNKNOWNS];
  double matrix[VD_UNKNOWNS][VD_UNKNOWNS];
  double multiplier[VD_ROWS];
  double energy; /* J */
} vd_equations;

/* How a point depends on the coordinates: the knuckle's shift, an offset, vectors that turn with bodies, and a slide along a
 * direction of the first of them. A column < 0: not at all. */
typedef struct vd_reach {
  int shift, offset, slide;
  int turns, turn[2];
  double arm[2][3];
  double along[3];
} vd_reach;

static inline double vd_dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vd_cross3(const double *a, const double *b, double *out) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* The change R b - b of a vector, of full relative precision however small. q: scalar part first. */
void vd_turn_change(const double *q, const double *b, double *change);
/* R b */
void vd_turned(const double *q, const double *b, double *r);
/* q <- exp(phi/2) q, of unit length, scalar part >= 0. */
void vd_turn_on(const double *phi, double *q);
/* The smallest turn that takes direction `from` to direction `to`, of any lengths. */
void vd_turn_between(const double *from, const double *to, double *q);
void vd_turn_from_matrix(double turn[3][3], double *q);
void vd_turn_matrix(const double *q, double turn[3][3]);

/* Adds what depends on one point, of which gradient f and Hessian k (NULL: zero) are given. */
void vd_add_point(vd_equations *e, const vd_reach *reach, const double *f, double k[3][3]);
/* A new constraint f(point) = value, its Hessian k with its multiplier. Returns its number. */
int vd_add_row(vd_equations *e, const vd_reach *reach, double value, const double *f, double k[3][3]);
/* A new constraint (R n) . (place - a) + n . b = value: m = R n, d = place - a, of the knuckle. */
int vd_add_slide(vd_equations *e, double value, const double *m, const double *d);
/* Energy t'C t/2 of a body's turn, t = 2 vec(q), C diagonal. */
void vd_add_turn(vd_equations *e, int turn, const double *q, const double *c);
/* Energy v'K v/2 of a point's displacement v, K diagonal. */
void vd_add_spring(vd_equations *e, const vd_reach *reach, const double *v, const double *k);

#endif
