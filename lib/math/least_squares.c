#include "math/least_squares.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "math/gsl_quiet.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 50 }; /* at most, each with new weights */
/* relative change of the scatters below which the rounds end */
static const double usual_settled = 1e-5;
static const double usual_difference = 1e-5; /* step of q for derivatives: q is of order 1 */
static const double no_effect = 1e-7;        /* change of the rows, in scatters per 1 of q, that counts as no effect */
static const double usual_singular = 1e-6;   /* smallest singular value of the Jacobian with columns of length 1 */
static const int usual_patience = 5;         /* steps without gain */
static const double nowhere = 1e100;         /* residual at points where the model has no value */
static const double bound_reached = 1e-5;    /* distance from a bound, as a share of the range or of the size */

/* Tuning constants for 95 % efficiency with normal noise (Holland and Welsch, Robust regression using iteratively
 * reweighted least squares, Comm. Statist. A6, 1977). */
static const double huber = 1.345, cauchy = 2.385;

/* Memory of the solver. The arena is filled before the solver takes the lock of vd_gsl_quiet: if memory ran out under
 * the lock, the jump of vd_memory_out would leave the lock taken. The model is called without the lock; if the model
 * runs out of memory, this workspace is not freed. */
typedef struct workspace {
  vd_arena *arena; /* of the vectors and matrices */
  gsl_multifit_nlinear_workspace *trust;
  gsl_vector *x, *size;               /* [parameters] */
  gsl_matrix *j, *scaled;             /* [rows][parameters] */
  gsl_matrix *v, *normal, *mid, *var; /* [parameters][parameters] */
} workspace;

typedef struct solver {
  const vd_ls_problem *problem;
  vd_ls_solution *out;
  workspace w;
  double difference, singular, settled;
  int patience;
  size_t batch;     /* points at which the model is evaluated in one call */
  double *p;        /* [2 batch][parameters] */
  double *value;    /* [rows] of the model */
  double *of_batch; /* [2 batch][rows] */
  double *at;       /* [parameters]: point around which of_batch contains values, if `known` */
  bool known;
  int misses;     /* points of the present step at which the model has no value */
  double *factor; /* [rows], of the residuals */
  double *sorted; /* [rows] */
  double *least;  /* [groups], lower limit of a scatter */
  size_t *column; /* [parameters]: indices of the parameters not at a bound */
} solver;

/* ---- transformation ---- */

static double from_q(const vd_ls_parameter *a, double q) {
  bool low = isfinite(a->low), high = isfinite(a->high);
  double one = 0.5 * q + sqrt(1.0 + 0.25 * q * q);
  if (q < 0.0) /* equal to the formula above, without cancellation */
    one = 1.0 / (sqrt(1.0 + 0.25 * q * q) - 0.5 * q);
  if (low && high)
    return vd_min(vd_max(0.5 * (a->low + a->high) + 0.5 * (a->high - a->low) * q / sqrt(1.0 + q * q), a->low), a->high);
  return low ? a->low + a->size * one : high ? a->high - a->size * one : a->start + a->size * q;
}

/* Returns q of a parameter p. A parameter that starts at a bound would stay there, as dp/dq is 0. It therefore starts
 * away from the bound, by a hundredth of the range, or a fiftieth of the size. */
static double to_q(const vd_ls_parameter *a, double p) {
  bool low = isfinite(a->low), high = isfinite(a->high);
  if (low && high) {
    double y = (p - 0.5 * (a->low + a->high)) / (0.5 * (a->high - a->low));
    y = vd_min(vd_max(y, -0.98), 0.98);
    return y / sqrt(1.0 - y * y);
  }
  double one = vd_max((low ? p - a->low : a->high - p) / a->size, 0.02);
  return low || high ? one - 1.0 / one : (p - a->start) / a->size;
}

static double slope_at(const vd_ls_parameter *a, double q) {
  bool low = isfinite(a->low), high = isfinite(a->high);
  double root = 1.0 + q * q;
  if (low && high)
    return 0.5 * (a->high - a->low) / (root * sqrt(root));
  double slope = 0.5 + 0.25 * q / sqrt(1.0 + 0.25 * q * q);
  return low ? a->size * slope : high ? -a->size * slope : a->size;
}

static bool reaches_bound(const vd_ls_parameter *a, double p) {
  bool both = isfinite(a->low) && isfinite(a->high);
  double scale = both ? a->high - a->low : a->size;
  return vd_min(p - a->low, a->high - p) < bound_reached * scale;
}

/* ---- residuals for GSL ---- */

static bool all_finite(const double *value, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++)
    sum += 0.0 * value[i];
  return sum == 0.0;
}

/* Computes the parameters at q, with `change` added to the q of parameter `changed`. */
static void point_at(const solver *s, const double *q, size_t changed, double change, double *p) {
  const vd_ls_problem *a = s->problem;
  for (size_t k = 0; k < a->parameters; k++)
    p[k] = from_q(&a->parameter[k], k == changed ? q[k] + change : q[k]);
}

/* Computes the values at the first `count` points of s->p, outside of the lock: the model may use GSL itself, and may
 * run out of memory. */
static bool values_at(const solver *s, size_t count, double *value) {
  const vd_ls_problem *a = s->problem;
  vd_gsl_loud();
  if (a->many)
    a->many(a->context, count, s->p, value);
  for (size_t i = 0; i < count && !a->many; i++)
    a->model(a->context, s->p + i * a->parameters, value + i * a->rows);
  vd_gsl_quiet();
  return all_finite(value, count * a->rows);
}

static bool model_at(const solver *s, const double *q, double *value) {
  point_at(s, q, SIZE_MAX, 0.0, s->p);
  return values_at(s, 1, value);
}

/* Writes residuals. If the model has no value, they are so large that the step is not taken. */
static int residuals(const gsl_vector *x, void *context, gsl_vector *f) {
  solver *s = context;
  const vd_ls_problem *a = s->problem;
  bool there = model_at(s, x->data, s->value);
  s->misses += !there;
  for (size_t i = 0; i < a->rows; i++)
    gsl_vector_set(f, i, there ? s->factor[i] * (s->value[i] - a->measured[i]) : nowhere);
  return GSL_SUCCESS;
}

/* Computes central differences. VD_LS_EXPLORE takes differences to one side, since only the direction of its steps
 * matters. */
static int jacobian(const gsl_vector *x, void *context, gsl_matrix *j) {
  solver *s = context;
  const vd_ls_problem *a = s->problem;
  size_t n = a->parameters, m = a->rows, sides = a->work == VD_LS_EXPLORE ? 1 : 2;
  /* a round begins at the point where the previous round ended, so the values there may be known */
  bool known = s->known && memcmp(s->at, x->data, n * sizeof *s->at) == 0;
  s->known = false;
  if (sides == 1 && !model_at(s, x->data, s->value))
    return GSL_EDOM;
  for (size_t first = 0; first < n; first += s->batch) {
    size_t count = s->batch < n - first ? s->batch : n - first;
    for (size_t i = 0; i < count * sides; i++) {
      size_t k = first + i / sides;
      double h = s->difference * vd_max(1.0, fabs(gsl_vector_get(x, k)));
      point_at(s, x->data, k, i % sides + 1 == sides ? h : -h, s->p + i * n);
    }
    if (!known && !values_at(s, count * sides, s->of_batch))
      return GSL_EDOM;
    for (size_t k = first; k < first + count; k++) {
      double h = s->difference * vd_max(1.0, fabs(gsl_vector_get(x, k)));
      const double *up = s->of_batch + ((k - first) * sides + sides - 1) * m, *down = sides == 1 ? s->value : up - m;
      for (size_t i = 0; i < m; i++)
        gsl_matrix_set(j, i, k, s->factor[i] * (up[i] - down[i]) / (sides == 2 ? 2.0 * h : h));
    }
  }
  s->known = s->batch == n;
  memcpy(s->at, x->data, n * sizeof *s->at);
  return GSL_SUCCESS;
}

/* ---- weights ---- */

/* Returns the weight of a row, psi(u)/u with psi = d rho/du. */
static double loss_weight(enum vd_loss loss, double u) {
  switch (loss) {
  case VD_LOSS_SQUARES: return 1.0;
  case VD_LOSS_HUBER: return fabs(u) <= huber ? 1.0 : huber / fabs(u);
  case VD_LOSS_CAUCHY: return 1.0 / (1.0 + u / cauchy * (u / cauchy));
  }
  return NAN;
}

/* Returns d psi/du. */
static double loss_curvature(enum vd_loss loss, double u) {
  double v = u / cauchy * (u / cauchy);
  switch (loss) {
  case VD_LOSS_SQUARES: return 1.0;
  case VD_LOSS_HUBER: return fabs(u) <= huber ? 1.0 : 0.0;
  case VD_LOSS_CAUCHY: return (1.0 - v) / ((1.0 + v) * (1.0 + v));
  }
  return NAN;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the scatter of a group from its residuals: their root mean square, or with robust loss 1.4826 times the
 * median of their magnitudes, which is the standard deviation of normal noise. In both, the group's share of the
 * parameters is subtracted from the number of its rows. */
static double scatter_of(const solver *s, size_t group) {
  const vd_ls_problem *a = s->problem;
  size_t count = 0;
  double squares = 0.0, all = s->out->freedom + (double)a->parameters;
  for (size_t i = 0; i < a->rows; i++)
    if (a->group[i] == group && a->weight[i] > 0.0) {
      double r = a->weight[i] * fabs(s->out->value[i] - a->measured[i]);
      s->sorted[count++] = r;
      squares += r * r;
    }
  if (count == 0)
    return 1.0;
  double share = sqrt(all / s->out->freedom);
  if (a->loss == VD_LOSS_SQUARES)
    return share * sqrt(squares / (double)count);
  qsort(s->sorted, count, sizeof *s->sorted, by_size);
  return share * 1.4826 * 0.5 * (s->sorted[(count - 1) / 2] + s->sorted[count / 2]);
}

static bool is_known(const vd_ls_problem *a, size_t group) {
  return a->known && a->known[group];
}

/* Sets the first scatters to the root mean square of the measured values, so that groups of all units have equal
 * weight. */
static void first_scatters(const solver *s) {
  const vd_ls_problem *a = s->problem;
  for (size_t g = 0; g < a->groups; g++) {
    double squares = 0.0, count = 0.0;
    for (size_t i = 0; i < a->rows; i++)
      if (a->group[i] == g) {
        squares += a->measured[i] * a->measured[i];
        count += 1.0;
      }
    s->out->scatter[g] = squares > 0.0 && !is_known(a, g) ? sqrt(squares / count) : 1.0;
    s->least[g] = 1e-12 * s->out->scatter[g];
  }
}

/* Returns the residual of a row as a multiple of the scatter of its group. */
static double deviation_of(const solver *s, size_t i) {
  const vd_ls_problem *a = s->problem;
  return a->weight[i] * (s->out->value[i] - a->measured[i]) / s->out->scatter[a->group[i]];
}

static void set_factors(const solver *s, enum vd_loss loss) {
  const vd_ls_problem *a = s->problem;
  for (size_t i = 0; i < a->rows; i++) {
    size_t g = a->group[i];
    s->out->row_weight[i] = loss_weight(loss, deviation_of(s, i));
    s->factor[i] = a->emphasis[g] * a->weight[i] / s->out->scatter[g] * sqrt(s->out->row_weight[i]);
  }
}

/* Sets new scatters if there are more rows than parameters, and returns the greatest relative change. A group that the
 * model fits exactly keeps a scatter above 0, so that weights stay finite, and are equal in every round. */
static double update_scatters(const solver *s) {
  double change = 0.0;
  for (size_t g = 0; g < s->problem->groups; g++) {
    if (is_known(s->problem, g) || !(s->out->freedom > 0.0))
      continue;
    double before = s->out->scatter[g], now = vd_max(scatter_of(s, g), s->least[g]);
    change = vd_max(change, fabs(now - before) / before);
    s->out->scatter[g] = now;
  }
  return change;
}

/* ---- a round ---- */

/* True if the search ends. A parameter with an error of 0.01 standard deviations adds 1e-4 of the mean square to the
 * sum, so the search ends after several successive steps that gain less. Otherwise it might never end along a
 * combination of parameters that the rows hardly determine. */
static bool converges(const solver *s, double before, int *still) {
  int why = 0;
  double norm = gsl_blas_dnrm2(s->w.trust->f), cost = norm * norm;
  *still = before - cost <= 1e-4 * cost / vd_max(s->out->freedom, 1.0) ? *still + 1 : 0;
  return gsl_multifit_nlinear_test(1e-10, 1e-12, 0.0, &why, s->w.trust) == GSL_SUCCESS || *still >= s->patience ||
         cost == 0.0;
}

/* Minimises with constant weights. */
static enum vd_ls_status solve_round(solver *s, gsl_multifit_nlinear_fdf *fdf) {
  const vd_ls_problem *a = s->problem;
  gsl_multifit_nlinear_workspace *w = s->w.trust;
  if (gsl_multifit_nlinear_init(s->w.x, fdf, w) != GSL_SUCCESS)
    return VD_LS_NOT_FINITE;
  bool done = false;
  int still = 0;
  for (int i = 0; i < a->iterations && !done; i++) {
    double norm = gsl_blas_dnrm2(w->f);
    s->misses = 0;
    int status = gsl_multifit_nlinear_iterate(w);
    done = status != GSL_SUCCESS || converges(s, norm * norm, &still); /* an error of GSL: rounding prevents progress */
    s->out->iterations++;
    if (a->step)
      a->step(a->context);
  }
  s->out->blocked = s->misses > 0;
  gsl_vector_memcpy(s->w.x, w->x);
  return done ? VD_LS_SOLVED : VD_LS_SLOW;
}

static void take_values(solver *s) {
  const vd_ls_problem *a = s->problem;
  model_at(s, s->w.x->data, s->out->value);
  memcpy(s->out->parameter, s->p, a->parameters * sizeof *s->p);
}

/* ---- what the rows determine ---- */

/* Marks parameters whose column of the Jacobian is nearly zero or a linear combination of the columns before it, by
 * modified Gram-Schmidt in the order of the parameters. s->w.scaled is overwritten. */
static enum vd_ls_status find_dependent(solver *s) {
  gsl_matrix *j = s->w.scaled;
  gsl_matrix_memcpy(j, s->w.j);
  enum vd_ls_status status = VD_LS_SOLVED;
  for (size_t k = 0; k < j->size2; k++) {
    gsl_vector_view column = gsl_matrix_column(j, k);
    double length = gsl_blas_dnrm2(&column.vector);
    s->out->marked[k] = !(length > no_effect);
    if (s->out->marked[k]) {
      status = VD_LS_NO_EFFECT;
      continue;
    }
    gsl_vector_scale(&column.vector, 1.0 / length);
    for (int twice = 0; twice < 2; twice++)
      for (size_t i = 0; i < k; i++) {
        gsl_vector_const_view other = gsl_matrix_const_column(j, i);
        double share;
        gsl_blas_ddot(&other.vector, &column.vector, &share);
        if (!s->out->marked[i])
          gsl_blas_daxpy(-share, &other.vector, &column.vector);
      }
    double rest = gsl_blas_dnrm2(&column.vector);
    s->out->marked[k] = !(rest > s->singular);
    if (s->out->marked[k])
      status = status == VD_LS_NO_EFFECT ? status : VD_LS_UNDETERMINED;
    else
      gsl_vector_scale(&column.vector, 1.0 / rest);
  }
  return status;
}

/* Finds the combination of parameters that changes the rows least, and marks its parameters if the change is below the
 * limit `singular`, in which case it returns true. j is overwritten. */
static bool is_singular(const solver *s, gsl_matrix *j) {
  size_t n = j->size2;
  gsl_matrix_view v = gsl_matrix_submatrix(s->w.v, 0, 0, n, n);
  gsl_vector_view size = gsl_vector_subvector(s->w.size, 0, n);
  for (size_t k = 0; k < n; k++) {
    gsl_vector_view column = gsl_matrix_column(j, k);
    gsl_vector_scale(&column.vector, 1.0 / gsl_blas_dnrm2(&column.vector));
  }
  gsl_linalg_SV_decomp_jacobi(j, &v.matrix, &size.vector);
  bool found = !(gsl_vector_get(&size.vector, n - 1) > s->singular * gsl_vector_get(&size.vector, 0));
  for (size_t k = 0; k < n && found; k++)
    s->out->marked[s->column[k]] = fabs(gsl_matrix_get(&v.matrix, k, n - 1)) > 0.1;
  return found;
}

/* Returns the factor by which robust loss changes standard deviations of the parameters that are computed without
 * robust weights (Huber, Robust Statistics, 1981, ch. 7.6). */
static double robust_factor(const solver *s) {
  const vd_ls_problem *a = s->problem;
  double psi2 = 0.0, curve = 0.0, curve2 = 0.0, count = s->out->freedom + (double)a->parameters;
  if (a->loss == VD_LOSS_SQUARES)
    return 1.0;
  for (size_t i = 0; i < a->rows; i++)
    if (a->weight[i] > 0.0) {
      double u = deviation_of(s, i), psi = u * loss_weight(a->loss, u), slope = loss_curvature(a->loss, u);
      psi2 += psi * psi;
      curve += slope;
      curve2 += slope * slope;
    }
  double mean = curve / count, variance = curve2 / count - mean * mean;
  double k = 1.0 + (double)a->parameters / count * variance / (mean * mean);
  return k * sqrt(psi2 / s->out->freedom) / mean;
}

/* Computes the covariance of the parameters from j, the derivatives of the rows with respect to the parameters, divided
 * by the scatters: A^-1 B A^-1 with the sums over the rows A = sum e^2 j j' and B = sum e^4 j j', where e is the
 * emphasis of the row's group. If all e are 1, this is A^-1. */
static bool find_covariance(const solver *s, const gsl_matrix *j) {
  const vd_ls_problem *a = s->problem;
  size_t n = j->size2;
  gsl_matrix_view normal = gsl_matrix_submatrix(s->w.normal, 0, 0, n, n);
  gsl_matrix_view mid = gsl_matrix_submatrix(s->w.mid, 0, 0, n, n), var = gsl_matrix_submatrix(s->w.var, 0, 0, n, n);
  gsl_matrix_set_zero(&normal.matrix);
  gsl_matrix_set_zero(&mid.matrix);
  for (size_t i = 0; i < a->rows; i++) {
    gsl_vector_const_view row = gsl_matrix_const_row(j, i);
    double e = a->emphasis[a->group[i]] * a->emphasis[a->group[i]];
    gsl_blas_dsyr(CblasLower, e, &row.vector, &normal.matrix);
    gsl_blas_dsyr(CblasLower, e * e, &row.vector, &mid.matrix);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++)
      gsl_matrix_set(&mid.matrix, i, k, gsl_matrix_get(&mid.matrix, k, i));
  if (gsl_linalg_cholesky_decomp1(&normal.matrix) != GSL_SUCCESS ||
      gsl_linalg_cholesky_invert(&normal.matrix) != GSL_SUCCESS)
    return false;
  gsl_matrix *half = s->w.v;
  gsl_matrix_view product = gsl_matrix_submatrix(half, 0, 0, n, n);
  gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &normal.matrix, &mid.matrix, 0.0, &product.matrix);
  gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &product.matrix, &normal.matrix, 0.0, &var.matrix);
  double factor = robust_factor(s);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      s->out->covariance[s->column[i] * a->parameters + s->column[k]] =
          factor * factor * gsl_matrix_get(&var.matrix, i, k);
  return true;
}

/* Finds which parameters the rows determine, and their covariance. Parameters at their bounds are treated as known. */
static enum vd_ls_status judge(solver *s) {
  const vd_ls_problem *a = s->problem;
  size_t n = 0;
  for (size_t i = 0; i < a->rows; i++) /* without emphasis and robust weights */
    s->factor[i] = a->weight[i] / s->out->scatter[a->group[i]];
  if (jacobian(s->w.x, s, s->w.j) != GSL_SUCCESS)
    return VD_LS_NOT_FINITE;
  for (size_t k = 0; k < a->parameters; k++) {
    s->out->at_bound[k] = reaches_bound(&a->parameter[k], s->out->parameter[k]);
    if (s->out->at_bound[k])
      continue;
    gsl_vector_view from = gsl_matrix_column(s->w.j, k), to = gsl_matrix_column(s->w.j, n);
    gsl_vector_scale(&from.vector, 1.0 / slope_at(&a->parameter[k], gsl_vector_get(s->w.x, k)));
    if (n < k)
      gsl_vector_memcpy(&to.vector, &from.vector);
    s->column[n++] = k;
  }
  if (n == 0)
    return VD_LS_SOLVED;
  gsl_matrix_view own = gsl_matrix_submatrix(s->w.j, 0, 0, a->rows, n);
  gsl_matrix_view copy = gsl_matrix_submatrix(s->w.scaled, 0, 0, a->rows, n);
  gsl_matrix_memcpy(&copy.matrix, &own.matrix);
  return is_singular(s, &copy.matrix) || !find_covariance(s, &own.matrix) ? VD_LS_UNDETERMINED : VD_LS_SOLVED;
}

/* ---- all rounds ---- */

static enum vd_ls_status solve(solver *s) {
  const vd_ls_problem *a = s->problem;
  gsl_multifit_nlinear_fdf fdf = {.f = residuals, .df = jacobian, .n = a->rows, .p = a->parameters, .params = s};
  take_values(s);
  first_scatters(s);
  set_factors(s, VD_LOSS_SQUARES);
  if (!all_finite(s->out->value, a->rows) || jacobian(s->w.x, s, s->w.j) != GSL_SUCCESS)
    return VD_LS_NOT_FINITE;
  enum vd_ls_status status = a->work == VD_LS_EXPLORE ? VD_LS_SOLVED : find_dependent(s);
  bool again = status == VD_LS_SOLVED && a->work != VD_LS_CHECK;
  for (int round = 0; round < ROUNDS && again; round++) {
    status = solve_round(s, &fdf);
    if (status == VD_LS_NOT_FINITE)
      return status;
    take_values(s);
    double change = update_scatters(s);
    again = change > s->settled && (a->groups > 1 || a->loss != VD_LOSS_SQUARES) && a->work == VD_LS_SOLVE;
    set_factors(s, a->loss);
  }
  if ((status != VD_LS_SOLVED && status != VD_LS_SLOW) || a->work != VD_LS_SOLVE)
    return status;
  enum vd_ls_status judged = judge(s);
  return judged == VD_LS_SOLVED ? status : judged;
}

static void without_parameters(solver *s) {
  const vd_ls_problem *a = s->problem;
  a->model(a->context, s->p, s->out->value);
  first_scatters(s);
  update_scatters(s);
  set_factors(s, a->loss);
  s->out->status = all_finite(s->out->value, a->rows) ? VD_LS_SOLVED : VD_LS_NOT_FINITE;
}

static gsl_matrix *matrix_of(size_t rows, size_t columns, vd_arena *arena) {
  gsl_matrix_view *view = vd_arena_alloc(arena, sizeof *view);
  *view = gsl_matrix_view_array(vd_arena_alloc(arena, rows * columns * sizeof(double)), rows, columns);
  return &view->matrix;
}

static gsl_vector *vector_of(size_t count, vd_arena *arena) {
  gsl_vector_view *view = vd_arena_alloc(arena, sizeof *view);
  *view = gsl_vector_view_array(vd_arena_alloc(arena, count * sizeof(double)), count);
  return &view->vector;
}

static void make_workspace(size_t m, size_t n, workspace *w) {
  vd_arena *arena = vd_arena_create();
  *w = (workspace){.arena = arena,
                   .x = vector_of(n, arena),
                   .size = vector_of(n, arena),
                   .j = matrix_of(m, n, arena),
                   .scaled = matrix_of(m, n, arena),
                   .v = matrix_of(n, n, arena),
                   .normal = matrix_of(n, n, arena),
                   .mid = matrix_of(n, n, arena),
                   .var = matrix_of(n, n, arena)};
}

void vd_ls_solve(const vd_ls_problem *a, vd_arena *arena, vd_ls_solution *out) {
  size_t n = a->parameters, m = a->rows;
  double *of_rows = vd_arena_alloc(arena, 5 * m * sizeof *of_rows);
  double *of_parameters = vd_arena_alloc(arena, (1 + n) * n * sizeof *of_parameters);
  size_t batch = a->many ? n : 1;
  bool *flags = vd_arena_alloc(arena, 2 * n * sizeof *flags);
  *out = (vd_ls_solution){.parameter = of_parameters,
                          .covariance = of_parameters + n,
                          .at_bound = flags,
                          .marked = flags + n,
                          .value = of_rows,
                          .row_weight = of_rows + m,
                          .scatter = vd_arena_alloc(arena, a->groups * sizeof *out->scatter)};
  solver s = {.problem = a,
              .out = out,
              .difference = a->difference > 0.0 ? a->difference : usual_difference,
              .singular = a->singular > 0.0 ? a->singular : usual_singular,
              .settled = a->settled > 0.0 ? a->settled : usual_settled,
              .patience = a->patience > 0 ? a->patience : usual_patience,
              .batch = batch,
              .p = vd_arena_alloc(arena, (2 * batch * n + 1) * sizeof *s.p),
              .value = of_rows + 2 * m,
              .of_batch = vd_arena_alloc(arena, (2 * batch * m + 1) * sizeof *s.of_batch),
              .at = vd_arena_alloc(arena, (n + 1) * sizeof *s.at),
              .factor = of_rows + 3 * m,
              .sorted = of_rows + 4 * m,
              .least = vd_arena_alloc(arena, a->groups * sizeof *s.least),
              .column = vd_arena_alloc(arena, n * sizeof *s.column)};
  for (size_t i = 0; i < m; i++)
    out->freedom += a->weight[i] > 0.0 ? 1.0 : 0.0;
  out->freedom -= (double)n;
  if (n == 0) {
    without_parameters(&s);
    return;
  }
  make_workspace(m, n, &s.w);
  for (size_t k = 0; k < n; k++)
    gsl_vector_set(s.w.x, k, to_q(&a->parameter[k], a->parameter[k].start));
  vd_gsl_quiet();
  /* VD_LS_CHECK accepts any number of rows; the solver of GSL needs at least as many as parameters */
  gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
  if (a->work != VD_LS_CHECK)
    s.w.trust = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, m, n);
  bool made = a->work == VD_LS_CHECK || s.w.trust;
  if (made)
    out->status = solve(&s);
  gsl_multifit_nlinear_free(s.w.trust);
  vd_gsl_loud();
  vd_arena_destroy(s.w.arena);
  if (!made)
    vd_memory_out();
}

double vd_ls_cost(const vd_ls_problem *a, const double *value) {
  double cost = 0.0;
  for (size_t g = 0; g < a->groups; g++) {
    double squares = 0.0, rest = 0.0;
    for (size_t i = 0; i < a->rows; i++)
      if (a->group[i] == g) {
        double residual = a->weight[i] * (value[i] - a->measured[i]);
        squares += a->measured[i] * a->measured[i];
        rest += residual * residual;
      }
    cost += is_known(a, g) ? rest : squares > 0.0 ? rest / squares : 0.0;
  }
  return cost;
}

double vd_ls_quantile(double confidence, double freedom) {
  double p = 0.5 + 0.5 * confidence;
  return isinf(freedom) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, freedom);
}
