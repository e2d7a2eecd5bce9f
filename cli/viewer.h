/* The style, controls and script of pages with a 3D scene; the script is viewer.js. */
#ifndef VD_VIEWER_H
#define VD_VIEWER_H

#include "base/text.h"

#include <stdbool.h>

typedef struct vd_viewer_view {
  const char *key, *name; /* key: outside, above, front, side, driver or wheel; name: label of its button */
} vd_viewer_view;

void vd_viewer_style(vd_buf *out);
/* Writes the canvas and its controls; car: including those for forces and body. */
void vd_viewer_controls(const vd_viewer_view *view, size_t count, const vd_viewer_view *motion, size_t motions,
                        bool car, vd_buf *out);
/* Write the beginning and the end of the element that contains the scene, which the caller writes between as JSON. */
void vd_viewer_scene_begin(vd_buf *out);
void vd_viewer_scene_end(vd_buf *out);

#endif
