#include "job.h"

#include "tool.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void vd_job_stem(const char *path, char *stem, size_t size) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  size_t length = dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0) ? (size_t)(dot - name) : strlen(name);
  snprintf(stem, size, "%.*s", (int)length, strcmp(path, "-") == 0 ? "stdin" : name);
  if (strcmp(path, "-") == 0)
    snprintf(stem, size, "stdin");
}

void vd_job_show_progress(void *context, double share) {
  vd_progress *p = context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double elapsed = (double)(now.tv_sec - p->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->start.tv_nsec);
  if (!p->shown && elapsed < 2.0)
    return;
  char bar[41];
  for (int i = 0; i < 40; i++)
    bar[i] = (double)i < 40.0 * share ? '#' : '.';
  bar[40] = '\0';
  fprintf(stderr, "\r[%s] %3.0f %%", bar, 100.0 * share);
  p->shown = true;
}

bool vd_job_make_names(const vd_settings *s, const char *scenario, vd_result_names *n) {
  if (s->directory && !vd_tool_make_folder(s->output))
    return false;
  char stem[256], base[700];
  vd_job_stem(scenario, stem, sizeof stem);
  if (s->directory) {
    snprintf(base, sizeof base, "%s%s%s", s->output, s->output[strlen(s->output) - 1] == '/' ? "" : "/", stem);
  } else {
    size_t length = strlen(s->output), suffix = length > 4 && strcmp(s->output + length - 4, ".csv") == 0 ? 4 : 0;
    snprintf(base, sizeof base, "%.*s", (int)(length - suffix), s->output);
  }
  if (strlen(base) + 1 >= sizeof base)
    return vd_tool_error("the output's name is too long");
  snprintf(n->log, sizeof n->log, "%s%s", s->directory ? base : s->output, s->directory ? ".csv" : "");
  snprintf(n->incomplete, sizeof n->incomplete, "%s.incomplete.csv", base);
  snprintf(n->metrics, sizeof n->metrics, "%s.metrics.csv", base);
  snprintf(n->response, sizeof n->response, "%s.response.csv", base);
  snprintf(n->resolved, sizeof n->resolved, "%s.resolved.yaml", base);
  snprintf(n->provenance, sizeof n->provenance, "%s.provenance.yaml", base);
  return true;
}

int vd_job_write_provenance(const char *path, const char *scenario, const vd_buf *resolved, int level,
                            const vd_run_report *report) {
  vd_output *o = vd_tool_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_write_provenance(o, "vdsim-run", scenario, resolved->text, resolved->length, level, report);
  return vd_tool_commit(o, path, NULL);
}

int vd_job_show(const vd_settings *s, const vd_buf *resolved) {
  if (s->check)
    return VD_EXIT_YES;
  if (s->resolved)
    return vd_tool_write_text(s->output ? s->output : "-", resolved->text, resolved->length);
  return -1;
}

bool vd_job_is_plain(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

void vd_job_remove_stale(const char *path) {
  if (vd_job_is_plain(path))
    remove(path);
}

bool vd_job_watch(const vd_settings *s, bool to_stdout, vd_progress *bar) {
  *bar = (vd_progress){.shown = false};
  clock_gettime(CLOCK_MONOTONIC, &bar->start);
  return isatty(STDERR_FILENO) && !s->quiet && s->scenario_count == 1 && !(to_stdout && isatty(STDOUT_FILENO));
}
