/* Searches: for the value of a key from which on a run does what it shall, by bisection over trials. What a trial is
 * and who runs it is not this file's business: it says which values to try next and reads the answers.
 *
 * Each goal asks for something of one metric and looks for the lowest value of the key from which on it has it, or the
 * highest up to which it has. A trial whose metric cannot be computed, or whose run went bad, does not have it. */
#ifndef VD_SEARCH_H
#define VD_SEARCH_H

#include "input/schema.h"
#include "metrics/metrics.h"

enum {
  VD_SEARCH_GOALS = 16,
  VD_SEARCH_SCAN = 1000, /* most points between the ends that are tried first */
};

enum vd_search_side { VD_SEARCH_LOWEST, VD_SEARCH_HIGHEST };

typedef struct vd_goal_def {
  const char *name, *metric;
  double above, below; /* the metric's unit; NAN: no bound */
  int side;            /* enum vd_search_side */
  bool partial;        /* a run that went bad can have it */
} vd_goal_def;

typedef struct vd_search_def {
  const char *key;            /* dotted path of a number; empty: nothing is searched */
  double from, to, tolerance; /* unit of the key */
  int scan;
  vd_structs goals; /* vd_goal_def */
  const char *unit; /* of the key; by vd_search_check */
} vd_search_def;

extern const vd_schema vd_search_schema;

static inline bool vd_search_asked(const vd_search_def *def) {
  return *def->key != '\0';
}

/* Checks the block `search` of root against the keys of `scenario` and the metrics of `sets`, whose names must be good;
 * fills in the unit. */
void vd_search_check(vd_search_def *def, const vd_schema *scenario, const vd_names *sets, const vd_node *root,
                     vd_arena *arena, vd_diag *d);

/* One run. */
typedef struct vd_trial {
  double value;                   /* of the key */
  double metric[VD_SEARCH_GOALS]; /* of each goal, up to the end of a run that went bad; NAN: there is none */
  char failure[160];              /* why the run went bad; empty if it did not */
  double end_time;                /* s */
} vd_trial;

typedef struct vd_search {
  const vd_search_def *def;
  vd_trial *trial; /* in the order in which they were asked for */
  size_t count, capacity;
} vd_search;

void vd_search_init(vd_search *s, const vd_search_def *def);
void vd_search_finish(vd_search *s);

/* Adds the trials to be run next, which do not depend on each other, and returns how many: their values are set, and
 * all before them must have been answered. First both ends and the points of the scan, then the middle of each goal's
 * bracket; a value is tried once, whichever goals ask for it. 0: the search is over. */
size_t vd_search_next(vd_search *s);

/* Whether a trial has what a goal of the search asks for. */
bool vd_search_holds(const vd_search *s, size_t goal, const vd_trial *trial);

enum vd_search_outcome {
  VD_SEARCH_FOUND,
  VD_SEARCH_BOTH,     /* it holds at both ends */
  VD_SEARCH_NEITHER,  /* at none */
  VD_SEARCH_REVERSED, /* at the other end than its side says */
};

typedef struct vd_search_answer {
  enum vd_search_outcome outcome;
  double value;     /* the end of the bracket at which the goal holds; with VD_SEARCH_FOUND, as are the next two */
  double low, high; /* the bracket, at most the tolerance wide after the last trial */
  size_t
      changes; /* from holding to not, or back, over all trials in the order of their values: 1 if the goal is simple */
} vd_search_answer;

/* Of several changes, the highest one is the lowest value's and the lowest one the highest value's: from there on to
 * the end the goal holds at every trial. */
void vd_search_find(const vd_search *s, size_t goal, vd_search_answer *out);

/* For each goal NAME: NAME, NAME_low, NAME_high and NAME_changes; then tolerance and trials. Names live in the
 * arena. */
void vd_search_metrics(const vd_search *s, vd_arena *arena, vd_metrics *out);

/* What a person is told of an outcome that is not VD_SEARCH_FOUND. */
void vd_search_explain(const vd_search *s, size_t goal, const vd_search_answer *a, vd_buf *out);

#endif
