#include "limits_job.h"

#include "results.h"
#include "tool.h"

#include "run/subject.h"

#include <string.h>

static bool usage_ok(const vd_settings *s, const char *scenario, const char *name) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : s->write_tir ? "--write-tir" : NULL;
  return !option || vd_tool_error("'%s' is for vehicles that drive; '%s' is a %s, which %s; see --help", option,
                                  scenario, name, s->log_option ? "writes all its columns" : "has no motion");
}

typedef struct written {
  const vd_settings *settings;
  vd_outcome outcome;
} written;

static int write_metrics(void *context, enum vd_result_file which, vd_output *o) {
  const written *w = context;
  (void)which; /* this kind of job has only one result */
  vd_write_metrics(o, &w->outcome.metrics, w->settings->digits);
  return VD_EXIT_YES;
}

static int compute(const vd_settings *s, const char *scenario, const vd_subject *subject, const vd_buf *resolved,
                   vd_arena *arena) {
  static written w;
  bool to_stdout = !s->metrics && vd_tool_is_stdout(s->output);
  vd_results results = {.settings = s,
                        .scenario = scenario,
                        .resolved = resolved,
                        .schema = vd_kinds[subject->kind].schema,
                        .def = subject->as.limits,
                        .kind = subject->kind};
  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  const vd_run_options options = {
      .digits = s->digits, .progress = watch ? vd_job_show_progress : NULL, .progress_context = &bar};
  w.settings = s;
  if (!s->metrics && !vd_results_open(&results))
    return VD_EXIT_TROUBLE;
  bool good = vd_subject_run(subject, &options, results.output[VD_RESULT_LOG], arena, &w.outcome);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  if (!good)
    fprintf(stderr, "%s: error: %s\n", scenario, w.outcome.failure);
  int status = VD_EXIT_YES;
  if (!s->metrics)
    status = vd_results_commit(&results, &w.outcome.report, VD_WHEN(VD_RESULT_METRICS), write_metrics, &w);
  else if (good)
    status = vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &w.outcome.report, write_metrics, &w);
  if (s->verbose)
    fprintf(stderr, "%s: %ld rows, %ld evaluations of the model\n", scenario, w.outcome.report.rows,
            w.outcome.report.parts);
  return status == VD_EXIT_YES && !good ? VD_EXIT_ENDED : status;
}

int vd_limits_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  const enum vd_kind kind = vd_kind_of(source, d);
  vd_subject subject;
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE;
  if (!usage_ok(s, scenario, vd_kinds[kind].name))
    return status;
  bool read = vd_subject_read(kind, source, s->set, s->set_count, arena, d, &resolved, &subject);
  vd_tool_print_messages(d);
  if (read) {
    if (s->check)
      vd_job_report_estimates(scenario, vd_kinds[kind].schema, subject.as.limits);
    status = vd_results_begin(s, scenario, &resolved);
    if (status < 0)
      status = compute(s, scenario, &subject, &resolved, arena);
  }
  vd_buf_finish(&resolved);
  return status;
}
