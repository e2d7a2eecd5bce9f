/* Does --report: runs every scenario in this process, one after the other, and writes one page. */
#include "report.h"

#include "results.h"
#include "tool.h"

#include "base/memory.h"
#include "input/schema.h"

#include <stdlib.h>
#include <string.h>

double *vd_rows_add(vd_rows *r) {
  if (r->count == r->room) {
    r->room = r->room ? 2 * r->room : 256;
    r->value = vd_reallocate(r->value, r->room * r->columns, sizeof *r->value);
  }
  return &r->value[r->columns * r->count++];
}

/* Adds a message as a line. A remark may name the file of a run by which a number was found; its folder is left out. */
static void keep_message(const vd_diag *d, size_t i, vd_report_run *r) {
  enum vd_severity severity;
  vd_place at;
  const char *text;
  vd_diag_message(d, i, &severity, &at, &text);
  const char *in = strstr(text, " in /"), *slash = in ? strrchr(in, '/') : NULL;
  if (severity == VD_REMARK)
    vd_buf_printf(&r->remarks, "%.*s%s\n", slash ? (int)(in - text) + 4 : 0, text, slash ? slash + 1 : text);
  else if (severity != VD_NOTE && at.line > 0)
    vd_buf_printf(&r->warnings, "%s:%d: %s\n", vd_diag_source_name(d, at.source), at.line, text);
  else if (severity != VD_NOTE)
    vd_buf_printf(&r->warnings, "%s: %s\n", vd_diag_source_name(d, at.source), text);
}

int vd_report_run_one(const vd_settings *s, const char *scenario, size_t frames, vd_report_run *r) {
  vd_diag *d = vd_diag_create();
  int status = VD_EXIT_TROUBLE, source;
  vd_diag_set_strict(d, s->strict);
  vd_diag_set_quiet(d, s->quiet && !r->brief);
  vd_diag_set_cache(d, s->maps);
  if (!r->brief)
    vd_tool_inputs(d);
  r->scenario = scenario;
  r->arena = vd_arena_create();
  r->hue = 1;
  vd_report_choose_channels(r);
  if (vd_schema_slurp(scenario, d, &source)) {
    enum vd_kind kind = vd_kind_of(source, d);
    if (kind == VD_KIND_VEHICLE)
      status = vd_report_vehicle(s, source, frames, d, r);
    else if (kind == VD_KIND_TRACK_CAR && !r->brief)
      status = vd_report_track(s, source, frames, d, r);
    else if (kind == VD_KIND_ENVELOPE || kind == VD_KIND_DIAGRAM || kind == VD_KIND_LAP)
      status = s->scenario_count == 1
                   ? vd_report_limits(s, kind, source, d, r)
                   : (vd_tool_error("'--report' shows one %s at a time", vd_kinds[kind].name), VD_EXIT_TROUBLE);
    else
      vd_tool_error("'%s' shows a car; '%s' is a %s", r->brief ? "--handling" : "--report", scenario,
                    vd_kinds[kind].name);
  }
  vd_diag_sort(d);
  for (size_t i = 0; i < vd_diag_count(d); i++)
    keep_message(d, i, r);
  if (!r->brief || !r->inputs)
    vd_tool_print_messages(d);
  if (status != VD_EXIT_TROUBLE && !r->brief && !vd_tool_may_write(s->report, VD_REPLACES_OURS))
    status = VD_EXIT_TROUBLE;
  if (!r->brief)
    vd_tool_inputs(NULL);
  vd_diag_destroy(d);
  return status;
}

void vd_report_run_finish(vd_report_run *run) {
  free(run->frame.value);
  free(run->history.value);
  free(run->response.value);
  free(run->cone.value);
  vd_buf_finish(&run->warnings);
  vd_buf_finish(&run->remarks);
  vd_buf_finish(&run->estimates);
  vd_buf_finish(&run->provenance);
  vd_buf_finish(&run->resolved);
  vd_arena_destroy(run->arena);
}

/* A run that ended early is shown up to its end, with a warning. */
int vd_report_job(const vd_settings *s) {
  enum { FRAMES = 2400, LEAST = 300 };
  size_t count = s->scenario_count, each = FRAMES / count > LEAST ? FRAMES / count : LEAST, done = 0;
  vd_report_run *run = vd_allocate(count, sizeof *run);
  int worst = VD_EXIT_YES;
  bool good = true;
  while (done < count && good) {
    int status = vd_report_run_one(s, s->scenario[done], each, &run[done]);
    good = status != VD_EXIT_TROUBLE && run[done].inputs;
    worst = status > worst || !good ? status : worst;
    done++;
  }
  if (good) {
    vd_buf page = {0};
    vd_report_sort(run, count);
    for (size_t i = 0, n; i < count; i += n) {
      n = vd_report_group(&run[i], count - i);
      vd_report_name_runs(&run[i], n);
    }
    for (size_t i = 0; i < count; i++)
      run[i].hue = (int)(i % VD_REPORT_HUES) + 1;
    vd_report_page(run, count, &page);
    int written = vd_tool_write_text(s->report, VD_REPLACES_OURS, page.text, page.length);
    worst = written != VD_EXIT_YES ? written : worst;
    vd_buf_finish(&page);
  }
  for (size_t i = 0; i < done; i++)
    vd_report_run_finish(&run[i]);
  free(run);
  return worst;
}
