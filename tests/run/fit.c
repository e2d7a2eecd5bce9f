/* Fits of tyres: what is drawn from a known tyre with noise gives the tyre back, from unlike starts; intervals of
 * confidence hold the truth as often as they say; what rows do not determine is named. */
#include "base/elementary.h"
#include "run/fit.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- noise ---- */

typedef struct noise {
  unsigned long long state;
} noise;

/* splitmix64 (Steele, Lea, Flood 2014), 53 bits, above 0 */
static double uniform(noise *n) {
  unsigned long long z = n->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller */
static double normal(noise *n) {
  double r = sqrt(-2.0 * log(uniform(n))), angle = 2.0 * VD_PI * uniform(n);
  return r * cos(angle);
}

/* ---- a tyre and rows of it ---- */

typedef struct bench {
  vd_arena *arena;
  vd_diag *d;
  vd_fit_def *def;
  vd_tyre_def truth;
} bench;

static bench open_bench(const char *tyre, const char *fit) {
  bench b = {.arena = vd_arena_create(), .d = vd_diag_create()};
  char text[1000];
  int length = snprintf(text, sizeof text, "kind: fit\ntyre: %s\nfit: {%s}\n", tyre, fit);
  int source = vd_diag_add_source(b.d, "fit.yaml", text, (size_t)length);
  vd_node *root;
  b.def = vd_arena_alloc(b.arena, sizeof *b.def);
  if (!vd_schema_read_source(&vd_fit_schema, source, NULL, 0, b.arena, b.d, b.def, &root)) {
    vd_diag_print(b.d, stderr, false);
    exit(2);
  }
  b.def->root = root;
  vd_tyre_complete(&b.def->rig.tyre, NULL, root, "tyre", b.arena, b.d);
  b.truth = b.def->rig.tyre;
  return b;
}

static void close_bench(bench *b) {
  vd_diag_destroy(b->d);
  vd_arena_destroy(b->arena);
}

static void true_forces(const bench *b, const vd_fit_row *row, double *out) {
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
  vd_fit_row *row = &b->def->row[b->def->rows++];
  *row = (vd_fit_row){.load = load, .pressure = NAN, .camber = camber, .vx = 16.7, .kappa = kappa, .alpha = alpha, .weight = 1.0, .number = b->def->rows};
  true_forces(b, row, row->measured);
  row->measured[VD_FIT_MX] = row->measured[VD_FIT_MY] = NAN;
}

static void make_rows(bench *b, const grid *g) {
  size_t most = (size_t)(g->loads * g->cambers * (2 * g->points + 10 * g->combined_points));
  b->def->row = vd_arena_alloc(b->arena, most * sizeof *b->def->row);
  b->def->rows = 0;
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
    b->def->has[k] = k == VD_FIT_FX || k == VD_FIT_FY || k == VD_FIT_MZ;
}

static void peaks(const bench *b, double *peak) {
  for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
    peak[k] = 0.0;
    for (size_t i = 0; i < b->def->rows; i++)
      if (fabs(b->def->row[i].measured[k]) > peak[k])
        peak[k] = fabs(b->def->row[i].measured[k]);
  }
}

/* Normal noise with a standard deviation of a share of the greatest magnitude. */
static void add_noise(bench *b, double share, const double *peak, unsigned long long seed) {
  noise n = {seed};
  for (size_t i = 0; i < b->def->rows; i++)
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      b->def->row[i].measured[k] += share * peak[k] * normal(&n);
}

/* Greatest deviation of the fitted tyre from the truth at the rows, as a share of the peak. */
static void deviations(const bench *b, const vd_fit_result *r, const double *peak, double *worst) {
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    worst[k] = 0.0;
  for (size_t i = 0; i < b->def->rows; i++) {
    double all[VD_FIT_OUTPUTS];
    true_forces(b, &b->def->row[i], all);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
      double far = fabs(r->fitted[i * VD_FIT_OUTPUTS + (size_t)k] - all[k]) / peak[k];
      if (!(far <= worst[k]))
        worst[k] = far;
    }
  }
}

typedef struct start_value {
  const char *name;
  double value;
} start_value;

static void set_start(bench *b, const start_value *s) {
  vd_figures f;
  vd_figures_init(&b->truth, b->arena, &f);
  for (; s->name; s++) {
    vd_figure figure;
    if (vd_figures_find(&f, s->name, &figure))
      *figure.value = s->value;
    else
      tap_diag("no figure %s", s->name);
  }
  b->def->rig.tyre = f.def;
}


/* Unlike starts: all figures of the groups at the usual values for figures that a file lacks; stiff and of little
 * friction; soft, of high friction, bent the other way. */
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
    vd_figure figure, times, over;
    if (!vd_figures_find(&f, row[i].name, &figure))
      continue;
    double base = 1.0;
    if (row[i].times && vd_figures_find(&f, row[i].times, &times))
      base *= *times.value;
    if (row[i].over && vd_figures_find(&f, row[i].over, &over))
      base /= *over.value;
    *figure.value = unlike(&row[i], start) * base;
  }
  b->def->rig.tyre = f.def;
}

int main(int argc, char **argv) {
  static const double load[] = {1500, 3000, 4500, 6000}, camber[] = {-0.07, 0.0, 0.07};
  const grid g = {load, camber, 4, 3, argc > 2 ? atoi(argv[2]) : 61, argc > 3 ? atoi(argv[3]) : 21, 0.25, 0.3};
  const char *tyre = argc > 1 ? argv[1] : "scenarios/tyres/mf96_touring.yaml";
  for (int start = 0; start < 3; start++) {
  bench b = open_bench(tyre, argc > 4 ? argv[4] : "");
  double peak[VD_FIT_OUTPUTS], worst[VD_FIT_OUTPUTS];
  make_rows(&b, &g);
  peaks(&b, peak);
  add_noise(&b, 0.02, peak, 1);
  set_unlike(&b, start);
  vd_fit_result r;
  bool good = vd_fit_run(b.def, NULL, b.arena, b.d, &r);
  vd_diag_print(b.d, stdout, false);
  printf("good %d rows %zu\n", good, b.def->rows);
  for (size_t i = 0; i < r.stages; i++)
    printf("stage %s rows %zu figures %zu iterations %d left out %s\n", vd_fit_stage_names[r.stage[i].stage], r.stage[i].rows, r.stage[i].coefficients, r.stage[i].iterations, r.stage[i].left_out);
  if (good)
  for (size_t i = 0; i < r.coefficients && argc > 5; i++)
    printf("%s %g -> %g +- %g\n", r.coefficient[i].name, r.coefficient[i].start, r.coefficient[i].value, r.coefficient[i].deviation);
  if (good)
  deviations(&b, &r, peak, worst);
  printf("worst fx %g fy %g mz %g\n", worst[0], worst[1], worst[4]);
  close_bench(&b);
  }
}
