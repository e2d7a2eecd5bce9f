/* The track car: its spring compared with other solutions of its equation, its flight, contact and landing, its energy.
 * */
#include "math/rk4.h"
#include "tap.h"
#include "ground/mesh_def.h"
#include "run/track_run.h"
#include "track_car/track_impl.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

/* --- the spring */

/* Computes exp(A) of a 2x2 matrix by scaling, a series and squaring, in long double, without roots and without
 * distinguishing cases of damping. */
static void exponential(const long double *a, long double *out) {
  enum { HALVINGS = 24, TERMS = 12 };
  long double x[4], term[4] = {1, 0, 0, 1}, sum[4] = {1, 0, 0, 1};
  for (int i = 0; i < 4; i++)
    x[i] = ldexpl(a[i], -HALVINGS);
  for (int n = 1; n <= TERMS; n++) {
    long double next[4] = {term[0] * x[0] + term[1] * x[2], term[0] * x[1] + term[1] * x[3],
                           term[2] * x[0] + term[3] * x[2], term[2] * x[1] + term[3] * x[3]};
    for (int i = 0; i < 4; i++) {
      term[i] = next[i] / n;
      sum[i] += term[i];
    }
  }
  for (int n = 0; n < HALVINGS; n++) {
    long double next[4] = {sum[0] * sum[0] + sum[1] * sum[2], sum[0] * sum[1] + sum[1] * sum[3],
                           sum[2] * sum[0] + sum[3] * sum[2], sum[2] * sum[1] + sum[3] * sum[3]};
    memcpy(sum, next, sizeof sum);
  }
  memcpy(out, sum, sizeof sum);
}

static const double ratios[] = {0.0,         0.01,       0.5,        1.0 - 1e-6, 1.0 - 1e-9, 1.0 - 1e-13, 1.0,
                                1.0 + 1e-13, 1.0 + 1e-9, 1.0 + 1e-6, 2.0,        5.0,        100.0};

static void spring_step(const vd_spring *s, double t, double *x, double *v) {
  vd_spring_flow flow = vd_spring_over(s, t);
  double place = *x, speed = *v;
  *x = flow.xx * place + flow.xv * speed;
  *v = flow.vx * place + flow.vv * speed;
}

static vd_spring spring_of(double ratio) {
  return (vd_spring){.mass = 30.0, .stiffness = 5000.0, .damping = ratio * vd_spring_critical(30.0, 5000.0)};
}

/* Returns the largest difference of two flows; speeds are divided by the natural frequency. */
static double apart(const vd_spring_flow *a, const vd_spring_flow *b, double w) {
  return fmax(fmax(fabs(a->xx - b->xx), fabs(a->xv - b->xv) * w), fmax(fabs(a->vx - b->vx) / w, fabs(a->vv - b->vv)));
}

static void spring_by_matrix(void) {
  const double times[] = {0.0, 1e-9, 1e-3, 0.017, 0.05, 0.3, 1.0, 7.0};
  double worst[3] = {0.0}, w = sqrt(5000.0 / 30.0);
  for (size_t r = 0; r < VD_COUNT(ratios); r++)
    for (size_t n = 0; n < VD_COUNT(times); n++) {
      vd_spring s = spring_of(ratios[r]);
      long double k = s.stiffness, m = s.mass, c = s.damping, t = times[n], scale = w, e[4];
      exponential((long double[]){0, t * scale, -t * k / (m * scale), -t * c / m}, e);
      vd_spring_flow got = vd_spring_over(&s, times[n]);
      vd_spring_flow want = {(double)e[0], (double)(e[1] / scale), (double)(e[2] * scale), (double)e[3]};
      int regime = ratios[r] < 1.0 ? 0 : ratios[r] > 1.0 ? 2 : 1;
      worst[regime] = tap_max(worst[regime], apart(&got, &want, w));
    }
  tap_near(worst[0], 0.0, 1e-12, "the spring below critical damping is the exponential of its matrix");
  tap_near(worst[1], 0.0, 1e-12, "the spring at critical damping is the exponential of its matrix");
  tap_near(worst[2], 0.0, 1e-12, "the spring above critical damping is the exponential of its matrix");
}

static int spring_rates(double t, const double y[], double dy[], void *context) {
  const vd_spring *s = context;
  (void)t;
  dy[0] = y[1];
  dy[1] = -(s->stiffness * y[0] + s->damping * y[1]) / s->mass;
  return GSL_SUCCESS;
}

/* Compares one step of the track car's spring, of 0.6 s from the position 0.2 m and the speed -3 m/s, with GSL. */
static void spring_by_gsl(double ratio, const char *words) {
  vd_spring s = spring_of(ratio);
  gsl_odeiv2_system system = {spring_rates, NULL, 2, &s};
  gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-15, 1e-15);
  double y[] = {0.2, -3.0}, t = 0.0, x = 0.2, v = -3.0;
  int status = gsl_odeiv2_driver_apply(driver, &t, 0.6, y);
  gsl_odeiv2_driver_free(driver);
  spring_step(&s, 0.6, &x, &v);
  tap_ok(status == GSL_SUCCESS && fabs(x - y[0]) <= 1e-12 && fabs(v - y[1]) <= 3e-12,
         "%s: the result is that of GSL's integrator", words);
}

static void spring_in_parts(void) {
  double worst = 0.0, w = sqrt(5000.0 / 30.0);
  for (size_t r = 0; r < VD_COUNT(ratios); r++) {
    vd_spring s = spring_of(ratios[r]);
    vd_spring_flow whole = vd_spring_over(&s, 0.7), x = {1.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 700; i++) {
      spring_step(&s, 1e-3, &x.xx, &x.vx);
      spring_step(&s, 1e-3, &x.xv, &x.vv);
    }
    worst = tap_max(worst, apart(&whole, &x, w));
  }
  tap_near(worst, 0.0, 1e-12, "seven hundred steps of 1 ms equal one step of 0.7 s, at any damping");
}

/* Checks that the solution changes smoothly with the damping c: |dx/d(ratio)| is of the order of w t, so that ratios
 * that differ by 1e-15 must have solutions that differ by at most 1e-15 w t. */
static void spring_is_smooth(void) {
  double worst = 0.0, w = sqrt(5000.0 / 30.0), t = 0.1;
  for (int i = -400; i <= 400; i++) {
    vd_spring s = spring_of(1.0 + i * 1e-12), next = spring_of(1.0 + (i + 1) * 1e-12);
    vd_spring_flow a = vd_spring_over(&s, t), b = vd_spring_over(&next, t);
    worst = tap_max(worst, apart(&a, &b, w));
  }
  tap_near(worst, 0.0, 1e-12 * w * t * 2.0 + 1e-14, "the solution is continuous at the critical damping");
}

static void spring_stage(void *context, int stage, const double *x, double *dx) {
  (void)stage;
  spring_rates(0.0, x, dx, context);
}

static double rk4_error(const vd_spring *s, double end, int steps) {
  double y[] = {0.2, -3.0}, x = 0.2, v = -3.0, h = end / steps;
  for (int i = 0; i < steps; i++) {
    double k1[2];
    spring_rates(0.0, y, k1, (void *)(uintptr_t)s);
    vd_rk4(spring_stage, (void *)(uintptr_t)s, h, 2, k1, y);
  }
  spring_step(s, end, &x, &v);
  return hypot((y[0] - x) * sqrt(s->stiffness / s->mass), y[1] - v);
}

static void rk4_order(double ratio, const char *words) {
  vd_spring s = spring_of(ratio);
  double end = ratio > 1.0 ? 0.02 : 0.2; /* before the fast part has decayed */
  double order = log2(rk4_error(&s, end, 100) / rk4_error(&s, end, 200));
  tap_near(order, 4.0, 0.15, "Runge-Kutta converges to the spring, %s, with order 4 (%.3f)", words, order);
}

/* --- meshes and cars */

typedef struct world {
  vd_diag *d;
  vd_arena *arena;
  const vd_mesh *mesh;
  vd_track_car car;
  vd_profile thrust, steer;
  vd_track_inputs inputs;
  vd_track_state s;
  vd_track_events events;
  double least_force; /* N, of the springs at the ends of steps */
} world;

static const char level_mesh[] = "v -50 -50 0\nv 50 -50 0\nv 50 50 0\nv -50 50 0\nf 1 2 3 4\n";
static const char shipped_ramp[] = "scenarios/grounds/ramp_jump.obj",
                  shipped_ring[] = "scenarios/grounds/bumpy_track.obj";

/* Makes the car of the source. text: the text of a mesh; NULL: a file. */
static void create(world *w, const char *text, const char *path) {
  vd_spring spring = spring_of(5.0);
  *w = (world){.d = vd_diag_create(), .arena = vd_arena_create()};
  w->mesh = text ? vd_mesh_read_source(vd_diag_add_source(w->d, "mesh.obj", text, strlen(text)), VD_MESH_FLAT,
                                       VD_MESH_UP_Z, w->arena, w->d)
                 : vd_mesh_read(path, (vd_place){.source = -1}, VD_MESH_FLAT, VD_MESH_UP_Z, w->arena, w->d);
  w->car = (vd_track_car){.spring = spring,
                          .length = 1.0,
                          .base = 4.0,
                          .track = 1.8,
                          .top_speed = 20.0,
                          .acceleration = 10.0,
                          .coasting = 2.5,
                          .grip = 10.0,
                          .slip_rate = 60.0,
                          .steering_rate = 1.0,
                          .floor = NAN,
                          .base_rate = vd_track_base_rate(10, 0.1, 60.0),
                          .cone = 0.65,
                          .substep = 1e-3,
                          .ring = {.ahead = 8.0}};
  w->thrust = (vd_profile){.type = VD_PROFILE_CONSTANT};
  w->steer = w->thrust;
  w->inputs = (vd_track_inputs){&w->thrust, &w->steer};
}

static void destroy(world *w) {
  vd_arena_destroy(w->arena);
  vd_diag_destroy(w->d);
}

static bool start(world *w, double x, double y, double yaw, double speed, double height) {
  int wheel;
  w->inputs = (vd_track_inputs){&w->thrust, &w->steer};
  w->events = (vd_track_events){.flying = false};
  w->least_force = INFINITY;
  return w->mesh && vd_track_start(&w->car, w->mesh, (double[]){x, y}, yaw, speed, height, &w->s, &wheel);
}

/* Advances by steps of `h` up to the time `end`; returns the first failure. */
static enum vd_track_trouble run(world *w, double h, double end) {
  long steps = lround(end / h);
  vd_track_view before, view;
  vd_track_observe(&w->car, &w->inputs, 0.0, &w->s, &view);
  for (long i = 0; i < steps; i++) {
    vd_track_advance(&w->car, w->mesh, &w->inputs, (double)i * h, (double)(i + 1) * h, &w->s, &w->events);
    before = view;
    vd_track_observe(&w->car, &w->inputs, (double)(i + 1) * h, &w->s, &view);
    for (int k = 0; k < VD_WHEELS; k++)
      w->least_force = tap_min(w->least_force, view.force[k]);
    enum vd_track_trouble trouble = vd_track_trouble_of(&w->car, w->mesh, &before, &view);
    if (trouble != VD_TRACK_FINE)
      return trouble;
  }
  return VD_TRACK_FINE;
}

static vd_track_view seen(const world *w) {
  vd_track_view view;
  vd_track_observe(&w->car, &w->inputs, 0.0, &w->s, &view);
  return view;
}

static double height_of(const world *w) {
  return seen(w).centre[2];
}

/* --- on the level */

/* Checks a fall from 0.5 m above the place of rest: until the wheels touch the body falls by 0.5 m minus the sag m g/k,
 * and then it oscillates on its springs about the place of rest. Steps are 50 ms, of one substep each. */
static void drop(double ratio, const char *words) {
  world w;
  create(&w, level_mesh, NULL);
  w.car.spring = spring_of(ratio);
  w.car.substep = 0.05;
  w.car.base_rate = 1.0; /* a rigid base would be too stiff for this step; it has no twist here */
  start(&w, 0.0, 0.0, 0.3, 0.0, 0.5);
  double sag = 30.0 * VD_GRAVITY / 5000.0, touch = sqrt(2.0 * (0.5 - sag) / VD_GRAVITY), worst = 0.0;
  double lift = ratio < 1.0 ? 0.45 : 1.0; /* until the spring force would be negative */
  for (int i = 1; i * 0.05 <= lift + 1e-9; i++) {
    double t = i * 0.05, want;
    vd_track_advance(&w.car, w.mesh, &w.inputs, t - 0.05, t, &w.s, &w.events);
    if (t < touch)
      want = 1.0 - sag + 0.5 - 0.5 * VD_GRAVITY * t * t;
    else {
      double x = sag, v = -VD_GRAVITY * touch;
      spring_step(&w.car.spring, t - touch, &x, &v);
      want = 1.0 - sag + x;
    }
    worst = tap_max(worst, fabs(height_of(&w) - want));
  }
  /* the instant of contact is found to 1e-12 s, at 3 m/s */
  tap_near(worst, 0.0, 1e-11, "a drop, %s, is a parabola and then the closed form, in steps of 50 ms", words);
  tap_ok(w.s.down[VD_FL] && w.s.down[VD_RR], "a car that drops ends on its wheels");
  destroy(&w);
}

/* Checks that with little damping the car leaves the ground again when the spring force would be negative: k (sag - x)
 * = c v about the place of rest. */
static void rebound(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.car.spring = spring_of(0.05);
  start(&w, 0.0, 0.0, 0.0, 0.0, 0.5);
  run(&w, 0.01, 0.8);
  double sag = 30.0 * VD_GRAVITY / 5000.0, touch = sqrt(2.0 * (0.5 - sag) / VD_GRAVITY), low = 0.05, high = 0.4, x, v;
  while (high - low > 1e-14) {
    double middle = 0.5 * (low + high);
    x = sag;
    v = -VD_GRAVITY * touch;
    spring_step(&w.car.spring, middle, &x, &v);
    *(5000.0 * (sag - x) > w.car.spring.damping * v ? &low : &high) = middle;
  }
  tap_near(w.events.flight.start, touch + low, 3e-12,
           "a car leaves the ground when its spring forces would be negative");
  tap_near(w.events.flight.apex, 1.0 - sag + x + 0.5 * v * v / VD_GRAVITY, 1e-11,
           "a car that leaves the ground rises by the height of its speed, v^2/(2 g)");
  destroy(&w);
}

static void rest(void) {
  world w;
  create(&w, level_mesh, NULL);
  start(&w, 0.0, 0.0, 0.0, 0.0, 0.0);
  double z = height_of(&w);
  run(&w, 0.01, 20.0);
  vd_track_view view = seen(&w);
  tap_near(view.centre[2], z, 1e-12, "a standing car keeps its height");
  tap_near(view.force[VD_FL] + view.force[VD_FR] + view.force[VD_RL] + view.force[VD_RR], 120.0 * VD_GRAVITY, 1e-9,
           "the springs of a standing car carry it");
  destroy(&w);
}

/* Checks turns. At full steering the heading changes by 1 rad/s; the forward speed follows from the thrust and its
 * limit. */
static void circle(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.steer.as.constant.value = 0.5;
  w.thrust.as.constant.value = 1.0;
  w.car.top_speed = 10.0;
  start(&w, 0.0, 0.0, 0.0, 10.0, 0.0);
  run(&w, 0.01, 1.0);
  double turned = seen(&w).yaw;
  /* y' = 60 (0.5 - y): the heading lags by 1/60 s */
  tap_near(turned, 0.5 * (1.0 - (1.0 - exp(-60.0)) / 60.0), 1e-8, "the heading turns at the rate of the steering");
  run(&w, 0.01, 1.0);
  vd_track_view view = seen(&w);
  tap_near(view.yaw - turned, 0.5, 1e-8, "the heading turns steadily");
  /* the side speed v_l follows from 10 tanh(60 v_l/10) = -v r; in tanh's linear part v_l = -v r/60 */
  tap_near(view.left, -atanh(view.forward * 0.5 / 10.0) / 6.0, 1e-6,
           "a turning car has the side speed that its grip needs");
  destroy(&w);
}

/* Returns the remaining difference e of s' = m tanh(k (wanted - s)/m): sinh(k e/m) = sinh(k e0/m) exp(-k t). m is
 * 1/latency, and twice that if steering returns; k is the slip rate. */
static double still_to_steer(double e, double most, double t) {
  const double k = 60.0;
  return most / k * asinh(sinh(k * e / most) * exp(-k * t));
}

static void latency(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.car.steering_latency = 0.5;
  w.steer.as.constant.value = 1.0;
  start(&w, 0.0, 0.0, 0.0, 5.0, 0.0);
  run(&w, 0.01, 0.3);
  double there = w.s.q[VD_TRACK_STEER];
  tap_near(there, 1.0 - still_to_steer(1.0, 2.0, 0.3), 1e-7,
           "with a latency of 0.5 s the steering is at 0.6 after 0.3 s");
  w.steer.as.constant.value = 0.0;
  run(&w, 0.01, 0.1);
  double left = still_to_steer(there, 4.0, 0.1);
  tap_near(w.s.q[VD_TRACK_STEER], left, 1e-7, "the steering returns twice as fast");
  w.steer.as.constant.value = -1.0;
  run(&w, 0.01, 0.2);
  tap_near(w.s.q[VD_TRACK_STEER], still_to_steer(left + 1.0, 2.0, 0.2) - 1.0, 1e-7,
           "the steering passes its middle as fast as it begins");
  destroy(&w);
}

/* Checks that beyond the end of a mesh the car stands on the floor, which is lower. */
static void floor_plane(void) {
  world w;
  create(&w, level_mesh, NULL);
  tap_ok(!start(&w, 60.0, 0.0, 0.0, 0.0, 0.0), "beside the mesh there is no ground");
  w.car.spring = spring_of(1.0);
  w.car.floor = -0.2;
  start(&w, 40.0, 0.0, 0.0, 10.0, 0.0);
  double z = height_of(&w);
  tap_ok(run(&w, 0.01, 8.0) == VD_TRACK_FINE, "with a floor the car drives off the mesh");
  tap_near(seen(&w).centre[2], z - 0.2, 1e-6, "a car beyond the mesh stands on the floor, at its height");
  tap_ok(start(&w, 60.0, 0.0, 0.0, 0.0, 0.0) && fabs(height_of(&w) - z + 0.2) < 1e-12, "a car may start on the floor");
  destroy(&w);
}

static void air(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.steer.as.constant.value = 1.0;
  w.thrust.as.constant.value = 1.0;
  start(&w, -20.0, 0.0, 0.4, 12.0, 20.0);
  for (int i = 0; i < VD_WHEELS; i++)
    w.s.q[VD_TRACK_W + i] = i < 2 ? 5.3 : 5.0; /* nose up, its sine by 0.3/4 a second */
  w.s.deflection[VD_RL] = 0.2;
  run(&w, 0.05, 1.5);
  vd_track_view v = seen(&w);
  double sag = 30.0 * VD_GRAVITY / 5000.0;
  tap_near(v.centre[0], -20.0 + 18.0 * cos(0.4), 1e-12, "in the air thrust has no effect");
  tap_near(v.yaw, 0.4, 1e-15, "in the air steering has no effect");
  tap_near(v.centre[2], 21.0 - sag + 5.15 * 1.5 - 0.5 * VD_GRAVITY * 2.25, 1e-12, "the centre is on its parabola");
  tap_near(v.pitch, -asin(1.5 * 0.3 / 4.0), 1e-14, "the front rises steadily");
  double left = 0.2 * exp(-1.5 * w.car.spring.stiffness / w.car.spring.damping);
  tap_near(v.spring[VD_RL], left, 1e-14, "a wheel without mass extends with its damper");
  tap_near(w.s.q[VD_TRACK_WORK + VD_TRACK_DAMPERS], -2500.0 * (0.04 - left * left), 1e-11,
           "the damper of a wheel without mass dissipates the spring's energy");
  destroy(&w);
}

static void cone(void) {
  world w;
  create(&w, level_mesh, NULL);
  start(&w, 0.0, 0.0, 0.0, 0.0, 40.0);
  for (int i = 0; i < VD_WHEELS; i++)
    w.s.q[VD_TRACK_W + i] = i < 2 ? 2.0 : -2.0; /* nose up: the sine grows by 1 a second, up to 0.65 */
  vd_track_view before = seen(&w);
  run(&w, 0.05, 1.0);
  vd_track_view after = seen(&w);
  tap_near(after.pitch, -asin(0.65), 1e-12, "the pitch of a car in the air stops at the limit of its cone");
  tap_near(w.s.q[VD_TRACK_WORK + VD_TRACK_JUMPS], -0.5 * 30.0 * 16.0 * 1.0, 1e-9,
           "the energy of a motion that stops at the cone is in the ledger");
  double energy = after.kinetic + after.gravity + after.springs + after.base - before.kinetic - before.gravity -
                  before.springs - before.base;
  tap_near(energy - w.s.q[VD_TRACK_WORK + VD_TRACK_JUMPS] - w.s.q[VD_TRACK_WORK + VD_TRACK_DAMPERS], 0.0, 1e-7,
           "at the cone no other energy is lost");
  destroy(&w);
}

/* --- the wheel base */

/* Applies the source's passes over the six pairs of heights, one after the other, and returns the twist. */
static double after_passes(int passes, double share) {
  double z[] = {1.0, -1.0, -1.0, 1.0};
  for (int n = 0; n < passes; n++)
    for (int i = 0; i < 4; i++)
      for (int j = i + 1; j < 4; j++) {
        double part = 0.5 * share * (z[i] - z[j]);
        z[i] -= part;
        z[j] += part;
      }
  return 0.25 * (z[0] - z[1] - z[2] + z[3]);
}

static void base(void) {
  /* n times as many passes, each with an n-th of the rate, converge to the closed form. A pass is a product of six
   * symmetric maps, whose first error is a commutator. A commutator is antisymmetric, so that the error of a mode's own
   * factor is of second order. */
  double want = exp(-vd_track_base_rate(10, 0.1, 1.0)), error[3];
  for (int k = 0; k < 3; k++) {
    int n = 4 << k;
    error[k] = after_passes(10 * n, -expm1(log(0.9) / n)) / want - 1.0;
  }
  tap_near(error[0] / error[1], 4.0, 0.1, "finer pairwise passes converge to the rate of the wheel base");
  tap_near(error[1] / error[2], 4.0, 0.05, "finer pairwise passes converge with order 2");
  tap_near((4.0 * error[2] - error[1]) / 3.0, 0.0, 1e-4 * fabs(error[0]),
           "finer pairwise passes converge to no other rate");
  tap_near(after_passes(10, 0.1), want, 0.05 * want,
           "ten passes with a rate of a tenth agree with its frame within %.1f %%",
           100.0 * fabs(after_passes(10, 0.1) / want - 1.0));

  world w;
  create(&w, level_mesh, NULL);
  start(&w, 0.0, 0.0, 0.0, 0.0, 20.0);
  for (int i = 0; i < VD_WHEELS; i++)
    w.s.q[VD_TRACK_Z + i] += i == VD_FL || i == VD_RR ? 0.1 : -0.1;
  run(&w, 0.01, 0.02);
  double *z = w.s.q + VD_TRACK_Z, r = w.car.base_rate * 0.02;
  /* error of Runge-Kutta at r h = 0.126: (r h)^5/120 a step, 20 steps, a height of 0.1 m: 5e-7 m */
  tap_near(0.25 * (z[VD_FL] - z[VD_FR] - z[VD_RL] + z[VD_RR]), 0.1 * (1.0 + r) * exp(-r), 5e-7,
           "a twist decays like a critically damped spring");
  destroy(&w);
}

/* Checks the passes of the source. Heights z = +-e lengthen the pairs in front and at the sides from l to sqrt(l^2 + 4
 * e^2). A pass reduces the difference of a pair's heights by the share p (1 - l/sqrt(l^2 + 4 e^2)), and by a smaller
 * share once previous passes have shortened the pairs. So after ten passes more than (1 - p_front - p_side)^10 of a
 * twist remains; if passes acted on the difference of heights alone, a tenth would remain. */
static void passes(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.car.base_rate = 0.0;
  w.car.passes = (vd_track_passes){10, 0.1, 60.0};
  double form[VD_WHEELS][3], twisted[VD_WHEELS][3], moved = 0.0, sum = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    for (int k = 0; k < 3; k++)
      twisted[i][k] = form[i][k] = k == 0 ? vd_track_ahead(&w.car, i) : k == 1 ? vd_track_aside(&w.car, i) : 7.0;
  for (int i = 0; i < VD_WHEELS; i++)
    twisted[i][2] += 0.1 * vd_track_twist_sign(i);
  vd_track_pass(&w.car, form);
  for (int n = 0; n < 10; n++)
    vd_track_pass(&w.car, twisted);
  double twist = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    moved = tap_max(moved, fabs(form[i][0] - vd_track_ahead(&w.car, i)) + fabs(form[i][1] - vd_track_aside(&w.car, i)));
    sum += twisted[i][2] - 7.0;
    twist += 0.25 * vd_track_twist_sign(i) * twisted[i][2];
  }
  tap_near(moved, 0.0, 1e-14, "a pass does not change a base of its own shape");
  tap_near(sum, 0.0, 1e-13, "passes do not move the centre");
  double least = pow(1.0 - 0.1 * (1.0 - 1.8 / sqrt(1.8 * 1.8 + 0.04)) - 0.1 * (1.0 - 4.0 / sqrt(16.0 + 0.04)), 10);
  tap_ok(twist > 0.1 * least && twist < 0.1, "ten passes leave %.2f %% of a twist of 0.1 m", 1e3 * twist);
  start(&w, 0.0, 0.0, 0.0, 0.0, 20.0);
  for (int i = 0; i < VD_WHEELS; i++)
    w.s.q[VD_TRACK_W + i] = 0.6 * vd_track_twist_sign(i);
  run(&w, 0.0125, 0.175);
  const double *z = w.s.q + VD_TRACK_Z, left = 0.25 * (z[VD_FL] - z[VD_FR] - z[VD_RL] + z[VD_RR]);
  tap_near(left, 0.6 * (0.175 - 10.0 / 60.0), 1e-14,
           "at the end of a frame the base has no twist, and its speeds are unchanged");
  tap_near(0.25 * (z[0] + z[1] + z[2] + z[3]), 21.0 - 30.0 * VD_GRAVITY / 5000.0 - 0.5 * VD_GRAVITY * 0.175 * 0.175,
           1e-12, "the centre falls on its parabola");
  destroy(&w);
}

/* --- landing */

/* Drives over a jump. swerve: uses inputs whose corners are between steps */
static bool jump(double h, double substep, bool swerve, vd_track_flight *flight) {
  world w;
  create(&w, NULL, shipped_ramp);
  w.thrust.as.constant.value = 1.0;
  if (swerve) {
    w.thrust = (vd_profile){.type = VD_PROFILE_STEP, .as.step = {.from = 1.0, .value = 0.3, .start = 0.71237}};
    w.steer =
        (vd_profile){.type = VD_PROFILE_PULSE, .as.pulse = {.start = 0.50013, .duration = 1.0071, .amplitude = 0.15}};
  }
  w.car.substep = substep;
  bool went = start(&w, 0.0, 0.0, 0.0, 15.0, 0.0);
  went = went && run(&w, h, h * ceil(3.0 / h)) == VD_TRACK_FINE && w.events.flights > 0 && w.events.unsettled == 0;
  *flight = w.events.longest;
  destroy(&w);
  return went;
}

static double off(const vd_track_flight *a, const vd_track_flight *b) {
  double far = 0.0;
  for (int i = 0; i < 3; i++)
    far = tap_max(far, fabs(a->to[i] - b->to[i]));
  return far;
}

static void landing(void) {
  const double same[] = {2e-3, 5e-3, 10e-3, 20e-3, 50e-3}, other[] = {0.7e-3, 3.3e-3, 7.3e-3, 33.4e-3};
  vd_track_flight first, coarse, f;
  tap_ok(jump(1e-3, 1e-3, false, &first), "the car jumps, in steps of 1 ms");
  double sag = 30.0 * VD_GRAVITY / 5000.0, air = first.end - first.start;
  tap_ok(air > 0.5 && first.to[2] < 1.5 && first.to[0] > 40.0 && first.from[2] > 1.0 + 1.2 - sag,
         "the car flies for %.3f s, to x = %.2f m", air, first.to[0]);
  double rise = sqrt(2.0 * VD_GRAVITY * (first.apex - first.from[2]));
  tap_near(first.from[2] + rise * air - 0.5 * VD_GRAVITY * air * air, first.to[2], 1e-10,
           "apex, take-off and landing lie on one parabola");
  tap_near(first.fall, VD_GRAVITY * air - rise, 1e-10, "the speed of a landing follows from the parabola");
  /* substeps are equal; results differ by the rounding of times, 1e-15 s at 20 m/s, and its growth */
  for (size_t i = 0; i < VD_COUNT(same); i++) {
    bool went = jump(same[i], 1e-3, false, &f);
    tap_ok(went && fabs(f.end - first.end) <= 1e-11 && off(&f, &first) <= 2e-10,
           "steps of %g ms give the landing at the same instant and place (%.1e s, %.1e m)", 1e3 * same[i],
           fabs(f.end - first.end), off(&f, &first));
  }
  /* Other substeps, all below 1 ms, have no greater error than substeps of 1 ms. This error follows from substeps of 2
   * ms: at order 4 the difference is 15/16 of the error of 2 ms. */
  bool went = jump(2e-3, 2e-3, false, &coarse);
  double allowed = off(&coarse, &first);
  tap_ok(went && allowed < 1e-4, "substeps of 2 ms change the place by %.1e m", allowed);
  for (size_t i = 0; i < VD_COUNT(other); i++) {
    went = jump(other[i], 1e-3, false, &f);
    tap_ok(went && off(&f, &first) <= allowed && fabs(f.end - first.end) <= allowed / 15.0,
           "steps of %g ms with different substeps change the landing by %.1e s, %.1e m", 1e3 * other[i],
           fabs(f.end - first.end), off(&f, &first));
  }
  bool swerved = jump(1e-3, 1e-3, true, &first) && jump(2e-3, 2e-3, true, &coarse);
  allowed = off(&coarse, &first);
  tap_ok(swerved && allowed < 1e-4 && first.to[1] > 1.0 && fabs(first.roll) > 1e-4,
         "a car that swerves lands %.2f m to the left, rolled by %.4f rad", first.to[1], first.roll);
  for (size_t i = 0; i < VD_COUNT(same); i++) {
    went = jump(same[i], 1e-3, true, &f);
    tap_ok(went && off(&f, &first) <= allowed && fabs(f.end - first.end) <= allowed / 15.0,
           "steps of %g ms, with corners of the inputs between steps, change the landing by %.1e s, %.1e m",
           1e3 * same[i], fabs(f.end - first.end), off(&f, &first));
  }
  jump(1e-3, 1e-3, false, &first);
  vd_track_flight half = {0}, quarter = {0};
  went = jump(1e-3, 0.5e-3, false, &half) && jump(1e-3, 0.25e-3, false, &quarter);
  double order = log2(off(&first, &half) / off(&half, &quarter));
  tap_ok(went && order > 3.5, "the error falls with the fourth power of the substep (%.2f)", order);
}

/* --- energy */

/* Checks a drive without dampers, friction and thrust over hills of flat triangles: no energy may be lost at any edge,
 * contact or take-off. */
static void conservation(void) {
  world w;
  create(&w, NULL, shipped_ring);
  w.car.spring.damping = 0.0;
  w.car.coasting = w.car.grip = 0.0;
  w.car.base_rate = 20.0;
  start(&w, 50.0, -20.0, 0.5 * VD_PI, 10.0, 0.1);
  vd_track_view a = seen(&w);
  double base_lost, before = a.kinetic + a.gravity + a.springs + a.base;
  enum vd_track_trouble trouble = run(&w, 0.01, 3.0);
  vd_track_view b = seen(&w);
  base_lost = w.s.q[VD_TRACK_WORK + VD_TRACK_BASE];
  tap_ok(trouble == VD_TRACK_FINE && w.events.contacts > 30 && base_lost <= 0.0,
         "over bumps without dampers: the triangle below a wheel changes %ld times", w.events.contacts);
  tap_near((b.kinetic + b.gravity + b.springs + b.base - before - base_lost) / a.kinetic, 0.0, 1e-6,
           "the energy over bumps without dampers falls only by the damping of the wheel base");
  destroy(&w);
}

/* Returns the ledger residual of ten seconds on the ring, with thrust, steering, grip, dampers and wheels that hop:
 * energy minus work, relative to the kinetic energy. */
static double ledger(double substep) {
  world w;
  create(&w, NULL, shipped_ring);
  w.thrust.as.constant.value = 1.0;
  w.car.top_speed = 12.0;
  w.car.ring.radius = 50.0;
  w.car.substep = substep;
  start(&w, 50.0, 0.0, 0.5 * VD_PI, 12.0, 0.0);
  vd_track_view a = seen(&w);
  run(&w, 0.01, 10.0);
  vd_track_view b = seen(&w);
  double work = 0.0;
  for (int i = 0; i < VD_TRACK_WORKS; i++)
    work += w.s.q[VD_TRACK_WORK + i];
  destroy(&w);
  return fabs(b.kinetic + b.gravity + b.springs + b.base - a.kinetic - a.gravity - a.springs - a.base - work) /
         a.kinetic;
}

static void adds_up(void) {
  double two = ledger(2e-3), one = ledger(1e-3), half = ledger(0.5e-3);
  tap_near(one, 0.0, 1e-5, "energy and work add up on the ring (%.1e)", one);
  tap_ok(log2(two / one) > 3.5 && log2(one / half) > 3.5,
         "with contact and lift, their difference falls with the fourth power of the substep (%.2f, %.2f)",
         log2(two / one), log2(one / half));
}

/* --- the shipped ring, and failures */

static void ring(void) {
  world w;
  create(&w, NULL, shipped_ring);
  w.thrust.as.constant.value = 1.0;
  w.car.top_speed = 12.0;
  w.car.ring.radius = 50.0;
  bool placed = start(&w, 50.0, 0.0, 0.5 * VD_PI, 12.0, 0.0);
  enum vd_track_trouble trouble = placed ? run(&w, 1e-3, 100.0) : VD_TRACK_OUTSIDE;
  vd_track_view v = seen(&w);
  tap_ok(trouble == VD_TRACK_FINE, "a car does not fall through the ring of bumps in a hundred thousand steps");
  tap_near(hypot(v.centre[0], v.centre[1]), 50.0, 1.0, "a car on the ring of bumps stays on its middle");
  tap_ok(v.yaw > 0.5 * VD_PI + 0.95 * 100.0 * 12.0 / 50.0, "a car drives round the ring repeatedly");
  tap_ok(w.least_force >= 0.0, "no wheel ever pulls");
  tap_ok(w.events.unsettled == 0, "every change of the triangle below a wheel was found, %ld of them",
         w.events.contacts);
  destroy(&w);
}

static void troubles(void) {
  world w;
  create(&w, level_mesh, NULL);
  w.car.spring = spring_of(0.1);
  start(&w, 0.0, 0.0, 0.0, 0.0, 20.0); /* this fall, m g h = k s^2/2, needs a travel of 1.5 m; the spring has 1 m */
  tap_ok(run(&w, 0.05, 5.0) == VD_TRACK_BOTTOMED, "a spring compressed beyond its length is found");
  start(&w, 40.0, 0.0, 0.0, 15.0, 0.0);
  tap_ok(run(&w, 0.05, 5.0) == VD_TRACK_OUTSIDE, "a car that has left the mesh is found");
  start(&w, 0.0, 0.0, 0.0, 0.0, 0.0);
  vd_track_view above = seen(&w), below = above;
  below.centre[2] -= 2.0;
  tap_ok(vd_track_trouble_of(&w.car, w.mesh, &above, &below) == VD_TRACK_THROUGH,
         "a car that has gone through the mesh is found");
  below = above;
  below.mount[VD_RL][2] -= 2.0;
  tap_ok(vd_track_trouble_of(&w.car, w.mesh, &above, &below) == VD_TRACK_THROUGH,
         "a car with one corner through the mesh is found");
  below = above;
  below.kinetic = NAN;
  tap_ok(vd_track_trouble_of(&w.car, w.mesh, &above, &below) == VD_TRACK_BAD_NUMBER,
         "a number that is not finite is found");
  w.s.q[VD_TRACK_X] = NAN;
  tap_ok(run(&w, 0.05, 0.1) == VD_TRACK_BAD_NUMBER, "a run from a state that is not a number returns a failure");
  tap_ok(!start(&w, 80.0, 0.0, 0.0, 0.0, 0.0), "a car cannot start beside the mesh");
  destroy(&w);
}

int main(void) {
  tap_plan(87);
  gsl_set_error_handler_off();
  spring_by_matrix();
  spring_by_gsl(0.1, "below critical damping");
  spring_by_gsl(1.0, "at critical damping");
  spring_by_gsl(5.0, "above critical damping");
  spring_in_parts();
  spring_is_smooth();
  rk4_order(0.1, "below critical damping");
  rk4_order(1.0, "at critical damping");
  rk4_order(5.0, "above critical damping");
  drop(0.2, "below critical damping");
  drop(1.0, "at critical damping");
  drop(5.0, "above critical damping");
  rebound();
  rest();
  circle();
  latency();
  floor_plane();
  air();
  cone();
  base();
  passes();
  landing();
  conservation();
  adds_up();
  ring();
  troubles();
  return tap_done();
}
