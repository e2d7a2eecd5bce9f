/* Fits of tyres: from rows of a known tyre with noise this tyre is found, from different starts; confidence intervals
 * contain the truth with their probability; figures that the rows do not determine are named. */
#include "base/elementary.h"
#include "input/schema.h"
#include "study/fit.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- noise ---- */

typedef struct noise {
  unsigned long long state;
} noise;

/* Draws a number above 0 and below 1 by splitmix64 (Steele, Lea, Flood 2014), with 53 bits. */
static double uniform(noise *n) {
  unsigned long long z = n->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 + 0x1p-54;
}

/* Draws a normal number by Box and Muller's method. */
static double normal(noise *n) {
  double r = sqrt(-2.0 * log(uniform(n))), angle = 2.0 * VD_PI * uniform(n);
  return r * cos(angle);
}

/* ---- a tyre and rows of it ---- */

typedef struct bench {
  vd_arena *arena;
  vd_diag *d;
  vd_fit *fit;
  vd_tyre_fit *of; /* the tyre's part of `fit` */
  vd_tyre_def truth;
} bench;

static bench open_bench(const char *tyre, const char *fit) {
  bench b = {.arena = vd_arena_create(), .d = vd_diag_create()};
  char text[1000];
  int length = snprintf(text, sizeof text, "kind: fit\ntyre: %s\nfit: {%s}\n", tyre, fit);
  int source = vd_diag_add_source(b.d, "fit.yaml", text, (size_t)length);
  vd_node *root;
  b.fit = vd_arena_alloc(b.arena, sizeof *b.fit);
  b.fit->kind = VD_KIND_TYRE_FIT;
  b.of = &b.fit->as.tyre;
  if (!vd_schema_read_source(&vd_tyre_fit_schema, source, NULL, 0, b.arena, b.d, &b.of->def, &root)) {
    vd_diag_print(b.d, stderr, false);
    exit(2);
  }
  b.of->root = root;
  vd_tyre_complete(&b.of->def.rig.tyre, NULL, root, "tyre", b.arena, b.d);
  b.truth = b.of->def.rig.tyre;
  return b;
}

static void close_bench(bench *b) {
  vd_diag_destroy(b->d);
  vd_arena_destroy(b->arena);
}

static void true_forces(const bench *b, const vd_tyre_fit_row *row, double *out) {
  vd_tyre tyre;
  vd_tyre_answer a;
  vd_tyre_build(&b->truth, false, &tyre);
  if (!isnan(row->pressure))
    vd_tyre_inflate(&tyre, row->pressure);
  const vd_tyre_question q = {.kappa = row->kappa,
                              .tan_alpha = vd_tan(row->alpha),
                              .vx = row->vx,
                              .camber = row->camber,
                              .ground_friction = 1.0,
                              .load = row->load,
                              .radius = 0.32};
  vd_tyre_ask(&tyre, &q, &a);
  const double all[VD_FIT_OUTPUTS] = {a.fx, a.fy, a.mx, a.my, a.mz};
  memcpy(out, all, sizeof all);
}

/* The grid of a test rig: sweeps of pure lateral slip, of pure longitudinal slip, and of slip ratio at slip angles. */
typedef struct grid {
  const double *load, *camber;
  int loads, cambers, points, combined_points;
  double alpha, kappa; /* ends of the sweeps */
} grid;

static void add_row(bench *b, double load, double camber, double kappa, double alpha) {
  vd_tyre_fit_row *row = &b->of->row[b->of->rows++];
  *row = (vd_tyre_fit_row){.load = load,
                           .pressure = NAN,
                           .camber = camber,
                           .vx = 16.7,
                           .kappa = kappa,
                           .alpha = alpha,
                           .weight = 1.0,
                           .number = b->of->rows};
  row->tan_alpha = vd_tan(alpha);
  true_forces(b, row, row->measured);
}

static void make_rows(bench *b, const grid *g) {
  size_t most = (size_t)(g->loads * g->cambers * (2 * g->points + 10 * g->combined_points));
  b->of->row = vd_arena_alloc(b->arena, most * sizeof *b->of->row);
  b->of->rows = 0;
  for (int i = 0; i < g->loads; i++)
    for (int c = 0; c < g->cambers; c++) {
      for (int k = 0; k < g->points; k++) {
        double u = 2.0 * k / (g->points - 1.0) - 1.0;
        add_row(b, g->load[i], g->camber[c], 0.0, u * g->alpha);
        add_row(b, g->load[i], g->camber[c], u * g->kappa, 0.0);
      }
      for (int a = 0; a < 10; a++)
        for (int k = 0; k < g->combined_points; k++) {
          double u = 2.0 * k / (g->combined_points - 1.0) - 1.0, v = 2.0 * a / 9.0 - 1.0;
          add_row(b, g->load[i], g->camber[c], u * g->kappa, v * g->alpha);
        }
    }
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    b->of->has[k] = true;
}

static void peaks(const bench *b, double *peak) {
  for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
    peak[k] = 0.0;
    for (size_t i = 0; i < b->of->rows; i++)
      if (fabs(b->of->row[i].measured[k]) > peak[k])
        peak[k] = fabs(b->of->row[i].measured[k]);
  }
}

/* Adds normal noise with a standard deviation that is a share of the greatest magnitude. */
static void add_noise(bench *b, double share, const double *peak, unsigned long long seed) {
  noise n = {seed};
  for (size_t i = 0; i < b->of->rows; i++)
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      b->of->row[i].measured[k] += share * peak[k] * normal(&n);
}

/* Computes the greatest deviation of the fitted tyre from the truth at the rows, as a share of the peak. pure: only
 * rows in which one slip is zero, because combined slip is not fitted. */
static void deviations(const bench *b, const vd_fit_result *r, const double *peak, bool pure, double *worst) {
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    worst[k] = 0.0;
  for (size_t i = 0; i < b->of->rows; i++) {
    double all[VD_FIT_OUTPUTS];
    const vd_tyre_fit_row *row = &b->of->row[i];
    true_forces(b, row, all);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
      double far = fabs(r->value[i * VD_FIT_OUTPUTS + (size_t)k] - all[k]) / peak[k];
      bool other = (k == VD_FIT_FX && row->alpha != 0.0) || (k == VD_FIT_FY && row->kappa != 0.0);
      if (!(far <= worst[k]) && !(pure && other))
        worst[k] = far;
    }
  }
}

/* Starts of the fit. USUAL: all figures of the groups have the default values of figures that a file omits. STIFF:
 * stiff with low friction. SOFT: soft with high friction and curvature of the other sign. */
enum start { USUAL, STIFF, SOFT };

static double unlike(const vd_figure_row *row, enum start start) {
  double own = row->start, low = row->low, high = row->high;
  double near = own * (start == STIFF ? 2.0 : 0.5);
  if (start == USUAL)
    return own;
  if (own == 0.0)
    return start == STIFF ? 0.5 * row->size : -0.5 * row->size;
  return near > low && near < high ? near : own + 0.5 * ((start == STIFF ? high : low) - own);
}

static void set_unlike(bench *b, enum start start) {
  size_t count;
  const vd_figure_row *row = vd_tyre_figure_rows((enum vd_tyre_model)b->truth.model, &count);
  vd_figures f;
  vd_figures_init(&b->truth, b->arena, &f);
  for (size_t i = 0; i < count; i++) {
    vd_tyre_figure figure, times, over;
    bool curve = row[i].stage < VD_TYRE_OVERTURNING; /* other groups have their own test */
    if (!curve || !vd_figures_find(&f, row[i].name, &figure))
      continue;
    double base = 1.0;
    if (row[i].times && vd_figures_find(&f, row[i].times, &times))
      base *= *times.value;
    if (row[i].over && vd_figures_find(&f, row[i].over, &over))
      base /= *over.value;
    *figure.value = unlike(&row[i], start) * base;
  }
  b->of->def.rig.tyre = f.def;
}

/* ---- tests ---- */

static const double loads[] = {1500, 3000, 4500, 6000}, leanings[] = {-0.05, 0.05}, upright[] = {0.0};

/* Checks figures besides those of the curves, of models other than mf, which start at zero. Without noise the groups
 * find them, stage by stage. With noise and in one stage they are within four standard deviations; by chance one of
 * five figures is outside for 1 of 3000 seeds. Intervals of a stage treat results of previous stages as exact. */
static void test_body(void) {
  static const struct {
    const char *name;
    double truth;
  } figure[] = {{"camber_stiffness", 0.8},
                {"patch_width", 0.17},
                {"lateral_stiffness", 180e3},
                {"rolling_resistance", 0.013},
                {"lateral.d", 1.0}};
  static const char *const fit[] = {"stages: [lateral, overturning, rolling], starts: 1",
                                    "stages: [{stage: all, free: [camber_stiffness, patch_width, lateral_stiffness, "
                                    "rolling_resistance, lateral.d]}], "
                                    "bounds: [{figure: lateral_stiffness, low: 1e4, high: 1e7}], starts: 1"};
  const grid g = {loads, leanings, 4, 2, 61, 0, 0.25, 0.3};
  for (int noisy = 0; noisy < 2; noisy++) {
    bench b = open_bench("scenarios/tyres/mf96_touring.yaml", fit[noisy]);
    vd_tyre_common *common = &b.truth.common;
    vd_fit_result r = {.coefficients = 0};
    double peak[VD_FIT_OUTPUTS];
    common->camber_stiffness = figure[0].truth;
    common->patch_width = figure[1].truth;
    common->lateral_stiffness = figure[2].truth;
    common->rolling_resistance = figure[3].truth;
    make_rows(&b, &g);
    peaks(&b, peak);
    add_noise(&b, noisy ? 0.01 : 0.0, peak, 11);
    bool good = vd_fit_solve(b.fit, NULL, b.arena, b.d, &r);
    for (size_t i = 0; i < VD_COUNT(figure); i++) {
      double off = INFINITY, scale = figure[i].truth;
      for (size_t k = 0; good && k < r.coefficients; k++)
        if (strcmp(r.coefficient[k].name, figure[i].name) == 0) {
          scale = noisy ? r.coefficient[k].deviation : scale;
          off = fabs(r.coefficient[k].value - figure[i].truth) / scale;
        }
      tap_ok(off <= (noisy ? 4.0 : 1e-6), "%s of a tyre of model mf96 is found, %s: %.1e off", figure[i].name,
             noisy ? "in standard deviations" : "relatively", off);
    }
    close_bench(&b);
  }
}

/* Checks fits to rows with a noise of 2 % of the greatest force. With n rows and p figures the fitted forces have a
 * standard deviation of 2 % sqrt(p/n) on average over the rows, and a few times as much at the ends of the data: with
 * 17 figures and 1448 rows 0.2 % and below 1 %. Curves of TMeasy and Fiala are compared up to full sliding, which pure
 * slip must reach; the friction of Fiala's sliding tyre belongs to a slip of 1. */
static void test_recovery(void) {
  static const struct {
    const char *tyre, *fit;
    grid g;
    int starts;
  } all[] = {{"scenarios/tyres/mf96_touring.yaml", "", {loads, leanings, 4, 2, 121, 5, 0.25, 0.3}, 3},
             {"scenarios/tyres/tmeasy_touring.yaml", "", {loads, upright, 4, 1, 301, 0, 0.8, 0.6}, 3},
             {"validation/data/tyre/pac2002_sample.yaml",
              "stages: [lateral, longitudinal]",
              {loads, leanings, 4, 2, 181, 0, 0.25, 0.3},
              3},
             {"scenarios/tyres/mf61_synthetic.yaml",
              "stages: [lateral, longitudinal]",
              {loads, leanings, 4, 2, 181, 0, 0.25, 0.3},
              3},
             {"scenarios/tyres/mf61_synthetic.yaml",
              "stages: [lateral, longitudinal, combined]",
              {loads, leanings, 4, 2, 151, 25, 0.25, 0.3},
              1},
             {"scenarios/tyres/fiala_touring.yaml", "", {loads, upright, 4, 1, 201, 0, 0.8, 0.9}, 3},
             {"scenarios/tyres/brush_touring.yaml", "", {loads, upright, 4, 1, 121, 0, 0.25, 0.3}, 3},
             {"scenarios/tyres/brush_touring.yaml",
              "stages: [{stage: all, free: [friction, tread_stiffness, patch_length]}]",
              {loads, upright, 4, 1, 121, 0, 0.25, 0.3},
              3},
             {"scenarios/tyres/pac89_touring.yaml",
              "stages: [lateral, longitudinal]",
              {loads, leanings, 4, 2, 151, 0, 0.25, 0.3},
              2},
             {"scenarios/tyres/pac94_touring.yaml",
              "stages: [lateral, longitudinal]",
              {loads, leanings, 4, 2, 151, 0, 0.25, 0.3},
              1}};
  static const char *const start_names[] = {"usual", "stiff", "soft"};
  int number = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int start = 0; start < all[i].starts; start++) {
      if (tap_left_out(1, number++, 3)) /* each commit tries a third */
        continue;
      bench b = open_bench(all[i].tyre, all[i].fit);
      double peak[VD_FIT_OUTPUTS], worst[VD_FIT_OUTPUTS] = {NAN, NAN};
      vd_fit_result r;
      make_rows(&b, &all[i].g);
      peaks(&b, peak);
      add_noise(&b, 0.02, peak, 1);
      set_unlike(&b, (enum start)start);
      bool good = vd_fit_solve(b.fit, NULL, b.arena, b.d, &r), pure = all[i].g.combined_points == 0;
      if (good)
        deviations(&b, &r, peak, pure, worst);
      tap_ok(good && worst[VD_FIT_FX] <= 0.01 && worst[VD_FIT_FY] <= 0.01,
             "%s from the start '%s': fitted forces within 1 %% of the peak: Fx %.2f %%, Fy %.2f %%", all[i].tyre,
             start_names[start], 100.0 * worst[VD_FIT_FX], 100.0 * worst[VD_FIT_FY]);
      close_bench(&b);
    }
}

/* Checks that intervals of probability P contain the truth in 200 P of 200 samples, with the standard deviation
 * sqrt(200 P (1 - P)) of the binomial distribution: 190 +- 3.1 at 95 %, 160 +- 5.7 at 80 %. Bounds are four standard
 * deviations: by chance one of the ten counts lies outside for 1 of 1600 seeds. */
static void test_confidence(void) {
  enum { SAMPLES = 200, FIGURES = 5 };
  static const double probability[] = {0.95, 0.8};
  static const double truth[FIGURES] = {1.0, 8.0, 1.3, -1.0, 0.15};
  int held[2][FIGURES] = {{0}};
  const grid g = {loads, upright, 4, 1, 61, 0, 0.25, 0.3};
  if (tap_left_out(2, 0, 3)) /* every third commit tries them */
    return;
  bench b = open_bench("scenarios/tyres/mf96_touring.yaml", "stages: [lateral], starts: 1");
  double peak[VD_FIT_OUTPUTS], clean[600];
  make_rows(&b, &g);
  peaks(&b, peak);
  for (size_t i = 0; i < b.of->rows; i++)
    clean[i] = b.of->row[i].measured[VD_FIT_FY];
  bool good = true;
  for (int sample = 0; sample < SAMPLES && good; sample++) {
    vd_arena *arena = vd_arena_create();
    vd_fit_result r;
    for (size_t i = 0; i < b.of->rows; i++)
      b.of->row[i].measured[VD_FIT_FY] = clean[i];
    add_noise(&b, 0.005, peak, 100 + (unsigned long long)sample);
    good = vd_fit_solve(b.fit, NULL, arena, b.d, &r) && r.coefficients == FIGURES;
    for (size_t k = 0; k < FIGURES && good; k++)
      for (int p = 0; p < 2; p++) {
        const vd_fit_coefficient *c = &r.coefficient[k];
        double half = vd_ls_quantile(probability[p], c->freedom) * c->deviation;
        held[p][k] += fabs(c->value - truth[k]) <= half;
      }
    vd_arena_destroy(arena);
  }
  close_bench(&b);
  for (int p = 0; p < 2; p++) {
    double expected = SAMPLES * probability[p], far = 4.0 * sqrt(expected * (1.0 - probability[p]));
    bool all = good;
    for (int k = 0; k < FIGURES; k++)
      all &= fabs(held[p][k] - expected) <= far;
    tap_ok(all, "intervals of %g contain the truth in %d, %d, %d, %d, %d of %d samples, %g +- %.0f expected",
           probability[p], held[p][0], held[p][1], held[p][2], held[p][3], held[p][4], SAMPLES, expected, far);
  }
}

/* Checks rows of which one in twenty has an error of half the peak, always with one sign. */
static void test_outliers(void) {
  const grid g = {loads, upright, 4, 1, 101, 0, 0.25, 0.3};
  static const char *const fit[] = {"stages: [lateral], loss: squares", "stages: [lateral], loss: huber",
                                    "stages: [lateral], loss: cauchy"};
  double far[3] = {NAN, NAN, NAN};
  for (int i = 0; i < 3; i++) {
    bench b = open_bench("scenarios/tyres/mf96_touring.yaml", fit[i]);
    double peak[VD_FIT_OUTPUTS], worst[VD_FIT_OUTPUTS];
    vd_fit_result r;
    make_rows(&b, &g);
    peaks(&b, peak);
    add_noise(&b, 0.01, peak, 7);
    for (size_t k = 0; k < b.of->rows; k += 20)
      b.of->row[k].measured[VD_FIT_FY] += 0.5 * peak[VD_FIT_FY];
    if (vd_fit_solve(b.fit, NULL, b.arena, b.d, &r)) {
      deviations(&b, &r, peak, false, worst);
      far[i] = worst[VD_FIT_FY];
    }
    close_bench(&b);
  }
  tap_ok(far[0] > 0.02 && far[1] < 0.5 * far[0] && far[2] <= 0.01,
         "outliers of 5 %% of the rows: squares %.1f %% off, huber %.1f %%, cauchy within 1 %%: %.2f %%",
         100.0 * far[0], 100.0 * far[1], 100.0 * far[2]);
}

static bool says(vd_diag *d, const char *words) {
  for (size_t i = 0; i < vd_diag_count(d); i++) {
    enum vd_severity severity;
    vd_place at;
    const char *text;
    vd_diag_message(d, i, &severity, &at, &text);
    if (strcmp(text, words) == 0)
      return true;
    tap_diag("says: %s", text);
  }
  return false;
}

static void test_refusals(void) {
  static const struct {
    const char *fit, *says, *what;
    int points;
  } all[] = {
      {"stages: [{stage: lateral, free: [lateral.d, lateral.b, load_sensitivity]}]",
       "stage 'lateral': its rows do not determine load_sensitivity independently of each other and of the figures "
       "before",
       "friction and its fall with the load, of rows of one load, are named", 41},
      {"stages: [{stage: lateral, free: [lateral.b, longitudinal.b]}]",
       "stage 'lateral': at the start, its rows do not depend on longitudinal.b, or not independently of the figures "
       "before",
       "a figure without effect is named", 41},
      {"stages: [{stage: lateral, free: [lateral.d, lateral.b]}]",
       "stage 'lateral' has 2 values for 2 figures; it needs more rows or fewer figures", "too few rows are refused",
       2},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const grid g = {&loads[1], upright, 1, 1, all[i].points, 0, 0.25, 0.3};
    bench b = open_bench("scenarios/tyres/mf96_touring.yaml", all[i].fit);
    vd_fit_result r;
    make_rows(&b, &g);
    bool good = vd_fit_solve(b.fit, NULL, b.arena, b.d, &r);
    tap_ok(!good && says(b.d, all[i].says), "%s", all[i].what);
    close_bench(&b);
  }
}

/* Checks that figures of a group that the rows do not determine keep their values, that bounds hold, and that each run
 * gives the same bits. */
static void test_groups(void) {
  const grid g = {&loads[1], upright, 1, 1, 61, 0, 0.25, 0.3};
  double value[2][8] = {{0}};
  size_t count = 0;
  for (int run = 0; run < 2; run++) {
    bench b = open_bench("scenarios/tyres/mf96_touring.yaml",
                         "stages: [lateral], bounds: [{figure: lateral.d, low: 0.5, high: 0.9}]");
    double peak[VD_FIT_OUTPUTS];
    vd_fit_result r = {.coefficients = 0};
    make_rows(&b, &g);
    peaks(&b, peak);
    add_noise(&b, 0.01, peak, 3);
    bool good = vd_fit_solve(b.fit, NULL, b.arena, b.d, &r);
    count = good ? r.coefficients : 0;
    for (size_t k = 0; k < count; k++)
      value[run][k] = r.coefficient[k].value;
    if (run == 1) {
      tap_ok(good && strcmp(r.stage[0].left_out, "camber_stiffness, load_sensitivity") == 0 &&
                 r.tyre.def.as.mf96.load_sensitivity == 0.15 && r.tyre.def.common.camber_stiffness == 0.0,
             "with one load and no camber the fall of friction and the camber thrust are not fitted and keep their "
             "values");
      /* true: 1.07 at 3 kN, above the bound */
      tap_ok(good && r.coefficient[0].value <= 0.9 && r.coefficient[0].value > 0.899 &&
                 isnan(r.coefficient[0].deviation),
             "a figure at its bound stays below it and has no interval");
    }
    close_bench(&b);
  }
  tap_ok(count == 4 && memcmp(value[0], value[1], sizeof value[0]) == 0, "two runs give the same bits");
}

/* Checks that figures which are relative to others may be listed before them: the slope of TMeasy is relative to its
 * peak, and the slope at the double load to the peak at the nominal load. A figure with its own bounds is not relative;
 * values and intervals do not depend on this. */
static void test_order(void) {
#define PEAKS      "curve_lateral.nominal.f_max, curve_lateral.double.f_max"
#define SLOPES     "curve_lateral.nominal.df0, curve_lateral.double.df0"
#define FREE(a, b) "starts: 1, stages: [{stage: lateral, free: [" a ", " b "]}]"
  static const char *const fit[] = {FREE(PEAKS, SLOPES), FREE(SLOPES, PEAKS),
                                    FREE(PEAKS, SLOPES) ", bounds: [{figure: curve_lateral.double.df0, low: 1e3}]"};
  static const char *const what[] = {"", "the order of the free figures does not matter",
                                     "the result does not depend on whether a figure is relative"};
  enum { FIGURES = 4 };
  const grid g = {loads, upright, 4, 1, 101, 0, 0.5, 0.3};
  vd_fit_coefficient found[VD_COUNT(fit)][FIGURES];
  bool good = true;
  for (size_t i = 0; i < VD_COUNT(fit) && good; i++) {
    bench b = open_bench("scenarios/tyres/tmeasy_touring.yaml", fit[i]);
    double peak[VD_FIT_OUTPUTS];
    vd_fit_result r;
    make_rows(&b, &g);
    peaks(&b, peak);
    add_noise(&b, 0.01, peak, 5);
    good = vd_fit_solve(b.fit, NULL, b.arena, b.d, &r) && r.coefficients == FIGURES;
    for (size_t k = 0; k < FIGURES && good; k++)
      found[i][k] = r.coefficient[k];
    close_bench(&b);
  }
  for (size_t i = 1; i < VD_COUNT(fit); i++) {
    double value = 0.0, deviation = 0.0;
    for (size_t k = 0; k < FIGURES && good; k++)
      for (size_t m = 0; m < FIGURES; m++)
        if (strcmp(found[0][k].name, found[i][m].name) == 0) { /* a NaN becomes the result */
          double off = fabs(found[i][m].value / found[0][k].value - 1.0);
          double wide = fabs(found[i][m].deviation / found[0][k].deviation - 1.0);
          value = tap_max(value, off);
          deviation = tap_max(deviation, wide);
        }
    tap_ok(good && value <= 1e-6 && deviation <= 1e-3, "%s: figures differ by %.1e, their intervals by %.1e", what[i],
           value, deviation);
  }
}

int main(void) {
  tap_plan(25 + 2 * 5 + 2 + 1 + 3 + 3 + 2);
  test_recovery();
  test_body();
  test_confidence();
  test_outliers();
  test_refusals();
  test_groups();
  test_order();
  return tap_done();
}
