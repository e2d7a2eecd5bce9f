/* The contact point of a wheel on heights is the nearest point of the road in the disc's plane: every hollow is found.
 *
 * Expectations: the least distance over places of the disc's plane at intervals of radius/1000, with a golden section
 * around the nearest of them. The search for it uses heights alone, and none of the bounds of the code under test. The
 * least distance to a surface changes by no more than the disc moves. This holds only for the nearest point: if the
 * code misses a hollow, or finds it late, the distance of a disc that moves in small steps jumps. */
#include "surfaces.h"
#include "tap.h"

/* --- the reference --- */

typedef struct plane_of_disc {
  double ahead[2], aside[2], down;
} plane_of_disc;

static plane_of_disc plane_of(const vd_disc *disc) {
  const double *a = disc->axle;
  double level = hypot(a[0], a[1]);
  return (plane_of_disc){{a[1] / level, -a[0] / level}, {a[2] * a[0] / level, a[2] * a[1] / level}, level};
}

/* Returns the distance from the centre to the point of the road that lies in the disc's plane, s ahead of the centre.
 * Newton's method finds its depth below the centre. */
static double away_at(const vd_ground *ground, const vd_disc *disc, const plane_of_disc *p, double s, double *depth) {
  double w = *depth;
  for (int round = 0; round < 50; round++) {
    vd_road road;
    vd_ground_road(ground, disc->centre[0] + s * p->ahead[0] + w * p->aside[0],
                   disc->centre[1] + s * p->ahead[1] + w * p->aside[1], &road);
    double gap = disc->centre[2] - p->down * w - road.z;
    double move = gap / (p->down + road.slope_x * p->aside[0] + road.slope_y * p->aside[1]);
    w += move;
    if (!(fabs(move) > 1e-13))
      break;
  }
  *depth = w;
  return sqrt(s * s + w * w);
}

/* Returns the least distance; infinite if no point of the road is found. */
static double least_away(const vd_ground *ground, const vd_disc *disc) {
  enum { SIDE = 1000 };
  const double golden = 0.6180339887498949;
  plane_of_disc p = plane_of(disc);
  double depth = 0.0, best = INFINITY, at = 0.0, at_depth = 0.0, step = disc->radius / SIDE;
  for (int i = -SIDE; i <= SIDE; i++) {
    double away = away_at(ground, disc, &p, i * step, &depth);
    if (away < best) {
      best = away;
      at = i * step;
      at_depth = depth;
    }
  }
  double low = at - step, high = at + step, x = at_depth, y = at_depth;
  for (int i = 0; i < 50; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double here = away_at(ground, disc, &p, a, &x), there = away_at(ground, disc, &p, b, &y);
    best = tap_min(best, tap_min(here, there));
    if (here < there)
      high = b;
    else
      low = a;
  }
  return best;
}

/* --- discs anywhere --- */

typedef struct place {
  const char *name, *text;
  double low[2], high[2]; /* m: x and y of the centres */
} place;

/* Shipped grounds with heights, and more difficult ones. */
static const place places[] = {
    {"kerb", "{base: scenarios/grounds/kerb.yaml}", {19.5, -1.0}, {20.7, 1.0}},
    {"kerb, 0.12 m", "{type: step, at: 20, height: 0.1, edge: 0.12}", {19.5, -1.0}, {20.6, 1.0}},
    {"kerb, left", "{base: scenarios/grounds/kerb_left.yaml}", {19.5, 0.0}, {20.7, 0.6}},
    {"drop", "{type: step, at: 20, height: -0.2, edge: 0.25, y_from: 0, side_edge: 0.4}", {19.5, -0.4}, {20.7, 0.4}},
    {"bump", "{base: scenarios/grounds/bump.yaml}", {19.5, -1.0}, {21.0, 1.0}},
    {"dip", "{type: bump, at: 20, length: 0.4, height: -0.1, y_to: 0.2}", {19.5, -1.0}, {21.0, 1.0}},
    {"potholes", "{base: scenarios/grounds/potholes.yaml}", {19.4, -1.2}, {20.6, -0.3}},
    {"pothole, 0.1 m",
     "{type: potholes, places: [[20, 0]], depth: 0.08, length: 0.6, width: 0.5, edge: 0.1}",
     {19.4, -0.4},
     {20.6, 0.4}},
    {"washboard", "{base: scenarios/grounds/washboard.yaml}", {30.0, -1.0}, {40.0, 1.0}},
    {"short washboard",
     "{type: washboard, x_from: 0, x_to: 5, amplitude: 0.02, wavelength: 0.2}",
     {0.0, -1.0},
     {5.0, 1.0}},
    {"sweep", "{base: scenarios/grounds/sweep.yaml}", {20.0, -1.0}, {140.0, 1.0}},
    {"steep sweep",
     "{type: sweep, at: 0, length: 20, amplitude: 0.1, n_from: 0.5, n_to: 8, logarithmic: true, constant_slope: true}",
     {0.0, -1.0},
     {20.0, 1.0}},
    {"rough", "{base: scenarios/grounds/rough.yaml}", {0.0, -1.0}, {30.0, 1.0}},
    {"short rough", "{type: rough, amplitude: 0.02, wavelength: 0.5, grade: 0.1}", {0.0, -1.0}, {30.0, 1.0}},
    {"class A", "{base: scenarios/grounds/iso8608_a.yaml}", {0.0, -1.0}, {900.0, 1.0}},
    {"class C", "{base: scenarios/grounds/iso8608_c.yaml}", {0.0, -1.0}, {900.0, 1.0}},
    {"class E", "{base: scenarios/grounds/iso8608_e.yaml}", {-50.0, -1.0}, {1500.0, 1.0}},
    {"class G", "{type: iso8608, class: G, length: 100, seed: 3, bank: 0.1}", {-50.0, -1.0}, {150.0, 1.0}},
    {"hill", "{base: scenarios/grounds/hill.yaml}", {-5.0, -25.0}, {70.0, 25.0}},
    {"round hill", "{base: scenarios/grounds/round_hill.yaml}", {-30.0, -30.0}, {30.0, 30.0}},
    {"rocks",
     "{type: heightmap, x_values: [0, 0.3, 0.6, 0.9, 1.2], y_values: [0, 0.4, 0.8, 1.2], heights: [0, 0.1, 0.3, 0.1, "
     "0, 0.1, 0, 0.2, 0.3, 0.1, 0, 0.3, 0.1, 0, 0, 0.1, 0.1, 0.4, 0.3, 0]}",
     {-0.3, -0.3},
     {1.5, 1.5}},
    {"slabs",
     "{type: heightmap, interpolation: bilinear, x_values: [0, 0.3, 0.6, 0.9, 1.2], y_values: [0, 0.4, 0.8, 1.2], "
     "heights: [0, 0.1, 0.3, 0.1, 0, 0.1, 0, 0.2, 0.3, 0.1, 0, 0.3, 0.1, 0, 0, 0.1, 0.1, 0.4, 0.3, 0]}",
     {-0.3, -0.3},
     {1.5, 1.5}},
    {"turn", "{base: scenarios/grounds/banked_turn.yaml}", {-5.0, -5.0}, {5.0, 5.0}},
    {"sharp turn",
     "{type: banked, x: 0, y: 15, radius: 15, bank: 0.6, inner: 12, outer: 18, side_edge: 0.3}",
     {-4.0, -4.0},
     {4.0, 4.0}},
    {"oval", "{base: scenarios/grounds/oval.yaml}", {-40.0, -10.0}, {300.0, 100.0}},
    {"sharp oval",
     "{type: oval, at: 0, y: 0, length: 40, radius: 12, width: 8, bank: 0.6, transition: 15, side_edge: 0.25}",
     {-10.0, -6.0},
     {50.0, 30.0}},
};

/* Returns a random disc: any steering angle, a lean of up to 0.4 rad, its centre 0.3 to 1.2 radii above the road. */
static vd_disc any(const vd_ground *ground, const place *p) {
  double radius = between(0.2, 0.5), steer = between(-VD_PI, VD_PI), lean = between(-0.4, 0.4);
  vd_disc disc = {.centre = {between(p->low[0], p->high[0]), between(p->low[1], p->high[1]), 0.0},
                  .axle = {cos(lean) * cos(steer), cos(lean) * sin(steer), sin(lean)},
                  .radius = radius};
  vd_road road;
  vd_ground_road(ground, disc.centre[0], disc.centre[1], &road);
  disc.centre[2] = road.z + radius * between(0.3, 1.2);
  return disc;
}

/* Returns the largest deviation, m, of the contact point from the road, from the disc's plane, and from the returned
 * distance to the centre. */
static double off(const vd_ground *ground, const vd_disc *disc, const vd_contact_point *contact) {
  double out[3];
  vd_road road;
  vd_ground_road(ground, contact->at[0], contact->at[1], &road);
  for (int j = 0; j < 3; j++)
    out[j] = disc->centre[j] - contact->at[j];
  return fmax(fmax(fabs(contact->at[2] - road.z), fabs(dot(out, disc->axle))),
              fabs(sqrt(dot(out, out)) - contact->reach));
}

static void check_nearest(const place *p) {
  enum { DISCS = 200 };
  world w;
  int found = 0;
  double farther = 0.0, nowhere = 0.0;
  if (!make(&w, p->text)) {
    tap_ok(false, "%s: the ground is valid", p->name);
    return;
  }
  for (int k = 0; k < DISCS; k++) {
    vd_disc disc = any(&w.ground, p);
    vd_contact_point contact;
    double least = least_away(&w.ground, &disc);
    bool there = find_contact(&w.ground, &disc, &contact);
    if (least < disc.radius - 1e-6 && !there)
      farther = INFINITY;
    if (!there)
      continue;
    found++;
    farther = tap_max(farther, contact.reach - least);
    nowhere = tap_max(nowhere, off(&w.ground, &disc, &contact));
  }
  tap_ok(found > DISCS / 2, "%s: %d of %d discs have a contact", p->name, found, (int)DISCS);
  tap_ok(farther <= 1e-8, "%s: no contact point is farther than the nearest place (%.1e m)", p->name, farther);
  tap_ok(nowhere <= 1e-7, "%s: all contact points are on the road and in the disc's plane (%.1e m)", p->name, nowhere);
  finish(&w);
}

/* Checks a disc that moves straight ahead in its plane, level, close to the road: over a step the distance changes by
 * no more than the step. */
static void check_steady(const place *p) {
  enum { WAYS = 10, STEPS = 1000 };
  const double step = 1e-3; /* m */
  world w;
  double worst = 0.0;
  long touching = 0;
  if (!make(&w, p->text)) {
    tap_ok(false, "%s: the ground is valid", p->name);
    return;
  }
  for (int k = 0; k < WAYS; k++) {
    vd_disc disc = any(&w.ground, p);
    plane_of_disc plane = plane_of(&disc);
    double last = NAN;
    for (int i = 0; i < STEPS; i++) {
      vd_contact_point contact;
      bool there = find_contact(&w.ground, &disc, &contact);
      double reach = there ? contact.reach : disc.radius;
      worst = i > 0 ? tap_max(worst, fabs(reach - last)) : worst;
      last = reach;
      touching += there;
      if (reach < 0.1 * disc.radius) /* soon the centre is in the road */
        break;
      disc.centre[0] += step * plane.ahead[0];
      disc.centre[1] += step * plane.ahead[1];
    }
  }
  tap_ok(touching > 0 && worst <= step * (1.0 + 1e-5), "%s: over steps of 1 mm the reach changes by %.4f mm at most",
         p->name, 1e3 * worst);
  finish(&w);
}

int main(void) {
  enum { N = (int)VD_COUNT(places) };
  tap_plan(4 * N);
  for (int i = 0; i < N; i++) {
    check_nearest(&places[i]);
    check_steady(&places[i]);
  }
  return tap_done();
}
