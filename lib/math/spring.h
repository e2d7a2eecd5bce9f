/* A mass on a spring and a damper, in closed form: m x'' + c x' + k x = 0.
 *
 * The solution is exact for a step of any length below, at and above critical damping, and smooth between these. Tests
 * compare integrators of springs and dampers with it. A force that is constant over the step only displaces the
 * position of rest. */
#ifndef VD_SPRING_H
#define VD_SPRING_H

typedef struct vd_spring {
  double mass;      /* kg, > 0 */
  double stiffness; /* N/m, >= 0 */
  double damping;   /* N s/m, >= 0 */
} vd_spring;

/* Position and speed after a time t: x(t) = xx x + xv v, v(t) = vx x + vv v. */
typedef struct vd_spring_flow {
  double xx, xv; /* 1, s */
  double vx, vv; /* 1/s, 1 */
} vd_spring_flow;

/* Computes the flow over a time t >= 0, s. The only error is relative rounding; the phase of an oscillation has a
 * relative error of 1e-16. */
vd_spring_flow vd_spring_over(const vd_spring *s, double t);

/* Returns the critical damping, the least at which the spring does not oscillate, N s/m. */
double vd_spring_critical(double mass, double stiffness);

#endif
