#include "model/model.h"

#include "base/elementary.h"
#include "model/electric.h"
#include "model/model_impl.h"
#include "model/disc_heat.h"
#include "model/prescribed.h"
#include "model/table_steer.h"
#include "model/pedals.h"
#include "model/steered.h"
#include "model/train.h"
#include "model/turn_slip.h"

#include <math.h>
#include <string.h>

/* True if the state contains a place in the world instead of a place in the plane of the ground. */
static bool spatial(const vd_model *m) {
  return m->options.level >= VD_L3;
}

/* Computes the modes of the wheel loads (vehicle/loads.h) from the sums of the tyre forces, by the affine balance. */
static void affine_modes(const vd_model *m, const double *sum, const double *downforce, double *mode) {
  double load[VD_WHEELS];
  if (m->lanes.count == 4)
    vd_load_wheels_affine(&m->balance, sum, downforce, load);
  else
    vd_load_axles_affine(&m->balance, sum, downforce, load);
  vd_modes_from_wheels(m->lanes.count, load, mode);
}

/* Returns 1 if a sum changes a mode, else 0, without rounding errors. Longitudinal sums change the first modes (half of
 * each axle's load), lateral sums the other modes (differences of left and right). */
static double moves(int mode, int sum) {
  bool along = sum <= VD_SUM_PITCH, half = mode < VD_AXLES;
  return along == half ? 1.0 : 0.0;
}

static void build_load_map(vd_model *m) {
  /* sums of the size of the weight, so that differences are accurate */
  const double unit = m->balance.weight, none[VD_ALL_SUMS] = {0.0}, still_air[VD_AXLES] = {0.0};
  double mode[VD_WHEELS];
  affine_modes(m, none, still_air, m->planar.load_base);
  affine_modes(m, none, m->air.downforce, m->planar.load_aero);
  for (int i = 0; i < VD_WHEELS; i++) {
    bool offset = m->balance.offset != 0.0;
    m->planar.load_aero[i] = (m->planar.load_aero[i] - m->planar.load_base[i]) * moves(i, VD_SUM_X);
    m->planar.load_base[i] *= offset ? 1.0 : moves(i, VD_SUM_X);
  }
  for (int k = 0; k < VD_LOAD_SUMS; k++) {
    double sum[VD_ALL_SUMS] = {0.0};
    sum[k] = unit;
    affine_modes(m, sum, still_air, mode);
    for (int i = 0; i < m->lanes.count; i++)
      m->planar.load_matrix[k][i] = (mode[i] - m->planar.load_base[i]) / unit * moves(i, k);
  }
}

/* Computes constants at static load: of the internal model of driver and controllers (one mass, one radius each for
 * drive and brake, understeer at small lateral acceleration), and the tyres' stiffnesses, grip and spin reactions. */
static void build_reductions(vd_model *m) {
  const vd_lanes *lanes = &m->lanes;
  double drive = 0.0, brake = 0.0;
  m->control.rolling_mass = m->vehicle.mass;
  for (int i = 0; i < lanes->count; i++) {
    m->control.rolling_mass += lanes->inertia[i] / (lanes->radius[i] * lanes->radius[i]);
    drive += lanes->drive_share[i] / lanes->radius[i];
    brake += lanes->brake_share[i] / lanes->radius[i];
  }
  m->control.drive_radius = 1.0 / drive;
  m->control.brake_radius = 1.0 / brake;
  if (m->options.level != VD_L0 && !m->vehicle.drivetrain.engine) {
    double ratio = m->vehicle.drivetrain.ratio[1] / m->control.drive_radius;
    m->control.rolling_mass += m->vehicle.drivetrain.inertia * ratio * ratio;
  }

  for (int i = 0; i < lanes->count; i++) {
    double load = 0.5 * m->balance.static_load[vd_axle_of_lane(lanes->count, i)], kappa, alpha;
    m->slip.slip_stiffness[i] = (vd_tyre_slip_stiffness(lanes->tyre[i], m->ground.friction, load) +
                                 vd_tyre_slip_stiffness(lanes->other[i], m->ground.friction, load)) /
                                (2.0 * load);
    vd_tyre_peaks(lanes->tyre[i], m->ground.friction, load, &m->slip.grip[i], &kappa, &alpha);
    double momentum = lanes->inertia[i] / lanes->radius[i];
    m->slip.spin_reaction[0][i] = momentum / m->vehicle.mass;
    m->slip.spin_reaction[1][i] = -lanes->y[i] * momentum / m->vehicle.yaw_inertia;
  }

  /* delta = L/R + U ay, U = (m_f/C_f - m_r/C_r), axle masses and axle cornering stiffnesses at static load */
  for (int i = 0; i < VD_AXLES; i++) {
    double load = 0.5 * m->balance.static_load[i];
    double stiffness = 0.0;
    for (int right = 0; right < 2; right++)
      stiffness += vd_tyre_cornering_stiffness(&m->vehicle.tyre[vd_wheel_at(i, right)], m->ground.friction, load);
    m->slip.cornering[i] = stiffness;
    m->control.understeer +=
        (i == VD_FRONT ? 1.0 : -1.0) * 2.0 * load / (m->balance.weight / m->balance.mass) / stiffness;
  }
}

/* Computes the relaxation of the tyres at static load. The standstill damper damps the car on the longitudinal springs
 * of its tyres, as far as the step stays stable for the wheels' spins and, with stiff links, for the fore and aft
 * motion of the wheels' masses. An L1 axle has the mean of its tyres, as for forces. */
static void build_relaxation(vd_model *m) {
  /* greatest tyre stiffness, over that at static load, at which the step of a wheel on stiff links is still stable */
  const double landing = 2.0;
  double spring = 0.0, fastest = 0.0, lowest, highest;
  vd_ground_friction_range(&m->ground, &lowest, &highest);
  for (int round = 0; round < 2; round++) {
    double damper = round == 0 ? 0.0 : vd_relax_damper(spring, m->balance.mass, fastest, m->options.step);
    for (int i = 0; i < m->lanes.count; i++) {
      double load = 0.5 * m->balance.static_load[vd_axle_of_lane(m->lanes.count, i)], radius = m->lanes.radius[i];
      vd_relax other;
      vd_relax_build(m->lanes.tyre[i], m->lanes.wheels, m->ground.friction, load, damper, &m->slip.relax[i]);
      vd_relax_build(m->lanes.other[i], m->lanes.wheels, m->ground.friction, load, damper, &other);
      vd_relax_mean(&other, &m->slip.relax[i]);
      m->lengths_by_load |= m->slip.relax[i].by_load;
      if (round == 0)
        spring += m->slip.relax[i].stiffness_x;
      double response = radius * radius * m->lanes.inverse_inertia[i];
      if (vd_on_stiff_links(&m->options))
        response += landing / (m->vehicle.axle[vd_axle_of(i)].unsprung_mass * m->options.rate_margin[vd_axle_of(i)] *
                               m->options.step);
      /* the stiffness grows at most in proportion to the friction */
      fastest = vd_max(fastest, m->slip.relax[i].stiffness_x * response * highest / m->ground.friction);
    }
  }
  vd_relax_pack(m->slip.relax, m->lanes.count, &m->slip.relax_four);
}

static void build_pressures(vd_model *m) {
  const vd_pressure *p = &m->vehicle.brakes.pressure;
  m->control.pressure.build = p->build_rate / p->full;
  m->control.pressure.pump = p->pump_rate / p->full;
  m->control.pressure.release = p->release_rate / p->full;
  m->control.pressure.clearance = p->dead_time * m->control.pressure.build;
  m->control.pressure.follow = 1.0 / p->lag;
}

/* Returns the slip that the anti-lock system controls: the given one, or that of the greatest force, but at least the
 * least slip that sensors resolve. A linear tyre reaches its limit at a slip of only about 3 %, and keeps it beyond. */
static double antilock_target(const vd_model *m, int axle) {
  const double least = 0.08;
  double mu, kappa, alpha, slip = m->vehicle.brakes.abs.slip;
  if (!isnan(slip))
    return slip;
  vd_tyre_peaks(&m->vehicle.tyre[vd_left_wheel(axle)], m->ground.friction, 0.5 * m->balance.static_load[axle], &mu,
                &kappa, &alpha);
  return vd_max(kappa, least);
}

/* Returns the slope over kappa of the longitudinal force of a brush tyre, whose combined force is F = L (1 - q^3), q =
 * 1 - C s/(3 L), with the slip s, stiffness C and limit L: F'(s) along the slip and F/s across it. The slope of the
 * car's own tyre is close to this one, but a secant F/s of a curve with shifts can be 0 or infinite where F is near 0;
 * this slope cannot. */
static double slip_slope(double stiffness, double limit, double kappa, double tan_alpha) {
  double along = kappa * kappa, squared = along + tan_alpha * tan_alpha, slip = sqrt(squared);
  if (!(stiffness * slip > 1e-6 * limit))
    return stiffness;
  double q = vd_max(1.0 - stiffness * slip / (3.0 * limit), 0.0), secant = limit * (1.0 - q * q * q) / slip;
  return secant + (stiffness * q * q - secant) * (along / squared);
}

/* Replaces the rates of `count` wheels, from wheel `first` on, by their mean. */
static void share_rates(int first, int count, vd_decay *decay) {
  double sum = 0.0;
  for (int i = first; i < first + count; i++)
    sum += decay->rate[i];
  for (int i = first; i < first + count; i++)
    decay->rate[i] = sum / count;
}

static bool sticks(const double *mode, const vd_eval *e, int coupling) {
  return mode[coupling] == 0.0 && e->drive.coupling_capacity[coupling] > 0.0;
}

static void decay_coupled(const vd_model *m, const double *mode, const vd_eval *e, vd_decay *decay) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  const int n = decay->count;
  for (int a = 0; a < VD_AXLES && n == VD_WHEELS; a++)
    if (sticks(mode, e, a == VD_FRONT ? VD_M_FRONT : VD_M_REAR))
      share_rates(2 * a, 2, decay);
  if (sticks(mode, e, VD_M_CENTRE))
    share_rates(0, n, decay);
  if (!m->motor_shaft || !sticks(mode, e, VD_M_CLUTCH))
    return;
  decay->reacting[2] = VD_S_MOTOR;
  double ratio = vd_gear_ratio(d, d->engine ? e->drive.gear : 1);
  for (int i = 0; i < n; i++) {
    double geared = ratio * m->lanes.drive_share[i];
    decay->reaction[2][i] = -geared;
    decay->reaction[0][i] += d->inertia * ratio / (m->control.drive_radius * m->vehicle.mass) * geared;
  }
}

static void decay_spins(const vd_model *m, const double *mode, const vd_eval *e, vd_decay *decay) {
  const int n = m->lanes.count;
  for (int i = 0; i < n; i++) {
    double load = vd_max(e->tyre.load[i], 0.0), radius = m->lanes.radius[i];
    double slope =
        slip_slope(m->slip.slip_stiffness[i] * load, m->slip.grip[i] * load, e->slip.kappa[i], e->slip.tan_alpha[i]);
    decay->state[i] = VD_S_SPIN + i;
    decay->rate[i] = slope * radius * radius * m->lanes.inverse_inertia[i] /
                     vd_max(fabs(e->contact.vx_contact[i]), m->options.v_low);
    for (int b = 0; b < 2; b++)
      decay->reaction[b][i] = m->slip.spin_reaction[b][i];
    decay->reaction[2][i] = 0.0;
  }
  decay->count = n;
  decay->reacting[1] = VD_S_YAW_RATE;
  if (m->coupled)
    decay_coupled(m, mode, e, decay);
  for (int b = 0; b < 2; b++)
    if (m->options.prescribed &
        /* a prescribed motion does not react */
        (b == 0 ? VD_PRESCRIBED_SPEED | VD_PRESCRIBED_PLACE : VD_PRESCRIBED_YAW))
      memset(decay->reaction[b], 0, sizeof decay->reaction[b]);
}

void vd_model_decay(const vd_model *m, const double *mode, const vd_eval *e, vd_decay *decay) {
  decay->count = 0;
  for (int b = 0; b < VD_REACTING; b++)
    decay->reacting[b] = VD_S_VX;                                      /* a placeholder: its factors are 0 unless set */
  if (m->options.level != VD_L0 && !m->transient && !m->ride.on_posts) /* on posts no tyre resists a spin */
    decay_spins(m, mode, e, decay);
  for (int i = VD_S_BUSHINGS; m->ride.bushing.elastic_map[VD_FL] && i < VD_S_STEERED; i++) {
    decay->state[decay->count] = i;
    for (int b = 0; b < VD_REACTING; b++)
      decay->reaction[b][decay->count] = 0.0;
    decay->rate[decay->count++] = 1.0 / m->options.bushing_time;
  }
}

static int count_states(const vd_model *m) {
  if (m->electric)
    return VD_STATES;
  if (m->column || m->vehicle.steering.rear.gain || m->hot_brakes)
    return VD_S_ELECTRIC;
  if (m->ride.bushing.elastic_map[VD_FL])
    return VD_S_STEERED;
  if (m->turn_slip)
    return VD_S_BUSHINGS;
  if (m->options.level == VD_L5)
    return vd_on_stiff_links(&m->options) ? VD_S_TURNING : VD_S_LINKED;
  if (m->extras)
    return VD_S_FREE;
  return m->options.level >= VD_L3 ? VD_S_EXTRAS : VD_S_SPIN + m->lanes.count;
}

static void build_extras(vd_model *m) {
  const vd_vehicle *v = &m->vehicle;
  bool dynamic = m->options.level != VD_L0;
  double low, high;
  vd_ground_friction_range(&m->ground, &low, &high);
  vd_steered_build(m);
  m->transient = dynamic && m->options.transient;
  m->turn_slip = dynamic && m->lanes.row.has_turn_slip;
  m->abs = dynamic && v->brakes.abs.type == VD_ABS_SLIP;
  m->hydraulic = dynamic && v->brakes.pressure.type == VD_PRESSURE_HYDRAULIC;
  if (m->hydraulic)
    build_pressures(m);
  m->hot_brakes = dynamic && v->brakes.heat.type == VD_BRAKE_HEAT_DISC;
  m->lanes.rolling_grows = v->rolling_slope != 0.0;
  for (int i = 0; i < m->lanes.count; i++)
    m->lanes.rolling_grows |= m->lanes.rolling_growth[i] != 0.0;
  m->plain_brakes = !m->abs && !m->hydraulic && !m->hot_brakes && !v->brakes.load_dependent;
  m->patches = dynamic && low < high;
  if (dynamic)
    vd_train_build(m);
  if (m->transient)
    build_relaxation(m);
  if (m->turn_slip)
    vd_turn_build(m);
  for (int i = 0; i < m->lanes.count && m->abs; i++)
    m->control.abs_slip[i] = antilock_target(m, vd_axle_of_lane(m->lanes.count, i));
  vd_electric_build(m);
  m->bypass = m->options.requests || m->electric;
  m->plain_motor = !m->electric && !m->vehicle.drivetrain.engine && isnan(m->vehicle.drivetrain.max_power) &&
                   m->vehicle.drivetrain.efficiency == 1.0 && !m->motor_shaft;
  m->extras = m->options.level == VD_L5 || m->outside || m->steering || m->steering_axes || m->transient ||
              m->turn_slip || m->abs || m->hydraulic || m->hot_brakes || m->coupled ||
              m->ride.bushing.elastic_map[VD_FL] || m->electric || m->options.path || m->options.acceleration_control;
  m->extended = m->electric || m->hot_brakes || m->steering || m->steering_axes || m->options.path;
  m->first_extra = spatial(m) ? VD_S_EXTRAS : VD_S_RIDE;
  m->states = count_states(m);
}

void vd_model_build(const vd_vehicle *vehicle, const vd_ground *ground, const vd_model_options *options, vd_model *m) {
  *m = (vd_model){.options = *options, .vehicle = *vehicle, .ground = *ground};
  m->table_steer = (options->level == VD_L1 || options->level == VD_L2) && m->vehicle.axle[VD_FRONT].map;
  if (m->table_steer)
    vd_table_axles(m);
  vd_load_balance_build(&m->vehicle, m->ground.weight, options->lean, &m->balance);
  if (options->no_pitch)
    m->balance.height = 0.0;

  const vd_aero *aero = &vehicle->aero;
  double pressure = 0.5 * aero->air_density * aero->frontal_area;
  m->air.drag = pressure * aero->drag;
  m->air.downforce[VD_FRONT] = pressure * aero->downforce_front;
  m->air.downforce[VD_REAR] = pressure * aero->downforce_rear;
  m->air.area = pressure;
  m->outside =
      options->pushed || options->prescribed != 0 || options->wind.speed[0] != 0.0 || options->wind.speed[1] != 0.0;
  vd_air_heights_build(&aero->heights, &m->air.heights);
  m->outside |= m->air.heights.count[VD_FRONT] > 0;
  for (int i = 0; i < VD_AIR_MAPS; i++)
    if (aero->map[i].count > 0) {
      vd_curve_build(&aero->map[i], &m->air.map[i]);
      m->outside = true;
    }

  vd_tracks_build(m);
  m->lanes.tyre_share = 1.0 / m->lanes.wheels;
  for (int i = 0; i < m->lanes.count; i++)
    m->lanes.inverse_inertia[i] = 1.0 / m->lanes.inertia[i];
  build_load_map(m);
  if (m->table_steer)
    vd_table_steer_build(m);
  for (int i = 0; i < VD_WHEELS; i++) {
    m->lanes.moments |= vd_tyre_has_moments(&m->vehicle.tyre[i]);
    /* camber also changes if bushings turn the wheels */
    m->lanes.cambers |=
        vd_tyre_depends_on_camber(&m->vehicle.tyre[i]) || (spatial(m) && m->options.compliance == VD_COMPLIANCE_LINEAR);
  }
  const vd_tyre *both[] = {m->lanes.tyre[0], m->lanes.other[0], m->lanes.tyre[1], m->lanes.other[1]};
  vd_tyre_row_build(m->lanes.paired ? both : m->lanes.tyre, m->lanes.paired ? VD_WHEELS : m->lanes.count,
                    &m->lanes.row);
  for (int k = 0; k < 2; k++) {
    m->plan_along[k] = spatial(m) ? 1.0 - k : m->ground.along[k];
    m->plan_across[k] = spatial(m) ? k : m->ground.across[k];
  }
  if (spatial(m))
    vd_ride_build(m);
  if (m->options.level <= VD_L4 && vd_model_linked(m))
    vd_multibody_build(m);
  if (m->options.level == VD_L5)
    vd_free_body_build(m);
  build_reductions(m);
  build_extras(m);
}

/* Rate at which the difference between the integrated path parameter and the true one decays. */
static const double foot_rate = 5.0; /* 1/s */

/* Returns the rate of the path parameter s. The foot of the perpendicular from the car moves at s' = V . t/(1 -
 * curvature x offset), with the car's velocity V and the path's direction t. A correction brings s back if it departs
 * from the true foot. */
static double path_rate(const vd_model *m, const double *x, const vd_path_point *at, double *offset, const double *dx) {
  double px, py, vx, vy;
  vd_model_plan(m, x[VD_S_ALONG], x[VD_S_ACROSS], &px, &py);
  vd_model_plan(m, dx[VD_S_ALONG], dx[VD_S_ACROSS], &vx, &vy);
  double cosine = vd_cos(at->heading), sine = vd_sin(at->heading);
  *offset = (py - at->y) * cosine - (px - at->x) * sine;
  /* beyond the centre of curvature there is no foot of a perpendicular */
  double stretch = vd_max(1.0 - at->curvature * *offset, 0.1);
  double behind = (px - at->x) * cosine + (py - at->y) * sine;
  return (vx * cosine + vy * sine + foot_rate * behind) / stretch;
}

double vd_world_yaw(const vd_ground *g, double heading) {
  double c = vd_cos(heading), s = vd_sin(heading);
  double forward[2] = {c * g->along[0] + s * g->across[0], c * g->along[1] + s * g->across[1]};
  return heading + remainder(vd_atan2(forward[1], forward[0]) - heading, 2.0 * VD_PI);
}

double vd_model_heading(const vd_model *m, double yaw) {
  bool level = m->ground.normal[2] == 1.0;
  return spatial(m) || level ? yaw : vd_world_yaw(&m->ground, yaw);
}

VD_INLINE bool level_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                           double *dx) {
  switch (m->options.level) {
  case VD_L0: return vd_kinematic_rates(m, c, x, mode, e, dx);
  case VD_L1:
  case VD_L2:
    return m->table_steer ? vd_table_steer_rates(m, c, x, mode, e, dx) : vd_planar_rates(m, c, x, mode, e, dx);
  case VD_L3:
    if (!vd_model_linked(m))
      return vd_fourteen_dof_rates(m, c, x, mode, e, dx);
    /* fall through */
  case VD_L4: return vd_multibody_rates(m, c, x, mode, e, dx);
  case VD_L5:
    return m->ride.bushing.elastic_map[VD_FL] || vd_on_rigid_links(&m->options)
               ? vd_guided_body_rates(m, c, x, mode, e, dx)
               : vd_free_body_rates(m, c, x, mode, e, dx);
  }
  return false;
}

/* Computes the rates under the force that constrains the car to a prescribed motion (prescribed.h). If the direction of
 * power through the gears changes under this force, another round is needed. */
static bool prescribed_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                             double *dx) {
  enum { ROUNDS = 3 };
  vd_command own = *c;
  vd_prescribed h;
  bool closed = true;
  vd_prescribed_begin(m, c, x, &h);
  for (int trial = -1; trial < h.count; trial++) {
    vd_prescribed_push(&h, trial, &own);
    closed &= level_rates(m, &own, x, mode, e, dx);
    vd_prescribed_note(m, c, x, dx, trial, &h);
  }
  for (int round = 0; round < ROUNDS; round++) {
    vd_prescribed_solve(&h);
    vd_prescribed_push(&h, -1, &own);
    closed &= level_rates(m, &own, x, mode, e, dx);
    if (vd_prescribed_note(m, c, x, dx, -1, &h))
      break;
  }
  vd_prescribed_show(m, &own, x, e);
  return closed;
}

/* Computes the rates that only some cars or runs need: with a command that depends on the state (by a steering that has
 * states, or by a speed over a path), of the path parameter, of temperatures and charge, under a prescribed motion. */
VD_NOINLINE bool extended_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                                double *dx) {
  vd_command own;
  vd_path_point at;
  const bool changed = m->steering || c->longitudinal == VD_LON_PATH_SPEED;
  if (changed)
    vd_command_pass(c, &own);
  if (m->steering)
    vd_steered_set_angles(m, x, &own);
  if (m->options.path)
    vd_path_at(m->options.path, x[VD_S_PATH], &at);
  if (m->options.path && c->longitudinal == VD_LON_PATH_SPEED) {
    own.target = at.speed;
    own.target_rate = at.speed_slope * at.speed;
  }
  bool closed = c->prescribed ? prescribed_rates(m, changed ? &own : c, x, mode, e, dx)
                              : level_rates(m, changed ? &own : c, x, mode, e, dx);
  if (m->electric)
    vd_electric_rates(m, x, e, dx);
  if (m->hot_brakes)
    vd_disc_rates(m, x, mode, e, dx);
  if (m->steering || m->steering_axes)
    vd_steered_rates(m, c, changed ? &own : c, x, mode, e, dx);
  for (int i = 0; i < m->lanes.count && m->steering && !m->table_steer; i++)
    e->steering.angle[i] = own.angle[i];
  if (m->options.path)
    dx[VD_S_PATH] = path_rate(m, x, &at, &e->motion.path_error, dx);
  return closed;
}

void vd_model_end_step(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  vd_command own;
  vd_steered_take_hold(m, c, false, s);
  if (c->prescribed)
    vd_prescribed_place(m, c, s->x);
  if (m->options.level != VD_L5)
    return;
  vd_command_pass(c, &own);
  if (m->steering)
    vd_steered_set_angles(m, s->x, &own);
  vd_free_body_end_step(m, &own, s);
}

/* Keeps the angles of wheels on bushings for the next evaluation. If the time has not changed, their rates remain. */
static void keep_angles(const vd_command *c, const vd_eval *e, double *mode) {
  double *angle = mode + VD_M_COMPLIANCE, *rate = mode + VD_M_COMPLIANCE_RATE, span = c->t - mode[VD_M_COMPLIANCE_TIME];
  double now[VD_TURN_ANGLES * VD_WHEELS];
  const bool known = mode[VD_M_COMPLIANCE_ERROR] > 0.0;
  memcpy(now, e->suspension.compliance_steer, sizeof e->suspension.compliance_steer);
  memcpy(now + VD_WHEELS, e->suspension.compliance_camber, sizeof e->suspension.compliance_camber);
  for (int i = 0; i < VD_TURN_ANGLES * VD_WHEELS && span > 0.0; i++)
    rate[i] = known ? (now[i] - angle[i]) / span : 0.0;
  memcpy(angle, now, sizeof now);
  memcpy(mode + VD_M_COMPLIANCE_SLOPE, e->suspension.compliance_slope, sizeof e->suspension.compliance_slope);
  mode[VD_M_COMPLIANCE_TIME] = c->t;
}

VD_NOINLINE void keep_turns(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode) {
  if (m->table_steer)
    vd_table_steer_keep(m, c, e, mode);
  if (m->ride.bushing.compliant)
    keep_angles(c, e, mode);
  else
    vd_planar_keep(m, c, e, mode);
}

void vd_model_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode) {
  if (m->table_steer || m->ride.bushing.compliant)
    keep_turns(m, c, e, mode);
  else
    vd_planar_keep(m, c, e, mode);
}

void vd_model_forget(double *mode) {
  memset(mode + VD_COMMON_MODES, 0, (VD_MODES - VD_COMMON_MODES) * sizeof *mode);
}

bool vd_model_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                    double *dx) {
  if (m->extras) /* rates that the level does not write */
    memset(dx + m->first_extra, 0, (size_t)(m->states - m->first_extra) * sizeof *dx);
  return m->extended || c->prescribed ? extended_rates(m, c, x, mode, e, dx) : level_rates(m, c, x, mode, e, dx);
}

/* Computes the world attitude: the plane's axes turned by yaw about the normal, then by the body's pitch and roll,
 * converted to ISO 8855 angles (yaw, pitch, roll about z, y, x in turn). Yaw is continuous beyond half a turn. */
static void world_pose(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  const vd_ground *g = &m->ground;
  double along = s->x[VD_S_ALONG], across = s->x[VD_S_ACROSS], height = m->balance.height, heading = s->x[VD_S_YAW];
  double at[3], forward[3], left[3], up[3];
  double cy = vd_cos(heading), sy = vd_sin(heading), cp = vd_cos(e->log.body_pitch), sp = vd_sin(e->log.body_pitch),
         cr = vd_cos(e->log.body_roll), sr = vd_sin(e->log.body_roll);
  for (int k = 0; k < 3; k++) {
    at[k] = along * g->along[k] + across * g->across[k] + height * g->normal[k];
    double ahead = cy * g->along[k] + sy * g->across[k];
    double aside = cy * g->across[k] - sy * g->along[k];
    e->log.cg[k] = at[k];
    e->log.cg_speed[k] = e->motion.vx * ahead + e->motion.vy * aside;
    forward[k] = cp * ahead - sp * g->normal[k];
    double above = sp * ahead + cp * g->normal[k];
    left[k] = cr * aside + sr * above;
    up[k] = cr * above - sr * aside;
  }
  e->log.x = at[0];
  e->log.y = at[1];
  e->log.z = at[2];
  e->log.pitch = vd_asin(vd_max(-1.0, vd_min(1.0, -forward[2])));
  e->log.roll = vd_atan2(left[2], up[2]);
  e->log.yaw = heading + remainder(vd_atan2(forward[1], forward[0]) - heading, 2.0 * VD_PI);
}

/* Computes places and axles of upright wheels on the plane. A single track represents two wheels of each axle. */
static void planar_wheels(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  const vd_ground *g = &m->ground;
  const bool single = m->lanes.count < VD_WHEELS;
  double cy = vd_cos(s->x[VD_S_YAW]), sy = vd_sin(s->x[VD_S_YAW]);
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &m->vehicle.axle[vd_axle_of(i)];
    int lane = single ? vd_axle_of(i) : i;
    double left = single ? 0.5 * vd_side_sign(i) * axle->track : m->lanes.y[i], ahead = m->lanes.x[lane];
    double along = s->x[VD_S_ALONG] + cy * ahead - sy * left, across = s->x[VD_S_ACROSS] + sy * ahead + cy * left;
    double heading = s->x[VD_S_YAW] + e->steering.angle[m->options.level == VD_L0 ? lane : i];
    double cosine = vd_cos(heading), sine = vd_sin(heading);
    for (int k = 0; k < 3; k++) {
      e->log.wheel[k][i] = along * g->along[k] + across * g->across[k] + axle->loaded_radius * g->normal[k];
      e->log.axle[k][i] = cosine * g->across[k] - sine * g->along[k];
    }
  }
}

static void planar_details(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  e->log.specific_x = e->body.ax - e->motion.pull_x;
  e->log.specific_y = e->body.ay - e->motion.pull_y;
  e->log.specific_z = m->ground.weight;
  e->log.energy_tyre = 0.0;
  if (m->options.level != VD_L0) {
    e->log.energy_kinetic = 0.5 * m->balance.mass * (e->motion.vx * e->motion.vx + e->motion.vy * e->motion.vy) +
                            0.5 * m->vehicle.yaw_inertia * e->motion.yaw_rate * e->motion.yaw_rate;
    e->log.energy_spin = 0.0;
    for (int i = 0; i < m->lanes.count; i++)
      e->log.energy_spin += 0.5 * m->lanes.inertia[i] * s->x[VD_S_SPIN + i] * s->x[VD_S_SPIN + i];
  }
  e->log.energy_gravity =
      -m->balance.mass * (m->ground.pull_along * s->x[VD_S_ALONG] + m->ground.pull_across * s->x[VD_S_ACROSS]);
  e->log.energy_spring = 0.0;
}

/* Computes the energies that only some cars or runs have, and the ledger residual. */
static void ledger(const vd_model *m, const vd_command *c, const vd_state_vector *s, double energy0, vd_eval *e) {
  if (m->motor_shaft)
    e->log.energy_spin += 0.5 * m->vehicle.drivetrain.inertia * s->x[VD_S_MOTOR] * s->x[VD_S_MOTOR];
  for (int i = 0; i < m->lanes.count && m->transient; i++) {
    double ux = m->slip.relax[i].unit_x * s->x[VD_S_DEFLECTION_X + i];
    double uy = m->slip.relax[i].unit_y * s->x[VD_S_DEFLECTION_Y + i];
    e->log.energy_tyre += 0.5 * (m->slip.relax[i].stiffness_x * ux * ux + m->slip.relax[i].stiffness_y * uy * uy);
  }
  if (m->turn_slip)
    e->log.energy_tyre += vd_turn_energy(m, s->x);
  e->log.energy =
      e->log.energy_kinetic + e->log.energy_spin + e->log.energy_gravity + e->log.energy_spring + e->log.energy_tyre;
  if (m->options.level == VD_L5)
    e->log.energy += e->log.energy_link;
  if (m->column)
    e->log.energy += e->log.energy_steering = vd_steered_energy(m, c, s->x);
  static const struct {
    int from, to;
  } works[] = {{VD_S_WORK_DRIVE, VD_S_WORK_ROLLING},
               {VD_S_WORK_CLUTCH, VD_S_WORK_DAMPER},
               {VD_S_WORK_SUSPENSION, VD_S_WORK_OUTSIDE},
               {VD_S_WORK_LINK, VD_S_WORK_LINK},
               {VD_S_WORK_ASSIST, VD_S_WORK_COLUMN}};
  e->log.work = 0.0;
  e->log.turnover = e->log.energy_kinetic + e->log.energy_spin;
  for (size_t i = 0; i < VD_COUNT(works); i++)
    for (int k = works[i].from; k <= works[i].to; k++) {
      e->log.work += s->x[k];
      e->log.turnover += fabs(s->x[k]);
    }
  if (m->electric)
    vd_electric_ledger(m, s, e);
  e->log.ledger = e->log.energy - energy0 - e->log.work;
}

static void wheel_details(vd_eval *e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    e->log.alpha[i] = vd_atan(e->slip.tan_alpha[i]);
    e->log.contact[i] = e->tyre.load[i] > 0.0 ? 1.0 : 0.0;
    e->log.toe[i] = vd_is_right(i) ? e->steering.angle[i] : -e->steering.angle[i];
  }
}

static void peaks(const vd_model *m, vd_eval *e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_tyre_peaks(&m->vehicle.tyre[i], e->contact.friction[i], e->tyre.load[i], &e->log.mu_peak[i],
                  &e->log.kappa_peak[i], &e->log.alpha_peak[i]);
    /* a force without a peak counts as greatest in a full slide: at kappa = 1, or at a slip angle of 90 deg */
    e->log.kappa_peak[i] = isfinite(e->log.kappa_peak[i]) ? e->log.kappa_peak[i] : 1.0;
    e->log.alpha_peak[i] = isfinite(e->log.alpha_peak[i]) ? e->log.alpha_peak[i] : 0.5 * VD_PI;
  }
}

/* Computes the deviation of the quantity of each control level from its command; zero without a command. */
static void tracking(const vd_command *c, vd_eval *e) {
  e->log.speed_error = e->log.acceleration_error = e->log.force_error = e->log.torque_error = 0.0;
  bool moves = fabs(e->motion.vx) > 1.0; /* otherwise the curvature is not defined */
  e->log.curvature_error = c->lateral == VD_LAT_CURVATURE && moves ? c->lateral_demand - e->log.curvature : 0.0;
  e->log.yaw_rate_error = c->lateral == VD_LAT_YAW_RATE ? c->lateral_demand - e->motion.yaw_rate : 0.0;
  e->log.lateral_acceleration_error = c->lateral == VD_LAT_ACCELERATION ? c->lateral_demand - e->body.ay : 0.0;
  switch (c->longitudinal) {
  case VD_LON_PEDALS: break;
  case VD_LON_WHEEL_TORQUE:
  case VD_LON_AXLE_TORQUE: e->log.torque_error = e->drive.tracking_error; break;
  case VD_LON_FORCE: e->log.force_error = e->drive.tracking_error; break;
  case VD_LON_ACCELERATION: e->log.acceleration_error = c->target - e->body.ax; break;
  case VD_LON_SPEED:
  case VD_LON_PATH_SPEED: e->log.speed_error = e->drive.demand - e->motion.vx; break;
  }
}

static void path_place(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  e->log.path_s = e->log.path_heading_error = e->log.path_curvature = 0.0;
  if (!m->options.path) {
    e->motion.path_error = 0.0;
    return;
  }
  vd_path_point at;
  /* course: direction of motion; when the car moves backwards, the opposite direction */
  double course =
      vd_model_heading(m, s->x[VD_S_YAW]) + (fabs(e->motion.vx) > 1e-6 ? vd_atan(e->motion.vy / e->motion.vx) : 0.0);
  e->log.path_s = s->x[VD_S_PATH];
  vd_path_at(m->options.path, e->log.path_s, &at);
  e->log.path_heading_error = remainder(course - at.heading, 2.0 * VD_PI);
  e->log.path_curvature = at.curvature;
}

/* Computes the logged quantities that depend on the wheels' angles; these come from the states of the steering, if it
 * has any, otherwise from the command. */
static void observe_steered(const vd_model *m, const vd_command *c, const vd_state_vector *s, unsigned view,
                            vd_eval *e) {
  vd_command own;
  vd_command_pass(c, &own);
  if (m->steering)
    vd_steered_set_angles(m, s->x, &own);
  if (m->options.level == VD_L5)
    vd_free_body_observe(m, &own, s, view, e);
  else
    vd_fourteen_dof_wheels(m, &own, s, e);
}

void vd_model_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, double energy0, unsigned view,
                      vd_eval *e) {
  vd_steered_observe(m, c, s, e);
  e->log.gear = e->drive.gear;
  e->log.saturated = e->drive.saturated ? 1.0 : 0.0;
  e->log.motor_speed = m->motor_shaft ? s->x[VD_S_MOTOR] : 0.0;
  e->log.clutch_torque = m->coupled ? e->drive.coupling_torque[VD_M_CLUTCH] : 0.0;
  e->log.clutch_slip = m->coupled ? e->drive.coupling_slip[VD_M_CLUTCH] : 0.0;
  e->log.curvature = e->motion.vx != 0.0 ? e->motion.yaw_rate / e->motion.vx : 0.0;
  const double slow = 1e-6; /* m/s: a car at rest has no side slip */
  bool moves = fabs(e->motion.vx) > slow || vd_hypot(e->motion.vx, e->motion.vy) > slow;
  e->log.sideslip = moves ? vd_atan2(e->motion.vy, fabs(e->motion.vx)) : 0.0;
  tracking(c, e);
  path_place(m, s, e);
  e->log.body_roll = e->log.body_pitch = e->log.ex = e->log.ey = e->log.tipping = 0.0;
  e->log.loop_angle = NAN;
  for (int i = 0; i < m->lanes.count; i++) {
    /* the brake of a locked wheel delivers the torque that keeps it locked */
    e->log.brake_torque[i] = s->mode[i] == 0.0 ? -e->spin.spin_torque[i] : -s->mode[i] * e->drive.brake_capacity[i];
    e->log.pressure[i] = m->abs ? vd_min(vd_max(s->x[VD_S_PRESSURE + i], 0.0), 1.0) : 1.0;
    if (!m->steering && !m->table_steer)
      e->steering.angle[i] = c->angle[i];
  }
  switch (m->options.level) {
  case VD_L0: vd_kinematic_observe(m, s, e); break;
  case VD_L1:
  case VD_L2: vd_tracks_observe(m, e); break;
  case VD_L3:
  case VD_L4:
    if (vd_model_linked(m))
      vd_multibody_observe(m, s, view, e);
    else
      vd_fourteen_dof_observe(m, s, view, e);
    if (!vd_model_linked(m) && (view & VD_VIEW_WHEELS))
      observe_steered(m, c, s, view, e);
    break;
  case VD_L5: observe_steered(m, c, s, view, e); break;
  }
  bool dynamic = m->options.level != VD_L0;
  bool together = !spatial(m) && m->outside; /* drag and downforce contain forces from outside */
  e->log.air_drag = together ? e->outside.drag + e->outside.outside_ahead : e->outside.drag;
  for (int i = 0; i < VD_AXLES; i++)
    e->log.air_lift[i] = together ? e->outside.downforce[i] + e->outside.outside_up[i] : e->outside.downforce[i];
  if (!m->column)
    e->steering.steering_torque = 0.0;
  if (!c->prescribed)
    e->outside.prescribed[0] = e->outside.prescribed[1] = e->outside.prescribed[2] = 0.0;
  if (dynamic && (view & VD_VIEW_STEERING))
    vd_steered_torque(m, e);
  if (!spatial(m) && (view & (VD_VIEW_PLACE | VD_VIEW_DETAILS)))
    world_pose(m, s, e);
  if (view & VD_VIEW_DETAILS) {
    if (dynamic)
      wheel_details(e);
    if (!spatial(m))
      planar_details(m, s, e);
    if (!spatial(m) && (view & VD_VIEW_WHEELS))
      planar_wheels(m, s, e);
    ledger(m, c, s, energy0, e);
  }
  if (dynamic && (view & VD_VIEW_PEAKS))
    peaks(m, e);
  for (int i = 0; i < VD_WHEELS && (view & VD_VIEW_WHEELS); i++) {
    e->log.drive_request[i] = m->options.requests ? c->drive_request[i] : 0.0;
    e->log.brake_request[i] = m->options.requests ? c->brake_request[i] : 0.0;
    e->log.pressure_request[i] = m->options.requests ? c->pressure_request[i] : 0.0;
    e->log.damper_request[i] = m->options.requests ? c->damper_request[i] : 0.0;
    e->log.brake_valve[i] = m->options.requests ? c->brake_valve[i] : 1.0;
    const int lane = m->lanes.count == 2 ? vd_axle_of(i) : i;
    e->log.wheel_pressure[i] =
        m->hydraulic ? vd_max(s->x[VD_S_PRESSURE + lane], 0.0) * m->vehicle.brakes.pressure.full : 0.0;
    e->log.disc[i] = m->hot_brakes ? s->x[VD_S_DISC + lane] : 0.0;
  }
  if (!m->electric && (view & VD_VIEW_WHEELS)) {
    memset(&e->electric, 0, sizeof e->electric);
    e->log.energy_battery = 0.0;
  }
  e->log.throttle_request = m->options.requests ? c->throttle_request : 0.0;
  e->log.rear_steer_request = m->options.requests ? c->rear_steer_request : 0.0;
  const vd_brake_curve *boosted = &m->vehicle.brakes.boosted;
  e->log.pedal_force = boosted->curve && e->drive.brake > 0.0 ? vd_curve_inverse(boosted->curve, e->drive.brake) : 0.0;
  e->log.master_pressure = m->hydraulic ? e->drive.brake * m->vehicle.brakes.pressure.full : 0.0;
}
