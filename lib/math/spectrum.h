/* Spectra of evenly sampled signals by Welch's method, the frequency response between two of them, and filtering by a
 * frequency response.
 *
 * P. D. Welch, "The use of fast Fourier transform for the estimation of power spectra", IEEE Trans. Audio
 * Electroacoust. AU-15, 1967; J. S. Bendat, A. G. Piersol, "Random Data", 4th ed., Wiley 2010, ch. 6, 9 and 11.
 *
 * Densities are one-sided, in unit^2/Hz: their sum times the spacing of the lines is the mean square about the mean. */
#ifndef VD_SPECTRUM_H
#define VD_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

enum vd_window {
  VD_WINDOW_HANN, /* segments overlap by half */
  /* no window, and segments without overlap: exact for signals that are periodic over the segment, or at rest at both
   * its ends */
  VD_WINDOW_NONE,
};

typedef struct vd_spectrum {
  size_t segment;                  /* samples */
  size_t segments;                 /* number of segments that were averaged */
  size_t lines;                    /* number of frequencies, from 0 to half the rate: segment/2 + 1 */
  double spacing;                  /* Hz, from line to line */
  double *input, *output;          /* unit^2/Hz */
  double greatest;                 /* greatest density of the input */
  double *cross_real, *cross_imag; /* density of conj(input) x output */
} vd_spectrum;

/* Averages over all whole segments in `count` samples of x and y, after the means over all samples are subtracted.
 * Returns false, with nothing to be freed, if there is no whole segment, or a segment has fewer than two samples. */
bool vd_spectrum_make(const double *x, const double *y, size_t count, double rate, size_t segment,
                      enum vd_window window, vd_spectrum *s);
void vd_spectrum_finish(vd_spectrum *s);

typedef struct vd_transfer {
  double gain;      /* |H1|, H1 = cross/input: noise in the output does not bias it */
  double phase;     /* rad, -pi..pi, < 0: the output lags */
  double coherence; /* 0..1; NAN for a single segment, for which it would always be 1 */
} vd_transfer;

/* Computes the frequency response at a line. All numbers are NAN if the density of the input there is below 1e-12 of
 * the greatest density of the input: it is then a rounding error. */
vd_transfer vd_spectrum_transfer(const vd_spectrum *s, size_t line);

/* Returns the greatest prime factor of n > 0. The work of a transform of n samples grows with it. */
size_t vd_spectrum_greatest_prime(size_t n);

/* A frequency response: real and imaginary part at a frequency, Hz. */
typedef void vd_frequency_response(const void *context, double frequency, double h[2]);

/* A signal to be filtered, and the context of its response. */
typedef struct vd_filtered {
  double *x;
  const void *context;
} vd_filtered;

/* Passes signals through causal, stable filters that are given by their frequency responses and whose impulse responses
 * decay within `settle` seconds. The result is exact at every frequency below half the rate: there is no bilinear
 * warping. Before the first sample a signal is zero. The response is computed once for signals next to each other that
 * have the same context. */
void vd_spectrum_filter(const vd_filtered *signal, size_t signals, size_t count, double rate, double settle,
                        vd_frequency_response *response);

#endif
