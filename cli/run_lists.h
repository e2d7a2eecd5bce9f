/* Lists of what vdsim-run knows: one item a line, its fields separated by tabs. */
#ifndef VD_RUN_LISTS_H
#define VD_RUN_LISTS_H

#include "tool.h"

void vd_list_channels(vd_buf *out);
void vd_list_states(vd_buf *out);

/* Metrics of one set, or of all with NULL. Returns an exit status. */
int vd_list_metrics(const char *set);

/* Channels of one kind of scenario; NULL: of a vehicle. Returns an exit status. */
int vd_list_keys(const char *kind);

#endif
