/* The linear analysis of a vehicle's run at one of its instants: the system, its eigenvalues, and their files. */
#ifndef VD_RUN_LINEAR_H
#define VD_RUN_LINEAR_H

#include "input/table.h"
#include "run/scenario.h"
#include "sim/modes.h"

typedef struct vd_linear_analysis {
  enum vd_level level;
  double t;             /* s */
  vd_linear system;     /* without states, inputs and outputs on which nothing depends */
  bool left[VD_STATES]; /* states that are integrated but were left out */
  vd_eigen eigen[VD_LINEAR_STATES];
  int eigens;
  double change;    /* 1/s: greatest rate of a state divided by its scale; 0 in a steady state */
  int changing;     /* the state with this rate, enum vd_state; -1: none */
  bool driver;      /* there is a driver, whose steering wheel angle is an input of the linear system */
  bool closed_loop; /* speed or acceleration is controlled */
  double delay;     /* s, dead time of the steering, which is not part of the system */
} vd_linear_analysis;

/* Runs the scenario up to the time `at`, s, or to its end if `at` is NAN, and linearises. The outputs are the channels
 * of the log except energies and works. Wind and forces from outside are inputs even if the scenario has none. Returns
 * NULL, or the reason why there is no result, which is stored in text. ended: the run failed before. */
const char *vd_linear_of(const vd_scenario_def *def, double at, vd_linear_analysis *a, bool *ended, char *text,
                         size_t size);

/* Prints the analysis for readers: states, inputs, eigenvalues with their motions. */
void vd_linear_print(const vd_linear_analysis *a, vd_buf *out);

/* Writes part,row,column,value: matrices A to D, states, eigenvalues. */
void vd_linear_write_csv(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o);

/* Writes the linear system as YAML, with units. */
void vd_linear_write_yaml(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o);

#endif
