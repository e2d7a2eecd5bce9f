/* The figures at the design position, as a table. */
#include "kc/matrix.h"
#include "kc/sweep_impl.h"
#include "base/vec.h"

#include <assert.h>

static const double degree = 180.0 / VD_PI;

/* Groups of metrics that lack a value for the same reason; the groups are written in this order. */
enum group { GAINS, PLACE, SPRING, ANTI, ROLL_CENTRES, SWING_ARMS, ROLL_RATES, LOCK, RATIO, YIELD, GROUPS };

/* The state in the design position from which a metric is read: both wheels rise, or the left one rises and the right
 * one falls. */
enum view { COMPUTED, HEAVE, ROLL };

/* All metrics in the order of the list; of two names in a pair the first is for a rear axle, the second for a front
 * axle. */
/* clang-format off */
static const struct {
  enum group group;
  enum view view;
  enum vd_kc_part part;
  enum vd_kc_figure figure[14]; /* ends with 0, which is the column of words and never a metric */
} known[] = {
  {.group = GAINS, .view = HEAVE, .figure = {VD_FIGURE_TOE_TRAVEL, VD_FIGURE_CAMBER_TRAVEL, VD_FIGURE_TRACK_TRAVEL,
      VD_FIGURE_TOE_RACK, VD_FIGURE_CASTER_RACK}},
  {.group = GAINS, .view = HEAVE, .part = VD_KC_UNLISTED, .figure = {VD_FIGURE_CASTER_RACK_SEED}},
  {.group = PLACE, .view = HEAVE, .part = VD_KC_UNLISTED, .figure = {VD_FIGURE_TOE, VD_FIGURE_CAMBER}},
  {.group = PLACE, .view = HEAVE, .figure = {VD_FIGURE_CASTER, VD_FIGURE_KPI, VD_FIGURE_SCRUB, VD_FIGURE_TRAIL,
      VD_FIGURE_KINGPIN_OFFSET, VD_FIGURE_SPINDLE_TRAIL, VD_FIGURE_WHEEL_RECESSION_TRAVEL, VD_FIGURE_PATCH_TRACK_TRAVEL,
      VD_FIGURE_CASTER_TRAVEL}},
  {.group = SPRING, .view = HEAVE, .part = VD_KC_SPRING, .figure = {VD_FIGURE_MOTION_RATIO}},
  {.group = SPRING, .view = HEAVE, .part = VD_KC_DAMPER, .figure = {VD_FIGURE_DAMPER_RATIO}},
  {.group = SPRING, .view = HEAVE, .part = VD_KC_SPRING, .figure = {VD_FIGURE_SPRING_FORCE}},
  {.group = SPRING, .view = HEAVE, .part = VD_KC_RATE, .figure = {VD_FIGURE_WHEEL_RATE, VD_FIGURE_RIDE_RATE}},
  {.group = ANTI, .figure = {VD_FIGURE_ANTI_LIFT_OUTBOARD, VD_FIGURE_ANTI_DIVE_OUTBOARD, VD_FIGURE_ANTI_LIFT_INBOARD,
      VD_FIGURE_ANTI_DIVE_INBOARD, VD_FIGURE_ANTI_SQUAT_OUTBOARD, VD_FIGURE_ANTI_LIFT_DRIVE_OUTBOARD,
      VD_FIGURE_ANTI_SQUAT_INBOARD, VD_FIGURE_ANTI_LIFT_DRIVE_INBOARD}},
  {.group = ROLL_CENTRES, .view = ROLL, .figure = {VD_FIGURE_ROLL_CENTRE_Z, VD_FIGURE_ROLL_CENTRE_PLANES_Z,
      VD_FIGURE_ROLL_CENTRE_MIGRATION, VD_FIGURE_ROLL_CENTRE_PLANES_MIGRATION}},
  {.group = SWING_ARMS, .view = ROLL, .figure = {VD_FIGURE_FRONT_ARM, VD_FIGURE_FRONT_ANGLE}},
  {.group = SWING_ARMS, .view = HEAVE, .figure = {VD_FIGURE_SIDE_ARM, VD_FIGURE_SIDE_ANGLE}},
  {.group = SWING_ARMS, .figure = {VD_FIGURE_ROLL_STEER, VD_FIGURE_ROLL_CAMBER_BODY, VD_FIGURE_ROLL_CAMBER_ROAD}},
  {.group = ROLL_RATES, .part = VD_KC_RATE, .figure = {VD_FIGURE_ROLL_RATE, VD_FIGURE_ROLL_RATE_TYRES}},
  {.group = RATIO, .part = VD_KC_UNLISTED, .figure = {VD_FIGURE_C_FACTOR}},
  {.group = RATIO, .figure = {VD_FIGURE_STEERING_RATIO, VD_FIGURE_STEERING_RATIO_LOCK}},
  {.group = LOCK, .part = VD_KC_UNLISTED, .figure = {VD_FIGURE_LOCK_RACK}},
  {.group = LOCK, .figure = {VD_FIGURE_LOCK_INNER, VD_FIGURE_LOCK_OUTER, VD_FIGURE_ACKERMANN,
      VD_FIGURE_TURNING_CIRCLE}},
  {.group = YIELD, .part = VD_KC_COMPLIANCE, .figure = {VD_FIGURE_TOE_FX, VD_FIGURE_TOE_FY, VD_FIGURE_TOE_MZ,
      VD_FIGURE_CAMBER_FX, VD_FIGURE_CAMBER_FY, VD_FIGURE_CAMBER_MZ, VD_FIGURE_WHEEL_X_FX, VD_FIGURE_WHEEL_Y_FY,
      VD_FIGURE_PATCH_Y_FY, VD_FIGURE_PATCH_X_FY, VD_FIGURE_PATCH_Y_FX, VD_FIGURE_TOE_FX_CENTRE,
      VD_FIGURE_CAMBER_FX_CENTRE}},
  {.group = YIELD, .part = VD_KC_UNLISTED, .figure = {VD_FIGURE_LOAD_FREE, VD_FIGURE_LOAD_CENTRE_HELD,
      VD_FIGURE_LOAD_GROUND_HELD}},
};
/* clang-format on */

const vd_kc_figure_info *vd_kc_metric_at(size_t place) {
  for (size_t i = 0; i < VD_COUNT(known); i++)
    for (const enum vd_kc_figure *f = known[i].figure; *f; f++)
      if (place-- == 0)
        return &vd_kc_figures[*f];
  return NULL;
}

typedef struct table {
  double value[VD_FIGURES];
  bool applies[VD_FIGURES];
  const char *none[GROUPS]; /* the reason why the metrics of a group have no value; NULL: they have one */
  vd_kc_report *report;
} table;

/* Adds a metric. value: in SI, or in the figure's unit if it is computed in this unit. */
static void set(table *t, enum vd_kc_figure figure, double value) {
  t->value[figure] = vd_kc_figures[figure].scale * value;
  t->applies[figure] = true;
}

static void set_members(table *t, enum view view, const vd_linkage *l, const vd_kc_state *s) {
  const vd_kc_row row = vd_kc_row_of(l, s);
  for (size_t i = 0; i < VD_COUNT(known); i++)
    for (const enum vd_kc_figure *f = known[i].figure; *f && known[i].view == view; f++)
      set(t, *f, vd_kc_figure_si(*f, &row));
}

/* Sets the shares of the load transfer that the links carry, if the knuckle (outboard) or the body (inboard) carries
 * the torque of brakes or drive. */
static void set_antis(table *t, const vd_corner *corner, const vd_kc_state *s) {
  double lever = (corner->rear ? -100.0 : 100.0) * corner->wheelbase / corner->cg_height;
  double brake = lever * corner->brake_share, drive = lever * corner->drive_share;
  set(t, corner->rear ? VD_FIGURE_ANTI_LIFT_OUTBOARD : VD_FIGURE_ANTI_DIVE_OUTBOARD, brake * s->brake_slope);
  set(t, corner->rear ? VD_FIGURE_ANTI_LIFT_INBOARD : VD_FIGURE_ANTI_DIVE_INBOARD, brake * s->drive_slope);
  set(t, corner->rear ? VD_FIGURE_ANTI_SQUAT_OUTBOARD : VD_FIGURE_ANTI_LIFT_DRIVE_OUTBOARD, drive * s->brake_slope);
  set(t, corner->rear ? VD_FIGURE_ANTI_SQUAT_INBOARD : VD_FIGURE_ANTI_LIFT_DRIVE_INBOARD, drive * s->drive_slope);
}

/* Sets roll rates. With the wheel rate k and the travel z per roll angle p, the springs of both wheels give K = 2 k
 * (dz/dp)^2. The torsion of a beam and the anti-roll bar add to this; the tyres, with the rate k_t at y from the
 * middle, have 2 k_t y^2 in series. */
static void set_roll_rates(table *t, const vd_corner *corner, const vd_kc_state *s, double travel) {
  double bar = isnan(corner->antiroll_stiffness) ? 0.0 : corner->antiroll_stiffness;
  double body = (2.0 * s->wheel_rate + 4.0 * vd_corner_twist_rate(corner)) * travel * travel + bar;
  double tyres = 2.0 * corner->tyre_rate * s->patch_y.v * s->patch_y.v;
  set(t, VD_FIGURE_ROLL_RATE, body / degree);
  set(t, VD_FIGURE_ROLL_RATE_TYRES, body * tyres / (body + tyres) / degree);
}

/* Sets figures of roll. At a roll angle phi of the body, left side up, the left wheel moves down by y phi relative to
 * the body, with y the place of the contact point; figures relative to the road also change by phi. The linkage and the
 * direction of the inputs are such that the left wheel's travel changes by 1. */
static void set_roll(table *t, const vd_corner *corner) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  if (!vd_linkage_build(&corner->points, VD_OPPOSITE, &l))
    return;
  const vd_kc_view view = {.along = {1.0, l.axle ? -1.0 : 0.0}};
  vd_linkage_start(&l, &start);
  vd_kc_state_in_view(corner, &l, &start, &view, &s);
  double travel = -s.patch_y.v / vd_jet_along(s.patch_z, view.along); /* per roll angle */
  set_members(t, ROLL, &l, &s);
  set(t, VD_FIGURE_ROLL_STEER, travel * vd_jet_along(s.steer, view.along));
  set(t, VD_FIGURE_ROLL_CAMBER_BODY, travel * vd_jet_along(s.camber, view.along));
  set(t, VD_FIGURE_ROLL_CAMBER_ROAD, travel * vd_jet_along(s.camber, view.along) - 1.0);
  set_roll_rates(t, corner, &s, travel);
}

/* Returns the end of a rack's range that is farther from 0, m. */
static double lock_of(const vd_kc_range *rack) {
  return fabs(rack->from) > fabs(rack->to) ? rack->from : vd_kc_value(rack, rack->points - 1);
}

/* Sets the figures at the farther end of the rack. The car turns to the side of the mean steer angle. design: state of
 * a wheel straight ahead. */
static void set_steering(table *t, const vd_kc_run *r, const vd_kc_state *design) {
  const vd_corner *corner = r->corner;
  const double end = lock_of(&r->plan->range[VD_KC_RACK]);
  vd_kc_axle straight,
      axle = {.ackermann = NAN, .turning_circle = NAN, .steer_left = NAN, .steer_right = NAN, .steering_ratio = NAN};
  vd_kc_state wheel[2], straight_wheel[2] = {*design, *design};
  bool closes = r->steered;
  for (int i = 0; i < 2 && closes; i++) {
    const vd_kc_side_wheel *w = &r->wheel[i];
    vd_pose pose;
    vd_linkage_start(w->linkage, &pose);
    vd_kc_state_of_wheel(r, w, &pose, &straight_wheel[i]);
    closes = vd_linkage_move_racked(w->linkage, pose.u, end * w->rack, &pose) == VD_LINKAGE_OK;
    if (closes)
      vd_kc_state_of_wheel(r, w, &pose, &wheel[i]);
    else
      vd_kc_message(t->report, "no figures of the lock: the %s wheel cannot reach rack %.9g mm", vd_side_names[i],
                    1e3 * end);
  }
  if (closes)
    vd_kc_axle_at(corner, &r->linkage, &wheel[0], &wheel[1], &axle);
  double left = fabs(axle.steer_left), right = fabs(axle.steer_right);
  bool to_left = axle.steer_left + axle.steer_right > 0.0;
  t->none[LOCK] =
      closes ? "the file has no wheelbase, or the wheels stay straight" : "the wheel cannot reach the rack's end";
  if (!r->steered)
    t->none[LOCK] = t->none[GAINS];
  vd_kc_axle_at(corner, &r->linkage, &straight_wheel[0], &straight_wheel[1], &straight);
  set(t, VD_FIGURE_LOCK_RACK, closes ? end : NAN);
  set(t, VD_FIGURE_LOCK_INNER, to_left != corner->rear ? left : right);
  set(t, VD_FIGURE_LOCK_OUTER, to_left != corner->rear ? right : left);
  set(t, VD_FIGURE_ACKERMANN, axle.ackermann);
  set(t, VD_FIGURE_TURNING_CIRCLE, axle.turning_circle);
  double boxed = 2.0 * VD_PI / fabs(straight.steering_wheel_gain);
  set(t, VD_FIGURE_C_FACTOR, isnan(corner->gear_ratio) ? corner->c_factor : boxed);
  set(t, VD_FIGURE_STEERING_RATIO, straight.steering_ratio);
  set(t, VD_FIGURE_STEERING_RATIO_LOCK, axle.steering_ratio);
}

/* Returns the changes of the figures per unit of a load at the contact point or at the wheel centre. */
static vd_kc_displacement displacement_by(const vd_linkage *l, const vd_compliance_state *state, int load,
                                          bool contact) {
  double spin[3], f[6];
  for (int i = 0; i < 3; i++)
    spin[i] = vd_dot(state->pose.turn[i], l->spin_axis);
  for (int i = 0; i < 6; i++)
    f[i] = state->flexibility[i][load];
  if (contact)
    vd_compliance_at_contact(state, load, f);
  return vd_kc_displacement_of(spin, state->contact, 1.0, f);
}

/* Sets the compliances with the wheel held as the plan says. fx is the force of a wheel with a brake on the knuckle,
 * fx_centre that of a wheel with a drive shaft. */
static void set_compliance(table *t, const vd_kc_run *r) {
  enum { FX = 0, FY = 1, MZ = 5 };
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const vd_kc_displacement none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  vd_kc_displacement fx = none, fx_centre = none, fy = none, mz = none;
  vd_compliance_state state = {.residual = NAN};
  const double load = r->plan->load.fz;
  const enum vd_hold hold = r->plan->hold == VD_HOLD_AUTO ? VD_HOLD_CENTRE : r->plan->hold;
  const vd_wheel_load under = {.fz = load};
  vd_linkage_start(&r->linkage, &state.pose);
  if (vd_kc_elastic(r->corner)) {
    vd_compliance *c = vd_kc_compliance(r, &r->wheel[0], hold);
    if (vd_compliance_solve(c, design, &under, &state)) {
      fx = displacement_by(&r->linkage, &state, FX, true);
      fx_centre = displacement_by(&r->linkage, &state, FX, false);
      fy = displacement_by(&r->linkage, &state, FY, true);
      mz = displacement_by(&r->linkage, &state, MZ, false);
    } else {
      t->none[YIELD] = "there is no equilibrium under the load";
      vd_kc_message(t->report, "no figures of the compliance: there is no equilibrium at %.9g N", load);
    }
    vd_compliance_destroy(c);
  }
  set(t, VD_FIGURE_TOE_FX, fx.toe);
  set(t, VD_FIGURE_TOE_FY, fy.toe);
  set(t, VD_FIGURE_TOE_MZ, mz.toe);
  set(t, VD_FIGURE_CAMBER_FX, fx.camber);
  set(t, VD_FIGURE_CAMBER_FY, fy.camber);
  set(t, VD_FIGURE_CAMBER_MZ, mz.camber);
  set(t, VD_FIGURE_WHEEL_X_FX, fx.x);
  set(t, VD_FIGURE_WHEEL_Y_FY, fy.y);
  set(t, VD_FIGURE_PATCH_Y_FY, fy.patch_y);
  set(t, VD_FIGURE_PATCH_X_FY, fy.patch_x);
  set(t, VD_FIGURE_PATCH_Y_FX, fx.patch_y);
  set(t, VD_FIGURE_TOE_FX_CENTRE, fx_centre.toe);
  set(t, VD_FIGURE_CAMBER_FX_CENTRE, fx_centre.camber);
  set(t,
      hold == VD_HOLD_FREE     ? VD_FIGURE_LOAD_FREE
      : hold == VD_HOLD_GROUND ? VD_FIGURE_LOAD_GROUND_HELD
                               : VD_FIGURE_LOAD_CENTRE_HELD,
      load);
}

static void write_table(const table *t, vd_kc_metrics *out) {
  for (enum group group = 0; group < GROUPS; group++)
    for (size_t i = 0; i < VD_COUNT(known); i++)
      for (const enum vd_kc_figure *f = known[i].figure; *f && known[i].group == group; f++)
        if (t->applies[*f]) {
          const char *reason = isnan(t->value[*f]) ? t->none[group] : "";
          assert(out->count < VD_KC_METRICS);
          out->metric[out->count++] = (vd_kc_metric){*f, t->value[*f], reason, known[i].part};
        }
}

bool vd_kc_metrics_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_metrics *out, vd_kc_report *report) {
  table t = {.report = report,
             .none = {[GAINS] = "no rack steers this wheel",
                      [PLACE] = "the linkage has no steering axis",
                      [SPRING] = "the file has no such spring or damper, or lacks its rate and load",
                      [ANTI] = "the file does not give the car's wheelbase, centre of gravity and shares of brake and "
                               "drive",
                      [ROLL_CENTRES] = "the linkage has no roll centre",
                      [SWING_ARMS] = "the wheel does not turn in this view, or a beam joins it to the other one",
                      [ROLL_RATES] = "the file does not give the rate and the load of the spring, or the rate of the "
                                     "tyre",
                      [RATIO] = "no rack steers this wheel, or the file has neither car.c_factor nor car.gear_ratio",
                      [YIELD] = "nothing is elastic: there are no bushings"}};
  vd_kc_plan parallel = *plan;
  vd_kc_run r;
  vd_pose start;
  vd_kc_state s;
  parallel.motion = VD_PARALLEL;
  parallel.loaded = false;
  out->count = 0;
  if (!vd_kc_start(corner, &parallel, &r, report))
    return false;
  vd_linkage_start(&r.linkage, &start);
  vd_kc_state_of_wheel(&r, &r.wheel[0], &start, &s);
  set_members(&t, HEAVE, &r.linkage, &s);
  set_antis(&t, corner, &s);
  set_roll(&t, corner);
  set_steering(&t, &r, &s);
  set_compliance(&t, &r);
  write_table(&t, out);
  return true;
}

bool vd_kc_metrics_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  vd_kc_metrics m;
  if (!vd_kc_metrics_of(corner, plan, &m, report))
    return false;
  vd_buf_puts(out, "metric,value,unit\n");
  for (size_t i = 0; i < m.count; i++) {
    vd_buf_printf(out, "%s", vd_kc_figures[m.metric[i].figure].name);
    vd_kc_field(m.metric[i].value, plan->digits, out);
    vd_buf_printf(out, ",%s\n", vd_kc_figures[m.metric[i].figure].unit);
  }
  return true;
}
