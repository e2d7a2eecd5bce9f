/* L1 and L2: equations of motion in the plane; L1 has two lanes, each with both wheels of an axle, L2 four. */
#include "model/model_impl.h"

#include "base/elementary.h"
#include "model/load_loop.h"
#include "model/outside.h"
#include "model/steered.h"

#include <math.h>
#include <string.h>

/* Computes gravity along the slope in body axes. */
static inline void slope_pull(const vd_model *m, double cosine, double sine, vd_eval *restrict e) {
  double along = m->ground.pull_along, across = m->ground.pull_across;
  e->motion.pull_x = along * cosine + across * sine;
  e->motion.pull_y = across * cosine - along * sine;
}

static double friction_at(const vd_model *m, const double *x, double cosine, double sine, double ahead, double left) {
  double px, py;
  double along = x[VD_S_ALONG] + cosine * ahead - sine * left, across = x[VD_S_ACROSS] + sine * ahead + cosine * left;
  vd_model_plan(m, along, across, &px, &py);
  return vd_ground_friction(&m->ground, px, py);
}

/* Computes the friction of the ground under every lane; a single track has the mean of left and right. */
static inline void ground_friction(int n, const vd_model *m, const double *x, double cosine, double sine,
                                   vd_eval *restrict e) {
  for (int i = 0; i < n; i++) {
    e->contact.friction[i] = m->ground.friction;
    if (!m->patches)
      continue;
    double ahead = m->lanes.x[i], left = m->lanes.y[i], half = 0.5 * m->vehicle.axle[vd_axle_of_lane(n, i)].track;
    if (n == 4)
      e->contact.friction[i] = friction_at(m, x, cosine, sine, ahead, left);
    else
      e->contact.friction[i] =
          0.5 * (friction_at(m, x, cosine, sine, ahead, half) + friction_at(m, x, cosine, sine, ahead, -half));
  }
}

/* Adds the velocities of contact points that move as the wheels turn about their steering axes. */
static void steered_velocities(int n, const vd_model *m, const vd_command *c, vd_eval *e) {
  vd_steered_arms(m, c, e);
  for (int i = 0; i < n; i++) {
    e->contact.vx_contact[i] += c->angle_rate[i] * e->steering.steer_arm[0][i];
    e->contact.vy_contact[i] += c->angle_rate[i] * e->steering.steer_arm[1][i];
  }
}

VD_INLINE void contact_velocities(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  double vx = x[VD_S_VX], vy = x[VD_S_VY], r = x[VD_S_YAW_RATE];
  vd_wide cosine = vd_lanes_load(n, c->cos_angle), sine = vd_lanes_load(n, c->sin_angle);
  vd_wide bx = vx - r * vd_wide_load(lanes->y), by = vy + r * vd_wide_load(lanes->x);
  e->motion.vx = vx;
  e->motion.vy = vy;
  e->motion.yaw_rate = r;
  vd_lanes_store(n, vd_lanes_load(n, x + VD_S_SPIN), e->motion.omega);
  vd_lanes_store(n, bx * cosine + by * sine, e->contact.vx_contact);
  vd_lanes_store(n, by * cosine - bx * sine, e->contact.vy_contact);
  if (m->steering_axes)
    steered_velocities(n, m, c, e);
}

static void turn_slips(const vd_model *m, const vd_command *c, const double *x, vd_eval *e) {
  double turning[VD_WHEELS];
  for (int i = 0; i < m->lanes.count; i++)
    turning[i] = e->motion.yaw_rate + c->angle_rate[i];
  vd_turn_slips(m, x, turning, e);
}

/* Computes the power of each kind of work. Their sum is the rate of the total energy, term by term of the equations of
 * motion: contact forces work on the velocity of the tread relative to the road, moments on the spin or the yaw
 * rate. */
VD_INLINE void ledger(int n, const vd_load_loop *p, const vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  vd_wide omega = vd_lanes_load(n, e->motion.omega), mode = vd_lanes_load(n, p->mode);
  vd_wide fx = p->at.fx, slip = vd_lanes_load(n, e->contact.vx_contact) - vd_wide_load(m->lanes.radius) * omega;
  vd_wide tyre = fx * slip + p->at.fy * vd_lanes_load(n, e->contact.vy_contact) +
                 vd_lanes_load(n, e->tyre.mz) * e->motion.yaw_rate;
  vd_wide sum = vd_wide_sums(vd_lanes_load(n, e->drive.drive_torque) * omega,
                             -mode * vd_lanes_load(n, e->drive.brake_capacity) * omega, tyre, p->at.my * omega);
  dx[VD_S_WORK_DRIVE] = sum[0];
  dx[VD_S_WORK_BRAKE] = sum[1];
  dx[VD_S_WORK_TYRE] = sum[2];
  dx[VD_S_WORK_ROLLING] = sum[3];
  dx[VD_S_WORK_AERO] = m->outside ? e->outside.air_power : -e->outside.drag * e->motion.vx;
  if (m->outside)
    dx[VD_S_WORK_OUTSIDE] = e->outside.push_power;
  if (m->coupled)
    vd_train_ledger(m, &p->train, p->x, e, dx);
}

VD_INLINE void body(int n, const vd_load_loop *p, double cosine, double sine, vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  double mass = m->balance.mass;
  vd_wide cos_angle = vd_lanes_load(n, p->c->cos_angle), sin_angle = vd_lanes_load(n, p->c->sin_angle);
  vd_wide fx = p->at.fx * cos_angle - p->at.fy * sin_angle, fy = p->at.fx * sin_angle + p->at.fy * cos_angle;
  vd_wide turning = vd_wide_load(m->lanes.x) * fy - vd_wide_load(m->lanes.y) * fx + vd_lanes_load(n, e->tyre.mz);
  e->body.ax = e->loop.sum[VD_SUM_X] / mass + e->motion.pull_x;
  e->body.ay = (e->loop.sum[VD_SUM_YF] + e->loop.sum[VD_SUM_YR]) / mass + e->motion.pull_y;
  e->body.yaw_accel = vd_wide_sum(turning) / m->vehicle.yaw_inertia;
  if (m->outside) {
    e->body.ay += e->outside.outside_side / mass;
    e->body.yaw_accel += e->outside.outside_turn / m->vehicle.yaw_inertia;
  }

  dx[VD_S_ALONG] = e->motion.vx * cosine - e->motion.vy * sine;
  dx[VD_S_ACROSS] = e->motion.vx * sine + e->motion.vy * cosine;
  dx[VD_S_YAW] = e->motion.yaw_rate;
  dx[VD_S_VX] = e->body.ax + e->motion.vy * e->motion.yaw_rate;
  dx[VD_S_VY] = e->body.ay - e->motion.vx * e->motion.yaw_rate;
  dx[VD_S_YAW_RATE] = e->body.yaw_accel;
  dx[VD_S_DISTANCE] = sqrt(e->motion.vx * e->motion.vx + e->motion.vy * e->motion.vy);
}

/* Computes wheel loads and tyre forces. Coupled shafts are solved for an assumed direction of power through the gears,
 * and once more if the torque has the other direction. At zero torque both solutions are equal, so the rates do not
 * jump. */
VD_INLINE bool loads(int n, vd_load_loop *p, vd_eval *restrict e) {
  const vd_model *m = p->m;
  bool ahead = e->drive.motor_torque >= 0.0, closed = false;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    if (m->coupled) {
      p->train.ahead = ahead;
      vd_train_prepare(m, p->c, p->x, p->mode, e, &p->train);
    }
    closed = vd_close_loads(n, p, e);
    if (!m->coupled)
      return closed;
    vd_lane_wheel_torques(n, p, e, torque);
    vd_train_finish(m, &p->train, p->mode, torque, e);
    if (vd_train_drives(e) == ahead || m->vehicle.drivetrain.efficiency == 1.0)
      break;
    ahead = !ahead;
  }
  vd_wide free = vd_lanes_load(n, e->drive.drive_torque) - p->at.fx * vd_wide_load(m->lanes.radius) + p->at.my;
  vd_lanes_store(n, free, e->spin.spin_torque);
  return closed;
}

/* Writes the deflection rates that tyres with bristles compute. */
VD_INLINE void bristle_rates(int n, const vd_load_loop *p, vd_eval *restrict e) {
  const vd_lanes *lanes = &p->m->lanes;
  int sides = n == 2 && lanes->paired ? 2 : 1; /* number of different tyres in a lane */
  for (int i = 0; i < n && p->slide.now.bristles; i++)
    if (p->slide.now.each[sides * i].bristles) {
      e->slip.deflection_rate_x[i] = p->tyre.rate_x[i];
      e->slip.deflection_rate_y[i] = p->tyre.rate_y[i];
      e->tyre.damped[i] = lanes->wheels * p->tyre.damped[i];
    }
}

/* Computes the means of the moments of two tyres in a lane, each with its own side force. */
static void mean_moments(vd_load_loop *p, const double *load, const vd_eval *e, double *mz) {
  const vd_tyre_row *row = &p->m->lanes.row;
  vd_tyre_forces own = {.mx = {0.0}}; /* only some tyres have moments and rates */
  double loads[VD_WHEELS], speeds[VD_WHEELS], friction[VD_WHEELS], each[VD_WHEELS];
  vd_lanes_to_sides(load, loads);
  vd_lanes_to_sides(e->contact.vx_contact, speeds);
  vd_lanes_to_sides(e->contact.friction, friction);
  vd_tyre_force(row, &p->slide, friction, loads, &own);
  vd_tyre_moments(row, &p->slide, loads, speeds, own.fy, each);
  vd_means(each, mz);
}

static inline void aligning_moments(int n, vd_load_loop *p, vd_eval *restrict e) {
  const vd_lanes *lanes = &p->m->lanes;
  if (n == VD_WHEELS) { /* one tyre in a lane */
    vd_tyre_moments(&lanes->row, &p->slide, e->tyre.load, e->contact.vx_contact, e->tyre.fy, e->tyre.mz);
    return;
  }
  double load[VD_WHEELS], side[VD_WHEELS], mz[VD_WHEELS];
  for (int i = 0; i < n; i++) {
    load[i] = e->tyre.load[i] * lanes->tyre_share;
    side[i] = e->tyre.fy[i] * lanes->tyre_share;
  }
  if (n == 2 && lanes->paired)
    mean_moments(p, load, e, mz);
  else
    vd_tyre_moments(&lanes->row, &p->slide, load, e->contact.vx_contact, side, mz);
  for (int i = 0; i < n; i++)
    e->tyre.mz[i] = lanes->wheels * mz[i];
}

static inline void extra_rates(int n, const vd_load_loop *p, const vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  dx[VD_S_MOTOR] = e->drive.motor_accel;
  dx[VD_S_ACCELERATION_INTEGRAL] = vd_acceleration_integral_rate(p->c, e);
  if (m->transient)
    vd_lane_deflection_ledger(n, m, p->x, e, dx);
  if (m->turn_slip)
    vd_turn_ledger(m, p->c, p->x, e, dx);
  if (m->abs)
    vd_lane_antilock(n, m, p->c, p->x, p->mode, e, dx);
  if (m->hydraulic)
    vd_lane_pressures(n, m, p->c, p->x, e, dx);
}

/* Computes the slips of the two different tyres in a lane of L1, which have the same contact. */
static void slides_of_both(const vd_contact *lane, vd_load_loop *p) {
  enum { KAPPA, TAN_ALPHA, VX, OMEGA, SLIP_X, SLIP_Y, STATE_X, STATE_Y, DAMPER, CURVATURE, ROLLING, MOST };
  double row[MOST][VD_WHEELS];
  vd_contact contact = {.kappa = row[KAPPA], .tan_alpha = row[TAN_ALPHA], .vx = row[VX], .omega = row[OMEGA]};
  vd_bristle_inputs bristle_inputs = {.slip_x = row[SLIP_X],
                                      .slip_y = row[SLIP_Y],
                                      .state_x = row[STATE_X],
                                      .state_y = row[STATE_Y],
                                      .damper = row[DAMPER]};
  vd_lanes_to_sides(lane->kappa, row[KAPPA]);
  vd_lanes_to_sides(lane->tan_alpha, row[TAN_ALPHA]);
  vd_lanes_to_sides(lane->vx, row[VX]);
  vd_lanes_to_sides(lane->omega, row[OMEGA]);
  if (p->m->turn_slip) {
    vd_lanes_to_sides(lane->curvature, row[CURVATURE]);
    vd_lanes_to_sides(lane->rolling, row[ROLLING]);
    contact.curvature = row[CURVATURE];
    contact.rolling = row[ROLLING];
  }
  if (lane->bristle_inputs) {
    vd_lanes_to_sides(lane->bristle_inputs->slip_x, row[SLIP_X]);
    vd_lanes_to_sides(lane->bristle_inputs->slip_y, row[SLIP_Y]);
    vd_lanes_to_sides(lane->bristle_inputs->state_x, row[STATE_X]);
    vd_lanes_to_sides(lane->bristle_inputs->state_y, row[STATE_Y]);
    vd_lanes_to_sides(lane->bristle_inputs->damper, row[DAMPER]);
    bristle_inputs.fastest = lane->bristle_inputs->fastest;
    contact.bristle_inputs = &bristle_inputs;
  }
  vd_tyre_slide(&p->m->lanes.row, &contact, &p->slide);
}

static inline void slides(int n, const vd_eval *e, const double *x, vd_load_loop *p) {
  const vd_model *m = p->m;
  vd_bristle_inputs bristle_inputs;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bristle_inputs, &contact);
  if (n == 2 && m->lanes.paired)
    slides_of_both(&contact, p);
  else
    vd_tyre_slide(&m->lanes.row, &contact, &p->slide);
}

/* Makes one evaluation for n lanes. n is a constant at every call, so that the compiler unrolls every loop. */
VD_INLINE bool rates(int n, vd_load_loop *p, vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  const vd_command *c = p->c;
  const double *x = p->x;
  double cosine, sine;
  vd_sin_cos(x[VD_S_YAW], &sine, &cosine);
  slope_pull(m, cosine, sine, e);
  ground_friction(n, m, x, cosine, sine, e);
  vd_command_friction(c, n, e->contact.friction);
  contact_velocities(n, m, c, x, e);
  if (m->transient)
    vd_lane_transient_slips(n, m, x, e);
  else
    vd_lane_steady_slips(n, m, e);
  if (m->turn_slip)
    turn_slips(m, c, x, e);
  vd_pedals(m, c, x, p->mode, e, &dx[VD_S_SPEED_INTEGRAL]);
  vd_lane_torques(n, m, c, x, e);
  double q =
      e->motion.vx * e->motion.vx; /* dynamic pressure has no sign: backwards only the drag changes its direction */
  e->outside.drag = m->air.drag * copysign(q, e->motion.vx);
  for (int i = 0; i < VD_AXLES; i++)
    e->outside.downforce[i] = m->air.downforce[i] * q;
  if (m->outside)
    vd_outside_in_plane(m, c, x, n == VD_WHEELS ? m->vehicle.cg_left : 0.0, e);

  slides(n, e, x, p);
  vd_wide omega = vd_lanes_load(n, e->motion.omega);
  p->rolling = -vd_wide_load(m->lanes.rolling) * vd_lane_rolling_shares(m, omega);
  p->gyro = vd_wide_load(m->lanes.inertia) * omega * (e->motion.yaw_rate + vd_lanes_load(n, c->angle_rate));
  bool closed = loads(n, p, e);

  bristle_rates(n, p, e);
  aligning_moments(n, p, e);
  body(n, p, cosine, sine, e, dx);
  ledger(n, p, e, dx);
  for (int i = 0; i < n; i++)
    dx[VD_S_SPIN + i] = e->spin.spin_accel[i];
  for (int i = n; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = 0.0;
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(n, m, x, e);
  if (m->extras)
    extra_rates(n, p, e, dx);
  return closed;
}

VD_WIDE bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                             vd_eval *restrict e, double *dx) {
  vd_load_loop p;
  p.m = m;
  p.c = c;
  p.x = x;
  p.mode = mode;
  return m->lanes.count == 4 ? rates(4, &p, e, dx) : rates(2, &p, e, dx);
}

void vd_planar_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode) {
  double *load = mode + VD_M_LOAD, *rate = mode + VD_M_LOAD_RATE, span = c->t - mode[VD_M_LOAD_TIME];
  for (int i = 0; i < m->lanes.count; i++) {
    if (span > 0.0)
      rate[i] = load[i] > 0.0 ? (e->tyre.load[i] - load[i]) / span : 0.0;
    load[i] = e->tyre.load[i];
  }
  memcpy(mode + VD_M_LOAD_SLOPE_X, e->loop.load_slope, sizeof e->loop.load_slope);
  mode[VD_M_LOAD_TIME] = c->t;
}
