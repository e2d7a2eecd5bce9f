/* Multi-link suspension: two trailing and two lateral links and a toe link between chassis and knuckle. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_MULTI_LINK)
#define LINKS(X) X(0, trailing_upper) X(1, trailing_lower) X(2, lateral_upper) X(3, lateral_lower) X(4, toe_link)

static const vd_field link_fields[] = {LINKS(VD_ROW_KNUCKLE_LINK)};
VD_ROW_LINK_SCHEMAS("a multi-link suspension", LINKS);

static const char *const trailing_names[] = {"rods", "blade", NULL};

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_F_CHOICE(vd_corner_def, trailing, "trailing", trailing_names, "rods",
      "blade: for compliance both trailing links are one rigid member with its two bushings at the chassis and its "
      "two joints at the knuckle; for the kinematics they remain two rods"), .flags = VD_OMIT_DEFAULT, ONLY},
  VD_ROW_POINTS_OF_LINKS
};
/* clang-format on */

VD_ROW_GROUPS(multi_link);

const vd_corner_kind vd_multi_link = {
    .traits = {.steering = VD_STEERING_RODS},
    .members = 5,
    .member = {VD_CORNER_ROD("trailing_upper"), VD_CORNER_ROD("trailing_lower"), VD_CORNER_ROD("lateral_upper"),
               VD_CORNER_ROD("lateral_lower"), VD_CORNER_TOE_LINK},
    .each_bushing = true,
    .each_mass = true,
};
