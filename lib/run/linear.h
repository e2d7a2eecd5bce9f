/* The linear analysis of a vehicle's run at one of its instants: the system, its eigenvalues, and their files. */
#ifndef VD_RUN_LINEAR_H
#define VD_RUN_LINEAR_H

#include "input/table.h"
#include "run/scenario.h"
#include "sim/modes.h"

typedef struct vd_linear_analysis {
  enum vd_level level;
  double t;             /* s */
  vd_linear system;     /* without what nothing depends on */
  bool left[VD_STATES]; /* states that were left out although they move */
  vd_eigen eigen[VD_LINEAR_STATES];
  int eigens;
  double change;    /* 1/s: greatest rate of a state, over its scale; 0 in a steady state */
  int changing;     /* which, enum vd_state; -1: none */
  bool driver;      /* steers, and is held */
  bool closed_loop; /* speed or acceleration is controlled */
  double delay;     /* s, dead time of the steering, which is not in the system */
} vd_linear_analysis;

/* Runs the scenario up to `at`, or to its end if that is NAN, and linearises. The outputs are the channels of the log,
 * but energies and works. Wind and forces from outside are inputs also of scenarios without. Returns NULL, or why there
 * is no result: stored in text. ended: the run failed before. */
const char *vd_linear_of(const vd_scenario_def *def, double at, vd_linear_analysis *a, bool *ended, char *text,
                         size_t size);

/* Prints for readers: states, inputs, eigenvalues with their motions. */
void vd_linear_print(const vd_linear_analysis *a, vd_buf *out);

/* part,row,column,value: matrices A to D, states, eigenvalues. */
void vd_linear_write_csv(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o);

/* Writes the linear system as YAML, with units. */
void vd_linear_write_yaml(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o);

#endif
