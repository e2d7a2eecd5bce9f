/* L3: quantities that only the log uses. */
#include "model/l3_beams.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

/* All energies but that of gravity; the centre of gravity and its velocity, in body axes. */
static void energies(const vd_model *m, const vd_frame *f, const vd_beams *b, vd_eval *e, double *centre,
                     double *velocity) {
  const vd_ride *ride = &m->ride;
  const double *w = f->w;
  double v[3];
  vd_wide y, z;
  vd_on_beams(b, vd_wide_load(m->lanes.y), vd_wide_load(ride->beam.mass_above), &y, &z);
  vd_sprung_energy(m, f, e, centre, velocity);
  e->log.energy_spin = e->log.energy_spring = e->log.energy_tyre = 0.0;
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
    double spin = e->motion.omega[i] + w[1] * vd_cos(e->steering.angle[i]) - w[0] * vd_sin(e->steering.angle[i]);
    double deflection = vd_max(e->contact.deflection[i], 0.0),
           across = e->motion.travel[i] - e->motion.travel[vd_other_side(i)];
    e->log.energy_kinetic += 0.5 * mass * vd_dot(v, v);
    e->log.energy_spin += 0.5 * m->lanes.inertia[i] * spin * spin;
    e->log.energy_spring += vd_suspension_energy(&m->vehicle.axle[vd_axle_of(i)].suspension, e->motion.travel[i]) +
                            0.25 * ride->bar[vd_axle_of(i)] * across * across; /* half the bar for each of its wheels */
    e->log.energy_tyre += vd_ride_tyre_energy(m, i, deflection);
  }
  for (int j = 0; j < 3; j++) {
    centre[j] /= m->vehicle.masses.total;
    velocity[j] /= m->vehicle.masses.total;
  }
}

void vd_fourteen_dof_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_beams b;
  double centre[3], velocity[3];
  vd_observe_place(s, e);
  if (!(view & (VD_VIEW_LEAN | VD_VIEW_DETAILS)))
    return;
  vd_beam_poses(m, s->x, &f, &b);
  vd_observe_lean(&f, s, e);
  if (!(view & VD_VIEW_DETAILS))
    return;
  for (int i = 0; i < VD_WHEELS; i++)
    e->log.compression[i] = m->vehicle.axle[vd_axle_of(i)].suspension.static_compression + e->motion.travel[i];
  if (!m->lanes.cambers) {
    vd_find_cambers(e);
    vd_beam_cambers(m, &b, e);
  }
  energies(m, &f, &b, e, centre, velocity);
  vd_observe_masses(m, &f, centre, velocity, e);
}
