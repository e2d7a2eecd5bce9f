/* Controlled dampers: the quarter car with a damper to the sky, dissipation, a rough road. */
#include "scene.h"
#include "tap.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "base/base.h"

/* A car of four equal corners: the centre of gravity is in the middle, tyres and springs are equal, bars do not act in
 * heave. With all wheels on the same road each corner is a quarter car. */
static const char *const heave = "kind: four_post\n"
                                 "vehicle:\n  base: ../vehicles/textbook_linear.yaml\n  cg_to_front: 1.34 m\n"
                                 "  front: &axle {damper: 300 N s/m}\n  rear: *axle\n"
                                 "run: {level: L3, duration: 20 s, step: 1 ms}\n"
                                 "post_fl: &post {type: sine, frequency: 1 Hz, amplitude: 1 mm}\n"
                                 "post_fr: *post\npost_rl: *post\npost_rr: *post\n";

typedef struct response {
  double body, wheel; /* -, amplitudes over that of the road */
} response;

/* Returns the amplitudes at the frequency of the posts over the last whole periods. */
static response measured(double frequency, const char *controllers, const char *step) {
  char setting[4][48];
  for (int i = 0; i < VD_WHEELS; i++)
    snprintf(setting[i], sizeof setting[i], "post_%s.frequency=%.17g", vd_wheel_names[i], frequency);
  scene *s = scene_make(heave, step, controllers, setting[0], setting[1], setting[2], setting[3], NULL);
  const double period = 1.0 / frequency, settle = 3.0 + period, end = settle + 2.0 * period;
  double complex body = 0.0, wheel = 0.0;
  const long looks = lround(2.0 * period / 1e-3);
  scene_run(s, settle);
  for (long k = 0; k < looks && settle + (double)k * 1e-3 < end; k++) {
    const double t = settle + (double)(k + 1) * 1e-3;
    scene_run(s, t);
    const double complex turn = cexp(-I * 2.0 * VD_PI * frequency * t) * 2.0 / (double)looks;
    const vd_row row = scene_row(s);
    body += row.eval.log.z * turn;
    wheel += (row.eval.log.z + row.eval.motion.travel[VD_FL]) * turn;
  }
  scene_free(s);
  return (response){cabs(body) / 1e-3, cabs(wheel) / 1e-3};
}

/* Solves ms zs'' = k (zu - zs) + c (zu' - zs') + F, mu zu'' = -(k (zu - zs) + c (zu' - zs') + F) + kt (zr - zu), F =
 * -cs zs' + cg zu'. */
static response exact(const scene *s, double frequency, double sky, double ground) {
  const vd_vehicle_axle *a = &s->model.vehicle.axle[VD_FRONT];
  const double complex jw = I * 2.0 * VD_PI * frequency;
  const double sprung = 0.25 * s->model.ride.sprung_mass, tyre = s->model.ride.tyre_stiffness[0], c = 300.0;
  const double complex link = a->spring_stiffness + c * jw;
  const double complex body_body = sprung * jw * jw + link + sky * jw, body_wheel = -link - ground * jw;
  const double complex wheel_body = -link - sky * jw,
                       wheel_wheel = a->unsprung_mass * jw * jw + link + tyre + ground * jw;
  const double complex det = body_body * wheel_wheel - body_wheel * wheel_body;
  return (response){cabs(-body_wheel * tyre / det), cabs(body_body * tyre / det)};
}

/* Checks the ideal damper, which can exert any force and decides in every step. A force that changes linearly from one
 * decision to the next within a period T acts with a delay of T. */
static void quarter_car(double sky, double ground, const char *period) {
  static const double frequency[] = {0.8, 1.25, 2.5, 5.0, 10.0};
  char controllers[120], step[32];
  snprintf(step, sizeof step, "run.step=%s", period);
  snprintf(controllers, sizeof controllers,
           "controllers=[{kind: damper, law: active, skyhook: %g, groundhook: %g, period: %s}]", sky, ground, period);
  scene *s = scene_make(heave, NULL);
  for (size_t i = 0; i < VD_COUNT(frequency); i++) {
    const response got = measured(frequency[i], controllers, step), want = exact(s, frequency[i], sky, ground);
    tap_near(got.body, want.body, 0.01 * want.body,
             "sky %g, ground %g, %g Hz: the body moves by %.4f of the road's height", sky, ground, frequency[i],
             want.body);
    tap_near(got.wheel, want.wheel, 0.01 * want.wheel, "  and the wheel by %.4f", want.wheel);
  }
  scene_free(s);
}

/* Checks that a controlled damper dissipates at every decision, and reduces the motion of the body relative to the
 * vehicle's own soft dampers. */
static void semi_active(void) {
  const char *const law[] = {"controllers=[]", "controllers=[{kind: damper, law: two_state, lag: 5 ms}]",
                             "controllers=[{kind: damper, period: 1 ms}]"};
  double rms[3], least = INFINITY;
  for (int k = 0; k < 3; k++) {
    scene *s =
        scene_make("vehicle: {base: ../vehicles/saloon.yaml, front: {damper: 500 N s/m}, rear: {damper: 500 N s/m}}\n"
                   "run: {level: L3, duration: 6 s, slip: transient, step: 1 ms}\n"
                   "initial: {speed: 80 km/h}\nspeed: 80 km/h\n"
                   "ground: {base: ../grounds/iso8608_c.yaml}\n",
                   law[k], NULL);
    double sum = 0.0;
    for (long i = 1; i <= 500; i++) {
      scene_run(s, 0.01 * (double)i);
      sum += s->sim.eval.body.az * s->sim.eval.body.az / 500.0;
      for (int w = 0; w < VD_WHEELS && k == 2; w++)
        least = tap_min(least, s->sim.command.damper_request[w] * s->sim.eval.motion.travel_rate[w]);
    }
    rms[k] = sqrt(sum);
    scene_free(s);
  }
  tap_ok(least > -20.0 && least < 0.0, "continuous law: between two decisions the force delivers at most %.1f W",
         -least);
  tap_ok(rms[1] < rms[0] && rms[2] < 0.8 * rms[0],
         "on class C at 80 km/h %.2f m/s2 of the body fall to %.2f m/s2 by the two_state law, %.2f m/s2 by the "
         "continuous law",
         rms[0], rms[1], rms[2]);
}

int main(void) {
  tap_plan(2 * 10 + 2);
  quarter_car(3000.0, 0.0, "1 ms");
  quarter_car(2000.0, 800.0, "0.25 ms");
  semi_active();
  return tap_done();
}
