#include "model/pedals.h"

#include "base/elementary.h"
#include "model/electric.h"

#include <math.h>

/* The speed controller places both poles of v' = F/m at this rate: fast compared with traffic, slow compared with
 * yaw. */
static const double controller_pole = 3.0; /* 1/s */

/* If the target is standstill, the brakes hold the car. Below this speed the pedal rises to standstill_pedal or, if
 * that is greater, to standstill_margin times the pedal that the slope requires. */
static const double standstill_speed = 0.2; /* m/s */
static const double standstill_pedal = 0.4, standstill_margin = 1.5;

VD_NOINLINE double grown_share(const vd_model *m, const vd_tyre_common *tyre, double speed) {
  return vd_rolling_share(speed, vd_tyre_rolling_growth(tyre), m->vehicle.rolling_slope);
}

double vd_running_resistance(const vd_model *m, double speed, double pull) {
  const double sign = vd_rolling_sign(speed);
  double force = m->air.drag * speed * fabs(speed) - m->balance.mass * pull;
  for (int i = 0; i < VD_AXLES; i++) {
    double load = m->balance.static_load[i] + m->air.downforce[i] * speed * speed;
    const vd_tyre_common *tyre = &m->vehicle.tyre[vd_left_wheel(i)].common;
    force += tyre->rolling_resistance * load * (m->lanes.rolling_grows ? grown_share(m, tyre, speed) : sign);
  }
  return force;
}

static inline int present_gear(const vd_model *m, const vd_command *c, const double *mode) {
  if (m->vehicle.drivetrain.engine)
    return (int)mode[VD_M_GEAR];
  if (c->gear == VD_GEAR_AUTOMATIC)
    return mode[VD_M_DIRECTION] < 0.0 ? VD_GEAR_REVERSE : 1;
  return c->gear;
}

/* Limits of the sum of the wheel torques that the motor can deliver in the direction of its gear, and the quantities
 * that determine these limits. */
typedef struct motor_range {
  double low, high;   /* N m at the wheels; low <= 0, at closed throttle */
  double motors;      /* N m at the wheels; hybrid: the electric motors' part of high */
  double ratio;       /* magnitude of the transmission ratio; 0 in neutral or during a shift */
  double direction;   /* -1 or +1, direction of the gear */
  double motor_speed; /* rad/s */
  bool shifting;
  bool pushes_only; /* L0: the clutch slips, so that the engine cannot decelerate the car */
} motor_range;

/* Returns the mean of the driven wheels' spins. Both sides of an axle are added first, so that a mirrored car computes
 * the mirrored numbers. */
static double mean_spin(const vd_model *m, const vd_eval *e) {
  const double *g = m->lanes.drive_share, *w = e->motion.omega;
  if (m->lanes.count == 2)
    return g[0] * w[0] + g[1] * w[1];
  return (g[0] * w[0] + g[1] * w[1]) + (g[2] * w[2] + g[3] * w[3]);
}

static double to_wheels(const vd_drivetrain *d, double ratio, double torque) {
  return torque * ratio * (torque >= 0.0 ? d->efficiency : 1.0 / d->efficiency);
}

static double to_motor(const vd_drivetrain *d, double ratio, double torque) {
  return torque / (ratio * (torque >= 0.0 ? d->efficiency : 1.0 / d->efficiency));
}

static double motor_torque(const vd_model *m, const motor_range *r, double throttle) {
  double torque = vd_motor_torque(&m->vehicle.drivetrain, throttle, r->motor_speed);
  return r->pushes_only ? vd_max(torque, 0.0) : torque;
}

static motor_range electric_range(const vd_model *m, const double *x, vd_eval *e) {
  motor_range r = {.ratio = e->drive.gear == VD_GEAR_NEUTRAL ? 0.0 : 1.0, .direction = e->drive.gear < 0 ? -1.0 : 1.0};
  r.high = r.ratio * vd_electric_limits(m, x, 0.0, e);
  return r;
}

/* Returns the range of an engine with the motors of a hybrid. */
static motor_range with_motors(const vd_model *m, const double *x, motor_range r, vd_eval *e) {
  const bool neutral = e->drive.gear == VD_GEAR_NEUTRAL;
  const double most = vd_electric_limits(m, x, neutral ? 0.0 : r.ratio, e);
  r.motors = neutral ? 0.0 : most;
  r.high += r.motors;
  return r;
}

VD_NOINLINE motor_range other_range(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                    vd_eval *e) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  if (m->electric && !d->engine)
    return electric_range(m, x, e);
  double ratio = vd_gear_ratio(d, e->drive.gear);
  motor_range r = {.ratio = fabs(ratio), .direction = ratio < 0.0 ? -1.0 : 1.0};
  r.motor_speed = ratio * mean_spin(m, e);
  if (d->engine && vd_direct_level(c)) { /* torque of the engine at the speed of the gear */
    r.motor_speed = vd_max(r.motor_speed, d->idle);
  } else if (m->motor_shaft) {
    r.motor_speed = d->engine ? x[VD_S_MOTOR] : r.direction * x[VD_S_MOTOR];
  } else if (d->engine) { /* L0 has no clutch; below the launch speed it is assumed to slip */
    r.pushes_only = r.motor_speed < d->launch_speed;
    r.motor_speed = vd_max(r.motor_speed, d->launch_speed);
  }
  r.shifting = mode[VD_M_SHIFTING] != 0.0;
  if (r.shifting && !vd_direct_level(c))
    r.ratio = 0.0;
  r.high = to_wheels(d, r.ratio, motor_torque(m, &r, 1.0));
  r.low = d->engine ? to_wheels(d, r.ratio, motor_torque(m, &r, 0.0)) : 0.0;
  return m->electric ? with_motors(m, x, r, e) : r;
}

static inline motor_range find_motor_range(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                           vd_eval *e) {
  if (!m->plain_motor)
    return other_range(m, c, x, mode, e);
  const double ratio = e->drive.gear == VD_GEAR_NEUTRAL ? 0.0 : m->vehicle.drivetrain.ratio[1];
  return (motor_range){
      .ratio = ratio, .direction = e->drive.gear < 0 ? -1.0 : 1.0, .high = ratio * m->vehicle.drivetrain.max_torque};
}

static double limited(double wanted, double low, double high, bool *saturated) {
  double given = vd_min(vd_max(wanted, low), high);
  *saturated |= given != wanted;
  return given;
}

/* Returns the pedal position for a brake force, N. */
static double brake_pedal(const vd_model *m, double force) {
  double capacity = m->vehicle.brakes.max_torque, torque = force * m->control.brake_radius;
  return capacity > 0.0 ? vd_min(torque / capacity, 1.0) : 0.0;
}

/* Sets the brakes of a car that rolls against its gear to the part of the force that the motor cannot deliver: their
 * force then has the wanted direction. At rest they hold the car if the motor cannot. Returns true if the whole missing
 * force is delivered. */
static bool brake_against_roll(const vd_model *m, const motor_range *r, double force, vd_eval *e) {
  double most = r->high / m->control.drive_radius, back = -e->motion.vx * r->direction / standstill_speed;
  double missing = force * r->direction - most;
  double sinks = vd_running_resistance(m, 0.0, e->motion.pull_x) * r->direction - most;
  /* 1 from the speed on at which the margin at rest is zero, so that the car does not roll back at lower speeds */
  double share = vd_min(back * standstill_margin / (standstill_margin - 1.0), 1.0);
  if (back > 0.0)
    e->drive.brake = brake_pedal(m, missing) * share;
  if (fabs(back) < 1.0 && sinks > 0.0)
    e->drive.brake = vd_max(e->drive.brake, brake_pedal(m, standstill_margin * sinks) * (1.0 - fabs(back)));
  return share >= 1.0 && e->drive.brake < 1.0;
}

/* Returns the throttle of a hybrid's motors for their part of a torque on the wheels along the gear. */
static double electric_part(const vd_model *m, const double *x, const motor_range *r, double wanted, const vd_eval *e) {
  return vd_electric_part(m, x, wanted, r->high - r->motors, r->motors, r->direction, e);
}

/* Sets the throttle of electric motors for a torque on the wheels along the gear. A hybrid's torque is between that of
 * the closed throttle and the greatest of engine and motors together. Returns true if they deliver it. */
static bool electric_throttle(const vd_model *m, const double *x, const motor_range *r, double wanted, vd_eval *e) {
  if (m->vehicle.drivetrain.engine) {
    e->drive.throttle = r->high > r->low ? vd_min((wanted - r->low) / (r->high - r->low), 1.0) : 0.0;
    const double least = wanted - (r->high - r->motors); /* what the engine leaves to the motors */
    return !(least > 0.0) || electric_part(m, x, r, wanted, e) * r->motors >= least * (1.0 - 1e-12);
  }
  const double throttle = r->high > 0.0 ? vd_min(wanted / r->high, 1.0) : 0.0;
  const double share = vd_electric_supply(m, x, throttle * r->direction, e);
  e->drive.throttle = throttle * share;
  return share == 1.0 && wanted <= r->high;
}

/* Sets the torques of a hybrid's motors at a throttle, and returns the torque of the engine, N m at its shaft. */
static double hybrid_torques(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                             const motor_range *r, double throttle, vd_eval *e) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const double wanted = r->low + throttle * (r->high - r->low), part = electric_part(m, x, r, wanted, e);
  vd_electric_torques(m, c, x, mode, part, e->drive.gear == VD_GEAR_NEUTRAL ? 0.0 : r->direction, e);
  if (!(r->ratio > 0.0))
    return motor_torque(m, r, r->shifting ? 0.0 : throttle);
  return to_motor(d, r->ratio, vd_min(vd_max(wanted - part * r->motors, r->low), r->high - r->motors));
}

/* Does the work of force_to_pedals, except for a plain motor within its range; wanted: N m on the wheels along the
 * gear. */
VD_NOINLINE bool other_pedals(const vd_model *m, const double *x, motor_range r, double force, double wanted,
                              vd_eval *e) {
  if (wanted >= r.low) {
    bool enough = wanted <= r.high;
    if (m->electric)
      enough = electric_throttle(m, x, &r, wanted, e);
    else if (r.ratio > 0.0)
      e->drive.throttle =
          vd_motor_throttle(&m->vehicle.drivetrain, to_motor(&m->vehicle.drivetrain, r.ratio, wanted), r.motor_speed);
    return enough || brake_against_roll(m, &r, force, e);
  }
  double force_of_brakes = (r.low - wanted) / m->control.drive_radius;
  e->drive.brake = brake_pedal(m, force_of_brakes);
  return force_of_brakes * m->control.brake_radius <= m->vehicle.brakes.max_torque;
}

/* Sets the pedals for a force, N, forward > 0. Returns true if the force is reached. Functions that few cars need take
 * the range by value: if its address were passed, the compiler would keep it in memory for all cars. */
static inline bool force_to_pedals(const vd_model *m, const double *x, const motor_range *r, double force, vd_eval *e) {
  double wanted = force * r->direction * m->control.drive_radius;
  e->drive.throttle = e->drive.brake = 0.0;
  if (!m->plain_motor || !(wanted >= 0.0 && wanted < r->high))
    return other_pedals(m, x, *r, force, wanted, e);
  e->drive.throttle = wanted / r->high;
  return true;
}

/* Computes the direct torques at the wheels. An axle without drive receives no drive torque. */
static void torque_level(const vd_model *m, const vd_command *c, const motor_range *r, vd_eval *e) {
  const vd_lanes *lanes = &m->lanes;
  double low = m->vehicle.drivetrain.engine ? r->low : -r->high;
  bool by_wheel = c->longitudinal == VD_LON_WHEEL_TORQUE;
  e->drive.tracking_error = 0.0;
  for (int i = 0; i < lanes->count; i++) {
    int axle = vd_axle_of_lane(lanes->count, i);
    double drive = c->drive[i], retard = c->retard[i];
    if (lanes->count == 2 && by_wheel) {
      drive = c->drive[vd_left_wheel(i)] + c->drive[vd_right_wheel(i)];
      retard = c->retard[vd_left_wheel(i)] + c->retard[vd_right_wheel(i)];
    } else if (lanes->count == 4 && !by_wheel) {
      drive = 0.5 * c->drive[axle];
      retard = 0.5 * c->retard[axle];
    }
    double share = lanes->drive_share[i];
    e->drive.direct[i] = limited(drive, share * low, share * r->high, &e->drive.saturated);
    e->drive.retard[i] =
        limited(retard, 0.0, lanes->brake_share[i] * m->vehicle.brakes.max_torque, &e->drive.saturated);
    e->drive.tracking_error += fabs(drive - e->drive.direct[i]) + fabs(retard - e->drive.retard[i]);
  }
}

/* Adds the requests to the torques that bypass drivetrain and pedal. The pressure of a wheel, the sum of pedal and
 * request, is limited to 0 and the pressure at full pedal; hydraulic pressures follow their requests in pressure.h.
 * Requests are not limited by the motor. */
static void add_requests(const vd_model *m, const vd_command *c, vd_eval *e) {
  const vd_lanes *lanes = &m->lanes;
  for (int i = 0; i < lanes->count; i++) {
    const int left = lanes->count == 2 ? vd_left_wheel(i) : i, right = lanes->count == 2 ? vd_right_wheel(i) : i;
    for (int w = left; w <= right; w++) {
      double full = lanes->brake_share[i] * m->vehicle.brakes.max_torque / lanes->wheels;
      double pressure = vd_min(vd_max(e->drive.brake + c->pressure_request[w], 0.0), 1.0);
      e->drive.direct[i] += c->drive_request[w];
      e->drive.retard[i] += c->brake_request[w] + (m->hydraulic ? 0.0 : full * (pressure - e->drive.brake));
    }
  }
}

/* Sets the torques that bypass drivetrain and pedal to those of requests, at levels without direct torques. Returns the
 * throttle of the motor: that of the pedal, or of the speed controller, and the request. */
VD_NOINLINE double bypassed_throttle(const vd_model *m, const vd_command *c, vd_eval *e) {
  for (int i = 0; i < m->lanes.count && !vd_direct_level(c); i++)
    e->drive.direct[i] = e->drive.retard[i] = 0.0;
  if (!m->options.requests)
    return e->drive.throttle;
  add_requests(m, c, e);
  return vd_min(vd_max(e->drive.throttle + c->throttle_request, 0.0), 1.0);
}

static void force_level(const vd_model *m, const vd_command *c, const motor_range *r, vd_eval *e) {
  double along = c->target * r->direction, given;
  e->drive.demand = c->target;
  for (int i = 0; i < m->lanes.count; i++)
    e->drive.direct[i] = e->drive.retard[i] = 0.0;
  if (along >= 0.0) {
    given = limited(along, 0.0, r->high / m->control.drive_radius, &e->drive.saturated);
    for (int i = 0; i < m->lanes.count; i++)
      e->drive.direct[i] = r->direction * given * m->control.drive_radius * m->lanes.drive_share[i];
    e->drive.throttle = r->high > 0.0 ? given * m->control.drive_radius / r->high : 0.0;
  } else {
    double most = m->vehicle.brakes.max_torque / m->control.brake_radius;
    given = limited(along, -most, 0.0, &e->drive.saturated);
    e->drive.brake = most > 0.0 ? -given / most : 0.0;
  }
  /* if the car rolls against its gear and the command, the brakes stop it */
  bool against = along < 0.0 && e->motion.vx * r->direction < -standstill_speed;
  e->drive.saturated |= against;
  e->drive.tracking_error = c->target - r->direction * (against ? -given : given);
}

static void acceleration_level(const vd_model *m, const vd_command *c, const double *x, const motor_range *r,
                               vd_eval *e) {
  double gain = controller_pole * m->control.rolling_mass;
  double force = m->control.rolling_mass * c->target + gain * x[VD_S_ACCELERATION_INTEGRAL] +
                 vd_running_resistance(m, e->motion.vx, e->motion.pull_x);
  e->drive.demand = c->target;
  e->drive.saturated = !force_to_pedals(m, x, r, force, e) || (e->drive.brake > 0.0 && force * r->direction < 0.0 &&
                                                               e->motion.vx * r->direction < -standstill_speed);
}

/* Returns the force of speed control within the range of the path's accelerations. */
VD_NOINLINE double within_range(const vd_model *m, const vd_command *c, double force, double error, const vd_eval *e,
                                bool *held) {
  const double resistance = vd_running_resistance(m, e->motion.vx, e->motion.pull_x), mass = m->control.rolling_mass;
  const double given = limited(force, resistance + mass * c->range[0], resistance + mass * c->range[1], held);
  *held = error * (force - given) > 0.0;
  return given;
}

static inline void speed_level(const vd_model *m, const vd_command *c, const double *x, const motor_range *r,
                               vd_eval *e, double *integral_rate) {
  double error = c->target - e->motion.vx, integral = x[VD_S_SPEED_INTEGRAL];
  double force =
      2.0 * controller_pole * m->control.rolling_mass * error + m->control.rolling_mass * c->target_rate + integral;
  bool held = false; /* the force is at the end of the range to which the error leads */
  if (c->has_range)
    force = within_range(m, c, force, error, e, &held);
  e->drive.demand = c->target;
  e->drive.saturated = !force_to_pedals(m, x, r, force, e);
  *integral_rate = 0.0;
  /* a target that only passes through zero is not a command to stop: stages at both ends of a ramp would disagree */
  if (c->target == 0.0 && c->target_rate == 0.0 && fabs(e->motion.vx) < standstill_speed) {
    double slope = fabs(vd_running_resistance(m, 0.0, e->motion.pull_x));
    double pedal = vd_max(standstill_pedal, brake_pedal(m, standstill_margin * slope));
    e->drive.throttle = 0.0;
    e->drive.saturated = slope * m->control.brake_radius > m->vehicle.brakes.max_torque;
    if (e->motion.vx * force < 0.0) /* the brakes act in place of the motor */
      e->drive.brake = brake_pedal(m, fabs(force));
    e->drive.brake = vd_max(e->drive.brake, pedal * (1.0 - fabs(e->motion.vx) / standstill_speed));
    /* the integral goes to the force that the slope requires to drive off */
    *integral_rate = controller_pole * (vd_running_resistance(m, e->motion.vx, e->motion.pull_x) - integral);
  } else if (!held && (!e->drive.saturated || error * force < 0.0)) {
    /* anti-windup: at a limit of a pedal the integral may only reduce the force */
    *integral_rate = controller_pole * controller_pole * m->control.rolling_mass * error;
  }
}

/* Sets the torque of motors other than a plain one. */
VD_NOINLINE void other_torque(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                              motor_range own, double throttle, vd_eval *e) {
  const motor_range *r = &own;
  if (m->electric && !m->vehicle.drivetrain.engine) {
    vd_electric_torques(m, c, x, mode, vd_direct_level(c) ? 0.0 : throttle, r->ratio * r->direction, e);
    return;
  }
  /* the throttle is closed during a shift; an engine without a command idles */
  bool direct = vd_direct_level(c);
  double torque = m->electric && !direct ? hybrid_torques(m, c, x, mode, r, throttle, e)
                  : direct && !m->vehicle.drivetrain.engine
                      ? 0.0
                      : motor_torque(m, r, direct || r->shifting ? 0.0 : throttle);
  if (m->electric && direct)
    vd_electric_torques(m, c, x, mode, 0.0, 0.0, e);
  if (m->motor_shaft)
    e->drive.motor_torque =
        m->vehicle.drivetrain.engine ? torque : torque * r->direction * (r->ratio > 0.0 ? 1.0 : 0.0);
  else
    e->drive.motor_torque = direct ? 0.0 : to_wheels(&m->vehicle.drivetrain, r->ratio, torque) * r->direction;
}

void vd_pedals(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
               double *integral_rate) {
  e->drive.gear = present_gear(m, c, mode);
  e->drive.throttle = c->throttle;
  e->drive.brake = c->brake;
  e->drive.handbrake = c->handbrake;
  e->drive.saturated = false;
  e->drive.demand = e->drive.tracking_error = 0.0;
  *integral_rate = 0.0;
  motor_range r = find_motor_range(m, c, x, mode, e);
  switch (c->longitudinal) {
  case VD_LON_PEDALS: break;
  case VD_LON_WHEEL_TORQUE:
  case VD_LON_AXLE_TORQUE: torque_level(m, c, &r, e); break;
  case VD_LON_FORCE: force_level(m, c, &r, e); break;
  case VD_LON_ACCELERATION: acceleration_level(m, c, x, &r, e); break;
  case VD_LON_SPEED:
  case VD_LON_PATH_SPEED: speed_level(m, c, x, &r, e, integral_rate); break;
  }
  const double throttle = m->bypass ? bypassed_throttle(m, c, e) : e->drive.throttle;
  if (m->plain_motor) {
    e->drive.motor_torque = vd_direct_level(c) ? 0.0 : throttle * r.high * r.direction;
    return;
  }
  other_torque(m, c, x, mode, r, throttle, e);
}

double vd_acceleration_integral_rate(const vd_command *c, const vd_eval *e) {
  if (c->longitudinal != VD_LON_ACCELERATION)
    return 0.0;
  double error = c->target - e->body.ax;
  bool stands = fabs(e->motion.vx) < standstill_speed && e->drive.throttle == 0.0;
  return stands || (e->drive.saturated && error * c->target > 0.0) ? 0.0 : error;
}
