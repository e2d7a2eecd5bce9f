/* The iteration over wheel loads and tyre forces of a car without a vertical degree of freedom (L1, L2), lane by lane.
 *
 * The loads L follow from five sums over the tyre forces (vehicle/loads.h), and the forces from the loads:
 * loads(sums(F(L))) = L. Each lane's force depends on its own load only, so the slopes dF/dL are one secant per lane,
 * through the last two passes, and Newton's matrix is I - d(loads)/d(sums) d(sums)/dL. Passes converge with the order
 * of the secant method, 1.6.
 *
 * The first pass starts from the loads of the previous evaluation, extrapolated by their rates, and from its slopes,
 * corrected for the change of the forces. These loads, rates and slopes are modes of the run (VD_M_LOAD), handed from
 * stage to stage of a step, so that the rates remain a pure function of time, state and modes. Without them it starts
 * from the loads of a car that corners at vx r, with forces proportional to the loads. If the last change of the loads
 * is small, the forces follow it along the slopes, without a pass. Smooth driving needs two passes per stage, and one
 * at the end of the step, which is close to the last stage.
 *
 * L1 uses two lanes; the others contain zeros. In this file the modes of the loads are halves of the axles' loads and
 * of their differences between right and left (vehicle/loads.h). */
#ifndef VD_LOAD_LOOP_H
#define VD_LOAD_LOOP_H

#include "model/lanes.h"
#include "model/train.h"

/* Forces of the lanes at some loads. */
typedef struct vd_lane_forces {
  vd_wide load, fx, fy, mx, my; /* N, N m */
} vd_lane_forces;

/* Rates and losses of tyres with bristles, in addition to their forces. */
typedef struct vd_lane_bristles {
  vd_wide rate_x, rate_y, damped; /* m/s, W */
} vd_lane_bristles;

/* Inputs of the iteration, which do not depend on the loads, and the results of its passes. */
typedef struct vd_load_loop {
  const vd_model *m;
  const vd_command *c;
  const double *x, *mode;
  vd_slide_row slide;
  vd_wide rolling; /* m: moment of the rolling resistance per load */
  vd_wide gyro;    /* N m, gyroscopic moment of the wheel, which is steered or yaws */
  vd_train train;  /* coupled shafts only */
  vd_tyre_forces tyre;
  vd_lane_forces at;                      /* in the present pass */
  vd_lane_forces slope;                   /* derivatives by the load: fx, fy; mx and my of the tyres themselves, m */
  vd_wide slope_error;                    /* estimated error of the slopes of fx and fy */
  vd_wide load_before, share_x, share_y;  /* N, -: load, fx and fy divided by the load, in the previous evaluation */
  vd_wide free_share;                     /* d(inertia x spin acceleration)/d(torque on the wheel): 0 locked, 1 free */
  double matrix[VD_LOAD_SUMS][VD_WHEELS]; /* d(modes)/d(sums) if some wheel has the load 0 */
} vd_load_loop;

/* Residual of the iteration divided by the weight; a tenth of the documented bound. */
static const double vd_load_tolerance = 1e-11;
/* Greatest numbers of passes: of Newton's method; of its first passes, whose steps are never halved; and of the
 * fixed-point iteration. */
enum { VD_NEWTON_PASSES = 60, VD_WHOLE_STEPS = 4, VD_FIXED_POINT_PASSES = 4000 };
/* A Newton step is not halved below this share. */
#define VD_MIN_SHARE 0.005

/* Computes the torques of the tyre and of a slipping brake on each wheel, in addition to the torques of the train. */
VD_INLINE void vd_lane_wheel_torques(int n, const vd_load_loop *p, const vd_eval *restrict e, double *torque) {
  vd_wide brake = vd_lanes_load(n, p->mode) * vd_lanes_load(n, e->drive.brake_capacity);
  vd_wide_store(p->at.my - p->at.fx * vd_wide_load(p->m->lanes.radius) - brake, torque);
}

/* Computes spin accelerations. Returns the net torque on each wheel's spin, inertia x acceleration. */
VD_INLINE vd_wide vd_lane_spins(int n, vd_load_loop *p, vd_eval *restrict e) {
  const vd_lanes *lanes = &p->m->lanes;
  vd_wide inertia = vd_wide_load(lanes->inertia), net;
  if (p->m->coupled) {
    double torque[VD_WHEELS], accel[VD_SHAFTS] = {0.0}, share[VD_WHEELS] = {0.0};
    vd_lane_wheel_torques(n, p, e, torque);
    vd_train_accelerate(&p->train, n, torque, accel);
    for (int i = 0; i < n; i++)
      share[i] = p->train.solved.accel[i][i];
    vd_wide all = vd_lanes_load(n, accel);
    vd_lanes_store(n, all, e->spin.spin_accel);
    p->free_share = inertia * vd_wide_load(share);
    return inertia * all;
  }
  vd_wide mode = vd_lanes_load(n, p->mode), none = vd_wide_of(0.0);
  vd_wide torque = vd_lanes_load(n, e->drive.drive_torque) - p->at.fx * vd_wide_load(lanes->radius) + p->at.my;
  net = vd_wide_select(mode == none, none, torque - mode * vd_lanes_load(n, e->drive.brake_capacity));
  p->free_share = vd_wide_select(mode == none, none, vd_wide_of(1.0));
  vd_lanes_store(n, torque, e->spin.spin_torque);
  vd_lanes_store(n, net * vd_wide_load(lanes->inverse_inertia), e->spin.spin_accel);
  return net;
}

/* Computes the forces of an L1 axle whose tyres differ or are mirror images of each other: the means of both tyres. */
static void vd_mean_of_sides(vd_load_loop *p, const vd_eval *e, const double *load) {
  vd_tyre_forces each = {.mx = {0.0}}, *tf = &p->tyre; /* only some tyres have moments and rates */
  double friction[VD_WHEELS], loads[VD_WHEELS];
  vd_lanes_to_sides(e->contact.friction, friction);
  vd_lanes_to_sides(load, loads);
  vd_tyre_force(&p->m->lanes.row, &p->slide, friction, loads, &each);
  vd_means(each.fx, tf->fx);
  vd_means(each.fy, tf->fy);
  vd_means(each.mx, tf->mx);
  vd_means(each.my, tf->my);
  vd_means(each.rate_x, tf->rate_x);
  vd_means(each.rate_y, tf->rate_y);
  vd_means(each.damped, tf->damped);
}

/* Computes the tyre forces at given loads. */
VD_INLINE void vd_lane_tyres(int n, vd_load_loop *p, const vd_eval *restrict e, vd_wide load) {
  const vd_lanes *lanes = &p->m->lanes;
  double per_tyre[VD_WHEELS];
  vd_wide_store(load * lanes->tyre_share, per_tyre);
  if (n == 2 && lanes->paired)
    vd_mean_of_sides(p, e, per_tyre);
  else
    vd_tyre_force(&lanes->row, &p->slide, e->contact.friction, per_tyre, &p->tyre);
  p->at = (vd_lane_forces){.load = load,
                           .fx = lanes->wheels * vd_wide_load(p->tyre.fx),
                           .fy = lanes->wheels * vd_wide_load(p->tyre.fy),
                           .mx = vd_wide_of(0.0),
                           .my = p->rolling * load};
  if (lanes->moments) {
    p->at.mx = lanes->wheels * vd_wide_load(p->tyre.mx);
    p->at.my += lanes->wheels * vd_wide_load(p->tyre.my);
  }
}

/* Computes the spin accelerations and the five sums for the present forces. */
VD_INLINE void vd_lane_sums(int n, vd_load_loop *p, vd_eval *restrict e) {
  const vd_model *m = p->m;
  if (m->vehicle.brakes.load_dependent) {
    vd_lanes_store(n, p->at.load, e->tyre.load);
    vd_lane_share_by_load(n, m, p->x, e);
  }
  vd_wide net = vd_lane_spins(n, p, e), fx = p->at.fx, fy = p->at.fy;
  vd_wide cosine = vd_lanes_load(n, p->c->cos_angle), sine = vd_lanes_load(n, p->c->sin_angle);
  vd_wide about_axle = net - p->at.my, upright = p->gyro + p->at.mx, across = fx * sine + fy * cosine;
  vd_wide sum = vd_wide_sums(fx * cosine - fy * sine, about_axle * cosine - upright * sine,
                             about_axle * sine + upright * cosine, across);
  e->loop.sum[VD_SUM_X] = sum[0] - e->outside.drag;
  e->loop.sum[VD_SUM_PITCH] = sum[1];
  e->loop.sum[VD_SUM_ROLL] = sum[2];
  e->loop.sum[VD_SUM_OUTSIDE] = 0.0;
  if (m->outside) {
    e->loop.sum[VD_SUM_PITCH] += e->outside.outside_rear;
    e->loop.sum[VD_SUM_ROLL] += e->outside.outside_roll + e->outside.outside_side * m->balance.sprung_height;
    e->loop.sum[VD_SUM_OUTSIDE] = e->outside.outside_side;
  }
  e->loop.sum[VD_SUM_YF] = n == 4 ? across[VD_FL] + across[VD_FR] : across[VD_FRONT];
  e->loop.sum[VD_SUM_YR] = n == 4 ? across[VD_RL] + across[VD_RR] : across[VD_REAR];
}

static void vd_limited_loads(int n, const vd_model *m, const double *sum, const double *downforce, double *load) {
  if (n == 4)
    vd_load_wheels(&m->balance, sum, downforce, load, NULL);
  else
    vd_load_axles(&m->balance, sum, downforce, load, NULL);
}

/* Returns the loads if downforces are not constants times the square of the speed. */
VD_INLINE vd_wide vd_affine_loads(int n, const vd_model *m, const vd_eval *e) {
  double load[VD_WHEELS] = {0.0};
  if (n == 4)
    vd_load_wheels_affine(&m->balance, e->loop.sum, e->outside.downforce, load);
  else
    vd_load_axles_affine(&m->balance, e->loop.sum, e->outside.downforce, load);
  return vd_wide_load(load);
}

/* Returns the loads of the wheels from their modes. */
VD_INLINE vd_wide vd_lanes_from_modes(int n, vd_wide mode) {
  if (n != 4)
    return mode;
  const vd_wide side = {-1.0, 1.0, -1.0, 1.0};
  return __builtin_shufflevector(mode, mode, 0, 0, 1, 1) + side * __builtin_shufflevector(mode, mode, 2, 2, 3, 3);
}

VD_INLINE vd_wide vd_modes_from_lanes(int n, vd_wide load) {
  if (n != 4)
    return load;
  vd_wide left = __builtin_shufflevector(load, load, 0, 2, 0, 2),
          right = __builtin_shufflevector(load, load, 1, 3, 1, 3);
  const vd_wide sign = {1.0, 1.0, -1.0, -1.0};
  return 0.5 * (right + sign * left);
}

/* Returns the loads from the sums. *lifted: a wheel has the load 0, at which the affine map ends. Longitudinal sums
 * change the loads of front and rear, lateral sums those of left and right. */
VD_INLINE vd_wide vd_loads_from_sums(int n, const vd_model *m, const vd_eval *restrict e, bool *lifted) {
  vd_wide mode = vd_wide_load(m->planar.load_base) + e->motion.vx * e->motion.vx * vd_wide_load(m->planar.load_aero);
  for (int s = 0; s < VD_LOAD_SUMS; s++)
    mode += vd_wide_load(m->planar.load_matrix[s]) * e->loop.sum[s];
  vd_wide load = vd_lanes_from_modes(n, mode);
  if (m->outside)
    load = vd_affine_loads(n, m, e);
  vd_wide_mask carried = load >= vd_wide_of(0.0);
  *lifted = vd_wide_any((vd_wide)~carried);
  if (*lifted) {
    double limited[VD_WHEELS] = {0.0};
    vd_limited_loads(n, m, e->loop.sum, e->outside.downforce, limited);
    load = vd_wide_load(limited);
  }
  return load;
}

/* Computes d(load modes)/d(sums) if a wheel has the load 0, by differences, since the map is piecewise affine. The step
 * has the sign of the sum, so that a mirrored car takes the mirrored step. */
static void vd_lifted_matrix(int n, const vd_model *m, const vd_eval *e, const double *load,
                             double matrix[][VD_WHEELS]) {
  double here[VD_WHEELS] = {0.0};
  vd_modes_from_wheels(n, load, here);
  for (int s = 0; s < VD_LOAD_SUMS; s++) {
    double sum[VD_ALL_SUMS], capped[VD_WHEELS], there[VD_WHEELS] = {0.0};
    double step = copysign(1e-6 * m->balance.weight, e->loop.sum[s]);
    for (int j = 0; j < VD_ALL_SUMS; j++)
      sum[j] = e->loop.sum[j] + (j == s ? step : 0.0);
    vd_limited_loads(n, m, sum, e->outside.downforce, capped);
    vd_modes_from_wheels(n, capped, there);
    for (int i = 0; i < VD_WHEELS; i++)
      matrix[s][i] = (there[i] - here[i]) / step;
  }
}

/* Computes d(sums)/d(load modes), for each sum a vector over the modes. */
VD_INLINE void vd_sum_slopes(int n, const vd_load_loop *p, vd_wide *slope) {
  vd_wide cosine = vd_lanes_load(n, p->c->cos_angle), sine = vd_lanes_load(n, p->c->sin_angle);
  vd_wide dx = p->slope.fx, dy = p->slope.fy, none = vd_wide_of(0.0), across = dx * sine + dy * cosine;
  vd_wide rolling = p->rolling + p->slope.my;
  vd_wide turning = p->free_share * (rolling - dx * vd_wide_load(p->m->lanes.radius)) - rolling;
  slope[VD_SUM_X] = dx * cosine - dy * sine;
  slope[VD_SUM_PITCH] = turning * cosine - p->slope.mx * sine;
  slope[VD_SUM_ROLL] = turning * sine + p->slope.mx * cosine;
  if (n == 4) {
    slope[VD_SUM_YF] = __builtin_shufflevector(across, none, 0, 1, 4, 4);
    slope[VD_SUM_YR] = __builtin_shufflevector(across, none, 4, 4, 2, 3);
    const vd_wide sign = {1.0, 1.0, -1.0, -1.0};
    for (int s = 0; s < VD_LOAD_SUMS; s++)
      slope[s] = __builtin_shufflevector(slope[s], none, 1, 3, 1, 3) +
                 sign * __builtin_shufflevector(slope[s], none, 0, 2, 0, 2);
  } else {
    slope[VD_SUM_YF] = __builtin_shufflevector(across, none, 0, 4, 4, 4);
    slope[VD_SUM_YR] = __builtin_shufflevector(across, none, 4, 1, 4, 4);
  }
}

/* Computes Newton's step of the loads for their residual: solves (I - matrix slope) step = residual, in modes, by
 * elimination without pivoting (the diagonal is near one). Returns false if a pivot vanishes. */
VD_INLINE bool vd_newton_step(int n, const vd_load_loop *p, const double *matrix, vd_wide residual, vd_wide *step) {
  vd_wide slope[VD_LOAD_SUMS], row[VD_WHEELS];
  double right[VD_WHEELS];
  vd_sum_slopes(n, p, slope);
  vd_wide_store(vd_modes_from_lanes(n, residual), right);
  for (int i = 0; i < n; i++) {
    row[i] = vd_wide_of(0.0);
    for (int s = 0; s < VD_LOAD_SUMS; s++)
      row[i] -= matrix[s * VD_WHEELS + i] * slope[s];
    row[i][i] += 1.0;
  }
  for (int j = 0; j < n; j++) {
    if (!(fabs(row[j][j]) > 1e-6))
      return false;
    double inverse = 1.0 / row[j][j];
    row[j] *= inverse;
    right[j] *= inverse;
    for (int i = 0; i < n; i++)
      if (i != j) {
        double share = row[i][j];
        row[i] -= share * row[j];
        right[i] -= share * right[j];
      }
  }
  for (int i = n; i < VD_WHEELS; i++)
    right[i] = 0.0;
  *step = vd_lanes_from_modes(n, vd_wide_load(right));
  return true;
}

/* Starts with the slopes of the previous evaluation, or with zeros and an error of 1. */
VD_INLINE void vd_start_slopes(bool known, vd_load_loop *p) {
  static const double unknown[VD_M_LOAD_TIME - VD_M_LOAD] = {[VD_M_LOAD_SLOPE_ERROR - VD_M_LOAD] = 1.0, 1.0, 1.0, 1.0};
  const double *at = known ? p->mode + VD_M_LOAD : unknown;
  p->load_before = vd_wide_load(at);
  p->slope.fx = vd_wide_load(at + VD_M_LOAD_SLOPE_X - VD_M_LOAD);
  p->slope.fy = vd_wide_load(at + VD_M_LOAD_SLOPE_Y - VD_M_LOAD);
  p->slope.mx = vd_wide_load(at + VD_M_LOAD_SLOPE_MX - VD_M_LOAD);
  p->slope.my = vd_wide_load(at + VD_M_LOAD_SLOPE_MY - VD_M_LOAD);
  p->slope_error = vd_wide_load(at + VD_M_LOAD_SLOPE_ERROR - VD_M_LOAD);
  p->share_x = vd_wide_load(at + VD_M_LOAD_SHARE_X - VD_M_LOAD);
  p->share_y = vd_wide_load(at + VD_M_LOAD_SHARE_Y - VD_M_LOAD);
}

/* Keeps the slopes for the next evaluation. */
VD_INLINE void vd_store_slopes(const vd_load_loop *p, double *to) {
  const vd_lane_forces *f = &p->at;
  vd_wide none = vd_wide_of(0.0), inverse = vd_wide_select(f->load > none, 1.0 / f->load, none);
  vd_wide_store(p->slope.fx, to);
  vd_wide_store(p->slope.fy, to + VD_M_LOAD_SLOPE_Y - VD_M_LOAD_SLOPE_X);
  vd_wide_store(p->slope.mx, to + VD_M_LOAD_SLOPE_MX - VD_M_LOAD_SLOPE_X);
  vd_wide_store(p->slope.my, to + VD_M_LOAD_SLOPE_MY - VD_M_LOAD_SLOPE_X);
  vd_wide_store(p->slope_error, to + VD_M_LOAD_SLOPE_ERROR - VD_M_LOAD_SLOPE_X);
  vd_wide_store(f->fx * inverse, to + VD_M_LOAD_SHARE_X - VD_M_LOAD_SLOPE_X);
  vd_wide_store(f->fy * inverse, to + VD_M_LOAD_SHARE_Y - VD_M_LOAD_SLOPE_X);
}

/* Computes the slopes after the first pass. If a force is L^n g(slip), its slope by the load L is n f/L. The slopes of
 * the previous evaluation therefore change by n times the change of f/L, where n is taken from the previous evaluation,
 * for both directions together. If there is no force, n is 1: forces proportional to the loads. */
VD_INLINE void vd_first_slopes(vd_load_loop *p) {
  const double none_known = 1e-20; /* makes the power 1 if there is no force */
  vd_wide load = p->at.load, none = vd_wide_of(0.0), inverse = vd_wide_select(load > none, 1.0 / load, none);
  vd_wide x = p->at.fx * inverse - p->share_x, y = p->at.fy * inverse - p->share_y;
  vd_wide power = (p->slope.fx * p->share_x + p->slope.fy * p->share_y + none_known) /
                  (p->share_x * p->share_x + p->share_y * p->share_y + none_known);
  p->slope.fx += power * x;
  p->slope.fy += power * y;
  p->slope_error += vd_wide_abs(x) + vd_wide_abs(y) + vd_wide_abs(load - p->load_before) * inverse;
}

/* Computes the secant slopes from the last pass to this one. If the loads have changed so little that rounding errors
 * would dominate, the former slopes are kept. A curve differs from its secant by half its second derivative times the
 * distances from both points, and second derivatives of forces by the loads do not exceed f/load^2. A great change of
 * the slopes indicates a kink. */
VD_INLINE void vd_secant_slopes(const vd_lane_forces *last, vd_load_loop *p) {
  const double kink = 0.02, rounding = 1e-6; /* rounding: 1e-14 of the force over the least change of the load */
  vd_wide load = p->at.load, move = load - last->load, far = vd_wide_abs(move);
  vd_wide x = (p->at.fx - last->fx) / move, y = (p->at.fy - last->fy) / move;
  vd_wide change = vd_wide_abs(x - p->slope.fx) + vd_wide_abs(y - p->slope.fy);
  vd_wide slope_error = vd_wide_select(change > kink, change, vd_wide_max(far / load, vd_wide_of(rounding)));
  vd_wide_mask shows = far > 1e-8 * load;
  p->slope.fx = vd_wide_select(shows, x, p->slope.fx);
  p->slope.fy = vd_wide_select(shows, y, p->slope.fy);
  p->slope_error = vd_wide_select(shows, slope_error, p->slope_error);
  if (p->m->lanes.moments) {
    p->slope.mx = vd_wide_select(shows, (p->at.mx - last->mx) / move, p->slope.mx);
    p->slope.my = vd_wide_select(shows, (p->at.my - last->my) / move - p->rolling, p->slope.my);
  }
}

/* Returns the first guess of the loads: cornering at vx r, driven by the motor only. */
VD_INLINE vd_wide vd_guess_loads(int n, const vd_model *m, vd_eval *restrict e) {
  double lateral = m->balance.mass * e->motion.vx * e->motion.yaw_rate;
  bool lifted;
  for (int s = 0; s < VD_ALL_SUMS; s++)
    e->loop.sum[s] = 0.0;
  for (int i = 0; i < n; i++)
    e->loop.sum[VD_SUM_X] += e->drive.drive_torque[i] / m->lanes.radius[i];
  e->loop.sum[VD_SUM_YF] = lateral * m->vehicle.masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  e->loop.sum[VD_SUM_YR] = lateral * m->vehicle.masses.to_axle[VD_FRONT] / m->vehicle.wheelbase;
  return vd_loads_from_sums(n, m, e, &lifted);
}

/* Finds the loads by fixed-point iteration with half steps, if Newton's method fails at kinks. The iteration converges
 * if the derivative of the forces by the loads times that of the loads by the forces is below one. Near the point at
 * which the car tips over it converges slowly, and beyond this point not at all; a balance need not exist or be unique
 * there. */
VD_NOINLINE bool vd_relax_loads(int n, vd_load_loop *p, vd_eval *restrict e) {
  const vd_model *m = p->m;
  vd_wide load = p->at.load;
  for (int pass = 0; pass < VD_FIXED_POINT_PASSES; pass++) {
    bool lifted;
    vd_lane_tyres(n, p, e, load);
    vd_lane_sums(n, p, e);
    vd_wide target = vd_loads_from_sums(n, m, e, &lifted);
    e->loop.passes++;
    e->loop.residual = vd_wide_sum(vd_wide_abs(target - load));
    if (e->loop.residual <= vd_load_tolerance * m->balance.weight)
      return true;
    load = 0.5 * (load + target);
  }
  return false;
}

/* True if forces extrapolated along the secants are accurate enough after this change of the loads, so that they need
 * not be computed again. Moments of the tyres themselves keep the values of the last pass. */
VD_INLINE bool vd_is_last_move(const vd_load_loop *p, vd_wide move, vd_eval *restrict e) {
  double weight = p->m->balance.weight;
  vd_wide size = vd_wide_abs(move);
  e->loop.residual = vd_wide_sum(size * p->slope_error);
  return vd_wide_sum(size) <= vd_load_last_move * weight && e->loop.residual <= vd_load_tolerance * weight;
}

VD_INLINE vd_lane_bristles vd_lane_bristles_of(const vd_load_loop *p) {
  return (vd_lane_bristles){vd_wide_load(p->tyre.rate_x), vd_wide_load(p->tyre.rate_y), vd_wide_load(p->tyre.damped)};
}

VD_INLINE void vd_move_along(vd_wide share, vd_wide last, double *value) {
  vd_wide here = vd_wide_load(value);
  vd_wide_store(here + share * (here - last), value);
}

/* Adapts the aligning moments to the loads. */
VD_INLINE void vd_move_moments(vd_load_loop *p) {
  const vd_lanes *lanes = &p->m->lanes;
  double load[VD_WHEELS], each[VD_WHEELS];
  vd_wide_store(p->at.load * lanes->tyre_share, load);
  vd_lanes_to_sides(load, each);
  vd_tyre_shift_loads(&lanes->row, &p->slide, lanes->paired ? each : load);
}

/* Changes loads and forces along the slopes, and rates of bristles along the secants of the last two passes. */
VD_INLINE void vd_move_loads(const vd_lane_forces *last, const vd_lane_bristles *last_bristles, vd_wide next,
                             vd_load_loop *p) {
  vd_wide move = next - p->at.load, last_move = p->at.load - last->load;
  if (p->slide.now.bristles) {
    vd_wide share = vd_wide_select(vd_wide_abs(last_move) > 1e-8 * next, move / last_move, vd_wide_of(0.0));
    vd_move_along(share, last_bristles->rate_x, p->tyre.rate_x);
    vd_move_along(share, last_bristles->rate_y, p->tyre.rate_y);
    vd_move_along(share, last_bristles->damped, p->tyre.damped);
  }
  p->at.load = next;
  p->at.fx += p->slope.fx * move;
  p->at.fy += p->slope.fy * move;
  p->at.mx += p->slope.mx * move;
  p->at.my += (p->rolling + p->slope.my) * move;
}

/* Makes the last change of the loads. Newton's matrix neglects the effects of wheels on each other through shafts, so
 * the change is repeated along the slopes until the loads agree with the sums. */
VD_INLINE bool vd_finish_loads(int n, const vd_lane_forces *last, const vd_lane_bristles *last_bristles, vd_wide next,
                               vd_load_loop *p, vd_eval *restrict e) {
  enum { ROUNDS = 10 };
  double of_slopes = e->loop.residual;
  bool lifted = false;
  for (int round = 0; round < ROUNDS && !lifted; round++) {
    vd_move_loads(last, last_bristles, next, p);
    vd_lane_sums(n, p, e);
    next = vd_loads_from_sums(n, p->m, e, &lifted);
    e->loop.residual = of_slopes + vd_wide_sum(vd_wide_abs(next - p->at.load));
    if (e->loop.residual <= vd_load_tolerance * p->m->balance.weight)
      break;
  }
  if (!(e->loop.residual <= vd_load_tolerance * p->m->balance.weight))
    return false;
  if (p->m->lanes.moments)
    vd_move_moments(p);
  return true;
}

/* Finds the loads by Newton's iteration. After the first passes, a step that does not reduce the residual is halved,
 * because it crosses a kink. load: the first guess. */
VD_INLINE bool vd_newton_loads(int n, vd_load_loop *p, vd_wide load, vd_eval *restrict e) {
  const vd_model *m = p->m;
  double before = INFINITY, share = 1.0, tolerance = vd_load_tolerance * m->balance.weight;
  vd_wide none = vd_wide_of(0.0), from = load, step = none;
  vd_lane_forces last = {.load = load, .fx = none, .fy = none};
  vd_lane_bristles last_bristles = {none, none, none};
  for (int pass = 1; pass <= VD_NEWTON_PASSES; pass++, e->loop.passes++) {
    bool lifted;
    vd_lane_tyres(n, p, e, load);
    vd_lane_sums(n, p, e);
    vd_wide target = vd_loads_from_sums(n, m, e, &lifted);
    e->loop.residual = vd_wide_sum(vd_wide_abs(target - load)); /* a sum, because the maximum would ignore a NaN */
    if (e->loop.residual <= tolerance)
      return true;
    if (!(e->loop.residual < INFINITY))
      return false;
    if (pass > VD_WHOLE_STEPS && e->loop.residual >= before && share > VD_MIN_SHARE) {
      share *= 0.5;
    } else {
      if (pass > 1)
        vd_secant_slopes(&last, p);
      else
        vd_first_slopes(p);
      if (lifted) {
        double at[VD_WHEELS];
        vd_wide_store(target, at);
        vd_lifted_matrix(n, m, e, at, p->matrix);
      }
      from = load;
      if (!vd_newton_step(n, p, lifted ? p->matrix[0] : m->planar.load_matrix[0], target - load, &step))
        return false;
      before = e->loop.residual;
      share = 1.0;
    }
    vd_wide next = vd_wide_max(from + share * step, none), move = next - load;
    if (!lifted && (pass > 1 || !p->slide.now.bristles) && vd_is_last_move(p, move, e)) {
      if (vd_finish_loads(n, &last, &last_bristles, next, p, e))
        return true;
      next = p->at.load;
    }
    last = p->at;
    if (p->slide.now.bristles)
      last_bristles = vd_lane_bristles_of(p);
    load = next;
  }
  return false;
}

/* Computes loads, forces, spin accelerations and sums of e. Returns false if no balance was found. */
VD_INLINE bool vd_close_loads(int n, vd_load_loop *p, vd_eval *restrict e) {
  vd_wide hint = vd_wide_load(p->mode + VD_M_LOAD), none = vd_wide_of(0.0);
  bool hinted = vd_wide_sum(hint) > 0.0, closed = false;
  hint += (p->c->t - p->mode[VD_M_LOAD_TIME]) * vd_wide_load(p->mode + VD_M_LOAD_RATE);
  p->tyre = (vd_tyre_forces){.mx = {0.0}}; /* only some tyres have moments */
  e->loop.passes = 1;
  e->loop.residual = 0.0;
  for (int start = hinted ? 0 : 1; start < 2 && !closed && e->loop.residual < INFINITY; start++) {
    vd_start_slopes(start == 0, p);
    closed = vd_newton_loads(n, p, start == 0 ? vd_wide_max(hint, none) : vd_guess_loads(n, p->m, e), e);
  }
  if (!closed && e->loop.residual < INFINITY)
    closed = vd_relax_loads(n, p, e);
  const vd_lane_forces *f = &p->at;
  vd_lanes_store(n, f->load, e->tyre.load);
  vd_lanes_store(n, f->fx, e->tyre.fx);
  vd_lanes_store(n, f->fy, e->tyre.fy);
  vd_lanes_store(n, f->mx, e->tyre.mx);
  vd_lanes_store(n, f->my, e->tyre.my);
  vd_store_slopes(p, e->loop.load_slope);
  return closed;
}

#endif
