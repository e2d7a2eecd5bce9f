/* A file of kind study: a scenario or a suspension, the factors that vary in it, and the design. */
#ifndef VD_STUDY_DEF_H
#define VD_STUDY_DEF_H

#include "base/list.h"

enum {
  VD_STUDY_FACTORS = 200,
  VD_STUDY_CASES = 100000000,
};

/* How the value of a factor is computed from a number of the design. */
enum vd_factor_type {
  VD_FACTOR_UNIFORM,
  VD_FACTOR_NORMAL,
  VD_FACTOR_RANGE,   /* evenly spaced values */
  VD_FACTOR_LIST,    /* given values */
  VD_FACTOR_FORMULA, /* formula of other factors; it has no number in the design */
};

typedef struct vd_factor_def {
  const char *name; /* name of the factor's column; empty: made from the first key */
  /* dotted paths in the scenario that all receive the value; none: formulas and constraints alone use the factor */
  vd_names keys;
  int type;                          /* enum vd_factor_type */
  double from, to;                   /* uniform, range */
  int points;                        /* range */
  double mean, deviation, low, high; /* normal; low, high NAN: not truncated */
  vd_names values;                   /* values of a list, as in YAML */
  vd_numbers weights;                /* weights of a list, one for each value; none: all are equally likely */
  const char *formula;
} vd_factor_def;

/* A normal copula: the correlation of two factors as normal variables, before each is transformed to its own
 * distribution. */
typedef struct vd_correlation_def {
  vd_names of; /* two names of factors */
  double value;
} vd_correlation_def;

typedef struct vd_constraint_def {
  const char *formula;
  double above, below; /* SI; NAN: no bound */
} vd_constraint_def;

enum vd_design_type {
  VD_DESIGN_GRID,
  VD_DESIGN_RANDOM,
  VD_DESIGN_LATIN,
  VD_DESIGN_SOBOL,
  VD_DESIGN_SINGLE, /* one factor at a time */
  VD_DESIGN_MORRIS,
  VD_DESIGN_SALTELLI, /* for Sobol's indices */
  VD_DESIGN_TABLE,    /* rows of a CSV file */
};

typedef struct vd_design_def {
  int type;  /* enum vd_design_type */
  int count; /* number of random points, of trajectories with morris, or of base points with saltelli; 0: not given */
  int seed, levels;
  const char *file;
} vd_design_def;

enum vd_histories { VD_HISTORIES_NONE, VD_HISTORIES_SOME, VD_HISTORIES_ALL };

typedef struct vd_study_def {
  const char *title;
  int kind;
  const char *scenario, *suspension; /* one of the two is given */
  /* folder from which file names in settings and values start; "": the folder of the study */
  const char *folder;
  vd_names set;            /* KEY=VALUE, applied before the factors */
  vd_structs vary;         /* vd_factor_def */
  vd_structs correlations; /* vd_correlation_def */
  vd_structs constraints;  /* vd_constraint_def of factors; a case that violates one of the constraints is excluded */
  vd_design_def design;
  vd_names metrics;       /* names or patterns of the metrics that become columns */
  int histories;          /* enum vd_histories: the cases whose time history is kept */
  vd_structs interesting; /* vd_constraint_def of factors and metrics: the cases of VD_HISTORIES_SOME */
  /* vd_constraint_def of factors and metrics: a case that meets all these conditions ends a series of tests */
  vd_structs stop;
} vd_study_def;

extern const struct vd_schema vd_study_schema;

#endif
