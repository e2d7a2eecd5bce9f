/* Five-link suspension: five rods between chassis and knuckle. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_FIVE_LINK)
#define LINKS(X) X(0, upper_fore) X(1, upper_aft) X(2, lower_fore) X(3, lower_aft) X(4, toe_link)

static const vd_field link_fields[] = {LINKS(VD_ROW_KNUCKLE_LINK)};
VD_ROW_LINK_SCHEMAS("a five-link suspension", LINKS);

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  VD_ROW_POINTS_OF_LINKS
};
/* clang-format on */

VD_ROW_GROUPS(five_link);

static const double bushing[] = {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4};
static const double mass[] = {6.5, 3.0, 3.0, 3.0, 3.0, 3.0};

const vd_corner_kind vd_five_link = {
    .traits = {.steering = VD_STEERING_RODS, .drive = "lower_aft"},
    .members = 5,
    .member = {VD_CORNER_ROD("upper_fore"), VD_CORNER_ROD("upper_aft"), VD_CORNER_ROD("lower_fore"),
               VD_CORNER_ROD("lower_aft"), VD_CORNER_TOE_LINK},
    .each_bushing = true,
    .each_mass = true,
    .default_bushing = {{bushing, NULL}, {bushing, NULL}, {bushing, NULL}, {bushing, NULL}, {bushing, NULL}},
    .default_mass = mass,
};
