/* Integral-link suspension: an H-arm with two joints on the wheel's side, one direct and one by the integral link,
 * which prevents rotation of the knuckle about the wheel's axis; a camber link above and a toe link. */
#include "linkage/corner_rows.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_INTEGRAL_LINK)
#define LINKS(X) X(2, camber_link) X(3, toe_link)
#define JOINTS(X) X(0, h_arm) X(1, integral_link) LINKS(X)

static const vd_field integral_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "arm", "joint at the H-arm")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "knuckle", "joint at the knuckle; auto: from the block knuckle")},
};
static const vd_field link_fields[] = {LINKS(VD_ROW_KNUCKLE_LINK)};
static const vd_field offset_fields[] = {JOINTS(VD_ROW_OFFSET)};
static const vd_field bushing_fields[] = {
  VD_ROW_BUSHING_SET
  VD_ROW_BUSHING(0, 0, "h_arm_front", "h_arm.chassis_front") VD_ROW_BUSHING(0, 1, "h_arm_rear", "h_arm.chassis_rear")
  LINKS(VD_ROW_LINK_BUSHING)
};
static const vd_field ball_fields[] = {JOINTS(VD_ROW_BALL)};
static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE JOINTS(VD_ROW_MASS_OF)};
VD_ROW_SCHEMA_OF(vd_member, integral, "integral link", integral_fields);
VD_ROW_SCHEMA(links, "links of an integral-link suspension", link_fields);
VD_ROW_BLOCK_SCHEMAS("an integral-link suspension");

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "h_arm", &vd_corner_arm_schema,
      "lower arm with two points at the chassis and two at the wheel's side"), ONLY},
  {VD_ROW_MEMBER(1, "integral_link", &integral, "short rod between the H-arm and the knuckle"), ONLY},
  VD_ROW_POINTS_OF_LINKS
};
/* clang-format on */

VD_ROW_GROUPS(integral_link);

const vd_corner_kind vd_integral_link = {
    .traits = {.steering = VD_STEERING_RODS},
    .members = 4,
    .member = {VD_CORNER_ARM("h_arm"),
               {.kind = VD_ROD,
                .name = "integral_link",
                .point = {"integral_link.arm", NULL, "integral_link.knuckle"},
                .base = VD_ON_MEMBER + 0},
               VD_CORNER_ROD("camber_link"),
               VD_CORNER_TOE_LINK},
};
