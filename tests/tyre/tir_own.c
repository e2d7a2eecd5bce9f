/* Property files of Fiala, PAC89 and PAC94 (tests/good_adams): files in any units give the tyre of their formulas,
 * which models.c checks, on the side on which it is mounted. Messages are checked by the cases of each family. */
#include "input/schema.h"
#include "tap.h"
#include "tyre/tyre_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180.0;

/* Makes a tyre from its YAML text, which may name a file. */
static vd_tyre tyre_of(const char *yaml, bool right, vd_tyre_def *def) {
  static vd_arena *arena; /* the arena, which contains the load curves */
  vd_tyre_def own;
  vd_node *root;
  vd_tyre tyre;
  vd_diag *d = vd_diag_create();
  arena = arena ? arena : vd_arena_create();
  def = def ? def : &own;
  int source = vd_diag_add_source(d, "tyre.yaml", yaml, strlen(yaml));
  if (vd_schema_read_source(&vd_tyre_schema, source, NULL, 0, arena, d, def, &root)) {
    vd_tyre_complete(def, NULL, root, "", arena, d);
    vd_tyre_check(def, root, "", d);
  }
  if (vd_diag_errors(d) > 0) {
    vd_diag_print(d, stderr, false);
    abort();
  }
  vd_tyre_build(def, right, &tyre);
  vd_diag_destroy(d);
  return tyre;
}

static vd_tyre file_tyre(const char *name, bool right, vd_tyre_def *def) {
  char yaml[256];
  snprintf(yaml, sizeof yaml, "{model: %.5s, file: tests/good_adams/%s.tir}", name, name);
  return tyre_of(yaml, right, def);
}

static vd_tyre_answer at(const vd_tyre *tyre, double kappa, double alpha, double camber, double load) {
  vd_tyre_answer a;
  const vd_tyre_question q = {.kappa = kappa,
                              .tan_alpha = tan(alpha),
                              .vx = 20.0,
                              .camber = camber,
                              .ground_friction = 1.0,
                              .load = load,
                              .radius = 0.3};
  vd_tyre_ask(tyre, &q, &a);
  return a;
}

static double uniform(double lowest, double highest) {
  return lowest + (highest - lowest) * ((double)rand() / RAND_MAX);
}

/* Returns the largest difference of any force, moment or load, as a share of the load. `mirrored`: b is replaced by its
 * mirror image. */
static double difference(const vd_tyre *a, const vd_tyre *b, bool mirrored) {
  double worst = 0.0, m = mirrored ? -1.0 : 1.0;
  for (int i = 0; i < 500; i++) {
    double kappa = uniform(-0.8, 0.8), alpha = uniform(-0.6, 0.6), camber = uniform(-0.1, 0.1);
    double load = uniform(300.0, 9000.0), z = uniform(0.0, 0.05);
    vd_tyre_answer x = at(a, kappa, alpha, camber, load), y = at(b, kappa, m * alpha, m * camber, load);
    double d = fabs(x.fx - y.fx) + fabs(x.fy - m * y.fy) + fabs(x.mz - m * y.mz) + fabs(x.my - y.my) +
               fabs(vd_tyre_vertical(a, z).force - vd_tyre_vertical(b, z).force);
    worst = tap_max(worst, d / load);
  }
  return worst;
}

/* Checks that files of different forms give the same tyre as keys. CALPHA of 900 N per degree is 51566 N/rad. */
static void forms(void) {
  static const char plain[] =
      "{model: fiala, cornering_stiffness: 52 kN/rad, longitudinal_stiffness: 90 kN, friction: 1.05, "
      "sliding_friction: 0.85, width: 0.21, vertical_stiffness: 210 N/mm, rolling_resistance: 0.01}";
  static const char degrees[] =
      "{model: fiala, cornering_stiffness: 51566.20156177409, longitudinal_stiffness: 90 kN, friction: 1.05, "
      "sliding_friction: 0.85, width: 0.21, vertical_stiffness: 210 N/mm, rolling_resistance: 0.01}";
  static const char inches[] =
      "{model: fiala, cornering_stiffness: 52 kN/rad, longitudinal_stiffness: 90 kN, friction: 1.05, "
      "sliding_friction: 0.85, width: 0.2032, vertical_stiffness: 210 N/mm, rolling_resistance: 0.01}";
  static const char pac89[] =
      "{model: pac89, side: left, a: [1.6, -30, 1250, 1500, 7.5, 0.012, -0.2, 0.4, 0.02, -0.01, 0.03, 9, 4, -6], "
      "b: [1.55, -15, 1300, 40, 300, 0.08, -0.004, 0.05, 0.2, 0.01, 0.02], c: [2.2, -3.1, -2.6, -1.4, -3.1, 0.1, 0.01, "
      "-0.05, 0.6, -3.5, 0.03, 0.02, 0.01, -0.02, -0.05, 0.8, 0.4, -0.3], vertical_stiffness: 210 N/mm, "
      "lateral_stiffness: 160 N/mm, rolling_resistance: 0.011}";
  static const char pac94[] =
      "{model: pac94, side: left, a: [1.6, -30, 1250, 1500, 7.5, 0.012, -0.2, 0.4, -0.01, 0.03, 0.02, 4, -6, -0.3, 9, "
      "0.0004, 0.01, 0.06], b: [1.55, -15, 1300, 40, 300, 0.08, -0.004, 0.05, 0.2, 0.01, 0.02, 3, -5, -0.08], "
      "c: [2.2, -3.1, -2.6, -1.4, -3.1, 0.1, 0.01, -0.05, 0.6, -3.5, 0.03, 0.01, -0.02, 0.02, 0.4, -0.3, -0.05, 0.8, "
      "0.0008, 0.01, 0.05], vertical_stiffness: 210 N/mm, lateral_stiffness: 160 N/mm, rolling_resistance: 0.011}";
  static const struct {
    const char *name, *keys;
    double most; /* rounding of figures in other units */
  } same[] = {
      {"fiala_plain", plain, 0.0},        {"fiala_mm_degree", degrees, 1e-12}, {"fiala_kn_inch", inches, 1e-3},
      {"fiala_vendor", plain, 0.0},       {"fiala_units_missing", plain, 0.0}, {"fiala_format_missing", plain, 0.0},
      {"fiala_comments", plain, 0.0},     {"fiala_d_exponents", plain, 0.0},   {"fiala_cr_only", plain, 0.0},
      {"fiala_utf16", plain, 0.0},        {"fiala_lower_case", plain, 0.0},    {"fiala_blank", plain, 0.0},
      {"fiala_side", plain, 0.0},         {"pac89_plain", pac89, 0.0},         {"pac89_side_missing", pac89, 0.0},
      {"pac89_side_unknown", pac89, 0.0}, {"pac89_mm_kn", pac89, 1e-12},       {"pac89_vendor", pac89, 0.0},
      {"pac94_plain", pac94, 0.0},        {"pac94_side_missing", pac94, 0.0},  {"pac94_format_missing", pac94, 0.0}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    for (int right = 0; right < 2; right++) {
      vd_tyre file = file_tyre(same[i].name, right, NULL), keys = tyre_of(same[i].keys, right, NULL);
      double d = difference(&file, &keys, false);
      tap_ok(d <= same[i].most, "%s on the %s equals the tyre given by keys (%.1e)", same[i].name,
             right ? "right" : "left", d);
    }
}

/* Checks single figures of files by hand. */
static void figures(void) {
  vd_tyre_def def;
  file_tyre("fiala_mm_degree", false, &def);
  tap_near(def.as.fiala.cornering_stiffness, 900.0 / degree, 1e-9, "CALPHA in N per degree is converted to N per rad");
  tap_near(def.common.rolling_resistance, 3.2 / 320.0, 1e-15,
           "ROLLING_RESISTANCE of Fiala is a length, which is divided by the radius");
  tap_near(def.common.vertical_damping, 2400.0, 1e-9, "damping is converted from N s/mm");
  tap_near(def.common.relaxation_lateral, 0.48, 1e-15, "a relaxation length is converted from mm");
  file_tyre("pac89_mm_kn", false, &def);
  tap_near(def.common.rolling_resistance, 0.011, 0.0, "ROLLING_RESISTANCE of PAC89 is a ratio");
  tap_near(def.common.vertical_damping, 2400.0, 1e-9, "damping is converted from kN ms/mm");
  file_tyre("pac89_few", false, &def);
  tap_ok(def.as.pac.a.count == 5 && def.as.pac.b.count == 6 && def.as.pac.c.count == 10,
         "coefficients after the last one are ignored");
  file_tyre("fiala_short", false, &def);
  tap_ok(def.common.vertical_damping == 0.0 && def.common.relaxation_longitudinal == 0.15,
         "missing values have the defaults of the keys");
}

/* Checks sides. Without slip and camber, Fy of PAC94 is -(D sin(C atan(Bx - E (Bx - atan Bx))) + Sv) with x = Sh
 * (degrees); mounted on the right, a tyre that was measured on the left has opposite signs of Sh and Sv. The form of
 * 1989 has its shifts in another order. */
static void sides(void) {
  static const char *const names[] = {"pac89", "pac94"};
  for (int i = 0; i < 2; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s_plain", names[i]);
    vd_tyre left = file_tyre(name, false, NULL), right = file_tyre(name, true, NULL);
    double f = 4.0, sh = -0.01 * f + 0.03, sv = 4.0 * f - 6.0, d = (-30.0 * f + 1250.0) * f, c = 1.6;
    double b = 1500.0 * sin(2.0 * atan(f / 7.5)) / (c * d), e = (-0.2 * f + 0.4) * (1.0 - (i == 1 ? -0.06 : 0.0));
    double y = b * sh, of_slip = d * sin(c * atan(y - e * (y - atan(y))));
    /* the shift of Fx is a slip ratio, which reduces Fy by the friction ellipse (pac.c) */
    double p = 0.01 * (0.01 * f + 0.02), r = fabs(of_slip) / tan(fabs(sh) * degree) * p / ((-15.0 * f + 1300.0) * f);
    double fy = -(of_slip + sv) / sqrt(1.0 + r * r);
    tap_near(at(&left, 0.0, 0.0, 0.0, 4000.0).fy, fy, 1e-9 * fabs(fy),
             "%s: the side force without slip on the left is that by hand", names[i]);
    tap_near(at(&right, 0.0, 0.0, 0.0, 4000.0).fy, -fy, 1e-9 * fabs(fy),
             "%s: the side force without slip on the right is that by hand", names[i]);
    double mirror = difference(&left, &right, true), plain = difference(&left, &right, false);
    tap_ok(mirror <= 1e-12 && plain > 1e-3 && left.sided,
           "%s: left and right are mirror images (%.1e), and differ from each other (%.1e)", names[i], mirror, plain);
    snprintf(name, sizeof name, "%s_right", names[i]);
    vd_tyre other = file_tyre(name, true, NULL);
    tap_near(difference(&left, &other, false), 0.0, 0.0,
             "%s: a tyre measured on the right has the measured forces on the right", names[i]);
    snprintf(name, sizeof name, "%s_symmetric", names[i]);
    vd_tyre even = file_tyre(name, false, NULL), odd = file_tyre(name, true, NULL);
    tap_ok(difference(&even, &odd, false) == 0.0 && at(&even, 0.0, 0.0, 0.0, 4000.0).fy == 0.0 && !even.sided,
           "%s: a symmetric tyre has no side force without slip", names[i]);
  }
  vd_tyre none = file_tyre("pac89_no_shifts", false, NULL), same = file_tyre("pac89_no_shifts", true, NULL);
  tap_ok(difference(&none, &same, false) == 0.0 && !none.sided, "a tyre without shifts is the same on both sides");
  /* a3 < 0: slip angles have the opposite sign */
  vd_tyre sae = file_tyre("pac94_sae", false, NULL);
  tap_ok(at(&sae, 0.0, 0.05, 0.0, 4000.0).fy < -1000.0, "the force of a tyre with BCD < 0 also opposes its slip");
}

/* Checks that the load curve goes through its points, that the vertical stiffness is its slope at half of its last
 * load, and that its steepest slope is known. */
static void curves(void) {
  static const double x[] = {0.0, 0.01, 0.02, 0.03, 0.04}, y[] = {0.0, 1700.0, 3900.0, 6500.0, 9600.0};
  static const char *const names[] = {"fiala_curve", "fiala_curve_later", "pac94_curve"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    vd_tyre_def def;
    vd_tyre tyre = file_tyre(names[k], false, &def);
    double worst = 0.0;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
      worst = tap_max(worst, fabs(vd_tyre_vertical(&tyre, x[i]).force - y[i]));
    tap_ok(worst <= 1e-9 && vd_tyre_curved(&tyre), "%s: the load goes through the points", names[k]);
    double middle = vd_tyre_vertical(&tyre, vd_tyre_vertical_deflection(&tyre, 4800.0)).slope;
    tap_near(def.common.vertical_stiffness, middle, 1e-6,
             "%s: the vertical stiffness is the slope at half of the curve's last load", names[k]);
    tap_ok(def.common.vertical_steepest >= 310e3 && def.common.vertical_steepest < 400e3,
           "%s: the steepest slope is known, %g N/m", names[k], def.common.vertical_steepest);
  }
  vd_tyre linear =
      tyre_of("{model: linear, cornering_stiffness: 60 kN/rad, load_curve: [[0, 0], [10 mm, 2 kN], [20 mm, 5 kN]]}",
              false, NULL);
  tap_near(vd_tyre_vertical(&linear, 0.02).force, 5000.0, 1e-9, "a tyre file of any model may have a load curve");
}

int main(void) {
  tap_plan(72);
  tap_unpack("good_adams");
  forms();
  figures();
  sides();
  curves();
  return tap_done();
}
