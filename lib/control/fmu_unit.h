/* A functional mock-up unit as a controller: its description, and its functions by the version of FMI. Names, types and
 * orders of calls follow the standard "Functional Mock-up Interface", 2.0.4 and 3.0, for co-simulation.
 *
 * A unit is an archive or the folder into which an archive was unpacked: modelDescription.xml, binaries/SYSTEM/NAME.so,
 * resources/. */
#ifndef VD_FMU_UNIT_H
#define VD_FMU_UNIT_H

#include "base/system.h"
#include "control/controller_impl.h"

#include <fenv.h>
#include <stdint.h>

/* Types of variables that are numbers. */
enum vd_fmu_type {
  VD_FMU_REAL, /* of FMI 2.0 */
  VD_FMU_INTEGER,
  VD_FMU_BOOLEAN,
  VD_FMU_ENUMERATION,
  VD_FMU_FLOAT64, /* of FMI 3.0, which has Boolean and Enumeration, too */
  VD_FMU_FLOAT32,
  VD_FMU_INT8,
  VD_FMU_UINT8,
  VD_FMU_INT16,
  VD_FMU_UINT16,
  VD_FMU_INT32,
  VD_FMU_UINT32,
  VD_FMU_INT64,
  VD_FMU_UINT64,
  VD_FMU_TYPES
};
extern const char *const vd_fmu_type_names[VD_FMU_TYPES + 1]; /* as in modelDescription.xml; NULL-terminated */

typedef struct vd_fmu_variable {
  uint32_t reference;
  enum vd_fmu_type type;
  double value; /* value of a parameter that is set */
} vd_fmu_variable;

typedef struct vd_fmu_unit {
  const char *file;
  int version;                             /* version of FMI: 2 or 3 */
  const char *identifier, *token, *binary; /* binary: path of the library in the unit */
  bool archive;
  bool saves; /* its state can be saved as bytes and restored */
  vd_fmu_variable *sensor, *request, *set;
  size_t sensors, requests, sets;
} vd_fmu_unit;

/* Reads the description, and finds all variables that the def names. NULL after errors. */
const vd_fmu_unit *vd_fmu_unit_read(const vd_controller_context *ctx, const vd_controller_def *def);

/* Statuses of a function of a unit, the same numbers in both versions. */
enum vd_fmi_status { VD_FMI_OK, VD_FMI_WARNING, VD_FMI_DISCARD, VD_FMI_ERROR, VD_FMI_FATAL };

/* Functions of the state, which have the same types in both versions. */
enum vd_fmu_state_function {
  VD_FMU_GET_STATE,
  VD_FMU_SET_STATE,
  VD_FMU_FREE_STATE,
  VD_FMU_STATE_SIZE,
  VD_FMU_SERIALIZE,
  VD_FMU_DESERIALIZE,
  VD_FMU_STATE_FUNCTIONS
};

struct vd_fmi;

/* An instance of a unit. */
typedef struct vd_fmu_instance {
  const vd_fmu_unit *unit;
  const struct vd_fmi *fmi;
  vd_buf folder;  /* the folder of the unpacked unit */
  bool temporary; /* the folder is removed at the end */
  double period;  /* s */
  void *library, *component;
  void *callbacks;        /* allocated; NULL: none */
  vd_function **function; /* [fmi->functions] */
  bool initialised, dead; /* dead: no function may be called any more */
  char message[200];      /* the last warning or error that the unit reported */
} vd_fmu_instance;

/* The functions of one version of FMI. They return the status that the unit returns (enum vd_fmi_status). */
typedef struct vd_fmi {
  const char *const
      /* names of the functions, NULL-terminated: first the functions that every unit has, then the functions of the
       * state */
      *name;
  size_t needed;
  int state;           /* index of the first function of the state; they have the order of enum vd_fmu_state_function */
  const char *version; /* the version that the unit returns must begin with this */
  const char *(*get_version)(const vd_fmu_instance *u);
  void *(*instantiate)(vd_fmu_instance *u);
  int (*enter)(vd_fmu_instance *u); /* begins the initialisation at t = 0 */
  int (*leave)(vd_fmu_instance *u); /* ends the initialisation */
  int (*set)(vd_fmu_instance *u, const vd_fmu_variable *v, double value);
  int (*get)(vd_fmu_instance *u, const vd_fmu_variable *v, double *value);
  int (*step)(vd_fmu_instance *u, double t, double period); /* s */
  int (*terminate)(vd_fmu_instance *u);
  void (*free_instance)(vd_fmu_instance *u);
} vd_fmi;

extern const vd_fmi vd_fmi2, vd_fmi3;

/* Calls function `number` of the unit. The first argument of each function is the instance; `types` are the types of
 * all arguments; the arguments after the first follow. */
#define VD_FMU_CALL(u, number, types, ...) ((int(*) types)(u)->function[number])((u)->component, __VA_ARGS__)
#define VD_FMU_CALL_PLAIN(u, number)       ((int (*)(void *))(u)->function[number])((u)->component)

/* Rounds a number to an integer within bounds; both bounds must be exact as doubles. */
static inline double vd_fmu_whole(double value, double lowest, double highest) {
  double whole = __builtin_floor(value + 0.5);
  return !(whole > lowest) ? lowest : whole < highest ? whole : highest;
}

#endif
