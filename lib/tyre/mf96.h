/* Magic Formula in its form of 1996 with fixed B, C and E; see mf96.c. */
#ifndef VD_MF96_H
#define VD_MF96_H

#include "tyre/tyre_model.h"

/* One direction: F = D sin(C atan(B s - E (B s - atan(B s)))) */
typedef struct vd_magic {
  double b, c, d, e;
} vd_magic;

typedef struct vd_mf96 {
  vd_magic longitudinal, lateral; /* over kappa; over alpha in rad */
  double nominal_load;            /* N */
  double load_sensitivity;        /* share by which mu falls when the load rises from nominal to twice nominal */
  double trail_falloff;           /* rad */
  double trail_growth;            /* share by which the trail grows when the load rises from nominal to twice nominal */
  /* computed from the members above */
  double inverse_load;           /* 1/N */
  double kappa_peak, alpha_peak; /* slips at the peaks of the pure curves, alpha in rad; INFINITY: no peak */
} vd_mf96;

/* Four tyres side by side. */
typedef struct vd_mf96_four {
  double b[2][VD_WHEELS], c[2][VD_WHEELS], d[2][VD_WHEELS], e[2][VD_WHEELS]; /* longitudinal, lateral */
  double falloff[VD_WHEELS], trail[VD_WHEELS];
  bool grows;                                                    /* some trail depends on the load */
  double friction[VD_WHEELS], share[VD_WHEELS], fall[VD_WHEELS]; /* mu = friction (share - fall Fz) */
} vd_mf96_four;

extern const vd_tyre_variant vd_mf96_variant;

/* Returns the slip at the peak of a curve; INFINITY: there is none. */
double vd_magic_peak(const vd_magic *m);

#endif
