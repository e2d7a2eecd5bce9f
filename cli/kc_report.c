/* The page of vdsim-kc-sweep --report: the linkage in a viewer, and panels of its curves. */
#include "kc_report.h"

#include "html.h"
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

/* --- the linkage over travel and rack --- */

/* Stores the linkage at a pose. On an axle with both wheels on one body, the right wheel is a point of the same body.
 * Directions point to the left. */
static void keep_frame(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double value,
                       vd_kc_frame *f) {
  const double *centre = l->points.wheel_center, *axle = l->spin_axis;
  vd_kc_state s;
  vd_kc_state_at(corner, l, pose, &s);
  *f = (vd_kc_frame){.at = value, .wheels = l->axle ? 2 : 1, .contact = {s.patch_x.v, s.patch_y.v, s.patch_z.v}};
  f->rods = vd_rods_of(l, pose, f->rod);
  f->rods += vd_elements_of(l, pose, &f->rod[f->rods], &f->kind[f->rods]);
  for (int w = 0; w < f->wheels; w++) {
    const double side = w == 0 ? 1.0 : -1.0;
    const double at[3] = {centre[0], side * centre[1], centre[2]};
    const double along[3] = {side * axle[0], axle[1], side * axle[2]};
    vd_jet3_value(vd_pose_point(l, pose, at), f->centre[w]);
    vd_jet3_value(vd_pose_direction(pose, along), f->axle[w]);
  }
}

/* Moves both wheels to a value of a motion: the right wheel as the mirror image of a left wheel with the opposite
 * displacement of the rack. False if they cannot reach it. */
static bool reach(const vd_corner *corner, const vd_linkage *l, const vd_kc_poses *m, double value, vd_pose pose[2],
                  vd_kc_frame out[2]) {
  const bool rack = m->sweep == VD_KC_RACK;
  for (int side = 0; side < 2; side++) {
    const double u[VD_INPUTS] = {rack ? 0.0 : value, rack && side == 1            ? -value
                                                     : rack || l->axle || l->beam ? value
                                                                                  : 0.0};
    if (vd_linkage_move(l, u, &pose[side]) != VD_LINKAGE_OK)
      return false;
    keep_frame(corner, l, &pose[side], value, &out[side]);
  }
  return true;
}

/* Moves the linkage from the design position towards both ends of the range, as far as the linkage can go. The range
 * may lie on one side of the design position. */
static void move(const vd_corner *corner, const vd_linkage *l, const vd_kc_range *range, vd_kc_poses *m) {
  const size_t points = (size_t)range->points;
  size_t below = 0;
  m->frame = vd_allocate(points + 1, sizeof *m->frame);
  for (int direction = -1; direction <= 1; direction += 2) {
    vd_pose pose[2];
    vd_linkage_start(l, &pose[0]);
    vd_linkage_start(l, &pose[1]);
    for (size_t n = 0; n < points; n++) {
      double value = vd_kc_value(range, (int)(direction < 0 ? points - 1 - n : n));
      if (direction < 0 ? value >= 0.0 : value < 0.0)
        continue;
      if (!reach(corner, l, m, value, pose, m->frame[direction < 0 ? points - 1 - below : m->frames]))
        break;
      *(direction < 0 ? &below : &m->frames) += 1;
    }
    memmove(m->frame, m->frame[points - below], direction < 0 ? below * sizeof *m->frame : 0);
    m->frames += direction < 0 ? below : 0;
  }
}

static void move_all(const vd_corner *corner, vd_kc_page *p) {
  vd_linkage l;
  vd_pose pose;
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return;
  vd_linkage_start(&l, &pose);
  keep_frame(corner, &l, &pose, 0.0, &p->design);
  for (int i = 0; i < VD_KC_POSES; i++) {
    vd_kc_poses *m = &p->motion[i];
    m->sweep = i == 0 ? VD_KC_TRAVEL : VD_KC_RACK;
    if (i == 0 || (p->plan.sweep[VD_KC_RACK] && vd_kc_steered(&l) && !l.axle && !l.beam))
      move(corner, &l, &p->plan.range[m->sweep], m);
  }
}

/* --- the scene --- */

static void write_numbers(const vd_kc_poses *m, int side, size_t offset, double origin, double factor, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < m->frames; i++)
    vd_buf_printf(out, "%s%.6g", i > 0 ? "," : "",
                  factor * (*(const double *)((const char *)&m->frame[i][side] + offset) - origin));
  vd_buf_puts(out, "]");
}

/* Writes three coordinates for both wheels. mirror: the right wheel of a corner is the mirror image of the left one. */
static void write_triple(const vd_kc_poses *m, size_t offset, const double *origin, bool mirror, vd_buf *out) {
  for (size_t j = 0; j < 3; j++) {
    bool turned = mirror && j == 1;
    write_numbers(m, mirror, offset + j * sizeof(double), turned ? 0.0 : origin[j], turned ? -1.0 : 1.0, out);
    vd_buf_puts(out, ",");
  }
}

static void end_list(vd_buf *out) {
  out->text[--out->length] = '\0'; /* the last comma */
  vd_buf_puts(out, "]");
}

/* Writes both wheels over a motion. The middle of the car is the body's origin. */
static void write_motion(const vd_kc_page *p, const vd_kc_poses *m, vd_buf *out) {
  static const double none[3];
  const vd_kc_frame *design = &p->design;
  const double origin[3] = {design->centre[0][0], 0.0, design->centre[0][2]};
  bool mirrored = design->wheels == 1;
  size_t sides = mirrored ? 2 : 1;
  double track = 2.0 * fabs(design->centre[0][1]), radius = p->corner->points.static_radius;
  vd_buf_printf(out,
                "{\"name\":\"%s\",\"unit\":\"mm\",\"pace\":40,\"runs\":[{\"box\":[%.4g,%.4g,%.4g,0,0],"
                "\"seat\":[0,0,0],\"weight\":1,\"radius\":[%.6g,%.6g],\"half\":[0.09,0.09],\"t\":[",
                vd_kc_sweep_names[m->sweep], 0.7 * track, 0.7 * track, track, radius, radius);
  write_numbers(m, 0, offsetof(vd_kc_frame, at), 0.0, 1e3, out);
  vd_buf_puts(out, "],\"place\":[");
  for (int j = 0; j < 3; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":%.6g}", j > 0 ? "," : "", m->frames, origin[j]);
  vd_buf_puts(out, "],\"turn\":[");
  for (int j = 0; j < 4; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":%d}", j > 0 ? "," : "", m->frames, j == 0);
  vd_buf_puts(out, "],\"wheel\":[");
  for (size_t w = 0; w < 2; w++)
    write_triple(m, offsetof(vd_kc_frame, centre) + (mirrored ? 0 : w) * sizeof design->centre[0], none,
                 mirrored && w == 1, out);
  end_list(out);
  /* the mirror image of a direction to the left points to the right, so its sign is changed */
  vd_buf_puts(out, ",\"axle\":[");
  for (size_t w = 0; w < 2; w++)
    for (size_t j = 0; j < 3; j++) {
      write_numbers(m, mirrored && w == 1,
                    offsetof(vd_kc_frame, axle) + (mirrored ? 0 : w) * sizeof design->axle[0] + j * sizeof(double), 0.0,
                    mirrored && w == 1 && j != 1 ? -1.0 : 1.0, out);
      vd_buf_puts(out, ",");
    }
  end_list(out);
  vd_buf_puts(out, ",\"contact\":[");
  for (size_t w = 0; w < 2; w++)
    write_triple(m, offsetof(vd_kc_frame, contact), none, w == 1, out);
  end_list(out);
  vd_buf_printf(out, ",\"rolled\":[{\"n\":%zu,\"c\":0},{\"n\":%zu,\"c\":0}],\"force\":[", m->frames, m->frames);
  for (int j = 0; j < 6; j++)
    vd_buf_printf(out, "%s{\"n\":%zu,\"c\":0}", j > 0 ? "," : "", m->frames);
  vd_buf_puts(out, "],\"rods\":[");
  for (size_t side = 0; side < sides; side++)
    for (size_t i = 0; i < 2 * design->rods; i++)
      write_triple(m, offsetof(vd_kc_frame, rod) + 3 * i * sizeof(double), origin, side == 1, out);
  end_list(out);
  vd_buf_puts(out, ",\"rodWheel\":[");
  for (size_t side = 0; side < sides; side++)
    for (size_t i = 0; i < design->rods; i++)
      vd_buf_printf(out, "%zu,", mirrored ? side : design->rod[i][4] < 0.0 ? 1u : 0u);
  end_list(out);
  vd_buf_puts(out, ",\"rodKind\":[");
  for (size_t side = 0; side < sides; side++)
    for (size_t i = 0; i < design->rods; i++)
      vd_buf_printf(out, "%d,", design->kind[i]);
  end_list(out);
  vd_buf_puts(out, "}]}");
}

static void write_scene(const vd_kc_page *p, vd_buf *out) {
  vd_buf_puts(out, "{\"bare\":true,\"motions\":[");
  for (int i = 0; i < VD_KC_POSES; i++)
    if (p->motion[i].frames > 0) {
      write_motion(p, &p->motion[i], out);
      vd_buf_puts(out, ",");
    }
  end_list(out);
  vd_buf_printf(out, ",\"ground\":{\"plane\":[0,0,%.6g],\"mu\":1}}", p->design.contact[2]);
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

/* Replaces rounding errors of zero (below 1e-9 deg, mm, N ...) by zero. */
static double cleaned(double value) {
  return fabs(value) < 1e-9 ? 0.0 : value;
}

/* Begins a cell. On a narrow screen the cells of a row stand below each other, each behind the name of its column. */
static void begin_cell(const char *of, vd_buf *out) {
  vd_buf_puts(out, "<td class=\"n\"");
  if (*of)
    vd_buf_printf(out, " data-of=\"%s\"", of);
  vd_buf_puts(out, ">");
}

static void write_value(double value, const char *unit, const char *of, vd_buf *out) {
  begin_cell(of, out);
  vd_html_quantity(out, cleaned(value), fabs(value) * 1e-2, unit);
  vd_buf_puts(out, "</td>");
}

/* Writes a figure, the same figure of the reference, and the deviation. */
static void write_figure(const vd_kc_metric *m, const vd_kc_metrics *reference, vd_buf *out) {
  const vd_kc_figure_info *f = &vd_kc_figures[m->figure];
  const vd_kc_metric *r = NULL;
  for (size_t i = 0; reference && i < reference->count; i++)
    r = reference->metric[i].figure == m->figure ? &reference->metric[i] : r;
  vd_buf_puts(out, "<tr><td>");
  for (const char *c = f->name; *c; c++) {
    vd_buf_add(out, c, 1);
    vd_buf_puts(out, *c == '_' ? "<wbr>" : "");
  }
  vd_buf_puts(out, "</td>");
  write_value(m->value, f->unit, reference ? "value" : "", out);
  if (reference) {
    const double of = r ? r->value : NAN, deviation = cleaned(m->value) - cleaned(of);
    write_value(of, f->unit, "reference", out);
    begin_cell("deviation", out);
    vd_html_quantity(out, cleaned(deviation), fabs(deviation) * 1e-1, f->unit);
    if (cleaned(of) != 0.0 && cleaned(deviation) != 0.0 && isfinite(deviation)) {
      const double share = 100.0 * deviation / fabs(of);
      vd_buf_puts(out, share < 0.0 ? " (" : " (+");
      vd_html_number(out, share, fabs(share) * 0.1);
      vd_buf_puts(out, "\u202F%)");
    }
    vd_buf_puts(out, "</td>");
  }
  vd_buf_puts(out, "<td>");
  vd_html_text(out, f->help);
  vd_html_text(out, *m->reason ? "; " : "");
  vd_html_text(out, m->reason);
  vd_buf_puts(out, "</td></tr>\n");
}

static void write_figures(const vd_kc_page *p, vd_buf *out) {
  vd_kc_metrics *m = vd_allocate(2, sizeof *m);
  vd_kc_report report[2];
  const vd_corner *of = p->reference.side.corner;
  const bool good = vd_kc_metrics_of(p->corner, &p->settings->plan, &m[0], &report[0]);
  const bool both = good && of && vd_kc_metrics_of(of, &p->settings->plan, &m[1], &report[1]);
  if (good) {
    vd_buf_printf(out,
                  "<h2 id=\"metrics\">Figures at the design position</h2>\n<div class=\"tablebox\"><table "
                  "class=\"metrics\"><thead><tr><th>Figure</th><th class=\"n\">Value</th>%s<th>Definition</th></tr>"
                  "</thead>\n<tbody>\n",
                  both ? "<th class=\"n\">Reference</th><th class=\"n\">Deviation</th>" : "");
    for (size_t i = 0; i < m->count; i++)
      write_figure(&m[0].metric[i], both ? &m[1] : NULL, out);
    vd_buf_puts(out, "</tbody></table></div>\n");
  }
  vd_buf_finish(&report[0].messages);
  if (good && of)
    vd_buf_finish(&report[1].messages);
  free(m);
}

static void write_head(const vd_kc_page *p, vd_buf *out) {
  const vd_corner *c = p->corner;
  const char *name = *c->name ? c->name : vd_tool_input_name(p->settings->path);
  vd_buf title = {0};
  vd_buf_printf(&title, "Kinematics and compliance of a %s axle: %s", c->rear ? "rear" : "front", name);
  vd_html_begin(out, "kc-sweep", title.text);
  vd_viewer_style(out);
  vd_buf_puts(out, "<h1>");
  vd_html_text(out, title.text);
  vd_buf_finish(&title);
  vd_buf_puts(out, "</h1>\n<p class=\"meta\">");
  for (const char *t = vd_linkage_type_names[c->points.type]; *t; t++)
    vd_buf_add(out, *t == '_' ? " " : t, 1);
  vd_buf_puts(out, ", left wheel; ");
  vd_html_text(out, vd_tool_input_name(p->settings->path));
  if (p->reference.path) {
    vd_buf_puts(out, "; reference: ");
    vd_html_text(out, vd_tool_input_name(p->reference.path));
    vd_buf_printf(out, ", tolerance %g %% of its value, at least %g%s", 100.0 * p->reference.tolerance.relative,
                  p->reference.tolerance.absolute,
                  p->reference.side.compliance ? "; forces without vertical load, as on its rig" : "");
  }
  vd_buf_puts(out, "</p>\n");
}

static void write_page(const vd_kc_page *p, vd_arena *arena, vd_buf *out) {
  static const vd_viewer_view views[] = {
      {"outside", "Outside"}, {"front", "Front"}, {"side", "Side"}, {"above", "Above"}};
  write_head(p, out);
  write_warnings(p, out);
  if (p->motion[0].frames > 0) {
    const vd_viewer_view motions[] = {{"0", "Travel"}, {"1", "Rack"}};
    vd_viewer_controls(views, VD_COUNT(views), motions, p->motion[1].frames > 0 ? 2 : 0, false, out);
    vd_buf_puts(out,
                "<p class=\"more screenonly\">Drag to turn, pinch or scroll to come closer. The slider is the travel "
                "of both wheels, or the shift of the rack to the left; the space bar plays, the arrow keys step. Links "
                "are blue, springs orange, dampers green, push rods and rockers purple.</p>\n");
  }
  for (int i = 0; i < VD_KC_POSES; i++)
    if (p->motion[i].frames > 0) {
      vd_buf_printf(out, "<h2>The linkage over %s</h2>\n<div class=\"pictures\">\n", i == 0 ? "travel" : "rack");
      vd_kc_views(p, &p->motion[i], out);
      vd_buf_puts(out, "</div>\n");
    }
  vd_kc_sheets(p, arena, out);
  write_figures(p, out);
  vd_buf_puts(out, "<h2>Provenance</h2>\n<p>vdsim-kc-sweep " VDSIM_VERSION "</p>\n<details><summary>The complete "
                   "suspension, with all defaults and settings</summary><pre>");
  vd_html_lines(out, p->resolved);
  vd_buf_puts(out, "</pre></details>\n");
  if (p->motion[0].frames > 0) {
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
    move_all(corner, &p);
    write_page(&p, arena, &page);
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
  for (int i = 0; i < VD_KC_POSES; i++)
    free(p.motion[i].frame);
  return status;
}
