/* Meshes of any fineness, as OBJ text. */
#ifndef MESHES_H
#define MESHES_H

#include "base/base.h"
#include "base/num.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* A surface over the parameters u, v = 0..1. */
typedef struct sheet {
  void (*place)(const struct sheet *s, double u, double v, double *p); /* m, world */
  double length, width, height, radius, angle;                         /* m, rad: as the kind needs them */
} sheet;

/* Computes a point of a plane: length along x from 0, width along y about 0. */
static inline void sheet_plane(const sheet *s, double u, double v, double *p) {
  p[0] = s->length * u;
  p[1] = s->width * (v - 0.5);
  p[2] = 0.0;
}

/* Computes a point of the plane that is turned about the x axis by `angle', left side up. */
static inline void sheet_bank(const sheet *s, double u, double v, double *p) {
  double y = s->width * (v - 0.5);
  p[0] = s->length * u;
  p[1] = y * cos(s->angle);
  p[2] = y * sin(s->angle);
}

/* Computes a point of a ramp: half a cosine from 0 up to `height'. */
static inline void sheet_ramp(const sheet *s, double u, double v, double *p) {
  p[0] = s->length * u;
  p[1] = s->width * (v - 0.5);
  p[2] = 0.5 * s->height * (1.0 - cos(VD_PI * u));
}

/* Computes a point of a loop: part of a cylinder along y, over `angle' from the bottom forward and up; `length':
 * displacement to the left from its start to its end. */
static inline void sheet_loop(const sheet *s, double u, double v, double *p) {
  p[0] = s->radius * sin(s->angle * u);
  p[1] = s->width * (v - 0.5) + s->length * u;
  p[2] = s->radius * (1.0 - cos(s->angle * u));
}

static inline void sheet_number(vd_buf *b, double value) {
  char text[VD_NUM_MAX];
  int length = vd_num_print_shortest(value, text);
  vd_buf_add(b, " ", 1);
  vd_buf_add(b, text, (size_t)length);
}

static inline void sheet_index(vd_buf *b, size_t value) {
  char text[24], *at = text + sizeof text;
  do
    *--at = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  *--at = ' ';
  vd_buf_add(b, at, (size_t)(text + sizeof text - at));
}

/* Appends a sheet of nu x nv squares, each as two triangles or, if `squares`, as a square; `before`: number of vertices
 * that are already there. */
static inline void sheet_write(const sheet *s, size_t nu, size_t nv, size_t before, bool squares, vd_buf *b) {
  for (size_t i = 0; i <= nu; i++)
    for (size_t j = 0; j <= nv; j++) {
      double p[3];
      s->place(s, (double)i / (double)nu, (double)j / (double)nv, p);
      vd_buf_add(b, "v", 1);
      for (int k = 0; k < 3; k++)
        sheet_number(b, p[k]);
      vd_buf_add(b, "\n", 1);
    }
  for (size_t i = 0; i < nu; i++)
    for (size_t j = 0; j < nv; j++) {
      size_t a = before + i * (nv + 1) + j + 1;
      const size_t corner[] = {a, a + nv + 1, a + nv + 2, a + 1};
      for (size_t part = 0; part < (squares ? 1 : 2); part++) {
        vd_buf_add(b, "f", 1);
        for (size_t k = 0; k < 4; k++)
          if (squares || k != (part == 0 ? 3 : 1))
            sheet_index(b, corner[k]);
        vd_buf_add(b, "\n", 1);
      }
    }
}

#endif
