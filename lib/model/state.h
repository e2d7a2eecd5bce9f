/* The integrated states: pose and rates, wheel spins, the speed controller, the work ledger; then states of the levels
 * in space, states that only some cars or runs have, and states of L5. The list below makes the enum and the table. */
#ifndef VD_STATE_H
#define VD_STATE_H

#include "base/base.h"
#include "model/level.h"

/* ONE(symbol, name, unit, scale, decay, lowest level that has it, meaning) is one number, EACH(...) one for every wheel
 * or lane, with the names name_1 to name_4. The scale is the size, in the unit, of a large change of the state in a
 * manoeuvre; errors of a step are compared with it. The scale of a bushing load is 3 units, which would turn a wheel by
 * about 0.1 rad, the scale of the steer. The decay, 1/s, is the order of magnitude of the rate at which an error of the
 * state decays by itself in a usual car at 10 to 40 m/s:
 *   vy, yaw rate     cornering stiffness by mass and speed, 2 C/(m v)
 *   body on springs  damping times frequency, 0.4 x 2 pi 1.5 Hz; wheel on its tyre 0.4 x 2 pi 12 Hz; rates likewise
 *   spin, motor C R^2/(I v), a low value; tread deflection: v over half a metre; bushings: as spins
 * The decay is 0 for states that no force restores: place, heading, speed, works. */
/* clang-format off */
#define VD_STATE_LIST(ONE, EACH) \
  ONE(ALONG, "along", "m", 1, 0, L0, "place along the ground's own axis; from L3 on world x of the reference point") \
  ONE(ACROSS, "across", "m", 1, 0, L0, "place across that axis; from L3 on world y of the reference point") \
  ONE(YAW, "yaw", "rad", 0.1, 0, L0, \
      "heading about the ground's normal; from L3 on yaw of ISO 8855, about the vertical") \
  ONE(VX, "vx", "m/s", 10, 0, L0, "forward speed; at L0 the root of twice the kinetic energy, J^0.5, with its sign") \
  ONE(VY, "vy", "m/s", 1, 6, L1, "speed to the left") \
  ONE(YAW_RATE, "yaw_rate", "rad/s", 1, 6, L1, "yaw rate") \
  ONE(SPEED_INTEGRAL, "speed_hold", "N", 1000, 0, L0, "integral part of the speed controller") \
  ONE(WORK_DRIVE, "work_drive", "J", 1000, 0, L0, "work of the drive") \
  ONE(WORK_BRAKE, "work_brake", "J", 1000, 0, L0, "work of the brakes") \
  ONE(WORK_TYRE, "work_tyre", "J", 1000, 0, L1, "work of the tyres' slip") \
  ONE(WORK_AERO, "work_aero", "J", 1000, 0, L0, "work of the air forces") \
  ONE(WORK_ROLLING, "work_rolling", "J", 1000, 0, L0, "work of the rolling resistance") \
  ONE(DISTANCE, "distance", "m", 1, 0, L0, "distance travelled, never decreasing") \
  EACH(SPIN, "spin", "rad/s", 1, 100, L1, "wheel speed, by lane") \
  ONE(HEIGHT, "height", "m", 1, 6, L3, "world z of the reference point") \
  ONE(ROLL, "roll", "rad", 0.1, 6, L3, "roll of ISO 8855") \
  ONE(PITCH, "pitch", "rad", 0.1, 6, L3, "pitch of ISO 8855") \
  ONE(VZ, "vz", "m/s", 1, 6, L3, "speed along the body's upward axis") \
  ONE(ROLL_RATE, "roll_rate", "rad/s", 1, 6, L3, "angular velocity about the body's forward axis") \
  ONE(PITCH_RATE, "pitch_rate", "rad/s", 1, 6, L3, "angular velocity about the body's left axis") \
  ONE(WORK_SUSPENSION, "work_suspension", "J", 1000, 0, L3, "work of the dampers and of bushings with loss") \
  ONE(WORK_TYRE_VERTICAL, "work_tyre_vertical", "J", 1000, 0, L3, "work of the tyres' vertical damping") \
  ONE(WORK_STEERING, "work_steering", "J", 1000, 0, L1, \
      "work of the steering: of hands on a column, else on the wheels") \
  ONE(WORK_OUTSIDE, "work_outside", "J", 1000, 0, L0, \
      "work of posts, of forces from outside, of forces that enforce a prescribed motion, of the couple that removes " \
      "the weight of the lean, and at L1 and L2 of loads that inclined steering axes lift") \
  EACH(TRAVEL, "travel", "m", 0.1, 30, L3, "wheel travel, bump > 0") \
  EACH(TRAVEL_RATE, "travel_rate", "m/s", 1, 30, L3, "rate of the wheel travel") \
  ONE(WORK_CLUTCH, "work_clutch", "J", 1000, 0, L1, "work of the clutch") \
  ONE(WORK_GEARS, "work_gears", "J", 1000, 0, L1, "work of the losses in the gears") \
  ONE(WORK_DIFFERENTIALS, "work_differentials", "J", 1000, 0, L1, "work of the differentials") \
  ONE(WORK_DAMPER, "work_damper", "J", 1000, 0, L1, "work of the tyres' standstill damper") \
  ONE(MOTOR, "motor", "rad/s", 10, 100, L1, "speed of motor or engine") \
  ONE(STEER, "steer", "rad", 0.1, 20, L0, "mean road wheel angle") \
  ONE(ACCELERATION_INTEGRAL, "acceleration_hold", "m/s", 1, 0, L0, "integral of the acceleration error") \
  ONE(PATH, "path", "m", 1, 0, L0, "distance along the path") \
  EACH(PRESSURE, "pressure", "1", 1, 20, L1, \
      "share of the brake pressure that the antilock system lets through, by lane") \
  EACH(DEFLECTION_X, "deflection_x", "1", 0.1, 50, L1, \
      "longitudinal tread deflection over relaxation length, by lane") \
  EACH(DEFLECTION_Y, "deflection_y", "1", 0.1, 50, L1, "lateral tread deflection over relaxation length, by lane") \
  ONE(QUATERNION, "quaternion_w", "1", 0.1, 0, L5, \
      "quaternion from body to world axes; yaw, pitch and roll follow from it") \
  ONE(QUATERNION_X, "quaternion_x", "1", 0.1, 0, L5, "x of the quaternion from body to world axes") \
  ONE(QUATERNION_Y, "quaternion_y", "1", 0.1, 0, L5, "y of the quaternion from body to world axes") \
  ONE(QUATERNION_Z, "quaternion_z", "1", 0.1, 0, L5, "z of the quaternion from body to world axes") \
  ONE(WORK_LINK, "work_link", "J", 1000, 0, L5, "work of the damping that acts across the wheels' paths") \
  EACH(WHEEL_PLACE, "wheel_x", "m", 1, 0, L5, "world x of the wheel") \
  EACH(WHEEL_PLACE_Y, "wheel_y", "m", 1, 0, L5, "world y of the wheel") \
  EACH(WHEEL_PLACE_Z, "wheel_z", "m", 1, 0, L5, "world z of the wheel") \
  EACH(WHEEL_SPEED, "wheel_vx", "m/s", 1, 1000, L5, "speed of the wheel along world x") \
  EACH(WHEEL_SPEED_Y, "wheel_vy", "m/s", 1, 1000, L5, "speed of the wheel along world y") \
  EACH(WHEEL_SPEED_Z, "wheel_vz", "m/s", 1, 1000, L5, "speed of the wheel along world z") \
  EACH(TWIST, "twist", "1/m", 1, 50, L1, \
      "twist of the contact about the vertical over its relaxation length, by lane; tyres with turn slip") \
  EACH(BUSHING, "bushing_fx", "1", 3, 100, L4, "load of the bushings, over its unit: force along the wheel's heading") \
  EACH(BUSHING_FY, "bushing_fy", "1", 3, 100, L4, "load of the bushings, over its unit: outward force") \
  EACH(BUSHING_MX, "bushing_mx", "1", 3, 100, L4, \
      "load of the bushings, over its unit: moment about the heading beyond that of the outward force") \
  EACH(BUSHING_MY, "bushing_my", "1", 3, 100, L4, \
      "load of the bushings, over its unit: moment about the horizontal across the heading") \
  EACH(BUSHING_MZ, "bushing_mz", "1", 3, 100, L4, \
      "load of the bushings, over its unit: moment about the body's upward axis") \
  ONE(HAND, "steering_wheel", "rad", 1, 20, L1, "angle of the steering wheel of a column") \
  ONE(HAND_RATE, "steering_wheel_rate", "rad/s", 10, 20, L1, "rate of the steering wheel angle") \
  ONE(GEAR, "steering_gear", "rad", 1, 20, L1, "angle of the column below its torsion bar, at the steering wheel") \
  ONE(GEAR_RATE, "steering_gear_rate", "rad/s", 10, 20, L1, "rate of the column angle below the torsion bar") \
  ONE(HAND_FRICTION, "steering_wheel_friction", "N m", 1, 20, L1, "friction of the upper column") \
  ONE(GEAR_FRICTION, "steering_gear_friction", "N m", 1, 20, L1, \
      "friction below the torsion bar, at the steering wheel") \
  ONE(REAR_STEER, "rear_steer", "rad", 0.1, 20, L1, "mean angle of the rear wheels, rear steering") \
  ONE(WORK_ASSIST, "work_assist", "J", 1000, 0, L1, "work of the power assistance") \
  ONE(WORK_COLUMN, "work_column", "J", 1000, 0, L1, "work of the column's dampers and frictions") \
  EACH(DISC, "disc", "K", 100, 0, L1, "temperature of the brake disc above the air, by lane") \
  ONE(CHARGE, "charge", "1", 1, 0, L0, "state of charge of the battery") \
  EACH(ROTOR, "rotor", "rad/s", 100, 20, L1, "speed of a motor behind elastic shafts, by motor") \
  EACH(SHAFT, "shaft", "rad", 0.1, 20, L1, "twist of the elastic shafts of a motor, at the wheels, by motor") \
  ONE(WORK_SHAFTS, "work_shafts", "J", 1000, 0, L1, "work of the damping of the motors' elastic shafts") \
  ONE(WORK_MOTORS, "work_motors", "J", 1000, 0, L0, "work of the losses of electric motors") \
  ONE(WORK_INVERTERS, "work_inverters", "J", 1000, 0, L0, "work of the losses of the motors' inverters") \
  ONE(WORK_BATTERY, "work_battery", "J", 1000, 0, L0, "work of the resistance of the battery") \
  ONE(WORK_AUXILIARIES, "work_auxiliaries", "J", 1000, 0, L0, "work of the auxiliaries") \
  ONE(RECUPERATED, "recuperated", "J", 1000, 0, L0, "work that motors took by braking") \
  ONE(WORK_ENGINE, "work_engine", "J", 1000, 0, L0, "work of the engine of a hybrid")
/* clang-format on */

#define VD_STATE_ONE(symbol, name, unit, scale, decay, level, meaning) VD_S_##symbol,
#define VD_STATE_EACH(symbol, name, unit, scale, decay, level, meaning)                                                \
  VD_S_##symbol, VD_S_##symbol##_LAST = VD_S_##symbol + VD_WHEELS - 1,
enum vd_state {
  VD_STATE_LIST(VD_STATE_ONE, VD_STATE_EACH) VD_STATES,
  VD_S_RIDE = VD_S_HEIGHT,        /* from here to VD_S_EXTRAS planar levels have only VD_S_WORK_OUTSIDE */
  VD_S_EXTRAS = VD_S_WORK_CLUTCH, /* the first state that only some cars or runs have */
  VD_S_FREE = VD_S_QUATERNION,    /* the first state that only L5 has */
  VD_S_LINKED = VD_S_WHEEL_PLACE, /* the first state that only L5 on stiff links has */
  VD_S_TURNING = VD_S_TWIST,      /* the first state that only cars on tyres with turn slip have */
  VD_S_BUSHINGS = VD_S_BUSHING,   /* the first state that only cars with nonlinear bushings have */
  VD_S_STEERED = VD_S_HAND,       /* the first state that only cars with a column or rear steering have */
  VD_S_ELECTRIC = VD_S_CHARGE,    /* the first state that only cars with a battery or several motors have */
};
#undef VD_STATE_ONE
#undef VD_STATE_EACH

typedef struct vd_state_info {
  const char *name, *unit;
  double scale, decay;
  enum vd_level level; /* the lowest level that has the state */
  const char *meaning;
} vd_state_info;

extern const vd_state_info vd_state_table[VD_STATES];
extern const double vd_state_weight[VD_STATES]; /* weights of the states' errors: 1/scale */
extern const double vd_state_decay[VD_STATES];  /* 1/s */
/* Weights of the gap of a step (vd_step_gap): 0 for states that decay so fast that within a hundredth of a second they
 * no longer depend on earlier rates. */
extern const double vd_state_gap_weight[VD_STATES];

#endif
