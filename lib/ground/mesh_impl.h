/* Declarations that the files of the mesh share. */
#ifndef VD_MESH_IMPL_H
#define VD_MESH_IMPL_H

#include "ground/mesh_def.h"
#include "base/vec.h"

#include <stdint.h>

enum {
  VD_MESH_ERRORS = 20,           /* errors in one file after which reading stops */
  VD_MESH_TRIANGLES = 100000000, /* greatest number; their corners, three times as many, still fit into 32 bits */
};

#define VD_MESH_FAR 1e6 /* m: greatest coordinate; squares and cubes of it are finite */

typedef double vd_point[3];

/* Three corners of a triangle, in the order of the file, or a value for each of its edges; edge k goes from corner k to
 * the next corner. */
typedef int32_t vd_trio[3];

/* A grid of cubes over the box of all points. Numbers of cells count along x first, then y, then z. The triangles
 * item[i], first[c] <= i < first[c + 1], may reach into cell c. */
typedef struct vd_mesh_grid {
  double low[3];   /* m */
  double side;     /* m */
  double per_side; /* 1/m */
  int32_t cells[3];
  const int32_t *first; /* [cells + 1] */
  const int32_t *item;
  /* distance to the nearest cell with a triangle, as the greatest difference of the indices; 255: 255 or more */
  const uint8_t *clear;
} vd_mesh_grid;

struct vd_mesh {
  const vd_point *point; /* m */
  const vd_trio *corner; /* points */
  const vd_trio *beyond; /* neighbouring triangle over each edge, -1: the mesh ends there */
  int32_t points, triangles;
  double low[3], high[3]; /* m */
  /* square of the factor by which a search must look farther than the nearest point found (mesh.c) */
  double past;
  vd_mesh_grid grid;

  /* index of each corner's smooth normal, ~index for the reversed normal; NULL: flat normals */
  const vd_trio *corner_normal;
  const vd_point *normal;
};

/* A mesh as it was read. It owns its arrays. */
typedef struct vd_mesh_raw {
  vd_point *point;
  vd_trio *corner;
  uint32_t *statement; /* for each triangle: bytes from the start of the text to its face */
  size_t points, triangles;
  size_t point_room, triangle_room;
} vd_mesh_raw;

/* False after errors. */
bool vd_mesh_parse(int source, vd_diag *d, vd_mesh_raw *raw);
void vd_mesh_raw_finish(vd_mesh_raw *raw);
/* Returns the place of the statement of a triangle in the file, without blanks and comment after the statement. */
vd_place vd_mesh_statement(int source, const vd_diag *d, uint32_t at);

/* Finds the neighbouring triangles of all edges, and removes repeated triangles with a warning. False after errors:
 * edges with more than two faces. raw->statement is freed. */
bool vd_mesh_join(vd_mesh_raw *raw, int source, vd_diag *d, vd_trio *beyond);
/* Computes smooth normals at the corners. */
void vd_mesh_smoothen(vd_mesh *mesh, vd_arena *arena);
void vd_mesh_make_grid(vd_mesh *mesh, vd_arena *arena);

VD_INLINE const double *vd_mesh_at(const vd_mesh *mesh, int32_t triangle, int corner) {
  return mesh->point[mesh->corner[triangle][corner]];
}

/* Computes the normal of three points; its length is twice the area of their triangle. */
VD_INLINE void vd_mesh_area(const double *a, const double *b, const double *c, double *out) {
  double ab[3], ac[3];
  vd_between(a, b, ab);
  vd_between(a, c, ac);
  vd_cross(ab, ac, out);
}

/* Computes the normal of a triangle of the mesh; its length is twice the area. */
VD_INLINE void vd_mesh_face_area(const vd_mesh *mesh, int32_t triangle, double *out) {
  vd_mesh_area(vd_mesh_at(mesh, triangle, 0), vd_mesh_at(mesh, triangle, 1), vd_mesh_at(mesh, triangle, 2), out);
}

/* Computes the unit normal of a triangle, on the side from which `direction` leads to it. */
VD_INLINE void vd_mesh_face_normal(const vd_mesh *mesh, int32_t triangle, const double *direction, double *normal) {
  double area[3];
  vd_mesh_face_area(mesh, triangle, area);
  double scale = (vd_dot(area, direction) <= 0.0 ? 1.0 : -1.0) / sqrt(vd_dot(area, area));
  for (int i = 0; i < 3; i++)
    normal[i] = scale * area[i];
}

VD_INLINE size_t vd_mesh_cell(const vd_mesh_grid *g, int32_t x, int32_t y, int32_t z) {
  return ((size_t)z * (size_t)g->cells[1] + (size_t)y) * (size_t)g->cells[0] + (size_t)x;
}

/* Returns the corner after `corner`. */
VD_INLINE int vd_mesh_next(int corner) {
  return corner == 2 ? 0 : corner + 1;
}

#endif
