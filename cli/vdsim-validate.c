/* vdsim-validate: judges claims about the models, and shows their figures. */
#include "lists.h"
#include "tool.h"
#include "validate.h"

#include "base/memory.h"
#include "base/system.h"

#include <stdlib.h>

static int write_list(const vd_validate_settings *s, const vd_validation *v) {
  vd_buf text = {0};
  vd_validate_list(v, &text);
  vd_list_convert(&text, "name kind evidence place sentence", NULL);
  int status = vd_tool_write_text(s->output ? s->output : "-", VD_REPLACES_OURS, text.text, text.length);
  vd_buf_finish(&text);
  return status;
}

/* Writes the report for readers: with colours on a terminal, without them in a file. */
static int write_report(const vd_validate_settings *s, const vd_validation *v) {
  bool to_stdout = vd_tool_is_stdout(s->output);
  vd_stream text = {.file = stdout};
  if (!to_stdout && !vd_stream_open(&text))
    vd_memory_out();
  vd_validate_table(v, s, to_stdout && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), text.file);
  if (to_stdout)
    return vd_tool_close_stdout(VD_EXIT_YES);
  if (!vd_stream_finish(&text))
    vd_memory_out();
  int status = vd_tool_write_text(s->output, VD_REPLACES_OURS, text.text, text.length);
  free(text.text);
  return status;
}

static int report(const vd_validate_settings *s, const vd_validation *v) {
  const struct {
    void (*make)(const vd_validation *v, vd_buf *out);
  } maker[] = {{vd_tool_json() ? vd_validate_json : vd_validate_tap}, {vd_validate_junit}, {vd_validate_csv}};
  const char *const path[] = {s->tap || vd_tool_json() ? (s->output ? s->output : "-") : NULL, s->junit, s->csv};
  int status = VD_EXIT_YES;
  bool taken = s->tap || vd_tool_json();
  for (size_t i = 0; i < VD_COUNT(maker); i++) {
    vd_buf text = {0};
    if (!path[i])
      continue;
    taken |= vd_tool_is_stdout(path[i]) && vd_tool_is_stdout(s->output);
    maker[i].make(v, &text);
    if (vd_tool_write_text(path[i], VD_REPLACES_OURS, text.text, text.length) != VD_EXIT_YES)
      status = VD_EXIT_TROUBLE;
    vd_buf_finish(&text);
  }
  if (s->report && !vd_validate_html(v, s))
    status = VD_EXIT_TROUBLE;
  if (!taken && write_report(s, v) != VD_EXIT_YES)
    status = VD_EXIT_TROUBLE;
  return status;
}

static int judge(const vd_validate_settings *s, vd_validation *v) {
  v->finding = vd_allocate(v->claims.count, sizeof *v->finding);
  int status = vd_validate_work(s, v);
  if (!s->baselines) {
    vd_validate_counts n = vd_validate_count(v);
    int written = report(s, v);
    status = written > status ? written : status;
    if (status == VD_EXIT_YES && n.of[VD_FAILS] + n.of[VD_SURPRISE] > 0)
      status = VD_EXIT_NO;
  }
  for (size_t i = 0; i < v->claims.count; i++)
    vd_finding_finish(&v->finding[i]);
  free(v->finding);
  return status;
}

/* Whether the outputs may be written; checked before the work, which can take long. The files that runs read are known
 * only after the work, so opening an output checks again. */
static bool may_write(const vd_validate_settings *s, const vd_validation *v) {
  if (s->baselines)
    return vd_validate_may_write_baselines(s, v);
  return vd_tool_may_write(s->output, VD_REPLACES_OURS) &&
         (!s->junit || vd_tool_may_write(s->junit, VD_REPLACES_OURS)) &&
         (!s->csv || vd_tool_may_write(s->csv, VD_REPLACES_OURS)) &&
         (!s->report || s->list || vd_validate_html_prepare(v, s));
}

static int validate(const vd_validate_settings *s) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_validation v = {.d = d};
  vd_diag_set_strict(d, s->strict);
  int status = VD_EXIT_TROUBLE;
  if (vd_validate_read(s, arena, d, &v.claims)) {
    vd_tool_inputs(d);
    if (may_write(s, &v))
      status = s->list ? write_list(s, &v) : judge(s, &v);
    vd_tool_inputs(NULL);
  }
  free(v.claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

static int run(int argc, char **argv) {
  vd_validate_settings s;
  int status = vd_validate_parse(&s, argc, argv);
  if (status < 0)
    status = validate(&s);
  free(s.operand);
  free(s.set);
  return status;
}

int main(int argc, char **argv) {
  return vd_tool_main(run, argc, argv);
}
