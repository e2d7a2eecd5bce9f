#include "plot_log.h"

#include "tool.h"

#include "base/system.h"
#include "base/base.h"
#include "base/num.h"
#include "input/measured.h"
#include "input/separated.h"
#include "run/scenario.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t stem_length(const char *path) {
  size_t n = strlen(path);
  n -= vd_ends_in(path, ".csv") ? 4 : 0;
  return n > 9 && strncmp(path + n - 9, ".response", 9) == 0 ? n - 9 : n;
}

const char *vd_plot_stem(const char *path, vd_arena *arena) {
  const char *slash = strrchr(path, '/');
  if (strcmp(path, "-") == 0)
    return "standard input";
  slash = slash ? slash + 1 : path;
  return vd_arena_copy(arena, slash, stem_length(path) - (size_t)(slash - path));
}

bool vd_plot_has_response(const char *log, vd_arena *arena, const char **response) {
  *response = vd_arena_printf(arena, "%.*s.response.csv", (int)stem_length(log), log);
  return strcmp(log, "-") != 0 && access(*response, R_OK) == 0;
}

/* --- columns --- */

/* Names a column like a column of our logs, in SI if the unit in the file is known. Returns the factor to SI. */
static double name_column(const char *name, const char *unit, vd_arena *arena, vd_shown_column *out) {
  vd_buf text = {0};
  vd_unit of;
  size_t stem;
  double factor = 1.0;
  if (*unit) {
    bool g = strcmp(unit, "g") == 0, good = g || vd_separated_unit(unit, strlen(unit), &of);
    const vd_unit_name *row = g ? vd_unit_name_of("m/s2") : good ? vd_unit_name_like(of.dimension) : NULL;
    for (const char *c = name; *c; c++) /* names of other programs contain blanks */
      vd_buf_add(&text, isalnum((unsigned char)*c) ? c : "_", 1);
    if (row) {
      vd_buf_printf(&text, "_%s", row->suffix);
      factor = g ? VD_GRAVITY : vd_unit_to_si(of, 1.0);
    }
    out->unit = row ? row->unit : good ? unit : "1";
  } else {
    const vd_unit_name *row = vd_unit_si_name(name, &text);
    factor = row ? row->numerator / row->denominator : 1.0;
    out->unit = vd_unit_at_end(text.text, &stem);
  }
  out->name = vd_arena_copy(arena, text.text, text.length);
  vd_buf_finish(&text);
  return factor;
}

/* Reads the rows within the window into columns. */
static bool read_rows(int source, const double window[2], vd_arena *arena, vd_diag *d, vd_shown_run *out, size_t *all) {
  const double from = window[0], to = window[1];
  vd_cells c;
  if (!vd_cells_read(source, arena, d, &c))
    return false;
  *all = c.rows;
  out->columns = c.columns;
  out->column = vd_arena_alloc(arena, c.columns * sizeof *out->column);
  double *factor = vd_arena_alloc(arena, c.columns * sizeof *factor);
  int time = -1;
  for (size_t k = 0; k < c.columns; k++) {
    factor[k] = name_column(c.name[k], c.unit[k], arena, &out->column[k]);
    out->column[k].value = vd_arena_alloc(arena, c.rows * sizeof(double));
    if (strcmp(out->column[k].name, "t_s") == 0 || (time < 0 && strcmp(out->column[k].name, "t") == 0))
      time = (int)k;
  }
  if (time >= 0)
    out->column[time].name = "t_s";
  if (time < 0 && (isfinite(from) || isfinite(to)))
    return vd_tool_error("-w needs a column t_s, which %s lacks", out->file);
  for (size_t r = 0; r < c.rows; r++) {
    double t = 0.0;
    bool timed = time >= 0 && vd_cells_is_number(&c, r, (size_t)time, &t);
    t *= time >= 0 ? factor[time] : 1.0;
    out->end = timed ? t : out->end;
    if ((isfinite(from) && !(timed && t >= from - 1e-9)) || (isfinite(to) && !(timed && t <= to + 1e-9)))
      continue;
    for (size_t k = 0; k < c.columns; k++) {
      double v;
      bool good = vd_cells_is_number(&c, r, k, &v) && fabs(v) < 1e290;
      out->column[k].value[out->rows] = good ? factor[k] * v : NAN;
    }
    out->rows++;
  }
  return out->rows > 0 || (isnan(from) ? vd_tool_error("no rows up to %.9g s in %s", to, out->file)
                           : isnan(to) ? vd_tool_error("no rows from %.9g s on in %s", from, out->file)
                                       : vd_tool_error("no rows between %.9g and %.9g s in %s", from, to, out->file));
}

/* --- what is beside a log --- */

static const vd_node *read_tree(const char *log, const char *ending, vd_arena *arena, vd_diag *quiet, int *source) {
  const char *path = vd_arena_printf(arena, "%.*s%s", (int)stem_length(log), log, ending);
  if (access(path, R_OK) != 0 || !vd_schema_slurp(path, quiet, source))
    return NULL;
  return vd_tree_parse(arena, quiet, *source);
}

static const char *text_at(const vd_node *root, const char *path) {
  const vd_node *n = root ? vd_tree_find(root, path) : NULL;
  return n && n->text ? n->text : "";
}

static double number_at(const vd_node *root, const char *path) {
  double value;
  size_t used;
  const char *text = text_at(root, path);
  return *text && vd_num_parse(text, strlen(text), &value, &used) ? value : NAN;
}

static void add_fact(vd_shown_run *out, const char *name, double value) {
  if (isfinite(value))
    out->fact[out->facts++] = (vd_fact){name, value};
}

static void read_metrics(const char *log, vd_arena *arena, vd_diag *quiet, vd_shown_run *out) {
  const char *path = vd_arena_printf(arena, "%.*s.metrics.csv", (int)stem_length(log), log);
  vd_cells c = {.rows = 0};
  int source;
  bool good =
      access(path, R_OK) == 0 && vd_schema_slurp(path, quiet, &source) && vd_cells_read(source, arena, quiet, &c);
  int name = good ? vd_cells_column(&c, "metric") : -1, at = good ? vd_cells_column(&c, "value") : -1;
  out->fact = vd_arena_alloc(arena, (c.rows + VD_SHOWN_KEYS) * sizeof *out->fact);
  for (size_t r = 0; r < c.rows && name >= 0 && at >= 0; r++) {
    double v;
    if (vd_cells_is_number(&c, r, (size_t)at, &v))
      add_fact(out, c.text[r * c.columns + (size_t)name], v);
  }
}

/* Reads the course of a run with gates from its resolved scenario. */
static void read_course(int source, vd_arena *arena, vd_diag *quiet, vd_shown_run *out) {
  const char *type = text_at(out->resolved, "path.type");
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  if ((strncmp(type, "iso3888", 7) != 0 && strcmp(type, "slalom") != 0) ||
      !vd_scenario_read_source(source, NULL, 0, arena, quiet, def) || def->track.gates == 0)
    return;
  out->path = &def->track;
  add_fact(out, "course_from", def->track.gate[0].from);
  add_fact(out, "course_to", def->track.gate[def->track.gates - 1].to);
  add_fact(out, "path_x", def->track.origin_x);
  add_fact(out, "path_y", def->track.origin_y);
  add_fact(out, "path_yaw", def->track.origin_yaw);
}

void vd_plot_describe(const vd_node *resolved, int source, vd_arena *arena, vd_diag *quiet, vd_shown_run *out) {
  static const char *const keys[][2] = {
      {"wheelbase", "vehicle.wheelbase"},   {"steady_window", "metrics.steady_window"},
      {"from_speed", "metrics.from_speed"}, {"to_speed", "metrics.to_speed"},
      {"fit_from", "metrics.fit_from"},     {"fit_to", "metrics.fit_to"}};
  out->resolved = resolved;
  for (size_t i = 0; i < VD_COUNT(keys); i++)
    add_fact(out, keys[i][0], number_at(resolved, keys[i][1]));
  const double to_front = number_at(resolved, "vehicle.cg_to_front");
  out->ahead = to_front + number_at(resolved, "vehicle.overhang_front");
  out->behind = number_at(resolved, "vehicle.wheelbase") - to_front + number_at(resolved, "vehicle.overhang_rear");
  out->width = isfinite(out->ahead + out->behind) ? number_at(resolved, "vehicle.width") : NAN;
  if (resolved)
    read_course(source, arena, quiet, out);
}

static void read_beside(const char *log, size_t all, vd_arena *arena, vd_diag *quiet, vd_shown_run *out) {
  int source;
  const vd_node *provenance = read_tree(log, ".provenance.yaml", arena, quiet, &source);
  double rows = number_at(provenance, "rows");
  if (vd_shown_values(out, "t_s") && isfinite(rows) && rows != (double)all)
    return; /* the metrics belong to another run */
  read_metrics(log, arena, quiet, out);
  const vd_node *resolved = read_tree(log, ".resolved.yaml", arena, quiet, &source);
  vd_plot_describe(resolved, source, arena, quiet, out);
  out->title = text_at(resolved, "title");
  if (!*out->title) {
    char *title = vd_arena_copy(arena, text_at(provenance, "scenario"), strlen(text_at(provenance, "scenario")));
    char *slash = strrchr(title, '/'), *end = strstr(title, ".yaml");
    if (end)
      *end = '\0';
    for (char *c = title; *c; c++)
      *c = *c == '_' ? ' ' : *c;
    out->title = slash ? slash + 1 : title;
  }
  out->car = text_at(resolved, "vehicle.name");
  out->level = *text_at(resolved, "run.level") ? text_at(resolved, "run.level") : text_at(provenance, "level");
}

bool vd_plot_read(const char *path, const double window[2], vd_arena *arena, vd_diag *d, vd_shown_run *out) {
  int source;
  size_t all;
  *out = (vd_shown_run){.file = path, .title = "", .car = "", .level = "", .width = NAN, .end = NAN};
  out->label = vd_plot_stem(path, arena);
  bool standard = strcmp(path, "-") == 0;
  const vd_place whole = {.source = standard ? 0 : vd_diag_add_source(d, path, "", 0)};
  if (!(standard ? vd_schema_slurp(path, d, &source) : vd_measured_load(path, whole, d, &source)) ||
      !read_rows(source, window, arena, d, out, &all))
    return false;
  if (standard)
    return true;
  vd_diag *quiet = vd_diag_create();
  read_beside(path, all, arena, quiet, out);
  vd_diag_destroy(quiet);
  return true;
}
