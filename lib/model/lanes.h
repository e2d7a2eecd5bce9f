/* Computations of all levels with forces at the wheels, lane by lane: slips, brakes, torques, tread deflections and the
 * anti-lock system. n is a constant at every call, so that the compiler unrolls the loops. */
#ifndef VD_LANES_H
#define VD_LANES_H

#include "base/elementary.h"
#include "model/disc_heat.h"
#include "model/pedals.h"
#include "model/pressure.h"
#include "model/turn_slip.h"

#include <math.h>

/* Load and store the numbers of n lanes. The other lanes of the vector are zero after loading. */
VD_INLINE vd_wide vd_lanes_load(int n, const double *v) {
  return n == VD_WHEELS ? vd_wide_load(v) : (vd_wide){v[0], v[1], 0.0, 0.0};
}

VD_INLINE void vd_lanes_store(int n, vd_wide w, double *v) {
  memcpy(v, &w, (size_t)n * sizeof *v);
}

/* Copy the lanes' quantities to each tyre of the row, and take the means of the tyres, at L1 with two tyres in a
 * lane. */
static inline void vd_lanes_to_sides(const double *lane, double *row) {
  row[0] = row[1] = lane[0];
  row[2] = row[3] = lane[1];
}

static inline void vd_means(const double *row, double *lane) {
  lane[0] = 0.5 * (row[0] + row[1]);
  lane[1] = 0.5 * (row[2] + row[3]);
}

/* Return the sum over the lanes of an axle, and over all lanes. Left and right are added first, so that mirrored runs
 * agree to the last bit. */
static inline double vd_axle_sum(int n, const double *v, int axle) {
  return n == 4 ? v[vd_left_wheel(axle)] + v[vd_right_wheel(axle)] : v[axle];
}

static inline double vd_lane_sum(int n, const double *v) {
  return vd_axle_sum(n, v, 0) + vd_axle_sum(n, v, 1);
}

/* Computes steady slips from the contact point's velocity (Vx, Vy) and the tread's slip velocity s = (R w - Vx, -Vy):
 *
 *   kappa     = (R w - Vx)/max(|Vx|, v_low)
 *   tan alpha = Vy/max(|Vx|, v_low_y, min(4 |s|^2/v_low, v_low))
 *
 * Without floors both slips would be divided by |Vx| and act as stiff dampers near standstill: kappa on a wheel's spin,
 * whose inertia is small, alpha on the whole car. The integration of the spins is stable even so (math/rk4.h). For the
 * car's own motions the floors are as low as the step allows (step_limit.h), and equal unless the user sets them.
 *
 * The force on a sliding tyre must oppose the velocity of its tread, which requires the same divisor for both slips.
 * The last term provides it: from |s| = v_low/2 on the divisors are the same. It has no effect on driven and braked
 * wheels that do not slide (kappa = 0.05: 0.01 v_low), or while tan alpha is below sqrt(v_low/(4 |Vx|)). Above v_low
 * both divisors are |Vx|. All divisors are positive, so friction opposes the tread's velocity in each direction at any
 * speed and always dissipates. */
VD_INLINE void vd_lane_steady_slips(int n, const vd_model *m, vd_eval *restrict e) {
  const double v_low = m->options.v_low, slides = 4.0 / v_low;
  const vd_wide floor = vd_wide_of(v_low), floor_y = vd_wide_of(m->options.v_low_y);
  vd_wide vx = vd_lanes_load(n, e->contact.vx_contact), speed = vd_wide_abs(vx),
          side = vd_lanes_load(n, e->contact.vy_contact);
  vd_wide slip = vd_wide_load(m->lanes.radius) * vd_lanes_load(n, e->motion.omega) - vx;
  vd_wide sliding = vd_wide_min((slip * slip + side * side) * slides, floor);
  vd_lanes_store(n, slip / vd_wide_max(speed, floor), e->slip.kappa);
  vd_lanes_store(n, side / vd_wide_max(vd_wide_max(speed, floor_y), sliding), e->slip.tan_alpha);
}

VD_INLINE void vd_lane_relaxing(int n, const double *x, const vd_eval *restrict e, vd_relaxing_four *r) {
  r->vx = vd_lanes_load(n, e->contact.vx_contact);
  r->vy = vd_lanes_load(n, e->contact.vy_contact);
  r->wx = vd_lanes_load(n, x + VD_S_DEFLECTION_X);
  r->wy = vd_lanes_load(n, x + VD_S_DEFLECTION_Y);
}

VD_INLINE void vd_lane_transient_slips(int n, const vd_model *m, const double *x, vd_eval *restrict e) {
  vd_relaxing_four r;
  vd_lane_relaxing(n, x, e, &r);
  r.slip_x = vd_wide_load(m->lanes.radius) * vd_lanes_load(n, e->motion.omega) - r.vx;
  r.slip_y = -r.vy;
  vd_relax_slips(&m->slip.relax_four, m->options.step, &r);
  vd_lanes_store(n, r.slip_x, e->slip.slip_x);
  vd_lanes_store(n, r.slip_y, e->slip.slip_y);
  vd_lanes_store(n, r.rate_x, e->slip.deflection_rate_x);
  vd_lanes_store(n, r.rate_y, e->slip.deflection_rate_y);
  vd_lanes_store(n, r.damper, e->slip.damper);
  vd_lanes_store(n, r.kappa, e->slip.kappa);
  vd_lanes_store(n, r.tan_alpha, e->slip.tan_alpha);
  for (int i = 0; m->lanes.row.bristles && i < n; i++)
    if (m->slip.relax[i].bristles) {
      vd_lugre_slips(e->slip.slip_x[i], e->slip.slip_y[i], e->contact.vx_contact[i], &e->slip.kappa[i],
                     &e->slip.tan_alpha[i]);
      e->slip.deflection_rate_x[i] = e->slip.deflection_rate_y[i] = 0.0;
    }
}

/* Returns the torque of all brakes, N m, at the pedal's pressure or, if pressures are states, at full pressure. */
static inline double vd_pressed_torque(const vd_model *m, const vd_eval *e) {
  return m->hydraulic ? m->vehicle.brakes.max_torque : e->drive.brake * m->vehicle.brakes.max_torque;
}

/* Returns the factor on the brake torque of lane i: the pressure of the brake, if it is a state, and the fading of the
 * disc. */
static inline double vd_let_through(const vd_model *m, const double *x, int i) {
  double share = 1.0;
  if (m->hydraulic)
    share = vd_max(x[VD_S_PRESSURE + i], 0.0);
  else if (m->abs)
    share = vd_min(vd_max(x[VD_S_PRESSURE + i], 0.0), 1.0);
  return m->hot_brakes ? share * vd_lane_fade(m, x, i) : share;
}

/* Computes the brake torques of a load-dependent distribution: each axle brakes with its share of the load instead of
 * its fixed share. */
static inline void vd_lane_share_by_load(int n, const vd_model *m, const double *x, vd_eval *restrict e) {
  double whole = vd_lane_sum(n, e->tyre.load), pedal = vd_pressed_torque(m, e);
  for (int i = 0; i < n && whole > 0.0; i++) {
    double pressure = vd_let_through(m, x, i);
    double share = vd_axle_sum(n, e->tyre.load, vd_axle_of_lane(n, i)) / whole * (n == 4 ? 0.5 : 1.0);
    e->drive.brake_capacity[i] = vd_max(share * pedal * pressure + e->drive.other_brake[i], 0.0);
  }
}

/* Does the work of vd_lane_torques for brakes with pressures, heat or distribution by load, the handbrake, and torques
 * that bypass the pedals. torque: N m, of the motor on all lanes. */
void vd_lane_torques_of_all(int n, const vd_model *m, const vd_command *c, const double *x, double torque, vd_eval *e);

/* Computes the drive and brake torques of the lanes, after vd_pedals. */
VD_INLINE void vd_lane_torques(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *restrict e) {
  double torque = e->drive.motor_torque;
  if (m->motor_shaft) /* a first guess for the loads; the true torques are computed after the loads */
    torque *= vd_gear_ratio(&m->vehicle.drivetrain, m->vehicle.drivetrain.engine ? e->drive.gear : 1);
  if (!m->plain_brakes || e->drive.handbrake > 0.0 || vd_bypassed(m, c)) {
    vd_lane_torques_of_all(n, m, c, x, torque, e);
    return;
  }
  vd_lanes_store(n, vd_wide_load(m->lanes.drive_share) * torque, e->drive.drive_torque);
  vd_lanes_store(n, vd_wide_load(m->lanes.brake_share) * vd_pressed_torque(m, e), e->drive.brake_capacity);
}

/* Books the work of tyres with a deflection. They store part of it as energy 1/2 k u^2 (u = sigma w), which the log
 * shows. The damper's share of the force, which is its share of the slip, dissipates |F|/|slip| tau sigma w'^2 per
 * direction. k, sigma: stiffness and relaxation length; w: state; tau: time constant of the damper (tyre/relax.h). */
VD_INLINE void vd_lane_deflection_ledger(int n, const vd_model *m, const double *x, const vd_eval *restrict e,
                                         double *dx) {
  const vd_relax_four *four = &m->slip.relax_four;
  vd_wide none = {0.0}, wx = vd_lanes_load(n, x + VD_S_DEFLECTION_X), wy = vd_lanes_load(n, x + VD_S_DEFLECTION_Y);
  vd_wide rx = vd_lanes_load(n, e->slip.deflection_rate_x), ry = vd_lanes_load(n, e->slip.deflection_rate_y); /* 1/s */
  vd_wide stored = vd_wide_load(four->spring_x) * wx * rx + vd_wide_load(four->spring_y) * wy * ry;
  vd_wide kappa = vd_lanes_load(n, e->slip.kappa), tan_alpha = vd_lanes_load(n, e->slip.tan_alpha);
  vd_wide fx = vd_lanes_load(n, e->tyre.fx), fy = vd_lanes_load(n, e->tyre.fy);
  vd_wide slip = vd_wide_sqrt(kappa * kappa + tan_alpha * tan_alpha);
  vd_wide secant = vd_wide_select(slip > 0.0, vd_wide_sqrt(fx * fx + fy * fy) / slip, none);
  vd_wide lost = secant * vd_lanes_load(n, e->slip.damper) *
                 (vd_wide_load(four->loss_x) * rx * rx + vd_wide_load(four->loss_y) * ry * ry);
  for (int i = 0; m->lanes.row.bristles && i < n; i++)
    if (m->slip.relax[i].bristles)
      lost[i] = e->tyre.damped[i];
  vd_lanes_store(n, rx, dx + VD_S_DEFLECTION_X);
  vd_lanes_store(n, ry, dx + VD_S_DEFLECTION_Y);
  double damped = vd_wide_sum(lost);
  dx[VD_S_WORK_DAMPER] = -damped;
  dx[VD_S_WORK_TYRE] += vd_wide_sum(stored) + damped;
}

/* Anti-lock control of one wheel: the share p of the pressure follows a proportional and integral law on the braking
 * slip b, in velocity form, p' = -P b'/b_target + I (1 - b/b_target). b' is computed from the wheel's own acceleration,
 * as in real systems: b = 1 - R w/V, b' = (R w V'/V - R w')/V. */
static const double antilock_lead = 1.0, antilock_rate = 12.0, antilock_release = 20.0; /* P; I, 1/s; 1/s */

static inline double vd_antilock_law(const vd_model *m, const vd_command *c, const vd_eval *e, int i) {
  double v = e->contact.vx_contact[i], rim = m->lanes.radius[i] * e->motion.omega[i],
         rim_accel = m->lanes.radius[i] * e->spin.spin_accel[i];
  double accel = e->body.ax * c->cos_angle[i] + e->body.ay * c->sin_angle[i];
  double slip = 1.0 - rim / v, slip_rate = (rim * accel / v - rim_accel) / v, target = m->control.abs_slip[i];
  return antilock_rate * (1.0 - slip / target) - antilock_lead * slip_rate / target;
}

static inline void vd_lane_antilock(int n, const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                    const vd_eval *restrict e, double *dx) {
  for (int i = 0; i < n; i++) {
    enum vd_antilock does = (enum vd_antilock)mode[VD_M_ANTILOCK + i];
    dx[VD_S_PRESSURE + i] = does == VD_ANTILOCK_OFF        ? antilock_release * (1.0 - x[VD_S_PRESSURE + i])
                            : does == VD_ANTILOCK_CONTROLS ? vd_antilock_law(m, c, e, i)
                                                           : 0.0;
  }
}

/* Computes the relaxation lengths at the present loads, m. */
VD_INLINE void vd_lane_lengths(int n, const vd_model *m, const vd_eval *restrict e, double *x, double *y) {
  const vd_lanes *lanes = &m->lanes;
  double load[VD_WHEELS], loads[VD_WHEELS], each_x[VD_WHEELS], each_y[VD_WHEELS];
  for (int i = 0; i < n; i++)
    load[i] = e->tyre.load[i] * lanes->tyre_share;
  if (n == VD_WHEELS || !lanes->paired) {
    vd_tyre_relaxations(&lanes->row, load, x, y);
    return;
  }
  vd_lanes_to_sides(load, loads);
  vd_tyre_relaxations(&lanes->row, loads, each_x, each_y);
  vd_means(each_x, x);
  vd_means(each_y, y);
}

/* Computes the deflection rates with the relaxation lengths at the loads that were found. The slips were computed
 * earlier with the lengths at static load. The lengths affect slips only through the standstill damper: near standstill
 * loads are close to the static ones. */
VD_INLINE void vd_lane_rates_at_loads(int n, const vd_model *m, const double *x, vd_eval *restrict e) {
  double length_x[VD_WHEELS], length_y[VD_WHEELS];
  vd_relaxing_four r;
  vd_lane_lengths(n, m, e, length_x, length_y);
  vd_lane_relaxing(n, x, e, &r);
  r.slip_x = vd_lanes_load(n, e->slip.slip_x);
  r.slip_y = vd_lanes_load(n, e->slip.slip_y);
  vd_relax_rates(&m->slip.relax_four, vd_lanes_load(n, length_x), vd_lanes_load(n, length_y), m->options.step, &r);
  for (int i = 0; i < n; i++)
    if (m->slip.relax[i].by_load) {
      e->slip.deflection_rate_x[i] = r.rate_x[i];
      e->slip.deflection_rate_y[i] = r.rate_y[i];
    }
}

/* Computes the conditions of the contacts for the tyres. Tyres with bristles need them only with transient slip. */
static inline void vd_lane_contact(const vd_model *m, const vd_eval *e, const double *x,
                                   vd_bristle_inputs *bristle_inputs, vd_contact *contact) {
  *contact = (vd_contact){.kappa = e->slip.kappa,
                          .tan_alpha = e->slip.tan_alpha,
                          .vx = e->contact.vx_contact,
                          .omega = e->motion.omega,
                          .curvature = e->slip.turn_slip,
                          .rolling = e->slip.spin_per_metre};
  if (!m->transient)
    return;
  *bristle_inputs = (vd_bristle_inputs){.slip_x = e->slip.slip_x,
                                        .slip_y = e->slip.slip_y,
                                        .state_x = x + VD_S_DEFLECTION_X,
                                        .state_y = x + VD_S_DEFLECTION_Y,
                                        .damper = e->slip.damper,
                                        .fastest = 1.0 / m->options.step};
  contact->bristle_inputs = bristle_inputs;
}

#endif
