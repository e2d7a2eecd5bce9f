/* Claims that a tyre or a suspension reproduces the rows of a reference's table. */
#include "validation/claim_impl.h"
#include "validation/claim_sweep.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "input/schema.h"
#include "kc/sweep.h"
#include "linkage/corner_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- keys --- */

/* The state from which a figure of kinematics is read. */
enum when { NEVER, POSE, CHANGE, DESIGN };

typedef struct quantity_info {
  const char *name, *unit; /* unit NULL: the unit of the column, or the SI unit of the figure */
  enum vd_kc_figure figure;
  enum when when;
  bool tyre;  /* otherwise a quantity of a suspension */
  bool input; /* otherwise the quantity is compared */
} quantity_info;

/* clang-format off */
#define QUANTITY(id, n, u, t, i) [VD_Q_##id] = {.name = n, .unit = u, .tyre = t, .input = i},
#define FIGURE(id, n, f, w) [VD_Q_##id] = {.name = n, .figure = VD_FIGURE_##f, .when = w},
static const quantity_info quantity_table[] = {VD_CLAIM_QUANTITY_ROWS(QUANTITY, FIGURE)};
#undef QUANTITY
#undef FIGURE

#define NAME(id, name, ...) [VD_Q_##id] = name,
static const char *const quantity_names[] = {VD_CLAIM_QUANTITY_ROWS(NAME, NAME)[VD_CLAIM_QUANTITIES] = NULL};
#undef NAME

static const char *const sweep_names[] = {"none", "travel", "rack", "grid", "fx", "fy", "mz", "fz", "fx_centre", NULL};
_Static_assert(VD_COUNT(sweep_names) == VD_KC_SWEEPS + 2, "every sweep is named, and none");

static const vd_field column_fields[] = {
  {VD_F_CHOICE(vd_claim_column_def, is, "is", quantity_names, NULL, "quantity of the column")},
  {VD_F_STRING(vd_claim_column_def, column, "column", "\"\"", "name of the column in the table")},
  {VD_F_STRING(vd_claim_column_def, formula, "formula", "\"\"",
               "formula in place of a column; it contains names of columns of the table, in their units")},
  {VD_F_STRING(vd_claim_column_def, unit, "unit", "\"\"", "unit of the column's numbers; empty: SI")},
  {VD_F_LIST(vd_claim_column_def, tolerance, "tolerance", "[]", "allowed deviation of the column")},
};

static const vd_schema column_schema = {
    .name = "column", .size = sizeof(vd_claim_column_def), .field = column_fields, .count = VD_COUNT(column_fields)};

static const vd_field keys[] = {
  {VD_F_PATH(vd_claim_def, as.table.tyre, "tyre", "\"\"", "tyre file that must reproduce the table"),
   .only = VD_WHEN(VD_CLAIM_TABLE)},
  {VD_F_CHOICE(vd_claim_def, as.table.sweep, "sweep", sweep_names, "none",
               "the table has all rows of this sweep of the suspension, over the default range; "
               "none: each row gives its point"),
   .only = VD_WHEN(VD_CLAIM_TABLE)},
};

static const vd_field column_keys[] = {
  {VD_F_LIST(vd_claim_def, as.table.only, "only", "[]", "COLUMN=TEXT: only these rows of the table"),
   .only = VD_WHEN(VD_CLAIM_TABLE)},
  {VD_F_STRUCTS(vd_claim_def, as.table.columns, "columns", "1", &column_schema, NULL, "columns of the table"),
   .only = VD_WHEN(VD_CLAIM_TABLE)},
};
/* clang-format on */

const vd_schema vd_claim_column_keys = {.field = column_keys, .count = VD_COUNT(column_keys)};

/* --- reading --- */

static bool row_wanted(vd_claim_context *ctx, const vd_cells *table, size_t row, const int *column) {
  for (size_t i = 0; i < ctx->def->as.table.only.count; i++) {
    const char *text = strchr(ctx->def->as.table.only.name[i], '=') + 1;
    if (strcmp(table->text[row * table->columns + (size_t)column[i]], text) != 0)
      return false;
  }
  return true;
}

/* Chooses the rows of the table that the claim compares, by the key `only'. Returns their number. */
static size_t choose_rows(vd_claim_context *ctx, const vd_cells *table, size_t *chosen) {
  const vd_names *only = &ctx->def->as.table.only;
  int *column = vd_arena_alloc(ctx->arena, (only->count + 1) * sizeof *column);
  size_t count = 0;
  for (size_t i = 0; i < only->count; i++) {
    size_t equals = strcspn(only->name[i], "=");
    if (only->name[i][equals] == '\0') {
      vd_error(ctx->d, vd_claim_at_item(ctx, "only", i), "'only' needs COLUMN=TEXT, got '%s'", only->name[i]);
      return 0;
    }
    column[i] = vd_claim_find_column(ctx, table, vd_arena_copy(ctx->arena, only->name[i], equals),
                                     vd_claim_at_item(ctx, "only", i));
    if (column[i] < 0)
      return 0;
  }
  for (size_t row = 0; row < table->rows; row++)
    if (row_wanted(ctx, table, row, column))
      chosen[count++] = row;
  if (count == 0)
    vd_error(ctx->d, vd_claim_at(ctx, "only"), "the table has no such row");
  return count;
}

typedef struct table_row {
  const vd_cells *table;
  size_t row;
  bool failed;
} table_row;

static bool cell_by_name(void *context_, const char *name, double *value, const char **why) {
  table_row *r = context_;
  int column = vd_cells_column(r->table, name);
  (void)why;
  if (column < 0)
    return false;
  r->failed |= !vd_cells_number(r->table, r->row, (size_t)column, value);
  return !r->failed;
}

static bool read_values(vd_claim_context *ctx, const vd_cells *table, const size_t *chosen,
                        const vd_claim_column_def *def, size_t index, vd_claim_column *out) {
  vd_place place =
      vd_claim_at(ctx, vd_claim_format(ctx, "columns.%zu.%s", index, vd_is_given(def->column) ? "column" : "formula"));
  const vd_expression *formula = NULL;
  int column = 0;
  char why[256];
  if (vd_is_given(def->column) == vd_is_given(def->formula))
    vd_error(ctx->d, vd_claim_at_item(ctx, "columns", index), "either 'column' or 'formula' is needed");
  else if (vd_is_given(def->column))
    column = vd_claim_find_column(ctx, table, def->column, place);
  else
    formula = vd_expression_read(def->formula, place, NULL, ctx->arena, ctx->d);
  if (vd_is_given(def->column) == vd_is_given(def->formula) || column < 0 || (vd_is_given(def->formula) && !formula))
    return false;
  for (size_t i = 0; i < ctx->out->as.table.rows; i++) {
    table_row row = {table, chosen[i], false};
    vd_expression_world world = {.context = &row, .name = cell_by_name};
    double value = NAN;
    if (formula && isnan(value = vd_expression_value(formula, &world, why, sizeof why)) && !row.failed) {
      vd_error(ctx->d, place, "row %zu: %s", chosen[i] + 1, why);
      return false;
    }
    if (row.failed || (!formula && !vd_cells_number(table, chosen[i], (size_t)column, &value)))
      return false;
    out->value[i] = vd_unit_to_si(out->unit, value);
  }
  return true;
}

/* name_of returns the name of the compared quantity, or of the column of a sweep; unit_of returns its unit, or NULL if
 * it has none. */
static const char *name_of(const vd_claim_column_def *def) {
  return def->is == VD_Q_SWEPT ? def->column : quantity_table[def->is].name;
}

static const char *unit_of(const vd_claim_column_def *def) {
  const quantity_info *info = &quantity_table[def->is];
  const char *unit = def->is == VD_Q_SWEPT ? vd_kc_column_unit(def->column)
                     : info->when != NEVER ? vd_kc_figures[info->figure].si
                                           : info->unit;
  return unit && *unit ? unit : NULL;
}

static const char *unit_in_table(const vd_claim_column_def *def) {
  return vd_is_given(def->unit) ? def->unit : unit_of(def);
}

static void read_column(vd_claim_context *ctx, const vd_cells *table, const size_t *chosen,
                        const vd_claim_column_def *def, size_t index, vd_claim_column *out) {
  const quantity_info *info = &quantity_table[def->is];
  vd_place place = vd_claim_at_item(ctx, "columns", index);
  const char *unit = unit_in_table(def);
  if (!unit_of(def)) {
    *out = (vd_claim_column){.compared = true};
    vd_error(ctx->d, place, "vdsim-kc-sweep has no column of numbers '%s'", def->column);
    return;
  }
  *out = (vd_claim_column){.name = vd_is_given(def->column) ? def->column : def->formula,
                           .is = (enum vd_claim_quantity)def->is,
                           .compared = !info->input,
                           .value = vd_arena_alloc(ctx->arena, (ctx->out->as.table.rows + 1) * sizeof(double))};
  if (!vd_quantity_unit(unit, strlen(unit), &out->unit))
    vd_error(ctx->d, place, "'%s' is not a unit", unit);
  else if (!vd_claim_fits(&(vd_quantity){.unit = out->unit}, unit_of(def)))
    vd_error(ctx->d, place, "'%s' needs a unit of the dimension of %s, not %s", name_of(def), unit_of(def), unit);
  if (info->tyre != vd_is_given(ctx->def->as.table.tyre))
    vd_error(ctx->d, place, "'%s' is a quantity of a %s", info->name, info->tyre ? "tyre" : "suspension");
  if (ctx->def->as.table.sweep > 0 && def->is != VD_Q_SWEPT)
    vd_error(ctx->d, place, "with 'sweep' a column needs 'is: swept', not '%s'", info->name);
  if (info->input && def->tolerance.count > 0)
    vd_error(ctx->d, place, "'%s' is an input and cannot have a tolerance", info->name);
  if (!info->input) {
    vd_names tolerance = def->tolerance;
    vd_claim_tolerance(ctx, &tolerance, vd_claim_format(ctx, "columns.%zu.tolerance", index), unit_of(def),
                       &out->tolerance);
  }
  read_values(ctx, table, chosen, def, index, out);
}

static void read(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  const vd_claim_column_def *columns = def->as.table.columns.item;
  vd_cells table;
  bool compared = false;
  if (vd_is_given(def->as.table.tyre) == vd_is_given(def->suspension)) {
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "a table needs either a tyre or a suspension");
    return;
  }
  const char *part = vd_is_given(def->as.table.tyre) ? "tyre" : "suspension";
  vd_claim_file_exists(ctx, vd_is_given(def->as.table.tyre) ? def->as.table.tyre : def->suspension,
                       vd_claim_at(ctx, part));
  if (!vd_claim_cells(ctx, def->table, vd_claim_at(ctx, "table"), &table))
    return;
  size_t *chosen = vd_arena_alloc(ctx->arena, (table.rows + 1) * sizeof *chosen);
  if ((ctx->out->as.table.rows = choose_rows(ctx, &table, chosen)) == 0)
    return;
  ctx->out->as.table.column_count = def->as.table.columns.count;
  ctx->out->as.table.columns =
      vd_arena_alloc(ctx->arena, (def->as.table.columns.count + 1) * sizeof *ctx->out->as.table.columns);
  for (size_t i = 0; i < def->as.table.columns.count; i++) {
    read_column(ctx, &table, chosen, &columns[i], i, &ctx->out->as.table.columns[i]);
    compared |= ctx->out->as.table.columns[i].compared;
    for (size_t k = 0; k < i; k++)
      if (columns[k].is == columns[i].is && strcmp(name_of(&columns[k]), name_of(&columns[i])) == 0)
        vd_error(ctx->d, vd_claim_at_item(ctx, "columns", i), "column '%s' is given twice", name_of(&columns[i]));
  }
  if (!compared)
    vd_error(ctx->d, vd_claim_at(ctx, "columns"), "nothing is compared");
}

/* --- judging --- */

static double out_of_si(vd_unit u, double si) {
  return si * u.denominator / u.numerator;
}

static bool refuse_input(const vd_claim_case *c, vd_diag *d) {
  char *text = vd_performed_words(d);
  vd_case_refuse(c, "%.*s", (int)strcspn(text, "\n"), text);
  free(text);
  return false;
}

typedef double row_values[VD_CLAIM_QUANTITIES];

/* Sets inputs that a table does not give to their defaults. */
static void inputs_of(const vd_claim *claim, size_t row, row_values v) {
  for (int q = 0; q < VD_CLAIM_QUANTITIES; q++)
    v[q] = quantity_table[q].input ? 0.0 : NAN;
  v[VD_Q_PRESSURE] = NAN; /* the pressure of the tyre */
  v[VD_Q_SPEED] = 60.0 / 3.6;
  for (size_t i = 0; i < claim->as.table.column_count; i++)
    if (!claim->as.table.columns[i].compared)
      v[claim->as.table.columns[i].is] = claim->as.table.columns[i].value[row];
}

static const vd_claim_column_def *column_def(const vd_claim *claim, size_t i) {
  return (const vd_claim_column_def *)claim->def->as.table.columns.item + i;
}

/* Copies the results of the claim's columns, in SI. */
static void take_row(const vd_claim *claim, const row_values v, double *got) {
  for (size_t i = 0; i < claim->as.table.column_count; i++)
    if (claim->as.table.columns[i].is != VD_Q_SWEPT)
      got[i] = v[claim->as.table.columns[i].is];
}

/* Compares one row; got: results in SI. */
static void compare_row(const vd_claim_case *c, size_t row, const double *got) {
  for (size_t i = 0; i < c->claim->as.table.column_count; i++) {
    const vd_claim_column *k = &c->claim->as.table.columns[i];
    if (!k->compared)
      continue;
    char name[96], unit[24];
    const vd_claim_column_def *def = column_def(c->claim, i);
    snprintf(name, sizeof name, "%.60s in row %zu", name_of(def), row + 1);
    snprintf(unit, sizeof unit, "%s", unit_in_table(def));
    double allowed = out_of_si(k->unit, vd_tolerance_allowed(&k->tolerance, k->value[row]));
    vd_case_compare(c, out_of_si(k->unit, k->value[row]), out_of_si(k->unit, got[i]), allowed, unit, name);
  }
}

/* --- pictures --- */

/* All results in SI: the claim's columns, row by row. */
typedef struct answers {
  double *value;
  size_t columns;
} answers;

static answers answers_start(const vd_claim_case *c) {
  size_t columns = c->claim->as.table.column_count;
  answers a = {vd_allocate((c->claim->as.table.rows + 1) * (columns + 1), sizeof *a.value), columns};
  return a;
}

static double *answers_row(const answers *a, size_t row) {
  return a->value + row * a->columns;
}

static double row_allowed(const vd_claim_case *c, const vd_claim_column *k, size_t row) {
  return c->how->scale * vd_tolerance_allowed(&k->tolerance, k->value[row]);
}

static double row_share(const vd_claim_case *c, const vd_claim_column *k, size_t row, double got) {
  double allowed = row_allowed(c, k, row), off = fabs(got - k->value[row]);
  return off == 0.0 ? 0.0 : allowed > 0.0 ? off / allowed : INFINITY;
}

/* A row with its inputs; the abscissa is the last input. */
typedef struct place {
  double input[VD_CLAIM_QUANTITIES];
  size_t row;
} place;

static int by_inputs(const void *a, const void *b) {
  const place *x = a, *y = b;
  for (size_t i = 0; i < VD_CLAIM_QUANTITIES; i++)
    if (x->input[i] != y->input[i])
      return x->input[i] < y->input[i] ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static size_t distinct(const double *value, size_t count) {
  double *sorted = vd_allocate(count + 1, sizeof *sorted);
  size_t n = count > 0;
  memcpy(sorted, value, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_value);
  for (size_t i = 1; i < count; i++)
    n += sorted[i] != sorted[i - 1];
  free(sorted);
  return n;
}

/* The rows, sorted as curves over the input with the most values. Rows of one curve differ in this input only. */
typedef struct curves {
  const vd_claim_column *over; /* NULL: there are no curves worth drawing */
  const char *unit;
  place *place;
} curves;

static bool same_curve(const place *a, const place *b) {
  return memcmp(a->input, b->input, sizeof a->input - sizeof a->input[0]) == 0;
}

static curves curves_of(const vd_claim *claim) {
  curves k = {.unit = "", .place = vd_allocate(claim->as.table.rows + 1, sizeof *k.place)};
  size_t most = 1, count = 1;
  for (size_t i = 0; i < claim->as.table.column_count; i++) {
    size_t n =
        claim->as.table.columns[i].compared ? 0 : distinct(claim->as.table.columns[i].value, claim->as.table.rows);
    if (n > most) {
      most = n;
      k.over = &claim->as.table.columns[i];
      k.unit = unit_in_table(column_def(claim, i));
    }
  }
  for (size_t row = 0; row < claim->as.table.rows; row++) {
    k.place[row].row = row;
    for (size_t i = 0, n = 0; i < claim->as.table.column_count; i++)
      if (!claim->as.table.columns[i].compared)
        k.place[row].input[&claim->as.table.columns[i] == k.over ? VD_CLAIM_QUANTITIES - 1 : n++] =
            claim->as.table.columns[i].value[row];
  }
  qsort(k.place, claim->as.table.rows, sizeof *k.place, by_inputs);
  for (size_t i = 1; i < claim->as.table.rows; i++)
    count += !same_curve(&k.place[i], &k.place[i - 1]);
  if (claim->as.table.rows < 5 * count)
    k.over = NULL;
  return k;
}

/* Draws results and reference over the input. Without curves over an input, it draws the results over the reference,
 * where equal values lie on a straight line. */
static void draw_column(const vd_claim_case *c, const answers *a, const curves *k, size_t i) {
  const vd_claim *claim = c->claim;
  const vd_claim_column *column = &claim->as.table.columns[i];
  const char *name = name_of(column_def(claim, i)), *unit = unit_in_table(column_def(claim, i));
  size_t rows = claim->as.table.rows, points = 0;
  double *x = vd_allocate(6 * rows + 1, sizeof *x), *y = x + rows, *run_x = y + rows, *run_y = run_x + 2 * rows,
         share = 0.0;
  for (size_t n = 0; n < rows; n++) {
    size_t row = k->place[n].row;
    double got = answers_row(a, row)[i];
    y[n] = out_of_si(column->unit, column->value[row]);
    x[n] = k->over ? out_of_si(k->over->unit, k->over->value[row]) : y[n];
    share = vd_max(share, row_share(c, column, row, got));
    if (k->over && n > 0 && !same_curve(&k->place[n], &k->place[n - 1])) {
      run_x[points] = x[n];
      run_y[points++] = NAN;
    }
    run_x[points] = x[n];
    run_y[points++] = out_of_si(column->unit, got);
  }
  if (k->over) {
    vd_picture *p = vd_case_picture(c, name, quantity_table[k->over->is].name, k->unit, unit, share);
    vd_picture_add(p, VD_STROKE_RUN, "model", run_x, run_y, points);
    vd_picture_add(p, VD_STROKE_POINTS, "table", x, y, rows);
  } else {
    double least = y[0], most = y[0], wide = 0.0, allowed = 0.0;
    for (size_t n = 0; n < rows; n++) {
      allowed = out_of_si(column->unit, row_allowed(c, column, k->place[n].row));
      least = vd_min(least, y[n]);
      most = vd_max(most, y[n]);
      wide = vd_max(wide, vd_max(fabs(run_y[n] - y[n]), isfinite(allowed) ? allowed : 0.0));
    }
    /* the axis of a single row gets a range that is at least as wide as its tolerance or deviation */
    double margin = 1.5 * (wide > 0.0 ? wide : 0.01 * fabs(most));
    const double ends[] = {least - margin, most + margin};
    vd_picture *p = vd_case_picture(c, name, "in the table", unit, unit, share);
    vd_picture_add(p, VD_STROKE_MARKS, "model", run_x, run_y, points);
    vd_picture_add(p, VD_STROKE_OTHER, "equal", ends, ends, 2);
    if (rows == 1)
      vd_picture_band(p, ends, (double[]){y[0], y[0]}, 2, allowed);
  }
  free(x);
}

static void draw(const vd_claim_case *c, answers *a) {
  if (c->how->pictures && c->out->reason[0] == '\0') {
    curves k = curves_of(c->claim);
    for (size_t i = 0; i < c->claim->as.table.column_count; i++)
      if (c->claim->as.table.columns[i].compared)
        draw_column(c, a, &k, i);
    free(k.place);
  }
  free(a->value);
}

/* --- tyres --- */

static void evaluate_tyre(const vd_tyre *tyre, row_values v) {
  vd_tyre own = *tyre;
  vd_tyre_answer a;
  if (!isnan(v[VD_Q_PRESSURE]))
    vd_tyre_inflate(&own, v[VD_Q_PRESSURE]);
  vd_tyre_question q = {.kappa = v[VD_Q_KAPPA],
                        .tan_alpha = vd_tan(v[VD_Q_ALPHA]),
                        .vx = v[VD_Q_SPEED],
                        .camber = v[VD_Q_GAMMA],
                        .curvature = v[VD_Q_CURVATURE],
                        .ground_friction = 1.0,
                        .load = v[VD_Q_LOAD],
                        .radius = 0.3};
  vd_tyre_ask(&own, &q, &a);
  v[VD_Q_FX] = a.fx;
  v[VD_Q_FY] = a.fy;
  v[VD_Q_MX] = a.mx;
  v[VD_Q_MY] = a.my;
  v[VD_Q_MZ] = a.mz;
  v[VD_Q_PNEUMATIC_TRAIL] = a.trail;
  v[VD_Q_RESIDUAL_MOMENT] = a.residual;
  v[VD_Q_MU_X] = a.mu_x;
  v[VD_Q_MU_Y] = a.mu_y;
  v[VD_Q_SLIP_STIFFNESS] = a.slip_stiffness;
  v[VD_Q_CORNERING_STIFFNESS] = a.cornering_stiffness;
  v[VD_Q_SIGMA_X] = a.sigma_x;
  v[VD_Q_SIGMA_Y] = a.sigma_y;
  v[VD_Q_RE] = a.rolling_radius;
  v[VD_Q_LOADED_RADIUS] = a.loaded_radius;
  v[VD_Q_CONTACT_LENGTH] = a.contact_length;
  v[VD_Q_CONTACT_WIDTH] = a.contact_width;
}

static void judge_tyre(const vd_claim_case *c, vd_arena *arena, vd_diag *d) {
  const vd_claim_def *def = c->claim->def;
  vd_tyre_def *tyre_def = vd_arena_alloc(arena, sizeof *tyre_def);
  vd_node *root;
  bool good = vd_schema_read(&vd_tyre_schema, def->as.table.tyre, c->claim->run.set, c->claim->run.set_count, arena, d,
                             tyre_def, &root);
  if (good) {
    vd_tyre_complete(tyre_def, NULL, root, "", arena, d);
    vd_tyre_check(tyre_def, root, "", d);
  }
  if (vd_diag_errors(d) > 0) {
    refuse_input(c, d);
    return;
  }
  vd_tyre tyre;
  vd_tyre_build(tyre_def, false, &tyre);
  answers a = answers_start(c);
  for (size_t row = 0; row < c->claim->as.table.rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    evaluate_tyre(&tyre, v);
    take_row(c->claim, v, answers_row(&a, row));
    compare_row(c, row, answers_row(&a, row));
  }
  draw(c, &a);
}

/* --- suspensions --- */

/* Reads figures from the row's state `at' and from the design position. Some states have only figures of the wheel's
 * position. */
static void ask_figures(const vd_linkage *l, const vd_kc_state *at, const vd_kc_state *design, row_values v) {
  const vd_kc_row here = vd_kc_row_of(l, at), there = vd_kc_row_of(l, design);
  for (int q = 0; q < VD_CLAIM_QUANTITIES; q++) {
    const enum vd_kc_figure figure = quantity_table[q].figure;
    switch (quantity_table[q].when) {
    case NEVER: break;
    case POSE: v[q] = vd_kc_figure_si(figure, &here); break;
    case CHANGE: v[q] = vd_kc_figure_si(figure, &here) - vd_kc_figure_si(figure, &there); break;
    case DESIGN: v[q] = vd_kc_figure_si(figure, &there); break;
    }
  }
}

/* True if the table has a column of loads; its rows are then equilibria on bushings. */
static bool is_loaded(const vd_claim *claim) {
  for (size_t i = 0; i < claim->as.table.column_count; i++) {
    enum vd_claim_quantity is = claim->as.table.columns[i].is;
    if (is >= VD_Q_LOAD_FX && is <= VD_Q_LOAD_FX_CENTRE)
      return true;
  }
  return false;
}

/* Computes the place of the wheel on its bushings, with its centre held by a jack. False: there is no equilibrium. */
static bool evaluate_elastic(vd_compliance *elastic, const vd_linkage *l, vd_pose *pose, const vd_kc_state *design,
                             row_values v) {
  const double u[VD_INPUTS] = {v[VD_Q_TRAVEL], v[VD_Q_RACK]};
  const vd_wheel_load load = {.fx = v[VD_Q_LOAD_FX],
                              .fy = v[VD_Q_LOAD_FY],
                              .fz = v[VD_Q_LOAD_FZ],
                              .mz = v[VD_Q_LOAD_MZ],
                              .centre = {v[VD_Q_LOAD_FX_CENTRE]}};
  vd_compliance_state state = {.pose = *pose};
  vd_kc_state s;
  if (!vd_compliance_solve(elastic, u, &load, &state))
    return false;
  vd_kc_place_at(l, &state.pose, &s);
  ask_figures(l, &s, design, v);
  v[VD_Q_SUPPORT] = state.support;
  return true;
}

static bool is_swept(const vd_claim *claim) {
  for (size_t i = 0; i < claim->as.table.column_count; i++)
    if (claim->as.table.columns[i].is == VD_Q_SWEPT)
      return true;
  return false;
}

static void judge_sweep(const vd_claim_case *c, const vd_corner *corner) {
  answers a = answers_start(c);
  size_t rows = c->claim->as.table.rows;
  long found = vd_claim_sweep_all(corner, c->claim, a.value);
  if (found != (long)rows)
    vd_case_refuse(c, "the sweep has %ld rows, the table %zu", found, rows);
  for (size_t row = 0; row < rows && found == (long)rows; row++)
    compare_row(c, row, answers_row(&a, row));
  draw(c, &a);
}

static void judge_suspension(const vd_claim_case *c, vd_arena *arena, vd_diag *d) {
  const vd_claim_def *def = c->claim->def;
  vd_corner corner;
  vd_linkage l;
  vd_pose design, pose;
  vd_kc_state at_design;
  if (!vd_corner_read(def->suspension, c->claim->run.set, c->claim->run.set_count, arena, d, &corner, NULL)) {
    refuse_input(c, d);
    return;
  }
  if (!vd_linkage_build(&corner.points, VD_PARALLEL, &l)) {
    vd_case_refuse(c, "at the design position the links do not constrain the wheel");
    return;
  }
  if (def->as.table.sweep > 0) {
    judge_sweep(c, &corner);
    return;
  }
  vd_linkage_start(&l, &design);
  vd_kc_state_at(&corner, &l, &design, &at_design);
  vd_compliance *elastic = is_loaded(c->claim) ? vd_compliance_create(&corner, &l, VD_HOLD_CENTRE) : NULL;
  bool swept = is_swept(c->claim);
  answers a = answers_start(c);
  for (size_t row = 0; row < c->claim->as.table.rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    const double u[VD_INPUTS] = {v[VD_Q_TRAVEL], v[VD_Q_RACK]};
    pose = design;
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK) {
      vd_case_refuse(c, "row %zu: the linkage does not reach travel %g m, rack %g m", row + 1, u[0], u[1]);
      break;
    }
    if (!elastic) {
      vd_kc_state s;
      vd_kc_state_at(&corner, &l, &pose, &s);
      ask_figures(&l, &s, &at_design, v);
    } else if (!evaluate_elastic(elastic, &l, &pose, &at_design, v)) {
      vd_case_refuse(c, "row %zu: there is no equilibrium at travel %g m, rack %g m", row + 1, u[0], u[1]);
      break;
    }
    take_row(c->claim, v, answers_row(&a, row));
    if (swept && !vd_claim_sweep_point(&corner, c->claim, v, elastic != NULL, answers_row(&a, row))) {
      vd_case_refuse(c, "row %zu: the sweep does not reach travel %g m, rack %g m", row + 1, u[0], u[1]);
      break;
    }
    compare_row(c, row, answers_row(&a, row));
  }
  vd_compliance_destroy(elastic);
  draw(c, &a);
}

static void judge(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)run;
  (void)other;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_performed_diag(&c->claim->run);
  if (vd_is_given(c->claim->def->as.table.tyre))
    judge_tyre(c, arena, d);
  else
    judge_suspension(c, arena, d);
  vd_performed_note(&c->claim->run, d);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

const vd_claim_variant vd_table_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)}, .part = true, .read = read, .judge = judge};

const char *vd_claim_tyre(const vd_claim *claim) {
  return claim->def->kind == VD_CLAIM_TABLE ? claim->def->as.table.tyre : NULL;
}
