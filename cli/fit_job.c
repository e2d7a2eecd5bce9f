#include "fit_job.h"

#include "pool.h"
#include "results.h"
#include "stop.h"
#include "tool.h"

#include "input/schema.h"
#include "study/fit.h"

#include <errno.h>

static bool usage_ok(const vd_settings *s, const char *scenario, bool runs) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  if (option)
    return vd_tool_error("'%s' is for %s; '%s' is a fit, which writes its tables; see --help", option,
                         runs ? "single runs" : "vehicles", scenario);
  return !runs || !s->write_tir || vd_tool_error("'--write-tir' is for scenarios with tyres; '%s' is a fit", scenario);
}

/* --- runs in processes --- */

/* Evaluates points of the search in new processes; a forked process has everything that this process has read. */
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

static bool each(void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
                 void (*take)(void *task, size_t i, const vd_buf *result), void *task) {
  const vd_settings *s = context;
  spread p = {count, 0, work, take, task};
  const vd_pool pool = {.context = &p,
                        .jobs = (size_t)s->jobs < count ? s->jobs : (int)count,
                        .count = count,
                        .quiet = s->quiet,
                        .next = next_piece,
                        .begin = begin,
                        .work = do_piece,
                        .take = take_piece,
                        .tick = tick};
  return vd_pool_run(&pool);
}

/* --- results --- */

static const enum vd_result_file result_of[VD_FIT_TABLES] = {[VD_FIT_ROWS] = VD_RESULT_LOG,
                                                             [VD_FIT_FIGURES] = VD_RESULT_FIGURES,
                                                             [VD_FIT_CURVES] = VD_RESULT_CURVES,
                                                             [VD_FIT_TYRE] = VD_RESULT_TYRE,
                                                             [VD_FIT_PROPERTIES] = VD_RESULT_PROPERTIES,
                                                             [VD_FIT_CORRELATIONS] = VD_RESULT_CORRELATIONS,
                                                             [VD_FIT_SETTINGS] = VD_RESULT_SETTINGS};

typedef struct job {
  const vd_settings *settings;
  const char *scenario;
  vd_fit fit;
  vd_fit_result result;
  vd_buf resolved;
  vd_metrics metrics;
  vd_arena *arena;
} job;

static int write_result(void *context, enum vd_result_file which, vd_output *o) {
  job *j = context;
  enum vd_digits digits = j->settings->digits;
  if (which == VD_RESULT_METRICS) {
    vd_fit_metrics(&j->fit, &j->result, j->arena, &j->metrics);
    vd_write_metrics(o, &j->metrics, digits);
  }
  for (enum vd_fit_table i = 0; i < VD_FIT_TABLES; i++)
    if (result_of[i] == which)
      vd_fit_write(&j->fit, &j->result, i, digits, o);
  return VD_EXIT_YES;
}

static int write_results(job *j) {
  const vd_settings *s = j->settings;
  vd_results results = {.settings = s, .scenario = j->scenario, .resolved = &j->resolved, .kind = j->fit.kind};
  vd_run_report report = {.status = VD_SIM_OK, .rows = (long)j->result.rows};
  if (s->metrics)
    return vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &report, write_result, j);
  if (!vd_results_open(&results))
    return VD_EXIT_TROUBLE;
  vd_output *o = results.output[VD_RESULT_LOG];
  vd_fit_write(&j->fit, &j->result, VD_FIT_ROWS, s->digits, o);
  report.reader_gone = vd_output_error(o) == EPIPE;
  unsigned has = VD_WHEN(VD_RESULT_METRICS);
  for (enum vd_fit_table i = VD_FIT_ROWS + 1; i < VD_FIT_TABLES; i++)
    has |= j->result.tables & VD_WHEN(i) ? VD_WHEN(result_of[i]) : 0u;
  return vd_results_commit(&results, &report, has, write_result, j);
}

static int solve(job *j, vd_diag *d) {
  const vd_settings *s = j->settings;
  vd_progress bar;
  bool watch = vd_job_watch(s, !s->metrics && vd_tool_is_stdout(s->output), &bar);
  bool many = s->jobs > 1 && s->scenario_count == 1; /* each of several files has a process of its own */
  const vd_fit_options options = {.each = many ? each : NULL,
                                  .context = (void *)(uintptr_t)s,
                                  .progress = {watch ? vd_job_show_progress : NULL, &bar}};
  vd_stop_set_message(0, 0, NULL, "nothing is kept");
  bool good = vd_fit_solve(&j->fit, &options, j->arena, d, &j->result);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  vd_tool_print_messages(d);
  if (!good)
    return VD_EXIT_NO;
  vd_buf remark = {0};
  if (!s->quiet)
    vd_fit_remark(&j->fit, &j->result, j->scenario, &remark);
  if (remark.length > 0)
    fputs(remark.text, stderr);
  vd_buf_finish(&remark);
  int status = write_results(j);
  bool misses = j->result.at_bounds + j->result.beyond_bounds + j->result.missed > 0;
  return status == VD_EXIT_YES && s->strict && misses ? VD_EXIT_NO : status;
}

int vd_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  job *j = vd_arena_alloc(arena, sizeof *j);
  int status = VD_EXIT_TROUBLE;
  *j = (job){.settings = s, .scenario = scenario, .arena = arena};
  if (!usage_ok(s, scenario, vd_kind_of(source, d) == VD_KIND_RUN_FIT))
    return status;
  bool read = vd_fit_read_source(source, s->set, s->set_count, arena, d, &j->fit);
  vd_tool_print_messages(d);
  if (read) {
    vd_fit_resolve(&j->fit, &j->resolved);
    status = vd_results_begin(s, scenario, &j->resolved);
    if (status < 0 && !vd_results_may_write_fit(s, scenario))
      status = VD_EXIT_TROUBLE;
    if (status < 0)
      status = solve(j, d);
  }
  vd_buf_finish(&j->resolved);
  return status;
}
