/* Tyres: slip and load to force, for all wheels in one call.
 *
 * Contact frame: x along the wheel's heading in the road plane, y to its left, z along the road normal;
 * forces act from the road on the tyre.
 *   kappa     = (R w - Vx)/max(|Vx|, v_low)     > 0 drives
 *   tan alpha = Vy/max(|Vx|, v_low)             > 0 slides to the left, so Fy < 0
 * (kappa, -tan alpha) max(|Vx|, v_low) is the velocity of the tread against the road, reversed: the direction
 * in which a sliding tyre is pushed. A braked and locked wheel has kappa = -1 above v_low.
 *
 * A force is asked for in two parts, so that a load loop pays only for the second:
 *   vd_tyre_slide   everything that depends on slip alone (the trigonometry)
 *   vd_tyre_force   forces at given loads, and their derivatives by load
 *
 * Combined slip is one rule for both models (design decision, own derivation). With the slip vector
 * s = (kappa, -tan alpha) of length s, both pure curves are taken at s and laid along the vector:
 *   F = (Fx0(s) kappa, Fy0(s) (-tan alpha))/s
 * which is exactly the pure force when either slip is zero, keeps both initial slopes, and never leaves the
 * friction circle (the ellipse, if the two friction coefficients differ). From s = 0.5 to s = 1 its
 * direction turns into that of s itself, so that a locked or spinning wheel is pushed against the velocity
 * of its tread and not along the ratio of two saturated curves. */
#ifndef VD_TYRE_H
#define VD_TYRE_H

#include "base.h"
#include "schema.h"

enum vd_tyre_model { VD_TYRE_LINEAR, VD_TYRE_MF96 };

/* One direction of the Magic Formula: F = D sin(C atan(B s - E (B s - atan(B s)))) */
typedef struct vd_magic {
  double b, c, d, e;
} vd_magic;

typedef struct vd_tyre_def {
  int model; /* enum vd_tyre_model */
  const char *name;
  const char *source;
  /* linear */
  double cornering_stiffness;    /* N/rad, one tyre */
  double longitudinal_stiffness; /* N per unit slip */
  /* mf96 */
  vd_magic longitudinal, lateral; /* on kappa, and on alpha in rad */
  double nominal_load;            /* N */
  double load_sensitivity;        /* mu falls by this share when the load doubles */
  double trail_falloff;           /* rad */
  /* both */
  double friction;                                    /* at nominal load */
  double pneumatic_trail;                             /* m */
  double rolling_resistance;                          /* torque / (load x radius) */
  double vertical_stiffness;                          /* N/m */
  double relaxation_longitudinal, relaxation_lateral; /* m, at small slip; used by transient slip only */
} vd_tyre_def;

extern const vd_schema vd_tyre_schema;

typedef struct vd_tyre {
  vd_tyre_def def;
  double inverse_load;           /* mf96: 1/N */
  double kappa_peak, alpha_peak; /* mf96: where the pure curves are highest; rad; INFINITY: no peak */
} vd_tyre;

/* What vd_tyre_slide leaves for vd_tyre_force. */
typedef struct vd_slide {
  double fx, fy; /* mf96: force over friction x load, components; linear: unlimited pure forces at s, N */
  double cx, cy; /* unit vector of s */
  double turn;   /* how far the direction has turned into s, 0..1 */
  double trail;  /* m */
} vd_slide;

/* Forces of n tyres. All arrays [n]. */
typedef struct vd_tyre_forces {
  double fx[VD_WHEELS], fy[VD_WHEELS];   /* N */
  double dfx[VD_WHEELS], dfy[VD_WHEELS]; /* derivatives by load; used only to speed up the load loop */
} vd_tyre_forces;

void vd_tyre_build(const vd_tyre_def *def, vd_tyre *tyre);

/* Slope of Fx over kappa at zero slip and this load, N. */
double vd_tyre_slip_stiffness(const vd_tyre *tyre, double load);
/* Slope of -Fy over alpha, N/rad. */
double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double load);

/* The greatest of each stiffness at any load up to `most`, on ground of this friction: what bounds the step. */
void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);

/* tyre[i] for each of n wheels; ground_friction[n] are factors on the tyres'. */
void vd_tyre_slide(const vd_tyre *const *tyre, int n, const double *kappa, const double *tan_alpha, vd_slide *slide);
void vd_tyre_force(const vd_tyre *const *tyre, int n, const vd_slide *slide, const double *ground_friction,
                   const double *load, vd_tyre_forces *out);

/* The pneumatic trail lies behind the contact point, whichever way it moves (m/s): 1 forwards, -1 backwards, between them smooth
 * within 0.1 m/s. */
static inline double vd_trail_side(double vx) {
  double u = 10.0 * vx;
  return u >= 1.0 ? 1.0 : u <= -1.0 ? -1.0 : 0.5 * u * (3.0 - u * u);
}

/* The highest friction coefficient and the slips where the pure forces are highest, for the log. */
void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

#endif
