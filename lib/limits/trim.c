#include "limits/trim.h"

#include "base/elementary.h"
#include "math/lu.h"
#include "model/frame.h"
#include "model/steered.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const double vd_trim_exact = 2e-11, vd_trim_passing = 1e-7;

static const double typical_accel = 10.0; /* m/s2, scale of accelerations */

/* --- the quantities --- */

static void add_inner(vd_trim *t, int state, int rate, double scale, double weight) {
  t->scale[VD_TRIM_INNER + t->inners] = scale;
  t->z[VD_TRIM_INNER + t->inners] = 0.0;
  t->inner[t->inners++] = (vd_trim_inner){state, rate, t->s.x[state], weight};
}

static bool is_spin(int state) {
  return state >= VD_S_SPIN && state <= VD_S_SPIN_LAST;
}

static void add_each(vd_trim *t, int state, int rate, double scale, double weight) {
  for (int i = 0; i < t->m->lanes.count; i++)
    add_inner(t, state + i, rate + i, scale, weight);
}

/* Adds the inner quantities with the weights that scale their equations: a residual is about 1 if the tyre forces
 * deviate from the required forces by the weight of the car. */
static void add_inners(vd_trim *t) {
  const vd_model *m = t->m;
  double force = m->vehicle.mass * typical_accel, half = 0.5 * m->vehicle.wheelbase;
  const double angle = 0.05, place = 0.05;
  t->weight[0] = t->weight[1] = 1.0 / typical_accel;
  t->weight[2] = m->vehicle.yaw_inertia / (force * half);
  for (int i = 0; i < m->lanes.count; i++) {
    /* at this slip a tyre is well beyond its peak */
    double slip = vd_min(vd_max(3.0 * m->slip.grip[i] / m->slip.slip_stiffness[i], 0.002), 0.2);
    add_inner(t, VD_S_SPIN + i, VD_S_SPIN + i, slip, 4.0 * m->lanes.inertia[i] / (force * m->lanes.radius[i]));
  }
  if (m->options.level >= VD_L3) {
    add_inner(t, VD_S_HEIGHT, VD_S_VZ, place, 1.0 / typical_accel);
    add_inner(t, VD_S_ROLL, VD_S_ROLL_RATE, angle, m->ride.inertia_x / force);
    add_inner(t, VD_S_PITCH, VD_S_PITCH_RATE, angle, m->ride.inertia_y / (force * half));
    for (int i = 0; i < VD_WHEELS; i++)
      add_inner(t, VD_S_TRAVEL + i, VD_S_TRAVEL_RATE + i, place, 4.0 * m->ride.unsprung_mass[i] / force);
  }
  if (m->motor_shaft)
    add_inner(t, VD_S_MOTOR, VD_S_MOTOR, 10.0, 1e-3);
  if (m->transient) {
    add_each(t, VD_S_DEFLECTION_X, VD_S_DEFLECTION_X, 0.05, 0.1);
    add_each(t, VD_S_DEFLECTION_Y, VD_S_DEFLECTION_Y, 0.05, 0.1);
  }
  if (m->turn_slip)
    add_each(t, VD_S_TWIST, VD_S_TWIST, 0.1, 0.1);
  if (m->column)
    add_inner(t, VD_S_GEAR, VD_S_GEAR_RATE, 0.1, 1e-4);
}

/* Finds the accelerations that full pedals give, from the torques of the motor with open and closed throttle. */
static bool find_pedals(vd_trim *t) {
  const vd_model *m = t->m;
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  double torque[2], ratio = m->motor_shaft ? vd_gear_ratio(d, d->engine ? t->c.gear : 1) * d->efficiency : 1.0;
  for (int k = 0; k < 2; k++) {
    t->full_drive = t->full_brake = 1.0;
    t->z[VD_TRIM_PEDAL] = k;
    if (!vd_trim_evaluate(t))
      return false;
    torque[k] = t->e.drive.motor_torque;
  }
  t->z[VD_TRIM_PEDAL] = 0.0;
  t->full_drive = vd_max((torque[1] - torque[0]) * ratio / m->control.drive_radius, 1.0) / m->vehicle.mass;
  t->full_brake = vd_max(m->vehicle.brakes.max_torque / m->control.brake_radius, 1.0) / m->vehicle.mass;
  return true;
}

/* Sets the modes of clutch and differentials. The clutch sticks if the engine does not stall in this gear;
 * differentials stick until switch_differentials lets them slip. */
static void engage(vd_trim *t) {
  const vd_model *m = t->m;
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  if (!m->coupled)
    return;
  for (int k = VD_M_FRONT; k <= VD_M_CENTRE; k++)
    t->s.mode[k] = 0.0;
  double input = vd_gear_ratio(d, d->engine ? t->c.gear : 1) * t->speed / m->control.drive_radius;
  t->s.mode[VD_M_CLUTCH] = d->engine && input < d->idle ? -1.0 : 0.0;
  if (m->motor_shaft)
    t->s.x[VD_S_MOTOR] = t->s.mode[VD_M_CLUTCH] == 0.0 ? input : d->launch_speed;
}

bool vd_trim_start(const vd_model *m, double speed, int gear, vd_trim *t) {
  static const double scale[VD_TRIM_INNER] = {0.1, 0.1, 10.0, 10.0, 10.0, 10.0};
  *t = (vd_trim){.m = m, .speed = speed, .ray = {1.0, 0.0}, .turn_rate = NAN};
  t->c = (vd_command){.lateral = VD_LAT_STEER, .longitudinal = VD_LON_PEDALS, .gear = gear};
  vd_command_set_angles(m, &t->c);
  vd_model_start(m, &t->c, &(vd_start){.speed = speed}, &t->s);
  if (m->options.level >= VD_L3 && !vd_model_rest(m, &t->c, &t->s))
    return false;
  engage(t);
  memcpy(t->scale, scale, sizeof scale);
  add_inners(t);
  return find_pedals(t);
}

void vd_trim_copy(const vd_trim *from, vd_trim *to) {
  size_t used = from->has_inverse ? (size_t)(from->count * from->count) * sizeof *from->inverse : 0;
  memcpy(to, from, offsetof(vd_trim, inverse) + used);
}

void vd_trim_choose(vd_trim *t, const int *quantity, int count, bool rowed) {
  t->count = 0;
  for (int i = 0; i < count; i++)
    t->unknown[t->count++] = quantity[i];
  for (int i = 0; i < t->inners; i++)
    t->unknown[t->count++] = VD_TRIM_INNER + i;
  t->rowed = rowed;
  t->has_inverse = false;
}

int vd_trim_index(const vd_trim *t, int quantity) {
  for (int i = 0; i < t->count; i++)
    if (t->unknown[i] == quantity)
      return i;
  return -1;
}

/* --- the state of given quantities --- */

static void set_command(vd_trim *t) {
  const double *z = t->z;
  vd_command *c = &t->c;
  if (c->steer != z[VD_TRIM_STEER]) {
    c->steer = c->hand = z[VD_TRIM_STEER];
    vd_command_set_angles(t->m, c);
  }
  c->throttle = z[VD_TRIM_PEDAL] > 0.0 ? z[VD_TRIM_PEDAL] / t->full_drive : 0.0;
  c->brake = z[VD_TRIM_PEDAL] < 0.0 ? -z[VD_TRIM_PEDAL] / t->full_brake : 0.0;
}

/* Computes the directions T, N and Z (trim.h) in body axes. */
static void find_axes(vd_trim *t) {
  const vd_ground *g = &t->m->ground;
  if (t->m->options.level < VD_L3) {
    double cosine = vd_cos(t->z[VD_TRIM_SIDE_SLIP]), sine = vd_sin(t->z[VD_TRIM_SIDE_SLIP]);
    t->path[0] = t->left[1] = cosine;
    t->path[1] = sine;
    t->left[0] = -sine;
    t->up[2] = 1.0;
    return;
  }
  vd_frame f;
  double unused[2] = {0.0, 0.0};
  vd_frame_from_angles(t->m, t->s.x, unused, &f);
  for (int j = 0; j < 3; j++) {
    t->path[j] = t->left[j] = t->up[j] = 0.0;
    for (int i = 0; i < 3; i++) {
      t->path[j] += f.to_world[i][j] * g->along[i];
      t->left[j] += f.to_world[i][j] * g->across[i];
      t->up[j] += f.to_world[i][j] * g->normal[i];
    }
  }
}

static void set_velocities(vd_trim *t, double turn) {
  double *x = t->s.x;
  x[VD_S_VX] = t->speed * t->path[0];
  x[VD_S_VY] = t->speed * t->path[1];
  x[VD_S_YAW_RATE] = turn * t->up[2];
  if (t->m->options.level < VD_L3)
    return;
  x[VD_S_VZ] = t->speed * t->path[2];
  x[VD_S_ROLL_RATE] = turn * t->up[0];
  x[VD_S_PITCH_RATE] = turn * t->up[1];
}

/* Sets the spins. The quantity of a spin is approximately the slip ratio. */
static void set_spins(vd_trim *t, double turn) {
  const vd_lanes *l = &t->m->lanes;
  const double *z = t->z + VD_TRIM_INNER, *u = t->s.x;
  for (int i = 0; i < l->count; i++) {
    double ahead = u[VD_S_VX] - turn * l->y[i], aside = u[VD_S_VY] + turn * l->x[i];
    double rolling = ahead * t->c.cos_angle[i] + aside * t->c.sin_angle[i];
    t->s.x[VD_S_SPIN + i] = (1.0 + z[i]) * rolling / l->radius[i];
  }
}

static double set_state(vd_trim *t) {
  const double *z = t->z;
  double reach = z[VD_TRIM_REACH], turned = t->body_axes ? z[VD_TRIM_SIDE_SLIP] : 0.0;
  double cosine = vd_cos(turned), sine = vd_sin(turned);
  t->accel[0] = z[VD_TRIM_ALONG] + (t->ray[0] * cosine + t->ray[1] * sine) * reach;
  t->accel[1] = z[VD_TRIM_ACROSS] + (t->ray[1] * cosine - t->ray[0] * sine) * reach;
  double turn = isnan(t->turn_rate) ? t->accel[1] / t->speed : t->turn_rate;
  set_command(t);
  t->s.x[VD_S_YAW] = -z[VD_TRIM_SIDE_SLIP]; /* the path is along the first axis of the road */
  if (t->m->steering)
    vd_steered_start(t->m, &t->c, t->speed, &t->s);
  for (int i = 0; i < t->inners; i++) {
    int state = t->inner[i].state;
    if (!is_spin(state))
      t->s.x[state] = (state == VD_S_GEAR ? t->s.x[state] : t->inner[i].base) + z[VD_TRIM_INNER + i];
  }
  find_axes(t);
  set_velocities(t, turn);
  set_spins(t, turn);
  return turn;
}

/* --- the equations --- */

/* Makes the speeds of the two shafts of a sticking coupling agree in the solution. The coupling itself makes only the
 * accelerations agree. Therefore the slip speed times a stiffness is added to the equation of one shaft. */
static void hold_shafts(vd_trim *t, double *rate) {
  static const int shaft[VD_COUPLINGS] = {[VD_M_FRONT] = VD_FR, [VD_M_REAR] = VD_RR, [VD_M_CENTRE] = VD_FL};
  const double stiffness = 100.0; /* 1/s */
  const vd_model *m = t->m;
  for (int k = VD_M_CLUTCH; k < VD_COUPLINGS && m->coupled; k++) {
    if (t->s.mode[k] != 0.0 || !(t->e.drive.coupling_capacity[k] > 0.0))
      continue;
    int state = k == VD_M_CLUTCH ? (int)VD_S_MOTOR : VD_S_SPIN + shaft[k];
    rate[state] += stiffness * t->e.drive.coupling_slip[k];
  }
}

/* Replaces the rates by their deviations from the rates of a steady state. */
static void deviations(const vd_trim *t, double turn, double *rate) {
  static const int speed[3] = {VD_S_VX, VD_S_VY, VD_S_VZ};
  for (int k = 0; k < (t->m->options.level < VD_L3 ? 2 : 3); k++)
    rate[speed[k]] -= t->accel[0] * t->path[k] + (t->accel[1] - turn * t->speed) * t->left[k] + t->upward * t->up[k];
  double growth = t->accel[0] / t->speed;
  for (int i = 0; i < t->m->lanes.count; i++)
    rate[VD_S_SPIN + i] -= growth * t->s.x[VD_S_SPIN + i];
  if (t->m->motor_shaft)
    rate[VD_S_MOTOR] -= growth * t->s.x[VD_S_MOTOR];
}

static void fill_residual(vd_trim *t) {
  int n = 0;
  t->residual[n++] = t->weight[0] * t->dx[VD_S_VX];
  t->residual[n++] = t->weight[1] * t->dx[VD_S_VY];
  if (!t->turns)
    t->residual[n++] = t->weight[2] * t->dx[VD_S_YAW_RATE];
  for (int i = 0; i < t->inners; i++)
    t->residual[n++] = t->inner[i].weight * t->dx[t->inner[i].rate];
  if (!t->rowed)
    return;
  double sum = -t->advance;
  for (int i = 0; i < t->count; i++)
    sum += t->row[i] * (t->z[t->unknown[i]] / t->scale[t->unknown[i]] - t->from[i]);
  t->residual[n] = sum;
}

bool vd_trim_evaluate(vd_trim *t) {
  double turn = set_state(t);
  t->evaluations++;
  if (!vd_model_rates(t->m, &t->c, t->s.x, t->s.mode, &t->e, t->dx))
    return false;
  deviations(t, turn, t->dx);
  hold_shafts(t, t->dx);
  fill_residual(t);
  return true;
}

double vd_trim_error(const vd_trim *t) {
  double worst = vd_max(fabs(t->dx[VD_S_VX]), fabs(t->dx[VD_S_VY]));
  if (!t->turns)
    worst = vd_max(worst, fabs(t->dx[VD_S_YAW_RATE]));
  for (int i = 0; i < t->inners; i++)
    worst = vd_max(worst, fabs(t->dx[t->inner[i].rate]));
  return worst;
}

/* --- Newton's method --- */

static double norm_of(const vd_trim *t) {
  double worst = 0.0;
  for (int i = 0; i < t->count; i++)
    worst = !(fabs(t->residual[i]) <= worst) ? fabs(t->residual[i]) : worst;
  return worst;
}

double vd_trim_residual(const vd_trim *t) {
  return norm_of(t);
}

/* Lets the next evaluations of the model start from the results of this evaluation. */
static void keep(vd_trim *t) {
  if (vd_model_keeps(t->m))
    vd_model_keep(t->m, &t->c, &t->e, t->s.mode);
}

bool vd_trim_renew(vd_trim *t) {
  const double h = 1e-6;
  enum { N = VD_TRIM_QUANTITIES };
  double base[N], matrix[N * N];
  size_t order[N], n = (size_t)t->count;
  memcpy(base, t->residual, sizeof base);
  keep(t);
  for (size_t j = 0; j < n; j++) {
    double *z = &t->z[t->unknown[j]], before = *z;
    double step = copysign(h, before); /* the mirror image of a state gets the mirror image of the step */
    *z += step * t->scale[t->unknown[j]];
    bool good = vd_trim_evaluate(t);
    *z = before;
    if (!good)
      return false;
    for (size_t i = 0; i < n; i++)
      matrix[i * n + j] = (t->residual[i] - base[i]) / step;
  }
  if (t->rowed)
    memcpy(&matrix[(n - 1) * n], t->row, n * sizeof *t->row);
  if (!vd_trim_evaluate(t))
    return false;
  memset(t->inverse, 0, n * n * sizeof *t->inverse);
  for (size_t i = 0; i < n; i++)
    t->inverse[i * n + i] = 1.0;
  vd_lu_factorise(matrix, n, order);
  vd_lu_solve_all(matrix, order, n, n, n, t->inverse);
  double sum = 0.0;
  for (size_t i = 0; i < n * n; i++)
    sum += fabs(t->inverse[i]);
  t->has_inverse = isfinite(sum) != 0;
  return t->has_inverse;
}

static void multiply(const vd_trim *t, const double *v, double *out) {
  for (int i = 0; i < t->count; i++) {
    out[i] = 0.0;
    for (int j = 0; j < t->count; j++)
      out[i] += t->inverse[i * t->count + j] * v[j];
  }
}

/* Adds column (row inverse)/divisor to the inverse. */
static void rank_one(vd_trim *t, const double *column, const double *row, double divisor) {
  double product[VD_TRIM_QUANTITIES];
  for (int j = 0; j < t->count; j++)
    product[j] = 0.0;
  for (int i = 0; i < t->count; i++)
    for (int j = 0; j < t->count; j++)
      product[j] += row[i] * t->inverse[i * t->count + j];
  for (int i = 0; i < t->count; i++)
    for (int j = 0; j < t->count; j++)
      t->inverse[i * t->count + j] += column[i] * product[j] / divisor;
}

/* Makes Broyden's update of the inverse after a step that changed the residual by `change' (Broyden 1965). */
static void update(vd_trim *t, const double *step, const double *change) {
  double by[VD_TRIM_QUANTITIES], rest[VD_TRIM_QUANTITIES], divisor = 0.0, size = 0.0;
  multiply(t, change, by);
  for (int i = 0; i < t->count; i++) {
    rest[i] = step[i] - by[i];
    divisor += step[i] * by[i];
    size += step[i] * step[i];
  }
  if (fabs(divisor) > 0.1 * size)
    rank_one(t, rest, step, divisor);
}

/* Takes a step, scaled by `share'. Returns the norm of the residual after the step. */
static double try_step(vd_trim *t, const double *from, const double *step, double share) {
  for (int i = 0; i < t->count; i++)
    t->z[t->unknown[i]] = from[i] + share * step[i] * t->scale[t->unknown[i]];
  return vd_trim_evaluate(t) ? norm_of(t) : INFINITY;
}

/* The iteration of Newton's method. */
typedef struct iteration {
  double norm; /* of the residual */
  bool fresh;  /* the Jacobian is that of the present point */
  /* a new Jacobian hardly helped near the solution: its differences are longer than a bend of the tyres at zero slip */
  bool dull;
} iteration;

/* Makes one step of the iteration; false: no step reduces the residual. */
static bool iterate(vd_trim *t, iteration *it) {
  enum { HALVINGS = 4 };
  const double longest = 1.0, half = 0.5, enough = it->fresh || it->dull ? 1.0 : half;
  double step[VD_TRIM_QUANTITIES], from[VD_TRIM_QUANTITIES], before[VD_TRIM_QUANTITIES], change[VD_TRIM_QUANTITIES];
  memcpy(before, t->residual, sizeof before);
  multiply(t, before, step);
  double most = 0.0;
  for (int i = 0; i < t->count; i++) {
    from[i] = t->z[t->unknown[i]];
    most = vd_max(most, fabs(step[i]));
  }
  double share = most > longest ? longest / most : 1.0;
  for (int i = 0; i < t->count; i++)
    step[i] *= -share;
  double next = try_step(t, from, step, 1.0), part = 1.0;
  for (int k = 0; k < HALVINGS && it->fresh && !(next < it->norm); k++)
    next = try_step(t, from, step, part *= 0.5);
  if (!(next < enough * it->norm)) {
    double back = try_step(t, from, step, 0.0);
    if (it->fresh || !(back < INFINITY) || !vd_trim_renew(t))
      return false;
    it->fresh = true;
    return true;
  }
  for (int i = 0; i < t->count; i++) {
    step[i] *= part;
    change[i] = t->residual[i] - before[i];
  }
  keep(t);
  update(t, step, change);
  it->dull = it->dull || (it->fresh && it->norm < vd_trim_passing && !(next < half * it->norm));
  it->fresh = false;
  it->norm = next;
  return true;
}

/* Lets a differential slip if its friction is exceeded, and stick if its slip has changed its sign. True: a
 * differential has changed. */
static bool switch_differentials(vd_trim *t) {
  bool changes = false;
  for (int k = VD_M_FRONT; k <= VD_M_CENTRE && t->m->coupled; k++) {
    double *mode = &t->s.mode[k], capacity = t->e.drive.coupling_capacity[k], torque = t->e.drive.coupling_torque[k];
    if (t->m->shafts.permanent[k] || !(capacity > 0.0))
      continue;
    double now = *mode != 0.0              ? (*mode * t->e.drive.coupling_slip[k] < 0.0 ? 0.0 : *mode)
                 : fabs(torque) > capacity ? copysign(1.0, -torque)
                                           : 0.0;
    changes |= now != *mode;
    *mode = now;
  }
  return changes;
}

/* Evaluates until the wheel loads agree with the tyre forces to rounding. At L1 and L2 a single evaluation leaves a
 * difference of 1e-11 of the weight; each further evaluation starts from the loads that are computed from the last
 * forces. */
static bool settle(vd_trim *t) {
  enum { ROUNDS = 4 };
  const vd_model *m = t->m;
  double load[VD_WHEELS];
  for (int round = 0; round < ROUNDS && m->options.level < VD_L3 && vd_model_keeps(m); round++) {
    keep(t);
    if (m->lanes.count == VD_WHEELS)
      vd_load_wheels(&m->balance, t->e.loop.sum, t->e.outside.downforce, load, NULL);
    else
      vd_load_axles(&m->balance, t->e.loop.sum, t->e.outside.downforce, load, NULL);
    memcpy(t->s.mode + VD_M_LOAD, load, (size_t)m->lanes.count * sizeof *load);
    if (!vd_trim_evaluate(t))
      return false;
  }
  return true;
}

/* Makes further steps from an exact solution, until the rates equal the rates of a steady state to rounding. */
static void refine(vd_trim *t) {
  enum { ROUNDS = 8 };
  const double still = 5e-10; /* m/s2, rad/s2 */
  double step[VD_TRIM_QUANTITIES], from[VD_TRIM_QUANTITIES], best[VD_TRIM_QUANTITIES], least = INFINITY;
  for (int round = 0; round < ROUNDS && vd_trim_error(t) > still && settle(t); round++) {
    double error = vd_trim_error(t), before = least;
    if (error < least) {
      memcpy(best, t->z, sizeof best);
      least = error;
    }
    if (error <= still || (!(error < 0.5 * before) && !vd_trim_renew(t)))
      break;
    multiply(t, t->residual, step);
    for (int i = 0; i < t->count; i++) {
      from[i] = t->z[t->unknown[i]];
      step[i] = -step[i];
    }
    try_step(t, from, step, 1.0);
  }
  if (vd_trim_error(t) <= least)
    return;
  memcpy(t->z, best, sizeof best);
  vd_trim_evaluate(t);
  settle(t);
}

static bool solve(vd_trim *t, double tolerance) {
  enum { ROUNDS = 40, RENEWALS = 6 }; /* RENEWALS: a converging iteration needs few Jacobians */
  int renewals = 0;
  if (!vd_trim_evaluate(t))
    return false;
  iteration it = {.norm = norm_of(t)};
  if (!t->has_inverse) {
    if (!vd_trim_renew(t))
      return false;
    it.fresh = true;
  }
  for (int round = 0; round < ROUNDS; round++) {
    if (it.norm <= tolerance) {
      if (tolerance <= vd_trim_exact)
        refine(t);
      return true;
    }
    if (!iterate(t, &it) || (renewals += it.fresh) > RENEWALS)
      return false;
  }
  return it.norm <= tolerance;
}

bool vd_trim_solve(vd_trim *t, double tolerance) {
  enum { ROUNDS = 4 };
  for (int round = 0; round < ROUNDS; round++) {
    if (!solve(t, tolerance))
      return false;
    if (!switch_differentials(t))
      return true;
    t->has_inverse = false;
  }
  return solve(t, tolerance);
}

/* --- curves of solutions --- */

void vd_trim_row(vd_trim *t, const double *row, double advance) {
  double change[VD_TRIM_QUANTITIES], column[VD_TRIM_QUANTITIES], divisor = 1.0;
  int n = t->count;
  t->advance = advance;
  for (int i = 0; i < n; i++) {
    change[i] = row[i] - t->row[i];
    column[i] = -t->inverse[i * n + n - 1];
    divisor -= change[i] * column[i];
    t->from[i] = t->z[t->unknown[i]] / t->scale[t->unknown[i]];
  }
  if (t->has_inverse && fabs(divisor) > 1e-6)
    rank_one(t, column, change, divisor);
  else
    t->has_inverse = false;
  memcpy(t->row, row, (size_t)n * sizeof *row);
}

void vd_trim_tangent(const vd_trim *t, double *direction) {
  int n = t->count;
  double size = 0.0;
  for (int i = 0; i < n; i++) {
    direction[i] = t->inverse[i * n + n - 1];
    size += direction[i] * direction[i];
  }
  for (int i = 0; i < n; i++)
    direction[i] /= sqrt(size);
}

/* --- mirror image --- */

bool vd_trim_mirror(vd_trim *t) {
  static const int turned[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_ACROSS};
  for (size_t i = 0; i < VD_COUNT(turned); i++)
    t->z[turned[i]] = -t->z[turned[i]];
  t->ray[1] = -t->ray[1];
  for (int i = 0; i < t->inners; i++) {
    int state = t->inner[i].state;
    bool next = i + 1 < t->inners && t->inner[i + 1].state == state + 1;
    bool by_wheel =
        t->m->lanes.count == VD_WHEELS && (is_spin(state) || (state >= VD_S_TRAVEL && state <= VD_S_TRAVEL_LAST));
    double *z = &t->z[VD_TRIM_INNER + i];
    if (by_wheel && next) {
      double kept = z[0];
      z[0] = z[1];
      z[1] = kept;
      i++;
    } else if (state == VD_S_ROLL || state == VD_S_GEAR) {
      *z = -*z;
    }
  }
  for (int k = VD_M_FRONT; k <= VD_M_REAR; k++)
    t->s.mode[k] = 0.0 - t->s.mode[k]; /* in the mirror image differentials slip in the opposite sense */
  vd_model_forget(t->s.mode);
  return vd_trim_evaluate(t);
}
