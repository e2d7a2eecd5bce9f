/* Frequency weightings of whole-body vibration, ISO 2631-1:1997, annex A. */
#ifndef VD_WEIGHTING_H
#define VD_WEIGHTING_H

#include <stddef.h>

enum vd_weighting_kind {
  VD_WK, /* vertical, seat surface */
  VD_WD, /* horizontal, seat surface */
  VD_WC, /* fore and aft, seat back */
  VD_WE, /* rotation, seat surface */
};

/* Computes the real and imaginary part of a weighting at a frequency, Hz. */
void vd_weighting(enum vd_weighting_kind kind, double frequency, double h[2]);

/* After this time, s, the state with which a filter began no longer matters. */
extern const double vd_weighting_settle;

/* Replaces an evenly sampled acceleration by the weighted one. The acceleration is zero before the first sample. */
void vd_weighting_apply(enum vd_weighting_kind kind, double *x, size_t count, double rate);

#endif
