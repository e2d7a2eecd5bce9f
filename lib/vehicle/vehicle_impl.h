/* Declarations that vehicle_def.c and vehicle_check.c share. */
#ifndef VD_VEHICLE_IMPL_H
#define VD_VEHICLE_IMPL_H

#include "vehicle/vehicle_def.h"

/* A buffer with the path of a key. */
typedef struct vd_key_path {
  char text[128];
} vd_key_path;

/* Returns the path of a key of the mapping at `path'; format: the key. */
VD_PRINTF(2, 3) vd_key_path vd_key_path_of(const char *path, const char *format, ...);

/* Returns the load of one spring of axle i at the wheel, in the design position, N. */
double vd_vehicle_spring_load(const vd_vehicle_def *v, int i);

#endif
