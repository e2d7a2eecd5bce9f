/* Kerbs, potholes, ramps, cliffs and loops add no energy to a car, at any speed.
 *
 * The energy of a tyre's spring depends on the least distance of its wheel's centre from the road, which is continuous,
 * although its gradient jumps where two places of the road are equally near. The error of the energy in a step over
 * such a jump is at most dF v h: the jump of the force, at most the force itself, times the distance within the step.
 * So the ledger residual of a run that finds the nearest place at every instant falls at least with the first power of
 * the step; if a run misses the place by a length e, the residual F e remains at every step. The same bound holds for a
 * wheel that tips over an edge. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

typedef struct balance {
  double residual, kinetic; /* J, the largest */
  double peak;              /* N: the largest wheel load */
  double end;               /* s */
  enum vd_sim_status status;
} balance;

static balance follow(const char *text, const char *const setting[4]) {
  scene *s = scene_make(text, setting[0], setting[1], setting[2], setting[3], NULL);
  balance b = {.residual = 0.0};
  long steps = vd_scenario_steps(&s->def);
  for (long i = 0; i < steps && s->sim.status == VD_SIM_OK; i++) {
    if (vd_sim_step(&s->sim) == VD_SIM_CRUSHED)
      break; /* the last step of a run that fails does not count */
    vd_row row = scene_row(s);
    double residual = fabs(row.eval.log.ledger);
    b.residual = tap_max(b.residual, residual);
    b.kinetic = tap_max(b.kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
    for (int w = 0; w < VD_WHEELS; w++)
      b.peak = tap_max(b.peak, row.eval.tyre.load[w]);
    b.end = row.t;
  }
  b.status = s->sim.status;
  scene_free(s);
  return b;
}

/* --- the step --- */

static const char kerb[] = "base: ../ride/kerb_strike.yaml\n"
                           "ground: {edge: 0.12 m}\n"
                           "run: {ledger_limit: 1}\n"
                           "initial: {speed: 3 m/s}\n";
static const char links[] = "base: ../hardpoints/kerb_strike.yaml\n"
                            "ground: {edge: 0.12 m}\n"
                            "run: {ledger_limit: 1}\n"
                            "initial: {speed: 3 m/s}\n";

/* Checks the order of the residual. From a step of 0.5 ms to 0.05 ms the bound falls by the factor 10; because it is
 * only a bound, the test requires the factor 4. */
static void check_order(const char *name, const char *text, const char *level) {
  balance coarse = follow(text, (const char *const[4]){level, "run.step=0.5 ms"});
  balance fine = follow(text, (const char *const[4]){level, "run.step=0.05 ms"});
  double allowed = coarse.peak * 3.0 * 0.5e-3;
  tap_ok(coarse.status == VD_SIM_OK && fine.status == VD_SIM_OK && coarse.residual <= allowed,
         "%s: the ledger closes to %.2g J at a step of 0.5 ms (<= %.2g)", name, coarse.residual, allowed);
  tap_ok(fine.residual <= 0.25 * coarse.residual, "%s: the ledger closes to %.2g J at a step of 0.05 ms", name,
         fine.residual);
}

/* --- kerbs and potholes --- */

static unsigned long long state = 1;

static double between(double low, double high) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

/* Checks random obstacles. Each of four wheels may pass a few jumps of its force, each at most the largest load. An
 * edge of 1.1 heights has a greatest slope of 1.875/1.1, 60 deg. */
static void check_any(const char *name, bool hole) {
  enum { RUNS = 12 };
  static const char text[] = "base: ../ride/kerb_strike.yaml\n"
                             "run: {ledger_limit: 1, duration: 3 s}\n";
  const double step = 0.5e-3;
  int bad = 0;
  double worst = 0.0;
  for (int k = 0; k < RUNS; k++) {
    double height = between(0.03, 0.1), edge = between(1.1, 2.0) * height, speed = between(1.5, 6.0);
    double radius = between(0.25, 0.5);
    char ground[160], start[32], front[48], rear[48];
    snprintf(ground, sizeof ground,
             hole
                 ? "ground={type: potholes, places: [[14, -0.75], [14.6, 0.75]], width: 0.6, length: 0.9, depth: %.3f, "
                   "edge: %.3f}"
                 : "ground={type: step, at: 14, height: %.3f, edge: %.3f}",
             height, hole ? fmin(edge, 0.3) : edge);
    snprintf(start, sizeof start, "initial.speed=%.2f", speed);
    snprintf(front, sizeof front, "vehicle.front.wheel_radius=%.3f", radius);
    snprintf(rear, sizeof rear, "vehicle.rear.wheel_radius=%.3f", radius);
    balance b = follow(text, (const char *const[4]){ground, start, front, rear});
    double share = b.residual / (b.peak * speed * step);
    bad += !(share <= 2.0) || b.status != VD_SIM_OK;
    if (!(share <= 2.0))
      tap_diag("%s, %s, %s: %.3g J, a load of %.3g N", ground, start, front, b.residual, b.peak);
    worst = tap_max(worst, share);
  }
  tap_ok(bad == 0, "%s: %d of %d runs have a residual above twice the largest load times the distance of a step (%.2g)",
         name, bad, (int)RUNS, worst);
}

/* --- ramps, cliffs, loops --- */

/* Runs a stunt to its end, or until the run fails with a reason. */
static void check_stunt(const char *name, const char *const speed[], int speeds) {
  char text[96];
  snprintf(text, sizeof text, "base: ../stunt/%s.yaml\nrun: {ledger_limit: 1, duration: 6 s}\n", name);
  for (int k = 0; k < speeds; k++) {
    balance b = follow(text, (const char *const[4]){speed[k], "run.step=0.25 ms"});
    bool expected = b.status == VD_SIM_OK || b.status == VD_SIM_CRUSHED || b.status == VD_SIM_STRUCK;
    tap_ok(expected && b.residual <= 1e-4 * b.kinetic, "%s, %s: %.2g J of %.2g J are not accounted for up to %.2f s",
           name, speed[k], b.residual, b.kinetic, b.end);
  }
}

int main(void) {
  static const char *const jumps[] = {"initial.speed=3.6", "initial.speed=4", "initial.speed=5"};
  static const char *const cliffs[] = {"initial.speed=2", "initial.speed=3", "initial.speed=5"};
  static const char *const loops[] = {"initial.speed=16", "initial.speed=19", "initial.speed=20"};
  tap_plan(6 + 2 + 9);
  check_order("L3, kerb of 0.12 m", kerb, "run.level=L3");
  check_order("L4, kerb of 0.12 m", links, "run.level=L4");
  check_order("L5, kerb of 0.12 m", kerb, "run.level=L5");
  check_any("random kerbs and wheels", false);
  check_any("random potholes and wheels", true);
  check_stunt("jump_10", jumps, 3);
  check_stunt("cliff", cliffs, 3);
  check_stunt("loop", loops, 3);
  return tap_done();
}
