/* The search that all fits use. It tries starts, leaves out parameters that the values do not determine, and finds the
 * remaining ones by least squares. The model is given by callbacks. */
#ifndef VD_FIT_SEARCH_H
#define VD_FIT_SEARCH_H

#include "math/least_squares.h"

typedef struct vd_fit_progress {
  void (*show)(void *context, double share); /* 0 to 1; NULL: not called */
  void *context;
} vd_fit_progress;

/* A round in which starts are tried. */
typedef struct vd_fit_round {
  size_t rows; /* approximate number of the model's rows that are used; 0: all */
  int iterations;
  int best; /* number of starts that are tried: the ones with the least cost so far */
} vd_fit_round;

typedef struct vd_fit_model {
  /* Writes the values [problem.rows] at each of the points x [count][parameters]; parameters that are left out have the
   * value `before'. Values that are not finite mean that the model has no values at these figures. */
  void (*values)(void *context, size_t count, const double *x, double *value);
  /* Changes x [parameters] from the first start to start i >= 1. */
  void (*start)(void *context, int i, double *x);
  /* Returns a context for a part of about `rows' rows, and sets *part to its values; NULL: all rows are used. */
  void *(*thin)(void *context, size_t rows, vd_arena *arena, vd_ls_problem *part);
  /* Called for a parameter that is left out; may be NULL. */
  void (*leave_out)(void *context, size_t parameter);
  bool at_once; /* points are computed faster in groups than one by one */
  /* Parameters are also left out if there are more parameters than values, or if the solution shows that they are
   * undetermined. */
  bool prunes;
  size_t spare; /* number of values needed beyond the number of parameters, for an estimate of the scatter */
} vd_fit_model;

typedef struct vd_fit_parameter {
  vd_ls_parameter x;
  double before; /* value of the parameter if it is left out */
  bool needed;   /* the parameter must not be left out */
  bool left_out;
} vd_fit_parameter;

typedef struct vd_fit_search {
  const vd_fit_model *model;
  void *context;         /* context of the model */
  vd_ls_problem problem; /* the values; the search sets the parameters and functions */
  vd_fit_parameter *parameter;
  size_t parameters;
  /* [count]: indices of the parameters that are searched; the search sets this and the following members */
  size_t *at, count;
  int starts;
  vd_fit_round round[2]; /* rounds in which starts are tried; a round with `best' 0 is skipped */
  vd_arena *arena;
  const vd_fit_progress *progress;
  double from, to; /* interval of the progress */
  double pace;     /* share of the remaining progress per iteration, because the number of iterations is not known */
  int steps;
} vd_fit_search;

/* True if there are enough values to determine the parameters that are searched. */
bool vd_fit_search_enough(const vd_fit_search *f);

/* Runs the search; the solution is for the parameters at[]. False: too few values, or no parameters, are left. */
bool vd_fit_search_run(vd_fit_search *f, vd_ls_solution *s);

/* Searches again after a search, from x [parameters], with the present weights of the problem. It searches the
 * parameters at[] except `held' (an index of a parameter; SIZE_MAX: none); all others stay at x. Starts are not tried
 * and covariances are not computed. The solution is for the remaining parameters, in their order. */
void vd_fit_search_again(const vd_fit_search *f, const double *x, size_t held, vd_ls_solution *s);

#endif
