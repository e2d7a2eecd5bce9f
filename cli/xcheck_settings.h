/* Settings of vdsim-xcheck from its command line. */
#ifndef VD_XCHECK_SETTINGS_H
#define VD_XCHECK_SETTINGS_H

#include "kc/xcheck.h"

typedef struct vd_xcheck_settings {
  const char *output, *export, *import;
  const char *operand[2];
  size_t operands;
  vd_xcheck_input side[2];
  bool list_option_given; /* an option of hardpoint lists was given */
  vd_xcheck_tolerance tolerance;
  vd_xcheck_range range[VD_SWEEPS];
  unsigned curves;
  bool gains, tap, quiet, verbose;
  enum vd_digits digits;
} vd_xcheck_settings;

/* Parses the command line. Returns an exit status after a message or help, or -1 to go on. */
int vd_xcheck_parse(vd_xcheck_settings *s, int argc, char **argv);

#endif
