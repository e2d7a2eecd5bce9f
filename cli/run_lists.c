#include "run_lists.h"

#include "run/kind.h"
#include "run/template.h"

#include <string.h>

/* Prints a list. An empty list means an unknown name: then prints the known ones. */
static int finish(vd_buf *text, const char *option, const char *asked, const char *what, vd_buf *known) {
  bool found = text->length > 0;
  if (found)
    fwrite(text->text, 1, text->length, stdout);
  else
    vd_tool_error("'--%s=%s': the %s are %s", option, asked, what, known->text);
  vd_buf_finish(text);
  vd_buf_finish(known);
  return found ? vd_tool_close_stdout(VD_EXIT_YES) : VD_EXIT_TROUBLE;
}

void vd_list_channels(vd_buf *out) {
  size_t count;
  const vd_channel *channel = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++) {
    char levels[32] = "";
    for (unsigned level = VD_L0; level < VD_LEVELS; level++)
      if (channel[i].levels & VD_WHEN(level))
        snprintf(levels + strlen(levels), sizeof levels - strlen(levels), "%s%s", *levels ? "," : "",
                 vd_level_names[level]);
    vd_buf_printf(out, "%s\t%s\t%s\t%s\n", channel[i].name, channel[i].unit, levels, channel[i].help);
  }
}

void vd_list_states(vd_buf *out) {
  for (int i = 0; i < VD_STATES; i++) {
    const vd_state_info *state = &vd_state_table[i];
    vd_buf_printf(out, "%s\t%s\t%g\t%s\t%s\n", state->name, state->unit, state->scale, vd_level_names[state->level],
                  state->meaning);
  }
}

static void list_set(const vd_metric_set *set, vd_buf *out) {
  const char *standard = *set->standard ? set->standard : "-";
  for (size_t i = 0; i < set->count; i++)
    vd_buf_printf(out, "%s\t%s\t%s\t%s\t%s\n", set->metric[i].name, set->metric[i].unit, set->key, standard,
                  set->metric[i].definition);
}

int vd_list_metrics(const char *key) {
  vd_buf text = {0}, known = {0};
  for (size_t k = 0; k < VD_KINDS; k++)
    for (size_t s = 0; s < vd_kinds[k].sets; s++) {
      const vd_metric_set *set = vd_kinds[k].set[s];
      vd_buf_printf(&known, "%s%s", known.length ? ", " : "", set->key);
      if (!key || strcmp(key, set->key) == 0)
        list_set(set, &text);
    }
  return finish(&text, "list-metrics", key, "sets", &known);
}

int vd_list_keys(const char *key) {
  vd_buf text = {0}, known = {0};
  for (size_t k = 0; k < VD_KINDS; k++) {
    if (k == VD_KIND_SUSPENSION)
      continue;
    vd_buf_printf(&known, "%s%s", known.length ? ", " : "", vd_kinds[k].key);
    if (strcmp(key ? key : vd_kinds[VD_KIND_VEHICLE].key, vd_kinds[k].key) == 0)
      vd_schema_list(vd_kinds[k].schema, "", &text);
  }
  for (size_t k = 0; k < VD_TEMPLATES; k++) {
    vd_buf name = {0};
    vd_buf_printf(&name, "template_%s", vd_templates[k].key);
    vd_buf_printf(&known, ", %s", name.text);
    if (key && strcmp(key, name.text) == 0)
      vd_schema_list(vd_templates[k].numbers, "", &text);
    vd_buf_finish(&name);
  }
  return finish(&text, "list-keys", key, "kinds of scenarios", &known);
}
