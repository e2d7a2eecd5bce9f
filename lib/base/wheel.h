/* Wheels and axles: their order, their arithmetic and their names. */
#ifndef VD_WHEEL_H
#define VD_WHEEL_H

#include <stdbool.h>

/* Wheels, everywhere in this order. */
enum vd_wheel { VD_FL, VD_FR, VD_RL, VD_RR, VD_WHEELS };
enum vd_axle { VD_FRONT, VD_REAR, VD_AXLES };

/* X(wheel, "fl" in names, "front left" in sentences, ...) for every wheel, in their order. */
#define VD_EACH_WHEEL(X, ...)                                                                                          \
  X(VD_FL, "fl", "front left", __VA_ARGS__)                                                                            \
  X(VD_FR, "fr", "front right", __VA_ARGS__)                                                                           \
  X(VD_RL, "rl", "rear left", __VA_ARGS__)                                                                             \
  X(VD_RR, "rr", "rear right", __VA_ARGS__)

/* Names by wheel or by axle; each list ends with NULL. */
extern const char *const vd_wheel_names[VD_WHEELS + 1]; /* "fl" */
extern const char *const vd_wheel_words[VD_WHEELS + 1]; /* "front left" */
extern const char *const vd_axle_names[VD_AXLES + 1];   /* "front" */
extern const char *const vd_side_names[3];              /* "left", "right" */

static inline int vd_axle_of(int wheel) {
  return wheel / 2;
}

static inline bool vd_is_front(int wheel) {
  return vd_axle_of(wheel) == VD_FRONT;
}

static inline bool vd_is_right(int wheel) {
  return wheel % 2 != 0;
}

/* Returns the sign of the wheel's y: 1 on the left, -1 on the right. */
static inline double vd_side_sign(int wheel) {
  return vd_is_right(wheel) ? -1.0 : 1.0;
}

/* Returns the other wheel of the axle. */
static inline int vd_other_side(int wheel) {
  return wheel ^ 1;
}

static inline int vd_left_wheel(int axle) {
  return 2 * axle;
}

static inline int vd_right_wheel(int axle) {
  return 2 * axle + 1;
}

static inline int vd_wheel_at(int axle, bool right) {
  return right ? vd_right_wheel(axle) : vd_left_wheel(axle);
}

/* Return the axle of a lane, and the lane of a wheel. A planar model has a lane for each wheel (L2) or for each axle
 * (L1). lanes: number of lanes, 4 or 2. */
static inline int vd_axle_of_lane(int lanes, int lane) {
  return lanes == VD_WHEELS ? vd_axle_of(lane) : lane;
}

static inline int vd_lane_of(int lanes, int wheel) {
  return lanes == VD_WHEELS ? wheel : vd_axle_of(wheel);
}

#endif
