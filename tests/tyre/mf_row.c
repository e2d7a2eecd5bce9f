/* Quantities of the Magic Formula besides its forces, compared with the formulas of the papers with libm's functions;
 * and MFeval's conventions where they differ from the book's. */
#include "tap.h"
#include "tyre_files.h"

#include "tyre/mf_impl.h"
#include "tyre/tyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char synthetic[] = "scenarios/tyres/synthetic_mf61.tir";

static vd_mf built(const vd_mf_def *def) {
  vd_mf m;
  vd_mf_build(def, VD_MF_LEFT, &m);
  return m;
}

static vd_tyre tyre_of(const vd_mf_def *def) {
  vd_tyre t = {.model = VD_TYRE_MF, .common = {.friction = 1.0, .vertical_stiffness = 2e5}};
  t.as.mf = built(def);
  t.pressure = t.as.mf.pressure;
  return t;
}

static vd_tyre_answer asked(const vd_tyre *t, vd_tyre_question q) {
  vd_tyre_answer a;
  vd_tyre_ask(t, &q, &a);
  vd_tyre_slopes(t, &q, &a);
  return a;
}

static double relative(double got, double expected) {
  return fabs(got / expected - 1.0);
}

/* Returns the cornering stiffness by 4.E25: K = PKY1 Fz0 (1 + PPY1 dp)(1 - PKY3 |sin g|) sin(PKY4 atan((Fz/Fz0)/((PKY2
 * + PKY5 sin^2 g)(1 + PPY2 dp)))) */
static double cornering(const vd_mf_def *d, double fz, double gamma, double dp) {
  double s = sin(gamma);
  return -d->pky1 * d->fnomin * (1.0 + d->ppy1 * dp) * (1.0 - d->pky3 * fabs(s)) *
         sin(d->pky4 * atan(fz / d->fnomin / ((d->pky2 + d->pky5 * s * s) * (1.0 + d->ppy2 * dp))));
}

/* Checks Besselink et al. (2010), equations 17 to 19, at the camber of the row. */
static void stiffnesses(void) {
  vd_mf_def def = load_tir(synthetic);
  def.longitudinal_stiffness = 4e5;
  def.lateral_stiffness = 1.6e5;
  def.pcfy1 = 0.1;
  def.pcfy3 = 0.2;
  vd_tyre t = tyre_of(&def);
  double worst = 0.0, worst_length = 0.0;
  for (double gamma = -0.95; gamma < 1.0; gamma += 0.19) {
    vd_tyre_inflate(&t, 2.4e5);
    double dp = 2.4e5 / def.nompres - 1.0, df = 5000.0 / def.fnomin - 1.0;
    double k = cornering(&def, 5000.0, gamma, dp), cy = 1.6e5 * (1.0 + 0.1 * df) * (1.0 + 0.2 * dp);
    vd_tyre_answer a =
        asked(&t, (vd_tyre_question){.load = 5000.0, .camber = gamma, .vx = 20.0, .ground_friction = 0.7});
    worst = tap_max(worst, relative(a.cornering_stiffness, k));
    worst_length = tap_max(worst_length, relative(a.sigma_y, k / cy));
  }
  tap_near(worst, 0.0, 1e-14, "cornering stiffness with camber is 4.E25");
  tap_near(worst_length, 0.0, 1e-14,
           "the relaxation length with camber is the cornering stiffness divided by the carcass stiffness");
  /* the file has both a carcass stiffness and PTX1, PTY1: 6.1 uses the carcass stiffness, 5.2 the formula */
  def.ptx1 = def.pty1 = 2.0;
  def.pty2 = 2.0;
  t = tyre_of(&def);
  vd_tyre_answer a = asked(&t, (vd_tyre_question){.load = 4500.0, .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.sigma_x, a.slip_stiffness / 4e5, 1e-15,
           "6.1 takes relaxation lengths from the carcass even if PTX1 is given");
  def.fittyp = 6.0;
  t = tyre_of(&def);
  a = asked(&t, (vd_tyre_question){.load = 4500.0, .camber = 0.5, .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.sigma_x, 2.0 * 0.32, 1e-15, "5.2 takes relaxation lengths from PTX1");
  tap_near(a.sigma_y, 2.0 * 0.32 * sin(2.0 * atan(0.5)) * (1.0 - def.pky3 * 0.5), 1e-15,
           "5.2 takes the relaxation length of alpha from PTY1, with PKY3 gamma");
}

/* Checks the camber thrust of 5.2 by PVY3, without any other side force: Fy = Fz PVY3 sin gamma. */
static void inclination(void) {
  vd_mf_def def = load_tir("validation/data/tyre/pac2002_sample.tir");
  def.phy1 = def.phy2 = def.phy3 = def.pvy1 = def.pvy2 = def.pvy4 = 0.0;
  def.pvy3 = -0.8;
  vd_mf m = built(&def);
  vd_mf_output out;
  vd_mf_forces(&m, &(vd_mf_input){.load = 4000.0, .gamma = 0.17, .vx = 20.0, .friction = 1.0}, &out);
  tap_near(out.fy, -3200.0 * sin(0.17), 1e-9, "5.2: camber enters as sin gamma, N");
}

/* Checks that A_mu = 1: if the force of a tyre consists only of its vertical shift, half of the friction halves the
 * force; with A_mu = 10 the force would fall to 10/11. */
static void shifts(void) {
  vd_mf_def def = load_tir(synthetic);
  def.pky1 = -1e-9;
  def.phy1 = def.phy2 = def.pvy2 = 0.0;
  def.pvy1 = 0.1;
  vd_mf m = built(&def);
  vd_mf_output out;
  vd_mf_forces(&m, &(vd_mf_input){.load = 4500.0, .vx = 20.0, .friction = 0.5, .pressure = m.pressure}, &out);
  tap_near(out.fy, 0.5 * 450.0, 0.1, "the shift of Fy is proportional to friction, N");
}

/* Checks with LFZO = 0.8, at Fz = Fz0', that the trail is Fz R0/Fz0, and not Fz R0/Fz0', times its coefficients. */
static void other_load(void) {
  vd_mf_def def = load_tir(synthetic);
  def.lfzo = 0.8;
  def.qhz1 = def.qhz2 = 0.0;
  vd_mf m = built(&def);
  vd_mf_output out;
  vd_mf_forces(&m, &(vd_mf_input){.load = 3600.0, .vx = 20.0, .friction = 1.0, .pressure = m.pressure}, &out);
  tap_near(out.trail, 3600.0 * 0.32 / 4500.0 * def.qdz1, 1e-15, "with LFZO the trail has the factor R0/Fz0");
}

/* Checks that Re solves its equation: omega = (1 + kappa) Vx/Re, Besselink (2010) equations 1, 5 and 7. */
static void rolling_radius(void) {
  vd_mf_def def = load_tir(synthetic);
  def.breff = 8.0;
  def.dreff = 0.25;
  def.freff = 0.1;
  def.q_v1 = 7e-3;
  def.pfz1 = 0.7;
  def.vertical_stiffness = 2e5;
  vd_tyre t = tyre_of(&def);
  vd_tyre_inflate(&t, 2.0e5);
  double worst = 0.0;
  for (double kappa = -1.0; kappa < 3.0; kappa += 0.25) {
    vd_tyre_answer a =
        asked(&t, (vd_tyre_question){.load = 6000.0, .kappa = kappa, .vx = 60.0, .ground_friction = 1.0});
    double omega = (1.0 + kappa) * 60.0 / a.rolling_radius, share = omega * 0.32 / def.longvl, u = 6000.0 / 4500.0;
    double cz = 2e5 * (1.0 + 0.7 * (2.0e5 / def.nompres - 1.0));
    double re = 0.32 * (1.0 + 7e-3 * share * share) - 4500.0 / cz * (0.25 * atan(8.0 * u) + 0.1 * u);
    worst = tap_max(worst, relative(a.rolling_radius, re));
  }
  tap_near(worst, 0.0, 1e-14, "the rolling radius with slip solves its equation");
}

/* Checks Besselink (2010), equations 9 and 10, and in 5.2 Q_A1 and Q_A2. */
static void contact_patch(void) {
  vd_mf_def def = load_tir(synthetic);
  def.vertical_stiffness = 2e5;
  def.width = 0.2;
  def.q_ra1 = 0.7;
  def.q_ra2 = 0.4;
  def.q_rb1 = 1.1;
  def.q_rb2 = -1.5;
  vd_tyre t = tyre_of(&def);
  vd_tyre_answer a = asked(&t, (vd_tyre_question){.load = 6400.0, .vx = 20.0, .ground_friction = 1.0});
  double x = 0.1; /* 6400/(2e5 0.32) */
  tap_near(a.contact_length, 0.64 * (0.4 * x + 0.7 * sqrt(x)), 1e-15,
           "the contact length is that of Besselink's equation 9, m");
  tap_near(a.contact_width, 0.4 * (-1.5 * x + 1.1 * cbrt(x)), 1e-15,
           "the contact width is that of Besselink's equation 10, m");
  def.fittyp = 6.0;
  def.q_a1 = 0.15;
  def.q_a2 = 0.05;
  t = tyre_of(&def);
  a = asked(&t, (vd_tyre_question){.load = 9000.0, .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.contact_length, 0.64 * (0.05 * 2.0 + 0.15 * sqrt(2.0)), 1e-15,
           "5.2: the contact length follows from Q_A1 and Q_A2, m");
  tap_near(a.contact_width, 0.2, 1e-15, "5.2: the contact width is the width of the tyre, m");
}

/* Checks friction by hand, 4.E13 and 4.E23; trail and residual must equal those of the forces, which tables test. */
static void friction_and_moments(void) {
  vd_mf_def def = load_tir(synthetic);
  vd_tyre t = tyre_of(&def);
  vd_tyre_inflate(&t, 2.5e5);
  vd_tyre_question q = {
      .load = 6000.0, .kappa = 0.03, .tan_alpha = tan(0.05), .camber = 0.1, .vx = 20.0, .ground_friction = 0.8};
  vd_tyre_answer a = asked(&t, q);
  double dp = 2.5e5 / def.nompres - 1.0, df = 6000.0 / 4500.0 - 1.0, s = sin(0.1);
  tap_near(a.mu_x,
           (def.pdx1 + def.pdx2 * df) * (1.0 + def.ppx3 * dp + def.ppx4 * dp * dp) * (1.0 - def.pdx3 * 0.01) * 0.8,
           1e-14, "mu_x is that of 4.E13");
  tap_near(a.mu_y,
           (def.pdy1 + def.pdy2 * df) * (1.0 + def.ppy3 * dp + def.ppy4 * dp * dp) * (1.0 - def.pdy3 * s * s) * 0.8,
           1e-14, "mu_y is that of 4.E23");
  vd_mf_output out;
  vd_mf_forces(&t.as.mf, &(vd_mf_input){6000.0, 0.03, q.tan_alpha, 0.1, 2.5e5, 20.0, 0.8, 0.0, 0.0}, &out);
  tap_ok(a.pneumatic_trail == out.trail && a.residual == out.residual && out.residual != 0.0,
         "the pneumatic trail and the residual moment equal those of the forces");
}

/* Checks slopes of the steady forces: slopes of the linear tyre are its stiffnesses; slopes of mf at the shifted zero
 * are the stiffnesses of the formula. */
static void slopes(void) {
  vd_tyre linear = {.model = VD_TYRE_LINEAR,
                    .common = {.friction = 1.0},
                    .as.linear = {.longitudinal_stiffness = 1e5, .cornering_stiffness = 8e4}};
  vd_tyre_answer a = asked(&linear, (vd_tyre_question){.load = 4000.0, .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.fx_by_kappa, 1e5, 1e-6, "dFx/dkappa of the linear tyre is its slip stiffness, N");
  tap_near(a.fy_by_alpha, -8e4, 1e-6, "dFy/dalpha of the linear tyre is minus its cornering stiffness, N/rad");
  vd_mf_def def = load_tir(synthetic);
  def.use_mode = 3.0;
  def.phy1 = def.phy2 = def.phx1 = def.phx2 = 0.0;
  vd_tyre t = tyre_of(&def);
  a = asked(&t, (vd_tyre_question){.load = 4000.0, .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.fx_by_kappa / a.slip_stiffness, 1.0, 1e-7, "dFx/dkappa at zero slip is Kxk");
  tap_near(a.fy_by_alpha / a.cornering_stiffness, -1.0, 1e-7, "dFy/dalpha at zero slip is Kya");
  /* beyond the peak, at alpha = 0.2: the derivative of the curve */
  vd_mf_input in = {4000.0, 0.0, 0.0, 0.0, t.pressure, 20.0, 1.0, 0.0, 0.0};
  double h = 1e-6;
  vd_mf_output low, high;
  in.tan_alpha = tan(0.2 - h);
  vd_mf_forces(&t.as.mf, &in, &low);
  in.tan_alpha = tan(0.2 + h);
  vd_mf_forces(&t.as.mf, &in, &high);
  a = asked(&t, (vd_tyre_question){.load = 4000.0, .tan_alpha = tan(0.2), .vx = 20.0, .ground_friction = 1.0});
  tap_near(a.fy_by_alpha, (high.fy - low.fy) / (2.0 * h), 2e-3,
           "dFy/dalpha beyond the peak is a difference of forces, N/rad");
}

static void ranges(void) {
  vd_mf_def def = load_tir(synthetic);
  def.kpumin = -0.2;
  def.kpumax = 0.2;
  def.alpmin = -0.25;
  def.alpmax = 0.25;
  def.cammin = def.alpmin;
  def.cammax = 0.1;
  def.fzmin = 500.0;
  def.fzmax = 8000.0;
  def.presmin = 2.0e5;
  def.presmax = 2.4e5;
  vd_tyre t = tyre_of(&def);
  vd_tyre_inflate(&t, 1.5e5);
  vd_tyre_question q = {
      .load = 9000.0, .kappa = -0.5, .tan_alpha = tan(0.4), .camber = 0.12, .vx = 20.0, .ground_friction = 1.0};
  vd_tyre_answer a = asked(&t, q);
  tap_ok(a.clamped == 31 && a.used.load == 8000.0 && a.used.kappa == -0.2 && a.used.camber == 0.1 &&
             a.used.pressure == 2.0e5 && fabs(a.used.tan_alpha - tan(0.25)) < 1e-15,
         "all five inputs are limited, and the used values are reported");
  vd_tyre_inflate(&t, 2.2e5);
  a = asked(&t, (vd_tyre_question){
                    .load = 400.0, .tan_alpha = 0.1, .kappa = 0.05, .camber = 0.05, .vx = 9.0, .ground_friction = 1.0});
  tap_ok(a.clamped == 1 && a.used.load == 500.0 && a.used.tan_alpha == 0.1 && a.used.kappa == 0.05,
         "a load below FZMIN is limited, and the other inputs are not");
  vd_mf_def free = vd_mf_unlimited(&def);
  vd_tyre all = tyre_of(&free);
  a = asked(&all, q);
  vd_mf_def plain = load_tir(synthetic);
  vd_tyre never = tyre_of(&plain);
  vd_tyre_answer b = asked(&never, q);
  tap_ok(a.clamped == 0 && a.fx == b.fx && a.fy == b.fy && a.mz == b.mz && a.used.kappa == -0.5,
         "without its ranges the formula is not limited");
}

/* Computes the friction ellipse as Adams writes it for PAC89 and PAC94, with an angle beta, from the pure forces; their
 * shares follow from the forces without vertical shifts. Project Chrono's Pac02 uses this ellipse
 * (validation/data/chrono). */
static void adams_ellipse(const vd_mf *pure, vd_mf_input in, double *fx, double *fy) {
  vd_mf_slip s;
  vd_mf_pure p;
  vd_mf_output x, y;
  double kappa = in.kappa, tangent = in.tan_alpha;
  in.tan_alpha = 0.0;
  vd_mf_forces(pure, &in, &x);
  in.tan_alpha = tangent;
  in.kappa = 0.0;
  vd_mf_forces(pure, &in, &y);
  vd_mf_pure_at(pure, &in, &s, &p);
  double kc = kappa + p.x.sh + p.x.sv / p.x.k, sc = sin(atan(tangent + p.y.sh + p.y.sv / p.y.k));
  double beta = acos(fabs(kc) / sqrt(kc * kc + sc * sc)), fz = in.load;
  double mux0 = fabs(x.fx / fz - p.x.sv * p.scale), muy0 = fabs(y.fy / fz - p.y.sv * p.scale);
  double mu_x = 1.0 / sqrt(1.0 / (mux0 * mux0) + pow(tan(beta) / p.y.mu, 2.0));
  double mu_y = tan(beta) / sqrt(1.0 / (p.x.mu * p.x.mu) + pow(tan(beta) / muy0, 2.0));
  *fx = x.fx * mu_x / mux0;
  *fy = y.fy * mu_y / muy0;
}

static void ellipse(void) {
  vd_mf_def def = load_tir(synthetic);
  def.rbx1 = def.rbx3 = def.rby1 = def.rby4 = 0.0;
  vd_mf m = built(&def);
  def.combined = VD_MF_UNCOMBINED;
  vd_mf pure = built(&def);
  double worst = 0.0;
  srand(3);
  for (int i = 0; i < 300; i++) {
    vd_mf_input in = {uniform(1000.0, 8000.0),
                      uniform(-0.5, 0.5),
                      uniform(-0.5, 0.5),
                      uniform(-0.1, 0.1),
                      m.pressure,
                      20.0,
                      uniform(0.3, 1.0),
                      0.0,
                      0.0};
    vd_mf_output out;
    double fx, fy;
    vd_mf_forces(&m, &in, &out);
    adams_ellipse(&pure, in, &fx, &fy);
    worst = tap_max(worst, (fabs(out.fx - fx) + fabs(out.fy - fy)) / in.load);
  }
  tap_near(worst, 0.0, 1e-11,
           "without coefficients of combined slip the forces are those of Adams' friction ellipse, share of load");
  /* without shifts the forces are within the ellipse, on it if both forces have reached their friction, and equal to
   * the pure forces if one slip is zero */
  def.combined = VD_MF_AUTO;
  def.phx1 = def.phx2 = def.pvx1 = def.pvx2 = def.phy1 = def.phy2 = def.pvy1 = def.pvy2 = 0.0;
  m = built(&def);
  double used = 0.0, off = 0.0;
  for (double kappa = -1.0; kappa < 1.0; kappa += 0.01)
    for (double alpha = -1.2; alpha < 1.2; alpha += 0.05) {
      vd_mf_input in = {4500.0, kappa, tan(alpha), 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0};
      vd_mf_output out;
      vd_mf_forces(&m, &in, &out);
      used = tap_max(used, hypot(out.fx / (def.pdx1 * 4500.0), out.fy / (def.pdy1 * 4500.0)));
    }
  for (double slip = -0.5; slip < 0.5; slip += 0.01) {
    vd_mf_output a, b;
    def.combined = VD_MF_UNCOMBINED;
    pure = built(&def);
    vd_mf_forces(&m, &(vd_mf_input){4500.0, slip, 0.0, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0}, &a);
    vd_mf_forces(&pure, &(vd_mf_input){4500.0, slip, 0.0, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0}, &b);
    off = tap_max(off, fabs(a.fx - b.fx));
    vd_mf_forces(&m, &(vd_mf_input){4500.0, 0.0, slip, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0}, &a);
    vd_mf_forces(&pure, &(vd_mf_input){4500.0, 0.0, slip, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0}, &b);
    off = tap_max(off, fabs(a.fy - b.fy));
  }
  tap_ok(used <= 1.0 + 1e-12 && used > 0.999, "the friction ellipse uses at most the full friction: %.15g", used);
  tap_near(off, 0.0, 1e-9, "the friction ellipse does not change pure forces, N");
  def = load_tir(synthetic);
  vd_mf weights = built(&def);
  def.combined = VD_MF_ELLIPSE;
  m = built(&def);
  def.rbx1 = def.rby1 = def.rbx3 = def.rby4 = 0.0;
  def.combined = VD_MF_WEIGHTS;
  vd_mf unweighted = built(&def);
  def.combined = VD_MF_UNCOMBINED;
  pure = built(&def);
  const vd_mf_input in = {4500.0, 0.1, 0.1, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0};
  vd_mf_output a, b, c, d;
  vd_mf_forces(&weights, &in, &a);
  vd_mf_forces(&m, &in, &b);
  vd_mf_forces(&unweighted, &in, &c);
  vd_mf_forces(&pure, &in, &d);
  tap_ok(a.fx != b.fx && b.fx < c.fx && c.fx == d.fx && hypot(c.fx, c.fy) > 1.2 * 1.15 * 4500.0,
         "the ellipse, the file's weights, or neither can be chosen");
}

/* --- which keys are read --- */

enum { STATES = 60, FIGURES = 16 };

/* Computes figures at random inputs, half of them with turn slip. */
static void results(const vd_mf_def *def, double (*out)[FIGURES]) {
  vd_mf_def turning = *def;
  turning.turn_slip = VD_MF_TURN_ON;
  const vd_mf both[] = {built(def), built(&turning)};
  srand(7);
  for (int i = 0; i < STATES; i++) {
    const vd_mf m = both[i % 2];
    vd_mf_input in = {uniform(100.0, 9000.0), uniform(-0.7, 0.7),  uniform(-0.7, 0.7),
                      uniform(-0.3, 0.3),     uniform(1e5, 3.5e5), uniform(-30.0, 30.0),
                      uniform(0.3, 1.0),      uniform(-2.0, 2.0),  uniform(0.0, 4.0)};
    vd_mf_output f;
    vd_mf_vertical v = {60.0, 3000.0, 2000.0, in.gamma, in.pressure};
    double *o = out[i];
    vd_mf_forces(&m, &in, &f);
    memcpy(o, &f, sizeof f);
    vd_mf_relaxation(&m, &in, &o[7], &o[8]);
    o[9] = vd_mf_rolling_radius(&m, in.load, 60.0, in.pressure);
    o[10] = vd_mf_load(&m, &v, 0.02);
    o[11] = vd_mf_load(&m, &v, 0.15);
    vd_mf_contact_patch(&m, in.load, in.pressure, &o[12], &o[13]);
    vd_mf_carcass(&m, in.load, in.pressure, &o[14], &o[15]);
  }
}

/* Returns a file in which no coefficient is zero, with values within its ranges. */
static vd_mf_def full(double fittyp) {
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  vd_mf_def def = load_tir(synthetic);
  for (size_t i = 0; i < count; i++) {
    double *value = (double *)(void *)((char *)&def + key[i].offset);
    if (*value == 0.0)
      *value = 0.02 + 1e-4 * (double)i;
  }
  def.fittyp = fittyp;
  def.side = VD_MF_SYMMETRIC;
  def.qcrp1 = 0.15;
  def.qdrp1 = 1.0;
  def.phyp2 = 0.15;
  def.vertical_stiffness = 2.2e5;
  def.longitudinal_stiffness = 4e5;
  def.lateral_stiffness = 2e5;
  def.bottom_stiff = 1e6;
  def.rim_radius = 0.2;
  def.width = 0.2;
  def.aspect_ratio = 0.6;
  def.q_fz1 = 14.0;
  def.q_cam1 = 80.0;
  def.q_fys1 = 300.0;
  def.fzmin = 300.0;
  def.fzmax = 8000.0;
  def.kpumin = def.alpmin = -0.5;
  def.kpumax = def.alpmax = 0.5;
  def.cammin = -0.2;
  def.cammax = 0.2;
  def.presmin = 1.5e5;
  def.presmax = 3e5;
  return def;
}

/* Checks that vd_mf_reads agrees with the effect of a changed key on all figures. Three kinds of keys are exempt: keys
 * that a version uses in place of its own missing keys, keys whose values the rows give, and keys that need no
 * message. */
static void keys_read(double fittyp) {
  static const char *const exempt[] = {
      "PTX1",     "PTX2",         "PTX3",   "PTY1",    "PTY2", "LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS",
      "INFLPRES", "ASPECT_RATIO", "FITTYP", "USE_MODE"};
  static double base[STATES][FIGURES], other[STATES][FIGURES];
  size_t count, wrong = 0, idle = 0;
  const vd_tir_key *key = vd_tir_keys(&count);
  vd_mf_def def = full(fittyp);
  results(&def, base);
  for (size_t i = 0; i < count; i++) {
    double *value = (double *)(void *)((char *)&def + key[i].offset), was = *value;
    bool exempted = false;
    for (size_t k = 0; k < VD_COUNT(exempt); k++)
      exempted |= strcmp(key[i].key, exempt[k]) == 0;
    if (exempted)
      continue;
    *value *= 1.25;
    results(&def, other);
    *value = was;
    bool changes = memcmp(base, other, sizeof base) != 0, read = vd_mf_reads(fittyp, VD_MF_TNO, key[i].offset);
    idle += !read;
    if (changes != read) {
      tap_diag("%s: %s, and it changes %s", key[i].key, read ? "read" : "not read", changes ? "figures" : "nothing");
      wrong++;
    }
  }
  tap_ok(wrong == 0 && idle > 5,
         "FITTYP %g: a key that is read changes some figure, and any other key changes no figure", fittyp);
}

int main(void) {
  tap_plan(5 + 1 + 1 + 1 + 1 + 4 + 3 + 5 + 3 + 4 + 3);
  stiffnesses();
  inclination();
  shifts();
  other_load();
  rolling_radius();
  contact_patch();
  friction_and_moments();
  slopes();
  ranges();
  ellipse();
  keys_read(6.0);
  keys_read(61.0);
  keys_read(62.0);
  return tap_done();
}
