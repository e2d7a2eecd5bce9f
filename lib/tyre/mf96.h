/* Magic Formula in its form of 1996 with fixed B, C and E; see mf96.c. */
#ifndef VD_MF96_H
#define VD_MF96_H

#include "tyre/tyre_model.h"

/* One direction: F = D sin(C atan(B s - E (B s - atan(B s)))) */
typedef struct vd_magic {
  double b, c, d, e;
} vd_magic;

typedef struct vd_mf96 {
  vd_magic longitudinal, lateral; /* on kappa, and on alpha in rad */
  double nominal_load;            /* N */
  double load_sensitivity;        /* mu falls by this share when the load doubles */
  double trail_falloff;           /* rad */
  double trail_growth;            /* the trail grows by this share when the load doubles */
  /* by vd_mf96_build */
  double inverse_load;           /* 1/N */
  double kappa_peak, alpha_peak; /* where the pure curves are highest; rad; INFINITY: no peak */
} vd_mf96;

/* Four tyres side by side. */
typedef struct vd_mf96_four {
  double b[2][VD_WHEELS], c[2][VD_WHEELS], d[2][VD_WHEELS], e[2][VD_WHEELS]; /* longitudinal, lateral */
  double falloff[VD_WHEELS], trail[VD_WHEELS];
  bool grows;                                                    /* some trail depends on the load */
  double friction[VD_WHEELS], share[VD_WHEELS], fall[VD_WHEELS]; /* mu = friction (share - fall Fz) */
} vd_mf96_four;

extern const vd_tyre_traits vd_mf96_traits;

/* Argument at which a curve is highest; INFINITY: nowhere. */
double vd_magic_peak(const vd_magic *m);

void vd_mf96_build(const vd_mf96 *given, vd_tyre *tyre);
void vd_mf96_pack(const vd_tyre_group *group, vd_mf96_four *four);
void vd_mf96_slide(const vd_mf96_four *four, const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide);
void vd_mf96_force(const vd_mf96_four *four, const vd_tyre_group *group, vd_slide *slide, const double *ground_friction,
                   const double *load, vd_tyre_forces *out);
/* Trail over that at the nominal load. */
double vd_mf96_trail_share(const vd_tyre *tyre, double load);
void vd_mf96_stiffness(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);
/* Four tyres without bristles, camber thrust and trails that grow, see vd_tyre_at_loads. */
void vd_mf96_at_loads(const vd_mf96_four *four, const vd_contact *contact, const double *ground_friction,
                      const double *load, const vd_tyre_results *out);
double vd_mf96_stiffest_load(const vd_tyre *tyre, double most);
void vd_mf96_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

#endif
