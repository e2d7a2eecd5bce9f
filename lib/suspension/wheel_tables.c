#include "suspension/wheel_tables.h"

#include "base/elementary.h"
#include "math/cubic.h"

#include <math.h>

/* Where both coordinates are. */
typedef struct place {
  vd_cubic_place travel, second;
} place;

static place find(const vd_wheel_table *t, double travel, double second) {
  return (place){vd_cubic_find(t->travel, t->travels, travel), vd_cubic_find(t->second, t->seconds, second)};
}

/* Along the travel for both points of the second coordinate, then along that: of values and of slopes. */
static double table_at(const vd_wheel_table *t, enum vd_tabled q, const place *at, double *by) {
  const vd_cubic_place *along = &at->travel, *across = &at->second;
  double sum = by[0] = by[1] = 0.0;
  for (int j = 0; j < 2; j++) {
    double value = 0.0, rise = 0.0, slope = 0.0, slope_rise = 0.0;
    for (int i = 0; i < 2; i++) {
      const vd_table_point *p = &t->point[q][along->point[i] * t->seconds + across->point[j]];
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

void vd_wheel_table_finish(vd_wheel_table *t, vd_arena *arena) {
  enum { WIDTH = sizeof(vd_table_point) / sizeof(double) };
  const place design = find(t, 0.0, 0.0);
  for (int q = 0; q < VD_TABLED; q++) {
    size_t row = t->seconds * WIDTH;
    double unused[2];
    if (!t->value[q])
      continue;
    vd_table_point *p = vd_arena_alloc(arena, t->travels * t->seconds * sizeof *p);
    for (size_t k = 0; k < t->travels * t->seconds; k++)
      p[k].v = t->value[q][k];
    for (size_t j = 0; j < t->seconds; j++)
      vd_cubic_slopes(t->travel, t->travels, &p[j].v, row, &p[j].by_travel);
    for (size_t i = 0; i < t->travels; i++) {
      vd_table_point *at = p + i * t->seconds;
      vd_cubic_slopes(t->second, t->seconds, &at->v, WIDTH, &at->by_second);
      vd_cubic_slopes(t->second, t->seconds, &at->by_travel, WIDTH, &at->mixed);
    }
    t->point[q] = p;
    t->design[q] = table_at(t, (enum vd_tabled)q, &design, unused);
  }
}

double vd_wheel_tables_at(const vd_wheel_tables *t, enum vd_tabled q, double travel, double second, double *by) {
  double sum = 0.0, own[2];
  by[0] = by[1] = 0.0;
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    if (!table->value[q])
      continue;
    const place at = find(table, travel, second);
    sum += table_at(table, q, &at, own) - table->design[q];
    by[0] += own[0];
    by[1] += own[1];
  }
  return sum;
}

/* The design position's is that of the first table that has it, one over the travel if there is one. */
static double design_value(const vd_wheel_tables *t, enum vd_tabled q) {
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < t->count; i++)
      if (t->table[i].value[q] && (k == 1 || t->table[i].travels > 1))
        return t->table[i].design[q];
  return 0.0;
}

double vd_wheel_tables_value(const vd_wheel_tables *t, enum vd_tabled q, double travel, double second) {
  double by[2];
  return design_value(t, q) + vd_wheel_tables_at(t, q, travel, second, by);
}

bool vd_wheel_tables_have(const vd_wheel_tables *t, enum vd_tabled q) {
  for (size_t i = 0; i < t->count; i++)
    if (t->table[i].value[q])
      return true;
  return false;
}

bool vd_wheel_tables_second(const vd_wheel_tables *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->table[i].seconds > 1)
      return true;
  return false;
}

void vd_wheel_tables_range(const vd_wheel_tables *t, bool second, double *from, double *to) {
  *from = -INFINITY;
  *to = INFINITY;
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    const double *at = second ? table->second : table->travel;
    size_t count = second ? table->seconds : table->travels;
    if (count > 1) {
      *from = vd_max(*from, at[0]);
      *to = vd_min(*to, at[count - 1]);
    }
  }
}
