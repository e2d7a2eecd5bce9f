/* Claims that the power ledger of a vehicle closes, and that its energy never increases. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const vd_field keys[] = {
  {VD_F_FLAG(vd_claim_def, as.energy.never_rises, "never_rises", "false",
             "the claim also states that the energy never rises by more than the tolerance"),
   .only = VD_WHEN(VD_CLAIM_ENERGY)},
};
/* clang-format on */

static void read(vd_claim_context *ctx) {
  if (!vd_claim_need_vehicle(ctx, false))
    return;
  vd_claim_tolerance(ctx, &ctx->def->tolerance, "tolerance", "1", &ctx->out->tolerance);
  if (ctx->out->tolerance.has_relative && ctx->out->tolerance.has_absolute)
    vd_error(ctx->d, vd_claim_at(ctx, "tolerance"), "the tolerance is one number, a share of the peak kinetic energy");
  vd_claim_need_channel(ctx, "energy_J", vd_claim_at(ctx, NULL));
}

/* Returns the greatest rise of the energy above its least earlier value; *when: the time at which the rise ends. */
static double greatest_rise(const vd_performed *run, const double *energy, double *when) {
  double least = energy[0], rise = 0.0;
  *when = run->t[0];
  for (size_t i = 1; i < run->steps; i++) {
    if (!(energy[i] - least <= rise)) {
      rise = energy[i] - least;
      *when = run->t[i];
    }
    least = vd_min(least, energy[i]);
  }
  return rise;
}

static void compare(const vd_claim_case *c, const vd_performed *run) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count), *energy = NULL;
  char quantity[96], why[200];
  double allowed = vd_tolerance_allowed(&c->claim->tolerance, 1.0), when;
  if (!(run->outcome.peak_kinetic > 0.0)) {
    vd_case_refuse(c, "nothing moves: there is no kinetic energy to compare with");
    return;
  }
  vd_case_compare(c, 0.0, run->outcome.peak_ledger / run->outcome.peak_kinetic, allowed, "1",
                  "ledger residual divided by peak kinetic energy");
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, "energy_J") == 0)
      energy = &table[i];
  if (!c->claim->def->as.energy.never_rises)
    return;
  const double *value = vd_performed_channel(run, energy, why, sizeof why);
  if (!value) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  double rise = greatest_rise(run, value, &when);
  snprintf(quantity, sizeof quantity, "rise of the energy at %.4g s divided by peak kinetic energy", when);
  vd_case_compare(c, 0.0, rise / run->outcome.peak_kinetic, allowed, "1", quantity);
}

static size_t pictured(const vd_claim *claim, size_t index[2]) {
  index[0] = vd_channel_called(claim->run.kind, "ledger_residual_J");
  index[1] = vd_channel_called(claim->run.kind, "energy_J");
  return 2;
}

static void draw(const vd_claim_case *c, const vd_performed *run) {
  double allowed = c->how->scale * vd_tolerance_allowed(&c->claim->tolerance, 1.0) * run->outcome.peak_kinetic;
  size_t index[2];
  const vd_channel *table = vd_channel_table(&index[0]);
  for (size_t n = pictured(c->claim, index), i = 0; i < n; i++) {
    const vd_channel *channel = &table[index[i]];
    const double *v = run->value[index[i]];
    if (!v || run->steps == 0)
      continue;
    vd_picture *p = vd_case_picture(c, channel->name, "time", "s", channel->unit, 0.0);
    vd_picture_add(p, VD_STROKE_RUN, "run", run->t, v, run->steps);
    if (i == 0) /* the curve of the ledger */
      vd_picture_band(p, (double[]){run->t[0], run->t[run->steps - 1]}, (double[]){0.0, 0.0}, 2, allowed);
  }
}

static void judge(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)other;
  compare(c, run);
  draw(c, run);
}

const vd_claim_variant vd_energy_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)},
    .needs_scenario = true,
    .shares_run = true,
    .read = read,
    .pictured = pictured,
    .judge = judge,
};
