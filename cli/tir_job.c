#include "tir_job.h"

#include "tool.h"

#include <string.h>

static bool same(const vd_buf *a, const vd_buf *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Writes a text to the file `path' with `place' before its ending: NAME.front.tir for NAME.tir. ask: only checks
 * whether the file may be written. */
static int write_as(const char *path, const char *place, const vd_buf *text, bool ask) {
  size_t length = strlen(path), ending = length > 4 && strcmp(path + length - 4, ".tir") == 0 ? 4 : 0;
  vd_buf name = {0};
  vd_buf_printf(&name, "%.*s%s%s", (int)(length - ending), path, place, path + length - ending);
  int status = !ask ? vd_tool_write_text(name.text, VD_REPLACES_NOTHING, text->text, text->length)
               : vd_tool_may_write(name.text, VD_REPLACES_NOTHING) ? VD_EXIT_YES
                                                                   : VD_EXIT_TROUBLE;
  vd_buf_finish(&name);
  return status;
}

static int write_axles(const vd_settings *s, const char *scenario, const vd_buf *text) {
  static const char *const axle[] = {".front", ".rear"}, *const side[] = {".left", ".right"};
  int status = VD_EXIT_YES;
  if (vd_tool_is_stdout(s->write_tir)) {
    vd_tool_error(
        "'--write-tir -': '%s' has tyres that differ; name a file; the names of all files are made from its name",
        scenario);
    return VD_EXIT_TROUBLE;
  }
  /* all files are checked before the first one is written */
  for (int k = 0; k < 2 * VD_WHEELS && status == VD_EXIT_YES; k++) {
    int i = k % VD_WHEELS;
    bool alike = same(&text[i], &text[vd_other_side(i)]);
    vd_buf place = {0};
    vd_buf_printf(&place, "%s%s", axle[vd_axle_of(i)], alike ? "" : side[vd_is_right(i)]);
    if (!alike || !vd_is_right(i))
      status = write_as(s->write_tir, place.text, &text[i], k < VD_WHEELS);
    vd_buf_finish(&place);
  }
  return status;
}

int vd_tir_job(const vd_settings *s, const char *scenario, const vd_tyre_def *const *tyre, int count) {
  vd_buf text[VD_WHEELS] = {{0}};
  bool good = true, alike = true;
  int status = VD_EXIT_TROUBLE;
  for (int i = 0; i < count && good; i++) {
    good = vd_tyre_write_tir(tyre[i], &text[i]);
    alike = alike && good && same(&text[0], &text[i]);
  }
  if (!good)
    vd_tool_error(
        "'--write-tir': a tyre of '%s' cannot be written as a property file; tyres of models mf, fiala, pac89 and "
        "pac94 can; fiala, pac89 and pac94 need an unloaded_radius; mf needs the coefficients of its 'combined: "
        "weights', and with 'combined: none' it can have no turn slip",
        scenario);
  else if (alike)
    status = vd_tool_write_text(s->write_tir, VD_REPLACES_NOTHING, text[0].text, text[0].length);
  else
    status = write_axles(s, scenario, text);
  for (int i = 0; i < count; i++)
    vd_buf_finish(&text[i]);
  return status;
}
