#include "model/electric.h"

#include "base/elementary.h"
#include "model/pedals.h"

#include <math.h>

static bool has_shaft(const vd_model *m, int k) {
  return m->vehicle.drivetrain.motor[k].stiffness > 0.0 && m->options.level != VD_L0;
}

/* Returns the efficiency of the gears of a single motor. For a list of motors it is 1, as their losses include those of
 * the gears. */
static double efficiency(const vd_model *m) {
  return m->vehicle.drivetrain.list ? 1.0 : m->vehicle.drivetrain.efficiency;
}

void vd_electric_build(vd_model *m) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const vd_lanes *lanes = &m->lanes;
  m->electric = d->motors > 0 && (m->vehicle.battery.given || d->list);
  for (int k = 0; k < d->motors && m->electric; k++)
    for (int i = 0; i < lanes->count; i++) {
      const int at = d->motor[k].at, axle = vd_axle_of_lane(lanes->count, i);
      double share = lanes->count == 2 ? 1.0 : 0.5; /* of the axle's torque on this lane */
      if (at == VD_MOTOR_GEARBOX)
        share = lanes->drive_share[i];
      else if (at >= VD_MOTOR_WHEEL)
        share = lanes->count == 2 ? axle == vd_axle_of(at - VD_MOTOR_WHEEL) : i == at - VD_MOTOR_WHEEL;
      else if (axle != at)
        share = 0.0;
      m->motor_share[k][i] = d->list ? share : lanes->drive_share[i];
    }
  for (int k = 0; k < d->motors && m->electric && m->options.level != VD_L0; k++) {
    const double ratio = d->motor[k].ratio / m->control.drive_radius;
    m->control.rolling_mass += d->list ? d->motor[k].inertia * ratio * ratio : 0.0;
  }
}

/* Returns the mean of the lanes' spins, weighted with the shares g. Both sides of an axle are added first, so that a
 * mirrored car computes the mirrored numbers. */
static double mean_of(const vd_model *m, const double *g, const double *omega) {
  if (m->lanes.count == 2)
    return g[0] * omega[0] + g[1] * omega[1];
  return (g[0] * omega[0] + g[1] * omega[1]) + (g[2] * omega[2] + g[3] * omega[3]);
}

/* Returns the mean speed of the wheels of a motor, rad/s. */
static double wheels_speed(const vd_model *m, const double *omega, int k) {
  return mean_of(m, m->motor_share[k], omega);
}

void vd_electric_start(const vd_model *m, vd_state_vector *s) {
  for (int k = 0; k < m->vehicle.drivetrain.motors; k++)
    if (has_shaft(m, k))
      s->x[VD_S_ROTOR + k] = m->vehicle.drivetrain.motor[k].ratio * wheels_speed(m, s->x + VD_S_SPIN, k);
}

/* Returns the losses of a motor, W. *inverter: the losses of its inverter, W. */
static double losses(const vd_model *m, int k, double torque, double speed, double voltage, double *inverter) {
  return vd_motor_loss(&m->vehicle.drivetrain.motor[k], torque, speed, voltage, inverter);
}

/* True if the battery can supply this share of all torques at a voltage at which the motors can deliver them. */
static bool supplied(const vd_model *m, double charge, const double *torque, const double *speed, double share) {
  const vd_battery *b = &m->vehicle.battery;
  const double open = vd_battery_open_voltage(b, charge);
  double power = b->auxiliaries;
  for (int k = 0; k < m->vehicle.drivetrain.motors; k++) {
    double inverter, lost = losses(m, k, share * torque[k], speed[k], open, &inverter);
    power += share * torque[k] * speed[k] + lost + inverter;
  }
  if (!(power <= vd_battery_most(b, charge) && power >= vd_battery_least(b, charge)))
    return false;
  const double voltage = vd_battery_voltage(b, charge, vd_battery_current(b, charge, power));
  for (int k = 0; k < m->vehicle.drivetrain.motors; k++)
    if (torque[k] * speed[k] > 0.0 &&
        fabs(share * torque[k]) > vd_motor_limit(&m->vehicle.drivetrain.motor[k], speed[k], voltage) * (1.0 + 1e-12))
      return false;
  return true;
}

/* Returns the greatest share of the torques that can be supplied, by bisection; 1 without a battery. */
static double supply_share(const vd_model *m, const double *x, const double *torque, const double *speed) {
  enum { HALVINGS = 48 };
  if (!m->vehicle.battery.given || supplied(m, x[VD_S_CHARGE], torque, speed, 1.0))
    return 1.0;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    *(supplied(m, x[VD_S_CHARGE], torque, speed, middle) ? &low : &high) = middle;
  }
  return low;
}

double vd_electric_limits(const vd_model *m, const double *x, double gearbox, vd_eval *e) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const double open = m->vehicle.battery.given ? vd_battery_open_voltage(&m->vehicle.battery, x[VD_S_CHARGE]) : 0.0;
  double sum = 0.0;
  for (int k = 0; k < d->motors; k++) {
    const double ratio = d->motor[k].ratio * (d->motor[k].at == VD_MOTOR_GEARBOX ? gearbox : 1.0);
    const double rolling = ratio * wheels_speed(m, e->motion.omega, k);
    e->electric.ratio[k] = ratio;
    e->electric.speed[k] = has_shaft(m, k) ? x[VD_S_ROTOR + k] : !d->list && m->motor_shaft ? x[VD_S_MOTOR] : rolling;
    e->electric.limit[k] = vd_motor_limit(&d->motor[k], e->electric.speed[k], open);
    sum += ratio * e->electric.limit[k] * efficiency(m);
  }
  return sum;
}

double vd_electric_supply(const vd_model *m, const double *x, double throttle, const vd_eval *e) {
  double torque[VD_WHEELS];
  for (int k = 0; k < m->vehicle.drivetrain.motors; k++)
    torque[k] = throttle * e->electric.limit[k];
  return supply_share(m, x, torque, e->electric.speed);
}

double vd_electric_part(const vd_model *m, const double *x, double wanted, double engine, double motors,
                        double direction, const vd_eval *e) {
  if (!(wanted > 0.0 && motors > 0.0))
    return 0.0;
  const double share = vd_curve_at(&m->vehicle.drivetrain.electric_share, x[VD_S_CHARGE], NULL);
  const double part = vd_max(share * wanted, wanted - vd_max(engine, 0.0));
  const double throttle = vd_min(vd_max(part / motors, -1.0), 1.0);
  return throttle * vd_electric_supply(m, x, throttle * direction, e);
}

/* True if an anti-lock system acts on some wheel. */
static bool antilock_acts(const vd_model *m, const vd_command *c, const double *mode) {
  for (int i = 0; i < m->lanes.count && m->abs; i++)
    if (mode[VD_M_ANTILOCK + i] == VD_ANTILOCK_CONTROLS || mode[VD_M_ANTILOCK + i] == VD_ANTILOCK_NONE)
      return true;
  for (int w = 0; w < VD_WHEELS && m->options.requests; w++)
    if (c->brake_valve[w] < 1.0)
      return true;
  return false;
}

/* Returns the share of the pedal's brake torque that circuits with pressure deliver; left and right are added first, as
 * in mean_of. */
static double with_pressure(const vd_model *m) {
  const double *g = m->lanes.brake_share;
  return m->lanes.count == 2 ? g[0] + g[1] : (g[0] + g[1]) + (g[2] + g[3]);
}

/* Returns the share of a motor's braking that replaces the friction of a lane; the sum over the lanes is 1. The shares
 * are proportional to those of the brakes, of all lanes or of the lanes that the motor drives; a single motor has the
 * fixed shares with which it drives the lanes. */
static double replaced(const vd_model *m, int k, int lane) {
  const double *friction = m->lanes.brake_share;
  double own = 0.0;
  if (m->vehicle.brakes.recuperation.type == VD_RECUPERATION_ALL)
    return friction[lane] / with_pressure(m);
  if (!m->vehicle.drivetrain.list)
    return m->motor_share[k][lane];
  for (int i = 0; i < m->lanes.count; i++)
    own += m->motor_share[k][i] > 0.0 ? friction[i] : 0.0;
  return m->motor_share[k][lane] > 0.0 && own > 0.0 ? friction[lane] / own : 0.0;
}

/* Returns the greatest share of the pedal's friction torque that a motor can replace without exceeding the friction of
 * any lane. */
static double replaceable(const vd_model *m, int k) {
  double most = INFINITY;
  for (int i = 0; i < m->lanes.count; i++)
    if (replaced(m, k, i) > 0.0)
      most = vd_min(most, m->lanes.brake_share[i] / replaced(m, k, i));
  return isinf(most) ? 0.0 : most;
}

/* Adds the torques at the motors' shafts, N m, that brake in place of friction, and reduces the friction. */
static void recuperate(const vd_model *m, const vd_command *c, const double *x, const double *mode, double direction,
                       vd_eval *e, double *torque) {
  const vd_recuperation *r = &m->vehicle.brakes.recuperation;
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const double pedal = e->drive.brake * m->vehicle.brakes.max_torque, speed = e->motion.vx * direction;
  const double fade = r->share * vd_min(vd_max((speed - r->slow) / (r->full_speed - r->slow), 0.0), 1.0);
  double able = 0.0, power = 0.0, braking[VD_WHEELS]; /* N m, W, N m at the wheels, where losses of gears brake, too */
  if (r->type == VD_RECUPERATION_NONE || !(pedal > 0.0 && fade > 0.0) || antilock_acts(m, c, mode))
    return;
  for (int k = 0; k < d->motors; k++) {
    braking[k] = fade * e->electric.limit[k] * e->electric.ratio[k] / efficiency(m);
    able += braking[k];
  }
  for (int k = 0; k < d->motors && able > 0.0; k++) {
    const double part = r->type == VD_RECUPERATION_ALL ? with_pressure(m) * braking[k] / able : replaceable(m, k);
    braking[k] = vd_min(braking[k], part * pedal);
    if (braking[k] > 0.0)
      torque[k] = -direction * braking[k] * efficiency(m) / e->electric.ratio[k];
    power -= torque[k] * e->electric.speed[k];
  }
  const double supply = supply_share(m, x, torque, e->electric.speed);
  const double share = power > r->power ? vd_min(supply, r->power / power) : supply;
  for (int k = 0; k < d->motors; k++) {
    torque[k] *= share;
    for (int i = 0; i < m->lanes.count; i++)
      e->drive.retard[i] -= share * braking[k] * replaced(m, k, i);
  }
}

void vd_electric_torques(const vd_model *m, const vd_command *c, const double *x, const double *mode, double throttle,
                         double direction, vd_eval *e) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  double braking[VD_WHEELS] = {0.0}, driving = direction * throttle;
  if (direction != 0.0)
    recuperate(m, c, x, mode, direction, e, braking);
  if (driving != 0.0)
    driving *= vd_electric_supply(m, x, driving, e);
  for (int k = 0; k < d->motors; k++) {
    const double torque = driving * e->electric.limit[k] + braking[k];
    e->electric.torque[k] = torque;
    e->electric.shaft[k] = e->electric.ratio[k] * torque;
    if (has_shaft(m, k)) {
      const double rate = x[VD_S_ROTOR + k] / d->motor[k].ratio - wheels_speed(m, e->motion.omega, k);
      e->electric.shaft[k] = d->motor[k].stiffness * x[VD_S_SHAFT + k] + d->motor[k].damping * rate;
    }
    for (int i = 0; i < m->lanes.count && d->list; i++)
      e->drive.direct[i] += m->motor_share[k][i] * e->electric.shaft[k];
  }
  const double torque = e->electric.torque[0], ratio = d->motor[0].ratio;
  e->drive.motor_torque = d->list                                ? 0.0
                          : m->motor_shaft                       ? torque
                          : torque * e->electric.speed[0] >= 0.0 ? torque * ratio * efficiency(m)
                                                                 : torque * ratio / efficiency(m);
}

void vd_electric_rates(const vd_model *m, const double *x, vd_eval *e, double *dx) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const vd_battery *b = &m->vehicle.battery;
  const double open = b->given ? vd_battery_open_voltage(b, x[VD_S_CHARGE]) : 0.0;
  double booked = 0.0, done = 0.0, taken = 0.0, lost = 0.0, inverters = 0.0, damped = 0.0;
  for (int k = 0; k < d->motors; k++) {
    const double wheels = wheels_speed(m, e->motion.omega, k), torque = e->electric.torque[k];
    const double power = torque * e->electric.speed[k];
    double inverter;
    booked += d->list ? e->electric.shaft[k] * wheels : m->motor_shaft ? power : e->drive.motor_torque * wheels;
    done += power;
    taken += vd_max(-power, 0.0);
    lost += losses(m, k, torque, e->electric.speed[k], open, &inverter);
    inverters += inverter;
    if (!has_shaft(m, k))
      continue;
    const double rate = x[VD_S_ROTOR + k] / d->motor[k].ratio - wheels;
    dx[VD_S_SHAFT + k] = rate;
    dx[VD_S_ROTOR + k] = (torque - e->electric.shaft[k] / d->motor[k].ratio) / d->motor[k].inertia;
    damped += d->motor[k].damping * rate * rate;
  }
  dx[VD_S_WORK_SHAFTS] = -damped;
  dx[VD_S_WORK_DRIVE] += done - booked;
  if (!d->list && !m->motor_shaft)
    dx[VD_S_WORK_GEARS] = booked - done;
  if (d->engine)
    dx[VD_S_WORK_ENGINE] =
        e->drive.motor_torque * (m->motor_shaft ? x[VD_S_MOTOR] : mean_of(m, m->lanes.drive_share, e->motion.omega));
  dx[VD_S_RECUPERATED] = taken;
  e->electric.power = e->electric.current = e->electric.voltage = 0.0;
  if (!b->given)
    return;
  e->electric.power = dx[VD_S_WORK_DRIVE] - dx[VD_S_WORK_ENGINE] + lost + inverters + b->auxiliaries;
  e->electric.current = vd_battery_current(b, x[VD_S_CHARGE], e->electric.power);
  e->electric.voltage = vd_battery_voltage(b, x[VD_S_CHARGE], e->electric.current);
  dx[VD_S_CHARGE] = -e->electric.current / b->capacity;
  dx[VD_S_WORK_MOTORS] = -lost;
  dx[VD_S_WORK_INVERTERS] = -inverters;
  dx[VD_S_WORK_BATTERY] = -(open - e->electric.voltage) * e->electric.current;
  dx[VD_S_WORK_AUXILIARIES] = -b->auxiliaries;
}

void vd_electric_ledger(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  e->log.energy_battery = m->vehicle.battery.given ? vd_battery_energy(&m->vehicle.battery, s->x[VD_S_CHARGE]) : 0.0;
  e->log.energy += e->log.energy_battery;
  for (int k = 0; k < d->motors; k++)
    if (has_shaft(m, k)) {
      const double w = s->x[VD_S_ROTOR + k], twist = s->x[VD_S_SHAFT + k];
      e->log.energy_spin += 0.5 * d->motor[k].inertia * w * w;
      e->log.energy += 0.5 * d->motor[k].inertia * w * w + 0.5 * d->motor[k].stiffness * twist * twist;
    }
  if (m->vehicle.battery.given)
    e->log.work -= s->x[VD_S_WORK_DRIVE] - s->x[VD_S_WORK_ENGINE];
  for (int i = VD_S_WORK_SHAFTS; i <= VD_S_WORK_AUXILIARIES; i++) {
    e->log.work += s->x[i];
    e->log.turnover += fabs(s->x[i]);
  }
}
