/* L4: constants, and quantities that only the log uses. */
#include "model/elastic.h"
#include "model/l4_compliance.h"
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
    vd_set_load_compliance(axle->angle_compliance, i, &ride->bushing.by_load);
    ride->wheel_z[i] = axle->loaded_radius - m->vehicle.cg_height;
    ride->unsprung_z[i] = axle->unsprung_height - m->vehicle.cg_height;
  }
  vd_ride_body_matrix(ride);
}

static void observe_masses(const vd_model *m, const vd_frame *f, const vd_linkage_poses *h, vd_eval *e) {
  vd_mass_sums sums;
  vd_wide3 turning = vd_wide3_repeat(f->w), own = vd_wide_plus(vd_wide3_repeat(f->u), vd_mass_rate(h));
  vd_wide3 speed = vd_wide_plus(vd_wide_cross(turning, h->mass), own);
  vd_wheel_masses w = {.at = &h->mass, .speed = &speed, .axle = &h->axle, .spring = &h->spring[0]};
  vd_wide_store(vd_wide_load(e->motion.omega) + vd_wide_dot(turning, h->axle) + vd_linkage_turn(h), w.spin);
  vd_sprung_energy(m, f, e, &sums);
  vd_observe_wheel_masses(m, &w, e, &sums);
  if (m->ride.link.has_link_bodies)
    vd_link_bodies_observe(m, f, h, e->motion.travel, e, &sums);
  vd_observe_masses(m, f, &sums, e);
}

/* Computes the directions of the axles of wheels on linear bushings, which turn the wheels by small angles. */
static void displaced_axles(vd_wide3 *axle, const vd_eval *e) {
  double part[3][VD_WHEELS];
  vd_wide3_store(*axle, part[0]);
  for (int i = 0; i < VD_WHEELS; i++) {
    double heading = vd_atan2(-part[0][i], part[1][i]) + e->suspension.compliance_steer[i];
    double lean = vd_asin(vd_max(-1.0, vd_min(1.0, part[2][i]))) + e->suspension.compliance_camber[i];
    part[0][i] = -vd_sin(heading) * vd_cos(lean);
    part[1][i] = vd_cos(heading) * vd_cos(lean);
    part[2][i] = vd_sin(lean);
  }
  *axle = vd_wide3_load(part[0]);
}

void vd_multibody_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_linkage_poses h = {.joined = m->ride.link.joined, .rack = {e->steering.rack[VD_FRONT], e->steering.rack[VD_REAR]}};
  double unused[2] = {0.0, 0.0};
  vd_observe_place(s, e);
  if (!(view & (VD_VIEW_LEAN | VD_VIEW_DETAILS)))
    return;
  vd_frame_from_angles(m, s->x, unused, &f);
  vd_observe_lean(&f, s, e);
  if (!(view & VD_VIEW_DETAILS) || !vd_linkage_poses_at(m, s->x + VD_S_TRAVEL, s->x + VD_S_TRAVEL_RATE, &h))
    return;
  vd_observe_linkages(m, &h.axle, &h.spring[0], e);
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
  observe_masses(m, &f, &h, e);
  e->log.energy_spring += bushings;
}
