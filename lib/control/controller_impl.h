/* Declarations that the files of the controllers share. */
#ifndef VD_CONTROLLER_IMPL_H
#define VD_CONTROLLER_IMPL_H

#include "control/controller_def.h"
#include "input/diag.h"
#include "input/schema.h"
#include "input/tree.h"

/* Data with which a controller reports errors with their places. */
typedef struct vd_controller_context {
  const vd_node *root;
  const char *path; /* the controller's key */
  vd_arena *arena;
  vd_diag *d;
} vd_controller_context;

vd_place vd_controller_place(const vd_controller_context *ctx, const char *key);
/* Returns the place of an item of the list `sensors' or `requests'. */
vd_place vd_controller_item_place(const vd_controller_context *ctx, const char *list, size_t item);

/* Returns the name that a sensor or a request has in the controller. */
static inline const char *vd_sensor_name(const vd_sensor_def *s) {
  return *s->as ? s->as : s->channel;
}

static inline const char *vd_request_name(const vd_request_def *r) {
  return *r->from ? r->from : r->input;
}

/* One kind of controller: its keys, traits and functions. An instance belongs to one run. Arrays of sensed values and
 * requests have the order of the lists in vd_controller_def. Their values are in the controller's own units, because
 * the caller applies the factors. Functions that fail add the reason to `why'. */
typedef struct vd_controller_variant {
  vd_schema rows;  /* keys of the kind; only `field' and `count' are used */
  bool outside;    /* the controller is a program of another tool, in files of its own */
  bool two_tracks; /* it acts differently on left and right, which needs a level with two tracks */
  bool linear;     /* its requests change linearly to each decision (VD_REQUEST_LINEAR) */
  bool turns;      /* it needs vd_steady_turns */

  /* Only for a kind that is built in (built_in.h). sensors, requests: names of its channels and inputs,
   * NULL-terminated; modes: it has a mode for each wheel; memory: size of its memory in bytes. */
  const char *const *sensors, *const *requests;
  bool modes;
  size_t memory;
  /* begin: sets the memory at t = 0 and the requests that act before the first decision; NULL: all are 0. law: makes a
   * decision. It writes the requests to `request', and the modes after the requests; all these numbers are 0 when it is
   * called. */
  void (*begin)(const vd_controller_def *def, const vd_controller_car *car, void *memory, double *request);
  void (*law)(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
              double *request);

  /* Reads files, and finds the variables that sensors and requests name. */
  bool (*complete)(const vd_controller_context *ctx, vd_controller_def *def);
  /* Makes an instance at t = 0, and sets the requests that act before its first decision; NULL after a failure. */
  void *(*create)(const vd_controller_def *def, const vd_controller_car *car, double *request, vd_buf *why);
  void (*destroy)(void *instance);
  /* Decides at the time t, s. */
  bool (*decide)(void *instance, double t, const double *sensed, double *request, vd_buf *why);
  /* save: appends the state of an instance to `out' as bytes; restore: sets the state from these bytes. False after a
   * failure. */
  bool (*save)(void *instance, vd_buf *out);
  bool (*restore)(void *instance, const void *bytes, size_t size);
} vd_controller_variant;

/* The row of each kind, in the file of the kind, and a function that finds it (controller_variants.c). */
#define VD_CONTROLLER_ROW(value, name, keys) extern const vd_controller_variant vd_##name##_controller;
VD_CONTROLLER_KINDS(VD_CONTROLLER_ROW)
const vd_controller_variant *vd_controller_variant_of(const vd_controller_def *def);

#endif
