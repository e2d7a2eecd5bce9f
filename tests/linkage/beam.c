/* Sections of thin walls and the stiffness of beams, by formulas of textbooks. */
#include "linkage/beam.h"
#include "base/base.h"
#include "tap.h"

#include <math.h>

/* Tests a channel of web h and flanges b to the front: shear centre 3 b^2/(6 b + h) behind the web, Cw = t b^3 h^2/12
 * (3 b + 2 h)/(6 b + h), J = (2 b + h) t^3/3 (Young and Budynas, Roark's Formulas, table 10.2; Timoshenko and Gere). */
static void test_channel(void) {
  const double b = 0.06, h = 0.11, t = 0.004;
  const double xy[] = {b, 0.5 * h + 0.3, 0.0, 0.5 * h + 0.3, 0.0, -0.5 * h + 0.3, b, -0.5 * h + 0.3};
  const vd_points points = {xy, 4};
  vd_section s;
  bool ok = vd_section_of(&points, t, &s);
  tap_near(ok ? s.shear_centre[0] : NAN, -3.0 * b * b / (6.0 * b + h), 1e-15,
           "channel: the shear centre is behind the web");
  tap_near(s.shear_centre[1], 0.3, 1e-15, "channel: the shear centre is on the axis of symmetry");
  tap_near(s.centroid[0], b * b / (2.0 * b + h), 1e-15, "channel: the centroid is b^2/(2 b + h) ahead of the web");
  tap_near(s.area, t * (2.0 * b + h), 1e-15, "channel: the area is t (2 b + h)");
  tap_near(s.torsion / (t * t * t * (2.0 * b + h) / 3.0), 1.0, 1e-12,
           "channel: the torsion constant is (2 b + h) t^3/3");
  double warping = t * b * b * b * h * h / 12.0 * (3.0 * b + 2.0 * h) / (6.0 * b + h);
  tap_near(s.warping / warping, 1.0, 1e-12, "channel: the warping constant is the textbook's");
  double about_x = t * h * h * h / 12.0 + 2.0 * t * b * 0.25 * h * h;
  tap_near(s.bending[0] / about_x, 1.0, 1e-12, "channel: the moment of inertia about x is that of web and flanges");
}

/* Tests a circular tube that is slit in front: shear centre two radii behind its middle, Cw = 2/3 t r^5 (pi^3 - 6 pi)
 * (Roark, for a half angle of pi). A polygon of n sides is off by (pi/n)^2. */
static void test_slit_tube(void) {
  enum { SIDES = 4000 };
  static double xy[2 * (SIDES + 1)];
  const double r = 0.04, t = 0.002;
  for (int i = 0; i <= SIDES; i++) {
    xy[2 * i] = r * cos(2.0 * VD_PI * i / SIDES);
    xy[2 * i + 1] = r * sin(2.0 * VD_PI * i / SIDES);
  }
  const vd_points points = {xy, SIDES + 1};
  vd_section s;
  bool ok = vd_section_of(&points, t, &s);
  tap_near(ok ? s.shear_centre[0] / r : NAN, -2.0, 1e-5, "slit tube: the shear centre is two radii behind the middle");
  tap_near(s.shear_centre[1] / r, 0.0, 1e-9, "slit tube: the shear centre is on the axis of symmetry");
  double warping = 2.0 / 3.0 * t * r * r * r * r * r * (VD_PI * VD_PI * VD_PI - 6.0 * VD_PI);
  tap_near(s.warping / warping, 1.0, 1e-5, "slit tube: the warping constant is the textbook's");
}

/* Two legs of length a at right angles, their axis of symmetry turned nose down from x: shear centre at the edge, no
 * warping; principal moments t a^3/3 about the axis of symmetry and t a^3/12 across it. */
static void test_angle(void) {
  const double a = 0.09, t = 0.005, turns[] = {0.3, -0.5};
  for (int k = 0; k < 2; k++) {
    double up = VD_PI / 4.0 - turns[k], down = -VD_PI / 4.0 - turns[k];
    const double xy[] = {a * cos(up), a * sin(up), 0.0, 0.0, a * cos(down), a * sin(down)};
    const vd_points points = {xy, 3};
    vd_section s;
    bool ok = vd_section_of(&points, t, &s);
    tap_near(ok ? hypot(s.shear_centre[0], s.shear_centre[1]) : NAN, 0.0, 1e-15,
             "angle: the shear centre is at the edge");
    tap_near(s.warping / (t * pow(a, 5.0)), 0.0, 1e-12, "angle: the section does not warp");
    tap_near(s.tilt, turns[k], 1e-12, "angle turned by %g: axis 1 is its axis of symmetry", turns[k]);
    tap_near(s.bending[0] / (t * a * a * a / 3.0), 1.0, 1e-12, "angle: the moment of inertia about axis 1 is t a^3/3");
    tap_near(s.bending[1] / (t * a * a * a / 12.0), 1.0, 1e-12,
             "angle: the moment of inertia about axis 3 is t a^3/12");
  }
}

static void test_strip(void) {
  const double xy[] = {0.0, 0.0, 0.05, 0.02, 0.1, 0.04};
  const vd_points points = {xy, 3};
  vd_section s;
  tap_ok(!vd_section_of(&points, 0.003, &s), "points on one line make no section");
}

/* Ends that cannot warp: E Cw phi'' - G J phi = -T for phi, the twist per length, which is 0 at both ends. The integral
 * of its series of sines is the twist of the beam, the sum over odd n of 8 T L/(n pi)^2/(E Cw (n pi/L)^2 + G J). */
static void test_warping(void) {
  vd_beam beam = {.length = 1.1, .torsion = 300.0, .shear = {INFINITY, INFINITY}};
  tap_near(vd_beam_torsion(&beam), 300.0 / 1.1, 1e-12, "ends that warp leave the stiffness G J/L");
  const double warping[] = {5.0, 60.0, 1e6};
  for (int k = 0; k < 3; k++) {
    double sum = 0.0;
    beam.warping = warping[k];
    for (int n = 399999; n >= 1; n -= 2) {
      double wave = n * VD_PI / beam.length;
      sum += 8.0 * beam.length / (n * VD_PI * n * VD_PI) / (warping[k] * wave * wave + beam.torsion);
    }
    tap_near(vd_beam_torsion(&beam) * sum, 1.0, 1e-9, "ends that do not warp, E Cw %g: the twist is the sum of sines",
             warping[k]);
  }
}

/* Tests that the joint in the middle has the stiffness of a beam element between its ends (Timoshenko's; Przemieniecki,
 * Theory of Matrix Structural Analysis, chapter 5): with phi = 12 E I/(k G A L^2), force per displacement 12 E I/L^3,
 * moment per displacement 6 E I/L^2, moment per rotation of its own end (4 + phi) E I/L and of the other end (2 - phi)
 * E I/L, all divided by 1 + phi. */
static void test_element(void) {
  const double l = 0.9, ei[2] = {4.2e4, 1.7e4}, shear[2] = {6e6, 2.5e6};
  vd_beam beam = {
      .length = l, .torsion = 900.0, .bending = {ei[0], ei[1]}, .axial = 2e8, .shear = {shear[0], shear[1]}};
  double k[6];
  vd_beam_stiffness(&beam, k);
  for (int plane = 0; plane < 2; plane++) { /* bending about axis 1 and about axis 3 */
    double along = k[plane ? 0 : 2], about = k[plane ? 5 : 3], e = ei[plane];
    double phi = 12.0 * e / (shear[1 - plane] * l * l), over = 1.0 + phi;
    tap_near(along / (12.0 * e / (l * l * l) / over), 1.0, 1e-12,
             "beam element, plane %d: the force per displacement is Timoshenko's", plane);
    tap_near(0.5 * l * along / (6.0 * e / (l * l) / over), 1.0, 1e-12,
             "beam element: the moment per displacement is Timoshenko's");
    tap_near((0.25 * l * l * along + about) / ((4.0 + phi) * e / l / over), 1.0, 1e-12,
             "beam element: the moment per rotation of its own end is Timoshenko's");
    tap_near((0.25 * l * l * along - about) / ((2.0 - phi) * e / l / over), 1.0, 1e-12,
             "beam element: the moment per rotation of the other end is Timoshenko's");
  }
  tap_near(k[1], 2e8 / l, 1e-6, "beam element: the axial stiffness is E A/L");
  tap_near(k[4], 900.0 / l, 1e-9, "beam element: the torsional stiffness is G J/L");
}

int main(void) {
  tap_plan(7 + 3 + 2 * 5 + 1 + 4 + 10);
  test_channel();
  test_slit_tube();
  test_angle();
  test_strip();
  test_warping();
  test_element();
  return tap_done();
}
