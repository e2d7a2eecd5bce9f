#include "model/steered.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

/* End stops of the column at the largest angle. */
static const double stop_stiffness = 500.0; /* N m/rad at the steering wheel */

void vd_steered_build(vd_model *m) {
  const vd_steering *s = &m->vehicle.steering;
  enum vd_level level = m->options.level;
  m->column = level != VD_L0 && s->column.given;
  m->steering = s->lag > 0.0 || m->column || s->rear.gain;
  m->steering_axes = level != VD_L0 && !vd_model_linked(m) && (m->column || vd_steering_has_axes(s));
  m->kingpin = vd_kingpin_make(s, m->vehicle.axle[VD_FRONT].wheel_radius);
}

/* --- the hands --- */

static bool hands_off(const vd_command *c) {
  return c->lateral == VD_LAT_TORQUE;
}

/* Computes the angle of the steering wheel and its rate. */
static void hand_angle(const vd_model *m, const vd_command *c, const double *x, double *angle, double *rate) {
  double slope;
  if (hands_off(c)) {
    *angle = x[VD_S_HAND];
    *rate = x[VD_S_HAND_RATE];
    return;
  }
  *angle = vd_steering_wheel(&m->vehicle.steering, c->steer, &slope);
  *rate = slope * c->steer_rate;
}

double vd_model_steer(const vd_model *m, const vd_command *c, const vd_state_vector *s) {
  double slope;
  return m->column && hands_off(c) ? vd_steering_mean(&m->vehicle.steering, s->x[VD_S_HAND], &slope) : c->steer;
}

/* --- the wheels' angles --- */

/* Sets the wheels' angles from the state of the steering. With a lag, the rate of the angle follows from the
 * command. */
static void follow(const vd_model *m, const double *x, vd_command *c) {
  double limit = m->vehicle.steering.rate_limit, rate = (c->steer - x[VD_S_STEER]) / m->vehicle.steering.lag;
  if (!isnan(limit))
    rate = vd_min(vd_max(rate, -limit), limit);
  c->steer = x[VD_S_STEER];
  c->steer_rate = rate;
}

static double rear_rate(const vd_model *m, const vd_command *own, const double *x) {
  const vd_steering *s = &m->vehicle.steering;
  const double asked = m->options.requests ? own->rear_steer_request : 0.0;
  return (vd_steering_rear_gain(s, x[VD_S_VX]) * own->steer + asked - x[VD_S_REAR_STEER]) / s->rear.lag;
}

void vd_steered_set_angles(const vd_model *m, const double *x, vd_command *own) {
  const vd_steering *s = &m->vehicle.steering;
  if (m->column) {
    double slope;
    own->steer = vd_steering_mean(s, x[VD_S_GEAR], &slope);
    own->steer_rate = slope * x[VD_S_GEAR_RATE];
  } else if (s->lag > 0.0) {
    follow(m, x, own);
  }
  vd_command_set_angles(m, own);
  if (!s->rear.gain)
    return;
  const vd_linkage_map *rear = m->vehicle.axle[VD_REAR].map; /* linkages and tables have a rack */
  double angle = x[VD_S_REAR_STEER], rate = rear_rate(m, own, x), slope;
  if (rear && rear->steer) {
    own->rack[VD_REAR] = vd_linkage_rack(rear, angle, &slope);
    own->rack_rate[VD_REAR] = slope * rate;
  }
  for (int i = m->lanes.count / 2; i < m->lanes.count; i++) {
    own->angle[i] = angle;
    own->angle_rate[i] = rate;
    own->cos_angle[i] = vd_cos(angle);
    own->sin_angle[i] = vd_sin(angle);
  }
}

/* --- steering axes --- */

void vd_steered_poses(const vd_model *m, const vd_command *c, vd_steered_wheels *w) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_kingpin_pose p = {.axle = {-c->sin_angle[i], c->cos_angle[i], 0.0},
                         .axle_slope = {-c->cos_angle[i], -c->sin_angle[i], 0.0},
                         .turn = {0.0, 0.0, 1.0}};
    if (vd_is_front(i))
      vd_kingpin_at(&m->kingpin, vd_is_right(i), c->angle[i], &p);
    for (int j = 0; j < 3; j++) {
      w->move[j][i] = p.move[j];
      w->move_slope[j][i] = p.move_slope[j];
      w->axle[j][i] = p.axle[j];
      w->axle_slope[j][i] = p.axle_slope[j];
      w->turn[j][i] = p.turn[j];
    }
  }
}

/* Computes the derivative of one wheel's contact point by its angle, on level ground: c' - a (a' . down), where down
 * leads to the disc's lowest point; about: rotation about the axle per angle, which is part of the spin. */
static void arm_of(const vd_kingpin_pose *p, double radius, double cosine, double sine, double *arm, double *about) {
  const double *a = p->axle;
  double upright = sqrt(1.0 - a[2] * a[2]), down[3], by[3];
  for (int j = 0; j < 3; j++)
    down[j] = -radius * ((j == 2 ? 1.0 : 0.0) - a[2] * a[j]) / upright;
  double rise = vd_dot(p->axle_slope, down);
  for (int j = 0; j < 3; j++)
    by[j] = p->move_slope[j] - rise * a[j];
  arm[0] = by[0] * cosine + by[1] * sine;
  arm[1] = by[1] * cosine - by[0] * sine;
  arm[2] = by[2];
  *about = vd_dot(p->turn, a);
}

void vd_steered_arms(const vd_model *m, const vd_command *c, vd_eval *e) {
  const int n = m->lanes.count, both = n == 2 ? 2 : 1; /* wheels in a lane */
  for (int i = 0; i < n; i++) {
    e->steering.steer_arm[0][i] = e->steering.steer_arm[1][i] = e->steering.steer_arm[2][i] =
        e->steering.steer_spin[i] = 0.0;
    for (int k = 0; k < both && i < n / 2; k++) {
      vd_kingpin_pose p;
      double arm[3], about;
      vd_kingpin_at(&m->kingpin, both == 2 ? k == 1 : i == 1, c->angle[i], &p);
      arm_of(&p, m->lanes.radius[i], c->cos_angle[i], c->sin_angle[i], arm, &about);
      for (int j = 0; j < 3; j++)
        e->steering.steer_arm[j][i] += arm[j] / both;
      e->steering.steer_spin[i] += about / both;
    }
  }
}

/* Computes the moments of the road on the wheels' angles at L1 and L2, and the works of these moments. */
static void planar_moments(const vd_model *m, const vd_command *own, vd_eval *e, double *dx) {
  for (int i = 0; i < m->lanes.count; i++) {
    double rate = own->angle_rate[i], lift = e->tyre.load[i] * e->steering.steer_arm[2][i];
    e->steering.steer_moment[i] = e->tyre.fx[i] * e->steering.steer_arm[0][i] +
                                  e->tyre.fy[i] * e->steering.steer_arm[1][i] + lift + e->tyre.mz[i];
    dx[VD_S_WORK_TYRE] += e->tyre.mz[i] * rate;
    dx[VD_S_WORK_OUTSIDE] += lift * rate;
    dx[VD_S_WORK_STEERING] -= e->steering.steer_moment[i] * rate;
  }
}

/* Computes the moments of brakes: the knuckle carries the torque of its brake, and turns about the wheel's axle as it
 * is steered. */
static void brake_moments(const vd_model *m, const vd_command *own, const double *mode, vd_eval *e, double *dx) {
  for (int i = 0; i < m->lanes.count; i++) {
    double brake = mode[i] == 0.0 ? -e->spin.spin_torque[i] : -mode[i] * e->drive.brake_capacity[i];
    double moment = -brake * e->steering.steer_spin[i], power = moment * own->angle_rate[i];
    e->steering.steer_moment[i] += moment;
    dx[VD_S_WORK_BRAKE] += power;
    dx[VD_S_WORK_STEERING] -= power;
  }
}

/* Returns the work against the road per mean angle of the front wheels: minus the moment of the road on this angle.
 * steer: rad, the mean angle. */
static double resistance(const vd_model *m, double steer, const vd_eval *e) {
  double angle[2], slope[2] = {1.0, m->options.level == VD_L1 && m->steering_axes ? 0.0 : 1.0}, work = 0.0;
  if (vd_model_linked(m)) {
    if (m->ride.link.map[VD_FL]->steer)
      vd_linkage_rack(m->ride.link.map[VD_FL], steer, &work);
    return work * -e->steering.rack_force[VD_FRONT];
  }
  if (m->options.level >= VD_L2)
    vd_steering_angles(&m->vehicle, steer, angle, slope);
  for (int i = VD_FL; i <= VD_FR; i++)
    work -= slope[i] * (m->steering_axes ? e->steering.steer_moment[i]
                                         : e->tyre.mz[i] - m->vehicle.steering.trail * e->tyre.fy[i]);
  return work;
}

/* --- the column --- */

static double beyond_stop(const vd_model *m, double gear) {
  double slope, most = vd_steering_wheel(&m->vehicle.steering, m->vehicle.steering.max_angle, &slope);
  return gear - vd_min(vd_max(gear, -most), most);
}

static double twist_energy(const vd_model *m, double hand, double rate, double gear) {
  const vd_column *k = &m->vehicle.steering.column;
  double twist = hand - gear;
  return 0.5 * (k->wheel_inertia * rate * rate + k->stiffness * twist * twist);
}

static double friction_energy(const vd_friction *f, double torque) {
  return f->limit > 0.0 ? 0.5 * torque * torque / f->stiffness : 0.0;
}

double vd_steered_energy(const vd_model *m, const vd_command *c, const double *x) {
  const vd_column *k = &m->vehicle.steering.column;
  double hand, rate, gear = x[VD_S_GEAR], over = beyond_stop(m, gear);
  hand_angle(m, c, x, &hand, &rate);
  return twist_energy(m, hand, rate, gear) + 0.5 * k->gear_inertia * x[VD_S_GEAR_RATE] * x[VD_S_GEAR_RATE] +
         0.5 * stop_stiffness * over * over + friction_energy(&k->wheel_friction, x[VD_S_HAND_FRICTION]) +
         friction_energy(&k->gear_friction, x[VD_S_GEAR_FRICTION]);
}

static void column_rates(const vd_model *m, const vd_command *c, const vd_command *own, const double *x, vd_eval *e,
                         double *dx) {
  const vd_steering *s = &m->vehicle.steering;
  const vd_column *k = &s->column;
  double hand, hand_rate, gear = x[VD_S_GEAR], rate = x[VD_S_GEAR_RATE], slope;
  hand_angle(m, c, x, &hand, &hand_rate);
  vd_steering_mean(s, gear, &slope);
  double moment = -resistance(m, own->steer, e), twist = k->stiffness * (hand - gear), twisting = hand_rate - rate;
  double bar = twist + k->twist_damping * twisting, assist = vd_steering_assist(s, e->motion.vx, twist, NULL);
  double upper = x[VD_S_HAND_FRICTION], lower = x[VD_S_GEAR_FRICTION];
  double against = bar + k->wheel_damping * hand_rate + upper;
  double torque = hands_off(c) ? c->torque : against;
  double force = bar + assist - k->gear_damping * rate - lower + moment * slope - stop_stiffness * beyond_stop(m, gear);
  dx[VD_S_HAND] = hands_off(c) ? hand_rate : 0.0;
  dx[VD_S_HAND_RATE] = hands_off(c) ? (torque - against) / k->wheel_inertia : 0.0;
  dx[VD_S_GEAR] = rate;
  dx[VD_S_GEAR_RATE] = force / k->gear_inertia;
  dx[VD_S_HAND_FRICTION] = vd_friction_rate(&k->wheel_friction, hand_rate, upper);
  dx[VD_S_GEAR_FRICTION] = vd_friction_rate(&k->gear_friction, rate, lower);
  dx[VD_S_WORK_ASSIST] = assist * rate;
  dx[VD_S_WORK_COLUMN] = -k->twist_damping * twisting * twisting - k->wheel_damping * hand_rate * hand_rate -
                         k->gear_damping * rate * rate - vd_friction_loss(&k->wheel_friction, hand_rate, upper) -
                         vd_friction_loss(&k->gear_friction, rate, lower);
  dx[VD_S_WORK_STEERING] += moment * own->steer_rate + torque * hand_rate; /* the gear turns the front wheels */
  e->steering.steering_torque = torque;
  e->steering.bar_torque = bar;
  e->steering.assist_torque = assist;
}

void vd_steered_rates(const vd_model *m, const vd_command *c, const vd_command *own, const double *x,
                      const double *mode, vd_eval *e, double *dx) {
  e->steering.steer_actual = own->steer;
  if (m->steering_axes && m->options.level <= VD_L2)
    planar_moments(m, own, e, dx);
  if (m->steering_axes)
    brake_moments(m, own, mode, e, dx);
  if (m->column)
    column_rates(m, c, own, x, e, dx);
  else if (m->vehicle.steering.lag > 0.0)
    dx[VD_S_STEER] = own->steer_rate;
  if (m->vehicle.steering.rear.gain)
    dx[VD_S_REAR_STEER] = rear_rate(m, own, x);
}

void vd_steered_start(const vd_model *m, const vd_command *c, double speed, vd_state_vector *s) {
  double unused;
  s->x[VD_S_STEER] = c->steer;
  if (m->column)
    s->x[VD_S_HAND] = s->x[VD_S_GEAR] = vd_steering_wheel(&m->vehicle.steering, c->steer, &unused);
  if (m->vehicle.steering.rear.gain && m->options.level != VD_L0)
    s->x[VD_S_REAR_STEER] = vd_steering_rear_gain(&m->vehicle.steering, speed) * c->steer;
}

void vd_steered_take_hold(const vd_model *m, const vd_command *c, bool twisted, vd_state_vector *s) {
  double hand, rate, *x = s->x, gear = x[VD_S_GEAR];
  if (!m->column || hands_off(c))
    return;
  hand_angle(m, c, x, &hand, &rate);
  x[VD_S_WORK_STEERING] +=
      twist_energy(m, hand, rate, gear) - twist_energy(m, twisted ? x[VD_S_HAND] : hand, x[VD_S_HAND_RATE], gear);
  x[VD_S_HAND] = hand;
  x[VD_S_HAND_RATE] = rate;
}

void vd_steered_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e) {
  double unused;
  e->log.energy_steering = e->steering.column_angle = 0.0;
  if (!m->steering)
    e->steering.steer_actual = c->steer;
  if (m->column && hands_off(c)) {
    e->steering.steering_wheel = s->x[VD_S_HAND];
    e->steering.steer = vd_steering_mean(&m->vehicle.steering, e->steering.steering_wheel, &unused);
  } else {
    e->steering.steer = c->hand;
    e->steering.steering_wheel = vd_steering_wheel(&m->vehicle.steering, c->hand, &unused);
  }
  if (m->column)
    e->steering.column_angle = s->x[VD_S_GEAR];
  else
    e->steering.bar_torque = e->steering.assist_torque = 0.0;
}

void vd_steered_torque(const vd_model *m, vd_eval *e) {
  const vd_steering *s = &m->vehicle.steering;
  if (m->options.level == VD_L0)
    e->steering.steering_torque = 0.0;
  else if (!m->column && !s->gear)
    e->steering.steering_torque = resistance(m, e->steering.steer_actual, e) / s->ratio;
  else if (!m->column) {
    double slope;
    vd_steering_wheel(s, e->steering.steer_actual, &slope);
    e->steering.steering_torque = resistance(m, e->steering.steer_actual, e) / slope;
  }
}
