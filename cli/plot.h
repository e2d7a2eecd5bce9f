/* Pictures as inline SVG, in the colours of the page's style (html.c). */
#ifndef VD_PLOT_H
#define VD_PLOT_H

#include "validation/finding.h"

/* Returns a picture without series. Texts too long for their members of vd_picture are cut. */
vd_picture vd_plot_begin(const char *title, const char *x_name, const char *x_unit, const char *y_unit);
/* Adds a series as vd_picture_add does. hue: as in vd_picture_series. */
void vd_plot_add(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const double *x, const double *y,
                 size_t count);
/* Draws a picture that has series, and frees them. */
void vd_plot_end(vd_picture *p, vd_buf *out);

/* Draws a picture and leaves its series alone. */
void vd_plot_picture(const vd_picture *p, vd_buf *out);
/* As vd_plot_picture, as wide as the page where the screen is wide enough. */
void vd_plot_broad(const vd_picture *p, vd_buf *out);

/* A part of a sum. */
typedef struct vd_plot_part {
  const char *name;
  double value;
} vd_plot_part;

/* Draws parts that add up to a whole, one below the other: each bar begins where the last one ends. `whole' is drawn
 * from zero. */
void vd_plot_parts(const char *title, const char *unit, const vd_plot_part *part, size_t count,
                   const vd_plot_part *whole, vd_buf *out);

/* Draws a bar for a residual, as a share of the tolerance, with a mark at 1; the bar ends at 1.25. */
void vd_plot_residual(double share, enum vd_finding_verdict verdict, vd_buf *out);

#endif
