/* Tyres in motion on a rig: relaxation lengths and LuGre's bristles, for three steady models. */
#include "tyre/relax.h"
#include "math/rk4.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

/* One tyre at a load, rolling at v, with slip velocities over time. */
typedef struct rig {
  const vd_tyre *tyre;
  vd_relax relax;
  double load, v, step;
  double (*slip_x)(double t), (*slip_y)(double t); /* m/s */
  double t, h;                                     /* the present step */
  double w[3];                                     /* deflections, and the work done on the tyre, J */
  vd_tyre_answer answer;
} rig;

static double none(double t) {
  (void)t;
  return 0.0;
}

static void rates(void *context, int stage, const double *w, double *dw) {
  static const double instant[] = {0.0, 0.5, 0.5, 1.0};
  rig *r = context;
  double t = r->t + instant[stage] * r->h, sx = r->slip_x(t), sy = r->slip_y(t);
  vd_relaxing now = {.vx = r->v, .vy = -sy, .slip_x = sx, .slip_y = sy, .wx = w[0], .wy = w[1]};
  vd_relax_slip(&r->relax, r->step, &now);
  vd_tyre_question q = {.kappa = now.kappa,
                        .tan_alpha = now.tan_alpha,
                        .vx = r->v,
                        .ground_friction = 1.0,
                        .load = r->load,
                        .radius = 0.32,
                        .moving = true,
                        .slip_x = sx,
                        .slip_y = sy,
                        .state_x = w[0],
                        .state_y = w[1],
                        .damper = now.damper,
                        .fastest = 1.0 / r->step};
  vd_tyre_ask(r->tyre, &q, &r->answer);
  dw[0] = r->relax.bristles ? r->answer.rate_x : now.rate_x;
  dw[1] = r->relax.bristles ? r->answer.rate_y : now.rate_y;
  dw[2] = r->answer.fx * sx + r->answer.fy * sy;
}

static rig rig_make(const vd_tyre *tyre, double load, double v, double (*sx)(double), double (*sy)(double)) {
  rig r = {.tyre = tyre, .load = load, .v = v, .step = 2e-4, .slip_x = sx, .slip_y = sy};
  vd_relax_build(tyre, 1.0, 1.0, load, 0.0, &r.relax);
  return r;
}

static void rig_run(rig *r, double until) {
  long steps = lround((until - r->t) / r->step);
  double start = r->t, k1[3];
  r->h = r->step;
  for (long i = 0; i < steps; i++) {
    r->t = start + (double)i * r->step;
    rates(r, 0, r->w, k1);
    vd_rk4(rates, r, r->h, 3, k1, r->w);
  }
  r->t = until;
  r->h = 0.0;
  rates(r, 0, r->w, k1);
}

static double speed, angle, amplitude; /* for the slip functions below */

static double steady_side(double t) {
  (void)t;
  return -speed * tan(angle);
}

static double steady_along(double t) {
  (void)t;
  return speed * angle;
}

static double swing(double t) {
  return amplitude * sin(2.0 * VD_PI * t); /* one cycle per second */
}

static double swing_across(double t) {
  return 0.7 * amplitude * cos(2.0 * VD_PI * t);
}

/* Small slip: both laws are sigma w' = s - |V| w, so the side force responds with 1 - exp(-x/sigma) over the distance
 * x. The distance at which the force passes 1 - 1/e of its final value, interpolated by an exponential, is sigma. A
 * slip of 1e-4 changes the slope of the curves by about 1e-3. */
static void distance_constant(const char *name, const vd_tyre *tyre) {
  static const double speeds[] = {1.0, 10.0, 30.0};
  double sigma_x, sigma_y;
  vd_tyre_relaxation(tyre, 4000.0, &sigma_x, &sigma_y);
  for (size_t i = 0; i < VD_COUNT(speeds); i++) {
    speed = speeds[i];
    angle = 1e-4;
    rig r = rig_make(tyre, 4000.0, speed, none, steady_side);
    r.relax.damper_time = 0.0;
    double until = round(sigma_y / speed / r.step) * r.step;
    rig_run(&r, 40.0 * sigma_y / speed - fmod(40.0 * sigma_y / speed, r.step));
    double last = r.answer.fy;
    r = rig_make(tyre, 4000.0, speed, none, steady_side);
    r.relax.damper_time = 0.0;
    rig_run(&r, until);
    double length = -speed * until / log(1.0 - r.answer.fy / last);
    tap_near(length / sigma_y, 1.0, 0.01, "%s at %g m/s: the side force has the distance constant sigma", name, speed);
  }
}

/* Checks that at any speed the steady state is the steady model's: the rates vanish only there. After 60 relaxation
 * lengths the deviation is exp(-60) and rounding; the tolerance is 2e-9 of the force. */
static void steady_state(const char *name, const vd_tyre *tyre) {
  double worst = 0.0;
  for (double v = 5.0; v < 41.0; v += 17.5)
    for (int i = -6; i <= 6; i++)
      for (int across = 0; across < 2; across++) {
        speed = v;
        angle = 0.05 * i;
        rig r = rig_make(tyre, 4000.0, v, across ? none : steady_along, across ? steady_side : none);
        rig_run(&r, ceil(60.0 * 0.6 / v));
        vd_tyre_question q = {.kappa = across ? 0.0 : angle,
                              .tan_alpha = across ? tan(angle) : 0.0,
                              .vx = v,
                              .ground_friction = 1.0,
                              .load = 4000.0,
                              .radius = 0.32};
        vd_tyre_answer want;
        vd_tyre_ask(tyre, &q, &want);
        worst = tap_max(worst, hypot(r.answer.fx - want.fx, r.answer.fy - want.fy));
      }
  tap_near(worst / 4000.0, 0.0, 2e-9, "%s: the tyre settles at the steady force, 5 to 40 m/s, slips to 0.3", name);
}

/* Checks that at standstill the force of a small displacement u is C/sigma u. The slopes of the curves change by less
 * than 1 % within 1e-3 of sigma (a slip of 1e-3 where tyres slide at 0.05 to 0.1). */
static void presliding(const char *name, const vd_tyre *tyre) {
  double sigma_x, sigma_y, load = 4000.0;
  vd_tyre_relaxation(tyre, load, &sigma_x, &sigma_y);
  amplitude = 2.0 * VD_PI * 5e-4 * sigma_y; /* speed of a movement of +- 5e-4 sigma: 1e-3 sigma after half a cycle */
  rig r = rig_make(tyre, load, 0.0, none, swing);
  r.relax.damper_time = 0.0;
  rig_run(&r, 0.5);
  double want = vd_tyre_cornering_stiffness(tyre, 1.0, load) * 1e-3;
  tap_near(r.answer.fy / want, 1.0, 0.02, "%s: the tyre is a spring C/sigma at standstill", name);
}

/* Checks that over a closed cycle of the slip, once the motion is periodic, the work done on the tyre, its loss, is not
 * negative. Cycles have one direction or both, standing, creeping, rolling, and amplitudes far below and far above the
 * grip limit. */
static void no_energy_made(const char *name, const vd_tyre *tyre) {
  static const double speeds[] = {0.0, 0.05, 1.0, 10.0}, swings[] = {1e-3, 0.03, 0.3, 3.0};
  double least = INFINITY;
  for (size_t i = 0; i < VD_COUNT(speeds); i++)
    for (size_t k = 0; k < VD_COUNT(swings); k++)
      for (int both = 0; both < 2; both++) {
        amplitude = swings[k];
        rig r = rig_make(tyre, 4000.0, speeds[i], swing, both ? swing_across : none);
        rig_run(&r, 3.0);
        double before = r.w[2];
        rig_run(&r, 4.0);
        double scale = 4000.0 * swings[k]; /* full friction does 2/pi times this work in a cycle of 1 s */
        least = tap_min(least, (r.w[2] - before) / scale);
      }
  tap_ok(least > -1e-6, "%s: no closed cycle creates energy (least loss %.1e of friction x distance)", name, least);
}

int main(void) {
  static const char *const front[] = {"linear_80", "mf96_touring", "tmeasy_touring"};
  enum { MODELS = VD_COUNT(front), ONE_OF = 3 };
  int chosen = 0;
  for (int k = 0; k < MODELS * 2; k++)
    chosen += tap_sampled(k, ONE_OF);
  tap_plan(chosen * 6);
  for (int k = 0; k < MODELS; k++)
    for (int bristles = 0; bristles < 2; bristles++) {
      if (!tap_sampled(MODELS * bristles + k, ONE_OF))
        continue;
      char file[96], name[64], law[64];
      snprintf(file, sizeof file, "vehicle.front.tyre=scenarios/tyres/%s.yaml", front[k]);
      snprintf(law, sizeof law, "vehicle.front.tyre.transient=%s", bristles ? "lugre" : "relaxation");
      snprintf(name, sizeof name, "%s, %s", front[k], bristles ? "lugre" : "relaxation");
      scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\n", file, law, NULL);
      vd_tyre tyre = s->model.vehicle.tyre[0];
      distance_constant(name, &tyre);
      steady_state(name, &tyre);
      presliding(name, &tyre);
      no_energy_made(name, &tyre);
      scene_free(s);
    }
  return tap_done();
}
