#include "run_fit_job.h"

#include "pool.h"
#include "results.h"
#include "stop.h"
#include "tool.h"

#include "input/schema.h"
#include "study/run_fit.h"

#include <errno.h>
#include <math.h>

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  if (option)
    return vd_tool_error("'%s' is for single runs; '%s' is a fit, which writes its tables; see --help", option,
                         scenario);
  return !s->write_tir || vd_tool_error("'--write-tir' is for scenarios with tyres; '%s' is a fit", scenario);
}

/* --- runs in processes --- */

/* Points of the search, spread over processes that are begun anew for them: these have all that this one has read. */
typedef struct spread {
  size_t count, next;
  void (*work)(void *task, size_t i, vd_buf *result);
  void (*take)(void *task, size_t i, const vd_buf *result);
  void *task;
} spread;

static bool next_piece(void *context, size_t *i) {
  spread *p = context;
  *i = p->next;
  return p->next++ < p->count;
}

static void *begin(void *context) {
  return context;
}

static bool do_piece(void *own, size_t i, vd_buf *result) {
  const spread *p = own;
  p->work(p->task, i, result);
  return true;
}

static bool take_piece(void *context, size_t i, double seconds, const vd_buf *result, const char *how) {
  const spread *p = context;
  (void)seconds;
  p->take(p->task, i, how ? NULL : result);
  return true;
}

static bool tick(void *context) {
  (void)context;
  return true;
}

static bool each(const void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
                 void (*take)(void *task, size_t i, const vd_buf *result), void *task) {
  const vd_settings *s = context;
  spread p = {count, 0, work, take, task};
  const vd_pool pool = {.context = &p,
                        .jobs = (size_t)s->jobs < count ? s->jobs : (int)count,
                        .count = count,
                        .next = next_piece,
                        .begin = begin,
                        .work = do_piece,
                        .take = take_piece,
                        .tick = tick};
  return vd_pool_run(&pool);
}

/* --- results --- */

typedef struct written {
  const vd_settings *settings;
  const vd_run_fit *fit;
  const vd_run_fit_result *result;
  vd_arena *arena;
} written;

static int write_result(void *context, enum vd_result_file which, vd_output *o) {
  const written *w = context;
  enum vd_digits digits = w->settings->digits;
  vd_buf text = {0};
  if (which == VD_RESULT_METRICS) {
    vd_metrics *metrics = vd_arena_alloc(w->arena, sizeof *metrics);
    vd_run_fit_metrics(w->fit, w->result, w->arena, metrics);
    vd_write_metrics(o, metrics, digits);
  } else if (which == VD_RESULT_FIGURES) {
    vd_fit_write_coefficients(w->result->figure, w->fit->frees, w->fit->def.fit.confidence, digits, o);
  } else if (which == VD_RESULT_CORRELATIONS) {
    vd_run_fit_write_correlations(w->fit, w->result, digits, o);
  } else if (which == VD_RESULT_CURVES) {
    vd_run_fit_write_curves(w->fit, w->result, digits, o);
  } else if (which == VD_RESULT_SETTINGS) {
    vd_run_fit_write_settings(w->fit, w->result, &text);
    vd_output_bytes(o, text.text, text.length);
  }
  vd_buf_finish(&text);
  return VD_EXIT_YES;
}

static int write_results(written *w, const char *scenario, const vd_buf *resolved) {
  const vd_settings *s = w->settings;
  vd_results results = {.settings = s, .scenario = scenario, .resolved = resolved, .level = VD_LEVEL_RUN_FIT};
  vd_run_report report = {.status = VD_SIM_OK, .rows = (long)w->fit->values};
  if (s->metrics)
    return vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &report, write_result, w);
  if (!vd_results_open(&results))
    return VD_EXIT_TROUBLE;
  vd_output *o = results.output[VD_RESULT_LOG];
  vd_run_fit_write_rows(w->fit, w->result, s->digits, o);
  report.reader_gone = vd_output_error(o) == EPIPE;
  unsigned has = VD_WHEN(VD_RESULT_METRICS) | VD_WHEN(VD_RESULT_FIGURES) | VD_WHEN(VD_RESULT_CURVES) |
                 VD_WHEN(VD_RESULT_CORRELATIONS) | VD_WHEN(VD_RESULT_SETTINGS);
  return vd_results_commit(&results, &report, has, write_result, w);
}

/* A line for each figure. */
static void remark(const vd_settings *s, const char *scenario, const vd_run_fit *fit, const vd_run_fit_result *r) {
  if (s->quiet)
    return;
  fprintf(stderr, "%s: %zu values, %zu figures, %zu runs\n", scenario, fit->values, fit->frees - r->held, r->runs);
  for (size_t i = 0; i < fit->frees; i++) {
    const vd_fit_coefficient *c = &r->figure[i];
    double low, high;
    vd_fit_interval(c, fit->def.fit.confidence, &low, &high);
    fprintf(stderr, "%s: %s = %.6g %s", scenario, c->name, c->value, c->unit);
    if (!isnan(c->deviation))
      fprintf(stderr, ", %g %% within %.6g to %.6g", 100.0 * fit->def.fit.confidence, low, high);
    fputs("\n", stderr);
  }
}

static int fit_runs(const vd_settings *s, const char *scenario, const vd_run_fit *fit, const vd_buf *resolved,
                    vd_arena *arena, vd_diag *d) {
  vd_run_fit_result result;
  vd_progress bar;
  bool watch = vd_job_watch(s, !s->metrics && vd_tool_is_stdout(s->output), &bar);
  bool many = s->jobs > 1 && s->scenario_count == 1; /* each of several files has a process of its own */
  const vd_run_fit_options options = {
      .each = many ? each : NULL, .context = s, .progress = {watch ? vd_job_show_progress : NULL, &bar}};
  vd_stop_say(0, 0, NULL, "nothing is kept");
  bool good = vd_run_fit_solve(fit, &options, arena, d, &result);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  vd_tool_print_messages(d);
  if (!good)
    return VD_EXIT_NO;
  remark(s, scenario, fit, &result);
  written w = {s, fit, &result, arena};
  return write_results(&w, scenario, resolved);
}

int vd_run_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_run_fit *fit = vd_arena_alloc(arena, sizeof *fit);
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE;
  if (!usage_ok(s, scenario))
    return status;
  bool read = vd_run_fit_read_source(source, s->set, s->set_count, arena, d, fit);
  vd_tool_print_messages(d);
  if (read) {
    vd_schema_write(&vd_run_fit_schema, &fit->def, &resolved);
    status = vd_results_begin(s, scenario, &resolved);
    if (status < 0 && !vd_results_may_write_fit(s, scenario))
      status = VD_EXIT_TROUBLE;
    if (status < 0)
      status = fit_runs(s, scenario, fit, &resolved, arena, d);
  }
  vd_buf_finish(&resolved);
  return status;
}
