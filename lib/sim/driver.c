#include "sim/driver.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "math/chance.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const type_names[] = {"follower", "planner", NULL};

#define FOLLOWS VD_WHEN(VD_DRIVER_FOLLOWER)
#define PLANS   VD_WHEN(VD_DRIVER_PLANNER)

/* clang-format off */
static const vd_field driver_fields[] = {
  {VD_F_CHOICE(vd_driver_def, type, "type", type_names, "follower",
      "follower: steers back to the path; planner: plans a way between the cones of a path within the car's limits"),
   .flags = VD_OMIT_DEFAULT, .example = "follower"},
  {VD_F_NUMBER(vd_driver_def, period, "period", "s", 0, 1, VD_ABOVE, "10 ms",
      "time between two decisions; an integer number of steps")},
  {VD_F_NUMBER(vd_driver_def, delay, "delay", "s", 0, 2, 0, "0",
      "delay from perception to steering; a person has 0.15 s")},
  {VD_F_NUMBER(vd_driver_def, look_ahead, "look_ahead", "s", 0, 5, VD_AUTO, "auto",
      "time ahead at which the curvature of the path is read; auto: the sum of delay, period, dead time and lag of the "
      "steering, and the lag of the car's lateral acceleration at its speed"),
   .only = FOLLOWS},
  {VD_F_NUMBER(vd_driver_def, bandwidth, "bandwidth", "rad/s", 0, 20, VD_ABOVE, "2",
      "natural frequency of the correction of an offset from the path"),
   .only = FOLLOWS},
  {VD_F_NUMBER(vd_driver_def, damping, "damping", "1", 0, 5, VD_ABOVE, "0.9", "damping ratio of the correction"),
   .only = FOLLOWS},
  {VD_F_NUMBER(vd_driver_def, preview, "preview", "s", 0.2, 5, 0, "3 s",
      "time that the driver's plan covers"), .only = PLANS},
  {VD_F_NUMBER(vd_driver_def, wheel_rate, "wheel_rate", "rad/s", 0, 50, VD_ABOVE, "1000 deg/s",
      "greatest rate at which the driver turns the steering wheel"),
   .only = PLANS},
  {VD_F_NUMBER(vd_driver_def, margin, "margin", "m", 0, 1, 0, "3 cm", "distance to cones that the driver's plan keeps"),
   .only = PLANS},
  {VD_F_NUMBER(vd_driver_def, noise, "noise", "rad", 0, 0.5, 0, "0",
      "standard deviation of the noise of the road wheel angle, one sample per decision")},
  {VD_F_INTEGER(vd_driver_def, seed, "seed", 0, 2147483647, "1", "seed of the noise")},
};
/* clang-format on */

const vd_schema vd_driver_schema = {.name = "driver", VD_SCHEMA_ROWS(vd_driver_def, driver_fields), .tag = "type"};

/* Steering control: gain of the proportional part, and of the integral in 1/s. */
static const double curvature_gain = 0.3, curvature_rate = 2.0;
/* Speed below which the curvature is not defined. */
static const double min_speed = 1.0; /* m/s */

static double uniform(int seed, uint64_t index) { /* (0, 1) */
  return ((double)(vd_mix(vd_mix((uint64_t)seed) ^ index) >> 11) + 0.5) * 0x1p-53;
}

/* Returns a normally distributed number, by the Box-Muller transform of two uniform ones. */
double vd_normal(int seed, long index) {
  double u = uniform(seed, 2 * (uint64_t)index), v = uniform(seed, 2 * (uint64_t)index + 1);
  return sqrt(-2.0 * vd_log(u)) * vd_cos(2.0 * VD_PI * v);
}

void vd_driver_start(double steer, vd_driver *d) {
  *d = (vd_driver){.from = steer, .to = steer, .hand_from = steer, .hand_to = steer};
  for (int i = 0; i < VD_DRIVER_RING; i++)
    d->ring[i] = steer;
}

/* Returns the time by which the car's lateral acceleration lags behind slow steering, s. In the linear single track
 * ay/delta is (1 + (b/v) s + ...)/(1 + (a1/a0) s + s^2/a0), with the characteristic polynomial s^2 + a1 s + a0,
 *   a1 = (Cf + Cr)/(m v) + (a^2 Cf + b^2 Cr)/(Iz v),   a0 = Cf Cr L^2/(m Iz v^2) + (b Cr - a Cf)/Iz,
 * so that at low frequencies its phase is the phase of a delay of a1/a0 - b/v (Mitschke, Wallentowitz, Dynamik der
 * Kraftfahrzeuge, single track). */
static double car_lag(const vd_model *m, const double *stiffness, double v) {
  const double max_lag = 0.5; /* near a critical speed the lag has no bound */
  if (m->options.level == VD_L0)
    return 0.0;
  double mass = m->vehicle.mass, inertia = m->vehicle.yaw_inertia, length = m->vehicle.wheelbase;
  double a = m->vehicle.masses.to_axle[VD_FRONT], b = m->vehicle.masses.to_axle[VD_REAR];
  double cf = stiffness[VD_FRONT], cr = stiffness[VD_REAR];
  double a1 = (cf + cr) / (mass * v) + (a * a * cf + b * b * cr) / (inertia * v);
  double a0 = cf * cr * length * length / (mass * inertia * v * v) + (b * cr - a * cf) / inertia;
  return a0 > 0.0 ? vd_min(vd_max(a1 / a0 - b / v, 0.0), max_lag) : max_lag;
}

/* Computes the slip angles of the axles from their side forces in steady turns; the driver steers by them. */
static void know_slips(const vd_model *m, vd_driver *d) {
  enum { LAST = VD_DRIVER_SHARES - 1 };
  vd_known_car car;
  vd_known_car_build(m, &car);
  for (int a = 0; a < VD_AXLES; a++) {
    const double *force = car.force[a], most = force[VD_KNOWN_POINTS - 1];
    d->most[a] = most;
    for (int i = 1, k = 1; i < LAST; i++) {
      while (force[k] < most * i / LAST)
        k++;
      d->slip_for[a][i] = vd_known_step * (k - (force[k] - most * i / LAST) / (force[k] - force[k - 1]));
    }
    d->slip_for[a][LAST] = car.peak[a];
  }
}

static double peak_of(const vd_driver *d, int axle) {
  return d->slip_for[axle][VD_DRIVER_SHARES - 1];
}

/* Returns the greatest side force of an axle, N, at a speed. Downforce adds load, and the force grows with the load. */
static double most_side(const vd_model *m, const vd_driver *d, int axle, double v) {
  double weight = (1.0 - m->vehicle.masses.to_axle[axle] / m->vehicle.wheelbase) * m->vehicle.mass * VD_GRAVITY;
  return d->most[axle] * (1.0 + m->air.downforce[axle] * v * v / weight);
}

/* Returns the slip angle at which an axle has its share of the side force for a lateral acceleration; it is limited to
 * the slip angle of the axle's greatest force. *stiffness: side force divided by slip angle. */
static double slip_in_turn(const vd_model *m, const vd_driver *d, int axle, double v, double across,
                           double *stiffness) {
  const double least = 0.01; /* m/s2 */
  double part = m->vehicle.mass * (1.0 - m->vehicle.masses.to_axle[axle] / m->vehicle.wheelbase);
  double most = most_side(m, d, axle, v), force = vd_min(part * vd_max(fabs(across), least), most);
  double place = force / most * (VD_DRIVER_SHARES - 1);
  int i = place < VD_DRIVER_SHARES - 2 ? (int)place : VD_DRIVER_SHARES - 2;
  const double *slip = &d->slip_for[axle][i];
  double angle = slip[0] + (place - i) * (slip[1] - slip[0]);
  *stiffness = force / angle;
  return copysign(angle, across);
}

/* Returns the steering angle of a steady turn without the geometric part L/R. */
static double slip_steer(const vd_model *m, const vd_driver *d, double v, double across) {
  double stiffness;
  return slip_in_turn(m, d, VD_FRONT, v, across, &stiffness) - slip_in_turn(m, d, VD_REAR, v, across, &stiffness);
}

/* Returns how far ahead the driver looks, s: the time after which the car responds to the steering. If he knows the
 * car's slip angles, he uses the car's lag in the sharper of two turns: the present turn, and the turn at the end of
 * this time. The car lags more if slip angles are near their peaks. */
static double find_ahead(const vd_driver_def *def, const vd_model *m, const vd_path_point *here, double vx,
                         const vd_driver *d) {
  double late = def->delay + m->vehicle.steering.dead_time + m->vehicle.steering.lag + def->period;
  double v = vd_max(fabs(vx), min_speed), ahead = late + car_lag(m, m->slip.cornering, v), stiffness[VD_AXLES];
  if (!(here->grip > 0.0) || d->most[VD_FRONT] == 0.0)
    return ahead;
  vd_path_point there;
  vd_path_at(m->options.path, here->s + ahead * vx, &there);
  double across = vd_max(v * v * fabs(here->curvature), there.speed * there.speed * fabs(there.curvature));
  for (int a = 0; a < VD_AXLES; a++)
    slip_in_turn(m, d, a, v, across, &stiffness[a]);
  return late + car_lag(m, stiffness, v);
}

/* Returns the curvature of the path that the driver follows at the distance `far' ahead. A driver who knows the limits
 * uses the mean up to twice this distance: no car follows a step of the curvature, which needs an infinite yaw
 * acceleration. */
static double curvature_ahead(const vd_path *path, const vd_path_point *here, double far) {
  vd_path_point there;
  bool smooth = here->grip > 0.0 && far > 0.0;
  vd_path_at(path, here->s + (smooth ? 2.0 * far : far), &there);
  return smooth ? (there.heading - here->heading) / (2.0 * far) : there.curvature;
}

/* Returns the curvature for following a path. *needed: the curvature for the pedals; it does not contain corrections of
 * small offsets, which affect the steering alone. */
static double path_curvature(const vd_driver_def *def, const vd_model *m, const vd_state_vector *s, const vd_eval *e,
                             const vd_driver *d, double *needed) {
  static const double patience = 0.3; /* m */
  double x, y, offset, vx = e->motion.vx, v = fabs(vx), to_rear = m->vehicle.masses.to_axle[VD_REAR];
  vd_path_point here;
  vd_model_plan(m, s->x[VD_S_ALONG], s->x[VD_S_ACROSS], &x, &y);
  vd_path_at(m->options.path, vd_path_foot(m->options.path, s->x[VD_S_PATH], x, y, &offset), &here);
  double far = (isnan(def->look_ahead) ? find_ahead(def, m, &here, vx, d) : def->look_ahead) * vx;
  double wanted = curvature_ahead(m->options.path, &here, far);
  double slip = v > min_speed ? vd_atan((e->motion.vy - to_rear * e->motion.yaw_rate) / vx) : 0.0;
  double course =
      remainder(vd_model_heading(m, s->x[VD_S_YAW]) + slip - here.heading, 2.0 * VD_PI) + to_rear * here.curvature;
  /* place and course of the car after the look-ahead, at the present yaw rate */
  double turn = v > min_speed ? e->motion.yaw_rate / vx - here.curvature : 0.0;
  offset += far * (vd_sin(course) + 0.5 * turn * far);
  course += turn * far;
  double reach = vd_max(v / def->bandwidth, 1.5 * m->vehicle.wheelbase);
  double sense = vx < 0.0 ? -1.0 : 1.0, by_course = sense * 2.0 * def->damping * vd_sin(course) / reach;
  double back = offset / (reach * reach) + by_course;
  *needed = wanted - copysign(vd_max(fabs(back) - patience / (reach * reach), 0.0), back);
  return wanted - offset / (reach * reach) - by_course;
}

/* Returns the decision that is `time' old, interpolated linearly between two decisions. */
static double delayed(const vd_driver_def *def, double time, const double *ring, const vd_driver *d) {
  double back = time / def->period;
  long whole = (long)back, near = d->count - 1 - whole + VD_DRIVER_RING, far = near - 1;
  double share = back - (double)whole;
  return (1.0 - share) * ring[near % VD_DRIVER_RING] + share * ring[far % VD_DRIVER_RING];
}

/* Returns the share of steering and pedals that the driver uses; it falls as the rear tyres slide. It depends on the
 * combined slip of the rear wheel that slides less, divided by the slip of that wheel's greatest side force. */
static double hold_of(const vd_model *m, const vd_eval *e, const vd_driver *d) {
  static const double first = 0.8, last = 1.1;
  double v = vd_max(e->motion.vx, min_speed),
         back = e->motion.vy - m->vehicle.masses.to_axle[VD_REAR] * e->motion.yaw_rate;
  double along = vd_min(fabs(e->slip.kappa[VD_RL]), fabs(e->slip.kappa[VD_RR]));
  double used = vd_hypot(vd_atan(back / v), along) / peak_of(d, VD_REAR);
  return vd_min(vd_max((last - used) / (last - first), 0.0), 1.0);
}

/* Returns the share of the ellipse of friction that is left along the path if a share of the lateral force is used. */
static double left_along(double used) {
  return used < 1.0 ? sqrt(1.0 - used * used) : 0.0;
}

/* Returns the share of the path's own deceleration that the driver keeps if he must turn more than the path. It follows
 * from the ellipse of friction, because the brakes would reduce the side force of sliding front tyres. A car that is
 * faster than the path keeps its brakes, because it would leave the path in a bend that tightens. */
static double brake_kept(const vd_path_point *at, double v, double part) {
  static const double fast = 0.01;  /* relative excess over the path's speed at which all brakes are kept */
  static const double least = 0.05; /* below this part the path's own turn uses all friction */
  double own = left_along(at->speed * at->speed * fabs(at->curvature) / at->grip);
  double calm = vd_min(vd_max(1.0 - (v / at->speed - 1.0) / fast, 0.0), 1.0);
  return own > least ? 1.0 - calm * (1.0 - vd_min(part / own, 1.0)) : 1.0;
}

/* Limits steering and pedals for a curvature according to the limits of the path (vd_path_node.grip). */
static void keep_limits(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e,
                        double curvature, vd_driver *d) {
  /* firmer: m/s2, deceleration that is always allowed in addition to the deceleration of the path's speeds; slower:
   * deceleration over the excess of the lateral force over the grip */
  static const double firmer = 1.0, slower = 0.5;
  const double *arm = m->vehicle.masses.to_axle;
  double v = vd_max(e->motion.vx, min_speed), turn = e->motion.yaw_rate;
  vd_path_point at;
  vd_path_at(m->options.path, s->x[VD_S_PATH], &at);
  d->has_range = at.grip > 0.0;
  if (!d->has_range)
    return;
  if (d->most[VD_FRONT] == 0.0 && m->lanes.count == VD_WHEELS)
    know_slips(m, d);
  d->hold = d->most[VD_REAR] > 0.0 ? hold_of(m, e, d) : 1.0;
  double rate = at.speed * at.speed_slope, used = v * v * fabs(curvature) / at.grip;
  double part = left_along(used), lack = slower * vd_max(used - 1.0, 0.0) * at.grip;
  /* components of the tyres' side forces against the motion, due to side slip and the front wheels' angle */
  double drag = -turn * e->motion.vy + arm[VD_REAR] / (arm[VD_FRONT] + arm[VD_REAR]) * v * turn * vd_sin(c->steer);
  double brake = rate < 0.0 ? brake_kept(&at, v, part) * rate : rate;
  double least = vd_min(brake - at.grip * part - firmer, 0.0), most = rate + at.drive * part - lack + drag;
  d->range[0] = d->hold * least;
  d->range[1] = vd_max(most > 0.0 ? d->hold * most : most, d->range[0]);
}

/* Computes the range of the road wheel angle: within the steering's range and up to the slip angle of the greatest side
 * force. */
static void steer_range(const vd_model *m, const vd_eval *e, const vd_driver *d, double range[2]) {
  double v = e->motion.vx, most = d->hold * peak_of(d, VD_FRONT);
  range[1] = m->vehicle.steering.max_angle;
  range[0] = -range[1];
  if (!d->has_range || d->most[VD_FRONT] == 0.0 || v < min_speed)
    return;
  double along = vd_atan((e->motion.vy + m->vehicle.masses.to_axle[VD_FRONT] * e->motion.yaw_rate) / v);
  range[0] = vd_min(vd_max(range[0], along - most), range[1]);
  range[1] = vd_max(vd_min(range[1], along + most), range[0]);
}

/* Returns the angle for a curvature, and integrates the error of the curvature; the integral stops at the limit of the
 * steering. The present motion of the car is the response to the curvature that was commanded one delay ago, so the
 * error is relative to this earlier command. With the present command a driver with delay would counteract his own
 * steering. */
static double steer_for(const vd_driver_def *def, const vd_model *m, double curvature, const vd_eval *e, vd_driver *d) {
  double length = m->vehicle.wheelbase, v = e->motion.vx, range[2];
  bool dynamic = m->options.level != VD_L0;
  double gain = length + (dynamic ? m->control.understeer * v * v : 0.0);
  double late = def->delay + m->vehicle.steering.dead_time;
  /* whether the car responds to this driver's commands already */
  bool answered = (double)(d->count - 1) * def->period >= late;
  double error =
      answered && fabs(v) > min_speed ? delayed(def, late, d->curvature_command, d) - e->motion.yaw_rate / v : 0.0;
  double forward = vd_atan(curvature * length) + (gain - length) * curvature;
  if (d->has_range && d->most[VD_FRONT] > 0.0)
    forward = vd_atan(curvature * length) + slip_steer(m, d, v, v * v * curvature);
  /* near its critical speed an oversteering car needs almost no angle; the gain is limited to a tenth of the
   * wheelbase */
  double back = vd_max(gain, 0.1 * length) * (curvature_gain * error + d->integral);
  double steer = forward + back;
  steer_range(m, e, d, range);
  if (error > 0.0 ? steer < range[1] : steer > range[0])
    d->integral += curvature_rate * error * def->period;
  return vd_min(vd_max(steer, range[0]), range[1]);
}

/* ---- planner ---- */

/* Computes the position, motion and roll of the car in the axes of the gates, as the driver observes them. The
 * longitudinal acceleration without the part of the front side force is assumed to stay constant. */
static void look(const vd_driver_def *def, const vd_model *m, const vd_state_vector *s, const vd_eval *e,
                 const vd_driver *d, vd_plan_start *now) {
  const vd_path *path = m->options.path;
  double x, y, c = vd_cos(path->origin_yaw), z = vd_sin(path->origin_yaw), slope;
  vd_model_plan(m, s->x[VD_S_ALONG], s->x[VD_S_ACROSS], &x, &y);
  *now = (vd_plan_start){
      .x = c * (x - path->origin_x) + z * (y - path->origin_y),
      .y = c * (y - path->origin_y) - z * (x - path->origin_x),
      .heading = remainder(vd_model_heading(m, s->x[VD_S_YAW]) - path->origin_yaw, 2.0 * VD_PI),
      .vx = vd_max(e->motion.vx, min_speed),
      .vy = e->motion.vy,
      .yaw_rate = e->motion.yaw_rate,
      .lean = -d->planner.car.lean_arm * s->x[VD_S_ROLL],
      .lean_rate = -d->planner.car.lean_arm * e->motion.roll_rate,
      .slip = {d->planner.slip[VD_FRONT], d->planner.slip[VD_REAR]},
      .steer = delayed(def, def->delay + m->vehicle.steering.dead_time, d->ring, d),
  };
  double front = vd_known_force(&d->planner.car, VD_FRONT, d->planner.slip[VD_FRONT], now->lean, &slope);
  now->pull = e->body.ax + front * vd_sin(now->steer) / d->planner.car.mass;
}

/* Steers by the first step of the plan, which starts where the car will be when the steering wheel turns. */
static double steer_by_plan(const vd_driver_def *def, const vd_model *m, const vd_state_vector *s, const vd_eval *e,
                            vd_driver *d) {
  vd_cone cone[VD_PATH_CONES];
  const bool first = d->planner.plan.count == 0;
  if (first)
    vd_known_car_build(m, &d->planner.car);
  const vd_plan_task task = {
      .car = &d->planner.car,
      .path = m->options.path,
      .cone = cone,
      .cones = vd_path_cones(m->options.path, cone),
      .margin = def->margin,
      .max_rate = def->wheel_rate / m->vehicle.steering.ratio,
      .max_steer = m->vehicle.steering.max_angle,
      .steps = (int)vd_min(ceil(def->preview / vd_plan_step), VD_PLAN_STEPS),
  };
  double late = def->delay + m->vehicle.steering.dead_time, gone = 0.0;
  vd_plan_start now;
  look(def, m, s, e, d, &now);
  for (int i = 0; gone < late; i++) {
    double time = vd_min(def->period, late - gone);
    gone += time;
    vd_plan_move(&task, (delayed(def, late - gone, d->ring, d) - now.steer) / time, time, &now);
    if (i == 0)
      memcpy(d->planner.slip, now.slip, sizeof d->planner.slip);
  }
  if (!first)
    vd_plan_shift(def->period, &d->planner.plan);
  vd_plan_improve(&task, &now, first ? 100 : 10, &d->planner.plan);
  double steer = now.steer + d->planner.plan.rate[0] * def->period;
  if (late == 0.0) {
    vd_plan_move(&task, d->planner.plan.rate[0], def->period, &now);
    memcpy(d->planner.slip, now.slip, sizeof d->planner.slip);
  }
  return steer;
}

void vd_driver_decide(const vd_driver_def *def, const vd_model *m, const vd_command *c, const vd_state_vector *s,
                      const vd_eval *e, vd_driver *d) {
  double speed = copysign(vd_max(fabs(e->motion.vx), min_speed), e->motion.vx), curvature = 0.0, needed = 0.0;
  bool plans = def->type == VD_DRIVER_PLANNER && c->lateral == VD_LAT_PATH;
  double planned = plans ? steer_by_plan(def, m, s, e, d) : 0.0;
  switch (c->lateral) {
  case VD_LAT_STEER:
  case VD_LAT_TORQUE: break;
  case VD_LAT_CURVATURE: curvature = c->lateral_demand; break;
  case VD_LAT_YAW_RATE: curvature = c->lateral_demand / speed; break;
  case VD_LAT_ACCELERATION: curvature = c->lateral_demand / (speed * speed); break;
  case VD_LAT_PATH: curvature = plans ? 0.0 : path_curvature(def, m, s, e, d, &needed); break;
  }
  d->has_range = false;
  if (c->lateral == VD_LAT_PATH && c->longitudinal == VD_LON_PATH_SPEED && !plans)
    keep_limits(m, c, s, e, needed, d);
  double limit = m->vehicle.steering.max_angle;
  d->curvature_command[d->count % VD_DRIVER_RING] = curvature;
  d->count++;
  double steer = (plans ? planned : steer_for(def, m, curvature, e, d)) +
                 (def->noise > 0.0 ? def->noise * vd_normal(def->seed, d->count - 1) : 0.0);
  d->ring[(d->count - 1) % VD_DRIVER_RING] = vd_min(vd_max(steer, -limit), limit);
  d->since = c->t;
  d->from = d->to;
  d->to = delayed(def, def->delay + m->vehicle.steering.dead_time, d->ring, d);
  d->hand_from = d->hand_to;
  d->hand_to = delayed(def, def->delay, d->ring, d);
}

void vd_driver_steer(const vd_driver_def *def, const vd_driver *d, double t, vd_command *c) {
  double share = (t - d->since) / def->period;
  c->steer_rate = (d->to - d->from) / def->period;
  c->steer = d->from + (d->to - d->from) * share;
  c->hand = d->hand_from + (d->hand_to - d->hand_from) * share;
  c->has_range = d->has_range;
  memcpy(c->range, d->range, sizeof c->range);
}
