/* The lanes: one for each axle with both its wheels, each under half the axle's load (L0; L1, the dynamic single
 * track), or one for each wheel (L2, seven degrees of freedom, and all levels above). */
#include "model/lanes.h"
#include "model/model_impl.h"

/* True if the circuit of a wheel's brake has pressure. */
static bool has_pressure(const vd_vehicle *v, int i) {
  switch ((enum vd_failed_circuit)v->brakes.failed_circuit) {
  case VD_CIRCUIT_FRONT: return !vd_is_front(i);
  case VD_CIRCUIT_REAR: return vd_is_front(i);
  case VD_CIRCUIT_FL_RR: return i == VD_FR || i == VD_RL;
  case VD_CIRCUIT_FR_RL: return i == VD_FL || i == VD_RR;
  case VD_CIRCUITS_WORK: break;
  }
  return true;
}

static double brake_share(const vd_vehicle *v, int i) {
  return has_pressure(v, i) ? 0.5 * (vd_is_front(i) ? v->brakes.front_share : 1.0 - v->brakes.front_share) : 0.0;
}

static void build_axles(const vd_model *m, vd_lanes *lanes) {
  const vd_vehicle *v = &m->vehicle;
  *lanes = (vd_lanes){.count = 2, .wheels = 2.0};
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_vehicle_axle *axle = &v->axle[i];
    lanes->x[i] = i == VD_FRONT ? m->vehicle.masses.to_axle[i] : -m->vehicle.masses.to_axle[i];
    lanes->radius[i] = axle->wheel_radius;
    lanes->inertia[i] = 2.0 * axle->wheel_inertia;
    double rolling =
        v->tyre[vd_left_wheel(i)].common.rolling_resistance + v->tyre[vd_right_wheel(i)].common.rolling_resistance;
    lanes->rolling[i] = 0.5 * rolling * axle->wheel_radius;
    lanes->rolling_growth[i] = 0.5 * (vd_tyre_rolling_growth(&v->tyre[vd_left_wheel(i)].common) +
                                      vd_tyre_rolling_growth(&v->tyre[vd_right_wheel(i)].common));
    lanes->brake_share[i] = brake_share(v, vd_left_wheel(i)) + brake_share(v, vd_right_wheel(i));
    lanes->handbrake_share[i] = i == VD_FRONT ? 0.0 : 1.0;
    lanes->tyre[i] = lanes->other[i] = &m->vehicle.tyre[vd_left_wheel(i)];
    if (axle->right_tyre_differs || m->vehicle.tyre[vd_left_wheel(i)].sided) {
      lanes->other[i] = &m->vehicle.tyre[vd_right_wheel(i)];
      lanes->paired = true;
    }
  }
  const double front[] = {[VD_DRIVE_FRONT] = 1.0, [VD_DRIVE_REAR] = 0.0, [VD_DRIVE_ALL] = v->drivetrain.front_share};
  lanes->drive_share[VD_FRONT] = front[v->drivetrain.drive];
  lanes->drive_share[VD_REAR] = 1.0 - front[v->drivetrain.drive];
}

void vd_tracks_build(vd_model *m) {
  const vd_vehicle *v = &m->vehicle;
  vd_lanes axle, *lanes = &m->lanes;
  build_axles(m, &axle);
  *lanes = axle;
  if (m->options.level < VD_L2)
    return;
  *lanes = (vd_lanes){.count = VD_WHEELS, .wheels = 1.0};
  double left = m->options.level == VD_L2 ? v->cg_left : 0.0; /* from L3 on, places are relative to the middle plane */
  for (int i = 0; i < VD_WHEELS; i++) {
    int a = vd_axle_of(i);
    double half = 0.5 * v->axle[a].track;
    lanes->x[i] = axle.x[a];
    lanes->y[i] = vd_side_sign(i) * half - left;
    lanes->radius[i] = axle.radius[a];
    lanes->inertia[i] = 0.5 * axle.inertia[a];
    lanes->rolling[i] = v->tyre[i].common.rolling_resistance * axle.radius[a];
    lanes->rolling_growth[i] = vd_tyre_rolling_growth(&v->tyre[i].common);
    /* open differential and balanced brakes: equal torques left and right */
    lanes->drive_share[i] = 0.5 * axle.drive_share[a];
    lanes->brake_share[i] = brake_share(v, i);
    lanes->handbrake_share[i] = 0.5 * axle.handbrake_share[a];
    lanes->tyre[i] = lanes->other[i] = &m->vehicle.tyre[i];
  }
}

static void brake_capacities(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *e) {
  const vd_lanes *lanes = &m->lanes;
  double pedal = vd_pressed_torque(m, e);
  for (int i = 0; i < n; i++)
    e->drive.brake_capacity[i] = lanes->brake_share[i] * pedal;
  if (m->abs || m->hydraulic || m->hot_brakes)
    for (int i = 0; i < n; i++)
      e->drive.brake_capacity[i] *= vd_let_through(m, x, i);
  if (e->drive.handbrake > 0.0)
    for (int i = 0; i < n; i++)
      e->drive.brake_capacity[i] += lanes->handbrake_share[i] * e->drive.handbrake * m->vehicle.brakes.handbrake_torque;
  if (vd_bypassed(m, c))
    for (int i = 0; i < n; i++)
      e->drive.brake_capacity[i] = vd_max(e->drive.brake_capacity[i] + e->drive.retard[i], 0.0);
}

void vd_lane_torques_of_all(int n, const vd_model *m, const vd_command *c, const double *x, double torque, vd_eval *e) {
  for (int i = 0; i < n; i++)
    e->drive.drive_torque[i] = m->lanes.drive_share[i] * torque;
  if (vd_bypassed(m, c))
    for (int i = 0; i < n; i++)
      e->drive.drive_torque[i] += e->drive.direct[i];
  brake_capacities(n, m, c, x, e);
  if (m->vehicle.brakes.load_dependent)
    for (int i = 0; i < n; i++) /* handbrake and direct torques are not redistributed */
      e->drive.other_brake[i] =
          e->drive.brake_capacity[i] - m->lanes.brake_share[i] * vd_pressed_torque(m, e) * vd_let_through(m, x, i);
}

/* Copies lane values, which belong to the axle, to the wheels, which the log shows. A wheel has half of a sum, and the
 * lane's value of other quantities. */
static void spread_lanes(vd_eval *e) {
  double *const halved[] = {e->drive.drive_torque,
                            e->drive.brake_capacity,
                            e->log.brake_torque,
                            e->tyre.load,
                            e->tyre.fx,
                            e->tyre.fy,
                            e->tyre.mx,
                            e->tyre.mz,
                            e->tyre.my,
                            e->spin.spin_torque};
  double *const same[] = {e->motion.omega,   e->contact.vx_contact, e->contact.vy_contact,
                          e->slip.kappa,     e->slip.tan_alpha,     e->spin.spin_accel,
                          e->steering.angle, e->contact.friction,   e->log.pressure};
  for (int axle = VD_AXLES - 1; axle >= 0; axle--) {
    for (size_t k = 0; k < VD_COUNT(halved); k++)
      halved[k][vd_left_wheel(axle)] = halved[k][vd_right_wheel(axle)] = 0.5 * halved[k][axle];
    for (size_t k = 0; k < VD_COUNT(same); k++)
      same[k][vd_left_wheel(axle)] = same[k][vd_right_wheel(axle)] = same[k][axle];
  }
}

void vd_tracks_observe(const vd_model *m, vd_eval *e) {
  vd_lean lean;
  double load[VD_WHEELS];
  if (m->lanes.count < VD_WHEELS) {
    spread_lanes(e);
    vd_load_axles(&m->balance, e->loop.sum, e->outside.downforce, load, &lean);
  } else {
    vd_load_wheels(&m->balance, e->loop.sum, e->outside.downforce, load, &lean);
    e->log.body_roll = lean.roll;
    e->log.ey = lean.ey;
  }
  e->log.body_pitch = lean.pitch;
  e->log.ex = lean.ex;
  e->log.tipping = lean.tipping ? 1.0 : 0.0;
}
