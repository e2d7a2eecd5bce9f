/* Trees of bodies on revolute joints: Newton-Euler and composite bodies compared with each other, with closed forms and
 * with conservation laws. */
#include "math/chain.h"
#include "math/lu.h"
#include "math/rk4.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 6, LINKS = 3 };

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Computes accelerations from the mass matrix and the torques at zero acceleration. */
static void forward(const vd_chain *chain, const double *q, const double *rate, const double *torque,
                    const vd_chain_load *loads, double *accel) {
  static const double rest[VD_CHAIN_BODIES];
  double mass[VD_CHAIN_BODIES * VD_CHAIN_BODIES];
  size_t order[VD_CHAIN_BODIES], n = (size_t)chain->count;
  vd_chain_mass(chain, q, mass);
  vd_chain_inverse(chain, q, rate, rest, loads, accel);
  for (size_t i = 0; i < n; i++)
    accel[i] = torque[i] - accel[i];
  vd_lu_factorise(mass, n, order);
  vd_lu_solve(mass, order, n, accel);
}

/* Returns a random number in -1..1. */
static double drawn(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Makes a tree with two branches on a stem; only the first joint's axis is along an axis of the base, z. */
static void make_tree(int count, double gravity, vd_chain *chain) {
  static const int parent[N] = {VD_CHAIN_BASE, 0, 0, 1, 2, 2};
  unsigned seed = 1;
  *chain = (vd_chain){.gravity = {0.0, 0.0, -gravity}};
  for (int k = 0; k < count; k++) {
    vd_chain_body b = {.parent = parent[k], .axis = {0.0, 0.0, 2.0}, .inertia.mass = 3.0 + drawn(&seed)};
    double d[3];
    for (int i = 0; i < 3; i++) {
      if (k > 0)
        b.axis[i] = drawn(&seed);
      b.place[i] = drawn(&seed);
      b.inertia.centre[i] = b.place[i] + 0.5 * drawn(&seed);
      d[i] = drawn(&seed);
    }
    for (int i = 0; i < 3; i++) /* moments of inertia of a bar along d and of a ball */
      for (int j = 0; j < 3; j++)
        b.inertia.tensor[i][j] = (i == j ? dot(d, d) + 0.05 : 0.0) - d[i] * d[j];
    vd_chain_add(chain, &b);
  }
}

static void draw(unsigned *seed, double scale, int count, double *out) {
  for (int i = 0; i < count; i++)
    out[i] = scale * drawn(seed);
}

static double largest(const double *v, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    most = tap_max(most, fabs(v[i]));
  return most;
}

static double farthest(const double *a, const double *b, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    most = tap_max(most, fabs(a[i] - b[i]));
  return most;
}

/* Computes R I R' w, the angular momentum of a body about its centre. */
static void spin_momentum(const vd_inertia *inertia, const vd_chain_motion *m, double *out) {
  double own[3], l[3];
  for (int i = 0; i < 3; i++)
    own[i] = m->turn[0][i] * m->spin[0] + m->turn[1][i] * m->spin[1] + m->turn[2][i] * m->spin[2];
  for (int i = 0; i < 3; i++)
    l[i] = dot(inertia->tensor[i], own);
  for (int i = 0; i < 3; i++)
    out[i] = dot(m->turn[i], l);
}

static double kinetic(const vd_chain *chain, const double *q, const double *rate) {
  vd_chain_motion m[VD_CHAIN_BODIES];
  double sum = 0.0;
  vd_chain_move(chain, q, rate, m);
  for (int k = 0; k < chain->count; k++) {
    double l[3];
    spin_momentum(&chain->body[k].inertia, &m[k], l);
    sum += 0.5 * chain->body[k].inertia.mass * dot(m[k].velocity, m[k].velocity) + 0.5 * dot(l, m[k].spin);
  }
  return sum;
}

static double energy(const vd_chain *chain, const double *q, const double *rate) {
  vd_chain_motion m[VD_CHAIN_BODIES];
  double sum = kinetic(chain, q, rate);
  vd_chain_move(chain, q, rate, m);
  for (int k = 0; k < chain->count; k++)
    sum -= chain->body[k].inertia.mass * dot(chain->gravity, m[k].centre);
  return sum;
}

/* Returns the angular momentum of all bodies about the first joint's axis. */
static double angular_momentum(const vd_chain *chain, const double *q, const double *rate) {
  vd_chain_motion m[VD_CHAIN_BODIES];
  double sum = 0.0;
  vd_chain_move(chain, q, rate, m);
  for (int k = 0; k < chain->count; k++) {
    double l[3], arm[3], moment[3];
    spin_momentum(&chain->body[k].inertia, &m[k], l);
    for (int i = 0; i < 3; i++)
      arm[i] = m[k].centre[i] - m[0].joint[i];
    cross(arm, m[k].velocity, moment);
    sum += dot(m[0].axis, l) + chain->body[k].inertia.mass * dot(m[0].axis, moment);
  }
  return sum;
}

/* --- comparison of both algorithms --- */

static void algorithms(void) {
  vd_chain chain;
  unsigned seed = 7;
  double columns = 0.0, work = 0.0, back = 0.0;
  make_tree(N, VD_GRAVITY, &chain);
  for (int round = 0; round < 20; round++) {
    double q[N], rate[N], torque[N], still[N] = {0.0}, accel[N], mass[N * N], column[N * N], answer[N];
    vd_chain_load load[N];
    draw(&seed, 3.0, N, q);
    draw(&seed, 5.0, N, rate);
    draw(&seed, 20.0, N, torque);
    for (int k = 0; k < N; k++) {
      draw(&seed, 30.0, 3, load[k].force);
      draw(&seed, 1.0, 3, load[k].point);
      draw(&seed, 10.0, 3, load[k].moment);
    }
    vd_chain_mass(&chain, q, mass);
    vd_chain_inverse(&chain, q, still, still, NULL, answer);
    for (int k = 0; k < N; k++) {
      double one[N] = {0.0}, effort[N];
      one[k] = 1.0;
      vd_chain_inverse(&chain, q, still, one, NULL, effort);
      for (int i = 0; i < N; i++)
        column[i * N + k] = effort[i] - answer[i];
    }
    /* effort and answer both contain the torques of gravity, about 100 N m: their rounding stays in the difference */
    columns = tap_max(columns, farthest(column, mass, N * N) / tap_max(largest(mass, N * N), largest(answer, N)));
    double twice = 0.0;
    for (int i = 0; i < N * N; i++)
      twice += rate[i / N] * mass[i] * rate[i % N];
    work = tap_max(work, fabs(0.5 * twice / kinetic(&chain, q, rate) - 1.0));
    forward(&chain, q, rate, torque, load, accel);
    vd_chain_inverse(&chain, q, rate, accel, load, answer);
    back = tap_max(back, farthest(answer, torque, N) / (largest(mass, N * N) * largest(accel, N)));
  }
  tap_near(columns, 0.0, 1e-13,
           "the torques of unit accelerations by Newton-Euler are the columns of the mass matrix by composite bodies");
  tap_near(work, 0.0, 1e-13, "the mass matrix has the bodies' kinetic energy");
  tap_near(back, 0.0, 1e-13,
           "forward dynamics gives accelerations whose torques by inverse dynamics are the given torques");
}

/* --- closed forms --- */

/* Two points on massless rods, angles from straight down: (m1 + m2) l1^2 t1'' + m2 l1 l2 cos(t1 - t2) t2'' = -m2 l1 l2
 * sin(t1 - t2) t2'^2 - (m1 + m2) g l1 sin t1; m2 l1 l2 cos(t1 - t2) t1'' + m2 l2^2 t2'' = m2 l1 l2 sin(t1 - t2) t1'^2 -
 * m2 g l2 sin t2 (Landau and Lifshitz, Mechanics, section 5, problem 1). */
static void double_pendulum(void) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 0.6, t1 = 0.8, t2 = -1.1, w1 = 1.7, w2 = -2.3, g = VD_GRAVITY;
  vd_chain chain = {.gravity = {0.0, 0.0, -g}};
  const vd_chain_body upper = {.parent = VD_CHAIN_BASE,
                               .axis = {0.0, 1.0, 0.0},
                               .place = {0.3, 0.2, 1.0},
                               .inertia = {.mass = m1, .centre = {0.3, 0.2, 1.0 - l1}}};
  const vd_chain_body lower = {.parent = 0,
                               .axis = {0.0, 1.0, 0.0},
                               .place = {0.3, 0.2, 1.0 - l1},
                               .inertia = {.mass = m2, .centre = {0.3, 0.2, 1.0 - l1 - l2}}};
  vd_chain_add(&chain, &upper);
  vd_chain_add(&chain, &lower);
  const double q[] = {t1, t2 - t1}, rate[] = {w1, w2 - w1}, none[] = {0.0, 0.0};
  double accel[2];
  forward(&chain, q, rate, none, NULL, accel);
  double a = (m1 + m2) * l1 * l1, b = m2 * l1 * l2 * cos(t1 - t2), c = m2 * l2 * l2, s = m2 * l1 * l2 * sin(t1 - t2);
  double r1 = -s * w2 * w2 - (m1 + m2) * g * l1 * sin(t1), r2 = s * w1 * w1 - m2 * g * l2 * sin(t2);
  double a1 = (c * r1 - b * r2) / (a * c - b * b), a2 = (a * r2 - b * r1) / (a * c - b * b);
  tap_near(accel[0], a1, 1e-12, "accelerations of a double pendulum are the textbook's, upper rod");
  tap_near(accel[0] + accel[1], a2, 1e-12, "accelerations of a double pendulum are the textbook's, lower rod");
}

/* --- motion --- */

typedef struct swing {
  const vd_chain *chain;
  double torque[N];
} swing;

static void tree_rates(void *context, int stage, const double *x, double *dx) {
  const swing *s = context;
  int n = s->chain->count;
  (void)stage;
  memcpy(dx, x + n, (size_t)n * sizeof *dx);
  forward(s->chain, x, x + n, s->torque, NULL, dx + n);
}

static void swing_for(swing *s, double seconds, int steps, double *x) {
  double dx[2 * N];
  for (int i = 0; i < steps; i++) {
    tree_rates(s, 0, x, dx);
    vd_rk4(tree_rates, s, seconds / steps, 2 * s->chain->count, dx, x);
  }
}

/* Checks three links that swing freely: the error of classical Runge-Kutta integration over a given time falls as
 * h^4, also in conserved quantities. */
static void free_swing(void) {
  enum { STEPS = 500 };
  vd_chain chain;
  make_tree(LINKS, VD_GRAVITY, &chain);
  chain.body[0].axis[0] = chain.body[0].axis[2] = sqrt(0.5); /* not vertical, so that the first joint also oscillates */
  swing s = {.chain = &chain};
  const double start[2 * LINKS] = {0.5, -0.4, 0.9, 1.0, -2.0, 0.5};
  double x[4][2 * LINKS], kept[4], before = energy(&chain, start, start + LINKS), most = 0.0;
  for (int k = 0; k < 4; k++) {
    memcpy(x[k], start, sizeof start);
    swing_for(&s, 1.0, STEPS << k, x[k]);
    kept[k] = energy(&chain, x[k], x[k] + LINKS) - before;
    most = kinetic(&chain, x[k], x[k] + LINKS);
  }
  double order = log2(farthest(x[0], x[1], 2 * LINKS) / farthest(x[1], x[2], 2 * LINKS));
  tap_near(order, 4.0, 0.1, "three links oscillate freely, order of the error");
  tap_diag("energy drifts by %.3g, %.3g, %.3g J at 2, 1, 0.5 ms; kinetic %.3g J", kept[0], kept[1], kept[2], most);
  tap_ok(log2(fabs(kept[0] / kept[1])) > 3.9, "the energy's drift falls with order 3.9 at least");
  /* dE = grad E . dx: the six components of grad E, momenta and torques, are below 200 in SI; the error dx of the state
   * follows from the next halving */
  double bound = 6.0 * 200.0 * 16.0 / 15.0 * farthest(x[1], x[2], 2 * LINKS);
  tap_ok(fabs(kept[1]) <= bound, "the drift of the energy is explained by the error of the state: %.3g of %.3g J",
         kept[1], bound);
}

/* Returns a derivative by central differences over h and 2 h, in which the error of second order cancels. */
static double slope_of(double (*f)(const vd_chain *, const double *, const double *), const vd_chain *chain,
                       const double *q, const double *rate, const double *accel) {
  const double h = 1e-3, at[] = {1.0, -1.0, 2.0, -2.0}, weight[] = {8.0, -8.0, -1.0, 1.0};
  double sum = 0.0;
  for (int k = 0; k < 4; k++) {
    double t = at[k] * h, there[N], moving[N];
    for (int i = 0; i < chain->count; i++) {
      there[i] = q[i] + t * rate[i] + 0.5 * t * t * accel[i];
      moving[i] = rate[i] + t * accel[i];
    }
    sum += weight[k] * f(chain, there, moving) / (12.0 * h);
  }
  return sum;
}

/* Checks that only the first joint's torque changes the angular momentum of the tree about its axis, as the other
 * torques are internal, and that the energy changes by the power of all torques. */
static void balances(void) {
  vd_chain chain;
  unsigned seed = 3;
  double turn = 0.0, power = 0.0, direct = 0.0;
  make_tree(N, 0.0, &chain);
  for (int round = 0; round < 10; round++) {
    double q[N], rate[N], torque[N], accel[N], mass[N * N], sum = 0.0, work = 0.0;
    draw(&seed, 3.0, N, q);
    draw(&seed, 2.0, N, rate);
    draw(&seed, 20.0, N, torque);
    vd_chain_mass(&chain, q, mass);
    for (int k = 0; k < N; k++) {
      sum += mass[k] * rate[k];
      work += torque[k] * rate[k];
    }
    direct = tap_max(direct, fabs(sum - angular_momentum(&chain, q, rate)) / largest(mass, N * N));
    forward(&chain, q, rate, torque, NULL, accel);
    turn = tap_max(turn, fabs(slope_of(angular_momentum, &chain, q, rate, accel) - torque[0]));
    power = tap_max(power, fabs(slope_of(kinetic, &chain, q, rate, accel) - work));
  }
  tap_near(direct, 0.0, 1e-13,
           "the first row of the mass matrix times the rates is the angular momentum about the first joint");
  /* rounding: 1e-15 of 100 N m s over 1 ms; error of the differences, of order h^4: about 1e-8 N m and W */
  tap_near(turn, 0.0, 1e-7, "the rate of the angular momentum about the first joint is the joint's torque");
  tap_near(power, 0.0, 1e-7, "power of all torques is the kinetic energy's rate");
}

/* --- loads --- */

/* Returns F . P of a load's force and the present place of its point. */
static double work_of(const vd_chain *chain, const vd_chain_motion *m, int body, const vd_chain_load *load) {
  double arm[3], place[3];
  for (int i = 0; i < 3; i++)
    arm[i] = load->point[i] - chain->body[body].place[i];
  for (int i = 0; i < 3; i++)
    place[i] = m[body].joint[i] + dot(m[body].turn[i], arm);
  return dot(place, load->force);
}

/* Checks that at rest, without gravity, the joints balance the loads: torque = -sum over bodies J' F, J the derivatives
 * of places by joint angles, here differences. */
static void virtual_work(void) {
  vd_chain chain;
  unsigned seed = 11;
  double worst = 0.0;
  const double h = 1e-3, at[] = {1.0, -1.0, 2.0, -2.0}, weight[] = {8.0, -8.0, -1.0, 1.0};
  make_tree(N, 0.0, &chain);
  double q[N], still[N] = {0.0}, torque[N], work[N] = {0.0};
  vd_chain_load load[N];
  draw(&seed, 3.0, N, q);
  for (int k = 0; k < N; k++) {
    draw(&seed, 10.0, 3, load[k].force);
    draw(&seed, 1.0, 3, load[k].point);
    draw(&seed, 10.0, 3, load[k].moment);
  }
  vd_chain_inverse(&chain, q, still, still, load, torque);
  for (int joint = 0; joint < N; joint++) {
    double one[N] = {0.0};
    vd_chain_motion m[N];
    one[joint] = 1.0;
    for (int body = 0; body < N; body++) {
      vd_chain_move(&chain, q, one, m);
      work[joint] += dot(m[body].spin, load[body].moment);
      for (int k = 0; k < 4; k++) {
        double there[N];
        memcpy(there, q, sizeof there);
        there[joint] += at[k] * h;
        vd_chain_move(&chain, there, one, m);
        work[joint] += weight[k] * work_of(&chain, m, body, &load[body]) / (12.0 * h);
      }
    }
    worst = tap_max(worst, fabs(work[joint] + torque[joint]));
  }
  /* error h^4/30 for places 3 m away under six forces of 10 N; rounding 1e-15/h of 180 N m */
  tap_near(worst, 0.0, 2e-10, "the work of loads is minus the work of the joints' torques");
}

/* Checks signs on a bar along x on a hinge along y: turning by +q lowers its end. */
static void load_sign(void) {
  vd_chain chain = {.count = 0};
  const vd_chain_body bar = {
      .parent = VD_CHAIN_BASE,
      .axis = {0.0, 1.0, 0.0},
      .inertia = {2.0, {0.5, 0.0, 0.0}, {{0.0, 0.0, 0.0}, {0.0, 2.0 / 12.0, 0.0}, {0.0, 0.0, 2.0 / 12.0}}}};
  const vd_chain_load up = {.force = {0.0, 0.0, 30.0}, .point = {1.0, 0.0, 0.0}}, twist = {.moment = {0.0, 6.0, 0.0}};
  const double zero = 0.0;
  double torque, accel;
  vd_chain_add(&chain, &bar);
  vd_chain_inverse(&chain, &zero, &zero, &zero, &up, &torque);
  tap_near(torque, 30.0, 1e-14, "the hinge balances a bar that is pushed up at its end");
  forward(&chain, &zero, &zero, &zero, &up, &accel);
  tap_near(accel, -30.0 / (2.0 / 3.0), 1e-12, "a free bar that is pushed up at its end turns up");
  forward(&chain, &zero, &zero, &zero, &twist, &accel);
  tap_near(accel, 6.0 / (2.0 / 3.0), 1e-12, "a moment turns a free bar in its own direction");
}

/* --- refusals --- */

static bool refused(const vd_chain_body *body) {
  vd_chain chain = {.count = 0};
  return !vd_chain_add(&chain, body) && chain.count == 0;
}

static void refusals(void) {
  const vd_chain_body sound = {.parent = VD_CHAIN_BASE, .axis = {0.0, 0.0, 3.0}};
  vd_chain_body bad = sound;
  bad.parent = 0;
  tap_ok(refused(&bad), "a body cannot be its own parent");
  bad = sound;
  bad.axis[2] = 0.0;
  tap_ok(refused(&bad), "refused: an axis without a direction");
  bad = sound;
  bad.inertia.mass = -1.0;
  tap_ok(refused(&bad), "refused: a mass below 0");
  bad = sound;
  bad.inertia.tensor[1][2] = NAN;
  tap_ok(refused(&bad), "a body with a number that is not finite is refused");
  vd_chain chain = {.count = 0};
  int room = 0;
  while (vd_chain_add(&chain, &sound))
    room++;
  tap_ok(room == VD_CHAIN_BODIES && chain.count == room, "a chain has room for the greatest number of bodies");
}

int main(void) {
  tap_plan(20);
  algorithms();
  double_pendulum();
  free_swing();
  balances();
  virtual_work();
  load_sign();
  refusals();
  return tap_done();
}
