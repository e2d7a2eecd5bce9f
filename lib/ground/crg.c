/* A measured road as a ground. */
#include "ground/crg_def.h"

#include "base/base.h"
#include "ground/ground_impl.h"
#include "input/file.h"
#include "input/measured.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_CRG),
  {VD_F_PATH(vd_ground_def, crg.file, "file", "\"\"",
     "OpenCRG file of a measured road"), .only = VD_WHEN(VD_GROUND_CRG),
   .example = "road.crg"},
  VD_GROUND_INTERPOLATION_ROW(VD_GROUND_CRG, crg.interpolation),
  {VD_F_NUMBER(vd_ground_def, crg.x, "x", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world x of the start of the reference line; auto: as in the file"), .only = VD_WHEN(VD_GROUND_CRG)},
  {VD_F_NUMBER(vd_ground_def, crg.y, "y", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world y of the start of the reference line; auto: as in the file"), .only = VD_WHEN(VD_GROUND_CRG)},
  {VD_F_NUMBER(vd_ground_def, crg.z, "z", "m", -1e4, 1e4, VD_AUTO, "auto",
     "height of the road at the start of the reference line; auto: as in the file"), .only = VD_WHEN(VD_GROUND_CRG)},
  {VD_F_NUMBER(vd_ground_def, crg.heading, "heading", "rad", -10, 10, VD_AUTO, "auto",
     "direction of the reference line at its start; auto: as in the file"), .only = VD_WHEN(VD_GROUND_CRG)},
};
/* clang-format on */

static void complete(const vd_ground_context *ctx, vd_ground_def *ground, vd_arena *arena) {
  vd_crg_def *def = &ground->crg;
  int source;
  if (!def->file || !*def->file)
    vd_error(ctx->d, vd_ground_place(ctx, "file"), "the measured road has no file");
  else if (vd_measured_load(def->file, vd_ground_place(ctx, "file"), ctx->d, &source))
    def->road = vd_crg_build(source, def, arena, ctx->d);
  if (def->road)
    def->file = vd_file_full(arena, def->file);
}

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  shape->crg = def->crg.road;
}

/* --- surface --- */

/* True if the grid's outermost height continues beyond a border, so that a coordinate beyond the border needs no
 * conversion. */
VD_INLINE bool is_plain(int border) {
  return border == VD_CRG_KEEP || border == VD_CRG_ZERO;
}

/* Converts a coordinate beyond the road to a coordinate on the road, 0 to `most`, with the same height, for a road that
 * repeats or is reflected. *sign: -1 if the road is reflected. NAN: there is no road at s. */
static double fold(int border, double s, double most, double *sign) {
  if (is_plain(border))
    return s;
  if (border == VD_CRG_NOTHING)
    return s >= 0.0 && s <= most ? s : NAN;
  if (border == VD_CRG_REPEAT)
    return s - most * floor(s / most);
  double reflected = s - 2.0 * most * floor(s / (2.0 * most));
  *sign = reflected > most ? -1.0 : 1.0;
  return reflected > most ? 2.0 * most - reflected : reflected;
}

static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_crg *c = ground->as.crg;
  vd_crg_place p;
  vd_road here;
  double sign_u = 1.0, sign_v = 1.0;
  vd_crg_line_at(&c->line, x, y, &p);
  double along = p.u + c->before, across = (p.v - c->v) * c->per_v;
  bool plain = is_plain(c->border_u) && is_plain(c->border_v);
  if (!plain) {
    along = fold(c->border_u, along, c->grid.last_y, &sign_u);
    across = fold(c->border_v, across, c->grid.last_x, &sign_v);
  }
  vd_grid_at(&c->grid, across, along, &here);
  if (!plain)
    here.z += 0.0 * (along + across); /* NAN if there is no road */
  double by_u = sign_u * here.slope_y, by_v = sign_v * here.slope_x * c->per_v;
  vd_raise(road, here.z, by_u * p.du[0] + by_v * p.dv[0], by_u * p.du[1] + by_v * p.dv[1]);
}

/* Finds the cells that a range of coordinates along or across the road touches. False if the range goes beyond a border
 * at which the height does not continue (is_plain). */
static bool within(int border, vd_range s, double most, size_t *first, size_t *last, bool *crosses) {
  *crosses = vd_grid_cells(s, most, first, last);
  return is_plain(border) || (s.low >= 0.0 && s.high <= most);
}

/* Finds the greatest bend of some cells, for v within a range (NULL: the width of the road). False: cross sections meet
 * in this range. */
static bool greatest_bend(const vd_crg *c, const size_t first[2], const size_t last[2], const vd_range *v, double *k) {
  for (size_t j = first[1]; j <= last[1]; j++) {
    vd_crg_metric m;
    if (v && !vd_crg_line_metric(&c->line, (int)j - (int)c->before, v, &m))
      return false;
    for (size_t i = first[0]; i <= last[0]; i++)
      *k = vd_fast_max(*k, v ? vd_crg_bend(c, &m, i, j) : c->bend[j * (c->grid.nx - 1) + i]);
  }
  return true;
}

/* Bounds the curvature over the cells that a box can touch. The box lies within a radius r of its middle, and u and v
 * change no faster than the line's bounds allow: on the road these are the bounds for the width of the road, beside the
 * road the bounds for the range of v around the box. Where cross sections meet, a place has several coordinates, and
 * there is no bound; the program then assumes that a wheel beside the road has one contact point. */
static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_crg *c = ground->as.crg;
  const vd_crg_line *l = &c->line;
  double half_x = 0.5 * (box->x.high - box->x.low), half_y = 0.5 * (box->y.high - box->y.low), k = 0.0, skew;
  double r = sqrt(half_x * half_x + half_y * half_y);
  if (!isfinite(r)) {
    b->xx = b->yy = c->max_curvature;
    return;
  }
  vd_crg_place p;
  vd_crg_line_at(l, box->x.low + half_x, box->y.low + half_y, &p);
  const vd_range around = {p.v - 2.0 * r, p.v + 2.0 * r}, *beside = NULL;
  vd_range along = vd_crg_line_within(l, p.u, r, NULL, &skew);
  if (!l->straight && (p.v - r * (1.0 + skew) < l->right || p.v + r * (1.0 + skew) > l->left)) {
    beside = &around;
    along = vd_crg_line_within(l, p.u, r, beside, &skew);
  }
  double reach_v = r * (1.0 + skew), v = (p.v - c->v) * c->per_v;
  b->xx = b->yy = around.low > l->left || around.high < l->right ? 0.0 : INFINITY;
  if (beside && !(skew <= 1.0))
    return;
  vd_range across = {v - reach_v * c->per_v, v + reach_v * c->per_v};
  along = (vd_range){along.low + c->before, along.high + c->before};
  size_t first[2], last[2];
  bool crosses[2];
  bool plain = within(c->border_u, along, c->grid.last_y, &first[1], &last[1], &crosses[1]);
  plain &= within(c->border_v, across, c->grid.last_x, &first[0], &last[0], &crosses[0]);
  if (!plain)
    b->xx = b->yy = c->max_curvature;
  else if (greatest_bend(c, first, last, beside, &k))
    b->xx = b->yy = c->grid.interpolation == VD_MAP_BILINEAR && (crosses[0] || crosses[1]) ? INFINITY : k;
}

/* Returns the greatest slope. The slope of Keys' cubic is at most 1.5 times the greatest of three neighbouring
 * differences. */
static double steepest(const vd_ground *ground) {
  const vd_crg *c = ground->as.crg;
  bool usual = c->steepest <= VD_GROUND_STEEPEST || c->grid.interpolation == VD_MAP_BILINEAR;
  return usual ? c->steepest : 1.5 * c->steepest;
}

const vd_ground_variant vd_crg_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .build = build,
    .raise = raise,
    .curvature = curvature,
    .steepest = steepest,
};
