/* Places of wheels on linkages (L4; L5 with unsprung: linkage), and their derivatives by travel and rack. */
#ifndef VD_LINKAGE_POSES_H
#define VD_LINKAGE_POSES_H

#include "model/model.h"
#include "linkage/linkage_map.h"
#include "base/wide_elementary.h"

/* Values by wheel, in body axes from O. Wheels that an axle or a beam joins move with both travels. "other":
 * derivative by the travel of the other wheel, 0 for a wheel on its own. */
typedef struct vd_linkage_poses {
  bool joined;                 /* the car has joined wheels; otherwise no member with "other" is written or read */
  vd_wide3 centre;             /* m */
  vd_wide3 by_travel, by_rack; /* derivatives of the centre */
  vd_wide3 by_other;
  vd_wide3 axle;                   /* unit, along the spin axis, to the left on both sides */
  vd_wide3 axle_travel, axle_rack; /* 1/m, derivatives of the axle */
  vd_wide3 axle_other;
  vd_wide spin;                   /* rad/m, rotation of the knuckle about the axle per travel */
  vd_wide spin_travel, spin_rack; /* rad/m2 */
  vd_wide rack_spin;              /* rad/m, rotation per rack that is part of the wheel's spin */
  vd_wide spin_other;
  vd_wide other_spin;                                           /* rad/m, rotation per travel of the other wheel */
  vd_wide other_spin_travel, other_spin_other, other_spin_rack; /* rad/m2 */
  /* rad/m, for a live axle that steers, else 0: rotation of the shafts in the axle less that of the wheels on their
   * knuckles, by travel, other travel and rack; the derivative by the rack contains the wheels' own spin */
  vd_wide shaft[3];
  vd_wide lift;                 /* m, for a steered axle: height of the wheel centre above its travel; else 0 */
  vd_wide spring[4], damper[4]; /* m: compression as in vd_mapped, its derivatives by travel, rack and other travel */
  vd_wide3 mass;                /* m, the unsprung mass */
  vd_wide3 mass_travel, mass_travel2; /* derivatives of the mass's place by travel */
  vd_wide3 mass_other, mass_mixed, mass_other2;
  vd_wide rate;          /* m/s, of the travels */
  vd_wide other_rate;    /* m/s, of the other wheels' travels */
  double rack[VD_AXLES]; /* m */
  vd_wide rack_rate;     /* m/s, of the rack of each wheel's axle */
} vd_linkage_poses;

/* Computes those first and second derivatives of the place of the mass that contain the other travel. */
VD_INLINE void vd_split_paths(const vd_ride *ride, const vd_corner_pose *pose, vd_linkage_poses *h) {
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  vd_wide path[8], joined = vd_wide_load(ride->link.is_joined), none = 0.0 * side;
  for (int k = 0; k < 8; k += 4)
    vd_wide_columns(pose[0].other_path + k, pose[1].other_path + k, pose[2].other_path + k, pose[3].other_path + k,
                    path + k);
  h->mass_other = (vd_wide3){joined * path[0], joined * side * path[1], none};
  h->mass_mixed = (vd_wide3){joined * path[2], joined * side * path[3], none};
  h->mass_other2 = (vd_wide3){joined * path[4], joined * side * path[5], none};
}

/* Computes the derivatives by the second coordinate of a map: for joined wheels this is the other travel, not the rack.
 * ay: y of the axle's unit vector. */
VD_INLINE void vd_split_columns(const vd_ride *ride, const vd_wide *value, const vd_wide *by_travel, vd_wide ay,
                                vd_wide *by_rack, vd_linkage_poses *h) {
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  vd_wide joined = vd_wide_load(ride->link.is_joined), other[VD_MAPPED];
  for (int k = 0; k < VD_MAPPED; k++) {
    other[k] = joined * by_rack[k];
    by_rack[k] -= other[k];
  }
  vd_wide ax1 = other[VD_MAP_AXLE_X], az1 = other[VD_MAP_AXLE_Z];
  h->by_other = (vd_wide3){other[VD_MAP_X], side * other[VD_MAP_Y], 0.0 * side};
  h->axle_other = (vd_wide3){side * ax1, -(value[VD_MAP_AXLE_X] * ax1 + value[VD_MAP_AXLE_Z] * az1) / ay, side * az1};
  h->spin_other = other[VD_MAP_SPIN];
  h->other_spin = joined * value[VD_MAP_OTHER_SPIN];
  h->other_spin_travel = joined * by_travel[VD_MAP_OTHER_SPIN];
  h->other_spin_other = other[VD_MAP_OTHER_SPIN];
  h->spring[3] = other[VD_MAP_SPRING];
  h->damper[3] = other[VD_MAP_DAMPER];
}

/* Adds the effect of steering on the wheels of an axle whose knuckles change the heights of the wheel centres. */
VD_INLINE void vd_steer_axles(const vd_ride *ride, const vd_corner_pose *pose, vd_wide *by_rack, vd_linkage_poses *h) {
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  vd_wide gear[VD_MAPPED], lift[4], turn[4], bend;
  for (int k = 0; k < VD_MAPPED; k += 4)
    vd_wide_columns(pose[0].by_gear + k, pose[1].by_gear + k, pose[2].by_gear + k, pose[3].by_gear + k, gear + k);
  vd_wide_columns(pose[0].lift, pose[1].lift, pose[2].lift, pose[3].lift, lift);
  for (int k = 0; k < VD_MAPPED; k++)
    by_rack[k] += gear[k];
  h->other_spin_rack = side * gear[VD_MAP_OTHER_SPIN];
  h->lift = lift[0];
  h->by_travel.z = lift[1];
  h->by_other.z = lift[2];
  h->by_rack.z = side * lift[3];
  vd_wide_columns(pose[0].turn, pose[1].turn, pose[2].turn, pose[3].turn, turn);
  for (int i = 0; i < VD_WHEELS; i++)
    bend[i] = ride->link.joint_base[i] +
              ride->link.joint_amplitude[i] * vd_lane_cos(turn[0][i] - ride->link.joint_straight[i]);
  vd_wide share = vd_wide_load(ride->link.joint_sum) / bend, live = vd_wide_load(ride->link.on_live_axle);
  h->rack_spin = side * vd_wide_load(ride->link.pin_along) * turn[3];
  h->shaft[0] = live * share * turn[1];
  h->shaft[1] = live * share * turn[2];
  h->shaft[2] = live * (side * share * turn[3] - h->rack_spin);
}

/* Computes the pose of wheel i at a rack, as a left wheel. Returns false if the linkage does not close. */
VD_INLINE bool vd_wheel_pose_at(const vd_ride *ride, bool joined, const double *travel, double rack, int i,
                                vd_corner_pose *pose) {
  const vd_linkage_map *map = ride->link.map[i];
  double second = joined && map->joined ? travel[vd_other_side(i)] : rack;
  for (int k = 0; k < 8 && joined; k++)
    pose->other_path[k] = 0.0;
  if (joined && ride->link.kingpins)
    for (int k = 0; k < VD_MAPPED; k++)
      pose->by_gear[k] = pose->lift[k % 4] = pose->turn[k % 4] = 0.0;
  if (ride->link.exact)
    return vd_linkage_exact_at(map, travel[i], second, rack, pose);
  vd_linkage_map_at(map, travel[i], second, pose);
  if (joined && map->knuckle)
    vd_knuckle_map_at(map, travel[i], second, rack, pose);
  return true;
}

VD_INLINE void vd_poses_to_lanes(const vd_corner_pose *pose, vd_mapped_wheels *at) {
  vd_wide path[8];
  for (int k = 0; k < VD_MAPPED; k += 4) {
    vd_wide_columns(pose[0].value + k, pose[1].value + k, pose[2].value + k, pose[3].value + k, at->value + k);
    vd_wide_columns(pose[0].by_travel + k, pose[1].by_travel + k, pose[2].by_travel + k, pose[3].by_travel + k,
                    at->by_travel + k);
    vd_wide_columns(pose[0].by_rack + k, pose[1].by_rack + k, pose[2].by_rack + k, pose[3].by_rack + k,
                    at->by_rack + k);
    vd_wide_columns(pose[0].path + k, pose[1].path + k, pose[2].path + k, pose[3].path + k, path + k);
  }
  for (int k = 0; k < 6; k++)
    at->path[k] = path[k];
}

/* Sets the racks of a command. */
VD_INLINE void vd_linkage_racks(const vd_command *c, vd_linkage_poses *h) {
  const double *rate = c->rack_rate;
  for (int a = 0; a < VD_AXLES; a++)
    h->rack[a] = c->rack[a];
  h->rack_rate = (vd_wide){rate[VD_FRONT], rate[VD_FRONT], rate[VD_REAR], rate[VD_REAR]};
}

/* Computes the poses: those of the maps for left wheels, and mirror images of poses at the opposite rack for right
 * wheels. travel, rate: of each wheel, m, m/s; rack, rack_rate and joined of `h` must be set. Returns false if a
 * linkage does not close. */
VD_INLINE bool vd_linkage_poses_at(const vd_model *m, const double *travel, const double *rate, vd_linkage_poses *h) {
  const vd_ride *ride = &m->ride;
  vd_corner_pose pose[VD_WHEELS];
  vd_mapped_wheels at;
  const double *r = h->rack, rack[VD_WHEELS] = {r[VD_FRONT], -r[VD_FRONT], r[VD_REAR], -r[VD_REAR]};
  vd_wide *value = at.value, *by_travel = at.by_travel, *by_rack = at.by_rack, *path = at.path;
  if (!h->joined && !ride->link.exact)
    vd_linkage_maps_at(&ride->link.maps, travel, rack, &at);
  else
    for (int i = 0; i < VD_WHEELS; i++)
      if (!vd_wheel_pose_at(ride, h->joined, travel, rack[i], i, &pose[i]))
        return false;
  if (h->joined || ride->link.exact)
    vd_poses_to_lanes(pose, &at);
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  vd_wide one = side * side, none = 0.0 * side, height = vd_wide_load(travel);
  vd_wide wide_x = vd_wide_load(m->lanes.x), wide_y = vd_wide_load(m->lanes.y);
  vd_wide ax = value[VD_MAP_AXLE_X], az = value[VD_MAP_AXLE_Z];
  vd_wide ay = vd_wide_sqrt(1.0 - ax * ax - az * az), inverse = -1.0 / ay;
  vd_wide wheel_z = vd_wide_load(ride->wheel_z);
  h->by_travel.z = h->by_rack.z = none;
  if (h->joined) {
    vd_split_columns(ride, value, by_travel, ay, by_rack, h);
    vd_split_paths(ride, pose, h);
    h->lift = h->other_spin_rack = h->rack_spin = h->shaft[0] = h->shaft[1] = h->shaft[2] = none;
    if (ride->link.kingpins)
      vd_steer_axles(ride, pose, by_rack, h);
    wheel_z += h->lift;
  }
  h->centre = (vd_wide3){wide_x + value[VD_MAP_X], wide_y + side * value[VD_MAP_Y], wheel_z + height};
  h->by_travel = (vd_wide3){by_travel[VD_MAP_X], side * by_travel[VD_MAP_Y], one + h->by_travel.z};
  h->by_rack = (vd_wide3){side * by_rack[VD_MAP_X], by_rack[VD_MAP_Y], h->by_rack.z};
  vd_wide ax1 = by_travel[VD_MAP_AXLE_X], az1 = by_travel[VD_MAP_AXLE_Z];
  vd_wide ax2 = by_rack[VD_MAP_AXLE_X], az2 = by_rack[VD_MAP_AXLE_Z];
  h->axle = (vd_wide3){side * ax, ay, side * az};
  h->axle_travel = (vd_wide3){side * ax1, inverse * (ax * ax1 + az * az1), side * az1};
  h->axle_rack = (vd_wide3){ax2, side * inverse * (ax * ax2 + az * az2), az2};
  h->spin = value[VD_MAP_SPIN];
  h->spin_travel = by_travel[VD_MAP_SPIN];
  h->spin_rack = side * by_rack[VD_MAP_SPIN];
  vd_wide rack_spin = side * value[VD_MAP_OTHER_SPIN];
  h->rack_spin = h->joined ? h->rack_spin + (rack_spin - side * h->other_spin) : rack_spin;
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
  if (h->joined)
    h->other_rate = vd_wide_swapped(h->rate);
  return true;
}

/* Returns the rate of a vector whose derivatives by travel, rack and the other travel are given. */
VD_INLINE vd_wide3 vd_linkage_rates(vd_wide3 by_travel, vd_wide3 by_rack, const vd_wide3 *by_other,
                                    const vd_linkage_poses *h) {
  vd_wide3 rate =
      vd_wide_plus(vd_wide_scaled(h->rate, by_travel),
                   (vd_wide3){h->rack_rate * by_rack.x, h->rack_rate * by_rack.y, h->rack_rate * by_rack.z});
  return h->joined ? vd_wide_plus(rate, vd_wide_scaled(h->other_rate, *by_other)) : rate;
}

/* Returns the rotation rate of the knuckles about their axles, rad/s. */
VD_INLINE vd_wide vd_linkage_turn(const vd_linkage_poses *h) {
  vd_wide turn = h->spin * h->rate;
  return h->joined ? turn + h->other_spin * h->other_rate : turn;
}

/* Returns the velocity of the unsprung masses relative to the body, m/s. */
VD_INLINE vd_wide3 vd_mass_rate(const vd_linkage_poses *h) {
  vd_wide3 rate = vd_wide_scaled(h->rate, h->mass_travel);
  return h->joined ? vd_wide_plus(rate, vd_wide_scaled(h->other_rate, h->mass_other)) : rate;
}

#endif
