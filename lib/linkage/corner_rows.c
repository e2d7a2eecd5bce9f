/* Rows that several types of suspension have. */
#include "linkage/corner_rows.h"

#include "input/schema.h"

const char *const vd_corner_side_names[] = {"left", "right", NULL};
const char *const vd_corner_ref_names[] = {"wheel_center", NULL};
const char *const vd_corner_final_drive_names[] = {"axle", "body", NULL};
const char *const vd_corner_set_names[] = {"none", "default", NULL};

/* Default figures of types: Onlyti/VDSim (Apache-2.0), bushings by topology and masses of its lumps. */
const double vd_corner_lca_front[] = {1.2e6, 1.2e6, 6.0e5, 2.5e4, 1.2e4, 4.0e4};
const double vd_corner_lca_rear[] = {1.0e6, 1.0e6, 5.0e5, 2.0e4, 1.0e4, 3.5e4};
const double vd_corner_tie_inner[] = {5.0e5, 5.0e5, 3.0e5, 8.0e3, 6.0e3, 1.2e4};

/* clang-format off */
static const vd_field arm_fields[] = {
  {VD_ROW_POINT(vd_member_def, point[0], "chassis_front", "front joint at the chassis")},
  {VD_ROW_POINT(vd_member_def, point[1], "chassis_rear", "rear joint at the chassis")},
  {VD_ROW_POINT_AUTO(vd_member_def, point[2], "knuckle", "ball joint at the knuckle; auto: from the block knuckle")},
};
const vd_schema vd_corner_arm_schema = {.name = "control arm", .size = sizeof(vd_member_def), .field = arm_fields,
    .count = VD_COUNT(arm_fields)};

static const vd_field tie_rod_fields[] = {
  {VD_ROW_POINT(vd_member_def, point[0], "rack", "joint at the rack, or at the chassis without a rack")},
  {VD_ROW_POINT_AUTO(vd_member_def, point[2], "knuckle", "joint at the knuckle; auto: from the block knuckle")},
};
const vd_schema vd_corner_tie_rod_schema = {.name = "tie rod", .size = sizeof(vd_member_def), .field = tie_rod_fields,
    .count = VD_COUNT(tie_rod_fields)};

#define VD_ROW_AXES \
  {VD_F_VECTOR(vd_member_def, axis, "axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto", \
      "direction in the chassis about which its inner joint lets it turn, for a spring off its line; auto: level and " \
      "across it")}, \
  {VD_F_VECTOR(vd_member_def, cross, "cross_axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto", \
      "the second such direction, which turns with the link; auto: across the link and the first")}
static const vd_field link_fields[] = {
  {VD_ROW_POINT(vd_member_def, point[0], "chassis", "joint at the chassis")},
  {VD_ROW_POINT_AUTO(vd_member_def, point[2], "knuckle",
      "joint at the knuckle or rigid axle; auto: from the block knuckle")},
  VD_ROW_AXES,
};
const vd_schema vd_corner_link_schema = {.name = "link", .size = sizeof(vd_member_def), .field = link_fields,
    .count = VD_COUNT(link_fields)};

static const vd_field image_fields[] = {
  {VD_ROW_POINT_AUTO(vd_member_def, point[0], "chassis", "joint at the chassis; auto: mirror image of the left one")},
  {VD_ROW_POINT_AUTO(vd_member_def, point[2], "knuckle", "joint at the axle; auto: mirror image of the left one")},
};
const vd_schema vd_corner_image_schema = {.name = "link", .size = sizeof(vd_member_def), .field = image_fields,
    .count = VD_COUNT(image_fields)};

typedef struct unit_def {
  double point[2][3];
} unit_def;

static const vd_field unit_fields[] = {
  {VD_ROW_POINT_AUTO(unit_def, point[0], "chassis", "upper end")},
  {VD_ROW_POINT_AUTO(unit_def, point[1], "lca", "lower end, on the lower arm")},
};
const vd_schema vd_corner_unit_schema = {.name = "spring and damper", .size = sizeof(unit_def), .field = unit_fields,
    .count = VD_COUNT(unit_fields)};

static const char *const steers_names[] = {"auto", "none", "rack", "relay", NULL};
#define RELAY .only = VD_WHEN(VD_STEERS_RELAY)
static const vd_field steers_fields[] = {
  {VD_F_CHOICE(vd_steers_def, type, "type", steers_names, "auto",
      "rack: a rack along y; relay: a relay rod between pitman and idler arm; none: joint at the chassis; auto: rack "
      "for a tie rod, none for a toe link"), .flags = VD_OMIT_DEFAULT},
  {VD_F_VECTOR(vd_steers_def, pivot, "pivot", "m", -INFINITY, INFINITY, 0, NULL,
      "a point of the axis of the left arm, pitman or idler"), RELAY},
  {VD_F_VECTOR(vd_steers_def, joint, "joint", "m", -INFINITY, INFINITY, 0, NULL,
      "joint of the left arm with the relay rod"), RELAY},
  {VD_F_VECTOR(vd_steers_def, axis, "axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "direction of both arms' axes, with y = 0; auto: upright"), RELAY},
  {VD_F_VECTOR(vd_steers_def, other_pivot, "other_pivot", "m", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "a point of the axis of the right arm; auto: mirror image of the left one's"), RELAY},
  {VD_F_VECTOR(vd_steers_def, other_joint, "other_joint", "m", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "joint of the right arm with the relay rod; auto: mirror image"), RELAY},
  {VD_F_CHOICE(vd_steers_def, pitman, "pitman", vd_corner_side_names, "left",
      "the arm that the steering box turns; the other one is the idler"), .flags = VD_OMIT_DEFAULT, RELAY},
};
const vd_schema vd_corner_steers_schema = {.name = "steering", .size = sizeof(vd_steers_def), .field = steers_fields,
    .count = VD_COUNT(steers_fields), .tag = "type", .shorthand = "type"};

static const vd_field kingpin_fields[] = {
  {VD_ROW_POINT(vd_kingpin_def, left[0], "lower", "lower point of the left one")},
  {VD_ROW_POINT(vd_kingpin_def, left[1], "upper", "upper point of the left one")},
  {VD_ROW_POINT_AUTO(vd_kingpin_def, right[0], "lower_right", "of the right one; auto: mirror image of the left one")},
  {VD_ROW_POINT_AUTO(vd_kingpin_def, right[1], "upper_right", "of the right one; auto: mirror image of the left one")},
};
VD_ROW_SCHEMA(kingpin_schema, "kingpins", vd_kingpin_def, kingpin_fields);

#define STIFFNESS(of, text) {VD_F_NUMBER(of, stiffness, "stiffness", "N/m", 1.0, 1e12, VD_AUTO | VD_OMIT_DEFAULT, \
    "auto", \
    "along its line, with its joints" text "; auto: rigid")}
static const vd_field drag_link_fields[] = {
  {VD_ROW_POINT(vd_drag_link_def, at[0], "gear", "joint at the rack or at the pitman arm")},
  {VD_ROW_POINT(vd_drag_link_def, at[1], "knuckle", "joint at the steering arm of a knuckle, on whose side it lies")},
  STIFFNESS(vd_drag_link_def, " and the gear"),
};
VD_ROW_SCHEMA(drag_link_schema, "drag link", vd_drag_link_def, drag_link_fields);

static const char *const joins_names[] = {"knuckle", "drag_link", NULL};
static const vd_field axle_tie_rod_fields[] = {
  {VD_ROW_POINT_AUTO(vd_tie_rod_def, at[0], "left", "joint on the left; auto: mirror image of the other one")},
  {VD_ROW_POINT_AUTO(vd_tie_rod_def, at[1], "right", "joint on the right; auto: mirror image of the other one")},
  {VD_F_CHOICE(vd_tie_rod_def, joins, "joins", joins_names, "knuckle",
      "what it joins with the other knuckle: that which the drag link turns, or the drag link itself (Haltenberger "
      "linkage)"), .flags = VD_OMIT_DEFAULT},
  STIFFNESS(vd_tie_rod_def, ""),
};
VD_ROW_SCHEMA(axle_tie_rod_schema, "tie rod", vd_tie_rod_def, axle_tie_rod_fields);

static const char *const axle_steers_names[] = {"none", "rack", "pitman", NULL};
#define PITMAN .only = VD_WHEN(VD_AXLE_STEERS_PITMAN)
#define STEERED .only = VD_WHEN(VD_AXLE_STEERS_RACK) | VD_WHEN(VD_AXLE_STEERS_PITMAN)
static const vd_field axle_steers_fields[] = {
  {VD_F_CHOICE(vd_axle_steers_def, type, "type", axle_steers_names, "none",
      "what shifts the drag link: rack, a rack along y on the body; pitman, a pitman arm on the body; none: no "
      "steering"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_VECTOR(vd_axle_steers_def, pivot, "pivot", "m", -INFINITY, INFINITY, 0, NULL,
      "a point of the axis of the pitman arm"), PITMAN},
  {VD_F_VECTOR(vd_axle_steers_def, axis, "axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "direction of the pitman arm's axis; its turn about it shifts the drag link to positive racks; auto: upright"),
      PITMAN},
  {VD_F_STRUCT(vd_axle_steers_def, kingpin, vd_kingpin_def, "kingpin", "1", &kingpin_schema, 0, NULL,
      "axes on the axle about which the knuckles turn"), STEERED},
  {VD_F_STRUCT(vd_axle_steers_def, drag_link, vd_drag_link_def, "drag_link", "1", &drag_link_schema, 0, NULL,
      "rod between the gear and a knuckle"), STEERED},
  {VD_F_STRUCT(vd_axle_steers_def, tie_rod, vd_tie_rod_def, "tie_rod", "1", &axle_tie_rod_schema, 0, NULL,
      "rod between both knuckles"), STEERED},
};
const vd_schema vd_corner_axle_steers_schema = {.name = "steering", .size = sizeof(vd_axle_steers_def),
    .field = axle_steers_fields, .count = VD_COUNT(axle_steers_fields), .tag = "type"};

static const vd_field hinge_knuckle_fields[] = {VD_ROW_REF, VD_ROW_ARM};
const vd_schema vd_corner_hinge_knuckle_schema = {.name = "knuckle", .size = sizeof(vd_knuckle_def),
    .field = hinge_knuckle_fields, .count = VD_COUNT(hinge_knuckle_fields)};

#define VD_ROW_TABLE(i, key, of, unit, text) VD_F_POINTS(vd_bushing_def, table[i], key, unit, -1e9, 1e9, "[]", \
    "pairs [displacement, force] " text \
    ", instead of its stiffness; cubics without overshoot between them, straight on beyond"), .x_unit = of
static const vd_field bushing_fields[] = {
  {VD_F_VECTOR(vd_bushing_def, translation, "translation", "N/m", 0, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "stiffness along x, y, z; auto: no bushing but a rigid joint")},
  {VD_F_VECTOR(vd_bushing_def, rotation, "rotation", "N m/rad", 0, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "stiffness about x, y, z; auto: 0, with a translation")},
  {VD_F_VECTOR(vd_bushing_def, x_axis, "x_axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "direction of its own x axis; auto: that of the chassis")},
  {VD_F_VECTOR(vd_bushing_def, z_axis, "z_axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "direction of its own z axis, made perpendicular to x; auto: that of the chassis")},
  {VD_F_VECTOR(vd_bushing_def, preload_force, "preload_force", "N", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT,
      "auto",
      "force on the chassis along its axes at the design position; auto: 0")},
  {VD_F_VECTOR(vd_bushing_def, preload_moment, "preload_moment", "N m", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT,
      "auto",
      "moment on the chassis about its axes at the design position; auto: 0")},
  {VD_F_VECTOR(vd_bushing_def, cubic_translation, "cubic_translation", "N/m^3", -INFINITY, INFINITY, VD_AUTO
      | VD_OMIT_DEFAULT, "auto",
      "factor of the cube of the displacement along x, y, z; auto: 0")},
  {VD_F_VECTOR(vd_bushing_def, cubic_rotation, "cubic_rotation", "N m/rad^3", -INFINITY, INFINITY, VD_AUTO
      | VD_OMIT_DEFAULT, "auto",
      "factor of the cube of the turn about x, y, z; auto: 0")},
  {VD_ROW_TABLE(0, "force_x", "m", "N", "along x"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_TABLE(1, "force_y", "m", "N", "along y"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_TABLE(2, "force_z", "m", "N", "along z"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_TABLE(3, "moment_x", "rad", "N m", "about x"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_TABLE(4, "moment_y", "rad", "N m", "about y"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_TABLE(5, "moment_z", "rad", "N m", "about z"), .flags = VD_OMIT_DEFAULT},
};
const vd_schema vd_corner_bushing_schema = {.name = "bushing", .size = sizeof(vd_bushing_def), .field = bushing_fields,
    .count = VD_COUNT(bushing_fields)};
/* clang-format on */
