/* Suspension of one corner: spring, damper and stops between wheel and body, all referred to the travel of the wheel.
 *
 * The travel is the displacement of the wheel centre relative to the body from its design position, bump > 0; its rate
 * is positive in bump. A force is positive if it pushes the body up and the wheel down. The spring's compression is the
 * decrease of its length from the free length. In the design position the spring carries its static load, so a spring
 * of constant stiffness has the compression load/k there. */
#ifndef VD_SUSPENSION_H
#define VD_SUSPENSION_H

#include "math/curve.h"

#include <stdbool.h>

/* A stop acts when the travel exceeds the gap: F = k d^2/(d + run), where d is the travel beyond the gap. The stiffness
 * grows smoothly from 0 to k. */
typedef struct vd_stop {
  double gap;       /* m of travel from the design position */
  double stiffness; /* N/m, for large d; 0: no stop */
  double run;       /* m; at d = run the force is half of k d; 0: it is k d */
} vd_stop;

typedef struct vd_suspension {
  double stiffness;                     /* N/m, slope of the spring's curve in the design position */
  double static_load;                   /* N, of the spring in the design position */
  double linear_from, linear_to;        /* m, range of travel in which the spring is linear and no stop acts */
  double damping_bump, damping_rebound; /* N s/m */
  bool spring_curve, damper_curve;
  double static_compression; /* m */
  vd_stop bump_stop, rebound_stop;
  vd_curve spring, damper;
} vd_suspension;

/* Does what vd_suspension_spring does, for any spring curve and with stops. */
double vd_suspension_spring_any(const vd_suspension *s, double travel);

/* Returns the force of the spring and the stops, N. */
static inline double vd_suspension_spring(const vd_suspension *s, double travel) {
  if (travel > s->linear_from && travel < s->linear_to)
    return s->static_load + s->stiffness * travel;
  return vd_suspension_spring_any(s, travel);
}

/* Returns the force of the damper, N; it has the sign of the rate. */
static inline double vd_suspension_damper(const vd_suspension *s, double rate) {
  if (s->damper_curve)
    return vd_curve_at(&s->damper, rate, NULL);
  return (rate > 0.0 ? s->damping_bump : s->damping_rebound) * rate;
}

/* Returns the energy of spring and stops, J; the energy of the spring is 0 at its free length. */
double vd_suspension_energy(const vd_suspension *s, double travel);
/* Returns the slope of the damper's force at rate 0, N s/m: the mean of the slopes to both sides. */
double vd_suspension_damping(const vd_suspension *s);

#endif
