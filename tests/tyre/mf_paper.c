/* Tests of the second implementation of the Magic Formula (common/mf_paper.h): compared with tables of other programs,
 * with theory, and with tables made by this implementation, validation/data/tyre/paper_*.csv, which must be up to date.
 * With the argument --write the test writes these tables. */
#include "tap.h"
#include "mf_paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA "validation/data/tyre/"

static struct mf_paper tyre_of(const char *path) {
  struct mf_paper tyre;
  if (!mf_paper_read(&tyre, path)) {
    tap_diag("cannot read %s", path);
    abort();
  }
  return tyre;
}

/* Reads the next line: exactly n numbers, separated by commas. */
static bool next_row(FILE *f, double *x, int n) {
  char line[2048], *p = line;
  if (!fgets(line, sizeof line, f))
    return false;
  for (int i = 0; i < n; i++, p++) {
    char *end;
    x[i] = strtod(p, &end);
    if (end == p || *end != (i + 1 < n ? ',' : '\n'))
      return false;
    p = end;
  }
  return true;
}

static FILE *open_table(const char *path) {
  FILE *f = fopen(path, "r");
  char head[2048];
  if (!f || !fgets(head, sizeof head, f)) {
    tap_diag("cannot read %s", path);
    abort();
  }
  return f;
}

/* ---- tables of other programs ---- */

/* Compares with a table of another program, printed to twelve digits. Small figures are differences of large ones,
 * hence the 1e-3 beside them. */
static void other_implementation(void) {
  struct mf_paper tyre = tyre_of("scenarios/tyres/synthetic_mf61.tir");
  FILE *f = open_table(DATA "synthetic_mf61_reference.csv");
  double r[13], worst = 0.0;
  int rows = 0;
  while (next_row(f, r, 13)) {
    struct mf_paper_point at = {.fz = r[0], .kappa = r[1], .alpha = r[2], .gamma = r[3], .pressure = r[4], .vx = r[5]};
    struct mf_paper_figures o = mf_paper_compute(&tyre, (struct mf_paper_mode){0}, &at);
    double got[7] = {o.fx, o.fy, o.mx, o.my, o.mz, o.trail, o.residual};
    for (int i = 0; i < 7; i++) {
      double off = fabs(got[i] - r[6 + i]) / (fabs(r[6 + i]) + 1e-3);
      worst = tap_max(worst, off);
    }
    rows++;
  }
  fclose(f);
  tap_ok(rows == 891, "891 rows of another implementation of 6.1 are read: %d", rows);
  tap_near(worst, 0.0, 5e-11, "rows of another implementation of 6.1 are equal to the digits printed, %.2g", worst);
}

/* Chrono adds 0.1 m/s to the speed that divides slip speeds, on its rig 5.24 m/s: its Fx belongs to kappa/1.0191. Its
 * Fy belongs to the slip angle of the tread, atan(tan(alpha)/(1 + kappa)); PAC2002 uses this angle, not its tangent. */
static void other_program(void) {
  struct mf_paper tyre = tyre_of(DATA "pac2002_sample.tir");
  FILE *f = open_table(DATA "pac02_reference.csv");
  double r[7], worst_x = 0.0, worst_y = 0.0;
  int rows = 0;
  while (next_row(f, r, 7)) {
    struct mf_paper_point at = {.fz = r[0], .kappa = r[1] / 1.0191, .vx = 16.0};
    double fx = mf_paper_compute(&tyre, (struct mf_paper_mode){0}, &at).fx;
    at.kappa = 0.0;
    at.alpha = atan(tan(r[2]) / (1.0 + r[1]));
    double fy = mf_paper_compute(&tyre, (struct mf_paper_mode){.plain_angles = true}, &at).fy;
    double x = fabs(fx - r[4]) / r[0], y = fabs(fy - r[5]) / (0.005 * fabs(r[5]) + 0.1);
    worst_x = tap_max(worst_x, x);
    worst_y = tap_max(worst_y, y);
    rows++;
  }
  fclose(f);
  tap_ok(rows == 147, "147 rows of Chrono's PAC2002 are read: %d", rows);
  tap_near(worst_x, 0.0, 2e-4, "Fx agrees with Chrono's PAC2002, relative to Fz: %.2g", worst_x);
  tap_ok(worst_y <= 1.0, "Fy agrees with Chrono's PAC2002, relative to 0.5 %% and 0.1 N: %.2g", worst_y);
}

/* ---- theory ---- */

/* Returns the tyre without shifts: the slopes of its forces at the origin are then the stiffnesses. */
static struct mf_paper straightened(const char *path) {
  static const char *const shifts[] = {"PHX1", "PHX2", "PVX1", "PVX2", "PHY1", "PHY2", "PVY1", "PVY2",
                                       "RHX1", "RHY1", "RHY2", "QDZ6", "QDZ7", "QHZ1", "QHZ2"};
  struct mf_paper tyre = tyre_of(path);
  for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++)
    mf_paper_set(&tyre, shifts[i], 0.0);
  return tyre;
}

static void stiffnesses(const char *path) {
  struct mf_paper tyre = straightened(path);
  struct mf_paper_point at = {.fz = 0.8 * mf_paper_get(&tyre, "FNOMIN"), .vx = 20.0};
  struct mf_paper_figures o = mf_paper_compute(&tyre, (struct mf_paper_mode){0}, &at);
  /* E depends on the sign of the slip. Its term is of third order, so a difference over h changes the slope by h^2 */
  tap_near(o.dfx_dkappa / o.slip_stiffness, 1.0, 1e-5, "%s: dFx/dkappa at zero slip is the slip stiffness", path);
  tap_near(o.dfy_dalpha / o.cornering, 1.0, 1e-5, "%s: dFy/dalpha at zero slip is the cornering stiffness", path);
  tap_near(o.dfy_dgamma / o.camber, 1.0, 2e-4, "%s: dFy/dgamma at zero slip is the camber stiffness", path);
  tap_near(o.fy, 0.0, 1e-9, "%s: without shifts there is no side force", path);
}

/* Checks that the force by camber is the same with turn slip, where camber is a part of the spin (4.89), as without,
 * apart from the radii, and that the moment opposes the turn slip. */
static void spin(const char *path) {
  struct mf_paper tyre = straightened(path);
  double fz0 = mf_paper_get(&tyre, "FNOMIN");
  struct mf_paper_mode turning = {.turn_slip = true};
  struct mf_paper_point at = {.fz = fz0, .gamma = 2e-4, .vx = 20.0};
  /* camber gamma is a spin of (1 - eps) omega/v gamma with omega = v/re, so the force is R0/re times that without */
  struct mf_paper_figures o = mf_paper_compute(&tyre, (struct mf_paper_mode){0}, &at);
  struct mf_paper_figures t = mf_paper_compute(&tyre, turning, &at);
  double r0 = mf_paper_get(&tyre, "UNLOADED_RADIUS");
  tap_near(t.fy / (o.fy * r0 / o.re), 1.0, 1e-3, "%s: camber as a spin causes the camber force, times R0/re", path);
  at.gamma = 0.0;
  at.curvature = 1e-4;
  t = mf_paper_compute(&tyre, turning, &at);
  double reduced = 1.0 - mf_paper_get(&tyre, "PECP1") *
                             (1.0 + mf_paper_get(&tyre, "PECP2") * (1.0 / mf_paper_get(&tyre, "LFZO") - 1.0));
  tap_near(t.fy / (t.camber / reduced * r0 * at.curvature), 1.0, 2e-3,
           "%s: the slope of the force by turn slip is the camber stiffness", path);
  tap_ok(t.fy < 0.0 && t.mz < 0.0,
         "%s: a wheel that turns to the left has a side force to the right, and the moment resists", path);
  at.vx = 0.0;
  at.curvature = 1e6;
  t = mf_paper_compute(&tyre, turning, &at);
  tap_near(t.mz / t.spin_moment, -1.0, 2e-3, "%s: a wheel turned on the spot has the whole moment of spin", path);
  tap_near(t.fy / fz0, 0.0, 1e-2, "%s: a wheel turned on the spot has no force", path);
}

static void limited(void) {
  struct mf_paper tyre = tyre_of(DATA "paper_mf61.tir");
  struct mf_paper_mode limits = {.limits = true};
  struct mf_paper_point over = {.fz = 5000.0, .kappa = 2.0, .alpha = -1.2, .gamma = 1.5, .pressure = 9e5, .vx = 20.0};
  struct mf_paper_point ends = {.fz = 3400.0, .kappa = 0.85, .alpha = -0.6, .gamma = 1.06, .pressure = 3e5, .vx = 20.0};
  struct mf_paper_figures a = mf_paper_compute(&tyre, limits, &over), b = mf_paper_compute(&tyre, limits, &ends);
  tap_ok(a.clamped && !b.clamped, "inputs outside the ranges are flagged, inputs at their ends are not");
  tap_ok(a.fx == b.fx && a.fy == b.fy && a.mz == b.mz && a.mx == b.mx,
         "outside the ranges the forces are equal to those at the ends");
  tap_ok(a.my != b.my && a.contact_length > b.contact_length,
         "rolling resistance and contact outside the ranges use the real load");
  a = mf_paper_compute(&tyre, (struct mf_paper_mode){0}, &over);
  tap_ok(!a.clamped && a.fx != b.fx, "without limits nothing is clamped outside the ranges");
}

/* ---- the tables made by this program ---- */

enum { COLUMNS = 44, RANGES = 7 };

static const char header[] =
    "Fz_N,kappa,alpha_rad,gamma_rad,p_Pa,Vx_mps,curvature_1pm,"
    "Fz_used_N,kappa_used,alpha_used_rad,gamma_used_rad,p_used_Pa,curvature_used_1pm,clamped,spin_1pm,"
    "Fx_N,Fy_N,Mx_Nm,My_Nm,Mz_Nm,trail_m,Mzr_Nm,mu_x,mu_y,Kxk_N,Kya_Nprad,Kyg0_Nprad,"
    "dFx_dkappa_N,dFy_dalpha_Nprad,dFy_dgamma_Nprad,Cx_Npm,Cy_Npm,sigma_x_m,sigma_y_m,Re_m,omega_radps,"
    "deflection_m,Rl_m,Cz_Npm,contact_length_m,contact_width_m,spin_moment_Nm,LIMITS,TURN_SLIP\n";

struct paper_table {
  const char *tyre, *name;
  struct mf_paper_mode mode;
  unsigned rows;
  double low[RANGES], high[RANGES]; /* load/FNOMIN, kappa, alpha, gamma, pressure/NOMPRES, speed, R0 phi_t */
};

static const struct paper_table tables[] = {
    {"paper_mf52", "reference", {0}, 96, {0.2, -0.75, -0.55, -0.25, 1, 4, 0}, {2.1, 0.8, 0.6, 0.27, 1, 60, 0}},
    {"paper_mf61", "reference", {0}, 96, {0.2, -0.75, -0.55, -1.048, 0.8, 4, 0}, {2.1, 0.8, 0.6, 1.048, 1.2, 60, 0}},
    {"paper_mf62", "reference", {0}, 96, {0.35, -0.75, -0.55, -0.16, 0.8, 4, 0}, {2.1, 0.8, 0.6, 0.17, 1.2, 60, 0}},
    {"paper_mf61",
     "limits",
     {.limits = true},
     48,
     {0.03, -1.2, -0.95, -1.35, 0.6, 4, 0},
     {3.0, 1.4, 0.95, 1.35, 1.5, 60, 0}},
    {"paper_mf62",
     "turn",
     {.turn_slip = true},
     48,
     {0.35, -0.4, -0.3, -0.16, 0.8, 2, -0.6},
     {1.9, 0.4, 0.3, 0.17, 1.2, 20, 0.6}},
    {"paper_mf52",
     "turn",
     {.turn_slip = true},
     48,
     {0.35, -0.4, -0.3, -0.2, 1, 2, -0.6},
     {1.9, 0.4, 0.3, 0.21, 1, 20, 0.6}},
};

/* Returns a number rounded to six digits, which the table prints exactly: figures then belong to the printed inputs. */
static double printed(double x) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", x);
  return strtod(text, NULL);
}

/* Draws the point of a row. Slips are denser where the forces are steep: their magnitude is the square of a uniform
 * number. Some rows have only one slip, some no camber; in tables of turn slip some have 40 times the turn slip, almost
 * as in parking. */
static struct mf_paper_point drawn(const struct mf_paper *tyre, const struct paper_table *t, unsigned row) {
  double u[RANGES], x[RANGES];
  mf_paper_spread(row, RANGES, u);
  for (int i = 0; i < RANGES; i++) {
    double s = 2.0 * u[i] - 1.0;
    if (i == 1 || i == 2 || i == 6)
      x[i] = s < 0.0 ? t->low[i] * s * s : t->high[i] * s * s;
    else
      x[i] = t->low[i] + u[i] * (t->high[i] - t->low[i]);
  }
  if (row % 8 == 1)
    x[1] = 0.0;
  if (row % 8 == 4)
    x[2] = 0.0;
  if (row % 8 == 6)
    x[3] = 0.0;
  if (t->mode.turn_slip && row % 8 == 7)
    x[6] *= 40.0;
  double nominal = mf_paper_get(tyre, "NOMPRES");
  return (struct mf_paper_point){.fz = printed(x[0] * mf_paper_get(tyre, "FNOMIN")),
                                 .kappa = printed(x[1]),
                                 .alpha = printed(x[2]),
                                 .gamma = printed(x[3]),
                                 .pressure = nominal > 0.0 ? printed(x[4] * nominal) : 2e5,
                                 .vx = printed(x[5]),
                                 .curvature = printed(x[6] / mf_paper_get(tyre, "UNLOADED_RADIUS"))};
}

static void row_of(const struct mf_paper *tyre, const struct paper_table *t, const struct mf_paper_point *at,
                   double *x) {
  struct mf_paper_figures o = mf_paper_compute(tyre, t->mode, at);
  const double all[COLUMNS] = {
      at->fz,
      at->kappa,
      at->alpha,
      at->gamma,
      at->pressure,
      at->vx,
      at->curvature,
      o.fz,
      o.kappa,
      o.alpha,
      o.gamma,
      o.pressure,
      o.curvature,
      o.clamped,
      o.phi,
      o.fx,
      o.fy,
      o.mx,
      o.my,
      o.mz,
      o.trail,
      o.residual,
      o.mu_x,
      o.mu_y,
      o.slip_stiffness,
      o.cornering,
      o.camber,
      o.dfx_dkappa,
      o.dfy_dalpha,
      o.dfy_dgamma,
      o.stiffness_x,
      o.stiffness_y,
      o.sigma_x,
      o.sigma_y,
      o.re,
      o.omega,
      o.deflection,
      o.loaded_radius,
      o.stiffness_z,
      o.contact_length,
      o.contact_width,
      o.spin_moment,
      t->mode.limits,
      t->mode.turn_slip,
  };
  memcpy(x, all, sizeof all);
}

static void path_of(const struct paper_table *t, char *path, size_t size) {
  snprintf(path, size, DATA "%s_%s.csv", t->tyre, t->name);
}

static struct mf_paper tyre_of_table(const struct paper_table *t) {
  char path[128];
  snprintf(path, sizeof path, DATA "%s.tir", t->tyre);
  return tyre_of(path);
}

static int write_table(const struct paper_table *t) {
  struct mf_paper tyre = tyre_of_table(t);
  char path[128];
  path_of(t, path, sizeof path);
  FILE *f = fopen(path, "w");
  if (!f)
    return 1;
  fputs(header, f);
  for (unsigned row = 0; row < t->rows; row++) {
    struct mf_paper_point at = drawn(&tyre, t, row);
    double x[COLUMNS];
    row_of(&tyre, t, &at, x);
    for (int i = 0; i < COLUMNS; i++)
      fprintf(f, "%.*g%c", 12, x[i], i + 1 < COLUMNS ? ',' : '\n');
  }
  return fclose(f) != 0;
}

static void same_table(const struct paper_table *t) {
  struct mf_paper tyre = tyre_of_table(t);
  char path[128];
  path_of(t, path, sizeof path);
  FILE *f = open_table(path);
  double r[COLUMNS], x[COLUMNS], worst = 0.0;
  unsigned rows = 0, steep = 0;
  while (next_row(f, r, COLUMNS)) {
    struct mf_paper_point at = {
        .fz = r[0], .kappa = r[1], .alpha = r[2], .gamma = r[3], .pressure = r[4], .vx = r[5], .curvature = r[6]};
    row_of(&tyre, t, &at, x);
    steep += mf_paper_compute(&tyre, t->mode, &at).steep && !t->mode.limits;
    for (int i = 0; i < COLUMNS; i++) {
      double off = fabs(x[i] - r[i]) / (fabs(r[i]) + 1e-3);
      worst = tap_max(worst, off);
    }
    rows++;
  }
  fclose(f);
  tap_ok(rows == t->rows && steep == 0, "%s has %u rows; without limits, %u of them have E above 1", path, rows, steep);
  tap_near(worst, 0.0, 1e-8, "%s has the figures that this program computes, %.2g", path, worst);
}

int main(int argc, char **argv) {
  enum { TABLES = sizeof tables / sizeof tables[0] };
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    int bad = 0;
    for (int i = 0; i < TABLES; i++)
      bad |= write_table(&tables[i]);
    return bad;
  }
  tap_plan(2 + 3 + 3 * 4 + 3 * 5 + 4 + 2 * TABLES);
  other_implementation();
  other_program();
  stiffnesses(DATA "paper_mf52.tir");
  stiffnesses(DATA "paper_mf61.tir");
  stiffnesses(DATA "paper_mf62.tir");
  spin(DATA "paper_mf52.tir");
  spin(DATA "paper_mf61.tir");
  spin(DATA "paper_mf62.tir");
  limited();
  for (int i = 0; i < TABLES; i++)
    same_table(&tables[i]);
  return tap_done();
}
