/* The elastic map of a run against the equilibria that it is made of, at travels, racks and loads of driving: forces of
 * the road within a friction circle of 1.2 times the static load, driven by a shaft or braked on the knuckle, aligning
 * moments of 20 mm of trail, wheel loads up to twice the static one. Toe and camber are within 1e-3 degrees. The energy
 * and its gradient belong together: a difference of the energy by each load is the displacement (Maxwell and Betti). */
#include "kc/elastic_fit.h"
#include "suspension/corner_def.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t seed = 19;

static double uniform(double from, double to) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Toe and camber, degrees, of the wheel turned from the linkage's pose by the map's displacement. */
static void angles_of(const vd_elastic_map *map, const vd_linkage *l, const double *u, vd_elastic_sample at,
                      double *angle) {
  vd_pose rigid;
  double a[3], once[3], twice[3];
  vd_linkage_start(l, &rigid);
  vd_linkage_move(l, u, &rigid);
  vd_elastic_sample_of(map, u[0], u[1], &at);
  for (int i = 0; i < 3; i++)
    a[i] = dot(rigid.turn[i], l->spin_axis);
  double flat = hypot(a[0], a[1]), lean = at.slope[2] / map->unit[2], pitch = at.slope[3] / map->unit[3];
  const double g[3] = {(lean * a[1] + pitch * a[0]) / flat, (pitch * a[1] - lean * a[0]) / flat,
                       at.slope[4] / map->unit[4]};
  for (int i = 0; i < 3; i++)
    once[i] = g[(i + 1) % 3] * a[(i + 2) % 3] - g[(i + 2) % 3] * a[(i + 1) % 3];
  for (int i = 0; i < 3; i++)
    twice[i] = g[(i + 1) % 3] * once[(i + 2) % 3] - g[(i + 2) % 3] * once[(i + 1) % 3];
  for (int i = 0; i < 3; i++)
    a[i] += (once[i] + 0.5 * twice[i]) / (1.0 + 0.25 * dot(g, g));
  vd_spin_axis_angles(a, &angle[0], &angle[1]);
}

static void worse(double *worst, double value) {
  if (!(fabs(value) <= *worst))
    *worst = fabs(value);
}

/* Differences of the energy over 2 h: its terms are of fourth degree, so h^2 times their third derivatives remain. */
static double gradient_error(const vd_elastic_map *map, const double *u, const vd_elastic_sample *at) {
  const double h = 1e-4;
  double worst = 0.0;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    vd_elastic_sample ahead = *at, behind = *at, here = *at;
    ahead.load[j] += h;
    behind.load[j] -= h;
    vd_elastic_sample_of(map, u[0], u[1], &ahead);
    vd_elastic_sample_of(map, u[0], u[1], &behind);
    vd_elastic_sample_of(map, u[0], u[1], &here);
    worse(&worst, ((ahead.energy - behind.energy) / (2.0 * h) - here.slope[j]) / map->unit[j]);
  }
  return worst;
}

static void check(const char *name, double load, double steer) {
  enum { CASES = 60 };
  char path[128];
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  enum vd_map_status status;
  vd_elastic_lost lost;
  double toe = 0.0, camber = 0.0, moved = 0.0, gradient = 0.0;
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool read = vd_corner_read(path, NULL, 0, arena, d, &corner, NULL);
  const vd_linkage_map *kinematic = read ? vd_linkage_map_create(&corner, 0.09, steer, arena, &status) : NULL;
  const vd_elastic_map *map = kinematic ? vd_elastic_map_create(&corner, kinematic, 2.0 * load, arena, &lost) : NULL;
  if (!map) {
    tap_ok(false, "%s: no map", name);
    tap_ok(false, "%s: no map", name);
    return;
  }
  vd_compliance *c = vd_compliance_create(&corner, kinematic->linkage, VD_HOLD_CENTRE);
  for (int k = 0; k < CASES; k++) {
    const double u[VD_INPUTS] = {uniform(-0.07, 0.07), map->rack.cells ? uniform(0.9, -0.9) * map->rack.from : 0.0};
    double grip = 1.2 * load * uniform(0.0, 1.0), way = uniform(0.0, 2.0 * VD_PI), fx = grip * cos(way);
    bool braked = uniform(0.0, 1.0) < 0.5;
    vd_wheel_load acts = {.fx = fx,
                          .fy = grip * sin(way),
                          .fz = uniform(0.0, 2.0) * load,
                          .mz = uniform(-0.02, 0.02) * load,
                          .torque = braked ? -fx * corner.points.static_radius : 0.0,
                          .rolls = true};
    vd_compliance_state state;
    vd_elastic_sample at;
    double truth[2], own[2], rigid[2], a[3];
    vd_pose stiff;
    vd_linkage_start(kinematic->linkage, &stiff);
    vd_linkage_move(kinematic->linkage, u, &stiff);
    state.pose = stiff;
    for (int i = 0; i < 3; i++)
      a[i] = dot(stiff.turn[i], kinematic->linkage->spin_axis);
    vd_spin_axis_angles(a, &rigid[0], &rigid[1]);
    if (!vd_elastic_sample_at(map, c, kinematic->linkage, &stiff, &acts, &state, &at)) {
      toe = INFINITY;
      continue;
    }
    for (int i = 0; i < 3; i++)
      a[i] = dot(state.pose.turn[i], kinematic->linkage->spin_axis);
    vd_spin_axis_angles(a, &truth[0], &truth[1]);
    angles_of(map, kinematic->linkage, u, at, own);
    worse(&toe, (own[0] - truth[0]) * 180.0 / VD_PI);
    worse(&camber, (own[1] - truth[1]) * 180.0 / VD_PI);
    worse(&moved, (truth[0] - rigid[0]) * 180.0 / VD_PI);
    worse(&gradient, gradient_error(map, u, &at));
  }
  tap_ok(toe <= 1e-3 && camber <= 1e-3 && moved > 0.05,
         "%s: toe moves by up to %.2f deg, and is that of the equilibrium within %.1e deg, camber %.1e", name, moved,
         toe, camber);
  tap_near(gradient, 0.0, 1e-9, "%s: displacements are the energy's slopes within %.1e m and rad", name, gradient);
  vd_compliance_destroy(c);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(2 * 7);
  check("dw_front_sedan", 4500.0, 0.5);
  check("mp_front_sedan", 4000.0, 0.6);
  check("mp_front_compact", 3800.0, 0.6);
  check("5link_rear_sedan", 4600.0, 0.0);
  check("multilink_rear_compact", 2900.0, 0.0);
  check("ta_rear_sedan", 3300.0, 0.0);
  check("sta_rear_sedan", 3300.0, 0.0);
  return tap_done();
}
