#include "fit_job.h"

#include "pool.h"
#include "results.h"
#include "stop.h"
#include "study_files.h"
#include "tool.h"

#include "base/memory.h"
#include "input/schema.h"
#include "study/fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool usage_ok(const vd_settings *s, const char *scenario, enum vd_kind kind) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL, *name = vd_kinds[kind].name;
  bool runs = kind != VD_KIND_TYRE_FIT;
  if (option)
    return vd_tool_error("'%s' is for %s; '%s' is a %s, which writes its tables; see --help", option,
                         runs ? "single runs" : "vehicles", scenario, name);
  return !runs || !s->write_tir ||
         vd_tool_error("'--write-tir' is for scenarios with tyres; '%s' is a %s", scenario, name);
}

typedef struct job {
  const vd_settings *settings;
  const char *scenario;
  vd_fit fit;
  vd_fit_result result;
  vd_buf resolved;
  vd_metrics metrics;
  vd_arena *arena;
} job;

/* --- runs in processes, kept in a journal --- */

enum { KEPT = 1000000 }; /* greatest number of runs in a journal */

typedef struct runner {
  const vd_settings *settings;
  vd_study_files files;
  vd_journal *journal; /* NULL: results of runs are not kept */
  size_t first;        /* number of runs that were requested before the present batch */
  int error;           /* errno of writing the journal */
} runner;

/* A batch of independent runs for several processes. Each process is a fork of this one, and has everything that this
 * one has read. */
typedef struct spread {
  runner *of;
  size_t count, next;
  bool *known; /* [count] */
  void (*work)(void *task, size_t i, vd_buf *result);
  void (*take)(void *task, size_t i, const vd_buf *result);
  void *task;
} spread;

static bool next_piece(void *context, size_t *i) {
  spread *p = context;
  while (p->next < p->count && p->known[p->next])
    p->next++;
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

/* Takes the result of a run. A run whose process died is not kept, so that a later attempt repeats the run. */
static bool take_piece(void *context, size_t i, double seconds, const vd_buf *result, const char *how) {
  const spread *p = context;
  runner *r = p->of;
  if (r->journal && !how && r->first + i < KEPT && r->error == 0) {
    vd_buf line = {0};
    vd_buf_printf(&line, "%zu,%.*s\n", r->first + i, (int)result->length, result->text);
    r->error = vd_journal_add(r->journal, r->first + i, seconds, line.text);
    vd_buf_finish(&line);
  }
  p->take(p->task, i, how ? NULL : result);
  return r->error == 0;
}

static bool tick(void *context) {
  runner *r = ((const spread *)context)->of;
  if (r->journal && r->error == 0)
    r->error = vd_journal_sync(r->journal);
  return r->error == 0;
}

/* Takes the result of a run from the journal; false: the journal lacks it. */
static bool take_known(const spread *p, size_t i) {
  runner *r = p->of;
  vd_buf line = {0};
  double seconds;
  if (!r->journal || r->first + i >= KEPT || !vd_journal_has(r->journal, r->first + i) ||
      vd_journal_line(r->journal, r->first + i, &line, &seconds) != 0)
    return false;
  const char *text = strchr(line.text, ',') + 1;
  vd_buf result = {0};
  vd_buf_add(&result, text, strcspn(text, "\n"));
  p->take(p->task, i, &result);
  vd_buf_finish(&result);
  vd_buf_finish(&line);
  return true;
}

static bool each(void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
                 void (*take)(void *task, size_t i, const vd_buf *result), void *task) {
  runner *r = context;
  const vd_settings *s = r->settings;
  size_t left = 0;
  spread p = {r, count, 0, vd_allocate(count, sizeof *p.known), work, take, task};
  for (size_t i = 0; i < count; i++) {
    p.known[i] = take_known(&p, i);
    left += !p.known[i];
  }
  bool many = s->jobs > 1 && left > 1 && s->scenario_count == 1; /* of several files each has its process already */
  const vd_pool pool = {.context = &p,
                        .jobs = (size_t)s->jobs < left ? s->jobs : (int)left,
                        .count = left,
                        .follows = true,
                        .quiet = s->quiet,
                        .next = next_piece,
                        .begin = begin,
                        .work = do_piece,
                        .take = take_piece,
                        .tick = tick};
  bool good = !many || vd_pool_run(&pool);
  for (size_t i; good && !many && next_piece(&p, &i);) {
    vd_buf result = {0};
    work(task, i, &result);
    good = take_piece(&p, i, 0.0, &result, NULL);
    vd_buf_finish(&result);
  }
  free(p.known);
  r->first += count;
  if (r->error != 0)
    good = vd_tool_error("'%s': %s", r->files.journal, strerror(r->error));
  return good;
}

/* Opens the journal in which runs are kept, if the results go to files; false after a message. */
static bool open_journal(const job *j, runner *r) {
  const vd_settings *s = r->settings;
  bool files = !s->metrics && !vd_tool_is_stdout(s->output);
  if (j->fit.kind == VD_KIND_TYRE_FIT || !files)
    return !s->resume || vd_tool_error("'%s': --resume needs '-o DIR', and a scenario with runs", j->scenario);
  if ((s->directory && !vd_tool_make_folder(s->output)) ||
      !vd_study_files_of(s, j->scenario, vd_kinds[j->fit.kind].name, &r->files))
    return false;
  const vd_journal_head head = {j->fit.hash, KEPT, 0, 1};
  r->journal = vd_study_journal(&r->files, &head, "run,status,values\n", s->resume);
  return r->journal != NULL;
}

/* --- results --- */

static const enum vd_result_file result_of[VD_FIT_TABLES] = {[VD_FIT_ROWS] = VD_RESULT_LOG,
                                                             [VD_FIT_FIGURES] = VD_RESULT_FIGURES,
                                                             [VD_FIT_CURVES] = VD_RESULT_CURVES,
                                                             [VD_FIT_TYRE] = VD_RESULT_TYRE,
                                                             [VD_FIT_PROPERTIES] = VD_RESULT_PROPERTIES,
                                                             [VD_FIT_CORRELATIONS] = VD_RESULT_CORRELATIONS,
                                                             [VD_FIT_SETTINGS] = VD_RESULT_SETTINGS,
                                                             [VD_FIT_PROFILE] = VD_RESULT_PROFILE,
                                                             [VD_FIT_RESAMPLES] = VD_RESULT_RESAMPLES};

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

/* Prints remarks and writes the results. */
static int report(job *j) {
  const vd_settings *s = j->settings;
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

static int solve(job *j, vd_diag *d) {
  const vd_settings *s = j->settings;
  vd_progress bar;
  bool watch = vd_job_watch(s, !s->metrics && vd_tool_is_stdout(s->output), &bar);
  runner r = {.settings = s};
  if (!open_journal(j, &r))
    return VD_EXIT_TROUBLE;
  const vd_fit_options options = {.each = each, .context = &r, .progress = {watch ? vd_job_show_progress : NULL, &bar}};
  vd_stop_set_message(0, 0, NULL,
                      r.journal ? "the runs in its journal are kept; --resume continues" : "nothing is kept");
  bool good = vd_fit_solve(&j->fit, &options, j->arena, d, &j->result);
  vd_journal_close(r.journal);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  vd_tool_print_messages(d);
  int status = good ? report(j) : r.error == 0 ? VD_EXIT_NO : VD_EXIT_TROUBLE;
  if (r.journal && r.error == 0 && status != VD_EXIT_TROUBLE)
    remove(r.files.journal);
  return status;
}

int vd_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  job *j = vd_arena_alloc(arena, sizeof *j);
  int status = VD_EXIT_TROUBLE;
  *j = (job){.settings = s, .scenario = scenario, .arena = arena};
  if (!usage_ok(s, scenario, vd_kind_of(source, d)))
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
