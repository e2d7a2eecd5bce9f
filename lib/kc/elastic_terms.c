#include "kc/elastic_terms.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/wide.h"
#include "math/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = VD_ELASTIC_PAIR_TERMS };

/* A sample's equations: an energy's slopes and bends, which leave a constant. */
#define BENDS(loads)     ((loads) * ((loads) + 1) / 2)
#define EQUATIONS(loads) ((loads) + BENDS(loads))
enum { MOST_EQUATIONS = EQUATIONS(VD_ELASTIC_PAIR) };

/* Errors of a polynomial's second derivatives are some times those of its first. */
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

/* A term and its derivatives: by the loads, then second ones by pairs of loads, (0, 0), (1, 0), (1, 1), (2, 0) ... */
typedef struct term_at {
  double of[1 + MOST_EQUATIONS];
} term_at;

static int bend_of(int loads, int a, int b) {
  int more = a > b ? a : b, less = a > b ? b : a;
  return 1 + loads + more * (more + 1) / 2 + less;
}

/* By the product rule: a term is its parent times its last load. What fills a group up has no coefficients: it is not
 * written, nor read. */
VD_INLINE void products_at(const vd_elastic_tree *t, int loads, bool bends, const double *x, term_at *term) {
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

static void terms_at(const vd_elastic_tree *t, int loads, const double *x, term_at *term) {
  products_at(t, loads, true, x, term);
}

/* Without second derivatives. */
static void slopes_at(const vd_elastic_tree *t, int loads, const double *x, term_at *term) {
  products_at(t, loads, false, x, term);
}

/* The sum of terms with as many of their derivatives. */
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
  slopes_at(tree, loads, sample->load, term);
  add_up(tree, coefficient, term, 1 + loads, sum);
  sample->energy = sum[0];
  memset(sample->slope, 0, sizeof sample->slope);
  memcpy(sample->slope, sum + 1, (size_t)loads * sizeof *sum);
}

VD_WIDE double vd_elastic_largest_turn(const vd_elastic_tree *tree, int loads, const double *unit, const double *load,
                                       const double *coefficients, int rows) {
  term_at term[VD_ELASTIC_NODES];
  double worst = 0.0;
  slopes_at(tree, loads, load, term);
  for (int r = 0; r < rows; r++) {
    double sum[1 + VD_ELASTIC_PAIR];
    add_up(tree, coefficients + r * tree->nodes, term, 1 + loads, sum);
    for (int j = 0; j < loads; j++)
      if (vd_elastic_is_turn(j))
        worst = vd_max(worst, fabs(sum[1 + j]) / unit[j % VD_ELASTIC_LOADS]);
  }
  return worst;
}

VD_WIDE void vd_elastic_take_off(const vd_elastic_tree *tree, int loads, const double *coefficient,
                                 vd_elastic_sample *sample) {
  term_at term[VD_ELASTIC_NODES];
  double sum[1 + MOST_EQUATIONS];
  terms_at(tree, loads, sample->load, term);
  add_up(tree, coefficient, term, 1 + EQUATIONS(loads), sum);
  sample->energy -= sum[0];
  for (int a = 0; a < loads; a++) {
    sample->slope[a] -= sum[1 + a];
    for (int b = 0; b < loads; b++)
      sample->bend[a][b] -= sum[bend_of(loads, a, b)];
  }
}

/* --- least squares --- */

/* A tree of one group has its terms before what fills it up. */
static int count_terms(const vd_elastic_tree *t) {
  return t->runs ? t->run[t->runs - 1].to : 1;
}

/* The terms that equations depend on: of all the derivatives by a load half of them, of the second ones a fifth. */
typedef struct equations {
  int loads, terms, count[MOST_EQUATIONS], numbers; /* numbers: of all counts */
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

static void list_terms(const vd_elastic_tree *t, int loads, const double *unit, equations *q) {
  q->loads = loads;
  q->terms = count_terms(t);
  memset(q->count, 0, sizeof q->count);
  for (int i = 0; i < q->terms; i++)
    list_term(t->powers[i], i, q);
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

/* Samples' equations: the sum of the coefficients times a row is `right'. [equation][sample], a row by its equation's
 * terms alone. */
typedef struct equations_at {
  double *row, *right;
} equations_at;

static void find_equations(const vd_elastic_tree *tree, const equations *q, const vd_elastic_sample *sample, int k,
                           int samples, equations_at *out) {
  term_at term[VD_ELASTIC_NODES];
  terms_at(tree, q->loads, sample->load, term);
  for (int a = 0, e = q->loads; a < q->loads; a++) {
    out->right[a * samples + k] = q->scale[a] * sample->slope[a];
    for (int b = 0; b <= a; b++, e++)
      out->right[e * samples + k] = q->scale[e] * sample->bend[a][b];
  }
  double *first = out->row;
  for (int e = 0; e < EQUATIONS(q->loads); first += q->count[e++] * samples)
    for (int i = 0; i < q->count[e]; i++)
      first[k * q->count[e] + i] = q->scale[e] * term[q->term[e][i]].of[1 + e];
}

/* sum += factor row of four rows, `apart' numbers apart: a sum is loaded and stored once for all. */
static inline void add_four(const double factor[4], const double *restrict row, size_t apart, size_t n,
                            double *restrict sum) {
  const double *restrict one = row + apart, *restrict two = one + apart, *restrict three = two + apart;
  for (size_t j = 0; j < n; j++)
    sum[j] += (factor[0] * row[j] + factor[1] * one[j]) + (factor[2] * two[j] + factor[3] * three[j]);
}

/* One equation of all samples. Sums over samples are made in place, before they go to their terms. */
static void gather(const double *row, const double *right, int samples, const unsigned short *term, int count,
                   vd_elastic_normal *n) {
  const size_t apart = (size_t)count;
  for (int i = 0; i < count; i++) {
    double sum[TERMS], all = 0.0, *to = n->matrix[term[i]];
    const size_t rest = (size_t)(count - i);
    int k = 0;
    for (int j = i; j < count; j++)
      sum[j] = 0.0;
    for (; k + 4 <= samples; k += 4) {
      const double *of = row + k * count + i;
      const double own[4] = {of[0], of[apart], of[2 * apart], of[3 * apart]};
      add_four(own, of, apart, rest, sum + i);
    }
    for (; k < samples; k++)
      vd_row_less(-row[k * count + i], row + k * count + i, rest, sum + i);
    for (k = 0; k < samples; k++)
      all += row[k * count + i] * right[k];
    n->right[term[i]] += all;
    for (int j = i; j < count; j++)
      to[term[j]] += sum[j];
  }
}

/* Cholesky's factor U, U'U = A, in place of the matrix on and above the diagonal. Sums of squares of monomials over a
 * ball that is well filled: the condition is some 1e6. */
static void factorise(vd_elastic_normal *n, int terms) {
  enum { BLOCK = 4 }; /* rows, for which another one is loaded and stored once */
  for (int from = 0; from < terms; from += BLOCK) {
    const int to = from + BLOCK < terms ? from + BLOCK : terms;
    for (int k = from; k < to; k++) {
      double *pivot = n->matrix[k], scale = 1.0 / sqrt(pivot[k]);
      for (int j = k; j < terms; j++)
        pivot[j] *= scale;
      for (int i = k + 1; i < to; i++)
        vd_row_less(pivot[i], pivot + i, (size_t)(terms - i), n->matrix[i] + i);
    }
    for (int i = to; i < terms; i++) {
      const double *first = n->matrix[from] + i;
      const double factor[BLOCK] = {-first[0], -first[TERMS], -first[2 * TERMS], -first[3 * TERMS]};
      add_four(factor, first, TERMS, (size_t)(terms - i), n->matrix[i] + i);
    }
  }
}

/* x: the right side, then the solution. */
static void resolve(const vd_elastic_normal *n, int terms, double *x) {
  for (int k = 0; k < terms; k++) {
    x[k] /= n->matrix[k][k];
    vd_row_less(x[k], n->matrix[k] + k + 1, (size_t)(terms - k - 1), x + k + 1);
  }
  for (int k = terms - 1; k >= 0; k--) {
    for (int j = k + 1; j < terms; j++)
      x[k] -= n->matrix[k][j] * x[j];
    x[k] /= n->matrix[k][k];
  }
}

/* The mean over the samples. */
static double find_constant(const vd_elastic_tree *tree, int loads, const vd_elastic_sample *sample, int samples,
                            const double *coefficient) {
  double sum = 0.0;
  for (int k = 0; k < samples; k++) {
    vd_elastic_sample own = sample[k];
    vd_elastic_sum(tree, loads, coefficient, &own);
    sum += sample[k].energy - own.energy;
  }
  return sum / samples;
}

VD_WIDE void vd_elastic_solve(const vd_elastic_tree *tree, int loads, const double *unit,
                              const vd_elastic_sample *sample, int samples, vd_elastic_normal *n, double *coefficient) {
  equations q;
  list_terms(tree, loads, unit, &q);
  const int terms = q.terms;
  for (int i = 0; i < terms; i++)
    memset(n->matrix[i], 0, (size_t)terms * sizeof n->matrix[i][0]);
  memset(n->right, 0, sizeof n->right);
  n->matrix[0][0] = 1.0; /* of the constant */
  equations_at at = {.row = vd_allocate((size_t)(samples * q.numbers), sizeof *at.row),
                     .right = vd_allocate((size_t)(samples * EQUATIONS(loads)), sizeof *at.right)};
  for (int k = 0; k < samples; k++)
    find_equations(tree, &q, &sample[k], k, samples, &at);
  const double *row = at.row;
  for (int e = 0; e < EQUATIONS(loads); row += q.count[e++] * samples)
    gather(row, at.right + e * samples, samples, q.term[e], q.count[e], n);
  free(at.row);
  free(at.right);
  factorise(n, terms);
  memset(coefficient, 0, (size_t)tree->nodes * sizeof *coefficient);
  memcpy(coefficient, n->right, (size_t)terms * sizeof *coefficient);
  resolve(n, terms, coefficient);
  coefficient[0] = find_constant(tree, loads, sample, samples, coefficient);
}

/* --- choice --- */

/* With S the inverse of the normal equations' matrix, the sum of squares of the remainders grows by c_k^2/S_kk if term
 * k is left out, and the other coefficients change by -S_ik c_k/S_kk. The constant stays. S is that of the first place;
 * places differ little, since they have the same samples but for what the displacement changes. What is below the
 * diagonal of S is not used. */
typedef struct choice {
  vd_elastic_tree all;
  int terms, places;
  bool kept[TERMS];
  int children[TERMS];
  double inverse[TERMS][TERMS];
  double *coefficient, *grown; /* [places][all.nodes], [places] */
} choice;

/* All columns at a time: U'Y = 1, then U X = Y. */
static void invert(const vd_elastic_normal *n, int terms, double inverse[TERMS][TERMS]) {
  memset(inverse, 0, TERMS * sizeof *inverse);
  for (int k = 0; k < terms; k++) {
    double scale = 1.0 / n->matrix[k][k];
    inverse[k][k] = 1.0;
    for (int j = 0; j <= k; j++)
      inverse[k][j] *= scale;
    for (int i = k + 1; i < terms; i++)
      if (n->matrix[k][i] != 0.0)
        vd_row_less(n->matrix[k][i], inverse[k], (size_t)k + 1, inverse[i]);
  }
  for (int k = terms - 1; k >= 0; k--) {
    double scale = 1.0 / n->matrix[k][k];
    for (int j = 0; j < terms; j++)
      inverse[k][j] *= scale;
    for (int i = 0; i < k; i++)
      if (n->matrix[i][k] != 0.0)
        vd_row_less(n->matrix[i][k], inverse[k], (size_t)terms, inverse[i]);
  }
}

/* What a place's sum of squares would be without a term, the worst. */
static double cost_of(const choice *c, int term) {
  double worst = 0.0;
  for (int p = 0; p < c->places; p++) {
    double own = c->coefficient[p * c->all.nodes + term];
    worst = vd_max(worst, c->grown[p] + own * own / c->inverse[term][term]);
  }
  return worst;
}

static void leave_out(choice *c, int term) {
  double column[TERMS];
  for (int i = 0; i < term; i++)
    column[i] = c->inverse[i][term];
  memcpy(column + term, c->inverse[term] + term, (size_t)(c->terms - term) * sizeof *column);
  const double pivot = column[term];
  for (int p = 0; p < c->places; p++) {
    double *own = c->coefficient + p * c->all.nodes, share = own[term] / pivot;
    c->grown[p] += own[term] * share;
    vd_row_less(share, column, (size_t)c->terms, own);
  }
  for (int i = 0; i < c->terms; i++)
    if (c->kept[i] && i != term && column[i] != 0.0)
      vd_row_less(column[i] / pivot, column + i, (size_t)(c->terms - i), c->inverse[i] + i);
  c->kept[term] = false;
  c->children[c->all.parent[term]]--;
}

static void reduce(choice *c, double most) {
  for (;;) {
    int least = 0;
    double cost = most;
    for (int i = 1; i < c->terms; i++)
      if (c->kept[i] && c->children[i] == 0 && cost_of(c, i) < cost) {
        least = i;
        cost = cost_of(c, i);
      }
    if (least == 0)
      return;
    leave_out(c, least);
  }
}

VD_WIDE void vd_elastic_choose(int loads, const double *unit, const vd_elastic_sample *sample, int samples, int places,
                               double enough, vd_elastic_tree *tree) {
  unsigned powers[TERMS];
  choice *c = vd_allocate(1, sizeof *c);
  vd_elastic_normal *n = vd_allocate(1, sizeof *n);
  c->terms = vd_elastic_all_terms(loads, loads == VD_ELASTIC_PAIR ? VD_ELASTIC_PAIR_DEGREE : VD_ELASTIC_DEGREE, powers);
  c->places = places;
  vd_elastic_tree_make(powers, NULL, c->terms, &c->all);
  c->coefficient = vd_allocate((size_t)(places * c->all.nodes), sizeof *c->coefficient);
  c->grown = vd_allocate((size_t)places, sizeof *c->grown);
  for (int p = 0; p < places; p++) {
    vd_elastic_solve(&c->all, loads, unit, sample + p * samples, samples, n, c->coefficient + p * c->all.nodes);
    if (p == 0)
      invert(n, c->terms, c->inverse);
  }
  for (int i = 0; i < c->terms; i++)
    c->kept[i] = true;
  for (int i = 1; i < c->terms; i++)
    c->children[c->all.parent[i]]++;
  reduce(c, enough * enough * samples * (1 + loads));
  int count = 0;
  for (int i = 0; i < c->terms; i++)
    if (c->kept[i])
      powers[count++] = c->all.powers[i];
  vd_elastic_tree_make(powers, NULL, count, tree);
  free(c->coefficient);
  free(c->grown);
  free(n);
  free(c);
}
