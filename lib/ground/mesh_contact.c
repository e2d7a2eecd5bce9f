/* Finds the contact point of a disc: the nearest point of the polyline in which its plane cuts the mesh. */
#include "ground/mesh_impl.h"

#include <assert.h>
#include <math.h>

/* tan 60 deg: the normal of an edge may lean out of the disc's plane by at most this angle */
static const double steepest = 1.7320508075688772;

/* Share of an edge: a cut that is nearer than this to an end counts as passing through the corner. */
static const double corner_share = 1e-6;

/* The cut of a triangle by the plane of the disc: a straight piece, a whole edge, or a corner (both ends coincide). */
typedef struct cut {
  double end[2][3]; /* m, from the disc's centre */
  int edge[2];      /* edges of the triangle on which the ends lie */
  double near[3];   /* m, from the disc's centre: the nearest point */
  double share;     /* distance of this point from end[0] as a share of the piece; 0, 1: an end */
  double away2;     /* m2: square of the distance of this point from the centre */
} cut;

enum { SEEN = 64 }; /* a power of 2 */

typedef struct best {
  double away2;       /* m2, square of the distance; before a point is found, of the greatest distance allowed */
  int32_t triangle;   /* -1: none */
  int32_t seen[SEEN]; /* triangles examined lately, by their last bits: a triangle may be listed in several cells */
} best;

/* Returns the corner that is alone on its side of the plane, from the sets of corners above and below; a corner in the
 * plane is in both. -1: the plane does not cut the triangle, or all three corners lie in the plane, where a disc cannot
 * stand on them. */
VD_INLINE int alone(unsigned above, unsigned below) {
  /* indexed by a mask of three bits: the number of the bit that is set, or -1 if none or several are */
  static const signed char only[] = {-1, 0, 1, -1, 2, -1, -1, -1};
  if (only[above] >= 0)
    return only[above];
  return only[below] >= 0 ? only[below] : only[7u & ~(above | below)];
}

/* A corner of a triangle relative to the disc. */
typedef struct corner_at {
  double to[3];  /* m, from the disc's centre */
  double height; /* m, above the disc's plane */
  int32_t point;
} corner_at;

VD_INLINE void place_corner(const vd_mesh *mesh, const vd_disc *disc, int32_t point, corner_at *s) {
  vd_between(disc->centre, mesh->point[point], s->to);
  s->height = vd_dot(s->to, disc->axle);
  s->point = point;
}

/* Intersects the plane with the edge between two corners. The formula starts at the point of lower index, so that both
 * triangles of the edge get the same bits. Returns the share of the edge before the intersection, from that point. */
VD_INLINE double cross_edge(const corner_at *a, const corner_at *b, double *out) {
  const corner_at *low = a->point < b->point ? a : b, *high = a->point < b->point ? b : a;
  double share = low->height / (low->height - high->height);
  for (int i = 0; i < 3; i++)
    out[i] = low->to[i] + share * (high->to[i] - low->to[i]);
  return share;
}

/* Finds the point of the piece from a to b that is nearest to the disc's centre. Returns the share of the piece before
 * it; 0 and 1 are exactly the ends. */
VD_INLINE double find_nearest(const double *a, const double *b, double *near) {
  double side[3];
  vd_between(a, b, side);
  double length2 = vd_dot(side, side), along = -vd_dot(a, side);
  bool at_b = along >= length2 && length2 > 0.0;
  double share = at_b ? 1.0 : along > 0.0 ? along / length2 : 0.0;
  for (int i = 0; i < 3; i++)
    near[i] = at_b ? b[i] : a[i] + share * side[i];
  return share;
}

/* The side of the plane to which a corner in the plane is assigned. BOTH: no triangle that the plane touches is missed.
 * ABOVE: the corner counts as above, as if the plane were slightly lower, so that the polyline continues uniquely. */
enum touch { TOUCH_BOTH, TOUCH_ABOVE };

/* False if the plane does not cut the triangle. */
VD_INLINE bool cut_triangle(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, enum touch touch, cut *c) {
  corner_at corner[3];
  unsigned above = 0, below = 0;
  for (int k = 0; k < 3; k++) {
    place_corner(mesh, disc, mesh->corner[triangle][k], &corner[k]);
    above |= (unsigned)(touch == TOUCH_ABOVE ? corner[k].height >= 0.0 : corner[k].height > 0.0) << k;
    below |= (unsigned)(corner[k].height < 0.0) << k;
  }
  int k = alone(above, below);
  if (k < 0)
    return false;
  c->edge[0] = k;
  c->edge[1] = k == 0 ? 2 : k - 1;
  cross_edge(&corner[k], &corner[vd_mesh_next(k)], c->end[0]);
  cross_edge(&corner[c->edge[1]], &corner[k], c->end[1]);
  c->share = find_nearest(c->end[0], c->end[1], c->near);
  c->away2 = vd_dot(c->near, c->near);
  return true;
}

/* Takes over a triangle if it is nearer. Among equally near triangles the one of lower number is taken, so that the
 * order of the search does not matter. */
VD_INLINE void consider(best *b, int32_t triangle, double away2) {
  if (away2 < b->away2 || (away2 == b->away2 && (b->triangle < 0 || triangle < b->triangle))) {
    b->away2 = away2;
    b->triangle = triangle;
  }
}

VD_INLINE bool seen(best *b, int32_t triangle) {
  int32_t *place = &b->seen[triangle & (SEEN - 1)];
  bool here = *place == triangle;
  *place = triangle;
  return here;
}

/* --- from a triangle to its neighbours --- */

/* Goes from triangle to triangle, each time over the edge opposite the corner that is farthest from the plane, until
 * the plane cuts one. */
static int32_t find_cut_triangle(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, cut *c) {
  enum { HOPS = 8 };
  for (int hop = 0; hop < HOPS && triangle >= 0; hop++) {
    double height[3], to[3];
    if (cut_triangle(mesh, disc, triangle, TOUCH_ABOVE, c))
      return triangle;
    for (int k = 0; k < 3; k++) {
      vd_between(disc->centre, vd_mesh_at(mesh, triangle, k), to);
      height[k] = fabs(vd_dot(to, disc->axle));
    }
    int farthest = height[0] > height[1] ? 0 : 1;
    farthest = height[2] > height[farthest] ? 2 : farthest;
    triangle = mesh->beyond[triangle][vd_mesh_next(farthest)];
  }
  return -1;
}

/* The edge over which the polyline continues, with one end on each side of the plane. */
typedef struct crossing {
  corner_at above, below;
  double at[3];   /* m, from the disc's centre: point at which the polyline crosses the edge */
  int32_t beyond; /* the next triangle, -1: none */
} crossing;

/* Moves the crossing to the edge over which the polyline leaves the next triangle. */
VD_INLINE void cross_next(const vd_mesh *mesh, const vd_disc *disc, crossing *g) {
  const int32_t *corner = mesh->corner[g->beyond];
  int k = corner[0] != g->above.point && corner[0] != g->below.point   ? 0
          : corner[1] != g->above.point && corner[1] != g->below.point ? 1
                                                                       : 2;
  corner_at ahead;
  place_corner(mesh, disc, corner[k], &ahead);
  bool above = ahead.height >= 0.0;
  *(above ? &g->above : &g->below) = ahead;
  bool onwards = corner[vd_mesh_next(k)] == (above ? g->below.point : g->above.point);
  g->beyond = mesh->beyond[g->beyond][onwards ? k : vd_mesh_next(vd_mesh_next(k))];
  cross_edge(&g->above, &g->below, g->at);
}

/* Follows the polyline from end `end` of a piece, as far as far_enough (mesh.c) requires. False if the mesh ends
 * earlier: another part of the mesh, which is not connected, may continue beyond this edge. */
static bool follow(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, int end, best *b) {
  enum { PIECES = 256 };
  int edge = c->edge[end];
  corner_at from, to;
  place_corner(mesh, disc, mesh->corner[triangle][edge], &from);
  place_corner(mesh, disc, mesh->corner[triangle][vd_mesh_next(edge)], &to);
  bool falls = from.height >= 0.0;
  crossing g = {falls ? from : to, falls ? to : from, {0.0, 0.0, 0.0}, mesh->beyond[triangle][edge]};
  for (int i = 0; i < 3; i++)
    g.at[i] = c->end[end][i];
  for (int piece = 0; piece < PIECES; piece++) {
    double last[3] = {g.at[0], g.at[1], g.at[2]}, near[3];
    int32_t here = g.beyond;
    if (!(vd_dot(last, last) <= mesh->past * b->away2))
      return true;
    if (here < 0)
      return false;
    cross_next(mesh, disc, &g);
    find_nearest(last, g.at, near);
    consider(b, here, vd_dot(near, near));
    b->seen[here & (SEEN - 1)] = here;
  }
  return false;
}

/* Searches from the hint. False if the mesh may contain a nearer point. */
static bool search_from(const vd_mesh *mesh, const vd_disc *disc, int32_t hint, best *b) {
  cut c;
  int32_t triangle = find_cut_triangle(mesh, disc, hint, &c);
  if (triangle < 0 || !(c.away2 <= b->away2))
    return false;
  consider(b, triangle, c.away2);
  bool ahead = follow(mesh, disc, triangle, &c, 0, b);
  return follow(mesh, disc, triangle, &c, 1, b) && ahead;
}

/* --- in the grid --- */

/* A search in the grid. It examines columns of cells along the coordinate axis closest to the wheel's axle, because the
 * disc's plane passes through few cells of such a column. The columns are taken in squares around the column of the
 * centre, from the inside outwards. Lengths are in cells. */
typedef struct grid_search {
  const vd_mesh *mesh;
  const vd_disc *disc;
  best *b;
  int u, v, w;             /* axes: u and v across the columns, w along them */
  int32_t cell[3];         /* cell of the centre, which may lie outside the grid */
  double at[3];            /* position of the centre, from the corner of the grid */
  double slope_u, slope_v; /* slope of the plane over the columns */
  double half;             /* half of the plane's rise within a column */
  double per_side2;        /* 1/m2 */
} grid_search;

static int32_t clamped_cell(int32_t cell, int32_t cells) {
  return cell < 0 ? 0 : cell < cells ? cell : cells - 1;
}

/* Rounds down; x must be in the range of the type. */
static int32_t floor_cell(double x) {
  int32_t whole = (int32_t)x;
  return whole - (x < whole);
}

static void search_column(grid_search *s, int32_t u, int32_t v) {
  const vd_mesh_grid *g = &s->mesh->grid;
  double du = u + 0.5 - s->at[s->u], dv = v + 0.5 - s->at[s->v];
  double out_u = vd_fast_max(fabs(du) - 0.5, 0.0), out_v = vd_fast_max(fabs(dv) - 0.5, 0.0);
  if (out_u * out_u + out_v * out_v > s->b->away2 * s->per_side2)
    return;
  double middle = s->at[s->w] + s->slope_u * du + s->slope_v * dv;
  int32_t from = floor_cell(middle - s->half), to = floor_cell(middle + s->half), last = g->cells[s->w] - 1, cell[3];
  bool first = s->b->triangle < 0;
  cell[s->u] = u;
  cell[s->v] = v;
  for (int32_t w = from > 0 ? from : 0; w <= to && w <= last; w++) {
    cell[s->w] = w;
    size_t c = vd_mesh_cell(g, cell[0], cell[1], cell[2]);
    for (int32_t i = g->first[c]; i < g->first[c + 1]; i++) {
      cut piece;
      if (!seen(s->b, g->item[i]) && cut_triangle(s->mesh, s->disc, g->item[i], TOUCH_BOTH, &piece))
        consider(s->b, g->item[i], piece.away2);
    }
  }
  if (first && s->b->triangle >= 0) /* with this distance the search ends after few squares */
    search_from(s->mesh, s->disc, s->b->triangle, s->b);
}

static int32_t largest(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* Examines a line of columns along v, or along u. */
static void search_line(grid_search *s, bool along_v, int32_t line, int32_t from, int32_t to) {
  const int32_t *cells = s->mesh->grid.cells;
  int32_t lines = cells[along_v ? s->u : s->v], last = cells[along_v ? s->v : s->u] - 1;
  if (line < 0 || line >= lines)
    return;
  for (int32_t i = largest(from, 0); i <= to && i <= last; i++)
    search_column(s, along_v ? line : i, along_v ? i : line);
}

/* Returns how many squares around the centre contain no triangle near the plane: the cells there are less than `clear`
 * cells away from the cell of the centre. From one square to the next the plane rises by at most `slope` cells, and in
 * a column it passes through at most slope + 2 cells. */
static int32_t empty_squares(const grid_search *s) {
  const vd_mesh_grid *g = &s->mesh->grid;
  int32_t near[3]; /* cell of the grid that is nearest to the centre */
  for (int i = 0; i < 3; i++)
    near[i] = clamped_cell(s->cell[i], g->cells[i]);
  double clear = g->clear[vd_mesh_cell(g, near[0], near[1], near[2])];
  double slope = fabs(s->slope_u) + fabs(s->slope_v), min_slope = 1e-3;
  double level = (clear - 2.0 - slope) / vd_fast_max(slope, min_slope);
  return (int32_t)vd_fast_max(0.0, vd_fast_min(clear, level));
}

static void search_squares(grid_search *s) {
  const vd_mesh_grid *g = &s->mesh->grid;
  int32_t u = s->cell[s->u], v = s->cell[s->v], last_u = g->cells[s->u] - 1, last_v = g->cells[s->v] - 1;
  int32_t from = largest(empty_squares(s), largest(largest(-u, u - last_u), largest(-v, v - last_v)));
  int32_t to = largest(largest(u, last_u - u), largest(v, last_v - v));
  double share_u = s->at[s->u] - u, share_v = s->at[s->v] - v;
  double wall = vd_fast_min(vd_fast_min(share_u, 1.0 - share_u), vd_fast_min(share_v, 1.0 - share_v));
  for (int32_t ring = from; ring <= to; ring++) {
    double inner = ring > 0 ? ring - 1 + wall : 0.0; /* lower bound of the distance of all columns of this square */
    if (inner * inner > s->b->away2 * s->per_side2)
      return;
    search_line(s, false, v - ring, u - ring, u + ring);
    if (ring == 0)
      continue;
    search_line(s, false, v + ring, u - ring, u + ring);
    search_line(s, true, u - ring, v - ring + 1, v + ring - 1);
    search_line(s, true, u + ring, v - ring + 1, v + ring - 1);
  }
}

static void search_grid(const vd_mesh *mesh, const vd_disc *disc, best *b) {
  for (int i = 0; i < SEEN; i++)
    b->seen[i] = -1;
  const vd_mesh_grid *g = &mesh->grid;
  const double *a = disc->axle, most_cells = 1e8, slack = 1e-6;
  grid_search s = {.mesh = mesh, .disc = disc, .b = b, .per_side2 = g->per_side * g->per_side};
  s.w = fabs(a[0]) > fabs(a[1]) ? 0 : 1;
  s.w = fabs(a[2]) > fabs(a[s.w]) ? 2 : s.w;
  s.u = vd_mesh_next(s.w);
  s.v = vd_mesh_next(s.u);
  for (int i = 0; i < 3; i++) {
    s.at[i] = (disc->centre[i] - g->low[i]) * g->per_side;
    if (!(fabs(s.at[i]) <= most_cells))
      return;
    s.cell[i] = floor_cell(s.at[i]);
  }
  s.slope_u = -a[s.u] / a[s.w];
  s.slope_v = -a[s.v] / a[s.w];
  s.half = 0.5 * (fabs(s.slope_u) + fabs(s.slope_v)) + slack;
  search_squares(&s);
}

/* --- the contact point --- */

/* Returns the tangent of the angle by which a normal leans out of the disc's plane, towards the axle > 0. */
static double lean_of(const double *normal, const double *axle) {
  double out = vd_dot(normal, axle);
  return out / sqrt(vd_fast_max(1.0 - out * out, 1e-12));
}

/* Clamps the normal at a corner between the normals of two triangles. Many edges meet at a corner, and the edge that
 * was found may have no fold, such as one between two triangles in one plane. */
static double clamp_at_corner(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, int edge,
                              double lean) {
  int32_t beyond = mesh->beyond[triangle][edge];
  if (beyond < 0)
    return lean;
  double n[3], other[3];
  vd_mesh_face_normal(mesh, triangle, c->near, n);
  vd_mesh_face_normal(mesh, beyond, c->near, other);
  double a = lean_of(n, disc->axle), b = lean_of(other, disc->axle);
  return vd_fast_min(vd_fast_max(lean, vd_fast_min(a, b)), vd_fast_max(a, b));
}

/* Returns the lean of the normal at an edge. An edge is treated as the limit of a rounding, whose normals are at right
 * angles to the edge e. The component of the contact point's normal in the plane of the disc has the direction u from
 * the contact point to the centre; a is the axle:
 *   n ~ u + lean a,  n . e = 0  =>  lean = -(u . e)/(a . e)
 * As the wheel passes, the normal turns continuously from the normal of one triangle to the normal of the other. u +
 * lean a is the gradient of the reach also for displacements of the centre along the axle, which shift the contact
 * point by e/(a . e). */
static double lean_on_edge(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c,
                           const double *unit) {
  double edge[3], unused[3];
  int k = c->edge[c->share > 0.0];
  corner_at from, to;
  place_corner(mesh, disc, mesh->corner[triangle][k], &from);
  place_corner(mesh, disc, mesh->corner[triangle][vd_mesh_next(k)], &to);
  double share = cross_edge(&from, &to, unused);
  vd_between(from.to, to.to, edge);
  double along = vd_dot(edge, disc->axle), lean = -vd_dot(edge, unit) / along;
  if (!(fabs(lean) <= steepest)) /* true for 0/0, too: the edge lies in the plane */
    lean = lean > 0.0 ? steepest : lean < 0.0 ? -steepest : 0.0;
  return fabs(share - 0.5) > 0.5 - corner_share ? clamp_at_corner(mesh, disc, triangle, c, k, lean) : lean;
}

/* True if an edge has the same normals on both sides. Both sides may hold a corner normal with opposite signs. */
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

/* Blends the normals of the corners, weighted with the areas opposite them, on the side of the centre. */
static void blend_normal(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, double *normal) {
  double face[3], to[3][3], sum[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++)
    vd_between(disc->centre, vd_mesh_at(mesh, triangle, k), to[k]);
  vd_mesh_area(to[0], to[1], to[2], face);
  double side = vd_dot(face, c->near) <= 0.0 ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) {
    int next = vd_mesh_next(k), last = vd_mesh_next(next);
    int32_t index = mesh->corner_normal[triangle][k];
    const double *n = mesh->normal[index < 0 ? ~index : index];
    double area[3];
    vd_mesh_area(c->near, to[next], to[last], area);
    double weight = vd_dot(area, face) * (index < 0 ? -side : side);
    for (int i = 0; i < 3; i++)
      sum[i] += weight * n[i];
  }
  double scale = 1.0 / sqrt(vd_dot(sum, sum));
  for (int i = 0; i < 3; i++)
    normal[i] = scale * sum[i];
}

static void edge_normal(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, double *normal) {
  double unit[3], away = sqrt(c->away2);
  for (int i = 0; i < 3; i++)
    unit[i] = -c->near[i] / away;
  double lean = lean_on_edge(mesh, disc, triangle, c, unit);
  for (int i = 0; i < 3; i++)
    normal[i] = unit[i] + lean * disc->axle[i];
  /* not 1/sqrt(1 + lean^2): on edges of many kilometres rounding puts the contact point off the plane of the disc */
  double scale = 1.0 / sqrt(vd_dot(normal, normal));
  for (int i = 0; i < 3; i++)
    normal[i] *= scale;
}

/* True if both known places of the body lie behind the plane through `at' with this normal. When a car tips over an
 * edge, its middle is below the plane on which its rear wheels still stand, but the place above these wheels shows that
 * the car is not behind this plane. */
static bool behind(const vd_disc *disc, const double *normal, const double *at) {
  double d = vd_dot(normal, at);
  return vd_dot(normal, disc->body[0]) < d && vd_dot(normal, disc->body[1]) < d;
}

static bool behind_face(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, const double *at) {
  double n[3];
  vd_mesh_face_normal(mesh, triangle, c->near, n);
  return behind(disc, n, at);
}

/* True if the body is behind both faces of a convex edge. To be behind the plane of the edge's normal is not enough:
 * this happens to every car that rolls over the edge. No body is behind an edge at the end of a mesh. */
static bool behind_edge(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, const cut *c, const double *at) {
  int32_t beyond = mesh->beyond[triangle][c->edge[c->share > 0.0]];
  return beyond >= 0 && behind_face(mesh, disc, triangle, c, at) && behind_face(mesh, disc, beyond, c, at);
}

static void describe_contact(const vd_mesh *mesh, const vd_disc *disc, int32_t triangle, vd_contact_point *contact) {
  const double touching = 1e-12; /* in radii; below it the centre lies in the surface */
  cut c;
  bool met = cut_triangle(mesh, disc, triangle, TOUCH_BOTH, &c);
  assert(met);
  contact->reach = sqrt(c.away2);
  bool within = (c.share > 0.0 && c.share < 1.0) || contact->reach <= touching * disc->radius;
  bool face = within || (mesh->normal && runs_through(mesh, triangle, c.edge[c.share > 0.0]));
  if (mesh->normal && face)
    blend_normal(mesh, disc, triangle, &c, contact->normal);
  else if (face)
    vd_mesh_face_normal(mesh, triangle, c.near, contact->normal);
  else
    edge_normal(mesh, disc, triangle, &c, contact->normal);
  contact->distance = fabs(vd_dot(contact->normal, c.near));
  for (int i = 0; i < 3; i++)
    contact->at[i] = disc->centre[i] + c.near[i];
  if (disc->body && behind(disc, contact->normal, contact->at) &&
      (face || behind_edge(mesh, disc, triangle, &c, contact->at)))
    vd_contact_point_reverse(contact);
}

static bool is_outside(const vd_mesh *mesh, const vd_disc *disc) {
  for (int i = 0; i < 3; i++)
    if (!(disc->centre[i] >= mesh->low[i] - disc->radius && disc->centre[i] <= mesh->high[i] + disc->radius))
      return true;
  return false;
}

bool vd_mesh_contact(const vd_mesh *mesh, const vd_disc *disc, int *hint, vd_contact_point *contact) {
  best b; /* entries of b.seen are set before they are used */
  b.away2 = disc->radius * disc->radius;
  b.triangle = -1;
  bool sane = fabs(vd_dot(disc->axle, disc->axle) - 1.0) <= 0.01 && disc->radius > 0.0 && !is_outside(mesh, disc);
  bool found = sane && *hint >= 0 && *hint < mesh->triangles && search_from(mesh, disc, *hint, &b);
  if (sane && !found)
    search_grid(mesh, disc, &b);
  *hint = b.triangle;
  if (b.triangle < 0)
    return false;
  describe_contact(mesh, disc, b.triangle, contact);
  return true;
}
