/* Grounds: axes of a slope, and the friction of patches compared with values by hand and an independent geometry.
 *
 * The reference decides inside and outside by the winding number, a sum of angles, and finds distances by a search
 * along each segment, so it shares neither formula nor special case with the code under test. */
#include "base/base.h"
#include "ground/ground_def.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a uniform number in 0..1 by xorshift64*. */
static double uniform(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0;
}

static double between(uint64_t *state, double from, double to) {
  return from + (to - from) * uniform(state);
}

static vd_ground_def with(vd_patch_def *patch, size_t count) {
  return (vd_ground_def){.friction = 1.0, .patches = {patch, count}};
}

static double friction_at(const vd_ground_def *def, double x, double y) {
  vd_ground ground;
  vd_ground_build(def, &ground);
  return vd_ground_friction(&ground, x, y);
}

static vd_patch_def rectangle(double friction, double edge, double x_from, double x_to, double y_from, double y_to) {
  return (vd_patch_def){.shape = VD_PATCH_RECTANGLE,
                        .friction = friction,
                        .edge = edge,
                        .x_from = x_from,
                        .x_to = x_to,
                        .y_from = y_from,
                        .y_to = y_to};
}

static vd_patch_def polygon(double friction, double edge, const double *xy, size_t count) {
  return (vd_patch_def){.shape = VD_PATCH_POLYGON, .friction = friction, .edge = edge, .corners = {xy, count}};
}

static double smooth_step(double u) {
  u = fmin(fmax(u, 0.0), 1.0);
  return 3.0 * u * u - 2.0 * u * u * u;
}

/* --- the plane --- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Checks that the axes have unit length, are at right angles and right-handed, and that gravity has the components of
 * (0, 0, -g) along them. */
static void check_axes(const char *name, const vd_ground_def *def) {
  vd_ground g;
  vd_ground_build(def, &g);
  double off = fabs(dot(g.along, g.along) - 1.0) + fabs(dot(g.across, g.across) - 1.0) +
               fabs(dot(g.normal, g.normal) - 1.0) + fabs(dot(g.along, g.across)) + fabs(dot(g.along, g.normal)) +
               fabs(dot(g.across, g.normal));
  tap_near(off, 0.0, 1e-14, "%s: the axes are unit vectors at right angles", name);
  off = 0.0;
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    off += fabs(g.along[i] * g.across[j] - g.along[j] * g.across[i] - g.normal[k]);
  }
  tap_near(off, 0.0, 1e-14, "%s: along x across is the normal", name);
  tap_ok(g.along[1] == 0.0 && g.normal[2] > 0.0, "%s: the axis along is above the world's x axis, the normal points up",
         name);
  /* the normal of z = p x + q y is (-p, -q, 1) */
  double p = tan(def->grade), q = tan(def->bank);
  tap_near(fabs(g.normal[0] / g.normal[2] + p) + fabs(g.normal[1] / g.normal[2] + q), 0.0, 1e-14,
           "%s: the normal is that of the slopes", name);
  const double gravity[] = {0.0, 0.0, -VD_GRAVITY};
  off = fabs(g.pull_along - dot(gravity, g.along)) + fabs(g.pull_across - dot(gravity, g.across)) +
        fabs(g.weight + dot(gravity, g.normal));
  tap_near(off, 0.0, 1e-14, "%s: gravity has its components in the plane's axes", name);
}

static void check_plane(void) {
  const vd_ground_def flat = {.type = VD_GROUND_FLAT, .friction = 0.8};
  const vd_ground_def grade = {.type = VD_GROUND_INCLINED, .friction = 1.0, .grade = 0.1};
  const vd_ground_def bank = {.type = VD_GROUND_INCLINED, .friction = 1.0, .bank = -0.3};
  const vd_ground_def both = {.type = VD_GROUND_INCLINED, .friction = 1.0, .grade = 0.2, .bank = 0.35};
  vd_ground g;
  check_axes("flat", &flat);
  check_axes("grade", &grade);
  check_axes("bank", &bank);
  check_axes("grade and bank", &both);
  vd_ground_build(&flat, &g);
  tap_ok(g.along[0] == 1.0 && g.across[1] == 1.0 && g.pull_along == 0.0 && g.pull_across == 0.0 &&
             g.weight == VD_GRAVITY,
         "flat: axes and weight are exact");
  vd_ground_build(&grade, &g);
  tap_near(g.pull_along, -VD_GRAVITY * sin(0.1), 1e-15, "uphill gravity pulls back by g sin(grade)");
  vd_ground_build(&bank, &g);
  /* the right side is higher: gravity pulls to the left */
  tap_near(g.pull_across, VD_GRAVITY * sin(0.3), 1e-15, "on a bank gravity pulls down by g sin(bank)");
}

/* --- hand values --- */

static void check_blend(void) {
  /* the right half plane y < 0 is ice: depth is -y. With edge 0.4: u = 1/2 - y/0.4; at y = 0.1 u = 1/4, share 5/32 */
  vd_patch_def ice = rectangle(0.2, 0.4, NAN, NAN, NAN, 0.0), sharp = rectangle(0.2, 0.0, NAN, NAN, NAN, 0.0);
  const vd_ground_def split = with(&ice, 1), cut = with(&sharp, 1), bare = {.friction = 0.7};
  tap_ok(friction_at(&bare, 3.0, -5.0) == 0.7, "without patches the friction is the ground's");
  tap_ok(friction_at(&split, 1e3, 0.2) == 1.0 && friction_at(&split, -1e6, 50.0) == 1.0,
         "split: the friction is 1 from +edge/2 on");
  tap_ok(friction_at(&split, 1e3, -0.2) == 0.2 && friction_at(&split, -1e6, -50.0) == 0.2,
         "split: the friction is 0.2 from -edge/2 on");
  tap_near(friction_at(&split, 7.0, 0.0), 0.6, 1e-15, "split: the friction on the outline is the mean");
  tap_near(friction_at(&split, 7.0, 0.1), 1.0 - 0.8 * 5.0 / 32.0, 1e-15,
           "split: the friction at a quarter of the edge is that of the smooth step");
  tap_near(friction_at(&split, 7.0, -0.1), 1.0 - 0.8 * 27.0 / 32.0, 1e-15,
           "split: the friction at three quarters of the edge is that of the smooth step");
  tap_ok(friction_at(&cut, 7.0, 0.0) == 0.2 && friction_at(&cut, 7.0, 1e-12) == 1.0 &&
             friction_at(&cut, 7.0, -1e-12) == 0.2,
         "sharp: the outline belongs to the patch");
}

static void check_rectangle(void) {
  /* 1..4 by -1..1, edge 2: the depth is (2 u - 1) m where the share is s(u) */
  vd_patch_def one = rectangle(0.5, 2.0, 1.0, 4.0, -1.0, 1.0), band = rectangle(0.5, 2.0, 1.0, 4.0, NAN, NAN);
  vd_patch_def corner = rectangle(0.5, 2.0, 1.0, NAN, NAN, 1.0), all = rectangle(0.5, 2.0, NAN, NAN, NAN, NAN);
  const vd_ground_def box = with(&one, 1), across = with(&band, 1), quarter = with(&corner, 1), whole = with(&all, 1);
  tap_near(friction_at(&box, 2.5, 0.0), 0.5, 0.0,
           "rectangle: the middle, 1 m from the nearest side, has the patch's friction");
  tap_near(friction_at(&box, 1.5, 0.0), 1.0 - 0.5 * smooth_step(0.75), 1e-15,
           "rectangle: 0.5 m inside a side the friction is that of the smooth step");
  tap_near(friction_at(&box, 3.8, 0.9), 1.0 - 0.5 * smooth_step(0.55), 1e-15,
           "rectangle: the nearer of two sides counts");
  tap_near(friction_at(&box, 0.5, 0.3), 1.0 - 0.5 * smooth_step(0.25), 1e-15,
           "rectangle: 0.5 m outside a side the friction is that of the smooth step");
  /* 0.3 and 0.4 m beyond two sides is 0.5 m from the corner; 0.6 and 0.8 m is 1 m, where the edge ends */
  tap_near(friction_at(&box, 4.3, 1.4), 1.0 - 0.5 * smooth_step(0.25), 1e-15, "rectangle: corners are round");
  tap_near(friction_at(&box, 4.6, -1.8), 1.0, 1e-15, "rectangle: 1 m from a corner the friction is the ground's");
  tap_near(friction_at(&across, 2.0, 1e5), 0.5, 0.0, "band: the patch is unbounded to the sides");
  tap_near(friction_at(&across, 4.5, -1e5), 1.0 - 0.5 * smooth_step(0.25), 1e-15,
           "band: the friction at its side is that of the smooth step");
  tap_near(friction_at(&quarter, 0.7, 1.4), 1.0 - 0.5 * smooth_step(0.25), 1e-15,
           "quarter plane: the friction at its corner is that of the smooth step");
  tap_near(friction_at(&quarter, 1e5, -1e5), 0.5, 0.0, "quarter plane: far inside the friction is the patch's");
  tap_near(friction_at(&whole, 3.0, 4.0), 0.5, 0.0, "a patch without sides covers everything");
}

static void check_order(void) {
  vd_patch_def low = rectangle(0.5, 0.0, 0.0, 2.0, NAN, NAN), high = rectangle(0.2, 1.0, 1.0, 3.0, NAN, NAN);
  vd_patch_def up[] = {low, high}, down[] = {high, low};
  const vd_ground_def a = with(up, 2), b = with(down, 2), none = {.friction = 0.9};
  vd_ground ground;
  double lowest, highest;
  tap_near(friction_at(&a, 1.75, 0.0), 0.2, 0.0, "the later patch lies on top");
  tap_near(friction_at(&b, 1.75, 0.0), 0.5, 0.0, "the later patch lies on top in the other order, too");
  tap_near(friction_at(&a, 1.0, 0.0), 0.35, 1e-15, "the edge of the upper patch blends with the patch below");
  tap_near(friction_at(&a, 3.0, 0.0), 0.6, 1e-15,
           "the edge of a patch blends with the ground outside of all other patches");
  vd_ground_build(&a, &ground);
  vd_ground_friction_range(&ground, &lowest, &highest);
  tap_ok(lowest == 0.2 && highest == 1.0, "the range of friction includes the patches");
  vd_ground_build(&none, &ground);
  vd_ground_friction_range(&ground, &lowest, &highest);
  tap_ok(lowest == 0.9 && highest == 0.9, "the range of friction without patches is the ground's friction");
}

/* Checks a chevron: a concave patch whose sides rise and fall. Without a soft edge, friction has only two values. */
static void check_chevron(void) {
  const double xy[] = {0.0, 0.0, 4.0, 2.0, 0.0, 4.0, 2.0, 2.0}, back[] = {2.0, 2.0, 0.0, 4.0, 4.0, 2.0, 0.0, 0.0};
  vd_patch_def one = polygon(0.3, 0.0, xy, 4), other = polygon(0.3, 0.0, back, 4);
  const double inside[][2] = {{3.0, 2.0}, {2.1, 2.0}, {1.0, 0.9}, {1.0, 3.1}, {3.9, 2.0}, {0.5, 0.4}};
  const double outside[][2] = {{1.0, 2.0}, {1.0, 1.1}, {1.0, 0.4}, {1.0, 3.6}, {4.1, 2.0}, {-1.0, 0.0}, {-1.0, 4.0}};
  for (int turn = 0; turn < 2; turn++) {
    const vd_ground_def def = with(turn ? &other : &one, 1);
    bool ok = true;
    for (size_t i = 0; i < VD_COUNT(inside); i++)
      ok &= friction_at(&def, inside[i][0], inside[i][1]) == 0.3;
    for (size_t i = 0; i < VD_COUNT(outside); i++)
      ok &= friction_at(&def, outside[i][0], outside[i][1]) == 1.0;
    tap_ok(ok, "chevron turning %s: the friction is 0.3 inside and 1 outside, also at the y of its corners",
           turn ? "right" : "left");
  }
  const double closed[] = {0.0, 0.0, 4.0, 2.0, 0.0, 4.0, 2.0, 2.0, 0.0, 0.0};
  vd_patch_def again = polygon(0.3, 0.5, closed, 5), open = polygon(0.3, 0.5, xy, 4);
  const vd_ground_def a = with(&again, 1), b = with(&open, 1);
  bool same = true;
  for (int i = 0; i < 400; i++) {
    double x = -1.0 + 0.3 * (i % 20), y = -1.0 + 0.3 * (i / 20);
    same &= friction_at(&a, x, y) == friction_at(&b, x, y);
  }
  tap_ok(same, "a repeated first corner changes nothing");
}

/* Checks that the polygon of a rectangle's corners equals the rectangle. */
static void check_box(void) {
  const double xy[] = {1.0, -1.0, 4.0, -1.0, 4.0, 1.0, 1.0, 1.0};
  vd_patch_def one = rectangle(0.4, 0.7, 1.0, 4.0, -1.0, 1.0), other = polygon(0.4, 0.7, xy, 4);
  const vd_ground_def a = with(&one, 1), b = with(&other, 1);
  uint64_t seed = 7;
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    double x = between(&seed, 0.0, 5.0), y = between(&seed, -2.0, 2.0);
    worst = tap_max(worst, fabs(friction_at(&a, x, y) - friction_at(&b, x, y)));
  }
  tap_near(worst, 0.0, 1e-14, "a rectangle is the polygon of its corners");
}

/* --- random polygons compared with an independent geometry --- */

enum { MOST = 12 };

/* Makes a random polygon. The corners go once around the middle, at random distances: the polygon is concave and never
 * crosses itself. */
static size_t random_polygon(uint64_t *seed, double *xy) {
  size_t n = 5 + (size_t)(uniform(seed) * (MOST - 4));
  bool right = uniform(seed) < 0.5;
  double x = between(seed, -5.0, 5.0), y = between(seed, -5.0, 5.0), turn = between(seed, 0.0, 6.0);
  for (size_t i = 0; i < n; i++) {
    double angle = turn + 2.0 * VD_PI * ((double)i + between(seed, -0.4, 0.4)) / (double)n * (right ? -1.0 : 1.0);
    double radius = between(seed, 0.3, 3.0);
    xy[2 * i] = x + radius * cos(angle);
    xy[2 * i + 1] = y + radius * sin(angle);
  }
  return n;
}

/* Returns the angle through which the outline turns around the point, as a share of a whole turn. */
static double winding(const double *xy, size_t n, double x, double y) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
    double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
    sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return sum / (2.0 * VD_PI);
}

/* Returns the shortest distance to the outline. Along a segment the distance is convex, so that thirds can be cut
 * off. */
static double nearest(const double *xy, size_t n, double x, double y) {
  double least = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 80; k++) {
      double u = low + (high - low) / 3.0, v = high - (high - low) / 3.0;
      double at_u = hypot(a[0] + u * (b[0] - a[0]) - x, a[1] + u * (b[1] - a[1]) - y);
      double at_v = hypot(a[0] + v * (b[0] - a[0]) - x, a[1] + v * (b[1] - a[1]) - y);
      if (at_u < at_v)
        high = v;
      else
        low = u;
    }
    least = tap_min(least, hypot(a[0] + low * (b[0] - a[0]) - x, a[1] + low * (b[1] - a[1]) - y));
  }
  return least;
}

static void check_random_polygons(void) {
  uint64_t seed = 2024;
  long inside = 0, points = 0, wrong = 0, unlike = 0;
  double worst = 0.0;
  for (int k = 0; k < 300; k++) {
    double xy[2 * MOST], mirrored[2 * MOST];
    size_t n = random_polygon(&seed, xy);
    for (size_t i = 0; i < 2 * n; i++)
      mirrored[i] = i % 2 ? -xy[i] : xy[i];
    const double edge = 1.5;
    vd_patch_def sharp = polygon(0.3, 0.0, xy, n), soft = polygon(0.3, edge, xy, n);
    vd_patch_def mirror = polygon(0.3, edge, mirrored, n);
    const vd_ground_def a = with(&sharp, 1), b = with(&soft, 1), c = with(&mirror, 1);
    for (int i = 0; i < 200; i++, points++) {
      /* a point near a corner, every fourth with the corner's y: a ray along x then passes through the corner */
      size_t near = (size_t)(uniform(&seed) * (double)n);
      double x = xy[2 * near] + between(&seed, -3.0, 3.0);
      double y = i % 4 == 0 ? xy[2 * near + 1] : xy[2 * near + 1] + between(&seed, -3.0, 3.0);
      double distance = nearest(xy, n, x, y);
      bool in = fabs(winding(xy, n, x, y)) > 0.5;
      if (distance > 1e-9) {
        inside += in;
        wrong += friction_at(&a, x, y) != (in ? 0.3 : 1.0);
      }
      double expected = 1.0 - 0.7 * smooth_step(0.5 + (in ? distance : -distance) / edge);
      worst = tap_max(worst, fabs(friction_at(&b, x, y) - expected));
      unlike += friction_at(&c, x, -y) != friction_at(&b, x, y);
    }
  }
  tap_ok(wrong == 0 && inside > points / 10 && inside < points * 9 / 10,
         "random polygons: points are inside by the winding number (%ld of %ld points, %ld wrong)", inside, points,
         wrong);
  tap_near(worst, 0.0, 1e-9, "random polygons: the friction blends by the distance to the outline");
  tap_ok(unlike == 0, "random polygons: the mirrored polygon has the mirrored friction to the last bit");
}

/* Checks that between any two points the friction changes by no more than 1.5 |dmu|/edge times their distance, and that
 * across a straight side the change reaches this bound. */
static void check_slope(const char *name, vd_patch_def *patch) {
  const vd_ground_def def = with(patch, 1);
  const double most = 1.5 * fabs(patch->friction - 1.0) / patch->edge, h = 1e-5;
  uint64_t seed = 99;
  double steepest = 0.0;
  vd_ground ground;
  vd_ground_build(&def, &ground);
  for (int i = 0; i < 200000; i++) {
    double x = between(&seed, -1.0, 5.0), y = between(&seed, -2.0, 5.0), angle = between(&seed, 0.0, 2.0 * VD_PI);
    double change = vd_ground_friction(&ground, x + h * cos(angle), y + h * sin(angle)) -
                    vd_ground_friction(&ground, x - h * cos(angle), y - h * sin(angle));
    steepest = tap_max(steepest, fabs(change) / (2.0 * h));
  }
  tap_ok(steepest <= most * (1.0 + 1e-8) && steepest > 0.98 * most,
         "%s: friction changes by up to %.3f/m, bound 1.5 |dmu|/edge = %.3f/m", name, steepest, most);
}

/* --- checks of the definition --- */

/* Returns the number of errors about these patches; *messages receives the messages, which the caller frees. */
static size_t complaints(vd_patch_def *patch, size_t count, char **messages) {
  const vd_ground_def def = with(patch, count);
  const char text[] = "ground:\n  patches: []\n";
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  int source = vd_diag_add_source(d, "road.yaml", text, strlen(text));
  const vd_node *root = vd_tree_parse(arena, d, source);
  vd_ground_check(&def, root, "ground", d);
  size_t errors = vd_diag_errors(d), length;
  FILE *out = open_memstream(messages, &length);
  vd_diag_print(d, out, false);
  fclose(out);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return errors;
}

static void check_checks(void) {
  const double xy[] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
  vd_patch_def good[] = {rectangle(0.5, 0.1, NAN, NAN, NAN, NAN), rectangle(0.5, 0.1, 1.0, NAN, NAN, 0.0),
                         rectangle(0.5, 0.1, -1.0, 1.0, 2.0, 3.0), polygon(0.5, 0.0, xy, 3)};
  vd_patch_def bad[] = {rectangle(0.5, 0.1, 1.0, 1.0, NAN, NAN), good[1], rectangle(0.5, 0.1, NAN, NAN, 3.0, 2.5),
                        polygon(0.5, 0.1, xy, 2)};
  char *messages;
  tap_ok(complaints(good, VD_COUNT(good), &messages) == 0, "valid patches are accepted");
  free(messages);
  size_t errors = complaints(bad, VD_COUNT(bad), &messages);
  tap_ok(errors == 3, "three of four patches are refused");
  tap_ok(strstr(messages, "road.yaml:2:") && strstr(messages, "x_to (1 m) must lie above x_from (1 m)"),
         "equal sides are refused");
  tap_ok(strstr(messages, "y_to (2.5 m) must lie above y_from (3 m)") != NULL, "sides in the wrong order are refused");
  tap_ok(strstr(messages, "a polygon has 3 corners or more, not 2") != NULL, "a polygon of two corners is refused");
  free(messages);
}

int main(void) {
  const double xy[] = {0.0, 0.0, 4.0, 2.0, 0.0, 4.0, 2.0, 2.0};
  vd_patch_def box = rectangle(0.2, 0.5, 1.0, 3.0, 0.0, 2.0), chevron = polygon(1.6, 0.3, xy, 4);

  tap_plan(23 + 7 + 11 + 6 + 3 + 1 + 3 + 2 + 5);
  check_plane();
  check_blend();
  check_rectangle();
  check_order();
  check_chevron();
  check_box();
  check_random_polygons();
  check_slope("rectangle", &box);
  check_slope("chevron", &chevron);
  check_checks();
  return tap_done();
}
