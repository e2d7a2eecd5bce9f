/* Masses of a car. Independent computations:
 *
 * - A body of uniform density has the mass, centre and second moments of a few equal points. A box is equal to eight
 *   points at +- a/(2 sqrt 3), with a its length along each axis (Gauss). A cylinder of length l is equal to two sets
 *   of four points at +- l/(2 sqrt 3), on circles of radius r/sqrt 2. The car with its loads is a cloud of such points;
 *   mass, centre and tensor are sums over the cloud about its own centre, without the parallel axis theorem.
 * - The readings of the scales under a raised car follow from its geometry: the wheel centres and the centre of gravity
 *   are rotated, and the moments about one wheel centre give the other axle's load.
 *
 * Tolerances allow for rounding in sums of some fifty numbers: 1e-12 of the largest number. For results of differences
 * tolerances are larger. */
#include "vehicle/vehicle_def.h"

#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double digits = 1e-12;

typedef struct cloud {
  size_t count;
  double mass[400], at[400][3];
} cloud;

static void point(cloud *c, double mass, double x, double y, double z) {
  const double at[3] = {x, y, z};
  c->mass[c->count] = mass;
  memcpy(c->at[c->count++], at, sizeof at);
}

static void box(cloud *c, double mass, const double *at, const double *size) {
  for (int k = 0; k < 8; k++)
    point(c, mass / 8.0, at[0] + (k & 1 ? 0.5 : -0.5) * size[0] / sqrt(3.0),
          at[1] + (k & 2 ? 0.5 : -0.5) * size[1] / sqrt(3.0), at[2] + (k & 4 ? 0.5 : -0.5) * size[2] / sqrt(3.0));
}

static void cylinder(cloud *c, double mass, const double *at, double radius, double length, int axis) {
  for (int k = 0; k < 8; k++) {
    double place[3] = {at[0], at[1], at[2]}, turn = (k % 4) * 0.5 * VD_PI + 0.3;
    place[axis] += (k < 4 ? 0.5 : -0.5) * length / sqrt(3.0);
    place[(axis + 1) % 3] += radius / sqrt(2.0) * cos(turn);
    place[(axis + 2) % 3] += radius / sqrt(2.0) * sin(turn);
    point(c, mass / 8.0, place[0], place[1], place[2]);
  }
}

/* Adds six equal points, a pair on each axis, that have these principal moments. A pair of points of mass m at +- d on
 * x adds 2 m d^2 to the moments about y and z. */
static void body(cloud *c, double mass, const double *at, const double *moment) {
  for (int k = 0; k < 3; k++) {
    double square = 0.5 * (moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k]) * 3.0 / mass;
    for (int sign = -1; sign <= 1; sign += 2) {
      double place[3] = {at[0], at[1], at[2]};
      place[k] += sign * sqrt(square);
      point(c, mass / 6.0, place[0], place[1], place[2]);
    }
  }
}

/* Computes mass and centre, and the sums of m (y^2 + z^2) ... and of m x y, m x z, m y z about the centre. */
static void sum(const cloud *c, double *mass, double *centre, double *moment, double *product) {
  *mass = 0.0;
  memset(centre, 0, 3 * sizeof *centre);
  memset(moment, 0, 3 * sizeof *moment);
  memset(product, 0, 3 * sizeof *product);
  for (size_t i = 0; i < c->count; i++) {
    *mass += c->mass[i];
    for (int k = 0; k < 3; k++)
      centre[k] += c->mass[i] * c->at[i][k];
  }
  for (int k = 0; k < 3; k++)
    centre[k] /= *mass;
  for (size_t i = 0; i < c->count; i++) {
    double d[3];
    for (int k = 0; k < 3; k++)
      d[k] = c->at[i][k] - centre[k];
    for (int k = 0; k < 3; k++)
      moment[k] += c->mass[i] * (d[(k + 1) % 3] * d[(k + 1) % 3] + d[(k + 2) % 3] * d[(k + 2) % 3]);
    product[0] += c->mass[i] * d[0] * d[1];
    product[1] += c->mass[i] * d[0] * d[2];
    product[2] += c->mass[i] * d[1] * d[2];
  }
}

static void wheels(cloud *c) { /* adds the sedan's wheels */
  for (int i = 0; i < VD_WHEELS; i++)
    point(c, 40.0, i < 2 ? 0.0 : -2.7, vd_is_right(i) ? -0.775 : 0.775, 0.32);
}

static void check_same(const char *what, const vd_vehicle *v, const cloud *sprung) {
  cloud whole = *sprung;
  double mass, centre[3], moment[3], product[3], sprung_mass, own_centre[3], own[3], own_product[3];
  wheels(&whole);
  sum(&whole, &mass, centre, moment, product);
  sum(sprung, &sprung_mass, own_centre, own, own_product);
  tap_near(v->mass, mass, digits * mass, "%s: the mass is %g kg", what, mass);
  tap_near(v->cg_to_front, -centre[0], digits * 3.0, "%s: the centre of gravity is %g m behind the front axle", what,
           -centre[0]);
  tap_near(v->cg_left, centre[1], digits, "%s: the centre of gravity is %g m to the left", what, centre[1]);
  tap_near(v->cg_height, centre[2], digits, "%s: the centre of gravity is %g m high", what, centre[2]);
  tap_near(v->yaw_inertia, moment[2], digits * 1e4, "%s: the yaw inertia of the whole car is %g kg m2", what,
           moment[2]);
  tap_near(v->roll_inertia, own[0], digits * 1e4, "%s: the roll inertia of the sprung mass is %g kg m2", what, own[0]);
  tap_near(v->pitch_inertia, own[1], digits * 1e4, "%s: the pitch inertia of the sprung mass is %g kg m2", what,
           own[1]);
  for (int k = 0; k < VD_PRODUCTS; k++)
    tap_near(v->product[k], own_product[k], digits * 1e4, "%s: product %d of inertia is %g kg m2", what, k,
             own_product[k]);
  double full[3] = {0.0};
  const vd_inertia all = vd_vehicle_total(v);
  for (int k = 0; k < 3; k++)
    full[k] = all.tensor[k][k] - moment[k];
  tap_near(fabs(full[0]) + fabs(full[1]) + fabs(full[2]), 0.0, digits * 1e4,
           "%s: the moments of inertia of the whole car are those of the points", what);
}

static const char sedan[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\n";

/* Adds points for the sprung mass of the shipped sedan. */
static void sedan_body(cloud *c, const vd_vehicle *bare) {
  double ahead = -(1500.0 * 1.2 - 80.0 * 2.7) / 1340.0;
  const double at[3] = {ahead, 0.0, (1500.0 * 0.55 - 160.0 * 0.32) / 1340.0};
  double yaw = 2500.0 - 80.0 * (1.2 * 1.2 + 1.5 * 1.5) - 160.0 * 0.775 * 0.775 - 1340.0 * (1.2 + ahead) * (1.2 + ahead);
  const double moment[3] = {bare->roll_inertia, bare->pitch_inertia, yaw};
  body(c, 1340.0, at, moment);
}

static void check_loads(void) {
  static const double trunk[3] = {-3.4, 0.2, 0.7}, size[3] = {0.9, 1.1, 0.5}, tank[3] = {-2.3, -0.3, 0.35};
  scene *s = scene_make(
      sedan,
      "vehicle.loads=[{mass: 80 kg, at: [-1.3, 0.36, 0.6]}, {mass: 120 kg, at: [-3.4, 0.2, 0.7], shape: box, size: "
      "[0.9, "
      "1.1, 0.5]}, {mass: 45 kg, at: [-2.3, -0.3, 0.35], shape: cylinder, radius: 0.25, length: 0.8, axis: y}, {mass: "
      "30 "
      "kg, at: [-0.4, 0.1, 0.8], shape: body, moment: [2, 3, 4]}, {mass: 300 kg, at: [-2, 0, 1], carried: false}]",
      "vehicle.hitch={at: [-3.6, 0, 0.45], load: 75 kg}", NULL);
  cloud c = {0};
  static const double moment[3] = {2.0, 3.0, 4.0}, box_at[3] = {-0.4, 0.1, 0.8};
  vd_vehicle bare;
  vd_vehicle_dimensions(&s->def.vehicle, &bare);
  sedan_body(&c, &bare);
  point(&c, 80.0, -1.3, 0.36, 0.6);
  box(&c, 120.0, trunk, size);
  cylinder(&c, 45.0, tank, 0.25, 0.8, 1);
  body(&c, 30.0, box_at, moment);
  point(&c, 75.0, -3.6, 0.0, 0.45);
  check_same("loads", &s->model.vehicle, &c);
  scene_free(s);
}

static void check_parts(void) {
  static const double shell[3] = {-1.5, 0.01, 0.6}, size[3] = {3.9, 1.6, 0.9}, engine[3] = {0.1, -0.05, 0.5};
  scene *s =
      scene_make(sedan, "vehicle.mass=auto", "vehicle.cg_to_front=auto", "vehicle.cg_height=auto",
                 "vehicle.yaw_inertia=auto", "vehicle.roll_inertia=auto", "vehicle.pitch_inertia=auto",
                 "vehicle.weights={from: parts, parts: [{mass: 1000 kg, at: [-1.5, 0.01, 0.6], shape: box, size: "
                 "[3.9, 1.6, 0.9]}, {mass: 240 kg, at: [0.1, -0.05, 0.5], shape: cylinder, radius: 0.3, length: "
                 "0.6, axis: x}, {mass: 100 kg, at: [-2.8, 0.2, 0.4]}]}",
                 NULL);
  cloud c = {0};
  box(&c, 1000.0, shell, size);
  cylinder(&c, 240.0, engine, 0.3, 0.6, 0);
  point(&c, 100.0, -2.8, 0.2, 0.4);
  check_same("parts", &s->model.vehicle, &c);
  scene_free(s);
}

/* Returns the load, kg, of the axle that is not raised. The car is rotated about that axle's wheel centres. */
static double lowered_load(double mass, double length, double down, double up, double cg, double height, double lift) {
  /* angle at which the raised wheel centre has risen by `lift`, found by repeated halving of a step */
  double turn = 0.0, step = 0.1;
  for (int k = 0; k < 45; k++, step *= 0.5)
    while (length * sin(turn + step) + (up - down) * cos(turn + step) - (up - down) <= lift)
      turn += step;
  double raised = length * cos(turn) - (up - down) * sin(turn), centre = cg * cos(turn) - (height - down) * sin(turn);
  return mass * (1.0 - centre / raised);
}

static void check_scales(int raised) {
  char weights[300];
  double down = 0.32, up = 0.32, mass = 1496.0, length = 2.7, height = 0.537, behind = raised ? 1.21 : length - 1.21;
  double level[4], side = 0.012, lift = 0.6;
  /* each wheel load of an axle differs from half the axle's load by this axle's share of m y, divided by the track; the
   * front share is 60 % */
  for (int i = 0; i < 4; i++) {
    double axle = mass * (i < 2 ? length - 1.21 : 1.21) / length, across = mass * side / 1.55 * (i < 2 ? 0.6 : 0.4);
    level[i] = 0.5 * axle + (vd_is_right(i) ? -across : across);
  }
  double low = lowered_load(mass, length, down, up, behind, height, lift);
  snprintf(
      weights, sizeof weights,
      "vehicle.weights={from: scales, level: [%.17g, %.17g, %.17g, %.17g], lifted: [%.17g, %.17g], lift: %g, raised: "
      "%s}",
      level[0], level[1], level[2], level[3], 0.4 * low, 0.6 * low, lift, raised ? "rear" : "front");
  scene *s =
      scene_make(sedan, "vehicle.mass=auto", "vehicle.cg_to_front=auto", "vehicle.cg_height=auto", weights, NULL);
  const vd_vehicle *v = &s->model.vehicle;
  tap_near(v->mass, mass, digits * mass, "scales: the mass is %g kg", mass);
  tap_near(v->cg_to_front, 1.21, 1e-11, "scales: the centre of gravity is 1.21 m behind the front axle");
  tap_near(v->cg_left, side, 1e-11, "scales: the centre of gravity is 12 mm to the left");
  /* the height follows from the difference, 27 kg, of the loads on the level (826 or 670 kg) and lifted, which
   * magnifies rounding about 30 times */
  tap_near(v->cg_height, height, 1e-10, "scales: the height is found with the %s axle raised",
           raised ? "rear" : "front");
  scene_free(s);
}

int main(void) {
  tap_plan(2 * 11 + 2 * 4 + 1);
  check_loads();
  check_parts();
  check_scales(1);
  check_scales(0);
  /* wheels of two sizes */
  double height = vd_weights_height(2.7, 0.30, 0.34, 1.2, 0.5, lowered_load(1.0, 2.7, 0.30, 0.34, 1.2, 0.56, 0.5));
  tap_near(height, 0.56, 1e-12, "scales: the height is found with wheels of two sizes");
  return tap_done();
}
