#include "math/curve.h"

#include "base/elementary.h"
#include "math/steffen.h"

#include <stdbool.h>

/* Returns the bin of an x that is not below the first point. */
static int bin_of(const vd_curve *curve, double x) {
  double place = (x - curve->x[0]) * curve->bins_per_x;
  return place < VD_CURVE_BINS ? (int)place : VD_CURVE_BINS - 1;
}

/* Returns the last point at or below x. x is not below the first point. */
static int piece_of(const vd_curve *curve, double x) {
  int i = curve->first[bin_of(curve, x)];
  while (i + 1 < curve->count && x >= curve->x[i + 1])
    i++;
  return i;
}

/* Computes the cubic from point i to the next one, from the slopes at both. */
static void join(vd_curve *curve, int i) {
  double h = curve->x[i + 1] - curve->x[i], s = (curve->a[i + 1] - curve->a[i]) / h, from = curve->b[i],
         to = curve->b[i + 1];
  curve->c[i] = (3.0 * s - 2.0 * from - to) / h;
  curve->d[i] = (from + to - 2.0 * s) / (h * h);
  curve->area[i + 1] =
      curve->area[i] + h * (curve->a[i] + h * (from / 2.0 + h * (curve->c[i] / 3.0 + h * curve->d[i] / 4.0)));
}

void vd_curve_build(const vd_points *points, vd_curve *curve) {
  int last = (int)points->count - 1;
  *curve = (vd_curve){.count = last + 1};
  for (int i = 0; i <= last; i++) {
    curve->x[i] = points->xy[2 * i];
    curve->a[i] = points->xy[2 * i + 1];
    curve->b[i] = vd_steffen_slope(points, (size_t)i);
  }
  for (int i = 0; i < last; i++)
    join(curve, i);
  /* A point in an earlier bin is below every x of this bin, also after rounding. */
  curve->bins_per_x = VD_CURVE_BINS / (curve->x[last] - curve->x[0]);
  for (int bin = 0, i = 0; bin < VD_CURVE_BINS; bin++) {
    while (i < last && bin_of(curve, curve->x[i + 1]) < bin)
      i++;
    curve->first[bin] = (unsigned char)i;
  }
}

void vd_curve_end(vd_curve *curve, double slope) {
  curve->b[curve->count - 1] = slope;
  join(curve, curve->count - 2);
}

double vd_curve_at(const vd_curve *curve, double x, double *slope) {
  if (!(x >= curve->x[0])) {
    if (slope)
      *slope = curve->b[0];
    return curve->a[0] + curve->b[0] * (x - curve->x[0]);
  }
  int i = piece_of(curve, x);
  double s = x - curve->x[i];
  if (slope)
    *slope = curve->b[i] + s * (2.0 * curve->c[i] + s * 3.0 * curve->d[i]);
  return curve->a[i] + s * (curve->b[i] + s * (curve->c[i] + s * curve->d[i]));
}

double vd_curve_integral(const vd_curve *curve, double x) {
  bool before = !(x >= curve->x[0]);
  int i = before ? 0 : piece_of(curve, x);
  double s = x - curve->x[i], c = before ? 0.0 : curve->c[i], d = before ? 0.0 : curve->d[i];
  return curve->area[i] + s * (curve->a[i] + s * (curve->b[i] / 2.0 + s * (c / 3.0 + s * d / 4.0)));
}

double vd_curve_inverse(const vd_curve *curve, double y) {
  double low = curve->x[0], high = curve->x[curve->count - 1];
  for (;;) {
    double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high))
      return middle;
    if (vd_curve_at(curve, middle, NULL) < y)
      low = middle;
    else
      high = middle;
  }
}

/* The slope of a cubic is a parabola, which is highest at an end of the piece or at the vertex. */
double vd_curve_steepest(const vd_curve *curve) {
  double most = curve->b[0];
  for (int i = 0; i + 1 < curve->count; i++) {
    double vertex = curve->d[i] < 0.0 ? -curve->c[i] / (3.0 * curve->d[i]) : -1.0, slope;
    most = vd_max(most, curve->b[i + 1]);
    if (vertex > 0.0 && vertex < curve->x[i + 1] - curve->x[i]) {
      slope = curve->b[i] + vertex * (2.0 * curve->c[i] + vertex * 3.0 * curve->d[i]);
      most = vd_max(most, slope);
    }
  }
  return most;
}
