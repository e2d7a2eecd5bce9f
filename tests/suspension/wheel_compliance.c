/* Compliance of a wheel over four loads: files as they come, and the energy that is made of the curves. */
#include "tap.h"

#include "base/base.h"
#include "kc/elastic_fit.h"
#include "suspension/wheel_tables_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(double *worst, double value) {
  if (!(fabs(value) <= *worst))
    *worst = fabs(value);
}

/* A rig's sheet over the side force: this toe, y = -1.5e-7 F m, camber = -3e-6 F rad. */
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

/* A file with this text, which %s in the mapping stands for. */
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
    take(&worst, vd_giving_at(&r->compliance.of[VD_GIVING_TOE][VD_RIG_FY], f) - toe_of(f));
  tap_ok(r->good, "a sheet in kilonewtons, degrees and millimetres, semicolons and commas is read");
  tap_near(worst, 0.0, 1e-15, "changes of toe count from the wheel without load (%.1e)", worst);
  tap_near(vd_giving_slope(&r->compliance.of[VD_GIVING_TOE][VD_RIG_FY]), 2e-6, 1e-18, "its slope at rest");
  double end = toe_of(4000.0), slope = (end - toe_of(3500.0)) / 500.0;
  tap_near(vd_giving_at(&r->compliance.of[VD_GIVING_TOE][VD_RIG_FY], 6000.0), end + 2000.0 * slope, 1e-15,
           "beyond the last row the last secant goes on");
}

enum { LOADS = VD_ELASTIC_LOADS };
static const double radius = 0.3, force = 4000.0;

/* The map's loads under a force of the rig at a wheel that stands upright. */
static void gradient(const vd_elastic_map *map, double drive, double brake, double fy, double mz, double *moves) {
  vd_elastic_sample s = {.load = {(drive + brake) / map->unit[0], fy / map->unit[1], 0.0,
                                  -radius * brake / map->unit[3], mz / map->unit[4]}};
  vd_elastic_sample_of(map, 0.013, 0.0, &s);
  for (int j = 0; j < LOADS; j++)
    moves[j] = s.slope[j] / map->unit[j];
}

static const vd_elastic_map *map_of(const read_file *r, const vd_wheel_tables *tables, vd_compliance_doubt *doubt) {
  vd_linkage_map *map = vd_arena_alloc(r->arena, sizeof *map);
  map->travel = vd_axis_make(-0.1, 0.1, 0.005);
  const vd_compliant_wheel wheel = {tables, map, radius, force};
  return vd_wheel_compliance_map(&r->compliance, &wheel, r->arena, doubt);
}

/* Gibbs' vector of toe d about the vertical is -2 tan(d/2), of small ones -d; lean is -camber, and the contact moves by
 * y + R lean. Curves that are cubics come back but for third orders of angles of up to 0.012 rad. */
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
  tap_near(toe, 0.0, 2e-6, "the energy's slopes by the side force are the sheet's toe within %.1e rad", toe);
  tap_near(lean, 0.0, 1e-4, "its camber within %.1e rad", lean);
  tap_near(aside, 0.0, 3e-5, "and its contact's place within %.1e m", aside);
  gradient(map, 0.0, 0.0, 0.0, 50.0, moves);
  tap_near(moves[1], -50.0 * 2e-6, 1e-9,
           "a moment moves the contact as the side force turns the wheel (Maxwell, Betti)");
  gradient(map, 0.0, -2000.0, 0.0, 0.0, moves);
  tap_near(moves[4], 2.0 * tan(0.5 * 2000.0 * 0.2e-3 * VD_PI / 180.0), 1e-10,
           "under brakes the wheel toes as the sheet says");
  tap_near(moves[3], 2.0 * tan(0.5 * 2000.0 * 0.3e-3 * VD_PI / 180.0), 1e-10, "and its knuckle winds up, ahead");
  tap_near(moves[0], -2e-3, 2e-8, "and its centre goes back by 1 mm/kN");
  gradient(map, 2000.0, 0.0, 0.0, 0.0, moves);
  tap_near(moves[0], 1e-3, 1e-9, "under drive it goes ahead by 0.5 mm/kN");
  tap_ok(!doubt.unstable && doubt.mismatch == 0.0, "no load does negative work");
}

/* By hand: flexibility of the contact 7.5e-7 m/N under the side force, turn 3e-5 rad/(N m) under the moment, which toes
 * out; y over mz is -toe over fy, 2e-6, of an elastic body, and their product at least its square. */
static void check_doubts(void) {
  static const vd_wheel_tables upright = {.count = 0};
  static const struct {
    const char *what, *words;
    double mismatch;
    bool unstable;
  } doubtful[] = {
      {"a body on springs", "{toe: {fy: 2e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7, mz: -2e-6}}", 0.0, false},
      {"two compliances that ought to be one", "{toe: {fy: 2e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7, mz: 0}}",
       0.421637021355784, false}, /* 2e-6/sqrt(3e-5 7.5e-7) */
      {"too much toe for the place", "{toe: {fy: 6e-6, mz: -3e-5}, contact_y: {fy: 7.5e-7}}", 0.0, true},
      {"toe alone", "{toe: {fy: 6e-6}}", 0.0, true},
      {"a wheel that turns against the moment", "{toe: {mz: 3e-5}}", 0.0, true},
  };
  for (size_t i = 0; i < VD_COUNT(doubtful); i++) {
    read_file r = read_text("", doubtful[i].words);
    vd_compliance_doubt doubt = {.mismatch = NAN};
    if (r.good)
      map_of(&r, &upright, &doubt);
    tap_near(doubt.mismatch, doubtful[i].mismatch, 1e-9, "%s: slopes differ by %.3g", doubtful[i].what, doubt.mismatch);
    tap_ok(doubt.unstable == doubtful[i].unstable, "%s: %s", doubtful[i].what,
           doubtful[i].unstable ? "would do work" : "does none");
    finish(&r);
  }
}

int main(void) {
  char text[4000];
  tap_plan(4 + 9 + 2 * 5);
  sheet(text, sizeof text);
  read_file r = read_text(text, words);
  check_file(&r);
  check_energy(&r);
  finish(&r);
  check_doubts();
  return tap_done();
}
