/* Transient slip on a rig: the car's motion is prescribed and only the tread deflections move, so that their motion is
 * known in closed form.
 *
 *   sigma w' = s - (|V| + |s|/K) w,   slip = w/(1 - |w|/K) + tau w',   s = (R omega - Vx, -Vy)
 *
 * with w the deflection divided by sigma, K the slip at which the initial slope reaches the friction limit.
 *
 * From rest at constant s the settled slip is s/|V|, exactly; at small slip the force after the distance x is 1 -
 * exp(-x/sigma) (1 - tau |V|/sigma) of the settled force, with the time tau of the standstill damper, which fades as
 * 1/(1 + V^2)^2. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

static double between(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

/* A car whose motion is prescribed. */
typedef struct rig {
  const vd_model *model;
  vd_command command;
  double mode[VD_MODES];
  double x[VD_STATES];
  vd_eval eval;
} rig;

static rig rig_make(const scene *s) {
  rig r = {.model = &s->model, .command = s->sim.command};
  memcpy(r.x, s->sim.state.x, sizeof r.x);
  memcpy(r.mode, s->sim.state.mode, sizeof r.mode);
  return r;
}

static void rig_rates(void *context, int stage, const double *x, double *dx) {
  rig *r = context;
  (void)stage;
  vd_model_rates(r->model, &r->command, x, r->mode, &r->eval, dx);
  for (int i = 0; i < VD_STATES; i++)
    if (i < VD_S_DEFLECTION_X || i >= VD_S_DEFLECTION_Y + VD_WHEELS)
      dx[i] = 0.0;
}

static void rig_run(rig *r, double seconds, int steps) {
  double dx[VD_STATES];
  rig_rates(r, 0, r->x, dx);
  for (int i = 0; i < steps; i++) {
    vd_rk4(rig_rates, r, seconds / steps, VD_STATES, dx, r->x);
    rig_rates(r, 0, r->x, dx);
  }
}

/* Sets a motion with wheels at slip kappa relative to the straight motion. */
static void rig_move(rig *r, double vx, double vy, double yaw_rate, double kappa) {
  r->x[VD_S_VX] = vx;
  r->x[VD_S_VY] = vy;
  r->x[VD_S_YAW_RATE] = yaw_rate;
  for (int i = 0; i < r->model->lanes.count; i++)
    r->x[VD_S_SPIN + i] = (vx + kappa * fabs(vx)) / r->model->lanes.radius[i];
}

static const char *const cars[] = {"vehicle=scenarios/vehicles/sedan.yaml",
                                   "vehicle=scenarios/vehicles/fsk_formula.yaml"};
static const char *const levels[] = {"run.level=L1", "run.level=L2"};
static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 10 m/s}\n";

/* Checks that settled transient slip is the steady slip, at any size, forwards and backwards: compares forces of two
 * models at the same motion. */
static void equivalence(void) {
  for (int level = 0; level < 2; level++)
    for (int car = 0; car < 2; car++)
      for (int linear = 0; linear < 2; linear++) {
        const char *tyre = linear ? "vehicle.front.tyre=scenarios/tyres/linear_80.yaml" : "ground.type=flat";
        scene *transient = scene_make(text, cars[car], levels[level], tyre, "run.slip=transient", NULL);
        /* a short step for a low slip floor, below 0.1 m/s */
        scene *steady =
            scene_make(text, cars[car], levels[level], tyre, "run.slip=steady", "run.step=1e-5", "log.rate=1000", NULL);
        double worst = 0.0, slips = 0.0;
        /* this car on linear tyres takes a second, and is tried at one of the levels */
        const bool out = car == 1 && linear && tap_left_out(2, level, 2);
        for (int round = 0; round < 24; round++) {
          rig a = rig_make(transient), b = rig_make(steady);
          double vx = (round % 2 ? -1.0 : 1.0) * exp(between(log(1.0), log(50.0))), side = between(-1.0, 1.0);
          double kappa = between(-1.2, 1.2), yaw_rate = between(-0.3, 0.3);
          if (out)
            continue; /* the numbers of the others do not depend on it */
          rig_move(&a, vx, side * side * side * vx, yaw_rate, kappa * kappa * kappa);
          rig_move(&b, vx, side * side * side * vx, yaw_rate, kappa * kappa * kappa);
          /* with the longest relaxation length exp(-17) = 4e-8 of the initial deflection remains; the fastest rate is
           * |V| (1 + |s|/K)/sigma_x */
          double slip = hypot(2.0 * kappa * kappa * kappa, side * side * side) + 0.05, least = INFINITY;
          for (int i = 0; i < a.model->lanes.count; i++)
            least = tap_min(least, a.model->slip.relax[i].span);
          rig_run(&a, 17.0 * 0.6 / fabs(vx), (int)(17.0 * 0.6 / 0.10 * (1.0 + slip / least)));
          double dx[VD_STATES];
          vd_model_rates(b.model, &b.command, b.x, b.mode, &b.eval, dx);
          for (int i = 0; i < a.model->lanes.count; i++) {
            double load = b.model->balance.weight / b.model->lanes.count;
            keep(&worst, (a.eval.tyre.fx[i] - b.eval.tyre.fx[i]) / load);
            keep(&worst, (a.eval.tyre.fy[i] - b.eval.tyre.fy[i]) / load);
            keep(&slips, (a.eval.slip.kappa[i] - b.eval.slip.kappa[i]) / (1.0 + fabs(b.eval.slip.kappa[i])));
            keep(&slips,
                 (a.eval.slip.tan_alpha[i] - b.eval.slip.tan_alpha[i]) / (1.0 + fabs(b.eval.slip.tan_alpha[i])));
          }
        }
        if (!out) {
          const char *tyres = linear ? ", linear tyres in front" : "";
          tap_near(worst, 0.0, 1e-6, "%s, %s%s: settled forces are the steady forces, within %.1e of the load",
                   levels[level] + 10, cars[car] + 27, tyres, worst);
          tap_near(slips, 0.0, 1e-6, "%s, %s%s: settled slips are the steady slips", levels[level] + 10, cars[car] + 27,
                   tyres);
        }
        scene_free(transient);
        scene_free(steady);
      }
}

/* Checks the damper's time: the lesser of 2 x 0.7/sqrt(k/m), k = sum of C_kappa/sigma, and 1/(h fastest), fastest = max
 * of (C_kappa/sigma) R^2/I. */
static void damper_time(void) {
  static const double load[] = {0.5 * 1500.0 * VD_GRAVITY * 1.5 / 2.7, 0.5 * 1500.0 * VD_GRAVITY * 1.2 / 2.7};
  double k = 0.0, fastest = 0.0;
  for (int i = 0; i < 2; i++) {
    double wheel = 16.5 * (1.0 - 0.15 * (load[i] / 4000.0 - 1.0)) * load[i] / 0.15;
    k += 2.0 * wheel;
    fastest = tap_max(fastest, wheel * 0.32 * 0.32 / 2.048);
  }
  double expected = fmin(1.4 / sqrt(k / 1500.0), 1.0 / (0.001 * fastest));
  for (int level = 0; level < 2; level++) {
    scene *s = scene_make(text, levels[level], "run.slip=transient", NULL);
    tap_near(s->model.slip.relax[0].damper_time / expected, 1.0, 1e-12,
             "%s: the standstill damper has the time %.2f ms, as by hand", levels[level] + 10, 1e3 * expected);
    scene_free(s);
  }
}

/* Checks the step response as a function of distance, lateral and longitudinal, forwards and backwards. The slip of
 * 1e-6 changes the exponential by slip/K, about 1e-5; with V h/sigma = 1/200 per step the error of RK4 is
 * negligible. */
static void step_responses(void) {
  static const double speeds[] = {0.2, 1.0, 5.0, 20.0, 60.0};
  for (int level = 0; level < 2; level++)
    for (int car = 0; car < 2; car++)
      for (int side = 0; side < 2; side++) {
        scene *s = scene_make(text, cars[car], levels[level], "run.slip=transient",
                              "vehicle.aero={drag: 0.3, frontal_area: 2}", NULL);
        double sigma = car == 0 ? (side ? 0.60 : 0.15) : (side ? 0.25 : 0.10), worst = 0.0, right = INFINITY;
        const double slip = 1e-6;
        for (size_t k = 0; k < VD_COUNT(speeds); k++)
          for (int direction = -1; direction <= 1; direction += 2) {
            rig r = rig_make(s);
            double v = direction * speeds[k], h = sigma / fabs(v) / 200.0;
            rig_move(&r, v, side ? slip * fabs(v) : 0.0, 0.0, side ? 0.0 : slip);
            double fade = 1.0 / ((1.0 + v * v) * (1.0 + v * v)), tau = s->model.slip.relax[0].damper_time * fade;
            rig end = r;
            rig_run(&end, 30.0 * sigma / fabs(v), 6000);
            for (int n = 0; n < 600; n++) {
              double expected = 1.0 - exp(-n / 200.0) * (1.0 - tau * fabs(v) / sigma);
              rig_run(&r, 0.0, 0);
              for (int i = 0; i < s->model.lanes.count; i++)
                keep(&worst,
                     (side ? r.eval.tyre.fy[i] / end.eval.tyre.fy[i] : r.eval.tyre.fx[i] / end.eval.tyre.fx[i]) -
                         expected);
              rig_run(&r, h, 1);
            }
            /* a wheel that slides to the left is pushed to the right; a wheel that spins faster than it rolls is pushed
             * ahead */
            for (int i = 0; i < s->model.lanes.count; i++)
              right = tap_min(right, side ? -end.eval.tyre.fy[i] : end.eval.tyre.fx[i]);
          }
        /* |w|/K changes the force by slip/K <= 1e-6/0.08 through the rate, and as much through the slip */
        tap_near(worst, 0.0, 2.0 * slip / 0.08 + 1e-9, "%s, %s: %s force rises as 1 - exp(-x/sigma), 0.2 to 60 m/s",
                 levels[level] + 10, cars[car] + 27, side ? "side" : "driving");
        tap_ok(right > 0.0, "%s, %s: the force opposes the slip", levels[level] + 10, cars[car] + 27);
        scene_free(s);
      }
}

/* A car with equal axles runs backwards as its mirror image runs forwards: x -> -x changes the signs of vx, yaw rate,
 * spins, fx, Mz and longitudinal deflections and exchanges the axles. */
static void mirror(void) {
#define AXLES(of, with)                                                                                                \
  { "vehicle.front.tyre" of, "vehicle.rear.tyre" of, with }
  static const struct {
    const char *front, *rear, *with;
  } tyres[] = {AXLES(".pneumatic_trail=0", ""), AXLES(".pneumatic_trail=0.05", " with trail"),
               AXLES("=scenarios/tyres/tmeasy_touring.yaml", ", tmeasy"),
               AXLES("=scenarios/tyres/brush_touring.yaml", ", brush"),
               AXLES("=scenarios/tyres/fiala_touring.yaml", ", fiala")};
  static const int other[] = {2, 3, 0, 1}, other_axle[] = {1, 0};
  for (int level = 0; level < 2; level++)
    for (int slip = 0; slip < 2; slip++)
      for (size_t kind = 0; kind < sizeof tyres / sizeof *tyres; kind++) {
        scene *s = scene_make(text, levels[level], slip ? "run.slip=transient" : "run.slip=steady",
                              "vehicle.cg_to_front=1.35", "vehicle.brakes={max_torque: 6000, front_share: 0.5}",
                              "vehicle.aero={drag: 0.3, frontal_area: 2.2}", tyres[kind].front, tyres[kind].rear, NULL);
        double force = 0.0, moment = 0.0, motion = 0.0;
        int n = s->model.lanes.count;
        for (int round = 0; round < 500; round++) {
          rig a = rig_make(s), b = rig_make(s);
          double da[VD_STATES], db[VD_STATES], vx = between(-20.0, 20.0);
          rig_move(&a, vx, between(-0.1, 0.1) * vx, between(-0.3, 0.3), between(-0.05, 0.05));
          memcpy(b.x, a.x, sizeof b.x);
          for (int i = 0; i < n; i++) {
            int k = n == 4 ? other[i] : other_axle[i];
            a.x[VD_S_DEFLECTION_X + i] = between(-0.02, 0.02);
            a.x[VD_S_DEFLECTION_Y + i] = between(-0.02, 0.02);
            b.x[VD_S_DEFLECTION_X + k] = -a.x[VD_S_DEFLECTION_X + i];
            b.x[VD_S_DEFLECTION_Y + k] = a.x[VD_S_DEFLECTION_Y + i];
            b.x[VD_S_SPIN + k] = -a.x[VD_S_SPIN + i];
            b.mode[VD_M_BRAKE + k] = -a.mode[VD_M_BRAKE + i];
          }
          b.x[VD_S_VX] = -a.x[VD_S_VX];
          b.x[VD_S_YAW_RATE] = -a.x[VD_S_YAW_RATE];
          vd_model_rates(a.model, &a.command, a.x, a.mode, &a.eval, da);
          vd_model_rates(b.model, &b.command, b.x, b.mode, &b.eval, db);
          for (int i = 0; i < n; i++) {
            int k = n == 4 ? other[i] : other_axle[i];
            keep(&force, a.eval.tyre.fx[i] + b.eval.tyre.fx[k]);
            keep(&force, a.eval.tyre.fy[i] - b.eval.tyre.fy[k]);
            keep(&force, a.eval.tyre.load[i] - b.eval.tyre.load[k]);
            keep(&moment, a.eval.tyre.mz[i] + b.eval.tyre.mz[k]);
            keep(&motion, 0.01 * (a.eval.spin.spin_accel[i] + b.eval.spin.spin_accel[k]));
          }
          keep(&motion, a.eval.body.ax + b.eval.body.ax);
          keep(&motion, a.eval.body.ay - b.eval.body.ay);
          keep(&motion, a.eval.body.yaw_accel + b.eval.body.yaw_accel);
        }
        const char *name = slip ? "transient" : "steady", *with = tyres[kind].with;
        /* the load loop closes to 1e-11 of the weight */
        tap_near(force, 0.0, 1e-6, "%s, %s slip%s: backwards and forwards agree, forces within %.1e N",
                 levels[level] + 10, name, with, force);
        tap_near(moment, 0.0, 1e-6, "%s, %s slip%s: backwards and forwards aligning moments agree within %.1e N m",
                 levels[level] + 10, name, with, moment);
        tap_near(motion, 0.0, 1e-8, "%s, %s slip%s: backwards and forwards accelerations agree within %.1e",
                 levels[level] + 10, name, with, motion);
        scene_free(s);
      }
}

/* Checks in whole runs that settled steady cornering is equal with transient and with steady slip. */
static void steady_cornering(void) {
  for (int level = 0; level < 2; level++)
    for (int car = 0; car < 2; car++) {
      double end[2][4];
      for (int slip = 0; slip < 2; slip++) {
        scene *s =
            scene_make(text, cars[car], levels[level], slip ? "run.slip=transient" : "run.slip=steady",
                       "run.duration=40 s", "speed=10 m/s", "steer={type: step, start: 0, rise: 1, value: 0.05}", NULL);
        scene_run(s, 40.0);
        end[slip][0] = s->sim.eval.motion.vx;
        end[slip][1] = s->sim.eval.motion.vy;
        end[slip][2] = s->sim.eval.motion.yaw_rate;
        end[slip][3] = s->sim.eval.body.ay;
        scene_free(s);
      }
      double worst = 0.0;
      for (int i = 0; i < 4; i++)
        keep(&worst, (end[1][i] - end[0][i]) / (i == 0 ? 10.0 : 1.0));
      tap_near(worst, 0.0, 1e-6, "%s, %s: steady cornering with transient slip equals that with steady slip (%.1e)",
               levels[level] + 10, cars[car] + 27, worst);
    }
}

/* Checks that an L1 axle of two tyres with relaxation lengths of 0.6 and 0.3 m responds as with 0.45 m. */
static void mean_of_axle(void) {
  scene *s = scene_make(
      text, "run.level=L1", "run.slip=transient",
      "vehicle.front.right_tyre=[{base: scenarios/tyres/mf96_touring.yaml, relaxation_lateral: 0.3 m}]", NULL);
  rig r = rig_make(s);
  rig_move(&r, 10.0, 1e-5, 0.0, 0.0);
  rig end = r;
  rig_run(&end, 30.0 * 0.45 / 10.0, 6000);
  rig_run(&r, 0.45 / 10.0, 200);
  /* the standstill damper has faded to tau/1e4 s, and changes it by tau V/(1e4 sigma) */
  tap_near(r.eval.tyre.fy[VD_FRONT] / end.eval.tyre.fy[VD_FRONT], 1.0 - exp(-1.0), 1e-4,
           "L1: an axle has the mean of the relaxation lengths of its two tyres");
  scene_free(s);
}

/* Returns a relaxation length by the files' formulas at the nominal pressure, upright: slip stiffness 4.E15 or 4.E25
 * divided by the carcass stiffness, or PTX and PTY of MF 5.2, where PTX3 has MFeval's sign. */
static double formula(const vd_mf_def *d, double load, bool side) {
  double u = load / d->fnomin, df = u - 1.0;
  if (d->ptx1 > 0.0 && !side)
    return load / d->fnomin * (d->ptx1 + d->ptx2 * df) * exp(-d->ptx3 * df) * d->unloaded_radius;
  if (d->pty1 > 0.0 && side)
    return d->pty1 * sin(2.0 * atan(load / (d->pty2 * d->fnomin))) * d->unloaded_radius;
  return side ? -d->pky1 * d->fnomin * sin(d->pky4 * atan(u / d->pky2)) / (d->lateral_stiffness * (1.0 + d->pcfy1 * df))
              : load * (d->pkx1 + d->pkx2 * df) * exp(d->pkx3 * df) /
                    (d->longitudinal_stiffness * (1.0 + d->pcfx1 * df));
}

/* Returns a sedan, in a turn of about 5 m/s2, whose property file has its own relaxation lengths. */
static scene *turning(vd_mf_def *file, bool carcass, const char *level) {
  scene *s = scene_make("vehicle: {base: ../vehicles/sedan.yaml, front: {tyre: ../tyres/mf61_synthetic.yaml},\n"
                        "  rear: {tyre: ../tyres/mf61_synthetic.yaml}}\n"
                        "run: {duration: 20 s, slip: transient}\n"
                        "initial: {speed: 20 m/s}\n"
                        "events: [{when: time, time: 8, brake: 0.5}]\n"
                        "speed: 20 m/s\n"
                        "steer: {type: step, start: 0, rise: 2, value: 2.3 deg}\n",
                        level, NULL);
  *file = *s->def.vehicle.axle[VD_FRONT].tyre.as.mf.figures;
  if (carcass) {
    file->longitudinal_stiffness = 3.5e5;
    file->lateral_stiffness = 1.4e5;
    file->pcfx1 = 0.1;
    file->pcfy1 = 0.15;
  } else {
    file->fittyp = 51.0; /* PTX and PTY belong to MF 5.2 */
    file->ptx1 = 0.9;
    file->ptx2 = 0.3;
    file->ptx3 = -0.2;
    file->pty1 = 2.1;
    file->pty2 = 2.0;
  }
  s->def.vehicle.axle[VD_FRONT].tyre.as.mf.figures = s->def.vehicle.axle[VD_REAR].tyre.as.mf.figures = file;
  scene_restep(s, 0.001);
  return s;
}

/* Measures relaxation lengths in a prescribed motion with a small step of side slip or spin: w' = (s - (|V| + |s|/K)
 * w)/sigma is linear, so that the deviation that remains after a time gives sigma. Returns the worst deviation from the
 * file's length at the wheel's present load; `outer`: the least amount by which the lengths of the outer tyres exceed
 * the static ones. */
static double measured(const scene *s, const vd_mf_def *file, bool side, double *outer) {
  rig r = rig_make(s);
  const int state = side ? VD_S_DEFLECTION_Y : VD_S_DEFLECTION_X, n = s->model.lanes.count;
  const double seconds = 0.01, more = 1e-3;
  double from[VD_WHEELS], worst = 0.0;
  if (side)
    r.x[VD_S_VY] += more * r.x[VD_S_VX];
  for (int i = 0; i < n && !side; i++)
    r.x[VD_S_SPIN + i] *= 1.0 + more;
  rig_run(&r, 0.0, 0);
  memcpy(from, r.x + state, sizeof from);
  rig_run(&r, seconds, 100);
  *outer = INFINITY;
  for (int i = 0; i < n; i++) {
    const vd_relax *relax = &s->model.slip.relax[i];
    double v = fabs(r.eval.contact.vx_contact[i]), sx = r.eval.slip.slip_x[i], sy = r.eval.slip.slip_y[i];
    double renewal = v + hypot(sx, sy) / relax->span, end = (side ? sy : sx) / renewal;
    double sigma = renewal * seconds / log((from[i] - end) / (r.x[state + i] - end));
    double load = r.eval.tyre.load[i] / s->model.lanes.wheels;
    keep(&worst, sigma / formula(file, load, side) - 1.0);
    if (n == 2 || i % 2 == 1)
      *outer = tap_min(*outer, sigma / (side ? relax->length_y : relax->length_x) - 1.0);
  }
  return worst;
}

/* Checks the lengths in a left turn, where the outer tyres are on the right. */
static void present_load(void) {
  for (int carcass = 0; carcass < 2; carcass++) {
    const char *name = carcass ? "carcass" : "PTX, PTY";
    vd_mf_def file;
    scene *s = turning(&file, carcass, "run.level=L2");
    scene_run(s, 7.9);
    for (int side = 0; side < 2; side++) {
      double outer, worst = measured(s, &file, side, &outer);
      tap_near(worst, 0.0, 0.01, "%s: each tyre has the %s relaxation length of its present load (%.1e off)", name,
               side ? "side" : "longitudinal", worst);
      tap_ok(outer > 0.05, "%s: the relaxation lengths of the outer tyres are %.0f %% or more above the static lengths",
             name, 100.0 * outer);
    }
    scene_run(s, 16.0);
    vd_row row = scene_row(s);
    tap_ok(fabs(row.eval.motion.vx) < 0.01, "%s: the car brakes to a stop in the turn", name);
    /* 0.5 x 1500 kg x (20 m/s)^2 = 300 kJ */
    tap_near(row.eval.log.ledger, 0.0, 1e-6 * 3e5, "%s: the ledger closes (%.1e J)", name, row.eval.log.ledger);
    scene_free(s);
  }
  vd_mf_def file;
  scene *s = turning(&file, true, "run.level=L1");
  scene_run(s, 10.0);
  double outer, worst = measured(s, &file, true, &outer);
  tap_near(worst, 0.0, 0.01, "L1, braking: each axle responds with the length of its present load (%.1e off)", worst);
  scene_free(s);
}

/* Checks that below a hundredth of the nominal load a file's length is constant, and that it is 1 mm where the fit
 * falls below zero. */
static void no_load(void) {
  vd_mf_def file;
  scene *s = turning(&file, true, "run.level=L2");
  double x, y;
  vd_tyre_relaxation(&s->model.vehicle.tyre[0], 0.0, &x, &y);
  tap_near(x / formula(&file, 0.01 * file.fnomin, false), 1.0, 1e-9,
           "without load the longitudinal length is that of 1 %% of the nominal load");
  tap_near(y / formula(&file, 0.01 * file.fnomin, true), 1.0, 1e-9,
           "without load the lateral length is that of 1 %% of the nominal load");
  file.fittyp = 51.0;
  file.ptx1 = 0.3;
  file.ptx2 = 0.9;
  scene_restep(s, 0.001);
  vd_tyre_relaxation(&s->model.vehicle.tyre[0], 0.0, &x, &y);
  tap_near(x, 1e-3, 0.0, "the length of a fit that falls below zero is 1 mm");
  scene_free(s);
  s = scene_make(text, "vehicle.front.tyre=scenarios/tyres/mf61_synthetic.yaml", "run.slip=transient", NULL);
  tap_ok(s->model.transient && !s->model.lengths_by_load, "a file without relaxation lengths has constant lengths");
  scene_free(s);
}

/* Checks that the lengths of tyres computed together equal those of each tyre alone, to the last bit: two files of MF
 * 6.1 at two inflation pressures and one beside a tyre of another model. */
static void lengths_of_rows(void) {
  static const char *const rear[] = {"{model: mf, file: scenarios/tyres/sport_255_40r18.tir}",
                                     "scenarios/tyres/fiala_touring.yaml"};
  for (size_t k = 0; k < VD_COUNT(rear); k++) {
    char tyre[128];
    snprintf(tyre, sizeof tyre, "vehicle.rear.tyre=%s", rear[k]);
    scene *s = scene_make(text, "run.slip=transient",
                          "vehicle.front.tyre={model: mf, file: scenarios/tyres/touring_225_50r17.tir}",
                          "vehicle.front.tyre.pressure=2.1 bar", tyre, NULL);
    const vd_tyre_row *row = &s->model.lanes.row;
    bool same = true;
    for (int round = 0; round < 1000; round++) {
      double load[VD_WHEELS], x[VD_WHEELS], y[VD_WHEELS], x1, y1;
      for (int i = 0; i < row->count; i++)
        load[i] = between(-500.0, 15e3);
      vd_tyre_relaxations(row, load, x, y);
      for (int i = 0; i < row->count; i++) {
        vd_tyre_relaxation(row->each[i], load[i], &x1, &y1);
        same &= x[i] == x1 && y[i] == y1;
      }
    }
    tap_ok(same, "relaxation lengths of four tyres at once, rear %s, are those of each tyre alone", rear[k]);
    scene_free(s);
  }
}

int main(void) {
  tap_plan(16 + 2 + 16 + 60 + 4 + 1 + 2 * 6 + 1 + 4 + 2);
  equivalence();
  damper_time();
  step_responses();
  mirror();
  steady_cornering();
  mean_of_axle();
  present_load();
  no_load();
  lengths_of_rows();
  return tap_done();
}
