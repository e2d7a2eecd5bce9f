/* Pictures as plain data: named series of points. cli/plot.c draws them; reports of runs use them, too. */
#ifndef VD_PICTURE_H
#define VD_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

/* The ways to draw a series in a picture. */
enum vd_stroke {
  VD_STROKE_RUN,    /* line of the run */
  VD_STROKE_OTHER,  /* line of the reference */
  VD_STROKE_MARKS,  /* points of the run */
  VD_STROKE_POINTS, /* points of the reference */
  VD_STROKE_LIMIT,  /* line that may not be crossed */
  VD_STROKE_UPPER,  /* upper edge of the tolerance; the next series is the lower edge */
  VD_STROKE_LOWER,
  VD_STROKE_AREA,  /* filled polygon */
  VD_STROKE_GUIDE, /* thin line for comparison: a level, a circle, a slope */
  VD_STROKE_CURVE, /* line that is drawn behind the lines of the run */
  VD_STROKE_SHAPE, /* outline of a body */
  VD_STROKE_BOX,   /* shaded rectangle from the first point to the second */
  VD_STROKE_AT,    /* vertical line over the whole height at each x */
  VD_STROKE_SPAN,  /* shaded from x[0] to x[1] over the whole height */
  VD_STROKE_CONES, /* small points */
  VD_STROKE_HITS,  /* crosses */
  VD_STROKE_WORDS, /* the name of the series, drawn at its point and not in the legend */
};

/* Points; a line is interrupted at a point that is NAN. */
typedef struct vd_picture_series {
  char name[80];
  enum vd_stroke stroke;
  int hue;      /* 1 to 9: one of nine colours, up to 6 also with its own dashes; 0: the colour of the stroke */
  unsigned rgb; /* 0x1RRGGBB: colour in place of the colour of the hue; 0: the colour of the hue */
  int dash;     /* 1 to 6: one of six patterns of dashes; 0: the pattern of the hue */
  size_t count;
  double *x, *y;
} vd_picture_series;

/* Greatest number of series that vd_picture_add accepts, so that colours can be told apart; vd_picture_put has no
 * limit. */
enum { VD_PICTURE_SERIES = 5 };

/* Ends of an axis, if they differ from the range of the points. */
typedef struct vd_picture_limits {
  bool has_from, has_to;
  double from, to;
} vd_picture_limits;

/* Words in place of the numbers 0, 1, 2 ... of an axis. */
typedef struct vd_picture_words {
  const char *const *word; /* NULL: the axis has numbers */
  size_t count;
} vd_picture_words;

typedef struct vd_picture {
  char title[128], x_name[48], x_unit[16], y_unit[24];
  bool log_x, log_y;
  bool equal; /* both axes have the same scale */
  bool bare;  /* a drawing, without numbers along the axes */
  bool clock; /* x is the abscissa of the page's animation: the time or the motion */
  int motion; /* number of the animated motion, from 0 */
  bool exact; /* coordinates have two decimals */
  vd_picture_limits x_limits, y_limits;
  vd_picture_words x_words, y_words;
  bool whole;   /* the vertical axis contains all limits and tolerances, even wide ones */
  double least; /* least range of the vertical axis; 0: the range of the points */
  double share; /* used share of the tolerance */
  size_t count;
  vd_picture_series *series;
} vd_picture;

/* Frees all series. */
void vd_picture_finish(vd_picture *p);
/* Adds y over x, thinned to the resolution of a picture without losing extremes; does nothing if p is NULL. */
void vd_picture_add(vd_picture *p, enum vd_stroke stroke, const char *name, const double *x, const double *y,
                    size_t count);
/* Adds a series with these points unchanged; their memory, which must be allocated, then belongs to the picture. The
 * result is valid until the next series is added. */
vd_picture_series *vd_picture_put(vd_picture *p, enum vd_stroke stroke, const char *name, double *x, double *y,
                                  size_t count);
/* vd_picture_level adds a horizontal line, vd_picture_band the two edges of a tolerance around y. */
void vd_picture_level(vd_picture *p, enum vd_stroke stroke, const char *name, double from, double to, double y);
void vd_picture_band(vd_picture *p, const double *x, const double *y, size_t count, double allowed);

#endif
