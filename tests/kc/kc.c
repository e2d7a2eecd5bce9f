/* Figures of linkages: compared with tables of other solvers and with closed forms, and relations between them. */
#include "linkages.h"

#include "kc/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tables of an independent solver --- */

/* Points of validation/data/kc/synthetic_hardpoints.csv by name. */
typedef struct named_points {
  char name[16][16];
  double at[16][3];
  int count;
} named_points;

static const char *const kinds[] = {"macpherson", "double_wishbone", "trailing_arm", "five_link"};

static bool read_points(const char *kind, named_points *p) {
  FILE *file = fopen("validation/data/kc/synthetic_hardpoints.csv", "r");
  char line[256], corner[32], name[32];
  double x, y, z;
  *p = (named_points){.count = 0};
  if (!file)
    return false;
  while (fgets(line, sizeof line, file))
    if (line[0] != '#' && sscanf(line, "%31[^,],%15[^,],%lf,%lf,%lf", corner, name, &x, &y, &z) == 5 &&
        strcmp(corner, kind) == 0 && p->count < 16) {
      memcpy(p->name[p->count], name, 16);
      memcpy(p->at[p->count++], (const double[3]){x, y, z}, 3 * sizeof(double));
    }
  fclose(file);
  return p->count > 0;
}

static void take(const named_points *p, const char *name, double *out) {
  for (int i = 0; i < p->count; i++)
    if (strcmp(p->name[i], name) == 0) {
      memcpy(out, p->at[i], 3 * sizeof *out);
      return;
    }
  tap_diag("no point %s", name);
  abort();
}

static vd_hardpoints synthetic(enum vd_linkage_type type, const named_points *p) {
  vd_hardpoints h = {.type = type, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  take(p, "wc", h.wheel_center);
  if (type == VD_MACPHERSON || type == VD_DOUBLE_WISHBONE) {
    vd_member *lower = add(&h, VD_ARM, "lca");
    take(p, "lca_f", lower->chassis[0]);
    take(p, "lca_r", lower->chassis[1]);
    take(p, "lbj", lower->knuckle);
    vd_member *upper = add(&h, type == VD_MACPHERSON ? VD_SLIDER : VD_ARM, "upper");
    take(p, type == VD_MACPHERSON ? "top" : "uca_f", upper->chassis[0]);
    if (type == VD_DOUBLE_WISHBONE)
      take(p, "uca_r", upper->chassis[1]);
    take(p, type == VD_MACPHERSON ? "strut_low" : "ubj", upper->knuckle);
    vd_member *tie = add(&h, VD_ROD, "tie_rod");
    take(p, "tie_in", tie->chassis[0]);
    take(p, "tie_out", tie->knuckle);
    tie->steered = true;
  } else if (type == VD_TRAILING_ARM) {
    vd_member *arm = add(&h, VD_HINGE, "arm");
    take(p, "pivot_in", arm->chassis[0]);
    take(p, "pivot_out", arm->chassis[1]);
  } else {
    for (int i = 1; i <= 5; i++) {
      char inner[8], outer[8];
      snprintf(inner, sizeof inner, "l%di", i);
      snprintf(outer, sizeof outer, "l%do", i);
      vd_member *rod = add(&h, VD_ROD, i == 5 ? "toe_link" : "link");
      take(p, inner, rod->chassis[0]);
      take(p, outer, rod->knuckle);
    }
  }
  return h;
}

/* Compares the printed figures: angles to 1e-9 deg, places to 1e-9 m. */
static void test_synthetic(enum vd_linkage_type type, int rows) {
  enum { FIGURES = 5 };
  static const char *const names[FIGURES] = {"toe", "camber", "dx", "dy", "spin"};
  named_points points;
  read_points(kinds[type], &points);
  vd_corner c = corner_of(synthetic(type, &points));
  vd_linkage l = build(&c.points, VD_PARALLEL);
  FILE *file = fopen("validation/data/kc/synthetic_kc.csv", "r");
  char line[256], corner[32];
  double rack, travel, expected[FIGURES], worst[FIGURES] = {0.0};
  int count = 0;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%31[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", corner, &rack, &travel, &expected[0], &expected[1],
               &expected[2], &expected[3], &expected[4]) != 8 ||
        strcmp(corner, kinds[type]) != 0)
      continue;
    vd_kc_state s = state_at(&c, &l, travel, rack);
    const double got[FIGURES] = {degree * s.toe.v, degree * s.camber.v, s.wheel_x.v - c.points.wheel_center[0],
                                 s.wheel_y.v - c.points.wheel_center[1], degree * s.wheel_spin.v};
    for (int i = 0; i < FIGURES; i++)
      worst[i] = tap_max(worst[i], fabs(got[i] - expected[i]));
    count++;
  }
  if (file)
    fclose(file);
  tap_ok(count == rows, "%s: the other solver's table has %d rows", kinds[type], rows);
  for (int i = 0; i < FIGURES; i++)
    tap_near(worst[i], 0.0, 5.01e-10, "%s: %s equals the other solver's in every row, to its printed digits",
             kinds[type], names[i]);
}

/* Compares with the table of Project Chrono's rig for dw_front_sports, which is not shipped; its track is 2 y. */
static void test_chrono(void) {
  const char *folder = getenv("VDSIM_KC_DATA");
  char path[512], line[256];
  snprintf(path, sizeof path, "%s/chrono_dw_front_sports.csv", folder ? folder : "");
  FILE *file = folder ? fopen(path, "r") : NULL;
  if (!file) {
    for (int i = 0; i < 4; i++)
      tap_ok(true, "Chrono's suspension rig # SKIP VDSIM_KC_DATA names no folder with its table");
    return;
  }
  vd_corner c = corner_of(corner_points[DW_FRONT_SPORTS]);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  double worst[3] = {0.0}, travel, steer, camber, toe, track;
  int rows = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", &travel, &steer, &camber, &toe, &track) != 5)
      continue;
    vd_kc_state s = state_at(&c, &l, travel, 0.0);
    worst[0] = tap_max(worst[0], fabs(degree * s.camber.v - camber));
    worst[1] = tap_max(worst[1], fabs(degree * s.toe.v - toe));
    worst[2] = tap_max(worst[2], fabs(2e3 * s.wheel_y.v - track));
    rows++;
  }
  fclose(file);
  tap_ok(rows == 14, "Chrono's suspension rig: the table has 14 rows");
  tap_near(worst[0], 0.0, 0.01, "Chrono's suspension rig: the camber agrees in every row, deg");
  tap_near(worst[1], 0.0, 0.01, "Chrono's suspension rig: the toe agrees in every row, deg");
  tap_near(worst[2], 0.0, 0.1, "Chrono's suspension rig: the track agrees in every row, mm");
}

/* --- published gains --- */

/* Gains as the reference system computes them: differences over 5 mm to both sides, printed to 6 decimals. Toe and
 * camber per travel, deg/mm, y of the wheel centre per travel, mm/mm, toe and caster per rack, deg/mm; recession: x of
 * the wheel centre per travel, mm/mm. */
static const struct {
  enum corner_of corner;
  double value[5], recession;
} published[] = {{MP_FRONT_SEDAN, {-0.002389, -0.034179, -0.108420, 0.200546, 0.008388}, -0.0028},
                 {DW_FRONT_SPORTS, {0.034561, -0.091246, -0.444623, 0.202032, 0.000004}, 0.0377},
                 {TA_REAR_SEDAN, {0.008953, -0.022381, 0.052733, NAN, NAN}, 0.1891},
                 {FIVE_LINK_REAR_SPORTS, {-0.024388, 0.017827, 0.013476, NAN, NAN}, 0.0122}};

static void test_gains(size_t k) {
  enum { GAINS = 5 };
  static const enum vd_kc_figure gain[GAINS] = {VD_FIGURE_TOE_TRAVEL, VD_FIGURE_CAMBER_TRAVEL, VD_FIGURE_TRACK_TRAVEL,
                                                VD_FIGURE_TOE_RACK, VD_FIGURE_CASTER_RACK_SEED};
  const double step = 5e-3;
  const char *name = corner_names[published[k].corner];
  vd_corner c = corner_of(corner_points[published[k].corner]);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0);
  const vd_kc_row row = vd_kc_row_of(&l, &s);
  vd_kc_state up = state_at(&c, &l, step, 0.0), down = state_at(&c, &l, -step, 0.0);
  vd_kc_state left = up, right = down;
  if (vd_kc_steered(&l)) {
    left = state_at(&c, &l, 0.0, step);
    right = state_at(&c, &l, 0.0, -step);
  }
  const double degpmm = 1e-3 * degree, over = 1.0 / (2.0 * step);
  const double differences[GAINS] = {degpmm * over * (up.toe.v - down.toe.v),
                                     degpmm * over * (up.camber.v - down.camber.v),
                                     over * (up.wheel_y.v - down.wheel_y.v), degpmm * over * (left.toe.v - right.toe.v),
                                     degpmm * over * (left.caster_seed.v - right.caster_seed.v)};
  for (int i = 0; i < GAINS; i++) {
    double value = published[k].value[i], exact = vd_kc_figure_value(gain[i], &row);
    const char *figure = vd_kc_figures[gain[i]].name;
    if (isnan(value)) {
      tap_ok(isnan(exact), "%s: there is no %s", name, figure);
      tap_ok(!vd_kc_steered(&l), "%s: the publication has no %s, because no rack steers the wheel", name, figure);
      continue;
    }
    tap_near(differences[i], value, 0.51e-6, "%s: %s by differences over 5 mm is as published", name, figure);
    tap_near(exact, value, fmax(1e-3 * fabs(value), 0.51e-6), "%s: %s as a derivative is as published", name, figure);
  }
  tap_near(s.wheel_x.d[0], published[k].recession, 0.51e-4, "%s: the longitudinal shift per travel is as published",
           name);
}

/* --- derivatives --- */

enum { JETS = 19 };

static const vd_jet *jet_of(const vd_kc_state *s, int i) {
  return (const vd_jet *)(const void *)s + i;
}

enum { STEPS = 4 };

/* Returns Richardson's extrapolation of central differences, each step half the one before. */
static double extrapolated(const double *differences) {
  double d[STEPS], power = 1.0;
  memcpy(d, differences, sizeof d);
  for (int left = STEPS - 1; left > 0; left--) {
    power *= 4.0;
    for (int i = 0; i < left; i++)
      d[i] = (power * d[i + 1] - d[i]) / (power - 1.0);
  }
  return d[0];
}

static double error_of(double got, double by_differences, double scale) {
  double error = fabs(got - by_differences) / scale;
  return isnan(error) ? INFINITY : error;
}

/* Compares derivatives with central differences of four steps, extrapolated: the error grows with the eighth power of
 * the steps. Deviations are relative to the derivative, or to a least value, as the rounding error of values of order 1
 * is divided by the step. */
static void test_derivatives(const char *name, const vd_corner *c, const vd_linkage *l, double travel, double rack) {
  static const double step[STEPS] = {4e-3, 2e-3, 1e-3, 5e-4};
  enum { NUMBERS = 3 }; /* wheel's force and both roll centres, of which there are derivatives by travel */
  vd_kc_state s = state_at(c, l, travel, rack), side[2][STEPS][2];
  double worst_first = 0.0, worst_second = 0.0, worst_number = 0.0;
  int inputs = l->axle || vd_kc_steered(l) ? 2 : 1, jets = 0;
  for (int j = 0; j < inputs; j++)
    for (int k = 0; k < STEPS; k++)
      for (int sign = 0; sign < 2; sign++) {
        double h = sign ? -step[k] : step[k];
        side[j][k][sign] = state_at(c, l, travel + (j == 0 ? h : 0.0), rack + (j == 1 ? h : 0.0));
      }
  for (int i = 0; i < JETS; i++) {
    if (isnan(jet_of(&s, i)->v))
      continue;
    jets++;
    for (int j = 0; j < inputs; j++) {
      double first[STEPS], second[2][STEPS];
      for (int k = 0; k < STEPS; k++) {
        const vd_jet *up = jet_of(&side[j][k][0], i), *down = jet_of(&side[j][k][1], i);
        first[k] = (up->v - down->v) / (2.0 * step[k]);
        for (int m = 0; m < 2; m++)
          second[m][k] = (up->d[m] - down->d[m]) / (2.0 * step[k]);
      }
      double d = extrapolated(first);
      worst_first = tap_max(worst_first, error_of(jet_of(&s, i)->d[j], d, tap_max(fabs(d), 1e-2)));
      for (int m = 0; m < inputs; m++) {
        d = extrapolated(second[m]);
        worst_second = tap_max(worst_second, error_of(jet_of(&s, i)->h[j + m], d, tap_max(fabs(d), 1.0)));
      }
    }
  }
  const double derived[NUMBERS] = {s.wheel_rate, s.roll_centre_migration, s.planes_migration};
  for (int i = 0; i < NUMBERS && !l->axle; i++) {
    double d[STEPS];
    for (int k = 0; k < STEPS; k++) {
      const vd_kc_state *up = &side[0][k][0], *down = &side[0][k][1];
      const double high[NUMBERS] = {up->spring_force * up->motion_ratio, up->roll_centre_z, up->roll_centre_planes_z};
      const double low[NUMBERS] = {down->spring_force * down->motion_ratio, down->roll_centre_z,
                                   down->roll_centre_planes_z};
      d[k] = (high[i] - low[i]) / (2.0 * step[k]);
    }
    if (!isnan(derived[i]) || !isnan(d[0]))
      worst_number = tap_max(worst_number, error_of(derived[i], extrapolated(d), tap_max(fabs(extrapolated(d)), 1e-2)));
  }
  tap_near(worst_first, 0.0, 1e-8,
           "%s: the first derivatives of %d figures at travel %g, rack %g agree with differences", name, jets, travel,
           rack);
  tap_near(worst_second, 0.0, 1e-8, "%s: second derivatives agree with differences", name);
  tap_near(worst_number, 0.0, 1e-8, "%s: wheel rate and migration of both roll centres are derivatives", name);
}

/* Makes a corner with all data that rates need. */
static vd_corner loaded(vd_hardpoints points) {
  vd_corner c = corner_of(points);
  c.spring_rate = 3e4;
  c.wheel_load = 4000.0;
  c.tyre_rate = 2e5;
  return c;
}

static void test_all_derivatives(void) {
  vd_corner dw = loaded(corner_points[DW_FRONT_SPORTS]), mp = loaded(corner_points[MP_FRONT_SEDAN]);
  vd_corner ta = loaded(corner_points[TA_REAR_SEDAN]), five = loaded(corner_points[FIVE_LINK_REAR_SPORTS]);
  dw.points.damper = dw.points.spring;
  dw.points.damper.on = VD_ON_KNUCKLE;
  /* a steered five-link, with its coil on a link and then on a rocker, which a push rod from this link turns */
  five.points.member[4].steered = true;
  five.points.spring =
      (vd_element){.given = true, .chassis = {-1.45, 0.5, 0.6}, .eye = {-1.48, 0.58, 0.155}, .on = VD_ON_MEMBER + 3};
  vd_corner rocker = five;
  rocker.points.spring = (vd_element){.given = true,
                                      .chassis = {-1.4, 0.2, 0.55},
                                      .eye = {-1.42, 0.42, 0.66},
                                      .on = VD_ON_MEMBER + 3,
                                      .rocker = true,
                                      .pivot = {-1.44, 0.44, 0.58},
                                      .axis = {1.0, 0.1, 0.0},
                                      .rod_part = {-1.42, 0.68, 0.159},
                                      .rod_rocker = {-1.44, 0.52, 0.6}};
  vd_linkage l = build(&dw.points, VD_PARALLEL);
  test_derivatives("double wishbone", &dw, &l, 0.03, 0.01);
  l = build(&mp.points, VD_PARALLEL);
  test_derivatives("MacPherson", &mp, &l, -0.04, -0.012);
  l = build(&ta.points, VD_PARALLEL);
  test_derivatives("trailing arm", &ta, &l, 0.05, 0.0);
  l = build(&five.points, VD_PARALLEL);
  test_derivatives("five-link, coil on a link", &five, &l, 0.02, 0.008);
  l = build(&rocker.points, VD_PARALLEL);
  test_derivatives("five-link, coil on a rocker", &rocker, &l, -0.02, 0.01);
}

int main(void) {
  tap_plan(4 * 6 + 4 + 4 * 11 + 5 * 3);
  test_synthetic(VD_MACPHERSON, 51);
  test_synthetic(VD_DOUBLE_WISHBONE, 51);
  test_synthetic(VD_TRAILING_ARM, 17);
  test_synthetic(VD_FIVE_LINK, 17);
  test_chrono();
  for (size_t k = 0; k < VD_COUNT(published); k++)
    test_gains(k);
  test_all_derivatives();
  return tap_done();
}
