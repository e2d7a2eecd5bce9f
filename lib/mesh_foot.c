/* The foot of a disc: the nearest point of the polyline in which its plane cuts the mesh. */
#include "mesh_impl.h"

#include <assert.h>
#include <math.h>

/* tan 60 deg: how far the normal of an edge may lean out of the disc's plane */
static const double steepest = 1.7320508075688772;

/* Of an edge, from its end: a cut this near is one through the corner. */
static const double corner_share = 1e-6;

/* A triangle cut by the plane of the disc: a straight piece, the whole of an edge, or a corner (both ends in one place). */
typedef struct cut {
  double end[2][3]; /* m, from the disc's centre */
  int edge[2];      /* of the triangle, on which the ends lie */
  double near[3];   /* m, from the disc's centre: the nearest point */
  double share;     /* of the piece before it; 0, 1: an end */
  double away2;     /* m2: square of its distance */
} cut;

typedef struct best {
  double away2;     /* m2; of the farthest that counts while there is none */
  int32_t triangle; /* -1: none */
} best;

/* The corner that is alone on its side of the plane, by those that lie above and below; one in the plane is on either side. -1:
 * the plane passes by, or all three lie in it: a disc does not stand on what it lies in. */
VD_INLINE int alone(unsigned above, unsigned below) {
  static const signed char only[] = {-1, 0, 1, -1, 2, -1, -1, -1}; /* the bit that is set, if it is one */
  if (only[above] >= 0)
    return only[above];
  return only[below] >= 0 ? only[below] : only[7u & ~(above | below)];
}

/* Where an edge passes through the plane. It goes from the lower point to the higher, so that both triangles get the same bits. */
VD_INLINE double cross_edge(const double (*to)[3], const double *height, const int32_t *point, int edge, double *out) {
  int a = edge, b = vd_mesh_next(edge);
  if (point[a] > point[b]) {
    int swapped = a;
    a = b;
    b = swapped;
  }
  double share = height[a] / (height[a] - height[b]);
  for (int i = 0; i < 3; i++)
    out[i] = to[a][i] + share * (to[b][i] - to[a][i]);
  return share;
}

VD_INLINE void find_nearest(cut *c) {
  double way[3];
  vd_mesh_less(c->end[1], c->end[0], way);
  double length2 = vd_mesh_dot(way, way), along = -vd_mesh_dot(c->end[0], way);
  if (along >= length2 && length2 > 0.0) {
    c->share = 1.0;
    for (int i = 0; i < 3; i++)
      c->near[i] = c->end[1][i];
  } else {
    c->share = along > 0.0 ? along / length2 : 0.0;
    for (int i = 0; i < 3; i++)
      c->near[i] = c->end[0][i] + c->share * way[i];
  }
  c->away2 = vd_mesh_dot(c->near, c->near);
}

/* False if the plane does not cut the triangle. */
VD_INLINE bool cut_triangle(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, cut *c) {
  const int32_t *point = mesh->corner[triangle];
  double to[3][3], height[3];
  unsigned above = 0, below = 0;
  for (int k = 0; k < 3; k++) {
    vd_mesh_less(mesh->point[point[k]], disc->centre, to[k]);
    height[k] = vd_mesh_dot(to[k], disc->axle);
    above |= (unsigned)(height[k] > 0.0) << k;
    below |= (unsigned)(height[k] < 0.0) << k;
  }
  int k = alone(above, below);
  if (k < 0)
    return false;
  c->edge[0] = k;
  c->edge[1] = k == 0 ? 2 : k - 1;
  for (int i = 0; i < 2; i++)
    cross_edge((const double(*)[3])to, height, point, c->edge[i], c->end[i]);
  find_nearest(c);
  return true;
}

/* The lower number of equal ones, so that the way there does not matter. */
VD_INLINE void consider(best *b, int32_t triangle, double away2) {
  if (away2 < b->away2 || (away2 == b->away2 && (b->triangle < 0 || triangle < b->triangle))) {
    b->away2 = away2;
    b->triangle = triangle;
  }
}

/* --- from a triangle to its neighbours --- */

/* To the triangle beyond the edge opposite the corner that is farthest from the plane, while it passes by. */
static int32_t approach(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, cut *c) {
  enum { HOPS = 8 };
  for (int hop = 0; hop < HOPS && triangle >= 0; hop++) {
    double height[3], to[3];
    if (cut_triangle(mesh, disc, triangle, c))
      return triangle;
    for (int k = 0; k < 3; k++) {
      vd_mesh_less(vd_mesh_at(mesh, triangle, k), disc->centre, to);
      height[k] = fabs(vd_mesh_dot(to, disc->axle));
    }
    int farthest = height[0] > height[1] ? 0 : 1;
    farthest = height[2] > height[farthest] ? 2 : farthest;
    triangle = mesh->beyond[triangle][vd_mesh_next(farthest)];
  }
  return -1;
}

/* Along the polyline from the end `way` of a piece. In a hollow joint of two pieces at 180 - a the far one becomes the nearer
 * when the foot is away x tan(a/2) from the joint, which is then away/cos(a/2) from the centre: so far one has to look beyond
 * the nearest to be right up to a = 30 deg. */
static void follow(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *from, int way, best *b) {
  enum { PIECES = 256 };
  const double beyond = 1.0717967697244908; /* 1/cos2 15 deg */
  cut c = *from;
  for (int piece = 0; piece < PIECES; piece++) {
    int32_t next = mesh->beyond[triangle][c.edge[way]];
    if (next < 0 || !(vd_mesh_dot(c.end[way], c.end[way]) <= beyond * b->away2) || !cut_triangle(mesh, disc, next, &c))
      return;
    consider(b, next, c.away2);
    way = mesh->beyond[next][c.edge[0]] == triangle;
    triangle = next;
  }
}

static void walk(const vd_mesh *mesh, const vd_disc *disc, int32_t hint, best *b) {
  cut c;
  int32_t triangle = approach(mesh, disc, hint, &c);
  if (triangle < 0 || !(c.away2 <= b->away2))
    return;
  consider(b, triangle, c.away2);
  for (int way = 0; way < 2; way++)
    follow(mesh, disc, triangle, &c, way, b);
}

/* --- in the grid --- */

/* Columns of cells along the axis that is nearest to the axle: the plane passes through few cells of each. Squares around that of
 * the centre, from the inside outwards. Lengths in cells. */
typedef struct search {
  const vd_mesh *mesh;
  const vd_disc *disc;
  best *b;
  int u, v, w;             /* axes: two across, the columns' own */
  double at[3];            /* the centre, from the corner of the grid */
  double slope_u, slope_v; /* of the plane over the columns */
  double half;             /* of what the plane rises within a column */
  double per_side2;        /* 1/m2 */
} search;

static void look_into(search *s, int32_t u, int32_t v) {
  const vd_mesh_grid *g = &s->mesh->grid;
  double du = u + 0.5 - s->at[s->u], dv = v + 0.5 - s->at[s->v];
  double out_u = vd_most(fabs(du) - 0.5, 0.0), out_v = vd_most(fabs(dv) - 0.5, 0.0);
  if (out_u * out_u + out_v * out_v > s->b->away2 * s->per_side2)
    return;
  double middle = s->at[s->w] + s->slope_u * du + s->slope_v * dv;
  double from = vd_most(floor(middle - s->half), 0.0), to = vd_least(floor(middle + s->half), g->cells[s->w] - 1);
  int32_t cell[3];
  cell[s->u] = u;
  cell[s->v] = v;
  for (double w = from; w <= to; w += 1.0) {
    cell[s->w] = (int32_t)w;
    size_t c = ((size_t)cell[2] * (size_t)g->cells[1] + (size_t)cell[1]) * (size_t)g->cells[0] + (size_t)cell[0];
    for (int32_t i = g->first[c]; i < g->first[c + 1]; i++) {
      cut piece;
      if (cut_triangle(s->mesh, s->disc, g->item[i], &piece))
        consider(s->b, g->item[i], piece.away2);
    }
  }
}

static void look_along(search *s, int32_t v, int32_t from, int32_t to) {
  const vd_mesh_grid *g = &s->mesh->grid;
  if (v < 0 || v >= g->cells[s->v])
    return;
  from = from > 0 ? from : 0;
  to = to < g->cells[s->u] ? to : g->cells[s->u] - 1;
  for (int32_t u = from; u <= to; u++)
    look_into(s, u, v);
}

static void look_across(search *s, int32_t u, int32_t from, int32_t to) {
  const vd_mesh_grid *g = &s->mesh->grid;
  if (u < 0 || u >= g->cells[s->u])
    return;
  from = from > 0 ? from : 0;
  to = to < g->cells[s->v] ? to : g->cells[s->v] - 1;
  for (int32_t v = from; v <= to; v++)
    look_into(s, u, v);
}

static int32_t largest(int32_t a, int32_t b) {
  return a > b ? a : b;
}

static void look_around(search *s) {
  const vd_mesh_grid *g = &s->mesh->grid;
  int32_t u = (int32_t)floor(s->at[s->u]), v = (int32_t)floor(s->at[s->v]);
  int32_t last_u = g->cells[s->u] - 1, last_v = g->cells[s->v] - 1;
  int32_t from = largest(0, largest(largest(-u, u - last_u), largest(-v, v - last_v)));
  int32_t to = largest(largest(u, last_u - u), largest(v, last_v - v));
  double share_u = s->at[s->u] - u, share_v = s->at[s->v] - v;
  double wall = vd_least(vd_least(share_u, 1.0 - share_u), vd_least(share_v, 1.0 - share_v));
  for (int32_t ring = from; ring <= to; ring++) {
    double inner = ring > 0 ? ring - 1 + wall : 0.0; /* nothing in this square of columns is nearer */
    if (inner * inner > s->b->away2 * s->per_side2)
      return;
    look_along(s, v - ring, u - ring, u + ring);
    if (ring == 0)
      continue;
    look_along(s, v + ring, u - ring, u + ring);
    look_across(s, u - ring, v - ring + 1, v + ring - 1);
    look_across(s, u + ring, v - ring + 1, v + ring - 1);
  }
}

static void look(const vd_mesh *mesh, const vd_disc *disc, best *b) {
  const vd_mesh_grid *g = &mesh->grid;
  const double *a = disc->axle, most_cells = 1e9, slack = 1e-6;
  search s = {.mesh = mesh, .disc = disc, .b = b, .per_side2 = g->per_side * g->per_side};
  s.w = fabs(a[0]) > fabs(a[1]) ? 0 : 1;
  s.w = fabs(a[2]) > fabs(a[s.w]) ? 2 : s.w;
  s.u = vd_mesh_next(s.w);
  s.v = vd_mesh_next(s.u);
  for (int i = 0; i < 3; i++) {
    s.at[i] = (disc->centre[i] - g->low[i]) * g->per_side;
    if (!(fabs(s.at[i]) <= most_cells))
      return;
  }
  s.slope_u = -a[s.u] / a[s.w];
  s.slope_v = -a[s.v] / a[s.w];
  s.half = 0.5 * (fabs(s.slope_u) + fabs(s.slope_v)) + slack;
  look_around(&s);
}

/* --- the foot --- */

/* Unit normal of a triangle on the centre's side. */
static void face_normal(const vd_mesh *mesh, int32_t triangle, const double *near, double *normal) {
  double area[3];
  vd_mesh_area(vd_mesh_at(mesh, triangle, 0), vd_mesh_at(mesh, triangle, 1), vd_mesh_at(mesh, triangle, 2), area);
  double scale = (vd_mesh_dot(area, near) <= 0.0 ? 1.0 : -1.0) / sqrt(vd_mesh_dot(area, area));
  for (int i = 0; i < 3; i++)
    normal[i] = scale * area[i];
}

/* How far a normal leans out of the disc's plane: its tangent, positive towards the axle. */
static double lean_of(const double *normal, const double *axle) {
  double out = vd_mesh_dot(normal, axle);
  return out / sqrt(vd_most(1.0 - out * out, 1e-12));
}

/* Through a corner pass many edges, of which one may be found that is none: between two triangles in one plane, say. The normal
 * then stays between those of the two. */
static double held(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, int edge, double lean) {
  int32_t beyond = mesh->beyond[triangle][edge];
  if (beyond < 0)
    return lean;
  double n[3], other[3];
  face_normal(mesh, triangle, c->near, n);
  face_normal(mesh, beyond, c->near, other);
  double a = lean_of(n, disc->axle), b = lean_of(other, disc->axle);
  return vd_least(vd_most(lean, vd_least(a, b)), vd_most(a, b));
}

/* An edge is the limit of a rounding, whose normals are at right angles to the edge; the one of the foot has in the plane of the
 * disc the direction from the foot to the centre:
 *   n ~ u + lean a,  n . e = 0  =>  lean = -(u . e)/(a . e)
 * It goes without a jump from the normal of one triangle to that of the other, and u + lean a is the gradient of the reach also for
 * moves of the centre along the axle, which shift the foot by e/(a . e). */
static double lean_on_edge(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c,
                           const double *unit) {
  double to[3][3], height[3], edge[3], unused[3];
  const int32_t *point = mesh->corner[triangle];
  int k = c->edge[c->share > 0.0], next = vd_mesh_next(k);
  for (int i = 0; i < 3; i++) {
    vd_mesh_less(mesh->point[point[i]], disc->centre, to[i]);
    height[i] = vd_mesh_dot(to[i], disc->axle);
  }
  double share = cross_edge((const double(*)[3])to, height, point, k, unused);
  vd_mesh_less(to[next], to[k], edge);
  double along = vd_mesh_dot(edge, disc->axle), lean = -vd_mesh_dot(edge, unit) / along;
  if (!(fabs(lean) <= steepest)) /* also 0/0, an edge in the plane */
    lean = lean > 0.0 ? steepest : lean < 0.0 ? -steepest : 0.0;
  return fabs(share - 0.5) > 0.5 - corner_share ? held(mesh, disc, triangle, c, k, lean) : lean;
}

/* Whether an edge has the same normals on either side; corner normals may be shared the other way round. */
static bool runs_through(const vd_mesh *mesh, int32_t triangle, int edge) {
  int32_t beyond = mesh->beyond[triangle][edge];
  int shared = 0;
  if (beyond < 0)
    return false;
  for (int k = 0; k < 3; k++)
    for (int end = 0; end < 2; end++) {
      int corner = end == 0 ? edge : vd_mesh_next(edge);
      int32_t here = mesh->corner_normal[triangle][corner], there = mesh->corner_normal[beyond][k];
      shared += mesh->corner[beyond][k] == mesh->corner[triangle][corner] && (here == there || here == ~there);
    }
  return shared == 2;
}

/* Between the normals of the corners, by the areas opposite them, on the side of the centre. */
static void blend_normal(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, double *normal) {
  double face[3], to[3][3], sum[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++)
    vd_mesh_less(vd_mesh_at(mesh, triangle, k), disc->centre, to[k]);
  vd_mesh_area(to[0], to[1], to[2], face);
  double side = vd_mesh_dot(face, c->near) <= 0.0 ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) {
    int next = vd_mesh_next(k), last = vd_mesh_next(next);
    int32_t index = mesh->corner_normal[triangle][k];
    const double *n = mesh->normal[index < 0 ? ~index : index];
    double area[3];
    vd_mesh_area(c->near, to[next], to[last], area);
    double weight = vd_mesh_dot(area, face) * (index < 0 ? -side : side);
    for (int i = 0; i < 3; i++)
      sum[i] += weight * n[i];
  }
  double scale = 1.0 / sqrt(vd_mesh_dot(sum, sum));
  for (int i = 0; i < 3; i++)
    normal[i] = scale * sum[i];
}

static void edge_normal(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, double *normal) {
  double unit[3], away = sqrt(c->away2);
  for (int i = 0; i < 3; i++)
    unit[i] = -c->near[i] / away;
  double lean = lean_on_edge(mesh, disc, triangle, c, unit), scale = 1.0 / sqrt(1.0 + lean * lean);
  for (int i = 0; i < 3; i++)
    normal[i] = scale * (unit[i] + lean * disc->axle[i]);
}

static void stand(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, vd_foot *foot) {
  const double touching = 1e-12; /* of the radius: the centre is in the mesh */
  cut c;
  bool met = cut_triangle(mesh, disc, triangle, &c);
  assert(met);
  foot->reach = sqrt(c.away2);
  bool within = (c.share > 0.0 && c.share < 1.0) || foot->reach <= touching * disc->radius;
  if (mesh->normal && (within || runs_through(mesh, triangle, c.edge[c.share > 0.0])))
    blend_normal(mesh, disc, triangle, &c, foot->normal);
  else if (within)
    face_normal(mesh, triangle, c.near, foot->normal);
  else
    edge_normal(mesh, disc, triangle, &c, foot->normal);
  foot->distance = fabs(vd_mesh_dot(foot->normal, c.near));
  for (int i = 0; i < 3; i++)
    foot->at[i] = disc->centre[i] + c.near[i];
}

bool vd_mesh_foot(const vd_mesh *mesh, const vd_disc *disc, int *hint, vd_foot *foot) {
  best b = {disc->radius * disc->radius, -1};
  bool sane = fabs(vd_mesh_dot(disc->axle, disc->axle) - 1.0) <= 0.01 && disc->radius > 0.0;
  if (sane && *hint >= 0 && *hint < mesh->triangles)
    walk(mesh, disc, *hint, &b);
  if (sane && b.triangle < 0)
    look(mesh, disc, &b);
  *hint = b.triangle;
  if (b.triangle < 0)
    return false;
  stand(mesh, disc, b.triangle, foot);
  return true;
}
