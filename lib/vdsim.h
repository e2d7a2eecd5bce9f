/* libvdsim: vehicle dynamics scenarios run from a program. The manual page is vdsim(3).
 *
 *     vd_case *scenario;                             what a file says, checked; several runs may share it
 *     vd_run *run;                                   one car on its way: model, state, time
 *     vd_load_file("step_steer.yaml", NULL, 0, &scenario);
 *     vd_build(scenario, 0, &run);                   the run stands at t = 0
 *     size_t steer = vd_input_find("steer"), rate = vd_channel_find(scenario, "yaw_rate_radps");
 *     for (int k = 1; vd_advance(run, 0.01 * k) == VD_OK; k++)
 *       vd_set(run, steer, 0.1 * (0.2 - vd_value(run, rate)));
 *     vd_run_free(run);
 *     vd_case_free(scenario);
 *
 * Units are SI and radians. Axes are ISO 8855, right-handed: x forward, y left, z up; roll > 0 lifts the left side,
 * pitch > 0 lowers the nose, yaw > 0 turns left. Wheels come in the order front left, front right, rear left, rear
 * right.
 *
 * Errors: a function that can fail returns a vd_status. A NULL handle is VD_BAD_ARGUMENT; functions that return a value
 * give 0, NULL, NaN or VD_NONE for it. Nothing is printed, nothing exits. Memory that runs out is VD_NO_MEMORY; what
 * can then still be done with the handle is to free it. Two things end the program by abort(): an assertion, which is a
 * defect of the library, and memory that runs out inside GSL, whose error handler is the program's own to choose
 * (gsl_set_error_handler).
 *
 * Strings belong to the handle that they come from and last until it is freed, but where a function says less.
 *
 * Threads: there is no state outside the handles. Different runs may be used on different threads at the same time,
 * also runs of one case; one run is for one thread at a time. A case is not changed after it is loaded. The bytes of a
 * run do not depend on what other threads do. Floating-point arithmetic must be as C starts it: rounding to nearest,
 * subnormal numbers kept. */
#ifndef VDSIM_H
#define VDSIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VD_API __attribute__((visibility("default")))
#else
#define VD_API
#endif

/* Version of the functions and structs of this header; the shared library's soname carries it. It grows when an old
 * program would break. */
#define VD_ABI 0

typedef enum vd_status {
  VD_OK = 0,
  VD_OVER,      /* the run has reached its end: its duration, its lowest speed, or an event that ends it */
  VD_FAILED,    /* the run ended early: see vd_run_failure */
  VD_BAD_INPUT, /* the scenario has errors: see vd_message_at */
  /* a NULL pointer, an index that does not exist, a number that is not finite, a time that has passed */
  VD_BAD_ARGUMENT,
  VD_BAD_VALUE,   /* out of the range of an input: see vd_input_range */
  VD_UNAVAILABLE, /* this run cannot do that */
  VD_MISMATCH,    /* a saved state of another scenario, version or machine, or a damaged one */
  VD_NO_MEMORY
} vd_status;

#define VD_NONE ((size_t)-1) /* an index that says: there is none */

/* "0.1.0": version of the library that runs, which need not be that of this header. */
VD_API const char *vd_version_string(void);
/* VD_ABI of the library that runs. */
VD_API int vd_abi(void);
/* "out of memory"; never NULL. */
VD_API const char *vd_status_text(vd_status status);

/* ---- a case: a scenario as read and checked ---- */

typedef struct vd_case vd_case;

/* Reads a scenario file of kind vehicle or four_post and all that it refers to; vdsim-scenario(5). settings: `count`
 * texts "vehicle.mass=1600 kg" like those of vdsim-run --set, in their order; NULL with count 0. "-" is standard input.
 * *out is a case that runs (VD_OK), a case that has only messages (VD_BAD_INPUT), or NULL. Free it in both cases. */
VD_API vd_status vd_load_file(const char *path, const char *const *settings, size_t count, vd_case **out);
/* Loads a scenario from `length` bytes of text, UTF-8. name: for the messages, and for file names in the text, which
 * are relative to its folder; NULL: "<text>". */
VD_API vd_status vd_load_text(const char *text, size_t length, const char *name, const char *const *settings,
                              size_t count, vd_case **out);
/* Accepts NULL. Runs of the case go on: it is freed with the last of them. */
VD_API void vd_case_free(vd_case *c);

typedef enum vd_message_kind { VD_MESSAGE_ERROR, VD_MESSAGE_WARNING, VD_MESSAGE_NOTE } vd_message_kind;

/* A message of the readers. A note belongs to the message before it. */
typedef struct vd_message {
  vd_message_kind kind;
  const char *file;         /* as it was named; "" if the message is about none */
  int line, column, length; /* from 1, columns in characters; 0: the file as a whole; characters that it is about */
  const char *text;         /* "unknown key 'mas' in vehicle; did you mean 'mass'?" */
} vd_message;

/* Messages of a case, also of one that runs: it may have warnings. In the order of files and lines; more than 100
 * errors are only counted. */
VD_API size_t vd_message_count(const vd_case *c);
VD_API vd_status vd_message_at(const vd_case *c, size_t index, vd_message *out);
/* All of them as vdsim-run prints them, with the lines they are about; "" if there are none. */
VD_API const char *vd_messages_text(const vd_case *c);

/* The complete scenario with every default as YAML in SI, as of vdsim-run --resolved. */
VD_API const char *vd_resolved_text(const vd_case *c);
VD_API const char *vd_title(const vd_case *c);
/* s: the step h of the grid on which the run is computed, the length of the run, the time from one row of the log to
 * the next. */
VD_API double vd_step_size(const vd_case *c);
VD_API double vd_duration(const vd_case *c);
VD_API double vd_log_interval(const vd_case *c);
/* s: the instant of a row of the log, from 0, to the bit that vdsim-run writes. */
VD_API double vd_log_time(const vd_case *c, size_t row);

/* ---- channels: what can be read ---- */

/* The channels of the scenario's level, in the order of vdsim-run's columns; the first is t_s. Names are those of the
 * CSV header (quantity_unit), units are SI, meanings one line. The present value of channel i is vd_value(run, i). */
VD_API size_t vd_channel_count(const vd_case *c);
VD_API const char *vd_channel_name(const vd_case *c, size_t index);
VD_API const char *vd_channel_unit(const vd_case *c, size_t index);
VD_API const char *vd_channel_meaning(const vd_case *c, size_t index);
/* Whether the scenario's log asks for it: 1 or 0. */
VD_API int vd_channel_logged(const vd_case *c, size_t index);
/* VD_NONE: the level has no such channel. */
VD_API size_t vd_channel_find(const vd_case *c, const char *name);

/* ---- inputs: what can be set ---- */

/* The inputs of vdsim-scenario(5), by its keys: steer (rad, mean angle of the road wheels, left > 0), steering_wheel
 * (rad), throttle, brake, handbrake (0 to 1), gear (-1, 0, 1 ...), drive_torque_fl (N m) ... brake_torque_rr, speed
 * (m/s), acceleration (m/s2), force (N), curvature (1/m), yaw_rate (rad/s), friction (factor on that of the ground, at
 * most 1), posts (m) ... */
VD_API size_t vd_input_count(void);
VD_API const char *vd_input_name(size_t index);
VD_API const char *vd_input_unit(size_t index);
VD_API const char *vd_input_meaning(size_t index);
/* VD_NONE: there is no such input. Indices are of this library alone: look them up by name. */
VD_API size_t vd_input_find(const char *name);
/* The values that this vehicle takes, bounds included. Any pointer may be NULL. */
VD_API vd_status vd_input_range(const vd_case *c, size_t index, double *lowest, double *highest);

/* ---- a run ---- */

typedef struct vd_run vd_run;

/* Flags of vd_build. */
#define VD_KEEP_METRICS 1u /* record every step for the metrics: some 150 to 700 bytes a step */

/* Builds the model and puts the run to t = 0. VD_FAILED: the car finds no place to stand; *out is then a run, too.
 * VD_BAD_INPUT: the case has errors. A `search` of the scenario is not done: the case runs as it is written. */
VD_API vd_status vd_build(vd_case *c, unsigned flags, vd_run **out);
/* Accepts NULL. */
VD_API void vd_run_free(vd_run *run);
/* Sets the run back to t = 0, as vd_build left it: inputs from outside are forgotten. */
VD_API vd_status vd_restart(vd_run *run);

/* Sets an input from the present instant on: it holds until it is set again. It replaces what the scenario gives for
 * the same input, and for inputs that exclude it: steering replaces steering, pedals replace torques, force,
 * acceleration and speed, and so on. An event of the scenario that gives such an input later takes it back, until it is
 * set again. Channels show it at once.
 *
 * A value set at t = 0 is there from the start. Setting is a corner of the input, even to the value that it has: the
 * step is split there and brakes, clutches and gears are decided anew. Rows of (time, values), one for each instant at
 * which inputs were set from t = 0 on, thus are tables of `interpolation: hold` with which vdsim-run takes the same
 * steps to the same bits.
 *
 * VD_BAD_VALUE: out of range, or no whole number (gear). VD_UNAVAILABLE: `acceleration` after t = 0, if the scenario
 * does not use it; posts, but on a four-post rig; and an input that is there for a motor or a handbrake that this
 * vehicle has not. VD_OVER, VD_FAILED: the run has ended. */
VD_API vd_status vd_set(vd_run *run, size_t input, double value);

/* Goes on to the time t, in s, which lies not before the present one. Inside, the run takes the scenario's own steps,
 * split at corners and events; how it is divided into calls changes no bit. A t nearer than 1e-9 steps to a step's end
 * is that end. Inputs that are set hold over the whole call. VD_OK: the run is at t. VD_OVER: at its end, which is not
 * after t. VD_FAILED: it ended before. */
VD_API vd_status vd_advance(vd_run *run, double t);

/* s: the present time; i h on the grid. NaN for NULL. */
VD_API double vd_time(const vd_run *run);
/* VD_OK: it can go on; VD_OVER, VD_FAILED: it has ended. */
VD_API vd_status vd_run_status(const vd_run *run);
/* Why it failed: which state, where, when, as vdsim-run says it; "" if it did not. Until the next call with this
 * run. */
VD_API const char *vd_run_failure(vd_run *run);
/* Why a run that did not fail is to be doubted: more than 1e-3 of the energy that passed through it came from nothing
 * or went there, or a wheel's loads were greater than its bushings are mapped for. "" if it is not. Until the next call
 * with this run. */
VD_API const char *vd_run_doubt(vd_run *run);

/* The present value of a channel, in its unit; NaN if there is no such channel. */
VD_API double vd_value(vd_run *run, size_t channel);
/* Values of `count` channels. channels: their indices; NULL: 0 to count - 1. */
VD_API vd_status vd_values(vd_run *run, const size_t *channels, size_t count, double *out);

/* ---- the state as bytes ---- */

/* The whole run at the present instant, inputs from outside and record of the metrics included: a run that takes it
 * goes on to the same bits. The size changes as the run goes on. The bytes are for the same version of the library on
 * the same kind of machine. */
VD_API size_t vd_state_size(vd_run *run);
/* VD_BAD_ARGUMENT: size is less than vd_state_size. */
VD_API vd_status vd_state_save(vd_run *run, void *bytes, size_t size);
/* run: any run of the same scenario (the same resolved text) and the same flags. It stays as it was if the bytes are
 * not for it. */
VD_API vd_status vd_state_restore(vd_run *run, const void *bytes, size_t size);

/* ---- metrics ---- */

/* One metric: a number of a run by the definition of a standard. */
typedef struct vd_figure {
  const char *name; /* quantity_unit */
  double value;     /* NaN: not computed */
  const char *unit;
  const char *definition;
  /* why there is no value; "" if there is one, or a remark on it. Until the next call of vd_figures with this run */
  const char *reason;
} vd_figure;

/* The metrics that the scenario asks for, as vdsim-run --metrics writes them, over what was run so far: *count of them,
 * of which those that fit are put to out[0 .. room - 1]. out may be NULL with room 0. VD_UNAVAILABLE: built without
 * VD_KEEP_METRICS. */
VD_API vd_status vd_figures(vd_run *run, vd_figure *out, size_t room, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
