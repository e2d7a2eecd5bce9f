/* Brush tyre: elastic bristles under a parabolic pressure; see brush.c. */
#ifndef VD_BRUSH_H
#define VD_BRUSH_H

#include "tyre/tyre_model.h"

typedef struct vd_brush {
  double tread_stiffness; /* N/m2: of the bristles, over their deflection and the length of the patch */
  double patch_length;    /* m, at the nominal load */
  double nominal_load;    /* N */
} vd_brush;

extern const vd_tyre_traits vd_brush_traits;

void vd_brush_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide);
void vd_brush_force(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction, const double *load,
                    vd_tyre_forces *out);
void vd_brush_moments(const vd_tyre_group *group, const vd_slide *slide, const double *load, const double *vx,
                      const double *fy, double *mz);
void vd_brush_stiffness(const vd_brush *brush, double load, double *slip, double *cornering);
void vd_brush_peaks(const vd_tyre *tyre, double ground_friction, double *mu, double *kappa, double *alpha);

#endif
