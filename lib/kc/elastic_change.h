/* Derivatives of the compliance by what a suspension is made of, exact, by the adjoint method. */
#ifndef VD_KC_ELASTIC_CHANGE_H
#define VD_KC_ELASTIC_CHANGE_H

#include "kc/kc.h"
#include "kc/moved.h"

/* The figures of the compliance, called as vdsim-kc-sweep's metrics are. */
enum vd_elastic_gain {
  VD_TOE_FX,
  VD_TOE_FY,
  VD_TOE_MZ,
  VD_CAMBER_FX,
  VD_CAMBER_FY,
  VD_CAMBER_MZ,
  VD_WHEEL_X_FX,
  VD_WHEEL_Y_FY,
  VD_PATCH_Y_FY,
  VD_PATCH_X_FY,
  VD_PATCH_Y_FX,
  VD_TOE_FX_CENTRE,
  VD_CAMBER_FX_CENTRE,
  VD_ELASTIC_GAINS
};

typedef struct vd_elastic_change vd_elastic_change; /* built for one corner */

/* At the design position under fz (N). hold: centre or free. l: of both wheels in heave. NULL: there is no
 * equilibrium. */
vd_elastic_change *vd_elastic_change_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold, double fz);
void vd_elastic_change_destroy(vd_elastic_change *e); /* accepts NULL */

/* The figures' derivatives by a change, SI. spring_load: that of the spring's load at design, N. */
void vd_elastic_change_by(const vd_elastic_change *e, const vd_change *q, double spring_load,
                          double slope[VD_ELASTIC_GAINS]);

#endif
