/* Claims that curves of a reference lie inside the boundaries around the curves of a run. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- keys --- */

/* clang-format off */
static const vd_field curve_fields[] = {
  {VD_F_STRING(vd_claim_curve_def, y, "y", NULL, "channel of the y axis")},
  {VD_F_STRING(vd_claim_curve_def, x, "x", "t_s", "channel of the x axis: time, or another channel for a cross plot")},
  {VD_F_STRUCT(vd_claim_curve_def, column_y, vd_column_def, "column_y", "1", &vd_column_schema, VD_OMIT_DEFAULT, "{}",
               "column of the reference for y, with its unit, factor and offset; not given: the name of the channel")},
  {VD_F_STRUCT(vd_claim_curve_def, column_x, vd_column_def, "column_x", "1", &vd_column_schema, VD_OMIT_DEFAULT, "{}",
               "column of the reference for x, likewise")},
  {VD_F_STRING(vd_claim_curve_def, y_offset, "y_offset", "\"0\"", "absolute tolerance of y")},
  {VD_F_STRING(vd_claim_curve_def, y_gain, "y_gain", "\"0 %\"",
   "tolerance of y as a share of the value, added to y_offset")},
  {VD_F_STRING(vd_claim_curve_def, x_offset, "x_offset", "\"0\"", "absolute tolerance of x")},
  {VD_F_STRING(vd_claim_curve_def, x_gain, "x_gain", "\"0 %\"",
   "tolerance of x as a share of the value, added to x_offset")},
};

const vd_schema vd_claim_curve_schema = {
    .name = "curve", .size = sizeof(vd_claim_curve_def), .field = curve_fields, .count = VD_COUNT(curve_fields)};

static const vd_field keys[] = {
  {VD_F_STRUCTS(vd_claim_def, as.boundary.curves, "curves", "1", &vd_claim_curve_schema, NULL,
                "curves of the reference, with their tolerances"),
   .only = VD_WHEN(VD_CLAIM_BOUNDARY)},
};
/* clang-format on */

/* --- reading --- */

/* A curve whose reference is to be read. key: its key in the file, such as "curves.2". */
typedef struct reference {
  const vd_claim_curve_def *def;
  vd_claim_curve *out;
  const char *key;
} reference;

/* Columns of the reference that must be read, each once. */
typedef struct columns {
  vd_measured_quantity *want;
  size_t count;
} columns;

static bool same_column(const vd_column_def *a, const vd_column_def *b) {
  return strcmp(a->column, b->column) == 0 && strcmp(a->unit, b->unit) == 0 && memcmp(&a->scale, &b->scale, 8) == 0 &&
         memcmp(&a->offset, &b->offset, 8) == 0;
}

/* Returns the index of the column that the key names, or that has the channel's name. */
static size_t look_for(columns *k, const vd_channel *channel, const vd_column_def *column_def, const char *key,
                       vd_arena *arena) {
  static const char *const no_names[] = {NULL};
  vd_column_def *column = vd_arena_alloc(arena, sizeof *column);
  *column = *column_def;
  if (!vd_is_given(column->column))
    column->column = channel->name;
  for (size_t i = 0; i < k->count; i++)
    if (same_column(k->want[i].column_def, column))
      return i;
  k->want[k->count] = (vd_measured_quantity){vd_arena_copy(arena, key, strlen(key)), channel->unit, no_names, column,
                                             VD_COLUMN_OPTIONAL};
  return k->count++;
}

/* Reads the columns of all curves at once. root and path: place of the curves' keys. */
static void read_references(const reference *list, size_t count, int source, const vd_node *root, const char *path,
                            vd_arena *arena, vd_diag *d) {
  static const vd_measured_def plain = {.comment = ""};
  columns k = {.want = vd_arena_alloc(arena, (2 * count + 1) * sizeof *k.want)};
  size_t *at = vd_arena_alloc(arena, (2 * count + 1) * sizeof *at);
  vd_measured table;
  for (size_t i = 0; i < count; i++) {
    const vd_claim_curve_def *def = list[i].def;
    char key[64];
    snprintf(key, sizeof key, "%.40s.column_x", list[i].key);
    at[2 * i] = look_for(&k, list[i].out->x, &def->column_x, key, arena);
    snprintf(key, sizeof key, "%.40s.column_y", list[i].key);
    at[2 * i + 1] = look_for(&k, list[i].out->y, &def->column_y, key, arena);
  }
  if (!vd_measured_read_source(&plain, source, root, path, k.want, k.count, arena, d, &table))
    return;
  for (size_t i = 0; i < count; i++) {
    list[i].out->count = table.rows;
    list[i].out->reference_x = table.value[at[2 * i]];
    list[i].out->reference_y = table.value[at[2 * i + 1]];
  }
}

/* Reads the channels and tolerances of a curve; false after an error. */
static bool read_curve(vd_claim_context *ctx, const vd_claim_curve_def *def, const char *prefix, vd_claim_curve *out) {
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
    return false;
  for (size_t i = 0; i < VD_COUNT(numbers); i++) {
    const char *unit = numbers[i].gain ? "1" : numbers[i].along ? out->x->unit : out->y->unit;
    *numbers[i].to = vd_claim_number(ctx, numbers[i].text, numbers[i].key,
                                     vd_claim_at(ctx, vd_claim_format(ctx, "%s.%s", prefix, numbers[i].key)), unit);
  }
  if (out->y_offset == 0.0 && out->y_gain == 0.0)
    vd_error(ctx->d, vd_claim_at(ctx, prefix), "'y_offset' or 'y_gain' is needed");
  vd_claim_need_channel(ctx, "t_s", vd_claim_at(ctx, prefix));
  return true;
}

static void read(vd_claim_context *ctx) {
  const vd_structs *list = &ctx->def->as.boundary.curves;
  vd_claim_boundary *out = &ctx->out->as.boundary;
  const vd_claim_curve_def *curves = list->item;
  char path[64];
  int source;
  if (!vd_claim_need_vehicle(ctx, false) || !vd_claim_file_exists(ctx, ctx->def->table, vd_claim_at(ctx, "table")) ||
      !vd_schema_slurp(ctx->def->table, ctx->d, &source))
    return;
  out->count = list->count;
  out->curves = vd_arena_alloc(ctx->arena, (list->count + 1) * sizeof *out->curves);
  reference *references = vd_arena_alloc(ctx->arena, (list->count + 1) * sizeof *references);
  bool good = true;
  for (size_t i = 0; i < list->count; i++) {
    references[i] = (reference){&curves[i], &out->curves[i], vd_claim_format(ctx, "curves.%zu", i)};
    good &= read_curve(ctx, &curves[i], references[i].key, &out->curves[i]);
  }
  vd_claim_path(ctx, "", path, sizeof path);
  if (good)
    read_references(references, list->count, source, ctx->root, path, ctx->arena, ctx->d);
}

/* --- boundaries: ISO 19364 and ISO 19365 ---
 *
 * An ellipse moves along the curve of the run. Its half axes are e_x = offset + gain |x| and e_y = offset + gain |y|. A
 * point of the reference is inside if an ellipse covers it. Its distance from the curve, with lengths along x divided
 * by e_x and along y by e_y, is then at most 1. */

typedef struct run_curve {
  const vd_claim_curve *def;
  const double *x, *y;
  size_t count;
  double scale; /* factor on the tolerances */
  /* s: only rows of the reference between these times, both included, are compared; NAN: x is not the time */
  double from, to;
} run_curve;

static double half_axis(double offset, double gain, double value) {
  return offset + gain * fabs(value);
}

/* Returns the distance of a point from segment i of the curve, in tolerances; it may be INFINITY if the distance is not
 * less than `least'. Without a tolerance along x the distance is vertical. */
static double distance(const run_curve *c, size_t i, double px, double py, double least) {
  double x0 = c->x[i], y0 = c->y[i], dx = c->x[i + 1] - x0, dy = c->y[i + 1] - y0;
  double ex = half_axis(c->def->x_offset, c->def->x_gain, x0 + 0.5 * dx);
  double ey = half_axis(c->def->y_offset, c->def->y_gain, y0 + 0.5 * dy);
  if (!(ex > 0.0)) {
    double slack = 1e-9 * (fabs(x0) + fabs(dx));
    if (px < vd_min(x0, x0 + dx) - slack || px > vd_max(x0, x0 + dx) + slack)
      return INFINITY;
    double at = dx != 0.0 ? y0 + dy * (px - x0) / dx : y0, off = fabs(py - at);
    return off == 0.0 ? 0.0 : off / ey;
  }
  if (!(ey > 0.0))
    return INFINITY;
  double ux = dx / ex, uy = dy / ey, rx = (px - x0) / ex, ry = (py - y0) / ey, length = ux * ux + uy * uy;
  double share = length > 0.0 ? vd_min(vd_max((rx * ux + ry * uy) / length, 0.0), 1.0) : 0.0;
  double ax = rx - share * ux, ay = ry - share * uy;
  return fabs(ax) >= least || fabs(ay) >= least ? INFINITY : vd_hypot(ax, ay);
}

static double nearest(const run_curve *c, double px, double py) {
  double best = INFINITY;
  for (size_t i = 0; i + 1 < c->count; i++) {
    double d = distance(c, i, px, py, best);
    best = d < best ? d : best;
  }
  return best;
}

/* Draws the boundaries as lines. The envelope of the ellipses is displaced from the curve by +-(-dy e_x^2, dx
 * e_y^2)/sqrt((dx e_y)^2 + (dy e_x)^2). */
static void draw_boundaries(vd_picture *p, const run_curve *k) {
  double *x = vd_allocate(k->count, sizeof *x), *y = vd_allocate(k->count, sizeof *y);
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < k->count; i++) {
      size_t from = i > 0 ? i - 1 : 0, to = i + 1 < k->count ? i + 1 : i;
      double dx = k->x[to] - k->x[from], dy = k->y[to] - k->y[from];
      double ex = k->scale * half_axis(k->def->x_offset, k->def->x_gain, k->x[i]),
             ey = k->scale * half_axis(k->def->y_offset, k->def->y_gain, k->y[i]);
      double d = vd_hypot(dx * ey, dy * ex);
      x[i] = k->x[i] + (d > 0.0 ? -side * dy * ex * ex / d : 0.0);
      y[i] = k->y[i] + (d > 0.0 ? side * dx * ey * ey / d : side * ey);
    }
    vd_picture_add(p, side > 0 ? VD_STROKE_UPPER : VD_STROKE_LOWER, "boundaries", x, y, k->count);
  }
  free(x);
  free(y);
}

/* Result of comparing the rows of the reference between the claim's times. */
typedef struct outcome {
  size_t inside, counted;
  /* number of rows of the reference, within the claim's times, before the start or after the end of the run */
  size_t outside;
  double worst, where; /* distance in tolerances; x of the worst row */
} outcome;

/* Compares the rows of the reference, with y multiplied by a factor, up to the first row whose distance exceeds
 * `enough'. */
static outcome compare(const vd_claim_case *c, const run_curve *k, double factor, double enough) {
  const vd_claim_curve *def = k->def;
  outcome out = {.worst = -1.0, .where = NAN};
  const double from = c->claim->def->from, to = c->claim->def->to;
  bool timed = !isnan(k->from);
  for (size_t i = 0; i < def->count && !(out.worst > enough); i++) {
    double px = def->reference_x[i], py = factor * def->reference_y[i];
    if (timed && (px < from || px > to)) /* NAN is not between the times */
      continue;
    if (timed && (px < k->from || px > k->to)) {
      out.outside++;
      continue;
    }
    double d = nearest(k, px, py);
    out.counted++;
    out.inside += d <= k->scale;
    if (!(d <= out.worst)) {
      out.worst = d;
      out.where = px;
    }
  }
  return out;
}

/* Suggests a unit or sign with which the reference would lie inside. */
static void hint(const vd_claim_case *c, const run_curve *k) {
  static const struct {
    double factor;
    const char *why;
  } usual[] = {{1.0, "does it have the opposite sign"}, {VD_PI / 180.0, "is it in degrees"},
               {180.0 / VD_PI, "is it per degree"},     {1.0 / 3.6, "is it in km/h"},
               {3.6, "was it divided by 3.6 before"},   {VD_GRAVITY, "is it in g"},
               {1.0 / VD_GRAVITY, "is it per g"}};
  for (size_t i = 0; i < VD_COUNT(usual); i++)
    for (int sign = i == 0 ? -1 : 1; sign >= -1; sign -= 2) {
      if (!(compare(c, k, sign * usual[i].factor, k->scale).worst <= k->scale))
        continue;
      snprintf(c->out->reason, sizeof c->out->reason, "multiplied by %.6g the reference lies inside: %s%s?",
               sign * usual[i].factor, usual[i].why, sign < 0 && i > 0 ? ", with the opposite sign" : "");
      return;
    }
}

/* Reports the part of the reference that the run does not cover. A claim does not fail for this reason; a claim that
 * requires certain times has 'from' or 'to'. */
static void say_left_over(const vd_claim_case *c, const run_curve *k, const outcome *o) {
  char *reason = c->out->reason;
  size_t length = strlen(reason);
  if (o->outside > 0 && length + 2 < sizeof c->out->reason)
    snprintf(
        reason + length, sizeof c->out->reason - length,
        "%scompared from %.6g s to %.6g s, the times of the run; %zu of %zu rows of the reference are beyond these "
        "times, up to %.6g s, and were not compared",
        length > 0 ? "; " : "", k->def->reference_x[0] > k->from ? k->def->reference_x[0] : k->from, k->to, o->outside,
        o->outside + o->counted, k->def->reference_x[k->def->count - 1]);
}

/* The residual of a measured curve: reference minus run at the same x. Rows for which the run has no value are left
 * out. */
typedef struct residual {
  double *x, *left, *allowed; /* [rows]; left: the residual; allowed: the tolerance of y */
  size_t rows;
  double rms, most; /* root mean square and greatest size, as shares of the peak of the reference */
} residual;

static void residual_finish(residual *r) {
  free(r->x);
  free(r->left);
  free(r->allowed);
}

static void residual_of(const vd_claim_case *c, const run_curve *k, residual *r) {
  const vd_claim_curve *def = k->def;
  double squares = 0.0, peak = 0.0;
  size_t at = 0;
  *r = (residual){.x = vd_allocate(def->count + 1, sizeof *r->x),
                  .left = vd_allocate(def->count + 1, sizeof *r->left),
                  .allowed = vd_allocate(def->count + 1, sizeof *r->allowed)};
  for (size_t i = 0; i < def->count; i++) {
    double px = def->reference_x[i], py = def->reference_y[i];
    while (at + 2 < k->count && k->x[at + 1] < px)
      at++;
    if (!(px >= k->x[at] && px <= k->x[at + 1]) || px < c->claim->def->from || px > c->claim->def->to)
      continue;
    double way = k->x[at + 1] - k->x[at], part = way > 0.0 ? (px - k->x[at]) / way : 0.0;
    double y = k->y[at] + part * (k->y[at + 1] - k->y[at]);
    r->x[r->rows] = px;
    r->left[r->rows] = py - y;
    r->allowed[r->rows] = k->scale * half_axis(def->y_offset, def->y_gain, y);
    squares += (py - y) * (py - y);
    r->most = vd_max(r->most, fabs(py - y));
    peak = vd_max(peak, fabs(py));
    r->rows++;
  }
  r->rms = sqrt(squares / (double)r->rows) / peak;
  r->most /= peak;
}

/* Draws the residual of a curve with the tolerance of y; the legend contains its figures. */
static void draw_residual(const vd_claim_case *c, const run_curve *k, residual *r, double share) {
  char title[64], words[64];
  if (r->rows == 0 || !isfinite(r->rms))
    return;
  snprintf(title, sizeof title, "%.30s, residual", k->def->y->name);
  snprintf(words, sizeof words, "rms %.2g %%, max %.2g %% of peak", 100.0 * r->rms, 100.0 * r->most);
  vd_picture *p = vd_case_picture(c, title, "time", k->def->x->unit, k->def->y->unit, 0.999 * share);
  if (!p)
    return;
  vd_picture_add(p, VD_STROKE_POINTS, words, r->x, r->left, r->rows);
  vd_picture_add(p, VD_STROKE_UPPER, "tolerance of y", r->x, r->allowed, r->rows);
  for (size_t i = 0; i < r->rows; i++)
    r->allowed[i] = -r->allowed[i];
  vd_picture_add(p, VD_STROKE_LOWER, "tolerance of y", r->x, r->allowed, r->rows);
}

/* Judges a curve. False: nothing could be compared. */
static bool judge_curve(const vd_claim_case *c, const vd_claim_curve *def, const vd_performed *run, size_t first,
                        size_t last) {
  char why[200], name[96];
  const double *x = vd_performed_channel(run, def->x, why, sizeof why), *y = NULL;
  if (x)
    y = vd_performed_channel(run, def->y, why, sizeof why);
  if (!x || !y) {
    vd_case_refuse(c, "%s", why);
    return false;
  }
  const bool timed = strcmp(def->x->name, "t_s") == 0;
  const double slack = 1e-3 * run->step;
  run_curve k = {def,
                 x + first,
                 y + first,
                 last - first + 1,
                 c->how->scale,
                 timed ? x[first] - slack : NAN,
                 timed ? x[last] + slack : NAN};
  outcome o = compare(c, &k, 1.0, INFINITY);
  if (o.counted == 0) {
    vd_case_refuse(c,
                   o.outside > 0 ? "the run, from %.6g s to %.6g s, has no time in common with the reference"
                                 : "the reference has no row between the times",
                   x[first], x[last]);
    return false;
  }
  const bool measured = timed && c->claim->evidence == VD_EVIDENCE_MEASUREMENT;
  residual left = {0};
  int used = snprintf(name, sizeof name, "%.30s, worst at %.24s = %.6g, %.1f %% inside", def->y->name, def->x->name,
                      o.where, 100.0 * (double)o.inside / (double)o.counted);
  if (measured)
    residual_of(c, &k, &left);
  if (measured && isfinite(left.rms) && used > 0 && (size_t)used < sizeof name)
    snprintf(name + used, sizeof name - (size_t)used, ", rms %.2g %% of peak", 100.0 * left.rms);
  vd_case_compare(c, 0.0, o.worst, 1.0, "tolerances", name);
  if (!(o.worst <= k.scale))
    hint(c, &k);
  say_left_over(c, &k, &o);
  double share = k.scale > 0.0 ? o.worst / k.scale : o.worst;
  vd_picture *p = vd_case_picture(c, def->y->name, timed ? "time" : def->x->name, def->x->unit, def->y->unit, share);
  if (p) {
    vd_picture_add(p, VD_STROKE_RUN, "run", k.x, k.y, k.count);
    const char *label = c->claim->evidence == VD_EVIDENCE_MEASUREMENT ? "measured" : "reference";
    vd_picture_add(p, def->count > 60 ? VD_STROKE_OTHER : VD_STROKE_POINTS, label, def->reference_x, def->reference_y,
                   def->count);
    draw_boundaries(p, &k);
  }
  draw_residual(c, &k, &left, share);
  residual_finish(&left);
  return true;
}

static void judge(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)other;
  size_t first, last;
  char why[200];
  if (!vd_performed_window(run, c->claim->def->from, c->claim->def->to, &first, &last, why, sizeof why)) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  for (size_t i = 0; i < c->claim->as.boundary.count; i++)
    if (!judge_curve(c, &c->claim->as.boundary.curves[i], run, first, last))
      return;
}

const vd_claim_variant vd_boundary_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)},
    .needs_scenario = true,
    .shares_run = true,
    .read = read,
    .judge = judge,
};

/* --- tolerances for a comparison without claims --- */

/* Reads a curve of the tolerances as a claim. root: a tree in which this claim is the whole list `claims'. */
static bool read_against(const vd_tolerances_def *file, const vd_node *root, size_t index, vd_arena *arena, vd_diag *d,
                         vd_claim *c, reference *out) {
  static const vd_validation_def none;
  vd_claim_curve_def *curve = (vd_claim_curve_def *)file->curves.item + index;
  vd_claim_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_claim_context ctx = {.root = root, .arena = arena, .d = d, .file = &none, .folder = "", .def = def, .out = c};
  *def = (vd_claim_def){
      .claim = vd_claim_format(&ctx, "%s over %s lies within the boundaries of the run", curve->y, curve->x),
      .source = c->source,
      .verified = file->verified,
      .kind = VD_CLAIM_BOUNDARY,
      .known_failure = "",
      .from = file->from,
      .to = file->to,
      .as.boundary.curves = {curve, 1}};
  c->def = def;
  c->title = "against a reference";
  c->file_where = &none.where;
  c->number = c->statement = (int)index + 1;
  c->sentence = def->claim;
  c->name = vd_claim_format(&ctx, "against/%zu", index + 1);
  c->place = vd_claim_at(&ctx, vd_claim_format(&ctx, "curves.%zu", index));
  c->as.boundary.count = 1;
  c->as.boundary.curves = vd_arena_alloc(arena, sizeof *c->as.boundary.curves);
  *out = (reference){curve, c->as.boundary.curves, vd_claim_format(&ctx, "curves.%zu", index)};
  return read_curve(&ctx, curve, out->key, out->out);
}

bool vd_claims_against(const char *table, const char *scenario, const vd_setting *set, size_t set_count,
                       const char *tolerances, vd_arena *arena, vd_diag *d, vd_claims *out) {
  vd_tolerances_def *file = vd_arena_alloc(arena, sizeof *file);
  size_t errors = vd_diag_errors(d);
  vd_node *root;
  int source, about;
  bool good = true;
  if (!vd_schema_read(&vd_tolerances_schema, tolerances, NULL, 0, arena, d, file, &root) ||
      !vd_claim_check_filled(root, "curves", d) || !vd_schema_slurp(scenario, d, &about) ||
      !vd_schema_slurp(table, d, &source))
    return false;
  enum vd_kind kind = vd_kind_of(about, d);
  if (kind != VD_KIND_VEHICLE) {
    vd_error(d, (vd_place){.source = about}, "a time history is compared with the run of a vehicle, not of a %s",
             vd_kinds[kind].name);
    return false;
  }
  vd_node *claims = vd_arena_alloc(arena, sizeof *claims), *top = vd_arena_alloc(arena, sizeof *top);
  *claims = *root;
  claims->key = "claims";
  *top = (vd_node){.kind = VD_NODE_MAPPING, .place = root->place, .child = claims};
  const char *kept = vd_arena_copy(arena, tolerances, strlen(tolerances));
  reference *references = vd_arena_alloc(arena, (file->curves.count + 1) * sizeof *references);
  for (size_t i = 0; i < file->curves.count; i++) {
    vd_claim *c = vd_claims_add(out);
    c->file = kept;
    c->source = vd_is_given(file->source) ? file->source : table;
    c->run = (vd_claim_run){.scenario = scenario, .set = set, .set_count = set_count};
    good &= read_against(file, top, i, arena, d, c, &references[i]);
  }
  if (good)
    read_references(references, file->curves.count, source, top, "claims", arena, d);
  return vd_diag_errors(d) == errors;
}
