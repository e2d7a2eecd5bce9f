/* MacPherson strut: a lower arm, a strut that slides through its top mount and is fixed to the knuckle, a tie rod. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_MACPHERSON)
#define JOINTS(X) X(0, lca) X(2, tie_rod)

static const vd_field strut_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "top", "mount at the chassis")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "bottom",
      "second point of the strut's line, fixed to the knuckle; auto: from the block knuckle")},
};
static const vd_field offset_fields[] = {
  JOINTS(VD_ROW_OFFSET)
  {VD_ROW_POINT_AUTO(vd_corner_def, offset[1], "strut", "offset from the wheel centre to strut.bottom")},
};
static const vd_field bushing_fields[] = {
  VD_ROW_BUSHING_SET
  VD_ROW_BUSHING(0, 0, "lca_front", "lca.chassis_front") VD_ROW_BUSHING(0, 1, "lca_rear", "lca.chassis_rear")
  VD_ROW_BUSHING(1, 0, "strut_top", "strut.top") VD_ROW_BUSHING(2, 0, "tie_inner", "tie_rod.rack")
};
static const vd_field ball_fields[] = {JOINTS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {
  VD_ROW_MASS_KNUCKLE JOINTS(VD_ROW_MASS_OF)
  VD_ROW_KG(corner.member_mass[1], "strut",
      "mass of the part of the strut that moves with the knuckle; auto: not known")
};
VD_ROW_SCHEMA_OF(vd_member, strut, "strut", strut_fields);
VD_ROW_BLOCK_SCHEMAS("a MacPherson strut");

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "lca", &vd_corner_arm_schema, "lower control arm"), ONLY},
  {VD_ROW_MEMBER(1, "strut", &strut, "telescopic strut"), ONLY},
  {VD_ROW_MEMBER(2, "tie_rod", &vd_corner_tie_rod_schema, "tie rod"), ONLY},
  VD_ROW_POINTS_OF_ARMS
};
/* clang-format on */

VD_ROW_GROUPS(macpherson);

static const double mass[] = {6.5, 8.5, 12.0, 1.8};

const vd_corner_kind vd_macpherson = {
    .traits = {.steering = VD_STEERING_STRUT, .drive = "lca"},
    .members = 3,
    .member = {VD_CORNER_ARM("lca"),
               {.kind = VD_SLIDER,
                .name = "strut",
                .point = {"strut.top", NULL, "strut.bottom"},
                .bushing = {"strut_top", NULL}},
               VD_CORNER_TIE_ROD},
    .unit = true,
    .default_bushing = {{vd_corner_lca_front, vd_corner_lca_rear}, {NULL, NULL}, {vd_corner_tie_inner, NULL}},
    .default_mass = mass,
};
