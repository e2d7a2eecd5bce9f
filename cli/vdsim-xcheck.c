/* vdsim-xcheck: compares two suspensions or their curves; reads and writes hardpoint lists. */
#include "json.h"
#include "tool.h"
#include "xcheck_settings.h"

#include "base/num.h"
#include "input/schema.h"
#include "linkage/corner_def.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void remark(const vd_xcheck_settings *s, const char *path, const vd_buf *text) {
  if (!s->quiet && text->length > 0)
    fprintf(stderr, "%s: note: %s\n", vd_tool_input_name(path), text->text);
}

/* Writes the options that another reader of the list needs, with angles in degrees and as few digits as possible. */
static void describe_wheel(const vd_corner *corner, vd_buf *out) {
  double toe, camber;
  char text[2][VD_NUM_MAX];
  vd_spin_axis_angles(corner->points.spin_axis, &toe, &camber);
  vd_num_print_shortest(180.0 / VD_PI * toe, text[0]);
  vd_num_print_shortest(180.0 / VD_PI * camber, text[1]);
  vd_buf_printf(out, "not in the list: --toe0=%s --camber0=%s --radius=%.9g", text[0], text[1],
                corner->points.static_radius);
  bool usual;
  int rod = vd_corner_steerable(corner->points.type, &usual);
  if (rod >= 0 && corner->points.member[rod].steered != usual)
    vd_buf_printf(out, " --steering=%s", usual ? "none" : "rack");
}

static int export(const vd_xcheck_settings *s, vd_arena *arena, vd_diag *d) {
  const char *path = s->operand[0];
  enum vd_axes axes = s->side[0].list.axes == VD_AXES_UNSTATED ? VD_AXES_ADAMS : s->side[0].list.axes;
  enum vd_length_unit unit = s->side[0].list.unit == VD_LENGTH_UNSTATED ? VD_LENGTH_MM : s->side[0].list.unit;
  vd_corner corner;
  vd_buf text = {0}, left_out = {0}, note = {0};
  if (!vd_corner_read(path, NULL, 0, arena, d, &corner, NULL))
    return VD_EXIT_TROUBLE;
  vd_hardpoint_csv_write(&corner, axes, unit, &text, &left_out);
  vd_buf_printf(&note, "written in %s axes and %s; ", axes == VD_AXES_ISO ? "iso" : "adams", vd_length_names[unit]);
  describe_wheel(&corner, &note);
  if (left_out.length > 0)
    vd_buf_printf(&note, ", %s", left_out.text);
  remark(s, path, &note);
  int status = vd_tool_write_text(s->export, VD_REPLACES_OURS, text.text, text.length);
  vd_buf_finish(&text);
  vd_buf_finish(&left_out);
  vd_buf_finish(&note);
  return status;
}

static int import(const vd_xcheck_settings *s, vd_arena *arena, vd_diag *d) {
  int source;
  vd_corner corner;
  vd_hardpoint_taken taken;
  vd_buf text = {0}, note = {0};
  if (!vd_schema_slurp(s->import, d, &source) ||
      !vd_hardpoint_csv_read(source, &s->side[0].list, arena, d, &corner, &taken))
    return VD_EXIT_TROUBLE;
  if (isnan(corner.points.static_radius)) {
    vd_error(d, (vd_place){.source = source},
             "a hardpoint list does not contain the wheel's loaded radius; give it with --radius");
    return VD_EXIT_TROUBLE;
  }
  const char *slash = strrchr(s->import, '/');
  corner.source = slash ? slash + 1 : s->import;
  vd_hardpoint_csv_describe(&taken, &note);
  remark(s, s->import, &note);
  vd_corner_write(&corner, &text);
  int status = vd_tool_write_text(s->output ? s->output : "-", VD_REPLACES_NOTHING, text.text, text.length);
  vd_buf_finish(&text);
  vd_buf_finish(&note);
  return status;
}

/* Writes the failed comparisons in one line. */
static void print_failures(const vd_xcheck_settings *s, const vd_verdicts *v) {
  if (v->failed > 0 && !s->quiet) {
    fprintf(stderr, "vdsim-xcheck: %zu of %zu figures differ:", v->failed, v->count);
    const char *before = " ";
    for (size_t i = 0; i < v->count; i++)
      if (v->row[i].kind != VD_VERDICT_PASS) {
        fprintf(stderr, "%s%s", before, v->row[i].metric);
        before = ", ";
      }
    fputs("\n", stderr);
  } else if (s->verbose) {
    fprintf(stderr, "vdsim-xcheck: %zu figures agree\n", v->count);
  }
}

/* Names the points that cause a figure's deviation, each at least a fifth of the deviation. */
static void explain(const vd_xcheck_side side[2], const vd_verdicts *v) {
  const double least = 0.2;
  for (size_t i = 0; i < v->count; i++) {
    vd_cause cause[VD_CAUSES];
    size_t count = v->row[i].kind == VD_VERDICT_PASS ? 0 : vd_xcheck_causes(&side[0], &side[1], &v->row[i], cause);
    if (count == 0 || !(fabs(cause[0].share) >= least))
      continue;
    fprintf(stderr, "vdsim-xcheck: note: %s:", v->row[i].metric);
    for (size_t k = 0; k < count && fabs(cause[k].share) >= least; k++) {
      fprintf(stderr, "%s '%s'", k ? "," : "", cause[k].point);
      if (cause[k].other)
        fprintf(stderr, " and '%s' are exchanged", cause[k].other);
      else
        fprintf(stderr, " is %.3g mm away", 1e3 * cause[k].distance);
      fprintf(stderr, " (%.0f %% of the deviation)", 100.0 * cause[k].share);
    }
    fputs("\n", stderr);
  }
}

/* Warns of points that differ although all figures agree. */
static void warn_of_hidden_differences(const vd_xcheck_side side[2]) {
  const double least = 1e-3; /* m; coordinates in lists are rounded */
  vd_cause cause[VD_CAUSES];
  size_t count = vd_xcheck_distant_points(&side[0], &side[1], least, cause);
  for (size_t k = 0; k < count; k++)
    if (cause[k].other)
      fprintf(stderr, "vdsim-xcheck: note: '%s' and '%s' are exchanged, which no figure shows\n", cause[k].point,
              cause[k].other);
    else
      fprintf(stderr, "vdsim-xcheck: note: '%s' is %.3g mm away, which no figure shows\n", cause[k].point,
              1e3 * cause[k].distance);
}

static void write_json(const vd_xcheck_settings *s, const vd_verdicts *v, vd_output *o) {
  vd_buf provenance = {0}, csv = {0}, json = {0};
  vd_output *rows = vd_output_to(&csv);
  vd_xcheck_write(v, rows, s->digits);
  vd_output_commit(rows, NULL);
  vd_buf_puts(&provenance, "tool: vdsim-xcheck\nversion: " VDSIM_VERSION "\n");
  vd_tool_add_yaml_text("reference: ", s->operand[0], &provenance);
  vd_tool_add_yaml_text("candidate: ", s->operand[1], &provenance);
  vd_json_results(provenance.text, "verdicts", csv.text, " reference candidate deviation allowed ", &json);
  vd_output_bytes(o, json.text, json.length);
  vd_buf_finish(&json);
  vd_buf_finish(&csv);
  vd_buf_finish(&provenance);
}

static int report(const vd_xcheck_settings *s, const vd_xcheck_side side[2], const vd_verdicts *v) {
  const char *path = s->output ? s->output : "-";
  vd_output *o = vd_tool_open_output(path, VD_REPLACES_OURS);
  if (!o)
    return VD_EXIT_TROUBLE;
  if (vd_tool_json())
    write_json(s, v, o);
  else if (s->tap)
    vd_xcheck_write_tap(v, o);
  else
    vd_xcheck_write(v, o, s->digits);
  int status = vd_tool_commit(o, path, NULL);
  print_failures(s, v);
  if (!s->quiet && v->failed > 0)
    explain(side, v);
  else if (!s->quiet)
    warn_of_hidden_differences(side);
  return status == VD_EXIT_YES && v->failed > 0 ? VD_EXIT_NO : status;
}

static bool load(vd_xcheck_settings *s, vd_arena *arena, vd_diag *d, vd_xcheck_side *side) {
  bool good = true, lists = false;
  for (int i = 0; i < 2; i++) {
    vd_buf note = {0};
    enum vd_xcheck_format format = VD_FORMAT_UNSTATED;
    s->side[i].path = s->operand[i];
    bool read = vd_xcheck_read(&s->side[i], arena, d, &side[i], &format, &note);
    if (read)
      remark(s, s->operand[i], &note);
    lists |= format == VD_FORMAT_HARDPOINTS;
    good &= read;
    vd_buf_finish(&note);
  }
  if (good && s->list_option_given && !lists)
    return vd_tool_error("neither file is a hardpoint list: --axes, --length-unit, --side, --toe0, --camber0, "
                         "--radius and --steering are for these");
  return good;
}

static int compare(vd_xcheck_settings *s, vd_arena *arena, vd_diag *d) {
  vd_xcheck_side side[2];
  vd_verdicts *v = vd_arena_alloc(arena, sizeof *v);
  enum vd_curve_quantity q;
  if (!load(s, arena, d, side))
    return VD_EXIT_TROUBLE;
  if (side[0].compliance || side[1].compliance)
    return vd_xcheck_compliance(&side[0], &side[1], s->tolerance, arena, d, v) ? report(s, side, v) : VD_EXIT_TROUBLE;
  int lacks = vd_xcheck_lacks_radius(&side[0], &side[1], s->curves, &q);
  if (lacks >= 0) {
    fprintf(stderr, "%s: error: '%s' needs the wheel's loaded radius; give it with --radius\n",
            vd_tool_input_name(s->operand[lacks]), vd_curve_figure((int)q)->column);
    return VD_EXIT_TROUBLE;
  }
  vd_xcheck_gains(&side[0], &side[1], s->tolerance, v);
  if (!s->gains && s->curves == 0)
    vd_xcheck_changes(&side[0], &side[1], s->range, s->tolerance, v);
  vd_xcheck_curves(&side[0], &side[1], s->curves, s->range, s->tolerance, v);
  if (v->count == 0) {
    vd_tool_error("there is nothing to compare");
    return VD_EXIT_TROUBLE;
  }
  return report(s, side, v);
}

static int run(int argc, char **argv) {
  vd_xcheck_settings s;
  int status = vd_xcheck_parse(&s, argc, argv);
  if (status >= 0)
    return status;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_tool_inputs(d);
  status = s.export ? export(&s, arena, d) : s.import ? import(&s, arena, d) : compare(&s, arena, d);
  vd_tool_print_messages(d);
  vd_tool_inputs(NULL);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

int main(int argc, char **argv) {
  return vd_tool_main(run, argc, argv);
}
