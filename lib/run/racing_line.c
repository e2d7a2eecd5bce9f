#include "run/limits_run.h"

#include "base/elementary.h"
#include "limits/line.h"

#include <math.h>

bool vd_racing_room(const vd_limits_def *def, double s, double room[2]) {
  vd_path_room(&def->track, s, room);
  if (!isnan(def->racing.track_width))
    room[0] = room[1] = 0.5 * def->racing.track_width;
  return !isnan(def->racing.track_width) || def->track.room;
}

bool vd_racing_bounds(const vd_limits_def *def, double s, double *low, double *high) {
  /* greatest share of the radius by which the line may lie inward; the normals of the path meet at the centre */
  const double shared = 0.8;
  const double least = 1e-3; /* m, least width that remains */
  double room[2], taken = 0.5 * def->racing.car_width + def->racing.margin;
  vd_path_point p;
  vd_racing_room(def, s, room);
  vd_path_at(&def->track, s, &p);
  *low = taken - room[1];
  *high = room[0] - taken;
  bool wide = *high > *low + least;
  if (p.curvature > 0.0)
    *high = vd_max(vd_min(*high, shared / p.curvature), *low + least);
  if (p.curvature < 0.0)
    *low = vd_min(vd_max(*low, shared / p.curvature), *high - least);
  return wide;
}

/* Makes the track of the line. Its stations are two steps of the lap apart. */
static vd_line_track make_track(const vd_limits_def *def, vd_arena *arena) {
  const vd_path *path = &def->track;
  size_t parts = (size_t)ceil(path->length / (2.0 * def->step)), n = parts + (path->closed ? 0 : 1);
  vd_line_station *station = vd_arena_alloc(arena, n * sizeof *station);
  for (size_t i = 0; i < n; i++) {
    vd_path_point p;
    double low, high, s = path->length * (double)i / (double)parts;
    vd_path_at(path, s, &p);
    vd_racing_bounds(def, s, &low, &high);
    station[i] = (vd_line_station){p.x, p.y, p.heading, low, high, isnan(p.speed) ? INFINITY : p.speed};
  }
  return (vd_line_track){station, n, path->closed};
}

/* Draws a smooth path through the corners of the line. */
static void draw_path(const vd_line_track *track, const double *offset, bool has_speed, vd_arena *arena,
                      vd_path *path) {
  double *xy = vd_arena_alloc(arena, 2 * track->count * sizeof *xy);
  double *speed = vd_arena_alloc(arena, track->count * sizeof *speed);
  for (size_t i = 0; i < track->count; i++) {
    const vd_line_station *s = &track->station[i];
    xy[2 * i] = s->x - offset[i] * vd_sin(s->heading);
    xy[2 * i + 1] = s->y + offset[i] * vd_cos(s->heading);
    speed[i] = s->limit;
  }
  const vd_path_def def = {.type = VD_PATH_WAYPOINTS,
                           .closed = track->closed,
                           .waypoints = {xy, track->count},
                           .speeds = {speed, has_speed ? track->count : 0}};
  vd_path_build(&def, 0.0, arena, path);
}

/* Samples places along a path, and their room on the track. */
static void sample(const vd_limits_def *def, const vd_path *path, vd_arena *arena, vd_lap_line *out) {
  size_t steps = (size_t)ceil(path->length / def->step - 1e-9);
  vd_lap_place *place = vd_arena_alloc(arena, (steps + 1) * sizeof *place);
  double(*room)[2] = vd_arena_alloc(arena, (steps + 1) * sizeof *room), foot = 0.0;
  for (size_t i = 0; i <= steps; i++) {
    vd_path_point p;
    double s = path->length * (double)i / (double)steps, offset;
    vd_path_at(path, s, &p);
    foot = vd_path_foot(&def->track, foot + (i > 0 ? def->step : 0.0), p.x, p.y, &offset);
    vd_racing_room(def, foot, room[i]);
    room[i][0] -= offset;
    room[i][1] += offset;
    place[i] = (vd_lap_place){.s = s, .curvature = p.curvature, .limit = INFINITY, .x = p.x, .y = p.y};
    if (!isnan(p.speed))
      place[i].limit = p.speed;
  }
  *out = (vd_lap_line){place, steps + 1, room};
}

bool vd_racing_line(const vd_limits_def *def, const vd_gg *gg, const vd_lap_plan *plan, vd_arena *arena,
                    vd_lap_line *out) {
  double unused[2];
  *out = (vd_lap_line){def->place, def->places, NULL};
  if (def->racing.goal == VD_RACING_CENTRE) {
    if (vd_racing_room(def, 0.0, unused))
      out->room = vd_arena_alloc(arena, def->places * sizeof *out->room);
    for (size_t i = 0; i < def->places && out->room; i++)
      vd_racing_room(def, def->place[i].s, out->room[i]);
    return true;
  }
  vd_path path;
  const vd_line_track track = make_track(def, arena);
  double *offset = vd_arena_alloc(arena, track.count * sizeof *offset);
  if (!vd_line_least_curvature(&track, offset) ||
      (def->racing.goal == VD_RACING_TIME && isnan(vd_line_least_time(&track, gg, plan, offset))))
    return false;
  draw_path(&track, offset, def->track.has_speed, arena, &path);
  sample(def, &path, arena, out);
  return true;
}
