/* Tables of numbers for pictures: logs with the files that a run wrote beside them, and tables of other programs. */
#ifndef VD_PLOT_LOG_H
#define VD_PLOT_LOG_H

#include "pictures.h"

#include "input/diag.h"

/* Reads a table ("-": standard input). window: first and last time of the rows that are taken, s; NAN: no bound. False
 * after a message, which may be in d. */
bool vd_plot_read(const char *path, const double window[2], vd_arena *arena, vd_diag *d, vd_shown_run *out);

/* Adds data from the resolved scenario of a run, a registered source: the keys that pictures use (at most VD_SHOWN_KEYS
 * facts), the body, the course. resolved NULL: nothing is known. */
enum { VD_SHOWN_KEYS = 16 };
void vd_plot_describe(const vd_node *resolved, int source, vd_arena *arena, vd_diag *quiet, vd_shown_run *out);

/* Returns the name of a log without folder and ending. */
const char *vd_plot_stem(const char *path, vd_arena *arena);
/* Whether the file of the frequency response of a log exists; *response: its name. */
bool vd_plot_has_response(const char *log, vd_arena *arena, const char **response);

#endif
