/* Fits: figures of a tyre from measured rows.
 *
 * A scenario of kind fit is a tyre rig (usually by `base`) with a mapping `fit`: measured rows, stages, bounds, loss.
 * The rig's tyre is the start. Each stage takes its rows (pure or combined slip), the outputs that it compares, and the
 * figures that it finds; what earlier stages found is held. least_squares.h says how a stage is solved, figure_def.h
 * which figures there are.
 *
 * What is particular to tyres is in fit_tyre.c (rows, outputs, evaluation) and figure_def.h (names, groups): a fit of
 * another kind has these three of its own, and a row in kind.c for its base. */
#ifndef VD_FIT_H
#define VD_FIT_H

#include "math/least_squares.h"
#include "tyre/figure_def.h"
#include "tyre/points_def.h"
#include "run/rig.h"

struct vd_setting;

enum vd_fit_output { VD_FIT_FX, VD_FIT_FY, VD_FIT_MX, VD_FIT_MY, VD_FIT_MZ, VD_FIT_OUTPUTS };

/* The stages of figure_def.h, then one of all rows and outputs. */
enum { VD_FIT_ALL = VD_TYRE_STAGES, VD_FIT_STAGES };
extern const char *const vd_fit_stage_names[]; /* NULL-terminated */
extern const char *const vd_fit_loss_names[];  /* of enum vd_loss, the same */

typedef struct vd_fit_stage_def {
  int stage;
  vd_names free, fixed; /* figures, or stages for their groups; free empty: the group of the stage */
} vd_fit_stage_def;

typedef struct vd_fit_bound_def {
  const char *figure;
  double low, high; /* NAN: none */
} vd_fit_bound_def;

typedef struct vd_fit_settings {
  vd_structs data;                         /* vd_tyre_points_def */
  vd_structs stages;                       /* vd_fit_stage_def; empty: all that have rows */
  vd_structs bounds;                       /* vd_fit_bound_def */
  double pure_slip_ratio, pure_slip_angle; /* -, rad: most of the other slip in rows of pure slip */
  double emphasis[VD_FIT_OUTPUTS];
  int loss; /* enum vd_loss */
  double confidence;
  int iterations, starts;
} vd_fit_settings;

/* A measured row in SI; NAN: not measured. */
typedef struct vd_fit_row {
  double load, pressure, camber, vx, kappa, alpha; /* pressure NAN: the tyre's own */
  double tan_alpha;
  double measured[VD_FIT_OUTPUTS]; /* N, N m */
  double weight;
  size_t file, number; /* of its file and of the row in it, from 1 */
} vd_fit_row;

typedef struct vd_fit_def {
  vd_rig_def rig; /* first: its keys are those of a fit */
  vd_fit_settings fit;
  /* by vd_fit_read_source */
  vd_fit_row *row;
  size_t rows;
  bool has[VD_FIT_OUTPUTS]; /* some row has it */
  const vd_node *root;
} vd_fit_def;

extern const struct vd_schema vd_fit_schema;

/* Reads, completes and checks, from a registered source; reads the measured rows. */
bool vd_fit_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit_def *def);

/* The note of a figure at a bound. */
extern const char vd_fit_at_bound[];

/* A figure that was found. */
typedef struct vd_fit_coefficient {
  const char *name, *unit;
  int stage;
  double start, value, low, high; /* low, high: bounds; infinite: none */
  double deviation, freedom;      /* standard deviation; NAN: see the note */
  bool logarithm;                 /* the deviation is that of the logarithm */
  const char *note;               /* why there is no interval; "" */
} vd_fit_coefficient;

typedef struct vd_fit_quality {
  size_t rows;
  double rms, largest, peak; /* N, N m: residuals with the final tyre, greatest measured magnitude */
  double scatter;            /* of the noise, as the fit estimates it */
  size_t checked;            /* rows of weight 0, which take no part */
  double deviation;          /* greatest magnitude of their residuals */
} vd_fit_quality;

typedef struct vd_fit_stage {
  int stage;
  size_t rows, coefficients;
  int iterations;
  const char *left_out; /* figures of the group that the rows do not determine; "" */
  vd_fit_quality output[VD_FIT_OUTPUTS];
} vd_fit_stage;

typedef struct vd_fit_result {
  vd_figures tyre;
  size_t stages, coefficients;
  vd_fit_stage *stage;
  vd_fit_coefficient *coefficient;
  double *fitted;     /* [rows][VD_FIT_OUTPUTS] of the final tyre */
  double *row_weight; /* [rows][VD_FIT_OUTPUTS], what robust loss made of it; 1 without */
} vd_fit_result;

typedef struct vd_fit_progress {
  void (*show)(void *context, double share); /* 0 to 1; NULL: not called */
  void *context;
} vd_fit_progress;

/* False after errors: rows that do not suffice or do not determine a figure, a model that is not finite. Warnings for
 * figures at their bounds. progress may be NULL. */
bool vd_fit_run(const vd_fit_def *def, const vd_fit_progress *progress, vd_arena *arena, vd_diag *d,
                vd_fit_result *out);

/* Tables: residuals of each row, figures with their intervals, metrics of the stages. */
void vd_fit_write_rows(const vd_fit_def *def, const vd_fit_result *r, enum vd_digits digits, vd_output *o);
void vd_fit_write_coefficients(const vd_fit_coefficient *all, size_t count, double confidence, enum vd_digits digits,
                               vd_output *o);
/* The ends of an interval of confidence; NAN without a deviation. */
void vd_fit_interval(const vd_fit_coefficient *c, double confidence, double *low, double *high);
void vd_fit_metrics(const vd_fit_result *r, vd_arena *arena, vd_metrics *out);
/* All metrics that a fit may have. */
void vd_fit_list_metrics(vd_arena *arena, vd_metrics *out);

/* Curves of the final tyre through the middle of the measured rows, for pictures. */
void vd_fit_write_curves(const vd_fit_def *def, const vd_fit_result *r, enum vd_digits digits, vd_output *o);

#endif
