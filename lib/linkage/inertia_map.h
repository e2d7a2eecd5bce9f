/* Inertia of the bodies of a corner (knuckle, arms and rods) as maps over the travel: cubic splines through the moments
 * of the closed linkage at equal steps, with the rack in its middle, as for the unsprung mass in linkage_map.h. If
 * equations take every derivative from the same spline, they conserve energy and momentum whatever the map's error. */
#ifndef VD_INERTIA_MAP_H
#define VD_INERTIA_MAP_H

#include "linkage/linkage_map.h"

/* Moments of the left wheel (vd_corner_moments) about its centre in the design position. First and second moments are
 * differences from their values in the design position. */
enum vd_inertia_figure {
  VD_INERTIA_FIRST,
  VD_INERTIA_MASS = 3,
  VD_INERTIA_ANGULAR,
  VD_INERTIA_SECOND = 8, /* xx, yy, zz, xy, xz, yz */
  VD_INERTIA_FIGURES = 16,
};

typedef struct vd_inertia_map {
  vd_axis travel;
  const double *coefficient; /* [travel.cells + 3][VD_INERTIA_FIGURES] */
  double hanging;            /* kg: mass whose weight acts on the travel in the design position */
  double mass;               /* kg, generalised mass of the travel in the design position */
} vd_inertia_map;

/* Makes the map. turning: kg m2, as in vd_corner_moments_at. Returns NULL if a mass or inertia is not known. The
 * linkage must close along the whole travel of the map. */
const vd_inertia_map *vd_inertia_map_create(const vd_corner *corner, const vd_linkage_map *map, double turning,
                                            vd_arena *arena);

/* Figures, their derivatives by travel, and the second derivatives of the first moments (three, and a zero). */
typedef struct vd_inertia_at {
  double value[VD_INERTIA_FIGURES], by_travel[VD_INERTIA_FIGURES], second[4];
} vd_inertia_at;

/* Reads the map; beyond its ends the last cubics continue. */
VD_INLINE void vd_inertia_map_at(const vd_inertia_map *map, double travel, vd_inertia_at *out) {
  double b[4], b1[4], b2[4];
  int cell = vd_bspline_basis(&map->travel, travel, b, b1);
  const double *from = map->coefficient + cell * VD_INERTIA_FIGURES;
  vd_bspline_second_basis(&map->travel, travel, cell, b2);
  for (int k = 0; k < VD_INERTIA_FIGURES; k += 4) {
    vd_wide value = {0.0}, slope = {0.0}, bend = {0.0};
    for (int i = 0; i < 4; i++) {
      vd_wide c = vd_wide_load(from + i * VD_INERTIA_FIGURES + k);
      value += b[i] * c;
      slope += b1[i] * c;
      if (k == VD_INERTIA_FIRST)
        bend += b2[i] * c;
    }
    vd_wide_store(value, out->value + k);
    vd_wide_store(slope, out->by_travel + k);
    if (k == VD_INERTIA_FIRST)
      vd_wide_store(bend, out->second);
  }
}

#endif
