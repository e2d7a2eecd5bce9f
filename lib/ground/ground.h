/* Grounds: what the tyres stand on. */
#ifndef VD_GROUND_H
#define VD_GROUND_H

#include "ground/foot.h"
#include "ground/mesh.h"
#include "input/schema.h"

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
  VD_GROUND_BANKED, /* a turn, the outside raised */
  VD_GROUND_OVAL,   /* two straights and two banked half circles */
  VD_GROUND_RAMP,   /* to take off from */
  VD_GROUND_CLIFF,
  VD_GROUND_LOOP, /* a vertical one */
  VD_GROUND_NONE, /* an abyss */
  VD_GROUND_MESH, /* triangles */
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

/* A strip: a curve in a vertical plane, drawn out along a horizontal line at right angles to it. Points are
 * origin + q0 ahead + q1 up + v side, with the arc length s of the curve; the strip's middle runs straight on it once it is
 * rolled out. Who follows the curve has the side that is driven on to his left: the normal is (-sin, cos) of its angle. */
enum vd_strip_shape { VD_STRIP_LINE, VD_STRIP_ARC, VD_STRIP_CLOTHOID_IN, VD_STRIP_CLOTHOID_OUT, VD_STRIP_COSINE };

typedef struct vd_strip_piece {
  int shape;             /* enum vd_strip_shape */
  double start[2];       /* m: where u = 0; of an arc the centre; of a clothoid where it is straight */
  double cosine, sine;   /* of a line's angle */
  double low, high;      /* m: range of u, the length along it, of a half-cosine along q0; a line may be unbounded */
  double from;           /* m: s where u = 0 */
  double radius;         /* m: of an arc; of a clothoid at its sharp end */
  double turned;         /* rad: angle of an arc where u = 0 */
  double height;         /* m: of a half-cosine */
  double box[2], end[2]; /* m: lowest and highest q0 and q1; clothoid, half-cosine */
  double right, left;    /* m: lowest and highest v */
} vd_strip_piece;

/* Where a strip ends, or has a convex corner. */
typedef struct vd_strip_edge {
  double at[2];     /* m: q0, q1 */
  double before[2]; /* direction of the piece that ends there; 0, 0: none */
  double after[2];  /* of the piece that begins there; 0, 0: none */
  double s;         /* m */
} vd_strip_edge;

typedef struct vd_strip {
  double origin[3], ahead[2], side[2]; /* m; unit vectors, world x and y */
  double skew, cosine;              /* tangent and cosine of the angle from the curve's plane to the strip's middle */
  double right, left;               /* m, from s = 0 to the sides, across; infinite: unbounded */
  double middle[2], radius, length; /* m: centre of a loop, radius, and length of the curve */
  size_t pieces, edges;
  vd_strip_piece piece[3];
  vd_strip_edge edge[3];
} vd_strip;

typedef struct vd_ground vd_ground;

typedef struct vd_ground_def {
  int type;        /* enum vd_ground_type */
  double friction; /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;    /* rad: slope along world x, rising for > 0 */
  double bank;     /* rad: slope along world y, left side up for > 0; of turn and oval outside up */

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

  double x, y, z; /* m: middle of a turn; lane of a loop, of an oval's first straight; height of ramp, cliff and loop */
  double tilt;    /* rad: bank of turn and oval, outside up; key `bank` */
  double radius;  /* m: turn, oval, loop */
  double inner, outer; /* m: radii at which the bank of a turn ends; auto, kept as NAN: unbounded */
  double transition;   /* m: over which the bank of an oval sets in */
  double lip;          /* m: level part behind a ramp */
  double drop;         /* m: cliff */
  double entry;        /* m: clothoids at both ends of a loop */
  double offset;       /* m: from the lane into a loop to the one out of it, to the left > 0 */
  int normals;         /* enum vd_mesh_normals */

  vd_structs patches; /* vd_patch_def; later ones lie on top */
  vd_structs also;    /* vd_ground_def, themselves without; one that lies nearer to a wheel bears it */

  /* made by vd_ground_complete, no keys */
  vd_iso8608 iso8608;
  vd_map map;
  vd_strip strip;
  const vd_mesh *mesh;
  const vd_ground *others; /* built of `also` */
} vd_ground_def;

/* Names of the types, NULL-terminated. */
extern const char *const vd_ground_type_names[];

extern const vd_schema vd_ground_schema;

/* A plane z = tan(grade) x + tan(bank) y with its own axes: along[] is world x laid onto it, across[]
 * completes the right-handed set with the normal[]. All unit vectors in world axes. The relief of a type with heights lies
 * over the plane, measured vertically; axes and pulls remain those of the plane. */
struct vd_ground {
  double along[3], across[3], normal[3];
  double pull_along, pull_across; /* m/s2: gravity along the two axes */
  double weight;                  /* m/s2: gravity against the normal */
  double slope_x, slope_y;        /* of the plane: dz/dx, dz/dy */
  double friction;                /* away from all patches */
  const vd_patch_def *patch;      /* of the definition, which must outlive the ground */
  size_t patches;
  const vd_ground_def *relief; /* the definition if it has heights, else NULL */
  bool sharp;                  /* its heights may be hollower than a wheel is round */
  const vd_ground_def
      *solid; /* the definition if it is no height over the plane: strip, mesh or nothing at all; else NULL */
  const vd_ground *other; /* further grounds */
  size_t others;
};

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
  return !ground->relief && !ground->solid && ground->others == 0;
}

/* One ground with a height at every place, which vd_ground_road gives. */
static inline bool vd_ground_heights(const vd_ground *ground) {
  return !ground->solid && ground->others == 0;
}

/* The lowest level that can drive on it, as the number in its name: 0 for a plane, 3 for heights, edges and gaps, 5 for a loop. */
int vd_ground_needs_level(const vd_ground_def *def);

/* The highest surface at a place, over all grounds but loops: to stand a vehicle on. False: there is none, and *road is the plane
 * z = 0. On heights alone it is vd_ground_road. */
bool vd_ground_top(const vd_ground *ground, double x, double y, vd_road *road);

/* The foot on one ground with heights, from far and near alike; not a number for a centre that is nowhere, or a disc that lies flat
 * on it. */
void vd_ground_height_foot(const vd_ground *ground, const vd_disc *disc, vd_foot *foot);

/* Where a disc of any attitude stands: the nearest foot on all grounds, which is the one of least reach; of equally near ones the
 * ground that is named last. False: nothing within the disc's radius of its centre. Then, and for a disc that lies flat on all that
 * is near, *foot and *friction stay as they are. Strips bear from their front, to a radius behind it where the body is in front, to half
 * of one where that is not known; meshes from both sides;
 * heights to any depth. *friction is that of the ground that bears, at the foot. *hint is for meshes, one int for each wheel, -1 at
 * first: it saves time, and mesh.h says what it may overlook. */
bool vd_ground_foot(const vd_ground *ground, const vd_disc *disc, int *hint, vd_foot *foot, double *friction);

/* How far a point is over the nearest surface, along the normal there; < 0: behind it. up: unit, of a body that the point belongs
 * to; meshes are looked at in two planes through it alone. False: nothing within `range` (behind strips: half of it). */
bool vd_ground_clearance(const vd_ground *ground, const double *point, const double *up, double range,
                         double *clearance, double *normal);

/* What metrics ask about a loop. Its cross-section lies in a vertical plane, turned about the vertical so that who enters along
 * world x and steers straight on, a geodesic of the cylinder, stays in the strip's middle and leaves it along world x. With the
 * length of the cross-section's curve L = 2 pi R + entry and the way D by which its end lies ahead of its beginning (0 for a circle),
 * the plane is turned by -psi, sin(psi) = offset/(L - D), and the way out begins
 * D cos(psi) + L sin(psi) tan(psi) ahead of the way in, and `offset` to the side. */
typedef struct vd_loop {
  double centre[3];         /* m, world: of the circle, beside the apex of the strip's middle */
  double axis[3];           /* unit, horizontal */
  double radius;            /* m */
  double apex[3];           /* m, world: of the strip's middle */
  double enter[3], exit[3]; /* m, world: ends of the strip's middle */
  double skew;              /* rad: psi */
  double length;            /* m, of the strip's middle */
} vd_loop;

void vd_ground_loop(const vd_ground_def *def, vd_loop *loop);

/* Polar angle of a place about the axis of a loop, in its cross-section: 0 at the bottom, growing as one drives in, pi at the apex; -pi
 * (excluded) to pi. */
double vd_ground_loop_angle(const vd_ground_def *def, const double *place);

/* The loop among a ground and what stands in its `also`, or NULL; the first of several. */
const vd_ground_def *vd_ground_find_loop(const vd_ground_def *def);

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

/* The lowest and the highest friction anywhere, on all grounds: bounds, which a patch that others cover does not reach. */
void vd_ground_friction_range(const vd_ground *ground, double *lowest, double *highest);

#endif
