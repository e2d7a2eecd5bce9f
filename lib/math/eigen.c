#include "math/eigen.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- complex equations ---- */

double vd_complex_factorise(vd_complex *a, size_t n, size_t *order) {
  double least = INFINITY;
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (vd_complex_abs2(a[i * n + k]) > vd_complex_abs2(a[best * n + k]))
        best = i;
    order[k] = best;
    for (size_t j = 0; j < n && best != k; j++) {
      vd_complex kept = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = kept;
    }
    double pivot = vd_complex_abs(a[k * n + k]);
    least = isnan(pivot) || pivot < least ? pivot : least;
    if (!(pivot > 0.0))
      return pivot;
    for (size_t i = k + 1; i < n; i++) {
      vd_complex *row = &a[i * n];
      if (row[k].re == 0.0 && row[k].im == 0.0)
        continue;
      row[k] = vd_complex_div(row[k], a[k * n + k]);
      for (size_t j = k + 1; j < n; j++)
        row[j] = vd_complex_sub(row[j], vd_complex_mul(row[k], a[k * n + j]));
    }
  }
  return least;
}

void vd_complex_solve(const vd_complex *factors, const size_t *order, size_t n, vd_complex *x) {
  for (size_t k = 0; k < n; k++) {
    vd_complex kept = x[order[k]];
    x[order[k]] = x[k];
    x[k] = kept;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      x[i] = vd_complex_sub(x[i], vd_complex_mul(factors[i * n + j], x[j]));
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++)
      x[i] = vd_complex_sub(x[i], vd_complex_mul(factors[i * n + j], x[j]));
    x[i] = vd_complex_div(x[i], factors[i * n + i]);
  }
}

/* ---- Hessenberg form ---- */

/* Computes a reflection I - 2 v v', v of length 1, that makes all of the `count` numbers x zero except the first.
 * Returns false if they are zero already. */
static bool reflection(const double *x, size_t count, double *v) {
  double rest = 0.0, size = 0.0;
  for (size_t i = 1; i < count; i++)
    rest = vd_hypot(rest, x[i]);
  if (!(rest > 0.0))
    return false;
  memcpy(v, x, count * sizeof *v);
  v[0] += copysign(vd_hypot(x[0], rest), x[0]);
  size = vd_hypot(v[0], rest);
  for (size_t i = 0; i < count; i++)
    v[i] /= size;
  return true;
}

/* Reflects the rows first ... first + count - 1 in the columns from `from` on. */
static void reflect_rows(double *a, size_t n, size_t first, size_t count, const double *v, size_t from) {
  for (size_t j = from; j < n; j++) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
      sum += v[i] * a[(first + i) * n + j];
    for (size_t i = 0; i < count; i++)
      a[(first + i) * n + j] -= 2.0 * sum * v[i];
  }
}

/* Reflects the columns first ... first + count - 1 in the rows before `end`. */
static void reflect_columns(double *a, size_t n, size_t first, size_t count, const double *v, size_t end) {
  for (size_t i = 0; i < end; i++) {
    double *row = &a[i * n + first], sum = 0.0;
    for (size_t j = 0; j < count; j++)
      sum += v[j] * row[j];
    for (size_t j = 0; j < count; j++)
      row[j] -= 2.0 * sum * v[j];
  }
}

/* Replaces a by q' a q, which is zero below the first subdiagonal. x, v: memory for n numbers. */
static void to_hessenberg(double *a, size_t n, double *q, double *x, double *v) {
  for (size_t i = 0; i < n * n; i++)
    q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (size_t k = 0; k + 2 < n; k++) {
    size_t count = n - k - 1;
    for (size_t i = 0; i < count; i++)
      x[i] = a[(k + 1 + i) * n + k];
    if (!reflection(x, count, v))
      continue;
    reflect_rows(a, n, k + 1, count, v, k);
    reflect_columns(a, n, k + 1, count, v, n);
    reflect_columns(q, n, k + 1, count, v, n);
    for (size_t i = k + 2; i < n; i++)
      a[i * n + k] = 0.0;
  }
}

/* ---- eigenvalues ---- */

/* Does one step with two shifts, whose sum and product are given, on the rows and columns low ... high of the
 * Hessenberg matrix. The rest of the matrix is not needed and is not transformed. */
static void francis_step(double *h, size_t n, size_t low, size_t high, double sum, double product) {
#define H(i, j) h[(i)*n + (j)]
  double x[3] = {H(low, low) * (H(low, low) - sum) + product + H(low, low + 1) * H(low + 1, low),
                 H(low + 1, low) * (H(low, low) + H(low + 1, low + 1) - sum), H(low + 1, low) * H(low + 2, low + 1)};
  for (size_t k = low; k < high; k++) {
    size_t count = k + 2 <= high ? 3 : 2;
    double v[3];
    if (reflection(x, count, v)) {
      reflect_rows(h, n, k, count, v, k > low ? k - 1 : low);
      reflect_columns(h, n, k, count, v, (k + 3 < high ? k + 3 : high) + 1);
    }
    for (size_t i = 1; i < count && k > low; i++)
      H(k + i, k - 1) = 0.0;
    x[0] = H(k + 1, k);
    x[1] = k + 2 <= high ? H(k + 2, k) : 0.0;
    x[2] = k + 3 <= high ? H(k + 3, k) : 0.0;
  }
}

/* Computes the two eigenvalues of the last two rows of a block. */
static void pair_of_values(const double *h, size_t n, size_t k, vd_complex *value) {
  double half = 0.5 * (H(k, k) - H(k + 1, k + 1)), middle = 0.5 * (H(k, k) + H(k + 1, k + 1));
  double square = half * half + H(k, k + 1) * H(k + 1, k);
  double root = sqrt(fabs(square));
  if (square < 0.0) {
    value[0] = (vd_complex){middle, root};
    value[1] = (vd_complex){middle, -root};
    return;
  }
  /* first the eigenvalue farther from H(k + 1, k + 1), then the nearer one without cancellation: the product of their
   * distances is -bc */
  double far = half + copysign(root, half);
  value[0] = (vd_complex){H(k + 1, k + 1) + far, 0.0};
  value[1] = (vd_complex){far != 0.0 ? H(k + 1, k + 1) - H(k, k + 1) * H(k + 1, k) / far : H(k + 1, k + 1), 0.0};
}

/* Finds the eigenvalues of a Hessenberg matrix, which is destroyed. */
static bool find_values(double *h, size_t n, vd_complex *value) {
  enum { MOST = 60, UNUSUAL = 10 };
  int steps = 0;
  for (size_t end = n; end > 0;) {
    size_t high = end - 1, low = high;
    for (; low > 0; low--) {
      double near = fabs(H(low, low)) + fabs(H(low - 1, low - 1));
      if (!(fabs(H(low, low - 1)) > DBL_EPSILON * near) && near > 0.0)
        break;
      if (H(low, low - 1) == 0.0)
        break;
    }
    if (low + 1 >= high) {
      if (low == high)
        value[high] = (vd_complex){H(high, high), 0.0};
      else
        pair_of_values(h, n, low, &value[low]);
      end = low;
      steps = 0;
      continue;
    }
    if (++steps > MOST)
      return false;
    double sum = H(high - 1, high - 1) + H(high, high);
    double product = H(high - 1, high - 1) * H(high, high) - H(high - 1, high) * H(high, high - 1);
    if (steps % UNUSUAL == 0) { /* unusual shifts end a cycle */
      double size = fabs(H(high, high - 1)) + fabs(H(high - 1, high - 2));
      sum = 1.5 * size;
      product = size * size;
    }
    francis_step(h, n, low, high, sum, product);
  }
  return true;
#undef H
}

/* ---- eigenvectors ---- */

static double norm_of(const double *a, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++)
    sum = vd_hypot(sum, a[i]);
  return sum;
}

/* Makes the vector's length 1. */
static void normalise(vd_complex *x, size_t n) {
  double size = 0.0;
  for (size_t i = 0; i < n; i++)
    size = vd_hypot(size, vd_complex_abs(x[i]));
  for (size_t i = 0; i < n; i++)
    x[i] = vd_complex_scale(x[i], 1.0 / size);
}

/* Computes the eigenvector of the Hessenberg matrix h for an eigenvalue, by two steps of inverse iteration. The matrix
 * h - value I is singular except for rounding; if a pivot is 0, the eigenvalue is changed by about the rounding error.
 * The start depends on `number`, so that equal eigenvalues give different vectors. Returns false if numbers
 * overflow. */
static bool inverse_iteration(const double *h, size_t n, vd_complex value, size_t number, vd_complex *work,
                              size_t *order, vd_complex *x) {
  double least = DBL_EPSILON * norm_of(h, n * n) + DBL_MIN;
  for (size_t i = 0; i < n * n; i++)
    work[i] = (vd_complex){h[i], 0.0};
  for (size_t i = 0; i < n; i++)
    work[i * (n + 1)] = vd_complex_sub(work[i * (n + 1)], value);
  for (size_t i = 0; i < n; i++)
    x[i] = (vd_complex){1.0 + 0.5 * vd_sin((double)((i + 1) * (number + 1))), 0.0};
  while (!(vd_complex_factorise(work, n, order) > 0.0)) {
    if (!isfinite(least))
      return false;
    for (size_t i = 0; i < n * n; i++)
      work[i] = (vd_complex){h[i], 0.0};
    for (size_t i = 0; i < n; i++)
      work[i * (n + 1)] = vd_complex_sub(work[i * (n + 1)], (vd_complex){value.re + least, value.im});
    least *= 2.0;
  }
  for (int step = 0; step < 2; step++) {
    vd_complex_solve(work, order, n, x);
    normalise(x, n);
  }
  return isfinite(vd_complex_abs(x[0]));
}

/* Computes the eigenvectors of the original matrix: q times the eigenvectors of h. */
static bool find_vectors(const double *h, const double *q, size_t n, const vd_complex *value, vd_complex *vector) {
  vd_complex *work = vd_allocate(n * n + n, sizeof *work), *x = work + n * n;
  size_t *order = vd_allocate(n, sizeof *order);
  bool good = true;
  for (size_t k = 0; k < n && good; k++) {
    if (value[k].im < 0.0) { /* the conjugate of the vector before */
      for (size_t i = 0; i < n; i++)
        vector[i * n + k] = (vd_complex){vector[i * n + k - 1].re, -vector[i * n + k - 1].im};
      continue;
    }
    good = inverse_iteration(h, n, value[k], k, work, order, x);
    for (size_t i = 0; i < n; i++) {
      vd_complex sum = {0.0, 0.0};
      for (size_t j = 0; j < n; j++)
        sum = vd_complex_add(sum, vd_complex_scale(x[j], q[i * n + j]));
      vector[i * n + k] = sum;
    }
  }
  free(order);
  free(work);
  return good;
}

bool vd_eigen_solve(double *a, size_t n, vd_complex *value, vd_complex *vector) {
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(a[i]))
      return false;
  double *q = vd_allocate(2 * n * n + 2 * n, sizeof *q), *h = q + n * n, *x = h + n * n;
  to_hessenberg(a, n, q, x, x + n);
  memcpy(h, a, n * n * sizeof *h);
  bool good = find_values(a, n, value) && find_vectors(h, q, n, value, vector);
  free(q);
  return good;
}
