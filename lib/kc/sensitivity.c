/* By the implicit function theorem.
 *
 * A displacement q of a hardpoint is taken for the second input of the linkage, beside the travel (or the rack) u. At
 * the design position the pose does not depend on q: links are as long as the hardpoints say. Its mixed derivative
 * does, by the mixed derivative of each constraint f(pose, u, q) = 0, with d = p + R b - a as in linkage.h, its length
 * L, and w the turn by u:
 *
 *   rod              d . d_uq = -d_q . d_u
 *   slide and plane  n . d_uq = -n_q . d_u
 *   d_q = e_b - e_a, d_uq = x + y x r + w x (e_b - e_p)
 *
 * where e are the displacements by q of the chassis point a, the knuckle's point b and the wheel centre p, and x, y are
 * the mixed derivatives of the wheel centre's place and of the turn. These six equations have the matrix of the pose
 * itself. Put into a pose, x and y make every figure that is a jet have its derivative by q, and its rate by u that of
 * the rate. */
#include "kc/sensitivity.h"

#include "base/num.h"
#include "base/vec.h"
#include "kc/kc_impl.h"
#include "math/lu.h"

#include <stdlib.h>
#include <string.h>

enum { N = VD_JOINTS };

static const double same = 1e-9; /* m, nearer than which two points are one */

/* A hardpoint that moves along an axis, and a direction of the inputs. */
typedef struct variation {
  const vd_linkage *l;
  const double *place; /* of the hardpoint */
  int axis;
  double along[VD_INPUTS];
  double centre[3]; /* e of the wheel centre */
  double turn[3];   /* w */
  vd_pose pose;     /* by u and q */
} variation;

/* --- displacements --- */

/* e of a point at a design place. */
static void displacement(const variation *v, const double *place, double *e) {
  const double image[3] = {v->place[0], -v->place[1], v->place[2]};
  memset(e, 0, 3 * sizeof *e);
  if (vd_distance(place, v->place) <= same)
    e[v->axis] = 1.0;
  else if (v->l->axle && vd_distance(place, image) <= same)
    e[v->axis] = v->axis == 1 ? -1.0 : 1.0;
}

/* Of the chassis point of a joint. Both points of a twist beam's axis in heave are at the height of the pivot. */
static void joint_displacement(const variation *v, const vd_joint *j, double *e) {
  const vd_hardpoints *h = &v->l->points;
  displacement(v, j->chassis, e);
  if (v->l->beam && v->l->motion == VD_PARALLEL && vd_distance(v->place, h->member[0].chassis[0]) <= same &&
      vd_distance(j->chassis, h->wheel_center) > same && v->axis != 1)
    e[v->axis] = 1.0;
}

/* n of a slide stays across the strut's line A: n_q = -(n . A_q) A/A^2. */
static void slide_direction(const variation *v, const double *n, double *n_q) {
  const vd_member *strut = &v->l->points.member[vd_kc_strut(&v->l->points)];
  double top[3], bottom[3], change[3], line[3];
  displacement(v, strut->chassis[0], top);
  displacement(v, strut->knuckle, bottom);
  vd_between(strut->knuckle, strut->chassis[0], line);
  vd_between(bottom, top, change);
  double share = -vd_dot(n, change) / vd_dot(line, line);
  for (int i = 0; i < 3; i++)
    n_q[i] = share * line[i];
}

/* --- the pose --- */

static vd_jet3 moved_point(const variation *v, const double *design) {
  double e[3];
  displacement(v, design, e);
  return (vd_jet3){{design[0], {e[0]}, {0.0}}, {design[1], {e[1]}, {0.0}}, {design[2], {e[2]}, {0.0}}};
}

/* How the hardpoint changes the slope of a relay rod's point by the rack. */
static void gear_slope(const variation *v, const double *design, double *slope_q) {
  const vd_gear *g = &v->l->points.gear;
  vd_jet3 p = vd_relay_point(g->axis, moved_point(v, g->pivot), moved_point(v, g->joint), moved_point(v, design), 0.0);
  slope_q[0] = p.x.h[VD_UV];
  slope_q[1] = p.y.h[VD_UV];
  slope_q[2] = p.z.h[VD_UV];
}

/* Velocity of a point of the knuckle by u, and what is known of its derivative by q: as first derivative by q. */
static vd_jet3 knuckle_velocity(const variation *v, const double *design) {
  double r[3], e[3], value[3], slope[3];
  vd_between(v->l->points.wheel_center, design, r);
  displacement(v, design, e);
  for (int i = 0; i < 3; i++)
    e[i] -= v->centre[i];
  vd_cross(v->turn, r, value);
  vd_cross(v->turn, e, slope);
  for (int i = 0; i < 3; i++)
    value[i] += v->pose.velocity[0][i];
  return (vd_jet3){{value[0], {slope[0]}, {0.0}}, {value[1], {slope[1]}, {0.0}}, {value[2], {slope[2]}, {0.0}}};
}

/* From a point of the axis through a along the unit vector e. */
static vd_jet3 off_axis(vd_jet3 point, vd_jet3 a, vd_jet3 e) {
  vd_jet3 from = vd_jet3_sub(point, a);
  return vd_jet3_sub(from, vd_jet3_scale(vd_jet3_dot(from, e), e));
}

/* A rod on an arm: d . (v_b - v_x) = 0, with b its point at the knuckle and x that of the arm. The velocity of the
 * arm's ball joint q gives that of x: v_x = M v_q as in linkage.c, M of the moved hardpoints. What the knuckle's
 * unknown velocity adds is by the linkage's own M. */
static void set_carried(const variation *v, const vd_joint *j, double *row, double *right) {
  const vd_hardpoints *h = &v->l->points;
  int i = 0;
  while (h->member[i].base < VD_ON_MEMBER)
    i++;
  const vd_member *rod = &h->member[i], *arm = &h->member[rod->base - VD_ON_MEMBER];
  vd_jet3 a = moved_point(v, arm->chassis[0]), e = vd_jet3_sub(moved_point(v, arm->chassis[1]), a);
  e = vd_jet3_scale(vd_jet_inverse(vd_jet3_length(e)), e);
  vd_jet3 x = moved_point(v, rod->chassis[0]), point = off_axis(x, a, e);
  vd_jet3 ball = off_axis(moved_point(v, arm->knuckle), a, e), v_q = knuckle_velocity(v, arm->knuckle);
  vd_jet3 v_x = vd_jet3_add(vd_jet3_scale(vd_jet3_dot(ball, v_q), point),
                            vd_jet3_scale(vd_jet3_dot(vd_jet3_cross(e, ball), v_q), vd_jet3_cross(e, point)));
  v_x = vd_jet3_scale(vd_jet_inverse(vd_jet3_dot(ball, ball)), v_x);
  vd_jet3 d = vd_jet3_sub(moved_point(v, rod->knuckle), x);
  vd_jet change = vd_jet3_dot(d, vd_jet3_sub(knuckle_velocity(v, rod->knuckle), v_x));
  double n[3] = {d.x.v / j->length, d.y.v / j->length, d.z.v / j->length}, back[3], turn[3];
  *right = -change.d[0] / j->length;
  for (int k = 0; k < 3; k++) {
    back[k] = j->carry[0][k] * n[0] + j->carry[1][k] * n[1] + j->carry[2][k] * n[2];
    row[k] = n[k] - back[k];
  }
  vd_cross(j->body, n, row + 3);
  vd_cross(j->ball, back, turn);
  for (int k = 0; k < 3; k++)
    row[3 + k] -= turn[k];
}

/* One equation: its row and its right side. */
static void set_equation(const variation *v, const vd_joint *j, double *row, double *right) {
  double knuckle[3], e_a[3], e_b[3], d_u[3], d_q[3], force[3], shift[3], moving[3], n_q[3] = {0.0, 0.0, 0.0};
  const double *r = j->body;
  if (j->carried) {
    set_carried(v, j, row, right);
    return;
  }
  for (int i = 0; i < 3; i++)
    knuckle[i] = v->l->points.wheel_center[i] + r[i];
  joint_displacement(v, j, e_a);
  displacement(v, knuckle, e_b);
  if (j->kind != VD_JOINT_ROD)
    memcpy(e_b, e_a, sizeof e_b); /* both are one point at the design position */
  vd_cross(v->turn, r, d_u);
  for (int i = 0; i < 3; i++) {
    d_u[i] += v->pose.velocity[0][i] - v->along[0] * j->moves[0][i] - v->along[1] * j->moves[1][i];
    d_q[i] = e_b[i] - e_a[i];
    force[i] = j->kind == VD_JOINT_ROD ? (knuckle[i] - j->chassis[i]) / j->length : j->direction[i];
    shift[i] = e_b[i] - v->centre[i];
  }
  if (j->kind == VD_JOINT_SLIDE)
    slide_direction(v, j->direction, n_q);
  vd_cross(v->turn, shift, moving);
  *right = -vd_dot(force, moving) - vd_dot(n_q, d_u);
  if (j->kind == VD_JOINT_ROD)
    *right -= vd_dot(d_q, d_u) / j->length;
  if (j->geared && v->l->bends) {
    gear_slope(v, j->chassis, d_q);
    *right += v->along[1] * vd_dot(force, d_q);
  }
  memcpy(row, force, sizeof force);
  vd_cross(r, force, row + 3);
}

/* False: singular, which the design position of a linkage that was built is not. */
static bool vary(variation *v, const vd_pose *start) {
  double a[N * N], x[N];
  size_t order[N];
  const double weight[VD_SECONDS] = {v->along[0] * v->along[0], 2.0 * v->along[0] * v->along[1],
                                     v->along[1] * v->along[1]};
  v->pose = *start;
  memset(v->pose.velocity, 0, sizeof v->pose.velocity);
  memset(v->pose.spin, 0, sizeof v->pose.spin);
  memset(v->pose.accel, 0, sizeof v->pose.accel);
  memset(v->pose.angular, 0, sizeof v->pose.angular);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < VD_INPUTS; k++) {
      v->pose.velocity[0][i] += v->along[k] * start->velocity[k][i];
      v->pose.spin[0][i] += v->along[k] * start->spin[k][i];
    }
    for (int k = 0; k < VD_SECONDS; k++) {
      v->pose.accel[VD_UU][i] += weight[k] * start->accel[k][i];
      v->pose.angular[VD_UU][i] += weight[k] * start->angular[k][i];
    }
    v->turn[i] = v->pose.spin[0][i];
  }
  displacement(v, v->l->points.wheel_center, v->centre);
  memcpy(v->pose.velocity[1], v->centre, sizeof v->centre);
  for (int i = 0; i < N; i++)
    set_equation(v, &v->l->joint[i], a + i * N, &x[i]);
  vd_lu_factorise(a, N, order);
  vd_lu_solve(a, order, N, x);
  memcpy(v->pose.accel[VD_UV], x, 3 * sizeof *x);
  memcpy(v->pose.angular[VD_UV], x + 3, 3 * sizeof *x);
  return isfinite(x[0]);
}

/* A point of the knuckle. The pose takes it for one that keeps its place from the wheel centre. */
static vd_jet3 knuckle_point(const variation *v, const double *design) {
  double e[3], moving[3];
  vd_jet3 p = vd_pose_point(v->l, &v->pose, design);
  vd_jet *at[] = {&p.x, &p.y, &p.z};
  displacement(v, design, e);
  for (int i = 0; i < 3; i++)
    e[i] -= v->centre[i];
  vd_cross(v->turn, e, moving);
  for (int i = 0; i < 3; i++) {
    at[i]->d[1] += e[i];
    at[i]->h[VD_UV] += moving[i];
  }
  return p;
}

static vd_jet3 chassis_point(const variation *v, const double *design) {
  double e[3];
  displacement(v, design, e);
  return (vd_jet3){{design[0], {0.0, e[0]}, {0.0}}, {design[1], {0.0, e[1]}, {0.0}}, {design[2], {0.0, e[2]}, {0.0}}};
}

static void see_axis(const variation *v, const vd_kc_wheel *w, vd_kc_state *s) {
  const vd_hardpoints *h = &v->l->points;
  int lower = vd_kc_lower_arm(h), upper = vd_kc_upper_arm(h), strut = vd_kc_strut(h);
  if (lower < 0 || (upper < 0 && strut < 0))
    return;
  vd_jet3 point = knuckle_point(v, h->member[lower].knuckle);
  vd_jet3 end = strut >= 0 ? chassis_point(v, h->member[strut].chassis[0]) : knuckle_point(v, h->member[upper].knuckle);
  vd_kc_see_axis(w, point, vd_jet3_sub(end, point), s);
}

/* --- figures --- */

/* The derivative by q of a rate by u over another. */
static double of_quotient(vd_jet a, vd_jet b) {
  return (a.h[VD_UV] * b.d[0] - a.d[0] * b.h[VD_UV]) / (b.d[0] * b.d[0]);
}

enum metric {
  TOE_TRAVEL,
  CAMBER_TRAVEL,
  TRACK_TRAVEL,
  RECESSION,
  PATCH_TRACK,
  CASTER_TRAVEL,
  BRAKE_SLOPE,
  DRIVE_SLOPE,
  TOE_RACK,
  CASTER_RACK,
  ROLL_CENTRE,
  ROLL_STEER,
  ROLL_CAMBER,
  CASTER,
  KPI,
  SCRUB,
  TRAIL,
  KINGPIN_OFFSET,
  SPINDLE_TRAIL,
  FRONT_ARM,
  FRONT_ANGLE,
  SIDE_ARM,
  SIDE_ANGLE,
  METRICS
};
_Static_assert(METRICS == (int)VD_SENSITIVE, "room for all");

/* scale: from SI per m */
static const struct {
  const char *name, *unit;
  double scale;
} known[METRICS] = {
    [TOE_TRAVEL] = {"toe_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI},
    [CAMBER_TRAVEL] = {"camber_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI},
    [TRACK_TRAVEL] = {"track_travel", "1/mm", 1e-3},
    [RECESSION] = {"wheel_recession_travel", "1/mm", 1e-3},
    [PATCH_TRACK] = {"patch_track_travel", "1/mm", 1e-3},
    [CASTER_TRAVEL] = {"caster_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI},
    [BRAKE_SLOPE] = {"brake_slope", "1/mm", 1e-3},
    [DRIVE_SLOPE] = {"drive_slope", "1/mm", 1e-3},
    [TOE_RACK] = {"toe_rack", "deg/mm2", 1e-3 * 0.18 / VD_PI},
    [CASTER_RACK] = {"caster_rack", "deg/mm2", 1e-3 * 0.18 / VD_PI},
    [ROLL_CENTRE] = {"roll_centre_z", "mm/mm", 1.0},
    [ROLL_STEER] = {"roll_steer", "(deg/deg)/mm", 1e-3},
    [ROLL_CAMBER] = {"roll_camber_body", "(deg/deg)/mm", 1e-3},
    [CASTER] = {"caster", "deg/mm", 0.18 / VD_PI},
    [KPI] = {"kpi", "deg/mm", 0.18 / VD_PI},
    [SCRUB] = {"scrub", "mm/mm", 1.0},
    [TRAIL] = {"trail", "mm/mm", 1.0},
    [KINGPIN_OFFSET] = {"kingpin_offset", "mm/mm", 1.0},
    [SPINDLE_TRAIL] = {"spindle_trail", "mm/mm", 1.0},
    [FRONT_ARM] = {"front_arm", "mm/mm", 1.0},
    [FRONT_ANGLE] = {"front_angle", "deg/mm", 0.18 / VD_PI},
    [SIDE_ARM] = {"side_arm", "mm/mm", 1.0},
    [SIDE_ANGLE] = {"side_angle", "deg/mm", 0.18 / VD_PI},
};

/* The figures of a pose by u and q; of the axis NAN without one. */
static void see(const variation *v, vd_kc_wheel *w, vd_kc_state *s) {
  const vd_jet none = vd_jet_nan();
  *s = (vd_kc_state){
      .caster = none, .kpi = none, .scrub = none, .trail = none, .kingpin_offset = none, .spindle_trail = none};
  vd_kc_place_wheel(v->l, &v->pose, false, w);
  vd_jet flat = vd_jet_add(vd_jet_mul(w->spin.x, w->spin.x), vd_jet_mul(w->spin.y, w->spin.y));
  s->toe = vd_jet_atan2(w->spin.x, w->spin.y);
  s->camber = vd_jet_atan2(vd_jet_scale(-1.0, w->spin.z), vd_jet_sqrt(flat));
  see_axis(v, w, s);
}

/* A rate by u as a jet by q; and that of the knuckle's turn, of which a is the mixed derivative, since q does not turn
 * the knuckle. */
static vd_jet rate_of(vd_jet a) {
  return (vd_jet){.v = a.d[0], .d = {0.0, a.h[VD_UV]}};
}

static vd_jet turn_of(const variation *v, int axis) {
  return (vd_jet){.v = v->turn[axis], .d = {0.0, v->pose.angular[VD_UV][axis]}};
}

/* Formulas: see_side_arm and see_front_arm in kc.c; `along` is the way of the wheel centre in the view. */
static void see_arm(const vd_kc_wheel *w, vd_jet turn, vd_jet along, vd_jet reach, double *arm, double *angle) {
  const double unturned = 1e-9;
  vd_jet down = vd_jet_sub(w->patch.z, w->centre.z), rise = rate_of(w->centre.z);
  vd_jet across = vd_jet_add(along, vd_jet_mul(turn, down)), up = vd_jet_sub(rise, vd_jet_mul(turn, reach));
  *angle = vd_jet_div(across, up).d[1] / (1.0 + across.v * across.v / (up.v * up.v));
  if (fabs(turn.v) > unturned)
    *arm = vd_jet_div(rise, turn).d[1];
}

static void by_travel(const variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  see(v, &w, &s);
  const double patch[3] = {w.patch.x.v, w.patch.y.v, w.patch.z.v};
  vd_jet3 held = vd_pose_point(v->l, &v->pose, patch); /* a point of the knuckle, as under braking */
  out[TOE_TRAVEL] = s.toe.h[VD_UV];
  out[CAMBER_TRAVEL] = s.camber.h[VD_UV];
  out[TRACK_TRAVEL] = w.centre.y.h[VD_UV];
  out[RECESSION] = w.centre.x.h[VD_UV];
  out[PATCH_TRACK] = w.patch.y.h[VD_UV];
  out[CASTER_TRAVEL] = s.caster.h[VD_UV];
  out[BRAKE_SLOPE] = of_quotient(held.x, w.centre.z);
  out[DRIVE_SLOPE] = of_quotient(w.centre.x, w.centre.z);
  see_arm(&w, turn_of(v, 1), rate_of(w.centre.x), vd_jet_sub(w.patch.x, w.centre.x), &out[SIDE_ARM], &out[SIDE_ANGLE]);
  out[CASTER] = s.caster.d[1];
  out[KPI] = s.kpi.d[1];
  out[SCRUB] = s.scrub.d[1];
  out[TRAIL] = s.trail.d[1];
  out[KINGPIN_OFFSET] = s.kingpin_offset.d[1];
  out[SPINDLE_TRAIL] = s.spindle_trail.d[1];
}

/* Formulas of roll centre, roll steer and roll camber: see_roll_centre in kc.c, put_roll in sweep_metrics.c. */
static void by_roll(const variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  see(v, &w, &s);
  vd_jet y = w.patch.y, z = w.patch.z;
  out[ROLL_CENTRE] = y.d[1] * y.d[0] / z.d[0] + y.v * of_quotient(y, z) + z.d[1] - v->centre[2];
  out[ROLL_STEER] = y.d[1] * s.toe.d[0] / z.d[0] + y.v * of_quotient(s.toe, z);
  /* a turn to the left about x in front view is one to the right in side view */
  see_arm(&w, vd_jet_scale(-1.0, turn_of(v, 0)), rate_of(w.centre.y), vd_jet_sub(y, w.centre.y), &out[FRONT_ARM],
          &out[FRONT_ANGLE]);
  out[FRONT_ARM] = -out[FRONT_ARM];
  out[ROLL_CAMBER] = -(y.d[1] * s.camber.d[0] / z.d[0] + y.v * of_quotient(s.camber, z));
}

static void by_rack(const variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  see(v, &w, &s);
  out[TOE_RACK] = s.toe.h[VD_UV];
  out[CASTER_RACK] = s.caster.h[VD_UV];
}

/* --- all of them --- */

typedef struct linkages {
  vd_linkage heave, roll;
  vd_pose start, rolling;
} linkages;

static void add_point(const linkages *l, const char *key, const double *place, vd_sensitivity *out, size_t *count) {
  bool axle = l->heave.axle;
  for (int axis = 0; axis < 3; axis++) {
    double value[METRICS];
    variation v = {.l = &l->heave, .place = place, .axis = axis, .along = {1.0, axle ? 1.0 : 0.0}};
    for (int i = 0; i < METRICS; i++)
      value[i] = NAN;
    if (vary(&v, &l->start))
      by_travel(&v, value);
    v = (variation){.l = &l->heave, .place = place, .axis = axis, .along = {0.0, 1.0}};
    if (vd_kc_steered(&l->heave) && vary(&v, &l->start))
      by_rack(&v, value);
    v = (variation){.l = &l->roll, .place = place, .axis = axis, .along = {1.0, axle ? -1.0 : 0.0}};
    if (vary(&v, &l->rolling))
      by_roll(&v, value);
    for (int i = 0; i < METRICS; i++)
      if (!isnan(value[i]))
        out[(*count)++] = (vd_sensitivity){known[i].name, known[i].unit, key, axis, known[i].scale * value[i]};
  }
}

static int place_of_metric(const char *name) {
  int i = 0;
  while (strcmp(known[i].name, name) != 0)
    i++;
  return i;
}

static int by_size(const void *a, const void *b) {
  const vd_sensitivity *x = a, *y = b;
  int metric = place_of_metric(x->metric) - place_of_metric(y->metric);
  int size = (fabs(x->value) < fabs(y->value)) - (fabs(x->value) > fabs(y->value));
  int point = strcmp(x->point, y->point);
  return metric ? metric : size ? size : point ? point : x->axis - y->axis;
}

/* Whether a point stands where one before it stands, or its mirror image. */
static bool is_repeated(const linkages *l, const double *place, const double *const *before, size_t count) {
  const variation v = {.l = &l->heave, .place = place};
  for (size_t i = 0; i < count; i++) {
    double e[3];
    displacement(&v, before[i], e);
    if (vd_norm(e) > 0.0)
      return true;
  }
  return false;
}

bool vd_kc_sensitivities(const vd_corner *corner, vd_sensitivity *out, size_t *count) {
  const vd_hardpoints *h = &corner->points;
  const double *place[3 * VD_MEMBERS + 1];
  linkages l;
  size_t points = 0;
  *count = 0;
  if (h->steer.given || !vd_linkage_build(h, VD_PARALLEL, &l.heave) || !vd_linkage_build(h, VD_OPPOSITE, &l.roll))
    return false;
  vd_linkage_start(&l.heave, &l.start);
  vd_linkage_start(&l.roll, &l.rolling);
  add_point(&l, "wheel.center", h->wheel_center, out, count);
  place[points++] = h->wheel_center;
  for (int i = 0; i < h->members; i++)
    for (int k = 0; k < VD_MEMBER_POINTS; k++) {
      const char *key = vd_corner_point(h->type, i, (enum vd_member_point)k);
      const double *at = k == VD_AT_KNUCKLE ? h->member[i].knuckle : h->member[i].chassis[k == VD_CHASSIS_B];
      if (!key || is_repeated(&l, at, place, points))
        continue;
      add_point(&l, key, at, out, count);
      place[points++] = at;
    }
  if (h->gear.kind == VD_GEAR_RELAY) {
    add_point(&l, "steering.pivot", h->gear.pivot, out, count);
    add_point(&l, "steering.joint", h->gear.joint, out, count);
  }
  qsort(out, *count, sizeof *out, by_size);
  return true;
}

bool vd_kc_sensitivities_write(const vd_corner *corner, bool exact, vd_buf *out) {
  vd_sensitivity s[VD_SENSITIVITIES];
  size_t count;
  if (!vd_kc_sensitivities(corner, s, &count))
    return false;
  vd_buf_puts(out, "metric,point,axis,derivative,unit\n");
  for (size_t i = 0; i < count; i++) {
    char text[VD_NUM_MAX];
    if (exact)
      vd_num_print_shortest(s[i].value + 0.0, text);
    else
      vd_num_print9(s[i].value + 0.0, text);
    vd_buf_printf(out, "%s,%s,%c,%s,%s\n", s[i].metric, s[i].point, "xyz"[s[i].axis], text, s[i].unit);
  }
  return true;
}
