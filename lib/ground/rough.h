/* Two sines along the road. */
#ifndef VD_ROUGH_H
#define VD_ROUGH_H

#include "ground/road.h"

typedef struct vd_rough {
  double amplitude;  /* m: amplitude of the longer wave; the shorter wave has half of it */
  double wavelength; /* m: of the longer wave */
} vd_rough;

#endif
