/* Grounds on which the tyres stand, in the form in which a model computes with them. The keys of a file are in
 * ground_def.h. */
#ifndef VD_GROUND_H
#define VD_GROUND_H

#include "base/wide.h"
#include "ground/banked.h"
#include "ground/bump.h"
#include "ground/crg.h"
#include "ground/heightmap.h"
#include "ground/iso8608.h"
#include "ground/loop.h"
#include "ground/mesh.h"
#include "ground/oval.h"
#include "ground/patch.h"
#include "ground/potholes.h"
#include "ground/rough.h"
#include "ground/span.h"
#include "ground/step.h"
#include "ground/sweep.h"
#include "ground/washboard.h"

/* The list of grounds. It makes the values of the enum, the members of the union, the names in files, the groups of
 * keys and the table of rows (ground_variants.c). SHAPED: enum value; name in files, of the union member and of the row
 * vd_NAME_variant; type of the parameters. PLAIN: enum value and name of a ground without parameters of its own. */
/* clang-format off */
#define VD_GROUND_TYPES(SHAPED, PLAIN)            \
  PLAIN(FLAT, flat)                               \
  PLAIN(INCLINED, inclined)                       \
  SHAPED(ROUGH, rough, vd_rough)                  \
  SHAPED(ISO8608, iso8608, vd_iso8608)            \
  SHAPED(HEIGHTMAP, heightmap, vd_heightmap)      \
  SHAPED(BUMP, bump, vd_bump)                     \
  SHAPED(STEP, step, vd_step)                     \
  SHAPED(SWEEP, sweep, vd_wave_sweep)             \
  SHAPED(WASHBOARD, washboard, vd_washboard)      \
  SHAPED(POTHOLES, potholes, vd_potholes)         \
  SHAPED(BANKED, banked, vd_banked)               \
  SHAPED(OVAL, oval, vd_oval)                     \
  SHAPED(RAMP, ramp, vd_strip)                    \
  SHAPED(CLIFF, cliff, vd_strip)                  \
  SHAPED(LOOP, loop, vd_loop_strip)               \
  PLAIN(NONE, none)                               \
  SHAPED(MESH, mesh, const vd_mesh *)             \
  SHAPED(CRG, crg, const vd_crg *)

#define VD_GROUND_IN_ENUM(value, ...)             VD_GROUND_##value,
#define VD_GROUND_IN_SHAPE(value, name, shape)    shape name;
#define VD_GROUND_NOT_IN(...)

enum vd_ground_type { VD_GROUND_TYPES(VD_GROUND_IN_ENUM, VD_GROUND_IN_ENUM) };

/* The parameters, by the type of the ground. */
typedef union vd_ground_shape { VD_GROUND_TYPES(VD_GROUND_IN_SHAPE, VD_GROUND_NOT_IN) } vd_ground_shape;
/* clang-format on */

/* Kinds of surface, by what they require of a model; a model for one kind can also drive on the kinds before it. */
enum vd_surface {
  VD_SURFACE_PLANE,
  VD_SURFACE_HEIGHTS,  /* heights, edges, gaps: the car leans, and its wheels fall and land */
  VD_SURFACE_OVERHEAD, /* a loop: the car turns over */
};

typedef struct vd_ground vd_ground;

/* A plane z = tan(grade) x + tan(bank) y with its own axes: along[] is the direction of world x projected onto it,
 * across[] completes the right-handed set with normal[]. All are unit vectors in world axes. Heights are measured
 * vertically from the plane; the axes and the components of gravity are still defined by the plane. A solid ground is
 * not described by heights over a plane: it is a strip, a mesh or no ground at all; its plane is z = 0. */
struct vd_ground {
  double along[3], across[3], normal[3];
  double pull_along, pull_across; /* m/s2: components of gravity along the two axes */
  double weight;                  /* m/s2: component of gravity against the normal */
  double slope_x, slope_y;        /* slope of the plane: dz/dx, dz/dy */
  double friction;                /* friction outside all patches */
  const vd_patch_def *patch;      /* patches of the definition, which must outlive the ground */
  size_t patches;
  void (*raise)(const vd_ground *ground, double x, double y,
                vd_road *road); /* function that adds the heights; NULL: there are none */
  /* NULL: raise is called for each place */
  void (*raise_four)(const vd_ground *ground, const vd_wide *x, const vd_wide *y, vd_roads *roads);
  vd_curvature_bounds curvature; /* 1/m: bounds for the heights anywhere */
  double steepest;               /* greatest slope of the heights, without the slope of the plane */
  bool solid;                    /* not described by heights over a plane */
  const vd_ground *other;        /* further grounds */
  size_t others;
  const vd_ground_variant *variant;
  enum vd_ground_type type;
  vd_ground_shape as;
};

/* Computes the height and slope at a place, world coordinates, of a ground that is not solid; for the levels that stand
 * on four wheels of their own, L3 and above. */
static inline void vd_ground_road(const vd_ground *ground, double x, double y, vd_road *road) {
  *road = (vd_road){ground->slope_x * x + ground->slope_y * y, ground->slope_x, ground->slope_y};
  if (ground->raise)
    ground->raise(ground, x, y, road);
}

/* True if the ground is the plane of grade and bank, without heights over it. */
static inline bool vd_ground_plane(const vd_ground *ground) {
  return !ground->raise && !ground->solid && ground->others == 0;
}

/* True if the ground is a random road, which is rough everywhere and gives its second derivatives (vd_roads). */
static inline bool vd_ground_random(const vd_ground *ground) {
  return ground->raise_four && ground->others == 0;
}

/* True if there is only one ground, with a height at every place, which vd_ground_road computes. */
static inline bool vd_ground_heights(const vd_ground *ground) {
  return !ground->solid && ground->others == 0;
}

/* Computes the highest surface at a place among all grounds except loops, on which a vehicle is placed. False: there is
 * none, and *road is the plane z = 0. If there is only one ground, and it has heights, this is the surface of
 * vd_ground_road. */
bool vd_ground_top(const vd_ground *ground, double x, double y, vd_road *road);

/* Finds the tangent planes at the contact points of four discs on one ground with heights: their normals, and the
 * distances of the centres from them (m), however great. The contact point is the nearest place, if the nearest place
 * is within the radius. The results are NAN if a centre is NAN or a disc lies flat on the ground. */
void vd_ground_height_planes(const vd_ground *ground, const vd_wide3 *centre, const vd_wide3 *axle,
                             const double *radius, vd_wide3 *normal, vd_wide *distance);

/* Computes the contact of a disc of any attitude: the contact point of least reach on all grounds; among points of
 * equal reach, the one on the ground that is named last. False: nothing lies within the disc's radius of its centre, or
 * the disc lies flat on everything that is near; *contact and *friction are then not changed. A ground with heights
 * carries a wheel at any depth below its surface; strips and meshes carry it from both sides. The reach is < 0 for a
 * wheel that was pushed through a surface: up to a radius behind a strip, or on the other side of a mesh, while the
 * body is not. *friction is the friction of the carrying ground at the contact point. *hint is one int for each wheel,
 * -1 at first; it saves time on meshes, and mesh.h describes which contacts may be missed with it. */
bool vd_ground_contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *contact,
                       double *friction);

/* True if vd_ground_contact uses its hint. */
bool vd_ground_takes_hints(const vd_ground *ground);

/* Computes the distance of a point from the nearest surface, along the normal there; < 0: behind it. up: unit vector of
 * the body to which the point belongs; meshes are searched only in two planes that contain it. False: nothing within
 * `range` (behind strips: half of it). */
bool vd_ground_clearance(const vd_ground *ground, const double *point, const double *up, double range,
                         double *clearance, double *normal);

/* Finds the first loop among all grounds. False: there is none. */
bool vd_ground_loop(const vd_ground *ground, vd_loop *loop);

/* Computes a place on the road of the first loop, world. along: share of its length, 0 to 1; aside: share of half its
 * width, -1 to 1, to the left > 0. False: there is no loop. */
bool vd_ground_loop_place(const vd_ground *ground, double along, double aside, double *place);

/* Computes the polar angle of a place about the axis of the first loop, in its cross-section, -pi (excluded) to pi: 0
 * at the bottom, growing in the direction of travel, pi at the apex. False: there is no loop. */
bool vd_ground_loop_angle(const vd_ground *ground, const double *place, double *angle);

/* Returns the friction at a point of the road, world coordinates. */
static inline double vd_ground_friction(const vd_ground *ground, double x, double y) {
  return ground->patches == 0 ? ground->friction
                              : vd_patched_friction(ground->patch, ground->patches, ground->friction, x, y);
}

/* Computes bounds of the friction anywhere on all grounds. They also count patches that others cover completely. */
void vd_ground_friction_range(const vd_ground *ground, double *lowest, double *highest);

#endif
