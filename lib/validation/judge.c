/* Claims that share a run: what is run for them, and which kind judges each. */
#include "validation/judge.h"

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

/* The scenario needs no run for these, or it is done in their own way. */
static bool wants_run(const vd_claim *c) {
  switch ((enum vd_claim_kind)c->def->kind) {
  case VD_CLAIM_VALUE:
  case VD_CLAIM_BOUND:
  case VD_CLAIM_MIRROR:
  case VD_CLAIM_ENERGY:
  case VD_CLAIM_AGREE:
  case VD_CLAIM_BOUNDARY:
  case VD_CLAIM_BASELINE: return true;
  case VD_CLAIM_FORMULA: return c->run.scenario && *c->run.scenario;
  case VD_CLAIM_ORDER:
  case VD_CLAIM_TABLE:
  case VD_CLAIM_REFUSED:
  case VD_CLAIM_KINDS: break;
  }
  return false;
}

static void add_needs(const vd_claim *c, bool pictures, vd_perform_options *o) {
  bool motion = (c->def->kind != VD_CLAIM_FORMULA || c->sets != 0) && !c->search;
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
  if (c->def->kind == VD_CLAIM_BASELINE)
    vd_baseline_needs(c->run.kind, o->channels);
}

/* One line of what may be several. */
static void say_failed(const vd_case *c, const char *what, const vd_performed *p) {
  vd_case_refuse(c, "%s%.*s", what, (int)strcspn(p->why, "\n"), p->why);
}

static void judge_two(const vd_case *c, const vd_performed *first, const vd_perform_options *needs) {
  vd_perform_options other = *needs;
  vd_performed second;
  bool given = c->claim->against.scenario && *c->claim->against.scenario;
  other.mirrored = c->claim->def->kind == VD_CLAIM_MIRROR && !given;
  if (vd_perform(given ? &c->claim->against : &c->claim->run, &other, &second))
    vd_judge_agreement(c, first, &second);
  else
    say_failed(c, "the other run: ", &second);
  vd_performed_finish(&second);
}

static void judge_with(const vd_case *c, const vd_performed *run, const vd_perform_options *needs) {
  switch ((enum vd_claim_kind)c->claim->def->kind) {
  case VD_CLAIM_VALUE:
  case VD_CLAIM_BOUND:
  case VD_CLAIM_FORMULA:
  case VD_CLAIM_ENERGY: vd_judge_figure(c, run); break;
  case VD_CLAIM_MIRROR:
  case VD_CLAIM_AGREE: judge_two(c, run, needs); break;
  case VD_CLAIM_ORDER: vd_judge_order(c); break;
  case VD_CLAIM_TABLE: vd_judge_table(c); break;
  case VD_CLAIM_REFUSED: vd_judge_refusal(c); break;
  case VD_CLAIM_BOUNDARY: vd_judge_boundary(c, run); break;
  case VD_CLAIM_BASELINE: vd_judge_baseline(c, run); break;
  case VD_CLAIM_KINDS: break;
  }
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
    /* a formula may need no more than the scenario, and a baseline may be of a run that went bad */
    bool enough =
        (claim->def->kind == VD_CLAIM_FORMULA && run.read) || (claim->def->kind == VD_CLAIM_BASELINE && run.steps > 0);
    if (!ended && wants_run(claim) && !enough)
      say_failed(&c, "", &run);
    else
      judge_with(&c, wants_run(claim) ? &run : NULL, &needs);
    settle(claim, &out[i]);
  }
  if (wanted)
    vd_performed_finish(&run);
}
