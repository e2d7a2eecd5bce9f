/* Computes normals at the corners of a mesh: means of the normals of the triangles that meet there, weighted with the
 * angles of these triangles at the corner (Thuermer and Wuethrich, Computing Vertex Normals from Polygonal Facets,
 * Journal of Graphics Tools 3(1), 1998), so that they do not depend on how a face is cut into triangles. */
#include "base/elementary.h"
#include "base/memory.h"
#include "ground/mesh_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double sharpest = 0.8660254037844387; /* cos 30 deg: an edge with a sharper fold remains an edge */

/* Returns the angle of a triangle at a corner, rad, and its unit normal. */
static double angle_at(const vd_mesh *mesh, int32_t triangle, int corner, double *normal) {
  double to_next[3], to_last[3];
  int next = vd_mesh_next(corner);
  const double *here = vd_mesh_at(mesh, triangle, corner);
  vd_between(here, vd_mesh_at(mesh, triangle, next), to_next);
  vd_between(here, vd_mesh_at(mesh, triangle, vd_mesh_next(next)), to_last);
  vd_cross(to_next, to_last, normal);
  double area = sqrt(vd_dot(normal, normal));
  for (int i = 0; i < 3; i++)
    normal[i] /= area;
  return vd_atan2(area, vd_dot(to_next, to_last));
}

static int corner_of(const vd_mesh *mesh, int32_t triangle, int32_t point) {
  const int32_t *corner = mesh->corner[triangle];
  return corner[0] == point ? 0 : corner[1] == point ? 1 : 2;
}

/* True if two triangles that meet in edge `edge` of the first have opposite orientations: both then run through the
 * edge in the same direction. */
static bool turned_over(const vd_mesh *mesh, int32_t triangle, int edge, int32_t other) {
  int32_t from = mesh->corner[triangle][edge], to = mesh->corner[triangle][vd_mesh_next(edge)];
  return mesh->corner[other][vd_mesh_next(corner_of(mesh, other, from))] == to;
}

typedef struct smoother {
  const vd_mesh *mesh;
  vd_trio *taken; /* corner_normal; INT32_MIN: not assigned yet */
  double sum[3];
} smoother;

/* Assigns normal `index` to the corner, reversed if `over`, and adds the share of the triangle to this normal. */
static void take(smoother *s, int32_t triangle, int corner, int32_t index, bool over) {
  double normal[3], angle = angle_at(s->mesh, triangle, corner, normal);
  for (int i = 0; i < 3; i++)
    s->sum[i] += (over ? -angle : angle) * normal[i];
  s->taken[triangle][corner] = over ? ~index : index;
}

/* Goes around a point from triangle to triangle, first over edge `edge`, until it meets an end of the mesh, a sharp
 * edge, or a corner that has a normal already. */
static void walk_around(smoother *s, int32_t triangle, int corner, int edge, int32_t index) {
  const vd_mesh *mesh = s->mesh;
  int32_t point = mesh->corner[triangle][corner];
  bool over = false;
  for (;;) {
    double here[3], there[3];
    int32_t other = mesh->beyond[triangle][edge];
    if (other < 0)
      return;
    int meets = corner_of(mesh, other, point);
    bool turned = turned_over(mesh, triangle, edge, other);
    angle_at(mesh, triangle, corner, here);
    angle_at(mesh, other, meets, there);
    if (s->taken[other][meets] != INT32_MIN || !((turned ? -1.0 : 1.0) * vd_dot(here, there) > sharpest))
      return;
    over ^= turned;
    take(s, other, meets, index, over);
    /* a corner lies on two edges, its own and the one before; the walk enters over one of them and leaves over the
     * other */
    int before = meets == 0 ? 2 : meets - 1;
    edge = mesh->beyond[other][meets] == triangle ? before : meets;
    triangle = other;
    corner = meets;
  }
}

/* Normalises the mean. If the normals of the triangles around a point cancel, the normal of the first one is used. */
static void finish_sum(smoother *s, int32_t triangle, int corner) {
  const double least = 1e-6;
  if (!(vd_dot(s->sum, s->sum) > least * least))
    angle_at(s->mesh, triangle, corner, s->sum);
}

void vd_mesh_smoothen(vd_mesh *mesh, vd_arena *arena) {
  size_t corners = 3 * (size_t)mesh->triangles;
  vd_trio *taken = vd_arena_alloc(arena, (size_t)mesh->triangles * sizeof *taken);
  vd_point *normal = vd_reallocate(NULL, corners, sizeof *normal);
  int32_t normals = 0;
  smoother s = {.mesh = mesh, .taken = taken};
  for (int32_t t = 0; t < mesh->triangles; t++)
    taken[t][0] = taken[t][1] = taken[t][2] = INT32_MIN;
  for (int32_t t = 0; t < mesh->triangles; t++)
    for (int k = 0; k < 3; k++) {
      if (taken[t][k] != INT32_MIN)
        continue;
      s.sum[0] = s.sum[1] = s.sum[2] = 0.0;
      take(&s, t, k, normals, false);
      walk_around(&s, t, k, k, normals);
      walk_around(&s, t, k, k == 0 ? 2 : k - 1, normals);
      finish_sum(&s, t, k);
      double scale = 1.0 / sqrt(vd_dot(s.sum, s.sum));
      for (int i = 0; i < 3; i++)
        normal[normals][i] = scale * s.sum[i];
      normals++;
    }
  vd_point *kept = vd_arena_alloc(arena, (size_t)normals * sizeof *kept);
  memcpy(kept, normal, (size_t)normals * sizeof *kept);
  free(normal);
  mesh->corner_normal = (const vd_trio *)taken;
  mesh->normal = (const vd_point *)kept;
}
