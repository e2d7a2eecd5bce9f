/* Declarations that the types of suspension share with the files that read, check and write suspension files. */
#ifndef VD_CORNER_IMPL_H
#define VD_CORNER_IMPL_H

#include "linkage/corner_def.h"

#include <math.h>
#include <string.h>

/* Returns whether a point is given: points that a file does not give are NAN. */
static inline bool vd_point_given(const double *point) {
  return !isnan(point[0]);
}

static inline void vd_forget(double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    values[i] = NAN;
}

/* Mirrors a point to the other side of the car; 0 stays 0 and does not become -0. */
static inline void vd_mirror_point(double *point) {
  point[1] = 0.0 - point[1];
}

/* Sets a point that is not given to the mirror image of the other side's point. */
static inline void vd_fill_image(const double *from, double *to) {
  if (vd_point_given(to) || !vd_point_given(from))
    return;
  memcpy(to, from, 3 * sizeof *to);
  vd_mirror_point(to);
}

enum vd_steers { VD_STEERS_AUTO, VD_STEERS_NONE, VD_STEERS_RACK, VD_STEERS_RELAY };
enum vd_axle_steers { VD_AXLE_STEERS_NONE, VD_AXLE_STEERS_RACK, VD_AXLE_STEERS_PITMAN };
enum vd_tie_rod_joins { VD_TIE_ROD_JOINS_KNUCKLE, VD_TIE_ROD_JOINS_DRAG_LINK };
enum vd_final_drive { VD_FINAL_DRIVE_AXLE, VD_FINAL_DRIVE_BODY };
enum vd_set { VD_SET_NONE, VD_SET_DEFAULT }; /* which values replace keys that a block does not give */
enum vd_beam_ends { VD_ENDS_WELDED, VD_ENDS_FREE };
enum vd_corner_axle { VD_CORNER_AXLE_AUTO, VD_CORNER_FRONT, VD_CORNER_REAR };
enum vd_side { VD_LEFT, VD_RIGHT };
enum vd_trailing { VD_TRAILING_RODS, VD_TRAILING_BLADE };

/* The part on which an element's outer end is mounted. */
typedef struct vd_element_def {
  const char *part; /* "knuckle" or a member's name; empty: not given */
  const char *on;   /* value of the older key of `part'; empty once it is read */
} vd_element_def;

typedef struct vd_bushing_def {
  vd_bushing linear;
  vd_bushing_law law;
} vd_bushing_def;

typedef struct vd_section_def {
  vd_points points; /* x and z of the middle line */
  double thickness, young, poisson;
  int ends; /* enum vd_beam_ends */
} vd_section_def;

/* A suspension file. Most keys set members of `corner`; values that a file does not give are NAN until
 * vd_corner_complete replaces them. The members below are keys whose form differs from that of the corner. */
typedef struct vd_corner_def {
  int type; /* enum vd_linkage_type */
  int side; /* enum vd_side */
  vd_corner corner;
  double toe, camber;           /* rad, given instead of the spin axis */
  int trailing;                 /* enum vd_trailing */
  int steers;                   /* enum vd_steers, of a rigid axle enum vd_axle_steers */
  int tie_rod_joins;            /* enum vd_tie_rod_joins */
  int final_drive;              /* enum vd_final_drive */
  int axle;                     /* enum vd_corner_axle */
  double spring_damper[2][3];   /* chassis, lower arm: one unit of spring and damper */
  int offsets_from;             /* an enum; the only value is the wheel centre */
  double offset[VD_MEMBERS][3]; /* m, of the joints at the knuckle */
  vd_element_def spring, damper;
  int bushing_set, mass_set;   /* enum vd_set */
  vd_bushing_def each_bushing; /* for bushings that are not given */
  vd_bushing_def bushing[VD_MEMBERS][2];
  double each_mass; /* kg, for links that are not given */
  vd_section_def section;
} vd_corner_def;

/* Converts the cross beam of a file to that of the corner, and back. */
void vd_corner_complete_beam(vd_corner_def *def, const vd_node *root, vd_diag *d);
void vd_corner_describe_beam(vd_corner_def *def);

/* A member of a type, and the names of its keys. */
typedef struct vd_corner_member {
  enum vd_member_kind kind;
  const char *name;
  const char *point[VD_MEMBER_POINTS]; /* keys with their blocks; NULL: no such point */
  const char *bushing[2];              /* keys in `bushings`; NULL: none */
  int image;      /* 1 + number of the member whose mirror image replaces points that are not given; 0: none */
  bool steerable; /* the steering gear may shift its inner end */
  bool steered;   /* the gear shifts it by default */
  int base;       /* as in vd_member */
} vd_corner_member;

/* A type of suspension: its traits for the solvers, its members, and its keys. */
typedef struct vd_corner_kind {
  vd_linkage_traits traits;
  int members;
  vd_corner_member member[VD_MEMBERS];
  bool unit;         /* the type has the key `spring_damper`: one unit of both on the lower arm */
  bool each_bushing; /* one key of `bushings` stands for all bushings that are not given */
  bool each_mass;    /* one key of `mass` stands for all masses that are not given */
  /* figures for `set: default`: translation, rotation; knuckle, members; NULL: none */
  const double *default_bushing[VD_MEMBERS][2];
  const double *default_mass;
} vd_corner_kind;

/* Converts the steering of a file to that of the hardpoints, and back. A mirrored corner has a mirrored steering
 * already. */
void vd_corner_complete_steering(vd_corner_def *def, const vd_node *root, vd_diag *d);
void vd_corner_describe_steering(vd_corner_def *def);
/* Replaces the steering by its mirror image. */
void vd_mirror_relay(vd_gear *gear); /* unchanged if its arms are mirror images of each other */
void vd_mirror_axle_steer(vd_hardpoints *p);

/* Each type has a vd_corner_kind and two groups of rows: hardpoints, which precede the spring, and elasticity and
 * masses, which follow it. */
#define VD_LINKAGE_IN_FILE(value, name)                                                                                \
  extern const vd_corner_kind vd_##name;                                                                               \
  extern const struct vd_schema vd_##name##_points, vd_##name##_parts;
VD_LINKAGE_LIST(VD_LINKAGE_IN_FILE)

const vd_corner_kind *vd_corner_kind_of(enum vd_linkage_type type);

#endif
