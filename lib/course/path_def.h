/* The keys of a path. */
#ifndef VD_PATH_DEF_H
#define VD_PATH_DEF_H

#include "input/measured.h"
#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "course/path.h"

#include <stdbool.h>

/* A piece whose curvature changes linearly with its length: line, arc, clothoid. */
typedef struct vd_segment_def {
  double length; /* m */
  /* 1/m, curvature at its start; auto (NAN): curvature at the end of the previous piece, 0 for the first piece */
  double from;
  double to; /* 1/m, curvature at its end; auto: curvature at its start */
} vd_segment_def;

/* Columns of the file of waypoints. */
typedef struct vd_path_columns {
  vd_column_def x, y, speed, left, right;
} vd_path_columns;

typedef struct vd_path_def {
  int type;         /* enum vd_path_type */
  double x, y, yaw; /* m, rad: start of the path in the world; unused for waypoints */
  double length;    /* m: straight; clothoid */
  /* m: radius of a circle, or smallest radius of a figure eight; > 0: the circle, or the first loop of the figure
   * eight, turns left */
  double radius;
  double curvature_from, curvature_to; /* 1/m: clothoid */
  /* m: circle: length of the straight piece, and also of the clothoid, before the circle; 0: the path starts on the
   * circle */
  double entry;
  double laps;           /* number of turns of a circle with an entry */
  vd_structs segments;   /* vd_segment_def */
  vd_points waypoints;   /* m: [x, y], world */
  vd_measured_def table; /* file of waypoints; its keys are cleared once they are read */
  vd_path_columns columns;
  bool closed;            /* waypoints, segments: the end joins the start */
  double approach;        /* m: ISO 3888, slalom: distance from the start to the first gate */
  double blend;           /* m: ISO 3888: length by which the lane changes extend into the lanes before and after */
  int offset_between;     /* enum vd_lane_offset: ISO 3888-1 */
  int exit_bound;         /* enum vd_exit_bound: ISO 3888-2 */
  double cone_spacing;    /* m: ISO 3888: greatest distance of two cones along a lane's edge */
  double cone_radius;     /* m: radius of a cone's base; 0: a point */
  int cones;              /* slalom: number of cones in a row */
  double pitch;           /* m: slalom: distance of two cones */
  vd_numbers speeds;      /* m/s at the waypoints, from the keys or the file; empty: none */
  vd_numbers left, right; /* m at the waypoints: room to the edges of the track; empty: none */
} vd_path_def;

extern const struct vd_schema vd_path_schema;

/* Reads the file of waypoints into the definition, so that the resolved scenario needs no other file, and checks rules
 * across keys. `root` gives the places for messages, `path` is the key of the path in it. A path may be built only if
 * no error was added. */
void vd_path_complete(vd_path_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* Builds the nodes in the arena. vehicle_width, m, determines the widths of the ISO gates, and the room
 * that the path of a slalom leaves to its cones. */
void vd_path_build(const vd_path_def *def, double vehicle_width, vd_arena *arena, vd_path *path);

#endif
