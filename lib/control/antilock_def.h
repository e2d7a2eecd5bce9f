/* The keys of the anti-lock controller. */
#ifndef VD_ANTILOCK_DEF_H
#define VD_ANTILOCK_DEF_H

#include <stdbool.h>

typedef struct vd_antilock_def {
  double slip;          /* -, above which a pressure is released */
  double deceleration;  /* m/s2, of a wheel's rim beyond that of the car, above which it is on its way to lock */
  double regain;        /* -, share of what was released that is built up again at once */
  double build;         /* -, opening of the valve in the slow build-up that follows */
  double yaw_build;     /* -, opening of the valve of a free front wheel while the other one is controlled */
  double minimum_speed; /* m/s, below which the wheels may lock */
  bool select_low;      /* both rear wheels have the valve of the one that is nearer to locking */
} vd_antilock_def;

#endif
