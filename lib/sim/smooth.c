#include "sim/smooth.h"

#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Values are treated in groups of this size, which the processor computes in parallel. */
enum { GROUP = 4 };

static int padded(const vd_reads *reads) {
  return (reads->count + GROUP - 1) / GROUP * GROUP;
}

void vd_reads_add(size_t at, double floor, vd_reads *reads) {
  assert(reads->count < VD_READS);
  reads->at[reads->count] = at;
  reads->floor[reads->count++] = floor;
}

void vd_reads_take(const vd_reads *reads, const vd_row *row, double *value) {
  for (int j = 0; j < reads->count; j++)
    value[j] = *(const double *)(const void *)((const char *)row + reads->at[j]);
  for (int j = reads->count; j < padded(reads); j++)
    value[j] = 0.0;
}

/* Computes the divided differences in the order of the places: term[k] = f[x_0 ... x_k]. */
static void divide(vd_smooth *smooth, int count) {
  double(*d)[VD_READS] = smooth->term;
  for (int k = 0; k < VD_SMOOTH_PLACES; k++)
    memcpy(d[k], smooth->value[k], (size_t)count * sizeof **d);
  for (int order = 1; order < VD_SMOOTH_PLACES; order++)
    for (int k = VD_SMOOTH_PLACES - 1; k >= order; k--) {
      const double scale = 1.0 / (smooth->at[k] - smooth->at[k - order]);
      for (int j = 0; j < count; j++)
        d[k][j] = scale * (d[k][j] - d[k - 1][j]);
    }
}

VD_WIDE bool vd_smooth_fit(const vd_reads *reads, vd_smooth *smooth) {
  static const double share = 1e-7,
                      worst = 0.65; /* -; share of the step at which the cubics have about their greatest error */
  const int count = padded(reads);
  double part = 1.0, rough[GROUP] = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < VD_SMOOTH_CHECK; i++)
    part *= worst - smooth->at[i];
  divide(smooth, count);
  for (int j = 0; j < count; j += GROUP)
    for (int g = 0; g < GROUP; g++) {
      const double off = fabs(part * smooth->term[VD_SMOOTH_CHECK][j + g]),
                   most = share * fabs(smooth->value[VD_SMOOTH_INNER][j + g]) + reads->floor[j + g];
      double zeros = 0.0;
      for (int k = 0; k < VD_SMOOTH_PLACES; k++)
        zeros += smooth->value[k][j + g] == 0.0 ? 1.0 : 0.0;
      rough[g] += (off <= most ? 0.0 : 1.0) + zeros * (VD_SMOOTH_PLACES - zeros);
    }
  return rough[0] + rough[1] + rough[2] + rough[3] == 0.0;
}

VD_WIDE void vd_smooth_give(const vd_reads *reads, const vd_smooth *smooth, double share, vd_row *row) {
  const double(*d)[VD_READS] = (const double(*)[VD_READS])smooth->term;
  const double s0 = share - smooth->at[0], s1 = share - smooth->at[1], s2 = share - smooth->at[2],
               s3 = share - smooth->at[3];
  double out[VD_READS];
  for (int j = 0; j < padded(reads); j++)
    out[j] = d[0][j] + s0 * (d[1][j] + s1 * (d[2][j] + s2 * (d[3][j] + s3 * d[4][j])));
  for (int j = 0; j < reads->count; j++)
    *(double *)(void *)((char *)row + reads->at[j]) = out[j];
}
