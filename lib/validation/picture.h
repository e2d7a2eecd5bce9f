/* Pictures as plain data: named series of points. cli/plot.c draws them; reports of runs use them, too. */
#ifndef VD_PICTURE_H
#define VD_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

/* How a series is drawn in a picture. */
enum vd_stroke {
  VD_STROKE_RUN,    /* line of the run */
  VD_STROKE_OTHER,  /* line of the reference */
  VD_STROKE_MARKS,  /* points of the run */
  VD_STROKE_POINTS, /* points of the reference */
  VD_STROKE_LIMIT,  /* line that may not be crossed */
  VD_STROKE_UPPER,  /* upper edge of the tolerance; the lower one follows */
  VD_STROKE_LOWER,
};

/* Points; a line is interrupted where one is NAN. */
typedef struct vd_picture_series {
  char name[48];
  enum vd_stroke stroke;
  int hue; /* 1 to 6: a colour of its own; 0: that of the stroke */
  size_t count;
  double *x, *y;
} vd_picture_series;

enum { VD_PICTURE_SERIES = 5 };

typedef struct vd_picture {
  char title[64], x_name[32], x_unit[16], y_unit[24];
  bool log_x, log_y;
  bool equal;   /* both axes have the same scale */
  bool clock;   /* x is the time that the page's clock shows */
  double share; /* used share of the tolerance */
  size_t count;
  vd_picture_series series[VD_PICTURE_SERIES];
} vd_picture;

/* Frees the points of all series. */
void vd_picture_finish(vd_picture *p);
/* Adds y over x, thinned to the resolution of a picture without losing extremes; does nothing if p is NULL. */
void vd_picture_add(vd_picture *p, enum vd_stroke stroke, const char *name, const double *x, const double *y,
                    size_t count);
/* Adds a horizontal line; the next function, the edges of a tolerance around y. */
void vd_picture_level(vd_picture *p, enum vd_stroke stroke, const char *name, double from, double to, double y);
void vd_picture_band(vd_picture *p, const double *x, const double *y, size_t count, double allowed);

#endif
