/* Steps that are halved where their error is above run.accuracy. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void decay(void *context, int stage, const double *x, double *dx) {
  (void)stage;
  dx[0] = *(const double *)context * x[0];
}

/* For x' = l x and z = l h the stages are k4 = l x (1 + z + z^2/2 + z^3/4), and f at the end
 * l x (1 + z + z^2/2 + z^3/6 + z^4/24), so that the error is x z^4/72 (1 - z/2). */
static void formula(void) {
  double rate = -3.0, h = 0.1, z = rate * h, x[] = {2.0}, k1[] = {2.0 * rate}, k4[1], end[1], weight[] = {0.5};
  vd_decay none = {.count = 0};
  vd_rk4_decaying(decay, &rate, h, 1, &none, k1, x, k4);
  decay(&rate, 3, x, end);
  double expected = 0.5 * 2.0 * z * z * z * z / 72.0 * (1.0 - 0.5 * z);
  tap_near(vd_rk4_error(h, 1, k4, end, weight), expected, 1e-15, "the error of a step of x' = l x (%.6g)", expected);
  end[0] = NAN;
  tap_ok(!(vd_rk4_error(h, 1, k4, end, weight) <= 1.0), "a rate that is not finite is not accurate");
}

/* A car that falls on its wheels; the forces of its tyres have kinks where they meet the road. */
static const char fall[] =
    "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3, v_low: 8}\n"
    "initial: {speed: 20 m/s, lift: 5 cm}\nsteer: {type: sine, amplitude: 0.02, frequency: 1 Hz}\n";
static const char sine[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 25 m/s}\n"
                           "steer: {type: sine, amplitude: 0.02, frequency: 1 Hz}\n";

/* Runs a scenario for 1 s; *end: its states. Returns the number of steps. */
static long run(const char *text, const char *accuracy, const char *other, vd_state_vector *end) {
  scene *s = scene_make(text, accuracy, other, NULL);
  scene_run(s, 1.0);
  *end = s->sim.state;
  if (s->sim.status != VD_SIM_OK)
    end->x[0] = NAN;
  long parts = s->sim.parts;
  scene_free(s);
  return parts;
}

/* Returns the greatest difference between the states of two runs, each divided by the scale of this state. */
static double apart(const vd_state_vector *a, const vd_state_vector *b) {
  double worst = 0.0;
  for (int i = 0; i < VD_STATES; i++) {
    double e = fabs(a->x[i] - b->x[i]) / vd_state_table[i].scale;
    worst = tap_max(worst, e);
  }
  return worst;
}

/* Compares the error of a fall with its bound. At most a dozen kinks, where wheels land, leave the road and land again,
 * cause it: each kink adds at most half of the accuracy (math/rk4.h), and all smooth steps together less than this. */
static void follows(void) {
  static const char *const accuracy[] = {"run.accuracy=1e-6", "run.accuracy=1e-7", "run.accuracy=1e-8"};
  vd_state_vector truth, fixed, end;
  run(fall, "run.accuracy=1e-10", "run.step=0.25 ms", &truth);
  run(fall, "run.accuracy=0", NULL, &fixed);
  double before = apart(&fixed, &truth);
  for (int i = 0; i < 3; i++) {
    double bound = 12.0 * pow(10.0, -6 - i);
    long parts = run(fall, accuracy[i], NULL, &end);
    double error = apart(&end, &truth);
    tap_ok(error <= bound && error < before,
           "%s: error %.1e after %ld steps, at most %.1e and less than %.1e of fixed steps", accuracy[i], error, parts,
           bound, before);
  }
}

/* Checks that a run in which no step is halved has the same bits as a run with fixed steps. */
static void smooth(void) {
  static const char *const levels[] = {"run.level=L0", "run.level=L1", "run.level=L2", "run.level=L3"};
  for (int i = 0; i < 4; i++) {
    vd_state_vector fixed, end;
    long parts = run(sine, "run.accuracy=auto", levels[i], &end);
    run(sine, "run.step=1 ms", levels[i], &fixed);
    tap_ok(parts == 1000 && memcmp(end.x, fixed.x, sizeof end.x) == 0, "%s: a smooth run keeps its steps and its bits",
           levels[i]);
  }
}

/* Checks that a step given by the user is fixed unless an accuracy is also given. */
static void named(void) {
  static const struct {
    const char *step, *accuracy;
    double expected;
  } rows[] = {{"run.step=auto", "run.accuracy=auto", 1e-6},
              {"run.step=1 ms", "run.accuracy=auto", 0.0},
              {"run.step=1 ms", "run.accuracy=1e-7", 1e-7}};
  for (int i = 0; i < 3; i++) {
    scene *s = scene_make(sine, rows[i].step, rows[i].accuracy, NULL);
    tap_ok(s->def.run.accuracy == rows[i].expected, "%s, %s: the accuracy of the run is %g", rows[i].step,
           rows[i].accuracy, rows[i].expected);
    scene_free(s);
  }
}

/* Checks that steps too long for light wheels on stiff tyres are shortened automatically: at root(k/m) = root(4.4e5/3)
 * = 383 1/s a step of 1 ms is stable but not accurate. */
static void stiff(void) {
  static const char light[] = "vehicle: {base: ../vehicles/sedan.yaml, front: {unsprung_mass: 3 kg, tyre: {base: "
                              "../tyres/mf96_touring.yaml, vertical_stiffness: 440 kN/m}}}\n"
                              "run: {duration: 1 s, level: L3, v_low: 40, v_low_y: 0.5}\n"
                              "initial: {speed: 20 m/s, lift: 5 cm}\n";
  vd_state_vector end, truth;
  long parts;
  run(light, "run.accuracy=1e-8", "run.step=0.1 ms", &truth);
  run(light, "run.accuracy=0", NULL, &end);
  double fixed = apart(&end, &truth);
  parts = run(light, "run.accuracy=auto", NULL, &end);
  tap_ok(apart(&end, &truth) <= 1e-5 * (double)parts && fixed > apart(&end, &truth),
         "light wheels: the error is %.1e with %ld steps, %.1e with fixed steps", apart(&end, &truth), parts, fixed);
}

/* Checks the longest steps, with an accuracy that does not limit them: 12.5 cm or half of the shortest wave, on a mesh
 * 0, divided by the speed, but at least 1.25 ms. Steps are the grid of 20 ms, halved until they are not longer than
 * this. */
static void reaches(void) {
  static const struct {
    const char *ground, *level;
    double speed;
    long parts;                                                                /* in 1 s */
  } rows[] = {{"{type: flat}", "L3", 22.0, 50},                                /* a plane has no limit: the grid */
              {"{type: iso8608, class: A}", "L3", 22.0, 200},                  /* 5.7 ms allowed */
              {"{type: iso8608, class: A}", "L3", 28.0, 400},                  /* 4.5 ms */
              {"{type: iso8608, class: A, n_to: 10}", "L3", 12.0, 400},        /* waves of 10 cm: 4.2 ms */
              {"{patches: [{friction: 0.9, x_from: 50 m}]}", "L2", 28.0, 400}, /* 4.5 ms */
              {"{type: mesh, file: ../grounds/ramp_jump.obj}", "L5", 8.0, 800}};
  for (size_t i = 0; i < VD_COUNT(rows); i++) {
    char text[300];
    snprintf(text, sizeof text,
             "vehicle: ../vehicles/sedan.yaml\nground: %s\nrun: {duration: 1 s, level: %s}\n"
             "initial: {speed: %g m/s}\nspeed: %g m/s\n",
             rows[i].ground, rows[i].level, rows[i].speed, rows[i].speed);
    vd_state_vector end;
    long parts = run(text, "run.accuracy=1", "run.step=auto", &end);
    tap_ok(parts == rows[i].parts, "%s on %s at %g m/s: a second takes %ld steps, %ld expected", rows[i].level,
           rows[i].ground, rows[i].speed, parts, rows[i].parts);
  }
}

/* Checks the front left wheel at the face of a kerb: its contact point jumps, and the force changes its direction. The
 * jump adds an error of at most the accuracy, and the smooth steps around it much less; the bound is twice the
 * accuracy. If the estimate missed the jump in a step of 0.1 ms, a force of 2 kN would change the speed of a wheel of
 * 40 kg by up to 5e-3 m/s. */
static void strike(void) {
  static const char kerb[] = "vehicle: ../vehicles/sedan.yaml\nground: {base: ../grounds/kerb_left.yaml}\n"
                             "run: {duration: 1 s, level: L3}\ninitial: {speed: 20 km/h, x: 18.6 m}\n";
  static const char *const accuracy[] = {"run.accuracy=1e-5", "run.accuracy=1e-6", "run.accuracy=1e-7"};
  for (int i = 0; i < 3; i++) {
    double most = 2.0 * pow(10.0, -5 - i), error[2];
    scene *s = scene_make(kerb, accuracy[i], "run.step=auto", NULL),
          *t = scene_make(kerb, "run.accuracy=1e-10", "run.step=auto", NULL);
    for (int k = 0; k < 2; k++) { /* the wheel has climbed the face, and is on the kerb */
      scene_run(s, 0.03 + 0.02 * k);
      scene_run(t, 0.03 + 0.02 * k);
      error[k] = apart(&s->sim.state, &t->sim.state);
    }
    scene_free(s);
    scene_free(t);
    tap_ok(error[0] <= most && error[1] <= most,
           "%s: the states differ by %.1e at the face of a kerb, and by %.1e on it", accuracy[i], error[0], error[1]);
  }
}

/* Checks a rough road. The estimate is the error of a solution of third order; the step's own error is one order
 * higher. */
static void rough(void) {
  static const char road[] = "vehicle: ../vehicles/sedan.yaml\nground: {type: iso8608, class: C}\n"
                             "run: {duration: 1 s, level: L3}\ninitial: {speed: 80 km/h}\nspeed: 80 km/h\n";
  vd_state_vector end, truth;
  run(road, "run.accuracy=1e-8", "run.step=1 ms", &truth);
  long parts = run(road, "run.accuracy=1e-4", "run.step=auto", &end);
  tap_ok(apart(&end, &truth) <= 1e-4 && parts < 700,
         "a road of class C: the error is %.1e with %ld steps at an accuracy of 1e-4", apart(&end, &truth), parts);
}

/* Checks the cost of a run, which is proportional to its number of steps. With an accuracy of 1e-3 a smooth run has
 * steps of 20 ms, and unless a rate is given its log has 50 Hz; its error is below 1e-4 of the states' scales. The
 * wheel hop of a sedan, root(k/m) = root(2.2e5 N/m/40 kg) = 74 1/s, turns by 1.5 rad in such a step, below the
 * stability limit of about 2.8: 4 s after a fall of 5 cm it has decayed. */
static void cheap(void) {
  static const char fallen[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s, level: L3}\nspeed: 20 m/s\n"
                               "initial: {speed: 20 m/s, lift: 5 cm}\n";
  static const char *const runs[] = {"run.level=L1", "run.level=L3"};
  static const int motion[] = {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_TRAVEL_RATE, VD_S_TRAVEL_RATE + 3};
  vd_state_vector rough, truth;
  for (int i = 0; i < 2; i++) {
    scene *s = scene_make(sine, runs[i], "run.accuracy=1e-3", "run.step=auto", NULL);
    scene_run(s, 1.0);
    rough = s->sim.state;
    tap_ok(s->sim.parts == 50 && s->def.log.rate == 50.0,
           "%s, accuracy 1e-3: a second takes %ld steps, and rows have %g Hz", runs[i], s->sim.parts, s->def.log.rate);
    scene_free(s);
    s = scene_make(sine, runs[i], "run.accuracy=1e-9", "run.step=auto", NULL);
    scene_run(s, 1.0);
    truth = s->sim.state;
    scene_free(s);
    tap_ok(apart(&rough, &truth) <= 1e-4, "%s, accuracy 1e-3: the error is %.1e", runs[i], apart(&rough, &truth));
  }
  scene *s = scene_make(sine, "run.accuracy=1e-3", "run.step=auto", "log.rate=100", NULL);
  tap_ok(s->def.run.step == 0.01, "a given rate of the log bounds the step: %g s", s->def.run.step);
  scene_free(s);
  s = scene_make(fallen, "run.accuracy=1e-3", "run.step=auto", NULL);
  scene_run(s, 4.0);
  double left = 0.0;
  for (size_t k = 0; k < VD_COUNT(motion); k++)
    left = tap_max(left, fabs(s->sim.state.x[motion[k]]));
  tap_ok(left < 1e-5, "4 s after a fall the car is at rest on its springs: %.1e", left);
  scene_free(s);
}

int main(void) {
  tap_plan(2 + 3 + 4 + 3 + 1 + 6 + 1 + 3 + 6);
  formula();
  follows();
  smooth();
  named();
  stiff();
  reaches();
  strike();
  rough();
  cheap();
  return tap_done();
}
