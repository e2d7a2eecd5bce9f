/* Cars on property files as suppliers send them (tests/good_tir): none drives itself, and a load curve is the
 * spring. */
#include "scene.h"
#include "tap.h"

#include "tyre/load_curve.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

static scene *on(const char *level, const char *file, const char *more, double speed) {
  char run[32], front[512], rear[512], start[48];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(front, sizeof front, "vehicle.front.tyre={model: mf, file: tests/good_tir/%s}", file);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre={model: mf, file: tests/good_tir/%s}", file);
  snprintf(start, sizeof start, "initial.speed=%g", speed);
  return scene_make("vehicle: {base: ../vehicles/sedan_hardpoints.yaml, aero: {drag: 0}}\nrun: {duration: 20 s}\n", run,
                    front, rear, start, more, NULL);
}

/* Without drag the rolling resistance alone takes the speed: with QSY1 = 0.009 a = -0.009 g m/(m + J/R^2), a bit less
 * than 0.088 m/s2. */
static void coasts(const char *level) {
  DIR *folder = opendir("tests/good_tir");
  int count = 0, slower = 0;
  for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
    size_t length = strlen(e->d_name);
    if (length < 4 || strcmp(e->d_name + length - 4, ".tir") != 0)
      continue;
    scene *s = on(level, e->d_name, NULL, 10.0);
    bool falls = true;
    double before = 10.0, power = -INFINITY;
    for (int i = 1; i <= 4; i++) {
      scene_run(s, 0.25 * i);
      vd_row row = scene_row(s);
      falls = falls && row.eval.vx < before;
      before = row.eval.vx;
      for (int k = 0; k < VD_WHEELS; k++)
        power = fmax(power, row.eval.my[k] * row.eval.omega[k]);
    }
    bool good = falls && before > 9.85 && before < 9.99 && power < 0.0;
    if (!good)
      tap_diag("%s: %.6g m/s after 1 s, rolling power up to %.3g W", e->d_name, before, power);
    slower += good;
    count++;
    scene_free(s);
  }
  if (folder)
    closedir(folder);
  tap_ok(count > 40 && slower == count, "%s: a coasting car on each of %d property files loses speed", level, count);
}

/* At rest each tyre carries its static load at the deflection of the curve. The car that is dropped from its wheels'
 * free height by a sudden start of full braking keeps its energy balance, which has the curve's energy in it. */
static void spring(const char *level) {
  scene *s = on(level, "load_curve.tir", "vehicle.front.tyre.vertical_damping=0", 0.0), *moving;
  const vd_vehicle_def *v = &s->def.vehicle;
  double static_load = 0.5 * v->mass * VD_GRAVITY * (v->wheelbase - v->cg_to_front) / v->wheelbase;
  double deflection = vd_load_curve_deflection(&s->model.vehicle.tyre[VD_FL].as.mf.curve, static_load);
  vd_row row = scene_row(s);
  tap_near(row.eval.load[VD_FL] / static_load, 1.0, 1e-3,
           "%s: at rest a tyre with a load curve carries its static load", level);
  tap_near(row.eval.deflection[VD_FL] / deflection, 1.0, 1e-3, "%s: at the deflection of the curve", level);
  scene_free(s);
  moving = on(level, "load_curve.tir", "brake=1", 15.0);
  double ledger = 0.0, most = 0.0, least = INFINITY, off = 0.0;
  for (int i = 1; i <= 20; i++) {
    scene_run(moving, 0.05 * i);
    row = scene_row(moving);
    ledger = fabs(row.eval.ledger) <= ledger ? ledger : fabs(row.eval.ledger); /* keeps a NaN */
    most = fmax(most, row.eval.load[VD_FL]);
    least = fmin(least, row.eval.load[VD_RL]);
  }
  vd_load_point at = vd_load_curve_at(&moving->model.vehicle.tyre[VD_FL].as.mf.curve, row.eval.deflection[VD_FL]);
  off = fabs(row.eval.load[VD_FL] - at.force) / at.force;
  tap_ok(most > 1.2 * static_load && least < 0.9 * static_load && off < 0.05,
         "%s: braking loads it up to %.0f N along its curve (damping apart, %.3f off)", level, most, off);
  tap_ok(ledger <= 1e-4 * 0.5 * moving->def.vehicle.mass * 225.0,
         "%s: the ledger closes with the energy of the curve (%.2g J)", level, ledger);
  scene_free(moving);
}

int main(void) {
  static const char *const levels[] = {"L3", "L4", "L5"};
  tap_plan(2 + 3 * 4);
  coasts("L1");
  coasts("L3");
  for (size_t i = 0; i < VD_COUNT(levels); i++)
    spring(levels[i]);
  return tap_done();
}
