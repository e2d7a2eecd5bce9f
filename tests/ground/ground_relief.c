/* Grounds with heights: exact gradients compared with differences, values by hand, continuity at the ends, refusals. */
#include "base/base.h"
#include "ground/ground_def.h"
#include "input/schema.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a uniform number in from..to by xorshift64*. */
static double between(uint64_t *state, double from, double to) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return from + (to - from) * ((double)((*state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0);
}

/* --- definitions from text --- */

typedef struct world {
  vd_arena *arena;
  vd_diag *diag;
  vd_ground_def def;
  vd_ground ground;
  vd_node *root;
} world;

static void prepare(world *w, bool read) {
  if (read) {
    vd_ground_complete(&w->def, w->root, "", w->arena, w->diag);
    vd_ground_check(&w->def, w->root, "", w->diag);
  }
  if (vd_diag_errors(w->diag) == 0)
    vd_ground_build(&w->def, &w->ground);
}

/* Makes a ground from YAML, completed and checked; errors stay in the diag. */
static void make(world *w, const char *yaml) {
  *w = (world){.arena = vd_arena_create(), .diag = vd_diag_create()};
  int source = vd_diag_add_source(w->diag, "ground.yaml", yaml, strlen(yaml));
  prepare(w, vd_schema_read_source(&vd_ground_schema, source, NULL, 0, w->arena, w->diag, &w->def, &w->root));
}

/* Makes the ground from a file. */
static void make_file(world *w, const char *path) {
  *w = (world){.arena = vd_arena_create(), .diag = vd_diag_create()};
  prepare(w, vd_schema_read(&vd_ground_schema, path, NULL, 0, w->arena, w->diag, &w->def, &w->root));
}

static void finish(world *w) {
  vd_diag_destroy(w->diag);
  vd_arena_destroy(w->arena);
}

static vd_road at(const world *w, double x, double y) {
  vd_road road;
  vd_ground_road(&w->ground, x, y, &road);
  return road;
}

/* --- gradients --- */

static const double step = 1e-5; /* m */

/* Returns the central difference over the step that remains after rounding. */
static double difference(const world *w, double x, double y, double hx, double hy) {
  double ax = x + hx, ay = y + hy, bx = x - hx, by = y - hy;
  return (at(w, ax, ay).z - at(w, bx, by).z) / (hx != 0.0 ? ax - bx : ay - by);
}

static double richardson(const world *w, double x, double y, double hx, double hy) {
  return (4.0 * difference(w, x, y, 0.5 * hx, 0.5 * hy) - difference(w, x, y, hx, hy)) / 3.0;
}

/* Compares gradients with differences in a box, relative to the root mean square of the slopes. The box must not
 * contain a jump of the curvature: there the error of a difference is the jump times the step. */
static void check_gradient(const char *yaml, double x_from, double x_to, double y_from, double y_to) {
  enum { POINTS = 20000 };
  world w;
  uint64_t state = 5;
  double worst = 0.0, square = 0.0;
  make(&w, yaml);
  if (vd_diag_errors(w.diag) > 0) {
    vd_diag_print(w.diag, stderr, false);
    tap_ok(false, "%s: the ground is refused", yaml);
    finish(&w);
    return;
  }
  for (int i = 0; i < POINTS; i++) {
    double x = between(&state, x_from, x_to), y = between(&state, y_from, y_to);
    vd_road road = at(&w, x, y);
    double off = fmax(fabs(road.slope_x - richardson(&w, x, y, step, 0.0)),
                      fabs(road.slope_y - richardson(&w, x, y, 0.0, step)));
    worst = tap_max(worst, off);
    square += road.slope_x * road.slope_x + road.slope_y * road.slope_y;
  }
  tap_near(worst / sqrt(square / POINTS), 0.0, 1e-7, "%s: the gradient is that of Richardson's differences", yaml);
  finish(&w);
}

static void check_gradients(void) {
  check_gradient("{type: inclined, grade: 0.1, bank: -0.2}", -50.0, 50.0, -50.0, 50.0);
  check_gradient("{type: rough, amplitude: 0.02, wavelength: 2, grade: 0.05}", -50.0, 50.0, -5.0, 5.0);
  check_gradient("{type: bump, at: 3, length: 0.5, height: 0.08, y_from: -1, y_to: 1, bank: 0.1}", 3.001, 3.499, -1.3,
                 1.3);
  check_gradient("{type: step, at: 3, height: 0.1, y_to: 0.5}", 2.9, 3.3, 0.2, 0.8);
  check_gradient("{type: step, at: 3, height: -0.1, edge: 0.3, y_from: 0, side_edge: 0.4}", 2.9, 3.5, -0.4, 0.4);
  check_gradient("{type: sweep, at: 1, length: 60, amplitude: 0.02, n_from: 0.05, n_to: 2}", 0.0, 62.0, -1.0, 1.0);
  check_gradient("{type: sweep, at: 1, length: 60, amplitude: 0.2, n_from: 0.05, n_to: 2, logarithmic: true, "
                 "constant_slope: true, "
                 "y_from: -0.2, y_to: 0.2, side_edge: 0.3}",
                 0.0, 62.0, -0.5, 0.5);
  check_gradient("{type: sweep, at: 1, length: 60, amplitude: 0.02, n_from: 0.05, n_to: 2, logarithmic: true}", 0.0,
                 62.0, -1.0, 1.0);
  check_gradient("{type: sweep, at: 1, length: 60, amplitude: 0.2, n_from: 0.05, n_to: 2, constant_slope: true}", 0.0,
                 62.0, -1.0, 1.0);
  check_gradient("{type: washboard, x_from: 2, x_to: 12, amplitude: 0.02, wavelength: 0.8, y_from: 0, grade: -0.03}",
                 1.0, 13.0, -0.3, 0.3);
  check_gradient("{type: potholes, places: [[1, 0], [2.5, 0.5]], length: 0.8, width: 0.6, depth: 0.05}", 0.5, 3.0, -0.4,
                 0.9);
  check_gradient("{type: iso8608, class: D, seed: 7, grade: 0.02, bank: 0.01}", -300.0, 300.0, -1.5, 1.5);
  check_gradient("{type: iso8608, class: B, length: 200, waviness: 2.3, coherence: none}", -300.0, 300.0, -1.5, 1.5);
  check_gradient(
      "{type: heightmap, x_values: [0, 1, 2, 3], y_values: [-1, 1, 3], heights: [0, 0.1, 0.3, 0.2, 0.4, 0.1, -0.2, "
      "0, 0.3, 0.2, 0.5, 0.1], grade: 0.1}",
      0.001, 0.999, -0.999, 0.999);
  check_gradient(
      "{type: heightmap, x_values: [0, 1, 2, 3], y_values: [-1, 1, 3], heights: [0, 0.1, 0.3, 0.2, 0.4, 0.1, -0.2, "
      "0, 0.3, 0.2, 0.5, 0.1], interpolation: bilinear}",
      2.001, 2.999, 1.001, 2.999);
  check_gradient("{type: banked, x: 3, y: 40, radius: 40, bank: 0.5}", -30.0, 30.0, -20.0, 35.0);
  check_gradient("{type: banked, x: 0, y: 0, radius: 12, bank: -0.4, inner: 9, outer: 13, side_edge: 4}", 1.0, 18.0,
                 -9.0, 9.0);
  check_gradient(
      "{type: oval, at: 5, y: -1, length: 40, radius: 15, width: 9, bank: 0.3, transition: 18, side_edge: 3}", 5.001,
      44.999, -12.0, 36.0);
  check_gradient(
      "{type: oval, at: 5, y: -1, length: 40, radius: 15, width: 9, bank: 0.3, transition: 18, side_edge: 3}", -20.0,
      4.999, -12.0, 40.0);
  check_gradient(
      "{type: oval, at: 5, y: -1, length: 40, radius: 15, width: 9, bank: 0.3, transition: 18, side_edge: 3}", 45.001,
      70.0, -12.0, 40.0);
}

/* --- values by hand --- */

/* The smooth step at u = 1/4: 10/64 - 15/256 + 6/1024 = 106/1024; at 3/4 one minus that. */
static const double quarter = 106.0 / 1024.0;

static void check_values(void) {
  world w;
  make(&w, "{type: rough, amplitude: 0.03, wavelength: 4}");
  tap_near(at(&w, 0.0, 9.0).z, 0.015 * sin(1.3), 1e-17, "rough: the height at x = 0 is A/2 sin 1.3");
  tap_near(at(&w, 1.0, 0.0).z, 0.03 * (1.0 + 0.5 * sin(VD_PI / 0.74 + 1.3)), 1e-16,
           "rough: the height is that of both waves a quarter of a wave later");
  finish(&w);

  make(&w, "{type: bump, at: 10, length: 0.4, height: 0.1}");
  tap_near(at(&w, 10.2, -50.0).z, 0.1, 1e-15, "bump: the middle has the full height over the whole width");
  tap_near(at(&w, 10.1, 0.0).z, 0.05, 1e-14, "bump: half of the height at a quarter of the length");
  tap_near(at(&w, 10.1, 0.0).slope_x, VD_PI * 0.1 / 0.4, 1e-14,
           "bump: the slope is greatest at a quarter of the length, pi h/L");
  tap_ok(at(&w, 9.99, 0.0).z == 0.0 && at(&w, 10.41, 0.0).z == 0.0 && at(&w, 10.0, 0.0).slope_x == 0.0,
         "bump: the road is level at both ends");
  finish(&w);

  make(&w, "{type: step, at: 5, height: 0.12, y_to: 1, side_edge: 0.4}");
  tap_near(w.def.as.step.edge, 0.2, 0.0, "step: rises over 0.2 m by default");
  tap_near(at(&w, 5.05, 0.0).z, 0.12 * quarter, 1e-15,
           "step: the height at a quarter of the edge is that of the smooth step");
  tap_near(at(&w, 5.1, 0.0).slope_x, 0.12 * 1.875 / 0.2, 1e-14, "step: steepest in the middle, 1.875 h/edge");
  tap_near(at(&w, 1e5, -1e5).z, 0.12, 0.0, "step: stays up, unbounded to the right");
  tap_near(at(&w, 7.0, 1.1).z, 0.12 * quarter, 1e-15,
           "step: the height at a quarter of the side's edge is that of the smooth step");
  tap_near(at(&w, 7.0, 1.0).slope_y, -0.12 * 1.875 / 0.4, 1e-14,
           "step: the road falls off to the left at the middle of the side's edge");
  tap_ok(at(&w, 7.0, 1.21).z == 0.0, "step: the road is level beyond the side");
  finish(&w);

  /* the phase is a s + (b - a) s^2/(2 L): at s = 10, 0.1 x 10 + 0.4 x 100/40 = 2 cycles */
  make(&w, "{type: sweep, at: 2, length: 20, amplitude: 0.05, n_from: 0.1, n_to: 0.5, edge: 4}");
  tap_near(at(&w, 12.0, 3.0).z, 0.0, 1e-15, "sweep: half way two whole waves have passed");
  tap_near(at(&w, 12.0, 3.0).slope_x, 2.0 * VD_PI * 0.3 * 0.05, 1e-14, "sweep: the wave number half way is 0.3");
  tap_ok(at(&w, 2.0, 0.0).z == 0.0 && at(&w, 22.0, 0.0).slope_x == 0.0 && at(&w, 30.0, 0.0).z == 0.0,
         "sweep: the road is level at both ends");
  finish(&w);
  /* logarithmic over one octave the phase is (n - a) L/ln 2; half way n = a sqrt 2 */
  make(&w, "{type: sweep, at: 0, length: 40, amplitude: 0.05, n_from: 0.2, n_to: 0.4, logarithmic: true, "
           "constant_slope: true}");
  double n = 0.2 * sqrt(2.0), phase = 2.0 * VD_PI * (n - 0.2) * 40.0 / log(2.0);
  tap_near(at(&w, 20.0, 0.0).z, 0.05 * 0.2 / n * sin(phase), 1e-15,
           "sweep: a logarithmic one of constant slope has its phase and amplitude half way");
  tap_near(w.def.as.sweep.edge, 5.0, 0.0, "sweep: the amplitude grows over the first wave");
  finish(&w);

  make(&w, "{type: washboard, x_from: 10, x_to: 20, amplitude: 0.02, wavelength: 0.8}");
  tap_near(at(&w, 15.0, 0.0).z, 0.02 * sin(2.0 * VD_PI * 5.0 / 0.8), 1e-15, "washboard: the height within is a sine");
  tap_near(at(&w, 10.2, 0.0).z, 0.02 * quarter, 1e-15,
           "washboard: the first crest has the height of the window's quarter");
  tap_ok(at(&w, 10.0, 0.0).z == 0.0 && at(&w, 20.0, 0.0).z == 0.0, "washboard: the road is level at both ends");
  finish(&w);

  make(&w,
       "{type: potholes, places: [[9, 1], [5, -0.7]], length: 0.6, width: 0.5, depth: 0.04, edge: 0.2, grade: 0.1}");
  const double up = tan(0.1);
  tap_near(at(&w, 5.0, -0.7).z, 5.0 * up - 0.04, 1e-15, "pothole: its depth is below the slope");
  tap_near(at(&w, 8.75, 1.0).z, 8.75 * up - 0.04 * quarter, 1e-15,
           "pothole: a quarter of the edge inside the end the depth is that of the smooth step");
  tap_near(at(&w, 9.0, 0.8).z, 9.0 * up - 0.04 * quarter, 1e-15,
           "pothole: a quarter of the edge inside the side the depth is that of the smooth step");
  tap_near(at(&w, 7.0, 0.0).z, 7.0 * up, 1e-15, "pothole: between potholes the road is the slope");
  finish(&w);
}

static void check_map(void) {
  world w;
  /* in the cell x 1..2, y 2..4 the corners are 0.1, 0.3 m and 0.2, 0.8 m high */
  make(&w, "{type: heightmap, x_values: [0, 1, 2], y_values: [0, 2, 4], heights: [0, 0, 0, 0, 0.1, 0.3, 0, 0.2, 0.8], "
           "interpolation: bilinear}");
  tap_near(at(&w, 1.5, 3.0).z, 0.35, 1e-15, "bilinear: the height in the middle of a cell is the mean");
  tap_near(at(&w, 1.25, 2.0).z, 0.15, 1e-15, "bilinear: the height is straight along a side");
  tap_near(at(&w, 1.5, 3.0).slope_y, 0.15, 1e-15,
           "bilinear: the slope in the middle of a cell is the mean of its sides");
  tap_ok(at(&w, 9.0, 9.0).z == at(&w, 2.0, 4.0).z && at(&w, 9.0, 9.0).slope_x == 0.0,
         "the height outside is that of the border");
  finish(&w);

  make(&w,
       "{type: heightmap, x_values: [0, 1, 2, 3, 4], y_values: [0, 1], heights: [0, 0.1, 0.4, 0.9, 1.6, 0, 0.1, 0.4, "
       "0.9, 1.6]}");
  bool through = true;
  for (int i = 0; i < 5; i++)
    through &= fabs(at(&w, i, 0.0).z - 0.1 * i * i) < 1e-15;
  tap_ok(through, "bicubic: the surface goes through the heights");
  /* Keys' kernel is exact for a parabola if all four heights exist */
  tap_near(at(&w, 1.3, 0.5).z, 0.1 * 1.3 * 1.3, 1e-15, "bicubic: a parabola is reproduced");
  tap_near(at(&w, 2.6, 0.5).slope_x, 0.2 * 2.6, 1e-14, "bicubic: the slope of a parabola is reproduced");
  double jump = 0.0;
  for (int i = 0; i <= 4; i++)
    jump = tap_max(jump, fabs(at(&w, i + 1e-9, 0.3).slope_x - at(&w, i - 1e-9, 0.3).slope_x));
  tap_near(jump, 0.0, 1e-8, "bicubic: the surface has no kink at a grid point or at the border");
  finish(&w);
}

/* --- the plane below --- */

static void check_plane(void) {
  world flat, slope, bumpy;
  make(&flat, "{}");
  make(&slope, "{type: inclined, grade: 0.1, bank: -0.05}");
  make(&bumpy, "{type: rough, amplitude: 0.01, wavelength: 3, grade: 0.1, bank: -0.05}");
  vd_road road = at(&flat, -3.0, 5.0);
  tap_ok(road.z == 0.0 && !signbit(road.z) && road.slope_x == 0.0 && road.slope_y == 0.0,
         "a flat ground is exactly level");
  tap_near(at(&slope, 3.0, 4.0).z, 3.0 * tan(0.1) - 4.0 * tan(0.05), 1e-15, "inclined: z = tan(grade) x + tan(bank) y");
  tap_ok(memcmp(slope.ground.along, bumpy.ground.along, 9 * sizeof(double)) == 0 &&
             slope.ground.pull_along == bumpy.ground.pull_along && slope.ground.weight == bumpy.ground.weight,
         "the axes of a ground with heights are those of its plane");
  tap_ok(vd_ground_plane(&flat.ground) && vd_ground_plane(&slope.ground) && !vd_ground_plane(&bumpy.ground),
         "flat and inclined grounds are planes, a rough ground is not");
  finish(&bumpy);
  make(&bumpy, "{type: bump, at: 0, length: 1, height: 0.1, patches: [{friction: 0.3, y_to: 0, edge: 0}]}");
  tap_ok(vd_ground_friction(&bumpy.ground, 0.5, -1.0) == 0.3 && vd_ground_friction(&bumpy.ground, 0.5, 1.0) == 1.0,
         "patches lie on a ground with heights");
  finish(&flat);
  finish(&slope);
  finish(&bumpy);
}

/* --- refusals --- */

static void check_refused(const char *yaml, const char *expected) {
  world w;
  char *messages;
  size_t length;
  make(&w, yaml);
  FILE *out = open_memstream(&messages, &length);
  size_t errors = vd_diag_errors(w.diag);
  vd_diag_print(w.diag, out, false);
  fclose(out);
  if (!tap_ok(errors == 1 && strstr(messages, expected), "refused: %s", expected))
    tap_diag("%zu errors: %s", errors, messages);
  free(messages);
  finish(&w);
}

static void check_checks(void) {
  /* the limit of slopes is tan 60 deg = 1.7320508; the slope of a bump is pi h/L, of a step 1.875 h/edge */
  world w;
  make(&w, "{type: bump, at: 0, length: 1, height: 0.5513}");
  tap_ok(vd_diag_errors(w.diag) == 0, "a bump of 59.999 deg passes");
  finish(&w);
  check_refused("{type: bump, at: 0, length: 1, height: 0.5514}", "height makes a slope of 60.0 deg; at most 60 deg");
  check_refused("{type: bump, at: 0, height: 0.1}", "missing key 'length' in ground");
  check_refused("{type: sweep, at: 0, length: 9, amplitude: 0.01, n_from: 1}", "missing key 'n_to' in ground");
  check_refused("{type: step, at: 0, height: -0.2}", "height makes a slope of 61.9 deg; at most 60 deg");
  check_refused("{type: rough, amplitude: 1, wavelength: 5}", "amplitude makes a slope of 71.3 deg; at most 60 deg");
  check_refused("{type: step, at: 0, height: 0.1, y_from: 1, y_to: 0}", "y_to (0 m) must lie above y_from (1 m)");
  check_refused("{type: step, at: 0, height: 0.1, y_from: 0, y_to: 0.1}",
                "side_edge (0.2 m) must be at most y_to - y_from (0.1 m)");
  check_refused("{type: step, at: 0, height: 0.1, y_from: 0, side_edge: 0.1}",
                "side_edge makes a slope of 61.9 deg; at most 60 deg");
  check_refused("{type: sweep, at: 0, length: 10, amplitude: 0.01, n_from: 1, n_to: 1}",
                "n_to (1 1/m) must lie above n_from (1 1/m)");
  check_refused("{type: sweep, at: 0, length: 10, amplitude: 0.01, n_from: 1, n_to: 2, edge: 6}",
                "edge (6 m) must be at most half the length (10 m)");
  check_refused("{type: washboard, x_from: 3, x_to: 2, amplitude: 0.01, wavelength: 1}",
                "x_to (2 m) must lie above x_from (3 m)");
  check_refused("{type: potholes, places: [[0, 0], [0.4, 0.4]], length: 0.5, width: 0.5, depth: 0.02}",
                "the potholes at (0, 0) m and (0.4, 0.4) m overlap");
  check_refused("{type: iso8608, n_from: 0.0101, n_to: 0.0109}",
                "no wave that fits the length (1000 m) a whole number of times lies between n_from and n_to");
  check_refused("{type: iso8608, length: 30000}", "n_to makes 120000 waves in the length (30000 m); at most 50000");
  check_refused("{type: heightmap, x_values: [0, 1, 2.1], y_values: [0, 1], heights: [0, 0, 0, 0, 0, 0]}",
                "x_values must rise evenly; after 1 m comes 2.1 m, not 2 m");
  check_refused("{type: heightmap, x_values: [0, 1], y_values: [1, 0], heights: [0, 0, 0, 0]}",
                "y_values must rise; after 1 m comes 0 m");
  check_refused("{type: heightmap, x_values: [0, 1], y_values: [0, 1], heights: [0, 0, 0, 2]}",
                "the heights make a slope of 63.4 deg before x 1 m, y 1 m; at most 60 deg");
}

/* --- turns --- */

/* Checks turns. At a side the height is lower than the bank's by edge x S(1/2), with S the integral of the smooth step,
 * S(1/2) = 1/16 (5/2 - 3/2 + 1/4) = 5/64; beyond the edge it is constant, that of the bank at the side. */
static void check_turns(void) {
  const double rise = tan(0.3);
  world w;
  make(&w, "{type: banked, x: 2, y: 40, radius: 40, bank: 0.3, inner: 36, outer: 43, side_edge: 1}");
  tap_near(at(&w, 2.0, 0.0).z, 0.0, 1e-14, "turn: the height along the middle line is 0");
  tap_near(at(&w, 42.5, 40.0).z, 0.5 * rise, 1e-14, "turn: the outside is higher");
  tap_near(at(&w, 2.0, -2.0).slope_y, -rise, 1e-15, "turn: the slope is the bank's, outwards");
  tap_near(at(&w, 2.0, 83.0).z, (3.0 - 5.0 / 64.0) * rise, 1e-13,
           "turn: at the outer side the height is lower by 5/64 of the edge");
  tap_near(at(&w, 2.0, 83.0).slope_y, 0.5 * rise, 1e-14, "turn: the slope at the outer side is half of the bank's");
  tap_near(at(&w, 90.0, 40.0).z, 3.0 * rise, 1e-14, "turn: the height outside is that of the outer side");
  tap_near(at(&w, 2.0, 40.0).z, -4.0 * rise, 1e-14, "turn: the height is constant inside, also at the middle");
  tap_ok(at(&w, 2.0, 40.0).slope_x == 0.0 && at(&w, 2.0, 40.0).slope_y == 0.0, "turn: the road is level at the middle");
  finish(&w);
  make(&w, "{type: banked, x: 0, y: 0, radius: 40, bank: 0.3}");
  tap_near(at(&w, 0.0, 0.0).z, -40.0 * rise, 1e-13, "turn: without an inner side it is a cone");
  finish(&w);

  make(&w, "{type: oval, at: 10, y: 2, length: 100, radius: 30, width: 8, bank: 0.3, transition: 40, side_edge: 1}");
  const struct {
    const char *place;
    double x, y, z;
  } spot[] = {
      {"in the middle of a straight", 60.0, -1.0, 0.0},
      {"where the first straight begins", 10.0, -1.0, 3.0 * rise},
      {"half way through a transition", 30.0, 0.0, rise},
      {"a quarter into a transition from the turn", 20.0, 0.0, 2.0 * (1.0 - quarter) * rise},
      {"inside of a turn", 112.0 + 26.0, 32.0, -2.0 * rise},
      {"along the middle", 10.0 - 30.0 * sin(1.0), 32.0 + 30.0 * cos(1.0), 0.0},
      {"outside of everything", -40.0, 32.0, 4.0 * rise},
      {"in the infield of a turn", 111.0, 30.0, -4.0 * rise},
      {"on the other straight", 100.0, 64.0, 2.0 * (1.0 - quarter) * rise},
  };
  for (size_t i = 0; i < VD_COUNT(spot); i++)
    tap_near(at(&w, spot[i].x, spot[i].y).z, spot[i].z, 1e-13, "oval: the height %s is that by hand", spot[i].place);
  double worst = 0.0;
  uint64_t state = 9;
  for (int i = 0; i < 2000; i++) {
    double x = between(&state, -30.0, 150.0), y = between(&state, -10.0, 70.0);
    vd_road a = at(&w, x, y), b = at(&w, 120.0 - x, 64.0 - y);
    worst = tap_max(worst, tap_max(fabs(a.z - b.z), tap_max(fabs(a.slope_x + b.slope_x), fabs(a.slope_y + b.slope_y))));
  }
  tap_near(worst, 0.0, 1e-13, "oval: half a turn about its middle changes nothing");
  worst = 0.0;
  for (int i = 0; i < 2000; i++) {
    double y = between(&state, -10.0, 70.0), h = 1e-9;
    vd_road a = at(&w, 10.0 - h, y), b = at(&w, 10.0 + h, y);
    worst = tap_max(worst, tap_max(fabs(a.z - b.z), tap_max(fabs(a.slope_x - b.slope_x), fabs(a.slope_y - b.slope_y))));
  }
  /* slopes change over 2e-9 m by the second derivatives, rise/R and, at the edges of the sides, up to 1.875
   * rise/edge */
  tap_near(worst, 0.0, 2e-9 * 2.0 * rise, "oval: heights and slopes are continuous from straight to turn");
  finish(&w);
}

/* --- files --- */

/* Checks that a shipped ground is valid and has the same surface after it is written and read again. */
static void check_shipped(const char *name) {
  char path[64];
  world w, again;
  vd_buf text = {0};
  uint64_t state = 3;
  snprintf(path, sizeof path, "scenarios/grounds/%s.yaml", name);
  make_file(&w, path);
  vd_schema_write(&vd_ground_schema, &w.def, &text);
  make(&again, text.text);
  bool sound = vd_diag_errors(w.diag) == 0 && vd_diag_errors(again.diag) == 0, same = sound;
  double highest = 0.0;
  for (int i = 0; sound && i < 2000; i++) {
    double x = between(&state, 0.0, 100.0), y = between(&state, -2.0, 2.0);
    vd_road a = at(&w, x, y), b = at(&again, x, y);
    same &= a.z == b.z && a.slope_x == b.slope_x && a.slope_y == b.slope_y;
    highest = tap_max(highest, fabs(a.z));
  }
  tap_ok(same && highest > 1e-3, "%s: the ground is valid, and unchanged when written and read again", path);
  if (!sound)
    vd_diag_print(w.diag, stderr, false);
  vd_buf_finish(&text);
  finish(&w);
  finish(&again);
}

static void check_files(void) {
  static const char *const names[] = {"bump",      "hill",      "iso8608_a", "iso8608_b", "iso8608_c",
                                      "iso8608_d", "iso8608_e", "kerb",      "kerb_left", "potholes",
                                      "rough",     "sweep",     "washboard", "oval",      "banked_turn"};
  for (size_t i = 0; i < VD_COUNT(names); i++)
    check_shipped(names[i]);
  world w;
  make_file(&w, "scenarios/grounds/hill.yaml");
  tap_ok(isnan(at(&w, NAN, 0.0).z) && isnan(at(&w, 0.0, NAN).z), "a place that is not a number has no height");
  tap_near(at(&w, 50.0, 0.0).z, 2.0, 1e-15, "the hill is 2 m high");
  finish(&w);
}

int main(void) {
  tap_plan(20 + 25 + 8 + 5 + 18 + 20 + 17);
  check_gradients();
  check_values();
  check_map();
  check_plane();
  check_checks();
  check_turns();
  check_files();
  return tap_done();
}
