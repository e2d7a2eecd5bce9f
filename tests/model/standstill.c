/* Standstill with transient slip: the forces that hold a car, how it comes to rest, and how it moves off again.
 *
 * The tyre of a car at rest is a spring with the stiffness C/sigma at small deflections. It slides at the deflection K
 * sigma = mu Fz sigma/C (C: slip stiffness, sigma: relaxation length). */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

static const char *const levels[] = {"run.level=L1", "run.level=L2"};

typedef struct car {
  const char *name, *file;
  double mass, wheelbase, to_front;
  double sigma;        /* longitudinal */
  double front_wheels; /* kg: I/R^2 of both front wheels */
  /* mf96: longitudinal B, C, D, E; lateral slope B C D; friction, load sensitivity, nominal load */
  double b, c, d, e, side, friction, sensitivity, nominal;
} car;

static const car cars[] = {
    {"sedan", "vehicle=scenarios/vehicles/sedan.yaml", 1500, 2.70, 1.20, 0.15, 40, 10, 1.65, 1.00, 0.97, 8 * 1.30, 1.0,
     0.15, 4000},
    {"fsk", "vehicle=scenarios/vehicles/fsk_formula.yaml", 280, 1.55, 0.75, 0.10, 10, 11, 1.65, 1.05, 0.97,
     9 * 1.30 * 1.05, 1.05, 0.12, 700},
};

enum { TYRE_MF96, TYRE_LINEAR };

/* Returns the slip K of one wheel at which the tread slides, by hand. */
static double span(const car *c, int tyre, double load) {
  if (tyre == TYRE_LINEAR)
    return load / 80e3; /* friction 1 */
  return c->d / fmin(c->b * c->c * c->d, c->side);
}

static double force_at(const car *c, int tyre, double slip, double load) {
  if (tyre == TYRE_LINEAR)
    return 160e3 * slip;
  double mu = c->friction * (1.0 - c->sensitivity * (load / c->nominal - 1.0)), x = c->b * slip;
  return mu * load * c->d * sin(c->c * atan(x - c->e * (x - atan(x))));
}

/* The motion along one line, integrated here until rest: the car on locked wheels, with the standstill damper, or on
 * the handbrake alone with rolling front wheels. */
typedef struct line {
  const car *c;
  int tyre;
  bool rear_only;
  double slope, sigma, tau, mass, axle_load[2], k[2];
} line;

static void line_rates(void *context, int stage, const double *x, double *dx) {
  const line *l = context;
  double v = x[1], held = 0.0;
  (void)stage;
  for (int a = 0; a < 2; a++) {
    dx[2 + a] = 0.0;
    if (a == 0 && l->rear_only) {
      double resistance = l->tyre ? 0.0 : l->c == &cars[0] ? 0.015 : 0.012;
      held += resistance * l->axle_load[0] * v / sqrt(v * v + 0.05 * 0.05);
      continue;
    }
    dx[2 + a] = (v - (1.0 + 1.0 / l->k[a]) * fabs(v) * x[2 + a]) / l->sigma;
    double slip = x[2 + a] / (1.0 - fabs(x[2 + a]) / l->k[a]) + l->tau * dx[2 + a];
    held += 2.0 * force_at(l->c, l->tyre, slip, 0.5 * l->axle_load[a]);
  }
  dx[0] = v;
  dx[1] = (l->c->mass * VD_GRAVITY * sin(l->slope) - held) / l->mass;
}

/* Returns the displacement at rest. axle_load: loads with the transfer of the slope; the model's K follows from the
 * loads without it. */
static double rest(const car *c, int tyre, double slope, bool rear_only, const double *axle_load, double tau) {
  line l = {c, tyre, rear_only, slope, tyre ? 0.15 : c->sigma, tau, c->mass, {axle_load[0], axle_load[1]}, {0.0, 0.0}};
  double behind = c->to_front / c->wheelbase, share[2] = {1.0 - behind, behind}, x[4] = {0.0}, dx[4];
  for (int a = 0; a < 2; a++)
    l.k[a] = span(c, tyre, 0.5 * c->mass * VD_GRAVITY * cos(slope) * share[a]);
  if (rear_only)
    l.mass += c->front_wheels;
  line_rates(&l, 0, x, dx);
  for (int i = 0; i < 30000; i++) {
    vd_rk4(line_rates, &l, 2e-4, 4, dx, x);
    line_rates(&l, 0, x, dx);
  }
  return x[0];
}

static const char parked[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 80 s, slip: transient}\n";

static const char *tyre_setting(int tyre, int axle) {
  static const char *const setting[] = {"vehicle.front.tyre=scenarios/tyres/linear_80.yaml",
                                        "vehicle.rear.tyre=scenarios/tyres/linear_80.yaml"};
  return tyre == TYRE_LINEAR ? setting[axle] : "ground.type=inclined";
}

enum { PARKINGS = 2 * 2 * 2, ONE_OF = 4 }; /* levels, cars and tyres; one of ONE_OF cases is tried for each commit */

static void parking(void) {
  static const struct {
    const char *name, *ground, *brake;
    double slope;
    bool rear_only;
  } places[] = {
      {"uphill", "ground={type: inclined, grade: 0.08}", "brake=1", 0.08, false},
      {"downhill", "ground={type: inclined, grade: -0.08}", "brake=1", 0.08, false},
      {"uphill by the handbrake", "ground={type: inclined, grade: 0.08}", "handbrake=1", 0.08, true},
      {"downhill by the handbrake", "ground={type: inclined, grade: -0.08}", "handbrake=1", 0.08, true},
      {"sideways on a bank", "ground={type: inclined, bank: 0.08}", "brake=1", 0.0, false},
      {"sideways on a bank by the handbrake", "ground={type: inclined, bank: -0.08}", "handbrake=1", 0.0, false},
  };
  for (int block = 0; block < PARKINGS; block++) {
    if (!tap_sampled(block, ONE_OF))
      continue;
    int level = block / 4, k = block / 2 % 2, tyre = block % 2;
    for (size_t p = 0; p < VD_COUNT(places); p++) {
      const car *c = &cars[k];
      scene *s = scene_make(parked, c->file, levels[level], places[p].ground, places[p].brake, tyre_setting(tyre, 0),
                            tyre_setting(tyre, 1), NULL);
      double energy = INFINITY, damper = -INFINITY, kinetic = 0.0, ledger = 0.0;
      double from[2] = {s->sim.state.x[VD_S_ALONG], s->sim.state.x[VD_S_ACROSS]}, at[2] = {0.0, 0.0};
      for (int i = 0; i < 70000; i++) {
        vd_sim_step(&s->sim);
        if (i == 9999) {
          at[0] = s->sim.state.x[VD_S_ALONG];
          at[1] = s->sim.state.x[VD_S_ACROSS];
        }
        if (i < 3000) {
          vd_row row = scene_row(s);
          energy = tap_min(energy, row.eval.log.energy_tyre);
          damper = tap_max(damper, s->sim.rates[VD_S_WORK_DAMPER]);
          kinetic = tap_max(kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_tyre);
          keep(&ledger, row.eval.log.ledger);
        }
      }
      double creep = hypot(s->sim.state.x[VD_S_ALONG] - at[0], s->sim.state.x[VD_S_ACROSS] - at[1]);
      bool fine = s->sim.status == VD_SIM_OK;
      tap_near(fine ? creep : NAN, 0.0, 1e-3, "%s, %s, %s, %s: the car creeps by %.1e mm in 60 s", levels[level] + 10,
               c->name, tyre ? "linear" : "mf96", places[p].name, 1e3 * creep);
      tap_ok(fine && energy >= 0.0 && damper <= 0.0 && ledger <= 1e-4 * kinetic,
             "%s, %s, %s, %s: tyres store energy, their dampers dissipate it, the ledger closes to %.1e",
             levels[level] + 10, c->name, tyre ? "linear" : "mf96", places[p].name, ledger / kinetic);
      if (places[p].slope > 0.0) {
        vd_row row = scene_row(s);
        double load[2] = {row.eval.tyre.load[0] + row.eval.tyre.load[1], row.eval.tyre.load[2] + row.eval.tyre.load[3]};
        double expected = rest(c, tyre, places[p].slope, places[p].rear_only, load, s->model.slip.relax[0].damper_time);
        double got = fabs(s->sim.state.x[VD_S_ALONG] - from[0]);
        /* the loads of the calculation by hand do not oscillate with the car: 1 m/s2 moves 2 % of the load, which
             * changes a wheel's stiffness by a tenth of that, and only while the car oscillates */
        tap_near(got / expected, 1.0, 5e-3, "%s, %s, %s, %s: by hand the car rests at %.4f mm, in the run at %.4f",
                 levels[level] + 10, c->name, tyre ? "linear" : "mf96", places[p].name, 1e3 * expected, 1e3 * got);
      }
      scene_free(s);
    }
  }
}

/* Checks that a friction of 0.5 does not hold a car on a slope of 70 %, 0.61 rad. With locked linear tyres, whose force
 * is friction x load at any slip, the car accelerates by g (sin - mu cos) along the line of fall. With the Magic
 * Formula mu lies between the friction of the peak and the friction of sliding. */
static void sliding(void) {
  double slope = atan(0.7), ideal = VD_GRAVITY * (sin(slope) - 0.5 * cos(slope));
  for (int level = 0; level < 2; level++)
    for (int tyre = 0; tyre < 2; tyre++)
      for (int down = 0; down < 2; down++) {
        scene *s = scene_make(
            "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 10 s, slip: transient, lean: false}\nbrake: 1\n",
            levels[level],
            down ? "ground={type: inclined, friction: 0.5, grade: -0.6107259643892086}"
                 : "ground={type: inclined, friction: 0.5, grade: 0.6107259643892086}",
            tyre_setting(tyre, 0), tyre_setting(tyre, 1), "vehicle.aero={drag: 0, frontal_area: 2}", NULL);
        scene_run(s, 1.0);
        double v1 = fabs(s->sim.eval.motion.vx);
        scene_run(s, 2.0);
        double a = fabs(s->sim.eval.motion.vx) - v1;
        bool fine = s->sim.status == VD_SIM_OK;
        if (tyre == TYRE_LINEAR) {
          tap_near(fine ? a / ideal : NAN, 1.0, 1e-6, "%s, %s: locked linear tyres slide down 70 %% at %.4f m/s2",
                   levels[level] + 10, down ? "downhill" : "uphill", ideal);
        } else {
          /* loads lie within 1 and 7 kN: mu within 0.44 and 0.56; sliding at 1.65 atan(...): 0.74 of the peak or
           * more */
          double least = VD_GRAVITY * (sin(slope) - 0.56 * cos(slope)),
                 most = VD_GRAVITY * (sin(slope) - 0.3 * cos(slope));
          tap_ok(fine && a > least && a < most, "%s, %s: mf96 tyres slide at %.3f m/s2 (%.3f to %.3f)",
                 levels[level] + 10, down ? "downhill" : "uphill", a, least, most);
        }
        scene_free(s);
      }
}

/* Checks a stop from 15 m/s with all wheels locked: the car ends at rest, and returns by no more than the deflection of
 * a tyre at its friction limit, mu Fz sigma/C = K sigma. */
static void locked_stop(void) {
  for (int level = 0; level < 2; level++)
    for (int k = 0; k < 2; k++)
      for (int tyre = 0; tyre < 2; tyre++) {
        const car *c = &cars[k];
        scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s, slip: transient}\n"
                              "initial: {speed: 15 m/s}\nbrake: 1\n",
                              c->file, levels[level], tyre_setting(tyre, 0), tyre_setting(tyre, 1), NULL);
        double furthest = -INFINITY, fastest = 0.0, still = -1.0, ledger = 0.0;
        double kinetic = 0.5 * c->mass * 225.0;
        for (int i = 0; i < 10000; i++) {
          vd_sim_step(&s->sim);
          vd_row row = scene_row(s);
          furthest = tap_max(furthest, s->sim.state.x[VD_S_ALONG]);
          if (still < 0.0 && !(s->sim.eval.motion.vx > 0.0))
            still = row.t;
          if (still >= 0.0 && row.t > still + 1.0)
            keep(&fastest, s->sim.eval.motion.vx);
          keep(&ledger, row.eval.log.ledger / kinetic);
        }
        double back = furthest - s->sim.state.x[VD_S_ALONG],
               load = 0.5 * c->mass * VD_GRAVITY * (1.0 - c->to_front / c->wheelbase);
        double limit = span(c, tyre, load) * (tyre ? 0.15 : c->sigma);
        bool fine = s->sim.status == VD_SIM_OK && still > 0.0;
        tap_ok(fine && back >= 0.0 && back <= limit, "%s, %s, %s: a locked stop springs back %.2f mm (<= %.2f)",
               levels[level] + 10, c->name, tyre ? "linear" : "mf96", 1e3 * back, 1e3 * limit);
        tap_near(fine ? fastest : NAN, 0.0, 1e-6,
                 "%s, %s, %s: a car with locked wheels rests a second after its stop, %.1e m/s", levels[level] + 10,
                 c->name, tyre ? "linear" : "mf96", fastest);
        tap_near(ledger, 0.0, 1e-4, "%s, %s, %s: the ledger closes to %.1e", levels[level] + 10, c->name,
                 tyre ? "linear" : "mf96", ledger);
        scene_free(s);
      }
}

/* Checks a car that drives off, stops, reverses and stops, at 2 or 1.5 m/s2. After a stop the car oscillates on its
 * tyres' springs and dampers: x'' = -2 z w x' - w^2 x from x'' = a, so that the jerk is 2 z w a at first (2 z w = tau
 * k/m) and at most w a later. Forces change sign during this oscillation, but not after half a second; after a second
 * the car is at rest. In the 20 ms after the commanded stop the brakes lock the wheels that still turn, and the damper
 * carries the change of force, which is less than the force of the deceleration. */
static void stop_and_reverse(void) {
  static const struct {
    const char *name, *file;
  } all[] = {{"sedan", "vehicle=scenarios/vehicles/sedan.yaml"},
             {"sedan_automatic", "vehicle=scenarios/vehicles/sedan_automatic.yaml"},
             {"sports", "vehicle=scenarios/vehicles/sports.yaml"},
             {"race_car", "vehicle=scenarios/vehicles/race_car.yaml"},
             {"fsk_formula", "vehicle=scenarios/vehicles/fsk_formula.yaml"}};
  static const double stops[] = {7.0, 14.0};
  for (int level = 0; level < 2; level++)
    for (size_t k = 0; k < VD_COUNT(all); k++) {
      scene *s = scene_make(
          "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s, slip: transient}\n"
          "speed: {type: table, points: [[0, 0], [1, 0], [3, 4], [5, 4], [7, 0], [9, 0], [11, -3], [12, -3], "
          "[14, 0]]}\n",
          all[k].file, levels[level], NULL);
      double spring = 0.0, jerk = 0.0, jump = 0.0, fastest = 0.0, ledger = 0.0, kinetic = 0.0, forward = 0.0,
             backward = 0.0, damper = 0.0;
      int flips = 0, sign[VD_WHEELS] = {0};
      for (int i = 0; i < s->model.lanes.count; i++)
        spring += s->model.slip.relax[i].stiffness_x;
      double rate = sqrt(spring / s->model.balance.mass), last = NAN;
      for (int i = 0; i < 18000 && s->sim.status == VD_SIM_OK; i++) {
        vd_sim_step(&s->sim);
        vd_row row = scene_row(s);
        forward = tap_max(forward, row.eval.motion.vx);
        backward = tap_min(backward, row.eval.motion.vx);
        kinetic = tap_max(kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
        damper = tap_max(damper, s->sim.rates[VD_S_WORK_DAMPER]);
        keep(&ledger, row.eval.log.ledger);
        for (int n = 0; n < 2; n++) {
          double since = row.t - stops[n];
          if (!(since > 0.0 && since <= (n ? 4.0 : 2.0)))
            continue;
          if (since > 0.02)
            keep(&jerk, (row.eval.body.ax - last) / 0.001);
          else
            keep(&jump, row.eval.body.ax - last);
          if (since > 1.0)
            keep(&fastest, row.eval.motion.vx);
          for (int w = 0; w < VD_WHEELS; w++) {
            int now = fabs(row.eval.tyre.fx[w]) <= 0.01 * row.eval.tyre.load[w] ? 0
                      : row.eval.tyre.fx[w] > 0.0                               ? 1
                                                                                : -1;
            flips += since > 0.5 && now != 0 && sign[w] != 0 && now != sign[w];
            if (now != 0)
              sign[w] = now;
          }
        }
        if (row.t > 8.999 && row.t < 9.5)
          memset(sign, 0, sizeof sign);
        last = row.eval.body.ax;
      }
      bool fine = s->sim.status == VD_SIM_OK;
      tap_ok(fine && forward > 3.8 && forward < 4.6 && backward < -2.8 && backward > -3.6,
             "%s, %s: the car drives forward at %.2f m/s, backward at %.2f m/s", levels[level] + 10, all[k].name,
             forward, backward);
      double bound = 2.0 * fmax(rate, s->model.slip.relax[0].damper_time * rate * rate);
      tap_ok(fine && jerk <= bound && jump <= 2.0,
             "%s, %s: after a stop the jerk is %.1f m/s3 (<= %.1f), the jump %.2f m/s2 (<= 2)", levels[level] + 10,
             all[k].name, jerk, bound, jump);
      tap_ok(flips == 0, "%s, %s: half a second after a stop no wheel force changes sign (%d do)", levels[level] + 10,
             all[k].name, flips);
      tap_near(fine ? fastest : NAN, 0.0, 1e-6, "%s, %s: a car rests a second after stopping, %.1e m/s",
               levels[level] + 10, all[k].name, fastest);
      tap_ok(damper <= 0.0 && ledger <= 1e-4 * kinetic, "%s, %s: dampers dissipate energy, the ledger closes to %.1e",
             levels[level] + 10, all[k].name, ledger / kinetic);
      scene_free(s);
    }
}

/* Checks a stop uphill, braked by any control level: a brake that sticks stays applied, so that the car stands where it
 * stopped. The grade of 8 % needs 1.2 kN of the 3 kN with which the levels brake. */
static void stop_on_slope(void) {
  static const char *const inputs[] = {"brake=0.2", "force=-3000", "acceleration=-2", "brake_torque_rear=1000",
                                       "speed={type: table, points: [[0, 10], [4, 0]]}"};
  for (int level = 0; level < 2; level++)
    for (size_t i = 0; i < VD_COUNT(inputs); i++) {
      scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 20 s, slip: transient}\n"
                            "ground: {type: inclined, grade: 0.08}\ninitial: {speed: 10 m/s}\n",
                            levels[level], inputs[i], NULL);
      scene_run(s, 8.0);
      double at = s->sim.state.x[VD_S_ALONG];
      scene_run(s, 18.0);
      tap_near(s->sim.state.x[VD_S_ALONG], at, 1e-3, "%s, %s: a car that stopped uphill keeps its place",
               levels[level] + 10, inputs[i]);
      scene_free(s);
    }
}

/* Checks a commanded speed or acceleration that the motor cannot reach on a slope of 25 degrees, tan = 0.47, with a
 * friction of 1. The car rolls against its gear; the brakes stop and hold it. Its tyres then carry m g sin. */
static void wanted_on_slope(void) {
  static const char *const at_levels[] = {"run.level=L0", "run.level=L1", "run.level=L2", "run.level=L3",
                                          "run.level=L5"};
  static const struct {
    const char *wanted, *grade, *start;
  } all[] = {{"speed=0", "ground.grade=25 deg", "initial.speed=-0.5"},
             {"speed=0", "ground.grade=-25 deg", "initial.speed=0.5"},
             {"speed=20", "ground.grade=25 deg", "initial.speed=0"},
             {"speed=-3", "ground.grade=-25 deg", "initial.speed=0"},
             {"acceleration=0.5", "ground.grade=25 deg", "initial.speed=-2"}};
  for (size_t level = 0; level < VD_COUNT(at_levels); level++)
    for (size_t k = 0; k < VD_COUNT(all); k++) {
      scene *s = scene_make("vehicle: {base: ../vehicles/sedan.yaml, drivetrain: {max_torque: 100 N m}}\n"
                            "run: {duration: 9 s}\nground: {type: inclined, grade: 0}\n",
                            at_levels[level], level == 0 ? "run.slip=steady" : "run.slip=transient", all[k].wanted,
                            all[k].grade, all[k].start, NULL);
      double slope = all[k].grade[13] == '-' ? -25.0 : 25.0, force = 0.0;
      scene_run(s, 8.0);
      vd_row row = scene_row(s);
      for (int i = 0; i < VD_WHEELS; i++)
        force += row.eval.tyre.fx[i];
      tap_near(row.eval.motion.vx, 0.0, 1e-3, "%s, %s, %s: the brakes hold the car", at_levels[level] + 10,
               all[k].wanted, all[k].grade + 13);
      if (level > 0)
        tap_near(force, s->model.vehicle.masses.total * VD_GRAVITY * sin(slope * VD_PI / 180.0), 1.0,
                 "%s, %s, %s: the tyres carry m g sin within 1 N", at_levels[level] + 10, all[k].wanted,
                 all[k].grade + 13);
      scene_free(s);
    }
}

/* --- a steering angle that jumps under a standing car ---
 *
 * A knuckle that turns about its inclined axis moves its wheel and the lower eye of its spring relative to the body,
 * which cannot follow in an instant. So the work of the steering is the energy that the linear springs and tyres store,
 * k (after^2 - before^2)/2 each. Then the car settles, and the ledger must close to the integration's error. */

static void jump_at_rest(const char *linkage) {
  static const char text[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                             "run: {level: L4, duration: 1 s, step: 0.5 ms}\n"
                             "initial: {speed: 0}\n"
                             "steer: {type: step, start: 0.05, value: 0.18}\n";
  scene *s = scene_make(text, linkage, NULL);
  scene_run(s, 0.049);
  vd_row before = scene_row(s);
  scene_run(s, 0.05);
  vd_row after = scene_row(s);
  double work = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double d = after.eval.contact.deflection[i], d0 = before.eval.contact.deflection[i];
    double c = after.eval.log.compression[i], c0 = before.eval.log.compression[i];
    work += 0.5 * s->model.ride.tyre_stiffness[i] * (d * d - d0 * d0) +
            0.5 * s->def.vehicle.axle[vd_axle_of(i)].spring_stiffness * (c * c - c0 * c0);
  }
  double booked = after.state.x[VD_S_WORK_STEERING] - before.state.x[VD_S_WORK_STEERING];
  tap_near(booked / work, 1.0, 1e-6, "%s: the jump does %.5g J, springs and tyres store %.5g J", linkage, booked, work);
  scene_run(s, 0.5);
  double residual = scene_row(s).eval.log.ledger;
  tap_near(residual / work, 0.0, 1e-5, "%s: the ledger closes to %.1e of the work", linkage, residual / work);
  scene_free(s);
}

int main(void) {
  int chosen = 0;
  for (int block = 0; block < PARKINGS; block++)
    chosen += tap_sampled(block, ONE_OF);
  tap_plan(chosen * (2 * 6 + 4) + 8 + 3 * 8 + 5 * 10 + 10 + 5 * 5 + 4 * 5 + 2 * 2);
  parking();
  sliding();
  locked_stop();
  stop_and_reverse();
  stop_on_slope();
  wanted_on_slope();
  jump_at_rest("run.linkage=exact");
  jump_at_rest("run.linkage=maps");
  return tap_done();
}
