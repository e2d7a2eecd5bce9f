#include "suspension/wheel_compliance.h"

#include "base/elementary.h"
#include "math/cubic.h"

#include <math.h>
#include <string.h>

/* --- curves --- */

vd_giving_curve vd_giving_curve_make(const double *load, const double *value, size_t count, vd_arena *arena) {
  double *copy = vd_arena_alloc(arena, 3 * count * sizeof *copy);
  vd_giving_curve c = {count, copy, copy + count, copy + 2 * count, 0.0};
  memcpy(copy, load, count * sizeof *copy);
  memcpy(copy + count, value, count * sizeof *copy);
  vd_cubic_slopes(c.load, count, c.value, 1, copy + 2 * count);
  c.rest = vd_giving_at(&c, 0.0);
  return c;
}

double vd_giving_at(const vd_giving_curve *c, double load) {
  size_t last = c->count - 1;
  if (c->count == 0)
    return 0.0;
  size_t end = load > c->load[last] ? last : 0, next = end > 0 ? end - 1 : 1;
  if (load < c->load[0] || load > c->load[last])
    return c->value[end] - c->rest +
           (load - c->load[end]) * (c->value[end] - c->value[next]) / (c->load[end] - c->load[next]);
  vd_cubic_place p = vd_cubic_find(c->load, c->count, load);
  double sum = -c->rest;
  for (int k = 0; k < 2; k++)
    sum += p.value[k] * c->value[p.point[k]] + p.slope[k] * c->slope[p.point[k]];
  return sum;
}

double vd_giving_slope(const vd_giving_curve *c) {
  double sum = 0.0;
  if (c->count == 0)
    return 0.0;
  vd_cubic_place p = vd_cubic_find(c->load, c->count, 0.0);
  for (int k = 0; k < 2; k++)
    sum += p.by_value[k] * c->value[p.point[k]] + p.by_slope[k] * c->slope[p.point[k]];
  return sum;
}

bool vd_wheel_compliance_given(const vd_wheel_compliance *c) {
  for (int q = 0; q < VD_GIVING; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      if (c->of[q][j].count > 0)
        return true;
  return false;
}

/* --- displacements --- */

/* Variables of W: the loads of the rig, then the moment about the heading, each over its unit. */
enum { LEAN = VD_RIG_LOADS, VARIABLES };

/* Polynomials of the displacements over one load, without a constant, J. */
enum { DEGREE = VD_ELASTIC_DEGREE - 1, SAMPLES = 101 };

typedef struct polynomial {
  bool known;
  double c[DEGREE + 1]; /* of the powers 1 on; c[0] is not used */
} polynomial;

typedef struct fit {
  const vd_wheel_compliance *curves;
  double attitude[3][3]; /* of the wheel without load */
  double toe, camber, radius;
  double unit[VARIABLES];                 /* N, N, N, N m, N m */
  polynomial of[VARIABLES][VD_RIG_LOADS]; /* displacement by its load, over a load of the rig */
  double slope[VARIABLES][VARIABLES];     /* J, c_jk */
  bool measured[VARIABLES];               /* slope[j][j] is known */
  double error;                           /* rad */
} fit;

/* Turned by its toe about the vertical, by its camber about its heading, by its spin about its axle. */
static void attitude(double toe, double camber, double spin, double (*r)[3]) {
  double ct = vd_cos(toe), st = -vd_sin(toe), cc = vd_cos(camber), sc = -vd_sin(camber), cs = vd_cos(spin),
         ss = vd_sin(spin);
  const double turned[3][3] = {{ct * cs - st * sc * ss, -st * cc, ct * ss + st * sc * cs},
                               {st * cs + ct * sc * ss, ct * cc, st * ss - ct * sc * cs},
                               {-cc * ss, sc, cc * cs}};
  memcpy(r, turned, sizeof turned);
}

static bool known(const fit *f, enum vd_giving q, int load) {
  return f->curves->of[q][load].count > 0;
}

static double change(const fit *f, enum vd_giving q, int load, double size) {
  return vd_giving_at(&f->curves->of[q][load], size);
}

/* The displacements at a load: m, m, m, rad, rad. */
static void displace(const fit *f, int load, double size, double *moves) {
  double r[3][3], g[3], trace = 1.0, turn[3][3] = {{0.0}};
  attitude(f->toe + change(f, VD_GIVING_TOE, load, size), f->camber + change(f, VD_GIVING_CAMBER, load, size),
           change(f, VD_GIVING_SPIN, load, size), r);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        turn[i][j] += r[i][k] * f->attitude[j][k];
  for (int i = 0; i < 3; i++)
    trace += turn[i][i];
  for (int i = 0; i < 3; i++) /* Gibbs' vector */
    g[i] = 2.0 * (turn[(i + 2) % 3][(i + 1) % 3] - turn[(i + 1) % 3][(i + 2) % 3]) / trace;
  double c = vd_cos(f->toe), s = vd_sin(f->toe), lean = c * g[0] - s * g[1], wind = s * g[0] + c * g[1];
  double x = change(f, VD_GIVING_X, load, size), y = change(f, VD_GIVING_Y, load, size) + f->radius * lean;
  moves[VD_RIG_FX_DRIVE] = x;
  moves[VD_RIG_FX_BRAKE] = x - f->radius * (wind - vd_sin(f->camber) * g[2]);
  moves[VD_RIG_FY] = known(f, VD_GIVING_CONTACT_Y, load) ? change(f, VD_GIVING_CONTACT_Y, load, size) : y;
  moves[VD_RIG_MZ] = g[2];
  moves[LEAN] = lean;
}

/* Whether the displacement by a variable is known over a load. */
static bool is_known(const fit *f, int variable, int load) {
  switch (variable) {
  case VD_RIG_FX_DRIVE: return known(f, VD_GIVING_X, load);
  case VD_RIG_FX_BRAKE: return known(f, VD_GIVING_X, load) && known(f, VD_GIVING_SPIN, load);
  case VD_RIG_FY: return known(f, VD_GIVING_Y, load) || known(f, VD_GIVING_CONTACT_Y, load);
  case VD_RIG_MZ: return known(f, VD_GIVING_TOE, load);
  default: return known(f, VD_GIVING_CAMBER, load);
  }
}

/* Solves a symmetric positive system in place of its right side. An equation that is a sum of others, but for a part
 * `rounding` of its diagonal, is left out. False: the system is not positive. */
static bool solve(int count, double rounding, double (*a)[VARIABLES], double *x) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j <= i; j++) {
      double left = a[i][j];
      for (int k = 0; k < j; k++)
        left -= a[i][k] * a[j][k];
      if (i == j && !(left >= -rounding * a[i][i]))
        return false;
      if (i == j)
        a[i][i] = left > rounding * a[i][i] ? sqrt(left) : INFINITY;
      else
        a[i][j] = left / a[j][j];
    }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  for (int i = count - 1; i >= 0; i--) {
    for (int j = i + 1; j < count; j++)
      x[i] -= a[j][i] * x[j];
    x[i] /= a[i][i];
  }
  return true;
}

/* Least squares of the powers 1 .. DEGREE at even places. A line has one. */
static void fit_curve(fit *f, int variable, int load) {
  double matrix[VARIABLES][VARIABLES] = {{0.0}}, right[VARIABLES] = {0.0}, at[SAMPLES], worst = 0.0;
  polynomial *p = &f->of[variable][load];
  p->known = is_known(f, variable, load);
  for (int i = 0; p->known && i < SAMPLES; i++) {
    double u = 2.0 * i / (SAMPLES - 1) - 1.0, power[DEGREE + 1] = {1.0}, moves[VARIABLES];
    displace(f, load, u * f->unit[load], moves);
    at[i] = f->unit[variable] * moves[variable];
    for (int n = 1; n <= DEGREE; n++)
      power[n] = power[n - 1] * u;
    for (int n = 0; n < DEGREE; n++) {
      right[n] += power[n + 1] * at[i];
      for (int k = 0; k < DEGREE; k++)
        matrix[n][k] += power[n + 1] * power[k + 1];
    }
  }
  if (!p->known || !solve(DEGREE, 1e-12, matrix, right))
    return;
  memcpy(p->c + 1, right, DEGREE * sizeof *right);
  for (int i = 0; i < SAMPLES; i++) {
    double u = 2.0 * i / (SAMPLES - 1) - 1.0, sum = 0.0;
    for (int n = DEGREE; n > 0; n--)
      sum = (sum + p->c[n]) * u;
    worst = vd_max(worst, fabs(sum - at[i]));
  }
  if (variable >= VD_RIG_MZ)
    f->error = vd_max(f->error, worst / f->unit[variable]);
}

/* --- reciprocity --- */

/* c_jk, each the mean of what is known; displacements by the moment about the heading are known one way. */
static void find_slopes(fit *f, vd_compliance_doubt *doubt) {
  double differ[VD_RIG_LOADS][VD_RIG_LOADS] = {{0.0}};
  *doubt = (vd_compliance_doubt){.mismatch = 0.0};
  for (int j = 0; j < VD_RIG_LOADS; j++)
    for (int k = 0; k < VARIABLES; k++) {
      const polynomial *kj = &f->of[k][j], *jk = k == LEAN ? kj : &f->of[j][k];
      double sum = (kj->known ? kj->c[1] : 0.0) + (jk->known ? jk->c[1] : 0.0);
      f->slope[j][k] = f->slope[k][j] = kj->known && jk->known ? 0.5 * sum : sum;
      if (k < VD_RIG_LOADS && kj->known && jk->known)
        differ[j][k] = fabs(kj->c[1] - jk->c[1]);
      f->measured[j] |= k == j && kj->known && kj->c[1] > 0.0;
      doubt->unstable |= k == j && kj->known && kj->c[1] < 0.0;
    }
  for (int j = 0; j < VD_RIG_LOADS; j++)
    for (int k = 0; k < j; k++) {
      double mean = sqrt(vd_max(f->slope[j][j], 0.0) * vd_max(f->slope[k][k], 0.0));
      if (mean > 0.0 && differ[j][k] > doubt->mismatch * mean) {
        doubt->mismatch = differ[j][k] / mean;
        doubt->pair[0] = k;
        doubt->pair[1] = j;
      }
    }
}

/* Flexibilities that are not known: the least with which no load does negative work, a' A^-1 a of what is known. Of
 * what is known one load may give way as others do together: of a strut on a rigid top mount three bushings do. */
static void fill_slopes(fit *f, vd_compliance_doubt *doubt) {
  const double measured = 0.02; /* of a rig's figures */
  for (int u = 0; u < VARIABLES; u++) {
    double a[VARIABLES][VARIABLES], x[VARIABLES], from[VARIABLES];
    int count = 0, of[VARIABLES];
    for (int j = 0; j < VARIABLES; j++)
      if (f->measured[j])
        of[count++] = j;
      else if (j != u && j != LEAN && u != LEAN && f->slope[u][j] != 0.0)
        doubt->unstable = true;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++)
        a[i][j] = f->slope[of[i]][of[j]];
      from[i] = x[i] = f->slope[of[i]][u];
    }
    if (!solve(count, measured, a, x)) {
      doubt->unstable = true;
      return;
    }
    double least = 0.0;
    for (int i = 0; i < count && !f->measured[u]; i++)
      least += from[i] * x[i];
    if (!f->measured[u])
      f->slope[u][u] = least;
  }
}

/* --- the energy --- */

/* Coefficients of W by the powers of the map's loads. The brake's force acts at the contact, which stands beside the
 * wheel centre by the wheel's camber: x1 = drive + brake, x4 = -brake, x5 = mz + offset brake. */
typedef struct energy {
  unsigned short powers[VD_ELASTIC_TERMS];
  double value[VD_ELASTIC_TERMS], offset;
} energy;

static int term_of(const energy *w, unsigned powers) {
  int i = 0;
  while (w->powers[i] != powers)
    i++;
  return i;
}

static double power_of(double x, unsigned n) {
  double product = 1.0;
  for (; n > 0; n--)
    product *= x;
  return product;
}

/* c times two variables to powers: of drive = x1 + x4 and mz = x5 + offset x4 by the binomial theorem. */
static void add_term(energy *w, double c, int j, unsigned m, int k, unsigned n) {
  static const double choose[VD_ELASTIC_DEGREE + 1][VD_ELASTIC_DEGREE + 1] = {{1.0},
                                                                              {1.0, 1.0},
                                                                              {1.0, 2.0, 1.0},
                                                                              {1.0, 3.0, 3.0, 1.0},
                                                                              {1.0, 4.0, 6.0, 4.0, 1.0},
                                                                              {1.0, 5.0, 10.0, 10.0, 5.0, 1.0}};
  unsigned power[VARIABLES] = {0};
  power[j] += m;
  power[k] += n;
  unsigned drive = power[VD_RIG_FX_DRIVE], brake = power[VD_RIG_FX_BRAKE], turn = power[VD_RIG_MZ];
  unsigned rest = power[VD_RIG_FY] << 3 | power[LEAN] << 6;
  for (unsigned i = 0; c != 0.0 && i <= drive; i++)
    for (unsigned l = 0; l <= turn; l++)
      w->value[term_of(w, rest | i | (drive - i + brake + turn - l) << 9 | l << 12)] +=
          (brake % 2 ? -c : c) * choose[drive][i] * choose[turn][l] * power_of(w->offset, turn - l);
}

static void add_energies(const fit *f, energy *w) {
  for (int j = 0; j < VARIABLES; j++) {
    add_term(w, 0.5 * f->slope[j][j], j, 2, j, 0);
    for (int k = 0; k < j; k++)
      add_term(w, f->slope[j][k], j, 1, k, 1);
    for (int load = 0; load < VD_RIG_LOADS; load++)
      for (unsigned n = 2; n <= DEGREE; n++)
        if (load == j)
          add_term(w, f->of[j][j].c[n] / (n + 1), j, n + 1, j, 0);
        else
          add_term(w, f->of[j][load].c[n], j, 1, load, n);
  }
}

/* The terms that are there, with their parents; others of rounding are left out. */
static const vd_elastic_tree *make_tree(const energy *w, vd_arena *arena) {
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  unsigned short powers[VD_ELASTIC_TERMS];
  bool kept[VD_ELASTIC_TERMS] = {false};
  double most = 0.0;
  int count = 0;
  for (int i = 0; i < VD_ELASTIC_TERMS; i++)
    most = vd_max(most, fabs(w->value[i]));
  kept[term_of(w, 0)] = true;
  for (int i = 0; i < VD_ELASTIC_TERMS; i++) {
    unsigned own = w->powers[i];
    for (bool there = fabs(w->value[i]) > 1e-9 * most; there && own > 0;) {
      kept[term_of(w, own)] = true;
      own -= 1u << (3 * vd_elastic_last_load(own));
    }
  }
  for (int i = 0; i < VD_ELASTIC_TERMS; i++)
    if (kept[i])
      powers[count++] = w->powers[i];
  vd_elastic_tree_make(powers, NULL, count, tree);
  return tree;
}

/* The same everywhere, but for the energy without load. */
static const vd_elastic_map *make_map(const fit *f, const energy *w, const vd_compliant_wheel *wheel, vd_arena *arena) {
  vd_elastic_map *map = vd_arena_alloc(arena, sizeof *map);
  const vd_elastic_tree *tree = make_tree(w, arena);
  bool stored = vd_wheel_tables_have(wheel->tables, VD_TABLED_ENERGY);
  const vd_axis *range = &wheel->map->travel;
  const double few = 0.25 * range->cells; /* a spline has at least three cells */
  *map = (vd_elastic_map){
      .travel = vd_axis_coarse(range, stored ? VD_ELASTIC_TRAVEL_STEP : few * range->step),
      .unit = {wheel->force, wheel->force, f->unit[LEAN], wheel->force * f->radius, f->unit[VD_RIG_MZ]},
      .arm = f->radius,
      .tree = tree,
      .part = {{0, tree->nodes}, {tree->nodes, tree->nodes}},
      .error = f->error};
  if (stored && wheel->map->rack.cells)
    map->rack = vd_axis_coarse(&wheel->map->rack, VD_ELASTIC_RACK_STEP);
  size_t width = (size_t)tree->nodes, columns = (size_t)map->rack.cells + 1;
  size_t nodes = ((size_t)map->travel.cells + 1) * columns;
  double *value = vd_arena_alloc(arena, nodes * width * sizeof *value), by[2];
  for (size_t k = 0; k < nodes; k++) {
    double *own = value + k * width;
    for (size_t i = 0; i < width; i++)
      own[i] = tree->powers[i] == VD_ELASTIC_NO_TERM ? 0.0 : w->value[term_of(w, tree->powers[i])];
    own[0] = -vd_wheel_tables_at(wheel->tables, VD_TABLED_ENERGY, vd_axis_node(&map->travel, (int)(k / columns)),
                                 map->rack.cells ? vd_axis_node(&map->rack, (int)(k % columns)) : 0.0, by);
  }
  map->surface = vd_elastic_surface(map, value, arena);
  return map;
}

const vd_elastic_map *vd_wheel_compliance_map(const vd_wheel_compliance *c, const vd_compliant_wheel *wheel,
                                              vd_arena *arena, vd_compliance_doubt *doubt) {
  double force = wheel->force, toe = wheel->tables->toe, camber = wheel->tables->camber;
  fit f = {.curves = c,
           .toe = toe,
           .camber = camber,
           .radius = wheel->radius,
           .unit = {force, force, force, VD_ELASTIC_TWIST * force, VD_ELASTIC_REST * force}};
  energy w = {.offset = wheel->radius * vd_sin(camber) / VD_ELASTIC_TWIST};
  vd_elastic_all_terms(w.powers);
  attitude(toe, camber, 0.0, f.attitude);
  for (int k = 0; k < VARIABLES; k++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      fit_curve(&f, k, j);
  find_slopes(&f, doubt);
  fill_slopes(&f, doubt);
  add_energies(&f, &w);
  return make_map(&f, &w, wheel, arena);
}
