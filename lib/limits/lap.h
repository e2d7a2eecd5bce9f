/* The fastest speed along a line that an envelope allows (quasi-steady lap).
 *
 * At a place with the speed v and the acceleration a along the line, the forces divided by the mass are given below. k
 * is the curvature (> 0: a turn to the left), b the bank angle (> 0: the road leans to the left), s the slope angle (>
 * 0: uphill), and w the vertical curvature (> 0: a dip).
 *
 *   normal = g cos s cos b + v^2 (k sin b + w),   across = v^2 k cos b - g cos s sin b,   along = a + g sin s
 *
 * The result is the greatest speed at every place for which the lateral force is possible and the acceleration is
 * within its range. The square of the speed u = v^2 obeys u' = 2 a along the line. It is integrated forwards with the
 * greatest acceleration, and backwards with the least acceleration, by the implicit midpoint rule (order 2). Explicit
 * rules oscillate near the lateral limit, where the range falls steeply. The time of a step is computed with constant
 * acceleration. */
#ifndef VD_LAP_H
#define VD_LAP_H

#include "limits/gg.h"

/* A place of the line. Two places at the same distance are a jump of the other quantities. */
typedef struct vd_lap_place {
  double s, curvature, slope, bank, vertical; /* m, 1/m, rad, rad, 1/m */
  double limit;                               /* m/s, speed limit; INFINITY: none */
  double x, y;                                /* m, in the plane; not used by the lap */
  /* share of lateral force and braking that is not used at this place, in addition to the plan's shares */
  double unused;
} vd_lap_place;

/* What limits the speed. */
enum vd_lap_hold { VD_LAP_CORNER, VD_LAP_DRIVE, VD_LAP_BRAKE, VD_LAP_SPEED };
extern const char *const vd_lap_hold_names[];

typedef struct vd_lap_row {
  double t, speed, along, across, normal; /* s, m/s, m/s2: acceleration along; forces divided by the mass */
  /* m/s, greatest speed that this place allows, without regard to its neighbours */
  double corner;
  enum vd_lap_hold hold;
} vd_lap_row;

typedef struct vd_lap_plan {
  bool closed;
  double start;                /* m/s, speed at the start of an open line; NAN: as fast as possible */
  double drive, brake, corner; /* shares of the envelope that the driver uses, 0..1 */
  double most[3];              /* m/s2: greatest driving, braking and lateral acceleration; 0: no limit */
} vd_lap_plan;

enum vd_lap_trouble {
  VD_LAP_FINE,
  VD_LAP_NO_SPEED, /* no speed is possible at place *where */
  VD_LAP_TOO_FAST, /* the start is faster than the greatest speed at the start */
  VD_LAP_STOPS,    /* the car stops: drag, slope or the turn need more force than the drive has */
};

/* Computes the rows of `count' places, at rising s. */
enum vd_lap_trouble vd_lap_run(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count,
                               vd_lap_row *row, size_t *where);

/* Returns the greatest speed, m/s, with which an open line may begin; the plan's own start does not count. NAN: the
 * line cannot be driven. */
double vd_lap_fastest_start(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count);

/* Derivatives of the lap time of a flat line: by the curvature of each place, and by the length of the step that begins
 * at this place. If a small change lets another limit determine the speed, the derivative is one-sided. */
typedef struct vd_lap_slopes {
  double curvature, length; /* s m, s/m */
} vd_lap_slopes;

/* Runs the lap, and computes the slopes of `count' places, too. */
enum vd_lap_trouble vd_lap_run_slopes(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count,
                                      vd_lap_row *row, vd_lap_slopes *slope);

/* Refines a line so that no step is longer than `step'; all quantities are linear between the given places. Returns the
 * number of places; out may be NULL. */
size_t vd_lap_refine(const vd_lap_place *place, size_t count, double step, vd_lap_place *out);

/* Sets x and y of places between which the curvature is linear. The line starts at the origin, along x. Slopes must be
 * small. */
void vd_lap_draw(vd_lap_place *place, size_t count);

#endif
