/* A unit steps a car and computes no metrics, but the code that it shares with the programs can. This file replaces
 * those functions of metrics that use the GNU Scientific Library, so that a unit does not need this library and its
 * licence (GPL-3). None of them is ever called: they are for runs that were built with VD_KEEP_METRICS. */
#include "math/spectrum.h"
#include "sim/modes.h"

#include <stdlib.h>

bool vd_spectrum_make(const double *x, const double *y, size_t count, double rate, size_t segment,
                      enum vd_window window, vd_spectrum *s) {
  (void)x, (void)y, (void)count, (void)rate, (void)segment, (void)window, (void)s;
  abort();
}

void vd_spectrum_finish(vd_spectrum *s) {
  (void)s;
  abort();
}

vd_transfer vd_spectrum_transfer(const vd_spectrum *s, size_t line) {
  (void)s, (void)line;
  abort();
}

size_t vd_spectrum_greatest_prime(size_t n) {
  (void)n;
  abort();
}

void vd_spectrum_filter(double *x, size_t count, double rate, double settle, vd_frequency_response *response,
                        const void *context) {
  (void)x, (void)count, (void)rate, (void)settle, (void)response, (void)context;
  abort();
}

bool vd_modes_at(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_modes *modes) {
  (void)m, (void)c, (void)s, (void)modes;
  abort();
}

enum vd_motion vd_eigen_motion(const vd_eigen *e) {
  (void)e;
  abort();
}
