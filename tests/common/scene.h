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
  vd_sim sim;
} scene;

/* Settings follow as "key=value" strings, NULL last. Prints the messages and exits if the text is refused. The grid is
 * that of a fixed step unless a setting "run.step=..." says otherwise, so that tests can look at the car every 1 ms. */
scene *scene_make(const char *yaml, ...);
void scene_free(scene *s);

/* Figures that follow from a vehicle's data. */
vd_masses masses_of(const vd_vehicle_def *v);
double sprung_yaw_inertia_of(const vd_vehicle_def *v); /* kg m2 */

/* Steps until t; ends the test with a TAP diagnostic if the run fails. */
void scene_run(scene *s, double t);

/* The present row. */
vd_row scene_row(scene *s);

/* To be called after the test has changed the state at t = 0: computes the rates again, and starts the ledger with this
 * state's energy. */
void scene_restart(scene *s);

/* Builds model and simulation of the definition again, at t = 0. */
void scene_build(scene *s);
/* The same with another step. */
void scene_restep(scene *s, double step);

#endif
