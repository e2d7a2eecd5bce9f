/* The functions of FMI 3.0. */
#include "control/fmu_unit.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

enum function {
  GET_VERSION,
  INSTANTIATE,
  FREE_INSTANCE,
  ENTER,
  LEAVE,
  TERMINATE,
  DO_STEP,
  GET_FLOAT64,
  SET_FLOAT64,
  NEEDED,
  GET_STATE = NEEDED,
  /* a getter and a setter for each type, by enum vd_fmu_type from VD_FMU_FLOAT32 on, then for Boolean */
  GET_TYPES = GET_STATE + VD_FMU_STATE_FUNCTIONS,
};

/* A unit may lack the functions for types that it does not use. */
#define BOTH(type) "fmi3Get" type, "fmi3Set" type
static const char *const names[] = {"fmi3GetVersion",
                                    "fmi3InstantiateCoSimulation",
                                    "fmi3FreeInstance",
                                    "fmi3EnterInitializationMode",
                                    "fmi3ExitInitializationMode",
                                    "fmi3Terminate",
                                    "fmi3DoStep",
                                    BOTH("Float64"),
                                    "fmi3GetFMUState",
                                    "fmi3SetFMUState",
                                    "fmi3FreeFMUState",
                                    "fmi3SerializedFMUStateSize",
                                    "fmi3SerializeFMUState",
                                    "fmi3DeserializeFMUState",
                                    BOTH("Float32"),
                                    BOTH("Int8"),
                                    BOTH("UInt8"),
                                    BOTH("Int16"),
                                    BOTH("UInt16"),
                                    BOTH("Int32"),
                                    BOTH("UInt32"),
                                    BOTH("Int64"),
                                    BOTH("UInt64"),
                                    BOTH("Boolean"),
                                    NULL};

static void write_log(void *environment, int status, const char *category, const char *message) {
  vd_fmu_instance *u = environment;
  (void)category;
  if (u && message && status != VD_FMI_OK)
    snprintf(u->message, sizeof u->message, "%s", message);
}

static const char *get_version(const vd_fmu_instance *u) {
  return ((const char *(*)(void))u->function[GET_VERSION])();
}

static void *instantiate(vd_fmu_instance *u) {
  typedef void *make(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, void *,
                     void (*)(void *, int, const char *, const char *), void (*)(void));
  vd_buf resources = {0};
  vd_buf_printf(&resources, "%s/resources/", u->folder.text);
  void *component = ((make *)u->function[INSTANTIATE])(u->unit->identifier, u->unit->token, resources.text, false,
                                                       false, false, false, NULL, 0, u, write_log, NULL);
  vd_buf_finish(&resources);
  return component;
}

static int enter(vd_fmu_instance *u) {
  return VD_FMU_CALL(u, ENTER, (void *, bool, double, double, bool, double), false, 0.0, 0.0, false, 0.0);
}

static int leave(vd_fmu_instance *u) {
  return VD_FMU_CALL_PLAIN(u, LEAVE);
}

/* The functions of FMI take numbers of one size as bytes. */
typedef union number {
  float float32;
  int8_t int8;
  uint8_t uint8;
  int16_t int16;
  uint16_t uint16;
  int32_t int32;
  uint32_t uint32;
  int64_t int64;
  uint64_t uint64;
  bool boolean;
} number;

/* Returns the number of the getter of a type; its setter has the next number. Enumerations use the functions of
 * Int64. */
static int getter(enum vd_fmu_type type) {
  if (type == VD_FMU_FLOAT64)
    return GET_FLOAT64;
  if (type == VD_FMU_BOOLEAN)
    return GET_TYPES + 2 * (VD_FMU_TYPES - VD_FMU_FLOAT32);
  return GET_TYPES + 2 * (int)((type == VD_FMU_ENUMERATION ? VD_FMU_INT64 : type) - VD_FMU_FLOAT32);
}

/* The greatest 64-bit integers that are doubles. */
static const double most_int64 = 9223372036854774784.0, most_uint64 = 18446744073709549568.0;

static number number_of(enum vd_fmu_type type, double value) {
  number n = {.uint64 = 0};
  switch (type) {
  case VD_FMU_FLOAT32: n.float32 = (float)value; break;
  case VD_FMU_INT8: n.int8 = (int8_t)vd_fmu_whole(value, INT8_MIN, INT8_MAX); break;
  case VD_FMU_UINT8: n.uint8 = (uint8_t)vd_fmu_whole(value, 0.0, UINT8_MAX); break;
  case VD_FMU_INT16: n.int16 = (int16_t)vd_fmu_whole(value, INT16_MIN, INT16_MAX); break;
  case VD_FMU_UINT16: n.uint16 = (uint16_t)vd_fmu_whole(value, 0.0, UINT16_MAX); break;
  case VD_FMU_INT32: n.int32 = (int32_t)vd_fmu_whole(value, INT32_MIN, INT32_MAX); break;
  case VD_FMU_UINT32: n.uint32 = (uint32_t)vd_fmu_whole(value, 0.0, UINT32_MAX); break;
  case VD_FMU_UINT64: n.uint64 = (uint64_t)vd_fmu_whole(value, 0.0, most_uint64); break;
  case VD_FMU_BOOLEAN: n.boolean = value != 0.0; break;
  case VD_FMU_REAL:
  case VD_FMU_INTEGER:
  case VD_FMU_FLOAT64:
  case VD_FMU_TYPES:
  case VD_FMU_ENUMERATION:
  case VD_FMU_INT64: n.int64 = (int64_t)vd_fmu_whole(value, -most_int64, most_int64); break;
  }
  return n;
}

static double value_of(enum vd_fmu_type type, const number *n) {
  switch (type) {
  case VD_FMU_FLOAT32: return n->float32;
  case VD_FMU_INT8: return n->int8;
  case VD_FMU_UINT8: return n->uint8;
  case VD_FMU_INT16: return n->int16;
  case VD_FMU_UINT16: return n->uint16;
  case VD_FMU_INT32: return n->int32;
  case VD_FMU_UINT32: return n->uint32;
  case VD_FMU_UINT64: return (double)n->uint64;
  case VD_FMU_BOOLEAN: return n->boolean ? 1.0 : 0.0;
  case VD_FMU_REAL:
  case VD_FMU_INTEGER:
  case VD_FMU_FLOAT64:
  case VD_FMU_TYPES:
  case VD_FMU_ENUMERATION:
  case VD_FMU_INT64: break;
  }
  return (double)n->int64;
}

static int no_function(vd_fmu_instance *u, int function) {
  snprintf(u->message, sizeof u->message, "it has no function %s", names[function]);
  return VD_FMI_ERROR;
}

static int set(vd_fmu_instance *u, const vd_fmu_variable *v, double value) {
  const int function = getter(v->type) + 1;
  number n = number_of(v->type, value);
  const void *bytes = v->type == VD_FMU_FLOAT64 ? (const void *)&value : &n;
  if (!u->function[function])
    return no_function(u, function);
  return VD_FMU_CALL(u, function, (void *, const uint32_t *, size_t, const void *, size_t), &v->reference, 1, bytes, 1);
}

static int get(vd_fmu_instance *u, const vd_fmu_variable *v, double *value) {
  const int function = getter(v->type);
  number n = {.uint64 = 0};
  if (!u->function[function])
    return no_function(u, function);
  void *bytes = v->type == VD_FMU_FLOAT64 ? (void *)value : &n;
  int status = VD_FMU_CALL(u, function, (void *, const uint32_t *, size_t, void *, size_t), &v->reference, 1, bytes, 1);
  if (v->type != VD_FMU_FLOAT64)
    *value = value_of(v->type, &n);
  return status;
}

static int step(vd_fmu_instance *u, double t, double period) {
  bool event = false, ended = false, early = false;
  double reached = t;
  int status = VD_FMU_CALL(u, DO_STEP, (void *, double, double, bool, bool *, bool *, bool *, double *), t, period,
                           !u->unit->saves, &event, &ended, &early, &reached);
  if (status <= VD_FMI_WARNING && ended)
    snprintf(u->message, sizeof u->message, "it requests the end of the simulation");
  return status <= VD_FMI_WARNING && ended ? VD_FMI_DISCARD : status;
}

static int terminate(vd_fmu_instance *u) {
  return VD_FMU_CALL_PLAIN(u, TERMINATE);
}

static void free_instance(vd_fmu_instance *u) {
  ((void (*)(void *))u->function[FREE_INSTANCE])(u->component);
}

const vd_fmi vd_fmi3 = {
    .name = names,
    .needed = NEEDED,
    .state = GET_STATE,
    .version = "3.",
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
