/* Fuzzing of claims that are judged: any bytes must lead to messages or to verdicts with figures or reasons. Runs of
 * more than some hundred steps are left out.
 *
 * A libFuzzer target. Run it from the top folder: references of the input are relative to validation/. */
#include "fuzz.h"

#include "input/schema.h"
#include "run/rig.h"
#include "run/track_run.h"
#include "validation/judge.h"

#include <math.h>

enum { STEPS = 300, CLAIMS = 8 };

/* True if the run of a claim is short; a scenario that cannot be read counts as short. */
static bool is_short(const vd_claim_run *run, double step) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  int source;
  bool good = true;
  if (!vd_is_given(run->scenario)) {
    good = true;
  } else if (run->kind == VD_KIND_VEHICLE && vd_schema_slurp(run->scenario, d, &source)) {
    vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
    if (vd_scenario_read_source(source, run->set, run->set_count, arena, d, def))
      good = def->run.duration <= STEPS * (step > 0.0 ? step : def->run.step) && !vd_search_asked(&def->search);
  } else if (run->kind == VD_KIND_TYRE_RIG && vd_schema_slurp(run->scenario, d, &source)) {
    vd_rig_def *def = vd_arena_alloc(arena, sizeof *def);
    if (vd_rig_read_source(source, run->set, run->set_count, arena, d, def))
      good = vd_rig_rows(def) <= STEPS &&
             (def->mode == VD_RIG_STEADY || def->duration <= STEPS * (step > 0.0 ? step : def->step));
  } else if (run->kind == VD_KIND_TRACK_CAR && vd_schema_slurp(run->scenario, d, &source)) {
    vd_track_def *def = vd_arena_alloc(arena, sizeof *def);
    if (vd_track_read_source(source, run->set, run->set_count, arena, d, def))
      good = def->run.duration <= STEPS * fmin(step > 0.0 ? step : def->run.step, def->run.substep);
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good;
}

static void judge(const vd_claims *claims, size_t i) {
  static const vd_judging how = {.scale = 1.0, .pictures = true};
  const vd_claim *c = &claims->claim[i];
  double step = c->def->kind == VD_CLAIM_ORDER ? 0.25 * c->def->as.order.step : 0.0;
  vd_finding f;
  if (!is_short(&c->run, step) || !is_short(&c->against, step))
    return;
  vd_judge(claims, &i, 1, &how, &f);
  bool fails = f.verdict == VD_FAILS || f.verdict == VD_KNOWN;
  if (!f.evaluated && (!fails || !*f.reason))
    abort(); /* the claim was not judged, and there is no reason */
  if (!fails && !isnan(f.allowed) && !(f.deviation <= f.allowed))
    abort();
  vd_finding_finish(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_claims claims = {0};
  int source = vd_diag_add_source(d, "validation/fuzz.yaml", (const char *)data, size);
  bool good = vd_claims_read_source(source, false, arena, d, &claims);
  fuzz_check_messages(d, good);
  for (size_t i = 0; good && i < claims.count && i < CLAIMS; i++)
    judge(&claims, i);
  free(claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return 0;
}
