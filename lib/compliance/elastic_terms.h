/* The polynomial of an elastic map from samples of equilibria: its coefficients by least squares, and which terms it
 * needs. */
#ifndef VD_ELASTIC_TERMS_H
#define VD_ELASTIC_TERMS_H

#include "compliance/elastic_map.h"

/* A knuckle on its bushings as the map has it: the loads, and the energy, its gradient and its second derivatives by
 * them, J. */
typedef struct vd_elastic_sample {
  double load[VD_ELASTIC_PAIR], energy, slope[VD_ELASTIC_PAIR], bend[VD_ELASTIC_PAIR][VD_ELASTIC_PAIR];
} vd_elastic_sample;

/* Converts loads of both wheels, or slopes by them, to their sums and differences over sqrt 2, and back again. */
void vd_elastic_sums(double *pair);
/* Converts a sample with its second derivatives. */
void vd_elastic_sum_sample(vd_elastic_sample *sample);

/* Least squares of samples at the same loads: all that follows from these alone. */
typedef struct vd_elastic_fit vd_elastic_fit;

/* For a tree of one group, of which the terms of a degree below one are fitted; load[samples]: of a pair its sums.
 * loads: those of one wheel or of a pair. */
vd_elastic_fit *vd_elastic_fit_create(const vd_elastic_tree *tree, int below, int loads, const double *unit,
                                      double (*load)[VD_ELASTIC_PAIR], int samples);
void vd_elastic_fit_destroy(vd_elastic_fit *f);

/* Coefficients of the tree, of what known ones (none: NULL) leave of as many samples at these loads, of a pair of its
 * sums, whose slopes and bends count as displacements, m and rad: over the units of a wheel's loads. The constant is
 * then the energies'. Coefficients that are not fitted are 0. */
void vd_elastic_fit_solve(const vd_elastic_fit *f, const double *known, const vd_elastic_sample *sample,
                          double *coefficient);

/* The terms that samples need, of some places of travel and rack with samples at the same loads, in order: at least 18
 * at each. A term is left out, with no child left, if the rest fits the samples of each place nearly as well:
 * the displacements differ by `enough`, m and rad rms, from what all terms give. */
void vd_elastic_choose(int loads, const double *unit, const vd_elastic_sample *sample, int samples, int places,
                       double enough, vd_elastic_tree *tree);

/* Energy and slopes at the sample's loads, of a pair sums and differences, by coefficients of the tree's nodes; bends
 * stay as they are. */
void vd_elastic_sum(const vd_elastic_tree *tree, int loads, const double *coefficient, vd_elastic_sample *sample);

/* A slope by a moment. */
static inline bool vd_elastic_is_turn(int load) {
  return load % VD_ELASTIC_LOADS >= 2;
}
/* The largest turn at a load, rad, by any of rows of coefficients, [rows][tree->nodes]. */
double vd_elastic_largest_turn(const vd_elastic_tree *tree, int loads, const double *unit, const double *load,
                               const double *coefficients, int rows);

#endif
