/* Polynomials through Chebyshev points: functions that they reproduce, and the error estimated by their last
 * coefficients. */
#include "math/chebyshev.h"

#include "tap.h"

#include <math.h>

enum { MOST = 33, NODES = 41 };

/* Computes two numbers at a place: x^k and (1 - x)^k. */
static void powers(double x, int k, double *value) {
  value[0] = pow(x, k);
  value[1] = pow(1.0 - x, k);
}

/* Checks that n sites determine a polynomial of degree n - 1 (Lagrange). */
static void check_polynomials(void) {
  for (int count = 2; count <= 11; count += 3) {
    double value[2 * MOST], out[2 * NODES], worst = 0.0;
    for (int i = 0; i < count; i++)
      powers(vd_chebyshev_site(i, count), count - 1, value + 2 * i);
    vd_chebyshev_spread(count, (vd_chebyshev_to){NODES, true}, 1, 2, value, out);
    for (int i = 0; i < NODES; i++) {
      double x = 2.0 * i / (NODES - 1) - 1.0, is[2];
      powers(x, count - 1, is);
      for (int k = 0; k < 2; k++)
        worst = tap_max(worst, fabs(out[2 * i + k] - is[k]) / pow(2.0, count - 1));
    }
    tap_near(worst, 0.0, 1e-15, "%d sites give a polynomial of degree %d at %d nodes", count, count - 1, NODES);
  }
}

/* Compares the last coefficients of 1/(a - x) = (1 + 2 sum r^-k T_k)/s with theory, s = sqrt(a^2 - 1) and r = a + s
 * (Rivlin, Chebyshev Polynomials, 3.5). With n sites the last coefficient is the sum of the function's coefficients of
 * k = n - 1, 3(n - 1) and so on; the last but one also contains the coefficient of k = n. */
static void check_tails(void) {
  enum { COUNT = 9 };
  const double a = 1.5, s = sqrt(a * a - 1.0), r = a + s;
  double value[COUNT], tail[2], out[NODES], worst = 0.0;
  for (int i = 0; i < COUNT; i++)
    value[i] = 1.0 / (a - vd_chebyshev_site(i, COUNT));
  vd_chebyshev_tails(value, COUNT, 1, 1, tail);
  tap_near(fabs(tail[0]), 2.0 / s * pow(r, 1 - COUNT), 1e-9,
           "the last coefficient of 1/(1.5 - x) at 9 sites is that of theory");
  tap_near(fabs(tail[1]), 2.0 / s * (pow(r, 2 - COUNT) + pow(r, -COUNT)), 1e-9,
           "the last coefficient but one of 1/(1.5 - x) at 9 sites is that of theory");
  vd_chebyshev_spread(COUNT, (vd_chebyshev_to){NODES, true}, 1, 1, value, out);
  for (int i = 0; i < NODES; i++)
    worst = tap_max(worst, fabs(out[i] - 1.0 / (a + 1.0 - 2.0 * i / (NODES - 1))));
  /* at most twice the sum of all omitted coefficients (Trefethen, theorem 8.2) */
  const double most = 4.0 / s * pow(r, 1 - COUNT) / (r - 1.0);
  tap_ok(worst > 0.1 * most && worst <= most, "the polynomial has an error of %.2g, at most %.2g", worst, most);
}

/* Checks that n sites are every second one of 2n - 1 sites. */
static void check_nesting(void) {
  double worst = 0.0;
  for (int count = 2; 2 * count - 1 <= MOST; count++)
    for (int i = 0; i < count; i++)
      worst = tap_max(worst, fabs(vd_chebyshev_site(i, count) - vd_chebyshev_site(2 * i, 2 * count - 1)));
  tap_near(worst, 0.0, 0.0, "twice as many intervals keep all sites");
}

int main(void) {
  tap_plan(8);
  check_polynomials();
  check_tails();
  check_nesting();
  return tap_done();
}
