/* Logs as files of MATLAB, level 5: a column vector for each channel, by its name. Octave, scipy and others read them,
 * too. */
#ifndef VD_MAT_H
#define VD_MAT_H

#include "input/table.h"

/* The first bytes of such files. */
#define VD_MAT_START "MATLAB 5.0 MAT-file"

/* Writes the rows of a log, which is CSV of numbers; an empty field becomes NaN. `title` is kept in the header. */
void vd_mat_write(const char *csv, const char *title, vd_output *o);

#endif
