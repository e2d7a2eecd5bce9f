/* Rows that several types of suspension have, for the files of the types. */
#ifndef VD_CORNER_ROWS_H
#define VD_CORNER_ROWS_H

#include "base/base.h"
#include "input/schema.h"
#include "linkage/corner_impl.h"

#include <math.h>

extern const char *const vd_corner_side_names[], *const vd_corner_ref_names[], *const vd_corner_set_names[],
                                                                                   *const vd_corner_final_drive_names[];
extern const vd_schema vd_corner_arm_schema, vd_corner_tie_rod_schema, vd_corner_link_schema, vd_corner_image_schema,
    vd_corner_unit_schema, vd_corner_bushing_schema, vd_corner_hinge_knuckle_schema, vd_corner_steers_schema,
    vd_corner_axle_steers_schema;

/* Default bushings that two types share: stiffness along and about x, y, z. */
extern const double vd_corner_lca_front[6], vd_corner_lca_rear[6], vd_corner_tie_inner[6];

/* clang-format off */
/* Rows name members of the struct T, or of vd_corner_def in macros without T. */
#define VD_ROW_SCHEMA_OF(T, id, what, rows) static const vd_schema id = {.name = what, VD_SCHEMA_ROWS(T, rows)}
#define VD_ROW_SCHEMA(id, what, rows) VD_ROW_SCHEMA_OF(vd_corner_def, id, what, rows)
#define VD_ROW_SCHEMA_SET(id, what, rows) \
  static const vd_schema id = {.name = what, VD_SCHEMA_ROWS(vd_corner_def, rows), .shorthand = "set"}
#define VD_ROW_POINT(T, member, key, text) VD_F_VECTOR(T, member, key, "m", -INFINITY, INFINITY, 0, NULL, text)
#define VD_ROW_VECTOR_AUTO(T, member, key, unit, low, text) VD_F_VECTOR(T, member, key, unit, low, INFINITY, VD_AUTO \
    | VD_OMIT_DEFAULT, "auto", text)
#define VD_ROW_POINT_AUTO(T, member, key, text) VD_ROW_VECTOR_AUTO(T, member, key, "m", -INFINITY, text)
#define VD_ROW_DIRECTION_AUTO(T, member, key, text) VD_ROW_VECTOR_AUTO(T, member, key, "1", -INFINITY, text)
#define VD_ROW_AUTO(member, key, unit, low, high, more, text) VD_F_NUMBER(vd_corner_def, member, key, unit, low, high, \
    (more) | VD_AUTO | VD_OMIT_DEFAULT, "auto", text)
#define VD_ROW_MAPPING(k, s, text) .key = (k), .kind = VD_STRUCT, .unit = "1", .sub = (s), .help = (text)
#define VD_ROW_BLOCK(k, s, text) VD_ROW_MAPPING(k, s, text), .flags = VD_OMIT_DEFAULT, .def = "{}"

/* --- rows at the top of a type's file --- */

#define VD_ROW_SIDE VD_F_CHOICE(vd_corner_def, side, "side", vd_corner_side_names, "left", \
    "side of the points; those of the right side are mirrored as they are read"), .flags = VD_OMIT_DEFAULT
#define VD_ROW_MEMBER(i, key, sub, text) VD_F_STRUCT(vd_corner_def, corner.points.member[i], vd_member, key, "1", sub, \
    0, NULL, text)
#define VD_ROW_LINKS(sub) VD_ROW_MAPPING("links", sub, "rods with a ball joint at each end")
#define VD_ROW_KNUCKLE(sub) VD_ROW_BLOCK("knuckle", sub, "points of the knuckle by offsets from the wheel centre")
#define VD_ROW_STEERING VD_ROW_BLOCK("steering", &vd_corner_steers_schema, \
    "what shifts the inner end of the tie rod or toe link")
#define VD_ROW_AXLE_STEERING VD_ROW_BLOCK("steering", &vd_corner_axle_steers_schema, \
    "knuckles on kingpins, and what turns them")
#define VD_ROW_FINAL_DRIVE VD_F_CHOICE(vd_corner_def, final_drive, "final_drive", vd_corner_final_drive_names, "axle", \
    "carrier of the final drive and its torque: axle, for a live axle; body, for a De Dion axle or one that is not " \
    "driven"), .flags = VD_OMIT_DEFAULT
#define VD_ROW_UNIT VD_ROW_BLOCK("spring_damper", &vd_corner_unit_schema, \
    "spring and damper in one unit on the lower arm, instead of spring.chassis, spring.eye, damper.chassis and " \
    "damper.eye")
#define VD_ROW_BUSHINGS(sub) VD_ROW_BLOCK("bushings", sub, "elastic joints at the chassis")
#define VD_ROW_MASSES(sub) VD_ROW_BLOCK("mass", sub, "masses")

/* --- rows in blocks; i is the member's place in the type, n its name --- */

#define VD_ROW_LINK(i, n, text) {VD_ROW_MEMBER(i, n, &vd_corner_link_schema, text)},
#define VD_ROW_IMAGE(i, n) {VD_F_STRUCT(vd_corner_def, corner.points.member[i], vd_member, n, "1", \
    &vd_corner_image_schema, 0, "{}", "the right rod of the pair")},
#define VD_ROW_KNUCKLE_LINK(i, n) VD_ROW_LINK(i, #n, "a rod between chassis and knuckle")
#define VD_ROW_AXLE_LINK(i, n) VD_ROW_LINK(i, n, "a rod between chassis and axle")

#define VD_ROW_REF {VD_F_CHOICE(vd_corner_def, offsets_from, "ref", vd_corner_ref_names, "wheel_center", \
    "origin of the offsets"), .flags = VD_OMIT_DEFAULT}
#define VD_ROW_ARM {VD_ROW_POINT_AUTO(vd_corner_def, corner.knuckle_arm, "arm", \
    "offset from the wheel centre to a point of the steering arm, for the list of points only")}
#define VD_ROW_OFFSET(i, n) {VD_ROW_POINT_AUTO(vd_corner_def, offset[i], #n, \
    "offset from the wheel centre to the joint of this member")},
/* The block `knuckle` of a type with these offsets. */
#define VD_ROW_KNUCKLE_SCHEMA(id, offsets) \
  VD_ROW_SCHEMA(id ## _points, "points of the knuckle", offsets); \
  static const vd_field id ## _fields[] = { \
    VD_ROW_REF, \
    {VD_ROW_BLOCK("points", &id ## _points, "joints of the members")}, \
    VD_ROW_ARM, \
  }; \
  VD_ROW_SCHEMA(id, "knuckle", id ## _fields)

#define VD_ROW_SET(member, of) {VD_F_CHOICE(vd_corner_def, member, "set", vd_corner_set_names, "none", \
    "default: the default figures of the type for " of), .flags = VD_OMIT_DEFAULT},
#define VD_ROW_BUSHING_OF(member, n, text) {VD_F_STRUCT(vd_corner_def, member, vd_bushing_def, n, "1", \
    &vd_corner_bushing_schema, VD_OMIT_DEFAULT, "{}", text)},
#define VD_ROW_BUSHING_SET VD_ROW_SET(bushing_set, "joints that are not given; none: rigid joints")
#define VD_ROW_BUSHING(m, i, n, text) VD_ROW_BUSHING_OF(bushing[m][i], n, text)
#define VD_ROW_BUSHING_EACH(n, text) VD_ROW_BUSHING_OF(each_bushing, n, text)
#define VD_ROW_LINK_BUSHING(i, n) VD_ROW_BUSHING(i, 0, #n, "joint of this member at the chassis")
#define VD_ROW_LINK_BUSHINGS(LINKS) VD_ROW_BUSHING_SET VD_ROW_BUSHING_EACH("links", \
    "each of the links") LINKS(VD_ROW_LINK_BUSHING)

#define VD_ROW_BALL(i, n) {VD_ROW_AUTO(corner.ball_stiffness[i], #n, "N/m", 0, 1e12, VD_ABOVE, \
    "stiffness of its joint at the knuckle, in all directions; auto: rigid")},

#define VD_ROW_KG(member, n, text) {VD_ROW_AUTO(member, n, "kg", 0, 1e6, 0, text)},
#define VD_ROW_MASS_OF(i, n) VD_ROW_KG(corner.member_mass[i], #n, "mass of this member; auto: not known")
#define VD_ROW_MASS_EACH VD_ROW_KG(each_mass, "link", "mass of each link that is not given")
#define VD_ROW_MASS_KNUCKLE \
  VD_ROW_SET(mass_set, "masses that are not given") \
  VD_ROW_KG(corner.knuckle_mass, "knuckle", \
      "mass of knuckle, hub and wheel, or of a whole rigid axle; auto: not known") \
  {VD_ROW_VECTOR_AUTO(vd_corner_def, corner.knuckle_inertia, "knuckle_inertia", "kg m2", 0, \
      "moments of inertia of the knuckle about x, y, z through the wheel centre; auto: not known")},

/* --- blocks that the files of all types have; `of': the type in words, ONLY: the type for which a row exists --- */

/* Needs offset_fields, bushing_fields, ball_fields and mass_fields. Defines part_fields from the last three. */
#define VD_ROW_BLOCK_SCHEMAS(of) \
  VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields); \
  VD_ROW_SCHEMA_SET(bushings, "bushings of " of, bushing_fields); \
  VD_ROW_SCHEMA(balls, "ball joints", ball_fields); \
  VD_ROW_SCHEMA_SET(masses, "masses of " of, mass_fields); \
  static const vd_field part_fields[] = { \
    {VD_ROW_BUSHINGS(&bushings), ONLY}, \
    {VD_ROW_BLOCK("ball_joints", &balls, "stiffness of the joints at the knuckle"), ONLY}, \
    {VD_ROW_MASSES(&masses), ONLY}, \
  }

/* For a type whose members are all rods, LINKS; needs link_fields. */
#define VD_ROW_LINK_SCHEMAS(of, LINKS) \
  static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)}; \
  static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)}; \
  static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)}; \
  static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)}; \
  VD_ROW_SCHEMA(links, "links of " of, link_fields); \
  VD_ROW_BLOCK_SCHEMAS(of)

/* The rows at the top of a type's file, with the schemas of VD_ROW_LINK_SCHEMAS. */
#define VD_ROW_POINTS_OF_LINKS {VD_ROW_LINKS(&links), ONLY}, {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_STEERING, ONLY},
#define VD_ROW_POINTS_OF_ARMS {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_STEERING, ONLY}, {VD_ROW_UNIT, ONLY},
#define VD_ROW_POINTS_OF_AXLE \
  {VD_ROW_LINKS(&links), ONLY}, {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_AXLE_STEERING, ONLY}, {VD_ROW_FINAL_DRIVE, \
      ONLY},

/* Both groups of a type's rows, point_fields and part_fields. */
#define VD_ROW_GROUPS(type) \
  const vd_schema vd_ ## type ## _points = {.field = point_fields, .count = VD_COUNT(point_fields)}; \
  const vd_schema vd_ ## type ## _parts = {.field = part_fields, .count = VD_COUNT(part_fields)}

/* --- members --- */

#define VD_CORNER_ARM(n) {.kind = VD_ARM, .name = n, .point = {n ".chassis_front", n ".chassis_rear", n ".knuckle"}, \
    .bushing = {n "_front", n "_rear"}}
#define VD_CORNER_ROD(n) {.kind = VD_ROD, .name = n, .point = {"links." n ".chassis", NULL, "links." n ".knuckle"}, \
    .bushing = {n, NULL}}
#define VD_CORNER_ROD_IMAGE(n, left) {.kind = VD_ROD, .name = n, .point = {"links." n ".chassis", NULL, \
    "links." n ".knuckle"}, .bushing = {n, NULL}, .image = 1 + (left)}
#define VD_CORNER_TIE_ROD {.kind = VD_ROD, .name = "tie_rod", .point = {"tie_rod.rack", NULL, "tie_rod.knuckle"}, \
    .bushing = {"tie_inner", NULL}, .steerable = true, .steered = true}
#define VD_CORNER_TOE_LINK {.kind = VD_ROD, .name = "toe_link", .point = { \
    "links.toe_link.chassis", NULL, "links.toe_link.knuckle"}, .bushing = {"toe_link", NULL}, .steerable = true}
/* clang-format on */

#endif
