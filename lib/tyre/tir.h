/* Tyre property files (.tir) of the MF-Tyre family, read into vd_mf_def.
 *
 *   [SECTION]            $, ! or # begins a comment, also after a value
 *   KEY = value          keys in any case; numbers, also with the exponent D; texts, with or without quotes
 *   {table heading}      from here to the next section, lines without '=' are rows of a table
 *
 * FITTYP 5, 6, 21, 51, 52 are MF 5.2, 60 and 61 are MF 6.1, 62 is MF 6.2. PROPERTY_FILE_FORMAT = 'PAC2002' is the MF
 * 5.2 of Adams, with or without FITTYP: it has the pressure terms of 6.1 (Besselink 2010; dpi = (IP - IP_NOM)/IP_NOM),
 * QSY7 is an exponent in addition to the proportionality to load, there is no rolling moment from the shifts, and some
 * keys have other names. The section of a key does not matter, except for [UNITS]; a key in a section of a vendor is
 * used only if no other section has it. A key that is missing or blank has the default of its table (tir_keys.c), with
 * these exceptions:
 *   INFLPRES             NOMPRES
 *   VERTICAL_STIFFNESS   the slope of the load curve at FNOMIN, else FNOMIN/20 mm, unless Q_FZ1 is given
 *   TYRESIDE             LEFT, also for UNKNOWN
 *   NOMPRES              no default: pressure has then no effect
 *   PCX1, PCY1           1.65, 1.3 (SAE 870421), if USE_MODE selects the force
 * FITTYP, UNLOADED_RADIUS and FNOMIN must be given, and so must PDX1, PKX1 if USE_MODE selects Fx, and PDY1, PKY1, PKY2
 * if it selects Fy.
 *
 * A default that has an effect is an assumption. One remark says what was assumed and what is not used; if messages are
 * strict (vd_diag_set_strict), each assumption is an error.
 *
 * [UNITS] converts every key by its dimension. Slips and inclination in the formulas are ratios (tan alpha, sin gamma)
 * or radians; therefore coefficients are numbers without a unit, as in the equations of the book. ANGLE converts only
 * keys that are angles themselves: ALPMIN, ALPMAX, CAMMIN, CAMMAX. */
#ifndef VD_TIR_H
#define VD_TIR_H

#include "input/diag.h"
#include "tyre/mf.h"
#include "base/text.h"

/* The quantities that have a unit in [UNITS]. */
enum { VD_TIR_LENGTH, VD_TIR_FORCE, VD_TIR_ANGLE, VD_TIR_MASS, VD_TIR_TIME, VD_TIR_PRESSURE, VD_TIR_UNITS };

/* Number of exponents of a dimension: all units except pressure. */
enum { VD_TIR_EXPONENTS = VD_TIR_PRESSURE };
#define VD_TIR_NONE              0, 0, 0, 0, 0
#define VD_TIR_OF_LENGTH         1, 0, 0, 0, 0
#define VD_TIR_PER_LENGTH        -1, 0, 0, 0, 0
#define VD_TIR_OF_FORCE          0, 1, 0, 0, 0
#define VD_TIR_OF_ANGLE          0, 0, 1, 0, 0
#define VD_TIR_OF_MASS           0, 0, 0, 1, 0
#define VD_TIR_OF_SPEED          1, 0, 0, 0, -1
#define VD_TIR_OF_PRESSURE       -2, 1, 0, 0, 0
#define VD_TIR_OF_INERTIA        2, 0, 0, 1, 0
#define VD_TIR_OF_DAMPING        -1, 1, 0, 0, 1
#define VD_TIR_FORCE_OVER_LENGTH -1, 1, 0, 0, 0
#define VD_TIR_FORCE_OVER_ANGLE  0, 1, -1, 0, 0

enum { VD_TIR_52 = 1, VD_TIR_61 = 2, VD_TIR_62 = 4 };
enum vd_tir_need { VD_TIR_MAY, VD_TIR_MUST, VD_TIR_MUST_X, VD_TIR_MUST_Y }; /* X, Y: if USE_MODE selects Fx, Fy */

/* A key with a number. Reading, defaults, conversion and listing use this table. */
typedef struct vd_tir_key {
  const char *section, *key;
  /* offset of a double in the struct that is read: vd_mf_def, or the struct of another model (tir_own_def.h) */
  size_t offset;
  signed char dimension[VD_TIR_EXPONENTS];
  double value; /* default, SI */
  enum vd_tir_need need;
  const char *same; /* key of a tyre file that means the same and has precedence; NULL: none */
} vd_tir_key;

const vd_tir_key *vd_tir_keys(size_t *count);

/* The section of turn slip, which is optional in a file. */
#define VD_TIR_TURN_SLIP "TURNSLIP_COEFFICIENTS"

/* Names in Adams for keys of the table. If one key has two names, the first is written. */
typedef struct vd_tir_alias {
  const char *adams, *key;
} vd_tir_alias;

const vd_tir_alias *vd_tir_aliases(size_t *count);

/* Registers a regular file of at most 4 MiB. Messages without a place in the file point to `at`. */
int vd_tir_open(const char *path, vd_place at, vd_diag *d);

/* Reads a source. False after errors. Unknown keys and keys without effect in the file's version are warnings. */
bool vd_tir_read_source(int source, vd_diag *d, vd_mf_def *out);
/* Reads a file like vd_tir_read_source. side: enum vd_mf_side, the side on which the tyre was measured, in place of the
 * file's side; -1: as in the file. */
bool vd_tir_read_sided(int source, int side, vd_diag *d, vd_mf_def *out);
/* Calls vd_tir_open and vd_tir_read_source. */
bool vd_tir_read(const char *path, vd_place at, vd_diag *d, vd_mf_def *out);

/* Adds the lines of a source that are not understood, under the headings of their sections, without comments. */
void vd_tir_keep(int source, vd_diag *d, vd_buf *kept);

/* Writes a file with all keys of the version, in SI units. It reads back to the same def, without an assumption. */
void vd_tir_write(const vd_mf_def *def, vd_buf *out);
/* Writes a file like vd_tir_write, with a header that names the source, and with the lines that vd_tir_keep has
 * found. */
void vd_tir_write_file(const vd_mf_def *def, const char *from, const char *kept, vd_buf *out);

#endif
