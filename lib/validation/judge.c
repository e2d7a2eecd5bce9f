/* Judges claims: makes each run that they need once, and calls the functions of the claims' kinds. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool wants_run(const vd_claim *c) {
  return vd_claim_variant_of(c->def)->shares_run && vd_is_given(c->run.scenario);
}

size_t vd_claim_runs(const vd_claim *claim, vd_shared_run run[2]) {
  if (!wants_run(claim))
    return 0;
  bool given = vd_is_given(claim->against.scenario);
  run[0] = (vd_shared_run){&claim->run, false};
  run[1] = (vd_shared_run){given ? &claim->against : &claim->run, !given};
  return vd_claim_variant_of(claim->def)->compares ? 2 : 1;
}

static int compare_texts(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "");
}

static int compare_counts(size_t a, size_t b) {
  return a < b ? -1 : a > b;
}

int vd_shared_run_compare(const vd_shared_run *a, const vd_shared_run *b) {
  const vd_claim_run *x = a->of, *y = b->of;
  int order = compare_texts(x->scenario, y->scenario);
  if (order == 0)
    order = compare_counts(x->kind, y->kind);
  if (order == 0)
    order = compare_counts(a->mirrored, b->mirrored);
  if (order == 0)
    order = compare_counts(x->set_count, y->set_count);
  for (size_t i = 0; i < x->set_count && order == 0; i++) {
    order = compare_texts(x->set[i].text, y->set[i].text);
    if (order == 0)
      order = compare_texts(x->set[i].folder, y->set[i].folder);
  }
  return order;
}

static void add_needs(const vd_claim *c, bool pictures, vd_perform_options *o) {
  const vd_claim_variant *variant = vd_claim_variant_of(c->def);
  bool motion = (variant->enough != VD_ENOUGH_SCENARIO || c->metrics) && !c->search;
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

/* True if a run that failed is sufficient for a judgement. */
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

/* A run, which is kept from the first claim that uses it to the last one. */
typedef struct shared {
  vd_shared_run key;
  vd_perform_options needs;
  size_t last; /* index of the last claim that needs it */
  bool done;
  vd_performed run;
} shared;

typedef struct judging {
  const vd_judging *how;
  shared *run;
  size_t runs;
} judging;

static shared *find_run(const judging *j, const vd_shared_run *key) {
  size_t i = 0;
  while (i < j->runs && vd_shared_run_compare(&j->run[i].key, key) != 0)
    i++;
  return &j->run[i];
}

static void plan_runs(judging *j, const vd_claim *claim, size_t i) {
  vd_shared_run key[2];
  for (size_t n = vd_claim_runs(claim, key), k = 0; k < n; k++) {
    shared *s = find_run(j, &key[k]);
    if (s == &j->run[j->runs]) {
      j->runs++;
      s->key = key[k];
      s->needs = (vd_perform_options){.cases = j->how->cases, .mirrored = key[k].mirrored, .read_only = true};
    }
    add_needs(claim, j->how->pictures, &s->needs);
    s->last = i;
  }
}

static const vd_performed *done_run(const judging *j, const vd_shared_run *key) {
  shared *s = find_run(j, key);
  if (!s->done)
    vd_perform(key->of, &s->needs, &s->run);
  s->done = true;
  return &s->run;
}

static void judge_one(const judging *j, const vd_claim *claim, vd_finding *out) {
  vd_claim_case c = {claim, j->how, out};
  const vd_claim_variant *variant = vd_claim_variant_of(claim->def);
  vd_shared_run key[2];
  size_t runs = vd_claim_runs(claim, key);
  const vd_performed *run = runs > 0 ? done_run(j, &key[0]) : NULL;
  if (run && !run->ended && !is_enough(variant->enough, run))
    vd_case_report_failure(&c, "", run);
  else
    variant->judge(&c, run, runs > 1 ? done_run(j, &key[1]) : NULL);
  settle(claim, out);
}

static void finish_runs(const judging *j, size_t i) {
  for (shared *s = j->run; s < j->run + j->runs; s++)
    if (s->done && s->last == i)
      vd_performed_finish(&s->run);
}

void vd_judge(const vd_claims *claims, const size_t *index, size_t count, const vd_judging *how, vd_finding *out) {
  judging j = {.how = how, .run = vd_allocate(2 * count + 1, sizeof *j.run)};
  for (size_t i = 0; i < count; i++) {
    out[i] = (vd_finding){.verdict = VD_HOLDS, .expected = NAN, .got = NAN, .deviation = NAN, .allowed = NAN};
    plan_runs(&j, &claims->claim[index[i]], i);
  }
  for (size_t i = 0; i < count; i++) {
    judge_one(&j, &claims->claim[index[i]], &out[i]);
    finish_runs(&j, i);
  }
  free(j.run);
}
