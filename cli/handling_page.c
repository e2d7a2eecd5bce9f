/* The page of --handling: summary, manoeuvres with their conditions, understeer budget, estimates, then every manoeuvre
 * with its pictures and metrics, and the keys by which the cars differ. */
#include "handling.h"

#include "html.h"
#include "tool.h"
#include "viewer.h"

#include <math.h>
#include <string.h>

static size_t manoeuvres_of(const vd_handling *h) {
  return h->programme.manoeuvres.count;
}

static const vd_report_run *runs_of(const vd_handling *h, size_t m) {
  return &h->run[m * h->cars];
}

const char *vd_handling_title(const vd_handling *h, size_t m) {
  const vd_report_run *r = runs_of(h, m);
  for (size_t c = 0; c < h->cars && !r->inputs; c++)
    r = vd_handling_run(h, m, c);
  if (!r->inputs || !*r->title) {
    char stem[256];
    vd_job_stem(r->scenario, stem, sizeof stem);
    return vd_arena_copy(h->arena, stem, strlen(stem));
  }
  const char *tail = vd_arena_printf(h->arena, ", %s, %s", r->car, r->level);
  size_t length = strlen(r->title), of_tail = strlen(tail);
  bool named = length > of_tail && strcmp(r->title + length - of_tail, tail) == 0;
  return vd_arena_copy(h->arena, r->title, named ? length - of_tail : length);
}

const char *vd_handling_outcome(const vd_handling *h, size_t m, size_t c) {
  switch (h->status[m * h->cars + c]) {
  case VD_EXIT_YES: return "done";
  case VD_EXIT_NO: return "not reached";
  case VD_EXIT_ENDED: return "ended early";
  default: return "not run";
  }
}

/* --- the head --- */

static void write_heading(const vd_handling *h, vd_buf *out) {
  vd_html_text(out, h->programme.title);
  for (size_t c = 0; c < h->cars; c++) {
    vd_buf_puts(out, c == 0 ? ": " : c + 1 < h->cars ? ", " : " and ");
    vd_html_text(out, vd_handling_car(h, c));
  }
}

static void write_meta(const vd_handling *h, vd_buf *out) {
  const vd_report_run *r = vd_handling_of_car(h, 0);
  vd_buf_printf(out, "<p class=\"meta\">%zu manoeuvres", manoeuvres_of(h));
  if (r)
    vd_buf_printf(out, ", level %s of the vehicle model", r->level);
  vd_buf_puts(out, ". vdsim-run " VDSIM_VERSION ".");
  for (size_t i = 0; i < h->settings->set_count; i++) {
    vd_buf_puts(out, i == 0 ? " With the settings " : ", ");
    vd_buf_puts(out, "<code>");
    vd_html_text(out, h->settings->set[i].text);
    vd_buf_puts(out, "</code>");
  }
  vd_buf_puts(out, h->settings->set_count ? ".</p>\n" : "</p>\n");
}

/* --- the summary --- */

static bool is_in(const vd_class_range *r, double value) {
  return value >= r->from && value <= r->to;
}

static void write_figure_value(const vd_handling_figure *f, size_t c, vd_buf *out) {
  const char *unit;
  double shown = vd_handling_shown(f, f->value[c], &unit), first = vd_handling_shown(f, f->value[0], &unit);
  bool in = f->ranges == 0 || !isfinite(shown);
  for (size_t i = 0; i < f->ranges; i++)
    in |= is_in(&f->range[i], f->value[c]);
  vd_html_quantity(out, shown, 1e-2 * fabs(shown), unit);
  if (c > 0 && isfinite(shown) && isfinite(first)) {
    vd_buf_puts(out, "<br><span class=\"soft\">");
    vd_report_difference(shown, first, unit, out);
    vd_buf_puts(out, "</span>");
  }
  if (!in)
    vd_buf_puts(out, "<br><span class=\"verdict known\">outside of all ranges</span>");
}

/* Writes a range: "2 to 5 deg/g", "at least 1.83 m". */
static void write_range(const vd_handling_figure *f, const vd_class_range *r, vd_buf *out) {
  const char *unit;
  double from = vd_handling_shown(f, r->from, &unit), to = vd_handling_shown(f, r->to, &unit);
  vd_buf_puts(out, isinf(to) ? "at least " : isinf(from) ? "at most " : "");
  if (!isinf(from))
    vd_html_number(out, from, 1e-1 * fabs(from));
  vd_buf_puts(out, isinf(from) || isinf(to) ? "" : " to ");
  if (!isinf(to))
    vd_html_number(out, to, 1e-1 * fabs(to));
  vd_buf_puts(out, vd_html_has_unit(unit) ? " " : "");
  vd_html_unit(out, unit);
}

/* Writes the ranges; classes with equal ranges stand together: "saloon, compact: 2 to 5 deg/g". */
static void write_ranges(const vd_handling_figure *f, vd_buf *out) {
  bool done[VD_CLASSES] = {false};
  for (size_t i = 0; i < f->ranges; i++) {
    if (done[i])
      continue;
    vd_buf_puts(out, i ? "; " : "");
    write_range(f, &f->range[i], out);
    for (size_t k = i; k < f->ranges; k++)
      if (f->range[k].from == f->range[i].from && f->range[k].to == f->range[i].to) {
        done[k] = true;
        vd_buf_puts(out, k == i ? " (" : ", ");
        vd_html_text(out, f->range[k].class);
      }
    vd_buf_puts(out, ")");
  }
}

static void write_sources(const vd_handling *h, vd_buf *out) {
  vd_buf seen = {0};
  vd_buf_puts(&seen, "\n");
  for (size_t i = 0; i < h->figures; i++)
    for (size_t k = 0; k < h->figure[i].ranges; k++) {
      const char *line = vd_arena_printf(h->arena, "\n%s\n", h->figure[i].range[k].source);
      if (!strstr(seen.text, line))
        vd_buf_puts(&seen, line + 1);
    }
  if (seen.length > 1) {
    const vd_buf lines = {.text = seen.text + 1, .length = seen.length - 1};
    vd_buf_puts(out, "<details><summary>Sources of the published ranges</summary><ul class=\"meta\">\n");
    vd_report_lines(&lines, "<li>", "</li>\n", out);
    vd_buf_puts(out, "</ul></details>\n");
  }
  vd_buf_finish(&seen);
}

static void write_summary(const vd_handling *h, vd_buf *out) {
  vd_buf_puts(out, "<h2 id=\"summary\">Summary</h2>\n");
  if (h->figures == 0) {
    vd_buf_puts(out, "<p>No run has a figure of the summary.</p>\n");
    return;
  }
  vd_report_columns(runs_of(h, 0), h->cars, "Figure", "Published for classes of cars, or allowed", out);
  for (size_t i = 0; i < h->figures; i++) {
    const vd_handling_figure *f = &h->figure[i];
    vd_buf_puts(out, "<tr><td>");
    vd_html_text(out, f->name);
    vd_buf_puts(out, "</td>");
    for (size_t c = 0; c < h->cars; c++) {
      vd_report_cell(&runs_of(h, 0)[c], h->cars, out);
      write_figure_value(f, c, out);
      vd_buf_puts(out, "</span></td>");
    }
    vd_buf_puts(out, "<td>");
    write_ranges(f, out);
    vd_buf_puts(out, "</td></tr>\n");
  }
  vd_buf_puts(out, "</tbody></table></div>\n");
  write_sources(h, out);
}

/* --- manoeuvres and their conditions --- */

/* Writes the result of a run: "met", "driven", "outside of ISO 7401", "ended early". */
static void write_result(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  const vd_report_run *r = vd_handling_run(h, m, c);
  const vd_report_condition *missed = NULL;
  for (size_t i = 0; i < r->conditions && !missed; i++)
    missed = r->condition[i].missed ? &r->condition[i] : NULL;
  if (h->status[m * h->cars + c] != VD_EXIT_YES)
    vd_buf_printf(out, "<span class=\"verdict fails\">%s</span>", vd_handling_outcome(h, m, c));
  else if (missed) {
    vd_buf_puts(out, "<span class=\"verdict known\">outside of ");
    vd_html_text(out, missed->by);
    vd_buf_puts(out, "</span>");
  } else if (r->conditions > 0)
    vd_buf_puts(out, "<span class=\"verdict holds\">met</span>");
  else
    vd_buf_puts(out, "driven");
}

/* Writes a condition: "ay_steady_mps2: 3.92 to 4.08 m/s2 (ISO 7401)". */
static void write_condition(const vd_report_condition *c, vd_buf *out) {
  const char *unit = c->unit;
  double from = vd_html_customary(c->at_least, &unit);
  unit = c->unit;
  double to = vd_html_customary(c->at_most, &unit);
  vd_report_word(c->metric, out);
  vd_buf_puts(out, isnan(to) ? " at least " : isnan(from) ? " at most " : " ");
  if (!isnan(from))
    vd_html_number(out, from, 1e-1 * fabs(from));
  vd_buf_puts(out, isnan(from) || isnan(to) ? "" : " to ");
  if (!isnan(to))
    vd_html_number(out, to, 1e-1 * fabs(to));
  vd_buf_puts(out, vd_html_has_unit(unit) ? " " : "");
  vd_html_unit(out, unit);
  vd_buf_puts(out, " (");
  vd_html_text(out, c->by);
  vd_buf_puts(out, ")");
}

/* Returns the first run of the manoeuvre that has conditions, or, if none has, the run of the last car. */
static const vd_report_run *with_conditions(const vd_handling *h, size_t m) {
  const vd_report_run *r = runs_of(h, m);
  for (size_t c = 0; c < h->cars && r->conditions == 0; c++)
    r = vd_handling_run(h, m, c);
  return r;
}

static void write_manoeuvres(const vd_handling *h, vd_buf *out) {
  vd_buf_puts(out, "<h2 id=\"manoeuvres\">Manoeuvres, and the conditions of their standards</h2>\n");
  vd_report_columns(runs_of(h, 0), h->cars, "Manoeuvre", "Conditions", out);
  for (size_t m = 0; m < manoeuvres_of(h); m++) {
    const vd_report_run *r = with_conditions(h, m);
    vd_buf_printf(out, "<tr><td><a href=\"#m%zu\">", m + 1);
    vd_html_text(out, vd_handling_title(h, m));
    vd_buf_puts(out, "</a></td>");
    for (size_t c = 0; c < h->cars; c++) {
      vd_report_cell(&runs_of(h, 0)[c], h->cars, out);
      write_result(h, m, c, out);
      vd_buf_puts(out, "</span></td>");
    }
    vd_buf_puts(out, "<td>");
    for (size_t i = 0; i < r->conditions; i++) {
      vd_buf_puts(out, i ? "; " : "");
      write_condition(&r->condition[i], out);
    }
    vd_buf_puts(out, r->conditions ? "</td></tr>\n" : "none are given</td></tr>\n");
  }
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* --- the understeer budget --- */

static double budget_of(const vd_report_run *r, const char *key, const char *axle, vd_arena *arena) {
  const vd_metric *m = vd_report_metric(r, vd_arena_printf(arena, "understeer_by_%s%s_deg_per_g", key, axle));
  return m ? m->value : NAN;
}

static void write_degrees(double value, vd_buf *out) {
  if (isfinite(value))
    vd_buf_printf(out, "%s%.2f", value <= -0.005 ? "−" : "", fabs(value));
  else
    vd_buf_puts(out, "–");
}

/* Writes a row of the budget. key: a part of the gradient; a second line shows the contributions of the
 * front axle and of the rear axle, whose difference it is. key NULL: `name` selects the rest or the whole gradient. */
static void write_part(const vd_handling *h, const vd_report_run *run, const char *key, const char *name, vd_buf *out) {
  bool seen = false;
  for (size_t c = 0; c < h->cars && key; c++)
    seen |= fabs(budget_of(&run[c], key, "_front", h->arena)) >= 0.005 ||
            fabs(budget_of(&run[c], key, "_rear", h->arena)) >= 0.005;
  if (key && !seen)
    return;
  vd_buf_printf(out, "<tr><td>%s%s%s</td>", key ? "" : "<b>", name, key ? "" : "</b>");
  for (size_t c = 0; c < h->cars; c++) {
    const vd_metric *whole = key ? NULL
                                 : vd_report_metric(&run[c], strcmp(name, "Rest") == 0 ? "budget_rest_deg_per_g"
                                                                                       : "budget_gradient_deg_per_g");
    vd_report_cell(&run[c], h->cars, out);
    write_degrees(key ? budget_of(&run[c], key, "", h->arena) : whole ? whole->value : NAN, out);
    if (key) {
      vd_buf_puts(out, "<br><span class=\"soft\">");
      write_degrees(budget_of(&run[c], key, "_front", h->arena), out);
      vd_buf_puts(out, " − ");
      double rear = budget_of(&run[c], key, "_rear", h->arena);
      vd_buf_puts(out, rear <= -0.005 ? "(" : "");
      write_degrees(rear, out);
      vd_buf_puts(out, rear <= -0.005 ? ")</span>" : "</span>");
    }
    vd_buf_puts(out, "</span></td>");
  }
  vd_buf_puts(out, "<td></td></tr>\n");
}

static void write_budget(const vd_handling *h, vd_buf *out) {
  const vd_report_run *run = NULL;
  for (size_t m = 0; m < manoeuvres_of(h) && !run; m++)
    for (size_t c = 0; c < h->cars; c++)
      run = vd_report_metric(vd_handling_run(h, m, c), "budget_gradient_deg_per_g") ? runs_of(h, m) : run;
  if (!run)
    return;
  vd_buf_puts(out, "<h2 id=\"budget\">Understeer budget</h2>\n<p class=\"meta\">Causes of the understeer gradient, "
                   "in deg/g: each is the part of the front axle minus the part of the rear axle.</p>\n"
                   "<div class=\"pictures\">\n");
  vd_report_budget(run, h->cars, out);
  vd_buf_puts(out, "</div>\n");
  vd_report_columns(run, h->cars, "Cause, deg/g", "", out);
#define VD_ROW(id, key, short_name, words) write_part(h, run, key, short_name, out);
  VD_UNDERSTEER_LIST(VD_ROW)
#undef VD_ROW
  write_part(h, run, NULL, "Rest", out);
  write_part(h, run, NULL, "Understeer gradient", out);
  vd_buf_puts(out, "</tbody></table></div>\n");
}

/* --- estimates --- */

/* Lists keys of the car, without the "vehicle." with which they begin. */
static void write_keys(const vd_buf *lines, vd_buf *out) {
  static const char all[] = "vehicle.";
  for (const char *line = lines->text; *line;) {
    size_t length = strcspn(line, "\n"), from = strncmp(line, all, sizeof all - 1) == 0 ? sizeof all - 1 : 0;
    vd_buf key = {0};
    vd_buf_add(&key, line + from, length - from);
    vd_buf_puts(out, "<li>");
    vd_report_word(key.text, out);
    vd_buf_puts(out, "</li>\n");
    vd_buf_finish(&key);
    line += length + (line[length] == '\n');
  }
}

static void write_estimates(const vd_handling *h, vd_buf *out) {
  vd_buf_puts(out, "<h2 id=\"estimates\">Estimates</h2>\n");
  for (size_t c = 0; c < h->cars; c++) {
    const vd_report_run *r = vd_handling_of_car(h, c);
    size_t count = 0;
    for (const char *at = r ? r->estimates.text : NULL; at && (at = strchr(at, '\n')); at++)
      count++;
    vd_buf_puts(out, "<p>");
    if (h->cars > 1) {
      vd_buf_puts(out, "<b>");
      vd_html_text(out, vd_handling_car(h, c));
      vd_buf_puts(out, "</b>: ");
    }
    if (count == 0)
      vd_buf_puts(out, r ? "its file marks no value as an estimate.</p>\n" : "could not be read.</p>\n");
    else {
      vd_buf_printf(out, "%zu values are estimates by rules of thumb, not data of this car.</p>\n<ul class=\"keys\">",
                    count);
      write_keys(&r->estimates, out);
      vd_buf_puts(out, "</ul>\n");
    }
  }
}

/* --- each manoeuvre --- */

static void write_named_lines(const vd_handling *h, size_t c, const vd_buf *lines, const char *class, vd_buf *out) {
  if (lines->length == 0)
    return;
  vd_buf_printf(out, "<div class=\"%s\">", class);
  if (h->cars > 1) {
    vd_buf_puts(out, "<p><b>");
    vd_html_text(out, vd_handling_car(h, c));
    vd_buf_puts(out, "</b></p>");
  }
  vd_report_lines(lines, "<p>", "</p>", out);
  vd_buf_puts(out, "</div>\n");
}

static void add_misses(const vd_report_run *r, vd_buf *out) {
  for (size_t i = 0; i < r->conditions; i++) {
    const vd_metric *m = vd_report_metric(r, r->condition[i].metric);
    if (r->condition[i].missed)
      vd_buf_printf(out, "%s: %s\n", r->condition[i].metric, m && *m->reason ? m->reason : "no value");
  }
}

static void write_manoeuvre(const vd_handling *h, size_t m, vd_buf *out) {
  const vd_report_run *run = runs_of(h, m);
  vd_buf_printf(out, "<section class=\"manoeuvre\">\n<h2 id=\"m%zu\">", m + 1);
  vd_html_text(out, vd_handling_title(h, m));
  vd_buf_puts(out, "</h2>\n");
  bool any = false;
  for (size_t c = 0; c < h->cars; c++) {
    vd_buf misses = {0};
    add_misses(&run[c], &misses);
    write_named_lines(h, c, &misses, "warn", out);
    write_named_lines(h, c, &run[c].warnings, "warn", out);
    write_named_lines(h, c, &run[c].remarks, "fitted", out);
    vd_buf_finish(&misses);
    any |= run[c].history.count > 0;
  }
  if (any) {
    vd_report_pictures(run, h->cars, NULL, out);
    vd_report_metrics(run, h->cars, out);
  } else {
    vd_buf_puts(out, "<p>It was not driven.</p>\n");
  }
  vd_buf_puts(out, "</section>\n");
}

/* --- the page --- */

static void write_differences(const vd_handling *h, vd_buf *out) {
  if (h->cars < 2)
    return;
  vd_buf_printf(out,
                "<h2 id=\"keys\">By which the cars differ</h2>\n<p class=\"meta\">%zu keys of their files, with "
                "defaults and values that are computed from other keys.</p>\n",
                h->keys);
  if (h->keys > 0)
    vd_report_keys(runs_of(h, 0), h->cars, h->key, h->keys, out);
}

static void write_style(vd_buf *out) {
  vd_viewer_style(out);
  vd_buf_puts(out, "<style>\n.keys{columns:14rem;font-size:.86rem;padding-left:1.1rem;margin:.3rem 0}"
                   ".fitted{border-left:4px solid var(--line);padding:.1rem .8rem;margin:.6rem 0;color:var(--soft);"
                   "font-size:.875rem}.fitted p{margin:.15rem 0}\n"
                   "@media print{details:not([open]){display:none}nav{display:none}}\n"
                   "</style>\n");
}

void vd_handling_page(const vd_handling *h, vd_buf *out) {
  vd_buf heading = {0};
  write_heading(h, &heading);
  vd_html_begin(out, "run", h->programme.title);
  write_style(out);
  vd_buf_printf(out, "<h1>%s</h1>\n", heading.text);
  vd_buf_finish(&heading);
  write_meta(h, out);
  vd_buf_puts(out, "<nav><a href=\"#summary\">Summary</a><a href=\"#manoeuvres\">Manoeuvres</a>"
                   "<a href=\"#estimates\">Estimates</a></nav>\n");
  write_summary(h, out);
  write_manoeuvres(h, out);
  write_budget(h, out);
  write_estimates(h, out);
  for (size_t m = 0; m < manoeuvres_of(h); m++)
    write_manoeuvre(h, m, out);
  write_differences(h, out);
  vd_html_end(out);
}
