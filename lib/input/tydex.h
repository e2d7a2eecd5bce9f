/* TYDEX files, release 1.3 of 1997 (TYDEX-Format Description and Reference Manual, Unrau and Zamow): measurements of a
 * tyre as text, in sections that begin with a keyword in a line of its own.
 *
 *   **HEADER          key, comment, value             columns 1, 11, 51
 *   **COMMENTS        free text
 *   **CONSTANTS       key, comment, unit, value       columns 1, 11, 41, 51
 *   **MEASURCHANNELS  key, comment, unit, factor, offset of the measured, offset of the physical value
 *                                                     columns 1, 11, 41, 51, 61, 71
 *   **MEASURDATA      a number for each channel, between blanks; NOTAVAIL: missing
 *   **MODELDEFINITION, **MODELPARAMETERS, **MODELCOEFFICIENTS, **MODELCHANNELS, **MODELOUTPUTS, **MODELEND
 *   **END
 *
 * The physical value, in the unit of its channel, is (measured + offset) x factor + offset of the physical value. The
 * manual was not available to confirm this formula. Other programs agree with it: a writer has the columns "factor",
 * "measured offset", "physical offset" in this order, and readers of files without offsets multiply by the factor.
 * Lines that begin with ! are comments. Axis systems: tyre/tydex_axes.h. */
#ifndef VD_INPUT_TYDEX_H
#define VD_INPUT_TYDEX_H

#include "input/table.h"

typedef struct vd_tydex_entry {
  const char *key, *unit, *text; /* "": none */
  double value;                  /* in `unit`; NAN: the text is not a number */
  vd_place at;
} vd_tydex_entry;

typedef struct vd_tydex_entries {
  vd_tydex_entry *entry;
  size_t count, room; /* number of entries; number for which there is memory */
} vd_tydex_entries;

typedef struct vd_tydex_channel {
  const char *key, *unit;
  double factor, measured_offset, physical_offset;
  vd_place at;
} vd_tydex_channel;

typedef struct vd_tydex {
  vd_tydex_entries header, constants, model_parameters, model_coefficients;
  const vd_tydex_channel *channel;
  size_t channels, rows;
  double **value;       /* [channels][rows], physical, in the unit of the channel; NAN: not available */
  const size_t *offset; /* [rows], bytes before each row */
} vd_tydex;

/* True if a text is TYDEX: its first line that is neither blank nor a comment begins with two asterisks. */
bool vd_tydex_is(const char *text, size_t length);

/* Reads a registered source. Errors point into it: missing channels or data, a key that is given twice, factors or data
 * that are no numbers, rows with more or fewer values than channels. Unknown sections, and a missing **END, are
 * warnings. Everything in *out belongs to the arena. */
bool vd_tydex_read(int source, vd_arena *arena, vd_diag *d, vd_tydex *out);

/* Return the channel, or the constant, with this key; -1 or NULL if there is none. */
int vd_tydex_find(const vd_tydex *t, const char *key);
const vd_tydex_entry *vd_tydex_constant(const vd_tydex *t, const char *key);

/* A channel to be written. */
typedef struct vd_tydex_written {
  const char *key, *comment, *unit;
} vd_tydex_written;

/* Write the sections before the data, one row of the data, and the end of the file. */
void vd_tydex_write_head(vd_output *o, const char *supplier, const char *title, const vd_tydex_written *channel,
                         size_t channels);
void vd_tydex_write_row(vd_output *o, const double *value, size_t channels, enum vd_digits digits);
void vd_tydex_write_end(vd_output *o);

#endif
