/* Tyres: slip and load to force, for all wheels in one call.
 *
 * A force is computed in two parts, so that a load loop repeats only the second:
 *   vd_tyre_slide   everything that depends on slip alone (the trigonometry)
 *   vd_tyre_force   forces at given loads
 *
 * Combined slip of the linear tyre and of mf96 is one rule (design decision, own derivation). With the slip vector
 * s = (kappa, -tan alpha) of length s, both pure curves are taken at s and laid along the vector:
 *   F = (Fx0(s) kappa, Fy0(s) (-tan alpha))/s
 * which is exactly the pure force when either slip is zero, keeps both initial slopes, and never leaves the
 * friction circle (the ellipse, if the two friction coefficients differ). From s = 0.5 to s = 1 its
 * direction turns into that of s itself, so that a locked or spinning wheel is pushed against the velocity
 * of its tread and not along the ratio of two saturated curves.
 *
 * Contact frame and signs: tyre_model.h. What a tyre file says: tyre_def.h. */
#ifndef VD_TYRE_H
#define VD_TYRE_H

#include "base/list.h"
#include "tyre/tyre_models.h"

/* What transient slip is: relax.h, lugre.h. */
enum vd_tyre_transient { VD_TYRE_RELAXATION, VD_TYRE_LUGRE };

/* What every tyre has, whatever its model. */
typedef struct vd_tyre_common {
  double friction;                                    /* at nominal load */
  double pneumatic_trail;                             /* m */
  double rolling_resistance;                          /* torque / (load x radius) */
  double vertical_stiffness;                          /* N/m */
  double vertical_steepest;                           /* N/m, of a load curve; 0: there is none */
  double vertical_damping;                            /* N s/m */
  double camber_stiffness;                            /* 1/rad, side force over load times camber */
  double patch_width;                                 /* m */
  double lateral_stiffness;                           /* N/m; NAN: rigid; 0: zero bytes of a model without the key */
  double relaxation_longitudinal, relaxation_lateral; /* m, at small slip; used by transient slip only */
  int transient;                                      /* enum vd_tyre_transient */
  double bristle_damping;                             /* s, lugre: damping over stiffness at standstill; NAN: auto */
  vd_points load_curve;                               /* m, N: load over deflection; count 0: vertical_stiffness */
} vd_tyre_common;

struct vd_tyre {
  enum vd_tyre_model model;
  vd_tyre_common common;
  double pressure; /* Pa; NAN: the model does not depend on it */
  bool sided;      /* left and right are each other's mirror image and not the same */
  bool bristles;   /* its transient slip has bristles, whose rates come with the forces */
  vd_tyre_shape as;
  vd_curve load_curve; /* of the tyre file or of its property file; count 0: vertical_stiffness */
  double firmness;     /* factor of the inflation pressure on the loads of load_curve */
};

/* The tyres of one model in a row of tyres. In the four lanes, places of other tyres repeat the first of the group, so
 * that every lane holds valid numbers. */
typedef struct vd_tyre_group {
  int count;
  int wheel[VD_WHEELS];           /* [count]: the places of its tyres in arrays [n] */
  int lane[VD_WHEELS];            /* the place whose numbers a lane holds */
  const vd_tyre *tyre[VD_WHEELS]; /* of each lane */
  bool has_thrust;                /* some tyre has a camber_stiffness */
  const vd_tyre_variant *variant;
  vd_tyre_lanes lanes;
} vd_tyre_group;

/* A row: tyres that are evaluated together, one of each wheel or of each axle, in groups of one model. */
typedef struct vd_tyre_row {
  int count;                      /* <= VD_WHEELS */
  const vd_tyre *each[VD_WHEELS]; /* they stay where they are and as they are */
  bool bristles;                  /* some tyre has them */
  bool needs_camber;              /* some tyre has camber thrust or a patch of some width: slides need cambers */
  bool has_overturning;           /* some tyre has a patch that is wide or that moves sideways */
  bool has_turn_slip;             /* some tyre has turn slip */
  bool forces_only;               /* of one group, without overturning moments */
  bool at_once;                   /* four such tyres whose model has all in one pass */
  int groups;
  vd_tyre_group group[VD_WHEELS];
} vd_tyre_row;

/* What slips leave for the forces. */
typedef struct vd_slides {
  vd_slide each[VD_WHEELS];
  bool bristles;  /* some tyre has them; if not, each[].bristles is not set */
  vd_mf_slide mf; /* slides of the group of model mf */
} vd_slides;

/* What vd_tyre_slide leaves for vd_tyre_force. */
typedef struct vd_slide_row {
  vd_slides now;
  vd_slides rolling; /* without slip, for bristles */
} vd_slide_row;

const vd_tyre_traits *vd_tyre_traits_of(enum vd_tyre_model model);
bool vd_tyre_has_moments(const vd_tyre *tyre); /* an overturning moment, or a rolling moment of its own */
bool vd_tyre_depends_on_camber(const vd_tyre *tyre);

/* Slopes at zero slip and this load, of Fx over kappa (N) and of -Fy over alpha (N/rad). */
double vd_tyre_slip_stiffness(const vd_tyre *tyre, double ground_friction, double load);
double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double ground_friction, double load);
void vd_tyre_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);

/* An upper limit of the pure forces at a load and without camber, N: close to the peaks of vd_tyre_peaks, but quick. */
double vd_tyre_grip(const vd_tyre *tyre, double ground_friction, double load);

/* Relaxation lengths (m) at a load, > 0 at any load: for an upright wheel, and with camber (rad). */
void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral);
void vd_tyre_relaxation_at(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral);

/* vd_tyre_has_turn_slip: whether the forces depend on it. vd_tyre_twisted: the moment at a load when a standing wheel
 * is turned about the vertical; it rises by `stiffness` over the angle (N m/rad) up to `most` (N m), 0 without. */
struct vd_tyre_twist {
  double length;    /* m, over which rolling renews the twisted contact: half the length of the patch */
  double stiffness; /* slope of the rolling wheel's moment over the curvature (N m2) over this length */
  double most;
};
bool vd_tyre_has_turn_slip(const vd_tyre *tyre);
void vd_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist);

/* The greatest of each stiffness at any load up to `most`, on ground of this friction: it bounds the step. */
void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);

/* The highest friction coefficient and the slips where the pure forces are highest, for the log. */
void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

/* Effective rolling radius (m) of the standing wheel at a load, and the height of its centre; NAN: the model does not
 * know it. */
void vd_tyre_radii(const vd_tyre *tyre, double load, double *rolling, double *loaded);

/* A tyre as a vertical spring: with vertical_stiffness, or along the load curve of its property file. */
bool vd_tyre_curved(const vd_tyre *tyre);
vd_load_point vd_tyre_vertical(const vd_tyre *tyre, double deflection);
double vd_tyre_vertical_deflection(const vd_tyre *tyre, double load);

/* Sets another inflation pressure, Pa; without effect on models that do not depend on it. */
void vd_tyre_inflate(vd_tyre *tyre, double pressure);

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row);

/* n is the row's count; ground_friction[n] are factors on the tyres', the same in every pass. */
void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide);
void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out);

/* The last pass at loads that have moved by a small share of themselves, along which the caller has moved the forces:
 * aligning moments are then true to some tenths of that share. */
void vd_tyre_shift_loads(const vd_tyre_row *row, vd_slide_row *slide, const double *load);

/* Aligning moments (N m), at the side forces that were found and the loads of the last pass. */
void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz);

/* Slides, forces and moments in one call, where the loads are known. */
void vd_tyre_at_loads(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                      const double *load, const vd_tyre_results *out);

/* One tyre in one state of motion, for rigs and claims. */
struct vd_tyre_question {
  double kappa, tan_alpha; /* slips at which the force is taken */
  double vx;               /* m/s, of the contact point along the wheel */
  double camber;           /* rad, top to the right > 0 (rotation about x) */
  double curvature;        /* 1/m, turn slip, to the left > 0 */
  double ground_friction;
  double load;             /* N */
  double radius;           /* m, for models that do not know their own */
  bool moving;             /* transient slip: the members below are set */
  double slip_x, slip_y;   /* m/s */
  double state_x, state_y; /* m */
  double damper, fastest;  /* s, 1/s */
};

/* What a model that clamps its inputs to ranges took for them. */
typedef struct vd_tyre_used {
  double load, pressure, camber, kappa, tan_alpha; /* N, Pa, rad */
} vd_tyre_used;

struct vd_tyre_answer {                 /* NAN: the model does not know it */
  double fx, fy;                        /* N */
  double mx, my, mz;                    /* N m */
  double trail;                         /* m, -Mz/Fy */
  double pneumatic_trail, residual;     /* m; N m, the part of Mz that is not Fy times the trail; 0 without one */
  double contact_length, contact_width; /* m */
  double rolling_radius, loaded_radius; /* m */
  double mu_peak, kappa_peak, alpha_peak;
  double mu_x, mu_y; /* factors of friction D/Fz, without the shifts of the curves */
  int clamped;       /* sum of 1 << enum vd_mf_clamp; -1: the model has no ranges */
  vd_tyre_used used;
  double slip_stiffness, cornering_stiffness; /* N, N/rad */
  double sigma_x, sigma_y;                    /* m */
  double fx_by_kappa, fy_by_alpha;            /* N, N/rad: as vd_tyre_slopes returns them */
  double rate_x, rate_y, damped;              /* m/s and W, of bristles */
};

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

/* Slopes of the steady forces at the question's slips: dFx/dkappa (N) and dFy/dalpha (N/rad), by differences of fourth
 * order over 2 10^-3, to about 1e-8 of the stiffness; across a limit of the slips they are means of both sides. */
void vd_tyre_slopes(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

#endif
