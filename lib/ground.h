/* Grounds: what the tyres stand on. */
#ifndef VD_GROUND_H
#define VD_GROUND_H

#include "schema.h"

enum vd_ground_type { VD_GROUND_FLAT, VD_GROUND_INCLINED };

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

typedef struct vd_ground_def {
  int type;           /* enum vd_ground_type */
  double friction;    /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;       /* rad: slope along world x, rising for > 0 */
  double bank;        /* rad: slope along world y, left side up for > 0 */
  vd_structs patches; /* vd_patch_def; later ones lie on top */
} vd_ground_def;

extern const vd_schema vd_ground_schema;

/* A plane z = tan(grade) x + tan(bank) y with its own axes: along[] is world x laid onto it, across[]
 * completes the right-handed set with the normal[]. All unit vectors in world axes. */
typedef struct vd_ground {
  double along[3], across[3], normal[3];
  double pull_along, pull_across; /* m/s2: gravity along the two axes */
  double weight;                  /* m/s2: gravity against the normal */
  double friction;                /* away from all patches */
  const vd_patch_def *patch;      /* of the definition, which must outlive the ground */
  size_t patches;
} vd_ground;

void vd_ground_build(const vd_ground_def *def, vd_ground *ground);

/* The surface z(x, y) at one place. */
typedef struct vd_road {
  double z;                /* m, world */
  double slope_x, slope_y; /* dz/dx, dz/dy, exact derivatives of the very z that is given */
} vd_road;

/* World coordinates; for the levels that stand on four wheels of their own, L3 and above. */
void vd_ground_road(const vd_ground *ground, double x, double y, vd_road *road);

/* No heights over the plane of grade and bank: all that L0 to L2 know. */
bool vd_ground_plane(const vd_ground *ground);

/* Checks across fields: sides in order, polygons of three corners or more. `root` gives the places, `path` is the ground's key. */
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
