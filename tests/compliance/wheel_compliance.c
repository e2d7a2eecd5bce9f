/* Compliance of a wheel as curves of its loads: files as rigs write them, and the energy that is made from the
 * curves. */
#include "tap.h"

#include "base/base.h"
#include "input/schema.h"
#include "compliance/elastic_fit.h"
#include "compliance/wheel_tables_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

/* Returns the change of toe, rad, by the side force f, N, in a rig's sheet. The sheet's other changes: y = -1.5e-7 f m,
 * camber = -3e-6 f rad. */
static double toe_of(double f) {
  return 2e-6 * f + 1e-10 * f * f - 1e-14 * f * f * f;
}

static void sheet(char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, "Seitenkraft;Spur;Sturz;Versatz\nkN;deg;deg;mm\n");
  for (int i = -8; i <= 8; i++) {
    double f = 500.0 * i;
    char line[160];
    snprintf(line, sizeof line, "%.9g;%.15g;%.15g;%.15g\n", 1e-3 * f, 0.1 + 180.0 / VD_PI * toe_of(f),
             -0.5 - 180.0 / VD_PI * 3e-6 * f, 3.0 - 1e3 * 1.5e-7 * f);
    for (char *p = line; *p; p++)
      *p = *p == '.' ? ',' : *p;
    length += (size_t)snprintf(text + length, size - length, "%s", line);
  }
}

typedef struct read_file {
  vd_arena *arena;
  vd_diag *diag;
  vd_wheel_compliance compliance;
  bool good;
} read_file;

/* Reads the mapping `words`, in which FILE stands for the name of a file that contains `text`. */
static read_file read_text(const char *text, const char *words) {
  read_file r = {.arena = vd_arena_create(), .diag = vd_diag_create()};
  char path[] = "/tmp/vdsim-giving-XXXXXX", yaml[900];
  int file = mkstemp(path);
  ssize_t written = file >= 0 ? write(file, text, strlen(text)) : -1;
  const char *gap = strstr(words, "FILE");
  vd_wheel_compliance_def def;
  vd_node *root = NULL;
  snprintf(yaml, sizeof yaml, "%.*s%s%s", gap ? (int)(gap - words) : (int)strlen(words), words, gap ? path : "",
           gap ? gap + 4 : "");
  int source = vd_diag_add_source(r.diag, "test.yaml", yaml, strlen(yaml));
  if (written == (ssize_t)strlen(text) &&
      vd_schema_read_source(&vd_wheel_compliance_schema, source, NULL, 0, r.arena, r.diag, &def, &root))
    r.good = vd_wheel_compliance_read(&def, root, "", r.arena, r.diag, &r.compliance);
  if (file >= 0)
    close(file);
  unlink(path);
  return r;
}

static void finish(read_file *r) {
  vd_diag_destroy(r->diag);
  vd_arena_destroy(r->arena);
}

static const char words[] = "{tables: {file: FILE, columns: {fy: Seitenkraft, toe: Spur, camber: Sturz, y: Versatz}},"
                            " toe: {mz: -3e-5, fx_brake: 0.2 deg/kN}, x: {fx_brake: 1 mm/kN, fx_drive: 0.5 mm/kN},"
                            " spin: {fx_brake: -0.3 deg/kN}}";

static void check_file(const read_file *r) {
  double worst = 0.0;
  for (double f = -4000.0; f < 4001.0; f += 130.0)
    take(&worst, vd_compliance_curve_at(&r->compliance.of[VD_DISPLACEMENT_TOE][VD_RIG_FY], f) - toe_of(f));
  tap_ok(r->good, "a sheet in kilonewtons, degrees and millimetres, semicolons and commas is read");
  tap_near(worst, 0.0, 1e-15, "changes of toe are relative to the wheel without load (%.1e)", worst);
  tap_near(vd_compliance_curve_slope(&r->compliance.of[VD_DISPLACEMENT_TOE][VD_RIG_FY]), 2e-6, 1e-18,
           "the slope of toe at rest is that of the curve");
  double end = toe_of(4000.0), slope = (end - toe_of(3500.0)) / 500.0;
  tap_near(vd_compliance_curve_at(&r->compliance.of[VD_DISPLACEMENT_TOE][VD_RIG_FY], 6000.0), end + 2000.0 * slope,
           1e-15, "beyond the last row the last secant continues");
}

enum { LOADS = VD_ELASTIC_LOADS };
static const double radius = 0.3, force = 4000.0 / VD_ELASTIC_LATERAL; /* the map then covers the range of the sheet */

/* Computes the displacements conjugate to the map's loads, while the rig's loads act on an upright wheel. */
static void gradient(const vd_elastic_map *map, double drive, double brake, double fy, double mz, double *moves) {
  vd_elastic_sample s = {
      .load = {drive / map->unit[0], fy / map->unit[1], 0.0, -radius * brake / map->unit[3], mz / map->unit[4]}};
  vd_elastic_sample_of(map, 0.013, 0.0, 0.0, &s);
  for (int j = 0; j < LOADS; j++)
    moves[j] = s.slope[j] / map->unit[j];
  moves[3] += moves[0] / radius;
}

static const vd_elastic_map *map_of(const read_file *r, const vd_wheel_tables *tables, vd_compliance_doubt *doubt) {
  vd_linkage_map *map = vd_arena_alloc(r->arena, sizeof *map);
  map->travel = vd_axis_make(-0.1, 0.1, 0.005);
  const vd_compliant_wheel wheel = {tables, map, radius, force};
  return vd_wheel_compliance_map(&r->compliance, &wheel, r->arena, doubt);
}

/* Compares the map with the sheet. Gibbs' vector of toe d about the vertical is -2 tan(d/2), about -d for small angles.
 * The lean is -camber, and the contact moves by y + R lean. The map reproduces curves of the vector; it differs from an
 * angle by d^3/12: 6.0e-8 for the greatest toe, 8.96 mrad, and 1.44e-7 for the greatest camber, 12 mrad. R = 0.3 m. */
static void check_energy(const read_file *r) {
  static const vd_wheel_tables upright = {.count = 0};
  vd_compliance_doubt doubt;
  const vd_elastic_map *map = map_of(r, &upright, &doubt);
  double moves[LOADS], toe = 0.0, lean = 0.0, aside = 0.0;
  for (double f = -4000.0; f < 4001.0; f += 250.0) {
    gradient(map, 0.0, 0.0, f, 0.0, moves);
    take(&toe, moves[4] + toe_of(f));
    take(&lean, moves[2] - 3e-6 * f);
    take(&aside, moves[1] - (-1.5e-7 * f + radius * 3e-6 * f));
  }
  tap_near(toe, 0.0, 7e-8, "under a side force the energy's derivative by mz is minus the sheet's toe within %.1e rad",
           toe);
  tap_near(lean, 0.0, 1.6e-7,
           "under a side force the energy's derivative by the moment about the heading is minus the sheet's camber "
           "within %.1e rad",
           lean);
  tap_near(aside, 0.0, 5e-8, "the energy's derivatives by the side force are the sheet's contact place within %.1e m",
           aside);
  gradient(map, 0.0, 0.0, 0.0, 50.0, moves);
  tap_near(moves[1], -50.0 * 2e-6, 1e-9,
           "a moment moves the contact as the side force turns the wheel (Maxwell, Betti)");
  gradient(map, 0.0, -2000.0, 0.0, 0.0, moves);
  tap_near(moves[4], 2.0 * tan(0.5 * 2000.0 * 0.2e-3 * VD_PI / 180.0), 1e-10,
           "under brakes the wheel turns to toe-out by 0.2 deg/kN");
  tap_near(moves[3], 2.0 * tan(0.5 * 2000.0 * 0.3e-3 * VD_PI / 180.0), 1e-10,
           "under brakes the knuckle turns forward about the axle");
  tap_near(moves[0], -2e-3, 2e-8, "under brakes the wheel centre moves back by 1 mm/kN");
  gradient(map, 2000.0, 0.0, 0.0, 0.0, moves);
  tap_near(moves[0], 1e-3, 1e-9, "under drive the wheel centre moves ahead by 0.5 mm/kN");
  tap_ok(!doubt.unstable && doubt.mismatch == 0.0, "no load does negative work");
}

/* Figures by hand: the side force moves the contact by 7.5e-7 m/N, and the moment turns the wheel to toe-out by 3e-5
 * rad/(N m). In an elastic body dy/dmz = -dtoe/dfy, here -2e-6, and its square is at most the product of the two
 * flexibilities 7.5e-7 and 3e-5. */
static void check_doubts(void) {
  static const vd_wheel_tables upright = {.count = 0};
  static const struct {
    const char *what, *words;
    double mismatch;
    bool unstable;
  } doubtful[] = {
      {"a body on springs", "{toe: {fy: 2e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7, mz: -2e-6}}", 0.0, false},
      {"two compliances that should be equal", "{toe: {fy: 2e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7, mz: 0}}",
       0.421637021355784, false}, /* 2e-6/sqrt(3e-5 7.5e-7) */
      {"more toe by the side force than the flexibilities of contact and toe allow",
       "{toe: {fy: 6e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7}}", 0.0, true},
      {"toe alone", "{toe: {fy: 6e-6}}", 0.0, true},
      {"a wheel that turns against the moment", "{toe: {mz: 3e-5}}", 0.0, true},
  };
  for (size_t i = 0; i < VD_COUNT(doubtful); i++) {
    read_file r = read_text("", doubtful[i].words);
    vd_compliance_doubt doubt = {.mismatch = NAN};
    if (r.good)
      map_of(&r, &upright, &doubt);
    tap_near(doubt.mismatch, doubtful[i].mismatch, 1e-9, "%s: slopes differ by %.3g of the mean flexibility",
             doubtful[i].what, doubt.mismatch);
    tap_ok(doubt.unstable == doubtful[i].unstable, "%s: %s", doubtful[i].what,
           doubtful[i].unstable ? "a load does negative work" : "no load does negative work");
    finish(&r);
  }
}

/* --- bushings without load --- */

/* Makes tables that are straight lines through 0 over the travel. slope: of each quantity, in SI per m of travel. */
static vd_wheel_tables lines(const double *slope, double toe, vd_arena *arena) {
  enum { POINTS = 5 };
  static const double at[POINTS] = {-0.1, -0.05, 0.0, 0.05, 0.1}, none[1] = {0.0};
  vd_wheel_table *t = vd_arena_alloc(arena, sizeof *t);
  *t = (vd_wheel_table){.count = {POINTS, 1, 1}, .at = {at, none, none}};
  for (int q = 0; q < VD_TABLED; q++) {
    double *value = vd_arena_alloc(arena, POINTS * sizeof *value);
    for (int i = 0; i < POINTS; i++)
      value[i] = slope[q] * at[i];
    if (slope[q] != 0.0)
      t->value[q] = value;
  }
  vd_wheel_table_finish(t, arena);
  return (vd_wheel_tables){.toe = toe, .count = 1, .table = t};
}

/* Checks the pose of a wheel without load at a travel of 13 mm. By hand: Gibbs' vector of a single rotation by d is
 * 2 tan(d/2); the map's displacements are along and across the heading of the wheel, which toes in by 0.5 rad. */
static void check_unloaded(const read_file *r) {
  static const double z = 0.013, toe = 0.5, turn = 0.3, ahead = 0.02, outward = -0.05;
  static const struct {
    enum vd_tabled q;
    int of;
    double sign, also; /* sign of the rotation; displacement of the contact by the rotation, m/rad */
  } turned[] = {{VD_TABLED_BUSHING_TOE, 4, -1.0, 0.0},
                {VD_TABLED_BUSHING_CAMBER, 2, -1.0, -0.3},
                {VD_TABLED_BUSHING_SPIN, 3, 1.0, 0.0}};
  for (size_t k = 0; k < VD_COUNT(turned); k++) {
    double slope[VD_TABLED] = {0.0}, moves[LOADS], worst = 0.0, gibbs = 2.0 * tan(0.5 * turn * z);
    slope[turned[k].q] = turn;
    slope[VD_TABLED_BUSHING_X] = ahead;
    slope[VD_TABLED_BUSHING_Y] = outward;
    const vd_wheel_tables tables = lines(slope, toe, r->arena);
    vd_compliance_doubt doubt;
    gradient(map_of(r, &tables, &doubt), 0.0, 0.0, 0.0, 0.0, moves);
    double expected[LOADS] = {(cos(toe) * ahead - sin(toe) * outward) * z, (sin(toe) * ahead + cos(toe) * outward) * z};
    expected[1] += turned[k].also * gibbs;
    expected[turned[k].of] = turned[k].sign * gibbs;
    for (int j = 0; j < LOADS; j++)
      take(&worst, moves[j] - expected[j]);
    tap_near(worst, 0.0, 1e-12, "bushings turn and shift a wheel without load, %zu (%.1e)", k, worst);
  }
}

/* --- one energy gives all displacements --- */

/* Computes the energy W and its gradient by the loads, J; returns its derivative by the travel, J/m. */
static double energy_at(const vd_elastic_map *map, double travel, vd_elastic_sample *s) {
  vd_elastic_terms_at c;
  vd_elastic_sample by = *s;
  vd_elastic_map_at(map, travel, 0.0, 0.0, &c);
  vd_elastic_sum(map->tree, map->loads, c.value, s);
  vd_elastic_sum(map->tree, map->loads, c.by_travel, &by);
  return by.energy;
}

/* Checks Maxwell and Betti's theorem at combined loads from the displacements alone, by central differences of step h:
 * for polynomials of the fourth degree their error is h^2/6 times the third derivative. */
static void check_reciprocity(const vd_elastic_map *map) {
  static const double at[LOADS] = {0.3, -0.5, 0.2, -0.4, 0.35}, h = 1e-4;
  double by[LOADS][LOADS], worst = 0.0, most = 0.0;
  for (int k = 0; k < LOADS; k++)
    for (int side = -1; side <= 1; side += 2) {
      vd_elastic_sample s;
      memcpy(s.load, at, sizeof at);
      s.load[k] += side * h;
      energy_at(map, 0.021, &s);
      for (int j = 0; j < LOADS; j++)
        by[k][j] = (side < 0 ? 0.0 : by[k][j]) + side * s.slope[j] / (2.0 * h);
    }
  for (int k = 0; k < LOADS; k++)
    for (int j = 0; j < k; j++) {
      take(&worst, by[k][j] - by[j][k]);
      take(&most, by[k][j]);
    }
  tap_ok(most > 1.0, "loads interact, by %.3g J", most);
  tap_near(worst, 0.0, 1e-6 * most, "the displacement at one load by another is reciprocal (%.1e)", worst);
}

/* Checks that the forces do no work on the bushings along a closed loop of loads x and travel z. The loads do the work
 * x . ds (s: displacements), the force along the travel -W_z dz. Round a closed loop the integral of x . ds equals that
 * of -s . dx, so that the work is minus the integral of W_z dz + s . dx. The error of the rule of rectangles, O(1/n^3),
 * is due to the jumps of the spline's third derivative. */
static void check_loop(const vd_elastic_map *map) {
  enum { STEPS = 4000 };
  double sum = 0.0, flow = 0.0, dt = 2.0 * VD_PI / STEPS;
  for (int i = 0; i < STEPS; i++) {
    double t = i * dt, power;
    vd_elastic_sample s;
    for (int j = 0; j < LOADS; j++)
      s.load[j] = 0.4 * cos((1 + j % 2) * t + j);
    double by_travel = energy_at(map, 0.06 * sin(t + 0.3), &s);
    power = by_travel * 0.06 * cos(t + 0.3);
    for (int j = 0; j < LOADS; j++)
      power += s.slope[j] * -0.4 * (1 + j % 2) * sin((1 + j % 2) * t + j);
    sum += dt * power;
    flow += dt * fabs(power);
  }
  tap_near(sum, 0.0, 1e-9 * flow,
           "round a loop of loads and travel, of %.3g J of work to and fro, no energy is gained (%.1e)", flow, sum);
}

static void check_one_energy(const read_file *r) {
  double slope[VD_TABLED] = {
      [VD_TABLED_BUSHING_TOE] = 0.1, [VD_TABLED_BUSHING_CAMBER] = -0.3, [VD_TABLED_BUSHING_X] = 0.02,
      [VD_TABLED_BUSHING_Y] = -0.05, [VD_TABLED_BUSHING_SPIN] = 0.2,    [VD_TABLED_TOE] = -0.3,
      [VD_TABLED_ENERGY] = 30.0};
  const vd_wheel_tables tables = lines(slope, 0.02, r->arena);
  vd_compliance_doubt doubt;
  const vd_elastic_map *map = map_of(r, &tables, &doubt);
  check_reciprocity(map);
  check_loop(map);
}

/* Tests curves at three travels. The toe is c F; 1e6 c = 2, 3 and 6 rad/N at -40, 0 and 60 mm. Between these heights
 * c is on the parabola through all three: at 20 mm Lagrange's formula gives 2(-0.2) + 3(1) + 6(0.2). At 0.1 m it is the
 * value at 60 mm. Camber has one height. */
static void check_heights(void) {
  static const vd_wheel_tables upright = {.count = 0};
  read_file r = read_text("travel_mm,fy_N,toe_rad\n-40,-1000,-0.002\n-40,1000,0.002\n0,-1000,-0.003\n0,1000,0.003\n"
                          "60,-1000,-0.006\n60,1000,0.006\n",
                          "{tables: FILE, toe: {mz: -3e-5}, camber: {fy: -3e-6}, y: {fy: 1e-6}}");
  vd_compliance_doubt doubt;
  tap_ok(r.good && r.compliance.heights == 2, "curves at three heights are read");
  const vd_elastic_map *map = map_of(&r, &upright, &doubt);
  static const double at[][2] = {{0.0, 3e-6}, {0.02, 3.8e-6}, {0.1, 6e-6}};
  for (size_t i = 0; i < VD_COUNT(at); i++) {
    vd_elastic_sample s = {.load = {0.0, 1000.0 / map->unit[1]}};
    energy_at(map, at[i][0], &s);
    /* beyond the last height the slope jumps by 6.5e-5 1/(N m). The map's spline, with nodes every 18 mm, rounds this
     * corner by jump x step/12, about 1e-7 rad/N, and by four times less at every further node. 0.1 m is two nodes
     * farther: 1000 N x 1e-7 rad/N/16 = 6e-6 rad */
    tap_near(s.slope[4] / map->unit[4], -1000.0 * at[i][1], 1e-5, "toe at %g mm of travel", 1e3 * at[i][0]);
    if (i == 2)
      tap_near(s.slope[2] / map->unit[2], 0.003, 1e-8, "camber is that of the design position");
  }
  finish(&r);
}

int main(void) {
  char text[4000];
  tap_plan(4 + 9 + 3 + 3 + 5 + 2 * 5);
  sheet(text, sizeof text);
  read_file r = read_text(text, words);
  check_file(&r);
  check_energy(&r);
  check_unloaded(&r);
  check_one_energy(&r);
  finish(&r);
  check_heights();
  check_doubts();
  return tap_done();
}
