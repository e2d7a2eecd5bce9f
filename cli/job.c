#include "job.h"

#include <errno.h>
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

static int write_failed(const char *path, int error) {
  fprintf(stderr, "vdsim-run: error: cannot write '%s': %s\n", path, strerror(error));
  return VD_EXIT_TROUBLE;
}

int vd_job_commit(vd_output *o, const char *path, const char *final_name) {
  int error = vd_output_commit(o, final_name);
  return error && error != EPIPE ? write_failed(path, error) : VD_EXIT_YES;
}

vd_output *vd_job_open_output(const char *path) {
  vd_output *o = vd_output_open(path);
  if (!o)
    write_failed(path, errno);
  return o;
}

bool vd_job_make_names(const vd_settings *s, const char *scenario, vd_result_names *n) {
  if (s->directory && mkdir(s->output, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "vdsim-run: error: cannot make folder '%s': %s\n", s->output, strerror(errno));
    return false;
  }
  char stem[256], base[700];
  vd_job_stem(scenario, stem, sizeof stem);
  if (s->directory) {
    snprintf(base, sizeof base, "%s%s%s", s->output, s->output[strlen(s->output) - 1] == '/' ? "" : "/", stem);
  } else {
    size_t length = strlen(s->output), suffix = length > 4 && strcmp(s->output + length - 4, ".csv") == 0 ? 4 : 0;
    snprintf(base, sizeof base, "%.*s", (int)(length - suffix), s->output);
  }
  if (strlen(base) + 1 >= sizeof base) {
    fprintf(stderr, "vdsim-run: error: the output's name is too long\n");
    return false;
  }
  snprintf(n->log, sizeof n->log, "%s%s", s->directory ? base : s->output, s->directory ? ".csv" : "");
  snprintf(n->incomplete, sizeof n->incomplete, "%s.incomplete.csv", base);
  snprintf(n->metrics, sizeof n->metrics, "%s.metrics.csv", base);
  snprintf(n->response, sizeof n->response, "%s.response.csv", base);
  snprintf(n->resolved, sizeof n->resolved, "%s.resolved.yaml", base);
  snprintf(n->provenance, sizeof n->provenance, "%s.provenance.yaml", base);
  return true;
}

int vd_job_write_text(const char *path, const char *text, size_t length) {
  vd_output *o = vd_job_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_output_bytes(o, text, length);
  return vd_job_commit(o, path, NULL);
}

int vd_job_write_provenance(const char *path, const char *scenario, const vd_buf *resolved, int level,
                            const vd_run_report *report) {
  vd_output *o = vd_job_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_write_provenance(o, "vdsim-run", scenario, resolved->text, resolved->length, level, report);
  return vd_job_commit(o, path, NULL);
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
