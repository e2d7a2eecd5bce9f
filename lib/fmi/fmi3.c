/* The functions of FMI 3.0 for co-simulation, over fmi/mockup.h. Types, names and the states in which each function may
 * be called follow the standard "Functional Mock-up Interface Specification", version 3.0, sections 2.2 and 4.2. */
#include "fmi/mockup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef float fmi3Float32;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void fmi3LogMessage(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void fmi3IntermediateUpdate(void);

typedef struct instance {
  vd_mockup *unit;
  fmi3LogMessage *message;
  fmi3InstanceEnvironment environment;
  unsigned logged; /* set of 1 << enum vd_mockup_status whose messages are sent */
} instance;

static fmi3Status status_of(enum vd_mockup_status status) {
  switch (status) {
  case VD_MOCKUP_GOOD: return fmi3OK;
  case VD_MOCKUP_WARNED: return fmi3Warning;
  case VD_MOCKUP_OVER: return fmi3Discard;
  case VD_MOCKUP_ERROR: break;
  }
  return fmi3Error;
}

static void write_log(void *context, enum vd_mockup_status status, const char *text) {
  const instance *i = context;
  if (i->logged & 1u << status && i->message)
    i->message(i->environment, status_of(status), vd_mockup_categories[status], text);
}

/* Returns the instance if the function may be called in its present phase; otherwise sends a message and returns NULL.
 * phases: set of 1 << phase. */
static instance *admit(fmi3Instance c, int phases, const char *function) {
  instance *i = c;
  if (!i || phases & 1 << i->unit->phase)
    return i;
  vd_mockup_say(i->unit, VD_MOCKUP_ERROR, "%s cannot be called in this state", function);
  return NULL;
}

/* Returns the status of a function that the unit does not support, as its description states. */
static fmi3Status not_here(fmi3Instance c, const char *function) {
  const instance *i = c;
  if (i)
    vd_mockup_say(i->unit, VD_MOCKUP_ERROR, "%s: the unit does not support this function", function);
  return fmi3Error;
}

/* ---- instances ---- */

VD_API const char *fmi3GetVersion(void) {
  return "3.0";
}

VD_API fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[]) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi3SetDebugLogging");
  if (!i || (count > 0 && !categories))
    return fmi3Error;
  return vd_mockup_log_categories(&i->logged, on, count, categories) ? fmi3OK : fmi3Warning;
}

VD_API void fmi3FreeInstance(fmi3Instance c) {
  instance *i = c;
  if (i)
    vd_mockup_free(i->unit);
  free(i);
}

VD_API fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                                fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                                                size_t count, fmi3InstanceEnvironment environment,
                                                fmi3LogMessage *message, fmi3IntermediateUpdate *update) {
  (void)visible;
  (void)event_mode;
  (void)early_return;
  (void)intermediate;
  (void)update;
  instance *i = calloc(1, sizeof *i);
  if (i) {
    i->environment = environment;
    i->message = message;
    i->logged = logging ? ~0u : 1u << VD_MOCKUP_ERROR;
    char *folder = resources ? vd_mockup_folder(resources) : NULL;
    if (name && token && folder && count == 0)
      i->unit = vd_mockup_create(folder, token, write_log, i);
    else
      write_log(i, VD_MOCKUP_ERROR,
                "a name, a token and a path of the resources are needed, and no intermediate "
                "variables");
    free(folder);
  }
  if (i && i->unit)
    return i;
  fmi3FreeInstance(i);
  return NULL;
}

VD_API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment, fmi3LogMessage *message) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging;
  if (message)
    message(environment, fmi3Error, "logStatusError", "the unit is for co-simulation only");
  return NULL;
}

VD_API fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessage *message,
                                                      fmi3IntermediateUpdate *update, fmi3IntermediateUpdate *lock,
                                                      fmi3IntermediateUpdate *unlock) {
  (void)update, (void)lock, (void)unlock;
  return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, message);
}

VD_API fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                              fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance; /* the scenario gives the accuracy: run.accuracy can be a parameter */
  (void)tolerance;
  instance *i = admit(c, VD_MOCKUP_BEFORE, "fmi3EnterInitializationMode");
  return i ? status_of(vd_mockup_begin(i->unit, start, has_stop ? stop : NAN)) : fmi3Error;
}

VD_API fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  instance *i = admit(c, VD_MOCKUP_AT_START, "fmi3ExitInitializationMode");
  return i ? status_of(vd_mockup_start_steps(i->unit)) : fmi3Error;
}

VD_API fmi3Status fmi3Terminate(fmi3Instance c) {
  instance *i = admit(c, VD_MOCKUP_STEPS, "fmi3Terminate");
  if (!i)
    return fmi3Error;
  i->unit->phase = VD_MOCKUP_TERMINATED;
  return fmi3OK;
}

VD_API fmi3Status fmi3Reset(fmi3Instance c) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi3Reset");
  return i ? status_of(vd_mockup_reset(i->unit)) : fmi3Error;
}

/* ---- values ---- */

static fmi3Status worse(fmi3Status a, fmi3Status b) {
  return a > b ? a : b;
}

VD_API fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3Float64 value[],
                                 size_t values) {
  instance *i = admit(c, VD_MOCKUP_CAN_GET, "fmi3GetFloat64");
  fmi3Status status = !i || count != values || (count > 0 && (!r || !value)) ? fmi3Error : fmi3OK;
  for (size_t k = 0; k < count && status != fmi3Error; k++)
    status = worse(status, status_of(vd_mockup_get(i->unit, r[k], false, &value[k])));
  return status;
}

VD_API fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t count, int32_t value[],
                               size_t values) {
  instance *i = admit(c, VD_MOCKUP_CAN_GET, "fmi3GetInt32");
  fmi3Status status = !i || count != values || (count > 0 && (!r || !value)) ? fmi3Error : fmi3OK;
  for (size_t k = 0; k < count && status != fmi3Error; k++) {
    double number = 0.0;
    status = worse(status, status_of(vd_mockup_get(i->unit, r[k], true, &number)));
    value[k] = status == fmi3OK ? (int32_t)number : 0;
  }
  return status;
}

VD_API fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3Float64 value[],
                                 size_t values) {
  instance *i = admit(c, VD_MOCKUP_CAN_SET, "fmi3SetFloat64");
  fmi3Status status = !i || count != values || (count > 0 && (!r || !value)) ? fmi3Error : fmi3OK;
  for (size_t k = 0; k < count && status != fmi3Error; k++)
    status = worse(status, status_of(vd_mockup_set(i->unit, r[k], false, value[k])));
  return status;
}

VD_API fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t count, const int32_t value[],
                               size_t values) {
  instance *i = admit(c, VD_MOCKUP_CAN_SET, "fmi3SetInt32");
  fmi3Status status = !i || count != values || (count > 0 && (!r || !value)) ? fmi3Error : fmi3OK;
  for (size_t k = 0; k < count && status != fmi3Error; k++)
    status = worse(status, status_of(vd_mockup_set(i->unit, r[k], true, value[k])));
  return status;
}

/* Returns the status of a function for a type that no variable has: an error, unless the function is called for no
 * variables. */
static fmi3Status no_such_type(fmi3Instance c, size_t count, const char *function) {
  const instance *i = c;
  if (i && count > 0)
    vd_mockup_say(i->unit, VD_MOCKUP_ERROR, "%s: there are no variables of this type", function);
  return i && count == 0 ? fmi3OK : fmi3Error;
}

#define NO_TYPE(name, type)                                                                                            \
  VD_API fmi3Status fmi3Get##name(fmi3Instance c, const fmi3ValueReference r[], size_t count, type value[],            \
                                  size_t values) {                                                                     \
    (void)r, (void)value, (void)values;                                                                                \
    return no_such_type(c, count, "fmi3Get" #name);                                                                    \
  }                                                                                                                    \
  VD_API fmi3Status fmi3Set##name(fmi3Instance c, const fmi3ValueReference r[], size_t count, const type value[],      \
                                  size_t values) {                                                                     \
    (void)r, (void)value, (void)values;                                                                                \
    return no_such_type(c, count, "fmi3Set" #name);                                                                    \
  }

NO_TYPE(Float32, fmi3Float32)
NO_TYPE(Int8, int8_t)
NO_TYPE(UInt8, uint8_t)
NO_TYPE(Int16, int16_t)
NO_TYPE(UInt16, uint16_t)
NO_TYPE(UInt32, uint32_t)
NO_TYPE(Int64, int64_t)
NO_TYPE(UInt64, uint64_t)
NO_TYPE(Boolean, fmi3Boolean)
NO_TYPE(String, fmi3String)

VD_API fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t count, size_t sizes[],
                                fmi3Binary value[], size_t values) {
  (void)r, (void)sizes, (void)value, (void)values;
  return no_such_type(c, count, "fmi3GetBinary");
}

VD_API fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t count, const size_t sizes[],
                                const fmi3Binary value[], size_t values) {
  (void)r, (void)sizes, (void)value, (void)values;
  return no_such_type(c, count, "fmi3SetBinary");
}

VD_API fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3Clock value[]) {
  (void)r, (void)value;
  return no_such_type(c, count, "fmi3GetClock");
}

VD_API fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3Clock value[]) {
  (void)r, (void)value;
  return no_such_type(c, count, "fmi3SetClock");
}

/* ---- steps ---- */

/* Makes a step. At the end of the run the unit requests termination by *terminate, and returns fmi3OK: importers that
 * get fmi3Discard end with an error and without results. */
VD_API fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 step, fmi3Boolean no_set_state_before,
                             fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early,
                             fmi3Float64 *last_time) {
  (void)no_set_state_before;
  instance *i = admit(c, VD_MOCKUP_STEPS, "fmi3DoStep");
  if (!i || !terminate)
    return fmi3Error;
  enum vd_mockup_status status = vd_mockup_step(i->unit, from, step);
  *terminate = status == VD_MOCKUP_OVER;
  if (event_needed)
    *event_needed = false;
  if (early)
    *early = false;
  if (last_time)
    *last_time = vd_mockup_time(i->unit);
  return status == VD_MOCKUP_OVER ? fmi3OK : status_of(status);
}

/* ---- state ---- */

VD_API fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
  if (!c || !state)
    return fmi3Error;
  free(*state);
  *state = NULL;
  return fmi3OK;
}

VD_API fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi3GetFMUState");
  vd_mockup_state *s = state ? *state : NULL;
  if (!i || !state)
    return fmi3Error;
  enum vd_mockup_status status = vd_mockup_state_take(i->unit, &s);
  *state = s;
  return status_of(status);
}

VD_API fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi3SetFMUState");
  return i && state ? status_of(vd_mockup_state_return(i->unit, state)) : fmi3Error;
}

VD_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
  const vd_mockup_state *s = state;
  if (!c || !s || !size)
    return fmi3Error;
  *size = s->size;
  return fmi3OK;
}

VD_API fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  const vd_mockup_state *s = state;
  if (!c || !s || !bytes || size < s->size)
    return fmi3Error;
  memcpy(bytes, s->bytes, s->size);
  return fmi3OK;
}

VD_API fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
  const instance *i = c;
  vd_mockup_state *s = state ? *state : NULL;
  if (!i || !bytes || !state)
    return fmi3Error;
  enum vd_mockup_status status = vd_mockup_state_read(i->unit, bytes, size, &s);
  *state = s;
  return status_of(status);
}

/* ---- functions that modelDescription.xml excludes; importers look up their symbols nevertheless ---- */

/* Callers pass more arguments than the instance, which C's calling conventions allow a function to ignore. */
#define NOT_HERE(name)                                                                                                 \
  VD_API fmi3Status name(fmi3Instance c) {                                                                             \
    return not_here(c, #name);                                                                                         \
  }

NOT_HERE(fmi3GetNumberOfVariableDependencies)
NOT_HERE(fmi3GetVariableDependencies)
NOT_HERE(fmi3GetDirectionalDerivative)
NOT_HERE(fmi3GetAdjointDerivative)
NOT_HERE(fmi3EnterEventMode)
NOT_HERE(fmi3EnterConfigurationMode)
NOT_HERE(fmi3ExitConfigurationMode)
NOT_HERE(fmi3GetIntervalDecimal)
NOT_HERE(fmi3GetIntervalFraction)
NOT_HERE(fmi3GetShiftDecimal)
NOT_HERE(fmi3GetShiftFraction)
NOT_HERE(fmi3SetIntervalDecimal)
NOT_HERE(fmi3SetIntervalFraction)
NOT_HERE(fmi3SetShiftDecimal)
NOT_HERE(fmi3SetShiftFraction)
NOT_HERE(fmi3EvaluateDiscreteStates)
NOT_HERE(fmi3UpdateDiscreteStates)
NOT_HERE(fmi3EnterContinuousTimeMode)
NOT_HERE(fmi3CompletedIntegratorStep)
NOT_HERE(fmi3SetTime)
NOT_HERE(fmi3SetContinuousStates)
NOT_HERE(fmi3GetContinuousStateDerivatives)
NOT_HERE(fmi3GetEventIndicators)
NOT_HERE(fmi3GetContinuousStates)
NOT_HERE(fmi3GetNominalsOfContinuousStates)
NOT_HERE(fmi3GetNumberOfEventIndicators)
NOT_HERE(fmi3GetNumberOfContinuousStates)
NOT_HERE(fmi3EnterStepMode)
NOT_HERE(fmi3GetOutputDerivatives)
NOT_HERE(fmi3ActivateModelPartition)
