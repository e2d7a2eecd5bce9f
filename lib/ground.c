#include "ground.h"

#include "base.h"

#include <math.h>

static const char *const type_names[] = {"flat", "inclined", NULL};

/* clang-format off */
static const vd_field ground_fields[] = {
  {VD_F_CHOICE(vd_ground_def, type, "type", type_names, "flat", "kind of ground")},
  {VD_F_NUMBER(vd_ground_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1", "factor on the tyre's friction coefficient")},
  {VD_F_NUMBER(vd_ground_def, grade, "grade", "rad", -1, 1, 0, "0", "slope along world x, uphill > 0"), .only = VD_WHEN(VD_GROUND_INCLINED)},
  {VD_F_NUMBER(vd_ground_def, bank, "bank", "rad", -1, 1, 0, "0", "slope along world y, left side up > 0"), .only = VD_WHEN(VD_GROUND_INCLINED)},
};
/* clang-format on */

const vd_schema vd_ground_schema = {
    .name = "ground",
    .size = sizeof(vd_ground_def),
    .field = ground_fields,
    .count = VD_COUNT(ground_fields),
    .tag = "type",
};

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
      .friction = def->friction,
  };
  ground->pull_along = -VD_GRAVITY * ground->along[2];
  ground->pull_across = -VD_GRAVITY * ground->across[2];
}
