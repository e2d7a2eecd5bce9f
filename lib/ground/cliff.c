#include "ground/strip_def.h"

#include "base/base.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_AT_ROW(VD_GROUND_CLIFF, cliff.at),
  VD_GROUND_HEIGHT_ROW(VD_GROUND_CLIFF, cliff.z),
  VD_GROUND_NUMBER(VD_GROUND_CLIFF, "2 m", cliff.drop, "drop", "m", 0, 1e3, VD_ABOVE, NULL, "depth of the cliff"),
};
/* clang-format on */

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  const vd_cliff_def *p = &def->cliff;
  vd_strip strip = vd_strip_along_x(p->at, p->z, NAN, NAN);
  vd_strip_add_piece(&strip, (vd_strip_piece){.shape = VD_STRIP_LINE, .cosine = 1.0, .low = -INFINITY});
  vd_strip_add_piece(&strip, (vd_strip_piece){.shape = VD_STRIP_LINE, .sine = -1.0, .high = p->drop});
  vd_strip_add_piece(
      &strip, (vd_strip_piece){.shape = VD_STRIP_LINE, .start = {0.0, -p->drop}, .cosine = 1.0, .high = INFINITY});
  vd_strip_add_edge(&strip, (vd_strip_edge){.before = {1.0, 0.0}, .after = {0.0, -1.0}});
  vd_strip_add_edge(&strip, (vd_strip_edge){.at = {0.0, -p->drop}, .before = {0.0, -1.0}, .after = {1.0, 0.0}});
  shape->cliff = strip;
}

static bool contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *result) {
  (void)hint;
  return vd_strip_contact(&ground->as.cliff, disc, result);
}

/* Finds the ground before the wall, piece 0, or behind the wall at its bottom, piece 2. */
static bool top(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_strip *strip = &ground->as.cliff;
  (void)y;
  *road = (vd_road){.z = strip->origin[2] + strip->piece[x - strip->origin[0] > 0.0 ? 2 : 0].start[1]};
  return true;
}

const vd_ground_variant vd_cliff_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .build = build,
    .contact = contact,
    .top = top,
};
