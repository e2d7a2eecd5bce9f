/* Tables of a profile from CSV, and what a profile reaches. */
#include "profile.h"
#include "table.h"

#include <sys/stat.h>

/* What a check needs to speak about the file. */
typedef struct context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} context;

static vd_place at(const context *ctx, const char *path) {
  return vd_tree_place(ctx->root, path);
}

static vd_place at_key(const context *ctx, const char *input, const char *key) {
  return vd_tree_place_in(ctx->root, input, key);
}

/* The column that the profile asks for, or the only one beside the time. */
static int value_column(const context *ctx, const char *input, const vd_profile *p, const vd_csv *csv, int time) {
  int column = *p->column ? vd_csv_column(csv, p->column) : csv->columns == 2 ? 1 - time : -1;
  if (column >= 0)
    return column;
  if (*p->column) {
    const char *near = vd_suggest(p->column, csv->name, csv->columns);
    vd_error(ctx->d, at_key(ctx, input, "column"), "no column '%s' in '%s'%s%s%s", p->column, p->file,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  } else {
    vd_error(ctx->d, at_key(ctx, input, "file"), "'%s' has %zu columns; say which with 'column'", p->file,
             csv->columns);
  }
  return -1;
}

/* Reads the CSV of a table into its points, so that the resolved scenario stands alone. */
static void load_table(const context *ctx, const char *input, vd_profile *p) {
  vd_csv csv;
  struct stat status;
  bool exists = stat(p->file, &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) { /* it could keep us waiting for ever */
    vd_error(ctx->d, at_key(ctx, input, "file"), "cannot open '%s': not a regular file", p->file);
    return;
  }
  if (!vd_csv_read(p->file, at_key(ctx, input, "file"), ctx->arena, ctx->d, &csv))
    return;
  int time = vd_csv_column(&csv, "t_s");
  if (time < 0) {
    vd_error(ctx->d, at_key(ctx, input, "file"), "no column 't_s' in '%s'", p->file);
    return;
  }
  int column = value_column(ctx, input, p, &csv, time);
  if (column < 0)
    return;
  double *xy = vd_arena_alloc(ctx->arena, 2 * csv.rows * sizeof *xy);
  for (size_t i = 0; i < csv.rows; i++) {
    const double *row = csv.value + i * csv.columns;
    xy[2 * i] = row[time];
    xy[2 * i + 1] = row[column];
    if (i > 0 && !(xy[2 * i] > xy[2 * i - 2])) {
      vd_error(ctx->d, at_key(ctx, input, "file"), "t_s must rise in '%s'; row %zu has %g after %g", p->file, i + 2,
               xy[2 * i], xy[2 * i - 2]);
      return;
    }
  }
  p->points = (vd_points){xy, csv.rows};
  p->file = p->column = "";
}

static void check_table(const context *ctx, const char *input, vd_profile *p) {
  bool file = *p->file != '\0', points = p->points.count > 0;
  if (file && points)
    vd_error(ctx->d, at_key(ctx, input, "file"), "a table has a file or points, not both");
  else if (file)
    load_table(ctx, input, p);
  else if (!points)
    vd_error(ctx->d, at(ctx, input), "the table of '%s' has neither file nor points", input);
  else if (*p->column)
    vd_error(ctx->d, at_key(ctx, input, "column"), "'column' belongs to a file");
}

void vd_profile_check(vd_profile *p, const char *key, double lowest, double highest, const char *unit,
                      const vd_node *root, vd_arena *arena, vd_diag *d) {
  const context c = {root, arena, d}, *ctx = &c;
  const char *input = key;
  double low, high;
  if (p->type == VD_PROFILE_TABLE) {
    check_table(ctx, input, p);
    if (p->points.count == 0)
      return;
  }
  vd_profile_range(p, &low, &high);
  if (low >= lowest && high <= highest)
    return;
  if (low == high)
    vd_error(ctx->d, at(ctx, input), "'%s' is %.9g; it must stay within %g to %g%s", input, low, lowest, highest, unit);
  else
    vd_error(ctx->d, at(ctx, input), "'%s' reaches from %.9g to %.9g; it must stay within %g to %g%s", input, low, high,
             lowest, highest, unit);
}
