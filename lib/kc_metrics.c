/* The figures at the design position, as a table. */
#include "kc_sweep_impl.h"
#include "vec.h"

#include <stdlib.h>

static const double degree = 180.0 / VD_PI, degpmm = 0.18 / VD_PI;

typedef struct table {
  vd_buf *out;
  enum vd_digits digits;
  vd_kc_report *report;
} table;

static void put(const table *t, const char *metric, double value, const char *unit) {
  vd_buf_printf(t->out, "%s,", metric);
  vd_kc_number(value, t->digits, t->out);
  vd_buf_printf(t->out, ",%s\n", unit);
}

static double rate(vd_jet a, const double *along) {
  return a.d[0] * along[0] + a.d[1] * along[1];
}

static void put_gains(const table *t, const vd_corner *corner, const vd_linkage *l) {
  vd_kc_gains g;
  vd_kc_gains_of(corner, l, &g);
  put(t, "toe_travel", degpmm * g.toe_travel, "deg/mm");
  put(t, "camber_travel", degpmm * g.camber_travel, "deg/mm");
  put(t, "track_travel", g.track_travel, "mm/mm");
  put(t, "toe_rack", degpmm * g.toe_rack, "deg/mm");
  put(t, "caster_rack", degpmm * g.caster_rack, "deg/mm");
  put(t, "caster_rack_seed", degpmm * g.caster_rack_seed, "deg/mm");
}

static void put_pose(const table *t, const vd_kc_state *s, const double *along) {
  put(t, "toe", degree * s->toe.v, "deg");
  put(t, "camber", degree * s->camber.v, "deg");
  put(t, "caster", degree * s->caster.v, "deg");
  put(t, "kpi", degree * s->kpi.v, "deg");
  put(t, "scrub", 1e3 * s->scrub.v, "mm");
  put(t, "trail", 1e3 * s->trail.v, "mm");
  put(t, "kingpin_offset", 1e3 * s->kingpin_offset.v, "mm");
  put(t, "spindle_trail", 1e3 * s->spindle_trail.v, "mm");
  put(t, "wheel_recession_travel", rate(s->wheel_x, along), "mm/mm");
  put(t, "patch_track_travel", rate(s->patch_y, along), "mm/mm");
  put(t, "caster_travel", degpmm * rate(s->caster, along), "deg/mm");
  put(t, "motion_ratio", s->motion_ratio, "1");
  put(t, "damper_ratio", s->damper_ratio, "1");
  put(t, "spring_force", s->spring_force, "N");
  put(t, "wheel_rate", 1e-3 * s->wheel_rate, "N/mm");
  put(t, "ride_rate", 1e-3 * s->ride_rate, "N/mm");
}

static void put_antis(const table *t, const vd_corner *corner, const vd_kc_state *s) {
  double lever = (corner->rear ? -100.0 : 100.0) * corner->wheelbase / corner->cg_height;
  double brake = lever * corner->brake_share, drive = lever * corner->drive_share;
  put(t, corner->rear ? "anti_lift_outboard" : "anti_dive_outboard", brake * s->brake_slope, "%");
  put(t, corner->rear ? "anti_lift_inboard" : "anti_dive_inboard", brake * s->drive_slope, "%");
  put(t, corner->rear ? "anti_squat_outboard" : "anti_lift_drive_outboard", drive * s->brake_slope, "%");
  put(t, corner->rear ? "anti_squat_inboard" : "anti_lift_drive_inboard", drive * s->drive_slope, "%");
}

/* With the body's roll phi, left side up, the left wheel goes down by y phi over the road, y the contact point's place; what is of
 * the road turns with it. For a linkage and a direction in which that is one unit of the left wheel's travel. */
static void put_roll(const table *t, const vd_corner *corner) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  if (!vd_linkage_build(&corner->points, VD_OPPOSITE, &l))
    return;
  const vd_kc_view view = {.along = {1.0, l.axle ? -1.0 : 0.0}};
  vd_linkage_start(&l, &start);
  vd_kc_state_seen(corner, &l, &start, &view, &s);
  double travel = -s.patch_y.v / rate(s.patch_z, view.along); /* per roll */
  put(t, "roll_centre_z", 1e3 * s.roll_centre_z, "mm");
  put(t, "roll_centre_planes_z", 1e3 * s.roll_centre_planes_z, "mm");
  put(t, "roll_centre_migration", s.roll_centre_migration, "mm/mm");
  put(t, "roll_centre_planes_migration", s.planes_migration, "mm/mm");
  put(t, "roll_steer", travel * rate(s.steer, view.along), "deg/deg");
  put(t, "roll_camber_body", travel * rate(s.camber, view.along), "deg/deg");
  put(t, "roll_camber_road", travel * rate(s.camber, view.along) - 1.0, "deg/deg");
}

/* At the rack's farther end; the car turns to the side of the mean. */
static void put_steering(const table *t, const vd_corner *corner, const vd_linkage *l, const vd_kc_range *range) {
  double end = fabs(range->from) > fabs(range->to) ? range->from : vd_kc_value(range, range->points - 1);
  vd_kc_axle axle = {.ackermann = NAN, .turning_circle = NAN, .steer_left = NAN, .steer_right = NAN};
  vd_kc_state wheel[2];
  bool closes = vd_kc_steered(l);
  for (int i = 0; i < 2 && closes; i++) {
    vd_pose pose;
    const double u[VD_INPUTS] = {0.0, i == 0 ? end : -end};
    vd_linkage_start(l, &pose);
    closes = vd_linkage_move(l, u, &pose) == VD_LINKAGE_OK;
    if (closes)
      vd_kc_state_at(corner, l, &pose, &wheel[i]);
    else
      vd_kc_message(t->report, "no figures of the lock: the %s wheel cannot reach rack %.9g mm",
                    i == 0 ? "left" : "right", 1e3 * end);
  }
  if (closes)
    vd_kc_axle_at(corner, l, &wheel[0], &wheel[1], &axle);
  double left = fabs(axle.steer_left), right = fabs(axle.steer_right);
  bool to_left = axle.steer_left + axle.steer_right > 0.0;
  put(t, "lock_rack", closes ? 1e3 * end : NAN, "mm");
  put(t, "lock_inner", degree * (to_left != corner->rear ? left : right), "deg");
  put(t, "lock_outer", degree * (to_left != corner->rear ? right : left), "deg");
  put(t, "ackermann", 100.0 * axle.ackermann, "%");
  put(t, "turning_circle", axle.turning_circle, "m");
}

/* Motion of the wheel centre and turn per unit of a load, as toe, camber and shift. With dr the turn, the spin axis moves by
 * dr x s, and toe = atan2(s_x, s_y), camber = atan2(-s_z, hypot(s_x, s_y)). */
typedef struct yielding {
  double toe, camber, x, y, patch_y;
} yielding;

static yielding yields(const vd_linkage *l, const vd_compliance_state *state, int load) {
  double f[6], s[3], turned[3];
  for (int i = 0; i < 6; i++)
    f[i] = state->flexibility[i][load];
  const double *r = f + 3;
  for (int i = 0; i < 3; i++)
    s[i] = vd_dot(state->pose.turn[i], l->spin_axis);
  vd_cross(r, s, turned);
  vd_kc_state place;
  vd_kc_place_at(l, &state->pose, &place);
  double flat = s[0] * s[0] + s[1] * s[1], x = place.patch_x.v - place.wheel_x.v, z = place.patch_z.v - place.wheel_z.v;
  return (yielding){.toe = (turned[0] * s[1] - turned[1] * s[0]) / flat,
                    .camber = -turned[2] / sqrt(flat),
                    .x = f[0],
                    .y = f[1],
                    .patch_y = f[1] + r[2] * x - r[0] * z};
}

/* With the wheel centre held at its height. */
static void put_compliance(const table *t, const vd_corner *corner, const vd_linkage *l, double load) {
  enum { FX = 0, FY = 1, MZ = 5 };
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const yielding none = {NAN, NAN, NAN, NAN, NAN};
  yielding fx = none, fy = none, mz = none;
  vd_compliance_state state = {.residual = NAN};
  const vd_patch_load under = {.fz = load};
  vd_linkage_start(l, &state.pose);
  if (vd_kc_elastic(corner)) {
    vd_compliance *c = vd_compliance_create(corner, l, VD_HOLD_WHEEL);
    if (!c)
      abort();
    if (vd_compliance_solve(c, design, &under, &state)) {
      fx = yields(l, &state, FX);
      fy = yields(l, &state, FY);
      mz = yields(l, &state, MZ);
    } else {
      vd_kc_message(t->report, "no figures of the compliance: there is no equilibrium at %.9g N", load);
    }
    vd_compliance_destroy(c);
  }
  put(t, "toe_fx", 1e3 * degree * fx.toe, "deg/kN");
  put(t, "toe_fy", 1e3 * degree * fy.toe, "deg/kN");
  put(t, "toe_mz", 1e2 * degree * mz.toe, "deg/(100 N m)");
  put(t, "camber_fx", 1e3 * degree * fx.camber, "deg/kN");
  put(t, "camber_fy", 1e3 * degree * fy.camber, "deg/kN");
  put(t, "camber_mz", 1e2 * degree * mz.camber, "deg/(100 N m)");
  put(t, "wheel_x_fx", 1e6 * fx.x, "mm/kN");
  put(t, "wheel_y_fy", 1e6 * fy.y, "mm/kN");
  put(t, "patch_y_fy", 1e6 * fy.patch_y, "mm/kN");
}

bool vd_kc_metrics_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  const table t = {out, plan->digits, report};
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  *report = (vd_kc_report){.rows = 0};
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l)) {
    vd_kc_message(report, "%s", vd_kc_loose);
    return false;
  }
  const double along[VD_INPUTS] = {1.0, l.axle ? 1.0 : 0.0};
  vd_linkage_start(&l, &start);
  vd_kc_state_at(corner, &l, &start, &s);
  vd_buf_puts(out, "metric,value,unit\n");
  put_gains(&t, corner, &l);
  put_pose(&t, &s, along);
  put_antis(&t, corner, &s);
  put_roll(&t, corner);
  put_steering(&t, corner, &l, &plan->range[VD_KC_RACK]);
  put_compliance(&t, corner, &l, plan->load);
  return true;
}
