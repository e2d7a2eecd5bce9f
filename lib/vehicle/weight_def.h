/* Weights of a car: parts and loads as rigid bodies, and readings of scales. */
#ifndef VD_WEIGHT_DEF_H
#define VD_WEIGHT_DEF_H

#include "base/list.h"
#include "math/chain.h"

#include <stdbool.h>

enum vd_weight_shape { VD_WEIGHT_POINT, VD_WEIGHT_BOX, VD_WEIGHT_CYLINDER, VD_WEIGHT_BODY };

/* A part of the sprung mass, or a load. Positions hold in the design position, and are measured from the point of the
 * ground below the middle of the front axle. */
typedef struct vd_weight_def {
  const char *name;
  double mass;  /* kg; < 0: a mass that is taken out of the car */
  double at[3]; /* m, position of its centre */
  bool design;  /* for loads: it is in the car at the design position */
  bool carried; /* for loads: it is in the car during the run */
  int shape;    /* enum vd_weight_shape */
  union {
    struct {
      double size[3]; /* m, along x, y, z */
    } box;
    struct {
      double radius, length; /* m */
      int axis;              /* 0 to 2: x, y, z */
    } cylinder;
    struct {
      double moment[3], product[3]; /* kg m2, about its centre: moments about x, y, z; integrals of x y, x z, y z */
    } body;
  } as;
} vd_weight_def;

/* Rows of keys of a part, and of a load. */
extern const struct vd_schema vd_part_schema, vd_load_schema;

/* Returns mass, centre and inertia: of a point, of a box or cylinder of uniform density, or of a body with the given
 * moments. */
vd_inertia vd_weight_inertia(const vd_weight_def *weight);

enum vd_weights_from { VD_WEIGHTS_NONE, VD_WEIGHTS_PARTS, VD_WEIGHTS_SCALES };

/* The source of mass, centre of gravity and moments of inertia that are auto in the vehicle. */
typedef struct vd_weights_def {
  int from; /* enum vd_weights_from */
  union {
    struct {
      vd_structs item; /* vd_weight_def: all parts of the sprung mass */
    } parts;
    struct {
      vd_numbers level; /* kg, readings under the four wheels on level scales */
      /* kg, readings under the two wheels that stay on the scales while the other axle is raised; empty: none */
      vd_numbers lifted;
      double lift; /* m, by which the wheel centres of the other axle are raised */
      int raised;  /* the raised axle: 0 front, 1 rear */
    } scales;
  } as;
} vd_weights_def;

extern const struct vd_schema vd_weights_schema;

/* Returns the sprung mass, as the sum of the parts. */
vd_inertia vd_weights_parts(const vd_weights_def *weights);

/* Returns the height of the centre of gravity of a car, m, from the load on one axle while the other is raised by
 * `lift`, m. lower, upper: m, heights of the wheel centres of the axle on the scales and of the raised axle, on a level
 * road. behind: m, distance of the centre of gravity from the axle on the scales. share: share of the weight on the
 * scales. The suspension must be locked, and the wheels must roll freely. */
double vd_weights_height(double wheelbase, double lower, double upper, double behind, double lift, double share);

#endif
