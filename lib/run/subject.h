/* Everything that can be run: a vehicle, a track car, a tyre rig, a suspension. Studies, fits and claims read and run
 * all of these by the same functions.
 *
 * For each kind, each switch in subject.c has one line. */
#ifndef VD_SUBJECT_H
#define VD_SUBJECT_H

#include "run/kind.h"
#include "run/limits_run.h"
#include "run/rig.h"
#include "run/track_run.h"
#include "linkage/corner.h"

struct vd_setting;

typedef struct vd_subject {
  enum vd_kind kind;
  union {
    vd_scenario_def *vehicle;
    vd_rig_def *rig;
    vd_track_def *track;
    vd_limits_def *limits;
    vd_corner *corner;
  } as;
} vd_subject;

/* Reads, completes and checks a registered source of the kind; text (may be NULL) receives the complete input in SI.
 * False after errors, which are all in d, and for a study, a fit or an optimisation. */
bool vd_subject_read(enum vd_kind kind, int source, const struct vd_setting *settings, size_t count, vd_arena *arena,
                     vd_diag *d, vd_buf *text, vd_subject *out);

/* True if the subject is a vehicle's scenario that searches for the value of a key. */
bool vd_subject_searches(const vd_subject *s);

/* Lists the names and units of the metrics of the subject's run, or of the results of its search. */
void vd_subject_metrics(const vd_subject *s, vd_arena *arena, vd_metrics *all);

/* Results of a run. */
typedef struct vd_outcome {
  vd_metrics metrics;               /* metrics of the run; of a run that failed, up to the failure */
  const char *failure;              /* in the arena; NULL: the run did not fail */
  vd_run_report report;             /* for a subject that has steps */
  double peak_kinetic, peak_ledger; /* J; peaks of a vehicle's run */
} vd_outcome;

/* Runs the subject; log may be NULL, and suspensions do not write a log. A rig has no metrics if the caller reads its
 * columns (options->values), because the metrics read the same columns. False if the run failed. */
bool vd_subject_run(const vd_subject *s, const vd_run_options *options, vd_output *log, vd_arena *arena,
                    vd_outcome *out);

/* --- trials of a search: a scenario that is read and run with its key at one value --- */

/* Reads the scenario with the key of its search at a value, after all settings. False after errors, which are all in
 * d. */
bool vd_trial_read(const vd_scenario_text *from, const vd_search_def *search, double value, vd_arena *arena, vd_diag *d,
                   vd_scenario_def *def);
/* Reads and runs a trial: sets the trial's value and its results. */
bool vd_trial_run(const vd_scenario_text *from, const vd_search_def *search, vd_diag *d, vd_trial *trial);
/* Runs all trials of the search, one after the other. False if one of them could not be read. The caller must finish
 * s. */
bool vd_trial_search(const vd_scenario_text *from, const vd_search_def *def, vd_diag *d, vd_search *s);

#endif
