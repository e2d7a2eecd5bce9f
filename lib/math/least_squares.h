/* Nonlinear least squares with bounds and robust loss: parameters of a model from measured values.
 *
 * A row is one measured value. Rows belong to groups, whose values have one unit and one scatter (standard deviation of
 * the noise), which is estimated from the residuals. What is minimised is
 *
 *   sum of e^2 rho(u),  u = weight (model - measured)/scatter of the group,  e = emphasis of the group
 *
 * with rho(u) = u^2/2, or Huber's or Cauchy's loss, by iterative reweighting: trust region (GSL's gsl_multifit_nlinear)
 * with constant weights, then new scatters and weights, until they stay.
 *
 * Bounds are kept by a smooth transformation p(q) of each parameter, with q unlimited:
 *   two bounds   p = (low + high)/2 + (high - low)/2 q/sqrt(1 + q^2)
 *   one bound    p = low + size (q/2 + sqrt(1 + q^2/4)),  or high - size (...)
 *   none         p = start + size q
 *
 * A scatter may also be known: rows of such a group are given in scatters, and theirs stays 1.
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
  double size;      /* > 0: a change that matters; used without bounds or with one */
} vd_ls_parameter;

enum vd_ls_work {
  VD_LS_SOLVE,
  VD_LS_CHECK,   /* only what the rows determine at the start */
  VD_LS_EXPLORE, /* one round of squares from the start, without a look at what the rows determine */
};

/* Writes the values of the model [rows]. A value that is not finite means that the model has none here; a step that
 * leads here is not taken. */
typedef void vd_ls_model(void *context, const double *parameter, double *value);
/* Writes the values of the model at several points, parameter [count][parameters] and value [count][rows], in any
 * order, also in parallel. */
typedef void vd_ls_models(void *context, size_t count, const double *parameter, double *value);

typedef struct vd_ls_problem {
  /* rows: at least as many as parameters, more if a scatter is to be estimated, any number for a check; without
   * parameters scatters and residuals are the result */
  size_t parameters, rows, groups;
  const vd_ls_parameter *parameter;
  const double *measured; /* [rows] */
  const double *weight;   /* [rows], >= 0: inverse of a row's standard deviation relative to its group's */
  const size_t *group;    /* [rows] */
  const double *emphasis; /* [groups], > 0 */
  const bool *known;      /* [groups]: its scatter is 1; NULL: none is */
  enum vd_loss loss;
  enum vd_ls_work work;
  int iterations; /* at most, in each round of weights */
  vd_ls_model *model;
  vd_ls_models *many; /* NULL: one after the other */
  /* for a model whose values are not exact to the last digits; 0: as for one whose values are */
  double difference; /* step of q for derivatives */
  double singular;   /* smallest singular value of the Jacobian with columns of length 1 */
  double settled;    /* relative change of the scatters after which the weights stay */
  int patience;      /* steps without gain that end a round */
  void *context;
  void (*step)(void *context); /* called after each iteration; NULL: not */
} vd_ls_problem;

enum vd_ls_status {
  VD_LS_SOLVED,
  VD_LS_SLOW,         /* the iterations did not suffice; the best parameters so far are returned */
  VD_LS_NOT_FINITE,   /* the model is not finite at the start */
  VD_LS_NO_EFFECT,    /* at the start: the rows do not depend on the marked parameters, or as in VD_LS_UNDETERMINED */
  VD_LS_UNDETERMINED, /* the rows depend on a combination of marked parameters only; at the start (iterations 0): on
                       * combinations of each marked one with parameters before it */
};

/* Arrays are in the arena. */
typedef struct vd_ls_solution {
  enum vd_ls_status status;
  double *parameter;  /* [parameters] */
  double *covariance; /* [parameters][parameters] of the estimate; 0 of those at a bound */
  bool *at_bound;     /* [parameters] */
  bool *marked;       /* [parameters], see the status */
  double *value;      /* [rows] of the model */
  double *row_weight; /* [rows], 0..1: what robust loss makes of a row; 1 without */
  double *scatter;    /* [groups] */
  double freedom;     /* rows of a weight above 0, less parameters */
  int iterations;     /* in all rounds */
  bool blocked;       /* the last step led to where the model has no value: this need not be a minimum */
} vd_ls_solution;

void vd_ls_solve(const vd_ls_problem *problem, vd_arena *arena, vd_ls_solution *out);

/* Sum of the squares of the residuals of all rows, in sums of the squares of their group's measured values, or in known
 * scatters. It serves to compare starts. */
double vd_ls_cost(const vd_ls_problem *problem, const double *value);

/* The factor on a standard deviation for a two-sided confidence interval, by Student's distribution; with infinite
 * freedom, by the normal one. */
double vd_ls_quantile(double confidence, double freedom);

#endif
