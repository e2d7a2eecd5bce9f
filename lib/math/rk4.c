#include "math/rk4.h"

#include "base/base.h"
#include "base/elementary.h"

#include <assert.h>
#include <math.h>

/* The exponential functions of one decaying state; see vd_rk4_decaying. */
typedef struct weights {
  double half1, half2, all1, all2; /* half: phi1 and phi2 at z/2; all: at z */
  double middle, last;             /* middle: 2 phi2 - 4 phi3; last: b4 */
} weights;

/* The recursion to greater k multiplies rounding errors by 1/z at each function, the recursion to smaller k by z. For
 * small z, phi_3 therefore comes from a series and the others follow downwards. */
void vd_phi(double z, double phi[3]) {
  enum { TERMS = 12 };
  if (z < -0.5) {
    phi[0] = (vd_exp(z) - 1.0) / z;
    phi[1] = (phi[0] - 1.0) / z;
    phi[2] = (phi[1] - 0.5) / z;
    return;
  }
  double sum = 1.0; /* sum of 3! z^k/(k + 3)! */
  for (int k = TERMS; k > 0; k--)
    sum = 1.0 + sum * z / (k + 3);
  phi[2] = sum / 6.0;
  phi[1] = 0.5 + z * phi[2];
  phi[0] = 1.0 + z * phi[1];
}

/* Computes phi at z from phi at z/2: phi2(2 y) = (phi1(y)^2 + 2 phi2(y))/4, and phi1 and phi3 likewise. */
static void find_weights(double z, weights *w) {
  double y[3];
  vd_phi(0.5 * z, y);
  double phi3 = 0.125 * (y[0] * y[1] + y[1] + 2.0 * y[2]);
  w->half1 = y[0];
  w->half2 = y[1];
  w->all1 = y[0] * (1.0 + 0.25 * z * y[0]);
  w->all2 = 0.25 * (y[0] * y[0] + 2.0 * y[1]);
  w->middle = 2.0 * w->all2 - 4.0 * phi3;
  w->last = 4.0 * phi3 - w->all2;
}

/* The decaying states' deviations w from x + drift t. */
typedef struct deviations {
  int count; /* 0: the step is the classical one */
  weights by[VD_DECAYING];
  double start[VD_DECAYING], first_change[VD_DECAYING]; /* x at the start; h (f_1 - drift) */
  /* w: of the last stage; sum_d: D_2, then D_2 + D_3 (D as in vd_rk4_decaying) */
  double w[VD_DECAYING], sum_d[VD_DECAYING];
} deviations;

/* Replaces the classical step's value of a decaying state by `value`; states that react to it change accordingly. */
static void replace_value(const vd_decay *decay, int j, double value, double *y) {
  double gap = y[decay->state[j]] - value;
  y[decay->state[j]] = value;
  for (int b = 0; b < VD_REACTING; b++)
    y[decay->reacting[b]] += decay->reaction[b][j] * gap;
}

static void correct_second_stage(const vd_decay *decay, double h, const double *k1, const double *x, deviations *d,
                                 double *y) {
  double fastest = 0.0;
  for (int j = 0; j < decay->count; j++)
    fastest = vd_max(fastest, decay->rate[j]);
  d->count = fastest * h <= (decay->half ? 0.5 : 1.0) ? 0 : decay->count;
  for (int j = 0; j < d->count; j++) {
    int i = decay->state[j];
    find_weights(-decay->rate[j] * h, &d->by[j]);
    d->start[j] = x[i];
    d->first_change[j] = h * (k1[i] - decay->drift[j]);
    d->w[j] = 0.5 * d->by[j].half1 * d->first_change[j];
    replace_value(decay, j, x[i] + 0.5 * h * decay->drift[j] + d->w[j], y);
  }
}

static void correct_third_stage(const vd_decay *decay, double h, const double *k1, const double *k2, deviations *d,
                                double *y) {
  for (int j = 0; j < d->count; j++) {
    int i = decay->state[j];
    d->sum_d[j] = k2[i] - k1[i] + decay->rate[j] * d->w[j];
    d->w[j] += h * d->by[j].half2 * d->sum_d[j];
    replace_value(decay, j, d->start[j] + 0.5 * h * decay->drift[j] + d->w[j], y);
  }
}

static void correct_fourth_stage(const vd_decay *decay, double h, const double *k1, const double *k3, deviations *d,
                                 double *y) {
  for (int j = 0; j < d->count; j++) {
    int i = decay->state[j];
    double d3 = k3[i] - k1[i] + decay->rate[j] * d->w[j];
    d->sum_d[j] += d3;
    d->w[j] = d->by[j].all1 * d->first_change[j] + 2.0 * h * d->by[j].all2 * d3;
    replace_value(decay, j, d->start[j] + h * decay->drift[j] + d->w[j], y);
  }
}

static void correct_end(const vd_decay *decay, double h, const double *k1, deviations *d, double *x, double *k4) {
  for (int j = 0; j < d->count; j++) {
    int i = decay->state[j];
    double d4 = k4[i] - k1[i] + decay->rate[j] * d->w[j];
    double end = d->by[j].all1 * d->first_change[j] + h * (d->by[j].middle * d->sum_d[j] + d->by[j].last * d4);
    replace_value(decay, j, d->start[j] + h * decay->drift[j] + end, x);
    double fast = decay->rate[j] * (d->w[j] - end); /* change of N - rate x from stage 4 to the end */
    k4[i] += fast;
    for (int b = 0; b < VD_REACTING; b++)
      k4[decay->reacting[b]] -= decay->reaction[b][j] * fast;
  }
}

VD_WIDE void vd_rk4_decaying(vd_rates_fn *f, void *context, double h, int n, const vd_decay *decay, const double *k1,
                             double *x, double *k4) {
  double k2[VD_MAX_STATES], k3[VD_MAX_STATES], y[VD_MAX_STATES];
  deviations d;
  assert(n >= 1 && n <= VD_MAX_STATES && decay->count <= VD_DECAYING);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + 0.5 * h * k1[i];
  correct_second_stage(decay, h, k1, x, &d, y);
  f(context, 1, y, k2);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + 0.5 * h * k2[i];
  correct_third_stage(decay, h, k1, k2, &d, y);
  f(context, 2, y, k3);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + h * k3[i];
  correct_fourth_stage(decay, h, k1, k3, &d, y);
  f(context, 3, y, k4);

  for (int i = 0; i < n; i++)
    x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
  correct_end(decay, h, k1, &d, x, k4);
}

void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x) {
  double k4[VD_MAX_STATES];
  static const vd_decay none = {.count = 0};
  vd_rk4_decaying(f, context, h, n, &none, k1, x, k4);
}

/* Computes four independent sums, which the processor computes in parallel. */
VD_WIDE double vd_rk4_error(double h, int n, const double *k4, const double *end, const double *weight) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) {
      double e = (k4[i + k] - end[i + k]) * weight[i + k];
      sum[k] += e * e;
    }
  for (; i < n; i++) {
    double e = (k4[i] - end[i]) * weight[i];
    sum[0] += e * e;
  }
  return h / 6.0 * sqrt(sum[0] + sum[1] + (sum[2] + sum[3]));
}

VD_WIDE double vd_step_gap(const vd_step_ends *step, const double *weight) {
  const double half = 0.5 * step->h, *x0 = step->x0, *x1 = step->x1, *f0 = step->rates0, *f1 = step->rates1;
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= step->n; i += 4)
    for (int k = 0; k < 4; k++) {
      double e = (half * (f0[i + k] + f1[i + k]) - (x1[i + k] - x0[i + k])) * weight[i + k];
      sum[k] += e * e;
    }
  for (; i < step->n; i++) {
    double e = (half * (f0[i] + f1[i]) - (x1[i] - x0[i])) * weight[i];
    sum[0] += e * e;
  }
  return sqrt(sum[0] + sum[1] + (sum[2] + sum[3]));
}

const double vd_dense_place = 0.21132486540518712;
static const double bump_slope = 0.19245008972987526; /* slope of s^2 (1 - s)^2 at vd_dense_place, sqrt(3)/9 */

VD_WIDE void vd_dense_at(const vd_dense *d, double s, double *restrict x) {
  const vd_step_ends *e = &d->of;
  double r = 1.0 - s, rise = s * s * (3.0 - 2.0 * s), s0 = e->h * s * r * r, s1 = -e->h * s * s * r,
         bump = s * s * r * r;
  for (int i = 0; i < e->n; i++)
    x[i] = e->x0[i] + rise * (e->x1[i] - e->x0[i]) + s0 * e->rates0[i] + s1 * e->rates1[i] + bump * d->c[i];
}

VD_WIDE void vd_dense_continue(vd_dense *d, double before, const double *rates) {
  const vd_step_ends *e = &d->of;
  double s = -before / e->h, r = 1.0 - s, rise = 6.0 * s * r, s0 = r * (1.0 - 3.0 * s), s1 = s * (3.0 * s - 2.0);
  double inverse = 1.0 / (2.0 * s * r * (r - s));
  for (int i = 0; i < e->n; i++)
    d->c[i] = (e->h * (rates[i] - s0 * e->rates0[i] - s1 * e->rates1[i]) - rise * (e->x1[i] - e->x0[i])) * inverse;
}

VD_WIDE void vd_dense_complete(vd_dense *d, const double *rates) {
  const vd_step_ends *e = &d->of;
  double s = vd_dense_place, r = 1.0 - s, rise = 6.0 * s * r, s0 = r * (1.0 - 3.0 * s), s1 = s * (3.0 * s - 2.0);
  for (int i = 0; i < e->n; i++)
    d->c[i] = (e->h * (rates[i] - s0 * e->rates0[i] - s1 * e->rates1[i]) - rise * (e->x1[i] - e->x0[i])) / bump_slope;
}
