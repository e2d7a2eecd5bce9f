/* The equations of the fourteen-DOF level at random states, by three laws that know nothing of how they are solved.
 *
 * Power: along the flow, the total energy that the log shows changes by the sum of all work rates. The change is a central
 * difference of the energy at x +- h dx, commands moved in time too, extrapolated to fourth order (Richardson).
 *
 * Momentum: the rate of the linear momentum of the five masses is m g + aero + tyre forces; that of the angular momentum about the
 * centre of gravity, wheel spins included, is the moment of those forces and of the tyres' moments. Places of the masses and of the
 * contacts are found here anew from the vehicle's figures; velocities are differences of the places.
 *
 * Virtual work: for each travel s_j, sum over the masses m (a - g) . dr/ds_j = sum over the contacts F . dp/ds_j - spring - damper
 * + drive torque x (slope under drive - slope under braking)/R. With the momenta that is every equation of the ten coordinates of
 * body and suspension. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- random states --- */

static uint64_t seed;

static double uniform(double from, double to) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double around(double size) {
  return uniform(-size, size);
}

static double sign_of(double v) {
  return v < 0.0 ? -1.0 : 1.0;
}

enum { LOCKED = 1, STUCK = 2, HELD = 4 };

typedef struct sample {
  vd_state_vector s;
  vd_command c;
} sample;

static void random_state(const vd_model *m, const vd_command *like, int what, sample *p) {
  vd_command *c = &p->c;
  double speed = uniform(0.0, 1.0) < 0.15 ? around(8.0) : uniform(4.0, 40.0);
  *c = *like;
  vd_model_start(m, c, around(1.0), around(1.0), around(3.0), speed, &p->s);
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
  /* what is rigidly joined turns together */
  for (int k = VD_M_FRONT; k <= VD_M_REAR; k++)
    if (m->permanent[k]) {
      mode[k] = 0.0;
      x[VD_S_SPIN + (k == VD_M_FRONT ? VD_FR : VD_RR)] = x[VD_S_SPIN + (k == VD_M_FRONT ? VD_FL : VD_RL)];
    }
  if (m->motor_shaft) {
    double driven = 0.0;
    for (int i = 0; i < VD_WHEELS; i++)
      driven += m->lanes.drive_share[i] * x[VD_S_SPIN + i];
    driven *= vd_gear_ratio(&m->drivetrain, m->drivetrain.engine ? (int)mode[VD_M_GEAR] : 1);
    if (m->permanent[VD_M_CLUTCH])
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
  for (int i = 0; i < VD_WHEELS && (what & HELD); i++) {
    c->post[i] = around(0.03);
    c->post_rate[i] = around(0.5);
  }
  vd_command_lower(m, c);
}

static void evaluate(const vd_model *m, const sample *p, vd_eval *e, double *dx) {
  memset(e, 0, sizeof *e);
  memset(dx, 0, VD_STATES * sizeof *dx);
  vd_model_rates(m, &p->c, p->s.x, p->s.mode, e, dx);
  vd_model_observe(m, &p->c, &p->s, 0.0, e);
}

/* A little further along the flow. */
static sample moved(const vd_model *m, const sample *p, const double *dx, double h) {
  sample q = *p;
  for (int i = 0; i < VD_STATES; i++)
    q.s.x[i] += h * dx[i];
  q.c.steer += h * p->c.steer_rate;
  for (int i = 0; i < VD_WHEELS; i++)
    q.c.post[i] += h * p->c.post_rate[i];
  vd_command_lower(m, &q.c);
  return q;
}

/* Fourth order from two central differences. */
static double slope(double far_plus, double far_minus, double near_plus, double near_minus, double h) {
  return (4.0 * (near_plus - near_minus) / h - (far_plus - far_minus) / (2.0 * h)) / 3.0;
}

/* --- vectors --- */

typedef struct vec {
  double v[3];
} vec;

static vec vec_of(double x, double y, double z) {
  return (vec){{x, y, z}};
}

static vec add(vec a, double by, vec b) {
  return vec_of(a.v[0] + by * b.v[0], a.v[1] + by * b.v[1], a.v[2] + by * b.v[2]);
}

static vec cross(vec a, vec b) {
  return vec_of(a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

static double dot(vec a, vec b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static double norm(vec a) {
  return sqrt(dot(a, a));
}

static vec unit(vec a) {
  return add(vec_of(0, 0, 0), 1.0 / norm(a), a);
}

/* --- the car, from its figures --- */

enum { MASSES = 5 }; /* four unsprung, the sprung one */

static const vd_vehicle_def *vehicle_of(const scene *s) {
  return &s->def.vehicle;
}

static double sprung_mass(const vd_vehicle_def *v) {
  return v->mass - 2.0 * (v->axle[0].unsprung_mass + v->axle[1].unsprung_mass);
}

static double axle_x(const vd_vehicle_def *v, int a) {
  return a == 0 ? v->cg_to_front : v->cg_to_front - v->wheelbase;
}

/* Of a point that stands `left` and `above` the roll centre in the axle's beam, in body axes from the place of the whole centre of
 * gravity at design load. The beam slides by the mean travel and turns by -(s_right - s_left)/track. */
static vec on_beam(const vd_vehicle_def *v, int a, const double *travel, double left, double above) {
  double f = (travel[2 * a + 1] - travel[2 * a]) / v->axle[a].track, c = cos(f), s = sin(f);
  double centre = v->axle[a].roll_centre_height - v->cg_height + 0.5 * (travel[2 * a] + travel[2 * a + 1]);
  return vec_of(axle_x(v, a), left * c + above * s, centre + above * c - left * s);
}

static double half(const vd_vehicle_def *v, int i) {
  return (i % 2 == 0 ? 0.5 : -0.5) * v->axle[i / 2].track;
}

static vec mass_place(const vd_vehicle_def *v, int k, const double *travel) {
  if (k < VD_WHEELS)
    return on_beam(v, k / 2, travel, half(v, k), v->axle[k / 2].unsprung_height - v->axle[k / 2].roll_centre_height);
  double x = 0.0, z = v->mass * v->cg_height, ms = sprung_mass(v);
  for (int a = 0; a < VD_AXLES; a++) {
    x -= 2.0 * v->axle[a].unsprung_mass * axle_x(v, a);
    z -= 2.0 * v->axle[a].unsprung_mass * v->axle[a].unsprung_height;
  }
  return vec_of(x / ms, 0.0, z / ms - v->cg_height);
}

static double mass_of(const vd_vehicle_def *v, int k) {
  return k < VD_WHEELS ? v->axle[k / 2].unsprung_mass : sprung_mass(v);
}

/* Slope of the contact's path, forward over bump, with a braked wheel and under drive torque: the force of the links that carry
 * `share` of the load transfer F h/L is slope x (part of F). */
static double links_slope(const vd_model *m, int a, bool drive) {
  const vd_vehicle_def *v = &m->vehicle;
  double share = drive ? v->axle[a].anti_drive : v->axle[a].anti_brake;
  const double *part = drive ? m->lanes.drive_share : m->lanes.brake_share;
  double sum = part[2 * a] + part[2 * a + 1];
  return sum > 0.0 ? (a == VD_FRONT ? 1.0 : -1.0) * share * v->cg_height / (sum * v->wheelbase) : 0.0;
}

typedef struct pose {
  vec x, y, z; /* body axes in the world */
  vec origin;
} pose;

static pose pose_of(const double *x) {
  double cy = cos(x[VD_S_YAW]), sy = sin(x[VD_S_YAW]), cp = cos(x[VD_S_PITCH]), sp = sin(x[VD_S_PITCH]);
  double cr = cos(x[VD_S_ROLL]), sr = sin(x[VD_S_ROLL]);
  vec ahead = vec_of(cy, sy, 0.0), aside = vec_of(-sy, cy, 0.0), up = vec_of(0.0, 0.0, 1.0);
  pose p;
  p.x = add(add(vec_of(0, 0, 0), cp, ahead), -sp, up); /* pitched about the left */
  vec above = add(add(vec_of(0, 0, 0), sp, ahead), cp, up);
  p.y = add(add(vec_of(0, 0, 0), cr, aside), sr, above); /* then rolled about forward */
  p.z = add(add(vec_of(0, 0, 0), cr, above), -sr, aside);
  p.origin = vec_of(x[VD_S_ALONG], x[VD_S_ACROSS], x[VD_S_HEIGHT]);
  return p;
}

static vec to_world(const pose *p, vec b) {
  return add(add(add(vec_of(0, 0, 0), b.v[0], p->x), b.v[1], p->y), b.v[2], p->z);
}

static vec to_body(const pose *p, vec w) {
  return vec_of(dot(p->x, w), dot(p->y, w), dot(p->z, w));
}

/* Momenta: of each mass; linear of all; angular of all about the centre of gravity, spins included. World axes. */
typedef struct momenta {
  vec place[MASSES], velocity[MASSES], linear, angular, centre;
} momenta;

static momenta momenta_of(const scene *s, const sample *p, const vd_eval *e) {
  const vd_vehicle_def *v = vehicle_of(s);
  const double *x = p->s.x, reach = 1e-3;
  pose o = pose_of(x);
  momenta q = {.linear = vec_of(0, 0, 0)};
  vec u = vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]);
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]), zero = vec_of(0, 0, 0);
  q.centre = zero;
  double yaw_inertia = v->yaw_inertia;
  for (int k = 0; k < MASSES; k++) {
    vec at[4], here = mass_place(v, k, x + VD_S_TRAVEL);
    static const double step[4] = {1.0, -1.0, 0.5, -0.5};
    for (int j = 0; j < 4; j++) {
      double travel[VD_WHEELS];
      for (int i = 0; i < VD_WHEELS; i++)
        travel[i] = x[VD_S_TRAVEL + i] + step[j] * reach * x[VD_S_TRAVEL_RATE + i];
      at[j] = mass_place(v, k, travel);
    }
    vec rate = add(u, 1.0, cross(w, here));
    for (int j = 0; j < 3; j++)
      rate.v[j] += slope(at[0].v[j], at[1].v[j], at[2].v[j], at[3].v[j], reach);
    q.place[k] = add(o.origin, 1.0, to_world(&o, here));
    q.velocity[k] = to_world(&o, rate);
    q.linear = add(q.linear, mass_of(v, k), q.velocity[k]);
    q.centre = add(q.centre, mass_of(v, k) / v->mass, q.place[k]);
    double dx = k < VD_WHEELS ? axle_x(v, k / 2) : here.v[0], dy = k < VD_WHEELS ? half(v, k) : 0.0;
    yaw_inertia -= mass_of(v, k) * (dx * dx + dy * dy);
  }
  vec spin = vec_of(v->roll_inertia * w.v[0], v->pitch_inertia * w.v[1], yaw_inertia * w.v[2]);
  for (int i = 0; i < VD_WHEELS; i++) {
    vec axle = vec_of(-sin(e->angle[i]), cos(e->angle[i]), 0.0);
    spin = add(spin, v->axle[i / 2].wheel_inertia * (x[VD_S_SPIN + i] + dot(w, axle)), axle);
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
  long states, airborne, touching;
} worst;

static void take(double *worst_value, double value) {
  if (!(fabs(value) <= *worst_value)) /* keeps a NaN */
    *worst_value = fabs(value);
}

static double work_rate(const double *dx, double *magnitude) {
  static const int part[][2] = {{VD_S_WORK_DRIVE, VD_S_WORK_ROLLING},
                                {VD_S_WORK_CLUTCH, VD_S_WORK_DAMPER},
                                {VD_S_WORK_SUSPENSION, VD_S_WORK_OUTSIDE}};
  double sum = 0.0;
  for (size_t k = 0; k < VD_COUNT(part); k++)
    for (int i = part[k][0]; i <= part[k][1]; i++) {
      sum += dx[i];
      *magnitude += fabs(dx[i]);
    }
  return sum;
}

/* A tyre that just touches: its energy k d^2/2 has a bend there, which no difference across it can see. */
static bool bends(const vd_eval *e, const vd_eval *other) {
  for (int i = 0; i < VD_WHEELS; i++)
    if ((e->deflection[i] > 0.0) != (other->deflection[i] > 0.0))
      return true;
  return false;
}

typedef struct nearby {
  sample at[4]; /* +h, -h, +h/2, -h/2 */
  vd_eval e[4];
} nearby;

static void check_power(const nearby *n, const double *dx, double h, worst *w) {
  double magnitude = 0.0, power = work_rate(dx, &magnitude);
  static const size_t part[] = {offsetof(vd_eval, energy_kinetic), offsetof(vd_eval, energy_spin),
                                offsetof(vd_eval, energy_gravity), offsetof(vd_eval, energy_spring),
                                offsetof(vd_eval, energy_tyre)};
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

/* A contact: where the disc meets the road, from the test's own geometry, and all that the road does there. */
typedef struct contact {
  vec place, force, moment, own; /* world; own: place in body axes from the origin */
} contact;

static contact contact_of(const scene *s, const sample *p, const pose *o, const vd_eval *e, int i, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_ground *g = &s->model.ground;
  int a = i / 2;
  const double *travel = p->s.x + VD_S_TRAVEL;
  vec n = vec_of(g->normal[0], g->normal[1], g->normal[2]);
  double f = (travel[2 * a + 1] - travel[2 * a]) / v->axle[a].track, d = e->angle[i];
  vec axle = to_world(o, vec_of(-sin(d), cos(d) * cos(f), -cos(d) * sin(f)));
  vec centre = on_beam(v, a, travel, half(v, i), v->axle[a].wheel_radius - v->axle[a].roll_centre_height);
  centre.v[0] += links_slope(&s->model, a, false) * travel[i];
  centre = add(o->origin, 1.0, to_world(o, centre));
  vec down = unit(add(n, -dot(n, axle), axle)); /* in the disc's plane, as steep as can be; up */
  double length = dot(n, centre) / dot(n, down);
  contact k = {.place = add(centre, -length, down)};
  k.own = to_body(o, add(k.place, -1.0, o->origin));
  vec ahead = unit(cross(axle, n)), aside = cross(n, ahead), zero = vec_of(0, 0, 0);
  k.force = add(add(add(zero, e->fx[i], ahead), e->fy[i], aside), e->load[i], n);
  k.moment = add(add(zero, e->mx[i], ahead), e->mz[i], n);
  k.moment = add(k.moment, e->my[i], to_world(o, vec_of(-sin(d), cos(d), 0.0)));

  double tyre = vd_axle_tyre(&v->axle[a], i % 2)->vertical_stiffness;
  double share = a == 0 ? 1.0 - v->cg_to_front / v->wheelbase : v->cg_to_front / v->wheelbase;
  double free = v->axle[a].wheel_radius + 0.5 * v->mass * VD_GRAVITY * share / tyre;
  take(&w->contact, norm(add(k.place, -1.0, vec_of(e->contact_x[i], e->contact_y[i], e->contact_z[i]))));
  take(&w->contact, e->deflection[i] - (free - length));
  /* no damping: the spring along the disc, which must make load x (n . disc) */
  if (vd_axle_tyre(&v->axle[a], i % 2)->vertical_damping == 0.0) {
    double expected = fmax(tyre * (free - length), 0.0) / dot(n, down);
    take(&w->load, (e->load[i] - expected) / (v->mass * VD_GRAVITY));
  }
  return k;
}

/* How far the links of a coupled drivetrain may miss, N m: they are given the drive torques that the shafts pass
 * on while the body does not turn faster. What the wheels' inertias I (w' . e + w . e') change in these is passed on at most once,
 * as the couplings project it (equal inertias). Zero where no shafts are coupled. */
static double passed_on(const scene *s, const sample *p, const vd_eval *e, const double *dx) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS && s->model.coupled; i++) {
    double c = cos(e->angle[i]), t = sin(e->angle[i]);
    double along = p->s.x[VD_S_ROLL_RATE] * c + p->s.x[VD_S_PITCH_RATE] * t;
    sum += vehicle_of(s)->axle[i / 2].wheel_inertia *
           fabs(dx[VD_S_PITCH_RATE] * c - dx[VD_S_ROLL_RATE] * t - p->c.angle_rate[i] * along);
  }
  return sum;
}

static void check_momentum(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e,
                           const double *dx, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_aero_def *air = &v->aero;
  vec zero = vec_of(0, 0, 0), gravity = vec_of(0.0, 0.0, -VD_GRAVITY);
  pose o = pose_of(p->s.x);
  momenta q[4], here = momenta_of(s, p, e);
  for (int j = 0; j < 4; j++)
    q[j] = momenta_of(s, &n->at[j], &n->e[j]);
  vec linear = zero, angular = zero, accel[MASSES];
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
    /* the couple that takes off what the weight adds to a lean against the road normal: m_s g arm x angle */
    double arm = mass_place(v, VD_WHEELS, p->s.x + VD_S_TRAVEL).v[2] + v->cg_height, roll = arm, pitch = arm;
    double front = (mass_place(v, VD_WHEELS, p->s.x + VD_S_TRAVEL).v[0] - axle_x(v, 1)) / v->wheelbase;
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
  contact k[VD_WHEELS];
  bool touches = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    k[i] = contact_of(s, p, &o, e, i, w);
    vec m = cross(add(k[i].place, -1.0, here.centre), k[i].force);
    force = add(force, 1.0, k[i].force);
    moment = add(add(moment, 1.0, m), 1.0, k[i].moment);
    size += norm(k[i].force);
    turning += norm(m) + norm(k[i].moment);
    touches |= e->load[i] > 0.0;
  }
  w->airborne += !touches;
  w->touching += touches;
  take(&w->linear, norm(add(linear, -1.0, force)) / size);
  take(&w->angular, norm(add(angular, -1.0, moment)) / turning);

  for (int j = 0; j < VD_WHEELS; j++) {
    int a = j / 2;
    const double reach = 1e-3;
    double travel[4][VD_WHEELS], sum = 0.0, largest = v->mass * VD_GRAVITY;
    for (int t = 0; t < 4; t++) {
      memcpy(travel[t], p->s.x + VD_S_TRAVEL, sizeof travel[t]);
      travel[t][j] += (t % 2 == 0 ? 1.0 : -1.0) * (t < 2 ? reach : 0.5 * reach);
    }
    for (int i = 2 * a; i < 2 * a + 2; i++) {
      /* the contact as a point of the beam: from the roll centre, in the beam's axes */
      vec centre = on_beam(v, a, p->s.x + VD_S_TRAVEL, 0.0, 0.0), r = add(k[i].own, -1.0, centre), arm, path;
      double f = (p->s.x[VD_S_TRAVEL + 2 * a + 1] - p->s.x[VD_S_TRAVEL + 2 * a]) / v->axle[a].track;
      double left = r.v[1] * cos(f) - r.v[2] * sin(f), above = r.v[1] * sin(f) + r.v[2] * cos(f);
      vec m[4], c[4];
      for (int t = 0; t < 4; t++) {
        m[t] = mass_place(v, i, travel[t]);
        c[t] = on_beam(v, a, travel[t], left, above);
      }
      for (int d = 0; d < 3; d++) {
        arm.v[d] = slope(m[0].v[d], m[1].v[d], m[2].v[d], m[3].v[d], reach);
        path.v[d] = slope(c[0].v[d], c[1].v[d], c[2].v[d], c[3].v[d], reach);
      }
      if (i == j)
        path.v[0] += links_slope(&s->model, a, false);
      double given = dot(to_body(&o, k[i].force), path);
      double taken = mass_of(v, i) * dot(to_body(&o, add(accel[i], -1.0, gravity)), arm);
      sum += given - taken;
      largest += fabs(given) + fabs(taken);
    }
    double links = (links_slope(&s->model, a, true) - links_slope(&s->model, a, false)) / v->axle[a].wheel_radius;
    sum += links * e->drive_torque[j] - e->spring_force[j] - e->damper_force[j];
    largest += fabs(e->spring_force[j]) + fabs(e->damper_force[j]);
    double missed = fabs(links) * passed_on(s, p, e, dx);
    if (missed > 0.0)
      take(&w->passed, sum / missed);
    else
      take(&w->travel, sum / largest);
  }
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
    {rich, {"roll centres, bars, anti slopes, slope", 0, {"run.lean=true"}}},
    {rich, {"the same without lean", 0, {"run.lean=false"}}},
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

enum { STATES = 400 };

static void check_case(size_t number) {
  const car *c = &cases[number].car;
  scene *s = scene_make(cases[number].text, c->setting[0], c->setting[1], c->setting[2], c->setting[3], NULL);
  const vd_model *m = &s->model;
  worst w = {0};
  seed = 1000 + number;
  const double h = 1e-4;
  while (w.states < STATES) {
    static const double step[4] = {1.0, -1.0, 0.5, -0.5};
    sample p;
    nearby n;
    vd_eval e;
    double dx[VD_STATES], unused[VD_STATES];
    bool bent = false;
    random_state(m, &s->sim.command, c->what, &p);
    evaluate(m, &p, &e, dx);
    for (int j = 0; j < 4; j++) {
      n.at[j] = moved(m, &p, dx, step[j] * h);
      evaluate(m, &n.at[j], &n.e[j], unused);
      bent |= bends(&e, &n.e[j]);
    }
    if (bent)
      continue;
    check_power(&n, dx, h, &w);
    check_momentum(s, &p, &n, h, &e, dx, &w);
    w.states++;
  }
  tap_diag("%s: %ld states, %ld in the air", c->name, w.states, w.airborne);
  tap_near(w.power, 0.0, 1e-7, "%s: energy changes by the work done, within %.1e of all powers", c->name, w.power);
  tap_near(w.linear, 0.0, 1e-7, "%s: linear momentum within %.1e of all forces", c->name, w.linear);
  tap_near(w.angular, 0.0, 1e-7, "%s: angular momentum within %.1e of all moments", c->name, w.angular);
  tap_near(w.travel, 0.0, 1e-7, "%s: virtual work along the travels within %.1e", c->name, w.travel);
  tap_near(w.passed, 0.0, 1.0, "%s: links that a coupled drivetrain moves miss %.2f of their bound", c->name, w.passed);
  tap_near(w.contact, 0.0, 1e-12, "%s: contacts where the discs meet the road, within %.1e m", c->name, w.contact);
  tap_near(w.load, 0.0, 1e-12, "%s: undamped loads are those of springs that cannot pull, within %.1e m g", c->name,
           w.load);
  scene_free(s);
}

/* The quaternion turns the body's axes to where ISO 8855's angles put them: x to (cos yaw cos pitch, sin yaw cos pitch, -sin pitch),
 * and the heights of y and z are cos pitch sin roll and cos pitch cos roll. */
static void check_quaternion(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\n", NULL);
  double off = 0.0;
  for (int k = 0; k < 200; k++) {
    double yaw = s->sim.state.x[VD_S_YAW] = uniform(-4.0, 4.0), pitch = s->sim.state.x[VD_S_PITCH] = uniform(-1.0, 1.0);
    double roll = s->sim.state.x[VD_S_ROLL] = uniform(-3.0, 3.0);
    vd_row row = scene_row(s);
    const double *q = row.eval.quaternion;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double is[] = {w * w + x * x + y * y + z * z, 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),
                         2.0 * (x * z - w * y),         2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
    const double due[] = {1.0,         cos(yaw) * cos(pitch),  sin(yaw) * cos(pitch),
                          -sin(pitch), cos(pitch) * sin(roll), cos(pitch) * cos(roll)};
    for (size_t i = 0; i < VD_COUNT(is); i++)
      off = fmax(off, fabs(is[i] - due[i]));
  }
  tap_near(off, 0.0, 1e-14, "the quaternion is that of yaw, pitch and roll (%.1e)", off);
  scene_free(s);
}

int main(void) {
  tap_plan(7 * (int)VD_COUNT(cases) + 1);
  for (size_t k = 0; k < VD_COUNT(cases); k++)
    check_case(k);
  check_quaternion();
  return tap_done();
}
