/* Tables: points over time, given or read from a CSV. */
#include "course/profile_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "math/steffen.h"

static const char *const interpolation_names[] = {"hold", "linear", "smooth", NULL};

static const vd_field table_fields[] = {
    VD_MEASURED_ROWS(vd_profile_def, table., VD_WHEN(VD_PROFILE_TABLE), "file of values over time"),
    {VD_F_COLUMN(vd_profile_def, time, "time", "s", "column of the time; empty: t_s, time_s, time or t"),
     .only = VD_WHEN(VD_PROFILE_TABLE)},
    {VD_F_COLUMN(vd_profile_def, column, "column", "1", "column of the values; empty: the only column beside the time"),
     .only = VD_WHEN(VD_PROFILE_TABLE)},
    {VD_F_POINTS(vd_profile_def, profile.as.table.points, "points", "@", -1e12, 1e12, "[]",
                 "pairs [time, value] instead of a file; constant outside"),
     .only = VD_WHEN(VD_PROFILE_TABLE)},
    {VD_F_CHOICE(vd_profile_def, profile.as.table.interpolation, "interpolation", interpolation_names, "linear",
                 "interpolation between the points: last value, linear, or cubics without overshoot"),
     .only = VD_WHEN(VD_PROFILE_TABLE)},
};

const vd_schema vd_profile_table_rows = {.field = table_fields, .count = VD_COUNT(table_fields)};

/* Returns the index of the last point whose time is <= t, or -1. */
static long point_before(const vd_points *points, double t) {
  size_t low = 0, high = points->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (points->xy[2 * middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return (long)low - 1;
}

/* A cubic, expanded about one of its ends: y = value + u (rate + u (c + u b)). */
typedef struct cubic {
  double u, value, rate, c, b;
} cubic;

/* Returns the cubic of interval i with Steffen's slopes at both ends, expanded about the end a; e is the other end:
 *   y = y_a + u (d_a + u (c + u b)),  u = t - t_a,  h = t_e - t_a,  s = (y_e - y_a)/h
 *   y(h) = y_e, y'(h) = d_e:  c = (3 s - 2 d_a - d_e)/h,  b = (d_a + d_e - 2 s)/h^2
 * a is the end nearer to t, so that the cubic passes through both points to the last bit. */
static cubic smooth_at(const vd_points *points, size_t i, double t) {
  const double *left = points->xy + 2 * i;
  size_t near = t - left[0] > left[2] - t ? i + 1 : i, far = 2 * i + 1 - near;
  const double *a = points->xy + 2 * near;
  double h = points->xy[2 * far] - a[0], u = t - a[0], s = vd_secant(points, i);
  double da = vd_steffen_slope(points, near), de = vd_steffen_slope(points, far);
  return (cubic){u, a[1], da, (3.0 * s - 2.0 * da - de) / h, (da + de - 2.0 * s) / (h * h)};
}

void vd_profile_table_at(const vd_profile_table *p, double inside, double t, double *value, double *rate) {
  long before = point_before(&p->points, inside);
  size_t i = before < 0 ? 0 : (size_t)before;
  const double *a = p->points.xy + 2 * i;
  *value = a[1];
  if (before < 0 || i + 1 == p->points.count)
    return;
  switch ((enum vd_interpolation)p->interpolation) {
  case VD_INTERPOLATE_HOLD: break;
  case VD_INTERPOLATE_LINEAR:
    *rate = vd_secant(&p->points, i);
    *value += *rate * (t - a[0]);
    break;
  case VD_INTERPOLATE_SMOOTH: {
    cubic k = smooth_at(&p->points, i, t);
    *value = k.value + k.u * (k.rate + k.u * (k.c + k.u * k.b));
    *rate = k.rate + k.u * (2.0 * k.c + k.u * 3.0 * k.b);
  } break;
  }
}

double vd_profile_table_second_derivative(const vd_profile_table *p, double inside, double t) {
  long before = point_before(&p->points, inside);
  if (p->interpolation != VD_INTERPOLATE_SMOOTH || before < 0 || (size_t)before + 1 == p->points.count)
    return 0.0;
  cubic k = smooth_at(&p->points, (size_t)before, t);
  return 2.0 * k.c + 6.0 * k.u * k.b;
}

double vd_profile_table_corner(const vd_profile_table *p, double t) {
  size_t i = (size_t)(point_before(&p->points, t) + 1);
  return i < p->points.count ? p->points.xy[2 * i] : INFINITY;
}

void vd_profile_table_range(const vd_profile_table *p, double *a, double *b) {
  *a = *b = p->points.count ? p->points.xy[1] : 0.0;
  for (size_t i = 1; i < p->points.count; i++) {
    *a = vd_min(*a, p->points.xy[2 * i + 1]);
    *b = vd_max(*b, p->points.xy[2 * i + 1]);
  }
}

bool vd_profile_table_is_integer(const vd_profile_table *p) {
  bool whole = p->interpolation == VD_INTERPOLATE_HOLD;
  for (size_t i = 0; i < p->points.count; i++)
    whole &= p->points.xy[2 * i + 1] == round(p->points.xy[2 * i + 1]);
  return whole;
}

void vd_profile_table_negate(vd_profile_table *p, vd_arena *arena) {
  double *xy = vd_arena_alloc(arena, (2 * p->points.count + 1) * sizeof *xy);
  for (size_t i = 0; i < p->points.count; i++) {
    xy[2 * i] = p->points.xy[2 * i];
    xy[2 * i + 1] = -p->points.xy[2 * i + 1];
  }
  p->points.xy = xy;
}

/* Reads the file into the points, so that the resolved scenario needs no other file. */
static void load(vd_profile_def *def, const char *key, const char *unit, const vd_node *root, vd_arena *arena,
                 vd_diag *d) {
  enum { TIME, VALUE };
  static const char *const times[] = {"t_s", "time_s", "time", "t", NULL}, *const none[] = {NULL};
  const vd_measured_quantity want[] = {[TIME] = {"time", "s", times, &def->time, VD_COLUMN_NEEDED},
                                       [VALUE] = {"column", unit, none, &def->column, VD_COLUMN_REST}};
  vd_measured table;
  if (!vd_measured_read(&def->table, root, key, want, VD_COUNT(want), arena, d, &table) ||
      !vd_measured_rises(&table, TIME, "time", "s", d))
    return;
  def->profile.as.table.points = vd_measured_points(&table, TIME, VALUE, arena);
  def->table = VD_NO_FILE;
  def->time = def->column = VD_NO_COLUMN;
}

bool vd_profile_table_check(vd_profile_def *def, const char *key, const char *unit, const vd_node *root,
                            vd_arena *arena, vd_diag *d) {
  const vd_points *points = &def->profile.as.table.points;
  bool file = *def->table.file != '\0', time = vd_column_is_given(&def->time);
  if (file && points->count > 0)
    vd_error(d, vd_tree_place_in(root, key, "file"), "a table has a file or points, not both");
  else if (file)
    load(def, key, unit, root, arena, d);
  else if (points->count == 0)
    vd_error(d, vd_tree_place(root, key), "the table of '%s' has neither file nor points", key);
  else if (time || vd_column_is_given(&def->column))
    vd_error(d, vd_tree_place_in(root, key, time ? "time" : "column"),
             "'%s' is the column of a file, but this table has points", time ? "time" : "column");
  return points->count > 0;
}
