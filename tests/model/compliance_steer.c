/* Compliance steer of driven and braked wheels at L4, by the second solver's columns: the force of a driven wheel acts
 * at its centre, that of a braked one at the contact. */
#include "balance_corner.h"
#include "scene.h"
#include "suspension/corner_def.h"
#include "tap.h"

#include <math.h>

enum { REAR_LEFT = 2 };

static const double radius = 0.32; /* m, of the sedan's wheels */

/* Slopes of the wheel's turn to the left, rad, by differences of the second solver. */
typedef struct columns {
  double centre, contact, side, moment; /* 1/N, 1/N, 1/N, 1/(N m) */
} columns;

static double slope(balance_rig *r, double *load, double size) {
  double toe[2];
  for (int k = 0; k < 2; k++) {
    *load = k ? size : -size;
    toe[k] = balance_solve(&r->scene, 1) ? balance_toe(&r->scene, r->wheel) : NAN;
  }
  *load = 0.0;
  return -(toe[1] - toe[0]) / (2.0 * size) * VD_PI / 180.0;
}

static columns five_link_columns(void) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  balance_rig r;
  bool read = vd_corner_read("scenarios/suspensions/5link_rear_sports.yaml", NULL, 0, arena, d, &corner, NULL);
  corner.points.static_radius = radius;
  balance_corner(&corner, 0.0, NAN, &r);
  r.wheel->support = SUPPORT_CENTRE;
  columns c = {slope(&r, &r.wheel->centre_force[0], 20.0), slope(&r, &r.wheel->force[0], 20.0),
               slope(&r, &r.wheel->force[1], 20.0), slope(&r, &r.wheel->moment[2], 2.0)};
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return read ? c : (columns){NAN, NAN, NAN, NAN};
}

static const char straight[] = "vehicle: ../vehicles/sedan.yaml\n"
                               "run: {duration: 2 s, level: L4, compliance: true}\n"
                               "initial: {speed: 20 m/s}\n";

/* The compliance steer of the rear left wheel and what makes it, by the column of its longitudinal force. */
static void compare(const char *input, bool braked, const char *what) {
  const columns c = five_link_columns();
  scene *s = scene_make(straight, input, "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",
                        "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml", NULL);
  scene_run(s, 1.0);
  const vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  double fx = e->fx[REAR_LEFT];
  double held = e->brake_torque[REAR_LEFT] / radius; /* N, the part of fx whose moment the brake holds */
  double expected = c.centre * (fx - held) + c.contact * held + c.side * e->fy[REAR_LEFT] + c.moment * e->mz[REAR_LEFT];
  /* slopes by differences: of motions of 1e-5, to a thousandth */
  tap_near(fabs(fx) > 500.0 ? e->compliance_steer[REAR_LEFT] / expected : NAN, 1.0, 1e-3, "%s: fx %.0f N", what, fx);
  tap_near(held / fx, braked ? 1.0 : 0.0, 0.1, "%s: what the brake holds, but for the wheel's inertia", what);
  scene_free(s);
}

int main(void) {
  tap_plan(4);
  compare("throttle=0.8", false, "driven by a shaft");
  compare("brake=0.3", true, "braked on its knuckle");
  return tap_done();
}
