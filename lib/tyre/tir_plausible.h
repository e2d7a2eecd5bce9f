/* Whether the figures of a property file can be those of a tyre. A file in other units than it says passes every other
 * check: a radius of 0.32 with LENGTH = 'mm' makes moments of 1e7 N m. */
#ifndef VD_TIR_PLAUSIBLE_H
#define VD_TIR_PLAUSIBLE_H

#include "tyre/tir.h"

/* The units of a file: names, and sizes in SI. Without one of pressure (NULL) it is that of force over length
 * squared. */
typedef struct vd_tir_units {
  const char *name[VD_TIR_UNITS];
  double size[VD_TIR_UNITS];
} vd_tir_units;

bool vd_tir_is_pressure(vd_tir_dimension d);

/* What figures are relative to, SI. load NAN: the file has none; then it is taken as that of a car of this radius, and
 * the bounds of what is relative to it have room for that. */
typedef struct vd_tir_basis {
  double radius, load, stiffness;
} vd_tir_basis;

typedef struct vd_tir_figures {
  const void *figures; /* the members of the keys */
  const vd_tir_key *key;
  size_t keys;
  const vd_tir_basis *basis;
} vd_tir_figures;

/* Errors for figures that no tyre has, with the units that are probably meant. place: of each key's value; line 0: the
 * file does not say it. After a wrong radius or nominal load nothing else is judged, because that is relative to
 * them. */
void vd_tir_check_plausible(const vd_tir_figures *f, const vd_tir_units *units, const vd_place *place, vd_diag *d);

#endif
