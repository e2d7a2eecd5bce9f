/* L5: quantities that only the log uses. */
#include "model/elastic.h"
#include "model/l5_wheels.h"
#include "model/link_bodies.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

#include <math.h>

/* Sums the body, the wheels, and the energies of stiff links' springs. */
static void sum_masses(const vd_model *m, const vd_frame *f, const vd_free_wheels *w, vd_eval *e, vd_mass_sums *sums) {
  const vd_ride *ride = &m->ride;
  double v[3];
  vd_wheel_masses wheels = {.at = &w->centre, .speed = &w->speed, .axle = &w->axle, .spring = &w->spring};
  for (int i = 0; i < VD_WHEELS; i++) {
    const double axle[3] = {w->axle.x[i], w->axle.y[i], w->axle.z[i]};
    wheels.spin[i] = e->motion.omega[i] + vd_dot(f->w, axle) + w->knuckle_spin[i];
  }
  vd_cross(f->w, ride->free.body_centre, v);
  for (int j = 0; j < 3; j++)
    v[j] += f->u[j];
  *sums = (vd_mass_sums){{0.0}, {0.0}, {0.0}};
  e->log.energy_kinetic = e->log.energy_link = 0.0;
  vd_add_mass_point(ride->free.body_mass, ride->free.body_centre, v, e, sums);
  for (int i = 0; i < 3; i++) {
    double turning = vd_dot(ride->free.body_inertia[i], f->w);
    e->log.energy_kinetic += 0.5 * f->w[i] * turning;
    sums->angular[i] += turning;
  }
  vd_observe_wheel_masses(m, &wheels, e, sums);
  for (int i = 0; i < VD_WHEELS && vd_on_stiff_links(&m->options); i++)
    e->log.energy_link += 0.5 * m->options.link_stiffness * (w->off[0][i] * w->off[0][i] + w->off[1][i] * w->off[1][i]);
}

void vd_free_body_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_free_wheels w;
  vd_mass_sums sums;
  vd_linkage_poses h;
  for (int a = 0; a < VD_AXLES && !vd_free_linked(m); a++)
    e->steering.rack_force[a] = 0.0; /* without a rack the rates have stored moments on the wheels' angles here */
  if (!(view & (VD_VIEW_PLACE | VD_VIEW_LEAN | VD_VIEW_DETAILS)))
    return;
  vd_frame_from_quaternion(s->x, &f);
  vd_observe_place(s, e);
  vd_show_attitude(&f, &e->log.roll, &e->log.pitch, &e->log.yaw);
  vd_observe_lean(&f, s, e);
  if (!(view & VD_VIEW_DETAILS) || !vd_free_wheel_poses(m, c, &f, s->x, &w))
    return;
  vd_observe_linkages(m, &w.axle, &w.spring, e);
  vd_show_wheels(vd_free_hub(&w), w.axle, e);
  sum_masses(m, &f, &w, e, &sums);
  h.joined = m->ride.link.joined;
  if (m->ride.bushing.elastic_map[VD_FL] || m->ride.link.has_link_bodies)
    vd_guided_poses(m, c, s->x, &h);
  if (m->ride.bushing.elastic_map[VD_FL])
    e->log.energy_spring += vd_elastic_observe(m, &h, e);
  if (view & VD_VIEW_WHEELS)
    vd_observe_wheels(&f, s, e);
  if (m->ride.link.has_link_bodies)
    vd_link_bodies_observe(m, &f, &h, s->x + VD_S_TRAVEL, e, &sums);
  if (!m->lanes.cambers)
    vd_find_cambers(e);
  vd_observe_masses(m, &f, &sums, e);
  for (int i = 0; i < 4; i++)
    e->log.quaternion[i] = s->x[VD_S_QUATERNION + i];
  e->log.loop_angle_or_zero = 0.0;
  if (vd_ground_loop_angle(&m->ground, e->log.cg, &e->log.loop_angle))
    e->log.loop_angle_or_zero = e->log.loop_angle;
}
