#include "math/cubic.h"

#include "base/memory.h"

#include <stdlib.h>

/* One equation for the slopes m: below m[i-1] + here m[i] + above m[i+1] = right. */
typedef struct equation {
  double below, here, above, right;
} equation;

/* Returns the equation at an end, for three points or more. The first two steps h and k, with the secants a and b, have
 * the same cubic: k m0 + (h + k) m1 = ((3 h + 2 k) k a + h^2 b)/(h + k). */
static equation end_of(double h, double k, double a, double b) {
  return (equation){.here = k, .above = h + k, .right = ((3.0 * h + 2.0 * k) * k * a + h * h * b) / (h + k)};
}

static void solve(equation *e, size_t count, double *slope, size_t stride) {
  for (size_t i = 1; i < count; i++) {
    double share = e[i].below / e[i - 1].here;
    e[i].here -= share * e[i - 1].above;
    e[i].right -= share * e[i - 1].right;
  }
  for (size_t i = count; i-- > 0;)
    slope[i * stride] = (e[i].right - (i + 1 < count ? e[i].above * slope[(i + 1) * stride] : 0.0)) / e[i].here;
}

/* At a point between the steps h and k the second derivatives of both cubics are equal: k m[i-1] + 2 (h + k) m[i] + h
 * m[i+1] = 3 (k a + h b). */
void vd_cubic_slopes(const double *x, size_t count, const double *y, size_t stride, double *slope) {
  size_t last = count - 1;
  if (count < 3) {
    for (size_t i = 0; i < count; i++)
      slope[i * stride] = count == 1 ? 0.0 : (y[stride] - y[0]) / (x[1] - x[0]);
    return;
  }
  equation *e = vd_allocate(count, sizeof *e);
  double *secant = vd_allocate(count, sizeof *secant);
  for (size_t i = 0; i < last; i++)
    secant[i] = (y[(i + 1) * stride] - y[i * stride]) / (x[i + 1] - x[i]);
  for (size_t i = 1; i < last; i++) {
    double h = x[i] - x[i - 1], k = x[i + 1] - x[i];
    e[i] = (equation){k, 2.0 * (h + k), h, 3.0 * (k * secant[i - 1] + h * secant[i])};
  }
  e[0] = end_of(x[1] - x[0], x[2] - x[1], secant[0], secant[1]);
  e[last] = end_of(x[last] - x[last - 1], x[last - 1] - x[last - 2], secant[last - 1], secant[last - 2]);
  e[last].below = e[last].above;
  if (count == 3) { /* the equations of both ends are the same; the slopes of the parabola replace them */
    double h = x[1] - x[0], k = x[2] - x[1];
    e[0] = (equation){.here = 1.0, .right = secant[0] + (secant[0] - secant[1]) * h / (h + k)};
    e[2] = (equation){.here = 1.0, .right = secant[1] + (secant[1] - secant[0]) * k / (h + k)};
  }
  solve(e, count, slope, stride);
  free(secant);
  free(e);
}

vd_cubic_place vd_cubic_find(const double *x, size_t count, double at) {
  size_t low = 0, high = count - 1;
  if (count == 1)
    return (vd_cubic_place){.value = {1.0}};
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (x[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  double h = x[high] - x[low], t = (at - x[low]) / h, s = 1.0 - t;
  return (vd_cubic_place){{low, high},
                          {s * s * (1.0 + 2.0 * t), t * t * (1.0 + 2.0 * s)},
                          {h * s * s * t, -h * s * t * t},
                          {-6.0 * s * t / h, 6.0 * s * t / h},
                          {s * (s - 2.0 * t), t * (t - 2.0 * s)}};
}
