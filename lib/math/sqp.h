/* The minimum of an objective within limits, by sequential quadratic programming.
 *
 * Parameters are numbers from 0 to 1. A model gives values, each of which may count in the objective, have limits, or
 * both. The merit of a point is
 *
 *   f + rho c,  f = sum of weight value,  c = sum of max(low - value, value - high, 0)/scale
 *
 * Prices are the multipliers of the limits. If rho is greater than every price, the minimum of the merit meets all
 * limits. If they cannot all be met, rho is raised as long as that reduces c. Each iteration solves a quadratic program
 * with linear limits within a box around the best point (Fletcher, Practical Methods of Optimization, 2nd ed., section
 * 14.4), through its dual, one price after the other (Hildreth's method). Derivatives are central differences, which
 * are made together with the point that is tried, in one call; curvature is the BFGS formula with Powell's damping. */
#ifndef VD_SQP_H
#define VD_SQP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { VD_SQP_PARAMETERS = 64, VD_SQP_VALUES = 64 };

typedef struct vd_sqp_value {
  double weight;    /* in the objective */
  double low, high; /* limits, low <= high; infinite: none */
  double scale;     /* > 0: a violation that counts as 1 */
} vd_sqp_value;

typedef struct vd_sqp_problem {
  size_t parameters, values;
  const vd_sqp_value *value;
  const double *start;
  double settled; /* a step that no longer matters, as a share of the range */
  int iterations;
  /* Writes the values [count][values] at points x [count][parameters], which do not depend on each other. A value that
   * is not finite means that the model has no values at this point. */
  void (*many)(void *context, size_t count, const double *x, double *value);
  void *context;
} vd_sqp_problem;

enum vd_sqp_status {
  VD_SQP_SOLVED,
  VD_SQP_SLOW,     /* the iterations did not suffice; the best point so far is returned */
  VD_SQP_BLOCKED,  /* no step gives the change that derivatives predict: values jump, bend sharply or end there */
  VD_SQP_NO_VALUE, /* there are no values at the start */
};

typedef struct vd_sqp_solution {
  enum vd_sqp_status status;
  double x[VD_SQP_PARAMETERS], value[VD_SQP_VALUES];
  double start[VD_SQP_VALUES]; /* values at the start */
  /* price: d f/d limit of each value; > 0 at a lower limit, < 0 at an upper limit. bound_price: the same for the bounds
   * 0 and 1 of each parameter. */
  double price[VD_SQP_VALUES], bound_price[VD_SQP_PARAMETERS];
  double objective, violation; /* f, c */
  int iterations;
} vd_sqp_solution;

void vd_sqp_solve(const vd_sqp_problem *problem, vd_sqp_solution *out);

#endif
