#include "model/planar.h"

#include "base/elementary.h"
#include "model/lanes.h"
#include "model/train.h"

#include <math.h>

/* The loops over wheels are unrolled only if everything is inlined into one function. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* residual of the load loop, share of the weight; a tenth of the documented bound */
static const double load_tolerance = 1e-11;
enum { NEWTON_PASSES = 60, SURE_PASSES = 4, RELAXED_PASSES = 4000 };
/* a Newton step is not halved below this share */
#define LEAST_SHARE 0.005

/* Sums that move the loads: a single track has no roll. The enum's order puts its two first. */
static inline int load_sums(int n) {
  return n == 4 ? VD_LOAD_SUMS : VD_SUM_PITCH + 1;
}

/* Gravity along the slope in body axes. */
static inline void slope_pull(const vd_model *m, double cosine, double sine, vd_eval *restrict e) {
  double along = m->ground.pull_along, across = m->ground.pull_across;
  e->pull_x = along * cosine + across * sine;
  e->pull_y = across * cosine - along * sine;
}

static double friction_at(const vd_model *m, const double *x, double cosine, double sine, double ahead, double left) {
  double px, py;
  double along = x[VD_S_ALONG] + cosine * ahead - sine * left, across = x[VD_S_ACROSS] + sine * ahead + cosine * left;
  vd_model_plan(m, along, across, &px, &py);
  return vd_ground_friction(&m->ground, px, py);
}

/* Friction of the ground under every lane; a single track takes the mean of both sides. */
static inline void ground_friction(int n, const vd_model *m, const double *x, double cosine, double sine,
                                   vd_eval *restrict e) {
  for (int i = 0; i < n; i++) {
    e->friction[i] = m->ground.friction;
    if (!m->patches)
      continue;
    double ahead = m->lanes.x[i], left = m->lanes.y[i], half = 0.5 * m->vehicle.axle[n == 4 ? i / 2 : i].track;
    if (n == 4)
      e->friction[i] = friction_at(m, x, cosine, sine, ahead, left);
    else
      e->friction[i] =
          0.5 * (friction_at(m, x, cosine, sine, ahead, half) + friction_at(m, x, cosine, sine, ahead, -half));
  }
}

static inline void contact_velocities(int n, const vd_model *m, const vd_command *c, const double *x,
                                      vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  double vx = x[VD_S_VX], vy = x[VD_S_VY], r = x[VD_S_YAW_RATE];
  e->vx = vx;
  e->vy = vy;
  e->yaw_rate = r;
  for (int i = 0; i < n; i++) {
    double bx = vx - r * lanes->y[i], by = vy + r * lanes->x[i];
    e->omega[i] = x[VD_S_SPIN + i];
    e->vx_contact[i] = bx * c->cos_angle[i] + by * c->sin_angle[i];
    e->vy_contact[i] = by * c->cos_angle[i] - bx * c->sin_angle[i];
  }
}

static void turn_slips(const vd_model *m, const vd_command *c, const double *x, vd_eval *e) {
  double turning[VD_WHEELS];
  for (int i = 0; i < m->lanes.count; i++)
    turning[i] = e->yaw_rate + c->angle_rate[i];
  vd_turn_slips(m, x, turning, e);
}

/* Input of the load loop: all that does not depend on the loads. */
typedef struct problem {
  const vd_model *m;
  const vd_command *c;
  const double *x;
  vd_slide_row slide;
  double rolling[VD_WHEELS]; /* m: moment of the rolling resistance over the load */
  double gyro[VD_WHEELS];    /* N m, of the wheel that is steered or yaws */
  vd_train train;            /* coupled shafts only */
} problem;

/* Torque of the tyre and of a slipping brake on each wheel, to be added to those of the train. */
static inline void wheel_torques(int n, const problem *p, const double *mode, const vd_eval *restrict e,
                                 double *torque) {
  for (int i = 0; i < n; i++)
    torque[i] = e->my[i] - e->fx[i] * p->m->lanes.radius[i] - mode[i] * e->brake_capacity[i];
}

/* Net torque on each wheel's spin, inertia x acceleration, and its derivative by a torque on the wheel (0 locked, 1
 * free). */
static inline void spins(int n, bool coupled, const problem *p, const double *mode, vd_eval *restrict e, double *net,
                         double *free_share) {
  const vd_lanes *lanes = &p->m->lanes;
  if (coupled) {
    double torque[VD_WHEELS], accel[VD_SHAFTS];
    wheel_torques(n, p, mode, e, torque);
    vd_train_accelerate(&p->train, n, torque, accel);
    for (int i = 0; i < n; i++) {
      e->spin_accel[i] = accel[i];
      net[i] = lanes->inertia[i] * accel[i];
      free_share[i] = lanes->inertia[i] * p->train.solved.accel[i][i];
    }
    return;
  }
  for (int i = 0; i < n; i++) {
    bool locked = mode[i] == 0.0;
    e->spin_torque[i] = e->drive_torque[i] - e->fx[i] * lanes->radius[i] + e->my[i];
    net[i] = locked ? 0.0 : e->spin_torque[i] - mode[i] * e->brake_capacity[i];
    free_share[i] = locked ? 0.0 : 1.0;
    e->spin_accel[i] = net[i] * lanes->inverse_inertia[i];
  }
}

/* L1 with two tyres in a lane: the lanes' quantities, for each tyre of the row; and the means. */
static void both_have(const double *lane, double *row) {
  row[0] = row[1] = lane[0];
  row[2] = row[3] = lane[1];
}

static void means(const double *row, double *lane) {
  lane[0] = 0.5 * (row[0] + row[1]);
  lane[1] = 0.5 * (row[2] + row[3]);
}

/* L1: an axle whose two tyres differ, or are mirror images of each other, has the mean of their forces. */
static void mean_of_sides(problem *p, const vd_eval *e, const double *load, vd_tyre_forces *tf) {
  vd_tyre_forces each = {.mx = {0.0}}; /* only some tyres have moments and rates */
  double friction[VD_WHEELS], loads[VD_WHEELS];
  both_have(e->friction, friction);
  both_have(load, loads);
  vd_tyre_force(&p->m->lanes.row, &p->slide, friction, loads, &each);
  means(each.fx, tf->fx);
  means(each.fy, tf->fy);
  means(each.dfx, tf->dfx);
  means(each.dfy, tf->dfy);
  means(each.mx, tf->mx);
  means(each.my, tf->my);
  means(each.rate_x, tf->rate_x);
  means(each.rate_y, tf->rate_y);
  means(each.damped, tf->damped);
}

/* Quantities that only some tyres have: moments of their own, deflection rates from the tyre model. */
static void keep_more(int n, const problem *p, const vd_tyre_forces *tf, vd_eval *restrict e) {
  const vd_lanes *lanes = &p->m->lanes;
  int sides = n == 2 && lanes->paired ? 2 : 1; /* of one kind in a lane */
  for (int i = 0; i < n; i++) {
    if (lanes->moments) {
      e->my[i] += lanes->wheels * tf->my[i];
      e->mx[i] = lanes->wheels * tf->mx[i];
    }
    if (p->slide.bristles && p->slide.each[sides * i].bristles) {
      e->deflection_rate_x[i] = tf->rate_x[i];
      e->deflection_rate_y[i] = tf->rate_y[i];
      e->damped[i] = lanes->wheels * tf->damped[i];
    }
  }
}

/* Forces, spin accelerations and the five sums at the loads in e->load; slope[i] is d(sums)/d(load i) if requested. */
static ALWAYS_INLINE void forces_at_loads(int n, bool coupled, problem *p, const double *mode, vd_eval *restrict e,
                                          double (*slope)[VD_LOAD_SUMS]) {
  const vd_model *m = p->m;
  const vd_command *c = p->c;
  const vd_lanes *lanes = &m->lanes;
  double per_tyre[VD_WHEELS], term[VD_LOAD_SUMS][VD_WHEELS], net[VD_WHEELS], free_share[VD_WHEELS];
  vd_tyre_forces tf;
  for (int i = 0; i < n; i++)
    per_tyre[i] = e->load[i] * lanes->tyre_share;
  for (int i = 0; i < n && lanes->moments; i++)
    tf.mx[i] = tf.my[i] = 0.0; /* only some tyres have them */
  if (n == 2 && lanes->paired)
    mean_of_sides(p, e, per_tyre, &tf);
  else
    vd_tyre_force(&lanes->row, &p->slide, e->friction, per_tyre, &tf);
  for (int i = 0; i < n; i++) {
    e->fx[i] = lanes->wheels * tf.fx[i];
    e->fy[i] = lanes->wheels * tf.fy[i];
    e->my[i] = p->rolling[i] * e->load[i];
  }
  if (lanes->moments || m->transient)
    keep_more(n, p, &tf, e);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(n, m, p->x, e);
  spins(n, coupled, p, mode, e, net, free_share);

  for (int i = 0; i < n; i++) {
    double cosine = c->cos_angle[i], sine = c->sin_angle[i];
    double about_axle = net[i] - e->my[i], upright = p->gyro[i] + e->mx[i];
    term[VD_SUM_X][i] = e->fx[i] * cosine - e->fy[i] * sine;
    term[VD_SUM_YF][i] = e->fx[i] * sine + e->fy[i] * cosine;
    term[VD_SUM_PITCH][i] = about_axle * cosine - upright * sine;
    term[VD_SUM_ROLL][i] = about_axle * sine + upright * cosine;
    if (slope) {
      double rolling = p->rolling[i]; /* that of mf itself is not in the slopes */
      double dspin = free_share[i] * (rolling - tf.dfx[i] * lanes->radius[i]) - rolling;
      slope[i][VD_SUM_X] = tf.dfx[i] * cosine - tf.dfy[i] * sine;
      double dy = tf.dfx[i] * sine + tf.dfy[i] * cosine;
      slope[i][VD_SUM_YF] = i < n / 2 ? dy : 0.0;
      slope[i][VD_SUM_YR] = i < n / 2 ? 0.0 : dy;
      slope[i][VD_SUM_PITCH] = dspin * cosine;
      slope[i][VD_SUM_ROLL] = dspin * sine;
    }
  }
  e->sum[VD_SUM_X] = vd_lane_sum(n, term[VD_SUM_X]) - e->drag;
  e->sum[VD_SUM_PITCH] = vd_lane_sum(n, term[VD_SUM_PITCH]);
  e->sum[VD_SUM_YF] = vd_axle_sum(n, term[VD_SUM_YF], VD_FRONT);
  e->sum[VD_SUM_YR] = vd_axle_sum(n, term[VD_SUM_YF], VD_REAR);
  e->sum[VD_SUM_ROLL] = vd_lane_sum(n, term[VD_SUM_ROLL]);
}

static void limited_loads(int n, const vd_model *m, const double *sum, const double *downforce, double *load) {
  if (n == 4)
    vd_load_wheels(&m->balance, sum, downforce, load, NULL);
  else
    vd_load_axles(&m->balance, sum, downforce, load, NULL);
}

/* Loads that follow from the sums; true if a wheel is at zero, where the affine map ends. Sums along the car change the
 * loads of front and rear, sums across it those of left and right. */
static inline bool loads_from_sums(int n, const vd_model *m, const vd_eval *restrict e, double q, double *load) {
  double mode[VD_WHEELS];
  bool lifted = false;
  for (int i = 0; i < VD_AXLES; i++)
    mode[i] = m->load_base[i] + q * m->load_aero[i] + m->load_matrix[i][VD_SUM_X] * e->sum[VD_SUM_X] +
              m->load_matrix[i][VD_SUM_PITCH] * e->sum[VD_SUM_PITCH];
  for (int i = VD_AXLES; i < n; i++)
    mode[i] = m->load_matrix[i][VD_SUM_YF] * e->sum[VD_SUM_YF] + m->load_matrix[i][VD_SUM_YR] * e->sum[VD_SUM_YR] +
              m->load_matrix[i][VD_SUM_ROLL] * e->sum[VD_SUM_ROLL];
  vd_wheels_from_modes(n, mode, load);
  for (int i = 0; i < n; i++)
    lifted |= !(load[i] >= 0.0);
  if (lifted)
    limited_loads(n, m, e->sum, e->downforce, load);
  return lifted;
}

/* d(load modes)/d(sums) with a wheel at zero, by differences: the map is piecewise affine. The step goes outward, so
 * that a mirrored car takes the mirrored step. */
static void lifted_matrix(int n, const vd_model *m, const vd_eval *restrict e, const double *load,
                          double matrix[][VD_LOAD_SUMS]) {
  double here[VD_WHEELS];
  vd_modes_from_wheels(n, load, here);
  for (int k = 0; k < VD_LOAD_SUMS; k++) {
    double sum[VD_LOAD_SUMS], moved[VD_WHEELS], there[VD_WHEELS];
    double step = copysign(1e-6 * m->balance.weight, e->sum[k]);
    for (int j = 0; j < VD_LOAD_SUMS; j++)
      sum[j] = e->sum[j] + (j == k ? step : 0.0);
    limited_loads(n, m, sum, e->downforce, moved);
    vd_modes_from_wheels(n, moved, there);
    for (int i = 0; i < n; i++)
      matrix[i][k] = (there[i] - here[i]) / step;
  }
}

/* d(sums)/d(load modes) from d(sums)/d(wheel loads), in place. */
static inline void slope_by_modes(int n, double (*slope)[VD_LOAD_SUMS]) {
  if (n != 4)
    return;
  for (int k = 0; k < VD_LOAD_SUMS; k++) {
    double fl = slope[VD_FL][k], fr = slope[VD_FR][k], rl = slope[VD_RL][k], rr = slope[VD_RR][k];
    slope[0][k] = fr + fl;
    slope[1][k] = rr + rl;
    slope[2][k] = fr - fl;
    slope[3][k] = rr - rl;
  }
}

/* LU factors of I - matrix slope without pivoting (its diagonal is near one), the diagonal inverted; false if a pivot
 * vanishes. */
static inline bool factor(int n, const double *matrix, double (*slope)[VD_LOAD_SUMS], double (*lu)[VD_WHEELS]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = 0.0;
      for (int k = 0; k < load_sums(n); k++)
        a += matrix[i * VD_LOAD_SUMS + k] * slope[j][k];
      lu[i][j] = (i == j ? 1.0 : 0.0) - a;
    }
  for (int k = 0; k < n; k++) {
    if (!(fabs(lu[k][k]) > 1e-6))
      return false;
    lu[k][k] = 1.0 / lu[k][k];
    for (int i = k + 1; i < n; i++) {
      lu[i][k] *= lu[k][k];
      for (int j = k + 1; j < n; j++)
        lu[i][j] -= lu[i][k] * lu[k][j];
    }
  }
  return true;
}

/* Newton's correction of the wheel loads for their residuals, in place. */
static inline void solve(int n, double (*lu)[VD_WHEELS], double *residual) {
  double b[VD_WHEELS];
  vd_modes_from_wheels(n, residual, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= lu[i][j] * b[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= lu[i][j] * b[j];
    b[i] *= lu[i][i];
  }
  vd_wheels_from_modes(n, b, residual);
}

/* The last resort where Newton's method fails at kinks: plain iteration with half steps. It converges if the change of
 * forces by loads times that of loads by forces is below one: slowly near a car that tips, and not beyond, where a
 * balance need not exist or is not unique. */
static bool relax(int n, bool coupled, problem *p, const double *mode, vd_eval *restrict e, double q) {
  const vd_model *m = p->m;
  for (int pass = 0; pass < RELAXED_PASSES; pass++) {
    double load[VD_WHEELS], worst = 0.0;
    forces_at_loads(n, coupled, p, mode, e, NULL);
    loads_from_sums(n, m, e, q, load);
    for (int i = 0; i < n; i++)
      worst += fabs(load[i] - e->load[i]);
    e->passes++;
    e->residual = worst;
    if (worst <= load_tolerance * m->balance.weight)
      return true;
    for (int i = 0; i < n; i++)
      e->load[i] = 0.5 * (e->load[i] + load[i]);
  }
  return false;
}

/* First guess of the sums: cornering at vx r, driving by the motor alone. */
static inline void guess_sums(int n, const vd_model *m, vd_eval *restrict e) {
  double lateral = m->balance.mass * e->vx * e->yaw_rate;
  for (int k = 0; k < VD_LOAD_SUMS; k++)
    e->sum[k] = 0.0;
  for (int i = 0; i < n; i++)
    e->sum[VD_SUM_X] += e->drive_torque[i] / m->lanes.radius[i];
  e->sum[VD_SUM_YF] = lateral * m->vehicle.masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  e->sum[VD_SUM_YR] = lateral * m->vehicle.masses.to_axle[VD_FRONT] / m->vehicle.wheelbase;
}

/* Newton's matrix at the present loads, factored; `target` are the loads that follow from the sums. */
static inline bool newton_matrix(int n, const vd_model *m, const vd_eval *restrict e, bool lifted, const double *target,
                                 double (*slope)[VD_LOAD_SUMS], double (*lu)[VD_WHEELS]) {
  double local[VD_WHEELS][VD_LOAD_SUMS];
  slope_by_modes(n, slope);
  if (lifted)
    lifted_matrix(n, m, e, target, local);
  return factor(n, lifted ? local[0] : m->load_matrix[0], slope, lu);
}

/* Solves loads(forces(loads)) = loads by Newton's method from scratch in every evaluation, so that the result does not
 * depend on an earlier one. The matrix is factored in the first two passes and later only if a pass reduces the
 * residual by less than a factor 10. A step that does not reduce it, because it crosses a kink, is halved. */
static ALWAYS_INLINE bool close_loads(int n, bool coupled, problem *p, const double *mode, vd_eval *restrict e) {
  const vd_model *m = p->m;
  double q = e->vx * e->vx, before = INFINITY, share = 1.0, tolerance = load_tolerance * m->balance.weight;
  double slope[VD_WHEELS][VD_LOAD_SUMS], lu[VD_WHEELS][VD_WHEELS], target[VD_WHEELS];
  double from[VD_WHEELS] = {0.0}, step[VD_WHEELS] = {0.0}; /* the last step and its starting point */
  bool ready = false;
  guess_sums(n, m, e);
  loads_from_sums(n, m, e, q, e->load);

  for (e->passes = 1; e->passes <= NEWTON_PASSES; e->passes++) {
    bool fresh = !ready;
    forces_at_loads(n, coupled, p, mode, e, fresh ? slope : NULL);
    bool lifted = loads_from_sums(n, m, e, q, target);
    e->residual = 0.0;
    for (int i = 0; i < n; i++)
      e->residual += fabs(target[i] - e->load[i]); /* a sum, because fmax would lose a NaN */
    if (e->residual <= tolerance)
      return true;
    if (!(e->residual < INFINITY))
      return false;
    if (e->passes > SURE_PASSES && e->residual >= before && share > LEAST_SHARE) {
      share *= 0.5;
    } else {
      if (fresh && !newton_matrix(n, m, e, lifted, target, slope, lu))
        break;
      for (int i = 0; i < n; i++) {
        from[i] = e->load[i];
        step[i] = target[i] - e->load[i];
      }
      solve(n, lu, step);
      /* the first matrix is made far from the solution, the second near enough for the rest */
      ready = e->passes >= p->m->sure_passes && (fresh || e->residual < 0.1 * before);
      before = e->residual;
      share = 1.0;
    }
    for (int i = 0; i < n; i++)
      e->load[i] = vd_most(from[i] + share * step[i], 0.0);
  }
  return relax(n, coupled, p, mode, e, q);
}

/* Power of each kind of work; together they are the rate of the total energy, term by term of the equations of motion:
 * contact forces work with the velocity of the tread relative to the road, moments with the spin or the yaw rate. */
static inline void ledger(int n, const problem *p, const double *mode, const vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  double drive[VD_WHEELS], brake[VD_WHEELS], tyre[VD_WHEELS], rolling[VD_WHEELS];
  for (int i = 0; i < n; i++) {
    drive[i] = e->drive_torque[i] * e->omega[i];
    brake[i] = -mode[i] * e->brake_capacity[i] * e->omega[i];
    tyre[i] = e->fx[i] * (e->vx_contact[i] - m->lanes.radius[i] * e->omega[i]) + e->fy[i] * e->vy_contact[i] +
              e->mz[i] * e->yaw_rate;
    rolling[i] = e->my[i] * e->omega[i];
  }
  dx[VD_S_WORK_DRIVE] = vd_lane_sum(n, drive);
  dx[VD_S_WORK_BRAKE] = vd_lane_sum(n, brake);
  dx[VD_S_WORK_TYRE] = vd_lane_sum(n, tyre);
  dx[VD_S_WORK_ROLLING] = vd_lane_sum(n, rolling);
  dx[VD_S_WORK_AERO] = -e->drag * e->vx;
  if (m->coupled)
    vd_train_ledger(m, &p->train, p->x, e, dx);
}

static inline void body(int n, const vd_model *m, const vd_command *c, double cosine, double sine, vd_eval *restrict e,
                        double *dx) {
  double turning[VD_WHEELS], mass = m->balance.mass;
  e->ax = e->sum[VD_SUM_X] / mass + e->pull_x;
  e->ay = (e->sum[VD_SUM_YF] + e->sum[VD_SUM_YR]) / mass + e->pull_y;
  for (int i = 0; i < n; i++) {
    double fx = e->fx[i] * c->cos_angle[i] - e->fy[i] * c->sin_angle[i];
    double fy = e->fx[i] * c->sin_angle[i] + e->fy[i] * c->cos_angle[i];
    turning[i] = m->lanes.x[i] * fy - m->lanes.y[i] * fx + e->mz[i];
  }
  e->yaw_accel = vd_lane_sum(n, turning) / m->vehicle.yaw_inertia;

  dx[VD_S_ALONG] = e->vx * cosine - e->vy * sine;
  dx[VD_S_ACROSS] = e->vx * sine + e->vy * cosine;
  dx[VD_S_YAW] = e->yaw_rate;
  dx[VD_S_VX] = e->ax + e->vy * e->yaw_rate;
  dx[VD_S_VY] = e->ay - e->vx * e->yaw_rate;
  dx[VD_S_YAW_RATE] = e->yaw_accel;
  dx[VD_S_DISTANCE] = sqrt(e->vx * e->vx + e->vy * e->vy);
}

/* The coupled shafts: solved for the assumed side of the gear losses, and once more if the power flows the other way.
 * At zero torque both solutions are equal, so the rates do not jump. */
static inline bool coupled_loads(int n, problem *p, const double *mode, vd_eval *restrict e) {
  bool drives = e->motor_torque >= 0.0, closed = false;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    p->train.drives = drives;
    vd_train_prepare(p->m, p->c, p->x, mode, e, &p->train);
    closed = close_loads(n, true, p, mode, e);
    wheel_torques(n, p, mode, e, torque);
    vd_train_finish(p->m, &p->train, mode, torque, e);
    if (vd_train_drives(p->m, e) == drives || p->m->vehicle.drivetrain.efficiency == 1.0)
      break;
    drives = !drives;
  }
  for (int i = 0; i < n; i++)
    e->spin_torque[i] = e->drive_torque[i] - e->fx[i] * p->m->lanes.radius[i] + e->my[i];
  return closed;
}

static void mean_moments(const problem *p, const double *load, const double *vx, const double *side, double *mz) {
  double loads[VD_WHEELS], speeds[VD_WHEELS], sides[VD_WHEELS], each[VD_WHEELS];
  both_have(load, loads);
  both_have(vx, speeds);
  both_have(side, sides);
  vd_tyre_moments(&p->m->lanes.row, &p->slide, loads, speeds, sides, each);
  means(each, mz);
}

static inline void aligning_moments(int n, const problem *p, vd_eval *restrict e) {
  const vd_lanes *lanes = &p->m->lanes;
  if (n == VD_WHEELS) { /* one tyre in a lane */
    vd_tyre_moments(&lanes->row, &p->slide, e->load, e->vx_contact, e->fy, e->mz);
    return;
  }
  double load[VD_WHEELS], side[VD_WHEELS], mz[VD_WHEELS];
  for (int i = 0; i < n; i++) {
    load[i] = e->load[i] * lanes->tyre_share;
    side[i] = e->fy[i] * lanes->tyre_share;
  }
  if (n == 2 && lanes->paired)
    mean_moments(p, load, e->vx_contact, side, mz);
  else
    vd_tyre_moments(&lanes->row, &p->slide, load, e->vx_contact, side, mz);
  for (int i = 0; i < n; i++)
    e->mz[i] = lanes->wheels * mz[i];
}

static inline void extra_rates(int n, const problem *p, const vd_eval *restrict e, double *dx) {
  const vd_model *m = p->m;
  dx[VD_S_MOTOR] = e->motor_accel;
  dx[VD_S_ACCELERATION_HOLD] = vd_acceleration_hold_rate(p->c, e);
  if (m->transient)
    vd_lane_deflection_ledger(n, m, p->x, e, dx);
  if (m->turns)
    vd_turn_ledger(m, p->c, p->x, e, dx);
  if (m->abs)
    vd_lane_antilock(n, m, p->c, p->x, e, dx);
}

/* L1 with two tyres in a lane under the same conditions of contact. */
static void slides_of_both(const vd_contact *lane, problem *p) {
  enum { KAPPA, TAN_ALPHA, VX, OMEGA, SLIP_X, SLIP_Y, STATE_X, STATE_Y, DAMPER, CURVATURE, ROLLING, MOST };
  double row[MOST][VD_WHEELS];
  vd_contact contact = {.kappa = row[KAPPA], .tan_alpha = row[TAN_ALPHA], .vx = row[VX], .omega = row[OMEGA]};
  vd_bending bending = {.slip_x = row[SLIP_X],
                        .slip_y = row[SLIP_Y],
                        .state_x = row[STATE_X],
                        .state_y = row[STATE_Y],
                        .damper = row[DAMPER]};
  both_have(lane->kappa, row[KAPPA]);
  both_have(lane->tan_alpha, row[TAN_ALPHA]);
  both_have(lane->vx, row[VX]);
  both_have(lane->omega, row[OMEGA]);
  if (lane->curvature) {
    both_have(lane->curvature, row[CURVATURE]);
    both_have(lane->rolling, row[ROLLING]);
    contact.curvature = row[CURVATURE];
    contact.rolling = row[ROLLING];
  }
  if (lane->bending) {
    both_have(lane->bending->slip_x, row[SLIP_X]);
    both_have(lane->bending->slip_y, row[SLIP_Y]);
    both_have(lane->bending->state_x, row[STATE_X]);
    both_have(lane->bending->state_y, row[STATE_Y]);
    both_have(lane->bending->damper, row[DAMPER]);
    bending.fastest = lane->bending->fastest;
    contact.bending = &bending;
  }
  vd_tyre_slide(&p->m->lanes.row, &contact, &p->slide);
}

static inline void slides(int n, const vd_eval *e, const double *x, problem *p) {
  const vd_model *m = p->m;
  vd_bending bending;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bending, &contact);
  if (n == 2 && m->lanes.paired)
    slides_of_both(&contact, p);
  else
    vd_tyre_slide(&m->lanes.row, &contact, &p->slide);
}

/* One evaluation for a fixed number of lanes, with shafts coupled or not, so that the compiler unrolls every loop. */
static inline bool rates(int n, bool coupled, const vd_model *m, const vd_command *c, const double *x,
                         const double *mode, vd_eval *restrict e, double *dx) {
  problem p;
  double cosine = vd_cos(x[VD_S_YAW]), sine = vd_sin(x[VD_S_YAW]);
  p.m = m;
  p.c = c;
  p.x = x;
  slope_pull(m, cosine, sine, e);
  ground_friction(n, m, x, cosine, sine, e);
  vd_command_friction(c, n, e->friction);
  contact_velocities(n, m, c, x, e);
  if (m->transient)
    vd_lane_transient_slips(n, m, x, e);
  else
    vd_lane_steady_slips(n, m, e);
  if (m->turns)
    turn_slips(m, c, x, e);
  vd_pedals(m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  vd_lane_torques(n, m, c, x, e);
  double q = e->vx * e->vx; /* dynamic pressure has no sign: backwards only the drag changes its direction */
  e->drag = m->drag * copysign(q, e->vx);
  for (int i = 0; i < VD_AXLES; i++)
    e->downforce[i] = m->downforce[i] * q;

  slides(n, e, x, &p);
  for (int i = 0; i < n; i++)
    p.rolling[i] = -m->lanes.rolling[i] * vd_rolling_sign(e->omega[i] * m->lanes.radius[i]);
  for (int i = 0; i < n; i++)
    p.gyro[i] = m->lanes.inertia[i] * e->omega[i] * (e->yaw_rate + c->angle_rate[i]);
  for (int i = 0; i < n; i++)
    e->mx[i] = 0.0;
  bool closed = coupled ? coupled_loads(n, &p, mode, e) : close_loads(n, false, &p, mode, e);

  aligning_moments(n, &p, e);
  body(n, m, c, cosine, sine, e, dx);
  ledger(n, &p, mode, e, dx);
  for (int i = 0; i < n; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
  for (int i = n; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = 0.0;
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(n, m, x, e);
  if (m->extras)
    extra_rates(n, &p, e, dx);
  return closed;
}

bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *restrict e,
                     double *dx) {
  if (m->coupled)
    return m->lanes.count == 4 ? rates(4, true, m, c, x, mode, e, dx) : rates(2, true, m, c, x, mode, e, dx);
  return m->lanes.count == 4 ? rates(4, false, m, c, x, mode, e, dx) : rates(2, false, m, c, x, mode, e, dx);
}
