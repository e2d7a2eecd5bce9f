/* A car, or one of its controllers alone, as a functional mock-up unit: one instance, behind the functions of FMI 2.0
 * and 3.0. It uses the functions of vdsim.h and the files in the unit's folder of resources. From the rest of the
 * library it uses only the conversion of numbers and fmi/lone_controller.h.
 *
 * A variable is named by a reference, a whole number: 0 is the time, and 1 and above are the variables of variables.txt
 * in their order. Units are SI, as in vdsim.h. */
#ifndef VD_MOCKUP_H
#define VD_MOCKUP_H

#include "vdsim.h"

#include <stdbool.h>
#include <stdint.h>

/* SENSOR and REQUEST: an input of a controller without its car, with the name of a channel, and an output, with the
 * name of an input of a car. */
enum vd_mockup_kind {
  VD_MOCKUP_TIME,
  VD_MOCKUP_OUTPUT,
  VD_MOCKUP_INPUT,
  VD_MOCKUP_PARAMETER,
  VD_MOCKUP_SENSOR,
  VD_MOCKUP_REQUEST
};

typedef struct vd_mockup_variable {
  enum vd_mockup_kind kind;
  char *name; /* name of the channel, the input or the key of the scenario */
  /* index of the channel or the input in the library, or of the sensor or the request in its controller */
  size_t index;
  double value; /* present value of an input or a parameter */
  double start; /* value of the variable when the unit was exported */
  /* the input has had a value that differs from its start value; from then on the run uses its values */
  bool commands;
  bool pending; /* the input has a value that is not yet set in the run */
} vd_mockup_variable;

/* Phases of an instance, with the actions that they allow an importer. INSTANTIATED: set values; INITIALISING: set and
 * get values at the start; STEPPING: set inputs, get values, make steps; TERMINATED: get values. */
enum vd_mockup_phase { VD_MOCKUP_INSTANTIATED, VD_MOCKUP_INITIALISING, VD_MOCKUP_STEPPING, VD_MOCKUP_TERMINATED };

/* Sets of phases in which a function may be called. */
enum {
  VD_MOCKUP_BEFORE = 1 << VD_MOCKUP_INSTANTIATED,
  VD_MOCKUP_AT_START = 1 << VD_MOCKUP_INITIALISING,
  VD_MOCKUP_STEPS = 1 << VD_MOCKUP_STEPPING,
  VD_MOCKUP_AFTER = 1 << VD_MOCKUP_TERMINATED,
  VD_MOCKUP_CAN_SET = VD_MOCKUP_BEFORE | VD_MOCKUP_AT_START | VD_MOCKUP_STEPS,
  VD_MOCKUP_CAN_GET = VD_MOCKUP_AT_START | VD_MOCKUP_STEPS | VD_MOCKUP_AFTER,
  VD_MOCKUP_ALWAYS = VD_MOCKUP_BEFORE | VD_MOCKUP_CAN_GET
};

/* WARNED: the action succeeded, with a message. OVER: the run ended before the requested time. */
enum vd_mockup_status { VD_MOCKUP_GOOD, VD_MOCKUP_WARNED, VD_MOCKUP_OVER, VD_MOCKUP_ERROR };

/* Receives a message of the unit. */
typedef void vd_mockup_log(void *context, enum vd_mockup_status status, const char *text);

typedef struct vd_mockup {
  char *scenario; /* path of the scenario in the resources */
  char token[33]; /* identity of the export */
  vd_mockup_variable *variable;
  size_t variables;
  vd_case *of;
  vd_run *run; /* NULL: not built yet, or parameters were set since */
  enum vd_mockup_phase phase;
  double start;    /* time of the importer at which the run has t = 0, s */
  double stop;     /* the time up to which the importer will make steps, s; NAN: not given */
  double duration; /* of the scenario in the resources, s; the run lasts at least as long */
  /* Only for a unit that is a controller without its car: its kind ("" for a car), its index, the time since its start,
   * s, and the values of its sensors, [number of variables]. */
  char kind[32];
  size_t controller;
  double time, *sensed;
  bool pending; /* there may be pending inputs */
  vd_mockup_log *log;
  void *context;
} vd_mockup;

/* Makes an instance from a folder of resources. Returns NULL after a message if the resources cannot be read, if they
 * have another token, or if memory runs out. */
vd_mockup *vd_mockup_create(const char *resources, const char *token, vd_mockup_log *log, void *context);
void vd_mockup_free(vd_mockup *u); /* accepts NULL */

/* Sends a message. Returns `status`. */
enum vd_mockup_status vd_mockup_say(vd_mockup *u, enum vd_mockup_status status, const char *format, ...);

/* Sets inputs, and parameters before the steps begin, by their references. To set an input to its present value has no
 * effect, and splits no step. whole: the importer sets an integer; the variable must be of this type. */
enum vd_mockup_status vd_mockup_set(vd_mockup *u, uint32_t reference, bool whole, double value);
enum vd_mockup_status vd_mockup_get(vd_mockup *u, uint32_t reference, bool whole, double *value);
/* True if an input is an integer. */
bool vd_mockup_is_whole(const char *input);

/* Three functions change the phase. begin: INSTANTIATED to INITIALISING; start_steps: INITIALISING to STEPPING; reset:
 * back to INSTANTIATED. start, stop: s; stop NAN: not given by the importer. */
enum vd_mockup_status vd_mockup_begin(vd_mockup *u, double start, double stop);
enum vd_mockup_status vd_mockup_start_steps(vd_mockup *u);
enum vd_mockup_status vd_mockup_reset(vd_mockup *u);

/* Makes a step from `from` to `from + step`, s in the importer's time. */
enum vd_mockup_status vd_mockup_step(vd_mockup *u, double from, double step);
/* Returns the present time of the importer's clock, s. */
double vd_mockup_time(const vd_mockup *u);

/* The whole state of an instance as bytes, which another instance of the same unit can also restore. */
typedef struct vd_mockup_state {
  size_t size;
  unsigned char bytes[];
} vd_mockup_state;

/* Copies the state into *state, which is NULL or an earlier state, whose memory is used again. */
enum vd_mockup_status vd_mockup_state_take(vd_mockup *u, vd_mockup_state **state);
enum vd_mockup_status vd_mockup_state_return(vd_mockup *u, const vd_mockup_state *state);
/* Makes a state from its bytes, which must be complete, unchanged, and from the same unit. */
enum vd_mockup_status vd_mockup_state_read(vd_mockup *u, const void *bytes, size_t size, vd_mockup_state **state);

/* Adds categories of messages to a set of 1 << enum vd_mockup_status, or removes them; count 0: all categories. False:
 * a category is unknown. */
extern const char *const vd_mockup_categories[4]; /* by enum vd_mockup_status */
bool vd_mockup_log_categories(unsigned *set, bool on, size_t count, const char *const *category);

/* Returns an allocated copy; NULL: no memory. */
char *vd_mockup_copy(const char *text);
/* Returns the path of a folder, allocated. FMI 2.0 gives a URI, "file:///path", in which %20 is a blank, and FMI 3.0 a
 * path; importers mix them up. NULL: there is no memory. */
char *vd_mockup_folder(const char *text);

#endif
