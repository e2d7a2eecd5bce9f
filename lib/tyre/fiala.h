/* Fiala's tyre in the form of Adams/Tire; see fiala.c. */
#ifndef VD_FIALA_H
#define VD_FIALA_H

#include "tyre/tyre_model.h"

typedef struct vd_fiala {
  double longitudinal_stiffness; /* N, CSLIP */
  double cornering_stiffness;    /* N/rad, CALPHA */
  double sliding_friction;       /* UMIN; UMAX is the tyre's friction */
  double width;                  /* m, WIDTH */
} vd_fiala;

extern const vd_tyre_traits vd_fiala_traits;

void vd_fiala_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide);
void vd_fiala_force(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction, const double *load,
                    vd_tyre_forces *out);
void vd_fiala_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

#endif
