/* The page of vdsim-kc-sweep --report: the linkage in a viewer, and panels of its curves. */
#include "kc_report.h"

#include "html.h"
#include "rods.h"
#include "tool.h"
#include "viewer.h"

#include "base/memory.h"
#include "kc/kc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void vd_kc_say(const char *path, const char *severity, const vd_buf *messages) {
  for (const char *p = messages->text; p && *p; p += strspn(p, "\n")) {
    int length = (int)strcspn(p, "\n");
    fprintf(stderr, "%s: %s: %.*s\n", vd_tool_input_name(path), severity, length, p);
    p += length;
  }
}

/* --- curves --- */

/* Parses the CSV of a sweep into numbers; fields that are text are skipped. */
static void take_rows(vd_kc_data *d) {
  char nothing[] = "", *line = d->text.text ? d->text.text : nothing, *next;
  size_t room = 0;
  for (bool header = true; line && *line; line = next, header = false) {
    size_t column = 0;
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    if (!header && d->rows == room) {
      room = 2 * room + 64;
      d->sweep = vd_reallocate(d->sweep, room, sizeof *d->sweep);
      d->value = vd_reallocate(d->value, room * d->columns, sizeof *d->value);
    }
    for (char *field = line, *comma; field; field = comma, column++) {
      comma = strchr(field, ',');
      if (comma)
        *comma++ = '\0';
      if (header)
        d->name[d->columns++] = field;
      else if (column < d->columns)
        d->value[d->rows * d->columns + column] = *field ? strtod(field, NULL) : NAN;
    }
    for (int i = 0; !header && i < VD_KC_SWEEPS; i++)
      if (strcmp(line, vd_kc_sweep_names[i]) == 0)
        d->sweep[d->rows] = i;
    d->rows += !header;
  }
}

/* Reverses ranges that fall: the curves and the slider of a page go from the lowest to the highest value. */
static vd_kc_plan ascending(vd_kc_plan plan) {
  for (int i = 0; i < VD_KC_SWEEPS; i++) {
    const vd_kc_range r = plan.range[i];
    if (r.points > 1 && r.from > r.to)
      plan.range[i] = (vd_kc_range){r.to, r.from, r.points};
  }
  return plan;
}

/* Runs a sweep. Points that cannot be reached are left out, with a message. */
static bool sweep(const vd_corner *corner, vd_kc_plan plan, enum vd_axle_motion motion, vd_kc_data *out) {
  vd_kc_report report;
  plan.partial = true;
  plan.side = VD_KC_LEFT;
  plan.motion = motion;
  memset(plan.unwanted, 0, sizeof plan.unwanted);
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    plan.sweep[i] &= i != VD_KC_GRID && (motion == VD_PARALLEL || i == VD_KC_TRAVEL);
  bool done = vd_kc_sweep_write(corner, &plan, &out->text, &report) || report.missing > 0;
  out->messages = report.messages;
  vd_kc_remark(&report, &out->remark);
  if (done)
    take_rows(out);
  return done;
}

static void free_sweep(vd_kc_data *d) {
  vd_buf_finish(&d->text);
  vd_buf_finish(&d->messages);
  vd_buf_finish(&d->remark);
  free(d->sweep);
  free(d->value);
}

/* --- the linkage over travel --- */

/* Stores the linkage at a pose. On an axle with both wheels on one body, the right wheel is a point of the same body.
 * Directions point to the left. */
static void keep_frame(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double travel,
                       vd_kc_frame *f) {
  const double *centre = l->points.wheel_center, *axle = l->spin_axis;
  vd_kc_state s;
  vd_kc_state_at(corner, l, pose, &s);
  *f = (vd_kc_frame){.travel = travel, .wheels = l->axle ? 2 : 1, .contact = {s.patch_x.v, s.patch_y.v, s.patch_z.v}};
  f->rods = vd_rods_of(l, pose, f->rod);
  for (int w = 0; w < f->wheels; w++) {
    const double side = w == 0 ? 1.0 : -1.0;
    const double at[3] = {centre[0], side * centre[1], centre[2]};
    const double along[3] = {side * axle[0], axle[1], side * axle[2]};
    vd_jet3_value(vd_pose_point(l, pose, at), f->centre[w]);
    vd_jet3_value(vd_pose_direction(pose, along), f->axle[w]);
  }
}

/* Moves the linkage from the design position towards both ends of the range, as far as the linkage can go. The range
 * may lie on one side of the design position. */
static void move(const vd_corner *corner, vd_kc_page *p) {
  const vd_kc_range *range = &p->plan.range[VD_KC_TRAVEL];
  vd_linkage l;
  vd_pose pose;
  size_t below = 0;
  p->frame = vd_allocate((size_t)range->points + 1, sizeof *p->frame);
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return;
  vd_kc_frame *down = vd_allocate((size_t)range->points + 1, sizeof *down);
  vd_linkage_start(&l, &pose);
  keep_frame(corner, &l, &pose, 0.0, &p->design);
  for (int direction = -1; direction <= 1; direction += 2) {
    vd_linkage_start(&l, &pose);
    for (int n = 0; n < range->points; n++) {
      double travel = vd_kc_value(range, direction < 0 ? range->points - 1 - n : n);
      if (direction < 0 ? travel >= 0.0 : travel < 0.0)
        continue;
      const double u[VD_INPUTS] = {travel, l.axle || l.beam ? travel : 0.0};
      if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK)
        break;
      keep_frame(corner, &l, &pose, travel, direction < 0 ? &down[below++] : &p->frame[p->frames++]);
    }
    for (size_t i = 0; direction < 0 && i < below; i++)
      p->frame[p->frames++] = down[below - 1 - i];
  }
  free(down);
}

/* --- the scene --- */

static void write_numbers(const vd_kc_page *p, size_t offset, double origin, double factor, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < p->frames; i++)
    vd_buf_printf(out, "%s%.6g", i > 0 ? "," : "",
                  factor * (*(const double *)((const char *)&p->frame[i] + offset) - origin));
  vd_buf_puts(out, "]");
}

static void write_triple(const vd_kc_page *p, size_t offset, const double *origin, bool mirror, vd_buf *out) {
  for (size_t j = 0; j < 3; j++) {
    bool turned = mirror && j == 1;
    write_numbers(p, offset + j * sizeof(double), turned ? 0.0 : origin[j], turned ? -1.0 : 1.0, out);
    vd_buf_puts(out, ",");
  }
}

static void end_list(vd_buf *out) {
  out->text[--out->length] = '\0'; /* the last comma */
  vd_buf_puts(out, "]");
}

/* Writes both wheels; the right wheel of a corner is the mirror image. The middle of the car is the body's origin. */
static void write_scene(const vd_kc_page *p, vd_buf *out) {
  static const double none[3];
  const vd_kc_frame *design = &p->design;
  const double origin[3] = {design->centre[0][0], 0.0, design->centre[0][2]};
  bool mirrored = design->wheels == 1;
  size_t sides = mirrored ? 2 : 1;
  double track = 2.0 * fabs(design->centre[0][1]), radius = p->corner->points.static_radius;
  vd_buf_printf(
      out,
      "{\"bare\":true,\"name\":\"travel\",\"unit\":\"mm\",\"pace\":40,\"runs\":[{\"box\":[%.4g,%.4g,%.4g,0,0],"
      "\"seat\":[0,0,0],\"weight\":1,\"radius\":[%.6g,%.6g],\"half\":[0.09,0.09],\"t\":[",
      0.7 * track, 0.7 * track, track, radius, radius);
  write_numbers(p, offsetof(vd_kc_frame, travel), 0.0, 1e3, out);
  vd_buf_puts(out, "],\"place\":[");
  for (int j = 0; j < 3; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":%.6g}", j > 0 ? "," : "", p->frames, origin[j]);
  vd_buf_puts(out, "],\"turn\":[");
  for (int j = 0; j < 4; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":%d}", j > 0 ? "," : "", p->frames, j == 0);
  vd_buf_puts(out, "],\"wheel\":[");
  for (size_t w = 0; w < 2; w++)
    write_triple(p, offsetof(vd_kc_frame, centre) + (mirrored ? 0 : w) * sizeof design->centre[0], none,
                 mirrored && w == 1, out);
  end_list(out);
  /* the mirror image of a direction to the left points to the right, so its sign is changed */
  vd_buf_puts(out, ",\"axle\":[");
  for (size_t w = 0; w < 2; w++)
    for (size_t j = 0; j < 3; j++) {
      write_numbers(p, offsetof(vd_kc_frame, axle) + (mirrored ? 0 : w) * sizeof design->axle[0] + j * sizeof(double),
                    0.0, mirrored && w == 1 && j != 1 ? -1.0 : 1.0, out);
      vd_buf_puts(out, ",");
    }
  end_list(out);
  vd_buf_puts(out, ",\"contact\":[");
  for (size_t w = 0; w < 2; w++)
    write_triple(p, offsetof(vd_kc_frame, contact), none, w == 1, out);
  end_list(out);
  vd_buf_printf(out, ",\"rolled\":[{\"n\":%zu,\"c\":0},{\"n\":%zu,\"c\":0}],\"force\":[", p->frames, p->frames);
  for (int j = 0; j < 6; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":0}", j > 0 ? "," : "", p->frames);
  vd_buf_puts(out, "],\"rods\":[");
  for (size_t side = 0; side < sides; side++)
    for (size_t i = 0; i < 2 * design->rods; i++)
      write_triple(p, offsetof(vd_kc_frame, rod) + 3 * i * sizeof(double), origin, side == 1, out);
  end_list(out);
  vd_buf_puts(out, ",\"rodWheel\":[");
  for (size_t side = 0; side < sides; side++)
    for (size_t i = 0; i < design->rods; i++)
      vd_buf_printf(out, "%zu,", mirrored ? side : design->rod[i][4] < 0.0 ? 1u : 0u);
  end_list(out);
  vd_buf_printf(out, "}],\"ground\":{\"plane\":[0,0,%.6g],\"mu\":1}}", design->contact[2]);
}

/* --- the page --- */

static void write_lines(const vd_buf *lines, const char *what, vd_buf *out) {
  for (const char *line = lines->text; line && *line; line += strspn(line, "\n")) {
    size_t length = strcspn(line, "\n");
    vd_buf one = {0};
    vd_buf_printf(&one, "%s%.*s", what, (int)length, line);
    vd_buf_puts(out, "<p>");
    vd_html_text(out, one.text);
    vd_buf_puts(out, "</p>");
    vd_buf_finish(&one);
    line += length;
  }
}

static void write_warnings(const vd_kc_page *p, vd_buf *out) {
  const vd_kc_reference *r = &p->reference;
  vd_buf all = {0};
  write_lines(&p->parallel.remark, "", &all);
  write_lines(&p->parallel.messages, "", &all);
  write_lines(&p->opposite.messages, "in roll: ", &all);
  write_lines(&r->parallel.messages, "reference: ", &all);
  write_lines(&r->opposite.messages, "reference in roll: ", &all);
  if (all.length > 0)
    vd_buf_printf(out, "<div class=\"warn\">%s</div>\n", all.text);
  vd_buf_finish(&all);
}

static void write_figures(const vd_kc_page *p, vd_buf *out) {
  vd_kc_metrics *m = vd_allocate(1, sizeof *m);
  vd_kc_report report;
  if (vd_kc_metrics_of(p->corner, &p->settings->plan, m, &report)) {
    vd_buf_puts(out, "<h2 id=\"metrics\">Figures at the design position</h2>\n<div class=\"tablebox\"><table "
                     "class=\"metrics\"><thead><tr><th>Metric</th><th class=\"n\">Value</th><th></th></tr></thead>\n"
                     "<tbody>\n");
    for (size_t i = 0; i < m->count; i++) {
      const vd_kc_figure_info *f = &vd_kc_figures[m->metric[i].figure];
      vd_buf_printf(out, "<tr><td>%s</td><td class=\"n\">", f->name);
      vd_html_quantity(out, m->metric[i].value, fabs(m->metric[i].value) * 1e-3, f->unit);
      vd_buf_puts(out, "</td><td>");
      vd_html_text(out, m->metric[i].reason);
      vd_buf_puts(out, "</td></tr>\n");
    }
    vd_buf_puts(out, "</tbody></table></div>\n");
  }
  vd_buf_finish(&report.messages);
  free(m);
}

static void write_head(const vd_kc_page *p, vd_buf *out) {
  const vd_corner *c = p->corner;
  const char *name = *c->name ? c->name : vd_tool_input_name(p->settings->path);
  vd_html_begin(out, "kc-sweep", name);
  vd_viewer_style(out);
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, name);
  vd_buf_printf(out, "</h1>\n<p class=\"meta\">%s, %s axle, left wheel; ", vd_linkage_type_names[c->points.type],
                c->rear ? "rear" : "front");
  vd_html_text(out, vd_tool_input_name(p->settings->path));
  if (p->reference.path) {
    vd_buf_puts(out, "; reference: ");
    vd_html_text(out, vd_tool_input_name(p->reference.path));
    vd_buf_printf(out, ", band %g %% or %g%s", 100.0 * p->reference.tolerance.relative, p->reference.tolerance.absolute,
                  p->reference.side.compliance ? "; forces without vertical load, as on its rig" : "");
  }
  vd_buf_puts(out, "</p>\n");
}

static void write_page(const vd_kc_page *p, vd_buf *out) {
  static const vd_viewer_view views[] = {
      {"outside", "Outside"}, {"front", "Front"}, {"side", "Side"}, {"above", "Above"}};
  write_head(p, out);
  write_warnings(p, out);
  if (p->frames > 0) {
    vd_viewer_controls(views, VD_COUNT(views), false, out);
    vd_buf_puts(out,
                "<p class=\"more screenonly\">Drag to turn, pinch or scroll to come closer. The slider is the travel "
                "of both wheels, the space bar plays, the arrow keys step.</p>\n"
                "<h2>The linkage in three views</h2>\n<div class=\"pictures\">\n");
    vd_kc_views(p, out);
    vd_buf_puts(out, "</div>\n");
  }
  vd_kc_sheets(p, out);
  write_figures(p, out);
  vd_buf_puts(out, "<h2>Provenance</h2>\n<p>vdsim-kc-sweep " VDSIM_VERSION "</p>\n<details><summary>The complete "
                   "suspension, with all defaults and settings</summary><pre>");
  vd_html_lines(out, p->resolved);
  vd_buf_puts(out, "</pre></details>\n");
  if (p->frames > 0) {
    vd_viewer_scene_begin(out);
    write_scene(p, out);
    vd_viewer_scene_end(out);
  }
  vd_html_end(out);
}

/* Reads the suspension or the table with which the page is compared. If it is a rig's table of compliance, which was
 * measured without vertical load, the sweeps of forces are computed without vertical load, too. */
static bool read_reference(vd_kc_page *p, vd_arena *arena, vd_diag *d) {
  vd_xcheck_input in = {.path = p->reference.path};
  enum vd_xcheck_format format = VD_FORMAT_UNSTATED;
  vd_buf remark = {0};
  if (!in.path)
    return true;
  bool good = vd_xcheck_read(&in, arena, d, &p->reference.side, &format, &remark);
  vd_tool_print_messages(d);
  vd_buf_finish(&remark);
  if (good && p->reference.side.compliance)
    p->plan.load.fz = 0.0;
  return good;
}

/* Sweeps a reference that is a suspension, with the same plan. A reference that is a table is drawn in the panels for
 * which it has columns. */
static bool sweep_reference(vd_kc_page *p) {
  vd_kc_reference *r = &p->reference;
  vd_kc_plan design = p->plan;
  if (!r->path)
    return true;
  if (r->side.corner)
    return sweep(r->side.corner, p->plan, VD_PARALLEL, &r->parallel) &&
           sweep(r->side.corner, p->plan, VD_OPPOSITE, &r->opposite);
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    if (r->side.compliance ? i != VD_KC_TRAVEL && i != VD_KC_RACK && i != VD_KC_FZ
                           : i == VD_KC_TRAVEL || i == VD_KC_RACK)
      design.range[i] = (vd_kc_range){0.0, 0.0, 1};
    else
      design.sweep[i] = false;
  return sweep(p->corner, design, VD_PARALLEL, &r->datum) &&
         (!r->side.compliance || r->datum.rows > 0 ||
          vd_tool_error("'%s' is a table of compliance, and '%s' is rigid", r->path, p->corner->name));
}

int vd_kc_report_page(const vd_kc_sweep_settings *s, const vd_corner *corner, const char *resolved, vd_arena *arena,
                      vd_diag *d) {
  vd_kc_page p = {.corner = corner,
                  .settings = s,
                  .plan = ascending(s->plan),
                  .resolved = resolved,
                  .reference = {.path = s->reference, .tolerance = s->tolerance}};
  int status = VD_EXIT_TROUBLE;
  bool read = read_reference(&p, arena, d);
  if (read && !(sweep(corner, p.plan, VD_PARALLEL, &p.parallel) && sweep(corner, p.plan, VD_OPPOSITE, &p.opposite)))
    fprintf(stderr, "%s: error: %s\n", vd_tool_input_name(s->path),
            p.opposite.messages.length > 0 ? p.opposite.messages.text : p.parallel.messages.text);
  else if (read && sweep_reference(&p)) {
    vd_buf page = {0};
    move(corner, &p);
    write_page(&p, &page);
    status = vd_tool_write_text(s->report, VD_REPLACES_OURS, page.text, page.length);
    if (!s->quiet)
      vd_kc_say(s->path, "warning", &p.parallel.remark);
    vd_kc_say(s->path, "warning", &p.parallel.messages);
    vd_kc_say(s->path, "warning: in roll", &p.opposite.messages);
    if (status == VD_EXIT_YES && p.parallel.messages.length + p.opposite.messages.length > 0)
      status = VD_EXIT_NO;
    vd_buf_finish(&page);
  }
  free_sweep(&p.parallel);
  free_sweep(&p.opposite);
  free_sweep(&p.reference.parallel);
  free_sweep(&p.reference.opposite);
  free_sweep(&p.reference.datum);
  free(p.frame);
  return status;
}
