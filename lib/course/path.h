/* Paths to follow: straight, circle, clothoid, figure eight, segments, waypoints, the lane changes of ISO 3888, slalom.
 *
 * A path of any kind is built as nodes at equal distances along it, with cubics between them. Each node has a place, a
 * heading and a curvature. A point at a distance s is found without a search. World x, y (m); curvature > 0 turns left.
 *
 * Nodes are exact to rounding. Between them, h apart, the errors of the cubics are at most (de Boor, A Practical Guide
 * to Splines, ch. IV; with the curvature k, |P''''| = |k'' n - k^3 n - 3 k k' t|)
 *   place       h^4/384 max|P''''|         2.6e-7 m on a circle of 1 m, 2.6e-10 m on one of 10 m
 *   direction   h^3 sqrt(3)/216 max|P''''| of dP/ds, compared with the unit vector along the heading
 *   heading     h^4/384 max|k'''|          none on lines, arcs and clothoids
 *   curvature   h^3 sqrt(3)/216 max|k'''|  it is the derivative of the heading
 * In an interval that contains a step of the curvature by d (line to arc), the errors are d h^2/61 of the place, 0.15 d
 * h of direction and heading, and an overshoot of the curvature of up to d/3. For a step of its rate by r (line to
 * clothoid, a waypoint): place r h^3/192, direction 0.018 r h^2, curvature 0.084 r h. */
#ifndef VD_PATH_H
#define VD_PATH_H

#include <stdbool.h>
#include <stddef.h>

enum vd_path_type {
  VD_PATH_NONE,
  VD_PATH_STRAIGHT,
  VD_PATH_CIRCLE,
  VD_PATH_CLOTHOID,
  VD_PATH_EIGHT,
  VD_PATH_SEGMENTS,
  VD_PATH_WAYPOINTS,
  VD_PATH_ISO3888_1,
  VD_PATH_ISO3888_2,
  VD_PATH_SLALOM,
};

static inline bool vd_path_has_cones(enum vd_path_type type) {
  return type == VD_PATH_ISO3888_1 || type == VD_PATH_ISO3888_2 || type == VD_PATH_SLALOM;
}

/* The lines between which the offset of two lanes is measured: their middles, or their right edges. */
enum vd_lane_offset { VD_OFFSET_CENTRES, VD_OFFSET_EDGES };

/* The meaning of the width of 3 m of the last lane of ISO 3888-2: a lower or an upper limit; sources differ. */
enum vd_exit_bound { VD_EXIT_AT_LEAST, VD_EXIT_AT_MOST };

/* The edges of a lane that have cones. */
enum vd_gate_cones { VD_CONES_BOTH, VD_CONES_LEFT, VD_CONES_RIGHT };

/* A lane between cones, in axes at the start of the path with x along its first direction. A gate of a slalom has one
 * cone: it has no length, and only the edge at the cone counts. */
typedef struct vd_gate {
  double from, to; /* m, along x */
  double centre;   /* m, along y */
  double width;    /* m */
  enum vd_gate_cones cones;
} vd_gate;

/* A cone, in the axes of the gates. */
typedef struct vd_cone {
  double x, y; /* m, position of its middle */
  int gate;    /* index of its gate */
} vd_cone;

typedef struct vd_path_node {
  double x, y;      /* m */
  double heading;   /* rad, continuous, not limited to half a turn */
  double curvature; /* 1/m */
  double speed;     /* m/s; NAN: none */
  double grip;      /* m/s2, lateral acceleration that the car's limits allow at this speed; 0: not known */
  double drive;     /* m/s2, acceleration straight ahead that the car's limits allow at this speed; 0: not known */
  double quickest;  /* s, time from the start of the path in the quasi-steady lap at these limits */
} vd_path_node;

enum { VD_PATH_GATES = 20 };

typedef struct vd_path {
  /* [count] at s = i spacing; on a closed path the last node equals the first, with a heading changed by whole turns */
  const vd_path_node *node;
  size_t count;   /* 0: no path */
  double spacing; /* m, about 0.1 */
  double length;  /* m = (count - 1) spacing */
  bool closed;
  bool has_speed;
  const double (*room)[2]; /* [count] m, to the left and to the right edge of the track; NULL: not known */
  vd_gate gate[VD_PATH_GATES];
  size_t gates;
  double origin_x, origin_y, origin_yaw; /* m, m, rad: origin and direction of the axes of the gates */
  enum vd_path_type type;
  enum vd_lane_offset offset_between;
  enum vd_exit_bound exit_bound;
  double cone_spacing, cone_radius; /* m */
} vd_path;

/* One point of a path. */
typedef struct vd_path_point {
  double s; /* m */
  double x, y, heading, curvature;
  double curvature_rate;     /* 1/m2, d curvature/ds */
  double speed, speed_slope; /* speed, m/s, and d speed/ds, 1/s; NAN and 0 if the path has no speeds */
  double grip, drive;        /* m/s2, values of the node before this point */
} vd_path_point;

/* Computes the point at s. Beyond its ends an open path continues straight; a closed path repeats, with a continuous
 * heading. */
void vd_path_at(const vd_path *path, double s, vd_path_point *point);

/* Computes the room to the left and to the right edge at s, m; 0 if it is not known. */
void vd_path_room(const vd_path *path, double s, double room[2]);

/* Returns the time, s, of the quasi-steady lap from the start of the path to s; beyond an end of an open path, the time
 * at this end. */
double vd_path_quickest(const vd_path *path, double s);

/* Returns s, m, of the point of the whole path that is nearest to x, y, by a search and vd_path_foot. On a closed path
 * 0 <= s < length. On an open path s lies beyond an end if that end is the nearest point. If the distances of two parts
 * of the path differ by less than the distance of the nodes, the result may be on either part. */
double vd_path_nearest(const vd_path *path, double x, double y);

/* Returns s, m, of the foot of a perpendicular from x, y to the path, near `guess`: the root of (X - P(s)) . t(s),
 * where X is the point x, y, P(s) the path and t the unit vector along its heading. *offset: m, distance of the point
 * from the path, > 0 to its left. s is continuous where a closed path meets itself, and beyond the ends of an open
 * path. */
double vd_path_foot(const vd_path *path, double guess, double x, double y, double *offset);

enum { VD_PATH_CONES = 512 };

/* Places the cones of all gates: in pairs from the beginning of a lane to its end, at equal distances of at most
 * cone_spacing. Their bases are outside the lane and touch its edge. If a lane continues the lane before it with the
 * same width, both share a pair of cones, which belongs to the earlier lane. A gate of a slalom has one cone. Returns
 * the number of cones. */
size_t vd_path_cones(const vd_path *path, vd_cone cone[VD_PATH_CONES]);

#endif
