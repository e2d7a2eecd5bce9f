/* --handling: one or several cars are driven through the manoeuvres of a programme; one page and tables as CSV show
 * them side by side. handling_job.c makes the runs, handling_figures.c the figures of the summary with the ranges that
 * are published for classes of cars, handling_tables.c the tables, handling_page.c the page. */
#ifndef VD_HANDLING_H
#define VD_HANDLING_H

#include "report.h"

#include "run/programme.h"

/* A range that is published for a figure of a class of cars, or that a regulation allows, in SI. */
typedef struct vd_class_range {
  const char *class, *source;
  double from, to; /* infinite: no bound */
} vd_class_range;

enum { VD_CLASSES = 16, VD_FIGURES = 32 };

/* A figure of the summary. */
typedef struct vd_handling_figure {
  const char *name, *unit, *metric;
  size_t manoeuvre; /* index of the manoeuvre in which a run of at least one car has the metric */
  double *value;    /* [cars], SI; NAN: none */
  vd_class_range range[VD_CLASSES];
  size_t ranges;
} vd_handling_figure;

typedef struct vd_handling {
  const vd_settings *settings;
  vd_programme programme;
  const char *stem; /* stem of the names of the files */
  const char *const *car;
  size_t cars;
  vd_report_run *run; /* [manoeuvres][cars] */
  int *status;        /* exit statuses of the runs */
  vd_handling_figure figure[VD_FIGURES];
  size_t figures;
  vd_report_key *key; /* keys of the vehicle in which the cars differ */
  size_t keys;
  vd_arena *arena;
} vd_handling;

static inline const vd_report_run *vd_handling_run(const vd_handling *h, size_t manoeuvre, size_t car) {
  return &h->run[manoeuvre * h->cars + car];
}
/* Returns the first run of the car whose scenario could be read, for data that all runs of the car share; NULL: no
 * scenario could be read. */
const vd_report_run *vd_handling_of_car(const vd_handling *h, size_t car);
/* Returns the title of a manoeuvre, without the names of car and level at its end. The text is in the arena. */
const char *vd_handling_title(const vd_handling *h, size_t manoeuvre);
/* Returns how a run ended, in words: "done", "not reached", "ended early" or "not run". */
const char *vd_handling_outcome(const vd_handling *h, size_t manoeuvre, size_t car);
/* Returns the name of a car. */
const char *vd_handling_car(const vd_handling *h, size_t car);

/* Finds the figures of the summary in the runs. */
void vd_handling_find_figures(vd_handling *h);
/* Converts a value of a figure, or a bound of its ranges, to the unit in which it is shown; *unit: this unit. */
double vd_handling_shown(const vd_handling_figure *f, double si, const char **unit);

/* vd_handling_page adds the page to `out'. vd_handling_tables writes the tables into the folder, and returns an exit
 * status. */
void vd_handling_page(const vd_handling *h, vd_buf *out);
int vd_handling_tables(const vd_handling *h);
/* Whether all files may be written; false after messages. */
bool vd_handling_may_write(const vd_handling *h);
/* Returns the name of the file with this ending, such as ".html". */
const char *vd_handling_file(const vd_handling *h, const char *ending);

/* Does --handling; returns an exit status. */
int vd_handling_job(const vd_settings *s);

#endif
