/* The Magic Formula of MF-Tyre property files: MF 5.2 (PAC2002), 6.1 and 6.2, steady state, one tyre per call or four.
 *
 *   H. B. Pacejka, Tire and Vehicle Dynamics, 3rd ed. 2012, ch. 4.3.2; its equation numbers (4.E1-4.E78) stand in
 *   mf_force.c
 *   I. J. M. Besselink, A. J. C. Schmeitz, H. B. Pacejka, An improved Magic Formula/Swift tyre model that can handle
 *   inflation pressure changes, Vehicle System Dynamics 48 S1 (2010): pressure, vertical force, radii
 *
 * Contact frame, ISO-W: x along the wheel's heading in the road plane, y to its left, z along the road normal; forces
 * and moments act from the road on the tyre.
 *   kappa      > 0 drives
 *   tan_alpha  Vy/|Vx| > 0: the contact slides to the left, so Fy < 0
 *   gamma      inclination about x, > 0: the top leans to the right, so camber pushes to the right, Fy < 0
 *
 * Signs of the coefficients. Pacejka's book states the equations in adapted SAE axes (y right, z down, alpha there =
 * -Vy/Vx, Fy = +C alpha). Property files hold ISO-W coefficients, for which the same equations are read with alpha =
 * +Vy/|Vx|: then PKY1 < 0 makes Kya = dFy/dalpha < 0, PKY6 < 0 makes dFy/dgamma < 0, and with a positive trail (QDZ1 >
 * 0) Mz = -t Fy > 0 turns the wheel towards its velocity. Reversing the y axis reverses Fy, alpha, gamma, Mx and Mz, so
 * the form of the equations is the same and only the signs of the odd coefficients differ: nothing is converted here.
 * My is about +y, the direction in which a wheel that rolls forward turns, so rolling resistance is My < 0. With vx < 0
 * the pneumatic trail and the residual torque change sign, and so does My; Fy opposes the sliding either way. The
 * change is smooth within |vx| < VXLOW.
 *
 * Where sources differ, the equations follow MFeval (M. Furlan, version 4, mode 121), the public evaluator that was
 * compared with MF-Tyre: alpha* = tan alpha and gamma* = sin gamma in all versions, gamma itself in mu_x, B_t, D_t, s,
 * Mx and My, cos(alpha*) in D_r and cos(alpha) in t; E_t depends on alpha_t, not on its equivalent; t and s contain
 * Fz0, not Fz0'; A_mu = 1 in 4.E8, so that shifts scale like friction. For MF 5.2 the scaling factors of its own
 * manual, LGAX, LGAY and LGAZ, are used, which MFeval ignores.
 *
 * Limits. Slips, camber and pressure are clamped to the file's ranges, the load at FZMAX (10 times the nominal load, if
 * the file has none); vd_mf_unlimited removes the file's ranges. The load floor is FZMIN, or a hundredth of the nominal
 * load if this is more. Below it the coefficients keep their values at the floor, and all forces and moments are
 * proportional to the load, so that they vanish with it continuously. cos(alpha*) becomes a hyperbola beyond alpha* = 1
 * (45 deg), and the equivalent slip angles of Mz saturate at 90 deg: both would oscillate with tan alpha.
 *
 * Combined slip without coefficients (RBX1, RBX3, RBY1, RBY4 all zero) follows from the pure forces by similarity, as
 * in Adams for PAC89 and PAC94 and in Project Chrono for PAC2002. With the slips relative to the zeros of the curves,
 * kc = kappa + SHx + SVx/Kx and sc = sin(atan(tan alpha + SHy + SVy/Ky)), and tan beta = |sc/kc|,
 *   mu_x = 1/sqrt(1/mux0^2 + tan^2 beta/muy^2),  mu_y = tan beta/sqrt(1/mux^2 + tan^2 beta/muy0^2)
 * where mux0, muy0 are the pure forces without their vertical shifts, divided by the load, and mux, muy their friction.
 * Each pure force is multiplied by mu/mu0, which is 1 if the other slip is zero. The sum (mu_x/mux)^2 + (mu_y/muy)^2 is
 * at most 1; it is 1 if both pure forces have reached their friction.
 *
 * Turn slip (ch. 4.3.3, equations 4.75-4.106) is used if USE_MODE selects it and the file has coefficients for it. With
 * the yaw velocity r of the wheel (to the left), its spin omega, and the speed V of its contact point,
 *   phi = (r + (1 - eps) omega sin(gamma))/V,   1/m
 * which is the book's phi in ISO axes: the book's z axis and yaw have the opposite direction, camber and omega the
 * same. r/V is the curvature of the path if the slip angle is constant. The moment opposes r; the side force has the
 * direction of the camber force. For a wheel that rolls backwards the side force changes its sign, as in 4.86, and the
 * moment does not: a mirror image in the plane across the car reverses r, V and Mz, but not Fy.
 *   - Quantities without coefficients in the file are neutral: without PHYP1 the camber force follows from gamma,
 *     without QCRP1 or QDRP1 so does the moment by camber. In 5.2 the camber force of spin takes the
 *     place of PHY3, with the camber stiffness PHY3 Kya0 + Fz (PVY3 + PVY4 df) LMUY (2nd ed. of the book, 2006, 4.E28,
 *     4.E30).
 *   - K_zgr0 (4.99) is clamped to 0 if its moment would drive the rotation. 1 - eps is at least 0.1.
 *   - The moment of a standing wheel is the limit for phi -> infinity, 4.95:
 *       Mz = QCRP1 LMP mu_y R0 Fz sqrt(Fz/Fz0') */
#ifndef VD_MF_H
#define VD_MF_H

#include "base/wide.h"
#include "tyre/load_curve.h"

enum vd_mf_side { VD_MF_LEFT, VD_MF_RIGHT, VD_MF_SYMMETRIC };

/* The program for which a file of MF 5.2 was made: TNO's MF-Tyre, or PAC2002 of Adams (tir.h lists the differences). */
enum vd_mf_format { VD_MF_TNO, VD_MF_PAC2002 };

/* How Fx and Fy are combined if USE_MODE selects combined forces. AUTO: by the weights of the file if it has any,
 * otherwise by the ellipse; WEIGHTS, ELLIPSE: by this method, whatever the file has; UNCOMBINED: not combined. */
enum vd_mf_combined { VD_MF_AUTO, VD_MF_WEIGHTS, VD_MF_ELLIPSE, VD_MF_UNCOMBINED };

/* When turn slip is used, if the file has coefficients for it. AUTO: if the last digit of USE_MODE is 5; ON: if this
 * digit is 4 or 5; OFF: never. */
enum vd_mf_turn_slip { VD_MF_TURN_AUTO, VD_MF_TURN_ON, VD_MF_TURN_OFF };

/* A property file in SI units. Members are its keys. */
typedef struct vd_mf_def {
  int side;      /* TYRESIDE, enum vd_mf_side; symmetric: the tyre is not mirrored on either side */
  int format;    /* enum vd_mf_format */
  int combined;  /* enum vd_mf_combined; not a key of the file */
  int turn_slip; /* enum vd_mf_turn_slip; not a key of the file */
  double fittyp, use_mode;
  double longvl, vxlow;
  double unloaded_radius, width, aspect_ratio, rim_radius, rim_width;
  double inflpres, nompres;
  double mass, ixx, iyy;
  double fnomin, vertical_stiffness, vertical_damping, breff, dreff, freff;
  double q_ra1, q_ra2, q_rb1, q_rb2, q_a1, q_a2;
  double q_re0, q_v1, q_v2, q_fz1, q_fz2, q_fz3, q_fcx, q_fcy, q_fcy2;
  double q_cam, q_cam1, q_cam2, q_cam3, q_fys1, q_fys2, q_fys3, pfz1, bottom_offst, bottom_stiff;
  double longitudinal_stiffness, lateral_stiffness, pcfx1, pcfx2, pcfx3, pcfy1, pcfy2, pcfy3;
  double presmin, presmax, fzmin, fzmax, kpumin, kpumax, alpmin, alpmax, cammin, cammax;
  double lfzo, lcx, lmux, lex, lkx, lhx, lvx, lgax, lcy, lmuy, ley, lky, lhy, lvy, lgay, lkyc, lkzc;
  double ltr, lres, lgaz, lxal, lyka, lvyka, ls, lsgkp, lsgal, lmx, lvmx, lmy, lmuv, lmp;
  double pcx1, pdx1, pdx2, pdx3, pex1, pex2, pex3, pex4, pkx1, pkx2, pkx3, phx1, phx2, pvx1, pvx2;
  double ppx1, ppx2, ppx3, ppx4, rbx1, rbx2, rbx3, rcx1, rex1, rex2, rhx1, ptx1, ptx2, ptx3;
  double qsx1, qsx2, qsx3, qsx4, qsx5, qsx6, qsx7, qsx8, qsx9, qsx10, qsx11, qsx12, qsx13, qsx14, ppmx1;
  double pcy1, pdy1, pdy2, pdy3, pey1, pey2, pey3, pey4, pey5, pky1, pky2, pky3, pky4, pky5, pky6, pky7;
  double phy1, phy2, phy3, pvy1, pvy2, pvy3, pvy4, ppy1, ppy2, ppy3, ppy4, ppy5;
  double rby1, rby2, rby3, rby4, rcy1, rey1, rey2, rhy1, rhy2, rvy1, rvy2, rvy3, rvy4, rvy5, rvy6, pty1, pty2;
  double qsy1, qsy2, qsy3, qsy4, qsy5, qsy6, qsy7, qsy8;
  double qbz1, qbz2, qbz3, qbz4, qbz5, qbz9, qbz10, qcz1, qdz1, qdz2, qdz3, qdz4, qdz6, qdz7, qdz8, qdz9, qdz10, qdz11;
  double qez1, qez2, qez3, qez4, qez5, qhz1, qhz2, qhz3, qhz4, ppz1, ppz2, ssz1, ssz2, ssz3, ssz4;
  double pecp1, pecp2, pdxp1, pdxp2, pdxp3, pkyp1, pdyp1, pdyp2, pdyp3, pdyp4, phyp1, phyp2, phyp3, phyp4;
  double qdtp1, qcrp1, qcrp2, qbrp1, qdrp1, qdrp2;
  vd_mf_points load_curve; /* [DEFLECTION_LOAD_CURVE]; replaces Q_FZ1, Q_FZ2 and Q_FZ3 */
} vd_mf_def;

/* c0 + c1 u (+ c2 u^2) with u = Fz/Fz0': a coefficient as a function of the load, with its scaling factors. */
typedef struct vd_mf_line {
  double c0, c1;
} vd_mf_line;
typedef struct vd_mf_square {
  double c0, c1, c2;
} vd_mf_square;

/* Keys that are used as the file gives them, except ptx3, whose sign MF-Tyre reverses, and in 5.2 q_ra1 and q_ra2,
 * which are computed from Q_A1 and Q_A2. 0: the file's version has no such key. */
typedef struct vd_mf_body {
  double unloaded_radius, width, aspect_ratio, rim_radius; /* m; the ratio: - */
  double fnomin, lfzo, breff, dreff, freff;                /* fnomin: N; others: - */
  double q_ra1, q_ra2, q_rb1, q_rb2;                       /* contact patch: shares of R0 and of the width */
  double q_re0, q_v1, q_v2, q_fz2, q_fz3, q_fcx, q_fcy, q_fcy2;
  double q_cam, q_cam1, q_cam2, q_cam3, q_fys1, q_fys2, q_fys3, pfz1, bottom_offst, bottom_stiff;
  double longitudinal_stiffness, lateral_stiffness, pcfx1, pcfx2, pcfx3, pcfy1, pcfy2, pcfy3;
  double ptx1, ptx2, ptx3, pty1, pty2, lsgkp, lsgal;
} vd_mf_body;

/* Coefficients from which the forces are computed, made by vd_mf_build. Members are named after the symbols of the
 * book. Up to `has_overturning` all are doubles, and switches between equations are 1 or 0, so that four tyres with
 * different files can be computed side by side. */
typedef struct vd_mf {
  /* ranges and scales */
  double mirror; /* 1, or -1 for a tyre on the side on which it was not measured */
  double kappa_min, kappa_max, tangent_min, tangent_max, gamma_min, gamma_max;
  double load_floor, load_max, load_unit; /* N; 1/Fz0' */
  double pressure_min, pressure_max, pressure_nominal, pressure_unit;
  double lambda_x, lambda_y, lambda_speed; /* LMUX, LMUY, LMUV/V0 */
  /* Fx */
  vd_mf_line mux, kx, shx, svx;
  vd_mf_square ex;
  double pdx3, ppx1, ppx2, ppx3, ppx4, pkx3, pex4, cx;
  double rbx1, rbx2, rbx3, rcx1, shxa;
  vd_mf_line exa;
  /* Fy */
  vd_mf_line muy, ey, shy, svy, svyg, kyg, shift_svyg;
  double pdy3, ppy1, ppy2, ppy3, ppy4, ppy5, cy, pey3, pey4, pey5, pky1, pky2, pky3, pky4, pky5, phy3;
  double rby1, rby2, rby3, rby4, rcy1, rvy3, rvy4, rvy5, rvy6;
  vd_mf_line eyk, shyk, dvyk;
  /* Mz */
  vd_mf_square bt, et;
  vd_mf_line dt, sht, sht_gamma, dr, dr_gamma, dr_gamma2, s_gamma;
  double qbz4, qbz5, qbz9, qbz10, ct, qdz3, qdz4, qez4, qez5, ppz1, ppz2, ssz1, ssz2, coupling;
  double sv_in_trail;   /* 5.2: Fy' is Fy minus SVyk; 6.x: Gyk Fy0 without camber */
  double inverse_v_low; /* s/m */
  double with_x, with_y;
  double ellipse; /* 1: combined by the friction ellipse */
  /* Mx, My */
  double fz0, inverse_fz0, inverse_v0;
  double qsx1, qsx2, qsx3, qsx4, qsx5, qsx6, qsx7, qsx8, qsx9, qsx10, qsx11, qsx12, qsx13, qsx14, ppmx1;
  double my, qsy1, qsy2, qsy3, qsy4, qsy5, qsy6, qsy7, qsy8;
  double my_from_shifts;
  /* turn slip; all are zero without it */
  double turn_radius; /* m, R0: turn slips are made dimensionless by it */
  vd_mf_line ecp, dxp, dyp, dhyp;
  double pdxp3, pkyp1, pdyp3, pdyp4, chyp, ehyp, qdtp1, qbrp1;
  double qcrp1, qcrp2, cdrp, edrp, drp_peak; /* qcrp1: with R0 and LMP, 4.95; drp_peak: 1/sin(C pi/2) in 4.94 */
  double turn_shift, turn_moment;            /* 1: camber acts as spin, in Fy and in Mz */
  bool has_overturning;                      /* Mx has terms with arc tangents */
  bool has_ellipse;
  bool has_turn_slip;
  bool my_has_power; /* QSY7 */
  /* vertical force; used outside the step */
  double cz, q_fz1;
  double pressure; /* Pa, INFLPRES */
  bool old;        /* MF 5.2 */
  vd_curve curve;
  vd_mf_body body;
} vd_mf;

/* Builds a tyre from a definition that has passed vd_tir_read. mounted: side of the vehicle. The tyre is mirrored if
 * this side is opposite to TYRESIDE, and once more if USE_MODE is negative. */
void vd_mf_build(const vd_mf_def *def, enum vd_mf_side mounted, vd_mf *m);

/* Returns whether the file selects combined forces (USE_MODE 4 and 5) but has no coefficients for them. */
bool vd_mf_lacks_weights(const vd_mf_def *def);

/* Returns whether the file has coefficients for turn slip. */
bool vd_mf_has_turn_slip(const vd_mf_def *def);

/* Copies the file's definition without its ranges of load, slip, camber and pressure. */
vd_mf_def vd_mf_unlimited(const vd_mf_def *def);

/* Returns whether the key at this offset of vd_mf_def changes the result of vd_mf_build for a file of this version and
 * format. */
bool vd_mf_reads(double fittyp, enum vd_mf_format format, size_t offset);

typedef struct vd_mf_input {
  double load; /* N */
  double kappa, tan_alpha;
  double gamma;    /* rad */
  double pressure; /* Pa; the file's pressure is vd_mf.pressure */
  double vx;       /* m/s, velocity of the contact along the heading, signed */
  double friction; /* friction of the road; scales LMUX and LMUY */
  /* used with turn slip */
  double curvature; /* 1/m, yaw velocity of the wheel divided by the speed of the contact, to the left > 0 */
  double rolling;   /* 1/m, spin of the wheel (rad/s) divided by this speed */
} vd_mf_input;

typedef struct vd_mf_output {
  double fx, fy;     /* N */
  double mx, my, mz; /* N m */
  double trail;      /* m, pneumatic trail t */
  double residual;   /* N m, residual torque Mzr */
} vd_mf_output;

/* Computes all forces and moments. Every finite input gives finite output. */
void vd_mf_forces(const vd_mf *m, const vd_mf_input *in, vd_mf_output *out);
/* Coefficients of four tyres side by side; their files may differ. */
enum { VD_MF_TERMS = offsetof(vd_mf, has_overturning) / sizeof(double) };
typedef struct vd_mf_four {
  double term[VD_MF_TERMS][VD_WHEELS];
  bool has_overturning, has_ellipse, my_has_power, has_turn_slip; /* whether any of the four has it */
} vd_mf_four;

void vd_mf_pack(const vd_mf *const *m, vd_mf_four *four);

/* curvature and rolling of four tyres, as in vd_mf_input. */
typedef struct vd_mf_path {
  vd_wide_stored curvature, rolling;
} vd_mf_path;

typedef struct vd_mf_contact {
  vd_wide_stored kappa, tan_alpha, gamma, pressure, vx, friction;
  const vd_mf_path *path; /* used if a tyre has turn slip; NULL: a straight path, without spin by camber */
} vd_mf_contact;

/* An evaluation in three parts for loops over the load: quantities that do not depend on the load; forces and moments
 * except the aligning moment, at any number of loads; and the aligning moment at the last of these loads. The results
 * equal the results of vd_mf_forces to the last bit. Members without a comment are used by these functions only. */
typedef struct vd_mf_slip {
  vd_wide_stored kappa, tangent, gamma, gamma_s; /* mirrored and clamped; gamma: rad; gamma_s: gamma* */
  vd_wide_stored dp, sign;                       /* dp_i; sign of the direction of travel */
  vd_wide_stored lambda_x, lambda_y;             /* LMUX*, LMUY*, 4.E7 */
  vd_wide_stored mux, kx, muy, ky, kyg;          /* factors of pressure and friction in mu_x, Kxk, mu_y, Kya, Kyg0 */
  vd_wide_stored muy_camber, ky_camber;          /* factors of camber in mu_y, Kya */
  /* parts of E_y, which is their sum for x < 0 and their difference for x >= 0 */
  vd_wide_stored ey_even, ey_odd;
  vd_wide_stored arc_factor;                    /* factor of u in the arc tangent of Kya */
  vd_wide_stored bxa, byk, vyk;                 /* B of Gxa and of Gyk; vyk: factor of mu_y D_Vyk in SVyk */
  vd_wide_stored mx, my, my_load, my_inflation; /* mx: terms of 4.E69 without load and Fy; others: parts of 4.E70 */
  /* set if a tyre has turn slip */
  vd_wide_stored turn, tilt;       /* R0 times turn slip, and R0 times the spin by camber */
  vd_wide_stored bx_turn, by_turn; /* factors of slips in B_xphi and B_yphi, 4.106, 4.78 */
} vd_mf_slip;

typedef struct vd_mf_load_state {
  vd_wide_stored load, scale, u, kx, ky, by, shy, svy; /* as in vd_mf_pure and its curves */
  /* share_x, share_y: Fx and Fy per unit of load; weight_y: Gyk; fy0: Fy without SVyk */
  vd_wide_stored share_x, share_y, weight_y, fy0;
  vd_wide_stored fx, fy, mx, my; /* the result, N, N m */
} vd_mf_load_state;

typedef struct vd_mf_moment {
  vd_wide_stored mz, trail, residual; /* as in vd_mf_output */
} vd_mf_moment;

void vd_mf_at_slip(const vd_mf_four *m, const vd_mf_contact *in, vd_mf_slip *slip);
void vd_mf_at_load(const vd_mf_four *m, const vd_mf_slip *slip, const double *load, vd_mf_load_state *last);
void vd_mf_aligning(const vd_mf_four *m, const vd_mf_slip *slip, const vd_mf_load_state *last, vd_mf_moment *out);

/* Changes the loads in the result of vd_mf_at_load to nearby ones, for the aligning moment: quantities per unit of load
 * stay as they are. */
void vd_mf_shift_loads(const vd_mf_four *m, const double *load, vd_mf_load_state *last);

/* Replaces the steady forces by other ones, N. Computes the overturning moment of the new forces, and the quantities
 * that the aligning moment needs. */
void vd_mf_use_forces(const vd_mf_four *m, const vd_mf_slip *slip, const double *fx, const double *fy,
                      vd_mf_load_state *last);

/* Clamps the input to its ranges: `used` is the input from which the forces are computed. The result has the bit 1 <<
 * enum vd_mf_clamp for each quantity that was changed. A load below the floor is raised to it, and the forces are
 * scaled down. */
enum vd_mf_clamp { VD_MF_LOAD, VD_MF_KAPPA, VD_MF_ALPHA, VD_MF_GAMMA, VD_MF_PRESSURE };
unsigned vd_mf_clamp_input(const vd_mf *m, const vd_mf_input *in, vd_mf_input *used);

/* Slopes of the pure curves where the shifted slip is zero, and their friction. in->kappa, tan_alpha and vx are not
 * used, but turn slip is. */
typedef struct vd_mf_stiffness {
  double slip;       /* Kxk =  dFx/dkappa, N */
  double cornering;  /* -Kya = -dFy/dalpha, N/rad */
  double camber;     /* Kyg0 = dFy/dgamma at gamma = 0, N/rad */
  double mu_x, mu_y; /* D/Fz, without the shifts */
} vd_mf_stiffness;
void vd_mf_slopes(const vd_mf *m, const vd_mf_input *in, vd_mf_stiffness *out);

/* Computes the stiffnesses of four tyres without camber and turn slip at loads that are clamped to the ranges of their
 * files; slip and cornering as vd_mf_slopes gives them at these loads, with the same bits. pressure: Pa. */
void vd_mf_slopes_of_four(const vd_mf_four *four, const double *pressure, const double *load, double *slip,
                          double *cornering);

/* The moment of a wheel that turns about the vertical at in->load without slip: its slope over small turn slips (N m2),
 * and its limit at large ones, 4.95 (N m). Both are 0 without coefficients. */
typedef struct vd_mf_turning {
  double slope, most;
} vd_mf_turning;
void vd_mf_turn(const vd_mf *m, const vd_mf_input *in, vd_mf_turning *out);

/* The peak of a pure curve on one side of zero slip. slip: kappa, or alpha in rad; the end of the file's slip range if
 * the curve would have its peak beyond it; INFINITY (with the sign of the side) if the curve only rises. mu:
 * |force|/load at the peak, or its limit. */
typedef struct vd_mf_peak {
  double slip, mu;
} vd_mf_peak;
typedef struct vd_mf_peaks {
  vd_mf_peak drive, brake; /* kappa > 0; kappa < 0 */
  vd_mf_peak left, right;  /* alpha > 0, the contact slides to the left; alpha < 0 */
} vd_mf_peaks;
/* Finds the peaks without the influence of speed on friction (LMUV): in->vx is taken as 0. */
void vd_mf_find_peaks(const vd_mf *m, const vd_mf_input *in, vd_mf_peaks *out);

/* Returns an upper limit of the peaks, N: the greater of D + |SV| of both pure curves. */
double vd_mf_grip(const vd_mf *m, const vd_mf_input *in);

/* Computes the relaxation lengths, m, at in->load, gamma and pressure: in 5.2 from PTX1.. and PTY1.., in 6.x slip
 * stiffness divided by stiffness of the carcass. If a file lacks the coefficients of its version, the coefficients of
 * the other version are used. The load is clamped to the file's range (vd_mf.load_floor, load_max), and the lengths are
 * at least 1 mm; 0 if the file has neither, or if the factor LSGKP or LSGAL is 0. */
void vd_mf_relaxation(const vd_mf *m, const vd_mf_input *in, double *kappa, double *alpha);

/* Computes relaxation lengths like vd_mf_relaxation, without camber, if vd_mf_slopes_of_four has already computed slip
 * and cornering stiffness. */
void vd_mf_relaxation_by(const vd_mf *m, double load, double pressure, double slip, double cornering, double *kappa,
                         double *alpha);

/* Computes the stiffnesses of the carcass at a load, N/m; 0 if the file has none. */
void vd_mf_carcass(const vd_mf *m, double load, double pressure, double *longitudinal, double *lateral);

/* Returns the unloaded radius R_omega of the wheel that turns at omega, rad/s. */
double vd_mf_free_radius(const vd_mf *m, double omega);
/* Returns the effective rolling radius Re: Vx = Re omega for a freely rolling wheel. */
double vd_mf_rolling_radius(const vd_mf *m, double load, double omega, double pressure);
/* Returns the effective radius of a wheel that turns at omega = (1 + kappa) vx/Re, and sets *omega. */
double vd_mf_slipping_radius(const vd_mf *m, const vd_mf_input *in, double *omega);

/* Computes the length 2a and the width 2b of the contact patch, m. In 5.2 the width is the width of the tyre; in 6.x
 * either is 0 if the file has no coefficients for it. */
void vd_mf_contact_patch(const vd_mf *m, double load, double pressure, double *length, double *width);

/* Returns the factor of the inflation pressure on the vertical stiffness. */
double vd_mf_firmness(const vd_mf *m, double pressure);

typedef struct vd_mf_vertical {
  double omega;    /* rad/s */
  double fx, fy;   /* N, as vd_mf_forces gives them */
  double gamma;    /* rad */
  double pressure; /* Pa */
} vd_mf_vertical;
/* Returns the vertical force at a deflection, which is R_omega minus the distance from the wheel centre to the road
 * along the wheel plane. It rises with the deflection, and is 0 without contact. */
double vd_mf_load(const vd_mf *m, const vd_mf_vertical *v, double deflection);
/* Returns the deflection at a load. Sets *stiffness, if it is not NULL, to the derivative of the load by the
 * deflection, N/m. */
double vd_mf_deflection(const vd_mf *m, const vd_mf_vertical *v, double load, double *stiffness);

#endif
