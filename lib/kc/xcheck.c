#include "kc/xcheck.h"

#include "base/elementary.h"

#include <stdio.h>
#include <string.h>

static const double mm = 1000.0; /* mm per m */

const vd_xcheck_range vd_xcheck_ranges[VD_SWEEPS] = {{-100.0, 100.0, 41}, {-40.0, 40.0, 17}};

/* --- verdicts --- */

void vd_xcheck_judge(vd_xcheck_tolerance tolerance, vd_verdict *v) {
  v->deviation = fabs(v->candidate - v->reference);
  v->allowed = vd_max(tolerance.absolute, tolerance.relative * fabs(v->reference));
  /* NaN fails; an infinite reference fails, too, since it would allow every deviation */
  v->kind = v->deviation <= v->allowed && isfinite(v->reference) ? VD_VERDICT_PASS : VD_VERDICT_FAIL;
}

static void add(vd_verdicts *out, const vd_verdict *v) {
  out->row[out->count++] = *v;
  out->failed += v->kind != VD_VERDICT_PASS;
}

/* --- gains --- */

typedef struct figure {
  bool given;
  double value;
} figure;

/* Quantities of a row: the curves of tables, and the knuckle's rotation about the wheel's axle. */
enum { SPIN = VD_CURVES, QUANTITIES };

/* The gains, which are figures, and other quantities whose changes from the design position are compared. */
static const struct {
  enum vd_kc_figure figure; /* the figure of a gain */
  const char *name;         /* name of a quantity that is not a gain */
  int quantity;
  enum vd_kc_sweep sweep;
  bool opposite; /* only for joined wheels, over opposite travels */
} gain_rows[VD_CHANGES] = {
    {.figure = VD_FIGURE_TOE_TRAVEL, .quantity = VD_CURVE_TOE},
    {.figure = VD_FIGURE_CAMBER_TRAVEL, .quantity = VD_CURVE_CAMBER},
    {.figure = VD_FIGURE_TRACK_TRAVEL, .quantity = VD_CURVE_HALF_TRACK_CHANGE},
    {.figure = VD_FIGURE_TOE_RACK, .quantity = VD_CURVE_TOE, .sweep = VD_KC_RACK},
    {.figure = VD_FIGURE_CASTER_RACK, .quantity = VD_CURVE_CASTER, .sweep = VD_KC_RACK},
    {.name = "wheel_x_travel", .quantity = VD_CURVE_WHEEL_X},
    {.name = "spin_travel", .quantity = SPIN},
    {.name = "toe_opposite", .quantity = VD_CURVE_TOE, .opposite = true},
    {.name = "track_opposite", .quantity = VD_CURVE_HALF_TRACK_CHANGE, .opposite = true},
    {.name = "wheel_x_opposite", .quantity = VD_CURVE_WHEEL_X, .opposite = true},
};

static const char *gain_name(int gain) {
  return gain < VD_GAINS ? vd_kc_figures[gain_rows[gain].figure].name : gain_rows[gain].name;
}

static enum vd_kc_figure figure_of(int quantity) {
  return quantity == SPIN ? VD_FIGURE_KNUCKLE_SPIN : vd_curve_columns[quantity].figure;
}

/* Computes the gains. Gains by the rack may not exist. Gains by the travel always exist, so a NaN among them is not an
 * absence. */
static void corner_gains(const vd_corner *corner, figure *gain) {
  vd_linkage l;
  vd_pose start;
  vd_kc_state s;
  for (int i = 0; i < VD_GAINS; i++)
    gain[i] = (figure){gain_rows[i].sweep == VD_KC_TRAVEL, NAN};
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return;
  vd_linkage_start(&l, &start);
  vd_kc_state_at(corner, &l, &start, &s);
  const vd_kc_row row = vd_kc_row_of(&l, &s);
  for (int i = 0; i < VD_GAINS; i++) {
    gain[i].value = vd_kc_figure_value(gain_rows[i].figure, &row);
    gain[i].given |= !isnan(gain[i].value);
  }
}

static void table_gains(const vd_kc_table *table, figure *gain) {
  for (int i = 0; i < VD_GAINS; i++) {
    const vd_kc_curves *c = &table->sweep[gain_rows[i].sweep];
    gain[i].given = vd_kc_curve_slope(c, (enum vd_curve_quantity)gain_rows[i].quantity, &gain[i].value);
    if (!gain[i].given && gain_rows[i].quantity == VD_CURVE_HALF_TRACK_CHANGE)
      gain[i].given = vd_kc_curve_slope(c, VD_CURVE_WHEEL_Y, &gain[i].value);
  }
}

static void compare(vd_xcheck_tolerance tolerance, const figure *reference, const figure *candidate, vd_verdict *v) {
  v->reference = reference->given ? reference->value + 0.0 : NAN; /* avoids -0 */
  v->candidate = candidate->given ? candidate->value + 0.0 : NAN;
  vd_xcheck_judge(tolerance, v);
  if (reference->given != candidate->given)
    v->kind = VD_VERDICT_ABSENT;
}

void vd_xcheck_gains(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, vd_xcheck_tolerance tolerance,
                     vd_verdicts *out) {
  const vd_xcheck_side *side[2] = {reference, candidate};
  figure gain[2][VD_GAINS];
  for (int k = 0; k < 2; k++)
    if (side[k]->corner)
      corner_gains(side[k]->corner, gain[k]);
    else
      table_gains(side[k]->table, gain[k]);
  for (int i = 0; i < VD_GAINS; i++) {
    vd_verdict v = {.unit = vd_kc_figures[gain_rows[i].figure].unit, .gain = i, .at = NAN};
    if (!gain[0][i].given && !gain[1][i].given)
      continue;
    snprintf(v.metric, sizeof v.metric, "%s", gain_name(i));
    compare(tolerance, &gain[0][i], &gain[1][i], &v);
    add(out, &v);
  }
}

/* --- curves --- */

/* The curves of one side at the places of comparison. */
typedef struct samples {
  const double *at; /* mm */
  size_t count;
  bool given[QUANTITIES];
  double origin[QUANTITIES];   /* values in the design position */
  double (*value)[QUANTITIES]; /* [count] */
  bool *reached;               /* [count] */
} samples;

static void corner_row(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double *value) {
  vd_kc_state s;
  vd_kc_state_at(corner, l, pose, &s);
  const vd_kc_row row = vd_kc_row_of(l, &s);
  for (int q = 0; q < QUANTITIES; q++)
    value[q] = vd_kc_figure_value(figure_of(q), &row);
}

/* Computes the figures in the design position. A figure that exists in the design position exists at all places. */
static bool corner_origin(const vd_corner *corner, enum vd_axle_motion motion, vd_linkage *l, samples *s) {
  vd_pose start;
  if (!vd_linkage_build(&corner->points, motion, l))
    return false;
  vd_linkage_start(l, &start);
  corner_row(corner, l, &start, s->origin);
  for (int q = 0; q < QUANTITIES; q++)
    s->given[q] = !isnan(s->origin[q]);
  return true;
}

/* Samples one direction from the design position outward, as far as the linkage closes. */
static void sample_direction(const vd_corner *corner, const vd_linkage *l, enum vd_kc_sweep sweep, bool up,
                             samples *s) {
  vd_pose pose;
  vd_linkage_start(l, &pose);
  for (size_t k = 0; k < s->count; k++) {
    size_t i = up ? k : s->count - 1 - k;
    if (up ? s->at[i] < 0.0 : s->at[i] >= 0.0)
      continue;
    const double travel = sweep == VD_KC_TRAVEL ? s->at[i] / mm : 0.0, rack = sweep == VD_KC_RACK ? s->at[i] / mm : 0.0;
    const double both[VD_INPUTS] = {travel, l->motion == VD_OPPOSITE ? -travel : travel};
    if (vd_linkage_move_racked(l, both, rack, &pose) != VD_LINKAGE_OK)
      return;
    s->reached[i] = true;
    corner_row(corner, l, &pose, s->value[i]);
  }
}

static void sample_corner(const vd_corner *corner, enum vd_kc_sweep sweep, enum vd_axle_motion motion, samples *s) {
  vd_linkage l;
  if (!corner_origin(corner, motion, &l, s))
    return;
  if (sweep == VD_KC_RACK && !vd_kc_steered(&l)) {
    memset(s->given, 0, sizeof s->given);
    return;
  }
  sample_direction(corner, &l, sweep, true, s);
  sample_direction(corner, &l, sweep, false, s);
}

static void sample_table(const vd_kc_table *table, enum vd_kc_sweep sweep, samples *s) {
  const vd_kc_curves *c = &table->sweep[sweep];
  for (enum vd_curve_quantity q = 0; q < VD_CURVES; q++) {
    s->given[q] = c->count > 0 && c->value[q];
    s->origin[q] = vd_kc_curve_value(c, q, 0.0);
    for (size_t i = 0; i < s->count; i++) {
      s->value[i][q] = vd_kc_curve_value(c, q, s->at[i]);
      /* an empty field means that there is no such figure, not that the wheel cannot reach the place */
      s->reached[i] = true;
    }
  }
}

static samples start_samples(const double *at, size_t count, vd_arena *arena) {
  samples s = {.at = at, .count = count, .reached = vd_arena_alloc(arena, (count + 1) * sizeof *s.reached)};
  s.value = vd_arena_alloc(arena, (count + 1) * sizeof *s.value);
  for (int q = 0; q < QUANTITIES; q++) {
    s.origin[q] = NAN;
    for (size_t i = 0; i < count; i++)
      s.value[i][q] = NAN;
  }
  return s;
}

/* --- places of comparison --- */

/* Both sides, reference and candidate, at the places of comparison. */
typedef struct pair {
  vd_arena *arena; /* of its arrays */
  double *at;      /* mm */
  size_t count;
  samples side[2];
} pair;

static const vd_kc_curves *rows_of(const vd_xcheck_side *side, enum vd_kc_sweep sweep) {
  return side->table && side->table->sweep[sweep].count > 0 ? &side->table->sweep[sweep] : NULL;
}

/* Chooses the places: the rows of a table, or even steps. Two tables are compared at the rows of the reference that are
 * within the rows of the candidate; if there are none, at all rows of the reference, so that the verdict shows what the
 * candidate lacks. */
static void choose_places(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, enum vd_kc_sweep sweep,
                          const vd_xcheck_range *range, pair *p) {
  const vd_kc_curves *a = rows_of(reference, sweep), *b = rows_of(candidate, sweep), *rows = a ? a : b;
  size_t most = rows ? rows->count : (size_t)range->count;
  double from = a && b ? b->at[0] : -INFINITY, to = a && b ? b->at[b->count - 1] : INFINITY;
  p->at = vd_arena_alloc(p->arena, (most + 1) * sizeof *p->at);
  for (int all = 0; all < 2 && p->count == 0; all++)
    for (size_t i = 0; i < most; i++) {
      double x = rows               ? rows->at[i]
                 : range->count > 1 ? range->from + (range->to - range->from) * (double)i / (double)(range->count - 1)
                                    : range->from;
      if (all || (x >= from && x <= to))
        p->at[p->count++] = x;
    }
}

static void sample_pair(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, enum vd_kc_sweep sweep,
                        enum vd_axle_motion motion, const vd_xcheck_range *range, pair *p) {
  const vd_xcheck_side *side[2] = {reference, candidate};
  *p = (pair){.arena = vd_arena_create()};
  choose_places(reference, candidate, sweep, range, p);
  for (int i = 0; i < 2; i++) {
    p->side[i] = start_samples(p->at, p->count, p->arena);
    if (side[i]->corner)
      sample_corner(side[i]->corner, sweep, motion, &p->side[i]);
    else
      sample_table(side[i]->table, sweep, &p->side[i]);
  }
}

/* --- the worst place --- */

/* Returns how bad a deviation is; a larger value is worse: the share of the allowed deviation. An absent or NaN figure
 * is the worst. A deviation of 0 with nothing allowed is the best. */
static double badness(const vd_verdict *v) {
  double share = v->deviation > 0.0 ? v->deviation / v->allowed : 0.0;
  return v->kind == VD_VERDICT_ABSENT || isnan(v->deviation) ? INFINITY : share;
}

static figure figure_at(const samples *s, int q, size_t i) {
  double origin = vd_curve_columns[q].change ? s->origin[q] : 0.0;
  return (figure){s->given[q] && s->reached[i], s->value[i][q] - origin};
}

static void compare_curve(const pair *p, enum vd_kc_sweep sweep, int q, vd_xcheck_tolerance tolerance,
                          vd_verdicts *out) {
  vd_verdict worst = {.unit = NULL};
  for (size_t i = 0; i < p->count; i++) {
    figure reference = figure_at(&p->side[0], q, i), candidate = figure_at(&p->side[1], q, i);
    vd_verdict v = {.unit = vd_curve_figure(q)->unit, .gain = -1, .at = NAN};
    bool neither = !reference.given && !candidate.given;
    bool empty = reference.given && candidate.given && isnan(reference.value) && isnan(candidate.value);
    if (neither || empty)
      continue;
    compare(tolerance, &reference, &candidate, &v);
    snprintf(v.metric, sizeof v.metric, "%s@%s_mm=%.9g", vd_curve_figure(q)->column, vd_kc_sweep_names[sweep],
             p->at[i]);
    if (!worst.unit || badness(&v) > badness(&worst))
      worst = v;
  }
  if (worst.unit)
    add(out, &worst);
}

void vd_xcheck_curves(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                      const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out) {
  for (enum vd_kc_sweep sweep = VD_KC_TRAVEL; sweep < VD_SWEEPS; sweep++) {
    pair p;
    sample_pair(reference, candidate, sweep, VD_PARALLEL, &range[sweep], &p);
    for (int q = 0; q < VD_CURVES; q++)
      if (wanted & 1u << q)
        compare_curve(&p, sweep, q, tolerance, out);
    vd_arena_destroy(p.arena);
  }
}

/* --- changes from the design position --- */

static double change_at(const samples *s, int q, size_t i) {
  return s->given[q] && s->reached[i] ? s->value[i][q] - s->origin[q] : NAN;
}

static void compare_change(const pair *p, int gain, vd_xcheck_tolerance tolerance, vd_verdicts *out) {
  const int q = gain_rows[gain].quantity;
  double span = 0.0, most = -1.0;
  vd_verdict worst = {.unit = NULL};
  for (size_t i = 0; i < p->count; i++) {
    double reference = change_at(&p->side[0], q, i), candidate = change_at(&p->side[1], q, i);
    double deviation = fabs(candidate - reference);
    if (isnan(deviation))
      continue;
    span = vd_max(span, fabs(reference));
    if (deviation > most) {
      most = deviation;
      worst = (vd_verdict){.unit = vd_kc_figures[figure_of(q)].unit,
                           .reference = reference + 0.0,
                           .candidate = candidate + 0.0,
                           .gain = gain,
                           .at = p->at[i]};
    }
  }
  if (!worst.unit)
    return;
  snprintf(worst.metric, sizeof worst.metric, "%s@%s_mm=%.9g", gain_name(gain),
           vd_kc_sweep_names[gain_rows[gain].sweep], worst.at);
  vd_xcheck_judge((vd_xcheck_tolerance){0.0, vd_max(tolerance.absolute, tolerance.relative * span)}, &worst);
  add(out, &worst);
}

static void compare_changes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, enum vd_kc_sweep sweep,
                            bool opposite, const vd_xcheck_range *range, vd_xcheck_tolerance tolerance,
                            vd_verdicts *out) {
  pair p;
  sample_pair(reference, candidate, sweep, opposite ? VD_OPPOSITE : VD_PARALLEL, range, &p);
  for (int gain = 0; gain < VD_CHANGES; gain++)
    if (gain_rows[gain].sweep == sweep && gain_rows[gain].opposite == opposite)
      compare_change(&p, gain, tolerance, out);
  vd_arena_destroy(p.arena);
}

static bool joins(const vd_xcheck_side *side) {
  return side->corner && vd_linkage_joins(side->corner->points.type);
}

void vd_xcheck_changes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                       const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out) {
  for (enum vd_kc_sweep sweep = VD_KC_TRAVEL; sweep < VD_SWEEPS; sweep++)
    compare_changes(reference, candidate, sweep, false, &range[sweep], tolerance, out);
  if (joins(reference) && joins(candidate))
    compare_changes(reference, candidate, VD_KC_TRAVEL, true, &range[VD_KC_TRAVEL], tolerance, out);
}

double vd_xcheck_figure(const vd_corner *corner, int gain, double at) {
  figure gains[VD_GAINS];
  if (isnan(at)) {
    corner_gains(corner, gains);
    return gains[gain].given ? gains[gain].value : NAN;
  }
  vd_arena *arena = vd_arena_create();
  samples s = start_samples(&at, 1, arena);
  sample_corner(corner, gain_rows[gain].sweep, gain_rows[gain].opposite ? VD_OPPOSITE : VD_PARALLEL, &s);
  double change = change_at(&s, gain_rows[gain].quantity, 0);
  vd_arena_destroy(arena);
  return change;
}

/* --- the radius --- */

static bool lacks_radius(const vd_xcheck_side *side) {
  return side->corner && isnan(side->corner->points.static_radius);
}

static bool has_curve(const vd_xcheck_side *side, enum vd_curve_quantity q) {
  samples s = {.reached = NULL};
  vd_linkage l;
  if (side->corner)
    return corner_origin(side->corner, VD_PARALLEL, &l, &s) && s.given[q];
  return (side->table->sweep[VD_KC_TRAVEL].count > 0 && side->table->sweep[VD_KC_TRAVEL].value[q]) ||
         (side->table->sweep[VD_KC_RACK].count > 0 && side->table->sweep[VD_KC_RACK].value[q]);
}

int vd_xcheck_lacks_radius(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                           enum vd_curve_quantity *quantity) {
  const vd_xcheck_side *side[] = {reference, candidate};
  for (int i = 0; i < 2; i++)
    for (enum vd_curve_quantity q = 0; lacks_radius(side[i]) && q < VD_CURVES; q++)
      if ((wanted & 1u << q) && vd_curve_columns[q].radius && has_curve(side[1 - i], q)) {
        if (quantity)
          *quantity = q;
        return i;
      }
  return -1;
}

/* --- writing --- */

static const char *const kind_names[] = {"pass", "fail", "absent"};

void vd_xcheck_write(const vd_verdicts *v, vd_output *o, enum vd_digits digits) {
  vd_output_puts(o, "metric,reference,candidate,deviation,allowed,unit,verdict\n");
  for (size_t i = 0; i < v->count; i++) {
    const vd_verdict *r = &v->row[i];
    bool absent = r->kind == VD_VERDICT_ABSENT;
    const double value[] = {r->reference, r->candidate, absent ? NAN : r->deviation, absent ? NAN : r->allowed};
    vd_output_field(o, r->metric);
    vd_output_puts(o, ",");
    vd_output_numbers(o, value, VD_COUNT(value), digits);
    vd_output_field(o, r->unit);
    vd_output_puts(o, ",");
    vd_output_puts(o, kind_names[r->kind]);
    vd_output_puts(o, "\n");
  }
}

void vd_xcheck_write_tap(const vd_verdicts *v, vd_output *o) {
  vd_buf b = {0};
  vd_buf_printf(&b, "1..%zu\n", v->count);
  for (size_t i = 0; i < v->count; i++) {
    const vd_verdict *r = &v->row[i];
    vd_buf_printf(&b, "%s %zu - %s", r->kind == VD_VERDICT_PASS ? "ok" : "not ok", i + 1, r->metric);
    if (r->kind == VD_VERDICT_ABSENT)
      vd_buf_printf(&b, ": %s has none\n", isnan(r->reference) ? "the reference" : "the candidate");
    else
      vd_buf_printf(&b, ": %.9g %s, reference %.9g, deviation %.3g, allowed %.3g\n", r->candidate, r->unit,
                    r->reference, r->deviation, r->allowed);
  }
  vd_output_bytes(o, b.text, b.length);
  vd_buf_finish(&b);
}
