/* The drivetrain: one motor, or an engine with clutch and gearbox, with differentials; or several motors; or an engine
 * and motors (a hybrid).
 *
 * The torque of the motor reaches the wheels in fixed shares g (sum 1). Therefore the speed of the gearbox is the sum
 * of the wheel speeds in the same shares: input speed = N sum(g omega). Brakes, clutch and differentials are couplings
 * that stick or slip (coupling.h). */
#ifndef VD_DRIVETRAIN_H
#define VD_DRIVETRAIN_H

#include "base/base.h"
#include "math/curve.h"
#include "vehicle/motor.h"

enum vd_drive { VD_DRIVE_FRONT, VD_DRIVE_REAR, VD_DRIVE_ALL };
enum vd_differential_type { VD_DIFFERENTIAL_OPEN, VD_DIFFERENTIAL_LOCKED, VD_DIFFERENTIAL_LIMITED_SLIP };

/* A differential. A limited-slip differential moves the torque preload + ramp |dw| from the faster to the slower
 * output, with and without engine torque; dw is the difference of the output speeds. It keeps both outputs at one speed
 * as long as a torque below the preload suffices. */
typedef struct vd_differential {
  int type;       /* enum vd_differential_type */
  double preload; /* N m */
  double ramp;    /* N m s/rad, per difference of the output speeds */
} vd_differential;

enum { VD_GEARS = 16, VD_MAP_SPEEDS = 64, VD_MAP_THROTTLES = 12 };

/* A gear request of the driver. */
enum { VD_GEAR_REVERSE = -1, VD_GEAR_NEUTRAL = 0, VD_GEAR_AUTOMATIC = 100 };

/* Parameters that models use, computed from the definition. All rows of the torque map have the same speeds, the union
 * of the speeds of all rows, so that the map is bilinear between all given points. */
typedef struct vd_drivetrain {
  bool engine; /* an engine; false: motors only */
  enum vd_drive drive;
  double front_share; /* share of the torque, for drive all */
  vd_differential front, rear, centre;
  double inertia, efficiency;
  double max_torque, max_power; /* N m, W: of the motor; for several motors the sums at the wheels */
  int gears;
  double ratio[VD_GEARS + 1]; /* final drive included; [0]: magnitude of the reverse gear; [1..gears] */
  double final_drive;         /* ratio of the final drive of an engine; 0 for a motor */
  int speeds, throttles;
  double speed[VD_MAP_SPEEDS], throttle[VD_MAP_THROTTLES];
  double torque[VD_MAP_THROTTLES][VD_MAP_SPEEDS];
  double idle, redline; /* rad/s */
  double shift_up, shift_down, shift_time;
  double clutch_torque, launch_speed;
  int motors;                /* number of electric motors: 1 for the type motor, or the length of a list */
  bool list;                 /* the motors are a list, without a shaft between them; with an engine: a hybrid */
  vd_motor motor[VD_WHEELS]; /* for a single motor, only the electric side is set */
  vd_curve electric_share;   /* hybrid: the motors' share of the wanted torque, over the charge */
} vd_drivetrain;

/* Returns the ratio of a gear with its sign: input speed divided by mean speed of the driven wheels; 0 in neutral. */
double vd_gear_ratio(const vd_drivetrain *d, int gear);

/* Returns the torque (N m) at a throttle and a speed (rad/s) of its shaft. An engine's torque comes from the map. Below
 * idle a governor adds torque to keep the engine running (full torque at a tenth below idle), and within 2 % above the
 * redline the throttle closes. */
double vd_motor_torque(const vd_drivetrain *d, double throttle, double speed);

/* Returns the throttle that gives a torque at a speed, 0 or 1 outside the available range: the inverse of
 * vd_motor_torque. */
double vd_motor_throttle(const vd_drivetrain *d, double torque, double speed);

/* Returns the torque capacity of the clutch, N m: zero at idle, full from the launch speed on, as with centrifugal
 * weights; zero while gears are shifted. Infinite for a motor, which has no clutch. */
double vd_clutch_capacity(const vd_drivetrain *d, double engine_speed, bool shifting);

/* Returns the gear for a rolling car: the highest gear in which the input speed is at least 10 % above the downshift
 * speed, or the first gear if there is none. wheel_speed: rad/s, input speed divided by the gear ratio. */
int vd_gear_for(const vd_drivetrain *d, double wheel_speed);

#endif
