/* Conditions of a scenario: bounds of metrics, as standards set them. A metric outside its bounds gets a note. This
 * file also contains the functions by which all checks of names and bounds of metrics are made. */
#ifndef VD_CONDITION_H
#define VD_CONDITION_H

#include "input/tree.h"
#include "metrics/metrics.h"

struct vd_schema;

typedef struct vd_condition_def {
  const char *metric;
  double at_least, at_most; /* in the metric's unit, bounds included; NAN: no bound */
  const char *by;           /* origin, such as a standard */
} vd_condition_def;

extern const struct vd_schema vd_condition_schema;

/* Checks the list `conditions` of root against the metrics of `sets`, whose names must be valid. */
void vd_condition_check(const vd_structs *conditions, const vd_names *sets, const vd_node *root, vd_arena *arena,
                        vd_diag *d);

/* Describes in `out` how the metrics miss a condition; adds nothing if they meet it. */
void vd_condition_miss(const vd_condition_def *condition, const vd_metrics *metrics, vd_buf *out);

/* Adds a note to every metric that misses a condition and has no note yet. */
void vd_conditions_note(const vd_structs *conditions, vd_metrics *metrics);

/* Returns the metrics of the set `run` and of the given sets, without values, in the arena. Unknown sets are left
 * out. */
vd_metrics *vd_metrics_listed(const vd_names *sets, vd_arena *arena);
/* Returns the metric with this name from the list; NULL after an error at `place`, which suggests a similar name. */
const vd_metric *vd_metric_asked(const vd_metrics *known, const char *name, vd_place place, vd_arena *arena,
                                 vd_diag *d);
/* Checks that the number at a key of a mapping has the unit of a metric. Metrics in units that are not SI (deg/g) take
 * numbers without a unit, in that unit. */
void vd_metric_bound_check(const char *unit, const vd_node *mapping, const char *key, vd_arena *arena, vd_diag *d);

#endif
