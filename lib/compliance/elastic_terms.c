#include "compliance/elastic_terms.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/wide.h"
#include "math/lu.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = VD_ELASTIC_PAIR_TERMS };

/* The equations of a sample: the slopes and second derivatives ("bends") of its energy. They do not determine a
 * constant. */
#define BENDS(loads)     ((loads) * ((loads) + 1) / 2)
#define EQUATIONS(loads) ((loads) + BENDS(loads))
enum { MOST_EQUATIONS = EQUATIONS(VD_ELASTIC_PAIR) };

/* Weight of second derivatives, whose errors in a polynomial are greater than those of first derivatives. */
static const double bend_weight = 0.5;

/* --- sums and differences --- */

void vd_elastic_sums(double *pair) {
  const double share = sqrt(0.5);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    double left = pair[j], right = pair[VD_ELASTIC_LOADS + j];
    pair[j] = share * (left + right);
    pair[VD_ELASTIC_LOADS + j] = share * (left - right);
  }
}

void vd_elastic_sum_sample(vd_elastic_sample *sample) {
  vd_elastic_sums(sample->load);
  vd_elastic_sums(sample->slope);
  for (int i = 0; i < VD_ELASTIC_PAIR; i++)
    vd_elastic_sums(sample->bend[i]);
  for (int j = 0; j < VD_ELASTIC_PAIR; j++) {
    double column[VD_ELASTIC_PAIR];
    for (int i = 0; i < VD_ELASTIC_PAIR; i++)
      column[i] = sample->bend[i][j];
    vd_elastic_sums(column);
    for (int i = 0; i < VD_ELASTIC_PAIR; i++)
      sample->bend[i][j] = column[i];
  }
}

/* --- the terms at loads --- */

/* A term and its derivatives: by the loads, then second derivatives by pairs of loads, (0, 0), (1, 0), (1, 1), (2, 0)
 * ... */
typedef struct term_at {
  double of[1 + MOST_EQUATIONS];
} term_at;

static int bend_of(int loads, int a, int b) {
  int more = a > b ? a : b, less = a > b ? b : a;
  return 1 + loads + more * (more + 1) / 2 + less;
}

/* Computes terms by the product rule: a term is its parent times its last load. bends: second derivatives are computed,
 * too. Nodes that only extend a group have no coefficients and are neither written nor read. */
VD_INLINE void terms_at(const vd_elastic_tree *t, int loads, bool bends, const double *x, term_at *term) {
  const int count = 1 + (bends ? EQUATIONS(loads) : loads);
  memset(term[0].of, 0, (size_t)count * sizeof term->of[0]);
  term[0].of[0] = 1.0;
  for (int r = 0; r < t->runs; r++) {
    const int j = t->run[r].load;
    int bend[VD_ELASTIC_PAIR];
    for (int a = 0; a < loads; a++)
      bend[a] = bend_of(loads, a, j);
    for (int i = t->run[r].from; i < t->run[r].to; i++) {
      const double *restrict parent = term[t->parent[i]].of;
      double *restrict own = term[i].of;
      for (int k = 0; k < count; k++)
        own[k] = parent[k] * x[j];
      own[1 + j] += parent[0];
      for (int a = 0; bends && a < loads; a++)
        own[bend[a]] += parent[1 + a];
      if (bends)
        own[bend[j]] += parent[1 + j];
    }
  }
}

/* Sums the terms, each times its coefficient, with their first `count' values and derivatives. */
static void add_up(const vd_elastic_tree *tree, const double *coefficient, const term_at *term, int count,
                   double *restrict sum) {
  for (int k = 0; k < count; k++)
    sum[k] = 0.0;
  for (int i = 0; i < tree->nodes; i++)
    if (coefficient[i] != 0.0)
      vd_row_less(-coefficient[i], term[i].of, (size_t)count, sum);
}

VD_WIDE void vd_elastic_sum(const vd_elastic_tree *tree, int loads, const double *coefficient,
                            vd_elastic_sample *sample) {
  term_at term[VD_ELASTIC_NODES];
  double sum[1 + VD_ELASTIC_PAIR];
  terms_at(tree, loads, false, sample->load, term);
  add_up(tree, coefficient, term, 1 + loads, sum);
  sample->energy = sum[0];
  memset(sample->slope, 0, sizeof sample->slope);
  memcpy(sample->slope, sum + 1, (size_t)loads * sizeof *sum);
}

VD_WIDE double vd_elastic_largest_turn(const vd_elastic_tree *tree, int loads, const double *unit, const double *load,
                                       const double *coefficients, int rows) {
  term_at term[VD_ELASTIC_NODES];
  double worst = 0.0, slope[VD_ELASTIC_NODES]; /* of all terms by a load */
  terms_at(tree, loads, false, load, term);
  for (int j = 0; j < loads; j++) {
    if (!vd_elastic_is_turn(j))
      continue;
    for (int i = 0; i < tree->nodes; i++)
      slope[i] = tree->powers[i] == VD_ELASTIC_NO_TERM ? 0.0 : term[i].of[1 + j];
    for (int r = 0; r < rows; r++) {
      const double turn = vd_inner(coefficients + r * tree->nodes, slope, (size_t)tree->nodes);
      worst = vd_max(worst, fabs(turn) / unit[j % VD_ELASTIC_LOADS]);
    }
  }
  return worst;
}

/* --- least squares --- */

/* If the loads come in opposite pairs, terms of even and of odd degree do not depend on each other: the sums of their
 * products vanish. Then the terms are fitted in two parts, otherwise in one. */
enum { MOST_PARTS = 2 };

/* The terms on which each equation depends, those of the first part first; terms that are not fitted come last. Of the
 * terms of one wheel half have a nonzero derivative by a given load, and a fifth a given nonzero second derivative; of
 * those of a pair of wheels it is 3/13 and 1/26. */
typedef struct equations {
  int loads, count[MOST_EQUATIONS], numbers; /* numbers: sum of all counts */
  int end[MOST_PARTS][MOST_EQUATIONS];       /* of the terms of each part */
  unsigned short term[MOST_EQUATIONS][TERMS];
  double scale[MOST_EQUATIONS];
} equations;

static void list_term(unsigned powers, int i, equations *q) {
  for (int a = 0, e = q->loads; a < q->loads; a++) {
    if (vd_elastic_power_of(powers, a) > 0)
      q->term[a][q->count[a]++] = (unsigned short)i;
    for (int b = 0; b <= a; b++, e++)
      if (vd_elastic_power_of(powers, a) > (a == b) && vd_elastic_power_of(powers, b) > 0)
        q->term[e][q->count[e]++] = (unsigned short)i;
  }
}

static void scale_equations(int loads, const double *unit, equations *q) {
  q->numbers = 0;
  for (int e = 0; e < EQUATIONS(loads); e++)
    q->numbers += q->count[e];
  for (int a = 0, e = loads; a < loads; a++) {
    const double own = unit[a % VD_ELASTIC_LOADS];
    q->scale[a] = 1.0 / own;
    for (int b = 0; b <= a; b++)
      q->scale[e++] = bend_weight / sqrt(own * unit[b % VD_ELASTIC_LOADS]);
  }
}

struct vd_elastic_fit {
  equations q;
  int nodes, terms, samples;    /* numbers of nodes of the tree, of its terms, and of samples */
  int parts, end[MOST_PARTS];   /* the fitted terms are in the order of the parts; end[parts - 1]: all of them */
  unsigned short number[TERMS]; /* number of a term among those fitted */
  unsigned short node[TERMS];   /* node of a fitted term */
  double *row;                  /* [equation][sample], each row with the terms of its equation only */
  double mean[TERMS];           /* of each term over the loads */
  double matrix[TERMS][TERMS];  /* normal equations; then their Cholesky factor, on and above the diagonal */
};

static bool in_part(const vd_elastic_fit *f, unsigned powers, int part) {
  return f->parts == 1 || vd_elastic_degree(powers) % 2 == part;
}

static void list_terms(const vd_elastic_tree *t, int below, vd_elastic_fit *f) {
  int fitted = 0;
  for (int part = 0; part < f->parts; part++) {
    for (int i = 0; i < f->terms; i++)
      if (vd_elastic_degree(t->powers[i]) < below && in_part(f, t->powers[i], part)) {
        list_term(t->powers[i], i, &f->q);
        f->number[i] = (unsigned short)fitted;
        f->node[fitted++] = (unsigned short)i;
      }
    f->end[part] = fitted;
    memcpy(f->q.end[part], f->q.count, sizeof f->q.count);
  }
  for (int i = 0; i < f->terms; i++)
    if (vd_elastic_degree(t->powers[i]) >= below)
      list_term(t->powers[i], i, &f->q);
}

static bool come_in_pairs(int loads, double (*load)[VD_ELASTIC_PAIR], int samples) {
  for (int i = 0; i < samples; i++) {
    int k = 0, same = 0;
    for (; k < samples && same < loads; k++)
      for (same = 0; same < loads && load[k][same] == -load[i][same];)
        same++;
    if (same < loads)
      return false;
  }
  return true;
}

/* Computes the rows of sample k: the sum of the coefficients times a row is a slope or a bend. */
static void find_rows(const vd_elastic_tree *tree, const double *load, int k, vd_elastic_fit *f) {
  const equations *q = &f->q;
  term_at term[VD_ELASTIC_NODES];
  terms_at(tree, q->loads, true, load, term);
  for (int i = 0; i < f->terms; i++)
    f->mean[i] += term[i].of[0] / f->samples;
  double *first = f->row;
  for (int e = 0; e < EQUATIONS(q->loads); first += q->count[e++] * f->samples)
    for (int i = 0; i < q->count[e]; i++)
      first[k * q->count[e] + i] = q->scale[e] * term[q->term[e][i]].of[1 + e];
}

/* Adds four rows, `apart' numbers apart, each times its factor: the sum is loaded and stored once for all of them. */
static inline void add_four(const double factor[4], const double *restrict row, size_t apart, size_t n,
                            double *restrict sum) {
  const double *restrict one = row + apart, *restrict two = one + apart, *restrict three = two + apart;
  for (size_t j = 0; j < n; j++)
    sum[j] += (factor[0] * row[j] + factor[1] * one[j]) + (factor[2] * two[j] + factor[3] * three[j]);
}

/* Adds one equation of all samples to the normal equations of a part. Each sum over all samples is computed first and
 * then added. */
static void gather(const double *row, int e, int part, vd_elastic_fit *f) {
  const int first = part > 0 ? f->q.end[part - 1][e] : 0, end = f->q.end[part][e];
  const unsigned short *term = f->q.term[e];
  const size_t apart = (size_t)f->q.count[e];
  for (int i = first; i < end; i++) {
    double sum[TERMS], *to = f->matrix[f->number[term[i]]];
    const double *of = row + i;
    const size_t rest = (size_t)(end - i);
    int k = 0;
    for (int j = i; j < end; j++)
      sum[j] = 0.0;
    for (; k + 4 <= f->samples; k += 4, of += 4 * apart) {
      const double own[4] = {of[0], of[apart], of[2 * apart], of[3 * apart]};
      add_four(own, of, apart, rest, sum + i);
    }
    for (; k < f->samples; k++, of += apart)
      vd_row_less(-of[0], of, rest, sum + i);
    for (int j = i; j < end; j++)
      to[f->number[term[j]]] += sum[j];
  }
}

/* Replaces rows and columns `first' to end - 1 of a matrix A, on and above its diagonal, by their Cholesky factor U,
 * U'U = A. A consists of sums of products of monomials over an evenly filled ball, with a condition number of about
 * 1e6. */
static void factorise(double matrix[TERMS][TERMS], int first, int end) {
  enum { BLOCK = 4 }; /* number of rows that are subtracted at once from another row */
  for (int from = first; from < end; from += BLOCK) {
    const int to = from + BLOCK < end ? from + BLOCK : end;
    for (int k = from; k < to; k++) {
      double *pivot = matrix[k], scale = 1.0 / sqrt(pivot[k]);
      for (int j = k; j < end; j++)
        pivot[j] *= scale;
      for (int i = k + 1; i < to; i++)
        vd_row_less(pivot[i], pivot + i, (size_t)(end - i), matrix[i] + i);
    }
    for (int i = to; i < end; i++) {
      const double *row = matrix[from] + i;
      const double factor[BLOCK] = {-row[0], -row[TERMS], -row[2 * TERMS], -row[3 * TERMS]};
      add_four(factor, row, TERMS, (size_t)(end - i), matrix[i] + i);
    }
  }
}

/* Solves the equations `first' to end - 1; x is the right side, then the solution. */
static void resolve(const double (*matrix)[TERMS], int first, int end, double *x) {
  for (int k = first; k < end; k++) {
    x[k] /= matrix[k][k];
    vd_row_less(x[k], matrix[k] + k + 1, (size_t)(end - k - 1), x + k + 1);
  }
  for (int k = end - 1; k >= first; k--)
    x[k] = (x[k] - vd_inner(matrix[k] + k + 1, x + k + 1, (size_t)(end - k - 1))) / matrix[k][k];
}

VD_INLINE int first_of(const vd_elastic_fit *f, int part) {
  return part > 0 ? f->end[part - 1] : 0;
}

VD_WIDE vd_elastic_fit *vd_elastic_fit_create(const vd_elastic_tree *tree, int below, int loads, const double *unit,
                                              double (*load)[VD_ELASTIC_PAIR], int samples) {
  vd_elastic_fit *f = vd_allocate(1, sizeof *f);
  f->nodes = tree->nodes;
  f->terms = tree->runs ? tree->run[tree->runs - 1].to : 1; /* one group; nodes that only extend it do not count */
  f->samples = samples;
  f->q.loads = loads;
  f->parts = come_in_pairs(loads, load, samples) ? 2 : 1;
  list_terms(tree, below, f);
  scale_equations(loads, unit, &f->q);
  f->row = vd_allocate((size_t)(samples * f->q.numbers), sizeof *f->row);
  for (int k = 0; k < samples; k++)
    find_rows(tree, load[k], k, f);
  f->matrix[0][0] = 1.0; /* for the constant */
  for (int part = 0; part < f->parts; part++) {
    const double *row = f->row;
    for (int e = 0; e < EQUATIONS(loads); row += f->q.count[e++] * samples)
      gather(row, e, part, f);
    factorise(f->matrix, first_of(f, part), f->end[part]);
  }
  return f;
}

void vd_elastic_fit_destroy(vd_elastic_fit *f) {
  free(f->row);
  free(f);
}

/* Adds the rows of one equation, each times the residual of its sample's slope or bend after the known terms. */
static void add_right(const vd_elastic_fit *f, int e, const double *row, const double *known, const double *value,
                      double *right) {
  const int count = f->q.count[e], fitted = f->q.end[f->parts - 1][e];
  const unsigned short *term = f->q.term[e];
  double sum[TERMS] = {0.0}, before[TERMS];
  for (int i = 0; known && i < count; i++)
    before[i] = known[term[i]];
  int k = 0;
  for (; k + 4 <= f->samples; k += 4, row += 4 * count) {
    double left[4];
    for (int i = 0; i < 4; i++)
      left[i] = f->q.scale[e] * value[k + i] - (known ? vd_inner(row + i * count, before, (size_t)count) : 0.0);
    add_four(left, row, (size_t)count, (size_t)fitted, sum);
  }
  for (; k < f->samples; k++, row += count) {
    const double left = f->q.scale[e] * value[k] - (known ? vd_inner(row, before, (size_t)count) : 0.0);
    vd_row_less(-left, row, (size_t)fitted, sum);
  }
  for (int i = 0; i < fitted; i++)
    right[f->number[term[i]]] += sum[i];
}

VD_WIDE void vd_elastic_fit_solve(const vd_elastic_fit *f, const double *known, const vd_elastic_sample *sample,
                                  double *coefficient) {
  const int loads = f->q.loads;
  const double *row = f->row;
  double *value = vd_allocate((size_t)f->samples, sizeof *value), right[TERMS] = {0.0}, energy = 0.0;
  for (int e = 0, a = 0, b = 0; e < EQUATIONS(loads); row += f->q.count[e++] * f->samples) {
    for (int k = 0; k < f->samples; k++)
      value[k] = e < loads ? sample[k].slope[e] : sample[k].bend[a][b];
    add_right(f, e, row, known, value, right);
    if (e >= loads && b++ == a) {
      a++;
      b = 0;
    }
  }
  free(value);
  for (int part = 0; part < f->parts; part++)
    resolve(f->matrix, first_of(f, part), f->end[part], right);
  memset(coefficient, 0, (size_t)f->nodes * sizeof *coefficient);
  for (int i = 1; i < f->end[f->parts - 1]; i++)
    coefficient[f->node[i]] = right[i];
  for (int k = 0; k < f->samples; k++)
    energy += sample[k].energy / f->samples;
  for (int i = 1; i < f->terms; i++)
    energy -= f->mean[i] * coefficient[i];
  for (int i = 0; known && i < f->terms; i++)
    energy -= f->mean[i] * known[i];
  coefficient[0] = energy;
}

/* --- choice of terms --- */

/* With S the inverse of the normal equations' matrix, the sum of squared residuals grows by c_k^2/S_kk if term k with
 * the coefficient c_k is left out, and the other coefficients change by -S_ik c_k/S_kk. The constant is never left out.
 * Terms are in the order of the fit; those of another part do not change. Numbers of S below the diagonal are not
 * used. */
typedef struct choice {
  const vd_elastic_fit *fit;
  vd_elastic_tree all;
  int terms, places;
  bool kept[TERMS];
  int children[TERMS];
  double (*inverse)[TERMS];
  double *coefficient, *grown; /* [places][terms]; growth of the sum of squares, [places] */
} choice;

/* Replaces rows and columns `first' to end - 1 of a factor U, on and above its diagonal, by the inverse of U'U: first
 * V = U^-1 by rows, beginning with the last one, then V V'. */
static void invert(double (*matrix)[TERMS], int first, int end) {
  for (int k = end - 1; k >= first; k--) {
    double u[TERMS], *row = matrix[k];
    memcpy(u + k, row + k, (size_t)(end - k) * sizeof *u);
    memset(row + k, 0, (size_t)(end - k) * sizeof *row);
    int i = k + 1;
    for (; i + 4 <= end; i += 4) { /* the rows have zeros before their diagonal */
      const double four[4] = {-u[i], -u[i + 1], -u[i + 2], -u[i + 3]};
      add_four(four, matrix[i] + i, TERMS, (size_t)(end - i), row + i);
    }
    for (; i < end; i++)
      vd_row_less(u[i], matrix[i] + i, (size_t)(end - i), row + i);
    row[k] = 1.0;
    for (int j = k; j < end; j++)
      row[j] /= u[k];
  }
  for (int i = first; i < end; i++)
    for (int j = i; j < end; j++)
      matrix[i][j] = vd_inner(matrix[i] + j, matrix[j] + j, (size_t)(end - j));
}

/* Returns the growth of the sum of squared residuals without a term, at the place where this growth is largest. */
static double cost_of(const choice *c, int term) {
  double worst = 0.0;
  for (int p = 0; p < c->places; p++) {
    double own = c->coefficient[p * c->terms + term];
    worst = vd_max(worst, c->grown[p] + own * own / c->inverse[term][term]);
  }
  return worst;
}

static int parent_number(const choice *c, int term) {
  return c->fit->number[c->all.parent[c->fit->node[term]]];
}

static void leave_out(choice *c, int term) {
  const int part = term >= c->fit->end[0], first = first_of(c->fit, part), end = c->fit->end[part];
  double column[TERMS];
  for (int i = first; i < term; i++)
    column[i] = c->inverse[i][term];
  memcpy(column + term, c->inverse[term] + term, (size_t)(end - term) * sizeof *column);
  const double pivot = column[term];
  for (int p = 0; p < c->places; p++) {
    double *own = c->coefficient + p * c->terms, share = own[term] / pivot;
    c->grown[p] += own[term] * share;
    vd_row_less(share, column + first, (size_t)(end - first), own + first);
  }
  for (int i = first; i < end; i++)
    if (c->kept[i] && i != term)
      vd_row_less(column[i] / pivot, column + i, (size_t)(end - i), c->inverse[i] + i);
  c->kept[term] = false;
  c->children[parent_number(c, term)]--;
}

static void reduce(choice *c, double most) {
  for (;;) {
    int least = 0;
    double cost = most;
    for (int i = 1; i < c->terms; i++)
      if (c->kept[i] && c->children[i] == 0) {
        const double own = cost_of(c, i);
        if (own < cost) {
          least = i;
          cost = own;
        }
      }
    if (least == 0)
      return;
    leave_out(c, least);
  }
}

/* Fits all terms at all places, and inverts the matrix. */
static void start_choice(const vd_elastic_sample *sample, vd_elastic_fit *fit, choice *c) {
  double coefficient[VD_ELASTIC_NODES];
  c->fit = fit;
  for (int p = 0; p < c->places; p++) {
    vd_elastic_fit_solve(fit, NULL, sample + p * fit->samples, coefficient);
    for (int i = 0; i < c->terms; i++)
      c->coefficient[p * c->terms + i] = coefficient[fit->node[i]];
  }
  for (int part = 0; part < fit->parts; part++)
    invert(fit->matrix, first_of(fit, part), fit->end[part]);
  c->inverse = fit->matrix;
  for (int i = 0; i < c->terms; i++)
    c->kept[i] = true;
  for (int i = 1; i < c->terms; i++)
    c->children[parent_number(c, i)]++;
}

VD_WIDE void vd_elastic_choose(int loads, const double *unit, const vd_elastic_sample *sample, int samples, int places,
                               double enough, vd_elastic_tree *tree) {
  unsigned powers[TERMS];
  choice *c = vd_allocate(1, sizeof *c);
  double(*load)[VD_ELASTIC_PAIR] = vd_allocate((size_t)samples, sizeof *load);
  c->terms = vd_elastic_all_terms(loads, loads == VD_ELASTIC_PAIR ? VD_ELASTIC_PAIR_DEGREE : VD_ELASTIC_DEGREE, powers);
  c->places = places;
  vd_elastic_tree_make(powers, NULL, c->terms, &c->all);
  c->coefficient = vd_allocate((size_t)(places * c->terms), sizeof *c->coefficient);
  c->grown = vd_allocate((size_t)places, sizeof *c->grown);
  for (int k = 0; k < samples; k++)
    memcpy(load[k], sample[k].load, sizeof load[k]);
  vd_elastic_fit *fit = vd_elastic_fit_create(&c->all, INT_MAX, loads, unit, load, samples);
  start_choice(sample, fit, c);
  reduce(c, enough * enough * samples * (1 + loads));
  int count = 0;
  for (int i = 0; i < c->terms; i++)
    if (c->kept[fit->number[i]])
      powers[count++] = c->all.powers[i];
  vd_elastic_tree_make(powers, NULL, count, tree);
  free(c->coefficient);
  free(c->grown);
  vd_elastic_fit_destroy(fit);
  free(load);
  free(c);
}
