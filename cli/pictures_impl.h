/* Declarations of pictures.c that the other files of pictures use. */
#ifndef VD_PICTURES_IMPL_H
#define VD_PICTURES_IMPL_H

#include "pictures.h"

#include "input/expression.h"

enum { VD_LETS = 8, VD_INTEGRALS = 4, VD_MEANINGS = 64, VD_NAMED = 5 };

/* Quantities that are derived from the rows of a run. */
typedef struct vd_derived {
  const double *t;                   /* s, NULL: no such column */
  double *steady, *cycles, *turning; /* [rows], 1 or -1; NULL: the run lacks the columns */
  double turn, braked, begun;        /* NAN: unknown */
} vd_derived;

typedef struct vd_let {
  const char *name;
  vd_expression *is;
} vd_let;

/* The horizontal axis of the panels that follow. */
typedef struct vd_over {
  const char *text, *filter, *name;
  vd_shown_unit unit; /* name NULL: not known yet */
} vd_over;

/* A value of a column: the panels show its rows only. */
typedef struct vd_each {
  const char *filter, *name; /* expression that is negative in other rows; text for titles, "": the only value */
} vd_each;

/* The x of lines in each row of a run. */
typedef struct vd_abscissa {
  const char *over, *only; /* texts of x and of the filter */
  double *value;           /* NULL: not known yet */
  size_t start;            /* index of the first row that is drawn */
} vd_abscissa;

/* The panel that is being built. */
typedef struct vd_building {
  const vd_shown_run *run;
  size_t runs;
  vd_shown_how *how;
  vd_arena *arena;
  vd_diag *d;
  int source;
  vd_derived *derived; /* [runs] */
  vd_let let[VD_LETS];
  size_t lets;
  vd_over over;
  vd_each each; /* filter NULL: all rows */
  int overs;
  vd_drawing *out;
  vd_panel *panel;       /* NULL: none yet */
  vd_shown_unit unit;    /* unit of the panel; name NULL: not known yet */
  bool any, moves;       /* any: the panel has points; moves: their values differ */
  size_t members;        /* number of lines in the panel; every run may have each of them */
  vd_abscissa *abscissa; /* [runs]: x of the line before */
  size_t *first;         /* [runs]: index of the run's first line among the series; SIZE_MAX: it has none */
  double *stack;         /* sums of the areas so far, up and down; NULL: none */
  /* the runs were named already: in a panel with one line for each run; in a panel with several */
  bool named[2];
  int ats, areas;
  size_t of;    /* index of the run whose areas the panel shows */
  bool refused; /* a unit that the user chose has another dimension than its column */
} vd_building;

/* The meaning of a name of an expression in a run: a column, its value at the start, an expression, or a number. */
typedef struct vd_meaning {
  const char *name; /* the same pointer as in the expression */
  const double *rows;
  bool start;
  const vd_expression *let;
  double constant; /* value if there are no rows */
} vd_meaning;

/* Data for evaluating an expression in a row of a run. row SIZE_MAX: only facts of the run are used. start: the row
 * from which NAME.start takes its value. */
typedef struct vd_evaluating {
  const vd_building *b;
  size_t run, row, start;
  size_t meanings; /* number of names that were looked up already */
  vd_meaning meaning[VD_MEANINGS];
  int calls;
  double sum[VD_INTEGRALS], last[VD_INTEGRALS], time[VD_INTEGRALS];
} vd_evaluating;

vd_expression *vd_building_parse(const vd_building *b, const char *text);
double vd_building_value(vd_evaluating *e, const vd_expression *x);
double vd_building_constant(const vd_building *b, size_t run, const char *text);
/* Returns a text with its {values}; NULL: a value is missing. */
const char *vd_building_filled(const vd_building *b, size_t run, const char *text);
/* Whether each name of an expression is known in at least one run. */
bool vd_building_knows(const vd_building *b, const char *text);
void vd_building_derive(vd_building *b);
/* Returns a text with the name of a wheel in place of each @. */
const char *vd_building_of_wheel(const vd_building *b, const char *text, int wheel);

/* Adds a series to the panel; the points become its own. */
vd_picture_series *vd_building_put(vd_building *b, enum vd_stroke stroke, const char *name, size_t run, double *x,
                                   double *y, size_t count);
/* Whether the values of a line differ. */
bool vd_building_moves(const double *y, size_t count);
/* Sets the unit of an expression to the unit in which its first column is shown. Does not change a unit that is set
 * already. */
void vd_building_set_unit(vd_building *b, const vd_expression *e, vd_shown_unit *unit);
/* Adds a family of curves. */
void vd_building_family(vd_building *b, const vd_picture_line *l);
/* Finds at most VD_NAMED values of the column of a line `each' in all runs. Returns their number. */
size_t vd_building_each(vd_building *b, const vd_picture_line *l, vd_each each[VD_NAMED]);
/* Writes the values of a family's lines into the panel of a single run. */
void vd_building_words(vd_building *b, const vd_picture_line *l);
/* Adds the edges of a track beside the line of a run, if it has them. */
void vd_building_edges(vd_building *b, size_t run, const char *name);
/* Adds what a line of the table marks: band, mark, level, at, circle, slope, course, cars, curves, edges, words. */
void vd_building_mark(vd_building *b, const vd_picture_line *l);
/* Marks instants, windows and events over time. */
void vd_building_instants(vd_building *b, bool named);

#endif
