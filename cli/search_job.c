#include "search_job.h"

#include "jobs.h"
#include "results.h"
#include "tool.h"

#include "base/elementary.h"
#include "base/num.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const vd_goal_def *goal_at(const vd_search_def *def, size_t i) {
  return (const vd_goal_def *)def->goals.item + i;
}

/* Reads the scenario with the key set to a value, after all other settings. Prints messages if that fails. */
static bool read_at(const vd_search_job *job, double value, vd_arena *arena, vd_scenario_def *def) {
  const vd_settings *s = job->settings;
  vd_setting *set = vd_arena_alloc(arena, (s->set_count + 1) * sizeof *set);
  char number[VD_NUM_MAX];
  vd_buf text = {0};
  vd_diag *diag = vd_diag_create();
  vd_diag_set_strict(diag, s->strict);
  int source = vd_diag_add_source(diag, job->source, job->text, job->length);
  vd_num_print_shortest(value, number);
  vd_buf_printf(&text, "%s=%s", job->def->search.key, number);
  for (size_t i = 0; i < s->set_count; i++)
    set[i] = s->set[i];
  set[s->set_count] = (vd_setting){.text = text.text};
  bool good = vd_scenario_read_source(source, set, s->set_count + 1, arena, diag, def);
  if (!good)
    vd_tool_print_messages(diag);
  vd_diag_destroy(diag);
  vd_buf_finish(&text);
  return good;
}

int vd_search_job_check(const vd_search_job *job) {
  const double end[] = {job->def->search.from, job->def->search.to};
  int status = VD_EXIT_YES;
  for (size_t i = 0; i < VD_COUNT(end) && status == VD_EXIT_YES; i++) {
    vd_arena *arena = vd_arena_create();
    if (!read_at(job, end[i], arena, vd_arena_alloc(arena, sizeof(vd_scenario_def))))
      status = VD_EXIT_TROUBLE;
    vd_arena_destroy(arena);
  }
  return status;
}

/* Trials that are run together. Each may be run in a process of its own. */
typedef struct batch {
  const vd_search_job *job;
  vd_trial *trial;
} batch;

/* The result is the trial as bytes. */
static int run_trial(void *context, size_t i, vd_buf *result) {
  const batch *b = context;
  vd_trial trial = b->trial[i];
  vd_arena *arena = vd_arena_create();
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  int status = VD_EXIT_TROUBLE;
  if (read_at(b->job, trial.value, arena, def)) {
    vd_run_options options = {.digits = b->job->settings->digits};
    vd_metrics *metrics = vd_arena_alloc(arena, sizeof *metrics);
    vd_recorder recorder;
    vd_run_report report;
    vd_recorder_init(&recorder, true);
    vd_simulate(def, &options, NULL, &recorder, &report);
    memcpy(trial.failure, report.failure, sizeof trial.failure);
    trial.end_time = report.end_time;
    vd_run_metrics(def, &recorder, metrics);
    for (size_t k = 0; k < def->search.goals.count; k++) {
      const vd_metric *metric = vd_metric_called(metrics, goal_at(&def->search, k)->metric);
      trial.metric[k] = metric ? metric->value : NAN;
    }
    vd_recorder_finish(&recorder);
    vd_buf_add(result, (const char *)&trial, sizeof trial);
    status = VD_EXIT_YES;
  }
  vd_arena_destroy(arena);
  return status;
}

static void take_trial(void *context, size_t i, const vd_buf *result) {
  const batch *b = context;
  if (result->length == sizeof b->trial[i])
    memcpy(&b->trial[i], result->text, sizeof b->trial[i]);
}

/* Runs the next trials. */
static int run_batch(const vd_search_job *job, vd_search *search, size_t count) {
  const vd_settings *s = job->settings;
  batch b = {job, search->trial + search->count - count};
  return vd_jobs_run(&(vd_jobs){
      .work = run_trial,
      .take = take_trial,
      .context = &b,
      .count = count,
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

/* Goals may use the same metric, which then has one column. */
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

/* An exit status for the results, after messages about them. */
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
      fprintf(stderr, "%s: error: goal '%s' %s: there is nothing to find between\n", job->scenario,
              goal_at(def, k)->name, why.text);
      status = VD_EXIT_NO;
    } else if (a.changes > 1 && !job->settings->quiet) {
      fprintf(stderr,
              "%s: warning: goal '%s' changes %zu times between %g and %g; the value is that of the %s change\n",
              job->scenario, goal_at(def, k)->name, a.changes, def->from, def->to,
              goal_at(def, k)->side == VD_SEARCH_LOWEST ? "last" : "first");
    }
    vd_buf_finish(&why);
  }
  if (first && !job->settings->quiet)
    fprintf(stderr,
            "%s: warning: %zu of %zu runs went bad, and only partial goals can hold there; the first, at %g: %s\n",
            job->scenario, bad, search->count, first->value, first->failure);
  return status;
}

typedef struct written {
  const vd_search_job *job;
  const vd_search *search;
} written;

static int write_metrics(void *context, enum vd_result which, vd_output *o) {
  const written *w = context;
  (void)which; /* there is nothing else */
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
  if (s->metrics)
    return vd_result_write(s->metrics, VD_RESULT_METRICS, write_metrics, &w);
  if (!vd_results_open(&r))
    return VD_EXIT_TROUBLE;
  vd_output *o = r.output[VD_RESULT_LOG];
  write_trials(search, s->digits, o);
  vd_run_report report = {.status = VD_SIM_OK, .reader_gone = vd_output_error(o) == EPIPE, .rows = (long)search->count};
  for (size_t i = 0; i < search->count; i++)
    report.end_time = vd_max(report.end_time, search->trial[i].end_time);
  return vd_results_commit(&r, &report, VD_WHEN(VD_RESULT_METRICS), write_metrics, &w);
}

static bool usage_ok(const vd_search_job *job) {
  const vd_settings *s = job->settings;
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  return !option || vd_tool_error("'%s' is for single runs; '%s' is a search, which writes its trials; --set search={} "
                                  "makes it a single run",
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
