/* The functions of FMI 2.0.4 for co-simulation, over fmi/mockup.h. Types, names and the states in which each function
 * may be called follow the standard "Functional Mock-up Interface for Model Exchange and Co-Simulation", version 2.0.4,
 * sections 2.1 and 4.2. */
#include "fmi/mockup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct fmi2CallbackFunctions {
  void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
  void *(*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void *);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct instance {
  vd_mockup *unit;
  char *name;
  fmi2CallbackFunctions callbacks; /* a copy, since some importers have their structure on the stack */
  unsigned logged;                 /* set of 1 << enum vd_mockup_status whose messages are sent */
  double start, stop;              /* times of the experiment, s; stop NAN: not given */
  fmi2Status last;                 /* status of the last step */
} instance;

static fmi2Status status_of(enum vd_mockup_status status) {
  switch (status) {
  case VD_MOCKUP_GOOD: return fmi2OK;
  case VD_MOCKUP_WARNED: return fmi2Warning;
  case VD_MOCKUP_OVER: return fmi2Discard;
  case VD_MOCKUP_ERROR: break;
  }
  return fmi2Error;
}

static void write_log(void *context, enum vd_mockup_status status, const char *text) {
  const instance *i = context;
  if (i->logged & 1u << status && i->callbacks.logger)
    i->callbacks.logger(i->callbacks.componentEnvironment, i->name, status_of(status), vd_mockup_categories[status],
                        "%s", text);
}

/* Returns the instance if the function may be called in its present phase; otherwise sends a message and returns NULL.
 * phases: set of 1 << phase. */
static instance *admit(fmi2Component c, int phases, const char *function) {
  instance *i = c;
  if (!i || phases & 1 << i->unit->phase)
    return i;
  vd_mockup_say(i->unit, VD_MOCKUP_ERROR, "%s cannot be called in this state", function);
  return NULL;
}

/* ---- instances ---- */

VD_API const char *fmi2GetTypesPlatform(void) {
  return "default";
}

VD_API const char *fmi2GetVersion(void) {
  return "2.0";
}

VD_API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi2SetDebugLogging");
  if (!i || (count > 0 && !categories))
    return fmi2Error;
  return vd_mockup_log_categories(&i->logged, on, count, categories) ? fmi2OK : fmi2Warning;
}

VD_API void fmi2FreeInstance(fmi2Component c) {
  instance *i = c;
  if (!i)
    return;
  vd_mockup_free(i->unit);
  free(i->name);
  free(i);
}

VD_API fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
  (void)visible;
  instance *i = calloc(1, sizeof *i);
  char *folder = resources ? vd_mockup_folder(resources) : NULL;
  if (i)
    i->name = name ? vd_mockup_copy(name) : NULL;
  if (i && i->name) {
    i->callbacks = callbacks ? *callbacks : (fmi2CallbackFunctions){0};
    i->logged = logging ? ~0u : 1u << VD_MOCKUP_ERROR;
    i->stop = NAN;
    if (folder && guid && type == fmi2CoSimulation)
      i->unit = vd_mockup_create(folder, guid, write_log, i);
    else
      write_log(i, VD_MOCKUP_ERROR,
                type == fmi2CoSimulation ? "the GUID or the URI of the resources, file:///..., is missing"
                                         : "the unit is for co-simulation only");
  }
  free(folder);
  if (i && i->unit)
    return i;
  fmi2FreeInstance(i);
  return NULL;
}

VD_API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean has_stop, fmi2Real stop) {
  (void)has_tolerance; /* the scenario gives the accuracy: run.accuracy can be a parameter */
  (void)tolerance;
  instance *i = admit(c, VD_MOCKUP_BEFORE, "fmi2SetupExperiment");
  if (!i)
    return fmi2Error;
  i->start = start;
  i->stop = has_stop ? stop : NAN;
  return fmi2OK;
}

VD_API fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  instance *i = admit(c, VD_MOCKUP_BEFORE, "fmi2EnterInitializationMode");
  return i ? status_of(vd_mockup_begin(i->unit, i->start, i->stop)) : fmi2Error;
}

VD_API fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  instance *i = admit(c, VD_MOCKUP_AT_START, "fmi2ExitInitializationMode");
  return i ? status_of(vd_mockup_start_steps(i->unit)) : fmi2Error;
}

VD_API fmi2Status fmi2Terminate(fmi2Component c) {
  instance *i = admit(c, VD_MOCKUP_STEPS, "fmi2Terminate");
  if (!i)
    return fmi2Error;
  i->unit->phase = VD_MOCKUP_TERMINATED;
  return fmi2OK;
}

VD_API fmi2Status fmi2Reset(fmi2Component c) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi2Reset");
  if (!i)
    return fmi2Error;
  i->start = 0.0;
  i->stop = NAN;
  i->last = fmi2OK;
  return status_of(vd_mockup_reset(i->unit));
}

/* ---- values ---- */

/* Returns the worse of two statuses. */
static fmi2Status worse(fmi2Status a, fmi2Status b) {
  return a > b ? a : b;
}

VD_API fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t count, fmi2Real value[]) {
  instance *i = admit(c, VD_MOCKUP_CAN_GET, "fmi2GetReal");
  fmi2Status status = !i || (count > 0 && (!r || !value)) ? fmi2Error : fmi2OK;
  for (size_t k = 0; k < count && status != fmi2Error; k++)
    status = worse(status, status_of(vd_mockup_get(i->unit, r[k], false, &value[k])));
  return status;
}

VD_API fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t count, fmi2Integer value[]) {
  instance *i = admit(c, VD_MOCKUP_CAN_GET, "fmi2GetInteger");
  fmi2Status status = !i || (count > 0 && (!r || !value)) ? fmi2Error : fmi2OK;
  for (size_t k = 0; k < count && status != fmi2Error; k++) {
    double number = 0.0;
    status = worse(status, status_of(vd_mockup_get(i->unit, r[k], true, &number)));
    value[k] = status == fmi2OK ? (fmi2Integer)number : 0;
  }
  return status;
}

VD_API fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t count, const fmi2Real value[]) {
  instance *i = admit(c, VD_MOCKUP_CAN_SET, "fmi2SetReal");
  fmi2Status status = !i || (count > 0 && (!r || !value)) ? fmi2Error : fmi2OK;
  for (size_t k = 0; k < count && status != fmi2Error; k++)
    status = worse(status, status_of(vd_mockup_set(i->unit, r[k], false, value[k])));
  return status;
}

VD_API fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t count,
                                 const fmi2Integer value[]) {
  instance *i = admit(c, VD_MOCKUP_CAN_SET, "fmi2SetInteger");
  fmi2Status status = !i || (count > 0 && (!r || !value)) ? fmi2Error : fmi2OK;
  for (size_t k = 0; k < count && status != fmi2Error; k++)
    status = worse(status, status_of(vd_mockup_set(i->unit, r[k], true, value[k])));
  return status;
}

/* Returns the status of a function for a type that no variable has: an error, unless the function is called for no
 * variables. */
static fmi2Status no_such_type(fmi2Component c, size_t count, const char *function) {
  instance *i = c;
  if (i && count > 0)
    vd_mockup_say(i->unit, VD_MOCKUP_ERROR, "%s: there are no variables of this type", function);
  return i && count == 0 ? fmi2OK : fmi2Error;
}

#define FMI2_NO_TYPE(function, type)                                                                                   \
  VD_API fmi2Status function(fmi2Component c, const fmi2ValueReference r[], size_t count, type value[]) {              \
    (void)r;                                                                                                           \
    (void)value;                                                                                                       \
    return no_such_type(c, count, #function);                                                                          \
  }

FMI2_NO_TYPE(fmi2GetBoolean, fmi2Boolean)
FMI2_NO_TYPE(fmi2GetString, fmi2String)
FMI2_NO_TYPE(fmi2SetBoolean, const fmi2Boolean)
FMI2_NO_TYPE(fmi2SetString, const fmi2String)

/* ---- steps ---- */

VD_API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real step, fmi2Boolean no_set_state_before) {
  (void)no_set_state_before;
  instance *i = admit(c, VD_MOCKUP_STEPS, "fmi2DoStep");
  if (!i)
    return fmi2Error;
  i->last = status_of(vd_mockup_step(i->unit, from, step));
  return i->last;
}

VD_API fmi2Status fmi2CancelStep(fmi2Component c) {
  admit(c, 0, "fmi2CancelStep");
  return fmi2Error; /* no step is ever pending */
}

VD_API fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
  const instance *i = admit(c, VD_MOCKUP_STEPS | VD_MOCKUP_AFTER, "fmi2GetStatus");
  if (!i || !value || kind != fmi2DoStepStatus)
    return fmi2Discard;
  *value = i->last;
  return fmi2OK;
}

VD_API fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
  const instance *i = admit(c, VD_MOCKUP_STEPS | VD_MOCKUP_AFTER, "fmi2GetRealStatus");
  if (!i || !value || kind != fmi2LastSuccessfulTime)
    return fmi2Discard;
  *value = vd_mockup_time(i->unit);
  return fmi2OK;
}

VD_API fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}

VD_API fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
  const instance *i = admit(c, VD_MOCKUP_STEPS | VD_MOCKUP_AFTER, "fmi2GetBooleanStatus");
  if (!i || !value || kind != fmi2Terminated)
    return fmi2Discard;
  *value = i->last == fmi2Discard;
  return fmi2OK;
}

VD_API fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}

VD_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t count,
                                              const fmi2Integer order[], const fmi2Real value[]) {
  (void)r;
  (void)order;
  (void)value;
  return no_such_type(c, count, "fmi2SetRealInputDerivatives");
}

VD_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t count,
                                               const fmi2Integer order[], fmi2Real value[]) {
  (void)r;
  (void)order;
  (void)value;
  return no_such_type(c, count, "fmi2GetRealOutputDerivatives");
}

VD_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                               const fmi2ValueReference known[], size_t knowns, const fmi2Real dknown[],
                                               fmi2Real dunknown[]) {
  (void)unknown;
  (void)known;
  (void)knowns;
  (void)dknown;
  (void)dunknown;
  return no_such_type(c, unknowns, "fmi2GetDirectionalDerivative");
}

/* ---- state ---- */

VD_API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
  if (!c || !state)
    return fmi2Error;
  free(*state);
  *state = NULL;
  return fmi2OK;
}

VD_API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi2GetFMUstate");
  vd_mockup_state *s = state ? *state : NULL;
  if (!i || !state)
    return fmi2Error;
  enum vd_mockup_status status = vd_mockup_state_take(i->unit, &s);
  *state = s;
  return status_of(status);
}

VD_API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  instance *i = admit(c, VD_MOCKUP_ALWAYS, "fmi2SetFMUstate");
  return i && state ? status_of(vd_mockup_state_return(i->unit, state)) : fmi2Error;
}

VD_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
  const vd_mockup_state *s = state;
  if (!c || !s || !size)
    return fmi2Error;
  *size = s->size;
  return fmi2OK;
}

VD_API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  const vd_mockup_state *s = state;
  if (!c || !s || !bytes || size < s->size)
    return fmi2Error;
  memcpy(bytes, s->bytes, s->size);
  return fmi2OK;
}

VD_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
  const instance *i = c;
  vd_mockup_state *s = state ? *state : NULL;
  if (!i || !bytes || !state)
    return fmi2Error;
  enum vd_mockup_status status = vd_mockup_state_read(i->unit, bytes, size, &s);
  *state = s;
  return status_of(status);
}
