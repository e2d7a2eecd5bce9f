/* Finds the data folder of the program, which contains the folders scenarios and validation. */
#ifndef VD_DATA_FOLDER_H
#define VD_DATA_FOLDER_H

#include "base/arena.h"

/* Returns the data folder. The environment variable VDSIM_DATA names it; if the variable is empty, there is none
 * (NULL). Without the variable it is the first of these folders that exists: (1) that of the prefix in which this
 * program is installed now, so that an installed tree can be moved, or the source tree for a program in its build
 * folder; (2) that of the prefix in which this shared library is installed now; (3) that of the prefix given to the
 * build; (4) the source tree. If none exists, returns (3), or NULL if no prefix was given. */
const char *vd_data_folder(vd_arena *arena);

#endif
