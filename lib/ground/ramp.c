#include "ground/strip_def.h"

#include "base/base.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_AT_ROW(VD_GROUND_RAMP, ramp.at),
  VD_GROUND_NUMBER(VD_GROUND_RAMP, "0.8 m", ramp.height, "height", "m", -20, 20, 0, NULL,
     "height at the end of the rise, above 0"),
  VD_GROUND_NUMBER(VD_GROUND_RAMP, "6 m", ramp.length, "length", "m", 0, 1e5, VD_ABOVE, NULL, "length of the rise"),
  VD_GROUND_SIDE_ROWS(VD_GROUND_RAMP, ramp),
  VD_GROUND_HEIGHT_ROW(VD_GROUND_RAMP, ramp.z),
  VD_GROUND_NUMBER(VD_GROUND_RAMP, "0.5 m", ramp.lip, "lip", "m", 0, 1e4, 0, "0", "length of the level part after the "
    "rise"),
};
/* clang-format on */

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  const vd_ramp_def *p = &def->ramp;
  double lip = p->length + p->lip, high = p->height;
  vd_strip strip = vd_strip_along_x(p->at, p->z, p->y_from, p->y_to);
  vd_strip_add_piece(
      &strip, (vd_strip_piece){.shape = VD_STRIP_COSINE, .high = p->length, .height = high, .end = {p->length, high}});
  if (p->lip > 0.0)
    vd_strip_add_piece(
        &strip, (vd_strip_piece){.shape = VD_STRIP_LINE, .start = {p->length, high}, .cosine = 1.0, .high = p->lip});
  vd_strip_add_piece(&strip,
                     (vd_strip_piece){.shape = VD_STRIP_LINE, .start = {lip, high}, .sine = -1.0, .high = high});
  vd_strip_add_edge(&strip, (vd_strip_edge){.at = {0.0, 0.0}, .after = {1.0, 0.0}});
  vd_strip_add_edge(&strip, (vd_strip_edge){.at = {lip, high}, .before = {1.0, 0.0}, .after = {0.0, -1.0}});
  vd_strip_add_edge(&strip, (vd_strip_edge){.at = {lip, 0.0}, .before = {0.0, -1.0}});
  shape->ramp = strip;
}

/* Checks the ranges of the keys. If the hollow at the start of the ramp had a smaller radius than a wheel, the wheel
 * would stand on two places at once. The curvature is greatest where the slope is 0: h/2 (pi/L)^2. */
static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const double least = 1.0; /* m */
  const vd_ramp_def *p = &def->ramp;
  double slope = 0.5 * VD_PI * p->height / p->length, k = VD_PI / p->length, hollow = 2.0 / (p->height * k * k);
  if (!(p->height > 0.0))
    vd_error(ctx->d, vd_ground_place(ctx, "height"), "a ramp rises: height must be above 0, not %g m", p->height);
  else if (vd_ground_check_slope(ctx, "height", slope) && !(hollow >= least))
    vd_error(ctx->d, vd_ground_place(ctx, "length"), "the ramp begins with a radius of %g m; at least %g m", hollow,
             least);
  if (p->y_from >= p->y_to)
    vd_error(ctx->d, vd_ground_place(ctx, "y_to"), "y_to (%g m) must lie above y_from (%g m)", p->y_to, p->y_from);
}

static bool contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *result) {
  (void)hint;
  return vd_strip_contact(&ground->as.ramp, disc, result);
}

/* Finds the surface seen from above. The first piece is the rise; the last piece is the vertical back, at the end of
 * the lip. */
static bool top(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_strip *strip = &ground->as.ramp;
  const vd_strip_piece *rise = &strip->piece[0], *back = &strip->piece[strip->pieces - 1];
  double u = x - strip->origin[0];
  vd_strip_point at;
  if (!(u >= 0.0 && u <= back->start[0] && vd_strip_contains(strip, y, 0.0)))
    return false;
  vd_strip_point_at(rise, vd_fast_min(u, rise->high), &at);
  *road = (vd_road){.z = strip->origin[2] + at.q[1], .slope_x = at.sine / at.cosine};
  return true;
}

const vd_ground_variant vd_ramp_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .build = build,
    .contact = contact,
    .top = top,
};
