/* Tables of curves: rows, slopes at zero, values between rows; and verdicts: tolerance, NaN, missing values. */
#include "corners.h"
#include "tap.h"
#include "kc/xcheck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  vd_arena *arena;
  vd_diag *d;
  vd_kc_table table;
  char message[512]; /* the first message */
  bool ok;
} reading;

static reading *read_table(const char *text) {
  reading *r = calloc(1, sizeof *r);
  char *messages = NULL;
  size_t size = 0;
  if (!r)
    abort();
  r->arena = vd_arena_create();
  r->d = vd_diag_create();
  int source = vd_diag_add_source(r->d, "c.csv", text, strlen(text));
  r->ok = vd_kc_table_read(source, r->arena, r->d, &r->table);
  FILE *f = open_memstream(&messages, &size);
  vd_diag_print(r->d, f, false);
  fclose(f);
  snprintf(r->message, sizeof r->message, "%.*s", (int)strcspn(messages, "\n"), messages);
  free(messages);
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
  free(r);
}

/* --- slopes: known from polynomials --- */

static double slope_of(const char *text, enum vd_kc_sweep sweep, enum vd_curve_quantity q) {
  reading *r = read_table(text);
  double slope = NAN;
  if (!r->ok || !vd_kc_curve_slope(&r->table.sweep[sweep], q, &slope))
    slope = NAN;
  finish(r);
  return slope;
}

static void test_slopes(void) {
  /* 2 x + x^3: the difference over one row to each side is 2 + h^2, extrapolated 2 */
  tap_near(slope_of("travel_mm,toe_deg\n-1,-3\n0,0\n1,3\n", VD_KC_TRAVEL, VD_CURVE_TOE), 3.0, 1e-15,
           "slope: it is the central difference with one row on each side");
  tap_near(slope_of("travel_mm,toe_deg\n-2,-12\n-1,-3\n0,0\n1,3\n2,12\n", VD_KC_TRAVEL, VD_CURVE_TOE), 2.0, 1e-14,
           "slope: it is extrapolated with two rows on each side");
  tap_near(slope_of("travel_mm,toe_deg\n2,12\n-1,-3\n1,3\n-2,-12\n-9,700\n", VD_KC_TRAVEL, VD_CURVE_TOE), 2.0, 1e-14,
           "slope: rows are in any order, none is at zero, and rows farther away do not count");
  /* five uneven rows determine 1 + 2 x + 3 x^2 - x^3 + 0.5 x^4 exactly */
  tap_near(slope_of("travel_mm,camber_deg\n-3,89.5\n-1,3.5\n0,1\n0.5,2.65625\n2,17\n", VD_KC_TRAVEL, VD_CURVE_CAMBER),
           2.0, 1e-12, "slope: uneven rows give that of the polynomial");
  tap_near(slope_of("travel_m,toe_rad\n-0.001,-0.01\n0,0\n0.001,0.01\n", VD_KC_TRAVEL, VD_CURVE_TOE),
           0.01 * 180.0 / VD_PI, 1e-14, "slope: columns in metres and radians are converted");
  tap_ok(isnan(slope_of("travel_mm,toe_deg\n0,0\n1,3\n2,12\n", VD_KC_TRAVEL, VD_CURVE_TOE)),
         "slope: there is none at an end");
  tap_near(slope_of("travel_mm,toe_deg\n-2,-4\n-1,\n0,\n1,2\n", VD_KC_TRAVEL, VD_CURVE_TOE), 2.0, 1e-14,
           "slope: empty fields are skipped");
}

/* --- rows --- */

static void test_rows(void) {
  static const char with_sweep[] = "sweep,travel_mm,rack_mm,fy_N,toe_deg,spring_length_mm\n"
                                   "travel,-1,0,0,-2,400\ntravel,0,0,0,0,\ntravel,1,0,0,2,\n"
                                   "rack,0,-1,0,-5,\nrack,0,0,0,0,\nrack,0,1,0,5,\n"
                                   "grid,1,1,0,99,\nfy,0,0,4000,99,\nfy,0,0,0,98,\n";
  reading *r = read_table(with_sweep);
  tap_ok(r->ok && r->table.sweep[VD_KC_TRAVEL].count == 3 && r->table.sweep[VD_KC_RACK].count == 3,
         "rows: the column `sweep` selects them");
  tap_near(vd_kc_curve_value(&r->table.sweep[VD_KC_RACK], VD_CURVE_TOE, 1.0), 5.0, 0.0,
           "rows: rows over the rack are selected");
  tap_ok(isnan(vd_kc_curve_value(&r->table.sweep[VD_KC_TRAVEL], VD_CURVE_SPRING_LENGTH, 0.0)),
         "rows: an empty field is not a number");
  finish(r);
  r = read_table("travel_mm,side,toe_deg,kpi_deg\n0,left,1,\n0,right,2,3\n1,right,4,5\n");
  tap_ok(r->ok && r->table.sweep[VD_KC_TRAVEL].count == 1, "rows: rows of the left wheel are selected");
  tap_ok(!r->table.sweep[VD_KC_TRAVEL].value[VD_CURVE_KPI], "rows: a column of empty fields does not count");
  finish(r);
  r = read_table("travel_mm,rack_mm,fy_N,toe_deg\n-1,0,0,-2\n0,0,0,0\n1,0,0,2\n1,1,0,9\n0,1,0,5\n0,-1,0,-5\n1,0,5,9\n");
  tap_ok(r->ok && r->table.sweep[VD_KC_TRAVEL].count == 3 && r->table.sweep[VD_KC_RACK].count == 3,
         "rows: without the column `sweep`, rows are selected whose other inputs are zero");
  finish(r);
  r = read_table("travel_mm,toe_deg\n-2,-8\n-1,-1\n0,0\n1,1\n2,8\n");
  const vd_kc_curves *c = &r->table.sweep[VD_KC_TRAVEL];
  tap_near(vd_kc_curve_value(c, VD_CURVE_TOE, 0.5), 0.125, 1e-15, "between rows: values of a cubic are exact");
  tap_near(vd_kc_curve_value(c, VD_CURVE_TOE, -1.5), -3.375, 1e-15,
           "between rows: the interpolation holds near an end, too");
  tap_ok(isnan(vd_kc_curve_value(c, VD_CURVE_TOE, 2.5)) && isnan(vd_kc_curve_value(c, VD_CURVE_TOE, -2.5)),
         "between rows: there is no value beyond the ends");
  tap_ok(isnan(vd_kc_curve_value(c, VD_CURVE_KPI, 0.0)), "between rows: there is no value without a column");
  finish(r);
}

/* Checks units in brackets and below the names: 2 mrad in 1 mm are 0.36/pi deg/mm. */
static void test_units(void) {
  tap_near(slope_of("travel [cm];toe (mrad)\n-0,1;-2\n0,0;0\n0,1;2\n", VD_KC_TRAVEL, VD_CURVE_TOE), 0.36 / VD_PI, 1e-14,
           "units: they are read in brackets");
  tap_near(slope_of("travel,toe\nm,rad\n-0.001,-0.002\n0,0\n0.001,0.002\n", VD_KC_TRAVEL, VD_CURVE_TOE), 0.36 / VD_PI,
           1e-14, "units: they are read below the names");
}

static void test_errors(void) {
  static const struct {
    const char *text, *message;
  } list[] = {
      {"travel [mm],toe [kN]\n1,1\n", "c.csv:1:13: error: 'kN' is no unit of toe_deg"},
      {"toe_deg\n1\n", "c.csv: error: no column 'travel_mm' or 'rack_mm'"},
      {"travel_mm,tow_deg\n1,2\n", "c.csv: error: no column that can be compared, such as 'toe_deg'"},
      {"travel_mm,toe_deg\n1,x\n", "c.csv:2:3: error: 'x' in column 'toe_deg' is not a number"},
      {"travel_mm,toe_deg\n1,nan\n", "c.csv:2:3: error: 'nan' in column 'toe_deg' is not a number"},
      {"travel_mm,toe_deg\n1,2\n0,1\n1,3\n", "c.csv:4:1: error: a second row at travel 1 mm"},
      {"travel_mm,toe_deg\n,2\n", "c.csv:2:1: error: row of a travel sweep without travel"},
      {"sweep,travel_mm,toe_deg\nfy,1,2\n", "c.csv: error: no row of a travel or rack sweep of a left wheel"},
      {"travel_mm,toe_deg\n1\n", "c.csv:2:1: error: row of 1 field below 2 names"},
  };
  for (size_t i = 0; i < VD_COUNT(list); i++) {
    reading *r = read_table(list[i].text);
    tap_str(r->message, list[i].message, "error: %s", list[i].message);
    if (r->ok)
      tap_ok(false, "error: %s: reported, but read", list[i].message);
    finish(r);
  }
}

/* --- verdicts --- */

static enum vd_verdict_kind judged(double reference, double candidate) {
  vd_verdict v = {.reference = reference, .candidate = candidate};
  vd_xcheck_judge((vd_xcheck_tolerance){0.05, 1e-4}, &v);
  return v.kind;
}

static void test_judge(void) {
  tap_ok(judged(1.0, 1.0499) == VD_VERDICT_PASS && judged(-1.0, -0.9501) == VD_VERDICT_PASS,
         "judge: a deviation within the share passes");
  tap_ok(judged(1.0, 1.0501) == VD_VERDICT_FAIL && judged(-1.0, -0.9499) == VD_VERDICT_FAIL,
         "judge: a deviation beyond the share fails");
  tap_ok(judged(0.0, 0.99e-4) == VD_VERDICT_PASS && judged(0.0, -1.01e-4) == VD_VERDICT_FAIL,
         "judge: the absolute tolerance holds at zero");
  tap_ok(judged(NAN, 1.0) == VD_VERDICT_FAIL && judged(1.0, NAN) == VD_VERDICT_FAIL &&
             judged(NAN, NAN) == VD_VERDICT_FAIL,
         "judge: NaN fails");
  tap_ok(judged(1.0, INFINITY) == VD_VERDICT_FAIL && judged(INFINITY, INFINITY) == VD_VERDICT_FAIL &&
             judged(INFINITY, 1.0) == VD_VERDICT_FAIL,
         "judge: infinite figures fail");
}

/* Judges the gains and curves of two sides in one list. */
static void check_both(const vd_xcheck_side *a, const vd_xcheck_side *b, unsigned wanted, vd_verdicts *v) {
  const vd_xcheck_tolerance tolerance = {0.05, 1e-4};
  *v = (vd_verdicts){.count = 0};
  vd_xcheck_gains(a, b, tolerance, v);
  vd_xcheck_curves(a, b, wanted, vd_xcheck_ranges, tolerance, v);
}

static void test_absence(void) {
  static vd_verdicts v;
  reading *both = read_table("travel_mm,toe_deg,camber_deg\n-1,-2,1\n0,0,0\n1,2,-1\n");
  reading *toe = read_table("travel_mm,toe_deg\n-1,-2\n0,0\n1,2\n");
  reading *hole = read_table("travel_mm,toe_deg\n-1,-2\n0,0\n1,2\n2,\n3,6\n");
  reading *full = read_table("travel_mm,toe_deg\n-1,-2\n0,0\n1,2\n2,4\n3,6\n");
  reading *apart = read_table("travel_mm,toe_deg\n10,20\n11,22\n");
  reading *kpi = read_table("travel_mm,kpi_deg\n-1,1\n0,1\n1,1\n");
  const vd_xcheck_side side[] = {{.table = &both->table}, {.table = &toe->table}, {.table = &hole->table},
                                 {.table = &full->table}, {.table = &kpi->table}, {.table = &apart->table}};
  const unsigned all = (1u << VD_CURVES) - 1u;
  check_both(&side[0], &side[0], all, &v);
  tap_ok(v.count == 4 && v.failed == 0, "absent: a figure that neither list has is not counted");
  check_both(&side[0], &side[1], all, &v);
  tap_ok(v.count == 4 && v.failed == 2 && v.row[1].kind == VD_VERDICT_ABSENT && v.row[3].kind == VD_VERDICT_ABSENT &&
             isnan(v.row[1].candidate) && !isnan(v.row[1].reference),
         "absent: a figure that the candidate lacks fails");
  check_both(&side[1], &side[0], all, &v);
  tap_ok(v.count == 4 && v.failed == 2 && v.row[1].kind == VD_VERDICT_ABSENT && isnan(v.row[1].reference),
         "absent: a figure that the reference lacks fails");
  check_both(&side[3], &side[2], all, &v);
  tap_ok(v.count == 2 && v.failed == 1 && v.row[1].kind == VD_VERDICT_FAIL &&
             strcmp(v.row[1].metric, "toe_deg@travel_mm=2") == 0,
         "absent: an empty field against a number fails");
  check_both(&side[2], &side[2], all, &v);
  tap_ok(v.count == 2 && v.failed == 0, "absent: an empty field on both sides is not counted");
  check_both(&side[3], &side[5], all, &v);
  tap_ok(v.count == 2 && v.failed == 2 && strcmp(v.row[1].metric, "toe_deg@travel_mm=-1") == 0,
         "absent: rows that the other table does not have fail");
  check_both(&side[4], &side[4], 0, &v);
  tap_ok(v.count == 0, "absent: without a wanted quantity nothing is compared");
  finish(both);
  finish(toe);
  finish(hole);
  finish(full);
  finish(kpi);
  finish(apart);
}

/* Compares a corner with its own curves: exact derivatives with slopes of rows 5 mm apart. */
static void test_corner_and_table(void) {
  static vd_verdicts v;
  vd_corner corner = corner_with_bushings(DW_FRONT_SPORTS);
  vd_linkage l;
  vd_buf text = {0};
  if (!vd_linkage_build(&corner.points, VD_PARALLEL, &l))
    abort();
  vd_buf_puts(&text, "travel_mm,rack_mm,toe_deg,camber_deg,wheel_y_mm,caster_deg\n");
  for (int sweep = 0; sweep < 2; sweep++)
    for (int i = -8; i <= 8; i++) {
      vd_pose pose;
      vd_kc_state s;
      double u[VD_INPUTS] = {sweep ? 0.0 : 0.005 * i, sweep ? 0.005 * i : 0.0};
      vd_linkage_start(&l, &pose);
      if ((sweep && i == 0) || vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK)
        continue;
      vd_kc_state_at(&corner, &l, &pose, &s);
      vd_buf_printf(&text, "%.9g,%.9g,%.17g,%.17g,%.17g,%.17g\n", 1e3 * u[0], 1e3 * u[1], s.toe.v * 180.0 / VD_PI,
                    s.camber.v * 180.0 / VD_PI, 1e3 * s.wheel_y.v, s.caster.v * 180.0 / VD_PI);
    }
  reading *r = read_table(text.text);
  const vd_xcheck_side exact = {.corner = &corner}, rows = {.table = &r->table};
  const unsigned wanted = 1u << VD_CURVE_TOE | 1u << VD_CURVE_CAMBER | 1u << VD_CURVE_WHEEL_Y | 1u << VD_CURVE_CASTER;
  for (int order = 0; order < 2; order++) {
    check_both(order ? &rows : &exact, order ? &exact : &rows, wanted, &v);
    /* h^4 f^(5)/30 with h = 5 mm and a curve that changes over 300 mm: (5/300)^4/30 = 3e-9 of the slope */
    double worst = 0.0;
    for (size_t i = 0; i < v.count; i++)
      worst = tap_max(worst, v.row[i].deviation / tap_max(fabs(v.row[i].reference), 1e-3));
    tap_ok(r->ok && v.count == 5 + 2 * 4 && v.failed == 0, "a corner as the %s agrees with its own curves",
           order ? "candidate" : "reference");
    tap_near(worst, 0.0, 1e-6, "figures of a corner and of its own curves agree");
  }
  finish(r);
  vd_buf_finish(&text);
}

static void test_radius(void) {
  vd_corner known = corner_with_bushings(DW_FRONT_SPORTS), bare = known;
  bare.points.static_radius = NAN;
  const vd_xcheck_side a = {.corner = &known}, b = {.corner = &bare};
  const unsigned all = (1u << VD_CURVES) - 1u;
  enum vd_curve_quantity q = VD_CURVE_TOE;
  tap_ok(vd_xcheck_lacks_radius(&a, &b, all, &q) == 1 && q == VD_CURVE_PATCH_X, "radius: the candidate lacks it");
  tap_ok(vd_xcheck_lacks_radius(&b, &a, all, &q) == 0, "radius: the reference lacks it");
  tap_ok(vd_xcheck_lacks_radius(&b, &b, all, &q) == -1 && vd_xcheck_lacks_radius(&a, &a, all, &q) == -1,
         "radius: both sides lack it, or both have it");
  tap_ok(vd_xcheck_lacks_radius(&a, &b, 1u << VD_CURVE_TOE, &q) == -1, "radius: toe does not need it");
}

int main(void) {
  tap_plan(3 + 7 + 10 + 8 + 5 + 7 + 4 + 4);
  test_slopes();
  test_rows();
  test_units();
  test_errors();
  test_judge();
  test_absence();
  test_corner_and_table();
  test_radius();
  return tap_done();
}
