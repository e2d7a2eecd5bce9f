#include "linkage/wheel_tables.h"

#include "base/elementary.h"
#include "math/cubic.h"

#include <math.h>

/* The cell of each coordinate with the weights of its points. */
typedef struct place {
  vd_cubic_place of[VD_TABLE_COORDINATES];
} place;

static place find(const vd_wheel_table *t, const double *at) {
  place p;
  for (int k = 0; k < VD_TABLE_COORDINATES; k++)
    p.of[k] = vd_cubic_find(t->at[k], t->count[k], at[k]);
  return p;
}

/* Interpolates within one layer, which holds the values at one node of the gear: values and slopes along the travel at
 * both points of the second coordinate, then along the second coordinate. */
static double layer_at(const vd_wheel_table *t, const vd_table_point *layer, const place *at, double *by) {
  const vd_cubic_place *along = &at->of[VD_TABLE_TRAVEL], *across = &at->of[VD_TABLE_SECOND];
  const size_t column = t->count[VD_TABLE_GEAR], row = t->count[VD_TABLE_SECOND] * column;
  double sum = by[0] = by[1] = 0.0;
  for (int j = 0; j < 2; j++) {
    double value = 0.0, rise = 0.0, slope = 0.0, slope_rise = 0.0;
    for (int i = 0; i < 2; i++) {
      const vd_table_point *p = &layer[along->point[i] * row + across->point[j] * column];
      value += along->value[i] * p->v + along->slope[i] * p->by_travel;
      rise += along->by_value[i] * p->v + along->by_slope[i] * p->by_travel;
      slope += along->value[i] * p->by_second + along->slope[i] * p->mixed;
      slope_rise += along->by_value[i] * p->by_second + along->by_slope[i] * p->mixed;
    }
    sum += across->value[j] * value + across->slope[j] * slope;
    by[0] += across->value[j] * rise + across->slope[j] * slope_rise;
    by[1] += across->by_value[j] * value + across->by_slope[j] * slope;
  }
  return sum;
}

static size_t points_of(const vd_wheel_table *t) {
  return t->count[VD_TABLE_TRAVEL] * t->count[VD_TABLE_SECOND] * t->count[VD_TABLE_GEAR];
}

/* Interpolates along the gear by a spline through the values of the layers, with the layers' slopes by the gear. */
static double table_at(const vd_wheel_table *t, enum vd_tabled q, const place *at, double *by) {
  enum { VALUE, SLOPE };
  const vd_cubic_place *gear = &at->of[VD_TABLE_GEAR];
  double sum = 0.0;
  by[VD_TABLE_GEAR] = 0.0;
  if (t->count[VD_TABLE_GEAR] == 1)
    return layer_at(t, t->point[q], at, by);
  by[VD_TABLE_TRAVEL] = by[VD_TABLE_SECOND] = 0.0;
  for (int i = 0; i < 2; i++)
    for (int part = VALUE; part <= SLOPE; part++) {
      const vd_table_point *layer = t->point[q] + (part == SLOPE ? points_of(t) : 0) + gear->point[i];
      double own[VD_TABLE_GEAR], value = layer_at(t, layer, at, own);
      double weight = part == SLOPE ? gear->slope[i] : gear->value[i];
      sum += weight * value;
      for (int k = 0; k < VD_TABLE_GEAR; k++)
        by[k] += weight * own[k];
      by[VD_TABLE_GEAR] += (part == SLOPE ? gear->by_slope[i] : gear->by_value[i]) * value;
    }
  return sum;
}

enum { WIDTH = sizeof(vd_table_point) / sizeof(double) };

/* Computes the slopes by the rack of all four numbers of every point and writes them behind the points. */
static void slopes_by_gear(const vd_wheel_table *t, vd_table_point *p) {
  const size_t gears = t->count[VD_TABLE_GEAR], points = points_of(t);
  for (size_t i = 0; i < points; i += gears)
    for (size_t part = 0; part < WIDTH; part++)
      vd_cubic_slopes(t->at[VD_TABLE_GEAR], gears, &p[i].v + part, WIDTH, &p[points + i].v + part);
}

void vd_wheel_table_finish(vd_wheel_table *t, vd_arena *arena) {
  const double origin[VD_TABLE_COORDINATES] = {0.0};
  const place design = find(t, origin);
  const size_t *count = t->count, column = count[VD_TABLE_GEAR], row = count[VD_TABLE_SECOND] * column;
  const size_t points = points_of(t);
  for (int q = 0; q < VD_TABLED; q++) {
    double unused[VD_TABLE_COORDINATES];
    if (!t->value[q])
      continue;
    vd_table_point *p = vd_arena_alloc(arena, (column > 1 ? 2 : 1) * points * sizeof *p);
    for (size_t k = 0; k < points; k++)
      p[k].v = t->value[q][k];
    for (size_t j = 0; j < row; j++)
      vd_cubic_slopes(t->at[VD_TABLE_TRAVEL], count[VD_TABLE_TRAVEL], &p[j].v, row * WIDTH, &p[j].by_travel);
    for (size_t i = 0; i < points; i += row)
      for (size_t k = 0; k < column; k++) {
        vd_table_point *at = p + i + k;
        vd_cubic_slopes(t->at[VD_TABLE_SECOND], count[VD_TABLE_SECOND], &at->v, column * WIDTH, &at->by_second);
        vd_cubic_slopes(t->at[VD_TABLE_SECOND], count[VD_TABLE_SECOND], &at->by_travel, column * WIDTH, &at->mixed);
      }
    if (column > 1)
      slopes_by_gear(t, p);
    t->point[q] = p;
    t->design[q] = table_at(t, (enum vd_tabled)q, &design, unused);
  }
}

void vd_wheel_tables_describe(const vd_wheel_tables *t, vd_buf *out) {
  const double figures[] = {t->joined, t->toe, t->camber, (double)t->count};
  vd_buf_add(out, (const char *)figures, sizeof figures);
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    vd_buf_add(out, (const char *)table->count, sizeof table->count);
    for (int k = 0; k < VD_TABLE_COORDINATES; k++)
      if (table->count[k] > 1)
        vd_buf_add(out, (const char *)table->at[k], table->count[k] * sizeof *table->at[k]);
    for (int q = 0; q < VD_TABLED; q++)
      if (table->value[q]) {
        vd_buf_add(out, (const char *)&q, sizeof q);
        vd_buf_add(out, (const char *)table->value[q], points_of(table) * sizeof *table->value[q]);
      }
  }
}

double vd_wheel_tables_at(const vd_wheel_tables *t, enum vd_tabled q, const double at[VD_TABLE_COORDINATES],
                          double by[VD_TABLE_COORDINATES]) {
  double sum = 0.0, own[VD_TABLE_COORDINATES];
  for (int k = 0; k < VD_TABLE_COORDINATES; k++)
    by[k] = 0.0;
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    if (!table->value[q])
      continue;
    const place there = find(table, at);
    sum += table_at(table, q, &there, own) - table->design[q];
    for (int k = 0; k < VD_TABLE_COORDINATES; k++)
      by[k] += own[k];
  }
  return sum;
}

void vd_wheel_tables_all(const vd_wheel_tables *t, const double at[VD_TABLE_COORDINATES], double value[VD_TABLED],
                         double by[VD_TABLED][VD_TABLE_COORDINATES]) {
  for (int q = 0; q < VD_TABLED; q++) {
    value[q] = 0.0;
    for (int k = 0; k < VD_TABLE_COORDINATES; k++)
      by[q][k] = 0.0;
  }
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    const place there = find(table, at);
    for (int q = 0; q < VD_TABLED; q++) {
      double own[VD_TABLE_COORDINATES];
      if (!table->value[q])
        continue;
      value[q] += table_at(table, (enum vd_tabled)q, &there, own) - table->design[q];
      for (int k = 0; k < VD_TABLE_COORDINATES; k++)
        by[q][k] += own[k];
    }
  }
}

/* Returns the value in the design position, from the first table that contains the quantity; tables over the travel
 * come first. */
static double design_value(const vd_wheel_tables *t, enum vd_tabled q) {
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < t->count; i++)
      if (t->table[i].value[q] && (k == 1 || t->table[i].count[VD_TABLE_TRAVEL] > 1))
        return t->table[i].design[q];
  return 0.0;
}

double vd_wheel_tables_value(const vd_wheel_tables *t, enum vd_tabled q, const double at[VD_TABLE_COORDINATES]) {
  double by[VD_TABLE_COORDINATES];
  return design_value(t, q) + vd_wheel_tables_at(t, q, at, by);
}

bool vd_wheel_tables_have(const vd_wheel_tables *t, enum vd_tabled q) {
  for (size_t i = 0; i < t->count; i++)
    if (t->table[i].value[q])
      return true;
  return false;
}

bool vd_wheel_tables_over(const vd_wheel_tables *t, enum vd_table_coordinate k) {
  for (size_t i = 0; i < t->count; i++)
    if (t->table[i].count[k] > 1)
      return true;
  return false;
}

void vd_wheel_tables_range(const vd_wheel_tables *t, enum vd_table_coordinate k, double *from, double *to) {
  *from = -INFINITY;
  *to = INFINITY;
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    if (table->count[k] > 1) {
      *from = vd_max(*from, table->at[k][0]);
      *to = vd_min(*to, table->at[k][table->count[k] - 1]);
    }
  }
}
