/* A knuckle on its bushings for a run: one energy function of travel, rack and loads, from which all
 * displacements and forces follow.
 *
 * The elastic displacement of a knuckle is a shift of the wheel centre, (s1, s2, 0), and a turn by Gibbs' vector
 * g = 2 tan(angle/2) n, which take the rigid linkage's pose to that on bushings. Axes: 1 along the rigid wheel's
 * heading, 2 horizontal to its left (outward: of the left wheel), 3 up. The travel is that of the wheel centre, so the
 * height does not change. What does work on it, for a force F at the wheel centre and a moment M about it: with
 * q = 1 + g.g/4 the knuckle turns at (g' + g x g'/2)/q, so that M does the work of
 *
 *   P = (M - g x M/2)/q   on g'
 *
 * With five loads x = ((F1 + P2/R)/f, F2/e, (P1 - R F2)/a, P2/d, P3/b), each over its unit, the complementary
 * energy W(x; travel z, rack r) gives the displacement by its gradient, W_x: dW = s1 dF1 + s2 dF2 + g . dP, so that
 *
 *   s1 = W_1/f,   g1 = W_3/a,   s2 = W_2/e - R g1,   g2 = W_4/d + s1/R,   g3 = W_5/b
 *
 * (R F2 apart, which the side force at the contact makes: what is left of P1 is small; and F1 + P2/R is what is left
 * of F1 without the force of a brake on the knuckle, -P2/R.) V = x . W_x - W is the energy that bushings, and springs
 * beyond the rigid linkage's length, hold. Maxwell and Betti's theorem holds for any W, and so does the balance of
 * power: at constant loads dV/dz = x . W_xz - W_z.
 *
 * W is a polynomial of at most the fifth degree in x within the unit ball, of those terms that count for this corner;
 * its coefficients are bicubic splines of travel and rack, and constant beyond their ends. compliance/elastic_fit.c
 * makes them of the equilibria of the whole corner.
 *
 * Wheels that an axle or a beam joins have one W for both, at most of the third degree, its coefficients splines of
 * both travels. With x and x' of the left and the right wheel, each as of a left one, it is a polynomial of
 *
 *   s = (x + x')/sqrt 2,  d = (x - x')/sqrt 2,   W_x = (W_s + W_d)/sqrt 2,  W_x' = (W_s - W_d)/sqrt 2
 *
 * since a rigid axle moves by sums of forces of both wheels, and what mirror images share is even in d. For an axle
 * that steers these coefficients are splines of the rack, too. */
#ifndef VD_ELASTIC_MAP_H
#define VD_ELASTIC_MAP_H

#include "base/arena.h"
#include "math/bspline.h"

enum {
  VD_ELASTIC_LOADS = 5,
  VD_ELASTIC_PAIR = 2 * VD_ELASTIC_LOADS, /* of both joined wheels: s, then d */
  VD_ELASTIC_DEGREE = 5,
  VD_ELASTIC_PAIR_DEGREE = 3,
  VD_ELASTIC_TERMS = 252, /* up to that degree, and of a pair up to its own */
  VD_ELASTIC_PAIR_TERMS = 286,
  VD_ELASTIC_GROUPS = 3,  /* terms that two maps share, and those of either alone */
  VD_ELASTIC_NODES = 496, /* of two maps on one tree: 252 + 286 less 56 in common; groups begin at multiples of 4 */
};

/* Units over f, of the moments in m: as far as these loads go in driving, where drives push by up to f. Bushings give
 * way most to forces ahead, so that in a ball as wide for all loads W would be curved most where nobody drives. */
#define VD_ELASTIC_SIDE  1.555
#define VD_ELASTIC_WIND  1.28 /* of the radius, under brakes on the knuckle */
#define VD_ELASTIC_REST  0.089
#define VD_ELASTIC_TWIST 0.0806

/* m, from node to node of the maps; near the lock compliances change fast. */
#define VD_ELASTIC_TRAVEL_STEP 0.018
#define VD_ELASTIC_RACK_STEP   0.006
/* Cells over the rack of an axle that steers. */
#define VD_ELASTIC_GEAR_CELLS 20

/* Successive terms whose last load is the same: those that have children, then the leaves. */
typedef struct vd_elastic_run {
  int load, from, leaves, to;
} vd_elastic_run;

/* The terms as a tree: node 0 is 1, another one its parent times its last load. Parents stand before their children.
 * Nodes that no run has fill up groups. */
typedef struct vd_elastic_tree {
  int nodes, runs; /* nodes: a multiple of 4 */
  vd_elastic_run run[VD_ELASTIC_GROUPS * VD_ELASTIC_PAIR];
  unsigned short parent[VD_ELASTIC_NODES];
  unsigned powers[VD_ELASTIC_NODES]; /* octal digits, the first load's the last one */
} vd_elastic_tree;

#define VD_ELASTIC_NO_TERM 0xffffffffu

/* Makes the tree of `count` terms, all their parents and the constant among them; group: 0 .. 2 of each term, or NULL
 * for group 0. */
void vd_elastic_tree_make(const unsigned *powers, const unsigned char *group, int count, vd_elastic_tree *tree);
/* Powers of all terms of so many loads up to a degree. Returns their number. */
int vd_elastic_all_terms(int loads, int degree, unsigned *powers);
/* The power of the last load that a term has, or -1: of none. */
int vd_elastic_last_load(unsigned powers);
/* The power of a load. */
static inline unsigned vd_elastic_power_of(unsigned powers, int load) {
  return powers >> (3 * load) & 7u;
}
int vd_elastic_degree(unsigned powers);
/* Whether a pair's term changes its sign when both wheels are exchanged. */
bool vd_elastic_odd(unsigned powers);

typedef struct vd_elastic_part {
  int from, to; /* multiples of 4 */
} vd_elastic_part;

typedef struct vd_elastic_map {
  vd_axis travel, rack;          /* rack.cells 0: not steered; of joined wheels `rack' is the travel of the other one */
  int loads;                     /* those of one wheel, or of a pair, which has the left wheel's travel first */
  double unit[VD_ELASTIC_LOADS]; /* N, N, N m, N m, N m: f, e, a, d, b */
  double arm;                    /* m, R */
  vd_axis gear;                  /* the rack of an axle that steers; else of no cells */
  const vd_elastic_tree *tree;
  vd_elastic_part part[2]; /* its nodes; the rest is 0 */
  /* J, of a steered map cubics of the place within a cell of the rack, 0 .. 1, its highest power first:
   * [travel.cells + 3][rack.cells][4][tree->nodes]; else [travel.cells + 3][tree->nodes]. For an axle that
   * steers [gear.cells + 3][tree->nodes] takes the place of the last */
  const double *surface;
  double error; /* rad, largest found of the turns */
} vd_elastic_map;

/* Its units and its arm, by f in N and the wheel's radius in m. */
void vd_elastic_map_scale(vd_elastic_map *map, double force, double radius);

/* Coefficients of the tree's nodes and their derivatives. */
typedef struct vd_elastic_terms_at {
  double value[VD_ELASTIC_NODES], by_travel[VD_ELASTIC_NODES], by_rack[VD_ELASTIC_NODES], by_gear[VD_ELASTIC_NODES];
} vd_elastic_terms_at;

/* The surface through the values of the tree's nodes at all nodes of the axes, [travel][rack][gear][tree->nodes]. */
const double *vd_elastic_surface(const vd_elastic_map *map, const double *value, vd_arena *arena);

/* by_rack is written if the map has a rack, or another travel in its place; by_gear of an axle that steers, whose rack
 * is `gear'. */
void vd_elastic_map_at(const vd_elastic_map *map, double travel, double rack, double gear, vd_elastic_terms_at *out);

/* A map on the tree of another one, which has its terms, and in the same parts of it. */
const vd_elastic_map *vd_elastic_map_like(const vd_elastic_map *map, const vd_elastic_map *other, vd_arena *arena);
/* Two maps on one tree, which has the terms of both. */
void vd_elastic_maps_join(const vd_elastic_map *from[2], vd_arena *arena, const vd_elastic_map *to[2]);

#endif
