#define _XOPEN_SOURCE 700

#include "study_files.h"

#include "results.h"
#include "study_job.h"
#include "tool.h"

#include "base/memory.h"
#include "base/system.h"
#include "input/schema.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

static void name_all(vd_study_files *f) {
  snprintf(f->journal, sizeof f->journal, "%s.journal", f->base);
  snprintf(f->times, sizeof f->times, "%s.times.csv", f->base);
  snprintf(f->histories, sizeof f->histories, "%s.cases", f->base);
}

bool vd_study_files_of(const vd_settings *s, const char *scenario, const char *what, vd_study_files *f) {
  f->scenario = scenario;
  f->what = what;
  if (!vd_results_base(s, scenario, f->base, sizeof f->base))
    return false;
  name_all(f);
  return true;
}

void vd_study_history(const vd_study_files *f, size_t i, bool incomplete, char path[VD_STUDY_PATH]) {
  snprintf(path, VD_STUDY_PATH, "%s.cases/%06zu%s.csv", f->base, i, incomplete ? ".incomplete" : "");
}

/* --- journals --- */

static const char no_journal[] = "it is not a journal, or its first two lines have been changed";

static bool same_study(const vd_study_files *f, const vd_journal *j, const vd_journal_head *head, const char *columns) {
  const vd_journal_head *is = vd_journal_head_of(j);
  const char *path = f->journal;
  if (is->hash != head->hash || is->count != head->count || strcmp(vd_journal_columns(j), columns) != 0)
    return vd_tool_error("'%s' belongs to a %s with other inputs or options, or to another version", path, f->what);
  if (is->shard != head->shard || is->shards != head->shards)
    return vd_tool_error("'%s' belongs to shard %zu/%zu", path, is->shard + 1, is->shards);
  return true;
}

vd_journal *vd_study_journal(const vd_study_files *f, const vd_journal_head *head, const char *columns, bool resume) {
  struct stat info;
  /* the file may be empty if the process was killed before it wrote the first line */
  bool there = stat(f->journal, &info) == 0 && info.st_size > 0;
  if (there && !resume) {
    vd_tool_error("'%s' exists already: --resume continues that %s; another one needs another folder", f->journal,
                  f->what);
    return NULL;
  }
  vd_journal *j = there ? vd_journal_open(f->journal, false) : vd_journal_create(f->journal, head, columns);
  if (!j)
    vd_tool_error("'%s': %s", f->journal,
                  errno == EINVAL  ? no_journal
                  : errno == EBUSY ? "another process works on it"
                                   : strerror(errno));
  if (j && there && !same_study(f, j, head, columns)) {
    vd_journal_close(j);
    return NULL;
  }
  return j;
}

/* --- the table --- */

static void print_counts(const vd_study_files *f, const size_t *of, const vd_settings *s) {
  size_t cases = 0;
  if (s->quiet)
    return;
  for (int k = 0; k < VD_ENDINGS; k++)
    cases += of[k];
  fprintf(stderr, "%s: %zu cases: %zu ok", f->scenario, cases, of[VD_CASE_OK]);
  const struct {
    size_t count;
    const char *word;
  } rest[] = {{of[VD_CASE_EXCLUDED], "excluded"},
              {of[VD_CASE_ENDED] + of[VD_CASE_UNANSWERED], "ended early"},
              {of[VD_CASE_REFUSED], "refused"},
              {of[VD_CASE_DIED], "died"}};
  for (size_t i = 0; i < VD_COUNT(rest); i++)
    if (rest[i].count > 0)
      fprintf(stderr, ", %zu %s", rest[i].count, rest[i].word);
  fputs(of[VD_CASE_DIED] > 0 ? "; --only-failed repeats the cases that died\n" : "\n", stderr);
}

/* Writes all lines in the order of the cases, and their computing times; returns an errno. summary may be NULL. */
static int write_lines(vd_journal *j, vd_output *table, vd_output *times, size_t *of, vd_summary *summary) {
  vd_buf line = {0};
  int error = 0;
  vd_output_puts(table, vd_journal_columns(j));
  vd_output_puts(times, "case,time_s\n");
  for (size_t i = 0; i < vd_journal_head_of(j)->count && error == 0; i++) {
    char time[64];
    double seconds = 0.0;
    if (!vd_journal_has(j, i))
      continue;
    line.length = 0;
    error = vd_journal_line(j, i, &line, &seconds);
    if (error == 0) {
      vd_output_bytes(table, line.text, line.length);
      snprintf(time, sizeof time, "%zu,%.6f\n", i, seconds);
      vd_output_puts(times, time);
      of[vd_ending_of(line.text)]++;
      if (summary)
        vd_summary_add(summary, line.text);
    }
  }
  vd_buf_finish(&line);
  return error;
}

typedef struct writing {
  vd_output *o;
  enum vd_digits digits;
} writing;

static void write_figure(void *context, const vd_metric *figure) {
  const writing *w = context;
  vd_write_metric(w->o, figure, w->digits);
}

void vd_study_write_summary(vd_summary *summary, enum vd_digits digits, vd_output *o) {
  vd_write_metrics_head(o);
  vd_summary_figures(summary, write_figure, &(writing){o, digits});
}

typedef struct summing {
  const vd_settings *settings;
  vd_summary *summary;
} summing;

static int write_summary(void *context, enum vd_result_file which, vd_output *o) {
  const summing *s = context;
  (void)which; /* only the table is written */
  vd_study_write_summary(s->summary, s->settings->digits, o);
  return VD_EXIT_YES;
}

static void write_origin(const vd_journal_head *head, vd_buf *origin) {
  vd_buf_printf(origin, "inputs_fnv1a64: \"%016" PRIx64 "\"\ncases: %zu\n", head->hash, head->count);
  if (head->shards > 1)
    vd_buf_printf(origin, "shard: %zu/%zu\n", head->shard + 1, head->shards);
}

int vd_study_table(const vd_study_files *f, vd_journal *j, const vd_study *study, const vd_buf *resolved,
                   const vd_settings *s) {
  const vd_journal_head *head = vd_journal_head_of(j);
  bool whole = study && vd_journal_cases(j) == head->count;
  summing sums = {s, whole ? vd_summary_start(study) : NULL};
  size_t of[VD_ENDINGS] = {0};
  vd_buf origin = {0};
  write_origin(head, &origin);
  vd_results r = {
      .settings = s, .scenario = f->scenario, .resolved = resolved, .kind = VD_KIND_STUDY, .origin = &origin};
  vd_output *times = vd_tool_open_output(f->times, VD_REPLACES_OURS);
  int status = times && vd_results_open(&r) ? VD_EXIT_YES : VD_EXIT_TROUBLE;
  int error = status == VD_EXIT_YES ? write_lines(j, r.output[VD_RESULT_LOG], times, of, sums.summary) : 0;
  const vd_run_report report = {.status = VD_SIM_OK, .rows = (long)vd_journal_cases(j)};
  if (error != 0) {
    vd_tool_error("'%s': %s", f->journal, strerror(error));
    vd_results_discard(&r);
    status = VD_EXIT_TROUBLE;
  }
  if (status == VD_EXIT_YES)
    status = vd_tool_commit(times, f->times, NULL);
  else
    vd_tool_discard(times);
  if (status == VD_EXIT_YES)
    status = vd_results_commit(&r, &report, whole ? VD_WHEN(VD_RESULT_METRICS) : 0u, write_summary, &sums);
  vd_buf_finish(&origin);
  vd_summary_finish(sums.summary);
  if (status == VD_EXIT_YES)
    print_counts(f, of, s);
  return status == VD_EXIT_YES && of[VD_CASE_DIED] > 0 ? VD_EXIT_ENDED : status;
}

/* --- merging --- */

/* Opens the only journal in a folder, and sets the stem of its name; NULL after a message. */
static vd_journal *open_in(const char *folder, char stem[256]) {
  static const char ending[] = ".journal";
  vd_buf path = {0};
  int found = 0;
  DIR *d = opendir(folder);
  for (const struct dirent *entry; d && (entry = readdir(d));)
    if (entry->d_name[0] != '.' && vd_ends_in(entry->d_name, ending) && found++ == 0) {
      vd_buf_printf(&path, "%s/%s", folder, entry->d_name);
      snprintf(stem, 256, "%.*s", (int)(strlen(entry->d_name) - strlen(ending)), entry->d_name);
    }
  if (d)
    closedir(d);
  vd_journal *j = found == 1 ? vd_journal_open(path.text, true) : NULL;
  if (found != 1)
    vd_tool_error("'%s' contains %s journal of a study", folder, found == 0 ? "no" : "more than one");
  else if (!j)
    vd_tool_error("'%s': %s", path.text, errno == EINVAL ? no_journal : strerror(errno));
  vd_buf_finish(&path);
  return j;
}

/* Copies all cases of a shard into the common journal; false after a message. */
static bool add_shard(const char *folder, vd_journal *from, vd_journal *to) {
  vd_buf line = {0};
  int error = 0;
  bool repeated = false;
  size_t count = vd_journal_head_of(to)->count;
  for (size_t i = 0; i < count && error == 0 && !repeated; i++) {
    double seconds = 0.0;
    if (!vd_journal_has(from, i))
      continue;
    repeated = vd_journal_has(to, i);
    line.length = 0;
    if (repeated)
      vd_tool_error("'%s': case %zu is in another folder, too", folder, i);
    else if ((error = vd_journal_line(from, i, &line, &seconds)) == 0)
      error = vd_journal_add(to, i, seconds, line.text);
  }
  vd_buf_finish(&line);
  if (error != 0)
    vd_tool_error("'%s': %s", folder, strerror(error));
  return error == 0 && !repeated;
}

/* Joins all shards in one journal; NULL after a message. */
static vd_journal *join(const vd_settings *s, vd_study_files *f, char stem[256]) {
  vd_journal *all = NULL;
  f->what = vd_kinds[VD_KIND_STUDY].name;
  bool good = true;
  for (size_t k = 0; k < s->scenario_count && good; k++) {
    char name[256];
    vd_journal *part = open_in(s->scenario[k], name);
    vd_journal_head head;
    good = part != NULL;
    if (good && k == 0) {
      strcpy(stem, name);
      snprintf(f->base, sizeof f->base, "%s/%s", s->output, stem);
      name_all(f);
      head = *vd_journal_head_of(part);
      head.shard = 0;
      head.shards = 1;
      all = vd_study_journal(f, &head, vd_journal_columns(part), false);
      good = all != NULL;
    } else if (good && (vd_journal_head_of(part)->hash != vd_journal_head_of(all)->hash ||
                        strcmp(vd_journal_columns(part), vd_journal_columns(all)) != 0)) {
      good =
          vd_tool_error("'%s' belongs to a study with other inputs or options, or to another version", s->scenario[k]);
    }
    good = good && add_shard(s->scenario[k], part, all);
    vd_journal_close(part);
  }
  for (size_t i = 0; good && i < vd_journal_head_of(all)->count; i++)
    if (!vd_journal_has(all, i))
      good = vd_tool_error("case %zu is in none of the folders, which contain %zu of %zu cases", i,
                           vd_journal_cases(all), vd_journal_head_of(all)->count);
  if (all && !good) {
    vd_journal_close(all);
    remove(f->journal);
    all = NULL;
  }
  return all;
}

static bool read_resolved(const char *folder, const char *stem, vd_buf *out) {
  char path[VD_STUDY_PATH];
  vd_diag *d = vd_diag_create();
  int source;
  const char *text;
  snprintf(path, sizeof path, "%s/%s.resolved.yaml", folder, stem);
  bool good = vd_schema_slurp(path, d, &source);
  if (good) {
    size_t length = vd_diag_source_text(d, source, &text);
    vd_buf_add(out, text, length);
  } else {
    vd_tool_print_messages(d);
  }
  vd_diag_destroy(d);
  return good;
}

int vd_study_job_merge(const vd_settings *s) {
  vd_study_files f;
  vd_buf resolved = {0}, name = {0};
  char stem[256];
  if (!s->directory || !vd_tool_make_folder(s->output)) {
    if (!s->directory)
      vd_tool_error("--merge needs '-o DIR'");
    return VD_EXIT_TROUBLE;
  }
  vd_journal *all = join(s, &f, stem);
  int status = VD_EXIT_TROUBLE;
  if (all && read_resolved(s->scenario[0], stem, &resolved)) {
    vd_buf_printf(&name, "%s.yaml", stem);
    f.scenario = name.text;
    status = vd_results_may_write(s, f.scenario) ? vd_study_table(&f, all, NULL, &resolved, s) : VD_EXIT_TROUBLE;
  }
  vd_journal_close(all);
  if (all && status == VD_EXIT_TROUBLE)
    remove(f.journal); /* without its journal the merge can be tried again */
  vd_buf_finish(&resolved);
  vd_buf_finish(&name);
  return status;
}
