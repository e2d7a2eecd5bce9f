/* A run that was done for a claim, with all that claims may ask of it, in memory. */
#ifndef VD_PERFORMED_H
#define VD_PERFORMED_H

#include "math/spectrum.h"
#include "validation/claim.h"
#include "run/subject.h"

/* What is to be recorded, and how the scenario is changed. */
struct vd_study;

/* Runs the cases of a study: the lines of its table, with all digits, in their order. False: not all could be run. run
 * NULL: they are run here, one after the other. */
typedef struct vd_case_runner {
  bool (*run)(const void *context, const struct vd_study *study, vd_buf *line);
  const void *context;
} vd_case_runner;

typedef struct vd_perform_options {
  vd_case_runner cases;
  bool channels[VD_CLAIM_CHANNELS]; /* by the table of the kind: every step of these */
  unsigned sets;                    /* sets of metrics: 1u << index into vd_metric_sets */
  bool mirrored;                    /* left and right exchanged */
  bool read_only;                   /* nothing of the motion is asked for */
  bool search;                      /* what the scenario searches for is to be found, too */
  double step, rate;                /* s, 1/s; 0: the scenario's */
} vd_perform_options;

typedef struct vd_performed {
  vd_arena *arena;
  vd_diag *d;
  bool read;  /* the scenario was read without errors */
  bool ended; /* and the run came to its end */
  char *why;  /* why not: all messages, or what went bad; NULL */
  enum vd_kind kind;
  vd_scenario_def *def;    /* definition of a vehicle's scenario; else NULL */
  const char *text;        /* the complete scenario, or suspension, in SI */
  const vd_node *resolved; /* resolved scenario, for names in formulas */
  vd_outcome outcome;
  size_t own_sets; /* number of def->metrics.sets; sets that only claims ask for stand behind them */
  /* every step, or row of a tyre's steady rig; value[i] of channel i of the kind's table, NULL: not recorded, or not of
   * this level */
  size_t steps;
  double *t;        /* s; for a steady rig the row's number, from 1 */
  bool timeless;    /* it is such a rig */
  int swept;        /* column along which a steady rig goes, recorded; -1: none, or several */
  size_t histories; /* time histories of a tyre rig, one after the other */
  double *value[VD_CLAIM_CHANNELS];
  double step; /* s */
  bool searched;
  vd_metrics found; /* by the search */
  bool responds;
  vd_response response;
  vd_spectrum *spectrum; /* spectra of its channels, made when asked for; without lines: not made */
} vd_performed;

/* Reads the scenario and runs it, or finds the figures of a suspension. True if it came to its end; else `why` says
 * more. To be finished in any case. */
bool vd_perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
void vd_performed_finish(vd_performed *p);

/* Messages of what is read for a claim, as strict as those of the claim; its files are to be noted afterwards. */
vd_diag *vd_performed_diag(const vd_claim_run *run);

/* Notes the files that were read for a claim. */
void vd_performed_note(const vd_claim_run *run, const vd_diag *d);

/* All that was said, as it would be printed; to be freed. */
char *vd_performed_words(vd_diag *d);

/* Index of a channel in the table of its kind. */
size_t vd_channel_index(enum vd_kind kind, const vd_channel *channel);

/* The abscissa of pictures of its channels, and its values. */
const double *vd_performed_along(const vd_performed *p, const char **name, const char **unit);
/* The order in which two runs are compared: time, or rows. */
const char *vd_performed_order(const vd_performed *p, const char **unit);

/* A channel's history, or NULL with the reason in why[size]: the level has no such channel. */
const double *vd_performed_channel(const vd_performed *p, const vd_channel *channel, char *why, size_t size);

/* The rows first..last that lie between the times, to NAN: the end. False, with the reason, if there is none. */
bool vd_performed_window(const vd_performed *p, double from, double to, size_t *first, size_t *last, char *why,
                         size_t size);

/* A figure of a channel in the window, in its own unit; NAN with the reason. Not one of the response. */
double vd_performed_figure(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of, double from,
                           double to, char *why, size_t size);

/* Gain, phase in rad or coherence of the response at frequencies (Hz): on straight lines between its lines. What there
 * is none of is NAN, the last of it with the reason. */
void vd_performed_response(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of,
                           const double *frequency, size_t count, double *value, char *why, size_t size);

/* A metric in its own unit, which *unit (may be NULL) is then; NAN with the reason. */
double vd_performed_metric(const vd_performed *p, const char *name, const char **unit, char *why, size_t size);

/* What the scenario's search found for a goal. */
double vd_performed_goal(const vd_performed *p, const char *name, const char **unit, char *why, size_t size);

/* The value of one of the claim's formulas, SI; NAN with the reason. p NULL: no run. */
double vd_performed_formula(const vd_performed *p, const vd_claim *claim, const vd_expression *formula, char *why,
                            size_t size);

#endif
