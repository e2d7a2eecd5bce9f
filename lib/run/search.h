/* Searches for the value of a key at which a run begins or ceases to meet a goal, by bisection over trials. The caller
 * runs the trials; these functions determine which values to try next, and evaluate the results.
 *
 * Each goal sets bounds for one metric. The result is the lowest value of the key above which the goal holds, or the
 * highest value below which it holds. The goal does not hold in a trial whose metric cannot be computed or, unless the
 * goal is `partial', whose run failed. */
#ifndef VD_SEARCH_H
#define VD_SEARCH_H

#include "input/tree.h"
#include "metrics/metrics.h"

enum {
  VD_SEARCH_GOALS = 16,
  VD_SEARCH_SCAN = 1000, /* greatest number of points between the ends that are tried first */
};

enum vd_search_side { VD_SEARCH_LOWEST, VD_SEARCH_HIGHEST };

typedef struct vd_goal_def {
  const char *name, *metric;
  double above, below; /* in the metric's unit; NAN: no bound */
  int side;            /* enum vd_search_side */
  bool partial;        /* the goal can also hold in a run that failed */
  const char *remark;  /* note on the value that is found */
} vd_goal_def;

typedef struct vd_search_def {
  const char *key;            /* dotted path of a number; empty: no search */
  double from, to, tolerance; /* in the unit of the key */
  int scan;
  vd_structs goals; /* vd_goal_def */
  const char *unit; /* unit of the key; set by vd_search_check */
} vd_search_def;

extern const struct vd_schema vd_search_schema;

static inline bool vd_search_asked(const vd_search_def *def) {
  return *def->key != '\0';
}

/* Checks the block `search` of root against the keys of `scenario` and the metrics of `sets`, whose names must be
 * valid; sets the unit. */
void vd_search_check(vd_search_def *def, const struct vd_schema *scenario, const vd_names *sets, const vd_node *root,
                     vd_arena *arena, vd_diag *d);

/* One run. */
typedef struct vd_trial {
  double value;                   /* value of the key */
  double metric[VD_SEARCH_GOALS]; /* metric of each goal; for a run that failed, up to its failure; NAN: no value */
  char failure[240];              /* why the run failed; empty if the run did not fail */
  double end_time;                /* s */
} vd_trial;

typedef struct vd_search {
  const vd_search_def *def;
  vd_trial *trial; /* in the order in which they were requested */
  size_t count, capacity;
} vd_search;

void vd_search_init(vd_search *s, const vd_search_def *def);
void vd_search_finish(vd_search *s);

/* Adds the trials to be run next, and returns their number. The values of these trials are set, and the trials do not
 * depend on each other. All earlier trials must have been run. The first trials are both ends and the points of the
 * scan, later ones the middle of each goal's bracket. Each value is tried once, even if several goals need it. 0: the
 * search is complete. */
size_t vd_search_next(vd_search *s);

/* True if a goal of the search holds in a trial. */
bool vd_search_holds(const vd_search *s, size_t goal, const vd_trial *trial);

enum vd_search_outcome {
  VD_SEARCH_FOUND,
  VD_SEARCH_BOTH,     /* the goal holds at both ends */
  VD_SEARCH_NEITHER,  /* the goal holds at neither end */
  VD_SEARCH_REVERSED, /* the goal holds only at the end at which its side requires it not to hold */
};

typedef struct vd_search_answer {
  enum vd_search_outcome outcome;
  /* value: the end of the bracket at which the goal holds. value, low and high are valid only with VD_SEARCH_FOUND */
  double value;
  double low, high; /* the bracket, at most the tolerance wide after the last trial */
  /* number of changes between holding and not holding over all trials in the order of their values: 1 if the goal is
   * monotonic */
  size_t changes;
} vd_search_answer;

/* Finds the result of a goal. If there are several changes, a lowest value is at the highest change, and a highest
 * value at the lowest change: between this change and the end of the range the goal holds in every trial. */
void vd_search_find(const vd_search *s, size_t goal, vd_search_answer *out);

/* Makes metrics for each goal NAME: NAME, NAME_low, NAME_high and NAME_changes; then tolerance and trials. Names are
 * stored in the arena. */
void vd_search_metrics(const vd_search *s, vd_arena *arena, vd_metrics *out);

/* Describes an outcome other than VD_SEARCH_FOUND. */
void vd_search_explain(const vd_search *s, size_t goal, const vd_search_answer *a, vd_buf *out);

#endif
