/* The line of a car within the edges of a track: the line of least curvature, or of least lap time.
 *
 * The line is a polygon with a corner on the normal of each station of the track's centre line. The unknowns are the
 * offsets of the corners to the left. The curvature at a corner is the curvature of the circle through this corner and
 * its two neighbours.
 *
 * The line of least curvature has the least integral of the square of the curvature along the line (Heilmeier et al.
 * 2020, Vehicle System Dynamics 58(10), 1497). It is found by a sequence of quadratic programmes. In each programme the
 * curvature is linearised about the previous line, so that the result does not depend on the form of the centre line.
 *
 * The line of least time is found by descent on the time of the quasi-steady lap, from the line of least curvature.
 * Each step d of the offsets solves the quadratic programme
 *
 *   least of (slopes of the lap time) d + damping/2 (integral of (change of the curvature)^2)
 *
 * within the edges, with the slopes of vd_lap_run_slopes; the damping is adapted to the success of the last step. The
 * time falls with every step. The result is a local minimum, as with all methods that use derivatives. */
#ifndef VD_LINE_H
#define VD_LINE_H

#include "limits/lap.h"

/* A station of the centre line. */
typedef struct vd_line_station {
  double x, y, heading; /* m, rad */
  double low, high;     /* m, bounds of the offset to the left; low < high */
  double limit;         /* m/s, speed limit; INFINITY: none */
} vd_line_station;

typedef struct vd_line_track {
  const vd_line_station *station;
  size_t count; /* number of stations, at least 5; a closed track does not repeat the first station */
  bool closed;
} vd_line_track;

/* Computes offset[count], m. False: the programmes did not converge. */
bool vd_line_least_curvature(const vd_line_track *track, double *offset);

/* Improves offset[count], which must lie within the bounds, until a further step would save less than 1e-7 of the time.
 * The time is then within 2e-5 of the least one nearby. The minimum is flat: lines that differ by a decimetre on
 * straights and between bends have times that differ as little, so that only the time is determined. Returns the time
 * of the lap along the polygon, s; NAN: the first line cannot be driven. */
double vd_line_least_time(const vd_line_track *track, const vd_gg *gg, const vd_lap_plan *plan, double *offset);

/* Writes the polygon's corners as places of a lap: count + 1 places of a closed track, count places of an open track.
 * Returns the number of places. */
size_t vd_line_places(const vd_line_track *track, const double *offset, vd_lap_place *out);

#endif
