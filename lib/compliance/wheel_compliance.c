#include "compliance/wheel_compliance.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "math/cubic.h"

#include <math.h>
#include <string.h>

/* --- curves --- */

vd_compliance_curve vd_compliance_curve_make(const double *load, const double *value, size_t count, vd_arena *arena) {
  double *copy = vd_arena_alloc(arena, 3 * count * sizeof *copy);
  vd_compliance_curve c = {count, copy, copy + count, copy + 2 * count, 0.0};
  memcpy(copy, load, count * sizeof *copy);
  memcpy(copy + count, value, count * sizeof *copy);
  vd_cubic_slopes(c.load, count, c.value, 1, copy + 2 * count);
  c.rest = vd_compliance_curve_at(&c, 0.0);
  return c;
}

double vd_compliance_curve_at(const vd_compliance_curve *c, double load) {
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

double vd_compliance_curve_slope(const vd_compliance_curve *c) {
  double sum = 0.0;
  if (c->count == 0)
    return 0.0;
  vd_cubic_place p = vd_cubic_find(c->load, c->count, 0.0);
  for (int k = 0; k < 2; k++)
    sum += p.by_value[k] * c->value[p.point[k]] + p.by_slope[k] * c->slope[p.point[k]];
  return sum;
}

bool vd_wheel_compliance_given(const vd_wheel_compliance *c) {
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      if (c->of[q][j].count > 0)
        return true;
  return false;
}

/* --- displacements --- */

/* Variables of W: the loads of the rig, then the moment about the heading, each divided by its unit. */
enum { LEAN = VD_RIG_LOADS, VARIABLES };

/* Polynomials of the displacements as functions of one load, without a constant, J. */
enum { DEGREE = VD_ELASTIC_DEGREE - 1, SAMPLES = 101 };

typedef struct polynomial {
  bool known;
  double c[DEGREE + 1]; /* coefficient of each power; c[0] is not used */
} polynomial;

typedef struct fit {
  vd_compliance_curve of_load[VD_DISPLACEMENTS][VD_RIG_LOADS];
  double toe, camber, radius;             /* of the wheel without load */
  double unit[VARIABLES];                 /* N, N, N, N m, N m */
  polynomial of[VARIABLES][VD_RIG_LOADS]; /* displacement conjugate to a variable, as a function of a load of the rig */
  double slope[VARIABLES][VARIABLES];     /* J, c_jk */
  bool measured[VARIABLES];               /* slope[j][j] is known */
  double error;                           /* rad, largest error of a rotation */
} fit;

/* Computes the rotation matrix of three rotations: by toe about the vertical, by camber about the heading, by spin
 * about the axle. */
static void attitude(double toe, double camber, double spin, double (*r)[3]) {
  double ct = vd_cos(toe), st = -vd_sin(toe), cc = vd_cos(camber), sc = -vd_sin(camber), cs = vd_cos(spin),
         ss = vd_sin(spin);
  const double turned[3][3] = {{ct * cs - st * sc * ss, -st * cc, ct * ss + st * sc * cs},
                               {st * cs + ct * sc * ss, ct * cc, st * ss - ct * sc * cs},
                               {-cc * ss, sc, cc * cs}};
  memcpy(r, turned, sizeof turned);
}

static bool known(const fit *f, enum vd_displacement q, int load) {
  return f->of_load[q][load].count > 0;
}

static double change(const fit *f, enum vd_displacement q, int load, double size) {
  return vd_compliance_curve_at(&f->of_load[q][load], size);
}

/* Computes Gibbs' vector g of the rotation R from trace R = 4/q - 1 and R - R' = 2 [g x]/q. */
void vd_gibbs_between(const double *from, const double *to, double *g) {
  double trace = 1.0, turn[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[i][j] = vd_dot(to + 3 * i, from + 3 * j);
  for (int i = 0; i < 3; i++)
    trace += turn[i][i];
  for (int i = 0; i < 3; i++)
    g[i] = 2.0 * (turn[(i + 2) % 3][(i + 1) % 3] - turn[(i + 1) % 3][(i + 2) % 3]) / trace;
}

/* Computes the displacements conjugate to all variables under a load: m, m, m, rad, rad. */
static void displace(const fit *f, int load, double size, double *moves) {
  double rest[3][3], r[3][3], g[3];
  attitude(f->toe, f->camber, 0.0, rest);
  attitude(f->toe + change(f, VD_DISPLACEMENT_TOE, load, size),
           f->camber + change(f, VD_DISPLACEMENT_CAMBER, load, size), change(f, VD_DISPLACEMENT_SPIN, load, size), r);
  vd_gibbs_between(rest[0], r[0], g);
  double c = vd_cos(f->toe), s = vd_sin(f->toe), lean = c * g[0] - s * g[1], wind = s * g[0] + c * g[1];
  double x = change(f, VD_DISPLACEMENT_X, load, size), y = change(f, VD_DISPLACEMENT_Y, load, size) + f->radius * lean;
  moves[VD_RIG_FX_DRIVE] = x;
  moves[VD_RIG_FX_BRAKE] = x - f->radius * (wind - vd_sin(f->camber) * g[2]);
  moves[VD_RIG_FY] = known(f, VD_DISPLACEMENT_CONTACT_Y, load) ? change(f, VD_DISPLACEMENT_CONTACT_Y, load, size) : y;
  moves[VD_RIG_MZ] = g[2];
  moves[LEAN] = lean;
}

/* Returns whether the displacement conjugate to a variable is known as a function of a load. */
static bool is_known(const fit *f, int variable, int load) {
  switch (variable) {
  case VD_RIG_FX_DRIVE: return known(f, VD_DISPLACEMENT_X, load);
  case VD_RIG_FX_BRAKE: return known(f, VD_DISPLACEMENT_X, load) && known(f, VD_DISPLACEMENT_SPIN, load);
  case VD_RIG_FY: return known(f, VD_DISPLACEMENT_Y, load) || known(f, VD_DISPLACEMENT_CONTACT_Y, load);
  case VD_RIG_MZ: return known(f, VD_DISPLACEMENT_TOE, load);
  default: return known(f, VD_DISPLACEMENT_CAMBER, load);
  }
}

/* Solves a symmetric positive system; x is the right side, then the solution. An equation whose pivot is below
 * `rounding` of its diagonal is a combination of others and is left out. False: the system is not positive. */
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

/* Fits the powers 1 .. DEGREE to a curve at equal steps by least squares. A curve of two points gets a line. */
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

/* Finds the slopes c_jk; each is the mean of the two slopes, if both are known. For the moment about the heading only
 * the displacements by other loads are known. */
static void find_slopes(fit *f, vd_compliance_doubt *doubt) {
  double differ[VD_RIG_LOADS][VD_RIG_LOADS] = {{0.0}};
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

/* Sets the flexibilities that are not known to the least value for which no load does negative work: a' A^-1 a, where A
 * is the matrix of the known flexibilities and a the known slopes. One of the known loads may have the same effect as
 * others together: a strut on a rigid top mount has only three bushings. */
static void fill_slopes(fit *f, vd_compliance_doubt *doubt) {
  const double measured = 0.02; /* relative accuracy of a rig's figures */
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

/* Coefficients of W by the powers of the map's loads. The brake's force acts at the contact, whose lateral offset from
 * the wheel centre follows from the camber: with the map's loads x1 to x5 in units of the force, x1 = drive, w x4 =
 * -brake (w = VD_ELASTIC_BRAKE), x5 = mz + offset brake. */
typedef struct energy {
  unsigned powers[VD_ELASTIC_TERMS];
  double value[VD_ELASTIC_TERMS], offset;
} energy;

/* The energies as functions of the travel. */
typedef struct energies {
  size_t heights;
  double *travel, *value, *slope; /* value and slope: [heights][VD_ELASTIC_TERMS] */
  unsigned powers[VD_ELASTIC_TERMS];
  double error; /* rad, largest error of a rotation */
} energies;

static int term_of(const unsigned *all, unsigned powers) {
  int i = 0;
  while (all[i] != powers)
    i++;
  return i;
}

static double power_of(double x, unsigned n) {
  double product = 1.0;
  for (; n > 0; n--)
    product *= x;
  return product;
}

/* Adds c times powers m and n of two variables. Powers of mz = x5 + offset w x4 are expanded by the binomial
 * theorem. */
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
  unsigned rest = drive | power[VD_RIG_FY] << 3 | power[LEAN] << 6;
  for (unsigned l = 0; c != 0.0 && l <= turn; l++)
    w->value[term_of(w->powers, rest | (brake + turn - l) << 9 | l << 12)] +=
        (brake % 2 ? -c : c) * choose[turn][l] * power_of(w->offset, turn - l) *
        power_of(VD_ELASTIC_BRAKE, brake + turn - l);
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

/* Returns the powers of the term that is linear in one load. */
static unsigned linear(int load) {
  return 1u << (3 * load);
}

/* Makes the tree of the terms that are not zero, and their parents; terms that are only rounding errors are left
 * out. */
static const vd_elastic_tree *make_tree(const energies *w, bool unloaded, vd_arena *arena) {
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  unsigned powers[VD_ELASTIC_TERMS];
  bool kept[VD_ELASTIC_TERMS] = {false};
  double most = 0.0, largest[VD_ELASTIC_TERMS] = {0.0};
  int count = 0;
  for (size_t k = 0; k < w->heights; k++)
    for (int i = 0; i < VD_ELASTIC_TERMS; i++) {
      largest[i] = vd_max(largest[i], fabs(w->value[k * VD_ELASTIC_TERMS + (size_t)i]));
      most = vd_max(most, largest[i]);
    }
  kept[term_of(w->powers, 0)] = true;
  for (int j = 0; unloaded && j < VD_ELASTIC_LOADS; j++)
    kept[term_of(w->powers, linear(j))] = true;
  for (int i = 0; i < VD_ELASTIC_TERMS; i++) {
    unsigned own = w->powers[i];
    for (bool there = largest[i] > 1e-9 * most; there && own > 0;) {
      kept[term_of(w->powers, own)] = true;
      own -= 1u << (3 * vd_elastic_last_load(own));
    }
  }
  for (int i = 0; i < VD_ELASTIC_TERMS; i++)
    if (kept[i])
      powers[count++] = w->powers[i];
  vd_elastic_tree_make(powers, NULL, count, tree);
  return tree;
}

/* Computes the constant and the linear terms of W, which are energy and displacements without load, at a travel and
 * rack. */
static void without_load(const vd_wheel_tables *t, const vd_elastic_map *map, double travel, double rack,
                         double *stored, double *slope) {
  const double at[VD_TABLE_COORDINATES] = {travel, rack};
  double value[VD_TABLED], rigid[3][3], bushed[3][3], g[3], by[VD_TABLE_COORDINATES];
  for (int q = 0; q < VD_TABLED; q++)
    value[q] = vd_wheel_tables_value(t, (enum vd_tabled)q, at);
  double toe = t->toe + vd_wheel_tables_at(t, VD_TABLED_TOE, at, by);
  double camber = t->camber + vd_wheel_tables_at(t, VD_TABLED_CAMBER, at, by);
  attitude(toe, camber, 0.0, rigid);
  attitude(toe + value[VD_TABLED_BUSHING_TOE], camber + value[VD_TABLED_BUSHING_CAMBER], value[VD_TABLED_BUSHING_SPIN],
           bushed);
  vd_gibbs_between(rigid[0], bushed[0], g);
  double c = vd_cos(toe), s = vd_sin(toe), x = value[VD_TABLED_BUSHING_X], y = value[VD_TABLED_BUSHING_Y];
  double lean = c * g[0] - s * g[1];
  const double moves[VD_ELASTIC_LOADS] = {c * x - s * y, s * x + c * y + map->arm * lean, lean,
                                          s * g[0] + c * g[1] - (c * x - s * y) / map->arm, g[2]};
  *stored = -vd_wheel_tables_at(t, VD_TABLED_ENERGY, at, by);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    slope[j] = map->unit[j] * moves[j];
}

/* Computes the values of all terms at a travel; beyond the ends they are those at the end. */
static void energy_at(const energies *w, double travel, double *value) {
  const vd_cubic_place p =
      vd_cubic_find(w->travel, w->heights, vd_max(w->travel[0], vd_min(w->travel[w->heights - 1], travel)));
  for (int i = 0; i < VD_ELASTIC_TERMS; i++) {
    value[i] = 0.0;
    for (int k = 0; k < 2; k++) {
      size_t at = p.point[k] * VD_ELASTIC_TERMS + (size_t)i;
      value[i] += p.value[k] * w->value[at] + p.slope[k] * w->slope[at];
    }
  }
}

static const vd_elastic_map *make_map(const energies *w, const vd_compliant_wheel *wheel, vd_arena *arena) {
  vd_elastic_map *map = vd_arena_alloc(arena, sizeof *map);
  bool twisted = false;
  for (int q = VD_TABLED_BUSHING_TOE; q <= VD_TABLED_BUSHING_SPIN; q++)
    twisted |= vd_wheel_tables_have(wheel->tables, (enum vd_tabled)q);
  bool stored = twisted || vd_wheel_tables_have(wheel->tables, VD_TABLED_ENERGY);
  const vd_elastic_tree *tree = make_tree(w, twisted, arena);
  const vd_axis *range = &wheel->map->travel;
  const double few = 0.25 * range->cells; /* step for the fewest cells, three */
  *map = (vd_elastic_map){
      .travel = vd_axis_coarse(range, stored || w->heights > 1 ? VD_ELASTIC_TRAVEL_STEP : few * range->step),
      .tree = tree,
      .part = {{0, tree->nodes}, {tree->nodes, tree->nodes}},
      .loads = VD_ELASTIC_LOADS,
      .error = w->error};
  vd_elastic_map_scale(map, wheel->force, wheel->radius);
  if (stored && wheel->map->rack.cells)
    map->rack = vd_axis_coarse(&wheel->map->rack, VD_ELASTIC_RACK_STEP);
  size_t width = (size_t)tree->nodes, columns = (size_t)map->rack.cells + 1;
  size_t nodes = ((size_t)map->travel.cells + 1) * columns;
  double *value = vd_arena_alloc(arena, nodes * width * sizeof *value);
  for (size_t k = 0; k < nodes; k++) {
    double *own = value + k * width, slope[VD_ELASTIC_LOADS], all[VD_ELASTIC_TERMS];
    double travel = vd_axis_node(&map->travel, (int)(k / columns));
    energy_at(w, travel, all);
    for (size_t i = 0; i < width; i++)
      own[i] = tree->powers[i] == VD_ELASTIC_NO_TERM ? 0.0 : all[term_of(w->powers, tree->powers[i])];
    without_load(wheel->tables, map, travel, map->rack.cells ? vd_axis_node(&map->rack, (int)(k % columns)) : 0.0, own,
                 slope);
    for (size_t i = 0; i < width; i++)
      for (int j = 0; j < VD_ELASTIC_LOADS; j++)
        if (tree->powers[i] == linear(j))
          own[i] += slope[j];
  }
  map->surface = vd_elastic_surface(map, value, arena);
  return map;
}

/* Adds the energy of the curves at a travel; unknown curves are replaced by those of the design position. */
static void add_height(const vd_wheel_compliance *c, const vd_compliance_height *at, const vd_compliant_wheel *wheel,
                       energies *all, vd_compliance_doubt *doubt) {
  const double force = wheel->force, travel = at ? at->travel : 0.0;
  const vd_wheel_tables *t = wheel->tables;
  const double place[VD_TABLE_COORDINATES] = {travel};
  double by[VD_TABLE_COORDINATES];
  fit f = {.toe = t->toe + vd_wheel_tables_at(t, VD_TABLED_TOE, place, by),
           .camber = t->camber + vd_wheel_tables_at(t, VD_TABLED_CAMBER, place, by),
           .radius = wheel->radius,
           .unit = {force, force, VD_ELASTIC_LATERAL * force, VD_ELASTIC_YAW * force, VD_ELASTIC_ROLL * force}};
  energy w = {.offset = wheel->radius * vd_sin(f.camber) / VD_ELASTIC_YAW};
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      f.of_load[q][j] = at && at->of[q][j].count > 0 ? at->of[q][j] : c->of[q][j];
  memcpy(w.powers, all->powers, sizeof w.powers);
  for (int k = 0; k < VARIABLES; k++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      fit_curve(&f, k, j);
  find_slopes(&f, doubt);
  fill_slopes(&f, doubt);
  add_energies(&f, &w);
  size_t i = all->heights++;
  for (; i > 0 && all->travel[i - 1] > travel; i--) {
    all->travel[i] = all->travel[i - 1];
    memcpy(all->value + i * VD_ELASTIC_TERMS, all->value + (i - 1) * VD_ELASTIC_TERMS, sizeof w.value);
  }
  all->travel[i] = travel;
  memcpy(all->value + i * VD_ELASTIC_TERMS, w.value, sizeof w.value);
  all->error = vd_max(all->error, f.error);
}

const vd_elastic_map *vd_wheel_compliance_map(const vd_wheel_compliance *c, const vd_compliant_wheel *wheel,
                                              vd_arena *arena, vd_compliance_doubt *doubt) {
  size_t heights = c->heights + 1, terms = heights * VD_ELASTIC_TERMS;
  energies all = {.travel = vd_arena_alloc(arena, heights * sizeof *all.travel),
                  .value = vd_arena_alloc(arena, terms * sizeof *all.value),
                  .slope = vd_arena_alloc(arena, terms * sizeof *all.slope)};
  vd_elastic_all_terms(VD_ELASTIC_LOADS, VD_ELASTIC_DEGREE, all.powers);
  *doubt = (vd_compliance_doubt){.mismatch = 0.0};
  add_height(c, NULL, wheel, &all, doubt);
  for (size_t i = 0; i < c->heights; i++)
    add_height(c, &c->height[i], wheel, &all, doubt);
  for (size_t i = 0; i < VD_ELASTIC_TERMS; i++)
    vd_cubic_slopes(all.travel, heights, all.value + i, VD_ELASTIC_TERMS, all.slope + i);
  return make_map(&all, wheel, arena);
}
