/* Shafts that stick to each other, compared with the equations of constrained motion. I: inertias; rows of A: relative
 * speeds; columns of B: torques of the sticking couplings on the shafts; q: speeds; f: outer torques; t: torques of
 * couplings:
 *
 *   [ I  -B ] [dq]   [f]
 *   [ A   0 ] [t ] = [0]
 *
 * solved here as one dense system by GSL's pivoted LU. Both solutions lose digits in proportion to the condition number
 * of A I^-1 B, scaled to a unit diagonal, so every tolerance is (rounding) x (condition number) x 100, relative to the
 * compared quantity. */
#include "vehicle/coupling.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

static const double rounding = 2.2e-16;

typedef struct problem {
  int n, count;
  double inverse_inertia[VD_SHAFTS];
  vd_coupling row[VD_COUPLINGS];
  bool stuck[VD_COUPLINGS];
} problem;

static gsl_rng *rng;

static double between(double low, double high) {
  return low + (high - low) * gsl_rng_uniform(rng);
}

static void solve(const problem *p, vd_coupled *out) {
  memset(out, 0xff, sizeof *out); /* NaN wherever it is not written */
  vd_coupled_solve(p->n, p->inverse_inertia, p->count, p->row, p->stuck, out);
}

/* Returns the condition number of A I^-1 B scaled to a unit diagonal, for the rows in `index`. */
static double condition(const problem *p, int rows, const int *index) {
  if (rows == 0)
    return 1.0;
  double g[VD_COUPLINGS][VD_COUPLINGS], scale[VD_COUPLINGS];
  for (int r = 0; r < rows; r++)
    for (int s = 0; s < rows; s++) {
      g[r][s] = 0.0;
      for (int i = 0; i < p->n; i++)
        g[r][s] += p->row[index[r]].a[i] * p->inverse_inertia[i] * p->row[index[s]].b[i];
    }
  for (int r = 0; r < rows; r++)
    scale[r] = 1.0 / sqrt(fabs(g[r][r]));
  gsl_matrix *m = gsl_matrix_alloc((size_t)rows, (size_t)rows), *v = gsl_matrix_alloc((size_t)rows, (size_t)rows);
  gsl_vector *singular = gsl_vector_alloc((size_t)rows), *work = gsl_vector_alloc((size_t)rows);
  for (int r = 0; r < rows; r++)
    for (int s = 0; s < rows; s++)
      gsl_matrix_set(m, (size_t)r, (size_t)s, g[r][s] * scale[r] * scale[s]);
  gsl_linalg_SV_decomp(m, v, singular, work);
  double ratio = gsl_vector_get(singular, 0) / gsl_vector_get(singular, (size_t)rows - 1);
  gsl_matrix_free(m);
  gsl_matrix_free(v);
  gsl_vector_free(singular);
  gsl_vector_free(work);
  return ratio;
}

/* Finds the sticking rows in their order, without those that depend linearly on earlier ones, by Gram and Schmidt's
 * method on the rows of A. */
static int independent(const problem *p, int *index) {
  double basis[VD_SHAFTS][VD_SHAFTS];
  int rows = 0;
  for (int k = 0; k < p->count; k++) {
    if (!p->stuck[k] || rows == p->n)
      continue;
    double rest[VD_SHAFTS], size = 0.0, left = 0.0;
    for (int i = 0; i < p->n; i++) {
      rest[i] = p->row[k].a[i];
      size += rest[i] * rest[i];
    }
    for (int pass = 0; pass < 2; pass++)
      for (int r = 0; r < rows; r++) {
        double along = 0.0;
        for (int i = 0; i < p->n; i++)
          along += rest[i] * basis[r][i];
        for (int i = 0; i < p->n; i++)
          rest[i] -= along * basis[r][i];
      }
    for (int i = 0; i < p->n; i++)
      left += rest[i] * rest[i];
    if (left <= 1e-16 * size)
      continue;
    for (int i = 0; i < p->n; i++)
      basis[rows][i] = rest[i] / sqrt(left);
    index[rows++] = k;
  }
  return rows;
}

/* Solves the dense system for unit torques, one after the other: accelerations, and torques of the rows in `index`. */
static void dense(const problem *p, int rows, const int *index, double accel[][VD_SHAFTS], double hold[][VD_SHAFTS]) {
  size_t n = (size_t)p->n, size = n + (size_t)rows;
  gsl_matrix *m = gsl_matrix_calloc(size, size);
  gsl_vector *f = gsl_vector_alloc(size), *x = gsl_vector_alloc(size);
  gsl_permutation *order = gsl_permutation_alloc(size);
  int sign;
  for (size_t i = 0; i < n; i++) {
    gsl_matrix_set(m, i, i, 1.0 / p->inverse_inertia[i]);
    for (int r = 0; r < rows; r++) {
      gsl_matrix_set(m, i, n + (size_t)r, -p->row[index[r]].b[i]);
      gsl_matrix_set(m, n + (size_t)r, i, p->row[index[r]].a[i]);
    }
  }
  gsl_linalg_LU_decomp(m, order, &sign);
  for (size_t j = 0; j < n; j++) {
    gsl_vector_set_zero(f);
    gsl_vector_set(f, j, 1.0);
    gsl_linalg_LU_solve(m, order, f, x);
    for (size_t i = 0; i < n; i++)
      accel[i][j] = gsl_vector_get(x, i);
    for (int r = 0; r < rows; r++)
      hold[r][j] = gsl_vector_get(x, n + (size_t)r);
  }
  gsl_matrix_free(m);
  gsl_vector_free(f);
  gsl_vector_free(x);
  gsl_permutation_free(order);
}

/* Returns the deviation of the solution from the dense solution in units of its tolerance; a value above 1 or NaN is
 * wrong. The torque of slipping or redundant rows must be exactly 0. */
static double deviation(const problem *p) {
  vd_coupled got;
  int index[VD_COUPLINGS], rows = independent(p, index);
  double accel[VD_SHAFTS][VD_SHAFTS], hold[VD_COUPLINGS][VD_SHAFTS], worst = 0.0;
  solve(p, &got);
  dense(p, rows, index, accel, hold);
  double tolerance = 100.0 * rounding * condition(p, rows, index), size = 0.0;
  for (int i = 0; i < p->n; i++)
    size = tap_max(size, p->inverse_inertia[i]);
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) {
      double off = fabs(got.accel[i][j] - accel[i][j]) / (tolerance * size);
      worst = tap_max(worst, off);
    }
  for (int k = 0; k < p->count; k++) {
    int at = -1;
    for (int r = 0; r < rows; r++)
      if (index[r] == k)
        at = r;
    double largest = 0.0;
    for (int r = 0; r < rows; r++)
      for (int j = 0; j < p->n; j++)
        largest = tap_max(largest, fabs(hold[r][j]));
    for (int j = 0; j < p->n; j++) {
      double off = at < 0 ? (got.hold[k][j] == 0.0 ? 0.0 : INFINITY)
                          : fabs(got.hold[k][j] - hold[at][j]) / (tolerance * largest);
      worst = tap_max(worst, off);
    }
  }
  return worst;
}

static void random_inertias(problem *p) {
  for (int i = 0; i < p->n; i++)
    p->inverse_inertia[i] = 1.0 / exp(between(log(0.05), log(20.0)));
}

/* Makes a problem with random rows; b equals a or, with losses, deviates from a by up to 10 % per shaft. */
static problem random_problem(bool losses) {
  problem p = {.n = 2 + (int)gsl_rng_uniform_int(rng, VD_SHAFTS - 1)};
  p.count = 1 + (int)gsl_rng_uniform_int(rng, VD_COUPLINGS);
  random_inertias(&p);
  int stuck = 0;
  for (int k = 0; k < p.count; k++) {
    for (int i = 0; i < p.n; i++) {
      p.row[k].a[i] = between(-2.0, 2.0);
      p.row[k].b[i] = p.row[k].a[i] * (losses ? between(0.9, 1.1) : 1.0);
    }
    p.stuck[k] = stuck < p.n && gsl_rng_uniform(rng) < 0.6;
    stuck += p.stuck[k];
  }
  return p;
}

/* Makes the couplings of a car: four brakes, a clutch with ratio and losses, two axle differentials and the centre
 * differential, on four wheels and a motor. */
static problem car(unsigned stuck, double loss) {
  problem p = {.n = VD_SHAFTS, .count = VD_COUPLINGS};
  double ratio = between(3.0, 14.0), front = between(0.0, 1.0);
  random_inertias(&p);
  for (int i = 0; i < 4; i++) {
    p.row[i].a[i] = p.row[i].b[i] = 1.0;
    p.row[4].a[i] = ratio * 0.5 * (i < 2 ? front : 1.0 - front);
    p.row[4].b[i] = p.row[4].a[i] * loss;
    p.row[7].a[i] = p.row[7].b[i] = i < 2 ? 0.5 : -0.5;
  }
  p.row[4].a[4] = p.row[4].b[4] = -1.0;
  for (int axle = 0; axle < 2; axle++) {
    p.row[5 + axle].a[2 * axle] = p.row[5 + axle].b[2 * axle] = 1.0;
    p.row[5 + axle].a[2 * axle + 1] = p.row[5 + axle].b[2 * axle + 1] = -1.0;
  }
  for (int k = 0; k < p.count; k++)
    p.stuck[k] = stuck >> k & 1u;
  return p;
}

static void against_dense(void) {
  double worst = 0.0;
  for (int round = 0; round < 20000; round++) {
    problem p = random_problem(round % 2);
    double off = deviation(&p);
    worst = tap_max(worst, off);
  }
  tap_near(worst, 0.0, 1.0, "random shafts and rows agree with the dense equations (%.2g of the tolerance)", worst);
  static const double losses[] = {1.0, 0.92, 1.0 / 0.92};
  long redundant = 0;
  worst = 0.0;
  for (unsigned stuck = 0; stuck < 1u << VD_COUPLINGS; stuck++)
    for (int k = 0; k < 3; k++) {
      problem p = car(stuck, losses[k]);
      int index[VD_COUPLINGS], all = 0;
      for (int i = 0; i < p.count; i++)
        all += p.stuck[i];
      redundant += independent(&p, index) < all;
      double off = deviation(&p);
      worst = tap_max(worst, off);
    }
  tap_near(worst, 0.0, 1.0,
           "all 256 sets of a car's brakes, clutch and differentials agree, with %ld redundant problems (%.2g)",
           redundant, worst);
}

/* Checks that a sticking coupling without losses transmits all power: with speeds q that the couplings allow, the rate
 * of the energy, q.I.dq, is the power of the outer torques alone, q.f; no coupling does work; and the response is
 * symmetric (Maxwell and Betti). */
static void powers(void) {
  double energy = 0.0, single = 0.0, symmetry = 0.0, momentum = 0.0;
  for (int round = 0; round < 5000; round++) {
    problem p = round % 2 ? random_problem(false) : car((unsigned)gsl_rng_uniform_int(rng, 256), 1.0);
    vd_coupled c;
    int index[VD_COUPLINGS], rows = independent(&p, index);
    double f[VD_SHAFTS], g[VD_SHAFTS], q[VD_SHAFTS] = {0}, dq[VD_SHAFTS] = {0}, size = 0.0, biggest = 0.0;
    double kinetic = 0.0, outer = 0.0, tolerance = 100.0 * rounding * condition(&p, rows, index);
    solve(&p, &c);
    for (int i = 0; i < p.n; i++) {
      f[i] = between(-1.0, 1.0);
      g[i] = between(-1.0, 1.0);
      size = tap_max(size, p.inverse_inertia[i]);
    }
    for (int i = 0; i < p.n; i++)
      for (int j = 0; j < p.n; j++) {
        q[i] += c.accel[i][j] * g[j];
        dq[i] += c.accel[i][j] * f[j];
        symmetry = tap_max(symmetry, fabs(c.accel[i][j] - c.accel[j][i]) / (tolerance * size));
      }
    for (int i = 0; i < p.n; i++) {
      double torque = f[i];
      for (int k = 0; k < p.count; k++)
        for (int j = 0; j < p.n; j++)
          torque += p.row[k].b[i] * c.hold[k][j] * f[j];
      for (int k = 0; k < p.count; k++)
        for (int j = 0; j < p.n; j++)
          biggest = tap_max(biggest, fabs(p.row[k].b[i] * c.hold[k][j]));
      momentum =
          tap_max(momentum, fabs(dq[i] / p.inverse_inertia[i] - torque) / (tolerance * tap_max(biggest, 1.0) * 25.0));
      kinetic += q[i] * dq[i] / p.inverse_inertia[i];
      outer += q[i] * f[i];
    }
    energy = tap_max(energy, fabs(kinetic - outer) / (tolerance * size * 400.0));
    for (int k = 0; k < p.count; k++) {
      double t = 0.0, slip = 0.0, row = 0.0;
      for (int j = 0; j < p.n; j++) {
        t += c.hold[k][j] * f[j];
        slip += p.row[k].b[j] * q[j];
        row += fabs(p.row[k].b[j]);
      }
      single = tap_max(single, fabs(t * slip) / (tolerance * fabs(t) * row * size * 5.0 + 1e-300));
    }
  }
  tap_near(momentum, 0.0, 1.0,
           "each shaft of the couplings gains the momentum of the torques on it (%.2g of the tolerance)", momentum);
  tap_near(energy, 0.0, 1.0, "couplings that stick change no energy (%.2g)", energy);
  tap_near(single, 0.0, 1.0, "no coupling that sticks does work (%.2g)", single);
  tap_near(symmetry, 0.0, 1.0, "the response of shaft i to a torque on j equals that of j to a torque on i (%.2g)",
           symmetry);
}

/* Checks that another order of shafts and couplings gives the same motion, and without redundant couplings the same
 * torques. Redundant couplings share the torque differently, but their sum is the same. */
static void permutations(void) {
  double motion = 0.0, torque = 0.0, together = 0.0;
  for (int round = 0; round < 5000; round++) {
    bool redundant = round % 2;
    problem p = redundant ? car((unsigned)gsl_rng_uniform_int(rng, 256), 1.0) : random_problem(true), other = p;
    int shaft[VD_SHAFTS], row[VD_COUPLINGS], index[VD_COUPLINGS], rows = independent(&p, index);
    for (int i = 0; i < p.n; i++)
      shaft[i] = i;
    for (int k = 0; k < p.count; k++)
      row[k] = k;
    for (int i = p.n - 1; i > 0; i--) {
      int k = (int)gsl_rng_uniform_int(rng, (unsigned long)i + 1), keep = shaft[i];
      shaft[i] = shaft[k];
      shaft[k] = keep;
    }
    for (int i = p.count - 1; i > 0; i--) {
      int k = (int)gsl_rng_uniform_int(rng, (unsigned long)i + 1), keep = row[i];
      row[i] = row[k];
      row[k] = keep;
    }
    for (int i = 0; i < p.n; i++)
      other.inverse_inertia[i] = p.inverse_inertia[shaft[i]];
    for (int k = 0; k < p.count; k++) {
      other.stuck[k] = p.stuck[row[k]];
      for (int i = 0; i < p.n; i++) {
        other.row[k].a[i] = p.row[row[k]].a[shaft[i]];
        other.row[k].b[i] = p.row[row[k]].b[shaft[i]];
      }
    }
    vd_coupled a, b;
    solve(&p, &a);
    solve(&other, &b);
    int reordered[VD_COUPLINGS];
    double worse = fmax(condition(&p, rows, index), condition(&other, independent(&other, reordered), reordered));
    double tolerance = 200.0 * rounding * worse, size = 0.0, largest = 0.0;
    for (int i = 0; i < p.n; i++)
      size = tap_max(size, p.inverse_inertia[i]);
    for (int k = 0; k < p.count; k++)
      for (int j = 0; j < p.n; j++)
        largest = tap_max(largest, fabs(a.hold[k][j]));
    for (int i = 0; i < p.n; i++)
      for (int j = 0; j < p.n; j++) {
        motion = tap_max(motion, fabs(b.accel[i][j] - a.accel[shaft[i]][shaft[j]]) / (tolerance * size));
        double held[2] = {0.0, 0.0};
        for (int k = 0; k < p.count; k++) {
          held[0] += a.hold[k][shaft[j]] * p.row[k].b[shaft[i]];
          held[1] += b.hold[k][j] * other.row[k].b[i];
        }
        together = tap_max(together, fabs(held[1] - held[0]) / (tolerance * tap_max(largest, 1.0) * 100.0));
      }
    for (int k = 0; k < p.count && !redundant; k++)
      for (int j = 0; j < p.n; j++)
        torque =
            tap_max(torque, fabs(b.hold[k][j] - a.hold[row[k]][shaft[j]]) / (tolerance * tap_max(largest, 1e-300)));
  }
  tap_near(motion, 0.0, 1.0, "another order of shafts and couplings gives the same motion of the shafts (%.2g)",
           motion);
  tap_near(torque, 0.0, 1.0, "another order gives the same torques where no coupling is redundant (%.2g)", torque);
  tap_near(together, 0.0, 1.0, "another order gives the same sum of torques on each shaft in any case (%.2g)",
           together);
}

int main(void) {
  tap_plan(2 + 4 + 3);
  rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 1);
  against_dense();
  powers();
  permutations();
  gsl_rng_free(rng);
  return tap_done();
}
