/* Inputs: all that a scenario can command, and which of them are in force.
 *
 * Inputs form families. Longitudinal: pedals, wheel torques, axle torques, force, acceleration, speed; lateral: the
 * angle of the road wheels or of the steering wheel, the torque on that, curvature, yaw rate, lateral acceleration. One
 * family of each kind is in force; an event can replace it by another. Handbrake and gear can be combined with any. The
 * posts of a four-post rig are inputs too. */
#ifndef VD_INPUTS_H
#define VD_INPUTS_H

#include "model/model.h"
#include "course/profile_def.h"

enum vd_input {
  VD_IN_STEER,
  VD_IN_STEERING_WHEEL,
  VD_IN_CURVATURE,
  VD_IN_YAW_RATE,
  VD_IN_LATERAL_ACCELERATION,
  VD_IN_STEERING_TORQUE,
  VD_IN_THROTTLE,
  VD_IN_BRAKE,
  VD_IN_HANDBRAKE,
  VD_IN_GEAR,
  VD_IN_SPEED,
  VD_IN_ACCELERATION,
  VD_IN_FORCE,
  VD_IN_DRIVE_FRONT,
  VD_IN_DRIVE_REAR,
  VD_IN_BRAKE_FRONT,
  VD_IN_BRAKE_REAR,
  VD_IN_DRIVE_FL, /* four each, in the order of the wheels */
  VD_IN_DRIVE_FR,
  VD_IN_DRIVE_RL,
  VD_IN_DRIVE_RR,
  VD_IN_BRAKE_FL,
  VD_IN_BRAKE_FR,
  VD_IN_BRAKE_RL,
  VD_IN_BRAKE_RR,
  VD_IN_POST_FL, /* height of the post under each wheel */
  VD_IN_POST_FR,
  VD_IN_POST_RL,
  VD_IN_POST_RR,
  VD_IN_FRICTION,
  VD_IN_WIND_X,
  VD_IN_WIND_Y,
  VD_IN_PUSH_X,
  VD_IN_PUSH_Y,
  VD_IN_PUSH_Z,
  VD_IN_DRAWBAR,
  VD_IN_PRESCRIBED_SPEED, /* in the order of enum vd_given */
  VD_IN_PRESCRIBED_X,
  VD_IN_PRESCRIBED_Y,
  VD_IN_PRESCRIBED_YAW,
  VD_INPUT_KINDS,
};

typedef struct vd_inputs_def {
  vd_profile_def input[VD_INPUT_KINDS];
} vd_inputs_def;

/* Key, unit and bounds of each input, in the order of the enum. Bounds that depend on the vehicle are NAN. */
typedef struct vd_input_info {
  const char *key, *unit;
  double lowest, highest;
  bool lateral, longitudinal;
  int family; /* enum vd_lateral or vd_longitudinal */
} vd_input_info;
extern const vd_input_info vd_input_table[VD_INPUT_KINDS];

/* X(T, m, index, key, unit, flags, text) for each input, of a struct T with the member m of type vd_inputs_def. */
/* clang-format off */
#define VD_INPUT_OF_WHEEL(wheel, name, words, X, T, m, first, key, unit, before, after) \
  X(T, m, first + wheel, key name, unit, 0, before words " wheel" after)
#define VD_INPUT_LIST(X, T, m) \
  X(T, m, VD_IN_STEER, "steer", "rad", 0, "mean road wheel angle over time, left > 0") \
  X(T, m, VD_IN_STEERING_WHEEL, "steering_wheel", "rad", 0, "steering-wheel angle over time") \
  X(T, m, VD_IN_CURVATURE, "curvature", "1/m", 0, "curvature of the path, left > 0, by steering control") \
  X(T, m, VD_IN_YAW_RATE, "yaw_rate", "rad/s", 0, "yaw rate, left > 0, by steering control") \
  X(T, m, VD_IN_LATERAL_ACCELERATION, "lateral_acceleration", "m/s2", 0, \
      "steady lateral acceleration, left > 0, by steering control") \
  X(T, m, VD_IN_STEERING_TORQUE, "steering_torque", "N m", VD_OMIT_DEFAULT, \
      "torque at the steering wheel, to the left > 0; 0: it is let go; needs a column") \
  X(T, m, VD_IN_THROTTLE, "throttle", "1", 0, "throttle pedal over time, 0 to 1") \
  X(T, m, VD_IN_BRAKE, "brake", "1", 0, "brake pedal over time, 0 to 1") \
  X(T, m, VD_IN_HANDBRAKE, "handbrake", "1", 0, "handbrake lever over time, 0 to 1") \
  X(T, m, VD_IN_GEAR, "gear", "1", 0, "-1 reverse, 0 neutral, 1 and above; not given: automatic") \
  X(T, m, VD_IN_SPEED, "speed", "m/s", 0, "commanded forward speed; < 0: reverse") \
  X(T, m, VD_IN_ACCELERATION, "acceleration", "m/s2", 0, "commanded longitudinal acceleration") \
  X(T, m, VD_IN_FORCE, "force", "N", 0, "sum of the wheels' drive and brake torques over their radii") \
  X(T, m, VD_IN_DRIVE_FRONT, "drive_torque_front", "N m", 0, "drive torque on the front axle") \
  X(T, m, VD_IN_DRIVE_REAR, "drive_torque_rear", "N m", 0, "drive torque on the rear axle") \
  X(T, m, VD_IN_BRAKE_FRONT, "brake_torque_front", "N m", 0, "brake torque on the front axle, >= 0") \
  X(T, m, VD_IN_BRAKE_REAR, "brake_torque_rear", "N m", 0, "brake torque on the rear axle, >= 0") \
  VD_EACH_WHEEL(VD_INPUT_OF_WHEEL, X, T, m, VD_IN_DRIVE_FL, "drive_torque_", "N m", "drive torque on the ", "") \
  VD_EACH_WHEEL(VD_INPUT_OF_WHEEL, X, T, m, VD_IN_BRAKE_FL, "brake_torque_", "N m", "brake torque on the ", ", >= 0") \
  VD_EACH_WHEEL(VD_INPUT_OF_WHEEL, X, T, m, VD_IN_POST_FL, "post_", "m", "height of the post under the ", \
      ", four_post") \
  X(T, m, VD_IN_FRICTION, "friction", "1", VD_OMIT_DEFAULT, "factor on the friction of the ground over time") \
  X(T, m, VD_IN_WIND_X, "wind_x", "m/s", VD_OMIT_DEFAULT, "speed of the air along world x over time, beside wind") \
  X(T, m, VD_IN_WIND_Y, "wind_y", "m/s", VD_OMIT_DEFAULT, "speed of the air along world y over time, beside wind") \
  X(T, m, VD_IN_PUSH_X, "push_x", "N", VD_OMIT_DEFAULT, "force from outside on the body at push.at, forward > 0") \
  X(T, m, VD_IN_PUSH_Y, "push_y", "N", VD_OMIT_DEFAULT, "force from outside to the left") \
  X(T, m, VD_IN_PUSH_Z, "push_z", "N", VD_OMIT_DEFAULT, "force from outside upwards") \
  X(T, m, VD_IN_DRAWBAR, "drawbar", "N", VD_OMIT_DEFAULT, "pull of a trailer at the hitch, rearward > 0") \
  X(T, m, VD_IN_PRESCRIBED_SPEED, "prescribed_speed", "m/s", VD_OMIT_DEFAULT, \
      "vx_mps exactly, by a force on the body") \
  X(T, m, VD_IN_PRESCRIBED_X, "prescribed_x", "m", VD_OMIT_DEFAULT, \
      "x_m exactly, by a force on the body; with prescribed_y") \
  X(T, m, VD_IN_PRESCRIBED_Y, "prescribed_y", "m", VD_OMIT_DEFAULT, "y_m exactly, likewise") \
  X(T, m, VD_IN_PRESCRIBED_YAW, "prescribed_yaw", "rad", VD_OMIT_DEFAULT, "yaw_rad exactly, by a moment on the body")
/* clang-format on */

/* Rows of a schema of T. */
#define VD_F_INPUT(T, m, index, key, unit, flags, text)                                                                \
  {VD_F_STRUCT(T, m.input[index], vd_profile_def, key, unit, &vd_profile_schema, flags, "{type: none}", text)},
#define VD_F_INPUTS(T, m) VD_INPUT_LIST(VD_F_INPUT, T, m)

/* The inputs in force. Their definitions must outlive it. */
typedef struct vd_inputs {
  struct {
    const vd_profile *profile; /* NULL: none */
    double origin;             /* s at which the profile's own time is 0 */
  } active[VD_INPUT_KINDS];
  /* the steering command before the present one, which remains in effect until its dead time is over */
  struct {
    const vd_profile *profile; /* NULL: the constant angle below */
    double origin;             /* s */
    bool wheel;                /* inputs are the steering wheel's angle, not the road wheels' */
    double angle;              /* rad */
    double until;              /* s */
  } before;
  int active_index[VD_INPUT_KINDS]; /* indices of the active ones */
  int count;
  enum vd_longitudinal longitudinal;
  enum vd_lateral lateral;
  bool path, path_speed;       /* there is a path to follow; the path has speeds */
  const vd_steering *steering; /* steering of the model */
  double dead_time;            /* s, of the steering: delay of the lateral inputs */
  unsigned prescribed;         /* which motions are prescribed, during the whole run */
} vd_inputs;

/* over: inputs that replace those of `def` at t = 0; NULL: none. */
void vd_inputs_start(vd_inputs *in, const vd_inputs_def *def, const vd_inputs_def *over, const vd_model *m);

/* Puts the inputs of `def` in force from time t on; they replace others. If two exclude each other, a constant zero is
 * the weaker one. follow_path: drops the lateral inputs in favour of the path. angle: rad, present command of the road
 * wheel angle. */
void vd_inputs_apply(vd_inputs *in, const vd_inputs_def *def, double t, bool follow_path, double angle);

/* Whether a new input puts another one out of force: one of another family, or another input for the same quantity. */
bool vd_inputs_displace(enum vd_input newcomer, enum vd_input other);

/* Puts one input in force from time t on; the time of the profile is that of the run. angle: as in vd_inputs_apply. */
void vd_inputs_take(vd_inputs *in, enum vd_input i, const vd_profile *profile, double t, double angle);

/* The command at t, in the piece of time that contains `inside`, without the angles of the wheels. Without a driver
 * c->steer is the lateral demand; else the driver sets it. */
void vd_inputs_at(const vd_inputs *in, double inside, double t, vd_command *c);

/* The first corner later than t, or INFINITY. */
double vd_inputs_next_corner(const vd_inputs *in, double t);

/* Whether there is wind, a force from outside or a drawbar pull among them. */
bool vd_inputs_push(const vd_inputs_def *def);

/* Which motions they prescribe: bits of vd_command's held. */
unsigned vd_inputs_prescribed(const vd_inputs_def *def);

/* Whether a scenario's inputs use this longitudinal family. */
bool vd_inputs_use(const vd_inputs_def *def, enum vd_longitudinal family);

#endif
