/* Settings of vdsim-kc-sweep from its command line. */
#ifndef VD_KC_SWEEP_SETTINGS_H
#define VD_KC_SWEEP_SETTINGS_H

#include "input/schema.h"
#include "kc/plan.h"
#include "kc/xcheck.h"

enum { VD_KC_SWEEP_OPTIONS = 38 };

typedef struct vd_kc_sweep_settings {
  vd_kc_plan plan;
  const char *path, *output;
  const char *metrics;  /* file for metrics; NULL: no metrics are written */
  bool sensitivity;     /* write derivatives with respect to hardpoints instead of curves */
  bool dynamics;        /* write the inverse dynamics of a motion instead of curves */
  double frequency;     /* Hz, frequency of the motion of --dynamics */
  bool matrix, factors; /* write the axle's compliance instead of curves */
  double trail;         /* m, distance of the lateral force behind the contact point, for --factors */
  /* folder for tables of the wheel's path, which cars can use as a suspension; NULL: not requested */
  const char *tables;
  const char *report;    /* file for the page with pictures; NULL: not requested */
  const char *reference; /* file whose curves are drawn over those of the report; NULL: none */
  vd_xcheck_tolerance tolerance;
  vd_setting *set;
  size_t set_count;
  bool check, resolved, graph, quiet, verbose;
  bool given[VD_KC_SWEEP_OPTIONS];
} vd_kc_sweep_settings;

/* Parses the command line. Returns an exit status after a message, help or a list, or -1 to go on. */
int vd_kc_sweep_parse(vd_kc_sweep_settings *s, int argc, char **argv);

#endif
