/* A corner's pose for the driving levels: maps over travel and rack, made from poses of the linkage, or the linkage
 * itself, solved anew at every call. Where an axle or a beam joins both wheels, the second coordinate is the travel of
 * the other wheel in place of the rack ("joined").
 *
 * An axle that steers has a third coordinate, the rack: the axle's own pose and its springs depend on both travels, its
 * knuckles on all three, with a map of three variables of their own. The heights of the wheel centres then differ from
 * the travels.
 *
 * Maps are bicubic splines (math/bspline.h) through poses at equal steps. Mapped quantities and their derivatives come
 * from the same spline, so forces by virtual work agree with energies whatever the map's error. If the linkage is
 * solved anew, the travel is the independent coordinate and all others follow by Newton's method from a stored pose
 * close by: the constraints do not drift, and no stabilisation is needed. Both are pure functions of travel and
 * rack. */
#ifndef VD_LINKAGE_MAP_H
#define VD_LINKAGE_MAP_H

#include "base/arena.h"
#include "math/bspline.h"
#include "linkage/corner.h"

/* Quantities of the left wheel; lengths in m from the design position, in the axes of the chassis. */
enum vd_mapped {
  VD_MAP_X, /* wheel centre */
  VD_MAP_Y,
  VD_MAP_AXLE_X, /* unit vector along the spin axis, outward */
  VD_MAP_AXLE_Z,
  VD_MAP_SPIN, /* rad/m: rotation of the knuckle about its spin axis per travel */
  /* spring and damper: compression from the design position, divided by the compression per travel there; */
  VD_MAP_SPRING,
  VD_MAP_DAMPER,     /* without a spring or damper the travel itself */
  VD_MAP_OTHER_SPIN, /* rad/m: like VD_MAP_SPIN, but per rack, or per travel of the other wheel; 0 without either */
  VD_MAPPED
};

enum vd_map_kind { VD_MAP_SPLINE, VD_MAP_EXACT };

typedef struct vd_corner_pose {
  double value[VD_MAPPED];
  double by_travel[VD_MAPPED]; /* derivatives by travel */
  double by_rack[VD_MAPPED];   /* derivatives by the rack; joined: by the travel of the other wheel */
  /* x and y of the wheel centre with the rack in the middle, their first and their second derivatives by travel, and
   * two zeros: the unsprung mass follows this path */
  double path[8];
  /* joined: first derivatives of x and y by the other travel, second derivatives by both travels, second derivatives by
   * the other travel, and two zeros */
  double other_path[8];
  /* for a steered axle: derivatives by the rack, 0 for spring and damper; and the rise of the wheel centre above the
   * travel, m, with its derivatives by travel, other travel and rack */
  double by_gear[VD_MAPPED], lift[4];
  double turn[4]; /* rad, angle of the knuckle about its kingpin, with the same derivatives */
} vd_corner_pose;

typedef struct vd_linkage_map {
  const vd_linkage *linkage; /* NULL: the map was made of measured tables */
  vd_axis travel, rack;      /* rack.cells 0: not steered */
  bool joined;               /* `rack` is the travel of the other wheel */
  /* map of the right wheel as a left one; another map only if the linkage is asymmetric */
  const struct vd_linkage_map *right;
  double most_steer; /* rad: mean steering angle of both wheels at the ends of the rack */
  /* spline coefficients */
  const double *surface; /* [travel.cells + 3][rack.cells + 3][VD_MAPPED]; not steered: [travel.cells + 3][VD_MAPPED] */
  const double *path;    /* [travel.cells + 3][2] */
  const double *steer;   /* [steer_axis.cells + 3]: rack, m, for the mean steering angle of both wheels at travel 0 */
  vd_axis steer_axis;    /* rad */
  /* for a steered axle, else NULL: [knuckle_travel.cells + 3] by both travels, [gear.cells + 3]. The coordinate of
   * `gear' is the mean angle of `steer', rad: the knuckles' angles are smooth functions of this angle even close to a
   * dead point of the rods, where they are not smooth functions of the rack. If no steering gear moves the axle's rack,
   * the coordinate is the rack, m. */
  const double *knuckle;
  vd_axis knuckle_travel, gear;
  vd_shaft_joint shaft; /* for a steered axle */
  const vd_pose *pose;  /* [pose_rows][pose_columns] poses from which Newton's method starts */
  int pose_rows, pose_columns;
  /* compression of the spring per travel of both wheels in the design position; 1 without a spring */
  double spring_ratio;
} vd_linkage_map;

/* The maps of four wheels on links of their own, which are evaluated together; one number per wheel. */
typedef struct vd_linkage_maps {
  const double *surface[4], *path[4];
  /* offset in `surface' from one cell of the travel to the next; 0 without a rack */
  ptrdiff_t row[4];
  /* first place, cells per m and last cell of their axes */
  double from[VD_INPUTS][4], per_step[VD_INPUTS][4], last[VD_INPUTS][4];
  /* offset in `surface' from one cell to the next */
  int at_cell[VD_INPUTS][4];
} vd_linkage_maps;

/* Quantities of vd_corner_pose of all four wheels, one wheel per lane. */
typedef struct vd_mapped_wheels {
  vd_wide value[VD_MAPPED], by_travel[VD_MAPPED], by_rack[VD_MAPPED], path[6];
} vd_mapped_wheels;

enum vd_map_status {
  VD_MAP_OK,
  VD_MAP_SHORT,       /* the wheel cannot even travel by 30 mm up and down */
  VD_MAP_STEER,       /* the rack cannot turn the wheels by most_steer, or a steered axle's knuckles cannot be mapped */
  VD_MAP_SPRING_SIGN, /* spring or damper do not get shorter in bump */
};

/* Makes the maps of a corner, or of both wheels of an axle. most_travel: m, wanted in both directions; the map covers
 * the part that the linkage reaches. most_steer: rad, the mean steering angle of both wheels that is needed; 0: no
 * steering. NULL if the status is not VD_MAP_OK. */
const vd_linkage_map *vd_linkage_map_create(const vd_corner *corner, double most_travel, double most_steer,
                                            vd_arena *arena, enum vd_map_status *status);

/* Computes the pose of the corner at a travel and a rack, or at two travels. Beyond its ends a map continues its last
 * cubics. other_path is written for joined wheels only; by_gear, lift and turn are not written. For a steered axle the
 * rack is taken as 0. */
void vd_linkage_map_at(const vd_linkage_map *map, double travel, double rack, vd_corner_pose *out);
/* Prepares the maps of four wheels, of which no axle may join two. The function below evaluates them at the wheels'
 * travels and racks, with the numbers of vd_linkage_map_at to the last bit. */
void vd_linkage_maps_make(const vd_linkage_map *const *of, vd_linkage_maps *maps);
void vd_linkage_maps_at(const vd_linkage_maps *maps, const double *travel, const double *rack, vd_mapped_wheels *out);
/* Replaces the quantities of the wheel by those at the rack of a steered axle, and adds by_gear, lift and turn. */
void vd_knuckle_map_at(const vd_linkage_map *map, double travel, double other, double rack, vd_corner_pose *out);
/* Solves the linkage instead of reading the map; gear: the rack of a steered axle. False: it did not close. */
bool vd_linkage_exact_at(const vd_linkage_map *map, double travel, double rack, double gear, vd_corner_pose *out);

/* Returns the rack for a mean steering angle of both wheels, m, and its slope, m/rad. */
double vd_linkage_rack(const vd_linkage_map *map, double steer, double *slope);

/* Returns whether the map covers a travel. */
static inline bool vd_linkage_map_holds(const vd_linkage_map *map, double travel) {
  return travel >= map->travel.from && travel <= map->travel.from + map->travel.cells * map->travel.step;
}

#endif
