#define _XOPEN_SOURCE 700 /* for realpath */

#include "results.h"

#include "base/system.h"
#include "input/schema.h"
#include "json.h"
#include "mat.h"
#include "stop.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static const char *const ending[VD_RESULTS] = {
    ".provenance.yaml",  ".csv",         ".resolved.yaml", ".metrics.csv",   ".results.json",
    ".response.csv",     ".figures.csv", ".curves.csv",    ".tyre.yaml",     ".tir",
    ".correlations.csv", ".set",         ".profile.csv",   ".resamples.csv", ".incomplete.csv"};

/* --- names --- */

bool vd_results_base(const vd_settings *s, const char *scenario, char *base, size_t size) {
  char stem[256];
  size_t length = strlen(s->output), suffix = vd_job_is_log(s->output) ? strlen(".csv") : 0;
  vd_job_stem(scenario, stem, sizeof stem);
  int used = s->directory ? snprintf(base, size, "%s%s%s", s->output, s->output[length - 1] == '/' ? "" : "/", stem)
                          : snprintf(base, size, "%.*s", (int)(length - suffix), s->output);
  return (used >= 0 && (size_t)used < size) || vd_tool_error("the output's name is too long");
}

/* Whether a log is a device or a pipe, beside which nothing can be written. */
static bool is_special(const char *log) {
  struct stat info;
  return stat(log, &info) == 0 && !S_ISREG(info.st_mode);
}

bool vd_results_rows_alone(const vd_settings *s) {
  return !s->resolved && !s->metrics && !s->response && !s->directory &&
         (vd_tool_is_stdout(s->output) || is_special(s->output));
}

/* Makes the names of all results; false after a message. */
static bool make_names(const vd_settings *s, const char *scenario, vd_results *r) {
  char base[700];
  if (!vd_results_base(s, scenario, base, sizeof base))
    return false;
  for (int i = 0; i < VD_RESULTS; i++)
    snprintf(r->name[i], sizeof r->name[i], "%s%s", base, ending[i]);
  if (!s->directory && vd_job_is_log(s->output))
    snprintf(r->name[VD_RESULT_INCOMPLETE], sizeof r->name[0], "%s.incomplete%s", base, strrchr(s->output, '.'));
  if (!s->directory)
    snprintf(r->name[VD_RESULT_LOG], sizeof r->name[VD_RESULT_LOG], "%s", s->output);
  r->alone = is_special(r->name[VD_RESULT_LOG]);
  return true;
}

/* Whether only fits write this result; other runs do not touch files of this name. */
static bool is_of_fit(int result) {
  return result >= VD_RESULT_FIGURES && result <= VD_RESULT_RESAMPLES;
}

/* Whether a file begins like a log: with names of channels, or like a file of TYDEX or MATLAB. */
static bool is_log(const char *path) {
  static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,";
  char line[8192] = "";
  FILE *f = fopen(path, "r");
  bool read = f && fgets(line, sizeof line, f);
  if (f)
    fclose(f);
  bool marked = strncmp(line, "**", 2) == 0 || strncmp(line, VD_MAT_START, strlen(VD_MAT_START)) == 0;
  return read && (marked || (strchr(line, '\n') && line[strspn(line, known)] == '\n'));
}

/* Whether the results may be written. Another process that is just renaming its results may have a log without a
 * provenance; the function waits until that process has finished. */
static bool may_write_files(const vd_settings *s, const char *scenario, bool fit) {
  vd_results r;
  char base[700];
  if (!make_names(s, scenario, &r) || !vd_results_base(s, scenario, base, sizeof base))
    return false;
  int turn = r.alone ? -1 : vd_tool_await_turn(base);
  bool ours = vd_tool_begins(r.name[VD_RESULT_PROVENANCE], "tool: vdsim-"), good = true;
  for (int i = 0; i < VD_RESULTS; i++) {
    if (is_of_fit(i) && !fit)
      continue;
    bool named = i == VD_RESULT_LOG && !s->directory;
    bool made = s->directory || i == VD_RESULT_PROVENANCE || i == VD_RESULT_INCOMPLETE;
    if (named)
      good &= vd_tool_may_write(r.name[i], ours && is_log(r.name[i]) ? VD_REPLACES_ALL : VD_REPLACES_OURS);
    else if (made && !r.alone)
      good &= vd_tool_may_replace(r.name[i], ours);
  }
  vd_tool_end_turn(turn);
  return good;
}

bool vd_results_may_write(const vd_settings *s, const char *scenario) {
  if (s->check)
    return true;
  if (s->metrics || s->response)
    return vd_tool_may_write(s->metrics ? s->metrics : s->response, VD_REPLACES_OURS);
  if (s->resolved)
    return vd_tool_may_write(s->output, VD_REPLACES_NOTHING);
  return vd_tool_is_stdout(s->output) ? vd_tool_may_write(s->output, VD_REPLACES_OURS)
                                      : may_write_files(s, scenario, false);
}

bool vd_results_may_write_fit(const vd_settings *s, const char *scenario) {
  return s->metrics || !s->directory || may_write_files(s, scenario, true);
}

int vd_results_begin(const vd_settings *s, const char *scenario, const vd_buf *resolved) {
  if (s->check)
    return vd_tool_close_stdout(VD_EXIT_YES);
  if (!vd_results_may_write(s, scenario))
    return VD_EXIT_TROUBLE;
  return s->resolved
             ? vd_tool_write_text(s->output ? s->output : "-", VD_REPLACES_NOTHING, resolved->text, resolved->length)
             : -1;
}

static void add_estimates(const vd_results *r, vd_buf *out) {
  vd_buf names = {0};
  if (r->schema && vd_schema_estimates(r->schema, r->def, "", &names) > 0) {
    vd_buf_puts(out, "estimates:\n");
    vd_tool_add_lines("  - ", &names, out);
  }
  vd_buf_finish(&names);
}

/* --- writing --- */

bool vd_results_open(vd_results *r) {
  const vd_settings *s = r->settings;
  bool to_stdout = vd_tool_is_stdout(s->output);
  memset(r->output, 0, sizeof r->output);
  if (to_stdout) {
    r->alone = true;
    snprintf(r->name[VD_RESULT_LOG], sizeof r->name[VD_RESULT_LOG], "-");
    vd_stop_set_message(0, 0, NULL, "the rows on standard output are incomplete");
  } else if ((s->directory && !vd_tool_make_folder(s->output)) || !make_names(s, r->scenario, r)) {
    return false;
  }
  r->mat = !to_stdout && !s->directory && vd_job_is_mat(s->output);
  r->output[VD_RESULT_LOG] =
      r->mat ? vd_output_to(&r->rows) : vd_tool_open_output(r->name[VD_RESULT_LOG], VD_REPLACES_ALL);
  return r->output[VD_RESULT_LOG] != NULL;
}

static void add_provenance(const vd_results *r, const vd_run_report *report, vd_buf *out) {
  const vd_origin from = {.tool = "vdsim-run",
                          .scenario = r->scenario,
                          .resolved = r->resolved->text,
                          .length = r->resolved->length,
                          .kind = r->kind,
                          .level = r->level};
  vd_job_provenance(r->settings, &from, report, out);
  add_estimates(r, out);
  if (r->origin)
    vd_buf_add(out, r->origin->text, r->origin->length);
}

/* Writes provenance and metrics, if there are any, as one object. */
static void add_json(const vd_results *r, const vd_run_report *report, vd_buf *out) {
  vd_buf provenance = {0};
  add_provenance(r, report, &provenance);
  vd_json_results(provenance.text, "metrics", r->metrics.text, " value ", out);
  vd_buf_finish(&provenance);
}

/* Writes one result other than the log. Metrics are also kept as text; with `o' NULL they are only kept. Returns an
 * exit status. */
static int write_one(vd_results *r, enum vd_result_file i, vd_output *o, const vd_run_report *report,
                     vd_result_writer *write, void *context) {
  vd_buf text = {0};
  int status = VD_EXIT_YES;
  if (i == VD_RESULT_METRICS) {
    vd_output *kept = vd_output_to(&r->metrics);
    status = write(context, i, kept);
    vd_output_commit(kept, NULL);
    vd_buf_add(&text, r->metrics.text, r->metrics.length);
  } else if (i == VD_RESULT_PROVENANCE) {
    add_provenance(r, report, &text);
  } else if (i == VD_RESULT_JSON) {
    add_json(r, report, &text);
  } else if (i == VD_RESULT_RESOLVED) {
    vd_buf_add(&text, r->resolved->text, r->resolved->length);
  } else {
    status = write(context, i, o);
  }
  if (o && text.length > 0)
    vd_output_bytes(o, text.text, text.length);
  vd_buf_finish(&text);
  return status;
}

/* Writes one result beside the log under its temporary name. */
static int prepare(vd_results *r, enum vd_result_file i, const vd_run_report *report, vd_result_writer *write,
                   void *context) {
  vd_output *o = r->output[i] = vd_tool_open_output(r->name[i], VD_REPLACES_ALL);
  if (!o)
    return VD_EXIT_TROUBLE;
  int status = write_one(r, i, o, report, write, context);
  vd_output_flush(o);
  if (status != VD_EXIT_YES) {
    vd_tool_discard(o);
    r->output[i] = NULL;
  }
  return status;
}

/* Removes a result of an earlier run, which must not be mistaken for a result of this run. If it is a symbolic link,
 * its target is removed, because a new result would replace the target. */
static void remove_stale(const char *path) {
  struct stat info;
  char *target = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? realpath(path, NULL) : NULL;
  if (target)
    remove(target);
  free(target);
}

void vd_results_discard(vd_results *r) {
  for (int i = 0; i < VD_RESULTS; i++) {
    vd_tool_discard(r->output[i]);
    r->output[i] = NULL;
  }
  vd_buf_finish(&r->metrics);
  vd_buf_finish(&r->rows);
}

/* Renames the open outputs to their final names; results of an earlier run are removed first. */
static int rename_outputs(vd_results *r, bool bad) {
  int status = VD_EXIT_YES;
  bool all = r->settings->directory;
  remove_stale(r->name[bad ? VD_RESULT_LOG : VD_RESULT_INCOMPLETE]);
  for (int i = VD_RESULT_METRICS; i < VD_RESULT_INCOMPLETE && all; i++)
    if (!r->output[i] && (!is_of_fit(i) || vd_kind_fits(r->kind)))
      remove_stale(r->name[i]);
  for (int i = 0; i < VD_RESULTS && status == VD_EXIT_YES; i++) {
    const char *other = bad && i == VD_RESULT_LOG ? r->name[VD_RESULT_INCOMPLETE] : NULL;
    if (r->output[i])
      status = vd_tool_commit(r->output[i], other ? other : r->name[i], other);
    r->output[i] = NULL;
  }
  return status;
}

/* Replaces the rows in memory by a file of MATLAB; false after a message. */
static bool convert(vd_results *r) {
  vd_output_commit(r->output[VD_RESULT_LOG], NULL);
  r->output[VD_RESULT_LOG] = vd_tool_open_output(r->name[VD_RESULT_LOG], VD_REPLACES_ALL);
  if (r->output[VD_RESULT_LOG])
    vd_mat_write(r->rows.text, r->scenario, r->output[VD_RESULT_LOG]);
  vd_buf_finish(&r->rows);
  return r->output[VD_RESULT_LOG] != NULL;
}

int vd_results_commit(vd_results *r, const vd_run_report *report, unsigned has, vd_result_writer *write,
                      void *context) {
  bool bad = report->status != VD_SIM_OK, all = r->settings->directory;
  if (r->mat && !convert(r))
    return VD_EXIT_TROUBLE;
  vd_output *log = r->output[VD_RESULT_LOG];
  if (r->alone)
    return vd_tool_commit(log, r->name[VD_RESULT_LOG], NULL);
  has |= vd_tool_json() ? VD_WHEN(VD_RESULT_JSON) : 0u;
  vd_output_flush(log);
  int status = prepare(r, VD_RESULT_PROVENANCE, report, NULL, NULL);
  if (all && status == VD_EXIT_YES)
    status = prepare(r, VD_RESULT_RESOLVED, report, NULL, NULL);
  for (enum vd_result_file i = VD_RESULT_METRICS; i < VD_RESULT_INCOMPLETE && status == VD_EXIT_YES; i++)
    if (all && (!bad || i == VD_RESULT_JSON) && has & VD_WHEN(i))
      status = prepare(r, i, report, write, context);
  for (int i = 0; i < VD_RESULTS && status != VD_EXIT_TROUBLE; i++)
    if (r->output[i] && vd_output_error(r->output[i]) != 0)
      status = vd_tool_written(r->name[i], vd_output_error(r->output[i]));
  char base[700];
  if (status != VD_EXIT_TROUBLE && vd_results_base(r->settings, r->scenario, base, sizeof base)) {
    int turn = vd_tool_await_turn(base);
    vd_stop_block();
    int appeared = rename_outputs(r, bad);
    if (appeared == VD_EXIT_YES)
      vd_stop_set_message(0, 0, NULL, "its results are kept");
    status = appeared == VD_EXIT_YES ? status : appeared;
    vd_tool_end_turn(turn);
    vd_stop_unblock();
  }
  vd_results_discard(r);
  return status;
}

int vd_result_write(vd_results *r, const char *path, enum vd_result_file which, const vd_run_report *report,
                    vd_result_writer *write, void *context) {
  bool json = which == VD_RESULT_METRICS && vd_tool_json();
  vd_output *o = vd_tool_open_output(path, VD_REPLACES_OURS);
  int status = o ? write_one(r, which, json ? NULL : o, report, write, context) : VD_EXIT_TROUBLE;
  if (json && status == VD_EXIT_YES)
    status = write_one(r, VD_RESULT_JSON, o, report, NULL, NULL);
  vd_buf_finish(&r->metrics);
  if (status == VD_EXIT_YES)
    return vd_tool_commit(o, path, NULL);
  vd_tool_discard(o);
  return status;
}
