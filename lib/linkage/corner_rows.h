/* Rows that several types of suspension have, for the files of the types. */
#ifndef VD_CORNER_ROWS_H
#define VD_CORNER_ROWS_H

#include "base/base.h"
#include "input/schema.h"
#include "linkage/corner_impl.h"

#include <math.h>

/* Arrays of members as structs, which the rows of a block have their offsets in. */
typedef struct vd_links_def {
  vd_member_def link[VD_MEMBERS];
} vd_links_def;

typedef struct vd_offsets_def {
  double at[VD_MEMBERS][3];
} vd_offsets_def;

typedef struct vd_balls_def {
  double at[VD_MEMBERS];
} vd_balls_def;

extern const char *const vd_corner_side_names[], *const vd_corner_ref_names[], *const vd_corner_set_names[],
                                                                                   *const vd_corner_final_drive_names[];
extern const vd_schema vd_corner_arm_schema, vd_corner_tie_rod_schema, vd_corner_link_schema, vd_corner_image_schema,
    vd_corner_unit_schema, vd_corner_bushing_schema, vd_corner_hinge_knuckle_schema, vd_corner_steers_schema,
    vd_corner_axle_steers_schema;

/* Default bushings that two types share: stiffness along and about x, y, z. */
extern const double vd_corner_lca_front[6], vd_corner_lca_rear[6], vd_corner_tie_inner[6];

/* clang-format off */
#define VD_ROW_SCHEMA(id, what, T, rows) \
  static const vd_schema id = {.name = what, .size = sizeof(T), .field = rows, .count = VD_COUNT(rows)}
#define VD_ROW_SCHEMA_SET(id, what, T, rows) \
  static const vd_schema id = {.name = what, .size = sizeof(T), .field = rows, .count = VD_COUNT(rows), \
      .shorthand = "set"}
#define VD_ROW_POINT(T, member, key, text) VD_F_VECTOR(T, member, key, "m", -INFINITY, INFINITY, 0, NULL, text)
#define VD_ROW_POINT_AUTO(T, member, key, text) VD_F_VECTOR(T, member, key, "m", -INFINITY, INFINITY, VD_AUTO \
    | VD_OMIT_DEFAULT, "auto", text)

/* --- rows of a type, from the top --- */

#define VD_ROW_SIDE VD_F_CHOICE(vd_corner_def, side, "side", vd_corner_side_names, "left", \
    "side of the points; those of the right side are mirrored as they are read"), .flags = VD_OMIT_DEFAULT
#define VD_ROW_MEMBER(i, key, sub, text) VD_F_STRUCT(vd_corner_def, member[i], vd_member_def, key, "1", sub, 0, NULL, \
    text)
#define VD_ROW_LINKS(sub) VD_F_STRUCT(vd_corner_def, member, vd_member_def *, "links", "1", sub, 0, NULL, \
    "rods with a ball joint at each end")
#define VD_ROW_BLOCK(member, T, key, sub, text) VD_F_STRUCT(vd_corner_def, member, T, key, "1", sub, VD_OMIT_DEFAULT, \
    "{}", text)
#define VD_ROW_KNUCKLE(sub) VD_ROW_BLOCK(knuckle, vd_knuckle_def, "knuckle", sub, \
    "points of the knuckle by offsets from the wheel centre")
#define VD_ROW_STEERING VD_ROW_BLOCK(steering, vd_steers_def, "steering", &vd_corner_steers_schema, \
    "what shifts the inner end of the tie rod or toe link")
#define VD_ROW_AXLE_STEERING VD_ROW_BLOCK(axle_steering, vd_axle_steers_def, "steering", \
    &vd_corner_axle_steers_schema, \
    "knuckles on kingpins, and what turns them")
#define VD_ROW_FINAL_DRIVE VD_F_CHOICE(vd_corner_def, final_drive, "final_drive", vd_corner_final_drive_names, "axle", \
    "what carries the final drive and holds its torque: axle, a live one; body, of a De Dion axle or one that is not " \
    "driven"), .flags = VD_OMIT_DEFAULT
#define VD_ROW_UNIT VD_ROW_BLOCK(spring_damper, double (*)[3], "spring_damper", &vd_corner_unit_schema, \
    "spring and damper in one unit on the lower arm, instead of spring.chassis, spring.eye, damper.chassis and " \
    "damper.eye")
#define VD_ROW_BUSHINGS(sub) VD_ROW_BLOCK(bushings, vd_bushings_def, "bushings", sub, "elastic joints at the chassis")
#define VD_ROW_BALLS(sub) VD_ROW_BLOCK(ball_joints, double *, "ball_joints", sub, \
    "stiffness of the joints at the knuckle")
#define VD_ROW_MASSES(sub) VD_ROW_BLOCK(mass, vd_mass_def, "mass", sub, "masses")

/* --- rows in blocks; i is the member's place in the type, n its name --- */

#define VD_ROW_LINK(i, n, text) {VD_F_STRUCT(vd_links_def, link[i], vd_member_def, n, "1", &vd_corner_link_schema, 0, \
    NULL, text)},
#define VD_ROW_IMAGE(i, n) {VD_F_STRUCT(vd_links_def, link[i], vd_member_def, n, "1", &vd_corner_image_schema, 0, \
    "{}", \
    "the right rod of the pair")},
#define VD_ROW_KNUCKLE_LINK(i, n) VD_ROW_LINK(i, #n, "a rod between chassis and knuckle")
#define VD_ROW_AXLE_LINK(i, n) VD_ROW_LINK(i, n, "a rod between chassis and axle")

#define VD_ROW_REF {VD_F_CHOICE(vd_knuckle_def, ref, "ref", vd_corner_ref_names, "wheel_center", \
    "origin of the offsets"), .flags = VD_OMIT_DEFAULT}
#define VD_ROW_ARM {VD_ROW_POINT_AUTO(vd_knuckle_def, arm, "arm", \
    "offset from the wheel centre to a point of the steering arm, for the list of points only")}
#define VD_ROW_OFFSET(i, n) {VD_ROW_POINT_AUTO(vd_offsets_def, at[i], #n, \
    "offset from the wheel centre to the joint of this member")},
/* The block `knuckle` of a type with these offsets. */
#define VD_ROW_KNUCKLE_SCHEMA(id, offsets) \
  VD_ROW_SCHEMA(id ## _points, "points of the knuckle", vd_offsets_def, offsets); \
  static const vd_field id ## _fields[] = { \
    VD_ROW_REF, \
    {VD_F_STRUCT(vd_knuckle_def, point, double (*)[3], "points", "1", &id ## _points, VD_OMIT_DEFAULT, "{}", \
        "joints of the members")}, \
    VD_ROW_ARM, \
  }; \
  VD_ROW_SCHEMA(id, "knuckle", vd_knuckle_def, id ## _fields)

#define VD_ROW_BUSHING_SET {VD_F_CHOICE(vd_bushings_def, set, "set", vd_corner_set_names, "none", \
    "default: the default figures of the type for joints that are not given; none: rigid joints"), \
    .flags = VD_OMIT_DEFAULT},
#define VD_ROW_BUSHING(m, i, n, text) {VD_F_STRUCT(vd_bushings_def, at[m][i], vd_bushing_def, n, "1", \
    &vd_corner_bushing_schema, VD_OMIT_DEFAULT, "{}", text)},
#define VD_ROW_BUSHING_EACH(n, text) {VD_F_STRUCT(vd_bushings_def, each, vd_bushing_def, n, "1", \
    &vd_corner_bushing_schema, VD_OMIT_DEFAULT, "{}", text)},
#define VD_ROW_LINK_BUSHING(i, n) VD_ROW_BUSHING(i, 0, #n, "joint of this member at the chassis")
#define VD_ROW_LINK_BUSHINGS(LINKS) VD_ROW_BUSHING_SET VD_ROW_BUSHING_EACH("links", \
    "each of the links") LINKS(VD_ROW_LINK_BUSHING)

#define VD_ROW_BALL(i, n) {VD_F_NUMBER(vd_balls_def, at[i], #n, "N/m", 0, 1e12, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, \
    "auto", \
    "stiffness of its joint at the knuckle, in all directions; auto: rigid")},

#define VD_ROW_KG(member, n, text) {VD_F_NUMBER(vd_mass_def, member, n, "kg", 0, 1e6, VD_AUTO | VD_OMIT_DEFAULT, \
    "auto", text)},
#define VD_ROW_MASS_OF(i, n) VD_ROW_KG(member[i], #n, "mass of this member; auto: not known")
#define VD_ROW_MASS_EACH VD_ROW_KG(each, "link", "mass of each link that is not given")
#define VD_ROW_MASS_KNUCKLE \
  {VD_F_CHOICE(vd_mass_def, set, "set", vd_corner_set_names, "none", \
      "default: the default figures of the type for masses that are not given"), .flags = VD_OMIT_DEFAULT}, \
  VD_ROW_KG(knuckle, "knuckle", "mass of knuckle, hub and wheel, or of a whole rigid axle; auto: not known") \
  {VD_F_VECTOR(vd_mass_def, knuckle_inertia, "knuckle_inertia", "kg m2", 0, INFINITY, VD_AUTO | VD_OMIT_DEFAULT, \
      "auto", \
      "moments of inertia of the knuckle about x, y, z through the wheel centre; auto: not known")},

/* --- what the files of the types have in common; `of': "a double wishbone", ONLY: for which type a row is --- */

/* From offset_fields, bushing_fields, ball_fields and mass_fields. */
#define VD_ROW_BLOCK_SCHEMAS(of) \
  VD_ROW_KNUCKLE_SCHEMA(knuckle, offset_fields); \
  VD_ROW_SCHEMA_SET(bushings, "bushings of " of, vd_bushings_def, bushing_fields); \
  VD_ROW_SCHEMA(balls, "ball joints", vd_balls_def, ball_fields); \
  VD_ROW_SCHEMA_SET(masses, "masses of " of, vd_mass_def, mass_fields)

/* For a type that has rods alone, LINKS; from link_fields. */
#define VD_ROW_LINK_SCHEMAS(of, LINKS) \
  static const vd_field offset_fields[] = {LINKS(VD_ROW_OFFSET)}; \
  static const vd_field bushing_fields[] = {VD_ROW_LINK_BUSHINGS(LINKS)}; \
  static const vd_field ball_fields[] = {LINKS(VD_ROW_BALL)}; \
  static const vd_field mass_fields[] = {VD_ROW_MASS_KNUCKLE VD_ROW_MASS_EACH LINKS(VD_ROW_MASS_OF)}; \
  VD_ROW_SCHEMA(links, "links of " of, vd_links_def, link_fields); \
  VD_ROW_BLOCK_SCHEMAS(of)

/* The rows of a type from the top, of those schemas. */
#define VD_ROW_POINTS_OF_LINKS {VD_ROW_LINKS(&links), ONLY}, {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_STEERING, ONLY},
#define VD_ROW_POINTS_OF_ARMS {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_STEERING, ONLY}, {VD_ROW_UNIT, ONLY},
#define VD_ROW_POINTS_OF_AXLE \
  {VD_ROW_LINKS(&links), ONLY}, {VD_ROW_KNUCKLE(&knuckle), ONLY}, {VD_ROW_AXLE_STEERING, ONLY}, {VD_ROW_FINAL_DRIVE, \
      ONLY},
#define VD_ROW_PARTS {VD_ROW_BUSHINGS(&bushings), ONLY}, {VD_ROW_BALLS(&balls), ONLY}, {VD_ROW_MASSES(&masses), ONLY},

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
    "links." n ".knuckle"}, .bushing = {n, NULL}, .image = left}
#define VD_CORNER_TIE_ROD {.kind = VD_ROD, .name = "tie_rod", .point = {"tie_rod.rack", NULL, "tie_rod.knuckle"}, \
    .bushing = {"tie_inner", NULL}, .steerable = true, .steered = true}
#define VD_CORNER_TOE_LINK {.kind = VD_ROD, .name = "toe_link", .point = { \
    "links.toe_link.chassis", NULL, "links.toe_link.knuckle"}, .bushing = {"toe_link", NULL}, .steerable = true}
/* clang-format on */

#endif
