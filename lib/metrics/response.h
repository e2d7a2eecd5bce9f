/* The frequency response of a run from one channel to others, which are sampled at every step of the solver (not of the
 * log). The solver does not resolve frequencies above half the rate of its steps, so that there is no aliasing. */
#ifndef VD_RESPONSE_H
#define VD_RESPONSE_H

#include "sim/channel.h"
#include "math/spectrum.h"
#include "input/table.h"
#include "input/tree.h"

typedef struct vd_response_def {
  const char *input; /* name of a channel; empty: no response */
  vd_names outputs;
  double segment;  /* s, a whole number of steps; auto: set by vd_response_complete */
  int window;      /* enum vd_window */
  double from, to; /* Hz */
} vd_response_def;

extern const struct vd_schema vd_response_schema;

static inline bool vd_response_asked(const vd_response_def *def) {
  return *def->input != '\0';
}

/* Sets a segment that is `auto`: without a window the whole run; with a window the longest segment that fits four times
 * into the run and has a length that is fast to transform. */
void vd_response_complete(vd_response_def *def, double step, long steps);

/* Checks names and numbers for the run. steps: number of steps of the run. */
void vd_response_check(const vd_response_def *def, double step, long steps, const vd_node *root, const char *path,
                       vd_diag *d);

/* The recorded input and outputs, one series for each. */
typedef struct vd_response {
  const vd_response_def *def;
  double step; /* s */
  size_t channels;
  const vd_channel **channel;
  double **value;
  size_t count, capacity;
} vd_response;

void vd_response_init(vd_response *r, const vd_response_def *def, double step);
void vd_response_finish(vd_response *r);
/* Adds one row. Rows come in order and at equal intervals; a last, shorter interval is left out. */
void vd_response_add(vd_response *r, const vd_row *row);

/* Returns a phase, rad, plus the whole turns that make it nearest to the phase before. `before` is NAN for the first
 * phase, which is not changed. */
double vd_response_unwrapped(double angle, double before);

/* Calls `take` for each row of the response: the frequency, Hz, then for each output gain, phase (deg, continuous
 * beyond half a turn) and coherence. False, without a row, if the run ended before one segment was complete. */
bool vd_response_rows(const vd_response *r, void (*take)(void *context, const double *row), void *context);

/* Writes the rows of the response as CSV, with a header. False, with nothing written, if the run ended before one
 * segment was complete. */
bool vd_response_write(const vd_response *r, vd_output *o, enum vd_digits digits);

#endif
