/* Discs of brakes that warm up, and pads whose friction depends on their temperature: fade.
 *
 *   C T' = P - h(v) T        T: K above the air; P: power of the brake; v: speed of the car
 *   torque = f(T) g(u) x torque of a cold brake u: speed of the rim, in place of the sliding speed of the pad
 *
 * The disc has one temperature. In a single stop from high speed this temperature is lower than the peak at the surface
 * of a real disc. */
#ifndef VD_BRAKE_HEAT_H
#define VD_BRAKE_HEAT_H

#include "base/arena.h"
#include "base/elementary.h"
#include "base/list.h"
#include "base/wheel.h"
#include "input/diag.h"
#include "input/tree.h"
#include "math/curve.h"

enum vd_brake_heat_type { VD_BRAKE_HEAT_NONE, VD_BRAKE_HEAT_DISC };

/* A curve that stays constant beyond its points. */
typedef struct vd_brake_curve {
  const vd_curve *curve; /* NULL: there is none */
  double low, high;
} vd_brake_curve;

typedef struct vd_brake_heat {
  int type;                    /* enum vd_brake_heat_type */
  double capacity[VD_AXLES];   /* J/K, of one disc */
  vd_points cooling[VD_AXLES]; /* of one disc: pairs (speed of the car, m/s; W/K); none: no cooling */
  double start;                /* K above the air */
  vd_points friction;          /* pairs (K above the air; factor of the pads' friction); none: 1 */
  vd_points sliding;           /* pairs (speed of the rim, m/s; factor of the pads' friction) */
  vd_brake_curve by_speed[VD_AXLES], by_heat, by_sliding; /* not keys: made by vd_brake_heat_complete */
} vd_brake_heat;

extern const struct vd_schema vd_brake_heat_schema;

/* Returns the curve through points; it belongs to the arena. NULL: fewer than two points, or too many. */
vd_brake_curve vd_brake_curve_of(const vd_points *points, vd_arena *arena);

/* Makes the curves from keys that passed their checks. */
void vd_brake_heat_complete(vd_brake_heat *heat, vd_arena *arena);

/* Checks across keys. `path` is the key in `root`. */
void vd_brake_heat_check(const vd_brake_heat *heat, const vd_node *root, const char *path, vd_diag *d);

static inline double vd_brake_curve_at(const vd_brake_curve *of, double x, double without) {
  return of->curve ? vd_curve_at(of->curve, vd_min(vd_max(x, of->low), of->high), NULL) : without;
}

#endif
