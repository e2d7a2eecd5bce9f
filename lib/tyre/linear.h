/* Linear tyre: constant stiffnesses up to the friction circle; see linear.c. */
#ifndef VD_LINEAR_H
#define VD_LINEAR_H

#include "tyre/tyre_model.h"

typedef struct vd_linear_tyre {
  double cornering_stiffness;    /* N/rad, one tyre */
  double longitudinal_stiffness; /* N per unit slip */
} vd_linear_tyre;

/* Four tyres side by side. */
typedef struct vd_linear_four {
  double longitudinal[VD_WHEELS], cornering[VD_WHEELS], friction[VD_WHEELS], trail[VD_WHEELS];
} vd_linear_four;

extern const vd_tyre_traits vd_linear_traits;

void vd_linear_pack(const vd_tyre_group *group, vd_linear_four *four);
void vd_linear_slide(const vd_linear_four *four, const vd_tyre_group *group, const vd_contact *contact,
                     vd_slide *slide);
void vd_linear_force(const vd_linear_four *four, const vd_tyre_group *group, vd_slide *slide,
                     const double *ground_friction, const double *load, vd_tyre_forces *out);
/* Four tyres without bristles and camber thrust, see vd_tyre_at_loads. */
void vd_linear_at_loads(const vd_linear_four *four, const vd_contact *contact, const double *ground_friction,
                        const double *load, const vd_tyre_results *out);
void vd_linear_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                     double *alpha);

#endif
