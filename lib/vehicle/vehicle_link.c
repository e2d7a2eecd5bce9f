/* Linkages in a vehicle: checks whether a car can be driven with them, and makes their maps. */
#include "base/cache.h"
#include "base/memory.h"
#include "compliance/compliance.h"
#include "compliance/elastic_fit.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "vehicle/vehicle_def.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* m, greatest difference between lengths of linkage and car that gives no warning */
static const double length_tolerance = 1e-3;
/* greatest difference of other quantities that gives no warning, as a share of the car's value */
static const double share_tolerance = 0.01;
static const double over_stop = 0.03;       /* m, travel beyond the gap of a stop that the map covers */
static const double without_stop = 0.15;    /* m, travel that the map covers if there is no stop */
static const double steering_margin = 1.02; /* factor on the largest steering angle that the map of the rack covers */
/* greatest longitudinal force that the maps cover, as a multiple of the static load */
static const double most_load = 1.8;
static const double reported_angle = 1e-3 * VD_PI / 180.0; /* rad, error of an angle above which a remark is given */
static const double work_tolerance = 0.1; /* relative difference of two compliances that should be equal */
static const double bushing_share = 0.5;  /* share of the wheel rate that bushings may add without a warning */
static const double rack_margin = 1.1;    /* factor on the range of a rack that is made for tables without one */

typedef struct linking {
  vd_vehicle_def *v;
  const vd_node *root;
  const char *path;
  vd_arena *arena;
  vd_diag *d;
} linking;

static vd_place place_of(const linking *l, int axle, const char *what) {
  return vd_tree_place_in(l->root, l->path, "%s.%s", vd_axle_names[axle], what);
}

static bool steers(const vd_hardpoints *points) {
  for (int i = 0; i < points->members; i++)
    if (points->member[i].steered)
      return true;
  return points->steer.given;
}

/* A quantity that both the suspension file and the car give. */
typedef struct cross_check {
  const char *key;  /* key of the axle, for the place */
  const char *what; /* the quantity's name in the suspension file */
  const char *of_car, *unit;
  double linkage, car; /* NAN: not given */
  double same;         /* greatest difference without a warning */
} cross_check;

/* Returns the share of the drive torque that goes to an axle. */
static double drive_share(const vd_drivetrain_def *t, int a) {
  switch ((enum vd_drive)t->drive) {
  case VD_DRIVE_FRONT: return a == VD_FRONT ? 1.0 : 0.0;
  case VD_DRIVE_REAR: return a == VD_FRONT ? 0.0 : 1.0;
  case VD_DRIVE_ALL: break;
  }
  return a == VD_FRONT ? t->front_share : 1.0 - t->front_share;
}

/* Computes the static loads of a wheel and of its spring on a level road. */
static void static_loads(const vd_vehicle_def *v, int a, double *wheel, double *spring) {
  vd_vehicle built;
  vd_vehicle_dimensions(v, &built);
  *spring = 0.5 * built.masses.sprung_share[a] * built.masses.sprung * VD_GRAVITY;
  *wheel = *spring + v->axle[a].unsprung_mass * VD_GRAVITY;
}

/* Compares quantities that both the car and the suspension file give. A run uses the values of the car; a warning is
 * given if the suspension file has another value. */
static void compare(const linking *l, int a) {
  const vd_vehicle_def *v = l->v;
  const vd_axle_def *axle = &v->axle[a];
  const vd_corner *c = axle->corner;
  const vd_brakes *brakes = &v->brakes;
  vd_linkage_figures own = vd_linkage_figures_of(axle);
  double load, spring, by_spring = -c->spring_load * own.spring_ratio; /* load at the wheel by virtual work */
  bool settles = !isnan(axle->spring_load); /* the car may rest in another position than the design position */
  static_loads(v, a, &load, &spring);
  if (settles) {
    load += axle->spring_load - spring;
    spring = axle->spring_load;
  }
  double brake = brakes->load_dependent ? NAN : a == VD_FRONT ? brakes->front_share : 1.0 - brakes->front_share;
  double tyre = axle->tyre.common.vertical_stiffness, far = share_tolerance, radius = vd_axle_loaded_radius(axle);
  double twist = vd_corner_twist_rate(c) * axle->track * axle->track;
  /* clang-format off */
  const cross_check figure[] = {
      {"track",
          "distance of its wheel centres", "track", " m", 2.0 * fabs(c->points.wheel_center[1]), axle->track,
          length_tolerance},
      {"linkage.0.wheel.static_radius", "wheel.static_radius", isnan(axle->loaded_radius)
          ? "wheel_radius" : "loaded_radius", " m", c->points.static_radius, radius, length_tolerance},
      {"linkage.0.wheel_load", "wheel_load", settles ?
          "load of a wheel by its spring_load" : "static load of a wheel", " N", c->wheel_load, load, far * load},
      {"linkage.0.spring.load",
          "spring.load, at the wheel", settles ? "spring_load" : "static load of a spring", " N", by_spring, spring,
          far * spring},
      {"linkage.0.tyre_rate", "tyre_rate", "vertical stiffness of its tyre", " N/m", c->tyre_rate, tyre, far * tyre},
      {"antiroll_stiffness",
          "torsion of its beam, over roll", "antiroll_stiffness", " N m/rad", twist > 0.0 ? twist : NAN,
          axle->antiroll_stiffness, far * twist},
      {"linkage.0.car.wheelbase", "car.wheelbase", "wheelbase", " m", c->wheelbase, v->wheelbase, length_tolerance},
      {"linkage.0.car.cg_height", "car.cg_height", "cg_height", " m", c->cg_height, v->cg_height, length_tolerance},
      {"linkage.0.car.brake_share", "car.brake_share", "share of the brake torque", "", c->brake_share, brake, far},
      {"linkage.0.car.drive_share", "car.drive_share", "share of the drive torque", "", c->drive_share,
          drive_share(&v->drivetrain, a), far},
  };
  /* clang-format on */
  for (size_t i = 0; i < VD_COUNT(figure); i++) {
    const cross_check *f = &figure[i];
    if (fabs(f->linkage - f->car) > f->same)
      vd_warning(l->d, place_of(l, a, f->key),
                 "the linkage has %.4g%s (%s), the car %.4g%s (%s); the run uses the value of the car", f->linkage,
                 f->unit, f->what, f->car, f->unit, f->of_car);
  }
  if (axle->link_masses == VD_LINKS_LUMPED && c->weighed &&
      !(fabs(own.mass - axle->unsprung_mass) <= far * axle->unsprung_mass))
    vd_warning(l->d, place_of(l, a, "linkage.0.mass"),
               "the run uses unsprung_mass, %.4g kg, not the masses of the linkage; write auto to use these masses",
               axle->unsprung_mass);
}

/* Largest steering angle, rad, of rear wheels that are steered by requests alone: 10 degrees, the largest angle of cars
 * on the road. */
static const double requested_steer = 10.0 * VD_PI / 180.0;

/* Returns the largest mean steering angle of an axle, rad; 0: it is not steered. */
static double most_steer(const linking *l, int a) {
  const vd_steering_def *s = &l->v->steering;
  const vd_rear_steering_def *rear = s->rear.item;
  double most = 0.0;
  if (a == VD_FRONT)
    return s->max_angle;
  if (s->rear.count == 0)
    return 0.0;
  for (size_t i = 0; i < rear->gain.count; i++)
    most = vd_max(most, fabs(rear->gain.xy[2 * i + 1]));
  return most > 0.0 ? most * s->max_angle : requested_steer;
}

/* Checks whether a vehicle with this linkage can be driven. False after an error. */
static bool suits(const linking *l, int a) {
  const vd_axle_def *axle = &l->v->axle[a];
  const vd_corner *corner = axle->corner;
  if (!corner) {
    vd_error(l->d, place_of(l, a, "linkage"),
             "wheels on linkages need a linkage at the %s axle, too: a suspension file", vd_axle_names[a]);
    return false;
  }
  size_t before = vd_diag_errors(l->d);
  if (most_steer(l, a) > 0.0 && !steers(&corner->points))
    vd_error(l->d, place_of(l, a, "linkage"), "the %s linkage has no tie rod to steer by%s", vd_axle_names[a],
             a == VD_FRONT ? "" : "; 'steering.rear' needs one, or links whose 'steering' says rack");
  if (vd_diag_errors(l->d) > before)
    return false;
  compare(l, a);
  return true;
}

static double travel_of(const vd_suspension_def *s) {
  double up = s->bump_stop.stiffness > 0.0 ? s->bump_stop.gap + over_stop : without_stop;
  double down = s->rebound_stop.stiffness > 0.0 ? s->rebound_stop.gap + over_stop : without_stop;
  return vd_max(up, down);
}

/* Warns if the linkage locks at a travel within the stops, because a run does not end there. */
static void warn_of_lock(const linking *l, int a, double wanted) {
  const vd_axis *travel = &l->v->axle[a].map->travel;
  double from = travel->from, to = from + travel->cells * travel->step;
  if (from > -wanted + 1e-9 || to < wanted - 1e-9)
    vd_warning(l->d, place_of(l, a, "linkage"),
               "the linkage locks%s: it is mapped from %.3g to %.3g mm of travel, not to %.3g mm; beyond "
               "that range the figures of this linkage are extrapolated",
               most_steer(l, a) > 0.0 ? " at some steering angle" : "", 1e3 * from, 1e3 * to, 1e3 * wanted);
}

/* Inputs of the map of a linkage. Equal inputs share the map. */
typedef struct mapped_linkage {
  vd_hardpoints points;
  double travel, steer;
} mapped_linkage;

/* Finds the map of a linkage, which equal linkages share. */
static const vd_linkage_map *linkage_map(const linking *l, const vd_corner *corner, double travel, double steer,
                                         enum vd_map_status *status) {
  vd_cache *cache = vd_diag_cache(l->d);
  mapped_linkage input;
  memset(&input, 0, sizeof input);
  memcpy(&input.points, &corner->points, sizeof input.points);
  input.travel = travel;
  input.steer = steer;
  *status = VD_MAP_OK;
  const vd_linkage_map *map = vd_cache_find(cache, &input, sizeof input);
  if (map || !vd_cache_has_room(cache))
    return map ? map : vd_linkage_map_create(corner, travel, steer, l->arena, status);
  vd_arena *arena = vd_arena_create();
  map = vd_linkage_map_create(corner, travel, steer, arena, status);
  if (map)
    vd_cache_add(cache, &input, sizeof input, map, arena);
  else
    vd_arena_destroy(arena);
  return map;
}

static bool map_axle(const linking *l, int a) {
  vd_axle_def *axle = &l->v->axle[a];
  enum vd_map_status status;
  double most = most_steer(l, a), steer = steering_margin * most;
  double travel = travel_of(&axle->suspension);
  axle->map = linkage_map(l, axle->corner, travel, steer, &status);
  switch (status) {
  case VD_MAP_OK: warn_of_lock(l, a, travel); break;
  case VD_MAP_SHORT:
    vd_error(l->d, place_of(l, a, "linkage"), "the linkage locks within 30 mm of travel%s",
             most > 0.0 ? " at some steering angle" : "");
    break;
  case VD_MAP_STEER:
    vd_error(l->d, place_of(l, a, "linkage"),
             "the rack cannot turn the wheels by the largest steering angle of %.3g deg and 2 %% more; lower "
             "steering.max_angle%s",
             most * 180.0 / VD_PI, a == VD_FRONT ? "" : " or steering.rear.gain");
    break;
  case VD_MAP_SPRING_SIGN: vd_error(l->d, place_of(l, a, "linkage"), "a spring or damper gets longer in bump"); break;
  }
  return axle->map != NULL;
}

/* Makes the map of inertia with knuckle, arms and rods as bodies. The wheel does not turn with the knuckle about its
 * spin axis. */
static void map_inertia(const linking *l, int a) {
  vd_axle_def *axle = &l->v->axle[a];
  const vd_corner *c = axle->corner;
  if (axle->map->joined) {
    vd_error(l->d, place_of(l, a, "link_masses"),
             "wheels that an axle or a beam joins have their masses at their centres, and the rest as "
             "unsprung_roll_inertia; write lumped");
    return;
  }
  double about = 0.0;
  for (int i = 0; i < 3; i++)
    about += c->knuckle_inertia[i] * axle->map->linkage->spin_axis[i] * axle->map->linkage->spin_axis[i];
  if (about < axle->wheel_inertia)
    vd_error(l->d, place_of(l, a, "linkage.0.mass"),
             "'mass.knuckle_inertia' is the inertia of the knuckle with its wheel: %.4g kg m2 about the axle are less "
             "than the wheel_inertia, %.4g kg m2",
             about, axle->wheel_inertia);
  axle->inertia = vd_inertia_map_create(c, axle->map, axle->wheel_inertia, l->arena);
  if (!axle->inertia)
    vd_error(l->d, place_of(l, a, "link_masses"),
             "the linkage does not give all of its masses: 'mass' needs knuckle, knuckle_inertia and every member");
}

/* Computes steer (to the left > 0) and camber (top to the right > 0) of a wheel with this spin axis after a small
 * rotation, from the direction and the height of the axis. The axis may point to either side. */
static void heading_of(const double *axle, const double *turn, double *steer, double *camber) {
  double flat = axle[0] * axle[0] + axle[1] * axle[1], side = axle[1] < 0.0 ? -1.0 : 1.0;
  *steer = turn[2] - axle[2] * (axle[0] * turn[0] + axle[1] * turn[1]) / flat;
  *camber = side * (axle[1] * turn[0] - axle[0] * turn[1]) / sqrt(flat);
}

/* Computes the rotations of both wheels from the compliance matrix of an axle, at the design position with the wheel
 * centres fixed. The loads are forces of the road on a wheel that turns on its bearing, and the torque of its brake on
 * the knuckle. The longitudinal force acts at the wheel centre, because drive torque comes through a shaft. A live axle
 * carries the torques of drive and brakes. Apart from inertia and rolling resistance of the wheels, these torques equal
 * the moment of the contact force about the wheel centre; the force therefore acts at the contact point. If a live axle
 * steers, its housing carries the drive torque and its knuckles the brake torques: the force acts at the wheel centre
 * and its moment on the housing, and a brake transfers this moment to the knuckle. The spin axis of a right wheel
 * points to the right; brake torques have the sign of the left wheel on both sides. */
static void read_angle_compliance(const vd_compliance_axle *a, bool live, bool steers,
                                  vd_compliance_angle angle_compliance[2][2]) {
  enum { HALF = 6 };
  static const double ahead[3] = {1.0, 0.0, 0.0}, aside[3] = {0.0, 1.0, 0.0};
  for (int by = 0; by < VD_AXLE_WHEELS; by++) {
    double load[VD_COMPLIANCE_LOADS][HALF] = {{0.0}}, *fx = load[VD_COMPLIANCE_FX], *fy = load[VD_COMPLIANCE_FY];
    double housing[VD_COMPLIANCE_LOADS] = {0.0}; /* N m about its y axis */
    fx[0] = fy[1] = load[VD_COMPLIANCE_MZ][5] = 1.0;
    vd_cross(a->contact[by], aside, fy + 3);
    if (live && !steers)
      vd_cross(a->contact[by], ahead, fx + 3);
    if (live && steers) {
      housing[VD_COMPLIANCE_FX] = a->contact[by][2];
      housing[VD_COMPLIANCE_BRAKE] = -1.0;
    }
    for (int i = 0; i < 3 && (!live || steers); i++)
      load[VD_COMPLIANCE_BRAKE][3 + i] = (by ? -1.0 : 1.0) * a->spin[by][i];
    for (int of = 0; of < VD_AXLE_WHEELS; of++)
      for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
        double turn[3];
        for (int i = 0; i < 3; i++) {
          const double *row = &a->c[HALF * of + 3 + i][HALF * by];
          turn[i] = vd_dot(row, load[k]) + vd_dot(row + 3, load[k] + 3) + housing[k] * a->housing[HALF * of + 3 + i];
        }
        heading_of(a->spin[of], turn, &angle_compliance[of][by].steer[k], &angle_compliance[of][by].camber[k]);
      }
  }
}

_Static_assert((int)VD_COMPLIANCE_LOADS == (int)VD_TURN_LOADS, "loads in the order of enum vd_compliance_load");

/* Sets the compliance of independent wheels. The right wheel is the mirror image of the left one: rotations to the
 * left, fy and mz change their sign, but fx and torques about the spin axis do not. */
static void mirror_angle_compliance(const double *about_z, const double *about_x,
                                    vd_compliance_angle angle_compliance[2][2]) {
  for (int k = 0; k < VD_COMPLIANCE_LOADS; k++)
    for (int side = 0; side < 2; side++) {
      double sign = side && (k == VD_COMPLIANCE_FX || k == VD_COMPLIANCE_BRAKE) ? -1.0 : 1.0;
      angle_compliance[side][side].steer[k] = sign * about_z[k];
      angle_compliance[side][side].camber[k] = sign * about_x[k];
    }
}

/* Compliance of a rigid axle or twist beam. */
typedef struct joined_wheels {
  const vd_corner *corner;
  const vd_linkage *linkage;
  bool live;
  vd_compliance *c;
} joined_wheels;

/* Computes the compliance of both wheels at given travels, under the loads of the design position. */
static bool angle_compliance_at(const joined_wheels *p, const double *travel,
                                vd_compliance_angle angle_compliance[2][2]) {
  vd_compliance_axle both;
  vd_compliance_state state;
  const vd_wheel_load load = {.fz = isnan(p->corner->wheel_load) ? 0.0 : p->corner->wheel_load};
  vd_compliance_load_right(p->c, &load);
  vd_linkage_start(p->linkage, &state.pose);
  bool ok = vd_linkage_move(p->linkage, travel, &state.pose) == VD_LINKAGE_OK &&
            vd_compliance_settle(p->c, travel, &load, &state) && vd_compliance_of_axle(p->c, false, &both);
  if (ok)
    read_angle_compliance(&both, p->live, p->corner->points.steer.given, angle_compliance);
  return ok;
}

/* Computes the compliance at all nodes of both travels, [travel.cells + 1]^2. False: a node has no equilibrium. */
static bool survey_compliance(const joined_wheels *p, const vd_axis *travel, vd_compliance_angle (*value)[2][2]) {
  for (int i = 0; i <= travel->cells; i++)
    for (int j = 0; j <= travel->cells; j++) {
      const double u[VD_INPUTS] = {vd_axis_node(travel, i), vd_axis_node(travel, j)};
      if (!angle_compliance_at(p, u, value[i * (travel->cells + 1) + j]))
        return false;
    }
  return true;
}

/* Makes a map over the travels of the linkage's map, or the part of them within which there are equilibria. NULL: there
 * are none within 30 mm. */
static const vd_compliance_map *compliance_map_of(const joined_wheels *p, const vd_axis *whole, vd_arena *arena) {
  const double step = 0.015, least = 0.03, part = 0.8; /* m, m */
  const double end[2] = {whole->from, whole->from + whole->cells * whole->step};
  vd_compliance_map *map = vd_arena_alloc(arena, sizeof *map);
  bool all = false;
  for (double share = 1.0; !all && share * end[1] > least && share * end[0] < -least; share *= part) {
    map->travel = vd_axis_make(share * end[0], share * end[1], step);
    size_t nodes = (size_t)map->travel.cells + 1, places = vd_bspline_places(&map->travel, &map->travel);
    vd_compliance_angle(*value)[2][2] = vd_allocate(nodes * nodes, sizeof *value);
    all = survey_compliance(p, &map->travel, value);
    if (all) {
      double *surface = vd_arena_alloc(arena, places * sizeof *value);
      vd_bspline_fit_product(&map->travel, &map->travel, VD_COMPLIANCE_MAPPED, value[0][0][0].steer,
                             VD_COMPLIANCE_MAPPED, surface);
      map->surface = surface;
    }
    free(value);
  }
  return all ? map : NULL;
}

/* Sets the compliance at the design position and, if `mapped`, its map over the travels. */
static bool joined_compliance(const linking *l, vd_axle_def *axle, const vd_linkage *linkage, bool mapped) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const vd_corner *corner = axle->corner;
  bool live = vd_linkage_traits_of(corner->points.type)->axle && !corner->final_drive_on_body;
  const joined_wheels p = {corner, linkage, live, vd_compliance_create(corner, linkage, VD_HOLD_CENTRE)};
  bool ok = angle_compliance_at(&p, design, axle->angle_compliance);
  if (ok && mapped)
    axle->compliance_map = compliance_map_of(&p, &axle->map->travel, l->arena);
  vd_compliance_destroy(p.c);
  return ok;
}

/* Sets the compliance of wheels on bushings, and on a beam that joins them. A rigid axle without bushings has no
 * compliance. */
static void find_compliance(const linking *l, int a, bool compliance_maps) {
  vd_axle_def *axle = &l->v->axle[a];
  const vd_linkage_traits *traits = vd_linkage_traits_of(axle->corner->points.type);
  vd_compliance_turns turns;
  bool ok;
  vd_linkage linkage = *axle->map->linkage;
  linkage.points.static_radius = vd_axle_loaded_radius(axle);
  if (traits->beam && !axle->corner->beam.given)
    return;
  if (axle->map->joined)
    ok = joined_compliance(l, axle, &linkage, compliance_maps);
  else if ((ok = vd_compliance_turns_of(axle->corner, &linkage, &turns)))
    mirror_angle_compliance(turns.about_z, turns.about_x, axle->angle_compliance);
  if (!ok)
    vd_error(l->d, place_of(l, a, "linkage"), "the linkage's bushings do not support the wheel");
}

/* Writes the inputs from which an elastic map follows, to find an equal one: the corner, without its names but with the
 * contents of its tables. more: travel and steer of the linkage's map, loaded radius, force, and side. */
enum { MORE = 5 };
static void describe_elastic(const vd_corner *corner, const double more[MORE], vd_buf *out) {
  vd_corner plain;
  memcpy(&plain, corner, sizeof plain);
  plain.name = plain.source = NULL;
  memset(&plain.estimates, 0, sizeof plain.estimates);
  for (int i = 0; i < VD_MEMBERS; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 6; k++) {
        vd_points *table = &plain.law[i][j].table[k];
        vd_buf_add(out, (const char *)table->xy, 2 * table->count * sizeof *table->xy);
        table->xy = NULL;
      }
  vd_buf_add(out, (const char *)&plain, sizeof plain);
  vd_buf_add(out, (const char *)more, MORE * sizeof *more);
}

/* Finds the elastic map of a corner on axle a, which equal corners under equal loads share. like: the map of the left
 * wheel, if the corner is a right one; otherwise NULL. */
static const vd_elastic_map *elastic_map(const linking *l, int a, const vd_corner *corner, const vd_linkage_map *map,
                                         const vd_elastic_map *like, vd_elastic_lost *lost) {
  double load, spring;
  static_loads(l->v, a, &load, &spring);
  const double more[MORE] = {travel_of(&l->v->axle[a].suspension), steering_margin * most_steer(l, a),
                             map->linkage->points.static_radius, most_load * load, like != NULL};
  vd_cache *cache = vd_diag_cache(l->d);
  vd_buf input = {0};
  if (cache)
    describe_elastic(corner, more, &input);
  const vd_elastic_map *found = vd_cache_find(cache, input.text, input.length);
  bool keep = !found && vd_cache_has_room(cache);
  vd_arena *arena = keep ? vd_arena_create() : l->arena;
  if (!found)
    found = vd_elastic_map_create(corner, map, most_load * load, like, arena, lost);
  if (keep && found)
    vd_cache_add(cache, input.text, input.length, found, arena);
  else if (keep)
    vd_arena_destroy(arena);
  vd_buf_finish(&input);
  return found;
}

/* Returns the rate that bushings, which turn with the travel, add to the wheel rate, N/m. Their energy without load is
 * -W of the map. */
static double bushing_rate(const vd_elastic_map *map) {
  const double h = VD_ELASTIC_TRAVEL_STEP;
  double energy[3];
  for (int i = 0; i < 3; i++) {
    vd_elastic_terms_at at;
    vd_elastic_map_at(map, (i - 1) * h, 0.0, 0.0, &at);
    energy[i] = -at.value[0];
  }
  return (energy[0] - 2.0 * energy[1] + energy[2]) / (h * h);
}

/* Warns if bushings add more than bushing_share of the wheel rate. The torsional rate of rubber is at most the axial
 * rate times the square of the outer radius, since ln(b/a) <= (b^2/a^2
 * - 1)/2: axial 2 pi G L/ln(b/a), torsional 4 pi G L/(1/a^2 - 1/b^2) (Adkins and Gent, Br. J. Appl. Phys. 5, 1954).
 * Such bushings add at most some tenths of the rate of a spring. */
static void warn_of_stiff_bushings(const linking *l, int a, const char *key, const char *remedy) {
  const vd_axle_def *axle = &l->v->axle[a];
  vd_suspension built;
  double wheel, spring;
  static_loads(l->v, a, &wheel, &spring);
  vd_suspension_build(&axle->suspension, axle->spring_stiffness, spring, &built);
  double added = bushing_rate(axle->elastic[0]), rate = built.stiffness;
  if (added > bushing_share * rate)
    vd_warning(l->d, place_of(l, a, key),
               "the bushings of the %s wheels turn with the travel and add %.3g N/mm to the wheel rate of %.3g N/mm; "
               "rubber adds a few N/mm: %s",
               vd_axle_names[a], 1e-3 * added, 1e-3 * rate, remedy);
}

/* Makes the map of the nonlinear compliance of the left wheel, or of the right wheel, mirrored. */
static void map_side(const linking *l, int a, int side) {
  vd_axle_def *axle = &l->v->axle[a];
  vd_elastic_lost lost;
  double load, spring;
  vd_corner corner = *axle->corner;
  const vd_linkage_map *own = side ? axle->map->right : axle->map;
  vd_linkage linkage = *own->linkage;
  vd_linkage_map map = *own;
  if (side)
    vd_hardpoints_mirror(&axle->corner->points, &corner.points);
  static_loads(l->v, a, &load, &spring);
  linkage.points.static_radius = vd_axle_loaded_radius(axle);
  map.linkage = &linkage;
  axle->elastic[side] = elastic_map(l, a, &corner, &map, side ? axle->elastic[0] : NULL, &lost);
  if (!axle->elastic[side])
    vd_error(l->d, place_of(l, a, "linkage"),
             "the linkage's bushings do not support the wheel under forces ahead of %.3g N at %.3g mm of travel and "
             "%.3g mm %s",
             most_load * load, 1e3 * lost.travel, 1e3 * lost.rack, map.joined ? "of the other wheel" : "of rack");
  else if (!(axle->elastic[side]->error <= reported_angle))
    vd_note(l->d, place_of(l, a, "linkage"),
            "under forces ahead of up to %.3g N the error of the wheel's angles on soft bushings is up to %.2g deg, "
            "much less at the loads and travels of driving",
            most_load * load, axle->elastic[side]->error * 180.0 / VD_PI);
}

static void map_compliance(const linking *l, int a) {
  vd_axle_def *axle = &l->v->axle[a];
  map_side(l, a, 0);
  axle->elastic[1] = axle->elastic[0];
  if (!axle->elastic[0])
    return;
  if (axle->corner->points.gear.asymmetric && !axle->map->joined)
    map_side(l, a, 1);
  if (axle->elastic[1] && axle->elastic[1] != axle->elastic[0])
    axle->elastic[0] = vd_elastic_map_like(axle->elastic[0], axle->elastic[1], l->arena);
  warn_of_stiff_bushings(l, a, "linkage.0.bushings", "give them less 'rotation' in 'bushings'");
}

/* --- tables --- */

/* Adds steering to tables that depend on travel alone. Front wheels are turned about vertical axes in their middle
 * planes, `trail` ahead of their contact points, to the angles of vd_steering_angles. Rear wheels are turned in
 * parallel, without trail. The mean angle takes the place of the rack travel, 1 rad as 1 m. */
static const vd_wheel_tables *with_steering(const linking *l, int a, const vd_wheel_tables *tables) {
  enum { POINTS = 65 };
  vd_wheel_tables *out = vd_arena_alloc(l->arena, sizeof *out);
  vd_wheel_table *table = vd_arena_alloc(l->arena, (tables->count + 1) * sizeof *table), *added = table + tables->count;
  double *angle = vd_arena_alloc(l->arena, 4 * POINTS * sizeof *angle), *none = vd_arena_alloc(l->arena, sizeof *none);
  double *toe = angle + POINTS, *x = toe + POINTS, *y = x + POINTS;
  double most = rack_margin * most_steer(l, a), trail = a == VD_FRONT ? l->v->steering.trail : 0.0;
  vd_vehicle built;
  vd_vehicle_dimensions(l->v, &built);
  for (int i = 0; i < POINTS; i++) {
    double turned[2], slope[2];
    angle[i] = most * (2 * i - (POINTS - 1)) / (POINTS - 1);
    turned[0] = angle[i];
    if (a == VD_FRONT)
      vd_steering_angles(&built, angle[i], turned, slope);
    toe[i] = -turned[0];
    x[i] = trail * (1.0 - vd_cos(turned[0]));
    y[i] = -trail * vd_sin(turned[0]);
  }
  for (size_t i = 0; i < tables->count; i++)
    table[i] = tables->table[i];
  *added = (vd_wheel_table){.count = {1, 1, 1}, .at = {none, none, none}};
  added->count[vd_wheel_tables_rack(tables)] = POINTS;
  added->at[vd_wheel_tables_rack(tables)] = angle;
  added->value[VD_TABLED_TOE] = toe;
  added->value[VD_TABLED_X] = x;
  added->value[VD_TABLED_Y] = y;
  vd_wheel_table_finish(added, l->arena);
  *out = *tables;
  out->table = table;
  out->count++;
  return out;
}

static bool tables_suit(const linking *l, int a) {
  const vd_wheel_tables *const *tables = l->v->axle[a].tables;
  if (!tables[0]) {
    vd_error(l->d, place_of(l, a, "kc"), "one axle has tables of its wheels' paths; the %s axle needs them, too",
             vd_axle_names[a]);
    return false;
  }
  if (tables[0]->joined != tables[1]->joined)
    vd_error(l->d, place_of(l, a, "right_kc"), "tables over the travel of the other wheel are needed for both wheels");
  else if (vd_wheel_tables_over(tables[0], VD_TABLE_GEAR) != vd_wheel_tables_over(tables[1], VD_TABLE_GEAR))
    vd_error(l->d, place_of(l, a, "right_kc"), "tables over the rack are needed for both wheels that an axle joins");
  else
    return true;
  return false;
}

static double rig_radius(const vd_axle_def *axle) {
  const vd_wheel_compliance *c = axle->compliance;
  return c && !isnan(c->radius) ? c->radius : vd_axle_loaded_radius(axle);
}

/* Converts the compliance of the tables to rotations of the wheel. Toe-in of a left wheel is a rotation to the right,
 * and its top moves outward by a rotation about -x. A brake on the knuckle adds its torque, -R per brake force Fx < 0,
 * to a force at the wheel centre. If the car's wheel and the wheel on the rig have different radii, a side force at the
 * contact point also has a moment about the heading. By Maxwell and Betti this moment turns the wheel about the
 * vertical as much as an equal moment about the vertical changes its camber. The change of camber by this moment is not
 * measured on a rig. */
static void take_compliance(vd_axle_def *axle) {
  static const enum vd_displacement of[2] = {VD_DISPLACEMENT_TOE, VD_DISPLACEMENT_CAMBER};
  double turn[2][VD_COMPLIANCE_LOADS], by[VD_RIG_LOADS], radius = rig_radius(axle);
  for (int k = 0; k < 2; k++) {
    for (int j = 0; j < VD_RIG_LOADS; j++)
      by[j] = vd_compliance_curve_slope(&axle->compliance->of[of[k]][j]);
    turn[k][VD_COMPLIANCE_FX] = 0.0 - by[VD_RIG_FX_DRIVE];
    turn[k][VD_COMPLIANCE_FY] = 0.0 - by[VD_RIG_FY];
    turn[k][VD_COMPLIANCE_MZ] = 0.0 - by[VD_RIG_MZ];
    turn[k][VD_COMPLIANCE_BRAKE] = (by[VD_RIG_FX_BRAKE] - by[VD_RIG_FX_DRIVE]) / radius;
  }
  turn[0][VD_COMPLIANCE_FY] += (vd_axle_loaded_radius(axle) - radius) * turn[1][VD_COMPLIANCE_MZ];
  mirror_angle_compliance(turn[0], turn[1], axle->angle_compliance);
}

/* Makes the elastic map from the compliance of tables. Without compliance the wheels are rigidly mounted. */
static void map_given(const linking *l, int a) {
  static const vd_wheel_compliance rigid;
  static const char *const load[] = {
#define KEY(id, key, unit, most, help) key,
      VD_RIG_LOAD_LIST(KEY)};
  vd_axle_def *axle = &l->v->axle[a];
  vd_compliance_doubt doubt;
  double wheel, spring;
  static_loads(l->v, a, &wheel, &spring);
  const vd_compliant_wheel compliant = {axle->tables[0], axle->map, rig_radius(axle), most_load * wheel};
  axle->elastic[0] = axle->elastic[1] =
      vd_wheel_compliance_map(axle->compliance ? axle->compliance : &rigid, &compliant, l->arena, &doubt);
  if (doubt.mismatch > work_tolerance)
    vd_warning(l->d, place_of(l, a, "kc.compliance"),
               "the slopes of %s over %s and of %s over %s differ by %.2g of the mean; in an elastic suspension they "
               "are equal (Maxwell, Betti), so the run uses the mean",
               load[doubt.pair[0]], load[doubt.pair[1]], load[doubt.pair[1]], load[doubt.pair[0]], doubt.mismatch);
  if (doubt.unstable)
    vd_warning(l->d, place_of(l, a, "kc.compliance"),
               "no elastic suspension has these compliances: under some loads it would create energy; a displacement "
               "along its "
               "own load (x over fx, y over fy, toe over mz) is missing, too small, or has the wrong sign");
  if (!(axle->elastic[0]->error <= reported_angle))
    vd_note(
        l->d, place_of(l, a, "kc.compliance"),
        "the run replaces the curves by polynomials of the fourth degree, up to %.3g N; the wheel's angles differ from "
        "the curves by up to %.2g deg",
        most_load * wheel, axle->elastic[0]->error * 180.0 / VD_PI);
  warn_of_stiff_bushings(l, a, "kc", "look at 'bushing_energy' of the tables and its unit");
}

/* Finds the map of tables, which equal tables share. */
static const vd_linkage_map *table_map(const linking *l, const vd_wheel_tables *const tables[2], double travel,
                                       double steer, enum vd_map_status *status) {
  const double range[] = {travel, steer, tables[1] == tables[0]};
  vd_cache *cache = vd_diag_cache(l->d);
  vd_buf input = {0};
  vd_buf_add(&input, (const char *)range, sizeof range);
  for (int side = 0; side < 2; side++)
    vd_wheel_tables_describe(tables[side], &input);
  *status = VD_MAP_OK;
  const vd_linkage_map *map = vd_cache_find(cache, input.text, input.length);
  bool keep = !map && vd_cache_has_room(cache);
  vd_arena *arena = keep ? vd_arena_create() : l->arena;
  if (!map)
    map = vd_wheel_tables_map(tables[0], tables[1], travel, steer, arena, status);
  if (keep && map)
    vd_cache_add(cache, input.text, input.length, map, arena);
  else if (keep)
    vd_arena_destroy(arena);
  vd_buf_finish(&input);
  return map;
}

static bool map_tables(const linking *l, int a) {
  static const double degree = 180.0 / VD_PI;
  vd_axle_def *axle = &l->v->axle[a];
  const vd_wheel_tables *tables[2] = {axle->tables[0], axle->tables[1]};
  const vd_stop *bump = &axle->suspension.bump_stop, *rebound = &axle->suspension.rebound_stop;
  double most = most_steer(l, a), steer = steering_margin * most;
  enum vd_map_status status;
  if (!tables_suit(l, a))
    return false;
  const enum vd_table_coordinate rack = vd_wheel_tables_rack(tables[0]);
  if (most > 0.0 && !vd_wheel_tables_over(tables[0], rack) && !vd_wheel_tables_over(tables[1], rack))
    for (int side = 0; side < 2; side++)
      tables[side] = side > 0 && tables[1] == axle->tables[0] ? tables[0] : with_steering(l, a, tables[side]);
  if (tables[1] == axle->tables[0])
    tables[1] = tables[0];
  axle->map = table_map(l, tables, travel_of(&axle->suspension), steer, &status);
  switch (status) {
  case VD_MAP_OK: break;
  case VD_MAP_SHORT: vd_error(l->d, place_of(l, a, "kc"), "the tables must reach 30 mm of travel up and down"); break;
  case VD_MAP_STEER:
    vd_error(
        l->d, place_of(l, a, "kc"),
        "the tables steer the wheels to %.3g deg, not to the largest steering angle of %.3g deg and 2 %% more; lower "
        "steering.max_angle, or give more rack",
        vd_wheel_tables_steer(tables[0], tables[1]) * degree, most * degree);
    break;
  case VD_MAP_SPRING_SIGN: vd_error(l->d, place_of(l, a, "kc"), "spring or damper get longer in bump"); break;
  }
  if (!axle->map)
    return false;
  if (axle->compliance)
    take_compliance(axle);
  double from = axle->map->travel.from, to = from + axle->map->travel.cells * axle->map->travel.step;
  if ((bump->stiffness > 0.0 && to < bump->gap) || (rebound->stiffness > 0.0 && from > -rebound->gap))
    vd_warning(l->d, place_of(l, a, "kc"),
               "the tables reach from %.3g to %.3g mm of travel, and do not reach the stops; a run ends where a wheel "
               "leaves them",
               1e3 * from, 1e3 * to);
  return true;
}

/* Gives the elastic maps of both axles the same tree of terms, because all wheels are evaluated together. Both wheels
 * of an axle already have the same terms. */
static void join_compliance(const linking *l) {
  const vd_elastic_map *own[VD_AXLES], *joined[VD_AXLES];
  for (int a = 0; a < VD_AXLES; a++)
    own[a] = l->v->axle[a].elastic[0];
  if (!own[VD_FRONT] || !own[VD_REAR])
    return;
  vd_elastic_maps_join(own, l->arena, joined);
  for (int a = 0; a < VD_AXLES; a++) {
    const vd_elastic_map **elastic = l->v->axle[a].elastic;
    const vd_elastic_map *right = elastic[1];
    const bool alike = right == elastic[0];
    elastic[0] = joined[a];
    elastic[1] = alike || !right ? joined[a] : vd_elastic_map_like(right, joined[a], l->arena);
  }
}

void vd_vehicle_link(vd_vehicle_def *v, bool tables, bool compliance_maps, bool elastic, const vd_node *root,
                     const char *path, vd_arena *arena, vd_diag *d) {
  const linking l = {v, root, path, arena, d};
  bool tabled = vd_vehicle_has_tables(v);
  for (int a = 0; a < VD_AXLES; a++) {
    if (tabled && (tables || !v->axle[a].corner)) {
      if (map_tables(&l, a) && elastic && !v->axle[a].map->joined)
        map_given(&l, a);
      continue;
    }
    if (!suits(&l, a) || !map_axle(&l, a))
      continue;
    if (v->axle[a].link_masses == VD_LINKS_BODIES)
      map_inertia(&l, a);
    find_compliance(&l, a, compliance_maps);
    if (elastic)
      map_compliance(&l, a);
  }
  join_compliance(&l);
}
