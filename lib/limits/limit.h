/* The end of a curve of steady states: the state with the greatest value of one quantity, the goal.
 *
 * If there is one unknown more than equations, the solutions form a curve. From a solved state the curve is followed
 * step by step along its length, in the direction in which the goal grows. The search ends where the goal is greatest
 * (a fold: no state exists with more demand), at a full pedal, or at a bound of body slip or steer. The tangent at the
 * fold shows which axle saturates: along the tangent the slips of this axle change although the accelerations do
 * not. */
#ifndef VD_LIMIT_H
#define VD_LIMIT_H

#include "limits/trim.h"

/* LIMIT(symbol, word, meaning) */
/* clang-format off */
#define VD_LIMIT_LIST(LIMIT) \
  LIMIT(FRONT, "front", "the front tyres saturate: with more demand the car slides straight on") \
  LIMIT(REAR, "rear", "the rear tyres saturate: with more demand the car spins") \
  LIMIT(POWER, "power", "the throttle is fully open") \
  LIMIT(BRAKE, "brake", "the brake pedal is fully pressed") \
  LIMIT(SIDE_SLIP, "side_slip", "the bound of the body's slip angle") \
  LIMIT(STEER, "steer", "the bound of the steer") \
  LIMIT(LOST, "lost", "the last state that was found: beyond this state the equations have no solution nearby")
/* clang-format on */

#define VD_LIMIT_ONE(symbol, word, meaning) VD_LIMIT_##symbol,
enum vd_limit { VD_LIMIT_LIST(VD_LIMIT_ONE) };
#undef VD_LIMIT_ONE

#define VD_LIMIT_ONE(symbol, word, meaning) +1
enum { VD_LIMITS = 0 VD_LIMIT_LIST(VD_LIMIT_ONE) };
#undef VD_LIMIT_ONE

extern const char *const vd_limit_names[], *const vd_limit_meanings[]; /* NULL-terminated */

typedef struct vd_limit_bounds {
  double side_slip, steer; /* rad */
  double power;            /* share of the full throttle, 0..1 */
  /* side_slip bounds the slip of the rear axle: to the inside of a turn, the body's slip may be greater by that of a
   * car that rolls round without slip, which turns about a point beside its rear axle */
  bool from_rear;
} vd_limit_bounds;

/* True if the unknowns of a state are within their bounds. */
bool vd_limit_within(const vd_trim *t, const vd_limit_bounds *bounds);

/* Results of a search for a limit. With them a limit nearby, at another speed or in another direction, is found
 * faster. */
typedef struct vd_limit_shape {
  int bound;        /* the quantity that is at its bound; -1: none, the limit is a fold */
  double curvature; /* second derivative of the scaled goal by the length of the curve; NAN: not known */
} vd_limit_shape;

/* How far a curve is followed: to its first fold; beyond folds, to the fold with the greatest goal; to the first fold,
 * but not beyond the state from which on the steer falls, after which a car whose steer grows leaves the curve. */
enum vd_limit_way { VD_LIMIT_FIRST, VD_LIMIT_BEYOND, VD_LIMIT_STEERED };

/* Follows the curve from the solved state of t, whose unknowns contain the goal, and leaves t at its end. shape: set to
 * the shape of the limit; may be NULL. */
enum vd_limit vd_limit_find(vd_trim *t, int goal, const vd_limit_bounds *bounds, enum vd_limit_way way,
                            vd_limit_shape *shape);

/* Number of seeds: states on curves that need not lead straight ahead, with much steer into the turn or much side slip
 * of the body, where tyres are beyond their peaks. */
enum { VD_LIMIT_SEEDS = 7 };

/* Sets the steer and side slip of a seed, 0 .. VD_LIMIT_SEEDS - 1, of a turn to the left (turn > 0) or right. Returns
 * which of both is to be fixed while its state is sought. */
int vd_limit_seed(vd_trim *t, int seed, double turn, const vd_limit_bounds *bounds);

/* Solves for the state near t in which the quantity `fixed' has its present value, and follows its curve beyond folds.
 * LOST: there is no such state, its goal is at most `least', or it is far beyond the bounds. */
enum vd_limit vd_limit_from(vd_trim *t, int goal, int fixed, double least, const vd_limit_bounds *bounds,
                            vd_limit_shape *shape);

/* Finds the limit from a state that need not be solved. t contains the inverse and the row of a limit nearby; `shape'
 * is the shape of this nearby limit, and is replaced by the shape of the new limit. A fold is found by Newton's method
 * on the slope of the goal; if this method fails, the curve is followed. LOST: there is no state nearby. */
enum vd_limit vd_limit_near(vd_trim *t, int goal, const vd_limit_bounds *bounds, vd_limit_shape *shape);

#endif
