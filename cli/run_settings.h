/* Settings of vdsim-run from its command line. */
#ifndef VD_RUN_SETTINGS_H
#define VD_RUN_SETTINGS_H

#include "job.h"

/* Parses the command line. Returns an exit status after a message, help or a list, or -1 to go on. */
int vd_run_settings_parse(vd_settings *s, int argc, char **argv);
void vd_run_settings_finish(vd_settings *s);

#endif
