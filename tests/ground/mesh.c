/* Meshes: contact points and rays compared with a search through all triangles and with formulas. */
#include "mesh_world.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a uniform number in from..to by xorshift64*. */
static double between(uint64_t *state, double from, double to) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return from + (to - from) * ((double)((*state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0);
}

static void random_unit(uint64_t *state, double *v) {
  double length2;
  do {
    for (int i = 0; i < 3; i++)
      v[i] = between(state, -1.0, 1.0);
    length2 = dot(v, v);
  } while (length2 > 1.0 || length2 < 0.01);
  to_unit(v);
}

/* --- the search through all triangles --- */

enum { SOUP = 4096 };

typedef struct soup {
  double corner[SOUP][3][3];
  int count;
} soup;

static soup all;

/* Adds random triangles without neighbours, each about 0.3 m wide, in a box of 2 x 2 x 1 m. */
static void add_lone(uint64_t *state, int count) {
  for (int n = 0; n < count; n++) {
    double middle[] = {between(state, -1.0, 1.0), between(state, -1.0, 1.0), between(state, -0.5, 0.5)};
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++)
        all.corner[all.count][k][i] = middle[i] + between(state, -0.15, 0.15);
    all.count++;
  }
}

/* Adds a relief of size x size squares with random corners and a random orientation. */
static void add_relief(uint64_t *state, int size, vd_buf *text) {
  double x[3], y[3], z[3], (*point)[3] = malloc((size_t)(size + 1) * (size_t)(size + 1) * sizeof *point);
  random_unit(state, x);
  random_unit(state, z);
  cross(z, x, y);
  to_unit(y);
  cross(x, y, z);
  for (int i = 0; i <= size; i++)
    for (int j = 0; j <= size; j++) {
      double at[] = {2.0 * i / size - 1.0 + between(state, -0.3, 0.3) / size,
                     2.0 * j / size - 1.0 + between(state, -0.3, 0.3) / size, between(state, -1.0, 1.0) / size};
      for (int k = 0; k < 3; k++)
        point[i * (size + 1) + j][k] = at[0] * x[k] + at[1] * y[k] + at[2] * z[k];
      const double *p = point[i * (size + 1) + j];
      vd_buf_printf(text, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      for (int part = 0; part < 2; part++) {
        int a = i * (size + 1) + j, b = a + size + 1 + part, c = part == 0 ? a + size + 2 : a + 1;
        memcpy(all.corner[all.count][0], point[a], sizeof *point);
        memcpy(all.corner[all.count][1], point[b], sizeof *point);
        memcpy(all.corner[all.count++][2], point[c], sizeof *point);
        vd_buf_printf(text, "f %d %d %d\n", a + 1, b + 1, c + 1);
      }
  free(point);
}

static void write_lone(int from, int before, vd_buf *text) {
  for (int n = from; n < all.count; n++)
    for (int k = 0; k < 3; k++)
      vd_buf_printf(text, "v %.17g %.17g %.17g\n", all.corner[n][k][0], all.corner[n][k][1], all.corner[n][k][2]);
  for (int n = from; n < all.count; n++, before += 3)
    vd_buf_printf(text, "f %d %d %d\n", before + 1, before + 2, before + 3);
}

/* Makes a relief, single triangles, or both, which then intersect. */
static void make_wild(world *w, uint64_t seed, int size, int lone) {
  uint64_t state = seed;
  vd_buf text = {0};
  all.count = 0;
  if (size > 0)
    add_relief(&state, size, &text);
  int from = all.count;
  add_lone(&state, lone);
  write_lone(from, size > 0 ? (size + 1) * (size + 1) : 0, &text);
  if (!make(w, &text, VD_MESH_FLAT))
    abort();
  vd_buf_finish(&text);
}

/* Finds the point of a triangle in the disc's plane that is nearest to the centre: the plane meets the triangle's edges
 * in two points. */
static bool nearest_in(const double (*corner)[3], const vd_disc *disc, double *near) {
  double height[3], end[2][3];
  int ends = 0;
  for (int k = 0; k < 3; k++) {
    double to[] = {corner[k][0] - disc->centre[0], corner[k][1] - disc->centre[1], corner[k][2] - disc->centre[2]};
    height[k] = dot(to, disc->axle);
  }
  for (int k = 0; k < 3 && ends < 2; k++) {
    int next = (k + 1) % 3;
    if ((height[k] > 0.0) == (height[next] > 0.0))
      continue;
    double share = height[k] / (height[k] - height[next]);
    for (int i = 0; i < 3; i++)
      end[ends][i] = (1.0 - share) * corner[k][i] + share * corner[next][i];
    ends++;
  }
  if (ends < 2)
    return false;
  double way[] = {end[1][0] - end[0][0], end[1][1] - end[0][1], end[1][2] - end[0][2]};
  double to[] = {disc->centre[0] - end[0][0], disc->centre[1] - end[0][1], disc->centre[2] - end[0][2]};
  double share = fmin(1.0, fmax(0.0, dot(to, way) / dot(way, way)));
  for (int i = 0; i < 3; i++)
    near[i] = end[0][i] + share * way[i];
  return true;
}

static double search_contact(const vd_disc *disc, double *at) {
  double least = INFINITY, near[3];
  for (int n = 0; n < all.count; n++) {
    if (!nearest_in((const double(*)[3])all.corner[n], disc, near) || !(apart(near, disc->centre) < least))
      continue;
    least = apart(near, disc->centre);
    memcpy(at, near, sizeof near);
  }
  return least <= disc->radius ? least : INFINITY;
}

static void random_disc(uint64_t *state, vd_disc *disc) {
  for (int i = 0; i < 3; i++)
    disc->centre[i] = between(state, -1.3, 1.3);
  random_unit(state, disc->axle);
  disc->radius = between(state, 0.05, 0.8);
}

static void test_contacts(int size, int lone) {
  world w;
  uint64_t state = 7;
  int found = 0, wrong = 0;
  double worst = 0.0, worst_at = 0.0;
  make_wild(&w, 11, size, lone);
  for (int n = 0; n < 4000; n++) {
    vd_disc disc = {.body = NULL};
    vd_contact_point contact;
    double at[3] = {NAN, NAN, NAN};
    int hint = -1;
    random_disc(&state, &disc);
    double reach = search_contact(&disc, at);
    bool here = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
    wrong += here != isfinite(reach) || here != (hint >= 0);
    if (!here)
      continue;
    found++;
    worst = tap_max(worst, fabs(contact.reach - reach));
    worst_at = tap_max(worst_at, apart(contact.at, at));
  }
  tap_ok(wrong == 0 && found > 500,
         "%d triangles: %d discs of 4000 find a contact point, as does the search through all triangles", all.count,
         found);
  tap_near(worst, 0.0, 1e-12, "%d triangles: the reach agrees with the search through all triangles", all.count);
  tap_near(worst_at, 0.0, 1e-9, "%d triangles: the contact point agrees with the search through all triangles",
           all.count);
  finish(&w);
}

/* --- the definition of a contact point --- */

/* Checks that the reach is a potential: its gradient, also along the axle, is the normal over its component in the
 * disc's plane. */
static void test_gradient(void) {
  world w;
  uint64_t state = 5;
  int faces = 0, edges = 0;
  double worst_face = 0.0, worst_edge = 0.0, worst_size = 0.0;
  const double step = 1e-6;
  make_wild(&w, 3, 20, 200);
  for (int n = 0; n < 20000; n++) {
    vd_disc disc = {.body = NULL};
    vd_contact_point contact, ahead, behind;
    double way[3];
    int hint = -1, other;
    random_disc(&state, &disc);
    if (!vd_mesh_contact(w.mesh, &disc, &hint, &contact) || contact.reach < 0.02 || contact.reach > disc.radius - 0.01)
      continue;
    double lean = dot(contact.normal, disc.axle), within = sqrt(1.0 - lean * lean);
    worst_size = tap_max(worst_size, fabs(contact.distance - contact.reach * within));
    if (within < 0.6) /* also excludes edges whose normal is limited to 60 deg */
      continue;
    random_unit(&state, way);
    bool same = true;
    for (int side = 0; side < 2; side++) {
      vd_disc moved = disc;
      for (int i = 0; i < 3; i++)
        moved.centre[i] += (side == 0 ? step : -step) * way[i];
      other = -1;
      same &= vd_mesh_contact(w.mesh, &moved, &other, side == 0 ? &ahead : &behind) && other == hint;
    }
    /* leaves out places where another part of the mesh becomes the nearest, or the contact point moves from a face to
     * its edge */
    if (!same || apart(ahead.normal, behind.normal) > 1e-3)
      continue;
    bool edge = apart(ahead.normal, behind.normal) > 1e-14;
    double slope = (ahead.reach - behind.reach) / (2.0 * step), expected = dot(contact.normal, way) / within;
    *(edge ? &worst_edge : &worst_face) = fmax(edge ? worst_edge : worst_face, fabs(slope - expected));
    *(edge ? &edges : &faces) += 1;
  }
  tap_diag("%d contact points on faces, %d on edges", faces, edges);
  tap_near(worst_size, 0.0, 1e-12, "distance is reach times the normal's part in the disc's plane");
  /* errors: rounding, 1e-16/1e-6, and third derivatives, 1/reach^2, times the step squared, 1e-12 x 2500, more if the
   * disc leans */
  tap_near(worst_face, 0.0, 1e-8, "on faces the gradient of the reach is the normal");
  tap_near(worst_edge, 0.0, 1e-6, "on edges the gradient of the reach is also the normal");
  tap_ok(faces > 1000 && edges > 300, "contacts on faces and on edges were both seen");
  finish(&w);
}

static void test_plane(void) {
  world w;
  vd_contact_point contact;
  double worst = 0.0;
  uint64_t state = 9;
  sheet s = {.place = sheet_bank, .length = 10.0, .width = 8.0, .angle = 0.4};
  make_sheet(&w, &s, 13, 7, VD_MESH_FLAT);
  const double normal[] = {0.0, -sin(0.4), cos(0.4)};
  for (int n = 0; n < 2000; n++) {
    vd_disc disc = {.centre = {between(&state, 1.0, 9.0), between(&state, -2.0, 2.0), 0.0}, .radius = 0.35};
    double height = between(&state, -0.3, 0.3);
    disc.centre[2] = disc.centre[1] * tan(0.4) + height / cos(0.4);
    random_unit(&state, disc.axle);
    disc.axle[2] *= 0.1;
    to_unit(disc.axle);
    int hint = -1;
    double lean = dot(disc.axle, normal), reach = fabs(height) / sqrt(1.0 - lean * lean);
    bool found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
    if (found != (reach <= disc.radius)) {
      worst = NAN;
    } else if (found) {
      double side = height > 0.0 ? 1.0 : -1.0, to[3];
      for (int i = 0; i < 3; i++)
        to[i] = contact.at[i] - disc.centre[i];
      worst += fmax(fabs(contact.distance - fabs(height)), fabs(contact.reach - reach)) + fabs(dot(to, disc.axle)) +
               apart(contact.normal, (const double[]){side * normal[0], side * normal[1], side * normal[2]});
    }
  }
  tap_near(worst / 2000.0, 0.0, 1e-12, "a plane: distance, reach and normal on either side, leaning and steered discs");
  finish(&w);
}

/* Checks a polygon inscribed in a cylinder: distances to its sides are known. */
static void test_cylinder(void) {
  enum { SIDES = 72 };
  world flat, smooth;
  sheet s = {.place = sheet_loop, .width = 4.0, .radius = 10.0, .angle = 2.0 * VD_PI};
  double worst = 0.0, worst_normal = 0.0;
  uint64_t state = 2;
  make_sheet(&flat, &s, SIDES, 5, VD_MESH_FLAT);
  make_sheet(&smooth, &s, SIDES, 5, VD_MESH_SMOOTH);
  for (int n = 0; n < 5000; n++) {
    vd_contact_point contact;
    int hint = -1;
    double angle = between(&state, 0.1, 2.0 * VD_PI - 0.1), from_axis = between(&state, 9.72, 10.2);
    vd_disc disc = {.centre = {from_axis * sin(angle), between(&state, -1.9, 1.9), 10.0 - from_axis * cos(angle)},
                    .axle = {0.0, 1.0, 0.0},
                    .radius = 0.3};
    double off = fmod(angle, 2.0 * VD_PI / SIDES) - VD_PI / SIDES;
    double along = from_axis * sin(off), above = 10.0 * cos(VD_PI / SIDES) - from_axis * cos(off);
    double past = fmax(0.0, fabs(along) - 10.0 * sin(VD_PI / SIDES)); /* outside, at a corner */
    double reach = hypot(above, past);
    bool found = vd_mesh_contact(flat.mesh, &disc, &hint, &contact);
    worst = tap_max(worst, found == (reach <= 0.3) ? (found ? fabs(contact.reach - reach) : 0.0) : INFINITY);
    hint = -1;
    if (!vd_mesh_contact(smooth.mesh, &disc, &hint, &contact))
      continue;
    /* normals at corners point to the axis, and so do the normals between corners */
    double to_axis[] = {-contact.at[0], 0.0, 10.0 - contact.at[2]}, side = above > 0.0 ? 1.0 : -1.0;
    to_unit(to_axis);
    for (int i = 0; i < 3; i++)
      to_axis[i] *= side;
    worst_normal = tap_max(worst_normal, apart(to_axis, contact.normal));
  }
  tap_near(worst, 0.0, 1e-12, "a loop of 72 sides, inside and outside: the reach is the distance to the polygon");
  tap_near(worst_normal, 0.0, 1e-9, "smooth normals of a loop of 72 sides point to the axis");
  finish(&flat);
  finish(&smooth);
}

/* Checks two bounded planes that meet at 90 deg along the y axis: a roof z = -|x|. */
static void test_edges(void) {
  static const char text[] = "v -2 -2 -2\nv -2 2 -2\nv 0 -2 0\nv 0 2 0\nv 2 -2 -2\nv 2 2 -2\nf 1 3 4 2\nf 3 5 6 4\n";
  world w;
  vd_buf roof = {0};
  vd_contact_point contact;
  vd_buf_puts(&roof, text);
  make(&w, &roof, VD_MESH_FLAT);
  vd_disc disc = {.centre = {0.02, 0.3, 0.25}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
  int hint = -1;
  bool found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_near(found ? contact.reach : NAN, hypot(0.02, 0.25), 1e-15, "on a ridge the reach is the distance to the ridge");
  tap_near(apart(contact.normal, (const double[]){0.02 / hypot(0.02, 0.25), 0.0, 0.25 / hypot(0.02, 0.25)}), 0.0, 1e-14,
           "the normal on a ridge points to the disc's centre");
  /* the wheel is steered by 45 deg; the normal at the contact point is at right angles to the ridge, between -45 and 45
   * deg */
  disc = (vd_disc){.centre = {0.0, 0.0, 0.25}, .axle = {-sqrt(0.5), sqrt(0.5), 0.0}, .radius = 0.3};
  disc.centre[0] = disc.centre[1] = 0.02;
  found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  double expected[] = {2.0 * 0.02, 0.0, 0.25}; /* in the disc's plane (0.02, 0.02, 0.25), at right angles to y */
  to_unit(expected);
  tap_near(found ? apart(contact.normal, expected) : NAN, 0.0, 1e-14,
           "the normal of a steered wheel on a ridge is at right angles to the ridge");
  disc.centre[0] = disc.centre[1] = 2.05;
  disc.centre[2] = -2.0;
  disc.axle[0] = 0.0;
  disc.axle[1] = 1.0;
  disc.centre[1] = 0.0;
  found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_near(found ? contact.reach : NAN, 0.05, 1e-14,
           "beyond the end of the mesh the reach is the distance to its edge");
  tap_near(apart(contact.normal, (const double[]){1.0, 0.0, 0.0}), 0.0, 1e-14,
           "the normal beyond the end of the mesh points from its edge to the disc's centre");
  disc.centre[0] = 2.31;
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact) && hint == -1,
         "a mesh farther away than the radius has no contact");
  disc.centre[0] = 0.0;
  disc.centre[1] = 2.0;
  disc.centre[2] = 0.2;
  tap_ok(vd_mesh_contact(w.mesh, &disc, &hint, &contact),
         "a disc in the plane of the mesh's last edge has its contact on the edge");
  disc.centre[1] = 2.0 + 1e-12;
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact), "a disc beside the mesh has no contact");
  finish(&w);
  vd_buf_finish(&roof);
}

static void test_lying(void) {
  world w;
  vd_contact_point contact;
  sheet s = {.place = sheet_plane, .length = 4.0, .width = 4.0};
  int hint = -1;
  make_sheet(&w, &s, 4, 4, VD_MESH_SMOOTH);
  vd_disc disc = {.centre = {2.1, 0.1, 0.1}, .axle = {0.0, 0.0, 1.0}, .radius = 0.3};
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact), "a disc that lies over a plane has no contact");
  disc.centre[2] = 0.0;
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact), "a disc in a plane has no contact");
  disc.axle[0] = 1e-9;
  bool found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_ok(found &&
             isfinite(contact.reach + contact.distance + contact.normal[0] + contact.normal[1] + contact.normal[2]) &&
             contact.reach <= 1e-15,
         "a disc that almost lies in the plane gives finite numbers");
  disc.axle[0] = NAN;
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact), "a disc whose axle is not a number has no contact");
  disc = (vd_disc){.centre = {NAN, 0.0, 0.0}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact), "a disc whose centre is not a number has no contact");
  disc.centre[0] = 1e300;
  hint = 3;
  tap_ok(!vd_mesh_contact(w.mesh, &disc, &hint, &contact) && hint == -1,
         "a disc whose centre is far away has no contact");
  finish(&w);
}

/* --- rays --- */

static bool meets(const double (*c)[3], const double *from, const double *way, double *t) {
  /* from + t way = c0 + u ab + v ac by Cramer's rule */
  double ab[3], ac[3], to[3], p[3];
  for (int i = 0; i < 3; i++) {
    ab[i] = c[1][i] - c[0][i];
    ac[i] = c[2][i] - c[0][i];
    to[i] = from[i] - c[0][i];
  }
  cross(ab, ac, p);
  double det = -dot(way, p), u, v;
  *t = dot(to, p) / det;
  cross(to, way, p);
  u = -dot(ac, p) / -det;
  v = dot(ab, p) / -det;
  return u >= 0.0 && v >= 0.0 && u + v <= 1.0;
}

static void test_rays(int size, int lone) {
  world w;
  uint64_t state = 21;
  int wrong = 0, hits = 0;
  double worst = 0.0, away = 0.0;
  make_wild(&w, 17, size, lone);
  for (int n = 0; n < 4000; n++) {
    double from[3], way[3], normal[3], t, least = INFINITY, limit = between(&state, 0.1, 4.0), each;
    for (int i = 0; i < 3; i++)
      from[i] = between(&state, -1.6, 1.6);
    random_unit(&state, way);
    if (n % 3 == 0) /* along an axis */
      for (int i = 0; i < 3; i++)
        way[i] = i == n % 9 / 3 ? (n % 2 ? 1.0 : -1.0) : 0.0;
    for (int i = 0; i < 3; i++)
      way[i] *= 1.7;
    for (int i = 0; i < all.count; i++)
      if (meets((const double(*)[3])all.corner[i], from, way, &each) && each >= 0.0 && each <= limit)
        least = tap_min(least, each);
    bool hit = vd_mesh_ray(w.mesh, from, way, limit, &t, normal);
    wrong += hit != isfinite(least);
    if (!hit)
      continue;
    hits++;
    worst = tap_max(worst, fabs(t - least));
    away += dot(normal, way) > 0.0 || !(fabs(dot(normal, normal) - 1.0) <= 1e-14);
  }
  tap_ok(wrong == 0 && hits > 300, "%d triangles: %d rays of 4000 meet a triangle, as in the search through all",
         all.count, hits);
  tap_near(worst, 0.0, 1e-12, "%d triangles: rays meet triangles at the place found by the search through all",
           all.count);
  tap_ok(away == 0.0, "%d triangles: unit normals face the rays", all.count);
  finish(&w);
}

static void test_ray_limits(void) {
  world w;
  double t, normal[3];
  sheet s = {.place = sheet_plane, .length = 4.0, .width = 4.0};
  make_sheet(&w, &s, 4, 4, VD_MESH_FLAT);
  int through = 0;
  for (int i = 0; i <= 16; i++) /* vertices and edges among them */
    for (int j = 0; j <= 16; j++)
      through += vd_mesh_ray(w.mesh, (const double[]){i / 4.0, j / 4.0 - 2.0, 1.0}, (const double[]){0.0, 0.0, -1.0},
                             2.0, &t, normal) &&
                 t == 1.0 && normal[2] == 1.0;
  tap_ok(through == 17 * 17, "no ray passes between triangles");
  const double down[] = {0.0, 0.0, -2.0}, over[] = {1.1, 0.1, 1.0};
  tap_ok(vd_mesh_ray(w.mesh, over, down, 0.5, &t, normal) && t == 0.5, "a ray reaches its limit");
  tap_ok(!vd_mesh_ray(w.mesh, over, down, 0.499, &t, normal), "a ray hits nothing beyond its limit");
  tap_ok(!vd_mesh_ray(w.mesh, over, (const double[]){0.0, 0.0, 0.0}, 1.0, &t, normal),
         "a ray without a direction hits nothing");
  tap_ok(!vd_mesh_ray(w.mesh, over, (const double[]){NAN, 0.0, -1.0}, 1.0, &t, normal),
         "a ray whose direction is not a number hits nothing");
  tap_ok(!vd_mesh_ray(w.mesh, (const double[]){1.1, 0.1, -1.0}, down, 9.0, &t, normal), "a ray does not go backwards");
  tap_ok(vd_mesh_ray(w.mesh, over, down, INFINITY, &t, normal) && t == 0.5, "a ray without a limit finds the mesh");
  finish(&w);
}

/* --- files --- */

static void test_forms(void) {
  static const char *const texts[] = {
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
      "# square\r\nmtllib a.mtl\r\no road\r\nv 0 0 0 1.0\r\nv 1 0 0\r\nv 1 1 0 0.5 0.5 0.5\r\nv 0 1 0\r\nvn 0 0 "
      "1\r\nvt 0 0\r\n"
      "usemtl b\r\ns off\r\nf 1/1/1 2/1/1 3//1 4/1\r\n",
      "v 0 0 0\nv 1e0 0 0\nv 1.0 +1.0 -0\nv 0 1 0\nf -4 -3 -2 -1",
      "v 0 0 \\\n 0\nv 1 0 0 # the second\nv 1 1 0\nv 0 1 0\nf 1 2 \\\r\n3 4\n",
      "\tv 0 0 0\nv 1 0 0\nv 1 1 0\n  f 1 2 3\nv 0 1 0\nf 1 3 4\n",
      /* corners and faces that repeat, faces without area */
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 2 3 1\nf 2 2 3\nf 1 3 4\nf 3 1 2\nf 4 3 1\nf 1 1 1\n",
  };
  for (size_t i = 0; i < VD_COUNT(texts); i++) {
    world w;
    vd_buf text = {0};
    vd_contact_point contact;
    double low[3] = {NAN}, high[3] = {NAN};
    int hint = -1;
    vd_buf_puts(&text, texts[i]);
    bool good = make(&w, &text, VD_MESH_FLAT) && vd_mesh_triangles(w.mesh) == 2;
    vd_disc disc = {.centre = {0.4, 0.5, 0.2}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
    if (good)
      vd_mesh_bounds(w.mesh, low, high);
    tap_ok(good && low[0] == 0.0 && low[1] == 0.0 && low[2] == 0.0 && high[0] == 1.0 && high[1] == 1.0 &&
               high[2] == 0.0 && vd_mesh_contact(w.mesh, &disc, &hint, &contact) && contact.reach == 0.2,
           "a square in form %zu is read", i + 1);
    finish(&w);
    vd_buf_finish(&text);
  }
}

/* Checks the area of polygons that can be split into a fan only from some of their corners: one has a corner within a
 * side, the other a concave corner. */
static void test_polygons(void) {
  static const struct {
    const char *name, *text;
    double area;
  } polygon[] = {{"a corner within a side", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4 5\n", 2.0},
                 {"a hollow corner", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 1 2 3 4\n", 4.0}};
  for (size_t i = 0; i < VD_COUNT(polygon); i++) {
    world w;
    vd_buf text = {0};
    double area = 0.0, c[3][3];
    vd_buf_puts(&text, polygon[i].text);
    bool good = make(&w, &text, VD_MESH_FLAT);
    for (size_t t = 0; good && t < vd_mesh_triangles(w.mesh); t++) {
      vd_mesh_corners(w.mesh, t, c);
      area += 0.5 * fabs((c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]));
    }
    tap_near(area, polygon[i].area, 1e-15, "a polygon with %s keeps its area", polygon[i].name);
    finish(&w);
    vd_buf_finish(&text);
  }
}

/* Checks a file with y upwards, as Blender writes it by default: the point x, y, z is written as x, z, -y. */
static void test_up(void) {
  const char *text = "v 0 0.25 0\nv 8 0.25 0\nv 8 0.5 -2\nv 0 0.5 -2\nf 1 2 3 4\n";
  const double low[] = {0.0, 0.0, 0.25}, high[] = {8.0, 2.0, 0.5};
  world w = {.arena = vd_arena_create(), .diag = vd_diag_create()};
  int source = vd_diag_add_source(w.diag, "mesh.obj", text, strlen(text));
  w.mesh = vd_mesh_read_source(source, VD_MESH_FLAT, VD_MESH_UP_Y, w.arena, w.diag);
  double a[3] = {NAN}, b[3] = {NAN}, t = NAN, normal[3];
  if (w.mesh)
    vd_mesh_bounds(w.mesh, a, b);
  tap_near(apart(a, low) + apart(b, high), 0.0, 0.0, "up: y turns a mesh");
  bool met =
      w.mesh && vd_mesh_ray(w.mesh, (const double[]){3.0, 1.0, 1.0}, (const double[]){0, 0, -1}, 2.0, &t, normal);
  tap_near(met ? 1.0 - t : NAN, 0.375, 1e-15, "the left side of a mesh with up: y stays left");
  finish(&w);
}

static void test_files(void) {
  static const char *const paths[] = {"tests/no_such.obj", "tests", "/dev/null"};
  static const char *const message[] = {"error: cannot read 'tests/no_such.obj': No such file or directory\n",
                                        "error: cannot read 'tests': Is a directory\n",
                                        "error: cannot open '/dev/null': not a regular file\n"};
  for (size_t i = 0; i < VD_COUNT(paths); i++) {
    world w = {.arena = vd_arena_create(), .diag = vd_diag_create()};
    char words[256] = {0};
    FILE *f = tmpfile();
    bool refused = f && !vd_mesh_read(paths[i], (vd_place){.source = -1}, VD_MESH_FLAT, VD_MESH_UP_Z, w.arena, w.diag);
    if (refused) {
      vd_diag_print(w.diag, f, false);
      rewind(f);
      refused = fread(words, 1, sizeof words - 1, f) > 0;
    }
    tap_str(refused ? words : NULL, message[i], "%s is refused", paths[i]);
    if (f)
      fclose(f);
    finish(&w);
  }
}

static void test_mirror(void) {
  world left, right;
  vd_buf a = {0}, b = {0};
  uint64_t state = 77;
  int found = 0, wrong = 0;
  double worst = 0.0;
  for (int n = 0; n < 400; n++) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++)
        p[k][i] = (k > 0 ? p[0][i] : 0.0) + between(&state, k > 0 ? -0.4 : -1.0, k > 0 ? 0.4 : 1.0);
      vd_buf_printf(&a, "v %.17g %.17g %.17g\n", p[k][0], p[k][1], p[k][2]);
      vd_buf_printf(&b, "v %.17g %.17g %.17g\n", p[k][0], -p[k][1], p[k][2]);
    }
    vd_buf_printf(&a, "f -3 -2 -1\n");
    vd_buf_printf(&b, "f -3 -2 -1\n");
  }
  make(&left, &a, VD_MESH_FLAT);
  make(&right, &b, VD_MESH_FLAT);
  for (int n = 0; n < 2000; n++) {
    vd_disc disc = {.body = NULL}, mirrored;
    vd_contact_point one, two;
    int hint = -1, other = -1;
    random_disc(&state, &disc);
    mirrored = disc;
    mirrored.centre[1] = -mirrored.centre[1];
    mirrored.axle[1] = -mirrored.axle[1];
    bool here = vd_mesh_contact(left.mesh, &disc, &hint, &one),
         there = vd_mesh_contact(right.mesh, &mirrored, &other, &two);
    wrong += here != there || hint != other;
    found += here;
    if (here && there) {
      two.at[1] = -two.at[1];
      two.normal[1] = -two.normal[1];
      worst =
          tap_max(worst, tap_max(apart(one.at, two.at), apart(one.normal, two.normal)) + fabs(one.reach - two.reach));
    }
  }
  tap_ok(wrong == 0 && found > 500, "a mirrored mesh has contacts on the mirrored triangles");
  tap_near(worst, 0.0, 0.0, "a mirrored mesh has the mirrored contact points, to the bit");
  finish(&left);
  finish(&right);
  vd_buf_finish(&a);
  vd_buf_finish(&b);
}

/* Computes a point of waves: 50 m x 25 m in squares of 5 cm are 1e6 triangles. */
static void wave_place(const sheet *s, double u, double v, double *p) {
  p[0] = s->length * u;
  p[1] = s->width * (v - 0.5);
  p[2] = s->height * sin(20.0 * u) * cos(9.0 * v);
}

static void test_large(void) {
  vd_buf text = {0};
  world w;
  sheet s = {.place = wave_place, .length = 50.0, .width = 25.0, .height = 0.7};
  sheet_write(&s, 1000, 500, 0, false, &text);
  for (int normals = VD_MESH_FLAT; normals <= VD_MESH_SMOOTH; normals++) {
    double started = now();
    bool good = make(&w, &text, (enum vd_mesh_normals)normals);
    tap_ok(good && vd_mesh_triangles(w.mesh) == 1000000, "1e6 triangles with %s normals are read",
           normals ? "smooth" : "flat");
    tap_diag("%zu bytes read in %.2f s", text.length, now() - started);
    finish(&w);
  }
  vd_buf_finish(&text);
}

int main(void) {
  tap_plan(66);
  test_contacts(4, 0);
  test_contacts(25, 0);
  test_contacts(0, 400);
  test_contacts(30, 1000);
  test_gradient();
  test_plane();
  test_cylinder();
  test_edges();
  test_lying();
  test_rays(10, 0);
  test_rays(0, 500);
  test_rays(30, 1000);
  test_ray_limits();
  test_forms();
  test_polygons();
  test_up();
  test_files();
  test_mirror();
  test_large();
  return tap_done();
}
