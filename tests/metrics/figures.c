/* Figures of the sedan, computed by hand, one for each coefficient. They detect a wrong factor, sign, axle or unit even
 * if every law still holds. Data: 1500 kg, wheels of 40 kg and 0.32 m, a 1.2 m, L 2.7 m, h 0.55 m, motor 300 N m x 5 on
 * the rear axle, brakes 6000 N m with 62 % front, drag 0.30 x 2.2 m2, rolling resistance 0.015. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const char *const levels[] = {"run.level=L0", "run.level=L1", "run.level=L2"};
static const double radius = 0.32, mass = 1500.0, rolling_mass = 1500.0 + 4.0 * 20.0; /* I/R^2 = 40/2 kg each */
static const double drag = 0.5 * 1.225 * 2.2 * 0.30;

/* Makes a sedan that drives straight ahead, with two settings. */
static scene *straight(const char *level, const char *setting, const char *another) {
  return scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s}\ninitial: {speed: 20 m/s}\n", level,
                    setting, another, NULL);
}

static double axle(const double *wheel, int i) {
  return wheel[2 * i] + wheel[2 * i + 1];
}

static void drive_and_brake(const char *level) {
  scene *s = straight(level, "throttle=0.4", "run.lean=true");
  scene_run(s, 0.5);
  vd_row row = scene_row(s);
  double resist = drag * row.eval.motion.vx * row.eval.motion.vx +
                  0.015 * (mass * VD_GRAVITY + axle(row.eval.outside.downforce, 0));
  double ax = (0.4 * 1500.0 / radius - resist) / rolling_mass;
  tap_near(row.eval.body.ax / ax, 1.0, 2e-3, "%s: throttle 0.4 gives %.4f m/s2", level + 10, ax);
  scene_free(s);

  s = straight(level, "throttle=1", "vehicle.drivetrain.max_power=20 kW");
  scene_run(s, 0.5);
  row = scene_row(s);
  resist = drag * row.eval.motion.vx * row.eval.motion.vx +
           0.015 * (mass * VD_GRAVITY + axle(row.eval.outside.downforce, 0));
  /* the power acts at the wheels, which slip slightly */
  double rim = row.eval.motion.omega[VD_RL] * radius;
  ax = (20e3 / rim - resist) / rolling_mass;
  tap_near(row.eval.body.ax / ax, 1.0, 5e-3, "%s: 20 kW at %.2f m/s of the rim give %.4f m/s2", level + 10, rim, ax);
  scene_free(s);

  s = straight(level, "brake=0.2", "run.lean=true");
  scene_run(s, 0.5);
  row = scene_row(s);
  resist = drag * row.eval.motion.vx * row.eval.motion.vx +
           0.015 * (mass * VD_GRAVITY + axle(row.eval.outside.downforce, 0));
  ax = -(0.2 * 6000.0 / radius + resist) / rolling_mass;
  tap_near(row.eval.body.ax / ax, 1.0, 2e-3, "%s: brake 0.2 gives %.4f m/s2", level + 10, ax);
  if (level != levels[0]) {
    tap_near(axle(row.eval.log.brake_torque, VD_FRONT), -0.2 * 6000.0 * 0.62, 1e-9,
             "%s: the front axle has 62 %% of the brake torque", level + 10);
    tap_near(axle(row.eval.log.brake_torque, VD_REAR), -0.2 * 6000.0 * 0.38, 1e-9,
             "%s: the rear axle has 38 %% of the brake torque", level + 10);
    double sum = axle(row.eval.tyre.load, 0) + axle(row.eval.tyre.load, 1),
           force = axle(row.eval.tyre.fx, 0) + axle(row.eval.tyre.fx, 1);
    tap_near(sum, mass * VD_GRAVITY + row.eval.outside.downforce[0] + row.eval.outside.downforce[1], 1e-6,
             "%s: the four logged loads carry the car", level + 10);
    tap_near((force - row.eval.outside.drag) / mass, row.eval.body.ax, 1e-9, "%s: the four logged forces brake it",
             level + 10);
  }
  scene_free(s);
}

/* Checks rolling resistance alone: a = -f g m/(m + sum I/R^2); with downforce it is greater. */
static void rolling_resistance(const char *level) {
  scene *s = straight(level, "vehicle.aero.drag=0",
                      "vehicle.aero={drag: 0, frontal_area: 2.2, downforce_front: 0, downforce_rear: 0}");
  scene_run(s, 10.0);
  double a = 0.015 * VD_GRAVITY * mass / rolling_mass;
  tap_near((20.0 - scene_row(s).eval.motion.vx) / (10.0 * a), 1.0, 1e-3,
           "%s: a car that rolls out decelerates by %.5f m/s2", level + 10, a);
  scene_free(s);
  s = straight(level, "vehicle.aero={drag: 0, frontal_area: 2, downforce_front: 3, downforce_rear: 2}",
               "initial.speed=60 m/s");
  /* wheels start without slip, some 20 ms */
  scene_run(s, 0.2);
  double before = scene_row(s).eval.motion.vx;
  scene_run(s, 0.4);
  double after = scene_row(s).eval.motion.vx, mid = 0.5 * (before + after);
  double load = mass * VD_GRAVITY + 0.5 * 1.225 * 2.0 * 5.0 * mid * mid;
  tap_near((before - after) / (0.2 * 0.015 * load / rolling_mass), 1.0, 5e-3, "%s: with downforce it rolls out faster",
           level + 10);
  scene_free(s);
}

/* Checks that the logged acceleration is the second derivative of the path, in body axes, during a run with constant
 * change of steering. */
static void path_acceleration(const char *level) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s}\ninitial: {speed: 12 m/s, yaw: 0.4}\n"
                        "throttle: 0.6\nsteer: {type: sine, amplitude: 0.15, frequency: 0.5 Hz}\n",
                        level, NULL);
  double worst = 0.0, h = 0.001;
  scene_run(s, 0.5);
  vd_row past = scene_row(s);
  vd_sim_step(&s->sim);
  vd_row here = scene_row(s);
  for (int i = 0; i < 3000; i++) {
    vd_sim_step(&s->sim);
    vd_row next = scene_row(s);
    double ax = (next.eval.log.x - 2.0 * here.eval.log.x + past.eval.log.x) / (h * h);
    double ay = (next.eval.log.y - 2.0 * here.eval.log.y + past.eval.log.y) / (h * h);
    double c = cos(here.eval.log.yaw), n = sin(here.eval.log.yaw);
    double off = hypot(ax * c + ay * n - here.eval.body.ax, ay * c - ax * n - here.eval.body.ay);
    worst = tap_max(worst, off);
    past = here;
    here = next;
  }
  tap_near(worst, 0.0, 1e-3, "%s: ax and ay are the second derivative of the path, within %.1e m/s2", level + 10,
           worst);
  scene_free(s);
}

/* Checks that with the left side up gravity pulls to the right, and that uphill the nose is up and the car rises. */
static void slopes(const char *level) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s}\nground: {type: inclined, bank: 0.06}\n"
                        "initial: {speed: 20 m/s}\n",
                        level, NULL);
  vd_row row = scene_row(s);
  bool dynamic = level != levels[0];
  if (dynamic)
    tap_near(row.eval.body.ay, -VD_GRAVITY * sin(0.06), 1e-9, "%s: left side up pulls to the right", level + 10);
  tap_near(row.eval.log.roll, 0.06, level == levels[2] ? 0.02 : 1e-6, "%s: left side up is roll > 0", level + 10);
  tap_near(row.eval.log.z, 0.55 / cos(0.06), 1e-9,
           "%s: the centre of gravity stands h along the normal above the plane", level + 10);
  scene_free(s);
  s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s}\nground: {type: inclined, grade: 0.08}\n"
                 "initial: {speed: 20 m/s}\nspeed: 20 m/s\n",
                 level, NULL);
  row = scene_row(s);
  scene_run(s, 5.0);
  vd_row later = scene_row(s);
  tap_near(later.eval.log.pitch, -0.08, dynamic ? 0.02 : 1e-12, "%s: uphill is nose up, pitch < 0", level + 10);
  tap_near((later.eval.log.z - row.eval.log.z) / ((later.eval.log.x - row.eval.log.x) * tan(0.08)), 1.0, 1e-9,
           "%s: a car that drives uphill climbs", level + 10);
  scene_free(s);
}

/* Checks a steady turn without lean on rigid tyres: the front axle's roll moment is its share of the body's moment by
 * stiffness, plus its force times its roll centre height, plus the moment of its unsprung mass. The axles have
 * different heights and springs. */
static void roll_distribution(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s, level: L2, lean: false}\ninitial: {speed: 20 m/s}\n"
      "speed: 20 m/s\nsteer: 0.02\n",
      "vehicle.front.roll_centre_height=0.20", "vehicle.rear.roll_centre_height=0.05",
      "vehicle.front.antiroll_stiffness=20000", "vehicle.front.tyre.vertical_stiffness=1e9",
      "vehicle.rear.tyre.vertical_stiffness=1e9", "vehicle.front.wheel_inertia=1e-2", "run.step=1e-5",
      "vehicle.rear.wheel_inertia=1e-2", "log.rate=1e5", NULL);
  scene_run(s, 3.0);
  const vd_eval *e = &s->sim.eval;
  double unsprung = 80.0 * e->body.ay, front = e->loop.sum[VD_SUM_YF] - unsprung,
         rear = e->loop.sum[VD_SUM_YR] - unsprung;
  double hs = (1500.0 * 0.55 - 160.0 * 0.32) / 1340.0, k = 2.0 * 30e3 * 0.775 * 0.775;
  double body = front * (hs - 0.20) + rear * (hs - 0.05);
  double moment = body * (k + 20e3) / (2.0 * k + 20e3) + front * 0.20 + unsprung * 0.32;
  tap_near(0.5 * (e->tyre.load[VD_FR] - e->tyre.load[VD_FL]) * 1.55 / moment, 1.0, 1e-3,
           "front roll moment %.0f N m by hand at %.2f m/s2", moment, e->body.ay);
  scene_free(s);
}

/* Checks that the torque on a locked wheel is at most that of its brake; if more is needed, the wheel turns. */
static void hold_and_release(const char *level) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 3 s}\ninitial: {speed: 40 m/s}\n"
                        "brake: {type: table, points: [[0, 0], [0.2, 0], [0.3, 1], [1, 1], [2.5, 0]]}\n",
                        level, NULL);
  double worst = 0.0;
  long locked = 0, rolling = 0;
  for (int i = 0; i < 2600; i++) {
    vd_sim_step(&s->sim);
    for (int w = 0; w < s->model.lanes.count; w++) {
      if (s->sim.state.mode[w] != 0.0)
        continue;
      worst = tap_max(worst, fabs(s->sim.eval.spin.spin_torque[w]) / s->sim.eval.drive.brake_capacity[w]);
      locked++;
    }
  }
  for (int w = 0; w < s->model.lanes.count; w++)
    rolling += s->sim.state.mode[w] == 1.0 && fabs(s->sim.eval.slip.kappa[w]) < 0.01;
  tap_ok(locked > 500 && worst <= 1.0 + 1e-6 && worst > 0.95,
         "%s: the torque on a locked wheel is at most its brake's torque (%.7f)", level + 10, worst);
  tap_ok(rolling == s->model.lanes.count, "%s: a locked wheel rolls again when the brake is released", level + 10);
  scene_free(s);
}

static void details(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 5 s, level: L2, lean: false}\ninitial: {speed: 50 m/s}\n"
      "speed: 50 m/s\n",
      "vehicle.aero={drag: 0, frontal_area: 2, downforce_front: 0.5, downforce_rear: 0.1}",
      "vehicle.front.tyre.rolling_resistance=0", "vehicle.rear.tyre.rolling_resistance=0", NULL);
  vd_row row = scene_row(s);
  tap_near(axle(row.eval.tyre.load, VD_FRONT), 1500.0 * VD_GRAVITY * 1.5 / 2.7 + 0.5 * 1.225 * 2.0 * 0.5 * 2500.0, 1e-6,
           "the load of the front axle includes its downforce");
  tap_near(axle(row.eval.tyre.load, VD_REAR), 1500.0 * VD_GRAVITY * 1.2 / 2.7 + 0.5 * 1.225 * 2.0 * 0.1 * 2500.0, 1e-6,
           "the load of the rear axle includes its downforce");
  scene_free(s);

  s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 5 s}\ninitial: {speed: 40 m/s}\nspeed: 40 m/s\n",
                 NULL);
  double worst = 0.0;
  for (int i = 0; i < 5000; i++) {
    vd_sim_step(&s->sim);
    worst = tap_max(worst, fabs(s->sim.eval.motion.vx - 40.0));
  }
  tap_ok(worst < 0.01, "a constant speed is held from the start within %.4f m/s", worst);
  scene_free(s);

  /* a corner within rounding of the start is at the start */
  double r[2];
  for (int i = 0; i < 2; i++) {
    s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 5 s}\ninitial: {speed: 20 m/s}\n",
                   i ? "steer={type: step, start: 1e-13, value: 0.05}" : "steer={type: step, start: 0, value: 0.05}",
                   NULL);
    vd_sim_step(&s->sim);
    r[i] = s->sim.eval.motion.yaw_rate;
    scene_free(s);
  }
  tap_near(r[1] / r[0], 1.0, 1e-6, "a step at 1e-13 s is a step at the start");
}

/* Checks that states outside the validity of a level are flagged, and that the sum of the loads is still the weight. */
static void beyond(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L2}\ninitial: {speed: 5 m/s}\nthrottle: 1\n",
      "vehicle.wheelbase=1.6", "vehicle.cg_to_front=1.1", "vehicle.cg_height=0.9", "vehicle.drivetrain.max_torque=2000",
      "ground.friction=1.6", NULL);
  scene_run(s, 1.0);
  vd_row row = scene_row(s);
  tap_ok(s->sim.status == VD_SIM_OK && row.eval.log.tipping > 0.0 && axle(row.eval.tyre.load, VD_FRONT) == 0.0,
         "a wheelie is flagged");
  scene_free(s);
  s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L2}\ninitial: {speed: 60 m/s}\n",
                 "vehicle.aero={frontal_area: 2.2, downforce_front: -3, downforce_rear: -3}", NULL);
  scene_run(s, 0.5);
  row = scene_row(s);
  tap_ok(s->sim.status == VD_SIM_OK && row.eval.log.tipping > 0.0 &&
             axle(row.eval.tyre.load, 0) + axle(row.eval.tyre.load, 1) == 0.0,
         "a take-off is flagged");
  scene_free(s);
  /* with up to five times the friction the run is as stable as on a road */
  for (int friction = 3; friction <= 5; friction += 2) {
    char text[32];
    snprintf(text, sizeof text, "ground.friction=%d", friction);
    s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 3 s, level: L2}\nthrottle: 0.3\n", text, NULL);
    scene_run(s, 3.0);
    row = scene_row(s);
    tap_near(row.eval.log.ledger / row.eval.log.energy_kinetic, 0.0, 1e-5,
             "pulls away on friction %d with a closed ledger", friction);
    scene_free(s);
  }
}

/* Checks locking. The brakes of the seed vehicle have 2000 N m in all, less than friction x weight x radius = 4707 N m
 * x friction: on a dry road they lock no wheel. 6000 N m lock all four. */
static void brakes_of_the_seed(void) {
  for (int seed = 0; seed < 2; seed++) {
    scene *s = scene_make(
        seed ? "vehicle: ../vehicles/sedan_seed.yaml\nrun: {duration: 3 s}\ninitial: {speed: 40 m/s}\nbrake: 1\n"
             : "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 3 s}\ninitial: {speed: 40 m/s}\nbrake: 1\n",
        NULL);
    scene_run(s, 2.5);
    int locked = 0;
    for (int i = 0; i < VD_WHEELS; i++)
      locked += s->sim.state.mode[i] == 0.0;
    if (seed)
      tap_ok(locked == 0, "2000 N m lock no wheel on a dry road (%d locked)", locked);
    else
      tap_ok(locked == 4, "6000 N m lock all four (%d locked)", locked);
    scene_free(s);
  }
}

int main(void) {
  tap_plan(3 * 3 + 2 * 4 + 3 * 2 + 3 + 2 + 3 * 4 + 2 * 2 + 5 + 4 + 2);
  for (size_t i = 0; i < VD_COUNT(levels); i++) {
    drive_and_brake(levels[i]);
    rolling_resistance(levels[i]);
    path_acceleration(levels[i]);
    slopes(levels[i]);
  }
  roll_distribution();
  hold_and_release(levels[1]);
  hold_and_release(levels[2]);
  details();
  beyond();
  brakes_of_the_seed();
  return tap_done();
}
