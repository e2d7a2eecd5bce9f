/* Grounds: what the tyres stand on. */
#ifndef VD_GROUND_H
#define VD_GROUND_H

#include "schema.h"

enum vd_ground_type {
  VD_GROUND_FLAT,
  VD_GROUND_INCLINED,
  VD_GROUND_ROUGH,     /* two sines along x */
  VD_GROUND_ISO8608,   /* a random road of a class */
  VD_GROUND_HEIGHTMAP, /* heights on a grid */
  VD_GROUND_BUMP,      /* (1 - cos) */
  VD_GROUND_STEP,      /* a kerb, or a drop */
  VD_GROUND_SWEEP,     /* a sine of rising wave number */
  VD_GROUND_WASHBOARD, /* a sine */
  VD_GROUND_POTHOLES,
};

enum vd_coherence { VD_COHERENCE_NONE, VD_COHERENCE_FULL, VD_COHERENCE_MEASURED };
enum vd_map_interpolation { VD_MAP_BILINEAR, VD_MAP_BICUBIC };

/* Patches of other friction, world x and y. */
enum vd_patch_shape {
  VD_PATCH_RECTANGLE, /* x_from..x_to, y_from..y_to; a side left out is unbounded, so a band along or across the road,
                       * or a half plane for a split friction, is a rectangle too */
  VD_PATCH_POLYGON,   /* inside the corners (even-odd), any order of turning, not closed by repetition */
};

typedef struct vd_patch_def {
  int shape;                         /* enum vd_patch_shape */
  double friction;                   /* replaces what lies below */
  double x_from, x_to, y_from, y_to; /* m; auto, kept as NAN: unbounded */
  vd_points corners;                 /* m */
  double edge;                       /* m, width over which the friction blends, centred on the outline; 0: sharp */
} vd_patch_def;

/* A random road as cubics a + u (b + u (c + u d)), u from 0 to 1 between two samples. */
typedef struct vd_iso8608 {
  const double *piece; /* m, [samples + 1][8]: a left, a right, b left, ...; the last is the first again */
  double samples;      /* in one period */
  double per_length;   /* 1/m: periods */
  double per_track;    /* 1/m */
  double rate;         /* 1/m: samples */
} vd_iso8608;

/* A grid of heights with one more row and column on every side. */
typedef struct vd_map {
  const double *z; /* m, [ny + 2][nx + 2] */
  size_t nx, ny;
  double x, y;           /* m: its first corner */
  double per_x, per_y;   /* 1/m: places along x, y */
  double last_x, last_y; /* places: nx - 1, ny - 1 */
} vd_map;

typedef struct vd_ground_def {
  int type;        /* enum vd_ground_type */
  double friction; /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;    /* rad: slope along world x, rising for > 0 */
  double bank;     /* rad: slope along world y, left side up for > 0 */

  double at;                        /* m, world x: where a bump, step or sweep begins */
  double length;                    /* m: bump, sweep, pothole along x; period of a random road; auto there */
  double height;                    /* m: bump, step; < 0: down */
  double amplitude;                 /* m: rough, sweep, washboard */
  double wavelength;                /* m: rough, washboard */
  double n_from, n_to;              /* 1/m, cycles: random road, auto; sweep */
  bool logarithmic, constant_slope; /* sweep */
  double x_from, x_to;              /* m: washboard */
  vd_points places;                 /* m: middles of the potholes */
  double width, depth;              /* m: pothole across, down */
  double edge;                      /* m along x, over which a step rises or a wave or pothole sets in; auto */
  double y_from, y_to; /* m: how far bump, step and waves reach to the sides; auto, kept as NAN: unbounded */
  double side_edge;    /* m, over which they end there, centred on the side */

  int road_class;      /* 0 to 7: A to H */
  double roughness;    /* m3: spectral density at 0.1 cycles/m; auto: of the class */
  double waviness;     /* by how many powers the density falls over the wave number */
  int seed, coherence; /* enum vd_coherence */
  double track;        /* m between the left and the right profile */

  const char *file;                       /* height map: CSV, read into the next three */
  vd_numbers x_values, y_values, heights; /* m; heights along x first */
  int interpolation;                      /* enum vd_map_interpolation */

  vd_structs patches; /* vd_patch_def; later ones lie on top */

  /* made by vd_ground_complete, no keys */
  vd_iso8608 iso8608;
  vd_map map;
} vd_ground_def;

/* Names of the types, NULL-terminated. */
extern const char *const vd_ground_type_names[];

extern const vd_schema vd_ground_schema;

/* A plane z = tan(grade) x + tan(bank) y with its own axes: along[] is world x laid onto it, across[]
 * completes the right-handed set with the normal[]. All unit vectors in world axes. The relief of a type with heights lies
 * over the plane, measured vertically; axes and pulls remain those of the plane. */
typedef struct vd_ground {
  double along[3], across[3], normal[3];
  double pull_along, pull_across; /* m/s2: gravity along the two axes */
  double weight;                  /* m/s2: gravity against the normal */
  double slope_x, slope_y;        /* of the plane: dz/dx, dz/dy */
  double friction;                /* away from all patches */
  const vd_patch_def *patch;      /* of the definition, which must outlive the ground */
  size_t patches;
  const vd_ground_def *relief; /* the definition if it has heights, else NULL */
} vd_ground;

/* Reads files, computes what is auto, makes the random road: once, before the check and before anything is built. */
void vd_ground_complete(vd_ground_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

void vd_ground_build(const vd_ground_def *def, vd_ground *ground);

/* The surface z(x, y) at one place. */
typedef struct vd_road {
  double z;                /* m, world */
  double slope_x, slope_y; /* dz/dx, dz/dy, exact derivatives of the very z that is given */
} vd_road;

/* The part of vd_ground_road that looks at heights: adds them. */
void vd_ground_add_relief(const vd_ground_def *def, double x, double y, vd_road *road);

/* World coordinates; for the levels that stand on four wheels of their own, L3 and above. */
static inline void vd_ground_road(const vd_ground *ground, double x, double y, vd_road *road) {
  *road = (vd_road){ground->slope_x * x + ground->slope_y * y, ground->slope_x, ground->slope_y};
  if (ground->relief)
    vd_ground_add_relief(ground->relief, x, y, road);
}

/* No heights over the plane of grade and bank: all that L0 to L2 know. */
static inline bool vd_ground_plane(const vd_ground *ground) {
  return !ground->relief;
}

/* Checks across fields: sides and ranges in order, edges that fit, slopes up to 60 deg, polygons of three corners or more. `root`
 * gives the places, `path` is the ground's key. */
void vd_ground_check(const vd_ground_def *def, const vd_node *root, const char *path, vd_diag *d);

/* The part of vd_ground_friction that looks at the patches. */
double vd_ground_patched_friction(const vd_ground *ground, double x, double y);

/* Friction at a point of the road, world coordinates. Patches lie one over the other in their order; the share of a patch is a
 * smooth step (3 u^2 - 2 u^3) of the signed distance to its outline over the width of its edge. */
static inline double vd_ground_friction(const vd_ground *ground, double x, double y) {
  return ground->patches == 0 ? ground->friction : vd_ground_patched_friction(ground, x, y);
}

/* The lowest and the highest friction anywhere: bounds, which a patch that others cover does not reach. */
void vd_ground_friction_range(const vd_ground *ground, double *lowest, double *highest);

#endif
