/* The folder of what is shipped, with the folders scenarios and validation. */
#ifndef VD_DATA_FOLDER_H
#define VD_DATA_FOLDER_H

#include "base/arena.h"

/* The folder that the environment variable VDSIM_DATA names; else that of the prefix in which this program is
 * installed, so that a whole prefix can be moved; else that of the source, for a program in a build folder; else that
 * of the prefix which the build was told, or without one that of the source. NULL: VDSIM_DATA is empty, or nothing is
 * known. */
const char *vd_data_folder(vd_arena *arena);

#endif
