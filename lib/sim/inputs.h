/* Inputs: all quantities that a scenario can command, and which of them are active.
 *
 * Inputs form families. Longitudinal: pedals, wheel torques, axle torques, force, acceleration, speed; lateral: the
 * road wheel angle or steering wheel angle, the torque at the steering wheel, curvature, yaw rate, lateral
 * acceleration. One family of each kind is active; an event can replace it by another. All other inputs, such as
 * handbrake, gear, requests, posts, roads, friction and wind, can be combined with any family. */
#ifndef VD_INPUTS_H
#define VD_INPUTS_H

#include "model/model.h"
#include "course/profile_def.h"

/* The command of which an input is a part: longitudinal, lateral, or neither. */
enum vd_input_part { VD_OTHER, VD_LON, VD_LAT };

/* All inputs. ONE(symbol, key, unit, lowest, highest, part, family, member, flags, help, T, m) is one input;
 * EACH(symbol, key, unit, lowest, highest, part, family, member, flags, before, after, T, m) is an input for each
 * wheel; the wheel's name completes key and help. Bounds that depend on the vehicle are NAN; the upper bound of the
 * friction is 1, since the step is chosen for the ground's own friction. member: the member of vd_command that receives
 * the value. flags: of schema rows. */
/* clang-format off */
#define VD_INPUT_LIST(ONE, EACH, T, m) \
  ONE(STEER, "steer", "rad", NAN, NAN, VD_LAT, VD_LAT_STEER, steer, 0, "mean road wheel angle over time, left > 0", \
      T, m) \
  ONE(STEERING_WHEEL, "steering_wheel", "rad", NAN, NAN, VD_LAT, VD_LAT_STEER, steer, 0, \
      "steering-wheel angle over time", T, m) \
  ONE(CURVATURE, "curvature", "1/m", -1.0, 1.0, VD_LAT, VD_LAT_CURVATURE, lateral_demand, 0, \
      "curvature of the path, left > 0, by steering control", T, m) \
  ONE(YAW_RATE, "yaw_rate", "rad/s", -10.0, 10.0, VD_LAT, VD_LAT_YAW_RATE, lateral_demand, 0, \
      "yaw rate, left > 0, by steering control", T, m) \
  ONE(LATERAL_ACCELERATION, "lateral_acceleration", "m/s2", -50.0, 50.0, VD_LAT, VD_LAT_ACCELERATION, \
      lateral_demand, 0, "steady lateral acceleration, left > 0, by steering control", T, m) \
  ONE(STEERING_TORQUE, "steering_torque", "N m", -1e3, 1e3, VD_LAT, VD_LAT_TORQUE, torque, VD_OMIT_DEFAULT, \
      "torque at the steering wheel, to the left > 0; 0: hands off; needs steering.column", T, m) \
  ONE(THROTTLE, "throttle", "1", 0.0, 1.0, VD_LON, VD_LON_PEDALS, throttle, 0, "throttle pedal over time, 0 to 1", \
      T, m) \
  ONE(BRAKE, "brake", "1", 0.0, 1.0, VD_LON, VD_LON_PEDALS, brake, 0, "brake pedal over time, 0 to 1", T, m) \
  ONE(PEDAL_FORCE, "pedal_force", "N", 0.0, 1e4, VD_LON, VD_LON_PEDALS, brake, VD_OMIT_DEFAULT, \
      "force on the brake pedal over time, in place of brake; needs brakes.booster", T, m) \
  ONE(HANDBRAKE, "handbrake", "1", 0.0, 1.0, VD_OTHER, 0, handbrake, 0, "handbrake lever over time, 0 to 1", T, m) \
  ONE(GEAR, "gear", "1", -1.0, VD_GEARS, VD_OTHER, 0, gear, 0, \
      "-1 reverse, 0 neutral, 1 and above; not given: automatic", T, m) \
  ONE(SPEED, "speed", "m/s", -200.0, 200.0, VD_LON, VD_LON_SPEED, target, 0, \
      "commanded forward speed; < 0: reverse", T, m) \
  ONE(ACCELERATION, "acceleration", "m/s2", -100.0, 100.0, VD_LON, VD_LON_ACCELERATION, target, 0, \
      "commanded longitudinal acceleration", T, m) \
  ONE(FORCE, "force", "N", -1e6, 1e6, VD_LON, VD_LON_FORCE, target, 0, \
      "sum of the wheels' drive and brake torques, each divided by the wheel's radius", T, m) \
  ONE(DRIVE_FRONT, "drive_torque_front", "N m", -1e6, 1e6, VD_LON, VD_LON_AXLE_TORQUE, drive[VD_FRONT], 0, \
      "drive torque on the front axle", T, m) \
  ONE(DRIVE_REAR, "drive_torque_rear", "N m", -1e6, 1e6, VD_LON, VD_LON_AXLE_TORQUE, drive[VD_REAR], 0, \
      "drive torque on the rear axle", T, m) \
  ONE(BRAKE_FRONT, "brake_torque_front", "N m", 0.0, 1e6, VD_LON, VD_LON_AXLE_TORQUE, retard[VD_FRONT], 0, \
      "brake torque on the front axle, >= 0", T, m) \
  ONE(BRAKE_REAR, "brake_torque_rear", "N m", 0.0, 1e6, VD_LON, VD_LON_AXLE_TORQUE, retard[VD_REAR], 0, \
      "brake torque on the rear axle, >= 0", T, m) \
  EACH(DRIVE, "drive_torque_", "N m", -1e6, 1e6, VD_LON, VD_LON_WHEEL_TORQUE, drive, 0, "drive torque on the ", "", \
      T, m) \
  EACH(BRAKE, "brake_torque_", "N m", 0.0, 1e6, VD_LON, VD_LON_WHEEL_TORQUE, retard, 0, "brake torque on the ", \
      ", >= 0", T, m) \
  EACH(DRIVE_REQUEST, "drive_request_", "N m", -1e6, 1e6, VD_OTHER, 0, drive_request, VD_OMIT_DEFAULT, \
      "torque on the ", " in addition to the drivetrain's torque", T, m) \
  EACH(BRAKE_REQUEST, "brake_request_", "N m", -1e6, 1e6, VD_OTHER, 0, brake_request, VD_OMIT_DEFAULT, \
      "brake torque on the ", " in addition to the pedal's torque; < 0: less torque", T, m) \
  EACH(PRESSURE_REQUEST, "pressure_request_", "1", -1.0, 1.0, VD_OTHER, 0, pressure_request, VD_OMIT_DEFAULT, \
      "brake pressure of the ", " in addition to the pedal's pressure, which is 1 at full pressure", T, m) \
  EACH(DAMPER_REQUEST, "damper_request_", "N", -1e5, 1e5, VD_OTHER, 0, damper_request, VD_OMIT_DEFAULT, \
      "force on the body above the ", \
      ", up > 0, with its reaction on the wheel, in addition to the damper's force; from L3 on", T, m) \
  ONE(REAR_STEER_REQUEST, "rear_steer_request", "rad", -1.0, 1.0, VD_OTHER, 0, rear_steer_request, \
      VD_OMIT_DEFAULT, \
      "mean angle of the rear wheels in addition to the angle by steering.rear, which must be given", T, m) \
  ONE(THROTTLE_REQUEST, "throttle_request", "1", -1.0, 1.0, VD_OTHER, 0, throttle_request, VD_OMIT_DEFAULT, \
      "throttle in addition to the pedal's throttle; < 0: less throttle", T, m) \
  EACH(BRAKE_VALVE, "brake_valve_", "1", -1.0, 1.0, VD_OTHER, 0, brake_valve, VD_OMIT_DEFAULT, \
      "valve of the brake of the ", ": 1 open, 0 holds, -1 releases; needs hydraulic pressures", T, m) \
  EACH(POST, "post_", "m", -1.0, 1.0, VD_OTHER, 0, post, 0, "height of the post under the ", \
      "; kind: four_post", T, m) \
  EACH(ROAD, "road_", "m", -1e4, 1e4, VD_OTHER, 0, post, VD_OMIT_DEFAULT, "height of the road under the ", \
      " above the ground; from L3 on", T, m) \
  EACH(ROAD_SLOPE_X, "road_slope_x_", "1", -1.0, 1.0, VD_OTHER, 0, road_slope[0], VD_OMIT_DEFAULT, \
      "slope dz/dx, along world x, of the road under the ", ", in addition to the ground's slope; from L3 on", T, m) \
  EACH(ROAD_SLOPE_Y, "road_slope_y_", "1", -1.0, 1.0, VD_OTHER, 0, road_slope[1], VD_OMIT_DEFAULT, \
      "slope dz/dy, along world y, of the road under the ", ", in addition to the ground's slope; from L3 on", T, m) \
  EACH(FRICTION, "friction_", "1", 0.01, 1.0, VD_OTHER, 0, wheel_friction_change, VD_OMIT_DEFAULT, \
      "factor on the friction under the ", " over time, multiplied with the factor `friction`", T, m) \
  ONE(FRICTION, "friction", "1", 0.01, 1.0, VD_OTHER, 0, friction_change, VD_OMIT_DEFAULT, \
      "factor on the friction of the ground over time", T, m) \
  ONE(WIND_X, "wind_x", "m/s", -100.0, 100.0, VD_OTHER, 0, wind[0], VD_OMIT_DEFAULT, \
      "speed of the air along world x over time, in addition to wind", T, m) \
  ONE(WIND_Y, "wind_y", "m/s", -100.0, 100.0, VD_OTHER, 0, wind[1], VD_OMIT_DEFAULT, \
      "speed of the air along world y over time, in addition to wind", T, m) \
  ONE(PUSH_X, "push_x", "N", -1e6, 1e6, VD_OTHER, 0, push[0], VD_OMIT_DEFAULT, \
      "force from outside on the body at push.at, forward > 0", T, m) \
  ONE(PUSH_Y, "push_y", "N", -1e6, 1e6, VD_OTHER, 0, push[1], VD_OMIT_DEFAULT, \
      "force from outside on the body at push.at, to the left > 0", T, m) \
  ONE(PUSH_Z, "push_z", "N", -1e6, 1e6, VD_OTHER, 0, push[2], VD_OMIT_DEFAULT, \
      "force from outside on the body at push.at, up > 0", T, m) \
  ONE(PUSH_MX, "push_mx", "N m", -1e6, 1e6, VD_OTHER, 0, push_moment[0], VD_OMIT_DEFAULT, \
      "moment from outside on the body about x, left side up > 0", T, m) \
  ONE(PUSH_MY, "push_my", "N m", -1e6, 1e6, VD_OTHER, 0, push_moment[1], VD_OMIT_DEFAULT, \
      "moment from outside about y, nose down > 0", T, m) \
  ONE(PUSH_MZ, "push_mz", "N m", -1e6, 1e6, VD_OTHER, 0, push_moment[2], VD_OMIT_DEFAULT, \
      "moment from outside about z, to the left > 0", T, m) \
  ONE(DRAWBAR, "drawbar", "N", -1e6, 1e6, VD_OTHER, 0, drawbar, VD_OMIT_DEFAULT, \
      "pull of a trailer at the hitch, rearward > 0", T, m) \
  ONE(PRESCRIBED_SPEED, "prescribed_speed", "m/s", -200.0, 200.0, VD_OTHER, 0, given[VD_GIVEN_SPEED][0], \
      VD_OMIT_DEFAULT, "forward speed vx_mps that a force on the body makes exact", T, m) \
  ONE(PRESCRIBED_X, "prescribed_x", "m", -1e6, 1e6, VD_OTHER, 0, given[VD_GIVEN_X][0], VD_OMIT_DEFAULT, \
      "place x_m that a force on the body makes exact; with prescribed_y", T, m) \
  ONE(PRESCRIBED_Y, "prescribed_y", "m", -1e6, 1e6, VD_OTHER, 0, given[VD_GIVEN_Y][0], VD_OMIT_DEFAULT, \
      "place y_m that a force on the body makes exact; with prescribed_x", T, m) \
  ONE(PRESCRIBED_YAW, "prescribed_yaw", "rad", -1e4, 1e4, VD_OTHER, 0, given[VD_GIVEN_YAW][0], VD_OMIT_DEFAULT, \
      "heading yaw_rad that a moment on the body makes exact", T, m)

#define VD_INPUT_ONE(symbol, ...) VD_IN_##symbol,
#define VD_INPUT_EACH(symbol, ...) VD_IN_##symbol##_FL, VD_IN_##symbol##_FR, VD_IN_##symbol##_RL, VD_IN_##symbol##_RR,
enum vd_input { VD_INPUT_LIST(VD_INPUT_ONE, VD_INPUT_EACH, , ) VD_INPUT_KINDS };
#undef VD_INPUT_ONE
#undef VD_INPUT_EACH

/* Schema rows of the struct T, whose member m is a vd_inputs_def. */
#define VD_F_INPUT(symbol, key, unit, lowest, highest, part, family, member, flags, help, T, m) \
  VD_F_INPUT_AT(VD_IN_##symbol, key, unit, flags, help, T, m)
#define VD_F_INPUT_EACH(symbol, key, unit, lowest, highest, part, family, member, flags, before, after, T, m) \
  VD_EACH_WHEEL(VD_F_INPUT_OF_WHEEL, VD_IN_##symbol##_FL, key, unit, flags, before, after, T, m)
#define VD_F_INPUT_OF_WHEEL(wheel, name, words, first, key, unit, flags, before, after, T, m) \
  VD_F_INPUT_AT(first + wheel, key name, unit, flags, before words " wheel" after, T, m)
#define VD_F_INPUT_AT(index, key, unit, flags, help, T, m) \
  {VD_F_STRUCT(T, m.input[index], vd_profile_def, key, unit, &vd_profile_schema, flags, "{type: none}", help)},
#define VD_F_INPUTS(T, m) VD_INPUT_LIST(VD_F_INPUT, VD_F_INPUT_EACH, T, m)
/* clang-format on */

typedef struct vd_inputs_def {
  vd_profile_def input[VD_INPUT_KINDS];
} vd_inputs_def;

/* A row of the list. */
typedef struct vd_input_info {
  const char *key, *unit;
  double lowest, highest;
  bool lateral, longitudinal;
  int family;    /* enum vd_lateral or vd_longitudinal */
  size_t offset; /* offset of the member of vd_command: a double, for gears an int */
} vd_input_info;
extern const vd_input_info vd_input_table[VD_INPUT_KINDS];

/* The active inputs. The definitions must outlive this. */
typedef struct vd_inputs {
  struct {
    const vd_profile *profile; /* NULL: the input is not active */
    double origin;             /* s at which the profile's own time is 0 */
  } active[VD_INPUT_KINDS];
  /* the steering command before the present one, which remains in effect until the dead time of the present one is
   * over */
  struct {
    const vd_profile *profile; /* NULL: the constant angle below */
    double origin;             /* s */
    bool wheel;                /* the inputs are the steering wheel's angle, not the road wheels' */
    double angle;              /* rad */
    double until;              /* s */
  } before;
  int active_index[VD_INPUT_KINDS]; /* indices of the active inputs */
  int count;
  bool more; /* an input sets `drive' or a later member of vd_command, or there are requests */
  enum vd_longitudinal longitudinal;
  enum vd_lateral lateral;
  bool path, path_speed;         /* whether the model has a path, and whether this path has speeds */
  const vd_steering *steering;   /* steering of the model */
  const vd_brake_curve *booster; /* share of the full brake pedal over the force on it */
  double dead_time;              /* s, dead time of the steering, by which commanded angles are delayed */
  unsigned prescribed;           /* motions that are prescribed, during the whole run */
  bool requests;                 /* the model has requests of torque and pressure, and valves */
  /* roads with slopes from outside: the last values for a wheel, and the wheel's place at the instant from which these
   * values apply */
  struct {
    double height, slope[2], place[2]; /* m, -, m: world x and y */
  } road[VD_WHEELS];
  /* value that a controller writes into an input: from + slope (t - since) */
  struct {
    double from, slope, since; /* in the unit of the input, per s, s */
  } written[VD_INPUT_KINDS];
} vd_inputs;

/* Starts the inputs. over: inputs that replace inputs of `def' at t = 0; NULL: none. */
void vd_inputs_start(vd_inputs *in, const vd_inputs_def *def, const vd_inputs_def *over, const vd_model *m);

/* Activates the inputs of `def` from time t on; they replace active inputs that they exclude. If two inputs of `def'
 * exclude each other, an input that is constantly zero is replaced by the other input. follow_path: ends the lateral
 * inputs; the driver follows the path. angle: rad, present command of the road wheel angle. */
void vd_inputs_apply(vd_inputs *in, const vd_inputs_def *def, double t, bool follow_path, double angle);

/* Returns whether a new input deactivates another one: one of another family, or another input for the same
 * quantity. */
bool vd_inputs_displace(enum vd_input newcomer, enum vd_input other);

/* Returns whether the input is a request of torque, pressure or throttle, which adds to others of its kind. */
static inline bool vd_input_adds(enum vd_input i) {
  return i >= VD_IN_DRIVE_REQUEST_FL && i <= VD_IN_THROTTLE_REQUEST;
}

/* The profile of an input that a controller writes: its value is in `written'. */
extern const vd_profile vd_input_written;

/* Lets a controller write an input from now on. */
void vd_inputs_give(vd_inputs *in, enum vd_input i);

/* Activates one input from time t on; the time of the profile is the time of the run. angle: as in vd_inputs_apply. */
void vd_inputs_take(vd_inputs *in, enum vd_input i, const vd_profile *profile, double t, double angle);

/* Sets *c to the command at t, in the interval between corners that contains `inside', without the angles of the
 * wheels. Without a driver c->steer is the lateral demand; otherwise the driver sets it. */
void vd_inputs_at(const vd_inputs *in, double inside, double t, vd_command *c);

/* Returns whether the inputs have slopes of roads from outside. Heights and slopes are values at the place of the wheel
 * at the instant from which they apply. At this instant vd_inputs_place_roads must be called with the places of all
 * wheels' contact points (m, world x and y); it stores the places of wheels whose values have changed. */
bool vd_inputs_tilt(const vd_inputs *in);
void vd_inputs_place_roads(vd_inputs *in, double inside, double t, const double *x, const double *y);

/* Returns the first corner later than t, or INFINITY. */
double vd_inputs_next_corner(const vd_inputs *in, double t);

/* Returns whether the inputs contain wind, a force from outside or a drawbar pull; the second function, whether they
 * contain requests of torque or pressure, or valves. */
bool vd_inputs_push(const vd_inputs_def *def);
bool vd_inputs_request(const vd_inputs_def *def);

/* Returns the motions that the inputs prescribe: bits of vd_command.prescribed. */
unsigned vd_inputs_prescribed(const vd_inputs_def *def);

/* Returns whether the inputs use this longitudinal family. */
bool vd_inputs_use(const vd_inputs_def *def, enum vd_longitudinal family);

#endif
