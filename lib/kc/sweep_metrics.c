/* The figures at the design position, as a table. */
#include "kc/matrix.h"
#include "kc/sweep_impl.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 180.0 / VD_PI, degpmm = 0.18 / VD_PI;

/* In the order of the table; pairs are of a rear axle and of a front one. */
static const vd_kc_metric_info known[] = {
    {.name = "toe_travel", .unit = "deg/mm"},
    {.name = "camber_travel", .unit = "deg/mm"},
    {.name = "track_travel", .unit = "mm/mm"},
    {.name = "toe_rack", .unit = "deg/mm"},
    {.name = "caster_rack", .unit = "deg/mm"},
    {.name = "caster_rack_seed", .unit = "deg/mm", .part = VD_KC_UNLISTED},
    {.name = "toe", .unit = "deg", .part = VD_KC_UNLISTED},
    {.name = "camber", .unit = "deg", .part = VD_KC_UNLISTED},
    {.name = "caster", .unit = "deg"},
    {.name = "kpi", .unit = "deg"},
    {.name = "scrub", .unit = "mm"},
    {.name = "trail", .unit = "mm"},
    {.name = "kingpin_offset", .unit = "mm"},
    {.name = "spindle_trail", .unit = "mm"},
    {.name = "wheel_recession_travel", .unit = "mm/mm"},
    {.name = "patch_track_travel", .unit = "mm/mm"},
    {.name = "caster_travel", .unit = "deg/mm"},
    {.name = "motion_ratio", .unit = "1", .part = VD_KC_SPRING},
    {.name = "damper_ratio", .unit = "1", .part = VD_KC_DAMPER},
    {.name = "spring_force", .unit = "N", .part = VD_KC_SPRING},
    {.name = "wheel_rate", .unit = "N/mm", .part = VD_KC_RATE},
    {.name = "ride_rate", .unit = "N/mm", .part = VD_KC_RATE},
    {.name = "anti_lift_outboard", .unit = "%"},
    {.name = "anti_dive_outboard", .unit = "%"},
    {.name = "anti_lift_inboard", .unit = "%"},
    {.name = "anti_dive_inboard", .unit = "%"},
    {.name = "anti_squat_outboard", .unit = "%"},
    {.name = "anti_lift_drive_outboard", .unit = "%"},
    {.name = "anti_squat_inboard", .unit = "%"},
    {.name = "anti_lift_drive_inboard", .unit = "%"},
    {.name = "roll_centre_z", .unit = "mm"},
    {.name = "roll_centre_planes_z", .unit = "mm"},
    {.name = "roll_centre_migration", .unit = "mm/mm"},
    {.name = "roll_centre_planes_migration", .unit = "mm/mm"},
    {.name = "front_arm", .unit = "mm", .reciprocal = true},
    {.name = "front_angle", .unit = "deg"},
    {.name = "side_arm", .unit = "mm", .reciprocal = true},
    {.name = "side_angle", .unit = "deg"},
    {.name = "roll_steer", .unit = "deg/deg"},
    {.name = "roll_camber_body", .unit = "deg/deg"},
    {.name = "roll_camber_road", .unit = "deg/deg"},
    {.name = "roll_rate", .unit = "N m/deg", .part = VD_KC_RATE},
    {.name = "roll_rate_tyres", .unit = "N m/deg", .part = VD_KC_RATE},
    {.name = "c_factor", .unit = "mm/rev", .part = VD_KC_UNLISTED},
    {.name = "steering_ratio", .unit = "1"},
    {.name = "steering_ratio_lock", .unit = "1"},
    {.name = "lock_rack", .unit = "mm", .part = VD_KC_UNLISTED},
    {.name = "lock_inner", .unit = "deg"},
    {.name = "lock_outer", .unit = "deg"},
    {.name = "ackermann", .unit = "%"},
    {.name = "turning_circle", .unit = "m"},
    {.name = "toe_fx", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "toe_fy", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "toe_mz", .unit = "deg/(100 N m)", .part = VD_KC_COMPLIANCE},
    {.name = "camber_fx", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "camber_fy", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "camber_mz", .unit = "deg/(100 N m)", .part = VD_KC_COMPLIANCE},
    {.name = "wheel_x_fx", .unit = "mm/kN", .part = VD_KC_COMPLIANCE},
    {.name = "wheel_y_fy", .unit = "mm/kN", .part = VD_KC_COMPLIANCE},
    {.name = "patch_y_fy", .unit = "mm/kN", .part = VD_KC_COMPLIANCE},
    {.name = "patch_x_fy", .unit = "mm/kN", .part = VD_KC_COMPLIANCE},
    {.name = "patch_y_fx", .unit = "mm/kN", .part = VD_KC_COMPLIANCE},
    {.name = "toe_fx_centre", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "camber_fx_centre", .unit = "deg/kN", .part = VD_KC_COMPLIANCE},
    {.name = "load_free", .unit = "N", .part = VD_KC_UNLISTED},
    {.name = "load_centre_held", .unit = "N", .part = VD_KC_UNLISTED},
    {.name = "load_ground_held", .unit = "N", .part = VD_KC_UNLISTED},
};
_Static_assert(VD_COUNT(known) <= VD_KC_METRICS, "room for all");

const vd_kc_metric_info *vd_kc_metric_table(size_t *count) {
  *count = VD_COUNT(known);
  return known;
}

typedef struct table {
  vd_kc_metrics *out;
  const char *none; /* why there is no value, if there is none */
  vd_kc_report *report;
} table;

static void put(const table *t, const char *name, double value) {
  const vd_kc_metric_info *info = known;
  while (strcmp(info->name, name) != 0) {
    info++;
    assert(info < known + VD_COUNT(known));
  }
  t->out->metric[t->out->count++] =
      (vd_kc_metric){info->name, info->unit, value, .reason = isnan(value) ? t->none : ""};
}

static void add_gains(table *t, const vd_corner *corner, const vd_linkage *l) {
  vd_kc_gains g;
  vd_kc_gains_of(corner, l, &g);
  t->none = "no rack steers this wheel";
  put(t, "toe_travel", degpmm * g.toe_travel);
  put(t, "camber_travel", degpmm * g.camber_travel);
  put(t, "track_travel", g.track_travel);
  put(t, "toe_rack", degpmm * g.toe_rack);
  put(t, "caster_rack", degpmm * g.caster_rack);
  put(t, "caster_rack_seed", degpmm * g.caster_rack_seed);
}

static void add_pose(table *t, const vd_kc_state *s, const double *along) {
  t->none = "the linkage has no steering axis";
  put(t, "toe", degree * s->toe.v);
  put(t, "camber", degree * s->camber.v);
  put(t, "caster", degree * s->caster.v);
  put(t, "kpi", degree * s->kpi.v);
  put(t, "scrub", 1e3 * s->scrub.v);
  put(t, "trail", 1e3 * s->trail.v);
  put(t, "kingpin_offset", 1e3 * s->kingpin_offset.v);
  put(t, "spindle_trail", 1e3 * s->spindle_trail.v);
  put(t, "wheel_recession_travel", vd_jet_along(s->wheel_x, along));
  put(t, "patch_track_travel", vd_jet_along(s->patch_y, along));
  put(t, "caster_travel", degpmm * vd_jet_along(s->caster, along));
  t->none = "the file has no spring or damper of the kind, or not its rate and load";
  put(t, "motion_ratio", s->motion_ratio);
  put(t, "damper_ratio", s->damper_ratio);
  put(t, "spring_force", s->spring_force);
  put(t, "wheel_rate", 1e-3 * s->wheel_rate);
  put(t, "ride_rate", 1e-3 * s->ride_rate);
}

/* Shares of the load transfer that links carry, under brakes and drive outboard and inboard. */
static void add_antis(table *t, const vd_corner *corner, const vd_kc_state *s) {
  double lever = (corner->rear ? -100.0 : 100.0) * corner->wheelbase / corner->cg_height;
  double brake = lever * corner->brake_share, drive = lever * corner->drive_share;
  t->none = "the file does not say the car's wheelbase, centre of gravity and shares of brake and drive";
  put(t, corner->rear ? "anti_lift_outboard" : "anti_dive_outboard", brake * s->brake_slope);
  put(t, corner->rear ? "anti_lift_inboard" : "anti_dive_inboard", brake * s->drive_slope);
  put(t, corner->rear ? "anti_squat_outboard" : "anti_lift_drive_outboard", drive * s->brake_slope);
  put(t, corner->rear ? "anti_squat_inboard" : "anti_lift_drive_inboard", drive * s->drive_slope);
}

/* Both wheels work: K = 2 k (dz/dp)^2, the twist of a beam and the bar; with the tyres, 2 k_t y^2, in series. */
static void add_roll_rates(table *t, const vd_corner *corner, const vd_kc_state *s, double travel) {
  double bar = isnan(corner->antiroll_stiffness) ? 0.0 : corner->antiroll_stiffness;
  double body = (2.0 * s->wheel_rate + 4.0 * vd_corner_twist_rate(corner)) * travel * travel + bar;
  double tyres = 2.0 * corner->tyre_rate * s->patch_y.v * s->patch_y.v;
  t->none = "the file does not say the rate and the load of the spring, or the rate of the tyre";
  put(t, "roll_rate", body / degree);
  put(t, "roll_rate_tyres", body * tyres / (body + tyres) / degree);
}

/* Under the body's roll phi, left side up, the left wheel moves down by y phi relative to the body, y the contact
 * point's place; quantities relative to the road turn with it. For a linkage and a direction in which this is one unit
 * of the left wheel's travel. */
/* side: in heave, of the side view. */
static void add_roll(table *t, const vd_corner *corner, const vd_kc_state *side) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  if (!vd_linkage_build(&corner->points, VD_OPPOSITE, &l))
    return;
  const vd_kc_view view = {.along = {1.0, l.axle ? -1.0 : 0.0}};
  vd_linkage_start(&l, &start);
  vd_kc_state_seen(corner, &l, &start, &view, &s);
  double travel = -s.patch_y.v / vd_jet_along(s.patch_z, view.along); /* per roll */
  t->none = "the linkage has none";
  put(t, "roll_centre_z", 1e3 * s.roll_centre_z);
  put(t, "roll_centre_planes_z", 1e3 * s.roll_centre_planes_z);
  put(t, "roll_centre_migration", s.roll_centre_migration);
  put(t, "roll_centre_planes_migration", s.planes_migration);
  t->none = "the wheel does not turn in this view, or a beam joins it to the other one";
  put(t, "front_arm", 1e3 * s.front_arm);
  put(t, "front_angle", degree * s.front_angle);
  put(t, "side_arm", 1e3 * side->side_arm);
  put(t, "side_angle", degree * side->side_angle);
  put(t, "roll_steer", travel * vd_jet_along(s.steer, view.along));
  put(t, "roll_camber_body", travel * vd_jet_along(s.camber, view.along));
  put(t, "roll_camber_road", travel * vd_jet_along(s.camber, view.along) - 1.0);
  add_roll_rates(t, corner, &s, travel);
}

/* The farther end of a rack's range, m. */
static double lock_of(const vd_kc_range *rack) {
  return fabs(rack->from) > fabs(rack->to) ? rack->from : vd_kc_value(rack, rack->points - 1);
}

/* At the rack's farther end; the car turns to the side of the mean. design: a wheel straight ahead. */
static void add_steering(table *t, const vd_corner *corner, const vd_linkage *l, const vd_kc_state *design,
                         const vd_kc_range *range) {
  vd_kc_axle straight;
  double end = lock_of(range);
  vd_kc_axle axle = {
      .ackermann = NAN, .turning_circle = NAN, .steer_left = NAN, .steer_right = NAN, .steering_ratio = NAN};
  vd_kc_state wheel[2], straight_wheel[2] = {*design, *design};
  vd_hardpoints mirrored; /* a right wheel's links as those of a left one */
  vd_linkage image;
  vd_hardpoints_mirror(&corner->points, &mirrored);
  bool closes = vd_kc_steered(l) && vd_linkage_build(l->axle ? &corner->points : &mirrored, VD_PARALLEL, &image);
  for (int i = 0; i < 2 && closes; i++) {
    vd_pose pose;
    const vd_kc_view view = {.right = l->axle && i == 1, .along = {1.0, l->axle ? 1.0 : 0.0}};
    const vd_linkage *own = i == 1 && !l->axle ? &image : l;
    vd_linkage_start(own, &pose);
    vd_kc_state_seen(corner, own, &pose, &view, &straight_wheel[i]);
    closes = vd_linkage_move_racked(own, pose.u, i == 0 || l->axle ? end : -end, &pose) == VD_LINKAGE_OK;
    if (closes)
      vd_kc_state_seen(corner, own, &pose, &view, &wheel[i]);
    else
      vd_kc_message(t->report, "no figures of the lock: the %s wheel cannot reach rack %.9g mm",
                    i == 0 ? "left" : "right", 1e3 * end);
  }
  if (closes)
    vd_kc_axle_at(corner, l, &wheel[0], &wheel[1], &axle);
  double left = fabs(axle.steer_left), right = fabs(axle.steer_right);
  bool to_left = axle.steer_left + axle.steer_right > 0.0;
  t->none = closes ? "the file has no wheelbase, or the wheels stay straight" : "the wheel cannot reach the rack's end";
  if (!vd_kc_steered(l))
    t->none = "no rack steers this wheel";
  vd_kc_axle_at(corner, l, &straight_wheel[0], &straight_wheel[1], &straight);
  put(t, "lock_rack", closes ? 1e3 * end : NAN);
  put(t, "lock_inner", degree * (to_left != corner->rear ? left : right));
  put(t, "lock_outer", degree * (to_left != corner->rear ? right : left));
  put(t, "ackermann", 100.0 * axle.ackermann);
  put(t, "turning_circle", axle.turning_circle);
  t->none = "no rack steers this wheel, or the file has neither car.c_factor nor car.gear_ratio";
  double boxed = 2.0 * VD_PI / fabs(straight.hand_wheel_gain);
  put(t, "c_factor", 1e3 * (isnan(corner->gear_ratio) ? corner->c_factor : boxed));
  put(t, "steering_ratio", straight.steering_ratio);
  put(t, "steering_ratio_lock", axle.steering_ratio);
}

/* Of a motion f of the wheel centre and the knuckle per unit of a load. */
static vd_kc_displacement displacement_of(const vd_linkage *l, const vd_compliance_state *state, const double f[6]) {
  double spin[3];
  for (int i = 0; i < 3; i++)
    spin[i] = vd_dot(state->pose.turn[i], l->spin_axis);
  return vd_kc_displacement_of(spin, state->contact, 1.0, f);
}

static vd_kc_displacement displacement_at_contact(const vd_linkage *l, const vd_compliance_state *state, int axis) {
  double f[6];
  vd_compliance_at_contact(state, axis, f);
  return displacement_of(l, state, f);
}

static vd_kc_displacement displacement_at_centre(const vd_linkage *l, const vd_compliance_state *state, int load) {
  double f[6];
  for (int i = 0; i < 6; i++)
    f[i] = state->flexibility[i][load];
  return displacement_of(l, state, f);
}

/* In the plan's way of holding the wheel. fx is that of a brake on the knuckle, fx_centre that of a shaft. */
static void add_compliance(table *t, const vd_corner *corner, const vd_linkage *l, const vd_kc_plan *plan) {
  enum { FX = 0, FY = 1, MZ = 5 };
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const vd_kc_displacement none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  vd_kc_displacement fx = none, fx_centre = none, fy = none, mz = none;
  vd_compliance_state state = {.residual = NAN};
  const double load = plan->load.fz;
  const enum vd_hold hold = plan->hold == VD_HOLD_AUTO ? VD_HOLD_CENTRE : plan->hold;
  const vd_wheel_load under = {.fz = load};
  vd_linkage_start(l, &state.pose);
  t->none = "nothing is elastic: there are no bushings";
  if (vd_kc_elastic(corner)) {
    vd_compliance *c = vd_kc_compliance(corner, l, hold, plan);
    if (vd_compliance_solve(c, design, &under, &state)) {
      fx = displacement_at_contact(l, &state, FX);
      fx_centre = displacement_at_centre(l, &state, FX);
      fy = displacement_at_contact(l, &state, FY);
      mz = displacement_at_centre(l, &state, MZ);
    } else {
      t->none = "there is no equilibrium under the load";
      vd_kc_message(t->report, "no figures of the compliance: there is no equilibrium at %.9g N", load);
    }
    vd_compliance_destroy(c);
  }
  put(t, "toe_fx", 1e3 * degree * fx.toe);
  put(t, "toe_fy", 1e3 * degree * fy.toe);
  put(t, "toe_mz", 1e2 * degree * mz.toe);
  put(t, "camber_fx", 1e3 * degree * fx.camber);
  put(t, "camber_fy", 1e3 * degree * fy.camber);
  put(t, "camber_mz", 1e2 * degree * mz.camber);
  put(t, "wheel_x_fx", 1e6 * fx.x);
  put(t, "wheel_y_fy", 1e6 * fy.y);
  put(t, "patch_y_fy", 1e6 * fy.patch_y);
  put(t, "patch_x_fy", 1e6 * fy.patch_x);
  put(t, "patch_y_fx", 1e6 * fx.patch_y);
  put(t, "toe_fx_centre", 1e3 * degree * fx_centre.toe);
  put(t, "camber_fx_centre", 1e3 * degree * fx_centre.camber);
  put(t, hold == VD_HOLD_FREE ? "load_free" : hold == VD_HOLD_GROUND ? "load_ground_held" : "load_centre_held", load);
}

bool vd_kc_metrics_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_metrics *out, vd_kc_report *report) {
  table t = {.out = out, .report = report};
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  *report = (vd_kc_report){.rows = 0};
  out->count = 0;
  if (!vd_kc_weighs(corner, plan, report))
    return false;
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l)) {
    vd_kc_message(report, "%s", vd_kc_loose);
    return false;
  }
  const double along[VD_INPUTS] = {1.0, l.axle ? 1.0 : 0.0};
  vd_linkage_start(&l, &start);
  vd_kc_state_at(corner, &l, &start, &s);
  add_gains(&t, corner, &l);
  add_pose(&t, &s, along);
  add_antis(&t, corner, &s);
  add_roll(&t, corner, &s);
  add_steering(&t, corner, &l, &s, &plan->range[VD_KC_RACK]);
  add_compliance(&t, corner, &l, plan);
  return true;
}

bool vd_kc_metrics_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  vd_kc_metrics m;
  if (!vd_kc_metrics_of(corner, plan, &m, report))
    return false;
  vd_buf_puts(out, "metric,value,unit\n");
  for (size_t i = 0; i < m.count; i++) {
    vd_buf_printf(out, "%s,", m.metric[i].name);
    vd_kc_number(m.metric[i].value, plan->digits, out);
    vd_buf_printf(out, ",%s\n", m.metric[i].unit);
  }
  return true;
}
