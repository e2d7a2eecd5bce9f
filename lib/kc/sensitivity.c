/* Derivatives of the metrics by central differences. One number of a corner is changed by +h and by -h; the difference
 * of the metrics over 2 h is the derivative except for terms in h^2, h^4 and so on. Steps h, h/2 and h/4 remove the
 * first two of these (Richardson's extrapolation).
 *
 * The steps balance two errors: the next term of the series, (h/length)^6 with the lengths of links and arms, and the
 * relative rounding error of the metrics, 1e-12, divided by h. Newton's method closes linkages and equilibria to the
 * rounding error of their places. Steps of 0.15 % of the wheel's radius and of 1 % of a rate keep both errors below
 * 1e-8 of a metric's largest derivative. The first is about 0.5 mm for a car, so that a point on the line of a rod
 * stays on it (VD_ON_LINE). */
#include "kc/sensitivity.h"

#include "base/memory.h"
#include "base/vec.h"
#include "kc/kc_impl.h"
#include "kc/sweep_impl.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };
static const double length_step = 1.5e-3; /* as a share of the wheel's radius */
static const double share_step = 1e-2;    /* as a share of a rate */
static const double coincident = 1e-9;    /* m; points that are not farther apart than this coincide */

/* A change of some numbers of the corner, each by its slope times the step. */
typedef struct change {
  char key[VD_SENSITIVE_NAME];
  int axis;
  bool by_rate;
  enum vd_kc_part first, last; /* of the metrics that may depend on these numbers */
  size_t count;
  double *number[VD_HARDPOINTS], value[VD_HARDPOINTS], slope[VD_HARDPOINTS];
} change;

typedef struct hardpoint {
  char key[VD_SENSITIVE_NAME];
  double *place;
  enum vd_kc_part first, last;
} hardpoint;

typedef struct listing {
  vd_corner corner; /* its numbers are changed and restored */
  const vd_kc_plan *plan;
  vd_kc_metrics design;
  hardpoint point[VD_HARDPOINTS];
  size_t points;
  vd_sensitivity *out;
  size_t count;
} listing;

/* --- metrics --- */

/* Computes the metrics, and then the slopes of the wheel's path, to which anti-dive, anti-lift and anti-squat are
 * proportional: unlike these shares, the slopes need no data of the car. */
static bool find_metrics(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_metrics *out, vd_kc_report *report) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  if (!vd_kc_metrics_of(corner, plan, out, report) || !vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return false;
  assert(out->count + 2 <= VD_KC_METRICS);
  vd_linkage_start(&l, &start);
  vd_kc_state_at(corner, &l, &start, &s);
  out->metric[out->count++] = (vd_kc_metric){VD_FIGURE_BRAKE_SLOPE, s.brake_slope, "", VD_KC_LINKAGE};
  out->metric[out->count++] = (vd_kc_metric){VD_FIGURE_DRIVE_SLOPE, s.drive_slope, "", VD_KC_LINKAGE};
  return true;
}

/* Returns whether a metric is the length of a swing arm, which may be infinite: its reciprocal is smooth. */
static bool is_swing_arm(const listing *l, size_t metric) {
  enum vd_kc_figure figure = l->design.metric[metric].figure;
  return figure == VD_FIGURE_FRONT_ARM || figure == VD_FIGURE_SIDE_ARM;
}

/* Adds `share` times the metrics of the corner changed by a step; NAN if the changed corner has no linkage or another
 * number of metrics. */
static void add_metrics(listing *l, const change *c, double step, double share, double *sum) {
  vd_kc_metrics m;
  vd_kc_report report;
  for (size_t i = 0; i < c->count; i++)
    *c->number[i] = c->value[i] + c->slope[i] * step;
  bool good = find_metrics(&l->corner, l->plan, &m, &report) && m.count == l->design.count;
  for (size_t i = 0; i < l->design.count; i++)
    sum[i] += good ? share * (is_swing_arm(l, i) ? 1.0 / m.metric[i].value : m.metric[i].value) : NAN;
  for (size_t i = 0; i < c->count; i++)
    *c->number[i] = c->value[i];
  vd_buf_finish(&report.messages);
}

/* Computes the derivatives: per m of a place, or per 1 (100 %) of a rate. */
static void find_derivatives(listing *l, const change *c, double *out) {
  double d[STEPS][VD_KC_METRICS] = {{0.0}}, step = c->by_rate ? share_step : length_step;
  if (!c->by_rate)
    step *= l->corner.points.static_radius;
  for (int i = 0; i < STEPS; i++, step *= 0.5) {
    add_metrics(l, c, step, 0.5 / step, d[i]);
    add_metrics(l, c, -step, -0.5 / step, d[i]);
  }
  for (size_t k = 0; k < l->design.count; k++) {
    double value = l->design.metric[k].value;
    double coarse = (4.0 * d[1][k] - d[0][k]) / 3.0, fine = (4.0 * d[2][k] - d[1][k]) / 3.0;
    out[k] = (16.0 * fine - coarse) / 15.0 * (is_swing_arm(l, k) ? -value * value : 1.0);
  }
}

/* Writes the unit of a derivative: "deg/mm2" for "deg/mm" by mm, "1/mm" for "mm/mm", "(N/mm)/%" for "N/mm" by a
 * rate. */
static void write_unit(const char *unit, bool by_rate, char *out) {
  const char *by = by_rate ? "%" : "mm";
  if (strcmp(unit, "mm/mm") == 0)
    unit = "1";
  else if (!by_rate && strcmp(unit, "deg/mm") == 0) {
    unit = "deg";
    by = "mm2";
  }
  snprintf(out, VD_SENSITIVE_NAME, strchr(unit, '/') ? "(%s)/%s" : "%s/%s", unit, by);
}

static void add_rows(listing *l, const change *c) {
  double derivative[VD_KC_METRICS];
  find_derivatives(l, c, derivative);
  for (size_t i = 0; i < l->design.count; i++) {
    const vd_kc_metric *m = &l->design.metric[i];
    if (isnan(derivative[i]) || m->part < c->first || m->part > c->last)
      continue;
    vd_sensitivity *s = &l->out[l->count++];
    *s = (vd_sensitivity){.place = (int)i,
                          .metric = vd_kc_figures[m->figure].name,
                          .axis = c->axis,
                          .by_rate = c->by_rate,
                          .value = derivative[i] * (c->by_rate ? 1e-2 : 1e-3)};
    write_unit(vd_kc_figures[m->figure].unit, c->by_rate, s->unit);
    memcpy(s->point, c->key, sizeof s->point);
  }
}

/* --- hardpoints --- */

/* Adds a point to the hardpoints. key "": the point is not in suspension files; it moves with the points at its
 * place. */
static void collect(listing *l, const char *group, const char *key, double *place, enum vd_kc_part first,
                    enum vd_kc_part last) {
  assert(l->points < VD_HARDPOINTS);
  hardpoint *p = &l->point[l->points++];
  *p = (hardpoint){.place = place, .first = first, .last = last};
  snprintf(p->key, sizeof p->key, "%s%s", *key ? group : "", key);
}

/* Adds the points of a spring or damper. A point of the damper that coincides with one of the spring moves with it and
 * is listed as the spring's. */
static void collect_element(listing *l, const char *name, vd_element *e, enum vd_kc_part first, enum vd_kc_part last) {
  const char *const key[] = {"chassis", "eye", "rocker.pivot", "rocker.rod_part", "rocker.rod_rocker"};
  double *const place[] = {e->chassis, e->eye, e->pivot, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < (!e->given ? 0 : e->rocker ? VD_COUNT(key) : 2); i++)
    collect(l, name, key[i], place[i], first, last);
}

static void collect_steering(listing *l) {
  vd_axle_steer *s = &l->corner.points.steer;
  vd_gear *g = &l->corner.points.gear;
  const bool relay = g->kind == VD_GEAR_RELAY, other = relay && g->asymmetric;
  const struct {
    const char *key;
    double *place;
    bool exists;
  } point[] = {{"pivot", g->pivot, relay || (s->given && g->kind == VD_GEAR_PITMAN)},
               {"joint", g->joint, relay},
               {"other_pivot", g->other_pivot, other},
               {"other_joint", g->other_joint, other},
               {"kingpin.lower", s->kingpin[0][0], s->given},
               {"kingpin.upper", s->kingpin[0][1], s->given},
               {"kingpin.lower_right", s->kingpin[1][0], s->given},
               {"kingpin.upper_right", s->kingpin[1][1], s->given},
               {"drag_link.gear", s->drag_link[0], s->given},
               {"drag_link.knuckle", s->drag_link[1], s->given},
               {"tie_rod.left", s->tie_rod[0], s->given},
               {"tie_rod.right", s->tie_rod[1], s->given}};
  for (size_t i = 0; i < (s->given ? VD_COUNT(point) : 4); i++)
    collect(l, "steering.", point[i].exists ? point[i].key : "", point[i].place, VD_KC_LINKAGE, VD_KC_COMPLIANCE);
}

static void collect_points(listing *l) {
  vd_hardpoints *h = &l->corner.points;
  const bool virtual_axis = vd_linkage_traits_of(h->type)->steering == VD_STEERING_RODS;
  const char *key[VD_KC_PLACES];
  double *place[VD_KC_PLACES];
  size_t count = vd_kc_places(h, key, place);
  for (size_t i = 0; i < count; i++)
    collect(l, "", key[i] ? key[i] : "", place[i], VD_KC_LINKAGE, VD_KC_COMPLIANCE);
  collect_steering(l);
  /* the linkage depends on points of the spring only if its steering axis is found at constant length of the spring */
  collect_element(l, "spring.", &h->spring, virtual_axis ? VD_KC_LINKAGE : VD_KC_DAMPER, VD_KC_COMPLIANCE);
  collect_element(l, "damper.", &h->damper, VD_KC_DAMPER, VD_KC_DAMPER);
}

/* Returns 1 if both places are one hardpoint, -1 if they are mirror images on a rigid axle, otherwise 0. */
static int joins(const listing *l, const double *a, const double *b) {
  const double image[3] = {a[0], -a[1], a[2]};
  if (vd_distance(a, b) <= coincident)
    return 1;
  return vd_linkage_traits_of(l->corner.points.type)->axle && vd_distance(image, b) <= coincident ? -1 : 0;
}

/* Adds the changes of a hardpoint with all points that join it, unless it joins an earlier point. */
static void add_point(listing *l, size_t k) {
  const hardpoint *p = &l->point[k];
  for (size_t i = 0; i < k; i++)
    if (*l->point[i].key && joins(l, l->point[i].place, p->place) != 0)
      return;
  for (int axis = 0; axis < 3; axis++) {
    change c = {.axis = axis, .first = p->first, .last = p->last};
    memcpy(c.key, p->key, sizeof c.key);
    for (size_t i = 0; i < l->points; i++) {
      int side = joins(l, p->place, l->point[i].place);
      if (side == 0)
        continue;
      c.number[c.count] = &l->point[i].place[axis];
      c.value[c.count] = l->point[i].place[axis];
      c.slope[c.count++] = axis == 1 ? side : 1.0;
    }
    add_rows(l, &c);
  }
}

/* --- rates --- */

/* Adds the change of a rate; nothing for a joint that is rigid or missing. */
static void add_rate(listing *l, double *rate, const char *key, int axis, enum vd_kc_part first) {
  change c = {.axis = axis, .by_rate = true, .first = first, .last = VD_KC_COMPLIANCE, .count = 1};
  if (!(*rate > 0.0) || isinf(*rate))
    return;
  snprintf(c.key, sizeof c.key, "%s", key);
  c.number[0] = rate;
  c.value[0] = c.slope[0] = *rate;
  add_rows(l, &c);
}

/* Adds the rates of a bushing. A direction with a table of forces has none. */
static void add_bushing(listing *l, int member, int point) {
  vd_bushing *b = &l->corner.bushing[member][point];
  const char *name = vd_corner_bushing(l->corner.points.type, member, point);
  for (int i = 0; i < 6 && b->given && name; i++) {
    char key[VD_SENSITIVE_NAME];
    snprintf(key, sizeof key, "bushings.%s.%s", name, i < 3 ? "translation" : "rotation");
    if (l->corner.law[member][point].table[i].count == 0)
      add_rate(l, &b->stiffness[i], key, i % 3, VD_KC_COMPLIANCE);
  }
}

static void add_rates(listing *l) {
  vd_corner *c = &l->corner;
  if (c->points.spring.given)
    add_rate(l, &c->spring_rate, "spring.rate", -1, VD_KC_RATE);
  for (int m = 0; m < c->points.members; m++) {
    char key[VD_SENSITIVE_NAME];
    snprintf(key, sizeof key, "ball_joints.%s", c->points.member[m].name);
    add_rate(l, &c->ball_stiffness[m], key, -1, VD_KC_COMPLIANCE);
    add_bushing(l, m, 0);
    add_bushing(l, m, 1);
  }
  if (c->points.steer.given) {
    add_rate(l, &c->points.steer.drag_link_stiffness, "steering.drag_link.stiffness", -1, VD_KC_COMPLIANCE);
    add_rate(l, &c->points.steer.tie_rod_stiffness, "steering.tie_rod.stiffness", -1, VD_KC_COMPLIANCE);
  }
}

/* --- all of them --- */

/* Orders by metric, places before rates, the largest first. */
static int by_size(const void *a, const void *b) {
  const vd_sensitivity *x = a, *y = b;
  int metric = x->place - y->place, kind = x->by_rate - y->by_rate;
  int size = (fabs(x->value) < fabs(y->value)) - (fabs(x->value) > fabs(y->value));
  int point = strcmp(x->point, y->point);
  return metric ? metric : kind ? kind : size ? size : point ? point : x->axis - y->axis;
}

bool vd_kc_sensitivities(const vd_corner *corner, const vd_kc_plan *plan, vd_sensitivity *out, size_t *count,
                         vd_kc_report *report) {
  listing l = {.corner = *corner, .plan = plan, .out = out};
  *count = 0;
  if (!find_metrics(corner, plan, &l.design, report))
    return false;
  collect_points(&l);
  for (size_t k = 0; k < l.points; k++)
    if (*l.point[k].key)
      add_point(&l, k);
  add_rates(&l);
  qsort(out, l.count, sizeof *out, by_size);
  *count = l.count;
  return true;
}

bool vd_kc_sensitivities_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  vd_sensitivity *s = vd_allocate(VD_SENSITIVITIES, sizeof *s);
  size_t count;
  bool good = vd_kc_sensitivities(corner, plan, s, &count, report);
  if (good)
    vd_buf_puts(out, "metric,point,axis,derivative,unit\n");
  for (size_t i = 0; i < count; i++) {
    const char axis[2] = {s[i].axis < 0 ? '\0' : "xyz"[s[i].axis], '\0'};
    vd_buf_printf(out, "%s,%s,%s", s[i].metric, s[i].point, axis);
    vd_kc_field(s[i].value, plan->digits, out);
    vd_buf_printf(out, ",%s\n", s[i].unit);
  }
  free(s);
  return good;
}
