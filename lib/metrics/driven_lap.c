/* Compares a driven lap with the quasi-steady lap of the same car and path. */
#include "base/elementary.h"
#include "metrics/metrics_impl.h"

#include <math.h>

/* Computes the times of the driven and the quasi-steady lap over the part of the path that was driven. */
static vd_result times(const vd_recorder *r, double *driven, double *quickest) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_PATH_S);
  vd_path_point from;
  *driven = *quickest = NAN;
  if (!vd_metric_good(&checked))
    return checked;
  if (!r->car.path)
    return vd_metric_refused("there is no path");
  vd_path_at(r->car.path, r->first.path_s, &from);
  if (!(from.grip > 0.0))
    return vd_metric_refused("the speeds of the path were not computed from the car's limits (path_speed)");
  *driven = vd_recorder_last(r)->t - r->first.t;
  *quickest =
      vd_path_quickest(r->car.path, vd_recorder_last(r)->path_s) - vd_path_quickest(r->car.path, r->first.path_s);
  return *quickest > 0.0 ? vd_metric_known(0.0) : vd_metric_refused("the car does not advance along the path");
}

/* Returns the distance from a point to the nearer edge of the track, m; < 0: the point is outside the track. */
static double room_at(const vd_path *path, double s, double x, double y) {
  double offset, room[2];
  vd_path_room(path, vd_path_foot(path, s, x, y, &offset), room);
  return vd_min(room[0] - offset, room[1] + offset);
}

static vd_result least_room(const vd_recorder *r) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_X, VD_SERIES_Y, VD_SERIES_YAW, VD_SERIES_PATH_S);
  const vd_metrics_car *car = &r->car;
  double least = INFINITY;
  if (!vd_metric_good(&checked))
    return checked;
  if (!car->path || !car->path->room)
    return vd_metric_refused("the edges of the track are not known");
  for (size_t i = 0; i < r->count; i++) {
    const vd_sample *at = &r->sample[i];
    double c = vd_cos(at->yaw), s = vd_sin(at->yaw);
    for (int k = 0; k < 4; k++) {
      double along = k < 2 ? car->ahead : -car->behind, left = (k % 2 ? -0.5 : 0.5) * car->width;
      double x = at->x + c * along - s * left, y = at->y + s * along + c * left;
      least = vd_min(least, room_at(car->path, at->path_s + along, x, y));
    }
  }
  return vd_metric_known(least);
}

static const vd_metric_info metrics[] = {
    {"quasi_steady_time_s", "s",
     "time of the quasi-steady lap at the car's full limits, with at most 6 degrees of slip at the rear axle, over the "
     "part of the path that was driven"},
    {"over_quasi_steady", "1", "time of the run divided by quasi_steady_time, minus 1"},
    {"edge_room_m", "m",
     "least distance from a corner of the body to the nearer edge of the track; < 0: a corner is "
     "outside the track"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  double driven, quickest;
  vd_result known = times(r, &driven, &quickest);
  vd_set_metric(out, "quasi_steady_time_s", vd_metric_of(known, quickest));
  vd_set_metric(out, "over_quasi_steady", vd_metric_of(known, driven / quickest - 1.0));
  vd_set_metric(out, "edge_room_m", least_room(r));
}

const vd_metric_set vd_metrics_driven_lap = {VD_METRIC_SET(driven_lap, metrics, compute), .view = VD_VIEW_PLACE,
                                             .title = "driven laps beside the quasi-steady one"};
