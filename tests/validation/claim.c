/* Judging of claims: NaN fails, a deviation of the tolerance holds, boundaries are ellipses along the curve; channels
 * and their mirror images. */
#include "base/base.h"
#include "input/schema.h"
#include "validation/claim_impl.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vd_finding blank(void) {
  return (vd_finding){.verdict = VD_HOLDS, .expected = NAN, .got = NAN, .deviation = NAN, .allowed = NAN};
}

/* --- one comparison --- */

static bool holds(double expected, double got, double allowed, double scale) {
  static const vd_claim_def def;
  const vd_claim claim = {.def = &def};
  const vd_judging how = {.scale = scale};
  vd_finding f = blank();
  vd_claim_case c = {&claim, &how, &f};
  vd_case_compare(&c, expected, got, allowed, "m", "x");
  return f.verdict == VD_HOLDS && f.evaluated;
}

static void test_compare(void) {
  tap_ok(holds(1.0, 1.5, 0.5, 1.0), "a deviation of exactly the tolerance holds");
  tap_ok(!holds(1.0, 1.5000001, 0.5, 1.0), "a deviation just above the tolerance fails");
  tap_ok(!holds(1.0, NAN, 0.5, 1.0), "a value that is not a number fails");
  tap_ok(!holds(NAN, 1.0, 0.5, 1.0), "an expected value that is not a number fails");
  tap_ok(!holds(NAN, NAN, 0.5, 1.0), "NaN fails even if NaN is expected");
  tap_ok(!holds(1.0, 1.0, NAN, 1.0), "a tolerance that is not a number fails");
  tap_ok(!holds(1.0, INFINITY, 0.5, 1.0), "infinity fails");
  tap_ok(!holds(INFINITY, INFINITY, 0.5, 1.0), "an infinite value fails even if it is expected");
  tap_ok(holds(1.0, 1.5, 0.05, 10.0), "the scale changes tolerances");
  tap_ok(!holds(1.0, 1.5, 0.5, 0.0), "the scale 0 makes tolerances 0");
  tap_ok(holds(1.0, 1.0, 0.5, 0.0), "with the scale 0 only the exact number holds");
}

static void test_worst(void) {
  static const vd_claim_def def;
  const vd_claim claim = {.def = &def};
  const vd_judging how = {.scale = 1.0};
  vd_finding f = blank();
  vd_claim_case c = {&claim, &how, &f};
  vd_case_compare(&c, 0.0, 1.0, 4.0, "m", "a");
  vd_case_compare(&c, 0.0, 1.0, 2.0, "m", "b");
  vd_case_compare(&c, 0.0, 9.0, 36.0, "m", "c");
  tap_str(f.quantity, "b", "of several deviations the greatest share of a tolerance is kept");
  tap_near(vd_finding_share(&f), 0.5, 0.0, "the kept deviation has its share");
  vd_case_compare(&c, 0.0, NAN, 1.0, "m", "d");
  tap_str(f.quantity, "d", "NaN is worse than any number");
  vd_case_compare(&c, 0.0, 99.0, 1.0, "m", "e");
  tap_str(f.quantity, "d", "a greater deviation does not replace NaN");
  tap_ok(f.verdict == VD_FAILS, "a claim with NaN has failed");
}

/* --- runs made by hand --- */

enum { STEPS = 101 };

static vd_scenario_def scenario = {.run = {.level = VD_L2, .step = 0.01}};

static size_t channel(const char *name) {
  size_t count, i = 0;
  const vd_channel *table = vd_channel_table(&count);
  while (i < count && strcmp(table[i].name, name) != 0)
    i++;
  if (i == count)
    abort();
  return i;
}

static const vd_channel *channel_at(size_t i) {
  size_t count;
  return vd_channel_table(&count) + i;
}

/* Makes a run with y = f(t) for 1 s in steps of 10 ms. */
static vd_performed made(double (*y)(double)) {
  vd_performed p = {.read = true, .ended = true, .def = &scenario, .steps = STEPS, .step = 0.01};
  p.t = malloc(STEPS * sizeof *p.t);
  size_t t = channel("t_s"), v = channel("y_m");
  p.value[t] = malloc(STEPS * sizeof(double));
  p.value[v] = malloc(STEPS * sizeof(double));
  for (int i = 0; i < STEPS; i++) {
    p.t[i] = p.value[t][i] = 0.01 * i;
    p.value[v][i] = y(0.01 * i);
  }
  return p;
}

static void unmake(vd_performed *p) {
  free(p->t);
  free(p->value[channel("t_s")]);
  free(p->value[channel("y_m")]);
}

static double steep(double t) {
  return 3.0 * t;
}

static double parabola(double t) {
  return t * t - t;
}

static double broken(double t) {
  return t > 0.5 ? NAN : t;
}

static void test_figures(void) {
  static const struct {
    enum vd_claim_of of;
    double value;
  } all[] = {{VD_OF_FIRST, 0.0}, {VD_OF_FINAL, 0.0}, {VD_OF_MAXIMUM, 0.0}, {VD_OF_MINIMUM, -0.25}, {VD_OF_PEAK, 0.25}};
  vd_performed p = made(parabola);
  const vd_channel *y = channel_at(channel("y_m"));
  char why[200];
  for (size_t i = 0; i < VD_COUNT(all); i++)
    tap_near(vd_performed_figure(&p, y, all[i].of, 0.0, NAN, why, sizeof why), all[i].value, 1e-15,
             "%s of a parabola is exact", vd_claim_of_names[all[i].of]);
  /* trapezia have an error of h^2/12 (f'(1) - f'(0)) */
  tap_near(vd_performed_figure(&p, y, VD_OF_MEAN, 0.0, NAN, why, sizeof why), -1.0 / 6.0, 2e-5,
           "the mean of a parabola is -1/6");
  tap_near(vd_performed_figure(&p, y, VD_OF_RMS, 0.0, NAN, why, sizeof why), sqrt(1.0 / 30.0), 1e-4,
           "the root mean square of a parabola is sqrt(1/30)");
  tap_near(vd_performed_figure(&p, y, VD_OF_FINAL, 0.0, 0.5, why, sizeof why), -0.25, 1e-15,
           "the final value of a parabola in a window is that at the window's end");
  tap_ok(isnan(vd_performed_figure(&p, y, VD_OF_FINAL, 0.0, 1.5, why, sizeof why)),
         "a window beyond the end gives no figure");
  tap_str(why, "the run ends at 1 s, before 1.5 s", "the message says that the window is beyond the end");
  tap_ok(isnan(vd_performed_figure(&p, y, VD_OF_FINAL, 0.7, 0.5, why, sizeof why)),
         "a window that ends before it begins gives no figure");
  tap_ok(isnan(vd_performed_figure(&p, channel_at(channel("x_m")), VD_OF_FINAL, 0.0, NAN, why, sizeof why)),
         "a channel that does not exist gives no figure");
  unmake(&p);
  p = made(broken);
  tap_ok(isnan(vd_performed_figure(&p, y, VD_OF_FIRST, 0.0, NAN, why, sizeof why)),
         "a channel with a value that is not finite gives no figure");
  tap_str(why, "'y_m' is not a finite number at 0.51 s", "the message says where a channel is not finite");
  unmake(&p);
}

/* Checks that channels in formulas are evaluated in the claim's window, like the claim's figure. */
static void test_window(void) {
  vd_performed p = made(parabola);
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_place place = {.source = vd_diag_add_source(d, "formula", "", 0)};
  vd_claim_def def = {.from = 0.2, .to = 0.7};
  vd_claim claim = {.def = &def, .frequency = NAN};
  char why[200];
  const vd_expression *span = vd_expression_read("final.y_m - first.y_m", place, &vd_claim_functions, arena, d);
  const vd_expression *least = vd_expression_read("minimum.y_m", place, &vd_claim_functions, arena, d);
  tap_near(vd_performed_formula(&p, &claim, span, why, sizeof why), -0.05, 1e-15,
           "a formula uses figures of channels in a window");
  tap_near(vd_performed_formula(&p, &claim, least, why, sizeof why), -0.25, 1e-15,
           "a formula uses the least value of a channel in a window");
  def.from = 0.7;
  def.to = NAN;
  tap_near(vd_performed_formula(&p, &claim, least, why, sizeof why), -0.21, 1e-15,
           "a formula uses figures from a time to the end");
  def.from = 1.5;
  tap_ok(isnan(vd_performed_formula(&p, &claim, least, why, sizeof why)), "a window beyond the end is refused");
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  unmake(&p);
}

/* Returns the distance of a reference's point from y = 3 t with the tolerances `ex` along and `ey` upwards. Closed
 * form: in axes scaled by the tolerances the line has the normal (3 e_x, -e_y)/hypot(3 e_x, e_y). */
static double outside(double x, double y, double ex, double ey) {
  vd_performed p = made(steep);
  vd_claim_def def = {.kind = VD_CLAIM_BOUNDARY, .from = 0.0, .to = NAN};
  double rx[] = {x}, ry[] = {y};
  vd_claim_curve curve = {.x = channel_at(channel("t_s")),
                          .y = channel_at(channel("y_m")),
                          .x_offset = ex,
                          .y_offset = ey,
                          .count = 1,
                          .reference_x = rx,
                          .reference_y = ry};
  vd_claim claim = {.def = &def, .as.boundary = {&curve, 1}};
  const vd_judging how = {.scale = 1.0};
  vd_finding f = blank();
  vd_claim_case c = {&claim, &how, &f};
  vd_claim_variant_of(&def)->judge(&c, &p, NULL);
  unmake(&p);
  return f.evaluated ? f.deviation : NAN;
}

static void test_boundaries(void) {
  tap_near(outside(0.5, 1.5, 0.02, 0.1), 0.0, 1e-12, "a point on the curve has the distance 0");
  /* |3 x - y|/hypot(3 e_x, e_y): the ellipse that just touches the point, its centre on the line */
  tap_near(outside(0.5, 1.6, 0.02, 0.1), 0.1 / hypot(0.06, 0.1), 1e-12, "a point above the curve has its distance");
  tap_near(outside(0.53, 1.5, 0.02, 0.1), 0.09 / hypot(0.06, 0.1), 1e-12, "a point beside the curve has its distance");
  tap_near(outside(0.505, 1.6, 0.0, 0.1), 0.085 / 0.1, 1e-9, "without a tolerance along x the distance is vertical");
  tap_ok(isnan(outside(1.03, 3.0, 0.02, 0.1)), "a time that the run does not have is not compared");
  tap_ok(isnan(outside(NAN, 1.0, 0.02, 0.1)) || outside(NAN, 1.0, 0.02, 0.1) > 1.0, "NaN is not inside");
}

/* --- channels --- */

static void test_mirror(void) {
  size_t count, wrong = 0, turned = 0;
  const vd_channel *table = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++) {
    const vd_channel *m = vd_channel_mirror(&table[i]);
    wrong += vd_channel_mirror(m) != &table[i] || ((m->levels ^ table[i].levels) & VD_CHANNEL_TURNS) != 0 ||
             strcmp(m->unit, table[i].unit) != 0;
    turned += (table[i].levels & VD_CHANNEL_TURNS) != 0;
  }
  tap_ok(wrong == 0, "the mirror image of a mirror image is the channel itself");
  tap_ok(turned > 30 && turned < count / 2, "some channels change their sign (%zu of %zu)", turned, count);
  tap_str(vd_channel_mirror(channel_at(channel("fz_rl_N")))->name, "fz_rr_N", "left channels become right channels");
  tap_str(vd_channel_mirror(channel_at(channel("downforce_front_N")))->name, "downforce_front_N",
          "channels of the front axle do not change");
}

static void test_baseline_rows(void) {
  size_t row[25], count = vd_baseline_rows(6001, row, 25);
  tap_ok(count == 25 && row[0] == 0 && row[24] == 6000 && row[1] == 250,
         "a baseline has 25 rows, first and last included");
  count = vd_baseline_rows(3, row, 25);
  tap_ok(count == 3 && row[0] == 0 && row[1] == 1 && row[2] == 2, "a baseline of a short run has all its rows");
  tap_ok(vd_baseline_rows(0, row, 25) == 0, "a baseline of a run without rows has no rows");
}

/* --- files between processes --- */

static void test_saving(void) {
  static const vd_claim_def def;
  const vd_claim claim = {.def = &def};
  const vd_judging how = {.scale = 1.0, .pictures = true};
  vd_finding f[2] = {blank(), blank()}, g[2];
  vd_claim_case c = {&claim, &how, &f[1]};
  double x[1000], y[1000];
  for (int i = 0; i < 1000; i++) {
    x[i] = i;
    y[i] = 2 * i;
  }
  vd_case_compare(&c, 1.0, 2.0, 0.5, "m", "q");
  vd_picture_add(vd_case_picture(&c, "p", "time", "s", "m", 0.0), VD_STROKE_RUN, "s", x, y, 1000);
  FILE *file = tmpfile();
  bool good = vd_findings_save(file, f, 2);
  rewind(file);
  good = good && vd_findings_load(file, g, 2);
  tap_ok(good && g[1].got == 2.0 && g[1].verdict == VD_FAILS && g[0].verdict == VD_HOLDS,
         "findings that were saved are loaded");
  const vd_picture_series *s = &g[1].picture[0].series[0];
  tap_ok(g[1].picture_count == 1 && g[1].picture[0].count == 1 && s->count == 402 && s->x[0] == 0.0 &&
             s->x[401] == 999.0 && s->y[401] == 1998.0,
         "loaded findings have their points, thinned, with both ends");
  for (int i = 0; i < 2; i++) {
    vd_finding_finish(&f[i]);
    vd_finding_finish(&g[i]);
  }
  tap_ok(!vd_findings_load(file, g, 1), "no further findings are loaded");
  fclose(file);
}

/* --- pictures --- */

/* Checks points of a straight line, of which some deviate. */
static void test_thinning(void) {
  static const vd_claim_def def;
  const vd_claim claim = {.def = &def};
  const vd_judging how = {.scale = 1.0, .pictures = true};
  vd_finding f = blank();
  vd_claim_case c = {&claim, &how, &f};
  double x[5000], y[5000];
  bool peak = false, dip = false, gap = false, ordered = true;
  for (int i = 0; i < 5000; i++) {
    x[i] = i;
    y[i] = 1.0;
  }
  y[1234] = 9.0;
  y[3210] = -9.0;
  y[4000] = NAN;
  vd_picture *p = vd_case_picture(&c, "p", "time", "s", "m", 0.0);
  vd_picture_add(p, VD_STROKE_RUN, "s", x, y, 5000);
  vd_picture_add(p, VD_STROKE_POINTS, "few", x, y, 7);
  const vd_picture_series *s = &p->series[0];
  for (size_t i = 0; i < s->count; i++) {
    peak |= s->x[i] == 1234.0 && s->y[i] == 9.0;
    dip |= s->x[i] == 3210.0 && s->y[i] == -9.0;
    gap |= s->x[i] == 4000.0 && isnan(s->y[i]);
    ordered &= i == 0 || s->x[i] > s->x[i - 1];
  }
  tap_ok(peak && dip && ordered && s->count <= 402, "thinned points keep the maximum and the minimum");
  tap_ok(gap, "thinned points keep gaps");
  tap_ok(p->series[1].count == 7, "if there are few points all are kept");
  vd_finding_finish(&f);
}

static void test_pictures(void) {
  static const vd_claim_def def;
  const vd_claim claim = {.def = &def};
  const vd_judging how = {.scale = 1.0, .pictures = true}, without = {.scale = 1.0};
  vd_finding f = blank();
  vd_claim_case c = {&claim, &how, &f}, none = {&claim, &without, &f};
  const double share[] = {0.1, 0.5, 0.2, 0.3, 0.05, 0.4, NAN};
  double sum = 0.0;
  bool worst = false;
  for (size_t i = 0; i < VD_COUNT(share); i++)
    vd_picture_level(vd_case_picture(&c, "p", "time", "s", "m", share[i]), VD_STROKE_LIMIT, "l", 0.0, 1.0, share[i]);
  for (size_t i = 0; i < f.picture_count; i++) {
    worst |= isinf(f.picture[i].share);
    sum += isinf(f.picture[i].share) ? 0.0 : f.picture[i].share;
  }
  tap_ok(f.picture_count == VD_FINDING_PICTURES && f.compared == VD_COUNT(share) && fabs(sum - 1.2) < 1e-12 && worst,
         "of many pictures the nearest to their tolerance are kept, NaN first");
  vd_finding_finish(&f);
  f.compared = 0;
  tap_ok(!vd_case_picture(&none, "p", "time", "s", "m", 1.0) && f.picture_count == 0 && f.compared == 0,
         "no picture is kept if none is wanted");
  vd_picture_level(NULL, VD_STROKE_LIMIT, "l", 0.0, 1.0, 2.0);
  vd_picture_band(NULL, share, share, 2, 1.0);
  tap_ok(f.picture_count == 0, "drawing into no picture has no effect");
  char text[24];
  vd_names set = {(const char *[]){"run.level=L3", "run.step=1 ms"}, 2};
  tap_str(vd_picture_label(&set, "run", text, sizeof text), "L3, run.step=1 ms",
          "the label of a run consists of its settings");
  set.count = 0;
  tap_str(vd_picture_label(&set, "run", text, sizeof text), "run", "a run without settings has another label");
  set = (vd_names){(const char *[]){"vehicle.suspension.front.spring=12345"}, 1};
  tap_str(vd_picture_label(&set, "run", text, sizeof text), "run", "a run with long settings has another label");
  size_t index[2], count;
  const vd_channel *table = vd_channel_table(&count);
  vd_claim_def figure = {.kind = VD_CLAIM_VALUE, .metric = "yaw_rate_steady_radps"};
  vd_claim about = {.def = &figure};
  tap_ok(vd_picture_channels(&about, index) == 1 && strcmp(table[index[0]].name, "yaw_rate_radps") == 0,
         "the picture of a metric shows its channel");
  figure.metric = "swd_yaw_rate_peak_radps";
  tap_ok(vd_picture_channels(&about, index) == 1 && strcmp(table[index[0]].name, "yaw_rate_radps") == 0,
         "the channel of a metric is found if words of its set precede it");
  figure.metric = "yaw_rate_response_time_s";
  tap_ok(vd_picture_channels(&about, index) == 1 && strcmp(table[index[0]].name, "yaw_rate_radps") == 0,
         "the channel of a metric with another unit is found");
  figure.metric = "stopping_distance_m";
  tap_ok(vd_picture_channels(&about, index) == 2 && strcmp(table[index[0]].name, "vx_mps") == 0,
         "a metric without a channel is pictured by the speed and the lateral acceleration");
  figure.metric = "";
  tap_ok(vd_picture_channels(&about, index) == 0, "a claim without a metric has no channels");
}

/* --- shared runs --- */

static bool same(const vd_shared_run *a, const vd_shared_run *b) {
  int order = vd_shared_run_compare(a, b);
  return order == 0 && vd_shared_run_compare(b, a) == 0;
}

/* True if two different claims have an order, which is reversed if they are exchanged. */
static bool apart(const vd_shared_run *a, const vd_shared_run *b) {
  return vd_shared_run_compare(a, b) * vd_shared_run_compare(b, a) < 0;
}

static void test_runs(void) {
  static const vd_claim_def value = {.kind = VD_CLAIM_VALUE}, agree = {.kind = VD_CLAIM_AGREE},
                            mirror = {.kind = VD_CLAIM_MIRROR}, order = {.kind = VD_CLAIM_ORDER};
  const vd_setting level[] = {{.text = "run.level=L2", .folder = "validation/"}},
                   elsewhere[] = {{.text = "run.level=L2", .folder = "other/"}},
                   two[] = {{.text = "run.level=L2", .folder = "validation/"},
                            {.text = "initial.speed=3", .folder = "validation/"}};
  const vd_claim_run plain = {.scenario = "a.yaml", .set = level, .set_count = 1},
                     moved = {.scenario = "a.yaml", .set = elsewhere, .set_count = 1},
                     slow = {.scenario = "a.yaml", .set = two, .set_count = 2},
                     other = {.scenario = "b.yaml", .set = level, .set_count = 1};
  const vd_claim a = {.file = "x.yaml", .def = &value, .run = plain},
                 b = {.file = "y.yaml", .def = &value, .run = plain},
                 pair = {.def = &agree, .run = slow, .against = plain}, image = {.def = &mirror, .run = plain},
                 alone = {.def = &order, .run = plain}, none = {.def = &value, .run = {.scenario = ""}};
  vd_shared_run of_a[2], of_b[2], of_pair[2], of_image[2], unused[2];
  tap_ok(vd_claim_runs(&a, of_a) == 1 && vd_claim_runs(&b, of_b) == 1 && same(&of_a[0], &of_b[0]),
         "claims of two files share a run");
  tap_ok(vd_claim_runs(&pair, of_pair) == 2 && same(&of_pair[1], &of_a[0]) && apart(&of_pair[0], &of_a[0]),
         "a claim shares the run with which another claim is compared");
  tap_ok(vd_claim_runs(&image, of_image) == 2 && same(&of_image[0], &of_a[0]) && apart(&of_image[1], &of_a[0]),
         "the mirrored run is not shared");
  tap_ok(vd_claim_runs(&alone, unused) == 0 && vd_claim_runs(&none, unused) == 0,
         "claims with their own steps, or without a scenario, share no run");
  tap_ok(apart(&(vd_shared_run){&moved, false}, &of_a[0]) && apart(&(vd_shared_run){&other, false}, &of_a[0]),
         "runs with settings relative to another folder, or of other scenarios, are not shared");
}

int main(void) {
  tap_plan(11 + 5 + 14 + 4 + 6 + 4 + 3 + 3 + 3 + 9 + 7);
  test_compare();
  test_worst();
  test_figures();
  test_window();
  test_boundaries();
  test_mirror();
  test_baseline_rows();
  test_saving();
  test_thinning();
  test_pictures();
  test_runs();
  return tap_done();
}
