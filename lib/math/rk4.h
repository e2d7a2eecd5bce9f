/* The classical Runge-Kutta step of fourth order over a plain array. */
#ifndef VD_RK4_H
#define VD_RK4_H

#include <stdbool.h>

enum { VD_MAX_STATES = 120 };

/* Right-hand side dx = f(x). stage is the instant: 0 the start of the step, 1 and 2 its middle, 3 its end. The caller
 * can so prepare once what depends on time alone. */
typedef void vd_rates_fn(void *context, int stage, const double *x, double *dx);

/* Advances x[0..n) by h. k1 is f at the start, which the caller has computed already (it is also what
 * a log row shows). 1 <= n <= VD_MAX_STATES.
 * Kutta (1901); Butcher tableau 1/6 1/3 1/3 1/6. */
void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x);

/* States that decay fast by themselves: f_i = N_i - rate_i x_i with N of slow change. Steps of such states are
 * exponential: exact for constant N at any rate times h, and the classical ones where the rate is 0. The rate need not
 * be exact: the order is 4 for any, stability asks for half of the true one or more, accuracy for about the true one.
 * A linear relation between such states is kept where their rates are equal. */
enum { VD_DECAYING = 24, VD_CARRIED = 3 };
typedef struct vd_decay {
  int count;
  bool half;                /* the step is half of another one, and of the same kind as that one */
  int state[VD_DECAYING];   /* index */
  double rate[VD_DECAYING]; /* 1/s, >= 0 */
  /* what the state does while others carry it along, per s: any value is right, its mean rate over the step before
   * makes the stages exact for even motion */
  double drift[VD_DECAYING];
  /* states on which the decaying ones react: f_b + sum over j (reaction[b][j] f_j) changes slowly. Steps keep x_b +
   * sum(reaction x_j) as the classical ones would: else such a state b is stiff itself, by the rates times the
   * reactions. Any value keeps the order. A state that is a sum of decaying ones but for a constant stays so, whatever
   * their rates, with its weights as negative reactions. */
  int carried[VD_CARRIED];
  double reaction[VD_CARRIED][VD_DECAYING];
} vd_decay;

/* phi_k(z) = (phi_{k-1}(z) - 1/(k-1)!)/z, phi_0 = e^z, for k = 1, 2, 3 at z <= 0. */
void vd_phi(double z, double phi[3]);

/* The classical step with states that decay, and f of the last stage in k4, for vd_rk4_error. Where no rate times h is
 * above 1 (half a step: 1/2) the step is the classical one, which is as stable there and makes smaller errors. Krogstad
 * (2005), Generalized integrating factor methods for stiff PDEs, J. Comput. Phys. 203, 72, ETDRK4-B, here of the
 * deviation w from x + drift t: the stages of the method itself are wrong by up to h/2 f_1 for a state that others
 * carry along, which costs an order. With z = -rate h, D_i = f_i - f_1 + rate w_i, d = f_1 - drift, and phi at z unless
 * said otherwise:
 *   w_2 = h/2 phi1(z/2) d   w_3 = w_2 + h phi2(z/2) D_2   w_4 = h (phi1 d + 2 phi2 D_3)
 *   w = h (phi1 d + (2 phi2 - 4 phi3)(D_2 + D_3) + b4 D_4),   b4 = 4 phi3 - phi2
 * It is this method in the coordinates w and P = x_b + reaction x, for which f is as smooth as x_b and x would be
 * without the fast parts of their forces. */
void vd_rk4_decaying(vd_rates_fn *f, void *context, double h, int n, const vd_decay *decay, const double *k1, double *x,
                     double *k4);

/* The error of the step, as the root of the sum of squares of the states' errors, each times its weight: with f at the
 * end in the place of k4 the same weights give a solution of third order (k4 and f at the end are both f(x(h)) to
 * O(h^2), and their sums over the tableau agree to order three), so that
 *   e = h/6 (k4 - f(end)),   O(h^4), which where a state decays is more than the h b4 (k4 - f(end)) of its step.
 * It is an error of that solution; the step's own is of one order more. NaN if a rate is. */
double vd_rk4_error(double h, int n, const double *k4, const double *end, const double *weight);

/* A step by its ends. */
typedef struct vd_step_ends {
  double h;
  int n;
  const double *x0, *rates0, *x1, *rates1;
} vd_step_ends;

/* How far a step is from that of the trapezoidal rule: the root of the sum of squares over the states, each times its
 * weight. Where f is smooth this is h^3/12 times the third derivative of x.
 *
 * vd_rk4_error compares two values of f at one instant, and hardly sees that f has jumped before it. Where f jumps by J
 * at a share s of the step, the rule adds h J/2 and the stages h J 5/6 if s < 1/2, else h J/6, in place of h J (1 - s):
 * the gap is h J/3, and the error of the step is no larger. Where the slope of f jumps, the error is at most half of
 * the gap. */
double vd_step_gap(const vd_step_ends *step, const double *weight);

/* An accepted step, for the states within it: the polynomial of fourth order through the states and rates of both ends
 * and the rates at one place between, vd_dense_place; Hermite's cubic u and c s^2 (1 - s)^2, whose slope is greatest
 * there. The cubic's error is O(h^4), so that of the rates at it times h is O(h^5), as large as the step's own. */
typedef struct vd_dense {
  vd_step_ends of;
  double c[VD_MAX_STATES]; /* 0: the cubic */
} vd_dense;

extern const double vd_dense_place; /* share of the step, 1/2 - sqrt(3)/6 */

/* The state at a share s of the step. */
void vd_dense_at(const vd_dense *d, double s, double *restrict x);

/* Takes over the rates at vd_dense_place, of the cubic's state. */
void vd_dense_complete(vd_dense *d, const double *rates);

#endif
