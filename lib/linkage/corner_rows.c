/* Rows that several types of suspension have. */
#include "linkage/corner_rows.h"

const char *const vd_corner_side_names[] = {"left", "right", NULL};
const char *const vd_corner_ref_names[] = {"wheel_center", NULL};
const char *const vd_corner_final_drive_names[] = {"axle", "body", NULL};
const char *const vd_corner_set_names[] = {"none", "default", NULL};

/* Default figures of types, from Onlyti/VDSim (Apache-2.0): bushings by type, masses of its lumps. */
const double vd_corner_lca_front[] = {1.2e6, 1.2e6, 6.0e5, 2.5e4, 1.2e4, 4.0e4};
const double vd_corner_lca_rear[] = {1.0e6, 1.0e6, 5.0e5, 2.0e4, 1.0e4, 3.5e4};
const double vd_corner_tie_inner[] = {5.0e5, 5.0e5, 3.0e5, 8.0e3, 6.0e3, 1.2e4};

/* clang-format off */
static const vd_field arm_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "chassis_front", "front joint at the chassis")},
  {VD_ROW_POINT(vd_member, chassis[1], "chassis_rear", "rear joint at the chassis")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "knuckle", "ball joint at the knuckle; auto: from the block knuckle")},
};
const vd_schema vd_corner_arm_schema = {.name = "control arm", VD_SCHEMA_ROWS(vd_member, arm_fields)};

static const vd_field tie_rod_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "rack", "joint at the rack, or at the chassis without a rack")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "knuckle", "joint at the knuckle; auto: from the block knuckle")},
};
const vd_schema vd_corner_tie_rod_schema = {.name = "tie rod", VD_SCHEMA_ROWS(vd_member, tie_rod_fields)};

static const vd_field link_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "chassis", "joint at the chassis")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "knuckle",
      "joint at the knuckle or rigid axle; auto: from the block knuckle")},
  {VD_ROW_DIRECTION_AUTO(vd_member, axis, "axis",
      "first axis of the universal joint at the chassis, for a spring off the link's line; it is fixed in the chassis; "
      "auto: level and across the link")},
  {VD_ROW_DIRECTION_AUTO(vd_member, cross, "cross_axis",
      "second axis of this joint, which turns with the link; auto: across the link and the first axis")},
};
const vd_schema vd_corner_link_schema = {.name = "link", VD_SCHEMA_ROWS(vd_member, link_fields)};

static const vd_field image_fields[] = {
  {VD_ROW_POINT_AUTO(vd_member, chassis[0], "chassis", "joint at the chassis; auto: mirror image of the left one")},
  {VD_ROW_POINT_AUTO(vd_member, knuckle, "knuckle", "joint at the axle; auto: mirror image of the left one")},
};
const vd_schema vd_corner_image_schema = {.name = "link", VD_SCHEMA_ROWS(vd_member, image_fields)};

static const vd_field unit_fields[] = {
  {VD_ROW_POINT_AUTO(vd_corner_def, spring_damper[0], "chassis", "upper end")},
  {VD_ROW_POINT_AUTO(vd_corner_def, spring_damper[1], "lca", "lower end, on the lower arm")},
};
const vd_schema vd_corner_unit_schema = {.name = "spring and damper", VD_SCHEMA_ROWS(vd_corner_def, unit_fields)};

static const char *const steers_names[] = {"auto", "none", "rack", "relay", NULL};
#define GEAR corner.points.gear
#define RELAY .only = VD_WHEN(VD_STEERS_RELAY)
static const vd_field steers_fields[] = {
  {VD_F_CHOICE(vd_corner_def, steers, "type", steers_names, "auto",
      "rack: a rack along y; relay: a relay rod between pitman and idler arm; none: joint at the chassis; auto: rack "
      "for a tie rod, none for a toe link"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_POINT(vd_corner_def, GEAR.pivot, "pivot", "a point of the axis of the left arm, pitman or idler"), RELAY},
  {VD_ROW_POINT(vd_corner_def, GEAR.joint, "joint", "joint of the left arm with the relay rod"), RELAY},
  {VD_ROW_DIRECTION_AUTO(vd_corner_def, GEAR.axis, "axis",
      "direction of both arms' axes, with y = 0; auto: upright"), RELAY},
  {VD_ROW_POINT_AUTO(vd_corner_def, GEAR.other_pivot, "other_pivot",
      "a point of the axis of the right arm; auto: mirror image of the left one's"), RELAY},
  {VD_ROW_POINT_AUTO(vd_corner_def, GEAR.other_joint, "other_joint",
      "joint of the right arm with the relay rod; auto: mirror image of the left one's"), RELAY},
  {VD_F_CHOICE(vd_corner_def, GEAR.pitman_side, "pitman", vd_corner_side_names, "left",
      "the arm that the steering box turns; the other one is the idler"), .flags = VD_OMIT_DEFAULT, RELAY},
};
const vd_schema vd_corner_steers_schema = {.name = "steering", VD_SCHEMA_ROWS(vd_corner_def, steers_fields),
    .tag = "type", .shorthand = "type"};

#define STEER corner.points.steer
static const vd_field kingpin_fields[] = {
  {VD_ROW_POINT(vd_corner_def, STEER.kingpin[0][0], "lower", "lower point of the left kingpin")},
  {VD_ROW_POINT(vd_corner_def, STEER.kingpin[0][1], "upper", "upper point of the left kingpin")},
  {VD_ROW_POINT_AUTO(vd_corner_def, STEER.kingpin[1][0], "lower_right",
      "lower point of the right kingpin; auto: mirror image of the left one")},
  {VD_ROW_POINT_AUTO(vd_corner_def, STEER.kingpin[1][1], "upper_right",
      "upper point of the right kingpin; auto: mirror image of the left one")},
};
VD_ROW_SCHEMA(kingpin_schema, "kingpins", kingpin_fields);

#define STIFFNESS(member, text) \
  {VD_ROW_AUTO(STEER.member, "stiffness", "N/m", 1.0, 1e12, 0, \
      "stiffness along its line, together with its joints" text "; auto: rigid")}
static const vd_field drag_link_fields[] = {
  {VD_ROW_POINT(vd_corner_def, STEER.drag_link[0], "gear", "joint at the rack or at the pitman arm")},
  {VD_ROW_POINT(vd_corner_def, STEER.drag_link[1], "knuckle",
      "joint at the steering arm of a knuckle, on whose side it lies")},
  STIFFNESS(drag_link_stiffness, " and the gear"),
};
VD_ROW_SCHEMA(drag_link_schema, "drag link", drag_link_fields);

static const char *const joins_names[] = {"knuckle", "drag_link", NULL};
static const vd_field axle_tie_rod_fields[] = {
  {VD_ROW_POINT_AUTO(vd_corner_def, STEER.tie_rod[0], "left",
      "joint on the left; auto: mirror image of the other one")},
  {VD_ROW_POINT_AUTO(vd_corner_def, STEER.tie_rod[1], "right",
      "joint on the right; auto: mirror image of the other one")},
  {VD_F_CHOICE(vd_corner_def, tie_rod_joins, "joins", joins_names, "knuckle",
      "what it joins to the other knuckle: the knuckle that the drag link turns, or the drag link (Haltenberger "
      "linkage)"), .flags = VD_OMIT_DEFAULT},
  STIFFNESS(tie_rod_stiffness, ""),
};
VD_ROW_SCHEMA(axle_tie_rod_schema, "tie rod", axle_tie_rod_fields);

static const char *const axle_steers_names[] = {"none", "rack", "pitman", NULL};
#define PITMAN .only = VD_WHEN(VD_AXLE_STEERS_PITMAN)
#define STEERED .only = VD_WHEN(VD_AXLE_STEERS_RACK) | VD_WHEN(VD_AXLE_STEERS_PITMAN)
static const vd_field axle_steers_fields[] = {
  {VD_F_CHOICE(vd_corner_def, steers, "type", axle_steers_names, "none",
      "what shifts the drag link: rack, a rack along y on the body; pitman, a pitman arm on the body; none: no "
      "steering"),
   .flags = VD_OMIT_DEFAULT},
  {VD_ROW_POINT(vd_corner_def, GEAR.pivot, "pivot", "a point of the axis of the pitman arm"), PITMAN},
  {VD_ROW_DIRECTION_AUTO(vd_corner_def, GEAR.axis, "axis",
      "direction of the pitman arm's axis; the arm turns about it for positive racks; auto: upright"),
      PITMAN},
  {VD_ROW_MAPPING("kingpin", &kingpin_schema, "axes on the axle about which the knuckles turn"), STEERED},
  {VD_ROW_MAPPING("drag_link", &drag_link_schema, "rod between the gear and a knuckle"), STEERED},
  {VD_ROW_MAPPING("tie_rod", &axle_tie_rod_schema, "rod between both knuckles"), STEERED},
};
const vd_schema vd_corner_axle_steers_schema = {.name = "steering", VD_SCHEMA_ROWS(vd_corner_def, axle_steers_fields),
    .tag = "type"};

static const vd_field hinge_knuckle_fields[] = {VD_ROW_REF, VD_ROW_ARM};
const vd_schema vd_corner_hinge_knuckle_schema = {.name = "knuckle",
    VD_SCHEMA_ROWS(vd_corner_def, hinge_knuckle_fields)};

/* A key with three stiffnesses: along, or about, the axes. */
#define ALONG(member, k, u, low, text) \
  {.key = (k), .kind = VD_VECTOR, VD_AT(vd_bushing_def, member, double), .unit = (u), .lo = (low), .hi = INFINITY, \
      .flags = VD_AUTO | VD_OMIT_DEFAULT, .def = "auto", .help = (text)}
#define TABLE(i, key, of, unit, text) {VD_F_POINTS(vd_bushing_def, law.table[i], key, unit, -1e9, 1e9, "[]", \
    "pairs " text \
    ", instead of its stiffness; cubics without overshoot between them, straight lines beyond"), .x_unit = of, \
    .flags = VD_OMIT_DEFAULT}
static const vd_field bushing_fields[] = {
  ALONG(linear.stiffness[0], "translation", "N/m", 0, "stiffness along x, y, z; auto: no bushing but a rigid joint"),
  ALONG(linear.stiffness[3], "rotation", "N m/rad", 0, "stiffness about x, y, z; auto: 0, with a translation"),
  ALONG(law.x_axis[0], "x_axis", "1", -INFINITY, "direction of its own x axis; auto: that of the chassis"),
  ALONG(law.z_axis[0], "z_axis", "1", -INFINITY,
      "direction of its own z axis, made perpendicular to x; auto: that of the chassis"),
  ALONG(law.preload[0], "preload_force", "N", -INFINITY,
      "force on the chassis along its axes at the design position; auto: 0"),
  ALONG(law.preload[3], "preload_moment", "N m", -INFINITY,
      "moment on the chassis about its axes at the design position; auto: 0"),
  ALONG(law.cubic[0], "cubic_translation", "N/m^3", -INFINITY,
      "factor of the cube of the displacement along x, y, z; auto: 0"),
  ALONG(law.cubic[3], "cubic_rotation", "N m/rad^3", -INFINITY,
      "factor of the cube of the rotation about x, y, z; auto: 0"),
  TABLE(0, "force_x", "m", "N", "[displacement, force] along x"),
  TABLE(1, "force_y", "m", "N", "[displacement, force] along y"),
  TABLE(2, "force_z", "m", "N", "[displacement, force] along z"),
  TABLE(3, "moment_x", "rad", "N m", "[rotation, moment] about x"),
  TABLE(4, "moment_y", "rad", "N m", "[rotation, moment] about y"),
  TABLE(5, "moment_z", "rad", "N m", "[rotation, moment] about z"),
};
const vd_schema vd_corner_bushing_schema = {.name = "bushing", VD_SCHEMA_ROWS(vd_bushing_def, bushing_fields)};
/* clang-format on */
