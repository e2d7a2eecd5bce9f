#include "compliance/elastic_map.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- the tree --- */

int vd_elastic_last_load(unsigned powers) {
  int load = VD_ELASTIC_PAIR - 1;
  while (load >= 0 && vd_elastic_power_of(powers, load) == 0)
    load--;
  return load;
}

int vd_elastic_degree(unsigned powers) {
  unsigned sum = 0;
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    sum += vd_elastic_power_of(powers, j);
  return (int)sum;
}

bool vd_elastic_odd(unsigned powers) {
  return vd_elastic_degree(powers >> (3 * VD_ELASTIC_LOADS)) % 2 != 0;
}

/* The terms of the first loads come first, then each of them times powers of the next load. */
int vd_elastic_all_terms(int loads, int degree, unsigned *powers) {
  int count = 1;
  powers[0] = 0;
  for (int j = 0; j < loads; j++)
    for (int i = 0, before = count; i < before; i++)
      for (int p = 1; p + vd_elastic_degree(powers[i]) <= degree; p++)
        powers[count++] = powers[i] + ((unsigned)p << (3 * j));
  return count;
}

typedef struct placed {
  int group, load, leaf, degree;
  unsigned powers;
} placed;

static unsigned parent_of(const placed *t) {
  return t->powers - (1u << (3 * t->load));
}

/* Orders terms within a group: by the last load, leaves after the others, then by the degree. Parents have a smaller
 * last load or degree, so they precede their children. */
static int in_order(const void *a, const void *b) {
  const placed *x = a, *y = b;
  const int by[] = {x->group - y->group, x->load - y->load, x->leaf - y->leaf, x->degree - y->degree};
  int k = 0;
  while (k < 4 && by[k] == 0)
    k++;
  return k < 4 ? by[k] : (x->powers > y->powers) - (x->powers < y->powers);
}

static void find_leaves(placed *term, int count) {
  unsigned parent[VD_ELASTIC_NODES];
  for (int i = 0; i < count; i++)
    parent[i] = term[i].load < 0 ? VD_ELASTIC_NO_TERM : parent_of(&term[i]);
  for (int i = 0; i < count; i++) {
    int children = 0;
    for (int k = 0; k < count; k++)
      children += parent[k] == term[i].powers;
    term[i].leaf = children == 0;
  }
}

static int find_node(const vd_elastic_tree *t, unsigned powers) {
  int i = 0;
  while (i < t->nodes && t->powers[i] != powers)
    i++;
  return i < t->nodes ? i : -1;
}

static void fill_group(vd_elastic_tree *t) {
  for (; t->nodes % 4; t->nodes++)
    t->powers[t->nodes] = VD_ELASTIC_NO_TERM;
}

void vd_elastic_tree_make(const unsigned *powers, const unsigned char *group, int count, vd_elastic_tree *tree) {
  placed term[VD_ELASTIC_NODES];
  *tree = (vd_elastic_tree){.nodes = 0};
  for (int i = 0; i < count; i++)
    term[i] =
        (placed){group ? group[i] : 0, vd_elastic_last_load(powers[i]), 0, vd_elastic_degree(powers[i]), powers[i]};
  find_leaves(term, count);
  qsort(term, (size_t)count, sizeof *term, in_order);
  for (int i = 0; i < count; i++) {
    const placed *t = &term[i];
    bool new_group = i > 0 && t->group != t[-1].group;
    if (new_group)
      fill_group(tree);
    int node = tree->nodes++;
    tree->powers[node] = t->powers;
    if (t->load < 0)
      continue;
    int parent = find_node(tree, parent_of(t));
    assert(parent >= 0);
    tree->parent[node] = (unsigned short)parent;
    if (new_group || t->load != t[-1].load)
      tree->run[tree->runs++] = (vd_elastic_run){t->load, node, node, node};
    tree->run[tree->runs - 1].to = node + 1;
    tree->run[tree->runs - 1].leaves += !t->leaf;
  }
  fill_group(tree);
}

void vd_elastic_map_scale(vd_elastic_map *map, double force, double radius) {
  const double share[VD_ELASTIC_LOADS] = {1.0, VD_ELASTIC_LATERAL, VD_ELASTIC_ROLL, VD_ELASTIC_BRAKE * radius,
                                          VD_ELASTIC_YAW};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    map->unit[j] = share[j] * force;
  map->arm = radius;
}

/* --- coefficients over travel and rack --- */

/* Returns the number of splines over the rack of an axle that steers. */
VD_INLINE int layers_of(const vd_elastic_map *map) {
  return map->gear.cells > 0 ? map->gear.cells + VD_BSPLINE_ENDS : 1;
}

/* Returns the number of rows of tree->nodes numbers in the surface. */
static size_t rows_of(const vd_elastic_map *map) {
  size_t rows = ((size_t)map->travel.cells + VD_BSPLINE_ENDS) * (size_t)layers_of(map);
  return map->rack.cells ? rows * (size_t)map->rack.cells * 4 : rows;
}

/* Converts a row of spline coefficients, [cells + 3][width], to the cubics of its cells, [cells][4][width]. */
VD_INLINE void to_cubics(const double *spline, size_t cells, size_t width, double *cubic) {
  for (size_t j = 0; j < cells; j++)
    for (size_t k = 0; k < width; k += 4) { /* groups of nodes are filled up to multiples of four */
      const double *b = spline + j * width + k;
      const vd_wide b0 = vd_wide_load(b), b1 = vd_wide_load(b + width), b2 = vd_wide_load(b + 2 * width),
                    b3 = vd_wide_load(b + 3 * width);
      double *c = cubic + 4 * j * width + k;
      vd_wide_store((b3 - b0) / 6.0 + 0.5 * (b1 - b2), c);
      vd_wide_store(0.5 * (b0 + b2) - b1, c + width);
      vd_wide_store(0.5 * (b2 - b0), c + 2 * width);
      vd_wide_store((b0 + 4.0 * b1 + b2) / 6.0, c + 3 * width);
    }
}

/* Fits splines over the rack of an axle that steers to values [place][gear.cells + 1][nodes] at all nodes of the
 * travels. */
static double *along_gear(const vd_elastic_map *map, const double *value) {
  const size_t width = (size_t)map->tree->nodes, from = ((size_t)map->gear.cells + 1) * width;
  const size_t to = (size_t)layers_of(map) * width;
  const size_t places = ((size_t)map->travel.cells + 1) * ((size_t)map->rack.cells + 1);
  double *out = vd_allocate(places * to, sizeof *out);
  for (size_t i = 0; i < places; i++)
    vd_bspline_fit_product(&map->gear, &(vd_axis){.cells = 0}, width, value + i * from, width, out + i * to);
  return out;
}

VD_WIDE const double *vd_elastic_surface(const vd_elastic_map *map, const double *value, vd_arena *arena) {
  size_t width = (size_t)(map->tree->nodes * layers_of(map)), rows = (size_t)map->travel.cells + VD_BSPLINE_ENDS;
  size_t cells = (size_t)map->rack.cells, from = (cells + VD_BSPLINE_ENDS) * width, to = 4 * cells * width;
  double *spline = vd_allocate(vd_bspline_places(&map->travel, &map->rack) * width, sizeof *spline);
  double *surface = vd_arena_alloc(arena, rows_of(map) * (size_t)map->tree->nodes * sizeof *surface);
  double *layers = map->gear.cells > 0 ? along_gear(map, value) : NULL;
  vd_bspline_fit_product(&map->travel, &map->rack, width, layers ? layers : value, width, spline);
  free(layers);
  if (cells == 0)
    memcpy(surface, spline, rows * width * sizeof *surface);
  for (size_t i = 0; cells > 0 && i < rows; i++)
    to_cubics(spline + i * from, cells, width, surface + i * to);
  free(spline);
  return surface;
}

/* --- two maps on one tree --- */

/* Returns a copy of the map with its coefficients at the nodes of another tree. */
static vd_elastic_map *map_on_tree(const vd_elastic_map *map, const vd_elastic_tree *tree, vd_arena *arena) {
  vd_elastic_map *out = vd_arena_alloc(arena, sizeof *out);
  size_t rows = rows_of(map), before = (size_t)map->tree->nodes;
  double *surface = vd_arena_alloc(arena, rows * (size_t)tree->nodes * sizeof *surface);
  int node[VD_ELASTIC_NODES];
  for (int i = 0; i < tree->nodes; i++)
    node[i] = tree->powers[i] == VD_ELASTIC_NO_TERM ? -1 : find_node(map->tree, tree->powers[i]);
  for (int i = 0, end; i < tree->nodes; i = end) { /* nodes that follow each other in both trees */
    for (end = i + 1; end < tree->nodes && node[end] == (node[i] < 0 ? -1 : node[i] + end - i);)
      end++;
    const size_t bytes = (size_t)(end - i) * sizeof *surface;
    double *to = surface + i;
    for (size_t k = 0; k < rows; k++, to += tree->nodes)
      if (node[i] < 0)
        memset(to, 0, bytes);
      else
        memcpy(to, map->surface + k * before + node[i], bytes);
  }
  *out = *map;
  out->tree = tree;
  out->surface = surface;
  return out;
}

const vd_elastic_map *vd_elastic_map_like(const vd_elastic_map *map, const vd_elastic_map *other, vd_arena *arena) {
  vd_elastic_map *out = map_on_tree(map, other->tree, arena);
  memcpy(out->part, other->part, sizeof out->part);
  return out;
}

void vd_elastic_maps_join(const vd_elastic_map *from[2], vd_arena *arena, const vd_elastic_map *to[2]) {
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  unsigned powers[VD_ELASTIC_NODES];
  unsigned char group[VD_ELASTIC_NODES];
  int count = 0, size[VD_ELASTIC_GROUPS] = {0};
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < from[a]->tree->nodes; i++) {
      unsigned own = from[a]->tree->powers[i];
      bool shared = find_node(from[1 - a]->tree, own) >= 0;
      if (own == VD_ELASTIC_NO_TERM || (a == 1 && shared))
        continue;
      powers[count] = own;
      group[count] = (unsigned char)(shared ? 0 : 1 + a);
      size[group[count++]]++;
    }
  vd_elastic_tree_make(powers, group, count, tree);
  int first = (size[0] + 3) & ~3, second = first + ((size[1] + 3) & ~3);
  for (int a = 0; a < 2; a++) {
    vd_elastic_map *map = map_on_tree(from[a], tree, arena);
    map->part[0] = (vd_elastic_part){0, first};
    map->part[1] = a == 0 ? (vd_elastic_part){first, second} : (vd_elastic_part){second, tree->nodes};
    to[a] = map;
  }
}

/* --- reading the map --- */

/* Computes the splines at a place; beyond the ends they keep the values at the ends, with slope 0. */
VD_INLINE int basis_within(const vd_axis *a, double at, double *b, double *b1) {
  double from = a->from, to = a->from + a->cells * a->step, within = vd_fast_min(vd_fast_max(at, from), to);
  int cell = vd_bspline_basis(a, within, b, b1);
  for (int i = 0; within != at && i < 4; i++)
    b1[i] = 0.0;
  return cell;
}

VD_INLINE void along_travel(const double *from, int width, int count, const double *b, const double *b1, double *value,
                            double *by_travel) {
  for (int k = 0; k < count; k += 4) {
    vd_wide sum = {0.0}, slope = {0.0};
    for (int i = 0; i < 4; i++) {
      vd_wide c = vd_wide_load(from + i * width + k);
      sum += b[i] * c;
      slope += b1[i] * c;
    }
    vd_wide_store(sum, value + k);
    vd_wide_store(slope, by_travel + k);
  }
}

VD_INLINE void clear(vd_elastic_terms_at *out, int from, int to) {
  vd_wide none = {0.0};
  for (int k = from; k < to; k += 4) {
    vd_wide_store(none, out->value + k);
    vd_wide_store(none, out->by_travel + k);
    vd_wide_store(none, out->by_rack + k);
    vd_wide_store(none, out->by_gear + k);
  }
}

/* Returns the cell that contains `at`, and in *t the position within the cell, 0 .. 1; *inside is 0 beyond the ends,
 * where the coefficients are constant. */
VD_INLINE int cell_within(const vd_axis *a, double at, double *t, double *inside) {
  double end = a->cells, u = (at - a->from) * a->per_step, within = vd_fast_min(vd_fast_max(u, 0.0), end);
  int cell = (int)vd_fast_min(within, end - 1.0);
  *t = within - cell;
  *inside = within == u ? a->per_step : 0.0;
  return cell;
}

/* A place in a surface whose second axis has cubics: splines of the first axis and their slopes, strides from one
 * spline and from one power to the next, and the place within the cell. */
typedef struct crossing {
  double b[4], b1[4];
  int row, width;
  double t, per_step;
} crossing;

/* Evaluates the cubics of the second axis and their slopes, by Horner's rule. */
VD_INLINE vd_wide cubic_at(const double *c, const crossing *at, vd_wide *slope) {
  vd_wide sum = vd_wide_load(c), by = sum;
  sum = sum * at->t + vd_wide_load(c + at->width);
  by = by * at->t + sum;
  sum = sum * at->t + vd_wide_load(c + 2 * at->width);
  *slope = by * at->t + sum;
  return sum * at->t + vd_wide_load(c + 3 * at->width);
}

/* Sums the cubics of the second axis with the splines of the first. `from': coefficients of the first spline of the
 * cell. */
VD_INLINE void with_rack(const double *from, int count, const crossing *at, vd_elastic_terms_at *out, int first) {
  for (int k = 0; k < count; k += 4) {
    vd_wide value = {0.0}, by_travel = {0.0}, by_rack = {0.0};
    for (int i = 0; i < 4; i++) {
      vd_wide slope, sum = cubic_at(from + i * at->row + k, at, &slope);
      value += at->b[i] * sum;
      by_travel += at->b1[i] * sum;
      by_rack += at->b[i] * slope;
    }
    vd_wide_store(value, out->value + first + k);
    vd_wide_store(by_travel, out->by_travel + first + k);
    vd_wide_store(at->per_step * by_rack, out->by_rack + first + k);
  }
}

/* Does what with_rack does, with splines over the rack of an axle that steers in addition. Their coefficients are
 * `gear->apart' numbers apart. */
VD_INLINE void with_gear(const double *from, int count, const crossing *at, const vd_bsplines_at *gear,
                         vd_elastic_terms_at *out, int first) {
  for (int k = 0; k < count; k += 4) {
    vd_wide value = {0.0}, by_travel = {0.0}, by_rack = {0.0}, by_gear = {0.0};
    for (int i = 0; i < 4; i++) {
      vd_wide own = {0.0}, across = {0.0}, turn = {0.0};
      for (int j = 0; j < 4; j++) {
        vd_wide slope, sum = cubic_at(from + i * at->row + j * gear->apart + k, at, &slope);
        own += gear->b[j] * sum;
        across += gear->b[j] * slope;
        turn += gear->b1[j] * sum;
      }
      value += at->b[i] * own;
      by_travel += at->b1[i] * own;
      by_rack += at->b[i] * across;
      by_gear += at->b[i] * turn;
    }
    vd_wide_store(value, out->value + first + k);
    vd_wide_store(by_travel, out->by_travel + first + k);
    vd_wide_store(at->per_step * by_rack, out->by_rack + first + k);
    vd_wide_store(by_gear, out->by_gear + first + k);
  }
}

VD_WIDE void vd_elastic_map_at(const vd_elastic_map *map, double travel, double rack, double gear,
                               vd_elastic_terms_at *out) {
  crossing at = {.width = map->tree->nodes * layers_of(map), .t = 0.0};
  int row = basis_within(&map->travel, travel, at.b, at.b1), cell = 0;
  at.row = at.width;
  if (map->rack.cells) {
    at.row = 4 * map->rack.cells * at.width;
    cell = cell_within(&map->rack, rack, &at.t, &at.per_step);
  }
  const double *from = map->surface + row * at.row + 4 * cell * at.width;
  double b[4] = {0.0}, b1[4] = {0.0};
  const vd_bsplines_at across = {b, b1, map->tree->nodes};
  if (map->gear.cells)
    from += basis_within(&map->gear, gear, b, b1) * map->tree->nodes;
  for (int p = 0; p < 2; p++) {
    int k = map->part[p].from, count = map->part[p].to - k;
    if (map->gear.cells)
      with_gear(from + k, count, &at, &across, out, k);
    else if (map->rack.cells)
      with_rack(from + k, count, &at, out, k);
    else
      along_travel(from + k, at.width, count, at.b, at.b1, out->value + k, out->by_travel + k);
  }
  clear(out, map->part[0].to, map->part[1].from);
  clear(out, map->part[1].to, map->tree->nodes);
}
