/* The controllers of a run: when they decide, and which requests act.
 *
 * A controller decides at t = 0 and then once in every period. It reads its sensors at that instant. A sensor applies
 * to the value of its channel first the lag, from one decision to the next, then the noise, then the resolution. The
 * requests of a decision act one delay later, until those of the next decision act. Decisions are stored by their
 * number: if a step is repeated from a copy of the simulation (vd_sim), the stored numbers are used, and the controller
 * is not called. */
#ifndef VD_CONTROLS_H
#define VD_CONTROLS_H

#include "base/text.h"
#include "control/controller_def.h"

/* Greatest numbers of controllers of a run, and of sensors and requests of a controller. */
enum { VD_CONTROLLERS = 16, VD_SENSORS = 64, VD_REQUESTS = 64 };

typedef struct vd_control vd_control;

typedef struct vd_controls {
  size_t count;
  vd_control *each; /* [count] */
  vd_controller_car car;
  char failure[240]; /* reason why a controller failed; "": none did */
} vd_controls;

/* Makes the controllers of a list of vd_controller_def, which must outlive them. step: s, of the grid. NULL: the list
 * is empty. vd_controls_start must be called before any other function. */
vd_controls *vd_controls_create(const vd_structs *def, const vd_controller_car *car, double step);
void vd_controls_destroy(vd_controls *c); /* accepts NULL */

/* Starts all controllers at t = 0; may be called again. False: a controller fails. */
bool vd_controls_start(vd_controls *c);

const vd_controller_def *vd_controls_def(const vd_controls *c, size_t i);

/* True if controller i decides at this step of the grid. */
bool vd_controls_due(const vd_controls *c, size_t i, long step);
/* Makes the decision of controller i that is due at this step. sensed: values of the sensors' channels. False: the
 * controller fails. */
bool vd_controls_decide(vd_controls *c, size_t i, long step, const double *sensed);
/* True if the acting requests of controller i change at this step. */
bool vd_controls_turn(const vd_controls *c, size_t i, long step);
/* vd_controls_start_value returns request j of controller i before its first decision acts, in the unit of the input.
 * vd_controls_request returns the request that acts at a step of the grid; *rate: its rate per second. */
double vd_controls_start_value(const vd_controls *c, size_t i, size_t j);
double vd_controls_request(const vd_controls *c, size_t i, size_t j, long step, double *rate);

/* Returns the modes of controller i by wheel that belong to the requests which act at this step; NULL: it has no
 * modes. */
const double *vd_controls_modes(const vd_controls *c, size_t i, long step);

/* Two functions save the state of all controllers as bytes, and restore it. False: a controller cannot save or restore
 * its state. */
bool vd_controls_save(vd_controls *c, vd_buf *out);
bool vd_controls_restore(vd_controls *c, const void *bytes, size_t size);

#endif
