/* libvdsim: vehicle dynamics scenarios run from a program. The manual page is vdsim(3).
 *
 *     vd_case *scenario;                             a scenario, read and checked; several runs may share it
 *     vd_run *run;                                   one simulation of the scenario: model, state, time
 *     vd_load_file("step_steer.yaml", NULL, 0, &scenario);
 *     vd_build(scenario, 0, &run);                   the run is at t = 0
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
 * Errors: a function that can fail returns a vd_status. For a NULL handle the status is VD_BAD_ARGUMENT; functions that
 * return a value then return 0, NULL, NaN or VD_NONE. The library prints nothing and does not exit. If memory runs out,
 * the status is VD_NO_MEMORY, and the handle can only be freed. A failed assertion, which is a defect of the library,
 * ends the program by abort().
 *
 * Strings belong to the handle from which they come, and are valid until it is freed, unless the comment of a function
 * says otherwise.
 *
 * Threads: there is no state outside the handles. Different runs, also of one case, may be used in different threads at
 * the same time, but a run only in one thread at a time. A case is not changed after it is loaded. The bytes of a run
 * do not depend on what other threads do. Floating-point arithmetic must be as at the start of a C program: rounding to
 * nearest, subnormal numbers kept. */
#ifndef VDSIM_H
#define VDSIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(VDSIM_EXPORTS)
#define VD_API __declspec(dllexport)
#elif defined(__GNUC__)
#define VD_API __attribute__((visibility("default")))
#else
#define VD_API
#endif

/* Version of the functions and structs of this header; the shared library's soname contains it. It is increased when
 * old programs would break. */
#define VD_ABI 1

typedef enum vd_status {
  VD_OK = 0,
  VD_OVER,      /* the run has reached its end: its duration, its lowest speed, or an event that ends it */
  VD_FAILED,    /* the run ended early: see vd_run_failure */
  VD_BAD_INPUT, /* the input has errors: see vd_message_at */
  /* a NULL pointer, an index that does not exist, a number that is not finite, a time before the present one */
  VD_BAD_ARGUMENT,
  VD_BAD_VALUE,   /* out of the range of an input: see vd_input_range */
  VD_UNAVAILABLE, /* not possible for this run */
  VD_MISMATCH,    /* a saved state of another scenario, version or machine, or a damaged one */
  VD_NO_MEMORY
} vd_status;

#define VD_NONE ((size_t)-1) /* an index that means: there is none */

/* Returns the version of the library that runs, such as "1.0.0", which need not be that of this header. */
VD_API const char *vd_version_string(void);
/* Returns VD_ABI of the library that runs. */
VD_API int vd_abi(void);
/* Returns words for a status, such as "out of memory"; never NULL. */
VD_API const char *vd_status_text(vd_status status);

/* ---- a case: a scenario, study or suspension as read and checked ---- */

typedef struct vd_case vd_case;

/* Reads a file and all that it refers to: a scenario of any kind but a fit or an optimisation, a study, or a
 * suspension; vdsim-scenario(5). Cases of kind vehicle and four_post can be run step by step (vd_build); all cases give
 * tables (below). settings: `count` texts "vehicle.mass=1600 kg" like those of vdsim-run --set, in their order; NULL
 * with count 0. "-" is standard input. *out is a case that can be used (VD_OK), a case that has only messages
 * (VD_BAD_INPUT), or NULL with any other status. The caller frees the case. */
VD_API vd_status vd_load_file(const char *path, const char *const *settings, size_t count, vd_case **out);
/* Loads a scenario from `length` bytes of text, UTF-8. name: name of the text in messages; file names in the text are
 * relative to its folder; NULL: "<text>". */
VD_API vd_status vd_load_text(const char *text, size_t length, const char *name, const char *const *settings,
                              size_t count, vd_case **out);
/* Loads the input of `from` again with `count` more settings behind those that it already has. `from` is not changed
 * and can be freed; a case that has only messages can be loaded again, too. Files to which the input refers are read
 * again. VD_UNAVAILABLE: the file of `from` could not be read. */
VD_API vd_status vd_case_set(const vd_case *from, const char *const *settings, size_t count, vd_case **out);
/* Returns the kind: "vehicle", "four_post", "tyre_rig", "track_car", "suspension", "study" and so on; NULL for a case
 * that has only messages. */
VD_API const char *vd_case_kind(const vd_case *c);
/* Returns the number of cases of a study; 0 if the case is no study. */
VD_API size_t vd_case_count(const vd_case *study);
/* Loads one case of a study: the scenario or suspension that it varies, with the values of case `index`, from 0.
 * VD_UNAVAILABLE: the design of the study excludes this case. */
VD_API vd_status vd_case_at(const vd_case *study, size_t index, vd_case **out);
/* Frees a case; accepts NULL. Runs of the case remain valid; its memory is freed with the last run. */
VD_API void vd_case_free(vd_case *c);

typedef enum vd_message_kind { VD_MESSAGE_ERROR, VD_MESSAGE_WARNING, VD_MESSAGE_NOTE } vd_message_kind;

/* A message of the readers. A note belongs to the message before it. */
typedef struct vd_message {
  vd_message_kind kind;
  const char *file; /* name of the file; "" if the message is not about a file */
  /* line and column count from 1, columns in characters; line 0: the whole file; length: number of characters that it
   * is about */
  int line, column, length;
  const char *text; /* "unknown key 'mas' in vehicle; did you mean 'mass'?" */
} vd_message;

/* Return the number of messages of a case, and message `index`, in the order of files and lines. A case that can be run
 * may have warnings, too. Errors after the first 100 are only counted. */
VD_API size_t vd_message_count(const vd_case *c);
VD_API vd_status vd_message_at(const vd_case *c, size_t index, vd_message *out);
/* Returns all messages as vdsim-run prints them, with the lines of the files; "" if there are none. */
VD_API const char *vd_messages_text(const vd_case *c);

/* Returns the complete scenario with all defaults as YAML in SI, as written by vdsim-run --resolved. */
VD_API const char *vd_resolved_text(const vd_case *c);
VD_API const char *vd_title(const vd_case *c);
/* The following functions are for cases of kind vehicle and four_post; others have no step, channels or ranges of
 * inputs. They return, in s, the step h of the grid on which the run is computed, the duration of the run, and the time
 * between rows of the log. */
VD_API double vd_step_size(const vd_case *c);
VD_API double vd_duration(const vd_case *c);
VD_API double vd_log_interval(const vd_case *c);
/* Returns the time of a row of the log, s, with the bits that vdsim-run writes; rows are counted from 0. */
VD_API double vd_log_time(const vd_case *c, size_t row);

/* ---- channels: what can be read ---- */

/* The channels of the scenario's level, in the order of vdsim-run's columns; the first is t_s. Names are those of the
 * CSV header (quantity_unit), units are SI, and meanings are one line each. The present value of channel i is
 * vd_value(run, i). */
VD_API size_t vd_channel_count(const vd_case *c);
VD_API const char *vd_channel_name(const vd_case *c, size_t index);
VD_API const char *vd_channel_unit(const vd_case *c, size_t index);
VD_API const char *vd_channel_meaning(const vd_case *c, size_t index);
/* Returns 1 if the log of the scenario contains the channel, else 0. */
VD_API int vd_channel_logged(const vd_case *c, size_t index);
/* Returns the index of a channel, or VD_NONE if the level has no such channel. */
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
/* Returns the index of an input, or VD_NONE if there is no such input. Indices may differ between versions of the
 * library; look inputs up by name. */
VD_API size_t vd_input_find(const char *name);
/* Writes the range of values that are valid for this vehicle, bounds included. Each pointer may be NULL. */
VD_API vd_status vd_input_range(const vd_case *c, size_t index, double *lowest, double *highest);

/* ---- a run ---- */

typedef struct vd_run vd_run;

/* Flags of vd_build. */
#define VD_KEEP_METRICS 1u /* record every step for the metrics: about 150 to 700 bytes a step */

/* Builds the model and sets the run to t = 0. VD_FAILED: the car cannot be placed at rest on the ground; *out is then a
 * run, too. VD_BAD_INPUT: the case has errors. VD_UNAVAILABLE: the case is not of a vehicle. A `search` in the scenario
 * is ignored. */
VD_API vd_status vd_build(vd_case *c, unsigned flags, vd_run **out);
/* Frees a run; accepts NULL. */
VD_API void vd_run_free(vd_run *run);
/* Sets the run back to t = 0, as after vd_build. Inputs that were set are dropped. */
VD_API vd_status vd_restart(vd_run *run);

/* Sets an input from the present instant until it is set again. The value replaces the scenario's commands of this
 * input, and of inputs that exclude it: each steering input replaces the others, pedals replace torques, force,
 * acceleration and speed, and so on. A later event of the scenario that commands such an input replaces the value that
 * was set. Channels show the value at once.
 *
 * A value that is set at t = 0 applies from the start. Each call makes a corner of the input, even if the value does
 * not change: the step is split there, and the states of brakes, clutches and gears are decided anew. If the times and
 * values of all calls from t = 0 on are given to vdsim-run as tables with `interpolation: hold`, it takes the same
 * steps, with the same bits.
 *
 * VD_BAD_VALUE: out of range, or not a whole number (gear). VD_UNAVAILABLE: `acceleration` after t = 0, if the scenario
 * does not use it; a request, wind or a force from outside, if the scenario has no input of this kind; an input that a
 * controller of the scenario writes or excludes; posts, except on a four-post rig; an input of a motor or a handbrake
 * that this vehicle does not have. VD_OVER, VD_FAILED: the run has ended. */
VD_API vd_status vd_set(vd_run *run, size_t input, double value);

/* Advances to the time t, s, which must not be before the present one. The run takes the steps of the scenario, split
 * at corners and events; dividing a run into calls changes no bit. If t is closer than 1e-9 steps to the end of a step,
 * it counts as this end. Inputs that were set are constant during the call. VD_OK: the run is at t. VD_OVER: the run
 * has reached its end, which is not after t. VD_FAILED: the run failed before t. */
VD_API vd_status vd_advance(vd_run *run, double t);

/* Returns the present time, s: i h at step i of the grid. NaN for NULL. */
VD_API double vd_time(const vd_run *run);
/* Returns VD_OK if the run can be advanced, VD_OVER or VD_FAILED if it has ended. */
VD_API vd_status vd_run_status(const vd_run *run);
/* Returns why the run failed: which state, where and when, as vdsim-run reports it; "" if the run did not fail. Valid
 * until the next call with this run. */
VD_API const char *vd_run_failure(vd_run *run);
/* Returns why the results of a run that did not fail are doubtful; "" if they are not. Results are doubtful if errors
 * created or lost more than 1e-3 of the energy that passed through the run, or if the loads of a wheel were outside of
 * the map of its bushings. Valid until the next call with this run. */
VD_API const char *vd_run_doubt(vd_run *run);

/* Returns the present value of a channel, in its unit; NaN if there is no such channel. */
VD_API double vd_value(vd_run *run, size_t channel);
/* Writes the values of `count` channels. channels: their indices; NULL: 0 to count - 1. */
VD_API vd_status vd_values(vd_run *run, const size_t *channels, size_t count, double *out);

/* ---- the state as bytes ---- */

/* Returns the size of the complete state of the run at the present instant, bytes. The state includes the inputs that
 * were set and the record for the metrics. A run into which it is restored continues with the same bits. The size
 * changes as the run advances. It is 0 if a controller of the scenario, such as a unit of another tool, cannot give its
 * state. The bytes are valid for the same version of the library on the same kind of machine. */
VD_API size_t vd_state_size(vd_run *run);
/* Writes the state. VD_BAD_ARGUMENT: size is less than vd_state_size. VD_UNAVAILABLE: a controller cannot give its
 * state. */
VD_API vd_status vd_state_save(vd_run *run, void *bytes, size_t size);
/* Restores a state into any run of the same scenario (the same resolved text) with the same flags. If the bytes do not
 * belong to this scenario, the run is not changed. VD_UNAVAILABLE: a controller did not take its state, and the run can
 * only be restarted. */
VD_API vd_status vd_state_restore(vd_run *run, const void *bytes, size_t size);

/* ---- metrics ---- */

/* One metric: a number of a run by the definition of a standard. */
typedef struct vd_figure {
  const char *name; /* quantity_unit */
  double value;     /* NaN: not computed */
  const char *unit;
  const char *definition;
  /* reason why there is no value, or a remark on the value; else "". Valid until the next call of vd_figures with this
   * run */
  const char *reason;
} vd_figure;

/* Computes the metrics that the scenario requests, as vdsim-run --metrics writes them, for the run until now. *count:
 * number of metrics; as many as fit are written to out[0 .. room - 1]. out may be NULL with room 0. VD_UNAVAILABLE: the
 * run was built without VD_KEEP_METRICS. */
VD_API vd_status vd_figures(vd_run *run, vd_figure *out, size_t room, size_t *count);

/* ---- tables: whole runs, rigs, sweeps and studies ---- */

/* Rows of numbers and words with named columns. The names contain the units: quantity_unit. */
typedef struct vd_table vd_table;

/* The following functions compute until the table is complete. With VD_OK and VD_FAILED *out is a table, which must be
 * freed; with VD_FAILED it has the rows before the failure, and vd_table_remark says what failed. VD_UNAVAILABLE: a
 * case of this kind has no such table. Several threads may compute tables of one case at the same time. */

/* Gives the log of a whole run, as vdsim-run writes it with --exact: of a vehicle, track car or tyre rig, or the table
 * of limits. A `search` is ignored. */
VD_API vd_status vd_table_log(const vd_case *c, vd_table **out);
/* Gives the metrics of a whole run, as vdsim-run --metrics writes them, or of a suspension, as vdsim-kc-sweep writes
 * them. A `search` is ignored. */
VD_API vd_status vd_table_metrics(const vd_case *c, vd_table **out);
/* Gives the curves of a suspension as vdsim-kc-sweep writes them, in mm, deg and N. options: `count` options of the
 * program that choose the curves, without dashes: "sweep=travel", "travel=-60:60:25", "fz=4000", "side=both",
 * "gravity". VD_BAD_VALUE: an option that is unknown or has a bad value, as vd_table_remark says; *out is then a table
 * without columns. */
VD_API vd_status vd_table_sweep(const vd_case *c, const char *const *options, size_t count, vd_table **out);
/* Runs the cases first ... first + count - 1 of a study, one after the other, and gives their rows of its table.
 * Failures of cases are in the column `status`. To use several processors, call it for parts in several threads. */
VD_API vd_status vd_table_cases(const vd_case *study, size_t first, size_t count, vd_table **out);

VD_API void vd_table_free(vd_table *t); /* accepts NULL */
VD_API size_t vd_table_columns(const vd_table *t);
VD_API size_t vd_table_rows(const vd_table *t);
VD_API const char *vd_table_name(const vd_table *t, size_t column);
/* Returns the index of a column, or VD_NONE if there is no such column. */
VD_API size_t vd_table_find(const vd_table *t, const char *name);
/* Returns the number in a field; NaN: the field is empty or a word. */
VD_API double vd_table_value(const vd_table *t, size_t row, size_t column);
/* Returns the text of a field, without quotes; "": the field is empty. */
VD_API const char *vd_table_word(const vd_table *t, size_t row, size_t column);
/* Returns the whole table as CSV. */
VD_API const char *vd_table_text(const vd_table *t);
/* Returns what failed, or what is unusual about the table; "" if the table is complete and usual. */
VD_API const char *vd_table_remark(const vd_table *t);

/* ---- shipped files ---- */

/* Finds a shipped file, such as "iso/step_steer.yaml", as vd_load_file does: its path is written to path[0 .. size - 1]
 * with a NUL. name "": the data folder itself. VD_UNAVAILABLE: there is no such file; VD_BAD_ARGUMENT: `size` is too
 * small. */
VD_API vd_status vd_data_file(const char *name, char *path, size_t size);

#ifdef __cplusplus
}
#endif

#endif
