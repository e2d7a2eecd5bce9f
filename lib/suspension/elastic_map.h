/* A knuckle on its bushings as a run asks for it: one energy function of travel, rack and loads, from which all
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
 * Of five loads x = (F1/f, F2/f, (P1 - R F2)/a, P2/(f R), P3/b), each over its unit, the complementary energy
 * W(x; travel z, rack r) gives the displacement by its gradient, W_x: dW = s1 dF1 + s2 dF2 + g . dP, so that
 *
 *   s1 = W_1/f,   g1 = W_3/a,   s2 = W_2/f - R g1,   g2 = W_4/(f R),   g3 = W_5/b
 *
 * (R F2 apart, which the side force at the contact makes: what is left of P1 is small.) V = x . W_x - W is the energy
 * that bushings, and springs beyond the rigid linkage's length, hold. Maxwell and Betti's theorem holds for any W, and
 * so does the balance of power: at constant loads dV/dz = x . W_xz - W_z.
 *
 * W is a polynomial of fourth degree in x within the unit ball; its coefficients are bicubic splines of travel and
 * rack, and constant beyond their ends. kc/elastic_fit.c makes them of the equilibria of the whole corner. */
#ifndef VD_ELASTIC_MAP_H
#define VD_ELASTIC_MAP_H

#include "math/bspline.h"

enum {
  VD_ELASTIC_LOADS = 5,
  VD_ELASTIC_LOWER = 56,  /* terms up to the third degree */
  VD_ELASTIC_TERMS = 126, /* up to the fourth */
  VD_ELASTIC_KEPT = 128,  /* the last two are 0 */
};

/* The terms by degree, as a tree: a term of lower degree, times any load from its own last one on, is one of its
 * children, which stand one after the other. The first term is 1. */
typedef struct vd_elastic_tree {
  unsigned char load[VD_ELASTIC_LOWER];  /* the last one of a term's product */
  unsigned char child[VD_ELASTIC_LOWER]; /* the term times that */
} vd_elastic_tree;

extern const vd_elastic_tree vd_elastic_terms;

typedef struct vd_elastic_map {
  vd_axis travel, rack;          /* rack.cells 0: not steered */
  double unit[VD_ELASTIC_LOADS]; /* N, N, N m, N m, N m: f, f, a, f R, b */
  double arm;                    /* m, R */
  const double *surface;         /* J, [travel.cells + 3][rack.cells + 3][VD_ELASTIC_KEPT]; not steered: one column */
  double error;                  /* rad, largest found of the turns */
} vd_elastic_map;

/* Coefficients of the terms and their derivatives. */
typedef struct vd_elastic_terms_at {
  double value[VD_ELASTIC_KEPT], by_travel[VD_ELASTIC_KEPT], by_rack[VD_ELASTIC_KEPT];
} vd_elastic_terms_at;

void vd_elastic_map_at(const vd_elastic_map *map, double travel, double rack, vd_elastic_terms_at *out);

#endif
