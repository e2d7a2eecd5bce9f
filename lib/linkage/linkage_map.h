/* A corner's pose for the driving levels: maps over travel and rack, made of the linkage's own poses, or the linkage
 * itself, closed afresh at every call. Where an axle or a beam joins both wheels, the second coordinate is the
 * travel of the other wheel in place of the rack ("joined").
 *
 * An axle that steers has a third coordinate, the rack: its own pose and its springs depend on both travels, its
 * knuckles on all three, and have a map of their own of three variables. Wheel centres then leave the heights of the
 * travels.
 *
 * Maps are bicubic splines (math/bspline.h) through poses at equal steps. What is mapped and what is derived from it
 * come from the same spline, so forces by virtual work and energies belong together whatever the map's error. Closed
 * afresh, the travel is the independent coordinate of the partition and all others follow by Newton's method from a
 * stored pose close by: no drift, nothing to stabilise. Both are pure functions of travel and rack. */
#ifndef VD_LINKAGE_MAP_H
#define VD_LINKAGE_MAP_H

#include "base/arena.h"
#include "math/bspline.h"
#include "linkage/corner.h"

/* Quantities of the left wheel; lengths in m from the design position, in the chassis' axes. */
enum vd_mapped {
  VD_MAP_X, /* wheel centre */
  VD_MAP_Y,
  VD_MAP_AXLE_X, /* unit vector along the spin axis, outward */
  VD_MAP_AXLE_Z,
  VD_MAP_SPIN, /* rad/m: turn of the knuckle about its own spin axis per travel */
  /* shortening of the spring and of the damper, over that per travel at the design position; of a corner */
  VD_MAP_SPRING,
  VD_MAP_DAMPER,     /* without either the travel itself */
  VD_MAP_OTHER_SPIN, /* rad/m: as VD_MAP_SPIN, per rack, or per travel of the other wheel; 0 without either */
  VD_MAPPED
};

enum vd_map_kind { VD_MAP_SPLINE, VD_MAP_EXACT };

typedef struct vd_corner_pose {
  double value[VD_MAPPED];
  double by_travel[VD_MAPPED]; /* derivatives */
  double by_rack[VD_MAPPED];   /* joined: by the travel of the other wheel */
  /* x and y of the wheel centre with the rack in the middle, their first and their second derivatives by travel: the
   * unsprung mass follows this path */
  double path[8]; /* the last two: 0 */
  /* joined: first derivatives of both by the other travel, second ones by both travels and by the other; two zeros */
  double other_path[8];
  /* of a steered axle: derivatives by the rack, of spring and damper 0; and how much the wheel centre rises more than
   * the travel, m, with its derivatives by travel, other travel and rack */
  double by_gear[VD_MAPPED], lift[4];
  double turn[4]; /* rad, of the knuckle about its kingpin, likewise */
} vd_corner_pose;

typedef struct vd_linkage_map {
  const vd_linkage *linkage; /* NULL: the map is one of measured tables */
  vd_axis travel, rack;      /* rack.cells 0: not steered */
  bool joined;               /* `rack` is the travel of the other wheel */
  const struct vd_linkage_map
      *right;        /* that of the right wheel, mirrored: its own, if the linkage is no mirror image */
  double most_steer; /* rad: mean angle of both wheels at the ends of the rack */
  /* spline coefficients */
  const double *surface; /* [travel.cells + 3][rack.cells + 3][VD_MAPPED]; not steered: [travel.cells + 3][VD_MAPPED] */
  const double *path;    /* [travel.cells + 3][2] */
  const double *steer;   /* [steer_axis.cells + 3]: rack for the mean angle of both wheels at the design travel, m */
  vd_axis steer_axis;    /* rad */
  /* of a steered axle, else NULL: [knuckle_travel.cells + 3] by both travels, [gear.cells + 3]. gear: by the mean angle
   * of `steer', rad, of which the knuckles' are smooth functions also close to a dead point of the rods, where they are
   * not of the rack; of an axle that nothing steers by the rack, m */
  const double *knuckle;
  vd_axis knuckle_travel, gear;
  vd_shaft_joint shaft; /* of a steered axle */
  const vd_pose *pose;  /* [pose_rack + 1 per travel]: where Newton's method starts */
  int pose_rows, pose_columns;
  double spring_ratio; /* at design: shortening of the spring per travel of both wheels; 1 without a spring */
} vd_linkage_map;

/* The maps of four wheels on links of their own, which are evaluated together: wheel by wheel, 0 without a rack. */
typedef struct vd_linkage_maps {
  const double *surface[4], *path[4];
  ptrdiff_t row[4];                                                      /* numbers from travel to travel */
  double from[VD_INPUTS][4], per_step[VD_INPUTS][4], last[VD_INPUTS][4]; /* of their axes; last: the last cell */
  int at_cell[VD_INPUTS][4];                                             /* numbers from cell to cell */
} vd_linkage_maps;

/* All four at a place: as vd_corner_pose, wheel by wheel in lanes. */
typedef struct vd_mapped_wheels {
  vd_wide value[VD_MAPPED], by_travel[VD_MAPPED], by_rack[VD_MAPPED], path[6];
} vd_mapped_wheels;

enum vd_map_status {
  VD_MAP_OK,
  VD_MAP_SHORT,       /* the wheel cannot even travel by 30 mm up and down */
  VD_MAP_STEER,       /* the rack cannot turn the wheels by most_steer */
  VD_MAP_SPRING_SIGN, /* spring or damper does not shorten in bump */
};

/* Maps of a corner, or of both wheels of an axle. most_travel: m wanted in both directions; the part that the linkage
 * reaches is mapped. most_steer: rad, mean angle of both wheels that steering needs; 0: no steering. NULL on a status
 * other than OK. */
const vd_linkage_map *vd_linkage_map_create(const vd_corner *corner, double most_travel, double most_steer,
                                            vd_arena *arena, enum vd_map_status *status);

/* The corner at a travel and a rack, or at two travels; beyond its ends a map continues its last cubics. other_path is
 * written for joined wheels alone, by_gear and lift are not. For a steered axle the rack is taken as 0. */
void vd_linkage_map_at(const vd_linkage_map *map, double travel, double rack, vd_corner_pose *out);
/* Four wheels at their travels and racks: the same numbers, to the last bit. No axle joins two of them. */
void vd_linkage_maps_make(const vd_linkage_map *const *of, vd_linkage_maps *maps);
void vd_linkage_maps_at(const vd_linkage_maps *maps, const double *travel, const double *rack, vd_mapped_wheels *out);
/* Adds to it what depends on the rack of a steered axle. */
void vd_knuckle_map_at(const vd_linkage_map *map, double travel, double other, double rack, vd_corner_pose *out);
/* Solves the linkage instead of reading the map; gear: the rack of a steered axle. False: it did not close. */
bool vd_linkage_exact_at(const vd_linkage_map *map, double travel, double rack, double gear, vd_corner_pose *out);

/* Rack for a mean steering angle of both wheels, m, and its slope, m/rad. */
double vd_linkage_rack(const vd_linkage_map *map, double steer, double *slope);

/* Whether the travel is mapped. */
static inline bool vd_linkage_map_holds(const vd_linkage_map *map, double travel) {
  return travel >= map->travel.from && travel <= map->travel.from + map->travel.cells * map->travel.step;
}

#endif
