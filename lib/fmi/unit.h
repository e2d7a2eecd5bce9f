/* A car as a functional mock-up unit: one instance, behind the functions of FMI 2.0 and 3.0. It uses what vdsim.h
 * declares and the files in the unit's folder of resources, and nothing else of the library.
 *
 * A variable is named by a reference, a whole number: 0 is the time, and 1 and above are the lines of variables.txt.
 * Units are SI, as in vdsim.h. */
#ifndef VD_UNIT_H
#define VD_UNIT_H

#include "vdsim.h"

#include <stdbool.h>
#include <stdint.h>

enum vd_unit_kind { VD_UNIT_TIME, VD_UNIT_OUTPUT, VD_UNIT_INPUT, VD_UNIT_PARAMETER };

typedef struct vd_unit_variable {
  enum vd_unit_kind kind;
  char *name;    /* of the channel, the input or the key of the scenario */
  size_t index;  /* of the channel or the input in the library */
  double value;  /* present value of an input or a parameter */
  double start;  /* its value when the unit was exported */
  bool commands; /* an input that has once had another value than its start value: from then on it is set in the run */
  bool pending;  /* an input whose value has not been set in the run yet */
} vd_unit_variable;

/* What an importer may do next. INSTANTIATED: set values; INITIALISING: set and get values at the start; STEPPING: set
 * inputs, get values, make steps; TERMINATED: get values. */
enum vd_unit_phase { VD_UNIT_INSTANTIATED, VD_UNIT_INITIALISING, VD_UNIT_STEPPING, VD_UNIT_TERMINATED };

/* Sets of phases, for functions that may be called in some of them. */
enum {
  VD_UNIT_BEFORE = 1 << VD_UNIT_INSTANTIATED,
  VD_UNIT_AT_START = 1 << VD_UNIT_INITIALISING,
  VD_UNIT_STEPS = 1 << VD_UNIT_STEPPING,
  VD_UNIT_AFTER = 1 << VD_UNIT_TERMINATED,
  VD_UNIT_CAN_SET = VD_UNIT_BEFORE | VD_UNIT_AT_START | VD_UNIT_STEPS,
  VD_UNIT_CAN_GET = VD_UNIT_AT_START | VD_UNIT_STEPS | VD_UNIT_AFTER,
  VD_UNIT_ALWAYS = VD_UNIT_BEFORE | VD_UNIT_CAN_GET
};

/* GOOD; WARNED: done, with a message; OVER: the run has reached an end before the time that was asked for; ERROR. */
enum vd_unit_status { VD_UNIT_GOOD, VD_UNIT_WARNED, VD_UNIT_OVER, VD_UNIT_ERROR };

/* Receives a message of the unit. */
typedef void vd_unit_log(void *context, enum vd_unit_status status, const char *text);

typedef struct vd_unit {
  char *scenario; /* path of the scenario in the resources */
  char token[33]; /* identity of the export */
  vd_unit_variable *variable;
  size_t variables;
  vd_case *of;
  vd_run *run; /* NULL: not built yet, or parameters were set since */
  enum vd_unit_phase phase;
  double start;    /* time of the importer at which the run has t = 0, s */
  double stop;     /* the time up to which the importer wants to step, s; NAN: it has not said */
  double duration; /* of the scenario in the resources, s; the run lasts at least as long */
  vd_unit_log *log;
  void *context;
} vd_unit;

/* Makes an instance from a folder of resources. Returns NULL after a message if they cannot be read, if they are not
 * those of `token`, or if memory runs out. */
vd_unit *vd_unit_create(const char *resources, const char *token, vd_unit_log *log, void *context);
void vd_unit_free(vd_unit *u); /* accepts NULL */

/* Sends a message. Returns `status`. */
enum vd_unit_status vd_unit_say(vd_unit *u, enum vd_unit_status status, const char *format, ...);

/* Sets inputs, and parameters before the steps begin, by their references. A value that the variable already has
 * changes nothing: the input does not command, and makes no corner. whole: the importer takes the variable for a whole
 * number; it must be of that type. */
enum vd_unit_status vd_unit_set(vd_unit *u, uint32_t reference, bool whole, double value);
enum vd_unit_status vd_unit_get(vd_unit *u, uint32_t reference, bool whole, double *value);
/* Whether an input is a whole number. */
bool vd_unit_is_whole(const char *input);

/* The phases. stop: NAN if the importer has not said. */
enum vd_unit_status vd_unit_begin(vd_unit *u, double start, double stop);
enum vd_unit_status vd_unit_start_steps(vd_unit *u);
enum vd_unit_status vd_unit_reset(vd_unit *u);

/* Makes a step from `from` to `from + step`, s in the importer's time. */
enum vd_unit_status vd_unit_step(vd_unit *u, double from, double step);
/* The present time of the importer's clock. */
double vd_unit_time(const vd_unit *u);

/* The whole state of an instance as bytes, which another instance of the same unit can take, too. */
typedef struct vd_unit_state {
  size_t size;
  unsigned char bytes[];
} vd_unit_state;

/* Copies the state into *state, which is NULL or an earlier state, whose memory is used again. */
enum vd_unit_status vd_unit_state_take(vd_unit *u, vd_unit_state **state);
enum vd_unit_status vd_unit_state_return(vd_unit *u, const vd_unit_state *state);
/* Makes a state of bytes that were one; they must be whole and unchanged, and of the same unit. */
enum vd_unit_status vd_unit_state_read(vd_unit *u, const void *bytes, size_t size, vd_unit_state **state);

/* Adds categories of messages to a set of 1 << enum vd_unit_status, or removes them; count 0: all. False: one of them is
 * unknown. */
extern const char *const vd_unit_categories[4]; /* by enum vd_unit_status */
bool vd_unit_log_categories(unsigned *set, bool on, size_t count, const char *const *category);

/* Returns an allocated copy; NULL: no memory. */
char *vd_unit_copy(const char *text);
/* Returns the path in a URI "file:///path", in which %20 is a blank, allocated; NULL: it is none, or no memory. */
char *vd_unit_folder_of_uri(const char *uri);

#endif
