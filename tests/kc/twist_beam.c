/* A twist beam's equilibrium by hand: the torsion bar, the portal frame, the beam divided into pieces, and its
 * steer. */
#include "balance_corner.h"
#include "kc/matrix.h"
#include "linkages.h"
#include "linkage/corner_def.h"

static const double length = 1.1, half_span = 0.56, arm_x = -0.42, beam_x = -0.16; /* m; x from the pivots */

/* Makes a twist beam with pivots, shear centre and wheel centres in one plane; the pivots are ball joints. A spring
 * stands upright on each wheel centre, without load. */
static vd_corner flat(void) {
  vd_corner c;
  vd_corner_start(VD_TWIST_BEAM, &c);
  vd_hardpoints *p = &c.points;
  const double centre[3] = {arm_x, 0.72, 0.3}, pivot[3] = {0.0, half_span, 0.3}, middle[3] = {beam_x, 0.0, 0.3};
  memcpy(p->wheel_center, centre, sizeof centre);
  memcpy(p->spin_axis, (const double[3]){0.0, 1.0, 0.0}, 3 * sizeof(double));
  memcpy(p->member[0].chassis[0], pivot, sizeof pivot);
  memcpy(p->member[0].chassis[1], middle, sizeof middle);
  p->static_radius = 0.3;
  p->spring.given = true;
  p->spring.on = VD_ON_MEMBER;
  memcpy(p->spring.eye, centre, sizeof centre);
  memcpy(p->spring.chassis, centre, sizeof centre);
  p->spring.chassis[2] += 0.8;
  c.spring_rate = 2.4e4;
  c.spring_load = 0.0;
  c.beam = (vd_beam){.given = true,
                     .length = length,
                     .torsion = 1400.0,
                     .bending = {9e4, 5e4},
                     .axial = 3e8,
                     .shear = {INFINITY, INFINITY}};
  return c;
}

static bool matrix_of(const vd_corner *c, enum vd_hold hold, vd_kc_matrix *m) {
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_report report;
  plan.load.fz = 0.0;
  plan.hold = hold;
  bool good = vd_kc_matrix_of(c, &plan, m, &report);
  if (!good)
    tap_diag("%s", report.messages.text);
  vd_buf_finish(&report.messages);
  return good;
}

/* Tests the torsion. The heights of the wheels differ by 2 z: each arm turns by z/d about the line from its pivot to
 * the shear centre, with d the distance of the wheel centre from this line, and the beam twists by twice the y
 * component of this rotation. By virtual work the force at each wheel is (G J/L) twist dtwist/d(2 z). In phase the
 * springs alone carry the load. With a bending stiffness of 1e12 N m2 the error is 1e-7. */
static void test_torsion_bar(void) {
  vd_corner c = flat();
  vd_kc_matrix m;
  c.beam.bending[0] = c.beam.bending[1] = 1e12;
  bool ok = matrix_of(&c, VD_HOLD_AUTO, &m) && m.hold == VD_HOLD_FREE;
  /* length of the line, and the y component of its direction */
  double line = hypot(beam_x, half_span), along = half_span / line;
  double off = fabs(arm_x * half_span - beam_x * (half_span - 0.72)) / line; /* distance of the wheel centre from it */
  double twist = along / off, stiffness = 1400.0 / length;                   /* dtwist/d(2 z); G J/L */
  double apart = 1.0 / (m.of.c[2][2] - m.of.c[2][8]), together = 1.0 / (m.of.c[2][2] + m.of.c[2][8]);
  tap_near(ok ? together / 2.4e4 : NAN, 1.0, 1e-6, "a twist beam in phase has the rate of its springs");
  tap_near((apart - 2.4e4) / (2.0 * stiffness * twist * twist), 1.0, 1e-6,
           "a twist beam in opposite travel has the rate of its springs and of the beam's torsion");
  tap_near(vd_corner_twist_rate(&c) / (stiffness * twist * twist), 1.0, 1e-12,
           "the wheel rate of a twist beam in a car is that of its torsion");
}

/* Tests bending. A force F to the left acts at both wheel centres, at a distance l behind the pivots. The arms are the
 * columns of a portal frame with pinned feet. Its crossbar is the beam, with stiff ends up to the arms' lines. The arms
 * turn by w. With k = 12 E I/L^3 and h half the pivots' distance, the work of both forces, 2 (1/2) F l w, is the energy
 * (1/2) k (2 h w)^2 of the beam: w = F l/(2 k h^2). */
static void test_portal(void) {
  vd_corner c = flat();
  vd_kc_matrix m;
  bool ok = matrix_of(&c, VD_HOLD_CENTRE, &m);
  double k = 12.0 * 5e4 / (length * length * length), turn = arm_x / (2.0 * k * half_span * half_span);
  tap_near(ok ? (m.of.c[5][1] + m.of.c[5][7]) / turn : NAN, 1.0, 1e-9, "portal: the left arm turns by F l/(2 k h^2)");
  tap_near((m.of.c[11][1] + m.of.c[11][7]) / turn, 1.0, 1e-9, "portal: the right arm turns as the left one");
  /* with pivots in line with the ends of the beam: M L/(6 E I), M = F l (any textbook) */
  c.beam.length = 2.0 * half_span;
  ok = matrix_of(&c, VD_HOLD_CENTRE, &m);
  tap_near(ok ? (m.of.c[5][1] + m.of.c[5][7]) / (arm_x * 2.0 * half_span / (6.0 * 5e4)) : NAN, 1.0, 1e-9,
           "portal: ends of the crossbar turn by M L/(6 E I)");
  /* opposed forces outward: moments of opposite signs bend the beam evenly, w = M L/(2 E I) for M on each end; its ends
   * also move apart by 2 beam_x w along y, so that the energy (1/2) (E A/L) (2 beam_x w)^2 of its stretch counts */
  double about = 5e4 / c.beam.length, along = 3e8 / c.beam.length;
  double bent = arm_x / (2.0 * (about + along * beam_x * beam_x));
  tap_near((m.of.c[5][1] - m.of.c[5][7]) / bent, 1.0, 1e-9, "opposed forces bend the beam evenly, and stretch it");
}

static bool shipped(vd_arena *arena, vd_corner *c) {
  vd_diag *d = vd_diag_create();
  bool good = vd_corner_read("scenarios/suspensions/twist_beam_rear_compact.yaml", NULL, 0, arena, d, c, NULL);
  vd_diag_destroy(d);
  return good;
}

/* Compares the beam as one joint with a beam in six pieces. The joint is exact for small rotations: forces of about 10
 * N turn it by 1e-4 rad. It neglects that its sections turn one after another; at a larger rotation psi between its
 * ends this is an error of the share psi. Bending by the wheel load between wheel and spring gives psi = 0.004 rad (600
 * N m, E I 1.5e5 N m2, 1 m). Twist acts by psi^2: 0.015 at 0.12 rad, when the wheels differ by 60 mm in height. */
static void test_pieces(void) {
  static const struct {
    const char *what;
    bool sprung;
    double apart, scale, within; /* m, -, - */
  } cases[] = {{"small forces", false, 0.0, 0.01, 1e-3},
               {"forces of 1 and 2 kN", true, 0.0, 1.0, 0.015},
               {"forces of 1 and 2 kN, wheels at heights 60 mm apart", true, 0.06, 1.0, 0.015}};
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  bool ok = shipped(arena, &c);
  for (size_t i = 0; i < VD_COUNT(cases); i++) {
    const double u[VD_INPUTS] = {0.5 * cases[i].apart, -0.5 * cases[i].apart}, s = cases[i].scale;
    const double fz = cases[i].sprung ? 2500.0 : 0.0, spring = cases[i].sprung ? balance_spring_load(&c, 2500.0) : NAN;
    const vd_wheel_load loads[] = {{.fz = fz}, {.fx = -1000.0 * s, .fy = 2000.0 * s, .fz = fz, .mz = 40.0 * s}};
    double toe[2][2], camber[2][2];
    for (int cut = 0; cut < 2; cut++)
      for (int k = 0; k < 2; k++) {
        balance_rig r;
        balance_twist_beam(&c, spring, cut ? 6 : 1, &r);
        ok = ok && balance_hold(&r, VD_HOLD_CENTRE, c.wheel_load, u, &loads[k]);
        toe[cut][k] = balance_toe(&r.scene, r.wheel);
        camber[cut][k] = balance_camber(&r.scene, r.wheel);
      }
    tap_near(ok ? (toe[1][1] - toe[1][0]) / (toe[0][1] - toe[0][0]) : NAN, 1.0, cases[i].within,
             "%s: a beam in six pieces has the toe of one joint", cases[i].what);
    tap_near((camber[1][1] - camber[1][0]) / (camber[0][1] - camber[0][0]), 1.0, cases[i].within,
             "%s: a beam in six pieces has the camber of one joint", cases[i].what);
  }
  vd_arena_destroy(arena);
}

/* Tests that forces to the left on both wheels of a rear axle turn it to the right on bushings ahead of the wheels: the
 * car oversteers (Reimpell, The Automotive Chassis, chapter 3; Matschinsky, Road Vehicle Suspensions). If the arms are
 * stiff, the whole axle turns by one angle. */
static void test_steer(void) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  vd_kc_matrix m;
  bool ok = shipped(arena, &c) && matrix_of(&c, VD_HOLD_CENTRE, &m);
  double left = m.of.c[5][1] + m.of.c[5][7], right = m.of.c[11][1] + m.of.c[11][7];
  tap_ok(ok && left < 0.0, "side forces to the left turn the axle to the right: %.3g deg/kN", 1e3 * degree * left);
  tap_near(right / left, 1.0, 1e-9, "side forces turn both wheels of the axle alike");
  c.beam.bending[0] = c.beam.bending[1] = c.beam.axial = 1e13;
  ok = matrix_of(&c, VD_HOLD_CENTRE, &m);
  tap_ok(ok && fabs(left) > fabs(m.of.c[5][1] + m.of.c[5][7]), "a rigid beam steers less: %.3g deg/kN",
         1e3 * degree * (m.of.c[5][1] + m.of.c[5][7]));
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(3 + 4 + 6 + 3);
  test_torsion_bar();
  test_portal();
  test_pieces();
  test_steer();
  return tap_done();
}
