/* Linkages in a vehicle: what they need for driving, and their maps. */
#include "kc/compliance.h"

#include "base/elementary.h"
#include "vehicle/vehicle_def.h"

#include <math.h>
#include <stdio.h>

static const double same_track = 1e-3;      /* m, by which track and wheel centres may differ without a warning */
static const double over_stop = 0.03;       /* m of travel beyond the gap of a stop that is mapped */
static const double without_stop = 0.15;    /* m of travel that is mapped without one */
static const double steering_margin = 1.02; /* by which the rack goes beyond the largest steering angle */

typedef struct linking {
  vd_vehicle_def *v;
  const vd_node *root;
  const char *path;
  vd_arena *arena;
  vd_diag *d;
} linking;

static vd_place place_of(const linking *l, int axle, const char *what) {
  char key[96];
  snprintf(key, sizeof key, "%s%s%s.%s", l->path, *l->path ? "." : "", axle == VD_FRONT ? "front" : "rear", what);
  return vd_tree_place(l->root, key);
}

static bool steers(const vd_hardpoints *points) {
  for (int i = 0; i < points->members; i++)
    if (points->member[i].steered)
      return true;
  return false;
}

/* False: the vehicle cannot be driven with it. */
static bool suits(const linking *l, int a) {
  const vd_axle_def *axle = &l->v->axle[a];
  const vd_corner *corner = axle->corner;
  static const char *const axle_name[] = {"front", "rear"};
  if (!corner) {
    vd_error(l->d, place_of(l, a, "linkage"), "wheels on linkages need that of the %s axle: a suspension file",
             axle_name[a]);
    return false;
  }
  const vd_linkage_traits *traits = vd_linkage_traits_of(corner->points.type);
  size_t before = vd_diag_errors(l->d);
  if (traits->beam || traits->axle)
    vd_error(l->d, place_of(l, a, "linkage"), "level L4 needs a linkage for each wheel, not '%s', which joins both",
             vd_linkage_type_names[corner->points.type]);
  if (a == VD_FRONT && !steers(&corner->points))
    vd_error(l->d, place_of(l, a, "linkage"), "the front linkage has no tie rod to steer by");
  if (corner->inboard_brakes)
    vd_error(l->d, place_of(l, a, "linkage"), "level L4 has brakes on the knuckles, not inboard");
  double off = 2.0 * fabs(corner->points.wheel_center[1]) - axle->track;
  if (!(fabs(off) <= same_track))
    vd_warning(l->d, place_of(l, a, "track"),
               "the linkage's wheel centres are %.4g m apart, the track is %.4g m; the track counts",
               2.0 * fabs(corner->points.wheel_center[1]), axle->track);
  return vd_diag_errors(l->d) == before;
}

static double travel_of(const vd_suspension_def *s) {
  double up = s->bump_stop.stiffness > 0.0 ? s->bump_stop.gap + over_stop : without_stop;
  double down = s->rebound_stop.stiffness > 0.0 ? s->rebound_stop.gap + over_stop : without_stop;
  return vd_max(up, down);
}

/* Warns if links lock within a travel that the stops do not prevent: a run does not end there. */
static void warn_of_lock(const linking *l, int a, double wanted) {
  const vd_axis *travel = &l->v->axle[a].map->travel;
  double from = travel->from, to = from + travel->cells * travel->step;
  if (from > -wanted + 1e-9 || to < wanted - 1e-9)
    vd_warning(
        l->d, place_of(l, a, "linkage"),
        "the linkage locks%s: it is mapped from %.3g to %.3g mm of travel, not to %.3g mm; a wheel that is driven "
        "further has no figures of this linkage",
        a == VD_FRONT ? " at some steering angle" : "", 1e3 * from, 1e3 * to, 1e3 * wanted);
}

static bool map_axle(const linking *l, int a) {
  vd_axle_def *axle = &l->v->axle[a];
  enum vd_map_status status;
  double steer = a == VD_FRONT ? steering_margin * l->v->steering.max_angle : 0.0;
  double travel = travel_of(&axle->suspension);
  axle->map = vd_linkage_map_create(axle->corner, travel, steer, l->arena, &status);
  switch (status) {
  case VD_MAP_OK: warn_of_lock(l, a, travel); break;
  case VD_MAP_SHORT:
    vd_error(l->d, place_of(l, a, "linkage"), "the linkage locks within 30 mm of travel%s",
             a == VD_FRONT ? " at some steering angle" : "");
    break;
  case VD_MAP_STEER:
    vd_error(
        l->d, place_of(l, a, "linkage"),
        "the rack cannot turn the wheels by the largest steering angle of %.3g deg and 2 %%; lower steering.max_angle",
        l->v->steering.max_angle * 180.0 / VD_PI);
    break;
  case VD_MAP_SPRING_SIGN: vd_error(l->d, place_of(l, a, "linkage"), "a spring or damper gets longer in bump"); break;
  }
  return axle->map != NULL;
}

/* The knuckle's turns under forces at the contact patch, at the design position with the wheel centre fixed. */
static void find_compliance(const linking *l, int a) {
  vd_axle_def *axle = &l->v->axle[a];
  static const double design[VD_INPUTS] = {0.0, 0.0};
  static const int column[] = {0, 1, 5}; /* fx, fy, mz */
  enum { ABOUT_X = 3, ABOUT_Z = 5 };
  vd_compliance_state state;
  const vd_patch_load none = {.fx = 0.0};
  vd_compliance *c = vd_compliance_create(axle->corner, axle->map->linkage, VD_HOLD_WHEEL);
  vd_linkage_start(axle->map->linkage, &state.pose);
  if (!c || !vd_compliance_solve(c, design, &none, &state))
    vd_error(l->d, place_of(l, a, "linkage"), "the linkage's bushings do not hold the wheel");
  else
    for (int k = 0; k < 3; k++) {
      axle->steer_compliance[k] = state.flexibility[ABOUT_Z][column[k]];
      axle->camber_compliance[k] = state.flexibility[ABOUT_X][column[k]];
    }
  vd_compliance_destroy(c);
}

void vd_vehicle_link(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  const linking l = {v, root, path, arena, d};
  for (int a = 0; a < VD_AXLES; a++)
    if (suits(&l, a) && map_axle(&l, a))
      find_compliance(&l, a);
}
