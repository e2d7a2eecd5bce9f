/* L5: quantities that only the log uses. */
#include "model/elastic.h"
#include "model/l5_wheels.h"
#include "model/link_bodies.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

#include <math.h>

/* Sums over all masses, body axes. */
typedef struct mass_sums {
  double moment[3];   /* kg m, first, from O */
  double momentum[3]; /* kg m/s */
  double angular[3];  /* N m s, about O */
} mass_sums;

static void add_point(double mass, const double *at, const double *speed, vd_eval *e, mass_sums *sums) {
  double arm[3];
  vd_cross(at, speed, arm);
  e->log.energy_kinetic += 0.5 * mass * vd_dot(speed, speed);
  for (int j = 0; j < 3; j++) {
    sums->moment[j] += mass * at[j];
    sums->momentum[j] += mass * speed[j];
    sums->angular[j] += mass * arm[j];
  }
}

/* Energies, all but that of gravity. */
static void sum_masses(const vd_model *m, const vd_frame *f, const vd_free_wheels *w, vd_eval *e, mass_sums *sums) {
  const vd_ride *ride = &m->ride;
  double v[3];
  vd_cross(f->w, ride->free.body_centre, v);
  for (int j = 0; j < 3; j++)
    v[j] += f->u[j];
  *sums = (mass_sums){{0.0}, {0.0}, {0.0}};
  e->log.energy_kinetic = e->log.energy_spin = e->log.energy_spring = e->log.energy_tyre = e->log.energy_link = 0.0;
  add_point(ride->free.body_mass, ride->free.body_centre, v, e, sums);
  for (int i = 0; i < 3; i++) {
    double turning = vd_dot(ride->free.body_inertia[i], f->w);
    e->log.energy_kinetic += 0.5 * f->w[i] * turning;
    sums->angular[i] += turning;
  }
  double place[VD_WHEELS][3], speed[VD_WHEELS][3];
  for (int i = 0; i < VD_WHEELS; i++) {
    double axle[3] = {w->axle.x[i], w->axle.y[i], w->axle.z[i]};
    double spin = e->motion.omega[i] + vd_dot(f->w, axle) + w->knuckle_spin[i],
           deflection = vd_max(e->contact.deflection[i], 0.0);
    e->log.energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    for (int j = 0; j < 3; j++)
      sums->angular[j] += m->lanes.inertia[i] * spin * axle[j];
    e->log.energy_tyre += vd_ride_tyre_energy(m, i, deflection);
    if (vd_free_hubs(m))
      continue;
    double across = w->travel[i] - w->travel[vd_other_side(i)];
    const double at[3] = {w->centre.x[i], w->centre.y[i], w->centre.z[i]};
    const double own[3] = {w->speed.x[i], w->speed.y[i], w->speed.z[i]};
    for (int j = 0; j < 3; j++) {
      place[i][j] = at[j];
      speed[i][j] = own[j];
    }
    add_point(ride->unsprung_mass[i], at, own, e, sums);
    e->log.energy_spring += vd_suspension_energy(&m->vehicle.axle[vd_axle_of(i)].suspension, w->spring[i]) +
                            0.25 * ride->bar[vd_axle_of(i)] * across * across; /* half the bar for each of its wheels */
    if (vd_on_stiff_links(&m->options))
      e->log.energy_link +=
          0.5 * m->options.link_stiffness * (w->off[0][i] * w->off[0][i] + w->off[1][i] * w->off[1][i]);
  }
  if (ride->link.joined)
    vd_shared_energy(ride, place, speed, e, sums->angular);
}

void vd_free_body_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_free_wheels w;
  mass_sums sums;
  double centre[3], velocity[3], carried[3], turning[3];
  if (!(view & (VD_VIEW_PLACE | VD_VIEW_LEAN | VD_VIEW_DETAILS)))
    return;
  vd_frame_from_quaternion(s->x, &f);
  vd_observe_place(s, e);
  vd_show_attitude(&f, &e->log.roll, &e->log.pitch, &e->log.yaw);
  vd_observe_lean(&f, s, e);
  if (!(view & VD_VIEW_DETAILS) || !vd_free_wheel_poses(m, c, &f, s->x, &w))
    return;
  for (int i = 0; i < VD_WHEELS; i++) {
    double side = vd_side_sign(i);
    e->steering.angle[i] = vd_atan2(-w.axle.x[i], w.axle.y[i]);
    e->log.linkage_camber[i] = -side * vd_asin(vd_max(-1.0, vd_min(1.0, w.axle.z[i])));
    e->log.compression[i] = m->vehicle.axle[vd_axle_of(i)].suspension.static_compression + w.spring[i];
  }
  vd_show_wheels(vd_free_hub(&w), w.axle, e);
  sum_masses(m, &f, &w, e, &sums);
  if (m->ride.bushing.elastic_map[VD_FL]) {
    vd_linkage_poses h = {.joined = m->ride.link.joined};
    vd_guided_poses(m, c, s->x, &h);
    e->log.energy_spring += vd_elastic_observe(m, &h, e);
  }
  if (view & VD_VIEW_WHEELS)
    vd_observe_wheels(&f, s, e);
  if (m->ride.link.has_link_bodies) {
    vd_linkage_poses h = {.joined = m->ride.link.joined};
    vd_guided_poses(m, c, s->x, &h);
    vd_link_bodies_observe(m, &f, &h, s->x + VD_S_TRAVEL, e, sums.moment, sums.momentum, sums.angular);
  }
  for (int j = 0; j < 3; j++) {
    centre[j] = sums.moment[j] / m->vehicle.masses.total;
    velocity[j] = sums.momentum[j] / m->vehicle.masses.total;
  }
  vd_cross(centre, sums.momentum, carried);
  vd_between(carried, sums.angular, turning);
  for (int j = 0; j < 3; j++)
    e->log.angular_momentum[j] = vd_dot(f.to_world[j], turning);
  if (!m->lanes.cambers)
    vd_find_cambers(e);
  vd_observe_masses(m, &f, centre, velocity, e);
  for (int i = 0; i < 4; i++)
    e->log.quaternion[i] = s->x[VD_S_QUATERNION + i];
  e->log.loop_angle_or_zero = 0.0;
  if (vd_ground_loop_angle(&m->ground, e->log.cg, &e->log.loop_angle))
    e->log.loop_angle_or_zero = e->log.loop_angle;
}
