/* The list of the sets of metrics, and the computation of a set. */
#include "metrics/metrics_impl.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROW(key) &vd_metrics_##key,
const vd_metric_set *const vd_metric_sets[] = {ROW(run) VD_METRIC_SETS(ROW, ROW)};
#undef ROW
_Static_assert(VD_COUNT(vd_metric_sets) == VD_METRIC_SET_COUNT, "every set is counted");

const vd_metric_set *vd_metric_set_called(const char *key) {
  for (size_t i = 0; i < VD_COUNT(vd_metric_sets); i++)
    if (strcmp(vd_metric_sets[i]->key, key) == 0)
      return vd_metric_sets[i];
  return NULL;
}

size_t vd_metrics_row_size(const char *const *set, size_t count) {
  size_t size = 0;
  unsigned needs = 0;
  for (size_t i = 0; i < count; i++) {
    const vd_metric_set *found = vd_metric_set_called(set[i]);
    if (!found || (found->needs & VD_NEEDS_NO_ROWS))
      continue;
    size = sizeof(vd_sample);
    needs |= found->needs;
  }
#define ADD_SIZE(need, member, type) size += needs & (need) ? sizeof(type) : 0;
  VD_FURTHER_SAMPLES(ADD_SIZE)
  return size;
}

const vd_metric *vd_metric_called(const vd_metrics *m, const char *name) {
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->metric[i].name, name) == 0)
      return &m->metric[i];
  return NULL;
}

const char *vd_metric_near(const vd_metrics *m, const char *name) {
  const char *names[VD_METRICS_MAX];
  for (size_t i = 0; i < m->count; i++)
    names[i] = m->metric[i].name;
  return vd_suggest(name, names, m->count);
}

bool vd_metrics_add_rows(const vd_metric_set *set, vd_metrics *out) {
  if (vd_metric_called(out, set->metric[0].name))
    return false;
  assert(out->count + set->count <= VD_METRICS_MAX);
  for (size_t i = 0; i < set->count; i++) {
    const vd_metric_info *row = &set->metric[i];
    out->metric[out->count++] =
        (vd_metric){.name = row->name, .unit = row->unit, .value = NAN, .definition = row->definition};
  }
  return true;
}

void vd_metrics_set(vd_metrics *m, const char *name, double value, const char *reason) {
  vd_metric *metric = m->metric;
  while (strcmp(metric->name, name) != 0)
    metric++;
  metric->value = value + 0.0; /* avoids a negative zero */
  if (isnan(value))
    snprintf(metric->reason, sizeof metric->reason, "%s", reason);
}

/* Returns the recorder without its last row, if this row ends a shorter interval. The samples are not copied. */
static vd_recorder even_rows(const vd_recorder *r) {
  vd_recorder out = *r;
  const vd_sample *s = r->sample;
  if (r->count < 3 || s[r->count - 1].t - s[r->count - 2].t > (1.0 - 1e-6) * (s[1].t - s[0].t))
    return out;
  out.count--;
  return out;
}

void vd_metrics_compute(const char *key, const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  const vd_metric_set *set = vd_metric_set_called(key);
  assert(set);
  size_t first = out->count;
  if (!vd_metrics_add_rows(set, out))
    return; /* the set was requested twice */
  vd_recorder even = set->needs & VD_NEEDS_EVEN ? even_rows(r) : *r;
  even.options = options;
  set->compute(&even, out);
  for (size_t i = first; i < out->count; i++)
    assert(!isnan(out->metric[i].value) || *out->metric[i].reason);
}
