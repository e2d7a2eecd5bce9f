/* Pictures of tables that are no time histories: suspensions, tyre rigs, fits. */
#ifndef VD_PLOT_KINDS_H
#define VD_PLOT_KINDS_H

#include "pictures.h"

#include "input/diag.h"

/* Build a figure of files. False after a message, which may be in d. */
bool vd_figure_kc(const char *const *file, size_t files, vd_arena *arena, vd_diag *d, vd_drawing *out);
/* kind: fy, fx, ellipse, mz, gough, transient or time. */
bool vd_figure_tyre(const char *kind, const char *const *file, size_t files, vd_arena *arena, vd_diag *d,
                    vd_drawing *out);
/* A fit of a tyre or of runs: its table of residuals, beside which are its curves. */
bool vd_figure_fit(const char *file, vd_unit_habits *units, vd_arena *arena, vd_diag *d, vd_drawing *out);

#endif
