/* Cars on property files as suppliers send them (tests/good_tir): no rolling moment drives a car, and a load curve is
 * the tyre's spring. */
#include "scene.h"
#include "tap.h"

#include "tyre/load_curve.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

/* Returns a car on a tyre, which is a mapping or the name of a tyre file. */
static scene *on_tyre(const char *level, const char *tyre, double speed, const char *const more[3]) {
  char run[32], front[600], rear[600], start[48];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(front, sizeof front, "vehicle.front.tyre=%s", tyre);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre=%s", tyre);
  snprintf(start, sizeof start, "initial.speed=%g", speed);
  return scene_make("vehicle: {base: ../vehicles/sedan_hardpoints.yaml, aero: {drag: 0}}\nrun: {duration: 20 s}\n", run,
                    front, rear, start, more[0], more[1], more[2], NULL);
}

static scene *on(const char *level, const char *file, const char *more, double speed) {
  char tyre[512];
  snprintf(tyre, sizeof tyre, "{model: mf, file: tests/good_tir/%s}", file);
  return on_tyre(level, tyre, speed, (const char *const[3]){more});
}

/* ---- coasting ---- */

enum slip { STEADY, RELAXATION, LUGRE, SLIPS };
static const char *const slip_names[SLIPS] = {"steady slip", "relaxation lengths", "bristles"};
static const char *const slip_settings[SLIPS][3] = {
    {NULL},
    {"run.slip=transient"},
    {"run.slip=transient", "vehicle.front.tyre.transient=lugre", "vehicle.rear.tyre.transient=lugre"}};

typedef struct coast {
  double speed;    /* m/s, after a second */
  double power;    /* W, greatest power of the rolling moments */
  bool falls, has; /* the speed falls in each quarter; the tyres have a rolling moment */
} coast;

static coast coast_on(const char *level, const char *tyre, enum slip slip) {
  scene *s = on_tyre(level, tyre, 10.0, slip_settings[slip]);
  coast c = {.speed = 10.0, .power = -INFINITY, .falls = true};
  for (int i = 1; i <= 4; i++) {
    scene_run(s, 0.25 * i);
    vd_row row = scene_row(s);
    c.falls = c.falls && row.eval.motion.vx < c.speed;
    c.speed = row.eval.motion.vx;
    for (int k = 0; k < VD_WHEELS; k++) {
      c.power = tap_max(c.power, row.eval.tyre.my[k] * row.eval.motion.omega[k]);
      c.has = c.has || row.eval.tyre.my[k] != 0.0;
    }
  }
  scene_free(s);
  return c;
}

/* Writes the tyre in a file of a folder as a setting; false if the file is no tyre. The name of a property file begins
 * with the name of its model, except for mf. */
static bool tyre_in(const char *folder, const char *name, char *tyre, size_t size) {
  size_t length = strlen(name);
  bool property = length > 4 && strcmp(name + length - 4, ".tir") == 0;
  bool keys = length > 5 && strcmp(name + length - 5, ".yaml") == 0 && strncmp(name, "fit_", 4) != 0;
  int model = (int)strcspn(name, "_");
  if (keys)
    snprintf(tyre, size, "%s/%s", folder, name);
  else if (strcmp(folder, "tests/good_adams") == 0)
    snprintf(tyre, size, "{model: %.*s, file: %s/%s}", model, name, folder, name);
  else
    snprintf(tyre, size, "{model: mf, file: %s/%s}", folder, name);
  return keys || property;
}

/* Checks cars that coast without drag. Only the rolling resistance decelerates: with QSY1 = 0.009 by a = -0.009 g m/(m
 * + J/R^2), slightly less than 0.088 m/s2; all rolling resistances are between 0.8 % and 1.6 % of the load. On a tyre
 * without rolling resistance the speed is constant, except for the drag of the curves' shifts and the millijoules with
 * which the body settles on its springs: 1e-6 m/s are 15 mJ. */
static void coasts(const char *folder, const char *level, enum slip slip, int least) {
  DIR *all = opendir(folder);
  int count = 0, good = 0;
  for (struct dirent *e = all ? readdir(all) : NULL; e; e = readdir(all)) {
    char tyre[512];
    if (!tyre_in(folder, e->d_name, tyre, sizeof tyre))
      continue;
    coast c = coast_on(level, tyre, slip);
    bool slows =
        c.has ? c.falls && c.speed > 9.84 && c.speed < 9.99 && c.power < 0.0 : c.speed > 9.9 && c.speed <= 10.0 + 1e-6;
    if (!slows)
      tap_diag("%s: %.12g m/s after 1 s, rolling power up to %.3g W", tyre, c.speed, c.power);
    good += slows;
    count++;
  }
  if (all)
    closedir(all);
  tap_ok(count >= least && good == count, "%s, %s: a coasting car on each of %d tyres of %s loses speed", level,
         slip_names[slip], count, folder);
}

/* Checks that at rest each tyre carries its static load at the deflection of the curve, and that the ledger with the
 * energy of the curve closes in a run with sudden full braking. */
static void spring(const char *level) {
  scene *s = on(level, "load_curve.tir", "vehicle.front.tyre.vertical_damping=0", 0.0), *moving;
  const vd_vehicle_def *v = &s->def.vehicle;
  double static_load = 0.5 * v->mass * VD_GRAVITY * (v->wheelbase - v->cg_to_front) / v->wheelbase;
  double deflection = vd_load_curve_deflection(&s->model.vehicle.tyre[VD_FL].as.mf.curve, static_load);
  vd_row row = scene_row(s);
  tap_near(row.eval.tyre.load[VD_FL] / static_load, 1.0, 1e-3,
           "%s: at rest a tyre with a load curve carries its static load", level);
  tap_near(row.eval.contact.deflection[VD_FL] / deflection, 1.0, 1e-3,
           "%s: a tyre with a load curve at rest has the deflection of the curve", level);
  scene_free(s);
  moving = on(level, "load_curve.tir", "brake=1", 15.0);
  double ledger = 0.0, most = 0.0, least = INFINITY, off = 0.0;
  for (int i = 1; i <= 20; i++) {
    scene_run(moving, 0.05 * i);
    row = scene_row(moving);
    ledger = tap_max(ledger, fabs(row.eval.log.ledger));
    most = tap_max(most, row.eval.tyre.load[VD_FL]);
    least = tap_min(least, row.eval.tyre.load[VD_RL]);
  }
  vd_load_point at =
      vd_load_curve_at(&moving->model.vehicle.tyre[VD_FL].as.mf.curve, row.eval.contact.deflection[VD_FL]);
  off = fabs(row.eval.tyre.load[VD_FL] - at.force) / at.force;
  tap_ok(most > 1.2 * static_load && least < 0.9 * static_load && off < 0.05,
         "%s: braking loads a tyre up to %.0f N along its curve (without damping, %.3f off)", level, most, off);
  tap_ok(ledger <= 1e-4 * 0.5 * moving->def.vehicle.mass * 225.0,
         "%s: the ledger closes with the energy of the curve (%.2g J)", level, ledger);
  scene_free(moving);
}

int main(void) {
  static const char *const levels[] = {"L3", "L4", "L5"};
  static const struct {
    const char *folder;
    int tyres;
  } all[] = {{"tests/good_tir", 42}, {"tests/good_adams", 33}, {"scenarios/tyres", 12}, {"validation/data/tyre", 13}};
  tap_unpack("good_tir good_adams");
  tap_plan(2 * SLIPS * 4 + 3 * 4);
  for (size_t i = 0; i < VD_COUNT(all); i++)
    for (enum slip slip = STEADY; slip < SLIPS; slip++) {
      coasts(all[i].folder, "L1", slip, all[i].tyres);
      coasts(all[i].folder, "L3", slip, all[i].tyres);
    }
  for (size_t i = 0; i < VD_COUNT(levels); i++)
    spring(levels[i]);
  return tap_done();
}
