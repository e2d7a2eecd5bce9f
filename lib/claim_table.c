/* Tables of references: tyres and suspensions row by row; and inputs that must be refused. */
#include "finding.h"

#include "base.h"
#include "kc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double out_of_si(vd_unit u, double si) {
  return si * u.denominator / u.numerator;
}

static bool refuse_input(const vd_case *c, vd_diag *d) {
  char *text = vd_performed_words(d);
  vd_case_refuse(c, "%.*s", (int)strcspn(text, "\n"), text);
  free(text);
  return false;
}

typedef double row_values[VD_CLAIM_QUANTITIES];

/* Of inputs that a table does not give. */
static void inputs_of(const vd_claim *claim, size_t row, row_values v) {
  for (int q = 0; q < VD_CLAIM_QUANTITIES; q++)
    v[q] = vd_claim_quantity_table[q].input ? 0.0 : NAN;
  v[VD_Q_PRESSURE] = NAN; /* the tyre's own */
  v[VD_Q_SPEED] = 60.0 / 3.6;
  for (size_t i = 0; i < claim->column_count; i++)
    if (!claim->columns[i].compared)
      v[claim->columns[i].is] = claim->columns[i].value[row];
}

/* One row: what was found in `got`, in SI. */
static void compare_row(const vd_case *c, size_t row, const row_values got) {
  for (size_t i = 0; i < c->claim->column_count; i++) {
    const vd_claim_column *k = &c->claim->columns[i];
    if (!k->compared)
      continue;
    char name[96], unit[24];
    const vd_claim_column_def *def = (const vd_claim_column_def *)c->claim->def->columns.item + i;
    snprintf(name, sizeof name, "%s in row %zu", vd_claim_quantity_table[k->is].name, row + 1);
    snprintf(unit, sizeof unit, "%s", vd_said(def->unit) ? def->unit : vd_claim_quantity_table[k->is].unit);
    double allowed = out_of_si(k->unit, vd_tolerance_allowed(&k->tolerance, k->value[row]));
    vd_case_compare(c, out_of_si(k->unit, k->value[row]), out_of_si(k->unit, got[k->is]), allowed, unit, name);
  }
}

/* --- tyres --- */

static void ask_tyre(const vd_tyre *tyre, row_values v) {
  vd_tyre own = *tyre;
  vd_tyre_answer a;
  if (!isnan(v[VD_Q_PRESSURE]))
    vd_tyre_inflate(&own, v[VD_Q_PRESSURE]);
  vd_tyre_question q = {.kappa = v[VD_Q_KAPPA],
                        .tan_alpha = tan(v[VD_Q_ALPHA]),
                        .vx = v[VD_Q_SPEED],
                        .camber = v[VD_Q_GAMMA],
                        .ground_friction = 1.0,
                        .load = v[VD_Q_LOAD],
                        .radius = 0.3};
  vd_tyre_ask(&own, &q, &a);
  v[VD_Q_FX] = a.fx;
  v[VD_Q_FY] = a.fy;
  v[VD_Q_MX] = a.mx;
  v[VD_Q_MY] = a.my;
  v[VD_Q_MZ] = a.mz;
  v[VD_Q_PNEUMATIC_TRAIL] = a.trail;
}

static void judge_tyre(const vd_case *c, vd_arena *arena, vd_diag *d) {
  const vd_claim_def *def = c->claim->def;
  vd_tyre_def *tyre_def = vd_arena_alloc(arena, sizeof *tyre_def);
  vd_node *root;
  bool good =
      vd_schema_read(&vd_tyre_schema, def->tyre, c->claim->run.set, c->claim->run.set_count, arena, d, tyre_def, &root);
  if (good) {
    vd_tyre_complete(tyre_def, root, "", arena, d);
    vd_tyre_check(tyre_def, root, "", d);
  }
  if (vd_diag_errors(d) > 0) {
    refuse_input(c, d);
    return;
  }
  vd_tyre tyre;
  vd_tyre_build(tyre_def, false, &tyre);
  for (size_t row = 0; row < c->claim->rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    ask_tyre(&tyre, v);
    compare_row(c, row, v);
  }
}

/* --- suspensions --- */

static void ask_suspension(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_state *design,
                           row_values v) {
  vd_kc_state s;
  vd_kc_gains g;
  vd_kc_state_at(corner, l, pose, &s);
  vd_kc_gains_of(corner, l, &g);
  v[VD_Q_TOE] = s.toe.v;
  v[VD_Q_CAMBER] = s.camber.v;
  v[VD_Q_CASTER] = s.caster.v;
  v[VD_Q_KPI] = s.kpi.v;
  v[VD_Q_SCRUB] = s.scrub.v;
  v[VD_Q_TRAIL] = s.trail.v;
  v[VD_Q_WHEEL_DX] = s.wheel_x.v - design->wheel_x.v;
  v[VD_Q_WHEEL_DY] = s.wheel_y.v - design->wheel_y.v;
  v[VD_Q_HALF_TRACK] = s.patch_y.v - design->patch_y.v;
  v[VD_Q_SPIN] = s.wheel_spin.v;
  v[VD_Q_MOTION_RATIO] = s.motion_ratio;
  v[VD_Q_SPRING_LENGTH] = s.spring_length.v;
  v[VD_Q_ROLL_CENTRE] = s.roll_centre_z;
  v[VD_Q_ROLL_CENTRE_PLANES] = s.roll_centre_planes_z;
  v[VD_Q_TOE_TRAVEL] = g.toe_travel;
  v[VD_Q_CAMBER_TRAVEL] = g.camber_travel;
  v[VD_Q_TRACK_TRAVEL] = g.track_travel;
  v[VD_Q_TOE_RACK] = g.toe_rack;
  v[VD_Q_CASTER_RACK_SEED] = g.caster_rack_seed;
  v[VD_Q_BRAKE_SLOPE] = s.brake_slope;
  v[VD_Q_DRIVE_SLOPE] = s.drive_slope;
}

static void judge_suspension(const vd_case *c, vd_arena *arena, vd_diag *d) {
  const vd_claim_def *def = c->claim->def;
  vd_corner corner;
  vd_linkage l;
  vd_pose design, pose;
  vd_kc_state at_design;
  if (!vd_corner_read(def->suspension, c->claim->run.set, c->claim->run.set_count, arena, d, &corner, NULL)) {
    refuse_input(c, d);
    return;
  }
  if (!vd_linkage_build(&corner.points, VD_PARALLEL, &l)) {
    vd_case_refuse(c, "the linkage is loose at its design position");
    return;
  }
  vd_linkage_start(&l, &design);
  vd_kc_state_at(&corner, &l, &design, &at_design);
  for (size_t row = 0; row < c->claim->rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    const double u[VD_INPUTS] = {v[VD_Q_TRAVEL], v[VD_Q_RACK]};
    pose = design;
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK) {
      vd_case_refuse(c, "row %zu: the linkage does not reach travel %g m, rack %g m", row + 1, u[0], u[1]);
      return;
    }
    ask_suspension(&corner, &l, &pose, &at_design, v);
    compare_row(c, row, v);
  }
}

void vd_judge_table(const vd_case *c) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  if (vd_said(c->claim->def->tyre))
    judge_tyre(c, arena, d);
  else
    judge_suspension(c, arena, d);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

/* --- refusals --- */

/* The words must stand in what was said; of a scenario that is accepted, in what ended its run. */
static void judge_words(const vd_case *c, const char *text) {
  const char *words = c->claim->def->words;
  c->out->exact = c->out->evaluated = true;
  snprintf(c->out->quantity, sizeof c->out->quantity, "message");
  if (!text) {
    c->out->verdict = VD_FAILS;
    snprintf(c->out->reason, sizeof c->out->reason, "it is not refused; expected: %s", words);
  } else if (!strstr(text, words)) {
    c->out->verdict = VD_FAILS;
    snprintf(c->out->reason, sizeof c->out->reason, "it is refused in other words: %.*s", (int)strcspn(text, "\n"),
             text);
  }
}

void vd_judge_refusal(const vd_case *c) {
  if (vd_said(c->claim->def->suspension)) {
    vd_arena *arena = vd_arena_create();
    vd_diag *d = vd_diag_create();
    vd_corner corner;
    bool read =
        vd_corner_read(c->claim->def->suspension, c->claim->run.set, c->claim->run.set_count, arena, d, &corner, NULL);
    char *text = read ? NULL : vd_performed_words(d);
    judge_words(c, text);
    free(text);
    vd_diag_destroy(d);
    vd_arena_destroy(arena);
  } else {
    vd_perform_options o = {.sets = 0};
    vd_performed run;
    judge_words(c, vd_perform(&c->claim->run, &o, &run) ? NULL : run.why);
    vd_performed_finish(&run);
  }
}
