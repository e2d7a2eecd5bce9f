/* Figures of a tyre by name, for programs that find them from measurements: the keys of its rows ("lateral.b"), numbers
 * of its lists ("a12"), and for model mf the coefficients of its property file ("PCY1").
 *
 * Which of them are found from which measurements is a table: a group of figures for each model and stage. The stages
 * and their order are those of the literature (J. J. M. van Oosten and E. Bakker, Determination of magic tyre model
 * parameters, Vehicle System Dynamics 21 S1, 1992; Pacejka 2012, ch. 4): pure side force, its aligning moment, pure
 * longitudinal force, then combined slip with all before it held. A model without groups is fitted by names alone. */
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

/* A figure of a group. It can be searched as a factor on others, which precede it: factor x times/over, so that bounds
 * of the factor keep a curve in shape whatever the others are. */
typedef struct vd_figure_row {
  const char *name;
  enum vd_tyre_stage stage;
  double low, high;         /* bounds that keep the curves sane, of the figure or its factor */
  double size;              /* a change that matters */
  double start;             /* in place of a figure that is 0 */
  const char *times, *over; /* names; NULL: none */
} vd_figure_row;

/* The groups of a model, those of a stage in the order of their importance. */
const vd_figure_row *vd_tyre_figure_rows(enum vd_tyre_model model, size_t *count);

/* A tyre whose figures can be changed. */
typedef struct vd_figures {
  vd_tyre_def def;
  vd_mf_def *file; /* figures of a property file; NULL: the model has none */
} vd_figures;

/* Takes a completed tyre as one whose figures can be changed. */
void vd_figures_init(const vd_tyre_def *def, vd_arena *arena, vd_figures *f);

typedef struct vd_tyre_figure {
  double *value;
  const char *unit;
  double low, high; /* its range as an input */
} vd_tyre_figure;

/* False: the model has no such number. */
bool vd_figures_find(vd_figures *f, const char *name, vd_tyre_figure *out);
/* The nearest name, or NULL. */
const char *vd_figures_suggest(vd_figures *f, const char *name, vd_arena *arena);

/* Makes the definition complete after changes: the text of a property file. */
void vd_figures_finish(vd_figures *f, vd_arena *arena);

#endif
