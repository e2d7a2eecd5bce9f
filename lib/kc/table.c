#include "kc/table.h"

#include "base/system.h"
#include "input/separated.h"
#include "input/table.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN(id, change, radius) [VD_CURVE_##id] = {VD_FIGURE_##id, change, radius},
const vd_curve_column vd_curve_columns[VD_CURVES] = {VD_CURVE_ROWS(COLUMN)};

const vd_kc_figure_info *vd_curve_figure(int quantity) {
  return &vd_kc_figures[vd_curve_columns[quantity].figure];
}

enum { MAX_BAD = 20 }; /* errors of one table; then reading stops */

/* A column in the field's unit or in SI; value * scale is in the field's unit. */
typedef struct column {
  int index; /* -1: the table does not have it */
  double scale;
} column;

typedef struct reading {
  vd_cells cells;
  vd_arena *arena;
  vd_diag *d;
  int source, sweep, side; /* numbers of these columns, or -1 */
  column input[VD_SWEEPS], value[VD_CURVES];
  column other; /* travel of the other wheel, which an axle joins to this one; only rows of parallel travel are read */
  column force[3];
  size_t errors;
} reading;

static vd_place whole(const reading *r) {
  return (vd_place){.source = r->source};
}

/* Finds the column `name', which ends with its unit; or the column with the SI unit in its place; or the column with
 * any unit that the file gives in brackets or below the names. */
static column find_named(reading *r, const char *name, const char *unit) {
  const size_t base = strlen(name) - (*unit ? strlen(unit) + 1 : 0);
  const bool angle = strcmp(unit, "deg") == 0, length = strcmp(unit, "mm") == 0;
  const char *in_si = vd_arena_printf(r->arena, "%.*s_%s", (int)base, name, angle ? "rad" : "m");
  column c = {vd_cells_column(&r->cells, name), 1.0};
  if (c.index < 0 && (angle || length))
    c = (column){vd_cells_column(&r->cells, in_si), angle ? 180.0 / VD_PI : 1000.0};
  for (size_t i = 0; i < r->cells.columns && c.index < 0; i++)
    if (*r->cells.unit[i] && strlen(r->cells.name[i]) == base && strncasecmp(r->cells.name[i], name, base) == 0)
      c.index = (int)i;
  const char *written = c.index < 0 ? "" : r->cells.unit[c.index];
  vd_unit wanted, stated;
  if (!*written)
    return c;
  vd_unit_parse(unit, strlen(unit), &wanted, NULL, NULL);
  if (!vd_separated_unit(written, strlen(written), &stated) ||
      !vd_dimension_equal(stated.dimension, wanted.dimension)) {
    vd_error(r->d, vd_cells_name_place(&r->cells, (size_t)c.index), "'%s' is no unit of %s", written, name);
    r->errors++;
  }
  c.scale = vd_unit_to_si(stated, 1.0) / vd_unit_to_si(wanted, 1.0);
  return c;
}

static column find_column(reading *r, const vd_kc_figure_info *f) {
  return find_named(r, f->column, f->unit);
}

static bool find_columns(reading *r) {
  static const enum vd_kc_figure force[] = {VD_FIGURE_FX, VD_FIGURE_FY, VD_FIGURE_MZ};
  bool known = false;
  r->sweep = find_column(r, &vd_kc_figures[VD_FIGURE_SWEEP]).index;
  r->side = find_column(r, &vd_kc_figures[VD_FIGURE_SIDE]).index;
  r->input[VD_KC_TRAVEL] = find_column(r, &vd_kc_figures[VD_FIGURE_TRAVEL]);
  r->input[VD_KC_RACK] = find_column(r, &vd_kc_figures[VD_FIGURE_RACK]);
  r->other = find_named(r, "other_travel_mm", "mm");
  for (size_t i = 0; i < VD_COUNT(force); i++)
    r->force[i] = find_column(r, &vd_kc_figures[force[i]]);
  for (int q = 0; q < VD_CURVES; q++) {
    r->value[q] = find_column(r, vd_curve_figure(q));
    known |= r->value[q].index >= 0;
  }
  bool input = r->input[VD_KC_TRAVEL].index >= 0 || r->input[VD_KC_RACK].index >= 0;
  if (!input)
    vd_error(r->d, whole(r), "no column 'travel_mm' or 'rack_mm'");
  else if (!known)
    vd_error(r->d, whole(r), "no column that can be compared, such as 'toe_deg'");
  return input && known && r->errors == 0;
}

static const char *field(const reading *r, size_t row, int index) {
  return r->cells.text[row * r->cells.columns + (size_t)index];
}

/* Returns the number of a field; NAN: the field is empty or there is no such column. */
static double number(reading *r, size_t row, column c) {
  double value = NAN;
  if (c.index >= 0 && *field(r, row, c.index) != '\0')
    r->errors += !vd_cells_number(&r->cells, row, (size_t)c.index, &value);
  return c.scale * value;
}

/* Returns whether an input is missing or zero. */
static bool idle(double value) {
  return isnan(value) || value == 0.0;
}

static bool belongs(reading *r, size_t row, enum vd_kc_sweep sweep) {
  if (r->side >= 0 && strcasecmp(field(r, row, r->side), vd_side_names[0]) != 0)
    return false;
  if (r->sweep >= 0)
    return strcasecmp(field(r, row, r->sweep), vd_kc_sweep_names[sweep]) == 0;
  enum vd_kc_sweep other = sweep == VD_KC_TRAVEL ? VD_KC_RACK : VD_KC_TRAVEL;
  if (r->other.index >= 0 && number(r, row, r->other) != number(r, row, r->input[VD_KC_TRAVEL]))
    return false;
  bool alone = idle(number(r, row, r->input[other]));
  for (size_t i = 0; i < VD_COUNT(r->force); i++)
    alone &= idle(number(r, row, r->force[i]));
  return alone;
}

typedef struct place_in_sweep {
  double at;
  size_t row;
} place_in_sweep;

static int by_place(const void *a, const void *b) {
  const place_in_sweep *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

static size_t collect(reading *r, enum vd_kc_sweep sweep, place_in_sweep *rows) {
  size_t count = 0;
  column input = r->input[sweep];
  for (size_t row = 0; row < r->cells.rows && input.index >= 0 && r->errors < MAX_BAD; row++) {
    if (!belongs(r, row, sweep))
      continue;
    rows[count] = (place_in_sweep){number(r, row, input), row};
    if (*field(r, row, input.index) == '\0') {
      vd_error(r->d, vd_cells_place(&r->cells, row, (size_t)input.index), "row of a %s sweep without %s",
               vd_kc_sweep_names[sweep], vd_kc_sweep_names[sweep]);
      r->errors++;
    }
    count++;
  }
  return count;
}

static bool check_order(reading *r, enum vd_kc_sweep sweep, const place_in_sweep *rows, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (rows[i].at > rows[i - 1].at)
      continue;
    size_t later = rows[i].row > rows[i - 1].row ? rows[i].row : rows[i - 1].row;
    return vd_error(r->d, vd_cells_place(&r->cells, later, (size_t)r->input[sweep].index), "a second row at %s %.9g mm",
                    vd_kc_sweep_names[sweep], rows[i].at);
  }
  return true;
}

static bool read_sweep(reading *r, enum vd_kc_sweep sweep, vd_kc_curves *c) {
  place_in_sweep *rows = vd_arena_alloc(r->arena, r->cells.rows * sizeof *rows);
  size_t count = collect(r, sweep, rows);
  if (r->errors > 0)
    return false;
  qsort(rows, count, sizeof *rows, by_place);
  if (!check_order(r, sweep, rows, count))
    return false;
  c->count = count;
  c->at = vd_arena_alloc(r->arena, (count + 1) * sizeof *c->at);
  for (size_t i = 0; i < count; i++)
    c->at[i] = rows[i].at;
  for (size_t q = 0; q < VD_CURVES; q++) {
    if (r->value[q].index < 0)
      continue;
    double *value = vd_arena_alloc(r->arena, (count + 1) * sizeof *value);
    bool some = false; /* a column without any number belongs to a figure that does not exist */
    for (size_t i = 0; i < count && r->errors < MAX_BAD; i++) {
      value[i] = number(r, rows[i].row, r->value[q]);
      some |= !isnan(value[i]);
    }
    c->value[q] = some ? value : NULL;
  }
  return r->errors == 0;
}

bool vd_kc_table_read(int source, vd_arena *arena, vd_diag *d, vd_kc_table *out) {
  reading r = {.arena = arena, .d = d, .source = source};
  *out = (vd_kc_table){0};
  if (!vd_cells_read(source, arena, d, &r.cells) || !find_columns(&r))
    return false;
  bool good = read_sweep(&r, VD_KC_TRAVEL, &out->sweep[VD_KC_TRAVEL]);
  good = good && read_sweep(&r, VD_KC_RACK, &out->sweep[VD_KC_RACK]);
  if (good && out->sweep[VD_KC_TRAVEL].count + out->sweep[VD_KC_RACK].count == 0)
    return vd_error(d, whole(&r), "no row of a travel or rack sweep of a left wheel");
  return good;
}

/* --- between rows --- */

enum { STENCIL = 5 };

/* Returns the weight of value j in the polynomial through the points at[] at x, or in its derivative (slope):
 * Lagrange's formula. */
static double weight(const double *at, int count, int j, double x, bool slope) {
  double sum = 0.0;
  for (int m = 0; m < (slope ? count : 1); m++) {
    if (slope && m == j)
      continue;
    double product = slope ? 1.0 / (at[j] - at[m]) : 1.0;
    for (int k = 0; k < count; k++)
      if (k != j && !(slope && k == m))
        product *= (x - at[k]) / (at[j] - at[k]);
    sum += product;
  }
  return sum;
}

static const double same = 1e-9; /* mm; places that are nearer than this are the same */

double vd_kc_curve_value(const vd_kc_curves *c, enum vd_curve_quantity q, double x) {
  enum { POINTS = 4 };
  const double *value = c->value[q];
  if (!value || c->count == 0)
    return NAN;
  size_t above = 0;
  while (above < c->count && c->at[above] < x - same)
    above++;
  if (above == c->count)
    return NAN;
  if (c->at[above] <= x + same)
    return value[above];
  if (above == 0)
    return NAN;
  size_t points = c->count < POINTS ? c->count : POINTS;
  size_t first = above < 2 ? 0 : above - 2;
  if (first + points > c->count)
    first = c->count - points;
  double sum = 0.0;
  for (size_t j = 0; j < points; j++)
    sum += value[first + j] * weight(c->at + first, (int)points, (int)j, x, false);
  return sum;
}

bool vd_kc_curve_slope(const vd_kc_curves *c, enum vd_curve_quantity q, double *slope) {
  double at[STENCIL], value[STENCIL];
  int count = 0, below = 0, above = 0;
  /* from the highest row down: below zero the nearest rows come first */
  for (size_t i = c->count; c->value[q] && i-- > 0;)
    if (c->at[i] < -same && !isnan(c->value[q][i]) && below < 2) {
      at[count] = c->at[i];
      value[count++] = c->value[q][i];
      below++;
    }
  for (size_t i = 0; c->value[q] && i < c->count; i++) {
    bool zero = fabs(c->at[i]) <= same;
    if (c->at[i] < -same || isnan(c->value[q][i]) || (!zero && above == 2))
      continue;
    at[count] = c->at[i];
    value[count++] = c->value[q][i];
    above += !zero;
  }
  if (below == 0 || above == 0)
    return false;
  *slope = 0.0;
  for (int j = 0; j < count; j++)
    *slope += value[j] * weight(at, count, j, 0.0, true);
  return true;
}
