/* Runge-Kutta steps of states that decay fast (math/rk4.h), and states within a step.
 *
 * Expected values: phi from its definition in long double; the exact solution of linear equations; the stiff order 3 of
 * Krogstad's method (Hochbruck and Ostermann (2005), Explicit exponential Runge-Kutta methods for semilinear parabolic
 * problems, SIAM J. Numer. Anal. 43, 1069, section 6); order 5 for the error of one step, and also for the states
 * within a step. */
#include "math/rk4.h"

#include "tap.h"

#include <math.h>
#include <stddef.h>

/* Returns the sum of z^k/(k + n)!; for z <= -1 by the closed form, whose cancellation is harmless in long double. */
static long double phi_exactly(long double z, int n) {
  if (z < -1.0L) {
    long double p = expl(z), factorial = 1.0L;
    for (int k = 0; k < n; k++) {
      p = (p - 1.0L / factorial) / z;
      factorial *= k + 1;
    }
    return p;
  }
  long double term = 1.0L, sum = 0.0L;
  for (int k = 1; k <= n; k++)
    term /= k;
  for (int k = 1; k < 40; k++) {
    sum += term;
    term *= z / (k + n);
  }
  return sum;
}

static void phi_functions(void) {
  double worst = 0.0;
  for (double z = -200.0; z < -1e-12; z *= 0.93) {
    double phi[3];
    vd_phi(z, phi);
    for (int n = 1; n <= 3; n++) {
      double e = (double)fabsl((long double)phi[n - 1] / phi_exactly(z, n) - 1.0L);
      worst = tap_max(worst, e);
    }
  }
  tap_ok(worst <= 2e-14, "phi1, phi2 and phi3 are exact from -200 to 0 (%.1e)", worst);
}

/* A state that follows a given motion: x' = -rate (x - g(t)) + g'(t) has the solution g for x(0) = g(0). */
typedef struct carried {
  double t, h, rate; /* time, length and rate of the step */
  double (*g)(double), (*slope)(double);
} carried;

static void carried_rates(void *context, int stage, const double *x, double *dx) {
  static const double at[] = {0.0, 0.5, 0.5, 1.0};
  const carried *c = context;
  double t = c->t + at[stage] * c->h;
  dx[0] = -c->rate * (x[0] - c->g(t)) + c->slope(t);
  dx[1] = 2.0 * dx[0];
}

static double zero(double t) {
  return 0.0 * t;
}

static double ramp(double t) {
  return 3.0 * t - 1.0;
}

static double ramp_slope(double t) {
  return 3.0 + 0.0 * t;
}

static double wave_slope(double t) {
  return cos(t);
}

/* Integrates to t = 2; assumed: the rate that the method is given, as a share of the true one. */
static void follow(carried c, double assumed, long steps, double *x) {
  vd_decay decay = {.count = 2, .state = {0, 1}, .rate = {assumed * c.rate, assumed * c.rate}};
  c.h = 2.0 / (double)steps;
  for (long i = 0; i < steps; i++) {
    double k1[2], k4[2], before[2] = {x[0], x[1]};
    c.t = (double)i * c.h;
    carried_rates(&c, 0, x, k1);
    vd_rk4_decaying(carried_rates, &c, c.h, 2, &decay, k1, x, k4);
    for (int j = 0; j < 2; j++)
      decay.drift[j] = (x[j] - before[j]) / c.h;
  }
}

static void linear(void) {
  static const double rates[] = {30.0, 400.0, 2e4};
  for (int i = 0; i < 3; i++) {
    const carried free = {.rate = rates[i], .g = zero, .slope = zero},
                  led = {.rate = rates[i], .g = ramp, .slope = ramp_slope};
    double x[2] = {1.0, 2.0}, k1[2], k4[2], h = 0.05, y[2] = {ramp(0.0), 2.0 * ramp(0.0)};
    carried c = free;
    c.h = h;
    vd_decay decay = {.count = 2, .state = {0, 1}, .rate = {rates[i], rates[i]}, .drift = {5.0, 10.0}};
    carried_rates(&c, 0, x, k1);
    vd_rk4_decaying(carried_rates, &c, h, 2, &decay, k1, x, k4);
    tap_near(x[0], exp(-rates[i] * h), 1e-12, "rate %g 1/s: one step of 50 ms decays as exp(-%g)", rates[i],
             rates[i] * h);
    follow(led, 1.0, 40, y);
    tap_near(y[0], ramp(2.0), 1e-10, "rate %g 1/s: a ramp is followed exactly", rates[i]);
  }
}

/* Computes rates of two states that decay at different rates, for which the classical step would be unstable, and of
 * the sum 3 x0 + x1 + 7. */
static void summed_rates(void *context, int stage, const double *x, double *dx) {
  const double *rate = context;
  (void)stage;
  dx[0] = -rate[0] * x[0] + 1.0;
  dx[1] = -rate[1] * x[1] + 2.0;
  dx[2] = 3.0 * dx[0] + dx[1];
}

static void sum(void) {
  vd_decay decay = {
      .count = 2, .state = {0, 1}, .rate = {1e4, 300.0}, .reacting = {2, 2, 2}, .reaction = {{-3.0, -1.0}}};
  double x[3] = {1.0, -1.0, 9.0}, h = 0.01, share = 0.0;
  for (int i = 0; i < 100; i++) {
    double k1[3], k4[3], end[3];
    summed_rates(decay.rate, 0, x, k1);
    vd_rk4_decaying(summed_rates, decay.rate, h, 3, &decay, k1, x, k4);
    summed_rates(decay.rate, 3, x, end);
    double error = fabs(k4[2] - end[2] - 3.0 * (k4[0] - end[0]) - (k4[1] - end[1]));
    share = tap_max(share, error);
  }
  tap_near(x[2], 3.0 * x[0] + x[1] + 7.0, 1e-12, "the sum of states with different rates remains their sum");
  tap_near(x[0], 1e-4, 1e-15, "states with different rates come to rest");
  tap_near(share, 0.0, 1e-8, "the error of the sum of states with different rates is the sum of their errors");
}

/* Checks that an error does not grow if the assumed rate is 3/2 or 2/3 of the true rate. */
static void wrong_rates(void) {
  static const double assumed[] = {0.67, 1.0, 1.5};
  for (int i = 0; i < 3; i++) {
    const carried c = {.rate = 1e4, .g = sin, .slope = wave_slope};
    double x[2] = {1.0, 2.0};
    follow(c, assumed[i], 200, x);
    tap_near(x[0], sin(2.0), 1e-4, "z = -100 with %g of the rate: a wrong start decays", assumed[i]);
    tap_near(x[1] - 2.0 * x[0], 0.0, 1e-12, "states with wrong rates that are locked together stay locked");
  }
}

static double error_of(double rate, double assumed, long steps) {
  const carried c = {.rate = rate, .g = sin, .slope = wave_slope};
  double x[2] = {0.0, 0.0};
  follow(c, assumed, steps, x);
  return fabs(x[0] - sin(2.0));
}

/* Checks the orders of exponential steps, z from -12 to -3, and of classical steps, z from -0.75 on. */
static void orders(void) {
  double stiff = log2(error_of(120.0, 0.9, 20) / error_of(120.0, 0.9, 80)) / 2.0;
  double plain = log2(error_of(4.0, 0.9, 20) / error_of(4.0, 0.9, 40));
  tap_ok(stiff >= 3.0, "stiff: the error has order %.2f, 3 or better", stiff);
  tap_ok(plain >= 3.9 && plain <= 4.5, "not stiff: the error has order %.2f, in theory 4", plain);
}

/* Computes the rates of x = sin t, y = cos t. */
static void circle(void *context, int stage, const double *x, double *dx) {
  (void)context;
  (void)stage;
  dx[0] = x[1];
  dx[1] = -x[0];
}

/* Returns the greatest error within a step. before: length of the step before, whose first rates complete the
 * polynomial; 0: an evaluation within the step does. */
static double within_error(double h, double before) {
  double x[2] = {0.0, 1.0}, k1[2], end[2], middle[2], rates[2], worst = 0.0;
  const double start[2] = {0.0, 1.0};
  circle(NULL, 0, x, k1);
  vd_rk4(circle, NULL, h, 2, k1, x);
  circle(NULL, 3, x, end);
  vd_dense d = {.of = {.h = h, .n = 2, .x0 = start, .rates0 = k1, .x1 = x, .rates1 = end}};
  if (before > 0.0) {
    vd_dense_continue(&d, before, (const double[]){cos(before), sin(before)});
  } else {
    vd_dense_at(&d, vd_dense_place, middle);
    circle(NULL, 1, middle, rates);
    vd_dense_complete(&d, rates);
  }
  for (int k = 0; k <= 16; k++) {
    double s = k / 16.0, at[2];
    vd_dense_at(&d, s, at);
    double e = hypot(at[0] - sin(s * h), at[1] - cos(s * h));
    worst = tap_max(worst, e);
  }
  return worst;
}

/* An equation with a corner. x0 is the time; x1' is 0 before `at`, and then 1, or a ramp of slope 1. */
typedef struct broken {
  double at;
  bool ramp;
} broken;

static void broken_rates(void *context, int stage, const double *x, double *dx) {
  const broken *b = context;
  double since = x[0] - b->at;
  (void)stage;
  dx[0] = 1.0;
  dx[1] = since < 0.0 ? 0.0 : b->ramp ? since : 1.0;
}

/* Returns the gap (vd_step_gap) of one step of the length 1 from 0. */
static double broken_gap(broken b, double *end) {
  static const double weight[2] = {1.0, 1.0}, start[2] = {0.0, 0.0};
  double k1[2], x[2] = {0.0, 0.0}, rates[2];
  broken_rates(&b, 0, x, k1);
  vd_rk4(broken_rates, &b, 1.0, 2, k1, x);
  broken_rates(&b, 3, x, rates);
  const vd_step_ends step = {.h = 1.0, .n = 2, .x0 = start, .rates0 = k1, .x1 = x, .rates1 = rates};
  *end = x[1];
  return vd_step_gap(&step, weight);
}

/* Checks gaps. For a jump the gap must be a third of the jump, and the error of a step must not exceed the gap; for a
 * kink the error must not exceed half of the gap. On a circle the error of the trapezoidal rule is h cos(h/2) - 2
 * sin(h/2). */
static void gaps(void) {
  double off = 0.0, over = 0.0, bent = 0.0;
  for (int i = 1; i < 100; i++) {
    double s = i / 100.0, end;
    if (i == 50) /* in the middle rounding decides on which side the stages are */
      continue;
    double gap = broken_gap((broken){s, false}, &end);
    off = tap_max(off, fabs(gap - 1.0 / 3.0));
    over = tap_max(over, fabs(end - (1.0 - s)) / gap);
    gap = broken_gap((broken){s, true}, &end);
    bent = tap_max(bent, fabs(end - 0.5 * (1.0 - s) * (1.0 - s)) / gap);
  }
  tap_near(off, 0.0, 1e-15, "rates that jump: the gap is a third of the jump");
  tap_ok(over <= 1.0 && over > 0.9, "the error over a jump is up to %.3f of the gap, at most 1", over);
  tap_ok(bent <= 0.5 && bent > 0.4, "the error over a kink is up to %.3f of the gap, at most 1/2", bent);
  double h = 0.1, x[2] = {0.0, 1.0}, k1[2], rates[2];
  const double start[2] = {0.0, 1.0}, weight[2] = {1.0, 1.0};
  circle(NULL, 0, x, k1);
  vd_rk4(circle, NULL, h, 2, k1, x);
  circle(NULL, 3, x, rates);
  const vd_step_ends step = {.h = h, .n = 2, .x0 = start, .rates0 = k1, .x1 = x, .rates1 = rates};
  tap_near(vd_step_gap(&step, weight), fabs(h * cos(0.5 * h) - 2.0 * sin(0.5 * h)), 1e-6,
           "the gap of a smooth motion is the error of the trapezoidal rule, h^3/12");
}

/* A wheel x0 on a car x1, both as speeds of the tread, under a torque that gives the wheel the acceleration 1:
 *   x0' = 1 - a (x0 - x1),   x1' = q a (x0 - x1).
 * The momentum P = x1 + q x0 grows as q t, and the slip s = x0 - x1 tends to 1/(a (1 + q)). If the car's stages
 * followed the wheel's forces, and not P, the car would have the rate q a, and diverge at q a h = 5. */
typedef struct pair {
  double a, q;
} pair;

static void pair_rates(void *context, int stage, const double *x, double *dx) {
  const pair *p = context;
  double force = p->a * (x[0] - x[1]);
  (void)stage;
  dx[0] = 1.0 - force;
  dx[1] = p->q * force;
}

static void momentum(double z, double assumed, double reaction) {
  enum { STEPS = 2000 };
  const double h = 0.01, q = 0.05;
  pair p = {z / h, q};
  double x[2] = {1.0, 1.0};
  vd_decay decay = {.count = 1, .rate = {assumed * p.a}, .reacting = {1, 2}, .reaction = {{reaction * q}}};
  for (int i = 0; i < STEPS; i++) {
    double k1[3] = {0.0}, k4[3], y[3] = {x[0], x[1], 0.0};
    pair_rates(&p, 0, x, k1);
    vd_rk4_decaying(pair_rates, &p, h, 2, &decay, k1, y, k4);
    decay.drift[0] = (y[0] - x[0]) / h;
    x[0] = y[0];
    x[1] = y[1];
  }
  double got = x[1] + reaction * q * x[0], slip = 1.0 / (p.a * (1.0 + q));
  tap_near((x[0] - x[1]) / slip, 1.0, 1e-6, "a h = %g, %g of the rate, %g of the reaction: the slip becomes steady", z,
           assumed, reaction);
  if (reaction == 1.0)
    tap_near(got / (1.0 + q + q * STEPS * h), 1.0, 1e-12,
             "the momentum of a slipping pair is the integral of the torque");
}

static void dense(void) {
  double order = log2(within_error(0.2, 0.0) / within_error(0.1, 0.0));
  tap_ok(order >= 4.8 && order <= 5.5, "the error of interpolation within a step has order %.2f, in theory 5", order);
  for (double ratio = 0.5; ratio <= 2.0; ratio *= 2.0) {
    order = log2(within_error(0.2, 0.2 * ratio) / within_error(0.1, 0.1 * ratio));
    tap_ok(order >= 4.8 && order <= 5.5,
           "the same with the rates of the step before, %g times as long: order %.2f, in theory 5", ratio, order);
  }
}

int main(void) {
  tap_plan(1 + 6 + 3 + 6 + 3 * 2 + 2 + 2 + 4 + 4);
  phi_functions();
  linear();
  sum();
  wrong_rates();
  momentum(2.0, 1.0, 1.0);
  momentum(100.0, 1.0, 1.0);
  momentum(1000.0, 0.8, 1.0);
  momentum(40.0, 1.0, 0.8);
  momentum(40.0, 1.0, 1.2);
  orders();
  dense();
  gaps();
  return tap_done();
}
