#include "ground/none.h"

#include "ground/ground_impl.h"

static bool foot(const vd_ground *ground, const vd_disc *disc, int *hint, vd_foot *result) {
  (void)ground, (void)disc, (void)hint, (void)result;
  return false;
}

const vd_ground_variant vd_none_variant = {.surface = VD_SURFACE_HEIGHTS, .foot = foot};
