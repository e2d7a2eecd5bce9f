/* The keys of the stability controller. */
#ifndef VD_STABILITY_DEF_H
#define VD_STABILITY_DEF_H

#include <stdbool.h>

typedef struct vd_stability_def {
  double limit;         /* m/s2, greatest lateral acceleration on friction 1; auto (NAN): limit of the steady turns */
  double rear_slip;     /* rad, slip angle of the rear axle above which the side slip is reduced; auto (NAN) */
  double tolerance;     /* rad/s, deviation of the yaw rate within which the controller does not act */
  double gain;          /* 1/s, yaw acceleration per deviation beyond the tolerance */
  double slip_gain;     /* 1/s2, yaw acceleration per slip angle beyond rear_slip */
  double slip;          /* -, slip of a wheel above which its pressure is reduced */
  double minimum_speed; /* m/s, speed below which the controller does not act */
  bool motor;           /* it may close the throttle */
} vd_stability_def;

#endif
