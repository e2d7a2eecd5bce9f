/* The schema of suspension files: rows of all types, and the choice of the type. */
#include "linkage/corner_rows.h"

#define NAME(value, name) #name,
const char *const vd_linkage_type_names[] = {VD_LINKAGE_LIST(NAME) NULL};

static const char *const axle_names[] = {"auto", "front", "rear", NULL};

const vd_corner_kind *vd_corner_kind_of(enum vd_linkage_type type) {
#define KIND(value, name) &vd_##name,
  static const vd_corner_kind *const kind[VD_LINKAGE_TYPES] = {VD_LINKAGE_LIST(KIND)};
  return kind[type];
}

const char *vd_corner_point(enum vd_linkage_type type, int member, enum vd_member_point point) {
  return vd_corner_kind_of(type)->member[member].point[point];
}

const char *vd_corner_bushing(enum vd_linkage_type type, int member, int point) {
  return vd_corner_kind_of(type)->member[member].bushing[point];
}

const vd_member *vd_corner_slider(const vd_hardpoints *points) {
  for (int i = 0; i < points->members; i++)
    if (points->member[i].kind == VD_SLIDER)
      return &points->member[i];
  return NULL;
}

const vd_linkage_traits *vd_linkage_traits_of(enum vd_linkage_type type) {
  return &vd_corner_kind_of(type)->traits;
}

/* clang-format off */

/* --- the wheel --- */

static const vd_field wheel_fields[] = {
  {VD_ROW_POINT(vd_corner_def, corner.points.wheel_center, "center", "centre of the wheel")},
  {VD_ROW_DIRECTION_AUTO(vd_corner_def, corner.points.spin_axis, "spin_axis",
      "direction of the spin axis, outward, of any length; auto: by toe and camber")},
  {VD_ROW_AUTO(toe, "toe", "rad", -VD_PI / 4.0, VD_PI / 4.0, 0,
      "toe at the design position, toe-in > 0, instead of spin_axis")},
  {VD_ROW_AUTO(camber, "camber", "rad", -VD_PI / 4.0, VD_PI / 4.0, 0,
      "camber at the design position, top outward > 0, instead of spin_axis")},
  {VD_F_NUMBER(vd_corner_def, corner.points.static_radius, "static_radius", "m", 0, INFINITY, VD_ABOVE, NULL,
      "loaded radius: from the centre down to the road")},
};
VD_ROW_SCHEMA(wheel_schema, "wheel", wheel_fields);

/* --- spring and damper --- */

static const vd_field rocker_fields[] = {
  {VD_ROW_POINT_AUTO(vd_element, pivot, "pivot", "point of the rocker's axis at the chassis")},
  {VD_ROW_DIRECTION_AUTO(vd_element, axis, "axis", "direction of the rocker's axis, of any length")},
  {VD_ROW_POINT_AUTO(vd_element, rod_part, "rod_part",
      "outer end of the push or pull rod, on the member of `part'")},
  {VD_ROW_POINT_AUTO(vd_element, rod_rocker, "rod_rocker", "inner end of the push or pull rod, on the rocker")},
};
VD_ROW_SCHEMA_OF(vd_element, rocker_schema, "rocker", rocker_fields);

#define ELEMENT_POINTS(of) \
  {VD_ROW_POINT_AUTO(vd_corner_def, corner.points.of.chassis, "chassis", \
      "end at the chassis; auto: strut.top of a MacPherson strut, none for other types")}, \
  {VD_ROW_POINT_AUTO(vd_corner_def, corner.points.of.eye, "eye", \
      "other end, on the member of `part' or on the rocker; auto: strut.bottom of a MacPherson strut")}, \
  {VD_F_STRING(vd_corner_def, of.part, "part", "\"\"", \
      "part that holds the eye, or the rod of the rocker: knuckle or a member (lca, arm, lower_aft)"), \
      .flags = VD_OMIT_DEFAULT}, \
  {VD_F_STRING(vd_corner_def, of.on, "on", "\"\"", \
      "older name of `part', which readers of YAML 1.1 take for a truth value"), .flags = VD_OMIT_DEFAULT}
#define ELEMENT_ROCKER(of) \
  {VD_F_STRUCT(vd_corner_def, corner.points.of, vd_element, "rocker", "1", &rocker_schema, VD_OMIT_DEFAULT, "{}", \
      "rocker that a push or pull rod turns, and on which the eye then is")}

static const vd_field spring_fields[] = {
  ELEMENT_POINTS(spring),
  {VD_ROW_AUTO(corner.spring_rate, "rate", "N/m", 0, 1e9, VD_ABOVE, "rate along the spring; auto: not known")},
  {VD_ROW_AUTO(corner.spring_load, "load", "N", -1e7, 1e7, 0,
      "force at the design position, in compression > 0; auto: the force that carries wheel_load")},
  ELEMENT_ROCKER(spring),
};
VD_ROW_SCHEMA(spring_schema, "spring", spring_fields);

static const vd_field damper_fields[] = {
  ELEMENT_POINTS(damper),
  {VD_ROW_AUTO(corner.damper_rate, "rate", "N s/m", 0, 1e7, 0, "rate along the damper; auto: not known")},
  ELEMENT_ROCKER(damper),
};
VD_ROW_SCHEMA(damper_schema, "damper", damper_fields);

/* --- the car --- */

static const vd_field car_fields[] = {
  {VD_F_CHOICE(vd_corner_def, axle, "axle", axle_names, "auto",
      "axle of the suspension; auto is allowed only if no other key of car is given"), .flags = VD_OMIT_DEFAULT},
  {VD_ROW_AUTO(corner.wheelbase, "wheelbase", "m", 0, 100, VD_ABOVE,
      "wheelbase of the car; auto: not known, and neither are anti-dive and anti-squat")},
  {VD_ROW_AUTO(corner.cg_height, "cg_height", "m", 0, 100, VD_ABOVE,
      "height of the centre of gravity above the road; auto: not known")},
  {VD_ROW_AUTO(corner.brake_share, "brake_share", "1", 0, 1, 0,
      "share of the car's brake torque on this axle; auto: not known")},
  {VD_ROW_AUTO(corner.drive_share, "drive_share", "1", 0, 1, 0,
      "share of the car's drive torque on this axle; auto: not known")},
  {VD_ROW_AUTO(corner.antiroll_stiffness, "antiroll_stiffness", "N m/rad", 0, 1e9, 0,
      "roll stiffness of the axle's anti-roll bar, per roll angle of the body; auto: there is none")},
  {VD_ROW_AUTO(corner.c_factor, "c_factor", "m", 0, 10, VD_ABOVE,
      "displacement of the rack per turn of the steering wheel; auto: not known")},
  {VD_ROW_AUTO(corner.gear_ratio, "gear_ratio", "1", 0, 1000, VD_ABOVE,
      "turns of the steering wheel per turn of the pitman arm, instead of 'c_factor'; auto: not known")},
  {VD_F_FLAG(vd_corner_def, corner.inboard_brakes, "inboard_brakes", "false",
      "brakes at the chassis, which then carries their torque"), .flags = VD_OMIT_DEFAULT},
};
VD_ROW_SCHEMA(car_schema, "car", car_fields);

/* --- the file --- */

#define POINTS(value, name) {VD_F_GROUP(&vd_##name##_points)},
#define PARTS(value, name) {VD_F_GROUP(&vd_##name##_parts)},
static const vd_field corner_fields[] = {
  {VD_F_CHOICE(vd_corner_def, type, "type", vd_linkage_type_names, NULL, "type of the linkage"),
   .flags = VD_IDENTIFIES},
  {VD_F_STRING(vd_corner_def, corner.name, "name", "\"\"", "name for readers")},
  {VD_F_STRING(vd_corner_def, corner.source, "source", "\"\"", "source of the parameters")},
  {VD_F_ESTIMATES(vd_corner_def, corner.estimates)},
  {VD_ROW_MAPPING("wheel", &wheel_schema, "the wheel; for a rigid axle the left one")},
  VD_LINKAGE_LIST(POINTS)
  {VD_ROW_BLOCK("spring", &spring_schema, "the spring, for a rigid axle the left one")},
  {VD_ROW_BLOCK("damper", &damper_schema, "the damper, for a rigid axle the left one")},
  {VD_ROW_AUTO(corner.wheel_load, "wheel_load", "N", 0, 1e7, 0,
      "load on the contact patch at the design position; auto: not known")},
  {VD_ROW_AUTO(corner.tyre_rate, "tyre_rate", "N/m", 0, 1e9, VD_ABOVE,
      "vertical stiffness of the tyre; auto: not known")},
  VD_LINKAGE_LIST(PARTS)
  {VD_ROW_BLOCK("car", &car_schema, "parameters of the car for the figures of the axle")},
};

/* clang-format on */

const vd_schema vd_corner_schema = {.name = "suspension", VD_SCHEMA_ROWS(vd_corner_def, corner_fields), .tag = "type"};
