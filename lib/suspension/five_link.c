/* Five-link suspension: five rods between chassis and knuckle. */
#include "suspension/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_FIVE_LINK)
#define LINKS(X) X(0, upper_fore) X(1, upper_aft) X(2, lower_fore) X(3, lower_aft) X(4, toe_link)

static const vd_field link_fields[] = {LINKS(VD_ROW_KNUCKLE_LINK)};
static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)};
static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)};
VD_ROW_SCHEMA(links, "links of a five-link suspension", vd_links_def, link_fields);
VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a five-link suspension", vd_bushings_def, bushing_fields);
VD_ROW_SCHEMA(balls, "ball joints", vd_balls_def, ball_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a five-link suspension", vd_mass_def, mass_fields);

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_LINKS(&links), ONLY},
  {VD_ROW_KNUCKLE(&knuckle), ONLY},
  {VD_ROW_STEERING, ONLY},
};
static const vd_field part_fields[] = {
  {VD_ROW_BUSHINGS(&bushings), ONLY},
  {VD_ROW_BALLS(&balls), ONLY},
  {VD_ROW_MASSES(&masses), ONLY},
};
/* clang-format on */

const vd_schema vd_five_link_points = {.field = point_fields, .count = VD_COUNT(point_fields)};
const vd_schema vd_five_link_parts = {.field = part_fields, .count = VD_COUNT(part_fields)};

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
