#include "ground/strip_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_AT_ROW(VD_GROUND_LOOP, loop.at),
  VD_GROUND_WIDTH_ROW(VD_GROUND_LOOP, loop.width),
  VD_GROUND_NUMBER(VD_GROUND_LOOP, "0 m", loop.y, "y", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "world y of the middle of the lane into the loop"),
  VD_GROUND_HEIGHT_ROW(VD_GROUND_LOOP, loop.z),
  VD_GROUND_RADIUS_ROW(VD_GROUND_LOOP, loop.radius),
  VD_GROUND_NUMBER(VD_GROUND_LOOP, "3 m", loop.entry, "entry", "m", 0, 1e3, 0, "0",
     "length of the clothoids at both ends of a loop; 0: a circle"),
  VD_GROUND_NUMBER(VD_GROUND_LOOP, "5 m", loop.offset, "offset", "m", -1e3, 1e3, 0, NULL,
     "distance from the entry of the loop to its exit, to the left > 0"),
};
/* clang-format on */

/* Builds the strip. A clothoid of length L to the radius R turns by L/(2 R). It shifts the circle's centre ahead by
 * D/2, and the mirror image at the exit shifts the end by the same distance:
 *   D/2 = x(L) - R sin(L/2R),   height of the centre = y(L) + R cos(L/2R).
 * The circle turns by the rest of a full turn, 2 pi - L/R, so the curve has the length 2 L + (2 pi R - L). */
static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  const vd_loop_def *p = &def->loop;
  double radius = p->radius, clothoid = p->entry, turned = 0.5 * clothoid / radius;
  double x, y, arc = 2.0 * (VD_PI - turned) * radius;
  vd_clothoid(clothoid, turned, &x, &y);
  double half = x - radius * vd_sin(turned), length = 2.0 * clothoid + arc;
  double sine = p->offset / (length - 2.0 * half), cosine = sqrt(1.0 - sine * sine);
  vd_strip strip = {.origin = {p->at, p->y, p->z},
                    .ahead = {cosine, -sine},
                    .side = {sine, cosine},
                    .skew = sine / cosine,
                    .cosine = cosine,
                    .right = -0.5 * p->width,
                    .left = 0.5 * p->width};
  double middle[2] = {half, y + radius * vd_cos(turned)};
  vd_strip_piece piece = {.high = clothoid, .radius = radius};
  if (clothoid > 0.0) {
    piece.shape = VD_STRIP_CLOTHOID_IN;
    piece.end[0] = x;
    piece.end[1] = y;
    vd_strip_add_piece(&strip, piece);
  }
  vd_strip_add_piece(&strip, (vd_strip_piece){.shape = VD_STRIP_ARC,
                                              .start = {middle[0], middle[1]},
                                              .high = arc,
                                              .from = clothoid,
                                              .radius = radius,
                                              .turned = turned});
  if (clothoid > 0.0) {
    piece.shape = VD_STRIP_CLOTHOID_OUT;
    piece.start[0] = piece.end[0] = 2.0 * half;
    piece.box[0] = 2.0 * half - x;
    piece.from = clothoid + arc;
    vd_strip_add_piece(&strip, piece);
  }
  vd_strip_add_edge(&strip, (vd_strip_edge){.after = {1.0, 0.0}});
  vd_strip_add_edge(&strip, (vd_strip_edge){.at = {2.0 * half, 0.0}, .before = {1.0, 0.0}, .s = length});
  shape->loop = (vd_loop_strip){.strip = strip, .middle = {middle[0], middle[1]}, .radius = radius, .length = length};
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_loop_def *p = &def->loop;
  double half_turn = VD_PI * p->radius;
  if (!(p->entry <= half_turn))
    vd_error(ctx->d, vd_ground_place(ctx, "entry"), "entry (%g m) must be at most pi times the radius (%g m)", p->entry,
             half_turn);
  if (!(fabs(p->offset) >= p->width))
    vd_error(ctx->d, vd_ground_place(ctx, "offset"),
             "offset (%g m) must be at least the width (%g m) to either side: the lanes into and out of the loop would "
             "overlap",
             p->offset, p->width);
  else if (!(fabs(p->offset) <= half_turn))
    vd_error(ctx->d, vd_ground_place(ctx, "offset"),
             "offset (%g m) must be at most pi times the radius (%g m) to either side", p->offset, half_turn);
}

static bool contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *result) {
  (void)hint;
  return vd_strip_contact(&ground->as.loop.strip, disc, result);
}

const vd_ground_variant vd_loop_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_OVERHEAD,
    .check = check,
    .build = build,
    .contact = contact,
};

/* --- geometry for metrics --- */

static const vd_loop_strip *find(const vd_ground *ground) {
  const vd_ground *g = ground;
  for (size_t i = 0; i < ground->others && g->type != VD_GROUND_LOOP; i++)
    g = &ground->other[i];
  return g->type == VD_GROUND_LOOP ? &g->as.loop : NULL;
}

static void world_place(const vd_strip *strip, const double *q, double v, double *place) {
  for (int j = 0; j < 2; j++)
    place[j] = strip->origin[j] + q[0] * strip->ahead[j] + v * strip->side[j];
  place[2] = strip->origin[2] + q[1];
}

bool vd_ground_loop(const vd_ground *ground, vd_loop *loop) {
  const vd_loop_strip *p = find(ground);
  if (!p)
    return false;
  const vd_strip *strip = &p->strip;
  const double start[2] = {0.0, 0.0}, end[2] = {2.0 * p->middle[0], 0.0};
  double top[2] = {p->middle[0], p->middle[1] + p->radius}, over = strip->skew * p->length;
  *loop = (vd_loop){.axis = {strip->side[0], strip->side[1], 0.0},
                    .radius = p->radius,
                    .skew = vd_atan(strip->skew),
                    .length = p->length / strip->cosine};
  world_place(strip, p->middle, 0.5 * over, loop->centre);
  world_place(strip, top, 0.5 * over, loop->apex);
  world_place(strip, start, 0.0, loop->enter);
  world_place(strip, end, over, loop->exit);
  return true;
}

bool vd_ground_loop_place(const vd_ground *ground, double along, double aside, double *place) {
  const vd_loop_strip *p = find(ground);
  if (!p)
    return false;
  const vd_strip *strip = &p->strip;
  double s = along * p->length;
  size_t k = 0;
  while (k + 1 < strip->pieces && s > strip->piece[k].from + strip->piece[k].high)
    k++;
  vd_strip_point at;
  vd_strip_point_at(&strip->piece[k], s - strip->piece[k].from, &at);
  double across = 0.5 * (strip->left + strip->right) + aside * 0.5 * (strip->left - strip->right);
  world_place(strip, at.q, across / strip->cosine + strip->skew * s, place);
  return true;
}

bool vd_ground_loop_angle(const vd_ground *ground, const double *place, double *angle) {
  const vd_loop_strip *p = find(ground);
  if (!p)
    return false;
  const vd_strip *strip = &p->strip;
  double to[2] = {place[0] - strip->origin[0], place[1] - strip->origin[1]};
  *angle = vd_atan2(vd_dot2(strip->ahead, to) - p->middle[0], p->middle[1] + strip->origin[2] - place[2]);
  return true;
}
