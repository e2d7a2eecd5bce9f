#include "planar.h"

#include <math.h>

/* residual of the load loop, share of the weight; a tenth of what is promised */
static const double load_tolerance = 1e-11;
enum { NEWTON_PASSES = 60, SURE_PASSES = 4, RELAXED_PASSES = 4000 };
/* a Newton step is not halved below this share */
#define LEAST_SHARE 0.005

/* below this rolling resistance fades */
static const double soft_speed = 0.05; /* m/s */

/* The speed controller places both poles of v' = F/m at this rate: quick against traffic, slow against yaw. */
static const double hold_rate = 3.0; /* rad/s */

double vd_rolling_sign(double speed) {
  return speed / sqrt(speed * speed + soft_speed * soft_speed);
}

double vd_power_share(const vd_model *m, double wheel_speed) {
  const vd_drivetrain_def *d = &m->vehicle.drivetrain;
  double power = d->max_torque * d->ratio * wheel_speed;
  return power > d->max_power ? d->max_power / power : 1.0;
}

void vd_pedals(const vd_model *m, const vd_command *c, double vx, double integral, double *throttle, double *brake,
               double *integral_rate) {
  *throttle = c->throttle;
  *brake = c->brake;
  *integral_rate = 0.0;
  if (!c->hold_speed)
    return;
  double error = c->speed - vx;
  double force = 2.0 * hold_rate * m->rolling_mass * error + integral;
  double full = force >= 0.0 ? m->drive_torque * vd_power_share(m, vx / m->drive_radius) : m->vehicle.brakes.max_torque;
  double pedal = full > 0.0 ? fabs(force) * m->drive_radius / full : 1.0;
  *throttle = force >= 0.0 ? fmin(pedal, 1.0) : 0.0;
  *brake = force < 0.0 ? fmin(pedal, 1.0) : 0.0;
  /* anti-windup: at the end of a pedal the integral may only come back */
  if (pedal < 1.0 || error * force < 0.0)
    *integral_rate = hold_rate * hold_rate * m->rolling_mass * error;
}

/* Sums that move the loads: a single track has no roll. The enum's order puts its two first. */
static inline int load_sums(int n) {
  return n == 4 ? VD_LOAD_SUMS : VD_SUM_PITCH + 1;
}

/* Sum over the lanes of an axle, then over the axles: left and right enter alike, so that mirrored runs agree to the
 * last bit. */
static inline double axle_sum(int n, const double *v, int axle) {
  return n == 4 ? v[2 * axle] + v[2 * axle + 1] : v[axle];
}

static inline double lane_sum(int n, const double *v) {
  return axle_sum(n, v, 0) + axle_sum(n, v, 1);
}

static inline void slips(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *e) {
  const vd_lanes *lanes = &m->lanes;
  double vx = x[VD_S_VX], vy = x[VD_S_VY], r = x[VD_S_YAW_RATE];
  e->vx = vx;
  e->vy = vy;
  e->yaw_rate = r;
  for (int i = 0; i < n; i++) {
    double bx = vx - r * lanes->y[i], by = vy + r * lanes->x[i];
    double cx = bx * c->cos_angle[i] + by * c->sin_angle[i];
    double cy = by * c->cos_angle[i] - bx * c->sin_angle[i];
    double floor_speed = fmax(fabs(cx), m->options.v_low);
    e->omega[i] = x[VD_S_SPIN + i];
    e->vx_contact[i] = cx;
    e->vy_contact[i] = cy;
    e->kappa[i] = (lanes->radius[i] * e->omega[i] - cx) / floor_speed;
    e->tan_alpha[i] = cy / floor_speed;
  }
}

static inline void torques(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *e,
                           double *integral_rate) {
  const vd_lanes *lanes = &m->lanes;
  vd_pedals(m, c, e->vx, x[VD_S_SPEED_HOLD], &e->throttle, &e->brake, integral_rate);
  double driven[VD_WHEELS];
  for (int i = 0; i < n; i++)
    driven[i] = lanes->drive_share[i] * e->omega[i];
  double drive = e->throttle * m->drive_torque;
  if (drive > 0.0)
    drive *= vd_power_share(m, lane_sum(n, driven));
  double brake = e->brake * m->vehicle.brakes.max_torque;
  for (int i = 0; i < n; i++) {
    e->drive_torque[i] = lanes->drive_share[i] * drive;
    e->brake_capacity[i] = lanes->brake_share[i] * brake;
  }
}

/* Forces, spin accelerations and the five sums at the loads in e->load; slope[i] is d(sums)/d(load i) if wanted. */
static inline void forces_at_loads(int n, const vd_model *m, const vd_command *c, const double *mode, vd_eval *e,
                                   const vd_slide *slide, const double *rolling_sign, double (*slope)[VD_LOAD_SUMS]) {
  const vd_lanes *lanes = &m->lanes;
  double per_tyre[VD_WHEELS], term[VD_LOAD_SUMS][VD_WHEELS];
  vd_tyre_forces tf;
  for (int i = 0; i < n; i++)
    per_tyre[i] = e->load[i] * lanes->tyre_share;
  vd_tyre_force(lanes->tyre, n, slide, m->ground.friction, per_tyre, &tf);

  for (int i = 0; i < n; i++) {
    double cosine = c->cos_angle[i], sine = c->sin_angle[i], inertia = lanes->inertia[i], radius = lanes->radius[i];
    bool locked = mode[i] == 0.0;
    double rolling = -lanes->rolling[i] * rolling_sign[i];
    e->fx[i] = lanes->wheels * tf.fx[i];
    e->fy[i] = lanes->wheels * tf.fy[i];
    e->my[i] = rolling * e->load[i];
    e->spin_torque[i] = e->drive_torque[i] - e->fx[i] * radius + e->my[i];
    double spin = locked ? 0.0 : e->spin_torque[i] - mode[i] * e->brake_capacity[i];
    e->spin_accel[i] = spin * lanes->inverse_inertia[i];
    double gyro = inertia * e->omega[i] * (e->yaw_rate + c->angle_rate[i]);
    term[VD_SUM_X][i] = e->fx[i] * cosine - e->fy[i] * sine;
    term[VD_SUM_YF][i] = e->fx[i] * sine + e->fy[i] * cosine;
    term[VD_SUM_PITCH][i] = (spin - e->my[i]) * cosine - gyro * sine;
    term[VD_SUM_ROLL][i] = (spin - e->my[i]) * sine + gyro * cosine;
    if (slope) {
      double dspin = (locked ? 0.0 : -tf.dfx[i] * radius + rolling) - rolling;
      slope[i][VD_SUM_X] = tf.dfx[i] * cosine - tf.dfy[i] * sine;
      double dy = tf.dfx[i] * sine + tf.dfy[i] * cosine;
      slope[i][VD_SUM_YF] = i < n / 2 ? dy : 0.0;
      slope[i][VD_SUM_YR] = i < n / 2 ? 0.0 : dy;
      slope[i][VD_SUM_PITCH] = dspin * cosine;
      slope[i][VD_SUM_ROLL] = dspin * sine;
    }
  }
  e->sum[VD_SUM_X] = lane_sum(n, term[VD_SUM_X]) - e->drag;
  e->sum[VD_SUM_PITCH] = lane_sum(n, term[VD_SUM_PITCH]);
  e->sum[VD_SUM_YF] = axle_sum(n, term[VD_SUM_YF], VD_FRONT);
  e->sum[VD_SUM_YR] = axle_sum(n, term[VD_SUM_YF], VD_REAR);
  e->sum[VD_SUM_ROLL] = lane_sum(n, term[VD_SUM_ROLL]);
}

static void limited_loads(int n, const vd_model *m, const double *sum, const double *downforce, double *load) {
  if (n == 4)
    vd_load_wheels(&m->balance, sum, downforce, load, NULL);
  else
    vd_load_axles(&m->balance, sum, downforce, load, NULL);
}

/* Loads that follow from the sums; true if a wheel is at zero, where the affine map ends. Sums along the car move the
 * halves, sums across it the differences. */
static inline bool loads_from_sums(int n, const vd_model *m, const vd_eval *e, double q, double *load) {
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
static void lifted_matrix(int n, const vd_model *m, const vd_eval *e, const double *load,
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

/* The last resort where Newton's method fails for its kinks: plain iteration with half steps. It converges when the loads
 * answer the forces with less than the forces answer the loads, slowly near a car that tips, and not beyond; there
 * no balance need exist, or more than one. */
static bool relax(int n, const vd_model *m, const vd_command *c, const double *mode, vd_eval *e, double q,
                  const vd_slide *slide, const double *rolling_sign) {
  for (int pass = 0; pass < RELAXED_PASSES; pass++) {
    double load[VD_WHEELS], worst = 0.0;
    forces_at_loads(n, m, c, mode, e, slide, rolling_sign, NULL);
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
static inline void guess_sums(int n, const vd_model *m, vd_eval *e) {
  double lateral = m->balance.mass * e->vx * e->yaw_rate;
  for (int k = 0; k < VD_LOAD_SUMS; k++)
    e->sum[k] = 0.0;
  for (int i = 0; i < n; i++)
    e->sum[VD_SUM_X] += e->drive_torque[i] / m->lanes.radius[i];
  e->sum[VD_SUM_YF] = lateral * m->masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  e->sum[VD_SUM_YR] = lateral * m->masses.to_axle[VD_FRONT] / m->vehicle.wheelbase;
}

/* Newton's matrix at the present loads, factored; `target` are the loads that follow from the sums. */
static inline bool newton_matrix(int n, const vd_model *m, const vd_eval *e, bool lifted, const double *target,
                                 double (*slope)[VD_LOAD_SUMS], double (*lu)[VD_WHEELS]) {
  double local[VD_WHEELS][VD_LOAD_SUMS];
  slope_by_modes(n, slope);
  if (lifted)
    lifted_matrix(n, m, e, target, local);
  return factor(n, lifted ? local[0] : m->load_matrix[0], slope, lu);
}

/* Closes loads(forces(loads)) = loads by Newton's method from scratch in every evaluation, so that no earlier one
 * leaves a trace. The matrix is factored in the first two passes and later only when a pass gains less than a factor
 * 10. A step that gains nothing, because a kink lies in between, is halved. */
static inline bool close_loads(int n, const vd_model *m, const vd_command *c, const double *mode, vd_eval *e,
                               const vd_slide *slide, const double *rolling_sign) {
  double q = e->vx * fabs(e->vx), before = INFINITY, share = 1.0, tolerance = load_tolerance * m->balance.weight;
  double slope[VD_WHEELS][VD_LOAD_SUMS], lu[VD_WHEELS][VD_WHEELS], target[VD_WHEELS];
  double from[VD_WHEELS] = {0.0}, step[VD_WHEELS] = {0.0}; /* the last step and where it went from */
  bool ready = false;
  guess_sums(n, m, e);
  loads_from_sums(n, m, e, q, e->load);

  for (e->passes = 1; e->passes <= NEWTON_PASSES; e->passes++) {
    bool fresh = !ready;
    forces_at_loads(n, m, c, mode, e, slide, rolling_sign, fresh ? slope : NULL);
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
      ready = e->passes >= 2 && (fresh || e->residual < 0.1 * before);
      before = e->residual;
      share = 1.0;
    }
    for (int i = 0; i < n; i++)
      e->load[i] = fmax(from[i] + share * step[i], 0.0);
  }
  return relax(n, m, c, mode, e, q, slide, rolling_sign);
}

/* Power of each kind of work; together they are the rate of the total energy, term by term of the equations of motion:
 * contact forces work on the tread's velocity against the road, moments on the spin or the yaw rate. */
static inline void ledger(int n, const vd_model *m, const double *mode, const vd_eval *e, double *dx) {
  double drive[VD_WHEELS], brake[VD_WHEELS], tyre[VD_WHEELS], rolling[VD_WHEELS];
  for (int i = 0; i < n; i++) {
    drive[i] = e->drive_torque[i] * e->omega[i];
    brake[i] = -mode[i] * e->brake_capacity[i] * e->omega[i];
    tyre[i] = e->fx[i] * (e->vx_contact[i] - m->lanes.radius[i] * e->omega[i]) + e->fy[i] * e->vy_contact[i] +
              e->mz[i] * e->yaw_rate;
    rolling[i] = e->my[i] * e->omega[i];
  }
  dx[VD_S_WORK_DRIVE] = lane_sum(n, drive);
  dx[VD_S_WORK_BRAKE] = lane_sum(n, brake);
  dx[VD_S_WORK_TYRE] = lane_sum(n, tyre);
  dx[VD_S_WORK_ROLLING] = lane_sum(n, rolling);
  dx[VD_S_WORK_AERO] = -e->drag * e->vx;
}

static inline void body(int n, const vd_model *m, const vd_command *c, const double *x, vd_eval *e, double *dx) {
  double turning[VD_WHEELS], cosine = cos(x[VD_S_YAW]), sine = sin(x[VD_S_YAW]);
  double mass = m->balance.mass, pull_along = m->ground.pull_along, pull_across = m->ground.pull_across;
  e->pull_x = pull_along * cosine + pull_across * sine;
  e->pull_y = pull_across * cosine - pull_along * sine;
  e->ax = e->sum[VD_SUM_X] / mass + e->pull_x;
  e->ay = (e->sum[VD_SUM_YF] + e->sum[VD_SUM_YR]) / mass + e->pull_y;
  for (int i = 0; i < n; i++) {
    double fx = e->fx[i] * c->cos_angle[i] - e->fy[i] * c->sin_angle[i];
    double fy = e->fx[i] * c->sin_angle[i] + e->fy[i] * c->cos_angle[i];
    turning[i] = m->lanes.x[i] * fy - m->lanes.y[i] * fx + e->mz[i];
  }
  e->yaw_accel = lane_sum(n, turning) / m->vehicle.yaw_inertia;

  dx[VD_S_ALONG] = e->vx * cosine - e->vy * sine;
  dx[VD_S_ACROSS] = e->vx * sine + e->vy * cosine;
  dx[VD_S_YAW] = e->yaw_rate;
  dx[VD_S_VX] = e->ax + e->vy * e->yaw_rate;
  dx[VD_S_VY] = e->ay - e->vx * e->yaw_rate;
  dx[VD_S_YAW_RATE] = e->yaw_accel;
  dx[VD_S_DISTANCE] = sqrt(e->vx * e->vx + e->vy * e->vy);
}

/* One evaluation for a fixed number of lanes, so that the compiler unrolls every loop. */
static inline bool rates(int n, const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                         double *dx) {
  vd_slide slide[VD_WHEELS];
  double rolling_sign[VD_WHEELS];

  slips(n, m, c, x, e);
  torques(n, m, c, x, e, &dx[VD_S_SPEED_HOLD]);
  double q = e->vx * fabs(e->vx);
  e->drag = m->drag * q;
  for (int i = 0; i < VD_AXLES; i++)
    e->downforce[i] = m->downforce[i] * q;

  vd_tyre_slide(m->lanes.tyre, n, e->kappa, e->tan_alpha, slide);
  for (int i = 0; i < n; i++)
    rolling_sign[i] = vd_rolling_sign(e->omega[i] * m->lanes.radius[i]);
  bool closed = close_loads(n, m, c, mode, e, slide, rolling_sign);

  for (int i = 0; i < n; i++)
    e->mz[i] = -slide[i].trail * e->fy[i];
  body(n, m, c, x, e, dx);
  ledger(n, m, mode, e, dx);
  for (int i = 0; i < n; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
  for (int i = n; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = 0.0;
  return closed;
}

bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                     double *dx) {
  return m->lanes.count == 4 ? rates(4, m, c, x, mode, e, dx) : rates(2, m, c, x, mode, e, dx);
}
