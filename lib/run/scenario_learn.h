/* The rules by which a driver learns shares of the limits from laps: what a lap changes, and which lap is kept.
 *
 * If the error of a place is linear in its share, 1 + c (share - s), the distance from the share s that causes an error
 * of 1 shrinks from lap to lap by the factor 1 - VD_LEARN_GAIN c. For c above 1/VD_LEARN_GAIN the shares alternate
 * around s, and from 2/VD_LEARN_GAIN on they do not approach it, so the last lap need not be the best one. */
#ifndef VD_SCENARIO_LEARN_H
#define VD_SCENARIO_LEARN_H

#include "base/elementary.h"

#include <stdbool.h>
#include <stddef.h>

#define VD_LEARN_GAIN 0.02 /* greatest growth of a share in a lap */
#define VD_LEARN_FALL 2.0  /* greatest fall divided by the greatest growth */

/* Returns the place, of `count', that is nearest to a part of the path's length. The last place of a closed path is its
 * first one. */
static inline size_t vd_learn_place(double part, size_t count, bool closed) {
  size_t place = (size_t)(vd_min(vd_max(part, 0.0), 1.0) * (double)(count - 1) + 0.5);
  return closed && place == count - 1 ? 0 : place;
}

/* Returns the share for the next lap. error: >= 0, accepted up to 1; < 0: the place was not driven, and its share does
 * not change. least: least share. */
static inline double vd_learn_share(double share, double error, double least) {
  if (!(error >= 0.0))
    return share;
  return vd_min(vd_max(share + VD_LEARN_GAIN * vd_max(1.0 - error, -VD_LEARN_FALL), least), 1.0);
}

/* Returns the greatest error at place i and at the next `far' of `count' places. The last place of a closed path is its
 * first one. */
static inline double vd_learn_error(const double *error, size_t count, bool closed, size_t i, size_t far) {
  double most = error[i];
  for (size_t k = 1; k <= far; k++) {
    size_t last = count - 1, next = closed ? (i + k) % last : i + k < last ? i + k : last;
    most = vd_max(most, error[next]);
  }
  return most;
}

/* A lap. pace: m/s, mean speed along the path; worst: greatest distance from the path, divided by the accepted
 * distance; INFINITY: the run failed, or there was none. */
typedef struct vd_learn_lap {
  double pace, worst;
} vd_learn_lap;

/* True if a lap replaces the best one so far. The best lap is the fastest of those that stayed within the accepted
 * distance; if there is none, it is the lap with the least distance. */
static inline bool vd_learn_better(vd_learn_lap lap, vd_learn_lap best) {
  return lap.worst <= 1.0 ? !(best.worst <= 1.0) || lap.pace > best.pace : lap.worst < best.worst;
}

#endif
