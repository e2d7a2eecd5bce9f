/* Rigid axle on two lower and two upper rods; the right rods are the mirror images of the left ones. */
#include "suspension/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_FOUR_LINK_AXLE)
#define LINKS(X) X(0, lower_left) X(1, lower_right) X(2, upper_left) X(3, upper_right)

static const vd_field link_fields[] = {
  VD_ROW_AXLE_LINK(0, "lower_left") VD_ROW_IMAGE(1, "lower_right")
  VD_ROW_AXLE_LINK(2, "upper_left") VD_ROW_IMAGE(3, "upper_right")
};
static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)};
static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)};
VD_ROW_SCHEMA(links, "links of a four-link axle", vd_links_def, link_fields);
VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a four-link axle", vd_bushings_def, bushing_fields);
VD_ROW_SCHEMA(balls, "ball joints", vd_balls_def, ball_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a four-link axle", vd_mass_def, mass_fields);

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

const vd_schema vd_four_link_axle_points = {.field = point_fields, .count = VD_COUNT(point_fields)};
const vd_schema vd_four_link_axle_parts = {.field = part_fields, .count = VD_COUNT(part_fields)};

const vd_corner_kind vd_four_link_axle = {
    .traits = {.axle = true},
    .members = 4,
    .member = {VD_CORNER_ROD("lower_left"), VD_CORNER_ROD_IMAGE("lower_right", "lower_left"),
               VD_CORNER_ROD("upper_left"), VD_CORNER_ROD_IMAGE("upper_right", "upper_left")},
    .each_bushing = true,
    .each_mass = true,
};
