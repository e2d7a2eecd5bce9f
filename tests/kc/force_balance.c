/* Tests of the second solver, with which other tests compare the library. It is compared with closed forms and a rig of
 * Project Chrono. */
#include "balance.h"
#include "base/base.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static void copy(const double *from, double *to) {
  memcpy(to, from, 3 * sizeof *to);
}

/* Tests a body on one bushing of stiffness k and c in all directions under a force f and a moment m of size c
 * sin(angle) about z: it moves by f/k and turns by the angle, since the moment of t = 2 sin(angle/2) is c t
 * cos(angle/2). */
static void test_one_bushing(void) {
  const double origin[3] = {0.3, -0.2, 0.1}, stiffness[6] = {8e5, 8e5, 8e5, 2e4, 2e4, 2e4}, tip[3] = {0.8, -0.2, 0.1};
  balance s = {0};
  double angle = asin(0.3), at[3];
  int body = balance_add_body(&s, origin);
  balance_add_bushing(&s, BUSHING, GROUND, body, origin, stiffness);
  balance_part *load = balance_add(&s, DEAD_LOAD, GROUND, body, origin);
  load->force[0] = 400.0;
  load->force[2] = -1200.0;
  load->moment[2] = 0.3 * 2e4;
  tap_ok(balance_solve(&s, 1), "one bushing: the equilibrium is found");
  balance_place(&s, body, tip, at);
  tap_near(at[0], 0.3 + 400.0 / 8e5 + 0.5 * cos(angle), 1e-12, "one bushing: the wheel moves along x and turns");
  tap_near(at[1], -0.2 + 0.5 * sin(angle), 1e-12, "one bushing: the wheel turns by the angle whose sine is m/c");
  tap_near(at[2], 0.1 - 1200.0 / 8e5, 1e-12, "one bushing: the wheel moves along z");
}

/* Tests axes and preload. A bushing whose axes are turned by 30 degrees about z (rotation R) is soft along its own x: a
 * force f along x moves it by u = R' diag(1/k) R f. A bushing with the force k x + p moves by -p/k along its axis. */
static void test_orientation(void) {
  const double origin[3] = {0.0, 0.0, 0.0}, stiffness[6] = {1e5, 4e5, 4e5, 1e4, 1e4, 1e4};
  const double c = cos(VD_PI / 6.0), n = sin(VD_PI / 6.0), frame[3][3] = {{c, n, 0.0}, {-n, c, 0.0}, {0.0, 0.0, 1.0}};
  balance s = {0};
  double at[3];
  int body = balance_add_body(&s, origin);
  balance_part *b = balance_add_bushing(&s, BUSHING, GROUND, body, origin, stiffness);
  memcpy(b->frame, frame, sizeof frame);
  b->law[2].load = 200.0;
  balance_add(&s, DEAD_LOAD, GROUND, body, origin)->force[0] = 1000.0;
  bool ok = balance_solve(&s, 1);
  balance_place(&s, body, origin, at);
  tap_near(ok ? at[0] : NAN, 1000.0 * (c * c / 1e5 + n * n / 4e5), 1e-12,
           "oriented bushing: the displacement along the force is (R' diag(1/k) R f) along x");
  tap_near(at[1], 1000.0 * c * n * (1.0 / 1e5 - 1.0 / 4e5), 1e-12,
           "oriented bushing: the displacement across the force is (R' diag(1/k) R f) along y");
  tap_near(at[2], -200.0 / 4e5, 1e-12, "the preload of a bushing moves it by -p/k");
}

/* Tests two bodies in series on bushings of stiffness k1 and k2: under a force f they move by f/k1 and f/k1 + f/k2. */
static void test_series(void) {
  const double first[3] = {0.0, 0.0, 0.0}, second[3] = {1.0, 0.0, 0.0};
  const double k1[6] = {3e5, 3e5, 3e5, 1e4, 1e4, 1e4}, k2[6] = {7e5, 7e5, 7e5, 1e4, 1e4, 1e4};
  balance s = {0};
  double at[3];
  int a = balance_add_body(&s, first), b = balance_add_body(&s, second);
  balance_add_bushing(&s, BUSHING, GROUND, a, first, k1);
  balance_add_bushing(&s, BUSHING, a, b, second, k2);
  balance_add(&s, DEAD_LOAD, GROUND, b, second)->force[0] = 2100.0;
  bool ok = balance_solve(&s, 1);
  balance_place(&s, b, second, at);
  tap_near(ok ? at[0] : NAN, 1.0 + 2100.0 / 3e5 + 2100.0 / 7e5, 1e-12,
           "two bushings in series: the second body moves by f/k1 + f/k2");
  balance_place(&s, a, first, at);
  tap_near(at[0], 2100.0 / 3e5, 1e-12, "two bushings in series: the first body moves by f/k1");
}

/* Tests a pendulum: a rod hangs on a ball joint with a weight w at its end, which a force f pulls aside: tan(angle) =
 * f/w. The ball joint carries both. */
static void test_pendulum(void) {
  const double top[3] = {0.0, 0.0, 0.0}, end[3] = {0.0, 0.0, -0.5}, third[3] = {0.0, 0.0, -1.0};
  balance s = {0};
  double at[3], angle = atan(0.75);
  int body = balance_add_body(&s, top);
  balance_part *join = balance_add(&s, JOIN, GROUND, body, top);
  balance_part *stop = balance_add(&s, SPIN_STOP, GROUND, body, top);
  stop->axis[2] = 1.0;
  balance_part *w = balance_add(&s, DEAD_LOAD, GROUND, body, end);
  w->force[0] = 75.0;
  w->force[2] = -100.0;
  bool ok = balance_solve(&s, 2);
  balance_place(&s, body, end, at);
  tap_near(ok ? at[0] : NAN, 0.5 * sin(angle), 1e-12, "a pendulum under a side force hangs at the angle atan(f/w)");
  tap_near(balance_multiplier(&s, join, 2), 100.0, 1e-8, "a pendulum's ball carries the weight");

  /* A stretched spring from the rod's end to a point 0.5 m straight below it. */
  balance_part *coil = balance_add(&s, COIL, GROUND, body, third);
  const double eye[3] = {0.0, 0.0, -0.5};
  copy(eye, coil->far);
  coil->law[0] = (balance_law){.rate = 1000.0, .load = -1000.0 * 0.4}; /* free length 0.4 */
  w->force[0] = 0.0;
  w->force[2] = 0.0;
  ok = balance_solve(&s, 4);
  balance_place(&s, body, end, at);
  tap_near(ok ? at[0] : NAN, 0.0, 1e-10, "a stretched spring under a rod pulls it straight");
}

/* Tests a wheel: a disc is on a bushing at its centre, which is stiff against displacements. A side force f at its
 * lowest point has the moment f R; the load of a round wheel with camber has only the lever R sin(camber). */
static void test_wheel(void) {
  const double centre[3] = {0.0, 0.0, 0.5}, c = 3e4, radius = 0.3;
  const double stiffness[6] = {1e9, 1e9, 1e9, 3e4, 3e4, 3e4};
  balance s = {0};
  int body = balance_add_body(&s, centre);
  balance_add_bushing(&s, BUSHING, GROUND, body, centre, stiffness);
  balance_part *w = balance_add(&s, WHEEL, GROUND, body, centre);
  w->axis[1] = 1.0;
  w->radius = radius;
  w->force[1] = 4000.0;
  bool ok = balance_solve(&s, 1);
  /* camber g, top outward (left) > 0: a force f to the left displaces the contact to the left, c sin g = -f R cos g,
   * since its lever is the height R cos g */
  tap_near(ok ? tan(balance_camber(&s, w) * VD_PI / 180.0) : NAN, -4000.0 * radius / c, 1e-9,
           "a wheel on its bushing has the camber of the side force's moment");
  w->force[1] = 0.0;
  w->force[0] = -4000.0;
  w->force[2] = 5000.0;
  ok = balance_solve(&s, 1);
  double turned[3];
  const double ahead[3] = {1.0, 0.0, 0.0};
  balance_turned(&s, body, ahead, turned);
  tap_near(ok ? -turned[2] : NAN, 4000.0 * radius / c, 1e-9,
           "a locked wheel is wound up by fx R, and its load has no lever");
  w->free_spin = true;
  ok = balance_solve(&s, 1);
  balance_turned(&s, body, ahead, turned);
  tap_near(ok ? turned[2] : NAN, 0.0, 1e-12, "a freely spinning wheel has no wind-up");
  w->torque = 600.0;
  ok = balance_solve(&s, 1);
  balance_turned(&s, body, ahead, turned);
  tap_near(ok ? -turned[2] : NAN, 600.0 / c, 1e-9, "a freely spinning wheel winds up only by the torque of its brake");
}

/* --- Chrono's bushed double wishbone: HMMWV front, own runs of Project Chrono (BSD-3-Clause) --- */

/* Returns the force of its spring as a function of the lengthening from 0.339 m: a table, linear between points. */
static double hmmwv_spring(const void *data, double length) {
  (void)data;
  static const double force[] = {0.0,       3629.923,   8991.945,   17818.165,  31840.681, 52791.592,
                                 82402.997, 122406.996, 174535.686, 240521.166, 322095.536};
  double x = (length - 0.339) / 0.02, size = fabs(x);
  int i = size < 9.0 ? (int)size : 9;
  double f = force[i] + (size - i) * (force[i + 1] - force[i]);
  return x < 0.0 ? -f : f;
}

static int hmmwv_arm(balance *s, const double *front, const double *back, const double *ball, int knuckle) {
  double middle[3], size = 0.0, along[3], reach[3], normal[3];
  for (int i = 0; i < 3; i++) {
    middle[i] = 0.5 * (front[i] + back[i]);
    along[i] = front[i] - back[i];
    reach[i] = ball[i] - middle[i];
    size += along[i] * along[i];
  }
  const double stiffness[6] = {7e7, 7e7, 7e7, 1e5, 1e5, 0.0};
  int body = balance_add_body(s, middle);
  balance_part *b = balance_add_bushing(s, BUSHING, GROUND, body, middle, stiffness);
  for (int i = 0; i < 3; i++)
    b->frame[2][i] = along[i] / sqrt(size);
  for (int i = 0; i < 3; i++)
    normal[i] = b->frame[2][(i + 1) % 3] * reach[(i + 2) % 3] - b->frame[2][(i + 2) % 3] * reach[(i + 1) % 3];
  size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int i = 0; i < 3; i++)
    b->frame[1][i] = normal[i] / size;
  for (int i = 0; i < 3; i++)
    b->frame[0][i] =
        b->frame[1][(i + 1) % 3] * b->frame[2][(i + 2) % 3] - b->frame[1][(i + 2) % 3] * b->frame[2][(i + 1) % 3];
  balance_add(s, JOIN, knuckle, body, ball);
  return body;
}

static balance_part *hmmwv(balance *s) {
  static const double centre[3] = {-0.04, 0.91, -0.026};
  static const double upper[3][3] = {{-0.048, 0.446, 0.245}, {-0.268, 0.478, 0.196}, {-0.053, 0.716, 0.215}};
  static const double lower[3][3] = {{0.223, 0.307, 0.0}, {-0.223, 0.307, 0.0}, {-0.036, 0.787, -0.118}};
  static const double rod[2][3] = {{-0.25, 0.448, 0.054}, {-0.176, 0.821, -0.016}};
  static const double coil[2][3] = {{0.104, 0.51, 0.197}, {0.097, 0.543, -0.047}};
  memset(s, 0, sizeof *s);
  int knuckle = balance_add_body(s, centre);
  hmmwv_arm(s, upper[0], upper[1], upper[2], knuckle);
  int arm = hmmwv_arm(s, lower[0], lower[1], lower[2], knuckle);
  copy(rod[1], balance_add(s, APART, GROUND, knuckle, rod[0])->far);
  balance_part *spring = balance_add(s, COIL, GROUND, arm, coil[0]);
  copy(coil[1], spring->far);
  spring->law[0].curve = hmmwv_spring;
  balance_part *w = balance_add(s, WHEEL, GROUND, knuckle, centre);
  w->axis[1] = 1.0;
  w->radius = 0.4699;
  w->support = SUPPORT_CENTRE;
  return w;
}

typedef struct rig_row {
  const char *what;
  double *load, size; /* N or N m; applied in both directions */
  double toe, camber; /* deg per kN or 100 N m */
  double within[2];   /* NAN: not compared */
} rig_row;

static void test_chrono(void) {
  balance s;
  balance_part *w = hmmwv(&s);
  bool ok = balance_solve(&s, 4);
  double rest = balance_toe(&s, w);
  tap_near(ok ? rest : NAN, 0.944, 0.004, "Chrono's rig has its toe at 17.69 kN, deg");
  tap_near(balance_camber(&s, w), -0.084, 0.002, "Chrono's rig has its camber at 17.69 kN, deg");
  tap_near(1e-3 * balance_multiplier(&s, w, 0), 17.69, 0.01, "Chrono's rig carries the load of its wheel, kN");
  const rig_row rows[] = {
      {"brake force at the contact", &w->force[0], 1000.0, -0.532, -0.0337, {0.02, 0.02}},
      {"force at the wheel centre", &w->centre_force[0], 1000.0, -0.0912, -0.0410, {0.02, 0.02}},
      {"moment about z", &w->moment[2], 150.0, -0.0510, -0.00300, {0.02, 0.02}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double toe[2], camber[2], per = i == 2 ? 2.0 * rows[i].size / 100.0 : 2.0 * rows[i].size / 1000.0;
    for (int k = 0; k < 2; k++) {
      *rows[i].load = k ? rows[i].size : -rows[i].size;
      ok = balance_solve(&s, 1) && ok;
      toe[k] = balance_toe(&s, w);
      camber[k] = balance_camber(&s, w);
    }
    *rows[i].load = 0.0;
    tap_near(ok ? (toe[1] - toe[0]) / per / rows[i].toe : NAN, 1.0, rows[i].within[0], "Chrono's rig has its toe by %s",
             rows[i].what);
    tap_near((camber[1] - camber[0]) / per / rows[i].camber, 1.0, rows[i].within[1],
             "Chrono's rig has its camber by %s", rows[i].what);
  }
  double toe[2];
  for (int k = 0; k < 2; k++) {
    w->force[1] = k ? 1000.0 : -1000.0;
    ok = balance_solve(&s, 1) && ok;
    toe[k] = balance_toe(&s, w);
  }
  /* in Chrono this force turns with the wheel; the figure is from an independent force balance */
  tap_near(ok ? 0.5 * (toe[1] - toe[0]) : NAN, -0.031, 0.001,
           "bushed double wishbone: a side force gives the toe of the independent balance, deg/kN");
}

int main(void) {
  tap_plan(4 + 3 + 2 + 3 + 4 + 10);
  test_one_bushing();
  test_orientation();
  test_series();
  test_pendulum();
  test_wheel();
  test_chrono();
  return tap_done();
}
