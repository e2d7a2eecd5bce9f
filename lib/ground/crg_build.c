/* Builds a road from a file of a measured road: applies its modifiers, and makes the reference line, the grid of
 * heights and the borders. */
#include "ground/crg_def.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/crg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_PLACES = 16000000, MAX_ACROSS = 20000 };

static const double near_even = 1e-3; /* tolerance as a share of the spacing, because decimals may be rounded */

/* A road under construction: heights at every place of an even grid, and the points of the line. */
typedef struct draft {
  const vd_crg_file *file;
  const vd_crg_def *def;
  vd_arena *scratch; /* memory that is freed when the road is built */
  vd_diag *d;
  size_t rows, columns; /* numbers of places along and across */
  double u, step;       /* m: u of the first row, distance between rows */
  double v, per_v;      /* v of the first column, m; columns per metre, 1/m */
  int between;          /* enum vd_map_interpolation: between long sections */
  size_t along, across; /* numbers of rows and of columns that a kerb adds at each end, and at each side */
  /* m: height at the first row and column of the road, within the array of the grid with its rim and border, so that
   * large roads need no second array; [row * wide + column] */
  double *z;
  size_t wide;        /* number of heights from one row to the next */
  double *level;      /* m, [rows]: height of the reference line */
  double (*point)[2]; /* m, [rows]: points of the reference line */
  size_t filled;      /* number of heights that were missing */
  bool closed;
} draft;

static bool is_given(const draft *r, enum vd_crg_key key) {
  return !isnan(r->file->value[key]);
}

static double value(const draft *r, enum vd_crg_key key, double otherwise) {
  return vd_crg_value(r->file, key, otherwise);
}

#define ERROR(r, key, ...) vd_error((r)->d, (r)->file->at[key], __VA_ARGS__)

/* --- keys --- */

/* Checks a key whose values are the whole numbers from 0 to most. */
static bool check_mode(const draft *r, enum vd_crg_key key, int most) {
  double x = value(r, key, 0.0);
  bool good = x == floor(x) && x >= 0.0 && x <= most;
  if (!good)
    ERROR(r, key, "%s must be 0 to %d, not %g", vd_crg_key_name(key), most, x);
  return good;
}

static bool check_range(const draft *r, enum vd_crg_key key, double low, double high) {
  double x = value(r, key, low);
  bool good = x >= low && x <= high;
  if (!good)
    ERROR(r, key, "%s must be %g to %g, not %g", vd_crg_key_name(key), low, high, x);
  return good;
}

/* Requires a channel for a slope or banking that differs at both ends of the line. */
static bool check_constant(const draft *r, enum vd_crg_key start, enum vd_crg_key end, enum vd_crg_channel channel) {
  bool good = r->file->line[channel] || !is_given(r, end) || value(r, end, 0.0) == value(r, start, 0.0);
  if (!good)
    ERROR(r, end, "%s differs from %s, but no channel gives the values between them; this is not supported",
          vd_crg_key_name(end), vd_crg_key_name(start));
  return good;
}

/* Refuses an offset at a border beyond which the road repeats or is reflected, because an offset has no unique meaning
 * beyond such a border. */
static bool check_offset(const draft *r, enum vd_crg_key mode, enum vd_crg_key offset) {
  bool good = value(r, offset, 0.0) == 0.0 || value(r, mode, VD_CRG_KEEP) == VD_CRG_KEEP ||
              value(r, mode, VD_CRG_KEEP) == VD_CRG_ZERO;
  if (!good)
    ERROR(r, offset, "%s is supported with %s 1 and 2, not %g", vd_crg_key_name(offset), vd_crg_key_name(mode),
          value(r, mode, VD_CRG_KEEP));
  return good;
}

static bool check_keys(const draft *r) {
  bool good = check_mode(r, VD_CRG_BORDER_MODE_U, 4) && check_mode(r, VD_CRG_BORDER_MODE_V, 4) &&
              check_mode(r, VD_CRG_REFLINE_CONTINUATION, 1) && check_mode(r, VD_CRG_GRID_NAN_MODE, 2);
  good &= check_range(r, VD_CRG_SCALE_LENGTH, 1e-6, 1e6) && check_range(r, VD_CRG_SCALE_WIDTH, 1e-6, 1e6);
  good &= check_constant(r, VD_CRG_REFERENCE_LINE_START_S, VD_CRG_REFERENCE_LINE_END_S, VD_CRG_SLOPE);
  good &= check_constant(r, VD_CRG_REFERENCE_LINE_START_B, VD_CRG_REFERENCE_LINE_END_B, VD_CRG_BANKING);
  good &= check_offset(r, VD_CRG_BORDER_MODE_U, VD_CRG_BORDER_OFFSET_U);
  good &= check_offset(r, VD_CRG_BORDER_MODE_V, VD_CRG_BORDER_OFFSET_V);
  return good;
}

/* --- along: u --- */

static bool find_u(draft *r) {
  const enum vd_crg_key end = VD_CRG_REFERENCE_LINE_END_U, each = VD_CRG_REFERENCE_LINE_INCREMENT;
  double step = value(r, each, 0.0), u = value(r, VD_CRG_REFERENCE_LINE_START_U, 0.0);
  if (!is_given(r, each)) {
    ERROR(r, each, "REFERENCE_LINE_INCREMENT is lacking");
    return false;
  }
  if (!check_range(r, each, 1e-3, 1e3))
    return false;
  r->rows = r->file->rows;
  double last = u + step * (double)(r->rows - 1);
  if (is_given(r, end) && !(fabs(value(r, end, 0.0) - last) <= 0.5 * step)) {
    ERROR(r, end, "REFERENCE_LINE_END_U is %g, but %zu cross sections end at u %g m", value(r, end, 0.0), r->rows,
          last);
    return false;
  }
  r->u = u;
  r->step = step * value(r, VD_CRG_SCALE_LENGTH, 1.0);
  return true;
}

/* --- across: v --- */

/* Computes v of numbered sections from two of the keys for the right border, the left border and the increment. */
static bool count_sections(draft *r, double *v) {
  const enum vd_crg_key right = VD_CRG_LONG_SECTION_V_RIGHT, left = VD_CRG_LONG_SECTION_V_LEFT,
                        each = VD_CRG_LONG_SECTION_V_INCREMENT;
  double gaps = (double)(r->file->sections - 1), step = value(r, each, NAN), from = value(r, right, NAN);
  if (is_given(r, right) && is_given(r, left)) {
    double whole = (value(r, left, 0.0) - from) / gaps;
    if (is_given(r, each) && !(fabs(whole - step) <= near_even * step)) {
      ERROR(r, each, "%g long sections from v %g to %g m lie %g m apart, not %g m", gaps + 1.0, from,
            value(r, left, 0.0), whole, step);
      return false;
    }
    step = whole;
  } else if (!is_given(r, each)) {
    ERROR(r, each, "numbered long sections need two of LONG_SECTION_V_RIGHT, _LEFT and _INCREMENT");
    return false;
  } else if (is_given(r, left)) {
    from = value(r, left, 0.0) - gaps * step;
  } else if (!is_given(r, right)) {
    from = -0.5 * gaps * step;
    vd_warning(r->d, r->file->at[each],
               "neither LONG_SECTION_V_RIGHT nor _LEFT is given; the reference line is taken to lie in the middle, the "
               "right border at v %g m",
               from);
  }
  if (!(step >= 1e-6 && step <= 1e3 && fabs(from) <= 1e4)) {
    ERROR(r, is_given(r, each) ? each : left, "the long sections lie %g m apart from v %g m on", step, from);
    return false;
  }
  for (size_t k = 0; k < r->file->sections; k++)
    v[k] = from + (double)k * step;
  return true;
}

/* Finds a step of which all distances between sections are multiples: a whole fraction of the smallest distance. */
static bool common_step(const double *v, size_t count, double *step, size_t *columns) {
  const double least = 1e-3, width = v[count - 1] - v[0];
  double gap = INFINITY;
  for (size_t k = 1; k < count; k++)
    gap = vd_fast_min(gap, v[k] - v[k - 1]);
  for (int parts = 1; parts <= 100 && gap / parts >= least; parts++) {
    size_t n = (size_t)vd_fast_min(round(width / gap * parts), MAX_ACROSS);
    double each = width / (double)n, off = 0.0;
    for (size_t k = 0; k < count; k++)
      off = vd_fast_max(off, fabs((v[k] - v[0]) / each - round((v[k] - v[0]) / each)));
    *step = each;
    *columns = n + 1;
    if (off <= near_even && n < MAX_ACROSS)
      return true;
  }
  return false;
}

/* Returns the number of columns into which the distance of sections is divided if they are far apart. A bicubic grid is
 * level at its border, which bends the whole outer cell, and with only two sections the whole road. Columns are
 * therefore at most 0.2 m apart, the length of a kerb's edge; long roads have fewer, to save memory. */
static size_t between(double step, size_t columns, size_t rows) {
  size_t finer = (size_t)ceil(step / VD_GROUND_KERB_EDGE - near_even);
  while (finer > 1 && ((columns - 1) * finer + 1) * rows > MAX_PLACES / 8)
    finer--;
  return finer > 1 ? finer : 1;
}

/* Makes the grid across the road. If sections have uneven distances, columns are added between them, with heights on
 * straight lines, as the standard interpolates. */
static bool find_v(draft *r, double *v) {
  size_t count = r->file->sections;
  double step, factor = value(r, VD_CRG_SCALE_WIDTH, 1.0);
  if (r->file->v)
    memcpy(v, r->file->v, count * sizeof *v);
  else if (!count_sections(r, v))
    return false;
  if (!common_step(v, count, &step, &r->columns)) {
    vd_error(r->d, r->file->format,
             "the places of the long sections are not supported: their distances have no common step of 1 mm or more");
    return false;
  }
  if (r->columns * r->rows > MAX_PLACES) {
    vd_error(r->d, r->file->format, "a grid of %zu by %zu heights, whose long sections lie %g m apart; at most %d",
             r->rows, r->columns, step, (int)MAX_PLACES);
    return false;
  }
  r->between = r->columns == count ? r->def->interpolation : VD_MAP_BILINEAR;
  size_t finer = between(step * factor, r->columns, r->rows);
  r->columns = (r->columns - 1) * finer + 1;
  step /= (double)finer;
  for (size_t k = 0; k < count; k++)
    v[k] *= factor;
  r->v = v[0];
  r->per_v = 1.0 / (step * factor);
  return true;
}

/* --- heights --- */

/* Fills in heights that are missing at a side. The reader has checked that each row has heights, without a gap between
 * them. */
static void fill_side(draft *r, double *z, size_t first, int mode) {
  size_t k = r->file->sections;
  double offset = value(r, VD_CRG_GRID_NAN_OFFSET, 0.0), right = z[first] + offset, left = NAN;
  for (size_t i = 0; i < k; i++) {
    bool missing = isnan(z[i]);
    if (!missing)
      left = z[i] + offset;
    else if (mode != 0)
      z[i] = mode == 1 ? offset : i < first ? right : left;
    r->filled += missing;
  }
}

/* Interpolates between two sections. Beyond the sides, and where heights are missing, the cross section is extrapolated
 * by a straight line. */
static double height_between(const draft *r, const double *z, size_t at, double part) {
  double w[4], d[4], a = z[at], b = z[at + 1];
  double before = at > 0 ? z[at - 1] : NAN, after = at + 2 < r->file->sections ? z[at + 2] : NAN;
  vd_grid_weights(r->between, part, w, d);
  return w[0] * (isnan(before) ? 2.0 * a - b : before) + w[1] * a + w[2] * b +
         w[3] * (isnan(after) ? 2.0 * b - a : after);
}

/* Computes the heights of a row of the grid, without slope and banking. */
static void make_row(draft *r, const double *v, size_t row, double *z) {
  size_t k = r->file->sections, first = 0, at = 0;
  double factor = value(r, VD_CRG_SCALE_Z_GRID, 1.0), *out = r->z + row * r->wide;
  vd_crg_heights(r->file, row, z);
  for (size_t i = 0; i < k; i++)
    z[i] *= factor;
  while (isnan(z[first]))
    first++;
  fill_side(r, z, first, (int)value(r, VD_CRG_GRID_NAN_MODE, 2.0));
  for (size_t i = 0; i < r->columns; i++) {
    double s = vd_fast_min(r->v + (double)i / r->per_v, v[k - 1]);
    while (at + 2 < k && !(s < v[at + 1] - 1e-2 / r->per_v))
      at++;
    double part = (s - v[at]) / (v[at + 1] - v[at]);
    part = fabs(part) < 1e-6 ? 0.0 : fabs(part - 1.0) < 1e-6 ? 1.0 : part;
    out[i] = part == 0.0 ? z[at] : part == 1.0 ? z[at + 1] : height_between(r, z, at, part);
  }
}

/* Adds a share of `off` to the number of each row: 0 at the first row, 1 at the last. Each row i becomes a mean of two
 * numbers: its step added to the corrected row before, and the sum back from the end, with the weight i/(rows - 1). */
static void correct_end(const draft *r, double *number, size_t each, double off) {
  double share = 0.0;
  for (size_t i = 1; i < r->rows; i++) {
    double f = (double)i / (double)(r->rows - 1);
    share += f * (1.0 - share);
    number[i * each] += off * share;
  }
}

/* Computes the heights of the reference line. The slope of row i holds for the segment between the rows i - 1 and i. */
static void find_level(draft *r) {
  const double *slope = r->file->line[VD_CRG_SLOPE];
  double factor = value(r, VD_CRG_SCALE_SLOPE, 1.0), same = value(r, VD_CRG_REFERENCE_LINE_START_S, 0.0);
  r->level = vd_arena_alloc(r->scratch, r->rows * sizeof *r->level);
  r->level[0] = value(r, VD_CRG_REFERENCE_LINE_START_Z, 0.0);
  for (size_t i = 1; i < r->rows; i++)
    r->level[i] = r->level[i - 1] + factor * (slope ? slope[i] : same) * r->step;
  bool ends =
      is_given(r, VD_CRG_REFERENCE_LINE_END_Z) && !is_given(r, VD_CRG_SCALE_SLOPE) && !is_given(r, VD_CRG_SCALE_LENGTH);
  if (ends && (slope || same != 0.0))
    correct_end(r, r->level, 1, value(r, VD_CRG_REFERENCE_LINE_END_Z, 0.0) - r->level[r->rows - 1]);
}

static double banking(const draft *r, size_t row) {
  const double *b = r->file->line[VD_CRG_BANKING];
  return value(r, VD_CRG_SCALE_BANKING, 1.0) * (b ? b[row] : value(r, VD_CRG_REFERENCE_LINE_START_B, 0.0));
}

/* Blends the heights near an end of the road into the height of the reference line at this end. */
static double fade(const draft *r, size_t row, double z) {
  double begin = value(r, VD_CRG_BORDER_SMOOTH_UBEG, 0.0), end = value(r, VD_CRG_BORDER_SMOOTH_UEND, 0.0);
  double from = (double)row * r->step, to = (double)(r->rows - 1 - row) * r->step;
  if (to < end)
    return r->level[r->rows - 1] + (z - r->level[r->rows - 1]) * to / end;
  return from < begin ? r->level[0] + (z - r->level[0]) * from / begin : z;
}

static size_t kerb_places(const draft *r, enum vd_crg_key mode, enum vd_crg_key offset, double step) {
  double m = value(r, mode, VD_CRG_KEEP);
  bool kerb = m == VD_CRG_ZERO || (m == VD_CRG_KEEP && value(r, offset, 0.0) != 0.0);
  return kerb ? (size_t)ceil(VD_GROUND_KERB_EDGE / step) : 0;
}

/* Allocates the grid. */
static void begin_grid(draft *r, vd_arena *arena) {
  r->closed = value(r, VD_CRG_REFLINE_CONTINUATION, 0.0) == 1.0;
  r->along = r->closed ? 0 : kerb_places(r, VD_CRG_BORDER_MODE_U, VD_CRG_BORDER_OFFSET_U, r->step);
  r->across = kerb_places(r, VD_CRG_BORDER_MODE_V, VD_CRG_BORDER_OFFSET_V, 1.0 / r->per_v);
  r->wide = r->columns + 2 * r->across + 2;
  double *grid = vd_arena_alloc(arena, (r->rows + 2 * r->along + 2) * r->wide * sizeof *grid);
  r->z = grid + (r->along + 1) * r->wide + r->across + 1;
}

static bool make_heights(draft *r, vd_arena *arena) {
  double *v = vd_arena_alloc(r->scratch, r->file->sections * sizeof *v);
  double *z = vd_arena_alloc(r->scratch, r->file->sections * sizeof *z);
  if (!find_v(r, v))
    return false;
  const double length = r->step * (double)(r->rows - 1);
  if (!check_range(r, VD_CRG_BORDER_SMOOTH_UBEG, 0.0, length) ||
      !check_range(r, VD_CRG_BORDER_SMOOTH_UEND, 0.0, length))
    return false;
  begin_grid(r, arena);
  find_level(r);
  for (size_t i = 0; i < r->rows; i++) {
    make_row(r, v, i, z);
    for (size_t k = 0; k < r->columns; k++) {
      double *here = &r->z[i * r->wide + k];
      *here = fade(r, i, *here + r->level[i] + banking(r, i) * (r->v + (double)k / r->per_v));
    }
  }
  return true;
}

/* --- reference line --- */

/* Returns the direction of the segment that ends at the point of this row. */
static double heading(const draft *r, size_t row) {
  const double *phi = r->file->line[VD_CRG_PHI];
  const enum vd_crg_key start = VD_CRG_REFERENCE_LINE_START_PHI;
  if (phi) {
    double base = value(r, start, phi[1]);
    return is_given(r, VD_CRG_SCALE_CURVATURE) ? base + value(r, VD_CRG_SCALE_CURVATURE, 1.0) * (phi[row] - base)
                                               : phi[row];
  }
  if (!is_given(r, start) && is_given(r, VD_CRG_REFERENCE_LINE_END_X) && is_given(r, VD_CRG_REFERENCE_LINE_END_Y))
    return vd_atan2(value(r, VD_CRG_REFERENCE_LINE_END_Y, 0.0) - value(r, VD_CRG_REFERENCE_LINE_START_Y, 0.0),
                    value(r, VD_CRG_REFERENCE_LINE_END_X, 0.0) - value(r, VD_CRG_REFERENCE_LINE_START_X, 0.0));
  return value(r, start, 0.0);
}

/* Computes the points of the reference line by sums of the segments from the start. */
static void find_points(draft *r) {
  size_t n = r->rows;
  r->point = vd_arena_alloc(r->scratch, n * sizeof *r->point);
  r->point[0][0] = value(r, VD_CRG_REFERENCE_LINE_START_X, 0.0);
  r->point[0][1] = value(r, VD_CRG_REFERENCE_LINE_START_Y, 0.0);
  for (size_t i = 1; i < n; i++) {
    double phi = heading(r, i);
    r->point[i][0] = r->point[i - 1][0] + r->step * vd_cos(phi);
    r->point[i][1] = r->point[i - 1][1] + r->step * vd_sin(phi);
  }
  bool ends = is_given(r, VD_CRG_REFERENCE_LINE_END_X) && is_given(r, VD_CRG_REFERENCE_LINE_END_Y) &&
              !is_given(r, VD_CRG_SCALE_LENGTH) && !is_given(r, VD_CRG_SCALE_CURVATURE);
  if (!ends)
    return;
  double off[] = {value(r, VD_CRG_REFERENCE_LINE_END_X, 0.0) - r->point[n - 1][0],
                  value(r, VD_CRG_REFERENCE_LINE_END_Y, 0.0) - r->point[n - 1][1]};
  double miss = vd_hypot(off[0], off[1]);
  if (miss > 1e-3 * r->step * (double)(n - 1))
    vd_warning(r->d, r->file->at[VD_CRG_REFERENCE_LINE_END_X],
               "the reference line ends %.3g m from its given end; its points are moved by a growing share of this "
               "distance",
               miss);
  for (int j = 0; j < 2; j++)
    correct_end(r, &r->point[0][j], 2, off[j]);
}

/* Computes the direction of the line at a point, a unit vector: the mean direction of both segments. */
static void direction(const draft *r, size_t i, double *t) {
  const double *a = r->point[i > 0 ? i - 1 : 0], *b = r->point[i + 1 < r->rows ? i + 1 : i];
  double scale = 1.0 / vd_hypot(b[0] - a[0], b[1] - a[1]);
  for (int j = 0; j < 2; j++)
    t[j] = (b[j] - a[j]) * scale;
}

/* Computes position, direction and height at u and v, with straight lines between the points. */
static void locate(const draft *r, double u, double v, double place[2], double *phi, double *z) {
  double s = vd_fast_min(vd_fast_max((u - r->u) / r->step, 0.0), (double)(r->rows - 1));
  size_t i = (size_t)vd_fast_min(s, (double)(r->rows - 2));
  double part = s - (double)i, a[2], b[2], t[2];
  direction(r, i, a);
  direction(r, i + 1, b);
  for (int j = 0; j < 2; j++)
    t[j] = a[j] + part * (b[j] - a[j]);
  double scale = 1.0 / vd_hypot(t[0], t[1]);
  for (int j = 0; j < 2; j++)
    place[j] = r->point[i][j] + part * (r->point[i + 1][j] - r->point[i][j]) + v * scale * (j == 0 ? -t[1] : t[0]);
  *phi = vd_atan2(t[1], t[0]);
  double across = vd_fast_min(vd_fast_max((v - r->v) * r->per_v, 0.0), (double)(r->columns - 1));
  size_t k = (size_t)vd_fast_min(across, (double)(r->columns - 2));
  const double *low = r->z + i * r->wide + k, *high = low + r->wide;
  double share = across - (double)k;
  *z = (1.0 - part) * (low[0] + share * (low[1] - low[0])) + part * (high[0] + share * (high[1] - high[0]));
}

/* Turns the line about the place `about', then shifts it by `by', and adds `up' to the heights of the road. */
static void move(draft *r, const double *about, double angle, const double *by, double up) {
  double c = vd_cos(angle), s = vd_sin(angle);
  for (size_t i = 0; i < r->rows; i++) {
    double x = r->point[i][0] - about[0], y = r->point[i][1] - about[1];
    r->point[i][0] = about[0] + c * x - s * y + by[0];
    r->point[i][1] = about[1] + s * x + c * y + by[1];
    for (size_t k = 0; k < r->columns; k++)
      r->z[i * r->wide + k] += up;
  }
}

/* Moves the road so that u, v lies at the position `to', with the direction phi and the height z. NAN leaves the
 * coordinate, direction or height as it is. */
static void move_to(draft *r, double u, double v, const double to[2], double phi, double z) {
  double from[2], now, height, by[2];
  locate(r, u, v, from, &now, &height);
  for (int j = 0; j < 2; j++)
    by[j] = isnan(to[j]) ? 0.0 : to[j] - from[j];
  move(r, from, isnan(phi) ? 0.0 : phi - now, by, isnan(z) ? 0.0 : z - height);
}

/* Applies the modifiers of place: either a reference point is moved to a given place, or the line is turned and
 * shifted. Then the keys of the scenario move the start of the line. */
static void modify_place(draft *r) {
  static const enum vd_crg_key any[] = {VD_CRG_REFPOINT_U,          VD_CRG_REFPOINT_V,  VD_CRG_REFPOINT_U_FRACTION,
                                        VD_CRG_REFPOINT_V_FRACTION, VD_CRG_REFPOINT_X,  VD_CRG_REFPOINT_Y,
                                        VD_CRG_REFPOINT_Z,          VD_CRG_REFPOINT_PHI};
  bool by_point = false;
  for (size_t i = 0; i < VD_COUNT(any); i++)
    by_point |= is_given(r, any[i]);
  if (by_point) {
    double length = r->step * (double)(r->rows - 1), width = (double)(r->columns - 1) / r->per_v;
    double u = value(r, VD_CRG_REFPOINT_U, r->u), v = value(r, VD_CRG_REFPOINT_V, 0.0);
    if (is_given(r, VD_CRG_REFPOINT_U_FRACTION))
      u = r->u + length * value(r, VD_CRG_REFPOINT_U_FRACTION, 0.0) + value(r, VD_CRG_REFPOINT_U_OFFSET, 0.0);
    if (is_given(r, VD_CRG_REFPOINT_V_FRACTION))
      v = r->v + width * value(r, VD_CRG_REFPOINT_V_FRACTION, 0.0) + value(r, VD_CRG_REFPOINT_V_OFFSET, 0.0);
    const double to[] = {value(r, VD_CRG_REFPOINT_X, 0.0), value(r, VD_CRG_REFPOINT_Y, 0.0)};
    move_to(r, u, v, to, value(r, VD_CRG_REFPOINT_PHI, 0.0), value(r, VD_CRG_REFPOINT_Z, 0.0));
  } else {
    const double about[] = {value(r, VD_CRG_REFLINE_ROTCENTER_X, r->point[0][0]),
                            value(r, VD_CRG_REFLINE_ROTCENTER_Y, r->point[0][1])};
    const double by[] = {value(r, VD_CRG_REFLINE_OFFSET_X, 0.0), value(r, VD_CRG_REFLINE_OFFSET_Y, 0.0)};
    move(r, about, value(r, VD_CRG_REFLINE_OFFSET_PHI, 0.0), by, value(r, VD_CRG_REFLINE_OFFSET_Z, 0.0));
  }
  const double to[] = {r->def->x, r->def->y};
  move_to(r, r->u, 0.0, to, r->def->heading, r->def->z);
}

/* Joins two borders: if `ends`, it copies the heights at the start of the road to its end; if not, it copies the
 * heights of the right side to the left side. If they differ by more than 1 mm, it reports an error with the reason
 * `what' and returns false. */
static bool join_borders(draft *r, bool ends, const char *what, enum vd_crg_key key) {
  const double most = 1e-3; /* m */
  size_t count = ends ? r->columns : r->rows, each = ends ? 1 : r->wide, worst = 0;
  size_t across = ends ? (r->rows - 1) * r->wide : r->columns - 1;
  double step = 0.0;
  for (size_t k = 0; k < count; k++) {
    double *here = r->z + k * each, *there = here + across;
    if (fabs(*here - *there) > fabs(step)) {
      step = *here - *there;
      worst = k;
    }
    *there = *here;
  }
  if (fabs(step) <= most)
    return true;
  if (ends)
    ERROR(r, key,
          "%s makes a step of %.3g m at v %g m between the end and the start of the road; BORDER_SMOOTH_UBEG and "
          "_UEND of the standard remove it",
          what, step, r->v + (double)worst / r->per_v);
  else
    ERROR(r, key, "%s makes a step of %.3g m between the sides of cross section %zu", what, step, worst + 1);
  return false;
}

static bool close_line(draft *r) {
  const enum vd_crg_key key = VD_CRG_REFLINE_CONTINUATION;
  const double most = 1e-2;
  double first[2], last[2], *end = r->point[r->rows - 1];
  if (!r->closed)
    return true;
  double gap = vd_hypot(end[0] - r->point[0][0], end[1] - r->point[0][1]);
  if (r->rows < 4 || gap > most) {
    ERROR(r, key, "REFLINE_CONTINUATION 1 is supported for a line that ends where it starts, not %.3g m from there",
          gap);
    return false;
  }
  direction(r, 0, first);
  direction(r, r->rows - 1, last);
  double turn = fabs(first[0] * last[1] - first[1] * last[0]);
  if (!(first[0] * last[0] + first[1] * last[1] > 0.0 && turn < 0.5)) {
    ERROR(r, key, "a line whose end and start have different directions cannot be closed");
    return false;
  }
  for (int j = 0; j < 2; j++)
    end[j] = r->point[0][j];
  return join_borders(r, true, "REFLINE_CONTINUATION 1", key);
}

/* --- borders --- */

/* Rows and columns are added beyond the road. They form a kerb where the heights at the border and beyond it differ.
 * The kerb is as wide as the length over which a tyre rolls onto a step. */

/* Returns the height beyond a border, from the height z at it. share: 0 at the border, 1 at the outer edge of the
 * kerb. */
static double beyond(const draft *r, enum vd_crg_key mode, enum vd_crg_key offset, double share, double z) {
  double unused, part = vd_smooth_step(share, &unused), to = value(r, offset, 0.0);
  if (value(r, mode, VD_CRG_KEEP) == VD_CRG_KEEP)
    to += z;
  return z + part * (to - z);
}

static size_t clamped(size_t i, size_t places, size_t count, size_t *out) {
  size_t k = i < places ? 0 : i - places < count ? i - places : count - 1;
  *out = i < places ? places - i : i - places < count ? 0 : i - places - count + 1;
  return k;
}

/* Returns the cross section of a row of the grid; for rows beyond the road, the nearest cross section. */
static size_t row_of(const draft *r, size_t row) {
  size_t out;
  return clamped(row, r->along, r->rows, &out);
}

static vd_place row_place(const draft *r, size_t row) {
  return vd_crg_row_place(r->file, r->d, row_of(r, row));
}

static double column_v(const draft *r, size_t column) {
  return r->v + ((double)column - (double)r->across) / r->per_v;
}

/* Two functions return the numbers of rows and columns of the grid. */
static size_t all_rows(const draft *r) {
  return r->rows + 2 * r->along;
}

static size_t all_columns(const draft *r) {
  return r->columns + 2 * r->across;
}

/* Returns the first height of a row of the grid. */
static double *grid_row(const draft *r, size_t row) {
  return r->z + ((ptrdiff_t)row - (ptrdiff_t)r->along) * (ptrdiff_t)r->wide - (ptrdiff_t)r->across;
}

static void add_rim(const draft *r) {
  for (size_t i = 0; i < all_rows(r); i++)
    for (size_t k = 0; k < all_columns(r); k++) {
      size_t out_u, out_v, row = clamped(i, r->along, r->rows, &out_u),
                           column = clamped(k, r->across, r->columns, &out_v);
      double z = r->z[row * r->wide + column];
      if (out_v > 0)
        z = beyond(r, VD_CRG_BORDER_MODE_V, VD_CRG_BORDER_OFFSET_V, (double)out_v / (double)r->across, z);
      if (out_u > 0)
        z = beyond(r, VD_CRG_BORDER_MODE_U, VD_CRG_BORDER_OFFSET_U, (double)out_u / (double)r->along, z);
      grid_row(r, i)[k] = z;
    }
}

/* Refuses impossible heights, and finds the greatest slope. Measured roads have stones and kerbs, so their slopes may
 * exceed the 60 deg to which other grounds are limited; a remark then names the steepest place. */
static bool check_heights(const draft *r, double *steepest) {
  size_t at_row = 0, at_column = 0, steep = 0;
  *steepest = VD_GROUND_STEEPEST;
  for (size_t i = 0; i < all_rows(r); i++)
    for (size_t k = 0; k < all_columns(r); k++) {
      const double *z = grid_row(r, i) + k;
      double along = i > 0 ? (z[0] - z[-(ptrdiff_t)r->wide]) / r->step : 0.0;
      double across = k > 0 ? (z[0] - z[-1]) * r->per_v : 0.0, slope = vd_fast_max(fabs(along), fabs(across));
      if (fabs(*z) > 1e4)
        return vd_error(r->d, row_place(r, i),
                        "the height of cross section %zu at v %g m must be -10000 to 10000 m, not %g m",
                        row_of(r, i) + 1, column_v(r, k), *z);
      steep += slope > VD_GROUND_STEEPEST;
      if (slope > *steepest) {
        at_row = i;
        at_column = k;
      }
      *steepest = vd_fast_max(*steepest, slope);
    }
  if (steep > 0)
    vd_remark(
        r->d, row_place(r, at_row),
        "%zu of %zu places are steeper than 60 deg; the steepest has %.1f deg, before cross section %zu at v %g m",
        steep, all_rows(r) * all_columns(r), vd_atan(*steepest) * 180.0 / VD_PI, row_of(r, at_row) + 1,
        column_v(r, at_column));
  return true;
}

/* If a road continues with its other end or side, sets the heights beside the grid's border to the heights at the other
 * end or side. */
static void join(vd_grid *g, double *z, bool along, bool across) {
  size_t wide = g->nx + 2;
  for (size_t i = 0; along && i < wide; i++) {
    z[i] = z[(g->ny - 1) * wide + i];
    z[(g->ny + 1) * wide + i] = z[2 * wide + i];
  }
  for (size_t j = 0; across && j < g->ny + 2; j++) {
    z[j * wide] = z[j * wide + g->nx - 1];
    z[j * wide + g->nx + 1] = z[j * wide + 2];
  }
}

/* --- bounds --- */

static void bound(vd_crg *c, vd_arena *arena) {
  size_t nx = c->grid.nx - 1, ny = c->grid.ny - 1;
  const double up = 1.0 + FLT_EPSILON; /* then the nearest float is no less than the bound */
  float *bend = vd_arena_alloc(arena, nx * ny * sizeof *bend);
  bool certain = c->line.straight && c->grid.interpolation == VD_MAP_BICUBIC;
  /* far from a curved line its cross sections meet, so that there is no bound */
  c->max_curvature = certain ? 0.0 : INFINITY;
  for (size_t j = 0; j < ny; j++) {
    vd_crg_metric m;
    vd_crg_line_metric(&c->line, (int)j - (int)c->before, NULL, &m);
    for (size_t i = 0; i < nx; i++) {
      double most = vd_crg_bend(c, &m, i, j);
      bend[j * nx + i] = (float)(most * up);
      c->max_curvature = vd_fast_max(c->max_curvature, most);
    }
  }
  c->bend = bend;
}

/* Makes the reference line. Its bounds also hold up to a metre beside the road, if its turns are wide enough. */
static bool make_line(const draft *r, vd_arena *arena, vd_crg_line *line) {
  const double side = (double)r->across / r->per_v, beside[] = {1.0, 0.3, 0.1, 0.0};
  for (size_t k = 0; k < VD_COUNT(beside); k++) {
    const double width[] = {r->v - side - beside[k], r->v + (double)(r->columns - 1) / r->per_v + side + beside[k]};
    int piece = 0;
    vd_crg_metric metric;
    *line = vd_crg_line_make((const double(*)[2])r->point, r->rows, r->step, r->closed, width, arena);
    while (piece < line->pieces && vd_crg_line_metric(line, piece, NULL, &metric))
      piece++;
    if (piece == line->pieces)
      return true;
    if (beside[k] == 0.0)
      vd_error(r->d, vd_crg_row_place(r->file, r->d, (size_t)piece),
               "the reference line turns so sharply before cross section %d that cross "
               "sections meet within the road, v %g to %g m",
               piece + 2, width[0], width[1]);
  }
  return false;
}

static void remark_road(const draft *r) {
  static const char *const words[] = {"no road", "height 0", "the height at the border", "the road repeats",
                                      "the road reflects"};
  vd_place at = {.source = r->file->format.source};
  vd_remark(r->d, at, "%zu cross sections over %g m, %zu long sections from v %g to %g m", r->rows,
            r->step * (double)(r->rows - 1), r->file->sections, r->v, r->v + (double)(r->columns - 1) / r->per_v);
  vd_remark(r->d, at, "beyond its ends: %s%s; beyond its sides: %s%s",
            r->closed ? "the other end" : words[(int)value(r, VD_CRG_BORDER_MODE_U, VD_CRG_KEEP)],
            value(r, VD_CRG_BORDER_OFFSET_U, 0.0) != 0.0 ? " and an offset" : "",
            words[(int)value(r, VD_CRG_BORDER_MODE_V, VD_CRG_KEEP)],
            value(r, VD_CRG_BORDER_OFFSET_V, 0.0) != 0.0 ? " and an offset" : "");
  if (r->filled > 0)
    vd_remark(r->d, at, "%zu heights are missing at the sides: %s", r->filled,
              value(r, VD_CRG_GRID_NAN_MODE, 2.0) == 0.0   ? "there is no road"
              : value(r, VD_CRG_GRID_NAN_MODE, 2.0) == 1.0 ? "height 0"
                                                           : "the nearest height of the same cross section");
}

static const vd_crg *build(draft *r, vd_arena *arena) {
  int mode_u = (int)value(r, VD_CRG_BORDER_MODE_U, VD_CRG_KEEP),
      mode_v = (int)value(r, VD_CRG_BORDER_MODE_V, VD_CRG_KEEP);
  bool repeats = mode_u == VD_CRG_REPEAT;
  find_points(r);
  modify_place(r);
  if (!close_line(r) || (!r->closed && repeats && !join_borders(r, true, "BORDER_MODE_U 3", VD_CRG_BORDER_MODE_U)) ||
      (mode_v == VD_CRG_REPEAT && !join_borders(r, false, "BORDER_MODE_V 3", VD_CRG_BORDER_MODE_V)))
    return NULL;
  add_rim(r);
  vd_crg *road = vd_arena_alloc(arena, sizeof *road);
  if (!check_heights(r, &road->steepest) || !make_line(r, arena, &road->line))
    return NULL;
  double *z = grid_row(r, 0) - r->wide - 1;
  road->grid = vd_grid_make(z, all_columns(r), all_rows(r), r->def->interpolation);
  join(&road->grid, z, r->closed || repeats, mode_v == VD_CRG_REPEAT);
  road->v = r->v - (double)r->across / r->per_v;
  road->per_v = r->per_v;
  road->before = (double)r->along;
  road->border_u = r->closed ? VD_CRG_REPEAT : mode_u;
  road->border_v = mode_v;
  bound(road, arena);
  remark_road(r);
  return road;
}

const vd_crg *vd_crg_build(int source, const vd_crg_def *def, vd_arena *arena, vd_diag *d) {
  vd_arena *scratch = vd_arena_create();
  vd_crg_file file;
  draft r = {.file = &file, .def = def, .scratch = scratch, .d = d};
  const vd_crg *road = NULL;
  if (vd_crg_read(source, scratch, d, &file) && check_keys(&r) && find_u(&r) && make_heights(&r, arena))
    road = build(&r, arena);
  vd_arena_destroy(scratch);
  return road;
}
