#include "fit_job.h"

#include "results.h"
#include "tool.h"

#include "input/schema.h"
#include "run/fit.h"

#include <errno.h>

static bool usage_ok(const vd_settings *s, const char *scenario) {
  const char *option = s->log_option ? s->log_option : s->response ? "--response" : NULL;
  return !option ||
         vd_tool_error("'%s' is for vehicles; '%s' is a fit, which writes its tables; see --help", option, scenario);
}

typedef struct written {
  const vd_settings *settings;
  const vd_fit_def *def;
  const vd_fit_result *result;
  vd_arena *arena;
  vd_buf properties; /* the tyre as a property file */
  bool has_properties;
} written;

static void write_text(const vd_buf *text, vd_output *o) {
  vd_output_bytes(o, text->text ? text->text : "", text->length);
}

static int write_result(void *context, enum vd_result_file which, vd_output *o) {
  const written *w = context;
  enum vd_digits digits = w->settings->digits;
  vd_buf text = {0};
  if (which == VD_RESULT_METRICS) {
    vd_metrics *metrics = vd_arena_alloc(w->arena, sizeof *metrics);
    vd_fit_metrics(w->result, w->arena, metrics);
    vd_write_metrics(o, metrics, digits);
  } else if (which == VD_RESULT_FIGURES) {
    vd_fit_write_coefficients(w->result->coefficient, w->result->coefficients, w->def->fit.confidence, digits, o);
  } else if (which == VD_RESULT_CURVES) {
    vd_fit_write_curves(w->def, w->result, digits, o);
  } else if (which == VD_RESULT_TYRE) {
    vd_schema_write(&vd_tyre_schema, &w->result->tyre.def, &text);
  } else if (which == VD_RESULT_PROPERTIES) {
    vd_buf_add(&text, w->properties.text, w->properties.length);
  }
  write_text(&text, o);
  vd_buf_finish(&text);
  return VD_EXIT_YES;
}

/* One line for each stage. */
static void remark(const vd_settings *s, const char *scenario, const vd_fit_result *r) {
  static const char *const key[VD_FIT_OUTPUTS] = {"fx", "fy", "mx", "my", "mz"};
  for (size_t i = 0; i < r->stages && !s->quiet; i++) {
    const vd_fit_stage *stage = &r->stage[i];
    fprintf(stderr, "%s: %s: %zu rows, %zu figures", scenario, vd_fit_stage_names[stage->stage], stage->rows,
            stage->coefficients);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      if (stage->output[k].rows > 0 && stage->output[k].peak > 0.0)
        fprintf(stderr, ", %s rms %.3g (%.2g %% of its peak)", key[k], stage->output[k].rms,
                100.0 * stage->output[k].rms / stage->output[k].peak);
    fprintf(stderr, "%s%s\n", *stage->left_out ? "; not determined and left as they were: " : "", stage->left_out);
  }
}

static int write_results(written *w, const char *scenario, const vd_buf *resolved) {
  const vd_settings *s = w->settings;
  vd_results results = {.settings = s, .scenario = scenario, .resolved = resolved, .level = VD_LEVEL_FIT};
  vd_run_report report = {.status = VD_SIM_OK, .rows = (long)w->def->rows};
  if (s->metrics)
    return vd_result_write(&results, s->metrics, VD_RESULT_METRICS, &report, write_result, w);
  if (!vd_results_open(&results))
    return VD_EXIT_TROUBLE;
  vd_output *o = results.output[VD_RESULT_LOG];
  vd_fit_write_rows(w->def, w->result, s->digits, o);
  report.reader_gone = vd_output_error(o) == EPIPE;
  unsigned has = VD_WHEN(VD_RESULT_METRICS) | VD_WHEN(VD_RESULT_FIGURES) | VD_WHEN(VD_RESULT_CURVES) |
                 VD_WHEN(VD_RESULT_TYRE) | (w->has_properties ? VD_WHEN(VD_RESULT_PROPERTIES) : 0u);
  return vd_results_commit(&results, &report, has, write_result, w);
}

static int fit(const vd_settings *s, const char *scenario, const vd_fit_def *def, const vd_buf *resolved,
               vd_arena *arena, vd_diag *d) {
  vd_fit_result result;
  vd_progress bar;
  bool watch = vd_job_watch(s, !s->metrics && vd_tool_is_stdout(s->output), &bar);
  const vd_fit_progress progress = {watch ? vd_job_show_progress : NULL, &bar};
  bool good = vd_fit_run(def, &progress, arena, d, &result);
  if (bar.shown)
    fputs("\r\033[K", stderr);
  vd_tool_print_messages(d);
  if (!good)
    return VD_EXIT_NO;
  remark(s, scenario, &result);
  written w = {s, def, &result, arena, {0}, false};
  w.has_properties = vd_tyre_write_tir(&result.tyre.def, &w.properties);
  int status = write_results(&w, scenario, resolved);
  vd_buf_finish(&w.properties);
  return status;
}

int vd_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d) {
  vd_fit_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE;
  if (!usage_ok(s, scenario))
    return status;
  bool read = vd_fit_read_source(source, s->set, s->set_count, arena, d, def);
  vd_tool_print_messages(d);
  if (read) {
    vd_schema_write(&vd_fit_schema, def, &resolved);
    status = vd_results_begin(s, scenario, &resolved);
    if (status < 0 && !vd_results_may_write_fit(s, scenario))
      status = VD_EXIT_TROUBLE;
    if (status < 0)
      status = fit(s, scenario, def, &resolved, arena, d);
  }
  vd_buf_finish(&resolved);
  return status;
}
