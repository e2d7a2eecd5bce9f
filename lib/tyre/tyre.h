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

#include "base/base.h"
#include "tyre/mf.h"
#include "input/schema.h"

enum vd_tyre_model { VD_TYRE_LINEAR, VD_TYRE_MF96, VD_TYRE_TMEASY, VD_TYRE_MF };

/* How a tyre moves with transient slip. */
enum vd_tyre_transient { VD_TYRE_RELAXATION, VD_TYRE_LUGRE };

/* One direction of the Magic Formula: F = D sin(C atan(B s - E (B s - atan(B s)))) */
typedef struct vd_magic {
  double b, c, d, e;
} vd_magic;

/* TMeasy: one curve at one load, see tyre/tmeasy.c. */
typedef struct vd_tmeasy_curve {
  double df0;     /* N, initial slope */
  double s_max;   /* -, slip of the peak */
  double f_max;   /* N */
  double s_slide; /* -, slip from which it slides fully */
  double f_slide; /* N */
} vd_tmeasy_curve;

typedef struct vd_tmeasy_def {
  vd_tmeasy_curve nominal, doubled; /* at nominal_load and at twice that */
} vd_tmeasy_def;

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
  /* tmeasy; nominal_load too */
  vd_tmeasy_def tmeasy_longitudinal, tmeasy_lateral;
  double trail_zero, trail_end; /* lateral slips at which the trail is first zero and ends */
  /* mf */
  const char *file;       /* .tir; once read, its text stands in properties: a resolved scenario needs no other file */
  const char *properties; /* text of a .tir */
  const char *origin;     /* the file or the text that was read */
  double pressure;        /* Pa; auto: the file's */
  const vd_mf_def *mf;    /* what the file says; by vd_tyre_complete, in the arena */
  /* all */
  double friction;                                    /* at nominal load */
  double pneumatic_trail;                             /* m */
  double rolling_resistance;                          /* torque / (load x radius) */
  double vertical_stiffness;                          /* N/m */
  double vertical_damping;                            /* N s/m; auto: that of mf's file, else 0 */
  double relaxation_longitudinal, relaxation_lateral; /* m, at small slip; used by transient slip only */
  int transient;                                      /* enum vd_tyre_transient */
  double bristle_damping;                             /* s: of lugre at standstill, damping over stiffness */
} vd_tyre_def;

extern const vd_schema vd_tyre_schema;

typedef struct vd_tyre {
  vd_tyre_def def;
  double inverse_load; /* mf96, tmeasy: 1/N */
  double highest_load; /* tmeasy: over nominal_load, from which on forces stay */
  vd_mf mf;
  double kappa_peak, alpha_peak; /* mf96: where the pure curves are highest; rad; INFINITY: no peak */
} vd_tyre;

/* What bends the bristles of n tyres (tyre/lugre.c), arrays [n]. */
typedef struct vd_bending {
  const double *slip_x, *slip_y;   /* m/s, R w - Vx and -Vy */
  const double *state_x, *state_y; /* m, deflections */
  const double *damper;            /* s */
  double fastest;                  /* 1/s, highest rate of a deflection */
} vd_bending;

/* How n tyres meet the road, arrays [n]. */
typedef struct vd_contact {
  const double *kappa,
      *tan_alpha;       /* slips: steady, or what is left of them behind a relaxation length; steady for bristles */
  const double *vx;     /* m/s; mf and bristles */
  const double *camber; /* rad, top to the right > 0; NULL: upright */
  const vd_bending *bending; /* NULL: steady */
} vd_contact;

/* Of one tyre, not of mf. */
typedef struct vd_slide {
  double fx, fy; /* mf96: force over friction x load, components; linear: unlimited pure forces at s, N */
  double cx, cy; /* unit vector of s; tmeasy: slips against the tread's speed */
  double turn;   /* how far the direction has turned into s, 0..1 */
  double trail;  /* m, linear and mf96 */
  /* tmeasy: the last pass, from which the next one takes its derivatives by load; load NAN: none yet */
  double last_load, last_fx, last_fy;
  bool bristles; /* the next line is there */
  double sx, sy, vx, zx, zy, damper, fastest;
} vd_slide;

/* Tyres that are evaluated together, one of each wheel or of each axle: made once, as it lays those of mf side by side. */
typedef struct vd_tyre_row {
  int count;                      /* <= VD_WHEELS */
  const vd_tyre *each[VD_WHEELS]; /* they stay where they are and as they are */
  bool some_mf, all_mf;           /* all: and four */
  int lane[VD_WHEELS];            /* of the four of mf, whose numbers stand there: its own, or of any other of mf */
  double mf_friction[VD_WHEELS], mf_pressure[VD_WHEELS];
  vd_mf_four mf;
} vd_tyre_row;

/* What vd_tyre_slide leaves for vd_tyre_force. */
typedef struct vd_slide_row {
  vd_slide each[VD_WHEELS];
  vd_mf_contact mf_contact; /* friction: from the first pass on */
  vd_mf_slip mf_slip;
  vd_mf_last mf_last;   /* of the last pass, */
  vd_wide_kept mf_load; /* at this load; NAN: none yet */
} vd_slide_row;

/* Forces of n tyres. All arrays [n]. */
typedef struct vd_tyre_forces {
  double fx[VD_WHEELS], fy[VD_WHEELS];         /* N */
  double dfx[VD_WHEELS], dfy[VD_WHEELS];       /* derivatives by load; used only to speed up the load loop */
  double mx[VD_WHEELS], my[VD_WHEELS];         /* N m, overturning and rolling resistance; mf, else zero */
  double rate_x[VD_WHEELS], rate_y[VD_WHEELS]; /* m/s, of the deflections; bristles only */
} vd_tyre_forces;

/* Reads the property file of mf, and fills what was left to `auto`. root gives the places, path is the tyre's key in it. */
void vd_tyre_complete(vd_tyre_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* The file that a tyre of model mf names, or its text, whether it has been completed or not. */
const char *vd_tyre_origin(const vd_tyre_def *def);

/* Checks across fields. `root` gives the places, `path` is the tyre's key in it. */
void vd_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d);

/* right: mounted on the right side of the car, which mirrors a tyre that was measured on the left, and the reverse. */
void vd_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre);

/* Left and right are each other's mirror image and not the same. */
bool vd_tyre_sided(const vd_tyre *tyre);

/* Slope of Fx over kappa at zero slip and this load, N. Friction of the ground scales that of mf96. */
double vd_tyre_slip_stiffness(const vd_tyre *tyre, double ground_friction, double load);
/* Slope of -Fy over alpha, N/rad. */
double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double ground_friction, double load);

/* Relaxation lengths (m) at a load, > 0 at any: those of mf stay as they are below the range of the file. */
void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral);

/* The greatest of each stiffness at any load up to `most`, on ground of this friction: what bounds the step. */
void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row);

/* n is the row's count; ground_friction[n] are factors on the tyres', the same in every pass. */
void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide);
void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out);

/* The pneumatic trail lies behind the contact point, whichever way it moves (m/s): 1 forwards, -1 backwards, between them smooth
 * within 0.1 m/s. */
static inline double vd_trail_side(double vx) {
  double u = 10.0 * vx;
  return u >= 1.0 ? 1.0 : u <= -1.0 ? -1.0 : 0.5 * u * (3.0 - u * u);
}

/* Four tyres of model mf96 side by side: what vd_tyre_slide, vd_tyre_force and vd_tyre_moments give, in two calls, where the loads
 * are known at once. Not with bristles. */
typedef struct vd_mf96_four {
  double b[2][VD_WHEELS], c[2][VD_WHEELS], d[2][VD_WHEELS], e[2][VD_WHEELS]; /* longitudinal, lateral */
  double falloff[VD_WHEELS], trail[VD_WHEELS];
  double friction[VD_WHEELS], share[VD_WHEELS], fall[VD_WHEELS]; /* mu = friction (share - fall Fz) */
} vd_mf96_four;

typedef struct vd_slides {
  double fx[VD_WHEELS], fy[VD_WHEELS]; /* force over friction x load */
  double trail[VD_WHEELS];             /* m */
} vd_slides;

void vd_mf96_pack(const vd_tyre *const *tyre, vd_mf96_four *four);
void vd_mf96_slides(const vd_mf96_four *m, const double *kappa, const double *tan_alpha, vd_slides *out);
void vd_mf96_forces(const vd_mf96_four *m, const vd_slides *slides, const double *ground_friction, const double *load,
                    const double *vx, double *fx, double *fy, double *mz);

/* Its derivatives by load come from one pass to the next. */
bool vd_tyre_learns(const vd_tyre *tyre);

/* Aligning moments (N m), at the side forces that were found and the loads that were last given to vd_tyre_force. */
void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz);

/* Another inflation pressure, Pa; of no effect on models that do not know it. */
void vd_tyre_inflate(vd_tyre *tyre, double pressure);
/* Pa; NAN: the model does not know it. */
double vd_tyre_pressure(const vd_tyre *tyre);

/* Effective rolling radius (m) at a load; NAN: the model does not know it. */
double vd_tyre_rolling_radius(const vd_tyre *tyre, double load, double omega);

/* Everything that one tyre answers to one state of motion, for rigs and logs. */
typedef struct vd_tyre_question {
  double kappa, tan_alpha; /* slips at which the force is taken */
  double vx;               /* m/s, of the contact point along the wheel */
  double camber;           /* rad, top to the right > 0 (rotation about x) */
  double ground_friction;
  double load;             /* N */
  double radius;           /* m, for tyres that do not know their own */
  bool moving;             /* the deflections count: bristles */
  double slip_x, slip_y;   /* m/s */
  double state_x, state_y; /* m */
  double damper, fastest;  /* s, 1/s */
} vd_tyre_question;

typedef struct vd_tyre_answer {         /* NAN: the model does not say */
  double fx, fy;                        /* N */
  double mx, my, mz;                    /* N m */
  double trail;                         /* m */
  double rolling_radius, loaded_radius; /* m */
  double mu_peak, kappa_peak, alpha_peak;
  double slip_stiffness, cornering_stiffness; /* N, N/rad */
  double sigma_x, sigma_y;                    /* m */
  double rate_x, rate_y;                      /* m/s, of bristles */
} vd_tyre_answer;

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

/* The highest friction coefficient and the slips where the pure forces are highest, for the log. */
void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);

#endif
