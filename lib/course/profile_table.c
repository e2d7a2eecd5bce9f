/* Tables of a profile from CSV, and what a profile reaches. */
#include "course/profile.h"
#include "input/table.h"

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

/* Reads the CSV of a table into its points, so that the resolved scenario stands alone. */
static void load_table(const context *ctx, const char *input, vd_profile *p) {
  const vd_csv_file file = {p->file, ctx->root, input, ctx->arena, ctx->d};
  vd_csv csv;
  if (!vd_csv_open(&file, &csv))
    return;
  int time = vd_csv_column(&csv, "t_s");
  if (time < 0) {
    vd_error(ctx->d, at_key(ctx, input, "file"), "no column 't_s' in '%s'", p->file);
    return;
  }
  int column = vd_csv_choose(&file, &csv, "column", p->column, 1 - time);
  if (column >= 0 && vd_csv_points(&file, &csv, time, column, &p->points))
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
  if (p->type == VD_PROFILE_RANDOM) {
    vd_profile_random(p, arena);
    vd_profile_check_random(p, key, root, d);
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
