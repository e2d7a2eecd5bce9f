#include "model/feet.h"

/* The road of a wheel in the air. */
static const vd_foot nowhere = {.normal = {0.0, 0.0, 1.0}};

void vd_feet(const vd_model *m, const vd_command *c, const vd_wide3 *centre, const vd_wide3 *axle, vd_wide *distance,
             vd_wide3 *normal, double *friction) {
  const vd_ground *ground = &m->ground;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_disc disc = {.centre = {centre->x[i], centre->y[i], centre->z[i] - c->post[i]},
                          .axle = {axle->x[i], axle->y[i], axle->z[i]},
                          .radius = m->ride.free_radius[i]};
    vd_foot here = nowhere;
    int hint = -1;
    if (vd_ground_heights(ground)) {
      vd_ground_height_foot(ground, &disc, &here);
    } else if (!vd_ground_foot(ground, &disc, &hint, &here, &friction[i])) {
      here.distance = 2.0 * disc.radius;
      friction[i] = ground->friction;
    }
    (*distance)[i] = here.distance;
    normal->x[i] = here.normal[0];
    normal->y[i] = here.normal[1];
    normal->z[i] = here.normal[2];
  }
}
