/* The functions of FMI 2.0. */
#include "control/fmu_unit.h"

#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int reference2;

typedef struct callbacks2 {
  void (*logger)(void *, const char *, int, const char *, const char *, ...);
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*step_finished)(void *, int);
  void *environment;
} callbacks2;

enum { COSIMULATION = 1 };

enum function {
  GET_VERSION,
  INSTANTIATE,
  FREE_INSTANCE,
  SETUP,
  ENTER,
  LEAVE,
  TERMINATE,
  DO_STEP,
  GET_REAL,
  SET_REAL,
  GET_INTEGER,
  SET_INTEGER,
  GET_BOOLEAN,
  SET_BOOLEAN,
  NEEDED,
  GET_STATE = NEEDED,
};

static const char *const names[] = {"fmi2GetVersion",
                                    "fmi2Instantiate",
                                    "fmi2FreeInstance",
                                    "fmi2SetupExperiment",
                                    "fmi2EnterInitializationMode",
                                    "fmi2ExitInitializationMode",
                                    "fmi2Terminate",
                                    "fmi2DoStep",
                                    "fmi2GetReal",
                                    "fmi2SetReal",
                                    "fmi2GetInteger",
                                    "fmi2SetInteger",
                                    "fmi2GetBoolean",
                                    "fmi2SetBoolean",
                                    "fmi2GetFMUstate",
                                    "fmi2SetFMUstate",
                                    "fmi2FreeFMUstate",
                                    "fmi2SerializedFMUstateSize",
                                    "fmi2SerializeFMUstate",
                                    "fmi2DeSerializeFMUstate",
                                    NULL};

static void write_log(void *environment, const char *name, int status, const char *category, const char *format, ...) {
  vd_fmu_instance *u = environment;
  (void)name, (void)category;
  if (!u || !format || status == VD_FMI_OK)
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(u->message, sizeof u->message, format, args);
  va_end(args);
}

static const char *get_version(const vd_fmu_instance *u) {
  return ((const char *(*)(void))u->function[GET_VERSION])();
}

static void *instantiate(vd_fmu_instance *u) {
  static const char digits[] = "0123456789ABCDEF";
  vd_buf uri = {0};
  bool drive = *u->folder.text != '/'; /* a path of Windows begins with the letter of its drive */
  vd_buf_puts(&uri, drive ? "file:///" : "file://");
  for (const char *p = u->folder.text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (drive && c == '\\') {
      vd_buf_puts(&uri, "/");
      continue;
    }
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("/._-~:", c);
    vd_buf_add(&uri, plain ? p : (const char[]){'%', digits[c >> 4], digits[c & 15]}, plain ? 1 : 3);
  }
  vd_buf_puts(&uri, "/resources");
  /* the callbacks must last as long as the instance */
  callbacks2 *callbacks = u->callbacks = vd_allocate(1, sizeof *callbacks);
  *callbacks = (callbacks2){write_log, calloc, free, NULL, u};
  void *component = ((void *(*)(const char *, int, const char *, const char *, const callbacks2 *, int,
                                int))u->function[INSTANTIATE])(u->unit->identifier, COSIMULATION, u->unit->token,
                                                               uri.text, callbacks, 0, 0);
  vd_buf_finish(&uri);
  return component;
}

static int enter(vd_fmu_instance *u) {
  int status = VD_FMU_CALL(u, SETUP, (void *, int, double, double, int, double), 0, 0.0, 0.0, 0, 0.0);
  return status > VD_FMI_WARNING ? status : VD_FMU_CALL_PLAIN(u, ENTER);
}

static int leave(vd_fmu_instance *u) {
  return VD_FMU_CALL_PLAIN(u, LEAVE);
}

static int set(vd_fmu_instance *u, const vd_fmu_variable *v, double value) {
  const reference2 r = v->reference;
  if (v->type == VD_FMU_REAL)
    return VD_FMU_CALL(u, SET_REAL, (void *, const reference2 *, size_t, const double *), &r, 1, &value);
  int whole = v->type == VD_FMU_BOOLEAN ? value != 0.0 : (int)vd_fmu_whole(value, INT_MIN, INT_MAX);
  return VD_FMU_CALL(u, v->type == VD_FMU_BOOLEAN ? SET_BOOLEAN : SET_INTEGER,
                     (void *, const reference2 *, size_t, const int *), &r, 1, &whole);
}

static int get(vd_fmu_instance *u, const vd_fmu_variable *v, double *value) {
  const reference2 r = v->reference;
  if (v->type == VD_FMU_REAL)
    return VD_FMU_CALL(u, GET_REAL, (void *, const reference2 *, size_t, double *), &r, 1, value);
  int whole = 0;
  int status = VD_FMU_CALL(u, v->type == VD_FMU_BOOLEAN ? GET_BOOLEAN : GET_INTEGER,
                           (void *, const reference2 *, size_t, int *), &r, 1, &whole);
  *value = whole;
  return status;
}

static int step(vd_fmu_instance *u, double t, double period) {
  return VD_FMU_CALL(u, DO_STEP, (void *, double, double, int), t, period, !u->unit->saves);
}

static int terminate(vd_fmu_instance *u) {
  return VD_FMU_CALL_PLAIN(u, TERMINATE);
}

static void free_instance(vd_fmu_instance *u) {
  ((void (*)(void *))u->function[FREE_INSTANCE])(u->component);
}

const vd_fmi vd_fmi2 = {
    .name = names,
    .needed = NEEDED,
    .state = GET_STATE,
    .version = "2.",
    .get_version = get_version,
    .instantiate = instantiate,
    .enter = enter,
    .leave = leave,
    .set = set,
    .get = get,
    .step = step,
    .terminate = terminate,
    .free_instance = free_instance,
};
