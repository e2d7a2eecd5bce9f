/* Grounds without parameters of their own: level ground, a plane with grade and bank, and no ground at all (an
 * abyss). */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "input/schema.h"

static const vd_field rows[] = {VD_GROUND_SLOPE_ROWS(VD_GROUND_INCLINED)};

const vd_ground_variant vd_flat_variant = {.surface = VD_SURFACE_PLANE};
const vd_ground_variant vd_inclined_variant = {.rows = {.field = rows, .count = VD_COUNT(rows)},
                                               .surface = VD_SURFACE_PLANE};

bool vd_ground_is_flat(const vd_ground_def *def) {
  return def->type == VD_GROUND_FLAT && def->also.count == 0;
}

static bool no_contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *result) {
  (void)ground, (void)disc, (void)hint, (void)result;
  return false;
}

const vd_ground_variant vd_none_variant = {.surface = VD_SURFACE_HEIGHTS, .contact = no_contact};
