/* Rigid axle on two lower rods, one upper rod and a Panhard rod. */
#include "suspension/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_PANHARD_AXLE)
#define LINKS(X) X(0, lower_left) X(1, lower_right) X(2, upper) X(3, panhard)

static const vd_field link_fields[] = {
  VD_ROW_AXLE_LINK(0, "lower_left") VD_ROW_IMAGE(1, "lower_right")
  VD_ROW_LINK(2, "upper", "the upper rod, which prevents the rotation of the axle about the line of its wheels")
  VD_ROW_LINK(3, "panhard", "the rod across the car that takes the lateral force")
};
static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)};
static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)};
VD_ROW_SCHEMA(links, "links of a Panhard axle", vd_links_def, link_fields);
VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a Panhard axle", vd_bushings_def, bushing_fields);
VD_ROW_SCHEMA(balls, "ball joints", vd_balls_def, ball_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a Panhard axle", vd_mass_def, mass_fields);

static const vd_field point_fields[] = {
  {VD_ROW_LINKS(&links), ONLY},
  {VD_ROW_KNUCKLE(&knuckle), ONLY},
  {VD_ROW_AXLE_STEERING, ONLY},
  {VD_ROW_FINAL_DRIVE, ONLY},
};
static const vd_field part_fields[] = {
  {VD_ROW_BUSHINGS(&bushings), ONLY},
  {VD_ROW_BALLS(&balls), ONLY},
  {VD_ROW_MASSES(&masses), ONLY},
};
/* clang-format on */

const vd_schema vd_panhard_axle_points = {.field = point_fields, .count = VD_COUNT(point_fields)};
const vd_schema vd_panhard_axle_parts = {.field = part_fields, .count = VD_COUNT(part_fields)};

const vd_corner_kind vd_panhard_axle = {
    .traits = {.axle = true},
    .members = 4,
    .member = {VD_CORNER_ROD("lower_left"), VD_CORNER_ROD_IMAGE("lower_right", "lower_left"), VD_CORNER_ROD("upper"),
               VD_CORNER_ROD("panhard")},
    .each_bushing = true,
    .each_mass = true,
};
