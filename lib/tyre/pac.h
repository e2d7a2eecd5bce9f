/* Magic Formula of 1989 and 1994, whose coefficients depend on the load; see pac.c. */
#ifndef VD_PAC_H
#define VD_PAC_H

#include "base/list.h"
#include "tyre/tyre_model.h"

enum {
  VD_PAC_LATERAL = 18,
  VD_PAC_LONGITUDINAL = 14,
  VD_PAC_ALIGNING = 21,
  VD_PAC_TERMS = VD_PAC_LATERAL + VD_PAC_LONGITUDINAL + VD_PAC_ALIGNING
};

/* Coefficients as their paper numbers them. */
typedef struct vd_pac_coefficients {
  double a[VD_PAC_LATERAL], b[VD_PAC_LONGITUDINAL], c[VD_PAC_ALIGNING];
} vd_pac_coefficients;

/* Coefficients in a tyre file. */
typedef struct vd_pac_def {
  vd_numbers a, b, c;
} vd_pac_def;

typedef struct vd_pac {
  vd_pac_coefficients k; /* in the order of 1994 */
  bool curvature_over;   /* true for 1994: E of Mz is divided by 1 - c10 |camber|; 1989: it is multiplied */
  double highest_load;   /* N; the curves stay constant beyond it */
  double side;           /* +-1: sign of slip angles in the coefficients; see pac.c */
} vd_pac;

/* Four tyres side by side. */
typedef struct vd_pac_four {
  double term[VD_PAC_TERMS][VD_WHEELS]; /* a, b and c */
  double inverse_a4[VD_WHEELS], friction[VD_WHEELS], highest_load[VD_WHEELS], side[VD_WHEELS];
  bool curvature_over; /* the same for all tyres of the group, as they have the same model */
} vd_pac_four;

extern const vd_tyre_variant vd_pac_variant;

#endif
