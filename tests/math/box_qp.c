/* Quadratic programmes within a box. At the minimum derivatives are 0, or point out of the box. */
#include "math/box_qp.h"
#include "tap.h"

#include <math.h>

enum { N = 41, REACH = 3 };

static unsigned state = 7;

static double any(void) {
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / 8388608.0 - 1.0;
}

/* Solves random rows around a ring. A derivative that is not 0 belongs to an unknown at its bound, and points out of
 * the box; a part of the unknowns is at a bound. */
static void random_ring(size_t count) {
  vd_box_qp q;
  double x[N], matrix[N][N] = {{0.0}}, worst = 0.0;
  int bound = 0;
  vd_box_qp_make(count, REACH, &q);
  for (size_t i = 0; i < count; i++) {
    double row[REACH + 1], weight = 1.0 + any();
    for (int k = 0; k <= REACH; k++)
      row[k] = any();
    vd_box_qp_add(&q, i, REACH + 1, row, weight);
    for (size_t a = 0; a <= REACH; a++)
      for (size_t b = 0; b <= REACH; b++)
        matrix[(i + a) % count][(i + b) % count] += weight * row[a] * row[b];
    q.g[i] = any();
    q.low[i] = -0.3 + 0.2 * any();
    q.high[i] = 0.3 + 0.2 * any();
  }
  tap_ok(vd_box_qp_solve(&q, x), "a ring of %d unknowns is solved", (int)count);
  for (size_t i = 0; i < count; i++) {
    double slope = q.g[i];
    for (size_t j = 0; j < count; j++)
      slope += matrix[i][j] * x[j];
    bool low = x[i]<q.low[i] + 1e-6, high = x[i]> q.high[i] - 1e-6;
    bound += low || high;
    worst = tap_max(worst, low ? -slope : high ? slope : fabs(slope));
  }
  tap_near(worst, 0.0, 1e-6, "slopes of a ring of unknowns are 0 or point out of the box");
  tap_ok(bound > 0 && bound < (int)count, "%d unknowns are at their bounds", bound);
  vd_box_qp_free(&q);
}

/* Solves for a string of five unknowns, each coupled to the next: bounds fix x0 at 1, and x4 is at its bound 0.5. The
 * other bounds have no effect. Without bounds the matrix is singular. */
static void simple(void) {
  vd_box_qp q;
  double x[5];
  vd_box_qp_make(5, 1, &q);
  for (size_t i = 0; i < 4; i++)
    vd_box_qp_add(&q, i, 2, (double[]){-1.0, 1.0}, 1.0);
  for (size_t i = 0; i < 5; i++) {
    q.low[i] = -2.0;
    q.high[i] = i == 4 ? 0.5 : 3.0;
  }
  q.low[0] = 0.999999;
  q.high[0] = 1.000001;
  tap_ok(vd_box_qp_solve(&q, x), "a string between two ends is solved");
  for (size_t i = 1; i < 5; i++)
    tap_near(x[i], 1.0 - 0.125 * (double)i, 2e-5, "unknown %d of the string is on the straight line", (int)i);
  vd_box_qp_free(&q);
}

int main(void) {
  tap_plan(11);
  random_ring(N);
  random_ring(N - 1);
  simple();
  return tap_done();
}
