/* The maps of all shipped suspensions, compared with the closed linkages: the accuracy that vdsim-scenario(5) states.
 * Between nodes at a distance h the error of a cubic spline is 5/384 h^4 f''''. If a rod turns an arm r by the angle
 * f(s) of its shift s, f' = 1/(r cos f), f'''' grows as cos^-7 of f. Therefore errors are greater near a lock, where
 * rods are near their dead points. */
#include "linkage/corner_def.h"
#include "linkage/linkage_map.h"
#include "tap.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The default of steering.max_angle and its margin (vehicle_link.c). */
static const double lock = 0.5 * 1.02; /* rad */

/* Largest differences of a map from its linkage. */
typedef struct worst {
  double angle, place; /* rad, m */
} worst;

static void compare(const vd_linkage_map *map, double travel, double second, double gear, worst *w) {
  vd_corner_pose mapped, exact;
  vd_linkage_map_at(map, travel, second, &mapped);
  if (map->knuckle)
    vd_knuckle_map_at(map, travel, second, gear, &mapped);
  if (!vd_linkage_exact_at(map, travel, second, gear, &exact))
    abort();
  for (int k = VD_MAP_X; k <= VD_MAP_AXLE_Z; k++) {
    double *to = k < VD_MAP_AXLE_X ? &w->place : &w->angle;
    *to = tap_max(*to, fabs(mapped.value[k] - exact.value[k]));
  }
}

/* Returns the i-th of places over the whole range, by steps that do not divide the range. */
static double place(int i, double step, const vd_axis *axis) {
  double share = i * step - floor(i * step);
  return axis->from + share * axis->cells * axis->step;
}

/* Compares a map with its linkage up to a mean angle of the steered wheels. */
static worst compare_all(const vd_linkage_map *map, double most) {
  enum { PLACES = 1000 };
  worst w = {.angle = 0.0};
  for (int i = 0; i < PLACES; i++) {
    double slope, rack = map->steer ? vd_linkage_rack(map, most * cos(1.7 * i), &slope) : 0.0;
    compare(map, place(i, 0.6180339887, &map->travel), map->joined ? place(i, 0.7548776662, &map->travel) : rack,
            map->knuckle ? rack : 0.0, &w);
  }
  return w;
}

int main(void) {
  glob_t files;
  if (glob("scenarios/suspensions/*.yaml", 0, NULL, &files) != 0)
    return 2;
  tap_plan(2 * (int)files.gl_pathc);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const char *path = files.gl_pathv[i], *name = strrchr(path, '/') + 1;
    vd_arena *arena = vd_arena_create();
    vd_diag *d = vd_diag_create();
    vd_corner corner;
    enum vd_map_status status = VD_MAP_OK;
    bool read = vd_corner_read(path, NULL, 0, arena, d, &corner, NULL);
    const vd_linkage_map *map = read ? vd_linkage_map_create(&corner, 0.09, lock, arena, &status) : NULL;
    if (read && !map && status == VD_MAP_STEER)
      map = vd_linkage_map_create(&corner, 0.09, 0.0, arena, &status);
    if (!map)
      abort();
    worst w = compare_all(map, 0.75 * lock), end = compare_all(map, lock);
    tap_ok(w.angle <= 1e-6 && w.place <= 1e-6, "%s: maps and linkage agree within 1e-6 rad and 1e-6 m (%.1e, %.1e)",
           name, w.angle, w.place);
    tap_ok(end.angle <= 2e-5 && end.place <= 2e-6,
           "up to the lock, maps and linkage agree within 2e-5 rad and 2e-6 m (%.1e, %.1e)", end.angle, end.place);
    vd_diag_destroy(d);
    vd_arena_destroy(arena);
  }
  globfree(&files);
  return tap_done();
}
