/* Declarations that plot.c, which draws axes and legends, and plot_series.c, which draws series, share. */
#ifndef VD_PLOT_IMPL_H
#define VD_PLOT_IMPL_H

#include "plot.h"

typedef struct vd_plot_axis {
  double from, to;   /* ends of the axis; logarithms on a logarithmic axis */
  double at, length; /* position of `from` in the picture, and signed distance from there to `to`; negative upwards */
  bool log;
  vd_picture_words words;
  int exponent; /* the tick labels are multiples of this power of ten */
} vd_plot_axis;

/* Returns the position of a value in the picture; NAN for a value that is not on a logarithmic axis. */
double vd_plot_on_axis(const vd_plot_axis *a, double value);

/* Writes the CSS classes of a series, such as "run h2": the kind of stroke, and the colour where several series have
 * the same stroke. */
void vd_plot_write_class(const vd_picture_series *s, vd_buf *out);

/* Whether a series is drawn behind the lines. */
bool vd_plot_is_filled(enum vd_stroke s);

/* Draws all series of a picture, first those behind the lines. */
void vd_plot_series(const vd_picture *p, const vd_plot_axis *x, const vd_plot_axis *y, vd_buf *out);

#endif
