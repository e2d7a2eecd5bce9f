/* Sweeps of forces, whose points are equilibria: compliance, and the forces in the joints. */
#include "kc/sweep_impl.h"

#include "base/memory.h"
#include "kc/joint_forces.h"

#include <stdlib.h>

/* One sweep of one wheel. */
typedef struct task {
  vd_kc_run *r;
  enum vd_kc_sweep sweep;
  const vd_kc_side_wheel *w;
  vd_kc_range range;
} task;

/* A point of the sweep. */
typedef struct point {
  bool found;
  vd_wheel_load load; /* in the axes of the chassis */
  double rack;        /* m, of the axle */
  vd_compliance_state state;
  vd_pose place; /* pose of the wheel, as a left wheel */
  size_t forces;
  vd_joint_force force[VD_JOINT_FORCES];
} point;

/* --- rows --- */

static void write_curve(const task *t, const point *p) {
  const vd_kc_run *r = t->r;
  vd_kc_state state;
  vd_kc_place_at(t->w->linkage, &p->place, &state);
  vd_kc_row row = {.sweep = vd_kc_sweep_names[t->sweep],
                   .side = vd_side_names[t->w->right],
                   .travel = p->state.pose.u[t->w->on_axle],
                   .rack = r->steered ? p->rack : NAN,
                   .load = p->load,
                   .hold = vd_kc_hold_names[p->state.hold],
                   .right = t->w->right,
                   .along = {NAN, NAN},
                   .design_y = r->linkage.points.wheel_center[1],
                   .steering_wheel = NAN,
                   .state = &state};
  vd_kc_write_row(&row, r->plan, r->out);
  r->report->rows++;
}

static const char *const force_columns =
    "sweep,travel_mm,rack_mm,fx_N,fy_N,fz_N,mz_Nm,fx_centre_N,side,from,on,point,x_mm,y_mm,z_mm,"
    "force_x_N,force_y_N,force_z_N,moment_x_Nm,moment_y_Nm,moment_z_Nm,pull_N\n";

static void write_numbers(const vd_kc_run *r, const double *value, int count) {
  for (int i = 0; i < count; i++)
    vd_kc_field(value[i], r->plan->digits, r->out);
}

static void write_forces(const task *t, const point *p, const char *side, const vd_joint_force *force, size_t count) {
  enum { INPUTS = 7, RESULTS = 10 };
  const vd_kc_run *r = t->r;
  const double in[INPUTS] = {1e3 * p->state.pose.u[t->w->on_axle],
                             r->steered ? 1e3 * p->rack : NAN,
                             p->load.fx,
                             p->load.fy,
                             p->load.fz,
                             p->load.mz,
                             p->load.centre[0]};
  for (size_t k = 0; k < count; k++) {
    const vd_joint_force *f = &force[k];
    const double *v = f->force, *m = f->moment;
    const double out[RESULTS] = {1e3 * f->at[0], 1e3 * f->at[1], 1e3 * f->at[2], v[0], v[1],
                                 v[2],           m[0],           m[1],           m[2], f->pull};
    vd_buf_puts(r->out, vd_kc_sweep_names[t->sweep]);
    write_numbers(r, in, INPUTS);
    vd_buf_printf(r->out, ",%s,%s,%s,%s", side, f->from, f->on, f->point);
    write_numbers(r, out, RESULTS);
    vd_buf_puts(r->out, "\n");
    r->report->rows++;
  }
}

/* --- points --- */

/* Returns the range of a load. Without one in the plan it is around the wheel's own load. */
static vd_kc_range range_of(const vd_kc_run *r, enum vd_kc_sweep sweep) {
  const vd_kc_range about = {0.5 * r->corner->wheel_load, 1.5 * r->corner->wheel_load, 11}, wide = {500.0, 8000.0, 16};
  if (r->plan->range[sweep].points > 0)
    return r->plan->range[sweep];
  return isnan(r->corner->wheel_load) ? wide : about;
}

/* Reports a point without equilibrium. last: index of the last point with one, counted from the smallest value; -1:
 * there is none. */
static void unbalanced(const task *t, int i, int last) {
  bool length = t->sweep == VD_KC_TRAVEL || t->sweep == VD_KC_RACK;
  const char *unit = length ? "mm" : t->sweep == VD_KC_MZ ? "N m" : "N";
  double scale = length ? 1e3 : 1.0;
  vd_buf before = {0};
  if (last >= 0)
    vd_buf_printf(&before, "; the last %s with one is %.9g %s", length ? "place" : "load",
                  scale * vd_kc_value(&t->range, last), unit);
  vd_kc_message(t->r->report, "sweep '%s': no equilibrium of the %s wheel at %.9g %s%s", vd_kc_sweep_names[t->sweep],
                vd_side_names[t->w->right], scale * vd_kc_value(&t->range, i), unit, last >= 0 ? before.text : "");
  vd_buf_finish(&before);
}

/* Mirrors the forces of a right corner, which is computed as a left one: y of polar vectors and x and z of axial
 * vectors change signs. */
static void mirror_forces(point *p) {
  for (size_t k = 0; k < p->forces; k++) {
    vd_joint_force *f = &p->force[k];
    f->at[1] = -f->at[1];
    f->force[1] = -f->force[1];
    f->moment[0] = -f->moment[0];
    f->moment[2] = -f->moment[2];
  }
}

/* Solves for a point. Forces are in the axes of the chassis; for a mirrored corner lateral forces and the moment about
 * z change signs. Of two wheels that are joined the other one has no loads. */
static void solve_point(const task *t, int i, vd_compliance *c, vd_compliance_state *state, point *p) {
  const vd_kc_plan *plan = t->r->plan;
  double value = vd_kc_value(&t->range, i), u[VD_INPUTS];
  *p = (point){.load = plan->load, .rack = t->sweep == VD_KC_RACK ? value : plan->rack};
  double *part = vd_kc_load_part(&p->load, t->sweep);
  if (part)
    *part = value;
  vd_kc_inputs(t->r, t->w, t->sweep == VD_KC_TRAVEL ? value : plan->travel, p->rack, u);
  static const vd_wheel_load none;
  const vd_wheel_load own = vd_kc_mirrored_load(&p->load, t->w->right && !t->w->on_axle);
  vd_compliance_load_right(c, t->w->on_axle ? &own : &none);
  state->pose.gear = p->rack;
  p->found = vd_compliance_solve(c, u, t->w->on_axle ? &none : &own, state);
  p->state = *state;
  p->place = state->pose;
  if (t->w->on_axle)
    vd_compliance_right_pose(c, &p->place);
  if (p->found && plan->forces)
    p->forces = vd_compliance_forces(c, p->force);
  if (t->w->right && !t->w->on_axle)
    mirror_forces(p);
}

/* Solves for all points; the caller must free them. */
static point *solve_points(const task *t, const vd_pose *start, vd_compliance *c) {
  int middle = vd_kc_nearest_to_zero(&t->range);
  point *at = vd_allocate((size_t)t->range.points, sizeof *at);
  for (int k = 0; k < t->range.points; k++) {
    int before, i = vd_kc_outward(&t->range, middle, k, &before);
    if (before < 0 || at[before].found) {
      vd_compliance_state state = {.pose = *start};
      if (before >= 0)
        state = at[before].state;
      solve_point(t, i, c, &state, &at[i]);
      if (!at[i].found)
        unbalanced(t, i, before);
    }
    t->r->report->missing += !at[i].found;
  }
  return at;
}

static void write_points(const task *t, const point *at) {
  for (int i = 0; i < t->range.points; i++)
    if (at[i].found && t->r->plan->forces)
      write_forces(t, &at[i], vd_side_names[t->w->right], at[i].force, at[i].forces);
    else if (at[i].found)
      write_curve(t, &at[i]);
}

/* Writes the forces on the relay rod between both wheels, from the rows of both wheels. */
static void write_relay(const task *t, const point *left, const point *right) {
  for (int i = 0; i < t->range.points; i++) {
    const vd_wheel_forces wheel[2] = {{left[i].forces, left[i].force}, {right[i].forces, right[i].force}};
    vd_joint_force force[VD_RELAY_FORCES];
    if (left[i].found && right[i].found)
      write_forces(t, &left[i], "both", force, vd_relay_forces(&t->r->corner->points.gear, left[i].rack, wheel, force));
  }
}

/* Returns how the wheel is held. By default a jack holds the wheel centre under longitudinal and lateral forces and
 * moments, as a rig that adjusts the wheel's height does; under fz the wheel moves on its spring, if that is known. */
static enum vd_hold hold_of(const vd_kc_run *r, enum vd_kc_sweep sweep) {
  return r->plan->hold == VD_HOLD_AUTO && sweep != VD_KC_FZ ? VD_HOLD_CENTRE : r->plan->hold;
}

/* Moves to the travel and the rack of the plan; false after a message. */
static bool move_to_plan(const task *t, vd_pose *pose) {
  const vd_kc_plan *plan = t->r->plan;
  double u[VD_INPUTS];
  vd_kc_inputs(t->r, t->w, plan->travel, plan->rack, u);
  if (vd_linkage_move(t->w->linkage, u, pose) == VD_LINKAGE_OK)
    return true;
  vd_kc_message(t->r->report, "sweep '%s': the %s wheel cannot reach travel %.9g mm at rack %.9g mm",
                vd_kc_sweep_names[t->sweep], vd_side_names[t->w->right], 1e3 * plan->travel * t->w->travel,
                1e3 * plan->rack);
  t->r->report->missing += t->range.points;
  return false;
}

void vd_kc_sweep_loads(vd_kc_run *r, const vd_pose *start, const bool *wanted) {
  const bool relay = r->plan->forces && r->corner->points.gear.kind == VD_GEAR_RELAY && r->steered;
  if (r->plan->forces)
    vd_buf_puts(r->out, force_columns);
  for (enum vd_kc_sweep sweep = r->plan->forces ? VD_KC_TRAVEL : VD_KC_FX; sweep < VD_KC_SWEEPS; sweep++) {
    if (!wanted[sweep])
      continue;
    task t[2];
    point *at[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
      t[k] = (task){r, sweep, &r->wheel[k], range_of(r, sweep)};
      vd_pose pose = *start;
      if ((!vd_kc_asked(r, t[k].w) && !relay) || !move_to_plan(&t[k], &pose))
        continue;
      vd_compliance *c = vd_kc_compliance(r, t[k].w, hold_of(r, sweep));
      at[k] = solve_points(&t[k], &pose, c);
      vd_compliance_destroy(c);
    }
    for (int k = 0; k < 2; k++)
      if (at[k] && vd_kc_asked(r, t[k].w))
        write_points(&t[k], at[k]);
    if (relay && at[0] && at[1])
      write_relay(&t[0], at[0], at[1]);
    free(at[0]);
    free(at[1]);
  }
}
