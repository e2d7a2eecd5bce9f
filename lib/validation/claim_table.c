/* Tables of references: tyres and suspensions row by row; and inputs that must be refused. */
#include "validation/judge.h"

#include "base/base.h"
#include "kc/kc.h"
#include "suspension/corner_def.h"

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

/* --- pictures --- */

/* Everything that is found, a row for each of the table. */
typedef struct answers {
  row_values *row;
} answers;

static answers answers_start(const vd_case *c) {
  answers a = {calloc(c->claim->rows + 1, sizeof *a.row)};
  if (!a.row)
    abort();
  return a;
}

static double row_share(const vd_case *c, const vd_claim_column *k, size_t row, double got) {
  double allowed = c->how->scale * vd_tolerance_allowed(&k->tolerance, k->value[row]), off = fabs(got - k->value[row]);
  return off == 0.0 ? 0.0 : allowed > 0.0 ? off / allowed : INFINITY;
}

/* A row with its inputs, that of the abscissa last. */
typedef struct place {
  double input[VD_CLAIM_QUANTITIES];
  size_t row;
} place;

static int by_inputs(const void *a, const void *b) {
  const place *x = a, *y = b;
  for (size_t i = 0; i < VD_CLAIM_QUANTITIES; i++)
    if (x->input[i] != y->input[i])
      return x->input[i] < y->input[i] ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static size_t distinct(const double *value, size_t count) {
  double *sorted = calloc(count + 1, sizeof *sorted);
  size_t n = count > 0;
  if (!sorted)
    abort();
  memcpy(sorted, value, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_value);
  for (size_t i = 1; i < count; i++)
    n += sorted[i] != sorted[i - 1];
  free(sorted);
  return n;
}

/* The rows as curves over the input with the most values: sorted, where nothing else differs between them. */
typedef struct curves {
  const vd_claim_column *over; /* NULL: there are no curves worth a line */
  const char *unit;
  place *place;
} curves;

static bool same_curve(const place *a, const place *b) {
  return memcmp(a->input, b->input, sizeof a->input - sizeof a->input[0]) == 0;
}

static curves curves_of(const vd_claim *claim) {
  const vd_claim_column_def *def = claim->def->columns.item;
  curves k = {.unit = "", .place = calloc(claim->rows + 1, sizeof *k.place)};
  size_t most = 1, count = 1;
  if (!k.place)
    abort();
  for (size_t i = 0; i < claim->column_count; i++) {
    size_t n = claim->columns[i].compared ? 0 : distinct(claim->columns[i].value, claim->rows);
    if (n > most) {
      most = n;
      k.over = &claim->columns[i];
      k.unit = vd_said(def[i].unit) ? def[i].unit : vd_claim_quantity_table[k.over->is].unit;
    }
  }
  for (size_t row = 0; row < claim->rows; row++) {
    k.place[row].row = row;
    for (size_t i = 0, n = 0; i < claim->column_count; i++)
      if (!claim->columns[i].compared)
        k.place[row].input[&claim->columns[i] == k.over ? VD_CLAIM_QUANTITIES - 1 : n++] = claim->columns[i].value[row];
  }
  qsort(k.place, claim->rows, sizeof *k.place, by_inputs);
  for (size_t i = 1; i < claim->rows; i++)
    count += !same_curve(&k.place[i], &k.place[i - 1]);
  if (claim->rows < 5 * count)
    k.over = NULL;
  return k;
}

/* Found and given over the input; or where that gives no curves the one over the other, which is to be a straight
 * line. */
static void draw_column(const vd_case *c, const answers *a, const curves *k, size_t i) {
  const vd_claim *claim = c->claim;
  const vd_claim_column *column = &claim->columns[i];
  const vd_claim_column_def *def = claim->def->columns.item;
  const char *name = vd_claim_quantity_table[column->is].name;
  const char *unit = vd_said(def[i].unit) ? def[i].unit : vd_claim_quantity_table[column->is].unit;
  size_t rows = claim->rows, points = 0;
  double *x = calloc(6 * rows + 1, sizeof *x), *y = x + rows, *run_x = y + rows, *run_y = run_x + 2 * rows, share = 0.0;
  if (!x)
    abort();
  for (size_t n = 0; n < rows; n++) {
    size_t row = k->place[n].row;
    double got = a->row[row][column->is];
    y[n] = out_of_si(column->unit, column->value[row]);
    x[n] = k->over ? out_of_si(k->over->unit, k->over->value[row]) : y[n];
    share = fmax(share, row_share(c, column, row, got));
    if (k->over && n > 0 && !same_curve(&k->place[n], &k->place[n - 1])) {
      run_x[points] = x[n];
      run_y[points++] = NAN;
    }
    run_x[points] = x[n];
    run_y[points++] = out_of_si(column->unit, got);
  }
  if (k->over) {
    vd_picture *p = vd_case_picture(c, name, vd_claim_quantity_table[k->over->is].name, k->unit, unit, share);
    vd_picture_add(p, VD_STROKE_RUN, "model", run_x, run_y, points);
    vd_picture_add(p, VD_STROKE_POINTS, "table", x, y, rows);
  } else {
    double least = y[0], most = y[0];
    for (size_t n = 1; n < rows; n++) {
      least = fmin(least, y[n]);
      most = fmax(most, y[n]);
    }
    vd_picture *p = vd_case_picture(c, name, "in the table", unit, unit, share);
    vd_picture_add(p, VD_STROKE_MARKS, "model", run_x, run_y, points);
    vd_picture_add(p, VD_STROKE_OTHER, "equal", (double[]){least, most}, (double[]){least, most}, 2);
  }
  free(x);
}

static void draw(const vd_case *c, answers *a) {
  if (c->how->pictures && c->out->reason[0] == '\0') {
    curves k = curves_of(c->claim);
    for (size_t i = 0; i < c->claim->column_count; i++)
      if (c->claim->columns[i].compared)
        draw_column(c, a, &k, i);
    free(k.place);
  }
  free(a->row);
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
    vd_tyre_complete(tyre_def, NULL, root, "", arena, d);
    vd_tyre_check(tyre_def, root, "", d);
  }
  if (vd_diag_errors(d) > 0) {
    refuse_input(c, d);
    return;
  }
  vd_tyre tyre;
  vd_tyre_build(tyre_def, false, &tyre);
  answers a = answers_start(c);
  for (size_t row = 0; row < c->claim->rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    ask_tyre(&tyre, v);
    compare_row(c, row, v);
    memcpy(a.row[row], v, sizeof v);
  }
  draw(c, &a);
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
  answers a = answers_start(c);
  for (size_t row = 0; row < c->claim->rows; row++) {
    row_values v;
    inputs_of(c->claim, row, v);
    const double u[VD_INPUTS] = {v[VD_Q_TRAVEL], v[VD_Q_RACK]};
    pose = design;
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK) {
      vd_case_refuse(c, "row %zu: the linkage does not reach travel %g m, rack %g m", row + 1, u[0], u[1]);
      break;
    }
    ask_suspension(&corner, &l, &pose, &at_design, v);
    compare_row(c, row, v);
    memcpy(a.row[row], v, sizeof v);
  }
  draw(c, &a);
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
