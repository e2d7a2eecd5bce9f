/* Settings of vdsim-kc-sweep from its command line. */
#ifndef VD_KC_SWEEP_SETTINGS_H
#define VD_KC_SWEEP_SETTINGS_H

#include "input/schema.h"
#include "kc/sweep.h"
#include "kc/xcheck.h"

enum { VD_KC_SWEEP_OPTIONS = 38 };

typedef struct vd_kc_sweep_settings {
  vd_kc_plan plan;
  const char *path, *output;
  const char *metrics;   /* where they go; NULL: curves are asked for */
  bool sensitivity;      /* derivatives by hardpoints instead of curves */
  bool dynamics;         /* inverse dynamics of a motion instead of curves */
  double frequency;      /* Hz, of the motion */
  bool matrix, factors;  /* the axle's compliance instead of curves */
  double trail;          /* m, of the factors */
  const char *tables;    /* folder of tables for a car that drives on such; NULL: curves are asked for */
  const char *report;    /* page with pictures instead of curves; NULL: curves are asked for */
  const char *reference; /* drawn over them, or NULL */
  vd_xcheck_tolerance tolerance;
  vd_setting *set;
  size_t set_count;
  bool check, resolved, graph, quiet, verbose;
  bool given[VD_KC_SWEEP_OPTIONS];
  bool ranged[VD_KC_SWEEPS]; /* with several points */
} vd_kc_sweep_settings;

/* Exit status after a message, help or a list, or -1 to go on. */
int vd_kc_sweep_parse(vd_kc_sweep_settings *s, int argc, char **argv);

#endif
