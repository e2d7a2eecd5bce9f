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
/* Draws a picture like vd_plot_picture, but as wide as the page if the screen is wide enough. */
void vd_plot_broad(const vd_picture *p, vd_buf *out);

/* Position and sizes of a picture in a figure of several. */
typedef struct vd_plot_sheet {
  double x, y;   /* position of its upper left corner */
  double wide;   /* width of the whole picture */
  double left;   /* width for the numbers of the vertical axis, at least the width that they need */
  double head;   /* height for title and legend, at least the height that they need */
  double height; /* height of the area of the series; 0: the default */
  bool foot;     /* the picture has numbers and name of the horizontal axis */
} vd_plot_sheet;

enum { VD_PLOT_FOOT = 32 }; /* height of numbers and name of the horizontal axis */

/* Sets left, head and height to what the picture needs in this width. */
void vd_plot_measure(const vd_picture *p, vd_plot_sheet *s);
/* Draws the picture into a figure, which the caller begins and ends. */
void vd_plot_panel(const vd_picture *p, const vd_plot_sheet *s, vd_buf *out);

/* Computes the ends of the vertical axis of a picture. */
void vd_plot_vertical(const vd_picture *p, double ends[2]);

/* Returns how many bytes of a text fit into a width. If not all fit, room for dots is left. */
size_t vd_plot_fitting(const char *text, double width);

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
