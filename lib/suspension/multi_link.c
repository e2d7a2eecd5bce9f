/* Multi-link suspension: two trailing and two lateral links and a toe link between chassis and knuckle. */
#include "suspension/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_MULTI_LINK)
#define LINKS(X) X(0, trailing_upper) X(1, trailing_lower) X(2, lateral_upper) X(3, lateral_lower) X(4, toe_link)

static const vd_field link_fields[] = {LINKS(VD_ROW_KNUCKLE_LINK)};
static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)};
static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)};
VD_ROW_SCHEMA(links, "links of a multi-link suspension", vd_links_def, link_fields);
VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a multi-link suspension", vd_bushings_def, bushing_fields);
VD_ROW_SCHEMA(balls, "ball joints", vd_balls_def, ball_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a multi-link suspension", vd_mass_def, mass_fields);

static const char *const trailing_names[] = {"rods", "blade", NULL};

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_F_CHOICE(vd_corner_def, trailing, "trailing", trailing_names, "rods", "blade: under forces both trailing links are one rigid member, with both bushings at the chassis and both joints at the knuckle"), .flags = VD_UNSAID, ONLY},
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

const vd_schema vd_multi_link_points = {.field = point_fields, .count = VD_COUNT(point_fields)};
const vd_schema vd_multi_link_parts = {.field = part_fields, .count = VD_COUNT(part_fields)};

const vd_corner_kind vd_multi_link = {
    .traits = {.steering = VD_STEERING_RODS},
    .members = 5,
    .member = {VD_CORNER_ROD("trailing_upper"), VD_CORNER_ROD("trailing_lower"), VD_CORNER_ROD("lateral_upper"),
               VD_CORNER_ROD("lateral_lower"), VD_CORNER_TOE_LINK},
    .each_bushing = true,
    .each_mass = true,
};
