#include "validation/finding.h"

#include "base/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vd_case_refuse(const vd_case *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(c->out->reason, sizeof c->out->reason, format, args);
  va_end(args);
  c->out->evaluated = false;
  c->out->verdict = VD_FAILS;
  return false;
}

double vd_finding_share(const vd_finding *f) {
  if (isnan(f->deviation) || isnan(f->allowed))
    return NAN;
  return f->deviation <= 0.0 ? 0.0 : f->allowed > 0.0 ? f->deviation / f->allowed : INFINITY;
}

/* The worse one: a greater share of what is allowed, and of equal ones the greater deviation; no number is worst. */
static bool worse(const vd_finding *a, const vd_finding *than) {
  double x = vd_finding_share(a), y = vd_finding_share(than);
  if (isnan(x) || isnan(y))
    return !isnan(y);
  return x > y || (!(x < y) && a->deviation > than->deviation);
}

void vd_case_compare(const vd_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity) {
  vd_finding f = *c->out;
  f.expected = expected;
  f.got = got;
  f.deviation = fabs(got - expected);
  f.allowed = c->how->scale * allowed;
  if (!(f.deviation <= f.allowed))
    c->out->verdict = VD_FAILS;
  if (c->out->evaluated && !worse(&f, c->out))
    return;
  f.verdict = c->out->verdict;
  f.evaluated = true;
  snprintf(f.unit, sizeof f.unit, "%s", unit);
  snprintf(f.quantity, sizeof f.quantity, "%s", quantity);
  *c->out = f;
}

void vd_finding_finish(vd_finding *f) {
  for (size_t i = 0; i < f->picture_count; i++)
    for (size_t k = 0; k < f->picture[i].count; k++) {
      free(f->picture[i].series[k].x);
      free(f->picture[i].series[k].y);
    }
  f->picture_count = 0;
}

/* --- between processes of one program: the bytes as they are --- */

static bool save_points(FILE *f, const vd_finding_points *s) {
  return fwrite(s->x, sizeof *s->x, s->count, f) == s->count && fwrite(s->y, sizeof *s->y, s->count, f) == s->count;
}

bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    good &= fwrite(&finding[i], sizeof finding[i], 1, f) == 1;
    for (size_t n = 0; n < finding[i].picture_count; n++)
      for (size_t k = 0; k < finding[i].picture[n].count; k++)
        good &= save_points(f, &finding[i].picture[n].series[k]);
  }
  return good;
}

static bool load_points(FILE *f, vd_finding_points *s) {
  s->x = malloc((s->count + 1) * sizeof *s->x);
  s->y = malloc((s->count + 1) * sizeof *s->y);
  if (!s->x || !s->y)
    abort();
  return fread(s->x, sizeof *s->x, s->count, f) == s->count && fread(s->y, sizeof *s->y, s->count, f) == s->count;
}

/* The pointers in the bytes are of another process: what is not read is not there. */
static bool load_pictures(FILE *f, vd_finding *finding) {
  size_t pictures = finding->picture_count;
  bool good = true;
  finding->picture_count = 0;
  for (size_t n = 0; n < pictures && good; n++) {
    vd_picture *p = &finding->picture[n];
    size_t series = p->count;
    p->count = 0;
    finding->picture_count++;
    for (size_t k = 0; k < series && good; k++) {
      good = load_points(f, &p->series[k]);
      p->count++;
    }
  }
  return good;
}

bool vd_findings_load(FILE *f, vd_finding *finding, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    good = fread(&finding[i], sizeof finding[i], 1, f) == 1 && load_pictures(f, &finding[i]);
  return good;
}

/* --- the claims of one run --- */

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
