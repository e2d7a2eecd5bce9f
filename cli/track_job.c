#include "track_job.h"

#include "input/schema.h"
#include "results.h"
#include "tool.h"

#include <string.h>

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->log_option && strcmp(s->log_option, "-c") == 0 ? "-c"
                       : s->response                                     ? "--response"
                       : s->write_tir                                    ? "--write-tir"
                                                                         : NULL;
  return !option || vd_tool_error("'%s' is for vehicles; '%s' is a track car, which %s; see --help", option, scenario,
                                  s->response    ? "has no frequency response"
                                  : s->write_tir ? "has no tyres"
                                                 : "writes all its columns");
}

typedef struct written {
  const vd_settings *settings;
  vd_metrics metrics;
} written;

static int write_metrics(void *context, enum vd_result_file which, vd_output *o) {
  const written *w = context;
  (void)which; /* a track car has only one result */
  vd_write_metrics(o, &w->metrics, w->settings->digits);
  return VD_EXIT_YES;
}

static void remark(const vd_settings *s, const char *scenario, const vd_run_report *report) {
  if (report->unsettled > 0 && !s->quiet)
    fprintf(stderr, "%s: warning: in %ld substeps the wheels met and left the ground more often than can be followed\n",
            scenario, report->unsettled);
  if (s->verbose)
    fprintf(stderr, "%s: %.9g s simulated, %ld rows, %ld changes of the triangle below a wheel\n", scenario,
            report->end_time, report->rows, report->splits);
}

static int simulate(const vd_settings *s, const char *scenario, const vd_track_def *def, const vd_buf *resolved) {
  bool to_stdout = !s->metrics && vd_tool_is_stdout(s->output), named = !s->metrics && !to_stdout;
  vd_results results = {.settings = s, .scenario = scenario, .resolved = resolved, .kind = VD_KIND_TRACK_CAR};
  if (!s->metrics && !vd_results_open(&results))
    return VD_EXIT_TROUBLE;

  static written w;
  w.settings = s;
  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  vd_run_options options = {
      .digits = s->digits, .progress = watch ? vd_job_show_progress : NULL, .progress_context = &bar};
  vd_run_report report;
  vd_track_run(def, &options, results.output[VD_RESULT_LOG], &w.metrics, &report);
  if (bar.shown)
    fputs("\r\033[K", stderr);

  bool bad = report.status != VD_SIM_OK;
  int status = VD_EXIT_YES;
  if (bad)
    fprintf(stderr, "%s: error: %s%s\n", scenario, report.failure, named ? "; the rows before this are kept" : "");
  if (!s->metrics)
    status = vd_results_commit(&results, &report, VD_WHEN(VD_RESULT_METRICS), write_metrics, &w);
  else if (!bad)
    status = vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &report, write_metrics, &w);
  remark(s, scenario, &report);
  return status == VD_EXIT_YES && bad ? VD_EXIT_ENDED : status;
}

int vd_track_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_track_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE;
  if (!usage_ok(s, scenario))
    return status;
  bool read = vd_track_read_source(source, s->set, s->set_count, arena, d, def);
  vd_tool_print_messages(d);
  if (read) {
    vd_schema_write(&vd_track_schema, def, &resolved);
    status = vd_results_begin(s, scenario, &resolved);
    if (status < 0)
      status = simulate(s, scenario, def, &resolved);
  }
  vd_buf_finish(&resolved);
  return status;
}
