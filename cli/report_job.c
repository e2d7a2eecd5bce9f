/* --report: every scenario is run in this process, one after the other; then one page is written. */
#include "report.h"

#include "results.h"
#include "tool.h"

#include "base/memory.h"
#include "input/schema.h"

#include <stdlib.h>

double *vd_rows_add(vd_rows *r) {
  if (r->count == r->room) {
    r->room = r->room ? 2 * r->room : 256;
    r->value = vd_reallocate(r->value, r->room * r->columns, sizeof *r->value);
  }
  return &r->value[r->columns * r->count++];
}

/* Keeps the messages of reading, as lines for the page. */
static void keep_messages(vd_diag *d, vd_buf *out) {
  vd_diag_sort(d);
  for (size_t i = 0; i < vd_diag_count(d); i++) {
    enum vd_severity severity;
    vd_place at;
    const char *text;
    vd_diag_message(d, i, &severity, &at, &text);
    if (severity == VD_WARNING)
      vd_buf_printf(out, "%s:%d: %s\n", vd_diag_source_name(d, at.source), at.line, text);
  }
}

static int run_one(const vd_settings *s, const char *scenario, size_t frames, vd_report_run *r) {
  vd_diag *d = vd_diag_create();
  int status = VD_EXIT_TROUBLE, source;
  vd_diag_set_strict(d, s->strict);
  vd_diag_set_quiet(d, s->quiet);
  vd_tool_inputs(d);
  r->scenario = scenario;
  r->arena = vd_arena_create();
  vd_report_choose_channels(r);
  if (!vd_schema_slurp(scenario, d, &source)) {
    vd_tool_print_messages(d);
  } else {
    enum vd_kind kind = vd_kind_of(source, d);
    if (kind == VD_KIND_VEHICLE)
      status = vd_report_vehicle(s, source, frames, d, r);
    else if (kind == VD_KIND_TRACK_CAR)
      status = vd_report_track(s, source, frames, d, r);
    else if (kind == VD_KIND_ENVELOPE || kind == VD_KIND_DIAGRAM || kind == VD_KIND_LAP)
      status = s->scenario_count == 1
                   ? vd_report_limits(s, kind, source, d, r)
                   : (vd_tool_error("'--report' shows one %s at a time", vd_kinds[kind].name), VD_EXIT_TROUBLE);
    else
      vd_tool_error("'--report' shows a car; '%s' is a %s", scenario, vd_kinds[kind].name);
    keep_messages(d, &r->warnings);
    vd_tool_print_messages(d);
  }
  if (status != VD_EXIT_TROUBLE && !vd_tool_may_write(s->report, VD_REPLACES_OURS))
    status = VD_EXIT_TROUBLE;
  vd_tool_inputs(NULL);
  vd_diag_destroy(d);
  return status;
}

static void finish(vd_report_run *run, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(run[i].frame.value);
    free(run[i].history.value);
    free(run[i].response.value);
    vd_buf_finish(&run[i].warnings);
    vd_buf_finish(&run[i].provenance);
    vd_buf_finish(&run[i].resolved);
    vd_buf_finish(&run[i].drawn);
    vd_arena_destroy(run[i].arena);
  }
  free(run);
}

/* A run that ends early gets a page, too, which says so. */
int vd_report_job(const vd_settings *s) {
  enum { FRAMES = 2400, LEAST = 300 };
  size_t count = s->scenario_count, each = FRAMES / count > LEAST ? FRAMES / count : LEAST, done = 0;
  vd_report_run *run = vd_allocate(count, sizeof *run);
  int worst = VD_EXIT_YES;
  while (done < count && worst != VD_EXIT_TROUBLE) {
    int status = run_one(s, s->scenario[done], each, &run[done]);
    worst = status > worst ? status : worst;
    if (status == VD_EXIT_TROUBLE)
      worst = status;
    done++;
  }
  if (worst != VD_EXIT_TROUBLE) {
    vd_buf page = {0};
    vd_report_page(run, count, &page);
    int written = vd_tool_write_text(s->report, VD_REPLACES_OURS, page.text, page.length);
    worst = written != VD_EXIT_YES ? written : worst;
    vd_buf_finish(&page);
  }
  finish(run, done);
  return worst;
}
