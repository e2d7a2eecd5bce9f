/* Pictures of runs: channels that the user names, and the standard pictures of the table (pictures.txt). */
#ifndef VD_PICTURES_H
#define VD_PICTURES_H

#include "picture_table.h"

#include "course/path.h"
#include "input/tree.h"
#include "validation/picture.h"

typedef struct vd_shown_column {
  const char *name, *unit; /* unit of the values: SI, or the unit in the name */
  double *value;           /* [rows]; NAN: missing */
} vd_shown_column;

typedef struct vd_fact {
  const char *name;
  double value;
} vd_fact;

/* A run, or any other table of numbers. Texts are "" if unknown. */
typedef struct vd_shown_run {
  const char *file, *label;
  size_t rows, columns, facts;
  vd_shown_column *column;
  vd_fact *fact;           /* metrics, and keys that the table uses */
  double end;              /* s, time of the last row, even if it is outside of the window that is drawn */
  const vd_node *resolved; /* resolved scenario; NULL: unknown */
  const char *title, *car, *level;
  const vd_path *path;         /* course with gates; NULL: none */
  int hue;                     /* colour of the run, 1 to 6; 0: chosen by the number of the run */
  double ahead, behind, width; /* m, the body about the centre of gravity; NAN: unknown */
} vd_shown_run;

const double *vd_shown_values(const vd_shown_run *run, const char *name);
double vd_shown_fact(const vd_shown_run *run, const char *name);

/* Options of the user besides the name of a picture. */
typedef struct vd_shown_how {
  vd_unit_habits units;
  const char *const *channel; /* [channels]: columns and patterns with commas between them; a panel for each */
  size_t channels;
  const char *x;    /* column of the horizontal axis; NULL: t_s, or the first one */
  const char *only; /* output of a frequency response; NULL: all */
  bool difference, equal, log, plain;
  bool apart; /* each panel stands alone, so that it names its lines */
  bool quiet; /* no message that there is nothing to draw */
} vd_shown_how;

typedef struct vd_panel {
  vd_picture picture;
  int over; /* panels of the same number share the horizontal axis */
} vd_panel;

typedef struct vd_drawing {
  size_t panels;
  vd_panel *panel;
  int columns;
  double body;       /* height of the area of each panel; 0: the usual height */
  const char *under; /* text of a line below the title */
} vd_drawing;

/* These functions build a figure. They return false after a message. */
bool vd_figure_channels(const vd_shown_run *run, size_t runs, vd_shown_how *how, vd_arena *arena, vd_drawing *out);
bool vd_figure_standard(const vd_shown_run *run, size_t runs, const char *name, vd_shown_how *how, vd_arena *arena,
                        vd_drawing *out);
bool vd_figure_response(const vd_shown_run *run, size_t runs, vd_shown_how *how, vd_arena *arena, vd_drawing *out);
/* Builds the figure of runs from the side and from above, in plot_stunt.c. cars: number of cars that are drawn; 0: one
 * every five metres, at least 3 and at most 12. until: time, s, up to which the runs are drawn, with one car at this
 * time; NAN: whole runs. */
bool vd_figure_stunt(const vd_shown_run *run, size_t runs, int cars, double until, vd_arena *arena, vd_drawing *out);
void vd_figure_finish(vd_drawing *f);

/* Whether one of these words fits the run. sets: words with blanks between them, each a set of metrics of the run, its
 * kind, or keys of its resolved scenario (KEY.KEY or KEY=VALUE, several with & between them). "*": any run. */
bool vd_shown_has_set(const vd_shown_run *run, const char *sets);

#endif
