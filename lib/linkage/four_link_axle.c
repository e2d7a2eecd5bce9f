/* Rigid axle on two lower and two upper rods; by default the right rods are the mirror images of the left ones. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_FOUR_LINK_AXLE)
#define LINKS(X) X(0, lower_left) X(1, lower_right) X(2, upper_left) X(3, upper_right)

static const vd_field link_fields[] = {
  VD_ROW_AXLE_LINK(0, "lower_left") VD_ROW_IMAGE(1, "lower_right")
  VD_ROW_AXLE_LINK(2, "upper_left") VD_ROW_IMAGE(3, "upper_right")
};
VD_ROW_LINK_SCHEMAS("a four-link axle", LINKS);

static const vd_field point_fields[] = {VD_ROW_POINTS_OF_AXLE};
/* clang-format on */

VD_ROW_GROUPS(four_link_axle);

const vd_corner_kind vd_four_link_axle = {
    .traits = {.axle = true},
    .members = 4,
    .member = {VD_CORNER_ROD("lower_left"), VD_CORNER_ROD_IMAGE("lower_right", 0), VD_CORNER_ROD("upper_left"),
               VD_CORNER_ROD_IMAGE("upper_right", 2)},
    .each_bushing = true,
    .each_mass = true,
};
