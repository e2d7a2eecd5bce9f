/* The power ledger: its residual is energy now - energy at the start - work of all forces. It closes to the
 * integration's error only if every force has its reaction. Bounds, as shares of the peak kinetic energy:
 *
 * - L0 has no slips. A step h = 1 ms of inputs at w = 2 pi 0.5 Hz has the error (w h)^4/120 = 8e-13, and 1e4 steps have
 *   as much rounding: 1e-12.
 * - Smooth runs: the slips follow within T = 6 ms at 20 m/s, so that a step h = 1 ms has the error (h/T)^4/120 = 6e-6
 *   of the energy in the slips. With slips below 0.5 % this energy is 2.5e-5 of the kinetic energy: 1.6e-10.
 * - Wheels that lock or stop: each of 16 such kinks may change vx by half of the accuracy 1e-6 times its scale, 10 m/s,
 *   and so the kinetic energy at 30 m/s by 2 x 5e-6/30 = 3.3e-7: 5e-6. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

/* Returns the largest residual divided by the largest kinetic energy of a whole run. */
static double residual_ratio(const char *text, const char *level, const char *setting) {
  scene *s = scene_make(text, level, setting, NULL);
  double worst = 0.0, kinetic = 0.0;
  long steps = vd_scenario_steps(&s->def);
  for (long i = 0; i < steps && s->sim.status == VD_SIM_OK; i++) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    worst = tap_max(worst, fabs(row.eval.log.ledger));
    kinetic = tap_max(kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
  }
  if (s->sim.status != VD_SIM_OK)
    worst = NAN;
  scene_free(s);
  return worst / kinetic;
}

static void check(const char *what, const char *text, const char *level, const char *setting, double allowed) {
  double ratio = residual_ratio(text, level, setting);
  tap_near(ratio, 0.0, allowed, "%s, %s: the residual is %.2e of the peak kinetic energy (<= %g)", level + 10, what,
           ratio, allowed);
}

static const char driving[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static const char braking[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 4 s}\n"
                              "initial: {speed: 30 m/s}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n"
                              "brake: {type: ramp, rate: 0.1, duration: 2 s}\n";

static const char locked[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 6 s}\n"
                             "initial: {speed: 30 m/s}\n"
                             "steer: {type: step, start: 0.2, rise: 0.2, value: 0.04}\n"
                             "brake: {type: step, start: 1 s, rise: 0.1 s, value: 1}\n";

static const char release[] =
    "vehicle: ../vehicles/sedan.yaml\n"
    "run: {duration: 4 s}\n"
    "initial: {speed: 30 m/s}\n"
    "brake: {type: table, points: [[0, 0], [0.5, 1], [1.5, 1], [1.6, 0], [2, 0], [2.1, 1]]}\n";

int main(void) {
  static const char *const levels[] = {"run.level=L0", "run.level=L1", "run.level=L2"};
  tap_plan(3 * 4 + 2 * 3 + 1);
  for (size_t i = 0; i < VD_COUNT(levels); i++) {
    double even = i == 0 ? 1e-12 : 1.6e-10, kinks = i == 0 ? 1e-12 : 5e-6;
    check("driving and steering on a grade and a bank", driving, levels[i], "run.lean=true", even);
    check("gentle braking in a weave", braking, levels[i], "run.lean=true", even);
    check("locked wheels to standstill", locked, levels[i], "run.lean=true", kinks);
    check("brakes on, off and on again", release, levels[i], "run.lean=true", kinks);
  }
  for (size_t i = 1; i < VD_COUNT(levels); i++) {
    check("front pneumatic trail of 0.1 m", driving, levels[i], "vehicle.front.tyre.pneumatic_trail=0.1", 1.6e-10);
    check("linear rear tyres", driving, levels[i], "vehicle.rear.tyre=scenarios/tyres/linear_80.yaml", 1.6e-10);
    check("all-wheel drive", driving, levels[i], "vehicle.drivetrain.drive=all", 1.6e-10);
  }
  double one, half;
  {
    /* the residual is the error of the integration: it falls with the fourth power of the step */
    scene *s = scene_make(driving, "run.level=L2", "run.v_low=10", NULL);
    scene_restep(s, 0.004);
    scene_run(s, 4.0);
    one = fabs(scene_row(s).eval.log.ledger);
    scene_restep(s, 0.002);
    scene_run(s, 4.0);
    half = fabs(scene_row(s).eval.log.ledger);
    scene_free(s);
  }
  tap_ok(log2(one / half) >= 3.5, "the residual falls with order %.2f", log2(one / half));
  return tap_done();
}
