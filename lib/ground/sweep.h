/* A sine of rising wave number along the road. */
#ifndef VD_WAVE_SWEEP_H
#define VD_WAVE_SWEEP_H

#include "ground/road.h"

#include <stdbool.h>

typedef struct vd_wave_sweep {
  double at;           /* m, world x at which it begins */
  double length;       /* m */
  double amplitude;    /* m */
  double edge;         /* m, length at both ends over which the sine grows and falls */
  double n_from, n_to; /* 1/m, cycles */
  bool logarithmic;    /* the wave number grows exponentially with x; false: linearly */
  bool constant_slope; /* the amplitude falls as the wave number rises */
  vd_sides sides;
} vd_wave_sweep;

#endif
