/* Derivatives by the coordinates of hardpoints, against central differences of the figures of moved hardpoints. */
#include "base/arena.h"
#include "base/vec.h"
#include "kc/sensitivity.h"
#include "kc/sweep.h"
#include "suspension/corner_def.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"mp_front_sedan",        "mp_rear_chapman",        "dw_front_sports",
                                    "pushrod_front_formula", "ta_rear_sedan",          "sta_rear_sedan",
                                    "5link_rear_sports",     "multilink_rear_compact", "twist_beam_rear_compact",
                                    "four_link_rear_suv",    "panhard_rear_coupe",     "5link_front_limousine",
                                    "dw_front_offroad",      "multilink_rear_sedan",   "integral_link_rear_limousine"};

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

/* Moves a hardpoint and what stands in its place. */
static vd_corner moved(const vd_corner *corner, const double *from, int axis, double h) {
  vd_corner c = *corner;
  bool axle = vd_linkage_traits_of(c.points.type)->axle;
  shift(c.points.wheel_center, from, false, axis, h);
  for (int i = 0; i < c.points.members; i++) {
    vd_member *m = &c.points.member[i];
    shift(m->chassis[0], from, axle, axis, h);
    shift(m->chassis[1], from, axle, axis, h);
    shift(m->knuckle, from, axle, axis, h);
  }
  shift(c.points.gear.pivot, from, false, axis, h);
  shift(c.points.gear.joint, from, false, axis, h);
  return c;
}

static double metric(const vd_corner *corner, const char *name) {
  const vd_kc_plan plan = vd_kc_plan_default();
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  vd_kc_metrics m;
  vd_kc_report report;
  double value = NAN;
  if (strstr(name, "_slope")) {
    if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
      return NAN;
    vd_linkage_start(&l, &start);
    vd_kc_state_at(corner, &l, &start, &s);
    return strcmp(name, "brake_slope") == 0 ? s.brake_slope : s.drive_slope;
  }
  if (vd_kc_metrics_of(corner, &plan, &m, &report))
    for (size_t i = 0; i < m.count; i++)
      if (strcmp(m.metric[i].name, name) == 0)
        value = m.metric[i].value;
  vd_buf_finish(&report.messages);
  return value;
}

/* Per mm, extrapolated: the error is of the fourth order. A long swing arm is far from linear in what moves it; its
 * reciprocal is not. */
static double difference(const vd_corner *corner, const vd_sensitivity *s, const double *place) {
  const bool arm = strstr(s->metric, "_arm") != NULL;
  double d[2], here = arm ? metric(corner, s->metric) : 1.0;
  for (int i = 0; i < 2; i++) {
    double h = i ? 5e-4 : 1e-3;
    vd_corner up = moved(corner, place, s->axis, h), down = moved(corner, place, s->axis, -h);
    double high = metric(&up, s->metric), low = metric(&down, s->metric);
    d[i] = (arm ? here * here * (1.0 / low - 1.0 / high) : high - low) / (2e3 * h);
  }
  return (4.0 * d[1] - d[0]) / 3.0;
}

static const double *place_of(const vd_corner *c, const char *key) {
  if (strncmp(key, "steering.", 9) == 0)
    return strcmp(key, "steering.pivot") == 0 ? c->points.gear.pivot : c->points.gear.joint;
  for (int i = 0; i < c->points.members; i++)
    for (int k = 0; k < VD_MEMBER_POINTS; k++) {
      const char *name = vd_corner_point(c->points.type, i, (enum vd_member_point)k);
      const vd_member *m = &c->points.member[i];
      if (name && strcmp(name, key) == 0)
        return k == VD_AT_KNUCKLE ? m->knuckle : m->chassis[k == VD_CHASSIS_B];
    }
  return c->points.wheel_center;
}

static void test_file(const char *name) {
  static vd_sensitivity s[VD_SENSITIVITIES];
  char path[128];
  size_t count = 0;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner c;
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool good = vd_corner_read(path, NULL, 0, arena, d, &c, NULL);
  for (int i = 0; i < VD_MEMBERS && good; i++) { /* rigid: the elastic figures are not of interest, and slow */
    c.bushing[i][0].given = c.bushing[i][1].given = false;
    c.ball_stiffness[i] = INFINITY;
  }
  good = good && vd_kc_sensitivities(&c, s, &count) && count > 0;
  double largest = 0.0;
  bool sorted = true, all = good;
  for (size_t i = 0; i < count && good; i++) {
    bool first = i == 0 || strcmp(s[i].metric, s[i - 1].metric) != 0;
    largest = first ? fabs(s[i].value) : largest;
    sorted &= first || fabs(s[i].value) <= fabs(s[i - 1].value);
    double off = fabs(s[i].value - difference(&c, &s[i], place_of(&c, s[i].point)));
    /* of the largest of its figure; 1e-12 where all of them are zero by symmetry */
    bool equal = off <= 1e-6 * largest + 1e-12;
    all &= equal;
    if (!equal)
      tap_diag("%s by %s %c: %.12g, difference %.12g", s[i].metric, s[i].point, "xyz"[s[i].axis], s[i].value,
               difference(&c, &s[i], place_of(&c, s[i].point)));
  }
  tap_ok(good && sorted, "%s: %zu derivatives, sorted", name, count);
  tap_ok(all, "%s: and equal to differences", name);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(2 * sizeof names / sizeof *names);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    test_file(names[i]);
  return tap_done();
}
