/* The keys of the traction controller. */
#ifndef VD_TRACTION_DEF_H
#define VD_TRACTION_DEF_H

#include <stdbool.h>

typedef struct vd_traction_def {
  double slip, slip_speed; /* -, m/s: a driven rim may be faster than the car by the greater one of both */
  double brake_speed;      /* m/s, estimated speed of the car above which it brakes no wheel */
  bool motor;              /* it may close the throttle */
  bool hill_hold;          /* it keeps the pressure of the pedal on a hill */
  double hold_time;        /* s after the pedal */
} vd_traction_def;

#endif
