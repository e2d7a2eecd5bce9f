#include "vehicle_job.h"

#include "input/schema.h"
#include "fmu_job.h"
#include "linear_job.h"
#include "results.h"
#include "search_job.h"
#include "tir_job.h"
#include "tool.h"

/* The data of one run, kept in memory until its results are written. */
typedef struct run {
  const vd_settings *settings;
  const char *scenario;
  const vd_scenario_def *def;
  const vd_buf *resolved;
  bool asks_response;
  vd_response response;
  vd_recorder recorder;
  vd_run_report report;
} run;

/* Warns of the conditions that the run misses. */
static void judge(const run *r, const vd_metrics *metrics) {
  const vd_condition_def *condition = r->def->conditions.item;
  for (size_t i = 0; i < r->def->conditions.count; i++) {
    vd_buf miss = {0};
    vd_condition_miss(&condition[i], metrics, &miss);
    if (miss.length)
      fprintf(stderr, "%s: warning: %s: %s\n", r->scenario, condition[i].metric, miss.text);
    vd_buf_finish(&miss);
  }
}

static int write_result(void *context, enum vd_result_file which, vd_output *o) {
  static vd_metrics metrics;
  run *r = context;
  if (which == VD_RESULT_METRICS) {
    vd_run_metrics(r->def, &r->recorder, &metrics);
    if (!r->settings->quiet)
      judge(r, &metrics);
    vd_write_metrics(o, &metrics, r->settings->digits);
  } else if (!vd_response_write(&r->response, o, r->settings->digits)) {
    fprintf(stderr, "%s: error: the run ended before one segment of the response (%g s) was full\n", r->scenario,
            r->response.def->segment);
    return VD_EXIT_ENDED;
  }
  return VD_EXIT_YES;
}

static void remark(const run *r) {
  if (*r->report.doubt && !r->settings->quiet)
    fprintf(stderr, "%s: warning: %s\n", r->scenario, r->report.doubt);
  if (r->recorder.tipping_time > 0.0 && !r->settings->quiet)
    fprintf(stderr,
            "%s: warning: the car would roll over, tip over an axle or take off: for %.3g s no wheel loads balance the "
            "moments\n",
            r->scenario, r->recorder.tipping_time);
  if (r->settings->verbose)
    fprintf(stderr, "%s: %.9g s simulated in %ld steps, %ld of them split at corners and events, %ld rows\n",
            r->scenario, r->report.end_time, r->report.parts, r->report.splits, r->report.rows);
  if (r->settings->verbose && r->report.unsettled > 0)
    fprintf(stderr, "%s: in %ld steps a brake, clutch or differential kept changing between sticking and slipping\n",
            r->scenario, r->report.unsettled);
}

/* Steps the run to its end and writes the rows to the log; log NULL: there is none. */
static void step(run *r, vd_output *log, bool to_stdout) {
  const vd_settings *s = r->settings;
  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  const vd_run_options options = {.digits = s->digits,
                                  .progress = watch ? vd_job_show_progress : NULL,
                                  .progress_context = &bar,
                                  .response = r->asks_response ? &r->response : NULL};
  vd_recorder_init(&r->recorder, s->metrics || s->directory);
  if (r->asks_response)
    vd_response_init(&r->response, &r->def->response, vd_scenario_row_interval(r->def));
  vd_simulate(r->def, &options, log, &r->recorder, &r->report);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  if (r->report.status != VD_SIM_OK)
    fprintf(stderr, "%s: error: %s%s\n", r->scenario, r->report.failure,
            log && !to_stdout ? "; the rows before this are kept" : "");
}

static int finish(run *r, int status) {
  remark(r);
  vd_recorder_finish(&r->recorder);
  if (r->asks_response)
    vd_response_finish(&r->response);
  return status == VD_EXIT_YES && r->report.status != VD_SIM_OK ? VD_EXIT_ENDED : status;
}

static vd_results results_of(const run *r) {
  return (vd_results){.settings = r->settings,
                      .scenario = r->scenario,
                      .resolved = r->resolved,
                      .schema = &vd_scenario_schema,
                      .def = r->def,
                      .level = r->def->run.level};
}

/* Does --metrics or --response: writes one result and no time history. */
static int run_without_log(run *r) {
  const vd_settings *s = r->settings;
  vd_results results = results_of(r);
  int status = VD_EXIT_YES;
  step(r, NULL, false);
  if (s->metrics && r->report.status == VD_SIM_OK)
    status = vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &r->report, write_result, r);
  if (s->response && r->report.status == VD_SIM_OK)
    status = vd_result_write(&results, s->response, VD_RESULT_RESPONSE, &r->report, write_result, r);
  return finish(r, status);
}

static int run_with_log(run *r) {
  vd_results results = results_of(r);
  unsigned has = VD_WHEN(VD_RESULT_METRICS) | (r->asks_response ? VD_WHEN(VD_RESULT_RESPONSE) : 0u);
  if (!vd_results_open(&results))
    return VD_EXIT_TROUBLE;
  step(r, results.output[VD_RESULT_LOG], vd_tool_is_stdout(r->settings->output));
  return finish(r, vd_results_commit(&results, &r->report, has, write_result, r));
}

static int simulate(const vd_settings *s, const char *scenario, const vd_scenario_def *def, const vd_buf *resolved) {
  run r = {.settings = s, .scenario = scenario, .def = def, .resolved = resolved};
  r.asks_response = vd_response_asked(&def->response) && (s->response || s->directory);
  if (s->response && !r.asks_response) {
    fprintf(stderr, "%s: error: '--response': the scenario has no key 'response' with an input\n", scenario);
    return VD_EXIT_TROUBLE;
  }
  return s->metrics || s->response ? run_without_log(&r) : run_with_log(&r);
}

static int write_tyres(const vd_settings *s, const char *scenario, const vd_scenario_def *def) {
  const vd_tyre_def *tyre[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    tyre[i] = vd_axle_tyre(&def->vehicle.axle[vd_axle_of(i)], vd_is_right(i));
  return vd_tir_job(s, scenario, tyre, VD_WHEELS);
}

int vd_vehicle_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_progress bar;
  bool watch = vd_job_watch(s, false, &bar);
  vd_diag_set_laps(d, &(vd_reader_laps){s->check, watch ? vd_job_show_progress : NULL, &bar});
  bool read = vd_scenario_read_source(source, s->set, s->set_count, arena, d, def);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  vd_tool_print_messages(d);
  if (!read)
    return def->unreached ? VD_EXIT_NO : VD_EXIT_TROUBLE;
  if (s->write_tir)
    return write_tyres(s, scenario, def);
  if (s->linear && vd_search_asked(&def->search)) {
    vd_tool_error("'--linear' needs one run; '%s' is a search of many runs", scenario);
    return VD_EXIT_TROUBLE;
  }
  if (s->linear)
    return vd_linear_job_run(s, scenario, def);
  if (s->check)
    vd_job_report_estimates(scenario, &vd_scenario_schema, def);
  vd_buf resolved = {0};
  bool searches = vd_search_asked(&def->search);
  if (searches || s->fmu || !vd_results_rows_alone(s))
    vd_schema_write(&vd_scenario_schema, def, &resolved);
  if (s->fmu) {
    int status = vd_fmu_job(s, scenario, &resolved, d, source);
    vd_buf_finish(&resolved);
    return status;
  }
  vd_search_job job = {.settings = s, .scenario = scenario, .def = def, .resolved = &resolved};
  job.source = vd_diag_source_name(d, source);
  job.length = vd_diag_source_text(d, source, &job.text);
  int status = s->check && searches ? vd_search_job_check(&job) : vd_results_begin(s, scenario, &resolved);
  if (status < 0)
    status = searches ? vd_search_job_run(&job) : simulate(s, scenario, def, &resolved);
  if (status == VD_EXIT_YES && def->unreached)
    status = VD_EXIT_NO;
  vd_buf_finish(&resolved);
  return status;
}
