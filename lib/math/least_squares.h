/* Nonlinear least squares with bounds and robust loss: parameters of a model from measured values.
 *
 * A row is one measured value. Rows belong to groups, whose values have one unit and one scatter (standard deviation of
 * the noise), which is estimated from the residuals. The problem is to minimise
 *
 *   sum of e^2 rho(u),  u = weight (model - measured)/scatter of the group,  e = emphasis of the group
 *
 * with rho(u) = u^2/2, or Huber's or Cauchy's loss, by iterative reweighting: trust region (GSL's gsl_multifit_nlinear)
 * with constant weights, then new scatters and weights, until these no longer change.
 *
 * Each parameter p stays within its bounds because it is a smooth function p(q) of an unlimited q:
 *   two bounds   p = (low + high)/2 + (high - low)/2 q/sqrt(1 + q^2)
 *   one bound    p = low + size (q/2 + sqrt(1 + q^2/4)),  or high - size (...)
 *   none         p = start + size q
 *
 * A scatter may also be known: the rows of such a group are given as multiples of it, and the scatter stays 1.
 *
 * GSL's linear algebra gives the same bits on each run of a build, but need not on other machines. */
#ifndef VD_LEAST_SQUARES_H
#define VD_LEAST_SQUARES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum vd_loss { VD_LOSS_SQUARES, VD_LOSS_HUBER, VD_LOSS_CAUCHY };

typedef struct vd_ls_parameter {
  double start;     /* within the bounds */
  double low, high; /* infinite: no bound */
  double size;      /* > 0: a change that matters; used if there are not two bounds */
} vd_ls_parameter;

enum vd_ls_work {
  VD_LS_SOLVE,
  VD_LS_CHECK,   /* only finds which parameters the rows determine at the start */
  VD_LS_EXPLORE, /* one round from the start without robust loss, and without the check of VD_LS_CHECK */
};

/* Writes the values of the model [rows]. A value that is not finite means that the model has no value at this point; a
 * step to such a point is not taken. */
typedef void vd_ls_model(void *context, const double *parameter, double *value);
/* Writes the values of the model at several points, parameter [count][parameters] and value [count][rows], in any
 * order, also in parallel. */
typedef void vd_ls_models(void *context, size_t count, const double *parameter, double *value);

typedef struct vd_ls_problem {
  /* rows: at least as many as parameters, more if a scatter is to be estimated; any number for VD_LS_CHECK. Without
   * parameters the result is the scatters and residuals */
  size_t parameters, rows, groups;
  const vd_ls_parameter *parameter;
  const double *measured; /* [rows] */
  const double *weight;   /* [rows], >= 0: inverse of a row's standard deviation relative to its group's */
  const size_t *group;    /* [rows] */
  const double *emphasis; /* [groups], > 0 */
  const bool *known;      /* [groups]: true if the scatter is known; NULL: no scatter is known */
  enum vd_loss loss;
  enum vd_ls_work work;
  int iterations; /* greatest number in each round of weights */
  vd_ls_model *model;
  vd_ls_models *many; /* NULL: points are evaluated one after the other */
  /* for a model whose values are not exact to the last digits; 0: the value for exact models */
  double difference; /* step of q for derivatives */
  double singular;   /* smallest singular value of the Jacobian with columns of length 1 */
  double settled;    /* relative change of the scatters below which weights are no longer changed */
  int patience;      /* steps without gain that end a round */
  void *context;
  void (*step)(void *context); /* called after each iteration; may be NULL */
} vd_ls_problem;

enum vd_ls_status {
  VD_LS_SOLVED,
  VD_LS_SLOW,       /* the iterations did not suffice; the best parameters so far are returned */
  VD_LS_NOT_FINITE, /* the model is not finite at the start */
  /* found at the start: the rows do not depend on the marked parameters, or only on combinations as in
   * VD_LS_UNDETERMINED */
  VD_LS_NO_EFFECT,
  /* the rows depend only on a combination of the marked parameters; at the start (iterations 0): each marked parameter
   * has nearly the effect of a combination of parameters before it */
  VD_LS_UNDETERMINED,
};

/* Arrays are in the arena. */
typedef struct vd_ls_solution {
  enum vd_ls_status status;
  double *parameter;  /* [parameters] */
  double *covariance; /* [parameters][parameters] of the estimate; 0 for parameters at a bound */
  bool *at_bound;     /* [parameters] */
  bool *marked;       /* [parameters], see the status */
  double *value;      /* [rows] of the model */
  double *row_weight; /* [rows], 0..1: weight of a row by robust loss; 1 without robust loss */
  double *scatter;    /* [groups] */
  double freedom;     /* degrees of freedom: number of rows with a weight above 0, less number of parameters */
  int iterations;     /* in all rounds */
  /* the last step led to a point where the model has no value, so the result need not be a minimum */
  bool blocked;
} vd_ls_solution;

void vd_ls_solve(const vd_ls_problem *problem, vd_arena *arena, vd_ls_solution *out);

/* Returns the sum of the squares of the residuals of all rows. The squares of a group are divided by the sum of the
 * squares of its measured values, or by its scatter squared if that is known. It serves to compare starts. */
double vd_ls_cost(const vd_ls_problem *problem, const double *value);

/* Returns the factor on a standard deviation for a two-sided confidence interval, by Student's distribution; with
 * infinite freedom, by the normal one. */
double vd_ls_quantile(double confidence, double freedom);

#endif
