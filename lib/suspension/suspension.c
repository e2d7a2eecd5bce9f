#include "suspension/suspension_def.h"

#include "base/elementary.h"
#include "math/steffen.h"

#include <math.h>
#include <string.h>

/* ---- curves ---- */

/* Bin of an x at or beyond the first point. */
static int bin_of(const vd_curve *curve, double x) {
  double place = (x - curve->x[0]) * curve->bins_per_x;
  return place < VD_CURVE_BINS ? (int)place : VD_CURVE_BINS - 1;
}

/* The last point at or before x, which is not before the first one. */
static int piece_of(const vd_curve *curve, double x) {
  int i = curve->first[bin_of(curve, x)];
  while (i + 1 < curve->count && x >= curve->x[i + 1])
    i++;
  return i;
}

void vd_curve_build(const vd_points *points, vd_curve *curve) {
  int last = (int)points->count - 1;
  *curve = (vd_curve){.count = last + 1};
  for (int i = 0; i <= last; i++) {
    curve->x[i] = points->xy[2 * i];
    curve->a[i] = points->xy[2 * i + 1];
    curve->b[i] = vd_steffen_slope(points, (size_t)i);
  }
  for (int i = 0; i < last; i++) {
    double h = curve->x[i + 1] - curve->x[i], s = vd_secant(points, (size_t)i), from = curve->b[i],
           to = curve->b[i + 1];
    curve->c[i] = (3.0 * s - 2.0 * from - to) / h;
    curve->d[i] = (from + to - 2.0 * s) / (h * h);
    curve->area[i + 1] =
        curve->area[i] + h * (curve->a[i] + h * (from / 2.0 + h * (curve->c[i] / 3.0 + h * curve->d[i] / 4.0)));
  }
  /* A point in an earlier bin lies before all of this one, also after rounding. */
  curve->bins_per_x = VD_CURVE_BINS / (curve->x[last] - curve->x[0]);
  for (int bin = 0, i = 0; bin < VD_CURVE_BINS; bin++) {
    while (i < last && bin_of(curve, curve->x[i + 1]) < bin)
      i++;
    curve->first[bin] = (unsigned char)i;
  }
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

/* Where a rising curve has a value from its first to its last point, to the last bit. */
static double curve_inverse(const vd_curve *curve, double y) {
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

/* ---- a corner ---- */

void vd_suspension_build(const vd_suspension_def *def, double stiffness, double static_load, vd_suspension *s) {
  *s = (vd_suspension){
      .stiffness = stiffness,
      .static_load = static_load,
      .linear_from = def->rebound_stop.stiffness > 0.0 ? -def->rebound_stop.gap : -INFINITY,
      .linear_to = def->bump_stop.stiffness > 0.0 ? def->bump_stop.gap : INFINITY,
      .damping_bump = def->damper.bump,
      .damping_rebound = def->damper.rebound,
      .spring_curve = def->spring.type == VD_SPRING_CURVE,
      .damper_curve = def->damper.type == VD_DAMPER_CURVE,
      .static_compression = static_load / stiffness,
      .bump_stop = def->bump_stop,
      .rebound_stop = def->rebound_stop,
  };
  if (s->spring_curve) {
    vd_curve_build(&def->spring.curve.points, &s->spring);
    s->static_compression = curve_inverse(&s->spring, static_load);
    vd_curve_at(&s->spring, s->static_compression, &s->stiffness);
    s->linear_from = INFINITY;
  }
  if (s->damper_curve)
    vd_curve_build(&def->damper.curve.points, &s->damper);
}

double vd_suspension_stiffness(const vd_suspension_def *def, double static_load) {
  const vd_points *points = &def->spring.curve.points;
  if (def->spring.type != VD_SPRING_CURVE || points->count < 2 || points->count > VD_CURVE_POINTS)
    return NAN;
  vd_suspension s;
  vd_suspension_build(def, NAN, static_load, &s);
  return s.stiffness;
}

/* F = k d^2/(d + run) */
static double stop_force(const vd_stop *stop, double travel) {
  double d = travel - stop->gap;
  return d > 0.0 ? stop->stiffness * d * d / (d + stop->run) : 0.0;
}

/* d^2/(d + run) = d - run + run^2/(d + run), so the integral is k (d^2/2 - run d + run^2 log(1 + d/run)). */
static double stop_energy(const vd_stop *stop, double travel) {
  double d = vd_max(travel - stop->gap, 0.0), run = stop->run;
  return stop->stiffness * (0.5 * d * d - run * d + run * run * vd_log1p(d / run));
}

double vd_suspension_spring_any(const vd_suspension *s, double travel) {
  double force = s->spring_curve ? vd_curve_at(&s->spring, s->static_compression + travel, NULL)
                                 : s->static_load + s->stiffness * travel;
  return force + stop_force(&s->bump_stop, travel) - stop_force(&s->rebound_stop, -travel);
}

double vd_suspension_energy(const vd_suspension *s, double travel) {
  double compression = s->static_compression + travel;
  double spring =
      s->spring_curve ? vd_curve_integral(&s->spring, compression) : 0.5 * s->stiffness * compression * compression;
  return spring + stop_energy(&s->bump_stop, travel) + stop_energy(&s->rebound_stop, -travel);
}

double vd_suspension_rate(const vd_suspension *s) {
  return s->stiffness;
}

double vd_suspension_damping(const vd_suspension *s) {
  if (!s->damper_curve)
    return 0.5 * (s->damping_bump + s->damping_rebound);
  double slope;
  vd_curve_at(&s->damper, 0.0, &slope);
  return slope;
}
