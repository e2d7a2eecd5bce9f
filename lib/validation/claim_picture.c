/* Pictures of a claim: chooses the pictures that are kept, their channels, and the names of runs in them. */
#include "validation/claim_impl.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

vd_picture *vd_case_picture(const vd_claim_case *c, const char *title, const char *x_name, const char *x_unit,
                            const char *y_unit, double share) {
  vd_finding *f = c->out;
  if (!c->how->pictures)
    return NULL;
  f->compared++;
  if (isnan(share)) /* NaN is the worst share */
    share = INFINITY;
  vd_picture *p = &f->picture[0];
  if (f->picture_count < VD_FINDING_PICTURES) {
    p = &f->picture[f->picture_count++];
  } else {
    for (size_t i = 1; i < VD_FINDING_PICTURES; i++)
      if (f->picture[i].share < p->share)
        p = &f->picture[i];
    if (!(share > p->share))
      return NULL;
    vd_picture_finish(p);
  }
  *p = (vd_picture){.share = share};
  snprintf(p->title, sizeof p->title, "%s", title);
  snprintf(p->x_name, sizeof p->x_name, "%s", x_name);
  snprintf(p->x_unit, sizeof p->x_unit, "%s", x_unit);
  snprintf(p->y_unit, sizeof p->y_unit, "%s", y_unit);
  return p;
}

const char *vd_picture_label(const vd_names *set, const char *otherwise, char *text, size_t size) {
  static const char level[] = "run.level=";
  size_t used = 0;
  for (size_t i = 0; i < set->count && used < size; i++) {
    const char *one = set->name[i];
    if (strncmp(one, level, sizeof level - 1) == 0)
      one += sizeof level - 1;
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", one);
  }
  return used > 0 && used < size ? text : otherwise;
}

/* Returns the length of a channel's name without its unit: "yaw_rate" of "yaw_rate_radps". */
static size_t stem_length(const char *name) {
  const char *unit = strrchr(name, '_');
  return unit ? (size_t)(unit - name) : strlen(name);
}

/* Returns the index at which a name, whose words are separated by underscores, contains the words of a stem; 0: at its
 * beginning; -1: nowhere. */
static int place_of_words(const char *name, size_t length, const char *stem, size_t size) {
  for (size_t at = 0; at + size <= length; at++)
    if ((at == 0 || name[at - 1] == '_') && name[at + size] == '_' && strncmp(name + at, stem, size) == 0)
      return (int)at;
  return -1;
}

/* Returns the channel of a metric. Metrics have names like CHANNEL_WORDS_UNIT ("yaw_rate_steady_radps"); the unit may
 * differ from the channel's ("yaw_rate_response_time_s"), and words may precede ("swd_yaw_rate_ratio_pct"). Words
 * before a channel of one word, such as "distance", would mean another quantity. The longest fitting name is chosen,
 * preferably one with the metric's unit, then one at the beginning of the metric's name. A gain belongs to its output:
 * the curve of yaw_rate_gain_radps_per_rad is the yaw rate. */
static const vd_channel *channel_of_metric(enum vd_kind kind, const char *name) {
  char metric[96];
  const char *per = strstr(name, "_per_");
  snprintf(metric, sizeof metric, "%.*s", (int)(per ? (size_t)(per - name) : strlen(name)), name);
  size_t count, best = 0, length = stem_length(metric);
  const vd_channel *table = vd_kind_channels(kind, &count), *found = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t stem = stem_length(table[i].name);
    int at = place_of_words(metric, length, table[i].name, stem);
    bool alike = strcmp(metric + length, table[i].name + stem) == 0, words = memchr(table[i].name, '_', stem) != NULL;
    size_t rank = stem + (alike ? 1000 : 0) + (at == 0 ? 500 : 0);
    bool fits = at == 0 ? alike || stem > 1 : at > 0 && words;
    if (fits && rank > best) {
      best = rank;
      found = &table[i];
    }
  }
  return found;
}

size_t vd_channel_called(enum vd_kind kind, const char *name) {
  size_t count, i = 0;
  const vd_channel *table = vd_kind_channels(kind, &count);
  while (strcmp(table[i].name, name) != 0) {
    i++;
    assert(i < count);
  }
  return i;
}

/* Finds general channels of a run, for a metric that belongs to no channel. Returns their number. */
static size_t general_channels(enum vd_kind kind, size_t index[2]) {
  switch (kind) {
  case VD_KIND_VEHICLE:
    index[0] = vd_channel_called(kind, "vx_mps");
    index[1] = vd_channel_called(kind, "ay_mps2");
    return 2;
  case VD_KIND_TRACK_CAR:
    index[0] = vd_channel_called(kind, "z_m");
    index[1] = vd_channel_called(kind, "forward_mps");
    return 2;
  case VD_KIND_ENVELOPE: /* these kinds have no time history */
  case VD_KIND_DIAGRAM:
  case VD_KIND_LAP:
  case VD_KIND_TYRE_RIG: /* has no metrics */
  case VD_KIND_TYRE_FIT: /* has no channels */
  case VD_KIND_RUN_FIT:
  case VD_KIND_OPTIMISE:
  case VD_KIND_STUDY: /* has no channels */
  case VD_KIND_SUSPENSION: break;
  }
  return 0;
}

size_t vd_picture_channels(const vd_claim *c, size_t index[2]) {
  const char *metric = c->def->metric;
  enum vd_kind kind = c->run.kind;
  const vd_claim_variant *variant = vd_claim_variant_of(c->def);
  if (variant->pictured)
    return variant->pictured(c, index);
  if (c->channel) {
    index[0] = vd_channel_index(kind, c->channel);
    return 1;
  }
  if (!metric || !*metric)
    return 0;
  const vd_channel *own = channel_of_metric(kind, metric);
  if (!own)
    return general_channels(kind, index);
  index[0] = vd_channel_index(kind, own);
  return 1;
}
