/* One controller of a scenario without its car: the contents of a unit that other programs connect to their own car.
 *
 * It decides at t = 0 and then once in every period, as in a run, with the values that its sensors have at that
 * instant. A sensor keeps its lag, noise and resolution, and a request keeps its delay. */
#ifndef VD_LONE_CONTROLLER_H
#define VD_LONE_CONTROLLER_H

#include "vdsim_impl.h"

/* Returns the index of the controller of a kind in the list of the scenario; VD_NONE: the scenario has none of this
 * kind, or it is a unit of another tool. */
size_t vd_lone_find(const vd_case *c, const char *kind);
/* Returns the definition of the controller: its sensors, requests and period. */
const vd_controller_def *vd_lone_def(const vd_case *c, size_t controller);

/* Starts the controller anew at t = 0. The run must be at t = 0, and must not be advanced afterwards. False: the
 * controller fails; vd_lone_failure returns the reason. */
bool vd_lone_start(vd_run *run);
/* Makes the controller's decisions from the time `from' on and before `to', s. sensed: values of the channels of its
 * sensors, in SI. */
bool vd_lone_decide(vd_run *run, size_t controller, double from, double to, const double *sensed);
/* Returns the controller's request j, in SI: the value that acts until the time t, s. */
double vd_lone_request(const vd_run *run, size_t controller, size_t j, double t);
const char *vd_lone_failure(const vd_run *run);

#endif
