/* A knuckle on its bushings for a run: one energy function of travel, rack and loads, from which all displacements and
 * forces follow.
 *
 * The elastic displacement of a knuckle consists of a shift of the wheel centre, (s1, s2, 0), and a rotation with
 * Gibbs' vector g = 2 tan(angle/2) n. Together they convert the rigid linkage's pose to the pose on bushings. Axes: 1
 * along the rigid wheel's heading, 2 horizontal to its left (outward for the left wheel), 3 up. The travel is that of
 * the wheel centre on its bushings, so the shift has no vertical part. A force F acts at the wheel centre and a moment
 * M about it. With q = 1 + g.g/4 the knuckle turns at (g' + g x g'/2)/q, so M does the work P . g' with
 *
 *   P = (M - g x M/2)/q
 *
 * The five loads x = ((F1 + P2/R)/f, F2/e, (P1 - R F2)/a, P2/d, P3/b) are divided by their units. The gradient W_x of
 * the complementary energy W(x; travel z, rack r) gives the displacement: dW = s1 dF1 + s2 dF2 + g . dP, so that
 *
 *   s1 = W_1/f,   g1 = W_3/a,   s2 = W_2/e - R g1,   g2 = W_4/d + s1/R,   g3 = W_5/b
 *
 * R F2, the moment of a side force at the contact, is subtracted from P1, because then only a small part of P1 remains.
 * F1 + P2/R is F1 without the force of a brake on the knuckle, -P2/R. V = x . W_x - W is the energy stored in the
 * bushings, and in springs beyond the rigid linkage's length. Maxwell and Betti's theorem holds for any W, and so does
 * the balance of power: at constant loads dV/dz = x . W_xz - W_z.
 *
 * W is a polynomial of at most the fifth degree in x within the unit ball, with those terms that matter for this
 * corner. Its coefficients are bicubic splines of travel and rack, and constant beyond their ends.
 * compliance/elastic_fit.c fits them to equilibria of the whole corner.
 *
 * Wheels that an axle or a beam joins have one W for both, at most of the third degree, with coefficients that are
 * splines of both travels. With x and x' the loads of the left and the right wheel, the latter mirrored, it is a
 * polynomial of
 *
 *   s = (x + x')/sqrt 2,  d = (x - x')/sqrt 2,   W_x = (W_s + W_d)/sqrt 2,  W_x' = (W_s - W_d)/sqrt 2
 *
 * since a rigid axle moves by sums of forces of both wheels, and W is even in d if both sides are mirror images. For an
 * axle that steers these coefficients are also splines of the rack. */
#ifndef VD_ELASTIC_MAP_H
#define VD_ELASTIC_MAP_H

#include "base/arena.h"
#include "math/bspline.h"

enum {
  VD_ELASTIC_LOADS = 5,
  VD_ELASTIC_PAIR = 2 * VD_ELASTIC_LOADS, /* loads of both joined wheels: first s, then d */
  VD_ELASTIC_DEGREE = 5,
  VD_ELASTIC_PAIR_DEGREE = 3,
  VD_ELASTIC_TERMS = 252, /* number of terms up to the degree, for a wheel and for a pair */
  VD_ELASTIC_PAIR_TERMS = 286,
  VD_ELASTIC_GROUPS = 3,  /* terms common to two maps, and terms of either map alone */
  VD_ELASTIC_NODES = 496, /* at most, of two maps on one tree: 252 + 286 - 56 in common, and fill of groups */
};

/* Units of the loads divided by f; those of moments are in m. They are the ranges of the loads in driving, in which the
 * drive force reaches f. Bushings are softest under longitudinal forces; with equal ranges for all loads W would be
 * most nonlinear at loads that do not occur. */
#define VD_ELASTIC_LATERAL 1.555  /* e/f */
#define VD_ELASTIC_BRAKE   1.28   /* d/(f R), for the moment of brakes on the knuckle */
#define VD_ELASTIC_ROLL    0.089  /* a/f, m */
#define VD_ELASTIC_YAW     0.0806 /* b/f, m */

/* m, step of the maps' nodes; near the lock compliances change quickly */
#define VD_ELASTIC_TRAVEL_STEP 0.018
#define VD_ELASTIC_RACK_STEP   0.006
/* Number of cells over the rack of an axle that steers. */
#define VD_ELASTIC_GEAR_CELLS 20

/* Successive terms with the same last load: first those that have children, then the leaves. */
typedef struct vd_elastic_run {
  int load, from, leaves, to;
} vd_elastic_run;

/* The terms as a tree: node 0 is 1, every other node is its parent times its last load. Parents precede their children.
 * Nodes that belong to no run extend the groups to a multiple of 4. */
typedef struct vd_elastic_tree {
  int nodes, runs; /* nodes: a multiple of 4 */
  vd_elastic_run run[VD_ELASTIC_GROUPS * VD_ELASTIC_PAIR];
  unsigned short parent[VD_ELASTIC_NODES];
  unsigned powers[VD_ELASTIC_NODES]; /* octal digits; the power of the first load is the last digit */
} vd_elastic_tree;

#define VD_ELASTIC_NO_TERM 0xffffffffu

/* Makes the tree of `count' terms, which must include the constant and the parents of all terms. group: 0 .. 2 for each
 * term; NULL: all are in group 0. */
void vd_elastic_tree_make(const unsigned *powers, const unsigned char *group, int count, vd_elastic_tree *tree);
/* Lists the powers of all terms of `loads' loads up to a degree. Returns their number. */
int vd_elastic_all_terms(int loads, int degree, unsigned *powers);
/* Returns the last load of which a term has a power; -1: it has none. */
int vd_elastic_last_load(unsigned powers);
/* Returns the power of a load in a term. */
static inline unsigned vd_elastic_power_of(unsigned powers, int load) {
  return powers >> (3 * load) & 7u;
}
int vd_elastic_degree(unsigned powers);
/* Returns whether a term of a pair changes its sign when both wheels are exchanged. */
bool vd_elastic_odd(unsigned powers);

typedef struct vd_elastic_part {
  int from, to; /* multiples of 4 */
} vd_elastic_part;

typedef struct vd_elastic_map {
  /* rack.cells 0: not steered; for joined wheels `rack' is the travel of the other wheel */
  vd_axis travel, rack;
  /* number of loads of one wheel, or of a pair; the travel of a pair is that of the left wheel */
  int loads;
  double unit[VD_ELASTIC_LOADS]; /* N, N, N m, N m, N m: f, e, a, d, b */
  double arm;                    /* m, R */
  vd_axis gear;                  /* the rack of an axle that steers; without cells for other axles */
  const vd_elastic_tree *tree;
  vd_elastic_part part[2]; /* the map's nodes; all others have coefficients of 0 */
  /* J. With a rack: cubics of the place within a cell of the rack, 0 .. 1, with the highest power first, [travel.cells
   * + 3][rack.cells][4][tree->nodes]; otherwise [travel.cells + 3][tree->nodes]. For an axle that steers [gear.cells +
   * 3][tree->nodes] replaces [tree->nodes]. */
  const double *surface;
  double error; /* rad, largest error of a rotation that was found */
} vd_elastic_map;

/* Sets the map's units and its arm from f in N and the wheel's radius in m. */
void vd_elastic_map_scale(vd_elastic_map *map, double force, double radius);

/* Coefficients of the tree's nodes and their derivatives. */
typedef struct vd_elastic_terms_at {
  double value[VD_ELASTIC_NODES], by_travel[VD_ELASTIC_NODES], by_rack[VD_ELASTIC_NODES], by_gear[VD_ELASTIC_NODES];
} vd_elastic_terms_at;

/* Makes the surface through the values at all nodes of the axes, [travel][rack][gear][tree->nodes]. */
const double *vd_elastic_surface(const vd_elastic_map *map, const double *value, vd_arena *arena);

/* Reads the map. by_rack is written if the map has a rack, or the travel of the other wheel in its place; by_gear is
 * written for an axle that steers, whose rack is `gear'. */
void vd_elastic_map_at(const vd_elastic_map *map, double travel, double rack, double gear, vd_elastic_terms_at *out);

/* Copies a map to the tree of another map, whose parts must have all terms of the map's parts. */
const vd_elastic_map *vd_elastic_map_like(const vd_elastic_map *map, const vd_elastic_map *other, vd_arena *arena);
/* Puts two maps on one tree, which has the terms of both. */
void vd_elastic_maps_join(const vd_elastic_map *from[2], vd_arena *arena, const vd_elastic_map *to[2]);

#endif
