/* Claims that share a run: what is run for them, and their judgement. */
#include "validation/claim_impl.h"

#include <math.h>
#include <string.h>

bool vd_claims_share(const vd_claim *a, const vd_claim *b) {
  if (a->file != b->file && strcmp(a->file, b->file) != 0)
    return false;
  if (!a->run.scenario || !*a->run.scenario || !b->run.scenario || strcmp(a->run.scenario, b->run.scenario) != 0 ||
      a->run.kind != b->run.kind || a->run.set_count != b->run.set_count)
    return false;
  for (size_t i = 0; i < a->run.set_count; i++)
    if (strcmp(a->run.set[i].text, b->run.set[i].text) != 0)
      return false;
  return true;
}

static bool wants_run(const vd_claim *c) {
  return vd_claim_variant_of(c->def)->shares_run && vd_said(c->run.scenario);
}

static void add_needs(const vd_claim *c, bool pictures, vd_perform_options *o) {
  const vd_claim_variant *variant = vd_claim_variant_of(c->def);
  bool motion = (variant->enough != VD_ENOUGH_SCENARIO || c->sets != 0) && !c->search;
  o->sets |= c->sets;
  for (size_t i = 0; i < VD_CLAIM_CHANNELS; i++)
    motion |= c->channels[i];
  o->search |= c->search;
  o->read_only &= !motion;
  if (pictures && motion) {
    size_t index[2];
    for (size_t n = vd_picture_channels(c, index), i = 0; i < n; i++)
      o->channels[index[i]] = true;
  }
  for (size_t i = 0; i < VD_CLAIM_CHANNELS; i++)
    o->channels[i] |= c->channels[i];
  if (variant->need)
    variant->need(c->run.kind, o->channels);
}

/* Of a run that did not come to its end. */
static bool is_enough(enum vd_enough enough, const vd_performed *run) {
  switch (enough) {
  case VD_ENOUGH_END: return false;
  case VD_ENOUGH_STEPS: return run->steps > 0;
  case VD_ENOUGH_SCENARIO: return run->read;
  }
  return false;
}

static void settle(const vd_claim *claim, vd_finding *f) {
  bool known = claim->def->known_failure && *claim->def->known_failure;
  if (known)
    f->verdict = f->verdict == VD_HOLDS ? VD_SURPRISE : VD_KNOWN;
}

void vd_judge(const vd_claims *claims, const size_t *index, size_t count, const vd_judging *how, vd_finding *out) {
  vd_perform_options needs = {.read_only = true};
  vd_performed run = {.read = false};
  bool wanted = false;
  for (size_t i = 0; i < count; i++) {
    const vd_claim *c = &claims->claim[index[i]];
    out[i] = (vd_finding){.verdict = VD_HOLDS, .expected = NAN, .got = NAN, .deviation = NAN, .allowed = NAN};
    if (wants_run(c)) {
      wanted = true;
      add_needs(c, how->pictures, &needs);
    }
  }
  const vd_claim *first = &claims->claim[index[0]];
  bool ended = !wanted || vd_perform(&first->run, &needs, &run);
  for (size_t i = 0; i < count; i++) {
    const vd_claim *claim = &claims->claim[index[i]];
    vd_case c = {claim, how, &out[i]};
    const vd_claim_variant *variant = vd_claim_variant_of(claim->def);
    if (wants_run(claim) && !ended && !is_enough(variant->enough, &run))
      vd_case_say_failed(&c, "", &run);
    else
      variant->judge(&c, wants_run(claim) ? &run : NULL, &needs);
    settle(claim, &out[i]);
  }
  if (wanted)
    vd_performed_finish(&run);
}
