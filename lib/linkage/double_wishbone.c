/* Double wishbone: a lower arm, an upper arm, a tie rod. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_DOUBLE_WISHBONE)
#define JOINTS(X) X(0, lca) X(1, uca) X(2, tie_rod)

static const vd_field offset_fields[] = {JOINTS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {
  VD_ROW_BUSHING_SET
  VD_ROW_BUSHING(0, 0, "lca_front", "lca.chassis_front") VD_ROW_BUSHING(0, 1, "lca_rear", "lca.chassis_rear")
  VD_ROW_BUSHING(1, 0, "uca_front", "uca.chassis_front") VD_ROW_BUSHING(1, 1, "uca_rear", "uca.chassis_rear")
  VD_ROW_BUSHING(2, 0, "tie_inner", "tie_rod.rack")
};
static const vd_field ball_fields[] = {JOINTS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE JOINTS(VD_ROW_MASS_OF)};
VD_ROW_BLOCK_SCHEMAS("a double wishbone");

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "lca", &vd_corner_arm_schema, "lower control arm"), ONLY},
  {VD_ROW_MEMBER(1, "uca", &vd_corner_arm_schema, "upper control arm"), ONLY},
  {VD_ROW_MEMBER(2, "tie_rod", &vd_corner_tie_rod_schema, "tie rod"), ONLY},
  VD_ROW_POINTS_OF_ARMS
};
/* clang-format on */

VD_ROW_GROUPS(double_wishbone);

static const double uca_front[] = {1.0e6, 1.0e6, 5.0e5, 1.8e4, 1.0e4, 2.5e4};
static const double uca_rear[] = {9.0e5, 9.0e5, 4.5e5, 1.6e4, 9.0e3, 2.2e4};
static const double mass[] = {6.5, 7.0, 4.5, 1.8};

const vd_corner_kind vd_double_wishbone = {
    .traits = {.steering = VD_STEERING_BALL_JOINTS, .drive = "lca"},
    .members = 3,
    .member = {VD_CORNER_ARM("lca"), VD_CORNER_ARM("uca"), VD_CORNER_TIE_ROD},
    .unit = true,
    .default_bushing = {{vd_corner_lca_front, vd_corner_lca_rear}, {uca_front, uca_rear}, {vd_corner_tie_inner, NULL}},
    .default_mass = mass,
};
