/* Rules by which numbers of a scenario that are `auto` are found before its run, so that a manoeuvre fits any car.
 *
 * A rule with a target varies its number until a metric of a run of this scenario equals the target. An example is the
 * steering angle for a step to 4 m/s2. A rule without a target computes its number from a metric of another run of the
 * same car. An example is the amplitude 5 A, where A is an angle that a slowly increasing steer determines. This file
 * checks rules and chooses the values to try; scenario_read.c makes the runs. */
#ifndef VD_AUTO_RULE_H
#define VD_AUTO_RULE_H

#include "input/tree.h"
#include "metrics/metrics.h"

struct vd_schema;

typedef struct vd_auto_rule {
  const char *key;      /* dotted path of the number */
  const char *scenario; /* file of another run with this car, which is measured; empty: a run of this scenario */
  vd_names set;         /* settings of the run that is measured */
  const char *metric;
  double target;    /* value of the metric that is sought, in its unit; NAN: the number follows from the metric */
  double from, to;  /* in the unit of the key: start of the search, and its end, farther from zero */
  double tolerance; /* share of the target */
  /* without a target the number is plus + factor x metric, limited to at_least and at_most; all are in the unit of the
   * key; NAN: no bound */
  double factor, plus, at_least, at_most;
} vd_auto_rule;

extern const struct vd_schema vd_auto_schema;

/* Checks the list `auto` of root. scenario, def: the schema and the scenario that was read by it; sets: the sets of
 * metrics of this scenario. */
void vd_auto_check(const vd_structs *rules, const struct vd_schema *scenario, const void *def, const vd_names *sets,
                   const vd_node *root, vd_arena *arena, vd_diag *d);

/* Returns the number of a rule without a target, from the value of its metric. */
double vd_auto_number(const vd_auto_rule *rule, double metric);

typedef struct vd_auto_answer {
  bool reached; /* the metric is at the target, within the tolerance */
  double value,
      /* the number that was found, and its metric, which is the target or the nearest value below it; NAN: no run had a
       * value */
      metric;
  size_t runs;
} vd_auto_answer;

/* Finds the number of a rule with a target. measure: runs the scenario with the number and returns the metric; NAN if
 * the metric has no value or the run failed.
 *
 * The number grows from `from`, which should be so small that the metric is below the target. A trial multiplies it by
 * a factor of at most 3, and by a smaller factor if the metric is near the target. In this way the crossing with the
 * smallest number is found. Beyond the maximum of the metric (where the tyres slide) the metric may fall again, or runs
 * may fail. If the metric falls before it has reached the target, its maximum is searched by the golden section; if the
 * maximum is below the target, the car cannot reach the target. A crossing is found by regula falsi (the Illinois
 * variant). */
void vd_auto_solve(const vd_auto_rule *rule, double (*measure)(void *context, double value), void *context,
                   vd_auto_answer *out);

#endif
