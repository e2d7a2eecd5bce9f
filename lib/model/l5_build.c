/* L5: constants, initial state, and the end of a step. */
#include "model/l5_wheels.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/road_planes.h"
#include "model/space.h"

#include <math.h>

/* --- constants --- */

/* Damping of the links across a wheel's path, as a share of the critical damping 2 sqrt(k m). */
static const double link_damping_ratio = 1.0;
/* Damping of a hub's contact, as a share of the critical damping of a quarter of the car's mass on its tyre. */
static const double hub_damping_ratio = 1.0;
/* The soft contact of run.capped_contact, with which an earlier program simulated loops: its load is at most a multiple
 * of the static load. */
static const double capped_stiffness = 80e3, capped_loads = 6.0; /* N/m; in m g/4 */

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

/* Sets mass, centre and inertia of the body. The unsprung masses are points at the wheel centres here. The sprung mass
 * is placed so that the whole car keeps its mass and its centre of gravity. */
static void build_body(vd_model *m) {
  vd_ride *ride = &m->ride;
  double sprung[3] = {ride->sprung_x, ride->sprung_y, 0.0};
  for (int i = 0; i < VD_WHEELS; i++)
    sprung[2] -= ride->unsprung_mass[i] * ride->wheel_z[i] / ride->sprung_mass;
  double(*inertia)[3] = ride->free.body_inertia;
  vd_ride_tensor(ride, inertia);
  ride->free.body_mass = ride->sprung_mass;
  ride->sprung_z = sprung[2];
  vd_ride_body_matrix(ride);
  for (int j = 0; j < 3; j++)
    ride->free.body_centre[j] = sprung[j];
  if (vd_on_hubs(&m->options)) {
    double left = m->vehicle.cg_left;
    ride->free.body_mass = m->vehicle.masses.total;
    sprung[1] -= left;
    add_mass(ride->sprung_mass, sprung, inertia);
    for (int i = 0; i < VD_WHEELS; i++) {
      double at[3] = {m->lanes.x[i], m->lanes.y[i] - left, ride->wheel_z[i]};
      add_mass(ride->unsprung_mass[i], at, inertia);
    }
    ride->free.body_centre[0] = ride->free.body_centre[2] = 0.0;
    ride->free.body_centre[1] = left;
  }
  invert(inertia, ride->free.body_inverse);
}

static void build_hubs(vd_model *m) {
  vd_ride *ride = &m->ride;
  double quarter = 0.25 * m->vehicle.masses.total;
  for (int i = 0; i < VD_WHEELS; i++) {
    double radius = m->vehicle.axle[vd_axle_of(i)].loaded_radius;
    double load = vd_ride_tyre_load(m, i, ride->free_radius[i] - radius);
    if (m->options.capped_contact) {
      ride->tyre_stiffness[i] = vd_min(ride->tyre_stiffness[i], capped_stiffness);
      ride->free.max_load[i] = capped_loads * quarter * VD_GRAVITY;
    }
    if (m->options.capped_contact || !ride->curved)
      ride->free_radius[i] = radius + load / ride->tyre_stiffness[i];
    ride->tyre_damping[i] = 2.0 * hub_damping_ratio * sqrt(ride->tyre_stiffness[i] * quarter);
  }
  ride->damped = true;
  ride->curved = ride->curved && !m->options.capped_contact; /* a capped contact is a linear spring */
}

void vd_free_body_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  for (int i = 0; i < VD_WHEELS; i++) {
    ride->wheel_z[i] = m->vehicle.axle[vd_axle_of(i)].loaded_radius - m->vehicle.cg_height;
    ride->free.max_load[i] = INFINITY;
    ride->free.static_load[i] =
        vd_ride_tyre_load(m, i, ride->free_radius[i] - m->vehicle.axle[vd_axle_of(i)].loaded_radius);
    if (vd_on_stiff_links(&m->options))
      ride->free.link_damping[i] = 2.0 * link_damping_ratio * sqrt(m->options.link_stiffness * ride->unsprung_mass[i]);
    ride->unsprung_z[i] = ride->wheel_z[i];
  }
  vd_ride_link(m);
  vd_elastic_build(m);
  ride->free.hinted = vd_ground_takes_hints(&m->ground);
  build_body(m);
  if (vd_on_hubs(&m->options))
    build_hubs(m);
}

/* --- start and end of a step --- */

/* Sets the quaternion from the angles. On stiff links, starts the wheels in their design positions (of a car that
 * settles: at their travels), at rest relative to the body; the state contains the body's place, attitude and
 * velocities. */
void vd_free_body_start(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  vd_frame f;
  vd_quaternion(s->x[VD_S_YAW], s->x[VD_S_PITCH], s->x[VD_S_ROLL], s->x + VD_S_QUATERNION);
  vd_frame_from_quaternion(s->x, &f);
  if (!vd_on_stiff_links(&m->options))
    return;
  vd_wide3 at = {vd_wide_load(m->lanes.x), vd_wide_load(m->lanes.y), vd_wide_load(m->ride.wheel_z)};
  if (m->vehicle.settles) {
    vd_linkage_poses h = {.joined = m->ride.link.joined};
    if (vd_guided_poses(m, c, s->x, &h))
      at = h.mass;
  }
  vd_wide3 speed = vd_wide_cross(vd_wide3_repeat(f.w), at);
  speed.x += f.u[0];
  speed.y += f.u[1];
  speed.z += f.u[2];
  vd_wide3_store(vd_into_world(&f, s->x, at), s->x + VD_S_WHEEL_PLACE);
  vd_wide3_store(vd_out_of_body(&f, speed), s->x + VD_S_WHEEL_SPEED);
}

/* Renews the contact points on the surfaces at the end of a step, and stores them in the modes. With frozen contacts
 * all wheels' points are renewed. Otherwise, on meshes, the triangle under one wheel after the other is searched anew
 * in every second step, so that no contact stays on a wrong sheet of the mesh for longer than eight steps; in between
 * all contacts are followed from triangle to triangle. */
static void renew_contacts(const vd_model *m, const vd_command *c, const vd_frame *f, const vd_free_wheels *w,
                           vd_state_vector *s) {
  const vd_discs discs = {vd_into_world(f, s->x, vd_free_hub(w)), vd_out_of_body(f, w->axle)};
  if (m->options.frozen_contact) {
    for (int i = 0; i < VD_WHEELS; i++)
      s->mode[VD_M_FACE + i] = -1.0;
    vd_planes planes;
    vd_surface_planes(m, s->x, &discs, s->mode + VD_M_FACE, s->mode + VD_M_FRICTION, &planes);
    vd_wide3_store(planes.normal, s->mode + VD_M_PLANE);
    vd_wide_store(vd_wide_dot(planes.normal, discs.centre) - planes.distance, s->mode + VD_M_PLANE + 3 * VD_WHEELS);
    return;
  }
  long step = lround(c->t / m->options.step), searched = step % 2 == 0 ? step / 2 % VD_WHEELS : VD_WHEELS;
  for (int i = 0; i < VD_WHEELS; i++) {
    if (searched < VD_WHEELS && i != searched)
      continue;
    if (i == searched)
      s->mode[VD_M_FACE + i] = -1.0;
    vd_surface_contact contact;
    vd_find_surface_contact(m, s->x, &discs, i, &s->mode[VD_M_FACE + i], &contact);
    s->mode[VD_M_FRICTION + i] = contact.friction;
  }
}

void vd_free_body_end_step(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  vd_frame f;
  vd_free_wheels w;
  double *q = s->x + VD_S_QUATERNION, scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    q[i] *= scale;
  vd_frame_from_quaternion(s->x, &f);
  vd_show_attitude(&f, &s->x[VD_S_ROLL], &s->x[VD_S_PITCH], &s->x[VD_S_YAW]);
  if ((m->options.frozen_contact || m->ride.free.hinted) && vd_free_wheel_poses(m, c, &f, s->x, &w))
    renew_contacts(m, c, &f, &w, s);
}

void vd_model_up(const vd_state_vector *s, double *up) {
  vd_frame f;
  vd_frame_from_quaternion(s->x, &f);
  for (int j = 0; j < 3; j++)
    up[j] = f.to_world[j][2];
}
