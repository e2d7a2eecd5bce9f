/* Pictures of tables that are not time histories: suspensions, tyre rigs, fits, studies. */
#ifndef VD_PLOT_KINDS_H
#define VD_PLOT_KINDS_H

#include "pictures.h"

#include "input/diag.h"

/* Adds a panel without series. Texts too long for their members of vd_picture are cut. */
vd_picture *vd_kind_panel(vd_drawing *f, int over, const char *title, const char *y_unit, const char *x_name,
                          const char *x_unit);
/* Adds an empty series with room for points. */
vd_picture_series *vd_kind_series(vd_picture *p, enum vd_stroke stroke, const char *name, size_t room);
void vd_kind_point(vd_picture_series *s, double x, double y);
/* Returns the colour of a share of a range, 0x1RRGGBB: from navy through green to dark red. */
unsigned vd_kind_ramp(double share);

/* Builds a figure of files. False after a message, which may be in d. */
bool vd_figure_kc(const char *const *file, size_t files, vd_arena *arena, vd_diag *d, vd_drawing *out);
/* kind: fy, fx, ellipse, mz, gough, transient or time. */
bool vd_figure_tyre(const char *kind, const char *const *file, size_t files, vd_arena *arena, vd_diag *d,
                    vd_drawing *out);
/* Draws a fit of a tyre or of runs, from its table of residuals and the curves in the same folder. */
bool vd_figure_fit(const char *file, vd_unit_habits *units, vd_arena *arena, vd_diag *d, vd_drawing *out);

/* Draws the axes and the positive directions. In plot_axes.c. */
void vd_figure_axes(vd_drawing *out);

/* Draws a metric of a study over factors of the study. kind: scatter, tornado, histogram or surface; metric: name of
 * the metric, not needed if the study has only one; factors: names with commas between them, NULL: all. In
 * plot_study.c. */
bool vd_figure_study(const char *kind, const char *file, const char *const *metric, size_t metrics, const char *factors,
                     vd_unit_habits *units, vd_arena *arena, vd_diag *d, vd_drawing *out);

#endif
