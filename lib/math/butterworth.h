/* A low-pass filter without phase shift: Butterworth's filter, applied once forwards and once backwards, as test
 * regulations require. */
#ifndef VD_BUTTERWORTH_H
#define VD_BUTTERWORTH_H

#include <stddef.h>

/* Filters x, which is evenly sampled, and taken as constant before the first and after the last sample. rate: Hz.
 * poles: their number in both passes together, a multiple of 4. cutoff: Hz, below half the rate. The gain of both
 * passes together at a frequency f is 1/(1 + (tan(pi f/rate)/tan(pi cutoff/rate))^poles), where the tangents come from
 * the bilinear transform. The gain is 1/2 at the cutoff; the gain of one pass is the square root of it. */
void vd_butterworth(double *x, size_t count, double rate, double cutoff, int poles);

#endif
