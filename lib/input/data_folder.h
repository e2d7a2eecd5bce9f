/* Finds the data folder of the program, which contains the folders scenarios and validation. */
#ifndef VD_DATA_FOLDER_H
#define VD_DATA_FOLDER_H

#include "base/arena.h"

/* Returns the first of these folders that exists: (1) the folder named by the environment variable VDSIM_DATA; (2) the
 * data folder of the prefix in which this program or this shared library is installed now, so that an installed tree
 * can be moved; (3) the source tree, for a program in its build folder; (4) the data folder of the prefix that was
 * given to the build, or the source tree if no prefix was given. Returns NULL if none exists, or VDSIM_DATA is
 * empty. */
const char *vd_data_folder(vd_arena *arena);

#endif
