/* A scenario for tests, from text and settings, ready to step. References in the text are relative to scenarios/iso:
 * vehicle: ../vehicles/sedan.yaml. The working directory is the top of the tree. */
#ifndef VD_SCENE_H
#define VD_SCENE_H

#include "run/scenario.h"

typedef struct scene {
  vd_arena *arena;
  vd_diag *diag;
  vd_scenario_def def;
  vd_model model;
  vd_controls *controls; /* NULL: none */
  vd_sim sim;
} scene;

/* Makes a scene. Settings follow as "key=value" strings, NULL last. If the text is refused, the messages are printed
 * and the program exits. It also exits after a message that a key has no effect, because a case with this key would be
 * the same as one without it; a string "no effect: WORDS" among the settings says that the test expects this message.
 * The grid has fixed steps of 1 ms unless a setting "run.step=..." changes it, so that tests can read the car every
 * 1 ms. */
scene *scene_make(const char *yaml, ...);
void scene_free(scene *s);

/* Return the masses, and the yaw inertia of the sprung mass, that follow from a vehicle's data. */
vd_masses masses_of(const vd_vehicle_def *v);
double sprung_yaw_inertia_of(const vd_vehicle_def *v); /* kg m2 */

/* Steps until t, s, or until the run fails, which a TAP diagnostic reports. */
void scene_run(scene *s, double t);

/* Returns the present row. */
vd_row scene_row(scene *s);

/* Computes the rates again, and starts the ledger with the energy of the present state. A test calls it after it has
 * changed the state at t = 0. */
void scene_restart(scene *s);

/* Builds model and simulation of the definition again, at t = 0. */
void scene_build(scene *s);
/* Builds model and simulation again with another fixed step, s. */
void scene_restep(scene *s, double step);

#endif
