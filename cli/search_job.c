#include "search_job.h"

#include "jobs.h"
#include "results.h"
#include "tool.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "run/subject.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const vd_goal_def *goal_at(const vd_search_def *def, size_t i) {
  return (const vd_goal_def *)def->goals.item + i;
}

static vd_scenario_text text_of(const vd_search_job *job) {
  return (vd_scenario_text){job->source, job->text, job->length, job->settings->set, job->settings->set_count};
}

static vd_diag *messages_of(const vd_search_job *job) {
  vd_diag *d = vd_diag_create();
  vd_diag_set_strict(d, job->settings->strict);
  vd_diag_set_cache(d, job->settings->maps);
  return d;
}

int vd_search_job_check(const vd_search_job *job) {
  const vd_search_def *search = &job->def->search;
  const double end[] = {search->from, search->to};
  const vd_scenario_text text = text_of(job);
  int status = VD_EXIT_YES;
  for (size_t i = 0; i < VD_COUNT(end) && status == VD_EXIT_YES; i++) {
    vd_arena *arena = vd_arena_create();
    vd_diag *d = messages_of(job);
    if (!vd_trial_read(&text, search, end[i], arena, d, vd_arena_alloc(arena, sizeof(vd_scenario_def)))) {
      vd_tool_print_messages(d);
      status = VD_EXIT_TROUBLE;
    }
    vd_diag_destroy(d);
    vd_arena_destroy(arena);
  }
  return status;
}

/* Trials that are run at a time, each possibly in a process of its own. */
typedef struct batch {
  const vd_search_job *job;
  vd_trial *trial;
} batch;

/* Runs a trial; its result is the vd_trial, byte by byte. */
static int run_trial(void *context, size_t i, vd_buf *result) {
  const batch *b = context;
  const vd_scenario_text text = text_of(b->job);
  vd_trial trial = b->trial[i];
  vd_diag *d = messages_of(b->job);
  bool read = vd_trial_run(&text, &b->job->def->search, d, &trial);
  if (read)
    vd_buf_add(result, (const char *)&trial, sizeof trial);
  else
    vd_tool_print_messages(d);
  vd_diag_destroy(d);
  return read ? VD_EXIT_YES : VD_EXIT_TROUBLE;
}

static void take_trial(void *context, size_t i, const vd_buf *result) {
  const batch *b = context;
  if (result->length == sizeof b->trial[i])
    memcpy(&b->trial[i], result->text, sizeof b->trial[i]);
}

/* Runs the last `count' trials of the search, which vd_search_next has added. */
static int run_batch(const vd_search_job *job, vd_search *search, size_t count) {
  const vd_settings *s = job->settings;
  batch b = {job, search->trial + search->count - count};
  return vd_jobs_run(&(vd_jobs){
      .work = run_trial,
      .take = take_trial,
      .context = &b,
      .count = count,
      .follows = true,
      .quiet = s->quiet,
      .jobs = s->scenario_count == 1 ? s->jobs : 1, /* each of several scenarios already has a process of its own */
  });
}

static int run_trials(const vd_search_job *job, vd_search *search, bool watch, vd_progress *bar) {
  int status = VD_EXIT_YES;
  for (size_t count; status == VD_EXIT_YES && (count = vd_search_next(search)) > 0;) {
    status = run_batch(job, search, count);
    if (watch) {
      const vd_search_def *def = search->def;
      double rounds = vd_max(vd_log2((def->to - def->from) / (def->scan + 1) / def->tolerance), 1.0);
      double done = (double)search->count - def->scan - 2.0;
      vd_job_show_progress(bar, vd_min(done / (rounds * (double)def->goals.count), 1.0));
    }
  }
  return status;
}

/* Whether a goal is the first of those that use its metric. Several goals may use one metric, which then has one
 * column. */
static bool first_of_metric(const vd_search_def *def, size_t goal) {
  for (size_t i = 0; i < goal; i++)
    if (strcmp(goal_at(def, i)->metric, goal_at(def, goal)->metric) == 0)
      return false;
  return true;
}

static void write_trials(const vd_search *search, enum vd_digits digits, vd_output *o) {
  const vd_search_def *def = search->def;
  vd_output_puts(o, "trial,value,");
  for (size_t k = 0; k < def->goals.count; k++)
    if (first_of_metric(def, k)) {
      vd_output_field(o, goal_at(def, k)->metric);
      vd_output_puts(o, ",");
    }
  for (size_t k = 0; k < def->goals.count; k++) {
    vd_output_field(o, goal_at(def, k)->name);
    vd_output_puts(o, ",");
  }
  vd_output_puts(o, "note\n");
  for (size_t i = 0; i < search->count; i++) {
    const vd_trial *t = &search->trial[i];
    double row[2 + 2 * VD_SEARCH_GOALS];
    size_t columns = 0;
    row[columns++] = (double)(i + 1);
    row[columns++] = t->value + 0.0;
    for (size_t k = 0; k < def->goals.count; k++)
      if (first_of_metric(def, k))
        row[columns++] = t->metric[k];
    for (size_t k = 0; k < def->goals.count; k++)
      row[columns++] = vd_search_holds(search, k, t) ? 1.0 : 0.0;
    vd_output_numbers(o, row, columns, digits);
    vd_output_field(o, t->failure);
    vd_output_puts(o, "\n");
  }
}

/* Prints messages about goals without a value or with several changes, and about runs that failed. Returns the exit
 * status. */
static int judge(const vd_search_job *job, const vd_search *search) {
  const vd_search_def *def = search->def;
  int status = VD_EXIT_YES;
  const vd_trial *first = NULL;
  size_t bad = 0;
  for (size_t i = 0; i < search->count; i++)
    if (*search->trial[i].failure) {
      first = first ? first : &search->trial[i];
      bad++;
    }
  for (size_t k = 0; k < def->goals.count; k++) {
    vd_search_answer a;
    vd_search_find(search, k, &a);
    vd_buf why = {0};
    vd_search_explain(search, k, &a, &why);
    if (a.outcome != VD_SEARCH_FOUND) {
      fprintf(stderr, "%s: error: goal '%s' %s; it has no value\n", job->scenario, goal_at(def, k)->name, why.text);
      status = VD_EXIT_NO;
    } else if (a.changes > 1 && !job->settings->quiet) {
      fprintf(stderr,
              "%s: warning: goal '%s' changes %zu times between %g and %g; its value is that at the %s change\n",
              job->scenario, goal_at(def, k)->name, a.changes, def->from, def->to,
              goal_at(def, k)->side == VD_SEARCH_LOWEST ? "last" : "first");
    }
    vd_buf_finish(&why);
  }
  if (first && !job->settings->quiet)
    fprintf(stderr, "%s: warning: %zu of %zu runs failed, in which only partial goals can hold; the first, at %g: %s\n",
            job->scenario, bad, search->count, first->value, first->failure);
  return status;
}

typedef struct written {
  const vd_search_job *job;
  const vd_search *search;
} written;

static int write_metrics(void *context, enum vd_result_file which, vd_output *o) {
  const written *w = context;
  (void)which; /* a search has only one result */
  vd_arena *arena = vd_arena_create();
  vd_metrics *metrics = vd_arena_alloc(arena, sizeof *metrics);
  vd_search_metrics(w->search, arena, metrics);
  vd_write_metrics(o, metrics, w->job->settings->digits);
  vd_arena_destroy(arena);
  return VD_EXIT_YES;
}

static int write_results(const vd_search_job *job, const vd_search *search) {
  const vd_settings *s = job->settings;
  written w = {job, search};
  vd_results r = {.settings = s,
                  .scenario = job->scenario,
                  .resolved = job->resolved,
                  .schema = &vd_scenario_schema,
                  .def = job->def,
                  .level = job->def->run.level};
  vd_run_report report = {.status = VD_SIM_OK, .rows = (long)search->count};
  for (size_t i = 0; i < search->count; i++)
    report.end_time = vd_max(report.end_time, search->trial[i].end_time);
  if (s->metrics)
    return vd_result_write(&r, s->metrics, VD_RESULT_METRICS, &report, write_metrics, &w);
  if (!vd_results_open(&r))
    return VD_EXIT_TROUBLE;
  vd_output *o = r.output[VD_RESULT_LOG];
  write_trials(search, s->digits, o);
  report.reader_gone = vd_output_error(o) == EPIPE;
  return vd_results_commit(&r, &report, VD_WHEN(VD_RESULT_METRICS), write_metrics, &w);
}

static bool usage_ok(const vd_search_job *job) {
  const vd_settings *s = job->settings;
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  return !option || vd_tool_error("'%s' is for single runs, but '%s' is a search, whose log has a row for each trial; "
                                  "--set search={} makes it a single run",
                                  option, job->scenario);
}

int vd_search_job_run(const vd_search_job *job) {
  const vd_settings *s = job->settings;
  bool to_stdout = !s->metrics && vd_tool_is_stdout(s->output);
  vd_progress bar;
  if (!usage_ok(job))
    return VD_EXIT_TROUBLE;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  vd_search search;
  vd_search_init(&search, &job->def->search);
  int status = run_trials(job, &search, watch, &bar);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  if (status == VD_EXIT_YES)
    status = write_results(job, &search);
  if (status == VD_EXIT_YES)
    status = judge(job, &search);
  if (s->verbose)
    fprintf(stderr, "%s: %zu runs\n", job->scenario, search.count);
  vd_search_finish(&search);
  return status;
}
