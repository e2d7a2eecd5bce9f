/* Tyres of property files, and random states for them: for the tests of tyres. */
#ifndef VD_TEST_TYRE_FILES_H
#define VD_TEST_TYRE_FILES_H

#include "tyre/mf_impl.h"
#include "tyre/tir.h"

#include <stdio.h>
#include <stdlib.h>

static inline double uniform(double lowest, double highest) {
  return lowest + (highest - lowest) * ((double)rand() / RAND_MAX);
}

/* Reads a property file; a file that is refused ends the test. */
static inline vd_mf_def load_tir(const char *path) {
  vd_mf_def def;
  vd_diag *d = vd_diag_create();
  if (!vd_tir_read(path, (vd_place){.source = -1}, d, &def)) {
    vd_diag_print(d, stderr, false);
    abort();
  }
  vd_diag_destroy(d);
  return def;
}

static inline vd_mf load_mf(const char *path, enum vd_mf_side side) {
  const vd_mf_def def = load_tir(path);
  vd_mf m;
  vd_mf_build(&def, side, &m);
  return m;
}

static inline vd_mf_output forces_of(const vd_mf *m, vd_mf_input in) {
  vd_mf_output out;
  vd_mf_forces(m, &in, &out);
  return out;
}

#endif
