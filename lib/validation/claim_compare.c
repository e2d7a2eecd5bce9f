/* Claims about two runs: the mirrored scenario gives the mirrored motion; two runs agree. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const vd_field keys[] = {
  {VD_F_PATH(vd_claim_def, as.two.against, "against", "\"\"", "scenario or suspension of the other run; empty: as for "
    "this run"),
   .only = VD_WHEN(VD_CLAIM_AGREE) | VD_WHEN(VD_CLAIM_MIRROR)},
  {VD_F_LIST(vd_claim_def, as.two.against_set, "against_set", "[]",
             "KEY=VALUE settings of the other run, after the settings of the file"),
   .only = VD_WHEN(VD_CLAIM_AGREE) | VD_WHEN(VD_CLAIM_MIRROR)},
};

static const vd_field channel_keys[] = {
  {VD_F_LIST(vd_claim_def, as.two.channels, "channels", "[]",
             "channels or globs that are compared over time; relative tolerances refer to the peak"),
   .only = VD_WHEN(VD_CLAIM_AGREE) | VD_WHEN(VD_CLAIM_MIRROR)},
};
/* clang-format on */

const vd_schema vd_claim_channel_keys = {.field = channel_keys, .count = VD_COUNT(channel_keys)};

/* --- reading --- */

static void read_channels(vd_claim_context *ctx) {
  const vd_names *channels = &ctx->def->as.two.channels;
  size_t count;
  const vd_channel *table = vd_kind_channels(ctx->out->run.kind, &count);
  for (size_t i = 0; i < channels->count; i++) {
    bool wanted[VD_CLAIM_CHANNELS] = {false};
    bool any = vd_claim_match_channels(ctx, channels->name[i], vd_claim_at_item(ctx, "channels", i), wanted);
    for (size_t k = 0; k < count; k++) {
      ctx->out->channels[k] |= wanted[k];
      if (wanted[k] && ctx->def->kind == VD_CLAIM_MIRROR && vd_claim_is_vehicle(ctx))
        ctx->out->channels[(size_t)(vd_channel_mirror(&table[k]) - table)] = true;
    }
    if (any && ctx->out->tolerance.has_absolute && !ctx->out->tolerance.bare)
      for (size_t k = 0; k < count; k++)
        if (wanted[k] && !vd_claim_fits(&(vd_quantity){.unit = ctx->out->tolerance.unit}, table[k].unit)) {
          vd_error(ctx->d, vd_claim_at(ctx, "tolerance"), "the tolerance is not for channel '%s', which is in %s",
                   table[k].name, table[k].unit);
          break;
        }
  }
  if (channels->count == 0)
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "'channels' is needed");
}

static void read_agree(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  bool figure = vd_is_given(def->metric) || vd_is_given(def->channel);
  const char *unit = figure ? vd_claim_read_figure(ctx, false) : NULL;
  vd_claim_tolerance(ctx, &def->tolerance, "tolerance", unit, &ctx->out->tolerance);
  if (figure && def->as.two.channels.count > 0)
    vd_error(ctx->d, vd_claim_at(ctx, "channels"), "a claim compares either a figure or channels over time");
  else if (!figure)
    read_channels(ctx);
}

static void read_mirror(vd_claim_context *ctx) {
  if (!vd_claim_need_vehicle(ctx, true))
    return;
  vd_claim_tolerance(ctx, &ctx->def->tolerance, "tolerance", NULL, &ctx->out->tolerance);
  read_channels(ctx);
}

static void read_other_run(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  const vd_claim_run *run = &ctx->out->run;
  bool own = vd_is_given(def->as.two.against);
  if (def->kind == VD_CLAIM_AGREE && !own && def->as.two.against_set.count == 0)
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "'against' or 'against_set' is needed, which defines the other run");
  if (!own && def->as.two.against_set.count == 0)
    return;
  const char *other = own ? def->as.two.against : run->scenario;
  bool there =
      run->kind == VD_KIND_SUSPENSION
          ? vd_claim_read_suspension(ctx, "against", other, &def->as.two.against_set, &ctx->out->against)
          : vd_claim_read_run(ctx, "against", other, &ctx->file->set, &def->as.two.against_set, &ctx->out->against);
  if (there && ctx->out->against.kind != run->kind)
    vd_error(ctx->d, vd_claim_at(ctx, "against"), "'%s' is a %s, but it is compared with a %s", other,
             vd_kinds[ctx->out->against.kind].name, vd_kinds[run->kind].name);
}

/* --- judging --- */

/* Names of the runs in a picture. */
typedef struct run_labels {
  char text[2][48];
  const char *a, *b;
} run_labels;

static void label_runs(const vd_claim_case *c, run_labels *l) {
  const vd_claim_def *def = c->claim->def;
  bool mirror = def->kind == VD_CLAIM_MIRROR;
  l->a = mirror ? "run" : vd_picture_label(&def->set, "this run", l->text[0], sizeof l->text[0]);
  l->b = mirror ? "mirrored" : vd_picture_label(&def->as.two.against_set, "the other", l->text[1], sizeof l->text[1]);
  if (strcmp(l->a, l->b) == 0) {
    l->a = "this run";
    l->b = "the other";
  }
}

static void draw_histories(const vd_claim_case *c, const vd_performed *a, const vd_performed *b) {
  size_t index[2], count;
  const vd_channel *table = vd_kind_channels(a->kind, &count);
  const char *along_unit, *along = vd_performed_order(a, &along_unit);
  run_labels l;
  if (!c->how->pictures || a->histories > 1 || b->histories > 1)
    return;
  label_runs(c, &l);
  for (size_t n = vd_picture_channels(c->claim, index), i = 0; i < n; i++) {
    const vd_channel *channel = &table[index[i]];
    const double *v = a->value[index[i]], *w = b->value[index[i]];
    vd_picture *p =
        v && w && a->steps > 1 ? vd_case_picture(c, channel->name, along, along_unit, channel->unit, 0.0) : NULL;
    vd_picture_add(p, VD_STROKE_RUN, l.a, a->t, v, a->steps);
    vd_picture_add(p, VD_STROKE_OTHER, l.b, b->t, w, b->steps);
  }
}

static void compare_figures(const vd_claim_case *c, const vd_performed *a, const vd_performed *b) {
  const vd_claim_def *def = c->claim->def;
  const char *unit = "1";
  char why[320], name[96];
  double x, y;
  if (vd_is_given(def->metric)) {
    x = vd_performed_metric(a, def->metric, &unit, why, sizeof why);
    y = isnan(x) ? NAN : vd_performed_metric(b, def->metric, NULL, why, sizeof why);
    snprintf(name, sizeof name, "%s", def->metric);
  } else {
    enum vd_claim_of of = (enum vd_claim_of)def->of;
    unit = c->claim->channel->unit;
    x = vd_performed_figure(a, c->claim->channel, of, def->from, def->to, why, sizeof why);
    y = isnan(x) ? NAN : vd_performed_figure(b, c->claim->channel, of, def->from, def->to, why, sizeof why);
    snprintf(name, sizeof name, "%s of %s", vd_claim_of_names[of], c->claim->channel->name);
  }
  if (isnan(x) || isnan(y))
    vd_case_refuse(c, "%s", why);
  else
    vd_case_compare(c, y, x, vd_claim_allowed_in(&c->claim->tolerance, y, unit), unit, name);
  draw_histories(c, a, b);
}

/* Returns the value at a time, interpolated between steps and exact at a step. For a steady rig, t is the number of a
 * row. */
static double value_at(const vd_performed *p, const double *v, double t) {
  double place = (t - p->t[0]) / p->step, nearest = round(place);
  if (fabs(place - nearest) < 1e-6 && nearest < (double)p->steps)
    return v[(size_t)nearest];
  size_t i = (size_t)place;
  return i + 1 < p->steps ? v[i] + (t - p->t[i]) / (p->t[i + 1] - p->t[i]) * (v[i + 1] - v[i]) : v[p->steps - 1];
}

typedef struct pair {
  const vd_performed *a, *b;
  size_t first, last; /* rows of a */
} pair;

/* Draws the curve of the first run, the curve of the second run times `sign`, and the tolerance over the times that are
 * compared. */
static void draw_pair(const vd_claim_case *c, const pair *two, const vd_channel *channel, const double *w, double sign,
                      double allowed, double worst) {
  const vd_performed *a = two->a, *b = two->b;
  const char *along_unit, *along = vd_performed_order(a, &along_unit);
  vd_picture *p = a->steps < 2 ? NULL
                               : vd_case_picture(c, channel->name, along, along_unit, channel->unit,
                                                 allowed > 0.0 ? worst / allowed : worst);
  if (!p)
    return;
  run_labels l;
  size_t rows = two->last - two->first + 1;
  double *other = vd_allocate(b->steps + 1, sizeof *other), *there = vd_allocate(rows + 1, sizeof *there);
  for (size_t i = 0; i < b->steps; i++)
    other[i] = sign * w[i];
  for (size_t i = 0; i < rows; i++)
    there[i] = value_at(b, other, a->t[two->first + i]);
  label_runs(c, &l);
  vd_picture_add(p, VD_STROKE_RUN, l.a, a->t, a->value[vd_channel_index(a->kind, channel)], a->steps);
  vd_picture_add(p, VD_STROKE_OTHER, l.b, b->t, other, b->steps);
  vd_picture_band(p, a->t + two->first, there, rows, allowed);
  free(other);
  free(there);
}

/* True if a value is missing because the tyre model of the rig does not compute it. */
static bool is_not_given(const vd_performed *p, double value) {
  return p->kind == VD_KIND_TYRE_RIG && isnan(value);
}

static bool says_nothing(const vd_performed *p, const vd_channel *channel) {
  const double *v = p->value[vd_channel_index(p->kind, channel)];
  for (size_t i = 0; i < p->steps; i++)
    if (!is_not_given(p, v[i]))
      return false;
  return true;
}

/* Compares a channel in every row of the first run. The tolerance is relative to the greatest magnitude of either run
 * in the window. */
static void compare_channel(const vd_claim_case *c, const pair *two, const vd_channel *channel) {
  const vd_channel *other = c->claim->def->kind == VD_CLAIM_MIRROR ? vd_channel_mirror(channel) : channel;
  bool turns = c->claim->def->kind == VD_CLAIM_MIRROR && (channel->levels & VD_CHANNEL_TURNS);
  const double *v = two->a->value[vd_channel_index(two->a->kind, channel)],
               *w = two->b->value[vd_channel_index(two->b->kind, other)];
  double peak = 0.0, worst = -1.0, got = NAN, expected = NAN, when = 0.0;
  char name[96];
  for (size_t i = two->first; i <= two->last; i++) {
    double there = value_at(two->b, w, two->a->t[i]), sign = turns ? -1.0 : 1.0, d = fabs(v[i] - sign * there);
    if (is_not_given(two->a, v[i]) && is_not_given(two->b, there))
      continue;
    peak = vd_max(peak, vd_max(fabs(v[i]), fabs(there)));
    if (d > worst || isnan(d)) {
      worst = isnan(d) ? INFINITY : d;
      got = v[i];
      expected = sign * there;
      when = two->a->t[i];
    }
  }
  double allowed = vd_claim_allowed_in(&c->claim->tolerance, peak, channel->unit);
  /* sums that should cancel exactly have rounding errors */
  if (c->claim->def->kind == VD_CLAIM_MIRROR)
    allowed += 1e-7 * vd_channel_tolerated(channel->unit).absolute;
  snprintf(name, sizeof name, "%s %s %.6g%s", channel->name, two->a->timeless ? "in row" : "at", when,
           two->a->timeless ? "" : " s");
  vd_case_compare(c, expected, got, allowed, channel->unit, name);
  draw_pair(c, two, channel, w, turns ? -1.0 : 1.0, c->how->scale * allowed, worst);
}

static bool ends_alike(const vd_claim_case *c, const vd_performed *a, const vd_performed *b) {
  double x = a->t[a->steps - 1], y = b->t[b->steps - 1];
  return !isnan(c->claim->def->to) || fabs(x - y) <= 1e-3 * vd_min(a->step, b->step) ||
         vd_case_refuse(c,
                        a->timeless
                            ? "one rig has %.9g rows, the other %.9g"
                            : "one run ends at %.9g s, the other at %.9g s: give the end of the comparison by 'to'",
                        x, y);
}

static void compare_channels(const vd_claim_case *c, const vd_performed *a, const vd_performed *b) {
  const vd_claim_def *def = c->claim->def;
  size_t count, compared = 0, first, last;
  const vd_channel *table = vd_kind_channels(a->kind, &count);
  pair two = {.a = a, .b = b};
  char why[200];
  if (!ends_alike(c, a, b))
    return;
  if (!vd_performed_window(b, def->from, def->to, &first, &last, why, sizeof why) ||
      !vd_performed_window(a, def->from, def->to, &two.first, &two.last, why, sizeof why)) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  /* a named channel must exist in both runs; a pattern selects channels that both runs have */
  for (size_t i = 0; i < def->as.two.channels.count; i++)
    for (size_t k = 0; k < count; k++) {
      if (strcmp(table[k].name, def->as.two.channels.name[i]) != 0)
        continue;
      if (!vd_performed_channel(a, &table[k], why, sizeof why) ||
          !vd_performed_channel(b, &table[k], why, sizeof why)) {
        vd_case_refuse(c, "%s", why);
        return;
      }
      if (says_nothing(a, &table[k]) && says_nothing(b, &table[k])) {
        vd_case_refuse(c, "the tyre's model does not compute '%s'", table[k].name);
        return;
      }
    }
  for (size_t k = 0; k < count; k++)
    if (c->claim->channels[k] && a->value[k] && b->value[k] &&
        !(says_nothing(a, &table[k]) && says_nothing(b, &table[k]))) {
      compare_channel(c, &two, &table[k]);
      compared++;
    }
  if (compared == 0)
    vd_case_refuse(c, "the two runs have none of the channels in common");
}

static void judge(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  if (!other->ended)
    vd_case_report_failure(c, "the other run: ", other);
  else if (vd_is_given(c->claim->def->metric) || vd_is_given(c->claim->def->channel))
    compare_figures(c, run, other);
  else
    compare_channels(c, run, other);
}

/* A mirror claim has the keys of agree. */
const vd_claim_variant vd_mirror_variant = {
    .needs_scenario = true,
    .shares_run = true,
    .compares = true,
    .read_other_run = read_other_run,
    .read = read_mirror,
    .judge = judge,
};

const vd_claim_variant vd_agree_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)},
    .needs_scenario = true,
    .shares_run = true,
    .compares = true,
    .read_other_run = read_other_run,
    .read = read_agree,
    .judge = judge,
};
