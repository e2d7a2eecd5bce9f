/* Property files as suppliers send them (tests/good_tir): the same tyre in every form; additional terms of a form are
 * compared with its formula. tests/good_tir/mf.cases has the messages of each file. */
#include "tap.h"
#include "tyre_files.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double fnomin = 4100.0, radius = 0.312, stiffness = 205000.0;

static vd_mf_def load_as(const char *name, bool strict, char **words) {
  vd_mf_def def;
  char path[512];
  size_t size;
  FILE *f = open_memstream(words, &size);
  vd_diag *d = vd_diag_create();
  if (!f)
    abort();
  snprintf(path, sizeof path, "tests/good_tir/%s.tir", name);
  vd_diag_set_strict(d, strict);
  if (!vd_tir_read(path, (vd_place){.source = -1}, d, &def))
    def.fittyp = NAN;
  vd_diag_print(d, f, false);
  vd_diag_destroy(d);
  fclose(f);
  return def;
}

static vd_mf_def load(const char *name) {
  char *words;
  vd_mf_def def = load_as(name, false, &words);
  if (isnan(def.fittyp))
    tap_diag("%s", words);
  free(words);
  return def;
}

/* Returns the largest difference of any force or moment, relative to load or load times radius. */
static double difference(const vd_mf_def *a_def, const vd_mf_def *b_def) {
  vd_mf a, b;
  double worst = 0.0;
  vd_mf_build(a_def, VD_MF_RIGHT, &a);
  vd_mf_build(b_def, VD_MF_RIGHT, &b);
  for (int i = 0; i < 500; i++) {
    const vd_mf_input in = {uniform(500.0, 8000.0),
                            uniform(-0.5, 0.5),
                            uniform(-0.6, 0.6),
                            uniform(-0.1, 0.1),
                            a.pressure,
                            uniform(-30.0, 30.0),
                            1.0,
                            uniform(-3.0, 3.0),
                            uniform(0.0, 4.0)};
    vd_mf_output x, y;
    vd_mf_forces(&a, &in, &x);
    vd_mf_forces(&b, &in, &y);
    double forces = fabs(x.fx - y.fx) + fabs(x.fy - y.fy),
           moments = fabs(x.mx - y.mx) + fabs(x.my - y.my) + fabs(x.mz - y.mz);
    double both = (forces + moments / radius) / in.load;
    worst = tap_max(worst, both);
    const vd_mf_vertical v = {.pressure = a.pressure, .omega = 30.0};
    double z = uniform(0.0, 0.05), loads = fabs(vd_mf_load(&a, &v, z) - vd_mf_load(&b, &v, z)) / fnomin;
    worst = tap_max(worst, loads);
  }
  return worst;
}

/* Checks that files of different forms give the same tyre. A change of sign has no rounding; figures in other units are
 * rounded to their digits. */
static void forms(void) {
  static const struct {
    const char *name;
    double most;
  } same[] = {{"pac2002_fittyp_61", 0.0},
              {"side_missing", 0.0},
              {"side_unknown", 0.0},
              {"side_blank", 0.0},
              {"negative_pdy1", 0.0},
              {"adapted_sae", 0.0},
              {"unquoted_units", 0.0},
              {"d_exponents", 0.0},
              {"comments", 0.0},
              {"vendor_section", 0.0},
              {"header_and_shape", 0.0},
              {"bottoming", 0.0},
              {"units_missing", 0.0},
              {"units_partly", 0.0},
              {"utf16_le", 0.0},
              {"utf16_be", 0.0},
              {"cr_only", 0.0},
              {"crlf_bom", 0.0},
              {"latin_1", 0.0},
              {"fittyp_5", 0.0},
              {"fittyp_6", 0.0},
              {"fittyp_21", 0.0},
              {"fittyp_51", 0.0},
              {"fittyp_52", 0.0},
              {"mf_05", 0.0},
              {"mf_05_no_fittyp", 0.0},
              {"user_format", 0.0},
              {"units_mm_kn", 1e-12},
              {"units_inch_lbf", 1e-5}};
  const vd_mf_def def = load("pac2002");
  for (size_t i = 0; i < VD_COUNT(same); i++) {
    vd_mf_def other = load(same[i].name);
    tap_near(difference(&def, &other), 0.0, same[i].most, "%s has the forces of pac2002", same[i].name);
  }
  vd_mf_def six = load("fittyp_60"), one = load("fittyp_61"), two = load("fittyp_62");
  tap_ok(difference(&six, &one) == 0.0 && difference(&one, &two) == 0.0 && difference(&def, &one) > 1e-3,
         "with these coefficients FITTYP 60, 61 and 62 have equal forces, which differ from those of 5.2");
}

/* --- the Magic Formula at zero camber and zero kappa, from the figures of the files --- */

static double pure_side(double k, double mu, double sv, double fz, double alpha) {
  double d = mu * fz, c = 1.33, b = k / (c * d), x = alpha + 0.0015, e = -0.6, y = b * x;
  return d * sin(c * atan(y - e * (y - atan(y)))) + sv * fz;
}

static void signs(void) {
  vd_mf_def negative = load("negative_pdy1"), book = load("adapted_sae");
  vd_mf n, b;
  double worst = 0.0;
  vd_mf_build(&negative, VD_MF_LEFT, &n);
  vd_mf_build(&book, VD_MF_LEFT, &b);
  for (double fz = 1000.0; fz < 9000.0; fz += 1000.0) {
    double u = fz / fnomin, sine = sin(2.0 * atan(u / 1.8));
    for (double alpha = -0.3; alpha < 0.31; alpha += 0.05) {
      const vd_mf_input in = {.load = fz, .tan_alpha = tan(alpha), .vx = 16.7, .friction = 1.0};
      vd_mf_output o;
      /* 5.2 evaluates tan alpha as the slip */
      vd_mf_forces(&n, &in, &o);
      worst = tap_max(worst,
                      fabs(o.fy - pure_side(-17.5 * fnomin * sine, -0.98 + 0.11 * (u - 1.0), 0.012, fz, tan(alpha))));
      vd_mf_forces(&b, &in, &o);
      worst =
          tap_max(worst, fabs(o.fy + pure_side(17.5 * fnomin * sine, 0.98 - 0.11 * (u - 1.0), -0.012, fz, tan(alpha))));
    }
  }
  tap_ok(worst <= 1e-9, "PDY1 < 0 is the formula with D < 0, and PKY1 > 0 is the formula with y to the right (%.1e N)",
         worst);
}

/* Checks the effects of pressure by Besselink (2010), which Adams uses with dpi = (IP - IP_NOM)/IP_NOM. */
static void pressure(void) {
  static const struct {
    const char *name;
    double dp;
  } files[] = {{"adams_pressure", 40.0 / 220.0}, {"adams_pressure_psi", 4.0 / 32.0}};
  for (size_t i = 0; i < VD_COUNT(files); i++) {
    vd_mf_def def = load(files[i].name);
    double dp = files[i].dp, k;
    vd_mf m;
    vd_mf_stiffness slope;
    vd_mf_peaks peaks;
    vd_mf_build(&def, VD_MF_LEFT, &m);
    const vd_mf_input in = {.load = fnomin, .pressure = m.pressure, .friction = 1.0};
    vd_mf_slopes(&m, &in, &slope);
    vd_mf_find_peaks(&m, &in, &peaks);
    const vd_mf_vertical still = {.pressure = m.pressure};
    vd_mf_deflection(&m, &still, fnomin, &k);
    double cornering = 17.5 * fnomin * (1.0 - 0.5 * dp) * sin(2.0 * atan(1.0 / (1.8 * (1.0 - 0.1 * dp))));
    tap_near(slope.slip / (21.5 * fnomin * (1.0 - 0.3 * dp)), 1.0, 1e-12,
             "%s: the slip stiffness depends on pressure as by hand", files[i].name);
    tap_near(slope.cornering / cornering, 1.0, 1e-12, "%s: the cornering stiffness depends on pressure as by hand",
             files[i].name);
    tap_near(peaks.drive.mu, 1.06 * (1.0 - 0.1 * dp), 1e-12, "%s: the friction along depends on pressure as by hand",
             files[i].name);
    tap_near(peaks.right.mu + peaks.left.mu, 2.0 * 0.98 * (1.0 - 0.15 * dp + 0.1 * dp * dp), 1e-12,
             "%s: the friction across, the mean of both sides, depends on pressure as by hand", files[i].name);
    tap_near(k / (stiffness * (1.0 + 0.7 * dp)), 1.0, 1e-6, "%s: the vertical stiffness depends on pressure as by hand",
             files[i].name);
  }
  vd_mf_def plain = load("adams_pressure"), scaled = load("adams_scales");
  tap_ok(fabs(scaled.inflpres - 2.64e5) < 1e-6 && fabs(scaled.nompres - 2.2e5) < 1e-6, "LIP scales the pressure");
  tap_ok(scaled.vertical_stiffness == 0.9 * plain.vertical_stiffness, "LCZ scales the vertical stiffness");
  tap_ok(scaled.phy3 == 0.8 * plain.phy3 && scaled.pvy3 == 0.8 * plain.pvy3, "LKG scales the coefficients of camber");
}

/* Checks the rolling moment. In Adams it is proportional to the load times the load to the power of QSY7; without QSY1
 * and QSY2 there is no moment. */
static void rolling(void) {
  vd_mf_def def = load("pac2002");
  vd_mf_output o;
  vd_mf m;
  const vd_mf_input in = {.load = 2.0 * fnomin, .vx = 16.7, .friction = 1.0};
  def.qsy7 = 0.5;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_forces(&m, &in, &o);
  tap_near(o.my / (-radius * 2.0 * fnomin * 0.009 * sqrt(2.0)), 1.0, 1e-12,
           "PAC2002: My is proportional to Fz (Fz/Fz0)^QSY7");
  def.qsy1 = 0.0;
  def.phx1 = 0.01;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_forces(&m, &in, &o);
  tap_near(o.my, 0.0, 0.0, "PAC2002: shifts give no rolling moment");
  double along, across;
  def.ptx1 = 2.0;
  def.ptx3 = 0.5;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_relaxation(&m, &in, &along, &across);
  tap_near(along / (2.0 * radius * 2.0 * exp(0.5)), 1.0, 1e-12, "PAC2002: sigma_x is R0 Fz/Fz0 PTX1 exp(PTX3 dfz)");
}

/* --- the load curve --- */

static void curve(void) {
  static const double x[] = {0.0, 0.005, 0.01, 0.02, 0.03, 0.04}, y[] = {0.0, 800.0, 1750.0, 4000.0, 6700.0, 9900.0};
  static const char *const names[] = {"load_curve", "load_curve_subblock", "load_curve_other_name"};
  for (size_t k = 0; k < VD_COUNT(names); k++) {
    vd_mf_def def = load(names[k]);
    vd_mf m;
    double worst = 0.0;
    vd_mf_build(&def, VD_MF_LEFT, &m);
    const vd_mf_vertical still = {.pressure = m.pressure};
    for (size_t i = 0; i < VD_COUNT(x); i++)
      worst = tap_max(worst, fabs(vd_mf_load(&m, &still, x[i]) - y[i]));
    tap_ok(worst <= 1e-9, "%s: the load goes through the points", names[k]);
  }
  /* the parabola y = 5e6 x^2 + 1e5 x is exact between its points, and its energy is the integral */
  vd_mf_points points = {.count = 11};
  vd_curve built;
  for (int i = 0; i <= 10; i++) {
    double at = 0.004 * i;
    points.xy[2 * i] = at;
    points.xy[2 * i + 1] = (5e6 * at + 1e5) * at;
  }
  vd_load_curve_build(vd_mf_points_list(&points), &built);
  double force = 0.0, slope = 0.0, energy = 0.0, back = 0.0;
  for (double at = 0.0; at < 0.04; at += 0.00037) {
    vd_load_point p = vd_load_curve_at(&built, at);
    force = tap_max(force, fabs(p.force - (5e6 * at + 1e5) * at));
    slope = tap_max(slope, fabs(p.slope - (1e7 * at + 1e5)));
    energy = tap_max(energy, fabs(p.energy - (5e6 / 3.0 * at + 5e4) * at * at));
    back = tap_max(back, fabs(vd_load_curve_deflection(&built, p.force) - at));
  }
  tap_ok(force <= 1e-8 && slope <= 1e-5 && energy <= 1e-10 && back <= 1e-12,
         "a parabola is reproduced: force %.1e N, slope %.1e N/m, energy %.1e J, deflection %.1e m", force, slope,
         energy, back);
  vd_load_point end = vd_load_curve_at(&built, 0.04), far = vd_load_curve_at(&built, 0.05);
  tap_near(far.force - end.force, 0.01 * end.slope, 1e-8, "beyond the last point the curve continues straight");
  tap_near(far.energy - end.energy, 0.01 * 0.5 * (far.force + end.force), 1e-9,
           "beyond the last point the energy of the curve also continues");
  tap_near(vd_curve_steepest(&built), 5e5, 1e-4, "the greatest slope of the load is the slope at the end of the curve");
  tap_near(vd_load_curve_at(&built, -0.01).force, 0.0, 0.0, "a tyre without deflection has no load");
}

/* --- every file --- */

/* Checks that every file, written, read and written again, has the same bytes, without assumptions. */
static void every(void) {
  DIR *folder = opendir("tests/good_tir");
  int count = 0, again = 0;
  for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
    char name[256];
    size_t length = strlen(e->d_name);
    if (length < 4 || length >= sizeof name || strcmp(e->d_name + length - 4, ".tir") != 0)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), e->d_name);
    vd_mf_def def = load(name), back;
    vd_buf first = {0}, second = {0};
    vd_tir_write(&def, &first);
    vd_diag *d = vd_diag_create();
    vd_diag_set_strict(d, true);
    bool good = vd_tir_read_source(vd_diag_add_source(d, "t.tir", first.text, first.length), d, &back);
    vd_tir_write(&back, &second);
    bool same = good && strcmp(first.text, second.text) == 0 && vd_diag_count(d) == 0 && difference(&def, &back) == 0.0;
    if (!same)
      tap_diag("%s differs after writing", name);
    again += same;
    vd_diag_destroy(d);
    vd_buf_finish(&first);
    vd_buf_finish(&second);
    count++;
  }
  if (folder)
    closedir(folder);
  tap_ok(count > 40 && again == count,
         "each of %d files is written and read again as the same tyre, without assumptions", count);
}

/* Checks that each assumption is an error at its place if messages are strict. */
static void strict(void) {
  static const char *const words[][2] = {
      {"side_unknown", "tests/good_tir/side_unknown.tir:11:13: error: the file does not give this: TYRESIDE = 'LEFT'"},
      {"side_missing",
       "tests/good_tir/side_missing.tir: error: the file does not give this: TYRESIDE = 'LEFT' (not given)"},
      {"blank_values", "tests/good_tir/blank_values.tir:27:1: error: the file does not give this: PDX2"},
      {"negative_pdy1", ":37:8: error: the file does not give this: PDY1 < 0"},
      {"adapted_sae", ":40:8: error: the file does not give this: adapted SAE axes"},
      {"fittyp_52", ":9:10: error: the file does not give this: MF 5.2"},
      {"pac2002_fittyp_61", ":14:10: error: the file does not give this: PAC2002"},
      {"units_missing", ": error: the file does not give this: SI units"},
      {"load_curve_subblock", ":25:1: error: the file does not give this: zero load at zero deflection"},
      {"short", ": error: the file does not give this: USE_MODE = 4"},
  };
  for (size_t i = 0; i < VD_COUNT(words); i++) {
    char *messages;
    vd_mf_def def = load_as(words[i][0], true, &messages);
    bool found = isnan(def.fittyp) && strstr(messages, words[i][1]);
    if (!found)
      tap_diag("%s", messages);
    tap_ok(found, "strict: %s is refused", words[i][0]);
    free(messages);
  }
}

int main(void) {
  srand(1);
  tap_unpack("good_tir");
  tap_plan(29 + 1 + 1 + 2 * 5 + 3 + 3 + 3 + 5 + 1 + 10);
  forms();
  signs();
  pressure();
  rolling();
  curve();
  every();
  strict();
  return tap_done();
}
