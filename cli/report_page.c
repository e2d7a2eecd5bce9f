/* The page of a report: the scenarios, the viewer, pictures, metrics, warnings and the provenance. */
#include "report.h"

#include "html.h"
#include "viewer.h"

#include <string.h>

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};

static const char *title_of(const vd_report_run *r) {
  return r->title && *r->title ? r->title : r->scenario;
}

/* Writes the name that a run has among those of its manoeuvre, and its title. */
static void write_name(const vd_report_run *r, vd_buf *out) {
  bool both = r->name && strcmp(r->name, title_of(r)) != 0;
  if (both) {
    vd_html_text(out, r->name);
    vd_buf_puts(out, ": ");
  }
  vd_html_text(out, title_of(r));
}

/* --- the viewer --- */

static void write_runs(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<ul class=\"runs\">\n");
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, "<li><label>");
    if (count > 1)
      vd_buf_printf(out, "<input type=\"radio\" name=\"lead\" data-lead=\"%zu\"%s> ", i, i == 0 ? " checked" : "");
    vd_buf_printf(out, "<span class=\"swatch\" style=\"background:%s\"></span>", colours[i % VD_COUNT(colours)]);
    write_name(&run[i], out);
    vd_buf_puts(out, "</label> <span class=\"soft\">");
    vd_html_text(out, run[i].car && *run[i].car ? run[i].car : "unnamed car");
    if (run[i].car != run[i].level)
      vd_buf_printf(out, ", %s", run[i].level);
    vd_buf_printf(out, ", %.4g s</span></li>\n", run[i].report.end_time);
  }
  vd_buf_puts(out,
              "</ul>\n<p class=\"more screenonly\">Drag to turn, pinch or scroll to come closer. Press Wheel again "
              "for the next wheel. Arrows are the forces of the ground on the wheels; the body is a box of the car's "
              "length and width. The space bar plays, the arrow keys step.</p>\n");
}

static void write_warnings(const vd_report_run *run, size_t count, vd_buf *out) {
  for (size_t i = 0; i < count; i++) {
    if (run[i].warnings.length == 0)
      continue;
    vd_buf_puts(out, "<div class=\"warn\">");
    if (count > 1) {
      vd_buf_puts(out, "<p><b>");
      write_name(&run[i], out);
      vd_buf_puts(out, "</b></p>");
    }
    vd_report_lines(&run[i].warnings, "<p>", "</p>", out);
    vd_buf_puts(out, "</div>\n");
  }
}

static void write_origin(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "<h2>Provenance</h2>\n");
  for (size_t i = 0; i < count; i++) {
    if (count > 1) {
      vd_buf_puts(out, "<h3 class=\"list\">");
      write_name(&run[i], out);
      vd_buf_puts(out, "</h3>\n");
    }
    vd_buf_puts(out, "<pre>");
    vd_html_lines(out, run[i].provenance.text);
    vd_buf_puts(out, "</pre>\n<details><summary>The complete scenario, with all files, defaults and settings</summary>"
                     "<pre>");
    vd_html_lines(out, run[i].resolved.text);
    vd_buf_puts(out, "</pre></details>\n");
  }
}

/* Writes the pictures and metrics of runs of one manoeuvre. among: the page has several manoeuvres, so that a title
 * precedes them. */
static void write_manoeuvre(const vd_report_run *run, size_t count, bool among, vd_buf *out) {
  const char *h = among ? "h3 class=\"list\"" : "h2", *end = among ? "h3" : "h2";
  if (among) {
    vd_buf_puts(out, "<h2>");
    vd_html_text(out, title_of(run));
    vd_buf_puts(out, "</h2>\n");
  }
  vd_report_pictures(run, count, h, out);
  vd_buf_printf(out, "<%s%s>Metrics</%s>\n", h, among ? "" : " id=\"metrics\"", end);
  vd_report_metrics(run, count, out);
  if (count > 1) {
    vd_arena *arena = vd_arena_create();
    vd_report_key *key;
    size_t keys = vd_report_differences(run, count, NULL, arena, &key);
    vd_buf_printf(out, "<%s>Keys that differ</%s>\n", h, end);
    if (keys > 0)
      vd_report_keys(run, count, key, keys, out);
    else
      vd_buf_puts(out, "<p>None: these runs are the same.</p>\n");
    vd_arena_destroy(arena);
  }
}

/* Writes the heading: the title of the runs, or their number if they have different titles. */
static void write_heading(const vd_report_run *run, size_t count, vd_buf *out) {
  bool same = true;
  for (size_t i = 1; i < count; i++)
    same &= strcmp(title_of(&run[i]), title_of(run)) == 0;
  if (same)
    vd_html_text(out, title_of(run));
  else
    vd_buf_printf(out, "%zu runs", count);
}

/* Writes the page of a scenario without a motion. */
static void write_still(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_html_begin(out, "run", title_of(&run[0]));
  vd_viewer_style(out);
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
  vd_report_kind_pictures(run, out);
  vd_buf_puts(out, "<h2 id=\"metrics\">Metrics</h2>\n");
  vd_report_metrics(run, count, out);
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
  vd_buf heading = {0};
  write_heading(run, count, &heading);
  vd_html_begin(out, "run", count > 1 ? "Runs side by side" : title_of(run));
  vd_viewer_style(out);
  vd_buf_printf(out, "<h1>%s</h1>\n", heading.text);
  vd_buf_finish(&heading);
  write_warnings(run, count, out);
  vd_viewer_controls(views, VD_COUNT(views), NULL, 0, true, out);
  write_runs(run, count, out);
  for (size_t i = 0, n; i < count; i += n) {
    n = vd_report_group(&run[i], count - i);
    write_manoeuvre(&run[i], n, n < count, out);
  }
  write_origin(run, count, out);
  vd_viewer_scene_begin(out);
  vd_report_scene(run, count, out);
  vd_viewer_scene_end(out);
  vd_html_end(out);
}
