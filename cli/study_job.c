#define _XOPEN_SOURCE 700

#include "study_job.h"

#include "pool.h"
#include "results.h"
#include "stop.h"
#include "study_files.h"
#include "tool.h"
#include "track_job.h"
#include "vehicle_job.h"

#include "base/memory.h"
#include "base/system.h"
#include "input/schema.h"
#include "study/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A study while it runs. */
typedef struct work {
  const vd_settings *settings;
  const char *scenario;
  const vd_study *study;
  vd_buf resolved;
  vd_study_files files;
  vd_journal *journal; /* NULL: the lines stay in memory, for a table on standard output or for --metrics */
  vd_buf *line;        /* [cases], lines of the table; only without a journal */
  size_t next;         /* first case that has not been started or skipped yet */
  int error;           /* errno of writing the journal */
  bool synced;
  /* walk that makes the lines of cases whose process died; NULL: no process has died so far */
  vd_study_walk *died;
  size_t deaths;
} work;

static bool of_shard(const vd_settings *s, size_t i) {
  return i % (size_t)s->shards == (size_t)s->shard;
}

static bool is_done(const work *w, size_t i) {
  return w->journal && vd_journal_has(w->journal, i) && !(w->settings->only_failed && vd_journal_failed(w->journal, i));
}

static bool next(void *context, size_t *i) {
  work *w = context;
  while (w->next < w->study->count && (!of_shard(w->settings, w->next) || is_done(w, w->next)))
    w->next++;
  *i = w->next;
  return w->next++ < w->study->count;
}

/* --- in the child processes --- */

typedef struct worker {
  const work *work;
  vd_study_walk *walk;
  vd_case_options options;
  bool written; /* false: the time history of the present case could not be written */
} worker;

static vd_output *open_history(void *context, size_t i) {
  const work *w = ((const worker *)context)->work;
  char path[VD_STUDY_PATH];
  vd_study_history(&w->files, i, false, path);
  return vd_tool_may_replace(path, vd_tool_begins(path, "t_s,")) ? vd_tool_open_output(path, VD_REPLACES_ALL) : NULL;
}

static void close_history(void *context, size_t i, vd_output *log, bool whole) {
  worker *k = context;
  const work *w = k->work;
  char path[VD_STUDY_PATH], other[VD_STUDY_PATH];
  vd_study_history(&w->files, i, false, path);
  vd_study_history(&w->files, i, true, other);
  k->written = log && vd_tool_commit(log, path, whole ? NULL : other) == VD_EXIT_YES;
}

static void *begin(void *context) {
  work *w = context;
  worker *k = vd_allocate(1, sizeof *k);
  *k = (worker){.work = w, .walk = vd_study_walk_start(w->study)};
  k->options = (vd_case_options){.digits = w->settings->digits, .strict = w->settings->strict, .context = k};
  if (!w->line) { /* the lines are in the journal */
    k->options.open = open_history;
    k->options.close = close_history;
  }
  return k;
}

/* Runs a case. If its time history cannot be written the case counts as not done, so that --resume runs it again. */
static bool do_case(void *own, size_t i, vd_buf *result) {
  worker *k = own;
  k->written = true;
  vd_study_case(k->walk, i, &k->options, result);
  return k->written;
}

/* --- in the parent process --- */

static bool take(void *context, size_t i, double seconds, const vd_buf *result, const char *how) {
  work *w = context;
  vd_buf line = {0};
  if (how) {
    char status[80];
    snprintf(status, sizeof status, "died: %s", how);
    w->died = w->died ? w->died : vd_study_walk_start(w->study);
    w->deaths++;
    vd_study_died(w->died, i, status, w->settings->digits, &line);
  } else {
    vd_buf_add(&line, result->text, result->length);
  }
  w->synced = false;
  if (!w->journal) {
    w->line[i] = line;
    return true;
  }
  if (w->error == 0) /* only the first error is reported */
    w->error = vd_journal_add(w->journal, i, seconds, line.text);
  vd_buf_finish(&line);
  return w->error == 0;
}

static bool tick(void *context) {
  work *w = context;
  if (w->journal && !w->synced && w->error == 0)
    w->error = vd_journal_sync(w->journal);
  w->synced = true;
  return w->error == 0;
}

/* Runs the cases that are to be run; false after a message. */
static bool run_cases(work *w, bool to_stdout) {
  const vd_settings *s = w->settings;
  size_t left = 0;
  for (size_t i = 0; i < w->study->count; i++)
    left += of_shard(s, i) && !is_done(w, i);
  const vd_pool pool = {
      .context = w,
      .jobs = s->scenario_count == 1 ? s->jobs : 1, /* each of several files already has a process of its own */
      .count = left,
      .quiet = s->quiet,
      .watch = isatty(STDERR_FILENO) && !s->quiet && s->scenario_count == 1 && !(to_stdout && isatty(STDOUT_FILENO)),
      .next = next,
      .begin = begin,
      .work = do_case,
      .take = take,
      .tick = tick,
  };
  vd_stop_set_message(0, 0, NULL,
                      w->journal ? "the cases in its journal are kept; --resume continues" : "nothing is kept");
  bool good = vd_pool_run(&pool);
  if (w->journal && w->error == 0)
    w->error = vd_journal_sync(w->journal);
  vd_study_walk_finish(w->died);
  if (w->error != 0)
    vd_tool_error("'%s': %s", w->files.journal, strerror(w->error));
  return good && w->error == 0;
}

/* --- results --- */

static int write_to_stdout(const work *w) {
  vd_output *o = vd_tool_open_output("-", VD_REPLACES_OURS);
  vd_buf line = {0};
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_study_header(w->study, false, &line);
  vd_output_bytes(o, line.text, line.length);
  for (size_t i = 0; i < w->study->count; i++)
    if (w->line[i].length > 0)
      vd_output_bytes(o, w->line[i].text, w->line[i].length);
  vd_buf_finish(&line);
  return vd_tool_commit(o, "-", NULL);
}

static int write_summary(void *context, enum vd_result_file which, vd_output *o) {
  const work *w = context;
  vd_summary *summary = vd_summary_start(w->study);
  (void)which; /* a study has only metrics */
  for (size_t i = 0; i < w->study->count; i++)
    if (w->line[i].length > 0)
      vd_summary_add(summary, w->line[i].text);
  vd_study_write_summary(summary, w->settings->digits, o);
  vd_summary_finish(summary);
  return VD_EXIT_YES;
}

static int write_figures(work *w) {
  const vd_settings *s = w->settings;
  vd_run_report report = {.status = VD_SIM_OK};
  vd_results r = {.settings = s, .scenario = w->scenario, .resolved = &w->resolved, .kind = VD_KIND_STUDY};
  for (size_t i = 0; i < w->study->count; i++)
    report.rows += w->line[i].length > 0;
  return vd_result_write(&r, s->metrics, VD_RESULT_METRICS, &report, write_summary, w);
}

static int finish_memory(work *w) {
  int status = w->settings->metrics ? write_figures(w) : write_to_stdout(w);
  for (size_t i = 0; i < w->study->count; i++)
    vd_buf_finish(&w->line[i]);
  free(w->line);
  if (w->deaths > 0 && !w->settings->quiet)
    vd_tool_error("'%s': %zu of its cases died", w->scenario, w->deaths);
  return status == VD_EXIT_YES && w->deaths > 0 ? VD_EXIT_ENDED : status;
}

/* Returns the hash of everything that the cases of one table must have in common: the study, the digits, and whether a
 * warning refuses a case. */
static uint64_t hash_of(const work *w) {
  const char options[] = {(char)(w->settings->digits == VD_DIGITS_EXACT), (char)w->settings->strict};
  bool any = options[0] || options[1];
  return any ? vd_text_hash(w->study->hash, options, sizeof options) : w->study->hash;
}

/* Creates the journal, or opens the existing one to go on with it; false after a message. */
static bool open_journal(work *w) {
  const vd_settings *s = w->settings;
  const vd_journal_head head = {hash_of(w), w->study->count, (size_t)s->shard, (size_t)s->shards};
  vd_buf columns = {0};
  vd_study_header(w->study, false, &columns);
  w->journal = vd_study_journal(&w->files, &head, columns.text, s->resume || s->only_failed);
  vd_buf_finish(&columns);
  return w->journal != NULL;
}

static int run_with_journal(work *w) {
  const vd_settings *s = w->settings;
  if ((s->directory && !vd_tool_make_folder(s->output)) ||
      !vd_study_files_of(s, w->scenario, vd_kinds[VD_KIND_STUDY].name, &w->files) ||
      (!vd_process_will_work() && !open_journal(w)))
    return VD_EXIT_TROUBLE;
  bool good = w->study->def.histories == VD_HISTORIES_NONE || vd_tool_make_folder(w->files.histories);
  int status = good && run_cases(w, false) ? VD_EXIT_YES : VD_EXIT_TROUBLE;
  if (status == VD_EXIT_YES)
    status = vd_study_table(&w->files, w->journal, w->study, &w->resolved, s);
  vd_journal_close(w->journal);
  return status;
}

static int run_in_memory(work *w) {
  const vd_settings *s = w->settings;
  if (s->resume || s->only_failed || s->shards > 1 || w->study->def.histories != VD_HISTORIES_NONE) {
    vd_tool_error("'%s': %s need '-o DIR'", w->scenario,
                  w->study->def.histories != VD_HISTORIES_NONE ? "time histories of cases"
                                                               : "--resume, --only-failed and --shard");
    return VD_EXIT_TROUBLE;
  }
  w->line = vd_allocate(w->study->count, sizeof *w->line);
  bool good = run_cases(w, !s->metrics);
  int status = finish_memory(w);
  return good ? status : VD_EXIT_TROUBLE;
}

/* --- other requests: the design, one case --- */

static int print_design(const vd_study *study, const vd_settings *s) {
  vd_output *o = vd_tool_open_output(s->output ? s->output : "-", VD_REPLACES_OURS);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_study_walk *walk = vd_study_walk_start(study);
  vd_buf line = {0};
  vd_study_header(study, true, &line);
  for (size_t i = 0; i < study->count && vd_output_error(o) == 0; i++) {
    vd_output_bytes(o, line.text, line.length);
    line.length = 0;
    vd_study_plan(walk, i, s->digits, &line);
  }
  vd_output_bytes(o, line.text, line.length);
  vd_buf_finish(&line);
  vd_study_walk_finish(walk);
  return vd_tool_commit(o, s->output ? s->output : "-", NULL);
}

static int print_count(const vd_study *study) {
  printf("%zu\n", study->count);
  return vd_tool_close_stdout(VD_EXIT_YES);
}

/* Runs one case, as vdsim-run would with the settings of the case given by --set; -c and --rate apply to this run. */
static int run_case(const vd_study *study, const vd_settings *s, vd_arena *arena, vd_diag *d) {
  vd_study_walk *walk = vd_study_walk_start(study);
  vd_settings one = *s;
  size_t count;
  const char *why;
  if (s->one_case >= (long)study->count) {
    vd_study_walk_finish(walk);
    vd_tool_error("--case %ld: the study has %zu cases, from 0", s->one_case, study->count);
    return VD_EXIT_TROUBLE;
  }
  const vd_setting *set = vd_study_settings(walk, (size_t)s->one_case, &count, &why);
  vd_setting *all = vd_arena_alloc(arena, (count + s->set_count + 1) * sizeof *all);
  int status = VD_EXIT_NO, source = vd_diag_add_source(d, study->path, study->text, study->length);
  for (size_t i = 0; i < count; i++) {
    all[i] = set[i];
    if (s->verbose)
      fprintf(stderr, "%s: case %ld: %s\n", study->path, s->one_case, set[i].text);
  }
  for (size_t i = 0; i < s->set_count; i++)
    if (s->set[i].option)
      all[count++] = s->set[i];
  one.set = all;
  one.set_count = count;
  if (why)
    vd_tool_error("case %ld is %s", s->one_case, why);
  else if (study->kind == VD_KIND_VEHICLE)
    status = vd_vehicle_job_run(&one, study->path, source, arena, d);
  else if (study->kind == VD_KIND_TRACK_CAR)
    status = vd_track_job_run(&one, study->path, source, arena, d);
  else
    vd_tool_error("a suspension has no run; --case with -v prints the settings of its case");
  vd_study_walk_finish(walk);
  return status;
}

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->one_case >= 0 ? NULL : s->log_option ? s->log_option : s->response ? "--response" : NULL;
  if (option)
    return vd_tool_error("'%s' is for single runs; '%s' is a study; see --case", option, scenario);
  if (s->write_tir)
    return vd_tool_error("'--write-tir' is for scenarios with tyres; '%s' is a study", scenario);
  return true;
}

int vd_study_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_study study;
  work w = {.settings = s, .scenario = scenario, .study = &study};
  if (!usage_ok(s, scenario))
    return VD_EXIT_TROUBLE;
  size_t own = s->set_count; /* the settings of -c and --rate are left out, because only --case uses them */
  vd_setting *set = vd_arena_alloc(arena, (own + 1) * sizeof *set);
  own = 0;
  for (size_t i = 0; i < s->set_count; i++)
    if (!s->set[i].option)
      set[own++] = s->set[i];
  bool read = vd_study_read_source(source, set, own, arena, d, &study);
  vd_tool_print_messages(d);
  if (!read)
    return VD_EXIT_TROUBLE;
  if (s->count)
    return print_count(&study);
  if (s->dry_run)
    return print_design(&study, s);
  if (s->one_case >= 0)
    return run_case(&study, s, arena, d);
  vd_schema_write(&vd_study_schema, &study.def, &w.resolved);
  bool may = s->resolved || vd_results_may_write(s, scenario);
  int status = s->check      ? VD_EXIT_YES
               : !may        ? VD_EXIT_TROUBLE
               : s->resolved ? vd_tool_write_text(s->output ? s->output : "-", VD_REPLACES_NOTHING, w.resolved.text,
                                                  w.resolved.length)
               : s->metrics || vd_tool_is_stdout(s->output) ? run_in_memory(&w)
                                                            : run_with_journal(&w);
  vd_buf_finish(&w.resolved);
  return status;
}
