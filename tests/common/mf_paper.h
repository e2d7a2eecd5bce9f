/* A second implementation of the Magic Formula, for comparisons: written from the literature independently of lib/tyre,
 * without shared code, reader or elementary functions. It is plain, scalar and slow.
 *
 *   struct mf_paper tyre;
 *   if (!mf_paper_read(&tyre, "some.tir")) ...
 *   struct mf_paper_point at = {.fz = 4000.0, .kappa = 0.05, .alpha = -0.1, .gamma = 0.02, .vx = 20.0};
 *   struct mf_paper_figures of = mf_paper_compute(&tyre, (struct mf_paper_mode){.limits = true}, &at);
 *
 * All quantities are in SI and in the axes of ISO 8855 at the contact (x forward, y left, z up), as in property files.
 * FITTYP below 60 is MF-Tyre 5.2 (PAC2002), 61 and 62 are MF-Tyre 6.1 and 6.2.
 *
 * Sources. E.n and (4.n) are equations (4.E1) to (4.E78) and (4.75) to (4.106) of H. B. Pacejka, Tire and Vehicle
 * Dynamics, 3rd ed. 2012; A.n are those of I. J. M. Besselink, A. J. C. Schmeitz, H. B. Pacejka, An improved Magic
 * Formula/Swift tyre model that can handle inflation pressure changes, 2010. "MFeval" are results of that evaluator
 * from comparisons with TNO's solver, and additions of TNO's manuals of 5.2 and 6.2.
 *
 * Where these sources differ, this file uses:
 * - alpha* = tan(alpha) and gamma* = sin(gamma) (E.3, E.4); B and D of the trail, the camber of mu_x, Mx, My, s and of
 *   sigma_y of 5.2 take gamma itself (A.56 to A.60, MFeval).
 * - B_t has QBZ4 gamma + QBZ5 |gamma|, not the book's QBZ6; D_t has QDZ3 gamma, not its absolute value (A.58, A.60).
 * - Equivalent angles are atan(sqrt(tan^2 + ...)) (A.54, A.55), not sqrt(alpha^2 + ...) (E.77, E.78). As alpha_t is a
 *   tangent already, this makes sense for |tan(alpha)| below pi/2, 57 degrees; so does cos(alpha*) in D_r (MFeval).
 * - The side force at the trail is G_yk with camber times F_y0 without camber and spin (MFeval); 5.2: Fy - S_Vyk with
 *   camber in both (MFeval takes mu_y without camber in its S_Vyk).
 * - A_mu of the digressive friction is 1 (MFeval), and friction does not fall with speed (LMUV of E.7 is 0).
 * - My is negative, and proportional to FNOMIN (A.48), not to the load (E.70); in 5.2 it is proportional to the load.
 *   My decreases to 0 as a wheel locks, and below FZMIN Mx and My are reduced (MFeval).
 * - LFZO multiplies the trail (MFeval).
 * - E above 1 is set to 1 always (the book's condition); MFeval does so with limits only.
 * - Limits: slips, camber, pressure and FZMAX clamp; FZMIN raises the load in the aligning moment alone; rolling
 *   resistance, effective radius and contact use the given load and slip, and turn slip is multiplied by cos(alpha)
 *   (MFeval).
 * - Spin is + curvature + (1 - eps) omega sin(gamma)/V: (4.76) in ISO axes, whose z and yaw are opposite to the book's
 *   while camber is not. The camber force is then the same with and without turn slip, and moments resist the spin.
 *   MFeval has both terms with a minus, which reverses the camber force as soon as turn slip is switched on.
 * - The slope of the moment by spin is (4.99), QDZ8 + QDZ9 dfz + (QDZ10 + QDZ11 dfz)|gamma|, its curve (4.93) has QDRP2
 *   and the whole spin; MFeval has QDZ8 QDZ9 dfz (a slip), no QDRP2, and turn slip without camber.
 * - V'c is the speed of the contact, VXLOW at least; K_y alpha 0 in (4.88) contains zeta3 (MFeval). That of 5.2 does
 *   not, and K_y gamma 0 is PHY3 K_y alpha 0 + Fz (PVY3 + PVY4 dfz) (2nd ed. of the book, 2006, E.25, E.30), here with
 *   the LMUY that S_Vy has. MFeval keeps PHY3 gamma of 5.2 with turn slip, and has no shift by spin.
 * - sigma_x of 5.2 falls with exp(-PTX3 dfz) (MFeval; others have no minus).
 * - 6.2's deflection by camber: no term without Q_CAM1 and Q_CAM2 or at gamma = 0. A wide tread at large camber touches
 *   before it carries the load; then there is no loaded radius.
 * - Small figures that keep quotients finite are 1e-12; MFeval's 1e-6 changes the trail by 5e-8 of itself at 20 m/s.
 * Not included: speeds below VXLOW (MFeval's reductions), wheels rolling backwards (the book's and MFeval's signs of
 * the trail contradict each other), transients, a tyre mounted on the other side. */

#ifndef MF_PAPER_H
#define MF_PAPER_H

#include <stdbool.h>
#include <stddef.h>

struct mf_paper_coefficient {
  char name[32];
  double value;
};

struct mf_paper {
  struct mf_paper_coefficient of[512];
  size_t count;
};

/* Reads lines NAME = number; every other line is ignored. The units of the file must be SI. False if the file cannot be
 * read or has no such line. */
bool mf_paper_read(struct mf_paper *tyre, const char *path);
/* Sets or adds a coefficient. */
void mf_paper_set(struct mf_paper *tyre, const char *name, double value);
/* Returns the value of a parameter; if the file has none: 1 for scale factors, Q_RE0 and VXLOW, 2 for PKY4,
 * otherwise 0. */
double mf_paper_get(const struct mf_paper *tyre, const char *name);

/* The digits of MFeval's use mode: .limits is 1xx, .plain_angles false is 11x, .turn_slip is 112. */
struct mf_paper_mode {
  bool limits;       /* inputs are clamped to the ranges of the file */
  bool plain_angles; /* alpha and gamma instead of tan(alpha) and sin(gamma) */
  bool turn_slip;    /* .curvature has an effect, and camber acts as spin */
};

struct mf_paper_point {
  double fz;        /* load, N */
  double kappa;     /* longitudinal slip, -1: locked */
  double alpha;     /* slip angle, rad: atan(vy/vx) of the contact, positive gives a negative fy */
  double gamma;     /* inclination, rad, positive: the top leans to -y */
  double pressure;  /* Pa; 0: the file's INFLPRES or, without it, NOMPRES */
  double vx;        /* longitudinal speed of the contact, m/s, not negative */
  double curvature; /* turn slip, 1/m: yaw velocity of the wheel over its speed, positive to the left */
};

struct mf_paper_figures {
  double fz, kappa, alpha, gamma, pressure, curvature; /* as used */
  bool clamped;                                        /* an input was clamped */
  bool steep;            /* a curvature factor E above 1 was set to 1; MFeval does so with .limits only */
  double phi;            /* spin, 1/m: turn slip and the part of camber, (4.76) */
  double fx, fy;         /* N */
  double mx, my, mz;     /* N m */
  double trail;          /* pneumatic trail, m */
  double residual;       /* residual moment, N m */
  double mu_x, mu_y;     /* peak friction */
  double slip_stiffness; /* K_x kappa, N */
  double cornering;      /* K_y alpha with camber, N/rad, negative */
  double camber;         /* K_y gamma 0, at alpha = gamma = 0, N/rad */
  double dfx_dkappa;     /* slopes of the combined forces at constant spin, N, N/rad, N/rad */
  double dfy_dalpha, dfy_dgamma;
  double stiffness_x, stiffness_y; /* N/m, stiffness of the carcass; only 6.1 and 6.2 use it */
  double sigma_x, sigma_y;         /* relaxation lengths, m */
  double re, omega;                /* effective rolling radius, m, and the speed of rotation it belongs to, rad/s */
  double deflection, loaded_radius, stiffness_z; /* m, m, N/m; NaN if no radius carries the load */
  double contact_length, contact_width;          /* whole, m */
  double spin_moment;                            /* largest moment of spin, (4.95), at a wheel turned on the spot */
};

struct mf_paper_figures mf_paper_compute(const struct mf_paper *tyre, struct mf_paper_mode mode,
                                         const struct mf_paper_point *at);

/* Computes point i of a low-discrepancy sequence in n <= 8 dimensions, each coordinate in [0, 1): multiples of powers
 * of the generalised golden ratio (M. Roberts, 2018). */
void mf_paper_spread(unsigned i, unsigned n, double *out);

#endif
