#include "limits/gg.h"

#include "base/base.h"
#include "base/elementary.h"
#include "math/steffen.h"

#include <math.h>

/* decrease of the longitudinal force over the lateral force in excess of the greatest lateral force */
static const double steep = 5.0;

/* --- point mass --- */

static double mass_grip(const vd_gg_mass *m, double speed, double normal) {
  return vd_max(m->friction * (normal + m->downforce * speed * speed / m->mass), 0.0);
}

static void mass_range(const vd_gg_mass *m, double speed, double normal, double across, double *low, double *high) {
  double grip = mass_grip(m, speed, normal), drag = m->drag * speed * speed / m->mass;
  double left = grip * grip - across * across, along = left > 0.0 ? sqrt(left) : 0.0;
  double over = steep * vd_max(fabs(across) - grip, 0.0);
  *low = -along - drag - over;
  *high = (along * m->mass * speed > m->power ? m->power / (m->mass * speed) : along) - drag - over;
}

/* --- tables --- */

static double share_angle(int i) {
  return 0.5 * VD_PI * i / (VD_GG_SHARES - 1);
}

enum { FINE = 8 }; /* intervals between two directions; the distance from the middle is a cubic */

/* Returns the distance of a closed boundary from the middle, at u from 0 to 1 between the points i and i + 1 (Catmull
 * and Rom). */
static double between(const double *reach, size_t count, size_t i, double u) {
  double a = reach[(i + count - 1) % count], b = reach[i % count], c = reach[(i + 1) % count];
  double d = reach[(i + 2) % count], m0 = 0.5 * (c - a), m1 = 0.5 * (d - b);
  double curve = b + u * (m0 + u * (3.0 * (c - b) - 2.0 * m0 - m1 + u * (2.0 * (b - c) + m0 + m1)));
  return vd_min(vd_max(curve, vd_min(b, c)), vd_max(vd_max(b, c), 0.5 * (b + c) + 0.25 * fabs(c - b) + 0.02 * b));
}

/* Computes the fine boundary of one side, from drive to brake, with lateral forces >= 0. Returns the number of
 * points. */
static size_t one_side(const vd_gg_point *point, size_t count, bool right, vd_gg_point *out) {
  double reach[VD_GG_DIRECTIONS], centre = 0.5 * (point[0].along + point[count / 2].along);
  size_t n = 0, half = count / 2;
  for (size_t i = 0; i < count; i++)
    reach[i] = vd_hypot(point[i].along - centre, point[i].across);
  for (size_t k = 0; k < half; k++) {
    size_t i = right ? (count - k) % count : k, next = right ? count - k - 1 : k + 1;
    double from = vd_atan2(fabs(point[i].across), point[i].along - centre);
    double to = vd_atan2(fabs(point[next].across), point[next].along - centre);
    for (int f = 0; f < FINE; f++) {
      double u = (double)f / FINE, angle = from + (to - from) * u;
      double r = right ? between(reach, count, next, 1.0 - u) : between(reach, count, i, u);
      out[n++] = (vd_gg_point){centre + r * vd_cos(angle), r * vd_sin(angle)};
    }
  }
  out[n++] = (vd_gg_point){point[half].along, 0.0};
  out[0].across = 0.0;
  return n;
}

/* Returns the longitudinal force at which a side of the boundary has the lateral force `across'; back: on the braking
 * part of the boundary. */
static double along_at(const vd_gg_point *side, size_t tip, size_t count, double across, bool back) {
  size_t i = back ? count - 1 : 0;
  for (;;) {
    size_t next = back ? i - 1 : i + 1;
    if (side[next].across >= across || next == tip) {
      double span = side[next].across - side[i].across;
      double u = span > 0.0 ? vd_min((across - side[i].across) / span, 1.0) : 1.0;
      return side[i].along + u * (side[next].along - side[i].along);
    }
    i = next;
  }
}

void vd_gg_section_fill(const vd_gg_point *point, size_t count, vd_gg_section *s) {
  static _Thread_local vd_gg_point side[VD_GG_DIRECTIONS * FINE];
  for (int right = 0; right < 2; right++) {
    size_t n = one_side(point, count, right, side), tip = 1;
    for (size_t i = 1; i + 1 < n; i++)
      if (side[i].across > side[tip].across)
        tip = i;
    s->side[right] = side[tip].across;
    for (int i = 0; i < VD_GG_SHARES; i++) {
      double across = s->side[right] * vd_sin(share_angle(i));
      s->high[right][i] = along_at(side, tip, n, across, false);
      s->low[right][i] = along_at(side, tip, n, across, true);
    }
  }
}

/* Returns the slope over the speed at speed i; the values at two neighbouring speeds are `stride' apart in memory. */
static double slope_at(const vd_gg *gg, const double *value, size_t stride, size_t i) {
  double xy[6];
  size_t first = i == 0 ? 0 : i - 1, last = i + 1 < gg->speeds ? i + 1 : i;
  if (gg->speeds < 2)
    return 0.0;
  for (size_t k = first; k <= last; k++) {
    xy[2 * (k - first)] = gg->speed[k];
    xy[2 * (k - first) + 1] = *(const double *)(const void *)((const char *)value + k * stride);
  }
  return vd_steffen_slope(&(vd_points){xy, last - first + 1}, i - first);
}

void vd_gg_complete(vd_gg *gg) {
  const size_t stride = sizeof *gg->section;
  for (size_t k = 0; k < gg->normals; k++) {
    vd_gg_section *s = gg->section + k * gg->speeds;
    for (size_t i = 0; i < gg->speeds; i++)
      for (int right = 0; right < 2; right++) {
        s[i].side_slope[right] = slope_at(gg, &s->side[right], stride, i);
        for (int j = 0; j < VD_GG_SHARES; j++) {
          s[i].high_slope[right][j] = slope_at(gg, &s->high[right][j], stride, i);
          s[i].low_slope[right][j] = slope_at(gg, &s->low[right][j], stride, i);
        }
      }
  }
}

/* Place of a speed and a normal acceleration in the table, with the weights of the cubic. */
typedef struct place {
  /* sections at two neighbouring normal accelerations; from[i] + 1 is at the next speed */
  const vd_gg_section *from[2];
  double share;     /* share of from[1] */
  double weight[4]; /* weights of the values at both speeds, and of their slopes */
} place;

/* Returns the interval that contains a value. The search starts at the interval that would contain the value if all
 * intervals were equal. */
static size_t interval(const double *x, size_t count, double at) {
  double share = (at - x[0]) / (x[count - 1] - x[0]) * (double)(count - 1);
  size_t i = share > 0.0 ? (size_t)vd_min(share, (double)(count - 2)) : 0;
  while (i > 0 && x[i] > at)
    i--;
  while (i + 2 < count && x[i + 1] <= at)
    i++;
  return i;
}

static place find(const vd_gg *gg, double speed, double normal) {
  place p = {.share = 0.0, .weight = {1.0, 0.0, 0.0, 0.0}};
  size_t k = 0, i = 0;
  if (gg->normals > 1) {
    k = interval(gg->normal, gg->normals, normal);
    p.share = (normal - gg->normal[k]) / (gg->normal[k + 1] - gg->normal[k]);
  }
  if (gg->speeds > 1) {
    i = interval(gg->speed, gg->speeds, speed);
    double h = gg->speed[i + 1] - gg->speed[i];
    double u = vd_min(vd_max((speed - gg->speed[i]) / h, 0.0), 1.0), v = 1.0 - u;
    p.weight[0] = v * v * (1.0 + 2.0 * u);
    p.weight[1] = u * u * (1.0 + 2.0 * v);
    p.weight[2] = h * u * v * v;
    p.weight[3] = -h * u * u * v;
  }
  p.from[0] = gg->section + k * gg->speeds + i;
  p.from[1] = gg->normals > 1 ? p.from[0] + gg->speeds : p.from[0];
  return p;
}

/* Returns the interpolated value of one member of a section. The addresses of the member and its slope in from[0]
 * select it. */
static double value_at(const place *p, const double *value, const double *slope) {
  const ptrdiff_t next = sizeof *p->from[0] / sizeof *value;
  const ptrdiff_t other = (p->from[1] - p->from[0]) * next;
  double sum[2];
  for (int k = 0; k < 2; k++) {
    const double *v = value + k * other, *s = slope + k * other;
    sum[k] = p->weight[0] * v[0] + p->weight[2] * s[0];
    if (p->weight[1] != 0.0 || p->weight[3] != 0.0)
      sum[k] += p->weight[1] * v[next] + p->weight[3] * s[next];
    if (p->share == 0.0)
      return sum[0];
  }
  return sum[0] + p->share * (sum[1] - sum[0]);
}

static double side_at(const vd_gg *gg, const place *p, double normal, bool right) {
  double scale = gg->normals > 1 ? 1.0 : normal / gg->normal[0];
  return scale * vd_max(value_at(p, &p->from[0]->side[right], &p->from[0]->side_slope[right]), 0.0);
}

double vd_gg_least_normal(const vd_gg *gg, double speed) {
  return gg->is_mass ? -gg->mass.downforce * speed * speed / gg->mass.mass : 0.0;
}

double vd_gg_side(const vd_gg *gg, double speed, double normal, bool right) {
  if (gg->is_mass)
    return mass_grip(&gg->mass, speed, normal);
  place p = find(gg, speed, normal);
  return side_at(gg, &p, normal, right);
}

/* Computes both ends of the range for a lateral force; an end that is not needed is NULL. */
static void range_at(const vd_gg *gg, double speed, double normal, double across, double *low, double *high) {
  bool right = across < 0.0;
  place p = find(gg, speed, normal);
  double side = side_at(gg, &p, normal, right), share = side > 0.0 ? vd_min(fabs(across) / side, 1.0) : 1.0;
  double at = vd_asin(share) / (0.5 * VD_PI) * (VD_GG_SHARES - 1), over = steep * vd_max(fabs(across) - side, 0.0);
  int j = (int)vd_min(at, VD_GG_SHARES - 2);
  double u = at - j, scale = gg->normals > 1 ? 1.0 : normal / gg->normal[0];
  const vd_gg_section *s = p.from[0];
  for (int k = 0; k < 2; k++) {
    double *end = k == 0 ? low : high;
    const double *value = k == 0 ? s->low[right] : s->high[right];
    const double *slope = k == 0 ? s->low_slope[right] : s->high_slope[right];
    if (!end)
      continue;
    double a = value_at(&p, &value[j], &slope[j]), b = value_at(&p, &value[j + 1], &slope[j + 1]);
    *end = scale * (a + u * (b - a)) - over;
  }
}

void vd_gg_range(const vd_gg *gg, double speed, double normal, double across, double *low, double *high) {
  if (gg->is_mass)
    mass_range(&gg->mass, speed, normal, across, low, high);
  else
    range_at(gg, speed, normal, across, low, high);
}

double vd_gg_end(const vd_gg *gg, double speed, double normal, double across, bool high) {
  double end[2];
  if (gg->is_mass)
    mass_range(&gg->mass, speed, normal, across, &end[0], &end[1]);
  else
    range_at(gg, speed, normal, across, high ? NULL : &end[0], high ? &end[1] : NULL);
  return end[high];
}

double vd_gg_fastest(const vd_gg *gg) {
  return gg->is_mass ? INFINITY : gg->speed[gg->speeds - 1];
}
