/* The keys of the traction controller. */
#ifndef VD_TRACTION_DEF_H
#define VD_TRACTION_DEF_H

#include <stdbool.h>

typedef struct vd_traction_def {
  /* -, m/s: a driven rim may be faster than the car by slip times its speed or by slip_speed, whichever is greater */
  double slip, slip_speed;
  double brake_speed; /* m/s, estimated speed of the car above which the controller brakes no wheel */
  bool motor;         /* it may close the throttle */
  bool hill_hold;     /* it holds the brake pressure on a hill */
  double hold_time;   /* s, time after the release of the pedal for which the pressure is held */
} vd_traction_def;

#endif
