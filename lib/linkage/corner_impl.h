/* Shared by the types of suspension and what reads, checks and writes their files. */
#ifndef VD_CORNER_IMPL_H
#define VD_CORNER_IMPL_H

#include "linkage/corner_def.h"

#include <math.h>
#include <string.h>

/* What a file does not give is NAN. */
static inline bool vd_point_given(const double *point) {
  return !isnan(point[0]);
}

static inline void vd_forget(double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    values[i] = NAN;
}

/* To the other side of the car; 0 stays 0 and does not become -0. */
static inline void vd_mirror_point(double *point) {
  point[1] = 0.0 - point[1];
}

/* A point that is not given becomes the mirror image of that of the other side. */
static inline void vd_fill_image(const double *from, double *to) {
  if (vd_point_given(to) || !vd_point_given(from))
    return;
  memcpy(to, from, 3 * sizeof *to);
  vd_mirror_point(to);
}

/* Points of a member as its keys name them: its chassis points and that at the knuckle. */
typedef struct vd_member_def {
  double point[VD_MEMBER_POINTS][3];
  double axis[3], cross[3]; /* of the universal joint at the inner end of a rod */
} vd_member_def;

enum vd_steers { VD_STEERS_AUTO, VD_STEERS_NONE, VD_STEERS_RACK, VD_STEERS_RELAY };

typedef struct vd_steers_def {
  int type;                           /* enum vd_steers */
  double pivot[3], joint[3], axis[3]; /* as in vd_gear */
  double other_pivot[3], other_joint[3];
  int pitman; /* enum vd_side */
} vd_steers_def;

enum vd_axle_steers { VD_AXLE_STEERS_NONE, VD_AXLE_STEERS_RACK, VD_AXLE_STEERS_PITMAN };
enum vd_tie_rod_joins { VD_TIE_ROD_JOINS_KNUCKLE, VD_TIE_ROD_JOINS_DRAG_LINK };

typedef struct vd_kingpin_def {
  double left[2][3], right[2][3]; /* lower and upper point */
} vd_kingpin_def;

typedef struct vd_drag_link_def {
  double at[2][3], stiffness;
} vd_drag_link_def;

typedef struct vd_tie_rod_def {
  double at[2][3], stiffness;
  int joins; /* enum vd_tie_rod_joins */
} vd_tie_rod_def;

/* Steering of a rigid axle, as in vd_gear and vd_axle_steer. */
typedef struct vd_axle_steers_def {
  int type; /* enum vd_axle_steers */
  double pivot[3], axis[3];
  vd_kingpin_def kingpin;
  vd_drag_link_def drag_link;
  vd_tie_rod_def tie_rod;
} vd_axle_steers_def;

enum vd_final_drive { VD_FINAL_DRIVE_AXLE, VD_FINAL_DRIVE_BODY };

typedef struct vd_wheel_def {
  double center[3], spin_axis[3];
  double toe, camber; /* instead of spin_axis */
  double static_radius;
} vd_wheel_def;

typedef struct vd_rocker_def {
  double pivot[3], axis[3], rod_part[3], rod_rocker[3];
} vd_rocker_def;

typedef struct vd_element_def {
  double chassis[3], eye[3];
  const char *part; /* "knuckle" or a member's name; empty: not said */
  const char *on;   /* the same by its older key; empty once it is read */
  double rate;
  double load; /* of a spring */
  vd_rocker_def rocker;
} vd_element_def;

/* Offsets from the wheel centre. */
typedef struct vd_knuckle_def {
  int ref; /* the wheel centre, so far */
  double point[VD_MEMBERS][3];
  double arm[3];
} vd_knuckle_def;

typedef struct vd_bushing_def {
  double translation[3], rotation[3];
  double x_axis[3], z_axis[3];
  double preload_force[3], preload_moment[3];
  double cubic_translation[3], cubic_rotation[3];
  vd_points table[6];
} vd_bushing_def;

enum vd_set { VD_SET_NONE, VD_SET_DEFAULT }; /* figures for what a block does not give */

typedef struct vd_bushings_def {
  int set;             /* enum vd_set */
  vd_bushing_def each; /* of those that are not given */
  vd_bushing_def at[VD_MEMBERS][2];
} vd_bushings_def;

typedef struct vd_mass_def {
  int set; /* enum vd_set */
  double knuckle, knuckle_inertia[3];
  double each; /* of the links that are not given */
  double member[VD_MEMBERS];
} vd_mass_def;

enum vd_beam_ends { VD_ENDS_WELDED, VD_ENDS_FREE };

typedef struct vd_section_def {
  vd_points points; /* x and z of the middle line */
  double thickness, young, poisson;
  int ends; /* enum vd_beam_ends */
} vd_section_def;

/* As in vd_beam, of a section or by its stiffnesses. */
typedef struct vd_beam_def {
  double length;
  vd_section_def section;
  double torsion, warping, bending_1, bending_3, tilt, axial, shear_1, shear_3, centroid_x, centroid_z;
} vd_beam_def;

enum vd_corner_axle { VD_CORNER_AXLE_AUTO, VD_CORNER_FRONT, VD_CORNER_REAR };

typedef struct vd_car_def {
  int axle; /* enum vd_corner_axle */
  double wheelbase, cg_height, brake_share, drive_share, antiroll_stiffness, c_factor, gear_ratio;
  bool inboard_brakes;
} vd_car_def;

enum vd_side { VD_LEFT, VD_RIGHT };

enum vd_trailing { VD_TRAILING_RODS, VD_TRAILING_BLADE };

/* A suspension file. */
typedef struct vd_corner_def {
  int type; /* enum vd_linkage_type */
  const char *name, *source;
  vd_names estimates; /* keys of the suspension */
  int side;           /* enum vd_side */
  vd_wheel_def wheel;
  vd_member_def member[VD_MEMBERS];
  int trailing; /* enum vd_trailing */
  vd_steers_def steering;
  vd_axle_steers_def axle_steering;
  int final_drive;            /* enum vd_final_drive */
  double spring_damper[2][3]; /* chassis, lower arm: one unit of spring and damper */
  vd_knuckle_def knuckle;
  vd_element_def spring, damper;
  double wheel_load, tyre_rate;
  vd_bushings_def bushings;
  double ball_joints[VD_MEMBERS];
  vd_beam_def beam;
  vd_mass_def mass;
  vd_car_def car;
} vd_corner_def;

/* The cross beam of a file and back. */
void vd_corner_complete_beam(const vd_beam_def *def, const vd_node *root, vd_diag *d, vd_beam *beam);
void vd_corner_describe_beam(const vd_beam *beam, vd_beam_def *def);

/* What a member of a type is and how its keys are called. */
typedef struct vd_corner_member {
  enum vd_member_kind kind;
  const char *name;
  const char *point[VD_MEMBER_POINTS]; /* keys from the top; NULL: no such point */
  const char *bushing[2];              /* keys in `bushings`; NULL: none */
  const char *image; /* the member of the other side whose mirror image it is if not given; NULL: none */
  bool steerable;    /* the steering gear may shift its inner end, */
  bool steered;      /* and does if the file does not say */
  int base;          /* as in vd_member */
} vd_corner_member;

/* A type of suspension: its traits for the solvers, its members, the keys of its file. */
typedef struct vd_corner_kind {
  vd_linkage_traits traits;
  int members;
  vd_corner_member member[VD_MEMBERS];
  bool unit;         /* `spring_damper`: one unit of both on the lower arm */
  bool each_bushing; /* a key of `bushings` stands for all that are not given, */
  bool each_mass;    /* and one of `mass` */
  /* figures for `set: default`: translation, rotation; knuckle, members; NULL: none */
  const double *default_bushing[VD_MEMBERS][2];
  const double *default_mass;
} vd_corner_kind;

/* Convert the steering of a file to that of the hardpoints, and back; for a mirrored corner it is mirrored already. */
void vd_corner_complete_steering(const vd_corner_def *def, const vd_node *root, vd_diag *d, vd_hardpoints *p);
void vd_corner_describe_steering(const vd_hardpoints *p, vd_corner_def *def);
/* Replace the steering by its mirror image. */
void vd_mirror_relay(vd_gear *gear); /* arms that are mirror images stay as they are */
void vd_mirror_axle_steer(vd_hardpoints *p);

extern const vd_corner_kind vd_macpherson, vd_double_wishbone, vd_trailing_arm, vd_five_link, vd_multi_link,
    vd_twist_beam, vd_four_link_axle, vd_panhard_axle, vd_integral_link;

const vd_corner_kind *vd_corner_kind_of(enum vd_linkage_type type);

/* The rows of each type: hardpoints, which precede the spring's rows, and elasticity and masses, which follow them. */
extern const struct vd_schema vd_macpherson_points, vd_macpherson_parts, vd_double_wishbone_points,
    vd_double_wishbone_parts, vd_trailing_arm_points, vd_trailing_arm_parts, vd_five_link_points, vd_five_link_parts,
    vd_multi_link_points, vd_multi_link_parts, vd_twist_beam_points, vd_twist_beam_parts, vd_four_link_axle_points,
    vd_four_link_axle_parts, vd_panhard_axle_points, vd_panhard_axle_parts, vd_integral_link_points,
    vd_integral_link_parts;

#endif
