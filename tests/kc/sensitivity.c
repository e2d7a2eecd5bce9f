/* Derivatives by the coordinates of hardpoints and by rates, compared with those of closed forms, which an earlier
 * implementation found by automatic differentiation (tests/kc/sensitivity.csv), and with laws. */
#include "base/arena.h"
#include "base/base.h"
#include "input/schema.h"
#include "kc/sensitivity.h"
#include "kc/sweep.h"
#include "linkage/corner_def.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Files, and settings for them. */
static const struct {
  const char *name, *file, *set[5]; /* name: in the table */
  enum vd_hold hold;
  double fz; /* N; 0: the default */
} cases[] = {
    {.name = "strut", .file = "mp_front_compact"},
    {.name = "relay_rod", .file = "dw_front_offroad"},
    {.name = "short_idler_arm", .file = "dw_front_offroad", .set = {"steering.other_pivot=[-0.300, -0.330, 0.430]"}},
    {.name = "push_rod", .file = "pushrod_front_formula"},
    {.name = "semi_trailing_arm", .file = "sta_rear_sedan"},
    {.name = "rods", .file = "5link_front_limousine"},
    {.name = "blade", .file = "multilink_rear_compact"},
    {.name = "damper_off_line", .file = "multilink_rear_sedan"},
    {.name = "twist_beam", .file = "twist_beam_rear_compact"},
    {.name = "steered_axle", .file = "panhard_front_offroad"},
    {.name = "carried_tie_rod",
     .file = "panhard_front_offroad",
     .set = {"steering.tie_rod={left: [-0.170, 0.605, 0.310], right: [0.169, -0.314, 0.4505], joins: drag_link, "
             "stiffness: 20 kN/mm}"}},
    {.name = "free_wheel", .file = "dw_front_sedan", .hold = VD_HOLD_FREE, .fz = 3000.0},
    {.name = "soft_ball_joints",
     .file = "multilink_rear_compact",
     .set = {"ball_joints={trailing_upper: 3e6, trailing_lower: 4e6}"}},
    {.name = "bushing_laws",
     .file = "dw_front_sports",
     .set =
         {"bushings.lca_front={translation: [5e6, 9e6, 2e6], rotation: [60, 30, 60], x_axis: [1, 0.4, 0.1], z_axis: "
          "[0, 0.2, 1]}",
          "bushings.lca_rear={translation: [4e6, 8e6, 2e6], cubic_translation: [2e12, 3e12, 1e12], preload_force: [0, "
          "900, 0]}",
          "bushings.uca_front={translation: [4e6, 8e6, 2e6], force_y: [[-0.002, -9000], [0, 0], [0.001, 4000], [0.004, "
          "30000]]}"}},
    {.name = "wishbones", .file = "dw_front_sports"},
};

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
                  {"kingpin.lower_right", a->kingpin[1][0]},
                  {"kingpin.upper_right", a->kingpin[1][1]},
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

/* --- a corner and its derivatives --- */

typedef struct subject {
  vd_arena *arena;
  vd_diag *d;
  vd_corner corner;
  vd_kc_plan plan;
  vd_kc_report report;
  vd_sensitivity *s;
  size_t count;
} subject;

static bool begin(size_t number, subject *out) {
  static vd_sensitivity all[VD_SENSITIVITIES];
  vd_setting set[5] = {{.text = NULL}};
  char path[128];
  size_t count = 0;
  *out = (subject){.arena = vd_arena_create(), .d = vd_diag_create(), .plan = vd_kc_plan_default(), .s = all};
  out->plan.hold = cases[number].hold;
  if (cases[number].fz > 0.0)
    out->plan.load.fz = cases[number].fz;
  for (; count < 5 && cases[number].set[count]; count++)
    set[count].text = cases[number].set[count];
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", cases[number].file);
  return vd_corner_read(path, set, count, out->arena, out->d, &out->corner, NULL) &&
         vd_kc_sensitivities(&out->corner, &out->plan, all, &out->count, &out->report);
}

static void end(subject *s) {
  vd_buf_finish(&s->report.messages);
  vd_diag_destroy(s->d);
  vd_arena_destroy(s->arena);
}

static double metric_of(const subject *s, const char *name) {
  vd_kc_metrics m = {.count = 0};
  vd_kc_report report;
  double value = NAN;
  if (vd_kc_metrics_of(&s->corner, &s->plan, &m, &report))
    for (size_t i = 0; i < m.count; i++)
      if (strcmp(vd_kc_figures[m.metric[i].figure].name, name) == 0)
        value = m.metric[i].value;
  vd_buf_finish(&report.messages);
  return value;
}

/* --- the table --- */

static const vd_sensitivity *find(const subject *s, const char *metric, const char *point, int axis, const char *unit) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->s[i].metric, metric) == 0 && strcmp(s->s[i].point, point) == 0 && s->s[i].axis == axis &&
        strcmp(s->s[i].unit, unit) == 0)
      return &s->s[i];
  return NULL;
}

/* Compares with the table, whose rows are at least a tenth of the largest derivative of their metric. */
static void test_table(const subject *s, const char *name) {
  char line[256];
  size_t compared = 0, agree = 0;
  FILE *f = fopen("tests/kc/sensitivity.csv", "r");
  while (f && fgets(line, sizeof line, f)) {
    char of[64], metric[64], point[64], axis[8], unit[64];
    double expected;
    if (sscanf(line, "%63[^,],%63[^,],%63[^,],%7[^,],%lf,%63[^\n]", of, metric, point, axis, &expected, unit) != 6 ||
        strcmp(of, name) != 0)
      continue;
    const vd_sensitivity *found = find(s, metric, point, *axis == '-' ? -1 : *axis - 'x', unit);
    bool good = found && fabs(found->value - expected) <= 1e-7 * fabs(expected);
    compared++;
    agree += good;
    if (!good)
      tap_diag("%s by %s %s: %.12g, expected %.12g", metric, point, axis, found ? found->value : NAN, expected);
  }
  if (f)
    fclose(f);
  tap_ok(compared >= 10 && agree == compared, "%s: %zu of %zu derivatives are those of the closed forms", name, agree,
         compared);
}

/* --- laws --- */

static bool is_sorted(const subject *s) {
  for (size_t i = 1; i < s->count; i++) {
    const vd_sensitivity *a = &s->s[i - 1], *b = &s->s[i];
    bool one = a->place == b->place && a->by_rate == b->by_rate;
    if (one ? fabs(a->value) < fabs(b->value) : a->place > b->place)
      return false;
  }
  return s->count > 0;
}

/* Checks that no metric changes if all points move ahead or up together. */
static bool stays(const subject *s) {
  double sum[VD_KC_METRICS][3] = {{0.0}}, largest[VD_KC_METRICS] = {0.0};
  bool good = true;
  for (size_t i = 0; i < s->count; i++)
    if (!s->s[i].by_rate) {
      sum[s->s[i].place][s->s[i].axis] += s->s[i].value;
      largest[s->s[i].place] = tap_max(largest[s->s[i].place], fabs(s->s[i].value));
    }
  for (int k = 0; k < VD_KC_METRICS; k++)
    for (int axis = 0; axis < 3; axis += 2)
      if (!(fabs(sum[k][axis]) <= 1e-8 * largest[k] + 1e-12)) {
        tap_diag("figure %d along %d: %.3g of %.3g", k, axis, sum[k][axis], largest[k]);
        good = false;
      }
  return good;
}

/* Checks metrics that do not depend on the wheel's radius: in a suspension of twice the size they are 2^degree times as
 * large, so that by Euler's theorem on homogeneous functions the sum of coordinates times derivatives is the degree
 * times the metric. */
static bool scales(const subject *s) {
  static const struct {
    const char *metric;
    double degree;
  } laws[] = {{"toe_travel", -1.0},  {"camber_travel", -1.0}, {"track_travel", 0.0},   {"caster_travel", -1.0},
              {"toe_rack", -1.0},    {"caster_rack", -1.0},   {"caster", 0.0},         {"kpi", 0.0},
              {"drive_slope", 0.0},  {"side_arm", 1.0},       {"kingpin_offset", 1.0}, {"spindle_trail", 1.0},
              {"motion_ratio", 0.0}, {"damper_ratio", 0.0},   {"steering_ratio", 0.0}, {"wheel_recession_travel", 0.0}};
  bool good = true;
  for (size_t k = 0; k < VD_COUNT(laws); k++) {
    double sum = 0.0, size = 0.0, value = laws[k].degree == 0.0 ? 0.0 : metric_of(s, laws[k].metric);
    for (size_t i = 0; i < s->count; i++) {
      if (s->s[i].by_rate || strcmp(s->s[i].metric, laws[k].metric) != 0)
        continue;
      const double *place = place_of(&s->corner, s->s[i].point);
      double term = place ? 1e3 * place[s->s[i].axis] * s->s[i].value : NAN;
      sum += term;
      size += fabs(term);
    }
    if (size > 0.0 && !(fabs(sum - laws[k].degree * value) <= 1e-8 * size + 1e-12)) {
      tap_diag("%s: %.9g, expected %.9g", laws[k].metric, sum, laws[k].degree * value);
      good = false;
    }
  }
  return good;
}

/* Tests that without loads and springs a compliance is inversely proportional to a common factor of all stiffnesses, so
 * that the sum of its derivatives by shares of the stiffnesses is minus the compliance. */
static void test_inverse(void) {
  static const char *const compliances[] = {
      "toe_fx",     "toe_fy",     "toe_mz",     "camber_fx",  "camber_fy",     "camber_mz",       "wheel_x_fx",
      "wheel_y_fy", "patch_y_fy", "patch_x_fy", "patch_y_fx", "toe_fx_centre", "camber_fx_centre"};
  subject s;
  size_t agree = 0;
  bool good = begin(VD_COUNT(cases) - 1, &s);
  s.plan.load.fz = 0.0;
  vd_buf_finish(&s.report.messages);
  good = good && vd_kc_sensitivities(&s.corner, &s.plan, s.s, &s.count, &s.report);
  for (size_t k = 0; good && k < VD_COUNT(compliances); k++) {
    double sum = 0.0, here = metric_of(&s, compliances[k]);
    for (size_t i = 0; i < s.count; i++)
      if (s.s[i].by_rate && strcmp(s.s[i].metric, compliances[k]) == 0)
        sum += 100.0 * s.s[i].value;
    agree += fabs(sum + here) <= 1e-8 * fabs(here);
  }
  tap_ok(agree == VD_COUNT(compliances),
         "compliances are inversely proportional to a factor of all stiffnesses: %zu of %zu", agree,
         VD_COUNT(compliances));
  end(&s);
}

static void test_case(size_t number) {
  const char *name = cases[number].name;
  subject s;
  bool good = begin(number, &s);
  tap_ok(good && s.report.messages.length == 0 && is_sorted(&s), "%s: %zu derivatives are sorted", name, s.count);
  test_table(&s, name);
  tap_ok(good && stays(&s), "%s: moving all points together, ahead or up, changes no metric", name);
  tap_ok(good && scales(&s), "%s: metrics grow with the size as their units do", name);
  end(&s);
}

int main(void) {
  tap_plan((int)(4 * VD_COUNT(cases) + 1));
  test_inverse();
  for (size_t i = 0; i < VD_COUNT(cases); i++)
    test_case(i);
  return tap_done();
}
