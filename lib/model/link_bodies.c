/* Adds linkages with masses of their own to sums over all masses, for the log. */
#include "model/link_bodies.h"

VD_WIDE void vd_link_bodies_observe(const vd_model *m, const vd_frame *f, const vd_linkage_poses *h,
                                    const double *travel, vd_eval *e, vd_mass_sums *sums) {
  vd_link_moments b;
  vd_link_moments_at(m, h, travel, &b);
  vd_wide3 u = vd_wide3_repeat(f->u), turning = vd_wide3_repeat(f->w), own = vd_tensor_of_second(&b.second, turning);
  vd_wide3 p = vd_wide_plus(vd_wide_cross(turning, b.first), vd_wide_scaled(h->rate, b.first1));
  vd_wide3 spin = vd_wide_plus(own, vd_wide_scaled(h->rate, b.angular));
  vd_wide kinetic = vd_wide_dot(u, p) + 0.5 * vd_wide_dot(turning, own) + h->rate * vd_wide_dot(turning, b.angular) +
                    0.5 * b.mass * h->rate * h->rate;
  e->log.energy_kinetic += vd_wide_sum(kinetic);
  vd_wide3 turn = vd_wide_plus(spin, vd_wide_cross(b.first, u));
  const vd_wide of[3][3] = {{b.first.x, b.first.y, b.first.z}, {p.x, p.y, p.z}, {turn.x, turn.y, turn.z}};
  for (int j = 0; j < 3; j++) {
    sums->moment[j] += vd_wide_sum(of[0][j]);
    sums->momentum[j] += vd_wide_sum(of[1][j]);
    sums->angular[j] += vd_wide_sum(of[2][j]);
  }
}
