/* Studies: many runs of one scenario or of one suspension, whose keys vary by a design.
 *
 * Case i depends only on the study and on i. Every case can be computed separately, in any process and in any order,
 * with the same bytes. vdsim-study(5) describes the file. */
#ifndef VD_STUDY_H
#define VD_STUDY_H

#include "input/expression.h"
#include "input/table.h"
#include "metrics/metrics.h"
#include "run/kind.h"
#include "run/study_def.h"

#include <stdint.h>

struct vd_setting;

/* A value of a factor: the value of its keys, and the text of its column. */
typedef struct vd_factor_value {
  const char *text; /* YAML in one line; NULL: the keys are not changed */
  double number;    /* SI; NAN: the value is a word */
  const char *word; /* if the value is a word: the word without quotes, as its column shows it */
} vd_factor_value;

typedef struct vd_factor {
  const vd_factor_def *def;
  const char *name, *unit; /* unit: SI unit of its key; "": the value is not a number, or there is no key */
  bool numeric;
  int dimension;          /* index of its number in the design; -1: it has none */
  vd_factor_value *level; /* levels of range and list; NULL for others */
  size_t levels;
  double *share;        /* list: cumulative shares of the levels; the last is 1 */
  double low, high;     /* normal: probabilities at which the distribution is truncated */
  vd_factor_value base; /* value in the scenario without factors */
  const vd_expression *formula;
} vd_factor;

typedef struct vd_constraint {
  const vd_constraint_def *def;
  const vd_expression *formula;
} vd_constraint;

/* A study that was read; it is constant afterwards. */
typedef struct vd_study {
  vd_study_def def;
  const vd_node *root; /* root of the file's tree, for places */
  vd_arena *arena;
  enum vd_kind kind; /* kind of the scenario or suspension that is varied */
  const char *path;  /* path and text of its file */
  const char *text;
  size_t length;
  const char *folder;   /* folder from which file names in its settings start */
  const vd_node *plain; /* the complete scenario without factors, in SI */
  vd_factor *factor;
  size_t factors;
  size_t dimensions; /* number of dimensions of the design */
  vd_constraint *constraint, *interesting, *stop;
  const vd_metric_info *metric; /* the metrics that become columns */
  size_t metrics;
  size_t count;    /* number of cases */
  uint64_t hash;   /* hash of everything read and of the version; only cases with equal hashes belong together */
  uint32_t *order; /* latin_hypercube: [dimensions][count] */
  /* [dimensions][dimensions]: lower triangle of the matrix that correlates the factors; NULL: no factors are
   * correlated */
  double *mixing;
  vd_factor_value *row; /* design list: [count][factors] */
  /* maps that were made when the study was read, and that its cases share; they belong to its reader. May be NULL */
  struct vd_cache *maps;
} vd_study;

/* Reads a study from a registered source and, once, the scenario that it varies. The study belongs to the arena.
 * Returns false after errors, which are all in d. */
bool vd_study_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                          vd_study *out);

/* A walk through the cases of a study, in any order; rising order is fastest. */
typedef struct vd_study_walk vd_study_walk;
vd_study_walk *vd_study_walk_start(const vd_study *study);
void vd_study_walk_finish(vd_study_walk *walk); /* accepts NULL */

/* Computes the values of all factors in case i. False: a constraint does not hold, and the case is excluded. */
bool vd_study_levels(vd_study_walk *walk, size_t i, vd_factor_value *level);

/* Options of a case's run. */
typedef struct vd_case_options {
  enum vd_digits digits;
  bool strict;
  /* open: opens the log for the time history of a case; NULL: no histories are written. close: receives the log when it
   * is complete. */
  vd_output *(*open)(void *context, size_t i);
  void (*close)(void *context, size_t i, vd_output *log, bool whole);
  void *context;
} vd_case_options;

/* Runs case i, and writes its line of the table of results, with the newline: number, status, factors, metrics. The
 * status is `ok`, `excluded`, `no answer: GOAL` of a search, `ended: WHY` (overturned, ...) or `refused: WHY`. */
void vd_study_case(vd_study_walk *walk, size_t i, const vd_case_options *options, vd_buf *line);
/* Writes the line of a case whose process died; how: the status. */
void vd_study_died(vd_study_walk *walk, size_t i, const char *how, enum vd_digits digits, vd_buf *line);
/* Returns the settings of a case, which are valid until the next call. *why: NULL, or the reason why the case is not
 * run. */
const struct vd_setting *vd_study_settings(vd_study_walk *walk, size_t i, size_t *count, const char **why);

/* Endings of a case, in the order of summaries. */
enum vd_ending {
  VD_CASE_OK,
  VD_CASE_EXCLUDED,
  VD_CASE_UNANSWERED, /* a search without an answer */
  VD_CASE_ENDED,
  VD_CASE_REFUSED,
  VD_CASE_DIED,
  VD_ENDINGS,
};
/* Returns the ending that the status in a line of the table means. */
enum vd_ending vd_ending_of(const char *line);

/* Writes the first line of the table of results; factors_only: of the table that shows a design without running it. */
void vd_study_header(const vd_study *study, bool factors_only, vd_buf *line);
/* Writes the line of a case in the table that shows a design without running it. */
void vd_study_plan(vd_study_walk *walk, size_t i, enum vd_digits digits, vd_buf *line);

#endif
