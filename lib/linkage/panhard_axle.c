/* Rigid axle on two lower rods, one upper rod and a Panhard rod. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_PANHARD_AXLE)
#define LINKS(X) X(0, lower_left) X(1, lower_right) X(2, upper) X(3, panhard)

static const vd_field link_fields[] = {
  VD_ROW_AXLE_LINK(0, "lower_left") VD_ROW_IMAGE(1, "lower_right")
  VD_ROW_LINK(2, "upper", "the upper rod, which prevents the rotation of the axle about the line of its wheels")
  VD_ROW_LINK(3, "panhard", "the rod across the car that takes the lateral force")
};
VD_ROW_LINK_SCHEMAS("a Panhard axle", LINKS);

static const vd_field point_fields[] = {VD_ROW_POINTS_OF_AXLE};
/* clang-format on */

VD_ROW_GROUPS(panhard_axle);

const vd_corner_kind vd_panhard_axle = {
    .traits = {.axle = true},
    .members = 4,
    .member = {VD_CORNER_ROD("lower_left"), VD_CORNER_ROD_IMAGE("lower_right", 0), VD_CORNER_ROD("upper"),
               VD_CORNER_ROD("panhard")},
    .each_bushing = true,
    .each_mass = true,
};
