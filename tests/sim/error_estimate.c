/* The estimate of a run's integration error, compared with the true error. The true error is the difference from a run
 * with a quarter of the step, whose own error is 4^-4 = 0.4 % of the error. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 200, FINER = 4, MOST_STEPS = 8000, CARS = 3, LINKED = 2, TYRES = 10, STEPS = 6 };

/* Errors below this are rounding: about 1e-16 of states of ten times their scale, summed over thousands of steps. */
static const double rounding = 1e-12;

/* --- random runs --- */

static uint64_t seed;

/* Returns a random number by splitmix64 (Steele, Lea and Flood 2014). */
static double draw(void) {
  uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double low, double high) {
  return low + (high - low) * draw();
}

static const char *pick(const char *const *of, size_t count) {
  return of[(size_t)(draw() * (double)count)];
}

/* Draws steering for up to 0.4 g, with the sedan's understeer of 0.003 rad per m/s2. */
static void draw_steering(double v, char *text, size_t size) {
  double ay = between(0.5, 4.0), angle = ay * (2.7 / (v * v) + 0.003), kind = draw(), start = between(0.1, 0.5);
  if (kind < 0.4)
    snprintf(text, size, "steer: {type: sine, amplitude: %.4g, frequency: %.3g}\n", angle, between(0.3, 2.0));
  else if (kind < 0.65)
    snprintf(text, size, "steer: {type: step, start: %.4g, rise: %.3g, value: %.4g}\n", start, between(0.05, 0.4),
             draw() < 0.5 ? angle : -angle);
  else if (kind < 0.8)
    snprintf(text, size, "steer: {type: chirp, amplitude: %.4g, frequency: 0.5, end_frequency: %.3g, duration: 4}\n",
             angle, between(1.0, 3.0));
  else if (kind < 0.9)
    snprintf(text, size, "curvature: {type: sine, amplitude: %.4g, frequency: %.3g}\n", ay / (v * v),
             between(0.2, 0.6));
  else
    *text = '\0';
}

static void draw_speed(double v, char *text, size_t size) {
  double kind = draw();
  if (kind < 0.3)
    snprintf(text, size, "throttle: {type: sine, from: %.3g, amplitude: %.3g, frequency: %.3g}\n", between(0.2, 0.4),
             between(0.02, 0.19), between(0.2, 1.5));
  else if (kind < 0.6)
    snprintf(text, size, "speed: %.4g\n", v);
  else if (kind < 0.8)
    snprintf(text, size, "brake: {type: step, start: %.3g, rise: %.3g, value: %.3g}\n", between(0.2, 0.8),
             between(0.1, 0.4), between(0.02, 0.12));
  else
    *text = '\0';
}

typedef struct drawn {
  char text[1200], step[24];
} drawn;

static void draw_run(int number, drawn *out) {
  static const char *const cars[CARS] = {"sedan", "sports", "sedan_seed"},
                           *const linked[LINKED] = {"sedan_hardpoints", "sports_hardpoints"},
                           *const unsprung[] = {"hub", "strut", "linkage"},
                           *const tyres[TYRES] = {"linear_80",      "mf61_synthetic", "mf96_sport",    "mf96_touring",
                                                  "tmeasy_touring", "fiala_touring",  "brush_touring", "pac89_touring",
                                                  "pac94_touring",  "lugre_touring"},
                           *const steps[STEPS] = {"auto", "auto", "auto", "auto", "1 ms", "2 ms"};
  char steering[200], speed[200];
  seed = (uint64_t)number;
  int level = (int)(6.0 * draw());
  size_t carrier = (size_t)(3.0 * draw());
  bool links = level == 4 || (level == 5 && carrier == 2), transient = level > 0 && draw() < 0.3;
  const char *car = links ? pick(linked, LINKED) : pick(cars, CARS), *tyre = pick(tyres, TYRES);
  const char *step = pick(steps, level == 5 ? 5 : STEPS);
  double v = between(12.0, 35.0), duration = between(1.0, 3.0);
  draw_steering(v, steering, sizeof steering);
  draw_speed(v, speed, sizeof speed);
  snprintf(out->step, sizeof out->step, "run.step=%s", step);
  snprintf(out->text, sizeof out->text,
           "vehicle: {base: ../vehicles/%s.yaml, front: {tyre: ../tyres/%s.yaml}, rear: {tyre: ../tyres/%s.yaml}}\n"
           "run: {level: L%d, duration: %.3g%s%s%s}\ninitial: {speed: %.4g}\n%s%s",
           car, tyre, tyre, level, duration, transient ? ", slip: transient" : "", level == 5 ? ", unsprung: " : "",
           level == 5 ? unsprung[carrier] : "", v, steering, speed);
}

/* --- estimates of random runs --- */

typedef struct outcome {
  vd_error_share estimate;
  double truth;
  int state;
  bool good; /* both runs reached their ends */
} outcome;

static outcome judge(const drawn *run) {
  static double x[MOST_STEPS + 1][VD_STATES];
  outcome out = {.truth = 0.0};
  double change[VD_STATES] = {0.0}, error[VD_STATES] = {0.0};
  scene *s = scene_make(run->text, run->step, NULL);
  long steps = vd_scenario_steps(&s->def);
  if (steps > MOST_STEPS)
    return out;
  vd_error_start(&s->sim.state, &s->sim.error);
  memcpy(x[0], s->sim.state.x, sizeof x[0]);
  for (long k = 1; k <= steps && vd_sim_step(&s->sim) == VD_SIM_OK; k++) {
    memcpy(x[k], s->sim.state.x, sizeof x[k]);
    for (int i = 0; i < VD_STATES; i++)
      change[i] = tap_max(change[i], fabs(x[k][i] - x[0][i]));
  }
  out.estimate = vd_sim_error(&s->sim);
  out.good = s->sim.status == VD_SIM_OK;
  s->def.run.step /= FINER;
  s->def.run.accuracy *= 1e-4;
  scene_build(s);
  for (long k = 1; k <= FINER * steps && vd_sim_step(&s->sim) == VD_SIM_OK; k++)
    for (int i = 0; i < VD_STATES && k % FINER == 0; i++)
      error[i] = tap_max(error[i], fabs(s->sim.state.x[i] - x[k / FINER][i]));
  out.good &= s->sim.status == VD_SIM_OK;
  for (int i = 0; i < vd_model_states(&s->model); i++) {
    double share = error[i] / fmax(vd_state_table[i].scale, change[i]);
    if (!(share <= out.truth)) {
      out.truth = share;
      out.state = i;
    }
  }
  scene_free(s);
  return out;
}

static void check_honesty(void) {
  int tried = 0, within = 0, ended = 0, silent = 0, doubted = 0;
  for (int number = 1; number <= RUNS; number++) {
    if (!tap_sampled(number, 2))
      continue;
    tried++;
    drawn run;
    char note[160];
    draw_run(number, &run);
    outcome o = judge(&run);
    double ratio = fmax(o.estimate.share, rounding) / fmax(o.truth, rounding);
    bool near = ratio >= 0.1 && ratio <= 10.0;
    ended += o.good;
    within += near;
    silent += !near && o.estimate.doubts == 0;
    doubted += o.estimate.doubts != 0;
    vd_error_describe(&o.estimate, note, sizeof note);
    for (char *end = run.text; (end = strchr(end, '\n'));)
      *end = ' ';
    if (!near || !o.good)
      tap_diag("run %d: estimate %.2g %s, true %.2g of %s: %s%s", number, o.estimate.share, note, o.truth,
               vd_state_table[o.state].name, run.text, run.step);
  }
  tap_ok(ended == tried, "%d of %d random runs reach their ends", ended, tried);
  tap_ok(within >= tried * 95 / 100, "%d of %d random runs: the estimate is within a factor of ten of the true error",
         within, tried);
  tap_ok(silent <= tried / 100,
         "of the runs outside a factor of ten all but %d are marked as rough (at most 1 %% of all)", silent);
  tap_ok(doubted <= tried / 5, "at most a fifth of the runs is marked as rough: %d", doubted);
}

/* Checks the estimates of runs at L3 with steps of up to 20 ms. */
static void check_rough_steps(void) {
  static const char level[] = "run: {level: L3";
  int within = 0, runs = 0;
  for (int number = 1; number <= RUNS; number++) {
    drawn run;
    draw_run(number, &run);
    char *at = strstr(run.text, level);
    if (!at)
      continue;
    char rest[sizeof run.text];
    snprintf(rest, sizeof rest, "%s", at + strlen(level));
    snprintf(at, sizeof run.text - (size_t)(at - run.text), "%s, accuracy: 1e-3%s", level, rest);
    snprintf(run.step, sizeof run.step, "run.step=auto");
    outcome o = judge(&run);
    double ratio = fmax(o.estimate.share, rounding) / fmax(o.truth, rounding);
    runs++;
    within += o.good && ((ratio >= 0.1 && ratio <= 10.0) || o.estimate.doubts != 0);
  }
  tap_ok(runs > 20 && within >= runs * 95 / 100,
         "in %d of %d runs at L3 with an accuracy of 1e-3 the estimate is within a factor of ten, or marked as rough",
         within, runs);
}

/* --- order, growth, bits, notes --- */

static const char sine[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s}\ninitial: {speed: 25 m/s}\n"
                           "steer: {type: sine, amplitude: 0.02, frequency: 1 Hz}\n";

static scene *begin(const char *text, const char *one, const char *other) {
  scene *s = scene_make(text, one, other, NULL);
  vd_error_start(&s->sim.state, &s->sim.error);
  return s;
}

/* Checks that errors of a method of order four over a given time are proportional to the fourth power of the step. */
static void check_order(void) {
  static const char *const levels[] = {"run.level=L1", "run.level=L2", "run.level=L3"};
  for (size_t l = 0; l < VD_COUNT(levels); l++) {
    double share[2];
    for (int k = 0; k < 2; k++) {
      scene *s = begin(sine, levels[l], k ? "run.step=1 ms" : "run.step=2 ms");
      scene_run(s, 4.0);
      share[k] = vd_sim_error(&s->sim).share;
      scene_free(s);
    }
    tap_near(log2(share[0] / share[1]), 4.0, 0.3, "%s: half the step has a sixteenth of the error, 2^%.2f of %.1e",
             levels[l] + 10, log2(share[0] / share[1]), share[0]);
  }
}

/* Checks how errors grow. An error of the heading causes a lateral error of this angle times the distance; an error of
 * the speed causes errors of the distance and of the wheels' spins. Within a second of driving these are the greatest
 * errors. */
static void check_transport(void) {
  scene *s = begin("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L2}\n"
                   "initial: {speed: 20 m/s}\nspeed: 20 m/s\n",
                   "run.step=1 ms", NULL);
  s->sim.error.error[VD_S_YAW] = 1e-3;
  s->sim.error.error[VD_S_VX] = 1e-2;
  scene_run(s, 1.0);
  vd_sim_error(&s->sim);
  const double *e = s->sim.error.error;
  double since = s->sim.error.since;
  tap_near(e[VD_S_ACROSS], 1e-3 * 20.0 * since, 1e-6,
           "a heading error of 1 mrad causes a lateral error of 1 mrad times the distance");
  tap_near(e[VD_S_ALONG], 1e-2 * since, 1e-6,
           "a speed error of 1 cm/s causes an error of the place of 1 cm in a second");
  tap_near(e[VD_S_DISTANCE], 1e-2 * since, 1e-6,
           "a speed error of 1 cm/s causes an error of the distance of 1 cm in a second");
  /* the spin has the relative error of the speed, apart from the delay of its decay */
  tap_near(e[VD_S_SPIN] / s->sim.state.x[VD_S_SPIN], 1e-2 / 20.0, 1e-6,
           "an error of the speed is also an equal relative error of the wheels' spins");
  scene_free(s);
}

/* Checks that the estimate changes no bit of the run, and that a copy of the simulation continues with the same
 * estimate. */
static void check_bits(void) {
  static vd_sim copy;
  scene *plain = scene_make(sine, "run.step=auto", NULL), *s = begin(sine, "run.step=auto", NULL);
  scene_run(plain, 4.0);
  scene_run(s, 2.0);
  copy = s->sim;
  scene_run(s, 4.0);
  tap_ok(memcmp(&plain->sim.state, &s->sim.state, sizeof s->sim.state) == 0 && plain->sim.parts == s->sim.parts,
         "the steps are the same with and without an estimate");
  vd_error_share now = vd_sim_error(&s->sim), none = vd_sim_error(&plain->sim);
  while (copy.step < s->sim.step)
    vd_sim_step(&copy);
  tap_ok(memcmp(&copy.error, &s->sim.error, sizeof copy.error) == 0 && vd_sim_error(&copy).share == now.share,
         "a copy continues with the same estimate, %.3g of %s", now.share, vd_state_table[now.state].name);
  tap_ok(isnan(none.share), "a run without an estimate has the share NAN");
  scene_free(plain);
  scene_free(s);
}

/* Checks that a note gives the reason if, and only if, the estimate is rough. */
static void check_doubts(void) {
  static const struct {
    const char *what, *text;
    unsigned doubts;
  } rows[] = {
      {"a sine",
       "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L3}\ninitial: {speed: 25 m/s}\n"
       "steer: {type: sine, amplitude: 0.02, frequency: 1 Hz}\n",
       0},
      {"wheels that lock",
       "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L3}\n"
       "initial: {speed: 25 m/s}\nbrake: 1\n",
       VD_ERROR_SWITCHES | VD_ERROR_SLIDES},
      {"a skid",
       "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L2}\ninitial: {speed: 25 m/s}\n"
       "steer: 0.2\n",
       VD_ERROR_SLIDES},
  };
  for (size_t i = 0; i < VD_COUNT(rows); i++) {
    scene *s = begin(rows[i].text, "run.step=auto", NULL);
    char note[160];
    scene_run(s, 2.0);
    vd_error_share share = vd_sim_error(&s->sim);
    vd_error_describe(&share, note, sizeof note);
    tap_ok(share.doubts == rows[i].doubts && (strstr(note, "rough") != NULL) == (rows[i].doubts != 0),
           "%s has the note: %s", rows[i].what, note);
    scene_free(s);
  }
  vd_error_share all = {
      .share = 1e-3, .state = VD_S_WORK_TYRE_VERTICAL, .own = 2e-3, .smallest = VD_S_WORK_TYRE_VERTICAL, .doubts = ~0u};
  char note[160];
  vd_error_describe(&all, note, sizeof note);
  tap_ok(strlen(note) < 150 && strstr(note, "2e-03 of work_tyre_vertical's change") && strstr(note, "not small"),
         "the longest note fits, whole: %s", note);
}

/* Checks small motions. Waves of 10 um accelerate the body by 4 mm/s2, with an error of 3e-4 of this at the default
 * accuracy: small relative to the states' scales, but not to their changes in this run. The true values come from a run
 * with an accuracy of 1e-10. */
static void check_small_signals(void) {
  static const char text[] =
      "vehicle: ../vehicles/sedan.yaml\nrun: {level: L3, duration: 8 s}\ninitial: {speed: 8 m/s}\nspeed: 8 m/s\n"
      "ground: {base: ../grounds/washboard.yaml, amplitude: 0.01 mm}\n";
  scene *s = begin(text, "run.step=auto", "run.accuracy=1e-6"),
        *fine = scene_make(text, "run.step=auto", "run.accuracy=1e-10", NULL);
  double error[VD_STATES] = {0.0}, truth = 0.0;
  for (int k = 1; k <= 160; k++) {
    scene_run(s, 0.05 * k);
    scene_run(fine, 0.05 * k);
    for (int i = 0; i < vd_model_states(s->sim.model); i++)
      error[i] = tap_max(error[i], fabs(s->sim.state.x[i] - fine->sim.state.x[i]));
  }
  vd_error_share share = vd_sim_error(&s->sim);
  const double *change = s->sim.error.change;
  for (int i = 0; i < vd_model_states(s->sim.model); i++)
    if (change[i] > 1e-7 * vd_state_table[i].scale)
      truth = tap_max(truth, error[i] / change[i]);
  char note[160];
  vd_error_describe(&share, note, sizeof note);
  tap_ok(share.own > 0.1 * truth && share.own < 10.0 * truth,
         "waves of 10 um: the estimate, %.1e of the change of %s, is within a factor of ten of the true %.1e",
         share.own, vd_state_table[share.smallest].name, truth);
  tap_ok(share.share < 1e-6 && share.own > 1e-4 && strstr(note, "'s change"),
         "waves of 10 um: the error is %.1e of the scale, and the note names the change: %s", share.share, note);
  scene_free(s);
  scene_free(fine);
}

int main(void) {
  tap_plan(4 + 1 + 3 + 4 + 3 + 4 + 2);
  check_honesty();
  check_rough_steps();
  check_order();
  check_transport();
  check_bits();
  check_doubts();
  check_small_signals();
  return tap_done();
}
