/* What a file says of a random road. */
#ifndef VD_ISO8608_DEF_H
#define VD_ISO8608_DEF_H

#include "ground/iso8608.h"

enum vd_coherence { VD_COHERENCE_NONE, VD_COHERENCE_FULL, VD_COHERENCE_MEASURED };

typedef struct vd_iso8608_def {
  int road_class;      /* 0 to 7: A to H */
  double roughness;    /* m3: spectral density at 0.1 cycles/m; auto: of the class */
  double waviness;     /* by how many powers the density falls over the wave number */
  double n_from, n_to; /* 1/m, cycles; auto */
  double length;       /* m, after which the road repeats; auto */
  int seed;
  int coherence;   /* enum vd_coherence */
  double track;    /* m, between the left and the right profile */
  vd_iso8608 road; /* drawn by vd_ground_complete; no key */
} vd_iso8608_def;

#endif
