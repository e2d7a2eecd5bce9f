/* Envelopes, moment diagrams and laps for the report, whose pictures are those of the table. */
#include "report.h"

#include "tool.h"

#include "run/subject.h"

#include <stdio.h>
#include <string.h>

static void take_row(void *context, const double *value) {
  vd_report_run *r = context;
  memcpy(vd_rows_add(&r->history), value, r->history.columns * sizeof *value);
}

int vd_report_limits(const vd_settings *s, enum vd_kind kind, int source, vd_diag *d, vd_report_run *r) {
  vd_subject subject;
  static vd_outcome outcome;
  if (!vd_subject_read(kind, source, s->set, s->set_count, r->arena, d, &r->resolved, &subject))
    return VD_EXIT_TROUBLE;
  const vd_limits_def *def = subject.as.limits;
  r->title = def->title;
  r->inputs = vd_kinds[kind].name;
  r->car = def->scenario && *def->scenario->vehicle.name ? def->scenario->vehicle.name : vd_kinds[kind].name;
  r->level = def->scenario ? vd_level_names[def->car.level] : r->car;
  const vd_channel *channel = vd_kind_channels(kind, &r->history.columns);
  for (size_t i = 0; i < r->history.columns; i++)
    r->channel[i] = channel[i].name;
  const vd_run_options options = {.values = take_row, .row_context = r};
  bool good = vd_subject_run(&subject, &options, NULL, r->arena, &outcome);
  r->metrics = outcome.metrics;
  r->report = outcome.report;
  r->set[r->sets++] = vd_kinds[kind].set[0];
  if (!good)
    vd_buf_printf(&r->warnings, "There is no result: %s.\n", outcome.failure);
  const vd_origin from = {.tool = "vdsim-run",
                          .scenario = r->scenario,
                          .resolved = r->resolved.text,
                          .length = r->resolved.length,
                          .kind = kind};
  vd_job_provenance(s, &from, &r->report, &r->provenance);
  if (good)
    return VD_EXIT_YES;
  fprintf(stderr, "%s: error: %s\n", r->scenario, outcome.failure);
  return VD_EXIT_ENDED;
}
