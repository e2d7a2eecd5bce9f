/* Pictures of a report: those of the table (pictures.txt) that fit the runs. */
#include "report.h"

#include "html.h"
#include "plot_log.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- channels --- */

static void add_channel(vd_report_run *r, size_t *n, const char *name) {
  for (size_t i = 0; i < *n; i++)
    if (strcmp(r->channel[i], name) == 0)
      return;
  if (*n + 1 < VD_REPORT_CHANNELS)
    r->channel[(*n)++] = vd_arena_copy(r->arena, name, strlen(name));
}

/* Adds the names in an expression; one with "@" is added for each wheel. Names that are not channels are left out
 * later. */
static void add_names(vd_report_run *r, size_t *n, const char *text) {
  while (*text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || strchr("_@", text[length] ? text[length] : ' '))
      length++;
    const char *name = vd_arena_copy(r->arena, text, length), *at = strchr(name, '@');
    for (int w = 0; w < VD_WHEELS && length > 0 && (at || w == 0); w++)
      add_channel(r, n,
                  at ? vd_arena_printf(r->arena, "%.*s%s%s", (int)(at - name), name, vd_wheel_names[w], at + 1) : name);
    text += length > 0 ? length : 1;
  }
}

/* Whether a picture of the table is shown on no page. */
static bool is_left_out(const char *picture) {
  static const char *const names[] = {"stunt", "loads", "energy", "tyres"};
  for (size_t i = 0; i < VD_COUNT(names); i++)
    if (strcmp(picture, names[i]) == 0)
      return true;
  return false;
}

void vd_report_choose_channels(vd_report_run *r) {
  size_t count, n = 0;
  bool out = false;
  const vd_picture_line *l = vd_picture_table(&count);
  add_channel(r, &n, "t_s");
  for (const vd_picture_line *end = l + count; l < end; l++) {
    const char *what = l->part[0];
    const bool let = strcmp(what, "let") == 0, over = strcmp(what, "over") == 0;
    out = strcmp(what, "picture") == 0 ? is_left_out(l->part[1]) : out;
    if (!out && (over || strcmp(what, "line") == 0))
      add_names(r, &n, l->part[1]);
    if (!out && (over || let))
      add_names(r, &n, l->part[over ? 3 : 2]);
  }
}

/* --- runs as logs with the files beside them --- */

/* Makes a log for pictures from a run of the page, with the data beside it. */
static void show(const vd_report_run *r, vd_arena *arena, vd_diag *d, vd_shown_run *out) {
  size_t stem;
  *out = (vd_shown_run){.file = r->scenario, .title = "", .car = "", .level = "", .width = NAN, .hue = r->hue};
  out->label = r->name ? r->name : "";
  out->rows = r->history.count;
  out->columns = r->history.columns;
  out->column = vd_arena_alloc(arena, out->columns * sizeof *out->column);
  for (size_t k = 0; k < out->columns; k++) {
    double *value = vd_arena_alloc(arena, (out->rows + 1) * sizeof *value);
    vd_buf name = {0};
    const vd_unit_name *unit = vd_unit_si_name(r->channel[k], &name);
    for (size_t i = 0; i < out->rows; i++)
      value[i] = vd_rows_at(&r->history, i, k) * (unit ? unit->numerator / unit->denominator : 1.0);
    const char *si = vd_arena_copy(arena, name.text, name.length);
    out->column[k] = (vd_shown_column){si, vd_unit_at_end(si, &stem), value};
    vd_buf_finish(&name);
  }
  const double *t = vd_shown_values(out, "t_s");
  out->end = t && out->rows > 0 ? t[out->rows - 1] : NAN;
  out->fact = vd_arena_alloc(arena, (r->metrics.count + VD_SHOWN_KEYS) * sizeof *out->fact);
  for (size_t i = 0; i < r->metrics.count; i++)
    if (isfinite(r->metrics.metric[i].value))
      out->fact[out->facts++] = (vd_fact){r->metrics.metric[i].name, r->metrics.metric[i].value};
  const int source = vd_diag_add_source(d, "resolved", r->resolved.text, r->resolved.length);
  vd_plot_describe(r->resolved.length > 0 ? vd_tree_parse(arena, d, source) : NULL, source, arena, d, out);
}

/* Makes a table from the frequency response of a run. */
static void show_response(const vd_report_run *r, vd_arena *arena, vd_shown_run *out) {
  static const char *const part[] = {"gain", "phase_rad", "coherence"};
  out->rows = r->response.count;
  out->columns = r->response.columns;
  out->column = vd_arena_alloc(arena, out->columns * sizeof *out->column);
  for (size_t k = 0; k < out->columns; k++) {
    const char *output = k > 0 ? r->response_def->outputs.name[(k - 1) / 3] : "";
    const bool phase = k > 0 && (k - 1) % 3 == 1;
    double *value = vd_arena_alloc(arena, out->rows * sizeof *value);
    for (size_t i = 0; i < out->rows; i++)
      value[i] = vd_rows_at(&r->response, i, k) * (phase ? VD_PI / 180.0 : 1.0);
    const char *name = k > 0 ? vd_arena_printf(arena, "%s_%s", output, part[(k - 1) % 3]) : "frequency_Hz";
    out->column[k] = (vd_shown_column){name, phase ? "rad" : "1", value};
  }
}

/* --- pictures --- */

/* Draws a picture of the table. column: attributes of the element around the panels, which has a heading; NULL: no
 * element and no heading. after: a text behind the titles of the panels. */
static void draw(const char *name, const vd_shown_run *run, size_t count, const char *column, bool clock,
                 const char *after, vd_arena *arena, vd_buf *out) {
  vd_shown_how how = {.apart = true, .quiet = true};
  vd_drawing f;
  const bool response = strcmp(name, "response") == 0;
  if (!(response ? vd_figure_response(run, count, &how, arena, &f)
                 : vd_figure_standard(run, count, name, &how, arena, &f)))
    return;
  const bool alone = column && *column && f.panels == 1;
  if (column) {
    vd_buf_puts(out, "<h3 class=\"list\">");
    vd_html_text(out, vd_title_of(vd_picture_called(name)->part[4], arena));
    vd_buf_puts(out, "</h3>\n");
  }
  if (*f.under) {
    vd_buf_puts(out, "<p class=\"more\">");
    vd_html_text(out, f.under);
    vd_buf_puts(out, "</p>\n");
  }
  if (column)
    vd_buf_printf(out, "<div class=\"pictures\"%s>\n", column);
  for (size_t i = 0; i < f.panels; i++) {
    vd_picture *p = &f.panel[i].picture;
    const size_t length = strlen(p->title);
    p->exact = false;
    p->clock = clock;
    snprintf(p->title + length, sizeof p->title - length, "%s", after);
    (alone ? vd_plot_broad : vd_plot_picture)(p, out);
  }
  vd_buf_puts(out, column ? "</div>\n" : "");
  vd_figure_finish(&f);
}

static double metric_of(const vd_report_run *r, const char *name) {
  const vd_metric *m = vd_metric_called(&r->metrics, name);
  return m ? m->value : NAN;
}

/* Draws the parts of the gradient that are not zero, one run below the other. */
void vd_report_budget(const vd_report_run *run, size_t count, vd_buf *out) {
  static const vd_plot_part causes[] = {
#define VD_ROW(id, key, short_name, words) {short_name, 0.0},
      VD_UNDERSTEER_LIST(VD_ROW)
#undef VD_ROW
  };
  static const char *const names[] = {
#define VD_ROW(id, key, short_name, words) "understeer_by_" key "_deg_per_g",
      VD_UNDERSTEER_LIST(VD_ROW)
#undef VD_ROW
  };
  char title[160];
  for (size_t i = 0; i < count; i++) {
    vd_plot_part part[VD_COUNT(causes) + 1],
        whole = {"understeer gradient", metric_of(&run[i], "budget_gradient_deg_per_g")};
    size_t n = 0;
    for (size_t k = 0; k < VD_COUNT(causes); k++) {
      part[n] = (vd_plot_part){causes[k].name, metric_of(&run[i], names[k])};
      n += fabs(part[n].value) >= 5e-3;
    }
    part[n++] = (vd_plot_part){"rest", metric_of(&run[i], "budget_rest_deg_per_g")};
    snprintf(title, sizeof title, "Understeer budget%s%s", count > 1 ? ": " : "", count > 1 ? run[i].name : "");
    if (isfinite(part[n - 1].value))
      vd_plot_parts(title, "deg/g", part, n, &whole, out);
  }
}

static void draw_histories(const vd_report_run *run, const vd_shown_run *shown, size_t count, vd_arena *arena,
                           vd_buf *out) {
  vd_buf_puts(out, "<div class=\"pictures\">\n");
  draw(run->brief ? "overview" : "histories", shown, count, NULL, !run->brief, "", arena, out);
  /* four lines for each run could not be told apart */
  if (!run->brief)
    draw("wheels", shown, 1, NULL, true, count > 1 ? vd_arena_printf(arena, ": %s", shown->label) : "", arena, out);
  vd_buf_puts(out, "</div>\n");
}

/* Draws the frequency responses of the runs that have the outputs of the first one. */
static void draw_responses(const vd_report_run *run, const vd_shown_run *shown, size_t count, vd_arena *arena,
                           vd_buf *out) {
  size_t n = 0;
  vd_shown_run *with = vd_arena_alloc(arena, count * sizeof *with);
  for (size_t i = 0; i < count && run[0].response.count > 0; i++)
    if (run[i].response.count > 0 && run[i].response.columns == run[0].response.columns) {
      with[n] = shown[i];
      show_response(&run[i], arena, &with[n++]);
    }
  if (n > 0)
    draw("response", with, n, "", false, "", arena, out);
}

/* Whether a picture of the table is drawn for the runs: if the runs have one of its sets of metrics. The pictures
 * `path' and `gg', which fit any run, are drawn for all runs; on a brief page only `path' is drawn, for braking and
 * power-off in a turn. */
static bool is_wanted(const vd_picture_line *l, const vd_shown_run *run, bool brief) {
  const bool path = strcmp(l->part[1], "path") == 0;
  if (*l->part[2] != '*')
    return vd_shown_has_set(run, l->part[2]);
  return brief ? path && vd_shown_has_set(run, "braking_in_turn power_off") : path || strcmp(l->part[1], "gg") == 0;
}

void vd_report_kind_pictures(const vd_report_run *run, vd_buf *out) {
  size_t lines;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_shown_run shown;
  show(run, arena, d, &shown);
  const vd_picture_line *l = vd_picture_table(&lines);
  for (const vd_picture_line *last = l + lines; l < last; l++)
    if (strcmp(l->part[0], "picture") == 0 && *l->part[2] != '*' && vd_shown_has_set(&shown, l->part[2]))
      draw(l->part[1], &shown, 1, " style=\"--column:30rem\"", false, "", arena, out);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

void vd_report_pictures(const vd_report_run *run, size_t count, const char *heading, vd_buf *out) {
  size_t lines;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_shown_run *shown = vd_arena_alloc(arena, count * sizeof *shown);
  for (size_t i = 0; i < count; i++)
    show(&run[i], arena, d, &shown[i]);
  if (heading)
    vd_buf_printf(out, "<%s>Over time</%.2s>\n", heading, heading);
  draw_histories(run, shown, count, arena, out);
  if (heading)
    vd_buf_printf(out, "<%s>Pictures</%.2s>\n", heading, heading);
  const vd_picture_line *l = vd_picture_table(&lines);
  for (const vd_picture_line *last = l + lines; l < last; l++)
    if (strcmp(l->part[0], "picture") != 0 || is_left_out(l->part[1]))
      continue;
    else if (strcmp(l->part[1], "response") == 0)
      draw_responses(run, shown, count, arena, out);
    else if (is_wanted(l, shown, run->brief))
      draw(l->part[1], shown, count, "", false, "", arena, out);
  if (!run->brief && vd_shown_has_set(shown, "understeer_budget")) {
    vd_buf_puts(out, "<h3 class=\"list\">Understeer budget</h3>\n<div class=\"pictures\">\n");
    vd_report_budget(run, count, out);
    vd_buf_puts(out, "</div>\n");
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}
