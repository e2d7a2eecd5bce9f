/* The free-body level before and after a step: constants, the start, where the wheels meet surfaces, and what the log asks for. */
#include "model/free_impl.h"

#include <math.h>

/* --- constants --- */

/* Share of the critical damping, 2 sqrt(k m), that links across a wheel's path have. */
static const double link_damping_ratio = 1.0;
/* A hub's contact has this share of the critical damping of a quarter of the car's mass on its tyre. */
static const double hub_damping_ratio = 1.0;
/* What loops were once driven on: a soft contact that presses with no more than some times the static load. */
static const double capped_stiffness = 80e3, capped_loads = 6.0; /* N/m; m g/4 */

static void add_mass(double mass, const double *at, double (*inertia)[3]) {
  double square = vd_dot(at, at);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inertia[i][j] += mass * ((i == j ? square : 0.0) - at[i] * at[j]);
}

static void invert(double (*a)[3], double (*out)[3]) {
  double det = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
      out[i][j] = a[r][u] * a[s][v] - a[r][v] * a[s][u];
    }
  for (int j = 0; j < 3; j++)
    det += a[0][j] * out[j][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] /= det;
}

/* The unsprung masses are points at the wheel centres here, so that the sprung mass stands where that leaves the whole. */
static void build_body(vd_model *m) {
  vd_ride *ride = &m->ride;
  double sprung[3] = {ride->sprung_x, 0.0, 0.0};
  for (int i = 0; i < VD_WHEELS; i++)
    sprung[2] -= ride->unsprung_mass[i] * ride->wheel_z[i] / ride->sprung_mass;
  double(*inertia)[3] = ride->body_inertia;
  inertia[0][0] = ride->inertia_x;
  inertia[1][1] = ride->inertia_y;
  inertia[2][2] = ride->inertia_z;
  ride->body_mass = ride->sprung_mass;
  for (int j = 0; j < 3; j++)
    ride->body_centre[j] = sprung[j];
  if (vd_free_hubs(m)) {
    ride->body_mass = m->vehicle.masses.total;
    add_mass(ride->sprung_mass, sprung, inertia);
    for (int i = 0; i < VD_WHEELS; i++) {
      double at[3] = {m->lanes.x[i], m->lanes.y[i], ride->wheel_z[i]};
      add_mass(ride->unsprung_mass[i], at, inertia);
      ride->body_centre[i % 3] = 0.0;
    }
  }
  invert(inertia, ride->body_inverse);
}

static void build_hubs(vd_model *m) {
  vd_ride *ride = &m->ride;
  double quarter = 0.25 * m->vehicle.masses.total;
  for (int i = 0; i < VD_WHEELS; i++) {
    double radius = m->vehicle.axle[i / 2].wheel_radius;
    double load = ride->tyre_stiffness[i] * (ride->free_radius[i] - radius);
    if (m->options.capped_contact) {
      ride->tyre_stiffness[i] = fmin(ride->tyre_stiffness[i], capped_stiffness);
      ride->most_load[i] = capped_loads * quarter * VD_GRAVITY;
    }
    ride->free_radius[i] = radius + load / ride->tyre_stiffness[i];
    ride->tyre_damping[i] = 2.0 * hub_damping_ratio * sqrt(ride->tyre_stiffness[i] * quarter);
  }
  ride->damped = true;
}

static bool is_mesh(const vd_ground *ground) {
  return ground->solid && ground->solid->type == VD_GROUND_MESH;
}

void vd_free_body_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  for (int i = 0; i < VD_WHEELS; i++) {
    ride->wheel_z[i] = m->vehicle.axle[i / 2].wheel_radius - m->vehicle.cg_height;
    ride->map[i / 2] = m->vehicle.axle[i / 2].map;
    ride->most_load[i] = INFINITY;
    ride->calm_load[i] = 2.0 * ride->tyre_stiffness[i] * (ride->free_radius[i] - m->vehicle.axle[i / 2].wheel_radius);
    ride->link_damping[i] = 2.0 * link_damping_ratio * sqrt(m->options.link_stiffness * ride->unsprung_mass[i]);
  }
  ride->exact = m->options.exact_linkage;
  ride->meshed = is_mesh(&m->ground);
  for (size_t i = 0; i < m->ground.others; i++)
    ride->meshed |= is_mesh(&m->ground.other[i]);
  build_body(m);
  if (vd_free_hubs(m))
    build_hubs(m);
}

/* --- surfaces --- */

/* No surface within reach: a plane far below, square to the disc, so that all that follows is finite and presses nothing. */
static void nothing_below(const vd_frame *f, const double *axle, double *distance, double *normal) {
  static const double far = 1e3; /* m */
  double along = 0.0, square = 0.0;
  for (int axis = 2; axis >= 1 && !(square > 0.1); axis--) { /* a lying wheel takes the body's y */
    along = square = 0.0;
    for (int j = 0; j < 3; j++)
      along += f->to_world[j][axis] * axle[j];
    for (int j = 0; j < 3; j++) {
      normal[j] = f->to_world[j][axis] - along * axle[j];
      square += normal[j] * normal[j];
    }
  }
  for (int j = 0; j < 3; j++)
    normal[j] /= sqrt(square);
  *distance = far;
}

static void foot_of(const vd_model *m, const vd_frame *f, const double *x, const vd_wide3 *centre, const vd_wide3 *axle,
                    int i, double *hint, vd_foot *foot, double *friction) {
  const double body[3] = {x[VD_S_ALONG], x[VD_S_ACROSS], x[VD_S_HEIGHT]};
  vd_disc disc = {
      {centre->x[i], centre->y[i], centre->z[i]}, {axle->x[i], axle->y[i], axle->z[i]}, m->ride.free_radius[i], body};
  int face = (int)*hint;
  if (!vd_ground_foot(&m->ground, &disc, &face, foot, friction)) {
    nothing_below(f, disc.axle, &foot->distance, foot->normal);
    *friction = m->ground.friction;
  }
  *hint = face;
}

void vd_free_roads(const vd_model *m, const vd_frame *f, const double *x, const vd_wide3 *centre, const vd_wide3 *axle,
                   double *hint, vd_wide *distance, vd_wide3 *normal, double *friction) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_foot foot;
    foot_of(m, f, x, centre, axle, i, &hint[i], &foot, &friction[i]);
    (*distance)[i] = foot.distance;
    normal->x[i] = foot.normal[0];
    normal->y[i] = foot.normal[1];
    normal->z[i] = foot.normal[2];
  }
}

/* --- start and end of a step --- */

/* Wheels at their design places, at rest against the body; place, attitude and velocities of the body are in the state. */
void vd_free_body_start(const vd_model *m, vd_state_vector *s) {
  vd_frame f;
  vd_quaternion(s->x[VD_S_YAW], s->x[VD_S_PITCH], s->x[VD_S_ROLL], s->x + VD_S_QUATERNION);
  vd_free_frame(s->x, &f);
  if (vd_free_hubs(m))
    return;
  vd_wide3 at = {vd_wide_load(m->lanes.x), vd_wide_load(m->lanes.y), vd_wide_load(m->ride.wheel_z)};
  vd_wide3 speed = vd_wide_cross(vd_wide_all(f.w), at);
  speed.x += f.u[0];
  speed.y += f.u[1];
  speed.z += f.u[2];
  vd_wide3_store(vd_into_world(&f, s->x, at), s->x + VD_S_WHEEL_PLACE);
  vd_wide3_store(vd_out_of_body(&f, speed), s->x + VD_S_WHEEL_SPEED);
}

/* Roll and pitch of ISO 8855, yaw counted on from what it was; where the nose points straight up or down roll and yaw are no longer
 * two. */
static void show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw) {
  const double(*a)[3] = f->to_world;
  *pitch = asin(fmax(-1.0, fmin(1.0, -a[2][0])));
  *roll = atan2(a[2][1], a[2][2]);
  *yaw += remainder(atan2(a[1][0], a[0][0]) - *yaw, 2.0 * VD_PI);
}

/* Frozen contacts. Else, on meshes, every second step the triangle under one wheel after the other is searched anew, so that none is
 * followed onto another sheet for longer than eight steps; in between all are followed. */
static void look_around(const vd_model *m, const vd_command *c, const vd_frame *f, const vd_free_wheels *w,
                        vd_state_vector *s) {
  vd_wide3 normal, centre = vd_into_world(f, s->x, w->centre), axle = vd_out_of_body(f, w->axle);
  vd_wide distance = {0.0};
  vd_foot foot;
  if (m->options.frozen_contact) {
    for (int i = 0; i < VD_WHEELS; i++)
      s->mode[VD_M_FACE + i] = -1.0;
    vd_free_roads(m, f, s->x, &centre, &axle, s->mode + VD_M_FACE, &distance, &normal, s->mode + VD_M_FRICTION);
    vd_wide3_store(normal, s->mode + VD_M_PLANE);
    vd_wide_store(vd_wide_dot(normal, centre) - distance, s->mode + VD_M_PLANE + 3 * VD_WHEELS);
    return;
  }
  long step = lround(c->t / m->options.step), searched = step % 2 == 0 ? step / 2 % VD_WHEELS : VD_WHEELS;
  for (int i = 0; i < VD_WHEELS; i++) {
    if (searched < VD_WHEELS && i != searched)
      continue;
    if (i == searched)
      s->mode[VD_M_FACE + i] = -1.0;
    foot_of(m, f, s->x, &centre, &axle, i, &s->mode[VD_M_FACE + i], &foot, &s->mode[VD_M_FRICTION + i]);
  }
}

void vd_free_body_tidy(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  vd_frame f;
  vd_free_wheels w;
  double *q = s->x + VD_S_QUATERNION, scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    q[i] *= scale;
  vd_free_frame(s->x, &f);
  show_attitude(&f, &s->x[VD_S_ROLL], &s->x[VD_S_PITCH], &s->x[VD_S_YAW]);
  if ((m->options.frozen_contact || m->ride.meshed) && vd_free_hold(m, c, &f, s->x, &w))
    look_around(m, c, &f, &w, s);
}

void vd_model_up(const vd_state_vector *s, double *up) {
  vd_frame f;
  vd_free_frame(s->x, &f);
  for (int j = 0; j < 3; j++)
    up[j] = f.to_world[j][2];
}

/* --- for the log --- */

/* Sums over all masses, body axes. */
typedef struct mass_sums {
  double moment[3];   /* kg m, first, from O */
  double momentum[3]; /* kg m/s */
  double angular[3];  /* N m s, about O */
} mass_sums;

static void add_point(double mass, const double *at, const double *speed, vd_eval *e, mass_sums *sums) {
  double arm[3];
  vd_cross(at, speed, arm);
  e->energy_kinetic += 0.5 * mass * vd_dot(speed, speed);
  for (int j = 0; j < 3; j++) {
    sums->moment[j] += mass * at[j];
    sums->momentum[j] += mass * speed[j];
    sums->angular[j] += mass * arm[j];
  }
}

/* And energies but that of gravity. */
static void sum_masses(const vd_model *m, const vd_frame *f, const vd_free_wheels *w, vd_eval *e, mass_sums *sums) {
  const vd_ride *ride = &m->ride;
  double v[3];
  vd_cross(f->w, ride->body_centre, v);
  for (int j = 0; j < 3; j++)
    v[j] += f->u[j];
  *sums = (mass_sums){{0.0}, {0.0}, {0.0}};
  e->energy_kinetic = e->energy_spin = e->energy_spring = e->energy_tyre = e->energy_link = 0.0;
  add_point(ride->body_mass, ride->body_centre, v, e, sums);
  for (int i = 0; i < 3; i++) {
    double turning = vd_dot(ride->body_inertia[i], f->w);
    e->energy_kinetic += 0.5 * f->w[i] * turning;
    sums->angular[i] += turning;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double axle[3] = {w->axle.x[i], w->axle.y[i], w->axle.z[i]};
    double spin = e->omega[i] + vd_dot(f->w, axle) + w->spin[i] * w->rate[i], deflection = fmax(e->deflection[i], 0.0);
    e->energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    for (int j = 0; j < 3; j++)
      sums->angular[j] += m->lanes.inertia[i] * spin * axle[j];
    e->energy_tyre += 0.5 * ride->tyre_stiffness[i] * deflection * deflection;
    if (vd_free_hubs(m))
      continue;
    double at[3] = {w->centre.x[i], w->centre.y[i], w->centre.z[i]}, across = w->travel[i] - w->travel[i ^ 1];
    double speed[3] = {w->speed.x[i], w->speed.y[i], w->speed.z[i]};
    add_point(ride->unsprung_mass[i], at, speed, e, sums);
    e->energy_spring += vd_suspension_energy(&ride->suspension[i / 2], w->spring[i]) +
                        0.25 * ride->bar[i / 2] * across * across; /* half the bar for each of its wheels */
    e->energy_link += 0.5 * m->options.link_stiffness * (w->off[0][i] * w->off[0][i] + w->off[1][i] * w->off[1][i]);
  }
}

void vd_free_body_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e) {
  vd_frame f;
  vd_free_wheels w;
  mass_sums sums;
  double centre[3], velocity[3], carried[3], turning[3];
  vd_free_frame(s->x, &f);
  if (!vd_free_hold(m, c, &f, s->x, &w))
    return;
  for (int i = 0; i < VD_WHEELS; i++) {
    double side = i % 2 ? -1.0 : 1.0;
    e->angle[i] = atan2(-w.axle.x[i], w.axle.y[i]);
    e->linkage_toe[i] = -side * e->angle[i];
    e->linkage_camber[i] = -side * asin(fmax(-1.0, fmin(1.0, w.axle.z[i])));
    e->compression[i] = m->ride.suspension[i / 2].static_compression + w.spring[i];
  }
  sum_masses(m, &f, &w, e, &sums);
  for (int j = 0; j < 3; j++) {
    centre[j] = sums.moment[j] / m->vehicle.masses.total;
    velocity[j] = sums.momentum[j] / m->vehicle.masses.total;
  }
  vd_cross(centre, sums.momentum, carried);
  vd_between(carried, sums.angular, turning);
  for (int j = 0; j < 3; j++)
    e->angular_momentum[j] = vd_dot(f.to_world[j], turning);
  vd_free_space_observe(m, &f, s, centre, velocity, e);
  show_attitude(&f, &e->roll, &e->pitch, &e->yaw);
  for (int i = 0; i < 4; i++)
    e->quaternion[i] = s->x[VD_S_QUATERNION + i];
  e->loop_angle = m->loop ? vd_ground_loop_angle(m->loop, e->cg) : NAN;
  e->loop_shown = m->loop ? e->loop_angle : 0.0;
}
