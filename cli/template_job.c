#include "template_job.h"

#include "tool.h"

#include "run/template.h"

#include <string.h>

int vd_template_job(const vd_settings *s, const char *name) {
  vd_buf text = {0}, known = {0};
  int kind = 0, status = VD_EXIT_TROUBLE;
  while (kind < VD_TEMPLATES && strcmp(vd_templates[kind].key, name) != 0) {
    vd_buf_printf(&known, "%s%s", kind ? ", " : "", vd_templates[kind].key);
    kind++;
  }
  if (kind == VD_TEMPLATES) {
    vd_tool_error("'--template %s': the templates are %s", name, known.text);
  } else {
    vd_diag *d = vd_diag_create();
    bool good = vd_template_write((enum vd_template)kind, s->set, s->set_count, d, &text);
    vd_tool_print_messages(d);
    if (good)
      status = vd_tool_write_text(s->output ? s->output : "-", VD_REPLACES_NOTHING, text.text, text.length);
    vd_diag_destroy(d);
  }
  vd_buf_finish(&text);
  vd_buf_finish(&known);
  return status;
}
