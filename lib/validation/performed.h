/* A run that was made for a claim, with all results that claims may use, in memory. */
#ifndef VD_PERFORMED_H
#define VD_PERFORMED_H

#include "math/spectrum.h"
#include "validation/claim.h"
#include "run/subject.h"

struct vd_study;

/* Runs the cases of a study and writes the lines of its table, with all digits, in their order. False: some cases could
 * not be run. run NULL: the cases are run in this process, one after the other. */
typedef struct vd_case_runner {
  bool (*run)(const void *context, const struct vd_study *study, vd_buf *line);
  const void *context;
} vd_case_runner;

/* Options of a run: the data that it records, and changes of its scenario. */
typedef struct vd_perform_options {
  vd_case_runner cases;
  bool channels[VD_CLAIM_CHANNELS]; /* channels of the kind's table that are recorded at every step */
  unsigned sets;                    /* sets of metrics: 1u << index into vd_metric_sets */
  bool mirrored;                    /* left and right are exchanged */
  bool read_only;                   /* the scenario is read but not run */
  bool search;                      /* the scenario's search is run, too */
  double step, rate;                /* s, 1/s; 0: as in the scenario */
} vd_perform_options;

typedef struct vd_performed {
  vd_arena *arena;
  vd_diag *d;
  bool read;  /* the scenario was read without errors */
  bool ended; /* the run did not fail */
  char *why;  /* the messages, if the scenario was not read or the run failed; otherwise NULL */
  enum vd_kind kind;
  vd_scenario_def *def;    /* definition of a vehicle's scenario; NULL for other kinds */
  const char *text;        /* the complete scenario or suspension in SI */
  const vd_node *resolved; /* resolved scenario, for names in formulas */
  vd_outcome outcome;
  /* number of sets of metrics in the scenario's own list; def->metrics.sets also has, after these, the sets that only
   * claims request */
  size_t own_sets;
  /* number of steps, or of rows of a steady rig. value[i] (below): channel i of the kind's table; NULL: not recorded,
   * or the level lacks the channel */
  size_t steps;
  double *t;        /* s; for a steady rig the number of the row, from 1 */
  bool timeless;    /* the rows of a steady rig have no time */
  int swept;        /* recorded column along which a steady rig varies; -1: none, or several */
  size_t histories; /* number of time histories of a tyre rig, which follow each other */
  double *value[VD_CLAIM_CHANNELS];
  double step; /* s */
  bool searched;
  vd_metrics found; /* values found by the search */
  bool responds;
  vd_response response;
  /* [channels of the response]: spectra, computed when needed; without lines: not yet computed */
  vd_spectrum *spectrum;
} vd_performed;

/* Reads the scenario and runs it, or computes the figures of a suspension. False, with the reason in out->why, if this
 * failed. The caller must finish *out in any case. */
bool vd_perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
void vd_performed_finish(vd_performed *p);

/* Makes a diag for reading the inputs of a claim, as strict as the diag of the claim's file. vd_performed_note must
 * record its files. */
vd_diag *vd_performed_diag(const vd_claim_run *run);

/* Records the files that were read for a claim. */
void vd_performed_note(const vd_claim_run *run, const vd_diag *d);

/* Returns all messages as they would be printed; the caller must free them. */
char *vd_performed_words(vd_diag *d);

/* Returns the index of a channel in the table of its kind. */
size_t vd_channel_index(enum vd_kind kind, const vd_channel *channel);

/* Returns the values of the abscissa for pictures of the run's channels, and its name and unit. */
const double *vd_performed_along(const vd_performed *p, const char **name, const char **unit);
/* Returns name and unit of the abscissa by which two runs are compared: time, or rows. */
const char *vd_performed_order(const vd_performed *p, const char **unit);

/* Returns the history of a channel; NULL, with the reason in why[size], if the level has no such channel. */
const double *vd_performed_channel(const vd_performed *p, const vd_channel *channel, char *why, size_t size);

/* Finds the rows first..last between the times; to NAN: the end. False, with the reason, if there are no rows. */
bool vd_performed_window(const vd_performed *p, double from, double to, size_t *first, size_t *last, char *why,
                         size_t size);

/* Returns a figure of a channel in the window, in its own unit; NAN with the reason. Figures of the frequency response
 * are computed by vd_performed_response. */
double vd_performed_figure(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of, double from,
                           double to, char *why, size_t size);

/* Computes gain, phase (rad) or coherence of the response at frequencies (Hz), interpolated linearly between its lines.
 * Missing values are NAN; `why' is the reason for the last missing value. */
void vd_performed_response(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of,
                           const double *frequency, size_t count, double *value, char *why, size_t size);

/* Returns a metric in its own unit; NAN with the reason. *unit: set to the unit; `unit` may be NULL. */
double vd_performed_metric(const vd_performed *p, const char *name, const char **unit, char *why, size_t size);

/* Returns the value that the scenario's search found for a goal. */
double vd_performed_goal(const vd_performed *p, const char *name, const char **unit, char *why, size_t size);

/* Returns the value of a formula of the claim, SI; NAN with the reason. p NULL: there is no run. */
double vd_performed_formula(const vd_performed *p, const vd_claim *claim, const vd_expression *formula, char *why,
                            size_t size);

#endif
