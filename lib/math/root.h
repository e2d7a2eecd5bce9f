/* Search for the place at which a continuous function falls to zero, with as few evaluations as possible. */
#ifndef VD_ROOT_H
#define VD_ROOT_H

#include <stdbool.h>

enum { VD_ROOT_POINTS = 3 };

typedef struct vd_root {
  double low, high; /* the function is >= 0 at low, and < 0 at high */
  double tolerance;
  int slow; /* number of successive places that have not halved the interval */
  /* the last places and values, newest first */
  double x[VD_ROOT_POINTS], f[VD_ROOT_POINTS];
} vd_root;

/* Starts a search within low..high. x: a third place, where the function is about f (NAN: unknown). */
void vd_root_start(double low, double high, double f_high, double x, double f, double tolerance, vd_root *root);

/* Computes the place at which the function is to be evaluated next. Returns false if the interval is at most as wide as
 * the tolerance. Places come from the inverse parabola through the last three points (Brent, Algorithms for
 * Minimization without Derivatives, 1973, chapter 4), whose error falls with an order of 1.84, or else from a secant;
 * half the tolerance is added, so that the last two places lie on both sides of the root. The interval is bisected if
 * four successive places have not halved it, or if one has not and the secant leads out of the interval. */
bool vd_root_next(const vd_root *root, double *x);

/* Adds the value f of the function at x. */
void vd_root_put(double x, double f, vd_root *root);

#endif
