/* The keys of a random road. */
#ifndef VD_ISO8608_DEF_H
#define VD_ISO8608_DEF_H

#include "ground/iso8608.h"

enum vd_coherence { VD_COHERENCE_NONE, VD_COHERENCE_FULL, VD_COHERENCE_MEASURED };

typedef struct vd_iso8608_def {
  int road_class;      /* 0 to 7: A to H */
  double roughness;    /* m3: spectral density at 0.1 cycles/m; auto: value of the class */
  double waviness;     /* exponent w: the density falls with the wave number to the power -w */
  double n_from, n_to; /* 1/m, cycles; auto */
  double length;       /* m, after which the road repeats; auto */
  int seed;
  int coherence;   /* enum vd_coherence */
  double track;    /* m, between the left and the right profile */
  vd_iso8608 road; /* not a key: drawn by vd_ground_complete */
} vd_iso8608_def;

#endif
