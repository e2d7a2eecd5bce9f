/* A uniform grid over a mesh, and rays through it. */
#include "base/memory.h"
#include "ground/mesh_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of a cell by which triangles are enlarged when cells are filled. It is more than all rounding errors, so that a
 * search through the cells need not allow for them. */
static const double slack = 1e-6;

/* Limits of the memory. Every mesh may use some million cells and places, even if it has few triangles: large triangles
 * among small ones reach into many cells. */
enum {
  CELLS_EACH = 4,   /* cells per triangle */
  PLACES_EACH = 12, /* entries in cells per triangle; cells that its box but not its plane reaches count, too */
  CELLS_FREE = 1 << 21,
  PLACES_FREE = 1 << 22,
};

typedef struct span {
  int32_t from[3], to[3]; /* cells */
} span;

/* Returns the cell of a coordinate, clamped to the grid; it is also valid for NAN. */
static int32_t cell_of(const vd_mesh_grid *g, int axis, double x) {
  double place = (x - g->low[axis]) * g->per_side, last = (double)(g->cells[axis] - 1);
  return place > 0.0 ? (int32_t)vd_fast_min(place, last) : 0;
}

static void span_of(const vd_mesh *mesh, int32_t triangle, span *s) {
  const vd_mesh_grid *g = &mesh->grid;
  for (int i = 0; i < 3; i++) {
    double a = vd_mesh_at(mesh, triangle, 0)[i], b = vd_mesh_at(mesh, triangle, 1)[i],
           c = vd_mesh_at(mesh, triangle, 2)[i];
    s->from[i] = cell_of(g, i, vd_fast_min(a, vd_fast_min(b, c)) - slack * g->side);
    s->to[i] = cell_of(g, i, vd_fast_max(a, vd_fast_max(b, c)) + slack * g->side);
  }
}

/* Divides the box into cells of about this side. False if there would be too many cells, or too many entries in
 * them. */
static bool divide(vd_mesh *mesh, double side) {
  vd_mesh_grid *g = &mesh->grid;
  double most = vd_fast_max(CELLS_FREE, CELLS_EACH * (double)mesh->triangles), cells = 1.0;
  double places = 0.0, most_places = PLACES_EACH * (double)mesh->triangles + PLACES_FREE;
  for (int i = 0; i < 3; i++) {
    double count = floor((mesh->high[i] - mesh->low[i]) / side) + 1.0;
    cells *= count;
    if (!(cells <= most))
      return false;
    g->cells[i] = (int32_t)count;
    g->low[i] = 0.5 * (mesh->low[i] + mesh->high[i] - count * side);
  }
  g->side = side;
  g->per_side = 1.0 / side;
  for (int32_t t = 0; t < mesh->triangles && places <= most_places; t++) {
    span s;
    span_of(mesh, t, &s);
    places += (double)(s.to[0] - s.from[0] + 1) * (s.to[1] - s.from[1] + 1) * (s.to[2] - s.from[2] + 1);
  }
  return places <= most_places;
}

/* Returns the mean over all triangles of the side of a square with twice the area of the triangle. */
static double usual_side(const vd_mesh *mesh) {
  double sum = 0.0, area[3];
  for (int32_t t = 0; t < mesh->triangles; t++) {
    vd_mesh_face_area(mesh, t, area);
    sum += sqrt(sqrt(vd_dot(area, area)));
  }
  return sum / mesh->triangles;
}

/* Goes through all cells that a triangle's box reaches and its plane cuts: counts the triangle in next[], or writes it
 * into item[]. */
static void enter(const vd_mesh *mesh, int32_t t, int32_t *next, int32_t *item) {
  const vd_mesh_grid *g = &mesh->grid;
  span s;
  double area[3], half = (0.5 + slack) * g->side;
  const double *corner = vd_mesh_at(mesh, t, 0);
  span_of(mesh, t, &s);
  vd_mesh_face_area(mesh, t, area);
  double reach = half * (fabs(area[0]) + fabs(area[1]) + fabs(area[2]));
  for (int32_t z = s.from[2]; z <= s.to[2]; z++)
    for (int32_t y = s.from[1]; y <= s.to[1]; y++)
      for (int32_t x = s.from[0]; x <= s.to[0]; x++) {
        const double middle[] = {g->low[0] + (x + 0.5) * g->side - corner[0],
                                 g->low[1] + (y + 0.5) * g->side - corner[1],
                                 g->low[2] + (z + 0.5) * g->side - corner[2]};
        if (fabs(vd_dot(middle, area)) > reach)
          continue;
        size_t cell = vd_mesh_cell(g, x, y, z);
        if (item)
          item[next[cell]] = t;
        next[cell]++;
      }
}

static uint8_t least_of(uint8_t a, uint8_t b) {
  return a < b ? a : b;
}

/* Returns the distance of a cell, lowered to at most one more than the distance of its neighbour. */
static uint8_t nearer(uint8_t here, uint8_t neighbour) {
  return neighbour < UINT8_MAX ? least_of(here, (uint8_t)(neighbour + 1)) : here;
}

/* Lowers `least` to the distances of a row of the grid where these are smaller. */
static void gather(const vd_mesh_grid *g, const uint8_t *clear, int32_t y, int32_t z, uint8_t *least) {
  if (y < 0 || y >= g->cells[1] || z < 0 || z >= g->cells[2])
    return;
  const uint8_t *row = clear + vd_mesh_cell(g, 0, y, z);
  for (int32_t x = 0; x < g->cells[0]; x++)
    least[x] = least_of(least[x], row[x]);
}

/* Lowers the distances of a row by the distances of the rows before it (step 1) or behind it (step -1), and of the
 * cells before or behind each cell. `least` has an extra place at each end. */
static void spread(const vd_mesh_grid *g, uint8_t *clear, int32_t y, int32_t z, int32_t step, uint8_t *least) {
  int32_t count = g->cells[0];
  uint8_t *row = clear + vd_mesh_cell(g, 0, y, z);
  memset(least, UINT8_MAX, (size_t)count + 2);
  for (int32_t side = -1; side <= 1; side++)
    gather(g, clear, y + side, z - step, least + 1);
  gather(g, clear, y - step, z, least + 1);
  for (int32_t x = 0; x < count; x++)
    row[x] = nearer(row[x], least_of(least[x], least_of(least[x + 1], least[x + 2])));
  for (int32_t n = 1; n < count; n++) {
    int32_t x = step > 0 ? n : count - 1 - n;
    row[x] = nearer(row[x], row[x - step]);
  }
}

/* Computes for each cell the distance of the nearest cell with a triangle, by two passes. They are exact if the
 * distance is the largest difference of the three cell indices (Rosenfeld and Pfaltz, Distance Functions on Digital
 * Pictures, Pattern Recognition 1, 1968). */
static const uint8_t *clearances(const vd_mesh_grid *g, size_t cells, vd_arena *arena) {
  uint8_t *clear = vd_arena_alloc(arena, cells), *least = vd_reallocate(NULL, (size_t)g->cells[0] + 2, 1);
  for (size_t c = 0; c < cells; c++)
    clear[c] = g->first[c + 1] > g->first[c] ? 0 : UINT8_MAX;
  for (int32_t z = 0; z < g->cells[2]; z++)
    for (int32_t y = 0; y < g->cells[1]; y++)
      spread(g, clear, y, z, 1, least);
  for (int32_t z = g->cells[2]; z-- > 0;)
    for (int32_t y = g->cells[1]; y-- > 0;)
      spread(g, clear, y, z, -1, least);
  free(least);
  return clear;
}

void vd_mesh_make_grid(vd_mesh *mesh, vd_arena *arena) {
  vd_mesh_grid *g = &mesh->grid;
  const double wider = 1.2;
  for (double side = usual_side(mesh); !divide(mesh, side);)
    side *= wider;
  size_t cells = (size_t)g->cells[0] * (size_t)g->cells[1] * (size_t)g->cells[2];

  /* next[c] is first the number of triangles of cell c - 1, then the index of the next entry of cell c, and finally the
   * index at which the entries of cell c + 1 begin */
  int32_t *first = vd_arena_alloc(arena, (cells + 2) * sizeof *first), *next = first + 1;
  for (int32_t t = 0; t < mesh->triangles; t++)
    enter(mesh, t, next + 1, NULL);
  for (size_t c = 1; c <= cells; c++)
    next[c] += next[c - 1];
  int32_t *item = vd_arena_alloc(arena, (size_t)next[cells] * sizeof *item);
  for (int32_t t = 0; t < mesh->triangles; t++)
    enter(mesh, t, next, item);
  g->first = first;
  g->item = item;
  g->clear = clearances(g, cells, arena);
}

/* --- rays --- */

typedef struct ray {
  const double *from, *direction;
  double t;         /* t of the nearest hit, or the limit */
  int32_t triangle; /* -1: none yet */
} ray;

/* Updates the nearest hit if the ray meets a triangle nearer. Method: Moeller and Trumbore, Fast, Minimum Storage
 * Ray/Triangle Intersection, Journal of Graphics Tools 2(1), 1997. Triangles are enlarged a little, so that no ray
 * passes between two of them. */
static void meet(const vd_mesh *mesh, int32_t triangle, ray *r) {
  const double wide = 1e-12;
  double ab[3], ac[3], p[3], q[3], to[3];
  const double *a = vd_mesh_at(mesh, triangle, 0);
  vd_between(a, vd_mesh_at(mesh, triangle, 1), ab);
  vd_between(a, vd_mesh_at(mesh, triangle, 2), ac);
  vd_cross(r->direction, ac, p);
  double det = vd_dot(ab, p);
  if (det == 0.0)
    return;
  double inverse = 1.0 / det;
  vd_between(a, r->from, to);
  double u = vd_dot(to, p) * inverse;
  if (!(u >= -wide && u <= 1.0 + wide))
    return;
  vd_cross(to, ab, q);
  double v = vd_dot(r->direction, q) * inverse;
  if (!(v >= -wide && u + v <= 1.0 + wide))
    return;
  double t = vd_dot(ac, q) * inverse;
  bool nearer = t < r->t || (t == r->t && (r->triangle < 0 || triangle < r->triangle));
  if (t >= 0.0 && nearer) {
    r->t = t;
    r->triangle = triangle;
  }
}

/* Finds the part of the ray within the grid; false: the ray misses the grid. */
static bool clip(const vd_mesh_grid *g, const ray *r, double *enters, double *leaves) {
  *enters = 0.0;
  *leaves = r->t;
  for (int i = 0; i < 3; i++) {
    double low = g->low[i] - slack * g->side, high = g->low[i] + (g->cells[i] + slack) * g->side;
    if (r->direction[i] == 0.0) {
      if (!(r->from[i] >= low && r->from[i] <= high))
        return false;
      continue;
    }
    double a = (low - r->from[i]) / r->direction[i], b = (high - r->from[i]) / r->direction[i];
    *enters = vd_fast_max(*enters, vd_fast_min(a, b));
    *leaves = vd_fast_min(*leaves, vd_fast_max(a, b));
  }
  return *enters <= *leaves;
}

/* Visits the cells along the ray, from its entry into the grid to the nearest hit. Method: Amanatides and Woo, A Fast
 * Voxel Traversal Algorithm for Ray Tracing, Eurographics 1987. */
static void traverse(const vd_mesh *mesh, ray *r, double enters) {
  const vd_mesh_grid *g = &mesh->grid;
  int32_t cell[3], step[3];
  double next[3], each[3]; /* t at the next wall of a cell along each axis, and its increase from wall to wall */
  for (int i = 0; i < 3; i++) {
    cell[i] = cell_of(g, i, r->from[i] + enters * r->direction[i]);
    step[i] = r->direction[i] > 0.0 ? 1 : r->direction[i] < 0.0 ? -1 : 0;
    double wall = g->low[i] + (cell[i] + (step[i] > 0)) * g->side;
    next[i] = step[i] != 0 ? (wall - r->from[i]) / r->direction[i] : INFINITY;
    each[i] = step[i] != 0 ? g->side / fabs(r->direction[i]) : INFINITY;
  }
  for (;;) {
    size_t c = vd_mesh_cell(g, cell[0], cell[1], cell[2]);
    for (int32_t i = g->first[c]; i < g->first[c + 1]; i++)
      meet(mesh, g->item[i], r);
    int axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
    if (!(next[axis] < r->t)) /* cells beyond a hit, or beyond the limit, cannot contain a nearer hit */
      return;
    cell[axis] += step[axis];
    if (cell[axis] < 0 || cell[axis] >= g->cells[axis])
      return;
    next[axis] += each[axis];
  }
}

bool vd_mesh_ray(const vd_mesh *mesh, const double *from, const double *direction, double limit, double *t,
                 double *normal) {
  ray r = {.from = from, .direction = direction, .t = limit, .triangle = -1};
  double enters, leaves;
  if (!isfinite(from[0] + from[1] + from[2]) || !isfinite(direction[0] + direction[1] + direction[2]) ||
      !(vd_dot(direction, direction) > 0.0) || !clip(&mesh->grid, &r, &enters, &leaves))
    return false;
  traverse(mesh, &r, enters);
  if (r.triangle < 0)
    return false;
  vd_mesh_face_normal(mesh, r.triangle, direction, normal);
  *t = r.t;
  return true;
}
