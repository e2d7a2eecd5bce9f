/* Computes the angle of each wheel from the mean road wheel angle. */
#include "model/model.h"

#include "base/wide_elementary.h"

/* Sets rack displacements. The poses of wheels on linkages follow from them; other quantities use the mean angle. */
static void set_rack(const vd_model *m, vd_command *c) {
  const vd_linkage_map *front = m->ride.link.map[VD_FL];
  double slope = 0.0;
  c->rack[VD_FRONT] = front->steer ? vd_linkage_rack(front, c->steer, &slope) : 0.0;
  c->rack_rate[VD_FRONT] = slope * c->steer_rate;
  c->rack[VD_REAR] = c->rack_rate[VD_REAR] = 0.0;
}

VD_WIDE void vd_command_set_angles(const vd_model *m, vd_command *c) {
  double angle[VD_WHEELS] = {c->steer, m->options.level >= VD_L2 ? c->steer : 0.0},
         slope[VD_WHEELS] = {1.0, m->options.level >= VD_L2 ? 1.0 : 0.0};
  if (vd_model_linked(m))
    set_rack(m, c);
  else if (m->options.level >= VD_L2)
    vd_steering_angles(&m->vehicle, c->steer, angle, slope);
  double turned[4] = {angle[0], angle[1], vd_complement(angle[0]), vd_complement(angle[1])};
  for (int i = 0; i < 4; i++)
    turned[i] = vd_lane_sin(turned[i]);
  for (int i = 0; i < VD_WHEELS; i++) {
    c->angle[i] = angle[i];
    c->angle_rate[i] = slope[i] * c->steer_rate;
    c->cos_angle[i] = vd_is_front(i) ? turned[2 + i] : 1.0;
    c->sin_angle[i] = vd_is_front(i) ? turned[i] : 0.0;
  }
}
