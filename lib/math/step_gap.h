/* Whether the right-hand side of a Runge-Kutta step jumps within it, which the estimate of its error hardly sees. */
#ifndef VD_STEP_GAP_H
#define VD_STEP_GAP_H

/* A step by its ends. */
typedef struct vd_step_ends {
  double h;
  int n;
  const double *x0, *rates0, *x1, *rates1;
} vd_step_ends;

/* How far the step of math/rk4.h is from that of the trapezoidal rule: the root of the sum of squares over the states,
 * each times its weight. Where f is smooth this is h^3/12 times the third derivative of x.
 *
 * vd_rk4_error compares two values of f at one instant, and hardly sees that f has jumped before it. Where f jumps by J
 * at a share s of the step, the rule adds h J/2 and the stages h J 5/6 if s < 1/2, else h J/6, in place of h J (1 - s):
 * the gap is h J/3, and the error of the step is no larger. Where the slope of f jumps, the error is at most half of
 * the gap. */
double vd_step_gap(const vd_step_ends *step, const double *weight);

#endif
