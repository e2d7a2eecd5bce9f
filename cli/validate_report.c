/* Findings as a table for readers, as TAP, JUnit XML, CSV and JSON. */
#include "json.h"
#include "validate.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const verdict_words[] = {"holds", "fails", "known", "unexpected"};
_Static_assert(VD_COUNT(verdict_words) == VD_SURPRISE + 1, "every verdict has its word");

vd_validate_counts vd_validate_count(const vd_validation *v) {
  vd_validate_counts n = {{0}};
  for (size_t i = 0; i < v->claims.count; i++)
    n.of[v->finding[i].verdict]++;
  return n;
}

size_t vd_validate_statement_end(const vd_validation *v, size_t from) {
  size_t to = from + 1;
  while (to < v->claims.count && vd_claim_same_statement(&v->claims.claim[from], &v->claims.claim[to]))
    to++;
  return to;
}

static size_t count_statements(const vd_validation *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->claims.count; i = vd_validate_statement_end(v, i))
    count++;
  return count;
}

/* Formats a number with enough digits to show a relative deviation of a millionth. */
static const char *number(double value, char *text) {
  if (isnan(value))
    return "-";
  snprintf(text, VD_NUM_MAX, "%.7g", value + 0.0);
  return text;
}

static const char *unit_of(const vd_finding *f) {
  return strcmp(f->unit, "1") == 0 ? "" : f->unit;
}

/* Writes the figures in words: "vx_mps at 3 s: expected 1 m/s, got 2 m/s; deviation 1 m/s is 20 times the allowed 0.05
 * m/s". */
static void describe_figures(const vd_finding *f, vd_buf *out) {
  char a[VD_NUM_MAX], b[VD_NUM_MAX], c[VD_NUM_MAX], d[VD_NUM_MAX];
  const char *u = unit_of(f), *blank = *u ? " " : "";
  double share = vd_finding_share(f);
  if (isnan(f->got)) {
    if (f->evaluated && !f->exact)
      vd_buf_printf(out, "%s: no number", f->quantity);
    return;
  }
  if (strcmp(f->unit, "tolerances") == 0) { /* the quantity is a distance from a boundary, in tolerances */
    vd_buf_printf(out, "%s: %s x the tolerance", f->quantity, number(f->got, a));
    return;
  }
  if (f->exact) {
    vd_buf_printf(out, "%s %s%s%s: got %s%s%s", f->quantity, number(f->expected, a), blank, u, number(f->got, b), blank,
                  u);
    return;
  }
  vd_buf_printf(out, "%s: expected %s%s%s, got %s%s%s; deviation %s%s%s", f->quantity, number(f->expected, a), blank, u,
                number(f->got, b), blank, u, number(f->deviation, c), blank, u);
  if (isfinite(share))
    vd_buf_printf(out, " is %.3g x the allowed %s%s%s", share, number(f->allowed, d), blank, u);
  else
    vd_buf_puts(out, ", and none is allowed");
}

static void describe(const vd_finding *f, vd_buf *out) {
  describe_figures(f, out);
  if (vd_is_given(f->reason))
    vd_buf_printf(out, "%s%s", out->length > 0 ? "; " : "", f->reason);
}

static int line_of(const vd_claim *c) {
  return c->place.line;
}

static void line(FILE *to, const vd_claim *c, const vd_finding *f, bool colour) {
  static const char *const word[] = {"ok", "FAIL", "known", "FAIL"};
  static const char *const on[] = {"\033[32m", "\033[1;31m", "\033[33m", "\033[1;31m"};
  fprintf(to, "  %s%-5s%s %3d %s%s\n", colour ? on[f->verdict] : "", word[f->verdict], colour ? "\033[0m" : "",
          c->number, c->def->claim, c->def->verified ? " *" : "");
}

static void details(FILE *to, const vd_claim *c, const vd_finding *f) {
  vd_buf text = {0};
  describe(f, &text);
  if (text.length > 0)
    fprintf(to, "            %s\n", text.text);
  if (f->verdict == VD_SURPRISE)
    fprintf(to, "            it holds, but is known to fail: %s\n", c->def->known_failure);
  else if (f->verdict == VD_KNOWN)
    fprintf(to, "            known failure: %s\n", c->def->known_failure);
  if (f->verdict == VD_FAILS || f->verdict == VD_SURPRISE)
    fprintf(to, "            %s:%d; source: %s%s\n", c->file, line_of(c), c->source,
            c->def->verified ? " (not read in the primary text)" : "");
  vd_buf_finish(&text);
}

/* Writes the summary: "3 claims: 1 holds, 1 fails, 1 known failure". */
static void summary(const vd_validation *v, const vd_validate_counts *n, vd_buf *out) {
  size_t statements = count_statements(v);
  vd_buf_printf(out, "%zu claim%s", v->claims.count, v->claims.count == 1 ? "" : "s");
  if (statements < v->claims.count)
    vd_buf_printf(out, ", cases of %zu statement%s", statements, statements == 1 ? "" : "s");
  vd_buf_printf(out, ": %zu hold%s, %zu fail%s", n->of[VD_HOLDS], n->of[VD_HOLDS] == 1 ? "s" : "", n->of[VD_FAILS],
                n->of[VD_FAILS] == 1 ? "s" : "");
  vd_buf_printf(out, ", %zu known failure%s", n->of[VD_KNOWN], n->of[VD_KNOWN] == 1 ? "" : "s");
  if (n->of[VD_SURPRISE] > 0)
    vd_buf_printf(out, ", %zu known to fail hold%s", n->of[VD_SURPRISE], n->of[VD_SURPRISE] == 1 ? "s" : "");
}

void vd_validate_table(const vd_validation *v, const vd_validate_settings *s, bool colour, FILE *to) {
  const char *file = NULL;
  bool marked = false;
  for (size_t i = 0; i < v->claims.count; i++) {
    const vd_claim *c = &v->claims.claim[i];
    const vd_finding *f = &v->finding[i];
    bool bad = f->verdict == VD_FAILS || f->verdict == VD_SURPRISE, figures = s->verbose || s->scale == 0.0;
    if (s->quiet && !bad && !(s->scale == 0.0))
      continue;
    if (file != c->file)
      fprintf(to, "%s%s: %s\n", file ? "\n" : "", c->file, c->title);
    file = c->file;
    line(to, c, f, colour);
    marked |= c->def->verified;
    if (bad || f->verdict == VD_KNOWN || figures || vd_is_given(f->reason))
      details(to, c, f);
  }
  if (marked)
    fputs("  * the expected value was not read in the primary text\n", to);
  vd_validate_counts n = vd_validate_count(v);
  if (s->quiet && n.of[VD_FAILS] + n.of[VD_SURPRISE] == 0)
    return;
  vd_buf text = {0};
  summary(v, &n, &text);
  fprintf(to, "%s%s\n", file ? "\n" : "", text.text);
  vd_buf_finish(&text);
}

void vd_validate_list(const vd_validation *v, vd_buf *out) {
  for (size_t i = 0; i < v->claims.count; i++) {
    const vd_claim *c = &v->claims.claim[i];
    vd_buf_printf(out, "%s\t%s\t%s\t%s:%d\t%s\n", c->name, vd_claim_kind_names[c->def->kind],
                  vd_evidence_names[c->evidence], c->file, line_of(c), c->def->claim);
  }
}

/* --- TAP 13 --- */

/* Writes a text as one line; '#' is escaped, because it would begin a directive. */
static void tap_text(const char *text, vd_buf *out) {
  for (; *text; text++) {
    if (*text == '#')
      vd_buf_puts(out, "\\");
    vd_buf_add(out, *text == '\n' ? " " : text, 1);
  }
}

void vd_validate_tap(const vd_validation *v, vd_buf *out) {
  vd_buf_printf(out, "1..%zu\n", v->claims.count);
  for (size_t i = 0; i < v->claims.count; i++) {
    const vd_claim *c = &v->claims.claim[i];
    const vd_finding *f = &v->finding[i];
    vd_buf text = {0};
    vd_buf_printf(out, "%sok %zu - %s ", f->verdict == VD_HOLDS ? "" : "not ", i + 1, c->name);
    tap_text(c->def->claim, out);
    if (f->verdict == VD_KNOWN) {
      vd_buf_puts(out, " # TODO known failure: ");
      tap_text(c->def->known_failure, out);
    }
    vd_buf_puts(out, "\n");
    describe(f, &text);
    if (f->verdict == VD_SURPRISE)
      vd_buf_printf(&text, "%sit holds, but is known to fail: %s", text.length > 0 ? "; " : "", c->def->known_failure);
    if (text.length > 0) {
      vd_buf_puts(out, "# ");
      tap_text(text.text, out);
      vd_buf_puts(out, "\n");
    }
    vd_buf_finish(&text);
  }
  vd_validate_counts n = vd_validate_count(v);
  vd_buf_puts(out, "# ");
  summary(v, &n, out);
  vd_buf_puts(out, "\n");
}

/* --- JUnit --- */

/* Writes a text without control characters, which XML does not allow. */
static void xml_text(const char *text, vd_buf *out) {
  for (; *text; text++)
    switch (*text) {
    case '&': vd_buf_puts(out, "&amp;"); break;
    case '<': vd_buf_puts(out, "&lt;"); break;
    case '>': vd_buf_puts(out, "&gt;"); break;
    case '"': vd_buf_puts(out, "&quot;"); break;
    default:
      if ((unsigned char)*text >= 32)
        vd_buf_add(out, text, 1);
      else
        vd_buf_puts(out, " ");
    }
}

static void junit_case(const vd_claim *c, const vd_finding *f, vd_buf *out) {
  vd_buf text = {0};
  describe(f, &text);
  if (f->verdict == VD_SURPRISE)
    vd_buf_printf(&text, "%sit holds, but is known to fail: %s", text.length > 0 ? "; " : "", c->def->known_failure);
  vd_buf_puts(out, "    <testcase classname=\"");
  xml_text(c->name, out);
  vd_buf_puts(out, "\" name=\"");
  xml_text(c->def->claim, out);
  vd_buf_printf(out, "\" file=\"");
  xml_text(c->file, out);
  vd_buf_printf(out, "\" line=\"%d\"", line_of(c));
  if (f->verdict == VD_HOLDS) {
    vd_buf_puts(out, "/>\n");
  } else {
    vd_buf_puts(out, f->verdict == VD_KNOWN ? ">\n      <skipped message=\"known failure: "
                                            : ">\n      <failure message=\"");
    xml_text(f->verdict == VD_KNOWN ? c->def->known_failure : text.text ? text.text : "", out);
    if (f->verdict == VD_KNOWN) {
      vd_buf_puts(out, "\"/>\n    </testcase>\n");
    } else {
      vd_buf_puts(out, "\">source: ");
      xml_text(c->source, out);
      vd_buf_puts(out, "</failure>\n    </testcase>\n");
    }
  }
  vd_buf_finish(&text);
}

void vd_validate_junit(const vd_validation *v, vd_buf *out) {
  vd_validate_counts n = vd_validate_count(v);
  vd_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  vd_buf_printf(out, "<testsuites name=\"vdsim-validate\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
                v->claims.count, n.of[VD_FAILS] + n.of[VD_SURPRISE], n.of[VD_KNOWN]);
  for (size_t from = 0, to; from < v->claims.count; from = to) {
    const char *file = v->claims.claim[from].file;
    size_t failures = 0, skipped = 0;
    for (to = from; to < v->claims.count && v->claims.claim[to].file == file; to++) {
      failures += v->finding[to].verdict == VD_FAILS || v->finding[to].verdict == VD_SURPRISE;
      skipped += v->finding[to].verdict == VD_KNOWN;
    }
    vd_buf_puts(out, "  <testsuite name=\"");
    xml_text(file, out);
    vd_buf_printf(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", to - from, failures, skipped);
    for (size_t i = from; i < to; i++)
      junit_case(&v->claims.claim[i], &v->finding[i], out);
    vd_buf_puts(out, "  </testsuite>\n");
  }
  vd_buf_puts(out, "</testsuites>\n");
}

/* --- CSV --- */

static void csv_number(double value, vd_buf *out) {
  char text[VD_NUM_MAX];
  vd_num_print9(value + 0.0, text);
  vd_buf_printf(out, ",%s", isnan(value) ? "" : text);
}

void vd_validate_csv(const vd_validation *v, vd_buf *out) {
  vd_buf_puts(out, "claim,file,line,kind,verdict,quantity,unit,expected,got,deviation,allowed,share,reason,verified,"
                   "source,sentence,title,statement,case,evidence\n");
  for (size_t i = 0; i < v->claims.count; i++) {
    const vd_claim *c = &v->claims.claim[i];
    const vd_finding *f = &v->finding[i];
    bool known = f->verdict == VD_KNOWN || f->verdict == VD_SURPRISE;
    const char *const before[] = {
        c->name, c->file, NULL, vd_claim_kind_names[c->def->kind], verdict_words[f->verdict], f->quantity, f->unit};
    const char *const after[] = {vd_is_given(f->reason) || !known ? f->reason : c->def->known_failure,
                                 c->def->verified ? "no" : "yes",
                                 c->source,
                                 c->def->claim,
                                 c->title,
                                 c->sentence,
                                 c->each ? c->each : "",
                                 vd_evidence_names[c->evidence]};
    const double figures[] = {f->expected, f->got, f->deviation, f->allowed, vd_finding_share(f)};
    for (size_t k = 0; k < VD_COUNT(before); k++) {
      vd_buf_puts(out, k ? "," : "");
      if (before[k])
        vd_csv_text(before[k], out);
      else
        vd_buf_printf(out, "%d", line_of(c));
    }
    for (size_t k = 0; k < VD_COUNT(figures); k++)
      csv_number(isinf(figures[k]) ? NAN : figures[k], out);
    for (size_t k = 0; k < VD_COUNT(after); k++) {
      vd_buf_puts(out, ",");
      vd_csv_text(after[k], out);
    }
    vd_buf_puts(out, "\n");
  }
}

/* --- JSON --- */

void vd_validate_json(const vd_validation *v, vd_buf *out) {
  vd_validate_counts n = vd_validate_count(v);
  vd_buf provenance = {0}, csv = {0};
  vd_buf_puts(&provenance, "tool: vdsim-validate\nversion: " VDSIM_VERSION "\n");
  vd_buf_printf(&provenance, "claims: %zu\n", v->claims.count);
  for (size_t i = 0; i < VD_COUNT(n.of); i++)
    vd_buf_printf(&provenance, "%s: %zu\n", verdict_words[i], n.of[i]);
  vd_validate_csv(v, &csv);
  vd_json_results(provenance.text, "verdicts", csv.text, " line expected got deviation allowed share ", out);
  vd_buf_finish(&csv);
  vd_buf_finish(&provenance);
}
