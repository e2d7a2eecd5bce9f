/* Claims: what a validation file says about the models, as data, checked when it is read. See vdsim-validation(5). */
#ifndef VD_CLAIM_H
#define VD_CLAIM_H

#include "expression.h"
#include "quantity.h"
#include "scenario.h"
#include "table.h"

enum vd_claim_kind {
  VD_CLAIM_VALUE,    /* a figure of a run equals what is expected */
  VD_CLAIM_BOUND,    /* it lies above, below or between */
  VD_CLAIM_FORMULA,  /* a formula alone equals a published number */
  VD_CLAIM_MIRROR,   /* the mirrored scenario gives the mirrored motion */
  VD_CLAIM_ORDER,    /* order of convergence by three steps */
  VD_CLAIM_ENERGY,   /* the power ledger closes; energy never rises */
  VD_CLAIM_AGREE,    /* two runs agree */
  VD_CLAIM_TABLE,    /* the rows of a reference's table are reproduced */
  VD_CLAIM_REFUSED,  /* a bad input is refused in these words */
  VD_CLAIM_BOUNDARY, /* a reference's curve lies inside the run's boundaries */
  VD_CLAIM_BASELINE, /* nothing has changed since the baseline was written */
  VD_CLAIM_KINDS,
};

extern const char *const vd_claim_kind_names[];

/* What is taken of a channel's time history. */
enum vd_claim_of {
  VD_OF_FINAL,
  VD_OF_FIRST,
  VD_OF_MAXIMUM,
  VD_OF_MINIMUM,
  VD_OF_MEAN,
  VD_OF_PEAK, /* greatest magnitude */
  VD_OF_RMS,
  VD_OF_GAIN,  /* of the scenario's frequency response, at a frequency */
  VD_OF_PHASE, /* rad, there */
  VD_OFS,
};

extern const char *const vd_claim_of_names[];

/* A number with a unit, or a formula. */
typedef struct vd_expect_def {
  const char *value;   /* empty: none */
  const char *formula; /* empty: none */
} vd_expect_def;

/* One column of a reference's table. */
typedef struct vd_claim_column_def {
  const char *column;
  const char *is;   /* the quantity that it holds */
  const char *unit; /* of its numbers */
  vd_names tolerance;
} vd_claim_column_def;

/* A curve of a run with the tolerances of a boundary check (ISO 19364, ISO 19365). */
typedef struct vd_claim_curve_def {
  const char *x, *y;               /* channels, and columns of the reference */
  const char *column_x, *column_y; /* of the reference, if they are called otherwise; empty: the same */
  const char *x_offset, *x_gain, *y_offset, *y_gain;
} vd_claim_curve_def;

typedef struct vd_claim_def {
  const char *claim, *source;
  int verified; /* 0 yes, 1 no: limits that were not read in the primary text */
  int kind;     /* enum vd_claim_kind */
  const char *known_failure;
  vd_names each;
  vd_names where;
  const char *scenario, *against;
  vd_names set, against_set;
  const char *metric, *channel;
  int of; /* enum vd_claim_of */
  double from, to, frequency;
  vd_expect_def expect, above, below;
  const char *formula;
  vd_names tolerance;
  vd_names channels;
  double step;
  bool never_rises;
  const char *table, *tyre, *suspension;
  vd_structs columns; /* vd_claim_column_def */
  vd_numbers rows;
  const char *words;
  const char *reference;
  vd_structs curves; /* vd_claim_curve_def */
  const char *baseline;
} vd_claim_def;

typedef struct vd_validation_def {
  const char *title, *source, *scenario;
  vd_names set, where;
  vd_structs claims; /* vd_claim_def */
} vd_validation_def;

extern const vd_schema vd_validation_schema;

/* --- a file as it was read: everything resolved, one item for each value of `each` --- */

enum { VD_CLAIM_CURVES = 8, VD_CLAIM_COLUMNS = 24, VD_WHERE_MAX = 32 };

/* A run that a claim asks for. */
typedef struct vd_claim_run {
  const char *scenario; /* path from the working directory; empty: none */
  const vd_setting *set;
  size_t set_count;
} vd_claim_run;

typedef struct vd_where {
  const char *name;
  const vd_expression *value;
} vd_where;

/* Expected: a number or a formula; neither: not given. */
typedef struct vd_expected {
  bool given;
  vd_quantity quantity;
  const vd_expression *formula;
  const char *text; /* as written */
} vd_expected;

typedef struct vd_claim {
  const char *file; /* as it was found */
  vd_place place;   /* of the claim's sentence */
  int number;       /* from 1, in its file */
  char name[120];   /* "single_track/3": stem of the file and number */
  const vd_claim_def *def;
  vd_claim_run run, against;
  const vd_channel *channel; /* or NULL */
  vd_tolerance tolerance;
  vd_expected expect, above, below;
  const vd_expression *formula;
  const vd_where *where; /* in order; a later one of the same name hides an earlier */
  size_t where_count;
  vd_csv table; /* of table, boundary, baseline */
  struct {
    int column;   /* of the table */
    int quantity; /* see claim_table.c */
    vd_unit unit;
    vd_tolerance tolerance;
  } columns[VD_CLAIM_COLUMNS];
  struct {
    const vd_channel *x, *y;
    int column_x, column_y;
    double x_offset, x_gain, y_offset, y_gain; /* SI, shares */
  } curves[VD_CLAIM_CURVES];
  size_t column_count, curve_count;
} vd_claim;

typedef struct vd_claims {
  vd_claim *claim;
  size_t count, capacity;
} vd_claims;

/* Reads a validation file and adds its claims; false after errors, all in d. */
bool vd_claims_read(const char *path, vd_arena *arena, vd_diag *d, vd_claims *out);

/* One line per key, as vd_schema_list. */
void vd_claims_list_keys(vd_buf *out);

#endif
