#include "track_job.h"

#include "tool.h"

#include <string.h>

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->log_option && strcmp(s->log_option, "-c") == 0 ? "-c" : s->response ? "--response" : NULL;
  return !option || vd_tool_error("'%s' is for vehicles; '%s' is a track car, which %s; see --help", option, scenario,
                                  s->response ? "has no frequency response" : "writes all its columns");
}

static int write_metrics(const char *path, const vd_settings *s, const vd_metrics *metrics) {
  vd_output *o = vd_tool_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_write_metrics(o, metrics, s->digits);
  return vd_tool_commit(o, path, NULL);
}

/* All results beside the time history, for an output with a name. */
static int write_sidecars(const vd_settings *s, const char *scenario, const vd_result_names *n, const vd_buf *resolved,
                          const vd_metrics *metrics, const vd_run_report *report) {
  int status = vd_job_write_provenance(n->provenance, scenario, resolved, VD_LEVEL_TRACK_CAR, report);
  if (s->directory && status == VD_EXIT_YES)
    status = vd_tool_write_text(n->resolved, resolved->text, resolved->length);
  if (s->directory && status == VD_EXIT_YES && report->status == VD_SIM_OK)
    status = write_metrics(n->metrics, s, metrics);
  return status;
}

static void remove_stale(const vd_settings *s, const vd_result_names *n, bool bad) {
  vd_job_remove_stale(bad ? n->log : n->incomplete);
  if (s->directory)
    vd_job_remove_stale(n->response);
  if (s->directory && bad)
    vd_job_remove_stale(n->metrics);
}

static void remark(const vd_settings *s, const char *scenario, const vd_run_report *report) {
  if (report->unsettled > 0 && !s->quiet)
    fprintf(stderr, "%s: warning: in %ld substeps the wheels met and left the ground too often to follow it\n",
            scenario, report->unsettled);
  if (s->verbose)
    fprintf(stderr, "%s: %.9g s simulated, %ld rows, %ld changes of what a wheel stands on\n", scenario,
            report->end_time, report->rows, report->splits);
}

static int simulate(const vd_settings *s, const char *scenario, const vd_track_def *def, const vd_buf *resolved) {
  bool to_stdout = !s->metrics && vd_tool_is_stdout(s->output), named = !s->metrics && !to_stdout;
  vd_result_names n;
  if (named && !vd_job_make_names(s, scenario, &n))
    return VD_EXIT_TROUBLE;
  const char *path = to_stdout ? "-" : n.log;
  vd_output *log = s->metrics ? NULL : vd_tool_open_output(path);
  if (!log && !s->metrics)
    return VD_EXIT_TROUBLE;

  static vd_metrics metrics;
  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  vd_run_options options = {
      .digits = s->digits, .progress = watch ? vd_job_show_progress : NULL, .progress_context = &bar};
  vd_run_report report;
  vd_track_run(def, &options, log, &metrics, &report);
  if (bar.shown)
    fputs("\r\033[K", stderr);

  bool bad = report.status != VD_SIM_OK;
  int status = VD_EXIT_YES;
  if (bad)
    fprintf(stderr, "%s: error: %s%s\n", scenario, report.failure, named ? "; rows up to there are kept" : "");
  if (named) /* results of an earlier run must not be taken for those of this one */
    remove_stale(s, &n, bad);
  if (log)
    status = vd_tool_commit(log, path, bad && named ? n.incomplete : NULL);
  if (named && status == VD_EXIT_YES && vd_job_is_plain(bad ? n.incomplete : n.log))
    status = write_sidecars(s, scenario, &n, resolved, &metrics, &report);
  if (s->metrics && !bad)
    status = write_metrics(s->metrics, s, &metrics);
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
    status = vd_job_show(s, &resolved);
    if (status < 0)
      status = simulate(s, scenario, def, &resolved);
  }
  vd_buf_finish(&resolved);
  return status;
}
