#include "linkage/suspension_def.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

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
    s->static_compression = vd_curve_inverse(&s->spring, static_load);
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

/* Returns F = k d^2/(d + run), where d is the travel beyond the gap. */
static double stop_force(const vd_stop *stop, double travel) {
  double d = travel - stop->gap;
  return d > 0.0 ? stop->stiffness * d * d / (d + stop->run) : 0.0;
}

/* Returns the integral of stop_force. d^2/(d + run) = d - run + run^2/(d + run), so the integral is k (d^2/2 - run d +
 * run^2 log(1 + d/run)). */
static double stop_energy(const vd_stop *stop, double travel) {
  double d = vd_max(travel - stop->gap, 0.0), run = stop->run;
  double start = run > 0.0 ? run * run * vd_log1p(d / run) : 0.0;
  return stop->stiffness * (0.5 * d * d - run * d + start);
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

double vd_suspension_damping(const vd_suspension *s) {
  if (!s->damper_curve)
    return 0.5 * (s->damping_bump + s->damping_rebound);
  double slope;
  vd_curve_at(&s->damper, 0.0, &slope);
  return slope;
}
