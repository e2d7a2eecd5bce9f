#include "job.h"

#include "base/system.h"
#include "input/schema.h"
#include "tool.h"

#include <string.h>

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

bool vd_job_is_tydex(const char *path) {
  return vd_ends_in(path, ".tdx");
}

bool vd_job_is_mat(const char *path) {
  return vd_ends_in(path, ".mat");
}

bool vd_job_is_log(const char *path) {
  return vd_ends_in(path, ".csv") || vd_job_is_tydex(path) || vd_job_is_mat(path);
}

bool vd_job_watch(const vd_settings *s, bool to_stdout, vd_progress *bar) {
  *bar = (vd_progress){.shown = false};
  clock_gettime(CLOCK_MONOTONIC, &bar->start);
  return isatty(STDERR_FILENO) && !s->quiet && s->scenario_count == 1 && !(to_stdout && isatty(STDOUT_FILENO));
}

void vd_job_provenance(const vd_settings *s, const vd_origin *from, const vd_run_report *report, vd_buf *out) {
  vd_write_provenance(out, from, report);
  vd_tool_add_settings_given(s->set, s->set_count, out);
}

void vd_job_report_estimates(const char *scenario, const vd_schema *schema, const void *def) {
  vd_buf names = {0};
  size_t count = vd_schema_estimates(schema, def, "", &names);
  vd_tool_report_estimates(scenario, count, &names);
  vd_buf_finish(&names);
}
