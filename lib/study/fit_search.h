/* The search that all fits have in common: starts are tried, parameters that the values do not determine are left out,
 * least squares find the others. What is fitted is a model in callbacks. */
#ifndef VD_FIT_SEARCH_H
#define VD_FIT_SEARCH_H

#include "math/least_squares.h"

typedef struct vd_fit_progress {
  void (*show)(void *context, double share); /* 0 to 1; NULL: not called */
  void *context;
} vd_fit_progress;

/* One look at the starts. */
typedef struct vd_fit_round {
  size_t rows; /* about as many of the model's rows as are used; 0: all */
  int iterations;
  int best; /* number of starts that take part, the ones of least cost */
} vd_fit_round;

typedef struct vd_fit_model {
  /* Writes the values [problem.rows] at each of the points x [count][parameters], at which parameters that are left
   * out have their values from before the search. Not finite: there are none. */
  void (*values)(void *context, size_t count, const double *x, double *value);
  /* Changes x [parameters], which are the starts of the parameters, to the ith start, from 1. */
  void (*start)(void *context, int i, double *x);
  /* The context for a part of about so many rows, and its values in *part; NULL: all take part. */
  void *(*thin)(void *context, size_t rows, vd_arena *arena, vd_ls_problem *part);
  /* Told of a parameter that is left out; may be NULL. */
  void (*leave_out)(void *context, size_t parameter);
  bool at_once; /* several points are better computed together */
  /* Parameters are also left out where they exceed the values, and where the end shows that they are undetermined. */
  bool prunes;
  size_t spare; /* values that are needed above the number of parameters, for an estimate of the scatter */
} vd_fit_model;

typedef struct vd_fit_parameter {
  vd_ls_parameter x;
  double before; /* what is taken of it when it is left out */
  bool needed;   /* it must not be left out */
  bool left_out;
} vd_fit_parameter;

typedef struct vd_fit_search {
  const vd_fit_model *model;
  void *context;         /* context of the model */
  vd_ls_problem problem; /* the values; the search sets its parameters and functions */
  vd_fit_parameter *parameter;
  size_t parameters;
  size_t *at, count; /* which of them are searched: made by the search, as the following */
  int starts;
  vd_fit_round round[2]; /* rounds of trying starts, as far as their `best` is above 0 */
  vd_arena *arena;
  const vd_fit_progress *progress;
  double from, to; /* shares of the progress */
  double pace;     /* share of what is left that an iteration does: how many there will be is not known */
  int steps;
} vd_fit_search;

/* Whether there are enough values for what is searched. */
bool vd_fit_search_enough(const vd_fit_search *f);

/* The solution is of the parameters at[]. False: there is none, since too few values or no parameters are left. */
bool vd_fit_search_run(vd_fit_search *f, vd_ls_solution *s);

#endif
