/* The polynomial of an elastic map, made from samples of equilibria: its coefficients by least squares, and the choice
 * of its terms. */
#ifndef VD_ELASTIC_TERMS_H
#define VD_ELASTIC_TERMS_H

#include "compliance/elastic_map.h"

/* A sample: the loads of a knuckle on its bushings, and the energy, its gradient and its second derivatives by the
 * loads, J. */
typedef struct vd_elastic_sample {
  double load[VD_ELASTIC_PAIR], energy, slope[VD_ELASTIC_PAIR], bend[VD_ELASTIC_PAIR][VD_ELASTIC_PAIR];
} vd_elastic_sample;

/* Converts loads of both wheels, or slopes by these loads, to their sums and differences divided by sqrt 2, and
 * back. */
void vd_elastic_sums(double *pair);
/* Converts a sample of both wheels, with its second derivatives, to sums and differences of their loads. */
void vd_elastic_sum_sample(vd_elastic_sample *sample);

/* Least squares of samples at the same loads: the part that depends on the loads only. */
typedef struct vd_elastic_fit vd_elastic_fit;

/* Prepares a fit. tree: must have one group of terms. below: terms of a lower degree than this are fitted.
 * load[samples]: for a pair, sums and differences. loads: number of loads of one wheel or of a pair. */
vd_elastic_fit *vd_elastic_fit_create(const vd_elastic_tree *tree, int below, int loads, const double *unit,
                                      double (*load)[VD_ELASTIC_PAIR], int samples);
void vd_elastic_fit_destroy(vd_elastic_fit *f);

/* Fits the coefficients of the tree to samples, one at each of the fit's loads, after the terms of the known
 * coefficients are subtracted (NULL: none). For a pair the samples are sums and differences. Slopes and bends are
 * weighted as displacements, m and rad: they are divided by the units of a wheel's loads. The constant follows from the
 * energies. Coefficients that are not fitted are 0. */
void vd_elastic_fit_solve(const vd_elastic_fit *f, const double *known, const vd_elastic_sample *sample,
                          double *coefficient);

/* Chooses the terms that samples at several places of travel and rack need. All places have samples at the same loads
 * in the same order, at least 18 each. A term without children is left out if the other terms fit the samples of each
 * place nearly as well: the displacements may differ by `enough', m and rad rms, from those of all terms. */
void vd_elastic_choose(int loads, const double *unit, const vd_elastic_sample *sample, int samples, int places,
                       double enough, vd_elastic_tree *tree);

/* Computes energy and slopes at the sample's loads (for a pair, sums and differences) from coefficients of the tree's
 * nodes; bends do not change. */
void vd_elastic_sum(const vd_elastic_tree *tree, int loads, const double *coefficient, vd_elastic_sample *sample);

/* Returns whether the slope by a load is a rotation; the load is then a moment. */
static inline bool vd_elastic_is_turn(int load) {
  return load % VD_ELASTIC_LOADS >= 2;
}
/* Returns the largest rotation at a load, rad, for any of `rows' rows of coefficients, [rows][tree->nodes]. */
double vd_elastic_largest_turn(const vd_elastic_tree *tree, int loads, const double *unit, const double *load,
                               const double *coefficients, int rows);

#endif
