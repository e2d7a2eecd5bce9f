/* Cars on tyres of a property file, and on tyres that differ from left to right. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "vehicle: {base: ../vehicles/sedan.yaml, front: {wheel_radius: auto, tyre: ../tyres/mf61_synthetic.yaml},\n"
    "  rear: {wheel_radius: auto, tyre: ../tyres/mf61_synthetic.yaml}}\n"
    "run: {duration: 20 s}\n"
    "initial: {speed: 25 m/s}\n"
    "speed: 25 m/s\n";

/* The file's tyre has conicity and ply steer (PHY1, PVY1); the tyre of the other side is its mirror image, so that the
 * car runs straight, and its runs to the left and to the right are mirror images. L1 takes the mean of both sides. */
static void mirrored(const char *level, const char *slip) {
  char run[32], how[32];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(how, sizeof how, "run.slip=%s", slip);
  scene *straight = scene_make(text, run, how, NULL);
  scene_run(straight, 3.0);
  tap_near(scene_row(straight).eval.log.y, 0.0, 1e-9, "%s, %s: a tyre with plysteer on both sides runs straight", level,
           slip);
  scene *left = scene_make(text, run, how, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: 2 deg}", NULL);
  scene *right = scene_make(text, run, how, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: -2 deg}", NULL);
  double worst = 0.0, ledger = 0.0;
  for (int i = 1; i <= 30; i++) {
    scene_run(left, 0.1 * i);
    scene_run(right, 0.1 * i);
    vd_row a = scene_row(left), b = scene_row(right);
    worst = tap_max(worst, tap_max(fabs(a.eval.log.y + b.eval.log.y),
                                   fabs(a.eval.tyre.load[VD_FL] - b.eval.tyre.load[VD_FR]) / 1e4));
    ledger = tap_max(ledger, fabs(a.eval.log.ledger) / a.eval.log.energy_kinetic);
  }
  tap_near(worst, 0.0, 1e-9, "%s, %s: left and right turns are mirror images", level, slip);
  tap_near(ledger, 0.0, 1e-6, "%s, %s: the ledger closes", level, slip);
  scene_free(straight);
  scene_free(left);
  scene_free(right);
}

/* Checks the sum of all moments about the car's longitudinal axis at the height of the road (loads.c), with the
 * overturning moments of the tyres:
 *   sum (right - left load) T/2 = m ay h + sum(I (r w cos + w' sin)) + m g e_y + sum(Mx cos - My sin)
 * with sine and cosine of the wheels' steering angles, their spins w and the yaw rate r. */
static void overturning(void) {
  scene *s = scene_make(text, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: 2 deg}", NULL);
  scene_run(s, 5.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double moment = v->mass * e->body.ay * v->cg_height + v->mass * VD_GRAVITY * e->log.ey, carried = 0.0, tyres = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double cosine = cos(e->steering.angle[i]), sine = sin(e->steering.angle[i]),
           half = 0.5 * v->axle[vd_axle_of(i)].track;
    moment +=
        s->model.lanes.inertia[i] * (e->motion.omega[i] * e->motion.yaw_rate * cosine + e->spin.spin_accel[i] * sine);
    tyres += e->tyre.mx[i] * cosine - e->tyre.my[i] * sine;
    carried += (vd_is_right(i) ? half : -half) * e->tyre.load[i];
  }
  tap_ok(fabs(tyres) > 20.0, "in a turn the tyres' overturning moments are not negligible (%.0f N m)", tyres);
  tap_near(carried / (moment + tyres), 1.0, 1e-6, "the wheel loads carry the overturning moments of the tyres");
  scene_free(s);
}

static bool same(const double *a, const double *b) {
  return memcmp(a, b, VD_WHEELS * sizeof *a) == 0;
}

/* Checks that the forces of tyres computed together equal those of each tyre alone to the last bit, whatever the other
 * tyres are, and that four tyres at known loads give the same bits as the passes of a load loop. */
static void rows(void) {
  scene *s = scene_make(
      text, "vehicle.front.right_tyre=[scenarios/tyres/mf96_touring.yaml]",
      "vehicle.rear.right_tyre=[{base: scenarios/tyres/mf61_synthetic.yaml, pressure: 1.8 bar, friction: 0.9}]", NULL);
  const vd_tyre *t = s->model.vehicle.tyre;
  const vd_tyre *const row[][VD_WHEELS] = {{&t[0], &t[1], &t[2], &t[3]},
                                           {&t[1], &t[3], &t[1], &t[0]},
                                           {&t[0], &t[3], &t[3], &t[2]},
                                           {&t[1], &t[1], &t[1], &t[1]}};
  double kappa[] = {0.02, -0.1, 0.3, 0.0}, tangent[] = {0.1, -0.02, 0.0, 0.4}, vx[] = {20.0, -0.05, 3.0, 40.0};
  double camber[] = {0.02, 0.0, -0.05, 0.01}, friction[] = {1.0, 0.4, 0.8, 1.0}, load[] = {4000.0, 9000.0, 0.0, 30.0};
  const vd_contact contact = {.kappa = kappa, .tan_alpha = tangent, .vx = vx, .camber = camber};
  int different = 0, count = 0, at_once = 0;
  for (size_t k = 0; k < VD_COUNT(row); k++)
    for (int n = 1; n <= VD_WHEELS; n++) {
      vd_tyre_row four;
      vd_slide_row slide;
      vd_tyre_forces f;
      double mz[VD_WHEELS];
      vd_tyre_row_build(row[k], n, &four);
      vd_tyre_slide(&four, &contact, &slide);
      vd_tyre_force(&four, &slide, friction, load, &f);
      vd_tyre_moments(&four, &slide, load, vx, f.fy, mz);
      if (four.at_once && row[k][0]->model == VD_TYRE_MF) {
        vd_tyre_forces all;
        double moment[VD_WHEELS];
        vd_tyre_at_loads(&four, &contact, friction, load,
                         &(vd_tyre_results){.fx = all.fx, .fy = all.fy, .mx = all.mx, .my = all.my, .mz = moment});
        at_once +=
            same(all.fx, f.fx) && same(all.fy, f.fy) && same(all.mx, f.mx) && same(all.my, f.my) && same(moment, mz);
      }
      for (int i = 0; i < n; i++, count++) {
        vd_tyre_answer a;
        const vd_tyre_question q = {.kappa = kappa[i],
                                    .tan_alpha = tangent[i],
                                    .vx = vx[i],
                                    .camber = camber[i],
                                    .ground_friction = friction[i],
                                    .load = load[i],
                                    .radius = 0.3};
        vd_tyre_ask(row[k][i], &q, &a);
        different += a.fx != f.fx[i] || a.fy != f.fy[i] || a.mz != mz[i];
        if (row[k][i]->model == VD_TYRE_MF)
          different += a.mx != f.mx[i] || a.my != f.my[i];
      }
    }
  tap_ok(different == 0 && count == 40,
         "the forces of a car's tyres are those of each tyre alone to the last bit (%d differ)", different);
  tap_ok(at_once == 1, "four tyres at known loads have the forces and moments of the passes to the last bit");
  scene_free(s);
}

/* Checks that the automatic wheel radius is the rolling radius of the file at the static load. */
static void radius(void) {
  scene *s = scene_make(text, NULL);
  const vd_vehicle_def *v = &s->def.vehicle;
  double load = 0.5 * v->mass * VD_GRAVITY * (v->wheelbase - v->cg_to_front) / v->wheelbase;
  const vd_mf *m = &s->model.vehicle.tyre[VD_FL].as.mf;
  tap_near(v->axle[VD_FRONT].wheel_radius, vd_mf_rolling_radius(m, load, 0.0, m->pressure), 1e-15,
           "wheel_radius: auto is the rolling radius at static load");
  scene_free(s);
}

/* Checks that with less friction on the right tyre, braking turns the car to the left at L2 (L1 takes the mean of both
 * sides). */
static void right_tyre(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 5 s, level: L2}\ninitial: {speed: 25 m/s}\nbrake: 1\n",
      "vehicle.front.right_tyre=[{base: scenarios/tyres/mf96_touring.yaml, friction: 0.8}]", NULL);
  scene_run(s, 1.0);
  tap_ok(scene_row(s).eval.motion.yaw_rate > 0.01, "a right tyre with less friction: braking turns to the left");
  scene_free(s);
}

/* MF 5.2 without QSY1 and QSY2: its rolling moment R0 Fz (SVx + Kx SHx), here 0.32 m 20 PHX1 Fz, does not depend on the
 * direction of rotation. It drives the wheel forwards if PHX1 > 0, and backwards if PHX1 < 0. */
#define WITHOUT_QSY(phx1)                                                                                              \
  "{model: mf, properties: \"FITTYP = 6\\nUNLOADED_RADIUS = 0.32\\nFNOMIN = 4000\\nVERTICAL_STIFFNESS = 2e5\\n"        \
  "PCX1 = 1.6\\nPDX1 = 1\\nPKX1 = 20\\nPHX1 = " phx1 "\\nPCY1 = 1.3\\nPDY1 = 1\\nPKY1 = -15\\nPKY2 = 2\\n\"}"

static scene *coasting(const char *level, const char *tyre, double speed) {
  char run[32], front[512], rear[512], start[48];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(front, sizeof front, "vehicle.front.tyre=%s", tyre);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre=%s", tyre);
  snprintf(start, sizeof start, "initial.speed=%g", speed);
  return scene_make("vehicle: {base: ../vehicles/sedan_hardpoints.yaml, aero: {drag: 0}}\nrun: {duration: 20 s}\n", run,
                    front, rear, start, NULL);
}

/* Checks that the rolling moment of a car without drag that coasts on level ground never adds energy. */
static void drives_itself(const char *level) {
  scene *s = coasting(level, WITHOUT_QSY("0.0016"), 10.0);
  double power = -INFINITY, ledger = 0.0;
  for (int i = 1; i <= 20; i++) {
    scene_run(s, 0.25 * i);
    vd_row row = scene_row(s);
    for (int k = 0; k < VD_WHEELS; k++)
      power = tap_max(power, row.eval.tyre.my[k] * row.eval.motion.omega[k]);
    ledger = tap_max(ledger, fabs(row.eval.log.ledger) / row.eval.log.energy_kinetic);
  }
  tap_near(scene_row(s).eval.motion.vx, 10.0, 0.01, "%s: a rolling moment that drives does not drive the car", level);
  tap_ok(power <= 0.0 && ledger <= 1e-6, "%s: a driving rolling moment takes %.3g W, and the ledger closes (%.1e)",
         level, -power, ledger);
  scene_free(s);
}

/* With the other sign the moment is a rolling resistance, as the formula intends: m_all v' = -20 |PHX1| m g, where
 * m_all contains the wheels' inertias. Backwards this moment would drive. */
static void resists(void) {
  const double wheels = 4.0 * 2.048 / (0.32 * 0.32), share = 20.0 * 0.0016;
  scene *s = coasting("L2", WITHOUT_QSY("-0.0016"), 10.0);
  scene_run(s, 4.0);
  double lost = share * VD_GRAVITY * 1500.0 / (1500.0 + wheels) * 4.0;
  tap_near((10.0 - scene_row(s).eval.motion.vx) / lost, 1.0, 2e-3,
           "the rolling resistance of the shifts brakes the car");
  scene_free(s);
  s = coasting("L2", WITHOUT_QSY("-0.0016"), -10.0);
  scene_run(s, 4.0);
  tap_near(scene_row(s).eval.motion.vx, -10.0, 0.01,
           "the rolling resistance of the shifts does not drive the car backwards");
  scene_free(s);
}

/* At any spin and any speed of the contact the moment is continuous and opposes the spin. It has the formula's value
 * where this value is a resistance. A rig, which has no spin, shows the formula's value everywhere. */
static void spins(const char *tyre) {
  char front[512], rear[512];
  snprintf(front, sizeof front, "vehicle.front.tyre=%s", tyre);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre=%s", tyre);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\n", front, rear, NULL);
  const vd_tyre *t = &s->model.vehicle.tyre[VD_FL];
  static const double speeds[] = {-20.0, -0.5, 0.0, 0.5, 20.0};
  double jump = 0.0, power = -INFINITY, differs = 0.0;
  for (size_t k = 0; k < VD_COUNT(speeds); k++) {
    double before = NAN;
    const vd_tyre_question q = {.vx = speeds[k], .ground_friction = 1.0, .load = 4000.0};
    vd_tyre_answer rig;
    vd_tyre_ask(t, &q, &rig);
    for (int i = -2000; i <= 2000; i++) {
      double omega = 1e-3 * i, none = 0.0, friction = 1.0, load = 4000.0, fx, fy, mx, my, mz;
      const vd_contact contact = {.kappa = &none, .tan_alpha = &none, .vx = &speeds[k], .omega = &omega};
      const vd_tyre_results out = {.fx = &fx, .fy = &fy, .mx = &mx, .my = &my, .mz = &mz};
      vd_tyre_row row;
      vd_tyre_row_build(&t, 1, &row);
      vd_tyre_at_loads(&row, &contact, &friction, &load, &out);
      power = tap_max(power, my * omega);
      if (i > -2000)
        jump = tap_max(jump, fabs(my - before));
      if (fabs(omega) > 0.35)
        differs = tap_max(differs, fabs(my - (rig.my * omega < 0.0 ? rig.my : 0.0)));
      before = my;
    }
  }
  tap_ok(power <= 0.0 && jump <= 0.3 && differs == 0.0,
         "the moment opposes the spin (%.3g W), has no jump at rest (%.2g N m a step), and has the formula's value "
         "elsewhere",
         power, jump);
  scene_free(s);
}

/* The message has the moment and the power at the file's speed: 0.32 x 4000 x 0.032 = 41 N m at the nominal load, 82 N
 * m at twice the load, times 16.7/0.32 rad/s. */
static void warned(void) {
  static const char expected[] = "the rolling moment of this file drives the wheel: My = 81.9 N m, 4.28e+03 W, at 8000 "
                                 "N and 16.7 m/s (without QSY1 and QSY2 it follows from PHX and PVX); runs ignore it";
  scene *s = coasting("L2", WITHOUT_QSY("0.0016"), 10.0);
  enum vd_severity severity;
  vd_place at;
  const char *words = "";
  for (size_t i = 0; i < vd_diag_count(s->diag); i++)
    vd_diag_message(s->diag, i, &severity, &at, &words);
  tap_str(words, expected, "a file whose rolling moment drives gives a warning");
  vd_tyre_answer a;
  const vd_tyre_question q = {.vx = 16.7, .ground_friction = 1.0, .load = 4000.0};
  vd_tyre_ask(&s->model.vehicle.tyre[VD_FL], &q, &a);
  tap_near(a.my, 0.32 * 4000.0 * 20.0 * 0.0016, 1e-9, "a rig shows the formula's moment");
  scene_free(s);
  s = coasting("L2", WITHOUT_QSY("-0.0016"), 10.0);
  tap_ok(vd_diag_warnings(s->diag) == 0, "a rolling moment that resists gives no warning");
  scene_free(s);
}

int main(void) {
  static const char *const levels[] = {"L1", "L2", "L3", "L4", "L5"};
  tap_plan(4 * 3 + 2 + 1 + 2 + 1 + 5 * 2 + 2 + 2 + 3);
  mirrored("L1", "steady");
  mirrored("L1", "transient");
  mirrored("L2", "steady");
  mirrored("L2", "transient");
  overturning();
  rows();
  radius();
  right_tyre();
  for (size_t i = 0; i < VD_COUNT(levels); i++)
    drives_itself(levels[i]);
  resists();
  spins(WITHOUT_QSY("0.0016"));
  spins("scenarios/tyres/mf61_synthetic.yaml");
  warned();
  return tap_done();
}
