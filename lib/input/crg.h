/* Files of measured roads, OpenCRG 1.1 and 1.2 (ASAM OpenCRG 1.2.0, chapter 6): heights on a grid that follows a
 * reference line. u counts along the line, v across it, to the left > 0.
 *
 *   $CT             free text
 *   $ROAD_CRG       KEY = number: the reference line, the places of the long sections
 *   $KD_DEFINITION  #:LRFI the format of the numbers; D:name,unit a channel each, in the order of the columns
 *   $ROAD_CRG_OPTS, $ROAD_CRG_MODS  KEY = number: how to evaluate, what to change first
 *   $               ends a section; $$ ends the header
 *
 * The numbers follow, a row for each cross section. Text has fields of 10 (LRFI, KRFI) or 20 characters (LDFI, KDFI).
 * Each row begins a new line, and with LRFI and LDFI continues in further lines of 80 characters. Binary numbers are
 * big-endian floats (KRBI) or doubles (KDBI) without gaps; the last block of 80 bytes is filled up. A text field that
 * begins with * is a missing value. Lines that begin with * are comments, and so is everything behind a !. Only the
 * first 72 characters of a header line are read. Upper and lower case are equal. */
#ifndef VD_INPUT_CRG_H
#define VD_INPUT_CRG_H

#include "base/arena.h"
#include "input/diag.h"
#include "input/lines.h"

/* Arguments of KEY: the section in which the key stands; USED or UNUSED, the latter if the program ignores the key; the
 * greatest magnitude of the value; the name. */
#define VD_CRG_KEYS(KEY)                                                                                               \
  KEY(ROAD, USED, 1e8, REFERENCE_LINE_START_U)                                                                         \
  KEY(ROAD, USED, INFINITY, REFERENCE_LINE_END_U)                                                                      \
  KEY(ROAD, USED, INFINITY, REFERENCE_LINE_INCREMENT)                                                                  \
  KEY(ROAD, USED, INFINITY, LONG_SECTION_V_RIGHT)                                                                      \
  KEY(ROAD, USED, INFINITY, LONG_SECTION_V_LEFT)                                                                       \
  KEY(ROAD, USED, INFINITY, LONG_SECTION_V_INCREMENT)                                                                  \
  KEY(ROAD, USED, 1e4, REFERENCE_LINE_START_S)                                                                         \
  KEY(ROAD, USED, INFINITY, REFERENCE_LINE_END_S)                                                                      \
  KEY(ROAD, USED, 1e4, REFERENCE_LINE_START_B)                                                                         \
  KEY(ROAD, USED, INFINITY, REFERENCE_LINE_END_B)                                                                      \
  KEY(ROAD, USED, 1e8, REFERENCE_LINE_START_X)                                                                         \
  KEY(ROAD, USED, 1e8, REFERENCE_LINE_START_Y)                                                                         \
  KEY(ROAD, USED, 1e4, REFERENCE_LINE_START_Z)                                                                         \
  KEY(ROAD, USED, 1e4, REFERENCE_LINE_START_PHI)                                                                       \
  KEY(ROAD, USED, 1e8, REFERENCE_LINE_END_X)                                                                           \
  KEY(ROAD, USED, 1e8, REFERENCE_LINE_END_Y)                                                                           \
  KEY(ROAD, USED, 1e4, REFERENCE_LINE_END_Z)                                                                           \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_END_PHI)                                                                  \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_OFFSET_X)                                                                 \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_OFFSET_Y)                                                                 \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_OFFSET_Z)                                                                 \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_OFFSET_PHI)                                                               \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_START_LON)                                                                \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_START_LAT)                                                                \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_START_ALT)                                                                \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_END_LON)                                                                  \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_END_LAT)                                                                  \
  KEY(ROAD, UNUSED, INFINITY, REFERENCE_LINE_END_ALT)                                                                  \
  KEY(OPTIONS, USED, INFINITY, BORDER_MODE_U)                                                                          \
  KEY(OPTIONS, USED, INFINITY, BORDER_MODE_V)                                                                          \
  KEY(OPTIONS, USED, 1e4, BORDER_OFFSET_U)                                                                             \
  KEY(OPTIONS, USED, 1e4, BORDER_OFFSET_V)                                                                             \
  KEY(OPTIONS, USED, INFINITY, BORDER_SMOOTH_UBEG)                                                                     \
  KEY(OPTIONS, USED, INFINITY, BORDER_SMOOTH_UEND)                                                                     \
  KEY(OPTIONS, USED, INFINITY, REFLINE_CONTINUATION)                                                                   \
  KEY(OPTIONS, UNUSED, INFINITY, REFLINE_SEARCH_U)                                                                     \
  KEY(OPTIONS, UNUSED, INFINITY, REFLINE_SEARCH_U_FRACTION)                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, REFLINE_SEARCH_FAR)                                                                   \
  KEY(OPTIONS, UNUSED, INFINITY, REFLINE_SEARCH_CLOSE)                                                                 \
  KEY(OPTIONS, UNUSED, INFINITY, WARN_MSGS)                                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, WARN_CURV_LOCAL)                                                                      \
  KEY(OPTIONS, UNUSED, INFINITY, WARN_CURV_GLOBAL)                                                                     \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_MSGS)                                                                             \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_EVAL)                                                                             \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_EVAL_FREQ)                                                                        \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_HIST)                                                                             \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_HIST_FREQ)                                                                        \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_STAT)                                                                             \
  KEY(OPTIONS, UNUSED, INFINITY, LOG_STAT_FREQ)                                                                        \
  KEY(OPTIONS, UNUSED, INFINITY, CHECK_EPS)                                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, CHECK_INC)                                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, CHECK_TOL)                                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, CHECK_PRO)                                                                            \
  KEY(OPTIONS, UNUSED, INFINITY, CHECK_WGS)                                                                            \
  KEY(MODIFIERS, USED, 1e4, SCALE_Z_GRID)                                                                              \
  KEY(MODIFIERS, USED, 1e4, SCALE_SLOPE)                                                                               \
  KEY(MODIFIERS, USED, 1e4, SCALE_BANKING)                                                                             \
  KEY(MODIFIERS, USED, INFINITY, SCALE_LENGTH)                                                                         \
  KEY(MODIFIERS, USED, INFINITY, SCALE_WIDTH)                                                                          \
  KEY(MODIFIERS, USED, 1e4, SCALE_CURVATURE)                                                                           \
  KEY(MODIFIERS, USED, INFINITY, GRID_NAN_MODE)                                                                        \
  KEY(MODIFIERS, USED, 1e4, GRID_NAN_OFFSET)                                                                           \
  KEY(MODIFIERS, USED, 1e8, REFLINE_ROTCENTER_X)                                                                       \
  KEY(MODIFIERS, USED, 1e8, REFLINE_ROTCENTER_Y)                                                                       \
  KEY(MODIFIERS, USED, 1e4, REFLINE_OFFSET_PHI)                                                                        \
  KEY(MODIFIERS, USED, 1e8, REFLINE_OFFSET_X)                                                                          \
  KEY(MODIFIERS, USED, 1e8, REFLINE_OFFSET_Y)                                                                          \
  KEY(MODIFIERS, USED, 1e4, REFLINE_OFFSET_Z)                                                                          \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_U)                                                                           \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_V)                                                                           \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_U_FRACTION)                                                                  \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_U_OFFSET)                                                                    \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_V_FRACTION)                                                                  \
  KEY(MODIFIERS, USED, INFINITY, REFPOINT_V_OFFSET)                                                                    \
  KEY(MODIFIERS, USED, 1e8, REFPOINT_X)                                                                                \
  KEY(MODIFIERS, USED, 1e8, REFPOINT_Y)                                                                                \
  KEY(MODIFIERS, USED, 1e4, REFPOINT_Z)                                                                                \
  KEY(MODIFIERS, USED, 1e4, REFPOINT_PHI)

#define VD_CRG_NAME(section, use, most, key) VD_CRG_##key,
enum vd_crg_key { VD_CRG_KEYS(VD_CRG_NAME) VD_CRG_KEY_COUNT };
#undef VD_CRG_NAME

/* Channels of the reference line. */
enum vd_crg_channel { VD_CRG_PHI, VD_CRG_SLOPE, VD_CRG_BANKING, VD_CRG_CHANNELS };

typedef struct vd_crg_file {
  double value[VD_CRG_KEY_COUNT]; /* m, rad, 1; NAN: the key is not given */
  vd_place at[VD_CRG_KEY_COUNT];  /* place of the value; if the key is not given, the line of the format */
  size_t rows, sections;          /* cross and long sections */
  const double
      *line[VD_CRG_CHANNELS]; /* [rows], rad or m/m; NULL: the file lacks it; entry 0 of phi and slope has no meaning */
  const double *v;            /* m, [sections], rising; NULL: the sections are numbered from the right */
  /* the numbers, [rows][columns]: doubles if the file is text, else the big-endian bytes in the text of the source,
   * since a copy as doubles would need twice the size of the file */
  const double *number;
  const unsigned char *bytes; /* NULL: text */
  size_t size, columns;       /* bytes of a binary number; numbers of a row */
  const size_t *order;        /* [sections]: column of each long section, from right to left */
  const vd_slice *row;        /* [rows]: first line of each row, in the text of the source; NULL: the data is binary */
  vd_place format;            /* place of the word that names the format */
} vd_crg_file;

const char *vd_crg_key_name(enum vd_crg_key key);

/* Returns the place of a row; for binary data, the place of the format. The function counts lines from the start of the
 * file, and is therefore fast enough for messages only. */
vd_place vd_crg_row_place(const vd_crg_file *file, const vd_diag *d, size_t row);

/* Writes the heights of a row, m, from right to left; NAN: missing. */
void vd_crg_heights(const vd_crg_file *file, size_t row, double *z);

/* Returns the value of a key, or `otherwise` if it is not given. */
double vd_crg_value(const vd_crg_file *file, enum vd_crg_key key, double otherwise);

/* Reads a registered source, to which messages refer. Returns false after an error. Unknown sections and keys are
 * warnings. Errors are: channels and formats that are unknown or not supported, keys and channels that are given twice,
 * text in place of a number, rows that are cut off, and missing values where the standard requires one (a height
 * between others of a cross section, all heights of a cross section, channels of the reference line). Everything in
 * *out belongs to the arena. */
bool vd_crg_read(int source, vd_arena *arena, vd_diag *d, vd_crg_file *out);

#endif
