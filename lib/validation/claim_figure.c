/* Claims about figures: a figure of a run equals an expected value or lies within bounds, or a formula equals a
 * published number. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/num.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- reading --- */

const char *vd_claim_read_figure(vd_claim_context *ctx, bool may_respond) {
  const vd_claim_def *def = ctx->def;
  bool response = vd_is_of_response(def->of);
  if (vd_is_given(def->metric) + vd_is_given(def->channel) + vd_is_given(def->goal) != 1) {
    vd_error(ctx->d, vd_claim_at(ctx, vd_is_given(def->metric) && vd_is_given(def->channel) ? "channel" : NULL),
             "exactly one of metric, channel and goal is needed");
    return NULL;
  }
  if ((vd_is_given(def->goal) || response) && !vd_claim_is_vehicle(ctx))
    vd_error(ctx->d, vd_claim_at(ctx, response ? "of" : "goal"), "a %s has no %s", vd_kinds[ctx->out->run.kind].name,
             response ? "frequency response" : "search");
  ctx->out->search = vd_is_given(def->goal);
  if (vd_is_given(def->goal))
    return NULL;
  if (vd_is_given(def->metric))
    return vd_claim_need_metric(ctx, def->metric, vd_claim_at(ctx, "metric"));
  ctx->out->channel = vd_claim_need_channel(ctx, def->channel, vd_claim_at(ctx, "channel"));
  if (may_respond && response != vd_is_given(def->frequency))
    vd_error(ctx->d, vd_claim_at(ctx, response ? "of" : "frequency"),
             "'frequency' is for gain, phase and coherence, which need it");
  if (response && !may_respond)
    vd_error(ctx->d, vd_claim_at(ctx, "of"), "gain, phase and coherence are for claims of kind value and bound");
  if (def->of == VD_OF_PHASE)
    return "rad";
  if (def->of == VD_OF_COHERENCE)
    return "1";
  return ctx->out->channel && !response ? ctx->out->channel->unit : NULL;
}

void vd_claim_read_bounds(vd_claim_context *ctx, const char *unit) {
  vd_claim_read_expected(ctx, &ctx->def->above, "above", unit, &ctx->out->above);
  vd_claim_read_expected(ctx, &ctx->def->below, "below", unit, &ctx->out->below);
  if (!ctx->out->above.given && !ctx->out->below.given)
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "'above' or 'below' is needed");
}

static void read_value(vd_claim_context *ctx) {
  const char *unit = vd_claim_read_figure(ctx, true);
  vd_claim_read_expected(ctx, &ctx->def->expect, "expect", unit, &ctx->out->expect);
  vd_claim_tolerance(ctx, &ctx->def->tolerance, "tolerance", unit, &ctx->out->tolerance);
}

static void read_bound(vd_claim_context *ctx) {
  vd_claim_read_bounds(ctx, vd_claim_read_figure(ctx, true));
}

static void read_formula(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  ctx->out->as.formula.formula =
      vd_claim_read_formula(ctx, def->as.formula.formula, vd_claim_at(ctx, "formula"), ctx->out->where_count);
  vd_claim_read_expected(ctx, &def->expect, "expect", NULL, &ctx->out->expect);
  vd_claim_tolerance(ctx, &def->tolerance, "tolerance", NULL, &ctx->out->tolerance);
}

/* --- judging --- */

double vd_claim_expected(const vd_claim_case *c, const vd_expected *e, const vd_performed *run) {
  if (!e->formula)
    return e->quantity.value;
  char why[256];
  double value = vd_performed_formula(run, c->claim, e->formula, why, sizeof why);
  if (isnan(value))
    vd_case_refuse(c, "formula '%s': %s", e->text, why);
  return value;
}

static const char *response_unit(enum vd_claim_of of) {
  return of == VD_OF_PHASE ? "rad" : of == VD_OF_COHERENCE ? "1" : "SI";
}

bool vd_figure_of(const vd_claim_case *c, const vd_performed *run, vd_claim_figure *f) {
  const vd_claim_def *def = c->claim->def;
  const char *unit = "1";
  char why[320] = "";
  if (vd_is_given(def->metric)) {
    f->value = vd_performed_metric(run, def->metric, &unit, why, sizeof why);
    snprintf(f->name, sizeof f->name, "%s", def->metric);
  } else if (vd_is_given(def->goal)) {
    f->value = vd_performed_goal(run, def->goal, &unit, why, sizeof why);
    snprintf(f->name, sizeof f->name, "%s by search", def->goal);
  } else if (vd_is_of_response(def->of)) {
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

double vd_claim_allowed_in(const vd_tolerance *t, double expected, const char *unit) {
  vd_tolerance own = *t;
  own.absolute = vd_quantity_in(unit, t->absolute);
  return vd_tolerance_allowed(&own, expected);
}

static void compare_value(const vd_claim_case *c, const vd_performed *run) {
  vd_claim_figure f;
  if (!vd_figure_of(c, run, &f))
    return;
  double expected = vd_claim_expected(c, &c->claim->expect, run);
  if (isnan(expected))
    return;
  expected = vd_quantity_in(f.unit, expected);
  vd_case_compare(c, expected, f.value, vd_claim_allowed_in(&c->claim->tolerance, expected, f.unit), f.unit, f.name);
}

/* Judges the bounds. They are strict: 0 is not above 0. */
void vd_judge_bounds(const vd_claim_case *c, const vd_performed *run, const vd_claim_figure *f) {
  const struct {
    const vd_expected *bound;
    double sign;
    const char *word;
  } bounds[] = {{&c->claim->above, 1.0, "above"}, {&c->claim->below, -1.0, "below"}};
  for (size_t i = 0; i < VD_COUNT(bounds); i++) {
    if (!bounds[i].bound->given)
      continue;
    double bound = vd_claim_expected(c, bounds[i].bound, run);
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

static void compare_formula(const vd_claim_case *c, const vd_performed *run) {
  vd_expected formula = {
      .given = true, .formula = c->claim->as.formula.formula, .text = c->claim->def->as.formula.formula};
  double got = vd_claim_expected(c, &formula, run), expected = vd_claim_expected(c, &c->claim->expect, run);
  const vd_expected *e = &c->claim->expect;
  const char *unit = "";
  if (isnan(got) || isnan(expected))
    return;
  if (!e->formula && !e->quantity.bare) { /* the unit of the publication is used */
    size_t used;
    double number;
    vd_num_parse(e->text, strlen(e->text), &number, &used);
    unit = e->text + used + strspn(e->text + used, " ");
    got = vd_quantity_in(unit, got);
    expected = vd_quantity_in(unit, expected);
  }
  vd_case_compare(c, expected, got, vd_claim_allowed_in(&c->claim->tolerance, expected, unit), *unit ? unit : "SI",
                  c->claim->def->as.formula.formula);
}

/* --- pictures --- */

/* Draws the expected value or the bounds of the figure, from one abscissa to another. */
typedef void expectation(const vd_claim_case *c, const vd_performed *run, vd_picture *p, double from, double to);

static void draw_value(const vd_claim_case *c, const vd_performed *run, vd_picture *p, double from, double to) {
  const vd_finding *f = c->out;
  (void)run;
  vd_picture_level(p, VD_STROKE_OTHER, "expected", from, to, f->expected);
  vd_picture_band(p, (double[]){from, to}, (double[]){f->expected, f->expected}, 2, f->allowed);
}

static void draw_bounds(const vd_claim_case *c, const vd_performed *run, vd_picture *p, double from, double to) {
  const vd_claim *claim = c->claim;
  const char *unit = c->out->unit;
  if (claim->above.given)
    vd_picture_level(p, VD_STROKE_LIMIT, "above", from, to,
                     vd_quantity_in(unit, vd_claim_expected(c, &claim->above, run)));
  if (claim->below.given)
    vd_picture_level(p, VD_STROKE_LIMIT, "below", from, to,
                     vd_quantity_in(unit, vd_claim_expected(c, &claim->below, run)));
}

/* Draws the expectation over the window in which the figure is computed, if the picture has the unit of the figure. */
static void draw_expected(const vd_claim_case *c, const vd_performed *run, expectation *draw, vd_picture *p,
                          double from, double to) {
  if (draw && p && c->out->evaluated && strcmp(c->out->unit, p->y_unit) == 0)
    draw(c, run, p, from, to);
}

static void draw_history(const vd_claim_case *c, const vd_performed *run, expectation *draw,
                         const vd_channel *channel) {
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
    draw_expected(c, run, draw, p, x[first], x[last]);
}

/* Draws gain, phase or coherence over frequency, at evenly spaced logarithms. */
static void draw_response(const vd_claim_case *c, const vd_performed *run, expectation *draw) {
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
    f[i] = run->response.def->from * vd_pow(run->response.def->to / run->response.def->from, (double)i / LINES);
  vd_performed_response(run, c->claim->channel, of, f, LINES + 1, y, why, sizeof why);
  vd_picture_add(p, VD_STROKE_RUN, "run", f, y, LINES + 1);
  draw_expected(c, run, draw, p, at / 1.15, at * 1.15);
}

/* True if a general channel of a run, such as its speed, is worth drawing. Channels of a run shorter than 0.05 s are
 * not. A constant channel is worth drawing only if it has the figure's unit. */
static bool is_worth_drawing(const vd_performed *run, size_t channel, bool same_unit) {
  const double *v = run->value[channel];
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; v && i < run->steps; i++) {
    least = vd_min(least, v[i]);
    most = vd_max(most, v[i]);
  }
  bool brief = !run->timeless && run->steps > 0 && run->t[run->steps - 1] - run->t[0] < 0.05;
  return !brief && (same_unit || most - least > 0.02 * vd_max(1.0, vd_max(fabs(least), fabs(most))));
}

static void draw_figure(const vd_claim_case *c, const vd_performed *run, expectation *draw) {
  size_t index[2], count;
  const vd_channel *table = vd_kind_channels(c->claim->run.kind, &count);
  if (!c->how->pictures || !run || !run->read)
    return;
  if (vd_is_of_response(c->claim->def->of)) {
    draw_response(c, run, draw);
    return;
  }
  size_t n = vd_picture_channels(c->claim, index);
  for (size_t i = 0; i < n; i++) /* a channel without an alternative is always drawn */
    if (n == 1 || is_worth_drawing(run, index[i], strcmp(table[index[i]].unit, c->out->unit) == 0))
      draw_history(c, run, draw, &table[index[i]]);
}

static void judge_value(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)other;
  compare_value(c, run);
  draw_figure(c, run, draw_value);
}

static void judge_bound(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  vd_claim_figure f;
  (void)other;
  if (vd_figure_of(c, run, &f))
    vd_judge_bounds(c, run, &f);
  draw_figure(c, run, draw_bounds);
}

static void judge_formula(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)other;
  compare_formula(c, run);
  draw_figure(c, run, NULL);
}

/* clang-format off */
static const vd_field formula_keys[] = {
  {VD_F_STRING(vd_claim_def, as.formula.formula, "formula", NULL, "formula that is compared"),
   .only = VD_WHEN(VD_CLAIM_FORMULA)},
};
/* clang-format on */

const vd_claim_variant vd_value_variant = {
    .needs_scenario = true, .shares_run = true, .read = read_value, .judge = judge_value};

const vd_claim_variant vd_bound_variant = {
    .needs_scenario = true, .shares_run = true, .read = read_bound, .judge = judge_bound};

const vd_claim_variant vd_formula_variant = {
    .rows = {.field = formula_keys, .count = VD_COUNT(formula_keys)},
    .shares_run = true,
    .enough = VD_ENOUGH_SCENARIO,
    .read = read_formula,
    .judge = judge_formula,
};
