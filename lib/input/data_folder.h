/* Finds the data folder of the program, which contains the folders scenarios and validation. */
#ifndef VD_DATA_FOLDER_H
#define VD_DATA_FOLDER_H

#include "base/arena.h"

/* Returns the first of these: the folder named by the environment variable VDSIM_DATA; the data folder of the prefix in
 * which this program or this shared library is installed, so that a whole prefix can be moved; the source, for a
 * program in its build folder; the data folder of the prefix that was given to the build, or without one the source.
 * NULL: VDSIM_DATA is empty, or there is none of these. */
const char *vd_data_folder(vd_arena *arena);

#endif
