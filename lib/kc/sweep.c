/* Computes the sweeps from the point nearest to the design position outward; each pose starts from its neighbour. */
#include "kc/sweep_impl.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- kinematics --- */

/* A point of a sweep, for one wheel. */
typedef struct place {
  bool closes;
  vd_pose pose;
} place;

/* A line of travel or rack while the other one is fixed; a grid has several lines. */
typedef struct course {
  enum vd_kc_sweep sweep;
  bool racking;
  double fixed;
} course;

/* Returns the part that cannot follow the linkage to a pose: a rocker, or the steering of an axle; NULL: all parts
 * can. */
static const char *stuck_part(const vd_linkage *l, const vd_pose *pose) {
  return vd_knuckles_reach(l, pose) ? vd_kc_stuck_rocker(l, pose) : "the drag link or the tie rod";
}

/* Does what vd_linkage_move_racked does, and requires all parts to follow. On VD_LINKAGE_OPEN *part is a part that
 * cannot follow, or NULL. */
static enum vd_linkage_status move_all(const vd_linkage *l, const double *travel, double rack, vd_pose *pose,
                                       const char **part) {
  enum { HALVINGS = 30 };
  vd_pose reached = *pose;
  enum vd_linkage_status status = vd_linkage_move_racked(l, travel, rack, pose);
  *part = stuck_part(l, pose);
  if (!*part)
    return status;
  vd_pose beyond = *pose;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle[VD_INPUTS] = {0.5 * (reached.u[0] + beyond.u[0]), 0.5 * (reached.u[1] + beyond.u[1])};
    vd_pose try = reached;
    try.gear = 0.5 * (reached.gear + beyond.gear);
    bool follows = vd_linkage_move(l, middle, &try) == VD_LINKAGE_OK && !stuck_part(l, &try);
    *(follows ? &reached : &beyond) = try;
  }
  *pose = reached;
  return VD_LINKAGE_OPEN;
}

/* Returns a reached value in mm, rounded towards zero, so that it is certainly reached. */
static double reached_mm(double metres) {
  return 1e-4 * trunc(1e7 * metres);
}

/* Reports a point that cannot be reached. last: the last pose that closed. */
static void unreached(vd_kc_run *r, const vd_kc_side_wheel *w, const course *c, double value, const vd_pose *last,
                      const char *part) {
  vd_buf text = {0};
  if (!vd_kc_asked(r, w))
    return;
  vd_buf_printf(&text, "sweep '%s': the %s wheel cannot reach ", vd_kc_sweep_names[c->sweep], vd_side_names[w->right]);
  if (!c->racking)
    vd_buf_printf(&text, "travel %.9g mm; the last travel that it reaches is %.9g mm", 1e3 * value * w->travel,
                  reached_mm(last->u[w->on_axle]));
  else
    vd_buf_printf(&text, "rack %.9g mm at travel %.9g mm; the last rack that it reaches there is %.9g mm", 1e3 * value,
                  1e3 * c->fixed * w->travel, reached_mm(r->linkage.axle ? last->gear : last->u[1] * w->rack));
  if (part)
    vd_buf_printf(&text, ", where %s goes no further", part);
  vd_kc_message(r->report, "%s", text.text);
  vd_buf_finish(&text);
}

static const vd_kc_range *range_of(const vd_kc_run *r, const course *c) {
  return &r->plan->range[c->racking ? VD_KC_RACK : VD_KC_TRAVEL];
}

/* Computes the points from the value nearest to 0 to both ends. Points beyond one that does not close are not tried. */
static void walk(vd_kc_run *r, const vd_kc_side_wheel *w, const course *c, const place *start, place *at) {
  const vd_kc_range *range = range_of(r, c);
  const int middle = vd_kc_nearest_to_zero(range);
  for (int k = 0; k < range->points; k++) {
    int before, i = vd_kc_outward(range, middle, k, &before);
    double value = vd_kc_value(range, i), u[VD_INPUTS], rack = c->racking ? value : c->fixed;
    const char *part;
    at[i] = before < 0 ? *start : at[before];
    vd_kc_inputs(r, w, c->racking ? c->fixed : value, 0.0, u);
    if (at[i].closes && move_all(w->linkage, u, rack * w->rack, &at[i].pose, &part) != VD_LINKAGE_OK) {
      at[i].closes = false;
      unreached(r, w, c, value, &at[i].pose, part);
    }
  }
}

/* Records the first change of the wheel rate's sign along the travel, m. The rate of a wheel without spring is NAN. */
static void record_sign_change(vd_kc_run *r, double travel, double wheel_rate) {
  const double here[2] = {1e3 * travel, 1e-3 * wheel_rate};
  if (r->report->sign_change[0][1] == 0.0 && r->before[1] * here[1] < 0.0) {
    memcpy(r->report->sign_change[0], r->before, sizeof here);
    memcpy(r->report->sign_change[1], here, sizeof here);
  }
  memcpy(r->before, here, sizeof here);
}

static void write_point(vd_kc_run *r, const course *c, double travel, double rack, const place at[2]) {
  static const vd_wheel_load none = {
      .fx = NAN, .fy = NAN, .fz = NAN, .mz = NAN, .centre = {NAN, NAN, NAN}, .torque = NAN};
  vd_kc_state state[2];
  vd_kc_axle axle = {.steering_wheel = NAN};
  bool both = at[0].closes && at[1].closes;
  for (int i = 0; i < 2; i++)
    if (at[i].closes)
      vd_kc_state_of_wheel(r, &r->wheel[i], &at[i].pose, &state[i]);
  if (c->sweep == VD_KC_TRAVEL && at[0].closes)
    record_sign_change(r, travel, state[0].wheel_rate);
  if (both)
    vd_kc_axle_at(r->corner, &r->linkage, &state[0], &state[1], &axle);
  for (int i = 0; i < 2; i++) {
    const vd_kc_side_wheel *w = &r->wheel[i];
    if (!vd_kc_asked(r, w))
      continue;
    if (!at[i].closes) {
      r->report->missing++;
      continue;
    }
    vd_kc_row row = {.sweep = vd_kc_sweep_names[c->sweep],
                     .side = vd_side_names[w->right],
                     .hold = "",
                     .travel = travel * w->travel,
                     .rack = r->steered ? rack : NAN,
                     .load = r->plan->loaded ? r->plan->load : none,
                     .right = w->right,
                     .along = {w->along[0], w->along[1]},
                     .design_y = r->linkage.points.wheel_center[1],
                     .steering_wheel = axle.steering_wheel,
                     .state = &state[i],
                     .axle = both ? &axle : NULL};
    vd_kc_write_row(&row, r->plan, r->out);
    r->report->rows++;
  }
}

/* Computes and writes a line of both wheels. In a grid, each point of the line of travels has a line of racks. */
static void sweep_line(vd_kc_run *r, const course *c, const place start[2]) {
  const vd_kc_range *range = range_of(r, c);
  place *at[2];
  for (int k = 0; k < 2; k++) {
    at[k] = vd_allocate((size_t)range->points, sizeof *at[k]);
    walk(r, &r->wheel[k], c, &start[k], at[k]);
  }
  for (int i = 0; i < range->points; i++) {
    double value = vd_kc_value(range, i);
    const course across = {VD_KC_GRID, true, value};
    const place both[2] = {at[0][i], at[1][i]};
    if (c->sweep == VD_KC_GRID && !c->racking)
      sweep_line(r, &across, both);
    else
      write_point(r, c, c->racking ? c->fixed : value, c->racking ? value : c->fixed, both);
  }
  free(at[0]);
  free(at[1]);
}

void vd_kc_remark(const vd_kc_report *report, vd_buf *out) {
  const double(*sign_change)[2] = report->sign_change;
  if (sign_change[0][1] != 0.0)
    vd_buf_printf(out,
                  "the wheel rate changes its sign within the travel, from %.4g N/mm at %.4g mm to %.4g N/mm at "
                  "%.4g mm: where it is below 0 the spring pushes the wheel away instead of back",
                  sign_change[0][1], sign_change[0][0], sign_change[1][1], sign_change[1][0]);
}

/* --- all sweeps --- */

bool vd_kc_elastic(const vd_corner *corner) {
  if (vd_linkage_traits_of(corner->points.type)->beam)
    return corner->beam.given; /* without data of the beam it is rigid, and its linkage has no elastic joints */
  for (int m = 0; m < corner->points.members; m++)
    if (corner->bushing[m][0].given || corner->bushing[m][1].given || isfinite(corner->ball_stiffness[m]))
      return true;
  return corner->points.steer.drag_link_stiffness > 0.0 || corner->points.steer.tie_rod_stiffness > 0.0;
}

/* Checks the number of points of a grid: all rows are kept in memory until the last one is computed. */
static bool fits(vd_kc_run *r) {
  const long most = 1000000;
  long points = (long)r->plan->range[VD_KC_TRAVEL].points * r->plan->range[VD_KC_RACK].points;
  if (points <= most)
    return true;
  return vd_kc_message(r->report, "sweep 'grid': %ld points are more than %ld", points, most);
}

/* Determines which sweeps are computed; false after a message. */
static bool choose(vd_kc_run *r, bool *wanted) {
  bool forces = r->plan->forces, ok = true;
  bool elastic = forces || vd_kc_elastic(r->corner);
  if (forces && r->linkage.beam && !r->corner->beam.given)
    return vd_kc_message(r->report,
                         "no forces of a twist beam without its 'beam': the file does not say how stiff it is");
  for (int i = 0; i < VD_KC_SWEEPS; i++) {
    bool racking = i == VD_KC_RACK || i == VD_KC_GRID, force = forces || i >= VD_KC_FX;
    bool possible = (!racking || r->steered) && (!force || elastic) && !(forces && i == VD_KC_GRID);
    wanted[i] = r->plan->sweep[i] && possible;
    if (!r->plan->sweep[i] || possible || r->plan->optional)
      continue;
    ok = false;
    vd_kc_message(r->report, "sweep '%s': %s", vd_kc_sweep_names[i],
                  racking && !r->steered      ? "no rack steers this wheel"
                  : forces && i == VD_KC_GRID ? "forces are those of single sweeps"
                                              : "nothing is elastic: there are no bushings");
  }
  return ok && (!wanted[VD_KC_GRID] || fits(r));
}

bool vd_kc_sweep_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  vd_kc_run r;
  bool wanted[VD_KC_SWEEPS];
  place start[2] = {{.closes = true}};
  if (!vd_kc_start(corner, plan, &r, report))
    return false;
  r.out = out;
  if (!choose(&r, wanted))
    return false;
  vd_linkage_start(&r.linkage, &start[0].pose);
  start[1] = start[0];
  if (plan->forces) {
    vd_kc_sweep_loads(&r, &start[0].pose, wanted);
    return report->missing == 0;
  }
  if (!plan->take)
    vd_kc_header(plan, out);
  const course courses[] = {
      {VD_KC_TRAVEL, false, plan->rack}, {VD_KC_RACK, true, plan->travel}, {VD_KC_GRID, false, 0.0}};
  for (size_t i = 0; i < VD_COUNT(courses); i++)
    if (wanted[courses[i].sweep])
      sweep_line(&r, &courses[i], start);
  vd_kc_sweep_loads(&r, &start[0].pose, wanted);
  return report->missing == 0;
}
