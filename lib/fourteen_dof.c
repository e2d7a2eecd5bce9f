/* L3, fourteen degrees of freedom: a free sprung body, four unsprung masses, four wheel spins, in one state.
 *
 * Coordinates. The body has the world position of its reference point O (the place of the whole centre of gravity at design
 * load), yaw, pitch and roll (ISO 8855: about z, y, x in turn), and velocities u, w in body axes. Each wheel has a travel s from
 * the design position along the body's z, bump > 0, and a spin relative to its knuckle. Nothing is small: the car may stand on any
 * slope, fall, and land; only pitch has to stay below a right angle.
 *
 * Kinematics of the links, by axle. Against the body the two wheels move as if a beam held them that slides along the body's z by
 * the mean travel and turns by -f, f = (s_right - s_left)/track, about the roll centre at height h_rc: upright on the road as far as
 * the tyres let them, whatever the body does. So lateral forces reach the body at the roll centre, load the springs with the
 * sprung mass alone and do not jack it up. Contact points also move by e s forward; e is the anti-dive or anti-lift slope. The
 * contact point is that of a thin disc in the wheel's plane: wheel centre - d e, e the road normal projected into that plane.
 * Spins turn about axles fixed in the body, so that their reactions reach the springs.
 *
 * Equations, by virtual work. With the velocity of each point a linear function of the rates of the coordinates, every force enters
 * every coordinate through the same arm by which that coordinate enters the point's velocity. In the coordinates s (mean) and f of
 * an axle, with Y, Z the places of the masses m and of the contacts from the roll centre, sums over both wheels:
 *
 *   sum(m a_z) = Q_s = sum(F_z + W),            sum(m (Z a_y - Y a_z)) = Q_f = sum(Z F_y - Y F_z) + track/2 (W_r - W_l)
 *   W = e F_x + (e_drive - e) T/R - spring - damper - bar
 *
 * and for the whole car  sum(m a) = F,  I w' + w x I w + sum(r x m a) = sum(r_contact x F) + M - sum(d/dt spin momentum).
 * Gravity is uniform, so all accelerations are taken less gravity, and it appears nowhere else. Solved for s'' and f'', the masses
 * of an axle act on the body as a lateral mass 2 m/(1 + (2 Zm/track)^2) at the roll centre, Zm their mean height over it, and by
 * Q_s and Q_f; what is left is a symmetric 3 x 3 system for the angular acceleration.
 *
 * Springs, dampers and stops are in suspension.h. Tyres are vertical springs between the disc and the road's tangent plane, with
 * damping, that cannot pull: F (n . e) = k d + c d'. */
#include "lanes.h"
#include "model_impl.h"
#include "train.h"

#include <math.h>

/* Deflection over which the tyre's vertical damping builds up, so that touching the road is no blow. */
static const double damping_run = 0.005; /* m */

/* Body axes in the world, and world vectors in the body. */
typedef struct frame {
  double sin_roll, cos_roll, sin_pitch, cos_pitch;
  double to_world[3][3];
  double u[3], w[3];
} frame;

/* Where the links hold the wheels of an axle. */
typedef struct beam {
  double sine, cosine; /* of f */
  double rise, turn;   /* m/s, rad/s: rates of s and f */
  double centre_z;     /* m, the roll centre's height over O */
} beam;

/* What the wheels know about the road, all vectors in body axes. */
typedef struct contacts {
  double at[VD_WHEELS][3];     /* m, contact points from O */
  double normal[VD_WHEELS][3]; /* of the road */
  double ahead[VD_WHEELS][3];  /* contact axes in the road plane */
  double aside[VD_WHEELS][3];
  double cosine[VD_WHEELS];    /* of the angle between disc and normal */
  double v[VD_WHEELS][3];      /* m/s, of the contact points, as points of the knuckle */
  double swept[VD_WHEELS][3];  /* m, by which they move over the steering angle */
  double rate[VD_WHEELS];      /* m/s, of the tyre's deflection */
  double elastic[VD_WHEELS];   /* N, k d */
  double post_lift[VD_WHEELS]; /* normal's share along the world's z */
  double force[VD_WHEELS][3];  /* N, of the road on the tyre */
  double mean_normal[3];
} contacts;

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* --- build --- */

/* Slope of the contact's path that makes the links carry `share` of the load transfer of a torque of which the axle has its part. */
static double anti_slope(const vd_model *m, int axle, double share, double part) {
  double slope = part > 0.0 ? share * m->vehicle.cg_height / (part * m->vehicle.wheelbase) : 0.0;
  return axle == VD_FRONT ? slope : -slope;
}

static void build_axle(vd_model *m, int a) {
  vd_ride *ride = &m->ride;
  const vd_axle_def *axle = &m->vehicle.axle[a];
  const vd_lanes *lanes = &m->lanes;
  double height = m->vehicle.cg_height, other = m->masses.to_axle[1 - a];
  double load = 0.5 * m->masses.total * VD_GRAVITY * other / m->vehicle.wheelbase;
  double spring_load = 0.5 * m->masses.sprung * m->masses.sprung_share[a] * VD_GRAVITY;
  ride->unsprung_mass[a] = axle->unsprung_mass;
  ride->roll_centre_z[a] = axle->roll_centre_height - height;
  ride->wheel_above[a] = axle->wheel_radius - axle->roll_centre_height;
  ride->half_track[a] = 0.5 * axle->track;
  ride->over_track[a] = 1.0 / axle->track;
  ride->swing[a] = axle->unsprung_height - axle->roll_centre_height;
  ride->bar[a] = axle->antiroll_stiffness / (axle->track * axle->track);
  ride->camber_gain[a] = axle->camber_gain;
  double braking = anti_slope(m, a, axle->anti_brake, lanes->brake_share[2 * a] + lanes->brake_share[2 * a + 1]);
  double driving = anti_slope(m, a, axle->anti_drive, lanes->drive_share[2 * a] + lanes->drive_share[2 * a + 1]);
  ride->brake_slope[a] = braking;
  ride->drive_slope[a] = (driving - braking) / axle->wheel_radius;
  vd_suspension_build(&axle->suspension, axle->spring_stiffness, spring_load, &ride->suspension[a]);
  for (int i = 2 * a; i < 2 * a + 2; i++) {
    const vd_tyre_def *tyre = &m->tyre[i].def;
    ride->tyre_stiffness[i] = tyre->vertical_stiffness;
    ride->tyre_damping[i] = tyre->vertical_damping;
    ride->damped |= tyre->vertical_damping > 0.0;
    ride->free_radius[i] = axle->wheel_radius + load / tyre->vertical_stiffness;
  }
}

void vd_fourteen_dof_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  const vd_vehicle_def *v = &m->vehicle;
  double inertia = v->yaw_inertia, first = 0.0, height = v->cg_height;
  *ride = (vd_ride){.sprung_mass = m->masses.sprung, .held = m->options.held, .plane = vd_ground_plane(&m->ground)};
  for (int i = 0; i < VD_WHEELS; i++) {
    double mass = v->axle[i / 2].unsprung_mass, x = m->lanes.x[i], y = m->lanes.y[i];
    first += mass * x;
    inertia -= mass * (x * x + y * y);
  }
  ride->sprung_x = -first / ride->sprung_mass;
  ride->sprung_z = m->masses.sprung_height - height;
  ride->inertia_x = v->roll_inertia;
  ride->inertia_y = v->pitch_inertia;
  ride->inertia_z = inertia - ride->sprung_mass * ride->sprung_x * ride->sprung_x;
  for (int a = 0; a < VD_AXLES; a++)
    build_axle(m, a);
  if (!m->options.lean) {
    double weight = m->masses.sprung * VD_GRAVITY, radius = 0.0, arm = 0.0;
    for (int a = 0; a < VD_AXLES; a++) {
      radius += m->masses.sprung_share[a] * v->axle[a].wheel_radius;
      arm += m->masses.sprung_share[a] * v->axle[a].roll_centre_height;
    }
    ride->lean_roll = weight * (m->masses.sprung_height - arm);
    ride->lean_pitch = weight * (m->masses.sprung_height - radius);
  }
}

/* --- where things are --- */

static inline void make_frame(const double *x, frame *f) {
  double sy = sin(x[VD_S_YAW]), cy = cos(x[VD_S_YAW]);
  double sp = f->sin_pitch = sin(x[VD_S_PITCH]), cp = f->cos_pitch = cos(x[VD_S_PITCH]);
  double sr = f->sin_roll = sin(x[VD_S_ROLL]), cr = f->cos_roll = cos(x[VD_S_ROLL]);
  f->to_world[0][0] = cy * cp;
  f->to_world[0][1] = cy * sp * sr - sy * cr;
  f->to_world[0][2] = cy * sp * cr + sy * sr;
  f->to_world[1][0] = sy * cp;
  f->to_world[1][1] = sy * sp * sr + cy * cr;
  f->to_world[1][2] = sy * sp * cr - cy * sr;
  f->to_world[2][0] = -sp;
  f->to_world[2][1] = cp * sr;
  f->to_world[2][2] = cp * cr;
  f->u[0] = x[VD_S_VX];
  f->u[1] = x[VD_S_VY];
  f->u[2] = x[VD_S_VZ];
  f->w[0] = x[VD_S_ROLL_RATE];
  f->w[1] = x[VD_S_PITCH_RATE];
  f->w[2] = x[VD_S_YAW_RATE];
}

static inline void into_world(const frame *f, const double *x, const double *r, double *out) {
  out[0] = x[VD_S_ALONG] + dot(f->to_world[0], r);
  out[1] = x[VD_S_ACROSS] + dot(f->to_world[1], r);
  out[2] = x[VD_S_HEIGHT] + dot(f->to_world[2], r);
}

/* Distance of a point from the road's tangent plane, and that plane's normal, world. The plane is that of the point's foot: first
 * straight below, then, where the road is no plane, below the foot that was found. */
static inline double road_below(const vd_model *m, const double *p, double lift, double *normal) {
  vd_road road;
  double distance = 0.0, at[2] = {p[0], p[1]};
  for (int round = m->ride.plane ? 1 : 0; round < 2; round++) {
    vd_ground_road(&m->ground, at[0], at[1], &road);
    double scale = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x + road.slope_y * road.slope_y);
    normal[0] = -road.slope_x * scale;
    normal[1] = -road.slope_y * scale;
    normal[2] = scale;
    distance = normal[0] * (p[0] - at[0]) + normal[1] * (p[1] - at[1]) + normal[2] * (p[2] - road.z - lift);
    at[0] = p[0] - distance * normal[0];
    at[1] = p[1] - distance * normal[1];
  }
  return distance;
}

static inline void make_beams(const vd_model *m, const vd_eval *restrict e, beam *beams) {
  for (int a = 0; a < VD_AXLES; a++) {
    int left = 2 * a, right = 2 * a + 1;
    double over = m->ride.over_track[a];
    beams[a].sine = sin((e->travel[right] - e->travel[left]) * over);
    beams[a].cosine = sqrt(1.0 - beams[a].sine * beams[a].sine);
    beams[a].rise = 0.5 * (e->travel_rate[left] + e->travel_rate[right]);
    beams[a].turn = (e->travel_rate[right] - e->travel_rate[left]) * over;
    beams[a].centre_z = m->ride.roll_centre_z[a] + 0.5 * (e->travel[left] + e->travel[right]);
  }
}

/* Y and Z of a point that stands left of and above the roll centre in the axle's own axes. */
static inline void on_beam(const beam *b, double left, double above, double *yz) {
  yz[0] = left * b->cosine + above * b->sine;
  yz[1] = above * b->cosine - left * b->sine;
}

/* The disc of one wheel on its road: contact point, axes, deflection. */
static inline void touch(const vd_model *m, const vd_command *c, const frame *f, const double *x, const beam *b, int i,
                         vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  int a = i / 2;
  double yz[2], world[3], normal[3], *n = k->normal[i];
  on_beam(b, m->lanes.y[i], ride->wheel_above[a], yz);
  double centre[3] = {m->lanes.x[i] + ride->brake_slope[a] * e->travel[i], yz[0], b->centre_z + yz[1]};
  into_world(f, x, centre, world);
  double distance = road_below(m, world, c->post[i], normal);
  for (int j = 0; j < 3; j++)
    n[j] = normal[0] * f->to_world[0][j] + normal[1] * f->to_world[1][j] + normal[2] * f->to_world[2][j];

  /* disc: the normal less its part along the wheel's axle */
  double axle[3] = {-c->sin_angle[i], c->cos_angle[i] * b->cosine, -c->cos_angle[i] * b->sine};
  double lean = dot(n, axle), upright = sqrt(1.0 - lean * lean), inverse = 1.0 / upright, length = distance * inverse;
  double disc[3], down[3];
  for (int j = 0; j < 3; j++) {
    disc[j] = (n[j] - lean * axle[j]) * inverse;
    k->aside[i][j] = upright * axle[j] - lean * disc[j];
    down[j] = -length * disc[j];
    k->at[i][j] = centre[j] + down[j];
  }
  cross(axle, disc, k->ahead[i]);
  double pivot[3] = {0.0, b->sine, b->cosine};
  cross(pivot, down, k->swept[i]);
  k->cosine[i] = upright;
  k->post_lift[i] = normal[2];
  e->deflection[i] = ride->free_radius[i] - length;
  e->camber[i] = 0.0;
  if (m->lanes.moments) /* only such tyres ask for it */
    e->camber[i] = asin(lean) + ride->camber_gain[a] * asin(b->sine);
  into_world(f, x, k->at[i], world);
  e->contact_x[i] = world[0];
  e->contact_y[i] = world[1];
  e->road[i] = world[2];
  e->friction[i] = vd_ground_friction(&m->ground, world[0], world[1]);
}

/* Velocities of the contact points, and the loads. */
static inline void press(const vd_model *m, const vd_command *c, const frame *f, const beam *b, int i,
                         vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  double *v = k->v[i], *at = k->at[i];
  cross(f->w, at, v);
  v[0] += f->u[0] + ride->brake_slope[i / 2] * e->travel_rate[i];
  v[1] += f->u[1] + b->turn * (at[2] - b->centre_z);
  v[2] += f->u[2] + b->rise - b->turn * at[1];
  for (int j = 0; j < 3; j++)
    v[j] += c->angle_rate[i] * k->swept[i][j];
  e->vx_contact[i] = dot(k->ahead[i], v);
  e->vy_contact[i] = dot(k->aside[i], v);

  double inverse = 1.0 / k->cosine[i], deflection = e->deflection[i];
  k->rate[i] = (k->post_lift[i] * c->post_rate[i] - dot(k->normal[i], v)) * inverse;
  k->elastic[i] = deflection > 0.0 ? ride->tyre_stiffness[i] * deflection : 0.0;
  double force = k->elastic[i];
  if (ride->damped && deflection > 0.0)
    force += ride->tyre_damping[i] * fmin(deflection / damping_run, 1.0) * k->rate[i];
  e->load[i] = fmax(force, 0.0) * inverse;
}

/* --- forces --- */

static inline void suspension_forces(const vd_model *m, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    double across = e->travel[i] - e->travel[i ^ 1];
    e->spring_force[i] = vd_suspension_spring(s, e->travel[i]) + m->ride.bar[i / 2] * across;
    e->damper_force[i] = vd_suspension_damper(s, e->travel_rate[i]);
  }
}

/* On posts without friction. */
static void normal_forces(vd_eval *restrict e, contacts *k) {
  for (int i = 0; i < VD_WHEELS; i++) {
    e->fx[i] = e->fy[i] = e->mx[i] = e->my[i] = e->mz[i] = 0.0;
    for (int j = 0; j < 3; j++)
      k->force[i][j] = e->load[i] * k->normal[i][j];
  }
}

static inline void tyre_forces(const vd_model *m, const double *x, vd_eval *restrict e, contacts *k) {
  const vd_lanes *lanes = &m->lanes;
  vd_slide slide[VD_WHEELS];
  vd_tyre_forces tf;
  vd_bending bending;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bending, &contact);
  contact.camber = e->camber;
  for (int i = 0; i < VD_WHEELS; i++)
    tf.mx[i] = tf.my[i] = 0.0; /* mf alone says them */
  vd_tyre_slide(lanes->tyre, VD_WHEELS, &contact, slide);
  vd_tyre_force(lanes->tyre, VD_WHEELS, slide, e->friction, e->load, &tf);
  vd_tyre_moments(lanes->tyre, VD_WHEELS, slide, e->load, e->vx_contact, tf.fy, e->mz);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->fx[i] = tf.fx[i];
    e->fy[i] = tf.fy[i];
    e->mx[i] = tf.mx[i];
    e->my[i] = tf.my[i] - lanes->rolling[i] * vd_rolling_sign(e->omega[i] * lanes->radius[i]) * e->load[i];
    if (m->transient && slide[i].bristles) {
      e->deflection_rate_x[i] = tf.rate_x[i];
      e->deflection_rate_y[i] = tf.rate_y[i];
    }
    for (int j = 0; j < 3; j++)
      k->force[i][j] = e->fx[i] * k->ahead[i][j] + e->fy[i] * k->aside[i][j] + e->load[i] * k->normal[i][j];
  }
}

/* --- spins --- */

/* How the spins answer the body's angular acceleration, and what they do to it: see spin_reactions. */
typedef struct spin_work {
  vd_train train;
  double momentum[VD_WHEELS];   /* kg m2/s, about the axle, body's own turning included */
  double drift[VD_WHEELS];      /* rad/s2: w . d(axle)/dt */
  double axle_rate[VD_WHEELS];  /* rad/s, w . axle */
  double moment[3], inertia[3]; /* on the body: N m; kg m2: xx, yy, xy */
} spin_work;

/* The spin of wheel i against the world is O_i + w . e_i, e_i = (-sin, cos, 0) its axle, so with T_i the torque about it
 *
 *   I_i (O_i' + w' . e_i + w . e_i') = T_i,   O' = A (T - I (E w' + drift))
 *
 * A is 1/I for a free wheel, 0 for a locked one, and the matrix of the coupled train. The body feels
 * -sum e_i I_i (O_i' + w' . e_i + drift_i) - gyroscopic term, of which the part with w' is inertia:
 * sum I_i e_i e_i - sum_ij e_i I_i A_ij I_j e_j, nothing for a free wheel. */
static void coupled_reactions(const vd_model *m, const vd_command *c, const double *base, spin_work *s) {
  const vd_lanes *lanes = &m->lanes;
  for (int i = 0; i < VD_WHEELS; i++) {
    double ex = -c->sin_angle[i], ey = c->cos_angle[i], inertia = lanes->inertia[i];
    double moment = inertia * (base[i] + s->drift[i]);
    s->moment[0] -= ex * moment;
    s->moment[1] -= ey * moment;
    for (int j = 0; j < VD_WHEELS; j++) {
      double fx = -c->sin_angle[j], fy = c->cos_angle[j];
      double share = (i == j ? inertia : 0.0) - inertia * s->train.solved.accel[i][j] * lanes->inertia[j];
      s->inertia[0] += share * ex * fx;
      s->inertia[1] += share * ey * fy;
      s->inertia[2] += share * ex * fy;
    }
  }
}

/* e->spin_accel as long as the body does not turn faster; what the spins do to the body. */
static inline void spin_reactions(const vd_model *m, const vd_command *c, const double *mode, const frame *f,
                                  vd_eval *restrict e, spin_work *s) {
  const vd_lanes *lanes = &m->lanes;
  double torque[VD_WHEELS];
  for (int j = 0; j < 3; j++)
    s->moment[j] = s->inertia[j] = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double cosine = c->cos_angle[i], sine = c->sin_angle[i], inertia = lanes->inertia[i];
    double along = f->w[0] * cosine + f->w[1] * sine, turn = f->w[2] + c->angle_rate[i];
    s->axle_rate[i] = f->w[1] * cosine - f->w[0] * sine;
    s->drift[i] = -c->angle_rate[i] * along;
    s->momentum[i] = inertia * (e->omega[i] + s->axle_rate[i]);
    s->moment[0] += s->momentum[i] * turn * cosine;
    s->moment[1] += s->momentum[i] * turn * sine;
    s->moment[2] -= s->momentum[i] * along;
    torque[i] = e->my[i] - e->fx[i] * lanes->radius[i] - mode[i] * e->brake_capacity[i];
  }
  if (m->coupled) {
    double driven[VD_WHEELS], accel[VD_SHAFTS];
    for (int i = 0; i < VD_WHEELS; i++)
      driven[i] = torque[i] - lanes->inertia[i] * s->drift[i];
    vd_train_accelerate(&s->train, VD_WHEELS, driven, accel);
    for (int i = 0; i < VD_WHEELS; i++)
      e->spin_accel[i] = accel[i];
    coupled_reactions(m, c, e->spin_accel, s);
    return;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double ex = -c->sin_angle[i], ey = c->cos_angle[i], inertia = lanes->inertia[i];
    bool locked = mode[i] == 0.0;
    double net = locked ? inertia * s->drift[i] : e->drive_torque[i] + torque[i];
    e->spin_accel[i] = locked ? 0.0 : net * lanes->inverse_inertia[i] - s->drift[i];
    s->moment[0] -= ex * net;
    s->moment[1] -= ey * net;
    if (locked) {
      s->inertia[0] += inertia * ex * ex;
      s->inertia[1] += inertia * ey * ey;
      s->inertia[2] += inertia * ex * ey;
    }
  }
}

/* The shafts once the body's angular acceleration is known, and the torque that a locked wheel's brake must hold. */
static inline void finish_spins(const vd_model *m, const vd_command *c, const double *mode, const double *alpha,
                                spin_work *s, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  double back[VD_WHEELS], torque[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    back[i] = alpha[1] * c->cos_angle[i] - alpha[0] * c->sin_angle[i];
  if (!m->coupled) {
    for (int i = 0; i < VD_WHEELS; i++) {
      e->spin_torque[i] = e->drive_torque[i] - e->fx[i] * lanes->radius[i] + e->my[i];
      if (mode[i] == 0.0)
        e->spin_torque[i] -= lanes->inertia[i] * (back[i] + s->drift[i]);
      else
        e->spin_accel[i] -= back[i];
    }
    return;
  }
  double accel[VD_SHAFTS];
  for (int i = 0; i < VD_WHEELS; i++)
    torque[i] = e->my[i] - e->fx[i] * lanes->radius[i] - mode[i] * e->brake_capacity[i] -
                lanes->inertia[i] * (s->drift[i] + back[i]);
  vd_train_accelerate(&s->train, VD_WHEELS, torque, accel);
  vd_train_finish(m, &s->train, mode, torque, e);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->spin_accel[i] = accel[i];
    e->spin_torque[i] = e->drive_torque[i] + torque[i] + mode[i] * e->brake_capacity[i];
  }
}

/* --- body --- */

/* Sums over the masses for the equations of the body, accelerations less gravity. */
typedef struct body_work {
  double matrix[3][3]; /* of the angular acceleration, lower half */
  double f[3], t[3];   /* N, N m about O */
} body_work;

/* Masses and first moments about O that answer a forward and a lateral acceleration, kg and kg m. */
typedef struct first_moments {
  double mass, z, y;
  double lateral_mass, lateral_z, lateral_x;
} first_moments;

/* An axle's masses: what is known of their motion before that of the body. */
typedef struct axle_work {
  double lift, roll;       /* N, N m: Q_s, Q_f */
  double mass, lateral;    /* kg: of one wheel; of the axle, for the body */
  double mean_y, mean_z;   /* m, of the masses from the roll centre */
  double known_y, known_z; /* m/s2: means of the accelerations of their places without u', w', s'', f'' */
  double known_turn;       /* m2/s2, K: sum(z y_acc - y z_acc) of both, places from their mean */
} axle_work;

/* Generalised forces on mean travel and turn: the contact forces along the contacts' paths, less the suspension. */
static inline void axle_forces(const vd_model *m, const vd_eval *restrict e, const contacts *k, const beam *b, int a,
                               axle_work *w) {
  const vd_ride *ride = &m->ride;
  double own[2];
  w->lift = w->roll = 0.0;
  for (int side = 0; side < 2; side++) {
    int i = 2 * a + side;
    const double *force = k->force[i], *at = k->at[i];
    own[side] = ride->brake_slope[a] * force[0] + ride->drive_slope[a] * e->drive_torque[i] - e->spring_force[i] -
                e->damper_force[i];
    w->lift += force[2] + own[side];
    w->roll += (at[2] - b->centre_z) * force[1] - at[1] * force[2];
  }
  w->roll += ride->half_track[a] * (own[1] - own[0]);
}

/* The unsprung masses of one axle: their part of the system's matrix and right side. The acceleration of each place is
 * A + w' x r + c + what s'' and f'' add, with c = w x (w x r) + 2 w x v - f'^2 (0, Y, Z). */
static inline void add_axle(const vd_model *m, const frame *f, const beam *b, int a, first_moments *sums,
                            body_work *body, axle_work *w) {
  const vd_ride *ride = &m->ride;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = dot(f->w, f->w), x = m->lanes.x[2 * a];
  double mass = w->mass = ride->unsprung_mass[a], half = ride->half_track[a];
  w->mean_y = ride->swing[a] * b->sine;
  w->mean_z = ride->swing[a] * b->cosine;
  w->known_y = w->known_z = w->known_turn = 0.0;
  for (int side = 0; side < 2; side++) {
    double yz[2];
    on_beam(b, m->lanes.y[2 * a + side], ride->swing[a], yz);
    double at[3] = {x, yz[0], b->centre_z + yz[1]};
    double vy = b->turn * yz[1], vz = b->rise - b->turn * yz[0], whirl = b->turn * b->turn;
    double along = dot(f->w, at);
    double cx = p * along - square * at[0] + 2.0 * (q * vz - r * vy);
    double cy = q * along - square * at[1] - 2.0 * p * vz - whirl * yz[0];
    double cz = r * along - square * at[2] + 2.0 * p * vy - whirl * yz[1];
    w->known_y += 0.5 * cy;
    w->known_z += 0.5 * cz;
    w->known_turn += (yz[1] - w->mean_z) * cy - (yz[0] - w->mean_y) * cz;
    body->f[0] -= mass * cx;
    body->t[1] -= mass * at[2] * cx;
    body->t[2] += mass * at[1] * cx;
    body->matrix[1][1] += mass * at[2] * at[2];
    body->matrix[2][2] += mass * at[1] * at[1];
    body->matrix[2][1] -= mass * at[1] * at[2];
    sums->z += mass * at[2];
    sums->y += mass * at[1];
  }
  double inertia = half * half + w->mean_z * w->mean_z, z = b->centre_z;
  double lateral = w->lateral = 2.0 * mass * half * half / inertia;
  double known = lateral * w->known_y + w->mean_z / inertia * (w->roll + w->mean_y * w->lift - mass * w->known_turn);
  body->f[1] -= known;
  body->f[2] -= w->lift;
  body->t[0] += w->roll + z * known;
  body->t[1] += x * w->lift;
  body->t[2] -= x * known;
  body->matrix[0][0] += lateral * z * z;
  body->matrix[2][0] -= lateral * x * z;
  body->matrix[2][2] += lateral * x * x;
  sums->lateral_mass += lateral;
  sums->lateral_z += lateral * z;
  sums->lateral_x += lateral * x;
  sums->mass += 2.0 * mass;
}

/* The sprung mass: its part of the matrix and right side. */
static inline void add_body(const vd_model *m, const frame *f, const spin_work *s, first_moments *sums, body_work *b) {
  const vd_ride *ride = &m->ride;
  double ms = ride->sprung_mass, xs = ride->sprung_x, zs = ride->sprung_z;
  double ix = ride->inertia_x, iy = ride->inertia_y, iz = ride->inertia_z;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = dot(f->w, f->w), along = p * xs + r * zs;
  double c[3] = {p * along - square * xs, q * along, r * along - square * zs};
  double(*a)[3] = b->matrix;
  a[0][0] = ix + ms * zs * zs + s->inertia[0];
  a[1][1] = iy + ms * (zs * zs + xs * xs) + s->inertia[1];
  a[2][2] = iz + ms * xs * xs;
  a[1][0] = s->inertia[2];
  a[2][0] = -ms * xs * zs;
  a[2][1] = 0.0;
  for (int j = 0; j < 3; j++) {
    b->f[j] -= ms * c[j];
    b->t[j] += s->moment[j];
  }
  b->t[0] += ms * zs * c[1] - (iz - iy) * q * r;
  b->t[1] += ms * (xs * c[2] - zs * c[0]) - (ix - iz) * r * p;
  b->t[2] += -ms * xs * c[1] - (iy - ix) * p * q;
  *sums = (first_moments){.mass = ms, .z = ms * zs, .lateral_mass = ms, .lateral_z = ms * zs, .lateral_x = ms * xs};
}

/* LDL' of the symmetric matrix without pivots: it is positive definite. fixed: no yaw. */
static inline void turn_accelerations(double (*a)[3], const double *t, bool fixed, double *alpha) {
  double l10 = a[1][0] / a[0][0], l20 = a[2][0] / a[0][0];
  double d1 = a[1][1] - l10 * a[1][0], l21 = (a[2][1] - l20 * a[1][0]) / d1;
  double d2 = a[2][2] - l20 * a[2][0] - l21 * l21 * d1;
  double y1 = t[1] - l10 * t[0], y2 = t[2] - l20 * t[0] - l21 * y1;
  alpha[2] = fixed ? 0.0 : y2 / d2;
  alpha[1] = y1 / d1 - l21 * alpha[2];
  alpha[0] = t[0] / a[0][0] - l10 * alpha[1] - l20 * alpha[2];
}

/* Accelerations of O less gravity (given in body axes) and of the body's rotation, from forces and moments about O:
 *   A_x = (f_x - S_z w'_y + S_y w'_z)/m,   A_y = (f_y + L_z w'_x - L_x w'_z)/m_l,   A_z = (f_z + m_s x_s w'_y)/m_s
 * leave a 3 x 3 system. A held body's A_x, A_y and w'_z are known instead. */
static inline void solve_body(const vd_model *m, const frame *f, const beam *beams, const spin_work *s,
                              const double *gravity, axle_work *axles, body_work *b, double *accel, double *alpha) {
  first_moments sum;
  bool held = m->ride.held;
  double(*a)[3] = b->matrix, *t = b->t;
  add_body(m, f, s, &sum, b);
  for (int i = 0; i < VD_AXLES; i++)
    add_axle(m, f, &beams[i], i, &sum, b, &axles[i]);
  double back = m->ride.sprung_mass * m->ride.sprung_x, mz = 1.0 / m->ride.sprung_mass;
  double mx = held ? 0.0 : 1.0 / sum.mass, my = held ? 0.0 : 1.0 / sum.lateral_mass;
  double fx = held ? -gravity[0] : b->f[0] * mx, fy = held ? -gravity[1] : b->f[1] * my, fz = b->f[2] * mz;
  a[0][0] -= sum.lateral_z * sum.lateral_z * my;
  a[1][1] -= sum.z * sum.z * mx + back * back * mz;
  a[2][2] -= sum.lateral_x * sum.lateral_x * my + sum.y * sum.y * mx;
  a[2][0] += sum.lateral_z * sum.lateral_x * my;
  a[2][1] += sum.z * sum.y * mx;
  t[0] += sum.lateral_z * fy;
  t[1] += back * fz - sum.z * fx;
  t[2] += sum.y * fx - sum.lateral_x * fy;
  turn_accelerations(a, t, held, alpha);
  accel[0] = fx + (sum.y * alpha[2] - sum.z * alpha[1]) * mx;
  accel[1] = fy + (sum.lateral_z * alpha[0] - sum.lateral_x * alpha[2]) * my;
  accel[2] = fz + back * mz * alpha[1];
}

/* Second derivatives of the travels, once the body's accelerations are known. */
static inline void travel_rates(const vd_model *m, const double *accel, const double *alpha, const beam *beams,
                                const axle_work *axles, double *dx) {
  for (int a = 0; a < VD_AXLES; a++) {
    const axle_work *w = &axles[a];
    double half = m->ride.half_track[a], x = m->lanes.x[2 * a], mass = w->mass;
    double mean_y = accel[1] + alpha[2] * x - alpha[0] * (beams[a].centre_z + w->mean_z) + w->known_y;
    double mean_z = accel[2] + alpha[0] * w->mean_y - alpha[1] * x + w->known_z;
    double turn = w->roll + w->mean_y * w->lift - 2.0 * mass * w->mean_z * mean_y +
                  mass * (2.0 * alpha[0] * half * half - w->known_turn);
    turn /= 2.0 * mass * (half * half + w->mean_z * w->mean_z);
    double rise = 0.5 * w->lift / mass - mean_z + w->mean_y * turn;
    dx[VD_S_TRAVEL_RATE + 2 * a] = rise - half * turn;
    dx[VD_S_TRAVEL_RATE + 2 * a + 1] = rise + half * turn;
  }
}

/* --- forces from outside --- */

static inline void external(const vd_model *m, const vd_command *c, const frame *f, const contacts *k,
                            vd_eval *restrict e, body_work *b, double *outside) {
  const vd_ride *ride = &m->ride;
  double q = e->vx * e->vx,
         height = m->vehicle.cg_height; /* a pressure has no sign: backwards only the drag turns round */
  double front = m->masses.to_axle[VD_FRONT], rear = m->masses.to_axle[VD_REAR];
  e->drag = m->drag * copysign(q, e->vx);
  for (int a = 0; a < VD_AXLES; a++)
    e->downforce[a] = m->downforce[a] * q;
  /* in the ground plane of the design position, as the coefficients are given */
  b->f[0] = -e->drag;
  b->f[1] = 0.0;
  b->f[2] = -(e->downforce[VD_FRONT] + e->downforce[VD_REAR]);
  b->t[0] = -ride->lean_roll * k->mean_normal[1];
  b->t[1] = ride->lean_pitch * k->mean_normal[0];
  b->t[2] = 0.0;
  *outside = b->t[0] * f->w[0] + b->t[1] * f->w[1];
  b->t[1] += height * e->drag + front * e->downforce[VD_FRONT] - rear * e->downforce[VD_REAR];
  for (int i = 0; i < VD_WHEELS; i++) {
    double moment[3];
    cross(k->at[i], k->force[i], moment);
    for (int j = 0; j < 3; j++)
      b->t[j] += moment[j] + e->mx[i] * k->ahead[i][j] + e->mz[i] * k->normal[i][j];
    b->t[0] -= e->my[i] * c->sin_angle[i];
    b->t[1] += e->my[i] * c->cos_angle[i];
    for (int j = 0; j < 3; j++)
      b->f[j] += k->force[i][j];
  }
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. */
static inline void ledger(const vd_model *m, const vd_command *c, const double *x, const double *mode, const frame *f,
                          const contacts *k, const spin_work *s, const double *drive, const vd_eval *restrict e,
                          double *dx) {
  const vd_ride *ride = &m->ride;
  double driven[VD_WHEELS], links[VD_WHEELS], brake[VD_WHEELS], tyre[VD_WHEELS], rolling[VD_WHEELS];
  double damped[VD_WHEELS], radial[VD_WHEELS], steered[VD_WHEELS], posts[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    double along = f->w[0] * c->cos_angle[i] + f->w[1] * c->sin_angle[i];
    driven[i] = drive[i] * e->omega[i];
    links[i] = drive[i] * ride->drive_slope[i / 2] * e->travel_rate[i];
    brake[i] = -mode[i] * e->brake_capacity[i] * e->omega[i];
    tyre[i] = e->fx[i] * (e->vx_contact[i] - m->lanes.radius[i] * e->omega[i]) + e->fy[i] * e->vy_contact[i] +
              e->mz[i] * dot(k->normal[i], f->w) + e->mx[i] * dot(k->ahead[i], f->w);
    rolling[i] = e->my[i] * (e->omega[i] + s->axle_rate[i]);
    damped[i] = -e->damper_force[i] * e->travel_rate[i];
    radial[i] = (k->elastic[i] - e->load[i] * k->cosine[i]) * k->rate[i];
    steered[i] = c->angle_rate[i] * (s->momentum[i] * along - dot(k->force[i], k->swept[i]));
    posts[i] = e->load[i] * k->post_lift[i] * c->post_rate[i];
  }
  dx[VD_S_WORK_DRIVE] = vd_lane_sum(VD_WHEELS, driven);
  dx[VD_S_WORK_BRAKE] = vd_lane_sum(VD_WHEELS, brake);
  dx[VD_S_WORK_TYRE] = vd_lane_sum(VD_WHEELS, tyre);
  dx[VD_S_WORK_ROLLING] = vd_lane_sum(VD_WHEELS, rolling);
  dx[VD_S_WORK_SUSPENSION] = vd_lane_sum(VD_WHEELS, damped);
  dx[VD_S_WORK_TYRE_VERTICAL] = vd_lane_sum(VD_WHEELS, radial);
  dx[VD_S_WORK_STEERING] = vd_lane_sum(VD_WHEELS, steered);
  dx[VD_S_WORK_OUTSIDE] += vd_lane_sum(VD_WHEELS, posts);
  double q = f->w[1], height = m->vehicle.cg_height;
  dx[VD_S_WORK_AERO] = -e->drag * (e->vx - q * height) -
                       e->downforce[VD_FRONT] * (e->vz - q * m->masses.to_axle[VD_FRONT]) -
                       e->downforce[VD_REAR] * (e->vz + q * m->masses.to_axle[VD_REAR]);
  if (m->coupled)
    vd_train_ledger(m, &s->train, x, e, dx);
  dx[VD_S_WORK_DRIVE] += vd_lane_sum(VD_WHEELS, links);
}

/* --- all of it --- */

static inline void place(const frame *f, const vd_eval *restrict e, double *dx) {
  const double *u = f->u, *w = f->w;
  dx[VD_S_ALONG] = dot(f->to_world[0], u);
  dx[VD_S_ACROSS] = dot(f->to_world[1], u);
  dx[VD_S_HEIGHT] = dot(f->to_world[2], u);
  double turn = (w[1] * f->sin_roll + w[2] * f->cos_roll) / f->cos_pitch;
  dx[VD_S_YAW] = turn;
  dx[VD_S_ROLL] = w[0] + turn * f->sin_pitch;
  dx[VD_S_PITCH] = w[1] * f->cos_roll - w[2] * f->sin_roll;
  dx[VD_S_DISTANCE] = sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = e->travel_rate[i];
}

/* Gravity along the road, body's direction, for the controllers of the speed. */
static inline void slope_pull(const frame *f, const contacts *k, vd_eval *restrict e) {
  double ahead = 0.0, aside = 0.0;
  for (int j = 0; j < 3; j++) {
    ahead -= 0.5 * VD_GRAVITY * f->to_world[2][j] * (k->ahead[VD_RL][j] + k->ahead[VD_RR][j]);
    aside -= 0.5 * VD_GRAVITY * f->to_world[2][j] * (k->aside[VD_RL][j] + k->aside[VD_RR][j]);
  }
  e->pull_x = ahead;
  e->pull_y = aside;
}

/* Drive torques of coupled shafts, for the side on which the gears lose; see coupled_loads in planar.c. */
static void coupled_drive(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                          vd_eval *restrict e, vd_train *train) {
  bool drives = e->motor_torque >= 0.0;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    vd_train_prepare(m, c, x, mode, drives, e, train);
    for (int i = 0; i < VD_WHEELS; i++)
      torque[i] = e->my[i] - e->fx[i] * m->lanes.radius[i] - mode[i] * e->brake_capacity[i];
    vd_train_finish(m, train, mode, torque, e);
    if (vd_train_drives(m, e) == drives || m->drivetrain.efficiency == 1.0)
      break;
    drives = !drives;
  }
}

static inline void read_state(const frame *f, const double *x, vd_eval *restrict e) {
  e->vx = f->u[0];
  e->vy = f->u[1];
  e->vz = f->u[2];
  e->roll_rate = f->w[0];
  e->pitch_rate = f->w[1];
  e->yaw_rate = f->w[2];
  for (int i = 0; i < VD_WHEELS; i++) {
    e->omega[i] = x[VD_S_SPIN + i];
    e->travel[i] = x[VD_S_TRAVEL + i];
    e->travel_rate[i] = x[VD_S_TRAVEL_RATE + i];
  }
}

bool vd_fourteen_dof_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                           vd_eval *restrict e, double *dx) {
  frame f;
  beam beams[VD_AXLES];
  contacts k;
  spin_work s;
  axle_work axles[VD_AXLES];
  body_work b;
  double gravity[3], accel[3], alpha[3], drive[VD_WHEELS];
  make_frame(x, &f);
  read_state(&f, x, e);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  make_beams(m, e, beams);
  for (int i = 0; i < VD_WHEELS; i++)
    touch(m, c, &f, x, &beams[i / 2], i, e, &k);
  for (int i = 0; i < VD_WHEELS; i++)
    press(m, c, &f, &beams[i / 2], i, e, &k);
  for (int j = 0; j < 3; j++)
    k.mean_normal[j] = 0.25 * (k.normal[0][j] + k.normal[1][j] + k.normal[2][j] + k.normal[3][j]);
  slope_pull(&f, &k, e);
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    vd_lane_steady_slips(VD_WHEELS, m, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, e);
  if (m->ride.held)
    normal_forces(e, &k);
  else
    tyre_forces(m, x, e, &k);
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  spin_reactions(m, c, mode, &f, e, &s);
  external(m, c, &f, &k, e, &b, &dx[VD_S_WORK_OUTSIDE]);
  for (int a = 0; a < VD_AXLES; a++)
    axle_forces(m, e, &k, &beams[a], a, &axles[a]);
  solve_body(m, &f, beams, &s, gravity, axles, &b, accel, alpha);
  finish_spins(m, c, mode, alpha, &s, e);

  double turning[3];
  cross(f.w, f.u, turning);
  e->ax = accel[0] + gravity[0];
  e->ay = accel[1] + gravity[1];
  e->az = accel[2] + gravity[2];
  e->yaw_accel = alpha[2];
  dx[VD_S_VX] = m->ride.held ? 0.0 : e->ax - turning[0];
  dx[VD_S_VY] = m->ride.held ? 0.0 : e->ay - turning[1];
  dx[VD_S_VZ] = e->az - turning[2];
  dx[VD_S_ROLL_RATE] = alpha[0];
  dx[VD_S_PITCH_RATE] = alpha[1];
  dx[VD_S_YAW_RATE] = alpha[2];
  place(&f, e, dx);
  travel_rates(m, accel, alpha, beams, axles, dx);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
  for (int i = VD_S_EXTRAS; i < VD_S_RIDE; i++)
    dx[i] = 0.0;
  ledger(m, c, x, mode, &f, &k, &s, drive, e, dx);
  if (m->coupled)
    dx[VD_S_MOTOR] = e->motor_accel;
  dx[VD_S_ACCELERATION_HOLD] = vd_acceleration_hold_rate(c, e);
  if (m->transient)
    vd_lane_deflection_ledger(VD_WHEELS, m, x, e, dx);
  if (m->abs)
    vd_lane_antilock(VD_WHEELS, m, c, x, e, dx);
  e->passes = 1;
  e->residual = 0.0;
  return true;
}

/* --- start and log --- */

/* The design position over the plane through the road under the four wheels, on which yaw, pitch and roll follow from the heading:
 * x and y of the body lie in it. */
void vd_fourteen_dof_start(const vd_model *m, double x, double y, double yaw, vd_state_vector *s) {
  vd_road road;
  double z[VD_WHEELS], cy = cos(yaw), sy = sin(yaw), front = m->masses.to_axle[VD_FRONT];
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_ground_road(&m->ground, x + cy * m->lanes.x[i] - sy * m->lanes.y[i], y + sy * m->lanes.x[i] + cy * m->lanes.y[i],
                   &road);
    z[i] = road.z;
  }
  double ahead = 0.5 * (z[VD_FL] + z[VD_FR] - z[VD_RL] - z[VD_RR]) / m->vehicle.wheelbase;
  double aside = 0.5 * ((z[VD_FL] - z[VD_FR]) * m->ride.over_track[VD_FRONT] +
                        (z[VD_RL] - z[VD_RR]) * m->ride.over_track[VD_REAR]);
  double below = 0.5 * (z[VD_FL] + z[VD_FR]) - front * ahead;
  /* in axes turned by yaw the normal is (-ahead, -aside, 1) n */
  double n = 1.0 / sqrt(1.0 + ahead * ahead + aside * aside);
  s->x[VD_S_ALONG] = x;
  s->x[VD_S_ACROSS] = y;
  s->x[VD_S_HEIGHT] = below + m->vehicle.cg_height / n;
  s->x[VD_S_PITCH] = -atan(ahead);
  s->x[VD_S_ROLL] = atan2(aside, sqrt(1.0 + ahead * ahead));
}

/* Attitude against the plane through the four contact points: its slopes in body axes. */
static void lean(const vd_model *m, const frame *f, vd_eval *e) {
  double front[3], rear[3], left[3], right[3], ahead[3], aside[3], normal[3], in_body[3];
  const double *place[3] = {e->contact_x, e->contact_y, e->road};
  for (int j = 0; j < 3; j++) {
    const double *p = place[j];
    front[j] = 0.5 * (p[VD_FL] + p[VD_FR]);
    rear[j] = 0.5 * (p[VD_RL] + p[VD_RR]);
    left[j] = 0.5 * (p[VD_FL] + p[VD_RL]);
    right[j] = 0.5 * (p[VD_FR] + p[VD_RR]);
    ahead[j] = front[j] - rear[j];
    aside[j] = left[j] - right[j];
  }
  cross(ahead, aside, normal);
  double scale = 1.0 / sqrt(dot(normal, normal)), off[3];
  for (int j = 0; j < 3; j++) {
    double column[3] = {f->to_world[0][j], f->to_world[1][j], f->to_world[2][j]};
    in_body[j] = scale * dot(normal, column);
    off[j] = 0.0;
  }
  e->body_roll = asin(in_body[1]);
  e->body_pitch = -asin(in_body[0]);
  /* the centre of gravity over the contact points, in the road's directions */
  double share = m->masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  for (int j = 0; j < 3; j++)
    off[j] = share * front[j] + (1.0 - share) * rear[j];
  double to_centre[3] = {e->x - off[0], e->y - off[1], e->z - off[2]};
  double length_x = sqrt(dot(ahead, ahead));
  cross(normal, ahead, aside);
  e->ex = dot(to_centre, ahead) / length_x;
  e->ey = -dot(to_centre, aside) / sqrt(dot(aside, aside));
}

static void energies(const vd_model *m, const frame *f, vd_eval *e) {
  const vd_ride *ride = &m->ride;
  double at[3] = {ride->sprung_x, 0.0, ride->sprung_z}, v[3];
  const double *w = f->w;
  beam beams[VD_AXLES];
  make_beams(m, e, beams);
  cross(w, at, v);
  for (int j = 0; j < 3; j++)
    v[j] += f->u[j];
  e->energy_kinetic = 0.5 * (ride->sprung_mass * dot(v, v) + ride->inertia_x * w[0] * w[0] +
                             ride->inertia_y * w[1] * w[1] + ride->inertia_z * w[2] * w[2]);
  e->energy_gravity = ride->sprung_mass * dot(f->to_world[2], at);
  e->energy_spin = e->energy_spring = e->energy_tyre = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    int a = i / 2;
    double mass = ride->unsprung_mass[a], yz[2];
    on_beam(&beams[a], m->lanes.y[i], ride->swing[a], yz);
    double here[3] = {m->lanes.x[i], yz[0], beams[a].centre_z + yz[1]};
    cross(w, here, v);
    v[0] += f->u[0];
    v[1] += f->u[1] + beams[a].turn * yz[1];
    v[2] += f->u[2] + beams[a].rise - beams[a].turn * yz[0];
    double spin = e->omega[i] + w[1] * cos(e->angle[i]) - w[0] * sin(e->angle[i]);
    e->energy_kinetic += 0.5 * mass * dot(v, v);
    e->energy_gravity += mass * dot(f->to_world[2], here);
    e->energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    e->energy_spring += vd_suspension_energy(&ride->suspension[a], e->travel[i]);
    if (e->deflection[i] > 0.0)
      e->energy_tyre += 0.5 * ride->tyre_stiffness[i] * e->deflection[i] * e->deflection[i];
  }
  for (int a = 0; a < VD_AXLES; a++) {
    double across = e->travel[2 * a + 1] - e->travel[2 * a];
    e->energy_spring += 0.5 * ride->bar[a] * across * across;
  }
  e->energy_gravity = VD_GRAVITY * (e->energy_gravity + m->masses.total * e->z);
}

void vd_fourteen_dof_observe(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  frame f;
  make_frame(s->x, &f);
  e->x = s->x[VD_S_ALONG];
  e->y = s->x[VD_S_ACROSS];
  e->z = s->x[VD_S_HEIGHT];
  e->yaw = s->x[VD_S_YAW];
  e->pitch = s->x[VD_S_PITCH];
  e->roll = s->x[VD_S_ROLL];
  double ahead = f.cos_pitch * e->vx + f.sin_pitch * (f.sin_roll * e->vy + f.cos_roll * e->vz);
  double aside = f.cos_roll * e->vy - f.sin_roll * e->vz;
  e->sideslip = hypot(ahead, aside) > 1e-6 ? atan2(aside, fabs(ahead)) : 0.0;
  e->specific_x = e->ax + VD_GRAVITY * f.to_world[2][0];
  e->specific_y = e->ay + VD_GRAVITY * f.to_world[2][1];
  e->specific_z = e->az + VD_GRAVITY * f.to_world[2][2];
  for (int i = 0; i < VD_WHEELS; i++)
    e->compression[i] = m->ride.suspension[i / 2].static_compression + e->travel[i];
  lean(m, &f, e);
  energies(m, &f, e);
}
