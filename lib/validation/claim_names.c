/* Names that claims may use: metrics and channels of vehicles, tyre rigs, track cars and suspensions. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/system.h"
#include "input/schema.h"
#include "kc/sweep.h"
#include "study/fit.h"
#include "run/track_run.h"
#include "study/summary.h"

#include <assert.h>
#include <string.h>

static void say_unknown(const vd_claim_context *ctx, vd_place place, const char *what, const char *name,
                        const char *const *all, size_t count) {
  const char *near = vd_suggest(name, all, count);
  vd_error(ctx->d, place, "there is no %s '%s'%s%s%s", what, name, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
}

/* --- metrics --- */

/* A search for a name. The names of the same kind are collected in all[], up to its size, to suggest one of them. */
typedef struct names {
  const char *wanted, *unit; /* unit NULL: not found */
  const char *all[512];
  size_t count;
} names;

static bool look_at(names *n, const char *name, const char *unit) {
  bool found = strcmp(n->wanted, name) == 0;
  if (found)
    n->unit = unit;
  if (n->count < VD_COUNT(n->all))
    n->all[n->count++] = name;
  return found;
}

static void look_at_vehicle(names *n, unsigned *sets) {
  for (size_t s = 0; s < VD_METRIC_SET_COUNT; s++)
    for (size_t i = 0; i < vd_metric_sets[s]->count; i++)
      if (look_at(n, vd_metric_sets[s]->metric[i].name, vd_metric_sets[s]->metric[i].unit)) {
        *sets |= 1u << s;
        return;
      }
}

/* Adds the metrics of a kind that has the same metrics in every run. */
static void look_at_sets(names *n, enum vd_kind kind) {
  for (size_t s = 0; s < vd_kinds[kind].sets; s++)
    for (size_t i = 0; i < vd_kinds[kind].set[s]->count; i++)
      look_at(n, vd_kinds[kind].set[s]->metric[i].name, vd_kinds[kind].set[s]->metric[i].unit);
}

static void look_at_suspension(names *n) {
  const vd_kc_figure_info *f;
  for (size_t i = 0; (f = vd_kc_metric_at(i)); i++)
    look_at(n, f->name, f->unit);
}

/* Returns the figures of a study, read once for successive claims about it; NULL: the study cannot be read. */
static const vd_metrics *figures_of(vd_claim_context *ctx) {
  const vd_claim_run *run = &ctx->out->run;
  if (ctx->study && vd_shared_run_compare(&(vd_shared_run){ctx->study, false}, &(vd_shared_run){run, false}) == 0)
    return ctx->figures;
  vd_diag *dropped = vd_diag_create(); /* errors of the study are reported when it is run */
  vd_study *study = vd_arena_alloc(ctx->arena, sizeof *study);
  vd_metrics *all = vd_arena_alloc(ctx->arena, sizeof *all);
  vd_claim_run *kept = vd_arena_alloc(ctx->arena, sizeof *kept);
  int source;
  bool read = vd_schema_slurp(run->scenario, dropped, &source) &&
              vd_study_read_source(source, run->set, run->set_count, ctx->arena, dropped, study);
  if (read) {
    vd_summary *none = vd_summary_start(study);
    vd_summary_collect(none, ctx->arena, all);
    vd_summary_finish(none);
  }
  vd_diag_destroy(dropped);
  *kept = *run;
  ctx->study = kept;
  return ctx->figures = read ? all : NULL;
}

static void look_at_study(names *n, vd_claim_context *ctx) {
  const vd_metrics *all = figures_of(ctx);
  for (size_t i = 0; all && i < all->count; i++)
    look_at(n, all->metric[i].name, all->metric[i].unit);
  if (!all)
    n->unit = "1";
}

static void look_at_fit(names *n, const vd_claim_run *run, vd_arena *arena) {
  vd_diag *dropped = vd_diag_create(); /* errors of the fit are reported when it is run */
  vd_fit *fit = vd_arena_alloc(arena, sizeof *fit);
  vd_metrics *all = vd_arena_alloc(arena, sizeof *all);
  int source;
  if (vd_schema_slurp(run->scenario, dropped, &source) &&
      vd_fit_read_source(source, run->set, run->set_count, arena, dropped, fit)) {
    vd_fit_metrics(fit, NULL, arena, all);
    for (size_t i = 0; i < all->count; i++)
      look_at(n, all->metric[i].name, all->metric[i].unit);
  } else {
    n->unit = "1";
  }
  vd_diag_destroy(dropped);
}

const char *vd_claim_need_metric(vd_claim_context *ctx, const char *name, vd_place place) {
  names n = {.wanted = name};
  ctx->out->metrics = true;
  switch (ctx->out->run.kind) {
  case VD_KIND_VEHICLE: look_at_vehicle(&n, &ctx->out->sets); break;
  case VD_KIND_TRACK_CAR:
  case VD_KIND_ENVELOPE:
  case VD_KIND_DIAGRAM:
  case VD_KIND_LAP: look_at_sets(&n, ctx->out->run.kind); break;
  case VD_KIND_SUSPENSION: look_at_suspension(&n); break;
  case VD_KIND_TYRE_FIT:
  case VD_KIND_RUN_FIT:
  case VD_KIND_OPTIMISE: look_at_fit(&n, &ctx->out->run, ctx->arena); break;
  case VD_KIND_STUDY: look_at_study(&n, ctx); break;
  case VD_KIND_TYRE_RIG: vd_error(ctx->d, place, "a tyre rig has channels, but no metrics"); return NULL;
  }
  if (!n.unit)
    say_unknown(ctx, place, "metric", name, n.all, n.count);
  return n.unit;
}

/* --- channels --- */

static void say_unknown_channel(const vd_claim_context *ctx, const char *name, vd_place place) {
  const char *all[VD_CLAIM_CHANNELS];
  size_t count;
  const vd_channel *table = vd_kind_channels(ctx->out->run.kind, &count);
  for (size_t i = 0; i < count; i++)
    all[i] = table[i].name;
  if (count == 0)
    vd_error(ctx->d, place, "a %s has metrics, but no channels", vd_kinds[ctx->out->run.kind].name);
  else
    say_unknown(ctx, place, "channel", name, all, count);
}

const vd_channel *vd_claim_need_channel(vd_claim_context *ctx, const char *name, vd_place place) {
  size_t count;
  const vd_channel *table = vd_kind_channels(ctx->out->run.kind, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, name) == 0) {
      ctx->out->channels[i] = true;
      return &table[i];
    }
  say_unknown_channel(ctx, name, place);
  return NULL;
}

bool vd_claim_match_channels(vd_claim_context *ctx, const char *pattern, vd_place place, bool *wanted) {
  size_t count;
  const vd_channel *table = vd_kind_channels(ctx->out->run.kind, &count);
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    wanted[i] = fnmatch(pattern, table[i].name, 0) == 0;
    any |= wanted[i];
  }
  if (!any)
    say_unknown_channel(ctx, pattern, place);
  return any;
}
