/* Derivatives by the coordinates of hardpoints and by stiffnesses, against central differences of the figures of
 * corners of which one thing is changed. */
#include "base/arena.h"
#include "base/vec.h"
#include "kc/sensitivity.h"
#include "kc/sweep.h"
#include "suspension/corner_def.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Files, and what is laid over them. */
static const struct {
  const char *file, *what, *set[5];
  enum vd_hold hold;
  double fz; /* N; 0: the default */
} cases[] = {
    {.file = "mp_front_sedan", .what = ""},
    {.file = "mp_front_compact", .what = ""},
    {.file = "mp_rear_chapman", .what = ""},
    {.file = "dw_front_sports", .what = ""},
    {.file = "dw_front_sedan", .what = " with a rack's way", .set = {"car.c_factor=50 mm"}},
    {.file = "dw_rear_sports", .what = ""},
    {.file = "dw_front_offroad", .what = ""}, /* relay rod */
    {.file = "dw_front_offroad",
     .what = " with a shorter idler arm",
     .set = {"steering.other_pivot=[-0.300, -0.330, 0.430]"}},
    {.file = "pushrod_front_formula", .what = ""},
    {.file = "ta_rear_sedan", .what = ""},
    {.file = "sta_rear_sedan", .what = ""},
    {.file = "5link_rear_sports", .what = ""},
    {.file = "5link_rear_sedan", .what = ""},
    {.file = "5link_front_limousine", .what = ""},
    {.file = "multilink_rear_compact", .what = ""}, /* blade */
    {.file = "multilink_rear_sedan", .what = ""},   /* damper off the line of its rod */
    {.file = "integral_link_rear_limousine", .what = ""},
    {.file = "twist_beam_rear_compact", .what = ""},
    {.file = "four_link_rear_suv", .what = ""},
    {.file = "panhard_rear_coupe", .what = ""},
    {.file = "panhard_front_offroad", .what = ""}, /* steers */
    {.file = "panhard_front_offroad",
     .what = " with a rack and rigid rods",
     .set = {"steering={type: rack, kingpin: {lower: [0.010, 0.665, 0.270], upper: [-0.010, 0.640, 0.470]}, drag_link: "
             "{gear: [0.190, 0.400, 0.510], knuckle: [0.160, -0.620, 0.425]}, tie_rod: {left: [-0.170, 0.605, 0.310]}}",
             "car.gear_ratio=auto"}},
    {.file = "panhard_front_offroad",
     .what = " with its tie rod on the drag link",
     .set = {"steering.tie_rod={left: [-0.170, 0.605, 0.310], right: [0.169, -0.314, 0.4505], joins: drag_link, "
             "stiffness: 20 kN/mm}"}},
    {.file = "dw_front_sedan", .what = " that is free", .hold = VD_HOLD_FREE, .fz = 3000.0},
    {.file = "multilink_rear_sedan", .what = " that is free", .hold = VD_HOLD_FREE, .fz = 5500.0},
    {.file = "mp_front_compact", .what = " at 9 kN", .hold = VD_HOLD_CENTRE, .fz = 9000.0},
    {.file = "multilink_rear_compact", .what = " of rods", .set = {"trailing=rods"}},
    {.file = "multilink_rear_compact",
     .what = " of soft ball joints",
     .set = {"ball_joints={trailing_upper: 3e6, trailing_lower: 4e6}"}},
    {.file = "dw_front_sedan",
     .what = " of one bushing an arm",
     .set = {"bushings={lca_rear: {translation: [6e5, 2e6, 8e5]}}"}},
    {.file = "dw_front_sedan",
     .what = " of ball joints alone",
     .set = {"bushings={}", "ball_joints={lca: 5e6, uca: 3e6, tie_rod: 8e6}"}},
    {.file = "dw_front_sports",
     .what = " of bushings with axes, preloads and curves",
     .set =
         {"bushings.lca_front={translation: [5e6, 9e6, 2e6], rotation: [60, 30, 60], x_axis: [1, 0.4, 0.1], z_axis: "
          "[0, "
          "0.2, 1]}",
          "bushings.lca_rear={translation: [4e6, 8e6, 2e6], cubic_translation: [2e12, 3e12, 1e12], preload_force: [0, "
          "900, "
          "0]}",
          "bushings.uca_front={translation: [4e6, 8e6, 2e6], force_y: [[-0.002, -9000], [0, 0], [0.001, 4000], [0.004, "
          "30000]]}"}},
};

static bool together(const double *a, const double *b) {
  return vd_distance(a, b) < 1e-9;
}

static void shift(double *place, const double *from, bool axle, int axis, double h) {
  const double image[3] = {from[0], -from[1], from[2]};
  if (together(place, from))
    place[axis] += h;
  else if (axle && together(place, image))
    place[axis] += axis == 1 ? -h : h;
}

static void shift_element(vd_element *e, const double *from, bool axle, int axis, double h) {
  double *each[] = {e->chassis, e->eye, e->pivot, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < sizeof each / sizeof *each && e->given; i++)
    shift(each[i], from, axle, axis, h);
}

/* Moves a hardpoint and what stands in its place. */
static void move_point(vd_corner *c, const double *place, int axis, double h) {
  const double from[3] = {place[0], place[1], place[2]};
  bool axle = vd_linkage_traits_of(c->points.type)->axle;
  shift(c->points.wheel_center, from, false, axis, h);
  for (int i = 0; i < c->points.members; i++) {
    vd_member *m = &c->points.member[i];
    shift(m->chassis[0], from, axle, axis, h);
    shift(m->chassis[1], from, axle, axis, h);
    shift(m->knuckle, from, axle, axis, h);
  }
  shift_element(&c->points.spring, from, axle, axis, h);
  shift_element(&c->points.damper, from, axle, axis, h);
  shift(c->points.gear.pivot, from, false, axis, h);
  shift(c->points.gear.joint, from, false, axis, h);
  shift(c->points.gear.other_pivot, from, false, axis, h);
  shift(c->points.gear.other_joint, from, false, axis, h);
  for (int i = 0; i < 2 && c->points.steer.given; i++) {
    vd_axle_steer *s = &c->points.steer;
    shift(s->kingpin[i][0], from, axle, axis, h);
    shift(s->kingpin[i][1], from, axle, axis, h);
    shift(s->tie_rod[i], from, axle, axis, h);
    shift(s->drag_link[i], from, axle, axis, h);
  }
}

static const double *place_of_element(const vd_element *e, const char *key) {
  static const char *const keys[] = {"chassis", "eye", "rocker.pivot", "rocker.rod_part", "rocker.rod_rocker"};
  const double *place[] = {e->chassis, e->eye, e->pivot, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i], key) == 0)
      return place[i];
  return NULL;
}

static const double *place_of(const vd_corner *c, const char *key) {
  if (strncmp(key, "spring.", 7) == 0)
    return place_of_element(&c->points.spring, key + 7);
  if (strncmp(key, "damper.", 7) == 0)
    return place_of_element(&c->points.damper, key + 7);
  const vd_axle_steer *a = &c->points.steer;
  const struct {
    const char *key;
    const double *place;
  } steering[] = {{"other_pivot", c->points.gear.other_pivot},
                  {"other_joint", c->points.gear.other_joint},
                  {"pivot", c->points.gear.pivot},
                  {"joint", c->points.gear.joint},
                  {"kingpin.lower", a->kingpin[0][0]},
                  {"kingpin.upper", a->kingpin[0][1]},
                  {"drag_link.gear", a->drag_link[0]},
                  {"drag_link.knuckle", a->drag_link[1]},
                  {"tie_rod.left", a->tie_rod[0]},
                  {"tie_rod.right", a->tie_rod[1]}};
  for (size_t i = 0; i < sizeof steering / sizeof *steering && strncmp(key, "steering.", 9) == 0; i++)
    if (strcmp(steering[i].key, key + 9) == 0)
      return steering[i].place;
  for (int i = 0; i < c->points.members; i++)
    for (int k = 0; k < VD_MEMBER_POINTS; k++) {
      const char *name = vd_corner_point(c->points.type, i, (enum vd_member_point)k);
      const vd_member *m = &c->points.member[i];
      if (name && strcmp(name, key) == 0)
        return k == VD_AT_KNUCKLE ? m->knuckle : m->chassis[k == VD_CHASSIS_B];
    }
  return strcmp(key, "wheel.center") == 0 ? c->points.wheel_center : NULL;
}

/* Of a bushing's name in the table: its stiffness. */
static double *stiffness_of(vd_corner *c, const char *key, int axis) {
  for (int i = 0; i < c->points.members; i++)
    for (int k = 0; k < 2; k++) {
      const char *name = vd_corner_bushing(c->points.type, i, k);
      size_t length = name ? strlen(name) : 0;
      if (name && c->bushing[i][k].given && strncmp(key + 9, name, length) == 0 && key[9 + length] == '.')
        return &c->bushing[i][k].stiffness[axis + (strcmp(key + 9 + length, ".rotation") == 0 ? 3 : 0)];
    }
  for (int i = 0; i < c->points.members; i++)
    if (strncmp(key, "ball_joints.", 12) == 0 && strcmp(key + 12, c->points.member[i].name) == 0)
      return &c->ball_stiffness[i];
  if (strncmp(key, "steering.", 9) == 0)
    return strstr(key, "drag_link") ? &c->points.steer.drag_link_stiffness : &c->points.steer.tie_rod_stiffness;
  return strcmp(key, "spring.rate") == 0 ? &c->spring_rate : NULL;
}

/* step: mm of a point, % of a stiffness. */
static vd_corner changed(const vd_corner *corner, const vd_sensitivity *s, double step) {
  vd_corner c = *corner;
  const double *place = s->stiffness ? NULL : place_of(&c, s->point);
  double *stiffness = s->stiffness ? stiffness_of(&c, s->point, s->axis) : NULL;
  if (place)
    move_point(&c, place, s->axis, 1e-3 * step);
  if (stiffness)
    *stiffness *= 1.0 + 1e-2 * step;
  return c;
}

/* All figures of a corner by their numbers in the table; of a swing arm its reciprocal, since a long one is far from
 * linear in what moves it. */
typedef struct figures {
  double value[VD_SENSITIVE];
} figures;

static bool is_arm(const char *name) {
  return strstr(name, "_arm") != NULL;
}

static double slope_of(const vd_corner *corner, bool brake) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return NAN;
  vd_linkage_start(&l, &start);
  vd_kc_state_at(corner, &l, &start, &s);
  return brake ? s.brake_slope : s.drive_slope;
}

static void find_figures(const vd_corner *corner, const vd_kc_plan *plan, const char *const name[VD_SENSITIVE],
                         figures *out) {
  vd_kc_metrics m = {.count = 0};
  vd_kc_report report;
  if (!vd_kc_metrics_of(corner, plan, &m, &report))
    m.count = 0;
  vd_buf_finish(&report.messages);
  for (int k = 0; k < VD_SENSITIVE; k++) {
    out->value[k] = NAN;
    for (size_t i = 0; i < m.count && name[k]; i++)
      if (strcmp(m.metric[i].name, name[k]) == 0)
        out->value[k] = is_arm(name[k]) ? 1.0 / m.metric[i].value : m.metric[i].value;
    if (name[k] && strstr(name[k], "_slope"))
      out->value[k] = slope_of(corner, strcmp(name[k], "brake_slope") == 0);
  }
}

/* Central differences per mm or % at three steps, each the half of the one before, extrapolated twice to errors of the
 * fourth order. Both extrapolations lie about 1/15 of their distance from the truth, so that the distance bounds the
 * error of the finer one, apart from rounding. */
typedef struct difference {
  double value, bound;
} difference;

enum { STEPS = 3 };

static difference extrapolate(const double d[STEPS]) {
  double coarse = (4.0 * d[1] - d[0]) / 3.0, fine = (4.0 * d[2] - d[1]) / 3.0;
  return (difference){fine, fabs(fine - coarse)};
}

static void find_differences(const vd_corner *corner, const vd_kc_plan *plan, const vd_sensitivity *s,
                             const char *const name[VD_SENSITIVE], const figures *here, difference out[VD_SENSITIVE]) {
  double d[VD_SENSITIVE][STEPS], step = s->stiffness ? 1.0 : 0.8;
  for (int i = 0; i < STEPS; i++, step *= 0.5) {
    figures up, down;
    vd_corner more = changed(corner, s, step), less = changed(corner, s, -step);
    find_figures(&more, plan, name, &up);
    find_figures(&less, plan, name, &down);
    for (int k = 0; k < VD_SENSITIVE; k++)
      d[k][i] = (up.value[k] - down.value[k]) / (2.0 * step);
  }
  for (int k = 0; k < VD_SENSITIVE; k++) {
    out[k] = extrapolate(d[k]);
    if (name[k] && is_arm(name[k])) {
      double square = 1.0 / (here->value[k] * here->value[k]);
      out[k].value *= -square;
      out[k].bound *= square;
    }
  }
}

static bool same_change(const vd_sensitivity *a, const vd_sensitivity *b) {
  return strcmp(a->point, b->point) == 0 && a->axis == b->axis;
}

/* All rows of one change against its differences. Returns how many agree. */
static size_t check_change(const vd_corner *corner, const vd_kc_plan *plan, const vd_sensitivity *s, size_t count,
                           size_t of, const char *const name[VD_SENSITIVE], const figures *here,
                           const double *largest) {
  difference d[VD_SENSITIVE];
  size_t good = 0;
  find_differences(corner, plan, &s[of], name, here, d);
  for (size_t i = of; i < count; i++) {
    if (!same_change(&s[i], &s[of]))
      continue;
    int k = s[i].figure;
    double figure = is_arm(name[k]) ? 1.0 / here->value[k] : here->value[k];
    /* figures are right to 1e-12 of themselves, differences at a step of 0.2 mm or 0.25 % then to 1e-11 */
    double bound = d[k].bound + 1e-11 * fabs(figure) + 1e-12;
    bool close = fabs(s[i].value - d[k].value) <= bound, sharp = d[k].bound <= 1e-6 * largest[k] + 1e-12;
    good += close && sharp;
    if (!close || !sharp)
      tap_diag("%s by %s %d: %.12g, difference %.12g within %.3g", s[i].metric, s[i].point, s[i].axis, s[i].value,
               d[k].value, bound);
  }
  return good;
}

/* The sum over all points, moved ahead or up together. The compliance knows 1e-9 of it: that of its equilibrium. */
static bool stays(const vd_sensitivity *s, size_t count, const double largest[VD_SENSITIVE]) {
  double sum[VD_SENSITIVE][3] = {{0.0}};
  bool good = true;
  for (size_t i = 0; i < count; i++)
    if (!s[i].stiffness)
      sum[s[i].figure][s[i].axis] += s[i].value;
  for (int k = 0; k < VD_SENSITIVE; k++)
    for (int axis = 0; axis < 3; axis += 2)
      if (!(fabs(sum[k][axis]) <= 1e-9 * largest[k] + 1e-12)) {
        tap_diag("figure %d along %d: %.3g", k, axis, sum[k][axis]);
        good = false;
      }
  return good;
}

/* Without loads and springs a compliance is inverse to all stiffnesses together: by Euler's theorem on homogeneous
 * functions the sum of its derivatives by their shares is its own negative. */
static void test_euler(void) {
  static vd_sensitivity s[VD_SENSITIVITIES];
  const char *name[VD_SENSITIVE] = {NULL};
  double sum[VD_SENSITIVE] = {0.0};
  size_t count = 0, compared = 0, agree = 0;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_kc_report report = {.rows = 0};
  vd_kc_plan plan = vd_kc_plan_default();
  vd_corner c;
  figures here;
  plan.load.fz = 0.0;
  bool good = vd_corner_read("scenarios/suspensions/dw_front_sports.yaml", NULL, 0, arena, d, &c, NULL) &&
              vd_kc_sensitivities(&c, &plan, s, &count, &report);
  for (size_t i = 0; i < count; i++) {
    name[s[i].figure] = s[i].metric;
    sum[s[i].figure] += s[i].stiffness ? 100.0 * s[i].value : 0.0;
  }
  if (good)
    find_figures(&c, &plan, name, &here);
  for (int k = 0; k < VD_SENSITIVE && good; k++)
    if (sum[k] != 0.0) {
      compared++;
      agree += fabs(sum[k] + here.value[k]) <= 1e-9 * fabs(here.value[k]);
    }
  tap_ok(compared == 13 && agree == compared, "a compliance is inverse to all stiffnesses: %zu of %zu", agree,
         compared);
  vd_buf_finish(&report.messages);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

static bool read_case(size_t number, vd_arena *arena, vd_diag *d, vd_corner *c) {
  vd_setting set[5] = {{.text = NULL}};
  char path[128];
  size_t count = 0;
  for (; count < 5 && cases[number].set[count]; count++)
    set[count].text = cases[number].set[count];
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", cases[number].file);
  return vd_corner_read(path, set, count, arena, d, c, NULL);
}

static void test_case(size_t number) {
  static vd_sensitivity s[VD_SENSITIVITIES];
  const char *name[VD_SENSITIVE] = {NULL}, *file = cases[number].file, *what = cases[number].what;
  double largest[VD_SENSITIVE] = {0.0};
  size_t count = 0, agree = 0;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_kc_report report = {.rows = 0};
  vd_kc_plan plan = vd_kc_plan_default();
  vd_corner c;
  plan.hold = cases[number].hold;
  if (cases[number].fz > 0.0)
    plan.load.fz = cases[number].fz;
  bool good = read_case(number, arena, d, &c) && vd_kc_sensitivities(&c, &plan, s, &count, &report) && count > 0 &&
              report.messages.length == 0;
  bool sorted = good;
  for (size_t i = 0; i < count; i++) {
    bool first = i == 0 || s[i].figure != s[i - 1].figure || s[i].stiffness != s[i - 1].stiffness;
    sorted &= first || fabs(s[i].value) <= fabs(s[i - 1].value);
    name[s[i].figure] = s[i].metric;
    largest[s[i].figure] = fmax(largest[s[i].figure], fabs(s[i].value));
  }
  tap_ok(sorted, "%s%s: %zu derivatives, sorted", file, what, count);
  tap_ok(good && stays(s, count, largest), "%s%s: all points together change nothing", file, what);
  figures here;
  if (good)
    find_figures(&c, &plan, name, &here);
  for (size_t i = 0; i < count; i++) {
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = same_change(&s[k], &s[i]);
    if (!seen)
      agree += check_change(&c, &plan, s, count, i, name, &here, largest);
  }
  tap_ok(good && agree == count, "%s%s: and equal to differences", file, what);
  vd_buf_finish(&report.messages);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(3 * sizeof cases / sizeof *cases + 1);
  test_euler();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    test_case(i);
  return tap_done();
}
