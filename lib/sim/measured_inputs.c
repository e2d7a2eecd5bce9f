#include "sim/measured_inputs.h"

#include "base/base.h"
#include "input/schema.h"
#include "math/butterworth.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#define ONE(symbol, key, unit, lowest, highest, part, family, member, flags, help, ...) \
  COLUMN(VD_IN_##symbol, key, unit, help)
#define EACH(symbol, key, unit, lowest, highest, part, family, member, flags, before, after, ...) \
  VD_EACH_WHEEL(OF_WHEEL, VD_IN_##symbol##_FL, key, unit, before, after)
#define OF_WHEEL(wheel, name, words, first, key, unit, before, after) \
  COLUMN(first + wheel, key name, unit, before words " wheel" after)
#define COLUMN(index, key, unit, help) \
  {VD_F_STRUCT(vd_measured_columns, of[index], vd_column_def, key, unit, &vd_column_schema, VD_OMIT_DEFAULT, "{}", \
      help)},

static const vd_field column_fields[] = {VD_INPUT_LIST(ONE, EACH, , )};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_measured_columns, column_fields)};

static const vd_field fields[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_measured_inputs_def, time, vd_column_def, "time", "s", &vd_column_schema, VD_OMIT_DEFAULT, "{}",
      "column of the time of the run, after its scale and offset; empty: t_s, time_s, time or t")},
  {VD_F_STRUCT(vd_measured_inputs_def, columns, vd_measured_columns, "columns", "1", &columns_schema, VD_OMIT_DEFAULT,
      "{}",
      "columns of the inputs in the file; other columns are not used")},
  {VD_F_NUMBER(vd_measured_inputs_def, interval, "interval", "s", 0, 1e6, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "interval at which the rows are resampled, by linear interpolation, except gears; auto: the mean interval if "
      "there is a cutoff, otherwise no resampling")},
  {VD_F_NUMBER(vd_measured_inputs_def, cutoff, "cutoff", "1/s", 0, 1e6, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "low-pass filter without phase shift: Butterworth of second order, forwards and backwards, gain 1/2 at this "
      "frequency; gears are not filtered; auto: none")},
};
/* clang-format on */

const vd_schema vd_measured_inputs_schema = {.name = "measured", VD_SCHEMA_ROWS(vd_measured_inputs_def, fields)};

/* The inputs that are read, and data for messages. */
typedef struct context {
  const vd_measured_inputs_def *def;
  const vd_node *root;
  const char *path;
  vd_arena *arena;
  vd_diag *d;
  vd_measured table; /* columns: the inputs, then the time */
} context;

static bool is_named(const context *ctx, int i) {
  return *ctx->def->columns.of[i].column != '\0';
}

static bool read_table(context *ctx) {
  static const char *const no_names[] = {NULL}, *const time_names[] = {"t_s", "time_s", "time", "t", NULL};
  vd_measured_quantity want[VD_INPUT_KINDS + 1];
  vd_buf key = {0};
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    key.length = 0;
    vd_buf_printf(&key, "columns.%s", vd_input_table[i].key);
    want[i] = (vd_measured_quantity){vd_arena_copy(ctx->arena, key.text, key.length), vd_input_table[i].unit, no_names,
                                     &ctx->def->columns.of[i], VD_COLUMN_OPTIONAL};
  }
  vd_buf_finish(&key);
  want[VD_INPUT_KINDS] = (vd_measured_quantity){"time", "s", time_names, &ctx->def->time, VD_COLUMN_NEEDED};
  return vd_measured_read(&ctx->def->table, ctx->root, ctx->path, want, VD_COUNT(want), ctx->arena, ctx->d,
                          &ctx->table) &&
         vd_measured_rises(&ctx->table, VD_INPUT_KINDS, "time", "s", ctx->d);
}

/* Returns even samples, by linear interpolation between the rows: values at time[0] + k interval. */
static double *sample(const context *ctx, const double *value, double interval, size_t count) {
  const double *time = ctx->table.value[VD_INPUT_KINDS];
  double *out = vd_arena_alloc(ctx->arena, count * sizeof *out);
  size_t row = 0;
  for (size_t k = 0; k < count; k++) {
    double t = time[0] + (double)k * interval;
    while (row + 2 < ctx->table.rows && time[row + 1] <= t)
      row++;
    double share = (t - time[row]) / (time[row + 1] - time[row]);
    out[k] = value[row] + vd_max(0.0, vd_min(share, 1.0)) * (value[row + 1] - value[row]);
  }
  return out;
}

/* Returns the interval of even samples; 0: the rows are used as they are. NAN after an error. */
static double even_interval(const context *ctx) {
  const vd_measured_inputs_def *def = ctx->def;
  const double *time = ctx->table.value[VD_INPUT_KINDS];
  size_t rows = ctx->table.rows;
  double length = time[rows - 1] - time[0];
  double interval = !isnan(def->interval) ? def->interval : isnan(def->cutoff) ? 0.0 : length / (double)(rows - 1);
  if (interval == 0.0)
    return 0.0;
  if (!(rows >= 2 && interval <= length && length / interval <= 1e7)) {
    vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, "interval"), "rows over %g s cannot be sampled every %g s",
             length, interval);
    return NAN;
  }
  if (!isnan(def->cutoff) && !(def->cutoff < 0.5 / interval)) {
    vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, "cutoff"),
             "a cutoff of %g Hz is not below %g Hz, half of the sampling frequency", def->cutoff, 0.5 / interval);
    return NAN;
  }
  return interval;
}

/* Makes the profile of input i. */
static void make_table(const context *ctx, int i, double interval, vd_profile_def *out) {
  enum { POLES = 4 }; /* poles of the forward and the backward pass together */
  const double *time = ctx->table.value[VD_INPUT_KINDS], *value = ctx->table.value[i];
  size_t count = ctx->table.rows;
  bool integer = i == VD_IN_GEAR, even = interval > 0.0 && !integer;
  if (even) {
    count = (size_t)floor((time[count - 1] - time[0]) / interval * (1.0 + 1e-12)) + 1;
    double *samples = sample(ctx, value, interval, count);
    if (!isnan(ctx->def->cutoff))
      vd_butterworth(samples, count, 1.0 / interval, ctx->def->cutoff, POLES);
    value = samples;
  }
  double *xy = vd_arena_alloc(ctx->arena, 2 * count * sizeof *xy);
  for (size_t k = 0; k < count; k++) {
    xy[2 * k] = even ? time[0] + (double)k * interval : time[k];
    xy[2 * k + 1] = value[k];
  }
  const vd_profile_table table = {.points = {xy, count},
                                  .interpolation = integer ? VD_INTERPOLATE_HOLD : VD_INTERPOLATE_SMOOTH};
  *out = (vd_profile_def){.profile = {.type = VD_PROFILE_TABLE, .as.table = table},
                          .table = VD_NO_FILE,
                          .time = VD_NO_COLUMN,
                          .column = VD_NO_COLUMN};
}

bool vd_measured_inputs_read(vd_measured_inputs_def *def, const vd_node *root, const char *path, vd_arena *arena,
                             vd_diag *d, vd_inputs_def *inputs) {
  context ctx = {.def = def, .root = root, .path = path, .arena = arena, .d = d};
  bool good = true;
  int named = 0;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    const vd_column_def *column_def = &def->columns.of[i];
    const char *key = vd_input_table[i].key;
    bool given = vd_profile_is_given(&inputs->input[i].profile), is = *column_def->column != '\0';
    bool unnamed = !is && vd_column_is_given(column_def);
    named += is;
    good &= !unnamed && !(is && given);
    if (unnamed)
      vd_error(d, vd_tree_place_in(root, path, "columns"), "the column of '%s' has no name", key);
    if (is && given)
      vd_error(d, vd_tree_place(root, key), "'%s' is given here and by 'measured'", key);
  }
  if (!*def->table.file) {
    vd_error(d, vd_tree_place(root, path), "'measured' needs a file");
    return false;
  }
  if (named == 0 && good)
    vd_error(d, vd_tree_place(root, path), "no column of the file is an input: name one in 'columns'");
  if (named == 0 || !good || !read_table(&ctx))
    return false;
  double interval = even_interval(&ctx);
  if (isnan(interval))
    return false;
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (is_named(&ctx, i))
      make_table(&ctx, i, interval, &inputs->input[i]);
  *def = (vd_measured_inputs_def){.table = VD_NO_FILE, .time = VD_NO_COLUMN, .interval = NAN, .cutoff = NAN};
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    def->columns.of[i] = VD_NO_COLUMN;
  return true;
}
