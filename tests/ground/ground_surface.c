/* Contact points of wheels of any attitude: loops, ramps, cliffs, banks.
 *
 * Expectations: closed forms if a wheel is upright in the plane of a curve; otherwise a search for the nearest point of
 * the curve in the disc's plane, on the test's own curves; clothoids by quadrature (GSL). For every ground the reach is
 * a potential, and its gradient in the disc's plane is the direction to the centre. */
#include "surfaces.h"
#include "tap.h"

#include <gsl/gsl_integration.h>

/* --- the loop as a curve --- */

static const char *const circle = "{type: loop, at: 20, y: 1, z: 0.5, radius: 10, offset: 5, width: 4}";
static const char *const eased = "{type: loop, at: 20, y: 1, z: 0.5, radius: 10, offset: 5, width: 4, entry: 6}";

static double cosine_of(double s, void *scale) {
  return cos(s * s * *(double *)scale);
}

static double sine_of(double s, void *scale) {
  return sin(s * s * *(double *)scale);
}

static double integral(double (*function)(double, void *), double scale, double length) {
  double value, error;
  size_t count;
  gsl_function f = {.function = function, .params = &scale};
  gsl_integration_qng(&f, 0.0, length, 1e-12, 0.0, &value, &error, &count);
  return value;
}

/* Checks a loop with a clothoid entry, or without one (entry 0): the entry's end, found by quadrature, determines all
 * other points. */
static void check_whole(const char *name, const char *text, double entry) {
  const double radius = 10.0, offset = 5.0, turned = 0.5 * entry / radius;
  double scale = entry > 0.0 ? 0.5 / (radius * entry) : 0.0;
  double x = integral(cosine_of, scale, entry), y = integral(sine_of, scale, entry);
  double half = x - radius * sin(turned), length = 2.0 * VD_PI * radius + entry;
  double psi = asin(offset / (length - 2.0 * half)), height = y + radius * cos(turned);
  world w;
  vd_loop loop;
  tap_ok(make(&w, text), "%s: the ground is valid", name);
  vd_ground_loop(&w.ground, &loop);
  tap_near(loop.skew, psi, 1e-13, "%s: the angle of the path to the cross-section is that by hand", name);
  tap_near(loop.length, length / cos(psi), 1e-11, "%s: the length of the middle is that by hand", name);
  tap_near(loop.centre[2], 0.5 + height, 1e-12, "%s: the height of the centre is that by hand", name);
  tap_near(loop.apex[2], 0.5 + height + radius, 1e-12, "%s: the height of the apex is that by hand", name);
  tap_near(hypot(loop.enter[0] - 20.0, loop.enter[1] - 1.0), 0.0, 0.0, "%s: the entry of the loop is at its place",
           name);
  tap_near(loop.exit[0], 20.0 + 2.0 * half * cos(psi) + length * sin(psi) * tan(psi), 1e-11,
           "%s: the exit of the loop lies ahead by the derived distance", name);
  tap_near(loop.exit[1], 6.0, 1e-12, "%s: the exit of the loop lies to the side by the offset", name);
  tap_near(loop.exit[2], 0.5, 0.0, "%s: the exit of the loop has the height of the entry", name);
  /* halfway along, by symmetry */
  double middle[2] = {0.5 * (loop.enter[0] + loop.exit[0]), 0.5 * (loop.enter[1] + loop.exit[1])};
  tap_near(hypot(loop.apex[0] - middle[0], loop.apex[1] - middle[1]), 0.0, 1e-12, "%s: the apex is in the middle",
           name);
  tap_near(loop.axis[0] * cos(psi) - loop.axis[1] * sin(psi), 0.0, 1e-15, "%s: the axis is turned by the angle", name);
  finish(&w);
}

/* Moves a point straight ahead on a surface: each step is half a step ahead, a reflection of the direction at the
 * tangent plane of the nearest point, and half a step ahead. The steps are tangents of the curve; their sum is longer
 * than the curve by the share (curvature step)^2/12. */
static void go_straight(const vd_ground *ground, double length, int steps, double *at, double *way) {
  const double up[3] = {0.0, 0.0, 1.0};
  double h = length / steps, away, normal[3] = {0.0, 0.0, 1.0};
  for (int i = 0; i < steps; i++) {
    for (int j = 0; j < 3; j++)
      at[j] += 0.5 * h * way[j];
    vd_ground_clearance(ground, at, up, 0.2, &away, normal);
    double into = dot(way, normal);
    for (int j = 0; j < 3; j++) {
      way[j] -= 2.0 * into * normal[j];
      at[j] += 0.5 * h * way[j];
    }
  }
}

/* Checks that a straight path that enters a loop at the distance `side' from the middle leaves it at the same distance,
 * from 10 m before to 10 m behind the loop. In each of the two steps in which the curvature begins and ends, the error
 * is at most curvature step^2/2. */
static void check_geodesic(const char *name, const char *loop_text, double side) {
  enum { STEPS = 20000 };
  char text[256];
  world w;
  vd_loop loop;
  snprintf(text, sizeof text, "{type: inclined, also: [%s, {type: cliff, at: 1000, z: 0.5, drop: 1}]}", loop_text);
  if (!make(&w, text))
    return;
  vd_ground_loop(&w.ground, &loop);
  double at[3] = {10.0, loop.enter[1] + side, 0.5}, way[3] = {1.0, 0.0, 0.0}, length = loop.length + 20.0;
  double h = length / STEPS, bend = 0.1; /* 1/m */
  double allowed = bend * bend * h * h / 12.0 * length + bend * h * h;
  go_straight(&w.ground, length, STEPS, at, way);
  tap_near(at[1], loop.exit[1] + side, allowed,
           "%s, %g m beside the middle: a straight path leaves the loop at the offset", name, side);
  tap_near(at[0], loop.exit[0] + 10.0, allowed, "%s: a straight path through the loop has the derived length", name);
  tap_near(way[1], 0.0, allowed, "%s: a straight path through the loop ends straight ahead", name);
  finish(&w);
}

static void check_angle(void) {
  world w;
  vd_loop loop;
  if (!make(&w, circle))
    return;
  vd_ground_loop(&w.ground, &loop);
  const double expected[] = {0.0, 0.5, 1.0, -0.5};
  double worst = 0.0;
  for (int k = 0; k < 4; k++) {
    double a = expected[k] * VD_PI, r = 3.0, v = between(-2.0, 2.0);
    double place[3] = {loop.centre[0] + r * sin(a) * loop.axis[1] + v * loop.axis[0],
                       loop.centre[1] - r * sin(a) * loop.axis[0] + v * loop.axis[1], loop.centre[2] - r * cos(a)};
    double angle = NAN;
    vd_ground_loop_angle(&w.ground, place, &angle);
    worst = tap_max(worst, fabs(fabs(angle) - fabs(a)));
    if (k == 1 || k == 3)
      tap_ok(angle * a > 0.0, "loop angle: half way up %s it has its sign", k == 1 ? "ahead" : "behind");
  }
  tap_near(worst, 0.0, 1e-15, "loop angle: it is 0 at the bottom and pi at the top, anywhere along the axis");
  finish(&w);
}

/* --- contact points in closed form --- */

/* Checks wheels that are upright in the cross-section, all around the loop: the contact point lies on the radius
 * through its centre. */
static void check_upright(void) {
  world w;
  vd_loop loop;
  if (!make(&w, circle))
    return;
  vd_ground_loop(&w.ground, &loop);
  double reach = 0.0, place = 0.0, normal = 0.0;
  int found = 0;
  enum { DISCS = 2000 };
  for (int k = 0; k < DISCS; k++) {
    double a = between(0.01, 2.0 * VD_PI - 0.01), r = between(9.71, 10.1);
    double v = tan(loop.skew) * 10.0 * (a - VD_PI) + between(-1.9, 1.9);
    double ahead[3] = {loop.axis[1], -loop.axis[0], 0.0}, out[3] = {sin(a) * ahead[0], sin(a) * ahead[1], -cos(a)};
    vd_disc disc = {.radius = 0.3, .axle = {loop.axis[0], loop.axis[1], 0.0}};
    vd_contact_point contact;
    for (int j = 0; j < 3; j++)
      disc.centre[j] = loop.centre[j] + r * out[j] + v * loop.axis[j];
    if (!find_contact(&w.ground, &disc, &contact))
      continue;
    found++;
    reach = tap_max(reach, tap_max(fabs(contact.reach - (10.0 - r)), fabs(contact.distance - contact.reach)));
    for (int j = 0; j < 3; j++) {
      place = tap_max(place, fabs(contact.at[j] - (loop.centre[j] + 10.0 * out[j] + v * loop.axis[j])));
      normal = tap_max(normal, fabs(contact.normal[j] + out[j]));
    }
  }
  tap_ok(found == DISCS, "upright in the loop: %d of %d wheels have a contact, also upside down and behind the surface",
         found, (int)DISCS);
  tap_near(reach, 0.0, 1e-13, "upright in the loop: reach and distance are R - r");
  tap_near(place, 0.0, 1e-13, "upright in the loop: the contact point is on the radius");
  tap_near(normal, 0.0, 1e-13, "upright in the loop: the normal points to the axis");
  finish(&w);
}

/* --- contact points by search --- */

typedef struct curve {
  void (*at)(double s, double *q); /* m, in axes of the strip */
  bool (*before)(const double *q); /* true on the side that is driven on, near the curve */
  double from, to;                 /* m */
  double first, last;              /* m: range near which wheels are placed */
  double skew;
} curve;

static void on_circle(double s, double *q) {
  q[0] = 10.0 * sin(0.1 * s);
  q[1] = 10.0 - 10.0 * cos(0.1 * s);
}

static void on_ramp(double s, double *q) { /* length 4, height 0.6, lip 0.4 */
  q[0] = fmin(s, 4.4);
  q[1] = s < 4.0 ? 0.3 * (1.0 - cos(VD_PI * s / 4.0)) : fmin(0.6, 5.0 - s);
}

static void on_cliff(double s, double *q) { /* drop 1.5 */
  q[0] = s < 0.0 ? s : fmax(0.0, s - 1.5);
  q[1] = s < 0.0 ? 0.0 : -fmin(s, 1.5);
}

static bool in_circle(const double *q) {
  return hypot(q[0], q[1] - 10.0) < 10.0;
}

static bool over_ramp(const double *q) {
  double place[2];
  on_ramp(q[0], place);
  return q[0] > 4.4 || q[1] > place[1];
}

static bool over_cliff(const double *q) {
  return q[1] > 0.0 || (q[0] > 0.0 && q[1] > -1.5);
}

/* Returns the distance from the disc's centre to the point at which the curve, extended across the strip, meets the
 * disc's plane. */
static double far_from(const curve *c, const double *centre, const double *axle, double s) {
  double q[2];
  c->at(s, q);
  double x = q[0] - centre[0], z = q[1] - centre[2], y = -(x * axle[0] + z * axle[2]) / axle[1];
  return sqrt(x * x + y * y + z * z);
}

static double search(const curve *c, const double *centre, const double *axle) {
  enum { PLACES = 3000 };
  const double golden = 0.6180339887498949;
  double best = INFINITY, step = (c->to - c->from) / PLACES, low = c->from, high = c->to;
  for (int i = 0; i <= PLACES; i++) {
    double s = c->from + i * step, away = far_from(c, centre, axle, s);
    if (away < best) {
      best = away;
      low = fmax(c->from, s - step);
      high = fmin(c->to, s + step);
    }
  }
  for (int i = 0; i < 60; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (far_from(c, centre, axle, a) < far_from(c, centre, axle, b))
      high = b;
    else
      low = a;
  }
  return far_from(c, centre, axle, 0.5 * (low + high));
}

/* True if the reach has the sign of the side (before: the wheel is in front of the surface), and if two points of the
 * body, each in front of or behind the surface, have their effect: none on a wheel in front. A wheel behind was pushed
 * through, with a reach below 0, unless both points are behind, too: then the whole car came from behind. */
static bool sided(const vd_ground *ground, const vd_disc *disc, const vd_contact_point *contact, bool before) {
  bool good = before == (contact->reach >= 0.0);
  for (int kind = 0; kind < 4; kind++) {
    double body[2][3];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
        body[i][j] = contact->at[j] + ((kind >> i) % 2 ? 0.4 : -0.4) * contact->normal[j];
    vd_disc owned = *disc;
    owned.body = (const double(*)[3])body;
    vd_contact_point other;
    good &= find_contact(ground, &owned, &other);
    double sign = !before && kind == 0 ? -1.0 : 1.0;
    good &= other.reach == sign * contact->reach && other.distance == sign * contact->distance &&
            memcmp(other.at, contact->at, sizeof contact->at) == 0;
    for (int j = 0; j < 3; j++)
      good &= other.normal[j] == sign * contact->normal[j];
  }
  return good;
}

/* Checks wheels with steer and camber on both sides of the surface. The strip's axes begin at `origin` and are turned
 * by `turned` about the vertical. The golden section finds the least distance to rounding, but its place only to the
 * square root of rounding. */
static void check_search(const char *name, const char *text, const curve *c, const double *origin, double turned) {
  enum { DISCS = 1200 };
  world w;
  if (!make(&w, text))
    return;
  double worst = 0.0, cosine = cos(turned), sine = sin(turned);
  int found = 0, behind = 0, wrong = 0;
  for (int k = 0; k < DISCS; k++) {
    double q[2], ahead[2], s = between(c->first, c->last), h = 1e-6, axle[3], centre[3];
    c->at(s, q);
    c->at(s + h, ahead);
    double slope[2] = {(ahead[0] - q[0]) / h, (ahead[1] - q[1]) / h}, over = between(-0.29, 0.29);
    double length = hypot(slope[0], slope[1]), steer = between(-0.5, 0.5), camber = between(-0.3, 0.3);
    centre[0] = q[0] - over * slope[1] / length;
    centre[1] = c->skew * s + between(-1.0, 1.0);
    centre[2] = q[1] + over * slope[0] / length;
    axle[0] = -sin(steer);
    axle[1] = cos(steer) * cos(camber);
    axle[2] = cos(steer) * sin(camber);
    vd_disc disc = {{origin[0] + cosine * centre[0] + sine * centre[1],
                     origin[1] - sine * centre[0] + cosine * centre[1], origin[2] + centre[2]},
                    {cosine * axle[0] + sine * axle[1], -sine * axle[0] + cosine * axle[1], axle[2]},
                    0.3,
                    NULL};
    vd_contact_point contact;
    double expected = search(c, centre, axle);
    bool there = find_contact(&w.ground, &disc, &contact);
    if (expected < 0.3 && !there)
      worst = INFINITY;
    if (!there)
      continue;
    found++;
    worst = tap_max(worst, fabs(fabs(contact.reach) - expected));
    const double place[2] = {centre[0], centre[2]};
    behind += !c->before(place);
    wrong += !sided(&w.ground, &disc, &contact, c->before(place));
  }
  tap_ok(found > DISCS / 2 && behind > DISCS / 4, "%s: %d of %d wheels are near, %d of them behind", name, found,
         (int)DISCS, behind);
  tap_ok(wrong == 0, "%s: %d wheels are on the wrong side", name, wrong);
  tap_near(worst, 0.0, 1e-10, "%s: the contact point is the nearest point in the disc's plane", name);
  finish(&w);
}

static void check_searches(void) {
  const double psi = asin(5.0 / (20.0 * VD_PI));
  const curve loop = {on_circle, in_circle, 0.0, 20.0 * VD_PI, 0.0, 60.0, tan(psi)};
  const curve ramp = {on_ramp, over_ramp, 0.0, 5.0, 0.0, 5.0, 0.0};
  const curve cliff = {on_cliff, over_cliff, -5.0, 8.0, -3.0, 7.0, 0.0};
  check_search("loop", circle, &loop, (const double[3]){20.0, 1.0, 0.5}, psi);
  check_search("ramp", "{type: ramp, at: 20, z: -0.2, length: 4, height: 0.6, lip: 0.4}", &ramp,
               (const double[3]){20.0, 0.0, -0.2}, 0.0);
  check_search("cliff", "{type: cliff, at: 15, z: 2, drop: 1.5}", &cliff, (const double[3]){15.0, 0.0, 2.0}, 0.0);
}

/* Checks upright wheels near the edge of a cliff: the contact point is straight below a wheel on top or in the corner
 * below, beside a wheel at the face, and on the edge itself in the quadrant between top and face. */
static void check_edge(void) {
  world w;
  if (!make(&w, "{type: cliff, at: 15, drop: 1.5}"))
    return;
  const double place[][2] = {{-0.1, 0.25}, {0.12, 0.16}, {0.25, -0.4}, {0.2, -1.4}};
  const double expected[][4] = {/* reach, contact point x, z, normal x */
                                {0.25, -0.1, 0.0, 0.0},
                                {0.2, 0.0, 0.0, 0.6},
                                {0.25, 0.0, -0.4, 1.0},
                                {0.1, 0.2, -1.5, 0.0}};
  for (int k = 0; k < 4; k++) {
    vd_disc disc = {{15.0 + place[k][0], 3.0, place[k][1]}, {0.0, 1.0, 0.0}, 0.3, NULL};
    vd_contact_point f = {.reach = NAN};
    find_contact(&w.ground, &disc, &f);
    double off = fmax(fabs(f.reach - expected[k][0]), fabs(f.at[0] - 15.0 - expected[k][1]));
    off = tap_max(off, tap_max(fabs(f.at[2] - expected[k][2]), fabs(f.normal[0] - expected[k][3])));
    off = tap_max(off, tap_max(fabs(f.at[1] - 3.0), fabs(hypot(f.normal[0], f.normal[2]) - 1.0)));
    static const char *const names[] = {"on top", "at the edge", "before the face", "in the corner below"};
    tap_near(off, 0.0, 1e-13, "cliff: the contact of a wheel %s is that by hand", names[k]);
  }
  finish(&w);
}

/* --- laws of every ground --- */

/* Computes the reach after a small displacement along a direction in the disc's plane. False if there is no contact, or
 * if the normal has turned by more than 0.05 rad, as another point is then the nearest. */
static bool moved(const vd_ground *ground, const vd_disc *disc, const double *way, double step,
                  const vd_contact_point *from, double *reach) {
  const double turn = 0.05;
  vd_disc other = *disc;
  vd_contact_point contact;
  for (int j = 0; j < 3; j++)
    other.centre[j] += step * way[j];
  if (!find_contact(ground, &other, &contact) || !(dot(contact.normal, from->normal) > cos(turn)))
    return false;
  *reach = contact.reach;
  return true;
}

/* Checks the gradient in the disc's plane: 1 along the line from the contact point to the centre, 0 across. Where the
 * surface's curvature jumps, or an edge begins, the second derivative jumps by at most 1/reach, and the error of a
 * central difference is a quarter of the step times this jump. The test skips the few discs whose nearest point jumps
 * to another place within the step. */
static void check_gradient(const box *b) {
  enum { DISCS = 40000 };
  const double step = 1e-5, least = 0.1; /* m */
  world w;
  if (!make(&w, b->text))
    return;
  int found = 0, jumps = 0;
  double along = 0.0, across = 0.0, plane = 0.0, size = 0.0, lean = 0.0;
  for (int k = 0; k < DISCS; k++) {
    vd_disc disc = any_disc(b);
    vd_contact_point contact;
    if (!find_contact(&w.ground, &disc, &contact) || !(contact.reach > least))
      continue;
    double out[3], aside[3], ahead[2], beside[2], n = dot(contact.normal, disc.axle);
    for (int j = 0; j < 3; j++)
      out[j] = (disc.centre[j] - contact.at[j]) / contact.reach;
    cross(disc.axle, out, aside);
    plane = tap_max(plane, fabs(dot(out, disc.axle)));
    size = tap_max(size, tap_max(fabs(dot(out, out) - 1.0), fabs(dot(contact.normal, contact.normal) - 1.0)));
    lean = tap_max(lean, fabs(contact.distance - contact.reach * sqrt(1.0 - n * n)));
    if (!moved(&w.ground, &disc, out, step, &contact, &ahead[0]) ||
        !moved(&w.ground, &disc, out, -step, &contact, &ahead[1]) ||
        !moved(&w.ground, &disc, aside, step, &contact, &beside[0]) ||
        !moved(&w.ground, &disc, aside, -step, &contact, &beside[1])) {
      jumps++;
      continue;
    }
    found++;
    along = tap_max(along, fabs((ahead[0] - ahead[1]) / (2.0 * step) - 1.0));
    across = tap_max(across, fabs((beside[0] - beside[1]) / (2.0 * step)));
  }
  double allowed = 0.25 * step * b->bend + 1e-8;
  tap_ok(found > DISCS / 100 && jumps < found / 200 + 1, "%s: %d discs have a contact, at %d it jumps within a step",
         b->name, found, jumps);
  tap_near(fmax(plane, size), 0.0, 1e-12, "%s: contact points are in the discs' planes, and normals have unit length",
           b->name);
  tap_near(lean, 0.0, 1e-12, "%s: distance is reach times the cosine of the lean", b->name);
  tap_near(along, 0.0, allowed, "%s: the reach grows along the line from the contact point", b->name);
  tap_near(across, 0.0, allowed,
           "%s: the reach does not change for displacements across the line from the contact point", b->name);
  finish(&w);
}

/* Checks that a distance changes by no more than the displacement, over seams, edges and from one ground to another. */
static void check_steady(const box *b) {
  enum { WAYS = 20000 };
  world w;
  if (!make(&w, b->text))
    return;
  int found = 0;
  double worst = -INFINITY;
  for (int k = 0; k < WAYS; k++) {
    vd_disc disc = any_disc(b), other = disc;
    vd_contact_point a, c;
    double way[3], random[3], length = between(0.0, 0.1);
    any_way(random);
    cross(disc.axle, random, way);
    make_unit(way);
    for (int j = 0; j < 3; j++)
      other.centre[j] += length * way[j];
    if (!find_contact(&w.ground, &disc, &a) || !find_contact(&w.ground, &other, &c) || a.reach < 0.0 || c.reach < 0.0)
      continue;
    found++;
    worst = tap_max(worst, fabs(a.reach - c.reach) - length);
  }
  tap_ok(found > WAYS / 100 && worst <= 1e-9,
         "%s: in %d displacements the reach changes by no more than the displacement (excess %.1e m)", b->name, found,
         worst);
  finish(&w);
}

/* Checks at any place and attitude: the contact point obeys its definition, or there is no contact and outputs are
 * unchanged. */
static void check_anything(const box *b) {
  enum { DISCS = 100000 };
  world w;
  if (!make(&w, b->text))
    return;
  int bad = 0;
  for (int k = 0; k < DISCS; k++) {
    vd_disc disc = any_disc(b);
    int kind = k % 8, hint = -1;
    if (kind == 0)
      memcpy(disc.axle, (double[3]){0.0, 0.0, k % 16 ? 1.0 : -1.0}, sizeof disc.axle);
    if (kind == 1)
      memcpy(disc.axle, (double[3]){1.0, 0.0, 0.0}, sizeof disc.axle);
    if (kind == 2) /* exactly on seams and edges */
      disc.centre[0] = round(disc.centre[0]);
    if (kind == 3)
      disc.centre[2] = 0.0;
    if (kind == 4)
      disc.axle[0] = 0.0, make_unit(disc.axle);
    vd_contact_point contact = {.reach = -7.0}, untouched = contact;
    double friction = -7.0;
    bool there = vd_ground_contact(&w.ground, &disc, &hint, &contact, &friction);
    double sum = contact.reach + contact.distance + dot(contact.at, contact.normal) + friction;
    if (there)
      bad += !(isfinite(sum) && fabs(dot(contact.normal, contact.normal) - 1.0) < 1e-9 && contact.reach < disc.radius &&
               fabs(contact.distance) <= fabs(contact.reach) + 1e-15 && friction > 0.0);
    else
      bad += memcmp(&contact, &untouched, sizeof contact) != 0 || friction != -7.0;
  }
  tap_ok(bad == 0, "%s: %d of %d discs of any attitude have a wrong contact", b->name, bad, (int)DISCS);
  finish(&w);
}

/* --- the grounds --- */

static const box boxes[] = {
    {"plane and circle",
     "{type: flat, also: [{type: loop, at: 20, y: 1, radius: 10, offset: 5, width: 4}]}",
     {18.0, 0.2, 0.0},
     {27.0, 1.8, 3.0},
     0.7,
     10.0},
    {"plane and eased loop",
     "{type: flat, also: [{type: loop, at: 20, y: 1, radius: 10, offset: 5, width: 4, entry: 6}]}",
     {18.0, 0.2, 0.0},
     {29.0, 1.8, 1.6},
     0.7,
     10.0},
    {"plane and ramp",
     "{type: flat, also: [{type: ramp, at: 20, length: 4, height: 0.6, lip: 0.4}]}",
     {19.0, -5.0, 0.0},
     {25.0, 5.0, 1.0},
     0.7,
     10.0},
    {"cliff", "{type: cliff, at: 20, drop: 1.5}", {19.0, -5.0, -1.6}, {21.0, 5.0, 0.4}, 0.7, 10.0},
    {"turn",
     "{type: banked, x: 0, y: 15, radius: 15, bank: 0.6, inner: 12, outer: 18, side_edge: 2}",
     {-4.0, -5.0, -3.0},
     {4.0, 5.0, 3.0},
     0.7,
     2.0},
    {"oval",
     "{type: oval, at: 0, y: 0, length: 40, radius: 12, width: 8, bank: 0.4, transition: 15, side_edge: 1}",
     {-10.0, -6.0, -2.0},
     {50.0, 30.0, 2.0},
     0.7,
     2.0},
    {"ramp on a bank",
     "{type: inclined, bank: 0.2, also: [{type: ramp, at: 3, z: -0.25, length: 3, height: 0.8}]}",
     {2.0, -1.0, -0.2},
     {7.0, 1.0, 1.0},
     0.5,
     10.0},
};

/* Checks an upright wheel whose centre rolls through the entry at 0.25 m. On the plane the reach is its height; in the
 * circle it is R minus the distance from the centre; on the clothoid the normal begins to turn without a jump. */
static void check_entry(void) {
  for (int kind = 0; kind < 2; kind++) {
    world w;
    double last = 0.25, jump = 0.0, turn = 0.0, before[3] = {0.0, 0.0, 1.0};
    enum { STEPS = 4000 };
    if (!make(&w, boxes[kind].text))
      return;
    for (int k = 0; k < STEPS; k++) {
      vd_disc disc = {{19.0 + 2.0 * k / STEPS, 1.0, 0.25}, {0.0, 1.0, 0.0}, 0.3, NULL};
      vd_contact_point f = {.reach = NAN};
      find_contact(&w.ground, &disc, &f);
      jump = tap_max(jump, fabs(f.reach - last));
      turn = tap_max(turn, sqrt(2.0 * tap_max(0.0, 1.0 - dot(f.normal, before))));
      last = f.reach;
      memcpy(before, f.normal, sizeof before);
    }
    /* the slope at 1 m is at most 1 m/R, and over a step the surface turns by at most step/(R - 0.25 m) */
    double step = 2.0 / STEPS;
    tap_ok(jump <= step * 0.11 && turn <= step / 9.7 + 1e-7, "%s: a wheel rolls in without a jump (%.1e m, %.1e rad)",
           boxes[kind].name, jump, turn);
    finish(&w);
  }
}

int main(void) {
  enum { N = (int)VD_COUNT(boxes) };
  tap_plan(22 + 9 + 3 + 4 + 9 + 4 + 7 * N + 2);
  check_whole("circle", circle, 0.0);
  check_whole("eased loop", eased, 6.0);
  check_geodesic("circle", circle, 0.0);
  check_geodesic("circle", circle, 1.7);
  check_geodesic("eased loop", eased, -1.2);
  check_angle();
  check_upright();
  check_searches();
  check_edge();
  for (int i = 0; i < N; i++) {
    check_gradient(&boxes[i]);
    check_steady(&boxes[i]);
    check_anything(&boxes[i]);
  }
  check_entry();
  return tap_done();
}
