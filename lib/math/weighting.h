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

/* A signal, and its weighting. */
typedef struct vd_weighted {
  enum vd_weighting_kind kind;
  double *x;
} vd_weighted;
enum { VD_WEIGHTED_MOST = 3 };

/* Replaces evenly sampled accelerations, at most VD_WEIGHTED_MOST, by the weighted ones. Accelerations are zero before
 * their first samples. Signals of the same kind next to each other take less time. */
void vd_weighting_apply(const vd_weighted *signal, size_t signals, size_t count, double rate);

#endif
