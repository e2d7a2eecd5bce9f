/* Computation of the sweeps: each pose from its neighbour, from the point nearest to the design position outwards. */
#include "kc/sweep_impl.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

vd_kc_plan vd_kc_plan_default(void) {
  vd_kc_plan p = {.optional = true, .load = 4500.0, .motion = VD_PARALLEL, .side = VD_KC_LEFT};
  static const vd_kc_range range[VD_KC_SWEEPS] = {
      [VD_KC_TRAVEL] = {-0.1, 0.1, 41},        [VD_KC_RACK] = {-0.04, 0.04, 17}, [VD_KC_FX] = {-4000.0, 4000.0, 9},
      [VD_KC_FY] = {-4000.0, 4000.0, 9},       [VD_KC_MZ] = {-100.0, 100.0, 9},  [VD_KC_FZ] = {0.0, 0.0, 0},
      [VD_KC_FX_CENTRE] = {-4000.0, 4000.0, 9}};
  memcpy(p.range, range, sizeof p.range);
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    p.sweep[i] = i != VD_KC_GRID;
  return p;
}

/* By the index, so that a symmetric range meets its middle exactly and is symmetric to the bit. */
double vd_kc_value(const vd_kc_range *range, int i) {
  if (range->points < 2)
    return range->from;
  double share = (double)i / (double)(range->points - 1);
  return (1.0 - share) * range->from + share * range->to;
}

const char *const vd_kc_loose = "at the design position travel and rack do not determine where the wheel is";

/* One wheel of the axle. */
typedef struct wheel {
  bool right;
  double travel, rack;      /* its own, per the axle's: of the left wheel 1 */
  double inputs[VD_INPUTS]; /* of its linkage, per the axle's travel */
  double along[VD_INPUTS];  /* the same per its own travel */
} wheel;

typedef struct run {
  const vd_corner *corner;
  const vd_kc_plan *plan;
  vd_linkage linkage;
  bool steered;
  wheel wheel[2];
  vd_buf *out;
  vd_kc_report *report;
} run;

/* The right corner is the left one's mirror: the rack's shift to the left is one to its right. A rigid axle has both
 * travels. */
static void make_wheels(run *r) {
  double other = r->plan->motion == VD_OPPOSITE ? -1.0 : 1.0;
  if (r->linkage.axle) {
    r->wheel[0] = (wheel){false, 1.0, 1.0, {1.0, other}, {1.0, other}};
    r->wheel[1] = (wheel){true, other, 1.0, {1.0, other}, {other, 1.0}};
  } else {
    r->wheel[0] = (wheel){false, 1.0, 1.0, {1.0, 0.0}, {1.0, 0.0}};
    r->wheel[1] = (wheel){true, other, -1.0, {other, 0.0}, {1.0, 0.0}};
  }
}

static void inputs_at(const run *r, const wheel *w, double travel, double rack, double *u) {
  for (int i = 0; i < VD_INPUTS; i++)
    u[i] = travel * w->inputs[i];
  if (!r->linkage.axle)
    u[1] += rack * w->rack;
}

/* Whether the rows of a wheel are written; only then its failure counts. */
static bool asked(const run *r, const wheel *w) {
  return r->plan->side == VD_KC_BOTH || (r->plan->side == VD_KC_RIGHT) == w->right;
}

void vd_kc_message(vd_kc_report *report, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (report->messages.length > 0)
    vd_buf_puts(&report->messages, "\n");
  vd_buf_vprintf(&report->messages, format, args);
  va_end(args);
}

/* --- kinematics --- */

/* A point of a sweep, for one wheel. */
typedef struct place {
  bool closes;
  vd_pose pose;
} place;

/* The swept one of travel and rack; the other is fixed. */
typedef struct course {
  enum vd_kc_sweep sweep;
  bool racking;
  double fixed;
} course;

/* The element whose rocker does not follow its linkage to a pose, by name; NULL: all do. */
static const char *stuck_rocker(const vd_linkage *l, const vd_pose *pose) {
  const vd_element *element[] = {&l->points.spring, &l->points.damper};
  static const char *const name[] = {"spring", "damper"};
  for (size_t i = 0; i < VD_COUNT(element); i++)
    if (element[i]->given && element[i]->rocker && isnan(vd_element_length(l, pose, element[i]).v))
      return name[i];
  return NULL;
}

/* As vd_linkage_move, but rockers have to follow: on VD_LINKAGE_OPEN *rocker is the element of one that does not, or
 * NULL. */
static enum vd_linkage_status move_all(const vd_linkage *l, const double *u, vd_pose *pose, const char **rocker) {
  enum { HALVINGS = 30 };
  vd_pose reached = *pose;
  enum vd_linkage_status status = vd_linkage_move(l, u, pose);
  *rocker = stuck_rocker(l, pose);
  if (!*rocker)
    return status;
  vd_pose beyond = *pose;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle[VD_INPUTS] = {0.5 * (reached.u[0] + beyond.u[0]), 0.5 * (reached.u[1] + beyond.u[1])};
    vd_pose try = reached;
    bool follows = vd_linkage_move(l, middle, &try) == VD_LINKAGE_OK && !stuck_rocker(l, &try);
    *(follows ? &reached : &beyond) = try;
  }
  *pose = reached;
  return VD_LINKAGE_OPEN;
}

/* In mm, cut to what is surely reached. */
static double cut(double metres) {
  return 1e-4 * trunc(1e7 * metres);
}

/* last: the pose that closed last on the way. */
static void unreached(run *r, const wheel *w, const course *c, double value, const vd_pose *last, const char *rocker) {
  vd_buf text = {0};
  if (!asked(r, w))
    return;
  vd_buf_printf(&text, "sweep '%s': the %s wheel cannot reach ", vd_kc_sweep_names[c->sweep],
                w->right ? "right" : "left");
  if (!c->racking)
    vd_buf_printf(&text, "travel %.9g mm; the last travel that it reaches is %.9g mm", 1e3 * value * w->travel,
                  cut(last->u[r->linkage.axle && w->right ? 1 : 0]));
  else
    vd_buf_printf(&text, "rack %.9g mm at travel %.9g mm; the last rack that it reaches there is %.9g mm", 1e3 * value,
                  1e3 * c->fixed * w->travel, cut(last->u[1] * w->rack));
  if (rocker)
    vd_buf_printf(&text, ", where the rocker of the %s goes no further", rocker);
  vd_kc_message(r->report, "%s", text.text);
  vd_buf_finish(&text);
}

static int nearest_to_zero(const vd_kc_range *range) {
  int nearest = 0;
  for (int i = 1; i < range->points; i++)
    if (fabs(vd_kc_value(range, i)) < fabs(vd_kc_value(range, nearest)))
      nearest = i;
  return nearest;
}

/* Goes from the value nearest to 0 to both ends; beyond a point that does not close, no point is tried. */
static void walk(run *r, const wheel *w, const course *c, const place *start, place *at) {
  const vd_kc_range *range = &r->plan->range[c->racking ? VD_KC_RACK : VD_KC_TRAVEL];
  int middle = nearest_to_zero(range);
  for (int direction = 1; direction >= -1; direction -= 2) {
    vd_pose pose = direction > 0 ? start->pose : at[middle].pose;
    bool closes = direction > 0 ? start->closes : at[middle].closes;
    for (int i = direction > 0 ? middle : middle - 1; i >= 0 && i < range->points; i += direction) {
      double value = vd_kc_value(range, i), u[VD_INPUTS];
      const char *rocker;
      inputs_at(r, w, c->racking ? c->fixed : value, c->racking ? value : 0.0, u);
      if (closes && move_all(&r->linkage, u, &pose, &rocker) != VD_LINKAGE_OK) {
        closes = false;
        unreached(r, w, c, value, &pose, rocker);
      }
      at[i] = (place){closes, pose};
    }
  }
}

static void see(const run *r, const wheel *w, const place *at, vd_kc_state *state) {
  const vd_kc_view view = {.right = r->linkage.axle && w->right, .along = {w->along[0], w->along[1]}};
  vd_kc_state_seen(r->corner, &r->linkage, &at->pose, &view, state);
}

static void write_point(run *r, const course *c, double travel, double rack, const place *const *at) {
  vd_kc_state state[2];
  vd_kc_axle axle;
  bool both = at[0]->closes && at[1]->closes;
  for (int i = 0; i < 2; i++)
    if (at[i]->closes)
      see(r, &r->wheel[i], at[i], &state[i]);
  if (both)
    vd_kc_axle_at(r->corner, &r->linkage, &state[0], &state[1], &axle);
  for (int i = 0; i < 2; i++) {
    const wheel *w = &r->wheel[i];
    if (!asked(r, w))
      continue;
    if (!at[i]->closes) {
      r->report->missing++;
      continue;
    }
    vd_kc_row row = {.sweep = c->sweep,
                     .travel = travel * w->travel,
                     .rack = r->steered ? rack : NAN,
                     .load = {NAN, NAN, NAN, NAN, {NAN, NAN, NAN}, NAN, false},
                     .right = w->right,
                     .steered = r->steered,
                     .along = {w->along[0], w->along[1]},
                     .design_y = r->linkage.points.wheel_center[1],
                     .state = &state[i],
                     .axle = both ? &axle : NULL};
    vd_kc_write_row(&row, r->plan->digits, r->out);
    r->report->rows++;
  }
}

static void sweep_line(run *r, const course *c, const place *start) {
  const vd_kc_range *range = &r->plan->range[c->racking ? VD_KC_RACK : VD_KC_TRAVEL];
  place *at[2];
  for (int k = 0; k < 2; k++) {
    at[k] = vd_allocate((size_t)range->points, sizeof *at[k]);
    walk(r, &r->wheel[k], c, &start[k], at[k]);
  }
  for (int i = 0; i < range->points; i++) {
    double value = vd_kc_value(range, i);
    const place *const both[2] = {&at[0][i], &at[1][i]};
    write_point(r, c, c->racking ? c->fixed : value, c->racking ? value : 0.0, both);
  }
  free(at[0]);
  free(at[1]);
}

static void sweep_grid(run *r, const place *start) {
  const vd_kc_range *range = &r->plan->range[VD_KC_TRAVEL];
  const course travel = {VD_KC_GRID, false, 0.0};
  place *at[2];
  for (int k = 0; k < 2; k++) {
    at[k] = vd_allocate((size_t)range->points, sizeof *at[k]);
    walk(r, &r->wheel[k], &travel, &start[k], at[k]);
  }
  for (int i = 0; i < range->points; i++) {
    const course rack = {VD_KC_GRID, true, vd_kc_value(range, i)};
    const place from[2] = {at[0][i], at[1][i]};
    sweep_line(r, &rack, from);
  }
  free(at[0]);
  free(at[1]);
}

/* --- compliance --- */

static double *part_of(vd_wheel_load *load, enum vd_kc_sweep sweep) {
  switch (sweep) {
  case VD_KC_FX: return &load->fx;
  case VD_KC_FY: return &load->fy;
  case VD_KC_MZ: return &load->mz;
  case VD_KC_FZ: return &load->fz;
  case VD_KC_FX_CENTRE: return &load->centre[0];
  case VD_KC_TRAVEL:
  case VD_KC_RACK:
  case VD_KC_GRID:
  case VD_KC_SWEEPS: break;
  }
  return NULL;
}

static void write_load(run *r, enum vd_kc_sweep sweep, const wheel *w, const vd_wheel_load *load,
                       const vd_compliance_state *at) {
  const vd_pose *pose = &at->pose;
  vd_kc_state state;
  vd_kc_place_at(&r->linkage, pose, &state);
  vd_kc_row row = {.sweep = sweep,
                   .travel = pose->u[0],
                   .rack = r->steered ? 0.0 : NAN,
                   .load = *load,
                   .hold = vd_kc_hold_names[at->hold],
                   .right = w->right,
                   .steered = r->steered,
                   .along = {NAN, NAN},
                   .design_y = r->linkage.points.wheel_center[1],
                   .state = &state};
  vd_kc_write_row(&row, r->plan->digits, r->out);
  r->report->rows++;
}

/* A load that nobody chose is about the wheel's own. */
static vd_kc_range range_of(const run *r, enum vd_kc_sweep sweep) {
  const vd_kc_range about = {0.5 * r->corner->wheel_load, 1.5 * r->corner->wheel_load, 11}, wide = {500.0, 8000.0, 16};
  if (r->plan->range[sweep].points > 0)
    return r->plan->range[sweep];
  return isnan(r->corner->wheel_load) ? wide : about;
}

/* last: index of the load before, on the way from the smallest; -1: there is none. */
static void unbalanced(run *r, enum vd_kc_sweep sweep, const wheel *w, const vd_kc_range *range, int i, int last) {
  const char *unit = sweep == VD_KC_MZ ? "N m" : "N";
  vd_buf before = {0};
  if (last >= 0)
    vd_buf_printf(&before, "; the last load with one is %.9g %s", vd_kc_value(range, last), unit);
  vd_kc_message(r->report, "sweep '%s': no equilibrium of the %s wheel at %.9g %s%s", vd_kc_sweep_names[sweep],
                w->right ? "right" : "left", vd_kc_value(range, i), unit, last >= 0 ? before.text : "");
  vd_buf_finish(&before);
}

/* Forces in chassis axes; for the mirrored corner lateral forces and the moment change sign. */
static void sweep_force(run *r, enum vd_kc_sweep sweep, const wheel *w, const vd_pose *start, vd_compliance *c) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const vd_kc_range own = range_of(r, sweep), *range = &own;
  double mirror = w->right ? -1.0 : 1.0;
  int middle = nearest_to_zero(range);
  vd_compliance_state *at = vd_allocate((size_t)range->points, sizeof *at);
  bool *found = vd_allocate((size_t)range->points, sizeof *found);
  for (int direction = 1; direction >= -1; direction -= 2) {
    vd_compliance_state state = {.pose = *start};
    bool balances = true;
    if (direction < 0) {
      state = at[middle];
      balances = found[middle];
    }
    for (int i = direction > 0 ? middle : middle - 1; i >= 0 && i < range->points; i += direction) {
      vd_wheel_load load = {.fz = r->plan->load};
      *part_of(&load, sweep) = vd_kc_value(range, i);
      load.fy *= mirror;
      load.mz *= mirror;
      if (balances && !vd_compliance_solve(c, design, &load, &state)) {
        balances = false;
        unbalanced(r, sweep, w, range, i, i == middle ? -1 : i - direction);
      }
      found[i] = balances;
      at[i] = state;
    }
  }
  for (int i = 0; i < range->points; i++) {
    vd_wheel_load load = {.fz = r->plan->load};
    *part_of(&load, sweep) = vd_kc_value(range, i);
    if (found[i])
      write_load(r, sweep, w, &load, &at[i]);
    else
      r->report->missing++;
  }
  free(at);
  free(found);
}

static enum vd_hold hold_of(const run *r, enum vd_kc_sweep sweep) {
  return r->plan->hold == VD_HOLD_AUTO && sweep != VD_KC_FZ ? VD_HOLD_CENTRE : r->plan->hold;
}

/* By default a jack holds the wheel centre under longitudinal and lateral forces and moments, as on a rig that adjusts
 * the wheel's height; under fz the wheel moves on its spring, if that is known. */
static void sweep_forces(run *r, const vd_pose *start, const bool *wanted) {
  for (int sweep = VD_KC_FX; sweep < VD_KC_SWEEPS; sweep++) {
    if (!wanted[sweep])
      continue;
    vd_compliance *c = vd_compliance_create(r->corner, &r->linkage, hold_of(r, (enum vd_kc_sweep)sweep));
    for (int k = 0; k < 2; k++)
      if (asked(r, &r->wheel[k]))
        sweep_force(r, (enum vd_kc_sweep)sweep, &r->wheel[k], start, c);
    vd_compliance_destroy(c);
  }
}

/* --- together --- */

bool vd_kc_elastic(const vd_corner *corner) {
  if (vd_linkage_traits_of(corner->points.type)->beam)
    return false; /* its kinematic equivalent has no joints that could give way */
  for (int m = 0; m < corner->points.members; m++)
    if (corner->bushing[m][0].given || corner->bushing[m][1].given || isfinite(corner->ball_stiffness[m]))
      return true;
  return false;
}

/* All rows stand in memory until the last one is there. */
static bool fits(run *r) {
  const long most = 1000000;
  long points = (long)r->plan->range[VD_KC_TRAVEL].points * r->plan->range[VD_KC_RACK].points;
  if (points <= most)
    return true;
  vd_kc_message(r->report, "sweep 'grid': %ld points are more than %ld", points, most);
  return false;
}

/* Which sweeps there are; false after a message. */
static bool choose(run *r, bool *wanted) {
  bool elastic = vd_kc_elastic(r->corner), one_sided = r->linkage.axle && r->plan->side != VD_KC_LEFT, ok = true;
  for (int i = 0; i < VD_KC_SWEEPS; i++) {
    bool racking = i == VD_KC_RACK || i == VD_KC_GRID, force = i >= VD_KC_FX;
    bool possible = (!racking || r->steered) && (!force || (elastic && !one_sided));
    wanted[i] = r->plan->sweep[i] && possible;
    if (!r->plan->sweep[i] || possible || r->plan->optional)
      continue;
    ok = false;
    vd_kc_message(r->report, "sweep '%s': %s", vd_kc_sweep_names[i],
                  racking    ? "no rack steers this wheel"
                  : !elastic ? "nothing is elastic: there are no bushings"
                             : "of a rigid axle forces are put on the left wheel only");
  }
  return ok && (!wanted[VD_KC_GRID] || fits(r));
}

bool vd_kc_sweep_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  run r = {.corner = corner, .plan = plan, .out = out, .report = report};
  bool wanted[VD_KC_SWEEPS];
  place start[2];
  *report = (vd_kc_report){.rows = 0};
  if (!vd_linkage_build(&corner->points, plan->motion, &r.linkage)) {
    vd_kc_message(report, "%s", vd_kc_loose);
    return false;
  }
  r.steered = vd_kc_steered(&r.linkage);
  make_wheels(&r);
  if (!choose(&r, wanted))
    return false;
  start[0].closes = true;
  vd_linkage_start(&r.linkage, &start[0].pose);
  start[1] = start[0];
  vd_kc_header(out);
  const course travel = {VD_KC_TRAVEL, false, 0.0}, rack = {VD_KC_RACK, true, 0.0};
  if (wanted[VD_KC_TRAVEL])
    sweep_line(&r, &travel, start);
  if (wanted[VD_KC_RACK])
    sweep_line(&r, &rack, start);
  if (wanted[VD_KC_GRID])
    sweep_grid(&r, start);
  sweep_forces(&r, &start[0].pose, wanted);
  return report->missing == 0;
}
