/* L3: quantities that only the log uses. */
#include "model/l3_beams.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

static void observe_masses(const vd_model *m, const vd_frame *f, const vd_beams *b, vd_eval *e) {
  double cosine[VD_WHEELS], sine[VD_WHEELS];
  vd_mass_sums sums;
  vd_wide x = vd_wide_load(m->lanes.x), y, z;
  for (int i = 0; i < VD_WHEELS; i++) {
    cosine[i] = vd_cos(e->steering.angle[i]);
    sine[i] = vd_sin(e->steering.angle[i]);
  }
  vd_on_beams(b, vd_wide_load(m->lanes.y), vd_wide_load(m->ride.beam.mass_above), &y, &z);
  vd_wide3 own = {f->u[0] + 0.0 * x, f->u[1] + b->turn * z, f->u[2] + b->rise - b->turn * y};
  vd_wide3 at = {x, y, b->centre_z + z};
  vd_wide3 speed = vd_wide_plus(vd_wide_cross(vd_wide3_repeat(f->w), at), own);
  vd_wide3 axle = {-vd_wide_load(sine), vd_wide_load(cosine), 0.0 * x};
  vd_wide travel = vd_wide_load(e->motion.travel);
  vd_wheel_masses w = {.at = &at, .speed = &speed, .axle = &axle, .spring = &travel};
  for (int i = 0; i < VD_WHEELS; i++)
    w.spin[i] = e->motion.omega[i] + f->w[1] * cosine[i] - f->w[0] * sine[i];
  vd_sprung_energy(m, f, e, &sums);
  vd_observe_wheel_masses(m, &w, e, &sums);
  vd_observe_masses(m, f, &sums, e);
}

void vd_fourteen_dof_observe(const vd_model *m, const vd_state_vector *s, unsigned view, vd_eval *e) {
  vd_frame f;
  vd_beams b;
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
  observe_masses(m, &f, &b, e);
}
