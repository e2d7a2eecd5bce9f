/* Several runs side by side: names, runs of one manoeuvre, metrics, keys that differ. */
#include "report.h"

#include "base/elementary.h"
#include "base/num.h"
#include "html.h"
#include "input/quantity.h"
#include "input/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- names --- */

static const char *title_of(const vd_report_run *r) {
  return r->title && *r->title ? r->title : r->scenario;
}

enum { NAME = 36 }; /* characters for which a legend has room */

static bool is_short(const char *name) {
  return vd_utf8_count(name, strlen(name)) <= NAME;
}

/* Returns a text, or its first characters and dots. */
static const char *beginning(const char *text, size_t characters, vd_arena *arena) {
  size_t n = strlen(text);
  if (vd_utf8_count(text, n) <= characters)
    return text;
  while (((unsigned char)text[n] & 0xC0u) == 0x80u || vd_utf8_count(text, n) >= characters)
    n--;
  return vd_arena_printf(arena, "%.*s…", (int)n, text);
}

/* Returns a name of run i. kind: from 0, the preferred one, to 5; NULL: there is no such kind. */
static const char *name_by(int kind, const vd_report_run *r, size_t i) {
  char stem[256];
  switch (kind) {
  case 0: return r->car && *r->car ? r->car : "unnamed car";
  case 1: return r->level;
  case 2: return vd_arena_printf(r->arena, "%s, %s", name_by(0, r, i), r->level);
  case 3: return title_of(r);
  case 4: vd_job_stem(r->scenario, stem, sizeof stem); return vd_arena_copy(r->arena, stem, strlen(stem));
  case 5: return vd_arena_printf(r->arena, "run %zu, %s", i + 1, beginning(name_by(0, r, i), NAME - 9, r->arena));
  default: return NULL;
  }
}

/* Whether the names of the runs tell them apart. */
static bool are_different(const vd_report_run *run, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(run[i].name, run[k].name) == 0)
        return false;
  return true;
}

/* Returns the number of bytes in the whole words with which all names begin; last: with which they end. */
static size_t common_words(const vd_report_run *run, size_t count, bool last) {
  size_t words = 0, n = strlen(run[0].name);
  for (size_t i = 0; i < n; i++) {
    const size_t at = last ? n - 1 - i : i;
    for (size_t k = 1; k < count; k++) {
      const size_t length = strlen(run[k].name);
      if (i >= length || run[k].name[last ? length - 1 - i : i] != run[0].name[at])
        return words;
    }
    words = run[0].name[at] == ' ' ? i + 1 : words;
  }
  return words;
}

/* Replaces the words with which all names begin or end by dots; the first of these words are kept as far as there is
 * room. */
static void cut_common_words(vd_report_run *run, size_t count) {
  const size_t before = common_words(run, count, false), behind = common_words(run, count, true);
  for (size_t i = 0; i < count; i++) {
    const char *own = run[i].name + before;
    const size_t length = strlen(own);
    const bool cut = !is_short(own) && behind < length;
    own = vd_arena_printf(run[i].arena, "%.*s%s", (int)(cut ? length - behind : length), own, cut ? " …" : "");
    size_t head = 0;
    const size_t room = vd_utf8_count(own, strlen(own)) + 2;
    for (size_t k = 0; k < before && room + vd_utf8_count(run[i].name, k + 1) <= NAME; k++)
      head = run[i].name[k] == ' ' ? k + 1 : head;
    run[i].name = vd_arena_printf(run[i].arena, "%.*s%s%s", (int)head, run[i].name, before > head ? "… " : "", own);
  }
}

static bool are_short(const vd_report_run *run, size_t count) {
  bool all = true;
  for (size_t i = 0; i < count; i++)
    all &= is_short(run[i].name);
  return all;
}

void vd_report_name_runs(vd_report_run *run, size_t count) {
  bool done = count < 2;
  for (int kind = 0; !done && name_by(kind, run, 0); kind++) {
    for (size_t i = 0; i < count; i++)
      run[i].name = name_by(kind, &run[i], i);
    done = are_different(run, count);
    if (done && !are_short(run, count))
      cut_common_words(run, count);
    done = done && are_short(run, count);
  }
}

/* --- runs of one manoeuvre --- */

static bool have_common_set(const vd_report_run *a, const vd_report_run *b) {
  bool none = a->sets < 2 && b->sets < 2, common = false;
  for (size_t i = 1; i < a->sets; i++) /* all runs have the first set */
    for (size_t k = 1; k < b->sets; k++)
      common |= a->set[i] && a->set[i] == b->set[k];
  return none || common;
}

static bool of_one_manoeuvre(const vd_report_run *a, const vd_report_run *b) {
  return strcmp(a->inputs, b->inputs) == 0 && have_common_set(a, b);
}

void vd_report_sort(vd_report_run *run, size_t count) {
  for (size_t from = 0; from < count;) {
    size_t next = from + 1;
    for (size_t i = next; i < count; i++)
      if (of_one_manoeuvre(&run[from], &run[i])) {
        const vd_report_run moved = run[i];
        memmove(&run[next + 1], &run[next], (i - next) * sizeof *run);
        run[next++] = moved;
      }
    from = next;
  }
}

size_t vd_report_group(const vd_report_run *run, size_t count) {
  size_t n = 1;
  while (n < count && of_one_manoeuvre(run, &run[n]))
    n++;
  return n;
}

/* --- words and numbers --- */

void vd_report_quantity(double value, const char *unit, vd_buf *out) {
  double shown = vd_html_customary(value, &unit);
  vd_html_quantity(out, shown, 1e-2 * fabs(shown), unit);
}

void vd_report_difference(double value, double reference, const char *unit, vd_buf *out) {
  const char *shown = unit;
  double to = vd_html_customary(value, &shown), from = vd_html_customary(reference, &unit), by = to - from;
  /* the last of four digits of the greater value; a smaller difference is not shown */
  double resolution = vd_pow(10.0, floor(vd_log10(vd_max(fabs(to), fabs(from)))) - 3.0);
  if (by == 0.0 || !(fabs(by) >= 0.5 * resolution))
    return;
  vd_buf_puts(out, by > 0.0 ? "+" : "");
  vd_html_number(out, round(by / resolution) * resolution, resolution);
  double percent = 100.0 * fabs(by / from);
  if (percent < 1000.0)
    vd_buf_printf(out, " (%s%.*f\u202F%%)", by > 0.0 ? "+" : "−", percent < 10.0, percent);
}

void vd_report_word(const char *name, vd_buf *out) {
  for (const char *c = name; *c; c++) {
    const char one[] = {*c, '\0'};
    vd_html_text(out, one);
    if (*c == '_' || *c == '.')
      vd_buf_puts(out, "<wbr>");
  }
}

void vd_report_lines(const vd_buf *lines, const char *before, const char *after, vd_buf *out) {
  for (const char *line = lines->text; line && *line;) {
    size_t length = strcspn(line, "\n");
    vd_buf one = {0};
    vd_buf_add(&one, line, length);
    vd_buf_puts(out, before);
    vd_html_text(out, one.text);
    vd_buf_puts(out, after);
    vd_buf_finish(&one);
    line += length + (line[length] == '\n');
  }
}

/* --- tables --- */

void vd_report_columns(const vd_report_run *run, size_t count, const char *before, const char *after, vd_buf *out) {
  vd_buf_printf(out, "<div class=\"tablebox\"><table class=\"metrics\"><thead><tr><th>%s</th>", before);
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, "<th class=\"n of\">");
    vd_html_text(out, run[i].name ? run[i].name : "Value");
    vd_buf_puts(out, "</th>");
  }
  vd_buf_printf(out, "<th>%s</th></tr></thead>\n<tbody>\n", after);
}

void vd_report_cell(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<td class=\"n\"");
  if (count > 1) {
    vd_buf_puts(out, " data-of=\"");
    vd_html_text(out, run->name);
    vd_buf_puts(out, "\"");
  }
  vd_buf_puts(out, "><span>");
}

const vd_metric *vd_report_metric(const vd_report_run *run, const char *name) {
  return vd_metric_called(&run->metrics, name);
}

/* Writes a value. Below it stands, for a single run, the value in SI, and for several runs, the difference from the
 * first. */
static void write_value(const vd_report_run *run, size_t k, const vd_metric *m, const vd_metric *first, vd_buf *out) {
  const char *unit = m ? m->unit : "1";
  vd_buf below = {0};
  vd_buf_puts(out, m ? "" : "–");
  if (m)
    vd_report_quantity(m->value, unit, out);
  if (m && k > 0 && first)
    vd_report_difference(m->value, first->value, unit, &below);
  if (m && !run->name && isfinite(m->value) && vd_html_customary(m->value, &unit) != m->value)
    vd_html_quantity(&below, m->value, 1e-2 * fabs(m->value), m->unit);
  if (below.length > 0)
    vd_buf_printf(out, "<br><span class=\"soft\">%s</span>", below.text);
  vd_buf_finish(&below);
}

/* Writes the remarks on the values of the runs: one remark if it is the same for all. */
static void write_reasons(const vd_report_run *run, size_t count, const char *name, vd_buf *out) {
  const vd_metric *first = vd_report_metric(run, name);
  bool same = true;
  for (size_t k = 1; k < count; k++) {
    const vd_metric *m = vd_report_metric(&run[k], name);
    same &= m && first && strcmp(m->reason, first->reason) == 0;
  }
  for (size_t k = 0; k < (same ? 1 : count); k++) {
    const vd_metric *m = vd_report_metric(&run[k], name);
    if (!m || !*m->reason)
      continue;
    vd_buf_puts(out, " <em>");
    vd_html_text(out, same ? "" : run[k].name);
    vd_buf_puts(out, same ? "" : ": ");
    vd_html_text(out, m->reason);
    vd_buf_puts(out, "</em>");
  }
}

static void write_row(const vd_report_run *run, size_t count, const vd_metric *m, vd_buf *out) {
  vd_buf_puts(out, "<tr><td>");
  vd_report_word(m->name, out);
  vd_buf_puts(out, "</td>");
  for (size_t k = 0; k < count; k++) {
    vd_report_cell(&run[k], count, out);
    write_value(&run[k], k, vd_report_metric(&run[k], m->name), vd_report_metric(run, m->name), out);
    vd_buf_puts(out, "</span></td>");
  }
  vd_buf_puts(out, "<td>");
  vd_html_text(out, m->definition);
  write_reasons(run, count, m->name, out);
  vd_buf_puts(out, "</td></tr>\n");
}

/* Whether a metric is of a set that a brief page leaves out. */
static bool is_left_out(const vd_report_run *r, const vd_metric *m) {
  const vd_metric_set *const left_out[] = {vd_metric_sets[0], vd_metric_set_called("understeer_budget")};
  for (size_t i = 0; i < VD_COUNT(left_out) && r->brief; i++)
    for (size_t k = 0; k < left_out[i]->count; k++)
      if (strcmp(left_out[i]->metric[k].name, m->name) == 0)
        return true;
  return false;
}

static void write_standards(const vd_report_run *r, vd_buf *out) {
  vd_buf names = {0};
  for (size_t i = 0; i < r->sets; i++)
    if (r->set[i] && r->set[i]->standard) {
      vd_buf_puts(&names, names.length ? ", " : "By ");
      vd_html_text(&names, r->set[i]->standard);
    }
  if (names.length)
    vd_buf_printf(out, "<p class=\"meta\">%s.</p>\n", names.text);
  vd_buf_finish(&names);
}

void vd_report_metrics(const vd_report_run *run, size_t count, vd_buf *out) {
  const vd_report_run *most = run; /* a run that ended early has no metrics */
  for (size_t k = 1; k < count; k++)
    most = run[k].metrics.count > most->metrics.count ? &run[k] : most;
  if (most->metrics.count == 0) {
    vd_buf_puts(out, "<p>A run that ended early has no metrics.</p>\n");
    return;
  }
  write_standards(most, out);
  vd_report_columns(run, count, "Metric", "Definition", out);
  for (size_t i = 0; i < most->metrics.count; i++)
    if (!is_left_out(most, &most->metrics.metric[i]))
      write_row(run, count, &most->metrics.metric[i], out);
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* --- keys that differ --- */

enum { KEYS = 2000 }; /* greatest number of keys in a list; further keys are left out */

typedef struct comparison {
  const vd_node **root;
  size_t count;
  vd_arena *arena;
  vd_diag *ignored; /* receives messages about keys that are no numbers */
  vd_report_key *key;
  size_t keys;
} comparison;

/* Whether a key is a text for readers, which does not influence the run. */
static bool is_remark(const char *path) {
  static const char *const remarks[] = {"title", "vehicle.name", "vehicle.source", "vehicle.estimates"};
  bool found = false;
  for (size_t i = 0; i < VD_COUNT(remarks); i++)
    found |= strcmp(path, remarks[i]) == 0;
  return found;
}

/* Returns a value as text; a long value as its size, with a hash that distinguishes it from others. NULL: no value. */
static const char *text_of(const comparison *c, const vd_node *n) {
  enum { LONGEST = 160 };
  vd_buf text = {0};
  size_t items = 0;
  if (!n)
    return NULL;
  if (n->kind == VD_NODE_SCALAR)
    vd_buf_puts(&text, n->text);
  else
    vd_tree_write(n, &text);
  for (const vd_node *child = n->child; child; child = child->next)
    items++;
  for (const char *at = n->kind == VD_NODE_SCALAR ? n->text : ""; (at = strchr(at, '\n')); at++)
    items++;
  const char *kept = vd_arena_copy(c->arena, text.text ? text.text : "", text.length);
  if (text.length > LONGEST && items > 0)
    kept = vd_arena_printf(c->arena, "%zu %s, #%08x", items, n->kind == VD_NODE_SCALAR ? "lines" : "items",
                           (unsigned)(vd_text_hash(VD_HASH_START, text.text, text.length) & 0xffffffffu));
  vd_buf_finish(&text);
  return kept;
}

/* Finds the row of a key that is a number; for other keys, a row without a unit. */
static vd_number_row row_of(const comparison *c, const vd_node *const *node, const char *path) {
  vd_number_row row = {.unit = "1"};
  for (size_t i = 0; i < c->count; i++)
    if (node[i] && node[i]->kind == VD_NODE_SCALAR &&
        vd_schema_find_number(&vd_scenario_schema, c->root[i], path, node[i]->place, c->ignored, &row))
      return row;
  return (vd_number_row){.unit = "1"};
}

static void compare_values(comparison *c, const vd_node *const *node, const char *path) {
  const char **text = vd_arena_alloc(c->arena, c->count * sizeof *text);
  bool same = true;
  for (size_t i = 0; i < c->count; i++) {
    text[i] = text_of(c, node[i]);
    same &= text[i] && text[0] && strcmp(text[i], text[0]) == 0;
  }
  if (same || c->keys == KEYS)
    return;
  vd_number_row row = row_of(c, node, path);
  c->key[c->keys++] = (vd_report_key){path, row.unit, row.row ? row.row->help : "", text};
}

static void compare(comparison *c, const vd_node *const *node, const char *path);

/* Whether a run before run i has the key, so that the key was already compared. */
static bool is_met(const vd_node *const *node, size_t i, const char *key) {
  bool met = false;
  for (size_t k = 0; k < i; k++)
    met |= vd_tree_get(node[k], key) != NULL;
  return met;
}

static void compare_mappings(comparison *c, const vd_node *const *node, const char *path) {
  const vd_node **below = vd_arena_alloc(c->arena, c->count * sizeof *below);
  for (size_t i = 0; i < c->count; i++)
    for (const vd_node *n = node[i] ? node[i]->child : NULL; n; n = n->next) {
      if (is_met(node, i, n->key))
        continue;
      for (size_t k = 0; k < c->count; k++)
        below[k] = vd_tree_get(node[k], n->key);
      compare(c, below, *path ? vd_arena_printf(c->arena, "%s.%s", path, n->key) : n->key);
    }
}

static void compare(comparison *c, const vd_node *const *node, const char *path) {
  bool mappings = true;
  for (size_t i = 0; i < c->count; i++)
    mappings &= !node[i] || node[i]->kind == VD_NODE_MAPPING;
  if (is_remark(path))
    return;
  if (mappings)
    compare_mappings(c, node, path);
  else
    compare_values(c, node, path);
}

size_t vd_report_differences(const vd_report_run *run, size_t count, const char *under, vd_arena *arena,
                             vd_report_key **out) {
  vd_diag *d = vd_diag_create();
  comparison c = {.count = count, .arena = arena, .ignored = vd_diag_create()};
  const vd_node **node = vd_arena_alloc(arena, count * sizeof *node);
  c.root = vd_arena_alloc(arena, count * sizeof *c.root);
  c.key = vd_arena_alloc(arena, KEYS * sizeof *c.key);
  for (size_t i = 0; i < count; i++) {
    const vd_buf *text = &run[i].resolved;
    c.root[i] =
        text->length ? vd_tree_parse(arena, d, vd_diag_add_source(d, run[i].scenario, text->text, text->length)) : NULL;
    node[i] = under && c.root[i] ? vd_tree_get(c.root[i], under) : c.root[i];
  }
  compare(&c, node, under ? under : "");
  vd_diag_destroy(c.ignored);
  vd_diag_destroy(d);
  *out = c.key;
  return c.keys;
}

/* Writes a text, its numbers with four digits. */
static void write_rounded(const char *text, vd_buf *out) {
  vd_buf_puts(out, "<span class=\"text\">");
  for (size_t used; *text; text += used) {
    double value;
    bool number = vd_num_parse(text, strlen(text), &value, &used) && used > 0;
    if (!number) /* a word, or characters between words */
      used = strchr(" ,[", *text) ? 1 : strcspn(text, " ,[");
    vd_buf one = {0};
    if (number)
      vd_buf_printf(&one, "%.4g", value);
    else
      vd_buf_add(&one, text, used);
    vd_html_text(out, one.text);
    vd_buf_finish(&one);
  }
  vd_buf_puts(out, "</span>");
}

static void write_key_value(const vd_report_key *key, const char *text, vd_buf *out) {
  double value;
  size_t used;
  if (!text)
    vd_buf_puts(out, "–");
  else if (vd_num_parse(text, strlen(text), &value, &used) && text[used] == '\0')
    vd_report_quantity(value, key->unit, out);
  else
    write_rounded(text, out);
}

void vd_report_keys(const vd_report_run *run, size_t count, const vd_report_key *key, size_t keys, vd_buf *out) {
  vd_report_columns(run, count, "Key", "Meaning", out);
  for (size_t i = 0; i < keys; i++) {
    vd_buf_puts(out, "<tr><td>");
    vd_report_word(key[i].key, out);
    vd_buf_puts(out, "</td>");
    for (size_t k = 0; k < count; k++) {
      vd_report_cell(&run[k], count, out);
      write_key_value(&key[i], key[i].value[k], out);
      vd_buf_puts(out, "</span></td>");
    }
    vd_buf_puts(out, "<td>");
    /* the text behind a semicolon says how the value is found if it is not given */
    vd_html_text(out, vd_arena_copy(run->arena, key[i].help, strcspn(key[i].help, ";")));
    vd_buf_puts(out, "</td></tr>\n");
  }
  vd_buf_puts(out, "</tbody></table></div>\n");
}
