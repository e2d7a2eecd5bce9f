#include "kc/elastic_terms.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EQUATIONS = 6, TERMS = VD_ELASTIC_TERMS };
_Static_assert(EQUATIONS == 1 + VD_ELASTIC_LOADS, "an energy and its slopes");

/* --- the terms at loads --- */

/* The nodes, and slope[j]: the derivatives of all by a load. */
static void terms_at(const vd_elastic_tree *t, const double *x, double *term,
                     double slope[VD_ELASTIC_LOADS][VD_ELASTIC_NODES]) {
  memset(term, 0, VD_ELASTIC_NODES * sizeof *term);
  memset(slope, 0, VD_ELASTIC_LOADS * sizeof *slope);
  term[0] = 1.0;
  for (int r = 0; r < t->runs; r++)
    for (int i = t->run[r].from, j = t->run[r].load; i < t->run[r].to; i++) {
      int parent = t->parent[i];
      term[i] = term[parent] * x[j];
      for (int n = 0; n < VD_ELASTIC_LOADS; n++)
        slope[n][i] = slope[n][parent] * x[j] + (n == j ? term[parent] : 0.0);
    }
}

void vd_elastic_sum(const vd_elastic_tree *tree, const double *coefficient, vd_elastic_sample *sample) {
  double term[VD_ELASTIC_NODES], slope[VD_ELASTIC_LOADS][VD_ELASTIC_NODES];
  terms_at(tree, sample->load, term, slope);
  sample->energy = 0.0;
  memset(sample->slope, 0, sizeof sample->slope);
  for (int i = 0; i < tree->nodes; i++) {
    sample->energy += coefficient[i] * term[i];
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      sample->slope[j] += coefficient[i] * slope[j][i];
  }
}

/* --- least squares --- */

/* A tree of one group has its terms before what fills it up. */
static int count_terms(const vd_elastic_tree *t) {
  return t->runs ? t->run[t->runs - 1].to : 1;
}

/* Equations: the sum of the coefficients times row[] is `right`. All of a sample at a time, so that the matrix is read
 * and written once for six. */
static void add_equations(double row[EQUATIONS][VD_ELASTIC_NODES], const double *right, int terms,
                          vd_elastic_normal *n) {
  for (int i = 0; i < terms; i++) {
    double own[EQUATIONS];
    for (int e = 0; e < EQUATIONS; e++) {
      own[e] = row[e][i];
      n->right[i] += own[e] * right[e];
    }
    double *to = n->matrix[i];
    for (int j = 0; j <= i; j++)
      to[j] += own[0] * row[0][j] + own[1] * row[1][j] + own[2] * row[2][j] + own[3] * row[3][j] + own[4] * row[4][j] +
               own[5] * row[5][j];
  }
}

static void add_sample(const vd_elastic_tree *tree, const double *unit, const vd_elastic_sample *sample, int terms,
                       vd_elastic_normal *n) {
  double row[EQUATIONS][VD_ELASTIC_NODES], right[EQUATIONS];
  terms_at(tree, sample->load, row[0], row + 1);
  for (int e = 0; e < EQUATIONS; e++) {
    double scale = 1.0 / unit[e ? e - 1 : 0];
    right[e] = scale * (e ? sample->slope[e - 1] : sample->energy);
    for (int i = 0; i < terms; i++)
      row[e][i] *= scale;
  }
  add_equations(row, right, terms, n);
}

/* Cholesky's factor in place of the matrix. Sums of squares of monomials over a ball that is well filled: the condition
 * is some 1e6. */
static void factorise(vd_elastic_normal *n, int terms) {
  for (int i = 0; i < terms; i++)
    for (int j = 0; j <= i; j++) {
      double left = n->matrix[i][j];
      for (int k = 0; k < j; k++)
        left -= n->matrix[i][k] * n->matrix[j][k];
      n->matrix[i][j] = i == j ? sqrt(left) : left / n->matrix[j][j];
    }
}

/* x: the right side, then the solution. */
static void resolve(const vd_elastic_normal *n, int terms, double *x) {
  for (int i = 0; i < terms; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= n->matrix[i][j] * x[j];
    x[i] /= n->matrix[i][i];
  }
  for (int i = terms - 1; i >= 0; i--) {
    x[i] /= n->matrix[i][i];
    for (int j = 0; j < i; j++)
      x[j] -= n->matrix[i][j] * x[i];
  }
}

void vd_elastic_solve(const vd_elastic_tree *tree, const double *unit, const vd_elastic_sample *sample, int samples,
                      vd_elastic_normal *n, double *coefficient) {
  int terms = count_terms(tree);
  for (int i = 0; i < terms; i++)
    memset(n->matrix[i], 0, (size_t)terms * sizeof n->matrix[i][0]);
  memset(n->right, 0, sizeof n->right);
  for (int k = 0; k < samples; k++)
    add_sample(tree, unit, &sample[k], terms, n);
  factorise(n, terms);
  memcpy(coefficient, n->right, (size_t)terms * sizeof *coefficient);
  resolve(n, terms, coefficient);
}

/* --- choice --- */

/* With S the inverse of the normal equations' matrix, the sum of squares of the remainders grows by c_k^2/S_kk if term
 * k is left out, and the other coefficients change by -S_ik c_k/S_kk. S is that of the first place; places differ
 * little, since they have the same samples but for what the displacement changes. */
typedef struct choice {
  vd_elastic_tree all;
  int places;
  bool kept[TERMS];
  int children[TERMS];
  double inverse[TERMS][TERMS];
  double *coefficient, *grown; /* [places][TERMS], [places] */
} choice;

static void invert(const vd_elastic_normal *n, double inverse[TERMS][TERMS]) {
  for (int i = 0; i < TERMS; i++) {
    memset(inverse[i], 0, sizeof inverse[i]);
    inverse[i][i] = 1.0;
    resolve(n, TERMS, inverse[i]);
  }
}

/* What a place's sum of squares would be without a term, the worst. */
static double cost_of(const choice *c, int term) {
  double worst = 0.0;
  for (int p = 0; p < c->places; p++) {
    double own = c->coefficient[p * TERMS + term];
    worst = vd_max(worst, c->grown[p] + own * own / c->inverse[term][term]);
  }
  return worst;
}

static void leave_out(choice *c, int term) {
  const double *column = c->inverse[term];
  double pivot = column[term];
  for (int p = 0; p < c->places; p++) {
    double *own = c->coefficient + p * TERMS, share = own[term] / pivot;
    c->grown[p] += own[term] * share;
    for (int i = 0; i < TERMS; i++)
      own[i] -= share * column[i];
  }
  for (int i = 0; i < TERMS; i++) {
    double share = i == term ? 0.0 : column[i] / pivot;
    for (int j = 0; share != 0.0 && j < TERMS; j++)
      c->inverse[i][j] -= share * column[j];
  }
  c->kept[term] = false;
  c->children[c->all.parent[term]]--;
}

static void reduce(choice *c, double most) {
  for (;;) {
    int least = 0;
    double cost = most;
    for (int i = 1; i < TERMS; i++)
      if (c->kept[i] && c->children[i] == 0 && cost_of(c, i) < cost) {
        least = i;
        cost = cost_of(c, i);
      }
    if (least == 0)
      return;
    leave_out(c, least);
  }
}

void vd_elastic_choose(const double *unit, const vd_elastic_sample *sample, int samples, int places, double enough,
                       vd_elastic_tree *tree) {
  unsigned short powers[TERMS];
  choice *c = vd_allocate(1, sizeof *c);
  vd_elastic_normal *n = vd_allocate(1, sizeof *n);
  c->places = places;
  c->coefficient = vd_allocate((size_t)places * TERMS, sizeof *c->coefficient);
  c->grown = vd_allocate((size_t)places, sizeof *c->grown);
  vd_elastic_all_terms(powers);
  vd_elastic_tree_make(powers, NULL, TERMS, &c->all);
  for (int p = 0; p < places; p++) {
    vd_elastic_solve(&c->all, unit, sample + p * samples, samples, n, c->coefficient + p * TERMS);
    if (p == 0)
      invert(n, c->inverse);
  }
  for (int i = 0; i < TERMS; i++)
    c->kept[i] = true;
  for (int i = 1; i < TERMS; i++)
    c->children[c->all.parent[i]]++;
  reduce(c, enough * enough * samples * EQUATIONS);
  int count = 0;
  for (int i = 0; i < TERMS; i++)
    if (c->kept[i])
      powers[count++] = c->all.powers[i];
  vd_elastic_tree_make(powers, NULL, count, tree);
  free(c->coefficient);
  free(c->grown);
  free(n);
  free(c);
}
