/* Traction control by throttle and brakes, and hill hold.
 *
 * The speed v of the car is the speed of the undriven axle or, if all wheels are driven, the speed of the slowest rim.
 * u are the speeds of the rims, extrapolated by their rates over a lead time. A rim is too fast if it exceeds v by more
 * than s = max(slip v, slip_speed).
 *
 *   throttle   open share h. e = u - v - s of the slower rim of a driven axle; the axle with the greater e counts.
 *              If e > 0, h' = -h e/(s closes), otherwise h' = -e/(s opens), so that this rim approaches v + s. |e/s| is
 *              limited to 1
 *   brakes     d: speed of the faster rim of a driven axle beyond the slower rim, and beyond v. The pressure of the
 *              faster rim has the rate p' = (d - s)/(s builds) if d > s, otherwise (d - s)/(s releases). An open
 *              differential then transmits the same additional torque to the slower wheel
 *
 * Hill hold. The specific force along a car at rest shows the slope. If the slope pulls against the direction of the
 * gear, the pressure that the pedal had at rest remains after its release, until the drivetrain balances the slope or
 * hold_time is over; then the pressure falls at a constant rate. */
#include "base/base.h"
#include "base/elementary.h"
#include "control/built_in.h"

#include <math.h>

typedef struct state {
  double decisions;           /* 0 or 1: whether a decision was made */
  double speed[VD_WHEELS];    /* m/s, speeds of the rims at the last decision */
  double v;                   /* m/s */
  double open;                /* -, share of the throttle that is left open */
  double pressure[VD_WHEELS]; /* -, pressures of the wheels that the controller brakes */
  double held, since;         /* -, pressure that is held on the hill; s, time since the pedal was released */
} state;

static const double motor_lead = 0.04, brake_lead = 0.02; /* s */
static const double closes = 0.05, opens = 2.0;           /* s */
static const double builds = 0.3, releases = 0.15;        /* s */
static const double greatest = 12.0; /* m/s2, greatest acceleration of a car with four driven wheels */
static const double rests = 0.05;    /* m/s, below which a rim is at rest */
static const double steep = 0.3;     /* m/s2, pull of a slope on which the car is held */
/* drive force over the pull of the slope, above which the pressure falls; s, time in which a full pressure falls */
static const double reserve = 1.1, falls = 0.4;

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_TCS)
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_controller_def, as.tcs.slip, "slip", "1", 0, 1, VD_ABOVE, "0.05",
      "slip that driven wheels may have; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.tcs.slip_speed, "slip_speed", "m/s", 0, 10, VD_ABOVE, "0.25 m/s",
      "speed by which the rims of driven wheels may be faster than the car at low speeds; the default is an "
      "estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.tcs.brake_speed, "brake_speed", "m/s", 0, 200, 0, "80 km/h",
      "estimated speed of the car above which it brakes no wheel; the default is an estimate"), ONLY},
  {VD_F_FLAG(vd_controller_def, as.tcs.motor, "motor", "true", "the controller may close the throttle"), ONLY},
  {VD_F_FLAG(vd_controller_def, as.tcs.hill_hold, "hill_hold", "true",
      "the pressure of the pedal stays on a hill until the drivetrain balances the slope"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.tcs.hold_time, "hold_time", "s", 0, 1e3, 0, "2 s",
      "longest time for which the pressure stays after the release of the pedal; the default is an estimate"), ONLY},
};
/* clang-format on */

enum sensor { OMEGA, TORQUE = OMEGA + VD_WHEELS, AX = TORQUE + VD_WHEELS, GEAR, BRAKE, THROTTLE };
static const char *const sensors[] = {VD_OF_WHEELS("omega_", "_radps"),
                                      VD_OF_WHEELS("drive_torque_", "_Nm"),
                                      "specific_force_x_mps2",
                                      "gear",
                                      "brake",
                                      "throttle",
                                      NULL};
enum { MOTOR = VD_WHEELS, REQUESTS };
static const char *const requests[] = {VD_OF_WHEELS("pressure_request_", ""), "throttle_request", NULL};
enum mode { RESTS, BRAKES, HOLDS };

static void begin(const vd_controller_def *def, const vd_controller_car *car, void *memory, double *request) {
  state *s = memory;
  (void)def, (void)car, (void)request;
  *s = (state){.open = 1.0};
}

static bool driven(const vd_controller_car *car, int axle) {
  return car->drive_share[vd_left_wheel(axle)] > 0.0;
}

static void estimate_speed(state *s, const vd_controller_car *car, const double *u, double T) {
  const bool front = driven(car, VD_FRONT), rear = driven(car, VD_REAR);
  const double front_mean = 0.5 * (u[VD_FL] + u[VD_FR]), rear_mean = 0.5 * (u[VD_RL] + u[VD_RR]);
  const double slowest = vd_min(vd_min(u[VD_FL], u[VD_FR]), vd_min(u[VD_RL], u[VD_RR]));
  if (front && rear)
    s->v = s->decisions > 0.0 ? vd_min(slowest, s->v + greatest * T) : slowest;
  else
    s->v = front ? rear_mean : front_mean;
}

static double limited(double share) {
  return vd_min(vd_max(share, -1.0), 1.0);
}

/* Updates the pressures of an axle. allowed: the excess speed s, m/s; may: the controller may brake; u: extrapolated
 * speeds of the rims, m/s. */
static void brake_axle(state *s, int axle, double allowed, bool may, const double *u, double T) {
  for (int i = vd_left_wheel(axle); i <= vd_right_wheel(axle); i++) {
    const double excess = limited((u[i] - vd_max(u[vd_other_side(i)], s->v) - allowed) / allowed);
    const double change = may ? T * (excess > 0.0 ? excess / builds : excess / releases) : -1.0;
    s->pressure[i] = vd_min(vd_max(s->pressure[i] + change, 0.0), 1.0);
  }
}

/* Updates the open share of the throttle. allowed: the excess speed s, m/s; u: extrapolated speeds of the rims, m/s. */
static void limit_motor(state *s, const vd_controller_car *car, double allowed, double pedal, const double *u,
                        double T) {
  double excess = -INFINITY;
  for (int a = 0; a < VD_AXLES; a++)
    if (driven(car, a))
      excess = vd_max(excess, vd_min(u[vd_left_wheel(a)], u[vd_right_wheel(a)]) - s->v - allowed);
  const double share = limited(excess / allowed);
  if (share > 0.0) /* the share falls from the position that the pedal commands */
    s->open = vd_min(s->open, pedal) * (1.0 - vd_min(T / closes * share, 1.0));
  else
    s->open = vd_min(s->open - T / opens * share, 1.0);
}

/* Returns the pressure that is held on a hill, in addition to the pressure of the pedal. */
static double hold(state *s, const vd_traction_def *def, const vd_controller_car *car, const double *sensed, double T) {
  const double pedal = sensed[BRAKE], pull = sensed[AX] * sensed[GEAR], along = sensed[GEAR] < 0.0 ? -1.0 : 1.0;
  bool stands = true;
  double force = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    stands &= s->speed[i] < rests;
    force += along * sensed[TORQUE + i] / car->radius[i];
  }
  if (!def->hill_hold || (s->held == 0.0 && !(stands && pedal > 0.0 && pull > 0.0 && along * sensed[AX] > steep)))
    return 0.0;
  if (stands && pedal >= s->held) {
    s->held = pedal;
    s->since = 0.0;
    return 0.0;
  }
  s->since += T;
  const bool carried = force > reserve * car->mass * along * sensed[AX];
  if (carried)
    s->since = vd_max(s->since, def->hold_time);
  if (s->since >= def->hold_time)
    s->held = vd_max(s->held - T / falls, 0.0);
  return vd_max(s->held - pedal, 0.0);
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  const vd_traction_def *own = &def->as.tcs;
  const double T = def->period;
  state *s = memory;
  double u[VD_WHEELS], for_motor[VD_WHEELS], for_brakes[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    u[i] = car->radius[i] * fabs(sensed[OMEGA + i]);
    const double rate = s->decisions > 0.0 ? (u[i] - s->speed[i]) / T : 0.0;
    for_motor[i] = u[i] + motor_lead * rate;
    for_brakes[i] = u[i] + brake_lead * rate;
    s->speed[i] = u[i];
  }
  estimate_speed(s, car, u, T);
  const double allowed = vd_max(own->slip * s->v, own->slip_speed), held = hold(s, own, car, sensed, T);
  const bool free = sensed[BRAKE] == 0.0 && held == 0.0;
  for (int a = 0; a < VD_AXLES; a++)
    brake_axle(s, a, allowed, free && driven(car, a) && s->v < own->brake_speed && sensed[THROTTLE] > 0.0, for_brakes,
               T);
  limit_motor(s, car, allowed, sensed[THROTTLE], for_motor, T);
  for (int i = 0; i < VD_WHEELS; i++) {
    request[i] = held > 0.0 ? held : s->pressure[i];
    request[REQUESTS + i] = held > 0.0 ? HOLDS : s->pressure[i] > 0.0 ? BRAKES : RESTS;
  }
  if (own->motor)
    request[MOTOR] = vd_min(s->open - sensed[THROTTLE], 0.0);
  s->decisions = 1.0;
}

const vd_controller_variant vd_tcs_controller = {
    VD_BUILT_IN,
    .two_tracks = true,
    .memory = sizeof(state),
    .begin = begin,
};
