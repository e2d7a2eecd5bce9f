#include "run/condition.h"

#include "base/num.h"
#include "input/schema.h"
#include "input/units.h"

#include <math.h>
#include <string.h>

static const vd_field fields[] = {
    {VD_F_STRING(vd_condition_def, metric, "metric", NULL, "metric that is judged; its set must be among metrics.sets"),
     .example = "peak_ay_mps2"},
    {VD_F_ANY_NUMBER(vd_condition_def, at_least, "at_least", "least value of the metric; auto: no such bound"),
     .example = "3.9"},
    {VD_F_ANY_NUMBER(vd_condition_def, at_most, "at_most", "greatest value of the metric; auto: no such bound"),
     .example = "4.1"},
    {VD_F_STRING(vd_condition_def, by, "by", NULL,
                 "origin of the condition, such as a standard; the note begins with these words"),
     .example = "ISO 7401"},
};

const vd_schema vd_condition_schema = {.name = "condition", VD_SCHEMA_ROWS(vd_condition_def, fields)};

/* --- names and bounds of metrics --- */

vd_metrics *vd_metrics_listed(const vd_names *sets, vd_arena *arena) {
  vd_metrics *out = vd_arena_alloc(arena, sizeof *out);
  vd_metrics_add_rows(vd_metric_sets[0], out);
  for (size_t i = 0; i < sets->count; i++) {
    const vd_metric_set *set = vd_metric_set_called(sets->name[i]);
    if (set)
      vd_metrics_add_rows(set, out);
  }
  return out;
}

const vd_metric *vd_metric_asked(const vd_metrics *known, const char *name, vd_place place, vd_arena *arena,
                                 vd_diag *d) {
  const vd_metric *metric = vd_metric_called(known, name);
  if (metric)
    return metric;
  for (size_t s = 0; s < VD_METRIC_SET_COUNT; s++)
    for (size_t k = 0; k < vd_metric_sets[s]->count; k++)
      if (strcmp(vd_metric_sets[s]->metric[k].name, name) == 0) {
        vd_error(d, place, "metric '%s' is of the set '%s', which is not in 'metrics.sets'", name,
                 vd_metric_sets[s]->key);
        return NULL;
      }
  vd_error(d, place, "no metric '%s'%s", name, vd_did_you_mean(arena, vd_metric_near(known, name)));
  return NULL;
}

void vd_metric_bound_check(const char *unit_text, const vd_node *mapping, const char *key, vd_arena *arena,
                           vd_diag *d) {
  const vd_node *node = vd_tree_get(mapping, key);
  if (!node || node->kind != VD_NODE_SCALAR || !node->text || strcmp(node->text, "auto") == 0)
    return;
  vd_unit unit;
  double value;
  size_t used = 0, size = strlen(node->text);
  bool si = vd_unit_parse(unit_text, strlen(unit_text), &unit, NULL, NULL) && unit.numerator == unit.denominator;
  static const vd_field plain = {.kind = VD_NUMBER};
  if (si)
    vd_schema_number_fits(&(vd_number_row){&plain, unit_text}, key, node, false, arena, d, NULL);
  else if (vd_num_parse(node->text, size, &value, &used) && used < size)
    vd_error(d, node->place, "'%s' takes a bare number, in %s", key, unit_text);
}

/* --- conditions --- */

static const vd_condition_def *condition_at(const vd_structs *list, size_t i) {
  return (const vd_condition_def *)list->item + i;
}

void vd_condition_check(const vd_structs *conditions, const vd_names *sets, const vd_node *root, vd_arena *arena,
                        vd_diag *d) {
  const vd_metrics *known = conditions->count ? vd_metrics_listed(sets, arena) : NULL;
  for (size_t i = 0; i < conditions->count; i++) {
    const vd_condition_def *c = condition_at(conditions, i);
    const char *path = vd_tree_item_path(root, "conditions", i, arena);
    const vd_metric *metric = vd_metric_asked(known, c->metric, vd_tree_place_in(root, path, "metric"), arena, d);
    if (isnan(c->at_least) && isnan(c->at_most))
      vd_error(d, vd_tree_place(root, path), "the condition needs a bound: at_least or at_most");
    else if (c->at_least > c->at_most) /* a comparison with NAN is false */
      vd_error(d, vd_tree_place_in(root, path, "at_least"), "at_least (%.9g) must not exceed at_most (%.9g)",
               c->at_least, c->at_most);
    if (!metric)
      continue;
    vd_metric_bound_check(metric->unit, vd_tree_find(root, path), "at_least", arena, d);
    vd_metric_bound_check(metric->unit, vd_tree_find(root, path), "at_most", arena, d);
  }
}

void vd_condition_miss(const vd_condition_def *c, const vd_metrics *metrics, vd_buf *out) {
  const vd_metric *m = vd_metric_called(metrics, c->metric);
  bool low = !isnan(c->at_least), high = !isnan(c->at_most);
  if (!m || ((!low || m->value >= c->at_least) && (!high || m->value <= c->at_most)))
    return;
  vd_buf_printf(out, "%s requires ", c->by);
  if (low && high)
    vd_buf_printf(out, "%.4g to %.4g", c->at_least, c->at_most);
  else
    vd_buf_printf(out, "at %s %.4g", low ? "least" : "most", low ? c->at_least : c->at_most);
  if (strcmp(m->unit, "1") != 0)
    vd_buf_printf(out, " %s", m->unit);
  if (isnan(m->value))
    vd_buf_puts(out, "; this run has no value");
  else
    vd_buf_printf(out, "; this run had %.4g", m->value);
}

void vd_conditions_note(const vd_structs *conditions, vd_metrics *metrics) {
  for (size_t i = 0; i < conditions->count; i++) {
    const vd_condition_def *c = condition_at(conditions, i);
    vd_buf text = {0};
    vd_condition_miss(c, metrics, &text);
    for (size_t k = 0; k < metrics->count && text.length; k++) {
      vd_metric *m = &metrics->metric[k];
      size_t length = text.length < sizeof m->reason ? text.length : sizeof m->reason - 1;
      if (*m->reason || strcmp(m->name, c->metric) != 0)
        continue;
      memcpy(m->reason, text.text, length);
      m->reason[length] = '\0';
    }
    vd_buf_finish(&text);
  }
}
