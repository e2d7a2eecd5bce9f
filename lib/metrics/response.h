/* A frequency response as a result of a run: from one channel to others, sampled at every step of the solver (not of
 * the log). The solver resolves nothing above half the rate of its steps, so no aliasing occurs. */
#ifndef VD_RESPONSE_H
#define VD_RESPONSE_H

#include "sim/channel.h"
#include "math/spectrum.h"
#include "input/table.h"
#include "input/tree.h"

typedef struct vd_response_def {
  const char *input; /* name of a channel; empty: no response */
  vd_names outputs;
  double segment;  /* s, whole steps; auto: completed by vd_response_complete */
  int window;      /* enum vd_window */
  double from, to; /* Hz */
} vd_response_def;

extern const struct vd_schema vd_response_schema;

static inline bool vd_response_asked(const vd_response_def *def) {
  return *def->input != '\0';
}

/* The segment for `auto`: without a window the whole run, else the longest one of a fast length that fits four
 * times. */
void vd_response_complete(vd_response_def *def, double step, long steps);

/* Checks names and figures for the run, but not whether the channels exist. steps: number of steps of the run. */
void vd_response_check(const vd_response_def *def, double step, long steps, const vd_node *root, const char *path,
                       vd_diag *d);

/* What is recorded: the input and the outputs, one series each. */
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
/* Rows come in order and at equal intervals; an end of the run between two of them is left out. */
void vd_response_add(vd_response *r, const vd_row *row);

/* The phase, modulo a full turn, that is nearest to the one before; the first one (before NAN) stays. */
double vd_response_unwrapped(double angle, double before);

/* Hands on the rows of the response: the frequency, Hz, then for each output gain, phase (deg, counted on beyond half a
 * turn) and coherence. False, without a row, if the run has ended before one segment was full. */
bool vd_response_rows(const vd_response *r, void (*take)(void *context, const double *row), void *context);

/* Writes frequency_Hz and for each output gain, phase and coherence. False, with nothing written, if the run has ended
 * before one segment was full. */
bool vd_response_write(const vd_response *r, vd_output *o, enum vd_digits digits);

#endif
