/* Figures of one run, of a formula, and the integrator's order. */
#include "finding.h"

#include "base.h"
#include "num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* SI; NAN after a refusal. */
static double expected_value(const vd_case *c, const vd_expected *e, const vd_performed *run) {
  if (!e->formula)
    return e->quantity.value;
  char why[256];
  double value = vd_performed_formula(run, c->claim, e->formula, why, sizeof why);
  if (isnan(value))
    vd_case_refuse(c, "formula '%s': %s", e->text, why);
  return value;
}

typedef struct figure {
  double value; /* in unit */
  char unit[24], name[96];
} figure;

/* What the claim is about; false after a refusal. */
static bool figure_of(const vd_case *c, const vd_performed *run, figure *f) {
  const vd_claim_def *def = c->claim->def;
  const char *unit = "1";
  char why[320] = "";
  if (vd_said(def->metric)) {
    f->value = vd_performed_metric(run, def->metric, &unit, why, sizeof why);
    snprintf(f->name, sizeof f->name, "%s", def->metric);
  } else if (vd_said(def->goal)) {
    f->value = vd_performed_goal(run, def->goal, &unit, why, sizeof why);
    snprintf(f->name, sizeof f->name, "%s by search", def->goal);
  } else if (def->of == VD_OF_GAIN || def->of == VD_OF_PHASE) {
    enum vd_claim_of of = (enum vd_claim_of)def->of;
    f->value = vd_performed_response(run, c->claim->channel, of, c->claim->frequency, why, sizeof why);
    unit = of == VD_OF_PHASE ? "rad" : "SI";
    snprintf(f->name, sizeof f->name, "%s of %s at %g Hz", vd_claim_of_names[of], c->claim->channel->name,
             c->claim->frequency);
  } else {
    unit = c->claim->channel->unit;
    f->value =
        vd_performed_figure(run, c->claim->channel, (enum vd_claim_of)def->of, def->from, def->to, why, sizeof why);
    snprintf(f->name, sizeof f->name, "%s of %s", vd_claim_of_names[def->of], c->claim->channel->name);
  }
  snprintf(f->unit, sizeof f->unit, "%s", unit);
  return !isnan(f->value) || vd_case_refuse(c, "%s", why);
}

static double allowed_in(const vd_tolerance *t, double expected, const char *unit) {
  vd_tolerance own = *t;
  own.absolute = vd_quantity_in(unit, t->absolute);
  return vd_tolerance_allowed(&own, expected);
}

static void judge_value(const vd_case *c, const vd_performed *run) {
  figure f;
  if (!figure_of(c, run, &f))
    return;
  double expected = expected_value(c, &c->claim->expect, run);
  if (isnan(expected))
    return;
  expected = vd_quantity_in(f.unit, expected);
  vd_case_compare(c, expected, f.value, allowed_in(&c->claim->tolerance, expected, f.unit), f.unit, f.name);
}

/* Strictly beyond: 0 is not above 0. */
static void judge_bound(const vd_case *c, const vd_performed *run, const figure *f) {
  const struct {
    const vd_expected *bound;
    double sign;
    const char *word;
  } bounds[] = {{&c->claim->above, 1.0, "above"}, {&c->claim->below, -1.0, "below"}};
  for (size_t i = 0; i < VD_COUNT(bounds); i++) {
    if (!bounds[i].bound->given)
      continue;
    double bound = expected_value(c, bounds[i].bound, run);
    if (isnan(bound))
      return;
    bound = vd_quantity_in(f->unit, bound);
    double beyond = bounds[i].sign * (bound - f->value);
    bool holds = beyond < 0.0;
    if (!holds)
      c->out->verdict = VD_FAILS;
    if (c->out->evaluated && !(beyond > c->out->deviation))
      continue;
    c->out->evaluated = c->out->exact = true;
    c->out->expected = bound;
    c->out->got = f->value;
    c->out->deviation = beyond;
    c->out->allowed = 0.0;
    snprintf(c->out->unit, sizeof c->out->unit, "%s", f->unit);
    snprintf(c->out->quantity, sizeof c->out->quantity, "%.80s %s", f->name, bounds[i].word);
  }
}

static void judge_formula(const vd_case *c, const vd_performed *run) {
  vd_expected formula = {.given = true, .formula = c->claim->formula, .text = c->claim->def->formula};
  double got = expected_value(c, &formula, run), expected = expected_value(c, &c->claim->expect, run);
  const vd_expected *e = &c->claim->expect;
  const char *unit = "";
  if (isnan(got) || isnan(expected))
    return;
  if (!e->formula && !e->quantity.bare) { /* in the unit of the publication */
    size_t used;
    double number;
    vd_num_parse(e->text, strlen(e->text), &number, &used);
    unit = e->text + used + strspn(e->text + used, " ");
    got = vd_quantity_in(unit, got);
    expected = vd_quantity_in(unit, expected);
  }
  vd_case_compare(c, expected, got, allowed_in(&c->claim->tolerance, expected, unit), *unit ? unit : "SI",
                  c->claim->def->formula);
}

/* --- energy --- */

/* The greatest rise above what was the least before, and when it is complete. */
static double greatest_rise(const vd_performed *run, const double *energy, double *when) {
  double least = energy[0], rise = 0.0;
  *when = run->t[0];
  for (size_t i = 1; i < run->steps; i++) {
    if (!(energy[i] - least <= rise)) {
      rise = energy[i] - least;
      *when = run->t[i];
    }
    least = fmin(least, energy[i]);
  }
  return rise;
}

static void judge_energy(const vd_case *c, const vd_performed *run) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count), *energy = NULL;
  char quantity[96], why[200];
  double allowed = vd_tolerance_allowed(&c->claim->tolerance, 1.0), when;
  if (!(run->peak_kinetic > 0.0)) {
    vd_case_refuse(c, "nothing moves: there is no kinetic energy to compare with");
    return;
  }
  vd_case_compare(c, 0.0, run->peak_ledger / run->peak_kinetic, allowed, "1",
                  "ledger residual over peak kinetic energy");
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, "energy_J") == 0)
      energy = &table[i];
  if (!c->claim->def->never_rises)
    return;
  const double *value = vd_performed_channel(run, energy, why, sizeof why);
  if (!value) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  double rise = greatest_rise(run, value, &when);
  snprintf(quantity, sizeof quantity, "rise of the energy at %.4g s over peak kinetic energy", when);
  vd_case_compare(c, 0.0, rise / run->peak_kinetic, allowed, "1", quantity);
}

void vd_judge_figure(const vd_case *c, const vd_performed *run) {
  figure f;
  switch ((enum vd_claim_kind)c->claim->def->kind) {
  case VD_CLAIM_VALUE: judge_value(c, run); break;
  case VD_CLAIM_BOUND:
    if (figure_of(c, run, &f))
      judge_bound(c, run, &f);
    break;
  case VD_CLAIM_FORMULA: judge_formula(c, run); break;
  case VD_CLAIM_ENERGY: judge_energy(c, run); break;
  case VD_CLAIM_MIRROR:
  case VD_CLAIM_ORDER:
  case VD_CLAIM_AGREE:
  case VD_CLAIM_TABLE:
  case VD_CLAIM_REFUSED:
  case VD_CLAIM_BOUNDARY:
  case VD_CLAIM_BASELINE:
  case VD_CLAIM_KINDS: break;
  }
  if (run && c->claim->channel && run->read) {
    const double *v = run->value[vd_channel_index(c->claim->channel)];
    if (v)
      vd_case_series(c, c->claim->channel->name, "s", c->claim->channel->unit, run->t, v, run->steps);
  }
}

/* --- order of convergence ---
 *
 * With errors e = c h^p, y(h) - y(h/2) = c h^p (1 - 2^-p) and y(h/2) - y(h/4) is 2^p times smaller. */
void vd_judge_order(const vd_case *c) {
  enum { STEPS = 3 };
  figure f[STEPS] = {{.value = NAN}};
  double step = c->claim->def->step;
  for (int i = 0; i < STEPS; i++) {
    vd_perform_options o = {.sets = c->claim->sets, .step = ldexp(step, -i), .rate = 1.0 / step};
    vd_performed run;
    memcpy(o.channels, c->claim->channels, sizeof o.channels);
    bool good = vd_perform(&c->claim->run, &o, &run);
    if (!good)
      vd_case_refuse(c, "with a step of %g s: %.*s", o.step, (int)strcspn(run.why, "\n"), run.why);
    good = good && figure_of(c, &run, &f[i]);
    vd_performed_finish(&run);
    if (!good)
      return;
  }
  double coarse = fabs(f[0].value - f[1].value), fine = fabs(f[1].value - f[2].value);
  /* differences of some hundred roundings say nothing */
  if (!(fine > 1e-13 * fabs(f[2].value))) {
    vd_case_refuse(c, "%s changes by %.3g and %.3g, which is rounding: a greater step is needed", f[0].name, coarse,
                   fine);
    return;
  }
  figure order = {.value = log2(coarse / fine), .unit = "1"};
  snprintf(order.name, sizeof order.name, "order by %.60s", f[0].name);
  judge_bound(c, NULL, &order);
}
