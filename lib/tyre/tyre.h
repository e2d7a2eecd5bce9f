/* Tyres: forces from slip and load, for all wheels in one call.
 *
 * A force is computed in two parts, so that a load loop repeats only the second:
 *   vd_tyre_slide   everything that depends on slip alone (the trigonometry)
 *   vd_tyre_force   forces at given loads
 *
 * Combined slip of the linear tyre and of mf96 is one rule (design decision, own derivation). With the slip vector s =
 * (kappa, -tan alpha) of length s, both pure curves are evaluated at s and combined along the vector:
 *   F = (Fx0(s) kappa, Fy0(s) (-tan alpha))/s
 * which is exactly the pure force when either slip is zero, keeps both initial slopes, and never leaves the friction
 * circle (the ellipse, if the two friction coefficients differ). From s = 0.5 to s = 1 the direction of the force turns
 * to the direction of s, so that the force on a locked or spinning wheel is opposite to the velocity of its tread, and
 * not in the ratio of two saturated curves.
 *
 * Contact frame and signs: tyre_model.h. Keys of a tyre file: tyre_def.h. */
#ifndef VD_TYRE_H
#define VD_TYRE_H

#include "base/list.h"
#include "tyre/tyre_models.h"

/* Models of transient slip: relax.h, lugre.h. */
enum vd_tyre_transient { VD_TYRE_RELAXATION, VD_TYRE_LUGRE };

/* Parameters of tyres of all models. */
typedef struct vd_tyre_common {
  double friction;                                    /* at nominal load */
  double pneumatic_trail;                             /* m */
  double rolling_resistance;                          /* torque / (load x radius), at standstill */
  double rolling_speed;                               /* m/s, speed of twice this resistance; 0, NAN: it is constant */
  double vertical_stiffness;                          /* N/m */
  double vertical_steepest;                           /* N/m, greatest slope of the load curve; 0: there is none */
  double vertical_damping;                            /* N s/m */
  double camber_stiffness;                            /* 1/rad, side force divided by load and camber */
  double patch_width;                                 /* m */
  double lateral_stiffness;                           /* N/m; NAN: rigid; 0: the model has no such key */
  double relaxation_longitudinal, relaxation_lateral; /* m, at small slip; used by transient slip only */
  int transient;                                      /* enum vd_tyre_transient */
  /* s, lugre: damping divided by stiffness at standstill; NAN: auto */
  double bristle_damping;
  vd_points load_curve; /* m, N: load over deflection; count 0: vertical_stiffness */
} vd_tyre_common;

/* Returns the share by which the rolling resistance grows, divided by the square of the speed, s2/m2. */
static inline double vd_tyre_rolling_growth(const vd_tyre_common *common) {
  return common->rolling_speed > 0.0 ? 1.0 / (common->rolling_speed * common->rolling_speed) : 0.0;
}

struct vd_tyre {
  enum vd_tyre_model model;
  vd_tyre_common common;
  double pressure; /* Pa; NAN: the model does not depend on it */
  bool sided;      /* a left and a right tyre are mirror images and not equal */
  bool bristles;   /* its transient slip has bristles, whose rates are computed with the forces */
  vd_tyre_shape as;
  vd_curve load_curve; /* from the tyre file or its property file; count 0: vertical_stiffness is used */
  double firmness;     /* factor on the loads of load_curve, by the inflation pressure */
};

/* The tyres of one model in a row of tyres. A lane whose tyre is of another model repeats the first tyre of the group,
 * so that every lane has valid numbers. */
typedef struct vd_tyre_group {
  int count;
  int wheel[VD_WHEELS];           /* [count]: indices of its tyres in arrays [n] */
  int lane[VD_WHEELS];            /* index of the tyre whose numbers a lane contains */
  const vd_tyre *tyre[VD_WHEELS]; /* tyre of each lane */
  bool has_thrust;                /* a tyre of the group has a camber_stiffness */
  const vd_tyre_variant *variant;
  vd_tyre_lanes lanes;
} vd_tyre_group;

/* A row: the tyres that are evaluated together, one for each wheel or each axle, grouped by model. */
typedef struct vd_tyre_row {
  int count;                      /* <= VD_WHEELS */
  const vd_tyre *each[VD_WHEELS]; /* they must not be moved or changed while the row is used */
  bool bristles;                  /* a tyre has bristles */
  bool needs_camber;              /* a tyre has camber thrust or a patch with a width */
  bool has_overturning;           /* a tyre has a patch with a width, or one that moves sideways */
  bool has_turn_slip;             /* a tyre has turn slip */
  bool forces_only;               /* one group, without overturning moments */
  bool at_once;                   /* forces_only with four tyres whose model has the function at_loads */
  int groups;
  vd_tyre_group group[VD_WHEELS];
} vd_tyre_row;

/* Quantities that depend on slip alone, from which forces are computed. */
typedef struct vd_slides {
  vd_slide each[VD_WHEELS];
  bool bristles;  /* a tyre has bristles; if not, each[].bristles is not set */
  vd_mf_slide mf; /* slides of the group of model mf */
} vd_slides;

/* Results of vd_tyre_slide, which vd_tyre_force uses. */
typedef struct vd_slide_row {
  vd_slides now;
  vd_slides rolling; /* slides without slip, for bristles */
} vd_slide_row;

const vd_tyre_traits *vd_tyre_traits_of(enum vd_tyre_model model);
/* Returns whether the tyre has an overturning moment, or a rolling moment of its own. */
bool vd_tyre_has_moments(const vd_tyre *tyre);
bool vd_tyre_depends_on_camber(const vd_tyre *tyre);

/* Returns the slopes at zero slip and this load, of Fx over kappa (N) and of -Fy over alpha (N/rad). */
double vd_tyre_slip_stiffness(const vd_tyre *tyre, double ground_friction, double load);
double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double ground_friction, double load);
void vd_tyre_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);

/* Returns an upper limit of the pure forces at a load without camber, N. It is close to the peaks of vd_tyre_peaks, but
 * faster to compute. */
double vd_tyre_grip(const vd_tyre *tyre, double ground_friction, double load);

/* Computes the relaxation lengths (m) at a load, > 0 at any load. The first function is for an upright wheel, the
 * second for a wheel with camber (rad). */
void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral);
void vd_tyre_relaxation_at(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral);

/* The moment that resists when a standing wheel is turned about the vertical. It rises with the angle by `stiffness' up
 * to `most' (N m); both members are 0 for a tyre without turn slip. */
struct vd_tyre_twist {
  double length; /* m, distance of rolling over which the twist decays: half the length of the patch */
  /* N m/rad: slope of the rolling wheel's moment over path curvature (N m2), divided by `length' */
  double stiffness;
  double most;
};
bool vd_tyre_has_turn_slip(const vd_tyre *tyre);
void vd_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist);

/* Computes the greatest value of each stiffness at any load up to `most`, on a ground of this friction. They limit the
 * step. */
void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);

/* Computes the highest friction coefficient, and the slips at which the pure forces are highest, for the log. */
void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

/* Computes the effective rolling radius (m) of the standing wheel at a load, and the height of its centre; NAN: the
 * model does not have it. */
void vd_tyre_radii(const vd_tyre *tyre, double load, double *rolling, double *loaded);

/* Returns whether the tyre has a load curve; otherwise it is a linear vertical spring. The other functions return
 * force, slope and energy at a deflection (m), and the deflection at a load (N). */
bool vd_tyre_curved(const vd_tyre *tyre);
vd_load_point vd_tyre_vertical(const vd_tyre *tyre, double deflection);
double vd_tyre_vertical_deflection(const vd_tyre *tyre, double load);

/* Sets another inflation pressure, Pa. It has no effect on models that do not depend on it. */
void vd_tyre_inflate(vd_tyre *tyre, double pressure);

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row);

/* Computes the two parts of the forces. Arrays have n entries, the count of the row. ground_friction: factors on the
 * friction of the tyres; they must be the same in every pass. */
void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide);
void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out);

/* Computes the relaxation lengths (m) of all tyres without camber, as vd_tyre_relaxation, at loads [n]. */
void vd_tyre_relaxations(const vd_tyre_row *row, const double *load, double *longitudinal, double *lateral);

/* Prepares the aligning moments after a small relative change of the loads since the last pass, for which the caller
 * has extrapolated the forces. The relative error of the moments is a few tenths of this change. */
void vd_tyre_shift_loads(const vd_tyre_row *row, vd_slide_row *slide, const double *load);

/* Computes the aligning moments (N m) for the side forces fy and the loads of the last pass. */
void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz);

/* Computes slides, forces and moments in one call, if the loads are known. */
void vd_tyre_at_loads(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                      const double *load, const vd_tyre_results *out);

/* One tyre in one state of motion, for rigs and claims. */
struct vd_tyre_question {
  double kappa, tan_alpha; /* slips for which forces are computed */
  double vx;               /* m/s, of the contact point along the wheel */
  double camber;           /* rad, top to the right > 0 (rotation about x) */
  double curvature;        /* 1/m, turn slip, to the left > 0 */
  double ground_friction;
  double load;             /* N */
  double radius;           /* m, for models without a radius of their own */
  bool moving;             /* transient slip: the members below are set */
  double slip_x, slip_y;   /* m/s */
  double state_x, state_y; /* m */
  double damper, fastest;  /* s, 1/s */
};

/* Inputs after a model has clamped them to its ranges. */
typedef struct vd_tyre_used {
  double load, pressure, camber, kappa, tan_alpha; /* N, Pa, rad */
} vd_tyre_used;

struct vd_tyre_answer {                 /* NAN: the model does not have it */
  double fx, fy;                        /* N */
  double mx, my, mz;                    /* N m */
  double trail;                         /* m, -Mz/Fy */
  double pneumatic_trail, residual;     /* m; N m, the part of Mz that is not -Fy times the trail, 0 if there is none */
  double contact_length, contact_width; /* m */
  double rolling_radius, loaded_radius; /* m */
  double mu_peak, kappa_peak, alpha_peak;
  double mu_x, mu_y; /* friction D/Fz, without the shifts of the curves */
  int clamped;       /* sum of 1 << enum vd_mf_clamp; -1: the model has no ranges */
  vd_tyre_used used;
  double slip_stiffness, cornering_stiffness; /* N, N/rad */
  double sigma_x, sigma_y;                    /* m */
  double fx_by_kappa, fy_by_alpha;            /* N, N/rad: set by vd_tyre_slopes */
  double rate_x, rate_y, damped;              /* m/s, m/s, W: of bristles */
};

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

/* Computes the slopes of the steady forces at the slips of the question: dFx/dkappa (N) and dFy/dalpha (N/rad), by
 * differences of fourth order with a step of 2e-3 and an error of about 1e-8 of the stiffness. At a limit of the slip
 * range a slope is the mean of both sides. */
void vd_tyre_slopes(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

#endif
