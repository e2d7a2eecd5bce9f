/* Places of wheels on linkages (L4; L5 with unsprung: linkage), and their derivatives by travel and rack. */
#ifndef VD_LINKAGE_POSES_H
#define VD_LINKAGE_POSES_H

#include "model/model.h"
#include "suspension/linkage_map.h"
#include "base/wide.h"

/* By wheel, in body axes from O. */
typedef struct vd_linkage_poses {
  vd_wide3 centre;                    /* m */
  vd_wide3 by_travel, by_rack;        /* its derivatives */
  vd_wide3 axle;                      /* unit, along the spin axis, to the left on both sides */
  vd_wide3 axle_travel, axle_rack;    /* its derivatives, 1/m */
  vd_wide spin;                       /* rad/m, turn of the knuckle about the axle per travel */
  vd_wide spin_travel, spin_rack;     /* rad/m2 */
  vd_wide spring[3], damper[3];       /* m: compression as vd_mapped has it, and its derivatives by travel and rack */
  vd_wide3 mass;                      /* m, the unsprung mass */
  vd_wide3 mass_travel, mass_travel2; /* its derivatives by travel */
  vd_wide rate;                       /* m/s, of the travels */
  double rack, rack_rate;             /* m, m/s */
} vd_linkage_poses;

/* Left wheels as mapped, right ones mirrored: the mirror image of a corner at the opposite rack. travel, rate: of
 * each wheel, m, m/s; rack, rack_rate of `h` are given. False: a linkage did not close. */
VD_INLINE bool vd_linkage_poses_at(const vd_model *m, const double *travel, const double *rate, vd_linkage_poses *h) {
  const vd_ride *ride = &m->ride;
  vd_corner_pose pose[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_linkage_map *map = ride->map[i / 2];
    double own_rack = i < 2 ? i % 2 ? -h->rack : h->rack : 0.0;
    if (!ride->exact)
      vd_linkage_map_at(map, travel[i], own_rack, &pose[i]);
    else if (!vd_linkage_exact_at(map, travel[i], own_rack, &pose[i]))
      return false;
  }
  vd_wide value[VD_MAPPED], by_travel[VD_MAPPED], by_rack[VD_MAPPED], path[8];
  for (int k = 0; k < VD_MAPPED; k += 4) {
    vd_wide_columns(pose[0].value + k, pose[1].value + k, pose[2].value + k, pose[3].value + k, value + k);
    vd_wide_columns(pose[0].by_travel + k, pose[1].by_travel + k, pose[2].by_travel + k, pose[3].by_travel + k,
                    by_travel + k);
    vd_wide_columns(pose[0].by_rack + k, pose[1].by_rack + k, pose[2].by_rack + k, pose[3].by_rack + k, by_rack + k);
    vd_wide_columns(pose[0].path + k, pose[1].path + k, pose[2].path + k, pose[3].path + k, path + k);
  }
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  vd_wide one = side * side, none = 0.0 * side, height = vd_wide_load(travel);
  vd_wide wide_x = vd_wide_load(m->lanes.x), wide_y = vd_wide_load(m->lanes.y);
  h->centre =
      (vd_wide3){wide_x + value[VD_MAP_X], wide_y + side * value[VD_MAP_Y], vd_wide_load(ride->wheel_z) + height};
  h->by_travel = (vd_wide3){by_travel[VD_MAP_X], side * by_travel[VD_MAP_Y], one};
  h->by_rack = (vd_wide3){side * by_rack[VD_MAP_X], by_rack[VD_MAP_Y], none};
  vd_wide ax = value[VD_MAP_AXLE_X], az = value[VD_MAP_AXLE_Z];
  vd_wide ay = vd_wide_sqrt(1.0 - ax * ax - az * az), inverse = -1.0 / ay;
  vd_wide ax1 = by_travel[VD_MAP_AXLE_X], az1 = by_travel[VD_MAP_AXLE_Z];
  vd_wide ax2 = by_rack[VD_MAP_AXLE_X], az2 = by_rack[VD_MAP_AXLE_Z];
  h->axle = (vd_wide3){side * ax, ay, side * az};
  h->axle_travel = (vd_wide3){side * ax1, inverse * (ax * ax1 + az * az1), side * az1};
  h->axle_rack = (vd_wide3){ax2, side * inverse * (ax * ax2 + az * az2), az2};
  h->spin = value[VD_MAP_SPIN];
  h->spin_travel = by_travel[VD_MAP_SPIN];
  h->spin_rack = side * by_rack[VD_MAP_SPIN];
  h->spring[0] = value[VD_MAP_SPRING];
  h->spring[1] = by_travel[VD_MAP_SPRING];
  h->spring[2] = side * by_rack[VD_MAP_SPRING];
  h->damper[0] = value[VD_MAP_DAMPER];
  h->damper[1] = by_travel[VD_MAP_DAMPER];
  h->damper[2] = side * by_rack[VD_MAP_DAMPER];
  h->mass = (vd_wide3){wide_x + path[0], wide_y + side * path[1], vd_wide_load(ride->unsprung_z) + height};
  h->mass_travel = (vd_wide3){path[2], side * path[3], one};
  h->mass_travel2 = (vd_wide3){path[4], side * path[5], none};
  h->rate = vd_wide_load(rate);
  return true;
}

/* Rate of a vector with these derivatives by travel and rack. */
VD_INLINE vd_wide3 vd_linkage_rates(vd_wide3 by_travel, vd_wide3 by_rack, const vd_linkage_poses *h) {
  return vd_wide_plus(vd_wide_scaled(h->rate, by_travel),
                      (vd_wide3){h->rack_rate * by_rack.x, h->rack_rate * by_rack.y, h->rack_rate * by_rack.z});
}

#endif
