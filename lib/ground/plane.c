#include "ground/plane.h"

#include "base/base.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

static const vd_field rows[] = {VD_GROUND_SLOPE_ROWS(VD_GROUND_INCLINED)};

const vd_ground_variant vd_flat_variant = {.surface = VD_SURFACE_PLANE};
const vd_ground_variant vd_inclined_variant = {.rows = {.field = rows, .count = VD_COUNT(rows)},
                                               .surface = VD_SURFACE_PLANE};

bool vd_ground_is_flat(const vd_ground_def *def) {
  return def->type == VD_GROUND_FLAT && def->also.count == 0;
}
