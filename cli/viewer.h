/* What pages with a scene in space share: see viewer.js. */
#ifndef VD_VIEWER_H
#define VD_VIEWER_H

#include "base/text.h"

#include <stdbool.h>

typedef struct vd_viewer_view {
  const char *key, *name; /* outside, above, front, side, driver, wheel; and what its button says */
} vd_viewer_view;

void vd_viewer_style(vd_buf *out);
/* The canvas and its controls; car: with those of forces and body. */
void vd_viewer_controls(const vd_viewer_view *view, size_t count, bool car, vd_buf *out);
/* The scene, as JSON, stands between these. */
void vd_viewer_scene_begin(vd_buf *out);
void vd_viewer_scene_end(vd_buf *out);

#endif
