/* Prints checksums of numbers that must be the same on every machine: elementary functions, a transform, eigenvalues
 * and numbers as text. tests/scripts/systems.sh compares them between processors. */
#include "base/elementary.h"
#include "base/num.h"
#include "math/eigen.h"
#include "math/fft.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ARGUMENTS = 20000, N = 12 };

/* Adds a number to an FNV-1a hash, its lowest byte first. */
static uint64_t add(uint64_t sum, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 64; i += 8)
    sum = (sum ^ (bits >> i & 0xff)) * UINT64_C(1099511628211);
  return sum;
}

int main(void) {
  static const struct {
    const char *name;
    double (*of)(double x);
  } function[] = {{"sin", vd_sin}, {"cos", vd_cos},     {"tan", vd_tan},   {"atan", vd_atan},
                  {"exp", vd_exp}, {"expm1", vd_expm1}, {"tanh", vd_tanh}, {"log1p", vd_log1p}};
  for (size_t k = 0; k < sizeof function / sizeof *function; k++) {
    uint64_t sum = 0;
    for (int i = 0; i < ARGUMENTS; i++)
      sum = add(sum, function[k].of(1e-3 * i - 0.9));
    printf("%s %016" PRIx64 "\n", function[k].name, sum);
  }
  double a[N * N];
  vd_complex value[N], vector[N * N], x[N], y[N];
  uint64_t sum = 0;
  vd_fft fft;
  for (int i = 0; i < N * N; i++)
    a[i] = vd_sin(1.0 + i * i);
  for (int i = 0; i < N; i++)
    x[i] = (vd_complex){a[i], a[N + i]};
  vd_fft_init(&fft, N);
  vd_fft_transform(&fft, x, y);
  vd_fft_finish(&fft);
  if (!vd_eigen_solve(a, N, value, vector))
    return 1;
  for (int i = 0; i < N; i++)
    sum = add(add(add(add(sum, y[i].re), y[i].im), value[i].re), vector[i].im);
  printf("fft and eigen %016" PRIx64 "\n", sum);
  char text[VD_NUM_MAX];
  for (int i = 0; i < 5; i++) {
    vd_num_print_shortest(vd_exp(7.0 * i - 9.0), text);
    puts(text);
  }
  return 0;
}
