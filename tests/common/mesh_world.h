/* Meshes that tests read from text, and vectors. */
#ifndef VD_TEST_MESH_WORLD_H
#define VD_TEST_MESH_WORLD_H

#include "ground/mesh_def.h"
#include "meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double apart(const double *a, const double *b) {
  double d[] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(dot(d, d));
}

static inline void to_unit(double *v) {
  double length = sqrt(dot(v, v));
  for (int i = 0; i < 3; i++)
    v[i] /= length;
}

static inline void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* other tests may run at the same time */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct world {
  vd_arena *arena;
  vd_diag *diag;
  const vd_mesh *mesh;
} world;

static inline bool make(world *w, const vd_buf *text, enum vd_mesh_normals normals) {
  *w = (world){.arena = vd_arena_create(), .diag = vd_diag_create()};
  int source = vd_diag_add_source(w->diag, "mesh.obj", text->text, text->length);
  w->mesh = vd_mesh_read_source(source, normals, VD_MESH_UP_Z, w->arena, w->diag);
  vd_diag_print(w->diag, stderr, false);
  return w->mesh != NULL;
}

static inline void make_sheet(world *w, const sheet *s, size_t nu, size_t nv, enum vd_mesh_normals normals) {
  vd_buf text = {0};
  sheet_write(s, nu, nv, 0, false, &text);
  if (!make(w, &text, normals))
    abort();
  vd_buf_finish(&text);
}

static inline void finish(world *w) {
  vd_diag_destroy(w->diag);
  vd_arena_destroy(w->arena);
}

#endif
