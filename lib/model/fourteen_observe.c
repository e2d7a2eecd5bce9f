/* The fourteen-DOF level before and after: constants, the start, and what only the log asks for. */
#include "model/fourteen_impl.h"

/* Slope of the contact's path that makes the links carry `share` of the load transfer of a torque of which the axle has its part. */
static double anti_slope(const vd_model *m, int axle, double share, double part) {
  double slope = part > 0.0 ? share * m->vehicle.cg_height / (part * m->vehicle.wheelbase) : 0.0;
  return axle == VD_FRONT ? slope : -slope;
}

static void build_axle(vd_model *m, int a) {
  vd_ride *ride = &m->ride;
  const vd_vehicle_axle *axle = &m->vehicle.axle[a];
  const vd_lanes *lanes = &m->lanes;
  double height = m->vehicle.cg_height, other = m->vehicle.masses.to_axle[1 - a];
  double load = 0.5 * m->vehicle.masses.total * VD_GRAVITY * other / m->vehicle.wheelbase;
  ride->bar[a] = axle->antiroll_stiffness / (axle->track * axle->track);
  ride->camber_gain[a] = axle->camber_gain;
  double braking = anti_slope(m, a, axle->anti_brake, lanes->brake_share[2 * a] + lanes->brake_share[2 * a + 1]);
  double driving = anti_slope(m, a, axle->anti_drive, lanes->drive_share[2 * a] + lanes->drive_share[2 * a + 1]);
  ride->suspension[a] = axle->suspension;
  for (int i = 2 * a; i < 2 * a + 2; i++) {
    const vd_tyre_common *tyre = &m->vehicle.tyre[i].common;
    ride->unsprung_mass[i] = axle->unsprung_mass;
    ride->unsprung_sum += axle->unsprung_mass;
    ride->roll_centre_z[i] = axle->roll_centre_height - height;
    ride->wheel_above[i] = axle->wheel_radius - axle->roll_centre_height;
    ride->half_track[i] = 0.5 * axle->track;
    ride->over_track[i] = 1.0 / axle->track;
    ride->swing[i] = axle->unsprung_height - axle->roll_centre_height;
    ride->brake_slope[i] = braking;
    ride->drive_slope[i] = (driving - braking) / axle->wheel_radius;
    ride->tyre_stiffness[i] = tyre->vertical_stiffness;
    ride->tyre_damping[i] = tyre->vertical_damping;
    ride->damped |= tyre->vertical_damping > 0.0;
    ride->free_radius[i] = axle->wheel_radius + load / tyre->vertical_stiffness;
  }
}

void vd_fourteen_dof_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  const vd_vehicle *v = &m->vehicle;
  double first = 0.0;
  *ride = (vd_ride){.sprung_mass = m->vehicle.masses.sprung, .held = m->options.held};
  ride->plane = vd_ground_plane(&m->ground);
  for (int i = 0; i < VD_WHEELS; i++)
    first += v->axle[i / 2].unsprung_mass * m->lanes.x[i];
  ride->sprung_x = -first / ride->sprung_mass;
  ride->sprung_z = m->vehicle.masses.sprung_height - v->cg_height;
  ride->inertia_x = v->roll_inertia;
  ride->inertia_y = v->pitch_inertia;
  ride->inertia_z = vd_vehicle_sprung_yaw_inertia(v);
  for (int a = 0; a < VD_AXLES; a++)
    build_axle(m, a);
  if (!m->options.lean) {
    double weight = m->vehicle.masses.sprung * VD_GRAVITY, radius = 0.0, arm = 0.0;
    for (int a = 0; a < VD_AXLES; a++) {
      radius += m->vehicle.masses.sprung_share[a] * v->axle[a].wheel_radius;
      arm += m->vehicle.masses.sprung_share[a] * v->axle[a].roll_centre_height;
    }
    ride->lean_roll = weight * (m->vehicle.masses.sprung_height - arm);
    ride->lean_pitch = weight * (m->vehicle.masses.sprung_height - radius);
  }
}

/* The design position over the plane through the road under the four wheels, on which yaw, pitch and roll follow from the heading:
 * x and y of the body lie in it. */
void vd_fourteen_dof_start(const vd_model *m, double x, double y, double yaw, vd_state_vector *s) {
  vd_road road;
  double z[VD_WHEELS], cy = cos(yaw), sy = sin(yaw), front = m->vehicle.masses.to_axle[VD_FRONT];
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_ground_top(&m->ground, x + cy * m->lanes.x[i] - sy * m->lanes.y[i], y + sy * m->lanes.x[i] + cy * m->lanes.y[i],
                  &road);
    z[i] = road.z;
  }
  double ahead = 0.5 * (z[VD_FL] + z[VD_FR] - z[VD_RL] - z[VD_RR]) / m->vehicle.wheelbase;
  double aside =
      0.5 * ((z[VD_FL] - z[VD_FR]) * m->ride.over_track[VD_FL] + (z[VD_RL] - z[VD_RR]) * m->ride.over_track[VD_RL]);
  double below = 0.5 * (z[VD_FL] + z[VD_FR]) - front * ahead;
  /* in axes turned by yaw the normal is (-ahead, -aside, 1) n */
  double n = 1.0 / sqrt(1.0 + ahead * ahead + aside * aside);
  s->x[VD_S_ALONG] = x;
  s->x[VD_S_ACROSS] = y;
  s->x[VD_S_HEIGHT] = below + m->vehicle.cg_height / n;
  s->x[VD_S_PITCH] = -atan(ahead);
  s->x[VD_S_ROLL] = atan2(aside, sqrt(1.0 + ahead * ahead));
}

/* Attitude against the plane through the four contact points, and how far the centre of gravity (body axes) stands off the point
 * over which it stood at design load. */
static void lean(const vd_model *m, const vd_frame *f, const vd_state_vector *s, const double *centre, vd_eval *e) {
  const double *place[3] = {e->contact_x, e->contact_y, e->contact_z};
  double ahead[3], aside[3], normal[3], off[3], share = m->vehicle.masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  static const int origin[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_HEIGHT};
  for (int j = 0; j < 3; j++) {
    const double *p = place[j];
    double front = 0.5 * (p[VD_FL] + p[VD_FR]), rear = 0.5 * (p[VD_RL] + p[VD_RR]);
    ahead[j] = front - rear;
    aside[j] = 0.5 * (p[VD_FL] + p[VD_RL] - p[VD_FR] - p[VD_RR]);
    off[j] = s->x[origin[j]] + vd_dot(f->to_world[j], centre) - share * front - (1.0 - share) * rear;
  }
  vd_cross(ahead, aside, normal);
  vd_cross(normal, ahead, aside);
  double scale = 1.0 / vd_norm(normal), in_body[2];
  for (int j = 0; j < 2; j++)
    in_body[j] =
        scale * (normal[0] * f->to_world[0][j] + normal[1] * f->to_world[1][j] + normal[2] * f->to_world[2][j]);
  e->body_roll = asin(fmax(-1.0, fmin(1.0, in_body[1])));
  e->body_pitch = -asin(fmax(-1.0, fmin(1.0, in_body[0])));
  e->ex = vd_dot(off, ahead) / vd_norm(ahead);
  e->ey = -vd_dot(off, aside) / vd_norm(aside);
}

void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, double *first_moment, double *momentum) {
  const vd_ride *ride = &m->ride;
  const double *w = f->w, at[3] = {ride->sprung_x, 0.0, ride->sprung_z};
  double v[3];
  vd_cross(w, at, v);
  for (int j = 0; j < 3; j++) {
    v[j] += f->u[j];
    first_moment[j] = ride->sprung_mass * at[j];
    momentum[j] = ride->sprung_mass * v[j];
  }
  e->energy_kinetic = 0.5 * (ride->sprung_mass * vd_dot(v, v) + ride->inertia_x * w[0] * w[0] +
                             ride->inertia_y * w[1] * w[1] + ride->inertia_z * w[2] * w[2]);
}

/* Energies but that of gravity; the centre of gravity, and its velocity, in body axes. */
static void energies(const vd_model *m, const vd_frame *f, const vd_beams *b, vd_eval *e, double *centre,
                     double *velocity) {
  const vd_ride *ride = &m->ride;
  const double *w = f->w;
  double v[3];
  vd_wide y, z;
  vd_on_beams(b, vd_wide_load(m->lanes.y), vd_wide_load(ride->swing), &y, &z);
  vd_sprung_energy(m, f, e, centre, velocity);
  e->energy_spin = e->energy_spring = e->energy_tyre = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double mass = ride->unsprung_mass[i], here[3] = {m->lanes.x[i], y[i], b->centre_z[i] + z[i]};
    vd_cross(w, here, v);
    v[0] += f->u[0];
    v[1] += f->u[1] + b->turn[i] * z[i];
    v[2] += f->u[2] + b->rise[i] - b->turn[i] * y[i];
    for (int j = 0; j < 3; j++) {
      centre[j] += mass * here[j];
      velocity[j] += mass * v[j];
    }
    double spin = e->omega[i] + w[1] * cos(e->angle[i]) - w[0] * sin(e->angle[i]);
    double deflection = fmax(e->deflection[i], 0.0), across = e->travel[i] - e->travel[i ^ 1];
    e->energy_kinetic += 0.5 * mass * vd_dot(v, v);
    e->energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    e->energy_spring += vd_suspension_energy(&ride->suspension[i / 2], e->travel[i]) +
                        0.25 * ride->bar[i / 2] * across * across; /* half the bar for each of its wheels */
    e->energy_tyre += 0.5 * ride->tyre_stiffness[i] * deflection * deflection;
  }
  for (int j = 0; j < 3; j++) {
    centre[j] /= m->vehicle.masses.total;
    velocity[j] /= m->vehicle.masses.total;
  }
}

void vd_quaternion(double yaw, double pitch, double roll, double *q) {
  double cy = cos(0.5 * yaw), sy = sin(0.5 * yaw), cp = cos(0.5 * pitch), sp = sin(0.5 * pitch);
  double cr = cos(0.5 * roll), sr = sin(0.5 * roll);
  q[0] = cy * cp * cr + sy * sp * sr;
  q[1] = cy * cp * sr - sy * sp * cr;
  q[2] = cy * sp * cr + sy * cp * sr;
  q[3] = sy * cp * cr - cy * sp * sr;
}

void vd_free_space_observe(const vd_model *m, const vd_frame *f, const vd_state_vector *s, const double *centre,
                           const double *velocity, vd_eval *e) {
  e->x = s->x[VD_S_ALONG];
  e->y = s->x[VD_S_ACROSS];
  e->z = s->x[VD_S_HEIGHT];
  e->yaw = s->x[VD_S_YAW];
  e->pitch = s->x[VD_S_PITCH];
  e->roll = s->x[VD_S_ROLL];
  vd_quaternion(e->yaw, e->pitch, e->roll, e->quaternion);
  double gravity[3];
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f->to_world[2][j];
  e->specific_x = e->ax - vd_dot(f->level[0], gravity);
  e->specific_y = e->ay - vd_dot(f->level[1], gravity);
  e->specific_z = e->az - vd_dot(f->level[2], gravity);
  vd_wide3 contact = {vd_wide_load(e->contact_x), vd_wide_load(e->contact_y), vd_wide_load(e->contact_z)};
  contact = vd_into_world(f, s->x, contact);
  vd_wide_store(contact.x, e->contact_x);
  vd_wide_store(contact.y, e->contact_y);
  vd_wide_store(contact.z, e->contact_z);
  const double origin[] = {e->x, e->y, e->z};
  for (int j = 0; j < 3; j++) {
    e->cg[j] = origin[j] + vd_dot(f->to_world[j], centre);
    e->cg_speed[j] = vd_dot(f->to_world[j], velocity);
  }
  e->energy_gravity = m->vehicle.masses.total * VD_GRAVITY * (e->z + vd_dot(f->to_world[2], centre));
  lean(m, f, s, centre, e);
}

void vd_fourteen_dof_observe(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  vd_frame f;
  vd_beams b;
  double beam_sine[VD_AXLES], centre[3], velocity[3];
  vd_make_frame(m, s->x, beam_sine, &f);
  vd_make_beams(m, s->x, beam_sine, &b);
  for (int i = 0; i < VD_WHEELS; i++)
    e->compression[i] = m->ride.suspension[i / 2].static_compression + e->travel[i];
  energies(m, &f, &b, e, centre, velocity);
  vd_free_space_observe(m, &f, s, centre, velocity, e);
}
