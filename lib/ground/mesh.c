#include "base/elementary.h"
#include "ground/mesh_impl.h"
#include "input/measured.h"

#include <math.h>
#include <string.h>

/* --- building --- */

static void *keep(vd_arena *arena, const void *from, size_t size) {
  void *p = vd_arena_alloc(arena, size);
  memcpy(p, from, size);
  return p;
}

static void find_bounds(vd_mesh *mesh) {
  for (int i = 0; i < 3; i++)
    mesh->low[i] = mesh->high[i] = vd_mesh_at(mesh, 0, 0)[i];
  for (int32_t t = 0; t < mesh->triangles; t++)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) {
        mesh->low[i] = vd_fast_min(mesh->low[i], vd_mesh_at(mesh, t, k)[i]);
        mesh->high[i] = vd_fast_max(mesh->high[i], vd_mesh_at(mesh, t, k)[i]);
      }
}

/* Returns the sine of the angle by which two triangles are folded over an edge, and their mean height over this edge,
 * m. An angle above 90 deg counts as 90 deg. */
static double fold_over(const vd_mesh *mesh, int32_t t, int edge, double *height) {
  int32_t other = mesh->beyond[t][edge];
  const double *a = vd_mesh_at(mesh, t, edge), *b = vd_mesh_at(mesh, t, vd_mesh_next(edge));
  const double *c = vd_mesh_at(mesh, t, vd_mesh_next(vd_mesh_next(edge))), *d = NULL;
  for (int k = 0; k < 3; k++)
    if (vd_mesh_at(mesh, other, k) != a && vd_mesh_at(mesh, other, k) != b)
      d = vd_mesh_at(mesh, other, k);
  if (!d)
    return 1.0;
  double along[3], first[3], second[3], n1[3], n2[3], turn[3];
  vd_between(a, b, along);
  vd_between(a, c, first);
  vd_between(a, d, second);
  vd_cross(along, first, n1);
  vd_cross(second, along, n2);
  vd_cross(n1, n2, turn);
  double area1 = vd_norm(n1), area2 = vd_norm(n2);
  *height = 0.5 * (area1 + area2) / vd_norm(along);
  return vd_dot(n1, n2) > 0.0 ? vd_fast_min(vd_norm(turn) / (area1 * area2), 1.0) : 1.0;
}

/* Returns the square of the factor by which the search must look farther than the nearest point found, at the distance
 * d. At a hollow joint where the mesh folds by the angle a, the piece beyond becomes nearer once the contact point is
 * within d tan(a/2) of the joint; the joint is then d/cos(a/2) away from the centre. a is twice the sharpest fold of
 * the mesh, because to a disc that leans by up to 60 deg a fold appears up to twice as sharp; a is at most 30 deg.
 * Where folds follow each other so closely that the mesh bends with a radius below a metre, they add up, and 30 deg are
 * used. */
static double far_enough(const vd_mesh *mesh) {
  const double most = 0.5235987755982988, slight = 1e-3, round = 1.0; /* rad, rad, 1/m */
  double sharpest = 0.0;
  for (int32_t t = 0; t < mesh->triangles && sharpest < most; t++)
    for (int edge = 0; edge < 3; edge++) {
      double height = 0.0, fold = mesh->beyond[t][edge] > t ? fold_over(mesh, t, edge, &height) : 0.0;
      sharpest = vd_fast_max(sharpest, fold > round * height ? most : 2.0 * vd_asin(fold));
    }
  double cosine = vd_cos(0.5 * vd_fast_min(sharpest + slight, most));
  return 1.0 / (cosine * cosine);
}

static const vd_mesh *build(const vd_mesh_raw *raw, const vd_trio *beyond, enum vd_mesh_normals normals,
                            vd_arena *arena) {
  vd_mesh *mesh = vd_arena_alloc(arena, sizeof *mesh);
  mesh->points = (int32_t)raw->points;
  mesh->triangles = (int32_t)raw->triangles;
  mesh->point = keep(arena, raw->point, raw->points * sizeof *raw->point);
  mesh->corner = keep(arena, raw->corner, raw->triangles * sizeof *raw->corner);
  mesh->beyond = beyond;
  find_bounds(mesh);
  mesh->past = far_enough(mesh);
  switch (normals) {
  case VD_MESH_FLAT: break;
  case VD_MESH_SMOOTH: vd_mesh_smoothen(mesh, arena); break;
  }
  vd_mesh_make_grid(mesh, arena);
  return mesh;
}

/* Turns a mesh whose upward axis is y. A warning says that the axis seems wrong if the area of the faces, projected
 * along y, is more than twice that along x and along z. */
static void turn_up(vd_mesh_raw *raw, enum vd_mesh_up up, int source, vd_diag *d) {
  double shown[3] = {0.0, 0.0, 0.0};
  for (size_t i = 0; up == VD_MESH_UP_Y && i < raw->points; i++) {
    double *p = raw->point[i], y = p[1];
    p[1] = -p[2];
    p[2] = y;
  }
  for (size_t t = 0; t < raw->triangles; t++) {
    double area[3];
    vd_mesh_area(raw->point[raw->corner[t][0]], raw->point[raw->corner[t][1]], raw->point[raw->corner[t][2]], area);
    for (int j = 0; j < 3; j++)
      shown[j] += 0.5 * fabs(area[j]);
  }
  if (shown[1] > 2.0 * vd_fast_max(shown[0], shown[2]))
    vd_warning(
        d, (vd_place){.source = source}, "the faces show %.3g m2 along y and %.3g m2 along z: %s", shown[1], shown[2],
        up == VD_MESH_UP_Y ? "the mesh stands upright with up: y" : "its upward axis seems to be y; up: y turns it");
}

/* Warns of a mesh that is longer than any test track: a file has no unit, and drawings are often in millimetres. */
static void check_size(const vd_mesh_raw *raw, int source, vd_diag *d) {
  static const double longest = 2e4; /* m */
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < raw->points; i++)
    for (int k = 0; k < 2; k++) {
      least[k] = vd_fast_min(least[k], raw->point[i][k]);
      most[k] = vd_fast_max(most[k], raw->point[i][k]);
    }
  const double size = vd_fast_max(most[0] - least[0], most[1] - least[1]);
  if (size > longest)
    vd_warning(d, (vd_place){.source = source}, "the mesh is %.3g km long: lengths in the file must be in metres",
               1e-3 * size);
}

const vd_mesh *vd_mesh_read_source(int source, enum vd_mesh_normals normals, enum vd_mesh_up up, vd_arena *arena,
                                   vd_diag *d) {
  vd_mesh_raw raw = {0};
  const vd_mesh *mesh = NULL;
  if (vd_mesh_parse(source, d, &raw)) {
    turn_up(&raw, up, source, d);
    check_size(&raw, source, d);
    vd_trio *beyond = vd_arena_alloc(arena, raw.triangles * sizeof *beyond);
    if (vd_mesh_join(&raw, source, d, beyond))
      mesh = build(&raw, (const vd_trio *)beyond, normals, arena);
  }
  vd_mesh_raw_finish(&raw);
  return mesh;
}

const vd_mesh *vd_mesh_read(const char *path, vd_place at, enum vd_mesh_normals normals, enum vd_mesh_up up,
                            vd_arena *arena, vd_diag *d) {
  int source;
  return vd_measured_load(path, at, d, &source) ? vd_mesh_read_source(source, normals, up, arena, d) : NULL;
}

/* --- size and corners --- */

size_t vd_mesh_triangles(const vd_mesh *mesh) {
  return (size_t)mesh->triangles;
}

void vd_mesh_corners(const vd_mesh *mesh, size_t triangle, double corner[3][3]) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      corner[k][i] = vd_mesh_at(mesh, (int32_t)triangle, k)[i];
}

void vd_mesh_bounds(const vd_mesh *mesh, double *lowest, double *highest) {
  for (int i = 0; i < 3; i++) {
    lowest[i] = mesh->low[i];
    highest[i] = mesh->high[i];
  }
}
