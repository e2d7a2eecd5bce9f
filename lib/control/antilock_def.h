/* The keys of the anti-lock controller. */
#ifndef VD_ANTILOCK_DEF_H
#define VD_ANTILOCK_DEF_H

#include <stdbool.h>

typedef struct vd_antilock_def {
  double slip;          /* -, above which a pressure is released */
  double deceleration;  /* m/s2, deceleration of a rim relative to the car; above it the wheel is about to lock */
  double regain;        /* -, share of the released pressure that is restored at once */
  double build;         /* -, opening of the valve in the slow build-up that follows */
  double yaw_build;     /* -, opening of the valve of a free front wheel while the other one is controlled */
  double minimum_speed; /* m/s, below which the wheels may lock */
  bool select_low;      /* both rear valves have the lower request of the two */
} vd_antilock_def;

#endif
