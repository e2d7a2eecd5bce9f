#include "model/table_steer.h"

#include "base/elementary.h"

#include <math.h>

/* The lateral slope of a contact's path in roll is the roll centre's height over half the track; of wheels that are no
 * mirror images the mean counts. The springs of an axle or a beam stand on its body, and have less of its roll than of
 * its rise: what the stiffness in roll lacks is taken off the bar's. */
void vd_table_axles(vd_model *m) {
  for (int a = 0; a < VD_AXLES; a++) {
    vd_vehicle_axle *axle = &m->vehicle.axle[a];
    const vd_linkage_map *map[2] = {axle->map, axle->map->right};
    double slope = 0.0, square = 0.0, half = 0.5 * axle->track;
    for (int side = 0; side < 2; side++) {
      vd_corner_pose pose;
      vd_linkage_map_at(map[side], 0.0, 0.0, &pose);
      double joined = axle->map->joined ? 1.0 : 0.0, roll[VD_MAPPED];
      for (int k = 0; k < VD_MAPPED; k++)
        roll[k] = pose.by_travel[k] - joined * pose.by_rack[k];
      slope += 0.5 * (roll[VD_MAP_Y] + axle->loaded_radius * roll[VD_MAP_AXLE_Z]);
      square += 0.5 * roll[VD_MAP_SPRING] * roll[VD_MAP_SPRING];
    }
    axle->roll_centre_height = half * slope;
    axle->antiroll_stiffness += 2.0 * axle->spring_stiffness * half * half * (square - 1.0);
  }
}

/* The wheels' spin leans the body, too: r sum(I w) with w = v/R. */
void vd_table_steer_build(vd_model *m) {
  const vd_masses *masses = &m->vehicle.masses;
  double sum[VD_LOAD_SUMS] = {0.0}, roll[VD_AXLES], mass = masses->total / m->vehicle.wheelbase;
  sum[VD_SUM_YF] = mass * masses->to_axle[VD_REAR];
  sum[VD_SUM_YR] = mass * masses->to_axle[VD_FRONT];
  for (int i = 0; i < m->lanes.count; i++)
    sum[VD_SUM_ROLL] += m->lanes.inertia[i] / m->lanes.radius[i];
  vd_load_spring_rolls(&m->balance, sum, roll);
  for (int a = 0; a < VD_AXLES; a++)
    m->roll_travel[a] = 0.5 * m->vehicle.axle[a].track * roll[a];
}

/* Angle of a wheel to the left; of the right one the mirror image at the opposite rack. Beyond its ends a table is
 * taken at them. */
static double wheel_angle(const vd_model *m, int i, double travel, const double *rack) {
  const vd_vehicle_axle *axle = &m->vehicle.axle[i / 2];
  const vd_linkage_map *map = i % 2 ? axle->map->right : axle->map;
  const vd_axis *range = &map->travel;
  vd_corner_pose pose;
  double end = range->from + range->cells * range->step, side = i % 2 ? -1.0 : 1.0;
  double within = vd_min(vd_max(travel, range->from), end), second = side * rack[i / 2];
  if (map->joined)
    second = vd_min(vd_max(-travel, range->from), end);
  vd_linkage_map_at(map, within, second, &pose);
  double ax = pose.value[VD_MAP_AXLE_X], az = pose.value[VD_MAP_AXLE_Z];
  return side * vd_atan2(-ax, sqrt(1.0 - ax * ax - az * az));
}

void vd_table_angles(const vd_model *m, const double *x, vd_command *c) {
  const vd_linkage_map *front = m->vehicle.axle[VD_FRONT].map;
  double slope, aside = x[VD_S_VX] * x[VD_S_YAW_RATE];
  const double rack[VD_AXLES] = {vd_linkage_rack(front, c->steer, &slope), c->rack[VD_REAR]};
  double angle[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    angle[i] = wheel_angle(m, i, (i % 2 ? 1.0 : -1.0) * m->roll_travel[i / 2] * aside, rack);
  for (int i = 0; i < m->lanes.count; i++) {
    c->angle[i] = m->lanes.count == VD_WHEELS ? angle[i] : 0.5 * (angle[2 * i] + angle[2 * i + 1]);
    c->cos_angle[i] = vd_cos(c->angle[i]);
    c->sin_angle[i] = vd_sin(c->angle[i]);
  }
}
