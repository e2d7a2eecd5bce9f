/* Points for pictures, thinned to the resolution of a picture. */
#include "validation/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void vd_picture_finish(vd_picture *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->series[i].x);
    free(p->series[i].y);
  }
  free(p->series);
  p->series = NULL;
  p->count = 0;
}

vd_picture_series *vd_picture_put(vd_picture *p, enum vd_stroke stroke, const char *name, double *x, double *y,
                                  size_t count) {
  p->series = vd_reallocate(p->series, p->count + 1, sizeof *p->series);
  vd_picture_series *s = &p->series[p->count++];
  *s = (vd_picture_series){.stroke = stroke, .count = count, .x = x, .y = y};
  snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

/* Divides the points into equal intervals, and keeps from each the least and the greatest value in their order, or a
 * gap, so that peaks remain. Returns the number of points kept. */
static size_t thin(const double *y, size_t count, size_t *kept, size_t stretches) {
  size_t n = 0;
  if (count <= 2 * stretches) {
    for (; n < count; n++)
      kept[n] = n;
    return n;
  }
  kept[n++] = 0;
  for (size_t k = 0; k < stretches; k++) {
    size_t from = 1 + k * (count - 2) / stretches, to = 1 + (k + 1) * (count - 2) / stretches, least = from,
           most = from;
    for (size_t i = from; i < to; i++) {
      least = y[i] < y[least] ? i : least;
      most = isnan(y[i]) || y[i] > y[most] ? i : most;
    }
    kept[n++] = least < most ? least : most;
    if (least != most)
      kept[n++] = least < most ? most : least;
  }
  kept[n++] = count - 1;
  return n;
}

void vd_picture_add(vd_picture *p, enum vd_stroke stroke, const char *name, const double *x, const double *y,
                    size_t count) {
  enum { STRETCHES = 200 };
  size_t kept[2 * STRETCHES + 2];
  if (!p || p->count == VD_PICTURE_SERIES || count == 0)
    return;
  size_t points = thin(y, count, kept, STRETCHES);
  double *px = vd_allocate(points, sizeof *px), *py = vd_allocate(points, sizeof *py);
  vd_picture_series *s = vd_picture_put(p, stroke, name, px, py, points);
  for (size_t i = 0; i < points; i++) {
    s->x[i] = x[kept[i]];
    s->y[i] = y[kept[i]];
  }
}

void vd_picture_level(vd_picture *p, enum vd_stroke stroke, const char *name, double from, double to, double y) {
  vd_picture_add(p, stroke, name, (double[]){from, to}, (double[]){y, y}, 2);
}

void vd_picture_band(vd_picture *p, const double *x, const double *y, size_t count, double allowed) {
  if (!p || !(allowed > 0.0))
    return;
  double *edge = vd_allocate(count + 1, sizeof *edge);
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < count; i++)
      edge[i] = y[i] + side * allowed;
    vd_picture_add(p, side > 0 ? VD_STROKE_UPPER : VD_STROKE_LOWER, "tolerance", x, edge, count);
  }
  free(edge);
}
