/* vdsim-kc-sweep: computes curves and metrics of kinematics and compliance from suspension files. */
#include "json.h"
#include "kc_report.h"
#include "tool.h"

#include "kc/dynamics.h"
#include "kc/matrix.h"
#include "kc/sensitivity.h"
#include "kc/tables.h"
#include "linkage/corner_def.h"

#include <stdlib.h>
#include <string.h>

static int write_output(const vd_kc_sweep_settings *s, const vd_buf *text) {
  const char *path = s->metrics ? s->metrics : s->output;
  vd_buf json = {0}, provenance = {0};
  if (vd_tool_json()) {
    vd_buf_puts(&provenance, "tool: vdsim-kc-sweep\nversion: " VDSIM_VERSION "\n");
    vd_tool_add_yaml_text("suspension: ", s->path, &provenance);
    vd_tool_add_settings_given(s->set, s->set_count, &provenance);
    vd_json_results(provenance.text, "metrics", text->text, " value ", &json);
    vd_buf_finish(&provenance);
  }
  const vd_buf *out = json.text ? &json : text;
  enum vd_replaces what = s->resolved ? VD_REPLACES_NOTHING : VD_REPLACES_OURS;
  int status = vd_tool_write_text(path ? path : "-", what, out->text, out->length);
  vd_buf_finish(&json);
  return status;
}

/* Writes curves or forces, metrics, sensitivities, or the compliance of the axle, as the settings say. */
static int sweep(const vd_kc_sweep_settings *s, const vd_corner *corner) {
  vd_buf out = {0}, remark = {0};
  vd_kc_report report;
  bool complete = s->metrics       ? vd_kc_metrics_write(corner, &s->plan, &out, &report)
                  : s->sensitivity ? vd_kc_sensitivities_write(corner, &s->plan, &out, &report)
                  : s->matrix      ? vd_kc_matrix_write(corner, &s->plan, &out, &report)
                  : s->factors     ? vd_kc_factors_write(corner, &s->plan, s->trail, &out, &report)
                                   : vd_kc_sweep_write(corner, &s->plan, &out, &report);
  bool kept = complete || (s->plan.partial && report.missing > 0);
  if (!kept || !s->quiet)
    vd_kc_say(s->path, kept ? "warning" : "error", &report.messages);
  vd_kc_remark(&report, &remark);
  if (kept && !s->quiet)
    vd_kc_say(s->path, "warning", &remark);
  int status = kept ? write_output(s, &out) : VD_EXIT_TROUBLE;
  if (status == VD_EXIT_YES && !complete)
    status = VD_EXIT_NO;
  if (s->verbose && kept && report.rows > 0)
    fprintf(stderr, "%s: %ld rows, %ld left out\n", vd_tool_input_name(s->path), report.rows, report.missing);
  vd_buf_finish(&report.messages);
  vd_buf_finish(&remark);
  vd_buf_finish(&out);
  return status;
}

/* Writes masses and forces in a sinusoidal motion; an input whose range is a single value is constant. */
static int move(const vd_kc_sweep_settings *s, const vd_corner *corner) {
  const vd_kc_range usual = {-0.05, 0.05, 41}, still = {s->plan.rack, s->plan.rack, 1};
  vd_kc_range travel = s->plan.ranged[VD_KC_TRAVEL] ? s->plan.range[VD_KC_TRAVEL] : usual;
  vd_kc_range rack = s->plan.ranged[VD_KC_RACK] ? s->plan.range[VD_KC_RACK] : still;
  vd_buf out = {0};
  vd_kc_report report;
  if (!s->plan.ranged[VD_KC_TRAVEL] && s->plan.travel != 0.0)
    travel.from = travel.to = s->plan.travel;
  bool done = vd_kc_dynamics_write(corner, &travel, &rack, s->frequency, s->plan.digits, &out, &report);
  if (!done || !s->quiet)
    vd_kc_say(s->path, done ? "warning" : "error", &report.messages);
  int status = done ? write_output(s, &out) : VD_EXIT_TROUBLE;
  vd_buf_finish(&report.messages);
  vd_buf_finish(&out);
  return status;
}

/* Makes the name of a table file in the folder, from the name of the suspension file. */
static void name_tables(const vd_kc_sweep_settings *s, const char *side, const char *end, vd_buf *path) {
  const char *slash = strrchr(s->path, '/'), *from = slash ? slash + 1 : s->path, *dot = strrchr(from, '.');
  vd_buf_printf(path, "%s/%.*s%s%s", s->tables, dot ? (int)(dot - from) : (int)strlen(from), from, side, end);
}

/* Whether the table files may be written. Existing tables may be replaced if the file that refers to them was written
 * by these programs. */
static bool may_write_tables(const vd_kc_sweep_settings *s, const char *side) {
  static const char *const ends[] = {".yaml", ".csv", "_compliance.csv"};
  bool good = true, ours = false;
  for (size_t i = 0; i < VD_COUNT(ends); i++) {
    vd_buf path = {0};
    name_tables(s, side, ends[i], &path);
    ours = i == 0 ? vd_tool_begins(path.text, VD_KC_TABLES_START) : ours;
    good &= vd_tool_may_replace(path.text, ours);
    vd_buf_finish(&path);
  }
  return good;
}

static int write_file(const vd_kc_sweep_settings *s, const char *side, const char *end, const vd_buf *text) {
  vd_buf path = {0};
  name_tables(s, side, end, &path);
  int status = vd_tool_write_text(path.text, VD_REPLACES_ALL, text->text, text->length);
  vd_buf_finish(&path);
  return status;
}

/* Writes the tables and the file that refers to them. That file is written first: it marks the tables as written by
 * these programs. */
static int write_tables(const vd_kc_sweep_settings *s, const vd_corner *corner, const char *side, const vd_buf *table,
                        const vd_buf *compliance) {
  bool gives = compliance && compliance->length > 0;
  vd_buf name = {0}, yaml = {0};
  name_tables(s, side, "", &name);
  vd_kc_tables_yaml(corner, strrchr(name.text, '/') + 1, gives, &yaml);
  int status = write_file(s, side, ".yaml", &yaml);
  if (status == VD_EXIT_YES)
    status = write_file(s, side, ".csv", table);
  if (status == VD_EXIT_YES && gives)
    status = write_file(s, side, "_compliance.csv", compliance);
  vd_buf_finish(&yaml);
  vd_buf_finish(&name);
  return status;
}

/* Renames all tables together, so that those of two processes are not mixed. */
static int write_both(const vd_kc_sweep_settings *s, const vd_corner *corner, const vd_kc_tables *tables) {
  bool right = tables->right.length > 0;
  int status = VD_EXIT_TROUBLE;
  vd_buf base = {0};
  name_tables(s, "", "", &base);
  int turn = vd_tool_await_turn(base.text);
  if (may_write_tables(s, "") && (!right || may_write_tables(s, "_right")))
    status = write_tables(s, corner, "", &tables->left, &tables->compliance);
  if (status == VD_EXIT_YES && right)
    status = write_tables(s, corner, "_right", &tables->right, NULL);
  vd_tool_end_turn(turn);
  vd_buf_finish(&base);
  return status;
}

/* Writes the tables of a wheel's path; of both wheels if their paths differ. */
static int tabulate(const vd_kc_sweep_settings *s, const vd_corner *corner) {
  vd_kc_range travel, rack;
  vd_kc_tables tables;
  vd_kc_report report;
  int status = VD_EXIT_TROUBLE;
  vd_kc_tables_ranges(corner, &travel, &rack);
  if (s->plan.ranged[VD_KC_TRAVEL])
    travel = s->plan.range[VD_KC_TRAVEL];
  if (s->plan.ranged[VD_KC_RACK])
    rack = s->plan.range[VD_KC_RACK];
  if (!vd_kc_tables_write(corner, &travel, &rack, s->plan.digits, &tables, &report))
    vd_kc_say(s->path, "error", &report.messages);
  else if (vd_tool_make_folder(s->tables))
    status = write_both(s, corner, &tables);
  vd_buf_finish(&report.messages);
  vd_buf_finish(&tables.left);
  vd_buf_finish(&tables.right);
  vd_buf_finish(&tables.compliance);
  return status;
}

static int report_estimates(const vd_kc_sweep_settings *s, const vd_corner *corner) {
  vd_buf names = {0};
  for (size_t i = 0; i < corner->estimates.count; i++)
    vd_buf_printf(&names, "%s\n", corner->estimates.name[i]);
  vd_tool_report_estimates(s->path, corner->estimates.count, &names);
  vd_buf_finish(&names);
  return vd_tool_close_stdout(VD_EXIT_YES);
}

/* Whether the output may be written. If columns were chosen, this is checked when the rows are written, since a file
 * with the same first line may be replaced. */
static bool may_write(const vd_kc_sweep_settings *s) {
  bool chosen = false;
  for (int i = 0; i < VD_KC_COLUMNS; i++)
    chosen |= s->plan.unwanted[i];
  return vd_tool_may_write(s->report    ? s->report
                           : s->metrics ? s->metrics
                                        : s->output,
                           s->resolved ? VD_REPLACES_NOTHING
                           : chosen    ? VD_REPLACES_ALL
                                       : VD_REPLACES_OURS);
}

static int sweep_suspension(const vd_kc_sweep_settings *s) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_buf text = {0};
  vd_corner corner;
  int status = VD_EXIT_TROUBLE;
  bool read = vd_corner_read(s->path, s->set, s->set_count, arena, d, &corner, s->resolved || s->report ? &text : NULL);
  vd_tool_print_messages(d);
  vd_tool_inputs(d);
  read = read && (s->check || may_write(s));
  if (read && s->graph)
    vd_corner_graph(&corner, &text);
  if (read && s->check)
    status = report_estimates(s, &corner);
  else if (read && (s->resolved || s->graph))
    status = write_output(s, &text);
  else if (read && s->report)
    status = vd_kc_report_page(s, &corner, text.text, arena, d);
  else if (read)
    status = s->tables ? tabulate(s, &corner) : s->dynamics ? move(s, &corner) : sweep(s, &corner);
  vd_buf_finish(&text);
  vd_tool_inputs(NULL);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

static int run(int argc, char **argv) {
  vd_kc_sweep_settings s;
  int status = vd_kc_sweep_parse(&s, argc, argv);
  if (status < 0)
    status = sweep_suspension(&s);
  free(s.set);
  return status;
}

int main(int argc, char **argv) {
  return vd_tool_main(run, argc, argv);
}
