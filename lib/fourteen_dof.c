/* L3, fourteen degrees of freedom: a free sprung body, four unsprung masses, four wheel spins, in one state.
 *
 * Coordinates. The body has the world position of its reference point O (the place of the whole centre of gravity at design
 * load), yaw, pitch and roll (ISO 8855: about z, y, x in turn), and velocities u, w in body axes. Each wheel has a travel s from
 * the design position along the body's z, bump > 0, and a spin relative to its knuckle. Nothing is small: the car may stand on any
 * slope, fall, and land; it must not lie on its side, where nothing but tyres would touch the road and pitch may pass a right angle.
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
#include "fourteen_body.h"

/* Deflection over which the tyre's vertical damping builds up, so that touching the road is no blow. */
static const double damping_run = 0.005; /* m */

/* What the wheels know about the road, all vectors in body axes. */
typedef struct contacts {
  vd_wide3 at;           /* m, contact points from O */
  vd_wide3 normal;       /* of the road */
  vd_wide3 ahead, aside; /* contact axes in the road plane */
  vd_wide3 swept;        /* m, by which they move over the steering angle */
  vd_wide3 force;        /* N, of the road on the tyre */
  vd_wide cosine;        /* of the angle between disc and normal */
  vd_wide rate;          /* m/s, of the tyre's deflection */
  vd_wide elastic;       /* N, k d */
  vd_wide post_lift;     /* normal's share along the world's z */
} contacts;

/* --- where things are --- */

/* Where a disc stands on the road: the point of the road in the disc's plane that is nearest to its centre. */
typedef struct foot {
  double x, y;      /* m, world */
  double normal[3]; /* of the road there, world */
  double distance;  /* m, of the centre from the tangent plane */
  double away2;     /* m2, square of the distance to the place */
  double miss[2];   /* m, from the place to where the disc stands on its tangent plane */
} foot;

/* centre, axle: of the disc, world. */
static void look_at(const vd_ground *ground, const double *centre, const double *axle, double x, double y, foot *f) {
  vd_road road;
  vd_ground_road(ground, x, y, &road);
  double scale = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x + road.slope_y * road.slope_y);
  double to[3] = {centre[0] - x, centre[1] - y, centre[2] - road.z};
  *f = (foot){.x = x, .y = y, .normal = {-road.slope_x * scale, -road.slope_y * scale, scale}};
  double lean = vd_dot(f->normal, axle), inverse2 = 1.0 / (1.0 - lean * lean);
  f->distance = vd_dot(f->normal, to);
  f->away2 = vd_dot(to, to);
  for (int j = 0; j < 2; j++)
    f->miss[j] = to[j] - f->distance * inverse2 * (f->normal[j] - lean * axle[j]);
}

/* From a place of the road to where the disc stands. The miss shrinks by the factor `curvature x distance` from one tangent plane to
 * the next, which its slope along the last move, a secant, makes good; a move that misses by more is halved. Only there is the
 * deflection a potential whose gradient is the normal: at other places the tyre would create energy. */
static void find_foot(const vd_ground *ground, const double *centre, const double *axle, foot *f) {
  enum { ROUNDS = 60 };
  const double near = 1e-8;        /* m */
  const double least_slope = 0.05; /* of -d(miss)/d(place), 0 where the road is as hollow as the wheel is round */
  double slope = 1.0;
  look_at(ground, centre, axle, f->x, f->y, f);
  for (int round = 0; round < ROUNDS; round++) {
    double miss2 = f->miss[0] * f->miss[0] + f->miss[1] * f->miss[1];
    if (miss2 < near * near)
      return;
    foot next;
    double move[2] = {f->miss[0] / slope, f->miss[1] / slope};
    look_at(ground, centre, axle, f->x + move[0], f->y + move[1], &next);
    if (!(next.away2 <= f->away2) && next.miss[0] * next.miss[0] + next.miss[1] * next.miss[1] > miss2 && slope < 1e3) {
      slope *= 2.0;
      continue;
    }
    slope = -((next.miss[0] - f->miss[0]) * move[0] + (next.miss[1] - f->miss[1]) * move[1]) /
            (move[0] * move[0] + move[1] * move[1]);
    slope = fmax(slope, least_slope);
    *f = next;
  }
}

/* On roads that can be hollower than the wheel is round there are several such places, and the disc stands on the one that it
 * reaches first. Places along the wheel's way within its radius are tried, and each hollow of their distances is followed down. */
static void nearest_foot(const vd_ground *ground, const double *centre, const double *axle, double radius, foot *f) {
  enum { SIDE = 10, PLACES = 2 * SIDE + 1 };
  double distance[PLACES + 2], length = sqrt(axle[0] * axle[0] + axle[1] * axle[1]);
  double ahead[2] = {axle[1] / length, -axle[0] / length};
  distance[0] = distance[PLACES + 1] = INFINITY;
  for (int i = 0; i < PLACES; i++) {
    vd_road road;
    double way = radius * (i - SIDE) / SIDE;
    vd_ground_road(ground, centre[0] + way * ahead[0], centre[1] + way * ahead[1], &road);
    distance[i + 1] = way * way + (centre[2] - road.z) * (centre[2] - road.z);
  }
  double least = INFINITY;
  f->distance = NAN; /* of a centre that is nowhere */
  for (int i = 1; i <= PLACES; i++) {
    if (!(distance[i] <= distance[i - 1] && distance[i] < distance[i + 1]))
      continue;
    double way = radius * (i - 1 - SIDE) / SIDE;
    foot here = {.x = centre[0] + way * ahead[0], .y = centre[1] + way * ahead[1]};
    find_foot(ground, centre, axle, &here);
    if (here.away2 < least) {
      least = here.away2;
      *f = here;
    }
  }
}

/* Distances of all wheel centres from the tangent planes at their feet, and the normals there; a plane is the same everywhere. */
static void feet(const vd_model *m, const vd_command *c, const vd_wide3 *centre, const vd_wide3 *axle,
                 vd_wide *distance, vd_wide3 *normal) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double at[3] = {centre->x[i], centre->y[i], centre->z[i] - c->post[i]};
    double along[3] = {axle->x[i], axle->y[i], axle->z[i]};
    foot here = {.x = at[0], .y = at[1]};
    if (m->ride.sharp)
      nearest_foot(&m->ground, at, along, m->ride.free_radius[i], &here);
    else
      find_foot(&m->ground, at, along, &here);
    (*distance)[i] = here.distance;
    normal->x[i] = here.normal[0];
    normal->y[i] = here.normal[1];
    normal->z[i] = here.normal[2];
  }
}

/* centre: world; axle: body axes. */
VD_INLINE vd_wide roads_below(const vd_model *m, const vd_command *c, const vd_frame *f, vd_wide3 centre, vd_wide3 axle,
                              vd_wide3 *normal) {
  if (m->ride.plane) {
    *normal = vd_wide_all(m->ground.normal);
    return vd_wide_dot(*normal, centre) - normal->z * vd_wide_load(c->post);
  }
  vd_wide distance = {0.0};
  vd_wide3 along = vd_out_of_body(f, axle);
  feet(m, c, &centre, &along, &distance, normal);
  return distance;
}

/* Camber that tyres feel; only those of property files ask for it. */
static void cambers(const vd_model *m, vd_wide lean, vd_wide turned, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->camber[i] = asin(fmax(-1.0, fmin(1.0, lean[i]))) + m->ride.camber_gain[i / 2] * asin(turned[i]);
}

/* The discs of the wheels on their roads: contact points, axes, deflections. */
VD_INLINE void touch(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x, const vd_beams *b,
                     vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  vd_wide cosine = vd_wide_load(c->cos_angle), sine = vd_wide_load(c->sin_angle);
  vd_wide3 centre, normal;
  centre.x = vd_wide_load(m->lanes.x) + vd_wide_load(ride->brake_slope) * vd_wide_load(x + VD_S_TRAVEL);
  vd_on_beams(b, vd_wide_load(m->lanes.y), vd_wide_load(ride->wheel_above), &centre.y, &centre.z);
  centre.z += b->centre_z;
  vd_wide3 axle = {-sine, cosine * b->cosine, -cosine * b->sine};
  vd_wide distance = roads_below(m, c, f, vd_into_world(f, x, centre), axle, &normal);
  vd_wide3 n = k->normal = ride->plane ? vd_wide_all(f->level[2]) : vd_into_body(f, normal);

  /* disc: the normal less its part along the wheel's axle */
  vd_wide lean = vd_wide_dot(n, axle), upright = vd_wide_sqrt(1.0 - lean * lean), inverse = 1.0 / upright;
  vd_wide length = distance * inverse;
  vd_wide3 disc = {(n.x - lean * axle.x) * inverse, (n.y - lean * axle.y) * inverse, (n.z - lean * axle.z) * inverse};
  vd_wide3 down = {-length * disc.x, -length * disc.y, -length * disc.z}, pivot = {0.0 * lean, b->sine, b->cosine};
  k->aside =
      (vd_wide3){upright * axle.x - lean * disc.x, upright * axle.y - lean * disc.y, upright * axle.z - lean * disc.z};
  k->ahead = vd_wide_cross(axle, disc);
  k->at = (vd_wide3){centre.x + down.x, centre.y + down.y, centre.z + down.z};
  k->swept = vd_wide_cross(pivot, down);
  k->cosine = upright;
  k->post_lift = normal.z;
  vd_wide_store(vd_wide_load(ride->free_radius) - length, e->deflection);
  if (m->lanes.moments)
    cambers(m, lean, b->sine, e);
  vd_wide_store(0.0 * lean + m->ground.friction, e->friction);
  if (m->patches) {
    vd_wide3 world = vd_into_world(f, x, k->at);
    for (int i = 0; i < VD_WHEELS; i++)
      e->friction[i] = vd_ground_friction(&m->ground, world.x[i], world.y[i]);
  }
  vd_wide_store(k->at.x, e->contact_x);
  vd_wide_store(k->at.y, e->contact_y);
  vd_wide_store(k->at.z, e->contact_z);
}

/* Velocities of the contact points, as points of the knuckles, and the loads. */
VD_INLINE void press(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x, const vd_beams *b,
                     vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  vd_wide rate = vd_wide_load(c->angle_rate), none = 0.0 * rate;
  vd_wide3 v = vd_wide_cross(vd_wide_all(f->w), k->at);
  v.x += f->u[0] + vd_wide_load(ride->brake_slope) * vd_wide_load(x + VD_S_TRAVEL_RATE) + rate * k->swept.x;
  v.y += f->u[1] + b->turn * (k->at.z - b->centre_z) + rate * k->swept.y;
  v.z += f->u[2] + b->rise - b->turn * k->at.y + rate * k->swept.z;
  vd_wide_store(vd_wide_dot(k->ahead, v), e->vx_contact);
  vd_wide_store(vd_wide_dot(k->aside, v), e->vy_contact);

  vd_wide inverse = 1.0 / k->cosine, deflection = vd_wide_load(e->deflection);
  k->rate = (k->post_lift * vd_wide_load(c->post_rate) - vd_wide_dot(k->normal, v)) * inverse;
  k->elastic = vd_wide_load(ride->tyre_stiffness) * vd_wide_most(deflection, none);
  vd_wide force = k->elastic;
  if (ride->damped) {
    vd_wide share = vd_wide_least(vd_wide_most(deflection, none) * (1.0 / damping_run), none + 1.0);
    force += vd_wide_load(ride->tyre_damping) * share * k->rate;
  }
  vd_wide_store(vd_wide_most(force, none) * inverse, e->load);
}

/* --- forces --- */

VD_INLINE void suspension_forces(const vd_model *m, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    double across = e->travel[i] - e->travel[i ^ 1];
    e->spring_force[i] = vd_suspension_spring(s, e->travel[i]) + m->ride.bar[i / 2] * across;
    e->damper_force[i] = vd_suspension_damper(s, e->travel_rate[i]);
  }
}

/* On posts without friction. */
static void no_friction(vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->fx[i] = e->fy[i] = e->mx[i] = e->my[i] = e->mz[i] = 0.0;
}

static void any_tyres(const vd_model *m, const double *x, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  vd_slide slide[VD_WHEELS];
  vd_tyre_forces tf = {.mx = {0.0}}; /* mf alone says moments */
  vd_bending bending;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bending, &contact);
  contact.camber = e->camber;
  vd_tyre_slide(lanes->tyre, VD_WHEELS, &contact, slide);
  vd_tyre_force(lanes->tyre, VD_WHEELS, slide, e->friction, e->load, &tf);
  vd_tyre_moments(lanes->tyre, VD_WHEELS, slide, e->load, e->vx_contact, tf.fy, e->mz);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->fx[i] = tf.fx[i];
    e->fy[i] = tf.fy[i];
    e->mx[i] = tf.mx[i];
    e->my[i] = tf.my[i];
    if (m->transient && slide[i].bristles) {
      e->deflection_rate_x[i] = tf.rate_x[i];
      e->deflection_rate_y[i] = tf.rate_y[i];
    }
  }
}

VD_INLINE void tyre_forces(const vd_model *m, const double *x, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  if (m->ride.plain_tyres) {
    vd_slides slides;
    vd_mf96_slides(&m->ride.mf96, e->kappa, e->tan_alpha, &slides);
    vd_mf96_forces(&m->ride.mf96, &slides, e->friction, e->load, e->vx_contact, e->fx, e->fy, e->mz);
    for (int i = 0; i < VD_WHEELS; i++)
      e->mx[i] = e->my[i] = 0.0;
  } else {
    any_tyres(m, x, e);
  }
  for (int i = 0; i < VD_WHEELS; i++)
    e->my[i] -= lanes->rolling[i] * vd_rolling_sign(e->omega[i] * lanes->radius[i]) * e->load[i];
}

/* --- forces from outside --- */

/* Air forces act in the ground plane of the design position, as their coefficients are given. A pressure has no sign: backwards
 * only the drag turns round. */
VD_INLINE void external(const vd_model *m, const vd_command *c, const vd_frame *f, contacts *k, vd_eval *restrict e,
                        vd_body_work *b, double *outside) {
  const vd_ride *ride = &m->ride;
  double q = f->u[0] * f->u[0], height = m->vehicle.cg_height;
  double front = m->masses.to_axle[VD_FRONT], rear = m->masses.to_axle[VD_REAR];
  vd_wide fx = vd_wide_load(e->fx), fy = vd_wide_load(e->fy), fz = vd_wide_load(e->load), my = vd_wide_load(e->my);
  vd_wide mx = vd_wide_load(e->mx), mz = vd_wide_load(e->mz);
  vd_wide3 force = {fx * k->ahead.x + fy * k->aside.x + fz * k->normal.x,
                    fx * k->ahead.y + fy * k->aside.y + fz * k->normal.y,
                    fx * k->ahead.z + fy * k->aside.z + fz * k->normal.z};
  vd_wide3 moment = vd_wide_cross(k->at, force);
  moment.x += mx * k->ahead.x + mz * k->normal.x - my * vd_wide_load(c->sin_angle);
  moment.y += mx * k->ahead.y + mz * k->normal.y + my * vd_wide_load(c->cos_angle);
  moment.z += mx * k->ahead.z + mz * k->normal.z;
  k->force = force;
  e->drag = m->drag * copysign(q, f->u[0]);
  for (int a = 0; a < VD_AXLES; a++)
    e->downforce[a] = m->downforce[a] * q;
  vd_wide forces = vd_wide_sums(force.x, force.y, force.z, k->normal.x);
  vd_wide moments = vd_wide_sums(moment.x, moment.y, moment.z, k->normal.y);
  double lean[2] = {-0.25 * ride->lean_roll * moments[3], 0.25 * ride->lean_pitch * forces[3]};
  *outside = lean[0] * f->w[0] + lean[1] * f->w[1];
  b->f[0] = forces[0] - e->drag;
  b->f[1] = forces[1];
  b->f[2] = forces[2] - (e->downforce[VD_FRONT] + e->downforce[VD_REAR]);
  b->t[0] = moments[0] + lean[0];
  b->t[1] = moments[1] + lean[1] + height * e->drag + front * e->downforce[VD_FRONT] - rear * e->downforce[VD_REAR];
  b->t[2] = moments[2];
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. drive: N m, as it acted on the links. */
VD_INLINE void ledger(const vd_model *m, const vd_command *c, const double *x, const double *mode, const vd_frame *f,
                      const contacts *k, const vd_spin_work *s, const double *drive, const vd_eval *restrict e,
                      double *dx) {
  vd_wide torque = vd_wide_load(drive), omega = vd_wide_load(e->omega), load = vd_wide_load(e->load);
  vd_wide rate = vd_wide_load(e->travel_rate), steer = vd_wide_load(c->angle_rate), my = vd_wide_load(e->my);
  vd_wide3 w = vd_wide_all(f->w);
  vd_wide tyre = vd_wide_load(e->fx) * (vd_wide_load(e->vx_contact) - vd_wide_load(m->lanes.radius) * omega) +
                 vd_wide_load(e->fy) * vd_wide_load(e->vy_contact) + vd_wide_load(e->mz) * vd_wide_dot(k->normal, w) +
                 vd_wide_load(e->mx) * vd_wide_dot(k->ahead, w);
  vd_wide first = vd_wide_sums(torque * omega, vd_wide_load(mode) * vd_wide_load(e->brake_capacity) * omega, tyre,
                               my * (omega + s->axle_rate));
  vd_wide second = vd_wide_sums(vd_wide_load(e->damper_force) * rate, (k->elastic - load * k->cosine) * k->rate,
                                steer * (s->momentum * s->along - vd_wide_dot(k->force, k->swept)),
                                load * k->post_lift * vd_wide_load(c->post_rate));
  dx[VD_S_WORK_DRIVE] = first[0];
  dx[VD_S_WORK_BRAKE] = -first[1];
  dx[VD_S_WORK_TYRE] = first[2];
  dx[VD_S_WORK_ROLLING] = first[3];
  dx[VD_S_WORK_SUSPENSION] = -second[0];
  dx[VD_S_WORK_TYRE_VERTICAL] = second[1];
  dx[VD_S_WORK_STEERING] = second[2];
  dx[VD_S_WORK_OUTSIDE] += second[3];
  double q = f->w[1], height = m->vehicle.cg_height;
  dx[VD_S_WORK_AERO] = -e->drag * (f->u[0] - q * height) -
                       e->downforce[VD_FRONT] * (f->u[2] - q * m->masses.to_axle[VD_FRONT]) -
                       e->downforce[VD_REAR] * (f->u[2] + q * m->masses.to_axle[VD_REAR]);
  if (m->coupled)
    vd_train_ledger(m, &s->train, x, e, dx);
  dx[VD_S_WORK_DRIVE] += vd_wide_sum(torque * vd_wide_load(m->ride.drive_slope) * rate);
}

/* --- all of it --- */

VD_INLINE void place(const vd_frame *f, const vd_eval *restrict e, double *dx) {
  const double *u = f->u, *w = f->w;
  dx[VD_S_ALONG] = vd_dot(f->to_world[0], u);
  dx[VD_S_ACROSS] = vd_dot(f->to_world[1], u);
  dx[VD_S_HEIGHT] = vd_dot(f->to_world[2], u);
  double turn = (w[1] * f->sin_roll + w[2] * f->cos_roll) / f->cos_pitch;
  dx[VD_S_YAW] = turn;
  dx[VD_S_ROLL] = w[0] + turn * f->sin_pitch;
  dx[VD_S_PITCH] = w[1] * f->cos_roll - w[2] * f->sin_roll;
  dx[VD_S_DISTANCE] = sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = e->travel_rate[i];
}

/* Gravity along the road, in the directions of the rear wheels, for the controllers of the speed. */
VD_INLINE void slope_pull(const double *gravity, const contacts *k, vd_eval *restrict e) {
  vd_wide3 g = vd_wide_all(gravity);
  vd_wide ahead = vd_wide_dot(g, k->ahead), aside = vd_wide_dot(g, k->aside);
  e->pull_x = 0.5 * (ahead[VD_RL] + ahead[VD_RR]);
  e->pull_y = 0.5 * (aside[VD_RL] + aside[VD_RR]);
}

/* Drive torques of coupled shafts, for the side on which the gears lose; see coupled_loads in planar.c. */
static void coupled_drive(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                          vd_eval *restrict e, vd_train *train) {
  bool drives = e->motor_torque >= 0.0;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    vd_train_prepare(m, c, x, mode, drives, e, train);
    vd_wide_store(vd_wheel_torques(m, mode, e), torque);
    vd_train_finish(m, train, mode, torque, e);
    if (vd_train_drives(m, e) == drives || m->drivetrain.efficiency == 1.0)
      break;
    drives = !drives;
  }
}

VD_INLINE void read_state(const vd_frame *f, const double *x, vd_eval *restrict e) {
  e->vx = vd_dot(f->level[0], f->u);
  e->vy = vd_dot(f->level[1], f->u);
  e->vz = vd_dot(f->level[2], f->u);
  e->roll_rate = vd_dot(f->level[0], f->w);
  e->pitch_rate = vd_dot(f->level[1], f->w);
  e->yaw_rate = vd_dot(f->level[2], f->w);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->omega[i] = x[VD_S_SPIN + i];
    e->travel[i] = x[VD_S_TRAVEL + i];
    e->travel_rate[i] = x[VD_S_TRAVEL_RATE + i];
  }
}

VD_WIDE bool vd_fourteen_dof_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                   vd_eval *restrict e, double *dx) {
  vd_frame f;
  vd_beams b;
  contacts k;
  vd_spin_work s;
  vd_axle_work axles;
  vd_body_work body;
  double beam_sine[VD_AXLES], gravity[3], accel[3], alpha[3], drive[VD_WHEELS];
  vd_make_frame(m, x, beam_sine, &f);
  vd_make_beams(m, x, beam_sine, &b);
  read_state(&f, x, e);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  touch(m, c, &f, x, &b, e, &k);
  press(m, c, &f, x, &b, e, &k);
  slope_pull(gravity, &k, e);
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    vd_lane_steady_slips(VD_WHEELS, m, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, e);
  if (m->ride.held)
    no_friction(e);
  else
    tyre_forces(m, x, e);
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  vd_spin_reactions(m, c, mode, &f, e, &s);
  external(m, c, &f, &k, e, &body, &dx[VD_S_WORK_OUTSIDE]);
  vd_axle_forces(m, e, &k.at, &k.force, &b, &axles);
  vd_solve_body(m, &f, &b, &s, gravity, &axles, &body, accel, alpha);
  vd_finish_spins(m, c, mode, alpha, &s, e);
  vd_travel_rates(m, accel, alpha, &b, &axles, dx);

  double turning[3];
  vd_cross(f.w, f.u, turning);
  for (int j = 0; j < 3; j++)
    accel[j] += gravity[j];
  e->ax = vd_dot(f.level[0], accel);
  e->ay = vd_dot(f.level[1], accel);
  e->az = vd_dot(f.level[2], accel);
  e->yaw_accel = alpha[2];
  dx[VD_S_VX] = m->ride.held ? 0.0 : accel[0] - turning[0];
  dx[VD_S_VY] = m->ride.held ? 0.0 : accel[1] - turning[1];
  dx[VD_S_VZ] = accel[2] - turning[2];
  dx[VD_S_ROLL_RATE] = alpha[0];
  dx[VD_S_PITCH_RATE] = alpha[1];
  dx[VD_S_YAW_RATE] = alpha[2];
  place(&f, e, dx);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
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
