/* A figure of several pictures as one SVG file, or PNG and PDF made of it by rsvg-convert. */
#ifndef VD_FIGURE_H
#define VD_FIGURE_H

#include "pictures.h"

#include "base/text.h"

typedef struct vd_figure_page {
  const char *title, *under;
  double width, height;       /* pixels; height 0: as high as the panels need */
  vd_picture_limits x;        /* limits of all horizontal axes */
  const vd_picture_limits *y; /* [ys], limits of the vertical axes in the order of the panels */
  size_t ys;
} vd_figure_page;

/* Draws a figure. False after a message: the height does not suffice, or the limits of an axis are not possible. */
bool vd_figure_draw(vd_drawing *f, const vd_figure_page *page, vd_buf *out);

/* Whether the name of an output has the ending of a picture; false after a message. */
bool vd_figure_is_output(const char *path);
/* Writes a picture in the format that the ending of the output's name gives; "-": SVG. Returns an exit status. */
int vd_figure_write(const char *path, const vd_buf *svg);

#endif
