/* Magic Formula of 1989 and 1994 with coefficients over the load; see pac.c. */
#ifndef VD_PAC_H
#define VD_PAC_H

#include "tyre/tyre_model.h"

enum { VD_PAC_LATERAL = 18, VD_PAC_LONGITUDINAL = 14, VD_PAC_ALIGNING = 21 };

/* As their paper numbers them. */
typedef struct vd_pac_coefficients {
  double a[VD_PAC_LATERAL], b[VD_PAC_LONGITUDINAL], c[VD_PAC_ALIGNING];
} vd_pac_coefficients;

/* In the order of 1994. */
typedef struct vd_pac {
  double a[VD_PAC_LATERAL], b[VD_PAC_LONGITUDINAL], c[VD_PAC_ALIGNING];
  bool curvature_over; /* 1994: the curvature of Mz is divided by 1 - c10 |camber|; 1989: multiplied */
  double highest_load; /* N: from there on the curves stay */
  double side;         /* +-1: how slip angles are counted in the data; see pac.c */
} vd_pac;

/* Four tyres side by side. */
typedef struct vd_pac_four {
  double a[VD_PAC_LATERAL][VD_WHEELS], b[VD_PAC_LONGITUDINAL][VD_WHEELS], c[VD_PAC_ALIGNING][VD_WHEELS];
  double inverse_a4[VD_WHEELS], friction[VD_WHEELS], highest_load[VD_WHEELS], side[VD_WHEELS];
  bool curvature_over; /* of all: they are of one model */
} vd_pac_four;

extern const vd_tyre_traits vd_pac_traits;

void vd_pac_pack(const vd_tyre_group *group, vd_pac_four *four);
void vd_pac_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide);
void vd_pac_force(const vd_pac_four *four, const vd_tyre_group *group, vd_slide *slide, const double *ground_friction,
                  const double *load, vd_tyre_forces *out);
/* load: N, that of the last vd_pac_force */
void vd_pac_moments(const vd_pac_four *four, const vd_tyre_group *group, const vd_slide *slide, const double *load,
                    const double *vx, double *mz);
void vd_pac_stiffness(const vd_pac *pac, double load, double *slip, double *cornering);
void vd_pac_stiffest(const vd_pac *pac, double most, double *slip, double *cornering);
void vd_pac_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

#endif
