/* Inside the reading of points: the formats. */
#ifndef VD_POINTS_IMPL_H
#define VD_POINTS_IMPL_H

#include "tyre/points_def.h"

/* As vd_measured_read_source, of a TYDEX file. The quantities wanted are those of enum vd_point_quantity. */
bool vd_points_read_tydex(const vd_tyre_points_def *def, int source, const vd_node *root, const char *path,
                          const vd_measured_quantity *want, vd_arena *arena, vd_diag *d, vd_measured *out);

#endif
