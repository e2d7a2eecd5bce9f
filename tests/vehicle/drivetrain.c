/* Engine, gears, clutch and differentials compared with results of their equations by hand. */
#include "vehicle/drivetrain.h"
#include "scene.h"
#include "tap.h"
#include "model/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rpm = 2.0 * VD_PI / 60.0;

/* The engine of the automatic sedan by its file: 0.20 kg m2, 92 %, six gears, final drive 4.10. */
static const double engine_inertia = 0.20, efficiency = 0.92, wheel_inertia = 2.048, radius = 0.32;
static const double ratio[] = {-3.20 * 4.10, 3.40 * 4.10, 2.05 * 4.10, 1.40 * 4.10,
                               1.00 * 4.10,  0.82 * 4.10, 0.68 * 4.10};
static const double map_rpm[] = {1000, 2500, 4000, 5500, 6500}, map_throttle[] = {0.0, 0.5, 1.0};
static const double map_torque[3][5] = {{-15, -20, -25, -30, -35}, {95, 150, 165, 150, 120}, {180, 300, 330, 300, 250}};

/* Keeps the greatest value, or NaN once a NaN has occurred. */
static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

static void keep_most(double *most, double value) {
  *most = tap_max(*most, value);
}

static double random_unit(void) {
  return (double)rand() / RAND_MAX;
}

/* Interpolates linearly between the points; constant outside. */
static double lerp_table(const double *x, const double *y, int count, double at) {
  if (at <= x[0])
    return y[0];
  for (int i = 1; i < count; i++)
    if (at <= x[i])
      return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
  return y[count - 1];
}

static double map_by_hand(double throttle, double speed) {
  double column[3];
  for (int i = 0; i < 3; i++)
    column[i] = lerp_table(map_rpm, map_torque[i], 5, speed / rpm);
  return lerp_table(map_throttle, column, 3, throttle);
}

static void torque_map(const vd_drivetrain *d) {
  double points = 0.0, between = 0.0, outside = 0.0, back = 0.0, same = 0.0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 5; k++)
      keep(&points, vd_motor_torque(d, map_throttle[i], map_rpm[k] * rpm) - map_torque[i][k]);
  /* rounding of 400 N m */
  tap_near(points, 0.0, 1e-12, "the torque map has its 15 points");
  for (int i = 0; i < 100000; i++) {
    double u = random_unit(), w = (800.0 + 5700.0 * random_unit()) * rpm;
    keep(&between, vd_motor_torque(d, u, w) - map_by_hand(u, w));
  }
  tap_near(between, 0.0, 1e-11, "the torque map is bilinear between its points, from idle to redline");
  for (int i = 0; i <= 20; i++)
    keep(&outside, vd_motor_torque(d, i / 20.0, 900 * rpm) - vd_motor_torque(d, i / 20.0, 1000 * rpm));
  tap_near(outside, 0.0, 1e-12, "the torque map is constant below its lowest speed");
  /* the inverse: it returns the wanted torque at any speed, and the original throttle where the torque depends on it.
   * Digits are lost where governor or limiter reduce the effect of the throttle. */
  for (int i = 0; i < 200000; i++) {
    double u = random_unit(), w = 7000.0 * random_unit() * rpm, torque = vd_motor_torque(d, u, w);
    double governed = fmin(fmax((800.0 * rpm - w) / (80.0 * rpm), 0.0), 1.0);
    double limited = fmin(fmax((w - 6500.0 * rpm) / (130.0 * rpm), 0.0), 1.0);
    double left = (1.0 - governed) * (1.0 - limited), found = vd_motor_throttle(d, torque, w);
    keep(&back, vd_motor_torque(d, found, w) - torque);
    if (left > 1e-3)
      keep(&same, (found - u) * left);
    if (!(found >= 0.0 && found <= 1.0))
      back = NAN;
  }
  tap_near(back, 0.0, 1e-9, "the throttle for a torque gives that torque, from standstill to 7000 rpm");
  tap_near(same, 0.0, 1e-12, "the throttle for a torque is the throttle from which the torque was computed");
  double greatest = vd_motor_torque(d, 1.0, 4000 * rpm), least = vd_motor_torque(d, 0.0, 4000 * rpm);
  tap_ok(vd_motor_throttle(d, greatest + 1.0, 4000 * rpm) == 1.0 &&
             vd_motor_throttle(d, least - 1.0, 4000 * rpm) == 0.0,
         "the throttle is fully open or closed for torques beyond the map");
}

/* Checks a map whose rows have different speeds: each row is a polyline through its own points, independent of the
 * other row. */
static void ragged_map(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 1 s}\n",
                        "vehicle.drivetrain.torque_map=[{throttle: 0, torque: [[100, -10], [300, -30]]}, "
                        "{throttle: 0.3, torque: [[150, 60]]}, "
                        "{throttle: 1, torque: [[120, 200], [200, 280], [650, 100]]}]",
                        NULL);
  static const double closed_x[] = {100, 300}, closed[] = {-10, -30}, open_x[] = {120, 200, 650},
                      open[] = {200, 280, 100};
  const vd_drivetrain *d = &s->model.vehicle.drivetrain;
  double worst = 0.0;
  for (double w = 84.0; w < 680.0; w += 0.37) {
    double column[] = {lerp_table(closed_x, closed, 2, w), 60.0, lerp_table(open_x, open, 3, w)};
    static const double throttle[] = {0.0, 0.3, 1.0};
    for (int i = 0; i <= 10; i++)
      keep(&worst, vd_motor_torque(d, i / 10.0, w) - lerp_table(throttle, column, 3, i / 10.0));
  }
  tap_near(worst, 0.0, 1e-11, "rows with their own speeds keep their corners");
  tap_near(d->clutch_torque, 1.5 * 280.0, 1e-12, "an automatic clutch transmits 1.5 times the greatest torque");
  scene_free(s);
}

/* Checks limits. The governor opens below idle speed, fully at 0.9 of it; within 2 % above the redline the throttle
 * closes. The clutch has no torque at idle and during a shift, and full torque from a quarter of the range between idle
 * and redline on. */
static void limits(const vd_drivetrain *d) {
  double idle = 800 * rpm, redline = 6500 * rpm, worst = 0.0, launch = idle + 0.25 * (redline - idle);
  for (int i = 0; i <= 10; i++) {
    double u = i / 10.0;
    keep(&worst, vd_motor_torque(d, u, 0.9 * idle) - 180.0);
    keep(&worst, vd_motor_torque(d, u, 0.3 * idle) - 180.0);
    keep(&worst, vd_motor_torque(d, u, 0.95 * idle) - 0.5 * (180.0 + map_by_hand(u, 0.95 * idle)));
    keep(&worst, vd_motor_torque(d, u, 1.02 * redline) - -35.0);
    keep(&worst, vd_motor_torque(d, u, 1.5 * redline) - -35.0);
    keep(&worst, vd_motor_torque(d, u, 1.01 * redline) - 0.5 * (-35.0 + map_by_hand(u, 1.01 * redline)));
  }
  tap_near(worst, 0.0, 1e-10, "governor and limiter act as by hand, at their ends and half way");
  double capacity = 1.5 * 330.0, half = 0.5 * (idle + launch);
  tap_ok(vd_clutch_capacity(d, idle, false) == 0.0 && vd_clutch_capacity(d, launch, true) == 0.0,
         "the clutch has no torque at idle or during a shift");
  tap_near(vd_clutch_capacity(d, launch, false), capacity, 1e-9, "the clutch has its full torque at the launch speed");
  tap_near(vd_clutch_capacity(d, half, false), 0.5 * capacity, 1e-9,
           "the clutch has half of its torque half way to the launch speed, by symmetry");
}

/* Checks that an electric motor has max_torque up to max_power, in both directions of rotation. */
static void motor_limits(void) {
  scene *s = scene_make("vehicle: ../vehicles/fsk_formula.yaml\nrun: {duration: 1 s}\n", NULL);
  const vd_drivetrain *d = &s->model.vehicle.drivetrain;
  double worst = 0.0, back = 0.0, corner = 80e3 / 150.0;
  for (double w = 0.0; w < 1500.0; w += 1.3)
    for (int i = 0; i <= 10; i++) {
      double u = i / 10.0, torque = u * fmin(150.0, w > 0.0 ? 80e3 / w : INFINITY);
      keep(&worst, vd_motor_torque(d, u, w) - torque);
      keep(&back, vd_motor_throttle(d, torque, w) - u);
    }
  tap_near(worst, 0.0, 1e-11, "a motor delivers 150 N m up to 80 kW at %.0f rad/s", corner);
  tap_near(back, 0.0, 1e-13, "the throttle of a motor is the inverse of its torque");
  scene_free(s);
  /* backwards at 45 m/s the motor turns at 45/0.26 x 4 = 692 rad/s, where 80 kW are 116 N m */
  s = scene_make("vehicle: ../vehicles/fsk_formula.yaml\nrun: {duration: 8 s, level: L2}\nspeed: -45 m/s\n"
                 "initial: {speed: -30 m/s}\n",
                 NULL);
  double most = 0.0;
  for (int i = 0; i < 8000; i++) {
    vd_sim_step(&s->sim);
    keep_most(&most, s->sim.rates[VD_S_WORK_DRIVE]);
  }
  tap_ok(most > 79e3 && most <= 80e3 * (1.0 + 1e-9),
         "a motor also delivers at most its maximum power backwards: %.1f kW of 80", most / 1e3);
  scene_free(s);
}

/* Checks wheels that spin up without grip: N T eta/(sum I_w + eta N^2 I_e) in each gear if the engine drives the
 * wheels, and with 1/eta if the wheels drive the engine. The road's friction of 1e-6 leaves 1e-6 x 6540 N x 0.32 m =
 * 2.1e-3 N m on the driven axle. */
static void spin_up(void) {
  for (int overrun = 0; overrun < 2; overrun++)
    for (int gear = -1; gear <= 6; gear++) {
      if (gear == 0)
        continue;
      double n = ratio[gear < 0 ? 0 : gear], engine = overrun ? 5000 * rpm : 2500 * rpm;
      char speed[48], in[32];
      snprintf(speed, sizeof speed, "initial.speed=%.9g", engine / n * radius);
      snprintf(in, sizeof in, "gear=%d", gear);
      scene *s = scene_make("vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 1 s, level: L2}\n"
                            "ground: {friction: 1e-6}\n",
                            speed, in, overrun ? "throttle=0" : "throttle=1", "vehicle.front.tyre.rolling_resistance=0",
                            "vehicle.rear.tyre.rolling_resistance=0", NULL);
      scene_run(s, 0.1);
      const vd_eval *e = &s->sim.eval;
      double w = s->sim.state.x[VD_S_MOTOR], torque = map_by_hand(overrun ? 0.0 : 1.0, w);
      double eta = overrun ? 1.0 / efficiency : efficiency;
      double expected = n * torque * eta / (2.0 * wheel_inertia + eta * n * n * engine_inertia);
      bool stuck = s->sim.state.mode[VD_M_CLUTCH] == 0.0;
      double got = 0.5 * (e->spin.spin_accel[VD_RL] + e->spin.spin_accel[VD_RR]);
      tap_near(stuck ? got : NAN, expected, 2.1e-3 / (2.0 * wheel_inertia) * 1.1,
               "gear %d, %s: the wheels spin up at %.4f rad/s2", gear, overrun ? "closed throttle" : "full throttle",
               expected);
      scene_free(s);
    }
}

static const char launch[] =
    "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 60 s, level: L2}\nthrottle: 1\n";

/* Integrates from `before` to the instant `t` within its next step, by one Runge-Kutta step of the same rates. */
typedef struct part_step {
  const vd_sim *sim;
  double t;
} part_step;

static void part_rates(void *context, int stage, const double *x, double *dx) {
  const part_step *p = context;
  static const double share[] = {0.0, 0.5, 0.5, 1.0};
  vd_command c = p->sim->command;
  vd_eval e;
  c.t += share[stage] * p->t;
  vd_model_rates(p->sim->model, &c, x, p->sim->state.mode, &e, dx);
}

static void part_of_step(const vd_sim *before, double t, double *x) {
  part_step p = {before, t};
  memcpy(x, before->state.x, sizeof before->state.x);
  vd_rk4(part_rates, &p, t, VD_STATES, before->rates, x);
}

/* Drives, records each shift, and checks the motion between them. */
typedef struct shifts {
  int count;
  int gear[16];
  double at[16];    /* rad/s of the gearbox input at the instant of the shift, in the gear before */
  double torque;    /* worst torque of the clutch during a shift */
  double stuck;     /* shifts after which the clutch slipped and then stuck */
  double top, slow; /* rad/s, highest and lowest engine speed */
} shifts;

static shifts drive_through(scene *s, double seconds, double stop) {
  shifts r = {.slow = INFINITY};
  double h = s->model.options.step;
  bool slipped = false, waiting = false;
  for (long i = 0; i < lround(seconds / h) && s->sim.status == VD_SIM_OK && s->sim.eval.motion.vx >= stop; i++) {
    vd_sim before = s->sim;
    double t = (double)before.step * h;
    vd_sim_step(&s->sim);
    const double *mode = s->sim.state.mode;
    if (mode[VD_M_SHIFT_START] != before.state.mode[VD_M_SHIFT_START] && r.count < 16) {
      double x[VD_STATES];
      part_of_step(&before, mode[VD_M_SHIFT_START] - t, x);
      r.at[r.count] = ratio[(int)before.state.mode[VD_M_GEAR]] * 0.5 * (x[VD_S_SPIN + VD_RL] + x[VD_S_SPIN + VD_RR]);
      r.gear[r.count++] = (int)mode[VD_M_GEAR];
      waiting = true;
      slipped = false;
    }
    double since = t + h - mode[VD_M_SHIFT_START];
    if (since > 0.0 && since < 0.25 - 1e-9)
      keep(&r.torque, s->sim.eval.drive.coupling_torque[VD_M_CLUTCH]);
    if (waiting && since > 0.25) {
      slipped |= mode[VD_M_CLUTCH] != 0.0 && fabs(s->sim.eval.drive.coupling_torque[VD_M_CLUTCH]) > 1.0;
      if (mode[VD_M_CLUTCH] == 0.0) {
        r.stuck += slipped;
        waiting = false;
      }
    }
    r.top = tap_max(r.top, s->sim.state.x[VD_S_MOTOR]);
    r.slow = tap_min(r.slow, s->sim.state.x[VD_S_MOTOR]);
  }
  if (s->sim.status != VD_SIM_OK)
    r.count = -1;
  return r;
}

static void automatic(void) {
  scene *s = scene_make(launch, NULL);
  shifts up = drive_through(s, 60.0, -1.0);
  double worst = 0.0;
  bool in_turn = up.count >= 3;
  for (int i = 0; i < up.count; i++) {
    keep(&worst, up.at[i] / (6000 * rpm) - 1.0);
    in_turn &= up.gear[i] == i + 2;
    tap_diag("an upshift to gear %d happens at %.6f rpm", up.gear[i], up.at[i] / rpm);
  }
  tap_ok(in_turn, "full throttle shifts up gear by gear, %d times", up.count);
  tap_near(worst, 0.0, 1e-6, "each upshift happens at 6000 rpm of the gearbox input");
  tap_near(up.torque, 0.0, 0.0, "no torque passes the clutch for 0.25 s");
  tap_near(up.stuck, (double)up.count, 0.0, "after a shift the clutch slips, and then sticks");
  scene_free(s);

  /* Gentle braking, 1.3 m/s2: during a shift of 0.25 s the speed falls so little that the next downshift occurs at its
   * own speed. */
  s = scene_make("vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 60 s, level: L2}\n"
                 "initial: {speed: 45 m/s}\nbrake: 0.1\n",
                 NULL);
  shifts down = drive_through(s, 60.0, 0.5);
  worst = 0.0;
  in_turn = down.count == 5;
  for (int i = 0; i < down.count; i++) {
    keep(&worst, down.at[i] / (2000 * rpm) - 1.0);
    in_turn &= down.gear[i] == 5 - i;
    tap_diag("a downshift to gear %d happens at %.6f rpm", down.gear[i], down.at[i] / rpm);
  }
  tap_ok(in_turn, "braking shifts down gear by gear to the first");
  tap_near(worst, 0.0, 1e-6, "each downshift happens at 2000 rpm of the gearbox input");
  tap_near(down.torque, 0.0, 0.0, "downshifts happen without torque");
  tap_ok(down.slow >= 0.9 * 800 * rpm, "the engine does not stall at standstill: never below %.1f rpm (>= 720)",
         down.slow / rpm);
  scene_free(s);
}

/* Checks pulling away with any throttle, on level ground, up a slope and with any first gear: the governor and a clutch
 * that opens at idle keep the engine above 0.9 of the idle speed, where the governor is fully open. */
static void pull_away(void) {
  static const char *const throttles[] = {
      "throttle=0.2", "throttle=0.5", "throttle=1",
      "throttle={type: table, points: [[0, 0], [1, 1], [1.1, 0], [2, 0], [2.05, 1]]}"};
  static const char *const gears[] = {"gear=1", "gear=-1", "gear=3"};
  static const char *const grades[] = {"ground.type=flat", "ground={type: inclined, grade: 0.12}"};
  double slow = INFINITY;
  int slipped = 0, runs = 0;
  long steps = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      for (int g = 0; g < 2; g++) {
        scene *s = scene_make("vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 4 s, level: L2}\n",
                              throttles[i], gears[k], grades[g], "run.slip=transient", NULL);
        bool slips = false;
        for (int n = 0; n < 4000; n++) {
          vd_sim_step(&s->sim);
          const double *mode = s->sim.state.mode;
          slips |= mode[VD_M_CLUTCH] != 0.0 && fabs(s->sim.eval.drive.coupling_torque[VD_M_CLUTCH]) > 1.0;
          slow = tap_min(slow, s->sim.state.x[VD_S_MOTOR]);
        }
        if (s->sim.status != VD_SIM_OK)
          slow = NAN;
        slipped += slips;
        runs++;
        steps = s->sim.parts > steps ? s->sim.parts : steps;
        scene_free(s);
      }
  tap_ok(slow >= 0.9 * 800 * rpm, "pulling away: the engine never falls below %.1f rpm (>= 720)", slow / rpm);
  tap_ok(slipped == runs, "the clutch slips when pulling away, in %d of %d runs", slipped, runs);
  /* when the car rolls back on the slope, the wheels' speed passes through zero: losses that jump at zero would take
   * 1e6 steps */
  tap_ok(steps <= 5 * 4000, "pulling away: the clutch slips in up to %ld steps of 4000", steps);
}

/* Checks that with a throttle of 0.6 the gears lose 8 % of the power through them, in each step of a run in fixed gears
 * with a sticking clutch: the wheels get 0.92 of (engine power - power that accelerates the engine). On the overrun the
 * engine gets 0.92 of the wheels' power. */
static void efficiencies(void) {
  double drives = 0.0, driven = 0.0, ledger = 0.0;
  for (int overrun = 0; overrun < 2; overrun++)
    for (int gear = 1; gear <= 4; gear++) {
      char in[32], speed[48];
      snprintf(in, sizeof in, "gear=%d", gear);
      snprintf(speed, sizeof speed, "initial.speed=%.9g", 3000 * rpm / ratio[gear] * radius);
      scene *s = scene_make("vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 3 s, level: L2}\n"
                            "steer: {type: sine, amplitude: 0.02, frequency: 0.7 Hz}\n",
                            in, speed, overrun ? "throttle=0" : "throttle=0.6", NULL);
      scene_run(s, 0.2);
      for (int i = 0; i < 700; i++) {
        vd_sim_step(&s->sim);
        const vd_eval *e = &s->sim.eval;
        double w = s->sim.state.x[VD_S_MOTOR], at_wheels = 0.0;
        double input = (map_by_hand(overrun ? 0.0 : 0.6, w) - engine_inertia * s->sim.rates[VD_S_MOTOR]) * w;
        for (int k = 0; k < VD_WHEELS; k++)
          at_wheels += e->drive.drive_torque[k] * e->motion.omega[k];
        if (s->sim.state.mode[VD_M_CLUTCH] != 0.0)
          input = NAN;
        keep(overrun ? &driven : &drives, overrun ? input / at_wheels - efficiency : at_wheels / input - efficiency);
        keep(&ledger, (s->sim.rates[VD_S_WORK_GEARS] - (at_wheels - input)) / input);
      }
      scene_free(s);
    }
  /* the engine's speed differs from N w_wheels by the drift of a sticking clutch, the rounding of about 1e3 steps */
  tap_near(drives, 0.0, 1e-9, "driving, the gears lose exactly 8 %% of the power through them");
  tap_near(driven, 0.0, 1e-9, "on the overrun the gears lose 8 %% of the wheels' power");
  tap_near(ledger, 0.0, 1e-9, "the ledger contains exactly the losses of the gears");
}

static double difference(const vd_sim *sim, int axle) {
  return sim->state.x[VD_S_SPIN + 2 * axle] - sim->state.x[VD_S_SPIN + 2 * axle + 1];
}

#define SPLIT "ground: {patches: [{friction: 0.15, y_to: 0}]}\n"

static void differentials(void) {
  /* a locked axle has equal speeds with any grip on its sides, with full throttle and with full brakes */
  static const char split[] =
      "vehicle: ../vehicles/fsk_formula.yaml\nrun: {duration: 5 s, level: L2}\n" SPLIT "initial: {speed: 5 m/s}\n"
      "throttle: {type: table, points: [[0, 0.6], [2, 0.6], [2.1, 0]]}\n"
      "brake: {type: table, points: [[0, 0], [2.5, 0], [2.6, 0.3]]}\n"
      "steer: {type: sine, amplitude: 0.03, frequency: 1 Hz}\n";
  double worst = 0.0, sizes = 0.0, torques = 0.0;
  scene *s = scene_make(split, NULL);
  for (int i = 0; i < 5000; i++) {
    vd_sim_step(&s->sim);
    keep(&worst, difference(&s->sim, VD_REAR));
    sizes = tap_max(sizes, fabs(s->sim.state.x[VD_S_SPIN + VD_RL]));
    torques = tap_max(torques, fabs(s->sim.eval.drive.drive_torque[VD_RL] - s->sim.eval.drive.drive_torque[VD_RR]));
  }
  /* equal accelerations differ by the rounding of a matrix product, about eps x size in each of 2e4 stages, added
   * linearly at worst */
  tap_near(worst, 0.0, 2e4 * 2.2e-16 * sizes, "a locked axle keeps one speed within %.1e rad/s over a split road",
           worst);
  tap_ok(torques > 50.0, "a locked axle over a split road transfers up to %.0f N m between its sides", torques);
  scene_free(s);

  worst = 0.0;
  double apart = 0.0;
  s = scene_make(split, "vehicle.drivetrain.rear_differential=open", NULL);
  for (int i = 0; i < 5000; i++) {
    vd_sim_step(&s->sim);
    keep(&worst, s->sim.eval.drive.drive_torque[VD_RL] - s->sim.eval.drive.drive_torque[VD_RR]);
    apart = tap_max(apart, fabs(difference(&s->sim, VD_REAR)));
  }
  tap_near(worst, 0.0, 1e-10, "an open differential gives both sides the same torque");
  tap_ok(apart > 1.0, "the sides of an open differential differ in speed by up to %.1f rad/s", apart);
  scene_free(s);

  /* Limited slip: a preload of 60 N m plus 40 N m s/rad times the difference is transferred from the faster to the
   * slower wheel, with any engine torque */
  static const char *const runs[] = {"throttle=0.8", "throttle=0",
                                     "throttle={type: table, points: [[0, 1], [0.4, 1], [0.401, 0]]}"};
  for (int k = 0; k < 3; k++) {
    double moved = 0.0, sign = -INFINITY;
    apart = 0.0;
    long slipping = 0, engine_off = 0;
    s = scene_make("vehicle: ../vehicles/sports.yaml\nrun: {duration: 4 s, level: L2}\n" SPLIT
                   "initial: {speed: 15 m/s}\nsteer: 0.05\n",
                   runs[k], "brake={type: table, points: [[0, 0], [2, 0], [2.1, 0.4]]}", "vehicle.brakes.abs=none",
                   NULL);
    for (int i = 0; i < 4000; i++) {
      vd_sim_step(&s->sim);
      double dw = difference(&s->sim, VD_REAR);
      const vd_eval *e = &s->sim.eval;
      if (s->sim.state.mode[VD_M_REAR] == 0.0 || fabs(dw) < 1e-6)
        continue;
      double more_on_slow = copysign(1.0, dw) * (e->drive.drive_torque[VD_RR] - e->drive.drive_torque[VD_RL]);
      keep(&moved, 0.5 * more_on_slow - (60.0 + 40.0 * fabs(dw)));
      keep_most(&sign, s->sim.rates[VD_S_WORK_DIFFERENTIALS]);
      apart = tap_max(apart, fabs(dw));
      slipping++;
      engine_off += e->drive.motor_torque == 0.0;
    }
    tap_ok(slipping > 200 && (k == 0 || engine_off > 200),
           "%s: the differential slips in %ld steps, %ld without engine, "
           "up to %.2f rad/s",
           runs[k], slipping, engine_off, apart);
    tap_near(moved, 0.0, 1e-9, "%s: transfers preload + ramp x difference from the faster to the slower wheel",
             runs[k]);
    tap_ok(sign < 0.0, "%s: a limited-slip differential always dissipates power (%.3g W at most)", runs[k], sign);
    scene_free(s);
  }

  /* The differential sticks as long as this requires less than the preload: on a circle so wide that the slips of both
   * tyres are nearly equal. With one speed, the yaw rate r on the track T gives both wheels the slips +-r T/(2 v) =
   * +-0.78 m/radius. The moment of a tyre, 16.5 x 3.4 kN x 0.33 m x 0.78 m/radius, is below 60 N m for a radius above
   * 240 m. */
  s = scene_make("vehicle: ../vehicles/sports.yaml\nrun: {duration: 6 s, level: L2}\ninitial: {speed: 10 m/s}\n"
                 "speed: 10 m/s\nsteer: {type: step, start: 0.5, rise: 1, value: 0.004}\n",
                 NULL);
  worst = 0.0;
  double held = 0.0;
  bool stuck = true;
  for (int i = 0; i < 6000; i++) {
    vd_sim_step(&s->sim);
    if (i < 100)
      continue;
    stuck &= s->sim.state.mode[VD_M_REAR] == 0.0;
    keep(&worst, difference(&s->sim, VD_REAR));
    held = tap_max(held, fabs(s->sim.eval.drive.coupling_torque[VD_M_REAR]));
  }
  tap_ok(stuck && held > 5.0 && held <= 60.0,
         "a differential below its preload sticks: it transmits up to %.1f of 60 N m", held);
  tap_near(worst, 0.0, 1e-9, "a differential that sticks has one speed at both outputs");
  scene_free(s);
}

/* Checks the race car with each of the three kinds of differential between its axles: each constrains speeds or torques
 * only by its definition. */
static void centre_differentials(void) {
  static const char *const kinds[] = {
      "vehicle.drivetrain.centre_differential=open", "vehicle.drivetrain.centre_differential=locked",
      "vehicle.drivetrain.centre_differential={type: limited_slip, preload: 100, ramp: 50}"};
  for (int level = 1; level <= 2; level++)
    for (int k = 0; k < 3; k++) {
      /* the front axle on ice at first */
      scene *s =
          scene_make("vehicle: ../vehicles/race_car.yaml\nrun: {duration: 3 s}\ninitial: {speed: 10 m/s}\n"
                     "throttle: {type: table, points: [[0, 0.7], [1.5, 0.7], [1.6, 0]]}\n"
                     "ground: {patches: [{friction: 0.2, x_from: 8, x_to: 30}]}\n",
                     level == 1 ? "run.level=L1" : "run.level=L2", kinds[k],
                     "vehicle.drivetrain.front_differential=open", "vehicle.drivetrain.rear_differential=open", NULL);
      double worst = 0.0, apart = 0.0, power = -INFINITY, ledger = 0.0;
      long slips = 0;
      for (int i = 0; i < 3000; i++) {
        vd_sim_step(&s->sim);
        vd_row row = scene_row(s);
        const vd_eval *e = &row.eval;
        double dw =
            0.5 * (e->motion.omega[VD_FL] + e->motion.omega[VD_FR] - e->motion.omega[VD_RL] - e->motion.omega[VD_RR]);
        double front = e->drive.drive_torque[VD_FL] + e->drive.drive_torque[VD_FR];
        double rear = e->drive.drive_torque[VD_RL] + e->drive.drive_torque[VD_RR];
        apart = tap_max(apart, fabs(dw));
        if (k == 0)
          keep(&worst, front - rear);
        else if (k == 1)
          keep(&worst, dw);
        else if (s->sim.state.mode[VD_M_CENTRE] != 0.0 && fabs(dw) > 1e-6) {
          keep(&worst, 0.5 * (rear - front) * copysign(1.0, dw) - (100.0 + 50.0 * fabs(dw)));
          slips++;
        }
        keep_most(&power, s->sim.rates[VD_S_WORK_DIFFERENTIALS]);
        keep(&ledger, e->log.ledger / (e->log.energy_kinetic + e->log.energy_spin));
      }
      static const char *const what[] = {"open, with equal torques", "locked, with equal speeds",
                                         "limited slip, with 100 + 50 dw"};
      tap_near(s->sim.status == VD_SIM_OK && (k != 2 || slips > 100) ? worst : NAN, 0.0, k == 1 ? 1e-9 : 1e-8,
               "L%d race car: the centre differential is %s (up to %.2f rad/s apart)", level, what[k], apart);
      tap_near(fmax(power / 700.0, 0.0), 0.0, 1e-9, "L%d race car: a centre differential %s, delivers no power", level,
               what[k]);
      tap_near(ledger, 0.0, 1e-4, "L%d race car, centre differential %s: the ledger closes to %.1e", level, what[k],
               ledger);
      scene_free(s);
    }
}

/* Checks that losses dissipate in every step, not only in the sum, and that the ledger closes, with every device. */
static void ledgers(void) {
  static const struct {
    const char *what, *text, *setting, *other;
    double allowed;
  } runs[] = {
      {"third gear, clutch stuck",
       "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 6 s}\ninitial: {speed: 20 m/s}\ngear: 3\n"
       "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 0.5 Hz}\n"
       "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n",
       NULL, NULL, 1e-6},
      {"spool, weave",
       "vehicle: ../vehicles/fsk_formula.yaml\nrun: {duration: 6 s}\ninitial: {speed: 12 m/s}\n"
       "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
       "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n",
       NULL, NULL, 1e-6},
      {"standing start through the gears", launch, NULL, NULL, 1e-4},
      {"standing start through the gears, transient slip", launch, "run.slip=transient", NULL, 1e-4},
      {"braking down through the gears, anti-lock, transient slip",
       "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 12 s}\ninitial: {speed: 45 m/s}\n"
       "brake: {type: ramp, rate: 0.1, duration: 8}\n",
       "run.slip=transient", "vehicle.brakes.abs=slip", 1e-4},
      {"limited slip on a split road",
       "vehicle: ../vehicles/sports.yaml\nrun: {duration: 5 s}\ninitial: {speed: 15 m/s}\nsteer: 0.03\n" SPLIT
       "throttle: {type: table, points: [[0, 1], [2, 1], [2.1, 0]]}\n"
       "brake: {type: table, points: [[0, 0], [3, 0], [3.1, 0.5]]}\n",
       NULL, NULL, 1e-4},
      {"three locked differentials on a split road",
       "vehicle: ../vehicles/race_car.yaml\nrun: {duration: 5 s}\ninitial: {speed: 15 m/s}\nsteer: 0.03\n" SPLIT
       "throttle: {type: table, points: [[0, 0.5], [2, 0.5], [2.1, 0]]}\n"
       "brake: {type: table, points: [[0, 0], [3, 0], [3.1, 0.5]]}\n",
       "vehicle.drivetrain={centre_differential: locked, front_differential: locked, rear_differential: locked, drive: "
       "all, "
       "max_torque: 700, ratio: 4.5, inertia: 0.12, efficiency: 0.95}",
       NULL, 1e-4},
  };
  static const enum vd_state losses[] = {VD_S_WORK_CLUTCH, VD_S_WORK_GEARS,  VD_S_WORK_DIFFERENTIALS,
                                         VD_S_WORK_BRAKE,  VD_S_WORK_DAMPER, VD_S_WORK_ROLLING};
  for (int level = 1; level <= 2; level++)
    for (size_t k = 0; k < VD_COUNT(runs); k++) {
      scene *s =
          scene_make(runs[k].text, level == 1 ? "run.level=L1" : "run.level=L2", runs[k].setting, runs[k].other, NULL);
      double worst = 0.0, kinetic = 0.0, gain = 0.0;
      int which = 0;
      long steps = lround(fmin(s->def.run.duration, 20.0) / s->def.run.step);
      for (long i = 0; i < steps && s->sim.status == VD_SIM_OK; i++) {
        vd_sim_step(&s->sim);
        vd_row row = scene_row(s);
        keep(&worst, row.eval.log.ledger);
        kinetic = tap_max(kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
        for (size_t n = 0; n < VD_COUNT(losses); n++)
          if (!(s->sim.rates[losses[n]] <= gain)) {
            gain = s->sim.rates[losses[n]];
            which = (int)losses[n];
          }
      }
      bool fine = s->sim.status == VD_SIM_OK;
      tap_near(fine ? worst / kinetic : NAN, 0.0, runs[k].allowed, "L%d, %s: the ledger closes to %.1e (<= %g)", level,
               runs[k].what, worst / kinetic, runs[k].allowed);
      /* the slip of a stuck coupling is rounding, at most 1e-9 rad/s; the power is this slip times the torque */
      tap_near(gain, 0.0, 1e-5, "L%d, %s: no loss delivers power in any step (%s %.1e W)", level, runs[k].what,
               vd_state_table[which].name, gain);
      scene_free(s);
    }
}

/* Checks that the mirrored road and steering give the mirrored motion. */
static void mirror(void) {
  static const char text[] = "vehicle: ../vehicles/sports.yaml\nrun: {duration: 5 s, level: L2, slip: transient}\n"
                             "initial: {speed: 15 m/s}\nthrottle: {type: table, points: [[0, 1], [2, 1], [2.1, 0]]}\n"
                             "brake: {type: table, points: [[0, 0], [3, 0], [3.1, 0.5]]}\n";
  scene *a = scene_make(text, "steer=0.03", "ground={patches: [{friction: 0.15, y_to: 0}]}", NULL);
  scene *b = scene_make(text, "steer=-0.03", "ground={patches: [{friction: 0.15, y_from: 0}]}", NULL);
  double worst = 0.0;
  for (int i = 0; i < 5000; i++) {
    vd_sim_step(&a->sim);
    vd_sim_step(&b->sim);
    const double *x = a->sim.state.x, *y = b->sim.state.x;
    keep(&worst, x[VD_S_VX] - y[VD_S_VX]);
    keep(&worst, x[VD_S_VY] + y[VD_S_VY]);
    keep(&worst, x[VD_S_YAW_RATE] + y[VD_S_YAW_RATE]);
    keep(&worst, x[VD_S_ACROSS] + y[VD_S_ACROSS]);
    for (int k = 0; k < VD_WHEELS; k++)
      keep(&worst, radius * (x[VD_S_SPIN + k] - y[VD_S_SPIN + vd_other_side(k)]));
  }
  /* the shafts are solved in the order of the wheels, so that the last bits differ; in a skid this difference doubles
   * several times per second */
  tap_near(worst, 0.0, 1e-8, "a mirrored split road with limited slip gives the mirrored run, within %.1e", worst);
  tap_ok(fabs(a->sim.state.x[VD_S_ACROSS]) > 0.1, "a run over a split road with limited slip is not straight");
  scene_free(a);
  scene_free(b);
}

int main(void) {
  tap_plan(6 + 2 + 4 + 3 + 14 + 8 + 3 + 3 + 4 + 9 + 2 + 18 + 28 + 2);
  scene *s = scene_make(launch, NULL);
  torque_map(&s->model.vehicle.drivetrain);
  ragged_map();
  limits(&s->model.vehicle.drivetrain);
  scene_free(s);
  motor_limits();
  spin_up();
  automatic();
  pull_away();
  efficiencies();
  differentials();
  centre_differentials();
  ledgers();
  mirror();
  return tap_done();
}
