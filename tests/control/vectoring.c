/* Torque vectoring: the allocation, and the change of the understeer gradient. */
#include "control/allocation.h"
#include "math/chance.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static double between(uint64_t number, uint64_t which, double low, double high) {
  return low + (high - low) * vd_chance(7, number, which);
}

static vd_allocation random_programme(uint64_t n) {
  vd_allocation a = {.wanted = {between(n, 0, -6e3, 6e3), between(n, 1, -5e3, 5e3)}, .error = {1.0, 1.0}};
  for (uint64_t i = 0; i < VD_WHEELS; i++) {
    const double side = -vd_side_sign((int)i);
    a.share[i] = between(n, 2 + i, -100.0, 1500.0);
    a.share[i] = tap_max(a.share[i], 0.0);
    a.low[i] = -between(n, 6 + i, 0.0, 1500.0);
    a.high[i] = between(n, 10 + i, 0.0, 1500.0);
    a.row[0][i] = side * between(n, 14 + i, 2.0, 3.0);
    a.row[1][i] = between(n, 18 + i, 2.5, 3.5);
  }
  if (n % 5 == 0)
    a.error[1] = INFINITY;
  return a;
}

/* Checks the conditions of Karush, Kuhn and Tucker, which hold only at the solution, as the quadratic programme is
 * convex: the slope of the cost is zero inside the bounds, and points outward at a bound. */
static void optimal(void) {
  double worst = 0.0, beyond = 0.0, missed = 0.0;
  int inside = 0;
  for (uint64_t n = 0; n < 2000; n++) {
    const vd_allocation a = random_programme(n);
    double torque[VD_WHEELS], miss[2] = {-a.wanted[0], -a.wanted[1]};
    bool bound = false;
    vd_allocation_solve(&a, torque);
    for (int i = 0; i < VD_WHEELS; i++)
      for (int k = 0; k < 2; k++)
        miss[k] += a.row[k][i] * torque[i];
    for (int i = 0; i < VD_WHEELS; i++) {
      beyond = tap_max(beyond, tap_max(torque[i] - a.high[i], a.low[i] - torque[i]));
      if (!(a.share[i] > 0.0)) {
        beyond = tap_max(beyond, fabs(torque[i]));
        continue;
      }
      const double own = torque[i] / (a.share[i] * a.share[i]);
      double slope = own, scale = fabs(own);
      for (int k = 0; k < 2; k++) {
        const double part = a.row[k][i] * miss[k] / (a.error[k] * a.error[k]);
        slope += part;
        scale += fabs(part);
      }
      slope = scale > 0.0 ? slope / scale : 0.0;
      if (torque[i] >= a.high[i])
        slope = tap_max(slope, 0.0);
      else if (torque[i] <= a.low[i])
        slope = tap_min(slope, 0.0);
      bound |= torque[i] >= a.high[i] || torque[i] <= a.low[i];
      worst = tap_max(worst, fabs(slope));
    }
    if (!bound && n % 5 != 0 && a.share[0] * a.share[1] * a.share[2] * a.share[3] > 0.0) {
      missed = tap_max(missed, tap_max(fabs(miss[0]), fabs(miss[1])));
      inside++;
    }
  }
  tap_ok(worst < 1e-6 && beyond == 0.0, "2000 programmes: all within bounds, slopes within %.1e of their terms", worst);
  tap_ok(inside > 50 && missed < 0.05, "  %d without bounds reach moment and force within %.1e", inside, missed);
}

typedef struct turn {
  double understeer, speed, moment; /* rad s2/m, m/s, N m of the requested torques */
} turn;

static turn steady(const char *car, const char *level, double change, const char *more) {
  char vehicle[64], controller[160];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s.yaml", car);
  snprintf(controller, sizeof controller, "controllers=[{kind: torque_vectoring, understeer: %g%s}]", change, more);
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L2, duration: 10 s}\n"
                        "initial: {speed: 20 m/s}\nspeed: 20 m/s\nsteer: {type: step, start: 0.1 s, rise: 0.5 s, "
                        "value: 0.3 deg}\n",
                        vehicle, level, controller, "run.step=2.5 ms", NULL);
  scene_run(s, 8.0);
  const vd_row row = scene_row(s);
  const double v = row.eval.motion.vx, r = row.eval.motion.yaw_rate, ay = row.eval.body.ay;
  turn t = {.understeer = (row.eval.steering.steer - s->model.vehicle.wheelbase * r / v) / ay, .speed = v};
  for (int i = 0; i < VD_WHEELS; i++)
    t.moment -= vd_side_sign(i) * 0.5 * s->model.vehicle.axle[vd_axle_of(i)].track /
                s->model.vehicle.axle[vd_axle_of(i)].wheel_radius * s->sim.command.drive_request[i];
  scene_free(s);
  return t;
}

/* Checks the closed form of the single track: a moment M = G ay reduces Ff/Cf - Fr/Cr per ay by G/L (1/Cf + 1/Cr). */
static void gradient(const char *car, const char *level, double change, const char *more) {
  const turn plain = steady(car, level, 0.0, more), t = steady(car, level, change, more);
  tap_near(t.understeer - plain.understeer, change, 0.02 * fabs(change),
           "%s, %s%s: the understeer gradient changes from %.3e by %.1e rad s2/m", car, level, more, plain.understeer,
           change);
  tap_ok(t.moment * change < 0.0 && fabs(t.speed - plain.speed) < 1e-3,
         "  by a moment of %.0f N m that changes the speed by %.1e m/s at most", t.moment, fabs(t.speed - plain.speed));
}

/* Checks that no torque and no power exceeds its bound. */
static void limits(void) {
  double most = 0.0, power = 0.0;
  scene *s =
      scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L2, duration: 10 s, slip: transient}\n"
                 "initial: {speed: 20 m/s}\nsteering_wheel: {type: sine, start: 0.1 s, frequency: 0.5 Hz, "
                 "amplitude: 60 deg}\n",
                 "controllers=[{kind: torque_vectoring, understeer: -0.01, torque: 400 N m, power: 15 kW}]", NULL);
  for (double t = 0.01; t < 4.0; t += 0.01) {
    scene_run(s, t);
    double sum = 0.0;
    for (int i = 0; i < VD_WHEELS; i++) {
      most = tap_max(most, fabs(s->sim.command.drive_request[i]));
      sum += fmax(s->sim.command.drive_request[i] * s->sim.eval.motion.omega[i], 0.0);
    }
    power = tap_max(power, sum);
  }
  scene_free(s);
  tap_ok(most > 200.0 && most <= 400.0 && power > 14e3 && power < 15.5e3,
         "a slalom reaches the limits: %.1f N m of 400, %.2f kW of 15", most, power / 1e3);
}

/* Checks that torque vectoring by brakes, which act on one side alone, changes the understeer gradient by the given
 * amount. */
static void brakes(void) {
  const turn plain = steady("textbook_linear", "run.level=L2", 0.0, ", by: brakes, wheels: all");
  const turn t = steady("textbook_linear", "run.level=L2", -1e-3, ", by: brakes, wheels: all");
  tap_near(t.understeer - plain.understeer, -1e-3, 2e-5, "vectoring by brakes: understeer %.3e - 1e-3 rad s2/m",
           plain.understeer);
}

/* Checks damping alone: M = -Iz k (r - ay/v) at the decision that acts. */
static void damping(void) {
  const double k = 2.0, period = 5e-3;
  double most = 0.0, worst = 0.0, due = 0.0;
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\nrun: {level: L2, duration: 10 s}\n"
                        "initial: {speed: 20 m/s}\nsteer: {type: sine, start: 0.1 s, frequency: 0.5 Hz, "
                        "amplitude: 1 deg}\n",
                        "controllers=[{kind: torque_vectoring, damping: 2, wheels: all}]", "run.step=2.5 ms", NULL);
  for (int n = 1; (double)n * period < 2.0; n++) {
    scene_run(s, (double)n * period);
    const vd_row row = scene_row(s);
    double moment = 0.0;
    for (int i = 0; i < VD_WHEELS; i++)
      moment -= vd_side_sign(i) * 0.5 * s->model.vehicle.axle[vd_axle_of(i)].track /
                s->model.vehicle.axle[vd_axle_of(i)].wheel_radius * s->sim.command.drive_request[i];
    worst = tap_max(worst, fabs(moment - due));
    most = tap_max(most, fabs(moment));
    due = -s->model.vehicle.yaw_inertia * k * (row.eval.motion.yaw_rate - row.eval.body.ay / row.eval.motion.vx);
  }
  scene_free(s);
  tap_ok(most > 10.0 && worst < 0.01 * most,
         "damping requests the moment of its law, within %.1f %% of its peak of %.0f N m", 100.0 * worst / most, most);
}

int main(void) {
  tap_plan(2 + 5 * 2 + 1 + 1 + 1);
  optimal();
  gradient("textbook_linear", "run.level=L2", -1e-3, "");
  gradient("textbook_linear", "run.level=L2", 1e-3, ", wheels: all");
  gradient("textbook_linear", "run.level=L2", -1e-3, ", wheels: front");
  gradient("textbook_linear", "run.level=L3", -1e-3, ", wheels: all");
  gradient("sedan", "run.level=L2", -1e-3, "");
  brakes();
  limits();
  damping();
  return tap_done();
}
