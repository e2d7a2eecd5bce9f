/* Shared by the files that read a property file: pieces of its text, what was found, what was assumed.
 *
 *   tir_pieces.c  pieces of its text, messages
 *   tir_units.c   [UNITS]
 *   tir.c         lines: sections, keys, tables
 *   tir_plausible.c  figures that no tyre has
 *   tir_check.c   mf: the version, what is missing, signs, ranges
 *   tir_own.c     the checks for the files of other models
 *   tir_write.c   the other way */
#ifndef VD_TIR_IMPL_H
#define VD_TIR_IMPL_H

#include "tyre/tir.h"

enum {
  VD_TIR_MAX_ERRORS = 20, /* errors of lines, after which reading stops */
  VD_TIR_MAX_KEYS = 400,
  VD_TIR_MAX_OTHER = 64, /* different unknown keys and sections that are told apart */
  VD_TIR_EXCERPT = 40,   /* bytes of the text that a message repeats */
  VD_TIR_LISTED = 8,     /* unused keys and sections that a message names */
};

/* A piece of the text. */
typedef struct vd_tir_span {
  size_t at, length;
} vd_tir_span;

typedef struct vd_tir_reader vd_tir_reader;

/* What a file of one format family may say, and what completes it. */
typedef struct vd_tir_kind {
  const vd_tir_alias *(*aliases)(size_t *count); /* NULL: there are none */
  const char *const *silent; /* NULL-terminated: keys without effect, besides the common ones; NULL: none */
  bool scales;               /* it has the factors LCZ, LIP, LKG */
  void (*complete)(vd_tir_reader *r);
  const char *(*name)(const vd_tir_reader *r); /* what the file was read as, for the summary */
} vd_tir_kind;

extern const vd_tir_kind vd_tir_mf;

/* A unit as a fraction of exact numbers, as in units.h. */
typedef struct vd_tir_unit {
  const char *name;
  double numerator, denominator;
} vd_tir_unit;

/* What figures are relative to, SI. load NAN: the file has none; then it is taken as that of a car of this radius, and
 * the bounds of what is relative to it have room for that. */
typedef struct vd_tir_basis {
  double radius, load, stiffness;
} vd_tir_basis;

/* Factors that a file may put on figures of its own; they are in the figures when a file has been read. */
enum { VD_TIR_LCZ, VD_TIR_LIP, VD_TIR_LKG, VD_TIR_SCALES };

struct vd_tir_reader {
  vd_diag *d;
  int source;
  const char *text;
  size_t length;
  size_t errors;
  bool keeps;   /* only lists what is not understood, */
  vd_buf *kept; /* here, under the headings of its sections */
  const vd_tir_kind *kind;
  void *figures; /* the doubles of its keys */
  vd_mf_points *curve;
  int *measured_side;    /* enum vd_mf_side, as in the file */
  vd_mf_def *def;        /* the figures of vd_tir_mf */
  const void *context;   /* context of another kind */
  const vd_tir_key *key; /* keys with numbers */
  size_t keys;
  vd_tir_span given[VD_TIR_MAX_KEYS]; /* the values; length 0: not given */
  vd_tir_span blank[VD_TIR_MAX_KEYS]; /* keys without a value */
  bool bad[VD_TIR_MAX_KEYS];          /* reported already, not to be judged again */
  bool foreign[VD_TIR_MAX_KEYS];      /* in a section that is not known */
  vd_tir_span scale_at[VD_TIR_SCALES];
  double scale[VD_TIR_SCALES];
  vd_tir_span side;   /* value of TYRESIDE */
  vd_tir_span format; /* value of PROPERTY_FILE_FORMAT */
  vd_tir_span unit_text[VD_TIR_UNITS];
  const vd_tir_unit *unit[VD_TIR_UNITS];
  vd_tir_span other[VD_TIR_MAX_OTHER]; /* unknown keys and unused sections, each once */
  size_t others;
  bool units;      /* there is a section of this name */
  bool side_known; /* whatever TYRESIDE says */
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

/* A piece as a message can repeat it: short, printable. */
vd_tir_excerpt vd_tir_excerpt_of(const vd_tir_reader *r, vd_tir_span s);
vd_place vd_tir_place(const vd_tir_reader *r, vd_tir_span s);
/* Whether a piece is this word, in any case; a star stands for any ending. */
bool vd_tir_named(const vd_tir_reader *r, vd_tir_span s, const char *pattern);
bool vd_tir_listed(const vd_tir_reader *r, vd_tir_span s, const char *const *list, size_t count);
/* Notes where a value stands; false, after a message, if there is one already. */
bool vd_tir_note(vd_tir_reader *r, vd_tir_span key, vd_tir_span value, vd_tir_span *given);
/* An error that counts among those of lines. */
void vd_tir_fail(vd_tir_reader *r, vd_tir_span at, const char *format, ...) VD_PRINTF(3, 4);
/* Notes what the file leaves open. With --strict an error, else a part of the summary. */
void vd_tir_assume(vd_tir_reader *r, vd_place at, const char *format, ...) VD_PRINTF(3, 4);
bool vd_tir_is_pressure(const signed char *dimension);
double *vd_tir_member(void *figures, const vd_tir_key *key);
double vd_tir_value(const void *figures, const vd_tir_key *key);
size_t vd_tir_index(const vd_tir_reader *r, const char *name);

/* --- tir_units.c --- */

/* A line of [UNITS]. */
void vd_tir_on_unit(vd_tir_reader *r, vd_tir_span key, vd_tir_span value);
/* Converts all values to SI, and those of the load curve. */
void vd_tir_convert(vd_tir_reader *r);

/* --- tir_plausible.c --- */

/* Errors for figures that no tyre has, with the units that are probably meant. After a wrong radius or nominal load
 * nothing else is judged, because that is relative to them. */
void vd_tir_judge(const vd_tir_reader *r, const vd_tir_basis *basis);

/* --- tir_check.c --- */

/* The Magic Formula of a file that has been read: VD_TIR_52 ..; 0: none, after a message. */
unsigned vd_tir_version(const vd_mf_def *def);
bool vd_tir_has_effect(const vd_mf_def *def, const vd_tir_key *key);
/* Where to point a message about a key: at its value, else at the file (line 0). */
vd_place vd_tir_key_place(const vd_tir_reader *r, const char *name);
bool vd_tir_is_given(const vd_tir_reader *r, const char *name);
/* Errors for keys that are not given and have no default (lacks), assumptions for other keys without a value. */
void vd_tir_check_keys(vd_tir_reader *r, bool (*lacks)(const vd_tir_reader *r, const vd_tir_key *key));
/* A load curve begins at no load and rises. */
void vd_tir_check_curve(vd_tir_reader *r);
void vd_tir_assume_side(vd_tir_reader *r);

/* --- tir.c --- */

/* Reads a source as a kind. Set are d, kind, figures, curve, measured_side, context, key and keys; all else is 0. False
 * after errors. */
bool vd_tir_read_kind(vd_tir_reader *r, int source);
/* vd_tir_keep for a kind. */
void vd_tir_keep_kind(vd_tir_reader *r, int source, vd_buf *kept);

/* --- tir_write.c --- */

/* Head of a file with where it is from, units, the load curve, and lines kept from the source. */
void vd_tir_write_head(const char *from, vd_buf *out);
void vd_tir_write_units(vd_buf *out);
void vd_tir_write_curve(vd_points curve, vd_buf *out);
void vd_tir_write_kept(const char *kept, vd_buf *out);
extern const char *const vd_tir_side_names[]; /* by enum vd_mf_side */

#endif
