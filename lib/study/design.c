/* Designs: the values of a case's factors. */
#include "study/study_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "input/file.h"
#include "input/schema.h"
#include "input/separated.h"
#include "math/chance.h"
#include "math/sobol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vd_design_walk {
  const vd_study *study;
  double *point;   /* a point of Sobol's sequence; NULL: the design does not use it */
  double *u;       /* numbers of the case in the design */
  uint32_t *order; /* order of the factors in a trajectory */
};

static vd_place at(const vd_study *s, const char *key) {
  return vd_tree_place_in(s->root, "design", "%s", key);
}

/* --- reading --- */

/* Returns the number of values of a factor in designs that vary one factor at a time. These values are the levels of
 * the factor, both ends of a uniform one, or the mean -+ the deviation of a normal one. */
static size_t steps_of(const vd_factor *f) {
  return f->level ? f->levels : 2;
}

/* Returns the product, or 0 if it is above VD_STUDY_CASES. */
static size_t times(size_t a, size_t b) {
  return a == 0 || b == 0 || a > VD_STUDY_CASES / b ? 0 : a * b;
}

static size_t count_grid(vd_study_reading *r) {
  const vd_study *s = r->study;
  size_t count = 1;
  for (size_t i = 0; i < s->factors; i++) {
    const vd_factor *f = &s->factor[i];
    if (f->dimension >= 0 && !f->level)
      vd_error(r->d, vd_tree_place(s->root, vd_arena_printf(s->arena, "vary.%zu.type", i)),
               "a grid needs factors of type list or range; '%s' is %s", f->name,
               f->def->type == VD_FACTOR_UNIFORM ? "uniform" : "normal");
    else if (f->dimension >= 0)
      count = times(count, f->levels);
  }
  return count;
}

static size_t count_single(const vd_study *s) {
  size_t count = 1;
  for (size_t i = 0; i < s->factors; i++)
    if (s->factor[i].dimension >= 0)
      count += steps_of(&s->factor[i]);
  return count;
}

static void check_sobol(vd_study_reading *r, size_t dimensions) {
  if (dimensions > VD_SOBOL_MOST)
    vd_error(r->d, at(r->study, "type"), "%zu factors need %zu dimensions of Sobol's sequence; there are %d",
             r->study->dimensions, dimensions, (int)VD_SOBOL_MOST);
}

void vd_design_order(vd_study *s) {
  s->order = vd_arena_alloc(s->arena, s->dimensions * s->count * sizeof *s->order);
  for (size_t k = 0; k < s->dimensions; k++)
    vd_chance_order((uint64_t)s->def.design.seed, k, s->order + k * s->count, (uint32_t)s->count);
}

/* --- the rows of a table --- */

/* Returns the text of a field as a scenario would contain it: a decimal comma becomes a point, and a number is
 * converted from the unit of its column to SI. */
static const char *text_of(vd_study_reading *r, const vd_cells *cells, size_t row, size_t column,
                           const vd_number_row *number) {
  const char *text = cells->text[row * cells->columns + column], *written = cells->unit[column];
  char plain[VD_NUM_MAX];
  double value;
  vd_unit own, unit;
  vd_unit_parse(number->unit, strlen(number->unit), &own, NULL, NULL);
  if (!vd_cells_is_number(cells, row, column, &value))
    return text;
  if (*written && vd_separated_unit(written, strlen(written), &unit) &&
      vd_dimension_equal(unit.dimension, own.dimension))
    value = vd_unit_to_si(unit, value);
  else if (*written)
    vd_error(r->d, vd_cells_name_place(cells, column), "'%s' is no unit of '%s'", written, cells->name[column]);
  vd_num_print_shortest(value, plain);
  return vd_arena_printf(r->study->arena, "%s", plain);
}

static void read_cell(vd_study_reading *r, const vd_cells *cells, size_t row, size_t column, const vd_factor *f,
                      const vd_number_row *number, vd_factor_value *out) {
  const bool has_key = f->numeric && f->def->keys.count > 0;
  const char *text = has_key ? text_of(r, cells, row, column, number) : cells->text[row * cells->columns + column];
  vd_place place = vd_cells_place(cells, row, column);
  double value;
  const vd_node node = {.kind = VD_NODE_SCALAR, .place = place, .key_place = place, .text = text};
  *out = vd_word_value(r->study, f, &node);
  if (*text == '\0')
    vd_error(r->d, place, "'%s' has no value", f->name);
  else if (!has_key && *cells->unit[column])
    vd_error(r->d, vd_cells_name_place(cells, column),
             "'%s' is not the number of a key and has no unit, but the file gives '%s'", f->name, cells->unit[column]);
  else if (f->numeric && strcmp(text, "auto") != 0 &&
           (has_key ? vd_schema_number_fits(number, f->name, &node, true, r->study->arena, r->d, &value)
                    : vd_cells_number(cells, row, column, &value)))
    *out = vd_number_value(value, r->study->arena);
}

/* Tries to read the base with each different word of a column. A word may be the name of a file, whose contents then
 * enter the hash of the study. */
static void try_column(vd_study_reading *r, size_t rows, size_t i) {
  const vd_study *s = r->study;
  const vd_names *keys = &s->factor[i].def->keys;
  const char **tried = vd_arena_alloc(s->arena, rows * sizeof *tried), *why;
  size_t count = 0;
  for (size_t row = 0; row < rows; row++) {
    const char *word = s->row[row * s->factors + i].text;
    size_t k = 0;
    while (k < count && strcmp(tried[k], word) != 0)
      k++;
    if (k < count)
      continue;
    tried[count++] = word;
    for (size_t n = 0; n < keys->count; n++)
      vd_study_try(r, keys->name[n], word, &why);
  }
}

static void read_column(vd_study_reading *r, const vd_cells *cells, size_t i) {
  vd_study *s = r->study;
  const vd_factor *f = &s->factor[i];
  vd_number_row number;
  int column = vd_cells_column(cells, f->name);
  if (column < 0) {
    vd_error(r->d, at(s, "file"), "the file has no column '%s'", f->name);
    return;
  }
  if (f->numeric && f->def->keys.count > 0)
    vd_schema_find_number(vd_kinds[s->kind].schema, s->plain, f->def->keys.name[0], at(s, "file"), r->d, &number);
  for (size_t row = 0; row < cells->rows; row++)
    read_cell(r, cells, row, (size_t)column, f, &number, &s->row[row * s->factors + i]);
  if (!f->numeric)
    try_column(r, cells->rows, i);
}

static size_t read_table(vd_study_reading *r) {
  vd_study *s = r->study;
  vd_cells cells;
  int source;
  if (!vd_schema_slurp(s->def.design.file, r->d, &source) || !vd_cells_read(source, s->arena, r->d, &cells))
    return 0;
  s->def.design.file = vd_file_full(s->arena, s->def.design.file);
  s->row = vd_arena_alloc(s->arena, cells.rows * s->factors * sizeof *s->row);
  for (size_t i = 0; i < s->factors; i++)
    if (s->factor[i].dimension >= 0)
      read_column(r, &cells, i);
  for (size_t k = 0; k < cells.columns; k++) {
    bool known = *cells.name[k] == '\0'; /* a column without a name contains the names of the rows */
    for (size_t i = 0; i < s->factors; i++)
      known |= s->factor[i].dimension >= 0 && (int)k == vd_cells_column(&cells, s->factor[i].name);
    if (!known)
      vd_error(r->d, vd_cells_name_place(&cells, k), "no factor is called '%s'", cells.name[k]);
  }
  return cells.rows;
}

/* --- correlations --- */

static vd_place at_pair(const vd_study *s, size_t i) {
  return vd_tree_place(s->root, vd_arena_printf(s->arena, "correlations.%zu.of", i));
}

static int dimension_called(vd_study_reading *r, size_t i, const char *name) {
  const vd_study *s = r->study;
  for (size_t k = 0; k < s->factors; k++)
    if (strcmp(s->factor[k].name, name) == 0 && !s->factor[k].level && s->factor[k].dimension >= 0)
      return s->factor[k].dimension;
  vd_error(r->d, at_pair(s, i), "'%s' is not a factor of type uniform or normal", name);
  return -1;
}

/* Replaces a matrix by its Cholesky factor; false: it is not positive definite. */
static bool factorise(double *a, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (size_t i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 1e-12))
        return false;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  return true;
}

static void read_correlations(vd_study_reading *r) {
  vd_study *s = r->study;
  const vd_correlation_def *def = s->def.correlations.item;
  const int type = s->def.design.type;
  size_t n = s->dimensions;
  if (s->def.correlations.count == 0)
    return;
  if (type != VD_DESIGN_RANDOM && type != VD_DESIGN_LATIN && type != VD_DESIGN_SOBOL) {
    vd_error(r->d, vd_tree_place(s->root, "correlations"),
             "this design has no correlated factors: use random, latin_hypercube or sobol");
    return;
  }
  s->mixing = vd_arena_alloc(s->arena, n * n * sizeof *s->mixing);
  for (size_t i = 0; i < n; i++)
    s->mixing[i * n + i] = 1.0;
  for (size_t i = 0; i < s->def.correlations.count; i++) {
    int a = def[i].of.count == 2 ? dimension_called(r, i, def[i].of.name[0]) : -2;
    int b = def[i].of.count == 2 ? dimension_called(r, i, def[i].of.name[1]) : -2;
    if (a == -2 || (a == b && a >= 0))
      vd_error(r->d, at_pair(s, i), "a correlation needs two different factors");
    else if (a >= 0 && b >= 0)
      s->mixing[(size_t)a * n + (size_t)b] = s->mixing[(size_t)b * n + (size_t)a] = def[i].value;
  }
  if (!factorise(s->mixing, n))
    vd_error(r->d, vd_tree_place(s->root, "correlations"),
             "these correlations contradict each other: their matrix is not positive definite");
}

bool vd_study_read_design(vd_study_reading *r) {
  vd_study *s = r->study;
  const vd_design_def *def = &s->def.design;
  size_t errors = vd_diag_errors(r->d), given = (size_t)def->count;
  for (size_t i = 0; i < s->factors; i++)
    if (s->factor[i].def->type != VD_FACTOR_FORMULA)
      s->factor[i].dimension = (int)s->dimensions++;
  if (s->dimensions == 0)
    vd_error(r->d, vd_tree_place(s->root, "vary"), "all factors are formulas: nothing varies");
  switch ((enum vd_design_type)def->type) {
  case VD_DESIGN_GRID: s->count = count_grid(r); break;
  case VD_DESIGN_RANDOM:
  case VD_DESIGN_LATIN: s->count = given; break;
  case VD_DESIGN_SOBOL:
    check_sobol(r, s->dimensions);
    s->count = given;
    break;
  case VD_DESIGN_SINGLE: s->count = count_single(s); break;
  case VD_DESIGN_MORRIS:
    if (def->levels % 2 != 0)
      vd_error(r->d, at(s, "levels"), "the trajectories need an even number of levels, not %d", def->levels);
    s->count = times(given, s->dimensions + 1);
    break;
  case VD_DESIGN_SALTELLI:
    check_sobol(r, 2 * s->dimensions);
    s->count = times(given, s->dimensions + 2);
    break;
  case VD_DESIGN_TABLE: s->count = read_table(r); break;
  }
  read_correlations(r);
  if (vd_diag_errors(r->d) > errors)
    return false;
  if (s->count == 0) {
    vd_error(r->d, vd_tree_place(s->root, "design"), "the design has more than %d cases", (int)VD_STUDY_CASES);
    return false;
  }
  if (def->type == VD_DESIGN_LATIN)
    vd_design_order(s);
  return true;
}

/* --- points of a design --- */

vd_design_walk *vd_design_start(const vd_study *study) {
  vd_design_walk *w = vd_allocate(1, sizeof *w);
  const int type = study->def.design.type;
  w->study = study;
  w->u = vd_allocate(2 * study->dimensions, sizeof *w->u);
  w->order = vd_allocate(study->dimensions, sizeof *w->order);
  if (type == VD_DESIGN_SOBOL || type == VD_DESIGN_SALTELLI)
    w->point = vd_allocate(study->dimensions * (type == VD_DESIGN_SALTELLI ? 2 : 1), sizeof *w->point);
  return w;
}

void vd_design_finish(vd_design_walk *w) {
  if (!w)
    return;
  free(w->point);
  free(w->u);
  free(w->order);
  free(w);
}

/* Returns point i of Sobol's sequence. Its numbers are multiples of a power of two, which are exact on every
 * machine. */
static const double *sobol_point(vd_design_walk *w, size_t i) {
  const vd_study *s = w->study;
  size_t dimensions = s->dimensions * (s->def.design.type == VD_DESIGN_SALTELLI ? 2 : 1);
  vd_sobol_point(i, dimensions, w->point);
  for (size_t k = 0; k < dimensions && s->def.design.seed > 0; k++) {
    double changed = w->point[k] + vd_chance((uint64_t)s->def.design.seed, k, 0);
    w->point[k] = changed >= 1.0 ? changed - 1.0 : changed;
  }
  return w->point;
}

/* Converts a level of a trajectory to a number from 0 to 1. The levels of a uniform factor include both ends. */
static double morris_number(const vd_factor *f, size_t level, size_t levels) {
  return f->def->type == VD_FACTOR_UNIFORM ? (double)level / (double)(levels - 1)
                                           : ((double)level + 0.5) / (double)levels;
}

/* Computes a point of the design of Morris (Technometrics 33, 1991, 161). A trajectory starts at a random level of each
 * factor and changes one factor after the other, in a random order, by half the levels, up or down. */
static void morris_point(const vd_study *s, size_t i, uint32_t *order, double *u) {
  size_t n = s->dimensions, trajectory = i / (n + 1), changed = i % (n + 1), levels = (size_t)s->def.design.levels;
  uint64_t seed = (uint64_t)s->def.design.seed;
  vd_chance_order(seed, 2 * trajectory, order, (uint32_t)n);
  for (size_t f = 0; f < s->factors; f++) {
    int k = s->factor[f].dimension;
    if (k < 0)
      continue;
    double at_random = vd_chance(seed, 2 * trajectory + 1, (uint64_t)k);
    size_t level = (size_t)(at_random * (double)levels), half = levels / 2;
    bool has_changed = order[k] < changed;
    u[k] = morris_number(&s->factor[f], has_changed ? (level < half ? level + half : level - half) : level, levels);
  }
}

/* Computes a point of the design of Saltelli et al. (Computer Physics Communications 181, 2010, 259). Each base point
 * gives the cases A and B and, for every factor, a copy of A with this factor's number from B. */
static void saltelli_point(vd_design_walk *w, size_t i, double *u) {
  size_t n = w->study->dimensions, which = i % (n + 2);
  const double *point = sobol_point(w, i / (n + 2));
  for (size_t k = 0; k < n; k++)
    u[k] = which == 1 || which == k + 2 ? point[n + k] : point[k];
}

static void correlate(const vd_study *s, double *u) {
  size_t n = s->dimensions;
  double *z = u + n;
  for (size_t k = 0; k < n; k++)
    z[k] = vd_normal_quantile(vd_max(u[k], 1e-300));
  for (size_t k = 0; k < n; k++) {
    double sum = 0.0;
    bool alone = true;
    for (size_t j = 0; j <= k; j++) {
      sum += s->mixing[k * n + j] * z[j];
      alone &= j == k || s->mixing[k * n + j] == 0.0;
    }
    if (!alone)
      u[k] = vd_normal_probability(sum);
  }
}

static void random_point(vd_design_walk *w, size_t i, double *u) {
  const vd_study *s = w->study;
  uint64_t seed = (uint64_t)s->def.design.seed;
  const double *point = w->point ? sobol_point(w, i) : NULL;
  for (size_t k = 0; k < s->dimensions; k++)
    if (point)
      u[k] = point[k];
    else if (s->order)
      u[k] = ((double)s->order[k * s->count + i] + vd_chance(seed, s->dimensions + k, i)) / (double)s->count;
    else
      u[k] = vd_chance(seed, k, i);
  if (s->mixing)
    correlate(s, u);
}

static void levels_of_numbers(vd_design_walk *w, vd_arena *arena, vd_factor_value *level) {
  for (size_t f = 0; f < w->study->factors; f++) {
    const vd_factor *factor = &w->study->factor[f];
    if (factor->dimension >= 0)
      level[f] = vd_factor_at(factor, w->u[factor->dimension], arena);
  }
}

/* Computes the levels of case i of a grid, in which the last factor changes fastest. */
static void grid_levels(const vd_study *s, size_t i, vd_factor_value *level) {
  for (size_t f = s->factors; f-- > 0;)
    if (s->factor[f].dimension >= 0) {
      level[f] = s->factor[f].level[i % s->factor[f].levels];
      i /= s->factor[f].levels;
    }
}

static vd_factor_value step_of(const vd_factor *f, size_t step, vd_arena *arena) {
  if (f->level)
    return f->level[step];
  if (f->def->type == VD_FACTOR_UNIFORM)
    return vd_number_value(step == 0 ? f->def->from : f->def->to, arena);
  return vd_number_value(f->def->mean + (step == 0 ? -f->def->deviation : f->def->deviation), arena);
}

static void single_levels(const vd_study *s, size_t i, vd_arena *arena, vd_factor_value *level) {
  size_t first = 1;
  for (size_t f = 0; f < s->factors; f++) {
    const vd_factor *factor = &s->factor[f];
    if (factor->dimension < 0)
      continue;
    level[f] = i >= first && i < first + steps_of(factor) ? step_of(factor, i - first, arena) : factor->base;
    first += steps_of(factor);
  }
}

const double *vd_design_numbers(vd_design_walk *w, size_t i) {
  switch ((enum vd_design_type)w->study->def.design.type) {
  case VD_DESIGN_RANDOM:
  case VD_DESIGN_LATIN:
  case VD_DESIGN_SOBOL: random_point(w, i, w->u); break;
  case VD_DESIGN_MORRIS: morris_point(w->study, i, w->order, w->u); break;
  case VD_DESIGN_SALTELLI: saltelli_point(w, i, w->u); break;
  case VD_DESIGN_GRID:
  case VD_DESIGN_SINGLE:
  case VD_DESIGN_TABLE: break;
  }
  return w->u;
}

void vd_design_levels(vd_design_walk *w, size_t i, vd_arena *arena, vd_factor_value *level) {
  const vd_study *s = w->study;
  switch ((enum vd_design_type)s->def.design.type) {
  case VD_DESIGN_GRID: grid_levels(s, i, level); break;
  case VD_DESIGN_SINGLE: single_levels(s, i, arena, level); break;
  case VD_DESIGN_TABLE: memcpy(level, s->row + i * s->factors, s->factors * sizeof *level); break;
  case VD_DESIGN_RANDOM:
  case VD_DESIGN_LATIN:
  case VD_DESIGN_SOBOL:
  case VD_DESIGN_MORRIS:
  case VD_DESIGN_SALTELLI: vd_design_numbers(w, i); levels_of_numbers(w, arena, level);
  }
}
