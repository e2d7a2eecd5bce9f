/* Eigenvalues and vectors, complex equations, Fourier transforms and Sobol's sequence, by their definitions. */
#include "math/eigen.h"
#include "math/fft.h"
#include "math/sobol.h"

#include "base/base.h"
#include "base/memory.h"
#include "math/chance.h"
#include "tap.h"

#include <float.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS = 21, MOST = 60 };

static double chance(size_t i, size_t k) {
  return 2.0 * vd_chance(7, i, k) - 1.0;
}

/* --- eigenvalues */

typedef struct solved {
  size_t n;
  double a[MOST * MOST];
  vd_complex value[MOST], vector[MOST * MOST];
  double residual;    /* greatest |A v - s v| divided by the greatest entry of A */
  double independent; /* magnitude of the smallest pivot of the vectors */
  bool paired;        /* complex eigenvalues and their vectors come in conjugate pairs */
} solved;

static bool solve(const double *a, size_t n, solved *s) {
  double copy[MOST * MOST], greatest = 0.0;
  memcpy(s->a, a, n * n * sizeof *a);
  memcpy(copy, a, n * n * sizeof *a);
  s->n = n;
  if (!vd_eigen_solve(copy, n, s->value, s->vector))
    return false;
  s->residual = 0.0;
  s->paired = true;
  for (size_t i = 0; i < n * n; i++)
    greatest = vd_max(greatest, fabs(a[i]));
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) {
      vd_complex sum = {0.0, 0.0};
      for (size_t j = 0; j < n; j++)
        sum = vd_complex_add(sum, vd_complex_scale(s->vector[j * n + k], a[i * n + j]));
      sum = vd_complex_sub(sum, vd_complex_mul(s->value[k], s->vector[i * n + k]));
      s->residual = vd_max(s->residual, vd_complex_abs(sum) / greatest);
    }
    if (s->value[k].im > 0.0)
      s->paired &= k + 1 < n && s->value[k + 1].re == s->value[k].re && s->value[k + 1].im == -s->value[k].im &&
                   s->vector[k + 1].re == s->vector[k].re && s->vector[k + 1].im == -s->vector[k].im;
  }
  vd_complex factors[MOST * MOST];
  size_t order[MOST];
  memcpy(factors, s->vector, n * n * sizeof *factors);
  s->independent = vd_complex_factorise(factors, n, order);
  return true;
}

/* Returns the number of eigenvalues near re + j im. */
static int count_near(const solved *s, double re, double im, double tolerance) {
  int count = 0;
  for (size_t k = 0; k < s->n; k++)
    count += vd_complex_abs(vd_complex_sub(s->value[k], (vd_complex){re, im})) <= tolerance;
  return count;
}

/* Checks the eigenvalues of the matrix of (s - 1)(s - 2)(s - 3)(s^2 + 2 s + 5): 1, 2, 3, -1 +- 2 j. */
static void test_companion(void) {
  /* s^5 - 4 s^4 + 4 s^3 - 14 s^2 + 43 s - 30 */
  const double m[25] = {4, -4, 14, -43, 30, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
  solved s;
  tap_ok(solve(m, 5, &s) && count_near(&s, 1, 0, 1e-12) == 1 && count_near(&s, 2, 0, 1e-12) == 1 &&
             count_near(&s, 3, 0, 1e-12) == 1 && count_near(&s, -1, 2, 1e-12) == 1 &&
             count_near(&s, -1, -2, 1e-12) == 1,
         "eigenvalues of a companion matrix are the roots of its polynomial");
  tap_near(s.residual, 0.0, 1e-14, "eigenvectors of a companion matrix satisfy A v = s v");
}

static void test_random(void) {
  double residual = 0.0, trace = 0.0;
  bool good = true, paired = true;
  for (size_t n = 1; n <= MOST; n += n < 8 ? 1 : 13) {
    double a[MOST * MOST], sum = 0.0;
    solved s;
    for (size_t i = 0; i < n * n; i++)
      a[i] = chance(i, n);
    good &= solve(a, n, &s);
    for (size_t i = 0; i < n; i++)
      sum += a[i * (n + 1)] - s.value[i].re;
    residual = vd_max(residual, s.residual);
    trace = vd_max(trace, fabs(sum));
    paired &= s.paired;
  }
  tap_ok(good && paired, "random matrices have eigenvalues, with exact conjugates");
  tap_near(residual, 0.0, 1e-13, "eigenvectors of random matrices satisfy A v = s v");
  tap_near(trace, 0.0, 1e-13, "the sum of the eigenvalues of random matrices is the trace");
}

/* Checks four decoupled equal wheels and an oscillator: equal eigenvalues with independent vectors. */
static void test_equal(void) {
  double a[36] = {0.0};
  solved s;
  for (size_t i = 0; i < 4; i++)
    a[7 * i] = -3.0;
  a[4 * 6 + 5] = 2.0;
  a[5 * 6 + 4] = -2.0;
  tap_ok(solve(a, 6, &s) && count_near(&s, -3, 0, 1e-14) == 4 && count_near(&s, 0, 2, 1e-14) == 1,
         "equal eigenvalues are all found");
  tap_ok(s.independent > 0.01, "the eigenvectors of equal eigenvalues are independent (%g)", s.independent);
  tap_near(s.residual, 0.0, 1e-14, "the eigenvectors of equal eigenvalues satisfy A v = s v");
}

/* Checks difficult matrices. x' = v, v' = 0 has only one eigenvector; for a cyclic permutation the QR iteration ends
 * only with exceptional shifts. */
static void test_odd(void) {
  const double twice[4] = {0, 1, 0, 0}, cycle[16] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const double bad[4] = {1, NAN, 0, 1}, zero[9] = {0.0};
  solved s;
  tap_ok(solve(twice, 2, &s) && count_near(&s, 0, 0, 1e-15) == 2 && s.independent < 1e-12 && s.residual < 1e-15,
         "a matrix with one independent eigenvector for two eigenvalues is solved");
  tap_ok(solve(cycle, 4, &s) && count_near(&s, 1, 0, 1e-14) == 1 && count_near(&s, -1, 0, 1e-14) == 1 &&
             count_near(&s, 0, 1, 1e-14) == 1 && count_near(&s, 0, -1, 1e-14) == 1,
         "a cycle has the roots of 1");
  double copy[4];
  memcpy(copy, bad, sizeof copy);
  tap_ok(!vd_eigen_solve(copy, 2, s.value, s.vector), "a matrix that is not finite has no eigenvalues");
  tap_ok(solve(zero, 3, &s) && count_near(&s, 0, 0, 0.0) == 3 && s.independent > 0.01,
         "a matrix of zeros has three eigenvalues of 0");
}

/* --- equations */

static void test_equations(void) {
  enum { N = 12 };
  vd_complex a[N * N], factors[N * N], x[N], b[N];
  size_t order[N];
  for (size_t i = 0; i < N * N; i++)
    factors[i] = a[i] = (vd_complex){chance(i, 1), chance(i, 2)};
  a[0] = factors[0] = (vd_complex){0.0, 0.0};
  for (size_t i = 0; i < N; i++)
    x[i] = b[i] = (vd_complex){chance(i, 3), chance(i, 4)};
  double pivot = vd_complex_factorise(factors, N, order), residual = 0.0;
  vd_complex_solve(factors, order, N, x);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < N; j++)
      b[i] = vd_complex_sub(b[i], vd_complex_mul(a[i * N + j], x[j]));
    residual = vd_max(residual, vd_complex_abs(b[i]));
  }
  tap_ok(pivot > 0.0, "a complex matrix with a zero in its first place has factors");
  tap_near(residual, 0.0, 1e-13, "equations with a complex matrix that has a zero in its first place are solved");
  memset(a, 0, sizeof a);
  tap_ok(vd_complex_factorise(a, N, order) == 0.0, "a singular matrix has a pivot of 0");
  vd_complex q = vd_complex_div((vd_complex){1e200, 1e200}, (vd_complex){0.0, 1e200});
  tap_ok(q.re == 1.0 && q.im == -1.0, "quotients of great numbers do not overflow");
}

/* --- transforms */

static double transform_error(size_t n) {
  vd_fft f;
  vd_complex *x = vd_allocate(2 * n, sizeof *x), *y = x + n;
  double error = 0.0;
  for (size_t i = 0; i < n; i++)
    x[i] = (vd_complex){chance(i, 5), chance(i, 6)};
  vd_fft_init(&f, n);
  vd_fft_transform(&f, x, y);
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) {
      double angle = 2.0 * VD_PI * (double)(i * k % n) / (double)n;
      y[k] = vd_complex_sub(y[k], vd_complex_mul(x[i], (vd_complex){cos(angle), -sin(angle)}));
    }
    error = vd_max(error, vd_complex_abs(y[k]));
  }
  vd_fft_finish(&f);
  free(x);
  return error / sqrt((double)n);
}

static void test_transforms(void) {
  double small = 0.0;
  for (size_t n = 1; n <= 50; n++)
    small = vd_max(small, transform_error(n));
  tap_near(small, 0.0, 1e-14, "transforms of all lengths to 50 equal the sums that define them");
  tap_near(transform_error(720), 0.0, 1e-13, "a transform of 16 x 9 x 5 numbers equals the sum that defines it");
  tap_near(transform_error(2 * 211), 0.0, 1e-13,
           "a transform whose length has a great prime factor equals the sum that defines it");
}

/* --- Sobol's sequence */

static void test_sobol(void) {
  enum { POINTS = 3000 };
  gsl_qrng *other = gsl_qrng_alloc(gsl_qrng_sobol, VD_SOBOL_MOST);
  double x[VD_SOBOL_MOST], y[VD_SOBOL_MOST];
  bool same = true;
  for (size_t i = 0; i < POINTS; i++) {
    gsl_qrng_get(other, y);
    vd_sobol_point(i, VD_SOBOL_MOST, x);
    same &= memcmp(x, y, sizeof x) == 0;
  }
  gsl_qrng_free(other);
  tap_ok(same, "the first %d points in all dimensions are those of GSL", (int)POINTS);
  /* the sequence is a net: of 2^k points, the origin and the first 2^k - 1, one lies in each interval of 2^-k */
  bool even = true;
  for (size_t d = 0; d < VD_SOBOL_MOST; d++) {
    bool filled[1024] = {true};
    for (size_t i = 0; i + 1 < 1024; i++) {
      vd_sobol_point(i, VD_SOBOL_MOST, x);
      size_t at = (size_t)(x[d] * 1024.0);
      even &= !filled[at];
      filled[at] = true;
    }
    d += 12; /* some dimensions */
  }
  tap_ok(even, "1024 points fill 1024 equal intervals of a dimension");
}

int main(void) {
  tap_plan(TESTS);
  test_companion();
  test_random();
  test_equal();
  test_odd();
  test_equations();
  test_transforms();
  test_sobol();
  return tap_done();
}
