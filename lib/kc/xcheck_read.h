/* One side of a cross-check from a file: a suspension, a hardpoint list or a table of curves. */
#ifndef VD_XCHECK_READ_H
#define VD_XCHECK_READ_H

#include "kc/hardpoint_csv.h"
#include "kc/xcheck.h"

enum vd_xcheck_format {
  VD_FORMAT_UNSTATED,
  VD_FORMAT_YAML,
  VD_FORMAT_HARDPOINTS,
  VD_FORMAT_CURVES,
  VD_FORMAT_COMPLIANCE
};

extern const char *const vd_xcheck_format_names[]; /* "", "yaml" .. */

typedef struct vd_xcheck_input {
  const char *path; /* "-": standard input */
  enum vd_xcheck_format format;
  vd_hardpoint_options list; /* of a hardpoint list */
} vd_xcheck_input;

/* Reads a side. Its format is the stated one, else a hardpoint list by its columns or keys, else YAML by the ending
 * (.yaml, .yml, .json), else by a column that begins with fx_drive_ or fx_brake_, or with travel_ or rack_. *format:
 * the format found. remark: how a hardpoint list was interpreted, without a line end; may stay empty. */
bool vd_xcheck_read(const vd_xcheck_input *in, vd_arena *arena, vd_diag *d, vd_xcheck_side *side,
                    enum vd_xcheck_format *format, vd_buf *remark);

#endif
