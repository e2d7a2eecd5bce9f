/* Trailing or semi-trailing arm: it turns about an axis fixed in the chassis, and the knuckle is fixed to it. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_TRAILING_ARM)

static const vd_field pivot_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "chassis_inboard", "inner point of the arm's axis")},
  {VD_ROW_POINT(vd_member, chassis[1], "chassis_outboard", "outer point of the arm's axis")},
};
static const vd_field bushing_fields[] = {
  VD_ROW_BUSHING_SET
  VD_ROW_BUSHING_EACH("arm", "both pivots")
  VD_ROW_BUSHING(0, 0, "arm_inboard", "arm_pivot.chassis_inboard")
  VD_ROW_BUSHING(0, 1, "arm_outboard", "arm_pivot.chassis_outboard")
};
static const vd_field mass_fields[] = {
  VD_ROW_MASS_KNUCKLE
  VD_ROW_KG(corner.member_mass[0], "arm", "mass of the arm to which the knuckle is fixed; auto: not known")
};
VD_ROW_SCHEMA_OF(vd_member, pivot, "arm pivot", pivot_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a trailing arm", bushing_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a trailing arm", mass_fields);

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "arm_pivot", &pivot, "axis of a trailing or semi-trailing arm"), ONLY},
  {VD_ROW_KNUCKLE(&vd_corner_hinge_knuckle_schema), ONLY},
};
static const vd_field part_fields[] = {
  {VD_ROW_BUSHINGS(&bushings), ONLY},
  {VD_ROW_MASSES(&masses), ONLY},
};
/* clang-format on */

VD_ROW_GROUPS(trailing_arm);

static const double bushing[] = {8.0e5, 8.0e5, 4.0e5, 1.5e4, 2.0e4, 3.0e4};
static const double mass[] = {6.0, 9.0};

const vd_corner_kind vd_trailing_arm = {
    .traits = {.drive = "arm"},
    .members = 1,
    .member = {{.kind = VD_HINGE,
                .name = "arm",
                .point = {"arm_pivot.chassis_inboard", "arm_pivot.chassis_outboard", NULL},
                .bushing = {"arm_inboard", "arm_outboard"}}},
    .each_bushing = true,
    .default_bushing = {{bushing, bushing}},
    .default_mass = mass,
};
