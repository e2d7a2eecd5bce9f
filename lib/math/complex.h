/* Complex numbers, with the same bits for every compiler: C does not define how products and quotients are computed. */
#ifndef VD_COMPLEX_H
#define VD_COMPLEX_H

#include "base/elementary.h"

typedef struct vd_complex {
  double re, im;
} vd_complex;

static inline vd_complex vd_complex_add(vd_complex a, vd_complex b) {
  return (vd_complex){a.re + b.re, a.im + b.im};
}

static inline vd_complex vd_complex_sub(vd_complex a, vd_complex b) {
  return (vd_complex){a.re - b.re, a.im - b.im};
}

static inline vd_complex vd_complex_mul(vd_complex a, vd_complex b) {
  return (vd_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline vd_complex vd_complex_scale(vd_complex a, double k) {
  return (vd_complex){a.re * k, a.im * k};
}

static inline double vd_complex_abs2(vd_complex a) {
  return a.re * a.re + a.im * a.im;
}

static inline double vd_complex_abs(vd_complex a) {
  return vd_hypot(a.re, a.im);
}

static inline vd_complex vd_complex_div(vd_complex a, vd_complex b) {
  double size = vd_complex_abs(b);
  vd_complex unit = {b.re / size, -b.im / size};
  return vd_complex_scale(vd_complex_mul(a, unit), 1.0 / size);
}

#endif
