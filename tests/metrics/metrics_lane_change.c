/* Lane changes of ISO 3888: gates by the formulas of the standard, a rectangle that moves past discs, and cars that
 * drive through, beside and over cones on known lines. */
#include "histories.h"
#include "course/path_def.h"
#include "math/sweep.h"

#include <stdio.h>

enum { TESTS = 170 };

/* ---- sweep ---- */

static const vd_rectangle body = {2.0, 2.5, 0.9};

static void hits(double radius, double x0, double y0, double x1, double y1, double expected, const char *what) {
  double share = NAN;
  bool hit = vd_sweep_hit(&body, radius, (double[]){x0, y0}, (double[]){x1, y1}, &share);
  tap_near(hit ? share : NAN, expected, 1e-12, "sweep: %s", what);
  tap_ok(vd_sweep_distance(&body, radius, (double[]){x0, y0}, (double[]){x1, y1}) == 0.0, "sweep: %s: no distance",
         what);
}

static void misses(double radius, double x0, double y0, double x1, double y1, double distance, const char *what) {
  double share = NAN;
  tap_ok(!vd_sweep_hit(&body, radius, (double[]){x0, y0}, (double[]){x1, y1}, &share), "sweep: %s", what);
  tap_near(vd_sweep_distance(&body, radius, (double[]){x0, y0}, (double[]){x1, y1}), distance, 1e-12,
           "sweep: %s: distance", what);
}

static void test_sweep(void) {
  const double r = 0.2, tiny = 1e-6;
  hits(r, 6.0, 0.0, 0.0, 0.0, (6.0 - 2.2) / 6.0, "met by the front");
  hits(r, 10.0, 0.5, -10.0, 0.5, (10.0 - 2.2) / 20.0, "driven over in one step");
  hits(0.0, 10.0, 0.5, -10.0, 0.5, (10.0 - 2.0) / 20.0, "a point driven over in one step");
  hits(r, -6.0, 0.0, 0.0, 0.0, (6.0 - 2.7) / 6.0, "met by the rear");
  hits(r, 1.0, 3.0, 1.0, 0.0, (3.0 - 1.1) / 3.0, "met by the side");
  hits(r, 1.0, 0.3, 1.5, 0.3, 0.0, "under the car from the start");
  /* the corner's circle: y = 1 is 0.1 above the corner, so that contact is at x = 2 + sqrt(0.2^2 - 0.1^2) */
  hits(r, 6.0, 1.0, 0.0, 1.0, (4.0 - sqrt(0.03)) / 6.0, "grazed by a front corner");
  /* at 45 degrees into the corner: the centre is r from it */
  hits(r, 3.0, 1.9, 2.0, 0.9, (sqrt(2.0) - 0.2) / sqrt(2.0), "a corner run straight into");
  hits(r, 6.0, 1.1 - tiny, -6.0, 1.1 - tiny, (4.0 - sqrt(r * r - (r - tiny) * (r - tiny))) / 12.0, "1 um inside");
  misses(r, 6.0, 1.1 + tiny, -6.0, 1.1 + tiny, tiny, "1 um outside");
  misses(r, 6.0, 1.1, -6.0, 1.1, 0.0, "touched along the side");
  misses(0.0, 6.0, 0.9, -6.0, 0.9, 0.0, "a point along the side");
  misses(r, 6.0, -1.4, -6.0, -1.4, 0.3, "passed on the right");
  misses(r, 2.5, 0.0, 2.5, 0.0, 0.3, "standing before a standing car");
  /* past the corner (2, 0.9) at 45 degrees: the line x + y = 3.4 is 0.5/sqrt 2 off */
  misses(r, 3.4, 0.0, 0.0, 3.4, 0.5 / sqrt(2.0) - r, "past a corner at an angle");
  /* inside the box about the rounded corner, but not in its circle */
  misses(r, 2.18, 1.08, 2.19, 1.09, hypot(0.18, 0.18) - r, "in the corner's notch");
}

/* ---- gates ---- */

static vd_arena *arena;

static void build(vd_path_def *def, double width, vd_path *path) {
  vd_path_build(def, width, arena, path);
}

static vd_path_def course_of(enum vd_path_type type) {
  return (vd_path_def){.type = (int)type, .approach = 30.0, .blend = 4.0, .cone_spacing = 3.0, .cone_radius = 0.15};
}

static void parked(const double *p, double t, vd_row *row) {
  (void)t;
  row->eval.log.x = p[0];
  row->eval.log.y = p[1];
}

static const vd_metrics *drive(history *at, const double *p, double duration, const vd_path *path, double width) {
  vd_recorder r = {.car = {.width = width, .ahead = body.ahead, .behind = body.behind, .path = path}};
  history_record(&r, at, p, duration, VD_L2);
  return history_metrics("lane_change", &r, &history_options);
}

static void test_widths(double b) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  double at[] = {-100.0, 0.0};
  char what[64];
  snprintf(what, sizeof what, "ISO 3888-1, %g m", b);
  build(&def, b, &path);
  const vd_metrics *m = drive(parked, at, 0.01, &path, b);
  is(m, "gate_1_width_m", 1.1 * b + 0.25, 1e-12, what);
  is(m, "gate_2_width_m", 1.2 * b + 0.25, 1e-12, what);
  is(m, "gate_3_width_m", 1.3 * b + 0.25, 1e-12, what);
  is(m, "gate_4_width_m", 1.3 * b + 0.25, 1e-12, what);
  is(m, "lane_offset_m", 3.5, 1e-12, what);
  def.offset_between = VD_OFFSET_EDGES;
  build(&def, b, &path);
  m = drive(parked, at, 0.01, &path, b);
  is(m, "lane_offset_m", 3.5, 1e-12, what);
  tap_near(path.gate[1].centre, 3.5 + 0.05 * b, 1e-12, "%s: the right edges are 3.5 m apart", what);
  snprintf(what, sizeof what, "ISO 3888-2, %g m", b);
  def = course_of(VD_PATH_ISO3888_2);
  build(&def, b, &path);
  m = drive(parked, at, 0.01, &path, b);
  is(m, "gate_1_width_m", 1.1 * b + 0.25, 1e-12, what);
  is(m, "gate_2_width_m", b + 1.0, 1e-12, what);
  is(m, "gate_3_width_m", fmax(1.3 * b + 0.25, 3.0), 1e-12, what);
  is(m, "lane_offset_m", 1.0, 1e-12, what);
  def.exit_bound = VD_EXIT_AT_MOST;
  build(&def, b, &path);
  m = drive(parked, at, 0.01, &path, b);
  is(m, "gate_3_width_m", fmin(1.3 * b + 0.25, 3.0), 1e-12, what);
}

static void test_cones(void) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  static vd_cone cone[VD_PATH_CONES];
  build(&def, 1.8, &path);
  size_t n = vd_path_cones(&path, cone);
  /* 15 m: 6 pairs, 25 m: 10, 15 m: 6, and 5 more where the last lane goes on */
  tap_ok(n == 54, "ISO 3888-1, a cone every 3 m: there are %zu", n);
  bool tangent = true;
  for (size_t i = 0; i < n; i++) {
    const vd_gate *g = &path.gate[cone[i].gate];
    tangent &= fabs(fabs(cone[i].y - g->centre) - 0.15 - 0.5 * g->width) < 1e-12;
    tangent &= cone[i].x >= g->from && cone[i].x <= g->to;
  }
  tap_ok(tangent, "the bases of the cones touch the lanes' edges from outside");
  tap_near(cone[2].x - cone[0].x, 3.0, 1e-12, "pairs of cones are 3 m apart");
  def.cone_spacing = 0.5;
  build(&def, 1.8, &path);
  n = vd_path_cones(&path, cone);
  tap_ok(n == 2 * (31 + 51 + 31 + 30), "with the smallest spacing all cones have room: %zu", n);
  def = course_of(VD_PATH_ISO3888_2);
  build(&def, 1.8, &path);
  n = vd_path_cones(&path, cone);
  tap_ok(n == 2 * (5 + 5 + 5), "ISO 3888-2: there are %zu cones", n);
}

/* ---- drives ---- */

/* Sets a row; p: x at the start, y, speed */
static void straight(const double *p, double t, vd_row *row) {
  row->eval.log.x = p[0] + p[2] * t;
  row->eval.log.y = p[1];
  row->eval.motion.vx = p[2];
  row->eval.body.ay = 1.0;
  row->eval.motion.path_error = p[1];
  for (int i = 0; i < VD_WHEELS; i++)
    row->eval.tyre.load[i] = i == 0 && t > 1.0 && t <= 1.5 ? 0.0 : 1.0;
}

/* The path of a drive along the middles of the lanes, with a jump from each lane to the next */
static const vd_path *hopped;
static void hopping(const double *p, double t, vd_row *row) {
  double x = p[0] + p[1] * t;
  row->eval.log.x = x;
  row->eval.motion.vx = p[1];
  row->eval.log.y = x > 60.0 && x < 110.0 ? hopped->gate[1].centre : 0.0;
}

/* Sets a row of a rotation about the world's z axis; p: x, y, yaw rate */
static void spinning(const double *p, double t, vd_row *row) {
  row->eval.log.x = p[0];
  row->eval.log.y = p[1];
  row->eval.log.yaw = p[2] * t;
}

/* Sets a row of the straight drive in axes that are rotated and shifted: p[3] yaw; p[4], p[5] x, y */
static void turned(const double *p, double t, vd_row *row) {
  double x = p[0] + p[2] * t, c = cos(p[3]), s = sin(p[3]);
  row->eval.log.x = p[4] + c * x - s * p[1];
  row->eval.log.y = p[5] + s * x + c * p[1];
  row->eval.log.yaw = p[3];
  row->eval.motion.vx = p[2];
}

static void test_beside(void) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  def.offset_between = VD_OFFSET_EDGES;
  build(&def, 1.8, &path);
  hopped = &path;
  double p[] = {0.0, 25.0};
  const vd_metrics *m = drive(hopping, p, 7.0, &path, 1.8);
  is(m, "cone_hits", 0.0, 0.0, "in the middle of the lanes");
  is(m, "gates_passed", 4.0, 0.0, "in the middle of the lanes");
  is(m, "lane_change_passed", 1.0, 0.0, "in the middle of the lanes");
  is(m, "passing_speed_mps", 25.0, 1e-12, "in the middle of the lanes");
  is(m, "cone_clearance_m", 0.05 * 1.8 + 0.125, 1e-12, "in the middle of the lanes"); /* to cones of the first lane */
  /* from the front at 30 m to the rear end at 155 m */
  is(m, "lane_change_time_s", (125.0 + 4.5) / 25.0, 1e-12, "in the middle of the lanes");
  refuses(m, "first_cone_hit_s", "no cone is hit", "in the middle of the lanes");
  /* 20 m to the right of the course */
  double q[] = {0.0, -20.0, 25.0};
  m = drive(straight, q, 7.0, &path, 1.8);
  is(m, "cone_hits", 0.0, 0.0, "beside the course");
  is(m, "gates_passed", 0.0, 0.0, "beside the course");
  is(m, "lane_change_passed", 0.0, 0.0, "beside the course");
  refuses(m, "passing_speed_mps", "does not pass all gates", "beside the course");
}

/* Checks cars parked 3 m from the last gate's cones, which are the last of the list: behind them, to their left and to
 * their right. The cones' centres lie beside the gate by their radius. Behind them, every pair of the list is nearer
 * than all pairs before it; beside them, every cone of that side is nearer than those of that side before it. */
static void test_last_cones(void) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  build(&def, 1.8, &path);
  const vd_gate *g = &path.gate[path.gates - 1];
  const double radius = def.cone_radius, aside = 0.5 * g->width + radius, beside = aside + radius + 3.0 + body.half;
  double behind[] = {g->to + 3.0 + body.behind, g->centre};
  is(drive(parked, behind, 0.1, &path, 1.8), "cone_clearance_m", hypot(3.0, aside - body.half) - radius, 1e-12,
     "3 m behind the last cones");
  double left[] = {g->to, g->centre + beside}, right[] = {g->to, g->centre - beside};
  is(drive(parked, left, 0.1, &path, 1.8), "cone_clearance_m", 3.0, 1e-12, "3 m to the left of the last cones");
  is(drive(parked, right, 0.1, &path, 1.8), "cone_clearance_m", 3.0, 1e-12, "3 m to the right of the last cones");
}

static void test_through(void) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  build(&def, 1.8, &path);
  /* The car is shifted to the right by the room and 5 cm. Its side overlaps the bases of the right cones of the first
   * lane only, which is narrower than the others. The front corner meets the first base sqrt(r^2 - (r - 0.05)^2) before
   * the middle of the cone. */
  double room = 0.5 * (path.gate[0].width - 1.8), v = 20.0, back = sqrt(0.15 * 0.15 - 0.1 * 0.1);
  double p[] = {0.0, -(room + 0.05), v};
  const vd_metrics *m = drive(straight, p, 9.0, &path, 1.8);
  is(m, "gate_1_cone_hits", 6.0, 0.0, "5 cm into the right cones");
  is(m, "first_cone_hit_s", (30.0 - back - body.ahead) / v, 1e-9, "5 cm into the right cones");
  is(m, "gate_3_cone_hits", 0.0, 0.0, "5 cm into the right cones");
  is(m, "cone_hits", 6.0, 0.0, "5 cm into the right cones");
  is(m, "gates_passed", 3.0, 0.0, "5 cm into the right cones");
  is(m, "cone_clearance_m", 0.0, 0.0, "5 cm into the right cones");
  is(m, "lane_change_deviation_m", room + 0.05, 1e-12, "5 cm into the right cones");
  is(m, "lane_change_ay_mps2", 1.0, 1e-12, "5 cm into the right cones");
  is(m, "lane_change_entry_speed_mps", v, 1e-12, "5 cm into the right cones");
  /* the wheel is unloaded from 1 s to 1.5 s; the front of the car enters at 1.4 s */
  is(m, "lane_change_lift_time_s", 0.1, 1.01e-3, "5 cm into the right cones");
  /* the car drives over the middles of the right cones, at 10 m a step */
  double q[] = {-70.0, -(0.5 * path.gate[0].width + 0.15), 1e4};
  m = drive(straight, q, 0.2, &path, 1.8);
  is(m, "gate_1_cone_hits", 6.0, 0.0, "over the right cones, 10 m a step");
  is(m, "first_cone_hit_s", (70.0 + 30.0 - 0.15 - body.ahead) / 1e4, 1e-12, "over the right cones, 10 m a step");
  /* the course elsewhere */
  def.x = -30.0;
  def.y = 12.0;
  def.yaw = 2.2;
  build(&def, 1.8, &path);
  double w[] = {0.0, -(room + 0.05), v, 2.2, -30.0, 12.0};
  m = drive(turned, w, 9.0, &path, 1.8);
  is(m, "cone_hits", 6.0, 0.0, "a turned course");
  is(m, "first_cone_hit_s", (30.0 - back - body.ahead) / v, 1e-9, "a turned course");
}

/* Checks a car that spins about its centre of gravity. Cones are points; the nearest is D to the left of the centre of
 * gravity. As the car turns to the right, the cone moves to the rear relative to the car, and meets the left side after
 * the car has turned by phi, D cos(phi) = 0.9 m, half of its width. */
static void test_spin(void) {
  vd_path path;
  vd_path_def def = course_of(VD_PATH_ISO3888_1);
  def.cone_radius = 0.0;
  def.cone_spacing = 15.0; /* first lane: cones at 30 and 45 m */
  build(&def, 1.8, &path);
  double edge = 0.5 * path.gate[0].width, d = 1.5;
  double p[] = {30.0, -edge - d, -0.5};
  const vd_metrics *m = drive(spinning, p, 2.0, &path, 1.8);
  double expected = (0.5 * VD_PI - asin(0.9 / d)) / 0.5;
  is(m, "gate_1_cone_hits", 1.0, 0.0, "a spin over a cone");
  /* the error of the straight line between rows is at most (0.5e-3)^2 D/8 = 5e-8 m; the cone meets the side at 0.5
   * rad/s D sin(phi) = 0.6 m/s */
  is(m, "first_cone_hit_s", expected, 5e-8 / 0.6, "a spin over a cone");
}

static void test_refusals(void) {
  double p[] = {0.0, 0.0, 20.0};
  vd_path path;
  const vd_metrics *m = drive(straight, p, 1.0, NULL, 1.8);
  refuses(m, "cone_hits", "no gates", "no path");
  refuses(m, "gate_1_width_m", "no gates", "no path");
  vd_path_def def = course_of(VD_PATH_ISO3888_2);
  build(&def, 1.8, &path);
  m = drive(straight, p, 0.5, &path, 1.8);
  refuses(m, "lane_change_entry_speed_mps", "never reaches the first gate", "a short run");
  refuses(m, "lane_change_ay_mps2", "never reaches", "a short run");
  refuses(m, "gate_4_width_m", "this course has 3 gates", "ISO 3888-2");
  m = drive(straight, p, 2.0, &path, 1.8);
  refuses(m, "lane_change_exit_speed_mps", "never leaves", "a run that ends inside");
  is(m, "lane_change_passed", 0.0, 0.0, "a run that ends inside");
}

int main(void) {
  tap_plan(TESTS);
  arena = vd_arena_create();
  test_sweep();
  for (int i = 0; i < 8; i++)
    test_widths(1.5 + 0.1 * i);
  test_cones();
  test_beside();
  test_last_cones();
  test_through();
  test_spin();
  test_refusals();
  vd_arena_destroy(arena);
  return tap_done();
}
