/* Synthetic runs for the tests of metrics: rows that are functions of time, whose metrics are known in closed form. */
#ifndef VD_TEST_HISTORIES_H
#define VD_TEST_HISTORIES_H

#include "metrics/metrics.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static const double history_step = 1e-3; /* s */

static const vd_metrics_options history_options = {
    .steady_window = 0.5,
    .to_speed = 20.0,
    .fit_from = 1.0,
    .fit_to = 4.0,
    .linear_tolerance = 0.1 * VD_PI / 180.0,
    .nominal_speed = 100.0 / 3.6,
    .unit_angle = NAN,
};

/* A synthetic run: sets the row at time t. */
typedef void history(const double *p, double t, vd_row *row);

static inline void history_record(vd_recorder *r, history *at, const double *p, double duration, enum vd_level level) {
  vd_metrics_car car = r->car;
  vd_recorder_init(r, true);
  r->keeps = VD_NEEDS_WHEELS;
  r->car = car;
  long steps = lround(duration / history_step);
  for (long i = 0; i <= steps; i++) {
    vd_row row = {.t = (double)i * history_step, .view = VD_VIEW_ALL};
    at(p, row.t, &row);
    vd_recorder_add(r, &row, level);
  }
}

/* Ends a run and computes the metrics of one set. */
static inline const vd_metrics *history_metrics(const char *set, vd_recorder *r, const vd_metrics_options *options) {
  static vd_metrics out;
  out.count = 0;
  vd_metrics_compute(set, r, options, &out);
  bool complete = true;
  for (size_t i = 0; i < out.count; i++) {
    const vd_metric *m = &out.metric[i];
    complete &= isnan(m->value) == (*m->reason != '\0') && !isinf(m->value) && *m->unit;
    complete &= *m->definition && !strchr(m->definition, '\n');
  }
  if (!complete) {
    tap_diag("%s: a metric has neither a value nor a reason, or both", set);
    out.count = 0; /* every look-up of a metric then fails */
  }
  vd_recorder_finish(r);
  return &out;
}

static inline const vd_metric *history_find(const vd_metrics *m, const char *name) {
  static const vd_metric missing = {.name = "missing", .value = NAN, .reason = "no such metric"};
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->metric[i].name, name) == 0)
      return &m->metric[i];
  return &missing;
}

static inline void is(const vd_metrics *m, const char *name, double expected, double tolerance, const char *what) {
  const vd_metric *found = history_find(m, name);
  if (!tap_near(found->value, expected, tolerance, "%s: %s", what, name) && *found->reason)
    tap_diag("%s", found->reason);
}

/* Checks that a metric has no value, and that the reason contains the given words. */
static inline void refuses(const vd_metrics *m, const char *name, const char *reason, const char *what) {
  const vd_metric *found = history_find(m, name);
  if (!tap_ok(isnan(found->value) && strstr(found->reason, reason), "%s: %s is refused", what, name))
    tap_diag("value %.9g, reason \"%s\", expected \"%s\"", found->value, found->reason, reason);
}

#endif
