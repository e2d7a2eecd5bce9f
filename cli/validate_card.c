/* The card of a statement in the report: its sentence, figures, source and pictures; for several cases a table and one
 * picture. */
#include "validate_html.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- words --- */

const char *vd_verdict_class(enum vd_finding_verdict v) {
  switch (v) {
  case VD_HOLDS: return "holds";
  case VD_KNOWN: return "known";
  case VD_FAILS:
  case VD_SURPRISE: break;
  }
  return "fails";
}

static const char *word_of(enum vd_finding_verdict v, bool many) {
  switch (v) {
  case VD_HOLDS: return many ? "hold" : "holds";
  case VD_FAILS: return many ? "fail" : "fails";
  case VD_KNOWN: return "known failure";
  case VD_SURPRISE: break;
  }
  return many ? "hold unexpectedly" : "holds unexpectedly";
}

/* Whether a sentence continues the previous one: "and with twice the load" cannot be understood alone. */
static bool continues_previous(const char *sentence) {
  return strncmp(sentence, "and ", 4) == 0 || strncmp(sentence, "but ", 4) == 0 || strncmp(sentence, "or ", 3) == 0;
}

/* Writes a statement as in its file, with the values of `each` in brackets; of many values it writes only the first and
 * the last. */
static void statement_words(const vd_claim *c, size_t count, vd_buf *out) {
  enum { ROOM = 64 };
  static const char mark[] = "$each";
  const char *text = count > 1 ? c->sentence : c->def->claim;
  vd_buf list = {0};
  vd_buf_puts(&list, "[");
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(&list, "%s%s", i > 0 ? ", " : "", c[i].each ? c[i].each : "");
  if (list.length > ROOM) {
    list.length = 0;
    vd_buf_printf(&list, "[%s … %s", c[0].each, c[count - 1].each);
  }
  vd_buf_puts(&list, "]");
  for (const char *found; count > 1 && (found = strstr(text, mark)); text = found + sizeof mark - 1) {
    vd_buf_add(out, text, (size_t)(found - text));
    vd_buf_puts(out, list.text);
  }
  vd_buf_puts(out, text);
  vd_buf_finish(&list);
}

static size_t first_of(const vd_book *b, size_t i) {
  const vd_claim *c = &b->v->claims.claim[i];
  while (i > 0 && vd_claim_same_statement(&b->v->claims.claim[i - 1], c))
    i--;
  return i;
}

void vd_card_sentence(const vd_book *b, const vd_statement *s, bool apart, vd_buf *out) {
  const vd_claim *all = b->v->claims.claim;
  size_t before = s->from;
  vd_buf text = {0};
  while (apart && continues_previous(all[before].def->claim) && before > 0 && all[before - 1].file == all[before].file)
    before = first_of(b, before - 1);
  if (before != s->from) {
    statement_words(&all[before], vd_statement_at(b, before).to - before, &text);
    vd_buf_puts(out, "<span class=\"soft\">");
    vd_html_text(out, text.text);
    vd_buf_puts(out, " … </span>");
    text.length = 0;
  }
  statement_words(&all[s->from], s->to - s->from, &text);
  vd_html_text(out, text.text);
  vd_buf_finish(&text);
}

void vd_card_verdict(const vd_statement *s, vd_buf *out) {
  enum vd_finding_verdict v = s->verdict;
  size_t count = s->to - s->from;
  if (s->of[v] == count)
    vd_buf_puts(out, word_of(v, false));
  else
    vd_buf_printf(out, "%zu of %zu %s", s->of[v], count, word_of(v, s->of[v] > 1));
}

/* Returns the measure by which cases are ordered: by verdict, then by the used share of the tolerance or, for bounds,
 * by the margin as a share of the figure. */
static double badness_of(const vd_finding *f) {
  double share = vd_finding_share(f), size = vd_max(fabs(f->expected), fabs(f->got));
  double own = f->exact ? (size > 0.0 ? f->deviation / size : 0.0) : share;
  double badness = vd_verdict_is_bad(f->verdict) ? 2.0 : f->verdict == VD_KNOWN ? 1.0 : 0.0;
  /* a case that fails without figures is the worst of those that fail */
  return 1e6 * badness + (isnan(own) ? -1.0 : vd_min(own, 1e5));
}

vd_statement vd_statement_at(const vd_book *b, size_t from) {
  const vd_validation *v = b->v;
  vd_statement s = {.from = from, .to = vd_validate_statement_end(v, from), .worst = from};
  for (size_t i = from; i < s.to; i++) {
    s.of[v->finding[i].verdict]++;
    if (badness_of(&v->finding[i]) > badness_of(&v->finding[s.worst]))
      s.worst = i;
  }
  s.verdict = v->finding[s.worst].verdict;
  return s;
}

/* Whether a share of the tolerance can be shown; bounds have no tolerance. */
bool vd_card_has_share(const vd_finding *f) {
  return !f->exact && !isnan(vd_finding_share(f));
}

/* Writes a factor like "0.314 ×". */
void vd_card_times(double share, vd_buf *out) {
  if (isinf(share)) {
    vd_buf_puts(out, "none allowed");
  } else if (share >= 1e5) {
    vd_html_number(out, share, share / 10.0);
    vd_buf_puts(out, "\u202F×");
  } else if (share > 0.0 && share < 1e-3) {
    vd_buf_puts(out, "&lt;\u202F0.001\u202F×");
  } else {
    vd_buf_printf(out, share < 0.9995 ? "%.3f\u202F×" : share < 100.0 ? "%.2f\u202F×" : "%.0f\u202F×", share);
  }
}

void vd_card_share(const vd_finding *f, vd_buf *out) {
  double share = vd_finding_share(f);
  if (vd_card_has_share(f)) {
    vd_plot_residual(share, f->verdict, out);
    vd_card_times(share, out);
  } else {
    vd_buf_puts(out, "<span class=\"soft\">–</span>");
  }
}
/* --- figures and notes --- */

/* Whether the numbers are distances in tolerances, as those of boundaries are. */
static bool is_in_tolerances(const vd_finding *f) {
  return strcmp(f->unit, "tolerances") == 0;
}

/* Writes a number of a finding in the customary unit, as on other pages. */
static void quantity(double value, double resolution, const char *unit, vd_buf *out) {
  const char *same = unit;
  double fine = vd_html_customary(resolution, &same), shown = vd_html_customary(value, &unit);
  if (strcmp(unit, "tolerances") == 0)
    vd_card_times(value, out);
  else
    vd_html_quantity(out, shown, fine, unit);
}

static void figure(const char *name, double value, double resolution, const char *unit, vd_buf *out) {
  if (isnan(value))
    return;
  vd_buf_printf(out, "<div><dt>%s</dt><dd>", name);
  quantity(value, resolution, unit, out);
  vd_buf_puts(out, "</dd></div>\n");
}

/* Writes the compared quantity and its numbers, with enough digits to show the deviation. */
static void write_figures(const vd_claim *c, const vd_finding *f, vd_buf *out) {
  double resolution = f->allowed > 0.0 ? f->allowed : fabs(f->deviation);
  if (!vd_is_given(f->quantity) && isnan(f->got))
    return;
  vd_buf_puts(out, "<dl class=\"figures\">\n");
  if (vd_is_given(f->quantity)) {
    vd_buf_puts(out, "<div class=\"wide\"><dt>Compared</dt><dd>");
    vd_html_text(out, f->quantity);
    vd_buf_puts(out, "</dd></div>\n");
  }
  const char *words = vd_claim_words(c);
  if (words) {
    vd_buf_puts(out, "<div class=\"wide\"><dt>Expected words</dt><dd><code>");
    vd_html_text(out, words);
    vd_buf_puts(out, "</code></dd></div>\n");
  } else if (is_in_tolerances(f)) {
    figure("Greatest distance over its tolerance", f->got, resolution, f->unit, out);
  } else if (f->exact) {
    figure("Bound", f->expected, resolution, f->unit, out);
    figure("Got", f->got, resolution, f->unit, out);
    figure(f->deviation < 0.0 ? "Margin" : "Beyond by", fabs(f->deviation), 0.0, f->unit, out);
  } else {
    figure("Expected", f->expected, resolution, f->unit, out);
    figure("Got", f->got, resolution, f->unit, out);
    figure("Deviation", f->deviation, 0.0, f->unit, out);
    figure("Tolerance", f->allowed, 0.0, f->unit, out);
    if (vd_card_has_share(f)) {
      vd_buf_puts(out, "<div class=\"wide\"><dt>Residual over tolerance</dt><dd>");
      vd_card_share(f, out);
      vd_buf_puts(out, "</dd></div>\n");
    }
  }
  vd_buf_puts(out, "</dl>\n");
}

static void note_begin(const char *name, vd_buf *out) {
  vd_buf_printf(out, "<dt>%s</dt><dd>", name);
}

static void note_end(vd_buf *out) {
  vd_buf_puts(out, "</dd>\n");
}

void vd_html_code(const char *text, vd_buf *out) {
  vd_buf_puts(out, "<code>");
  vd_html_text(out, text);
  vd_buf_puts(out, "</code>");
}

static void note_path(const vd_book *b, const char *name, const char *path, vd_buf *out) {
  if (!vd_is_given(path))
    return;
  note_begin(name, out);
  vd_book_path(b, path, out);
  note_end(out);
}

static void note_run(const vd_book *b, const char *name, const vd_claim_run *run, vd_buf *out) {
  if (!vd_is_given(run->scenario) && run->set_count == 0)
    return;
  note_begin(name, out);
  vd_book_path(b, vd_is_given(run->scenario) ? run->scenario : "", out);
  for (size_t i = 0; i < run->set_count; i++) {
    vd_buf_puts(out, i > 0 ? ", " : vd_is_given(run->scenario) ? " with " : "");
    vd_html_code(run->set[i].text, out);
  }
  note_end(out);
}

/* Writes the expected value as in the file: a formula, or bounds, because the figures show only the nearer bound. */
static void note_formula(const char *name, const vd_expected *e, bool number, vd_buf *out) {
  if (!e->given || (!e->formula && !number))
    return;
  note_begin(name, out);
  vd_html_code(e->text, out);
  note_end(out);
}

static void note_list(const char *name, const vd_names *list, const char *between, vd_buf *out) {
  if (list->count == 0)
    return;
  note_begin(name, out);
  for (size_t i = 0; i < list->count; i++) {
    vd_buf_puts(out, i > 0 ? between : "");
    vd_html_code(list->name[i], out);
  }
  note_end(out);
}

static void write_notes(const vd_book *b, const vd_claim *c, vd_buf *out) {
  vd_buf_puts(out, "<dl class=\"notes\">\n");
  note_begin("Source", out);
  vd_html_text(out, c->source);
  vd_buf_puts(out, c->def->verified ? " <em>(not read in the primary text)</em>" : "");
  note_end(out);
  note_formula("Expected formula", &c->expect, false, out);
  note_formula("Above", &c->above, true, out);
  note_formula("Below", &c->below, true, out);
  note_list("Where", &c->def->where, ", ", out);
  note_list("Tolerance as written", &c->def->tolerance, " or, if greater, ", out);
  bool figures = c->run.kind == VD_KIND_SUSPENSION; /* a claim about figures of a suspension has no time history */
  note_run(b, figures ? "Suspension" : vd_is_given(c->run.scenario) ? "Scenario" : "Settings", &c->run, out);
  note_run(b, "Against", &c->against, out);
  note_path(b, "Suspension", figures ? NULL : c->def->suspension, out);
  note_path(b, "Tyre", vd_claim_tyre(c), out);
  note_path(b, "Table", c->def->table, out);
  note_path(b, "Baseline", vd_claim_baseline_path(c), out);
  vd_buf_puts(out, "</dl>\n");
}

static void write_reason(const vd_finding *f, vd_buf *out) {
  if (vd_is_given(f->reason)) {
    vd_buf_puts(out, "<p class=\"reason\">");
    vd_html_text(out, f->reason);
    vd_buf_puts(out, "</p>\n");
  }
}

static void write_known(const vd_claim *c, const vd_finding *f, vd_buf *out) {
  if (f->verdict == VD_KNOWN || f->verdict == VD_SURPRISE) {
    vd_buf_printf(
        out, "<p class=\"reason\">%s: ", f->verdict == VD_KNOWN ? "Known failure" : "It holds, but is known to fail");
    vd_html_text(out, c->def->known_failure);
    vd_buf_puts(out, "</p>\n");
  }
}

/* --- the cases of a statement --- */

static bool same_quantity(const vd_book *b, const vd_statement *s) {
  bool same = true;
  for (size_t i = s->from; i < s->to; i++)
    same &= strcmp(b->v->finding[i].quantity, b->v->finding[s->from].quantity) == 0;
  return same;
}

/* Whether all cases have the same known failure, which can then be written once. */
static bool same_known(const vd_book *b, const vd_statement *s) {
  const vd_claim *all = b->v->claims.claim;
  bool same = true;
  for (size_t i = s->from; i < s->to; i++)
    same &= strcmp(all[i].def->known_failure, all[s->from].def->known_failure) == 0;
  return same && s->of[VD_SURPRISE] == 0;
}

/* Writes a cell. of: the head of its column, which stands before the number on a narrow screen. */
static void cell(const char *of, double value, double resolution, const char *unit, const char *more, vd_buf *out) {
  vd_buf_printf(out, "<td class=\"n%s\" data-of=\"%s\">", more, of);
  if (isnan(value))
    vd_html_number(out, value, resolution);
  else
    quantity(value, resolution, unit, out);
  vd_buf_puts(out, "</td>");
}

enum { KEPT = 16 }; /* characters of the name of a case that are kept together in one line */

static void write_case(const vd_book *b, const vd_statement *s, size_t i, bool apart, bool quantity, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[i];
  const vd_finding *f = &b->v->finding[i];
  double resolution = f->allowed > 0.0 ? f->allowed : fabs(f->deviation);
  vd_buf_printf(out, "<tr class=\"%s\"", vd_verdict_class(f->verdict));
  if (!apart && i > s->from) /* the anchor of the first case is that of the card */
    vd_buf_printf(out, " id=\"c%d\"", c->number);
  vd_buf_puts(out, strlen(c->each) <= KEPT ? "><td class=\"kept\">" : "><td>");
  vd_html_text(out, c->each);
  write_reason(f, out);
  if (!same_known(b, s))
    write_known(c, f, out);
  if (quantity) {
    vd_buf_puts(out, "</td><td>");
    vd_html_text(out, f->quantity);
  }
  vd_buf_puts(out, "</td>");
  const bool distance = is_in_tolerances(f);
  cell(f->exact ? "Bound" : "Expected", distance ? NAN : f->expected, resolution, f->unit, "", out);
  cell("Got", f->got, resolution, f->unit, "", out);
  cell(f->exact ? "Distance" : "Deviation",
       distance   ? NAN
       : f->exact ? fabs(f->deviation)
                  : f->deviation,
       0.0, f->unit, " wideonly", out);
  cell("Tolerance", f->exact || distance ? NAN : f->allowed, 0.0, f->unit, " wideonly", out);
  vd_buf_puts(out, "<td class=\"bars\">");
  vd_card_share(f, out);
  vd_buf_printf(out, "</td><td><span class=\"verdict %s\">%s</span></td></tr>\n", vd_verdict_class(f->verdict),
                word_of(f->verdict, false));
}

/* Writes the table of cases. apart: only cases with the statement's verdict. */
static void write_cases(const vd_book *b, const vd_statement *s, bool apart, vd_buf *out) {
  const vd_finding *first = &b->v->finding[s->from];
  bool same = same_quantity(b, s);
  if (same && vd_is_given(first->quantity)) {
    vd_buf_puts(out, "<p class=\"meta\">Compared: ");
    vd_html_text(out, first->quantity);
    vd_buf_puts(out, "</p>\n");
  }
  vd_buf_printf(
      out,
      "<div class=\"tablebox\"><table class=\"cases flow\"><thead><tr><th>Case</th>%s<th class=\"n\">%s</th><th "
      "class=\"n\">Got</th><th class=\"n wideonly\">%s</th><th class=\"n wideonly\">Tolerance</th>"
      "<th>Residual</th><th>Verdict</th></tr></thead>\n<tbody>\n",
      same ? "" : "<th>Compared</th>", first->exact ? "Bound" : "Expected", first->exact ? "Distance" : "Deviation");
  for (size_t i = s->from; i < s->to; i++)
    if (!apart || b->v->finding[i].verdict == s->verdict)
      write_case(b, s, i, apart, !same, out);
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* --- the figures of a file that are compared with measurements --- */

static bool is_measured(const vd_book *b, size_t i) {
  const vd_finding *f = &b->v->finding[i];
  return b->v->claims.claim[i].evidence == VD_EVIDENCE_MEASUREMENT && !f->exact && !isnan(f->got);
}

enum { LONG_UNIT = 6 }; /* characters */

/* Writes a number of a row. All have the decimals that the band needs for three digits, so that a reader can subtract
 * them. before: sign before a number that is not negative. */
static void measured_cell(const char *of, const char *before, double value, const vd_finding *f, const char *more,
                          vd_buf *out) {
  const char *unit = f->unit, *same = f->unit;
  double band = fabs(vd_html_customary(f->allowed > 0.0 ? f->allowed : f->expected, &same));
  double shown = vd_html_customary(value, &unit);
  vd_buf_printf(out, "<td class=\"n%s\" data-of=\"%s\">", more, of);
  if (isnan(value) || is_in_tolerances(f)) {
    vd_buf_puts(out, "–");
  } else {
    int decimals = band > 0.0 ? (int)vd_min(vd_max(2.0 - floor(vd_log10(band)), 0.0), 9.0) : 3;
    vd_buf_puts(out, shown < 0.0 ? "−" : before);
    vd_buf_printf(out, "%.*f", decimals, fabs(shown));
    /* a long unit in four columns would push the last ones out of a sheet */
    vd_buf_puts(out, !vd_html_has_unit(unit) ? "" : strlen(unit) > LONG_UNIT ? "<br>" : "\u202F");
    vd_html_unit(out, unit);
  }
  vd_buf_puts(out, "</td>");
}

static void write_measured(const vd_book *b, size_t i, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[i];
  const vd_finding *f = &b->v->finding[i];
  vd_buf_printf(out, "<tr class=\"%s\"><td class=\"figure\"><a href=\"#c%d\">", vd_verdict_class(f->verdict),
                c->number);
  vd_html_text(out, c->def->claim);
  vd_buf_puts(out, "</a>");
  if (is_in_tolerances(f)) {
    vd_buf_puts(out, "<br><span class=\"more\">");
    vd_html_text(out, f->quantity);
    vd_buf_puts(out, "</span>");
  }
  vd_buf_puts(out, "</td>");
  measured_cell("Measured", "", f->expected, f, "", out);
  measured_cell("Simulated", "", f->got, f, "", out);
  measured_cell("Band", "±", f->allowed, f, " wideonly", out);
  measured_cell("Residual", "+", f->got - f->expected, f, " wideonly", out);
  vd_buf_puts(out, "<td class=\"n\" data-of=\"Of the band\">");
  vd_card_times(vd_finding_share(f), out);
  vd_buf_printf(out, "</td><td><span class=\"verdict %s\">%s</span></td></tr>\n", vd_verdict_class(f->verdict),
                word_of(f->verdict, false));
}

void vd_card_measured(const vd_book *b, size_t from, size_t to, vd_buf *out) {
  size_t count = 0;
  for (size_t i = from; i < to; i++)
    count += is_measured(b, i);
  if (count < 2)
    return;
  vd_buf_puts(
      out,
      "<h2>Measured and simulated</h2>\n<p class=\"more\">Residual: simulated minus measured. Of the band: size of "
      "the residual, divided by the band.</p>\n<div class=\"tablebox\"><table class=\"cases flow\"><thead><tr>"
      "<th class=\"figure\">Figure</th><th class=\"n\">Measured</th><th class=\"n\">Simulated</th>"
      "<th class=\"n wideonly\">Band</th><th class=\"n wideonly\">Residual</th><th class=\"n\">Of the band</th>"
      "<th>Verdict</th></tr></thead>\n<tbody>\n");
  for (size_t i = from; i < to; i++)
    if (is_measured(b, i))
      write_measured(b, i, out);
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* --- pictures --- */

enum { CASES = 128 };

/* Draws a picture in the customary units, as on other pages. */
static void draw(const vd_picture *p, bool broad, vd_buf *out) {
  vd_picture shown = *p;
  const char *unit[] = {p->x_unit, p->y_unit};
  const double size[] = {vd_html_customary(1.0, &unit[0]), vd_html_customary(1.0, &unit[1])};
  snprintf(shown.x_unit, sizeof shown.x_unit, "%s", unit[0]);
  snprintf(shown.y_unit, sizeof shown.y_unit, "%s", unit[1]);
  shown.series = NULL;
  shown.count = 0;
  for (size_t k = 0; k < p->count; k++) {
    const vd_picture_series *s = &p->series[k];
    double *x = vd_allocate(s->count + 1, sizeof *x), *y = vd_allocate(s->count + 1, sizeof *y);
    for (size_t i = 0; i < s->count; i++) {
      x[i] = size[0] * s->x[i];
      y[i] = size[1] * s->y[i];
    }
    vd_picture_series *added = vd_picture_put(&shown, s->stroke, s->name, x, y, s->count);
    added->hue = s->hue;
    added->rgb = s->rgb;
    added->dash = s->dash;
  }
  (broad ? vd_plot_broad : vd_plot_picture)(&shown, out);
  vd_picture_finish(&shown);
}

/* Reads the values of `each` as numbers in one unit, and sets the name of their quantity. False: they are no such
 * numbers. */
static bool cases_along(const vd_claim *c, size_t count, double *x, vd_picture *p) {
  const char *unit = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t used;
    if (!vd_num_parse(c[i].each, strlen(c[i].each), &x[i], &used))
      return false;
    const char *own = c[i].each + used + strspn(c[i].each + used, " ");
    if (unit && strcmp(own, unit) != 0)
      return false;
    unit = own;
  }
  snprintf(p->x_name, sizeof p->x_name, "case");
  for (size_t k = 0; k < c->def->set.count; k++) { /* setting KEY=VALUE with the value of this case */
    const char *equals = strchr(c->def->set.name[k], '='), *value = equals ? equals + 1 : "";
    size_t length = strlen(c->each);
    if (strncmp(value, c->each, length) != 0)
      continue;
    snprintf(p->x_name, sizeof p->x_name, "%.*s", (int)(equals - c->def->set.name[k]), c->def->set.name[k]);
    if (!*unit)
      unit = value + length + strspn(value + length, " ");
    break;
  }
  snprintf(p->x_unit, sizeof p->x_unit, "%s", unit);
  return true;
}

/* Draws the found and the expected values over the cases. Returns false if the values of `each' are not numbers, or too
 * few for a curve. */
static bool write_over_cases(const vd_book *b, const vd_statement *s, vd_buf *out) {
  const vd_finding *f = &b->v->finding[s->from];
  size_t count = s->to - s->from, at[CASES];
  double given[CASES], x[CASES], got[CASES], expected[CASES], upper[CASES], lower[CASES];
  vd_picture own = {.count = 0}, *p = &own;
  if (count < 3 || count > CASES || !cases_along(&b->v->claims.claim[s->from], count, given, p))
    return false;
  for (size_t i = 0; i < count; i++) { /* sorts by the value, whatever the order in the file */
    size_t k = i;
    if (strcmp(f[i].unit, f->unit) != 0 || f[i].exact != f->exact || isnan(f[i].got) || isnan(f[i].expected))
      return false;
    for (; k > 0 && given[at[k - 1]] > given[i]; k--)
      at[k] = at[k - 1];
    at[k] = i;
  }
  for (size_t i = 0; i < count; i++) {
    const vd_finding *one = &f[at[i]];
    x[i] = given[at[i]];
    got[i] = one->got;
    expected[i] = one->expected;
    upper[i] = one->expected + one->allowed;
    lower[i] = one->expected - one->allowed;
  }
  snprintf(p->title, sizeof p->title, "%.*s", (int)strcspn(f->quantity, "/*+=("), f->quantity);
  snprintf(p->y_unit, sizeof p->y_unit, "%s", f->unit);
  for (char *after = strstr(p->title, " at "); after; after = NULL)
    *after = '\0';
  vd_picture_add(p, VD_STROKE_MARKS, "got", x, got, count);
  vd_picture_add(p, f->exact ? VD_STROKE_LIMIT : VD_STROKE_OTHER, f->exact ? "bound" : "expected", x, expected, count);
  if (!f->exact) {
    vd_picture_add(p, VD_STROKE_UPPER, "tolerance", x, upper, count);
    vd_picture_add(p, VD_STROKE_LOWER, "tolerance", x, lower, count);
  }
  vd_buf_puts(out, "<div class=\"plots\">\n");
  draw(p, true, out);
  vd_buf_puts(out, "</div>\n");
  vd_picture_finish(p);
  return true;
}

/* Draws the pictures with the largest used shares of their tolerances, in the order of the finding; a single picture is
 * as wide as the page. */
static void write_pictures(const vd_finding *f, size_t count, vd_buf *out) {
  count = count < f->picture_count ? count : f->picture_count;
  if (count == 0)
    return;
  vd_buf_puts(out, "<div class=\"plots\">\n");
  for (size_t i = 0; i < f->picture_count; i++) {
    size_t before = 0;
    for (size_t k = 0; k < f->picture_count; k++)
      before += f->picture[k].share > f->picture[i].share || (k < i && f->picture[k].share == f->picture[i].share);
    if (before < count)
      draw(&f->picture[i], count == 1, out);
  }
  if (f->compared > count)
    vd_buf_printf(out, "<p class=\"more\">%zu of %zu shown, those with the greatest residual.</p>\n", count,
                  f->compared);
  vd_buf_puts(out, "</div>\n");
}

/* --- the card --- */

static void write_origin(const vd_book *b, const vd_statement *s, bool apart, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[s->from];
  size_t count = s->to - s->from;
  vd_buf_puts(out, "</h3>\n<p class=\"meta\">");
  if (apart) {
    vd_buf_puts(out, "<a href=\"");
    vd_book_link(b, s->from, out);
    vd_buf_puts(out, "\">");
  }
  vd_html_text(out, c->name);
  if (count > 1)
    vd_buf_printf(out, "–%d", c[count - 1].number);
  vd_buf_printf(out, "%s · %s · %s · ", apart ? "</a>" : "", vd_claim_kind_names[c->def->kind],
                vd_evidence_names[c->evidence]);
  vd_book_path(b, c->file, out);
  if (c->place.line > 0)
    vd_buf_printf(out, ":%d", c->place.line);
  if (count > 1)
    vd_buf_printf(out, " · %zu cases", count);
  vd_buf_puts(out, "</p>\n");
}

/* Writes the card. A statement with several cases gets a table, and the picture and the settings of its worst case. */
void vd_card(const vd_book *b, const vd_statement *s, const char *id, bool apart, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[s->worst];
  const vd_finding *f = &b->v->finding[s->worst];
  bool many = s->to - s->from > 1;
  bool whole = s->verdict != VD_HOLDS || (c->evidence == VD_EVIDENCE_MEASUREMENT && !many);
  size_t pictures = whole ? VD_FINDING_PICTURES : many ? 1 : 2;
  vd_buf drawn = {0};
  vd_buf_printf(out, "<article class=\"claim %s\" id=\"%s%d\">\n<h3><span class=\"verdict %s\">",
                vd_verdict_class(s->verdict), id, apart ? (int)s->from : b->v->claims.claim[s->from].number,
                vd_verdict_class(s->verdict));
  vd_card_verdict(s, out);
  vd_buf_puts(out, "</span>");
  vd_card_sentence(b, s, apart, out);
  write_origin(b, s, apart, out);
  bool over = many && write_over_cases(b, s, &drawn);
  if (!over)
    write_pictures(f, pictures, &drawn);
  /* a table of cases needs the whole width, and stands below the notes */
  vd_buf_printf(out, "<div class=\"%s\">\n<div>\n",
                drawn.length > 0 ? (pictures == 1 || over ? "sides one" : "sides")
                : many           ? "below"
                                 : "sides bare");
  if (many) {
    if (same_known(b, s))
      write_known(c, f, out);
    vd_buf_puts(out, drawn.length > 0 && !over ? "<p class=\"meta\">The worst case, drawn: "
                                               : "<p class=\"meta\">The worst case: ");
    vd_html_code(c->each, out);
    vd_buf_puts(out, "</p>\n");
  } else {
    write_reason(f, out);
    write_known(c, f, out);
    write_figures(c, f, out);
  }
  if (many || drawn.length > 0)
    write_notes(b, c, out);
  vd_buf_puts(out, "</div>\n");
  if (drawn.length > 0) {
    vd_buf_puts(out, drawn.text);
  } else {
    vd_buf_puts(out, "<div>\n");
    if (many)
      write_cases(b, s, apart, out);
    else
      write_notes(b, c, out);
    vd_buf_puts(out, "</div>\n");
  }
  vd_buf_puts(out, "</div>\n");
  if (many && drawn.length > 0)
    write_cases(b, s, apart, out);
  vd_buf_puts(out, "</article>\n");
  vd_buf_finish(&drawn);
}
