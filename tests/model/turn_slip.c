/* Turn slip in the car: wheels that are turned on the spot, and cars on a circle. */
#include "ride_runs.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

#define TYRES_AT(folder)                                                                                               \
  "front: {tyre: " folder "tyres/parking_mf61.yaml}, rear: {tyre: " folder "tyres/parking_mf61.yaml}"
#define TYRES TYRES_AT("scenarios/") /* tyres, for use in settings */

static const struct {
  const char *name, *setting, *vehicle;
  double lost; /* tolerance, share of the moment: yaw and links also move the contact */
} levels[] = {
    {"L1", "run.level=L1", "vehicle={base: scenarios/vehicles/sedan.yaml, " TYRES "}", 0.05},
    {"L2", "run.level=L2", "vehicle={base: scenarios/vehicles/sedan.yaml, " TYRES "}", 0.01},
    {"L3", "run.level=L3", "vehicle={base: scenarios/vehicles/sedan.yaml, " TYRES "}", 0.01},
    {"L4", "run.level=L4", "vehicle={base: scenarios/vehicles/sedan_hardpoints.yaml, " TYRES "}", 0.10},
    {"L5", "run.level=L5", "vehicle={base: scenarios/vehicles/sedan.yaml, " TYRES "}", 0.01},
    {"L5, linkages", "run={level: L5, unsprung: linkage, duration: 10 s, slip: transient}",
     "vehicle={base: scenarios/vehicles/sedan_hardpoints.yaml, " TYRES "}", 0.10},
};

/* A parked car, steered to the left within 2 s. */
static const char parked[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 10 s, slip: transient}\n"
                             "handbrake: 1\n"
                             "steer: {type: table, points: [[0.5, 0], [2.5, 0.4]]}\n";

/* Returns the moment of the standing tyre, by hand from the file. */
static double standing(double load) {
  double ratio = load / 4000.0;
  return 0.1362 * (1.0 - 0.1 * (ratio - 1.0)) * 0.33 * load * sqrt(ratio);
}

static void on_the_spot(void) {
  for (size_t k = 0; k < VD_COUNT(levels); k++) {
    scene *s = scene_make(parked, levels[k].vehicle, levels[k].setting, NULL);
    double ledger = 0.0, least = INFINITY, gain = -INFINITY, last = 0.0, at3 = 0.0;
    for (int i = 1; i <= 300; i++) {
      scene_run(s, 0.02 * i);
      vd_row row = scene_row(s);
      ledger = tap_max(ledger, fabs(row.eval.log.ledger));
      least = tap_min(least, row.eval.log.energy_tyre);
      double taken = s->sim.state.x[VD_S_WORK_TYRE];
      gain = tap_max(gain, taken - last);
      last = taken;
      at3 = i == 200 ? row.eval.tyre.mz[VD_FL] : at3;
    }
    vd_row row = scene_row(s);
    double steering = s->sim.state.x[VD_S_WORK_STEERING], most = standing(row.eval.tyre.load[VD_FL]);
    tap_near(row.eval.tyre.mz[VD_FL] / -most, 1.0 - 0.5 * levels[k].lost, 0.5 * levels[k].lost,
             "%s: the wheel that was turned on the spot holds the moment of the standing tyre", levels[k].name);
    tap_near(row.eval.tyre.mz[VD_FL] / at3, 1.0, 1e-3,
             "%s: the wheel that was turned on the spot holds its moment for two seconds", levels[k].name);
    tap_ok(fabs(row.eval.tyre.mz[VD_RL]) < 0.03 * most, "%s: a wheel that was not turned has no moment: %.3g N m",
           levels[k].name, row.eval.tyre.mz[VD_RL]);
    tap_ok(last < -50.0 && steering > 50.0,
           "%s: the steering does work, %.4g J, that the tyres store or dissipate, %.4g J", levels[k].name, steering,
           last);
    /* gain does not contain the deflection that remains in treads although turn slip has removed its force */
    tap_ok(gain < 2e-3 * steering && least >= 0.0, "%s: tyres at rest deliver no energy: %.2g J in 20 ms",
           levels[k].name, gain);
    tap_ok(ledger <= 1e-6 * steering, "%s: the ledger closes to %.1e J", levels[k].name, ledger);
    scene_free(s);
  }
}

/* Checks theta = sigma w of a standing contact turned by psi: sigma K (1 - exp(-psi/(sigma K))). In the other direction
 * the distance to the other limit falls by this law. */
static void twist(void) {
  const vd_relax_twist t = {.length = 0.07, .span = 1.4, .stiffness = 2000.0};
  double w = 0.0, worst = 0.0, psi = 0.0, h = 1e-5, turned = 0.0;
  for (int leg = 0; leg < 2; leg++) {
    double rate = leg ? -0.5 : 0.5;
    for (int i = 0; i < 60000; i++) {
      double a = vd_relax_twist_rate(&t, h, 0.0, rate, w), b = vd_relax_twist_rate(&t, h, 0.0, rate, w + 0.5 * h * a);
      w += h * b;
      psi += 0.5 * h;
      double left = leg ? -t.span - (-t.span - turned) * exp(-psi / (t.length * t.span))
                        : t.span * (1.0 - exp(-psi / (t.length * t.span)));
      worst = tap_max(worst, fabs(w - left));
    }
    turned = w;
    psi = 0.0;
  }
  tap_near(worst, 0.0, 1e-8, "a standing contact that is turned there and back has the twist of the law");
  w = 0.0;
  for (int i = 0; i < 20000; i++)
    w += 1e-4 * vd_relax_twist_rate(&t, 1e-4, 2.0, 7.0, w);
  tap_near(vd_relax_twist_slip(&t, w), 3.5, 1e-9, "the twist of a rolling wheel settles at yaw rate divided by speed");
  tap_near(vd_relax_twist_energy(&t, 0.5) / (0.5 * 2000.0 * 0.07 * 0.07 * 0.25), 1.0, 1e-15,
           "the energy of the twist is k theta^2/2");
}

/* Checks that on a circle of 8 m the settled twist is the steady turn slip, and that both turn the car alike. */
static void on_a_circle(void) {
  static const char circle[] = "vehicle: ../vehicles/sedan.yaml\ninitial: {speed: 3 m/s}\nspeed: 3 m/s\nsteer: 0.35\n"
                               "run: {duration: 20 s}\n";
  for (int k = 1; k < 3; k++) {
    double yaw[3], mz[3];
    for (int way = 0; way < 3; way++) {
      scene *s =
          scene_make(circle, levels[k].vehicle, levels[k].setting, way == 1 ? "run.slip=transient" : "run.slip=steady",
                     way == 2 ? "vehicle.front.tyre.turn_slip=off" : NULL, "vehicle.rear.tyre.turn_slip=off", NULL);
      scene_run(s, 15.0);
      vd_row row = scene_row(s);
      yaw[way] = row.eval.motion.yaw_rate;
      mz[way] = row.eval.tyre.mz[VD_FL];
      if (way == 1) {
        double v = hypot(row.eval.contact.vx_contact[VD_FL], row.eval.contact.vy_contact[VD_FL]);
        tap_near(row.eval.slip.turn_slip[VD_FL] / (row.eval.motion.yaw_rate / v), 1.0, 1e-3,
                 "%s: on a circle the twist settles at the turn slip, %.4f 1/m", levels[k].name,
                 row.eval.slip.turn_slip[VD_FL]);
      }
      scene_free(s);
    }
    tap_near(yaw[1] / yaw[0], 1.0, 1e-3, "%s: on a circle the car turns as with steady slip, %.5f rad/s",
             levels[k].name, yaw[0]);
    tap_ok(mz[0] < mz[2] - 10.0 && yaw[0] < yaw[2],
           "%s: turn slip widens the circle: %.4f and %.4f rad/s, %.1f and %.1f N m", levels[k].name, yaw[0], yaw[2],
           mz[0], mz[2]);
  }
}

/* Checks that tyres without turn slip have no states of turn slip. */
static void states(void) {
  scene *with = scene_make(parked, levels[1].vehicle, "run.level=L2", NULL),
        *none = scene_make(parked, "run.level=L2", NULL), *free = scene_make(parked, "run.level=L5", NULL),
        *stiff = scene_make(parked, "run.level=L5", "run.links=stiff", NULL);
  tap_ok(vd_model_states(&with->model) == VD_S_BUSHINGS && vd_model_states(&none->model) == VD_S_FREE &&
             vd_model_states(&free->model) == VD_S_LINKED && vd_model_states(&stiff->model) == VD_S_TURNING,
         "only tyres with turn slip have its states");
  scene_free(with);
  scene_free(none);
  scene_free(free);
  scene_free(stiff);
}

static void mirrored(void) {
  static const char *const left[] = {"steer={type: table, points: [[0, 0], [1, 0.3], [2, -0.1], [4, 0.2]]}", NULL};
  static const char *const right[] = {"steer={type: table, points: [[0, 0], [1, -0.3], [2, 0.1], [4, -0.2]]}", NULL};
  static const char rolling[] = "vehicle: {base: ../vehicles/sedan.yaml, " TYRES_AT(
      "../") "}\n"
             "run: {duration: 10 s, slip: transient, level: L3}\ninitial: {speed: 4 m/s}\n";
  check_mirror_within("L3 at parking speed", rolling, "run.level=L3", left, right, 1e-9);
  check_mirror_within("L5 at parking speed", rolling, "run.level=L5", left, right, 1e-9);
}

int main(void) {
  tap_plan(6 * (int)VD_COUNT(levels) + 3 + 6 + 1 + 4);
  on_the_spot();
  twist();
  on_a_circle();
  states();
  mirrored();
  return tap_done();
}
