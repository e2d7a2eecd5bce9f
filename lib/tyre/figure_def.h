/* Access to the parameters of a tyre by name, for fits to measurements. They are called figures here: numbers by their
 * keys ("lateral.b"), numbers in lists ("a12"), and for model mf the coefficients of the property file ("PCY1").
 *
 * A table says which figures are fitted to which measurements: a group of figures for each model and stage. The stages
 * and their order come from the literature (J. J. M. van Oosten and E. Bakker, Determination of magic tyre model
 * parameters, Vehicle System Dynamics 21 S1, 1992; Pacejka 2012, ch. 4): pure side force, its aligning moment, pure
 * longitudinal force, then combined slip while all earlier figures stay constant. For a model without groups, figures
 * must be named. */
#ifndef VD_TYRE_FIGURE_DEF_H
#define VD_TYRE_FIGURE_DEF_H

#include "tyre/tyre_def.h"

enum vd_tyre_stage {
  VD_TYRE_LATERAL,
  VD_TYRE_ALIGNING,
  VD_TYRE_LONGITUDINAL,
  VD_TYRE_COMBINED,
  VD_TYRE_COMBINED_ALIGNING,
  VD_TYRE_OVERTURNING,
  VD_TYRE_ROLLING,
  VD_TYRE_STAGES
};

/* A figure of a group. It may be fitted as a factor on figures before it: figure = factor x times/over. The bounds of
 * the factor then keep the shape of a curve plausible, whatever the other figures are. */
typedef struct vd_figure_row {
  const char *name;
  enum vd_tyre_stage stage;
  double low, high;         /* bounds of the figure, or of its factor, that keep the curves plausible */
  double size;              /* a change with a visible effect */
  double start;             /* starting value in place of a figure that is 0 */
  const char *times, *over; /* names of the figures of this formula; NULL: none */
} vd_figure_row;

/* Returns the groups of a model. The figures of a stage are in the order of their importance. */
const vd_figure_row *vd_tyre_figure_rows(enum vd_tyre_model model, size_t *count);

/* A tyre whose figures can be changed. */
typedef struct vd_figures {
  vd_tyre_def def;
  vd_mf_def *file; /* coefficients of the property file; NULL: the model has none */
} vd_figures;

/* Copies a completed tyre definition, so that its figures can be changed. */
void vd_figures_init(const vd_tyre_def *def, vd_arena *arena, vd_figures *f);

typedef struct vd_tyre_figure {
  double *value;
  const char *unit;
  double low, high; /* its range as a key */
} vd_tyre_figure;

/* Finds a figure. False: the model has no such number. */
bool vd_figures_find(vd_figures *f, const char *name, vd_tyre_figure *out);
/* Returns the most similar name, or NULL. */
const char *vd_figures_suggest(vd_figures *f, const char *name, vd_arena *arena);

/* Completes the definition after changes: writes the changed coefficients into the text of the property file. */
void vd_figures_finish(vd_figures *f, vd_arena *arena);

#endif
