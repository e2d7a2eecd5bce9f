#include "math/butterworth.h"

#include "base/base.h"
#include "base/elementary.h"

/* A filter with one pair of poles, 1/(s^2 + s/Q + 1) with s = (1 - 1/z)/(k (1 + 1/z)):
 *   y_n = b (x_n + 2 x_n-1 + x_n-2) - a1 y_n-1 - a2 y_n-2 */
typedef struct pair {
  double b, a1, a2;
} pair;

static pair make_pair(double k, double q) {
  double scale = 1.0 / (1.0 + k / q + k * k);
  return (pair){k * k * scale, 2.0 * (k * k - 1.0) * scale, (1.0 - k / q + k * k) * scale};
}

/* Filters forwards (stride 1) or backwards (stride -1), from rest at the value of the first sample. Transposed form:
 * the states are the contributions to later outputs; at rest at x they are (1 - b) x and (b - a2) x. */
static void pass(const pair *p, double *x, size_t count, ptrdiff_t stride) {
  double soon = (1.0 - p->b) * *x, later = (p->b - p->a2) * *x;
  for (size_t i = 0; i < count; i++, x += stride) {
    double in = *x, out = p->b * in + soon;
    soon = 2.0 * p->b * in - p->a1 * out + later;
    later = p->b * in - p->a2 * out;
    *x = out;
  }
}

void vd_butterworth(double *x, size_t count, double rate, double cutoff, int poles) {
  double k = vd_tan(VD_PI * cutoff / rate);
  for (int i = 0; count > 0 && i < poles / 4; i++) {
    /* the pair at the angle pi (2 i + 1)/(2 n) from the imaginary axis, n = poles/2: 1/Q = 2 sin of this angle */
    pair p = make_pair(k, 0.5 / vd_sin(VD_PI * (2 * i + 1) / poles));
    pass(&p, x, count, 1);
    pass(&p, x + count - 1, count, -1);
  }
}
