/* The report: a folder of pages that can be opened without a server. index.html lists the failures first, then all
 * statements; every file of claims has a page with all figures and pictures. The pages load nothing from elsewhere, and
 * do not contain the time or the place of their making. */
#include "validate_html.h"

#include "base/elementary.h"
#include "base/system.h"
#include "tool.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = sizeof((vd_html_page *)NULL)->name };

/* --- files --- */

static bool is_taken(const vd_book *b, const char *name) {
  bool taken = strcmp(name, "index.html") == 0;
  for (size_t i = 0; i < b->count; i++)
    taken |= strcmp(b->page[i].name, name) == 0;
  return taken;
}

/* Makes the file name of a page from letters that every file system allows; a number distinguishes pages of the same
 * name. */
static void name_page(const vd_book *b, const char *file, char *name) {
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

static void find_pages(vd_book *b) {
  const vd_claims *c = &b->v->claims;
  b->page = vd_allocate(c->count, sizeof *b->page);
  for (size_t from = 0, to; from < c->count; from = to) {
    char name[NAME];
    for (to = from; to < c->count && c->claim[to].file == c->claim[from].file;)
      to++;
    name_page(b, c->claim[from].file, name);
    vd_html_page *p = &b->page[b->count];
    *p = (vd_html_page){.from = from, .to = to};
    memcpy(p->name, name, sizeof name);
    b->count++;
  }
}
/* Writes a path relative to the working directory, without "x/../". */
void vd_book_path(const vd_book *b, const char *path, vd_buf *out) {
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
  for (char *part = text; *part;) { /* lets the browser break lines after folders */
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
void vd_book_link(const vd_book *b, size_t i, vd_buf *out) {
  for (size_t k = 0; k < b->count; k++)
    if (i >= b->page[k].from && i < b->page[k].to)
      vd_buf_printf(out, "%s#c%d", b->page[k].name, b->v->claims.claim[i].number);
}

/* --- lists --- */

static void write_row(const vd_book *b, const vd_statement *s, bool apart, bool local, vd_buf *out) {
  const vd_claim *c = &b->v->claims.claim[s->from];
  size_t count = s->to - s->from;
  const char *class = vd_verdict_class(s->verdict);
  vd_buf_printf(out, "<tr class=\"%s\"><td class=\"n wideonly\">%d</td><td><a href=\"", class, c->number);
  if (local)
    vd_buf_printf(out, "#c%d", c->number);
  else
    vd_book_link(b, s->from, out);
  vd_buf_puts(out, "\">");
  vd_card_sentence(b, s, apart, out);
  vd_buf_printf(
      out, "</a></td><td class=\"n wideonly\">%zu</td><td class=\"wideonly\">%s</td><td><span class=\"verdict %s\">",
      count, vd_claim_kind_names[c->def->kind], class);
  vd_card_verdict(s, out);
  vd_buf_puts(out, "</span></td><td class=\"bars\">");
  vd_card_share(&b->v->finding[s->worst], out);
  vd_buf_puts(out, "</td></tr>\n");
}

static void rows_begin(vd_buf *out) {
  vd_buf_puts(out, "<div class=\"tablebox\"><table>\n<thead><tr><th class=\"n wideonly\">No.</th><th "
                   "class=\"sentence\">Statement</th>"
                   "<th class=\"n wideonly\">Cases</th><th "
                   "class=\"wideonly\">Kind</th><th>Verdict</th><th>Residual</th></tr></thead>\n<tbody>\n");
}

static void rows_end(vd_buf *out) {
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* Writes the statements of a file; failing: only those that fail. */
static void write_rows(const vd_book *b, const vd_html_page *p, bool failing, vd_buf *out) {
  rows_begin(out);
  for (size_t i = p->from; i < p->to;) {
    vd_statement s = vd_statement_at(b, i);
    if (!failing || vd_verdict_is_bad(s.verdict))
      write_row(b, &s, failing, failing, out);
    i = s.to;
  }
  rows_end(out);
}

/* Writes the kinds of evidence: "12 theory, 3 law" are the numbers of statements with each kind. */
static void write_evidence(const vd_book *b, size_t from, size_t to, vd_buf *out) {
  size_t n[VD_EVIDENCES] = {0}, kinds = 0;
  for (size_t i = from; i < to; i = vd_validate_statement_end(b->v, i))
    n[b->v->claims.claim[i].evidence]++;
  for (size_t k = 0; k < VD_EVIDENCES; k++)
    if (n[k] > 0)
      vd_buf_printf(out, "%s%zu %s", kinds++ > 0 ? ", " : "", n[k], vd_evidence_names[k]);
}

static void tile(size_t count, const char *what, const char *class, vd_buf *out) {
  vd_buf_printf(out, "<li class=\"%s\"><b>%zu</b>%s</li>\n", count > 0 ? class : "none", count, what);
}

static void write_tiles(const vd_book *b, size_t from, size_t to, vd_buf *out) {
  size_t n[VD_SURPRISE + 1] = {0}, statements = 0;
  for (size_t i = from; i < to; i = vd_validate_statement_end(b->v, i))
    statements++;
  for (size_t i = from; i < to; i++)
    n[b->v->finding[i].verdict]++;
  vd_buf_puts(out, "<ul class=\"tiles\">\n");
  tile(statements, statements == 1 ? "statement" : "statements", "all", out);
  tile(to - from, to - from == 1 ? "case" : "cases", "all", out);
  tile(n[VD_FAILS], n[VD_FAILS] == 1 ? "fails" : "fail", "fails", out);
  if (n[VD_SURPRISE] > 0)
    tile(n[VD_SURPRISE], n[VD_SURPRISE] == 1 ? "holds unexpectedly" : "hold unexpectedly", "fails", out);
  tile(n[VD_KNOWN], n[VD_KNOWN] == 1 ? "known failure" : "known failures", "known", out);
  tile(n[VD_HOLDS], n[VD_HOLDS] == 1 ? "holds" : "hold", "holds", out);
  vd_buf_puts(out, "</ul>\n<p class=\"more\">Statements by their evidence: ");
  write_evidence(b, from, to, out);
  vd_buf_puts(out, ".</p>\n");
}

static void write_file_row(const vd_book *b, const vd_html_page *p, vd_buf *out) {
  size_t n[VD_SURPRISE + 1] = {0}, statements = 0;
  double worst = NAN;
  for (size_t i = p->from; i < p->to; i = vd_validate_statement_end(b->v, i))
    statements++;
  for (size_t i = p->from; i < p->to; i++) {
    const vd_finding *f = &b->v->finding[i];
    n[f->verdict]++;
    if (vd_card_has_share(f) && f->verdict == VD_HOLDS)
      worst = vd_max(worst, vd_finding_share(f));
  }
  const vd_claim *first = &b->v->claims.claim[p->from];
  vd_buf_printf(out, "<tr class=\"%s\"><td><a href=\"%s\">", n[VD_FAILS] + n[VD_SURPRISE] > 0 ? "fails" : "holds",
                p->name);
  vd_html_text(out, first->title);
  vd_buf_puts(out, "</a><br><span class=\"more\">");
  vd_book_path(b, first->file, out);
  vd_buf_puts(out, "<br>");
  write_evidence(b, p->from, p->to, out);
  vd_buf_printf(out,
                "</span></td><td class=\"n\" data-of=\"Statements\">%zu</td><td class=\"n\" "
                "data-of=\"Cases\">%zu</td><td class=\"n\" data-of=\"Fail\">%zu</td><td "
                "class=\"n\" data-of=\"Known\">%zu</td><td class=\"n wideonly\">%zu</td><td class=\"n wideonly\">",
                statements, p->to - p->from, n[VD_FAILS] + n[VD_SURPRISE], n[VD_KNOWN], n[VD_HOLDS]);
  if (isnan(worst))
    vd_buf_puts(out, "–");
  else
    vd_card_times(worst, out);
  vd_buf_puts(out, "</td></tr>\n");
}

static void write_files(const vd_book *b, vd_buf *out) {
  vd_buf_puts(
      out,
      "<h2>Files</h2>\n<div class=\"tablebox\"><table class=\"flow\">\n<thead><tr><th>File</th><th "
      "class=\"n\">Statements</th>"
      "<th class=\"n\">Cases</th><th class=\"n\">Fail</th><th class=\"n\">Known</th><th class=\"n wideonly\">Hold</th>"
      "<th class=\"n wideonly\">Greatest residual that holds</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < b->count; i++)
    write_file_row(b, &b->page[i], out);
  rows_end(out);
}

static void write_some(const vd_book *b, const char *title, bool bad, vd_buf *out) {
  size_t count = 0;
  for (size_t i = 0; i < b->v->claims.count;) {
    vd_statement s = vd_statement_at(b, i);
    i = s.to;
    if (bad ? !vd_verdict_is_bad(s.verdict) : s.verdict != VD_KNOWN)
      continue;
    if (count++ == 0)
      vd_buf_printf(out, "<h2>%s</h2>\n", title);
    vd_card(b, &s, bad ? "bad" : "known", true, out);
  }
}

/* Writes the list of statements that hold with the largest used shares of their tolerances. */
static void write_nearest(const vd_book *b, vd_buf *out) {
  enum { EXCERPT = 8 };
  vd_statement shown[EXCERPT];
  size_t count = 0;
  for (size_t i = 0; i < b->v->claims.count;) {
    vd_statement s = vd_statement_at(b, i);
    const vd_finding *f = &b->v->finding[s.worst];
    double share = vd_finding_share(f);
    i = s.to;
    if (s.verdict != VD_HOLDS || !vd_card_has_share(f) || !(share >= 0.5))
      continue;
    size_t at = count;
    while (at > 0 && vd_finding_share(&b->v->finding[shown[at - 1].worst]) < share)
      at--;
    count += count < EXCERPT;
    for (size_t k = count; k-- > at + 1;)
      shown[k] = shown[k - 1];
    if (at < EXCERPT)
      shown[at] = s;
  }
  if (count == 0)
    return;
  vd_buf_puts(out, "<h2>Nearest to their tolerance</h2>\n");
  rows_begin(out);
  for (size_t i = 0; i < count; i++)
    write_row(b, &shown[i], true, false, out);
  rows_end(out);
}

/* --- pages --- */

static void make_index(const vd_book *b, vd_buf *out) {
  size_t count = b->v->claims.count;
  vd_html_begin(out, "validate", "Validation report");
  vd_buf_puts(out, "<header>\n<h1>Validation report</h1>\n<p class=\"soft\">vdsim-validate " VDSIM_VERSION);
  if (b->settings->scale != 1.0) {
    vd_buf_puts(out, " · all tolerances × ");
    vd_html_number(out, b->settings->scale, 0.0);
  }
  if (b->settings->filter) {
    vd_buf_puts(out, " · only claims that fit ");
    vd_html_code(b->settings->filter, out);
  }
  vd_buf_puts(out, "</p>\n</header>\n<main>\n");
  write_tiles(b, 0, count, out);
  vd_buf_puts(out,
              "<p class=\"more\">Residuals are deviations in multiples of the tolerance: a claim holds up to 1 ×, the "
              "mark on the bars.</p>\n");
  write_some(b, "What fails", true, out);
  write_files(b, out);
  write_some(b, "Known failures", false, out);
  write_nearest(b, out);
  vd_buf_puts(out, "<h2>All claims</h2>\n");
  for (size_t k = 0; k < b->count; k++) {
    vd_buf_printf(out, "<h3 class=\"list\"><a href=\"%s\">", b->page[k].name);
    vd_html_text(out, b->v->claims.claim[b->page[k].from].title);
    vd_buf_puts(out, "</a></h3>\n");
    write_rows(b, &b->page[k], false, out);
  }
  vd_buf_puts(out, "</main>\n");
  vd_html_end(out);
}

static void write_navigation(const vd_book *b, size_t at, vd_buf *out) {
  vd_buf_puts(out, "<nav><a href=\"index.html\">All files</a>");
  for (int side = -1; side <= 1; side += 2) {
    if ((side < 0 && at == 0) || (side > 0 && at + 1 == b->count))
      continue;
    const vd_html_page *to = side < 0 ? &b->page[at - 1] : &b->page[at + 1];
    vd_buf_printf(out, "<a%s href=\"%s\">%s", side > 0 ? " class=\"next\"" : "", to->name, side < 0 ? "← " : "");
    vd_html_text(out, b->v->claims.claim[to->from].title);
    vd_buf_puts(out, side > 0 ? " →</a>" : "</a>");
  }
  vd_buf_puts(out, "</nav>\n");
}

/* Writes the definitions that all formulas of the file can use. */
static void write_definitions(const vd_names *where, vd_buf *out) {
  if (where->count == 0)
    return;
  vd_buf_puts(out, "<h2>Definitions</h2>\n<ul class=\"definitions\">\n");
  for (size_t i = 0; i < where->count; i++) {
    vd_buf_puts(out, "<li>");
    vd_html_code(where->name[i], out);
    vd_buf_puts(out, "</li>\n");
  }
  vd_buf_puts(out, "</ul>\n");
}

static void make_page(const vd_book *b, size_t at, vd_buf *out) {
  const vd_html_page *p = &b->page[at];
  const vd_claim *first = &b->v->claims.claim[p->from];
  size_t bad = 0;
  for (size_t i = p->from; i < p->to; i++)
    bad += vd_verdict_is_bad(b->v->finding[i].verdict);
  vd_html_begin(out, "validate", first->title);
  vd_buf_puts(out, "<header>\n");
  write_navigation(b, at, out);
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, first->title);
  vd_buf_puts(out, "</h1>\n<p class=\"soft\">");
  vd_book_path(b, first->file, out);
  vd_buf_puts(out, "</p>\n</header>\n<main>\n");
  write_tiles(b, p->from, p->to, out);
  write_definitions(first->file_where, out);
  if (bad > 0) {
    vd_buf_puts(out, "<h2>What fails</h2>\n");
    write_rows(b, p, true, out);
  }
  size_t length = out->length;
  vd_card_measured(b, p->from, p->to, out);
  if (bad > 0 || first->file_where->count > 0 || out->length > length)
    vd_buf_puts(out, "<h2>All claims</h2>\n");
  for (size_t i = p->from; i < p->to;) {
    vd_statement s = vd_statement_at(b, i);
    vd_card(b, &s, "c", false, out);
    i = s.to;
  }
  vd_buf_puts(out, "</main>\n<footer>\n");
  write_navigation(b, at, out);
  vd_buf_puts(out, "</footer>\n");
  vd_html_end(out);
}

/* --- writing the files --- */

static bool complain(const char *path, int error) {
  return vd_tool_error("cannot write '%s': %s", path, strerror(error));
}

static bool may_write_page(const char *folder, const char *name) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s/%s", folder, name);
  bool may = vd_tool_may_write(path.text, VD_REPLACES_OURS);
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
  vd_book b = {.settings = s, .v = v};
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
  bool good = vd_tool_write_text(path.text, VD_REPLACES_OURS, text->text, text->length) == VD_EXIT_YES;
  vd_buf_finish(&path);
  return good;
}

bool vd_validate_html(const vd_validation *v, const vd_validate_settings *s) {
  vd_book b = {.settings = s, .v = v};
  if (getcwd(b.here, sizeof b.here - 1) && vd_path_is_absolute(b.here))
    strcat(b.here, b.here[1] ? "/" : "");
  else
    b.here[0] = '\0';
  find_pages(&b);
  vd_buf base = {0};
  vd_buf_printf(&base, "%s/index", s->report);
  int turn = vd_tool_await_turn(base.text);
  bool good = true;
  for (size_t i = 0; i <= b.count && good; i++) { /* the index is written last, so that its links are never dead */
    vd_buf text = {0};
    if (i < b.count)
      make_page(&b, i, &text);
    else
      make_index(&b, &text);
    good = save(s->report, i < b.count ? b.page[i].name : "index.html", &text);
    vd_buf_finish(&text);
  }
  vd_tool_end_turn(turn);
  vd_buf_finish(&base);
  free(b.page);
  return good;
}
