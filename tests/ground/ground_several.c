/* Several grounds at once: friction, clearance, the topmost surface, meshes, files. */
#include "input/schema.h"
#include "surfaces.h"
#include "tap.h"

/* --- which ground carries a wheel --- */

static void check_friction(void) {
  world w;
  if (!make(&w, "{type: flat, friction: 0.9, also: [{type: ramp, at: 20, length: 4, height: 0.6, friction: 0.5, "
                "patches: [{friction: 0.2, x_from: 23, edge: 0}]}, "
                "{type: loop, at: 50, y: 0, radius: 10, offset: 5, width: 4, friction: 1.2, "
                "patches: [{friction: 0.7, y_from: 1, edge: 0}]}]}"))
    return;
  const struct {
    double at[3], friction;
  } wheels[] = {{{10.0, 0.0, 0.3}, 0.9}, {{22.0, 0.0, 0.55}, 0.5}, {{23.5, 0.0, 0.85}, 0.2},
                {{58.0, 0.9, 4.3}, 1.2}, {{58.0, 1.6, 4.3}, 0.7},  {{26.0, 0.0, 0.3}, 0.9}};
  double lowest, highest;
  for (size_t k = 0; k < VD_COUNT(wheels); k++) {
    vd_disc disc = {.axle = {0.0, 1.0, 0.0}, .radius = 0.35};
    vd_contact_point contact;
    int hint = -1;
    double friction = NAN;
    memcpy(disc.centre, wheels[k].at, sizeof disc.centre);
    vd_ground_contact(&w.ground, &disc, &hint, &contact, &friction);
    tap_near(friction, wheels[k].friction, 0.0,
             "the friction is that of the ground that carries the wheel at %g, %g, %g m", wheels[k].at[0],
             wheels[k].at[1], wheels[k].at[2]);
  }
  vd_ground_friction_range(&w.ground, &lowest, &highest);
  tap_ok(lowest == 0.2 && highest == 1.2, "the range of the friction is that of all grounds");
  finish(&w);

  if (!make(&w, "{type: flat, friction: 0.9, also: [{type: flat, friction: 0.5}, {type: flat, friction: 0.4}]}"))
    return;
  vd_disc disc = {{0.0, 0.0, 0.2}, {0.0, 1.0, 0.0}, 0.3, NULL};
  vd_contact_point contact;
  int hint = -1;
  double friction;
  vd_ground_contact(&w.ground, &disc, &hint, &contact, &friction);
  tap_near(friction, 0.4, 0.0, "of grounds at equal distance the last one carries the wheel");
  finish(&w);
}

/* Mirrored grounds: y and offset change their signs, and so do y of the wheel and of its axle. */
static void check_mirror(void) {
  enum { DISCS = 5000 };
  world left, right;
  if (!make(&left, "{type: loop, at: 20, y: 1, radius: 10, offset: 5, width: 4, entry: 6}") ||
      !make(&right, "{type: loop, at: 20, y: -1, radius: 10, offset: -5, width: 4, entry: 6}"))
    return;
  const box b = {.low = {10.0, -2.0, 0.0}, .high = {36.0, 8.0, 20.5}, .tilt = 1.0};
  double worst = 0.0;
  int found = 0;
  for (int k = 0; k < DISCS; k++) {
    vd_disc a = any_disc(&b), c;
    vd_contact_point fa, fc;
    c = a;
    c.centre[1] = -a.centre[1];
    c.axle[1] = -a.axle[1];
    bool there = find_contact(&left.ground, &a, &fa);
    if (there != find_contact(&right.ground, &c, &fc))
      worst = INFINITY;
    if (!there)
      continue;
    found++;
    worst = tap_max(worst, tap_max(fabs(fa.reach - fc.reach), fabs(fa.at[1] + fc.at[1])));
    worst = tap_max(worst, tap_max(fabs(fa.normal[1] + fc.normal[1]), fabs(fa.normal[0] - fc.normal[0])));
  }
  tap_ok(found > 50, "mirror: %d discs have a contact", found);
  tap_near(worst, 0.0, 1e-12, "mirror: an offset to the other side is the mirror image");
  finish(&left);
  finish(&right);
}

/* --- other questions --- */

static void check_flat_disc(void) {
  world w;
  vd_contact_point contact;
  if (!make(&w, "{}"))
    return;
  vd_disc disc = {{0.0, 0.0, 0.05}, {0.0, 0.0, 1.0}, 0.3, NULL}, over = {{1.0, 2.0, 0.2}, {0.6, 0.0, 0.8}, 0.34, NULL};
  tap_ok(!find_contact(&w.ground, &disc, &contact), "a disc that lies flat on the plane has no contact");
  /* the disc leans by asin(0.8): the reach is 0.2/0.6 along the disc */
  bool there = find_contact(&w.ground, &over, &contact);
  tap_ok(there && fabs(contact.reach - 1.0 / 3.0) < 1e-15 && fabs(contact.distance - 0.2) < 1e-15,
         "the reach of a leaning disc is its height divided by the cosine of the lean");
  tap_near(contact.at[0], 1.0 + 0.2 * 0.8 / 0.6, 1e-15, "the contact point of a leaning wheel is out to the side");
  over.radius = 0.33;
  tap_ok(!find_contact(&w.ground, &over, &contact), "a leaning disc farther away than its radius has no contact");
  finish(&w);

  if (!make(&w, "{type: none}"))
    return;
  vd_road road;
  tap_ok(!find_contact(&w.ground, &over, &contact) && !vd_ground_top(&w.ground, 0.0, 0.0, &road) && road.z == 0.0,
         "over a gap in the ground there is no contact");
  finish(&w);
}

/* Returns the reach from the tangent plane that the levels with upright wheels use. */
static double reach_of_plane(const vd_ground *ground, const vd_disc *disc, double *distance) {
  const double radius[] = {disc->radius, disc->radius, disc->radius, disc->radius};
  const vd_wide3 centre = vd_wide3_repeat(disc->centre), axle = vd_wide3_repeat(disc->axle);
  vd_wide3 normal;
  vd_wide away;
  vd_ground_height_planes(ground, &centre, &axle, radius, &normal, &away);
  double lean = normal.x[0] * disc->axle[0] + normal.y[0] * disc->axle[1] + normal.z[0] * disc->axle[2];
  *distance = away[0];
  return away[0] / sqrt(1.0 - lean * lean);
}

/* Checks that on a ground of heights alone the result equals the search of the levels with upright wheels. */
static void check_heights(void) {
  static const char *const grounds[] = {
      "{type: bump, at: 0, length: 0.5, height: 0.05}", "{type: step, at: 0, height: 0.1}",
      "{type: rough, amplitude: 0.05, wavelength: 2}", "{type: inclined, grade: 0.1, bank: -0.2}"};
  const box b = {.low = {-0.5, -1.0, 0.0}, .high = {1.0, 1.0, 0.5}, .tilt = 0.3};
  for (size_t i = 0; i < VD_COUNT(grounds); i++) {
    world w;
    double worst = 0.0;
    int found = 0;
    if (!make(&w, grounds[i]))
      return;
    for (int k = 0; k < 5000; k++) {
      vd_disc disc = any_disc(&b);
      vd_contact_point c;
      double distance, reach = reach_of_plane(&w.ground, &disc, &distance);
      if (find_contact(&w.ground, &disc, &c) != (reach < disc.radius))
        worst = INFINITY;
      if (!(reach < disc.radius))
        continue;
      found++;
      worst = tap_max(worst, tap_max(fabs(reach - c.reach), fabs(distance - c.distance)));
    }
    tap_ok(found > 100 && worst <= 1e-12, "%s: both searches find the same point (%d discs, %.1e m)",
           vd_ground_type_names[w.def.type], found, worst);
    finish(&w);
  }
}

/* Checks the clearance of points of a body above a plane and a ramp and inside a loop. Above a slope the distance is
 * along its normal. */
static void check_clearance(void) {
  world w;
  const double up[3] = {0.0, 0.0, 1.0};
  double away = NAN, normal[3] = {0.0};
  if (!make(
          &w,
          "{type: inclined, grade: 0.3, also: [{type: loop, at: 100, y: 0, z: 40, radius: 10, offset: 5, width: 4}]}"))
    return;
  double point[3] = {2.0, 1.0, 2.0 * tan(0.3) + 0.5};
  tap_ok(vd_ground_clearance(&w.ground, point, up, 1.0, &away, normal),
         "a point over a slope is within the given distance");
  tap_near(away, 0.5 * cos(0.3), 1e-14, "clearance: the distance is along the normal of the slope");
  point[2] -= 0.7;
  vd_ground_clearance(&w.ground, point, up, 1.0, &away, normal);
  tap_near(away, -0.2 * cos(0.3), 1e-14, "clearance: the distance is negative below a slope");
  vd_loop loop;
  vd_ground_loop(&w.ground, &loop);
  for (int j = 0; j < 3; j++)
    point[j] = loop.apex[j];
  point[2] -= 0.4;
  vd_ground_clearance(&w.ground, point, up, 1.0, &away, normal);
  tap_ok(fabs(away - 0.4) < 1e-13 && fabs(normal[2] + 1.0) < 1e-13,
         "clearance: below the top of a loop the normal points downwards");
  point[2] -= 1.0;
  tap_ok(!vd_ground_clearance(&w.ground, point, up, 1.0, &away, normal),
         "clearance: there is no ground within the range");
  finish(&w);

  if (!make(&w, "{type: rough, amplitude: 0.3, wavelength: 8}"))
    return;
  double worst = 0.0;
  for (int k = 0; k < 200; k++) {
    vd_road road;
    double x = between(-20.0, 20.0), d = between(-0.3, 0.5);
    vd_ground_road(&w.ground, x, 0.0, &road);
    double n = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x);
    double over[3] = {x - d * n * road.slope_x, 3.0, road.z + d * n};
    bool near = vd_ground_clearance(&w.ground, over, up, 1.0, &away, normal);
    worst = tap_max(worst, near ? fabs(away - d) : INFINITY);
  }
  tap_near(worst, 0.0, 1e-8, "clearance: the distance of a point on a normal of waves is that along the normal");
  finish(&w);
}

static void check_top(void) {
  world w;
  vd_road road;
  vd_loop loop;
  int type;
  if (!make(&w, "{type: cliff, at: 10, z: 3, drop: 2, also: [{type: ramp, at: 2, z: 3, length: 4, height: 0.8, lip: 1, "
                "y_from: -2, y_to: 2}, {type: loop, at: 20, y: 0, z: 1, radius: 10, offset: 5, width: 4}]}"))
    return;
  const double expected[][4] = {/* x, y, z, slope */
                                {0.0, 0.0, 3.0, 0.0},  {4.0, 0.0, 3.4, 0.4 * VD_PI / 4.0},
                                {6.5, 0.0, 3.8, 0.0},  {4.0, 3.0, 3.0, 0.0},
                                {8.0, 0.0, 3.0, 0.0},  {11.0, 0.0, 1.0, 0.0},
                                {25.0, 0.0, 1.0, 0.0}, {6.5, -2.5, 3.0, 0.0}};
  double worst = 0.0;
  for (size_t k = 0; k < VD_COUNT(expected); k++) {
    bool there = vd_ground_top(&w.ground, expected[k][0], expected[k][1], &road);
    double off = fmax(fabs(road.z - expected[k][2]), fabs(road.slope_x - expected[k][3]));
    worst = tap_max(worst, there ? off : INFINITY);
  }
  tap_near(worst, 0.0, 1e-14, "the topmost surface is the highest one that is no loop");
  tap_ok(vd_ground_surface(&w.def, &type) == VD_SURFACE_OVERHEAD && type == VD_GROUND_LOOP,
         "a loop needs a level at which the car may turn over");
  finish(&w);
  if (!make(&w, "{type: cliff, at: 10, drop: 2}"))
    return;
  tap_ok(vd_ground_surface(&w.def, &type) == VD_SURFACE_HEIGHTS && !vd_ground_loop(&w.ground, &loop),
         "a cliff has heights");
  finish(&w);
  if (!make(&w, "{type: inclined, grade: 0.1}"))
    return;
  tap_ok(vd_ground_surface(&w.def, &type) == VD_SURFACE_PLANE, "a slope is a plane");
  finish(&w);
}

/* Two platforms of 2 m x 2 m, 0.5 m and 1 m high, on flat ground; the hint says which platform carried the wheel. */
static void check_meshes(void) {
  static const char *const name[] = {"ground_surface_low.obj", "ground_surface_high.obj"};
  char text[512];
  world w;
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(name[i], "w");
    double x = 5.0 + 5.0 * i, z = 0.5 + 0.5 * i;
    if (!file)
      return;
    fprintf(file, "v %g -1 %g\nv %g -1 %g\nv %g 1 %g\nv %g 1 %g\nf 1 2 3 4\n", x, z, x + 2.0, z, x + 2.0, z, x, z);
    fclose(file);
  }
  snprintf(text, sizeof text,
           "{type: flat, also: [{type: mesh, file: %s, friction: 0.6}, {type: mesh, file: %s, friction: 0.8}]}",
           name[0], name[1]);
  bool good = make(&w, text);
  for (int i = 0; i < 2; i++)
    remove(name[i]);
  if (!good)
    return;
  const double expected[][4] = {/* x, z, reach, friction */
                                {6.0, 0.7, 0.2, 0.6},
                                {11.3, 1.25, 0.25, 0.8},
                                {11.4, 1.25, 0.25, 0.8},
                                {8.0, 0.2, 0.2, 1.0},
                                {6.5, 0.7, 0.2, 0.6}};
  int hint = -1;
  double worst = 0.0;
  for (size_t k = 0; k < VD_COUNT(expected); k++) {
    vd_disc disc = {{expected[k][0], 0.3, expected[k][1]}, {0.0, 1.0, 0.0}, 0.3, NULL};
    vd_contact_point contact = {.reach = NAN};
    double friction = NAN;
    bool there = vd_ground_contact(&w.ground, &disc, &hint, &contact, &friction);
    double off = fmax(fabs(contact.reach - expected[k][2]), fabs(friction - expected[k][3]));
    worst = tap_max(worst, there && (hint >= 0) == (expected[k][3] < 1.0) ? off : INFINITY);
  }
  tap_near(worst, 0.0, 1e-14,
           "meshes: each wheel has the friction of the mesh that carries it, and a hint only on meshes");
  double away = NAN, normal[3], point[3] = {11.0, 0.3, 1.4};
  vd_road road;
  vd_ground_clearance(&w.ground, point, (const double[3]){0.6, 0.0, 0.8}, 0.5, &away, normal);
  tap_near(away, 0.4, 1e-14, "meshes: the clearance of a point is along the given direction");
  vd_ground_top(&w.ground, 11.0, 0.3, &road);
  tap_near(road.z, 1.0, 1e-12, "meshes: the topmost surface is the platform");
  finish(&w);
}

/* Checks that a written ground is read and written again to the same bytes. */
static void check_round_trip(void) {
  world w, again;
  vd_buf first = {0}, second = {0};
  if (!make(
          &w,
          "{type: oval, at: 0, y: 0, length: 300, radius: 60, width: 12, bank: 0.3, transition: 50, also: ["
          "{type: banked, x: 1, y: 2, radius: 40, bank: 0.2, inner: 30}, {type: cliff, at: 4, drop: 2}, {type: none}, "
          "{type: ramp, at: 3, length: 4, height: 0.6, y_to: 3}, "
          "{type: loop, at: 20, y: 1, radius: 10, offset: -5, width: 4, entry: 6, patches: [{friction: 0.2, x_to: "
          "3}]}]}"))
    return;
  vd_schema_write(&vd_ground_schema, &w.def, &first);
  if (make(&again, first.text))
    vd_schema_write(&vd_ground_schema, &again.def, &second);
  tap_str(second.text, first.text, "all grounds are read and written again to the same bytes");
  vd_buf_finish(&first);
  vd_buf_finish(&second);
  finish(&w);
  finish(&again);
}

/* Checks that these shipped grounds are valid and written as they were read. */
static void check_shipped(void) {
  static const char *const names[] = {"ramp", "cliff", "loop", "loop_eased"};
  for (size_t i = 0; i < VD_COUNT(names); i++) {
    char path[64];
    vd_buf first = {0}, second = {0};
    world w = {.arena = vd_arena_create(), .diag = vd_diag_create()}, again;
    snprintf(path, sizeof path, "scenarios/grounds/%s.yaml", names[i]);
    if (vd_schema_read(&vd_ground_schema, path, NULL, 0, w.arena, w.diag, &w.def, &w.root)) {
      vd_ground_complete(&w.def, w.root, "", w.arena, w.diag);
      vd_ground_check(&w.def, w.root, "", w.diag);
      vd_schema_write(&vd_ground_schema, &w.def, &first);
    }
    if (vd_diag_errors(w.diag) == 0 && make(&again, first.text)) {
      vd_schema_write(&vd_ground_schema, &again.def, &second);
      finish(&again);
    }
    tap_str(second.text, first.text, "%s: the ground is valid, and unchanged when written and read again", path);
    vd_buf_finish(&first);
    vd_buf_finish(&second);
    finish(&w);
  }
}

int main(void) {
  tap_plan(8 + 2 + 5 + 4 + 6 + 4 + 3 + 1 + 4);
  check_friction();
  check_mirror();
  check_flat_disc();
  check_heights();
  check_clearance();
  check_top();
  check_meshes();
  check_round_trip();
  check_shipped();
  return tap_done();
}
