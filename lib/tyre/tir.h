/* Tyre property files (.tir) of the MF-Tyre family, read into vd_mf_def.
 *
 *   [SECTION]            $ or ! begins a comment, also after a value
 *   KEY = value          keys in any case; numbers, or texts in quotes
 *   {table heading}      from here to the next section, lines without '=' are rows of a table, which is skipped
 *
 * FITTYP 5, 6, 21, 51 are MF 5.2 (PAC2002), 60 and 61 are MF 6.1, 62 is MF 6.2. Where a key stands does not matter,
 * except in [UNITS]. A key that is missing takes the default of the table below, and
 *   INFLPRES             NOMPRES
 *   VERTICAL_STIFFNESS   FNOMIN/20 mm, unless there is Q_FZ1
 *   TYRESIDE             LEFT
 *   NOMPRES              none: then pressure has no effect
 * FITTYP, UNLOADED_RADIUS, FNOMIN have none, and those that USE_MODE asks for of PCX1, PDX1, PKX1, PCY1, PDY1, PKY1,
 * PKY2.
 *
 * [UNITS] converts every key by its dimension. Slips and inclination inside the formulas are ratios, tan alpha and sin
 * gamma or radians, and so are their coefficients numbers without a unit, as the equations of the book have them; ANGLE
 * converts what is an angle itself: ALPMIN, ALPMAX, CAMMIN, CAMMAX. */
#ifndef VD_TIR_H
#define VD_TIR_H

#include "input/diag.h"
#include "tyre/mf.h"
#include "base/text.h"

/* Exponents of the units. */
typedef struct vd_tir_dimension {
  signed char length, force, angle, mass, time;
} vd_tir_dimension;

enum { VD_TIR_52 = 1, VD_TIR_61 = 2, VD_TIR_62 = 4 };
enum vd_tir_need { VD_TIR_MAY, VD_TIR_MUST, VD_TIR_MUST_X, VD_TIR_MUST_Y }; /* X, Y: if USE_MODE asks for Fx, Fy */

/* A key with a number: drives reading, defaults, conversion and listing. */
typedef struct vd_tir_key {
  const char *section, *key;
  size_t offset; /* of a double in vd_mf_def */
  vd_tir_dimension dimension;
  unsigned versions; /* in which it has an effect */
  double value;      /* default, SI */
  enum vd_tir_need need;
} vd_tir_key;

const vd_tir_key *vd_tir_keys(size_t *count);

/* Reads a regular file of at most 4 MiB, which becomes a source of d. False after errors; those that are not of a place
 * in the file are said at `at`. Unknown keys and keys without effect in the file's version are warnings. */
bool vd_tir_read(const char *path, vd_place at, vd_diag *d, vd_mf_def *out);
/* The same from a registered source. */
bool vd_tir_read_source(int source, vd_diag *d, vd_mf_def *out);

/* A file of all keys that the version knows, in SI units; reads back to the same def. */
void vd_tir_write(const vd_mf_def *def, vd_buf *out);

#endif
