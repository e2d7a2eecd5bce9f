/* Grounds: the plane with its axes, and what lies over it. */
#include "ground/ground_impl.h"

#include "base/base.h"

#include <math.h>

/* How a ground is looked at. */
enum kind {
  PLANE,  /* by its plane alone */
  SMOOTH, /* by heights over it */
  SHARP, /* by heights that may be hollower than a wheel is round; random roads and height maps are taken as they are */
  SOLID, /* in itself; so that there is a plane to speak of, it is z = 0 */
};

static enum kind kind_of(enum vd_ground_type type) {
  switch (type) {
  case VD_GROUND_FLAT:
  case VD_GROUND_INCLINED: break;
  case VD_GROUND_ROUGH:
  case VD_GROUND_ISO8608:
  case VD_GROUND_HEIGHTMAP:
  case VD_GROUND_BANKED:
  case VD_GROUND_OVAL: return SMOOTH;
  case VD_GROUND_BUMP:
  case VD_GROUND_STEP:
  case VD_GROUND_SWEEP:
  case VD_GROUND_WASHBOARD:
  case VD_GROUND_POTHOLES: return SHARP;
  case VD_GROUND_RAMP:
  case VD_GROUND_CLIFF:
  case VD_GROUND_LOOP:
  case VD_GROUND_MESH:
  case VD_GROUND_NONE: return SOLID;
  }
  return PLANE;
}

void vd_ground_build(const vd_ground_def *def, vd_ground *ground) {
  /* flat ground must give exact axes, so that a straight run stays on the x axis to the last bit */
  enum kind kind = kind_of((enum vd_ground_type)def->type);
  bool sloping = vd_ground_sloping(def->type);
  double p = sloping ? tan(def->grade) : 0.0;
  double q = sloping ? tan(def->bank) : 0.0;
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
      .relief = kind == SMOOTH || kind == SHARP ? def : NULL,
      .sharp = kind == SHARP,
      .solid = kind == SOLID ? def : NULL,
      .other = def->others,
      .others = def->also.count,
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
  case VD_GROUND_BANKED: vd_turn_relief(def, x, y, road); break;
  case VD_GROUND_OVAL: vd_oval_relief(def, x, y, road); break;
  case VD_GROUND_FLAT:
  case VD_GROUND_INCLINED:
  case VD_GROUND_RAMP:
  case VD_GROUND_CLIFF:
  case VD_GROUND_LOOP:
  case VD_GROUND_MESH:
  case VD_GROUND_NONE: break;
  }
}

int vd_ground_needs_level(const vd_ground_def *def) {
  const vd_ground_def *also = def->also.item;
  int level = kind_of((enum vd_ground_type)def->type) != PLANE || def->also.count > 0 ? 3 : 0;
  if (def->type == VD_GROUND_LOOP)
    level = 5;
  for (size_t i = 0; i < def->also.count; i++)
    if (also[i].type == VD_GROUND_LOOP)
      level = 5;
  return level;
}

const vd_ground_def *vd_ground_find_loop(const vd_ground_def *def) {
  const vd_ground_def *also = def->also.item;
  if (def->type == VD_GROUND_LOOP)
    return def;
  for (size_t i = 0; i < def->also.count; i++)
    if (also[i].type == VD_GROUND_LOOP)
      return &also[i];
  return NULL;
}
