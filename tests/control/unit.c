/* A functional mock-up unit for tests of controllers, with the functions of FMI 2.0 and 3.0 in one binary. It shares no
 * code with VDSim: types and orders of calls follow the standard, and the laws are implemented here.
 *
 *   law 0   steers for a curvature kappa by the law of lib/sim/driver.h: delta = atan(kappa L) + U v^2 kappa
 *             + (L + U v^2) (P e + I integral of e), e = kappa - r/v, P = 0.3, I = 2/s; the integral stops at the limit
 *   law 1   a brake torque of 200 N m from the unit's time 0.3 s on, with an integer and a boolean that show it
 *   law 2   returns what it reads: the torque is v
 *
 * trouble: 1 an error in a step, 2 a discarded step, 3 a fatal error, 4 not a number, 5 an error of an input, each in
 * the fourth step; 6 no instance, 7 an error in the initialisation; 8 a state that cannot be restored; 9 the unit
 * changes the rounding of the processor. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* References of the variables. */
enum { V, R, L, U, LIMIT, KAPPA, LAW, TROUBLE, STEER, TORQUE, COUNT, ACTIVE, PERIOD, VARIABLES };
enum { OK, WARNING, DISCARD, ERROR, FATAL };

typedef void logger2(void *, const char *, int, const char *, const char *, ...);
typedef void logger3(void *, int, const char *, const char *);

typedef struct unit {
  double value[VARIABLES], integral, time;
  long steps;
  logger2 *log2;
  logger3 *log3;
  void *environment;
} unit;

static int tell(const unit *u, int status, const char *text) {
  if (u->log2)
    u->log2(u->environment, "unit", status, "logStatusError", "%s in step %ld", text, u->steps);
  if (u->log3)
    u->log3(u->environment, status, "logStatusError", text);
  return status;
}

static void steer(unit *u) {
  const double *x = u->value;
  const double gain = x[L] + x[U] * x[V] * x[V];
  const double error = fabs(x[V]) > 1.0 ? x[KAPPA] - x[R] / x[V] : 0.0;
  double angle = atan(x[KAPPA] * x[L]) + x[U] * x[V] * x[V] * x[KAPPA];
  angle += fmax(gain, 0.1 * x[L]) * (0.3 * error + u->integral);
  if (fabs(angle) < x[LIMIT] || error * angle < 0.0)
    u->integral += 2.0 * error * x[PERIOD];
  u->value[STEER] = fmin(fmax(angle, -x[LIMIT]), x[LIMIT]);
}

static int step(unit *u, double t, double h) {
  const int trouble = (int)u->value[TROUBLE];
  if (fabs(t - u->time) > 1e-9)
    return tell(u, ERROR, "a step that does not follow the last one");
  u->steps++;
  u->time = t + h;
  u->value[PERIOD] = h;
  if (u->steps == 4 && trouble == 1)
    return tell(u, ERROR, "the sensor is not plausible");
  if (u->steps == 4 && trouble == 2)
    return tell(u, DISCARD, "the step is too long");
  if (u->steps == 4 && trouble == 3)
    return tell(u, FATAL, "all is lost");
  if (trouble == 9)
    fesetround(FE_UPWARD);
  if (u->value[LAW] == 0.0)
    steer(u);
  if (u->steps == 4 && trouble == 4)
    u->value[STEER] = NAN;
  u->value[ACTIVE] = t > 0.3 - 1e-9;
  u->value[TORQUE] = 200.0 * u->value[ACTIVE];
  if (u->value[LAW] == 2.0)
    u->value[TORQUE] = u->value[V];
  u->value[COUNT] = (double)u->steps;
  return OK;
}

static int set(unit *u, unsigned reference, double value) {
  if (reference >= VARIABLES || (u->steps == 3 && u->value[TROUBLE] == 5.0))
    return tell(u, ERROR, "the variable cannot be set");
  u->value[reference] = value;
  return OK;
}

static int get(unit *u, unsigned reference, double *value) {
  *value = reference < VARIABLES ? u->value[reference] : 0.0;
  return reference < VARIABLES ? OK : ERROR;
}

/* ---- both versions ---- */

static int take_state(const unit *u, void **state) {
  if (!*state)
    *state = malloc(sizeof *u);
  memcpy(*state, u, sizeof *u);
  return OK;
}

static int return_state(unit *u, const void *state) {
  const unit *from = state;
  if (u->value[TROUBLE] == 8.0)
    return tell(u, ERROR, "this state is unknown");
  memcpy(u->value, from->value, sizeof u->value);
  u->integral = from->integral;
  u->time = from->time;
  u->steps = from->steps;
  return OK;
}

static int free_state(void **state) {
  free(*state);
  *state = NULL;
  return OK;
}

/* ---- FMI 2.0 ---- */

typedef struct callbacks2 {
  logger2 *log;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, int);
  void *environment;
} callbacks2;

const char *fmi2GetVersion(void) {
  return "2.0";
}

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const callbacks2 *callbacks,
                      int visible, int logging) {
  (void)name, (void)visible, (void)logging;
  unit *u =
      type == 1 && strcmp(guid, "{test}") == 0 && strncmp(resources, "file:///", 8) == 0 ? calloc(1, sizeof *u) : NULL;
  if (u) {
    u->log2 = callbacks->log;
    u->environment = callbacks->environment;
  } else {
    callbacks->log(callbacks->environment, name, ERROR, "logStatusError", "the key is %s", guid);
  }
  return u;
}

void fmi2FreeInstance(void *u) {
  free(u);
}

int fmi2SetupExperiment(void *u, int has_tolerance, double tolerance, double start, int has_stop, double stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  ((unit *)u)->time = start;
  return OK;
}

int fmi2EnterInitializationMode(void *u) {
  return ((unit *)u)->value[TROUBLE] == 7.0 ? tell(u, ERROR, "a parameter is missing") : OK;
}

int fmi2ExitInitializationMode(void *u) {
  (void)u;
  return OK;
}

int fmi2Terminate(void *u) {
  (void)u;
  return OK;
}

int fmi2DoStep(void *u, double t, double h, int no_earlier) {
  (void)no_earlier;
  return step(u, t, h);
}

int fmi2SetReal(void *u, const unsigned *r, size_t count, const double *value) {
  int status = OK;
  for (size_t i = 0; i < count; i++)
    status |= set(u, r[i], value[i]);
  return status;
}

int fmi2GetReal(void *u, const unsigned *r, size_t count, double *value) {
  int status = OK;
  for (size_t i = 0; i < count; i++)
    status |= get(u, r[i], &value[i]);
  return status;
}

int fmi2SetInteger(void *u, const unsigned *r, size_t count, const int *value) {
  int status = OK;
  for (size_t i = 0; i < count; i++)
    status |= set(u, r[i], value[i]);
  return status;
}

int fmi2GetInteger(void *u, const unsigned *r, size_t count, int *value) {
  int status = OK;
  for (size_t i = 0; i < count; i++) {
    double number;
    status |= get(u, r[i], &number);
    value[i] = (int)number;
  }
  return status;
}

int fmi2SetBoolean(void *u, const unsigned *r, size_t count, const int *value) {
  return fmi2SetInteger(u, r, count, value);
}

int fmi2GetBoolean(void *u, const unsigned *r, size_t count, int *value) {
  return fmi2GetInteger(u, r, count, value);
}

int fmi2GetFMUstate(void *u, void **state) {
  return take_state(u, state);
}

int fmi2SetFMUstate(void *u, void *state) {
  return return_state(u, state);
}

int fmi2FreeFMUstate(void *u, void **state) {
  (void)u;
  return free_state(state);
}

int fmi2SerializedFMUstateSize(void *u, void *state, size_t *size) {
  (void)u, (void)state;
  *size = sizeof(unit);
  return OK;
}

int fmi2SerializeFMUstate(void *u, void *state, char *bytes, size_t size) {
  (void)u;
  memcpy(bytes, state, size);
  return OK;
}

int fmi2DeSerializeFMUstate(void *u, const char *bytes, size_t size, void **state) {
  if (size != sizeof(unit))
    return tell(u, ERROR, "bytes of another unit");
  *state = malloc(size);
  memcpy(*state, bytes, size);
  return OK;
}

/* ---- FMI 3.0 ---- */

const char *fmi3GetVersion(void) {
  return "3.0";
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const uint32_t *required, size_t count,
                                  void *environment, logger3 *log, void (*update)(void)) {
  (void)name, (void)visible, (void)logging, (void)events, (void)early, (void)required, (void)count, (void)update;
  unit *u = strcmp(token, "{test}") == 0 && *resources == '/' ? calloc(1, sizeof *u) : NULL;
  if (u) {
    u->log3 = log;
    u->environment = environment;
  } else {
    log(environment, ERROR, "logStatusError", "the key is wrong");
  }
  return u;
}

void fmi3FreeInstance(void *u) {
  free(u);
}

int fmi3EnterInitializationMode(void *u, bool has_tolerance, double tolerance, double start, bool has_stop,
                                double stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  ((unit *)u)->time = start;
  return fmi2EnterInitializationMode(u);
}

int fmi3ExitInitializationMode(void *u) {
  (void)u;
  return OK;
}

int fmi3Terminate(void *u) {
  (void)u;
  return OK;
}

int fmi3DoStep(void *u, double t, double h, bool no_earlier, bool *event, bool *ended, bool *early, double *reached) {
  (void)no_earlier;
  *event = *early = false;
  *ended = false;
  *reached = t + h;
  return step(u, t, h);
}

#define FUNCTIONS_OF(name, type)                                                                                       \
  int fmi3Set##name(void *u, const uint32_t *r, size_t count, const type *value, size_t values) {                      \
    int status = count == values ? OK : ERROR;                                                                         \
    for (size_t i = 0; i < count; i++)                                                                                 \
      status |= set(u, r[i], (double)value[i]);                                                                        \
    return status;                                                                                                     \
  }                                                                                                                    \
  int fmi3Get##name(void *u, const uint32_t *r, size_t count, type *value, size_t values) {                            \
    int status = count == values ? OK : ERROR;                                                                         \
    for (size_t i = 0; i < count; i++) {                                                                               \
      double number;                                                                                                   \
      status |= get(u, r[i], &number);                                                                                 \
      value[i] = (type)number;                                                                                         \
    }                                                                                                                  \
    return status;                                                                                                     \
  }

FUNCTIONS_OF(Float64, double)
FUNCTIONS_OF(Float32, float)
FUNCTIONS_OF(UInt16, uint16_t)
FUNCTIONS_OF(Int32, int32_t)
FUNCTIONS_OF(Boolean, bool)

int fmi3GetFMUState(void *u, void **state) {
  return take_state(u, state);
}

int fmi3SetFMUState(void *u, void *state) {
  return return_state(u, state);
}

int fmi3FreeFMUState(void *u, void **state) {
  (void)u;
  return free_state(state);
}

int fmi3SerializedFMUStateSize(void *u, void *state, size_t *size) {
  return fmi2SerializedFMUstateSize(u, state, size);
}

int fmi3SerializeFMUState(void *u, void *state, uint8_t *bytes, size_t size) {
  (void)u;
  memcpy(bytes, state, size);
  return OK;
}

int fmi3DeserializeFMUState(void *u, const uint8_t *bytes, size_t size, void **state) {
  return fmi2DeSerializeFMUstate(u, (const char *)bytes, size, state);
}
