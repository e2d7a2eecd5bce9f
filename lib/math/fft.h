/* The discrete Fourier transform of any length, by mixed radices (Cooley and Tukey, Math. Comp. 19 (1965) 297). Its
 * work grows with the greatest prime factor of the length. Unlike those of a library, the results have the same bits on
 * every machine. */
#ifndef VD_FFT_H
#define VD_FFT_H

#include "math/complex.h"

#include <stddef.h>

typedef struct vd_fft {
  size_t n;
  vd_complex *turn; /* [n]: exp(-2 pi j k/n) */
  vd_complex *part; /* [n + 1]: memory for one sum */
} vd_fft;

/* Prepares transforms of n >= 1 numbers. vd_fft_finish frees the memory. */
void vd_fft_init(vd_fft *f, size_t n);
void vd_fft_finish(vd_fft *f);

/* Computes out[k] = sum over i of x[i] exp(-2 pi j i k/n). x and out must not overlap. */
void vd_fft_transform(const vd_fft *f, const vd_complex *x, vd_complex *out);

#endif
