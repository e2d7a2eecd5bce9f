/* Floors of the speed in steady slips must not change slow turns, and must give a stable standstill.
 *
 * Expected values: the single-track theory of a linear car at constant speed; transient slip, whose steady state is the
 * exact slip and which has no floor; the static balance of a car that stands on a bank. */
#include "model/lanes.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double apart(double got, double expected) {
  return fabs(got / expected - 1.0);
}

static void worse(double *worst, double value) {
  *worst = tap_max(*worst, value);
}

/* Checks a car on linear tyres at a constant speed V and a small steering angle d (a, b: distances of the axles from
 * the centre of gravity; Cf, Cr: their cornering stiffnesses):
 *   r = V d/(L + K V^2),   vy = (b - a m V^2/(L Cr)) r,   K = m (b Cr - a Cf)/(Cf Cr L)
 * Floors could change slow driving: with steps of 4 ms they are 0.7 to 0.8 m/s, with 1 ms a quarter of this. */
static void textbook(const char *level, const char *step, double speed) {
  char run[32], grid[32], start[48], hold[32];
  const double m = 1573.0, l = 2.68, a = 1.10, b = l - a, c = 160e3, steer = 0.004;
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(grid, sizeof grid, "run.step=%s", step);
  snprintf(start, sizeof start, "initial.speed=%g", speed);
  snprintf(hold, sizeof hold, "speed=%g", speed);
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\nrun: {duration: 20 s}\nlog: {rate: 1}\n"
                        "steer: {type: step, start: 0, value: 0.004}\n",
                        run, grid, start, hold, NULL);
  double k = m * (b * c - a * c) / (c * c * l), rate = speed * steer / (l + k * speed * speed);
  double side = (b - a * m * speed * speed / (l * c)) * rate;
  scene_run(s, 8.0);
  vd_row row = scene_row(s);
  tap_near(row.eval.motion.yaw_rate / rate, 1.0, 1e-3,
           "%s, %s, %g m/s: the yaw rate is that of the single-track theory", level, step, speed);
  tap_near(row.eval.motion.vy / side, 1.0, 1e-3,
           "%s, %s, %g m/s: the lateral velocity is that of the single-track theory", level, step, speed);
  scene_free(s);
}

/* Wheels of 0.3 kg m2 on steady slip have rates far above the stability limit of a Runge-Kutta step; exponential steps
 * are stable without a floor. Steady and transient slip then give the same turn. */
static void light_wheels(const char *level, double speed) {
  static const char *const slip[] = {"run.slip=steady", "run.slip=transient"};
  char run[32], start[48], hold[32];
  double vy[2], rate[2], floors[2];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(start, sizeof start, "initial.speed=%g", speed);
  snprintf(hold, sizeof hold, "speed=%g", speed);
  for (int i = 0; i < 2; i++) {
    scene *s = scene_make("vehicle: {base: ../vehicles/sedan_hardpoints.yaml, front: {wheel_inertia: 0.3},\n"
                          "  rear: {wheel_inertia: 0.3}}\n"
                          "run: {duration: 20 s}\nsteer: 0.03\n",
                          run, start, hold, slip[i], NULL);
    scene_run(s, 5.0);
    vd_row row = scene_row(s);
    vy[i] = row.eval.motion.vy;
    rate[i] = row.eval.motion.yaw_rate;
    floors[i] = s->model.options.v_low;
    scene_free(s);
  }
  tap_diag("%s at %g m/s: v_low %.3g, vy %.6g and %.6g m/s", level, speed, floors[0], vy[0], vy[1]);
  tap_ok(apart(vy[0], vy[1]) <= 5e-3 && apart(rate[0], rate[1]) <= 1e-3,
         "%s, %g m/s, wheels of 0.3 kg m2: steady and transient slip give the same turn (vy %.1e, yaw rate %.1e)",
         level, speed, apart(vy[0], vy[1]), apart(rate[0], rate[1]));
}

/* A car with locked wheels that slides to rest on a bank of 3 deg: it then creeps, and each axle carries its share of m
 * g sin 3 deg. (The axle with the greater share creeps faster; the car turns slowly, and the opposing moment of the
 * longitudinal forces is included.) The force on every wheel opposes its motion. An unstable floor is not visible as an
 * oscillation: the wheels come to rest with opposed forces, many times greater than these shares.
 *
 * The floors are proportional to the step (closed_form below), so that rate times step is 2.5 for any step; steps
 * become unstable at 2.8. L1 and L2 have the longest of the steps 1, 2, 4 ms at which no floor of these cars exceeds 1
 * m/s, so that the step is not refused: their floors act over the widest range of speeds. At L2 the race car has 0.53
 * m/s at 2 ms and 1.06 m/s at 4 ms. From L3 on the step is the default of a fixed grid, 1 ms, or the one that stiff
 * links need. */
static void parked(const char *level, const char *vehicle, const char *carried) {
  char run[32], car[80];
  const double bank = 3.0 * VD_PI / 180.0;
  bool planar = level[1] < '3';
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(car, sizeof car, "vehicle=scenarios/vehicles/%s.yaml", vehicle);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s}\nbrake: 1\n"
                        "ground: {type: inclined, bank: 3 deg}\ninitial: {vy: 0.3, yaw_rate: 0.2}\n",
                        run, car, planar ? "run.step=2 ms" : "run.lean=true", carried, NULL);
  scene_run(s, 8.0);
  vd_row row = scene_row(s);
  const vd_vehicle *v = &s->model.vehicle;
  double whole = v->mass * VD_GRAVITY * sin(bank), turning = 0.0, worst = 0.0, creep = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    turning += (vd_is_right(i) ? 0.5 : -0.5) * v->axle[vd_axle_of(i)].track * row.eval.tyre.fx[i];
  for (int a = 0; a < VD_AXLES; a++) {
    double share = (whole * v->masses.to_axle[1 - a] + (a == VD_FRONT ? -turning : turning)) / v->wheelbase;
    worse(&worst, apart(row.eval.tyre.fy[2 * a] + row.eval.tyre.fy[2 * a + 1], share));
  }
  bool against = true;
  for (int i = 0; i < VD_WHEELS; i++) {
    against &= row.eval.tyre.fy[i] * row.eval.contact.vy_contact[i] < 0.0;
    worse(&creep, fabs(row.eval.contact.vy_contact[i]));
  }
  tap_ok(worst <= 1e-3 && against, "%s%s, %s: each axle on a bank carries its share of m g sin 3 deg (%.1e apart)",
         level, carried ? carried + 3 : "", vehicle, worst);
  /* a force of 5 % of the load needs much less than tan alpha = 0.1, at which the grip limit is reached: below 0.02 */
  tap_ok(creep <= 0.02 * s->def.run.v_low_y, "%s%s, %s: the car creeps at %.2g m/s, v_low_y is %.2g", level,
         carried ? carried + 3 : "", vehicle, creep, s->def.run.v_low_y);
  scene_free(s);
}

/* Checks the floors at L1 on linear tyres in closed form. v_low_y: the sum of the rates C/(m v) and C x^2/(Iz v) of
 * both axles at v = v_low_y, times the step, is 2.5. v_low: the rate of the mass on four locked wheels of 160 kN each
 * at v = v_low is 2/h; the yaw and lateral rates are less. */
static void closed_form(void) {
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\nrun: {duration: 1 s, level: L1}\n", NULL);
  double sum = 160e3 * (2.0 / 1573.0 + (1.1 * 1.1 + 1.58 * 1.58) / 2873.0);
  tap_near(s->def.run.v_low_y / (sum * 1e-3 / 2.5), 1.0, 1e-12, "at v_low_y the sum of the lateral rates is 2.5/h");
  tap_near(s->def.run.v_low / (640e3 / 1573.0 * 1e-3 / 2.0), 1.0, 1e-12,
           "at v_low the rate of the mass on locked wheels is 2/h");
  scene_free(s);
}

/* Checks that with transient slip the floors v_low and v_low_y are not used: they change no bit of the states after
 * 1.5 s, and even high ones cause no message. */
static void transient(const char *level) {
  static const char *const floors[][2] = {{"run.v_low=auto", "run.v_low_y=auto"},
                                          {"run.v_low=0.001", "run.v_low_y=90 m/s"}};
  char run[32];
  vd_state_vector end[2];
  snprintf(run, sizeof run, "run.level=%s", level);
  size_t messages = 0;
  for (int i = 0; i < 2; i++) {
    scene *s = scene_make("vehicle: {base: ../vehicles/sedan_hardpoints.yaml, front: {wheel_inertia: 0.3}}\n"
                          "run: {duration: 3 s, slip: transient}\ninitial: {speed: 4 m/s}\nsteer: 0.1\nbrake: 0.2\n",
                          run, floors[i][0], floors[i][1], NULL);
    scene_run(s, 1.5);
    end[i] = s->sim.state;
    messages += vd_diag_count(s->diag);
    scene_free(s);
  }
  tap_ok(memcmp(end[0].x, end[1].x, sizeof end[0].x) == 0 && messages == 0,
         "%s, transient slip: other floors change no bit of any state, and cause no message", level);
}

/* Checks random states of wheels on linear, Magic Formula and TMeasy tyres: the force stays within the friction limit,
 * and in each direction it opposes the velocity of the tread. */
static void dissipation(const char *tyre) {
  enum { STATES = 20000 };
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\n", tyre, NULL);
  double fastest = 0.0, reach = 0.0;
  srand(4);
  for (int k = 0; k < STATES; k++) {
    vd_eval e = {.loop.passes = 0};
    double load[VD_WHEELS], most[VD_WHEELS], range = pow(10.0, 4.0 * rand() / RAND_MAX - 3.0);
    for (int i = 0; i < VD_WHEELS; i++) {
      e.contact.vx_contact[i] = range * (2.0 * rand() / RAND_MAX - 1.0);
      e.contact.vy_contact[i] = range * (2.0 * rand() / RAND_MAX - 1.0);
      e.motion.omega[i] = range * (2.0 * rand() / RAND_MAX - 1.0) / 0.32;
      e.contact.friction[i] = 1.0;
      load[i] = 8000.0 * rand() / RAND_MAX;
      double kappa, alpha;
      vd_tyre_peaks(&s->model.vehicle.tyre[i], 1.0, load[i], &most[i], &kappa, &alpha);
    }
    vd_lane_steady_slips(VD_WHEELS, &s->model, &e);
    const vd_contact contact = {.kappa = e.slip.kappa, .tan_alpha = e.slip.tan_alpha, .vx = e.contact.vx_contact};
    const vd_tyre_results out = {.fx = e.tyre.fx, .fy = e.tyre.fy, .mx = e.tyre.mx, .my = e.tyre.my, .mz = e.tyre.mz};
    vd_tyre_at_loads(&s->model.lanes.row, &contact, e.contact.friction, load, &out);
    for (int i = 0; i < VD_WHEELS; i++) {
      double tread = s->model.lanes.radius[i] * e.motion.omega[i] - e.contact.vx_contact[i];
      worse(&fastest, fmax(-e.tyre.fx[i] * tread, e.tyre.fy[i] * e.contact.vy_contact[i]));
      worse(&reach, hypot(e.tyre.fx[i], e.tyre.fy[i]) - most[i] * load[i] * (1.0 + 1e-9));
    }
  }
  tap_ok(fastest <= 1e-9 && reach <= 1e-6,
         "%s: friction never drives the tread and stays within its limit, whatever the speeds (%.1e W, %.1e N)", tyre,
         fastest, reach);
  scene_free(s);
}

/* Checks that a car that slides with all wheels locked keeps its direction within 0.02 rad down to the speed v_low/2,
 * above which friction is opposite to the motion (no trail and hardly any load transfer, so hardly any turn). */
static void straight_slide(void) {
  scene *s = scene_make("vehicle: {base: ../vehicles/textbook_linear.yaml, cg_height: 0.05, cg_to_front: 1.34,\n"
                        "  brakes: {max_torque: 40000, front_share: 0.5}, front: {roll_centre_height: 0},\n"
                        "  rear: {roll_centre_height: 0}}\n"
                        "run: {duration: 5 s}\ninitial: {speed: 3.5 m/s, vy: 3.5 m/s}\nbrake: 1\n",
                        NULL);
  double floor = s->model.options.v_low, t = 0.05, start = NAN, speed = INFINITY, turned = 0.0;
  for (; speed > 0.5 * floor && t < 3.0; t += 0.01) {
    scene_run(s, t);
    vd_row row = scene_row(s);
    double course = atan2(row.eval.motion.vy, row.eval.motion.vx) + row.eval.log.yaw;
    start = isnan(start) ? course : start;
    speed = hypot(row.eval.motion.vx, row.eval.motion.vy);
    if (!(speed < 0.5 * floor))
      worse(&turned, fabs(course - start));
  }
  tap_ok(turned <= 0.02 && speed < floor,
         "a locked car slides straight on down to %.2f m/s, v_low being %.2f (%.1e rad)", speed, floor, turned);
  scene_free(s);
}

/* With too low a floor of slip angles, integration steps excite a car on stiff links near standstill. This car slides
 * sideways, on stiff links slower than the floor, and must stop. */
static void sliding_aside(const char *links) {
  scene *s = scene_make("vehicle: ../vehicles/sports_hardpoints.yaml\n"
                        "run: {level: L5, unsprung: linkage, duration: 4 s}\n"
                        "initial: {speed: 0, vy: -0.43}\n"
                        "steer: 0\n",
                        links, NULL);
  scene_run(s, 4.0);
  vd_row row = scene_row(s);
  double share = fabs(row.eval.log.ledger) / row.eval.log.turnover;
  tap_ok(s->sim.status == VD_SIM_OK && share <= 1e-3 && fabs(row.eval.motion.vy) < 1e-3,
         "a sports car on linkages, %s, slides sideways to a stop; its ledger closes to %.1e", links + 4, share);
  scene_free(s);
}

int main(void) {
  static const char *const cars[] = {"sedan_hardpoints", "race_car", "textbook_linear"};
  tap_plan(2 * 7 + 5 + 2 * 20 + 2 + 5 + 3 + 1 + 2);
  textbook("L1", "4 ms", 1.5);
  textbook("L2", "4 ms", 1.5);
  textbook("L1", "1 ms", 0.5);
  textbook("L2", "1 ms", 0.5);
  textbook("L3", "1 ms", 0.5);
  textbook("L5", "auto", 2.0);
  textbook("L3", "1 ms", 5.0);
  light_wheels("L1", 15.0);
  light_wheels("L2", 5.0);
  light_wheels("L3", 15.0);
  light_wheels("L4", 5.0);
  light_wheels("L5", 15.0);
  for (int i = 0; i < 3; i++) {
    parked("L1", cars[i], NULL);
    parked("L2", cars[i], NULL);
    parked("L3", cars[i], NULL);
    if (i == 0)
      parked("L4", cars[i], NULL);
    parked("L5", cars[i], NULL);
    parked("L5", cars[i], "run.unsprung=hub");
    parked("L5", cars[i], "run.links=stiff");
    if (i == 0)
      parked("L5", cars[i], "run.unsprung=linkage");
  }
  closed_form();
  transient("L1");
  transient("L2");
  transient("L3");
  transient("L4");
  transient("L5");
  dissipation("vehicle.front.tyre=scenarios/tyres/linear_80.yaml");
  dissipation("vehicle.front.tyre=scenarios/tyres/mf96_touring.yaml");
  dissipation("vehicle.front.tyre=scenarios/tyres/tmeasy_touring.yaml");
  straight_slide();
  sliding_aside("run.links=rigid");
  sliding_aside("run.links=stiff");
  return tap_done();
}
