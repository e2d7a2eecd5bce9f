/* The control levels: each follows its command, reports the part that the car cannot follow, and does not affect
 * control in the other direction, longitudinal or lateral. */
#include "model/pedals.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

static const char *const levels[] = {"run.level=L1", "run.level=L2"};
static const char *const cars[] = {"vehicle=scenarios/vehicles/sedan.yaml",
                                   "vehicle=scenarios/vehicles/fsk_formula.yaml"};
static const char *const names[] = {"sedan", "fsk"};
static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 60 s}\ninitial: {speed: 10 m/s}\n";

static const double k = 3.0; /* 1/s, of both controllers */

/* Speed control is F = M v_t' + 2 k M e + I, I' = k^2 M e, with e = v_t - v and M v' = F - resistance, so that e'' + 2
 * k e' + k^2 e = 0 for a constant resistance: after a step d of the target, e(0) = d and e'(0) = -2 k d,
 *
 *   e = d exp(-k t) (1 - k t),    beyond the target by d exp(-2) at t = 2/k.
 *
 * After a step D of an unknown force, here the handbrake's, e = (D/M) t exp(-k t), with its peak (D/M)/(k e).
 *
 * The theory lacks the lag of the driven wheels, T = I v/(C R^2), I the inertia of the wheels and all parts that turn
 * with them. At 10 m/s:
 *   sedan  I = 2 x 2.048,              C = 2 x 16.5 x 1.014 x 3.63 kN,   R = 0.32:  3.3 ms
 *   fsk    I = 2 x 0.338 + 16 x 0.08,  C = 2 x 19.06 x 1.056 x 664 N,    R = 0.26:  10.8 ms
 * A delay T of a force causes a speed error of T times its acceleration: 2 k d T after a step d, (D/M) T after a force
 * D. The drag
 * c v^2 adds 2 c v/(k M) at 10 m/s: 0.2 % for the sedan; the fsk's 1.6 % is within the bounds of its lag. */
static const double lag[] = {3.3e-3, 10.8e-3}; /* s */

static void speed_responses(void) {
  for (int l = 0; l < 2; l++)
    for (int c = 0; c < 2; c++) {
      const double d = 0.25;
      scene *s =
          scene_make(text, levels[l], cars[c], "speed={type: step, start: 1 s, from: 10 m/s, value: 10.25 m/s}", NULL);
      double worst = 0.0, beyond = 0.0, before = 0.0;
      for (int i = 0; i < 5000; i++) {
        vd_sim_step(&s->sim);
        double t = 0.001 * (double)s->sim.step - 1.0, v = s->sim.eval.motion.vx - 10.0;
        if (t <= 0.0) {
          keep(&before, v);
          continue;
        }
        keep(&worst, (d - v) / d - exp(-k * t) * (1.0 - k * t));
        beyond = tap_max(beyond, (v - d) / d);
        if (s->sim.eval.drive.saturated)
          worst = NAN;
      }
      tap_near(worst, 0.0, 2.0 * k * lag[c] + 3e-3, "%s, %s: a speed step is d exp(-3 t)(1 - 3 t) within %.4f of it",
               levels[l] + 10, names[c], worst);
      tap_near(beyond, exp(-2.0), 0.005, "%s, %s: the response to a speed step overshoots by exp(-2)", levels[l] + 10,
               names[c]);
      /* resistances of 0.17 and 0.34 m/s2 */
      tap_near(before, 0.0, 0.34 * lag[c], "%s, %s: before a step the speed is the commanded speed", levels[l] + 10,
               names[c]);
      scene_free(s);

      /* the handbrake: sedan 0.2 x 2500 N m on 0.32 m, fsk 0.2 x 300 on 0.26 m; both are far from locking */
      double force = c == 0 ? 0.2 * 2500.0 / 0.32 : 0.2 * 300.0 / 0.26;
      s = scene_make(text, levels[l], cars[c], "speed=10 m/s", "handbrake={type: step, start: 1 s, value: 0.2}", NULL);
      double mass = s->model.control.rolling_mass;
      worst = 0.0;
      for (int i = 0; i < 5000; i++) {
        vd_sim_step(&s->sim);
        double t = 0.001 * (double)s->sim.step - 1.0;
        if (t > 0.0)
          keep(&worst, (10.0 - s->sim.eval.motion.vx) / (force / mass / k * exp(-1.0)) - k * t * exp(1.0 - k * t));
      }
      tap_near(worst, 0.0, k * exp(1.0) * lag[c] + 3e-3,
               "%s, %s: the speed held against the handbrake is off by (D/M) t exp(-3 t) within %.4f of its peak",
               levels[l] + 10, names[c], worst);
      scene_free(s);
    }
}

/* Checks a command far from the present speed: the car overshoots no more than after a step that it can follow. With at
 * most 300 x 5 N m/0.32 m the sedan accelerates at 3 m/s2, so that after 3.4 s the force is below its maximum. 4.6 s
 * later a step of 10 m/s has the error 10 (1 - 13.8) exp(-13.8) = -1.3e-4 m/s. */
static void speed_reached(void) {
  for (int l = 0; l < 2; l++)
    for (int c = 0; c < 2; c++) {
      scene *s =
          scene_make(text, levels[l], cars[c], "speed={type: step, start: 1 s, from: 10 m/s, value: 20 m/s}", NULL);
      double most = 0.0, late = 0.0;
      for (int i = 0; i < 12000; i++) {
        vd_sim_step(&s->sim);
        most = tap_max(most, s->sim.eval.motion.vx);
        if (i > 9000)
          keep(&late, s->sim.eval.motion.vx - 20.0);
      }
      tap_ok(most <= 20.0 + 10.0 * exp(-2.0), "%s, %s: 10 to 20 m/s reaches %.3f at most (<= 21.353)", levels[l] + 10,
             names[c], most);
      tap_near(late, 0.0, 1.3e-4, "%s, %s: the speed controller holds 20 m/s within %.1e", levels[l] + 10, names[c],
               late);
      scene_free(s);
    }
}

/* Acceleration control is F = M a + 3 M z + resistance, z' = a - ax. Known forces are fed forward, so that ax equals a
 * from the start; an unknown force D causes an error of -(D/M) exp(-3 t). */
static void acceleration_responses(void) {
  for (int l = 0; l < 2; l++)
    for (int c = 0; c < 2; c++) {
      scene *s = scene_make(text, levels[l], cars[c], "acceleration={type: step, start: 0.5 s, value: 1.5}", NULL);
      double worst = 0.0;
      for (int i = 0; i < 4000; i++) {
        vd_sim_step(&s->sim);
        double t = 0.001 * (double)s->sim.step - 0.5;
        if (t > 0.1) /* the wheels have their slip; the integral has accumulated T a, which decays at 3/s */
          keep(&worst, s->sim.eval.body.ax / 1.5 - 1.0);
      }
      tap_near(worst, 0.0, k * lag[c] + 3e-3, "%s, %s: a command of 1.5 m/s2 is followed within %.4f of it",
               levels[l] + 10, names[c], worst);
      scene_free(s);

      double force = c == 0 ? 0.2 * 2500.0 / 0.32 : 0.2 * 300.0 / 0.26;
      s = scene_make(text, levels[l], cars[c], "acceleration=1.5", "handbrake={type: step, start: 1 s, value: 0.2}",
                     NULL);
      double mass = s->model.control.rolling_mass;
      worst = 0.0;
      for (int i = 0; i < 4000; i++) {
        vd_sim_step(&s->sim);
        double t = 0.001 * (double)s->sim.step - 1.0;
        if (t > 0.06) /* exp(-0.06/T) < 0.4 % */
          keep(&worst, (1.5 - s->sim.eval.body.ax) / (force / mass) - exp(-k * t));
      }
      /* the speed is then 11.6 m/s, and T longer in proportion */
      tap_near(worst, 0.0, 1.16 * k * lag[c] + 7e-3,
               "%s, %s: against the handbrake the acceleration falls by (D/M) exp(-3 t) within %.4f of D/M",
               levels[l] + 10, names[c], worst);
      scene_free(s);
    }
}

/* Checks what is left of the driver's error from 8 s to 10 s, 7 s after the end of the ramp. With the error e and its
 * integral I, I' = 2 e, the driver corrects his first angle by 0.3 e + I times the angle that he expects for the turn.
 * A car whose turn grows by the share p of the expected one has e = e0 - p (0.3 e + I), so e' = -2 p/(1 + 0.3 p) e. At
 * p = 1 a factor of exp(-7 x 1.54) = 2e-5 remains; if the tyres near their grip limit reduce p to 0.7, 3e-4. e0 is
 * below a third: 1e-4. */
static void lateral_levels(void) {
  static const struct {
    const char *name, *setting[2];
    double value[2];
  } all[] = {{"curvature",
              {"curvature={type: step, rise: 1, value: 0.01}", "curvature={type: step, rise: 1, value: -0.03}"},
              {0.01, -0.03}},
             {"yaw rate",
              {"yaw_rate={type: step, rise: 1, value: 0.2}", "yaw_rate={type: step, rise: 1, value: -0.45}"},
              {0.2, -0.45}},
             {"lateral acceleration",
              {"lateral_acceleration={type: step, rise: 1, value: 4}",
               "lateral_acceleration={type: step, rise: 1, value: -7}"},
              {4.0, -7.0}}};
  for (int l = 0; l < 2; l++)
    for (int c = 0; c < 2; c++)
      for (size_t n = 0; n < VD_COUNT(all); n++) {
        scene *s = scene_make(text, levels[l], cars[c], all[n].setting[c], c == 0 ? "speed=20 m/s" : "speed=14 m/s",
                              c == 0 ? "initial.speed=20 m/s" : "initial.speed=14 m/s", NULL);
        double worst = 0.0;
        for (int i = 0; i < 10000; i++) {
          vd_sim_step(&s->sim);
          const vd_eval *e = &s->sim.eval;
          double got = n == 0 ? e->motion.yaw_rate / e->motion.vx : n == 1 ? e->motion.yaw_rate : e->body.ay;
          if (i > 8000)
            keep(&worst, got / all[n].value[c] - 1.0);
        }
        tap_near(worst, 0.0, 1e-4, "%s, %s: a steady %s of %g is reached within %.1e of it", levels[l] + 10, names[c],
                 all[n].name, all[n].value[c], worst);
        scene_free(s);
      }
}

/* Returns the root mean square of the offset from the path; *greatest: the greatest offset. */
static double path_rms(scene *s, double seconds, double length, double *greatest) {
  double sum = 0.0;
  long count = 0;
  *greatest = 0.0;
  for (long i = 0; i < lround(seconds / 0.001) && s->sim.status == VD_SIM_OK; i++) {
    vd_sim_step(&s->sim);
    if (s->sim.state.x[VD_S_PATH] > length)
      break;
    vd_row row = scene_row(s);
    sum += row.eval.motion.path_error * row.eval.motion.path_error;
    keep(greatest, row.eval.motion.path_error);
    count++;
  }
  return s->sim.status == VD_SIM_OK ? sqrt(sum / (double)count) : NAN;
}

/* Checks paths. 0.5 g on 50 m is 15.66 m/s. The offset is positive to the left; the distance from the centre checks its
 * sign and size independently. */
static void paths(void) {
  for (int l = 0; l < 2; l++)
    for (int c = 0; c < 2; c++) {
      double greatest, rms;
      scene *s = scene_make(text, levels[l], cars[c], "path={type: iso3888_1, approach: 20 m}", "speed=60 km/h",
                            "initial.speed=60 km/h", NULL);
      rms = path_rms(s, 15.0, s->model.options.path->length, &greatest);
      tap_ok(rms < 0.15, "%s, %s: ISO 3888-1 at 60 km/h, offset %.3f m rms (< 0.15), %.3f m at most", levels[l] + 10,
             names[c], rms, greatest);
      scene_free(s);
      for (int side = 0; side < 2; side++) {
        s = scene_make(text, levels[l], cars[c],
                       side ? "path={type: circle, radius: -50 m}" : "path={type: circle, radius: 50 m}",
                       "speed=15.66 m/s", "initial.speed=15.66 m/s", NULL);
        rms = path_rms(s, 40.0, INFINITY, &greatest);
        vd_row row = scene_row(s);
        double centre = side ? -50.0 : 50.0, out = hypot(row.eval.log.x, row.eval.log.y - centre) - 50.0;
        tap_ok(rms < 0.15, "%s, %s: circle of %g m at 0.5 g, offset %.4f m rms (< 0.15), %.3f at most", levels[l] + 10,
               names[c], centre, rms, greatest);
        tap_near(row.eval.motion.path_error, side ? out : -out, 1e-6,
                 "%s, %s: the offset from a circle agrees with the distance from its centre", levels[l] + 10, names[c]);
        scene_free(s);
      }
    }
}

static double per_radius(const scene *s, const vd_eval *e) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    sum += (e->drive.drive_torque[i] + e->log.brake_torque[i]) / s->def.vehicle.axle[vd_axle_of(i)].wheel_radius;
  return sum;
}

/* Checks Lc3: the sum of the wheel torques divided by the radii is the force, to rounding, as long as motor and brakes
 * can deliver it; otherwise a channel gives the shortfall. The motor's inertia turns with the wheels and reduces their
 * torque (fsk: 0.08 kg m2 behind a ratio of 4). */
static void force_level(void) {
  static const struct {
    int car;
    const char *force;
    double asked, given;
  } all[] = {
      {0, "force=2000", 2000, 2000},
      {0, "force=4687", 4687, 4687},
      {0, "force=6000", 6000, 300 * 5 / 0.32},
      {0, "force=-10000", -10000, -10000},
      {0, "force=-20000", -20000, -6000 / 0.32},
      {1, "force=1500", 1500, 1500},
      {1, "force=3000", 3000, 150 * 4 / 0.26},
      {1, "force=-3000", -3000, -3000},
      {1, "force=-6000", -6000, -1200 / 0.26},
  };
  for (int l = 0; l < 2; l++)
    for (size_t n = 0; n < VD_COUNT(all); n++) {
      scene *s =
          scene_make(text, levels[l], cars[all[n].car], all[n].force,
                     all[n].asked < 0.0 ? "initial.speed=30 m/s" : "initial.speed=10 m/s", "ground.friction=3", NULL);
      double worst = 0.0, missing = 0.0;
      bool flagged = true, over = all[n].asked != all[n].given;
      for (int i = 0; i < 200; i++) {
        vd_sim_step(&s->sim);
        vd_row row = scene_row(s);
        double motor = s->model.motor_shaft ? 4.0 * 0.08 * s->sim.rates[VD_S_MOTOR] / 0.26 : 0.0;
        keep(&worst, (per_radius(s, &row.eval) + motor) / all[n].given - 1.0);
        keep(&missing, row.eval.log.force_error - (all[n].asked - all[n].given));
        flagged &= row.eval.log.saturated == (over ? 1.0 : 0.0);
      }
      tap_near(worst, 0.0, 1e-9, "%s, %s: %s N gives %.1f N at the wheels", levels[l] + 10, names[all[n].car],
               all[n].force + 6, all[n].given);
      tap_near(flagged ? missing : NAN, 0.0, 1e-9 * fabs(all[n].asked), "%s, %s: %s", levels[l] + 10, names[all[n].car],
               over ? "the force error is the part that the car cannot deliver"
                    : "there is no force error if the car delivers the force");
      scene_free(s);
    }
}

/* Checks Lc1, which commands wheel torques, and Lc2, which commands axle torques. The sedan drives each rear wheel with
 * up to 750 N m and brakes each front wheel with up to 1860 N m and each rear wheel with up to 1140 N m. */
static void torque_levels(void) {
  static const struct {
    const char *setting[4];
    double drive[4], brake[4], missing;
  } all[] = {
      {{"drive_torque_rl=300", "drive_torque_rr=-200", "brake_torque_fl=100", "brake_torque_rr=50"},
       {0, 0, 300, -200},
       {100, 0, 0, 50},
       0},
      {{"drive_torque_rl=1000", "drive_torque_fr=40", "brake_torque_fl=2000", "brake_torque_rr=1200"},
       {0, 0, 750, 0},
       {1860, 0, 0, 1140},
       250 + 40 + 140 + 60},
      {{"drive_torque_rear=1000", "drive_torque_front=0", "brake_torque_front=0", "brake_torque_rear=500"},
       {0, 0, 500, 500},
       {0, 0, 250, 250},
       0},
      {{"drive_torque_rear=2000", "drive_torque_front=10", "brake_torque_front=4000", "brake_torque_rear=3000"},
       {0, 0, 750, 750},
       {1860, 1860, 1140, 1140},
       500 + 10 + 280 + 720},
  };
  for (int l = 0; l < 2; l++)
    for (size_t n = 0; n < VD_COUNT(all); n++) {
      scene *s = scene_make(text, levels[l], all[n].setting[0], all[n].setting[1], all[n].setting[2], all[n].setting[3],
                            "ground.friction=3", "initial.speed=40 m/s", NULL);
      double worst = 0.0, missing = 0.0, expected = all[n].missing;
      /* the single track has axles: both sides have the mean torque, and bounds apply to their sum */
      double drive[4], brake[4];
      for (int w = 0; w < 4; w++) {
        drive[w] = l ? all[n].drive[w] : 0.5 * (all[n].drive[w] + all[n].drive[vd_other_side(w)]);
        brake[w] = l ? all[n].brake[w] : 0.5 * (all[n].brake[w] + all[n].brake[vd_other_side(w)]);
      }
      if (!l && n == 1) { /* limits: 1000 of 1500 N m, 2000 of 3720 N m, 1200 of 2280 N m */
        drive[2] = drive[3] = 500.0;
        brake[0] = brake[1] = 1000.0;
        brake[2] = brake[3] = 600.0;
        expected = 40.0;
      }
      bool flagged = true;
      for (int i = 0; i < 200; i++) {
        vd_sim_step(&s->sim);
        vd_row row = scene_row(s);
        for (int w = 0; w < 4; w++) {
          keep(&worst, row.eval.drive.drive_torque[w] - drive[w]);
          keep(&worst, row.eval.log.brake_torque[w] + brake[w]);
        }
        keep(&missing, row.eval.log.torque_error - expected);
        flagged &= (row.eval.log.saturated != 0.0) == (expected != 0.0);
      }
      tap_near(worst, 0.0, 1e-9, "%s, %s, ...: the wheels get the commanded torques", levels[l] + 10,
               all[n].setting[0]);
      tap_near(flagged ? missing : NAN, 0.0, 1e-9, "%s, %s, ...: the torque error is the missing %g N m",
               levels[l] + 10, all[n].setting[0], expected);
      scene_free(s);
    }
}

/* Checks twenty seconds with a speed command that the car cannot reach, then a command that it can reach. The car then
 * undershoots hardly more than a car that has only had the second command. */
static void windup(void) {
  static const char *const files[] = {"vehicle=scenarios/vehicles/sedan.yaml",
                                      "vehicle=scenarios/vehicles/fsk_formula.yaml",
                                      "vehicle=scenarios/vehicles/sedan_automatic.yaml"};
  for (size_t c = 0; c < VD_COUNT(files); c++) {
    double below[2], start = 0.0, allowed = 0.0;
    char from[48];
    for (int fresh = 0; fresh < 2; fresh++) {
      scene *s =
          scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 60 s, level: L2}\ninitial: {speed: 20 m/s}\n",
                     files[c], fresh ? from : "initial.speed=20 m/s",
                     fresh ? "speed={type: step, start: 0, from: 150, value: 15}"
                           : "speed={type: step, start: 20, from: 150, value: 15}",
                     NULL);
      double lowest = INFINITY;
      if (!fresh) {
        scene_run(s, 20.0);
        start = s->sim.eval.motion.vx;
        /* the difference is the resistance in the integral, at 20 m/s or at the speed of the start: (D/M)/(k e), as
         * above */
        allowed = s->model.air.drag * (start * start - 400.0) / (s->model.control.rolling_mass * k * exp(1.0));
        snprintf(from, sizeof from, "initial.speed=%.9g m/s", start);
      }
      for (int i = 0; i < 25000; i++) {
        vd_sim_step(&s->sim);
        lowest = tap_min(lowest, s->sim.eval.motion.vx);
      }
      below[fresh] = s->sim.status == VD_SIM_OK ? 15.0 - lowest : NAN;
      if (!fresh)
        tap_near(s->sim.eval.motion.vx, 15.0, 0.02,
                 "%s: the speed falls from the car's maximum, %.2f m/s, back to 15 m/s", files[c] + 27, start);
      scene_free(s);
    }
    tap_ok(below[0] <= below[1] + allowed,
           "%s: the speed undershoots by %.3f m/s, without the unreachable command by %.3f (<= %.3f more)",
           files[c] + 27, below[0], below[1], allowed);
  }
}

/* Checks each longitudinal level combined with each lateral one: each acts as if it were alone. */
static void independence(void) {
  static const struct {
    const char *setting;
    int family;
  } along[] = {{"throttle=0.3", VD_LON_PEDALS},
               {"drive_torque_rl=200", VD_LON_WHEEL_TORQUE},
               {"drive_torque_rear=400", VD_LON_AXLE_TORQUE},
               {"force=1200", VD_LON_FORCE},
               {"acceleration=0.8", VD_LON_ACCELERATION},
               {"speed=16", VD_LON_SPEED}},
    across[] = {{"steer=0.02", VD_LAT_STEER},
                {"steering_wheel=0.3", VD_LAT_STEER},
                {"curvature=0.006", VD_LAT_CURVATURE},
                {"yaw_rate=0.1", VD_LAT_YAW_RATE},
                {"lateral_acceleration=1.5", VD_LAT_ACCELERATION},
                {"path={type: circle, radius: 160 m}", VD_LAT_PATH}};
  for (size_t a = 0; a < VD_COUNT(along); a++) {
    double worst = 0.0;
    bool kept = true;
    for (size_t b = 0; b < VD_COUNT(across); b++) {
      scene *s = scene_make(text, along[a].setting, across[b].setting, "run.level=L2", "initial.speed=16 m/s", NULL);
      scene_run(s, 5.0);
      vd_row row = scene_row(s);
      const vd_eval *e = &row.eval;
      kept &= s->sim.status == VD_SIM_OK && (int)s->sim.inputs.longitudinal == along[a].family &&
              (int)s->sim.inputs.lateral == across[b].family;
      double drive = e->drive.drive_torque[VD_RL] + e->drive.drive_torque[VD_RR];
      switch (a) {
      case 0: keep(&worst, drive / (0.3 * 1500.0) - 1.0); break;
      case 1: keep(&worst, e->drive.drive_torque[VD_RL] / 200.0 - 1.0 + e->drive.drive_torque[VD_RR]); break;
      case 2: keep(&worst, drive / 400.0 - 1.0); break;
      case 3: keep(&worst, drive / 0.32 / 1200.0 - 1.0); break;
      case 4: keep(&worst, e->body.ax / 0.8 - 1.0); break;
      case 5: keep(&worst, e->motion.vx / 16.0 - 1.0); break;
      }
      switch (b) {
      case 0: keep(&worst, e->steering.steer / 0.02 - 1.0); break;
      case 1: keep(&worst, e->steering.steer / (0.3 / 15.0) - 1.0); break;
      case 2: keep(&worst, e->motion.yaw_rate / e->motion.vx / 0.006 - 1.0); break;
      case 3: keep(&worst, e->motion.yaw_rate / 0.1 - 1.0); break;
      case 4: keep(&worst, e->motion.vx * e->motion.yaw_rate / 1.5 - 1.0); break;
      case 5: keep(&worst, 0.05 * e->motion.path_error); break;
      }
      scene_free(s);
    }
    tap_ok(kept, "%s is kept with every lateral input", along[a].setting);
    tap_near(worst, 0.0, 0.015, "%s and every lateral input reach their targets within %.4f", along[a].setting, worst);
  }
}

static const char busy[] =
    "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 20 s, level: L2, slip: transient}\n"
    "initial: {speed: 15 m/s}\nspeed: 25 m/s\npath: {type: iso3888_1, approach: 20 m}\n"
    "driver: {delay: 0.1, noise: 0.002, seed: 7}\n"
    "events:\n"
    "  - {when: distance, distance: 60, speed: 28 m/s}\n"
    "  - {when: above, channel: vx_mps, level: 20, throttle: 0.2}\n"
    "  - {when: time, time: 4.5, brake: 0.7}\n"
    "  - {when: below, channel: vx_mps, level: 8, in_turn: true, speed: 12 m/s}\n";

/* Checks that a run is determined by its state: a copy during the run, with driver, events, engine, antilock system and
 * transient slip, continues to the same bits. */
static void copies(void) {
  static vd_sim copy[24];
  scene *s =
      scene_make(busy, "vehicle.brakes.abs=slip", "vehicle.steering.lag=0.03", "vehicle.steering.dead_time=0.02", NULL);
  int same = 0, fired = 0;
  for (int n = 0; n < 24; n++) {
    scene_run(s, 0.5 * n + 0.037);
    copy[n] = s->sim;
  }
  scene_run(s, 12.5);
  vd_row end = scene_row(s);
  for (int n = 0; n < 24; n++) {
    while (copy[n].step < s->sim.step)
      vd_sim_step(&copy[n]);
    vd_row row;
    memset(&row, 0, sizeof row);
    vd_sim_row(&copy[n], VD_VIEW_ALL, &row);
    same += memcmp(&copy[n].state, &s->sim.state, sizeof s->sim.state) == 0 && memcmp(&row, &end, sizeof row) == 0 &&
            copy[n].driver.integral == s->sim.driver.integral && copy[n].driver.count == s->sim.driver.count;
  }
  for (int i = 0; i < s->sim.events.count; i++)
    fired += s->sim.events.fired[i];
  tap_ok(same == 24 && s->sim.status == VD_SIM_OK, "24 copies during the run all end on the same bits (%d)", same);
  tap_ok(fired == 4, "the copies of a run have all of its events (%d of 4)", fired);
  scene_free(s);
}

static void noise(void) {
  static const char *const seeds[] = {"driver.seed=7", "driver.seed=7", "driver.seed=8", "driver.noise=0"};
  vd_state_vector end[4];
  double sum = 0.0, squares = 0.0, memory = 0.0, last = 0.0;
  for (int i = 0; i < 4; i++) {
    scene *s = scene_make(busy, seeds[i], NULL);
    scene_run(s, 6.0);
    end[i] = s->sim.state;
    scene_free(s);
  }
  tap_ok(memcmp(&end[0], &end[1], sizeof end[0]) == 0, "one seed gives one run, bit for bit");
  tap_ok(memcmp(&end[0], &end[2], sizeof end[0]) != 0 && memcmp(&end[0], &end[3], sizeof end[0]) != 0,
         "another seed gives another run of the driver");
  /* standard deviations: of the mean 1/sqrt(n), of the variance sqrt(2/n), of the correlation of neighbours 1/sqrt(n);
   * bounds are five of these */
  enum { N = 100000 };
  for (int i = 0; i < N; i++) {
    double x = vd_normal(7, i);
    sum += x;
    squares += x * x;
    memory += x * last;
    last = x;
  }
  double sigma = 1.0 / sqrt((double)N);
  tap_near(sum / N, 0.0, 5.0 * sigma, "the noise of a driver has the mean zero");
  tap_near(squares / N, 1.0, 5.0 * sqrt(2.0) * sigma, "the noise of a driver has a standard deviation of one");
  tap_near(memory / N, 0.0, 5.0 * sigma, "the noise of a driver has no memory");
}

/* Checks that the torque of an engine is limited to the torque at its speed in the gear. The commanded force exceeds
 * this limit in sixth gear at 30 m/s, 2500 rpm, where the map has 300 N m at 2500 and 330 at 4000 rpm. The force is
 * this torque times 0.68 x 4.10 x 0.92, divided by 0.32 m. */
static void force_of_an_engine(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 5 s, level: L2}\ninitial: {speed: 30 m/s}\n",
      "force=20000", "gear=6", "ground.friction=3", NULL);
  double worst = 0.0, ratio = 0.68 * 4.10;
  for (int i = 0; i < 1000; i++) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    double speed = ratio * 0.5 * (row.eval.motion.omega[VD_RL] + row.eval.motion.omega[VD_RR]) * 60.0 / (2.0 * VD_PI);
    double most = (300.0 + 30.0 * (speed - 2500.0) / 1500.0) * ratio * 0.92 / 0.32;
    keep(&worst, (20000.0 - row.eval.log.force_error) / most - 1.0);
  }
  tap_near(worst, 0.0, 1e-6, "an engine drives with the torque of its map at the speed of its gear");
  scene_free(s);
}

/* Checks that two inputs of one kind are accepted together if one of them is a pedal or an angle of zero; the other one
 * acts. */
static void zeros(void) {
  scene *s = scene_make(text, "throttle=0", "force=1000", "steer=0.02", "steering_wheel=0", NULL);
  scene_run(s, 1.0);
  tap_near(s->sim.command.target, 1000.0, 0.0, "a force beside a throttle of zero acts");
  tap_near(s->sim.command.steer, 0.02, 0.0, "an angle beside a steering wheel at zero acts");
  scene_free(s);
}

/* Checks that after the dead time the wheels follow by T d' = command - d, no faster than the limit r. After a step a
 * their angle is a (1 - exp(-t/T)); with the limit it is r t until a - d = r T, and then an exponential. The error of
 * RK4 across that kink is at most r h^2/T = 5e-7 rad. */
static void steering(void) {
  for (int limited = 0; limited < 2; limited++) {
    scene *s = scene_make(text, "steer={type: step, start: 0.5, value: 0.02}", "vehicle.steering.lag=0.1",
                          "vehicle.steering.dead_time=0.05",
                          limited ? "vehicle.steering.rate_limit=0.05" : "run.level=L2", NULL);
    double worst = 0.0;
    for (int i = 0; i < 2000; i++) {
      vd_sim_step(&s->sim);
      vd_row row = scene_row(s);
      double t = row.t - 0.55, expected = t <= 0.0 ? 0.0 : 0.02 * (1.0 - exp(-t / 0.1));
      if (limited && t > 0.0)
        expected = t < 0.3 ? 0.05 * t : 0.02 - 0.005 * exp(-(t - 0.3) / 0.1);
      keep(&worst, row.eval.steering.steer_actual - expected);
    }
    tap_near(worst, 0.0, limited ? 5e-7 : 1e-9, "steering %s follows within %.1e rad",
             limited ? "with lag, dead time and rate limit" : "with lag and dead time", worst);
    scene_free(s);
  }
  /* the steering input of an event counts time from the event; the wheels move only after the dead time */
  static const char *const events[] = {"events=[{when: time, time: 1, steer: 0.02}]",
                                       "events=[{when: time, time: 1, steer: {type: step, value: 0.02}}]"};
  for (int i = 0; i < 2; i++) {
    scene *s = scene_make(text, "steer=0.01", events[i], "vehicle.steering.dead_time=0.2", NULL);
    scene_run(s, 1.15);
    double before = scene_row(s).eval.steering.steer_actual;
    scene_run(s, 1.25);
    tap_near(before, 0.01, 1e-12, "%s: 0.15 s later the wheels, with a dead time of 0.2 s, have not moved", events[i]);
    tap_near(scene_row(s).eval.steering.steer_actual, 0.02, 1e-12,
             "%s: 0.25 s after a command, with a dead time of 0.2 s, the wheels have turned", events[i]);
    scene_free(s);
  }
}

/* Checks a path that is straight in the horizontal plane, at 30 deg to the axes of a ground that rises along and
 * across: the car's heading in the plane and its yaw in the world differ by 2 deg. A driver who confused these two
 * angles would settle beside the path. */
static void tilted_path(void) {
  static const char *const dynamic[] = {"run.level=L1", "run.level=L2"};
  for (size_t i = 0; i < VD_COUNT(dynamic); i++) {
    scene *s = scene_make(
        "vehicle: ../vehicles/sports.yaml\nrun: {duration: 12 s}\n"
        "ground: {type: inclined, grade: 0.2, bank: 0.2}\ninitial: {speed: 15 m/s, yaw: 0.5}\nspeed: 15 m/s\n"
        "path: {type: waypoints, waypoints: [[0, 0], [86.6, 50], [173.2, 100], [259.8, 150]]}\n",
        dynamic[i], NULL);
    scene_run(s, 12.0);
    vd_row row = scene_row(s);
    tap_near(row.eval.log.path_heading_error, 0.0, 1e-3, "%s: a car on a plane that rises both ways follows its path",
             dynamic[i] + 10);
    scene_free(s);
  }
}

int main(void) {
  tap_plan(16 + 8 + 8 + 12 + 20 + 36 + 16 + 6 + 12 + 2 + 5 + 1 + 2 + 6 + 2);
  steering();
  speed_responses();
  speed_reached();
  acceleration_responses();
  lateral_levels();
  paths();
  force_level();
  torque_levels();
  windup();
  independence();
  copies();
  noise();
  force_of_an_engine();
  zeros();
  tilted_path();
  return tap_done();
}
