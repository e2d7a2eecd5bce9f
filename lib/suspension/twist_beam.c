/* Twist beam: each arm turns about its pivot and the shear centre of the cross beam in the middle of the car. */
#include "suspension/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_TWIST_BEAM)

static const vd_field pivot_fields[] = {
  {VD_ROW_POINT(vd_member_def, point[0], "bushing", "pivot of the arm at the chassis")},
  {VD_ROW_POINT(vd_member_def, point[1], "shear_centre", "shear centre of the cross beam, in the middle of the car: y = 0")},
};
static const vd_field bushing_fields[] = {VD_ROW_BUSHING_SET VD_ROW_BUSHING(0, 0, "arm", "arm_pivot.bushing")};
static const vd_field mass_fields[] = {
  VD_ROW_MASS_KNUCKLE VD_ROW_KG(member[0], "arm", "mass of the arm with half of the beam; auto: not known")
};
VD_ROW_SCHEMA(pivot, "twist beam", vd_member_def, pivot_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a twist beam", vd_bushings_def, bushing_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a twist beam", vd_mass_def, mass_fields);

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "arm_pivot", &pivot, "arm and cross beam of a twist beam"), ONLY},
  {VD_ROW_KNUCKLE(&vd_corner_hinge_knuckle_schema), ONLY},
};
static const vd_field part_fields[] = {
  {VD_ROW_BUSHINGS(&bushings), ONLY},
  {VD_ROW_MASSES(&masses), ONLY},
};
/* clang-format on */

const vd_schema vd_twist_beam_points = {.field = point_fields, .count = VD_COUNT(point_fields)};
const vd_schema vd_twist_beam_parts = {.field = part_fields, .count = VD_COUNT(part_fields)};

const vd_corner_kind vd_twist_beam = {
    .traits = {.beam = true},
    .members = 1,
    .member = {{.kind = VD_HINGE,
                .name = "arm",
                .point = {"arm_pivot.bushing", "arm_pivot.shear_centre", NULL},
                .bushing = {"arm", NULL}}},
};
