/* The classical Runge-Kutta step of fourth order over a plain array. */
#ifndef VD_RK4_H
#define VD_RK4_H

enum { VD_MAX_STATES = 96 };

/* Right-hand side dx = f(x). stage is the instant: 0 the start of the step, 1 and 2 its middle, 3 its end. The caller
 * can so prepare once what depends on time alone. */
typedef void vd_rates_fn(void *context, int stage, const double *x, double *dx);

/* Advances x[0..n) by h. k1 is f at the start, which the caller has computed already (it is also what
 * a log row shows). 1 <= n <= VD_MAX_STATES.
 * Kutta (1901); Butcher tableau 1/6 1/3 1/3 1/6. */
void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x);

/* The same, and f of the last stage in k4, for vd_rk4_error. */
void vd_rk4_last(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x, double *k4);

/* The error of the step, as the root of the sum of squares of the states' errors, each times its weight: with f at the
 * end in the place of k4 the same weights give a solution of third order (k4 and f at the end are both f(x(h)) to
 * O(h^2), and their sums over the tableau agree to order three), so that
 *   e = h/6 (k4 - f(end)),   O(h^4).
 * It is an error of that solution; the step's own is of one order more. NaN if a rate is. */
double vd_rk4_error(double h, int n, const double *k4, const double *end, const double *weight);

#endif
