/* What a claim says about a reference: tables, boundaries, baselines. */
#include "validation/claim_impl.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- tables --- */

static bool row_wanted(vd_claim_context *ctx, const vd_cells *table, size_t row, const int *column) {
  for (size_t i = 0; i < ctx->def->only.count; i++) {
    const char *text = strchr(ctx->def->only.name[i], '=') + 1;
    if (strcmp(table->text[row * table->columns + (size_t)column[i]], text) != 0)
      return false;
  }
  return true;
}

/* The rows that are meant. */
static size_t choose_rows(vd_claim_context *ctx, const vd_cells *table, size_t *chosen) {
  const vd_names *only = &ctx->def->only;
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
      vd_claim_at(ctx, vd_claim_format(ctx, "columns.%zu.%s", index, vd_said(def->column) ? "column" : "formula"));
  const vd_expression *formula = NULL;
  int column = 0;
  char why[256];
  if (vd_said(def->column) == vd_said(def->formula))
    vd_error(ctx->d, vd_claim_at_item(ctx, "columns", index), "'column' or 'formula' is needed, one of them");
  else if (vd_said(def->column))
    column = vd_claim_find_column(ctx, table, def->column, place);
  else
    formula = vd_expression_read(def->formula, place, NULL, ctx->arena, ctx->d);
  if (vd_said(def->column) == vd_said(def->formula) || column < 0 || (vd_said(def->formula) && !formula))
    return false;
  for (size_t i = 0; i < ctx->out->rows; i++) {
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

static void read_column(vd_claim_context *ctx, const vd_cells *table, const size_t *chosen,
                        const vd_claim_column_def *def, size_t index, vd_claim_column *out) {
  const vd_claim_quantity_info *info = &vd_claim_quantity_table[def->is];
  vd_place place = vd_claim_at_item(ctx, "columns", index);
  const char *unit = vd_said(def->unit) ? def->unit : info->unit;
  *out = (vd_claim_column){.name = vd_said(def->column) ? def->column : def->formula,
                           .is = (enum vd_claim_quantity)def->is,
                           .compared = !info->input,
                           .value = vd_arena_alloc(ctx->arena, (ctx->out->rows + 1) * sizeof(double))};
  if (!vd_quantity_unit(unit, strlen(unit), &out->unit))
    vd_error(ctx->d, place, "'%s' is no unit", unit);
  else if (!vd_claim_fits(&(vd_quantity){.unit = out->unit}, info->unit))
    vd_error(ctx->d, place, "'%s' is in %s or the like, not in %s", info->name, info->unit, unit);
  if (info->tyre != vd_said(ctx->def->tyre))
    vd_error(ctx->d, place, "'%s' is a quantity of a %s", info->name, info->tyre ? "tyre" : "suspension");
  if (info->input && def->tolerance.count > 0)
    vd_error(ctx->d, place, "'%s' is given and has no tolerance", info->name);
  if (!info->input) {
    vd_names tolerance = def->tolerance;
    vd_claim_tolerance(ctx, &tolerance, vd_claim_format(ctx, "columns.%zu.tolerance", index), info->unit,
                       &out->tolerance);
  }
  read_values(ctx, table, chosen, def, index, out);
}

void vd_claim_table(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  const vd_claim_column_def *columns = def->columns.item;
  vd_cells table;
  bool compared = false;
  if (vd_said(def->tyre) == vd_said(def->suspension)) {
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "a table is of a tyre or a suspension, one of them");
    return;
  }
  const char *part = vd_said(def->tyre) ? "tyre" : "suspension";
  vd_claim_is_there(ctx, vd_said(def->tyre) ? def->tyre : def->suspension, vd_claim_at(ctx, part));
  if (!vd_claim_cells(ctx, def->table, vd_claim_at(ctx, "table"), &table))
    return;
  size_t *chosen = vd_arena_alloc(ctx->arena, (table.rows + 1) * sizeof *chosen);
  if ((ctx->out->rows = choose_rows(ctx, &table, chosen)) == 0)
    return;
  ctx->out->column_count = def->columns.count;
  ctx->out->columns = vd_arena_alloc(ctx->arena, (def->columns.count + 1) * sizeof *ctx->out->columns);
  for (size_t i = 0; i < def->columns.count; i++) {
    read_column(ctx, &table, chosen, &columns[i], i, &ctx->out->columns[i]);
    compared |= ctx->out->columns[i].compared;
    for (size_t k = 0; k < i; k++)
      if (columns[k].is == columns[i].is)
        vd_error(ctx->d, vd_claim_at_item(ctx, "columns", i), "'%s' is there twice",
                 vd_claim_quantity_table[columns[i].is].name);
  }
  if (!compared)
    vd_error(ctx->d, vd_claim_at(ctx, "columns"), "nothing is compared");
}

/* --- boundaries --- */

static double *read_reference(vd_claim_context *ctx, const vd_cells *table, const char *name, vd_place place) {
  int column = vd_claim_find_column(ctx, table, name, place);
  double *value = vd_arena_alloc(ctx->arena, (table->rows + 1) * sizeof *value);
  if (column < 0)
    return NULL;
  for (size_t i = 0; i < table->rows; i++)
    if (!vd_cells_number(table, i, (size_t)column, &value[i]))
      return NULL;
  return value;
}

/* prefix: "curves.2." in its file. */
void vd_claim_curve_of(vd_claim_context *ctx, const vd_cells *table, const vd_claim_curve_def *def, const char *prefix,
                       vd_claim_curve *out) {
  struct {
    const char *key, *text;
    bool gain, along;
    double *to;
  } numbers[] = {{"x_offset", def->x_offset, false, true, &out->x_offset},
                 {"x_gain", def->x_gain, true, true, &out->x_gain},
                 {"y_offset", def->y_offset, false, false, &out->y_offset},
                 {"y_gain", def->y_gain, true, false, &out->y_gain}};
  out->x = vd_claim_need_channel(ctx, def->x, vd_claim_at(ctx, vd_claim_format(ctx, "%s.x", prefix)));
  out->y = vd_claim_need_channel(ctx, def->y, vd_claim_at(ctx, vd_claim_format(ctx, "%s.y", prefix)));
  if (!out->x || !out->y)
    return;
  for (size_t i = 0; i < VD_COUNT(numbers); i++) {
    const char *unit = numbers[i].gain ? "1" : numbers[i].along ? out->x->unit : out->y->unit;
    *numbers[i].to = vd_claim_number(ctx, numbers[i].text, numbers[i].key,
                                     vd_claim_at(ctx, vd_claim_format(ctx, "%s.%s", prefix, numbers[i].key)), unit);
  }
  if (out->y_offset == 0.0 && out->y_gain == 0.0)
    vd_error(ctx->d, vd_claim_at(ctx, prefix), "'y_offset' or 'y_gain' is needed");
  out->count = table->rows;
  out->reference_x =
      read_reference(ctx, table, vd_said(def->column_x) ? def->column_x : def->x, vd_claim_at(ctx, prefix));
  out->reference_y =
      read_reference(ctx, table, vd_said(def->column_y) ? def->column_y : def->y, vd_claim_at(ctx, prefix));
  vd_claim_need_channel(ctx, "t_s", vd_claim_at(ctx, prefix));
}

void vd_claim_curves(vd_claim_context *ctx) {
  const vd_claim_curve_def *curves = ctx->def->curves.item;
  vd_cells table;
  if (!vd_claim_cells(ctx, ctx->def->table, vd_claim_at(ctx, "table"), &table))
    return;
  ctx->out->curve_count = ctx->def->curves.count;
  ctx->out->curves = vd_arena_alloc(ctx->arena, (ctx->def->curves.count + 1) * sizeof *ctx->out->curves);
  for (size_t i = 0; i < ctx->def->curves.count; i++)
    vd_claim_curve_of(ctx, &table, &curves[i], vd_claim_format(ctx, "curves.%zu", i), &ctx->out->curves[i]);
  if (ctx->def->curves.count == 0)
    vd_error(ctx->d, vd_claim_at(ctx, "curves"), "no curve is compared");
}

/* --- baselines --- */

/* Empty fields may stand where there is no value. */
static void check_numbers(const vd_cells *table, size_t first, size_t end) {
  double value;
  for (size_t row = 0; row < table->rows; row++)
    for (size_t column = first; column < end; column++)
      if (*table->text[row * table->columns + column])
        vd_cells_number(table, row, column, &value);
}

/* Its metrics stand beside it under the same name. */
void vd_claim_baseline(vd_claim_context *ctx) {
  const char *path = ctx->def->baseline;
  size_t length = strlen(path);
  if (length < 5 || strcmp(path + length - 4, ".csv") != 0) {
    vd_error(ctx->d, vd_claim_at(ctx, "baseline"), "a baseline is a CSV file, NAME.csv");
    return;
  }
  const char *metrics = vd_claim_format(ctx, "%.*s.metrics.csv", (int)(length - 4), path);
  struct stat info;
  if (ctx->no_baselines || !vd_claim_cells(ctx, path, vd_claim_at(ctx, "baseline"), &ctx->out->baseline))
    return;
  check_numbers(&ctx->out->baseline, 0, ctx->out->baseline.columns);
  if (stat(metrics, &info) == 0 &&
      vd_claim_cells(ctx, metrics, vd_claim_at(ctx, "baseline"), &ctx->out->baseline_metrics)) {
    const vd_cells *m = &ctx->out->baseline_metrics;
    int value = vd_claim_find_column(ctx, m, "value", vd_claim_at(ctx, "baseline"));
    if (vd_claim_find_column(ctx, m, "metric", vd_claim_at(ctx, "baseline")) >= 0 && value >= 0)
      check_numbers(m, (size_t)value, (size_t)value + 1);
  }
}
