#include "suspension/wheel_tables.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/cubic.h"

#include <math.h>
#include <stdlib.h>

void vd_wheel_table_finish(vd_wheel_table *t, vd_arena *arena) {
  for (size_t q = 0; q < VD_TABLED; q++) {
    if (!t->value[q])
      continue;
    double *slope = vd_arena_alloc(arena, t->travels * t->seconds * sizeof *slope);
    for (size_t j = 0; j < t->seconds; j++)
      vd_cubic_slopes(t->travel, t->travels, t->value[q] + j, t->seconds, slope + j);
    t->slope[q] = slope;
  }
}

/* Along the travel for each place of the second coordinate, then along that: of values and slopes. */
double vd_wheel_table_at(const vd_wheel_table *t, enum vd_tabled q, double travel, double second, double *by) {
  double *at = vd_allocate(4 * t->seconds, sizeof *at), *rise = at + t->seconds;
  double *slope = rise + t->seconds, *slope_rise = slope + t->seconds, mixed;
  for (size_t j = 0; j < t->seconds; j++)
    at[j] = vd_cubic_at(t->travel, t->travels, t->value[q] + j, t->slope[q] + j, t->seconds, travel, &rise[j]);
  vd_cubic_slopes(t->second, t->seconds, at, 1, slope);
  vd_cubic_slopes(t->second, t->seconds, rise, 1, slope_rise);
  double value = vd_cubic_at(t->second, t->seconds, at, slope, 1, second, &by[1]);
  by[0] = vd_cubic_at(t->second, t->seconds, rise, slope_rise, 1, second, &mixed);
  free(at);
  return value;
}

double vd_wheel_tables_at(const vd_wheel_tables *t, enum vd_tabled q, double travel, double second, double *by) {
  double sum = 0.0, own[2], unused[2];
  by[0] = by[1] = 0.0;
  for (size_t i = 0; i < t->count; i++) {
    const vd_wheel_table *table = &t->table[i];
    if (!table->value[q])
      continue;
    sum += vd_wheel_table_at(table, q, travel, second, own) - vd_wheel_table_at(table, q, 0.0, 0.0, unused);
    by[0] += own[0];
    by[1] += own[1];
  }
  return sum;
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
