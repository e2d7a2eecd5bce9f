#include "rig_job.h"

#include "input/schema.h"
#include "results.h"
#include "tir_job.h"
#include "tool.h"

#include <string.h>

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  return !option || vd_tool_error("'%s' is for vehicles; '%s' is a tyre rig%s; see --help", option, scenario,
                                  strcmp(option, "-c") == 0 ? ", which writes all its columns"
                                  : strcmp(option, "--response") == 0
                                      ? ", which has no frequency response"
                                      : "; the rows of its time histories are set by --set rate=HZ");
}

typedef struct measured {
  const vd_settings *settings;
  vd_metrics metrics;
} measured;

/* Writes the measured rows as CSV, and the files beside it. */
static int measure(const vd_settings *s, const char *scenario, const vd_rig_def *def, const vd_buf *resolved) {
  bool to_stdout = vd_tool_is_stdout(s->output);
  vd_results results = {.settings = s,
                        .scenario = scenario,
                        .resolved = resolved,
                        .schema = &vd_rig_schema,
                        .def = def,
                        .kind = VD_KIND_TYRE_RIG};
  if (!vd_results_open(&results))
    return VD_EXIT_TROUBLE;

  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  const vd_run_options options = {.digits = s->digits,
                                  .tydex = s->output && !s->directory && vd_job_is_tydex(s->output),
                                  .progress = watch ? vd_job_show_progress : NULL,
                                  .progress_context = &bar};
  vd_run_report report;
  vd_rig_run(def, &options, results.output[VD_RESULT_LOG], &report);
  if (bar.shown)
    fputs("\r\033[K", stderr);

  bool bad = report.status != VD_SIM_OK;
  if (bad)
    fprintf(stderr, "%s: error: %s%s\n", scenario, report.failure, to_stdout ? "" : "; the rows before this are kept");
  int status = vd_results_commit(&results, &report, 0, NULL, NULL);
  if (s->verbose)
    fprintf(stderr, "%s: %ld rows\n", scenario, report.rows);
  return status == VD_EXIT_YES && bad ? VD_EXIT_ENDED : status;
}

static int write_metrics(void *context, enum vd_result_file which, vd_output *o) {
  const vd_settings *s = ((const measured *)context)->settings;
  (void)which; /* a rig has only one result */
  vd_write_metrics(o, &((const measured *)context)->metrics, s->digits);
  return VD_EXIT_YES;
}

/* Writes the figures of the columns for --metrics, without rows. */
static int figures(const vd_settings *s, const char *scenario, const vd_rig_def *def, const vd_buf *resolved) {
  static measured m;
  const vd_run_options options = {.digits = s->digits};
  vd_results results = {.settings = s, .scenario = scenario, .resolved = resolved, .kind = VD_KIND_TYRE_RIG};
  vd_run_report report;
  m.settings = s;
  vd_rig_measure(def, &options, NULL, &m.metrics, &report);
  if (report.status == VD_SIM_OK)
    return vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &report, write_metrics, &m);
  fprintf(stderr, "%s: error: %s\n", scenario, report.failure);
  return VD_EXIT_ENDED;
}

int vd_rig_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_rig_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE;
  if (!usage_ok(s, scenario))
    return status;
  bool read = vd_rig_read_source(source, s->set, s->set_count, arena, d, def);
  vd_tool_print_messages(d);
  if (read && s->write_tir) {
    const vd_tyre_def *tyre = &def->tyre;
    status = vd_tir_job(s, scenario, &tyre, 1);
  } else if (read) {
    if (s->check)
      vd_job_report_estimates(scenario, &vd_rig_schema, def);
    vd_schema_write(&vd_rig_schema, def, &resolved);
    status = vd_results_begin(s, scenario, &resolved);
    if (status < 0)
      status = s->metrics ? figures(s, scenario, def, &resolved) : measure(s, scenario, def, &resolved);
  }
  vd_buf_finish(&resolved);
  return status;
}
