/* Cars on tyres of a property file, and on tyres that differ from left to right. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const char *const text =
    "vehicle: {base: ../vehicles/sedan.yaml, front: {wheel_radius: auto, tyre: ../tyres/mf61_synthetic.yaml},\n"
    "  rear: {wheel_radius: auto, tyre: ../tyres/mf61_synthetic.yaml}}\n"
    "run: {duration: 20 s}\n"
    "initial: {speed: 25 m/s}\n"
    "speed: 25 m/s\n";

/* The file's tyre has conicity and plysteer of its own (PHY1, PVY1); mounted left and right it is its own mirror image,
 * so the car runs straight, and steered to the other side it does the mirrored thing. L1 takes the mean of both
 * sides. */
static void mirrored(const char *level, const char *slip) {
  char run[32], how[32];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(how, sizeof how, "run.slip=%s", slip);
  scene *straight = scene_make(text, run, how, NULL);
  scene_run(straight, 3.0);
  tap_near(scene_row(straight).eval.y, 0.0, 1e-9, "%s, %s: a tyre with plysteer on both sides runs straight", level,
           slip);
  scene *left = scene_make(text, run, how, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: 2 deg}", NULL);
  scene *right = scene_make(text, run, how, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: -2 deg}", NULL);
  double worst = 0.0, ledger = 0.0;
  for (int i = 1; i <= 30; i++) {
    scene_run(left, 0.1 * i);
    scene_run(right, 0.1 * i);
    vd_row a = scene_row(left), b = scene_row(right);
    worst = fmax(worst, fmax(fabs(a.eval.y + b.eval.y), fabs(a.eval.load[VD_FL] - b.eval.load[VD_FR]) / 1e4));
    ledger = fmax(ledger, fabs(a.eval.ledger) / a.eval.energy_kinetic);
  }
  tap_near(worst, 0.0, 1e-9, "%s, %s: left and right mirror each other", level, slip);
  tap_near(ledger, 0.0, 1e-6, "%s, %s: the ledger closes", level, slip);
  scene_free(straight);
  scene_free(left);
  scene_free(right);
}

/* All moments about the car's long axis at the height of the road (loads.c), with the overturning moments of the tyres:
 *   sum (right - left load) T/2 = m ay h + r sum(I w cos) + m g e_y + sum(Mx cos - My sin) */
static void overturning(void) {
  scene *s = scene_make(text, "steer={type: step, start: 0.2 s, rise: 0.2 s, value: 2 deg}", NULL);
  scene_run(s, 5.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double moment = v->mass * e->ay * v->cg_height + v->mass * VD_GRAVITY * e->ey, carried = 0.0, tyres = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double cosine = cos(e->angle[i]), sine = sin(e->angle[i]), half = 0.5 * v->axle[i / 2].track;
    moment += s->model.lanes.inertia[i] * (e->omega[i] * e->yaw_rate * cosine + e->spin_accel[i] * sine);
    tyres += e->mx[i] * cosine - e->my[i] * sine;
    carried += (i % 2 ? half : -half) * e->load[i];
  }
  tap_ok(fabs(tyres) > 20.0, "in a turn the tyres' overturning moments count (%.0f N m)", tyres);
  tap_near(carried / (moment + tyres), 1.0, 1e-6, "and the loads carry them");
  scene_free(s);
}

/* Tyres of a row get the same bits as alone, whatever the other tyres are. */
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
  int different = 0, count = 0;
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
  tap_ok(different == 0 && count == 40, "tyres of one car are the same as alone to the last bit (%d differ)",
         different);
  scene_free(s);
}

/* The automatic wheel radius is the rolling radius of the file at the static load. */
static void radius(void) {
  scene *s = scene_make(text, NULL);
  const vd_vehicle_def *v = &s->def.vehicle;
  double load = 0.5 * v->mass * VD_GRAVITY * (v->wheelbase - v->cg_to_front) / v->wheelbase;
  const vd_mf *m = &s->model.vehicle.tyre[VD_FL].as.mf;
  tap_near(v->axle[VD_FRONT].wheel_radius, vd_mf_rolling_radius(m, load, 0.0, m->pressure), 1e-15,
           "wheel_radius: auto is the rolling radius at static load");
  scene_free(s);
}

/* A softer right tyre turns the car to its stiffer side when it brakes, and only at L2 can one see that. */
static void right_tyre(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 5 s, level: L2}\ninitial: {speed: 25 m/s}\nbrake: 1\n",
      "vehicle.front.right_tyre=[{base: scenarios/tyres/mf96_touring.yaml, friction: 0.8}]", NULL);
  scene_run(s, 1.0);
  tap_ok(scene_row(s).eval.yaw_rate > 0.01, "a right tyre with less friction: braking turns to the left");
  scene_free(s);
}

int main(void) {
  tap_plan(4 * 3 + 2 + 1 + 1 + 1);
  mirrored("L1", "steady");
  mirrored("L1", "transient");
  mirrored("L2", "steady");
  mirrored("L2", "transient");
  overturning();
  rows();
  radius();
  right_tyre();
  return tap_done();
}
