/* Paths through waypoints, from files, and refusals of all paths. */
#include "paths.h"
#include "tap.h"

#include <fcntl.h>
#include <gsl/gsl_interp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- waypoints --- */

static void ring_error(int count, double *place, double *bend, double *length) {
  double xy[256];
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .closed = true, .waypoints = ring(count, 20.0, xy)};
  vd_path path = built(&def);
  *place = *bend = 0.0;
  for (size_t i = 0; i < path.count; i++) {
    *place = tap_max(*place, fabs(hypot(path.node[i].x, path.node[i].y) - 20.0));
    *bend = tap_max(*bend, fabs(path.node[i].curvature - 0.05));
  }
  *length = fabs(path.length - 2.0 * VD_PI * 20.0);
}

/* Checks uniform periodic cubic splines of a circle: errors of the place fall with the fourth power of the waypoints'
 * distance, errors of the second derivative with the second power (de Boor, ch. V). */
static void check_order(void) {
  double place[3], bend[3], length[3];
  for (int i = 0; i < 3; i++)
    ring_error(16 << i, &place[i], &bend[i], &length[i]);
  tap_near(log2(place[1] / place[2]), 4.0, 0.1, "waypoints of a circle: places have errors of the fourth order");
  tap_near(log2(bend[1] / bend[2]), 2.0, 0.1, "waypoints of a circle: the curvature has errors of the second order");
  tap_near(log2(length[1] / length[2]), 4.0, 0.1, "waypoints of a circle: the length has errors of the fourth order");
  tap_ok(place[2] < 1e-4, "64 waypoints on a circle of 20 m give a path within %.2g m of the circle", place[2]);
}

static double bends[] = {0, 0, 12, 3, 25, -4, 31, 8, 40, 30, 22, 41, 5, 25};
static double paces[] = {10, 12, 12, 20, 15, 5, 9};

/* Checks that the path is GSL's spline over the length of chords. */
static void check_against_gsl(bool closed) {
  enum { N = 7 };
  size_t n = closed ? N + 1 : N;
  double u[N + 1] = {0}, x[N + 1], y[N + 1], length = 0.0, off = 0.0, bend = 0.0;
  for (size_t i = 0; i < n; i++) {
    x[i] = bends[2 * (i % N)];
    y[i] = bends[2 * (i % N) + 1];
    if (i > 0)
      u[i] = u[i - 1] + hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  }
  const gsl_interp_type *type = closed ? gsl_interp_cspline_periodic : gsl_interp_cspline;
  gsl_interp *gx = gsl_interp_alloc(type, n), *gy = gsl_interp_alloc(type, n);
  gsl_interp_init(gx, u, x, n);
  gsl_interp_init(gy, u, y, n);
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .closed = closed, .waypoints = {bends, N}};
  vd_path path = built(&def);
  double sharp = 0.0, rate = 0.0, before = 0.0;
  for (size_t k = 0; k + 1 < n; k++)
    for (int j = 0; j < 400; j++) { /* three Simpson nodes per step; the path is checked at its start */
      double h = (u[k + 1] - u[k]) / 400.0, v = u[k] + h * j, sum = 0.0;
      double dx = gsl_interp_eval_deriv(gx, u, x, v, NULL), dy = gsl_interp_eval_deriv(gy, u, y, v, NULL);
      double ddx = gsl_interp_eval_deriv2(gx, u, x, v, NULL), ddy = gsl_interp_eval_deriv2(gy, u, y, v, NULL);
      vd_path_point p = at(&path, length);
      off = tap_max(off, hypot(p.x - gsl_interp_eval(gx, u, x, v, NULL), p.y - gsl_interp_eval(gy, u, y, v, NULL)));
      double step = (u[k + 1] - u[k]) / 400.0 * hypot(dx, dy), k_there = (dx * ddy - dy * ddx) / pow(hypot(dx, dy), 3);
      bend = tap_max(bend, fabs(p.curvature - k_there));
      sharp = tap_max(sharp, fabs(k_there));
      rate = length > 0.0 ? fmax(rate, fabs(k_there - before) / step) : 0.0;
      before = k_there;
      for (int m = 0; m < 3; m++) {
        double w = fmin(v + 0.5 * h * m, u[n - 1]);
        sum += (m == 1 ? 4.0 : 1.0) *
               hypot(gsl_interp_eval_deriv(gx, u, x, w, NULL), gsl_interp_eval_deriv(gy, u, y, w, NULL));
      }
      length += sum * h / 6.0;
    }
  gsl_interp_free(gx);
  gsl_interp_free(gy);
  const char *name = closed ? "closed spline" : "natural spline";
  /* the curvature's rate jumps at waypoints, so that the only bound is |P'''| <= k^2 + |k'|: the error of the place is
   * h^3/96 times this bound, that of the curvature h/4 |k'| (Birkhoff and Priver 1967, J. Math. Phys. 46, 440) */
  double h = path.spacing, third = sharp * sharp + rate;
  tap_near(path.length, length, 1e-8, "%s: the length is that of GSL's spline", name);
  tap_near(off, 0.0, h * h * h / 96.0 * third + 1e-8, "%s: places are those of GSL's spline", name);
  tap_near(bend, 0.0, h / 4.0 * rate, "%s: the curvature is that of GSL's spline (up to %.3g)", name, sharp);
}

/* Checks speeds on a parabola: secants of 0.1, 0.15, 0.2/s over 10 m each, slopes of 0.125 and 0.175/s between them. */
static void check_speeds(void) {
  static double xy[] = {0, 0, 10, 0, 20, 0, 30, 0}, speed[] = {10, 11, 12.5, 14.5};
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .waypoints = {xy, 4}, .speeds = {speed, 4}};
  vd_path path = built(&def);
  double jump = 0.0;
  tap_near(at(&path, 15.0).speed, 11.0 + 0.125 * 5.0 + 0.0025 * 25.0, 1e-13,
           "speeds: a parabola through the nodes is reproduced");
  for (size_t i = 1; i + 1 < path.count; i++) {
    double s = (double)i * path.spacing;
    jump = tap_max(jump, fabs(at(&path, s + 1e-9).speed_slope - at(&path, s - 1e-9).speed_slope));
  }
  /* the second derivative is at most 6 x 0.1/s over 10 m */
  tap_near(jump, 0.0, 0.06 * 2e-9 + 1e-12, "speeds: the slope has no jumps, so that no jerk is commanded");
}

static void check_waypoints(void) {
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .waypoints = {bends, 7}, .speeds = {paces, 7}};
  vd_path path = built(&def);
  double off = 0.0, pace = 0.0, worst = 0.0, d = 1e-5;
  bool monotone = true;
  double before = 0.0;
  for (size_t i = 0; i < 7; i++) {
    double offset, s = vd_path_nearest(&path, bends[2 * i], bends[2 * i + 1]);
    vd_path_foot(&path, s, bends[2 * i], bends[2 * i + 1], &offset);
    vd_path_point p = at(&path, s);
    off = tap_max(off, fabs(offset));
    pace = tap_max(pace, fabs(p.speed - paces[i]));
    if (i > 0)
      for (double v = before; v <= s; v += 0.01) {
        double speed = at(&path, v).speed;
        monotone =
            monotone && speed >= fmin(paces[i - 1], paces[i]) - 0.01 && speed <= fmax(paces[i - 1], paces[i]) + 0.01;
      }
    before = s;
  }
  double third = 0.0;
  for (size_t i = 0; i + 1 < path.count; i++) {
    double k = path.node[i].curvature, rate = fabs(path.node[i + 1].curvature - k) / path.spacing;
    third = tap_max(third, k * k + rate);
  }
  for (double s = 0.5 * path.spacing; s < path.length; s += path.spacing)
    worst =
        tap_max(worst, fabs((at(&path, s + d).speed - at(&path, s - d).speed) / (2.0 * d) - at(&path, s).speed_slope));
  tap_near(off, 0.0, pow(path.spacing, 3) / 96.0 * third, "waypoints: the path passes through them");
  /* f'' < 1/(m s): 6 x 8 m/s over (11 m)^2 and slopes of 0.7/s over 11 m. The error of linear interpolation is at most
   * h^2/8 f''; the cubic adds at most 1/16 of the second difference, h^2 f'', at each end */
  tap_near(pace, 0.0, path.spacing * path.spacing / 4.0 * 1.0, "waypoints: the path has their speeds");
  tap_ok(monotone, "waypoints: speeds between two waypoints stay within those of both");
  tap_near(worst, 0.0, 1e-8, "waypoints: the slope of the speed is that of the formula");
  tap_near(fmax(fabs(path.node[0].curvature), fabs(path.node[path.count - 1].curvature)), 0.0, 1e-14,
           "waypoints: an open path ends without curvature");
  def.closed = true;
  path = built(&def);
  tap_near(at(&path, path.length).speed, 10.0, 1e-9, "waypoints: the speed of a closed path is periodic");
  def = (vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {bends, 2}};
  path = built(&def);
  tap_near(path.length, hypot(12.0, 3.0), 1e-14, "two waypoints give a line");
}

/* --- refusals --- */

static size_t errors_of(vd_path_def *def) {
  vd_diag *d = vd_diag_create();
  vd_path_complete(def, NULL, "path", arena, d);
  size_t errors = vd_diag_errors(d);
  vd_diag_destroy(d);
  return errors;
}

/* Gives omitted keys their default values of the schema. */
static void say_nothing(vd_path_def *def) {
  def->table.file = def->table.file ? def->table.file : "";
  def->table.comment = "";
  def->columns = (vd_path_columns){VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN};
}

static void refuse(vd_path_def def, const char *what) {
  say_nothing(&def);
  tap_ok(errors_of(&def) == 1, "refused: %s", what);
}

static void accept(vd_path_def def, const char *what) {
  say_nothing(&def);
  tap_ok(errors_of(&def) == 0, "accepted: %s", what);
}

/* Checks that the room to the edges is linear between waypoints, also from the last to the first waypoint of a closed
 * path. */
static void check_track_room(void) {
  double xy[] = {0, 0, 10, 0, 20, 0, 30, 0}, left[] = {2, 3, 5, 5}, right[] = {4, 4, 1, 6}, room[2];
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .waypoints = {xy, 4}, .left = {left, 4}, .right = {right, 4}};
  vd_path path = built(&def);
  vd_path_room(&path, 12.5, room);
  tap_near(room[0], 3.5, 1e-9, "the room to the left is linear between waypoints");
  tap_near(room[1], 3.25, 1e-9, "the room to the right is linear between waypoints");
  vd_path_room(&path, 40.0, room);
  tap_ok(room[0] == 5.0 && room[1] == 6.0, "the room beyond an end is that at the end");
  double ring[] = {0, 0, 10, 0, 10, 10, 0, 10};
  def.waypoints = (vd_points){ring, 4};
  def.closed = true;
  path = built(&def);
  vd_path_room(&path, 0.875 * path.length, room);
  tap_near(room[0], 3.5, 1e-9, "the room of a closed path is linear from the last waypoint to the first");
  vd_path_room(&path, -0.125 * path.length, room);
  tap_near(room[1], 5.0, 1e-9, "the room of a closed path is equal one lap earlier");
  def.left.count = 0;
  path = built(&def);
  tap_ok(!path.room, "a path without a list of rooms has no room");
}

static void check_refusals(void) {
  static const double same[] = {0, 0, 10, 0, 10, 0, 5, 5}, again[] = {0, 0, 40, 0, 20, 20, 0, 0};
  static const double sharp[] = {0, 0, 10, 0, 0.1, 0.1}, far[] = {0, 0, 9e5, 0};
  vd_segment_def good[4], bad[4];
  oval(good, 0.0009);
  oval(bad, 0.0011);
  vd_segment_def turned[] = {{20.0 * VD_PI + 0.02, 0.1, NAN}};
  refuse((vd_path_def){.type = VD_PATH_CIRCLE, .radius = 0.5}, "a circle of 0.5 m");
  refuse((vd_path_def){.type = VD_PATH_CIRCLE, .radius = -100.0, .entry = 10.0, .laps = 200.0}, "laps of 126 km");
  refuse((vd_path_def){.type = VD_PATH_EIGHT, .radius = 9000.0}, "an eight of 142 km");
  refuse((vd_path_def){.type = VD_PATH_SEGMENTS}, "no segments");
  refuse((vd_path_def){.type = VD_PATH_SEGMENTS, .closed = true, .segments = {bad, 4}},
         "a closed path that misses by 1.1 mm");
  refuse((vd_path_def){.type = VD_PATH_SEGMENTS, .closed = true, .segments = {turned, 1}},
         "a closed path that misses by 2 mrad");
  accept((vd_path_def){.type = VD_PATH_SEGMENTS, .closed = true, .segments = {good, 4}},
         "a closed path that misses by 0.9 mm");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS}, "no waypoints");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {same, 1}}, "one waypoint");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {same, 2}, .closed = true},
         "two waypoints of a closed path");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {same, 4}}, "the same point twice in a row");
  accept((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {again, 4}, .closed = true},
         "the first waypoint again at the end of a closed path");
  accept((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {again, 4}},
         "the first waypoint again at the end of an open path");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {sharp, 3}}, "a curve that turns about less than 1 m");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {far, 2}}, "waypoints 900 km apart");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {bends, 7}, .speeds = {paces, 6}},
         "six speeds for seven waypoints");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .waypoints = {bends, 7}, .table = {.file = "x.csv"}},
         "file and waypoints");
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .table = {.file = "/dev/null"}}, "a device as a file");
  accept((vd_path_def){.type = VD_PATH_ISO3888_1, .blend = 4.0}, "ISO 3888-1");
}

static void check_oval(void) {
  vd_segment_def pieces[4];
  oval(pieces, 0.0009);
  vd_path_def def = {.type = VD_PATH_SEGMENTS, .closed = true, .segments = {pieces, 4}};
  vd_path path = built(&def);
  vd_path_point a = at(&path, 0.0), b = at(&path, path.length - 1e-9);
  tap_near(hypot(a.x - b.x, a.y - b.y), 0.0, 2e-9, "oval: closed although its pieces leave a gap of 0.9 mm");
  tap_near(b.heading - a.heading, 2.0 * VD_PI, 1e-9, "oval: the heading turns once");
  /* an excess of 2 mrad round a circle is distributed evenly */
  vd_segment_def round = {20.0 * VD_PI + 0.02, 0.1, NAN};
  def.segments = (vd_structs){&round, 1};
  path = built(&def);
  double worst = 0.0;
  for (size_t i = 0; i < path.count; i++)
    worst = tap_max(worst, fabs(path.node[i].heading - 2.0 * VD_PI * (double)i / (double)(path.count - 1)) +
                               fabs(path.node[i].curvature - 2.0 * VD_PI / path.length));
  tap_near(worst, 0.0, 1e-14, "closing: the gap is distributed evenly, so that the curvature is constant");
}

static void check_csv(void) {
  char name[] = "/tmp/vdsim-path-XXXXXX";
  int file = mkstemp(name);
  const char *text = "speed_mps,x_m,y_m\n10.,0,0\n12,12,3\n12,25,-4\n";
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text) || close(file) != 0)
    abort();
  vd_path_def def = {.type = VD_PATH_WAYPOINTS, .table = {.file = name}};
  say_nothing(&def);
  tap_ok(errors_of(&def) == 0 && def.table.file[0] == '\0' && def.waypoints.count == 3 && def.speeds.count == 3,
         "csv: the file is read, and its name is removed");
  tap_ok(def.waypoints.count == 3 && memcmp(def.waypoints.xy, bends, 6 * sizeof *bends) == 0 &&
             memcmp(def.speeds.value, paces, 3 * sizeof *paces) == 0,
         "csv: columns are found by their names");
  file = open(name, O_WRONLY);
  if (file < 0 || pwrite(file, "201\n", 3, 18) != 3 || close(file) != 0) /* the first speed */
    abort();
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .table = {.file = name}}, "a file with a speed of 201 m/s");
  if (truncate(name, 13) != 0)
    abort();
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .table = {.file = name}}, "a file without a column y_m");
  unlink(name);
  refuse((vd_path_def){.type = VD_PATH_WAYPOINTS, .table = {.file = name}}, "a file that is not there");
}

int main(void) {
  arena = vd_arena_create();
  tap_plan(52);
  check_order();
  check_against_gsl(false);
  check_against_gsl(true);
  check_waypoints();
  check_speeds();
  check_track_room();
  check_oval();
  check_refusals();
  check_csv();
  vd_arena_destroy(arena);
  return tap_done();
}
