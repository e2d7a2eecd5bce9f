/* Tables of a wheel's path: splines between points, files as tools write them, and the map that is made from them. */
#include "scene.h"
#include "tap.h"

#include "input/schema.h"
#include "math/cubic.h"
#include "linkage/corner.h"
#include "compliance/wheel_tables_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

/* --- splines --- */

static double polynomial(double x, int degree) {
  static const double c[] = {0.3, -1.2, 2.5, 4.0};
  double sum = 0.0;
  for (int i = degree; i >= 0; i--)
    sum = sum * x + c[i];
  return sum;
}

static double spline_at(const double *x, size_t count, const double *y, const double *slope, double at, double *by) {
  vd_cubic_place p = vd_cubic_find(x, count, at);
  double sum = *by = 0.0;
  for (int k = 0; k < 2; k++) {
    sum += p.value[k] * y[p.point[k]] + p.slope[k] * slope[p.point[k]];
    *by += p.by_value[k] * y[p.point[k]] + p.by_slope[k] * slope[p.point[k]];
  }
  return sum;
}

/* Checks at uneven steps that a spline of n points on a polynomial of degree min(n - 1, 3) is this polynomial
 * everywhere. */
static void check_polynomials(void) {
  static const double x[] = {-1.0, -0.7, -0.1, 0.2, 0.9, 1.0, 1.6};
  for (size_t count = 1; count <= VD_COUNT(x); count++) {
    double y[VD_COUNT(x)], slope[VD_COUNT(x)], worst = 0.0, steepness = 0.0;
    int degree = count > 3 ? 3 : (int)count - 1;
    for (size_t i = 0; i < count; i++)
      y[i] = polynomial(x[i], degree);
    vd_cubic_slopes(x, count, y, 1, slope);
    for (double at = x[0] - 0.1; at < x[count - 1] + 0.1; at += 0.01) {
      double by, h = 1e-4;
      take(&worst, spline_at(x, count, y, slope, at, &by) - polynomial(at, degree));
      take(&steepness, by - (polynomial(at + h, degree) - polynomial(at - h, degree)) / (2.0 * h) +
                           (degree == 3 ? 4.0 * h * h : 0.0)); /* the difference is h^2 f'''/6 too large */
    }
    tap_near(worst, 0.0, 1e-12, "%zu points reproduce the polynomial of degree %d within %.1e", count, degree, worst);
    tap_near(steepness, 0.0, 1e-10, "a table of %zu points has the slope of its curve within %.1e", count, steepness);
  }
}

/* Checks that splines through any data have two continuous derivatives at their points. The second derivatives of both
 * sides are differences of slopes, which are exact for cubics. */
static void check_smoothness(void) {
  static const double x[] = {0.0, 0.3, 0.4, 1.0, 1.1, 2.0}, y[] = {0.0, 2.0, -1.0, 0.5, 0.4, 3.0};
  enum { COUNT = VD_COUNT(x) };
  double slope[COUNT], kink = 0.0, bend = 0.0, h = 1e-5;
  vd_cubic_slopes(x, COUNT, y, 1, slope);
  for (int i = 1; i + 1 < COUNT; i++) {
    double left[3], right[3];
    for (int k = 0; k < 3; k++) {
      spline_at(x, COUNT, y, slope, x[i] - (k + 1) * h, &left[k]);
      spline_at(x, COUNT, y, slope, x[i] + (k + 1) * h, &right[k]);
    }
    /* the slopes of cubics are parabolas, which give the slopes at the point itself */
    take(&kink, (3.0 * left[0] - 3.0 * left[1] + left[2]) - (3.0 * right[0] - 3.0 * right[1] + right[2]));
    double before = (2.5 * left[0] - 4.0 * left[1] + 1.5 * left[2]) / h;
    double after = (-2.5 * right[0] + 4.0 * right[1] - 1.5 * right[2]) / h;
    take(&bend, (before - after) / 1e3); /* of up to 1e3 */
  }
  tap_near(kink, 0.0, 1e-9, "slopes do not jump at the points (%.1e)", kink);
  tap_near(bend, 0.0, 1e-7, "second derivatives do not jump (%.1e)", bend);
}

/* --- files --- */

static const char german[] = "# rig 7\n"
                             "Federweg;Zahnstange;Spur;Sturz;Vorlauf\n"
                             "mm;mm;Grad;deg;mm\n";

typedef struct read_file {
  vd_arena *arena;
  vd_diag *diag;
  vd_wheel_tables tables;
  bool good;
} read_file;

/* Reads a table from a file with this text by a mapping with these words. */
static read_file read_text(const char *text, const char *words, bool right) {
  read_file r = {.arena = vd_arena_create(), .diag = vd_diag_create()};
  char path[] = "/tmp/vdsim-table-XXXXXX", yaml[600];
  int file = mkstemp(path);
  ssize_t written = file >= 0 ? write(file, text, strlen(text)) : -1;
  vd_kc_def def;
  vd_node *root = NULL;
  snprintf(yaml, sizeof yaml, "{tables: {file: %s%s}}", path, words);
  int source = vd_diag_add_source(r.diag, "test.yaml", yaml, strlen(yaml));
  if (written == (ssize_t)strlen(text) &&
      vd_schema_read_source(&vd_kc_schema, source, NULL, 0, r.arena, r.diag, &def, &root))
    r.good = vd_kc_read(&def, NAN, NAN, right, root, "", r.arena, r.diag, &r.tables);
  if (file >= 0)
    close(file);
  unlink(path);
  return r;
}

static void finish(read_file *r) {
  vd_diag_destroy(r->diag);
  vd_arena_destroy(r->arena);
}

/* Writes a grid over travel z and rack r, m: toe = 2 z - r + 10 z r, camber = 0.01 - z, rad; the rows are shuffled. */
static void grid_text(char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, "%s", german);
  for (int k = 0; k < 35; k++) {
    int i = k * 12 % 35; /* each row once, as 12 and 35 have no common factor */
    double z = -0.09 + 0.03 * (i % 7), r = -0.04 + 0.02 * (i / 7), degree = 180.0 / VD_PI;
    char line[120];
    snprintf(line, sizeof line, "%.9g;%.9g;%.12g;%.12g;7\n", 1e3 * z, 1e3 * r, degree * (2.0 * z - r + 10.0 * z * r),
             degree * (0.01 - z));
    for (char *p = line; *p; p++)
      *p = *p == '.' ? ',' : *p;
    length += (size_t)snprintf(text + length, size - length, "%s", line);
  }
}

static const char words[] = ", columns: {travel: Federweg, rack: Zahnstange, toe: {column: Spur, unit: deg}, camber: "
                            "Sturz}";

static void check_file(void) {
  char text[4000];
  grid_text(text, sizeof text);
  for (int right = 0; right < 2; right++) {
    read_file r = read_text(text, words, right);
    double worst = 0.0, slope = 0.0, sign = right ? -1.0 : 1.0; /* sign of the rack in the mirror image */
    for (double z = -0.09; r.good && z < 0.0901; z += 0.0045)
      for (double rack = -0.04; rack < 0.0401; rack += 0.004) {
        const double at[VD_TABLE_COORDINATES] = {z, rack};
        double by[VD_TABLE_COORDINATES];
        double toe = vd_wheel_tables_at(&r.tables, VD_TABLED_TOE, at, by);
        take(&worst, toe - (2.0 * z - sign * rack + sign * 10.0 * z * rack));
        take(&slope, by[0] - (2.0 + sign * 10.0 * rack));
        take(&slope, by[1] - sign * (10.0 * z - 1.0));
        take(&worst, vd_wheel_tables_at(&r.tables, VD_TABLED_CAMBER, at, by) + z);
      }
    tap_ok(r.good, "a grid in millimetres and degrees, with semicolons, decimal commas and shuffled rows, is read");
    tap_near(worst, 0.0, 1e-11, "toe and camber of a grid in mixed units are those of the file within %.1e", worst);
    tap_near(slope, 0.0, 1e-9, "slopes of a grid in mixed units are those of the file within %.1e", slope);
    tap_near(r.tables.camber, 0.01, 1e-11, "the camber at the design position is the file's");
    finish(&r);
  }
}

/* Computes a polynomial of the third degree in each of three coordinates, which splines through four or more places
 * reproduce exactly, with its derivatives; the rack of a right wheel has the other sign. */
static double cube_at(const double *at, int by) {
  double z = at[0], o = at[1], r = at[2];
  switch (by) {
  case 0: return 2.0 - 40.0 * z * o + 300.0 * z * z * r + 500.0 * o * r * r;
  case 1: return 1.5 - 20.0 * z * z + 600.0 * o * r + 500.0 * z * r * r;
  case 2: return -3.0 + 100.0 * z * z * z + 300.0 * o * o + 1000.0 * z * o * r + 3.0 * r * r;
  default: break;
  }
  return 2.0 * z + 1.5 * o - 3.0 * r - 20.0 * z * z * o + 100.0 * z * z * z * r + 300.0 * o * o * r +
         500.0 * z * o * r * r + r * r * r;
}

static void check_cube(void) {
  static char text[20000];
  size_t length = (size_t)snprintf(text, sizeof text, "rack,travel,other_travel,toe\n");
  for (int k = 0; k < 4 * 5 * 6; k++) { /* each row once, as 7 and 120 have no common factor */
    int i = 7 * k % 120, a = i % 4, b = i / 4 % 5, c = i / 20;
    const double at[] = {-0.05 + 0.03 * a + 0.002 * a * a, -0.06 + 0.03 * b, -0.08 + 0.04 * c - 0.001 * c * c};
    length += (size_t)snprintf(text + length, sizeof text - length, "%.15g,%.15g,%.15g,%.15g\n", at[2], at[0], at[1],
                               cube_at(at, -1));
  }
  for (int right = 0; right < 2; right++) {
    read_file r = read_text(text, "", right);
    double worst = 0.0, slope = 0.0, sign = right ? -1.0 : 1.0;
    for (int k = 0; r.good && k < 200; k++) {
      const double at[] = {0.05 * sin(k), 0.06 * sin(3.0 * k), 0.08 * sin(7.0 * k)},
                   seen[] = {at[0], at[1], sign * at[2]};
      double by[VD_TABLE_COORDINATES];
      take(&worst, vd_wheel_tables_at(&r.tables, VD_TABLED_TOE, at, by) - cube_at(seen, -1));
      for (int c = 0; c < VD_TABLE_COORDINATES; c++)
        take(&slope, by[c] - (c == 2 ? sign : 1.0) * cube_at(seen, c));
    }
    tap_ok(r.good && r.tables.joined, "a grid of both travels and the rack is read");
    tap_near(worst, 0.0, 1e-14, "toe on a grid of both travels and the rack is the file's polynomial within %.1e",
             worst);
    tap_near(slope, 0.0, 1e-12, "slopes on a grid of both travels and the rack are those of the polynomial within %.1e",
             slope);
    finish(&r);
  }
}

/* Checks the usual names with their units, as vdsim-kc-sweep writes them. */
static void check_names(void) {
  read_file r = read_text("travel_mm,toe_deg,camber_deg,half_track_change_mm,spring_length_mm\n"
                          "-50,0.5,1,-3,310\n0,0,0,0,300\n50,-0.5,-1,-2,280\n",
                          "", false);
  const double up[VD_TABLE_COORDINATES] = {0.05}, down[VD_TABLE_COORDINATES] = {-0.05};
  double by[VD_TABLE_COORDINATES];
  tap_ok(r.good, "a table with the usual names is read");
  double value[VD_TABLED], slopes[VD_TABLED][VD_TABLE_COORDINATES];
  bool same = true;
  vd_wheel_tables_all(&r.tables, up, value, slopes);
  for (int q = 0; q < VD_TABLED; q++)
    same &=
        value[q] == vd_wheel_tables_at(&r.tables, (enum vd_tabled)q, up, by) && memcmp(slopes[q], by, sizeof by) == 0;
  tap_ok(same && value[VD_TABLED_TOE] != 0.0,
         "all quantities at once have the values and slopes of each one, to the last bit");
  tap_near(vd_wheel_tables_at(&r.tables, VD_TABLED_TOE, up, by), -0.5 * VD_PI / 180.0, 1e-15, "toe is read in degrees");
  tap_near(vd_wheel_tables_at(&r.tables, VD_TABLED_Y, down, by), -0.003, 1e-15, "places are read in millimetres");
  tap_near(vd_wheel_tables_at(&r.tables, VD_TABLED_SPRING, up, by), -0.02, 1e-15,
           "the length of the spring is read in millimetres");
  finish(&r);
}

static void check_refused(const char *what, const char *text, const char *more, const char *expected) {
  read_file r = read_text(text, more, false);
  FILE *file = tmpfile();
  char line[2000] = "";
  if (file) {
    vd_diag_print(r.diag, file, false);
    rewind(file);
    size_t length = fread(line, 1, sizeof line - 1, file);
    line[length] = '\0';
    fclose(file);
  }
  tap_ok(!r.good && strstr(line, expected), "refused: %s", what);
  if (r.good || !strstr(line, expected))
    tap_diag("reported: %s", line);
  finish(&r);
}

static void check_refusals(void) {
  check_refused("a place twice", "travel_mm,toe_deg\n-50,1\n0,0\n0,0\n50,-1\n", "", "a second row at this place");
  check_refused("a hole in the grid", "travel_mm,rack_mm,toe_deg\n-50,0,1\n0,0,0\n50,0,1\n-50,10,1\n0,10,2\n", "",
                "the rows do not form a grid: there is no row at travel 0.05 m and rack 0.01 m");
  check_refused("no coordinate", "toe_deg\n1\n", "", "no column of travel or rack");
  check_refused("no quantity", "travel_mm,tow\n-50,1\n0,0\n50,1\n", "", "no column of toe");
  check_refused("metres that are millimetres", "travel,toe_deg\n-50,1\n0,0\n50,-1\n", "",
                "is the unit of the column right?");
  check_refused("degrees that are taken as radians", "travel_mm,toe\n-50,2.5\n0,0\n50,-2\n", "",
                "toe is 2.5 rad here, too much for a wheel");
  check_refused("only bump", "travel_mm,toe_deg\n0,1\n20,0\n50,-1\n", "", "on both sides of the design position");
  check_refused("a hole in a grid of three", "travel_mm,rack_mm,other_travel_mm,toe_deg\n-50,-9,3,1\n50,9,3,1\n", "",
                "there is no row at travel -0.05 m and other_travel 0.003 m and rack 0.009 m");
  vd_buf scattered = {0};
  vd_buf_printf(&scattered, "travel_mm,rack_mm,other_travel_mm,toe_deg\n");
  for (int i = 0; i < 9000; i++) /* a grid of 7e11 points, nearly all missing */
    vd_buf_printf(&scattered, "%.4f,%.4f,%.4f,1\n", 0.01 * i - 45.0, 0.01 * i - 45.0, 0.01 * i - 45.0);
  check_refused("rows that are all apart", scattered.text, "",
                "there is no row at travel -0.045 m and other_travel -0.045 m and rack -0.04499 m");
  vd_buf_finish(&scattered);
}

/* --- the map --- */

typedef struct matrix {
  double at[3][3];
} matrix;

static matrix product(matrix a, matrix b) {
  matrix p;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      p.at[i][j] = a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j] + a.at[i][2] * b.at[2][j];
  return p;
}

static matrix about(int axis, double angle) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  matrix m = {{{0.0}}};
  m.at[axis][axis] = 1.0;
  m.at[i][i] = m.at[j][j] = cos(angle);
  m.at[j][i] = sin(angle);
  m.at[i][j] = -sin(angle);
  return m;
}

/* Functions of the travel, with large angles. */
static double toe_at(double z) {
  return 0.05 + 3.0 * z - 4.0 * z * z;
}
static double camber_at(double z) {
  return -0.02 - 2.0 * z + 5.0 * z * z * z;
}
static double spin_at(double z) {
  return 2.0 * z + 7.0 * z * z;
}

/* Computes the attitude of the knuckle: toe-in turns a left wheel to the right, camber tilts its top outward, and spin
 * then turns it about its own axle. */
static matrix attitude(double z) {
  return product(product(about(2, -toe_at(z)), about(0, -camber_at(z))), about(1, spin_at(z)));
}

/* Compares the map's axle and the rotation about it with the attitude R: R' R^T = [w x], the axle is R y. Splines
 * through cubics are exact in the tables; the map's cubics with steps h of 5 mm have errors on the sines f of 5/384 h^4
 * f'''', 1e-9, and errors of the slopes of h^3/24 f'''', 1e-7 1/m. */
static void check_attitude(void) {
  char text[4000];
  size_t length = (size_t)snprintf(text, sizeof text, "travel,toe,camber,spin\n");
  for (int i = -12; i <= 12; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%.15g,%.15g,%.15g,%.15g\n", 0.01 * i,
                               toe_at(0.01 * i), camber_at(0.01 * i), spin_at(0.01 * i));
  read_file r = read_text(text, "", false);
  enum vd_map_status status = VD_MAP_SHORT;
  const vd_linkage_map *map = r.good ? vd_wheel_tables_map(&r.tables, &r.tables, 0.1, 0.0, r.arena, &status) : NULL;
  double axle = 0.0, turn = 0.0, h = 1e-5;
  for (double z = -0.0987; map && z < 0.099; z += 0.0031) {
    vd_corner_pose pose;
    matrix here = attitude(z), up = attitude(z + h), down = attitude(z - h);
    double w[3] = {0.0}, spin = 0.0;
    vd_linkage_map_at(map, z, 0.0, &pose);
    take(&axle, pose.value[VD_MAP_AXLE_X] - here.at[0][1]);
    take(&axle, pose.value[VD_MAP_AXLE_Z] - here.at[2][1]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        int a = (i + 2) % 3, b = (i + 1) % 3;
        w[i] += (up.at[a][k] - down.at[a][k]) / (2.0 * h) * here.at[b][k];
      }
    for (int i = 0; i < 3; i++)
      spin += w[i] * here.at[i][1];
    take(&turn, pose.value[VD_MAP_SPIN] - spin);
  }
  tap_ok(map && status == VD_MAP_OK, "tables over 120 mm are mapped over 100 mm");
  tap_near(axle, 0.0, 1e-8, "the axle has the direction that toe, camber and spin give it (%.1e)", axle);
  tap_near(turn, 0.0, 1e-6, "the rotation about the axle follows from the changes of toe, camber and spin (%.1e rad/m)",
           turn);
  finish(&r);
}

int main(void) {
  tap_plan(2 * 7 + 2 + 2 * 4 + 2 * 3 + 5 + 9 + 3);
  check_polynomials();
  check_smoothness();
  check_file();
  check_cube();
  check_names();
  check_refusals();
  check_attitude();
  return tap_done();
}
