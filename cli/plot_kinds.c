#include "plot_kinds.h"

#include "plot_log.h"
#include "tool.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "input/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = VD_PI / 180.0;

/* --- tables and panels --- */

typedef struct table {
  const char *file;
  vd_cells c;
} table;

static bool read_table(const char *file, vd_arena *arena, vd_diag *d, table *out) {
  int source;
  *out = (table){.file = file};
  return vd_schema_slurp(file, d, &source) && vd_cells_read(source, arena, d, &out->c);
}

/* Returns the number in a row of a column; NAN: it is empty, or there is no such column. */
static double number_at(const table *t, size_t row, int column) {
  double v;
  return column >= 0 && vd_cells_is_number(&t->c, row, (size_t)column, &v) ? v : NAN;
}

static const char *word_at(const table *t, size_t row, int column) {
  return column < 0 ? "" : t->c.text[row * t->c.columns + (size_t)column];
}

vd_picture *vd_kind_panel(vd_drawing *f, int over, const char *title, const char *y_unit, const char *x_name,
                          const char *x_unit) {
  f->panel = vd_reallocate(f->panel, f->panels + 1, sizeof *f->panel);
  vd_panel *p = &f->panel[f->panels++];
  *p = (vd_panel){.over = over, .picture = {.exact = true}};
  snprintf(p->picture.title, sizeof p->picture.title, "%s", title);
  snprintf(p->picture.y_unit, sizeof p->picture.y_unit, "%s", y_unit);
  snprintf(p->picture.x_name, sizeof p->picture.x_name, "%s", x_name);
  snprintf(p->picture.x_unit, sizeof p->picture.x_unit, "%s", x_unit);
  return &p->picture;
}

vd_picture_series *vd_kind_series(vd_picture *p, enum vd_stroke stroke, const char *name, size_t room) {
  return vd_picture_put(p, stroke, name, vd_allocate(room + 1, sizeof(double)), vd_allocate(room + 1, sizeof(double)),
                        0);
}

void vd_kind_point(vd_picture_series *s, double x, double y) {
  s->x[s->count] = x;
  s->y[s->count++] = y;
}

static bool fail(vd_drawing *f) {
  vd_figure_finish(f);
  return false;
}

/* --- suspensions --- */

/* Returns the sweep of a row. Tables of rigs have no column `sweep': a row at the design position with one force
 * belongs to the sweep of this force. */
static const char *sweep_of(const table *t, size_t row) {
  int sweep = vd_cells_column(&t->c, "sweep"), fx = vd_cells_column(&t->c, "fx_brake_N");
  double travel = number_at(t, row, vd_cells_column(&t->c, "travel_mm"));
  if (sweep >= 0)
    return word_at(t, row, sweep);
  fx = fx >= 0 ? fx : vd_cells_column(&t->c, "fx_N");
  return travel < 0.0 || travel > 0.0                                    ? ""
         : fabs(number_at(t, row, fx)) > 0.0                             ? "fx"
         : fabs(number_at(t, row, vd_cells_column(&t->c, "fy_N"))) > 0.0 ? "fy"
                                                                         : "";
}

/* Adds a column of a file to a panel. The Ackermann figure is drawn from 3 degrees of steer on, because at smaller
 * angles static toe dominates it. */
static void add_kc_line(const vd_kc_panel *k, size_t second, double x_size, const table *t, size_t file,
                        vd_picture *p) {
  const char *over = k->sheet->part[2];
  const vd_picture_line *curve = k->curve + second;
  const bool of_rig = strcmp(over, "fx_N") == 0 && vd_cells_column(&t->c, "fx_brake_N") >= 0;
  const bool ackermann = strcmp(curve->part[1], "ackermann_pct") == 0;
  const int x = vd_cells_column(&t->c, of_rig ? "fx_brake_N" : over), y = vd_cells_column(&t->c, curve->part[1]);
  const int steer = vd_cells_column(&t->c, "steer_deg"), side = vd_cells_column(&t->c, "side");
  if (x < 0 || y < 0)
    return;
  vd_picture_series *s = vd_kind_series(p, VD_STROKE_RUN, curve->part[2], t->c.rows);
  for (size_t r = 0; r < t->c.rows; r++) {
    double px = number_at(t, r, x) / x_size, py = number_at(t, r, y);
    if (strcmp(sweep_of(t, r), k->sheet->part[1]) != 0 || strcmp(word_at(t, r, side), "right") == 0 || isnan(px))
      continue;
    if (ackermann && !(fabs(number_at(t, r, steer)) >= 3.0))
      py = NAN;
    if (isfinite(py) || (s->count > 0 && ackermann))
      vd_kind_point(s, px, py);
  }
  s->hue = 1 + (int)file % 6;
  s->dash = 1 + (int)(2 * file + second) % 6;
  if (s->count == 0) {
    free(s->x);
    free(s->y);
    p->count--;
  }
}

/* Names each file once, in the first panel where one of its lines has no name. */
static void name_files(vd_drawing *f, const char *const *file, size_t files, vd_arena *arena) {
  for (size_t l = 0; l < files && files > 1; l++) {
    bool named = false;
    for (size_t i = 0; i < f->panels && !named; i++)
      for (size_t k = 0; k < f->panel[i].picture.count && !named; k++) {
        vd_picture_series *s = &f->panel[i].picture.series[k];
        if (s->hue == 1 + (int)l % 6 && !*s->name) {
          snprintf(s->name, sizeof s->name, "%s", vd_plot_stem(file[l], arena));
          named = true;
        }
      }
  }
}

bool vd_figure_kc(const char *const *file, size_t files, vd_arena *arena, vd_diag *d, vd_drawing *out) {
  table *t = vd_arena_alloc(arena, files * sizeof *t);
  *out = (vd_drawing){.columns = 4, .under = ""};
  for (size_t l = 0; l < files; l++) {
    if (!read_table(file[l], arena, d, &t[l]))
      return false;
    if (vd_cells_column(&t[l].c, "sweep") < 0 && vd_cells_column(&t[l].c, "fx_brake_N") < 0 &&
        vd_cells_column(&t[l].c, "fx_drive_N") < 0)
      return vd_tool_error("no column 'sweep' in %s: is it of vdsim-kc-sweep?", file[l]);
  }
  size_t panels, stem;
  const vd_kc_panel *k = vd_kc_panels(&panels);
  for (const vd_kc_panel *end = k + panels; k < end; k++) {
    if (!k->brief)
      continue;
    const vd_shown_unit x = vd_kc_unit(k, arena);
    vd_picture *p = vd_kind_panel(out, (int)out->panels, k->panel->part[1], vd_unit_at_end(k->curve->part[1], &stem),
                                  k->sheet->part[3], x.name);
    for (size_t l = 0; l < files; l++)
      for (size_t second = 0; second < k->curves; second++)
        add_kc_line(k, second, x.size, &t[l], l, p);
    for (size_t s = 1; s < p->count; s++) /* equal entries stand in the legend once */
      for (size_t e = 0; e < s; e++)
        if (strcmp(p->series[s].name, p->series[e].name) == 0)
          *p->series[s].name = '\0';
    if (p->count == 0) {
      vd_picture_finish(p);
      out->panels--;
    }
  }
  name_files(out, file, files, arena);
  return out->panels > 0 || vd_tool_error("nothing to draw: none of the columns that a sheet has") || fail(out);
}

/* --- tyre rigs --- */

static const char *const tyre_pictures[] = {"fy", "fx", "ellipse", "mz", "gough", "transient", "time"};

typedef struct axis {
  const char *column, *name, *unit;
  double size;
} axis;

static const axis tyre_alpha = {"alpha_rad", "slip angle", "deg", VD_PI / 180.0},
                  tyre_kappa = {"kappa", "slip ratio", "%", 0.01}, tyre_fx = {"fx_N", "longitudinal force", "kN", 1e3},
                  tyre_fy = {"fy_N", "side force", "kN", 1e3}, tyre_mz = {"mz_Nm", "aligning moment", "N m", 1.0},
                  tyre_way = {"distance_m", "distance rolled", "m", 1.0}, tyre_time = {"t_s", "time", "s", 1.0};

/* Axes x and y, in the order of tyre_pictures. */
static const axis *const tyre_axes[][2] = {{&tyre_alpha, &tyre_fy}, {&tyre_kappa, &tyre_fx}, {&tyre_fx, &tyre_fy},
                                           {&tyre_alpha, &tyre_mz}, {&tyre_fy, &tyre_mz},    {&tyre_way, &tyre_fy},
                                           {&tyre_time, &tyre_fy}};
enum { ELLIPSE = 2, TRANSIENT = 5 };

/* A quantity by which lines differ, and the words around its number in the legend. */
typedef struct group {
  const char *column;
  double size;
  const char *before, *after;
} group;

static const group groups[] = {
    {"fz_N", 1e3, "", " kN"},
    {"pressure_Pa", 1e5, "", " bar"},
    {"camber_rad", VD_PI / 180.0, "camber ", "\u00B0"},
    {"vx_mps", 1.0, "", " m/s"},
    {"kappa", 0.01, "slip ratio ", " %"},
    {"alpha_rad", VD_PI / 180.0, "slip angle ", "\u00B0"},
    {"case", 1.0, "case ", ""},
};
enum { GROUPS = VD_COUNT(groups), LINES = 40 };

/* Whether the lines of a kind of picture differ by the quantity of a group. */
static bool counts(size_t kind, size_t g) {
  const axis *x = tyre_axes[kind][0];
  const char *column = groups[g].column;
  bool moving = kind >= TRANSIENT;
  return strcmp(column, "case") == 0        ? moving
         : strcmp(column, "kappa") == 0     ? !moving && x != &tyre_kappa && kind != ELLIPSE
         : strcmp(column, "alpha_rad") == 0 ? kind == 1 || kind == ELLIPSE
                                            : true;
}

typedef struct tyre_lines {
  size_t count, file[LINES];
  double value[LINES][GROUPS];
} tyre_lines;

/* Adds the rows of a file to their lines; false after a message. */
static bool add_rig(size_t kind, const table *t, size_t file, tyre_lines *lines, vd_picture *p) {
  const axis *x = tyre_axes[kind][0], *y = tyre_axes[kind][1];
  int column[2] = {vd_cells_column(&t->c, x->column), vd_cells_column(&t->c, y->column)}, of[GROUPS];
  bool moving = kind >= TRANSIENT;
  if (column[0] < 0 || column[1] < 0)
    return vd_tool_error("no column '%s' in %s%s", column[0] < 0 ? x->column : y->column, t->file,
                         moving ? ": is it of a transient rig?" : "");
  if (!moving && vd_cells_column(&t->c, "case") >= 0)
    return vd_tool_error("%s is of a transient rig; draw it with 'transient' or 'time'", t->file);
  for (size_t g = 0; g < GROUPS; g++) {
    of[g] = counts(kind, g) ? vd_cells_column(&t->c, groups[g].column) : -1;
    if (counts(kind, g) && of[g] < 0)
      return vd_tool_error("no column '%s' in %s", groups[g].column, t->file);
  }
  for (size_t r = 0; r < t->c.rows; r++) {
    double value[GROUPS];
    size_t l = 0;
    for (size_t g = 0; g < GROUPS; g++)
      value[g] = of[g] < 0 ? NAN : number_at(t, r, of[g]);
    while (l < lines->count && (lines->file[l] != file || memcmp(lines->value[l], value, sizeof value) != 0))
      l++;
    if (l == LINES)
      return vd_tool_error("more than %d lines are too many for a picture; leave values out", LINES);
    if (l == lines->count) {
      memcpy(lines->value[l], value, sizeof value);
      lines->file[lines->count++] = file;
      vd_kind_series(p, VD_STROKE_RUN, "", t->c.rows);
    }
    double px = number_at(t, r, column[0]) / x->size, py = number_at(t, r, column[1]) / y->size;
    if (isfinite(px) && isfinite(py))
      vd_kind_point(&p->series[l], px, py);
  }
  return true;
}

/* Returns the colour of a share of a range. If there are many lines, their colours follow the order of a quantity. */
unsigned vd_kind_ramp(double share) {
  static const int colour[][3] = {{16, 44, 122},  {31, 120, 200}, {27, 158, 119}, {140, 150, 20},
                                  {224, 130, 20}, {200, 30, 40},  {95, 0, 30}};
  int i = share >= 1.0 ? 5 : (int)(6.0 * share);
  unsigned rgb = 1;
  for (int k = 0; k < 3; k++)
    rgb = rgb << 8 | (unsigned)(colour[i][k] + (6.0 * share - i) * (colour[i + 1][k] - colour[i][k]) + 0.5);
  return rgb;
}

static void name_rig_lines(const char *const *file, size_t files, bool moving, const tyre_lines *lines, vd_arena *arena,
                           vd_picture *p) {
  bool differs[GROUPS] = {false}, any = false;
  for (size_t g = 0; g < GROUPS; g++) {
    for (size_t l = 1; l < lines->count; l++)
      differs[g] |= !isnan(lines->value[l][g]) && lines->value[l][g] != lines->value[0][g];
    /* a line of a transient rig has the number of its case in its name only if no other quantity tells it apart */
    differs[g] &= !(g + 1 == GROUPS && moving && any);
    any |= differs[g] && g < 4;
  }
  for (size_t l = 0, in_file = 0; l < lines->count; l++) {
    vd_buf text = {0};
    size_t each = (lines->count + files - 1) / files;
    in_file = l > 0 && lines->file[l] == lines->file[l - 1] ? in_file + 1 : 0;
    for (size_t g = 0; g < GROUPS; g++)
      if (differs[g] && !isnan(lines->value[l][g]))
        vd_buf_printf(&text, "%s%s%.4g%s", text.length ? ", " : "", groups[g].before,
                      lines->value[l][g] / groups[g].size + 0.0, groups[g].after);
    if (files > 1)
      vd_buf_printf(&text, "%s%s", text.length ? ", " : "", vd_plot_stem(file[lines->file[l]], arena));
    snprintf(p->series[l].name, sizeof p->series[l].name, "%s", text.length ? text.text : "");
    p->series[l].hue = 1 + (int)in_file % 7;
    p->series[l].dash = 1 + (int)lines->file[l] % 6;
    if (each > 7)
      p->series[l].rgb = vd_kind_ramp((double)in_file / (double)(each - 1));
    vd_buf_finish(&text);
  }
}

/* Ends a line at x. */
static void cut_line(vd_picture_series *s, double x) {
  size_t n = 0;
  while (n < s->count && s->x[n] <= x)
    n++;
  if (n > 0 && n < s->count) {
    s->y[n] = s->y[n - 1] + (s->y[n] - s->y[n - 1]) * (x - s->x[n - 1]) / (s->x[n] - s->x[n - 1]);
    s->x[n] = x;
    s->count = n + 1;
  }
}

bool vd_figure_tyre(const char *name, const char *const *file, size_t files, vd_arena *arena, vd_diag *d,
                    vd_drawing *out) {
  size_t kind = 0;
  static tyre_lines lines;
  while (kind < VD_COUNT(tyre_pictures) && strcmp(tyre_pictures[kind], name) != 0)
    kind++;
  if (kind == VD_COUNT(tyre_pictures))
    return vd_tool_error("no picture '%s' of a tyre; there are fy, fx, ellipse, mz, gough, transient and time", name);
  *out = (vd_drawing){.columns = 1, .under = ""};
  lines.count = 0;
  const axis *x = tyre_axes[kind][0], *y = tyre_axes[kind][1];
  char title[64];
  snprintf(title, sizeof title, "%c%s", y->name[0] - 'a' + 'A', y->name + 1);
  vd_picture *p = vd_kind_panel(out, 0, title, y->unit, x->name, x->unit);
  p->equal = kind == ELLIPSE;
  for (size_t l = 0; l < files; l++) {
    table t;
    if (!read_table(file[l], arena, d, &t) || !add_rig(kind, &t, l, &lines, p))
      return fail(out);
  }
  name_rig_lines(file, files, kind >= TRANSIENT, &lines, arena, p);
  double end = INFINITY;
  for (size_t l = 0; l < p->count && kind == TRANSIENT; l++)
    end = fmin(end, p->series[l].count ? p->series[l].x[p->series[l].count - 1] : 0.0);
  if (kind == TRANSIENT && !(end > 0.0))
    return vd_tool_error("a wheel stands still; draw it with 'time'") || fail(out);
  for (size_t l = 0; l < p->count && kind == TRANSIENT; l++)
    cut_line(&p->series[l], end);
  return true;
}

/* --- fits --- */

/* Draws a panel for each target of the runs that has curves. */
static bool fit_of_runs(const table *rows, const table *curves, vd_unit_habits *units, vd_arena *arena,
                        vd_drawing *out) {
  const table *of[] = {rows, curves};
  const char *key[64][2];
  for (int k = 0; k < 2; k++)
    for (size_t r = 0; r < of[k]->c.rows; r++) {
      const vd_cells *c = &of[k]->c;
      const char *data = word_at(of[k], r, vd_cells_column(c, "data"));
      const char *target = word_at(of[k], r, vd_cells_column(c, "target"));
      const char *over = word_at(of[k], r, vd_cells_column(c, "over"));
      size_t stem, i = 0;
      vd_shown_unit y = vd_shown_unit_of(target, vd_unit_at_end(target, &stem), units, arena);
      vd_shown_unit x = vd_shown_unit_of(over, vd_unit_at_end(over, &stem), units, arena);
      while (i < out->panels && (strcmp(key[i][0], data) != 0 || strcmp(key[i][1], target) != 0))
        i++;
      if (!*over || i == VD_COUNT(key) || !x.name || !y.name)
        continue;
      if (i == out->panels) {
        key[i][0] = data;
        key[i][1] = target;
        vd_picture *p = vd_kind_panel(out, (int)i, vd_arena_printf(arena, "%s: %s", data, vd_spoken(target, arena)),
                                      y.name, strcmp(over, "t_s") == 0 ? "time" : vd_spoken(over, arena), x.name);
        vd_kind_series(p, VD_STROKE_POINTS, "measured", rows->c.rows);
        vd_kind_series(p, VD_STROKE_RUN, "start", curves->c.rows)->hue = 5;
        vd_kind_series(p, VD_STROKE_RUN, "fitted", curves->c.rows)->hue = 2;
        p->series[2].dash = 1;
      }
      vd_picture *p = &out->panel[i].picture;
      const double at = number_at(of[k], r, vd_cells_column(c, "x")) / x.size;
      static const char *const column[] = {"measured", "start", "fitted"};
      for (int s = k; s < (k == 0 ? 1 : 3); s++)
        vd_kind_point(&p->series[s], at, number_at(of[k], r, vd_cells_column(c, column[s])) / y.size);
    }
  out->columns = out->panels > 1 ? 2 : 1;
  return out->panels > 0 || vd_tool_error("nothing to draw in %s: the fit is one of figures alone", rows->file);
}

/* Draws a panel for lateral and one for longitudinal forces. Each load has a curve, and the measured points that
 * are nearest to this load and whose other slip is small. */
static bool fit_of_tyre(const table *rows, const table *curves, vd_arena *arena, vd_drawing *out) {
  static const char *const names[] = {"alpha_rad", "kappa", "fy_N", "fx_N", "fz_N", "curve"};
  int at[2][VD_COUNT(names)];
  for (size_t i = 0; i < VD_COUNT(names); i++) {
    at[0][i] = vd_cells_column(&rows->c, names[i]);
    at[1][i] = vd_cells_column(&curves->c, names[i]);
    if (at[1][i] < 0 || (at[0][i] < 0 && (i < 2 || i == 4)))
      return vd_tool_error("no column '%s' in %s: is it of a fit?", names[i], at[1][i] < 0 ? curves->file : rows->file);
  }
  for (int k = 0; k < 2; k++) {                /* lateral, longitudinal */
    static const double small[] = {0.01, 0.5}; /* slip ratio; degrees */
    const double unit[] = {degree, 0.01};
    double load[LINES];
    size_t lines = 0;
    vd_picture *p = vd_kind_panel(out, k, k ? "Longitudinal force" : "Side force", "kN",
                                  k ? "slip ratio" : "slip angle", k ? "%" : "deg");
    for (size_t r = 0; r < curves->c.rows;) {
      size_t end = r;
      bool lateral = false;
      for (; end < curves->c.rows && number_at(curves, end, at[1][5]) == number_at(curves, r, at[1][5]); end++)
        lateral |= fabs(number_at(curves, end, at[1][0])) > 0.0;
      if (lateral == (k == 0) && lines < LINES) {
        load[lines] = number_at(curves, r, at[1][4]);
        vd_kind_series(p, VD_STROKE_MARKS, "", rows->c.rows)->hue = 1 + (int)lines % 7;
        vd_picture_series *s =
            vd_kind_series(p, VD_STROKE_RUN, vd_arena_printf(arena, "%.2f kN", 1e-3 * load[lines]), end - r);
        s->hue = 1 + (int)lines++ % 7;
        for (size_t i = r; i < end; i++)
          vd_kind_point(s, number_at(curves, i, at[1][k]) / unit[k], 1e-3 * number_at(curves, i, at[1][2 + k]));
      }
      r = end;
    }
    for (size_t r = 0; r < rows->c.rows && lines > 0; r++) {
      double other = fabs(number_at(rows, r, at[0][1 - k])) / (k ? degree : 1.0),
             force = number_at(rows, r, at[0][2 + k]);
      size_t near = 0;
      for (size_t l = 1; l < lines; l++)
        if (fabs(load[l] - number_at(rows, r, at[0][4])) < fabs(load[near] - number_at(rows, r, at[0][4])))
          near = l;
      if (other <= small[k] && isfinite(force))
        vd_kind_point(&p->series[2 * near], number_at(rows, r, at[0][k]) / unit[k], 1e-3 * force);
    }
    if (lines == 0)
      out->panels--;
  }
  out->columns = 2;
  return out->panels > 0 || vd_tool_error("no curves in %s", curves->file);
}

bool vd_figure_fit(const char *file, vd_unit_habits *units, vd_arena *arena, vd_diag *d, vd_drawing *out) {
  table rows, curves;
  *out = (vd_drawing){.columns = 1, .under = ""};
  const char *beside =
      vd_arena_printf(arena, "%.*s.curves.csv", (int)strlen(file) - (vd_ends_in(file, ".csv") ? 4 : 0), file);
  if (!read_table(file, arena, d, &rows) || !read_table(beside, arena, d, &curves))
    return false;
  bool runs = rows.c.columns > 1 && strcmp(rows.c.name[0], "data") == 0 && strcmp(rows.c.name[1], "target") == 0;
  return (runs ? fit_of_runs(&rows, &curves, units, arena, out) : fit_of_tyre(&rows, &curves, arena, out)) || fail(out);
}
