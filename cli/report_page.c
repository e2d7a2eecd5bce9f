/* The page of a report: what was run, the viewer, pictures, metrics, warnings and the provenance. */
#include "report.h"

#include "base/elementary.h"
#include "html.h"
#include "viewer.h"

#include <math.h>
#include <string.h>

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};

static const char *title_of(const vd_report_run *r) {
  return r->title && *r->title ? r->title : r->scenario;
}

/* --- the viewer --- */

static void write_runs(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<ul class=\"runs\">\n");
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, "<li><label>");
    if (count > 1)
      vd_buf_printf(out, "<input type=\"radio\" name=\"lead\" data-lead=\"%zu\"%s> ", i, i == 0 ? " checked" : "");
    vd_buf_printf(out, "<span class=\"swatch\" style=\"background:%s\"></span>", colours[i % VD_COUNT(colours)]);
    if (count > 1)
      vd_buf_printf(out, "run %zu: ", i + 1);
    vd_html_text(out, title_of(&run[i]));
    vd_buf_puts(out, "</label> <span class=\"soft\">");
    vd_html_text(out, run[i].car && *run[i].car ? run[i].car : "unnamed car");
    if (run[i].car != run[i].level)
      vd_buf_printf(out, ", %s", run[i].level);
    vd_buf_printf(out, ", %.4g s</span></li>\n", run[i].report.end_time);
  }
  vd_buf_puts(out,
              "</ul>\n<p class=\"more screenonly\">Drag to turn, pinch or scroll to come closer. Wheel: press again "
              "for the next one. Arrows are the forces of the ground on the wheels; the body is a box of the car's "
              "length and width. The space bar plays, the arrow keys step.</p>\n");
}

/* --- words and numbers --- */

/* Writes each line as an element of its own, because HTML shows a line end as a blank. */
static void write_lines(const vd_buf *lines, const char *before, const char *after, vd_buf *out) {
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

static void write_warnings(const vd_report_run *run, size_t count, vd_buf *out) {
  for (size_t i = 0; i < count; i++) {
    if (run[i].warnings.length == 0)
      continue;
    vd_buf_puts(out, "<div class=\"warn\">");
    write_lines(&run[i].warnings, "<p>", "</p>", out);
    vd_buf_puts(out, "</div>\n");
  }
}

/* Writes the value also in the unit that engineers commonly use, if that is another one. */
static void write_customary(double value, const char *unit, vd_buf *out) {
  static const struct {
    const char *unit, *shown;
    double factor;
  } table[] = {{"rad", "deg", 180.0 / VD_PI},
               {"rad/s", "deg/s", 180.0 / VD_PI},
               {"m/s", "km/h", 3.6},
               {"m/s2", "g", 1.0 / VD_GRAVITY},
               {"rad/s2", "deg/s2", 180.0 / VD_PI}};
  for (size_t i = 0; i < VD_COUNT(table); i++)
    if (strcmp(table[i].unit, unit) == 0 && isfinite(value)) {
      vd_buf_puts(out, "<br><span class=\"soft\">");
      vd_html_quantity(out, table[i].factor * value, 0.0, table[i].shown);
      vd_buf_puts(out, "</span>");
    }
}

static void write_value(const vd_metric *m, vd_buf *out) {
  vd_buf_puts(out, "<td class=\"n\">");
  if (m) {
    vd_html_quantity(out, m->value, fabs(m->value) * 1e-3, m->unit);
    write_customary(m->value, m->unit, out);
  }
  vd_buf_puts(out, "</td>");
}

static void write_metrics(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<h2 id=\"metrics\">Metrics</h2>\n");
  if (run[0].metrics.count == 0) {
    vd_buf_puts(out, "<p>A run that ended early has none.</p>\n");
    return;
  }
  vd_buf_puts(out, "<p class=\"meta\">");
  bool first = true;
  for (size_t i = 0; i < run[0].sets; i++) {
    const vd_metric_set *set = run[0].set[i];
    if (!set || !set->standard)
      continue;
    vd_buf_puts(out, first ? "By " : ", ");
    vd_html_text(out, set->standard);
    first = false;
  }
  vd_buf_puts(out, first ? "</p>\n" : ".</p>\n");
  vd_buf_puts(out, "<div class=\"tablebox\"><table class=\"metrics\"><thead><tr><th>Metric</th>");
  for (size_t k = 0; k < count; k++) {
    vd_buf_puts(out, "<th class=\"n\">");
    vd_html_text(out, count == 1 ? "Value" : title_of(&run[k]));
    vd_buf_puts(out, "</th>");
  }
  vd_buf_puts(out, "<th>Definition</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < run[0].metrics.count; i++) {
    const vd_metric *m = &run[0].metrics.metric[i];
    vd_buf_puts(out, "<tr><td>");
    vd_html_text(out, m->name);
    vd_buf_puts(out, "</td>");
    for (size_t k = 0; k < count; k++)
      write_value(vd_metric_called(&run[k].metrics, m->name), out);
    vd_buf_puts(out, "<td>");
    vd_html_text(out, m->definition);
    if (*m->reason) {
      vd_buf_puts(out, " <em>");
      vd_html_text(out, m->reason);
      vd_buf_puts(out, "</em>");
    }
    vd_buf_puts(out, "</td></tr>\n");
  }
  vd_buf_puts(out, "</tbody></table></div>\n");
}

static void write_origin(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<h2>Provenance</h2>\n");
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, "<pre>");
    vd_html_lines(out, run[i].provenance.text);
    vd_buf_puts(out, "</pre>\n<details><summary>The complete scenario, with all files, defaults and settings</summary>"
                     "<pre>");
    vd_html_lines(out, run[i].resolved.text);
    vd_buf_puts(out, "</pre></details>\n");
  }
}

/* The page of a scenario without a motion. */
static void write_still(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_html_begin(out, "run", title_of(&run[0]));
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, title_of(&run[0]));
  vd_buf_puts(out, "</h1>\n<p class=\"meta\">");
  vd_html_text(out, run[0].car);
  if (run[0].level != run[0].car) {
    vd_buf_puts(out, ", ");
    vd_html_text(out, run[0].level);
  }
  vd_buf_puts(out, "</p>\n");
  write_warnings(run, count, out);
  vd_buf_puts(out, "<div class=\"pictures\">\n");
  vd_buf_puts(out, run[0].drawn.text ? run[0].drawn.text : "");
  vd_buf_puts(out, "</div>\n");
  write_metrics(run, count, out);
  write_origin(run, count, out);
  vd_html_end(out);
}

void vd_report_page(const vd_report_run *run, size_t count, vd_buf *out) {
  static const vd_viewer_view views[] = {
      {"outside", "Outside"}, {"above", "Above"}, {"driver", "Driver"}, {"wheel", "Wheel"}};
  if (run[0].frame.count == 0) {
    write_still(run, count, out);
    return;
  }
  vd_html_begin(out, "run", title_of(&run[0]));
  vd_viewer_style(out);
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, title_of(&run[0]));
  vd_buf_puts(out, "</h1>\n");
  write_warnings(run, count, out);
  vd_viewer_controls(views, VD_COUNT(views), true, out);
  write_runs(run, count, out);
  vd_buf_puts(out, "<h2>Over time</h2>\n<div class=\"pictures\">\n");
  vd_report_histories(run, count, out);
  vd_buf_puts(out, "</div>\n<h2>Pictures</h2>\n<div class=\"pictures\">\n");
  vd_report_pictures(run, count, out);
  vd_buf_puts(out, "</div>\n");
  write_metrics(run, count, out);
  write_origin(run, count, out);
  vd_viewer_scene_begin(out);
  vd_report_scene(run, count, out);
  vd_viewer_scene_end(out);
  vd_html_end(out);
}
