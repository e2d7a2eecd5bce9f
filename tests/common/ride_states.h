/* Random states of levels with a free body, and laws that are independent of the solution of the equations: the common
 * part of the tests of the fourteen-DOF level and the hardpoint level. A test that includes this file gives the places
 * of masses and axles of its suspension.
 *
 * Power: along the motion, the total energy of the log changes by the sum of all work rates. The change is a
 * central difference of the energy at x +- h dx, with commands at these times, extrapolated to fourth order
 * (Richardson).
 *
 * Momentum: the rate of the linear momentum of the five masses is m g + aero + tyre forces; the rate of the angular
 * momentum about the centre of gravity, wheel spins included, is the moment of those forces and of the tyres'
 * moments. Velocities are differences of places. */
#ifndef VD_RIDE_STATES_H
#define VD_RIDE_STATES_H

#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- random states --- */

static uint64_t seed;

static inline double uniform(double from, double to) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double around(double size) {
  return uniform(-size, size);
}

static inline double sign_of(double v) {
  return v < 0.0 ? -1.0 : 1.0;
}

enum { LOCKED = 1, STUCK = 2, HELD = 4 };

typedef struct sample {
  vd_state_vector s;
  vd_command c;
} sample;

static inline void random_state(const vd_model *m, const vd_command *like, int what, sample *p) {
  vd_command *c = &p->c;
  double speed = uniform(0.0, 1.0) < 0.15 ? around(8.0) : uniform(4.0, 40.0);
  *c = *like;
  vd_start start = {.speed = speed, .z = NAN, .pitch = NAN, .roll = NAN};
  start.x = around(1.0);
  start.y = around(1.0);
  start.yaw = around(3.0);
  vd_model_start(m, c, &start, &p->s);
  double *x = p->s.x, *mode = p->s.mode, airborne = uniform(0.0, 1.0);
  x[VD_S_HEIGHT] += airborne < 0.15 ? 2.0 : around(0.05);
  x[VD_S_ROLL] += around(0.15);
  x[VD_S_PITCH] += around(0.08);
  x[VD_S_VZ] = around(1.0);
  x[VD_S_ROLL_RATE] = around(1.0);
  x[VD_S_PITCH_RATE] = around(1.0);
  if (!(what & HELD)) {
    x[VD_S_VY] = around(3.0);
    x[VD_S_YAW_RATE] = around(1.0);
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    x[VD_S_TRAVEL + i] = around(0.1); /* beyond the stops at 80 mm, too */
    x[VD_S_TRAVEL_RATE + i] = around(1.0);
    x[VD_S_SPIN + i] += around(10.0);
    x[VD_S_DEFLECTION_X + i] = m->transient ? around(0.02) : 0.0;
    x[VD_S_DEFLECTION_Y + i] = m->transient ? around(0.02) : 0.0;
    x[VD_S_TWIST + i] = m->transient && m->turn_slip ? around(0.5) : 0.0;
  }
  if (what & LOCKED)
    for (int i = 0; i < VD_WHEELS; i++)
      if (uniform(0.0, 1.0) < 0.6)
        mode[VD_M_BRAKE + i] = x[VD_S_SPIN + i] = 0.0;
  for (int k = VD_M_CLUTCH; k <= VD_M_CENTRE; k++)
    mode[k] = sign_of(around(1.0));
  if (what & STUCK) {
    mode[VD_M_REAR] = mode[VD_M_CLUTCH] = 0.0;
    if (mode[VD_M_BRAKE + VD_RR] == 0.0)
      x[VD_S_SPIN + VD_RL] = 0.0;
    x[VD_S_SPIN + VD_RR] = x[VD_S_SPIN + VD_RL];
  }
  /* shafts that are joined rigidly turn together */
  for (int k = VD_M_FRONT; k <= VD_M_REAR; k++)
    if (m->shafts.permanent[k]) {
      mode[k] = 0.0;
      x[VD_S_SPIN + (k == VD_M_FRONT ? VD_FR : VD_RR)] = x[VD_S_SPIN + (k == VD_M_FRONT ? VD_FL : VD_RL)];
    }
  if (m->motor_shaft) {
    double driven = 0.0;
    for (int i = 0; i < VD_WHEELS; i++)
      driven += m->lanes.drive_share[i] * x[VD_S_SPIN + i];
    driven *= vd_gear_ratio(&m->vehicle.drivetrain, m->vehicle.drivetrain.engine ? (int)mode[VD_M_GEAR] : 1);
    if (m->shafts.permanent[VD_M_CLUTCH])
      mode[VD_M_CLUTCH] = 0.0;
    x[VD_S_MOTOR] = driven + (mode[VD_M_CLUTCH] == 0.0 ? 0.0 : around(30.0));
  }
  for (int i = 0; i < VD_WHEELS; i++)
    if (mode[VD_M_BRAKE + i] != 0.0)
      mode[VD_M_BRAKE + i] = sign_of(x[VD_S_SPIN + i]);
  c->throttle = uniform(0.0, 1.0);
  c->brake = uniform(0.0, 1.0) < 0.5 ? 0.0 : uniform(0.0, 0.5);
  c->handbrake = uniform(0.0, 1.0) < 0.7 ? 0.0 : uniform(0.0, 1.0);
  if (m->abs)
    for (int i = 0; i < VD_WHEELS; i++)
      x[VD_S_PRESSURE + i] = uniform(0.0, 1.0);
  c->steer = c->hand = around(0.4);
  c->steer_rate = around(1.0);
  x[VD_S_STEER] = around(0.4);
  for (int i = VD_S_BUSHINGS; i < VD_S_STEERED && m->ride.bushing.elastic_map[VD_FRONT]; i++)
    x[i] = around(0.4);
  if (m->column) {
    const double most = 1.1 * m->vehicle.steering.max_angle * m->vehicle.steering.ratio; /* beyond the stops, too */
    /* with a variable ratio a constant rate of the road wheels is no constant rate of the steering wheel */
    c->lateral = uniform(0.0, 1.0) < 0.5 && !m->vehicle.steering.gear ? VD_LAT_STEER : VD_LAT_TORQUE;
    c->torque = around(10.0);
    x[VD_S_GEAR] = around(most);
    x[VD_S_HAND] = x[VD_S_GEAR] + around(0.1);
    x[VD_S_GEAR_RATE] = around(10.0);
    x[VD_S_HAND_RATE] = around(10.0);
    x[VD_S_GEAR_FRICTION] = around(1.0);
    x[VD_S_HAND_FRICTION] = around(1.0);
  }
  if (m->vehicle.steering.rear.gain)
    x[VD_S_REAR_STEER] = around(0.2);
  for (int i = 0; i < VD_WHEELS && (what & HELD); i++) {
    c->post[i] = around(0.03);
    c->post_rate[i] = around(0.5);
  }
  vd_command_set_angles(m, c);
}

static inline void evaluate(const vd_model *m, const sample *p, vd_eval *e, double *dx) {
  memset(e, 0, sizeof *e);
  memset(dx, 0, VD_STATES * sizeof *dx);
  vd_model_rates(m, &p->c, p->s.x, p->s.mode, e, dx);
  vd_model_observe(m, &p->c, &p->s, 0.0, VD_VIEW_ALL, e);
}

/* Returns the state a small time later along the motion. */
static inline sample moved(const vd_model *m, const sample *p, const double *dx, double h) {
  sample q = *p;
  for (int i = 0; i < VD_STATES; i++)
    q.s.x[i] += h * dx[i];
  q.c.steer += h * p->c.steer_rate;
  for (int i = 0; i < VD_WHEELS; i++)
    q.c.post[i] += h * p->c.post_rate[i];
  vd_command_set_angles(m, &q.c);
  return q;
}

/* Combines two central differences to fourth order. */
static inline double slope(double far_plus, double far_minus, double near_plus, double near_minus, double h) {
  return (4.0 * (near_plus - near_minus) / h - (far_plus - far_minus) / (2.0 * h)) / 3.0;
}

/* --- vectors --- */

typedef struct vec {
  double v[3];
} vec;

static inline vec vec_of(double x, double y, double z) {
  return (vec){{x, y, z}};
}

static inline vec add(vec a, double by, vec b) {
  return vec_of(a.v[0] + by * b.v[0], a.v[1] + by * b.v[1], a.v[2] + by * b.v[2]);
}

static inline vec cross(vec a, vec b) {
  return vec_of(a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

static inline double dot(vec a, vec b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static inline double norm(vec a) {
  return sqrt(dot(a, a));
}

static inline vec unit(vec a) {
  return add(vec_of(0, 0, 0), 1.0 / norm(a), a);
}

/* --- the car, from its data; body axes from the centre of gravity of the whole car in the design position, in the
 * middle plane --- */

enum { MASSES = 5 }; /* four unsprung, the sprung one */

static inline const vd_vehicle_def *vehicle_of(const scene *s) {
  return &s->def.vehicle;
}

static inline double sprung_mass(const vd_vehicle_def *v) {
  return v->mass - 2.0 * (v->axle[0].unsprung_mass + v->axle[1].unsprung_mass);
}

static inline double axle_x(const vd_vehicle_def *v, int a) {
  return a == 0 ? v->cg_to_front : v->cg_to_front - v->wheelbase;
}

static inline double half(const vd_vehicle_def *v, int i) {
  return (vd_is_right(i) ? -0.5 : 0.5) * v->axle[vd_axle_of(i)].track;
}

/* Returns the value of an optional key, 0 if it is not given. */
static inline double or_zero(double x) {
  return isnan(x) ? 0.0 : x;
}

static inline vec sprung_place(const vd_vehicle_def *v) {
  double x = 0.0, z = v->mass * v->cg_height, ms = sprung_mass(v);
  for (int a = 0; a < VD_AXLES; a++) {
    x -= 2.0 * v->axle[a].unsprung_mass * axle_x(v, a);
    z -= 2.0 * v->axle[a].unsprung_mass * v->axle[a].unsprung_height;
  }
  return vec_of(x / ms, v->mass * or_zero(v->cg_left) / ms, z / ms - v->cg_height);
}

static inline double mass_of(const vd_vehicle_def *v, int k) {
  return k < VD_WHEELS ? v->axle[vd_axle_of(k)].unsprung_mass : sprung_mass(v);
}

/* Functions by which a test describes its suspension. */
typedef struct geometry {
  vec (*unsprung)(const scene *s, int wheel, const double *travel); /* place of an unsprung mass */
  /* axle of a wheel, to the left, and the angular velocity of its knuckle about it, rad/s */
  vec (*axle)(const scene *s, const sample *p, const vd_eval *e, int wheel, double *turn);
} geometry;

static inline vec mass_place(const geometry *own, const scene *s, int k, const double *travel) {
  return k < VD_WHEELS ? own->unsprung(s, k, travel) : sprung_place(vehicle_of(s));
}

typedef struct pose {
  vec x, y, z; /* body axes in the world */
  vec origin;
} pose;

static inline pose pose_of(const double *x) {
  double cy = cos(x[VD_S_YAW]), sy = sin(x[VD_S_YAW]), cp = cos(x[VD_S_PITCH]), sp = sin(x[VD_S_PITCH]);
  double cr = cos(x[VD_S_ROLL]), sr = sin(x[VD_S_ROLL]);
  vec ahead = vec_of(cy, sy, 0.0), aside = vec_of(-sy, cy, 0.0), up = vec_of(0.0, 0.0, 1.0);
  pose p;
  p.x = add(add(vec_of(0, 0, 0), cp, ahead), -sp, up); /* pitched about the axis to the left */
  vec above = add(add(vec_of(0, 0, 0), sp, ahead), cp, up);
  p.y = add(add(vec_of(0, 0, 0), cr, aside), sr, above); /* then rolled about the x axis */
  p.z = add(add(vec_of(0, 0, 0), cr, above), -sr, aside);
  p.origin = vec_of(x[VD_S_ALONG], x[VD_S_ACROSS], x[VD_S_HEIGHT]);
  return p;
}

static inline vec to_world(const pose *p, vec b) {
  return add(add(add(vec_of(0, 0, 0), b.v[0], p->x), b.v[1], p->y), b.v[2], p->z);
}

static inline vec to_body(const pose *p, vec w) {
  return vec_of(dot(p->x, w), dot(p->y, w), dot(p->z, w));
}

/* In world axes: position and velocity of each mass; linear momentum of all masses; angular momentum of all about the
 * centre of gravity, spins included. */
typedef struct momenta {
  vec place[MASSES], velocity[MASSES], linear, angular, centre;
} momenta;

static inline momenta momenta_of(const geometry *own, const scene *s, const sample *p, const vd_eval *e) {
  const vd_vehicle_def *v = vehicle_of(s);
  const double *x = p->s.x, reach = 1e-3;
  pose o = pose_of(x);
  momenta q = {.linear = vec_of(0, 0, 0)};
  vec u = vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]);
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]), zero = vec_of(0, 0, 0);
  q.centre = zero;
  double yaw_inertia = v->yaw_inertia;
  for (int k = 0; k < MASSES; k++) {
    vec at[4], here = mass_place(own, s, k, x + VD_S_TRAVEL);
    static const double step[4] = {1.0, -1.0, 0.5, -0.5};
    for (int j = 0; j < 4; j++) {
      double travel[VD_WHEELS];
      for (int i = 0; i < VD_WHEELS; i++)
        travel[i] = x[VD_S_TRAVEL + i] + step[j] * reach * x[VD_S_TRAVEL_RATE + i];
      at[j] = mass_place(own, s, k, travel);
    }
    vec rate = add(u, 1.0, cross(w, here));
    for (int j = 0; j < 3; j++)
      rate.v[j] += slope(at[0].v[j], at[1].v[j], at[2].v[j], at[3].v[j], reach);
    q.place[k] = add(o.origin, 1.0, to_world(&o, here));
    q.velocity[k] = to_world(&o, rate);
    q.linear = add(q.linear, mass_of(v, k), q.velocity[k]);
    q.centre = add(q.centre, mass_of(v, k) / v->mass, q.place[k]);
    double dx = k < VD_WHEELS ? axle_x(v, vd_axle_of(k)) : here.v[0], dy = k < VD_WHEELS ? half(v, k) : here.v[1];
    dy -= or_zero(v->cg_left);
    yaw_inertia -= mass_of(v, k) * (dx * dx + dy * dy);
  }
  double xy = or_zero(v->product[VD_PRODUCT_XY]), xz = or_zero(v->product[VD_PRODUCT_XZ]),
         yz = or_zero(v->product[VD_PRODUCT_YZ]);
  vec spin =
      vec_of(v->roll_inertia * w.v[0] - xy * w.v[1] - xz * w.v[2],
             v->pitch_inertia * w.v[1] - xy * w.v[0] - yz * w.v[2], yaw_inertia * w.v[2] - xz * w.v[0] - yz * w.v[1]);
  for (int i = 0; i < VD_WHEELS; i++) {
    double turn;
    vec axle = own->axle(s, p, e, i, &turn);
    spin = add(spin, v->axle[vd_axle_of(i)].wheel_inertia * (x[VD_S_SPIN + i] + dot(w, axle) + turn), axle);
  }
  q.angular = to_world(&o, spin);
  vec mean = add(zero, 1.0 / v->mass, q.linear);
  for (int k = 0; k < MASSES; k++)
    q.angular = add(q.angular, mass_of(v, k), cross(add(q.place[k], -1.0, q.centre), add(q.velocity[k], -1.0, mean)));
  return q;
}

/* --- what is compared --- */

typedef struct worst {
  double power, linear, angular, travel, passed, contact, load;
  long states, airborne, touching, uncertain; /* uncertain: number of values of `passed' */
} worst;

static inline void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, fabs(value));
}

static inline double work_rate(const double *dx, double *magnitude) {
  static const int part[][2] = {{VD_S_WORK_DRIVE, VD_S_WORK_ROLLING},
                                {VD_S_WORK_CLUTCH, VD_S_WORK_DAMPER},
                                {VD_S_WORK_SUSPENSION, VD_S_WORK_OUTSIDE},
                                {VD_S_WORK_ASSIST, VD_S_WORK_COLUMN}};
  double sum = 0.0;
  for (size_t k = 0; k < VD_COUNT(part); k++)
    for (int i = part[k][0]; i <= part[k][1]; i++) {
      sum += dx[i];
      *magnitude += fabs(dx[i]);
    }
  return sum;
}

/* Returns whether a tyre touches the road in one of two states only. Its energy k d^2/2 has a kink between them, across
 * which differences are wrong. */
static inline bool bends(const vd_eval *e, const vd_eval *other) {
  for (int i = 0; i < VD_WHEELS; i++)
    if ((e->contact.deflection[i] > 0.0) != (other->contact.deflection[i] > 0.0))
      return true;
  return false;
}

typedef struct nearby {
  sample at[4]; /* +h, -h, +h/2, -h/2 */
  vd_eval e[4];
} nearby;

static inline void check_power(const nearby *n, const double *dx, double h, worst *w) {
  double magnitude = 0.0, power = work_rate(dx, &magnitude);
  static const size_t part[] = {offsetof(vd_eval, log.energy_kinetic), offsetof(vd_eval, log.energy_spin),
                                offsetof(vd_eval, log.energy_gravity), offsetof(vd_eval, log.energy_spring),
                                offsetof(vd_eval, log.energy_tyre),    offsetof(vd_eval, log.energy_steering)};
  double change = 0.0;
  for (size_t k = 0; k < VD_COUNT(part); k++) {
    double value[4];
    for (int j = 0; j < 4; j++)
      memcpy(&value[j], (const char *)&n->e[j] + part[k], sizeof value[j]);
    double rate = slope(value[0], value[1], value[2], value[3], h);
    change += rate;
    magnitude += fabs(rate);
  }
  take(&w->power, (change - power) / magnitude);
}

/* A contact: the point where the disc touches the road, by the test's own geometry, and the forces of the road at
 * it. */
typedef struct contact {
  vec place, force, moment, own; /* world; own: place in body axes from the origin */
} contact;

/* Computes the contact of a disc with the road, and the forces there; checks deflection and load. axle, centre: axle
 * and centre of the disc, world; roll: the axis of the rolling moment. */
static inline contact contact_at(const scene *s, const vd_eval *e, int i, const pose *o, vec axle, vec centre, vec roll,
                                 worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_ground *g = &s->model.ground;
  int a = vd_axle_of(i);
  vec n = vec_of(g->normal[0], g->normal[1], g->normal[2]);
  vec down = unit(add(n, -dot(n, axle), axle)); /* the steepest direction in the disc's plane, upwards */
  double length = dot(n, centre) / dot(n, down);
  contact k = {.place = add(centre, -length, down)};
  k.own = to_body(o, add(k.place, -1.0, o->origin));
  vec straight = unit(cross(axle, n)), left = cross(n, straight), zero = vec_of(0, 0, 0);
  double give = e->suspension.compliance_steer[i]; /* compliance steer of the wheel, to the left */
  vec ahead = add(add(zero, cos(give), straight), sin(give), left), aside = cross(n, ahead);
  k.force = add(add(add(zero, e->tyre.fx[i], ahead), e->tyre.fy[i], aside), e->tyre.load[i], n);
  k.moment = add(add(zero, e->tyre.mx[i], ahead), e->tyre.mz[i], n);
  k.moment = add(k.moment, e->tyre.my[i], roll);

  double tyre = vd_axle_tyre(&v->axle[a], vd_is_right(i))->common.vertical_stiffness;
  double share = a == 0 ? 1.0 - v->cg_to_front / v->wheelbase : v->cg_to_front / v->wheelbase;
  double free = v->axle[a].wheel_radius + 0.5 * v->mass * VD_GRAVITY * share / tyre;
  take(&w->contact,
       norm(add(k.place, -1.0, vec_of(e->contact.contact_x[i], e->contact.contact_y[i], e->contact.contact_z[i]))));
  take(&w->contact, e->contact.deflection[i] - (free - length));
  /* without damping the spring acts along the disc, and its force is the load times n . disc */
  if (vd_axle_tyre(&v->axle[a], vd_is_right(i))->common.vertical_damping == 0.0) {
    double expected = fmax(tyre * (free - length), 0.0) / dot(n, down);
    take(&w->load, (e->tyre.load[i] - expected) / (v->mass * VD_GRAVITY));
  }
  return k;
}

/* Checks linear and angular momentum. touch: the contacts; accel: set to the accelerations of the masses, m/s2, world
 * axes. */
static inline void check_momentum(const geometry *own, const scene *s, const sample *p, const nearby *n, double h,
                                  const vd_eval *e, const contact *touch, vec *accel, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_aero *air = &v->aero;
  vec zero = vec_of(0, 0, 0), gravity = vec_of(0.0, 0.0, -VD_GRAVITY);
  pose o = pose_of(p->s.x);
  momenta q[4], here = momenta_of(own, s, p, e);
  for (int j = 0; j < 4; j++)
    q[j] = momenta_of(own, s, &n->at[j], &n->e[j]);
  vec linear = zero, angular = zero;
  for (int j = 0; j < 3; j++) {
    linear.v[j] = slope(q[0].linear.v[j], q[1].linear.v[j], q[2].linear.v[j], q[3].linear.v[j], h);
    angular.v[j] = slope(q[0].angular.v[j], q[1].angular.v[j], q[2].angular.v[j], q[3].angular.v[j], h);
    for (int k = 0; k < MASSES; k++)
      accel[k].v[j] =
          slope(q[0].velocity[k].v[j], q[1].velocity[k].v[j], q[2].velocity[k].v[j], q[3].velocity[k].v[j], h);
  }

  /* air forces in the ground plane of the design position (SAE J1594), body axes */
  double u = p->s.x[VD_S_VX], pressure = 0.5 * air->air_density * air->frontal_area * u * u;
  vec place[3], push[3];
  place[0] = vec_of(0.0, 0.0, -v->cg_height);
  push[0] = vec_of(-sign_of(u) * pressure * air->drag, 0.0, 0.0);
  for (int a = 0; a < VD_AXLES; a++) {
    place[1 + a] = vec_of(axle_x(v, a), 0.0, -v->cg_height);
    push[1 + a] = vec_of(0.0, 0.0, -pressure * (a == 0 ? air->downforce_front : air->downforce_rear));
  }
  vec force = add(zero, v->mass, gravity), moment = zero;
  double size = v->mass * VD_GRAVITY, turning = v->mass * VD_GRAVITY;
  for (int k = 0; k < 3; k++) {
    vec f = to_world(&o, push[k]);
    force = add(force, 1.0, f);
    moment = add(moment, 1.0, cross(add(add(o.origin, 1.0, to_world(&o, place[k])), -1.0, here.centre), f));
  }
  if (!s->def.run.lean) {
    /* without lean a couple cancels the moment of the weight due to the body's angles to the road normal: m_s g arm x
     * angle */
    double arm = sprung_place(v).v[2] + v->cg_height, roll = arm, pitch = arm;
    double front = (sprung_place(v).v[0] - axle_x(v, 1)) / v->wheelbase;
    for (int a = 0; a < VD_AXLES; a++) {
      double share = a == 0 ? front : 1.0 - front;
      roll -= share * v->axle[a].roll_centre_height;
      pitch -= share * v->axle[a].wheel_radius;
    }
    const double *g = s->model.ground.normal;
    vec normal = to_body(&o, vec_of(g[0], g[1], g[2]));
    double weight = sprung_mass(v) * VD_GRAVITY;
    moment = add(moment, 1.0, to_world(&o, vec_of(-weight * roll * normal.v[1], weight * pitch * normal.v[0], 0.0)));
  }
  bool touches = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    vec m = cross(add(touch[i].place, -1.0, here.centre), touch[i].force);
    force = add(force, 1.0, touch[i].force);
    moment = add(add(moment, 1.0, m), 1.0, touch[i].moment);
    size += norm(touch[i].force);
    turning += norm(m) + norm(touch[i].moment);
    touches |= e->tyre.load[i] > 0.0;
  }
  w->airborne += !touches;
  w->touching += touches;
  take(&w->linear, norm(add(linear, -1.0, force)) / size);
  take(&w->angular, norm(add(angular, -1.0, moment)) / turning);
}

/* --- cases --- */

typedef struct car {
  const char *name;
  int what;
  const char *setting[9];
} car;

#define AXLES(f, r) "vehicle.front." f, "vehicle.rear." r

static const char plain[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\nthrottle: 0.5\n";

static const char rich[] =
    "vehicle:\n"
    "  base: ../vehicles/sedan.yaml\n"
    "  front: {roll_centre_height: 0.06, antiroll_stiffness: 15000, anti_brake: 0.5, anti_drive: 0.3,"
    " unsprung_height: 0.3, camber_gain: 0.4}\n"
    "  rear: {roll_centre_height: 0.12, antiroll_stiffness: 8000, anti_brake: 0.4, anti_drive: 0.7}\n"
    "  drivetrain: {drive: all, front_share: 0.4}\n"
    "  aero: {downforce_front: 0.4, downforce_rear: 0.6}\n"
    "ground: {type: inclined, grade: 0.1, bank: -0.08}\n"
    "run: {duration: 1 s, level: L3}\n"
    "throttle: 0.5\n";

static const struct {
  const char *text;
  car car;
} cases[] = {
    {plain, {"sedan", 0, {"run.lean=true"}}},
    {rich, {"roll centres, bars, anti-dive, slope", 0, {"run.lean=true"}}},
    {rich, {"roll centres, bars, anti-dive, slope, without lean", 0, {"run.lean=false"}}},
    {rich,
     {"a centre of gravity to the left, products of inertia",
      0,
      {"vehicle.cg_left=0.07", "vehicle.product_xy=60", "vehicle.product_xz=-110", "vehicle.product_yz=40"}}},
    {rich, {"transient slip", 0, {"run.slip=transient"}}},
    {rich, {"damped tyres", 0, {AXLES("tyre.vertical_damping=400", "tyre.vertical_damping=250")}}},
    {rich, {"locked brakes", LOCKED, {"run.slip=transient"}}},
    {rich,
     {"Magic Formula 6.1, its moments and camber",
      0,
      {AXLES("tyre=scenarios/tyres/mf61_synthetic.yaml", "tyre=scenarios/tyres/mf61_synthetic.yaml")}}},
    {rich, {"steering that lags", 0, {"vehicle.steering.lag=0.05", "vehicle.steering.rate_limit=0.5"}}},
    {plain,
     {"engine, gears and locked differential",
      STUCK,
      {"vehicle=scenarios/vehicles/sedan_automatic.yaml", "vehicle.drivetrain.rear_differential={type: locked}",
       "gear=3"}}},
    {plain,
     {"engine behind a slipping clutch",
      0,
      {"vehicle=scenarios/vehicles/sedan_automatic.yaml", "gear=2", "run.slip=transient"}}},
    {plain, {"limited-slip differential that slips", 0, {"vehicle=scenarios/vehicles/sports.yaml"}}},
    {plain,
     {"limited-slip differential that sticks, brakes that lock",
      STUCK | LOCKED,
      {"vehicle=scenarios/vehicles/sports.yaml", "run.slip=transient"}}},
    {plain,
     {"race car, all-wheel drive through two limited-slip differentials",
      0,
      {"vehicle=scenarios/vehicles/race_car.yaml", "ground={type: inclined, grade: -0.05, bank: 0.1}"}}},
};

/* Finds the next sample after `seed` of a case at which no tyre just touches the road, and its neighbours along the
 * motion. */
static inline void next_sample(const scene *s, int what, double h, sample *p, vd_eval *e, double *dx, nearby *n) {
  static const double step[4] = {1.0, -1.0, 0.5, -0.5};
  double unused[VD_STATES];
  bool bent;
  do {
    bent = false;
    random_state(&s->model, &s->sim.command, what, p);
    evaluate(&s->model, p, e, dx);
    for (int j = 0; j < 4; j++) {
      n->at[j] = moved(&s->model, p, dx, step[j] * h);
      evaluate(&s->model, &n->at[j], &n->e[j], unused);
      bent |= bends(e, &n->e[j]);
    }
  } while (bent);
}

/* Data of a test about its suspension. */
typedef struct suspension_laws {
  contact (*contact)(const scene *s, const sample *p, const pose *o, const vd_eval *e, int wheel, worst *w);
  /* sets accel; NULL: check_momentum is used, with `own' */
  void (*momentum)(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e, contact *touch,
                   vec *accel, worst *w);
  void (*travels)(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e, const double *dx,
                  const contact *touch, const vec *accel, worst *w);
  const geometry *own;
} suspension_laws;

/* Checks all laws at random states of a case, after `seed`. */
static inline worst check_states(const suspension_laws *laws, const scene *s, int what, long states) {
  const double h = 1e-4;
  worst w = {0};
  while (w.states < states) {
    sample p;
    nearby n;
    vd_eval e;
    double dx[VD_STATES];
    next_sample(s, what, h, &p, &e, dx, &n);
    pose o = pose_of(p.s.x);
    contact touch[VD_WHEELS];
    vec accel[MASSES];
    for (int i = 0; i < VD_WHEELS; i++)
      touch[i] = laws->contact(s, &p, &o, &e, i, &w);
    check_power(&n, dx, h, &w);
    if (laws->momentum)
      laws->momentum(s, &p, &n, h, &e, touch, accel, &w);
    else
      check_momentum(laws->own, s, &p, &n, h, &e, touch, accel, &w);
    laws->travels(s, &p, &n, h, &e, dx, touch, accel, &w);
    w.states++;
  }
  return w;
}

/* Reports `passed', the error of forces that are known up to a bound alone. must: the car must have such forces; for
 * other cars there may be nothing to compare. */
static inline void report_passed(const worst *w, bool must, const char *name, const char *parts) {
  if (w->uncertain > 0 || must)
    tap_near(w->uncertain > 0 ? w->passed : NAN, 0.0, 1.0, "%s: in %ld values %s miss %.2f of their bound", name,
             w->uncertain, parts, w->passed);
  else
    tap_ok(true, "%s: # SKIP no %s", name, parts);
}

/* Reports five of the seven figures of `worst'. Callers report `passed' (report_passed) and `load'. */
static inline void report_states(const worst *w, const char *what, double law, double place) {
  tap_diag("%s: %ld states, %ld in the air", what, w->states, w->airborne);
  tap_near(w->power, 0.0, 1e-7, "%s: energy changes by the work done, within %.1e of all powers", what, w->power);
  tap_near(w->linear, 0.0, law, "%s: linear momentum within %.1e of all forces", what, w->linear);
  tap_near(w->angular, 0.0, law, "%s: angular momentum within %.1e of all moments", what, w->angular);
  tap_near(w->travel, 0.0, law, "%s: virtual work along the travels within %.1e", what, w->travel);
  tap_near(w->contact, 0.0, place, "%s: contacts where the discs meet the road, within %.1e m", what, w->contact);
}

#endif
