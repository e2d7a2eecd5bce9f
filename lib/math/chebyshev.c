#include "math/chebyshev.h"

#include "base/base.h"
#include "base/elementary.h"
#include "math/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double vd_chebyshev_site(int i, int count) {
  return count > 1 ? -vd_cos(VD_PI * i / (count - 1)) : 0.0;
}

/* Returns a weight of the barycentric formula. */
static double weight(int i, int count) {
  double size = i == 0 || i == count - 1 ? 0.5 : 1.0;
  return i % 2 ? -size : size;
}

void vd_chebyshev_shares(double at, int count, double *share) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) {
    double off = at - vd_chebyshev_site(i, count);
    if (count == 1 || fabs(off) < 1e-12) {
      memset(share, 0, (size_t)count * sizeof *share);
      share[i] = 1.0;
      return;
    }
    share[i] = weight(i, count) / off;
    sum += share[i];
  }
  for (int i = 0; i < count; i++)
    share[i] /= sum;
}

void vd_chebyshev_tails(const double *value, int count, int apart, int width, double *tail) {
  memset(tail, 0, 2 * (size_t)width * sizeof *tail);
  for (int i = 0; i < count; i++) {
    const double part = weight(i, count) / (count - 1);
    vd_row_less(-part, value + i * apart * width, (size_t)width, tail);
    vd_row_less(-2.0 * vd_chebyshev_site(i, count) * part, value + i * apart * width, (size_t)width, tail + width);
  }
}

VD_WIDE void vd_chebyshev_spread(int count, vd_chebyshev_to to, int rows, int width, const double *value, double *out) {
  assert(count <= VD_MOST_SITES);
  for (int i = 0; i < to.count; i++) {
    double share[VD_MOST_SITES];
    const double even = to.count > 1 ? 2.0 * i / (to.count - 1) - 1.0 : 0.0;
    vd_chebyshev_shares(to.nodes ? even : vd_chebyshev_site(i, to.count), count, share);
    for (int r = 0; r < rows; r++) {
      double *sum = out + (r * to.count + i) * width;
      memset(sum, 0, (size_t)width * sizeof *sum);
      for (int j = 0; j < count; j++)
        if (share[j] != 0.0)
          vd_row_less(-share[j], value + (r * count + j) * width, (size_t)width, sum);
    }
  }
}
