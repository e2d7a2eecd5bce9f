/* Conditions that end a run before it gives meaningless numbers: a ledger that does not close, a tyre deflected beyond
 * its radius. */
#include "run/instance.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char driving[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 10 m/s}\n";

/* Checks the ledger's scale of a car at rest, the energy of its springs and tyres: F^2/(2 k) for both at four wheels,
 * with F = m g b/(2 L) at the front and m g a/(2 L) at the rear. */
static void rest(void) {
  static const char *const levels[] = {"run.level=L0", "run.level=L1", "run.level=L2",
                                       "run.level=L3", "run.level=L4", "run.level=L5"};
  for (int l = 0; l < 6; l++) {
    scene *s = scene_make(driving, levels[l], l == 4 ? "vehicle=scenarios/vehicles/sedan_hardpoints.yaml" : NULL, NULL);
    const vd_vehicle *v = &s->model.vehicle;
    double expected = 0.0;
    for (int i = 0; i < VD_WHEELS; i++) {
      double arm = i < 2 ? v->wheelbase - v->masses.to_axle[VD_FRONT] : v->masses.to_axle[VD_FRONT];
      double load = v->masses.total * VD_GRAVITY * arm / (2.0 * v->wheelbase);
      expected +=
          load * load * (0.5 / v->axle[vd_axle_of(i)].spring_stiffness + 0.5 / v->tyre[i].common.vertical_stiffness);
    }
    tap_near(s->sim.ledger.rest, expected, 1e-9 * expected, "%s: at rest springs and tyres hold %.1f J", levels[l] + 10,
             expected);
    scene_free(s);
  }
}

/* Checks that every residual is relative to the energy that has passed through the run up to its instant. */
static void shares(void) {
  vd_ledger_share l = {.rest = 100.0};
  vd_eval e = {.log.turnover = 900.0, .log.ledger = -1.0, .log.x = 3.0, .log.y = 4.0};
  vd_ledger_share_add(&e, 0.5, &l);
  tap_ok(l.share == 1e-3 && l.residual == -1.0 && l.from == 0.0 && l.to == 0.5,
         "a residual is relative to the energy at rest, 100 J, plus the energy that has passed, 900 J");
  e = (vd_eval){.log.turnover = 400.0, .log.ledger = 1.5, .log.x = 5.0, .log.y = 6.0};
  vd_ledger_share_add(&e, 0.75, &l);
  tap_ok(l.share == 1.5e-3 && l.residual == 1.5 && l.from == 0.5 && l.to == 0.75 && l.x == 5.0 && l.y == 6.0,
         "the energy that has passed does not fall, and the greatest residual has its place and time");
  e = (vd_eval){.log.turnover = 9900.0, .log.ledger = 1.5};
  vd_ledger_share_add(&e, 1.0, &l);
  tap_ok(l.share == 1.5e-3 && l.to == 0.75, "the same residual is a smaller share of more energy");
  e.log.ledger = NAN;
  vd_ledger_share_add(&e, 1.25, &l);
  e.log.ledger = 0.0;
  vd_ledger_share_add(&e, 1.5, &l);
  tap_ok(isnan(l.share), "a residual that is not a number is kept");
}

static void run_to_end(vd_instance *in, const scene *s) {
  vd_instance_start(in, &s->def, false);
  while (!vd_instance_has_ended(in))
    vd_instance_step(in, NULL);
}

/* Checks a car dropped from 30 m, which reaches the road after sqrt(2 h/g) = 2.47 s at 24 m/s. Its 441 kJ are ten times
 * the energy of four tyres of 220 kN/m at a deflection of their radius, 0.32 m. */
static void dropped(const char *level, const char *car) {
  char failure[240];
  vd_instance in;
  scene *s =
      scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s}\ninitial: {lift: 30 m}\n", level, car, NULL);
  double deepest = 0.0;
  vd_instance_start(&in, &s->def, false);
  while (!vd_instance_has_ended(&in)) {
    for (int i = 0; i < VD_WHEELS; i++)
      deepest = tap_max(deepest, in.sim.eval.contact.deflection[i]);
    vd_instance_step(&in, NULL);
  }
  double radius = in.model.ride.free_radius[VD_FL], fall = sqrt(2.0 * 30.0 / VD_GRAVITY);
  vd_instance_failure(&in, failure, sizeof failure);
  tap_ok(in.sim.status == VD_SIM_CRUSHED && deepest <= radius &&
             in.sim.eval.contact.deflection[in.sim.failure_index] > radius,
         "%s: the run ends with the step in which a tyre is deflected beyond its radius", level + 10);
  tap_near(in.sim.failure_time, fall + 0.5 * radius / 24.0, radius / 24.0,
           "%s: the run ends soon after the tyre has reached the road", level + 10);
  tap_ok(strstr(failure, " tyre is deflected by 0.") && strstr(failure, "more than its radius of 0.3") &&
             strstr(failure, " at t = 2."),
         "%s: %s", level + 10, failure);
  vd_instance_finish(&in);
  scene_free(s);
}

static void below_the_road(void) {
  vd_instance in;
  scene *s = scene_make(driving, "run.level=L5", "run.unsprung=hub", "initial.z=0.2", NULL);
  run_to_end(&in, s);
  tap_ok(in.sim.status == VD_SIM_CRUSHED && in.sim.step == 0 && in.sim.failure_time == 0.0,
         "a car that starts with its wheel centres below the road does not start");
  vd_instance_finish(&in);
  scene_free(s);
}

/* Checks the limit of the ledger. The residual of a sine at L2 is the error of the Runge-Kutta method; a long step
 * keeps it above rounding, 1e-12. */
static void limited(void) {
  static const char sine[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 10.5 s, step: 5 ms, level: L2}\n"
                             "initial: {speed: 20 m/s}\n"
                             "steer: {type: sine, amplitude: 3 deg, frequency: 1 Hz}\n";
  char failure[240], doubt[240];
  vd_instance in;
  scene *s = scene_make(sine, NULL);
  run_to_end(&in, s);
  double share = in.sim.ledger.share;
  vd_instance_doubt(&in, NULL, doubt, sizeof doubt);
  tap_ok(in.sim.status == VD_SIM_OK && share > 1e-12 && share < 1e-3 && *doubt == '\0',
         "a ledger that closes to %.1e causes no warning", share);
  tap_ok(in.sim.ledger.seen == in.sim.t && in.sim.step == 2100, "the last step is checked, too");
  in.sim.ledger.share = 1.1e-3;
  vd_instance_doubt(&in, NULL, doubt, sizeof doubt);
  tap_ok(strstr(doubt, ": 0.0011 of the energy that passed through the run"),
         "a residual above 1e-3 causes a warning: %s", doubt);
  vd_recorder recorder;
  vd_recorder_init(&recorder, false);
  in.sim.ledger.share = 0.0;
  recorder.ledger.share = 2e-3;
  vd_instance_doubt(&in, &recorder, doubt, sizeof doubt);
  tap_ok(strstr(doubt, ": 0.002 of the energy"), "a residual is reported even if only the recorder has evaluated it");
  vd_instance_finish(&in);
  scene_free(s);
  s = scene_make(sine, "run.ledger_limit=1e-12", NULL);
  run_to_end(&in, s);
  vd_instance_failure(&in, failure, sizeof failure);
  tap_ok(in.sim.status == VD_SIM_LEDGER && in.sim.step < 2100 && strstr(failure, "above run.ledger_limit (1e-12)"),
         "above the limit the run ends: %s", failure);
  vd_instance_doubt(&in, NULL, doubt, sizeof doubt);
  tap_ok(*doubt == '\0', "a run that failed has no warning");
  vd_instance_finish(&in);
  scene_free(s);
}

/* Checks loads beyond the maps of bushings. Near the limit of road tyres outer wheels carry nearly twice their static
 * load, and a side force of this load times the friction, within their elastic maps. With a friction of 2 and the
 * centre of gravity at 0.25 m the load transfer is 2 * 0.25/1.55 = 0.32 of an axle's load. The outer wheels then have
 * 1.6 times their static load and a side force of 3.3 times, beyond the map's 2.8. In a left turn the outer wheels are
 * the right ones. */
static void beyond_the_bushings(void) {
  static const char turn[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                             "run: {level: L4, duration: 3 s, compliance: nonlinear}\n"
                             "initial: {speed: 20 m/s}\nspeed: 20 m/s\n"
                             "steer: {type: step, start: 0.5 s, rise: 0.5 s, value: 0.2}\n";
  static const char *const friction[] = {"ground.friction=1", "ground.friction=2"};
  for (int k = 0; k < 2; k++) {
    char doubt[240];
    vd_instance in;
    scene *s = scene_make(turn, friction[k], k == 0 ? NULL : "vehicle.cg_height=0.25", NULL);
    run_to_end(&in, s);
    vd_instance_doubt(&in, NULL, doubt, sizeof doubt);
    if (k == 0)
      tap_ok(in.sim.status == VD_SIM_OK && *doubt == '\0', "loads within the maps of bushings give no warning");
    else
      tap_ok(in.sim.status == VD_SIM_OK && strstr(doubt, " right wheel were at times beyond the map of its bushings"),
             "loads beyond the maps of bushings give a warning: %s", doubt);
    vd_instance_finish(&in);
    scene_free(s);
  }
}

/* Checks that a post that jumps by u under a tyre of stiffness k with the load F does the work F u + k u^2/2 in this
 * instant. */
static void jumping_post(void) {
  static const char rig[] = "kind: four_post\nvehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\n"
                            "post_fl: {type: pulse, shape: rectangle, amplitude: 1 cm, start: 0.2005, duration: 0.2}\n";
  vd_instance in;
  scene *s = scene_make(rig, NULL);
  vd_instance_start(&in, &s->def, false);
  while (in.sim.t < 0.2)
    vd_instance_step(&in, NULL);
  double force = in.sim.eval.tyre.load[VD_FL], stiffness = in.model.ride.tyre_stiffness[VD_FL], u = 0.01;
  vd_instance_within(&in, 0.2005, NULL);
  tap_near(in.sim.state.x[VD_S_WORK_OUTSIDE], force * u + 0.5 * stiffness * u * u, 1e-6,
           "a post that jumps by 1 cm under %.0f N does its work in this instant", force);
  while (!vd_instance_has_ended(&in))
    vd_instance_step(&in, NULL);
  tap_ok(in.sim.status == VD_SIM_OK && in.sim.ledger.share < 1e-6, "the ledger closes although a post jumps: %.1e",
         in.sim.ledger.share);
  vd_instance_finish(&in);
  scene_free(s);
}

int main(void) {
  tap_plan(6 + 4 + 2 * 3 + 1 + 6 + 2 + 2);
  rest();
  shares();
  dropped("run.level=L3", NULL);
  dropped("run.level=L5", NULL);
  below_the_road();
  limited();
  beyond_the_bushings();
  jumping_post();
  return tap_done();
}
