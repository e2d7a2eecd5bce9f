/* Springs, dampers and stops: curves compared with differences, quadrature and the tables over time, a corner with its
 * energy, and their keys in a vehicle file. */
#include "base/base.h"
#include "course/profile.h"
#include "input/schema.h"
#include "tap.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- curves ---- */

static const double spring_xy[] = {0, 0, 0.02, 300, 0.05, 1500, 0.06, 2500, 0.12, 4000, 0.15, 7000, 0.151, 7001};
static const double damper_xy[] = {-1.5, -4000, -0.3, -2500, -0.1, -1800, 0, 0, 0.05, 300, 0.4, 300, 1.2, 1500};

static const vd_points spring_points = {spring_xy, VD_COUNT(spring_xy) / 2};
static const vd_points damper_points = {damper_xy, VD_COUNT(damper_xy) / 2};

typedef double function(const void *context, double x);

/* Returns the central difference, extrapolated: exact for cubics except for rounding. */
static double difference(function *f, const void *context, double x, double h) {
  double wide = (f(context, x + h) - f(context, x - h)) / (2.0 * h);
  double near = (f(context, x + 0.5 * h) - f(context, x - 0.5 * h)) / h;
  return (4.0 * near - wide) / 3.0;
}

/* Integrates by Gauss' rule of three points, exact up to the fifth power. */
static double quadrature(function *f, const void *context, double from, double to) {
  double middle = 0.5 * (from + to), half = 0.5 * (to - from), arm = half * sqrt(0.6);
  return half * (5.0 * f(context, middle - arm) + 8.0 * f(context, middle) + 5.0 * f(context, middle + arm)) / 9.0;
}

static double curve_value(const void *context, double x) {
  return vd_curve_at(context, x, NULL);
}

static void check_curve(const char *what, const vd_points *points) {
  vd_curve curve;
  vd_curve_build(points, &curve);
  size_t last = points->count - 1;
  const double *xy = points->xy;
  double width = xy[2 * last] - xy[0], largest = fmax(fabs(xy[1]), fabs(xy[2 * last + 1]));

  double miss = 0.0, kink = 0.0, slope_error = 0.0, area = 0.0, area_error = 0.0, leaves = 0.0;
  for (size_t i = 0; i <= last; i++) {
    double before, after;
    miss = tap_max(miss, fabs(vd_curve_at(&curve, xy[2 * i], NULL) - xy[2 * i + 1]));
    vd_curve_at(&curve, xy[2 * i] - 1e-12 * width, &before);
    vd_curve_at(&curve, xy[2 * i] + 1e-12 * width, &after);
    kink = tap_max(kink, fabs(after - before));
  }
  for (size_t i = 0; i < last; i++) {
    double from = xy[2 * i], h = xy[2 * i + 2] - from, y = xy[2 * i + 1], highest = xy[2 * i + 3];
    enum { PARTS = 40 };
    for (int k = 1; k < PARTS; k++) {
      double x = from + k * h / PARTS, slope, value = vd_curve_at(&curve, x, &slope);
      slope_error =
          tap_max(slope_error, fabs(slope - difference(curve_value, &curve, x, 0.9 * h / PARTS)) * h / largest);
      leaves = tap_max(leaves, tap_max(tap_max(y - value, value - highest), -slope * h) / largest);
      y = value;
      double here = area + quadrature(curve_value, &curve, from, x);
      area_error = tap_max(area_error, fabs(vd_curve_integral(&curve, x) - here) / (largest * width));
    }
    area += quadrature(curve_value, &curve, from, from + h);
  }
  tap_near(miss, 0.0, 1e-12 * largest, "%s: the curve passes through its points", what);
  tap_near(kink, 0.0, 1e-6 * largest / width, "%s: the slope of the curve does not jump at its points", what);
  tap_near(slope_error, 0.0, 1e-12, "%s: the slope is that of differences", what);
  tap_near(area_error, 0.0, 1e-14, "%s: the integral is that of Gauss' rule", what);
  tap_ok(leaves <= 1e-15, "%s: the curve rises from point to point and never falls (%.3g)", what, leaves);

  double first_slope, last_slope, slope, end = xy[2 * last], far = end + 0.3 * width, near = xy[0] - 0.2 * width;
  vd_curve_at(&curve, xy[0], &first_slope);
  vd_curve_at(&curve, end, &last_slope);
  double expected = xy[2 * last + 1] + last_slope * (far - end);
  tap_near(vd_curve_at(&curve, far, &slope), expected, 1e-12 * largest,
           "%s: beyond its end the curve continues with its last slope", what);
  tap_near(slope, last_slope, 0.0, "%s: the slope beyond the end is that at the end", what);
  expected = xy[1] + first_slope * (near - xy[0]);
  tap_near(vd_curve_at(&curve, near, &slope), expected, 1e-12 * largest,
           "%s: before its start the curve continues straight", what);
  tap_near(slope, first_slope, 0.0, "%s: the slope before the start is that at the start", what);
  tap_near(vd_curve_integral(&curve, far), area + quadrature(curve_value, &curve, end, far), 1e-13 * largest * width,
           "%s: the integral beyond the end is that of Gauss' rule", what);
  tap_near(vd_curve_integral(&curve, near), -quadrature(curve_value, &curve, near, xy[0]), 1e-13 * largest * width,
           "%s: the integral before the start is that of Gauss' rule", what);
}

/* Tests a table with the greatest number of points, at distances that differ by factors of up to 10^5, so a bin
 * contains many points or none. The tables over time search for their piece, and evaluate each cubic from its nearer
 * end. */
static void check_bins(void) {
  static double xy[2 * VD_CURVE_POINTS];
  unsigned state = 1;
  for (int i = 1; i < VD_CURVE_POINTS; i++) {
    state = state * 1103515245u + 12345u;
    double random = (state >> 16 & 0x7fff) / 32768.0;
    xy[2 * i] = xy[2 * i - 2] + pow(10.0, 5.0 * random - 6.0);
    state = state * 1103515245u + 12345u;
    xy[2 * i + 1] = xy[2 * i - 1] + 100.0 * ((state >> 16 & 0x7fff) / 32768.0);
  }
  const vd_points points = {xy, VD_CURVE_POINTS};
  const vd_profile table = {.type = VD_PROFILE_TABLE, .as.table = {points, VD_INTERPOLATE_SMOOTH}};
  vd_curve curve;
  vd_curve_build(&points, &curve);
  double end = xy[2 * VD_CURVE_POINTS - 2], error = 0.0;
  for (int k = 0; k < 200000; k++) {
    double x = end * k / 200000, value, rate;
    vd_profile_at(&table, x, x, &value, &rate);
    error = tap_max(error, fabs(vd_curve_at(&curve, x, NULL) - value));
  }
  for (int i = 0; i < VD_CURVE_POINTS; i++)
    error = tap_max(error, fabs(vd_curve_at(&curve, xy[2 * i], NULL) - xy[2 * i + 1]));
  tap_near(error, 0.0, 1e-9, "an uneven curve of 101 points equals the table over time with the same points");

  const double line_xy[] = {-1, 2, 3, 10};
  double slope;
  vd_curve_build(&(vd_points){line_xy, 2}, &curve);
  tap_near(vd_curve_at(&curve, 1.5, &slope), 7.0, 1e-14, "two points make a line");
  tap_near(slope, 2.0, 1e-14, "a curve of two points has the slope of their line");
  tap_ok(isnan(vd_curve_at(&curve, NAN, NULL)) && isnan(vd_curve_integral(&curve, NAN)), "a curve is NaN at NaN");
}

/* ---- a corner ---- */

static const vd_stop bump_stop = {.gap = 0.06, .stiffness = 2e5, .run = 0.02};
static const vd_stop rebound_stop = {.gap = 0.05, .stiffness = 1e5, .run = 0.01};

static vd_suspension make(const vd_suspension_def *def, double stiffness, double load) {
  vd_suspension s;
  vd_suspension_build(def, stiffness, load, &s);
  return s;
}

static double corner_force(const void *context, double travel) {
  return vd_suspension_spring(context, travel);
}

static double corner_energy(const void *context, double travel) {
  return vd_suspension_energy(context, travel);
}

/* Checks dE/dz = F by differences within the pieces that `edge` bounds. */
static void check_energy(const char *what, const vd_suspension *s, const double *edge, size_t edges) {
  double worst = 0.0, integral = 0.0, sum_error = 0.0, start = vd_suspension_energy(s, edge[0]);
  for (size_t i = 0; i + 1 < edges; i++) {
    enum { PARTS = 400 };
    double h = (edge[i + 1] - edge[i]) / PARTS;
    for (int k = 0; k < PARTS; k++) {
      double middle = edge[i] + (k + 0.5) * h, force = vd_suspension_spring(s, middle);
      worst = tap_max(worst, fabs(difference(corner_energy, s, middle, 0.5 * h) - force));
      integral += quadrature(corner_force, s, middle - 0.5 * h, middle + 0.5 * h);
      sum_error = tap_max(sum_error, fabs(vd_suspension_energy(s, middle + 0.5 * h) - start - integral));
    }
  }
  tap_near(worst, 0.0, 1e-6, "%s: force is the slope of the energy, N", what);
  tap_near(sum_error, 0.0, 1e-9, "%s: energy is the quadrature of the force, J", what);
}

static void check_linear(void) {
  const vd_suspension_def def = {
      .damper = {.bump = 2000, .rebound = 3000}, .bump_stop = bump_stop, .rebound_stop = rebound_stop};
  vd_suspension s = make(&def, 25000.0, 3000.0);
  tap_near(s.static_compression, 0.12, 1e-15, "linear: static compression is load over stiffness");
  tap_near(vd_suspension_spring(&s, 0.0), 3000.0, 0.0,
           "linear: the spring carries the static load at the design position");
  tap_near(vd_suspension_spring(&s, 0.03), 3750.0, 1e-9, "linear: 30 mm of bump add k z to the force");
  tap_near(vd_suspension_spring(&s, -0.04), 2000.0, 1e-9, "linear: 40 mm of rebound take k z from the force");
  tap_near(s.stiffness, 25000.0, 0.0, "a linear spring has the given rate");
  tap_near(vd_suspension_damper(&s, 0.5), 1000.0, 1e-12, "linear: the damper has its damping of bump in bump");
  tap_near(vd_suspension_damper(&s, -0.5), -1500.0, 1e-12, "linear: the damper has its damping of rebound in rebound");
  tap_near(vd_suspension_damper(&s, 0.0), 0.0, 0.0, "linear: the damper has no force at rest");
  tap_near(vd_suspension_damping(&s), 2500.0, 0.0, "linear: damping is the mean");
  tap_near(vd_suspension_energy(&s, 0.0), 180.0, 1e-12, "linear: the static energy is F^2/(2 k)");
  const double edge[] = {-0.12, -0.05, 0.0, 0.06, 0.15};
  check_energy("linear with stops", &s, edge, VD_COUNT(edge));
  tap_ok(isnan(vd_suspension_spring(&s, NAN)) && isnan(vd_suspension_damper(&s, NAN)),
         "the force at a travel that is not a number is not a number");

  vd_suspension_def bare = def;
  bare.bump_stop.stiffness = bare.rebound_stop.stiffness = 0.0;
  vd_suspension free = make(&bare, 25000.0, 3000.0);
  tap_near(vd_suspension_energy(&free, -0.12), 0.0, 1e-12, "linear: there is no energy at the free length");
  tap_near(vd_suspension_spring(&free, 1.0), 28000.0, 1e-9, "no stops: the force is linear at any bump travel");
  tap_near(vd_suspension_spring(&free, -1.0), -22000.0, 1e-9, "no stops: the force is linear at any rebound travel");
  double step = 0.0;
  for (int k = -200; k <= 200; k++) {
    double travel = 0.01 * k;
    step = tap_max(step, fabs(vd_suspension_spring(&free, travel) - vd_suspension_spring_any(&free, travel)));
  }
  tap_near(step, 0.0, 0.0, "the short and the full evaluation agree");
}

/* Returns the force of the stops alone. */
static double stop(const vd_suspension *s, double travel) {
  return vd_suspension_spring(s, travel) - (s->static_load + s->stiffness * travel);
}

static void check_stops(void) {
  const vd_suspension_def def = {.bump_stop = bump_stop, .rebound_stop = rebound_stop};
  vd_suspension s = make(&def, 20000.0, 3000.0);
  tap_near(stop(&s, 0.06), 0.0, 0.0, "a bump stop has no force at its gap");
  tap_near(stop(&s, 0.08), 0.5 * 2e5 * 0.02, 1e-9, "a bump stop has half of k d after its run");
  tap_near(stop(&s, 0.10), 2e5 * 0.04 * 0.04 / 0.06, 1e-9, "a bump stop has k d^2/(d + run) beyond its run");
  tap_near(stop(&s, -0.05), 0.0, 0.0, "a rebound stop has no force at its gap");
  tap_near(stop(&s, -0.06), -0.5 * 1e5 * 0.01, 1e-9,
           "a rebound stop reduces the spring force by half of k d after its run");
  for (int k = 3; k <= 6; k++) {
    double d = pow(10.0, -k);
    double up = stop(&s, 0.06 + d) / d, down = -stop(&s, -0.05 - d) / d;
    tap_ok(up >= 0.0 && up <= 2e5 * d / 0.02 + 1e-5 && down >= 0.0 && down <= 1e5 * d / 0.01 + 1e-5,
           "stops: their slopes begin at 0, d = 1e-%d m (%.3g, %.3g N/m)", k, up, down);
  }
  double far = 1000.0;
  tap_near((stop(&s, far + 1.0) - stop(&s, far)) / 2e5, 1.0, 1e-9, "bump stop: the slope ends at its stiffness");
  tap_near((stop(&s, -far - 1.0) - stop(&s, -far)) / -1e5, 1.0, 1e-9, "rebound stop: the slope ends at its stiffness");
  vd_suspension_def hard = def;
  hard.bump_stop.run = hard.rebound_stop.run = 0.0;
  vd_suspension h = make(&hard, 20000.0, 3000.0);
  tap_near(stop(&h, 0.061), 2e5 * 0.001, 1e-9, "a bump stop without run is a line from its gap on");
  tap_near(stop(&h, -0.053), -1e5 * 0.003, 1e-9, "a rebound stop without run is a line from its gap on");
  static const double edge[] = {-0.1, -0.05, 0.06, 0.1};
  check_energy("stops without run", &h, edge, VD_COUNT(edge));
}

static void check_curved(void) {
  const vd_suspension_def def = {
      .spring = {.type = VD_SPRING_CURVE, .curve = {.points = spring_points}},
      .damper = {.type = VD_DAMPER_CURVE, .curve = {.points = damper_points}},
      .bump_stop = bump_stop,
      .rebound_stop = rebound_stop,
  };
  vd_suspension s = make(&def, NAN, 3000.0);
  double slope;
  tap_near(vd_curve_at(&s.spring, s.static_compression, &slope), 3000.0, 1e-9, "a spring's curve carries its load");
  tap_near(vd_suspension_spring(&s, 0.0), 3000.0, 1e-9,
           "curve: the spring carries the static load at the design position");
  tap_near(s.stiffness, slope, 0.0, "the rate of a spring is the slope of its curve at the load");
  tap_near(difference(corner_force, &s, 0.0, 1e-4), s.stiffness, 1e-5,
           "the rate of a spring is the derivative of its force");
  tap_near(vd_suspension_stiffness(&def, 3000.0), slope, 0.0,
           "curve: the definition has the stiffness of the built spring");
  double edge[VD_COUNT(spring_xy) / 2 + 3];
  size_t edges = 0;
  edge[edges++] = -s.static_compression - 0.03;
  for (size_t i = 0; i < spring_points.count; i++) {
    double travel = spring_xy[2 * i] - s.static_compression;
    if (edges > 0 && edge[edges - 1] < -0.05 && travel > -0.05)
      edge[edges++] = -0.05;
    if (edge[edges - 1] < 0.06 && travel > 0.06)
      edge[edges++] = 0.06;
    edge[edges++] = travel;
  }
  check_energy("curve with stops", &s, edge, edges);

  double against = 0.0, same = 0.0;
  for (int k = -300; k <= 300; k++) {
    double rate = 0.01 * k, force = vd_suspension_damper(&s, rate);
    against = tap_max(against, -force * rate);
    same = tap_max(same, fabs(force - vd_curve_at(&s.damper, rate, NULL)));
  }
  tap_ok(against <= 0.0, "a damper with a curve delivers no power");
  tap_near(same, 0.0, 0.0, "a damper's force is that of its curve");
  tap_near(vd_suspension_damper(&s, 0.0), 0.0, 0.0, "a damper's force is zero at rest");
  vd_curve_at(&s.damper, 0.0, &slope);
  tap_near(vd_suspension_damping(&s), slope, 0.0, "a damper's damping is the slope of its curve at rest");
  tap_near(slope, (18000.0 * 0.05 + 6000.0 * 0.1) / 0.15, 1e-9, "a damper's damping at rest is that of the parabola");

  /* points on a line: the linear corner */
  const double line[] = {0, 0, 0.05, 1250, 0.08, 2000, 0.3, 7500}, viscous[] = {-2, -3000, 0, 0, 1, 1500};
  vd_suspension_def straight = def;
  straight.spring.curve.points = (vd_points){line, VD_COUNT(line) / 2};
  straight.damper.curve.points = (vd_points){viscous, VD_COUNT(viscous) / 2};
  const vd_suspension_def linear = {
      .damper = {.bump = 1500, .rebound = 1500}, .bump_stop = bump_stop, .rebound_stop = rebound_stop};
  vd_suspension curved = make(&straight, NAN, 3000.0), plain = make(&linear, 25000.0, 3000.0);
  double force = 0.0, energy = 0.0, damper = 0.0;
  for (int k = -200; k <= 250; k++) {
    double travel = 1e-3 * k;
    force = tap_max(force, fabs(vd_suspension_spring(&curved, travel) - vd_suspension_spring(&plain, travel)));
    energy = tap_max(energy, fabs(vd_suspension_energy(&curved, travel) - vd_suspension_energy(&plain, travel)));
    damper =
        tap_max(damper, fabs(vd_suspension_damper(&curved, 10 * travel) - vd_suspension_damper(&plain, 10 * travel)));
  }
  tap_near(force, 0.0, 1e-9, "points on a line have the force of the linear spring");
  tap_near(energy, 0.0, 1e-9, "points on a line have the energy of the linear spring");
  tap_near(damper, 0.0, 1e-9, "points on a line have the force of the linear damper");
  tap_near(curved.stiffness, 25000.0, 1e-8, "points on a line have the rate of the linear spring");
}

/* ---- files ---- */

static char folder[] = "/tmp/vdsim-suspension-XXXXXX";

typedef struct reading {
  vd_arena *arena;
  vd_diag *d;
  vd_node *root;
  vd_vehicle_def v;
  bool good;
} reading;

enum { SETTINGS = 4 };

/* Reads a vehicle with settings, NULL-terminated; ride: also checks the data that L3 needs. */
static reading read_vehicle(const char *path, const char *const *setting, bool ride) {
  reading r = {.arena = vd_arena_create(), .d = vd_diag_create()};
  vd_setting all[SETTINGS] = {{0}};
  size_t count = 0;
  for (; setting && count < SETTINGS && setting[count]; count++)
    all[count].text = setting[count];
  r.good = vd_schema_read(&vd_vehicle_schema, path, all, count, r.arena, r.d, &r.v, &r.root);
  if (r.good) {
    vd_vehicle_complete(&r.v, r.root, "", r.arena, r.d);
    vd_vehicle_check(&r.v, r.root, "", r.d);
    if (ride && vd_diag_errors(r.d) == 0)
      vd_vehicle_check_ride(&r.v, r.root, "", r.d);
    r.good = vd_diag_errors(r.d) == 0;
  }
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
}

static char *messages(const reading *r) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    abort();
  vd_diag_print(r->d, f, false);
  fclose(f);
  return text;
}

static void expect_good(const reading *r, const char *what) {
  char *text = messages(r);
  if (!tap_ok(r->good, "%s", what))
    tap_diag("%s", text);
  free(text);
}

static void write_csv(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (!f || fputs(text, f) < 0 || fclose(f) != 0)
    abort();
}

static void read_curve(const char *what, const char *format) {
  char setting[256];
  snprintf(setting, sizeof setting, format, folder);
  reading r = read_vehicle("scenarios/vehicles/sedan.yaml",
                           (const char *const[]){"front.spring_stiffness=auto", setting, NULL}, false);
  const vd_curve_def *curve = &r.v.axle[VD_FRONT].suspension.spring.curve;
  static const double expected[] = {0, 0, 0.1, 2500, 0.2, 6000};
  tap_ok(r.good && curve->points.count == 3 && memcmp(curve->points.xy, expected, sizeof expected) == 0 &&
             !*curve->table.file && !vd_column_is_given(&curve->x_column) && !vd_column_is_given(&curve->y_column),
         "CSV: %s", what);
  if (!r.good) {
    char *text = messages(&r);
    tap_diag("%s", text);
    free(text);
  }
  finish(&r);
}

static void check_files(void) {
  if (!mkdtemp(folder))
    abort();
  write_csv("two.csv", "z_m,f_N\n0,0\n0.1,2500\n0.2,6000\n");
  write_csv("swapped.csv", "f_N,z_m\n0,0\n2500,0.1\n6000,0.2\n");
  write_csv("three.csv", "t_s,f_N,z_m\n7,0,0\n8,2500,0.1\n9,6000,0.2\n");
  read_curve("two columns", "front.spring={type: curve, file: %s/two.csv}");
  read_curve("the force is the first column", "front.spring={type: curve, file: %s/swapped.csv, y_column: f_N}");
  read_curve("the compression is the second column", "front.spring={type: curve, file: %s/swapped.csv, x_column: z_m}");
  read_curve("two of three columns", "front.spring={type: curve, file: %s/three.csv, x_column: z_m, y_column: f_N}");
  static const char *const name[] = {"two.csv", "swapped.csv", "three.csv"};
  for (size_t i = 0; i < VD_COUNT(name); i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void check_keys(void) {
  static const char sedan[] = "scenarios/vehicles/sedan.yaml";
  reading r = read_vehicle(sedan,
                           (const char *const[]){"front.damper=1.5 N s/mm", "rear.damper.rebound=4000",
                                                 "front.antiroll_stiffness=24025 N m/rad",
                                                 "rear.antiroll_wheel_rate=10 N/mm", NULL},
                           true);
  const vd_axle_def *front = &r.v.axle[VD_FRONT], *rear = &r.v.axle[VD_REAR];
  expect_good(&r, "keys of dampers and anti-roll bars are read");
  tap_near(front->suspension.damper.bump, 1500.0, 1e-12, "a damper given as a number has this damping in bump");
  tap_near(front->suspension.damper.rebound, 1500.0, 1e-12, "damper: the damping in rebound equals that in bump");
  tap_near(rear->suspension.damper.bump, 3000.0, 0.0, "damper: the damping in bump remains that of the file");
  tap_near(rear->suspension.damper.rebound, 4000.0, 0.0, "a damper has a separate damping in rebound");
  tap_near(front->antiroll_wheel_rate, 20000.0, 1e-9, "bar: the wheel rate is 2 K/T^2");
  tap_near(rear->antiroll_stiffness, 12012.5, 1e-9, "bar: the roll stiffness is k T^2/2");
  tap_near(rear->antiroll_wheel_rate, 10000.0, 0.0, "bar: the wheel rate stays as given");
  finish(&r);

  static const char curved[] = "front.spring={type: curve, points: [[0, 0], [0.1 m, 2500 N], [0.2 m, 6 kN]]}";
  r = read_vehicle(sedan,
                   (const char *const[]){curved, "front.spring_stiffness=auto", "front.antiroll_wheel_rate=7e3",
                                         "rear.damper={type: curve, points: [[-1, -9e2], [0, 0], [2, 1e3]]}", NULL},
                   true);
  expect_good(&r, "curves of springs and dampers are read");
  vd_masses m = masses_of(&r.v);
  vd_suspension s = make(&r.v.axle[VD_FRONT].suspension, NAN, 0.5 * m.sprung_share[VD_FRONT] * m.sprung * VD_GRAVITY);
  tap_near(r.v.axle[VD_FRONT].spring_stiffness, s.stiffness, 0.0,
           "curves: `spring_stiffness: auto` is the slope at the static load");
  vd_buf once = {0}, twice = {0};
  vd_schema_write(&vd_vehicle_schema, &r.v, &once);
  int source = vd_diag_add_source(r.d, "resolved", once.text, once.length);
  vd_vehicle_def again;
  vd_node *root;
  bool good = vd_schema_read_source(&vd_vehicle_schema, source, NULL, 0, r.arena, r.d, &again, &root);
  if (good) {
    vd_vehicle_complete(&again, root, "", r.arena, r.d);
    vd_vehicle_check(&again, root, "", r.d);
    vd_schema_write(&vd_vehicle_schema, &again, &twice);
  }
  tap_ok(good && vd_diag_errors(r.d) == 0 && twice.text && strcmp(once.text, twice.text) == 0,
         "curves: the resolved vehicle reads back to itself");
  vd_buf_finish(&once);
  vd_buf_finish(&twice);
  finish(&r);

  r = read_vehicle(sedan, (const char *const[]){"front.tyre.vertical_damping=50", NULL}, false);
  tap_near(r.v.axle[VD_FRONT].tyre.common.vertical_damping, 50.0, 0.0, "tyre: the vertical damping is as given");
  tap_near(r.v.axle[VD_REAR].tyre.common.vertical_damping, 0.0, 0.0, "a tyre without vertical damping has damping 0");
  finish(&r);
  r = read_vehicle(sedan,
                   (const char *const[]){"front.tyre={model: mf, file: validation/data/tyre/pac2002_sample.tir}",
                                         "rear.tyre={model: mf, file: validation/data/tyre/pac2002_sample.tir}",
                                         "rear.tyre.vertical_damping=70", NULL},
                   false);
  const vd_tyre_def *tyre = &r.v.axle[VD_FRONT].tyre;
  expect_good(&r, "tyre: a property file with vertical damping is read");
  tap_near(tyre->common.vertical_damping, 8000.0, 0.0, "tyre: the vertical damping of the property file is used");
  tap_near(r.v.axle[VD_REAR].tyre.common.vertical_damping, 70.0, 0.0,
           "tyre: a given vertical damping replaces that of the property file");
  finish(&r);
}

/* ---- data that L3 needs ---- */

static void refuses(const char *const *setting, const char *message) {
  reading r = read_vehicle("scenarios/vehicles/sedan.yaml", setting, true);
  char *text = messages(&r);
  bool found = !r.good && strstr(text, message);
  tap_ok(found && vd_diag_errors(r.d) == 1, "ride: %s", message);
  if (!found)
    tap_diag("%s", text);
  free(text);
  finish(&r);
}

static void check_ride(void) {
  static const char *const shipped[] = {"sedan",    "sedan_seed",  "sedan_automatic", "sports",
                                        "race_car", "fsk_formula", "textbook_linear"};
  for (size_t i = 0; i < VD_COUNT(shipped); i++) {
    char path[96];
    snprintf(path, sizeof path, "scenarios/vehicles/%s.yaml", shipped[i]);
    reading r = read_vehicle(path, NULL, true);
    tap_ok(r.good, "ride: %s has the data that L3 needs", shipped[i]);
    /* Iz less the wheels' m (x^2 + y^2) and the offset of the sprung mass, (24 kg m)^2/1340 kg: 2500 - 80 (1.2^2 +
     * 0.775^2) - 80 (1.5^2 + 0.775^2) - 24^2/1340 */
    if (i == 0)
      tap_near(sprung_yaw_inertia_of(&r.v), 2108.270149253731, 1e-9,
               "ride: the sprung mass has the yaw inertia that the wheels leave");
    finish(&r);
  }
  refuses((const char *const[]){"front.damper=auto", NULL},
          "error: levels from L3 on need the damper of the front axle");
  refuses((const char *const[]){"rear.damper={}", NULL}, "error: levels from L3 on need the damper of the rear axle");
  refuses((const char *const[]){"roll_inertia=auto", NULL}, "error: levels from L3 on need the vehicle's roll_inertia");
  refuses((const char *const[]){"pitch_inertia=auto", NULL},
          "error: levels from L3 on need the vehicle's pitch_inertia");
  refuses((const char *const[]){"yaw_inertia=390", NULL},
          "error: yaw_inertia (390 kg m2) leaves nothing to the sprung mass: the wheels alone have 391.73 kg m2");
  refuses(
      (const char *const[]){"roll_inertia=100", NULL},
      "error: no body has these moments of inertia: roll 100, pitch 2000, yaw 2108.27 kg m2 of the sprung mass alone; "
      "yaw_inertia exceeds the sum of the others");
  refuses((const char *const[]){"pitch_inertia=2700", NULL}, "pitch_inertia exceeds the sum of the others");
  refuses((const char *const[]){"roll_inertia=4200", NULL}, "roll_inertia exceeds the sum of the others");
}

int main(void) {
  tap_plan(110);
  check_curve("spring", &spring_points);
  check_curve("damper", &damper_points);
  check_bins();
  check_linear();
  check_stops();
  check_curved();
  check_files();
  check_keys();
  check_ride();
  return tap_done();
}
