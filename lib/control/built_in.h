/* Declarations for the controllers that are built in. Their sensors and requests are fixed, and their memory is plain
 * numbers. */
#ifndef VD_BUILT_IN_H
#define VD_BUILT_IN_H

#include "control/controller_impl.h"

bool vd_built_in_complete(const vd_controller_context *ctx, vd_controller_def *def);
void *vd_built_in_create(const vd_controller_def *def, const vd_controller_car *car, double *request, vd_buf *why);
void vd_built_in_destroy(void *instance);
bool vd_built_in_decide(void *instance, double t, const double *sensed, double *request, vd_buf *why);
bool vd_built_in_save(void *instance, vd_buf *out);
bool vd_built_in_restore(void *instance, const void *bytes, size_t size);

/* Initialises members of a kind's vd_controller_variant, in a file that defines `rows', `sensors', `requests' and
 * `law'. */
#define VD_BUILT_IN                                                                                                    \
  .rows = {.field = rows, .count = VD_COUNT(rows)}, .sensors = sensors, .requests = requests, .modes = true,           \
  .law = law, .complete = vd_built_in_complete, .create = vd_built_in_create, .destroy = vd_built_in_destroy,          \
  .decide = vd_built_in_decide, .save = vd_built_in_save, .restore = vd_built_in_restore

/* Makes the four names, one for each wheel, of a channel or an input. */
#define VD_OF_WHEELS(before, after) before "fl" after, before "fr" after, before "rl" after, before "rr" after

#endif
