/* Grounds: the plane with its axes, and what lies over it. */
#include "ground_impl.h"

#include "base.h"

#include <math.h>

void vd_ground_build(const vd_ground_def *def, vd_ground *ground) {
  /* flat ground must give exact axes, so that a straight run stays on the x axis to the last bit */
  double p = def->type == VD_GROUND_FLAT ? 0.0 : tan(def->grade);
  double q = def->type == VD_GROUND_FLAT ? 0.0 : tan(def->bank);
  double n = sqrt(1.0 + p * p + q * q), a = sqrt(1.0 + p * p);

  *ground = (vd_ground){
      .along = {1.0 / a, 0.0, p / a},
      .normal = {-p / n, -q / n, 1.0 / n},
      /* normal x along */
      .across = {-q * p / (n * a), (1.0 + p * p) / (n * a), q / (n * a)},
      .weight = VD_GRAVITY / n,
      .slope_x = p,
      .slope_y = q,
      .friction = def->friction,
      .patch = def->patches.item,
      .patches = def->patches.count,
      .relief = def->type == VD_GROUND_FLAT || def->type == VD_GROUND_INCLINED ? NULL : def,
  };
  ground->pull_along = -VD_GRAVITY * ground->along[2];
  ground->pull_across = -VD_GRAVITY * ground->across[2];
}

void vd_ground_add_relief(const vd_ground_def *def, double x, double y, vd_road *road) {
  switch ((enum vd_ground_type)def->type) {
  case VD_GROUND_ROUGH: vd_relief_rough(def, x, road); break;
  case VD_GROUND_ISO8608: vd_iso8608_relief(def, x, y, road); break;
  case VD_GROUND_HEIGHTMAP: vd_map_relief(def, x, y, road); break;
  case VD_GROUND_BUMP: vd_relief_bump(def, x, y, road); break;
  case VD_GROUND_STEP: vd_relief_step(def, x, y, road); break;
  case VD_GROUND_SWEEP: vd_relief_sweep(def, x, y, road); break;
  case VD_GROUND_WASHBOARD: vd_relief_washboard(def, x, y, road); break;
  case VD_GROUND_POTHOLES: vd_relief_potholes(def, x, y, road); break;
  case VD_GROUND_FLAT:
  case VD_GROUND_INCLINED: break;
  }
}
