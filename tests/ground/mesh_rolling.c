/* Contact points of wheels that roll over meshes: with hints and without, along vertices, over edges and bends. */
#include "mesh_world.h"
#include "tap.h"

/* Rolls a wheel along the surface, 0.31 m above it, on a winding path, weaving and steering. */
static void test_hints(const char *name, const sheet *s, size_t nu, size_t nv, double per_step) {
  enum { STEPS = 20000 };
  world w;
  int hint = -1, other = 0, asked = 0;
  double worst = 0.0, worst_normal = 0.0, started, ns[2] = {0.0, 0.0};
  static vd_disc disc[STEPS];
  make_sheet(&w, s, nu, nv, VD_MESH_FLAT);
  for (int n = 0; n < STEPS; n++) {
    double u = 0.02 + fmod(n * per_step, 0.96), v = 0.5 + 0.3 * sin(n * 1e-3), p[3], ahead[3], aside[3], normal[3];
    s->place(s, u, v, p);
    s->place(s, u + 1e-5, v, ahead);
    s->place(s, u, v + 1e-5, aside);
    for (int i = 0; i < 3; i++) {
      ahead[i] -= p[i];
      aside[i] -= p[i];
    }
    cross(ahead, aside, normal);
    to_unit(normal);
    to_unit(aside);
    to_unit(ahead);
    disc[n].radius = 0.35;
    for (int i = 0; i < 3; i++) {
      disc[n].centre[i] = p[i] + 0.31 * normal[i];
      disc[n].axle[i] = aside[i] + 0.1 * sin(n * 1e-2) * ahead[i] + 0.05 * cos(n * 1e-2) * normal[i];
    }
    to_unit(disc[n].axle);
  }
  for (int n = 0; n < STEPS; n++) {
    vd_contact_point with, without;
    int none = -1;
    other += hint < 0;
    if (!vd_mesh_contact(w.mesh, &disc[n], &hint, &with) || !vd_mesh_contact(w.mesh, &disc[n], &none, &without)) {
      worst = NAN;
      break;
    }
    asked += hint != none;
    worst = tap_max(worst, fabs(with.reach - without.reach));
    worst_normal = tap_max(worst_normal, apart(with.normal, without.normal));
  }
  for (int way = 0; way < 2; way++) {
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
      started = now();
      for (int n = 0; n < STEPS; n++) {
        vd_contact_point contact;
        hint = way == 0 ? hint : -1;
        vd_mesh_contact(w.mesh, &disc[n], &hint, &contact);
      }
      best = tap_min(best, now() - started);
    }
    ns[way] = 1e9 * best / STEPS;
  }
  tap_near(worst, 0.0, 0.0, "%s: the reach is equal with and without hints", name);
  tap_near(worst_normal, 0.0, 0.0, "%s: the normal is equal with and without hints", name);
  tap_diag("%s, %zu triangles: %.0f ns with hints, %.0f ns without; %d other triangles", name,
           vd_mesh_triangles(w.mesh), ns[0], ns[1], asked);
  tap_ok(other == 1, "%s: the contact is never lost", name);
  finish(&w);
}

/* Checks a wheel that rolls straight along a line of vertices, which lie exactly in the plane of the disc. */
static void test_on_line(void) {
  enum { STEPS = 4000 };
  world w;
  const sheet s = {.place = sheet_ramp, .length = 20.0, .width = 4.0, .height = 2.0};
  int hint = -1, lost = 0;
  double worst = 0.0, worst_normal = 0.0, worst_reach = 0.0, worst_lean = 0.0;
  make_sheet(&w, &s, 200, 8, VD_MESH_FLAT);
  for (int n = 0; n < STEPS; n++) {
    double x = 1.0 + 18.0 * n / STEPS, u = x / 20.0, slope = 0.05 * VD_PI * sin(VD_PI * u),
           scale = 1.0 / hypot(1.0, slope);
    vd_disc disc = {.centre = {x - 0.3 * slope * scale, 1.0, 1.0 - cos(VD_PI * u) + 0.3 * scale},
                    .axle = {0.0, n % 2 ? 1.0 : -1.0, 0.0},
                    .radius = 0.35};
    vd_contact_point with, without;
    int none = -1;
    if (!vd_mesh_contact(w.mesh, &disc, &hint, &with) || !vd_mesh_contact(w.mesh, &disc, &none, &without)) {
      lost++;
      continue;
    }
    worst = tap_max(worst, fabs(with.reach - without.reach));
    worst_normal = tap_max(worst_normal, apart(with.normal, without.normal));
    worst_reach = tap_max(worst_reach, fabs(with.reach - 0.3));
    worst_lean = tap_max(worst_lean, fabs(with.normal[1]));
  }
  tap_ok(lost == 0, "along a line of vertices the contact is never lost");
  tap_near(worst, 0.0, 1e-15, "along a line of vertices the reach is equal with and without hints");
  tap_near(worst_normal, 0.0, 1e-12, "along a line of vertices the normal is equal with and without hints");
  tap_near(worst_lean, 0.0, 1e-12,
           "along a line of vertices the normal does not lean to the side, in spite of the diagonals");
  /* a chord of h = 0.1 m is up to h^2/8 times the curvature (pi/20)^2 1 m away from the curve */
  tap_near(worst_reach, 0.0, 0.01 / 8.0 * VD_PI * VD_PI / 400.0,
           "along a line of vertices the reach is the distance to the curve");
  finish(&w);
}

/* Checks discs over the vertices of a polygon in a cylinder: the normals belong to the transverse edges, not to the
 * diagonals. */
static void test_over_vertices(void) {
  world w;
  const sheet s = {.place = sheet_loop, .width = 4.0, .radius = 10.0, .angle = 2.0 * VD_PI};
  double worst = 0.0;
  int found = 0;
  make_sheet(&w, &s, 72, 4, VD_MESH_FLAT);
  for (int n = 0; n < 500; n++) {
    double angle = 0.3 + 0.01 * n;
    vd_contact_point contact;
    int hint = -1;
    vd_disc disc = {
        .centre = {10.3 * sin(angle), 1.0, 10.0 - 10.3 * cos(angle)}, .axle = {0.0, 1.0, 0.0}, .radius = 0.4};
    found += vd_mesh_contact(w.mesh, &disc, &hint, &contact);
    worst = tap_max(worst, fabs(contact.normal[1]));
  }
  tap_ok(found == 500, "over the vertices of a cylinder every disc finds a contact point");
  tap_near(worst, 0.0, 1e-12, "over the vertices of a cylinder no normal leans to the side");
  finish(&w);
}

/* Checks triangles that do not share vertices: hints must not keep the contact point at the end of the first
 * triangle. */
static void test_unshared(void) {
  world w;
  vd_buf text = {0};
  int hint = -1, lost = 0;
  double worst = 0.0;
  for (int i = 0; i < 40; i++)
    vd_buf_printf(&text, "v %d -1 0\nv %d -1 0\nv %d 1 0\nf -3 -2 -1\nv %d -1 0\nv %d 1 0\nv %d 1 0\nf -3 -2 -1\n", i,
                  i + 1, i + 1, i, i + 1, i);
  make(&w, &text, VD_MESH_FLAT);
  for (int n = 0; n < 3900; n++) {
    vd_disc disc = {.centre = {0.5 + 0.01 * n, 0.2, 0.25}, .axle = {0.0, 1.0, 0.0}, .radius = 0.35};
    vd_contact_point contact;
    lost += !vd_mesh_contact(w.mesh, &disc, &hint, &contact);
    worst = tap_max(worst, fabs(contact.reach - 0.25));
  }
  tap_ok(lost == 0, "over triangles without common vertices the contact is never lost");
  tap_near(worst, 0.0, 1e-14, "over triangles without common vertices the reach is the height");
  finish(&w);
  vd_buf_finish(&text);
}

/* Checks a ramp of small triangles on a square kilometre of two triangles. */
static void test_sizes(void) {
  enum { STEPS = 2000 };
  world w;
  vd_buf text = {0};
  const sheet s = {.place = sheet_ramp, .length = 10.0, .width = 5.0, .height = 1.0};
  int lost = 0;
  sheet_write(&s, 200, 100, 0, false, &text);
  vd_buf_puts(&text, "v -500 -500 -0.01\nv 500 -500 -0.01\nv 500 500 -0.01\nv -500 500 -0.01\nf -4 -3 -2 -1\n");
  make(&w, &text, VD_MESH_FLAT);
  double started = now();
  for (int n = 0; n < STEPS; n++) {
    vd_disc disc = {.centre = {-20.0 + 0.02 * n, 0.1, 0.29}, .axle = {0.0, 1.0, 0.0}, .radius = 0.35};
    vd_contact_point contact;
    int hint = -1;
    if (disc.centre[0] > 0.0 && disc.centre[0] < 10.0)
      disc.centre[2] = 0.5 * (1.0 - cos(VD_PI * disc.centre[0] / 10.0)) + 0.3;
    lost += !vd_mesh_contact(w.mesh, &disc, &hint, &contact) || !(fabs(contact.reach - 0.3) <= 0.0101);
  }
  /* the ramp begins 1 cm above the ground; upright over its slope of pi/20 the distance is 4 mm shorter */
  tap_ok(lost == 0, "a fine ramp on two large triangles: the contact is never lost");
  tap_diag("%.0f ns without hints", 1e9 * (now() - started) / STEPS);
  finish(&w);
  vd_buf_finish(&text);
}

/* Checks a floor, and a ceiling 0.5 m above it. */
static void test_sheets(void) {
  world w;
  vd_buf text = {0};
  vd_contact_point contact;
  vd_buf_puts(&text,
              "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3 4\nv 0 0 0.5\nv 9 0 0.5\nv 9 9 0.5\nv 0 9 0.5\nf 5 6 7 8\n");
  make(&w, &text, VD_MESH_FLAT);
  vd_disc disc = {.centre = {5.0, 3.0, 0.2}, .axle = {0.0, 1.0, 0.0}, .radius = 0.35};
  int hint = -1;
  bool found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_ok(found && contact.normal[2] == 1.0 && contact.at[2] == 0.0,
         "between floor and ceiling the contact is on the nearer one, the floor");
  disc.centre[2] = 0.3;
  hint = -1;
  found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_ok(found && contact.normal[2] == -1.0 && contact.at[2] == 0.5,
         "between floor and ceiling the contact is on the nearer one, the ceiling");
  disc.centre[2] = 0.1;
  found = vd_mesh_contact(w.mesh, &disc, &hint, &contact);
  tap_ok(found && contact.at[2] == 0.0, "a hint to a triangle out of reach is replaced by a search");
  hint = 1000000;
  tap_ok(vd_mesh_contact(w.mesh, &disc, &hint, &contact) && contact.at[2] == 0.0,
         "a hint that is not the number of a triangle is replaced by a search");
  finish(&w);
  vd_buf_finish(&text);
}

/* Checks smooth normals over a roof: a bend of 20 deg is a curve, a bend of 90 deg an edge. */
static void test_bend(double bend, bool curve) {
  world w;
  vd_buf text = {0};
  vd_contact_point contact[2], over;
  double fall = tan(0.5 * bend);
  vd_buf_printf(&text,
                "v -2 -9 %.17g\nv -2 9 %.17g\nv 0 -9 0\nv 0 9 0\nv 2 -9 %.17g\nv 2 9 %.17g\nf 1 3 4 2\nf 6 4 3 5\n",
                -2.0 * fall, -2.0 * fall, -2.0 * fall, -2.0 * fall); /* the triangles have opposite orientations */
  make(&w, &text, VD_MESH_SMOOTH);
  for (int side = 0; side < 2; side++) { /* 0.1 mm from the ridge, at right angles to either side */
    int hint = -1;
    double x = side == 0 ? -1e-4 : 1e-4, out = (side == 0 ? -1.0 : 1.0) * sin(0.5 * bend);
    vd_disc disc = {.centre = {x + 0.2 * out, 0.3, -fabs(x) * fall + 0.2 * cos(0.5 * bend)},
                    .axle = {0.0, 1.0, 0.0},
                    .radius = 0.3};
    if (!vd_mesh_contact(w.mesh, &disc, &hint, &contact[side]))
      contact[side].normal[0] = NAN;
  }
  vd_disc disc = {.centre = {0.01, 0.3, 0.2}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
  int hint = -1;
  bool found = vd_mesh_contact(w.mesh, &disc, &hint, &over);
  double up = over.normal[0], turn = 2.0 * sin(0.5 * bend);
  if (curve) {
    /* from the ridge to the eaves, 2 m away in x, the normal of each side turns by half the bend: over 1e-4 m by the
     * share 5e-5 */
    tap_near(apart(contact[0].normal, contact[1].normal), 5e-5 * turn, 1e-4 * 5e-5 * turn,
             "smooth, 20 deg: the normal does not jump at the ridge");
    tap_near(found ? up : NAN, 0.0, 1e-14, "smooth, 20 deg: the normal on the ridge is upright");
  } else {
    tap_near(apart(contact[0].normal, contact[1].normal), turn, 1e-12,
             "smooth, 90 deg: the normal jumps by the whole angle at the ridge");
    tap_near(found ? up : NAN, 0.01 / hypot(0.01, 0.2), 1e-14,
             "smooth, 90 deg: the normal on the ridge is the direction to the centre");
  }
  finish(&w);
  vd_buf_finish(&text);
}

int main(void) {
  const sheet ramp = {.place = sheet_ramp, .length = 30.0, .width = 6.0, .height = 3.0};
  const sheet loop = {.place = sheet_loop, .length = 3.0, .width = 5.0, .radius = 10.0, .angle = 2.0 * VD_PI};
  tap_plan(4 * 3 + 5 + 2 + 2 + 1 + 4 + 2 * 2);
  test_hints("coarse ramp", &ramp, 30, 4, 1e-4);
  test_hints("fine ramp", &ramp, 600, 120, 1e-4);
  test_hints("loop", &loop, 120, 5, 1e-4);
  test_hints("fine loop", &loop, 1200, 100, 1e-4);
  test_on_line();
  test_over_vertices();
  test_unshared();
  test_sizes();
  test_sheets();
  test_bend(VD_PI / 9.0, true);
  test_bend(VD_PI / 2.0, false);
  return tap_done();
}
