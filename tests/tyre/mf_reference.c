/* The Magic Formula: independent results to the last printed digit, published curves, and its kernels. */
#include "tap.h"
#include "tyre_files.h"

#include <math.h>
#include <string.h>

/* Reads the numbers of a CSV row from column `first` on and returns their number; columns before it may be text. */
static int row_numbers(char *line, int first, double *value, int most) {
  char *at = line;
  int count = 0;
  for (int i = 0; i < first; i++)
    at = strchr(at, ',') + 1;
  while (count < most) {
    char *end;
    value[count] = strtod(at, &end);
    if (end == at)
      break;
    count++;
    if (*end != ',')
      break;
    at = end + 1;
  }
  return count;
}

static FILE *open_table(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    abort();
  return f;
}

/* ---- References ------------------------------------------------------------------------------ */

static void reference(void) {
  static const char *const names[] = {"Fx, N", "Fy, N", "Mx, N m", "My, N m", "Mz, N m", "trail, m", "Mzr, N m"};
  const vd_mf m = load_mf("scenarios/tyres/synthetic_mf61.tir", VD_MF_LEFT);
  FILE *f = open_table("validation/data/tyre/synthetic_mf61_reference.csv");
  char line[512];
  double v[13], worst[7] = {0};
  int rows = 0;
  while (fgets(line, sizeof line, f)) {
    if (row_numbers(line, 0, v, 13) != 13)
      continue;
    rows++;
    vd_mf_output o = forces_of(&m, (vd_mf_input){v[0], v[1], tan(v[2]), v[3], v[4], v[5], 1.0, 0.0, 0.0});
    const double got[] = {o.fx, o.fy, o.mx, o.my, o.mz, o.trail, o.residual};
    for (int i = 0; i < 7; i++)
      worst[i] = tap_max(worst[i], fabs(got[i] - v[6 + i]));
  }
  fclose(f);
  tap_ok(rows == 891, "reference: %d rows of an independent implementation are read", rows);
  for (int i = 0; i < 7; i++)
    tap_near(worst[i], 0.0, i < 2 ? 1e-8 : 1e-9, "reference: %s: the library agrees", names[i]);
}

/* Returns the curve of Bakker, Nyborg, Pacejka, SAE 870421 (1987), with its published a1..a8. Fz in kN, slip in deg or
 * percent. */
static double published(char channel, double fz, double slip) {
  static const double fx[] = {-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486};
  static const double fy[] = {-22.1, 1011, 1078, 1.82, 0.208, 0, -0.354, 0.707};
  static const double mz[] = {-2.72, -2.28, -1.86, -2.73, 0.110, -0.070, 0.643, -4.04};
  const double *a = channel == 'x' ? fx : channel == 'y' ? fy : mz;
  double c = channel == 'x' ? 1.65 : channel == 'y' ? 1.30 : 2.40, d = (a[0] * fz + a[1]) * fz;
  double bcd =
      channel == 'y' ? a[2] * vd_lane_sin(a[3] * vd_lane_atan(a[4] * fz)) : (a[2] * fz + a[3]) * fz / exp(a[4] * fz);
  double e = (a[5] * fz + a[6]) * fz + a[7], x = bcd / (c * d) * slip;
  return d * vd_lane_sin_near(c * vd_lane_atan(x - e * (x - vd_lane_atan(x))));
}

static void sae_1987(void) {
  FILE *f = open_table("validation/data/tyre/sae870421_reference.csv");
  char line[1024];
  double v[7], worst = 0.0;
  int rows = 0;
  while (fgets(line, sizeof line, f)) {
    bool data = strncmp(line, "Fx_", 3) == 0 || strncmp(line, "Fy_", 3) == 0 || strncmp(line, "Mz_", 3) == 0;
    if (!data || row_numbers(line, 1, v, 7) != 7)
      continue;
    rows++;
    worst = tap_max(worst, fabs(published(line[1], v[0], v[1]) - v[6]) / fabs(v[6]));
  }
  fclose(f);
  tap_ok(rows == 112, "SAE 870421: %d rows are read", rows);
  tap_near(worst, 0.0, 1e-11, "SAE 870421: the table is the curve with its published coefficients, relative");
}

/* Compares rows of another program's tyre rig, which computes pure forces and Fy at the slip angle of the tread, and
 * adds 0.1 to B and to speeds. */
static void pac02(void) {
  const vd_mf m = load_mf("validation/data/tyre/pac2002_sample.tir", VD_MF_LEFT);
  FILE *f = open_table("validation/data/tyre/pac02_reference.csv");
  char line[512];
  double v[7], worst_x = 0.0, worst_y = 0.0;
  int rows = 0;
  while (fgets(line, sizeof line, f)) {
    if (row_numbers(line, 0, v, 7) != 7)
      continue;
    rows++;
    vd_mf_output o =
        forces_of(&m, (vd_mf_input){v[0], v[1], tan(v[2]) / (1.0 + v[1]), v[3], m.pressure, 16.0, 1.0, 0.0, 0.0});
    worst_x = tap_max(worst_x, fabs(o.fx - v[4]) / tap_max(fabs(v[4]), 20.0));
    worst_y = tap_max(worst_y, fabs(o.fy - v[5]) / tap_max(fabs(v[5]), 20.0));
  }
  fclose(f);
  tap_ok(rows == 147, "PAC2002: %d rows are read", rows);
  tap_near(worst_x, 0.0, 0.02, "PAC2002: Fx agrees, relative, or to 20 N");
  tap_near(worst_y, 0.0, 0.005, "PAC2002: Fy agrees, relative, or to 20 N");
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static double first(vd_wide v) {
  return v[0];
}

/* Checks the kernels with single numbers and with four numbers at a time. */
static void kernels(void) {
  double worst_atan = 0.0, worst_sin = 0.0, worst_near = 0.0, worst_exp = 0.0, worst_log = 0.0;
  int different = 0;
  for (int i = 0; i < 400000; i++) {
    double x = uniform(-1.0, 1.0) * pow(10.0, uniform(-8.0, 8.0)), y = uniform(-4.7, 4.7), z = uniform(-1e3, 1e3);
    vd_wide ex = vd_wide_exp(vd_wide_of(0.7 * z)), log_x = vd_wide_log(vd_wide_of(fabs(x)));
    worst_atan = tap_max(worst_atan, fabs(vd_lane_atan(x) - atan(x)) / tap_max(fabs(atan(x)), 1e-300));
    worst_near = tap_max(worst_near, fabs(vd_lane_sin_near(y) - sin(y)));
    worst_sin = tap_max(worst_sin, fabs(vd_lane_sin(z) - sin(z)));
    worst_exp = tap_max(worst_exp, fabs(ex[0] / exp(0.7 * z) - 1.0));
    worst_log = tap_max(worst_log, fabs(log_x[0] - log(fabs(x))) / (1.0 + fabs(log(fabs(x)))));
    different += first(vd_wide_atan(vd_wide_of(x))) != vd_lane_atan(x) ||
                 first(vd_wide_sin(vd_wide_of(z))) != vd_lane_sin(z) ||
                 first(vd_wide_sin_near(vd_wide_of(y))) != vd_lane_sin_near(y);
  }
  tap_near(worst_atan, 0.0, 5e-16, "the arc tangent agrees with libm, relative");
  tap_near(worst_near, 0.0, 6e-16, "the sine near zero agrees with libm");
  tap_near(worst_sin, 0.0, 6e-16, "the sine agrees with libm");
  tap_near(worst_exp, 0.0, 6e-16, "the exponential function agrees with libm, relative");
  tap_near(worst_log, 0.0, 4e-16, "the logarithm agrees with libm");
  tap_ok(vd_lane_atan(0.0) == 0.0 && vd_lane_sin(0.0) == 0.0 && vd_lane_sin_near(0.0) == 0.0 &&
             vd_lane_cos(0.0) == 1.0 && vd_lane_atan(1e300) == atan(1e300) &&
             vd_lane_atan(-0.3) == -vd_lane_atan(0.3) && first(vd_wide_exp(vd_wide_of(0.0))) == 1.0 &&
             first(vd_wide_log(vd_wide_of(1.0))) == 0.0,
         "kernels: values at zero and at great arguments are exact, and the arc tangent is odd");
  tap_ok(different == 0, "functions of four numbers at a time equal those of one to the last bit (%d differ)",
         different);
}

int main(void) {
  srand(1);
  tap_plan(8 + 2 + 3 + 7);
  reference();
  sae_1987();
  pac02();
  kernels();
  return tap_done();
}
