/* The classical Runge-Kutta step of fourth order over a plain array. */
#ifndef VD_RK4_H
#define VD_RK4_H

#include <stdbool.h>

enum { VD_MAX_STATES = 140 };

/* Right-hand side dx = f(x). stage is the instant: 0 the start of the step, 1 and 2 its middle, 3 its end. The
 * stage allows the caller to compute quantities that depend on time alone only once for each instant. */
typedef void vd_rates_fn(void *context, int stage, const double *x, double *dx);

/* Advances x[0..n) by h. k1 is f at the start, which the caller has already computed (a log row shows it, too). 1 <= n
 * <= VD_MAX_STATES. Kutta (1901); Butcher tableau 1/6 1/3 1/3 1/6. */
void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x);

/* States that decay fast by themselves: f_i = N_i - rate_i x_i, where N_i changes slowly. Their steps are exponential:
 * exact for constant N_i at any rate times h, and equal to the classical step if the rate is 0. The rate need not be
 * exact: the order is 4 for any rate. Stability needs at least half of the true rate; accuracy needs about the true
 * rate. A linear relation between such states is kept if their rates are equal. */
enum { VD_DECAYING = 24, VD_REACTING = 3 };
typedef struct vd_decay {
  int count;
  /* the step is one half of a step of 2 h; it is exponential if the step of 2 h was, else classical */
  bool half;
  int state[VD_DECAYING];   /* index */
  double rate[VD_DECAYING]; /* 1/s, >= 0 */
  /* rate of change that other states impose on the state, per s. Any value is allowed; the mean rate of the state over
   * the step before makes the stages exact for uniform motion */
  double drift[VD_DECAYING];
  /* states that react to the decaying ones: f_b + sum over j (reaction[b][j] f_j) changes slowly. Steps change x_b +
   * sum(reaction x_j) as classical steps would; otherwise such a state b would itself be stiff, with the rates times
   * the reactions. The order is 4 for any reactions. If a state is a constant plus a weighted sum of decaying states,
   * and its reactions are the negative weights, it remains such a sum whatever the rates. */
  int reacting[VD_REACTING];
  double reaction[VD_REACTING][VD_DECAYING];
} vd_decay;

/* Computes phi_k(z) = (phi_{k-1}(z) - 1/(k-1)!)/z, phi_0 = e^z, for k = 1, 2, 3 at z <= 0. */
void vd_phi(double z, double phi[3]);

/* Advances x by a step with states that decay, and writes f of the last stage to k4, for vd_rk4_error. If no rate times
 * h is above 1 (for half a step: 1/2), the step is the classical one, which is then as stable and has smaller errors.
 * Krogstad (2005), Generalized integrating factor methods for stiff PDEs, J. Comput. Phys. 203, 72, ETDRK4-B, is
 * applied here to the deviation w from x + drift t. Applied to the state itself, the stages would be wrong by up to h/2
 * f_1 for a state with drift, which costs an order. With z = -rate h, D_i = f_i - f_1 + rate w_i, d = f_1 - drift, and
 * phi at z unless stated otherwise:
 *   w_2 = h/2 phi1(z/2) d   w_3 = w_2 + h phi2(z/2) D_2   w_4 = h (phi1 d + 2 phi2 D_3)
 *   w = h (phi1 d + (2 phi2 - 4 phi3)(D_2 + D_3) + b4 D_4),   b4 = 4 phi3 - phi2
 * This is the method in the coordinates w and P = x_b + reaction x, whose rates are as smooth as those of x_b and x
 * would be without the fast parts of their forces. */
void vd_rk4_decaying(vd_rates_fn *f, void *context, double h, int n, const vd_decay *decay, const double *k1, double *x,
                     double *k4);

/* Estimates the error of the step, as the root of the sum of squares of the states' errors, each times its weight. If f
 * at the end takes the place of k4, the same tableau gives a solution of third order (both are f(x(h)) to O(h^2), and
 * their sums over the tableau agree to order three), so that
 *   e = h/6 (k4 - f(end)),   O(h^4).
 * This is the error of the solution of third order; that of the step itself is one order higher. For a decaying state,
 * e is greater than h b4 (k4 - f(end)), the corresponding difference of its exponential step. NaN if a rate is NaN. */
double vd_rk4_error(double h, int n, const double *k4, const double *end, const double *weight);

/* The states and rates at both ends of a step. */
typedef struct vd_step_ends {
  double h;
  int n;
  const double *x0, *rates0, *x1, *rates1;
} vd_step_ends;

/* Returns the difference between a step and the step of the trapezoidal rule: the root of the sum of squares over the
 * states, each times its weight. If f is smooth, this is h^3/12 times the third derivative of x.
 *
 * vd_rk4_error compares two values of f at the same instant, and hardly changes if f has jumped within the step. If f
 * jumps by J at a share s of the step, the trapezoidal rule adds h J/2, and the Runge-Kutta step adds h J 5/6 if s <
 * 1/2, else h J/6; the exact value is h J (1 - s). The difference is h J/3, and the error of the step is no larger. If
 * the slope of f jumps, the error is at most half of the difference. */
double vd_step_gap(const vd_step_ends *step, const double *weight);

/* An interpolation of the states within an accepted step, s = 0..1, by the polynomial of fourth order through the
 * states and rates at both ends and the rates at one place between them, vd_dense_place. The polynomial is Hermite's
 * cubic plus c s^2 (1 - s)^2, whose slope is greatest at this place. There the rates are evaluated for the state of the
 * cubic. The error of the cubic is O(h^4), so the error of the rates times h is O(h^5), like the error of the step
 * itself. */
typedef struct vd_dense {
  vd_step_ends of;
  double c[VD_MAX_STATES]; /* 0 until vd_dense_complete: the cubic alone */
} vd_dense;

extern const double vd_dense_place; /* share of the step, 1/2 - sqrt(3)/6 */

/* Computes the state at a share s of the step. */
void vd_dense_at(const vd_dense *d, double s, double *restrict x);

/* Sets c from the rates at vd_dense_place, evaluated for the state that vd_dense_at gives there before this call. */
void vd_dense_complete(vd_dense *d, const double *rates);

/* Sets c from the rates at the start of the step before, of length `before', without an evaluation: the polynomial,
 * continued backwards, has these rates there. The order is that of vd_dense_complete; the error is a few times greater,
 * and a jump of the rates' second derivative in either step adds the error of the cubic. */
void vd_dense_continue(vd_dense *d, double before, const double *rates);

#endif
