/* L4: constants, and quantities that only the log uses. */
#include "model/elastic.h"
#include "model/link_bodies.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

void vd_multibody_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  vd_ride_link(m);
  ride->bushing.compliant = m->options.compliance == VD_COMPLIANCE_LINEAR;
  vd_elastic_build(m);
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &m->vehicle.axle[vd_axle_of(i)];
    for (int other = 0; other < 2; other++)
      for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
        const vd_compliance_angle *by = &axle->angle_compliance[vd_is_right(i)][(i + other) % 2];
        ride->bushing.steer_compliance[other][k][i] = by->steer[k];
        ride->bushing.camber_compliance[other][k][i] = by->camber[k];
      }
    ride->wheel_z[i] = axle->loaded_radius - m->vehicle.cg_height;
    ride->unsprung_z[i] = axle->unsprung_height - m->vehicle.cg_height;
  }
  vd_ride_body_matrix(ride);
}

/* All energies but that of gravity; the centre of gravity and its velocity, in body axes. */
static void energies(const vd_model *m, const vd_frame *f, const vd_linkage_poses *h, vd_eval *e, double *centre,
                     double *velocity) {
  const vd_ride *ride = &m->ride;
  vd_wide3 rate = vd_mass_rate(h);
  vd_wide turn = vd_linkage_turn(h);
  vd_sprung_energy(m, f, e, centre, velocity);
  e->log.energy_spin = e->log.energy_spring = e->log.energy_tyre = 0.0;
  double at[VD_WHEELS][3], speed[VD_WHEELS][3];
  for (int i = 0; i < VD_WHEELS; i++) {
    const double place[3] = {h->mass.x[i], h->mass.y[i], h->mass.z[i]}, own[3] = {rate.x[i], rate.y[i], rate.z[i]};
    double mass = ride->unsprung_mass[i], *v = speed[i];
    vd_cross(f->w, place, v);
    for (int j = 0; j < 3; j++) {
      v[j] += f->u[j] + own[j];
      at[i][j] = place[j];
      centre[j] += mass * place[j];
      velocity[j] += mass * v[j];
    }
    double axle[3] = {h->axle.x[i], h->axle.y[i], h->axle.z[i]};
    double spin = e->motion.omega[i] + vd_dot(f->w, axle) + turn[i];
    double deflection = vd_max(e->contact.deflection[i], 0.0),
           across = e->motion.travel[i] - e->motion.travel[vd_other_side(i)];
    e->log.energy_kinetic += 0.5 * mass * vd_dot(v, v);
    e->log.energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    e->log.energy_spring += vd_suspension_energy(&m->vehicle.axle[vd_axle_of(i)].suspension, h->spring[0][i]) +
                            0.25 * ride->bar[vd_axle_of(i)] * across * across; /* half the bar for each of its wheels */
    e->log.energy_tyre += vd_ride_tyre_energy(m, i, deflection);
  }
  vd_shared_energy(ride, at, speed, e, NULL);
  if (ride->link.has_link_bodies)
    vd_link_bodies_observe(m, f, h, e->motion.travel, e, centre, velocity, NULL);
  for (int j = 0; j < 3; j++) {
    centre[j] /= m->vehicle.masses.total;
    velocity[j] /= m->vehicle.masses.total;
  }
}

/* Bushings that are linear turn the wheels as angles do. */
static void displaced_axles(vd_wide3 *axle, const vd_eval *e) {
  double part[3][VD_WHEELS];
  vd_wide_store(axle->x, part[0]);
  vd_wide_store(axle->y, part[1]);
  vd_wide_store(axle->z, part[2]);
  for (int i = 0; i < VD_WHEELS; i++) {
    double heading = vd_atan2(-part[0][i], part[1][i]) + e->suspension.compliance_steer[i];
    double lean = vd_asin(vd_max(-1.0, vd_min(1.0, part[2][i]))) + e->suspension.compliance_camber[i];
    part[0][i] = -vd_sin(heading) * vd_cos(lean);
    part[1][i] = vd_cos(heading) * vd_cos(lean);
    part[2][i] = vd_sin(lean);
  }
  *axle = (vd_wide3){vd_wide_load(part[0]), vd_wide_load(part[1]), vd_wide_load(part[2])};
}

void vd_multibody_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_linkage_poses h = {.joined = m->ride.link.joined, .rack = {e->steering.rack[VD_FRONT], e->steering.rack[VD_REAR]}};
  double unused[2] = {0.0, 0.0}, centre[3], velocity[3];
  vd_observe_place(s, e);
  if (!(view & (VD_VIEW_LEAN | VD_VIEW_DETAILS)))
    return;
  vd_frame_from_angles(m, s->x, unused, &f);
  vd_observe_lean(&f, s, e);
  if (!(view & VD_VIEW_DETAILS) || !vd_linkage_poses_at(m, s->x + VD_S_TRAVEL, s->x + VD_S_TRAVEL_RATE, &h))
    return;
  for (int i = 0; i < VD_WHEELS; i++) {
    double side = vd_side_sign(i);
    e->steering.angle[i] = vd_atan2(-h.axle.x[i], h.axle.y[i]);
    e->log.linkage_camber[i] = -side * vd_asin(vd_max(-1.0, vd_min(1.0, h.axle.z[i])));
    e->log.compression[i] = m->vehicle.axle[vd_axle_of(i)].suspension.static_compression + h.spring[0][i];
  }
  if (view & VD_VIEW_WHEELS) {
    vd_wide3 axle = h.axle;
    if (m->ride.bushing.compliant)
      displaced_axles(&axle, e);
    vd_show_wheels(h.centre, axle, e);
  }
  double bushings = m->ride.bushing.elastic_map[VD_FL] ? vd_elastic_observe(m, &h, e) : 0.0;
  if (view & VD_VIEW_WHEELS)
    vd_observe_wheels(&f, s, e);
  if (!m->lanes.cambers)
    vd_find_cambers(e);
  energies(m, &f, &h, e, centre, velocity);
  e->log.energy_spring += bushings;
  vd_observe_masses(m, &f, centre, velocity, e);
}
