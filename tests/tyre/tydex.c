/* TYDEX: axis systems compared with laws of mechanics and numbers by hand; files of every form, read and written. */
#include "input/schema.h"
#include "input/tydex.h"
#include "tap.h"
#include "tyre/points_def.h"
#include "tyre/tydex_axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- axis systems --- */

static const double pi = 3.14159265358979323846;
static const char *const axes_name[] = {"W", "H", "C"};

static double random_in(double low, double high) {
  static unsigned state = 12345;
  state = state * 1664525u + 1013904223u;
  return low + (high - low) * (double)(state >> 8) / 16777216.0;
}

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The axes and the origin of a system in the axes of H, about the wheel centre, by the definitions. */
typedef struct system {
  double x[3], y[3], z[3], origin[3];
} system_of;

static system_of define(enum vd_tydex_axes axes, double inclination, double radius) {
  double s = sin(inclination), c = cos(inclination);
  system_of f = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  if (axes == VD_TYDEX_C)
    f = (system_of){{1, 0, 0}, {0, c, s}, {0, -s, c}, {0, 0, 0}};
  if (axes == VD_TYDEX_W) /* below the centre, in the wheel plane */
    f = (system_of){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, radius * s, -radius * c}};
  return f;
}

/* Returns the power of a wrench on a body whose wheel centre has the velocity `v` and which turns with `w`, both in
 * H. */
static double power(const vd_wrench *q, const system_of *f, const double *v, const double *w) {
  double at_origin[3], from_turn[3];
  cross(w, f->origin, from_turn);
  for (int i = 0; i < 3; i++)
    at_origin[i] = v[i] + from_turn[i];
  const double *axis[] = {f->x, f->y, f->z};
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    sum += q->force[i] * dot(axis[i], at_origin) + q->moment[i] * dot(axis[i], w);
  return sum;
}

/* Checks that the norm of the force and the power are equal in all axes, and that a conversion followed by its inverse
 * changes nothing. */
static void test_laws(void) {
  for (int from = 0; from < 3; from++)
    for (int to = 0; to < 3; to++) {
      double norm = 0.0, work = 0.0, back = 0.0;
      for (int k = 0; k < 200; k++) {
        vd_wrench q;
        double v[3], w[3], g = random_in(-1, 1), l = random_in(0.2, 0.5);
        for (int i = 0; i < 3; i++) {
          q.force[i] = random_in(-5000, 5000);
          q.moment[i] = random_in(-300, 300);
          v[i] = random_in(-30, 30);
          w[i] = random_in(-100, 100);
        }
        vd_wrench p = vd_tydex_in_axes(q, (enum vd_tydex_axes)from, (enum vd_tydex_axes)to, g, l);
        vd_wrench r = vd_tydex_in_axes(p, (enum vd_tydex_axes)to, (enum vd_tydex_axes)from, g, l);
        system_of a = define((enum vd_tydex_axes)from, g, l), b = define((enum vd_tydex_axes)to, g, l);
        norm = tap_max(norm, fabs(sqrt(dot(p.force, p.force)) - sqrt(dot(q.force, q.force))));
        work = tap_max(work, fabs(power(&p, &b, v, w) - power(&q, &a, v, w)));
        for (int i = 0; i < 3; i++)
          back = tap_max(back, fabs(r.force[i] - q.force[i]) + fabs(r.moment[i] - q.moment[i]));
      }
      /* rounding of numbers up to 5e3 N and 5e5 W */
      tap_near(norm, 0, 1e-11, "%s to %s: the force keeps its norm", axes_name[from], axes_name[to]);
      tap_near(work, 0, 1e-8, "%s to %s: the conversion keeps the power", axes_name[from], axes_name[to]);
      tap_near(back, 0, 1e-11, "%s to %s and back changes nothing", axes_name[from], axes_name[to]);
    }
}

static void expect(const vd_wrench *q, const double *force, const double *moment, const char *what) {
  double d = 0.0;
  for (int i = 0; i < 3; i++)
    d = tap_max(d, fabs(q->force[i] - force[i]) + fabs(q->moment[i] - moment[i]));
  tap_near(d, 0, 1e-9, "%s", what);
}

static void test_by_hand(void) {
  /* Upright, a side force of 1000 N to the left at the contact, 0.3 m below the centre: its moment about the centre is
   * (-0.3 z) x (1000 y) = 300 x; a braking force of -2000 N gives (-0.3 z) x (-2000 x) = 600 y. */
  vd_wrench w = {{-2000, 1000, 4000}, {0, 0, 0}};
  vd_wrench h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_H, 0, 0.3);
  expect(&h, (double[]){-2000, 1000, 4000}, (double[]){300, 600, 0}, "upright: W to H gives the wrench by hand");
  h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_C, 0, 0.3);
  expect(&h, (double[]){-2000, 1000, 4000}, (double[]){300, 600, 0}, "upright: W to C gives the wrench by hand");
  /* Leaning 30 deg to the right, with only a load of 4000 N: the contact lies 0.3 sin 30 = 0.15 m left of the centre
   * and 0.2598 m below, so that the load turns about x by 0.15 x 4000 = 600. In C axes the load has the components 4000
   * sin 30 = 2000 along the spin axis and 4000 cos 30 in the wheel plane. */
  w = (vd_wrench){{0, 0, 4000}, {0, 0, 0}};
  h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_H, pi / 6, 0.3);
  expect(&h, (double[]){0, 0, 4000}, (double[]){600, 0, 0}, "leaning: W to H gives the wrench by hand");
  h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_C, pi / 6, 0.3);
  expect(&h, (double[]){0, 2000, 4000 * sqrt(0.75)}, (double[]){600, 0, 0}, "leaning: W to C gives the wrench by hand");
  /* Leaning, driven by 1000 N: about the centre (0, 0.15, -0.2598) x (1000, 0, 0) = (0, -259.8, -150) in H, which is
   * -300 along the spin axis of C and zero in the wheel plane. */
  w = (vd_wrench){{1000, 0, 0}, {0, 0, 0}};
  h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_H, pi / 6, 0.3);
  expect(&h, (double[]){1000, 0, 0}, (double[]){0, -300 * sqrt(0.75), -150},
         "leaning and driven: W to H gives the wrench by hand");
  h = vd_tydex_in_axes(w, VD_TYDEX_W, VD_TYDEX_C, pi / 6, 0.3);
  expect(&h, (double[]){1000, 0, 0}, (double[]){0, -300, 0}, "leaning and driven: W to C gives the wrench by hand");
  /* Toed by 10 deg relative to the path at 20 m/s, and leaning: in every system the power is that of the force along
   * the path, 20 (Fx cos 10 + Fy sin 10) W at a slip angle of 10 deg. */
  w = (vd_wrench){{300, -2500, 4000}, {40, -10, 60}};
  double v[3] = {20 * cos(pi / 18), 20 * sin(pi / 18), 0}, still[3] = {0, 0, 0};
  for (int to = 0; to < 3; to++) {
    vd_wrench q = vd_tydex_in_axes(w, VD_TYDEX_W, (enum vd_tydex_axes)to, pi / 36, 0.31);
    system_of f = define((enum vd_tydex_axes)to, pi / 36, 0.31);
    tap_near(power(&q, &f, v, still), 20 * (300 * cos(pi / 18) - 2500 * sin(pi / 18)), 1e-8,
             "toed and leaning, in %s: the power is that of the force along the path", axes_name[to]);
  }
}

/* --- files --- */

typedef struct reading {
  vd_diag *d;
  vd_arena *arena;
  vd_tyre_points points;
  bool ok;
} reading;

static reading read_text(const char *keys, const char *text) {
  reading r = {.d = vd_diag_create(), .arena = vd_arena_create()};
  vd_tyre_points_def *def = vd_arena_alloc(r.arena, sizeof *def);
  vd_node *root;
  int scenario = vd_diag_add_source(r.d, "keys.yaml", keys, strlen(keys));
  int source = vd_diag_add_source(r.d, "in.tdx", text, strlen(text));
  r.ok = vd_schema_read_source(&vd_tyre_points_schema, scenario, NULL, 0, r.arena, r.d, def, &root) &&
         vd_tyre_points_read_source(def, source, root, "", r.arena, r.d, &r.points);
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
}

static const char *first_words(const reading *r) {
  enum vd_severity severity;
  vd_place at;
  const char *text = "nothing was said";
  if (vd_diag_count(r->d) > 0)
    vd_diag_message(r->d, 0, &severity, &at, &text);
  return text;
}

#define NUMBERS       "1         0         0\n"
#define CH(key, unit) key "  comment on the channel        " unit NUMBERS
static const char constants[] = "**HEADER\nRELEASE   Release                                 1.3\n**CONSTANTS\n"
                                "INFLPRES  Inflation pressure            bar       2.2\n";

static double value(const reading *r, enum vd_point_quantity q, size_t row) {
  return r->ok && r->points.of[q] && row < r->points.rows ? r->points.of[q][row] : NAN;
}

static void test_conditions(void) {
  char text[4096];
  snprintf(text, sizeof text, "! by hand\n%s**MEASURCHANNELS\n%s%s%s%s%s%s**MEASURDATA\n%s**END\nfree text\n",
           constants, CH("RUNTIME ", "s         "), CH("SLIPANGL", "deg       "), CH("LONGSLIP", "%         "),
           CH("TRAJVELH", "km/h      "), CH("FYW     ", "kN        "), CH("FZW     ", "kN        "),
           "0 60 -10 72 -1 4\n! a pause\n0.5 -60 10 36 1 5\n");
  reading r = read_text("{}", text);
  tap_ok(r.ok && r.points.rows == 2, "the file is read: %s", first_words(&r));
  tap_near(value(&r, VD_POINT_ALPHA, 0), pi / 3, 1e-15, "an angle in degrees is converted");
  tap_near(value(&r, VD_POINT_KAPPA, 0), -0.1, 1e-15, "a slip in percent is converted");
  tap_near(value(&r, VD_POINT_SPEED, 0), 10, 1e-12, "72 km/h along the path at 60 deg are 10 m/s along the wheel");
  tap_near(value(&r, VD_POINT_PRESSURE, 1), 220000, 1e-9, "a constant applies to every row");
  tap_near(value(&r, VD_POINT_LOAD, 1), 5000, 0, "a load in kN is converted");
  tap_near(value(&r, VD_POINT_TIME, 1), 0.5, 0, "the time is read");
  tap_ok(!r.points.of[VD_POINT_FX] && !r.points.of[VD_POINT_MZ] && !r.points.of[VD_POINT_CAMBER],
         "channels that the file does not contain are missing");
  finish(&r);
  r = read_text("{columns: {alpha: {column: SLIPANGL, scale: -1}, my: {column: FYW, unit: N m}}}", text);
  tap_str(first_words(&r), "the unit of column 'FYW' is 'kN' in the file; 'N m' is used",
          "a column that the reader names with another unit has a message");
  tap_near(value(&r, VD_POINT_ALPHA, 0), -pi / 3, 1e-15, "a channel named by the reader has the given scale");
  tap_near(value(&r, VD_POINT_MY, 1), 1, 0, "a channel named by the reader has the given unit");
  finish(&r);
}

/* Checks one point, slip angle 3 deg, camber 5 deg, with forces and moments in W, written in W, H and C axes. */
static void test_axes_of_files(void) {
  static const vd_wrench w = {{300, -2500, 4000}, {40, -10, 60}};
  const double g = 5 * pi / 180, l = 0.31;
  for (int axes = 0; axes < 3; axes++) {
    vd_wrench q = vd_tydex_in_axes(w, VD_TYDEX_W, (enum vd_tydex_axes)axes, g, l);
    const char *a = axes_name[axes];
    char text[4096];
    snprintf(text, sizeof text,
             "%sINCLANGL  Inclination                   deg       5\nDSTGRWHC  Height                        mm        "
             "%.17g\n**MEASURCHANNELS\nFX   x N 1 0 0\nFY%s x N 1 0 0\nFZ%s\tx\tN\t1\t0\t0\nMX%s x Nm 1 0 0\nMY%s x Nm "
             "1 0 0\nMZ%s x "
             "Nm 1 0 0\n**MEASURDATA\n%.17g %.17g %.17g\n %.17g %.17g %.17g\n**END\n",
             constants, 1000 * l * cos(g), a, a, a, a, a, q.force[0], q.force[1], q.force[2], q.moment[0], q.moment[1],
             q.moment[2]);
    reading r = read_text("{}", text);
    vd_wrench got = {{value(&r, VD_POINT_FX, 0), value(&r, VD_POINT_FY, 0), value(&r, VD_POINT_LOAD, 0)},
                     {value(&r, VD_POINT_MX, 0), value(&r, VD_POINT_MY, 0), value(&r, VD_POINT_MZ, 0)}};
    char what[200];
    snprintf(what, sizeof what, "a file in %s axes, in words and wrapped lines, is read: %s", a, first_words(&r));
    expect(&got, w.force, w.moment, what);
    tap_near(value(&r, VD_POINT_LOADED_RADIUS, 0), l, 1e-15,
             "the loaded radius is read from the height of the wheel centre");
    finish(&r);
  }
}

/* Checks (measured value + offset) x factor + offset of the physical value. */
static void test_factors(void) {
  char text[1024];
  snprintf(text, sizeof text,
           "%s**MEASURCHANNELS\nFZW       Vertical force                N         0.5       -2000     100\nLONGVEL   v "
           "       "
           "                     km/h      3.6       \n**MEASURDATA\n9800 10\nNOTAVAIL 10\n10200 20\n**END\n",
           constants);
  reading r = read_text("missing: omit", text);
  tap_near(value(&r, VD_POINT_LOAD, 0), 4000, 0,
           "a channel with both offsets has the value (9800 - 2000) x 0.5 + 100 N");
  tap_near(value(&r, VD_POINT_SPEED, 1), 20, 1e-14, "a channel without offsets has the value 20 x 3.6 km/h");
  tap_near(value(&r, VD_POINT_LOAD, 1), 4200, 0, "the row without a load is omitted: %s", first_words(&r));
  finish(&r);
}

/* Checks that a written file is read with the same numbers. */
static void test_round_trip(void) {
  static const vd_tydex_written channel[] = {
      {"RUNTIME", "Time", "s"}, {"FZW", "Vertical force", "N"}, {"FYW", "Lateral force", "N"}, {"MZW", "", "Nm"}};
  char path[] = "/tmp/vdsim-tydex-XXXXXX";
  int fd = mkstemp(path);
  vd_output *o = fd >= 0 ? vd_output_open(path) : NULL;
  enum { ROWS = 100 };
  double row[ROWS][4];
  if (!o)
    abort();
  vd_tydex_write_head(o, "**END\n! nobody", "**MEASURDATA in a title", channel, 4);
  for (int i = 0; i < ROWS; i++) {
    row[i][0] = i / 3.0;
    row[i][1] = random_in(1, 9e3);
    row[i][2] = random_in(-1e4, 1e4);
    row[i][3] = random_in(-1e-3, 1e-3);
    vd_tydex_write_row(o, row[i], 4, VD_DIGITS_EXACT);
  }
  vd_tydex_write_row(o, (double[]){1e3, NAN, 1, 1}, 4, VD_DIGITS_9);
  vd_tydex_write_end(o);
  if (vd_output_commit(o, NULL) != 0)
    abort();
  vd_diag *d = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  vd_tydex t;
  int source = -1;
  bool good = vd_measured_load(path, (vd_place){.source = -1}, d, &source) && vd_tydex_read(source, arena, d, &t) &&
              vd_diag_count(d) == 0 && t.rows == ROWS + 1 && t.channels == 4;
  for (int i = 0; good && i < ROWS; i++)
    for (int k = 0; k < 4; k++)
      good &= t.value[k][i] == row[i][k];
  tap_ok(good, "a written file is read back to the same bits, with any texts");
  tap_ok(good && isnan(t.value[1][ROWS]) && t.value[0][ROWS] == 1e3, "a missing value is written as NOTAVAIL");
  const char *text;
  size_t length = good ? vd_diag_source_text(d, source, &text) : 0;
  tap_ok(good && length > 0 &&
             strstr(text, "\nFZW       Vertical force                N         1         0         0\n"),
         "channels are written in columns 1, 11, 41, 51, 61 and 71");
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
  close(fd);
  unlink(path);
}

int main(void) {
  tap_plan(27 + 9 + 11 + 6 + 3 + 3);
  test_laws();
  test_by_hand();
  test_conditions();
  test_axes_of_files();
  test_factors();
  test_round_trip();
  return tap_done();
}
