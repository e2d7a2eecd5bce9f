/* What a suspension file may say: keys of each type, and the figures that stand for `default`. */
#include "base/base.h"
#include "suspension/corner_impl.h"

#include <math.h>
#include <string.h>

#define MACPHERSON      VD_WHEN(VD_MACPHERSON)
#define DOUBLE_WISHBONE VD_WHEN(VD_DOUBLE_WISHBONE)
#define TRAILING_ARM    VD_WHEN(VD_TRAILING_ARM)
#define FIVE_LINK       VD_WHEN(VD_FIVE_LINK)
#define MULTI_LINK      VD_WHEN(VD_MULTI_LINK)
#define TWIST_BEAM      VD_WHEN(VD_TWIST_BEAM)
#define FOUR_LINK_AXLE  VD_WHEN(VD_FOUR_LINK_AXLE)
#define PANHARD_AXLE    VD_WHEN(VD_PANHARD_AXLE)
#define RIGID_AXLE      (FOUR_LINK_AXLE | PANHARD_AXLE)

const char *const vd_linkage_type_names[] = {"macpherson", "double_wishbone", "trailing_arm", "five_link", "multi_link",
                                             "twist_beam", "four_link_axle",  "panhard_axle", NULL};

static const char *const side_names[] = {"left", "right", NULL};
static const char *const ref_names[] = {"wheel_center", NULL};
static const char *const set_names[] = {"none", "default", NULL};
static const char *const axle_names[] = {"auto", "front", "rear", NULL};

/* Members of each type with a joint at the knuckle: place in the layout, name. */
#define MACPHERSON_JOINTS(X) X(0, lca) X(2, tie_rod)
#define WISHBONE_JOINTS(X)   X(0, lca) X(1, uca) X(2, tie_rod)
#define FIVE_LINKS(X)        X(0, upper_fore) X(1, upper_aft) X(2, lower_fore) X(3, lower_aft) X(4, toe_link)
#define MULTI_LINKS(X)       X(0, trailing_upper) X(1, trailing_lower) X(2, lateral_upper) X(3, lateral_lower) X(4, toe_link)
#define FOUR_LINKS(X)        X(0, lower_left) X(1, lower_right) X(2, upper_left) X(3, upper_right)
#define PANHARD_LINKS(X)     X(0, lower_left) X(1, lower_right) X(2, upper) X(3, panhard)

/* clang-format off */
#define POINT(T, member, key, text) VD_F_VECTOR(T, member, key, "m", -INFINITY, INFINITY, 0, NULL, text)
#define POINT_AUTO(T, member, key, text) VD_F_VECTOR(T, member, key, "m", -INFINITY, INFINITY, VD_AUTO | VD_UNSAID, "auto", text)
#define SCHEMA(id, what, T, rows) \
  static const vd_schema id = {.name = what, .size = sizeof(T), .field = rows, .count = VD_COUNT(rows)}
#define SCHEMA_SET(id, what, T, rows) \
  static const vd_schema id = {.name = what, .size = sizeof(T), .field = rows, .count = VD_COUNT(rows), .shorthand = "set"}

/* --- hardpoints --- */

static const vd_field wheel_fields[] = {
  {POINT(vd_wheel_def, center, "center", "centre of the wheel")},
  {VD_F_VECTOR(vd_wheel_def, spin_axis, "spin_axis", "1", -INFINITY, INFINITY, 0, NULL, "direction of its axis, outward; of any length")},
  {VD_F_NUMBER(vd_wheel_def, static_radius, "static_radius", "m", 0, INFINITY, VD_ABOVE, NULL, "loaded radius: from the centre down to the road")},
};
SCHEMA(wheel_schema, "wheel", vd_wheel_def, wheel_fields);

static const vd_field arm_fields[] = {
  {POINT(vd_member_def, point[0], "chassis_front", "front joint at the chassis")},
  {POINT(vd_member_def, point[1], "chassis_rear", "rear joint at the chassis")},
  {POINT_AUTO(vd_member_def, point[2], "knuckle", "ball joint at the knuckle; auto: of the block knuckle")},
};
SCHEMA(arm_schema, "control arm", vd_member_def, arm_fields);

static const vd_field strut_fields[] = {
  {POINT(vd_member_def, point[0], "top", "mount at the chassis")},
  {POINT_AUTO(vd_member_def, point[2], "bottom", "a second point of its line, fixed to the knuckle; auto: of the block knuckle")},
};
SCHEMA(strut_schema, "strut", vd_member_def, strut_fields);

static const vd_field tie_rod_fields[] = {
  {POINT(vd_member_def, point[0], "rack", "joint at the rack; at the chassis where there is none")},
  {POINT_AUTO(vd_member_def, point[2], "knuckle", "joint at the knuckle; auto: of the block knuckle")},
};
SCHEMA(tie_rod_schema, "tie rod", vd_member_def, tie_rod_fields);

static const vd_field pivot_fields[] = {
  {POINT(vd_member_def, point[0], "chassis_inboard", "a point of the arm's axis, the inner one")},
  {POINT(vd_member_def, point[1], "chassis_outboard", "another one, the outer one")},
};
SCHEMA(pivot_schema, "arm pivot", vd_member_def, pivot_fields);

static const vd_field beam_fields[] = {
  {POINT(vd_member_def, point[0], "bushing", "pivot of the arm at the chassis")},
  {POINT(vd_member_def, point[1], "shear_centre", "of the cross beam, in the middle of the car: y = 0")},
};
SCHEMA(beam_schema, "twist beam", vd_member_def, beam_fields);

static const vd_field link_fields[] = {
  {POINT(vd_member_def, point[0], "chassis", "joint at the chassis")},
  {POINT_AUTO(vd_member_def, point[2], "knuckle", "joint at the knuckle or rigid axle; auto: of the block knuckle")},
};
SCHEMA(link_schema, "link", vd_member_def, link_fields);

static const vd_field image_fields[] = {
  {POINT_AUTO(vd_member_def, point[0], "chassis", "joint at the chassis; auto: mirror image of the left one")},
  {POINT_AUTO(vd_member_def, point[2], "knuckle", "joint at the axle; auto: mirror image of the left one")},
};
SCHEMA(image_schema, "link", vd_member_def, image_fields);

typedef struct links_def {
  vd_member_def link[VD_MEMBERS];
} links_def;

#define LINK(i, n) {VD_F_STRUCT(links_def, link[i], vd_member_def, #n, "1", &link_schema, 0, NULL, "a rod between chassis and knuckle")},
#define BAR(i, n, text) {VD_F_STRUCT(links_def, link[i], vd_member_def, n, "1", &link_schema, 0, NULL, text)},
#define IMAGE(i, n) {VD_F_STRUCT(links_def, link[i], vd_member_def, n, "1", &image_schema, 0, "{}", "the right one of the pair")},

static const vd_field five_fields[] = {FIVE_LINKS(LINK)};
static const vd_field multi_fields[] = {MULTI_LINKS(LINK)};
static const vd_field four_fields[] = {
  BAR(0, "lower_left", "a rod between chassis and axle") IMAGE(1, "lower_right")
  BAR(2, "upper_left", "a rod between chassis and axle") IMAGE(3, "upper_right")
};
static const vd_field panhard_fields[] = {
  BAR(0, "lower_left", "a rod between chassis and axle") IMAGE(1, "lower_right")
  BAR(2, "upper", "the upper rod, which takes the axle's turn about its wheels' line")
  BAR(3, "panhard", "the rod across the car that takes the lateral force")
};
SCHEMA(five_schema, "links of a five-link suspension", links_def, five_fields);
SCHEMA(multi_schema, "links of a multi-link suspension", links_def, multi_fields);
SCHEMA(four_schema, "links of a four-link axle", links_def, four_fields);
SCHEMA(panhard_schema, "links of a Panhard axle", links_def, panhard_fields);

typedef struct unit_def {
  double point[2][3];
} unit_def;

static const vd_field unit_fields[] = {
  {POINT_AUTO(unit_def, point[0], "chassis", "upper end")},
  {POINT_AUTO(unit_def, point[1], "lca", "lower end, on the lower arm")},
};
SCHEMA(unit_schema, "spring and damper", unit_def, unit_fields);

/* --- knuckle block --- */

typedef struct offsets_def {
  double at[VD_MEMBERS][3];
} offsets_def;

#define OFFSET(i, n) {POINT_AUTO(offsets_def, at[i], #n, "from the wheel centre to the joint of this member")},

static const vd_field macpherson_offsets[] = {
  MACPHERSON_JOINTS(OFFSET)
  {POINT_AUTO(offsets_def, at[1], "strut", "from the wheel centre to strut.bottom")},
};
static const vd_field wishbone_offsets[] = {WISHBONE_JOINTS(OFFSET)};
static const vd_field five_offsets[] = {FIVE_LINKS(OFFSET)};
static const vd_field multi_offsets[] = {MULTI_LINKS(OFFSET)};
static const vd_field four_offsets[] = {FOUR_LINKS(OFFSET)};
static const vd_field panhard_offsets[] = {PANHARD_LINKS(OFFSET)};

#define KNUCKLE(id) \
  SCHEMA(id ## _points, "points of the knuckle", offsets_def, id ## _offsets); \
  static const vd_field id ## _knuckle_fields[] = {KNUCKLE_REF, KNUCKLE_POINTS(id ## _points), KNUCKLE_ARM}; \
  SCHEMA(id ## _knuckle, "knuckle", vd_knuckle_def, id ## _knuckle_fields)
#define KNUCKLE_REF {VD_F_CHOICE(vd_knuckle_def, ref, "ref", ref_names, "wheel_center", "what the offsets are counted from"), .flags = VD_UNSAID}
#define KNUCKLE_POINTS(s) {VD_F_STRUCT(vd_knuckle_def, point, double (*)[3], "points", "1", &s, VD_UNSAID, "{}", "joints of the members")}
#define KNUCKLE_ARM {POINT_AUTO(vd_knuckle_def, arm, "arm", "from the wheel centre to a point of the steering arm, for the list of points only")}

KNUCKLE(macpherson);
KNUCKLE(wishbone);
KNUCKLE(five);
KNUCKLE(multi);
KNUCKLE(four);
KNUCKLE(panhard);

static const vd_field hinge_knuckle_fields[] = {KNUCKLE_REF, KNUCKLE_ARM};
SCHEMA(hinge_knuckle, "knuckle", vd_knuckle_def, hinge_knuckle_fields);

/* --- spring and damper --- */

static const vd_field rocker_fields[] = {
  {POINT_AUTO(vd_rocker_def, pivot, "pivot", "a point of its axis at the chassis")},
  {VD_F_VECTOR(vd_rocker_def, axis, "axis", "1", -INFINITY, INFINITY, VD_AUTO | VD_UNSAID, "auto", "direction of its axis, of any length")},
  {POINT_AUTO(vd_rocker_def, rod_part, "rod_part", "outer end of its push or pull rod, on what `on' names")},
  {POINT_AUTO(vd_rocker_def, rod_rocker, "rod_rocker", "inner end of the rod, on the rocker")},
};
SCHEMA(rocker_schema, "rocker", vd_rocker_def, rocker_fields);

#define ELEMENT_POINTS \
  {POINT_AUTO(vd_element_def, chassis, "chassis", "end at the chassis; auto: of a MacPherson strut strut.top, else there is none")}, \
  {POINT_AUTO(vd_element_def, eye, "eye", "other end, on what `on' names or on the rocker; auto: of a MacPherson strut strut.bottom")}, \
  {VD_F_STRING(vd_element_def, on, "on", "\"\"", "what holds the eye, or the rod of the rocker: knuckle or a member (lca, arm, lower_aft)"), .flags = VD_UNSAID}
#define ELEMENT_ROCKER \
  {VD_F_STRUCT(vd_element_def, rocker, vd_rocker_def, "rocker", "1", &rocker_schema, VD_UNSAID, "{}", "turned by a push or pull rod, in between")}

static const vd_field spring_fields[] = {
  ELEMENT_POINTS,
  {VD_F_NUMBER(vd_element_def, rate, "rate", "N/m", 0, 1e9, VD_ABOVE | VD_AUTO | VD_UNSAID, "auto", "along the spring; auto: not known")},
  {VD_F_NUMBER(vd_element_def, load, "load", "N", -1e7, 1e7, VD_AUTO | VD_UNSAID, "auto", "force at the design position, pressed together > 0; auto: what carries wheel_load")},
  ELEMENT_ROCKER,
};
SCHEMA(spring_schema, "spring", vd_element_def, spring_fields);

static const vd_field damper_fields[] = {
  ELEMENT_POINTS,
  {VD_F_NUMBER(vd_element_def, rate, "rate", "N s/m", 0, 1e7, VD_AUTO | VD_UNSAID, "auto", "along the damper; auto: not known")},
  ELEMENT_ROCKER,
};
SCHEMA(damper_schema, "damper", vd_element_def, damper_fields);

/* --- bushings, ball joints, masses --- */

static const vd_field bushing_fields[] = {
  {VD_F_VECTOR(vd_bushing_def, translation, "translation", "N/m", 0, INFINITY, VD_AUTO | VD_UNSAID, "auto", "stiffness along x, y, z; auto: no bushing but a rigid joint")},
  {VD_F_VECTOR(vd_bushing_def, rotation, "rotation", "N m/rad", 0, INFINITY, VD_AUTO | VD_UNSAID, "auto", "stiffness about x, y, z; auto: 0, with a translation")},
};
SCHEMA(bushing_schema, "bushing", vd_bushing_def, bushing_fields);

#define BUSHING(m, i, n, text) {VD_F_STRUCT(vd_bushings_def, at[m][i], vd_bushing_def, n, "1", &bushing_schema, VD_UNSAID, "{}", text)},
#define LINK_BUSHING(i, n) BUSHING(i, 0, #n, "joint of this member at the chassis")
#define EACH_BUSHING(n, text) {VD_F_STRUCT(vd_bushings_def, each, vd_bushing_def, n, "1", &bushing_schema, VD_UNSAID, "{}", text)},
#define SET_BUSHING {VD_F_CHOICE(vd_bushings_def, set, "set", set_names, "none", "default: known figures for what is not given, of the types that have some; none: a rigid joint"), .flags = VD_UNSAID},

static const vd_field macpherson_bushing_fields[] = {
  SET_BUSHING
  BUSHING(0, 0, "lca_front", "lca.chassis_front") BUSHING(0, 1, "lca_rear", "lca.chassis_rear")
  BUSHING(1, 0, "strut_top", "strut.top") BUSHING(2, 0, "tie_inner", "tie_rod.rack")
};
static const vd_field wishbone_bushing_fields[] = {
  SET_BUSHING
  BUSHING(0, 0, "lca_front", "lca.chassis_front") BUSHING(0, 1, "lca_rear", "lca.chassis_rear")
  BUSHING(1, 0, "uca_front", "uca.chassis_front") BUSHING(1, 1, "uca_rear", "uca.chassis_rear")
  BUSHING(2, 0, "tie_inner", "tie_rod.rack")
};
static const vd_field arm_bushing_fields[] = {
  SET_BUSHING
  EACH_BUSHING("arm", "both pivots")
  BUSHING(0, 0, "arm_inboard", "arm_pivot.chassis_inboard") BUSHING(0, 1, "arm_outboard", "arm_pivot.chassis_outboard")
};
static const vd_field five_bushing_fields[] = {SET_BUSHING EACH_BUSHING("links", "each of the links") FIVE_LINKS(LINK_BUSHING)};
static const vd_field multi_bushing_fields[] = {SET_BUSHING EACH_BUSHING("links", "each of the links") MULTI_LINKS(LINK_BUSHING)};
static const vd_field beam_bushing_fields[] = {SET_BUSHING BUSHING(0, 0, "arm", "arm_pivot.bushing")};
static const vd_field four_bushing_fields[] = {SET_BUSHING EACH_BUSHING("links", "each of the links") FOUR_LINKS(LINK_BUSHING)};
static const vd_field panhard_bushing_fields[] = {SET_BUSHING EACH_BUSHING("links", "each of the links") PANHARD_LINKS(LINK_BUSHING)};
SCHEMA_SET(macpherson_bushings, "bushings of a MacPherson strut", vd_bushings_def, macpherson_bushing_fields);
SCHEMA_SET(wishbone_bushings, "bushings of a double wishbone", vd_bushings_def, wishbone_bushing_fields);
SCHEMA_SET(arm_bushings, "bushings of a trailing arm", vd_bushings_def, arm_bushing_fields);
SCHEMA_SET(five_bushings, "bushings of a five-link suspension", vd_bushings_def, five_bushing_fields);
SCHEMA_SET(multi_bushings, "bushings of a multi-link suspension", vd_bushings_def, multi_bushing_fields);
SCHEMA_SET(beam_bushings, "bushings of a twist beam", vd_bushings_def, beam_bushing_fields);
SCHEMA_SET(four_bushings, "bushings of a four-link axle", vd_bushings_def, four_bushing_fields);
SCHEMA_SET(panhard_bushings, "bushings of a Panhard axle", vd_bushings_def, panhard_bushing_fields);

typedef struct balls_def {
  double at[VD_MEMBERS];
} balls_def;

#define BALL(i, n) {VD_F_NUMBER(balls_def, at[i], #n, "N/m", 0, 1e12, VD_ABOVE | VD_AUTO | VD_UNSAID, "auto", "of its joint at the knuckle, in all directions; auto: rigid")},

static const vd_field macpherson_ball_fields[] = {MACPHERSON_JOINTS(BALL)};
static const vd_field wishbone_ball_fields[] = {WISHBONE_JOINTS(BALL)};
static const vd_field five_ball_fields[] = {FIVE_LINKS(BALL)};
static const vd_field multi_ball_fields[] = {MULTI_LINKS(BALL)};
static const vd_field four_ball_fields[] = {FOUR_LINKS(BALL)};
static const vd_field panhard_ball_fields[] = {PANHARD_LINKS(BALL)};
SCHEMA(macpherson_balls, "ball joints", balls_def, macpherson_ball_fields);
SCHEMA(wishbone_balls, "ball joints", balls_def, wishbone_ball_fields);
SCHEMA(five_balls, "ball joints", balls_def, five_ball_fields);
SCHEMA(multi_balls, "ball joints", balls_def, multi_ball_fields);
SCHEMA(four_balls, "ball joints", balls_def, four_ball_fields);
SCHEMA(panhard_balls, "ball joints", balls_def, panhard_ball_fields);

#define KG(member, n, text) {VD_F_NUMBER(vd_mass_def, member, n, "kg", 0, 1e6, VD_AUTO | VD_UNSAID, "auto", text)},
#define MASS_OF(i, n) KG(member[i], #n, "this member; auto: not known")
#define MASS_EACH KG(each, "link", "each of the links that are not given")
#define MASS_KNUCKLE \
  KG(knuckle, "knuckle", "knuckle, hub and wheel, or all of a rigid axle; auto: not known") \
  {VD_F_VECTOR(vd_mass_def, knuckle_inertia, "knuckle_inertia", "kg m2", 0, INFINITY, VD_AUTO | VD_UNSAID, "auto", "of the knuckle, about x, y, z through the wheel centre; auto: not known")},
#define MASS_SET {VD_F_CHOICE(vd_mass_def, set, "set", set_names, "none", "default: known figures for what is not given, of the types that have some"), .flags = VD_UNSAID},

static const vd_field macpherson_mass_fields[] = {MASS_SET MASS_KNUCKLE MACPHERSON_JOINTS(MASS_OF) KG(member[1], "strut", "what of the strut moves with the knuckle; auto: not known")};
static const vd_field wishbone_mass_fields[] = {MASS_SET MASS_KNUCKLE WISHBONE_JOINTS(MASS_OF)};
static const vd_field arm_mass_fields[] = {MASS_SET MASS_KNUCKLE KG(member[0], "arm", "the arm, which the knuckle is fixed to; auto: not known")};
static const vd_field five_mass_fields[] = {MASS_SET MASS_KNUCKLE MASS_EACH FIVE_LINKS(MASS_OF)};
static const vd_field multi_mass_fields[] = {MASS_SET MASS_KNUCKLE MASS_EACH MULTI_LINKS(MASS_OF)};
static const vd_field beam_mass_fields[] = {MASS_SET MASS_KNUCKLE KG(member[0], "arm", "the arm with half of the beam; auto: not known")};
static const vd_field four_mass_fields[] = {MASS_SET MASS_KNUCKLE MASS_EACH FOUR_LINKS(MASS_OF)};
static const vd_field panhard_mass_fields[] = {MASS_SET MASS_KNUCKLE MASS_EACH PANHARD_LINKS(MASS_OF)};
SCHEMA_SET(macpherson_mass, "masses of a MacPherson strut", vd_mass_def, macpherson_mass_fields);
SCHEMA_SET(wishbone_mass, "masses of a double wishbone", vd_mass_def, wishbone_mass_fields);
SCHEMA_SET(arm_mass, "masses of a trailing arm", vd_mass_def, arm_mass_fields);
SCHEMA_SET(five_mass, "masses of a five-link suspension", vd_mass_def, five_mass_fields);
SCHEMA_SET(multi_mass, "masses of a multi-link suspension", vd_mass_def, multi_mass_fields);
SCHEMA_SET(beam_mass, "masses of a twist beam", vd_mass_def, beam_mass_fields);
SCHEMA_SET(four_mass, "masses of a four-link axle", vd_mass_def, four_mass_fields);
SCHEMA_SET(panhard_mass, "masses of a Panhard axle", vd_mass_def, panhard_mass_fields);

static const vd_field car_fields[] = {
  {VD_F_CHOICE(vd_car_def, axle, "axle", axle_names, "auto", "which axle it is: must be said with any of the other keys"), .flags = VD_UNSAID},
  {VD_F_NUMBER(vd_car_def, wheelbase, "wheelbase", "m", 0, 100, VD_ABOVE | VD_AUTO | VD_UNSAID, "auto", "auto: not known, and no anti-dive or anti-squat")},
  {VD_F_NUMBER(vd_car_def, cg_height, "cg_height", "m", 0, 100, VD_ABOVE | VD_AUTO | VD_UNSAID, "auto", "centre of gravity over the road; auto: not known")},
  {VD_F_NUMBER(vd_car_def, brake_share, "brake_share", "1", 0, 1, VD_AUTO | VD_UNSAID, "auto", "of the car's brake torque on this axle; auto: not known")},
  {VD_F_NUMBER(vd_car_def, drive_share, "drive_share", "1", 0, 1, VD_AUTO | VD_UNSAID, "auto", "of the car's drive torque on this axle; auto: not known")},
  {VD_F_FLAG(vd_car_def, inboard_brakes, "inboard_brakes", "false", "brakes at the chassis, which then holds their torque"), .flags = VD_UNSAID},
};
SCHEMA(car_schema, "car", vd_car_def, car_fields);

/* --- the file --- */

#define MEMBER(i, key, sub, text) VD_F_STRUCT(vd_corner_def, member[i], vd_member_def, key, "1", sub, 0, NULL, text)
#define LINKS(sub) VD_F_STRUCT(vd_corner_def, member, vd_member_def *, "links", "1", sub, 0, NULL, "rods with a ball joint at each end")
#define BLOCK(member, T, key, sub, text) VD_F_STRUCT(vd_corner_def, member, T, key, "1", sub, VD_UNSAID, "{}", text)
#define KNUCKLES(sub) BLOCK(knuckle, vd_knuckle_def, "knuckle", sub, "points of the knuckle by offsets from the wheel centre")
#define BUSHINGS(sub) BLOCK(bushings, vd_bushings_def, "bushings", sub, "elastic joints at the chassis")
#define BALLS(sub) BLOCK(ball_joints, double *, "ball_joints", sub, "stiffness of the joints at the knuckle")
#define MASSES(sub) BLOCK(mass, vd_mass_def, "mass", sub, "masses")

static const vd_field corner_fields[] = {
  {VD_F_CHOICE(vd_corner_def, type, "type", vd_linkage_type_names, NULL, "what linkage it is")},
  {VD_F_STRING(vd_corner_def, name, "name", "\"\"", "name, for people")},
  {VD_F_STRING(vd_corner_def, source, "source", "\"\"", "where the figures are from")},
  {VD_F_CHOICE(vd_corner_def, side, "side", side_names, "left", "side that the points are of; those of the right one are mirrored as they are read"), .flags = VD_UNSAID, .only = ~(unsigned)RIGID_AXLE},
  {VD_F_STRUCT(vd_corner_def, wheel, vd_wheel_def, "wheel", "1", &wheel_schema, 0, NULL, "the wheel; of a rigid axle the left one")},
  {MEMBER(0, "lca", &arm_schema, "lower control arm"), .only = MACPHERSON | DOUBLE_WISHBONE},
  {MEMBER(1, "uca", &arm_schema, "upper control arm"), .only = DOUBLE_WISHBONE},
  {MEMBER(1, "strut", &strut_schema, "telescopic strut"), .only = MACPHERSON},
  {MEMBER(2, "tie_rod", &tie_rod_schema, "tie rod"), .only = MACPHERSON | DOUBLE_WISHBONE},
  {MEMBER(0, "arm_pivot", &pivot_schema, "axis of a trailing or semi-trailing arm"), .only = TRAILING_ARM},
  {MEMBER(0, "arm_pivot", &beam_schema, "arm and cross beam of a twist beam"), .only = TWIST_BEAM},
  {LINKS(&five_schema), .only = FIVE_LINK},
  {LINKS(&multi_schema), .only = MULTI_LINK},
  {LINKS(&four_schema), .only = FOUR_LINK_AXLE},
  {LINKS(&panhard_schema), .only = PANHARD_AXLE},
  {KNUCKLES(&macpherson_knuckle), .only = MACPHERSON},
  {KNUCKLES(&wishbone_knuckle), .only = DOUBLE_WISHBONE},
  {KNUCKLES(&hinge_knuckle), .only = TRAILING_ARM | TWIST_BEAM},
  {KNUCKLES(&five_knuckle), .only = FIVE_LINK},
  {KNUCKLES(&multi_knuckle), .only = MULTI_LINK},
  {KNUCKLES(&four_knuckle), .only = FOUR_LINK_AXLE},
  {KNUCKLES(&panhard_knuckle), .only = PANHARD_AXLE},
  {BLOCK(spring_damper, double (*)[3], "spring_damper", &unit_schema, "spring and damper in one unit on the lower arm, instead of spring.chassis, spring.eye, damper.chassis and damper.eye"), .only = MACPHERSON | DOUBLE_WISHBONE},
  {BLOCK(spring, vd_element_def, "spring", &spring_schema, "the spring, of a rigid axle the left one")},
  {BLOCK(damper, vd_element_def, "damper", &damper_schema, "the damper, of a rigid axle the left one")},
  {VD_F_NUMBER(vd_corner_def, wheel_load, "wheel_load", "N", 0, 1e7, VD_AUTO | VD_UNSAID, "auto", "on the contact patch at the design position; auto: not known")},
  {VD_F_NUMBER(vd_corner_def, tyre_rate, "tyre_rate", "N/m", 0, 1e9, VD_ABOVE | VD_AUTO | VD_UNSAID, "auto", "vertical stiffness of the tyre; auto: not known")},
  {BUSHINGS(&macpherson_bushings), .only = MACPHERSON},
  {BUSHINGS(&wishbone_bushings), .only = DOUBLE_WISHBONE},
  {BUSHINGS(&arm_bushings), .only = TRAILING_ARM},
  {BUSHINGS(&five_bushings), .only = FIVE_LINK},
  {BUSHINGS(&multi_bushings), .only = MULTI_LINK},
  {BUSHINGS(&beam_bushings), .only = TWIST_BEAM},
  {BUSHINGS(&four_bushings), .only = FOUR_LINK_AXLE},
  {BUSHINGS(&panhard_bushings), .only = PANHARD_AXLE},
  {BALLS(&macpherson_balls), .only = MACPHERSON},
  {BALLS(&wishbone_balls), .only = DOUBLE_WISHBONE},
  {BALLS(&five_balls), .only = FIVE_LINK},
  {BALLS(&multi_balls), .only = MULTI_LINK},
  {BALLS(&four_balls), .only = FOUR_LINK_AXLE},
  {BALLS(&panhard_balls), .only = PANHARD_AXLE},
  {MASSES(&macpherson_mass), .only = MACPHERSON},
  {MASSES(&wishbone_mass), .only = DOUBLE_WISHBONE},
  {MASSES(&arm_mass), .only = TRAILING_ARM},
  {MASSES(&five_mass), .only = FIVE_LINK},
  {MASSES(&multi_mass), .only = MULTI_LINK},
  {MASSES(&beam_mass), .only = TWIST_BEAM},
  {MASSES(&four_mass), .only = FOUR_LINK_AXLE},
  {MASSES(&panhard_mass), .only = PANHARD_AXLE},
  {BLOCK(car, vd_car_def, "car", &car_schema, "what the figures of the axle need of the car")},
};

const vd_schema vd_corner_schema = {
    .name = "suspension",
    .size = sizeof(vd_corner_def),
    .field = corner_fields,
    .count = VD_COUNT(corner_fields),
    .tag = "type",
};

void vd_corner_list(vd_buf *out) {
  vd_schema_list(&vd_corner_schema, "", out);
}

/* --- members --- */

#define ARM(n) {.kind = VD_ARM, .name = n, .point = {n ".chassis_front", n ".chassis_rear", n ".knuckle"}, .bushing = {n "_front", n "_rear"}}
#define ROD(n) {.kind = VD_ROD, .name = n, .point = {"links." n ".chassis", NULL, "links." n ".knuckle"}, .bushing = {n, NULL}}
#define ROD_IMAGE(n, left) {.kind = VD_ROD, .name = n, .point = {"links." n ".chassis", NULL, "links." n ".knuckle"}, .bushing = {n, NULL}, .image = left}
#define TIE_ROD {.kind = VD_ROD, .name = "tie_rod", .point = {"tie_rod.rack", NULL, "tie_rod.knuckle"}, .bushing = {"tie_inner", NULL}, .steered = true}

const vd_corner_layout vd_corner_layouts[VD_LINKAGE_TYPES] = {
  [VD_MACPHERSON] = {3, {ARM("lca"), {.kind = VD_SLIDER, .name = "strut", .point = {"strut.top", NULL, "strut.bottom"}, .bushing = {"strut_top", NULL}}, TIE_ROD}},
  [VD_DOUBLE_WISHBONE] = {3, {ARM("lca"), ARM("uca"), TIE_ROD}},
  [VD_TRAILING_ARM] = {1, {{.kind = VD_HINGE, .name = "arm", .point = {"arm_pivot.chassis_inboard", "arm_pivot.chassis_outboard", NULL}, .bushing = {"arm_inboard", "arm_outboard"}}}},
  [VD_FIVE_LINK] = {5, {ROD("upper_fore"), ROD("upper_aft"), ROD("lower_fore"), ROD("lower_aft"), ROD("toe_link")}},
  [VD_MULTI_LINK] = {5, {ROD("trailing_upper"), ROD("trailing_lower"), ROD("lateral_upper"), ROD("lateral_lower"), ROD("toe_link")}},
  [VD_TWIST_BEAM] = {1, {{.kind = VD_HINGE, .name = "arm", .point = {"arm_pivot.bushing", "arm_pivot.shear_centre", NULL}, .bushing = {"arm", NULL}}}},
  [VD_FOUR_LINK_AXLE] = {4, {ROD("lower_left"), ROD_IMAGE("lower_right", "lower_left"), ROD("upper_left"), ROD_IMAGE("upper_right", "upper_left")}},
  [VD_PANHARD_AXLE] = {4, {ROD("lower_left"), ROD_IMAGE("lower_right", "lower_left"), ROD("upper"), ROD("panhard")}},
};
/* clang-format on */

int vd_corner_find(enum vd_linkage_type type, const char *name) {
  const vd_corner_layout *layout = &vd_corner_layouts[type];
  for (int i = 0; i < layout->count; i++)
    if (strcmp(layout->member[i].name, name) == 0)
      return i;
  return -1;
}

const char *vd_corner_point(enum vd_linkage_type type, int member, enum vd_member_point point) {
  return vd_corner_layouts[type].member[member].point[point];
}

/* --- default figures: Onlyti/VDSim (Apache-2.0), bushings by topology and masses of its lumps --- */

static void fill(double *to, double x, double y, double z) {
  if (isnan(to[0])) {
    to[0] = x;
    to[1] = y;
    to[2] = z;
  }
}

static void fill_bushing(vd_bushing_def *b, const double *k) {
  if (!isnan(b->translation[0]))
    return;
  fill(b->translation, k[0], k[1], k[2]);
  fill(b->rotation, k[3], k[4], k[5]);
}

bool vd_corner_default_bushings(vd_corner_def *def) {
  static const double lca_front[] = {1.2e6, 1.2e6, 6.0e5, 2.5e4, 1.2e4, 4.0e4};
  static const double lca_rear[] = {1.0e6, 1.0e6, 5.0e5, 2.0e4, 1.0e4, 3.5e4};
  static const double uca_front[] = {1.0e6, 1.0e6, 5.0e5, 1.8e4, 1.0e4, 2.5e4};
  static const double uca_rear[] = {9.0e5, 9.0e5, 4.5e5, 1.6e4, 9.0e3, 2.2e4};
  static const double tie_inner[] = {5.0e5, 5.0e5, 3.0e5, 8.0e3, 6.0e3, 1.2e4};
  static const double arm[] = {8.0e5, 8.0e5, 4.0e5, 1.5e4, 2.0e4, 3.0e4};
  static const double link[] = {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4};
  vd_bushings_def *b = &def->bushings;
  switch ((enum vd_linkage_type)def->type) {
  case VD_DOUBLE_WISHBONE:
    fill_bushing(&b->at[1][0], uca_front);
    fill_bushing(&b->at[1][1], uca_rear); /* fall through */
  case VD_MACPHERSON:
    fill_bushing(&b->at[0][0], lca_front);
    fill_bushing(&b->at[0][1], lca_rear);
    fill_bushing(&b->at[2][0], tie_inner);
    return true;
  case VD_TRAILING_ARM:
    fill_bushing(&b->at[0][0], arm);
    fill_bushing(&b->at[0][1], arm);
    return true;
  case VD_FIVE_LINK:
    for (int i = 0; i < VD_MEMBERS; i++)
      fill_bushing(&b->at[i][0], link);
    return true;
  case VD_MULTI_LINK:
  case VD_TWIST_BEAM:
  case VD_FOUR_LINK_AXLE:
  case VD_PANHARD_AXLE:
  case VD_LINKAGE_TYPES: break;
  }
  return false;
}

static void fill_mass(vd_mass_def *mass, double knuckle, double first, double second, double third) {
  const double member[] = {first, second, third};
  if (isnan(mass->knuckle))
    mass->knuckle = knuckle;
  for (int i = 0; i < 3; i++)
    if (isnan(mass->member[i]))
      mass->member[i] = member[i];
}

bool vd_corner_default_mass(vd_corner_def *def) {
  vd_mass_def *mass = &def->mass;
  switch ((enum vd_linkage_type)def->type) {
  case VD_MACPHERSON: fill_mass(mass, 6.5, 8.5, 12.0, 1.8); return true;
  case VD_DOUBLE_WISHBONE: fill_mass(mass, 6.5, 7.0, 4.5, 1.8); return true;
  case VD_TRAILING_ARM: fill_mass(mass, 6.0, 9.0, NAN, NAN); return true;
  case VD_FIVE_LINK:
    fill_mass(mass, 6.5, 3.0, 3.0, 3.0);
    for (int i = 3; i < VD_MEMBERS; i++)
      if (isnan(mass->member[i]))
        mass->member[i] = 3.0;
    return true;
  case VD_MULTI_LINK:
  case VD_TWIST_BEAM:
  case VD_FOUR_LINK_AXLE:
  case VD_PANHARD_AXLE:
  case VD_LINKAGE_TYPES: break;
  }
  return false;
}
