/* Figures of a linkage that varies (kc/variation.h), and their derivatives by the change. */
#include "kc/sensitivity.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "kc/elastic_change.h"
#include "kc/sweep_impl.h"
#include "kc/variation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  ANTI_BRAKE_OUTBOARD,
  ANTI_BRAKE_INBOARD,
  ANTI_DRIVE_OUTBOARD,
  ANTI_DRIVE_INBOARD,
  TOE_RACK,
  CASTER_RACK,
  STEERING_RATIO,
  STEERING_RATIO_LOCK,
  LOCK_INNER,
  LOCK_OUTER,
  ACKERMANN,
  TURNING_CIRCLE,
  ROLL_CENTRE,
  ROLL_CENTRE_PLANES,
  MIGRATION,
  MIGRATION_PLANES,
  ROLL_STEER,
  ROLL_CAMBER,
  ROLL_CAMBER_ROAD,
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
  OF_LINKAGE,
  DAMPER_RATIO = OF_LINKAGE, /* what springs and dampers, which are no part of the linkage, add to */
  MOTION_RATIO,
  SPRING_FORCE,
  WHEEL_RATE,
  RIDE_RATE,
  ROLL_RATE,
  ROLL_RATE_TYRES,
  COMPLIANCE,
  METRICS = COMPLIANCE + VD_ELASTIC_GAINS
};
_Static_assert(METRICS == (int)VD_SENSITIVE, "room for all");

#define POINT(name, unit, scale)                                                                                       \
  { name, name, unit, scale, "", 0.0 }
#define ANTI(front, rear)                                                                                              \
  { front, rear, "%/mm", 1e-3, "", 0.0 }
#define RATE(name, unit, scale)                                                                                        \
  { name, name, unit "/mm", 1e-3 * (scale), unit "/%", 1e-2 * (scale) }
#define DEG_PER_KN     1e3 * 180.0 / VD_PI
#define DEG_PER_100_NM 1e2 * 180.0 / VD_PI

/* scale: from SI per m; share: from SI per 1, of stiffnesses */
static const struct {
  const char *name, *rear, *unit; /* rear: its name there */
  double scale;
  const char *share_unit;
  double share;
} known[METRICS] = {
    [TOE_TRAVEL] = POINT("toe_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI),
    [CAMBER_TRAVEL] = POINT("camber_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI),
    [TRACK_TRAVEL] = POINT("track_travel", "1/mm", 1e-3),
    [RECESSION] = POINT("wheel_recession_travel", "1/mm", 1e-3),
    [PATCH_TRACK] = POINT("patch_track_travel", "1/mm", 1e-3),
    [CASTER_TRAVEL] = POINT("caster_travel", "deg/mm2", 1e-3 * 0.18 / VD_PI),
    [BRAKE_SLOPE] = POINT("brake_slope", "1/mm", 1e-3),
    [DRIVE_SLOPE] = POINT("drive_slope", "1/mm", 1e-3),
    [ANTI_BRAKE_OUTBOARD] = ANTI("anti_dive_outboard", "anti_lift_outboard"),
    [ANTI_BRAKE_INBOARD] = ANTI("anti_dive_inboard", "anti_lift_inboard"),
    [ANTI_DRIVE_OUTBOARD] = ANTI("anti_lift_drive_outboard", "anti_squat_outboard"),
    [ANTI_DRIVE_INBOARD] = ANTI("anti_lift_drive_inboard", "anti_squat_inboard"),
    [TOE_RACK] = POINT("toe_rack", "deg/mm2", 1e-3 * 0.18 / VD_PI),
    [CASTER_RACK] = POINT("caster_rack", "deg/mm2", 1e-3 * 0.18 / VD_PI),
    [STEERING_RATIO] = POINT("steering_ratio", "1/mm", 1e-3),
    [STEERING_RATIO_LOCK] = POINT("steering_ratio_lock", "1/mm", 1e-3),
    [LOCK_INNER] = POINT("lock_inner", "deg/mm", 0.18 / VD_PI),
    [LOCK_OUTER] = POINT("lock_outer", "deg/mm", 0.18 / VD_PI),
    [ACKERMANN] = POINT("ackermann", "%/mm", 0.1),
    [TURNING_CIRCLE] = POINT("turning_circle", "m/mm", 1e-3),
    [ROLL_CENTRE] = POINT("roll_centre_z", "mm/mm", 1.0),
    [ROLL_CENTRE_PLANES] = POINT("roll_centre_planes_z", "mm/mm", 1.0),
    [MIGRATION] = POINT("roll_centre_migration", "1/mm", 1e-3),
    [MIGRATION_PLANES] = POINT("roll_centre_planes_migration", "1/mm", 1e-3),
    [ROLL_STEER] = POINT("roll_steer", "(deg/deg)/mm", 1e-3),
    [ROLL_CAMBER] = POINT("roll_camber_body", "(deg/deg)/mm", 1e-3),
    [ROLL_CAMBER_ROAD] = POINT("roll_camber_road", "(deg/deg)/mm", 1e-3),
    [CASTER] = POINT("caster", "deg/mm", 0.18 / VD_PI),
    [KPI] = POINT("kpi", "deg/mm", 0.18 / VD_PI),
    [SCRUB] = POINT("scrub", "mm/mm", 1.0),
    [TRAIL] = POINT("trail", "mm/mm", 1.0),
    [KINGPIN_OFFSET] = POINT("kingpin_offset", "mm/mm", 1.0),
    [SPINDLE_TRAIL] = POINT("spindle_trail", "mm/mm", 1.0),
    [FRONT_ARM] = POINT("front_arm", "mm/mm", 1.0),
    [FRONT_ANGLE] = POINT("front_angle", "deg/mm", 0.18 / VD_PI),
    [SIDE_ARM] = POINT("side_arm", "mm/mm", 1.0),
    [SIDE_ANGLE] = POINT("side_angle", "deg/mm", 0.18 / VD_PI),
    [DAMPER_RATIO] = RATE("damper_ratio", "1", 1.0),
    [MOTION_RATIO] = RATE("motion_ratio", "1", 1.0),
    [SPRING_FORCE] = RATE("spring_force", "N", 1.0),
    [WHEEL_RATE] = RATE("wheel_rate", "(N/mm)", 1e-3),
    [RIDE_RATE] = RATE("ride_rate", "(N/mm)", 1e-3),
    [ROLL_RATE] = RATE("roll_rate", "(N m/deg)", VD_PI / 180.0),
    [ROLL_RATE_TYRES] = RATE("roll_rate_tyres", "(N m/deg)", VD_PI / 180.0),
    [COMPLIANCE + VD_TOE_FX] = RATE("toe_fx", "(deg/kN)", DEG_PER_KN),
    [COMPLIANCE + VD_TOE_FY] = RATE("toe_fy", "(deg/kN)", DEG_PER_KN),
    [COMPLIANCE + VD_TOE_MZ] = RATE("toe_mz", "(deg/(100 N m))", DEG_PER_100_NM),
    [COMPLIANCE + VD_CAMBER_FX] = RATE("camber_fx", "(deg/kN)", DEG_PER_KN),
    [COMPLIANCE + VD_CAMBER_FY] = RATE("camber_fy", "(deg/kN)", DEG_PER_KN),
    [COMPLIANCE + VD_CAMBER_MZ] = RATE("camber_mz", "(deg/(100 N m))", DEG_PER_100_NM),
    [COMPLIANCE + VD_WHEEL_X_FX] = RATE("wheel_x_fx", "(mm/kN)", 1e6),
    [COMPLIANCE + VD_WHEEL_Y_FY] = RATE("wheel_y_fy", "(mm/kN)", 1e6),
    [COMPLIANCE + VD_PATCH_Y_FY] = RATE("patch_y_fy", "(mm/kN)", 1e6),
    [COMPLIANCE + VD_PATCH_X_FY] = RATE("patch_x_fy", "(mm/kN)", 1e6),
    [COMPLIANCE + VD_PATCH_Y_FX] = RATE("patch_y_fx", "(mm/kN)", 1e6),
    [COMPLIANCE + VD_TOE_FX_CENTRE] = RATE("toe_fx_centre", "(deg/kN)", DEG_PER_KN),
    [COMPLIANCE + VD_CAMBER_FX_CENTRE] = RATE("camber_fx_centre", "(deg/kN)", DEG_PER_KN),
};

/* A rate by u as a jet by q; and that of the knuckle's turn, of which a is the mixed derivative, since q does not turn
 * the knuckle. */
static vd_jet rate_of(vd_jet a) {
  return (vd_jet){.v = a.d[0], .d = {0.0, a.h[VD_UV]}};
}

static vd_jet turn_of(const vd_variation *v, int axis) {
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

static void by_antis(const vd_corner *corner, double *out) {
  const vd_kc_antis a = vd_kc_antis_of(corner, out[BRAKE_SLOPE], out[DRIVE_SLOPE]);
  out[ANTI_BRAKE_OUTBOARD] = a.brake_outboard;
  out[ANTI_BRAKE_INBOARD] = a.brake_inboard;
  out[ANTI_DRIVE_OUTBOARD] = a.drive_outboard;
  out[ANTI_DRIVE_INBOARD] = a.drive_inboard;
}

static void by_travel(const vd_variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  vd_varied_state(v, &w, &s);
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

/* The lowest point of a wheel, of a rigid axle of either one. */
static vd_tri3 lowest_point(const vd_variation *v, bool right) {
  vd_moved_body knuckle;
  vd_moved_knuckle(v->q, v->l, &v->body, v->rack, right, &knuckle);
  return vd_moved_lowest_point(v->q, v->l, &knuckle, right);
}

/* Formula: see_roll_centre in kc.c. */
static double migration_by(const vd_variation *v) {
  enum { U = VD_TRI_A, UU = VD_TRI_A | VD_TRI_B, Q = VD_TRI_C };
  const vd_tri3 at = lowest_point(v, false);
  const double *y = at.v[1].c, *z = at.v[2].c;
  const double slope = y[U] / z[U], slope_by = (y[U | Q] - slope * z[U | Q]) / z[U];
  const double turning = (y[UU] - z[UU] * slope) / z[U];
  const double turning_by = (y[UU | Q] - z[UU | Q] * slope - z[UU] * slope_by - turning * z[U | Q]) / z[U];
  return y[U | Q] * slope + y[U] * slope_by + y[Q] * turning + y[0] * turning_by + z[U | Q];
}

/* Formulas of roll centre, roll steer and roll camber: see_roll_centre in kc.c, put_roll in sweep_metrics.c. */
static void by_roll(const vd_variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  vd_varied_state(v, &w, &s);
  vd_jet y = w.patch.y, z = w.patch.z;
  out[ROLL_CENTRE] = y.d[1] * y.d[0] / z.d[0] + y.v * of_quotient(y, z) + z.d[1] - v->centre[2];
  out[MIGRATION] = migration_by(v);
  const vd_kc_points points = {vd_varied_chassis_point, vd_varied_knuckle_point, v};
  vd_jet planes = vd_kc_planes_height(&v->l->points, &points, &w);
  out[ROLL_CENTRE_PLANES] = planes.d[1] - v->centre[2];
  out[MIGRATION_PLANES] = planes.h[VD_UV];
  out[ROLL_STEER] = y.d[1] * s.toe.d[0] / z.d[0] + y.v * of_quotient(s.toe, z);
  /* a turn to the left about x in front view is one to the right in side view */
  see_arm(&w, vd_jet_scale(-1.0, turn_of(v, 0)), rate_of(w.centre.y), vd_jet_sub(y, w.centre.y), &out[FRONT_ARM],
          &out[FRONT_ANGLE]);
  out[FRONT_ARM] = -out[FRONT_ARM];
  out[ROLL_CAMBER_ROAD] = out[ROLL_CAMBER] = -(y.d[1] * s.camber.d[0] / z.d[0] + y.v * of_quotient(s.camber, z));
}

/* The ratio is the turn of the hand wheel per rack over the mean turn of both wheels, which is `toe' per rack, and has
 * the derivative toe_by. The hand wheel turns by 2 pi over the rack's way per turn; with a steering box by its ratio
 * times the turn of the pitman arm. */
static double ratio_by(const vd_corner *corner, const vd_change *q, double rack, double toe, double toe_by) {
  const vd_gear *gear = &corner->points.gear;
  double hand = 2.0 * VD_PI / corner->c_factor, hand_by = 0.0, size = fabs(toe);
  if (!isnan(corner->gear_ratio)) {
    if (gear->kind != VD_GEAR_RELAY)
      return NAN;
    vd_jet arm = vd_changed_relay_turn(q, gear, rack);
    hand = corner->gear_ratio * fabs(arm.d[1]);
    hand_by = corner->gear_ratio * (arm.d[1] < 0.0 ? -arm.h[VD_UV] : arm.h[VD_UV]);
  }
  return (hand_by - hand / size * (toe < 0.0 ? -toe_by : toe_by)) / size;
}

static void by_rack(const vd_variation *v, double *out) {
  vd_kc_wheel w;
  vd_kc_state s;
  vd_varied_state(v, &w, &s);
  out[TOE_RACK] = s.toe.h[VD_UV];
  out[CASTER_RACK] = s.caster.h[VD_UV];
}

/* A wheel at a rack, as a left one: its steer angle to the right of both is the toe. */
typedef struct steered_wheel {
  vd_tri toe;
  vd_tri3 patch;
} steered_wheel;

static steered_wheel steer_wheel(const vd_moved_linkage *m, const vd_change *q) {
  static const double along[VD_INPUTS] = {0.0, 1.0};
  vd_moved_body knuckle;
  vd_moved_pose(m, q, along, &knuckle);
  vd_tri3 spin = vd_moved_direction(&knuckle, vd_tri3_of(m->l->spin_axis));
  vd_tri t = vd_tri_div(spin.v[0], spin.v[1]);
  double x = t.c[0], f = 1.0 / (1.0 + x * x);
  return (steered_wheel){vd_tri_chain(t, vd_atan(x), f, -2.0 * x * f * f, (6.0 * x * x - 2.0) * f * f * f),
                         vd_moved_lowest_point(q, m->l, &knuckle, false)};
}

/* By q alone. */
static vd_jet by_change(double scale, vd_tri a) {
  return (vd_jet){scale * a.c[0], {0.0, scale * a.c[VD_TRI_C]}, {0.0}};
}

/* Both wheels of a corner at opposite racks of their own linkages. */
typedef struct steered_pair {
  vd_moved_linkage side[2];
  bool closes;
} steered_pair;

static void steer_pair(const steered_pair *at, const vd_change *q, steered_wheel *left, steered_wheel *right) {
  vd_change image = *q;
  image.mirrored = q->points->gear.lopsided;
  *left = steer_wheel(&at->side[0], q);
  *right = steer_wheel(&at->side[1], &image);
}

static double ratio_of_pair(const vd_corner *corner, const vd_change *q, double rack, const steered_wheel *left,
                            const steered_wheel *right) {
  enum { RACK = VD_TRI_A, Q = VD_TRI_C };
  return ratio_by(corner, q, rack, 0.5 * (left->toe.c[RACK] + right->toe.c[RACK]),
                  0.5 * (left->toe.c[RACK | Q] + right->toe.c[RACK | Q]));
}

static void by_straight(const steered_pair *at, const vd_corner *corner, const vd_change *q, double *out) {
  steered_wheel left, right;
  steer_pair(at, q, &left, &right);
  out[STEERING_RATIO] = ratio_of_pair(corner, q, 0.0, &left, &right);
}

/* Formulas: put_steering in sweep_metrics.c, vd_kc_axle_at and vd_kc_see_hand_wheel. */
static void by_lock(const steered_pair *at, const vd_corner *corner, const vd_change *q, double *out) {
  steered_wheel left, right;
  steer_pair(at, q, &left, &right);
  const vd_kc_footing of_left = {by_change(1.0, left.patch.v[0]), by_change(1.0, left.patch.v[1]),
                                 by_change(-1.0, left.toe)};
  const vd_kc_footing of_right = {by_change(1.0, right.patch.v[0]), by_change(-1.0, right.patch.v[1]),
                                  by_change(1.0, right.toe)};
  vd_jet ackermann, circle, centre = by_change(1.0, vd_changed_point(q, q->points->wheel_center).v[0]);
  vd_kc_see_turning(corner, &of_left, &of_right, centre, &ackermann, &circle);
  out[ACKERMANN] = ackermann.d[1];
  out[TURNING_CIRCLE] = circle.d[1];
  bool to_left = of_left.steer.v + of_right.steer.v > 0.0;
  const vd_jet *steer[] = {&of_left.steer, &of_right.steer};
  const vd_jet *inner = steer[to_left == corner->rear], *outer = steer[to_left != corner->rear];
  out[LOCK_INNER] = inner->v < 0.0 ? -inner->d[1] : inner->d[1];
  out[LOCK_OUTER] = outer->v < 0.0 ? -outer->d[1] : outer->d[1];
  out[STEERING_RATIO_LOCK] = ratio_of_pair(corner, q, at->side[0].rack, &left, &right);
}

/* --- springs --- */

/* What of a spring does not depend on the direction of the motion. */
typedef struct spring_at {
  double force, force_by; /* at design, N; by the change */
} spring_at;

/* Of an axle's right spring, which is an image of the left one unless that stands on a link. */
static vd_tri right_length(const vd_variation *v, const vd_element *spring) {
  if (spring->on != VD_ON_KNUCKLE || spring->rocker)
    return vd_moved_element(v->q, v->l, spring, &v->body, v->rack);
  vd_tri3 eye = vd_moved_place(&v->body, vd_tri3_mirrored(vd_changed_point(v->q, spring->eye)));
  return vd_moved_length(v->q, spring, vd_tri3_mirrored(eye));
}

/* Of a linkage with its travel in heave: formulas of see_springs and design_force in kc.c. */
static void by_springs(const vd_variation *v, const vd_corner *corner, spring_at *at, double *out) {
  const vd_element *spring = &v->l->points.spring, *damper = &v->l->points.damper;
  *at = (spring_at){NAN, 0.0};
  if (damper->given)
    out[DAMPER_RATIO] = -vd_moved_element(v->q, v->l, damper, &v->body, v->rack).c[VD_TRI_A | VD_TRI_C];
  if (!spring->given)
    return;
  vd_tri length = vd_moved_element(v->q, v->l, spring, &v->body, v->rack);
  double shorter = length.c[VD_TRI_A], shorter_by = length.c[VD_TRI_A | VD_TRI_C];
  vd_tri height = lowest_point(v, false).v[2];
  out[MOTION_RATIO] = -shorter_by;
  at->force = corner->spring_load;
  if (isnan(at->force)) {
    double rise = height.c[VD_TRI_A], rise_by = height.c[VD_TRI_A | VD_TRI_C];
    if (v->l->axle) {
      vd_tri other = right_length(v, spring), lowest = lowest_point(v, true).v[2];
      shorter += other.c[VD_TRI_A];
      shorter_by += other.c[VD_TRI_A | VD_TRI_C];
      rise += lowest.c[VD_TRI_A];
      rise_by += lowest.c[VD_TRI_A | VD_TRI_C];
    }
    at->force = -corner->wheel_load * rise / shorter;
    at->force_by = -(corner->wheel_load * rise_by + at->force * shorter_by) / shorter;
  }
  out[SPRING_FORCE] = isnan(at->force) ? NAN : at->force_by;
}

/* W' = k MR^2 - F L'' by the change, and W'. */
static double wheel_rate_by(const vd_variation *v, const vd_corner *corner, const spring_at *at, double *rate) {
  enum { UU = VD_TRI_A | VD_TRI_B };
  vd_tri length = vd_moved_element(v->q, v->l, &v->l->points.spring, &v->body, v->rack);
  double ratio = -length.c[VD_TRI_A], ratio_by = -length.c[VD_TRI_A | VD_TRI_C], k = corner->spring_rate;
  *rate = k * ratio * ratio - at->force * length.c[UU];
  double by = 2.0 * k * ratio * ratio_by - at->force_by * length.c[UU] - at->force * length.c[UU | VD_TRI_C];
  return by + (v->q->kind == VD_CHANGE_SPRING ? k * ratio * ratio : 0.0);
}

static void by_heave_rate(const vd_variation *v, const vd_corner *corner, const spring_at *at, double *out) {
  double rate, share;
  if (!v->l->points.spring.given)
    return;
  out[WHEEL_RATE] = wheel_rate_by(v, corner, at, &rate);
  share = corner->tyre_rate / (rate + corner->tyre_rate);
  out[RIDE_RATE] = out[WHEEL_RATE] * share * share;
}

/* 2 W' (y/z')^2 of put_roll_rates in sweep_metrics.c, with 4 C t^2 of a beam, which an arm's turn by the travel, t,
 * twists; and in series with the tyres. */
static void by_roll_rate(const vd_variation *v, const vd_corner *corner, const spring_at *at, double *out) {
  double rate;
  if (!v->l->points.spring.given)
    return;
  vd_kc_wheel w;
  vd_kc_place_wheel(v->l, &v->pose, false, &w);
  double rise = w.patch.z.d[0], travel = w.patch.y.v / rise;
  double travel_by = (w.patch.y.d[1] - travel * w.patch.z.h[VD_UV]) / rise;
  double both_by = 2.0 * wheel_rate_by(v, corner, at, &rate), both_rates = 2.0 * rate;
  if (corner->beam.given) {
    double torsion = vd_beam_torsion(&corner->beam), turn = v->turn[1];
    both_rates += 4.0 * torsion * turn * turn;
    both_by += 8.0 * torsion * turn * v->pose.angular[VD_UV][1];
  }
  out[ROLL_RATE] = travel * (both_by * travel + 2.0 * both_rates * travel_by);
  double bar = isnan(corner->antiroll_stiffness) ? 0.0 : corner->antiroll_stiffness, y = w.patch.y.v;
  double body = both_rates * travel * travel + bar, tyres = 2.0 * corner->tyre_rate * y * y, both = body + tyres;
  double tyres_by = 4.0 * corner->tyre_rate * y * w.patch.y.d[1];
  out[ROLL_RATE_TYRES] = (tyres * tyres * out[ROLL_RATE] + body * body * tyres_by) / (both * both);
}

/* --- all of them --- */

typedef struct listing {
  const vd_corner *corner;
  vd_linkage heave, roll;
  vd_moved_linkage in_heave, in_roll;
  vd_linkage right; /* the right wheel's, as a left one */
  steered_pair straight, at_lock;
  vd_elastic_change *elastic; /* NULL: nothing is */
  const double *place[VD_HARDPOINTS];
  size_t places;
  vd_sensitivity *out;
  size_t count;
} listing;

/* Figures that may depend on a change. */
typedef struct span {
  int first, end;
} span;

static void add(listing *l, const vd_change *q, const char *name, int axis, span of, const double *value) {
  bool point = q->kind == VD_CHANGE_POINT;
  for (int i = of.first; i < of.end; i++) {
    if (isnan(value[i]))
      continue;
    vd_sensitivity *s = &l->out[l->count++];
    *s = (vd_sensitivity){.figure = i,
                          .metric = l->corner->rear ? known[i].rear : known[i].name,
                          .unit = point ? known[i].unit : known[i].share_unit,
                          .stiffness = !point,
                          .axis = axis,
                          .value = value[i] * (point ? known[i].scale : known[i].share)};
    snprintf(s->point, sizeof s->point, "%s", name);
  }
}

static void find(const listing *l, const vd_change *q, span of, double *value) {
  const bool axle = l->heave.axle;
  spring_at at;
  vd_variation v = {.m = &l->in_heave, .q = q, .along = {1.0, axle ? 1.0 : 0.0}};
  for (int i = 0; i < METRICS; i++)
    value[i] = NAN;
  if (!vd_vary(&v))
    return;
  if (of.first < OF_LINKAGE) {
    by_travel(&v, value);
    by_antis(l->corner, value);
  }
  by_springs(&v, l->corner, &at, value);
  by_heave_rate(&v, l->corner, &at, value);
  if (l->elastic && of.end == METRICS)
    vd_elastic_change_by(l->elastic, q, at.force_by, value + COMPLIANCE);
  v = (vd_variation){.m = &l->in_roll, .q = q, .along = {1.0, axle ? -1.0 : 0.0}};
  if (vd_vary(&v)) {
    by_roll_rate(&v, l->corner, &at, value);
    if (of.first < OF_LINKAGE)
      by_roll(&v, value);
  }
  v = (vd_variation){.m = &l->in_heave, .q = q, .along = {0.0, axle ? 0.0 : 1.0}, .gear = 1.0};
  if (of.first < OF_LINKAGE && vd_kc_steered(&l->heave) && vd_vary(&v))
    by_rack(&v, value);
  if (of.first < OF_LINKAGE && l->straight.closes)
    by_straight(&l->straight, l->corner, q, value);
  if (of.first < OF_LINKAGE && l->at_lock.closes)
    by_lock(&l->at_lock, l->corner, q, value);
}

/* Whether a point stands where one before it stands, or its mirror image. */
static bool is_repeated(const listing *l, const double *place) {
  const vd_change q = {VD_CHANGE_POINT, .points = &l->heave.points, .place = place};
  for (size_t i = 0; i < l->places; i++) {
    double e[3];
    vd_change_displacement(&q, l->place[i], e);
    if (vd_norm(e) > 0.0)
      return true;
  }
  return false;
}

static void add_point(listing *l, const char *key, const double *place, span of) {
  if (is_repeated(l, place))
    return;
  l->place[l->places++] = place;
  for (int axis = 0; axis < 3; axis++) {
    const vd_change q = {VD_CHANGE_POINT, .points = &l->heave.points, .place = place, .axis = axis};
    double value[METRICS];
    find(l, &q, of, value);
    add(l, &q, key, axis, of, value);
  }
}

/* Points of spring or damper alone: the linkage does not depend on them, but a virtual axis keeps the spring's length.
 * A damper that stands where the spring does moves with it. */
static void add_element(listing *l, const char *name, const vd_element *e, span of) {
  const struct {
    const char *key;
    const double *place;
    bool of_rocker;
  } point[] = {{"chassis", e->chassis, false},
               {"eye", e->eye, false},
               {"rocker.pivot", e->pivot, true},
               {"rocker.rod_part", e->rod_part, true},
               {"rocker.rod_rocker", e->rod_rocker, true}};
  for (size_t i = 0; i < VD_COUNT(point) && e->given; i++) {
    char key[VD_SENSITIVE_NAME];
    snprintf(key, sizeof key, "%s.%s", name, point[i].key);
    if (e->rocker || !point[i].of_rocker)
      add_point(l, key, point[i].place, of);
  }
}

static void add_steering(listing *l, span of) {
  const vd_axle_steer *s = &l->heave.points.steer;
  add_point(l, "steering.kingpin.lower", s->kingpin[0][0], of);
  add_point(l, "steering.kingpin.upper", s->kingpin[0][1], of);
  add_point(l, "steering.kingpin.lower_right", s->kingpin[1][0], of);
  add_point(l, "steering.kingpin.upper_right", s->kingpin[1][1], of);
  add_point(l, "steering.drag_link.gear", s->drag_link[0], of);
  add_point(l, "steering.drag_link.knuckle", s->drag_link[1], of);
  add_point(l, "steering.tie_rod.left", s->tie_rod[0], of);
  add_point(l, "steering.tie_rod.right", s->tie_rod[1], of);
  if (l->heave.points.gear.kind == VD_GEAR_PITMAN)
    add_point(l, "steering.pivot", l->heave.points.gear.pivot, of);
}

static void add_points(listing *l) {
  static const span all = {0, METRICS}, of_spring = {OF_LINKAGE, METRICS}, of_damper = {DAMPER_RATIO, DAMPER_RATIO + 1};
  const vd_hardpoints *h = &l->corner->points;
  add_point(l, "wheel.center", h->wheel_center, all);
  for (int i = 0; i < h->members; i++)
    for (int k = 0; k < VD_MEMBER_POINTS; k++) {
      const char *key = vd_corner_point(h->type, i, (enum vd_member_point)k);
      if (key)
        add_point(l, key, k == VD_AT_KNUCKLE ? h->member[i].knuckle : h->member[i].chassis[k == VD_CHASSIS_B], all);
    }
  if (h->gear.kind == VD_GEAR_RELAY) {
    add_point(l, "steering.pivot", h->gear.pivot, all);
    add_point(l, "steering.joint", h->gear.joint, all);
    if (h->gear.lopsided) {
      add_point(l, "steering.other_pivot", h->gear.other_pivot, all);
      add_point(l, "steering.other_joint", h->gear.other_joint, all);
    }
  }
  if (h->steer.given)
    add_steering(l, all);
  add_element(l, "spring", &h->spring, vd_linkage_traits_of(h->type)->steering == VD_STEERING_RODS ? all : of_spring);
  add_element(l, "damper", &h->damper, of_damper);
}

static void add_stiffness(listing *l, const vd_change *q, const char *name, int axis) {
  static const span of_compliance = {COMPLIANCE, METRICS};
  double value[METRICS];
  vd_elastic_change_by(l->elastic, q, 0.0, value + COMPLIANCE);
  add(l, q, name, axis, of_compliance, value);
}

static void add_ball(listing *l, int member) {
  const vd_change q = {VD_CHANGE_BALL, .points = &l->heave.points, .member = member};
  char name[VD_SENSITIVE_NAME];
  if (!isfinite(l->corner->ball_stiffness[member]))
    return;
  snprintf(name, sizeof name, "ball_joints.%s", l->corner->points.member[member].name);
  add_stiffness(l, &q, name, -1);
}

/* Of a bushing without a stiffness in a direction, or with a table there, the stiffness is not to be had. */
static void add_bushing(listing *l, int member, int point) {
  const vd_bushing *b = &l->corner->bushing[member][point];
  const char *key = vd_corner_bushing(l->corner->points.type, member, point);
  for (int i = 0; i < 6 && b->given && key; i++) {
    const vd_change q = {VD_CHANGE_BUSHING, .points = &l->heave.points, .member = member, .point = point, .axis = i};
    char name[VD_SENSITIVE_NAME];
    if (!(b->stiffness[i] > 0.0) || l->corner->law[member][point].table[i].count > 0)
      continue;
    snprintf(name, sizeof name, "bushings.%s.%s", key, i < 3 ? "translation" : "rotation");
    add_stiffness(l, &q, name, i % 3);
  }
}

static void add_steering_rods(listing *l) {
  const vd_axle_steer *s = &l->heave.points.steer;
  const vd_change drag = {VD_CHANGE_DRAG_LINK, .points = &l->heave.points},
                  tie = {VD_CHANGE_TIE_ROD, .points = drag.points};
  if (s->drag_link_stiffness > 0.0)
    add_stiffness(l, &drag, "steering.drag_link.stiffness", -1);
  if (s->tie_rod_stiffness > 0.0)
    add_stiffness(l, &tie, "steering.tie_rod.stiffness", -1);
}

static void add_stiffnesses(listing *l) {
  static const span of_rate = {WHEEL_RATE, METRICS};
  const vd_change q = {VD_CHANGE_SPRING, .points = &l->heave.points};
  double value[METRICS];
  if (l->corner->points.spring.given && l->corner->spring_rate > 0.0) {
    find(l, &q, of_rate, value);
    add(l, &q, "spring.rate", -1, of_rate, value);
  }
  for (int m = 0; l->elastic && m < l->corner->points.members; m++) {
    add_ball(l, m);
    for (int p = 0; p < 2; p++)
      add_bushing(l, m, p);
  }
  if (l->elastic && l->heave.points.steer.given)
    add_steering_rods(l);
}

/* By figure, points before stiffnesses, the largest first. */
static int by_size(const void *a, const void *b) {
  const vd_sensitivity *x = a, *y = b;
  int metric = x->figure - y->figure, kind = x->stiffness - y->stiffness;
  int size = (fabs(x->value) < fabs(y->value)) - (fabs(x->value) > fabs(y->value));
  int point = strcmp(x->point, y->point);
  return metric ? metric : kind ? kind : size ? size : point ? point : x->axis - y->axis;
}

/* False: a wheel does not reach it. */
static bool place_pair(const listing *l, double rack, steered_pair *at) {
  static const double still[VD_INPUTS] = {0.0, 0.0};
  for (int side = 0; side < 2; side++) {
    const vd_linkage *own = side ? &l->right : &l->heave;
    vd_pose pose;
    vd_linkage_start(own, &pose);
    if (vd_linkage_move_racked(own, still, side ? -rack : rack, &pose) != VD_LINKAGE_OK)
      return false;
    vd_moved_linkage_build_at(own, &pose, side ? -rack : rack, &at->side[side]);
  }
  return true;
}

/* Both wheels of a corner that a rack steers, straight ahead and at the lock. */
static void find_pairs(listing *l, const vd_kc_plan *plan) {
  vd_hardpoints mirrored;
  vd_hardpoints_mirror(&l->corner->points, &mirrored);
  if (!vd_kc_steered(&l->heave) || l->heave.axle || !vd_linkage_build(&mirrored, VD_PARALLEL, &l->right))
    return;
  l->straight.closes = place_pair(l, 0.0, &l->straight);
  l->at_lock.closes = place_pair(l, vd_kc_lock(&plan->range[VD_KC_RACK]), &l->at_lock);
}

static vd_elastic_change *soften(const listing *l, const vd_kc_plan *plan, vd_kc_report *report) {
  const enum vd_hold hold = plan->hold == VD_HOLD_AUTO ? VD_HOLD_CENTRE : plan->hold;
  if (!vd_kc_elastic(l->corner))
    return NULL;
  if (hold == VD_HOLD_GROUND) {
    vd_kc_message(report, "no sensitivities of the compliance of a wheel held by the ground; there are such of a held "
                          "centre and of a free wheel");
    return NULL;
  }
  vd_elastic_change *e = vd_elastic_change_create(l->corner, &l->heave, hold, plan->load.fz);
  if (!e)
    vd_kc_message(report, "no sensitivities of the compliance: there is no equilibrium at %.9g N", plan->load.fz);
  return e;
}

bool vd_kc_sensitivities(const vd_corner *corner, const vd_kc_plan *plan, vd_sensitivity *out, size_t *count,
                         vd_kc_report *report) {
  listing l = {.corner = corner, .out = out};
  *report = (vd_kc_report){.rows = 0};
  *count = 0;
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l.heave) ||
      !vd_linkage_build(&corner->points, VD_OPPOSITE, &l.roll)) {
    vd_kc_message(report, "%s", vd_kc_loose);
    return false;
  }
  vd_moved_linkage_build(&l.heave, &l.in_heave);
  vd_moved_linkage_build(&l.roll, &l.in_roll);
  find_pairs(&l, plan);
  l.elastic = soften(&l, plan, report);
  add_points(&l);
  add_stiffnesses(&l);
  vd_elastic_change_destroy(l.elastic);
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
    vd_buf_printf(out, "%s,%s,%s,", s[i].metric, s[i].point, axis);
    vd_kc_number(s[i].value, plan->digits, out);
    vd_buf_printf(out, ",%s\n", s[i].unit);
  }
  free(s);
  return good;
}
