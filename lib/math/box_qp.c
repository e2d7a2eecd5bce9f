#include "math/box_qp.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the place of an unknown in the folded order 0, n - 1, 1, n - 2 ... */
static size_t folded(const vd_box_qp *q, size_t i) {
  return 2 * i < q->count ? 2 * i : 2 * (q->count - 1 - i) + 1;
}

enum { VECTORS = 10 }; /* in the memory of the solver */

void vd_box_qp_make(size_t count, size_t reach, vd_box_qp *q) {
  size_t width = 2 * reach + 1;
  *q = (vd_box_qp){.count = count, .reach = reach};
  q->matrix = vd_allocate(count * (2 * width + 3 + VECTORS), sizeof *q->matrix);
  q->g = q->matrix + count * width;
  q->low = q->g + count;
  q->high = q->low + count;
  q->work = q->high + count;
  vd_box_qp_clear(q);
}

void vd_box_qp_free(vd_box_qp *q) {
  free(q->matrix);
}

void vd_box_qp_clear(vd_box_qp *q) {
  for (size_t i = 0; i < q->count * (2 * q->reach + 2); i++) /* g follows the matrix */
    q->matrix[i] = 0.0;
}

void vd_box_qp_add(vd_box_qp *q, size_t first, size_t entries, const double *row, double weight) {
  size_t width = 2 * q->reach + 1;
  for (size_t i = 0; i < entries; i++)
    for (size_t j = 0; j < entries; j++) {
      size_t a = folded(q, (first + i) % q->count), b = folded(q, (first + j) % q->count);
      if (b <= a)
        q->matrix[a * width + a - b] += weight * row[i] * row[j];
    }
}

/* Computes the Cholesky factor of the matrix plus a diagonal; rows as in the matrix. */
static void factorise(const vd_box_qp *q, const double *diagonal, double *factor) {
  size_t width = 2 * q->reach + 1;
  for (size_t i = 0; i < q->count; i++) {
    double *row = factor + i * width;
    size_t most = i < width - 1 ? i : width - 1;
    for (size_t d = most + 1; d-- > 0;) { /* columns i - most to i */
      size_t j = i - d, shared = most - d;
      const double *other = factor + j * width;
      double sum = q->matrix[i * width + d] + (d == 0 ? diagonal[i] : 0.0);
      for (size_t k = 1; k <= shared; k++)
        sum -= row[d + k] * other[k];
      row[d] = d > 0 ? sum / other[0] : sqrt(vd_max(sum, 1e-300));
    }
  }
}

static void substitute(const vd_box_qp *q, const double *factor, double *x) {
  size_t width = 2 * q->reach + 1, n = q->count;
  for (size_t i = 0; i < n; i++) {
    for (size_t d = 1; d < width && d <= i; d++)
      x[i] -= factor[i * width + d] * x[i - d];
    x[i] /= factor[i * width];
  }
  for (size_t i = n; i-- > 0;) {
    x[i] /= factor[i * width];
    for (size_t d = 1; d < width && d <= i; d++)
      x[i - d] -= factor[i * width + d] * x[i];
  }
}

/* Computes H x in the folded order. */
static void multiply(const vd_box_qp *q, const double *x, double *out) {
  size_t width = 2 * q->reach + 1;
  for (size_t i = 0; i < q->count; i++) {
    const double *row = q->matrix + i * width;
    out[i] = row[0] * x[i];
    for (size_t d = 1; d < width && d <= i; d++) {
      out[i] += row[d] * x[i - d];
      out[i - d] += row[d] * x[i];
    }
  }
}

/* The state of the iteration, in the folded order. Index 0 of the arrays [2]: lower bounds, 1: upper bounds. */
typedef struct iteration {
  const vd_box_qp *q;
  double *factor, *x, *g, *rest, *step; /* rest: Hx + g - price[0] + price[1] */
  double *room[2], *price[2], *change[2];
  /* greatest component of the gradient in the middle of the box, and the change of the cost that this gradient
   * predicts */
  double steepest, scale;
} iteration;

static void start(const vd_box_qp *q, iteration *it) {
  size_t n = q->count;
  double *at = q->work;
  double **part[] = {&it->x,       &it->g,        &it->rest,     &it->step,      &it->room[0],
                     &it->room[1], &it->price[0], &it->price[1], &it->change[0], &it->change[1]};
  _Static_assert(sizeof part / sizeof *part == VECTORS, "memory of the iteration");
  *it = (iteration){.q = q};
  for (size_t k = 0; k < VECTORS; k++, at += n)
    *part[k] = at;
  it->factor = at;
  for (size_t i = 0; i < n; i++) {
    size_t p = folded(q, i);
    it->x[p] = 0.5 * (q->low[i] + q->high[i]);
    it->room[0][p] = it->room[1][p] = 0.5 * (q->high[i] - q->low[i]);
    it->g[p] = q->g[i];
  }
  multiply(q, it->x, it->rest);
  for (size_t i = 0; i < n; i++) {
    double slope = fabs(it->rest[i] + it->g[i]);
    it->steepest = vd_max(it->steepest, slope);
    it->scale += slope * 2.0 * it->room[0][i];
  }
  for (size_t i = 0; i < n; i++)
    it->price[0][i] = it->price[1][i] = it->steepest;
}

/* Computes the gradient of the Lagrangian, `rest', and returns its greatest magnitude. */
static double find_rest(iteration *it) {
  double worst = 0.0;
  multiply(it->q, it->x, it->rest);
  for (size_t i = 0; i < it->q->count; i++) {
    it->rest[i] += it->g[i] - it->price[0][i] + it->price[1][i];
    worst = vd_max(worst, fabs(it->rest[i]));
  }
  return worst;
}

/* Finds Newton's step towards the point at which every product of a distance to a bound (`room') and its multiplier
 * (`price') is `aim'. */
static void find_step(iteration *it, double aim) {
  size_t n = it->q->count;
  double *diagonal = it->change[0];
  for (size_t i = 0; i < n; i++) {
    diagonal[i] = it->price[0][i] / it->room[0][i] + it->price[1][i] / it->room[1][i];
    it->step[i] = -it->rest[i] + (aim / it->room[0][i] - it->price[0][i]) - (aim / it->room[1][i] - it->price[1][i]);
  }
  factorise(it->q, diagonal, it->factor);
  substitute(it->q, it->factor, it->step);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < n; i++) {
      double less = (k == 0 ? it->step[i] : -it->step[i]) * it->price[k][i];
      it->change[k][i] = (aim - less) / it->room[k][i] - it->price[k][i];
    }
}

/* Moves x and the multipliers along the step, so far that all multipliers and distances to bounds stay above 0. */
static void take_step(iteration *it) {
  const double almost = 0.99;
  size_t n = it->q->count;
  double share = 1.0;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < n; i++) {
      double moved = k == 0 ? it->step[i] : -it->step[i];
      if (moved < 0.0)
        share = vd_min(share, -almost * it->room[k][i] / moved);
      if (it->change[k][i] < 0.0)
        share = vd_min(share, -almost * it->price[k][i] / it->change[k][i]);
    }
  for (size_t i = 0; i < n; i++) {
    it->x[i] += share * it->step[i];
    it->room[0][i] += share * it->step[i];
    it->room[1][i] -= share * it->step[i];
    for (int k = 0; k < 2; k++)
      it->price[k][i] += share * it->change[k][i];
  }
}

bool vd_box_qp_solve(const vd_box_qp *q, double *x) {
  enum { ROUNDS = 80 };
  const double near = 1e-10, centring = 0.1;
  iteration it;
  bool good = false;
  start(q, &it);
  for (int round = 0; round < ROUNDS && !good; round++) {
    double gap = 0.0, rest = find_rest(&it);
    for (int k = 0; k < 2; k++)
      for (size_t i = 0; i < q->count; i++)
        gap += it.room[k][i] * it.price[k][i];
    good = gap <= near * it.scale && rest <= near * it.steepest;
    if (good || !isfinite(gap))
      break;
    find_step(&it, centring * gap / (2.0 * (double)q->count));
    take_step(&it);
  }
  for (size_t i = 0; i < q->count; i++)
    x[i] = vd_min(vd_max(it.x[folded(q, i)], q->low[i]), q->high[i]);
  return good;
}
