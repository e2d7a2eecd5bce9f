/* Declarations shared by the files that make maps: of linkages (linkage_map.c) and of measured tables (wheel_map.c). */
#ifndef VD_LINKAGE_MAP_IMPL_H
#define VD_LINKAGE_MAP_IMPL_H

#include "linkage/linkage_map.h"

/* Steps of the maps' nodes, m. VD_MAP_JOINED_STEP is that of both travels of joined wheels, whose arms and rods are
 * longer than a corner's. VD_MAP_LEAST_TRAVEL is the least travel up and down that a map must cover. */
#define VD_MAP_TRAVEL_STEP  0.005
#define VD_MAP_RACK_STEP    0.005
#define VD_MAP_JOINED_STEP  0.0075
#define VD_MAP_LEAST_TRAVEL 0.03

/* The mean steering angle of both wheels, rad, at a rack and travel 0; false: the rack does not reach that far. */
typedef struct vd_steer_curve {
  bool (*mean)(const void *of, double rack, double *angle);
  const void *of;
  bool asymmetric; /* left and right are not mirror images of each other, and the curve is not odd */
} vd_steer_curve;

/* Fits the racks for mean steering angles from -most to most, odd in the angle unless asymmetric, and sets the rack's
 * axis; false if the rack cannot turn the wheels that far. */
bool vd_linkage_map_steer(const vd_steer_curve *of, double most, vd_arena *arena, vd_linkage_map *map);

/* Function `racks' computes the values of a steered axle at two travels for all nodes of the gear, [gear.cells +
 * 1][VD_MAPPED]. The other travel is node `other' of map->knuckle_travel. It returns false if the linkage cannot reach
 * these travels. */
typedef struct vd_knuckle_survey {
  bool (*racks)(void *of, double travel, int other, double *value);
  void *of;
} vd_knuckle_survey;

/* Indices of the lift and the kingpin angle of a knuckle: in its map they replace spring and damper, which do not
 * depend on the rack. */
enum { VD_MAP_LIFT = VD_MAP_SPRING, VD_MAP_TURN = VD_MAP_DAMPER };

/* Sets the axis of the gear, which covers most_steer to both sides, or `racks' m without a steering gear. Makes the map
 * of the knuckle over this axis and the axis of the travel. False: it cannot be made. */
bool vd_linkage_map_knuckle(const vd_knuckle_survey *survey, double racks, vd_arena *arena, vd_linkage_map *map);

/* Returns the rack at a node of the gear's axis. */
double vd_linkage_map_gear_rack(const vd_linkage_map *map, int node);

/* Returns the coefficients of the splines: of values at all nodes, [travel nodes][rack nodes]; and of x and y of the
 * wheel centre with the rack in the middle, [travel nodes][2]. The axes of the map must be set before. */
const double *vd_linkage_map_surface(const vd_linkage_map *map, const vd_corner_pose *value, vd_arena *arena);
const double *vd_linkage_map_path(const vd_linkage_map *map, const double *value, vd_arena *arena);

#endif
