/* Limits and laws of the linear tyre and mf96. */
#include "tap.h"
#include "tyre_files.h"
#include "tyre/tyre_def.h"

#include <math.h>
#include <stdlib.h>

/* figures of the touring tyre, Onlyti/VDSim default_pacejka */
static const vd_tyre_def touring = {
    .model = VD_TYRE_MF96,
    .common = {.friction = 1.0, .pneumatic_trail = 0.05},
    .as.mf96 = {.longitudinal = {10.0, 1.65, 1.0, 0.97},
                .lateral = {8.0, 1.30, 1.0, -1.0},
                .nominal_load = 4000.0,
                .load_sensitivity = 0.15,
                .trail_falloff = 0.2},
};

static const vd_tyre_def linear = {
    .model = VD_TYRE_LINEAR,
    .common = {.friction = 1.0},
    .as.linear = {.cornering_stiffness = 80e3, .longitudinal_stiffness = 160e3},
};

typedef struct force {
  double x, y;
} force;

static force at(const vd_tyre *tyre, double kappa, double tan_alpha, double load) {
  vd_tyre_row row;
  vd_slide_row slide;
  vd_tyre_forces f;
  const vd_contact contact = {.kappa = &kappa, .tan_alpha = &tan_alpha};
  vd_tyre_row_build(&tyre, 1, &row);
  vd_tyre_slide(&row, &contact, &slide);
  const double friction = 1.0;
  vd_tyre_force(&row, &slide, &friction, &load, &f);
  return (force){f.fx[0], f.fy[0]};
}

/* Returns the formula of the literature, implemented a second time. */
static double sine_formula(double b, double c, double d, double e, double x) {
  return d * sin(c * atan(b * x - e * (b * x - atan(b * x))));
}

static void pure_forces(const vd_tyre *tyre) {
  double worst = 0.0;
  for (int i = 0; i < 2000; i++) {
    double kappa = uniform(-2.0, 2.0), alpha = uniform(-1.2, 1.2), load = uniform(200.0, 12000.0);
    double share = 1.0 - 0.15 * (load / 4000.0 - 1.0), scale = (share > 0.3 ? share : 0.3) * load;
    force x = at(tyre, kappa, 0.0, load), y = at(tyre, 0.0, tan(alpha), load);
    worst = tap_max(worst, fabs(x.x - scale * sine_formula(10.0, 1.65, 1.0, 0.97, kappa)) + fabs(x.y));
    worst = tap_max(worst, fabs(y.y + scale * sine_formula(8.0, 1.30, 1.0, -1.0, alpha)) + fabs(y.x));
  }
  tap_near(worst, 0.0, 1e-8, "mf96: pure forces are the printed formula, 2000 random slips and loads, N");
}

static void initial_slopes(const vd_tyre *tyre, const char *name) {
  const double small = 1e-7, load = 3500.0;
  double kappa = at(tyre, small, 0.0, load).x / small, alpha = -at(tyre, 0.0, small, load).y / small;
  tap_near(kappa / vd_tyre_slip_stiffness(tyre, 1.0, load), 1.0, 1e-6,
           "%s: the slope of Fx at zero is the slip stiffness", name);
  tap_near(alpha / vd_tyre_cornering_stiffness(tyre, 1.0, load), 1.0, 1e-6,
           "%s: the slope of -Fy at zero is the cornering stiffness", name);
  force both = at(tyre, small, small, load);
  tap_ok(fabs(both.x / small / kappa - 1.0) < 1e-6 && fabs(both.y / small / alpha + 1.0) < 1e-6,
         "%s: small slips add without a cross term", name);
}

static void circle_and_symmetry(const vd_tyre *tyre, const char *name) {
  double excess = -1e9, mirror = 0.0;
  for (int i = 0; i < 20000; i++) {
    double kappa = uniform(-3.0, 3.0), tangent = tan(uniform(-1.5, 1.5)), load = uniform(1.0, 12000.0);
    double mu, kp, ap;
    force f = at(tyre, kappa, tangent, load), m = at(tyre, kappa, -tangent, load);
    vd_tyre_peaks(tyre, 1.0, load, &mu, &kp, &ap);
    excess = tap_max(excess, hypot(f.x, f.y) / (mu * load) - 1.0);
    mirror = tap_max(mirror, fabs(f.x - m.x) + fabs(f.y + m.y));
  }
  tap_ok(excess <= 1e-12, "%s: the resultant stays within the friction circle (%.1e)", name, excess);
  tap_ok(mirror == 0.0, "%s: left and right are exact mirror images", name);
}

/* Checks a locked wheel, kappa = -1, at any slip angle: the force of the road opposes the velocity. */
static void locked_direction(const vd_tyre *tyre, const char *name) {
  double worst = 0.0, weakest = 1e9;
  for (double beta = -1.55; beta <= 1.55; beta += 0.01) {
    force f = at(tyre, -1.0, tan(beta), 4000.0);
    /* velocity (cos beta, sin beta); angle between the force and the reversed velocity */
    double cross = -f.x * sin(beta) + f.y * cos(beta), dot = -(f.x * cos(beta) + f.y * sin(beta));
    worst = tap_max(worst, fabs(atan2(cross, dot)));
    weakest = tap_min(weakest, dot);
  }
  tap_near(worst, 0.0, 1e-9, "%s: the force on a locked wheel is opposite to its velocity at every angle, rad", name);
  tap_ok(weakest > 0.8 * 4000.0, "%s: a locked wheel keeps most of its friction (%.0f of 4000 N)", name, weakest);
}

/* Checks that forces have no jump: steps of 1e-7 in slip change the force by at most 1.5 times the stiffness times the
 * step. */
static void continuity(const vd_tyre *tyre, const char *name) {
  double steepest = 0.0;
  const double h = 1e-7, load = 4000.0;
  for (int i = 0; i < 200000; i++) {
    double kappa = uniform(-1.5, 1.5), tangent = uniform(-1.5, 1.5), angle = uniform(0.0, 6.3);
    force a = at(tyre, kappa, tangent, load), b = at(tyre, kappa + h * cos(angle), tangent + h * sin(angle), load);
    steepest = tap_max(steepest, hypot(a.x - b.x, a.y - b.y) / h);
  }
  double stiffest = fmax(vd_tyre_slip_stiffness(tyre, 1.0, load), vd_tyre_cornering_stiffness(tyre, 1.0, load));
  tap_ok(steepest <= 1.5 * stiffest, "%s: forces are continuous: their steepest slope is %.2f of the stiffness", name,
         steepest / stiffest);
  force zero = at(tyre, 0.0, 0.0, load), none = at(tyre, 0.3, -0.4, 0.0);
  tap_ok(zero.x == 0.0 && zero.y == 0.0 && none.x == 0.0 && none.y == 0.0,
         "%s: without slip or without load there is no force", name);
}

static void peaks(const vd_tyre *tyre) {
  double mu, kappa, alpha, load = 5200.0;
  vd_tyre_peaks(tyre, 1.0, load, &mu, &kappa, &alpha);
  double x = at(tyre, kappa, 0.0, load).x, y = -at(tyre, 0.0, tan(alpha), load).y, best_x = 0.0, best_y = 0.0;
  for (double s = 0.001; s < 1.5; s += 0.001) {
    best_x = tap_max(best_x, at(tyre, s, 0.0, load).x);
    best_y = tap_max(best_y, -at(tyre, 0.0, tan(s), load).y);
  }
  tap_ok(x >= best_x && x < best_x * (1.0 + 1e-6), "mf96: kappa_peak %.4f is the highest point of Fx", kappa);
  tap_ok(y >= best_y && y < best_y * (1.0 + 1e-6), "mf96: alpha_peak %.4f rad is the highest point of Fy", alpha);
  /* mu = 1 - 0.15 (5200/4000 - 1) by hand */
  tap_near(mu, 0.955, 1e-12, "mf96: friction falls with load");
  tap_near(x / load, 0.955, 1e-9, "mf96: the peak force is friction times load");
}

/* Checks different friction along and across: the force stays within the ellipse at every slip, also while its
 * direction turns. */
static void ellipse(void) {
  vd_tyre_def def = touring;
  def.as.mf96.longitudinal.d = 1.2;
  def.as.mf96.lateral.d = 0.8;
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    force f = at(&tyre, uniform(-2.0, 2.0), tan(uniform(-1.4, 1.4)), 4000.0);
    worst = tap_max(worst, hypot(f.x / (1.2 * 4000.0), f.y / (0.8 * 4000.0)));
  }
  tap_ok(worst <= 1.0 + 1e-12 && worst > 0.98, "mf96: the resultant stays within the friction ellipse (%.6f of it)",
         worst);
}

/* Checks t = t0/sqrt(1 + (alpha/alpha0)^2), the function of the literature. */
static void trail(const vd_tyre *tyre) {
  vd_tyre_row row;
  vd_slide_row slide;
  const double kappa = 0.0, tangent = tan(0.1);
  const vd_contact contact = {.kappa = &kappa, .tan_alpha = &tangent};
  vd_tyre_row_build(&tyre, 1, &row);
  vd_tyre_slide(&row, &contact, &slide);
  tap_near(slide.now.each[0].trail, 0.05 / sqrt(1.25), 1e-12, "mf96: the pneumatic trail falls with the slip angle");
}

int main(void) {
  vd_tyre mf, lin;
  vd_tyre_build(&touring, false, &mf);
  vd_tyre_build(&linear, false, &lin);
  srand(1);
  tap_plan(1 + 2 * 3 + 2 + 2 + 2 * 2 + 2 * 2 + 4 + 1 + 2);
  pure_forces(&mf);
  initial_slopes(&mf, "mf96");
  initial_slopes(&lin, "linear");
  circle_and_symmetry(&mf, "mf96");
  circle_and_symmetry(&lin, "linear");
  locked_direction(&mf, "mf96");
  locked_direction(&lin, "linear");
  continuity(&mf, "mf96");
  continuity(&lin, "linear");
  peaks(&mf);
  ellipse();
  trail(&mf);
  force f = at(&lin, 0.0, tan(0.03), 4000.0);
  tap_near(f.y, -80e3 * 0.03, 1e-9, "linear: Fy = -C alpha below the circle");
  return tap_done();
}
