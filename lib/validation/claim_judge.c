/* Figures of one run, of a formula, and the integrator's order. */
#include "validation/judge.h"

#include "base/base.h"
#include "base/num.h"

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

static const char *response_unit(enum vd_claim_of of) {
  return of == VD_OF_PHASE ? "rad" : of == VD_OF_COHERENCE ? "1" : "SI";
}

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
  } else if (vd_of_response(def->of)) {
    enum vd_claim_of of = (enum vd_claim_of)def->of;
    vd_performed_response(run, c->claim->channel, of, &c->claim->frequency, 1, &f->value, why, sizeof why);
    unit = response_unit(of);
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

/* --- pictures --- */

/* What is expected of the figure, over the time it is taken of, where the picture shows it in its own unit. */
static void draw_expected(const vd_case *c, const vd_performed *run, vd_picture *p, double from, double to) {
  const vd_claim *claim = c->claim;
  const vd_finding *f = c->out;
  if (!p || !f->evaluated || strcmp(f->unit, p->y_unit) != 0)
    return;
  if (claim->def->kind == VD_CLAIM_VALUE) {
    vd_picture_level(p, VD_STROKE_OTHER, "expected", from, to, f->expected);
    vd_picture_band(p, (double[]){from, to}, (double[]){f->expected, f->expected}, 2, f->allowed);
  } else if (claim->def->kind == VD_CLAIM_BOUND) {
    if (claim->above.given)
      vd_picture_level(p, VD_STROKE_LIMIT, "above", from, to,
                       vd_quantity_in(f->unit, expected_value(c, &claim->above, run)));
    if (claim->below.given)
      vd_picture_level(p, VD_STROKE_LIMIT, "below", from, to,
                       vd_quantity_in(f->unit, expected_value(c, &claim->below, run)));
  }
}

static void draw_history(const vd_case *c, const vd_performed *run, const vd_channel *channel) {
  const double *v = run->value[vd_channel_index(run->kind, channel)];
  const char *along, *along_unit;
  const double *x = vd_performed_along(run, &along, &along_unit);
  size_t first, last;
  char why[200];
  if (!v || run->steps < 2 || !vd_performed_window(run, 0.0, NAN, &first, &last, why, sizeof why))
    return;
  vd_picture *p = vd_case_picture(c, channel->name, along, along_unit, channel->unit, 0.0);
  vd_picture_add(p, VD_STROKE_RUN, "run", x, v, run->steps);
  if (vd_performed_window(run, c->claim->def->from, c->claim->def->to, &first, &last, why, sizeof why))
    draw_expected(c, run, p, x[first], x[last]);
}

/* Gain, phase or coherence over frequency, at evenly spaced logarithms. */
static void draw_response(const vd_case *c, const vd_performed *run) {
  enum { LINES = 40 };
  enum vd_claim_of of = (enum vd_claim_of)c->claim->def->of;
  double f[LINES + 1], y[LINES + 1], at = c->claim->frequency;
  char why[320], title[64];
  if (!run->responds || !(run->response.def->to > run->response.def->from) || !(run->response.def->from > 0.0))
    return;
  snprintf(title, sizeof title, "%s of %.40s", vd_claim_of_names[of], c->claim->channel->name);
  vd_picture *p = vd_case_picture(c, title, "frequency", "Hz", response_unit(of), vd_finding_share(c->out));
  if (!p)
    return;
  p->log_x = true;
  for (int i = 0; i <= LINES; i++)
    f[i] = run->response.def->from * pow(run->response.def->to / run->response.def->from, (double)i / LINES);
  vd_performed_response(run, c->claim->channel, of, f, LINES + 1, y, why, sizeof why);
  vd_picture_add(p, VD_STROKE_RUN, "run", f, y, LINES + 1);
  draw_expected(c, run, p, at / 1.15, at * 1.15);
}

static void draw_figure(const vd_case *c, const vd_performed *run) {
  size_t index[2], count;
  const vd_channel *table = vd_kind_channels(c->claim->run.kind, &count);
  if (!c->how->pictures || !run || !run->read)
    return;
  if (vd_of_response(c->claim->def->of)) {
    draw_response(c, run);
    return;
  }
  for (size_t n = vd_picture_channels(c->claim, index), i = 0; i < n; i++)
    draw_history(c, run, &table[index[i]]);
}

static void draw_energy(const vd_case *c, const vd_performed *run) {
  double allowed = c->how->scale * vd_tolerance_allowed(&c->claim->tolerance, 1.0) * run->peak_kinetic;
  size_t index[2];
  const vd_channel *table = vd_channel_table(&index[0]);
  for (size_t n = vd_picture_channels(c->claim, index), i = 0; i < n; i++) {
    const vd_channel *channel = &table[index[i]];
    const double *v = run->value[index[i]];
    if (!v || run->steps == 0)
      continue;
    vd_picture *p = vd_case_picture(c, channel->name, "time", "s", channel->unit, 0.0);
    vd_picture_add(p, VD_STROKE_RUN, "run", run->t, v, run->steps);
    if (i == 0) /* the ledger */
      vd_picture_band(p, (double[]){run->t[0], run->t[run->steps - 1]}, (double[]){0.0, 0.0}, 2, allowed);
  }
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
  case VD_CLAIM_ENERGY:
    judge_energy(c, run);
    draw_energy(c, run);
    return;
  case VD_CLAIM_MIRROR:
  case VD_CLAIM_ORDER:
  case VD_CLAIM_AGREE:
  case VD_CLAIM_TABLE:
  case VD_CLAIM_REFUSED:
  case VD_CLAIM_BOUNDARY:
  case VD_CLAIM_BASELINE:
  case VD_CLAIM_KINDS: break;
  }
  draw_figure(c, run);
}

/* Differences over steps, and the slopes that are claimed, from the finer difference on. */
static void draw_order(const vd_case *c, double coarse, double fine, const char *unit) {
  const vd_claim *claim = c->claim;
  double step[] = {claim->def->step, 0.5 * claim->def->step};
  const vd_expected *bound[] = {&claim->above, &claim->below};
  vd_picture *p = vd_case_picture(c, "difference to half the step", "step", "s", unit, 0.0);
  if (!p)
    return;
  p->log_x = p->log_y = true;
  vd_picture_add(p, VD_STROKE_MARKS, "run", step, (double[]){coarse, fine}, 2);
  for (size_t i = 0; i < VD_COUNT(bound); i++)
    if (bound[i]->given) {
      char name[48];
      double order = expected_value(c, bound[i], NULL);
      snprintf(name, sizeof name, "order %.3g", order);
      vd_picture_add(p, VD_STROKE_LIMIT, name, step, (double[]){fine * exp2(order), fine}, 2);
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
  draw_order(c, coarse, fine, f[0].unit);
  figure order = {.value = log2(coarse / fine), .unit = "1"};
  snprintf(order.name, sizeof order.name, "order by %.60s", f[0].name);
  judge_bound(c, NULL, &order);
}
