/* The report: a folder of pages that open from disk. index.html shows the failures first, then everything in lists;
 * every validation file has a page of its own with all figures and pictures. Nothing is loaded from elsewhere, and the
 * pages do not contain the time or place of their making. */
#include "html.h"

#include "base/elementary.h"
#include "plot.h"
#include "tool.h"
#include "validate.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 128 };

/* Claims of one file. */
typedef struct page {
  size_t from, to;
  char name[NAME]; /* of its file in the folder */
} page;

typedef struct book {
  const vd_validate_settings *settings;
  const vd_validation *v;
  page *page;
  size_t count;
  char here[1024]; /* the working directory, with a slash; empty: not known */
} book;

/* --- files --- */

static bool is_taken(const book *b, const char *name) {
  bool taken = strcmp(name, "index.html") == 0;
  for (size_t i = 0; i < b->count; i++)
    taken |= strcmp(b->page[i].name, name) == 0;
  return taken;
}

/* Names of files consist of letters that are valid everywhere; a number distinguishes files of the same name. */
static void name_page(const book *b, const char *file, char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  char stem[NAME - 32];
  const char *slash = strrchr(file, '/'), *dot;
  file = slash ? slash + 1 : file;
  dot = strrchr(file, '.');
  size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file), n = 0;
  for (; n < length && n + 1 < sizeof stem; n++)
    stem[n] = strchr(plain, file[n]) ? file[n] : '-';
  stem[n] = '\0';
  snprintf(name, NAME, "%s.html", stem);
  for (int i = 2; is_taken(b, name); i++)
    snprintf(name, NAME, "%s-%d.html", stem, i);
}

static void find_pages(book *b) {
  const vd_claims *c = &b->v->claims;
  b->page = vd_allocate(c->count, sizeof *b->page);
  for (size_t from = 0, to; from < c->count; from = to) {
    char name[NAME];
    for (to = from; to < c->count && c->claim[to].file == c->claim[from].file;)
      to++;
    name_page(b, c->claim[from].file, name);
    page *p = &b->page[b->count];
    *p = (page){.from = from, .to = to};
    memcpy(p->name, name, sizeof name);
    b->count++;
  }
}

/* A path relative to the working directory, without "x/../". */
static void put_path(const book *b, const char *path, vd_buf *out) {
  size_t length = strlen(b->here);
  char *text = vd_allocate(strlen(path) + 1, 1), *end = text;
  if (length > 0 && strncmp(path, b->here, length) == 0)
    path += length;
  while (*path) {
    size_t n = strcspn(path, "/");
    n += path[n] == '/';
    if (n == 3 && strncmp(path, "../", 3) == 0 && end > text + 1 &&
        !(end - text >= 3 && memcmp(end - 3, "../", 3) == 0)) {
      for (end--; end > text && end[-1] != '/';)
        end--;
    } else {
      memcpy(end, path, n);
      end += n;
    }
    path += n;
  }
  *end = '\0';
  for (char *part = text; *part;) { /* lines may break after folders */
    size_t n = strcspn(part, "/");
    n += part[n] == '/';
    char next = part[n];
    part[n] = '\0';
    vd_html_text(out, part);
    part[n] = next;
    part += n;
    vd_buf_puts(out, *part ? "<wbr>" : "");
  }
  free(text);
}

/* --- words --- */

static const char *class_of(const vd_finding *f) {
  switch (f->verdict) {
  case VD_HOLDS: return "holds";
  case VD_KNOWN: return "known";
  case VD_FAILS:
  case VD_SURPRISE: break;
  }
  return "fails";
}

static const char *verdict_of(const vd_finding *f) {
  switch (f->verdict) {
  case VD_HOLDS: return "holds";
  case VD_FAILS: return "fails";
  case VD_KNOWN: return "known failure";
  case VD_SURPRISE: break;
  }
  return "holds unexpectedly";
}

static bool is_bad(const vd_finding *f) {
  return f->verdict == VD_FAILS || f->verdict == VD_SURPRISE;
}

/* "and with twice the load" cannot be understood without the claim before. */
static bool goes_on(const char *sentence) {
  return strncmp(sentence, "and ", 4) == 0 || strncmp(sentence, "but ", 4) == 0 || strncmp(sentence, "or ", 3) == 0;
}

static const char *what_it_follows(const book *b, size_t i) {
  const vd_claim *c = &b->v->claims.claim[i];
  if (!goes_on(c->def->claim))
    return NULL;
  while (i > 0 && b->v->claims.claim[i - 1].file == c->file)
    if (!goes_on(b->v->claims.claim[--i].def->claim))
      return b->v->claims.claim[i].def->claim;
  return NULL;
}

static void put_link(const book *b, size_t i, vd_buf *out) {
  for (size_t k = 0; k < b->count; k++)
    if (i >= b->page[k].from && i < b->page[k].to)
      vd_buf_printf(out, "%s#c%d", b->page[k].name, b->v->claims.claim[i].number);
}

/* Whether a share of the tolerance can be shown; bounds have none. */
static bool has_share(const vd_finding *f) {
  return !f->exact && !isnan(vd_finding_share(f));
}

/* "0.314 ×" */
static void put_times(double share, vd_buf *out) {
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

static void put_share(const vd_finding *f, vd_buf *out) {
  double share = vd_finding_share(f);
  if (has_share(f)) {
    vd_plot_residual(share, f->verdict, out);
    put_times(share, out);
  } else {
    vd_buf_puts(out, "<span class=\"soft\">–</span>");
  }
}

/* --- one claim --- */

static void figure(const char *name, double value, double resolution, const char *unit, vd_buf *out) {
  if (isnan(value))
    return;
  vd_buf_printf(out, "<div><dt>%s</dt><dd>", name);
  vd_html_quantity(out, value, resolution, unit);
  vd_buf_puts(out, "</dd></div>\n");
}

/* The quantities of the numbers, so that differences between claims are visible. */
static void put_figures(const vd_claim *c, const vd_finding *f, vd_buf *out) {
  double resolution = f->allowed > 0.0 ? f->allowed : fabs(f->deviation);
  if (!vd_said(f->quantity) && isnan(f->got))
    return;
  vd_buf_puts(out, "<dl class=\"figures\">\n");
  if (vd_said(f->quantity)) {
    vd_buf_puts(out, "<div class=\"wide\"><dt>Compared</dt><dd>");
    vd_html_text(out, f->quantity);
    vd_buf_puts(out, "</dd></div>\n");
  }
  const char *words = vd_claim_words(c);
  if (words) {
    vd_buf_puts(out, "<div class=\"wide\"><dt>Expected words</dt><dd><code>");
    vd_html_text(out, words);
    vd_buf_puts(out, "</code></dd></div>\n");
  } else if (f->exact) {
    figure("Bound", f->expected, resolution, f->unit, out);
    figure("Got", f->got, resolution, f->unit, out);
    figure(f->deviation < 0.0 ? "Margin" : "Beyond by", fabs(f->deviation), 0.0, f->unit, out);
  } else {
    figure("Expected", f->expected, resolution, f->unit, out);
    figure("Got", f->got, resolution, f->unit, out);
    figure("Deviation", f->deviation, 0.0, f->unit, out);
    figure("Tolerance", f->allowed, 0.0, f->unit, out);
    if (has_share(f)) {
      vd_buf_puts(out, "<div class=\"wide\"><dt>Residual over tolerance</dt><dd>");
      put_share(f, out);
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

static void put_code(const char *text, vd_buf *out) {
  vd_buf_puts(out, "<code>");
  vd_html_text(out, text);
  vd_buf_puts(out, "</code>");
}

static void note_path(const book *b, const char *name, const char *path, vd_buf *out) {
  if (!vd_said(path))
    return;
  note_begin(name, out);
  put_path(b, path, out);
  note_end(out);
}

static void note_run(const book *b, const char *name, const vd_claim_run *run, vd_buf *out) {
  if (!vd_said(run->scenario) && run->set_count == 0)
    return;
  note_begin(name, out);
  put_path(b, vd_said(run->scenario) ? run->scenario : "", out);
  for (size_t i = 0; i < run->set_count; i++) {
    vd_buf_puts(out, i > 0 ? ", " : vd_said(run->scenario) ? " with " : "");
    put_code(run->set[i].text, out);
  }
  note_end(out);
}

/* The expected value as it is written: a formula, or bounds, of which the figures show only one. */
static void note_formula(const char *name, const vd_expected *e, bool number, vd_buf *out) {
  if (!e->given || (!e->formula && !number))
    return;
  note_begin(name, out);
  put_code(e->text, out);
  note_end(out);
}

static void note_list(const char *name, const vd_names *list, const char *between, vd_buf *out) {
  if (list->count == 0)
    return;
  note_begin(name, out);
  for (size_t i = 0; i < list->count; i++) {
    vd_buf_puts(out, i > 0 ? between : "");
    put_code(list->name[i], out);
  }
  note_end(out);
}

static void put_notes(const book *b, const vd_claim *c, vd_buf *out) {
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
  bool figures = c->run.kind == VD_KIND_SUSPENSION; /* a claim about figures of a suspension, without a table */
  note_run(b, figures ? "Suspension" : vd_said(c->run.scenario) ? "Scenario" : "Settings", &c->run, out);
  note_run(b, "Against", &c->against, out);
  note_path(b, "Suspension", figures ? NULL : c->def->suspension, out);
  note_path(b, "Tyre", vd_claim_tyre(c), out);
  note_path(b, "Table", c->def->table, out);
  note_path(b, "Baseline", vd_claim_baseline_path(c), out);
  vd_buf_puts(out, "</dl>\n");
}

static void put_reason(const vd_claim *c, const vd_finding *f, vd_buf *out) {
  if (vd_said(f->reason)) {
    vd_buf_puts(out, "<p class=\"reason\">");
    vd_html_text(out, f->reason);
    vd_buf_puts(out, "</p>\n");
  }
  if (f->verdict == VD_KNOWN || f->verdict == VD_SURPRISE) {
    vd_buf_printf(
        out, "<p class=\"reason\">%s: ", f->verdict == VD_KNOWN ? "Known failure" : "It holds, but is known to fail");
    vd_html_text(out, c->def->known_failure);
    vd_buf_puts(out, "</p>\n");
  }
}

/* A claim that holds shows two pictures, one that fails all: those with the greatest share of their tolerance, in their
 * own order. */
static void put_pictures(const vd_finding *f, vd_buf *out) {
  size_t count = f->picture_count < 2 || f->verdict != VD_HOLDS ? f->picture_count : 2;
  if (count == 0)
    return;
  vd_buf_puts(out, "<div class=\"plots\">\n");
  for (size_t i = 0; i < f->picture_count; i++) {
    size_t before = 0;
    for (size_t k = 0; k < f->picture_count; k++)
      before += f->picture[k].share > f->picture[i].share || (k < i && f->picture[k].share == f->picture[i].share);
    if (before < count)
      vd_plot_picture(&f->picture[i], out);
  }
  if (f->compared > count)
    vd_buf_printf(out, "<p class=\"more\">%zu of %zu shown, those with the greatest residual.</p>\n", count,
                  f->compared);
  vd_buf_puts(out, "</div>\n");
}

static void put_claim(const book *b, size_t i, const char *id, bool apart, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[i];
  const vd_finding *f = &b->v->finding[i];
  const char *before = apart ? what_it_follows(b, i) : NULL;
  vd_buf_printf(out, "<article class=\"claim %s\" id=\"%s%d\">\n<h3><span class=\"verdict %s\">%s</span>", class_of(f),
                id, apart ? (int)i : c->number, class_of(f), verdict_of(f));
  if (before) {
    vd_buf_puts(out, "<span class=\"soft\">");
    vd_html_text(out, before);
    vd_buf_puts(out, " … </span>");
  }
  vd_html_text(out, c->def->claim);
  vd_buf_puts(out, "</h3>\n<p class=\"meta\">");
  if (apart) {
    vd_buf_puts(out, "<a href=\"");
    put_link(b, i, out);
    vd_buf_puts(out, "\">");
  }
  vd_html_text(out, c->name);
  vd_buf_printf(out, "%s · %s · ", apart ? "</a>" : "", vd_claim_kind_names[c->def->kind]);
  put_path(b, c->file, out);
  if (c->place.line > 0)
    vd_buf_printf(out, ":%d", c->place.line);
  vd_buf_puts(out, "</p>\n");
  const char *columns = f->picture_count == 0 ? " bare" : f->picture_count == 1 ? " one" : "";
  vd_buf_printf(out, "<div class=\"sides%s\">\n<div>\n", columns);
  put_reason(c, f, out);
  put_figures(c, f, out);
  if (f->picture_count == 0)
    vd_buf_puts(out, "</div>\n<div>\n");
  put_notes(b, c, out);
  vd_buf_puts(out, "</div>\n");
  put_pictures(f, out);
  vd_buf_puts(out, "</div>\n</article>\n");
}

/* --- lists --- */

static void put_row(const book *b, size_t i, bool apart, bool local, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[i];
  const vd_finding *f = &b->v->finding[i];
  const char *before = apart ? what_it_follows(b, i) : NULL;
  vd_buf_printf(out, "<tr class=\"%s\"><td class=\"n wideonly\">%d</td><td><a href=\"", class_of(f), c->number);
  if (local)
    vd_buf_printf(out, "#c%d", c->number);
  else
    put_link(b, i, out);
  vd_buf_puts(out, "\">");
  if (before) {
    vd_html_text(out, before);
    vd_buf_puts(out, " … ");
  }
  vd_html_text(out, c->def->claim);
  vd_buf_printf(
      out, "</a></td><td class=\"wideonly\">%s</td><td><span class=\"verdict %s\">%s</span></td><td class=\"bars\">",
      vd_claim_kind_names[c->def->kind], class_of(f), verdict_of(f));
  put_share(f, out);
  vd_buf_puts(out, "</td></tr>\n");
}

static void rows_begin(vd_buf *out) {
  vd_buf_puts(
      out,
      "<div class=\"tablebox\"><table>\n<thead><tr><th class=\"n wideonly\">No.</th><th class=\"sentence\">Claim</th>"
      "<th class=\"wideonly\">Kind</th><th>Verdict</th><th>Residual</th></tr></thead>\n<tbody>\n");
}

static void rows_end(vd_buf *out) {
  vd_buf_puts(out, "</tbody></table></div>\n");
}

static void tile(size_t count, const char *what, const char *class, vd_buf *out) {
  vd_buf_printf(out, "<li class=\"%s\"><b>%zu</b>%s</li>\n", count > 0 ? class : "none", count, what);
}

static void put_tiles(const book *b, size_t from, size_t to, vd_buf *out) {
  size_t n[VD_SURPRISE + 1] = {0};
  for (size_t i = from; i < to; i++)
    n[b->v->finding[i].verdict]++;
  vd_buf_puts(out, "<ul class=\"tiles\">\n");
  tile(to - from, to - from == 1 ? "claim" : "claims", "all", out);
  tile(n[VD_FAILS], n[VD_FAILS] == 1 ? "fails" : "fail", "fails", out);
  if (n[VD_SURPRISE] > 0)
    tile(n[VD_SURPRISE], n[VD_SURPRISE] == 1 ? "holds unexpectedly" : "hold unexpectedly", "fails", out);
  tile(n[VD_KNOWN], n[VD_KNOWN] == 1 ? "known failure" : "known failures", "known", out);
  tile(n[VD_HOLDS], n[VD_HOLDS] == 1 ? "holds" : "hold", "holds", out);
  vd_buf_puts(out, "</ul>\n");
}

static void put_file_row(const book *b, const page *p, vd_buf *out) {
  size_t n[VD_SURPRISE + 1] = {0};
  double worst = NAN;
  for (size_t i = p->from; i < p->to; i++) {
    const vd_finding *f = &b->v->finding[i];
    n[f->verdict]++;
    if (has_share(f) && f->verdict == VD_HOLDS)
      worst = vd_max(worst, vd_finding_share(f));
  }
  const vd_claim *first = &b->v->claims.claim[p->from];
  vd_buf_printf(out, "<tr class=\"%s\"><td><a href=\"%s\">", n[VD_FAILS] + n[VD_SURPRISE] > 0 ? "fails" : "holds",
                p->name);
  vd_html_text(out, first->title);
  vd_buf_puts(out, "</a><br><span class=\"more\">");
  put_path(b, first->file, out);
  vd_buf_printf(out,
                "</span></td><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td "
                "class=\"n\">%zu</td><td class=\"n wideonly\">",
                p->to - p->from, n[VD_FAILS] + n[VD_SURPRISE], n[VD_KNOWN], n[VD_HOLDS]);
  if (isnan(worst))
    vd_buf_puts(out, "–");
  else
    put_times(worst, out);
  vd_buf_puts(out, "</td></tr>\n");
}

static void put_files(const book *b, vd_buf *out) {
  vd_buf_puts(out,
              "<h2>Files</h2>\n<div class=\"tablebox\"><table>\n<thead><tr><th>File</th><th class=\"n\">Claims</th>"
              "<th class=\"n\">Fail</th><th class=\"n\">Known</th><th class=\"n\">Hold</th>"
              "<th class=\"n wideonly\">Greatest residual that holds</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < b->count; i++)
    put_file_row(b, &b->page[i], out);
  rows_end(out);
}

static void put_some(const book *b, const char *title, bool bad, vd_buf *out) {
  size_t count = 0;
  for (size_t i = 0; i < b->v->claims.count; i++) {
    const vd_finding *f = &b->v->finding[i];
    if (bad ? !is_bad(f) : f->verdict != VD_KNOWN)
      continue;
    if (count++ == 0)
      vd_buf_printf(out, "<h2>%s</h2>\n", title);
    put_claim(b, i, bad ? "bad" : "known", true, out);
  }
}

/* The claims that hold with the greatest shares of their tolerances. */
static void put_nearest(const book *b, vd_buf *out) {
  enum { SHOWN = 8 };
  size_t shown[SHOWN], count = 0;
  for (size_t i = 0; i < b->v->claims.count; i++) {
    const vd_finding *f = &b->v->finding[i];
    double share = vd_finding_share(f);
    if (f->verdict != VD_HOLDS || !has_share(f) || !(share >= 0.5))
      continue;
    size_t at = count;
    while (at > 0 && vd_finding_share(&b->v->finding[shown[at - 1]]) < share)
      at--;
    count += count < SHOWN;
    for (size_t k = count; k-- > at + 1;)
      shown[k] = shown[k - 1];
    if (at < SHOWN)
      shown[at] = i;
  }
  if (count == 0)
    return;
  vd_buf_puts(out, "<h2>Nearest to their tolerance</h2>\n");
  rows_begin(out);
  for (size_t i = 0; i < count; i++)
    put_row(b, shown[i], true, false, out);
  rows_end(out);
}

/* --- pages --- */

static void make_index(const book *b, vd_buf *out) {
  size_t count = b->v->claims.count;
  vd_html_begin(out, "validate", "Validation report");
  vd_buf_puts(out, "<header>\n<h1>Validation report</h1>\n<p class=\"soft\">vdsim-validate " VDSIM_VERSION);
  if (b->settings->scale != 1.0) {
    vd_buf_puts(out, " · all tolerances × ");
    vd_html_number(out, b->settings->scale, 0.0);
  }
  if (b->settings->filter) {
    vd_buf_puts(out, " · only claims that fit ");
    put_code(b->settings->filter, out);
  }
  vd_buf_puts(out, "</p>\n</header>\n<main>\n");
  put_tiles(b, 0, count, out);
  vd_buf_puts(out,
              "<p class=\"more\">Residuals are deviations in multiples of the tolerance: a claim holds up to 1 ×, the "
              "mark on the bars.</p>\n");
  put_some(b, "What fails", true, out);
  put_files(b, out);
  put_some(b, "Known failures", false, out);
  put_nearest(b, out);
  vd_buf_puts(out, "<h2>All claims</h2>\n");
  for (size_t k = 0; k < b->count; k++) {
    vd_buf_printf(out, "<h3 class=\"list\"><a href=\"%s\">", b->page[k].name);
    vd_html_text(out, b->v->claims.claim[b->page[k].from].title);
    vd_buf_puts(out, "</a></h3>\n");
    rows_begin(out);
    for (size_t i = b->page[k].from; i < b->page[k].to; i++)
      put_row(b, i, false, false, out);
    rows_end(out);
  }
  vd_buf_puts(out, "</main>\n");
  vd_html_end(out);
}

static void put_navigation(const book *b, size_t at, vd_buf *out) {
  vd_buf_puts(out, "<nav><a href=\"index.html\">All files</a>");
  for (int side = -1; side <= 1; side += 2) {
    if ((side < 0 && at == 0) || (side > 0 && at + 1 == b->count))
      continue;
    const page *to = side < 0 ? &b->page[at - 1] : &b->page[at + 1];
    vd_buf_printf(out, "<a%s href=\"%s\">%s", side > 0 ? " class=\"next\"" : "", to->name, side < 0 ? "← " : "");
    vd_html_text(out, b->v->claims.claim[to->from].title);
    vd_buf_puts(out, side > 0 ? " →</a>" : "</a>");
  }
  vd_buf_puts(out, "</nav>\n");
}

/* Definitions that all formulas of the file can use. */
static void put_definitions(const vd_names *where, vd_buf *out) {
  if (where->count == 0)
    return;
  vd_buf_puts(out, "<h2>Definitions</h2>\n<ul class=\"definitions\">\n");
  for (size_t i = 0; i < where->count; i++) {
    vd_buf_puts(out, "<li>");
    put_code(where->name[i], out);
    vd_buf_puts(out, "</li>\n");
  }
  vd_buf_puts(out, "</ul>\n");
}

static void make_page(const book *b, size_t at, vd_buf *out) {
  const page *p = &b->page[at];
  const vd_claim *first = &b->v->claims.claim[p->from];
  size_t bad = 0;
  for (size_t i = p->from; i < p->to; i++)
    bad += is_bad(&b->v->finding[i]);
  vd_html_begin(out, "validate", first->title);
  vd_buf_puts(out, "<header>\n");
  put_navigation(b, at, out);
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, first->title);
  vd_buf_puts(out, "</h1>\n<p class=\"soft\">");
  put_path(b, first->file, out);
  vd_buf_puts(out, "</p>\n</header>\n<main>\n");
  put_tiles(b, p->from, p->to, out);
  put_definitions(first->file_where, out);
  if (bad > 0) {
    vd_buf_puts(out, "<h2>What fails</h2>\n");
    rows_begin(out);
    for (size_t i = p->from; i < p->to; i++)
      if (is_bad(&b->v->finding[i]))
        put_row(b, i, true, true, out);
    rows_end(out);
  }
  if (bad > 0 || first->file_where->count > 0)
    vd_buf_puts(out, "<h2>All claims</h2>\n");
  for (size_t i = p->from; i < p->to; i++)
    put_claim(b, i, "c", false, out);
  vd_buf_puts(out, "</main>\n<footer>\n");
  put_navigation(b, at, out);
  vd_buf_puts(out, "</footer>\n");
  vd_html_end(out);
}

/* --- to disk --- */

static bool complain(const char *path, int error) {
  return vd_tool_error("cannot write '%s': %s", path, strerror(error));
}

static bool may_write_page(const char *folder, const char *name) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s/%s", folder, name);
  bool may = vd_tool_may_replace(path.text, vd_tool_begins(path.text, VD_HTML_START));
  vd_buf_finish(&path);
  return may;
}

bool vd_validate_html_prepare(const vd_validation *v, const vd_validate_settings *s) {
  struct stat info;
  const char *folder = s->report;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return complain(folder, errno);
  if (stat(folder, &info) != 0)
    return complain(folder, errno);
  if (!S_ISDIR(info.st_mode))
    return complain(folder, ENOTDIR);
  if (access(folder, W_OK | X_OK) != 0)
    return complain(folder, errno);
  book b = {.settings = s, .v = v};
  find_pages(&b);
  bool may = may_write_page(folder, "index.html");
  for (size_t i = 0; i < b.count; i++)
    may &= may_write_page(folder, b.page[i].name);
  free(b.page);
  return may;
}

static bool save(const char *folder, const char *name, const vd_buf *text) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s/%s", folder, name);
  bool good = vd_tool_write_text(path.text, text->text, text->length) == VD_EXIT_YES;
  vd_buf_finish(&path);
  return good;
}

bool vd_validate_html(const vd_validation *v, const vd_validate_settings *s) {
  book b = {.settings = s, .v = v};
  if (getcwd(b.here, sizeof b.here - 1) && b.here[0] == '/')
    strcat(b.here, b.here[1] ? "/" : "");
  else
    b.here[0] = '\0';
  find_pages(&b);
  bool good = true;
  for (size_t i = 0; i <= b.count && good; i++) { /* the index is last, so that its links always exist */
    vd_buf text = {0};
    if (i < b.count)
      make_page(&b, i, &text);
    else
      make_index(&b, &text);
    good = save(s->report, i < b.count ? b.page[i].name : "index.html", &text);
    vd_buf_finish(&text);
  }
  free(b.page);
  return good;
}
