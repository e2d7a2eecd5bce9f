#include "model.h"

#include "model_impl.h"

#include <math.h>

/* A wheel this slow has stopped, once its guard has fallen to zero (rad/s; L0: J^0.5). */
static const double still = 1e-9;

const vd_state_info vd_state_table[VD_STATES] = {
    [VD_S_ALONG] = {"along", "m"},
    [VD_S_ACROSS] = {"across", "m"},
    [VD_S_YAW] = {"yaw", "rad"},
    [VD_S_VX] = {"vx", "m/s"},
    [VD_S_VY] = {"vy", "m/s"},
    [VD_S_YAW_RATE] = {"yaw_rate", "rad/s"},
    [VD_S_SPEED_HOLD] = {"speed_hold", "N"},
    [VD_S_WORK_DRIVE] = {"work_drive", "J"},
    [VD_S_WORK_BRAKE] = {"work_brake", "J"},
    [VD_S_WORK_TYRE] = {"work_tyre", "J"},
    [VD_S_WORK_AERO] = {"work_aero", "J"},
    [VD_S_WORK_ROLLING] = {"work_rolling", "J"},
    [VD_S_DISTANCE] = {"distance", "m"},
    [VD_S_SPIN] = {"spin_1", "rad/s"},
    [VD_S_SPIN + 1] = {"spin_2", "rad/s"},
    [VD_S_SPIN + 2] = {"spin_3", "rad/s"},
    [VD_S_SPIN + 3] = {"spin_4", "rad/s"},
};

double vd_model_v_low(const vd_vehicle_def *vehicle, double ground_friction, double step) {
  double fastest = 0.0, side = 0.0, yaw = 0.0; /* rates times speed, m/s2 */
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_axle_def *axle = &vehicle->axle[i];
    vd_tyre tyre;
    vd_tyre_build(&axle->tyre, &tyre);
    double front = vehicle->cg_to_front, rear = vehicle->wheelbase - front;
    double arm = i == VD_FRONT ? front : rear, other = i == VD_FRONT ? rear : front, slip, cornering;
    double load = 0.5 * vehicle->mass * VD_GRAVITY * other / vehicle->wheelbase;
    vd_tyre_stiffest(&tyre, ground_friction, 2.0 * load, &slip, &cornering);
    fastest = fmax(fastest, slip * axle->wheel_radius * axle->wheel_radius / axle->wheel_inertia);
    side += 2.0 * cornering / vehicle->mass;
    yaw += 2.0 * cornering * arm * arm / vehicle->yaw_inertia;
  }
  return 0.5 * step * fmax(fastest, fmax(side, yaw));
}

/* The affine part of the loads, taken from the balance itself by unit sums, in modes. */
static void affine_modes(const vd_model *m, const double *sum, const double *downforce, double *mode) {
  double load[VD_WHEELS];
  if (m->lanes.count == 4)
    vd_load_wheels_affine(&m->balance, sum, downforce, load);
  else
    vd_load_axles_affine(&m->balance, sum, downforce, load);
  vd_modes_from_wheels(m->lanes.count, load, mode);
}

static void build_load_map(vd_model *m) {
  /* sums of the size of the weight, so that the differences keep their digits */
  const double unit = m->balance.weight, none[VD_LOAD_SUMS] = {0.0}, still_air[VD_AXLES] = {0.0};
  double mode[VD_WHEELS];
  affine_modes(m, none, still_air, m->load_base);
  affine_modes(m, none, m->downforce, m->load_aero);
  for (int i = 0; i < m->lanes.count; i++)
    m->load_aero[i] -= m->load_base[i];
  for (int k = 0; k < VD_LOAD_SUMS; k++) {
    double sum[VD_LOAD_SUMS] = {0.0};
    sum[k] = unit;
    affine_modes(m, sum, still_air, mode);
    for (int i = 0; i < m->lanes.count; i++)
      m->load_matrix[i][k] = (mode[i] - m->load_base[i]) / unit;
  }
}

void vd_model_build(const vd_vehicle_def *vehicle, const vd_ground_def *ground, const vd_model_options *options,
                    vd_model *m) {
  *m = (vd_model){.options = *options, .vehicle = *vehicle, .masses = vd_vehicle_masses(vehicle)};
  vd_ground_build(ground, &m->ground);
  for (int i = 0; i < VD_AXLES; i++)
    vd_tyre_build(&vehicle->axle[i].tyre, &m->tyre[i]);
  vd_load_balance_build(vehicle, m->ground.weight, options->lean, &m->balance);

  const vd_aero_def *aero = &vehicle->aero;
  double pressure = 0.5 * aero->air_density * aero->frontal_area;
  m->drag = pressure * aero->drag;
  m->downforce[VD_FRONT] = pressure * aero->downforce_front;
  m->downforce[VD_REAR] = pressure * aero->downforce_rear;
  m->drive_torque = vehicle->drivetrain.max_torque * vehicle->drivetrain.ratio;

  switch (options->level) {
  case VD_L0: vd_kinematic_build(m); break;
  case VD_L1: vd_single_track_build(m); break;
  case VD_L2: vd_double_track_build(m); break;
  }
  m->lanes.tyre_share = 1.0 / m->lanes.wheels;
  for (int i = 0; i < m->lanes.count; i++)
    m->lanes.inverse_inertia[i] = 1.0 / m->lanes.inertia[i];
  build_load_map(m);
  m->rolling_mass = vehicle->mass;
  m->drive_radius = 0.0;
  for (int i = 0; i < m->lanes.count; i++) {
    m->rolling_mass += m->lanes.inertia[i] / (m->lanes.radius[i] * m->lanes.radius[i]);
    m->drive_radius += m->lanes.drive_share[i] * m->lanes.radius[i];
  }
}

void vd_command_lower(const vd_model *m, vd_command *c) {
  double angle[VD_WHEELS] = {c->steer}, slope[VD_WHEELS] = {1.0};
  if (m->options.level == VD_L2)
    vd_steering_angles(&m->vehicle, c->steer, angle, slope);
  for (int i = 0; i < VD_WHEELS; i++) {
    c->angle[i] = angle[i];
    c->angle_rate[i] = slope[i] * c->steer_rate;
    c->cos_angle[i] = i < 2 ? cos(angle[i]) : 1.0;
    c->sin_angle[i] = i < 2 ? sin(angle[i]) : 0.0;
  }
}

/* Force that keeps the speed on a straight level road: what the controller's integral must hold from the start, less
 * what the proportional part would need a speed error for. */
static double running_resistance(const vd_model *m, double speed, double pull) {
  double force = m->drag * speed * fabs(speed) - m->balance.mass * pull;
  for (int i = 0; i < VD_AXLES; i++) {
    double load = m->balance.static_load[i] + m->downforce[i] * speed * fabs(speed);
    force += m->vehicle.axle[i].tyre.rolling_resistance * load * vd_rolling_sign(speed);
  }
  return force;
}

void vd_model_start(const vd_model *m, double x, double y, double yaw, double speed, double steer, vd_state_vector *s) {
  *s = (vd_state_vector){{0.0}, {1.0, 1.0, 1.0, 1.0}};
  /* the centre of gravity stands cg_height along the normal above its point of the plane */
  const vd_ground *g = &m->ground;
  double dx = x - m->balance.height * g->normal[0], dy = y - m->balance.height * g->normal[1];
  double det = g->along[0] * g->across[1] - g->along[1] * g->across[0];
  s->x[VD_S_ALONG] = (dx * g->across[1] - dy * g->across[0]) / det;
  s->x[VD_S_ACROSS] = (dy * g->along[0] - dx * g->along[1]) / det;
  s->x[VD_S_YAW] = yaw;
  double pull = g->pull_along * cos(yaw) + g->pull_across * sin(yaw);
  s->x[VD_S_SPEED_HOLD] = running_resistance(m, speed, pull);
  vd_command c = {.steer = steer};
  vd_command_lower(m, &c);
  s->x[VD_S_VX] = m->options.level == VD_L0 ? vd_kinematic_momentum(m, &c, speed) : speed;
  for (int i = 0; i < m->lanes.count && m->options.level != VD_L0; i++)
    s->x[VD_S_SPIN + i] = speed * c.cos_angle[i] / m->lanes.radius[i];
}

bool vd_model_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                    double *dx) {
  switch (m->options.level) {
  case VD_L0: return vd_kinematic_rates(m, c, x, mode, e, dx);
  case VD_L1:
  case VD_L2: return vd_planar_rates(m, c, x, mode, e, dx);
  }
  return false;
}

static int mode_count(const vd_model *m) {
  return m->options.level == VD_L0 ? 1 : m->lanes.count;
}

/* The quantity whose sign is the direction of turning. */
static double *turning(const vd_model *m, vd_state_vector *s, int i) {
  return m->options.level == VD_L0 ? &s->x[VD_S_VX] : &s->x[VD_S_SPIN + i];
}

void vd_model_guards(const vd_model *m, const vd_state_vector *s, const vd_eval *e, double *guard) {
  for (int i = 0; i < mode_count(m); i++) {
    double speed = m->options.level == VD_L0 ? s->x[VD_S_VX] : s->x[VD_S_SPIN + i];
    if (s->mode[i] == 0.0)
      guard[i] = e->brake_capacity[i] - fabs(e->spin_torque[i]);
    else
      guard[i] = e->brake_capacity[i] > 0.0 ? s->mode[i] * speed : INFINITY;
  }
}

static double direction(double value) {
  return value < 0.0 ? -1.0 : 1.0;
}

/* Lets go the locked wheel whose brake is overpowered most, with any that is its equal; false if all hold. */
static bool release_one(const vd_model *m, const vd_eval *e, vd_state_vector *s) {
  double worst = 0.0;
  for (int i = 0; i < mode_count(m); i++)
    if (s->mode[i] == 0.0)
      worst = fmax(worst, fabs(e->spin_torque[i]) - e->brake_capacity[i]);
  if (!(worst > 0.0))
    return false;
  for (int i = 0; i < mode_count(m); i++)
    if (s->mode[i] == 0.0 && fabs(e->spin_torque[i]) - e->brake_capacity[i] >= worst * (1.0 - 1e-9))
      s->mode[i] = direction(e->spin_torque[i]);
  return true;
}

bool vd_model_switch(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  vd_eval e;
  double dx[VD_STATES];
  bool closed = vd_model_rates(m, c, s->x, s->mode, &e, dx);
  for (int i = 0; i < mode_count(m); i++) {
    double *speed = turning(m, s, i);
    bool fallen = s->mode[i] * *speed <= 0.0 && fabs(*speed) <= still;
    if (s->mode[i] != 0.0 && e.brake_capacity[i] > 0.0 && fallen) {
      *speed = 0.0;
      s->mode[i] = 0.0;
    } else if (*speed != 0.0) {
      s->mode[i] = direction(*speed);
    }
  }
  /* a stopped wheel stays so if its brake can hold it; each that goes changes the loads of the others, so one by one */
  for (int round = 0; closed && round <= VD_MODES; round++) {
    closed = vd_model_rates(m, c, s->x, s->mode, &e, dx);
    if (!release_one(m, &e, s))
      break;
  }
  return closed;
}

/* World attitude: the plane's axes turned by yaw about the normal, then the body's own pitch and roll; read back as
 * ISO 8855 angles (yaw, pitch, roll about z, y, x in turn). Yaw keeps counting beyond half a turn. */
static void world_pose(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  const vd_ground *g = &m->ground;
  double along = s->x[VD_S_ALONG], across = s->x[VD_S_ACROSS], height = m->balance.height, heading = s->x[VD_S_YAW];
  double at[3], forward[3], left[3], up[3];
  double cy = cos(heading), sy = sin(heading), cp = cos(e->body_pitch), sp = sin(e->body_pitch), cr = cos(e->body_roll),
         sr = sin(e->body_roll);
  for (int k = 0; k < 3; k++) {
    at[k] = along * g->along[k] + across * g->across[k] + height * g->normal[k];
    double ahead = cy * g->along[k] + sy * g->across[k];
    double aside = cy * g->across[k] - sy * g->along[k];
    forward[k] = cp * ahead - sp * g->normal[k];
    double above = sp * ahead + cp * g->normal[k];
    left[k] = cr * aside + sr * above;
    up[k] = cr * above - sr * aside;
  }
  e->x = at[0];
  e->y = at[1];
  e->z = at[2];
  e->pitch = asin(fmax(-1.0, fmin(1.0, -forward[2])));
  e->roll = atan2(left[2], up[2]);
  e->yaw = heading + remainder(atan2(forward[1], forward[0]) - heading, 2.0 * VD_PI);
}

static void ledger(const vd_model *m, const vd_state_vector *s, double energy0, vd_eval *e) {
  if (m->options.level != VD_L0) {
    e->energy_kinetic = 0.5 * m->balance.mass * (e->vx * e->vx + e->vy * e->vy) +
                        0.5 * m->vehicle.yaw_inertia * e->yaw_rate * e->yaw_rate;
    e->energy_spin = 0.0;
    for (int i = 0; i < m->lanes.count; i++)
      e->energy_spin += 0.5 * m->lanes.inertia[i] * s->x[VD_S_SPIN + i] * s->x[VD_S_SPIN + i];
  }
  e->energy_gravity =
      -m->balance.mass * (m->ground.pull_along * s->x[VD_S_ALONG] + m->ground.pull_across * s->x[VD_S_ACROSS]);
  e->energy = e->energy_kinetic + e->energy_spin + e->energy_gravity;
  e->work = 0.0;
  for (int k = VD_S_WORK_DRIVE; k <= VD_S_WORK_ROLLING; k++)
    e->work += s->x[k];
  e->ledger = e->energy - energy0 - e->work;
}

static void wheel_details(const vd_model *m, vd_eval *e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    e->alpha[i] = atan(e->tan_alpha[i]);
    e->contact[i] = e->load[i] > 0.0 ? 1.0 : 0.0;
    vd_tyre_peaks(&m->tyre[i / 2], m->ground.friction, e->load[i], &e->mu_peak[i], &e->kappa_peak[i],
                  &e->alpha_peak[i]);
  }
}

void vd_model_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, double energy0, vd_eval *e) {
  e->steer = c->steer;
  e->steering_wheel = c->steer * m->vehicle.steering.ratio;
  e->speed_error = c->hold_speed ? c->speed - e->vx : 0.0;
  e->sideslip = atan2(e->vy, fabs(e->vx));
  e->body_roll = e->body_pitch = e->ex = e->ey = e->tipping = 0.0;
  for (int i = 0; i < m->lanes.count; i++) {
    /* a locked wheel's brake gives what holds it */
    e->brake_torque[i] = s->mode[i] == 0.0 ? -e->spin_torque[i] : -s->mode[i] * e->brake_capacity[i];
    e->angle[i] = c->angle[i];
  }
  switch (m->options.level) {
  case VD_L0: vd_kinematic_observe(m, s, e); break;
  case VD_L1:
    vd_single_track_observe(m, e);
    wheel_details(m, e);
    break;
  case VD_L2:
    vd_double_track_observe(m, e);
    wheel_details(m, e);
    break;
  }
  e->specific_x = e->ax - e->pull_x;
  e->specific_y = e->ay - e->pull_y;
  e->specific_z = m->ground.weight;
  world_pose(m, s, e);
  ledger(m, s, energy0, e);
}
