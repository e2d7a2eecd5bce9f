#include "run_lists.h"

#include "lists.h"
#include "manoeuvres.h"
#include "tool.h"

#include "input/schema.h"
#include "run/kind.h"
#include "run/template.h"

#include <string.h>

int vd_list_channels(void) {
  vd_buf out = {0};
  size_t count;
  const vd_channel *channel = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++) {
    char levels[32] = "";
    for (unsigned level = VD_L0; level < VD_LEVELS; level++)
      if (channel[i].levels & VD_WHEN(level))
        snprintf(levels + strlen(levels), sizeof levels - strlen(levels), "%s%s", *levels ? "," : "",
                 vd_level_names[level]);
    vd_buf_printf(&out, "%s\t%s\t%s\t%s\n", channel[i].name, channel[i].unit, levels, channel[i].help);
  }
  return vd_list_print(&out, "name unit levels meaning", NULL);
}

int vd_list_states(void) {
  vd_buf out = {0};
  for (int i = 0; i < VD_STATES; i++) {
    const vd_state_info *state = &vd_state_table[i];
    vd_buf_printf(&out, "%s\t%s\t%g\t%s\t%s\n", state->name, state->unit, state->scale, vd_level_names[state->level],
                  state->meaning);
  }
  return vd_list_print(&out, "name unit scale level meaning", " scale ");
}

int vd_list_manoeuvres(void) {
  vd_buf out = {0};
  vd_manoeuvres_list(&out);
  return vd_list_print(&out, "name scenario standard meaning", NULL);
}

static void list_set(const vd_metric_set *set, vd_buf *out) {
  const char *standard = set->standard ? set->standard : "-";
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
  bool found = text.length > 0 || vd_tool_error("'--list-metrics=%s': the sets are %s", key, known.text);
  vd_buf_finish(&known);
  return found ? vd_list_print(&text, "name unit set standard definition", NULL) : VD_EXIT_TROUBLE;
}

/* Whether a kind is neither a vehicle's scenario nor a suspension, so that its keys are listed under its name. */
static bool is_other_kind(size_t kind) {
  return kind != VD_KIND_VEHICLE && kind != VD_KIND_SUSPENSION;
}

/* Whether the argument is NAME or NAME.BLOCK; *block: the part after the dot, else NULL. */
static bool is_of(const char *asked, const char *name, const char **block) {
  size_t length = strlen(name);
  *block = NULL;
  if (!asked || strncmp(asked, name, length) != 0)
    return false;
  if (asked[length] == '.')
    *block = asked + length + 1;
  return *block || asked[length] == '\0';
}

int vd_list_run_keys(const char *asked) {
  const char *block;
  vd_buf what = {0};
  for (size_t k = 0; k < VD_KINDS; k++)
    if (is_other_kind(k) && is_of(asked, vd_kinds[k].key, &block))
      return vd_list_keys(vd_kinds[k].schema, block, vd_kinds[k].key);
  for (size_t k = 0; k < VD_TEMPLATES; k++)
    if (strncmp(asked ? asked : "", "template_", 9) == 0 && is_of(asked + 9, vd_templates[k].key, &block))
      return vd_list_keys(vd_templates[k].numbers, block, vd_templates[k].key);
  vd_buf_puts(&what, "a scenario of a vehicle (there are also the keys of");
  for (size_t k = 0; k < VD_KINDS; k++)
    if (is_other_kind(k))
      vd_buf_printf(&what, " %s,", vd_kinds[k].key);
  for (size_t k = 0; k < VD_TEMPLATES; k++)
    vd_buf_printf(&what, " template_%s%s", vd_templates[k].key, k + 1 < VD_TEMPLATES ? "," : ")");
  int status = vd_list_keys(vd_kinds[VD_KIND_VEHICLE].schema, asked, what.text);
  vd_buf_finish(&what);
  return status;
}

/* --- JSON Schema --- */

/* Writes a rule of the JSON Schema: if `kind` has this value, the keys are those of a kind of scenario with this
 * value. */
static void write_kind(vd_schema_defs *defs, size_t word, vd_buf *out) {
  vd_buf_printf(out, "{\"if\": {\"properties\": {\"kind\": {\"const\": \"%s\"}}, \"required\": [\"kind\"]}, ",
                vd_scenario_kind_names[word]);
  vd_buf_puts(out, "\"then\": {\"anyOf\": [");
  vd_schema_defs_refer(defs, vd_kinds[vd_scenario_kinds[word]].schema, out);
  for (size_t k = 0; k < VD_KINDS; k++)
    if (k != vd_scenario_kinds[word] && vd_kinds[k].word == (int)word) {
      vd_buf_puts(out, ", ");
      vd_schema_defs_refer(defs, vd_kinds[k].schema, out);
    }
  vd_buf_puts(out, "]}},\n");
}

/* Writes the rule for a file without the key `kind`. It is a vehicle's scenario. If it has a base it may be of any
 * kind, because the base may set `kind'. */
static void write_no_kind(vd_schema_defs *defs, vd_buf *out) {
  vd_buf_puts(out, "{\"if\": {\"not\": {\"required\": [\"kind\"]}}, \"then\": ");
  vd_buf_puts(out, "{\"if\": {\"required\": [\"base\"]}, \"then\": {\"anyOf\": [");
  vd_schema_defs_refer(defs, vd_kinds[VD_KIND_VEHICLE].schema, out);
  for (size_t k = 0; k < VD_KINDS; k++)
    if (is_other_kind(k)) {
      vd_buf_puts(out, ", ");
      vd_schema_defs_refer(defs, vd_kinds[k].schema, out);
    }
  vd_buf_puts(out, "]}, \"else\": ");
  vd_schema_defs_refer(defs, vd_kinds[VD_KIND_VEHICLE].schema, out);
  vd_buf_puts(out, "}}");
}

static int print_schema(void) {
  vd_arena *arena = vd_arena_create();
  vd_schema_defs *defs = vd_schema_defs_create(arena);
  vd_buf root = {0};
  vd_buf_puts(&root, "\"title\": \"scenario of VDSim\", \"type\": \"object\", \"properties\": {\"kind\": {\"enum\": [");
  for (size_t i = 0; vd_scenario_kind_names[i]; i++)
    vd_buf_printf(&root, "%s\"%s\"", i ? ", " : "", vd_scenario_kind_names[i]);
  vd_buf_puts(&root, "]}}, \"allOf\": [\n");
  for (size_t i = 0; vd_scenario_kind_names[i]; i++)
    write_kind(defs, i, &root);
  write_no_kind(defs, &root);
  vd_buf_puts(&root, "],");
  int status = vd_list_schema_print(defs, &root);
  vd_arena_destroy(arena);
  return status;
}

int vd_list_run_schema(const char *key) {
  const vd_schema *file = key ? vd_schema_file_at(vd_kinds[VD_KIND_VEHICLE].schema, key) : NULL;
  if (file)
    return vd_list_schema(file);
  if (!key)
    return print_schema();
  vd_tool_error("'--schema=%s': this key does not name a file, as vehicle and vehicle.front.tyre do", key);
  return VD_EXIT_TROUBLE;
}
