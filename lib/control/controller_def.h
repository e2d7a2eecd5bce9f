/* Controllers as a file describes them: which channels they read, how often they decide, and which inputs they write.
 *
 * A sensor shows the value of a channel of the log. The value is exact unless the sensor has a lag, noise or a
 * resolution. A request is an input of the run. The numbers of channels and inputs are set when a scenario is checked,
 * because the code of this folder does not contain the lists of channels and inputs. */
#ifndef VD_CONTROLLER_DEF_H
#define VD_CONTROLLER_DEF_H

#include "base/list.h"
#include "base/wheel.h"
#include "control/antilock_def.h"
#include "control/controlled_car.h"
#include "control/fmu_def.h"
#include "control/skyhook_def.h"
#include "control/rear_steer_def.h"
#include "control/stability_def.h"
#include "control/traction_def.h"
#include "control/vectoring_def.h"

/* The list of kinds: KIND(enum value, name, type of its keys). The name is used in files and for the member of the
 * union; the row is vd_NAME_controller. The log has channels for the modes of the kinds that are built in. */
#define VD_CONTROLLERS_BUILT_IN(KIND)                                                                                  \
  KIND(ABS, abs, vd_antilock_def)                                                                                      \
  KIND(ESC, esc, vd_stability_def)                                                                                     \
  KIND(TCS, tcs, vd_traction_def)                                                                                      \
  KIND(TORQUE_VECTORING, torque_vectoring, vd_vectoring_def)                                                           \
  KIND(DAMPER, damper, vd_skyhook_def) KIND(REAR_STEER, rear_steer, vd_rear_steer_def)
#define VD_CONTROLLER_KINDS(KIND) KIND(FMU, fmu, vd_fmu_def) VD_CONTROLLERS_BUILT_IN(KIND)

#define VD_CONTROLLER_IN_ENUM(value, name, keys)  VD_CONTROLLER_##value,
#define VD_CONTROLLER_IN_UNION(value, name, keys) keys name;

enum vd_controller_kind { VD_CONTROLLER_KINDS(VD_CONTROLLER_IN_ENUM) VD_CONTROLLER_KIND_COUNT };

/* A channel that a controller reads. */
typedef struct vd_sensor_def {
  const char *channel; /* name of a channel */
  const char *as;      /* name of the sensor in the controller; "": name of the channel */
  double factor;       /* the controller reads this factor times the value that the sensor shows */
  double lag;          /* s, time constant of the first-order lag; 0: none */
  double noise;        /* standard deviation, in the channel's unit */
  double resolution;   /* step between the values that the sensor can show, in the channel's unit; 0: any value */
  size_t index;        /* number of the channel */
} vd_sensor_def;

enum vd_request_course {
  VD_REQUEST_HOLD,   /* the input jumps to each decided value and keeps it */
  VD_REQUEST_LINEAR, /* the input goes to each decided value at a constant rate within one period */
};

/* An input that a controller writes. */
typedef struct vd_request_def {
  const char *input; /* key of an input of the scenario */
  const char *from;  /* name of the request in the controller; "": name of the input */
  double factor;     /* the input is this factor times the value that the controller writes */
  /* value of the input until the first decision acts, in the unit of the input; NAN: given by the controller */
  double start;
  int course;             /* enum vd_request_course */
  int index;              /* number of the input */
  double lowest, highest; /* bounds of the input, to which requests are limited */
} vd_request_def;

typedef struct vd_controller_def {
  int kind;         /* enum vd_controller_kind */
  const char *name; /* for messages */
  double period;    /* s between two decisions, a whole number of steps */
  double delay;     /* s from the decision until its requests act, a whole number of steps */
  int seed;         /* seed of the sensors' noise */
  vd_structs sensors, requests;
  union {
    VD_CONTROLLER_KINDS(VD_CONTROLLER_IN_UNION)
  } as;
} vd_controller_def;

extern const struct vd_schema vd_controller_schema;

struct vd_arena;
struct vd_diag;
struct vd_node;

/* Reads the files of a controller and checks that it has the variables that its sensors and requests name. `root' and
 * `path', the key of the controller, give the places of messages. False after errors. */
bool vd_controller_complete(vd_controller_def *def, const struct vd_node *root, const char *path,
                            struct vd_arena *arena, struct vd_diag *d);

/* Returns the name of the controller's kind. */
const char *vd_controller_kind_name(const vd_controller_def *def);

/* True if the controller is a program of another tool, in files of its own. */
bool vd_controller_is_outside(const vd_controller_def *def);

/* vd_controller_has_sides: true if the controller acts differently on the two sides of the car.
 * vd_controller_needs_turns: true if the controller needs vd_steady_turns. */
bool vd_controller_has_sides(const vd_controller_def *def);
bool vd_controller_needs_turns(const vd_controller_def *def);

#endif
