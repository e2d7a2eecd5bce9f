/* Declarations that the files for property files share.
 *
 *   tir_pieces.c  pieces of its text, messages
 *   tir_units.c   [UNITS]
 *   tir.c         lines: sections, keys, tables
 *   tir_plausible.c  values that no tyre can have
 *   tir_check.c   mf: the version, what is missing, signs, ranges
 *   tir_own.c     the checks for the files of other models
 *   tir_write.c   writing of property files */
#ifndef VD_TIR_IMPL_H
#define VD_TIR_IMPL_H

#include "tyre/tir.h"

enum {
  VD_TIR_MAX_ERRORS = 20, /* number of errors in lines after which reading stops */
  VD_TIR_MAX_KEYS = 400,
  VD_TIR_MAX_OTHER = 64, /* greatest number of different unknown keys and sections that are distinguished */
  VD_TIR_EXCERPT = 40,   /* bytes of the text that a message repeats */
  VD_TIR_LISTED = 8,     /* unused keys and sections that a message names */
};

/* A piece of the text. */
typedef struct vd_tir_span {
  size_t at, length;
} vd_tir_span;

typedef struct vd_tir_reader vd_tir_reader;

/* A family of formats: its keys, and the function that completes it. */
typedef struct vd_tir_kind {
  const vd_tir_alias *(*aliases)(size_t *count); /* NULL: there are none */
  const char *const *silent; /* NULL-terminated: keys without effect, in addition to the common ones; NULL: none */
  bool scales;               /* it has the factors LCZ, LIP, LKG */
  void (*complete)(vd_tir_reader *r);
  const char *(*name)(const vd_tir_reader *r); /* name of the format, for the summary */
} vd_tir_kind;

extern const vd_tir_kind vd_tir_mf;

/* A unit as a fraction of exact numbers, as in units.h. */
typedef struct vd_tir_unit {
  const char *name;
  double numerator, denominator;
} vd_tir_unit;

/* Values to which others are compared, SI. load NAN: the file has none. Values are then compared to the load of a car
 * tyre of this radius, with wider bounds. */
typedef struct vd_tir_basis {
  double radius, load, stiffness;
} vd_tir_basis;

/* Factors on other values of the file. After reading, these values are multiplied by them. */
enum { VD_TIR_LCZ, VD_TIR_LIP, VD_TIR_LKG, VD_TIR_SCALES };

struct vd_tir_reader {
  vd_diag *d;
  int source;
  const char *text;
  size_t length;
  size_t errors;
  bool keeps;   /* the reader only lists lines that are not understood */
  vd_buf *kept; /* this list, under the headings of the sections */
  const vd_tir_kind *kind;
  void *figures; /* the struct with the doubles of the keys */
  vd_mf_points *curve;
  int *measured_side;    /* enum vd_mf_side, as in the file */
  vd_mf_def *def;        /* for vd_tir_mf: the same struct as `figures` */
  const void *context;   /* context of the other kinds */
  const vd_tir_key *key; /* keys with numbers */
  size_t keys;
  vd_tir_span given[VD_TIR_MAX_KEYS]; /* places of the values; length 0: not given */
  vd_tir_span blank[VD_TIR_MAX_KEYS]; /* places of keys without a value */
  bool bad[VD_TIR_MAX_KEYS];          /* reported already, not to be checked again */
  bool foreign[VD_TIR_MAX_KEYS];      /* found in a section that is not known */
  vd_tir_span scale_at[VD_TIR_SCALES];
  double scale[VD_TIR_SCALES];
  vd_tir_span side;   /* value of TYRESIDE */
  vd_tir_span format; /* value of PROPERTY_FILE_FORMAT */
  vd_tir_span unit_text[VD_TIR_UNITS];
  const vd_tir_unit *unit[VD_TIR_UNITS];
  vd_tir_span other[VD_TIR_MAX_OTHER]; /* unknown keys and unused sections, each once */
  size_t others;
  bool units;      /* there is a section [UNITS] */
  bool side_known; /* the side is given by the caller, and TYRESIDE is ignored */
  vd_tir_span section, kept_section, curve_at;
  vd_tir_span heading; /* heading of the table, if its columns have another order */
  bool in_units, in_table, in_header, in_curve, is_foreign;
  vd_buf assumed, unused; /* lists for the summary */
  size_t unused_count;
};

/* --- tir_pieces.c --- */

typedef struct vd_tir_excerpt {
  char text[VD_TIR_EXCERPT + 4];
} vd_tir_excerpt;

/* Returns a piece of the text, shortened and printable, for a message. */
vd_tir_excerpt vd_tir_excerpt_of(const vd_tir_reader *r, vd_tir_span s);
vd_place vd_tir_place(const vd_tir_reader *r, vd_tir_span s);
/* Returns whether a piece is this word, in upper or lower case; a star matches any ending. */
bool vd_tir_named(const vd_tir_reader *r, vd_tir_span s, const char *pattern);
bool vd_tir_listed(const vd_tir_reader *r, vd_tir_span s, const char *const *list, size_t count);
/* Stores the place of a value. False, after an error, if the key stands there already. */
bool vd_tir_note(vd_tir_reader *r, vd_tir_span key, vd_tir_span value, vd_tir_span *given);
/* Reports an error and counts it as an error in a line. */
void vd_tir_fail(vd_tir_reader *r, vd_tir_span at, const char *format, ...) VD_PRINTF(3, 4);
/* Reports an assumption: an error if messages are strict, otherwise a part of the summary. */
void vd_tir_assume(vd_tir_reader *r, vd_place at, const char *format, ...) VD_PRINTF(3, 4);
bool vd_tir_is_pressure(const signed char *dimension);
double *vd_tir_member(void *figures, const vd_tir_key *key);
double vd_tir_value(const void *figures, const vd_tir_key *key);
size_t vd_tir_index(const vd_tir_reader *r, const char *name);

/* --- tir_units.c --- */

/* Reads a line of [UNITS]. */
void vd_tir_on_unit(vd_tir_reader *r, vd_tir_span key, vd_tir_span value);
/* Converts all values, and the load curve, to SI. */
void vd_tir_convert(vd_tir_reader *r);

/* --- tir_plausible.c --- */

/* Reports values that no tyre can have, with the units that are probably meant. If the radius or the nominal load is
 * wrong, nothing else is checked, because other values are compared to them. */
void vd_tir_judge(const vd_tir_reader *r, const vd_tir_basis *basis);

/* --- tir_check.c --- */

/* Returns the version of the Magic Formula of a file that has been read, VD_TIR_52 and so on; 0: unknown. */
unsigned vd_tir_version(const vd_mf_def *def);
bool vd_tir_has_effect(const vd_mf_def *def, const vd_tir_key *key);
/* Returns the place of a message about a key: the place of its value or, without a value, the file (line 0). */
vd_place vd_tir_key_place(const vd_tir_reader *r, const char *name);
bool vd_tir_is_given(const vd_tir_reader *r, const char *name);
/* Reports an error for each missing key without default (lacks), and an assumption for other keys without a value. */
void vd_tir_check_keys(vd_tir_reader *r, bool (*lacks)(const vd_tir_reader *r, const vd_tir_key *key));
/* Checks that a load curve begins at zero load and rises. */
void vd_tir_check_curve(vd_tir_reader *r);
void vd_tir_assume_side(vd_tir_reader *r);

/* --- tir.c --- */

/* Reads a source as a kind. The caller has set d, kind, figures, curve, measured_side, context, key and keys; all other
 * members are 0. False after errors. */
bool vd_tir_read_kind(vd_tir_reader *r, int source);
/* Does the work of vd_tir_keep for a kind. */
void vd_tir_keep_kind(vd_tir_reader *r, int source, vd_buf *kept);

/* --- tir_write.c --- */

/* Write parts of a file: its head, which names the source; units; the load curve; lines kept from the source. */
void vd_tir_write_head(const char *from, vd_buf *out);
void vd_tir_write_units(vd_buf *out);
void vd_tir_write_curve(vd_points curve, vd_buf *out);
void vd_tir_write_kept(const char *kept, vd_buf *out);
extern const char *const vd_tir_side_names[]; /* by enum vd_mf_side */

#endif
