/* Grounds: what the tyres stand on. */
#ifndef VD_GROUND_H
#define VD_GROUND_H

#include "schema.h"

enum vd_ground_type { VD_GROUND_FLAT, VD_GROUND_INCLINED };

typedef struct vd_ground_def {
  int type;        /* enum vd_ground_type */
  double friction; /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;    /* rad: slope along world x, rising for > 0 */
  double bank;     /* rad: slope along world y, left side up for > 0 */
} vd_ground_def;

extern const vd_schema vd_ground_schema;

/* A plane z = tan(grade) x + tan(bank) y with its own axes: along[] is world x laid onto it, across[]
 * completes the right-handed set with the normal[]. All unit vectors in world axes. */
typedef struct vd_ground {
  double along[3], across[3], normal[3];
  double pull_along, pull_across; /* m/s2: gravity along the two axes */
  double weight;                  /* m/s2: gravity against the normal */
  double friction;
} vd_ground;

void vd_ground_build(const vd_ground_def *def, vd_ground *ground);

#endif
